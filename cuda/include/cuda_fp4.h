/* SPDX-License-Identifier: Apache-2.0
 * The 4-bit float E2M1 (0, 0.5, 1, 1.5, 2, 3, 4, 6 and a sign): conversions of single numbers and pairs, to
 * the nearest, ties to even, beyond 6 to 6, not-a-number to 6. The classes with operators are not here. */
#ifndef GPUKIT_CUDA_FP4_H
#define GPUKIT_CUDA_FP4_H

#include "cuda_fp16.h"

#if defined(__cplusplus)
typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

#define GPUKIT_FP4 static inline __host__ __device__
GPUKIT_FP4 __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t, enum cudaRoundMode)
{
    float size = x < 0 ? -x : x;
    /* Halfway points; at those of odd neighbours the upper one is even. */
    unsigned magnitude = size != size ? 7 : (size > 0.25f) + (size >= 0.75f) + (size > 1.25f) + (size >= 1.75f) +
                                                (size > 2.5f) + (size >= 3.5f) + (size > 5.0f);
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return (__nv_fp4_storage_t)(magnitude | (size != size ? 0 : bits >> 31 << 3));
}
GPUKIT_FP4 __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 x, __nv_fp4_interpretation_t kind, enum cudaRoundMode round)
{
    return (__nv_fp4x2_storage_t)(__nv_cvt_float_to_fp4(x.x, kind, round) | __nv_cvt_float_to_fp4(x.y, kind, round) << 4);
}
GPUKIT_FP4 __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x, __nv_fp4_interpretation_t kind, enum cudaRoundMode round)
{
    return __nv_cvt_float_to_fp4(__half2float(__half(x)), kind, round);
}
GPUKIT_FP4 __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(__half2_raw x, __nv_fp4_interpretation_t kind, enum cudaRoundMode round)
{
    return __nv_cvt_float2_to_fp4x2(__half22float2(__half2(x)), kind, round);
}
GPUKIT_FP4 __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t)
{
    /* The exponent's bias is 1 here, 15 there; 1 is 0.5, the only subnormal number. */
    unsigned magnitude = x & 7, half = magnitude == 0 ? 0 : magnitude == 1 ? 0x3800 : (magnitude << 9) + (14 << 10);
    __half_raw out;
    out.x = (unsigned short)(half | (x & 8) << 12);
    return out;
}
GPUKIT_FP4 __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x, __nv_fp4_interpretation_t kind)
{
    __half2_raw out;
    out.x = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x & 15), kind).x;
    out.y = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), kind).x;
    return out;
}
#undef GPUKIT_FP4
#endif
#endif
