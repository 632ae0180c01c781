/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: CUDA arrays, texture and surface objects over the device's own. No mipmaps, no texture
 * references, no sparse arrays, no resource views. */
#include "runtime/cudart.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_ARRAY = 0x676b6172 };

struct cudaArray {
    uint32_t magic;
    struct cudaChannelFormatDesc desc;
    DevArrayShape shape;
    uint32_t texel_bytes;
    DevArray *array;
};

/* What a handle was made from. */
typedef struct Object {
    struct Object *next;
    uint64_t handle;
    bool surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc desc;
} Object;
static Object *objects;
static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;

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

static DevFormat format_of(const struct cudaChannelFormatDesc *d)
{
    return (DevFormat){(uint8_t)((d->x != 0) + (d->y != 0) + (d->z != 0) + (d->w != 0)),
                       (uint8_t)d->x, (uint8_t)d->f};
}

/* --- arrays -------------------------------------------------------------------------------- */

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    BEGIN;
    if (!out || !desc || !extent.width)
        return fin(RT_INVALID_VALUE);
    uint32_t bytes = texel_bytes(desc);
    if (!bytes)
        return fin(20);
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) {
        rt_refuse("cudaMalloc3DArray of a sparse or deferred array");
        return fin(RT_NOT_SUPPORTED);
    }
    struct cudaArray own = {
        .magic = MAGIC_ARRAY,
        .desc = *desc,
        .shape = {extent.width, extent.height, extent.depth, format_of(desc), flags},
        .texel_bytes = bytes};
    int error = rt_device()->array_new(&own.shape, &own.array);
    if (error)
        return fin(error);
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
        error = rt_device()->array_free(own->array);
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
        *extent = (struct cudaExtent){own->shape.width, own->shape.height, own->shape.depth};
    if (flags)
        *flags = own->shape.flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

/* --- copies -------------------------------------------------------------------------------- */

int array_find(cudaArray_const_t array, DevArray **out, uint32_t *texel, size_t *row)
{
    const struct cudaArray *own = array_of(array);
    if (!own)
        return RT_INVALID_HANDLE;
    *out = own->array;
    *texel = own->texel_bytes;
    *row = own->shape.width * own->texel_bytes;
    return RT_OK;
}

/* Rows between an array and memory; array NULL on one side. */
static int rows(cudaArray_const_t dst_array, size_t dx, size_t dy, void *dst, size_t dpitch,
                cudaArray_const_t src_array, size_t sx, size_t sy, const void *src, size_t spitch,
                size_t width, size_t height, RtStream *stream, bool host_waits)
{
    DevCopy copy = {.dst = dst,
                    .src = src,
                    .dst_pitch = dpitch,
                    .src_pitch = spitch,
                    .width = width,
                    .height = height,
                    .depth = 1,
                    .dst_at = {dx, dy, 0},
                    .src_at = {sx, sy, 0}};
    uint32_t texel;
    size_t row;
    int error = rt_device()->sticky(cudart_device);
    if (!error && dst_array)
        error = array_find(dst_array, &copy.dst_array, &texel, &row);
    if (!error && dst_array && dx + width > row)
        error = RT_INVALID_VALUE;
    if (!error && src_array)
        error = array_find(src_array, &copy.src_array, &texel, &row);
    if (!error && src_array && sx + width > row)
        error = RT_INVALID_VALUE;
    if (error || !width || !height)
        return error;
    if ((!dst_array && width > dpitch) || (!src_array && width > spitch))
        return height > 1 ? 12 : RT_INVALID_VALUE;
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
    size_t row = own->shape.width * own->texel_bytes;
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

static int texels_of(const struct cudaResourceDesc *r, DevTexels *out)
{
    const struct cudaChannelFormatDesc *desc;
    *out = (DevTexels){0};
    switch (r->resType) {
    case cudaResourceTypeArray: {
        const struct cudaArray *array = array_of(r->res.array.array);
        if (!array)
            return RT_INVALID_HANDLE;
        out->array = array->array;
        out->format = array->shape.format;
        return RT_OK;
    }
    case cudaResourceTypeLinear:
        desc = &r->res.linear.desc;
        out->memory = r->res.linear.devPtr;
        out->width = texel_bytes(desc) ? r->res.linear.sizeInBytes / texel_bytes(desc) : 0;
        break;
    case cudaResourceTypePitch2D:
        desc = &r->res.pitch2D.desc;
        out->memory = r->res.pitch2D.devPtr;
        out->width = r->res.pitch2D.width;
        out->height = r->res.pitch2D.height;
        out->pitch = r->res.pitch2D.pitchInBytes;
        break;
    default:
        rt_refuse("a texture of a mipmapped array");
        return RT_NOT_SUPPORTED;
    }
    out->format = format_of(desc);
    return texel_bytes(desc) && out->width && out->memory ? RT_OK : RT_INVALID_VALUE;
}

/* Makes the object for which everything is known; sampler and desc NULL: a surface. */
static int object_new(const struct cudaResourceDesc *resource, const struct cudaTextureDesc *desc,
                      const DevTexels *texels, const DevSampler *sampler, uint64_t *out)
{
    uint64_t handle;
    int error = rt_device()->texture_new(texels, sampler, &handle);
    if (error)
        return error;
    Object *object = xcalloc(1, sizeof *object);
    object->handle = handle;
    object->surface = !sampler;
    memcpy(&object->resource, resource, CUDART_MAJOR < 13 ? 64 : sizeof *resource);
    if (desc)
        object->desc = *desc;
    pthread_mutex_lock(&objects_lock);
    object->next = objects;
    objects = object;
    pthread_mutex_unlock(&objects_lock);
    *out = handle;
    return RT_OK;
}

/* The link to a handle's object, the lock held; NULL when there is none. */
static Object **object_of(uint64_t handle)
{
    Object **at = &objects;
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return *at ? at : NULL;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    BEGIN;
    if (!out || !resource || !desc)
        return fin(RT_INVALID_VALUE);
    DevTexels texels;
    int error = texels_of(resource, &texels);
    DevFormat format = texels.format;
    bool normalized = desc->readMode == cudaReadModeNormalizedFloat,
         linear = desc->filterMode == cudaFilterModeLinear;
    if (!error && linear && format.kind != DEV_FLOAT && !normalized)
        error = 26; /* invalid filter setting */
    if (!error && normalized && format.kind != DEV_FLOAT && format.bits == 32)
        error = 27; /* invalid norm setting */
    bool srgb = desc->sRGB && !strcmp(rt_device()->kind, "cpu");
    if (!error && (view || srgb)) {
        rt_refuse(view ? "a resource view of a texture" : "an sRGB texture");
        error = RT_NOT_SUPPORTED;
    }
    if (error)
        return fin(error);
    DevSampler sampler = {.linear = linear,
                          .normalized_read = normalized,
                          .normalized_coordinates = desc->normalizedCoords != 0,
                          .srgb = desc->sRGB != 0,
                          .anisotropy = desc->maxAnisotropy};
    for (int d = 0; d < 3; d++)
        sampler.address[d] = (uint8_t)desc->addressMode[d];
    memcpy(sampler.border, desc->borderColor, sizeof sampler.border);
    uint64_t handle;
    error = object_new(resource, desc, &texels, &sampler, &handle);
    if (!error)
        *out = handle;
    return fin(error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    BEGIN;
    int error = rt_device_wait();
    pthread_mutex_lock(&objects_lock);
    Object **link = object_of(handle), *object = link ? *link : NULL;
    if (object)
        *link = object->next;
    pthread_mutex_unlock(&objects_lock);
    if (!object)
        return fin(RT_INVALID_VALUE);
    int freed = rt_device()->texture_free(handle, object->surface);
    free(object);
    return fin(error ? error : freed);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaTextureObject_t handle)
{
    BEGIN;
    pthread_mutex_lock(&objects_lock);
    Object **link = object_of(handle);
    if (link && out)
        memcpy(out, &(*link)->resource, CUDART_MAJOR < 13 ? 64 : sizeof *out);
    pthread_mutex_unlock(&objects_lock);
    return fin(link && out ? RT_OK : RT_INVALID_VALUE);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t handle)
{
    BEGIN;
    pthread_mutex_lock(&objects_lock);
    Object **link = object_of(handle);
    if (link && out)
        *out = (*link)->desc;
    pthread_mutex_unlock(&objects_lock);
    return fin(link && out ? RT_OK : RT_INVALID_VALUE);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                    const struct cudaResourceDesc *resource)
{
    BEGIN;
    if (!out || !resource || resource->resType != cudaResourceTypeArray)
        return fin(RT_INVALID_VALUE);
    DevTexels texels;
    int error = texels_of(resource, &texels);
    uint64_t handle;
    if (!error)
        error = object_new(resource, NULL, &texels, NULL, &handle);
    if (!error)
        *out = handle;
    return fin(error);
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
