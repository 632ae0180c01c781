/* SPDX-License-Identifier: Apache-2.0
 * 6-bit floating point: E2M3 (bias 1, up to 7.5) and E3M2 (bias 3, up to 28), in the low bits of a byte.
 * Conversions round to the nearest, ties to even, or toward zero; what is larger becomes the largest, and so does
 * not-a-number. */
#ifndef GPUKIT_CUDA_FP6_H
#define GPUKIT_CUDA_FP6_H
#include "gpukit/letters_push.h"
#define __CUDA_FP6_H__ 1

#include "cuda_fp8.h"

#ifdef __cplusplus
#define __CUDA_FP6_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

GKT __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t kind, enum cudaRoundMode mode)
{
    if (x != x)
        return 0x1f;
    int bits = kind == __NV_E2M3 ? 3 : 2, bias = kind == __NV_E2M3 ? 1 : 3;
    unsigned size = gkt_round(x, bits, bias, 0x1f, 0x1f, gkt_cuts(mode));
    return (__nv_fp6_storage_t)(gkt_negative(x) ? size | 0x20 : size);
}
GKT float gpukit_fp6_to_float(unsigned x, __nv_fp6_interpretation_t kind)
{
    float r = kind == __NV_E2M3 ? gkt_size(x & 0x1f, 3, 1) : gkt_size(x & 0x1f, 2, 3);
    return x & 0x20 ? -r : r;
}
GPUKIT_TINY_FUNCTIONS(6, 8, GPUKIT_ARGUMENTS(__nv_fp6_interpretation_t k, enum cudaRoundMode r), k, r)
GPUKIT_TINY_SIGNED(6, e2m3, __NV_E2M3, 8, __NV_E2M3, cudaRoundNearest)
GPUKIT_TINY_SIGNED(6, e3m2, __NV_E3M2, 8, __NV_E3M2, cudaRoundNearest)
#endif

#include "gpukit/letters_pop.h"
#endif
