/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, texture and surface objects of the CPU engine. An array is device memory in rows; an
 * object's handle is the address of a GkTexture, which fetches read (launch/texture.h). No
 * mipmaps, no sparse arrays, no sRGB. */
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

DevCopy cpu_array_flat(const DevCopy *copy)
{
    DevCopy flat = *copy;
    if (copy->dst_array) {
        flat.dst = place(copy->dst_array, copy->dst_at);
        flat.dst_pitch = copy->dst_array->pitch;
        flat.dst_slice = copy->dst_array->slice;
    }
    if (copy->src_array) {
        flat.src = place(copy->src_array, copy->src_at);
        flat.src_pitch = copy->src_array->pitch;
        flat.src_slice = copy->src_array->slice;
    }
    return flat;
}

int cpu_texture_new(const DevTexels *texels, const DevSampler *sampler, uint64_t *handle)
{
    const DevArray *array = texels->array;
    DevFormat format = array ? array->shape.format : texels->format;
    if (sampler && sampler->srgb)
        return NOT_SUPPORTED;
    GkTexture *t = xcalloc(1, sizeof *t);
    *t = (GkTexture){.magic = GK_TEXTURE_MAGIC,
                     .texel_bytes = texel_bytes(format),
                     .channels = format.channels,
                     .bits = format.bits,
                     .kind = format.kind};
    uint64_t address = (uint64_t)texels->memory;
    if (array) {
        address = (uint64_t)array->memory;
        t->width = (uint32_t)array->shape.width;
        t->height = (uint32_t)array->shape.height;
        t->depth = (uint32_t)array->shape.depth;
        t->pitch = array->pitch;
        t->slice = array->slice;
    } else {
        t->linear = texels->pitch == 0;
        t->width = (uint32_t)texels->width;
        t->height = (uint32_t)texels->height;
        t->pitch = t->linear ? texels->width * t->texel_bytes : texels->pitch;
    }
    t->data = (uint8_t *)(address + GK_DELTA);
    if (sampler) {
        memcpy(t->address, sampler->address, sizeof t->address);
        t->filter_linear = sampler->linear;
        t->read_normalized = sampler->normalized_read;
        t->coordinates_normalized = sampler->normalized_coordinates;
        memcpy(t->border, sampler->border, sizeof t->border);
    }
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
