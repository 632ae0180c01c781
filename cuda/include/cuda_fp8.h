/* SPDX-License-Identifier: Apache-2.0
 * 8-bit floating point: e4m3 (bias 7, no infinity, NaN 0x7f), e5m2 (bias 15, IEEE-like) and e8m0 (a power
 * of two, NaN 0xff), as types and conversion functions of the CUDA Math API reference. Conversions
 * to e4m3 and e5m2 round to nearest even, in integer and float arithmetic on host and device. */
#ifndef GPUKIT_CUDA_FP8_H
#define GPUKIT_CUDA_FP8_H
#include "gpukit/letters_push.h"
#define __CUDA_FP8_H__ 1

#include "gpukit/tiny_float.h"

#ifdef __cplusplus
#define __CUDA_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

GKT __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    unsigned sign = gkt_negative(x) ? 0x80 : 0;
    if (x != x)
        return kind == __NV_E4M3 ? (__nv_fp8_storage_t)(sign | 0x7f) : (__nv_fp8_storage_t)0x7f;
    bool finite = saturate == __NV_SATFINITE;
    return (__nv_fp8_storage_t)(sign | (kind == __NV_E4M3 ? gkt_round(x, 3, 7, 0x7e, finite ? 0x7e : 0x7f)
                                                          : gkt_round(x, 2, 15, 0x7b, finite ? 0x7b : 0x7c)));
}
GKT float gpukit_fp8_to_float(unsigned v, __nv_fp8_interpretation_t kind)
{
    int code = (int)(v & 0x7f);
    if (kind == __NV_E4M3 ? code == 0x7f : code > 0x7c)
        return __builtin_nanf("0x7fffff");
    float r = kind == __NV_E4M3 ? gkt_size(code, 3, 7) : code == 0x7c ? __builtin_inff() : gkt_size(code, 2, 15);
    return v & 0x80 ? -r : r;
}
GPUKIT_TINY_FUNCTIONS(8, 8, GPUKIT_ARGUMENTS(__nv_saturation_t s, __nv_fp8_interpretation_t m), s, m)

/* e8m0 is the exponent of a float. Rounding is cudaRoundZero, or cudaRoundPosInf for the magnitude;
 * cudaRoundPosInf takes what lies at most half way to 2^-126 as 2^-127. */
GKT __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t s, enum cudaRoundMode rounding)
{
    unsigned u;
    __builtin_memcpy(&u, &x, 4);
    u &= 0x7fffffff;
    if (u > 0x7f800000)
        return 0xff;
    unsigned e = u >> 23;
    if (rounding == cudaRoundPosInf && (u & 0x7fffff) && u > 0x400000)
        e++;
    return (__nv_fp8_storage_t)(e == 0xff && s == __NV_SATFINITE ? 0xfe : e);
}
GKT __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t s, enum cudaRoundMode rounding)
{
    return __nv_cvt_float_to_e8m0(gkt_odd(x), s, rounding);
}
GKT __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                    enum cudaRoundMode rounding)
{
    return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(x)), s, rounding);
}
GKT __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x)
{
    __nv_bfloat16_raw r;
    r.x = (unsigned short)(x == 0xff ? 0x7fff : x ? x << 7 : 0x40);
    return r;
}
GKT __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x)
{
    __nv_bfloat162_raw r;
    r.x = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x;
    r.y = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x;
    return r;
}

GPUKIT_TINY_PAIR(__nv_cvt_float2_to_e8m0x2, __nv_fp8x2_storage_t, float2, __nv_cvt_float_to_e8m0, float, GPUKIT_ARGUMENTS(__nv_saturation_t s, enum cudaRoundMode m), 8, s, m)
GPUKIT_TINY_PAIR(__nv_cvt_double2_to_e8m0x2, __nv_fp8x2_storage_t, double2, __nv_cvt_double_to_e8m0, double, GPUKIT_ARGUMENTS(__nv_saturation_t s, enum cudaRoundMode m), 8, s, m)
GPUKIT_TINY_PAIR(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_fp8x2_storage_t, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw, GPUKIT_ARGUMENTS(__nv_saturation_t s, enum cudaRoundMode m), 8, s, m)

GPUKIT_TINY_SIGNED(8, e4m3, __NV_E4M3, 8, __NV_SATFINITE, __NV_E4M3)
GPUKIT_TINY_SIGNED(8, e5m2, __NV_E5M2, 8, __NV_SATFINITE, __NV_E5M2)
struct gpukit_e8m0 {
    enum { distance = 8 };
    __host__ __device__ static unsigned from(float f)
    {
        return __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf);
    }
    __host__ __device__ static float value(unsigned x)
    {
        return __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x)));
    }
    __host__ __device__ static bool zero(unsigned) { return false; }
};
GPUKIT_TINY_CLASSES(8, e8m0)
#endif

#include "gpukit/letters_pop.h"
#endif
