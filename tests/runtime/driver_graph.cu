/* SPDX-License-Identifier: Apache-2.0
 * Graphs by the driver API: every kind of node, what nodes give back and take, in graphs and in
 * executable ones, edges both ways, clones, switched-off nodes, updates, capture into a graph,
 * conditions, and user objects. Prints nothing and returns 0 when all is right. */
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <unistd.h>

__global__ void add(int *sum, int what) { *sum += what; }
__global__ void count_down(cudaGraphConditionalHandle handle, int *left)
{
    cudaGraphSetConditional(handle, --*left > 0);
}

static int bad;
#define OK(call)                                                                                   \
    do {                                                                                           \
        int error_ = (call);                                                                       \
        if (error_)                                                                                \
            bad = (std::printf("line %d: error %d\n", __LINE__, error_), 1);                       \
    } while (0)
#define IS(value, right)                                                                           \
    do {                                                                                           \
        long got_ = (long)(value);                                                                 \
        if (got_ != (long)(right))                                                                 \
            bad = (std::printf("line %d: %ld, not %ld\n", __LINE__, got_, (long)(right)), 1);      \
    } while (0)

static CUcontext context;
static volatile int calls;
static void called(void *by) { calls += *(int *)by; }

static CUfunction function_of(const void *kernel)
{
    cudaFunction_t found = nullptr;
    OK(cudaGetFuncBySymbol(&found, kernel));
    return (CUfunction)found;
}

static CUDA_KERNEL_NODE_PARAMS one_thread(CUfunction function, void **arguments)
{
    CUDA_KERNEL_NODE_PARAMS p = {};
    p.func = function;
    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    p.kernelParams = arguments;
    return p;
}

static CUDA_MEMCPY3D row(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    CUDA_MEMCPY3D p = {};
    p.srcMemoryType = p.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    p.srcDevice = src;
    p.dstDevice = dst;
    p.WidthInBytes = bytes;
    p.Height = p.Depth = 1;
    return p;
}

/* memset -> kernel -> copy, a host function at the end, an event between. */
static void every_node(int *sum, int *copied, CUfunction adds)
{
    CUgraph graph;
    CUgraphNode fill, kernel, copy, host, record, wait, list[8], from[8], to[8];
    CUevent event, other;
    int what = 5, by = 1;
    void *arguments[] = {&sum, &what};
    CUDA_KERNEL_NODE_PARAMS kp = one_thread(adds, arguments), kp2;
    CUDA_MEMSET_NODE_PARAMS fp = {(CUdeviceptr)sum, 4, 100, 4, 1, 1}, fp2;
    CUDA_MEMCPY3D cp = row((CUdeviceptr)copied, (CUdeviceptr)sum, 4), cp2;
    CUDA_HOST_NODE_PARAMS hp = {called, &by}, hp2;
    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&other, 0));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fp, context));
    OK(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &kp));
    OK(cuGraphAddEventRecordNode(&record, graph, &kernel, 1, event));
    OK(cuGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    OK(cuGraphAddMemcpyNode(&copy, graph, &wait, 1, &cp, context));
    OK(cuGraphAddHostNode(&host, graph, &copy, 1, &hp));

    size_t count = 8;
    OK(cuGraphGetNodes(graph, list, &count));
    IS(count, 6);
    count = 8;
    OK(cuGraphGetRootNodes(graph, list, &count));
    IS(count, 1);
    IS(list[0] == fill && !list[1], 1);
    count = 0;
    OK(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    IS(count, 5);
    CUgraphEdgeData edges[8];
    OK(cuGraphGetEdges(graph, from, to, edges, &count));
    IS(from[0] == fill && to[0] == kernel && !edges[0].type, 1);
    count = 8;
    OK(cuGraphNodeGetDependencies(copy, list, nullptr, &count));
    IS(count == 1 && list[0] == wait, 1);
    count = 8;
    OK(cuGraphNodeGetDependentNodes(copy, list, nullptr, &count));
    IS(count == 1 && list[0] == host, 1);
    OK(cuGraphRemoveDependencies(graph, &copy, &host, nullptr, 1));
    IS(cuGraphRemoveDependencies(graph, &copy, &host, nullptr, 1), 1);
    OK(cuGraphAddDependencies(graph, &copy, &host, nullptr, 1));
    CUgraphEdgeData programmatic = {0, 0, 1, {}};
    IS(cuGraphAddDependencies(graph, &fill, &host, &programmatic, 1) != 0, 1);
    CUgraphNodeType type;
    OK(cuGraphNodeGetType(record, &type));
    IS(type, CU_GRAPH_NODE_TYPE_EVENT_RECORD);

    OK(cuGraphKernelNodeGetParams(kernel, &kp2));
    IS(kp2.func == adds && kp2.gridDimX == 1 && *(int *)kp2.kernelParams[1] == 5, 1);
    OK(cuGraphMemsetNodeGetParams(fill, &fp2));
    IS(fp2.dst == fp.dst && fp2.value == 100 && fp2.elementSize == 4 && fp2.width == 1, 1);
    OK(cuGraphMemcpyNodeGetParams(copy, &cp2));
    IS(cp2.dstDevice == cp.dstDevice && cp2.WidthInBytes == 4 && cp2.Depth == 1, 1);
    OK(cuGraphHostNodeGetParams(host, &hp2));
    IS(hp2.fn == called && hp2.userData == &by, 1);
    CUevent got;
    OK(cuGraphEventRecordNodeGetEvent(record, &got));
    IS(got == event, 1);
    OK(cuGraphEventRecordNodeSetEvent(record, other));
    OK(cuGraphEventWaitNodeSetEvent(wait, other));
    OK(cuGraphEventWaitNodeGetEvent(wait, &got));
    IS(got == other, 1);
    IS(cuGraphHostNodeGetParams(copy, &hp2), 1);

    CUgraphExec exec;
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, nullptr));
    OK(cuCtxSynchronize());
    IS(*copied, 105);
    IS(calls, 1);

    fp.value = 200;
    what = 7;
    OK(cuGraphExecMemsetNodeSetParams(exec, fill, &fp, context));
    OK(cuGraphExecKernelNodeSetParams(exec, kernel, &kp));
    by = 10;
    OK(cuGraphExecHostNodeSetParams(exec, host, &hp));
    OK(cuGraphExecEventRecordNodeSetEvent(exec, record, event));
    OK(cuGraphExecEventWaitNodeSetEvent(exec, wait, event));
    OK(cuGraphLaunch(exec, nullptr));
    OK(cuCtxSynchronize());
    IS(*copied, 207);
    IS(calls, 11);

    /* the graph itself still has 100 and 5; the general call changes it */
    CUgraphNodeParams any = {};
    any.type = CU_GRAPH_NODE_TYPE_MEMSET;
    any.memset = {(CUdeviceptr)sum, 4, 300, 4, 1, 1, context};
    OK(cuGraphNodeSetParams(fill, &any));
    IS(cuGraphNodeSetParams(kernel, &any), 1);
    CUgraphExecUpdateResultInfo info;
    OK(cuGraphExecUpdate(exec, graph, &info));
    IS(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    any.memset.value = 400;
    unsigned enabled = 2;
    OK(cuGraphNodeSetEnabled(exec, kernel, 0));
    OK(cuGraphNodeGetEnabled(exec, kernel, &enabled));
    IS(enabled, 0);
    OK(cuGraphLaunch(exec, nullptr));
    OK(cuCtxSynchronize());
    IS(*copied, 300);
    OK(cuGraphNodeSetEnabled(exec, kernel, 1));
    OK(cuGraphExecNodeSetParams(exec, fill, &any));
    OK(cuGraphLaunch(exec, nullptr));
    OK(cuCtxSynchronize());
    IS(*copied, 405);

    CUgraph clone;
    CUgraphNode twin;
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphNodeFindInClone(&twin, copy, clone));
    OK(cuGraphDestroyNode(twin));
    count = 8;
    OK(cuGraphGetNodes(clone, list, &count));
    IS(count, 5);
    IS(cuGraphExecUpdate(exec, clone, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    IS(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    char path[] = "/tmp/gpukit-graph-XXXXXX";
    close(mkstemp(path));
    OK(cuGraphDebugDotPrint(graph, path, 0));
    char text[64] = "";
    FILE *file = std::fopen(path, "r");
    IS(file && std::fgets(text, sizeof text, file) && !std::strncmp(text, "digraph", 7), 1);
    std::fclose(file);
    unlink(path);
    IS(cuGraphDebugDotPrint(graph, "/no/such/folder/x", 0), CUDA_ERROR_OPERATING_SYSTEM);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(clone));
    OK(cuGraphDestroy(graph));
}

/* A loop, in a graph that also allocates, and a child whose order is kept. */
static void conditions(int *left, int *sum, CUfunction downs, CUfunction adds)
{
    CUgraph graph, inner;
    CUgraphNode loop, count, a, b, child, alloc, release;
    CUgraphConditionalHandle handle;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphConditionalHandleCreate(&handle, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    CUgraphNodeParams p = {};
    p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    p.conditional.handle = handle;
    p.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    p.conditional.size = 1;
    p.conditional.ctx = context;
    OK(cuGraphAddNode(&loop, graph, nullptr, nullptr, 0, &p));
    int three = 3;
    void *down[] = {&handle, &left}, *adding[] = {&sum, &three};
    CUDA_KERNEL_NODE_PARAMS kp = one_thread(downs, down), ap = one_thread(adds, adding);
    OK(cuGraphAddKernelNode(&count, p.conditional.phGraph_out[0], nullptr, 0, &kp));
    OK(cuGraphAddKernelNode(&a, p.conditional.phGraph_out[0], &count, 1, &ap));

    OK(cuGraphCreate(&inner, 0));
    CUDA_MEMSET_NODE_PARAMS fp = {(CUdeviceptr)sum, 4, 1000, 4, 1, 1};
    OK(cuGraphAddKernelNode(&a, inner, nullptr, 0, &ap)); /* first in the list, last in order */
    OK(cuGraphAddMemsetNode(&b, inner, nullptr, 0, &fp, context));
    OK(cuGraphAddDependencies(inner, &b, &a, nullptr, 1));
    OK(cuGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
    OK(cuGraphAddDependencies(graph, &child, &loop, nullptr, 1));

    CUgraphNodeParams mp = {};
    mp.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    mp.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    mp.alloc.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    mp.alloc.bytesize = 4096;
    OK(cuGraphAddNode(&alloc, graph, nullptr, nullptr, 0, &mp));
    CUDA_MEM_ALLOC_NODE_PARAMS back;
    OK(cuGraphMemAllocNodeGetParams(alloc, &back));
    IS(mp.alloc.dptr && back.dptr == mp.alloc.dptr && back.bytesize == 4096, 1);
    OK(cuGraphAddMemFreeNode(&release, graph, &alloc, 1, back.dptr));
    CUdeviceptr freed;
    OK(cuGraphMemFreeNodeGetParams(release, &freed));
    IS(freed == back.dptr, 1);

    CUgraphExec exec;
    CUDA_GRAPH_INSTANTIATE_PARAMS ip = {};
    ip.result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    OK(cuGraphInstantiateWithParams(&exec, graph, &ip));
    IS(ip.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    *left = 4;
    OK(cuGraphLaunch(exec, nullptr));
    OK(cuCtxSynchronize());
    IS(*left, 0);
    IS(*sum, 1003 + 4 * 3);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(inner));
    OK(cuGraphDestroy(graph));
}

/* Work captured into a graph behind a node that was there, and a user object that goes with it. */
static void captured(int *sum)
{
    CUgraph graph, same;
    CUgraphNode first;
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS fp = {(CUdeviceptr)sum, 4, 1, 4, 1, 1};
    OK(cuGraphAddMemsetNode(&first, graph, nullptr, 0, &fp, context));
    OK(cuStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
                                   CU_STREAM_CAPTURE_MODE_RELAXED));
    add<<<1, 1, 0, (cudaStream_t)stream>>>(sum, 20);
    CUstreamCaptureStatus status;
    cuuint64_t id = 0;
    const CUgraphNode *last;
    const CUgraphEdgeData *edges;
    size_t count = 0;
    OK(cuStreamGetCaptureInfo(stream, &status, &id, &same, &last, &edges, &count));
    IS(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    IS(id != 0 && same == graph && count == 1, 1);
    OK(cuStreamEndCapture(stream, &same));
    IS(same == graph, 1);
    static int one = 1;
    CUuserObject object;
    calls = 0;
    OK(cuUserObjectCreate(&object, &one, called, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CUgraphExec exec;
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    IS(calls, 0);
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    IS(*sum, 21);
    OK(cuGraphExecDestroy(exec));
    for (int ms = 0; ms < 2000 && !calls; ms++) /* a GPU's driver calls it from a thread of its own */
        usleep(1000);
    IS(calls, 1);
    OK(cuStreamDestroy(stream));
}

/* The same names mean other functions to older programs. */
static void versions()
{
    void *now = nullptr, *then = nullptr;
    CUdriverProcAddressQueryResult how;
    OK(cuGetProcAddress("cuGraphAddDependencies", &now, 13000, 0, &how));
    OK(cuGetProcAddress("cuGraphAddDependencies", &then, 12000, 0, &how));
    IS(now && then && then != now, 1);
}

int main()
{
    int *words;
    OK(cudaMallocManaged((void **)&words, 16));
    OK(cuCtxGetCurrent(&context));
    CUfunction adds = function_of((const void *)add);
    every_node(words, words + 1, adds);
    conditions(words, words + 1, function_of((const void *)count_down), adds);
    captured(words);
    versions();
    return bad;
}
