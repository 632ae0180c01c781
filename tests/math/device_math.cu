// SPDX-License-Identifier: Apache-2.0
// Every function of functions.def on the device; see host_math.c.
#include "device_inputs.h"

#include <cinttypes>
#include <cstdio>

#define ONE(fn, ...)                                                                                         \
    __global__ void kernel_##fn(const double *x, const double *, const float *xf, const float *, double *r,  \
                                float *rf)                                                                   \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        r[i] = fn(x[i]);                                                                                     \
        rf[i] = fn##f(xf[i]);                                                                                \
    }
#define TWO(fn, ...)                                                                                         \
    __global__ void kernel_##fn(const double *x, const double *y, const float *xf, const float *yf,          \
                                double *r, float *rf)                                                        \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        r[i] = fn(x[i], y[i]);                                                                               \
        rf[i] = fn##f(xf[i], yf[i]);                                                                         \
    }
#include "functions.def"
#undef ONE
#undef TWO

static double *x, *y, *r;
static float *xf, *yf, *rf;

template <class K> static void run(const char *name, K kernel)
{
    kernel<<<INPUTS / 256, 256>>>(x, y, xf, yf, r, rf);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("%s %s\n", name, cudaGetErrorString(e));
        exit(1);
    }
    uint64_t h = 1469598103934665603u, g = h;
    for (int i = 0; i < INPUTS; ++i) {
        h = hash_double(h, r[i]);
        g = hash_float(g, rf[i]);
    }
    printf("%s %016" PRIx64 " %016" PRIx64 "\n", name, h, g);
}

int main()
{
    cudaMallocManaged(&x, INPUTS * 8);
    cudaMallocManaged(&y, INPUTS * 8);
    cudaMallocManaged(&r, INPUTS * 8);
    cudaMallocManaged(&xf, INPUTS * 4);
    cudaMallocManaged(&yf, INPUTS * 4);
    cudaMallocManaged(&rf, INPUTS * 4);
    for (int i = 0; i < INPUTS; ++i) {
        x[i] = input_double(i, 0);
        y[i] = input_double(i, 5);
        xf[i] = input_float(i, 0);
        yf[i] = input_float(i, 5);
    }
#define ONE(fn, ...) run(#fn, kernel_##fn);
#define TWO(fn, ...) run(#fn, kernel_##fn);
#include "functions.def"
    return 0;
}
