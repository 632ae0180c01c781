/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts how often each byte value occurs: with atomics on global memory, where all threads meet on
 * 256 addresses, and with a private table per block in shared memory that is added up at the end.
 * usage: histogram [BYTES] */
#include "example.h"

#include <string.h>

enum { BINS = 256 };

__global__ void histogram_global(const unsigned char *in, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_shared(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static int check(const char *name, const unsigned *device, const unsigned *expected)
{
    unsigned bins[BINS];
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(bins, device, sizeof bins, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < BINS; ++i)
        if (bins[i] != expected[i] && wrong++ < 5)
            printf("%s: wrong: value %d counted %u times, not %u\n", name, i, bins[i], expected[i]);
    printf("%s: %d of %d counts differ from plain C\n", name, wrong, BINS);
    return wrong;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1 << 20), wrong = 0;
    unsigned char *in = (unsigned char *)host_alloc(n, 1), *device;
    unsigned expected[BINS] = {0}, *bins, seed = 5;
    for (int i = 0; i < n; ++i) { /* the sum of two dice of 128: a triangle, not a flat line */
        in[i] = (unsigned char)(random_bits(&seed) % 128 + random_bits(&seed) % 128);
        ++expected[in[i]];
    }
    CHECK(cudaMalloc(&device, n));
    CHECK(cudaMalloc(&bins, sizeof expected));
    CHECK(cudaMemcpy(device, in, n, cudaMemcpyHostToDevice));

    CHECK(cudaMemset(bins, 0, sizeof expected));
    histogram_global<<<264, BINS>>>(device, bins, n);
    wrong += check("histogram_global", bins, expected);
    CHECK(cudaMemset(bins, 0, sizeof expected));
    histogram_shared<<<264, BINS>>>(device, bins, n);
    wrong += check("histogram_shared", bins, expected);

    CHECK(cudaFree(device));
    CHECK(cudaFree(bins));
    free(in);
    return wrong ? 1 : 0;
}
