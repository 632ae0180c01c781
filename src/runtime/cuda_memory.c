/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: memory, copies, fills, pools. Arrays: cuda_array.c; cuMemMap and its kin: cuda_virtual.c. */
#include "runtime/cuda_driver.h"

#include <string.h>

static void *at(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

/* --- allocation ---------------------------------------------------------------------------- */

static int allocate(DevMemKind kind, size_t bytes, unsigned flags, void **out)
{
    int error = rt_device()->sticky(drv_device());
    if (!error && (!bytes || !out))
        error = RT_INVALID_VALUE;
    return drv(error ? error : rt_device()->mem_alloc(kind, bytes, flags, out));
}

CU cuMemAlloc_v2(CUdeviceptr *out, size_t bytes);
int cuMemAlloc_v2(CUdeviceptr *out, size_t bytes)
{
    BEGIN;
    return allocate(DEV_MEM_DEVICE, bytes, 0, (void **)(void *)out);
}

CU cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags);
int cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags)
{
    BEGIN;
    if (flags != 1 && flags != 2)
        return RT_INVALID_VALUE;
    return allocate(DEV_MEM_MANAGED, bytes, flags, (void **)(void *)out);
}

CU cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height,
                      unsigned element);
int cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height,
                       unsigned element)
{
    BEGIN;
    if (!pitch || (element != 4 && element != 8 && element != 16))
        return RT_INVALID_VALUE;
    *pitch = (width + 511) / 512 * 512;
    return allocate(DEV_MEM_DEVICE, *pitch * height, 0, (void **)(void *)out);
}

static int release(void *address, unsigned kinds)
{
    if (!address)
        return RT_OK;
    return drv(rt_free(address, kinds));
}

CU cuMemFree_v2(CUdeviceptr address);
int cuMemFree_v2(CUdeviceptr address)
{
    BEGIN;
    return release(at(address), 1u << DEV_MEM_DEVICE | 1u << DEV_MEM_MANAGED);
}

CU cuMemHostAlloc(void **out, size_t bytes, unsigned flags);
int cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    BEGIN;
    if (flags & ~7u)
        return RT_INVALID_VALUE;
    return allocate(DEV_MEM_PINNED, bytes, flags, out);
}

CU cuMemAllocHost_v2(void **out, size_t bytes);
int cuMemAllocHost_v2(void **out, size_t bytes)
{
    return cuMemHostAlloc(out, bytes, 2);
}

CU cuMemAllocHost(void **out, unsigned bytes);
int cuMemAllocHost(void **out, unsigned bytes)
{
    return cuMemAllocHost_v2(out, bytes);
}

CU cuMemFreeHost(void *address);
int cuMemFreeHost(void *address)
{
    BEGIN;
    return release(address, 1u << DEV_MEM_PINNED);
}

CU cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags);
int cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags)
{
    BEGIN;
    return drv(rt_device()->mem_register(host, bytes, flags));
}
SAME(cuMemHostRegister, cuMemHostRegister_v2, void *host, size_t bytes, unsigned flags)

CU cuMemHostUnregister(void *host);
int cuMemHostUnregister(void *host)
{
    BEGIN;
    return drv(rt_device()->mem_unregister(host));
}

CU cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *host, unsigned flags);
int cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *host, unsigned flags)
{
    BEGIN;
    DevMemInfo info;
    if (flags || rt_device()->mem_find(host, &info) || !info.host)
        return RT_INVALID_VALUE;
    *out = info.address + (uint64_t)((char *)host - (char *)info.host);
    return RT_OK;
}

CU cuMemHostGetFlags(unsigned *flags, void *host);
int cuMemHostGetFlags(unsigned *flags, void *host)
{
    BEGIN;
    DevMemInfo info;
    if (rt_device()->mem_find(host, &info) || !info.host)
        return RT_INVALID_VALUE;
    *flags = info.flags | 2;
    return RT_OK;
}

CU cuMemGetInfo_v2(size_t *unused, size_t *total);
int cuMemGetInfo_v2(size_t *unused, size_t *total)
{
    BEGIN;
    NEED(unused && total);
    int error = rt_device()->sticky(drv_device());
    return error ? error : rt_device()->mem_usage(unused, total);
}

CU cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address);
int cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    BEGIN;
    DevMemInfo info;
    if (rt_device()->mem_find(at(address), &info))
        return RT_NOT_FOUND;
    if (base)
        *base = info.address;
    if (bytes)
        *bytes = info.bytes;
    return RT_OK;
}

/* --- pointers ------------------------------------------------------------------------------ */

CU cuPointerGetAttribute(void *out, int attribute, CUdeviceptr address);
int cuPointerGetAttribute(void *out, int attribute, CUdeviceptr address)
{
    BEGIN;
    DevMemInfo info;
    if (!out || rt_device()->mem_find(at(address), &info))
        return RT_INVALID_VALUE;
    uint64_t offset = address - info.address;
    if (offset >= info.bytes)
        offset = address - (uint64_t)info.host;
    bool on_host = info.kind == DEV_MEM_PINNED || info.kind == DEV_MEM_REGISTERED;
    switch (attribute) {
    case 1: /* context */
        *(void **)out = NULL;
        return RT_OK;
    case 2:
        *(unsigned *)out = on_host ? MEMORY_HOST : MEMORY_DEVICE;
        return RT_OK;
    case 3:
        *(CUdeviceptr *)out = info.address + offset;
        return RT_OK;
    case 4:
        if (!info.host)
            return RT_INVALID_VALUE;
        *(void **)out = (char *)info.host + offset;
        return RT_OK;
    case 6: /* synchronous operations */
    case 8:
        *(unsigned char *)out = attribute == 8 && info.kind == DEV_MEM_MANAGED;
        return RT_OK;
    case 7:
        *(unsigned long long *)out = info.id;
        return RT_OK;
    case 9:
        *(int *)out = info.device;
        return RT_OK;
    case 11:
        *(CUdeviceptr *)out = info.address;
        return RT_OK;
    case 12:
        *(size_t *)out = info.bytes;
        return RT_OK;
    case 13:
        *(unsigned char *)out = 1;
        return RT_OK;
    default:
        return RT_INVALID_VALUE;
    }
}

CU cuPointerGetAttributes(unsigned count, int *attributes, void **out, CUdeviceptr address);
int cuPointerGetAttributes(unsigned count, int *attributes, void **out, CUdeviceptr address)
{
    BEGIN;
    NEED(!count || (attributes && out));
    DevMemInfo info;
    if (rt_device()->mem_find(at(address), &info)) {
        static const unsigned char widths[] = {0, 8, 4, 8, 8, 16, 1, 8, 1, 4, 1, 8, 8, 1};
        for (unsigned i = 0; i < count; i++)
            if (attributes[i] > 0 && attributes[i] < 14)
                memset(out[i], 0, widths[attributes[i]]);
        return RT_OK;
    }
    for (unsigned i = 0; i < count; i++)
        if (cuPointerGetAttribute(out[i], attributes[i], address))
            memset(out[i], 0, 8);
    return RT_OK;
}

CU cuPointerSetAttribute(const void *value, int attribute, CUdeviceptr address);
int cuPointerSetAttribute(const void *value, int attribute, CUdeviceptr address)
{
    BEGIN;
    DevMemInfo info;
    return value && attribute == 6 && !rt_device()->mem_find(at(address), &info) ? RT_OK
                                                                                 : RT_INVALID_VALUE;
}

/* --- copies -------------------------------------------------------------------------------- */

static int row(void *dst, const void *src, size_t bytes, RtStream *stream, bool host_waits)
{
    int error = rt_device()->sticky(drv_device());
    if (error || !bytes)
        return error;
    if (!dst || !src)
        return RT_INVALID_VALUE;
    return drv(rt_copy_bytes(dst, src, bytes, stream, host_waits));
}

static bool known(const void *address)
{
    DevMemInfo info;
    return !rt_device()->mem_find(address, &info);
}

DUAL(cuMemcpy, _ptds, (dst, src, bytes), CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    return row(at(dst), at(src), bytes, own, true);
}

DUAL(cuMemcpyAsync, _ptsz, (dst, src, bytes, stream), CUdeviceptr dst, CUdeviceptr src,
     size_t bytes, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return row(at(dst), at(src), bytes, own, false);
}

DUAL(cuMemcpyHtoD_v2, _ptds, (dst, src, bytes), CUdeviceptr dst, const void *src, size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    if (bytes && !known(at(dst)) && !rt_device()->sticky(0))
        return RT_INVALID_VALUE;
    return row(at(dst), src, bytes, own, true);
}

DUAL(cuMemcpyDtoH_v2, _ptds, (dst, src, bytes), void *dst, CUdeviceptr src, size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    if (bytes && !known(at(src)) && !rt_device()->sticky(0))
        return RT_INVALID_VALUE;
    return row(dst, at(src), bytes, own, true);
}

DUAL(cuMemcpyDtoD_v2, _ptds, (dst, src, bytes), CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    return row(at(dst), at(src), bytes, own, false);
}

DUAL(cuMemcpyHtoDAsync_v2, _ptsz, (dst, src, bytes, stream), CUdeviceptr dst, const void *src,
     size_t bytes, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return row(at(dst), src, bytes, own, false);
}

DUAL(cuMemcpyDtoHAsync_v2, _ptsz, (dst, src, bytes, stream), void *dst, CUdeviceptr src,
     size_t bytes, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return row(dst, at(src), bytes, own, false);
}

DUAL(cuMemcpyDtoDAsync_v2, _ptsz, (dst, src, bytes, stream), CUdeviceptr dst, CUdeviceptr src,
     size_t bytes, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return row(at(dst), at(src), bytes, own, false);
}

DUAL(cuMemcpyPeer, _ptds, (dst, dst_context, src, src_context, bytes), CUdeviceptr dst,
     CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    (void)dst_context, (void)src_context;
    return row(at(dst), at(src), bytes, own, true);
}

DUAL(cuMemcpyPeerAsync, _ptsz, (dst, dst_context, src, src_context, bytes, stream), CUdeviceptr dst,
     CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    (void)dst_context, (void)src_context;
    return row(at(dst), at(src), bytes, own, false);
}

int copy3d_of(const CUDA_MEMCPY3D *p, DevCopy *out)
{
    if (!p)
        return RT_INVALID_VALUE;
    DevArray *src_array = NULL, *dst_array = NULL;
    size_t src_row = 0, dst_row = 0;
    int error =
        p->srcMemoryType == MEMORY_ARRAY ? drv_array(p->srcArray, &src_array, &src_row) : RT_OK;
    if (!error && p->dstMemoryType == MEMORY_ARRAY)
        error = drv_array(p->dstArray, &dst_array, &dst_row);
    if (error)
        return error;
    const char *src = p->srcMemoryType == MEMORY_HOST ? p->srcHost : at(p->srcDevice);
    char *dst = p->dstMemoryType == MEMORY_HOST ? p->dstHost : at(p->dstDevice);
    size_t src_pitch = src_array     ? src_row
                       : p->srcPitch ? p->srcPitch
                                     : p->WidthInBytes + p->srcXInBytes;
    size_t dst_pitch = dst_array     ? dst_row
                       : p->dstPitch ? p->dstPitch
                                     : p->WidthInBytes + p->dstXInBytes;
    size_t src_height = p->srcHeight ? p->srcHeight : p->Height + p->srcY;
    size_t dst_height = p->dstHeight ? p->dstHeight : p->Height + p->dstY;
    if (p->Height && (p->WidthInBytes + p->srcXInBytes > src_pitch ||
                      p->WidthInBytes + p->dstXInBytes > dst_pitch))
        return RT_INVALID_VALUE;
    *out = (DevCopy){
        .src_array = src_array,
        .dst_array = dst_array,
        .src_at = {p->srcXInBytes, p->srcY, p->srcZ},
        .dst_at = {p->dstXInBytes, p->dstY, p->dstZ},
        .src = src + p->srcZ * src_pitch * src_height + p->srcY * src_pitch + p->srcXInBytes,
        .dst = dst + p->dstZ * dst_pitch * dst_height + p->dstY * dst_pitch + p->dstXInBytes,
        .src_pitch = src_pitch,
        .dst_pitch = dst_pitch,
        .src_slice = src_pitch * src_height,
        .dst_slice = dst_pitch * dst_height,
        .width = p->WidthInBytes,
        .height = p->Height,
        .depth = p->Depth};
    return RT_OK;
}

static int copy_box(const CUDA_MEMCPY3D *p, RtStream *stream, bool host_waits)
{
    DevCopy copy;
    int error = copy3d_of(p, &copy);
    return error ? error : drv(rt_copy(&copy, stream, host_waits));
}

static int copy_plane(const CUDA_MEMCPY2D *p, RtStream *stream, bool host_waits)
{
    if (!p)
        return RT_INVALID_VALUE;
    CUDA_MEMCPY3D box = {.srcXInBytes = p->srcXInBytes,
                         .srcY = p->srcY,
                         .srcMemoryType = p->srcMemoryType,
                         .srcHost = p->srcHost,
                         .srcDevice = p->srcDevice,
                         .srcArray = p->srcArray,
                         .srcPitch = p->srcPitch,
                         .dstXInBytes = p->dstXInBytes,
                         .dstY = p->dstY,
                         .dstMemoryType = p->dstMemoryType,
                         .dstHost = p->dstHost,
                         .dstDevice = p->dstDevice,
                         .dstArray = p->dstArray,
                         .dstPitch = p->dstPitch,
                         .WidthInBytes = p->WidthInBytes,
                         .Height = p->Height,
                         .Depth = 1};
    return copy_box(&box, stream, host_waits);
}

DUAL(cuMemcpy2D_v2, _ptds, (p), const CUDA_MEMCPY2D *p)
{
    BEGIN;
    STREAM(NULL);
    return copy_plane(p, own, true);
}

DUAL(cuMemcpy2DUnaligned_v2, _ptds, (p), const CUDA_MEMCPY2D *p)
{
    BEGIN;
    STREAM(NULL);
    return copy_plane(p, own, true);
}

DUAL(cuMemcpy2DAsync_v2, _ptsz, (p, stream), const CUDA_MEMCPY2D *p, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return copy_plane(p, own, false);
}

DUAL(cuMemcpy3D_v2, _ptds, (p), const CUDA_MEMCPY3D *p)
{
    BEGIN;
    STREAM(NULL);
    return copy_box(p, own, true);
}

DUAL(cuMemcpy3DAsync_v2, _ptsz, (p, stream), const CUDA_MEMCPY3D *p, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return copy_box(p, own, false);
}

/* --- lists of copies ------------------------------------------------------------------------- */

static int copy_batch(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                      RtCopyAttributes *attributes, size_t *indices, size_t attribute_count,
                      RtStream *own, size_t *failed)
{
    *failed = SIZE_MAX;
    int error = rt_list_check(own, drv_device());
    return drv(error ? error
                     : rt_copy_batch((void *const *)dsts, (const void *const *)srcs, sizes, count,
                                     attributes, indices, attribute_count, own, failed));
}

static int copy_boxes(size_t count, RtBoxCopy *list, unsigned long long flags, RtStream *own,
                      size_t *failed)
{
    *failed = SIZE_MAX;
    int error = rt_list_check(own, drv_device());
    return drv(error ? error : rt_copy_boxes(list, count, flags, own, failed));
}

DUAL(cuMemcpyBatchAsync_v2, _ptsz,
     (dsts, srcs, sizes, count, attributes, indices, attribute_count, stream), CUdeviceptr *dsts,
     CUdeviceptr *srcs, size_t *sizes, size_t count, RtCopyAttributes *attributes, size_t *indices,
     size_t attribute_count, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    size_t failed;
    return copy_batch(dsts, srcs, sizes, count, attributes, indices, attribute_count, own, &failed);
}

DUAL(cuMemcpyBatchAsync, _ptsz,
     (dsts, srcs, sizes, count, attributes, indices, attribute_count, failed, stream),
     CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
     RtCopyAttributes *attributes, size_t *indices, size_t attribute_count, size_t *failed,
     CUstream stream)
{
    BEGIN;
    STREAM(stream);
    size_t first;
    return copy_batch(dsts, srcs, sizes, count, attributes, indices, attribute_count, own,
                      failed ? failed : &first);
}

DUAL(cuMemcpy3DBatchAsync_v2, _ptsz, (count, list, flags, stream), size_t count, RtBoxCopy *list,
     unsigned long long flags, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    size_t failed;
    return copy_boxes(count, list, flags, own, &failed);
}

DUAL(cuMemcpy3DBatchAsync, _ptsz, (count, list, failed, flags, stream), size_t count,
     RtBoxCopy *list, size_t *failed, unsigned long long flags, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    size_t first;
    return copy_boxes(count, list, flags, own, failed ? failed : &first);
}

/* The start of CUDA_MEMCPY3D_PEER is that of CUDA_MEMCPY3D; contexts stand where that is reserved. */
DUAL(cuMemcpy3DPeer, _ptds, (p), const CUDA_MEMCPY3D *p)
{
    BEGIN;
    STREAM(NULL);
    return copy_box(p, own, true);
}

DUAL(cuMemcpy3DPeerAsync, _ptsz, (p, stream), const CUDA_MEMCPY3D *p, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return copy_box(p, own, false);
}

/* --- fills --------------------------------------------------------------------------------- */

static int fill(CUdeviceptr dst, size_t pitch, uint32_t value, unsigned element, size_t width,
                size_t height, RtStream *stream, bool synchronous)
{
    if (dst % element)
        return RT_INVALID_VALUE;
    DevFill what = {.dst = at(dst),
                    .pitch = pitch,
                    .value = value,
                    .element = element,
                    .width = width,
                    .height = height,
                    .depth = 1};
    return drv(rt_fill(&what, stream, synchronous));
}

#define FILLS(suffix, type, bytes)                                                                 \
    DUAL(cuMemsetD##suffix##_v2, _ptds, (dst, value, n), CUdeviceptr dst, type value, size_t n)    \
    {                                                                                              \
        BEGIN;                                                                                     \
        STREAM(NULL);                                                                              \
        return fill(dst, n * bytes, value, bytes, n, 1, own, true);                                \
    }                                                                                              \
    DUAL(cuMemsetD##suffix##Async, _ptsz, (dst, value, n, stream), CUdeviceptr dst, type value,    \
         size_t n, CUstream stream)                                                                \
    {                                                                                              \
        BEGIN;                                                                                     \
        STREAM(stream);                                                                            \
        return fill(dst, n * bytes, value, bytes, n, 1, own, false);                               \
    }                                                                                              \
    DUAL(cuMemsetD2D##suffix##_v2, _ptds, (dst, pitch, value, width, height), CUdeviceptr dst,     \
         size_t pitch, type value, size_t width, size_t height)                                    \
    {                                                                                              \
        BEGIN;                                                                                     \
        STREAM(NULL);                                                                              \
        return fill(dst, pitch, value, bytes, width, height, own, true);                           \
    }                                                                                              \
    DUAL(cuMemsetD2D##suffix##Async, _ptsz, (dst, pitch, value, width, height, stream),            \
         CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height, CUstream stream)  \
    {                                                                                              \
        BEGIN;                                                                                     \
        STREAM(stream);                                                                            \
        return fill(dst, pitch, value, bytes, width, height, own, false);                          \
    }
FILLS(8, unsigned char, 1)
FILLS(16, unsigned short, 2)
FILLS(32, unsigned, 4)

/* --- hints --------------------------------------------------------------------------------- */

CU cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, RtPlace where);
int cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, RtPlace where)
{
    BEGIN;
    return drv(rt_advise(at(address), bytes, advice, where));
}

CU cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device);
int cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device)
{
    return cuMemAdvise_v2(address, bytes, advice, rt_place(device));
}

DUAL(cuMemPrefetchAsync_v2, _ptsz, (address, bytes, where, flags, stream), CUdeviceptr address,
     size_t bytes, RtPlace where, unsigned flags, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    (void)own;
    return drv(flags ? RT_INVALID_VALUE : rt_prefetch(at(address), bytes, where));
}

DUAL(cuMemPrefetchAsync, _ptsz, (address, bytes, device, stream), CUdeviceptr address, size_t bytes,
     CUdevice device, CUstream stream)
{
    return do_cuMemPrefetchAsync_v2(per_thread, address, bytes, rt_place(device), 0, stream);
}

CU cuMemRangeGetAttribute(void *data, size_t room, int attribute, CUdeviceptr address,
                          size_t bytes);
int cuMemRangeGetAttribute(void *data, size_t room, int attribute, CUdeviceptr address,
                           size_t bytes)
{
    BEGIN;
    return drv(rt_range_attribute(data, room, attribute, at(address), bytes));
}

CU cuMemRangeGetAttributes(void **data, size_t *rooms, int *attributes, size_t count,
                           CUdeviceptr address, size_t bytes);
int cuMemRangeGetAttributes(void **data, size_t *rooms, int *attributes, size_t count,
                            CUdeviceptr address, size_t bytes)
{
    BEGIN;
    return drv(rt_range_attributes(data, rooms, attributes, count, at(address), bytes));
}

DUAL(cuMemPrefetchBatchAsync, _ptsz,
     (addresses, sizes, count, places, indices, place_count, flags, stream), CUdeviceptr *addresses,
     size_t *sizes, size_t count, RtPlace *places, size_t *indices, size_t place_count,
     unsigned long long flags, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    int error = rt_list_check(own, drv_device());
    return drv(error ? error
                     : rt_prefetch_batch((void *const *)addresses, sizes, count, places, indices,
                                         place_count, flags));
}

DUAL(cuMemDiscardAndPrefetchBatchAsync, _ptsz,
     (addresses, sizes, count, places, indices, place_count, flags, stream), CUdeviceptr *addresses,
     size_t *sizes, size_t count, RtPlace *places, size_t *indices, size_t place_count,
     unsigned long long flags, CUstream stream)
{
    return do_cuMemPrefetchBatchAsync(per_thread, addresses, sizes, count, places, indices,
                                      place_count, flags, stream);
}

/* What was discarded may read as anything, the old bytes included. */
DUAL(cuMemDiscardBatchAsync, _ptsz, (addresses, sizes, count, flags, stream),
     CUdeviceptr *addresses, size_t *sizes, size_t count, unsigned long long flags, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    int error = rt_list_check(own, drv_device());
    return drv(error ? error : rt_discard_batch((void *const *)addresses, sizes, count, flags));
}

/* --- pools --------------------------------------------------------------------------------- */

static RtPlace on_device(CUdevice device)
{
    return (RtPlace){RT_PLACE_DEVICE, device};
}
enum { PINNED = 1 };

CU cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device);
int cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    PLAIN;
    return drv(rt_pool_default(on_device(device), PINNED, pool));
}

CU cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device);
int cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    PLAIN;
    return drv(rt_pool_current(on_device(device), PINNED, pool));
}

CU cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
int cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    PLAIN;
    return drv(rt_pool_choose(on_device(device), PINNED, pool));
}

CU cuMemGetDefaultMemPool(CUmemoryPool *pool, RtPlace *where, int type);
int cuMemGetDefaultMemPool(CUmemoryPool *pool, RtPlace *where, int type)
{
    PLAIN;
    NEED(where);
    return drv(rt_of_place(rt_pool_default(*where, type, pool)));
}

CU cuMemGetMemPool(CUmemoryPool *pool, RtPlace *where, int type);
int cuMemGetMemPool(CUmemoryPool *pool, RtPlace *where, int type)
{
    PLAIN;
    NEED(where);
    return drv(rt_of_place(rt_pool_current(*where, type, pool)));
}

CU cuMemSetMemPool(RtPlace *where, int type, CUmemoryPool pool);
int cuMemSetMemPool(RtPlace *where, int type, CUmemoryPool pool)
{
    PLAIN;
    NEED(where);
    return drv(rt_of_place(rt_pool_choose(*where, type, pool)));
}

/* The start of CUmemPoolProps. */
typedef struct {
    int type, handle_types;
    RtPlace where;
} PoolProps;

CU cuMemPoolCreate(CUmemoryPool *out, const PoolProps *props);
int cuMemPoolCreate(CUmemoryPool *out, const PoolProps *props)
{
    PLAIN;
    NEED(props);
    return drv(rt_pool_new(props->where, props->type, props->handle_types, out));
}

CU cuMemPoolDestroy(CUmemoryPool pool);
int cuMemPoolDestroy(CUmemoryPool pool)
{
    PLAIN;
    return drv(rt_pool_free(pool));
}

CU cuMemPoolTrimTo(CUmemoryPool pool, size_t keep);
int cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
    PLAIN;
    (void)keep;
    return rt_pool(pool) ? RT_OK : RT_INVALID_VALUE;
}

CU cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value);
int cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value)
{
    PLAIN;
    return drv(rt_pool_set(pool, attribute, value));
}

CU cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value);
int cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value)
{
    PLAIN;
    return drv(rt_pool_get(pool, attribute, value));
}

CU cuMemPoolSetAccess(CUmemoryPool pool, const void *list, size_t count);
int cuMemPoolSetAccess(CUmemoryPool pool, const void *list, size_t count)
{
    PLAIN;
    return rt_pool(pool) && (list || !count) ? RT_OK : RT_INVALID_VALUE;
}

CU cuMemPoolGetAccess(int *access, CUmemoryPool pool, RtPlace *where);
int cuMemPoolGetAccess(int *access, CUmemoryPool pool, RtPlace *where)
{
    PLAIN;
    NEED(where);
    return drv(rt_pool_access(pool, *where, access));
}

DUAL(cuMemAllocAsync, _ptsz, (out, bytes, stream), CUdeviceptr *out, size_t bytes, CUstream stream)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    if (!out || !bytes)
        return RT_INVALID_VALUE;
    return drv(rt_malloc_async(bytes, own, (void **)(void *)out));
}

DUAL(cuMemAllocFromPoolAsync, _ptsz, (out, bytes, pool, stream), CUdeviceptr *out, size_t bytes,
     CUmemoryPool pool, CUstream stream)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    if (!out || !bytes || !rt_pool(pool))
        return RT_INVALID_VALUE;
    return drv(rt_malloc_async(bytes, own, (void **)(void *)out));
}

DUAL(cuMemFreeAsync, _ptsz, (address, stream), CUdeviceptr address, CUstream stream)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    return address ? drv(rt_free_async(at(address), own)) : RT_OK;
}
