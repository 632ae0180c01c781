/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards: what a machine cannot do, whatever it costs. Precisions by compute capability: BF16 from
 * 8.0, FP8 from 8.9, FP4 from 10.0, INT8 from 6.1; ray tracing needs RT cores, of which compute
 * cards have none; Neuron chips only run what the Neuron SDK compiles; AV1 is encoded from Ada on.
 */
#include "catalogue/pick.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define SAY(c, ...) (*code = (c), arena_printf(arena, __VA_ARGS__))

bool pick_excludes(const CatalogueInstance *in, const char *word)
{
    const CatalogueGpu *g = in->gpu;
    if (strcasecmp(in->row.name, word) == 0 || strcasecmp(in->row.family, word) == 0 ||
        strcasecmp(in->row.category, word) == 0)
        return true;
    return g && (strcasecmp(g->vendor, word) == 0 || strcasecmp(g->arch, word) == 0 ||
                 strcasecmp(g->key, word) == 0 || strcasecmp(g->name, word) == 0);
}

static const char *guard_choice(const PickJob *job, const CatalogueInstance *in, Arena *arena,
                                const char **code)
{
    bool managed = strcmp(in->row.service, "SageMaker") == 0;
    if (strcmp(in->row.status, "retired") == 0)
        return SAY("retired", "retired: no longer offered");
    if (strcmp(in->row.status, "previous") == 0 && !job->previous)
        return SAY("previous", "previous generation (--previous allows it)");
    for (int i = 0; i < job->exclude_count; ++i) {
        const char *word = job->exclude[i];
        if (pick_excludes(in, word))
            return SAY("excluded", "excluded by --exclude %s", word);
    }
    if (managed && !job->managed)
        return SAY("managed", "SageMaker: only with --managed");
    if (!managed && job->managed)
        return SAY("managed", "not managed (EC2)");
    return NULL;
}

static const char *guard_software(const PickJob *job, const CatalogueInstance *in, Arena *arena,
                                  const char **code)
{
    const CatalogueGpu *g = in->gpu;
    bool compiled = job->kind == PICK_TRAIN || job->kind == PICK_INFER;
    if (!g)
        return SAY("gpu", "has no GPU");
    if (strcmp(g->arch, "FPGA") == 0)
        return SAY("software", "FPGA: needs a hardware design, not a program");
    if (strcmp(g->arch, "video") == 0)
        return job->kind == PICK_VIDEO ? NULL
                                       : SAY("software", "a transcoder card: does not compute");
    if (catalogue_is_neuron(g)) {
        if (!compiled)
            return SAY("software", "Neuron chip: runs no CUDA, no graphics");
        if (!job->neuron)
            return SAY("software", "only if the model compiles with the Neuron SDK (--neuron)");
        return NULL;
    }
    if (strcmp(g->vendor, "AMD") == 0) {
        if (job->kind == PICK_CUDA)
            return SAY("software", "AMD: runs no CUDA binary");
        if (strcmp(g->key, "v520") == 0 && compiled)
            return SAY("software", "AMD without ROCm support");
        if (!job->amd)
            return SAY("software", "AMD: no CUDA (--amd allows it)");
        return NULL;
    }
    if (!catalogue_is_cuda(g))
        return SAY("software", "runs only the %s software of its maker", g->vendor);
    return NULL;
}

static const char *guard_host(const PickJob *job, const CatalogueInstance *in, Arena *arena,
                              const char **code)
{
    const CatalogueInstanceRow *r = &in->row;
    if (strcmp(job->host_arch, "any") != 0 && strcmp(job->host_arch, r->host_arch) != 0)
        return strcmp(r->host_arch, "arm64") == 0
                   ? SAY("arch", "Arm host: needs programs built for it (--arch arm64)")
                   : SAY("arch", "%s host, %s asked for", r->host_arch, job->host_arch);
    if (job->gpu && in->gpu != job->gpu)
        return SAY("gpu-name", "has %s, %s asked for", in->gpu->name, job->gpu->name);
    if (job->gpu_arch && strcasecmp(in->gpu->arch, job->gpu_arch) != 0)
        return SAY("arch", "%s, %s asked for", in->gpu->arch, job->gpu_arch);
    if (job->gpus > 0 && !(catalogue_device_count(in) * job->nodes >= job->gpus))
        return SAY("gpus", "has %d GPU%s, %g asked for", catalogue_device_count(in),
                   catalogue_device_count(in) == 1 ? "" : "s", job->gpus);
    if (job->min_vcpus > 0 && !(r->vcpus >= job->min_vcpus))
        return isnan(r->vcpus)
                   ? SAY("vcpus", "its vCPUs are not known")
                   : SAY("vcpus", "has %g vCPU, %g asked for", r->vcpus, job->min_vcpus);
    if (job->min_ram_gib > 0 && !(r->ram_gib >= job->min_ram_gib))
        return isnan(r->ram_gib) ? SAY("ram", "its host memory is not known")
                                 : SAY("ram", "has %g GiB of host memory, %g asked for", r->ram_gib,
                                       job->min_ram_gib);
    if (job->network_gbps > 0 && !(r->network_gbps >= job->network_gbps))
        return isnan(r->network_gbps) ? SAY("network", "its network is not known")
                                      : SAY("network", "has %g Gbit/s of network, %g asked for",
                                            r->network_gbps, job->network_gbps);
    if (job->nvlink && strncmp(r->interconnect, "NV", 2) != 0)
        return catalogue_device_count(in) > 1
                   ? SAY("nvlink", "GPUs joined by %s, not NVLink",
                         *r->interconnect ? r->interconnect : "an unknown link")
                   : SAY("nvlink", "one GPU: nothing to join by NVLink");
    return NULL;
}

static const char *guard_format(const PickFormat *format, const CatalogueGpu *g, Arena *arena,
                                const char **code)
{
    if (!format || catalogue_is_neuron(g) || !(format->min_cc > 0))
        return NULL;
    if (g->cc + 1e-9 < format->min_cc)
        return SAY("precision", "no %s: compute capability %.1f, %.1f needed", format->name, g->cc,
                   format->min_cc);
    return NULL;
}

static const char *guard_cuda(const Catalogue *c, const PickJob *job, const CatalogueGpu *g,
                              Arena *arena, const char **code)
{
    const CatalogueCuda *row = NULL;
    for (size_t i = 0; i < c->cudas.count; ++i)
        if (c->cudas.items[i].cuda <= job->cuda + 1e-9 &&
            (!row || c->cudas.items[i].cuda > row->cuda))
            row = &c->cudas.items[i];
    if (!(job->cuda > 0) || !row || !catalogue_is_cuda(g))
        return NULL;
    if (g->cc + 1e-9 < row->min_cc)
        return SAY("cuda", "CUDA %g dropped compute capability %.1f (oldest: %.1f)", job->cuda,
                   g->cc, row->min_cc);
    if (g->cc > row->max_cc + 1e-9)
        return SAY("cuda", "CUDA %g does not know compute capability %.1f yet", job->cuda, g->cc);
    return NULL;
}

static const char *guard_graphics(const PickJob *job, const CatalogueGpu *g, Arena *arena,
                                  const char **code)
{
    if (!job->no_rt && !(g->rt_cores > 0))
        return isnan(g->rt_cores)
                   ? SAY("graphics", "ray tracing is not confirmed for it")
                   : SAY("graphics", "no RT cores (--raster if rasterising is enough)");
    if (g->cc >= 8.0 && !(g->cc >= 8.6 && g->cc < 9.0) && g->cc < 12)
        return SAY("graphics", "a compute card without display engines");
    if (job->stream && !(g->nvenc > 0))
        return isnan(g->nvenc) ? SAY("graphics", "a video encoder is not confirmed for it")
                               : SAY("graphics", "no video encoder to stream with");
    return NULL;
}

static const char *guard_video(const PickJob *job, const CatalogueGpu *g, Arena *arena,
                               const char **code)
{
    bool av1 = job->codec && strcasecmp(job->codec, "av1") == 0;
    if (strcmp(g->arch, "video") == 0)
        return av1 ? SAY("video", "encodes H.264 and H.265 only, no AV1") : NULL;
    if (!(g->nvenc > 0))
        return isnan(g->nvenc) ? SAY("video", "a video encoder is not confirmed for it")
                               : SAY("video", "no video encoder");
    if (av1 && g->cc < 8.9)
        return SAY("video", "no AV1 encoder: from compute capability 8.9 on");
    return NULL;
}

static const char *guard_counters(const PickCounters *counters, const CatalogueGpu *g, Arena *arena,
                                  const char **code)
{
    if (counters->min_cc > 0 && g->cc + 1e-9 < counters->min_cc)
        return SAY("cuda", "the program needs compute capability %.1f, has %.1f", counters->min_cc,
                   g->cc);
    for (size_t i = 0; i < counters->kernels.count; ++i) {
        const PickKernel *k = &counters->kernels.items[i];
        int cc = (int)(g->cc * 10 + 0.5);
        /* The largest block-wide shared memory is 1 KiB below the SM's from Ampere on. */
        double limit = (g->smem_per_sm_kb - (cc >= 80 ? 1 : 0)) * 1024;
        if (cc < 70)
            limit = 48 * 1024;
        if (k->block_shared > limit)
            return SAY("cuda",
                       "kernel %s needs %.0f KiB of shared memory per block, the most is %.0f",
                       k->name, k->block_shared / 1024, limit / 1024);
        if (k->block_threads * k->registers > g->regs_per_sm)
            return SAY("cuda", "kernel %s needs %.0f registers per block, an SM has %.0f", k->name,
                       k->block_threads * k->registers, g->regs_per_sm);
        if (k->flop_tensor16 > 0 && cc < 70)
            return SAY("cuda", "kernel %s uses tensor cores, from compute capability 7.0 on",
                       k->name);
        if (k->flop_tensor8 > 0 && cc < 89)
            return SAY("cuda", "kernel %s uses FP8 tensor cores, from compute capability 8.9 on",
                       k->name);
    }
    return NULL;
}

const char *pick_guard(const Catalogue *c, const PickJob *job, const CatalogueInstance *in,
                       Arena *arena, const char **code)
{
    const char *why = guard_choice(job, in, arena, code);
    if (!why)
        why = guard_software(job, in, arena, code);
    if (!why)
        why = guard_host(job, in, arena, code);
    if (!why && job->kind == PICK_TRAIN)
        why = guard_format(job->precision, in->gpu, arena, code);
    if (!why && job->kind == PICK_INFER)
        why = guard_format(job->quant, in->gpu, arena, code);
    if (!why)
        why = guard_cuda(c, job, in->gpu, arena, code);
    if (!why && job->kind == PICK_GRAPHICS)
        why = guard_graphics(job, in->gpu, arena, code);
    if (!why && job->kind == PICK_VIDEO)
        why = guard_video(job, in->gpu, arena, code);
    if (!why && job->kind == PICK_CUDA && job->counters)
        why = guard_counters(job->counters, in->gpu, arena, code);
    return why;
}
