/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's arrays, mipmapped arrays, texture and surface objects, which libcudart and libcuda
 * share: a handle of one is a handle of the other. What a texel is and how a texture is read are the
 * device's. */
#include "runtime/rt.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_ARRAY = 0x676b6172, MAGIC_MIPMAP = 0x676b6d70 };

static bool has_magic(const void *handle, uint32_t magic)
{
    return handle && (uintptr_t)handle % sizeof(void *) == 0 && *(const uint32_t *)handle == magic;
}

RtArray *rt_array(const void *handle)
{
    return has_magic(handle, MAGIC_ARRAY) ? (RtArray *)(uintptr_t)handle : NULL;
}

RtMipmap *rt_mipmap(const void *handle)
{
    return has_magic(handle, MAGIC_MIPMAP) ? (RtMipmap *)(uintptr_t)handle : NULL;
}

static uint32_t texel_bytes(DevFormat format)
{
    return format.channels * format.bits / 8u;
}

int rt_array_new(const DevArrayShape *shape, RtArray **out)
{
    DevArray *array;
    int error = rt_device()->array_new(shape, &array);
    if (error)
        return error;
    *out = xmalloc(sizeof **out);
    **out = (RtArray){MAGIC_ARRAY, *shape, texel_bytes(shape->format), array, false};
    return RT_OK;
}

int rt_array_free(RtArray *array)
{
    if (array->is_level) /* the mipmapped array's; an H200 says the same */
        return RT_OK;
    int error = rt_device_wait();
    if (!error)
        error = rt_device()->array_free(array->array);
    array->magic = 0;
    free(array);
    return error;
}

static bool has_layers(const DevArrayShape *shape)
{
    return shape->flags & (DEV_ARRAY_LAYERED | DEV_ARRAY_CUBEMAP);
}

static size_t halved(size_t size, unsigned level)
{
    return size && !(size >> level) ? 1 : size >> level;
}

/* As many levels as asked for, but no more than there are down to a single texel. */
static unsigned level_count(const DevArrayShape *shape, unsigned wanted)
{
    size_t longest = shape->width > shape->height ? shape->width : shape->height;
    if (!has_layers(shape) && shape->depth > longest)
        longest = shape->depth;
    unsigned most = 1;
    while (longest >>= 1)
        most++;
    return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

int rt_mipmap_new(const DevArrayShape *shape, unsigned levels, RtMipmap **out)
{
    levels = level_count(shape, levels);
    DevMipmap *own;
    int error = rt_device()->mipmap_new(shape, levels, &own);
    if (error)
        return error;
    RtMipmap *mipmap = xmalloc(sizeof *mipmap + levels * sizeof *mipmap->level);
    mipmap->magic = MAGIC_MIPMAP;
    mipmap->levels = levels;
    mipmap->mipmap = own;
    for (unsigned k = 0; k < levels && !error; k++) {
        DevArrayShape part = *shape;
        part.width = halved(shape->width, k);
        part.height = halved(shape->height, k);
        part.depth = has_layers(shape) ? shape->depth : halved(shape->depth, k);
        mipmap->level[k] = (RtArray){MAGIC_ARRAY, part, texel_bytes(shape->format), NULL, true};
        error = rt_device()->mipmap_level(own, k, &mipmap->level[k].array);
    }
    if (error) {
        rt_device()->mipmap_free(own);
        free(mipmap);
        return error;
    }
    *out = mipmap;
    return RT_OK;
}

int rt_mipmap_free(RtMipmap *mipmap)
{
    int error = rt_device_wait();
    if (!error)
        error = rt_device()->mipmap_free(mipmap->mipmap);
    for (unsigned k = 0; k < mipmap->levels; k++)
        mipmap->level[k].magic = 0;
    mipmap->magic = 0;
    free(mipmap);
    return error;
}

/* --- objects ------------------------------------------------------------------------------- */

typedef struct Object {
    struct Object *next;
    uint64_t handle;
    bool surface;
    size_t bytes;
    char about[];
} Object;

static Object *objects;
static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;

/* The link to a handle's object, the lock held; NULL when there is none. */
static Object **object_of(uint64_t handle, bool surface)
{
    Object **at = &objects;
    while (*at && ((*at)->handle != handle || (*at)->surface != surface))
        at = &(*at)->next;
    return *at ? at : NULL;
}

int rt_texture_new(const DevTexels *texels, const DevSampler *sampler, const void *about,
                   size_t bytes, uint64_t *handle)
{
    int error = rt_device()->texture_new(texels, sampler, handle);
    if (error)
        return error;
    Object *object = xmalloc(sizeof *object + bytes);
    *object = (Object){.handle = *handle, .surface = !sampler, .bytes = bytes};
    memcpy(object->about, about, bytes);
    pthread_mutex_lock(&objects_lock);
    object->next = objects;
    objects = object;
    pthread_mutex_unlock(&objects_lock);
    return RT_OK;
}

int rt_texture_about(uint64_t handle, bool surface, void *about, size_t bytes)
{
    pthread_mutex_lock(&objects_lock);
    Object **link = object_of(handle, surface);
    bool known = link && (*link)->bytes == bytes;
    if (known)
        memcpy(about, (*link)->about, bytes);
    pthread_mutex_unlock(&objects_lock);
    return known ? RT_OK : RT_INVALID_VALUE;
}

int rt_texture_free(uint64_t handle, bool surface)
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
    return error ? error : freed;
}
