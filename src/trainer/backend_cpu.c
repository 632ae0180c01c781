/* SPDX-License-Identifier: Apache-2.0
 * The CPU as a training device: picks each step's pictures and calls cpu.c. */
#include "trainer/backend.h"
#include "base/arena.h"
#include "trainer/augment.h"
#include "trainer/cpu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    Backend base;
    BackendConfig config;
    NetState state;
    CpuNet *cpu;
    CpuPicture *pictures;
    char device[64];
} CpuBackend;

static void cpu_close(Backend *backend)
{
    CpuBackend *b = (CpuBackend *)backend;
    cpu_free(b->cpu);
    net_state_free(&b->state);
    free(b->pictures);
    free(b);
}

/* The step's pictures of this rank: position i of the epoch's random order. */
static void choose(CpuBackend *b, const BackendPart *part, long step)
{
    const DataSet *set = &b->config.data->set[SET_TRAIN];
    int side = b->config.data->side, size = b->config.net->size;
    uint32_t base = (uint32_t)(step * b->config.batch * b->config.ranks.ranks +
                               (long)b->config.ranks.rank * b->config.batch);
    for (int i = 0; i < b->config.batch; ++i) {
        uint32_t at = aug_order(b->config.seed, (uint32_t)part->epoch, base + (uint32_t)i,
                                (uint32_t)set->count);
        AugCrop crop =
            aug_crop(b->config.seed, (uint32_t)part->epoch, at, (uint32_t)(side - size + 1));
        b->pictures[i] = (CpuPicture){set->pixels + (size_t)at * (size_t)side * (size_t)side * 3,
                                      side,
                                      crop.x,
                                      crop.y,
                                      crop.flip,
                                      set->files[at].label};
    }
}

/* Asks the kernel to read a step's pictures from the cache file while the step before it runs: the
 * page cache is the second buffer. */
static void read_ahead(CpuBackend *b, const BackendPart *part, long step)
{
    const Dataset *data = b->config.data;
    long steps =
        (long)(data->set[SET_TRAIN].count / (size_t)(b->config.batch * b->config.ranks.ranks));
    size_t page = (size_t)sysconf(_SC_PAGESIZE),
           bytes = (size_t)data->side * (size_t)data->side * 3;
    if (!data->on_disk || step >= steps)
        return;
    choose(b, part, step);
    for (int i = 0; i < b->config.batch; ++i) {
        size_t at = (size_t)(b->pictures[i].pixels - data->memory), from = at / page * page;
        madvise(data->memory + from, at + bytes - from, MADV_WILLNEED);
    }
}

static int cpu_run(Backend *backend, const BackendPart *part, BackendSums *sums)
{
    CpuBackend *b = (CpuBackend *)backend;
    for (long i = 0; i < part->count; ++i) {
        double right;
        read_ahead(b, part, part->first + i + 1);
        choose(b, part, part->first + i);
        sums->loss += cpu_gradients(b->cpu, b->pictures, b->config.batch, &right);
        sums->right += right;
        ++sums->steps;
        cpu_update(b->cpu, net_rate(part->peak, part->step0 + i, part->total));
    }
    return 0;
}

static int cpu_predict_set(Backend *backend, int which, float *logits)
{
    CpuBackend *b = (CpuBackend *)backend;
    const DataSet *set = &b->config.data->set[which];
    int side = b->config.data->side, middle = (side - b->config.net->size) / 2,
        batch = b->config.batch;
    for (size_t from = 0; from < set->count; from += (size_t)batch) {
        int count = set->count - from < (size_t)batch ? (int)(set->count - from) : batch;
        for (int i = 0; i < count; ++i)
            b->pictures[i] =
                (CpuPicture){set->pixels + (from + (size_t)i) * (size_t)side * (size_t)side * 3,
                             side,
                             middle,
                             middle,
                             0,
                             0};
        cpu_predict(b->cpu, b->pictures, count, logits + from * (size_t)b->config.net->classes);
    }
    return 0;
}

static void copy_state(const Net *net, const NetState *from, NetState *to)
{
    memcpy(to->params, from->params, sizeof(float) * net->param_count);
    memcpy(to->momentum, from->momentum, sizeof(float) * net->param_count);
    memcpy(to->running, from->running, sizeof(float) * net->running_count);
}

static int cpu_put(Backend *backend, const NetState *state)
{
    copy_state(((CpuBackend *)backend)->config.net, state, &((CpuBackend *)backend)->state);
    return 0;
}

static int cpu_get(Backend *backend, NetState *state)
{
    copy_state(((CpuBackend *)backend)->config.net, &((CpuBackend *)backend)->state, state);
    return 0;
}

static const BackendOps cpu_ops = {cpu_close, cpu_run, cpu_predict_set, cpu_put, cpu_get};

Backend *backend_cpu_open(const BackendConfig *config)
{
    CpuBackend *b = xcalloc(1, sizeof *b);
    const CpuKernels *kernels = cpu_kernels(NULL);
    b->base.ops = &cpu_ops;
    b->base.diags = config->diags;
    b->base.part = 1;
    b->config = *config;
    snprintf(b->device, sizeof b->device, "CPU (%s, %d thread%s)", kernels->name,
             pool_threads(config->pool), pool_threads(config->pool) > 1 ? "s" : "");
    b->base.device = b->device;
    net_state_new(config->net, &b->state);
    copy_state(config->net, config->state, &b->state);
    b->pictures = xcalloc((size_t)config->batch, sizeof *b->pictures);
    b->cpu = cpu_new(config->net, config->batch, config->pool, kernels, &b->state, &b->base.memory);
    if (!b->cpu) {
        diag_add(config->diags, DIAG_ERROR, NULL, 0, 0, "no memory: a batch of %d needs %zu MiB",
                 config->batch, b->base.memory >> 20);
        diag_help(config->diags, "use a smaller --batch or --size");
        cpu_close(&b->base);
        return NULL;
    }
    if (config->ranks.ranks > 1)
        cpu_set_ranks(b->cpu, config->ranks.ranks, config->ranks.reduce, config->ranks.context);
    return &b->base;
}
