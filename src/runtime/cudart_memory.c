/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: memory of all kinds, copies and fills, pools. Arrays are not here. */
#include "runtime/cudart.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum {
    KIND_DEVICE = 1 << DEV_MEM_DEVICE,
    KIND_MANAGED = 1 << DEV_MEM_MANAGED,
    KIND_PINNED = 1 << DEV_MEM_PINNED,
};
enum { PITCH_ALIGN = 512 };

/* --- allocation ---------------------------------------------------------------------------- */

static int allocate(DevMemKind kind, size_t bytes, unsigned flags, void **out)
{
    if (!out)
        return RT_INVALID_VALUE;
    int error = rt_device()->sticky(cudart_device);
    if (error)
        return error;
    if (!bytes) {
        *out = NULL;
        return RT_OK;
    }
    return rt_device()->mem_alloc(kind, bytes, flags, out);
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    BEGIN;
    return fin(allocate(DEV_MEM_DEVICE, bytes, 0, out));
}

cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    BEGIN;
    if ((flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || !bytes)
        return fin(RT_INVALID_VALUE);
    return fin(allocate(DEV_MEM_MANAGED, bytes, flags, out));
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    BEGIN;
    return fin(allocate(DEV_MEM_PINNED, bytes, cudaHostAllocMapped, out));
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    BEGIN;
    if (flags & ~7u)
        return fin(RT_INVALID_VALUE);
    return fin(allocate(DEV_MEM_PINNED, bytes, flags, out));
}

/* Frees like the real one: after everything in flight. */
static int release(void *address, unsigned kinds)
{
    if (!address)
        return rt_device()->sticky(cudart_device);
    return rt_free(address, kinds);
}

cudaError_t cudaFree(void *address)
{
    BEGIN;
    return fin(release(address, KIND_DEVICE | KIND_MANAGED));
}

cudaError_t cudaFreeHost(void *address)
{
    BEGIN;
    return fin(release(address, KIND_PINNED));
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    BEGIN;
    if (!out || !pitch)
        return fin(RT_INVALID_VALUE);
    *pitch = (width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
    if (height && *pitch > SIZE_MAX / height)
        return fin(RT_OUT_OF_MEMORY);
    return fin(allocate(DEV_MEM_DEVICE, *pitch * height, 0, out));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    if (!out)
        return fin(RT_INVALID_VALUE);
    out->xsize = extent.width;
    out->ysize = extent.height;
    return cudaMallocPitch(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags)
{
    BEGIN;
    if (flags & ~15u)
        return fin(RT_INVALID_VALUE);
    return fin(rt_device()->mem_register(host, bytes, flags));
}

cudaError_t cudaHostUnregister(void *host)
{
    BEGIN;
    return fin(rt_device()->mem_unregister(host));
}

cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    BEGIN;
    DevMemInfo info;
    if (flags || !out)
        return fin(RT_INVALID_VALUE);
    if (rt_device()->mem_find(host, &info) || !info.host)
        return fin(RT_INVALID_VALUE);
    *out = (void *)(info.address + (uint64_t)((char *)host - (char *)info.host));
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    BEGIN;
    DevMemInfo info;
    if (rt_device()->mem_find(host, &info) || !info.host || info.kind == DEV_MEM_MANAGED)
        return fin(RT_INVALID_VALUE);
    *flags = info.flags | cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *total)
{
    BEGIN;
    NEED(unused && total);
    int error = rt_device()->sticky(cudart_device);
    return fin(error ? error : rt_device()->mem_usage(unused, total));
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *address)
{
    BEGIN;
    if (!out || !address)
        return fin(RT_INVALID_VALUE);
    DevMemInfo info;
    struct cudaPointerAttributes all = {.device = -2};
    if (rt_device()->mem_find(address, &info)) {
        all.type = cudaMemoryTypeUnregistered;
        all.hostPointer = (void *)(uintptr_t)address;
    } else {
        static const enum cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged,
                                                    cudaMemoryTypeHost, cudaMemoryTypeHost};
        all.type = types[info.kind];
        all.device = info.device;
        uint64_t offset = (uint64_t)address - info.address;
        if (offset >= info.bytes)
            offset = (uint64_t)address - (uint64_t)info.host;
        all.devicePointer = (void *)(info.address + offset);
        if (info.host)
            all.hostPointer = (char *)info.host + offset;
    }
    memcpy(out, &all, CUDART_MAJOR < 13 ? 24 : sizeof all);
    return cudaSuccess;
}

/* --- copies -------------------------------------------------------------------------------- */

static bool is_known(const void *address)
{
    DevMemInfo info;
    return !rt_device()->mem_find(address, &info);
}

int copy_check(void *dst, const void *src, enum cudaMemcpyKind kind)
{
    int sticky = rt_device()->sticky(cudart_device);
    if (sticky)
        return sticky;
    switch ((int)kind) {
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return RT_OK;
    case cudaMemcpyHostToDevice:
        return is_known(dst) ? RT_OK : RT_INVALID_VALUE;
    case cudaMemcpyDeviceToHost:
        return is_known(src) ? RT_OK : RT_INVALID_VALUE;
    case cudaMemcpyDeviceToDevice:
        return is_known(src) && is_known(dst) ? RT_OK : RT_INVALID_VALUE;
    default:
        return 21;
    }
}

int copy_box_check(const DevCopy *copy, enum cudaMemcpyKind kind)
{
    return copy->dst_array || copy->src_array ? rt_device()->sticky(cudart_device)
                                              : copy_check(copy->dst, copy->src, kind);
}

static int copy_bytes(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                      RtStream *stream, bool host_waits)
{
    if (!bytes)
        return kind > cudaMemcpyDefault ? 21 : rt_device()->sticky(cudart_device);
    int error = copy_check(dst, src, kind);
    if (!error && (!dst || !src))
        error = RT_INVALID_VALUE;
    return error ? error : rt_copy_bytes(dst, src, bytes, stream, host_waits);
}

DUAL(cudaMemcpy, _ptds, (dst, src, bytes, kind), void *dst, const void *src, size_t bytes,
     enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    return fin(copy_bytes(dst, src, bytes, kind, own, kind != cudaMemcpyDeviceToDevice));
}

DUAL(cudaMemcpyAsync, _ptsz, (dst, src, bytes, kind, stream), void *dst, const void *src,
     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(copy_bytes(dst, src, bytes, kind, own, false));
}

/* --- lists of copies ------------------------------------------------------------------------- */

static int copy_batch(bool per_thread, void *const *dsts, const void *const *srcs,
                      const size_t *sizes, size_t count,
                      const struct cudaMemcpyAttributes *attributes, const size_t *indices,
                      size_t attribute_count, cudaStream_t stream, size_t *failed)
{
    static_assert(sizeof *attributes == sizeof(RtCopyAttributes), "laid out alike");
    RtStream *own = rt_stream(stream, per_thread);
    int error = rt_list_check(own, cudart_device);
    *failed = SIZE_MAX;
    return error ? error
                 : rt_copy_batch(dsts, srcs, sizes, count, (const RtCopyAttributes *)attributes,
                                 indices, attribute_count, own, failed);
}

static int copy_boxes(bool per_thread, size_t count, const struct cudaMemcpy3DBatchOp *list,
                      unsigned long long flags, cudaStream_t stream, size_t *failed)
{
    static_assert(sizeof *list == sizeof(RtBoxCopy) &&
                      offsetof(struct cudaMemcpy3DBatchOp, extent) == offsetof(RtBoxCopy, extent),
                  "laid out alike");
    RtStream *own = rt_stream(stream, per_thread);
    int error = rt_list_check(own, cudart_device);
    *failed = SIZE_MAX;
    return error ? error : rt_copy_boxes((const RtBoxCopy *)list, count, flags, own, failed);
}

#if CUDART_MAJOR == 13
DUAL(cudaMemcpyBatchAsync, _ptsz,
     (dsts, srcs, sizes, count, attributes, indices, attribute_count, stream), void *const *dsts,
     const void *const *srcs, const size_t *sizes, size_t count,
     struct cudaMemcpyAttributes *attributes, size_t *indices, size_t attribute_count,
     cudaStream_t stream)
{
    BEGIN;
    size_t failed;
    return fin(copy_batch(per_thread, dsts, srcs, sizes, count, attributes, indices,
                          attribute_count, stream, &failed));
}

DUAL(cudaMemcpy3DBatchAsync, _ptsz, (count, list, flags, stream), size_t count,
     struct cudaMemcpy3DBatchOp *list, unsigned long long flags, cudaStream_t stream)
{
    BEGIN;
    size_t failed;
    return fin(copy_boxes(per_thread, count, list, flags, stream, &failed));
}
#else
#define BATCH(function, boxes, suffix, per_thread)                                                 \
    cudaError_t function(void **dsts, void **srcs, size_t *sizes, size_t count,                    \
                         struct cudaMemcpyAttributes *attributes, size_t *indices,                 \
                         size_t attribute_count, size_t *failed, cudaStream_t stream)              \
        OLD_NAME("cudaMemcpyBatchAsync" suffix);                                                   \
    cudaError_t function(void **dsts, void **srcs, size_t *sizes, size_t count,                    \
                         struct cudaMemcpyAttributes *attributes, size_t *indices,                 \
                         size_t attribute_count, size_t *failed, cudaStream_t stream)              \
    {                                                                                              \
        BEGIN;                                                                                     \
        size_t at;                                                                                 \
        int error = copy_batch(per_thread, dsts, (const void *const *)srcs, sizes, count,          \
                               attributes, indices, attribute_count, stream, &at);                 \
        if (failed)                                                                                \
            *failed = at;                                                                          \
        return fin(error);                                                                         \
    }                                                                                              \
    cudaError_t boxes(size_t count, struct cudaMemcpy3DBatchOp *list, size_t *failed,              \
                      unsigned long long flags, cudaStream_t stream)                               \
        OLD_NAME("cudaMemcpy3DBatchAsync" suffix);                                                 \
    cudaError_t boxes(size_t count, struct cudaMemcpy3DBatchOp *list, size_t *failed,              \
                      unsigned long long flags, cudaStream_t stream)                               \
    {                                                                                              \
        BEGIN;                                                                                     \
        size_t at;                                                                                 \
        int error = copy_boxes(per_thread, count, list, flags, stream, &at);                       \
        if (failed)                                                                                \
            *failed = at;                                                                          \
        return fin(error);                                                                         \
    }
BATCH(gk_copy_batch, gk_copy_boxes, "", false)
BATCH(gk_copy_batch_ptsz, gk_copy_boxes_ptsz, "_ptsz", true)
#endif

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes)
{
    (void)dst_device, (void)src_device;
    return cudaMemcpy(dst, src, bytes, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                size_t bytes, cudaStream_t stream)
{
    (void)dst_device, (void)src_device;
    return cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream);
}

static int copy_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                   size_t height, enum cudaMemcpyKind kind, RtStream *stream, bool host_waits)
{
    if (!width || !height)
        return RT_OK;
    if (height == 1) { /* a pitch of 0 is none, as on an H200 */
        dst_pitch = dst_pitch ? dst_pitch : width;
        src_pitch = src_pitch ? src_pitch : width;
    }
    if (width > dst_pitch || width > src_pitch)
        return height > 1 ? 12 : RT_INVALID_VALUE;
    if (!dst || !src)
        return RT_INVALID_VALUE;
    int error = copy_check(dst, src, kind);
    DevCopy copy = {.dst = dst,
                    .src = src,
                    .dst_pitch = dst_pitch,
                    .src_pitch = src_pitch,
                    .width = width,
                    .height = height,
                    .depth = 1};
    return error ? error : rt_copy(&copy, stream, host_waits);
}

DUAL(cudaMemcpy2D, _ptds, (dst, dpitch, src, spitch, width, height, kind), void *dst, size_t dpitch,
     const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    return fin(copy_2d(dst, dpitch, src, spitch, width, height, kind, own,
                       kind != cudaMemcpyDeviceToDevice));
}

DUAL(cudaMemcpy2DAsync, _ptsz, (dst, dpitch, src, spitch, width, height, kind, stream), void *dst,
     size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(copy_2d(dst, dpitch, src, spitch, width, height, kind, own, false));
}

int copy3d_convert(const struct cudaMemcpy3DParms *p, DevCopy *out)
{
    if (!p)
        return RT_INVALID_VALUE;
    /* With an array in it, positions there and the width count texels. */
    DevCopy copy = {.height = p->extent.height, .depth = p->extent.depth};
    uint32_t src_texel = 1, dst_texel = 1;
    size_t src_row = p->srcPtr.pitch, dst_row = p->dstPtr.pitch;
    int error =
        p->srcArray ? array_find(p->srcArray, &copy.src_array, &src_texel, &src_row) : RT_OK;
    if (!error && p->dstArray)
        error = array_find(p->dstArray, &copy.dst_array, &dst_texel, &dst_row);
    if (error)
        return error;
    size_t src_x = p->srcPos.x * src_texel, dst_x = p->dstPos.x * dst_texel;
    copy.width = p->extent.width * (src_texel > dst_texel ? src_texel : dst_texel);
    if (copy.width + src_x > src_row || copy.width + dst_x > dst_row)
        return copy.width ? RT_INVALID_VALUE : RT_OK;
    if (copy.src_array) {
        memcpy(copy.src_at, (size_t[3]){src_x, p->srcPos.y, p->srcPos.z}, sizeof copy.src_at);
    } else {
        copy.src_pitch = src_row;
        copy.src_slice = src_row * p->srcPtr.ysize;
        copy.src = (const char *)p->srcPtr.ptr + p->srcPos.z * copy.src_slice +
                   p->srcPos.y * src_row + src_x;
    }
    if (copy.dst_array) {
        memcpy(copy.dst_at, (size_t[3]){dst_x, p->dstPos.y, p->dstPos.z}, sizeof copy.dst_at);
    } else {
        copy.dst_pitch = dst_row;
        copy.dst_slice = dst_row * p->dstPtr.ysize;
        copy.dst =
            (char *)p->dstPtr.ptr + p->dstPos.z * copy.dst_slice + p->dstPos.y * dst_row + dst_x;
    }
    *out = copy;
    return RT_OK;
}

static int copy_3d(const struct cudaMemcpy3DParms *p, RtStream *stream, bool host_waits)
{
    DevCopy copy = {0};
    int error = copy3d_convert(p, &copy);
    if (error || !copy.width || !copy.height || !copy.depth)
        return error;
    error = copy_box_check(&copy, p->kind);
    return error ? error : rt_copy(&copy, stream, host_waits);
}

DUAL(cudaMemcpy3D, _ptds, (p), const struct cudaMemcpy3DParms *p)
{
    BEGIN;
    STREAM(NULL);
    return fin(copy_3d(p, own, true));
}

DUAL(cudaMemcpy3DAsync, _ptsz, (p, stream), const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(copy_3d(p, own, false));
}

static struct cudaMemcpy3DParms from_peer(const struct cudaMemcpy3DPeerParms *p)
{
    return (struct cudaMemcpy3DParms){.srcArray = p->srcArray,
                                      .srcPos = p->srcPos,
                                      .srcPtr = p->srcPtr,
                                      .dstArray = p->dstArray,
                                      .dstPos = p->dstPos,
                                      .dstPtr = p->dstPtr,
                                      .extent = p->extent,
                                      .kind = cudaMemcpyDefault};
}

DUAL(cudaMemcpy3DPeer, _ptds, (p), const struct cudaMemcpy3DPeerParms *p)
{
    BEGIN;
    STREAM(NULL);
    NEED(p);
    struct cudaMemcpy3DParms plain = from_peer(p);
    return fin(copy_3d(&plain, own, true));
}

DUAL(cudaMemcpy3DPeerAsync, _ptsz, (p, stream), const struct cudaMemcpy3DPeerParms *p,
     cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    NEED(p);
    struct cudaMemcpy3DParms plain = from_peer(p);
    return fin(copy_3d(&plain, own, false));
}

/* --- symbols ------------------------------------------------------------------------------- */

static int symbol_range(const void *symbol, size_t offset, size_t count, char **out)
{
    void *address;
    size_t bytes;
    int error = symbol_find(symbol, &address, &bytes);
    if (error)
        return error;
    if (offset > bytes || count > bytes - offset)
        return RT_INVALID_VALUE;
    *out = (char *)address + offset;
    return RT_OK;
}

static int to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                     enum cudaMemcpyKind kind, RtStream *stream, bool host_waits)
{
    char *dst;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        return 21;
    int error = symbol_range(symbol, offset, count, &dst);
    return error ? error : copy_bytes(dst, src, count, kind, stream, host_waits);
}

static int from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                       enum cudaMemcpyKind kind, RtStream *stream, bool host_waits)
{
    char *src;
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        return 21;
    int error = symbol_range(symbol, offset, count, &src);
    return error ? error : copy_bytes(dst, src, count, kind, stream, host_waits);
}

DUAL(cudaMemcpyToSymbol, _ptds, (symbol, src, count, offset, kind), const void *symbol,
     const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    return fin(to_symbol(symbol, src, count, offset, kind, own, true));
}

DUAL(cudaMemcpyFromSymbol, _ptds, (dst, symbol, count, offset, kind), void *dst, const void *symbol,
     size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    return fin(from_symbol(dst, symbol, count, offset, kind, own, true));
}

DUAL(cudaMemcpyToSymbolAsync, _ptsz, (symbol, src, count, offset, kind, stream), const void *symbol,
     const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(to_symbol(symbol, src, count, offset, kind, own, false));
}

DUAL(cudaMemcpyFromSymbolAsync, _ptsz, (dst, symbol, count, offset, kind, stream), void *dst,
     const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(from_symbol(dst, symbol, count, offset, kind, own, false));
}

/* --- fills --------------------------------------------------------------------------------- */

static int fill(void *dst, size_t pitch, size_t slice, int value, size_t width, size_t height,
                size_t depth, RtStream *stream, bool synchronous)
{
    if (!width || !height || !depth)
        return rt_device()->sticky(cudart_device);
    if (height > 1 && width > pitch)
        return RT_INVALID_VALUE;
    DevFill what = {.dst = dst,
                    .pitch = pitch,
                    .slice = slice,
                    .value = (uint8_t)value,
                    .element = 1,
                    .width = width,
                    .height = height,
                    .depth = depth};
    return rt_fill(&what, stream, synchronous);
}

DUAL(cudaMemset, _ptds, (dst, value, count), void *dst, int value, size_t count)
{
    BEGIN;
    STREAM(NULL);
    return fin(fill(dst, count, 0, value, count, 1, 1, own, true));
}

DUAL(cudaMemsetAsync, _ptsz, (dst, value, count, stream), void *dst, int value, size_t count,
     cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(fill(dst, count, 0, value, count, 1, 1, own, false));
}

DUAL(cudaMemset2D, _ptds, (dst, pitch, value, width, height), void *dst, size_t pitch, int value,
     size_t width, size_t height)
{
    BEGIN;
    STREAM(NULL);
    return fin(fill(dst, pitch, 0, value, width, height, 1, own, true));
}

DUAL(cudaMemset2DAsync, _ptsz, (dst, pitch, value, width, height, stream), void *dst, size_t pitch,
     int value, size_t width, size_t height, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(fill(dst, pitch, 0, value, width, height, 1, own, false));
}

DUAL(cudaMemset3D, _ptds, (dst, value, extent), struct cudaPitchedPtr dst, int value,
     struct cudaExtent extent)
{
    BEGIN;
    STREAM(NULL);
    return fin(fill(dst.ptr, dst.pitch, dst.pitch * dst.ysize, value, extent.width, extent.height,
                    extent.depth, own, true));
}

DUAL(cudaMemset3DAsync, _ptsz, (dst, value, extent, stream), struct cudaPitchedPtr dst, int value,
     struct cudaExtent extent, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(fill(dst.ptr, dst.pitch, dst.pitch * dst.ysize, value, extent.width, extent.height,
                    extent.depth, own, false));
}

/* --- managed memory: hints ----------------------------------------------------------------- */

#if CUDART_MAJOR < 13
#define PREFETCH_ARGS device
#define PREFETCH_DECL int device
cudaError_t gk_prefetch(const void *address, size_t count, int device, cudaStream_t stream)
    OLD_NAME("cudaMemPrefetchAsync");
cudaError_t gk_prefetch_ptsz(const void *address, size_t count, int device, cudaStream_t stream)
    OLD_NAME("cudaMemPrefetchAsync_ptsz");
cudaError_t gk_advise(const void *address, size_t count, enum cudaMemoryAdvise advice, int device)
    OLD_NAME("cudaMemAdvise");
cudaError_t cudaMemPrefetchAsync_v2(const void *address, size_t count, struct cudaMemLocation where,
                                    unsigned flags, cudaStream_t stream);
cudaError_t cudaMemAdvise_v2(const void *address, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation where);

cudaError_t gk_prefetch(const void *address, size_t count, int device, cudaStream_t stream)
{
    BEGIN;
    if (!rt_stream(stream, false))
        return fin(RT_INVALID_HANDLE);
    return fin(rt_prefetch(address, count, rt_place(device)));
}

cudaError_t gk_prefetch_ptsz(const void *address, size_t count, int device, cudaStream_t stream)
{
    return gk_prefetch(address, count, device, stream);
}

cudaError_t gk_advise(const void *address, size_t count, enum cudaMemoryAdvise advice, int device)
{
    BEGIN;
    return fin(rt_advise(address, count, advice, rt_place(device)));
}
#define NAME_PREFETCH cudaMemPrefetchAsync_v2
#define NAME_ADVISE   cudaMemAdvise_v2
#else
#define NAME_PREFETCH cudaMemPrefetchAsync
#define NAME_ADVISE   cudaMemAdvise
cudaError_t cudaMemPrefetchAsync_ptsz(const void *address, size_t count,
                                      struct cudaMemLocation where, unsigned flags,
                                      cudaStream_t stream);
cudaError_t cudaMemPrefetchAsync_ptsz(const void *address, size_t count,
                                      struct cudaMemLocation where, unsigned flags,
                                      cudaStream_t stream)
{
    return cudaMemPrefetchAsync(address, count, where, flags, stream);
}
#endif

static RtPlace place(struct cudaMemLocation where)
{
    return (RtPlace){where.type, where.id};
}

cudaError_t NAME_PREFETCH(const void *address, size_t count, struct cudaMemLocation where,
                          unsigned flags, cudaStream_t stream)
{
    BEGIN;
    if (flags)
        return fin(RT_INVALID_VALUE);
    if (!rt_stream(stream, false))
        return fin(RT_INVALID_HANDLE);
    return fin(rt_prefetch(address, count, place(where)));
}

cudaError_t NAME_ADVISE(const void *address, size_t count, enum cudaMemoryAdvise advice,
                        struct cudaMemLocation where)
{
    BEGIN;
    return fin(rt_advise(address, count, advice, place(where)));
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t bytes, enum cudaMemRangeAttribute attribute,
                                     const void *address, size_t count)
{
    BEGIN;
    return fin(rt_range_attribute(data, bytes, attribute, address, count));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes,
                                      enum cudaMemRangeAttribute *attributes, size_t n,
                                      const void *address, size_t count)
{
    BEGIN;
    return fin(rt_range_attributes(data, sizes, (const int *)attributes, n, address, count));
}

DUAL(cudaMemPrefetchBatchAsync, _ptsz,
     (addresses, sizes, count, locations, indices, location_count, flags, stream), void **addresses,
     size_t *sizes, size_t count, struct cudaMemLocation *locations, size_t *indices,
     size_t location_count, unsigned long long flags, cudaStream_t stream)
{
    static_assert(sizeof *locations == sizeof(RtPlace), "laid out alike");
    BEGIN;
    int error = rt_list_check(rt_stream(stream, per_thread), cudart_device);
    return fin(error ? error
                     : rt_prefetch_batch(addresses, sizes, count, (const RtPlace *)locations,
                                         indices, location_count, flags));
}

DUAL(cudaMemDiscardAndPrefetchBatchAsync, _ptsz,
     (addresses, sizes, count, locations, indices, location_count, flags, stream), void **addresses,
     size_t *sizes, size_t count, struct cudaMemLocation *locations, size_t *indices,
     size_t location_count, unsigned long long flags, cudaStream_t stream)
{
    return do_cudaMemPrefetchBatchAsync(per_thread, addresses, sizes, count, locations, indices,
                                        location_count, flags, stream);
}

/* What was discarded may read as anything, the old bytes included. */
DUAL(cudaMemDiscardBatchAsync, _ptsz, (addresses, sizes, count, flags, stream), void **addresses,
     size_t *sizes, size_t count, unsigned long long flags, cudaStream_t stream)
{
    BEGIN;
    int error = rt_list_check(rt_stream(stream, per_thread), cudart_device);
    return fin(error ? error : rt_discard_batch(addresses, sizes, count, flags));
}

/* --- pools --------------------------------------------------------------------------------- */

static RtPlace on_device(int device)
{
    return (RtPlace){RT_PLACE_DEVICE, device};
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    BEGIN;
    return fin(rt_pool_default(on_device(device), cudaMemAllocationTypePinned, (void **)pool));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    BEGIN;
    return fin(rt_pool_current(on_device(device), cudaMemAllocationTypePinned, (void **)pool));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    BEGIN;
    return fin(rt_pool_choose(on_device(device), cudaMemAllocationTypePinned, pool));
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *where,
                                     enum cudaMemAllocationType type)
{
    BEGIN;
    NEED(where);
    return fin(rt_of_place(rt_pool_default(place(*where), type, (void **)pool)));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *where,
                              enum cudaMemAllocationType type)
{
    BEGIN;
    NEED(where);
    return fin(rt_of_place(rt_pool_current(place(*where), type, (void **)pool)));
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *where, enum cudaMemAllocationType type,
                              cudaMemPool_t pool)
{
    BEGIN;
    NEED(where);
    return fin(rt_of_place(rt_pool_choose(place(*where), type, pool)));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    BEGIN;
    NEED(props);
    return fin(
        rt_pool_new(place(props->location), props->allocType, props->handleTypes, (void **)out));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    BEGIN;
    return fin(rt_pool_free(pool));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    BEGIN;
    (void)keep;
    return fin(rt_pool(pool) ? RT_OK : RT_INVALID_VALUE);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    BEGIN;
    return fin(rt_pool_set(pool, attribute, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    BEGIN;
    return fin(rt_pool_get(pool, attribute, value));
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    BEGIN;
    return fin(rt_pool(pool) && (list || !count) ? RT_OK : RT_INVALID_VALUE);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    BEGIN;
    NEED(location);
    return fin(rt_pool_access(pool, place(*location), (int *)flags));
}

DUAL(cudaMallocAsync, _ptsz, (out, bytes, stream), void **out, size_t bytes, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    if (!out)
        return fin(RT_INVALID_VALUE);
    if (!bytes) {
        *out = NULL;
        return cudaSuccess;
    }
    return fin(rt_malloc_async(bytes, own, out));
}

DUAL(cudaMallocFromPoolAsync, _ptsz, (out, bytes, pool, stream), void **out, size_t bytes,
     cudaMemPool_t pool, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    if (!out || !rt_pool(pool))
        return fin(RT_INVALID_VALUE);
    return fin(rt_malloc_async(bytes, own, out));
}

DUAL(cudaFreeAsync, _ptsz, (address, stream), void *address, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    return fin(address ? rt_free_async(address, own) : RT_OK);
}
