/* SPDX-License-Identifier: Apache-2.0
 * Types of the driver's functions by name and version, as programs that look them up use them.
 * Needs --arch sm_80 */
#include <cstdio>
#include <cudaProfilerTypedefs.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <type_traits>

static_assert(std::is_same<PFN_cuMemAlloc, CUresult (*)(CUdeviceptr *, size_t)>::value, "the newest");
static_assert(std::is_same<PFN_cuMemAlloc_v3020, PFN_cuMemAlloc>::value, "by version");
static_assert(std::is_same<PFN_cuMemcpyHtoDAsync_v7000_ptsz, PFN_cuMemcpyHtoDAsync_v3020>::value, "per thread");
static_assert(std::is_same<PFN_cuGraphAddDependencies_v10000,
                           CUresult (*)(CUgraph, const CUgraphNode *, const CUgraphNode *, size_t)>::value, "old");
static_assert(!std::is_same<PFN_cuMemPrefetchAsync_v8000, PFN_cuMemPrefetchAsync>::value, "old and new");
static_assert(std::is_same<PFN_cuProfilerStart, CUresult (*)()>::value, "the profiler's");

__global__ void triple(int *p) { *p *= 3; }

int main()
{
    void *found[3] = {};
    cudaDriverEntryPointQueryResult status;
    cudaGetDriverEntryPointByVersion("cuMemAlloc", &found[0], 12000, cudaEnableDefault, &status);
    cudaGetDriverEntryPointByVersion("cuMemsetD32", &found[1], 12000, cudaEnableDefault, &status);
    cudaGetDriverEntryPointByVersion("cuGetProcAddress", &found[2], 12000, cudaEnableDefault, &status);
    CUdeviceptr p = 0;
    int value = 0;
    void *driver_version = nullptr;
    CUdriverProcAddressQueryResult why;
    if (cudaFree(0) || ((PFN_cuMemAlloc_v3020)found[0])(&p, 4) || ((PFN_cuMemsetD32_v3020)found[1])(p, 14, 1) ||
        ((PFN_cuGetProcAddress_v12000)found[2])("cuDriverGetVersion", &driver_version, 12000, 0, &why) ||
        ((PFN_cuDriverGetVersion_v2020)driver_version)(&value) || value < 12000) {
        printf("FAIL: a call\n");
        return 1;
    }
    triple<<<1, 1>>>((int *)p);
    cudaMemcpy(&value, (void *)p, 4, cudaMemcpyDeviceToHost);
    printf(value == 42 ? "PASS\n" : "FAIL: %d\n", value);
    return value != 42;
}
