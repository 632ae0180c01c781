/* SPDX-License-Identifier: Apache-2.0
 * How many clusters fit, through both interfaces, also for a kernel that names its cluster.
 * Needs --arch sm_90 */
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void plain(int *p) { p[blockIdx.x] = 1; }
__global__ void __cluster_dims__(4, 1, 1) four(int *p) { p[blockIdx.x] = 1; }

typedef CUresult (*Clusters)(int *, CUfunction, const CUlaunchConfig *);
static Clusters driver(const char *name)
{
    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion(name, &function, 12000, 0, &found);
    return (Clusters)function;
}

static int bad;
static void check(bool good, const char *what)
{
    if (!good)
        printf("wrong: %s\n", what), bad++;
}

int main()
{
    int sms, per_sm, size = 0, fit = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, plain, 256, 0);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = 1, attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 64, config.blockDim = 256, config.attrs = &attribute, config.numAttrs = 1;
    check(!cudaOccupancyMaxPotentialClusterSize(&size, plain, &config) && size == 8, "the largest portable cluster");
    check(!cudaOccupancyMaxActiveClusters(&fit, plain, &config) && fit == per_sm * sms / 2, "pairs that fit");
    config.numAttrs = 0;
    check(!cudaOccupancyMaxPotentialClusterSize(&size, four, &config) && size == 4, "the cluster of the kernel");
    check(!cudaOccupancyMaxActiveClusters(&fit, four, &config) && fit == per_sm * sms / 4, "fours that fit");
    config.gridDim = 6;
    check(cudaOccupancyMaxActiveClusters(&fit, four, &config) == cudaErrorInvalidClusterSize, "no multiple");
    cudaGetLastError();

    cudaFunction_t function;
    cudaGetFuncBySymbol(&function, (const void *)four);
    CUlaunchConfig own = {};
    own.gridDimX = 8, own.gridDimY = own.gridDimZ = 1, own.blockDimX = 256, own.blockDimY = own.blockDimZ = 1;
    check(!driver("cuOccupancyMaxPotentialClusterSize")(&size, (CUfunction)function, &own) && size == 4, "driver: size");
    check(!driver("cuOccupancyMaxActiveClusters")(&fit, (CUfunction)function, &own) && fit == per_sm * sms / 4, "driver: fit");

    int *device;
    cudaMalloc(&device, 4096);
    plain<<<1, 32>>>(device);
    int one = 0;
    cudaMemcpy(&one, device, 4, cudaMemcpyDeviceToHost);
    check(one == 1, "the kernel");
    printf(bad ? "%d wrong\n" : "PASS\n", bad);
    return bad != 0;
}
