/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: CUDA arrays, texture and surface objects over the core's. No sparse arrays, no texture
 * references (cuTexRef...): refused by name. */
#include "runtime/cuda_driver.h"

#include <string.h>

enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCH2D };
enum { READ_AS_INTEGER = 1, NORMALIZED_COORDINATES = 2, SRGB = 16 };
enum { NO_TRILINEAR = 32, SEAMLESS = 64 };
enum { ARRAY_SPARSE = 0x40, ARRAY_DEFERRED = 0x80 };

typedef struct {
    size_t Width, Height;
    unsigned Format, NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct {
    size_t Width, Height, Depth;
    unsigned Format, NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

typedef struct {
    int resType;
    union {
        CUarray array;
        CUmipmappedArray mipmap;
        struct {
            CUdeviceptr devPtr;
            unsigned format, numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            unsigned format, numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned flags;
} CUDA_RESOURCE_DESC;

typedef struct {
    int addressMode[3], filterMode;
    unsigned flags, maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct {
    int format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

/* What an object was made from. */
typedef struct {
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC desc;
    CUDA_RESOURCE_VIEW_DESC view;
    bool has_view;
} About;

static const struct {
    uint8_t number, bits, kind;
} formats[] = {{1, 8, DEV_UNSIGNED}, {2, 16, DEV_UNSIGNED}, {3, 32, DEV_UNSIGNED},
               {8, 8, DEV_SIGNED},   {9, 16, DEV_SIGNED},   {10, 32, DEV_SIGNED},
               {16, 16, DEV_FLOAT},  {32, 32, DEV_FLOAT}};

/* CUarray_format: 1 2 3 unsigned, 8 9 10 signed, of 8 16 32 bits; 0x10 half, 0x20 float. */
static bool format_of(unsigned format, unsigned channels, DevFormat *out)
{
    if (channels != 1 && channels != 2 && channels != 4)
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].number == format) {
            *out = (DevFormat){(uint8_t)channels, formats[i].bits, formats[i].kind};
            return true;
        }
    return false;
}

static unsigned number_of(DevFormat format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].bits == format.bits && formats[i].kind == format.kind)
            return formats[i].number;
    return 0;
}

/* --- arrays -------------------------------------------------------------------------------- */

static int shape_of(const CUDA_ARRAY3D_DESCRIPTOR *desc, const char *what, DevArrayShape *out)
{
    DevFormat format;
    if (!desc || !desc->Width || !format_of(desc->Format, desc->NumChannels, &format))
        return RT_INVALID_VALUE;
    if (desc->Flags & (ARRAY_SPARSE | ARRAY_DEFERRED)) {
        rt_refuse(what);
        return RT_NOT_SUPPORTED;
    }
    *out = (DevArrayShape){desc->Width, desc->Height, desc->Depth, format, desc->Flags};
    return RT_OK;
}

CU cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc);
int cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    BEGIN;
    DevArrayShape shape;
    RtArray *array;
    int error = !out ? RT_INVALID_VALUE
                     : shape_of(desc, "cuArray3DCreate of a sparse or deferred array", &shape);
    if (!error)
        error = drv(rt_array_new(&shape, &array));
    if (!error)
        *out = array;
    return error;
}

CU cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                          unsigned levels);
int cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                           unsigned levels)
{
    BEGIN;
    DevArrayShape shape;
    RtMipmap *mipmap;
    int error =
        !out ? RT_INVALID_VALUE
             : shape_of(desc, "cuMipmappedArrayCreate of a sparse or deferred array", &shape);
    if (!error)
        error = drv(rt_mipmap_new(&shape, levels, &mipmap));
    if (!error)
        *out = mipmap;
    return error;
}

CU cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray mipmap, unsigned level);
int cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray mipmap, unsigned level)
{
    BEGIN;
    RtMipmap *own = rt_mipmap(mipmap);
    if (!own || !out || level >= own->levels)
        return own ? RT_INVALID_VALUE : RT_INVALID_HANDLE;
    *out = &own->level[level];
    return RT_OK;
}

CU cuMipmappedArrayDestroy(CUmipmappedArray mipmap);
int cuMipmappedArrayDestroy(CUmipmappedArray mipmap)
{
    BEGIN;
    RtMipmap *own = rt_mipmap(mipmap);
    return own ? drv(rt_mipmap_free(own)) : RT_INVALID_HANDLE;
}

CU cuArrayCreate_v2(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *desc);
int cuArrayCreate_v2(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *desc)
{
    if (!desc)
        return RT_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR box = {desc->Width,  desc->Height,      0,
                                   desc->Format, desc->NumChannels, 0};
    return cuArray3DCreate_v2(out, &box);
}

CU cuArrayDestroy(CUarray array);
int cuArrayDestroy(CUarray array)
{
    BEGIN;
    RtArray *own = rt_array(array);
    return own ? drv(rt_array_free(own)) : RT_INVALID_HANDLE;
}

CU cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray array);
int cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray array)
{
    BEGIN;
    const RtArray *own = rt_array(array);
    if (!own || !out)
        return own ? RT_INVALID_VALUE : RT_INVALID_HANDLE;
    const DevArrayShape *shape = &own->shape;
    *out = (CUDA_ARRAY3D_DESCRIPTOR){shape->width,           shape->height,
                                     shape->depth,           number_of(shape->format),
                                     shape->format.channels, shape->flags};
    return RT_OK;
}

CU cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray array);
int cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray array)
{
    BEGIN;
    const RtArray *own = rt_array(array);
    if (!own || !out)
        return own ? RT_INVALID_VALUE : RT_INVALID_HANDLE;
    const DevArrayShape *shape = &own->shape;
    *out = (CUDA_ARRAY_DESCRIPTOR){shape->width, shape->height, number_of(shape->format),
                                   shape->format.channels};
    return RT_OK;
}

/* --- copies -------------------------------------------------------------------------------- */

int drv_array(CUarray array, DevArray **out, size_t *row)
{
    const RtArray *own = rt_array(array);
    if (!own)
        return RT_INVALID_HANDLE;
    *out = own->array;
    *row = own->shape.width * own->texel_bytes;
    return RT_OK;
}

/* An end of a linear copy, which stays in an array's first row. */
static int first_row(CUarray array, size_t offset, size_t bytes, RtEnd *end)
{
    int error = drv_array(array, &end->array, &end->row);
    end->offset = offset;
    return !error && (offset > end->row || bytes > end->row - offset) ? RT_INVALID_VALUE : error;
}

/* Between memory and an array, from byte `offset` of its first row on. */
static int linear(CUarray array, size_t offset, char *memory, size_t bytes, bool to,
                  RtStream *stream, bool host_waits)
{
    RtEnd own = {0}, other = {.memory = memory};
    int error = first_row(array, offset, bytes, &own);
    return error
               ? error
               : drv(rt_copy_linear(to ? own : other, to ? other : own, bytes, stream, host_waits));
}

DUAL(cuMemcpyHtoA_v2, _ptds, (dst, offset, src, bytes), CUarray dst, size_t offset, const void *src,
     size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    return linear(dst, offset, (char *)(uintptr_t)src, bytes, true, own, true);
}

DUAL(cuMemcpyAtoH_v2, _ptds, (dst, src, offset, bytes), void *dst, CUarray src, size_t offset,
     size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    return linear(src, offset, dst, bytes, false, own, true);
}

DUAL(cuMemcpyHtoAAsync_v2, _ptsz, (dst, offset, src, bytes, stream), CUarray dst, size_t offset,
     const void *src, size_t bytes, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return linear(dst, offset, (char *)(uintptr_t)src, bytes, true, own, false);
}

DUAL(cuMemcpyAtoHAsync_v2, _ptsz, (dst, src, offset, bytes, stream), void *dst, CUarray src,
     size_t offset, size_t bytes, CUstream stream)
{
    BEGIN;
    STREAM(stream);
    return linear(src, offset, dst, bytes, false, own, false);
}

DUAL(cuMemcpyAtoA_v2, _ptds, (dst, to, src, from, bytes), CUarray dst, size_t to, CUarray src,
     size_t from, size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    RtEnd to_end = {0}, from_end = {0};
    int error = first_row(dst, to, bytes, &to_end);
    if (!error)
        error = first_row(src, from, bytes, &from_end);
    return error ? error : drv(rt_copy_linear(to_end, from_end, bytes, own, true));
}

DUAL(cuMemcpyDtoA_v2, _ptds, (dst, offset, src, bytes), CUarray dst, size_t offset, CUdeviceptr src,
     size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    return linear(dst, offset, (char *)(uintptr_t)src, bytes, true, own, true);
}

DUAL(cuMemcpyAtoD_v2, _ptds, (dst, src, offset, bytes), CUdeviceptr dst, CUarray src, size_t offset,
     size_t bytes)
{
    BEGIN;
    STREAM(NULL);
    return linear(src, offset, (char *)(uintptr_t)dst, bytes, false, own, true);
}

/* --- objects ------------------------------------------------------------------------------- */

static int texels_of(const CUDA_RESOURCE_DESC *r, DevTexels *out)
{
    bool good = true;
    *out = (DevTexels){0};
    switch (r->resType) {
    case RESOURCE_ARRAY: {
        const RtArray *array = rt_array(r->res.array);
        if (!array)
            return RT_INVALID_HANDLE;
        out->array = array->array;
        out->format = array->shape.format;
        return RT_OK;
    }
    case RESOURCE_MIPMAPPED: {
        const RtMipmap *mipmap = rt_mipmap(r->res.mipmap);
        if (!mipmap)
            return RT_INVALID_HANDLE;
        out->mipmap = mipmap->mipmap;
        out->format = mipmap->level[0].shape.format;
        return RT_OK;
    }
    case RESOURCE_LINEAR:
        good = format_of(r->res.linear.format, r->res.linear.numChannels, &out->format);
        out->memory = (void *)(uintptr_t)r->res.linear.devPtr;
        out->width =
            good ? r->res.linear.sizeInBytes * 8 / ((size_t)out->format.bits * out->format.channels)
                 : 0;
        break;
    case RESOURCE_PITCH2D:
        good = format_of(r->res.pitch2D.format, r->res.pitch2D.numChannels, &out->format);
        out->memory = (void *)(uintptr_t)r->res.pitch2D.devPtr;
        out->width = r->res.pitch2D.width;
        out->height = r->res.pitch2D.height;
        out->pitch = r->res.pitch2D.pitchInBytes;
        break;
    default:
        return RT_INVALID_VALUE;
    }
    return good && out->width && out->memory ? RT_OK : RT_INVALID_VALUE;
}

CU cuTexObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource,
                     const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view);
int cuTexObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource,
                      const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view)
{
    BEGIN;
    if (!out || !resource || !desc)
        return RT_INVALID_VALUE;
    DevTexels texels;
    int error = texels_of(resource, &texels);
    if (error)
        return error;
    bool whole = texels.format.kind != DEV_FLOAT,
         as_whole = whole && (desc->flags & READ_AS_INTEGER || texels.format.bits == 32),
         mip_linear = texels.mipmap && desc->mipmapFilterMode == 1;
    if ((desc->filterMode == 1 || mip_linear) && as_whole)
        return RT_INVALID_VALUE;
    DevSampler sampler = {.linear = desc->filterMode == 1,
                          .normalized_read = whole && !as_whole,
                          .normalized_coordinates = (desc->flags & NORMALIZED_COORDINATES) != 0,
                          .srgb = (desc->flags & SRGB) != 0,
                          .seamless = (desc->flags & SEAMLESS) != 0,
                          .no_trilinear = (desc->flags & NO_TRILINEAR) != 0,
                          .anisotropy = desc->maxAnisotropy,
                          .mip_linear = mip_linear,
                          .mip_bias = desc->mipmapLevelBias,
                          .mip_least = desc->minMipmapLevelClamp,
                          .mip_most = desc->maxMipmapLevelClamp};
    for (int d = 0; d < 3; d++)
        sampler.address[d] = (uint8_t)desc->addressMode[d];
    memcpy(sampler.border, desc->borderColor, sizeof sampler.border);
    About about = {.resource = *resource, .desc = *desc, .has_view = view != NULL};
    DevView look;
    if (view) {
        about.view = *view;
        look = (DevView){
            view->format,           view->width,           view->height,     view->depth,
            view->firstMipmapLevel, view->lastMipmapLevel, view->firstLayer, view->lastLayer};
        texels.view = &look;
    }
    error = rt_texture_new(&texels, &sampler, &about, sizeof about, out);
    if (error == RT_NOT_SUPPORTED)
        rt_refuse("this resource view of a texture");
    return drv(error);
}

CU cuSurfObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource);
int cuSurfObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource)
{
    BEGIN;
    if (!out || !resource || resource->resType != RESOURCE_ARRAY)
        return RT_INVALID_VALUE;
    DevTexels texels;
    About about = {.resource = *resource};
    int error = texels_of(resource, &texels);
    return error ? error : drv(rt_texture_new(&texels, NULL, &about, sizeof about, out));
}

CU cuTexObjectDestroy(uint64_t handle);
int cuTexObjectDestroy(uint64_t handle)
{
    BEGIN;
    return drv(rt_texture_free(handle, false));
}

CU cuSurfObjectDestroy(uint64_t handle);
int cuSurfObjectDestroy(uint64_t handle)
{
    BEGIN;
    return drv(rt_texture_free(handle, true));
}

CU cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle);
int cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle)
{
    BEGIN;
    NEED(out);
    About about;
    int error = rt_texture_about(handle, false, &about, sizeof about);
    if (!error)
        *out = about.resource;
    return error;
}

CU cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, uint64_t handle);
int cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, uint64_t handle)
{
    BEGIN;
    NEED(out);
    About about;
    int error = rt_texture_about(handle, false, &about, sizeof about);
    if (!error)
        *out = about.desc;
    return error;
}

CU cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *out, uint64_t handle);
int cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *out, uint64_t handle)
{
    BEGIN;
    NEED(out);
    About about;
    int error = rt_texture_about(handle, false, &about, sizeof about);
    if (!error && !about.has_view)
        error = RT_INVALID_VALUE;
    if (!error)
        *out = about.view;
    return error;
}

CU cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle);
int cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle)
{
    BEGIN;
    NEED(out);
    About about;
    int error = rt_texture_about(handle, true, &about, sizeof about);
    if (!error)
        *out = about.resource;
    return error;
}
