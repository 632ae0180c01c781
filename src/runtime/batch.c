/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's lists of copies, and hints on memory: all memory is the host's on the CPU, so prefetch, advice and
 * discard move nothing; their checks have a meaning, and what was said of a range can be asked for. */
#include "runtime/rt.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- places -------------------------------------------------------------------------------- */

enum { ANYWHERE = -2 /* cudaInvalidDeviceId */, THE_HOST = -1 };

RtPlace rt_place(int device)
{
    return device == THE_HOST ? (RtPlace){RT_PLACE_HOST, 0} : (RtPlace){RT_PLACE_DEVICE, device};
}

int rt_place_check(RtPlace place)
{
    int devices = 0;
    if (place.type < RT_PLACE_DEVICE || place.type > RT_PLACE_NUMA_CURRENT)
        return RT_INVALID_VALUE;
    int error = place.type == RT_PLACE_DEVICE ? rt_device()->count(&devices) : RT_OK;
    if (!error && place.type == RT_PLACE_DEVICE && (place.id < 0 || place.id >= devices))
        error = RT_INVALID_DEVICE;
    return error;
}

/* As the attributes that know devices only say it. */
static int device_of(RtPlace place)
{
    return place.type == RT_PLACE_DEVICE ? place.id
           : place.type == RT_PLACE_NONE ? ANYWHERE
                                         : THE_HOST;
}

static bool same_place(RtPlace a, RtPlace b)
{
    return a.type == b.type && a.id == b.id;
}

/* --- what was said of managed memory ------------------------------------------------------- */

enum { PAGE = 4096, DEVICES_MAX = 63 };

typedef struct {
    bool read_mostly;
    uint64_t accessed_by; /* bit 0 the host, then the devices */
    RtPlace preferred, prefetched;
} Said;

typedef struct {
    uint64_t from, to, memory; /* the allocation's number */
    Said said;
} Range;

static struct {
    pthread_mutex_t lock;
    VEC(Range) list; /* ascending, apart from each other */
    size_t kept;     /* how many were left when freed memory was last looked for */
} ranges = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void drop_at(size_t i)
{
    memmove(ranges.list.items + i, ranges.list.items + i + 1,
            (ranges.list.count - i - 1) * sizeof *ranges.list.items);
    ranges.list.count--;
}

static void add_at(size_t i, Range range)
{
    VEC_PUSH(ranges.list, range);
    memmove(ranges.list.items + i + 1, ranges.list.items + i,
            (ranges.list.count - i - 1) * sizeof *ranges.list.items);
    ranges.list.items[i] = range;
}

/* Memory that is gone said nothing of what has its address now. */
static void forget_freed(void)
{
    enum { FEW = 64 };
    if (ranges.list.count < FEW + 2 * ranges.kept)
        return;
    for (size_t i = ranges.list.count; i--;) {
        DevMemInfo info;
        const Range *range = &ranges.list.items[i];
        if (rt_device()->mem_find((void *)range->from, &info) || info.id != range->memory)
            drop_at(i);
    }
    ranges.kept = ranges.list.count;
}

/* Makes the ranges end at an address that lies in one. */
static void split_at(uint64_t address)
{
    for (size_t i = 0; i < ranges.list.count; i++) {
        Range *range = &ranges.list.items[i];
        if (range->from < address && address < range->to) {
            Range rest = *range;
            range->to = rest.from = address;
            add_at(i + 1, rest);
            return;
        }
    }
}

/* The first range of [from, to), all of which the list then has in whole ranges. */
static size_t cover(uint64_t from, uint64_t to, uint64_t memory)
{
    forget_freed();
    split_at(from), split_at(to);
    size_t i = 0;
    while (i < ranges.list.count && ranges.list.items[i].to <= from)
        i++;
    size_t first = i;
    for (uint64_t at = from; at < to; i++) {
        uint64_t next = i < ranges.list.count ? ranges.list.items[i].from : to;
        if (next > at)
            add_at(i, (Range){at, next < to ? next : to, memory, {0}});
        if (ranges.list.items[i].memory != memory)
            ranges.list.items[i].memory = memory, ranges.list.items[i].said = (Said){0};
        at = ranges.list.items[i].to;
    }
    return first;
}

/* The pages that bytes lie in, within their allocation; an error where they are not in managed memory. */
static int pages_of(const void *address, size_t bytes, DevMemInfo *info, uint64_t *from,
                    uint64_t *to)
{
    uint64_t start = (uint64_t)address;
    if (!bytes || rt_device()->mem_find(address, info) || info->kind == DEV_MEM_DEVICE)
        return RT_INVALID_VALUE;
    uint64_t offset = start - info->address;
    if (offset >= info->bytes && info->host)
        offset = start - (uint64_t)info->host;
    if (offset >= info->bytes || bytes > info->bytes - offset)
        return RT_INVALID_VALUE;
    uint64_t end = info->address + info->bytes;
    *from = (info->address + offset) / PAGE * PAGE;
    *to = (info->address + offset + bytes + PAGE - 1) / PAGE * PAGE;
    *from = *from < info->address ? info->address : *from;
    *to = *to > end ? end : *to;
    return RT_OK;
}

enum { READ_MOSTLY = 1, PREFERRED = 3, ACCESSED_BY = 5 }; /* and to unset each, one more */

static void say(Said *said, int advice, RtPlace where)
{
    uint64_t bit = where.type != RT_PLACE_DEVICE ? 1
                   : where.id < DEVICES_MAX      ? 2ull << where.id
                                                 : 0;
    switch (advice) {
    case READ_MOSTLY:
    case READ_MOSTLY + 1:
        said->read_mostly = advice == READ_MOSTLY;
        return;
    case PREFERRED:
    case PREFERRED + 1:
        said->preferred = advice == PREFERRED ? where : (RtPlace){0};
        return;
    case ACCESSED_BY:
        said->accessed_by |= bit;
        return;
    case ACCESSED_BY + 1:
        said->accessed_by &= ~bit;
        return;
    default:
        said->prefetched = where;
    }
}

static int record(const void *address, size_t bytes, int advice, RtPlace where)
{
    DevMemInfo info;
    uint64_t from, to;
    int error = pages_of(address, bytes, &info, &from, &to);
    if (error || info.kind != DEV_MEM_MANAGED)
        return error;
    pthread_mutex_lock(&ranges.lock);
    for (size_t i = cover(from, to, info.id);
         i < ranges.list.count && ranges.list.items[i].from < to; i++)
        say(&ranges.list.items[i].said, advice, where);
    pthread_mutex_unlock(&ranges.lock);
    return RT_OK;
}

int rt_advise(const void *address, size_t bytes, int advice, RtPlace where)
{
    if (advice < READ_MOSTLY || advice > ACCESSED_BY + 1)
        return RT_INVALID_VALUE;
    bool placed = advice == PREFERRED || advice >= ACCESSED_BY;
    int error = placed ? rt_of_place(rt_place_check(where)) : RT_OK;
    return error ? error : record(address, bytes, advice, where);
}

int rt_prefetch(const void *address, size_t bytes, RtPlace to)
{
    int error = rt_place_check(to);
    return error ? error : record(address, bytes, 0, to);
}

/* What holds for all pages from one address to the other. */
static Said said_of(uint64_t from, uint64_t to, uint64_t memory)
{
    Said all = {0};
    bool first = true;
    for (size_t i = 0; i < ranges.list.count && from < to; i++) {
        const Range *range = &ranges.list.items[i];
        if (range->to <= from || range->memory != memory)
            continue;
        if (range->from > from) /* a gap: nothing was said */
            break;
        if (first)
            all = range->said;
        all.read_mostly &= range->said.read_mostly;
        all.accessed_by &= range->said.accessed_by;
        if (!same_place(all.preferred, range->said.preferred))
            all.preferred = (RtPlace){0};
        if (!same_place(all.prefetched, range->said.prefetched))
            all.prefetched = (RtPlace){0};
        first = false;
        from = range->to;
    }
    return from < to ? (Said){0} : all;
}

/* The devices of a set, as many as there is room for; the rest is no device. */
static void list_devices(uint64_t set, int *out, size_t room)
{
    size_t n = 0;
    for (int device = THE_HOST; device < DEVICES_MAX && n < room; device++)
        if (set >> (device + 1) & 1)
            out[n++] = device;
    while (n < room)
        out[n++] = ANYWHERE;
}

int rt_range_attribute(void *out, size_t room, int attribute, const void *address, size_t bytes)
{
    enum {
        IS_READ_MOSTLY = 1,
        PREFERRED_DEVICE,
        ACCESSED_LIST,
        PREFETCHED_DEVICE,
        PREFERRED_TYPE,
        PREFERRED_ID,
        PREFETCHED_TYPE,
        PREFETCHED_ID
    };
    DevMemInfo info;
    uint64_t from, to;
    bool sized = attribute == ACCESSED_LIST ? room && room % sizeof(int) == 0 : room == sizeof(int);
    if (!out || !sized || attribute < IS_READ_MOSTLY || attribute > PREFETCHED_ID ||
        pages_of(address, bytes, &info, &from, &to) || info.kind != DEV_MEM_MANAGED)
        return RT_INVALID_VALUE;
    pthread_mutex_lock(&ranges.lock);
    Said all = said_of(from, to, info.id);
    pthread_mutex_unlock(&ranges.lock);
    if (attribute == ACCESSED_LIST) {
        list_devices(all.accessed_by, out, room / sizeof(int));
        return RT_OK;
    }
    const int values[] = {[IS_READ_MOSTLY] = all.read_mostly,
                          [PREFERRED_DEVICE] = device_of(all.preferred),
                          [PREFETCHED_DEVICE] = device_of(all.prefetched),
                          [PREFERRED_TYPE] = all.preferred.type,
                          [PREFERRED_ID] = all.preferred.id,
                          [PREFETCHED_TYPE] = all.prefetched.type,
                          [PREFETCHED_ID] = all.prefetched.id};
    memcpy(out, &values[attribute], sizeof(int));
    return RT_OK;
}

int rt_range_attributes(void **outs, const size_t *rooms, const int *attributes, size_t count,
                        const void *address, size_t bytes)
{
    int error = outs && rooms && attributes && count ? RT_OK : RT_INVALID_VALUE;
    for (size_t i = 0; i < count && !error; i++)
        error = rt_range_attribute(outs[i], rooms[i], attributes[i], address, bytes);
    return error;
}

/* --- lists of hints ------------------------------------------------------------------------ */

int rt_list_check(const RtStream *stream, int device)
{
    return !stream                            ? RT_INVALID_HANDLE
           : stream == rt_stream(NULL, false) ? RT_INVALID_VALUE
                                              : rt_device()->sticky(device);
}

static int hints_check(void *const *addresses, const size_t *sizes, size_t count)
{
    DevMemInfo info;
    uint64_t from, to;
    int error = addresses && sizes && count ? RT_OK : RT_INVALID_VALUE;
    for (size_t i = 0; i < count && !error; i++)
        error = pages_of(addresses[i], sizes[i], &info, &from, &to);
    return error;
}

int rt_discard_batch(void *const *addresses, const size_t *sizes, size_t count, uint64_t flags)
{
    return flags ? RT_INVALID_VALUE : hints_check(addresses, sizes, count);
}

/* Whether the k-th of the numbers is that of the first element which the k-th property is for. */
static bool ascend(const size_t *indices, size_t properties, size_t count)
{
    if (!indices || !properties || properties > count || indices[0])
        return false;
    for (size_t k = 0; k < properties; k++)
        if (indices[k] >= count || (k && indices[k] <= indices[k - 1]))
            return false;
    return true;
}

int rt_prefetch_batch(void *const *addresses, const size_t *sizes, size_t count,
                      const RtPlace *places, const size_t *indices, size_t place_count,
                      uint64_t flags)
{
    if (flags || !places || !ascend(indices, place_count, count))
        return RT_INVALID_VALUE;
    int error = hints_check(addresses, sizes, count);
    for (size_t k = 0; k < place_count && !error; k++)
        error = rt_of_place(rt_place_check(places[k]));
    for (size_t i = 0, k = 0; i < count && !error; i++) {
        while (k + 1 < place_count && indices[k + 1] <= i)
            k++;
        error = rt_prefetch(addresses[i], sizes[i], places[k]);
    }
    return error;
}

/* --- lists of copies ----------------------------------------------------------------------- */

enum { ORDER_STREAM = 1, ORDER_DURING_CALL, ORDER_ANY };

static bool is_order(int order, unsigned flags)
{
    return order >= ORDER_STREAM && order <= ORDER_ANY && flags <= 1;
}

int rt_copy_batch(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                  const RtCopyAttributes *attributes, const size_t *indices, size_t attribute_count,
                  RtStream *stream, size_t *failed)
{
    *failed = SIZE_MAX;
    if (!dsts || !srcs || !sizes || !count || !attributes ||
        !ascend(indices, attribute_count, count))
        return RT_INVALID_VALUE;
    for (size_t k = 0; k < attribute_count; k++)
        if (!is_order(attributes[k].order, attributes[k].flags))
            return RT_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (!dsts[i] || !srcs[i] || !sizes[i]) {
            *failed = i;
            return RT_INVALID_VALUE;
        }
    int error = RT_OK;
    for (size_t i = 0, k = 0; i < count && !error; i++) {
        while (k + 1 < attribute_count && indices[k + 1] <= i)
            k++;
        error = rt_copy_bytes(dsts[i], srcs[i], sizes[i], stream,
                              attributes[k].order == ORDER_DURING_CALL);
    }
    return error;
}

/* One end of a box: the array and how large its elements are (0: memory), checked against the extent. */
static int box_end(const RtBoxEnd *end, const size_t extent[3], const RtArray **array)
{
    *array = NULL;
    if (end->type == RT_BOX_MEMORY)
        return !end->memory.address || (end->memory.row && end->memory.row < extent[0]) ||
                       (end->memory.height && end->memory.height < extent[1])
                   ? RT_INVALID_VALUE
                   : RT_OK;
    if (end->type != RT_BOX_ARRAY)
        return RT_INVALID_VALUE;
    *array = rt_array(end->array.handle);
    if (!*array)
        return RT_INVALID_HANDLE;
    const DevArrayShape *shape = &(*array)->shape;
    const size_t sizes[3] = {shape->width, shape->height ? shape->height : 1,
                             shape->depth ? shape->depth : 1};
    for (int i = 0; i < 3; i++)
        if (end->array.at[i] > sizes[i] || extent[i] > sizes[i] - end->array.at[i])
            return RT_INVALID_VALUE;
    return RT_OK;
}

static int box_of(const RtBoxCopy *box, DevCopy *out)
{
    const RtArray *src, *dst;
    const size_t *extent = box->extent;
    if (!extent[0] || !extent[1] || !extent[2] || !is_order(box->order, box->flags))
        return RT_INVALID_VALUE;
    int error = box_end(&box->src, extent, &src);
    if (!error)
        error = box_end(&box->dst, extent, &dst);
    if (!error && src && dst && src->texel_bytes != dst->texel_bytes)
        error = RT_INVALID_VALUE;
    if (error)
        return error;
    size_t element = src ? src->texel_bytes : dst ? dst->texel_bytes : 1;
    *out = (DevCopy){.width = extent[0] * element, .height = extent[1], .depth = extent[2]};
    const size_t *src_at = box->src.array.at, *dst_at = box->dst.array.at;
    if (src) {
        out->src_array = src->array;
        memcpy(out->src_at, (size_t[]){src_at[0] * element, src_at[1], src_at[2]},
               sizeof out->src_at);
    } else {
        out->src = box->src.memory.address;
        out->src_pitch = (box->src.memory.row ? box->src.memory.row : extent[0]) * element;
        out->src_slice =
            out->src_pitch * (box->src.memory.height ? box->src.memory.height : extent[1]);
    }
    if (dst) {
        out->dst_array = dst->array;
        memcpy(out->dst_at, (size_t[]){dst_at[0] * element, dst_at[1], dst_at[2]},
               sizeof out->dst_at);
    } else {
        out->dst = box->dst.memory.address;
        out->dst_pitch = (box->dst.memory.row ? box->dst.memory.row : extent[0]) * element;
        out->dst_slice =
            out->dst_pitch * (box->dst.memory.height ? box->dst.memory.height : extent[1]);
    }
    return RT_OK;
}

int rt_copy_boxes(const RtBoxCopy *boxes, size_t count, uint64_t flags, RtStream *stream,
                  size_t *failed)
{
    *failed = SIZE_MAX;
    if (!boxes || !count || flags)
        return RT_INVALID_VALUE;
    DevCopy copy;
    for (size_t i = 0; i < count; i++) {
        int error = box_of(&boxes[i], &copy);
        if (error) {
            *failed = i;
            return error;
        }
    }
    int error = RT_OK;
    for (size_t i = 0; i < count && !error; i++) {
        box_of(&boxes[i], &copy);
        error = rt_copy(&copy, stream, boxes[i].order == ORDER_DURING_CALL);
    }
    return error;
}
