/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to libcudart: the same sources make one library per soname; CUDART_MAJOR (11, 12, 13)
 * says which. Structures and signatures are those of CUDA 13 from our own headers; where an older
 * library differs, the function is defined under another C name and the old symbol (OLD_NAME). */
#ifndef GPUKIT_RUNTIME_CUDART_H
#define GPUKIT_RUNTIME_CUDART_H

#define GPUKIT_NO_PER_THREAD_NAMES
#include "runtime/rt.h"

#include <cuda_runtime_api.h>

#ifndef CUDART_MAJOR
#define CUDART_MAJOR 13
#endif

extern _Thread_local int cudart_device;

/* Records an error of the calling thread for cudaGetLastError; returns it. */
#define fin(error) fin_from(error, __func__)
cudaError_t fin_from(int error, const char *function);
/* Opens the runtime; on failure the calling function returns. BEGIN_PLAIN: for what needs no context. */
#define BEGIN_PLAIN                                                                                \
    do {                                                                                           \
        int begin_error_ = rt_init();                                                              \
        if (begin_error_)                                                                          \
            return fin(begin_error_);                                                              \
        rt_runtime_enter(cudart_device);                                                           \
    } while (0)
/* A pointer that may not be NULL. */
#define NEED(pointer)                                                                              \
    do {                                                                                           \
        if (!(pointer))                                                                            \
            return fin(RT_INVALID_VALUE);                                                          \
    } while (0)
#define BEGIN                                                                                      \
    do {                                                                                           \
        BEGIN_PLAIN;                                                                               \
        int lost_ = rt_lost();                                                                     \
        if (lost_)                                                                                 \
            return fin(lost_);                                                                     \
    } while (0)
#define STREAM(handle)                                                                             \
    RtStream *own = rt_stream((handle), per_thread);                                               \
    if (!own)                                                                                      \
    return fin(RT_INVALID_HANDLE)
#define UNPACK(...) __VA_ARGS__
/* A function with a second entry for per-thread default streams; per_thread says which it is. */
#define DUAL(name, suffix, args, ...)                                                              \
    static cudaError_t do_##name(bool per_thread, __VA_ARGS__);                                    \
    cudaError_t name(__VA_ARGS__)                                                                  \
    {                                                                                              \
        return do_##name(false, UNPACK args);                                                      \
    }                                                                                              \
    cudaError_t name##suffix(__VA_ARGS__);                                                         \
    cudaError_t name##suffix(__VA_ARGS__)                                                          \
    {                                                                                              \
        return do_##name(true, UNPACK args);                                                       \
    }                                                                                              \
    static cudaError_t do_##name(bool per_thread, __VA_ARGS__)
#define OLD_NAME(symbol) __asm__(symbol)

/* launch.c: what programs registered. */
int symbol_find(const void *host, void **address, size_t *bytes); /* device address of a variable */
int kernel_find(const void *host, RtKernel **out);
/* memory.c */
int copy_check(void *dst, const void *src, enum cudaMemcpyKind kind);
int copy_box_check(const DevCopy *copy, enum cudaMemcpyKind kind);
int copy3d_convert(const struct cudaMemcpy3DParms *p, DevCopy *out);

/* array.c: the device's array, the bytes of a texel and of a row. */
int array_find(cudaArray_const_t array, DevArray **out, uint32_t *texel, size_t *row);

#endif
