/* SPDX-License-Identifier: Apache-2.0
 * 4-bit floating point: E2M1 (0, 0.5, 1, 1.5, 2, 3, 4, 6 and a sign). Conversions round to the nearest, ties to
 * even, or toward zero; what is larger becomes 6, and so does not-a-number. Two share a byte, the first in its low half. */
#ifndef GPUKIT_CUDA_FP4_H
#define GPUKIT_CUDA_FP4_H
#include "gpukit/letters_push.h"
#define __CUDA_FP4_H__ 1

#include "cuda_fp8.h"

#ifdef __cplusplus
#define __CUDA_FP4_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

GKT __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t, enum cudaRoundMode mode)
{
    if (x != x)
        return 7;
    return (__nv_fp4_storage_t)(gkt_round(x, 1, 1, 7, 7, gkt_cuts(mode)) | (gkt_negative(x) ? 8 : 0));
}
GKT float gpukit_fp4_to_float(unsigned x, __nv_fp4_interpretation_t)
{
    float r = gkt_size(x & 7, 1, 1);
    return x & 8 ? -r : r;
}
GPUKIT_TINY_FUNCTIONS(4, 4, GPUKIT_ARGUMENTS(__nv_fp4_interpretation_t k, enum cudaRoundMode r), k, r)
GPUKIT_TINY_SIGNED(4, e2m1, __NV_E2M1, 4, __NV_E2M1, cudaRoundNearest)
#endif

#include "gpukit/letters_pop.h"
#endif
