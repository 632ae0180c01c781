// SPDX-License-Identifier: Apache-2.0
// Ends the compiler process between two kernels: the second must run all the same.
#include <csignal>
#include <cstdio>
#include <unistd.h>

__global__ void first(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void second(int *p) { p[threadIdx.x] += 100; }

int main()
{
    int *p, h[32];
    cudaMalloc(&p, sizeof h);
    first<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    int child, killed = 0;
    char name[64];
    std::snprintf(name, sizeof name, "/proc/self/task/%d/children", (int)getpid());
    std::FILE *f = std::fopen(name, "r");
    while (f && std::fscanf(f, "%d", &child) == 1)
        killed += kill(child, SIGKILL) == 0;
    if (f)
        std::fclose(f);
    second<<<1, 32>>>(p);
    cudaError_t error = cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%s, %d, killed %d\n", cudaGetErrorString(error), h[31], killed);
    return error != cudaSuccess || h[31] != 131;
}
