/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor's memory bandwidth (the four loops of McCalpin's STREAM, counted as there: without
 * the lines that a store first reads) and its peak rate of fused multiply-add. Best of the rounds.
 */
#include "base/clock.h"
#include "bench/bench.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 6, CHAINS = 16, STEPS = 1 << 18 };

typedef enum { LOOP_COPY, LOOP_SCALE, LOOP_ADD, LOOP_TRIAD, LOOP_F32, LOOP_F64, LOOP_COUNT } Loop;

typedef struct {
    double *a, *b, *c;
    size_t count; /* of all threads together */
    int threads;
    pthread_barrier_t barrier;
    Loop loop;
} Work;

typedef struct {
    Work *work;
    int index;
    volatile double sink;
} Worker;

/* Independent chains of x = x * m + k, enough of them to fill the pipelines. One body, compiled for
 * each instruction set. */
#define FMA_LOOP(name, attribute, type, bytes)                                                     \
    attribute static double name(void)                                                             \
    {                                                                                              \
        typedef type Vector __attribute__((vector_size(bytes)));                                   \
        Vector x[CHAINS], m, k;                                                                    \
        for (size_t i = 0; i < sizeof m / sizeof m[0]; ++i)                                        \
            m[i] = (type)0.999, k[i] = (type)0.001;                                                \
        for (int i = 0; i < CHAINS; ++i)                                                           \
            x[i] = k * (type)i;                                                                    \
        for (int step = 0; step < STEPS; ++step) {                                                 \
            _Pragma("GCC unroll 16") for (int i = 0; i < CHAINS; ++i) x[i] = x[i] * m + k;         \
            __asm__ volatile("" ::: "memory");                                                     \
        }                                                                                          \
        double sum = 0;                                                                            \
        for (int i = 0; i < CHAINS; ++i)                                                           \
            sum += (double)x[i][0];                                                                \
        return sum;                                                                                \
    }
#if defined(__x86_64__)
FMA_LOOP(f32_512, __attribute__((target("avx512f"))), float, 64)
FMA_LOOP(f64_512, __attribute__((target("avx512f"))), double, 64)
FMA_LOOP(f32_256, __attribute__((target("avx2,fma"))), float, 32)
FMA_LOOP(f64_256, __attribute__((target("avx2,fma"))), double, 32)
#endif
FMA_LOOP(f32_128, , float, 16)
FMA_LOOP(f64_128, , double, 16)

static int vector_bytes(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return 64;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 32;
#endif
    return 16;
}

static double fma_loop(bool wide)
{
#if defined(__x86_64__)
    if (vector_bytes() == 64)
        return wide ? f64_512() : f32_512();
    if (vector_bytes() == 32)
        return wide ? f64_256() : f32_256();
#endif
    return wide ? f64_128() : f32_128();
}

static void run_loop(Worker *w)
{
    Work *work = w->work;
    size_t first = work->count * (size_t)w->index / (size_t)work->threads;
    size_t last = work->count * ((size_t)w->index + 1) / (size_t)work->threads;
    double *restrict a = work->a, *restrict b = work->b, *restrict c = work->c;
    switch (work->loop) {
    case LOOP_COPY:
        for (size_t i = first; i < last; ++i)
            c[i] = a[i];
        break;
    case LOOP_SCALE:
        for (size_t i = first; i < last; ++i)
            b[i] = 3.0 * c[i];
        break;
    case LOOP_ADD:
        for (size_t i = first; i < last; ++i)
            c[i] = a[i] + b[i];
        break;
    case LOOP_TRIAD:
        for (size_t i = first; i < last; ++i)
            a[i] = b[i] + 3.0 * c[i];
        break;
    default:
        w->sink = fma_loop(work->loop == LOOP_F64);
    }
}

/* Rounds of every loop; the main thread is worker 0 and takes the times. */
static void *worker_main(void *argument)
{
    Worker *w = argument;
    Work *work = w->work;
    size_t first = work->count * (size_t)w->index / (size_t)work->threads;
    size_t last = work->count * ((size_t)w->index + 1) / (size_t)work->threads;
    for (size_t i = first; i < last; ++i) /* pages lie near the thread that touches them first */
        work->a[i] = 1, work->b[i] = 2, work->c[i] = 0;
    for (int n = 0; n < LOOP_COUNT * ROUNDS; ++n) {
        pthread_barrier_wait(&work->barrier); /* worker 0 has set the loop */
        run_loop(w);
        pthread_barrier_wait(&work->barrier);
    }
    return NULL;
}

static void measure(Worker *first, double best[LOOP_COUNT])
{
    Work *work = first->work;
    for (size_t i = 0; i < work->count / (size_t)work->threads; ++i)
        work->a[i] = 1, work->b[i] = 2, work->c[i] = 0;
    for (int loop = 0; loop < LOOP_COUNT; ++loop) {
        best[loop] = INFINITY;
        for (int round = 0; round < ROUNDS; ++round) {
            work->loop = (Loop)loop;
            pthread_barrier_wait(&work->barrier);
            double start = clock_seconds();
            run_loop(first);
            pthread_barrier_wait(&work->barrier);
            best[loop] = fmin(best[loop], clock_seconds() - start);
        }
    }
}

static void processor_name(char *out, size_t room)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[512];
    snprintf(out, room, "this processor");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            colon[1 + strcspn(colon + 1, "\n")] = 0;
            snprintf(out, room, "%s", colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

int bench_cpu(size_t bytes, int threads, BenchResult *out, Diags *diags)
{
    Work work = {.count = bytes / sizeof(double), .threads = threads};
    int status = 0, started = 0;
    work.a = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    work.b = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    work.c = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    Worker *workers = calloc((size_t)threads, sizeof *workers);
    pthread_t *ids = calloc((size_t)threads, sizeof *ids);
    if (!work.a || !work.b || !work.c || !workers || !ids) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "no memory for three arrays of %zu bytes", bytes);
        diag_help(diags, "choose smaller ones with --size");
        status = EXIT_ENVIRONMENT;
        goto done;
    }
    pthread_barrier_init(&work.barrier, NULL, (unsigned)threads);
    for (int i = 0; i < threads; ++i)
        workers[i] = (Worker){&work, i, 0};
    for (int i = 1; i < threads && !status; ++i, ++started)
        if (pthread_create(&ids[i], NULL, worker_main, &workers[i]) != 0) {
            fprintf(stderr, "gpukit bench: cannot start %d threads\n", threads);
            exit(EXIT_ENVIRONMENT); /* the others wait at a barrier that will never open */
        }
    double best[LOOP_COUNT];
    measure(&workers[0], best);
    for (int i = 1; i <= started; ++i)
        pthread_join(ids[i], NULL);
    pthread_barrier_destroy(&work.barrier);
    static const char *const names[] = {"STREAM copy", "STREAM scale", "STREAM add",
                                        "STREAM triad"};
    static const char *const likwid[] = {"likwid-bench copy", "", "", "likwid-bench stream"};
    static const double moved[] = {2, 2, 3, 3};
    processor_name(out->device, sizeof out->device);
    out->kind = "cpu";
    out->threads = threads;
    for (int i = 0; i < LOOP_F32; ++i)
        bench_add(out, names[i], "GB/s", moved[i] * (double)bytes / best[i] * 1e-9, likwid[i]);
    double steps = 2.0 * CHAINS * STEPS * threads * vector_bytes();
    out->fp32_gflops = steps / 4 / best[LOOP_F32] * 1e-9;
    out->fp64_gflops = steps / 8 / best[LOOP_F64] * 1e-9;
    out->memory_gb_s = 3.0 * (double)bytes / best[LOOP_TRIAD] * 1e-9;
    bench_add(out, "fused multiply-add, fp32", "GFLOP/s", out->fp32_gflops,
              "likwid-bench peakflops_sp");
    bench_add(out, "fused multiply-add, fp64", "GFLOP/s", out->fp64_gflops,
              "likwid-bench peakflops");
done:
    free(work.a);
    free(work.b);
    free(work.c);
    free(workers);
    free(ids);
    return status;
}
