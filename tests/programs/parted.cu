// SPDX-License-Identifier: Apache-2.0
// Lanes of one warp at two different barriers of the form where each thread counts, so that they meet.
#include <cstdio>

enum { THREADS = 128, ROUNDS = 5 };

__global__ void swap(int *out)
{
    __shared__ int cell[THREADS];
    int t = threadIdx.x, value = t;
    for (int round = 0; round < ROUNDS; ++round) {
        if (out[t] & 1) { // what each thread finds there parts odd from even ones
            cell[t] = value * 3 + round;
            asm volatile("barrier.sync 0;" ::: "memory");
            value += cell[t ^ 1];
        } else {
            cell[t] = value ^ round;
            asm volatile("barrier.sync 0;" ::: "memory");
            value -= cell[t ^ 1];
        }
        __syncthreads();
    }
    out[t] = value;
}

int main()
{
    int out[THREADS], want[THREADS], *device, wrong = 0;
    for (int t = 0; t < THREADS; ++t)
        out[t] = want[t] = t;
    cudaMalloc(&device, sizeof out);
    cudaMemcpy(device, out, sizeof out, cudaMemcpyHostToDevice);
    swap<<<1, THREADS>>>(device);
    cudaError_t error = cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int round = 0; round < ROUNDS; ++round)
        for (int t = 0; t < THREADS; t += 2) {
            int even = want[t] ^ round, odd = want[t + 1] * 3 + round;
            want[t] -= odd;
            want[t + 1] += even;
        }
    for (int t = 0; t < THREADS; ++t)
        wrong += out[t] != want[t];
    printf("%s, %d of %d wrong\n", cudaGetErrorString(error), wrong, THREADS);
    return error != cudaSuccess || wrong;
}
