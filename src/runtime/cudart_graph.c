/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: graphs (rt.h does the work). External-semaphore nodes are refused. */
#include "runtime/cudart.h"

#include <string.h>

static RtNode *const *nodes_of(const cudaGraphNode_t *list)
{
    return (RtNode *const *)(const void *)list;
}

static cudaError_t add(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs,
                       size_t count, const RtNode *what)
{
    RtGraph *own = rt_graph(graph);
    RtNode *node;
    if (!out || !own || (count && !needs))
        return fin(RT_INVALID_VALUE);
    int error = rt_graph_add(own, what, nodes_of(needs), count, &node);
    if (!error)
        *out = (cudaGraphNode_t)node;
    return fin(error);
}

cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    BEGIN;
    if (!out || flags)
        return fin(RT_INVALID_VALUE);
    *out = (cudaGraph_t)rt_graph_new();
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    BEGIN;
    RtGraph *own = rt_graph(graph);
    if (!own)
        return fin(RT_INVALID_VALUE);
    rt_graph_free(own);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    BEGIN;
    RtGraph *own = rt_graph(exec);
    if (!own)
        return fin(RT_INVALID_VALUE);
    int error = rt_device_wait(); /* launched work may still point into the nodes */
    rt_graph_free(own);
    return fin(error);
}

/* --- kernel nodes -------------------------------------------------------------------------- */

static int kernel_node(const struct cudaKernelNodeParams *p, RtNode *out)
{
    if (!p || (!p->kernelParams && !p->extra && p->func == NULL))
        return RT_INVALID_VALUE;
    *out = (RtNode){.type = RT_NODE_KERNEL,
                    .launch = {.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
                               .block = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                               .shared = p->sharedMemBytes,
                               .params = p->kernelParams}};
    if (p->extra && !p->kernelParams) {
        for (void **e = p->extra; *e; e += 2) {
            if (e[0] == (void *)1)
                out->launch.packed = e[1];
            else if (e[0] == (void *)2)
                out->launch.packed_bytes = *(size_t *)e[1];
        }
    }
    return kernel_find(p->func, &out->kernel);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                   const cudaGraphNode_t *needs, size_t count,
                                   const struct cudaKernelNodeParams *params)
{
    BEGIN;
    RtNode what;
    int error = kernel_node(params, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

static RtNode *typed(cudaGraphNode_t node, RtNodeType type)
{
    RtNode *own = rt_node(node);
    return own && own->type == type ? own : NULL;
}

static RtNode *any_in_exec(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    const RtNode *own = rt_node(node);
    return own ? rt_graph_find(exec, node, own->type) : NULL;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *params)
{
    BEGIN;
    RtNode what, *own = typed(node, RT_NODE_KERNEL);
    int error = own ? kernel_node(params, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
{
    BEGIN;
    RtNode what, *own = rt_graph_find(exec, node, RT_NODE_KERNEL);
    int error = own ? kernel_node(params, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

/* The parameters come back as pointers into the node's own copy. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *out)
{
    BEGIN;
    RtNode *own = typed(node, RT_NODE_KERNEL);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    static _Thread_local void *pointers[512];
    size_t offset, bytes;
    for (unsigned i = 0; i < 511; i++) {
        pointers[i] = NULL;
        if (rt_device()->function_param(own->launch.function, i, &offset, &bytes))
            break;
        pointers[i] = (char *)(uintptr_t)own->launch.packed + offset;
    }
    *out = (struct cudaKernelNodeParams){
        .func = own->kernel,
        .gridDim = {own->launch.grid[0], own->launch.grid[1], own->launch.grid[2]},
        .blockDim = {own->launch.block[0], own->launch.block[1], own->launch.block[2]},
        .sharedMemBytes = (unsigned)own->launch.shared,
        .kernelParams = pointers};
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID which,
                                            const cudaLaunchAttributeValue *value)
{
    BEGIN;
    RtNode *own = typed(node, RT_NODE_KERNEL);
    if (!own || !value)
        return fin(RT_INVALID_VALUE);
    if (which == cudaLaunchAttributeCooperative)
        own->launch.cooperative = value->cooperative != 0;
    else if (which == cudaLaunchAttributeClusterDimension)
        memcpy(own->launch.cluster, &value->clusterDim, sizeof own->launch.cluster);
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID which,
                                            cudaLaunchAttributeValue *value)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_KERNEL);
    if (!own || !value)
        return fin(RT_INVALID_VALUE);
    memset(value, 0, sizeof *value);
    if (which == cudaLaunchAttributeCooperative)
        value->cooperative = own->launch.cooperative;
    else if (which == cudaLaunchAttributeClusterDimension)
        memcpy(&value->clusterDim, own->launch.cluster, sizeof own->launch.cluster);
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src)
{
    BEGIN;
    RtNode *to = typed(dst, RT_NODE_KERNEL);
    const RtNode *from = typed(src, RT_NODE_KERNEL);
    if (!to || !from)
        return fin(RT_INVALID_VALUE);
    to->launch.cooperative = from->launch.cooperative;
    memcpy(to->launch.cluster, from->launch.cluster, sizeof to->launch.cluster);
    return cudaSuccess;
}

/* --- copies and fills ---------------------------------------------------------------------- */

static int copy_node(const struct cudaMemcpy3DParms *p, RtNode *out)
{
    *out = (RtNode){.type = RT_NODE_COPY};
    int error = copy3d_convert(p, &out->copy);
    if (!error)
        error = copy_box_check(&out->copy, p->kind);
    if (!error)
        out->copy_kind = p->kind;
    return error;
}

static int row_node(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind, RtNode *out)
{
    *out = (RtNode){.type = RT_NODE_COPY,
                    .copy = {.dst = dst,
                             .src = src,
                             .dst_pitch = bytes,
                             .src_pitch = bytes,
                             .width = bytes,
                             .height = 1,
                             .depth = 1},
                    .copy_kind = kind};
    return copy_check(dst, src, kind);
}

static int symbol_node(bool to, const void *symbol, size_t offset, void *dst, const void *src,
                       size_t bytes, enum cudaMemcpyKind kind, RtNode *out)
{
    void *address;
    int error = symbol_find(symbol, &address, NULL);
    if (error)
        return error;
    char *there = (char *)address + offset;
    return row_node(to ? there : dst, to ? src : there, bytes, kind, out);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                   const cudaGraphNode_t *needs, size_t count,
                                   const struct cudaMemcpy3DParms *params)
{
    BEGIN;
    RtNode what;
    int error = copy_node(params, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph,
                                     const cudaGraphNode_t *needs, size_t count, void *dst,
                                     const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    BEGIN;
    RtNode what;
    int error = row_node(dst, src, bytes, kind, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                           const cudaGraphNode_t *needs, size_t count,
                                           const void *symbol, const void *src, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind)
{
    BEGIN;
    RtNode what;
    int error = symbol_node(true, symbol, offset, NULL, src, bytes, kind, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                             const cudaGraphNode_t *needs, size_t count, void *dst,
                                             const void *symbol, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    BEGIN;
    RtNode what;
    int error = symbol_node(false, symbol, offset, dst, NULL, bytes, kind, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

static cudaError_t set_symbol(RtNode *own, bool to, const void *symbol, size_t offset, void *dst,
                              const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    RtNode what;
    int error =
        own ? symbol_node(to, symbol, offset, dst, src, bytes, kind, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *src, size_t bytes, size_t offset,
                                                 enum cudaMemcpyKind kind)
{
    BEGIN;
    return set_symbol(typed(node, RT_NODE_COPY), true, symbol, offset, NULL, src, bytes, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                   const void *symbol, size_t bytes, size_t offset,
                                                   enum cudaMemcpyKind kind)
{
    BEGIN;
    return set_symbol(typed(node, RT_NODE_COPY), false, symbol, offset, dst, NULL, bytes, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void *symbol, const void *src,
                                                     size_t bytes, size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    BEGIN;
    return set_symbol(rt_graph_find(exec, node, RT_NODE_COPY), true, symbol, offset, NULL, src,
                      bytes, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void *dst, const void *symbol, size_t bytes,
                                                       size_t offset, enum cudaMemcpyKind kind)
{
    BEGIN;
    return set_symbol(rt_graph_find(exec, node, RT_NODE_COPY), false, symbol, offset, dst, NULL,
                      bytes, kind);
}

/* The same copy, from position zero. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_COPY);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    const DevCopy *copy = &own->copy;
    if (copy->src_array || copy->dst_array) {
        rt_refuse("cudaGraphMemcpyNodeGetParams of a copy with arrays");
        return fin(RT_NOT_SUPPORTED);
    }
    *out = (struct cudaMemcpy3DParms){
        .srcPtr = {.ptr = (void *)(uintptr_t)copy->src,
                   .pitch = copy->src_pitch,
                   .xsize = copy->width,
                   .ysize = copy->src_pitch && copy->src_slice ? copy->src_slice / copy->src_pitch
                                                               : copy->height},
        .dstPtr = {.ptr = copy->dst,
                   .pitch = copy->dst_pitch,
                   .xsize = copy->width,
                   .ysize = copy->dst_pitch && copy->dst_slice ? copy->dst_slice / copy->dst_pitch
                                                               : copy->height},
        .extent = {copy->width, copy->height, copy->depth},
        .kind = (enum cudaMemcpyKind)own->copy_kind};
    return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *params)
{
    BEGIN;
    RtNode what, *own = typed(node, RT_NODE_COPY);
    int error = own ? copy_node(params, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t bytes, enum cudaMemcpyKind kind)
{
    BEGIN;
    RtNode what, *own = typed(node, RT_NODE_COPY);
    int error = own ? row_node(dst, src, bytes, kind, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params)
{
    BEGIN;
    RtNode what, *own = rt_graph_find(exec, node, RT_NODE_COPY);
    int error = own ? copy_node(params, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    BEGIN;
    RtNode what, *own = rt_graph_find(exec, node, RT_NODE_COPY);
    int error = own ? row_node(dst, src, bytes, kind, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

static int fill_node(const struct cudaMemsetParams *p, RtNode *out)
{
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return RT_INVALID_VALUE;
    *out = (RtNode){.type = RT_NODE_FILL,
                    .fill = {.dst = p->dst,
                             .pitch = p->pitch,
                             .value = p->value,
                             .element = p->elementSize,
                             .width = p->width,
                             .height = p->height,
                             .depth = 1}};
    return RT_OK;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                   const cudaGraphNode_t *needs, size_t count,
                                   const struct cudaMemsetParams *params)
{
    BEGIN;
    RtNode what;
    int error = fill_node(params, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_FILL);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    *out = (struct cudaMemsetParams){own->fill.dst,     own->fill.pitch, own->fill.value,
                                     own->fill.element, own->fill.width, own->fill.height};
    return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *params)
{
    BEGIN;
    RtNode what, *own = typed(node, RT_NODE_FILL);
    int error = own ? fill_node(params, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params)
{
    BEGIN;
    RtNode what, *own = rt_graph_find(exec, node, RT_NODE_FILL);
    int error = own ? fill_node(params, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

/* --- other nodes --------------------------------------------------------------------------- */

static int host_node(const struct cudaHostNodeParams *p, RtNode *out)
{
    if (!p || !p->fn)
        return RT_INVALID_VALUE;
    *out = (RtNode){.type = RT_NODE_HOST, .function = p->fn, .argument = p->userData};
    return RT_OK;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                 const cudaGraphNode_t *needs, size_t count,
                                 const struct cudaHostNodeParams *params)
{
    BEGIN;
    RtNode what;
    int error = host_node(params, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_HOST);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    *out = (struct cudaHostNodeParams){own->function, own->argument};
    return cudaSuccess;
}

static cudaError_t set_host(RtNode *own, const struct cudaHostNodeParams *params)
{
    RtNode what;
    int error = own ? host_node(params, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *params)
{
    BEGIN;
    return set_host(typed(node, RT_NODE_HOST), params);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params)
{
    BEGIN;
    return set_host(rt_graph_find(exec, node, RT_NODE_HOST), params);
}

static int child_node(cudaGraph_t child, RtNode *out)
{
    *out = (RtNode){.type = RT_NODE_CHILD, .child = rt_graph(child)};
    return out->child ? RT_OK : RT_INVALID_VALUE;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                       const cudaGraphNode_t *needs, size_t count,
                                       cudaGraph_t child)
{
    BEGIN;
    RtNode what;
    int error = child_node(child, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_CHILD);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    *out = (cudaGraph_t)own->child;
    return cudaSuccess;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    BEGIN;
    RtNode what, *own = rt_graph_find(exec, node, RT_NODE_CHILD);
    int error = own ? child_node(child, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                  const cudaGraphNode_t *needs, size_t count)
{
    BEGIN;
    RtNode what = {.type = RT_NODE_EMPTY};
    return add(out, graph, needs, count, &what);
}

static int event_node(cudaEvent_t event, RtNodeType type, RtNode *out)
{
    *out = (RtNode){.type = type, .event = rt_event(event)};
    return out->event ? RT_OK : RT_INVALID_VALUE;
}

static cudaError_t add_event(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs,
                             size_t count, cudaEvent_t event, RtNodeType type)
{
    RtNode what;
    int error = event_node(event, type, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

static cudaError_t get_event(const RtNode *own, cudaEvent_t *out)
{
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    *out = (cudaEvent_t)own->event;
    return cudaSuccess;
}

static cudaError_t set_event(RtNode *own, cudaEvent_t event)
{
    RtNode what;
    int error = own ? event_node(event, own->type, &what) : RT_INVALID_VALUE;
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                        const cudaGraphNode_t *needs, size_t count,
                                        cudaEvent_t event)
{
    BEGIN;
    return add_event(out, graph, needs, count, event, RT_NODE_EVENT_RECORD);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                      const cudaGraphNode_t *needs, size_t count, cudaEvent_t event)
{
    BEGIN;
    return add_event(out, graph, needs, count, event, RT_NODE_EVENT_WAIT);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    BEGIN;
    return get_event(typed(node, RT_NODE_EVENT_RECORD), out);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    BEGIN;
    return set_event(typed(node, RT_NODE_EVENT_RECORD), event);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event)
{
    BEGIN;
    return set_event(rt_graph_find(exec, node, RT_NODE_EVENT_RECORD), event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    BEGIN;
    return get_event(typed(node, RT_NODE_EVENT_WAIT), out);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    BEGIN;
    return set_event(typed(node, RT_NODE_EVENT_WAIT), event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event)
{
    BEGIN;
    return set_event(rt_graph_find(exec, node, RT_NODE_EVENT_WAIT), event);
}

static int alloc_node(size_t bytes, void **address, RtNode *out)
{
    int error = rt_device()->mem_alloc(DEV_MEM_DEVICE, bytes, 0, address);
    *out = (RtNode){.type = RT_NODE_ALLOC, .address = *address, .bytes = bytes};
    return error;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                     const cudaGraphNode_t *needs, size_t count,
                                     struct cudaMemAllocNodeParams *params)
{
    BEGIN;
    NEED(params);
    RtNode what;
    int error = alloc_node(params->bytesize, &params->dptr, &what);
    return error ? fin(error) : add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_ALLOC);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    memset(out, 0, sizeof *out);
    out->dptr = own->address;
    out->bytesize = own->bytes;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                    const cudaGraphNode_t *needs, size_t count, void *address)
{
    BEGIN;
    RtNode what = {.type = RT_NODE_FREE, .argument = address};
    return add(out, graph, needs, count, &what);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out)
{
    BEGIN;
    const RtNode *own = typed(node, RT_NODE_FREE);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    *(void **)out = own->argument;
    return cudaSuccess;
}

/* --- conditional nodes; one call for every type ---------------------------------------------- */

#if CUDART_MAJOR >= 12
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *out, cudaGraph_t graph,
                                             unsigned first, unsigned flags)
{
    BEGIN;
    RtGraph *own = rt_graph(graph);
    if (!out || !own || flags & ~1u)
        return fin(RT_INVALID_VALUE);
    if (strcmp(rt_device()->kind, "cpu") != 0) {
        rt_refuse("cudaGraphConditionalHandleCreate with --device gpu");
        return fin(RT_NOT_SUPPORTED);
    }
    void *address;
    int error = rt_graph_condition(own, first, flags & 1, &address);
    if (!error)
        *out = (uintptr_t)address;
    return fin(error);
}

/* A node of any type; an alloc node's address is new, and p's. */
static int any_node(cudaGraph_t graph, struct cudaGraphNodeParams *p, RtNode *out)
{
    if (!p)
        return RT_INVALID_VALUE;
    switch ((int)p->type) {
    case cudaGraphNodeTypeKernel: {
        const struct cudaKernelNodeParams old = {.func = p->kernel.func,
                                                 .gridDim = p->kernel.gridDim,
                                                 .blockDim = p->kernel.blockDim,
                                                 .sharedMemBytes = p->kernel.sharedMemBytes,
                                                 .kernelParams = p->kernel.kernelParams,
                                                 .extra = p->kernel.extra};
        return kernel_node(&old, out);
    }
    case cudaGraphNodeTypeMemcpy:
        return copy_node(&p->memcpy.copyParams, out);
    case cudaGraphNodeTypeMemset: {
        const struct cudaMemsetParams old = {p->memset.dst,   p->memset.pitch,
                                             p->memset.value, p->memset.elementSize,
                                             p->memset.width, p->memset.height};
        return fill_node(&old, out);
    }
    case cudaGraphNodeTypeHost: {
        const struct cudaHostNodeParams old = {p->host.fn, p->host.userData};
        return host_node(&old, out);
    }
    case cudaGraphNodeTypeGraph:
        return child_node(p->graph.graph, out);
    case cudaGraphNodeTypeEmpty:
        *out = (RtNode){.type = RT_NODE_EMPTY};
        return RT_OK;
    case cudaGraphNodeTypeWaitEvent:
        return event_node(p->eventWait.event, RT_NODE_EVENT_WAIT, out);
    case cudaGraphNodeTypeEventRecord:
        return event_node(p->eventRecord.event, RT_NODE_EVENT_RECORD, out);
    case cudaGraphNodeTypeMemAlloc:
        return alloc_node(p->alloc.bytesize, &p->alloc.dptr, out);
    case cudaGraphNodeTypeMemFree:
        *out = (RtNode){.type = RT_NODE_FREE, .argument = p->free.dptr};
        return RT_OK;
    case cudaGraphNodeTypeConditional:
        return rt_condition_node(graph, p->conditional.handle, p->conditional.type,
                                 p->conditional.size, out);
    default:
        rt_refuse("graph nodes of external semaphores");
        return RT_NOT_SUPPORTED;
    }
}

static cudaError_t add_any(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs,
                           size_t count, struct cudaGraphNodeParams *p)
{
    BEGIN;
    RtNode what;
    int error = any_node(graph, p, &what);
    if (error)
        return fin(error);
    cudaError_t status = add(out, graph, needs, count, &what);
    if (status == cudaSuccess && p->type == cudaGraphNodeTypeConditional)
        p->conditional.phGraph_out = (cudaGraph_t *)(void *)((RtNode *)*out)->bodies;
    return status;
}

static cudaError_t set_any(RtNode *own, struct cudaGraphNodeParams *p)
{
    RtNode what;
    if (!own || !p || (unsigned)p->type != own->type || own->type >= RT_NODE_ALLOC)
        return fin(RT_INVALID_VALUE);
    int error = any_node((cudaGraph_t)own->graph, p, &what);
    return fin(error ? error : rt_node_set(own, &what));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    BEGIN;
    return set_any(rt_node(node), p);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *p)
{
    BEGIN;
    return set_any(any_in_exec(exec, node), p);
}

static bool plain_edges(const cudaGraphEdgeData *data, size_t count)
{
    for (size_t i = 0; data && i < count; i++)
        if (data[i].type || data[i].from_port || data[i].to_port)
            return false;
    return true;
}

static cudaError_t add_with_edges(cudaGraphNode_t *out, cudaGraph_t graph,
                                  const cudaGraphNode_t *needs, const cudaGraphEdgeData *data,
                                  size_t count, struct cudaGraphNodeParams *p)
{
    if (!plain_edges(data, count)) {
        rt_refuse("cudaGraphAddNode with programmatic edges");
        return fin(RT_NOT_SUPPORTED);
    }
    return add_any(out, graph, needs, count, p);
}
#if CUDART_MAJOR == 13
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs,
                             const cudaGraphEdgeData *data, size_t count,
                             struct cudaGraphNodeParams *p)
{
    return add_with_edges(out, graph, needs, data, count, p);
}
#else
cudaError_t gk_add_node(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs,
                        size_t count, struct cudaGraphNodeParams *p) OLD_NAME("cudaGraphAddNode");
cudaError_t gk_add_node(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs,
                        size_t count, struct cudaGraphNodeParams *p)
{
    return add_any(out, graph, needs, count, p);
}
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *out, cudaGraph_t graph,
                                const cudaGraphNode_t *needs, const cudaGraphEdgeData *data,
                                size_t count, struct cudaGraphNodeParams *p);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *out, cudaGraph_t graph,
                                const cudaGraphNode_t *needs, const cudaGraphEdgeData *data,
                                size_t count, struct cudaGraphNodeParams *p)
{
    return add_with_edges(out, graph, needs, data, count, p);
}
#endif
#endif

/* --- user objects --------------------------------------------------------------------------- */

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *argument, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags)
{
    BEGIN;
    return fin(flags == cudaUserObjectNoDestructorSync
                   ? rt_object_new(argument, destroy, references, (void **)(void *)out)
                   : RT_INVALID_VALUE);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
    BEGIN;
    return fin(rt_object_retain(object, count));
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    BEGIN;
    return fin(rt_object_release(object, count));
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags)
{
    BEGIN;
    RtGraph *own = rt_graph(graph);
    return fin(own && !(flags & ~1u) ? rt_graph_keep(own, object, count, flags & 1)
                                     : RT_INVALID_VALUE);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count)
{
    BEGIN;
    RtGraph *own = rt_graph(graph);
    return fin(own ? rt_graph_give(own, object, count) : RT_INVALID_VALUE);
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    BEGIN;
    return fin(rt_graph_memory_trim(device));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    BEGIN;
    return fin(rt_graph_memory_get(device, (int)attribute, value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    BEGIN;
    NEED(value);
    return fin(rt_graph_memory_set_high(device, (int)attribute, *(uint64_t *)value));
}

/* --- shape --------------------------------------------------------------------------------- */

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph)
{
    BEGIN;
    const RtGraph *own = rt_graph(graph);
    RtGraph *copy = own && out ? rt_graph_clone(own) : NULL;
    if (!copy)
        return fin(RT_INVALID_VALUE);
    *out = (cudaGraph_t)copy;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t node, cudaGraph_t clone)
{
    BEGIN;
    const RtNode *own = rt_node(node);
    const RtGraph *graph = rt_graph(clone);
    if (!own || !graph || own->index >= graph->count)
        return fin(RT_INVALID_VALUE);
    *out = (cudaGraphNode_t)graph->nodes[own->index];
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *out)
{
    BEGIN;
    const RtNode *own = rt_node(node);
    if (!own || !out)
        return fin(RT_INVALID_VALUE);
    *out = (enum cudaGraphNodeType)own->type;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *list, size_t *count)
{
    BEGIN;
    return fin(rt_graph_nodes(graph, false, (void **)list, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *list, size_t *count)
{
    BEGIN;
    return fin(rt_graph_nodes(graph, true, (void **)list, count));
}

/* Every edge here waits for the whole of a node. */
static void edges_clear(cudaGraphEdgeData *edges, const size_t *count)
{
    if (edges && count)
        memset(edges, 0, *count * sizeof *edges);
}

static cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                             cudaGraphEdgeData *edges, size_t *count)
{
    BEGIN;
    edges_clear(edges, count);
    return fin(rt_graph_edges(graph, (void **)from, (void **)to, count));
}

static cudaError_t get_needs(cudaGraphNode_t node, cudaGraphNode_t *list, cudaGraphEdgeData *edges,
                             size_t *count)
{
    BEGIN;
    edges_clear(edges, count);
    return fin(rt_node_needs(node, (void **)list, count));
}

static cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t *list,
                                  cudaGraphEdgeData *edges, size_t *count)
{
    BEGIN;
    edges_clear(edges, count);
    return fin(rt_node_users(node, (void **)list, count));
}

static cudaError_t change_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                                const cudaGraphNode_t *to, size_t count, bool remove)
{
    BEGIN;
    return fin(rt_graph_link(graph, (void *const *)from, (void *const *)to, count, remove));
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    BEGIN;
    const RtGraph *own = rt_graph(graph);
    RtGraph *exec;
    if (!own || !out || flags & ~15ull)
        return fin(RT_INVALID_VALUE);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
        rt_refuse("cudaGraphInstantiateFlagDeviceLaunch");
        return fin(RT_NOT_SUPPORTED);
    }
    int error = rt_graph_instantiate(own, (unsigned)flags, &exec);
    if (!error)
        *out = (cudaGraphExec_t)exec;
    return fin(error);
}

static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *bad,
                          enum cudaGraphExecUpdateResult *result)
{
    BEGIN;
    RtGraph *own = rt_graph(exec);
    const RtGraph *from = rt_graph(graph);
    RtNode *node = NULL;
    int error = own && from ? rt_graph_update(own, from, &node) : RT_INVALID_VALUE;
    *bad = (cudaGraphNode_t)node;
    *result = !error ? cudaGraphExecUpdateSuccess
              : node ? cudaGraphExecUpdateErrorNodeTypeChanged
                     : cudaGraphExecUpdateErrorTopologyChanged;
    return fin(error);
}

#if CUDART_MAJOR == 13
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edges, size_t *count)
{
    return get_edges(graph, from, to, edges, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *list,
                                         cudaGraphEdgeData *edges, size_t *count)
{
    return get_needs(node, list, edges, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *list,
                                           cudaGraphEdgeData *edges, size_t *count)
{
    return get_dependents(node, list, edges, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count)
{
    (void)edges;
    return change_edges(graph, from, to, count, false);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count)
{
    (void)edges;
    return change_edges(graph, from, to, count, true);
}
#else
cudaError_t gk_get_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                         size_t *count) OLD_NAME("cudaGraphGetEdges");
cudaError_t gk_get_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                         size_t *count)
{
    return get_edges(graph, from, to, NULL, count);
}

cudaError_t gk_get_needs(cudaGraphNode_t node, cudaGraphNode_t *list, size_t *count)
    OLD_NAME("cudaGraphNodeGetDependencies");
cudaError_t gk_get_needs(cudaGraphNode_t node, cudaGraphNode_t *list, size_t *count)
{
    return get_needs(node, list, NULL, count);
}

cudaError_t gk_get_dependents(cudaGraphNode_t node, cudaGraphNode_t *list, size_t *count)
    OLD_NAME("cudaGraphNodeGetDependentNodes");
cudaError_t gk_get_dependents(cudaGraphNode_t node, cudaGraphNode_t *list, size_t *count)
{
    return get_dependents(node, list, NULL, count);
}

cudaError_t gk_add_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         size_t count) OLD_NAME("cudaGraphAddDependencies");
cudaError_t gk_add_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         size_t count)
{
    return change_edges(graph, from, to, count, false);
}

cudaError_t gk_remove_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, size_t count)
    OLD_NAME("cudaGraphRemoveDependencies");
cudaError_t gk_remove_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, size_t count)
{
    return change_edges(graph, from, to, count, true);
}
#endif

#if CUDART_MAJOR == 11
cudaError_t gk_instantiate(cudaGraphExec_t *out, cudaGraph_t graph, cudaGraphNode_t *bad, char *log,
                           size_t room) OLD_NAME("cudaGraphInstantiate");
cudaError_t gk_instantiate(cudaGraphExec_t *out, cudaGraph_t graph, cudaGraphNode_t *bad, char *log,
                           size_t room)
{
    if (bad)
        *bad = NULL;
    if (log && room)
        *log = 0;
    return instantiate(out, graph, 0);
}

cudaError_t gk_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *bad,
                      enum cudaGraphExecUpdateResult *result) OLD_NAME("cudaGraphExecUpdate");
cudaError_t gk_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *bad,
                      enum cudaGraphExecUpdateResult *result)
{
    cudaGraphNode_t node = NULL;
    enum cudaGraphExecUpdateResult got = cudaGraphExecUpdateError;
    cudaError_t error = update(exec, graph, &node, &got);
    if (bad)
        *bad = node;
    if (result)
        *result = got;
    return error;
}
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return instantiate(out, graph, flags);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info)
{
    cudaGraphExecUpdateResultInfo got = {.result = cudaGraphExecUpdateError};
    cudaError_t error = update(exec, graph, &got.errorNode, &got.result);
    if (info)
        *info = got;
    return error;
}
#endif

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return instantiate(out, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    if (!params)
        return fin(RT_INVALID_VALUE);
    cudaError_t error = instantiate(out, graph, params->flags);
    params->errNode_out = NULL;
    params->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
    return error;
}

cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *out, cudaGraph_t graph,
                                                cudaGraphInstantiateParams *params);
cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *out, cudaGraph_t graph,
                                                cudaGraphInstantiateParams *params)
{
    return cudaGraphInstantiateWithParams(out, graph, params);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    BEGIN;
    const RtGraph *own = rt_graph(exec);
    if (!own || !flags)
        return fin(RT_INVALID_VALUE);
    *flags = own->flags;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    BEGIN;
    RtNode *own = rt_node(node);
    return fin(own ? rt_graph_remove(own) : RT_INVALID_VALUE);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    BEGIN;
    RtNode *own = any_in_exec(exec, node);
    if (!own || own->type > RT_NODE_FILL)
        return fin(RT_INVALID_VALUE);
    own->disabled = !enabled;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    BEGIN;
    const RtNode *own = any_in_exec(exec, node);
    if (!own || !enabled || own->type > RT_NODE_FILL)
        return fin(RT_INVALID_VALUE);
    *enabled = !own->disabled;
    return cudaSuccess;
}

DUAL(cudaGraphUpload, _ptsz, (exec, stream), cudaGraphExec_t exec, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(rt_graph(exec) ? RT_OK : RT_INVALID_VALUE);
}

DUAL(cudaGraphLaunch, _ptsz, (exec, stream), cudaGraphExec_t exec, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    RtGraph *graph = rt_graph(exec);
    return fin(graph && graph->is_exec ? rt_graph_launch(graph, own) : RT_INVALID_VALUE);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    BEGIN;
    (void)flags;
    return fin(rt_graph_dot(graph, path));
}
