/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: streams, events, capture. */
#include "runtime/cudart.h"

#include <string.h>

/* --- streams ------------------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    BEGIN;
    RtStream *stream;
    if (!out)
        return fin(RT_INVALID_VALUE);
    int error = rt_device()->sticky(cudart_device);
    if (!error)
        error = rt_stream_new(flags, priority > 0 ? 0 : priority < -5 ? -5 : priority, &stream);
    if (error)
        return fin(error);
    stream->device = cudart_device;
    *out = (cudaStream_t)stream;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    return cudaStreamCreateWithPriority(out, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return cudaStreamCreateWithPriority(out, 0, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    BEGIN;
    if ((uintptr_t)stream <= 2)
        return fin(RT_INVALID_HANDLE);
    RtStream *own = rt_stream(stream, false);
    return fin(own ? rt_stream_free(own) : RT_INVALID_HANDLE);
}

DUAL(cudaStreamGetFlags, _ptsz, (stream, flags), cudaStream_t stream, unsigned *flags)
{
    BEGIN;
    STREAM(stream);
    NEED(flags);
    *flags = own->flags;
    return cudaSuccess;
}

DUAL(cudaStreamGetPriority, _ptsz, (stream, priority), cudaStream_t stream, int *priority)
{
    BEGIN;
    STREAM(stream);
    NEED(priority);
    *priority = own->priority;
    return cudaSuccess;
}

DUAL(cudaStreamGetId, _ptsz, (stream, id), cudaStream_t stream, unsigned long long *id)
{
    BEGIN;
    STREAM(stream);
    NEED(id);
    *id = own->id;
    return cudaSuccess;
}

DUAL(cudaStreamGetDevice, _ptsz, (stream, device), cudaStream_t stream, int *device)
{
    BEGIN;
    STREAM(stream);
    NEED(device);
    *device = own->device;
    return cudaSuccess;
}

DUAL(cudaStreamSynchronize, _ptsz, (stream), cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(rt_stream_wait(own));
}

DUAL(cudaStreamQuery, _ptsz, (stream), cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(rt_stream_query(own));
}

DUAL(cudaStreamWaitEvent, _ptsz, (stream, event, flags), cudaStream_t stream, cudaEvent_t event,
     unsigned flags)
{
    BEGIN;
    STREAM(stream);
    RtEvent *found = rt_event(event);
    if (!found || flags > 1)
        return fin(found ? RT_INVALID_VALUE : RT_INVALID_HANDLE);
    return fin(rt_stream_wait_event(own, found));
}

DUAL(cudaStreamAttachMemAsync, _ptsz, (stream, address, length, flags), cudaStream_t stream,
     void *address, size_t length, unsigned flags)
{
    BEGIN;
    STREAM(stream);
    DevMemInfo info;
    (void)length;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
        return fin(RT_INVALID_VALUE);
    return fin(rt_device()->mem_find(address, &info));
}

DUAL(cudaStreamGetAttribute, _ptsz, (stream, attribute, value), cudaStream_t stream,
     cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value)
{
    BEGIN;
    STREAM(stream);
    NEED(value);
    memset(value, 0, sizeof *value);
    if (attribute == cudaLaunchAttributePriority)
        value->priority = own->priority;
    else if (attribute == cudaLaunchAttributeSynchronizationPolicy)
        value->syncPolicy = (enum cudaSynchronizationPolicy)own->waiting;
    else if (attribute > cudaLaunchAttributePreferredSharedMemoryCarveout)
        return fin(RT_INVALID_VALUE);
    return cudaSuccess;
}

/* Policies of caches: nothing to set here. */
DUAL(cudaStreamSetAttribute, _ptsz, (stream, attribute, value), cudaStream_t stream,
     cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue *value)
{
    BEGIN;
    STREAM(stream);
    if (!value || attribute > cudaLaunchAttributePreferredSharedMemoryCarveout)
        return fin(RT_INVALID_VALUE);
    if (attribute == cudaLaunchAttributePriority)
        own->priority = value->priority;
    else if (attribute == cudaLaunchAttributeSynchronizationPolicy)
        own->waiting = (int)value->syncPolicy;
    return cudaSuccess;
}

DUAL(cudaStreamCopyAttributes, _ptsz, (dst, src), cudaStream_t dst, cudaStream_t src)
{
    BEGIN;
    STREAM(dst);
    const RtStream *from = rt_stream(src, per_thread);
    if (!from)
        return fin(RT_INVALID_HANDLE);
    own->priority = from->priority;
    own->waiting = from->waiting;
    return cudaSuccess;
}

/* --- events -------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    BEGIN;
    RtEvent *event;
    NEED(out);
    int error = rt_device()->sticky(cudart_device);
    if (!error)
        error = rt_event_new(flags, &event);
    if (error)
        return fin(error);
    *out = (cudaEvent_t)event;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, 0);
}

#define EVENT(handle)                                                                              \
    RtEvent *own_event = rt_event(handle);                                                         \
    if (!own_event)                                                                                \
    return fin(RT_INVALID_HANDLE)

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    BEGIN;
    EVENT(event);
    return fin(rt_event_free(own_event));
}

DUAL(cudaEventRecordWithFlags, _ptsz, (event, stream, flags), cudaEvent_t event,
     cudaStream_t stream, unsigned flags)
{
    BEGIN;
    EVENT(event);
    STREAM(stream);
    if (flags > 1)
        return fin(RT_INVALID_VALUE);
    return fin(rt_event_record(own_event, own));
}

DUAL(cudaEventRecord, _ptsz, (event, stream), cudaEvent_t event, cudaStream_t stream)
{
    return do_cudaEventRecordWithFlags(per_thread, event, stream, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    BEGIN;
    EVENT(event);
    return fin(rt_event_query(own_event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    BEGIN;
    EVENT(event);
    return fin(rt_event_wait(own_event));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    BEGIN;
    RtEvent *a = rt_event(start), *b = rt_event(end);
    if (!a || !b)
        return fin(RT_INVALID_HANDLE);
    if (!ms)
        return fin(RT_INVALID_VALUE);
    return fin(rt_event_elapsed(a, b, ms));
}

cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return cudaEventElapsedTime(ms, start, end);
}

/* --- capture ------------------------------------------------------------------------------- */

DUAL(cudaStreamBeginCapture, _ptsz, (stream, mode), cudaStream_t stream,
     enum cudaStreamCaptureMode mode)
{
    BEGIN;
    STREAM(stream);
    return fin(rt_capture_begin(own, (int)mode, NULL));
}

DUAL(cudaStreamBeginCaptureToGraph, _ptsz, (stream, graph, needs, data, count, mode),
     cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *needs,
     const cudaGraphEdgeData *data, size_t count, enum cudaStreamCaptureMode mode)
{
    BEGIN;
    STREAM(stream);
    (void)data;
    RtGraph *into = rt_graph(graph);
    if (!into || (count && !needs))
        return fin(RT_INVALID_VALUE);
    int error = rt_capture_begin(own, (int)mode, into);
    if (!error && count)
        error = rt_capture_follow(own, (RtNode *const *)(const void *)needs, count, false);
    return fin(error);
}

DUAL(cudaStreamEndCapture, _ptsz, (stream, out), cudaStream_t stream, cudaGraph_t *out)
{
    BEGIN;
    STREAM(stream);
    RtGraph *graph = NULL;
    int error = rt_capture_end(own, &graph);
    if (out)
        *out = (cudaGraph_t)graph;
    return fin(error);
}

DUAL(cudaStreamIsCapturing, _ptsz, (stream, status), cudaStream_t stream,
     enum cudaStreamCaptureStatus *status)
{
    BEGIN;
    STREAM(stream);
    NEED(status);
    *status = (enum cudaStreamCaptureStatus)rt_capture_status(own, NULL, NULL);
    return cudaSuccess;
}

static cudaError_t capture_info(RtStream *own, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph,
                                const cudaGraphNode_t **needs, const cudaGraphEdgeData **edges,
                                size_t *count)
{
    uint64_t number = 0;
    RtGraph *found = NULL;
    NEED(status);
    *status = (enum cudaStreamCaptureStatus)rt_capture_status(own, &number, &found);
    if (id)
        *id = number;
    if (graph)
        *graph = (cudaGraph_t)found;
    if (needs)
        *needs = (const cudaGraphNode_t *)(void *)own->last;
    if (edges)
        *edges = NULL;
    if (count)
        *count = own->last_count;
    return cudaSuccess;
}

/* flags: 0 add to what the next operation follows, 1 replace it. */
static cudaError_t capture_follow(bool per_thread, cudaStream_t stream, cudaGraphNode_t *needs,
                                  size_t count, unsigned flags)
{
    BEGIN;
    STREAM(stream);
    if (flags > 1 || (count && !needs))
        return fin(RT_INVALID_VALUE);
    return fin(rt_capture_follow(own, (RtNode *const *)(const void *)needs, count, !flags));
}

#if CUDART_MAJOR == 13
DUAL(cudaStreamUpdateCaptureDependencies, _ptsz, (stream, needs, edges, count, flags),
     cudaStream_t stream, cudaGraphNode_t *needs, const cudaGraphEdgeData *edges, size_t count,
     unsigned flags)
{
    (void)edges;
    return capture_follow(per_thread, stream, needs, count, flags);
}
DUAL(cudaStreamGetCaptureInfo, _ptsz, (stream, status, id, graph, needs, edges, count),
     cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
     cudaGraph_t *graph, const cudaGraphNode_t **needs, const cudaGraphEdgeData **edges,
     size_t *count)
{
    BEGIN;
    STREAM(stream);
    return capture_info(own, status, id, graph, needs, edges, count);
}
#else
cudaError_t gk_capture_follow(cudaStream_t stream, cudaGraphNode_t *needs, size_t count,
                              unsigned flags) OLD_NAME("cudaStreamUpdateCaptureDependencies");
cudaError_t gk_capture_follow(cudaStream_t stream, cudaGraphNode_t *needs, size_t count,
                              unsigned flags)
{
    return capture_follow(false, stream, needs, count, flags);
}
cudaError_t gk_capture_follow_ptsz(cudaStream_t stream, cudaGraphNode_t *needs, size_t count,
                                   unsigned flags)
    OLD_NAME("cudaStreamUpdateCaptureDependencies_ptsz");
cudaError_t gk_capture_follow_ptsz(cudaStream_t stream, cudaGraphNode_t *needs, size_t count,
                                   unsigned flags)
{
    return capture_follow(true, stream, needs, count, flags);
}

cudaError_t gk_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                            unsigned long long *id) OLD_NAME("cudaStreamGetCaptureInfo");
cudaError_t gk_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                            unsigned long long *id)
{
    BEGIN;
    bool per_thread = false;
    STREAM(stream);
    return capture_info(own, status, id, NULL, NULL, NULL, NULL);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **needs, size_t *count);
DUAL(cudaStreamGetCaptureInfo_v2, _ptsz, (stream, status, id, graph, needs, count),
     cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
     cudaGraph_t *graph, const cudaGraphNode_t **needs, size_t *count)
{
    BEGIN;
    STREAM(stream);
    return capture_info(own, status, id, graph, needs, NULL, count);
}
#endif

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    BEGIN;
    static _Thread_local enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    if (!mode || (unsigned)*mode > 2)
        return fin(RT_INVALID_VALUE);
    enum cudaStreamCaptureMode old = current;
    current = *mode;
    *mode = old;
    return cudaSuccess;
}
