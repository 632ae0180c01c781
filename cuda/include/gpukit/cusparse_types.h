/* SPDX-License-Identifier: Apache-2.0
 * Goes through cusparse_calls.h for every element type; GPUKIT_SPARSE(stem, handler, params, names) is what
 * becomes of a row. No include guard. */
#define GK_T float
#define GK_L S
#define GK_CALL GPUKIT_SPARSE
#include "gpukit/cusparse_calls.h"
#undef GK_T
#undef GK_L
#define GK_T double
#define GK_L D
#define GK_CALL GPUKIT_SPARSE
#include "gpukit/cusparse_calls.h"
#undef GK_T
#undef GK_L
#define GK_T cuComplex
#define GK_L C
#define GK_CALL GPUKIT_SPARSE
#include "gpukit/cusparse_calls.h"
#undef GK_T
#undef GK_L
#define GK_T cuDoubleComplex
#define GK_L Z
#define GK_CALL GPUKIT_SPARSE
#include "gpukit/cusparse_calls.h"
#undef GK_T
#undef GK_L
