/* SPDX-License-Identifier: Apache-2.0
 * Words in memory that streams write and wait for, the same in graphs, memory of graphs, the error log.
 * An H200 (driver 580.159.04) takes memory of graphs in pieces of 32 MiB and words its log otherwise; the
 * rest agrees there.
 * Needs --arch sm_80 */
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <cuda.h>
#include <cuda_runtime.h>

static int wrong;
#define IS(call, expected)                                                                         \
    do {                                                                                           \
        long long got = (long long)(call), want = (long long)(expected);                           \
        if (got != want)                                                                           \
            printf("line %d: %s gives %lld, not %lld\n", __LINE__, #call, got, want), wrong++;     \
    } while (0)

template <class F> static F *driver(const char *name)
{
    void *found = nullptr;
    cudaDriverEntryPointQueryResult status;
    cudaGetDriverEntryPointByVersion(name, &found, 13000, cudaEnableDefault, &status);
    return (F *)found;
}
#define DRIVER(name, symbol) driver<decltype(symbol)>(#name)

__global__ void twice(int *p) { *p *= 2; }

static void streams()
{
    cudaStream_t late, early;
    cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&early, cudaStreamNonBlocking);
    unsigned *flag, *host;
    int *value, *five, three = 3;
    volatile int *result; /* a copy to pageable memory would hold up the host */
    cudaMalloc(&flag, 64), cudaMalloc(&value, 4);
    cudaHostAlloc(&host, 64, cudaHostAllocMapped);
    cudaMallocHost((void **)&result, 4), cudaMallocHost(&five, 4);
    *five = 5;
    memset(host, 0, 64);
    cudaMemset(flag, 0, 64);
    cudaMemcpy(value, &three, 4, cudaMemcpyHostToDevice);
    auto *wait32 = DRIVER(cuStreamWaitValue32, cuStreamWaitValue32_v2);
    auto *wait64 = DRIVER(cuStreamWaitValue64, cuStreamWaitValue64_v2);
    auto *write32 = DRIVER(cuStreamWriteValue32, cuStreamWriteValue32_v2);
    auto *write64 = DRIVER(cuStreamWriteValue64, cuStreamWriteValue64_v2);
    CUdeviceptr at = (CUdeviceptr)flag, mapped = (CUdeviceptr)host;
    twice<<<1, 1>>>((int *)flag + 8); /* a GPU loads a kernel at its first launch, which may wait for all streams */
    cudaDeviceSynchronize();
    /* The late stream waits for the early one, whose copy comes first. */
    IS(wait32(late, at, 7, CU_STREAM_WAIT_VALUE_EQ), 0);
    twice<<<1, 1, 0, late>>>(value);
    cudaMemcpyAsync((void *)result, value, 4, cudaMemcpyDeviceToHost, late);
    IS(cudaStreamQuery(late), cudaErrorNotReady);
    cudaGetLastError();
    cudaMemcpyAsync(value, five, 4, cudaMemcpyHostToDevice, early);
    IS(write32(early, at, 7, 0), 0);
    IS(cudaStreamSynchronize(late), 0);
    IS(*result, 10);
    /* For the host, in each way. */
    IS(wait64(late, mapped + 8, 1ull << 40, CU_STREAM_WAIT_VALUE_AND), 0);
    IS(wait32(late, mapped + 4, 100, CU_STREAM_WAIT_VALUE_GEQ), 0);
    IS(wait32(late, mapped + 4, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ), 0); /* 101 is behind it */
    IS(wait32(late, mapped, 0xffffffffu, CU_STREAM_WAIT_VALUE_GEQ), 0);     /* so is 0 */
    IS(wait32(late, mapped, 0x0000ffffu, CU_STREAM_WAIT_VALUE_NOR), 0);
    IS(write64(late, mapped + 16, 0x123456789abcull, 0), 0);
    usleep(2000);
    IS(*(volatile unsigned long long *)(host + 4), 0);
    *(volatile unsigned long long *)(host + 2) = 3ull << 40;
    *(volatile unsigned *)(host + 1) = 101;
    IS(cudaStreamSynchronize(late), 0);
    IS(*(unsigned long long *)(host + 4), 0x123456789abcull);
    IS(wait32(late, at + 2, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(wait32(late, at, 0, 4), CUDA_ERROR_INVALID_VALUE);
    IS(wait32(late, 16, 0, 0), CUDA_ERROR_INVALID_VALUE);
    int can = 0;
    IS(DRIVER(cuDeviceGetAttribute, cuDeviceGetAttribute)(&can, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0), 0);
    IS(can, 1);

    /* A list, and the same in a graph, which runs twice. */
    CUstreamBatchMemOpParams ops[3] = {};
    ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    ops[0].writeValue.address = at + 16, ops[0].writeValue.value = 77;
    ops[1].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
    ops[2].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    ops[2].waitValue.address = mapped + 16, ops[2].waitValue.value64 = 0x123456789abcull;
    ops[2].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    auto *batch = DRIVER(cuStreamBatchMemOp, cuStreamBatchMemOp_v2);
    IS(batch(late, 3, ops, 0), 0);
    cudaMemcpyAsync((void *)result, flag + 4, 4, cudaMemcpyDeviceToHost, late);
    IS(cudaStreamSynchronize(late), 0);
    IS(*result, 77);
    IS(batch(late, 3, ops, 1), CUDA_ERROR_INVALID_VALUE);
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUDA_BATCH_MEM_OP_NODE_PARAMS params = {};
    params.count = 3, params.paramArray = ops, ops[0].writeValue.value = 78;
    IS(DRIVER(cuGraphCreate, cuGraphCreate)(&graph, 0), 0);
    IS(DRIVER(cuGraphAddBatchMemOpNode, cuGraphAddBatchMemOpNode)(&node, graph, nullptr, 0, &params),
       CUDA_ERROR_INVALID_VALUE); /* no context */
    IS(DRIVER(cuCtxGetCurrent, cuCtxGetCurrent)(&params.ctx), 0);
    IS(DRIVER(cuGraphAddBatchMemOpNode, cuGraphAddBatchMemOpNode)(&node, graph, nullptr, 0, &params), 0);
    CUgraphNodeType type;
    IS(DRIVER(cuGraphNodeGetType, cuGraphNodeGetType)(node, &type), 0);
    IS(type, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    ops[0].writeValue.value = 79; /* the node has its own list */
    IS(DRIVER(cuGraphBatchMemOpNodeGetParams, cuGraphBatchMemOpNodeGetParams)(node, &params), 0);
    IS(params.paramArray[0].writeValue.value, 78);
    IS(DRIVER(cuGraphInstantiate, cuGraphInstantiateWithFlags)(&exec, graph, 0), 0);
    for (int i = 0; i < 2; i++) {
        cudaMemsetAsync(flag + 4, 0, 4, late);
        IS(DRIVER(cuGraphLaunch, cuGraphLaunch)(exec, late), 0);
        cudaMemcpyAsync((void *)result, flag + 4, 4, cudaMemcpyDeviceToHost, late);
        IS(cudaStreamSynchronize(late), 0);
        IS(*result, 78);
    }
    params.paramArray = ops;
    IS(DRIVER(cuGraphExecBatchMemOpNodeSetParams, cuGraphExecBatchMemOpNodeSetParams)(exec, node, &params), 0);
    IS(DRIVER(cuGraphLaunch, cuGraphLaunch)(exec, late), 0);
    cudaMemcpyAsync((void *)result, flag + 4, 4, cudaMemcpyDeviceToHost, late);
    IS(cudaStreamSynchronize(late), 0);
    IS(*result, 79);
    cudaGraphExecDestroy((cudaGraphExec_t)exec), cudaGraphDestroy((cudaGraph_t)graph);
    /* Captured. */
    cudaGraph_t captured;
    cudaGraphExec_t again;
    cudaStreamBeginCapture(late, cudaStreamCaptureModeGlobal);
    IS(write32(late, at + 16, 5, 0), 0);
    IS(wait32(late, at + 16, 5, CU_STREAM_WAIT_VALUE_EQ), 0);
    twice<<<1, 1, 0, late>>>((int *)flag + 4);
    cudaStreamEndCapture(late, &captured);
    size_t nodes = 0;
    cudaGraphGetNodes(captured, nullptr, &nodes);
    IS(nodes, 3);
    cudaGraphInstantiate(&again, captured, 0);
    cudaGraphLaunch(again, late);
    cudaMemcpyAsync((void *)result, flag + 4, 4, cudaMemcpyDeviceToHost, late);
    cudaStreamSynchronize(late);
    IS(*result, 10);
}

static unsigned long long held(cudaGraphMemAttributeType what)
{
    unsigned long long bytes = 1;
    IS(cudaDeviceGetGraphMemAttribute(0, what, &bytes), 0);
    return bytes;
}

static void graph_memory()
{
    enum { BYTES = 4 << 20 };
    cudaGraph_t graph;
    cudaGraphNode_t made, gone;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = BYTES;
    IS(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &params), 0);
    IS(held(cudaGraphMemAttrUsedMemCurrent), 0);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    IS(held(cudaGraphMemAttrUsedMemCurrent), BYTES);
    IS(held(cudaGraphMemAttrReservedMemCurrent), BYTES);
    cudaFree(params.dptr);
    IS(held(cudaGraphMemAttrUsedMemCurrent), 0);
    IS(held(cudaGraphMemAttrUsedMemHigh), BYTES);
    IS(held(cudaGraphMemAttrReservedMemCurrent), BYTES);
    IS(cudaDeviceGraphMemTrim(0), 0);
    IS(held(cudaGraphMemAttrReservedMemCurrent), 0);
    unsigned long long none = 0;
    IS(DRIVER(cuDeviceSetGraphMemAttribute, cuDeviceSetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &none), 0);
    IS(held(cudaGraphMemAttrUsedMemHigh), 0);
    IS(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &none), cudaErrorInvalidValue);
    IS(cudaDeviceGetGraphMemAttribute(99, cudaGraphMemAttrUsedMemCurrent, &none), cudaErrorInvalidDevice);
    cudaGetLastError();
    cudaGraphAddMemFreeNode(&gone, graph, &made, 1, params.dptr);
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
}

static int heard;
static void listen(void *data, cudaLogLevel level, char *message, size_t length)
{
    heard += data == &heard && level == cudaLogLevelError && strlen(message) == length &&
             strstr(message, "cudaErrorInvalidValue") != nullptr;
}

static void log_of_errors()
{
    cudaLogsCallbackHandle handle;
    cudaLogIterator at;
    IS(cudaLogsRegisterCallback(listen, &heard, &handle), 0);
    IS(cudaLogsCurrent(&at, 0), 0);
    IS(cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(heard, 1);
    IS(cudaLogsUnregisterCallback(handle), 0);
    IS(cudaSetDevice(0), 0);
    char text[4096];
    size_t size = sizeof text;
    cudaLogIterator copy = at;
    IS(cudaLogsDumpToMemory(&at, text, &size, 0), 0);
    IS(size, strlen(text));
    IS(strstr(text, "Returning 1 (cudaErrorInvalidValue) from cudaMemcpy") != nullptr, 1);
    IS(strchr(text, '\n') == text + size - 1, 1);
    size = sizeof text;
    IS(cudaLogsDumpToMemory(&at, text, &size, 0), 0);
    IS(size, 0);
    /* Only the newest fit. */
    for (int i = 0; i < 600; i++)
        cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyHostToDevice);
    size = 300;
    IS(DRIVER(cuLogsDumpToMemory, cuLogsDumpToMemory)(&copy, text, &size, 0), 0);
    IS(size > 100 && size < 300 && text[size - 1] == '\n', 1);
    size = 10;
    copy = at;
    IS(cudaLogsDumpToMemory(&copy, text, &size, 0), cudaErrorInvalidValue);
    IS(size, 0);
    cudaGetLastError();
}

int main()
{
    streams(), graph_memory(), log_of_errors();
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
