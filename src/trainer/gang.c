/* SPDX-License-Identifier: Apache-2.0
 * Data-parallel training on several GPUs, those of a process driven by one thread: graph of a step
 * on each, one sum of the gradient arena (1.56 MB) over all, one update on each. */
#include "trainer/gang.h"
#include "base/arena.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GPUS = 64, NCCL_FLOAT = 7, NCCL_SUM = 0 };

typedef struct {
    Backend base;
    int count, all, first; /* GPUs here, in all processes, number of the first one here */
    Backend *gpu[MAX_GPUS];
    void *communicator[MAX_GPUS];
    const Nccl *nccl; /* NULL: sums through the host's memory */
    Net net;
    Ranks ranks;
    double *sum; /* on the host */
    float *one;
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
        {(void **)(void *)&nccl.get_id, "ncclGetUniqueId"},
        {(void **)(void *)&nccl.init_rank, "ncclCommInitRank"},
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

/* Adds up over the processes; all of them must come here. */
static void reduce(const Gang *g, double *values, size_t count)
{
    if (g->ranks.reduce)
        g->ranks.reduce(g->ranks.context, values, count);
}

static bool add_on_hosts(Gang *g)
{
    size_t count = g->net.param_count;
    bool ok = true;
    memset(g->sum, 0, sizeof(double) * count);
    for (int i = 0; i < g->count; ++i) {
        ok = gpu_gradients_get(g->gpu[i], g->one) == 0 && ok;
        for (size_t k = 0; k < count; ++k)
            g->sum[k] += (double)g->one[k];
    }
    reduce(g, g->sum, count);
    for (size_t k = 0; k < count; ++k)
        g->one[k] = (float)g->sum[k];
    for (int i = 0; i < g->count; ++i)
        ok = gpu_gradients_put(g->gpu[i], g->one) == 0 && ok;
    return ok;
}

static bool add_gradients(Gang *g)
{
    if (!g->nccl)
        return add_on_hosts(g);
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
    double here[2] = {0, 0};
    for (int i = 0; i < g->count; ++i) {
        BackendSums one = {0};
        if (gpu_collect(g->gpu[i], part, &one) != 0)
            return -1;
        here[0] += one.loss / g->all;
        here[1] += one.right;
    }
    reduce(g, here, 2);
    sums->loss += here[0];
    sums->right += here[1];
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

/* Parameters are the same on all; the running statistics are averaged. */
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
    reduce(g, sum, g->net.running_count);
    for (size_t k = 0; k < g->net.running_count; ++k)
        state->running[k] = (float)(sum[k] / g->all);
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

static void leave_nccl(Gang *g)
{
    for (int i = 0; i < g->count; ++i) {
        if (g->communicator[i])
            g->nccl->destroy(g->communicator[i]);
        g->communicator[i] = NULL;
    }
    g->nccl = NULL;
}

static void gang_close(Backend *backend)
{
    Gang *g = (Gang *)backend;
    leave_nccl(g);
    for (int i = 0; i < g->count; ++i)
        if (g->gpu[i])
            g->gpu[i]->ops->close(g->gpu[i]);
    free(g->sum);
    free(g->one);
    free(g);
}

static const BackendOps gang_ops = {gang_close, gang_run, gang_predict, gang_put, gang_get};

/* Whether it is so in every process. */
static bool everywhere(const Gang *g, bool here)
{
    double missing = here ? 0 : 1;
    reduce(g, &missing, 1);
    return missing == 0;
}

/* NCCL wants a GPU for each of its ranks; its first call's id goes round as a sum. Without it the
 * gradients go through the hosts' memory. */
static void join_nccl(Gang *g, const BackendConfig *config)
{
    bool own_gpus =
        config->ranks.ranks == 1 || config->ranks.locals * g->count <= backend_gpu_count();
    g->nccl = open_nccl();
    if (!everywhere(g, g->nccl && own_gpus)) {
        g->nccl = NULL;
        return;
    }
    NcclId id = {{0}};
    double bytes[sizeof id.bytes];
    int error = g->first ? 0 : g->nccl->get_id(&id), end = 0;
    for (size_t i = 0; i < sizeof id.bytes; ++i)
        bytes[i] = (double)(unsigned char)id.bytes[i];
    reduce(g, bytes, sizeof id.bytes);
    for (size_t i = 0; i < sizeof id.bytes; ++i)
        id.bytes[i] = (char)(unsigned char)bytes[i];
    if (everywhere(g, !error)) {
        error = g->nccl->group_start();
        for (int i = 0; i < g->count && !error; ++i) {
            gpu_bind(g->gpu[i]);
            error = g->nccl->init_rank(&g->communicator[i], g->all, id, g->first + i);
        }
        end = g->nccl->group_end();
    }
    if (error || end)
        diag_add(g->base.diags, DIAG_WARNING, NULL, 0, 0,
                 "NCCL cannot start (%s): gradients go through the host's memory, which is slower",
                 g->nccl->error_text(error ? error : end));
    if (!everywhere(g, !error && !end))
        leave_nccl(g);
}

static bool open_gpus(Gang *g, const BackendConfig *config)
{
    BackendConfig one = *config;
    one.batch = config->batch / g->count;
    for (int i = 0; i < g->count; ++i) {
        one.device_index = config->device_index + i;
        g->gpu[i] = gpu_open_one(&one, g->first + i, g->all);
        if (!g->gpu[i])
            return false;
        g->base.memory += g->gpu[i]->memory;
    }
    return true;
}

Backend *gang_open(const BackendConfig *config)
{
    int count = config->gpus > 1 ? config->gpus : 1;
    const char *why = count > MAX_GPUS        ? "at most 64 GPUs are supported"
                      : config->batch % count ? "the batch cannot be shared evenly by the GPUs"
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
    g->ranks = config->ranks;
    g->count = count;
    g->all = count * config->ranks.ranks;
    g->first = count * config->ranks.rank;
    g->sum = xcalloc(g->net.param_count, sizeof *g->sum);
    g->one = xcalloc(g->net.param_count, sizeof *g->one);
    if (!everywhere(g, open_gpus(g, config))) {
        gang_close(&g->base);
        return NULL;
    }
    join_nccl(g, config);
    snprintf(g->name, sizeof g->name, "%d x %s (sums by %s)", g->all, g->gpu[0]->device,
             g->nccl              ? "NCCL"
             : g->ranks.ranks > 1 ? "MPI"
                                  : "the host");
    g->base.device = g->name;
    return &g->base;
}
