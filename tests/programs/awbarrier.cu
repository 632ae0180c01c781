// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory and copies that arrive on them, by functions and by classes; dependent launches.
#include <cstdio>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

enum { THREADS = 128 };
using namespace nvcuda::experimental;

__global__ void functions(const int *in, int *out)
{
    __shared__ __mbarrier_t bar;
    __shared__ int part[THREADS];
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&bar, THREADS);
    __syncthreads();
    __pipeline_memcpy_async(&part[t], &in[t], 4);
    __pipeline_arrive_on(&bar); // one arrival more, made by the copy
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_try_wait(&bar, token, 100))
        ;
    int sum = part[(t + 1) % THREADS] + part[THREADS - 1 - t];
    out[t] = sum + (__mbarrier_test_wait_parity(&bar, false) ? 0 : 1000000);
    if (t % 2) { // half of the threads leave the barrier
        out[t] += (int)__mbarrier_token_pending_count(__mbarrier_arrive_and_drop(&bar)) < 1 ? 1000000 : 0;
        return;
    }
    token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token))
        ;
    token = __mbarrier_arrive(&bar); // now without them
    while (!__mbarrier_test_wait(&bar, token))
        ;
}
__global__ void classes(const int *in, int *out)
{
    __shared__ awbarrier bar;
    __shared__ int4 part[2][THREADS];
    __shared__ int padded[THREADS][4];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, THREADS);
    __syncthreads();
    pipeline pipe;
    memcpy_async(part[0][t], ((const int4 *)in)[t], pipe);
    size_t first = pipe.commit();
    memcpy_async(part[1][t], ((const int4 *)in)[t + THREADS], pipe);
    memcpy_async(segment<4>(padded[t]), segment<2>(in + 2 * t), pipe);
    pipe.commit();
    pipe.wait(first);
    bar.arrive_and_wait();
    int sum = part[0][(t + 7) % THREADS].z;
    pipe.wait_prior<0>();
    auto token = bar.arrive();
    bar.wait(token);
    int u = (t + 9) % THREADS;
    out[t] = sum + part[1][u].w + padded[u][1] + 1000 * (padded[u][2] + padded[u][3]);
}
__global__ void first(int *out)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    out[threadIdx.x] = (int)threadIdx.x;
}
__global__ void second(int *out)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    out[THREADS + threadIdx.x] = 3 * out[THREADS - 1 - threadIdx.x];
}

int main()
{
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, 8 * THREADS * sizeof *in);
    cudaMallocManaged(&out, 2 * THREADS * sizeof *out);
    for (int i = 0; i < 8 * THREADS; i++)
        in[i] = i * i % 1009;
    functions<<<1, THREADS>>>(in, out);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int t = 0; t < THREADS; t++)
        wrong += out[t] != in[(t + 1) % THREADS] + in[THREADS - 1 - t];
    printf("functions: %d wrong\n", wrong);
    classes<<<1, THREADS>>>(in, out);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int t = 0; t < THREADS; t++) {
        int u = (t + 9) % THREADS;
        wrong += out[t] != in[(t + 7) % THREADS * 4 + 2] + in[(u + THREADS) * 4 + 3] + in[2 * u + 1];
    }
    printf("classes: %d wrong\n", wrong);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1), config.blockDim = dim3(THREADS), config.attrs = &attribute, config.numAttrs = 1;
    first<<<1, THREADS>>>(out);
    wrong += cudaLaunchKernelEx(&config, second, out) != cudaSuccess;
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int t = 0; t < THREADS; t++)
        wrong += out[THREADS + t] != 3 * (THREADS - 1 - t);
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
