/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of an array, three ways: one atomic addition per thread, a tree in shared memory, and
 * warp shuffles. Each is faster than the one before, on a GPU and on gpukit's CPU engine.
 * usage: reduction [ELEMENTS] */
#include "example.h"

enum { BLOCK = 256 };

__global__ void sum_atomic(const int *in, unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, (unsigned long long)in[i]);
}

__global__ void sum_shared(const int *in, unsigned long long *out, int n)
{
    __shared__ unsigned long long part[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}

__global__ void sum_shuffle(const int *in, unsigned long long *out, int n)
{
    __shared__ unsigned long long part[BLOCK / 32];
    unsigned long long sum = 0;
    /* A grid-stride loop: the grid need not be as large as the array. */
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < BLOCK / 32 ? part[lane] : 0;
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, distance);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

static int check(const char *name, const unsigned long long *device, unsigned long long expected)
{
    unsigned long long sum = 0;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, device, sizeof sum, cudaMemcpyDeviceToHost));
    printf("%-12s %llu (plain C: %llu)%s\n", name, sum, expected, sum == expected ? "" : " WRONG");
    return sum != expected;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1000003), wrong = 0; /* no multiple of anything, on purpose */
    int *in = (int *)host_alloc(n, sizeof *in), *device;
    unsigned long long expected = 0, *sum;
    unsigned seed = 3;
    for (int i = 0; i < n; ++i)
        expected += in[i] = (int)(random_bits(&seed) % 1000) + 1;
    CHECK(cudaMalloc(&device, n * sizeof *device));
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaMemcpy(device, in, n * sizeof *in, cudaMemcpyHostToDevice));

    CHECK(cudaMemset(sum, 0, sizeof *sum));
    sum_atomic<<<blocks_for(n, BLOCK), BLOCK>>>(device, sum, n);
    wrong += check("sum_atomic", sum, expected);
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    sum_shared<<<blocks_for(n, BLOCK), BLOCK>>>(device, sum, n);
    wrong += check("sum_shared", sum, expected);
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    sum_shuffle<<<264, BLOCK>>>(device, sum, n);
    wrong += check("sum_shuffle", sum, expected);

    CHECK(cudaFree(device));
    CHECK(cudaFree(sum));
    free(in);
    return wrong ? 1 : 0;
}
