// SPDX-License-Identifier: Apache-2.0
// cudaLimitStackSize: a recursion works as deep as the stack allows; beyond it the launch is an error, for
// which the process is lost. Limits and error are an H200's.
#include <cstdio>

__device__ __noinline__ int depth(int n, volatile int *keep)
{
    volatile int local[16];
    local[n % 16] = n + *keep;
    if (n == 0)
        return local[0] - *keep;
    return 1 + depth(n - 1, keep) + (local[n % 16] - n - *keep);
}

__global__ void run(int n, int *out)
{
    *out = depth(n, out + 1);
}

static cudaError_t recurse(int n, int *result)
{
    int *d;
    cudaMalloc(&d, 2 * sizeof *d);
    cudaMemset(d, 0, 2 * sizeof *d);
    run<<<1, 1>>>(n, d);
    *result = -1;
    cudaError_t error = cudaMemcpy(result, d, sizeof *result, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

int main()
{
    int result, failures = 0;
    size_t limit = 0;
    auto expect = [&](const char *what, long got, long wanted) {
        if (got != wanted)
            std::printf("%s: %ld, expected %ld\n", what, got, wanted);
        failures += got != wanted;
    };
    expect("depth 5", recurse(5, &result), cudaSuccess);
    expect("its result", result, 5);
    expect("cudaDeviceSetLimit", cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10), cudaSuccess);
    expect("cudaDeviceGetLimit", cudaDeviceGetLimit(&limit, cudaLimitStackSize), cudaSuccess);
    expect("the limit", limit, 256 << 10);
    expect("depth 1,000", recurse(1000, &result), cudaSuccess);
    expect("its result", result, 1000);
    expect("depth 1,000,000", recurse(1000000, &result), cudaErrorIllegalAddress);
    expect("its result", result, -1);
    std::printf("%s\n", failures ? "FAILED" : "passed");
    return failures != 0;
}
