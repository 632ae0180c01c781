// SPDX-License-Identifier: Apache-2.0
// Inline PTX whose special registers have one percent sign, which nvcc takes, beside operands.
#include <cstdio>

__device__ unsigned lane()
{
    unsigned x;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(x));
    return x;
}
__device__ unsigned sum(unsigned a)
{
    unsigned x;
    asm("{ .reg .u32 %t; mov.u32 %%t, %tid.x;\n\t"
        "add.u32 %0, %t, %1; }"
        : "=r"(x)
        : "r"(a));
    return x;
}
__global__ void kernel(unsigned *out)
{
    out[threadIdx.x] = lane() * 1000 + sum(7);
}

int main()
{
    unsigned *out, wrong = 0;
    cudaMallocManaged(&out, 64 * sizeof *out);
    kernel<<<1, 64>>>(out);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (unsigned i = 0; i < 64; ++i)
        wrong += out[i] != i % 32 * 1000 + i + 7;
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
