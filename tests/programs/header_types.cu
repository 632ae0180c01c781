// SPDX-License-Identifier: Apache-2.0
// Types of arguments that a C++ template sees (CCCL calls the driver through templates), and names that
// only a library asks for. A wrong one does not compile.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <type_traits>

template <typename F> struct arguments;
template <typename... A> struct arguments<CUresult (*)(A...)> {
    template <typename... B> static constexpr bool are = (std::is_same_v<A, B> && ...);
};
static_assert(std::is_same_v<cuuint64_t, uint64_t>);
static_assert(arguments<decltype(&cuStreamWriteValue64)>::are<CUstream, CUdeviceptr, uint64_t, unsigned>);
static_assert(arguments<decltype(&cuDeviceGetP2PAttribute)>::are<int *, CUdevice_P2PAttribute, CUdevice, CUdevice>);
static_assert(std::is_same_v<CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEM_ALLOC_NODE_PARAMS_v1>);
static_assert(std::is_enum_v<cudaGetDriverEntryPointFlags> && cudaEnablePerThreadDefaultStream == 2);
static_assert(cudaGPUDirectRDMAWritesOrderingAllDevices == 200 && cudaDeviceNumaConfigNumaNode == 1);
static_assert(cudaDevAttrMax == 148 && cudaDevAttrGpuPciDeviceId == 139);
static_assert(cudaChannelFormatKindUnsignedNormalized8X4 == 7 && cudaResViewFormatUnsignedBlockCompressed7 == 0x22);

__global__ void square(uint64_t *v)
{
    *v *= *v;
}

int main()
{
    uint64_t *v, value = 11;
    if (cudaMalloc(&v, sizeof *v) || cudaMemcpy(v, &value, sizeof value, cudaMemcpyDefault))
        return 1;
    square<<<1, 1>>>(v);
    if (cudaMemcpy(&value, v, sizeof value, cudaMemcpyDefault))
        return 1;
    printf("%lu\n%s\n", value, value == 121 ? "PASS" : "FAIL");
    return value != 121;
}
