/* SPDX-License-Identifier: Apache-2.0
 * One element type of cublas_types.h with both widths of integers. No include guard. */
#define GK_INT int
#define GK_SUFFIX
#define GK_WIDE 0
#define GK_CALL GPUKIT_ROW
#include "gpukit/cublas_calls.h"
#undef GK_INT
#undef GK_SUFFIX
#undef GK_WIDE
#define GK_INT int64_t
#define GK_SUFFIX _64
#define GK_WIDE 1
#define GK_CALL GPUKIT_ROW
#include "gpukit/cublas_calls.h"
#undef GK_INT
#undef GK_SUFFIX
#undef GK_WIDE
#undef GK_T
#undef GK_R
#undef GK_L
#undef GK_INDEX
#undef GK_NORM
#undef GK_MIXED
#undef GK_COMPLEX
