/* SPDX-License-Identifier: Apache-2.0
 * The made-up data set and the comparisons; see gpu_fixture.h. */
#include "gpu_fixture.h"
#include "base/arena.h"
#include "trainer/augment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-300 /* only equal arrays have a smaller error */

const GpuLimits gpu_limits[ORACLE_DOUBLE] = {
    [ORACLE_BF16] = {"bf16", 1e-3, 2e-3, 1e-4, 5e-3, 0.05},
    [ORACLE_FP16] = {"fp16", 2e-4, 3e-4, 1e-4, 5e-3, 0.05},
    [ORACLE_TF32] = {"tf32", 2e-4, 3e-4, 1e-4, 5e-3, 0.05},
    [ORACLE_FP32] = {"fp32", 5e-5, 5e-5, 5e-5, 5e-5, 1e-3},
};

void gpu_fixture_new(GpuFixture *f, int size, int classes, size_t train, size_t test)
{
    memset(f, 0, sizeof *f);
    diags_init(&f->diags);
    f->pool = pool_new(0);
    f->data.side = size + size / 8;
    f->data.classes = classes;
    size_t bytes = (size_t)f->data.side * (size_t)f->data.side * 3, counts[SETS] = {train, test};
    for (int s = 0; s < SETS; ++s) {
        DataSet *set = &f->data.set[s];
        set->count = counts[s];
        if (s == SET_TRAIN) {
            f->data.memory_bytes = (train + test) * bytes;
            f->data.memory = xmalloc(f->data.memory_bytes + 1);
        }
        set->pixels = f->data.memory + (s == SET_TEST ? train * bytes : 0);
        set->files = xcalloc(counts[s] + 1, sizeof *set->files);
        for (size_t i = 0; i < counts[s]; ++i) {
            int label = set->files[i].label = (int)(i % (size_t)classes);
            uint8_t *p = set->pixels + i * bytes;
            for (size_t k = 0; k < bytes; k += 3) { /* noise over a colour that tells the class */
                uint32_t r =
                    aug_mix((uint32_t)(s * 7919 + (int)i * 104729) ^ (uint32_t)k * 2654435761u);
                for (size_t c = 0; c < 3; ++c)
                    p[k + c] = (uint8_t)((r >> 8 * c & 127) + ((size_t)label % 3 == c ? 100 : 20) +
                                         (k / 1024 % 2) * 20);
            }
        }
    }
    net_init(&f->net, size, classes);
    net_state_new(&f->net, &f->state);
    /* 7: in fp16 on the engine, a rounding moves a winner or a ReLU of block 3 from where double
     * has it */
    net_state_init(&f->net, &f->state, 7);
    for (size_t i = 0; i < f->net.param_count; ++i)
        f->state.momentum[i] = (float)(aug_draw(17, 1, (uint32_t)i) % 2001) * 1e-5f - 0.01f;
    for (int i = 0; i < NET_BLOCKS; ++i)
        for (int c = 0; c < f->net.block[i].cout; ++c) {
            f->state.params[f->net.block[i].gamma + (size_t)c] =
                c % 7 == 3 ? -0.8f : 0.9f + 0.004f * (float)(c % 50);
            f->state.params[f->net.block[i].beta + (size_t)c] = 0.2f * (float)(c % 3 - 1);
        }
}

void gpu_fixture_free(GpuFixture *f)
{
    for (int s = 0; s < SETS; ++s)
        free(f->data.set[s].files);
    free(f->data.memory);
    net_state_free(&f->state);
    pool_free(f->pool);
    diags_fini(&f->diags);
}

BackendConfig gpu_fixture_config(GpuFixture *f, int batch)
{
    return (BackendConfig){.net = &f->net,
                           .data = &f->data,
                           .state = &f->state,
                           .batch = batch,
                           .seed = 5,
                           .precision = gpu_limits[f->precision].name,
                           .pool = f->pool,
                           .ranks = {.ranks = 1},
                           .diags = &f->diags};
}

static double relative_error(const float *got, const double *want, size_t count)
{
    double error = 0, norm = 0;
    for (size_t i = 0; i < count; ++i) {
        error += ((double)got[i] - want[i]) * ((double)got[i] - want[i]);
        norm += want[i] * want[i];
    }
    double r = sqrt(error / (norm > 0 ? norm : 1));
    return r >= 0 ? r : 1e9; /* NaN never passes */
}

static double error_of(const double *got, const double *want, size_t count)
{
    double error = 0, norm = 0;
    for (size_t i = 0; i < count; ++i) {
        error += (got[i] - want[i]) * (got[i] - want[i]);
        norm += want[i] * want[i];
    }
    double r = sqrt(error / (norm > 0 ? norm : 1));
    return r >= 0 ? r : 1e9;
}

/* Normalised pictures of a step's batch, as the back ends choose them, rounded to bf16. */
static double *step_input(const GpuFixture *f, int batch, int *labels)
{
    int size = f->net.size, side = f->data.side;
    double *input = xcalloc((size_t)(batch * size * size * 3), sizeof(double));
    for (int n = 0; n < batch; ++n) {
        uint32_t at = aug_order(5, 0, (uint32_t)n, (uint32_t)f->data.set[SET_TRAIN].count);
        AugCrop crop = aug_crop(5, 0, at, (uint32_t)(side - size + 1));
        const uint8_t *p = f->data.set[SET_TRAIN].pixels + (size_t)at * (size_t)(side * side * 3);
        labels[n] = f->data.set[SET_TRAIN].files[at].label;
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                for (int c = 0; c < 3; ++c) {
                    int column = crop.x + (crop.flip ? size - 1 - x : x);
                    input[((n * size + y) * size + x) * 3 + c] =
                        (p[((y + crop.y) * side + column) * 3 + c] / 255.0 - net_mean[c]) /
                        net_deviation[c];
                }
    }
    return input;
}

/* ---- kernels, one by one ---- */

typedef struct {
    const GpuFixture *f;
    Backend *gpu;
    const GpuLimits *limit;
    int batch, loud, off;
    double scale; /* of stored gradients */
    float *grads;
    double *input, *y[NET_BLOCKS]; /* y: the GPU's convolutions, which their gradients overwrite */
    int *labels;
} Compare;

static void check(Compare *c, int block, const char *what, double error, double most)
{
    bool ok = error < most;
    if (c->loud || !ok)
        printf("  %s %s %d %-28s %.2e%s\n", c->limit->name, block ? "block" : "step", block, what,
               error, ok ? "" : "  OFF");
    c->off += !ok;
}

/* k_choose: all of it integers, so equal. */
static void check_picks(Compare *c)
{
    const GpuFixture *f = c->f;
    int *got = xcalloc((size_t)c->batch, 5 * sizeof(int)), wrong = 0;
    gpu_peek_picks(c->gpu, got);
    for (int n = 0; n < c->batch; ++n) {
        uint32_t at = aug_order(5, 0, (uint32_t)n, (uint32_t)f->data.set[SET_TRAIN].count);
        AugCrop crop = aug_crop(5, 0, at, (uint32_t)(f->data.side - f->net.size + 1));
        const int want[5] = {(int)at, crop.x, crop.y, crop.flip,
                             f->data.set[SET_TRAIN].files[at].label};
        wrong += memcmp(want, got + 5 * n, sizeof want) != 0;
    }
    check(c, 0, "order, crops and flips", wrong, 0.5);
    free(got);
}

/* k_head and the last block's k_spread: act is what the block gives the head. */
static void check_head(Compare *c, const double *act, const double *line[3], double *want,
                       double *got)
{
    const Net *net = &c->f->net;
    const NetBlock *b = &net->block[NET_BLOCKS - 1];
    size_t all = (size_t)(c->batch * b->side * b->side) * (size_t)b->cout, fc = net->fc_weight;
    double *params = xcalloc(net->param_count, sizeof(double));
    double *grads = xcalloc(net->param_count, sizeof(double));
    double *dact = xcalloc(all / 4, sizeof(double));
    for (size_t i = 0; i < net->param_count; ++i)
        params[i] = (double)c->f->state.params[i];
    oracle_head(net, params, act, c->labels, c->batch, dact, grads);
    check(c, 0, "head: weight gradient",
          relative_error(c->grads + fc, grads + fc, net->param_count - fc), c->limit->sum);
    for (size_t k = 0; k < all / 4; ++k)
        dact[k] = act[k] > 0 ? dact[k] : 0;
    oracle_spread(c->y[NET_BLOCKS - 1], c->batch, b->side, b->cout, line[0], line[1], line[2], dact,
                  want);
    oracle_round(want, all, c->f->precision, c->scale);
    gpu_peek(c->gpu, NET_BLOCKS - 1, GPU_PEEK_DY, got);
    check(c, NET_BLOCKS, "output gradient", error_of(got, want, all), c->limit->rounded);
    free(params);
    free(grads);
    free(dact);
}

/* k_update: Nesterov's step from the GPU's own gradients. */
static void check_update(Compare *c, double rate)
{
    const Net *net = &c->f->net;
    NetState after;
    double *params = xcalloc(net->param_count, sizeof(double));
    double *momentum = xcalloc(net->param_count, sizeof(double));
    net_state_new(net, &after);
    c->gpu->ops->get(c->gpu, &after);
    for (size_t i = 0; i < net->param_count; ++i) {
        double p = (double)c->f->state.params[i], g = (double)c->grads[i] + NET_WEIGHT_DECAY * p;
        momentum[i] = NET_MOMENTUM * (double)c->f->state.momentum[i] + g;
        params[i] = p - rate * (g + NET_MOMENTUM * momentum[i]);
    }
    check(c, 0, "update: momentum", relative_error(after.momentum, momentum, net->param_count),
          1e-6);
    check(c, 0, "update: parameters", relative_error(after.params, params, net->param_count), 1e-6);
    net_state_free(&after);
    free(params);
    free(momentum);
}

/* k_first or k_conv*, k_norm*, k_spread*, k_dgrad*, k_wgrad* or k_first_back of a block. */
static void check_block(Compare *c, int i)
{
    const GpuFixture *f = c->f;
    const NetBlock *b = &f->net.block[i];
    const GpuLimits *limit = c->limit;
    int batch = c->batch;
    size_t pixels = (size_t)(batch * b->side * b->side), all = pixels * (size_t)b->cout;
    size_t below = pixels * (size_t)b->cin, weights = (size_t)(9 * b->cin * b->cout);
    double *in = xcalloc(below, sizeof(double)), *y = xcalloc(all, sizeof(double));
    double *w = xcalloc(weights, sizeof(double)), *dw = xcalloc(weights, sizeof(double));
    double *got = xcalloc(all, sizeof(double)), *want = xcalloc(all, sizeof(double));
    double *g = xcalloc(all / 4, sizeof(double)), *din = xcalloc(below, sizeof(double));
    double *act = xcalloc(all / 4, sizeof(double));
    double gamma[512], beta[512], mean[512], inverse[512];
    if (i)
        gpu_peek(c->gpu, i - 1, GPU_PEEK_ACT, in);
    else
        memcpy(in, c->input, below * sizeof(double));
    for (size_t k = 0; k < weights; ++k)
        w[k] = (double)f->state.params[b->weight + k];
    for (int k = 0; k < b->cout; ++k) {
        gamma[k] = (double)f->state.params[b->gamma + (size_t)k];
        beta[k] = (double)f->state.params[b->beta + (size_t)k];
    }
    oracle_round(w, weights, f->precision, 1);
    oracle_conv(in, batch, b->side, b->cin, b->cout, w, y);
    oracle_round(y, all, f->precision, 1);
    gpu_peek(c->gpu, i, GPU_PEEK_POOLED, got);
    if (c->y[i]) { /* from here on the GPU's own, whose roundings decide who wins a window */
        check(c, i + 1, "convolution", error_of(c->y[i], y, all), limit->convolution);
        memcpy(y, c->y[i], all * sizeof(double));
    }
    oracle_winners(y, batch, b->side, b->cout, gamma, want);
    check(c, i + 1, c->y[i] ? "winners" : "convolution and winners", error_of(got, want, all / 4),
          c->y[i] ? SAME : limit->convolution);
    oracle_statistics(y, pixels, b->cout, mean, inverse);
    for (size_t k = 0; k < all / 4; ++k) {
        size_t channel = k % (size_t)b->cout;
        double z = gamma[channel] * (want[k] - mean[channel]) * inverse[channel] + beta[channel];
        act[k] = z > 0 ? z : 0;
    }
    if (i == NET_BLOCKS - 1) {
        const double *line[3] = {gamma, mean, inverse};
        check_head(c, act, line, want, got);
    } else {
        oracle_round(act, all / 4, f->precision, 1);
        gpu_peek(c->gpu, i, GPU_PEEK_ACT, got);
        check(c, i + 1, "batch norm and ReLU", error_of(got, act, all / 4), limit->rounded);
        gpu_peek(c->gpu, i, GPU_PEEK_GPOOL, g);
        oracle_spread(y, batch, b->side, b->cout, gamma, mean, inverse, g, want);
        oracle_round(want, all, f->precision, c->scale);
        if (gpu_peek(c->gpu, i, GPU_PEEK_DY, got) == 0)
            check(c, i + 1, "output gradient", error_of(got, want, all), limit->rounded);
        else /* block 0's is never stored */
            memcpy(got, want, all * sizeof(double));
    }
    oracle_conv_back(in, batch, b->side, b->cin, b->cout, w, got, din, dw);
    check(c, i + 1, "weight gradient", relative_error(c->grads + b->weight, dw, weights),
          i ? limit->sum : limit->first_sum);
    if (i) { /* the gradient of the block below, where its ReLU passes */
        double *stored = xcalloc(below, sizeof(double));
        gpu_peek(c->gpu, i - 1, GPU_PEEK_GPOOL, stored);
        for (size_t k = 0; k < below; ++k)
            din[k] = in[k] > 0 ? din[k] : 0;
        oracle_round(din, below, f->precision, c->scale);
        check(c, i + 1, "input gradient", error_of(stored, din, below), limit->convolution);
        free(stored);
    }
    double *const parts[] = {in, y, w, dw, got, want, g, din, act};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
        free(parts[k]);
}

/* The step's forward pass ahead of the step, for its convolutions; then all as it was. */
static bool keep_convolutions(Compare *c)
{
    if (gpu_check_forward(c->gpu) != 0)
        return false;
    for (int i = 0; i < NET_BLOCKS; ++i) {
        const NetBlock *b = &c->f->net.block[i];
        size_t all = (size_t)(c->batch * b->side * b->side) * (size_t)b->cout;
        c->y[i] = xcalloc(all, sizeof(double));
        if (gpu_peek(c->gpu, i, GPU_PEEK_Y, c->y[i]) != 0) { /* block 0's is never stored */
            free(c->y[i]);
            c->y[i] = NULL;
        }
    }
    return c->gpu->ops->put(c->gpu, &c->f->state) == 0;
}

int gpu_compare_kernels(GpuFixture *f, int batch, int loud)
{
    BackendConfig config = gpu_fixture_config(f, batch);
    Compare c = {.f = f, .gpu = backend_gpu_open(&config), .batch = batch, .loud = loud};
    if (!c.gpu)
        return -1;
    c.limit = &gpu_limits[f->precision];
    c.scale = f->precision == ORACLE_FP16 ? net_gradient_scale(batch) : 1;
    c.labels = xcalloc((size_t)batch, sizeof(int));
    c.input = step_input(f, batch, c.labels);
    oracle_round(c.input, (size_t)(batch * f->net.size * f->net.size * 3), f->precision, 1);
    c.grads = xcalloc(f->net.param_count, sizeof(float));
    BackendPart part = {0, 0, 1, 0, 30, 0.1};
    BackendSums sums = {0};
    c.off = keep_convolutions(&c) ? 0 : -1;
    if (c.off || gpu_check_step(c.gpu, &part, &sums, c.grads) != 0) {
        c.off = -1;
    } else {
        check_picks(&c);
        for (int i = 0; i < NET_BLOCKS; ++i)
            check_block(&c, i);
        check_update(&c, net_rate(part.peak, 0, part.total));
    }
    c.gpu->ops->close(c.gpu);
    free(c.labels);
    free(c.input);
    free(c.grads);
    for (int i = 0; i < NET_BLOCKS; ++i)
        free(c.y[i]);
    return c.off;
}

/* ---- a step ---- */

double gpu_compare_step(GpuFixture *f, int batch, double *loss_error, int loud)
{
    BackendConfig config = gpu_fixture_config(f, batch);
    Backend *gpu = backend_gpu_open(&config);
    if (!gpu)
        return -1;
    long steps = (long)f->data.set[SET_TRAIN].count / batch;
    BackendPart part = {0, 0, 1, 0, steps * 3, 0.1};
    BackendSums sums = {0};
    float *grads = xcalloc(f->net.param_count, sizeof(float));
    double *want = xcalloc(f->net.param_count, sizeof(double)),
           *params = xcalloc(f->net.param_count, sizeof(double));
    double *running = xcalloc(f->net.running_count, sizeof(double)), worst = 0;
    int *labels = xcalloc((size_t)batch, sizeof(int));
    double *input = step_input(f, batch, labels);
    for (size_t i = 0; i < f->net.param_count; ++i)
        params[i] = (double)f->state.params[i];
    for (size_t i = 0; i < f->net.running_count; ++i)
        running[i] = (double)f->state.running[i];
    double loss =
        oracle_loss_rounded(&f->net, params, input, labels, batch, want, running, f->precision);
    if (gpu_check_step(gpu, &part, &sums, grads) != 0 || gpu->ops->get(gpu, &f->state) != 0)
        worst = -1;
    *loss_error = fabs(sums.loss - loss) / loss;
    NetTensor tensors[NET_ALL_TENSORS];
    net_tensors(&f->net, tensors);
    for (int i = 0; i < NET_ALL_TENSORS && worst >= 0; ++i) {
        const NetTensor *t = &tensors[i];
        double error =
            t->running ? relative_error(f->state.running + t->offset, running + t->offset, t->count)
                       : relative_error(grads + t->offset, want + t->offset, t->count);
        if (loud)
            printf("  %-24s %.2e\n", t->name, error);
        worst = error > worst ? error : worst;
    }
    if (loud)
        printf("  loss %.6f, oracle %.6f\n", sums.loss, loss);
    gpu->ops->close(gpu);
    free(grads);
    free(want);
    free(params);
    free(input);
    free(running);
    free(labels);
    return worst;
}
