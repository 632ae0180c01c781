/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel from C, without a CUDA compiler: PTX text, loaded and launched through libgpukit.
 *
 *     cc c_api.c $(pkg-config --cflags --libs gpukit) -o c_api && ./c_api
 *
 * Adds two vectors and compares with plain C; exit status 1 when they differ. */
#include <gpukit/gpukit.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 100000 };

static const char ptx[] = ".version 7.8\n"
                          ".target sm_50\n"
                          ".address_size 64\n"
                          ".visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n)\n"
                          "{\n"
                          "  .reg .pred %p<2>;\n"
                          "  .reg .b32 %r<6>;\n"
                          "  .reg .b64 %rd<6>;\n"
                          "  .reg .f32 %f<4>;\n"
                          "  ld.param.u64 %rd1, [a];\n"
                          "  ld.param.u64 %rd2, [b];\n"
                          "  ld.param.u32 %r1, [n];\n"
                          "  mov.u32 %r2, %ctaid.x;\n"
                          "  mov.u32 %r3, %ntid.x;\n"
                          "  mov.u32 %r4, %tid.x;\n"
                          "  mad.lo.s32 %r5, %r2, %r3, %r4;\n"
                          "  setp.ge.u32 %p1, %r5, %r1;\n"
                          "  @%p1 bra done;\n"
                          "  mul.wide.u32 %rd3, %r5, 4;\n"
                          "  add.s64 %rd4, %rd1, %rd3;\n"
                          "  add.s64 %rd5, %rd2, %rd3;\n"
                          "  ld.global.f32 %f1, [%rd4];\n"
                          "  ld.global.f32 %f2, [%rd5];\n"
                          "  add.f32 %f3, %f1, %f2;\n"
                          "  st.global.f32 [%rd4], %f3;\n"
                          "done:\n"
                          "  ret;\n"
                          "}\n";

static void check(GpukitStatus status)
{
    if (status) {
        fprintf(stderr, "%s\n", gpukit_error_text(NULL));
        exit(1);
    }
}

int main(void)
{
    static float a[N], b[N], sum[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i * 0.5f;
        b[i] = 100.0f - (float)i;
    }
    GpukitContext *context;
    GpukitModule *module;
    GpukitKernel *add;
    GpukitStream *stream;
    void *da, *db;
    check(gpukit_open(NULL, &context));
    check(gpukit_module_load(context, ptx, sizeof ptx - 1, &module));
    check(gpukit_module_kernel(module, "add", &add));
    check(gpukit_stream_new(context, &stream));
    check(gpukit_alloc(context, GPUKIT_DEVICE_MEMORY, sizeof a, &da));
    check(gpukit_alloc(context, GPUKIT_DEVICE_MEMORY, sizeof b, &db));
    check(gpukit_copy(context, da, a, sizeof a));
    check(gpukit_copy(context, db, b, sizeof b));

    uint32_t n = N, grid[3] = {(N + 255) / 256, 1, 1}, block[3] = {256, 1, 1};
    void *arguments[] = {&da, &db, &n};
    check(gpukit_launch(stream, add, grid, block, 0, arguments));
    check(gpukit_stream_wait(stream));
    check(gpukit_copy(context, sum, da, sizeof sum));

    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += sum[i] != a[i] + b[i];
    GpukitDeviceInfo info = {.struct_bytes = sizeof info};
    check(gpukit_device_info(context, &info));
    printf("%d sums on the %s (as %s), %d wrong\n", N, info.kind, info.name, wrong);

    check(gpukit_free(context, da));
    check(gpukit_free(context, db));
    gpukit_stream_free(stream);
    gpukit_module_free(module);
    gpukit_close(context);
    return wrong != 0;
}
