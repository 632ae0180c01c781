/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU's rates through the C library, so that a driver alone is enough: copies as nvbandwidth
 * names them, peak arithmetic as clpeak does (chains of one instruction), the tensor cores' rate
 * for mma.sync, the time of an empty launch. The library is opened at run time; on a machine
 * without a GPU the engine can be measured instead. */
#include "bench/bench.h"

#include "base/buf.h"
#include "base/clock.h"
#include "gpukit/gpukit.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    X(copy_async)                                                                                  \
    X(fill)                                                                                        \
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

enum { REGISTERS = 16, UNROLLED = 8, BLOCK = 256, COPIES = 5, IN_A_ROW = 8 };

/* One kernel: chains of one instruction. In `step` each $ stands for a chain's accumulators, %m and
 * %k for operands. Sources of the operation counts: PTX ISA (an mma of m x n x k is 2mnk operations
 * of a warp). mma.sync does not reach the peak of a Hopper GPU's tensor cores; wgmma would. */
typedef struct {
    const char *name, *unit, *as; /* as: what clpeak calls it */
    unsigned bits, count;         /* of one accumulator; accumulators of a chain */
    unsigned least_cc;            /* compute capability, 10 x major + minor */
    const char *ptx;              /* version and target */
    double operations;            /* of one thread in one step */
    uint64_t m, k, start;         /* bits */
    const char *step;
} Rate;

#define PTX_60 ".version 6.0\n.target sm_50\n"
#define PTX_61 ".version 6.0\n.target sm_61\n"
#define PTX_80 ".version 7.0\n.target sm_80\n"
#define PTX_89 ".version 8.4\n.target sm_89\n"
#define MMA(shape, a, b, c)                                                                        \
    "mma.sync.aligned." shape ".row.col." c "." a "." b "." c " $, {%m, %k, %m, %k}, {%k, %m}, $;"
static const Rate rates[] = {
    {"fused multiply-add, fp32", "GFLOP/s", "single-precision compute", 32, 1, 50, PTX_60, 2,
     0x3f7fbe77, 0x3a83126f, 0x3f800000, "fma.rn.f32 $, $, %m, %k;"},
    {"fused multiply-add, fp64", "GFLOP/s", "double-precision compute", 64, 1, 50, PTX_60, 2,
     0x3feff7ced916872b, 0x3f50624dd2f1a9fc, 0x3ff0000000000000, "fma.rn.f64 $, $, %m, %k;"},
    {"fused multiply-add, fp16", "GFLOP/s", "half-precision compute (half2)", 32, 1, 53, PTX_61, 4,
     0x3bfe3bfe, 0x14191419, 0x3c003c00, "fma.rn.f16x2 $, $, %m, %k;"},
    {"multiply-add, int32", "GOP/s", "integer compute", 32, 1, 50, PTX_60, 2, 1664525, 1013904223,
     1, "mad.lo.s32 $, $, %m, %k;"},
    {"dot products of 4, int8", "GOP/s", "INT8 DP compute", 32, 1, 61, PTX_61, 8, 0x01020304,
     0x05fb07f9, 1, "dp4a.s32.s32 $, $, %k, $;"},
    {"tensor cores, fp16 (mma.sync)", "GFLOP/s", "", 32, 4, 80, PTX_80, 128, 0x2c662c66, 0xac662a66,
     0x3f800000, MMA("m16n8k16", "f16", "f16", "f32")},
    {"tensor cores, bf16 (mma.sync)", "GFLOP/s", "", 32, 4, 80, PTX_80, 128, 0x3d8f3d8f, 0xbd8f3d4f,
     0x3f800000, MMA("m16n8k16", "bf16", "bf16", "f32")},
    {"tensor cores, tf32 (mma.sync)", "GFLOP/s", "", 32, 4, 80, PTX_80, 64, 0x3d8f0000, 0xbd4f0000,
     0x3f800000, MMA("m16n8k8", "tf32", "tf32", "f32")},
    {"tensor cores, int8 (mma.sync)", "GOP/s", "", 32, 4, 80, PTX_80, 256, 0x01fd0304, 0x05fb07f9,
     1, MMA("m16n8k32", "s8", "s8", "s32")},
    {"tensor cores, fp8 (mma.sync)", "GFLOP/s", "", 32, 4, 89, PTX_89, 256, 0x2c262b2c, 0xac2a2cab,
     0x3f800000, MMA("m16n8k32", "e4m3", "e4m3", "f32")},
    {"tensor cores, fp64 (mma.sync)", "GFLOP/s", "", 64, 2, 80, PTX_80, 16, 0x3fb1eb851eb851ec,
     0xbfa9eb851eb851ec, 0x3ff0000000000000,
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 $, {%m}, {%k}, $;"},
};

static unsigned chains_of(const Rate *r)
{
    return REGISTERS / (r->count * (r->bits / 32));
}

static void put_accumulators(Buf *out, const Rate *r, unsigned chain)
{
    for (unsigned i = 0; i < r->count; ++i)
        buf_printf(out, "%s%%c%u", i ? ", " : r->count > 1 ? "{" : "", chain * r->count + i);
    buf_puts(out, r->count > 1 ? "}" : "");
}

/* The accumulators' exclusive or is stored only if it is a value that it never is. */
static void put_kernel(Buf *out, const Rate *r)
{
    unsigned chains = chains_of(r), all = chains * r->count;
    buf_printf(out,
               "%s.address_size 64\n.visible .entry rate(.param .u64 p, .param .u32 rounds)\n{\n"
               "    .reg .b%u %%c<%u>, %%m, %%k, %%x;\n    .reg .b32 %%n, %%t;\n"
               "    .reg .b64 %%a;\n    .reg .pred %%go;\n"
               "    ld.param.u32 %%n, [rounds];\n    mov.u32 %%t, %%tid.x;\n"
               "    mov.b%u %%m, 0x%llx;\n    mov.b%u %%k, 0x%llx;\n    cvt.u%u.u32 %%x, %%t;\n",
               r->ptx, r->bits, all, r->bits, (unsigned long long)r->m, r->bits,
               (unsigned long long)r->k, r->bits);
    for (unsigned i = 0; i < all; ++i)
        buf_printf(out, "    add.u%u %%c%u, %%x, 0x%llx;\n", r->bits, i,
                   (unsigned long long)r->start + i);
    buf_puts(out, "LOOP:\n");
    for (unsigned i = 0; i < UNROLLED * chains; ++i) {
        buf_puts(out, "    ");
        for (const char *at = r->step; *at; ++at) {
            if (*at == '$')
                put_accumulators(out, r, i % chains);
            else
                buf_printf(out, "%c", *at);
        }
        buf_puts(out, "\n");
    }
    buf_puts(out, "    sub.u32 %n, %n, 1;\n    setp.ne.u32 %go, %n, 0;\n    @%go bra LOOP;\n");
    for (unsigned i = 1; i < all; ++i)
        buf_printf(out, "    xor.b%u %%c0, %%c0, %%c%u;\n", r->bits, i);
    buf_printf(out,
               "    setp.ne.u%u %%go, %%c0, 0x5bd1e995;\n    @%%go bra END;\n"
               "    ld.param.u64 %%a, [p];\n    st.global.b%u [%%a], %%c0;\nEND:\n    ret;\n}\n",
               r->bits, r->bits);
}

static const char memory_kernels[] =
    PTX_60 ".address_size 64\n"
           ".visible .entry nothing()\n{\n    ret;\n}\n"
           /* reads n units of 16 bytes, four at a time, a grid's width apart */
           ".visible .entry read(.param .u64 p, .param .u64 n)\n{\n"
           "    .reg .b32 %t, %u, %v, %x<17>;\n    .reg .b64 %a, %end, %step, %i;\n"
           "    .reg .pred %go;\n    ld.param.u64 %a, [p];\n    ld.param.u64 %end, [n];\n"
           "    mov.u32 %t, %tid.x;\n    mov.u32 %u, %ctaid.x;\n    mov.u32 %v, %ntid.x;\n"
           "    mad.lo.u32 %t, %u, %v, %t;\n    mov.u32 %u, %nctaid.x;\n"
           "    mul.wide.u32 %step, %u, %v;\n    shl.b64 %step, %step, 4;\n"
           "    shl.b64 %end, %end, 4;\n    add.u64 %end, %end, %a;\n"
           "    mul.wide.u32 %i, %t, 16;\n    add.u64 %a, %a, %i;\n    mov.u32 %x16, 0;\n"
           "LOOP:\n    setp.ge.u64 %go, %a, %end;\n    @%go bra DONE;\n"
           "    ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%a];\n    add.u64 %a, %a, %step;\n"
           "    ld.global.v4.u32 {%x4, %x5, %x6, %x7}, [%a];\n    add.u64 %a, %a, %step;\n"
           "    ld.global.v4.u32 {%x8, %x9, %x10, %x11}, [%a];\n    add.u64 %a, %a, %step;\n"
           "    ld.global.v4.u32 {%x12, %x13, %x14, %x15}, [%a];\n    add.u64 %a, %a, %step;\n"
           "    add.u32 %x0, %x0, %x1;\n    add.u32 %x2, %x2, %x3;\n    add.u32 %x4, %x4, %x5;\n"
           "    add.u32 %x6, %x6, %x7;\n    add.u32 %x8, %x8, %x9;\n    add.u32 %x10, %x10, %x11;\n"
           "    add.u32 %x12, %x12, %x13;\n    add.u32 %x14, %x14, %x15;\n"
           "    add.u32 %x0, %x0, %x2;\n    add.u32 %x4, %x4, %x6;\n    add.u32 %x8, %x8, %x10;\n"
           "    add.u32 %x12, %x12, %x14;\n    add.u32 %x0, %x0, %x4;\n"
           "    add.u32 %x8, %x8, %x12;\n    add.u32 %x0, %x0, %x8;\n"
           "    add.u32 %x16, %x16, %x0;\n    bra LOOP;\n"
           "DONE:\n    setp.ne.u32 %go, %x16, 0x5bd1e995;\n    @%go bra END;\n"
           "    st.global.u32 [%a], %x16;\nEND:\n    ret;\n}\n";

/* ---- copies ---- */

static double median(double *times)
{
    for (int i = 1; i < COPIES; ++i)
        for (int j = i; j > 0 && times[j - 1] > times[j]; --j) {
            double t = times[j];
            times[j] = times[j - 1];
            times[j - 1] = t;
        }
    return times[COPIES / 2];
}

/* Median GB/s of rounds of copies in a row after a first round; with a second pair, both directions
 * at once in two streams. */
static double copy_rate(Bench *b, void *const dst[2], const void *const src[2], size_t bytes)
{
    int pairs = dst[1] ? 2 : 1;
    GpukitStream *streams[2] = {b->stream, NULL};
    double times[COPIES] = {0};
    if (!b->error && pairs > 1)
        b->error = gk.stream_new(b->context, &streams[1]);
    for (int i = -1; i < COPIES && !b->error; ++i) {
        double start = clock_seconds();
        for (int k = 0; k < IN_A_ROW * pairs && !b->error; ++k)
            b->error = gk.copy_async(streams[k % pairs], dst[k % pairs], src[k % pairs], bytes);
        for (int k = 0; k < pairs && !b->error; ++k)
            b->error = gk.stream_wait(streams[k]);
        if (i >= 0)
            times[i] = clock_seconds() - start;
    }
    gk.stream_free(streams[1]);
    return b->error ? 0 : (double)bytes * IN_A_ROW * pairs / median(times) * 1e-9;
}

static double one_way(Bench *b, void *dst, const void *src, size_t bytes)
{
    return copy_rate(b, (void *const[2]){dst, NULL}, (const void *const[2]){src, NULL}, bytes);
}

static double launch_time(Bench *b, GpukitKernel *kernel, unsigned blocks, unsigned block,
                          void *const *arguments, int launches)
{
    const uint32_t grid[3] = {blocks, 1, 1}, shape[3] = {block, 1, 1};
    double start = clock_seconds();
    for (int i = 0; i < launches && !b->error; ++i)
        b->error = gk.launch(b->stream, kernel, grid, shape, 0, arguments);
    if (!b->error)
        b->error = gk.stream_wait(b->stream);
    return clock_seconds() - start;
}

/* GB/s of a kernel that reads; bytes: a multiple of all threads' reads. */
static double read_rate(Bench *b, void *device, size_t bytes)
{
    GpukitKernel *kernel;
    unsigned blocks = (unsigned)b->info.multiprocessors * 8;
    size_t once = (size_t)blocks * BLOCK * 64;
    uint64_t units =
        (bytes / once > 0 ? bytes / once * once : bytes / 64 / BLOCK * BLOCK * 64) / 16;
    void *arguments[] = {&device, &units};
    if (bytes < once)
        blocks = (unsigned)(units / 4 / BLOCK);
    double times[COPIES] = {0};
    b->error = gk.module_kernel(b->module, "read", &kernel);
    for (int i = -1; i < COPIES && !b->error; ++i) {
        double took = launch_time(b, kernel, blocks, BLOCK, arguments, IN_A_ROW);
        if (i >= 0)
            times[i] = took;
    }
    return b->error ? 0 : (double)units * 16 * IN_A_ROW / median(times) * 1e-9;
}

static void copies(Bench *b)
{
    /* larger than any cache of a GPU, so that its own memory is measured */
    size_t bytes = b->bytes, wide = strcmp(b->out->kind, "gpu") ? bytes : b->info.memory / 16;
    wide = wide > (size_t)2 << 30 ? (size_t)2 << 30 : wide < bytes ? bytes : wide & ~(size_t)65535;
    void *device = NULL, *other = NULL, *pinned = NULL, *more = NULL, *pageable = malloc(bytes);
    if (!pageable) {
        b->error = 2;
        return;
    }
    memset(pageable, 1, bytes);
    b->error = gk.alloc(b->context, GPUKIT_DEVICE_MEMORY, wide, &device);
    if (!b->error)
        b->error = gk.alloc(b->context, GPUKIT_DEVICE_MEMORY, wide, &other);
    if (!b->error)
        b->error = gk.alloc(b->context, GPUKIT_PINNED_MEMORY, bytes, &pinned);
    if (!b->error)
        b->error = gk.alloc(b->context, GPUKIT_PINNED_MEMORY, bytes, &more);
    if (!b->error) {
        memset(pinned, 1, bytes);
        memset(more, 1, bytes);
        b->error = gk.fill(b->stream, device, 1, wide);
    }
    if (!b->error)
        b->error = gk.fill(b->stream, other, 1, wide);
    bench_add(b->out, "host to device, pinned", "GB/s", one_way(b, device, pinned, bytes),
              "host_to_device_memcpy_ce");
    bench_add(b->out, "host to device, pageable", "GB/s", one_way(b, device, pageable, bytes), "");
    bench_add(b->out, "device to host, pinned", "GB/s", one_way(b, pinned, device, bytes),
              "device_to_host_memcpy_ce");
    bench_add(b->out, "device to host, pageable", "GB/s", one_way(b, pageable, device, bytes), "");
    bench_add(
        b->out, "both ways at once, pinned", "GB/s",
        copy_rate(b, (void *const[2]){device, more}, (const void *const[2]){pinned, other}, bytes),
        "host_to_device_bidirectional_memcpy_ce, both added");
    /* read and written: twice the bytes of the copy */
    double both = 2 * one_way(b, other, device, wide);
    bench_add(b->out, "device to device, read and write", "GB/s", both, "device_local_copy");
    double read = b->error ? 0 : read_rate(b, device, wide);
    bench_add(b->out, "device memory, read by a kernel", "GB/s", read, "global memory bandwidth");
    b->out->memory_gb_s = fmax(both, read);
    void *const all[] = {pinned, more, other, device};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i])
            gk.free(b->context, all[i]);
    free(pageable);
}

/* ---- rates ---- */

/* Best of runs of at least 20 ms, in 10^9 operations a second. */
static double rate(Bench *b, const Rate *r)
{
    Buf ptx = {0};
    GpukitModule *module = NULL;
    GpukitKernel *kernel;
    unsigned blocks = (unsigned)b->info.multiprocessors * 8;
    void *nowhere = NULL;
    uint32_t rounds = 1;
    void *arguments[] = {&nowhere, &rounds};
    double best = 0, took = 0;
    put_kernel(&ptx, r);
    b->error = gk.module_load(b->context, ptx.data, ptx.count, &module);
    buf_free(&ptx);
    if (!b->error)
        b->error = gk.module_kernel(module, "rate", &kernel);
    if (!b->error)
        launch_time(b, kernel, blocks, BLOCK, arguments, 1); /* compiles */
    while (!b->error && took < 0.02 && rounds < 1u << 26) {
        rounds *= 2;
        took = launch_time(b, kernel, blocks, BLOCK, arguments, 1);
    }
    for (int i = 0; i < 3 && !b->error; ++i) {
        took = launch_time(b, kernel, blocks, BLOCK, arguments, 1);
        best = fmax(best, r->operations * chains_of(r) * UNROLLED * rounds * BLOCK * blocks / took *
                              1e-9);
    }
    gk.module_free(module);
    return best;
}

static void all_rates(Bench *b)
{
    GpukitKernel *nothing;
    b->error = gk.module_kernel(b->module, "nothing", &nothing);
    if (b->error)
        return;
    launch_time(b, nothing, 1, 32, NULL, 1);
    double took = launch_time(b, nothing, 1, 32, NULL, 1000);
    bench_add(b->out, "empty launch, of 1000 in a row", "us", took * 1e3, "");
    took = INFINITY;
    for (int i = 0; i < 20 && !b->error; ++i)
        took = fmin(took, launch_time(b, nothing, 1, 32, NULL, 1));
    bench_add(b->out, "empty launch and wait", "us", took * 1e6, "kernel launch latency");
    bool engine = strcmp(b->out->kind, "engine") == 0;
    for (size_t i = 0; i < sizeof rates / sizeof *rates && !b->error; ++i) {
        const Rate *r = &rates[i];
        unsigned cc = (unsigned)(b->info.cc_major * 10 + b->info.cc_minor);
        if (cc < r->least_cc || (engine && r->count > 1))
            continue; /* not in this GPU; the engine has no tensor cores to measure */
        double found = rate(b, r);
        bench_add(b->out, r->name, r->unit, found, r->as);
        if (i == 0)
            b->out->fp32_gflops = found;
        if (i == 1)
            b->out->fp64_gflops = found;
    }
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
        b.error = gk.module_load(b.context, memory_kernels, sizeof memory_kernels - 1, &b.module);
    if (!b.error)
        copies(&b);
    if (!b.error)
        all_rates(&b);
    if (b.error)
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "the measurement failed with CUDA error %d: %s",
                 b.error, gk.error_text(b.context));
    gk.module_free(b.module);
    gk.stream_free(b.stream);
    gk.close(b.context);
    return b.error ? EXIT_ENVIRONMENT : 0;
}
