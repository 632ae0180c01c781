/* SPDX-License-Identifier: Apache-2.0
 * A recursive function with 56 live values over 8 calls that lanes take or do not: values of lanes
 * that wait, in every place, against the same on the host. */
#include <cstdio>
#include <cstdlib>
enum { VALUES = 56, CALLS = 8, THREADS = 64, DEPTH = 4 };

__host__ __device__ __noinline__ int walk(int depth, int x, const int *in)
{
    if (depth <= 0)
        return x * 3 + in[x & 63];
    int v[VALUES], a = 0;
#pragma unroll
    for (int i = 0; i < VALUES; ++i)
        v[i] = in[(x + 7 * i) & 63] + depth * (i + 1);
#pragma unroll
    for (int c = 0; c < CALLS; ++c) {
        if ((x >> c & 1) || (v[c] & 2))
            a += walk(depth - 1, x ^ v[c] ^ a, in);
        else
            a ^= v[c + 1];
#pragma unroll
        for (int i = 0; i < VALUES; ++i)
            v[i] ^= a >> (i + c) % 13;
    }
    unsigned sum = (unsigned)a;
#pragma unroll
    for (int i = 0; i < VALUES; ++i)
        sum = sum * 31 + (unsigned)v[i];
    return (int)(sum & 0xffffff);
}

__global__ void k(const int *in, int *out)
{
    out[threadIdx.x] = walk(DEPTH, (int)threadIdx.x, in);
}

int main()
{
    int in[THREADS], got[THREADS] = {0}, wrong = 0, *device_in, *device_out;
    for (int i = 0; i < THREADS; ++i)
        in[i] = i * 77 % 1000;
    cudaDeviceSetLimit(cudaLimitStackSize, 4096); /* five frames of what lives across one call */
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof got);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    k<<<1, THREADS>>>(device_in, device_out);
    cudaError_t error = cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; ++i)
        wrong += got[i] != walk(DEPTH, i, in);
    std::printf("%s, %d of %d wrong\n", cudaGetErrorString(error), wrong, THREADS);
    return error || wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
