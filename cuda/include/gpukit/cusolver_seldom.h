/* SPDX-License-Identifier: Apache-2.0
 * The rest of cuSOLVER's functions, version 13, as its reference documents them: few programs call them. What the
 * library does not have of them it refuses by name. Part of cusolverDn.h. */
#ifndef GPUKIT_CUSOLVER_SELDOM_H
#define GPUKIT_CUSOLVER_SELDOM_H

typedef enum { CUSOLVER_DETERMINISTIC_RESULTS = 1, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS = 2 } cusolverDeterministicMode_t;
typedef enum { CUBLAS_DIRECT_FORWARD = 0, CUBLAS_DIRECT_BACKWARD = 1 } cusolverDirectMode_t;
typedef enum { CUSOLVER_DEFAULT_MATH = 1, CUSOLVER_FP32_EMULATED_BF16X9_MATH = 2 } cusolverMathMode_t;
typedef enum { CUBLAS_STOREV_COLUMNWISE = 0, CUBLAS_STOREV_ROWWISE = 1 } cusolverStorevMode_t;
typedef int cusolver_int_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;

typedef void (*cusolverDnLoggerCallback_t)(int logLevel, const char *functionName, const char *message);

#define GPUKIT_SELDOM(prefix, number, real) \
    cusolverStatus_t cusolverDn##prefix##gebrd(cusolverDnHandle_t, int, int, number *, int, real *, real *, \
        number *, number *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##gebrd_bufferSize(cusolverDnHandle_t, int, int, int *); \
    cusolverStatus_t cusolverDn##prefix##laswp(cusolverDnHandle_t, int, number *, int, int, int, const int *, int); \
    cusolverStatus_t cusolverDn##prefix##lauum(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, number *, \
        int, int *); \
    cusolverStatus_t cusolverDn##prefix##lauum_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, \
        int *); \
    cusolverStatus_t cusolverDn##prefix##sytrf(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, int *, \
        number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##sytrf_bufferSize(cusolverDnHandle_t, int, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##sytri(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, \
        const int *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##sytri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, \
        const int *, int *)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
GPUKIT_SELDOM(C, cuComplex, float);
GPUKIT_SELDOM(Z, cuDoubleComplex, double);
#undef GPUKIT_SELDOM

#define GPUKIT_SELDOM(prefix, number, real) \
    cusolverStatus_t cusolverDn##prefix##hetrd(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, real *, \
        real *, number *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##hetrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const number *, \
        int, const real *, const real *, const number *, int *); \
    cusolverStatus_t cusolverDn##prefix##ungbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int, number *, int, \
        const number *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##ungbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int, int, int, \
        const number *, int, const number *, int *); \
    cusolverStatus_t cusolverDn##prefix##ungtr(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, \
        const number *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##ungtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const number *, \
        int, const number *, int *); \
    cusolverStatus_t cusolverDn##prefix##unmtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, \
        cublasOperation_t, int, int, number *, int, number *, number *, int, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##unmtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, \
        cublasOperation_t, int, int, const number *, int, const number *, const number *, int, int *)
GPUKIT_SELDOM(C, cuComplex, float);
GPUKIT_SELDOM(Z, cuDoubleComplex, double);
#undef GPUKIT_SELDOM

#define GPUKIT_SELDOM(prefix, number, real) \
    cusolverStatus_t cusolverDn##prefix##orgbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int, number *, int, \
        const number *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##orgbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int, int, int, \
        const number *, int, const number *, int *); \
    cusolverStatus_t cusolverDn##prefix##orgtr(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, \
        const number *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##orgtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const number *, \
        int, const number *, int *); \
    cusolverStatus_t cusolverDn##prefix##ormtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, \
        cublasOperation_t, int, int, number *, int, number *, number *, int, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##ormtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, \
        cublasOperation_t, int, int, const number *, int, const number *, const number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##sytrd(cusolverDnHandle_t, cublasFillMode_t, int, number *, int, number *, \
        number *, number *, number *, int, int *); \
    cusolverStatus_t cusolverDn##prefix##sytrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const number *, \
        int, const number *, const number *, const number *, int *)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
#undef GPUKIT_SELDOM

cusolverStatus_t cusolverDnCCgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCCgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnCCgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *, cusolver_int_t,
    cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCCgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnCEgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCEgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnCEgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *, cusolver_int_t,
    cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCEgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnCKgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCKgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnCKgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *, cusolver_int_t,
    cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCKgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnCYgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCYgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnCYgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *, cusolver_int_t,
    cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnCYgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuComplex *,
    cusolver_int_t, cusolver_int_t *, cuComplex *, cusolver_int_t, cuComplex *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDBgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDBgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDBgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *, cusolver_int_t,
    cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDBgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDDgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDDgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDDgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *, cusolver_int_t,
    cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDDgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDHgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDHgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDHgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *, cusolver_int_t,
    cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDHgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDSgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDSgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDSgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *, cusolver_int_t,
    cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDSgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDXgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDXgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    double *, cusolver_int_t, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnDXgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *, cusolver_int_t,
    cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnDXgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, double *,
    cusolver_int_t, cusolver_int_t *, double *, cusolver_int_t, double *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t, cusolverDeterministicMode_t *);
cusolverStatus_t cusolverDnGetEmulationStrategy(cusolverDnHandle_t, cudaEmulationStrategy_t *);
cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t, cusolverMathMode_t *);
cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *);
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t);
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t, void **);
cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t);
cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *);
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t);
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t);
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t);
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t, cusolver_int_t);
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t, cusolver_int_t);
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t, cusolverIRSRefinement_t);
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t, cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t, cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t, cusolverPrecType_t,
    cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t, double);
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t, double);
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolverDnIRSInfos_t, cusolver_int_t,
    cusolver_int_t, cusolver_int_t, void *, cusolver_int_t, void *, cusolver_int_t, void *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolver_int_t,
    cusolver_int_t, cusolver_int_t, size_t *);
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolverDnIRSInfos_t, cusolver_int_t,
    cusolver_int_t, void *, cusolver_int_t, void *, cusolver_int_t, void *, cusolver_int_t, void *, size_t,
    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolver_int_t,
    cusolver_int_t, size_t *);
cusolverStatus_t cusolverDnLoggerForceDisable(void);
cusolverStatus_t cusolverDnLoggerOpenFile(const char *);
cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t);
cusolverStatus_t cusolverDnLoggerSetFile(FILE *);
cusolverStatus_t cusolverDnLoggerSetLevel(int);
cusolverStatus_t cusolverDnLoggerSetMask(int);
cusolverStatus_t cusolverDnSBgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSBgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSBgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSBgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSHgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSHgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSHgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSHgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSSgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSSgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSSgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSSgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSXgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSXgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    float *, cusolver_int_t, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSXgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *, cusolver_int_t,
    cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t, cusolver_int_t *,
    cusolver_int_t *);
cusolverStatus_t cusolverDnSXgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, float *,
    cusolver_int_t, cusolver_int_t *, float *, cusolver_int_t, float *, cusolver_int_t, void *, size_t *);
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t, cusolverDeterministicMode_t);
cusolverStatus_t cusolverDnSetEmulationStrategy(cusolverDnHandle_t, cudaEmulationStrategy_t);
cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t, cusolverMathMode_t);
cusolverStatus_t cusolverDnXlarft(cusolverDnHandle_t, cusolverDnParams_t, cusolverDirectMode_t,
    cusolverStorevMode_t, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *,
    cudaDataType, void *, int64_t, cudaDataType, void *, size_t, void *, size_t);
cusolverStatus_t cusolverDnXlarft_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverDirectMode_t,
    cusolverStorevMode_t, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *,
    cudaDataType, void *, int64_t, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXsytrs(cusolverDnHandle_t, cublasFillMode_t, int64_t, int64_t, cudaDataType,
    const void *, int64_t, const int64_t *, cudaDataType, void *, int64_t, void *, size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXsytrs_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int64_t, int64_t, cudaDataType,
    const void *, int64_t, const int64_t *, cudaDataType, void *, int64_t, size_t *, size_t *);
cusolverStatus_t cusolverDnZCgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZCgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZCgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZCgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZEgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZEgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZEgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZEgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZKgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZKgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZKgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZKgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZYgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZYgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZYgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZYgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZZgels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZZgels_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t,
    cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
cusolverStatus_t cusolverDnZZgesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnZZgesv_bufferSize(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cuDoubleComplex *,
    cusolver_int_t, cusolver_int_t *, cuDoubleComplex *, cusolver_int_t, cuDoubleComplex *, cusolver_int_t, void *,
    size_t *);
#endif
