/* SPDX-License-Identifier: Apache-2.0
 * Everything that device code finds without an include, for clang's CUDA mode: launch variables,
 * device functions, mathematics, printf, assert, malloc, and the launch call of <<<>>>.
 *
 * clang's resource folder carries the overload plumbing (which std:: function calls which __nv_*
 * name); the functions themselves are ours: math_*.h, device_functions.h, atomics.h. The order of
 * the includes matters: each clang header expects the ones before it. */
#ifndef GPUKIT_DEVICE_H
#define GPUKIT_DEVICE_H

#include "../host_defines.h"
#include "../vector_functions.h"
#include "../vector_types.h"

#ifdef __cplusplus
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_math_forward_declares.h>

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

/* libstdc++'s C++ forms of the C headers, before std:: gains device functions of the same names. */
#include <math.h>
#include <stdlib.h>

/* nodebug: an instruction from these functions carries the line of the call in the user's file. */
#define GPUKIT_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
/* A conversion as PTX. Not the built-ins: LLVM takes some of them for casts of C, which round to nearest towards
 * a float and are undefined beyond an integer's range, where PTX saturates. */
#define GK_CONVERSION(qualifiers, name, to, from, ptx, out, in)                                    \
    qualifiers to name(from a)                                                                     \
    {                                                                                              \
        to r;                                                                                      \
        asm("cvt." ptx " %0, %1;" : "=" out(r) : in(a));                                           \
        return r;                                                                                  \
    }

#include <__clang_cuda_libdevice_declares.h>

#ifdef __CUDA_ARCH__
#include "libdevice.h"
#endif

#include "device_functions.h"
#undef GK_CONVERSION

#include "atomics.h"

/* clang 19's own take a number of the exponent beyond an int for an infinite result, of zero, too. */
#define scalbln  gpukit_unused_scalbln
#define scalblnf gpukit_unused_scalblnf
#include <__clang_cuda_math.h>
#undef scalbln
#undef scalblnf
GPUKIT_DEVICE double scalbln(double x, long n) { return __nv_scalbn(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n); }
GPUKIT_DEVICE float scalblnf(float x, long n) { return __nv_scalbnf(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n); }

/* clang declares them and leaves them to NVIDIA's library. */
GPUKIT_DEVICE double nan(const char *) { return __builtin_nan(""); }
GPUKIT_DEVICE float nanf(const char *) { return __builtin_nanf(""); }

/* CUDA's functions that the host's C library has not. */
static inline __host__ double rsqrt(double x) { return 1 / ::sqrt(x); }
static inline __host__ float rsqrtf(float x) { return (float)rsqrt((double)x); }
static inline __host__ double rcbrt(double x) { return 1 / ::cbrt(x); }
static inline __host__ float rcbrtf(float x) { return (float)rcbrt((double)x); }
static inline __host__ double sinpi(double x)
{
    double r = ::remainder(x, 2.0); /* exact */
    return ::sin(3.14159265358979323846 * (r > 0.5 ? 1 - r : r < -0.5 ? -1 - r : r));
}
static inline __host__ double cospi(double x)
{
    double r = ::fabs(::remainder(x, 2.0));
    return r < 0.25 ? ::cos(3.14159265358979323846 * r) : ::sin(3.14159265358979323846 * (0.5 - r));
}
static inline __host__ float sinpif(float x) { return (float)sinpi((double)x); }
static inline __host__ float cospif(float x) { return (float)cospi((double)x); }
static inline __host__ void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
static inline __host__ void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
static inline __host__ double normcdf(double x) { return 0.5 * ::erfc(x * -0.70710678118654752440); }
static inline __host__ float normcdff(float x) { return (float)normcdf((double)x); }

/* Not in clang's list: CUDA's C++ overloads for float, and mixed integer min and max. */
static inline __host__ __device__ float rsqrt(float x) { return rsqrtf(x); }
static inline __host__ __device__ float rcbrt(float x) { return rcbrtf(x); }
static inline __host__ __device__ float sinpi(float x) { return sinpif(x); }
static inline __host__ __device__ float cospi(float x) { return cospif(x); }
static inline __host__ __device__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
static inline __host__ __device__ float erfcinv(float x) { return erfcinvf(x); }
static inline __host__ __device__ float erfinv(float x) { return erfinvf(x); }
static inline __host__ __device__ float normcdfinv(float x) { return normcdfinvf(x); }
static inline __host__ __device__ float normcdf(float x) { return normcdff(x); }
static inline __host__ __device__ float erfcx(float x) { return erfcxf(x); }
static inline __host__ __device__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
static inline __host__ __device__ float exp10(float x) { return exp10f(x); }
static inline __host__ __device__ float j0(float x) { return j0f(x); }
static inline __host__ __device__ float j1(float x) { return j1f(x); }
static inline __host__ __device__ float jn(int n, float x) { return jnf(n, x); }
static inline __host__ __device__ float y0(float x) { return y0f(x); }
static inline __host__ __device__ float y1(float x) { return y1f(x); }
static inline __host__ __device__ float yn(int n, float x) { return ynf(n, x); }
static inline __device__ float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
static inline __device__ float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void free(void *ptr) __attribute__((nothrow));
__device__ void *malloc(size_t size) __attribute__((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                             size_t charSize) __attribute__((noreturn));
static __device__ inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
}
namespace std { /* the same functions, not new ones: <stdlib.h> takes them back with `using` */
using ::free;
using ::malloc;
}

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#include <__clang_cuda_cmath.h>
#include "math_overloads.h"

static __device__ __forceinline__ size_t __cvta_generic_to_shared(const void *p);
typedef unsigned cuuint32_t;
typedef __UINT64_TYPE__ cuuint64_t;
/* clang 19's atomic sums of float2 and float4 vanish where their result is not used: atomics.h has them. Its
 * __reduce_*_sync give the mask and the value in the wrong order. */
#define atomicAdd         gpukit_unused_sum
#define atomicAdd_block   gpukit_unused_sum_block
#define atomicAdd_system  gpukit_unused_sum_system
#define __reduce_add_sync gpukit_unused_reduce_add
#define __reduce_min_sync gpukit_unused_reduce_min
#define __reduce_max_sync gpukit_unused_reduce_max
#define __reduce_and_sync gpukit_unused_reduce_and
#define __reduce_or_sync  gpukit_unused_reduce_or
#define __reduce_xor_sync gpukit_unused_reduce_xor
#include <__clang_cuda_intrinsics.h>
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync

#define GPUKIT_REDUCE(name, type, op)                                                              \
    static __device__ __forceinline__ type name(unsigned mask, type value)                         \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));      \
        return result;                                                                             \
    }
GPUKIT_REDUCE(__reduce_add_sync, unsigned, "add.u32")
GPUKIT_REDUCE(__reduce_add_sync, int, "add.s32")
GPUKIT_REDUCE(__reduce_min_sync, unsigned, "min.u32")
GPUKIT_REDUCE(__reduce_min_sync, int, "min.s32")
GPUKIT_REDUCE(__reduce_max_sync, unsigned, "max.u32")
GPUKIT_REDUCE(__reduce_max_sync, int, "max.s32")
GPUKIT_REDUCE(__reduce_and_sync, unsigned, "and.b32")
GPUKIT_REDUCE(__reduce_or_sync, unsigned, "or.b32")
GPUKIT_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef GPUKIT_REDUCE

#include <__clang_cuda_complex_builtins.h>

#include "min_max.h"

#include "warp.h"

#include "nv_atomic.h"

#include "../driver_types.h"

#include "texture.h"

namespace gpukit {
/* __cluster_dims__, as source/launches.c writes it. */
template <int SizeX, int SizeY = 1, int SizeZ = 1> static __device__ __forceinline__ void cluster_dims()
{
#ifdef __CUDA_ARCH__
    static_assert(__CUDA_ARCH__ >= 900 || SizeX < 0, "__cluster_dims__ needs sm_90: give -arch=sm_90");
    asm volatile("//gpukit.cluster %0, %1, %2" ::"n"(SizeX), "n"(SizeY), "n"(SizeZ));
#endif
}
}

/* A pure virtual call: the vtable of an abstract class names it. */
extern "C" inline __device__ void __cxa_pure_virtual() { __trap(); }

extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                void *stream = 0);
#endif

#endif
