/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: CUDA arrays, texture and surface objects over the core's. No texture references, no
 * sparse arrays. */
#include "runtime/cudart.h"

#include <string.h>

/* What an object was made from. */
typedef struct {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc desc;
    struct cudaResourceViewDesc view;
    bool has_view;
} About;

/* What of the structures this version of the runtime has. */
enum {
    RESOURCE_BYTES = CUDART_MAJOR < 13 ? 64 : sizeof(struct cudaResourceDesc),
    TEXTURE_BYTES = CUDART_MAJOR < 12 ? offsetof(struct cudaTextureDesc, seamlessCubemap)
                                      : sizeof(struct cudaTextureDesc),
    VIEW_BYTES = CUDART_MAJOR < 13 ? offsetof(struct cudaResourceViewDesc, reserved)
                                   : sizeof(struct cudaResourceViewDesc)
};

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

static struct cudaChannelFormatDesc desc_of(DevFormat f)
{
    return (struct cudaChannelFormatDesc){f.bits, f.channels > 1 ? f.bits : 0,
                                          f.channels > 2 ? f.bits : 0, f.channels > 3 ? f.bits : 0,
                                          (enum cudaChannelFormatKind)f.kind};
}

/* --- arrays -------------------------------------------------------------------------------- */

static int shape_of(const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                    unsigned flags, const char *what, DevArrayShape *out)
{
    if (!desc || !extent.width)
        return RT_INVALID_VALUE;
    if (!texel_bytes(desc))
        return 20;
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) {
        rt_refuse(what);
        return RT_NOT_SUPPORTED;
    }
    *out = (DevArrayShape){extent.width, extent.height, extent.depth, format_of(desc), flags};
    return RT_OK;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    BEGIN;
    DevArrayShape shape;
    RtArray *array;
    int error = !out ? RT_INVALID_VALUE
                     : shape_of(desc, extent, flags,
                                "cudaMalloc3DArray of a sparse or deferred array", &shape);
    if (!error)
        error = rt_array_new(&shape, &array);
    if (!error)
        *out = (cudaArray_t)array;
    return fin(error);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned levels, unsigned flags)
{
    BEGIN;
    DevArrayShape shape;
    RtMipmap *mipmap;
    int error = !out ? RT_INVALID_VALUE
                     : shape_of(desc, extent, flags,
                                "cudaMallocMipmappedArray of a sparse or deferred array", &shape);
    if (!error)
        error = rt_mipmap_new(&shape, levels, &mipmap);
    if (!error)
        *out = (cudaMipmappedArray_t)mipmap;
    return fin(error);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_const_t mipmap,
                                       unsigned level)
{
    BEGIN;
    RtMipmap *own = rt_mipmap(mipmap);
    if (!own)
        return fin(RT_INVALID_HANDLE);
    if (!out || level >= own->levels)
        return fin(RT_INVALID_VALUE);
    *out = (cudaArray_t)&own->level[level];
    return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap)
{
    BEGIN;
    RtMipmap *own = rt_mipmap(mipmap);
    return mipmap ? fin(own ? rt_mipmap_free(own) : RT_INVALID_HANDLE) : cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned flags)
{
    return cudaMalloc3DArray(out, desc, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    BEGIN;
    RtArray *own = rt_array(array);
    return array ? fin(own ? rt_array_free(own) : RT_INVALID_VALUE) : cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array)
{
    BEGIN;
    const RtArray *own = rt_array(array);
    if (!own)
        return fin(RT_INVALID_HANDLE);
    if (desc)
        *desc = desc_of(own->shape.format);
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
    const RtArray *own = rt_array(array);
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
    /* One row needs no pitch: programs give 0. */
    dpitch = height == 1 && !dpitch ? width : dpitch;
    spitch = height == 1 && !spitch ? width : spitch;
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
static int array_end(cudaArray_const_t array, size_t x, size_t y, size_t bytes, RtEnd *out)
{
    uint32_t texel;
    int error = array_find(array, &out->array, &texel, &out->row);
    if (error || !bytes)
        return error;
    out->offset = y * out->row + x;
    return x > out->row ? RT_INVALID_VALUE : rt_device()->sticky(cudart_device);
}

static int linear(cudaArray_const_t array, size_t x, size_t y, char *memory, size_t bytes, bool to,
                  RtStream *stream, bool host_waits)
{
    RtEnd own = {0}, other = {.memory = memory};
    int error = array_end(array, x, y, bytes, &own);
    return error ? error
                 : rt_copy_linear(to ? own : other, to ? other : own, bytes, stream, host_waits);
}

DUAL(cudaMemcpyArrayToArray, _ptds, (dst, dx, dy, src, sx, sy, bytes, kind), cudaArray_t dst,
     size_t dx, size_t dy, cudaArray_const_t src, size_t sx, size_t sy, size_t bytes,
     enum cudaMemcpyKind kind)
{
    BEGIN;
    STREAM(NULL);
    (void)kind;
    RtEnd to = {0}, from = {0};
    int error = array_end(dst, dx, dy, bytes, &to);
    if (!error)
        error = array_end(src, sx, sy, bytes, &from);
    if (!error && bytes && (dx == to.row || sx == from.row))
        error = RT_INVALID_VALUE;
    return fin(error ? error : rt_copy_linear(to, from, bytes, own, true));
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
        const RtArray *array = rt_array(r->res.array.array);
        if (!array)
            return RT_INVALID_HANDLE;
        out->array = array->array;
        out->format = array->shape.format;
        return RT_OK;
    }
    case cudaResourceTypeMipmappedArray: {
        const RtMipmap *mipmap = rt_mipmap(r->res.mipmap.mipmap);
        if (!mipmap)
            return RT_INVALID_HANDLE;
        out->mipmap = mipmap->mipmap;
        out->format = mipmap->level[0].shape.format;
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
        return RT_INVALID_VALUE;
    }
    out->format = format_of(desc);
    return texel_bytes(desc) && out->width && out->memory ? RT_OK : RT_INVALID_VALUE;
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
         linear = desc->filterMode == cudaFilterModeLinear,
         mip_linear = texels.mipmap && desc->mipmapFilterMode == cudaFilterModeLinear;
    if (!error && (linear || mip_linear) && format.kind != DEV_FLOAT && !normalized)
        error = 26; /* invalid filter setting */
    if (!error && normalized && format.kind != DEV_FLOAT && format.bits == 32)
        error = 27; /* invalid norm setting */
    if (error)
        return fin(error);
    DevSampler sampler = {.linear = linear,
                          .normalized_read = normalized,
                          .normalized_coordinates = desc->normalizedCoords != 0,
                          .srgb = desc->sRGB != 0,
                          .seamless = CUDART_MAJOR >= 12 && desc->seamlessCubemap != 0,
                          .no_trilinear = desc->disableTrilinearOptimization != 0,
                          .anisotropy = desc->maxAnisotropy,
                          .mip_linear = mip_linear,
                          .mip_bias = desc->mipmapLevelBias,
                          .mip_least = desc->minMipmapLevelClamp,
                          .mip_most = desc->maxMipmapLevelClamp};
    for (int d = 0; d < 3; d++)
        sampler.address[d] = (uint8_t)desc->addressMode[d];
    memcpy(sampler.border, desc->borderColor, sizeof sampler.border);
    About about = {.has_view = view != NULL};
    memcpy(&about.resource, resource, RESOURCE_BYTES);
    memcpy(&about.desc, desc, TEXTURE_BYTES);
    DevView look;
    if (view) {
        memcpy(&about.view, view, VIEW_BYTES);
        look = (DevView){
            (int)view->format,      view->width,           view->height,     view->depth,
            view->firstMipmapLevel, view->lastMipmapLevel, view->firstLayer, view->lastLayer};
        texels.view = &look;
    }
    uint64_t handle;
    error = rt_texture_new(&texels, &sampler, &about, sizeof about, &handle);
    if (error == RT_NOT_SUPPORTED)
        rt_refuse("this resource view of a texture");
    if (!error)
        *out = handle;
    return fin(error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    BEGIN;
    return fin(handle ? rt_texture_free(handle, false) : RT_OK); /* 0 as an H200's driver has it */
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaTextureObject_t handle)
{
    BEGIN;
    About about;
    int error = out ? rt_texture_about(handle, false, &about, sizeof about) : RT_INVALID_VALUE;
    if (!error)
        memcpy(out, &about.resource, RESOURCE_BYTES);
    return fin(error);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t handle)
{
    BEGIN;
    About about;
    int error = out ? rt_texture_about(handle, false, &about, sizeof about) : RT_INVALID_VALUE;
    if (!error)
        memcpy(out, &about.desc, TEXTURE_BYTES);
    return fin(error);
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *out,
                                                 cudaTextureObject_t handle)
{
    BEGIN;
    About about;
    int error = out ? rt_texture_about(handle, false, &about, sizeof about) : RT_INVALID_VALUE;
    if (!error && !about.has_view)
        error = RT_INVALID_VALUE;
    if (!error)
        memcpy(out, &about.view, VIEW_BYTES);
    return fin(error);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                    const struct cudaResourceDesc *resource)
{
    BEGIN;
    if (!out || !resource || resource->resType != cudaResourceTypeArray)
        return fin(RT_INVALID_VALUE);
    DevTexels texels;
    About about = {0};
    memcpy(&about.resource, resource, RESOURCE_BYTES);
    uint64_t handle;
    int error = texels_of(resource, &texels);
    if (!error)
        error = rt_texture_new(&texels, NULL, &about, sizeof about, &handle);
    if (!error)
        *out = handle;
    return fin(error);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    BEGIN;
    return fin(handle ? rt_texture_free(handle, true) : RT_OK);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaSurfaceObject_t handle)
{
    BEGIN;
    About about;
    int error = out ? rt_texture_about(handle, true, &about, sizeof about) : RT_INVALID_VALUE;
    if (!error)
        memcpy(out, &about.resource, RESOURCE_BYTES);
    return fin(error);
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
