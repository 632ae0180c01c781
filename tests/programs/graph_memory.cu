// SPDX-License-Identifier: Apache-2.0
// Memory that graphs allocate: freed by the program and allocated again by the next launch, in use after the
// graph is gone, and given back when it is not.
#include <cstdio>

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value + threadIdx.x;
}
static int wrong;
static void good(cudaError_t e, const char *what)
{
    if (e && wrong++ < 8)
        printf("%s: %s\n", what, cudaGetErrorString(e));
}
#define GOOD(call) good(call, #call)
static void holds(const int *p, int first)
{
    int copy[64];
    GOOD(cudaMemcpy(copy, p, sizeof copy, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; ++i)
        wrong += copy[i] != first + i;
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *p;
    GOOD(cudaStreamCreate(&stream));
    GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GOOD(cudaMallocAsync(&p, 64 * sizeof *p, stream));
    fill<<<1, 64, 0, stream>>>(p, 7);
    GOOD(cudaStreamEndCapture(stream, &graph));
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    GOOD(cudaGraphLaunch(exec, stream));
    GOOD(cudaStreamSynchronize(stream));
    holds(p, 7);
    GOOD(cudaMemset(p, 0, 64 * sizeof *p));
    GOOD(cudaFree(p));
    GOOD(cudaGraphLaunch(exec, stream)); // at the same address
    GOOD(cudaStreamSynchronize(stream));
    holds(p, 7);
    GOOD(cudaFreeAsync(p, stream));
    wrong += cudaFree(p) != cudaErrorInvalidValue; // freed already
    (void)cudaGetLastError();
    GOOD(cudaGraphLaunch(exec, stream));
    GOOD(cudaStreamSynchronize(stream));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
    holds(p, 7);
    GOOD(cudaFree(p));

    size_t before, after, total;
    GOOD(cudaMemGetInfo(&before, &total));
    for (int i = 0; i < 50; ++i) {
        GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        GOOD(cudaMallocAsync(&p, 1 << 20, stream));
        fill<<<1, 64, 0, stream>>>(p, i);
        GOOD(cudaFreeAsync(p, stream));
        GOOD(cudaStreamEndCapture(stream, &graph));
        GOOD(cudaGraphInstantiate(&exec, graph, 0));
        GOOD(cudaGraphDestroy(graph));
        GOOD(cudaGraphLaunch(exec, stream));
        GOOD(cudaGraphLaunch(exec, stream));
        GOOD(cudaGraphExecDestroy(exec));
    }
    GOOD(cudaStreamSynchronize(stream));
    GOOD(cudaMemGetInfo(&after, &total));
    if (after + (4 << 20) < before && ++wrong)
        printf("%zu bytes are gone\n", before - after);
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
