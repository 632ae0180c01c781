/* SPDX-License-Identifier: Apache-2.0
 * Data-parallel training on several GPUs from one thread: graph of a step on each, one all-reduce
 * of the gradient arena (1.56 MB), one update on each. Within a host only. */
#include "trainer/gang.h"
#include "base/arena.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_GPUS = 64, NCCL_FLOAT = 7, NCCL_SUM = 0 };

typedef struct {
    Backend base;
    int count;
    Backend *gpu[MAX_GPUS];
    void *communicator[MAX_GPUS];
    const Nccl *nccl;
    Net net;
    int batch; /* of all GPUs */
    char name[160];
} Gang;

static const Nccl *replacement;

void nccl_replace(const Nccl *nccl)
{
    replacement = nccl;
}

static const Nccl *open_nccl(void)
{
    static Nccl nccl;
    if (replacement)
        return replacement;
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    const struct {
        void **to;
        const char *name;
    } symbols[] = {
        {(void **)(void *)&nccl.init_all, "ncclCommInitAll"},
        {(void **)(void *)&nccl.destroy, "ncclCommDestroy"},
        {(void **)(void *)&nccl.group_start, "ncclGroupStart"},
        {(void **)(void *)&nccl.group_end, "ncclGroupEnd"},
        {(void **)(void *)&nccl.all_reduce, "ncclAllReduce"},
        {(void **)(void *)&nccl.error_text, "ncclGetErrorString"},
    };
    for (size_t i = 0; library && i < sizeof symbols / sizeof *symbols; ++i)
        if (!(*symbols[i].to = dlsym(library, symbols[i].name)))
            library = NULL;
    return library ? &nccl : NULL;
}

static bool check(Gang *g, int error, const char *what)
{
    if (error)
        diag_add(g->base.diags, DIAG_ERROR, NULL, 0, 0, "NCCL: %s failed: %s", what,
                 g->nccl->error_text(error));
    return !error;
}

static bool add_gradients(Gang *g)
{
    int error = g->nccl->group_start();
    for (int i = 0; i < g->count && !error; ++i) {
        void *stream;
        float *grads = gpu_gradients(g->gpu[i], &stream);
        error = g->nccl->all_reduce(grads, grads, g->net.param_count, NCCL_FLOAT, NCCL_SUM,
                                    g->communicator[i], stream);
    }
    int end = g->nccl->group_end();
    return check(g, error ? error : end, "adding up the gradients");
}

static int gang_run(Backend *backend, const BackendPart *part, BackendSums *sums)
{
    Gang *g = (Gang *)backend;
    for (int i = 0; i < g->count; ++i)
        gpu_prepare(g->gpu[i], part);
    for (long step = 0; step < part->count; ++step) {
        for (int i = 0; i < g->count; ++i)
            gpu_start_step(g->gpu[i], part->step0 + step);
        if (!add_gradients(g))
            return -1;
        for (int i = 0; i < g->count; ++i)
            gpu_apply_step(g->gpu[i]);
    }
    for (int i = 0; i < g->count; ++i) {
        BackendSums one = {0};
        if (gpu_collect(g->gpu[i], part, &one) != 0)
            return -1;
        sums->loss += one.loss / g->count;
        sums->right += one.right;
    }
    sums->steps += part->count;
    return 0;
}

static int gang_put(Backend *backend, const NetState *state)
{
    Gang *g = (Gang *)backend;
    for (int i = 0; i < g->count; ++i)
        if (g->gpu[i]->ops->put(g->gpu[i], state) != 0)
            return -1;
    return 0;
}

/* Parameters are the same on all; the running statistics are averaged, in the GPUs' order. */
static int gang_get(Backend *backend, NetState *state)
{
    Gang *g = (Gang *)backend;
    NetState one;
    net_state_new(&g->net, &one);
    double *sum = xcalloc(g->net.running_count, sizeof(double));
    int error = 0;
    for (int i = g->count - 1; i >= 0 && !error; --i) {
        error = g->gpu[i]->ops->get(g->gpu[i], i ? &one : state);
        for (size_t k = 0; k < g->net.running_count; ++k)
            sum[k] += (double)(i ? &one : state)->running[k];
    }
    for (size_t k = 0; k < g->net.running_count; ++k)
        state->running[k] = (float)(sum[k] / g->count);
    net_state_free(&one);
    free(sum);
    return error;
}

static int gang_predict(Backend *backend, int set, float *logits)
{
    Gang *g = (Gang *)backend;
    NetState state;
    net_state_new(&g->net, &state);
    int error = gang_get(backend, &state);
    if (!error)
        error = gang_put(backend, &state); /* all go on with the averaged statistics */
    net_state_free(&state);
    return error ? error : g->gpu[0]->ops->predict(g->gpu[0], set, logits);
}

static void gang_close(Backend *backend)
{
    Gang *g = (Gang *)backend;
    for (int i = 0; i < g->count; ++i)
        if (g->communicator[i])
            g->nccl->destroy(g->communicator[i]);
    for (int i = 0; i < g->count; ++i)
        if (g->gpu[i])
            g->gpu[i]->ops->close(g->gpu[i]);
    free(g);
}

static const BackendOps gang_ops = {gang_close, gang_run, gang_predict, gang_put, gang_get};

Backend *gang_open(const BackendConfig *config)
{
    int count = config->gpus, devices[MAX_GPUS];
    const Nccl *nccl = open_nccl();
    const char *why = count > MAX_GPUS        ? "at most 64 GPUs are supported"
                      : config->batch % count ? "the batch cannot be shared evenly by the GPUs"
                      : !nccl ? "several GPUs need NCCL, and libnccl.so.2 is not installed"
                              : NULL;
    if (why) {
        diag_add(config->diags, DIAG_ERROR, NULL, 0, 0, "--gpus %d: %s", count, why);
        return NULL;
    }
    Gang *g = xcalloc(1, sizeof *g);
    g->base.ops = &gang_ops;
    g->base.diags = config->diags;
    g->base.part = 8;
    g->net = *config->net;
    g->nccl = nccl;
    g->count = count;
    g->batch = config->batch;
    BackendConfig one = *config;
    one.batch = config->batch / count;
    for (int i = 0; i < count; ++i) {
        devices[i] = one.device_index = config->device_index + i;
        g->gpu[i] = gpu_open_one(&one, i, count);
        if (!g->gpu[i]) {
            gang_close(&g->base);
            return NULL;
        }
        g->base.memory += g->gpu[i]->memory;
    }
    snprintf(g->name, sizeof g->name, "%d x %s", count, g->gpu[0]->device);
    g->base.device = g->name;
    if (!check(g, nccl->init_all(g->communicator, count, devices), "starting")) {
        gang_close(&g->base);
        return NULL;
    }
    return &g->base;
}
