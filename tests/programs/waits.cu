// SPDX-License-Identifier: Apache-2.0
// A copy from pageable memory may return before it has arrived, and a non-blocking stream does not wait for it: a
// program that waits is always right; one that does not is found out with GPUKIT_LATE. So is, with GPUKIT_FILL, one
// that takes new memory for zeros.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add_one(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i] + 1;
}

static int rounds_with_old_bytes(bool wait)
{
    const int n = 4096, rounds = 24;
    int *from, *to, late = 0;
    std::vector<int> in(n), out(n);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&from, n * sizeof(int)), cudaMalloc(&to, n * sizeof(int));
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < n; ++i)
            in[i] = round * n + i;
        cudaMemcpy(from, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        if (wait)
            cudaStreamSynchronize(cudaStreamLegacy);
        for (int i = 0; i < n; ++i)
            in[i] = -1; // the host's again
        add_one<<<n / 256, 256, 0, stream>>>(to, from, n);
        cudaStreamSynchronize(stream);
        cudaMemcpy(out.data(), to, n * sizeof(int), cudaMemcpyDeviceToHost);
        int wrong = 0;
        for (int i = 0; i < n; ++i)
            wrong += out[i] != round * n + i + 1;
        late += wrong != 0;
    }
    cudaFree(from), cudaFree(to), cudaStreamDestroy(stream);
    return late;
}

int main()
{
    bool ok = rounds_with_old_bytes(true) == 0;
    if (getenv("GPUKIT_LATE")) {
        int late = rounds_with_old_bytes(false);
        printf("rounds that a missing wait spoilt: %d\n", late);
        ok = ok && late > 0;
    }
    if (const char *fill = getenv("GPUKIT_FILL")) {
        unsigned char *fresh, held[2];
        cudaMalloc(&fresh, 3000000);
        cudaMemcpy(held, fresh, 1, cudaMemcpyDeviceToHost);
        cudaMemcpy(held + 1, fresh + 2999999, 1, cudaMemcpyDeviceToHost);
        ok = ok && held[0] == atoi(fill) && held[1] == held[0];
    }
    ok = ok && cudaGetLastError() == cudaSuccess;
    printf("%s\n", ok ? "ok" : "FAIL");
    return !ok;
}
