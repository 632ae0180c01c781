/* SPDX-License-Identifier: Apache-2.0
 * On a machine with a GPU: checks a step against the bf16 twin, then times kernels and steps.
 * bench_trainer_gpu [BATCH] [PICTURES]. Exit 1 when the check fails; 3 without a GPU. */
#include "gpu_fixture.h"

#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double total;

static void print_kernel(const char *name, double ms)
{
    printf("  %-14s %8.2f us\n", name, 1000 * ms);
    total += ms;
}

int main(int argc, char **argv)
{
    int batch = argc > 1 ? atoi(argv[1]) : 128;
    size_t pictures = argc > 2 ? (size_t)atol(argv[2]) : 8192;
    GpuFixture f;
    double loss_error = 0, start = now();
    gpu_fixture_new(&f, 64, 2, 32, 8);
    int off = gpu_compare_kernels(&f, 8, 1);
    printf("kernels against their twins: %s\n", off ? "OFF" : "all agree");
    double worst = gpu_compare_step(&f, 6, &loss_error, 1);
    printf("check of a step: largest relative error %.2e, loss %.2e\n", worst, loss_error);
    if (worst < 0) {
        diags_print(&f.diags, stderr);
        return 3;
    }
    bool bad = off || !(worst < 0.05 && loss_error < 0.01); /* a rounding may change a winner */
    gpu_fixture_free(&f);
    gpu_fixture_new(&f, 64, 2, pictures, 256);
    BackendConfig config = gpu_fixture_config(&f, batch);
    start = now();
    Backend *gpu = backend_gpu_open(&config);
    if (!gpu) {
        diags_print(&f.diags, stderr);
        return 3;
    }
    printf("%s: opened in %.3f s, %.1f MiB\n", gpu->device, now() - start,
           (double)gpu->memory / 1048576);
    long steps = (long)pictures / batch, epochs = 60;
    float *first = xcalloc(f.net.param_count, sizeof(float));
    for (int round = 0; round < 2; ++round) { /* twice: the same bits */
        gpu->ops->put(gpu, &f.state);
        NetState after;
        net_state_new(&f.net, &after);
        double best = 1e9, loss = 0;
        for (long e = 0; e < epochs; ++e) {
            BackendPart part = {(int)e, 0, steps, e * steps, epochs * steps, 0.05};
            BackendSums sums = {0};
            start = now();
            if (gpu->ops->run(gpu, &part, &sums) != 0)
                break;
            double seconds = now() - start;
            best = seconds < best ? seconds : best;
            loss = sums.loss / (double)steps;
        }
        gpu->ops->get(gpu, &after);
        printf("batch %d: best epoch %.0f images/s, %.1f us a step, last loss %.4f\n", batch,
               (double)(steps * batch) / best, 1e6 * best / (double)steps, loss);
        if (round == 0)
            memcpy(first, after.params, f.net.param_count * sizeof(float));
        else if (memcmp(first, after.params, f.net.param_count * sizeof(float)) != 0)
            bad = printf("NOT the same bits in the second run\n") > 0;
        net_state_free(&after);
    }
    gpu_time_kernels(gpu, 50, print_kernel);
    printf("  sum            %8.2f us\n", 1000 * total);
    diags_print(&f.diags, stderr);
    gpu->ops->close(gpu);
    gpu_fixture_free(&f);
    printf("%s\n", bad ? "FAILED" : "passed");
    return bad;
}
