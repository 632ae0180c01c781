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
} GpuFixture;

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
        set->pixels = xmalloc(counts[s] * bytes + 1);
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
    for (int s = 0; s < SETS; ++s) {
        free(f->data.set[s].pixels);
        free(f->data.set[s].files);
    }
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
                           .precision = "bf16",
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

/* The largest relative error of a tensor's gradient against the oracle; prints each when loud.
 * *loss_error: relative. -1 when the step failed. */
static inline double gpu_compare_step(GpuFixture *f, int batch, double *loss_error, int loud)
{
    BackendConfig config = gpu_fixture_config(f, batch);
    Backend *gpu = backend_gpu_open(&config);
    if (!gpu)
        return -1;
    int size = f->net.size, side = f->data.side;
    long steps = (long)f->data.set[SET_TRAIN].count / batch;
    BackendPart part = {0, 0, 1, 0, steps * 3, 0.1};
    BackendSums sums = {0};
    float *grads = xcalloc(f->net.param_count, sizeof(float));
    double *want = xcalloc(f->net.param_count, sizeof(double)),
           *params = xcalloc(f->net.param_count, sizeof(double));
    double *input = xcalloc((size_t)(batch * size * size * 3), sizeof(double)), worst = 0;
    double *running = xcalloc(f->net.running_count, sizeof(double));
    int *labels = xcalloc((size_t)batch, sizeof(int));
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
    for (size_t i = 0; i < f->net.param_count; ++i)
        params[i] = (double)f->state.params[i];
    for (size_t i = 0; i < f->net.running_count; ++i)
        running[i] = (double)f->state.running[i];
    double loss = oracle_loss_bf16(&f->net, params, input, labels, batch, want, running);
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
