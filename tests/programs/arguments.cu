// SPDX-License-Identifier: Apache-2.0
// Structures passed by value to functions that are not inlined and walk over their own copy: each call, also
// one of a call and a recursive one, has its arguments to itself.
#include <cstdio>

struct Big {
    int word[34];
};
__host__ __device__ __noinline__ int weigh(Big b, int from, int step)
{
    int sum = 0;
    for (int i = from; i < 34; i += step)
        sum = sum * 3 + b.word[i];
    b.word[from % 34] = -1;
    for (int i = 33; i >= 0; --i)
        sum ^= b.word[i] << i % 7;
    return sum;
}
// Its parameter stays as it is: a loop copies it from where the caller put it.
__host__ __device__ __noinline__ int copies(Big b, int n)
{
    int sum = 0;
    for (int round = 0; round < n; ++round) {
        Big a = b;
        for (int i = 0; i < 34; ++i)
            a.word[(i * n) % 34] += round;
        sum = sum * 5 + a.word[n] + a.word[33 - round];
    }
    return sum;
}
__host__ __device__ __noinline__ int sum_down(Big b, int depth)
{
    Big a = b;
    a.word[depth % 34] += depth;
    return depth == 0 ? copies(a, 3) : sum_down(a, depth - 1) + copies(b, depth);
}
__host__ __device__ __noinline__ int both(Big b, int from)
{
    Big other = b;
    for (int i = 0; i < 34; ++i)
        other.word[i] ^= b.word[(i + from) % 34];
    return weigh(other, from, 2) + weigh(b, from, 1);
}
__host__ __device__ __noinline__ int deep(Big b, int depth)
{
    if (depth == 0)
        return weigh(b, 1, 3);
    for (int i = 0; i < 34; ++i)
        b.word[i] += b.word[(i * depth) % 34];
    int below = deep(b, depth - 1);
    return below + b.word[depth % 34];
}
__host__ __device__ int whole(int t)
{
    Big b;
    for (int i = 0; i < 34; ++i)
        b.word[i] = t * 31 + i * i;
    return both(b, t % 5) ^ deep(b, t % 4) ^ copies(b, 1 + t % 7) ^ sum_down(b, t % 6) ^ b.word[t % 34];
}
__global__ void kernel(int *out)
{
    out[threadIdx.x] = whole(threadIdx.x);
}

int main()
{
    int *out, wrong = 0;
    cudaDeviceSetLimit(cudaLimitStackSize, 16384); // a GPU has 1 KiB else
    cudaMallocManaged(&out, 64 * sizeof *out);
    kernel<<<1, 64>>>(out);
    if (cudaError_t error = cudaDeviceSynchronize()) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    for (int t = 0; t < 64; ++t)
        if (out[t] != whole(t) && wrong++ < 4)
            printf("thread %d: %d, not %d\n", t, out[t], whole(t));
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
