/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU's rates through the C library, so that a driver alone is enough: copies as nvbandwidth
 * names them, peak arithmetic as clpeak does (chains of fused multiply-add), the time of an empty
 * launch. The library is opened at run time; on a machine without a GPU the engine can be measured
 * instead. */
#include "bench/bench.h"

#include "base/buf.h"
#include "gpukit/gpukit.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CALLS(X)                                                                                   \
    X(open)                                                                                        \
    X(close)                                                                                       \
    X(error_text)                                                                                  \
    X(device_info)                                                                                 \
    X(module_load)                                                                                 \
    X(module_free)                                                                                 \
    X(module_kernel)                                                                               \
    X(alloc)                                                                                       \
    X(free)                                                                                        \
    X(copy)                                                                                        \
    X(stream_new)                                                                                  \
    X(stream_free)                                                                                 \
    X(stream_wait)                                                                                 \
    X(launch)

static struct {
#define X(name) __typeof__(gpukit_##name) *name;
    CALLS(X)
#undef X
} gk;

typedef struct {
    GpukitContext *context;
    GpukitStream *stream;
    GpukitModule *module;
    GpukitDeviceInfo info;
    BenchResult *out;
    size_t bytes;
    GpukitStatus error;
} Bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { CHAINS = 16, BLOCK = 256, COPIES = 5 };

/* CHAINS independent chains; the sum is stored only if it is a value that it never is. */
static void put_kernel(Buf *out, const char *type, const char *reg, const char *m, const char *k)
{
    buf_printf(out,
               ".visible .entry fma_%s(.param .u64 p, .param .u32 rounds)\n{\n"
               "    .reg .%s %s<%d>;\n    .reg .b32 %%n, %%t;\n    .reg .b64 %%a;\n"
               "    .reg .pred %%go;\n    ld.param.u32 %%n, [rounds];\n    mov.u32 %%t, %%tid.x;\n"
               "    cvt.rn.%s.u32 %s0, %%t;\n",
               type, type, reg, CHAINS + 2, type, reg);
    for (int i = 1; i < CHAINS; ++i)
        buf_printf(out, "    add.rn.%s %s%d, %s%d, %s;\n", type, reg, i, reg, i - 1, k);
    buf_puts(out, "LOOP:\n");
    for (int i = 0; i < CHAINS; ++i)
        buf_printf(out, "    fma.rn.%s %s%d, %s%d, %s, %s;\n", type, reg, i, reg, i, m, k);
    buf_puts(out, "    sub.u32 %n, %n, 1;\n    setp.ne.u32 %go, %n, 0;\n    @%go bra LOOP;\n");
    for (int i = 1; i < CHAINS; ++i)
        buf_printf(out, "    add.rn.%s %s0, %s0, %s%d;\n", type, reg, reg, reg, i);
    buf_printf(out,
               "    setp.eq.%s %%go, %s0, %s;\n    @!%%go bra END;\n    ld.param.u64 %%a, [p];\n"
               "    st.global.%s [%%a], %s0;\nEND:\n    ret;\n}\n",
               type, reg, strcmp(type, "f32") ? "0dC000000000000000" : "0fC0000000", type, reg);
}

static void load_kernels(Bench *b)
{
    Buf ptx = {0};
    buf_puts(&ptx, ".version 6.0\n.target sm_50\n.address_size 64\n"
                   ".visible .entry nothing()\n{\n    ret;\n}\n");
    put_kernel(&ptx, "f32", "%f", "0f3F7FBE77", "0f3A83126F"); /* 0.999, 0.001 */
    put_kernel(&ptx, "f64", "%d", "0d3FEFF7CED916872B", "0d3F50624DD2F1A9FC");
    b->error = gk.module_load(b->context, ptx.data, ptx.count, &b->module);
    buf_free(&ptx);
}

/* Median GB/s of some copies after a first one. */
static double copy_rate(Bench *b, void *dst, const void *src)
{
    double times[COPIES];
    for (int i = -1; i < COPIES && !b->error; ++i) {
        double start = now();
        b->error = gk.copy(b->context, dst, src, b->bytes);
        if (i < 0)
            continue;
        double took = now() - start;
        int at = i;
        for (; at > 0 && times[at - 1] > took; --at)
            times[at] = times[at - 1];
        times[at] = took;
    }
    return b->error ? 0 : (double)b->bytes / times[COPIES / 2] * 1e-9;
}

static void copies(Bench *b)
{
    void *device = NULL, *other = NULL, *pinned = NULL, *pageable = malloc(b->bytes);
    if (!pageable) {
        b->error = 2;
        return;
    }
    memset(pageable, 1, b->bytes);
    b->error = gk.alloc(b->context, GPUKIT_DEVICE_MEMORY, b->bytes, &device);
    if (!b->error)
        b->error = gk.alloc(b->context, GPUKIT_DEVICE_MEMORY, b->bytes, &other);
    if (!b->error)
        b->error = gk.alloc(b->context, GPUKIT_PINNED_MEMORY, b->bytes, &pinned);
    if (!b->error) {
        memset(pinned, 1, b->bytes);
        bench_add(b->out, "host to device, pinned", "GB/s", copy_rate(b, device, pinned));
        bench_add(b->out, "host to device, pageable", "GB/s", copy_rate(b, device, pageable));
        bench_add(b->out, "device to host, pinned", "GB/s", copy_rate(b, pinned, device));
        bench_add(b->out, "device to host, pageable", "GB/s", copy_rate(b, pageable, device));
        /* read and written: twice the bytes of the copy */
        b->out->memory_gb_s = 2 * copy_rate(b, other, device);
        bench_add(b->out, "device to device, read and write", "GB/s", b->out->memory_gb_s);
    }
    if (pinned)
        gk.free(b->context, pinned);
    if (other)
        gk.free(b->context, other);
    if (device)
        gk.free(b->context, device);
    free(pageable);
}

static double launch_time(Bench *b, GpukitKernel *kernel, unsigned blocks, unsigned block,
                          void *const *arguments, int launches)
{
    const uint32_t grid[3] = {blocks, 1, 1}, shape[3] = {block, 1, 1};
    double start = now();
    for (int i = 0; i < launches && !b->error; ++i)
        b->error = gk.launch(b->stream, kernel, grid, shape, 0, arguments);
    if (!b->error)
        b->error = gk.stream_wait(b->stream);
    return now() - start;
}

/* Best GFLOP/s of runs of at least 20 ms. */
static double fma_rate(Bench *b, const char *name)
{
    GpukitKernel *kernel;
    unsigned blocks = (unsigned)b->info.multiprocessors * 8;
    void *nowhere = NULL;
    uint32_t rounds = 64;
    void *arguments[] = {&nowhere, &rounds};
    double best = 0, took = 0;
    b->error = gk.module_kernel(b->module, name, &kernel);
    if (!b->error)
        launch_time(b, kernel, blocks, BLOCK, arguments, 1); /* compiles */
    while (!b->error && took < 0.02 && rounds < 1u << 26) {
        rounds *= 2;
        took = launch_time(b, kernel, blocks, BLOCK, arguments, 1);
    }
    for (int i = 0; i < 3 && !b->error; ++i) {
        took = launch_time(b, kernel, blocks, BLOCK, arguments, 1);
        best = fmax(best, 2.0 * CHAINS * rounds * BLOCK * blocks / took * 1e-9);
    }
    return best;
}

static void rates(Bench *b)
{
    GpukitKernel *nothing;
    b->error = gk.module_kernel(b->module, "nothing", &nothing);
    if (b->error)
        return;
    launch_time(b, nothing, 1, 32, NULL, 1);
    double took = launch_time(b, nothing, 1, 32, NULL, 1000);
    bench_add(b->out, "empty launch, of 1000 in a row", "us", took * 1e3);
    took = INFINITY;
    for (int i = 0; i < 20 && !b->error; ++i)
        took = fmin(took, launch_time(b, nothing, 1, 32, NULL, 1));
    bench_add(b->out, "empty launch and wait", "us", took * 1e6);
    b->out->fp32_gflops = fma_rate(b, "fma_f32");
    bench_add(b->out, "fused multiply-add, fp32", "GFLOP/s", b->out->fp32_gflops);
    if (!b->error)
        b->out->fp64_gflops = fma_rate(b, "fma_f64");
    bench_add(b->out, "fused multiply-add, fp64", "GFLOP/s", b->out->fp64_gflops);
}

static bool open_library(const char *path, Diags *diags)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "cannot be opened: %s", dlerror());
        diag_help(diags, "install gpukit completely");
        return false;
    }
    void *found;
#define X(name)                                                                                    \
    found = dlsym(library, "gpukit_" #name);                                                       \
    memcpy(&gk.name, &found, sizeof found);                                                        \
    if (!found) {                                                                                  \
        diag_add(diags, DIAG_ERROR, path, 0, 0,                                                    \
                 "lacks gpukit_" #name ": is it of another version?");                             \
        return false;                                                                              \
    }
    CALLS(X)
#undef X
    return true;
}

int bench_gpu(const char *library, const char *device, size_t bytes, BenchResult *out, Diags *diags)
{
    Bench b = {.out = out, .bytes = bytes, .info = {.struct_bytes = sizeof b.info}};
    if (!open_library(library, diags))
        return EXIT_ENVIRONMENT;
    b.error = gk.open(device, &b.context);
    if (b.error) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "no %s to measure: %s", device,
                 gk.error_text(NULL));
        diag_help(diags,
                  "gpukit doctor says what is missing; `gpukit bench engine` measures the CPU "
                  "engine in its place");
        return EXIT_ENVIRONMENT;
    }
    b.error = gk.device_info(b.context, &b.info);
    if (!b.error) {
        snprintf(out->device, sizeof out->device, "%s", b.info.name);
        out->kind = strcmp(device, "gpu") == 0 ? "gpu" : "engine";
        b.error = gk.stream_new(b.context, &b.stream);
    }
    if (!b.error)
        load_kernels(&b);
    if (!b.error)
        copies(&b);
    if (!b.error)
        rates(&b);
    if (b.error)
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "the measurement failed with CUDA error %d: %s",
                 b.error, gk.error_text(b.context));
    gk.module_free(b.module);
    gk.stream_free(b.stream);
    gk.close(b.context);
    return b.error ? EXIT_ENVIRONMENT : 0;
}
