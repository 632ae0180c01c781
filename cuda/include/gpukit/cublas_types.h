/* SPDX-License-Identifier: Apache-2.0
 * Goes through cublas_calls.h for every element type and width of integers; GPUKIT_PROTO(prefix,
 * stem, version, width, parameters...) is what becomes of a row. No include guard. */
#ifndef GPUKIT_ROW
#define GPUKIT_ROW(prefix, stem, version, handler, params, names)                                  \
    GPUKIT_PROTO(prefix, stem, version, GK_SUFFIX, GPUKIT_OPEN params)
#endif
#define GK_T float
#define GK_R float
#define GK_L S
#define GK_INDEX Is
#define GK_NORM S
#define GK_COMPLEX 0
#include "gpukit/cublas_widths.h"
#define GK_T double
#define GK_R double
#define GK_L D
#define GK_INDEX Id
#define GK_NORM D
#define GK_COMPLEX 0
#include "gpukit/cublas_widths.h"
#define GK_T cuComplex
#define GK_R float
#define GK_L C
#define GK_INDEX Ic
#define GK_NORM Sc
#define GK_MIXED Cs
#define GK_COMPLEX 1
#include "gpukit/cublas_widths.h"
#define GK_T cuDoubleComplex
#define GK_R double
#define GK_L Z
#define GK_INDEX Iz
#define GK_NORM Dz
#define GK_MIXED Zd
#define GK_COMPLEX 1
#include "gpukit/cublas_widths.h"
#undef GPUKIT_ROW
