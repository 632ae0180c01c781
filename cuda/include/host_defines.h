/* SPDX-License-Identifier: Apache-2.0
 * The CUDA C++ keywords (__global__, __device__, ...) for clang's CUDA mode, and nothing at all for
 * a plain host compiler, so that host files may include the runtime headers. */
#ifndef GPUKIT_HOST_DEFINES_H
#define GPUKIT_HOST_DEFINES_H
#include "gpukit/letters_push.h"
#define __HOST_DEFINES_H__ 1

#if defined(__CUDA__) || defined(__CUDACC__)
#define __host__     __attribute__((host))
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
/* clang has managed variables for HIP only. For it this is a device variable whose shadow in the
 * host program fills pages of its own; the alignment tells gpukit, which marks the variable in the
 * PTX (source/ptx_text.c), and the runtime maps those pages for kernels. */
#define __managed__ __attribute__((device, aligned(32768)))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700 && __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(n)
/* No clang up to 19 knows it; gpukit moves it from the head of a kernel into its body (device.h),
 * and elsewhere a launch of such a kernel is an error that says so. */
#define __cluster_dims__(...)                                                                      \
    __attribute__((unavailable("__cluster_dims__ is understood in the head of a kernel's own "      \
                               "definition only, not in a declaration or a macro")))
#define __block_size__(...)                                                                        \
    __attribute__((unavailable("__block_size__ is not supported: use __cluster_dims__, or give "   \
                               "the cluster's size to cudaLaunchKernelEx")))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
/* libstdc++ spells __attribute__((__noinline__)); a macro of that name would break it. clang knows
 * __noinline__ as a keyword in CUDA mode. */
#if !defined(__clang__) || !defined(__CUDA__)
#define __no_return__ __attribute__((noreturn))
#endif
#ifndef __no_return__
#define __no_return__ __attribute__((noreturn))
#endif
#define __align__(n)       __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__         __thread
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __location__(a)
#define __annotate__(a)
#define __specialization_static static
#define __nv_pure__        __attribute__((pure))
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDACC_CB

#ifdef __clang__
#define GPUKIT_NODEBUG __attribute__((nodebug))
#else
#define GPUKIT_NODEBUG
#endif

#ifdef __cplusplus
#define GPUKIT_EXTERN_C extern "C"
#define GPUKIT_DEFAULT(value) = value
#else
#define GPUKIT_EXTERN_C
#define GPUKIT_DEFAULT(value)
#endif

#include "gpukit/letters_pop.h"
#endif
