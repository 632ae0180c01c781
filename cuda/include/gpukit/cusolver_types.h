/* SPDX-License-Identifier: Apache-2.0
 * Goes through cusolver_calls.h for every element type; GPUKIT_SOLVER(prefix, stem, handler, params,
 * names) is what becomes of a row. No include guard. */
#define GK_T float
#define GK_R float
#define GK_L S
#define GK_OR or
#define GK_SY sy
#define GK_CALL GPUKIT_SOLVER
#include "gpukit/cusolver_calls.h"
#undef GK_T
#undef GK_R
#undef GK_L
#undef GK_OR
#undef GK_SY
#define GK_T double
#define GK_R double
#define GK_L D
#define GK_OR or
#define GK_SY sy
#define GK_CALL GPUKIT_SOLVER
#include "gpukit/cusolver_calls.h"
#undef GK_T
#undef GK_R
#undef GK_L
#undef GK_OR
#undef GK_SY
#define GK_T cuComplex
#define GK_R float
#define GK_L C
#define GK_OR un
#define GK_SY he
#define GK_CALL GPUKIT_SOLVER
#include "gpukit/cusolver_calls.h"
#undef GK_T
#undef GK_R
#undef GK_L
#undef GK_OR
#undef GK_SY
#define GK_T cuDoubleComplex
#define GK_R double
#define GK_L Z
#define GK_OR un
#define GK_SY he
#define GK_CALL GPUKIT_SOLVER
#include "gpukit/cusolver_calls.h"
#undef GK_T
#undef GK_R
#undef GK_L
#undef GK_OR
#undef GK_SY
