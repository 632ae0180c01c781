/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, texture and surface objects of the CPU engine. An array is device memory in rows; an
 * object's handle is the address of a GkTexture, which fetches read (launch/texture.h). No
 * sparse arrays, no views of compressed formats. */
#include "runtime/cpu_array.h"

#include "base/arena.h"
#include "launch/memory.h"
#include "launch/texture.h"

#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID_VALUE = 1, NOT_SUPPORTED = 801 };

struct DevArray {
    DevArrayShape shape;
    size_t pitch, slice;
    void *memory; /* device address */
};

struct DevMipmap {
    unsigned levels;
    DevArray *level[];
};

static uint32_t texel_bytes(DevFormat format)
{
    return format.channels * format.bits / 8u;
}

int cpu_array_new(const DevArrayShape *shape, DevArray **out)
{
    size_t pitch = (shape->width * texel_bytes(shape->format) + 31) / 32 * 32,
           slice = pitch * (shape->height ? shape->height : 1);
    void *memory;
    int error =
        cpu_device.mem_alloc(DEV_MEM_DEVICE, slice * (shape->depth ? shape->depth : 1), 0, &memory);
    if (error)
        return error;
    *out = xmalloc(sizeof **out);
    **out = (DevArray){*shape, pitch, slice, memory};
    return OK;
}

int cpu_array_free(DevArray *array)
{
    int error = cpu_device.mem_free(array->memory, 1u << DEV_MEM_DEVICE);
    free(array);
    return error;
}

static void *place(const DevArray *array, const size_t at[3])
{
    return (char *)array->memory + at[2] * array->slice + at[1] * array->pitch + at[0];
}

static bool holds(const DevArray *array, const size_t at[3], const DevCopy *copy)
{
    const DevArrayShape *shape = &array->shape;
    size_t row = shape->width * texel_bytes(shape->format),
           height = shape->height ? shape->height : 1, depth = shape->depth ? shape->depth : 1;
    return at[0] <= row && copy->width <= row - at[0] && at[1] <= height &&
           copy->height <= height - at[1] && at[2] <= depth && copy->depth <= depth - at[2];
}

bool cpu_array_flat(DevCopy *copy)
{
    if (copy->dst_array) {
        if (!holds(copy->dst_array, copy->dst_at, copy))
            return false;
        copy->dst = place(copy->dst_array, copy->dst_at);
        copy->dst_pitch = copy->dst_array->pitch;
        copy->dst_slice = copy->dst_array->slice;
    }
    if (copy->src_array) {
        if (!holds(copy->src_array, copy->src_at, copy))
            return false;
        copy->src = place(copy->src_array, copy->src_at);
        copy->src_pitch = copy->src_array->pitch;
        copy->src_slice = copy->src_array->slice;
    }
    return true;
}

static size_t halved(size_t size, unsigned level)
{
    return size && !(size >> level) ? 1 : size >> level;
}

int cpu_mipmap_new(const DevArrayShape *shape, unsigned levels, DevMipmap **out)
{
    DevMipmap *mipmap = xcalloc(1, sizeof *mipmap + levels * sizeof *mipmap->level);
    bool layers = shape->flags & (DEV_ARRAY_LAYERED | DEV_ARRAY_CUBEMAP);
    for (unsigned k = 0; k < levels; k++) {
        DevArrayShape part = *shape;
        part.width = halved(shape->width, k);
        part.height = halved(shape->height, k);
        part.depth = layers ? shape->depth : halved(shape->depth, k);
        int error = cpu_array_new(&part, &mipmap->level[k]);
        if (error) {
            cpu_mipmap_free(mipmap);
            return error;
        }
        mipmap->levels++;
    }
    *out = mipmap;
    return OK;
}

int cpu_mipmap_level(DevMipmap *mipmap, unsigned level, DevArray **out)
{
    if (level >= mipmap->levels)
        return INVALID_VALUE;
    *out = mipmap->level[level];
    return OK;
}

int cpu_mipmap_free(DevMipmap *mipmap)
{
    int error = OK;
    for (unsigned k = 0; k < mipmap->levels; k++) {
        int failed = cpu_array_free(mipmap->level[k]);
        error = error ? error : failed;
    }
    free(mipmap);
    return error;
}

/* The numbers of cudaResourceViewFormat: kinds in order, each of one, two and four channels. */
static bool view_format(int number, DevFormat *out)
{
    static const DevFormat kinds[] = {
        {1, 8, DEV_UNSIGNED},  {1, 8, DEV_SIGNED},  {1, 16, DEV_UNSIGNED}, {1, 16, DEV_SIGNED},
        {1, 32, DEV_UNSIGNED}, {1, 32, DEV_SIGNED}, {1, 16, DEV_FLOAT},    {1, 32, DEV_FLOAT}};
    if (number < 1 || number > 24) /* block compressed */
        return false;
    *out = kinds[(number - 1) / 3];
    out->channels = (uint8_t)(1 << (number - 1) % 3);
    return true;
}

static void describe_array(GkTexture *t, const DevArray *array, const DevView *view)
{
    t->width = (uint32_t)array->shape.width;
    t->height = (uint32_t)array->shape.height;
    t->depth = (uint32_t)array->shape.depth;
    t->pitch = array->pitch;
    t->slice = array->slice;
    t->data = (uint8_t *)((uint64_t)array->memory + GK_DELTA);
    if (view && array->shape.flags & (DEV_ARRAY_LAYERED | DEV_ARRAY_CUBEMAP)) {
        t->data += view->first_layer * array->slice;
        t->depth = view->last_layer - view->first_layer + 1;
    }
}

/* What of the resource the view shows; the levels' arrays in arrays. */
static int levels_of(const DevTexels *texels, unsigned *first, unsigned *count, DevFormat *format)
{
    const DevArray *array = texels->mipmap ? texels->mipmap->level[0] : texels->array;
    const DevView *view = texels->view;
    *first = 0;
    *count = texels->mipmap ? texels->mipmap->levels : 0;
    *format = array ? array->shape.format : texels->format;
    if (!view)
        return OK;
    if (!view->format) /* an H200 wants the format named, and a layered array's count as depth */
        return INVALID_VALUE;
    DevFormat other;
    if (!array || !view_format(view->format, &other))
        return NOT_SUPPORTED;
    bool layers = array->shape.flags & (DEV_ARRAY_LAYERED | DEV_ARRAY_CUBEMAP);
    if (texel_bytes(other) != texel_bytes(*format) || view->width != array->shape.width ||
        view->height != array->shape.height || view->depth != array->shape.depth ||
        view->last_layer < view->first_layer ||
        view->last_layer >= (layers && array->shape.depth ? array->shape.depth : 1) ||
        view->last_level < view->first_level || view->last_level >= (*count ? *count : 1))
        return INVALID_VALUE;
    *format = other;
    if (*count) {
        *first = view->first_level;
        *count = view->last_level - view->first_level + 1;
    }
    return OK;
}

int cpu_texture_new(const DevTexels *texels, const DevSampler *sampler, uint64_t *handle)
{
    unsigned first, levels;
    DevFormat format;
    int error = levels_of(texels, &first, &levels, &format);
    if (error)
        return error;
    GkTexture *t = xcalloc(levels ? levels : 1, sizeof *t);
    *t = (GkTexture){.magic = GK_TEXTURE_MAGIC,
                     .texel_bytes = texel_bytes(format),
                     .channels = format.channels,
                     .bits = format.bits,
                     .kind = format.kind,
                     .levels = (uint8_t)levels};
    if (!texels->array && !levels) {
        t->linear = texels->pitch == 0;
        t->width = (uint32_t)texels->width;
        t->height = (uint32_t)texels->height;
        t->pitch = t->linear ? texels->width * t->texel_bytes : texels->pitch;
        t->data = (uint8_t *)((uint64_t)texels->memory + GK_DELTA);
    }
    if (sampler) {
        memcpy(t->address, sampler->address, sizeof t->address);
        t->filter_linear = sampler->linear;
        t->read_normalized = sampler->normalized_read;
        t->coordinates_normalized = sampler->normalized_coordinates;
        t->srgb = sampler->srgb && sampler->normalized_read;
        t->seamless = sampler->seamless;
        t->anisotropy = (uint8_t)(sampler->anisotropy > 16 ? 16 : sampler->anisotropy);
        memcpy(t->border, sampler->border, sizeof t->border);
        t->mip_linear = sampler->mip_linear;
        t->mip_bias = sampler->mip_bias;
        t->mip_least = sampler->mip_least;
        t->mip_most = sampler->mip_most;
    }
    for (unsigned k = levels; k-- > 1;)
        t[k] = *t;
    for (unsigned k = 0; k < levels; k++)
        describe_array(&t[k], texels->mipmap->level[first + k], texels->view);
    if (texels->array)
        describe_array(t, texels->array, texels->view);
    *handle = (uint64_t)t;
    return OK;
}

int cpu_texture_free(uint64_t handle, bool surface)
{
    (void)surface;
    GkTexture *t = (GkTexture *)(uintptr_t)handle;
    t->magic = 0;
    free(t);
    return OK;
}
