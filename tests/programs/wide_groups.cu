/* SPDX-License-Identifier: Apache-2.0
 * Atomics of 8 and 16 bytes (sums of float2 and float4 whose result nobody uses, compare and swap, exchange), all
 * sixteen tiles of 64 threads of one block, scans and reductions that update or store, places in clusters.
 * Needs --arch sm_90 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/atomic>

namespace cg = cooperative_groups;
typedef cuda::atomic<int, cuda::thread_scope_device> Atomic;

struct alignas(16) Pair {
    long long up, down;
};
__device__ Pair pair, swapped;
__device__ float4 sums;
__device__ float2 small_sums;
__device__ unsigned wrong, once;

__global__ void swap_pairs()
{
    Pair seen = pair, old;
    for (;;) {
        Pair next = {seen.up + 1, seen.down - 1};
        old = atomicCAS(&pair, seen, next);
        if (old.up == seen.up && old.down == seen.down)
            break;
        seen = old;
    }
    Pair mine = {(long long)threadIdx.x, -(long long)threadIdx.x};
    old = atomicExch(&swapped, mine);
    if (old.up != -old.down)
        atomicAdd(&wrong, 1u);
    atomicAdd(&sums, make_float4(1, 2, 3, 4));
    atomicAdd(&small_sums, make_float2(1, -1));
}

__global__ void tiles()
{
    __shared__ int values[1024];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    unsigned first = tile.meta_group_rank() * 64;
    for (int i = 0; i < 50; i++) {
        values[threadIdx.x] = i * 1000 + (int)threadIdx.x;
        tile.sync();
        unsigned other = first + 63 - tile.thread_rank();
        if (values[other] != i * 1000 + (int)other)
            atomicAdd(&wrong, 1u);
        tile.sync();
    }
    if (cg::reduce(tile, (int)tile.thread_rank(), cg::plus<int>()) != 63 * 32)
        atomicAdd(&wrong, 1u);
}

__global__ void places(Atomic *next, Atomic *largest, int *taken)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int mine = (int)threadIdx.x % 3, at = cg::exclusive_scan_update(warp, *next, mine, cg::plus<int>());
    for (int i = 0; i < mine; i++)
        taken[at + i]++;
    cg::reduce_update_async(warp, *largest, (int)threadIdx.x, cg::greater<int>());
    cg::invoke_one(warp, [](unsigned n) { atomicAdd(&once, n); }, 5u);
}

__global__ void stores(Atomic *next, Atomic *total, int *plain)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int at = cg::inclusive_scan_update(warp, *next, 1); /* 1 to 32, in order */
    if (at != (int)warp.thread_rank() + 1)
        atomicAdd(&wrong, 1u);
    cg::reduce_store_async(warp, *total, at, cg::plus<int>());
    cg::reduce_store_async(warp, plain, at, cg::less<int>());
}

__global__ void __cluster_dims__(2) clusters()
{
    __shared__ int mine;
    auto grid = cg::this_grid();
    auto cluster = cg::this_cluster();
    unsigned rank = blockIdx.x % 2;
    bool right = grid.num_clusters() == 3 && grid.dim_clusters().x == 3 && grid.cluster_rank() == blockIdx.x / 2 &&
                 grid.cluster_index().x == blockIdx.x / 2 && cluster.dim_threads().x == 2 * blockDim.x &&
                 cluster.thread_index().x == rank * blockDim.x + threadIdx.x &&
                 cluster.query_shared_rank(cluster.map_shared_rank(&mine, 1 - rank)) == 1 - rank;
    if (right)
        atomicAdd(&once, 1000u);
    cluster.sync();
}

int main()
{
    enum { THREADS = 512, PLACES = 4 * 255 };
    Atomic *atomics;
    int *taken, *plain;
    cudaMallocManaged(&atomics, 4 * sizeof *atomics);
    cudaMallocManaged(&plain, sizeof *plain);
    cudaMallocManaged(&taken, 2 * PLACES * sizeof *taken);
    cudaMemset(atomics, 0, 4 * sizeof *atomics);
    cudaMemset(taken, 0, 2 * PLACES * sizeof *taken);
    swap_pairs<<<8, 64>>>();
    tiles<<<3, 1024>>>();
    places<<<4, 256>>>(atomics, atomics + 1, taken);
    stores<<<1, 32>>>(atomics + 2, atomics + 3, plain);
    clusters<<<6, 64>>>();
    Pair p;
    float4 s;
    float2 t;
    unsigned w, o;
    cudaMemcpyFromSymbol(&p, pair, sizeof p);
    cudaMemcpyFromSymbol(&s, sums, sizeof s);
    cudaMemcpyFromSymbol(&t, small_sums, sizeof t);
    cudaMemcpyFromSymbol(&w, wrong, sizeof w);
    cudaMemcpyFromSymbol(&o, once, sizeof o);
    cudaError_t error = cudaDeviceSynchronize();
    int n = atomics[0].load(), bad = error != cudaSuccess || w != 0 || n != PLACES || atomics[1].load() != 255;
    bad |= p.up != THREADS || p.down != -THREADS || o != 4 * 8 * 5 + 6 * 64 * 1000;
    bad |= atomics[2].load() != 32 || atomics[3].load() != 33 * 16 || *plain != 1;
    bad |= s.x != THREADS || s.y != 2 * THREADS || s.z != 3 * THREADS || s.w != 4 * THREADS;
    bad |= t.x != THREADS || t.y != -THREADS;
    for (int i = 0; i < 2 * PLACES; i++)
        bad |= taken[i] != (i < n);
    printf(bad ? "wrong: error %d, tiles %u, places %d, pair %lld %lld, sums %g %g, once %u\n" : "passed\n", (int)error, w,
           n, p.up, p.down, s.x, t.y, o);
    return bad;
}
