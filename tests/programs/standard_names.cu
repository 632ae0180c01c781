// SPDX-License-Identifier: Apache-2.0
// libcu++'s cuda::std::atomic and cuda::std::identity in kernels, without a user's own CCCL.
#include <cstdio>
#include <cuda/std/atomic>
#include <cuda/std/functional>
#include <new>

__global__ void count(cuda::std::atomic<int> *sum, cuda::std::atomic<unsigned> *flag, int *plain)
{
    sum->fetch_add(cuda::std::identity{}(2));
    ++*flag;
    flag->fetch_or(0x100, cuda::std::memory_order_release);
    if (flag->load(cuda::memory_order_acquire) & 0x100)
        cuda::std::atomic_ref<int>(*plain).fetch_add(1, cuda::std::memory_order_relaxed);
    cuda::std::atomic_thread_fence(cuda::std::memory_order_seq_cst);
}

int main()
{
    cuda::std::atomic<int> *sum;
    cuda::std::atomic<unsigned> *flag;
    int *plain;
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&flag, sizeof *flag);
    cudaMallocManaged(&plain, sizeof *plain);
    new (sum) cuda::std::atomic<int>(5);
    flag->store(0);
    *plain = 0;
    count<<<2, 32>>>(sum, flag, plain);
    if (cudaDeviceSynchronize())
        return 1;
    bool good = sum->load() == 5 + 128 && *flag == (0x100 | 64) && *plain == 64;
    printf("%d %x %d\n%s\n", sum->load(), flag->load(), *plain, good ? "PASS" : "FAIL");
    return !good;
}
