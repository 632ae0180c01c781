/* SPDX-License-Identifier: Apache-2.0
 * Launches from device code (dynamic parallelism, with -rdc=true). clang has no <<<>>> there; gpukit
 * writes kernel<<<grid, block, shared, stream>>>(arguments) in device functions as
 * gpukit::device_launch<decltype(&kernel), kernel>(grid, block, shared, stream)(arguments) before clang
 * reads it. Overloaded kernels cannot be told apart that way: clang refuses them by name. The engine
 * knows the two functions by the names that nvcc's PTX calls them by. */
#ifndef GPUKIT_DEVICE_LAUNCH_H
#define GPUKIT_DEVICE_LAUNCH_H

#include "../driver_types.h"
#include "../vector_types.h"

extern "C" {
__device__ void *__cudaCDP2GetParameterBufferV2(void *kernel, dim3 grid, dim3 block, unsigned shared);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void *parameters, cudaStream_t stream);
}

#define cudaStreamTailLaunch    ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

/* The device's own runtime calls. Children run in the order of their launches, so a stream is a handle
 * and nothing more. */
extern "C" {
static __device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = static_cast<cudaStream_t>(malloc(1));
    return *stream ? cudaSuccess : cudaErrorMemoryAllocation;
}
static __device__ inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}
static __device__ inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    return *memory || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}
static __device__ inline cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}
static __device__ inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
static __device__ inline const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess ? "cudaSuccess" : "error";
}
static __device__ inline const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "error";
}
static __device__ inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static __device__ inline cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }
}
template <typename T> static __device__ inline cudaError_t cudaMalloc(T **memory, size_t bytes)
{
    return cudaMalloc(reinterpret_cast<void **>(memory), bytes);
}

static __device__ inline void *cudaGetParameterBufferV2(void *kernel, dim3 grid, dim3 block,
                                                        unsigned shared)
{
    return __cudaCDP2GetParameterBufferV2(kernel, grid, block, shared);
}
static __device__ inline cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream)
{
    return __cudaCDP2LaunchDeviceV2(parameters, stream);
}

/* The older pair: the kernel is known at the launch only, so the bytes wait in a buffer of their own,
 * behind their number. */
static __device__ inline void *cudaGetParameterBuffer(size_t alignment, size_t bytes)
{
    size_t head = alignment > 64 ? alignment : 64;
    char *buffer = static_cast<char *>(malloc(head + bytes));
    if (!buffer)
        return nullptr;
    reinterpret_cast<size_t *>(buffer + head)[-1] = bytes;
    reinterpret_cast<size_t *>(buffer + head)[-2] = head;
    return buffer + head;
}
static __device__ inline cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid,
                                                      dim3 block, unsigned shared,
                                                      cudaStream_t stream)
{
    void *buffer = cudaGetParameterBufferV2(kernel, grid, block, shared);
    size_t bytes = static_cast<size_t *>(parameters)[-1], head = static_cast<size_t *>(parameters)[-2];
    if (buffer)
        memcpy(buffer, parameters, bytes);
    free(static_cast<char *>(parameters) - head);
    return buffer ? cudaLaunchDeviceV2(buffer, stream) : cudaErrorLaunchOutOfResources;
}

namespace gpukit {

template <typename F, F *K> struct launch_function;

template <typename... P, void (*K)(P...)> struct launch_function<void(P...), K> {
    /* A constant, for device code may not name a kernel otherwise. */
    static constexpr void (*kernel)(P...) = K;
    dim3 grid, block;
    unsigned shared;
    cudaStream_t stream;

    template <typename T>
    static __device__ void put(char *buffer, size_t &at, const T &value)
    {
        at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
        memcpy(buffer + at, &value, sizeof value);
        at += sizeof value;
    }

    /* The parameters' own types: arguments convert as in any call. */
    __device__ void operator()(P... arguments) const
    {
        char *buffer = static_cast<char *>(cudaGetParameterBufferV2(
            reinterpret_cast<void *>(kernel), grid, block, shared));
        if (!buffer)
            return;
        size_t at = 0;
        (void)at;
        int each[] = {0, (put(buffer, at, arguments), 0)...};
        (void)each;
        cudaLaunchDeviceV2(buffer, stream);
    }
};

template <typename F> struct pointed;
template <typename F> struct pointed<F *> {
    typedef F type;
};

template <typename F, F K>
__device__ inline launch_function<typename pointed<F>::type, K>
device_launch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr)
{
    return {grid, block, static_cast<unsigned>(shared), stream};
}

/* Copies and fills are children, too, so that they keep their place among the others. */
template <int Threads> __global__ void copy_child(char *to, const char *from, size_t bytes)
{
    for (size_t i = threadIdx.x; i < bytes; i += Threads)
        to[i] = from[i];
}
template <int Threads> __global__ void fill_child(char *to, char value, size_t bytes)
{
    for (size_t i = threadIdx.x; i < bytes; i += Threads)
        to[i] = value;
}

} // namespace gpukit

extern "C" {
static __device__ inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                                     cudaMemcpyKind, cudaStream_t stream)
{
    gpukit::device_launch<void (*)(char *, const char *, size_t), gpukit::copy_child<256>>(
        1, 256, 0, stream)(static_cast<char *>(to), static_cast<const char *>(from), bytes);
    return cudaSuccess;
}
static __device__ inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                                     cudaStream_t stream)
{
    gpukit::device_launch<void (*)(char *, char, size_t), gpukit::fill_child<256>>(
        1, 256, 0, stream)(static_cast<char *>(to), static_cast<char>(value), bytes);
    return cudaSuccess;
}
}

#endif
