/* SPDX-License-Identifier: Apache-2.0
 * Groups of lanes that vote and reduce apart (masks that differ between lanes), and a barrier over
 * the grid by a spinning first thread. */
#include <cstdio>

__global__ void groups(const int *keys, const int *values, int *most, unsigned *votes)
{
    int i = threadIdx.x;
    unsigned group = __match_any_sync(__activemask(), keys[i]);
    most[i] = __reduce_max_sync(group, values[i]);
    votes[i] = __ballot_sync(group, values[i] & 1);
}

__global__ void meet(unsigned *arrived, unsigned *seen)
{
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned *)arrived < gridDim.x)
            ;
    }
    __syncthreads();
    if (threadIdx.x == 33)
        seen[blockIdx.x] = *(volatile unsigned *)arrived;
}

int main()
{
    int *keys, *values, *most, bad = 0;
    unsigned *votes, *arrived, *seen;
    cudaMallocManaged(&keys, 64 * sizeof *keys);
    cudaMallocManaged(&values, 64 * sizeof *values);
    cudaMallocManaged(&most, 64 * sizeof *most);
    cudaMallocManaged(&votes, 64 * sizeof *votes);
    cudaMallocManaged(&arrived, sizeof *arrived);
    cudaMallocManaged(&seen, 16 * sizeof *seen);
    for (int i = 0; i < 64; ++i) {
        keys[i] = i * 7 % 5;
        values[i] = i * 37 % 101 - 50;
        most[i] = 1000;
        votes[i] = 0;
    }
    *arrived = 0;
    groups<<<1, 64>>>(keys, values, most, votes);
    void *arguments[] = {&arrived, &seen};
    cudaLaunchCooperativeKernel((const void *)meet, dim3(16), dim3(64), arguments, 0, 0);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 64; ++i) {
        int largest = -1000;
        unsigned odd = 0;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k)
            if (keys[k] == keys[i]) {
                largest = values[k] > largest ? values[k] : largest;
                odd |= (unsigned)(values[k] & 1) << k % 32;
            }
        bad += most[i] != largest || votes[i] != odd;
    }
    for (int b = 0; b < 16; ++b)
        bad += seen[b] != 16;
    printf("groups: %d wrong\n", bad);
    return bad != 0;
}
