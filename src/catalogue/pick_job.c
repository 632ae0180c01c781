/* SPDX-License-Identifier: Apache-2.0
 * Jobs: formats and recipes, defaults, the shape of a model from its size. */
#include "catalogue/pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const PickFormat formats[] = {
#define FORMAT(name, bytes, low, high, min_cc) {name, bytes, low, high, min_cc},
#include "catalogue/pick_formats.def"
};

static const PickRecipe recipes[] = {
#define RECIPE(name, w, g, s, w32, g32, s32, share, high)                                          \
    {name, w, g, s, w32, g32, s32, share, high},
#include "catalogue/pick_formats.def"
};

const PickFormat *pick_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (strcasecmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

const PickRecipe *pick_recipe(const char *name)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; ++i)
        if (strcasecmp(recipes[i].name, name) == 0)
            return &recipes[i];
    return NULL;
}

const char *pick_format_names(void)
{
    static const char names[] =
#define FORMAT(name, ...) ", " name
#include "catalogue/pick_formats.def"
        ;
    return names + 2;
}

const char *pick_recipe_names(void)
{
    static const char names[] =
#define RECIPE(name, ...) ", " name
#include "catalogue/pick_formats.def"
        ;
    return names + 2;
}

void pick_job_init(PickJob *job)
{
    *job = (PickJob){0};
    job->epochs = 1;
    job->batch = 1;
    job->recipe = pick_recipe("adam");
    job->quant = pick_format("fp16");
    job->kv_bytes = 2;
    job->host_arch = "x86_64";
    job->nodes = 1;
}

bool pick_parse_count(const char *text, double *count)
{
    static const struct {
        const char *suffix;
        double scale;
    } suffixes[] = {{"", 1},     {"k", 1e3}, {"m", 1e6},  {"b", 1e9},
                    {"bn", 1e9}, {"g", 1e9}, {"t", 1e12}, {"tn", 1e12}};
    char *end;
    double value = strtod(text, &end);
    if (end == text || !isfinite(value) || value <= 0)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i)
        if (strcasecmp(end, suffixes[i].suffix) == 0) {
            *count = value * suffixes[i].scale;
            return *count < 1e18;
        }
    return false;
}

bool pick_parse_budget(const char *text, double *usd, PickBudgetKind *kind)
{
    char *end;
    if (*text == '$')
        ++text;
    *usd = strtod(text, &end);
    if (end == text || !isfinite(*usd) || *usd <= 0)
        return false;
    if (strncasecmp(end, "usd", 3) == 0)
        end += 3;
    static const struct {
        const char *text;
        PickBudgetKind kind;
    } kinds[] = {{"", BUDGET_TOTAL},       {"/total", BUDGET_TOTAL}, {"/job", BUDGET_TOTAL},
                 {"total", BUDGET_TOTAL},  {"h", BUDGET_HOUR},       {"month", BUDGET_MONTH},
                 {"/h", BUDGET_HOUR},      {"/hour", BUDGET_HOUR},   {"/hr", BUDGET_HOUR},
                 {"/month", BUDGET_MONTH}, {"/mo", BUDGET_MONTH}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcasecmp(end, kinds[i].text) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    return false;
}

/* The known model nearest in size; text models only. */
static const CatalogueModel *nearest(const Catalogue *c, double params)
{
    const CatalogueModel *best = NULL;
    double distance = INFINITY;
    for (size_t i = 0; i < c->models.count; ++i) {
        const CatalogueModel *m = &c->models.items[i];
        if (isnan(m->layers) || !isnan(m->gflop_image) || !isnan(m->active))
            continue;
        double d = fabs(log(m->params / params));
        if (d < distance) {
            distance = d;
            best = m;
        }
    }
    return best;
}

static void fill(double *value, double from)
{
    if (!(*value > 0) && !isnan(from))
        *value = from;
}

void pick_complete_model(const Catalogue *c, PickModel *model)
{
    if (!(model->params > 0) && model->layers > 0 && model->hidden > 0)
        model->params =
            12 * model->layers * model->hidden * model->hidden + model->vocab * model->hidden;
    const CatalogueModel *like = model->params > 0 ? nearest(c, model->params) : NULL;
    if (like && (!(model->layers > 0) || !(model->hidden > 0) ||
                 !(model->kv_heads > 0 || model->kv_elems > 0))) {
        bool shape_free = !(model->layers > 0);
        model->assumed = true;
        if (!model->name)
            model->name = like->name;
        fill(&model->layers, like->layers);
        /* A model of another size with as many layers is wider or narrower. */
        fill(&model->hidden, shape_free
                                 ? like->hidden
                                 : 128 * round(sqrt(model->params / 12 / model->layers) / 128));
        fill(&model->heads, like->heads);
        if (!(model->kv_elems > 0)) {
            fill(&model->kv_heads, like->kv_heads);
            fill(&model->head_dim, like->head_dim);
        }
    }
    fill(&model->vocab, like ? like->vocab : 128000);
    fill(&model->head_dim, 128);
    if (!(model->kv_elems > 0))
        model->kv_elems = 2 * model->kv_heads * model->head_dim;
    fill(&model->active, model->params);
}
