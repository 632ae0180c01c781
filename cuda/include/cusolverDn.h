/* SPDX-License-Identifier: Apache-2.0
 * cuSOLVER for dense matrices, for gpukit's libcusolver (on OpenBLAS' LAPACK). */
#ifndef GPUKIT_CUSOLVERDN_H
#define GPUKIT_CUSOLVERDN_H

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort);

#define GPUKIT_SOLVER_CAT_(letter, prefix, stem) cusolverDn##letter##prefix##stem
#define GPUKIT_SOLVER_CAT(letter, prefix, stem) GPUKIT_SOLVER_CAT_(letter, prefix, stem)
#ifndef GPUKIT_SOLVER
#define GPUKIT_SOLVER(prefix, stem, handler, params, names)                                        \
    cusolverStatus_t GPUKIT_SOLVER_CAT(GK_L, prefix, stem)(cusolverDnHandle_t handle,              \
                                                           GPUKIT_OPEN params);
#include "gpukit/cusolver_types.h"
#undef GPUKIT_SOLVER
#endif

#ifdef __cplusplus
}
#endif

#endif
