/* SPDX-License-Identifier: Apache-2.0
 * In which memory an address lies: __isGlobal and its kin, of addresses known at run time only. */
#include <cstdio>

__constant__ int constant[4] = {1, 2, 3, 4};
__device__ int global[4];

__device__ __noinline__ int where(const void *p)
{
    return __isGlobal(p) | __isShared(p) << 1 | __isConstant(p) << 2 | __isLocal(p) << 3;
}

__global__ void ask(int *found, int n)
{
    __shared__ int shared[64];
    int local[4];
    local[n & 3] = shared[threadIdx.x] = n;
    const void *places[5] = {found, global + n, shared + threadIdx.x, constant + (n & 3), local + (n & 3)};
    for (int i = 0; i < 5; i++)
        found[threadIdx.x * 5 + i] = where(places[(i + threadIdx.x) % 5]);
}

int main()
{
    const int wanted[5] = {1, 1, 2, 4, 8};
    int *found, host[320], bad = 0;
    cudaMalloc(&found, sizeof host);
    cudaMemset(found, 0, sizeof host);
    ask<<<1, 64>>>(found, 1);
    cudaMemcpy(host, found, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 320; i++)
        bad += host[i] != wanted[(i % 5 + i / 5) % 5];
    printf("%d addresses in the wrong memory\n", bad);
    return bad != 0;
}
