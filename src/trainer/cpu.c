/* SPDX-License-Identifier: Apache-2.0
 * CPU back end. Order of a step: pictures and convolution per image with batch-norm sums; pool per
 * image once the batch's statistics are known; head; then backwards per block: output gradient and
 * input gradient per image, weight gradient per chunk of images and kernel row. Sums over images
 * are taken in image order, in double. */
#include "trainer/cpu.h"
#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNKS = 16 /* groups of images with a weight gradient of their own */ };

typedef struct {
    float *input;  /* bordered [batch][side+2][side+2][cin] */
    float *y;      /* bordered convolution output; its gradient on the way back */
    float *winner; /* [batch][side/2][side/2][cout] */
    float *dpool;  /* gradient of the pooled output, same shape */
    float *packed, *packed_back;
    float *a, *b, *scale, *k1, *k2; /* [cout] */
    double mean[512], variance[512];
    size_t in_image, y_image, pooled_image;
} Block;

struct CpuNet {
    Net net;
    int batch, count;
    Pool *pool;
    const CpuKernels *k;
    NetState *state;
    void *arena;
    size_t arena_bytes;
    Block block[NET_BLOCKS];
    float *last; /* bordered pooled output of the last block */
    size_t last_image;
    float *sums;     /* [batch][2][channels] */
    float *features; /* [batch][features] */
    float *logits, *dlogits;
    double *losses;
    float *partial; /* [CHUNKS][largest convolution] */
    float *grads;
    int ranks;
    CpuReduceFn *reduce;
    void *reduce_context;
    /* arguments of the jobs */
    const CpuPicture *pictures;
    int at;
    double rate;
    float table[3][256];
};

/* Hands out parts of the arena; with base NULL it only counts. */
typedef struct {
    char *base;
    size_t used;
} Cut;

static void *cut(Cut *c, size_t floats)
{
    void *p = c->base ? c->base + c->used : NULL;
    c->used += (floats * sizeof(float) + 63) / 64 * 64;
    return p;
}

static void lay_out(CpuNet *cpu, Cut *c)
{
    const Net *net = &cpu->net;
    size_t batch = (size_t)cpu->batch, widest = 0, largest = 0;
    for (int i = 0; i < NET_BLOCKS; ++i) {
        const NetBlock *n = &net->block[i];
        Block *b = &cpu->block[i];
        size_t side = (size_t)n->side, cin = (size_t)n->cin, cout = (size_t)n->cout;
        b->in_image = (side + 2) * (side + 2) * cin;
        b->y_image = (side + 2) * (side + 2) * cout;
        b->pooled_image = side / 2 * (side / 2) * cout;
        b->input = cut(c, batch * b->in_image);
        b->y = cut(c, batch * b->y_image);
        b->winner = cut(c, batch * b->pooled_image);
        b->dpool = cut(c, batch * b->pooled_image);
        b->packed = cut(c, 9 * cin * cout);
        b->packed_back = cut(c, 9 * cin * cout);
        float **vectors[] = {&b->a, &b->b, &b->scale, &b->k1, &b->k2};
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k)
            *vectors[k] = cut(c, cout);
        widest = cout > widest ? cout : widest;
        largest = 9 * cin * cout > largest ? 9 * cin * cout : largest;
    }
    size_t side = (size_t)net->block[NET_BLOCKS - 1].side / 2;
    cpu->last_image = (side + 2) * (side + 2) * (size_t)net->features;
    cpu->last = cut(c, batch * cpu->last_image);
    cpu->sums = cut(c, batch * 2 * widest);
    cpu->features = cut(c, batch * (size_t)net->features);
    cpu->logits = cut(c, batch * (size_t)net->classes);
    cpu->dlogits = cut(c, batch * (size_t)net->classes);
    cpu->losses = cut(c, batch * 2);
    cpu->partial = cut(c, CHUNKS * largest);
    cpu->grads = cut(c, net->param_count);
}

CpuNet *cpu_new(const Net *net, int batch, Pool *pool, const CpuKernels *kernels, NetState *state,
                size_t *need)
{
    CpuNet *cpu = xcalloc(1, sizeof *cpu);
    cpu->net = *net;
    cpu->batch = batch;
    cpu->pool = pool;
    cpu->k = kernels;
    cpu->state = state;
    cpu->ranks = 1;
    Cut count = {0};
    lay_out(cpu, &count);
    cpu->arena_bytes = *need = count.used;
    cpu->arena = mmap(NULL, count.used, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (cpu->arena == MAP_FAILED) {
        free(cpu);
        return NULL;
    }
    madvise(cpu->arena, count.used, MADV_HUGEPAGE); /* only a wish: fewer page faults */
    lay_out(cpu, &(Cut){cpu->arena, 0});
    for (int c = 0; c < 3; ++c)
        for (int v = 0; v < 256; ++v)
            cpu->table[c][v] = (float)((v / 255.0 - net_mean[c]) / net_deviation[c]);
    return cpu;
}

void cpu_free(CpuNet *cpu)
{
    if (!cpu)
        return;
    munmap(cpu->arena, cpu->arena_bytes);
    free(cpu);
}

void cpu_set_ranks(CpuNet *cpu, int ranks, CpuReduceFn *reduce, void *context)
{
    cpu->ranks = ranks;
    cpu->reduce = reduce;
    cpu->reduce_context = context;
}

const float *cpu_grads(const CpuNet *cpu)
{
    return cpu->grads;
}

static void add_ranks(CpuNet *cpu, double *values, size_t count)
{
    if (cpu->reduce)
        cpu->reduce(cpu->reduce_context, values, count);
}

static float *bordered_output(CpuNet *cpu, int block, int image)
{
    return block + 1 < NET_BLOCKS
               ? cpu->block[block + 1].input + (size_t)image * cpu->block[block + 1].in_image
               : cpu->last + (size_t)image * cpu->last_image;
}

/* Crop, flip and normalise into the bordered input of the first block. */
static void load_picture(CpuNet *cpu, int image)
{
    const CpuPicture *p = &cpu->pictures[image];
    int size = cpu->net.size;
    for (int y = 0; y < size; ++y) {
        const uint8_t *from = p->pixels + ((size_t)(y + p->y) * (size_t)p->side + (size_t)p->x) * 3;
        float *to = cpu->block[0].input + (size_t)image * cpu->block[0].in_image +
                    ((size_t)(y + 1) * (size_t)(size + 2) + 1) * 3;
        for (int x = 0; x < size; ++x) {
            const uint8_t *q = from + 3 * (p->flip ? size - 1 - x : x);
            for (int c = 0; c < 3; ++c)
                to[3 * x + c] = cpu->table[c][q[c]];
        }
    }
}

static void conv_job(void *context, int image, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    const NetBlock *n = &cpu->net.block[cpu->at];
    Block *b = &cpu->block[cpu->at];
    if (cpu->at == 0)
        load_picture(cpu, image);
    size_t row = (size_t)(n->side + 2) * (size_t)n->cout;
    cpu->k->conv(b->input + (size_t)image * b->in_image, n->side, n->cin, n->cout, b->packed,
                 b->y + (size_t)image * b->y_image + row + (size_t)n->cout, row,
                 cpu->sums + (size_t)image * 2 * (size_t)n->cout);
}

static void pool_job(void *context, int image, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    const NetBlock *n = &cpu->net.block[cpu->at];
    Block *b = &cpu->block[cpu->at];
    cpu->k->pool(b->y + (size_t)image * b->y_image, n->side, n->cout, b->a, b->b,
                 b->winner + (size_t)image * b->pooled_image, bordered_output(cpu, cpu->at, image));
}

/* Adds the images' [2][c] sums in image order. */
static void total_sums(CpuNet *cpu, int c, double *out)
{
    memset(out, 0, sizeof(double) * 2 * (size_t)c);
    for (int image = 0; image < cpu->count; ++image)
        for (int i = 0; i < 2 * c; ++i)
            out[i] += (double)cpu->sums[(size_t)image * 2 * (size_t)c + (size_t)i];
    add_ranks(cpu, out, 2 * (size_t)c);
}

static double positions(const CpuNet *cpu, const NetBlock *n)
{
    return (double)cpu->count * cpu->ranks * n->side * n->side;
}

static void batch_statistics(CpuNet *cpu, int at)
{
    const NetBlock *n = &cpu->net.block[at];
    Block *b = &cpu->block[at];
    double sums[1024], m = positions(cpu, n);
    total_sums(cpu, n->cout, sums);
    for (int c = 0; c < n->cout; ++c) {
        double mean = sums[c] / m, variance = sums[n->cout + c] / m - mean * mean;
        variance = variance > 0 ? variance : variance < 0 ? 0 : variance; /* keeps NaN */
        b->mean[c] = mean;
        b->variance[c] = variance;
        float *rm = &cpu->state->running[n->running_mean + (size_t)c];
        float *rv = &cpu->state->running[n->running_var + (size_t)c];
        *rm = (float)((1 - NET_BN_MOMENTUM) * (double)*rm + NET_BN_MOMENTUM * mean);
        *rv = (float)((1 - NET_BN_MOMENTUM) * (double)*rv +
                      NET_BN_MOMENTUM * variance * m / (m > 1 ? m - 1 : 1));
    }
}

static void set_line(CpuNet *cpu, int at)
{
    const NetBlock *n = &cpu->net.block[at];
    Block *b = &cpu->block[at];
    for (int c = 0; c < n->cout; ++c) {
        double slope =
            (double)cpu->state->params[n->gamma + (size_t)c] / sqrt(b->variance[c] + NET_EPS);
        b->a[c] = (float)slope;
        b->b[c] = (float)((double)cpu->state->params[n->beta + (size_t)c] - slope * b->mean[c]);
    }
}

static void pack_job(void *context, int job, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    int i = job / 2, back = job % 2;
    const NetBlock *n = &cpu->net.block[i];
    if (back && i == 0)
        return;
    cpu_pack_weights(cpu->k, cpu->state->params + n->weight, n->cin, n->cout, back,
                     back ? cpu->block[i].packed_back : cpu->block[i].packed);
}

static void forward(CpuNet *cpu, int training)
{
    pool_run(cpu->pool, 2 * NET_BLOCKS, pack_job, cpu);
    for (int at = 0; at < NET_BLOCKS; ++at) {
        cpu->at = at;
        pool_run(cpu->pool, cpu->count, conv_job, cpu);
        if (training) {
            batch_statistics(cpu, at);
        } else {
            const NetBlock *n = &cpu->net.block[at];
            for (int c = 0; c < n->cout; ++c) {
                cpu->block[at].mean[c] = (double)cpu->state->running[n->running_mean + (size_t)c];
                cpu->block[at].variance[c] =
                    (double)cpu->state->running[n->running_var + (size_t)c];
            }
        }
        set_line(cpu, at);
        pool_run(cpu->pool, cpu->count, pool_job, cpu);
    }
}

/* Global average and fully connected layer of one image. */
static void head_forward(CpuNet *cpu, int image)
{
    const Net *net = &cpu->net;
    int side = net->block[NET_BLOCKS - 1].side / 2, features = net->features;
    float *f = cpu->features + (size_t)image * (size_t)features;
    memset(f, 0, sizeof(float) * (size_t)features);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const float *p =
                cpu->last + (size_t)image * cpu->last_image +
                ((size_t)(y + 1) * (size_t)(side + 2) + (size_t)(x + 1)) * (size_t)features;
            for (int c = 0; c < features; ++c)
                f[c] += p[c];
        }
    for (int c = 0; c < features; ++c)
        f[c] *= 1.0f / (float)(side * side);
    for (int k = 0; k < net->classes; ++k) {
        const float *w = cpu->state->params + net->fc_weight + (size_t)k * (size_t)features;
        float sum = cpu->state->params[net->fc_bias + (size_t)k];
        for (int c = 0; c < features; ++c)
            sum += w[c] * f[c];
        cpu->logits[(size_t)image * (size_t)net->classes + (size_t)k] = sum;
    }
}

/* Softmax cross entropy of one image; dlogits carry the division by the whole batch. */
static void head_loss(CpuNet *cpu, int image)
{
    int classes = cpu->net.classes, label = cpu->pictures[image].label, best = 0;
    const float *z = cpu->logits + (size_t)image * (size_t)classes;
    float *d = cpu->dlogits + (size_t)image * (size_t)classes;
    for (int k = 1; k < classes; ++k)
        best = z[k] > z[best] ? k : best;
    double sum = 0;
    for (int k = 0; k < classes; ++k)
        sum += exp((double)z[k] - (double)z[best]);
    for (int k = 0; k < classes; ++k)
        d[k] = (float)((exp((double)z[k] - (double)z[best]) / sum - (k == label)) /
                       ((double)cpu->count * cpu->ranks));
    cpu->losses[image] = log(sum) - ((double)z[label] - (double)z[best]);
}

static void head_job(void *context, int image, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    const Net *net = &cpu->net;
    head_forward(cpu, image);
    if (cpu->rate < 0) /* prediction only */
        return;
    head_loss(cpu, image);
    Block *b = &cpu->block[NET_BLOCKS - 1];
    int pixels = (net->block[NET_BLOCKS - 1].side / 2) * (net->block[NET_BLOCKS - 1].side / 2);
    float *first = b->dpool + (size_t)image * b->pooled_image;
    for (int c = 0; c < net->features; ++c) {
        float sum = 0;
        for (int k = 0; k < net->classes; ++k)
            sum +=
                cpu->dlogits[(size_t)image * (size_t)net->classes + (size_t)k] *
                cpu->state->params[net->fc_weight + (size_t)k * (size_t)net->features + (size_t)c];
        first[c] = sum / (float)pixels;
    }
    for (int p = 1; p < pixels; ++p)
        memcpy(first + (size_t)p * (size_t)net->features, first,
               sizeof(float) * (size_t)net->features);
    cpu->k->grad_sums(b->winner + (size_t)image * b->pooled_image, first, pixels, net->features,
                      b->a, b->b, cpu->sums + (size_t)image * 2 * (size_t)net->features);
}

static void head_weights(CpuNet *cpu)
{
    const Net *net = &cpu->net;
    for (int k = 0; k < net->classes; ++k) {
        float *w = cpu->grads + net->fc_weight + (size_t)k * (size_t)net->features, bias = 0;
        memset(w, 0, sizeof(float) * (size_t)net->features);
        for (int image = 0; image < cpu->count; ++image) {
            float d = cpu->dlogits[(size_t)image * (size_t)net->classes + (size_t)k];
            const float *f = cpu->features + (size_t)image * (size_t)net->features;
            bias += d;
            for (int c = 0; c < net->features; ++c)
                w[c] += d * f[c];
        }
        cpu->grads[net->fc_bias + (size_t)k] = bias;
    }
}

/* From the sums of gradient and gradient times winner: gamma's and beta's gradients, and the line
 * that turns y into its gradient. */
static void norm_backward(CpuNet *cpu, int at)
{
    const NetBlock *n = &cpu->net.block[at];
    Block *b = &cpu->block[at];
    double sums[1024], m = positions(cpu, n);
    total_sums(cpu, n->cout, sums);
    for (int c = 0; c < n->cout; ++c) {
        double inverse = 1 / sqrt(b->variance[c] + NET_EPS);
        double dbeta = sums[c], dgamma = (sums[n->cout + c] - b->mean[c] * sums[c]) * inverse;
        double scale = (double)cpu->state->params[n->gamma + (size_t)c] * inverse;
        double k2 = scale * inverse * dgamma / m;
        cpu->grads[n->gamma + (size_t)c] = (float)(dgamma / cpu->ranks);
        cpu->grads[n->beta + (size_t)c] = (float)(dbeta / cpu->ranks);
        b->scale[c] = (float)scale;
        b->k2[c] = (float)k2;
        b->k1[c] = (float)(scale * dbeta / m - k2 * b->mean[c]);
    }
}

static void back_job(void *context, int image, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    const NetBlock *n = &cpu->net.block[cpu->at];
    Block *b = &cpu->block[cpu->at];
    float *y = b->y + (size_t)image * b->y_image;
    cpu->k->pool_back(y, n->side, n->cout, b->a, b->b, b->winner + (size_t)image * b->pooled_image,
                      b->dpool + (size_t)image * b->pooled_image, b->scale, b->k1, b->k2);
    if (cpu->at == 0)
        return;
    Block *below = b - 1;
    float *dpool = below->dpool + (size_t)image * below->pooled_image;
    cpu->k->conv(y, n->side, n->cout, n->cin, b->packed_back, dpool,
                 (size_t)n->side * (size_t)n->cin, NULL);
    cpu->k->grad_sums(below->winner + (size_t)image * below->pooled_image, dpool, n->side * n->side,
                      n->cin, below->a, below->b, cpu->sums + (size_t)image * 2 * (size_t)n->cin);
}

static int chunk_start(const CpuNet *cpu, int chunk)
{
    return (int)((long)cpu->count * chunk / CHUNKS);
}

static void wgrad_job(void *context, int job, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    const NetBlock *n = &cpu->net.block[cpu->at];
    Block *b = &cpu->block[cpu->at];
    int chunk = job / 3, ky = job % 3;
    size_t part = (size_t)3 * (size_t)n->cin * (size_t)n->cout;
    float *dw = cpu->partial + (size_t)chunk * 3 * part + (size_t)ky * part;
    memset(dw, 0, part * sizeof(float));
    for (int image = chunk_start(cpu, chunk); image < chunk_start(cpu, chunk + 1); ++image)
        cpu->k->wgrad(b->input + (size_t)image * b->in_image, n->side, n->cin, n->cout,
                      b->y + (size_t)image * b->y_image, ky, dw);
}

static void collect_job(void *context, int tap, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    const NetBlock *n = &cpu->net.block[cpu->at];
    size_t part = (size_t)n->cin * (size_t)n->cout;
    float *out = cpu->grads + n->weight + (size_t)tap * part;
    memcpy(out, cpu->partial + (size_t)tap * part, part * sizeof(float));
    for (int chunk = 1; chunk < CHUNKS; ++chunk) {
        const float *p = cpu->partial + ((size_t)chunk * 9 + (size_t)tap) * part;
        for (size_t i = 0; i < part; ++i)
            out[i] += p[i];
    }
}

static void reduce_gradients(CpuNet *cpu)
{
    if (!cpu->reduce)
        return;
    size_t count = cpu->net.param_count;
    double *wide = xmalloc(sizeof(double) * count);
    for (size_t i = 0; i < count; ++i)
        wide[i] = (double)cpu->grads[i];
    add_ranks(cpu, wide, count);
    for (size_t i = 0; i < count; ++i)
        cpu->grads[i] = (float)wide[i];
    free(wide);
}

double cpu_gradients(CpuNet *cpu, const CpuPicture *pictures, int count, double *right)
{
    cpu->pictures = pictures;
    cpu->count = count;
    cpu->rate = 0;
    forward(cpu, 1);
    pool_run(cpu->pool, count, head_job, cpu);
    head_weights(cpu);
    for (int at = NET_BLOCKS - 1; at >= 0; --at) {
        cpu->at = at;
        norm_backward(cpu, at);
        pool_run(cpu->pool, count, back_job, cpu);
        pool_run(cpu->pool, CHUNKS * 3, wgrad_job, cpu);
        pool_run(cpu->pool, 9, collect_job, cpu);
    }
    reduce_gradients(cpu);
    double result[2] = {0, 0};
    for (int image = 0; image < count; ++image) {
        const float *z = cpu->logits + (size_t)image * (size_t)cpu->net.classes;
        int best = 0;
        for (int k = 1; k < cpu->net.classes; ++k)
            best = z[k] > z[best] ? k : best;
        result[0] += cpu->losses[image];
        result[1] += best == pictures[image].label;
    }
    add_ranks(cpu, result, 2);
    *right = result[1];
    return result[0] / ((double)count * cpu->ranks);
}

static void update_job(void *context, int job, int thread)
{
    (void)thread;
    CpuNet *cpu = context;
    size_t count = cpu->net.param_count;
    size_t from = count * (size_t)job / 16, to = count * ((size_t)job + 1) / 16;
    float rate = (float)cpu->rate, momentum = (float)NET_MOMENTUM, decay = (float)NET_WEIGHT_DECAY;
    float *p = cpu->state->params, *m = cpu->state->momentum;
    for (size_t i = from; i < to; ++i) {
        float g = cpu->grads[i] + decay * p[i];
        m[i] = momentum * m[i] + g;
        p[i] -= rate * (g + momentum * m[i]);
    }
}

void cpu_update(CpuNet *cpu, double rate)
{
    cpu->rate = rate;
    pool_run(cpu->pool, 16, update_job, cpu);
}

void cpu_predict(CpuNet *cpu, const CpuPicture *pictures, int count, float *logits)
{
    cpu->pictures = pictures;
    cpu->count = count;
    cpu->rate = -1;
    forward(cpu, 0);
    pool_run(cpu->pool, count, head_job, cpu);
    memcpy(logits, cpu->logits, sizeof(float) * (size_t)count * (size_t)cpu->net.classes);
}
