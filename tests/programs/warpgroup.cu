/* SPDX-License-Identifier: Apache-2.0
 * wgmma: products of four warps with operands in shared memory, in every swizzling mode and transposed,
 * and with A in registers, against the same computed on the host (PTX ISA, "Matrix Descriptor").
 * Needs --arch sm_90a */
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>

typedef unsigned long long u64;
enum { M = 64, N = 16, K = 16 };

/* Where byte `at` of line `line` lies; lines are rows of A and columns of B, or steps of k. */
__device__ unsigned place(int mode, bool transposed, int line, int at)
{
    if (mode == 0) /* blocks of 8 lines of 16 bytes: eights of lines 256 bytes apart, chunks 128 */
        return line / 8 * 256 + at / 16 * 128 + line % 8 * 16 + at % 16;
    int width = 256 >> mode; /* 128, 64, 32 */
    unsigned p = (transposed ? line / 8 * 8 * width + at / width * 16 * width : line / 8 * 8 * width) + line % 8 * width + at % width;
    return p ^ (p >> 7 & (7 >> (mode - 1))) << 4;
}
__device__ u64 descriptor(const void *p, int mode, bool transposed)
{
    unsigned start = (unsigned)__cvta_generic_to_shared(p), width = 256 >> mode, leading, stride;
    if (mode == 0)
        leading = transposed ? 256 : 128, stride = transposed ? 128 : 256;
    else
        leading = 16 * width, stride = 8 * width;
    return (u64)(start >> 4) | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32 | (u64)mode << 62;
}

#define D8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define O8 "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])

template <bool transposed> __global__ void product(const half *a, const half *b, float *out, int mode, int keep, int from_registers)
{
    extern __shared__ __align__(1024) char memory[];
    char *sa = memory, *sb = memory + 8192;
    int t = threadIdx.x;
    for (int i = t; i < M * K; i += 128)
        *(half *)(sa + place(mode, false, i / K, i % K * 2)) = a[i];
    for (int i = t; i < N * K; i += 128) /* b: [k][n] */
        *(half *)(sb + (transposed ? place(mode, true, i / N, i % N * 2) : place(mode, false, i % N, i / N * 2))) = b[i];
    __syncthreads();
    float d[8];
    for (int i = 0; i < 8; i++)
        d[i] = 1;
    u64 da = descriptor(sa, mode, false), db = descriptor(sb, mode, transposed);
    asm volatile("wgmma.fence.sync.aligned;");
    if (from_registers) {
        unsigned x[4];
        int row = t / 32 * 16 + t % 32 / 4, k = t % 4 * 2;
        for (int r = 0; r < 4; r++)
            x[r] = *(const unsigned *)(a + (row + r % 2 * 8) * K + k + r / 2 * 8);
        asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %13, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " D8 ", {%8,%9,%10,%11}, %12, p, -1, 1, %14;\n}"
                     : O8
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(db), "r"(keep), "n"(transposed ? 1 : 0));
    } else {
        asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %10, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " D8 ", %8, %9, p, 1, 1, 0, %11;\n}"
                     : O8
                     : "l"(da), "l"(db), "r"(keep), "n"(transposed ? 1 : 0));
    }
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;");
    for (int i = 0; i < 8; i++)
        out[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + t % 4 * 2 + i % 2] = d[i];
}

int main()
{
    half *a, *b;
    float *out;
    cudaMallocManaged(&a, M * K * sizeof *a);
    cudaMallocManaged(&b, N * K * sizeof *b);
    cudaMallocManaged(&out, M * N * sizeof *out);
    for (int i = 0; i < M * K; i++)
        a[i] = (half)(float)(i * 7 % 13 - 6);
    for (int i = 0; i < N * K; i++)
        b[i] = (half)(float)(i * 5 % 11 - 5);
    int bad = 0;
    for (int variant = 0; variant < 16; variant++) {
        int mode = variant % 4, transposed = variant / 4 % 2, registers = variant / 8, keep = variant % 3 > 0;
        for (int i = 0; i < M * N; i++)
            out[i] = -1e9f;
        if (transposed)
            product<true><<<1, 128, 16384>>>(a, b, out, mode, keep, registers);
        else
            product<false><<<1, 128, 16384>>>(a, b, out, mode, keep, registers);
        bad += cudaDeviceSynchronize() != cudaSuccess;
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float s = 0;
                for (int k = 0; k < K; k++)
                    s += (float)a[i * K + k] * (float)b[k * N + j];
                bad += out[i * N + j] != (registers ? -s : s) + keep;
            }
        if (bad)
            printf("variant %d: %d wrong\n", variant, bad);
    }
    puts(bad ? "FAILED" : "passed");
    return bad != 0;
}
