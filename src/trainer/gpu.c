/* SPDX-License-Identifier: Apache-2.0
 * GPU back end: memory, launches and the graph of a step, through the driver API. The weight
 * gradients run on a second branch of the graph beside the input gradients. After the pictures are
 * there, a step needs nothing from the host but the launch of the graph. Pictures that do not fit
 * come through a ring of two halves: while the GPU runs the steps of one half, the host copies the
 * next steps' pictures into the other. */
#include "trainer/gpu.h"
#include "base/arena.h"
#include "base/clock.h"
#include "trainer/augment.h"
#include "trainer/cuda_driver.h"
#include "trainer/gang.h"
#include "trainer/gpu_args.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kernel, thread block, grid (x, y), dynamic shared memory; `a` is the GpuArgs, `e` the bytes of an
 * element, `slice` the precision's. */
#define TILES(at, tw, th, ti)                                                                      \
    (unsigned)(a->block[at].side / (tw) * (a->block[at].side / (th)) * ((a->batch + (ti)-1) / (ti)))
#define HALO(cin, tw, th, ti) ((ti) * ((th) + 2) * ((tw) + 2) * (GPU_SLICE(slice, cin) * e + 16))
#define RING(cin, nt)         (GPU_STAGES * GPU_DEPTH(e, cin) * (nt)*e)
#define INPUTS(at)            GPU_WGRAD_INPUTS(e, at)
#define WGRAD_ROWS(at, tw)    (64 / (tw) * ((tw) + 2) * (INPUTS(at) * e + GPU_WGRAD_PAD(e)))
#define WGRAD(at, tw)                                                                              \
    (GPU_WGRAD_BUFFERS(e) * (WGRAD_ROWS(at, tw) + 64 * (64 * e + GPU_WGRAD_PAD(e))))
#define PARTS(at)   (3 * (a->block[at].cin / INPUTS(at)) * (a->block[at].cout / 64))
#define FIRST       (2 * 128 * (32 * e + 16) + 2832)
#define WIDE(items) wide_grid(g, (long)(items))
#define POOLED(at)                                                                                 \
    ((long)a->batch * a->block[at].side * a->block[at].side / 4 * a->block[at].cout / 8)
#define ALL_KERNELS                                                                                \
    K(choose, 1024, 1, 1, 0)                                                                       \
    K(first, 128, TILES(0, 32, 4, 1), 1, FIRST)                                                    \
    K(norm0, 256, WIDE(POOLED(0)), 1, 2048)                                                        \
    K(conv1, 128, TILES(1, 32, 4, 1), 1, HALO(32, 32, 4, 1) + RING(32, 64))                        \
    K(norm1, 256, WIDE(POOLED(1)), 1, 2048)                                                        \
    K(conv2, 128, TILES(2, 16, 8, 1), 2, HALO(64, 16, 8, 1) + RING(64, 64))                        \
    K(norm2, 256, WIDE(POOLED(2)), 1, 2048)                                                        \
    K(conv3, 128, TILES(3, 8, 8, 2), 4, HALO(128, 8, 8, 2) + RING(128, 64))                        \
    K(head, 256, (unsigned)a->batch, 1, 2048)                                                      \
    K(spread3, 256, WIDE(POOLED(3)), 1, 4096)                                                      \
    K(wgrad3, 128, (unsigned)a->block[3].splits, PARTS(3), WGRAD(3, 8))                            \
    K(dgrad3, 128, TILES(3, 8, 8, 1), 2, HALO(256, 8, 8, 1) + RING(256, 64))                       \
    K(spread2, 256, WIDE(POOLED(2)), 1, 4096)                                                      \
    K(wgrad2, 128, (unsigned)a->block[2].splits, PARTS(2), WGRAD(2, 16))                           \
    K(dgrad2, 128, TILES(2, 16, 8, 1), 1, HALO(128, 16, 8, 1) + RING(128, 64))                     \
    K(spread1, 256, WIDE(POOLED(1)), 1, 4096)                                                      \
    K(wgrad1, 128, (unsigned)a->block[1].splits, PARTS(1), WGRAD(1, 32))                           \
    K(dgrad1, 128, TILES(1, 32, 4, 1), 1, HALO(64, 32, 4, 1) + RING(64, 32))                       \
    K(first_back, 128, GPU_FIRST_GRID, 1, FIRST)                                                   \
    K(update, 256, (a->param_count + 255) / 256, 1, 0)                                             \
    K(pack, 256, (unsigned)(9 * a->block[3].cin * a->block[3].cout / 8 * e + 255) / 256, 4, 0)

enum {
#define K(name, threads, x, y, shared) K_##name,
    ALL_KERNELS
#undef K
        KERNELS
};

static const char *const kernel_names[KERNELS] = {
#define K(name, threads, x, y, shared) "k_" #name,
    ALL_KERNELS
#undef K
};

typedef struct Gpu Gpu;
struct Gpu {
    Backend base;
    const CudaDriver *cuda;
    Net net;
    const Dataset *data;
    CudaPrecision precision;
    const CudaPrecisionRow *row; /* of the precision */
    int device, multiprocessors;
    void *context, *module, *kernel[KERNELS];
    void *stream, *branch, *event[4];
    void *graph, *ready;
    GpuArgs args;
    VEC(uint64_t) memory;
    uint32_t next; /* the step the device will run next */
    double peak;   /* of the rates on the device */
    long rates_count;
    uint64_t logits;
    char name[128];
    int rank, ranks;
    uint8_t *staging; /* one half of the ring, on the host; NULL: all pictures are on the GPU */
    long half;        /* steps in it */
    long loaded[2];   /* first step of what each half holds; -1: something else */
    Pool *pool;
    bool *no_memory;
    bool failed;
};

/* Adds a diagnostic for a failed driver call, once; returns whether all is well. */
static bool check(Gpu *g, int error, const char *what)
{
    if (!error || g->failed)
        return !g->failed;
    const char *name = NULL;
    g->cuda->error_name(error, &name);
    diag_add(g->base.diags, DIAG_ERROR, NULL, 0, 0, "GPU: %s failed: %s (%d)", what,
             name ? name : "error", error);
    diag_help(g->base.diags, "run `gpukit doctor`, or train with --device cpu");
    g->failed = true;
    return false;
}

/* Several GPUs are driven by one thread: each call says first whose turn it is. */
static void bind(Gpu *g)
{
    if (!g->failed && g->context)
        check(g, g->cuda->context_set(g->context), "choosing the GPU");
}

/* Copies from pageable memory and fills may return before they are done, and this back end's streams
 * do not wait for the default stream that they run on. */
static void settle(Gpu *g, const char *what)
{
    if (!g->failed)
        check(g, g->cuda->stream_wait(NULL), what);
}

static void *device_pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Zeroed device memory; NULL after a diagnostic. */
static void *take(Gpu *g, size_t bytes)
{
    uint64_t address = 0;
    if (g->failed)
        return NULL;
    bytes = (bytes + 255) / 256 * 256;
    int error = g->cuda->alloc(&address, bytes);
    if (error == CUDA_ERROR_MEMORY) {
        size_t unused = 0, all = 0;
        g->cuda->memory_info(&unused, &all);
        diag_add(g->base.diags, DIAG_ERROR, NULL, 0, 0,
                 "the GPU has no memory left: %zu MiB taken, %zu MiB more needed, %zu MiB free",
                 g->base.memory >> 20, bytes >> 20, unused >> 20);
        diag_help(g->base.diags, "use a smaller --batch (it is %d) or --size, or --device cpu",
                  g->args.batch);
        if (g->no_memory)
            *g->no_memory = true;
        g->failed = true;
        return NULL;
    }
    if (!check(g, error, "allocation"))
        return NULL;
    VEC_PUSH(g->memory, address);
    g->base.memory += bytes;
    check(g, g->cuda->fill(address, 0, bytes), "clearing memory");
    settle(g, "clearing memory");
    return device_pointer(address);
}

/* Done when it returns. */
static void upload(Gpu *g, const void *to, const void *from, size_t bytes)
{
    if (!g->failed && bytes)
        check(g, g->cuda->to_device((uint64_t)(uintptr_t)to, from, bytes), "copy to the GPU");
    settle(g, "copy to the GPU");
}

static void download(Gpu *g, void *to, const void *from, size_t bytes)
{
    if (!g->failed && bytes)
        check(g, g->cuda->to_host(to, (uint64_t)(uintptr_t)from, bytes), "copy from the GPU");
}

static unsigned wide_grid(const Gpu *g, long items)
{
    long blocks = (items + 255) / 256, most = 8L * g->multiprocessors;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

static void launch(Gpu *g, int which, const GpuArgs *a, void *stream)
{
    static const unsigned threads[KERNELS] = {
#define K(name, threads, x, y, shared) threads,
        ALL_KERNELS
#undef K
    };
    unsigned x = 1, y = 1, shared = 0;
    const int e = g->row->bytes, slice = g->row->slice;
    switch (which) {
#define K(name, threads, gx, gy, bytes)                                                            \
    case K_##name:                                                                                 \
        x = (gx), y = (unsigned)(gy), shared = (unsigned)(bytes);                                  \
        break;
        ALL_KERNELS
#undef K
    }
    void *params[1] = {(void *)(uintptr_t)a};
    if (!g->failed)
        check(g,
              g->cuda->launch(g->kernel[which], x, y, 1, threads[which], 1, 1, shared, stream,
                              params, NULL),
              kernel_names[which]);
}

/* ---- opening ---- */

static bool no_gpu(Diags *diags, const char *reason)
{
    diag_add(diags, DIAG_ERROR, NULL, 0, 0, "no GPU to train on: %s", reason);
    diag_help(diags, "use --device cpu; `gpukit doctor` tells more");
    return false;
}

static int capability_of(const CudaDriver *cuda, int device)
{
    int major = 0, minor = 0;
    cuda->device_attribute(&major, CUDA_MAJOR, device);
    cuda->device_attribute(&minor, CUDA_MINOR, device);
    return 10 * major + minor;
}

/* The first precision that a card takes; the least demanding one when it takes none. */
static const CudaPrecisionRow *best_precision(int capability)
{
    const CudaPrecisionRow *least = &cuda_precisions[0];
    for (int p = 0; p < CUDA_PRECISIONS; ++p) {
        const CudaPrecisionRow *row = &cuda_precisions[p];
        if (row->capability <= capability)
            return row;
        least = row->capability < least->capability ? row : least;
    }
    return least;
}

/* Whether the card can run this precision's kernels. */
static bool takes_precision(Gpu *g)
{
    int limit = 0, capability = capability_of(g->cuda, g->device);
    const CudaPrecisionRow *best = best_precision(capability);
    char *text = NULL;
    g->cuda->device_attribute(&limit, CUDA_SHARED_LIMIT, g->device);
    if (capability < g->row->capability)
        text = xasprintf("%s has compute capability %d.%d; %s needs %d.%d", g->name,
                         capability / 10, capability % 10, g->row->name, g->row->capability / 10,
                         g->row->capability % 10);
    else if (limit < g->row->shared)
        text = xasprintf("%s gives a thread block %d bytes of shared memory; %d are needed",
                         g->name, limit, g->row->shared);
    if (!text)
        return true;
    no_gpu(g->base.diags, text);
    if (best->capability <= capability && best != g->row)
        diag_help(g->base.diags, "use --precision %s, or --device cpu", best->name);
    free(text);
    return false;
}

static bool find_device(Gpu *g, int index)
{
    const char *reason = "";
    Diags *diags = g->base.diags;
    g->cuda = cuda_driver(&reason);
    if (!g->cuda)
        return no_gpu(diags, reason);
    int count = 0, error = g->cuda->init(0);
    if (!error)
        error = g->cuda->device_count(&count);
    if (error == CUDA_ERROR_NO_DEVICE || (!error && count == 0))
        return no_gpu(diags, "the driver finds no GPU");
    if (!check(g, error, "starting the driver"))
        return false;
    if (index >= count)
        return no_gpu(diags, "there are fewer GPUs than asked for");
    check(g, g->cuda->device_get(&g->device, index), "opening the GPU");
    g->cuda->device_name(g->name, sizeof g->name, g->device);
    g->cuda->device_attribute(&g->multiprocessors, CUDA_MULTIPROCESSORS, g->device);
    if (!takes_precision(g))
        return false;
    check(g, g->cuda->context_retain(&g->context, g->device), "opening a context");
    if (!g->failed)
        check(g, g->cuda->context_set(g->context), "opening a context");
    return !g->failed;
}

static void load_kernels(Gpu *g)
{
    if (!g->failed)
        check(g, g->cuda->module_load(&g->module, cuda_kernels(g->precision)),
              "loading the kernels");
    for (int i = 0; i < KERNELS && !g->failed; ++i) {
        check(g, g->cuda->module_function(&g->kernel[i], g->module, kernel_names[i]),
              kernel_names[i]);
        if (!g->failed)
            check(g, g->cuda->function_set(g->kernel[i], CUDA_FUNCTION_SHARED, g->row->shared),
                  kernel_names[i]);
    }
    if (!g->failed)
        check(g, g->cuda->stream_new(&g->stream, CUDA_STREAM_ALONE), "stream");
    if (!g->failed)
        check(g, g->cuda->stream_new(&g->branch, CUDA_STREAM_ALONE), "stream");
    for (int i = 0; i < 4 && !g->failed; ++i)
        check(g, g->cuda->event_new(&g->event[i], CUDA_EVENT_NO_TIME), "event");
}

static void fill_block(Gpu *g, int i)
{
    const NetBlock *n = &g->net.block[i];
    GpuBlock *b = &g->args.block[i];
    size_t batch = (size_t)g->args.batch, side = (size_t)n->side, cin = (size_t)n->cin,
           cout = (size_t)n->cout, element = (size_t)g->row->bytes;
    size_t pooled = batch * side / 2 * (side / 2) * cout;
    static const int most_splits[GPU_BLOCKS] = {0, 128, 64, 16};
    b->cin = n->cin;
    b->cout = n->cout;
    b->side = n->side;
    b->weight = (uint32_t)n->weight;
    b->gamma = (uint32_t)n->gamma;
    b->beta = (uint32_t)n->beta;
    b->mean = (uint32_t)n->running_mean;
    b->var = (uint32_t)n->running_var;
    b->splits = g->args.batch < most_splits[i] ? g->args.batch : most_splits[i];
    b->pooled = take(g, pooled * element);
    b->line = take(g, 4 * cout * sizeof(float));
    b->wf = take(g, (i ? 9 * cin : 32) * cout * element);
    if (i) {
        b->y = take(g, batch * side * side * cout * element);
        b->wb = take(g, 9 * cin * cout * element);
        b->partial = take(g, (size_t)b->splits * 9 * cin * cout * sizeof(float));
    }
    if (i + 1 < GPU_BLOCKS) {
        b->act = take(g, pooled * element);
        b->gpool = take(g, pooled * element);
    }
}

/* ---- pictures ---- */

static size_t picture_bytes(const Gpu *g)
{
    return (size_t)g->data->side * (size_t)g->data->side * 3;
}

/* Pictures that would leave too little of the GPU's memory are streamed. */
static void place_pictures(Gpu *g)
{
    size_t unused = 0, all = 0, bytes = picture_bytes(g), step = bytes * (size_t)g->args.batch;
    const DataSet *set = g->data->set;
    if (!g->failed)
        check(g, g->cuda->memory_info(&unused, &all), "asking for free memory");
    g->loaded[0] = g->loaded[1] = -1;
    if ((set[SET_TRAIN].count + set[SET_TEST].count) * bytes > unused / 4 * 3) {
        size_t room = unused / 8 < (size_t)32 << 20 ? unused / 8 : (size_t)32 << 20;
        g->half = room < step ? 1 : (long)(room / step);
        g->args.ring = (int)(2 * g->half);
        g->staging = xmalloc((size_t)g->half * step);
        g->args.pictures[SET_TRAIN] = g->args.pictures[SET_TEST] =
            take(g, 2 * (size_t)g->half * step);
        return;
    }
    for (int s = 0; s < SETS; ++s) {
        void *to = take(g, set[s].count * bytes);
        upload(g, to, set[s].pixels, set[s].count * bytes);
        g->args.pictures[s] = to;
    }
}

typedef struct {
    Gpu *g;
    int set;
    long first; /* SET_TRAIN: step; SET_TEST: picture */
} Gather;

/* One step's pictures, or as many test pictures, into the staging buffer. */
static void gather(void *context, int job, int thread)
{
    (void)thread;
    const Gather *w = context;
    const Gpu *g = w->g;
    const GpuArgs *a = &g->args;
    size_t bytes = picture_bytes(g);
    uint32_t step = (uint32_t)(w->first + job), count = a->counts[w->set];
    uint32_t epoch = step / a->steps_per_epoch, within = step % a->steps_per_epoch;
    for (uint32_t i = 0; i < (uint32_t)a->batch; ++i) {
        uint32_t at = (within * (uint32_t)a->ranks + (uint32_t)a->rank) * (uint32_t)a->batch + i;
        if (w->set == SET_TRAIN)
            at = aug_order(a->seed, epoch, at, count);
        else
            at = (uint32_t)w->first + (uint32_t)job * (uint32_t)a->batch + i;
        memcpy(g->staging + ((size_t)job * (size_t)a->batch + i) * bytes,
               g->data->set[w->set].pixels + (at < count ? at : count - 1) * bytes, bytes);
    }
}

static void fill_half(Gpu *g, int half, int set, long first, long steps)
{
    Gather work = {g, set, first};
    size_t step = picture_bytes(g) * (size_t)g->args.batch;
    if (g->failed || steps <= 0)
        return;
    pool_run(g->pool, (int)steps, gather, &work);
    upload(g, g->args.pictures[SET_TRAIN] + (size_t)(half * g->half) * step, g->staging,
           (size_t)steps * step);
}

/* Sees to it that the half of the ring for the steps from `first` on holds their pictures. */
static void load_steps(Gpu *g, long first)
{
    int half = (int)(first / g->half % 2);
    long left = g->rates_count - first;
    if (g->loaded[half] == first)
        return;
    fill_half(g, half, SET_TRAIN, first, left < g->half ? left : g->half);
    g->loaded[half] = first;
}

static void fill_args(Gpu *g, const BackendConfig *config)
{
    GpuArgs *a = &g->args;
    const Dataset *data = config->data;
    size_t batch = (size_t)config->batch, classes = (size_t)data->classes, sums = 0;
    a->stored = data->side;
    a->size = g->net.size;
    a->batch = config->batch;
    a->grad_scale = g->precision == CUDA_fp16 ? (float)net_gradient_scale(config->batch) : 1;
    a->classes = data->classes;
    a->seed = config->seed;
    a->rank = g->rank;
    a->ranks = g->ranks;
    a->steps_per_epoch = (uint32_t)(data->set[SET_TRAIN].count / (batch * (size_t)g->ranks));
    for (int i = 0; i < SETS; ++i)
        a->counts[i] = (uint32_t)data->set[i].count;
    place_pictures(g);
    int *labels = xcalloc(data->set[SET_TRAIN].count + 1, sizeof(int));
    for (size_t i = 0; i < data->set[SET_TRAIN].count; ++i)
        labels[i] = data->set[SET_TRAIN].files[i].label;
    a->labels = take(g, data->set[SET_TRAIN].count * sizeof(int));
    upload(g, a->labels, labels, data->set[SET_TRAIN].count * sizeof(int));
    free(labels);
    for (int i = 0; i < GPU_BLOCKS; ++i)
        sums += 4 * (size_t)g->net.block[i].cout;
    a->zeroed_count = (uint32_t)(sums + 1024);
    a->zeroed = take(g, a->zeroed_count * sizeof(gpu_i64));
    gpu_i64 *at = a->zeroed;
    for (int i = 0; i < GPU_BLOCKS; ++i) {
        a->block[i].totals = at;
        a->block[i].gtotals = at + 2 * g->net.block[i].cout;
        at += 4 * g->net.block[i].cout;
        fill_block(g, i);
    }
    a->first_grad = at;
    a->control = take(g, sizeof(GpuControl));
    a->picks = take(g, batch * sizeof(GpuPick));
    a->params = take(g, g->net.param_count * sizeof(float));
    a->momentum = take(g, g->net.param_count * sizeof(float));
    a->running = take(g, g->net.running_count * sizeof(float));
    a->features = take(g, batch * (size_t)g->net.features * sizeof(float));
    a->ghead = take(g, batch * (size_t)g->net.features * sizeof(float));
    a->dlogits = take(g, batch * classes * sizeof(float));
    a->losses = take(g, batch * 2 * sizeof(float));
    a->logits = take(g, (data->set[SET_TEST].count + batch) * classes * sizeof(float));
    if (g->ranks > 1) {
        a->phase = GPU_COLLECT;
        a->grads = take(g, g->net.param_count * sizeof(float));
    }
    a->fc_weight = (uint32_t)g->net.fc_weight;
    a->fc_bias = (uint32_t)g->net.fc_bias;
    a->param_count = (uint32_t)g->net.param_count;
}

/* ---- a step ---- */

static void fork_branch(Gpu *g, int event)
{
    if (!g->failed)
        check(g, g->cuda->event_record(g->event[event], g->stream), "event");
    if (!g->failed)
        check(g, g->cuda->stream_wait_event(g->branch, g->event[event], 0), "event");
}

static void forward_kernels(Gpu *g, const GpuArgs *a)
{
    static const int order[] = {K_choose, K_first, K_norm0, K_conv1, K_norm1,
                                K_conv2,  K_norm2, K_conv3, K_head};
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i)
        launch(g, order[i], a, g->stream);
}

static void step_kernels(Gpu *g, const GpuArgs *a)
{
    forward_kernels(g, a);
    launch(g, K_spread3, a, g->stream);
    fork_branch(g, 0);
    launch(g, K_wgrad3, a, g->branch);
    launch(g, K_dgrad3, a, g->stream);
    launch(g, K_spread2, a, g->stream);
    fork_branch(g, 1);
    launch(g, K_wgrad2, a, g->branch);
    launch(g, K_dgrad2, a, g->stream);
    launch(g, K_spread1, a, g->stream);
    fork_branch(g, 2);
    launch(g, K_wgrad1, a, g->branch);
    launch(g, K_dgrad1, a, g->stream);
    launch(g, K_first_back, a, g->stream);
    if (!g->failed)
        check(g, g->cuda->event_record(g->event[3], g->branch), "event");
    if (!g->failed)
        check(g, g->cuda->stream_wait_event(g->stream, g->event[3], 0), "event");
    launch(g, K_update, a, g->stream);
    if (a->phase == GPU_UPDATE)
        launch(g, K_pack, a, g->stream);
}

/* The step as one graph; made again when an argument changed. */
static void make_graph(Gpu *g)
{
    if (g->ready)
        g->cuda->graph_ready_free(g->ready);
    if (g->graph)
        g->cuda->graph_free(g->graph);
    g->ready = g->graph = NULL;
    if (g->failed)
        return;
    if (!check(g, g->cuda->capture_begin(g->stream, CUDA_CAPTURE_THREAD), "recording the step"))
        return;
    step_kernels(g, &g->args);
    int error = g->cuda->capture_end(g->stream, &g->graph);
    check(g, error, "recording the step");
    if (!g->failed)
        check(g, g->cuda->graph_ready(&g->ready, g->graph, 0), "preparing the step");
}

static void set_rates(Gpu *g, const BackendPart *part)
{
    if (g->peak == part->peak && g->rates_count == part->total)
        return;
    float *rates = xmalloc(sizeof(float) * (size_t)part->total);
    for (long i = 0; i < part->total; ++i)
        rates[i] = (float)net_rate(part->peak, i, part->total);
    if (g->rates_count != part->total) {
        g->args.rates = take(g, sizeof(float) * (size_t)part->total);
        g->args.stats = take(g, sizeof(float) * 2 * (size_t)part->total);
        g->rates_count = part->total;
        upload(g, g->args.rates, rates, sizeof(float) * (size_t)part->total);
        make_graph(g);
    } else {
        upload(g, g->args.rates, rates, sizeof(float) * (size_t)part->total);
    }
    g->peak = part->peak;
    free(rates);
}

static void wait_all(Gpu *g)
{
    if (!g->failed)
        check(g, g->cuda->stream_wait(g->stream), "a training step");
}

static void set_step(Gpu *g, long step)
{
    if (g->next == (uint32_t)step)
        return;
    GpuControl control = {.next = (uint32_t)step};
    wait_all(g);
    upload(g, g->args.control, &control, sizeof control);
    g->next = (uint32_t)step;
}

void gpu_prepare(Backend *backend, const BackendPart *part)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    set_rates(g, part);
    set_step(g, part->step0);
}

void gpu_start_step(Backend *backend, long step)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    long first = g->staging ? step - step % g->half : 0;
    if (g->staging && (step == first || g->loaded[first / g->half % 2] != first)) {
        wait_all(g); /* the other half's steps are done: it may be filled again */
        load_steps(g, first);
    }
    if (!g->failed)
        check(g, g->cuda->graph_launch(g->ready, g->stream), "starting a step");
    if (g->staging && step == first + g->half - 1)
        load_steps(g, first + g->half); /* while the GPU works */
}

void gpu_apply_step(Backend *backend)
{
    Gpu *g = (Gpu *)backend;
    GpuArgs a = g->args;
    a.phase = GPU_APPLY;
    bind(g);
    launch(g, K_update, &a, g->stream);
    launch(g, K_pack, &a, g->stream);
}

void gpu_bind(Backend *backend)
{
    bind((Gpu *)backend);
}

float *gpu_gradients(Backend *backend, void **stream)
{
    *stream = ((Gpu *)backend)->stream;
    return ((Gpu *)backend)->args.grads;
}

int gpu_gradients_get(Backend *backend, float *out)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    wait_all(g);
    download(g, out, g->args.grads, g->net.param_count * sizeof(float));
    return g->failed ? -1 : 0;
}

int gpu_gradients_put(Backend *backend, const float *from)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    upload(g, g->args.grads, from, g->net.param_count * sizeof(float));
    return g->failed ? -1 : 0;
}

int gpu_collect(Backend *backend, const BackendPart *part, BackendSums *sums)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    wait_all(g);
    g->next += (uint32_t)part->count;
    float *stats = xmalloc(sizeof(float) * 2 * (size_t)part->count);
    GpuControl control = {0};
    download(g, stats, g->args.stats + 2 * part->step0, sizeof(float) * 2 * (size_t)part->count);
    download(g, &control, g->args.control, sizeof control);
    for (long i = 0; i < part->count && !g->failed; ++i) {
        sums->loss += (double)stats[2 * i];
        sums->right += (double)stats[2 * i + 1];
        ++sums->steps;
    }
    free(stats);
    if (control.bad)
        sums->loss = NAN;
    return g->failed ? -1 : 0;
}

static int gpu_run(Backend *backend, const BackendPart *part, BackendSums *sums)
{
    gpu_prepare(backend, part);
    double start = clock_seconds();
    for (long i = 0; i < part->count; ++i)
        gpu_start_step(backend, part->step0 + i);
    int error = gpu_collect(backend, part, sums);
    double each = (clock_seconds() - start) / (double)part->count;
    backend->part = each > 0.1 ? 1 : (long)(0.1 / each) + 1; /* about ten reports a second */
    return error;
}

static int gpu_predict(Backend *backend, int set, float *logits)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    if (set != SET_TEST)
        return -1;
    GpuArgs a = g->args;
    uint32_t batch = (uint32_t)a.batch, half = g->staging ? (uint32_t)g->half * batch : 0;
    a.eval = 1;
    if (half)
        fill_half(g, 0, SET_TEST, 0, g->half);
    for (uint32_t at = 0; at < a.counts[1]; at += batch) {
        a.eval_base = at;
        a.logits = g->args.logits + (size_t)at * (size_t)a.classes;
        if (half && at % half == 0)
            wait_all(g);
        a.eval_place = half ? at / half % 2 * half + at % half : 0;
        forward_kernels(g, &a);
        if (half && at % half == half - batch && at + batch < a.counts[1])
            fill_half(g, (int)(at / half % 2) ^ 1, SET_TEST, (long)(at + batch), g->half);
    }
    g->loaded[0] = g->loaded[1] = -1;
    wait_all(g);
    download(g, logits, g->args.logits, sizeof(float) * a.counts[1] * (size_t)a.classes);
    return g->failed ? -1 : 0;
}

static int gpu_put(Backend *backend, const NetState *state)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    wait_all(g);
    upload(g, g->args.params, state->params, g->net.param_count * sizeof(float));
    upload(g, g->args.momentum, state->momentum, g->net.param_count * sizeof(float));
    upload(g, g->args.running, state->running, g->net.running_count * sizeof(float));
    GpuControl control = {.next = g->next};
    upload(g, g->args.control, &control, sizeof control);
    launch(g, K_pack, &g->args, g->stream);
    wait_all(g);
    return g->failed ? -1 : 0;
}

static int gpu_get(Backend *backend, NetState *state)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    wait_all(g);
    download(g, state->params, g->args.params, g->net.param_count * sizeof(float));
    download(g, state->momentum, g->args.momentum, g->net.param_count * sizeof(float));
    download(g, state->running, g->args.running, g->net.running_count * sizeof(float));
    return g->failed ? -1 : 0;
}

static void gpu_close(Backend *backend)
{
    Gpu *g = (Gpu *)backend;
    if (g->cuda && g->context) {
        g->cuda->context_set(g->context);
        if (g->ready)
            g->cuda->graph_ready_free(g->ready);
        if (g->graph)
            g->cuda->graph_free(g->graph);
        for (size_t i = 0; i < g->memory.count; ++i)
            g->cuda->free(g->memory.items[i]);
        for (int i = 0; i < 4; ++i)
            if (g->event[i])
                g->cuda->event_free(g->event[i]);
        if (g->stream)
            g->cuda->stream_free(g->stream);
        if (g->branch)
            g->cuda->stream_free(g->branch);
        if (g->module)
            g->cuda->module_unload(g->module);
        g->cuda->context_release(g->device);
    }
    VEC_FREE(g->memory);
    free(g->staging);
    free(g);
}

static const BackendOps gpu_ops = {gpu_close, gpu_run, gpu_predict, gpu_put, gpu_get};

static bool fits(const BackendConfig *config)
{
    if (config->net->size % 64 == 0)
        return true;
    diag_add(config->diags, DIAG_ERROR, NULL, 0, 0,
             "the GPU kernels take sizes that are multiples of 64 (--size 64, 128, 192, ...)");
    return false;
}

Backend *gpu_open_one(const BackendConfig *config, int rank, int ranks)
{
    if (!fits(config))
        return NULL;
    Gpu *g = xcalloc(1, sizeof *g);
    for (int p = 0; p < CUDA_PRECISIONS; ++p)
        if (strcmp(config->precision, cuda_precisions[p].name) == 0)
            g->precision = (CudaPrecision)p;
    g->row = &cuda_precisions[g->precision];
    g->rank = rank;
    g->ranks = ranks;
    g->base.ops = &gpu_ops;
    g->base.diags = config->diags;
    g->base.device = g->name;
    g->base.part = 8;
    g->net = *config->net;
    g->data = config->data;
    g->pool = config->pool;
    g->no_memory = config->no_memory;
    if (find_device(g, config->device_index)) {
        load_kernels(g);
        fill_args(g, config);
        if (!g->failed && gpu_put(&g->base, config->state) == 0)
            return &g->base;
    }
    gpu_close(&g->base);
    return NULL;
}

Backend *backend_gpu_open(const BackendConfig *config)
{
    return config->gpus > 1 || config->ranks.ranks > 1 ? gang_open(config)
                                                       : gpu_open_one(config, 0, 1);
}

int backend_gpu_count(void)
{
    const char *reason;
    const CudaDriver *cuda = cuda_driver(&reason);
    int count = 0;
    return cuda && cuda->init(0) == 0 && cuda->device_count(&count) == 0 ? count : 0;
}

const char *backend_gpu_precision(int device_index)
{
    const char *reason;
    const CudaDriver *cuda = cuda_driver(&reason);
    int device;
    if (!cuda || cuda->init(0) != 0 || cuda->device_get(&device, device_index) != 0)
        return cuda_precisions[0].name;
    return best_precision(capability_of(cuda, device))->name;
}

double backend_gpu_warm(int device_index)
{
    const char *reason;
    const CudaDriver *cuda = cuda_driver(&reason);
    double start = clock_seconds();
    int device;
    void *context;
    /* Kept open until the process ends. A failure shows again, with its text, in backend_gpu_open.
     */
    if (cuda && cuda->init(0) == 0 && cuda->device_get(&device, device_index) == 0)
        cuda->context_retain(&context, device);
    return clock_seconds() - start;
}

/* ---- checks ---- */

int gpu_check_forward(Backend *backend)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    forward_kernels(g, &g->args);
    wait_all(g);
    return g->failed ? -1 : 0;
}

int gpu_check_step(Backend *backend, const BackendPart *part, BackendSums *sums, float *grads)
{
    Gpu *g = (Gpu *)backend;
    bind(g);
    g->args.grads = take(g, g->net.param_count * sizeof(float));
    set_rates(g, part);
    make_graph(g);
    int error = gpu_run(backend, part, sums);
    download(g, grads, g->args.grads, g->net.param_count * sizeof(float));
    g->args.grads = NULL;
    make_graph(g);
    return error || g->failed ? -1 : 0;
}

static double half_value(const void *stored)
{
    uint16_t bits;
    memcpy(&bits, stored, sizeof bits);
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
}

int gpu_peek(Backend *backend, int block, GpuPeek which, double *out)
{
    Gpu *g = (Gpu *)backend;
    const GpuBlock *b = &g->args.block[block];
    const void *const from[] = {b->y, b->y, b->pooled, b->act, b->gpool};
    size_t count = (size_t)g->args.batch * (size_t)(b->side * b->side) * (size_t)b->cout;
    size_t element = (size_t)g->row->bytes;
    bool gradient = which == GPU_PEEK_DY || which == GPU_PEEK_GPOOL;
    count = which == GPU_PEEK_Y || which == GPU_PEEK_DY ? count : count / 4;
    if (!from[which])
        return -1;
    unsigned char *stored = xmalloc(count * element);
    download(g, stored, from[which], count * element);
    for (size_t i = 0; i < count; ++i) {
        float value = 0; /* a bf16 is its upper half */
        memcpy((char *)&value + sizeof value - element, stored + i * element, element);
        out[i] = g->precision == CUDA_fp16 ? half_value(stored + i * element) : (double)value;
        if (gradient)
            out[i] /= (double)g->args.grad_scale;
    }
    free(stored);
    return g->failed ? -1 : 0;
}

int gpu_peek_picks(Backend *backend, int *out)
{
    Gpu *g = (Gpu *)backend;
    GpuPick *picks = xcalloc((size_t)g->args.batch, sizeof *picks);
    download(g, picks, g->args.picks, (size_t)g->args.batch * sizeof *picks);
    for (int i = 0; i < g->args.batch; ++i) {
        const GpuPick *p = &picks[i];
        const int values[5] = {(int)p->place, p->x, p->y, p->flip, p->label};
        memcpy(out + 5 * i, values, sizeof values);
    }
    free(picks);
    return g->failed ? -1 : 0;
}

int gpu_time_kernels(Backend *backend, int repeat, void (*print)(const char *name, double ms))
{
    Gpu *g = (Gpu *)backend;
    void *event[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i)
        check(g, g->cuda->event_new(&event[i], 0), "event");
    for (int k = 0; k < KERNELS && !g->failed; ++k) {
        if (k == K_choose) /* it would move the step */
            continue;
        GpuArgs a = g->args;
        launch(g, k, &a, g->stream);
        check(g, g->cuda->event_record(event[0], g->stream), "event");
        for (int i = 0; i < repeat; ++i)
            launch(g, k, &a, g->stream);
        check(g, g->cuda->event_record(event[1], g->stream), "event");
        wait_all(g);
        float ms = 0;
        if (!g->failed)
            g->cuda->event_time(&ms, event[0], event[1]);
        print(kernel_names[k], (double)ms / repeat);
    }
    for (int i = 0; i < 2; ++i)
        if (event[i])
            g->cuda->event_free(event[i]);
    return g->failed ? -1 : 0;
}
