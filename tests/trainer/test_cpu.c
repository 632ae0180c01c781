/* SPDX-License-Identifier: Apache-2.0
 * CPU back end against the double oracle, the oracle against finite differences, the layout of the
 * random order and crops, and the same bits for any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/arena.h"
#include "trainer/augment.h"
#include "trainer/cpu.h"
#include "trainer/net.h"
#include "trainer/oracle.h"

typedef struct {
    Net net;
    NetState state;
    int count;
    uint8_t *pixels;
    CpuPicture *pictures;
    double *input, *params;
    int *labels;
} Fixture;

/* Random pictures with crops and flips, and the same input normalised for the oracle. */
static void fixture_new(Fixture *f, int size, int classes, int count)
{
    int side = size + size / 8;
    net_init(&f->net, size, classes);
    net_state_new(&f->net, &f->state);
    net_state_init(&f->net, &f->state, 7);
    /* Batch norm away from 1 and 0, some slopes negative: the pool must then take the smallest. */
    for (int i = 0; i < NET_BLOCKS; ++i)
        for (int c = 0; c < f->net.block[i].cout; ++c) {
            f->state.params[f->net.block[i].gamma + (size_t)c] =
                c % 5 == 3 ? -0.7f : 0.6f + 0.01f * (float)(c % 50);
            f->state.params[f->net.block[i].beta + (size_t)c] = 0.3f * (float)(c % 3 - 1);
        }
    f->count = count;
    f->pixels = xmalloc((size_t)(count * side * side * 3));
    for (int i = 0; i < count * side * side * 3; ++i)
        f->pixels[i] = (uint8_t)aug_draw(1, 2, (uint32_t)i);
    f->pictures = xcalloc((size_t)count, sizeof *f->pictures);
    f->labels = xcalloc((size_t)count, sizeof(int));
    f->input = xcalloc((size_t)(count * size * size * 3), sizeof(double));
    for (int n = 0; n < count; ++n) {
        AugCrop crop = aug_crop(3, 0, (uint32_t)n, (uint32_t)(side - size + 1));
        f->labels[n] = n % classes;
        f->pictures[n] = (CpuPicture){f->pixels + (size_t)(n * side * side * 3),
                                      side,
                                      crop.x,
                                      crop.y,
                                      crop.flip,
                                      f->labels[n]};
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                for (int c = 0; c < 3; ++c) {
                    int from = crop.x + (crop.flip ? size - 1 - x : x);
                    double v = f->pictures[n].pixels[((y + crop.y) * side + from) * 3 + c] / 255.0;
                    f->input[((n * size + y) * size + x) * 3 + c] =
                        (v - net_mean[c]) / net_deviation[c];
                }
    }
    f->params = xmalloc(sizeof(double) * f->net.param_count);
    for (size_t i = 0; i < f->net.param_count; ++i)
        f->params[i] = (double)f->state.params[i];
}

static void fixture_free(Fixture *f)
{
    net_state_free(&f->state);
    free(f->pixels);
    free(f->pictures);
    free(f->labels);
    free(f->input);
    free(f->params);
}

static double relative(const float *got, const double *want, size_t count)
{
    double error = 0, norm = 0;
    for (size_t i = 0; i < count; ++i) {
        error += ((double)got[i] - want[i]) * ((double)got[i] - want[i]);
        norm += want[i] * want[i];
    }
    return sqrt(error / (norm > 0 ? norm : 1));
}

static void check_kernels(const char *name)
{
    const CpuKernels *kernels = cpu_kernels(name);
    if (!kernels) {
        print_message("this processor has no %s: not run\n", name);
        return;
    }
    Fixture f;
    fixture_new(&f, 32, 3, 5);
    Pool *pool = pool_new(2);
    size_t need;
    CpuNet *cpu = cpu_new(&f.net, 5, pool, kernels, &f.state, &need);
    double right, *grads = xcalloc(f.net.param_count, sizeof(double));
    double *running = xcalloc(f.net.running_count, sizeof(double));
    for (size_t i = 0; i < f.net.running_count; ++i)
        running[i] = (double)f.state.running[i];
    double want = oracle_loss(&f.net, f.params, f.input, f.labels, f.count, grads, running);
    double got = cpu_gradients(cpu, f.pictures, f.count, &right);
    assert_true(fabs(got - want) < 1e-5 * want);
    NetTensor tensors[NET_ALL_TENSORS];
    net_tensors(&f.net, tensors);
    for (int i = 0; i < NET_ALL_TENSORS; ++i) {
        const NetTensor *t = &tensors[i];
        double error = t->running
                           ? relative(f.state.running + t->offset, running + t->offset, t->count)
                           : relative(cpu_grads(cpu) + t->offset, grads + t->offset, t->count);
        if (!(error < 2e-4))
            fail_msg("%s: %s differs from the oracle by %g", kernels->name, t->name, error);
    }
    free(grads);
    free(running);
    cpu_free(cpu);
    pool_free(pool);
    fixture_free(&f);
}

static void test_avx512(void **state)
{
    (void)state;
    check_kernels("avx512");
}

static void test_avx2(void **state)
{
    (void)state;
    check_kernels("avx2");
}

static void test_plain(void **state)
{
    (void)state;
    check_kernels("plain");
}

/* The oracle's own gradients, by central differences on a few parameters of each tensor. */
static void test_oracle(void **state)
{
    (void)state;
    Fixture f;
    fixture_new(&f, 16, 2, 3);
    double *grads = xcalloc(f.net.param_count, sizeof(double));
    oracle_loss(&f.net, f.params, f.input, f.labels, f.count, grads, NULL);
    NetTensor tensors[NET_ALL_TENSORS];
    net_tensors(&f.net, tensors);
    for (int i = 0; i < NET_ALL_TENSORS; ++i) {
        if (tensors[i].running)
            continue;
        for (int k = 0; k < 4; ++k) {
            size_t at =
                tensors[i].offset + aug_draw(5, (uint32_t)i, (uint32_t)k) % tensors[i].count;
            double keep = f.params[at], step = 1e-5;
            f.params[at] = keep + step;
            double up = oracle_loss(&f.net, f.params, f.input, f.labels, f.count, NULL, NULL);
            f.params[at] = keep - step;
            double down = oracle_loss(&f.net, f.params, f.input, f.labels, f.count, NULL, NULL);
            f.params[at] = keep;
            double slope = (up - down) / (2 * step);
            if (!(fabs(slope - grads[at]) < 1e-6 + 1e-4 * fabs(slope)))
                fail_msg("%s[%zu]: difference %g, gradient %g", tensors[i].name, at, slope,
                         grads[at]);
        }
    }
    free(grads);
    fixture_free(&f);
}

static void test_threads(void **state)
{
    (void)state;
    Fixture f[2];
    for (int i = 0; i < 2; ++i) {
        fixture_new(&f[i], 32, 2, 8);
        Pool *pool = pool_new(i ? 3 : 1);
        size_t need;
        CpuNet *cpu = cpu_new(&f[i].net, 8, pool, cpu_kernels(NULL), &f[i].state, &need);
        for (int step = 0; step < 3; ++step) {
            double right;
            cpu_gradients(cpu, f[i].pictures, 8, &right);
            cpu_update(cpu, 0.05);
        }
        cpu_free(cpu);
        pool_free(pool);
    }
    assert_memory_equal(f[0].state.params, f[1].state.params, sizeof(float) * f[0].net.param_count);
    assert_memory_equal(f[0].state.running, f[1].state.running,
                        sizeof(float) * f[0].net.running_count);
    fixture_free(&f[0]);
    fixture_free(&f[1]);
}

static void test_order(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < 700; n = n * 3 / 2 + 1) {
        uint8_t *seen = xcalloc(n, 1);
        uint32_t same = 0;
        for (uint32_t i = 0; i < n; ++i) {
            uint32_t at = aug_order(9, 4, i, n);
            assert_true(at < n);
            assert_int_equal(seen[at], 0);
            seen[at] = 1;
            same += at == aug_order(9, 5, i, n);
        }
        if (n > 100)
            assert_true(same < n / 8); /* another epoch has another order */
        free(seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle), cmocka_unit_test(test_avx512),  cmocka_unit_test(test_avx2),
        cmocka_unit_test(test_plain),  cmocka_unit_test(test_threads), cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
