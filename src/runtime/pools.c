/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's memory pools, which libcudart and libcuda share. A pool is a name for settings: its memory is
 * ordinary memory of the device. Pools of the host's or of managed memory, and such for other processes,
 * are refused. */
#include "runtime/rt.h"

#include "base/arena.h"
#include "base/handles.h"

#include <stdatomic.h>
#include <stdlib.h>

struct RtPool {
    uint64_t threshold;
    bool refuses[4]; /* to reuse memory in the ways that attributes 1 to 3 name */
};

enum { DEVICES_MAX = 64, ALLOCATION_PINNED = 1, ALLOCATION_MANAGED = 2 };

static RtPool defaults[DEVICES_MAX];
static _Atomic(RtPool *) current[DEVICES_MAX];
static Handles made = HANDLES_NONE;

static bool is_default(const RtPool *pool)
{
    return pool >= defaults && pool < defaults + DEVICES_MAX;
}

RtPool *rt_pool(void *handle)
{
    return handle && (is_default(handle) || handles_has(&made, handle)) ? handle : NULL;
}

/* The place is a device and the memory what pools here can have. */
static int place_check(RtPlace where, int type)
{
    if (type < ALLOCATION_PINNED || type > ALLOCATION_MANAGED)
        return RT_INVALID_VALUE;
    int error = rt_place_check(where);
    if (!error && (where.type != RT_PLACE_DEVICE || type != ALLOCATION_PINNED)) {
        rt_refuse("pools of host or managed memory");
        error = RT_NOT_SUPPORTED;
    }
    return !error && where.id >= DEVICES_MAX ? RT_INVALID_DEVICE : error;
}

int rt_pool_default(RtPlace where, int type, void **out)
{
    int error = out ? place_check(where, type) : RT_INVALID_VALUE;
    if (!error)
        *out = &defaults[where.id];
    return error;
}

int rt_pool_current(RtPlace where, int type, void **out)
{
    int error = rt_pool_default(where, type, out);
    RtPool *chosen = error ? NULL : atomic_load(&current[where.id]);
    if (chosen)
        *out = chosen;
    return error;
}

int rt_pool_choose(RtPlace where, int type, void *handle)
{
    int error = place_check(where, type);
    if (!error && !rt_pool(handle))
        error = RT_INVALID_VALUE;
    if (!error)
        atomic_store(&current[where.id], (RtPool *)handle);
    return error;
}

int rt_pool_new(RtPlace where, int type, int handle_types, void **out)
{
    int error = out ? place_check(where, type) : RT_INVALID_VALUE;
    if (!error && handle_types) {
        rt_refuse("memory pools with shareable handles");
        error = RT_NOT_SUPPORTED;
    }
    if (error)
        return error;
    RtPool *pool = xcalloc(1, sizeof *pool);
    handles_add(&made, pool);
    *out = pool;
    return RT_OK;
}

int rt_pool_free(void *handle)
{
    if (!handles_remove(&made, handle))
        return RT_INVALID_VALUE;
    for (int i = 0; i < DEVICES_MAX; i++) {
        RtPool *pool = handle;
        atomic_compare_exchange_strong(&current[i], &pool, NULL);
    }
    free(handle);
    return RT_OK;
}

enum { REUSE_FIRST = 1, REUSE_LAST = 3, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH };

int rt_pool_set(void *handle, int attribute, const void *value)
{
    RtPool *pool = rt_pool(handle);
    if (!pool || !value || attribute < REUSE_FIRST || attribute > USED_HIGH)
        return RT_INVALID_VALUE;
    if (attribute <= REUSE_LAST)
        pool->refuses[attribute] = !*(const int *)value;
    else if (attribute == THRESHOLD)
        pool->threshold = *(const uint64_t *)value;
    else if (attribute == RESERVED || attribute == USED || *(const uint64_t *)value)
        return RT_INVALID_VALUE; /* the high marks can only be set back */
    return RT_OK;
}

int rt_pool_get(void *handle, int attribute, void *value)
{
    const RtPool *pool = rt_pool(handle);
    if (!pool || !value || attribute < REUSE_FIRST || attribute > USED_HIGH)
        return RT_INVALID_VALUE;
    size_t unused = 0, total = 0;
    rt_device()->mem_usage(&unused, &total);
    if (attribute <= REUSE_LAST)
        *(int *)value = !pool->refuses[attribute];
    else
        *(uint64_t *)value = attribute == THRESHOLD ? pool->threshold : total - unused;
    return RT_OK;
}

static Handles notices = HANDLES_NONE;

int rt_notice_add(int device, void **handle)
{
    int error = handle ? rt_place_check((RtPlace){RT_PLACE_DEVICE, device}) : RT_INVALID_VALUE;
    if (error)
        return error;
    *handle = xmalloc(1);
    handles_add(&notices, *handle);
    return RT_OK;
}

int rt_notice_remove(int device, void *handle)
{
    int error = rt_place_check((RtPlace){RT_PLACE_DEVICE, device});
    if (!error && !handles_remove(&notices, handle))
        error = RT_INVALID_VALUE;
    if (!error)
        free(handle);
    return error;
}

int rt_pool_access(void *handle, RtPlace where, int *access)
{
    enum { READ_WRITE = 3 };
    if (!rt_pool(handle) || !access)
        return RT_INVALID_VALUE;
    int error = rt_place_check(where);
    if (!error)
        *access = READ_WRITE;
    return error;
}
