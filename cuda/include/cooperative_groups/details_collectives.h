/* SPDX-License-Identifier: Apache-2.0
 * reduce and scan over tiles of a warp, coalesced groups and tiles of several warps.
 * The order of operations is fixed by rank (a tree by halves for reduce), so results repeat. */
#ifndef GPUKIT_CG_COLLECTIVES_H
#define GPUKIT_CG_COLLECTIVES_H
#include "../gpukit/letters_push.h"

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#define GKG __device__ __forceinline__
namespace cooperative_groups {
namespace gpukit {
template <class T> struct plain {
    typedef T type;
};
template <class T> struct plain<T &> {
    typedef T type;
};
template <class T> struct plain<T &&> {
    typedef T type;
};
template <class T> struct plain<const T> {
    typedef T type;
};
template <class T> struct plain<const T &> {
    typedef T type;
};

/* Groups within a warp: halve the distance, every member ends with the result. */
template <class Group, class T, class Op> GKG T reduce_lanes(const Group &group, T value, Op op)
{
    unsigned n = group.size(), rank = group.thread_rank();
    unsigned width = 1;
    while (width < n)
        width *= 2;
    for (unsigned step = width / 2; step > 0; step /= 2) {
        T other = group.shfl_down(value, step);
        if (rank + step < n && rank < step)
            value = op(value, other);
    }
    return group.shfl(value, 0);
}
template <unsigned Size, class Parent, class T, class Op>
GKG T reduce_lanes(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
    for (unsigned step = Size / 2; step > 0; step /= 2)
        value = op(value, group.shfl_xor(value, step));
    return value;
}
/* Tiles of several warps: through shared memory, one slot a thread of the block. */
template <class Tile, class T, class Op> GKG T reduce_wide(const Tile &tile, T value, Op op)
{
    __shared__ __align__(16) unsigned char slots[32][sizeof(T)];
    thread_block_tile<32> warp;
    T partial = reduce_lanes(warp, value, op);
    unsigned self = thread_rank() / 32, first = self & ~(Tile::gpukit_size / 32 - 1);
    if (warp.thread_rank() == 0)
        __builtin_memcpy(slots[self], &partial, sizeof(T));
    tile.sync();
    T result;
    __builtin_memcpy((void *)&result, slots[first], sizeof(T));
    for (unsigned i = 1; i < Tile::gpukit_size / 32; ++i) {
        T other;
        __builtin_memcpy((void *)&other, slots[first + i], sizeof(T));
        result = op(result, other);
    }
    tile.sync();
    return result;
}
template <class Group, class T, class Op> GKG T reduce_any(const Group &group, T value, Op op)
{
    return reduce_lanes(group, value, op);
}
template <unsigned Size, class Parent, class T, class Op>
GKG T reduce_any(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
    if constexpr (Size > 32)
        return reduce_wide(group, value, op);
    else
        return reduce_lanes(group, value, op);
}

template <class Group, class T, class Op> GKG T scan_lanes(const Group &group, T value, Op op)
{
    unsigned n = group.size(), rank = group.thread_rank();
    for (unsigned step = 1; step < n; step *= 2) {
        T other = group.shfl_up(value, step);
        if (rank >= step)
            value = op(other, value);
    }
    return value;
}
}

template <class Group, class T, class Op>
GKG auto reduce(const Group &group, T &&value, Op &&op) -> typename gpukit::plain<T>::type
{
    typedef typename gpukit::plain<T>::type V;
    return gpukit::reduce_any(group, (V)value, op);
}
namespace gpukit {
/* atomic = op(atomic, value) at once, for any operator: returns what it was. */
template <class T, class V, class Op> GKG V fetch_op(T &atomic, V value, Op op)
{
    V old = atomic.load();
    while (!atomic.compare_exchange_weak(old, (V)op(old, value)))
        ;
    return old;
}
}
template <class Group, class T, class V, class Op>
GKG void reduce_update_async(const Group &group, T &atomic, V &&value, Op &&op)
{
    auto total = reduce(group, value, op);
    if (group.thread_rank() == 0)
        gpukit::fetch_op(atomic, total, op);
}
template <class Group, class T, class V, class Op>
GKG void reduce_store_async(const Group &group, T *to, V &&value, Op &&op)
{
    auto total = reduce(group, value, op);
    if (group.thread_rank() == 0)
        *to = total;
}
template <class Group, class T, class V, class Op>
GKG void reduce_store_async(const Group &group, T &atomic, V &&value, Op &&op)
{
    auto total = reduce(group, value, op);
    if (group.thread_rank() == 0)
        atomic.store(total);
}
template <class Group, class T, class Op>
GKG auto inclusive_scan(const Group &group, T &&value, Op &&op) -> typename gpukit::plain<T>::type
{
    typedef typename gpukit::plain<T>::type V;
    return gpukit::scan_lanes(group, (V)value, op);
}
template <class Group, class T>
GKG auto inclusive_scan(const Group &group, T &&value) -> typename gpukit::plain<T>::type
{
    return inclusive_scan(group, value, plus<>());
}
template <class Group, class T, class Op>
GKG auto exclusive_scan(const Group &group, T &&value, Op &&op) -> typename gpukit::plain<T>::type
{
    typedef typename gpukit::plain<T>::type V;
    V sum = gpukit::scan_lanes(group, (V)value, op);
    V before = group.shfl_up(sum, 1);
    return group.thread_rank() == 0 ? V() : before;
}
template <class Group, class T>
GKG auto exclusive_scan(const Group &group, T &&value) -> typename gpukit::plain<T>::type
{
    return exclusive_scan(group, value, plus<>());
}

/* The scan of the group behind what the atomic held, to which the group's total is added at once. */
template <class Group, class T, class V, class Op>
GKG auto exclusive_scan_update(const Group &group, T &atomic, V &&value, Op &&op) -> typename gpukit::plain<V>::type
{
    typedef typename gpukit::plain<V>::type W;
    W sum = gpukit::scan_lanes(group, (W)value, op), before = group.shfl_up(sum, 1), start{};
    if (group.thread_rank() + 1 == group.size())
        start = gpukit::fetch_op(atomic, sum, op);
    start = group.shfl(start, (int)group.size() - 1);
    return group.thread_rank() == 0 ? start : (W)op(start, before);
}
template <class Group, class T, class V>
GKG auto exclusive_scan_update(const Group &group, T &atomic, V &&value) -> typename gpukit::plain<V>::type
{
    return exclusive_scan_update(group, atomic, value, plus<>());
}
template <class Group, class T, class V, class Op>
GKG auto inclusive_scan_update(const Group &group, T &atomic, V &&value, Op &&op) -> typename gpukit::plain<V>::type
{
    typedef typename gpukit::plain<V>::type W;
    return op(exclusive_scan_update(group, atomic, value, op), (W)value);
}
template <class Group, class T, class V>
GKG auto inclusive_scan_update(const Group &group, T &atomic, V &&value) -> typename gpukit::plain<V>::type
{
    return inclusive_scan_update(group, atomic, value, plus<>());
}
}
#undef GKG
#endif

#include "../gpukit/letters_pop.h"
#endif
