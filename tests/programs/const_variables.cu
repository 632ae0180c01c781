// SPDX-License-Identifier: Apache-2.0
// Constant variables of the device that no kernel names: the host finds their address, size and value.
#include <cstdio>

__device__ const int pair[2] = {3, 4};
static __device__ const float single = 2.5f;
__device__ constexpr long long expression = 9;
__constant__ const int constant = 5;
namespace {
__device__ const double hidden = 1.5;
}
__global__ void read(const int *a, const float *b, const double *c, double *out)
{
    *out = a[0] * 1000 + a[1] * 100 + *b * 10 + *c;
}

static int wrong;
template <class T> static const void *find(const T &symbol, const T *value)
{
    void *address = nullptr;
    size_t size = 0;
    T copy;
    wrong += cudaGetSymbolAddress(&address, symbol) || cudaGetSymbolSize(&size, symbol) || size != sizeof(T) ||
             cudaMemcpyFromSymbol(&copy, symbol, sizeof copy);
    wrong += !wrong && __builtin_memcmp(&copy, value, sizeof copy) != 0;
    return address;
}

int main()
{
    const int two[2] = {3, 4}, five = 5;
    const float half = 2.5f;
    const long long nine = 9;
    const double last = 1.5;
    double *out;
    cudaMallocManaged(&out, sizeof *out);
    *out = 0;
    const void *a = find(pair, &two), *b = find(single, &half), *c = find(hidden, &last);
    find(expression, &nine);
    find(constant, &five);
    read<<<1, 1>>>((const int *)a, (const float *)b, (const double *)c, out);
    wrong += cudaDeviceSynchronize() || *out != 3426.5;
    printf("%g\n%s\n", *out, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
