/* SPDX-License-Identifier: Apache-2.0
 * cuSOLVER for sparse matrices, declared from its reference, version 13, so that programs with it compile: gpukit's
 * library refuses each call by name. cuSPARSE has triangular solves and incomplete factors. */
#ifndef GPUKIT_CUSOLVERSP_H
#define GPUKIT_CUSOLVERSP_H
#include "gpukit/letters_push.h"

#include "cusolver_common.h"
#include "cusparse.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;

#define GPUKIT_SELDOM(prefix, number, real) \
    cusolverStatus_t cusolverSp##prefix##csreigvsi(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, number, const number *, int, real, number *, number *); \
    cusolverStatus_t cusolverSp##prefix##csreigvsiHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, number, const number *, int, real, number *, number *); \
    cusolverStatus_t cusolverSp##prefix##csrlsqvqrHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, real, int *, number *, int *, real *); \
    cusolverStatus_t cusolverSp##prefix##csrlsvchol(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, real, int, number *, int *); \
    cusolverStatus_t cusolverSp##prefix##csrlsvcholHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, real, int, number *, int *); \
    cusolverStatus_t cusolverSp##prefix##csrlsvluHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, real, int, number *, int *); \
    cusolverStatus_t cusolverSp##prefix##csrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, real, int, number *, int *); \
    cusolverStatus_t cusolverSp##prefix##csrlsvqrHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, real, int, number *, int *); \
    cusolverStatus_t cusolverSp##prefix##csrqrBufferInfoBatched(cusolverSpHandle_t, int, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, int, csrqrInfo_t, size_t *, size_t *); \
    cusolverStatus_t cusolverSp##prefix##csrqrsvBatched(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, number *, int, csrqrInfo_t, void *); \
    cusolverStatus_t cusolverSp##prefix##csrzfdHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, int *, int *)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
GPUKIT_SELDOM(C, cuComplex, float);
GPUKIT_SELDOM(Z, cuDoubleComplex, double);
#undef GPUKIT_SELDOM

cusolverStatus_t cusolverSpCcsreigsHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, cuComplex, cuComplex, int *);
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *);
cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t *);
cusolverStatus_t cusolverSpDcsreigsHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, cuDoubleComplex, cuDoubleComplex, int *);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t, cudaStream_t *);
cusolverStatus_t cusolverSpScsreigsHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, cuComplex, cuComplex, int *);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t, cudaStream_t);
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, const int *, int *);
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, const int64_t *, int *);
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, int *, int *,
    const int *, const int *, int *, void *);
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const int *, const int *, const int *, const int *, size_t *);
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const int *, const int *, csrqrInfo_t);
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, int *);
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, int *);
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, int *);
cusolverStatus_t cusolverSpZcsreigsHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, cuDoubleComplex, cuDoubleComplex, int *);
#ifdef __cplusplus
}
#endif

#include "gpukit/letters_pop.h"
#endif
