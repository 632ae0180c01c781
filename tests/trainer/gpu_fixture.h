/* SPDX-License-Identifier: Apache-2.0
 *
 * A made-up data set in memory and the comparison of a GPU step with the double oracle, for the
 * emulator's test and for the check on a real GPU. */
#ifndef GPUKIT_TESTS_GPU_FIXTURE_H
#define GPUKIT_TESTS_GPU_FIXTURE_H

#include "base/arena.h"
#include "trainer/augment.h"
#include "trainer/gpu.h"
#include "trainer/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Dataset data;
    Net net;
    NetState state;
    Pool *pool;
    Diags diags;
    OracleRounding precision;
} GpuFixture;

/* What a precision is called, and the largest relative errors allowed: of a convolution, of what is
 * rounded afterwards, of output gradients (where a rounding can move a ReLU), of sums over the
 * batch, of the gradients of a whole step (where a rounding can change which pixel wins a window).
 * fp32: the matrix units cut sums off instead of rounding them; an H200 is 1e-6 to 1.5e-5 off. */
typedef struct {
    const char *name;
    double convolution, rounded, output, sum, first_sum, step;
} GpuLimits;

static const GpuLimits gpu_limits[] = {
    [ORACLE_BF16] = {"bf16", 1e-3, 2e-3, 5e-3, 1e-4, 5e-3, 0.05},
    [ORACLE_FP16] = {"fp16", 2e-4, 3e-4, 1e-3, 1e-4, 1e-3, 0.05},
    [ORACLE_TF32] = {"tf32", 2e-4, 3e-4, 1e-3, 1e-4, 1e-3, 0.05},
    [ORACLE_FP32] = {"fp32", 5e-5, 5e-5, 5e-5, 5e-5, 5e-5, 1e-3},
};

static inline void gpu_fixture_new(GpuFixture *f, int size, int classes, size_t train, size_t test)
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
    net_state_init(&f->net, &f->state, 11);
    for (int i = 0; i < NET_BLOCKS; ++i)
        for (int c = 0; c < f->net.block[i].cout; ++c) {
            f->state.params[f->net.block[i].gamma + (size_t)c] =
                c % 7 == 3 ? -0.8f : 0.9f + 0.004f * (float)(c % 50);
            f->state.params[f->net.block[i].beta + (size_t)c] = 0.2f * (float)(c % 3 - 1);
        }
}

static inline void gpu_fixture_free(GpuFixture *f)
{
    for (int s = 0; s < SETS; ++s)
        free(f->data.set[s].files);
    free(f->data.memory);
    net_state_free(&f->state);
    pool_free(f->pool);
    diags_fini(&f->diags);
}

static inline BackendConfig gpu_fixture_config(GpuFixture *f, int batch)
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

static inline double relative_error(const float *got, const double *want, size_t count)
{
    double error = 0, norm = 0;
    for (size_t i = 0; i < count; ++i) {
        error += ((double)got[i] - want[i]) * ((double)got[i] - want[i]);
        norm += want[i] * want[i];
    }
    double r = sqrt(error / (norm > 0 ? norm : 1));
    return r >= 0 ? r : 1e9; /* NaN never passes */
}

static inline double error_of(const double *got, const double *want, size_t count)
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
static inline double *step_input(const GpuFixture *f, int batch, int *labels)
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

/* Each kernel alone against its twin in double, fed with what the GPU itself had as input. Prints a
 * line each when loud; returns how many are off, -1 when a step failed. */
static inline int gpu_compare_kernels(GpuFixture *f, int batch, int loud)
{
    BackendConfig config = gpu_fixture_config(f, batch);
    Backend *gpu = backend_gpu_open(&config);
    if (!gpu)
        return -1;
    const Net *net = &f->net;
    const GpuLimits *limit = &gpu_limits[f->precision];
    double scale = f->precision == ORACLE_FP16 ? net_gradient_scale(batch) : 1;
    int *labels = xcalloc((size_t)batch, sizeof(int)), off = 0;
    double *input = step_input(f, batch, labels);
    oracle_round(input, (size_t)(batch * net->size * net->size * 3), f->precision, 1);
    float *grads = xcalloc(net->param_count, sizeof(float));
    BackendPart part = {0, 0, 1, 0, 30, 0.1};
    BackendSums sums = {0};
    if (gpu_check_step(gpu, &part, &sums, grads) != 0)
        off = -1;
    for (int i = 0; i < NET_BLOCKS && off >= 0; ++i) {
        const NetBlock *b = &net->block[i];
        size_t pixels = (size_t)(batch * b->side * b->side), all = pixels * (size_t)b->cout;
        size_t below = pixels * (size_t)b->cin, weights = (size_t)(9 * b->cin * b->cout);
        double *in = xcalloc(below, sizeof(double)), *y = xcalloc(all, sizeof(double));
        double *w = xcalloc(weights, sizeof(double)), *dw = xcalloc(weights, sizeof(double));
        double *got = xcalloc(all, sizeof(double)), *want = xcalloc(all, sizeof(double));
        double *g = xcalloc(all / 4, sizeof(double)), *din = xcalloc(below, sizeof(double));
        double gamma[512], beta[512], mean[512], inverse[512], error;
#define CHECK(what, e, most)                                                                       \
    do {                                                                                           \
        error = (e);                                                                               \
        if (loud || !(error < (most)))                                                             \
            printf("  %s block %d %-28s %.2e%s\n", limit->name, i + 1, what, error,                \
                   error < (most) ? "" : "  OFF");                                                 \
        off += !(error < (most));                                                                  \
    } while (0)
        if (i)
            gpu_peek(gpu, i - 1, GPU_PEEK_ACT, in);
        else
            memcpy(in, input, below * sizeof(double));
        for (size_t k = 0; k < weights; ++k)
            w[k] = (double)f->state.params[b->weight + k];
        for (int c = 0; c < b->cout; ++c) {
            gamma[c] = (double)f->state.params[b->gamma + (size_t)c];
            beta[c] = (double)f->state.params[b->beta + (size_t)c];
        }
        oracle_round(w, weights, f->precision, 1);
        oracle_conv(in, batch, b->side, b->cin, b->cout, w, y);
        oracle_round(y, all, f->precision, 1);
        oracle_statistics(y, pixels, b->cout, mean, inverse);
        oracle_winners(y, batch, b->side, b->cout, gamma, want);
        gpu_peek(gpu, i, GPU_PEEK_POOLED, got);
        CHECK("convolution and winners", error_of(got, want, all / 4), limit->convolution);
        if (gpu_peek(gpu, i, GPU_PEEK_ACT, got) == 0) {
            for (size_t k = 0; k < all / 4; ++k) {
                int c = (int)(k % (size_t)b->cout);
                double z = gamma[c] * (want[k] - mean[c]) * inverse[c] + beta[c];
                want[k] = z > 0 ? z : 0;
            }
            oracle_round(want, all / 4, f->precision, 1);
            CHECK("batch norm and ReLU", error_of(got, want, all / 4), limit->rounded);
        }
        if (gpu_peek(gpu, i, GPU_PEEK_GPOOL, g) == 0) {
            oracle_spread(y, batch, b->side, b->cout, gamma, beta, mean, inverse, g, want);
            oracle_round(want, all, f->precision, scale);
            if (i) {
                gpu_peek(gpu, i, GPU_PEEK_Y, got);
                CHECK("output gradient", error_of(got, want, all), limit->output);
            } else {
                memcpy(got, want, all * sizeof(double)); /* never stored on the GPU */
            }
        } else {
            gpu_peek(gpu, i, GPU_PEEK_Y, got);
        }
        oracle_conv_back(in, batch, b->side, b->cin, b->cout, w, got, din, dw);
        CHECK("weight gradient", relative_error(grads + b->weight, dw, weights),
              i ? limit->sum : limit->first_sum);
        if (i) { /* the gradient of the block below, where its ReLU passes */
            double *below_g = xcalloc(below, sizeof(double)), *act = xcalloc(below, sizeof(double));
            gpu_peek(gpu, i - 1, GPU_PEEK_GPOOL, below_g);
            for (size_t k = 0; k < below; ++k)
                din[k] = in[k] > 0 ? din[k] : 0;
            oracle_round(din, below, f->precision, scale);
            CHECK("input gradient", error_of(below_g, din, below), limit->convolution);
            free(below_g);
            free(act);
        }
#undef CHECK
        double *const parts[] = {in, y, w, dw, got, want, g, din};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
            free(parts[k]);
    }
    gpu->ops->close(gpu);
    free(labels);
    free(input);
    free(grads);
    return off;
}

/* The largest relative error of a tensor's gradient against the oracle; prints each when loud.
 * *loss_error: relative. -1 when the step failed. */
static inline double gpu_compare_step(GpuFixture *f, int batch, double *loss_error, int loud)
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

#endif
