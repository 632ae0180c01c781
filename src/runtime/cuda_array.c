/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: CUDA arrays, texture and surface objects over the device's own. No mipmaps, no resource
 * views, no sparse arrays, no texture references (cuTexRef...): refused by name. */
#include "runtime/cuda_driver.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_ARRAY = 0x676b6461 };
enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCH2D };
enum { READ_AS_INTEGER = 1, NORMALIZED_COORDINATES = 2, SRGB = 16 };
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
    uint32_t magic;
    CUDA_ARRAY3D_DESCRIPTOR desc;
    uint32_t texel_bytes;
    DevArray *array;
} Array;

/* What a handle was made from. */
typedef struct Object {
    struct Object *next;
    uint64_t handle;
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC desc;
} Object;
static Object *objects;
static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;

static Array *array_of(CUarray array)
{
    Array *own = array;
    return own && (uintptr_t)own % sizeof(void *) == 0 && own->magic == MAGIC_ARRAY ? own : NULL;
}

/* CUarray_format: 1 2 3 unsigned, 8 9 10 signed, of 8 16 32 bits; 0x10 half, 0x20 float. */
static bool format_of(unsigned format, unsigned channels, DevFormat *out)
{
    static const struct {
        uint8_t number, bits, kind;
    } formats[] = {{1, 8, DEV_UNSIGNED}, {2, 16, DEV_UNSIGNED}, {3, 32, DEV_UNSIGNED},
                   {8, 8, DEV_SIGNED},   {9, 16, DEV_SIGNED},   {10, 32, DEV_SIGNED},
                   {16, 16, DEV_FLOAT},  {32, 32, DEV_FLOAT}};
    if (channels != 1 && channels != 2 && channels != 4)
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].number == format) {
            *out = (DevFormat){(uint8_t)channels, formats[i].bits, formats[i].kind};
            return true;
        }
    return false;
}

/* --- arrays -------------------------------------------------------------------------------- */

CU cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc);
int cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    BEGIN;
    DevFormat format;
    if (!out || !desc || !desc->Width || !format_of(desc->Format, desc->NumChannels, &format))
        return RT_INVALID_VALUE;
    if (desc->Flags & (ARRAY_SPARSE | ARRAY_DEFERRED)) {
        rt_refuse("cuArray3DCreate of a sparse or deferred array");
        return RT_NOT_SUPPORTED;
    }
    Array own = {.magic = MAGIC_ARRAY,
                 .desc = *desc,
                 .texel_bytes = (uint32_t)format.channels * format.bits / 8};
    DevArrayShape shape = {desc->Width, desc->Height, desc->Depth, format, desc->Flags};
    int error = rt_device()->array_new(&shape, &own.array);
    if (error)
        return drv(error);
    Array *array = xmalloc(sizeof *array);
    *array = own;
    *out = array;
    return RT_OK;
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
    Array *own = array_of(array);
    if (!own)
        return RT_INVALID_HANDLE;
    int error = rt_device_wait();
    if (!error)
        error = rt_device()->array_free(own->array);
    own->magic = 0;
    free(own);
    return drv(error);
}

CU cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray array);
int cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray array)
{
    BEGIN;
    const Array *own = array_of(array);
    if (!own || !out)
        return own ? RT_INVALID_VALUE : RT_INVALID_HANDLE;
    *out = own->desc;
    return RT_OK;
}

CU cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray array);
int cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray array)
{
    BEGIN;
    const Array *own = array_of(array);
    if (!own || !out)
        return own ? RT_INVALID_VALUE : RT_INVALID_HANDLE;
    *out = (CUDA_ARRAY_DESCRIPTOR){own->desc.Width, own->desc.Height, own->desc.Format,
                                   own->desc.NumChannels};
    return RT_OK;
}

/* --- copies -------------------------------------------------------------------------------- */

int drv_array(CUarray array, DevArray **out, size_t *row)
{
    const Array *own = array_of(array);
    if (!own)
        return RT_INVALID_HANDLE;
    *out = own->array;
    *row = own->desc.Width * own->texel_bytes;
    return RT_OK;
}

/* Between memory and an array, from byte `offset` of its rows on. */
static int linear(CUarray array, size_t offset, char *memory, size_t bytes, bool to,
                  RtStream *stream, bool host_waits)
{
    DevArray *own;
    size_t row;
    int error = drv_array(array, &own, &row);
    while (bytes && !error) {
        size_t x = offset % row, part = row - x < bytes ? row - x : bytes;
        DevCopy copy = {.dst = to ? NULL : memory,
                        .src = to ? memory : NULL,
                        .dst_pitch = part,
                        .src_pitch = part,
                        .width = part,
                        .height = 1,
                        .depth = 1,
                        .dst_array = to ? own : NULL,
                        .src_array = to ? NULL : own,
                        .dst_at = {to ? x : 0, to ? offset / row : 0, 0},
                        .src_at = {to ? 0 : x, to ? 0 : offset / row, 0}};
        error = drv(rt_copy(&copy, stream, host_waits));
        memory += part;
        bytes -= part;
        offset += part;
    }
    return error;
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
        const Array *array = array_of(r->res.array);
        if (!array)
            return RT_INVALID_HANDLE;
        out->array = array->array;
        format_of(array->desc.Format, array->desc.NumChannels, &out->format);
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
        rt_refuse("a texture of a mipmapped array");
        return RT_NOT_SUPPORTED;
    }
    return good && out->width && out->memory ? RT_OK : RT_INVALID_VALUE;
}

/* sampler and desc NULL: a surface. */
static int object_new(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *desc,
                      const DevSampler *sampler, uint64_t *out)
{
    DevTexels texels;
    uint64_t handle;
    int error = texels_of(resource, &texels);
    if (!error)
        error = drv(rt_device()->texture_new(&texels, sampler, &handle));
    if (error)
        return error;
    Object *object = xcalloc(1, sizeof *object);
    *object = (Object){.handle = handle, .surface = !sampler, .resource = *resource};
    if (desc)
        object->desc = *desc;
    pthread_mutex_lock(&objects_lock);
    object->next = objects;
    objects = object;
    pthread_mutex_unlock(&objects_lock);
    *out = handle;
    return RT_OK;
}

CU cuTexObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource,
                     const CUDA_TEXTURE_DESC *desc, const void *view);
int cuTexObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource,
                      const CUDA_TEXTURE_DESC *desc, const void *view)
{
    BEGIN;
    if (!out || !resource || !desc)
        return RT_INVALID_VALUE;
    DevTexels texels;
    int error = texels_of(resource, &texels);
    if (error)
        return error;
    bool srgb = desc->flags & SRGB && !strcmp(rt_device()->kind, "cpu");
    if (view || srgb) {
        rt_refuse(view ? "a resource view of a texture" : "an sRGB texture");
        return RT_NOT_SUPPORTED;
    }
    bool whole = texels.format.kind != DEV_FLOAT,
         as_whole = whole && (desc->flags & READ_AS_INTEGER || texels.format.bits == 32);
    if (desc->filterMode == 1 && as_whole)
        return RT_INVALID_VALUE;
    DevSampler sampler = {.linear = desc->filterMode == 1,
                          .normalized_read = whole && !as_whole,
                          .normalized_coordinates = (desc->flags & NORMALIZED_COORDINATES) != 0,
                          .srgb = (desc->flags & SRGB) != 0,
                          .anisotropy = desc->maxAnisotropy};
    for (int d = 0; d < 3; d++)
        sampler.address[d] = (uint8_t)desc->addressMode[d];
    memcpy(sampler.border, desc->borderColor, sizeof sampler.border);
    return object_new(resource, desc, &sampler, out);
}

CU cuSurfObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource);
int cuSurfObjectCreate(uint64_t *out, const CUDA_RESOURCE_DESC *resource)
{
    BEGIN;
    if (!out || !resource || resource->resType != RESOURCE_ARRAY)
        return RT_INVALID_VALUE;
    return object_new(resource, NULL, NULL, out);
}

/* The link to a handle's object, the lock held; NULL when there is none. */
static Object **object_of(uint64_t handle, bool surface)
{
    Object **at = &objects;
    while (*at && ((*at)->handle != handle || (*at)->surface != surface))
        at = &(*at)->next;
    return *at ? at : NULL;
}

static int destroy(uint64_t handle, bool surface)
{
    int error = rt_device_wait();
    pthread_mutex_lock(&objects_lock);
    Object **link = object_of(handle, surface), *object = link ? *link : NULL;
    if (object)
        *link = object->next;
    pthread_mutex_unlock(&objects_lock);
    if (!object)
        return RT_INVALID_VALUE;
    int freed = rt_device()->texture_free(handle, surface);
    free(object);
    return drv(error ? error : freed);
}

CU cuTexObjectDestroy(uint64_t handle);
int cuTexObjectDestroy(uint64_t handle)
{
    BEGIN;
    return destroy(handle, false);
}

CU cuSurfObjectDestroy(uint64_t handle);
int cuSurfObjectDestroy(uint64_t handle)
{
    BEGIN;
    return destroy(handle, true);
}

static int describe(uint64_t handle, bool surface, CUDA_RESOURCE_DESC *resource,
                    CUDA_TEXTURE_DESC *desc)
{
    pthread_mutex_lock(&objects_lock);
    Object **link = object_of(handle, surface);
    if (link && resource)
        *resource = (*link)->resource;
    if (link && desc)
        *desc = (*link)->desc;
    pthread_mutex_unlock(&objects_lock);
    return link && (resource || desc) ? RT_OK : RT_INVALID_VALUE;
}

CU cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle);
int cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle)
{
    BEGIN;
    return describe(handle, false, out, NULL);
}

CU cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, uint64_t handle);
int cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, uint64_t handle)
{
    BEGIN;
    return describe(handle, false, NULL, out);
}

CU cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle);
int cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, uint64_t handle)
{
    BEGIN;
    return describe(handle, true, out, NULL);
}
