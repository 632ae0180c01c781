/* SPDX-License-Identifier: Apache-2.0
 * Reductions whose shared memory is used again without a barrier after every warp's read: a race by
 * CUDA's rules that works on a GPU, where all warps have read before the first one writes again. The
 * engine's warps stop there (analysis/reuse.c). Sums of small whole numbers, the same in any order. */
#include <cstdio>
#include <cstdlib>

__device__ int warp_sum(int v)
{
    for (int step = 16; step; step /= 2)
        v += __shfl_xor_sync(~0u, v, step);
    return v;
}

/* Every thread gets the sum; the next call's first store may come before another warp's last load. */
__device__ int block_sum(int v)
{
    static __shared__ int part[32];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        int all = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            part[0] = all;
    }
    __syncthreads();
    return part[0];
}

/* Second stage in every warp, as cooperative groups' reduce is often used. */
__device__ int block_sum_all(int v, int *part)
{
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    return warp_sum(threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : 0);
}

__global__ void twice(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x], sum = block_sum(v);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + 3 * block_sum(v * v);
}

__global__ void in_a_loop(const int *in, int *out, int rounds)
{
    extern __shared__ int part[];
    int v = in[blockIdx.x * blockDim.x + threadIdx.x], sum = 0;
    for (int i = 0; i < rounds; ++i)
        sum += (i + 1) * block_sum_all(v + i, part);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A flag that all read and thread 0 sets again. */
__global__ void flag(const int *in, int *out, int rounds)
{
    __shared__ int value;
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x == 0)
            value = in[blockIdx.x * blockDim.x] + i;
        __syncthreads();
        sum = 5 * sum + value;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static int check(int threads, int kind, const int *in, const int *got)
{
    enum { ROUNDS = 5 };
    int wrong = 0;
    for (int b = 0; b < 3; ++b) {
        int sum = 0, squares = 0, want = 0;
        for (int i = 0; i < threads; ++i) {
            sum += in[b * threads + i];
            squares += in[b * threads + i] * in[b * threads + i];
        }
        for (int i = 0; i < ROUNDS; ++i)
            want = kind == 1   ? want + (i + 1) * (sum + i * threads)
                   : kind == 2 ? 5 * want + in[b * threads] + i
                               : sum + 3 * squares;
        for (int i = 0; i < threads; ++i)
            wrong += got[b * threads + i] != want;
    }
    return wrong;
}

int main()
{
    static int in[3 * 1024], got[3 * 1024];
    int *device_in, *device_out, wrong = 0;
    for (int i = 0; i < 3 * 1024; ++i)
        in[i] = i * 37 % 19 + 1;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof got);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    for (int threads : {64, 96, 128, 256, 512, 1024})
        for (int kind = 0; kind < 3; ++kind) {
            cudaMemset(device_out, 0, sizeof got);
            if (kind == 0)
                twice<<<3, threads>>>(device_in, device_out);
            else if (kind == 1)
                in_a_loop<<<3, threads, 128>>>(device_in, device_out, 5);
            else
                flag<<<3, threads>>>(device_in, device_out, 5);
            cudaError_t error = cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost);
            int bad = check(threads, kind, in, got);
            if (error || bad)
                std::printf("%d threads, kind %d: %s, %d wrong\n", threads, kind,
                            cudaGetErrorString(error), bad);
            wrong += bad + (error != cudaSuccess);
        }
    std::printf("%d wrong\n", wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
