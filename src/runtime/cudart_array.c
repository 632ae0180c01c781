/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: CUDA arrays, texture and surface objects on the CPU engine. An array is device memory
 * in rows; an object's handle is the address of a GkTexture (launch/texture.h). On a real GPU they
 * are refused. No mipmaps, no texture references, no sparse arrays. */
#include "runtime/cudart.h"

#include "base/arena.h"
#include "launch/texture.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC_ARRAY = 0x676b6172 };

struct cudaArray {
    uint32_t magic;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as asked for: zeros kept */
    unsigned flags;
    uint32_t texel_bytes;
    size_t pitch, slice;
    char *memory; /* device address */
};

typedef struct {
    GkTexture texture; /* first: the handle is its address */
    struct cudaResourceDesc resource;
    struct cudaTextureDesc desc;
} Object;

static int on_cpu(const char *what)
{
    if (!strcmp(rt_device()->kind, "cpu"))
        return RT_OK;
    rt_refuse(what);
    return RT_NOT_SUPPORTED;
}

static struct cudaArray *array_of(cudaArray_const_t array)
{
    struct cudaArray *own = (struct cudaArray *)(uintptr_t)array;
    return own && (uintptr_t)own % sizeof(void *) == 0 && own->magic == MAGIC_ARRAY ? own : NULL;
}

static uint32_t texel_bytes(const struct cudaChannelFormatDesc *d)
{
    int bits = d->x + d->y + d->z + d->w;
    bool good = (d->x == 8 || d->x == 16 || d->x == 32) && (!d->y || d->y == d->x) &&
                (!d->z || d->z == d->x) && (!d->w || d->w == d->x) && (unsigned)d->f <= 2;
    return good ? (uint32_t)bits / 8 : 0;
}

/* --- arrays -------------------------------------------------------------------------------- */

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    BEGIN;
    if (!out || !desc || !extent.width)
        return fin(RT_INVALID_VALUE);
    int error = on_cpu("cudaMalloc3DArray on a GPU");
    uint32_t bytes = texel_bytes(desc);
    if (!error && (!bytes || flags & (cudaArraySparse | cudaArrayDeferredMapping)))
        error = bytes ? RT_NOT_SUPPORTED : 20;
    if (error)
        return fin(error);
    struct cudaArray own = {.magic = MAGIC_ARRAY,
                            .desc = *desc,
                            .extent = extent,
                            .flags = flags,
                            .texel_bytes = bytes,
                            .pitch = (extent.width * bytes + 31) / 32 * 32};
    own.slice = own.pitch * (extent.height ? extent.height : 1);
    void *memory;
    error = rt_device()->mem_alloc(DEV_MEM_DEVICE, own.slice * (extent.depth ? extent.depth : 1), 0,
                                   &memory);
    if (error)
        return fin(error);
    own.memory = memory;
    struct cudaArray *array = xmalloc(sizeof *array);
    *array = own;
    *out = array;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned flags)
{
    return cudaMalloc3DArray(out, desc, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    BEGIN;
    struct cudaArray *own = array_of(array);
    if (!array)
        return cudaSuccess;
    if (!own)
        return fin(RT_INVALID_VALUE);
    int error = rt_device_wait();
    if (!error)
        error = rt_device()->mem_free(own->memory, 1u << DEV_MEM_DEVICE);
    own->magic = 0;
    free(own);
    return fin(error);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array)
{
    BEGIN;
    const struct cudaArray *own = array_of(array);
    if (!own)
        return fin(RT_INVALID_HANDLE);
    if (desc)
        *desc = own->desc;
    if (extent)
        *extent = own->extent;
    if (flags)
        *flags = own->flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

/* --- copies -------------------------------------------------------------------------------- */

int array_end(cudaArray_const_t array, size_t x_bytes, size_t y, size_t z, ArrayEnd *out)
{
    const struct cudaArray *own = array_of(array);
    if (!own)
        return RT_INVALID_HANDLE;
    *out = (ArrayEnd){own->memory + z * own->slice + y * own->pitch + x_bytes, own->pitch,
                      own->slice, own->texel_bytes};
    return x_bytes <= own->extent.width * own->texel_bytes ? RT_OK : RT_INVALID_VALUE;
}

/* Rows between an array and memory; array NULL on one side. */
static int rows(cudaArray_const_t dst_array, size_t dx, size_t dy, void *dst, size_t dpitch,
                cudaArray_const_t src_array, size_t sx, size_t sy, const void *src, size_t spitch,
                size_t width, size_t height, RtStream *stream, bool host_waits)
{
    ArrayEnd to = {dst, dpitch, 0, 1}, from = {(char *)(uintptr_t)src, spitch, 0, 1};
    int error = rt_device()->sticky(cudart_device);
    if (!error && dst_array)
        error = array_end(dst_array, dx, dy, 0, &to);
    if (!error && src_array)
        error = array_end(src_array, sx, sy, 0, &from);
    if (error || !width || !height)
        return error;
    if (width > to.pitch || width > from.pitch)
        return height > 1 ? 12 : RT_INVALID_VALUE;
    DevCopy copy = {.dst = to.at,
                    .src = from.at,
                    .dst_pitch = to.pitch,
                    .src_pitch = from.pitch,
                    .width = width,
                    .height = height,
                    .depth = 1};
    return rt_copy(&copy, stream, host_waits);
}

DUAL(cudaMemcpy2DToArray, _ptds, (dst, x, y, src, spitch, width, height, kind), cudaArray_t dst,
     size_t x, size_t y, const void *src, size_t spitch, size_t width, size_t height,
     enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    (void)kind;
    return fin(rows(dst, x, y, NULL, 0, NULL, 0, 0, src, spitch, width, height, own, true));
}

DUAL(cudaMemcpy2DToArrayAsync, _ptsz, (dst, x, y, src, spitch, width, height, kind, stream),
     cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    (void)kind;
    return fin(rows(dst, x, y, NULL, 0, NULL, 0, 0, src, spitch, width, height, own, false));
}

DUAL(cudaMemcpy2DFromArray, _ptds, (dst, dpitch, src, x, y, width, height, kind), void *dst,
     size_t dpitch, cudaArray_const_t src, size_t x, size_t y, size_t width, size_t height,
     enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    (void)kind;
    return fin(rows(NULL, 0, 0, dst, dpitch, src, x, y, NULL, 0, width, height, own, true));
}

DUAL(cudaMemcpy2DFromArrayAsync, _ptsz, (dst, dpitch, src, x, y, width, height, kind, stream),
     void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    (void)kind;
    return fin(rows(NULL, 0, 0, dst, dpitch, src, x, y, NULL, 0, width, height, own, false));
}

DUAL(cudaMemcpy2DArrayToArray, _ptds, (dst, dx, dy, src, sx, sy, width, height, kind),
     cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src, size_t sx, size_t sy,
     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    (void)kind;
    return fin(rows(dst, dx, dy, NULL, 0, src, sx, sy, NULL, 0, width, height, own, true));
}

/* The deprecated forms count bytes and run over the ends of rows. */
static int linear(cudaArray_const_t array, size_t x, size_t y, char *memory, size_t bytes, bool to,
                  RtStream *stream, bool host_waits)
{
    const struct cudaArray *own = array_of(array);
    if (!own)
        return RT_INVALID_HANDLE;
    size_t row = own->extent.width * own->texel_bytes;
    int error = RT_OK;
    while (bytes && !error) {
        size_t part = row - x < bytes ? row - x : bytes;
        error =
            to ? rows(array, x, y, NULL, 0, NULL, 0, 0, memory, part, part, 1, stream, host_waits)
               : rows(NULL, 0, 0, memory, part, array, x, y, NULL, 0, part, 1, stream, host_waits);
        memory += part;
        bytes -= part;
        x = 0;
        y++;
    }
    return error;
}

DUAL(cudaMemcpyToArray, _ptds, (dst, x, y, src, bytes, kind), cudaArray_t dst, size_t x, size_t y,
     const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    (void)kind;
    return fin(linear(dst, x, y, (char *)(uintptr_t)src, bytes, true, own, true));
}

DUAL(cudaMemcpyFromArray, _ptds, (dst, src, x, y, bytes, kind), void *dst, cudaArray_const_t src,
     size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    (void)kind;
    return fin(linear(src, x, y, dst, bytes, false, own, true));
}

DUAL(cudaMemcpyToArrayAsync, _ptsz, (dst, x, y, src, bytes, kind, stream), cudaArray_t dst,
     size_t x, size_t y, const void *src, size_t bytes, enum cudaMemcpyKind kind,
     cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    (void)kind;
    return fin(linear(dst, x, y, (char *)(uintptr_t)src, bytes, true, own, false));
}

DUAL(cudaMemcpyFromArrayAsync, _ptsz, (dst, src, x, y, bytes, kind, stream), void *dst,
     cudaArray_const_t src, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
     cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    (void)kind;
    return fin(linear(src, x, y, dst, bytes, false, own, false));
}

/* --- objects ------------------------------------------------------------------------------- */

static void set_format(GkTexture *t, const struct cudaChannelFormatDesc *d)
{
    t->channels = (uint8_t)((d->x != 0) + (d->y != 0) + (d->z != 0) + (d->w != 0));
    t->bits = (uint8_t)d->x;
    t->kind = (uint8_t)d->f;
    t->texel_bytes = texel_bytes(d);
}

static int fill_resource(GkTexture *t, const struct cudaResourceDesc *r)
{
    uint64_t address = 0;
    t->magic = GK_TEXTURE_MAGIC;
    switch (r->resType) {
    case cudaResourceTypeArray: {
        const struct cudaArray *array = array_of(r->res.array.array);
        if (!array)
            return RT_INVALID_HANDLE;
        set_format(t, &array->desc);
        t->width = (uint32_t)array->extent.width;
        t->height = (uint32_t)array->extent.height;
        t->depth = (uint32_t)array->extent.depth;
        t->pitch = array->pitch;
        t->slice = array->slice;
        address = (uint64_t)array->memory;
        break;
    }
    case cudaResourceTypeLinear:
        set_format(t, &r->res.linear.desc);
        t->linear = true;
        t->width = t->texel_bytes ? (uint32_t)(r->res.linear.sizeInBytes / t->texel_bytes) : 0;
        t->pitch = r->res.linear.sizeInBytes;
        address = (uint64_t)r->res.linear.devPtr;
        break;
    case cudaResourceTypePitch2D:
        set_format(t, &r->res.pitch2D.desc);
        t->width = (uint32_t)r->res.pitch2D.width;
        t->height = (uint32_t)r->res.pitch2D.height;
        t->pitch = r->res.pitch2D.pitchInBytes;
        address = (uint64_t)r->res.pitch2D.devPtr;
        break;
    default:
        rt_refuse("a texture of a mipmapped array");
        return RT_NOT_SUPPORTED;
    }
    if (!t->texel_bytes || !t->width || !address)
        return RT_INVALID_VALUE;
    t->data = (uint8_t *)(address + GK_DELTA);
    return RT_OK;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    BEGIN;
    if (!out || !resource || !desc)
        return fin(RT_INVALID_VALUE);
    int error = on_cpu("cudaCreateTextureObject on a GPU");
    Object *object = xcalloc(1, sizeof *object);
    if (!error)
        error = fill_resource(&object->texture, resource);
    if (!error && (view || desc->sRGB)) {
        rt_refuse(view ? "a resource view of a texture" : "an sRGB texture");
        error = RT_NOT_SUPPORTED;
    }
    GkTexture *t = &object->texture;
    bool as_float = t->kind == TEXEL_FLOAT || desc->readMode == cudaReadModeNormalizedFloat;
    if (!error && desc->filterMode == cudaFilterModeLinear && !as_float)
        error = 26; /* invalid filter setting */
    if (!error && desc->readMode == cudaReadModeNormalizedFloat && t->kind != TEXEL_FLOAT &&
        t->bits == 32)
        error = 27; /* invalid norm setting */
    if (error) {
        free(object);
        return fin(error);
    }
    for (int d = 0; d < 3; d++)
        t->address[d] = (uint8_t)desc->addressMode[d];
    t->filter_linear = desc->filterMode == cudaFilterModeLinear;
    t->read_normalized = desc->readMode == cudaReadModeNormalizedFloat;
    t->coordinates_normalized = desc->normalizedCoords != 0;
    memcpy(t->border, desc->borderColor, sizeof t->border);
    memcpy(&object->resource, resource, CUDART_MAJOR < 13 ? 64 : sizeof *resource);
    object->desc = *desc;
    *out = (cudaTextureObject_t)object;
    return cudaSuccess;
}

static Object *object_of(unsigned long long handle)
{
    Object *object = (Object *)(uintptr_t)handle;
    return object && handle % 8 == 0 && object->texture.magic == GK_TEXTURE_MAGIC ? object : NULL;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    BEGIN;
    Object *object = object_of(handle);
    if (!object)
        return fin(RT_INVALID_VALUE);
    int error = rt_device_wait();
    object->texture.magic = 0;
    free(object);
    return fin(error);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaTextureObject_t handle)
{
    BEGIN;
    const Object *object = object_of(handle);
    if (!object || !out)
        return fin(RT_INVALID_VALUE);
    memcpy(out, &object->resource, CUDART_MAJOR < 13 ? 64 : sizeof *out);
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t handle)
{
    BEGIN;
    const Object *object = object_of(handle);
    if (!object || !out)
        return fin(RT_INVALID_VALUE);
    *out = object->desc;
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                    const struct cudaResourceDesc *resource)
{
    BEGIN;
    if (!out || !resource || resource->resType != cudaResourceTypeArray)
        return fin(RT_INVALID_VALUE);
    int error = on_cpu("cudaCreateSurfaceObject on a GPU");
    Object *object = xcalloc(1, sizeof *object);
    if (!error)
        error = fill_resource(&object->texture, resource);
    if (error) {
        free(object);
        return fin(error);
    }
    memcpy(&object->resource, resource, CUDART_MAJOR < 13 ? 64 : sizeof *resource);
    *out = (cudaSurfaceObject_t)object;
    return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    return cudaDestroyTextureObject(handle);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaSurfaceObject_t handle)
{
    return cudaGetTextureObjectResourceDesc(out, handle);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *out,
                                                 const struct cudaChannelFormatDesc *desc,
                                                 int device)
{
    BEGIN;
    (void)device;
    if (!out || !desc || !texel_bytes(desc))
        return fin(RT_INVALID_VALUE);
    *out = 268435456;
    return cudaSuccess;
}
