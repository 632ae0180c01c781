/* SPDX-License-Identifier: Apache-2.0
 * Launches from device code (dynamic parallelism, with -rdc=true). clang has no <<<>>> there; gpukit
 * writes kernel<<<grid, block, shared, stream>>>(arguments) in device functions as
 * gpukit::device_launch<type of kernel, kernel>(grid, block, shared, stream)(arguments) before clang
 * reads it. Of overloaded kernels and of templates whose arguments are not written out, kernel_for
 * finds the one meant: by the arguments' exact types, by their number, or by both the number and the
 * first type; what needs conversions to be told apart, clang refuses by name. The engine knows the two
 * functions by the names that nvcc's PTX calls them by. */
#ifndef GPUKIT_DEVICE_LAUNCH_H
#define GPUKIT_DEVICE_LAUNCH_H

#include "../driver_types.h"
#include "../vector_types.h"

extern "C" {
__device__ void *__cudaCDP2GetParameterBufferV2(void *kernel, dim3 grid, dim3 block,
                                                unsigned shared);
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
/* The handle is the address of the graph's word. */
static __device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    *reinterpret_cast<volatile unsigned *>(handle) = value;
}
static __device__ inline cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}
static __device__ inline cudaError_t cudaPeekAtLastError(void)
{
    return cudaSuccess;
}
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
    size_t bytes = static_cast<size_t *>(parameters)[-1],
           head = static_cast<size_t *>(parameters)[-2];
    if (buffer)
        memcpy(buffer, parameters, bytes);
    free(static_cast<char *>(parameters) - head);
    return buffer ? cudaLaunchDeviceV2(buffer, stream) : cudaErrorLaunchOutOfResources;
}

namespace gpukit
{

template <typename Function, Function *Kernel> struct launch_function;

template <typename... Parameter, void (*Kernel)(Parameter...)> struct launch_function<void(Parameter...), Kernel> {
    /* A constant, for device code may not name a kernel otherwise. */
    static constexpr void (*kernel)(Parameter...) = Kernel;
    dim3 grid, block;
    unsigned shared;
    cudaStream_t stream;

    static __device__ launch_function with(dim3 grid, dim3 block, size_t shared = 0,
                                           cudaStream_t stream = nullptr)
    {
        return {grid, block, static_cast<unsigned>(shared), stream};
    }

    template <typename T> static __device__ void put(char *buffer, size_t &at, const T &value)
    {
        at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
        memcpy(buffer + at, &value, sizeof value);
        at += sizeof value;
    }

    /* The parameters' own types: arguments convert as in any call. */
    __device__ void operator()(Parameter... arguments) const
    {
        char *buffer = static_cast<char *>(
            cudaGetParameterBufferV2(reinterpret_cast<void *>(kernel), grid, block, shared));
        if (!buffer)
            return;
        size_t at = 0;
        (void)at;
        int each[] = {0, (put(buffer, at, arguments), 0)...};
        (void)each;
        cudaLaunchDeviceV2(buffer, stream);
    }
};

template <typename Function> struct pointed;
template <typename Function> struct pointed<Function *> {
    typedef Function type;
};

template <int Number> struct rank : rank<Number - 1> {
};
template <> struct rank<0> {
};

/* kernel_for is never called: its result's type is the kernel's. The only one with so many parameters,
 * or of those the one whose first type is right. N (a macro's): how many more than one. */
template <typename... Argument> struct types_by_number {
    static void kernel_for(rank<0>, void *);
};
#define GPUKIT_EACH_1(F)   F(1)
#define GPUKIT_EACH_2(F)   GPUKIT_EACH_1(F), F(2)
#define GPUKIT_EACH_3(F)   GPUKIT_EACH_2(F), F(3)
#define GPUKIT_EACH_4(F)   GPUKIT_EACH_3(F), F(4)
#define GPUKIT_EACH_5(F)   GPUKIT_EACH_4(F), F(5)
#define GPUKIT_EACH_6(F)   GPUKIT_EACH_5(F), F(6)
#define GPUKIT_EACH_7(F)   GPUKIT_EACH_6(F), F(7)
#define GPUKIT_EACH_8(F)   GPUKIT_EACH_7(F), F(8)
#define GPUKIT_EACH_9(F)   GPUKIT_EACH_8(F), F(9)
#define GPUKIT_EACH_10(F)  GPUKIT_EACH_9(F), F(10)
#define GPUKIT_EACH_11(F)  GPUKIT_EACH_10(F), F(11)
#define GPUKIT_EACH_12(F)  GPUKIT_EACH_11(F), F(12)
#define GPUKIT_EACH_13(F)  GPUKIT_EACH_12(F), F(13)
#define GPUKIT_EACH_14(F)  GPUKIT_EACH_13(F), F(14)
#define GPUKIT_EACH_15(F)  GPUKIT_EACH_14(F), F(15)
#define GPUKIT_KIND(n)     typename Parameter##n
#define GPUKIT_NAME(n)     Parameter##n
#define GPUKIT_GIVEN(n)    typename Argument##n
#define GPUKIT_ARGUMENT(n) Argument##n
#define GPUKIT_KERNEL_FOR(N)                                                                       \
    template <typename Argument, GPUKIT_EACH_##N(GPUKIT_GIVEN)>                                           \
    struct types_by_number<Argument, GPUKIT_EACH_##N(GPUKIT_ARGUMENT)> {                                  \
        template <typename Parameter, GPUKIT_EACH_##N(GPUKIT_KIND)>                                        \
        static auto kernel_for(rank<2>, void (*kernel)(Parameter, GPUKIT_EACH_##N(GPUKIT_NAME)))           \
            -> decltype(kernel);                                                                   \
        template <GPUKIT_EACH_##N(GPUKIT_KIND)>                                                    \
        static auto kernel_for(rank<1>, void (*kernel)(Argument, GPUKIT_EACH_##N(GPUKIT_NAME)))           \
            -> decltype(kernel);                                                                   \
    };
GPUKIT_KERNEL_FOR(1)
GPUKIT_KERNEL_FOR(2)
GPUKIT_KERNEL_FOR(3)
GPUKIT_KERNEL_FOR(4)
GPUKIT_KERNEL_FOR(5)
GPUKIT_KERNEL_FOR(6)
GPUKIT_KERNEL_FOR(7)
GPUKIT_KERNEL_FOR(8)
GPUKIT_KERNEL_FOR(9)
GPUKIT_KERNEL_FOR(10)
GPUKIT_KERNEL_FOR(11)
GPUKIT_KERNEL_FOR(12)
GPUKIT_KERNEL_FOR(13)
GPUKIT_KERNEL_FOR(14)
GPUKIT_KERNEL_FOR(15)
#undef GPUKIT_KERNEL_FOR
#undef GPUKIT_KIND
#undef GPUKIT_NAME
#undef GPUKIT_GIVEN
#undef GPUKIT_ARGUMENT
#undef GPUKIT_EACH_1
#undef GPUKIT_EACH_2
#undef GPUKIT_EACH_3
#undef GPUKIT_EACH_4
#undef GPUKIT_EACH_5
#undef GPUKIT_EACH_6
#undef GPUKIT_EACH_7
#undef GPUKIT_EACH_8
#undef GPUKIT_EACH_9
#undef GPUKIT_EACH_10
#undef GPUKIT_EACH_11
#undef GPUKIT_EACH_12
#undef GPUKIT_EACH_13
#undef GPUKIT_EACH_14
#undef GPUKIT_EACH_15

/* Before these the only one of its name, and the one with exactly these types. */
template <typename... Argument> struct types : types_by_number<Argument...> {
    using types_by_number<Argument...>::kernel_for;
    template <typename Function> static Function *kernel_for(rank<4>, Function *kernel);
    static auto kernel_for(rank<3>, void (*kernel)(Argument...)) -> void (*)(Argument...);
};
template <typename... Argument> __host__ __device__ types<Argument...> types_of(Argument...);

template <typename Function, Function Kernel>
__device__ inline launch_function<typename pointed<Function>::type, Kernel>
device_launch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr)
{
    return launch_function<typename pointed<Function>::type, Kernel>::with(grid, block, shared, stream);
}

#ifdef GPUKIT_RDC
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
#endif

} // namespace gpukit

#ifdef GPUKIT_RDC
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
#else
/* Need -rdc=true, as children do. */
extern "C" {
static __device__ inline cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind,
                                                     cudaStream_t)
{
    return cudaErrorNotSupported;
}
static __device__ inline cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t)
{
    return cudaErrorNotSupported;
}
}
#endif

#endif
