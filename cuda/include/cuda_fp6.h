/* SPDX-License-Identifier: Apache-2.0
 * 6-bit floating point: E2M3 (bias 1, up to 7.5) and E3M2 (bias 3, up to 28), in the low bits of a byte.
 * Conversions round to the nearest, ties to even; what is larger becomes the largest, and so does not-a-number. */
#ifndef GPUKIT_CUDA_FP6_H
#define GPUKIT_CUDA_FP6_H
#define __CUDA_FP6_H__ 1

#include "cuda_fp8.h"

#ifdef __cplusplus
#define __CUDA_FP6_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

GKT __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t kind, enum cudaRoundMode)
{
    if (x != x)
        return 0x1f;
    unsigned size = kind == __NV_E2M3 ? gkt_round(x, 3, 1, 0x1f, 0x1f) : gkt_round(x, 2, 3, 0x1f, 0x1f);
    return (__nv_fp6_storage_t)(gkt_negative(x) ? size | 0x20 : size);
}
GKT float gpukit_fp6_to_float(unsigned x, __nv_fp6_interpretation_t kind)
{
    float r = kind == __NV_E2M3 ? gkt_size(x & 0x1f, 3, 1) : gkt_size(x & 0x1f, 2, 3);
    return x & 0x20 ? -r : r;
}
GKT __nv_fp6_storage_t __nv_cvt_double_to_fp6(double x, __nv_fp6_interpretation_t k, enum cudaRoundMode r)
{
    return __nv_cvt_float_to_fp6(gkt_odd(x), k, r);
}
GKT __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw x, __nv_fp6_interpretation_t k, enum cudaRoundMode r)
{
    return __nv_cvt_float_to_fp6(__half2float(__half(x)), k, r);
}
GKT __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16_raw x, __nv_fp6_interpretation_t k, enum cudaRoundMode r)
{
    return __nv_cvt_float_to_fp6(__bfloat162float(__nv_bfloat16(x)), k, r);
}
GPUKIT_TINY_PAIR(__nv_cvt_float2_to_fp6x2, __nv_fp6x2_storage_t, float2, __nv_cvt_float_to_fp6, float, GPUKIT_ARGUMENTS(__nv_fp6_interpretation_t k, enum cudaRoundMode r), 8, k, r)
GPUKIT_TINY_PAIR(__nv_cvt_double2_to_fp6x2, __nv_fp6x2_storage_t, double2, __nv_cvt_double_to_fp6, double, GPUKIT_ARGUMENTS(__nv_fp6_interpretation_t k, enum cudaRoundMode r), 8, k, r)
GPUKIT_TINY_PAIR(__nv_cvt_halfraw2_to_fp6x2, __nv_fp6x2_storage_t, __half2_raw, __nv_cvt_halfraw_to_fp6, __half_raw, GPUKIT_ARGUMENTS(__nv_fp6_interpretation_t k, enum cudaRoundMode r), 8, k, r)
GPUKIT_TINY_PAIR(__nv_cvt_bfloat16raw2_to_fp6x2, __nv_fp6x2_storage_t, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp6, __nv_bfloat16_raw, GPUKIT_ARGUMENTS(__nv_fp6_interpretation_t k, enum cudaRoundMode r), 8, k, r)
GKT __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x, __nv_fp6_interpretation_t k)
{
    return (__half_raw)__float2half(gpukit_fp6_to_float(x, k));
}
GKT __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t x, __nv_fp6_interpretation_t k)
{
    __half2_raw h;
    h.x = __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x & 255), k).x;
    h.y = __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x >> 8), k).x;
    return h;
}

struct gpukit_e2m3 {
    enum { distance = 8 };
    __host__ __device__ static unsigned from(float f) { return __nv_cvt_float_to_fp6(f, __NV_E2M3, cudaRoundNearest); }
    __host__ __device__ static float value(unsigned x) { return gpukit_fp6_to_float(x, __NV_E2M3); }
    __host__ __device__ static bool zero(unsigned x) { return (x & 0x1f) == 0; }
};
GPUKIT_TINY(__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, gpukit_e2m3)
struct gpukit_e3m2 {
    enum { distance = 8 };
    __host__ __device__ static unsigned from(float f) { return __nv_cvt_float_to_fp6(f, __NV_E3M2, cudaRoundNearest); }
    __host__ __device__ static float value(unsigned x) { return gpukit_fp6_to_float(x, __NV_E3M2); }
    __host__ __device__ static bool zero(unsigned x) { return (x & 0x1f) == 0; }
};
GPUKIT_TINY(__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, gpukit_e3m2)
#endif
#endif
