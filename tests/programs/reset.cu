// SPDX-License-Identifier: Apache-2.0
// cudaDeviceReset without a fault before it: memory is freed, device variables have their first values
// again, limits too. As an H200 does it.
#include <cstdio>

__device__ int counter = 5;
__constant__ int constant = 7;
__global__ void change(int *out) { *out = counter++ + constant; }

int main()
{
    int failures = 0;
    auto expect = [&](const char *what, long got, long wanted) {
        if (got != wanted)
            std::printf("%s: %ld, expected %ld\n", what, got, wanted);
        failures += got != wanted;
    };
    size_t before, after, total, limit = 0;
    cudaFree(nullptr);
    cudaMemGetInfo(&before, &total);
    for (int round = 0; round < 3; round++) {
        int *p, *small, h = 0, ten = 10;
        expect("cudaMalloc", cudaMalloc(&p, 64 << 20), 0);
        expect("cudaMalloc", cudaMalloc(&small, 100), 0);
        expect("cudaMallocHost", cudaMallocHost(&small, 100), 0);
        cudaMemcpyToSymbol(constant, &ten, sizeof ten);
        cudaDeviceSetLimit(cudaLimitStackSize, 8192);
        change<<<1, 1>>>(p);
        cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
        expect("5 + 10", h, 15);
        expect("cudaDeviceReset", cudaDeviceReset(), 0);
        expect("a copy from before", cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
        cudaGetLastError();
        cudaMemGetInfo(&after, &total);
        if (after + (32 << 20) < before) // the driver's own share may differ
            std::printf("%zu of %zu bytes are free after the reset\n", after, before), failures++;
        cudaDeviceGetLimit(&limit, cudaLimitStackSize);
        expect("the stack's limit", limit, 1024);
        cudaMemcpyFromSymbol(&h, counter, sizeof h);
        expect("the variable", h, 5);
        cudaMemcpyFromSymbol(&h, constant, sizeof h);
        expect("the constant", h, 7);
    }
    std::printf("%s\n", failures ? "FAILED" : "passed");
    return failures != 0;
}
