/* SPDX-License-Identifier: Apache-2.0
 * A job from settings by name, for the C interface: the same names as the command's options. */
#include "catalogue/pick_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { REAL, COUNT, FLAG, SIZE };

typedef struct {
    const char *name;
    int type;
    size_t offset;
} Setting;

#define J(name, type, member)                                                                      \
    {                                                                                              \
        name, type, offsetof(PickRequest, member)                                                  \
    }
static const Setting settings[] = {J("tokens", COUNT, job.tokens),
                                   J("images", COUNT, job.images),
                                   J("active", COUNT, job.model.active),
                                   J("epochs", REAL, job.epochs),
                                   J("hours", REAL, job.hours),
                                   J("batch", REAL, job.batch),
                                   J("context", REAL, job.context),
                                   J("layers", REAL, job.model.layers),
                                   J("hidden", REAL, job.model.hidden),
                                   J("heads", REAL, job.model.heads),
                                   J("kv-heads", REAL, job.model.kv_heads),
                                   J("head-dim", REAL, job.model.head_dim),
                                   J("vocab", REAL, job.model.vocab),
                                   J("memory", REAL, job.memory_gb),
                                   J("total-memory", REAL, job.total_memory_gb),
                                   J("min-ram", REAL, job.min_ram_gib),
                                   J("min-vcpus", REAL, job.min_vcpus),
                                   J("gpus", REAL, job.gpus),
                                   J("network", REAL, job.network_gbps),
                                   J("cuda-version", REAL, job.cuda),
                                   J("deadline", SIZE, job.deadline),
                                   J("spot", FLAG, job.spot),
                                   J("blocks", FLAG, job.blocks),
                                   J("managed", FLAG, job.managed),
                                   J("neuron", FLAG, job.neuron),
                                   J("amd", FLAG, job.amd),
                                   J("previous", FLAG, job.previous),
                                   J("nvlink", FLAG, job.nvlink),
                                   J("raster", FLAG, job.no_rt),
                                   J("stream", FLAG, job.stream)};
#undef J

void pick_copy_model(PickModel *to, const CatalogueModel *from)
{
    *to = (PickModel){.name = from->name};
#define TAKE(member)                                                                               \
    if (from->member > 0)                                                                          \
    to->member = from->member
    TAKE(params);
    TAKE(active);
    TAKE(layers);
    TAKE(hidden);
    TAKE(heads);
    TAKE(kv_heads);
    TAKE(head_dim);
    TAKE(vocab);
    TAKE(kv_elems);
    TAKE(window);
    TAKE(window_layers);
    TAKE(gflop_image);
    TAKE(act_mb_image);
#undef TAKE
    to->latent = from->kv_elems > 0;
}

void pick_set_arch(PickJob *job, const char *text)
{
    if (strcasecmp(text, "x86_64") == 0 || strcasecmp(text, "x86") == 0 ||
        strcasecmp(text, "amd64") == 0)
        job->host_arch = "x86_64";
    else if (strcasecmp(text, "arm64") == 0 || strcasecmp(text, "aarch64") == 0 ||
             strcasecmp(text, "arm") == 0)
        job->host_arch = "arm64";
    else if (strcasecmp(text, "any") == 0)
        job->host_arch = "any";
    else
        job->gpu_arch = text;
}

static bool set_model(PickRequest *q, PickKind kind, const char *value)
{
    double params;
    const CatalogueModel *known;
    q->job.kind = kind;
    q->has_kind = true;
    if (pick_parse_count(value, &params))
        q->job.model.params = params;
    else if ((known = catalogue_find_model(q->c, value)))
        pick_copy_model(&q->job.model, known);
    else
        return false;
    return true;
}

static bool set_kind(PickRequest *q, PickKind kind)
{
    q->job.kind = kind;
    q->has_kind = true;
    return true;
}

static bool set_plain(PickRequest *q, const Setting *s, const char *value)
{
    char *end;
    void *to = (char *)q + s->offset;
    if (s->type == FLAG) {
        *(bool *)to = !*value || strcmp(value, "1") == 0 || strcasecmp(value, "true") == 0;
        return *(bool *)to || strcmp(value, "0") == 0 || strcasecmp(value, "false") == 0;
    }
    if (s->type == COUNT)
        return pick_parse_count(value, to);
    double number = strtod(value, &end);
    if (s->type == SIZE && *end && !end[1])
        number *= *end == 'h'   ? 3600
                  : *end == 'm' ? 60
                  : *end == 's' ? 1
                  : *end == 'd' ? 86400
                                : NAN,
            ++end;
    if (end == value || *end || !(number > 0))
        return false;
    *(double *)to = number;
    return true;
}

bool pick_request_set(PickRequest *q, const char *name, const char *given)
{
    const char *value = arena_strdup(q->arena, given ? given : "");
    PickJob *job = &q->job;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
        if (strcmp(settings[i].name, name) == 0)
            return set_plain(q, &settings[i], value);
    if (strcmp(name, "train") == 0)
        return set_model(q, PICK_TRAIN, value);
    if (strcmp(name, "infer") == 0)
        return set_model(q, PICK_INFER, value);
    if (strcmp(name, "graphics") == 0)
        return set_kind(q, PICK_GRAPHICS);
    if (strcmp(name, "video") == 0)
        return set_kind(q, PICK_VIDEO);
    if (strcmp(name, "precision") == 0)
        return (job->precision = pick_format(value)) != NULL && job->precision->bytes >= 1;
    if (strcmp(name, "quant") == 0)
        return (job->quant = pick_format(value)) != NULL;
    if (strcmp(name, "optimizer") == 0)
        return (job->recipe = pick_recipe(value)) != NULL;
    if (strcmp(name, "budget") == 0)
        return pick_parse_budget(value, &job->budget, &job->budget_kind);
    if (strcmp(name, "region") == 0)
        return *(job->region = value) != 0;
    if (strcmp(name, "codec") == 0)
        return *(job->codec = value) != 0;
    if (strcmp(name, "arch") == 0)
        return pick_set_arch(job, value), *value != 0;
    if (strcmp(name, "gpu") == 0)
        return (job->gpu = catalogue_find_gpu(q->c, value)) != NULL;
    if (strcmp(name, "max-age") == 0)
        return (job->max_age = atoi(value)) > 0;
    if (strcmp(name, "nodes") == 0)
        return (job->nodes = atoi(value)) > 0 && job->nodes <= 1024;
    if (strcmp(name, "exclude") == 0) {
        const char **grown = ARENA_ARRAY(q->arena, const char *, job->exclude_count + 1);
        for (int i = 0; i < job->exclude_count; ++i)
            grown[i] = job->exclude[i];
        grown[job->exclude_count++] = value;
        job->exclude = grown;
        return *value != 0;
    }
    return false;
}

void pick_request_init(PickRequest *q, const Catalogue *c)
{
    *q = (PickRequest){.c = c, .arena = arena_new()};
    pick_job_init(&q->job);
}

void pick_request_fini(PickRequest *q)
{
    arena_free(q->arena);
}

bool pick_request_job(const PickRequest *q, PickJob *job)
{
    *job = q->job;
    bool shape = job->model.params > 0 || (job->model.layers > 0 && job->model.hidden > 0);
    if (!q->has_kind && shape)
        job->kind = PICK_INFER;
    else if (!q->has_kind && (job->memory_gb > 0 || job->total_memory_gb > 0))
        job->kind = PICK_MEMORY;
    else if (!q->has_kind)
        return false;
    if (job->kind == PICK_TRAIN || job->kind == PICK_INFER) {
        job->vision = job->images > 0 || job->model.gflop_image > 0;
        pick_complete_model(q->c, &job->model);
    }
    return true;
}
