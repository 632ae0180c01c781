/* SPDX-License-Identifier: Apache-2.0
 * Checks each kernel and a whole step against their twins, on a GPU or on gpukit's engine, then
 * times them, in each precision. bench_trainer_gpu [BATCH] [PICTURES] [EPOCHS] [PRECISION], 0
 * epochs for the checks alone. Exit 1 when a check fails; 3 without a GPU. */
#include "gpu_fixture.h"
#include "base/arena.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double total;

static void print_kernel(const char *name, double ms)
{
    printf("  %-14s %8.2f us\n", name, 1000 * ms);
    total += ms;
}

/* Trains twice, which must give the same bits, and times each kernel. True when well. */
static bool measure(GpuFixture *f, int batch, long epochs)
{
    BackendConfig config = gpu_fixture_config(f, batch);
    double start = clock_seconds();
    Backend *gpu = backend_gpu_open(&config);
    if (!gpu)
        return false;
    printf("%s, %s: opened in %.3f s, %.1f MiB\n", gpu->device, config.precision, clock_seconds() - start,
           (double)gpu->memory / 1048576);
    long steps = (long)f->data.set[SET_TRAIN].count / batch;
    float *first = xcalloc(f->net.param_count, sizeof(float));
    bool ok = true;
    for (int round = 0; round < 2 && ok; ++round) {
        gpu->ops->put(gpu, &f->state);
        NetState after;
        net_state_new(&f->net, &after);
        double best = 1e9, loss = 0;
        for (long e = 0; e < epochs && ok; ++e) {
            BackendPart part = {(int)e, 0, steps, e * steps, epochs * steps, 0.05};
            BackendSums sums = {0};
            start = clock_seconds();
            ok = gpu->ops->run(gpu, &part, &sums) == 0;
            double seconds = clock_seconds() - start;
            best = seconds < best ? seconds : best;
            loss = sums.loss / (double)steps;
        }
        ok = ok && gpu->ops->get(gpu, &after) == 0;
        printf("batch %d: best epoch %.0f images/s, %.1f us a step, last loss %.4f\n", batch,
               (double)(steps * batch) / best, 1e6 * best / (double)steps, loss);
        if (round == 0)
            memcpy(first, after.params, f->net.param_count * sizeof(float));
        else if (memcmp(first, after.params, f->net.param_count * sizeof(float)) != 0)
            ok = printf("NOT the same bits in the second run\n") < 0;
        net_state_free(&after);
    }
    total = 0;
    if (ok)
        ok = gpu_time_kernels(gpu, 50, print_kernel) == 0;
    printf("  sum            %8.2f us\n", 1000 * total);
    gpu->ops->close(gpu);
    free(first);
    return ok;
}

int main(int argc, char **argv)
{
    int batch = argc > 1 ? atoi(argv[1]) : 128;
    size_t pictures = argc > 2 ? (size_t)atol(argv[2]) : 8192;
    long epochs = argc > 3 ? atol(argv[3]) : 60;
    bool ok = true, any = false;
    for (int p = ORACLE_BF16; p < ORACLE_DOUBLE; ++p) {
        if (argc > 4 && strcmp(argv[4], gpu_limits[p].name) != 0)
            continue;
        any = true;
        GpuFixture f;
        double loss_error = 0;
        gpu_fixture_new(&f, 64, 2, 32, 8);
        f.precision = (OracleRounding)p;
        int off = gpu_compare_kernels(&f, 8, 1);
        double worst = off < 0 ? -1 : gpu_compare_step(&f, 6, &loss_error, 1);
        diags_print(&f.diags, stderr);
        gpu_fixture_free(&f);
        if (worst < 0)
            return 3;
        printf("%s: kernels against their twins: %s\n", gpu_limits[p].name,
               off ? "OFF" : "all agree");
        printf("check of a step: largest relative error %.2e, loss %.2e\n", worst, loss_error);
        ok = ok && !off && worst < gpu_limits[p].step && loss_error < 0.01;
        fflush(stdout);
        if (!epochs)
            continue;
        gpu_fixture_new(&f, 64, 2, pictures, 256);
        f.precision = (OracleRounding)p;
        ok = measure(&f, batch, epochs) && ok;
        diags_print(&f.diags, stderr);
        gpu_fixture_free(&f);
    }
    printf("%s\n", ok && any ? "passed" : "FAILED");
    return !(ok && any);
}
