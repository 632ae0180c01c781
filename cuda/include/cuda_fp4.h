/* SPDX-License-Identifier: Apache-2.0
 * 4-bit floating point: E2M1 (0, 0.5, 1, 1.5, 2, 3, 4, 6 and a sign). Conversions round to the nearest, ties to
 * even; what is larger becomes 6, and so does not-a-number. Two share a byte, the first in its low half. */
#ifndef GPUKIT_CUDA_FP4_H
#define GPUKIT_CUDA_FP4_H
#define __CUDA_FP4_H__ 1

#include "cuda_fp8.h"

#ifdef __cplusplus
#define __CUDA_FP4_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

GKT __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t, enum cudaRoundMode)
{
    if (x != x)
        return 7;
    return (__nv_fp4_storage_t)(gkt_round(x, 1, 1, 7, 7) | (gkt_negative(x) ? 8 : 0));
}
GKT float gpukit_fp4_to_float(unsigned x, __nv_fp4_interpretation_t)
{
    float r = gkt_size(x & 7, 1, 1);
    return x & 8 ? -r : r;
}
GKT __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t k, enum cudaRoundMode r)
{
    return __nv_cvt_float_to_fp4(gkt_odd(x), k, r);
}
GKT __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x, __nv_fp4_interpretation_t k, enum cudaRoundMode r)
{
    return __nv_cvt_float_to_fp4(__half2float(__half(x)), k, r);
}
GKT __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw x, __nv_fp4_interpretation_t k, enum cudaRoundMode r)
{
    return __nv_cvt_float_to_fp4(__bfloat162float(__nv_bfloat16(x)), k, r);
}
GPUKIT_TINY_PAIR(__nv_cvt_float2_to_fp4x2, __nv_fp4x2_storage_t, float2, __nv_cvt_float_to_fp4, float, GPUKIT_ARGUMENTS(__nv_fp4_interpretation_t k, enum cudaRoundMode r), 4, k, r)
GPUKIT_TINY_PAIR(__nv_cvt_double2_to_fp4x2, __nv_fp4x2_storage_t, double2, __nv_cvt_double_to_fp4, double, GPUKIT_ARGUMENTS(__nv_fp4_interpretation_t k, enum cudaRoundMode r), 4, k, r)
GPUKIT_TINY_PAIR(__nv_cvt_halfraw2_to_fp4x2, __nv_fp4x2_storage_t, __half2_raw, __nv_cvt_halfraw_to_fp4, __half_raw, GPUKIT_ARGUMENTS(__nv_fp4_interpretation_t k, enum cudaRoundMode r), 4, k, r)
GPUKIT_TINY_PAIR(__nv_cvt_bfloat16raw2_to_fp4x2, __nv_fp4x2_storage_t, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp4, __nv_bfloat16_raw, GPUKIT_ARGUMENTS(__nv_fp4_interpretation_t k, enum cudaRoundMode r), 4, k, r)
GKT __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t k)
{
    return (__half_raw)__float2half(gpukit_fp4_to_float(x, k));
}
GKT __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x, __nv_fp4_interpretation_t k)
{
    __half2_raw h;
    h.x = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x & 15), k).x;
    h.y = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), k).x;
    return h;
}

struct gpukit_e2m1 {
    enum { distance = 4 };
    __host__ __device__ static unsigned from(float f) { return __nv_cvt_float_to_fp4(f, __NV_E2M1, cudaRoundNearest); }
    __host__ __device__ static float value(unsigned x) { return gpukit_fp4_to_float(x, __NV_E2M1); }
    __host__ __device__ static bool zero(unsigned x) { return (x & 0x7) == 0; }
};
GPUKIT_TINY(__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, __nv_fp4_storage_t, __nv_fp4x2_storage_t, __nv_fp4x4_storage_t, gpukit_e2m1)
#endif
#endif
