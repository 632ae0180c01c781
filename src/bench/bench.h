/* SPDX-License-Identifier: Apache-2.0
 *
 * Rates of this machine: bandwidths in nvbandwidth's and STREAM's terms, peak arithmetic in
 * clpeak's. */
#ifndef GPUKIT_BENCH_BENCH_H
#define GPUKIT_BENCH_BENCH_H

#include "base/diag.h"

#include <stddef.h>

enum { BENCH_MOST = 32 };

typedef struct {
    const char *name; /* "STREAM triad", "host to device, pinned" */
    const char *unit; /* "GB/s", "GFLOP/s", "us" */
    double value;
    const char *as; /* its name in nvbandwidth, clpeak or STREAM; "" without one */
} BenchRate;

typedef struct {
    char device[256];
    const char *kind; /* "cpu", "gpu"; "engine": the described GPU on the CPU */
    int threads;
    BenchRate rates[BENCH_MOST];
    int count;
    double memory_gb_s, fp32_gflops, fp64_gflops; /* for the roofline; 0 unknown */
} BenchResult;

/* bytes: of one array. 0, or an exit code with a diagnostic. */
int bench_cpu(size_t bytes, int threads, BenchResult *out, Diags *diags);
/* device: "gpu", or "cpu" for the engine. library: libgpukit.so. */
int bench_gpu(const char *library, const char *device, size_t bytes, BenchResult *out,
              Diags *diags);
int bench_roofline(const BenchResult *result, const char *base, Diags *diags);

static inline void bench_add(BenchResult *out, const char *name, const char *unit, double value,
                             const char *as)
{
    if (out->count < BENCH_MOST)
        out->rates[out->count++] = (BenchRate){name, unit, value, as};
}

#endif
