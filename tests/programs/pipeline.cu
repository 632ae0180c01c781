/* SPDX-License-Identifier: Apache-2.0
 * cuda::pipeline in all its forms: of one thread, shared by a block whose threads all produce and
 * consume, with producers by number and by role; alignas behind
 * __shared__. Each kernel sums what went through the pipeline; checked by the sums. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>

#include <cstdio>

namespace cg = cooperative_groups;
enum { BATCHES = 12, STAGES = 3, WIDTH = 64 };
constexpr auto block_scope = cuda::thread_scope_block;

__global__ void alone(const int *in, long long *sums)
{
    __shared__ alignas(16) int buffer[2][WIDTH];
    auto pipe = cuda::make_pipeline();
    long long sum = 0;
    for (int b = 0; b < BATCHES + 1; b++) {
        if (b < BATCHES) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[b % 2][threadIdx.x], &in[b * WIDTH + threadIdx.x], sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (b) {
            if (b < BATCHES)
                cuda::pipeline_consumer_wait_prior<1>(pipe);
            else
                cuda::pipeline_consumer_wait_prior<0>(pipe);
            sum += buffer[(b - 1) % 2][threadIdx.x];
            pipe.consumer_release();
        }
    }
    sums[threadIdx.x] = sum;
}

__global__ void together(const int *in, long long *sums)
{
    __shared__ alignas(16) int buffer[STAGES][WIDTH];
    __shared__ cuda::pipeline_shared_state<block_scope, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    long long sum = 0;
    int made = 0;
    for (int b = 0; b < BATCHES; b++) {
        for (; made < BATCHES && made < b + STAGES; made++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[made % STAGES], in + made * WIDTH, sizeof(int) * WIDTH, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += buffer[b % STAGES][WIDTH - 1 - threadIdx.x]; /* another thread's */
        pipe.consumer_release();
    }
    sums[threadIdx.x] = sum;
}

template <class Pipe> __device__ void produce(Pipe &pipe, int (*buffer)[WIDTH], const int *in, int rank, int count)
{
    for (int b = 0; b < BATCHES; b++) {
        pipe.producer_acquire();
        for (int i = rank; i < WIDTH; i += count)
            cuda::memcpy_async(&buffer[b % STAGES][i], &in[b * WIDTH + i], sizeof(int), pipe);
        pipe.producer_commit();
    }
}
template <class Pipe> __device__ long long consume(Pipe &pipe, int (*buffer)[WIDTH], int rank)
{
    long long sum = 0;
    for (int b = 0; b < BATCHES; b++) {
        pipe.consumer_wait();
        sum += buffer[b % STAGES][rank];
        pipe.consumer_release();
    }
    return sum;
}

/* The first 32 threads produce, 64 consume. */
__global__ void by_number(const int *in, long long *sums)
{
    __shared__ int buffer[STAGES][WIDTH];
    __shared__ cuda::pipeline_shared_state<block_scope, STAGES> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, 32);
    if (threadIdx.x < 32)
        produce(pipe, buffer, in, threadIdx.x, 32);
    else
        sums[threadIdx.x - 32] = consume(pipe, buffer, threadIdx.x - 32);
}

/* The last 32 threads produce. */
__global__ void by_role(const int *in, long long *sums)
{
    __shared__ int buffer[STAGES][WIDTH];
    __shared__ cuda::pipeline_shared_state<block_scope, STAGES> state;
    bool producer = threadIdx.x >= WIDTH;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state,
                                    producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (producer)
        produce(pipe, buffer, in, threadIdx.x - WIDTH, 32);
    else
        sums[threadIdx.x] = consume(pipe, buffer, threadIdx.x);
    pipe.quit();
}

static int *in;
static long long *sums;
static int check(const char *name, bool mirrored)
{
    int error = cudaDeviceSynchronize(), bad = error != 0;
    if (error)
        std::printf("%s: error %d\n", name, error);
    for (int t = 0; t < WIDTH && !error; t++) {
        long long right = 0;
        for (int b = 0; b < BATCHES; b++)
            right += in[b * WIDTH + (mirrored ? WIDTH - 1 - t : t)];
        if (sums[t] != right && bad++ < 3)
            std::printf("%s, thread %d: %lld, not %lld\n", name, t, sums[t], right);
        sums[t] = -1;
    }
    return bad;
}

int main()
{
    int bad = 0;
    cudaMallocManaged(&in, sizeof(int) * BATCHES * WIDTH);
    cudaMallocManaged(&sums, sizeof(long long) * WIDTH);
    for (int i = 0; i < BATCHES * WIDTH; i++)
        in[i] = i * i % 10007 + 1;
    alone<<<1, WIDTH>>>(in, sums);
    bad += check("alone", false);
    together<<<1, WIDTH>>>(in, sums);
    bad += check("together", true);
    by_number<<<1, WIDTH + 32>>>(in, sums);
    bad += check("by number", false);
    by_role<<<1, WIDTH + 32>>>(in, sums);
    bad += check("by role", false);
    if (!bad)
        std::puts("passed");
    return bad != 0;
}
