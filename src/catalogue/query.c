/* SPDX-License-Identifier: Apache-2.0
 * Look-ups, quotes and units. */
#include "catalogue/query.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

const char *const catalogue_price_kinds[] = {"ondemand", "spot", "block"};

/* Lower case without spaces, '-', '_' and makers' words, so that spellings compare equal. */
static void plain_name(const char *name, size_t length, char *out, size_t room)
{
    static const char *const words[] = {"nvidia", "tesla", "geforce", "radeon", "instinct", "aws"};
    size_t n = 0;
    const char *end = name + length;
    while (name < end && n + 1 < room) {
        bool skipped = false;
        for (size_t w = 0; w < sizeof words / sizeof *words && !skipped; ++w)
            if (strncasecmp(name, words[w], strlen(words[w])) == 0) {
                name += strlen(words[w]);
                skipped = true;
            }
        if (skipped)
            continue;
        if (isalnum((unsigned char)*name) || *name == '.')
            out[n++] = (char)tolower((unsigned char)*name);
        ++name;
    }
    out[n] = 0;
}

static bool same_name(const char *plain, const char *name, size_t length)
{
    char other[128];
    plain_name(name, length, other, sizeof other);
    return strcmp(plain, other) == 0;
}

const CatalogueGpu *catalogue_find_gpu(const Catalogue *c, const char *name)
{
    char plain[128];
    plain_name(name, strlen(name), plain, sizeof plain);
    if (!plain[0])
        return NULL;
    for (size_t i = 0; i < c->gpus.count; ++i) {
        const CatalogueGpu *gpu = &c->gpus.items[i];
        if (same_name(plain, gpu->key, strlen(gpu->key)) ||
            same_name(plain, gpu->name, strlen(gpu->name)))
            return gpu;
        for (const char *alias = gpu->aliases; *alias;) {
            size_t length = strcspn(alias, ";");
            if (same_name(plain, alias, length))
                return gpu;
            alias += length + (alias[length] == ';');
        }
    }
    return NULL;
}

int catalogue_match_gpus(const Catalogue *c, const char *text, const CatalogueGpu **out, int max)
{
    char plain[128], name[128];
    int count = 0;
    plain_name(text, strlen(text), plain, sizeof plain);
    for (size_t i = 0; i < c->gpus.count && plain[0]; ++i) {
        const CatalogueGpu *gpu = &c->gpus.items[i];
        plain_name(gpu->name, strlen(gpu->name), name, sizeof name);
        if (!strstr(name, plain) && strcasecmp(gpu->arch, text) != 0)
            continue;
        if (count < max)
            out[count] = gpu;
        ++count;
    }
    return count;
}

const CatalogueInstance *catalogue_find_instance(const Catalogue *c, const char *name)
{
    return map_get(&c->instance_by_name, name);
}

bool catalogue_is_family(const Catalogue *c, const char *family)
{
    for (size_t i = 0; i < c->instances.count; ++i)
        if (strcasecmp(c->instances.items[i].row.family, family) == 0)
            return true;
    return false;
}

const CatalogueModel *catalogue_find_model(const Catalogue *c, const char *name)
{
    char plain[128];
    plain_name(name, strlen(name), plain, sizeof plain);
    for (size_t i = 0; i < c->models.count && plain[0]; ++i) {
        const CatalogueModel *model = &c->models.items[i];
        if (same_name(plain, model->key, strlen(model->key)) ||
            same_name(plain, model->name, strlen(model->name)))
            return model;
    }
    return NULL;
}

bool catalogue_is_region_name(const char *text)
{
    int dashes = 0;
    size_t length = strlen(text);
    for (const char *p = text; *p; ++p) {
        dashes += *p == '-';
        if (!islower((unsigned char)*p) && *p != '-' && !isdigit((unsigned char)*p))
            return false;
    }
    return dashes >= 2 && length > 5 && isdigit((unsigned char)text[length - 1]);
}

bool catalogue_quote(const Catalogue *c, const CatalogueInstance *instance, const char *region,
                     CataloguePriceKind kind, CatalogueQuote *out)
{
    bool any = strcmp(region, "any") == 0, found = false;
    *out = (CatalogueQuote){.age_days = -1};
    for (int i = 0; i < instance->price_count; ++i) {
        const CataloguePrice *p = &c->prices.items[instance->first_price + i];
        bool most = strcmp(p->region, "*") == 0;
        if (strcmp(p->kind, catalogue_price_kinds[kind]) != 0 ||
            (!any && !most && strcmp(p->region, region) != 0))
            continue;
        /* A row of the region itself is better than a row for most regions. */
        if (found && !any && most && strcmp(out->region, "*") != 0)
            continue;
        bool replace =
            !found || p->usd_h < out->usd_h || (!any && !most && strcmp(out->region, "*") == 0);
        double high = isnan(p->usd_h_max) ? p->usd_h : p->usd_h_max;
        double highest = found && strcmp(out->region, p->region) == 0 && out->usd_h_max > high
                             ? out->usd_h_max
                             : high;
        if (replace) {
            int day = catalogue_day(p->date);
            out->usd_h = p->usd_h;
            out->region = p->region;
            out->zone = p->zone;
            out->date = p->date;
            out->source = p->source;
            out->age_days = day == INT_MIN ? -1 : c->today > day ? c->today - day : 0;
            out->usd_h_max = highest;
        } else if (strcmp(out->region, p->region) == 0) {
            out->usd_h_max = highest;
        }
        found = true;
    }
    return found;
}

const char *catalogue_other_region(const Catalogue *c, const CatalogueInstance *instance)
{
    for (int i = 0; i < instance->price_count; ++i) {
        const CataloguePrice *p = &c->prices.items[instance->first_price + i];
        if (strcmp(p->kind, "ondemand") == 0)
            return p->region;
    }
    return NULL;
}

double catalogue_mem_mib(const CatalogueInstance *instance)
{
    if (!isnan(instance->row.gpu_mem_mib))
        return instance->row.gpu_mem_mib;
    return floor(instance->row.gpu_mem_gb * 1e9 / 1048576 * catalogue_share(instance));
}

int catalogue_device_count(const CatalogueInstance *instance)
{
    double count = instance->row.gpu_count;
    return isnan(count) ? 0 : count > 0 && count < 1 ? 1 : (int)count;
}

double catalogue_share(const CatalogueInstance *instance)
{
    double count = instance->row.gpu_count;
    return count > 0 && count < 1 ? count : 1;
}

double catalogue_fp64(const CatalogueGpu *gpu)
{
    if (!isnan(gpu->fp64_tflops))
        return gpu->fp64_tflops;
    int cc = (int)(gpu->cc * 10 + 0.5);
    if (isnan(gpu->cc) || isnan(gpu->fp32_tflops))
        return NAN;
    switch (cc) {
    case 50:
    case 52:
    case 61:
    case 75:
        return gpu->fp32_tflops / 32;
    case 86:
    case 89:
    case 120:
    case 121:
        return gpu->fp32_tflops / 64;
    default:
        return NAN;
    }
}

bool catalogue_is_neuron(const CatalogueGpu *gpu)
{
    return gpu && strcmp(gpu->arch, "Neuron") == 0;
}

bool catalogue_is_cuda(const CatalogueGpu *gpu)
{
    return gpu && !isnan(gpu->cc);
}

const struct CatalogueUnitInfo catalogue_units[UNIT_COUNT] = {
#define UNIT(id, name, what) {#id, name, what},
#include "catalogue/units.def"
};

double catalogue_in_unit(const CatalogueInstance *instance, double usd_h, CatalogueUnit unit)
{
    double count = instance->row.gpu_count, per = NAN;
    const CatalogueGpu *gpu = instance->gpu;
    switch (unit) {
    case UNIT_hour:
        return usd_h;
    case UNIT_gpu:
        per = count;
        break;
    case UNIT_gb:
        per = catalogue_device_count(instance) * catalogue_mem_mib(instance) * 1048576e-9;
        break;
    case UNIT_tflop:
        per = gpu ? count * gpu->fp16_tflops : NAN;
        break;
    case UNIT_tbs:
        per = gpu ? count * gpu->bw_gbs / 1000 : NAN;
        break;
    case UNIT_COUNT:
        break;
    }
    return per > 0 ? usd_h / per : NAN;
}

int catalogue_find_unit(const char *name)
{
    for (int i = 0; i < UNIT_COUNT; ++i)
        if (strcasecmp(name, catalogue_units[i].id) == 0 ||
            strcasecmp(name, catalogue_units[i].name) == 0)
            return i;
    return -1;
}
