/* SPDX-License-Identifier: Apache-2.0
 * The size of clusters in the head of a kernel.
 * Needs --arch sm_90 */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <int N> __global__ void __cluster_dims__(N, 1, 1) ranks(int *p)
{
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        p[blockIdx.x] = cluster.block_rank() * 100 + cluster.num_blocks();
}

extern "C" __global__ __cluster_dims__(2,
                                       2) void flat(int *p)
{
    *p = cg::this_cluster().num_blocks();
}

int main()
{
    int *p, h[9];
    cudaMalloc(&p, sizeof h);
    cudaMemset(p, 0, sizeof h);
    ranks<4><<<8, 32>>>(p);
    flat<<<dim3(4, 4), 32>>>(p + 8);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    int bad = h[8] != 4;
    for (int i = 0; i < 8; i++)
        bad += h[i] != i % 4 * 100 + 4;
    ranks<4><<<6, 32>>>(p);
    bad += cudaGetLastError() == cudaSuccess; /* no multiple of the cluster */
    printf(bad ? "%d wrong\n" : "clusters as the kernels say\n", bad);
    return bad != 0;
}
