/* SPDX-License-Identifier: Apache-2.0
 * Cooperative groups, from the CUDA C++ Programming Guide: thread_block, grid_group,
 * cluster_group, tiles of any power of two up to the block, coalesced groups, partitions, collective
 * reduce and scan (cooperative_groups/reduce.h, scan.h) and memcpy_async.
 *
 * Tiles of more than one warp keep their barrier in shared memory of the kernel. The grid barrier
 * uses the workspace whose address the driver passes in %envreg1 and %envreg2 to cooperative
 * launches: the word at offset 4 counts arrivals, and its top bit flips when all have come. */
#ifndef GPUKIT_COOPERATIVE_GROUPS_H
#define GPUKIT_COOPERATIVE_GROUPS_H
#include "gpukit/letters_push.h"

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

#define _CG_ABI_VERSION 1
#define GKG __device__ __forceinline__

namespace cooperative_groups {

namespace gpukit {
GKG unsigned thread_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
GKG unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
GKG unsigned lane()
{
    unsigned v;
    asm("mov.u32 %0, %%laneid;" : "=r"(v));
    return v;
}
GKG unsigned lanes_below()
{
    unsigned v;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v));
    return v;
}

GKG unsigned *workspace()
{
    unsigned high, low;
    asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned *)((unsigned long long)high << 32 | low);
}
GKG unsigned grid_arrive()
{
    unsigned *barrier = workspace() + 1, old = 0;
    if (workspace() == nullptr)
        __trap(); /* not a cooperative launch */
    __syncthreads();
    if (thread_rank() == 0) {
        unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
        bool first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
        unsigned add = first ? 0x80000000u - (blocks - 1) : 1;
        __threadfence();
        asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(barrier), "r"(add) : "memory");
    }
    return old;
}
GKG void grid_wait(unsigned old)
{
    unsigned *barrier = workspace() + 1;
    if (thread_rank() == 0) {
        unsigned now;
        do
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(barrier) : "memory");
        while (((old ^ now) & 0x80000000u) == 0);
        __threadfence();
    }
    __syncthreads();
}

/* Shuffles of any trivially copyable type, by words. */
template <class T, class F> GKG T by_words(const T &value, F shuffle)
{
    unsigned words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (unsigned &w : words)
        w = shuffle(w);
    T result;
    __builtin_memcpy((void *)&result, words, sizeof(T));
    return result;
}
}

enum class thread_scope_kind { block, warp, grid };

class thread_group {
  protected:
    unsigned kind_, mask_, size_, rank_; /* kind: 0 block, 1 lanes of a warp, 2 grid */
    GKG thread_group(unsigned kind, unsigned mask, unsigned size, unsigned rank)
        : kind_(kind), mask_(mask), size_(size), rank_(rank)
    {
    }
    friend GKG thread_group tiled_partition(const thread_group &parent, unsigned size);

  public:
    GKG unsigned long long size() const { return size_; }
    GKG unsigned long long num_threads() const { return size_; }
    GKG unsigned long long thread_rank() const { return rank_; }
    GKG bool is_valid() const { return true; }
    GKG void sync() const
    {
        if (kind_ == 0)
            __syncthreads();
        else if (kind_ == 1)
            __syncwarp(mask_);
        else
            gpukit::grid_wait(gpukit::grid_arrive());
    }
};

class thread_block : public thread_group {
    GKG thread_block() : thread_group(0, ~0u, gpukit::block_size(), gpukit::thread_rank()) {}
    friend GKG thread_block this_thread_block();

  public:
    struct arrival_token {};
    static GKG void sync() { __syncthreads(); }
    GKG arrival_token barrier_arrive() const { return {}; }
    GKG void barrier_wait(arrival_token &&) const { __syncthreads(); }
    static GKG unsigned size() { return gpukit::block_size(); }
    static GKG unsigned num_threads() { return gpukit::block_size(); }
    static GKG unsigned thread_rank() { return gpukit::thread_rank(); }
    static GKG dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static GKG dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static GKG dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static GKG dim3 dim_threads() { return group_dim(); }
};
GKG thread_block this_thread_block() { return thread_block(); }
/* Room that NVIDIA's wide tiles need in shared memory; gpukit's need none. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    char gpukit_unused;
};
template <unsigned MaxBlockSize> GKG thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return this_thread_block();
}

class grid_group : public thread_group {
    GKG grid_group() : thread_group(2, ~0u, 0, 0) {}
    friend GKG grid_group this_grid();

  public:
    struct arrival_token {
        unsigned old;
    };
    GKG bool is_valid() const { return gpukit::workspace() != nullptr; }
    GKG void sync() const { gpukit::grid_wait(gpukit::grid_arrive()); }
    GKG arrival_token barrier_arrive() const { return {gpukit::grid_arrive()}; }
    GKG void barrier_wait(arrival_token &&token) const { gpukit::grid_wait(token.old); }
    static GKG unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static GKG unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static GKG unsigned long long size() { return num_blocks() * gpukit::block_size(); }
    static GKG unsigned long long num_threads() { return size(); }
    static GKG unsigned long long thread_rank()
    {
        return block_rank() * gpukit::block_size() + gpukit::thread_rank();
    }
    static GKG dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static GKG dim3 dim_blocks() { return group_dim(); }
    static GKG dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    static GKG dim3 cluster_index() { return __clusterIdx(); }
    static GKG dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    static GKG unsigned long long num_clusters()
    {
        dim3 n = dim_clusters();
        return (unsigned long long)n.x * n.y * n.z;
    }
    static GKG unsigned long long cluster_rank()
    {
        dim3 n = dim_clusters(), at = cluster_index();
        return ((unsigned long long)at.z * n.y + at.y) * n.x + at.x;
    }
#endif
};
GKG grid_group this_grid() { return grid_group(); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
class cluster_group {
  public:
    struct arrival_token {};
    static GKG void sync()
    {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }
    static GKG arrival_token barrier_arrive()
    {
        __cluster_barrier_arrive();
        return {};
    }
    static GKG void barrier_wait() { __cluster_barrier_wait(); }
    static GKG void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
    static GKG unsigned block_rank() { return __clusterRelativeBlockRank(); }
    static GKG unsigned num_blocks() { return __clusterSizeInBlocks(); }
    static GKG dim3 block_index() { return __clusterRelativeBlockIdx(); }
    static GKG dim3 dim_blocks() { return __clusterDim(); }
    static GKG unsigned num_threads() { return num_blocks() * gpukit::block_size(); }
    static GKG unsigned size() { return num_threads(); }
    static GKG unsigned thread_rank() { return block_rank() * gpukit::block_size() + gpukit::thread_rank(); }
    template <class T> static GKG T *map_shared_rank(T *p, int rank)
    {
        return (T *)__cluster_map_shared_rank((const void *)p, (unsigned)rank);
    }
    static GKG unsigned query_shared_rank(const void *p) { return __cluster_query_shared_rank(p); }
    static GKG dim3 dim_threads()
    {
        dim3 n = dim_blocks();
        return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
    }
    static GKG dim3 thread_index()
    {
        dim3 at = block_index();
        return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y, at.z * blockDim.z + threadIdx.z);
    }
};
GKG cluster_group this_cluster() { return cluster_group(); }
#endif

/* Any set of lanes of one warp. */
class coalesced_group : public thread_group {
    unsigned meta_rank_ = 0, meta_size_ = 1;

  public:
    GKG explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : thread_group(1, mask, __popc(mask), __popc(mask & gpukit::lanes_below())), meta_rank_(meta_rank),
          meta_size_(meta_size)
    {
    }
    GKG unsigned gpukit_mask() const { return mask_; }
    GKG unsigned size() const { return size_; }
    GKG unsigned num_threads() const { return size_; }
    GKG unsigned thread_rank() const { return rank_; }
    GKG unsigned meta_group_rank() const { return meta_rank_; }
    GKG unsigned meta_group_size() const { return meta_size_; }
    GKG void sync() const { __syncwarp(mask_); }
    /* Lane of the n-th member. */
    GKG int gpukit_lane(unsigned n) const { return (int)__fns(mask_, 0, (int)n + 1); }
    template <class T> GKG T shfl(const T &v, int source) const
    {
        int from = mask_ == ~0u ? source & 31 : gpukit_lane((unsigned)source);
        return gpukit::by_words(v, [&](unsigned w) { return __shfl_sync(mask_, w, from); });
    }
    template <class T> GKG T shfl_down(const T &v, unsigned delta) const
    {
        unsigned to = rank_ + delta;
        int from = to < size_ ? gpukit_lane(to) : (int)gpukit::lane();
        return gpukit::by_words(v, [&](unsigned w) { return __shfl_sync(mask_, w, from); });
    }
    template <class T> GKG T shfl_up(const T &v, int delta) const
    {
        int to = (int)rank_ - delta, from = to >= 0 ? gpukit_lane((unsigned)to) : (int)gpukit::lane();
        return gpukit::by_words(v, [&](unsigned w) { return __shfl_sync(mask_, w, from); });
    }
    GKG unsigned gpukit_pack(unsigned lanes) const /* lane bits to member bits */
    {
        if (mask_ == ~0u)
            return lanes;
        unsigned packed = 0, left = mask_;
        for (unsigned i = 0; left; ++i, left &= left - 1)
            packed |= (lanes >> (__ffs((int)left) - 1) & 1u) << i;
        return packed;
    }
    GKG int any(int p) const { return __ballot_sync(mask_, p) != 0; }
    GKG int all(int p) const { return __ballot_sync(mask_, p) == mask_; }
    GKG unsigned ballot(int p) const { return gpukit_pack(__ballot_sync(mask_, p)); }
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
    template <class T> GKG unsigned match_any(T v) const { return gpukit_pack(__match_any_sync(mask_, v)); }
    template <class T> GKG unsigned match_all(T v, int &p) const
    {
        return gpukit_pack(__match_all_sync(mask_, v, &p));
    }
#endif
};
GKG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* Tiles. */
namespace gpukit {
/* One warp or less: the lanes from a multiple of Size on. */
template <unsigned Size> class warp_tile {
  protected:
    static GKG unsigned base() { return lane() & ~(Size - 1); }
    static GKG unsigned mask() { return Size == 32 ? ~0u : ((1u << (Size & 31)) - 1) << base(); }

  public:
    static GKG unsigned gpukit_mask() { return mask(); }
    static GKG void sync() { __syncwarp(mask()); }
    static GKG unsigned thread_rank() { return gpukit::thread_rank() & (Size - 1); }
    template <class T> GKG T shfl(const T &v, int source) const
    {
        return by_words(v, [&](unsigned w) { return __shfl_sync(mask(), w, source, Size); });
    }
    template <class T> GKG T shfl_down(const T &v, unsigned delta) const
    {
        return by_words(v, [&](unsigned w) { return __shfl_down_sync(mask(), w, delta, Size); });
    }
    template <class T> GKG T shfl_up(const T &v, unsigned delta) const
    {
        return by_words(v, [&](unsigned w) { return __shfl_up_sync(mask(), w, delta, Size); });
    }
    template <class T> GKG T shfl_xor(const T &v, unsigned lanes) const
    {
        return by_words(v, [&](unsigned w) { return __shfl_xor_sync(mask(), w, (int)lanes, Size); });
    }
    GKG int any(int p) const { return __ballot_sync(mask(), p) != 0; }
    GKG int all(int p) const { return __ballot_sync(mask(), p) == mask(); }
    GKG unsigned ballot(int p) const { return __ballot_sync(mask(), p) >> base(); }
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
    template <class T> GKG unsigned match_any(T v) const { return __match_any_sync(mask(), v) >> base(); }
    template <class T> GKG unsigned match_all(T v, int &p) const
    {
        return __match_all_sync(mask(), v, &p) >> base();
    }
#endif
};
/* The last of sixteen tiles of 64 threads has no named barrier: its two warps meet at a word of the shared
 * memory that the system reserves, a bit a warp, which the partition of the block clears. */
GKG unsigned *last_tile_word()
{
    unsigned long long word;
    asm("{ .reg .u32 o; .reg .u64 s; mov.u32 o, %%reserved_smem_offset_1; cvt.u64.u32 s, o; cvta.shared.u64 %0, s; }"
        : "=l"(word));
    return (unsigned *)word;
}
GKG void last_tile_clear()
{
    if (block_size() <= 15 * 64)
        return;
    if (thread_rank() == 0)
        *(volatile unsigned *)last_tile_word() = 0;
    __syncthreads();
}
GKG void last_tile_sync()
{
    unsigned *word = last_tile_word(), self = 1u << (thread_rank() / 32), both = 3u << 30;
    __syncwarp();
    if (lane() == 0) {
        unsigned now;
        asm volatile("atom.or.acq_rel.cta.b32 %0, [%1], %2;" : "=r"(now) : "l"(word), "r"(self) : "memory");
        if ((now | self) == both)
            asm volatile("red.and.relaxed.cta.b32 [%0], %1;" ::"l"(word), "r"(~both) : "memory");
        else
            do
                asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
            while (now & self);
    }
    __syncwarp();
}
/* Several warps: named barriers 1 to 15, one a tile. */
template <unsigned Size> class wide_tile {
  public:
    static GKG unsigned thread_rank() { return gpukit::thread_rank() & (Size - 1); }
    static GKG void sync()
    {
        unsigned id = 1 + gpukit::thread_rank() / Size;
        if (id > 15)
            last_tile_sync();
        else
            asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(Size) : "memory");
    }
};
template <unsigned Size, bool Wide = (Size > 32)> struct tile_base {
    typedef warp_tile<Size> type;
};
template <unsigned Size> struct tile_base<Size, true> {
    typedef wide_tile<Size> type;
};
}

template <unsigned Size, class Parent = void> class thread_block_tile : public gpukit::tile_base<Size>::type {
    static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 1024, "a tile has a power of two of threads");

  public:
    static constexpr unsigned gpukit_size = Size;
    GKG thread_block_tile() {}
    template <class Other> GKG thread_block_tile(const thread_block_tile<Size, Other> &) {}
    static constexpr GKG unsigned size() { return Size; }
    static constexpr GKG unsigned num_threads() { return Size; }
    static GKG unsigned meta_group_rank() { return gpukit::thread_rank() / Size; }
    static GKG unsigned meta_group_size() { return (gpukit::block_size() + Size - 1) / Size; }
    GKG operator thread_group() const;
    GKG operator coalesced_group() const
    {
        return coalesced_group(this->gpukit_mask(), meta_group_rank(), meta_group_size());
    }
};
/* A tile of a tile counts its rank within the parent. */
template <unsigned Size, unsigned ParentSize, class Grand>
class thread_block_tile<Size, thread_block_tile<ParentSize, Grand>> : public thread_block_tile<Size, void> {
  public:
    GKG unsigned meta_group_rank() const { return (gpukit::thread_rank() & (ParentSize - 1)) / Size; }
    GKG unsigned meta_group_size() const { return ParentSize / Size; }
};

template <unsigned Size> GKG thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    if (Size > 32)
        gpukit::last_tile_clear();
    return thread_block_tile<Size, thread_block>();
}
template <unsigned Size, class Parent> GKG thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}
GKG thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    unsigned lane = gpukit::lane();
    if (parent.kind_ == 1) { /* of lanes: by rank in the parent */
        unsigned mask = 0, rank = parent.rank_ / size, i = 0;
        for (unsigned left = parent.mask_; left; left &= left - 1, ++i)
            mask |= i / size == rank ? left & (0u - left) : 0;
        return thread_group(1, mask, (unsigned)__popc(mask), parent.rank_ % size);
    }
    unsigned base = lane & ~(size - 1);
    unsigned mask = size >= 32 ? ~0u : ((1u << size) - 1) << base;
    return thread_group(1, mask, size, parent.rank_ & (size - 1));
}
GKG coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    unsigned mask = 0, rank = parent.thread_rank() / size, i = 0;
    for (unsigned left = parent.gpukit_mask(); left; left &= left - 1, ++i)
        mask |= i / size == rank ? left & (0u - left) : 0;
    return coalesced_group(mask, rank, (parent.size() + size - 1) / size);
}
template <unsigned Size> GKG coalesced_group tiled_partition(const coalesced_group &parent)
{
    return tiled_partition(parent, Size);
}
template <unsigned Size, class Parent>
GKG thread_block_tile<Size, Parent>::operator thread_group() const
{
    return tiled_partition((const thread_group &)this_thread_block(), Size);
}

template <class Group> GKG coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned yes = __ballot_sync(group.gpukit_mask(), predicate);
    return coalesced_group(predicate ? yes : group.gpukit_mask() & ~yes, predicate ? 0 : 1, 2);
}
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
template <class Group, class Label> GKG coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned mask = __match_any_sync(group.gpukit_mask(), label);
    unsigned leader = (mask & (0u - mask)), before = 0;
    bool first = leader >> gpukit::lane() & 1;
    unsigned leaders = __ballot_sync(group.gpukit_mask(), first);
    before = (unsigned)__popc(leaders & (leader - 1));
    return coalesced_group(mask, before, (unsigned)__popc(leaders));
}
#endif

/* Free functions over any group. */
template <class Group> GKG void sync(const Group &group) { group.sync(); }
template <class Group> GKG auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <class Group> GKG auto group_size(const Group &group) -> decltype(group.size())
{
    return group.size();
}
template <class Group, class F, class... Args> GKG void invoke_one(const Group &group, F &&f, Args &&...args)
{
    if (group.thread_rank() == 0)
        f(static_cast<Args &&>(args)...);
}
template <class Group, class F, class... Args>
GKG auto invoke_one_broadcast(const Group &group, F &&f, Args &&...args) -> decltype(f(static_cast<Args &&>(args)...))
{
    decltype(f(static_cast<Args &&>(args)...)) value{};
    if (group.thread_rank() == 0)
        value = f(static_cast<Args &&>(args)...);
    return group.shfl(value, 0);
}

/* Copies into shared memory: done when they return, so waiting is a barrier. */
template <class Group, class T>
GKG void gpukit_copy(const Group &group, T *to, const T *from, size_t bytes)
{
    size_t n = bytes / sizeof(T);
    for (size_t i = group.thread_rank(); i < n; i += group.size())
        to[i] = from[i];
}
template <class Group, class T> GKG void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    gpukit_copy(group, to, from, bytes);
}
template <class Group> GKG void memcpy_async(const Group &group, void *to, const void *from, size_t bytes)
{
    gpukit_copy(group, (char *)to, (const char *)from, bytes);
}
template <class Group, class T, class U>
GKG void memcpy_async(const Group &group, T *to, const T *from, const U &shape)
{
    gpukit_copy(group, to, from, (size_t)shape);
}
template <class Group, class T>
GKG void memcpy_async(const Group &group, T *to, size_t to_count, const T *from, size_t from_count)
{
    gpukit_copy(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <class Group> GKG void wait(const Group &group) { group.sync(); }
template <unsigned Stages, class Group> GKG void wait_prior(const Group &group) { group.sync(); }

/* Operators for reduce and scan. */
template <class T = void> struct plus;
template <class T = void> struct less;
template <class T = void> struct greater;
template <class T = void> struct bit_and;
template <class T = void> struct bit_or;
template <class T = void> struct bit_xor;
#define GKG_OPERATOR(name, expression)                                                             \
    template <class T> struct name {                                                               \
        GKG T operator()(const T &a, const T &b) const { return expression; }                      \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class T> GKG T operator()(const T &a, const T &b) const { return expression; }   \
    };
GKG_OPERATOR(plus, a + b)
GKG_OPERATOR(less, b < a ? b : a)
GKG_OPERATOR(greater, a < b ? b : a)
GKG_OPERATOR(bit_and, a & b)
GKG_OPERATOR(bit_or, a | b)
GKG_OPERATOR(bit_xor, a ^ b)
#undef GKG_OPERATOR

namespace experimental {
using namespace cooperative_groups;
}
}

#undef GKG
#endif

#include "gpukit/letters_pop.h"
#endif
