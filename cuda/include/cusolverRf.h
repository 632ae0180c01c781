/* SPDX-License-Identifier: Apache-2.0
 * cuSOLVER's refactorization of sparse matrices, declared from its reference, version 13, so that programs with it
 * compile: gpukit's library refuses each call by name. */
#ifndef GPUKIT_CUSOLVERRF_H
#define GPUKIT_CUSOLVERRF_H
#include "gpukit/letters_push.h"

#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif
typedef struct cusolverRfCommon *cusolverRfHandle_t;
typedef enum { CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1 } cusolverRfResetValuesFastMode_t;
typedef enum { CUSOLVERRF_MATRIX_FORMAT_CSR = 0, CUSOLVERRF_MATRIX_FORMAT_CSC = 1 } cusolverRfMatrixFormat_t;
typedef enum {
    CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
    CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} cusolverRfUnitDiagonal_t;
typedef enum {
    CUSOLVERRF_FACTORIZATION_ALG0 = 0,
    CUSOLVERRF_FACTORIZATION_ALG1 = 1,
    CUSOLVERRF_FACTORIZATION_ALG2 = 2
} cusolverRfFactorization_t;
typedef enum {
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum { CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0, CUSOLVERRF_NUMERIC_BOOST_USED = 1 } cusolverRfNumericBoostReport_t;

cusolverStatus_t cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t, int *, int **, int **, double **);
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t);
cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t);
cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t);
cusolverStatus_t cusolverRfBatchResetValues(int, int, int, int *, int *, double **, int *, int *,
    cusolverRfHandle_t);
cusolverStatus_t cusolverRfBatchSetupHost(int, int, int, int *, int *, double **, int, int *, int *, double *, int,
    int *, int *, double *, int *, int *, cusolverRfHandle_t);
cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t, int *, int *, int, double *, int, double **, int);
cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t, int *);
cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t *);
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t);
cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t, int *, int **, int **, double **);
cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t, int *, int **, int **, double **, int *,
    int **, int **, double **);
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t, cusolverRfFactorization_t *, cusolverRfTriangularSolve_t *);
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t, cusolverRfMatrixFormat_t *,
    cusolverRfUnitDiagonal_t *);
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t, cusolverRfNumericBoostReport_t *);
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t, double *, double *);
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t, cusolverRfResetValuesFastMode_t *);
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t);
cusolverStatus_t cusolverRfResetValues(int, int, int *, int *, double *, int *, int *, cusolverRfHandle_t);
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t, cusolverRfFactorization_t, cusolverRfTriangularSolve_t);
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t, cusolverRfMatrixFormat_t, cusolverRfUnitDiagonal_t);
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t, double, double);
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t, cusolverRfResetValuesFastMode_t);
cusolverStatus_t cusolverRfSetupDevice(int, int, int *, int *, double *, int, int *, int *, double *, int, int *,
    int *, double *, int *, int *, cusolverRfHandle_t);
cusolverStatus_t cusolverRfSetupHost(int, int, int *, int *, double *, int, int *, int *, double *, int, int *,
    int *, double *, int *, int *, cusolverRfHandle_t);
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t, int *, int *, int, double *, int, double *, int);
#ifdef __cplusplus
}
#endif

#include "gpukit/letters_pop.h"
#endif
