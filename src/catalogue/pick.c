/* SPDX-License-Identifier: Apache-2.0
 * The loop over machines: guard, layout, time, price, limits; then the ranking and the words. */
#include "catalogue/pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOURS_A_MONTH 730.0

/* SageMaker over EC2, from 28 pairs of prices: 1.40 the smallest G size, 1.25 other G sizes, 1.15
 * P4 and P5, 1.20 Inf2. */
static double managed_factor(const char *name)
{
    const char *size = strchr(name + 3, '.');
    if (strncmp(name + 3, "p", 1) == 0)
        return 1.15;
    if (strncmp(name + 3, "inf", 3) == 0)
        return 1.20;
    return size && strcmp(size, ".xlarge") == 0 ? 1.40 : 1.25;
}

static bool quote_managed(const Catalogue *c, const PickJob *job, PickChoice *choice)
{
    const CatalogueInstance *in = choice->instance;
    const char *other = job->region ? NULL : catalogue_other_region(c, in);
    if (other && catalogue_quote(c, in, other, PRICE_ONDEMAND, &choice->quote))
        return true;
    const CatalogueInstance *twin = catalogue_find_instance(c, in->row.name + 3);
    if (!twin || !catalogue_quote(c, twin, job->region ? job->region : CATALOGUE_REGION,
                                  PRICE_ONDEMAND, &choice->quote))
        return false;
    choice->estimate = true;
    choice->quote.usd_h *= managed_factor(in->row.name);
    choice->quote.usd_h_max *= managed_factor(in->row.name);
    return true;
}

static bool find_price(const Catalogue *c, const PickJob *job, PickChoice *choice, Arena *arena,
                       const char **reason)
{
    const CatalogueInstance *in = choice->instance;
    const char *region = job->region ? job->region : CATALOGUE_REGION;
    CatalogueQuote block;
    choice->price_kind = job->spot ? PRICE_SPOT : PRICE_ONDEMAND;
    bool found = catalogue_quote(c, in, region, choice->price_kind, &choice->quote);
    if (!found && !job->spot && strcmp(in->row.service, "SageMaker") == 0)
        found = quote_managed(c, job, choice);
    bool has_block = catalogue_quote(c, in, region, PRICE_BLOCK, &block);
    if (job->blocks && has_block && (!found || block.usd_h < choice->quote.usd_h)) {
        choice->quote = block;
        choice->price_kind = PRICE_BLOCK;
        found = true;
    }
    if (!found) {
        *reason = has_block && !job->spot
                      ? arena_printf(
                            arena, "no on-demand price in %s (Capacity Block %.2f USD/h: --blocks)",
                            region, block.usd_h)
                      : arena_printf(arena, "no %s price in %s", job->spot ? "spot" : "on-demand",
                                     region);
        return false;
    }
    if (job->max_age > 0 && (choice->quote.age_days < 0 || choice->quote.age_days > job->max_age)) {
        *reason = choice->quote.age_days < 0
                      ? "the date of its price is not known"
                      : arena_printf(arena, "its price is %d days old, at most %d allowed",
                                     choice->quote.age_days, job->max_age);
        return false;
    }
    return true;
}

static void set_cost(PickChoice *choice)
{
    choice->usd_h = choice->quote.usd_h * choice->nodes;
    choice->usd_h_max = choice->quote.usd_h_max * choice->nodes;
    /* Billed by the second, at least a minute. */
    choice->usd_job.low = fmax(60, choice->seconds.low) / 3600 * choice->usd_h;
    choice->usd_job.mid = fmax(60, choice->seconds.mid) / 3600 * choice->usd_h;
    choice->usd_job.high = fmax(60, choice->seconds.high) / 3600 * choice->usd_h_max;
    if (isnan(choice->seconds.mid))
        choice->usd_job = (PickBand){NAN, NAN, NAN};
}

static bool has_size(const PickJob *job)
{
    return job->tokens > 0 || job->images > 0 || job->hours > 0 || job->kind == PICK_CUDA;
}

static const char *limits(const PickJob *job, const PickChoice *choice, Arena *arena,
                          const char **code)
{
    if (job->deadline > 0 && has_size(job)) {
        *code = "deadline";
        if (isnan(choice->seconds.mid))
            return "its speed is not known, so neither is whether it meets the deadline";
        if (choice->seconds.mid > job->deadline)
            return arena_printf(arena, "takes about %.1f h, the deadline is %.1f h",
                                choice->seconds.mid / 3600, job->deadline / 3600);
    }
    double cost = job->budget_kind == BUDGET_HOUR    ? choice->usd_h
                  : job->budget_kind == BUDGET_MONTH ? choice->usd_h * HOURS_A_MONTH
                                                     : choice->usd_job.mid;
    if (job->budget_kind == BUDGET_NONE || cost <= job->budget)
        return NULL;
    *code = "budget";
    if (isnan(cost))
        return "its speed is not known, so neither is the cost of the job";
    return arena_printf(arena, "costs %.*f USD%s, the budget is %g", cost < 100 ? 3 : 2, cost,
                        job->budget_kind == BUDGET_HOUR    ? "/h"
                        : job->budget_kind == BUDGET_MONTH ? " a month of 730 h"
                                                           : " for the job",
                        job->budget);
}

static const char *note_for(const PickChoice *choice, Arena *arena)
{
    const CatalogueInstance *in = choice->instance;
    if (choice->estimate)
        return "price estimated from EC2";
    if (choice->price_kind == PRICE_BLOCK)
        return "Capacity Block: prepaid, 1 to 182 days";
    if (catalogue_share(in) < 1)
        return arena_printf(arena, "%g of a GPU", catalogue_share(in));
    if (!isnan(choice->need_mib.high) && choice->need_mib.high > choice->have_mib * 1.001)
        return "tight: may not fit";
    if (strcmp(in->row.host_arch, "arm64") == 0)
        return "Arm host";
    return "";
}

/* One number of machines: layout, time, price, limits. NULL when all is met. */
static const char *try_nodes(const Catalogue *c, const PickJob *job, PickChoice *choice,
                             Arena *arena, const char **code)
{
    const char *why = NULL;
    if (!pick_layout(job, choice, arena, &why)) {
        *code = "memory";
        return why;
    }
    pick_time(job, choice, arena);
    if (!find_price(c, job, choice, arena, &why)) {
        *code = "price";
        return why;
    }
    set_cost(choice);
    return limits(job, choice, arena, code);
}

/* A training takes the smallest number of machines (1, 2, 4, ...) over which it fits and is done in
 * time. */
static void consider(const Catalogue *c, const PickJob *job, const CatalogueInstance *in,
                     PickResult *result)
{
    PickChoice choice = {.instance = in, .nodes = 1};
    const char *code = "", *why = pick_guard(c, job, in, result->arena, &code);
    bool guarded = why != NULL;
    int most = job->kind == PICK_TRAIN ? job->nodes : 1;
    for (int nodes = 1; nodes <= most && !guarded; nodes *= 2) {
        if (nodes > 1 && !(in->row.network_gbps >= 100)) {
            why = arena_printf(result->arena, "%s; network too slow for several machines", why);
            break;
        }
        choice.nodes = nodes;
        why = try_nodes(c, job, &choice, result->arena, &code);
        if (!why || (strcmp(code, "memory") != 0 && strcmp(code, "deadline") != 0))
            break;
    }
    if (why) {
        bool close = !guarded && strcmp(code, "memory") != 0;
        double usd_h = close && strcmp(code, "price") != 0 ? choice.usd_h : NAN;
        VEC_PUSH(result->rejected, ((PickReject){in, code, why, close, usd_h}));
        return;
    }
    choice.note = note_for(&choice, result->arena);
    VEC_PUSH(result->ranked, choice);
}

static int by_cost(const PickChoice *a, const PickChoice *b, double x, double y)
{
    if (isnan(x) != isnan(y))
        return isnan(x) ? 1 : -1;
    if (!isnan(x) && x != y)
        return x < y ? -1 : 1;
    if (a->usd_h != b->usd_h)
        return a->usd_h < b->usd_h ? -1 : 1;
    return strcmp(a->instance->row.name, b->instance->row.name);
}

static int order_job(const void *a, const void *b)
{
    const PickChoice *x = a, *y = b;
    return by_cost(x, y, x->usd_job.mid, y->usd_job.mid);
}

static int order_hour(const void *a, const void *b)
{
    const PickChoice *x = a, *y = b;
    return by_cost(x, y, x->usd_h, y->usd_h);
}

static void add_rule(PickResult *r, const char *text)
{
    VEC_PUSH(r->rules, text);
}

static void shape_rule(const PickJob *job, PickResult *r)
{
    const PickModel *m = &job->model;
    add_rule(
        r, arena_printf(
               r->arena, "model: %.3g B parameters%s, %g layers, hidden %g, %g KV heads of %g%s%s",
               m->params / 1e9,
               m->active < m->params ? arena_printf(r->arena, " (%.3g B active)", m->active / 1e9)
                                     : "",
               m->layers, m->hidden, m->kv_heads, m->head_dim,
               m->assumed ? "; shape assumed from "
               : m->name  ? "; "
                          : "",
               m->name ? m->name : ""));
}

static void explain(const PickJob *job, PickResult *r)
{
    const PickModel *m = &job->model;
    if (job->kind == PICK_INFER) {
        shape_rule(job, r);
        double context = job->context > 0 ? job->context : 4096;
        double kv = pick_kv_bytes(m, job->kv_bytes, context, job->batch);
        add_rule(
            r, arena_printf(r->arena,
                            "memory: weights %.1f GB (%s, %g bytes each, %.2f-%.2f) + KV cache "
                            "%.2f GB (%g sequence%s "
                            "of %g tokens) + activations + 1.2 GiB, in 0.9 of the reported memory",
                            m->params * job->quant->bytes / 1e9, job->quant->name,
                            job->quant->bytes, job->quant->bytes_low, job->quant->bytes_high,
                            kv / 1e9, job->batch, job->batch == 1 ? "" : "s", context));
        add_rule(r, "speed: a step reads weights and cache at 0.7 of the bandwidth (0.6-0.8), or "
                    "computes at "
                    "0.5 of the dense peak; groups of GPUs lose 30 % over PCIe, 10 % over NVLink");
    } else if (job->kind == PICK_TRAIN) {
        if (!job->vision)
            shape_rule(job, r);
        double least = pick_train_mib(job, 1, 0, true).mid * 1048576e-9;
        add_rule(
            r,
            arena_printf(
                r->arena,
                "memory: %s, %.2f bytes per parameter, divided by ZeRO where needed, + activations "
                "(micro-batch %g%s); on one GPU at least %.1f GB; in 0.95 of the reported memory",
                job->recipe->name, pick_recipe_bytes(job), job->batch,
                job->vision ? " images"
                            : arena_printf(r->arena, " x %g tokens",
                                           job->context > 0 ? job->context : 2048),
                least));
        add_rule(r, job->vision ? "time: 3 forward passes per image (4 recomputed), each the "
                                  "model's own operations or 2 x "
                                  "parameters x 197"
                                : "time: 6 N operations per token and attention (8 N recomputed; "
                                  "LoRA 4 N and 6 N)");
        add_rule(r, "utilisation of the dense peak: 0.45 A100, 0.40 H100 and H200, 0.35 B200 and "
                    "single GPUs, 0.25 "
                    "over PCIe; band x0.6 to x1.3");
    } else if (job->kind == PICK_CUDA) {
        add_rule(r, "time: each kernel takes its slowest part (DRAM bytes at 0.85 of the "
                    "bandwidth, operations per "
                    "type at 0.8 of their rate) + 5 us a launch + copies over PCIe");
    } else if (job->kind == PICK_GRAPHICS) {
        add_rule(r, job->no_rt ? "graphics: display-capable GPU"
                               : "graphics: RT cores, display-capable GPU");
        add_rule(r, "4 GB unless --memory says otherwise; remote desktops need NVIDIA's vWS driver "
                    "or licence");
    } else if (job->kind == PICK_VIDEO) {
        add_rule(
            r, "video: hardware encoders (NVENC or U30); AV1 from Ada (compute capability 8.9) on");
    }
    if (r->unit_job)
        add_rule(r, arena_printf(r->arena,
                                 "no size given (--tokens, --images or --hours): ranked by $/h, "
                                 "time and cost are per "
                                 "million %s",
                                 job->vision ? "images" : "tokens"));
}

static void warn_prices(const Catalogue *c, const PickJob *job, PickResult *r)
{
    int old = 0, worst = 0;
    for (size_t i = 0; i < r->ranked.count; ++i) {
        int age = r->ranked.items[i].quote.age_days;
        old += age < 0 || age > CATALOGUE_OLD_DAYS;
        worst = age > worst ? age : worst;
    }
    (void)c;
    if (old)
        VEC_PUSH(r->warnings,
                 (const char *)arena_printf(
                     r->arena,
                     "%d price%s over %d days old (up to %d): the bill may differ; `gpukit "
                     "catalogue refresh`",
                     old, old == 1 ? " is" : "s are", CATALOGUE_OLD_DAYS, worst));
    if (job->spot)
        VEC_PUSH(r->warnings,
                 (const char *)"spot prices change by the hour and the machine can be taken away");
}

/* Nothing fits: which demand rules out most, and what would be needed to satisfy it. */
static void name_unmet(const PickJob *job, PickResult *r)
{
    static const char *const codes[] = {"memory", "budget", "deadline", "price", "precision",
                                        "cuda",   "gpus",   "ram",      "vcpus", "network",
                                        "nvlink", "arch",   "graphics", "video"};
    const PickReject *close = NULL;
    for (size_t i = 0; i < r->rejected.count; ++i)
        if (r->rejected.items[i].close &&
            (!close || !(close->usd_h <= r->rejected.items[i].usd_h)) &&
            !(close && isnan(r->rejected.items[i].usd_h)))
            close = &r->rejected.items[i];
    const char *text = "no machine meets every constraint:";
    for (size_t k = 0; k < sizeof codes / sizeof *codes; ++k) {
        int count = 0;
        for (size_t i = 0; i < r->rejected.count; ++i)
            count += strcmp(r->rejected.items[i].code, codes[k]) == 0;
        if (count)
            text = arena_printf(r->arena, "%s %d fail on %s,", text, count, codes[k]);
    }
    char *end = arena_printf(r->arena, "%s", text);
    end[strlen(end) - 1] = 0;
    VEC_PUSH(r->warnings, (const char *)end);
    if (close && isnan(close->usd_h) && job->region)
        VEC_PUSH(r->warnings,
                 (const char *)arena_printf(
                     r->arena,
                     "what fits has no price in %s: `gpukit catalogue refresh` brings other "
                     "regions, --region any takes them all",
                     job->region));
    else if (close)
        VEC_PUSH(r->warnings, (const char *)arena_printf(r->arena, "near miss: %s %s",
                                                         close->instance->row.name, close->reason));
}

static bool known_word(const Catalogue *c, const char *word)
{
    if (catalogue_find_gpu(c, word) || catalogue_is_family(c, word))
        return true;
    for (size_t i = 0; i < c->instances.count; ++i)
        if (pick_excludes(&c->instances.items[i], word))
            return true;
    return false;
}

static bool check(const Catalogue *c, const PickJob *job, Diags *diags)
{
    bool arch = !job->gpu_arch;
    int before = diags->errors;
    for (int i = 0; i < job->exclude_count; ++i)
        if (!known_word(c, job->exclude[i])) {
            diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                     "--exclude: no instance, family, GPU or maker '%s'", job->exclude[i]);
            diag_help(diags, "gpukit instances, gpukit gpus --rent");
        }
    for (size_t i = 0; i < c->gpus.count; ++i)
        arch |= strcasecmp(c->gpus.items[i].arch, job->gpu_arch ? job->gpu_arch : "") == 0;
    if (!arch)
        diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                 "--arch: '%s' is neither a host (x86_64, arm64, any) nor a GPU architecture",
                 job->gpu_arch);
    if (job->region && strcmp(job->region, "any") != 0 && !catalogue_is_region_name(job->region))
        diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                 "--region: '%s' is not the name of a region, such as us-east-1", job->region);
    if (job->budget_kind == BUDGET_TOTAL && !has_size(job)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "a budget for the whole job needs the job's size");
        diag_help(diags,
                  "--tokens, --images or --hours; or a rate: --budget 5/h, --budget 500/month");
    }
    if (job->deadline > 0 && !has_size(job)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "a deadline needs the job's size");
        diag_help(diags, "--tokens, --images or --hours");
    }
    if ((job->kind == PICK_TRAIN || job->kind == PICK_INFER) && !(job->model.params > 0)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "the size of the model is not known");
        diag_help(diags, "--infer 8B, --infer llama-3.1-8b, or --layers and --hidden");
    }
    return diags->errors == before;
}

PickResult *pick_run(const Catalogue *c, const PickJob *asked, Diags *diags)
{
    PickJob job = *asked;
    if (!check(c, &job, diags))
        return NULL;
    PickResult *r = xcalloc(1, sizeof *r);
    r->arena = arena_new();
    for (size_t i = 0; i < c->instances.count; ++i)
        consider(c, &job, &c->instances.items[i], r);
    r->by_job = has_size(&job);
    r->unit_job = !r->by_job && (job.kind == PICK_INFER || job.kind == PICK_TRAIN);
    if (r->ranked.count)
        qsort(r->ranked.items, r->ranked.count, sizeof *r->ranked.items,
              r->by_job ? order_job : order_hour);
    explain(&job, r);
    if (r->ranked.count)
        warn_prices(c, &job, r);
    else
        name_unmet(&job, r);
    return r;
}

void pick_free(PickResult *r)
{
    if (!r)
        return;
    VEC_FREE(r->ranked);
    VEC_FREE(r->rejected);
    VEC_FREE(r->rules);
    VEC_FREE(r->warnings);
    arena_free(r->arena);
    free(r);
}
