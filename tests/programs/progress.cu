// SPDX-License-Identifier: Apache-2.0
// Threads that wait for threads: each of these ends on Volta and later, where every thread makes progress,
// and hangs on an engine that runs lanes in lock step or blocks one after the other.
#include <cstdio>
#include <cstring>

__device__ int lock, sum;

__global__ void spin_lock() // every lane of a warp wants the same lock
{
    bool done = false;
    while (!done)
        if (atomicCAS(&lock, 0, 1) == 0) {
            sum += threadIdx.x;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
}

__global__ void plain_lock(int *total) // the lock without the loop's usual shape
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    *(volatile int *)total += 1;
    __threadfence();
    atomicExch(&lock, 0);
}

__global__ void lane_chain(int *turn, int *out) // lane n waits for lane n - 1
{
    int lane = threadIdx.x;
    while (*(volatile int *)turn != lane)
        ;
    out[lane] = lane ? out[lane - 1] + lane : 0;
    __threadfence();
    *(volatile int *)turn = lane + 1;
}

__global__ void warps(const int *in, int *out, int n) // warp 0 fills a buffer that warp 1 empties
{
    __shared__ volatile int buffer[32], full;
    if (threadIdx.x == 0)
        full = 0;
    __syncthreads();
    int lane = threadIdx.x % 32;
    for (int i = lane; i < n; i += 32) {
        if (threadIdx.x < 32) {
            while (full)
                ;
            buffer[lane] = in[i];
            __syncwarp();
            __threadfence_block();
            if (lane == 0)
                full = 1;
            __syncwarp();
        } else {
            while (!full)
                ;
            out[i] = buffer[lane] * 2;
            __syncwarp();
            __threadfence_block();
            if (lane == 0)
                full = 0;
            __syncwarp();
        }
    }
}

__global__ void blocks(volatile int *flag) // block b waits for block b + 1, which starts later
{
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (flag[blockIdx.x + 1] == 0)
                ;
        __threadfence();
        flag[blockIdx.x] = blockIdx.x + 1 < gridDim.x ? flag[blockIdx.x + 1] + 1 : 1;
    }
}

__device__ unsigned next_block;

__global__ void look_back(const int *in, int *out, volatile int *state, volatile int *prefix, int n) // single-pass scan
{
    __shared__ int block, before, tile[128];
    if (threadIdx.x == 0)
        block = atomicAdd(&next_block, 1);
    __syncthreads();
    int i = block * 128 + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = threadIdx.x >= d ? tile[threadIdx.x - d] : 0;
        __syncthreads();
        tile[threadIdx.x] += v;
        __syncthreads();
    }
    if (threadIdx.x == 127) {
        prefix[2 * block] = tile[127]; // this block alone
        __threadfence();
        state[block] = 1;
        int sum = 0;
        for (int b = block - 1; b >= 0; b--) {
            int s;
            while ((s = state[b]) == 0)
                ;
            __threadfence();
            sum += prefix[2 * b + (s == 2)];
            if (s == 2)
                break;
        }
        prefix[2 * block + 1] = sum + tile[127]; // with all before it
        __threadfence();
        state[block] = 2;
        before = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = before + tile[threadIdx.x];
}

static bool failed;

static void check(const char *name, bool good)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (!good || error != cudaSuccess)
        std::printf("%s: %s\n", name, error ? cudaGetErrorString(error) : "wrong result");
    failed |= !good || error != cudaSuccess;
}

int main()
{
    enum { N = 20000 };
    int *a, *b, *c, *d, h = 0;
    cudaMallocManaged(&a, N * 4);
    cudaMallocManaged(&b, N * 4);
    cudaMallocManaged(&c, N * 4);
    cudaMallocManaged(&d, N * 4);
    std::memset(c, 0, N * 4);

    spin_lock<<<4, 64>>>();
    cudaMemcpyFromSymbol(&h, sum, sizeof h);
    check("spin lock inside a warp", h == 4 * 64 * 63 / 2);

    plain_lock<<<3, 96>>>(c);
    cudaDeviceSynchronize();
    check("plain spin lock", c[0] == 3 * 96);

    c[0] = 0;
    lane_chain<<<1, 32>>>(c, b);
    cudaDeviceSynchronize();
    check("a chain of lanes", b[31] == 31 * 32 / 2);

    for (int i = 0; i < N; i++)
        a[i] = i % 17, b[i] = 0;
    warps<<<1, 64>>>(a, b, 3200);
    cudaDeviceSynchronize();
    bool good = true;
    for (int i = 0; i < 3200; i++)
        good &= b[i] == a[i] * 2;
    check("producer and consumer warps", good);

    std::memset(c, 0, N * 4);
    blocks<<<50, 64>>>(c);
    cudaDeviceSynchronize();
    check("flags between blocks", c[0] == 50);

    std::memset(c, 0, N * 4);
    look_back<<<(N + 127) / 128, 128>>>(a, b, c, d, N);
    cudaDeviceSynchronize();
    good = true;
    for (int i = 0, s = 0; i < N; i++)
        good &= b[i] == (s += a[i]);
    check("scan with look-back", good);

    std::printf("%s\n", failed ? "FAILED" : "passed");
    return failed;
}
