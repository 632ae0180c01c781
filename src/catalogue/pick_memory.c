/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory per GPU, and how a job is laid over the GPUs of a machine.
 *
 * Inference: weights and KV cache divided by the tensor-parallel group, plus the activations of
 * one layer for a prefill chunk of at most 2048 tokens (34 s b h, arXiv 2205.05198) and 1.2 GiB
 * for context and buffers (1 to 2 GiB seen); it must fit into 0.9 of the reported memory, the
 * share that serving engines take by default.
 * Training: bytes per parameter of the recipe, divided as ZeRO divides (arXiv 1910.02054), plus
 * activations (34 s b h L with flash attention; 2 s b h L and one layer when recomputed), logits
 * (4 b s V), 2 GiB for the framework (1 to 5 seen); into 0.95 of the reported memory. */
#include "catalogue/pick.h"

#include <math.h>

#define MIB 1048576.0

double pick_kv_bytes(const PickModel *m, double kv_bytes, double context, double batch)
{
    double windowed = m->window > 0 ? fmin(m->window_layers, m->layers) : 0;
    double tokens = (m->layers - windowed) * context + windowed * fmin(context, m->window);
    return m->kv_elems * kv_bytes * tokens * batch;
}

static double context_of(const PickJob *job)
{
    return job->context > 0 ? job->context : job->kind == PICK_TRAIN ? 2048 : 4096;
}

PickBand pick_infer_mib(const PickJob *job, int group, double batch)
{
    const PickModel *m = &job->model;
    double context = context_of(job);
    double kv = pick_kv_bytes(m, job->kv_bytes, context, batch) / MIB;
    /* A latent cache is whole on every GPU; KV heads can be divided, never below one. */
    double kv_parts = m->latent ? 1 : m->kv_heads > 0 ? fmin(group, m->kv_heads) : group;
    double act = 34 * fmin(context, 2048) * m->hidden / MIB;
    double weights = m->params * job->quant->bytes / MIB / group;
    double low = m->params * job->quant->bytes_low / MIB / group + kv / kv_parts + act + 1024;
    double mid = weights + kv / kv_parts + act + 1229;
    double high = m->params * job->quant->bytes_high / MIB / group + kv / kv_parts;
    return (PickBand){low, mid, high * 1.05 + act + 2048};
}

static double activation_mib(const PickJob *job, bool recompute)
{
    const PickModel *m = &job->model;
    bool fp32 = job->precision && job->precision->bytes == 4;
    double width = fp32 ? 2 : 1; /* values twice as wide */
    if (job->vision) {
        double image = m->act_mb_image > 0 ? m->act_mb_image * 1e6 / MIB
                                           : 34 * 197 * m->hidden * m->layers / MIB;
        return job->batch * image * width * (recompute ? 0.15 : 1);
    }
    double s = context_of(job), layer = s * job->batch * m->hidden * width / MIB;
    double logits = 4 * job->batch * s * m->vocab / MIB;
    return (recompute ? 2 * layer * m->layers + 34 * layer : 34 * layer * m->layers) + logits;
}

static void recipe_parts(const PickJob *job, double *weights, double *gradients, double *states)
{
    const PickRecipe *r = job->recipe;
    bool fp32 = job->precision && job->precision->bytes == 4;
    *weights = fp32 ? r->fp32_weights : r->weights;
    *gradients = fp32 ? r->fp32_gradients : r->gradients;
    *states = fp32 ? r->fp32_states : r->states;
}

double pick_recipe_bytes(const PickJob *job)
{
    double weights, gradients, states;
    recipe_parts(job, &weights, &gradients, &states);
    return weights + gradients + states +
           (job->recipe->trainable < 1 ? 16 * job->recipe->trainable : 0);
}

PickBand pick_train_mib(const PickJob *job, int gpus, int zero, bool recompute)
{
    const PickRecipe *r = job->recipe;
    double weights, gradients, states, adapters = r->trainable < 1 ? 16 * r->trainable : 0;
    double sum = pick_recipe_bytes(job);
    recipe_parts(job, &weights, &gradients, &states);
    double spare = r->high > sum ? r->high - sum : 0.05 * sum;
    double n = job->model.params / MIB, buffers = 0;
    weights /= zero >= 3 ? gpus : 1;
    gradients /= zero >= 2 ? gpus : 1;
    states /= zero >= 1 ? gpus : 1;
    spare /= zero >= 2 ? gpus : 1;
    if (zero >= 1) /* a bucket of 5e8 values; at stage 3 up to 1e9 gathered parameters */
        buffers = 2 *
                  (fmin(job->model.params, 5e8) + (zero >= 3 ? fmin(job->model.params, 1e9) : 0)) /
                  MIB;
    double act = activation_mib(job, recompute);
    double mid = n * (weights + gradients + states + adapters) + act + buffers;
    return (PickBand){mid + 1024, mid + 2048, mid + n * spare + 5 * 1024.0};
}

double pick_usable_share(const PickJob *job)
{
    return job->kind == PICK_INFER ? 0.9 : job->kind == PICK_TRAIN ? 0.95 : 1;
}

static const char *too_big(Arena *arena, const PickChoice *choice, double need, double usable,
                           const char *how)
{
    const char *where =
        choice->gpus == 1 ? "on its GPU" : arena_printf(arena, "on each of %d GPUs", choice->gpus);
    return arena_printf(arena, "needs %.1f GB %s%s, has %.1f usable of %.1f", need * MIB * 1e-9,
                        where, how, usable * MIB * 1e-9, choice->have_mib * MIB * 1e-9);
}

static bool infer_layout(const PickJob *job, PickChoice *choice, Arena *arena, const char **reason)
{
    double usable = choice->have_mib * pick_usable_share(job), best = -1;
    PickBand least = {INFINITY, INFINITY, INFINITY};
    for (int group = 1; group <= choice->gpus; ++group) {
        bool heads = !(job->model.heads > 0) || fmod(job->model.heads, group) == 0;
        if (choice->gpus % group || !heads)
            continue;
        int copies = choice->gpus / group;
        if (copies > job->batch)
            copies = (int)job->batch;
        double batch = ceil(job->batch / copies);
        PickBand need = pick_infer_mib(job, group, batch);
        if (need.mid < least.mid)
            least = need;
        if (need.mid > usable)
            continue;
        const char *bound;
        PickBand rate = pick_decode_rate(job, choice->instance, group, batch, &bound);
        double total = isnan(rate.mid) ? 0 : rate.mid * copies;
        if (total > best * 1.02) { /* a wider group must be worth it */
            best = total;
            choice->group = group;
            choice->copies = copies;
            choice->need_mib = need;
        }
    }
    if (best >= 0) {
        choice->fits = choice->group == 1 && choice->copies == 1 ? "one GPU"
                       : choice->group == 1
                           ? arena_printf(arena, "%d copies", choice->copies)
                           : arena_printf(arena, choice->copies > 1 ? "TP%d x%d" : "TP%d",
                                          choice->group, choice->copies);
        return true;
    }
    *reason = too_big(arena, choice, least.mid, usable, "");
    return false;
}

static bool train_layout(const PickJob *job, PickChoice *choice, Arena *arena, const char **reason)
{
    double usable = choice->have_mib * pick_usable_share(job);
    PickBand least = {INFINITY, INFINITY, INFINITY};
    for (int recompute = 0; recompute < 2; ++recompute)
        for (int zero = 0; zero <= (choice->gpus > 1 ? 3 : 0); ++zero) {
            PickBand need = pick_train_mib(job, choice->gpus, zero, recompute);
            if (need.mid < least.mid)
                least = need;
            if (need.mid > usable)
                continue;
            choice->zero = zero;
            choice->recompute = recompute;
            choice->group = 1;
            choice->copies = choice->gpus;
            choice->need_mib = need;
            choice->fits = arena_printf(arena, "%s%s",
                                        choice->gpus == 1 ? "one GPU"
                                        : zero == 0       ? "DDP"
                                        : zero == 1       ? "ZeRO-1"
                                        : zero == 2       ? "ZeRO-2"
                                                          : "ZeRO-3",
                                        recompute ? ", recompute" : "");
            return true;
        }
    *reason = too_big(arena, choice, least.mid, usable,
                      choice->gpus > 1 ? " (sharded, recomputed)" : " (recomputed)");
    return false;
}

/* Jobs that state their memory: one GPU must hold it, or all of them the total. */
static bool plain_layout(const PickJob *job, PickChoice *choice, Arena *arena, const char **reason)
{
    double need = job->memory_gb * 1e9 / MIB;
    if (job->kind == PICK_GRAPHICS && !(need > 0))
        need = 4e9 / MIB;
    if (job->kind == PICK_CUDA && job->counters)
        need = fmax(need, job->counters->memory_bytes / MIB + 650);
    choice->group = 1;
    choice->copies = 1;
    choice->need_mib = (PickBand){need, need, need};
    /* 24 GB is 22888.18 MiB and the A10G reports 22888: the same size. */
    if (need > choice->have_mib * 1.001) {
        *reason =
            arena_printf(arena, "needs %.1f GB on one GPU, has %.1f%s", need * MIB * 1e-9,
                         choice->have_mib * MIB * 1e-9,
                         choice->gpus > 1 ? " on each: --total-memory if it can be split" : "");
        return false;
    }
    choice->fits = "one GPU";
    return true;
}

bool pick_layout(const PickJob *job, PickChoice *choice, Arena *arena, const char **reason)
{
    bool fits;
    choice->have_mib = catalogue_mem_mib(choice->instance);
    choice->gpus = catalogue_device_count(choice->instance) * choice->nodes;
    if (job->kind == PICK_VIDEO) {
        choice->group = choice->copies = 1;
        choice->need_mib = (PickBand){NAN, NAN, NAN};
        choice->headroom_mib = NAN;
        choice->fits =
            arena_printf(arena, "%d encoder card%s", choice->gpus, choice->gpus == 1 ? "" : "s");
        return true;
    }
    if (isnan(choice->have_mib)) {
        *reason = "its memory is not known";
        return false;
    }
    double total = choice->have_mib * choice->gpus * MIB * 1e-9;
    if (job->total_memory_gb > 0 && total * 1.001 < job->total_memory_gb) {
        *reason = arena_printf(arena, "needs %.1f GB in total, has %d x %.1f", job->total_memory_gb,
                               choice->gpus, choice->have_mib * MIB * 1e-9);
        return false;
    }
    if (job->memory_gb > 0 && choice->have_mib * 1.001 < job->memory_gb * 1e9 / MIB) {
        *reason =
            arena_printf(arena, "needs %.1f GB on one GPU, has %.1f%s", job->memory_gb,
                         choice->have_mib * MIB * 1e-9,
                         choice->gpus > 1 ? " on each: --total-memory if it can be split" : "");
        return false;
    }
    if (job->kind == PICK_INFER)
        fits = infer_layout(job, choice, arena, reason);
    else if (job->kind == PICK_TRAIN)
        fits = train_layout(job, choice, arena, reason);
    else
        fits = plain_layout(job, choice, arena, reason);
    if (fits)
        choice->headroom_mib = fmax(0, choice->have_mib - choice->need_mib.mid);
    return fits;
}
