/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: stream capture and graphs (rt.h does the work). Nodes of external semaphores and of
 * batched memory operations, and programmatic edges are refused. */
#include "runtime/cuda_driver.h"

#include <string.h>

typedef struct {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdgeData;

typedef struct {
    uint64_t handle;
    unsigned type, size;
    CUgraph *phGraph_out;
    CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;

typedef struct {
    char poolProps[88];
    const void *accessDescs;
    size_t accessDescCount, bytesize;
    CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS;

typedef struct {
    CUDA_KERNEL_NODE_PARAMS first;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS_v2;

typedef struct {
    CUcontext ctx;
    unsigned count;
    RtMemoryOp *paramArray;
    unsigned flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS;

typedef struct {
    unsigned type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS_v2 kernel;
        struct {
            int flags, reserved;
            CUcontext copyCtx;
            CUDA_MEMCPY3D copyParams;
        } memcpy;
        CUDA_MEMSET_NODE_PARAMS memset;
        CUDA_HOST_NODE_PARAMS host;
        CUgraph graph;
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        CUdeviceptr free;
        CUDA_BATCH_MEM_OP_NODE_PARAMS memOp;
        CUDA_CONDITIONAL_NODE_PARAMS conditional;
    };
    long long reserved2;
} CUgraphNodeParams;
_Static_assert(sizeof(CUgraphNodeParams) == 256, "as cuda.h has it");

/* An edge here waits for the whole of a node. */
static bool plain_edges(const CUgraphEdgeData *edges, size_t count)
{
    for (size_t i = 0; edges && i < count; i++)
        if (edges[i].type || edges[i].from_port || edges[i].to_port) {
            rt_refuse("programmatic edges of graphs");
            return false;
        }
    return true;
}

static void edges_clear(CUgraphEdgeData *edges, const size_t *count)
{
    if (edges && count)
        memset(edges, 0, *count * sizeof *edges);
}

/* --- capture ------------------------------------------------------------------------------- */

DUAL(cuStreamBeginCapture_v2, _ptsz, (stream, mode), CUstream stream, int mode)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    return drv(rt_capture_begin(own, mode, NULL));
}

/* The first form: a global capture. */
DUAL(cuStreamBeginCapture, _ptsz, (stream), CUstream stream)
{
    return do_cuStreamBeginCapture_v2(per_thread, stream, 0);
}

DUAL(cuStreamEndCapture, _ptsz, (stream, out), CUstream stream, CUgraph *out)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    RtGraph *graph = NULL;
    int error = rt_capture_end(own, &graph);
    if (out)
        *out = graph;
    return drv(error);
}

DUAL(cuStreamIsCapturing, _ptsz, (stream, status), CUstream stream, int *status)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    NEED(status);
    *status = rt_capture_status(own, NULL, NULL);
    return RT_OK;
}

DUAL(cuStreamGetCaptureInfo_v2, _ptsz, (stream, status, id, graph, needs, count), CUstream stream,
     int *status, uint64_t *id, CUgraph *graph, const CUgraphNode **needs, size_t *count)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    NEED(status);
    RtGraph *found = NULL;
    *status = rt_capture_status(own, id, &found);
    if (graph)
        *graph = found;
    if (needs)
        *needs = (const CUgraphNode *)(void *)own->last;
    if (count)
        *count = own->last_count;
    return RT_OK;
}

CU cuThreadExchangeStreamCaptureMode(int *mode);
int cuThreadExchangeStreamCaptureMode(int *mode)
{
    NEED(mode);
    static _Thread_local int current;
    int old = current;
    current = *mode;
    *mode = old;
    return RT_OK;
}

DUAL(cuStreamGetCaptureInfo_v3, _ptsz, (stream, status, id, graph, needs, edges, count),
     CUstream stream, int *status, uint64_t *id, CUgraph *graph, const CUgraphNode **needs,
     const CUgraphEdgeData **edges, size_t *count)
{
    if (edges)
        *edges = NULL;
    return do_cuStreamGetCaptureInfo_v2(per_thread, stream, status, id, graph, needs, count);
}

DUAL(cuStreamGetCaptureInfo, _ptsz, (stream, status, id), CUstream stream, int *status,
     uint64_t *id)
{
    return do_cuStreamGetCaptureInfo_v2(per_thread, stream, status, id, NULL, NULL, NULL);
}

/* flags: 0 add to what the next operation follows, 1 replace it. */
DUAL(cuStreamUpdateCaptureDependencies, _ptsz, (stream, needs, count, flags), CUstream stream,
     CUgraphNode *needs, size_t count, unsigned flags)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    if (flags > 1 || (count && !needs))
        return RT_INVALID_VALUE;
    return drv(rt_capture_follow(own, (RtNode *const *)(const void *)needs, count, !flags));
}

DUAL(cuStreamUpdateCaptureDependencies_v2, _ptsz, (stream, needs, edges, count, flags),
     CUstream stream, CUgraphNode *needs, const CUgraphEdgeData *edges, size_t count,
     unsigned flags)
{
    if (!plain_edges(edges, count))
        return RT_NOT_SUPPORTED;
    return do_cuStreamUpdateCaptureDependencies(per_thread, stream, needs, count, flags);
}

DUAL(cuStreamBeginCaptureToGraph, _ptsz, (stream, graph, needs, edges, count, mode),
     CUstream stream, CUgraph graph, const CUgraphNode *needs, const CUgraphEdgeData *edges,
     size_t count, int mode)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    RtGraph *into = rt_graph(graph);
    if (!into || (count && !needs))
        return RT_INVALID_VALUE;
    if (!plain_edges(edges, count))
        return RT_NOT_SUPPORTED;
    int error = rt_capture_begin(own, mode, into);
    if (!error && count)
        error = rt_capture_follow(own, (RtNode *const *)(const void *)needs, count, false);
    return drv(error);
}

/* --- graphs and user objects ---------------------------------------------------------------- */

CU cuGraphCreate(CUgraph *out, unsigned flags);
int cuGraphCreate(CUgraph *out, unsigned flags)
{
    BEGIN;
    if (!out || flags)
        return RT_INVALID_VALUE;
    *out = rt_graph_new();
    return RT_OK;
}

CU cuUserObjectCreate(void **out, void *argument, void (*destroy)(void *), unsigned references,
                      unsigned flags);
int cuUserObjectCreate(void **out, void *argument, void (*destroy)(void *), unsigned references,
                       unsigned flags)
{
    BEGIN;
    return drv(flags == 1 ? rt_object_new(argument, destroy, references, out) : RT_INVALID_VALUE);
}

CU cuUserObjectRetain(void *object, unsigned count);
int cuUserObjectRetain(void *object, unsigned count)
{
    BEGIN;
    return drv(rt_object_retain(object, count));
}

CU cuUserObjectRelease(void *object, unsigned count);
int cuUserObjectRelease(void *object, unsigned count)
{
    BEGIN;
    return drv(rt_object_release(object, count));
}

CU cuGraphRetainUserObject(CUgraph graph, void *object, unsigned count, unsigned flags);
int cuGraphRetainUserObject(CUgraph graph, void *object, unsigned count, unsigned flags)
{
    BEGIN;
    RtGraph *own = rt_graph(graph);
    return drv(own && !(flags & ~1u) ? rt_graph_keep(own, object, count, flags & 1)
                                     : RT_INVALID_VALUE);
}

CU cuGraphReleaseUserObject(CUgraph graph, void *object, unsigned count);
int cuGraphReleaseUserObject(CUgraph graph, void *object, unsigned count)
{
    BEGIN;
    RtGraph *own = rt_graph(graph);
    return drv(own ? rt_graph_give(own, object, count) : RT_INVALID_VALUE);
}

CU cuGraphDestroy(CUgraph graph);
int cuGraphDestroy(CUgraph graph)
{
    BEGIN;
    RtGraph *own = rt_graph(graph);
    if (!own)
        return RT_INVALID_VALUE;
    rt_graph_free(own);
    return RT_OK;
}

CU cuGraphExecDestroy(CUgraphExec exec);
int cuGraphExecDestroy(CUgraphExec exec)
{
    BEGIN;
    RtGraph *own = rt_graph(exec);
    if (!own)
        return RT_INVALID_VALUE;
    int error = rt_device_wait();
    rt_graph_free(own);
    return drv(error);
}

/* --- what nodes do -------------------------------------------------------------------------- */

static int kernel_node(const CUDA_KERNEL_NODE_PARAMS *p, RtNode *out)
{
    NEED(p);
    *out = (RtNode){.type = RT_NODE_KERNEL,
                    .kernel = rt_kernel(p->func),
                    .launch = {.grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                               .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                               .shared = p->sharedMemBytes}};
    if (!out->kernel)
        return RT_INVALID_HANDLE;
    return launch_arguments(&out->launch, p->kernelParams, p->extra);
}

/* The second version may name a CUkernel instead of a function; both are the same thing here. */
static int kernel_node_v2(const CUDA_KERNEL_NODE_PARAMS_v2 *p, RtNode *out)
{
    NEED(p);
    CUDA_KERNEL_NODE_PARAMS first = p->first;
    if (!first.func)
        first.func = (CUfunction)p->kern;
    return kernel_node(&first, out);
}

static int copy_node(const CUDA_MEMCPY3D *p, RtNode *out)
{
    *out = (RtNode){.type = RT_NODE_COPY, .copy_kind = 4}; /* cudaMemcpyDefault */
    return copy3d_of(p, &out->copy);
}

static int fill_node(const CUDA_MEMSET_NODE_PARAMS *p, RtNode *out)
{
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return RT_INVALID_VALUE;
    *out = (RtNode){.type = RT_NODE_FILL,
                    .fill = {.dst = (void *)(uintptr_t)p->dst,
                             .pitch = p->pitch,
                             .value = p->value,
                             .element = p->elementSize,
                             .width = p->width,
                             .height = p->height,
                             .depth = 1}};
    return RT_OK;
}

static int host_node(const CUDA_HOST_NODE_PARAMS *p, RtNode *out)
{
    if (!p || !p->fn)
        return RT_INVALID_VALUE;
    *out = (RtNode){.type = RT_NODE_HOST, .function = p->fn, .argument = p->userData};
    return RT_OK;
}

static int ops_node(const CUDA_BATCH_MEM_OP_NODE_PARAMS *p, RtNode *out)
{
    NEED(p && p->ctx);
    *out = (RtNode){.type = RT_NODE_MEMORY_OPS,
                    .ops = p->paramArray,
                    .op_count = p->count,
                    .ops_context = p->ctx};
    return drv(rt_memory_ops_check(p->paramArray, p->count, p->flags));
}

static int child_node(CUgraph child, RtNode *out)
{
    *out = (RtNode){.type = RT_NODE_CHILD, .child = rt_graph(child)};
    return out->child ? RT_OK : RT_INVALID_VALUE;
}

static int event_node(CUevent event, RtNodeType type, RtNode *out)
{
    *out = (RtNode){.type = type, .event = rt_event(event)};
    return out->event ? RT_OK : RT_INVALID_VALUE;
}

static int alloc_node(CUDA_MEM_ALLOC_NODE_PARAMS *p, RtNode *out)
{
    NEED(p);
    void *address = NULL;
    int error = rt_device()->mem_alloc(DEV_MEM_DEVICE, p->bytesize, 0, &address);
    *out = (RtNode){.type = RT_NODE_ALLOC, .address = address, .bytes = p->bytesize};
    p->dptr = (uintptr_t)address;
    return error;
}

static int free_node(CUdeviceptr address, RtNode *out)
{
    *out = (RtNode){.type = RT_NODE_FREE, .argument = (void *)(uintptr_t)address};
    return RT_OK;
}

/* A node of any type; an alloc node's address is new, and p's. */
static int any_node(CUgraph graph, CUgraphNodeParams *p, RtNode *out)
{
    NEED(p);
    switch (p->type) {
    case RT_NODE_KERNEL:
        return kernel_node_v2(&p->kernel, out);
    case RT_NODE_COPY:
        return copy_node(&p->memcpy.copyParams, out);
    case RT_NODE_FILL:
        return fill_node(&p->memset, out);
    case RT_NODE_HOST:
        return host_node(&p->host, out);
    case RT_NODE_CHILD:
        return child_node(p->graph, out);
    case RT_NODE_EMPTY:
        *out = (RtNode){.type = RT_NODE_EMPTY};
        return RT_OK;
    case RT_NODE_EVENT_WAIT:
    case RT_NODE_EVENT_RECORD:
        return event_node(p->event, (RtNodeType)p->type, out);
    case RT_NODE_ALLOC:
        return alloc_node(&p->alloc, out);
    case RT_NODE_FREE:
        return free_node(p->free, out);
    case RT_NODE_MEMORY_OPS:
        return ops_node(&p->memOp, out);
    case RT_NODE_CONDITIONAL:
        return rt_condition_node(graph, p->conditional.handle, p->conditional.type,
                                 p->conditional.size, out);
    default:
        rt_refuse("graph nodes of external semaphores");
        return RT_NOT_SUPPORTED;
    }
}

/* --- adding nodes --------------------------------------------------------------------------- */

static int add(int error, CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
               const RtNode *what)
{
    RtGraph *own = rt_graph(graph);
    RtNode *node;
    if (!error && (!own || !out || (count && !needs)))
        error = RT_INVALID_VALUE;
    if (!error)
        error = rt_graph_add(own, what, (RtNode *const *)(const void *)needs, count, &node);
    if (!error)
        *out = node;
    return drv(error);
}

CU cuGraphAddKernelNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                        const CUDA_KERNEL_NODE_PARAMS *params);
int cuGraphAddKernelNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                         const CUDA_KERNEL_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return add(kernel_node(params, &what), out, graph, needs, count, &what);
}

CU cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                           const CUDA_KERNEL_NODE_PARAMS_v2 *params);
int cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                            const CUDA_KERNEL_NODE_PARAMS_v2 *params)
{
    BEGIN;
    RtNode what;
    return add(kernel_node_v2(params, &what), out, graph, needs, count, &what);
}

CU cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                        const CUDA_MEMCPY3D *params, CUcontext context);
int cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                         const CUDA_MEMCPY3D *params, CUcontext context)
{
    BEGIN;
    (void)context;
    RtNode what;
    return add(copy_node(params, &what), out, graph, needs, count, &what);
}

CU cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                        const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context);
int cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                         const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    BEGIN;
    (void)context;
    RtNode what;
    return add(fill_node(params, &what), out, graph, needs, count, &what);
}

CU cuGraphAddHostNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                      const CUDA_HOST_NODE_PARAMS *params);
int cuGraphAddHostNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                       const CUDA_HOST_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return add(host_node(params, &what), out, graph, needs, count, &what);
}

CU cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                            CUgraph child);
int cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                             size_t count, CUgraph child)
{
    BEGIN;
    RtNode what;
    return add(child_node(child, &what), out, graph, needs, count, &what);
}

CU cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                             size_t count, CUevent event);
int cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                              size_t count, CUevent event)
{
    BEGIN;
    RtNode what;
    return add(event_node(event, RT_NODE_EVENT_RECORD, &what), out, graph, needs, count, &what);
}

CU cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                           CUevent event);
int cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                            CUevent event)
{
    BEGIN;
    RtNode what;
    return add(event_node(event, RT_NODE_EVENT_WAIT, &what), out, graph, needs, count, &what);
}

CU cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                          CUDA_MEM_ALLOC_NODE_PARAMS *params);
int cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                           CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return add(alloc_node(params, &what), out, graph, needs, count, &what);
}

CU cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                         CUdeviceptr address);
int cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                          CUdeviceptr address)
{
    BEGIN;
    RtNode what;
    return add(free_node(address, &what), out, graph, needs, count, &what);
}

CU cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count);
int cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count)
{
    BEGIN;
    const RtNode what = {.type = RT_NODE_EMPTY};
    return add(RT_OK, out, graph, needs, count, &what);
}

CU cuGraphAddNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                  CUgraphNodeParams *params);
int cuGraphAddNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                   CUgraphNodeParams *params)
{
    BEGIN;
    RtNode what;
    int error = add(any_node(graph, params, &what), out, graph, needs, count, &what);
    if (!error && params->type == RT_NODE_CONDITIONAL)
        params->conditional.phGraph_out = (CUgraph *)(void *)((RtNode *)*out)->bodies;
    return error;
}

CU cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                     const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params);
int cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                      const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params)
{
    if (!plain_edges(edges, count))
        return RT_NOT_SUPPORTED;
    return cuGraphAddNode(out, graph, needs, count, params);
}

CU cuGraphConditionalHandleCreate(uint64_t *out, CUgraph graph, CUcontext context, unsigned first,
                                  unsigned flags);
int cuGraphConditionalHandleCreate(uint64_t *out, CUgraph graph, CUcontext context, unsigned first,
                                   unsigned flags)
{
    BEGIN;
    (void)context;
    RtGraph *own = rt_graph(graph);
    if (!out || !own || flags & ~1u)
        return RT_INVALID_VALUE;
    void *address;
    int error = rt_graph_condition(own, first, flags & 1, &address);
    if (!error)
        *out = (uintptr_t)address;
    return drv(error);
}

/* --- what nodes say and take ---------------------------------------------------------------- */

static RtNode *typed(CUgraphNode node, RtNodeType type)
{
    RtNode *own = rt_node(node);
    return own && own->type == type ? own : NULL;
}

static RtNode *any_in_exec(CUgraphExec exec, CUgraphNode node)
{
    const RtNode *own = rt_node(node);
    return own ? rt_graph_find(exec, node, own->type) : NULL;
}

static int set(int error, RtNode *own, const RtNode *what)
{
    return drv(error ? error : own ? rt_node_set(own, what) : RT_INVALID_VALUE);
}

CU cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
int cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return set(kernel_node(params, &what), typed(node, RT_NODE_KERNEL), &what);
}

CU cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const CUDA_KERNEL_NODE_PARAMS *params);
int cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                   const CUDA_KERNEL_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return set(kernel_node(params, &what), rt_graph_find(exec, node, RT_NODE_KERNEL), &what);
}

CU cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2 *params);
int cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2 *params)
{
    BEGIN;
    RtNode what;
    return set(kernel_node_v2(params, &what), typed(node, RT_NODE_KERNEL), &what);
}

CU cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                     const CUDA_KERNEL_NODE_PARAMS_v2 *params);
int cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_KERNEL_NODE_PARAMS_v2 *params)
{
    BEGIN;
    RtNode what;
    return set(kernel_node_v2(params, &what), rt_graph_find(exec, node, RT_NODE_KERNEL), &what);
}

/* The parameters come back as pointers into the node's own copy. */
CU cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out);
int cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_KERNEL);
    if (!own || !out)
        return RT_INVALID_VALUE;
    static _Thread_local void *pointers[512];
    const DevLaunch *launch = &own->launch;
    size_t offset, bytes;
    unsigned count = 0;
    while (count < 511 && !rt_device()->function_param(launch->function, count, &offset, &bytes))
        pointers[count++] = (char *)(uintptr_t)launch->packed + offset;
    pointers[count] = NULL;
    *out = (CUDA_KERNEL_NODE_PARAMS){.func = (CUfunction)own->kernel,
                                     .gridDimX = launch->grid[0],
                                     .gridDimY = launch->grid[1],
                                     .gridDimZ = launch->grid[2],
                                     .blockDimX = launch->block[0],
                                     .blockDimY = launch->block[1],
                                     .blockDimZ = launch->block[2],
                                     .sharedMemBytes = (unsigned)launch->shared,
                                     .kernelParams = pointers};
    return RT_OK;
}

CU cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v2 *out);
int cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v2 *out)
{
    NEED(out);
    memset(out, 0, sizeof *out);
    int error = cuGraphKernelNodeGetParams(node, &out->first);
    if (!error)
        out->kern = (CUkernel)out->first.func;
    return error;
}

CU cuGraphKernelNodeSetAttribute(CUgraphNode node, int which, const CUlaunchAttributeValue *value);
int cuGraphKernelNodeSetAttribute(CUgraphNode node, int which, const CUlaunchAttributeValue *value)
{
    BEGIN;
    RtNode *own = typed(node, RT_NODE_KERNEL);
    if (!own || !value)
        return RT_INVALID_VALUE;
    launch_attribute(&own->launch, which, value);
    return RT_OK;
}

CU cuGraphKernelNodeGetAttribute(CUgraphNode node, int which, CUlaunchAttributeValue *value);
int cuGraphKernelNodeGetAttribute(CUgraphNode node, int which, CUlaunchAttributeValue *value)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_KERNEL);
    if (!own || !value)
        return RT_INVALID_VALUE;
    memset(value, 0, sizeof *value);
    if (which == LAUNCH_COOPERATIVE)
        value->cooperative = own->launch.cooperative;
    else if (which == LAUNCH_CLUSTER)
        memcpy(value, own->launch.cluster, sizeof own->launch.cluster);
    return RT_OK;
}

CU cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
int cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src)
{
    BEGIN;
    RtNode *to = typed(dst, RT_NODE_KERNEL);
    const RtNode *from = typed(src, RT_NODE_KERNEL);
    if (!to || !from)
        return RT_INVALID_VALUE;
    to->launch.cooperative = from->launch.cooperative;
    memcpy(to->launch.cluster, from->launch.cluster, sizeof to->launch.cluster);
    return RT_OK;
}

CU cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params);
int cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params)
{
    BEGIN;
    RtNode what;
    return set(copy_node(params, &what), typed(node, RT_NODE_COPY), &what);
}

CU cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params,
                                  CUcontext context);
int cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params,
                                   CUcontext context)
{
    BEGIN;
    (void)context;
    RtNode what;
    return set(copy_node(params, &what), rt_graph_find(exec, node, RT_NODE_COPY), &what);
}

/* The same copy, from position zero. */
CU cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *out);
int cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_COPY);
    if (!own || !out)
        return RT_INVALID_VALUE;
    const DevCopy *copy = &own->copy;
    if (copy->src_array || copy->dst_array) {
        rt_refuse("cuGraphMemcpyNodeGetParams of a copy with arrays");
        return RT_NOT_SUPPORTED;
    }
    *out = (CUDA_MEMCPY3D){.srcMemoryType = MEMORY_UNIFIED,
                           .srcDevice = (uintptr_t)copy->src,
                           .srcPitch = copy->src_pitch,
                           .srcHeight = copy->src_pitch ? copy->src_slice / copy->src_pitch : 0,
                           .dstMemoryType = MEMORY_UNIFIED,
                           .dstDevice = (uintptr_t)copy->dst,
                           .dstPitch = copy->dst_pitch,
                           .dstHeight = copy->dst_pitch ? copy->dst_slice / copy->dst_pitch : 0,
                           .WidthInBytes = copy->width,
                           .Height = copy->height,
                           .Depth = copy->depth};
    return RT_OK;
}

CU cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params);
int cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return set(fill_node(params, &what), typed(node, RT_NODE_FILL), &what);
}

CU cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context);
int cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                   const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    BEGIN;
    (void)context;
    RtNode what;
    return set(fill_node(params, &what), rt_graph_find(exec, node, RT_NODE_FILL), &what);
}

CU cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *out);
int cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_FILL);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (CUDA_MEMSET_NODE_PARAMS){(uintptr_t)own->fill.dst, own->fill.pitch, own->fill.value,
                                     own->fill.element,        own->fill.width, own->fill.height};
    return RT_OK;
}

CU cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
int cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return set(host_node(params, &what), typed(node, RT_NODE_HOST), &what);
}

CU cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                const CUDA_HOST_NODE_PARAMS *params);
int cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                 const CUDA_HOST_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return set(host_node(params, &what), rt_graph_find(exec, node, RT_NODE_HOST), &what);
}

CU cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *out);
int cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_HOST);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (CUDA_HOST_NODE_PARAMS){own->function, own->argument};
    return RT_OK;
}

CU cuGraphAddBatchMemOpNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
int cuGraphAddBatchMemOpNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                             size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return add(ops_node(params, &what), out, graph, needs, count, &what);
}

CU cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
int cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return set(ops_node(params, &what), typed(node, RT_NODE_MEMORY_OPS), &what);
}

CU cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
int cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                       const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    BEGIN;
    RtNode what;
    return set(ops_node(params, &what), rt_graph_find(exec, node, RT_NODE_MEMORY_OPS), &what);
}

/* The array stays the node's. */
CU cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *out);
int cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_MEMORY_OPS);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (CUDA_BATCH_MEM_OP_NODE_PARAMS){
        .ctx = own->ops_context, .count = own->op_count, .paramArray = own->ops};
    return RT_OK;
}

CU cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, void *value);
int cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, void *value)
{
    PLAIN;
    return drv(rt_graph_memory_get(device, attribute, value));
}

CU cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, void *value);
int cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, void *value)
{
    PLAIN;
    NEED(value);
    return drv(rt_graph_memory_set_high(device, attribute, *(uint64_t *)value));
}

CU cuDeviceGraphMemTrim(CUdevice device);
int cuDeviceGraphMemTrim(CUdevice device)
{
    PLAIN;
    return drv(rt_graph_memory_trim(device));
}

CU cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child);
int cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    BEGIN;
    RtNode what;
    return set(child_node(child, &what), rt_graph_find(exec, node, RT_NODE_CHILD), &what);
}

CU cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *out);
int cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_CHILD);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (CUgraph)own->child;
    return RT_OK;
}

CU cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
int cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    BEGIN;
    RtNode what;
    return set(event_node(event, RT_NODE_EVENT_RECORD, &what), typed(node, RT_NODE_EVENT_RECORD),
               &what);
}

CU cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
int cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    BEGIN;
    RtNode what;
    return set(event_node(event, RT_NODE_EVENT_RECORD, &what),
               rt_graph_find(exec, node, RT_NODE_EVENT_RECORD), &what);
}

CU cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *out);
int cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_EVENT_RECORD);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (CUevent)own->event;
    return RT_OK;
}

CU cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
int cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    BEGIN;
    RtNode what;
    return set(event_node(event, RT_NODE_EVENT_WAIT, &what), typed(node, RT_NODE_EVENT_WAIT),
               &what);
}

CU cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
int cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    BEGIN;
    RtNode what;
    return set(event_node(event, RT_NODE_EVENT_WAIT, &what),
               rt_graph_find(exec, node, RT_NODE_EVENT_WAIT), &what);
}

CU cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *out);
int cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_EVENT_WAIT);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (CUevent)own->event;
    return RT_OK;
}

CU cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *out);
int cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_ALLOC);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (CUDA_MEM_ALLOC_NODE_PARAMS){.bytesize = own->bytes, .dptr = (uintptr_t)own->address};
    return RT_OK;
}

CU cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *out);
int cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_FREE);
    if (!own || !out)
        return RT_INVALID_VALUE;
    *out = (uintptr_t)own->argument;
    return RT_OK;
}

static int set_any(RtNode *own, CUgraphNodeParams *p)
{
    RtNode what;
    if (!own || !p || p->type != own->type || own->type >= RT_NODE_ALLOC)
        return RT_INVALID_VALUE;
    return set(any_node((CUgraph)own->graph, p, &what), own, &what);
}

CU cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params);
int cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params)
{
    BEGIN;
    return set_any(rt_node(node), params);
}

CU cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params);
int cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params)
{
    BEGIN;
    return set_any(any_in_exec(exec, node), params);
}

/* --- shape ---------------------------------------------------------------------------------- */

CU cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                          size_t count);
int cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                           size_t count)
{
    BEGIN;
    return drv(rt_graph_link(graph, (void *const *)from, (void *const *)to, count, false));
}

CU cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                             const CUgraphEdgeData *edges, size_t count);
int cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                              const CUgraphEdgeData *edges, size_t count)
{
    if (!plain_edges(edges, count))
        return RT_NOT_SUPPORTED;
    return cuGraphAddDependencies(graph, from, to, count);
}

CU cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                             size_t count);
int cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                              size_t count)
{
    BEGIN;
    return drv(rt_graph_link(graph, (void *const *)from, (void *const *)to, count, true));
}

CU cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *edges, size_t count);
int cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                 const CUgraphEdgeData *edges, size_t count)
{
    if (!plain_edges(edges, count))
        return RT_NOT_SUPPORTED;
    return cuGraphRemoveDependencies(graph, from, to, count);
}

CU cuGraphGetNodes(CUgraph graph, CUgraphNode *list, size_t *count);
int cuGraphGetNodes(CUgraph graph, CUgraphNode *list, size_t *count)
{
    BEGIN;
    return drv(rt_graph_nodes(graph, false, (void **)list, count));
}

CU cuGraphGetRootNodes(CUgraph graph, CUgraphNode *list, size_t *count);
int cuGraphGetRootNodes(CUgraph graph, CUgraphNode *list, size_t *count)
{
    BEGIN;
    return drv(rt_graph_nodes(graph, true, (void **)list, count));
}

CU cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges,
                      size_t *count);
int cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges,
                       size_t *count)
{
    BEGIN;
    edges_clear(edges, count);
    return drv(rt_graph_edges(graph, (void **)from, (void **)to, count));
}

CU cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
int cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    return cuGraphGetEdges_v2(graph, from, to, NULL, count);
}

CU cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *list, CUgraphEdgeData *edges,
                                 size_t *count);
int cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *list, CUgraphEdgeData *edges,
                                  size_t *count)
{
    BEGIN;
    edges_clear(edges, count);
    return drv(rt_node_needs(node, (void **)list, count));
}

CU cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *list, size_t *count);
int cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *list, size_t *count)
{
    return cuGraphNodeGetDependencies_v2(node, list, NULL, count);
}

CU cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *list, CUgraphEdgeData *edges,
                                   size_t *count);
int cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *list, CUgraphEdgeData *edges,
                                    size_t *count)
{
    BEGIN;
    edges_clear(edges, count);
    return drv(rt_node_users(node, (void **)list, count));
}

CU cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *list, size_t *count);
int cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *list, size_t *count)
{
    return cuGraphNodeGetDependentNodes_v2(node, list, NULL, count);
}

CU cuGraphNodeGetType(CUgraphNode node, int *type);
int cuGraphNodeGetType(CUgraphNode node, int *type)
{
    BEGIN;
    const RtNode *own = rt_node(node);
    if (!own || !type)
        return RT_INVALID_VALUE;
    *type = (int)own->type;
    return RT_OK;
}

CU cuGraphDestroyNode(CUgraphNode node);
int cuGraphDestroyNode(CUgraphNode node)
{
    BEGIN;
    RtNode *own = rt_node(node);
    return drv(own ? rt_graph_remove(own) : RT_INVALID_VALUE);
}

CU cuGraphClone(CUgraph *out, CUgraph graph);
int cuGraphClone(CUgraph *out, CUgraph graph)
{
    BEGIN;
    NEED(out);
    const RtGraph *own = rt_graph(graph);
    *out = own ? rt_graph_clone(own) : NULL;
    return *out ? RT_OK : RT_INVALID_VALUE;
}

CU cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode node, CUgraph clone);
int cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode node, CUgraph clone)
{
    BEGIN;
    const RtNode *own = rt_node(node);
    RtNode *found = own ? rt_graph_find(clone, node, own->type) : NULL;
    if (!out || !found)
        return RT_INVALID_VALUE;
    *out = (CUgraphNode)found;
    return RT_OK;
}

CU cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags);
int cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags)
{
    BEGIN;
    (void)flags;
    return drv(rt_graph_dot(graph, path));
}

/* --- executable graphs ---------------------------------------------------------------------- */

CU cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph, unsigned long long flags);
int cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph, unsigned long long flags)
{
    BEGIN;
    const RtGraph *own = rt_graph(graph);
    RtGraph *exec;
    if (!own || !out)
        return RT_INVALID_VALUE;
    int error = rt_graph_instantiate(own, (unsigned)flags, &exec);
    if (!error)
        *out = exec;
    return drv(error);
}

CU cuGraphInstantiate_v2(CUgraphExec *out, CUgraph graph, CUgraphNode *bad, char *log, size_t room);
int cuGraphInstantiate_v2(CUgraphExec *out, CUgraph graph, CUgraphNode *bad, char *log, size_t room)
{
    if (bad)
        *bad = NULL;
    if (log && room)
        *log = 0;
    return cuGraphInstantiateWithFlags(out, graph, 0);
}
SAME(cuGraphInstantiate, cuGraphInstantiate_v2, CUgraphExec *out, CUgraph graph, CUgraphNode *bad,
     char *log, size_t room)

typedef struct {
    uint64_t flags;
    CUstream hUploadStream;
    CUgraphNode hErrNode_out;
    int result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;

CU cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph graph,
                                CUDA_GRAPH_INSTANTIATE_PARAMS *params);
int cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph graph,
                                 CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    NEED(params);
    int error = cuGraphInstantiateWithFlags(out, graph, params->flags);
    params->hErrNode_out = NULL;
    params->result_out = error ? 1 : 0;
    return error;
}
SAME(cuGraphInstantiateWithParams_ptsz, cuGraphInstantiateWithParams, CUgraphExec *out,
     CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)

CU cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags);
int cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags)
{
    BEGIN;
    const RtGraph *own = rt_graph(exec);
    if (!own || !flags)
        return RT_INVALID_VALUE;
    *flags = own->flags;
    return RT_OK;
}

typedef struct {
    int result; /* 0 success, 1 error, 2 another shape, 3 another node type */
    CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;

CU cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info);
int cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    BEGIN;
    RtGraph *own = rt_graph(exec);
    const RtGraph *from = rt_graph(graph);
    RtNode *node = NULL;
    int error = own && from ? rt_graph_update(own, from, &node) : RT_INVALID_VALUE;
    if (info)
        *info = (CUgraphExecUpdateResultInfo){.result = !error ? 0
                                                        : node ? 3
                                                               : 2,
                                              .errorNode = (CUgraphNode)node};
    return drv(error);
}

CU cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *bad, int *result);
int cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *bad, int *result)
{
    CUgraphExecUpdateResultInfo info = {.result = 1};
    int error = cuGraphExecUpdate_v2(exec, graph, &info);
    if (bad)
        *bad = info.errorNode;
    if (result)
        *result = info.result;
    return error;
}

CU cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled);
int cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled)
{
    BEGIN;
    RtNode *own = any_in_exec(exec, node);
    if (!own || own->type > RT_NODE_FILL)
        return RT_INVALID_VALUE;
    own->disabled = !enabled;
    return RT_OK;
}

CU cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled);
int cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled)
{
    BEGIN;
    const RtNode *own = any_in_exec(exec, node);
    if (!own || !enabled || own->type > RT_NODE_FILL)
        return RT_INVALID_VALUE;
    *enabled = !own->disabled;
    return RT_OK;
}

DUAL(cuGraphUpload, _ptsz, (exec, stream), CUgraphExec exec, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    (void)own;
    return rt_graph(exec) ? RT_OK : RT_INVALID_VALUE;
}

DUAL(cuGraphLaunch, _ptsz, (exec, stream), CUgraphExec exec, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    RtGraph *graph = rt_graph(exec);
    return graph && graph->is_exec ? drv(rt_graph_launch(graph, own)) : RT_INVALID_VALUE;
}
