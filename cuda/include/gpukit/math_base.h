/* SPDX-License-Identifier: Apache-2.0
 * Basis of the device math library (math_float.h, math_double.h): the exact operations it is made
 * of. Everything above it is built from fma, add, multiply, divide and square root rounded to
 * nearest, and integer operations, so that a result is the same, bit for bit, on any machine that
 * implements IEEE 754. The files compile as plain C as well; the tests hold them against MPFR.
 *
 * Contraction must be off in these files: a fused multiply-add stands only where it is written. */
#ifndef GPUKIT_MATH_BASE_H
#define GPUKIT_MATH_BASE_H

#ifdef __CUDA__
#define GKM inline __device__ __attribute__((nodebug))
#define GKC static __device__ __constant__ const
#define gk_fma(a, b, c)  __nvvm_fma_rn_d(a, b, c)
#define gk_fmaf(a, b, c) __nvvm_fma_rn_f(a, b, c)
#define gk_sqrt(a)       __nvvm_sqrt_rn_d(a)
#define gk_sqrtf(a)      __nvvm_sqrt_rn_f(a)
#define gk_div(a, b)     __nvvm_div_rn_d(a, b)
#define gk_divf(a, b)    __nvvm_div_rn_f(a, b)
#define gk_rint(a)       __builtin_rint(a)
#define gk_rintf(a)      __builtin_rintf(a)
#define gk_trunc(a)      __nvvm_trunc_d(a)
#define gk_truncf(a)     __nvvm_trunc_f(a)
#define gk_floor(a)      __nvvm_floor_d(a)
#define gk_umulhi64(a, b) __nvvm_mulhi_ull(a, b)
/* GK_CONVERSION stands in device.h. */
GK_CONVERSION(GKM, gk_d2ll, long long, double, "rzi.s64.f64", "l", "d")
GK_CONVERSION(GKM, gk_f2ll, long long, float, "rzi.s64.f32", "l", "f")
GK_CONVERSION(GKM, gk_d2i, int, double, "rzi.s32.f64", "r", "d")
GK_CONVERSION(GKM, gk_f2i, int, float, "rzi.s32.f32", "r", "f")
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#define GKM static inline __attribute__((unused))
#define GKC static const
#define gk_fma(a, b, c)  __builtin_fma(a, b, c)
#define gk_fmaf(a, b, c) __builtin_fmaf(a, b, c)
#define gk_sqrt(a)       __builtin_sqrt(a)
#define gk_sqrtf(a)      __builtin_sqrtf(a)
#define gk_div(a, b)     ((a) / (b))
#define gk_divf(a, b)    ((a) / (b))
#define gk_rint(a)       __builtin_rint(a)
#define gk_rintf(a)      __builtin_rintf(a)
#define gk_trunc(a)      __builtin_trunc(a)
#define gk_truncf(a)     __builtin_truncf(a)
#define gk_floor(a)      __builtin_floor(a)
__extension__ typedef unsigned __int128 GkUint128;
#define gk_umulhi64(a, b) ((unsigned long long)((GkUint128)(a) * (b) >> 64))
/* Conversions that saturate, and give 0 (32 bits) or the lowest value (64 bits) for NaN, as PTX. */
GKM long long gk_d2ll(double a)
{
    return a != a             ? (long long)(1ull << 63)
           : a >= 0x1p63      ? 0x7fffffffffffffffll
           : a < -0x1p63      ? (long long)(1ull << 63)
                              : (long long)a;
}
GKM long long gk_f2ll(float a) { return gk_d2ll(a); }
GKM int gk_d2i(double a)
{
    return a != a ? 0 : a >= 0x1p31 ? 0x7fffffff : a < -0x1p31 ? -0x7fffffff - 1 : (int)a;
}
GKM int gk_f2i(float a) { return gk_d2i(a); }
#endif

#define gk_fabs(a)  __builtin_fabs(a)
#define gk_fabsf(a) __builtin_fabsf(a)
#define GK_INF      __builtin_inf()
#define GK_INFF     __builtin_inff()
#define GK_NAN      __builtin_nan("")
#define GK_NANF     __builtin_nanf("")
#define GK_PI       0x1.921fb54442d18p+1
#define GK_PI_LO    0x1.1a62633145c07p-53
#define GK_PIO2     0x1.921fb54442d18p+0
#define GK_PIO2_LO  0x1.1a62633145c07p-54
#define GK_LN2      0x1.62e42fefa39efp-1

GKM unsigned long long gk_bits(double a)
{
    unsigned long long u;
    __builtin_memcpy(&u, &a, 8);
    return u;
}
GKM double gk_double(unsigned long long u)
{
    double a;
    __builtin_memcpy(&a, &u, 8);
    return a;
}
GKM unsigned gk_bitsf(float a)
{
    unsigned u;
    __builtin_memcpy(&u, &a, 4);
    return u;
}
GKM float gk_float(unsigned u)
{
    float a;
    __builtin_memcpy(&a, &u, 4);
    return a;
}
GKM double gk_copysign(double a, double b)
{
    return gk_double((gk_bits(a) & 0x7fffffffffffffffull) | (gk_bits(b) & 0x8000000000000000ull));
}
GKM float gk_copysignf(float a, float b)
{
    return gk_float((gk_bitsf(a) & 0x7fffffffu) | (gk_bitsf(b) & 0x80000000u));
}

#endif
