/* SPDX-License-Identifier: Apache-2.0
 * cuSOLVER for dense matrices, for gpukit's libcusolver (on OpenBLAS' LAPACK). */
#ifndef GPUKIT_CUSOLVERDN_H
#define GPUKIT_CUSOLVERDN_H
#include "gpukit/letters_push.h"

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef enum {
    CUSOLVERDN_GETRF = 0,
    CUSOLVERDN_POTRF = 1,
    CUSOLVERDN_SYEVBATCHED = 2
} cusolverDnFunction_t;
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
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info, int *sweeps);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info, double *residual);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info, int *sweeps);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info, double *residual);

/* Sizes of 64 bits, types as arguments. */
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function, cusolverAlgMode_t algorithm);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type, const void *A, int64_t lda, cudaDataType typeB, void *B, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda, int64_t *pivots_out, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans, int64_t n, int64_t nrhs, cudaDataType type, const void *A, int64_t lda, const int64_t *pivots_in, cudaDataType typeB, void *B, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType typeTau, const void *tau, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType typeTau, void *tau, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, cudaDataType type, void *A, int64_t lda, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, cudaDataType type, void *A, int64_t lda, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType typeW, const void *W, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType typeW, void *W, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXsyevdx_bufferSize( cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType type, const void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig, cudaDataType typeW, const void *W, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig, cudaDataType typeW, void *W, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXgesvd_bufferSize( cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType typeS, const void *S, cudaDataType typeU, const void *U, int64_t ldu, cudaDataType typeVT, const void *VT, int64_t ldvt, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType typeS, void *S, cudaDataType typeU, void *U, int64_t ldu, cudaDataType typeVT, void *VT, int64_t ldvt, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXgesvdp_bufferSize( cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType typeS, const void *S, cudaDataType typeU, const void *U, int64_t ldu, cudaDataType typeV, const void *V, int64_t ldv, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType typeS, void *S, cudaDataType typeU, void *U, int64_t ldu, cudaDataType typeV, void *V, int64_t ldv, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info, double *h_err_sigma);
cusolverStatus_t cusolverDnXgesvdr_bufferSize( cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters, cudaDataType type, const void *A, int64_t lda, cudaDataType typeS, const void *S, cudaDataType typeU, const void *U, int64_t ldu, cudaDataType typeV, const void *V, int64_t ldv, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters, cudaDataType type, void *A, int64_t lda, cudaDataType typeS, void *S, cudaDataType typeU, void *U, int64_t ldu, cudaDataType typeV, void *V, int64_t ldv, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType typeW, const void *W, cudaDataType typeVL, const void *VL, int64_t ldvl, cudaDataType typeVR, const void *VR, int64_t ldvr, cudaDataType compute, size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType typeW, void *W, cudaDataType typeVL, void *VL, int64_t ldvl, cudaDataType typeVR, void *VR, int64_t ldvr, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType typeW, const void *W, cudaDataType compute, size_t *device_bytes, size_t *host_bytes, int64_t batch);
cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType typeW, void *W, cudaDataType compute, void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes, int *info, int64_t batch);

#define GPUKIT_SOLVER_CAT_(letter, prefix, stem) cusolverDn##letter##prefix##stem
#define GPUKIT_SOLVER_CAT(letter, prefix, stem) GPUKIT_SOLVER_CAT_(letter, prefix, stem)
#ifndef GPUKIT_SOLVER
#define GPUKIT_SOLVER(prefix, stem, handler, params, names)                                        \
    cusolverStatus_t GPUKIT_SOLVER_CAT(GK_L, prefix, stem)(cusolverDnHandle_t handle,              \
                                                           GPUKIT_OPEN params);
#include "gpukit/cusolver_types.h"
#undef GPUKIT_SOLVER
#endif

#include "gpukit/cusolver_seldom.h"

#ifdef __cplusplus
}
#endif

#include "gpukit/letters_pop.h"
#endif
