/* SPDX-License-Identifier: Apache-2.0
 * Memory barriers, bulk copies and clusters of blocks by inline PTX (PTX ISA, "mbarrier", "cp.async.bulk",
 * "barrier.cluster", "mapa"), against the same computed on the host.
 * Needs --arch sm_90 */
#include <cstdint>
#include <cstdio>

typedef unsigned long long u64;

__device__ unsigned shared_at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void init(u64 *b, unsigned n)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_at(b)), "r"(n) : "memory");
}
__device__ u64 arrive(u64 *b)
{
    u64 state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(shared_at(b)) : "memory");
    return state;
}
__device__ void expect(u64 *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_at(b)), "r"(bytes) : "memory");
}
__device__ void wait(u64 *b, u64 state)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.test_wait.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}" ::"r"(shared_at(b)), "l"(state) : "memory");
}
__device__ void wait_parity(u64 *b, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(shared_at(b)), "r"(parity) : "memory");
}

/* Threads hand values on through shared memory, round by round: no __syncthreads. */
__global__ void rounds(int *out, int n)
{
    __shared__ u64 barrier;
    __shared__ int value[128];
    int t = threadIdx.x;
    if (t == 0)
        init(&barrier, blockDim.x);
    value[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        wait(&barrier, arrive(&barrier));
        int x = value[(t + 1) % blockDim.x];
        wait(&barrier, arrive(&barrier));
        value[t] = x + 1;
    }
    out[t] = value[t];
}

/* A producer warp fills two buffers by bulk copies, consumer warps add them up. */
__global__ void pipeline(const int *in, int *out, int chunks)
{
    __shared__ __align__(16) int buffer[2][64];
    __shared__ u64 full[2], empty[2];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0;
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++)
            init(&full[i], 1), init(&empty[i], 64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    if (warp == 0) {
        if (lane == 0)
            for (int c = 0; c < chunks; c++) {
                int i = c % 2;
                if (c >= 2)
                    wait_parity(&empty[i], (c / 2 - 1) & 1);
                expect(&full[i], 256);
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_at(buffer[i])),
                             "l"(in + c * 64), "r"(256), "r"(shared_at(&full[i]))
                             : "memory");
            }
    } else {
        for (int c = 0; c < chunks; c++) {
            int i = c % 2;
            wait_parity(&full[i], c / 2 & 1);
            sum += buffer[i][(warp - 1) * 32 + lane];
            arrive(&empty[i]);
        }
        out[(warp - 1) * 32 + lane] = sum;
    }
}

/* Shared memory to global memory: copied, and added by several blocks. */
__global__ void back(int *copy, unsigned *sum)
{
    __shared__ __align__(16) int data[32];
    data[threadIdx.x] = blockIdx.x * 32 + threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(copy + blockIdx.x * 32), "r"(shared_at(data)) : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 128;" ::"l"(sum), "r"(shared_at(data)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

__device__ unsigned special(int which)
{
    unsigned v;
    if (which == 0)
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(v));
    else if (which == 1)
        asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(v));
    else if (which == 2)
        asm("mov.u32 %0, %%clusterid.x;" : "=r"(v));
    else
        asm("mov.u32 %0, %%nclusterid.x;" : "=r"(v));
    return v;
}
__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* Each block adds up what every block of its cluster has, by their shared memory. */
__global__ void clusters(int *out, int *facts)
{
    __shared__ int mine[64];
    unsigned rank = special(0), count = special(1);
    mine[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
    cluster_sync();
    int sum = 0;
    for (unsigned r = 0; r < count; r++) {
        unsigned at, back;
        int x;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared_at(&mine[threadIdx.x])), "r"(r));
        asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(x) : "r"(at) : "memory");
        asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(back) : "r"(at));
        sum += back == r ? x : 1000000;
    }
    cluster_sync();
    if (threadIdx.x == 0) { /* tells the next block, by a generic address */
        u64 at;
        asm("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"((u64)&mine[0]), "r"((rank + 1) % count));
        *(int *)at = (int)rank;
    }
    cluster_sync();
    out[blockIdx.x * 64 + threadIdx.x] = sum;
    if (threadIdx.x == 0) {
        facts[blockIdx.x * 4] = (int)(rank + 10 * count);
        facts[blockIdx.x * 4 + 1] = (int)(special(2) + 10 * special(3));
        facts[blockIdx.x * 4 + 2] = mine[0];
    }
}

static cudaError_t launch_clusters(int blocks, int *out, int *facts)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, clusters, out, facts);
}

int main()
{
    int bad = 0, *a, *b;
    cudaMallocManaged(&a, 65536);
    cudaMallocManaged(&b, 65536);
    rounds<<<1, 96>>>(a, 5);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int t = 0; t < 96; t++)
        bad += a[t] != (t + 5) % 96 + 5;
    printf("rounds %d\n", bad);
    for (int i = 0; i < 64 * 7; i++)
        b[i] = i * i % 101;
    pipeline<<<1, 96>>>(b, a, 7);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int t = 0; t < 64; t++) {
        int sum = 0;
        for (int c = 0; c < 7; c++)
            sum += b[c * 64 + t];
        bad += a[t] != sum;
    }
    printf("pipeline %d\n", bad);
    for (int i = 0; i < 32; i++)
        b[i] = 0;
    back<<<8, 32>>>(a, (unsigned *)b);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 256; i++)
        bad += a[i] != i;
    for (int i = 0; i < 32; i++)
        bad += b[i] != 32 * 28 + 8 * i;
    printf("back %d\n", bad);
    bad += launch_clusters(8, a, b) != cudaSuccess;
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int block = 0; block < 8; block++) {
        int first = block / 4 * 4;
        for (int t = 0; t < 64; t++)
            bad += a[block * 64 + t] != 4 * t + 100 * (4 * first + 6);
        bad += b[block * 4] != block % 4 + 40 || b[block * 4 + 1] != block / 4 + 20 || b[block * 4 + 2] != (block + 3) % 4;
    }
    bad += launch_clusters(6, a, b) != cudaErrorInvalidClusterSize; /* no multiple of the cluster */
    printf("clusters %d\n", bad);
    return bad != 0;
}
