/* SPDX-License-Identifier: Apache-2.0
 *
 * Time. Training: 6 N D floating-point operations (8 N D when activations are recomputed; LoRA
 * without weight gradients 4 and 6) and attention, over GPUs x dense peak x utilisation.
 * Utilisation seen in published runs: GPT-3 21 %, PaLM 46 %, Llama 3 405B 38-43 %; defaults here
 * 0.45 A100, 0.40 H100 and H200, 0.35 B200 with NVSwitch, 0.35 one GPU, 0.25 several over PCIe;
 * band x0.6 to x1.3.
 * Decoding: a step reads the weights once and the cache, t = max(bytes / (bandwidth x 0.7),
 * 2 N batch / (peak x 0.5)); band 0.6 to 0.8 of the bandwidth. Groups of GPUs lose 30 % over PCIe
 * (20 to 40), 10 % over NVLink. */
#include "catalogue/pick.h"

#include <math.h>
#include <string.h>

static bool has_nvlink(const CatalogueInstance *in)
{
    return strncmp(in->row.interconnect, "NV", 2) == 0 ||
           strncmp(in->row.interconnect, "Neuron", 6) == 0;
}

static double format_peak(const PickFormat *format, const CatalogueGpu *gpu)
{
    double bytes = format->bytes;
    if (strcmp(format->name, "fp32") == 0)
        return gpu->fp32_tflops;
    if (strcmp(format->name, "tf32") == 0)
        return gpu->fp16_tflops / 2;
    if (strcmp(format->name, "fp8") == 0)
        return gpu->fp8_tflops;
    if (strcmp(format->name, "fp4") == 0)
        return gpu->fp4_tflops;
    if (strcmp(format->name, "int8") == 0) /* twice the FP16 rate from Turing on */
        return gpu->cc >= 7.5 ? 2 * gpu->fp16_tflops : bytes > 0 ? gpu->fp16_tflops : NAN;
    return gpu->fp16_tflops; /* 4-bit weights are widened to FP16 before the product */
}

double pick_peak(const PickJob *job, const CatalogueGpu *gpu)
{
    if (job->kind == PICK_INFER) {
        double peak = format_peak(job->quant, gpu);
        return isnan(peak) && job->quant->bytes <= 2 && !isnan(gpu->fp32_tflops) && gpu->cc < 7.0
                   ? gpu->fp32_tflops
                   : peak;
    }
    if (!job->precision)
        return isnan(gpu->fp16_tflops) && gpu->cc < 7.0 ? gpu->fp32_tflops : gpu->fp16_tflops;
    return format_peak(job->precision, gpu);
}

double pick_mfu(const CatalogueInstance *in, int gpus)
{
    if (gpus <= 1)
        return 0.35;
    if (!has_nvlink(in))
        return 0.25;
    double cc = in->gpu->cc;
    return cc >= 10 ? 0.35 : cc >= 9 ? 0.40 : cc >= 8 ? 0.45 : 0.35;
}

double pick_train_flop(const PickJob *job, bool recompute)
{
    const PickModel *m = &job->model;
    bool adapters = job->recipe->trainable < 1;
    double passes = (adapters ? 2 : 3) + (recompute ? 1 : 0); /* in forward passes */
    if (job->vision) {
        double image = m->gflop_image > 0 ? m->gflop_image * 1e9 : 2 * m->params * 197;
        return passes * image * job->images * job->epochs;
    }
    double s = job->context > 0 ? job->context : 2048;
    double token = 2 * m->active + 4 * m->layers * s * m->hidden;
    return passes * token * job->tokens * job->epochs;
}

PickBand pick_decode_rate(const PickJob *job, const CatalogueInstance *in, int group, double batch,
                          const char **bound)
{
    const PickModel *m = &job->model;
    const CatalogueGpu *gpu = in->gpu;
    double share = catalogue_share(in), context = job->context > 0 ? job->context : 4096;
    double touched = fmin(1, m->active / m->params * batch); /* experts that some sequence uses */
    double read = m->params * job->quant->bytes * touched +
                  pick_kv_bytes(m, job->kv_bytes, context / 2, batch); /* on average half full */
    double link = group == 1 ? 1 : has_nvlink(in) ? 0.9 : 0.7;
    double memory = read / (gpu->bw_gbs * 1e9 * share * group * link);
    double peak = pick_peak(job, gpu);
    double math = 2 * m->active * batch / (peak * 1e12 * share * group * link);
    *bound = "bandwidth";
    if (isnan(memory))
        return (PickBand){NAN, NAN, NAN};
    double slow = memory / 0.6, mid = memory / 0.7, fast = memory / 0.8;
    if (!isnan(math)) {
        if (math / 0.5 > mid)
            *bound = "compute";
        slow = fmax(slow, math / 0.4);
        mid = fmax(mid, math / 0.5);
        fast = fmax(fast, math / 0.6);
    }
    return (PickBand){batch / slow, batch / mid, batch / fast};
}

static PickBand unknown(void)
{
    return (PickBand){NAN, NAN, NAN};
}

static void infer_time(const PickJob *job, PickChoice *choice)
{
    double batch = ceil(job->batch / choice->copies);
    PickBand one = pick_decode_rate(job, choice->instance, choice->group, batch, &choice->bound);
    choice->rate =
        (PickBand){one.low * choice->copies, one.mid * choice->copies, one.high * choice->copies};
    double tokens = job->tokens > 0 ? job->tokens : 1e6;
    choice->seconds = (PickBand){tokens / choice->rate.high, tokens / choice->rate.mid,
                                 tokens / choice->rate.low};
}

static void train_time(const PickJob *job, PickChoice *choice)
{
    PickJob sized = *job;
    if (!(job->tokens > 0) && !(job->images > 0))
        job->vision ? (sized.images = 1e6) : (sized.tokens = 1e6);
    double flop = pick_train_flop(&sized, choice->recompute);
    double peak = pick_peak(job, choice->instance->gpu) * 1e12 * catalogue_share(choice->instance);
    double mfu = pick_mfu(choice->instance, choice->gpus);
    double ideal = flop / (choice->gpus * peak);
    choice->bound = "compute";
    choice->seconds = (PickBand){ideal / (mfu * 1.3), ideal / mfu, ideal / (mfu * 0.6)};
    double items = (job->vision ? sized.images : sized.tokens) * job->epochs;
    choice->rate = (PickBand){items / choice->seconds.high, items / choice->seconds.mid,
                              items / choice->seconds.low};
}

void pick_time(const PickJob *job, PickChoice *choice, Arena *arena)
{
    (void)arena;
    choice->seconds = choice->rate = unknown();
    choice->bound = "";
    if (job->kind == PICK_INFER) {
        infer_time(job, choice);
    } else if (job->kind == PICK_TRAIN) {
        train_time(job, choice);
    } else if (job->kind == PICK_CUDA) {
        choice->seconds = pick_counters_seconds(job->counters, choice->instance->gpu,
                                                catalogue_share(choice->instance), &choice->bound);
    } else if (job->hours > 0) {
        double s = job->hours * 3600;
        choice->seconds = (PickBand){s, s, s};
    }
    if (job->hours > 0 && (job->kind == PICK_INFER || job->kind == PICK_TRAIN) &&
        !(job->tokens > 0) && !(job->images > 0)) {
        double s = job->hours * 3600;
        choice->seconds = (PickBand){s, s, s};
    }
}
