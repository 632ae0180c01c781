// SPDX-License-Identifier: Apache-2.0
// cudaLimitStackSize: a recursion that is too deep is an error of the launch, and works with more stack.
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
    int result;
    size_t limit;
    bool good = recurse(20, &result) == cudaSuccess && result == 20;
    cudaError_t full = recurse(100000, &result);
    good = good && (full == cudaErrorLaunchFailure || full == cudaErrorIllegalAddress) && result == -1;
    good = good && cudaDeviceReset() == cudaSuccess && cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10) == cudaSuccess &&
           cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaSuccess && limit == 256 << 10;
    good = good && recurse(1500, &result) == cudaSuccess && result == 1500;
    std::printf("%s\n", good ? "passed" : "FAILED");
    return !good;
}
