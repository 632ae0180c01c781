/* SPDX-License-Identifier: Apache-2.0
 * The rest of cuBLAS's functions, version 13, as its reference documents them: few programs call them. What the
 * library does not have of them it refuses by name. Part of cublas_v2.h. */
#ifndef GPUKIT_CUBLAS_SELDOM_H
#define GPUKIT_CUBLAS_SELDOM_H

typedef enum {
    CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
    CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
    CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;

#define GPUKIT_SELDOM(prefix, number, real) \
    cublasStatus_t cublas##prefix##gemmGroupedBatched(cublasHandle_t, const cublasOperation_t *, \
        const cublasOperation_t *, const int *, const int *, const int *, const number *, const number *const *, \
        const int *, const number *const *, const int *, const number *, number *const *, const int *, int, \
        const int *); \
    cublasStatus_t cublas##prefix##gemmGroupedBatched_64(cublasHandle_t, const cublasOperation_t *, \
        const cublasOperation_t *, const int64_t *, const int64_t *, const int64_t *, const number *, \
        const number *const *, const int64_t *, const number *const *, const int64_t *, const number *, \
        number *const *, const int64_t *, int64_t, const int64_t *)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
#undef GPUKIT_SELDOM

cublasStatus_t cublasCgemm3mBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuComplex *, const cuComplex *const *, int, const cuComplex *const *, int, const cuComplex *,
    cuComplex *const *, int, int);
cublasStatus_t cublasCgemm3mBatched_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t,
    int64_t, const cuComplex *, const cuComplex *const *, int64_t, const cuComplex *const *, int64_t,
    const cuComplex *, cuComplex *const *, int64_t, int64_t);
cublasStatus_t cublasCgemm3mEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuComplex *, const void *, cudaDataType, int, const void *, cudaDataType, int, const cuComplex *, void *,
    cudaDataType, int);
cublasStatus_t cublasCgemm3mEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const void *, cudaDataType, int64_t, const cuComplex *,
    void *, cudaDataType, int64_t);
cublasStatus_t cublasCgemm3mStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuComplex *, const cuComplex *, int, long long int, const cuComplex *, int, long long int,
    const cuComplex *, cuComplex *, int, long long int, int);
cublasStatus_t cublasCgemm3mStridedBatched_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t,
    int64_t, int64_t, const cuComplex *, const cuComplex *, int64_t, long long int, const cuComplex *, int64_t,
    long long int, const cuComplex *, cuComplex *, int64_t, long long int, int64_t);
cublasStatus_t cublasCgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const cuComplex *,
    const void *, cudaDataType, int, const void *, cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCgemmEx_64(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const void *, cudaDataType, int64_t, const cuComplex *,
    void *, cudaDataType, int64_t);
cublasStatus_t cublasCherk3mEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const void *, cudaDataType, int, const float *, void *, cudaDataType, int);
cublasStatus_t cublasCherk3mEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const void *, cudaDataType, int64_t, const float *, void *, cudaDataType, int64_t);
cublasStatus_t cublasCherkEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *,
    const void *, cudaDataType, int, const float *, void *, cudaDataType, int);
cublasStatus_t cublasCherkEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const float *, const void *, cudaDataType, int64_t, const float *, void *, cudaDataType, int64_t);
cublasStatus_t cublasCopyEx(cublasHandle_t, int, const void *, cudaDataType, int, void *, cudaDataType, int);
cublasStatus_t cublasCopyEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, void *, cudaDataType,
    int64_t);
cublasStatus_t cublasCsyrk3mEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const void *, cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCsyrk3mEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const cuComplex *, void *, cudaDataType, int64_t);
cublasStatus_t cublasCsyrkEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *,
    const void *, cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCsyrkEx_64(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t,
    const cuComplex *, const void *, cudaDataType, int64_t, const cuComplex *, void *, cudaDataType, int64_t);
cublasStatus_t cublasGemmGroupedBatchedEx(cublasHandle_t, const cublasOperation_t *, const cublasOperation_t *,
    const int *, const int *, const int *, const void *, const void *const *, cudaDataType_t, const int *,
    const void *const *, cudaDataType_t, const int *, const void *, void *const *, cudaDataType_t, const int *, int,
    const int *, cublasComputeType_t);
cublasStatus_t cublasGemmGroupedBatchedEx_64(cublasHandle_t, const cublasOperation_t *, const cublasOperation_t *,
    const int64_t *, const int64_t *, const int64_t *, const void *, const void *const *, cudaDataType_t,
    const int64_t *, const void *const *, cudaDataType_t, const int64_t *, const void *, void *const *,
    cudaDataType_t, const int64_t *, int64_t, const int64_t *, cublasComputeType_t);
cublasStatus_t cublasGetEmulationSpecialValuesSupport(cublasHandle_t, cudaEmulationSpecialValuesSupport *);
cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t, cublasEmulationStrategy_t *);
cublasStatus_t cublasGetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t, int **);
cublasStatus_t cublasGetFixedPointEmulationMantissaBitOffset(cublasHandle_t, int *);
cublasStatus_t cublasGetFixedPointEmulationMantissaControl(cublasHandle_t, cudaEmulationMantissaControl *);
cublasStatus_t cublasGetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t, int *);
cublasStatus_t cublasGetMatrixAsync_64(int64_t, int64_t, int64_t, const void *, int64_t, void *, int64_t,
    cudaStream_t);
cublasStatus_t cublasGetMatrix_64(int64_t, int64_t, int64_t, const void *, int64_t, void *, int64_t);
cublasStatus_t cublasGetVectorAsync_64(int64_t, int64_t, const void *, int64_t, void *, int64_t, cudaStream_t);
cublasStatus_t cublasGetVector_64(int64_t, int64_t, const void *, int64_t, void *, int64_t);
cublasStatus_t cublasIamaxEx(cublasHandle_t, int, const void *, cudaDataType, int, int *);
cublasStatus_t cublasIamaxEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, int64_t *);
cublasStatus_t cublasIaminEx(cublasHandle_t, int, const void *, cudaDataType, int, int *);
cublasStatus_t cublasIaminEx_64(cublasHandle_t, int64_t, const void *, cudaDataType, int64_t, int64_t *);
cublasStatus_t cublasRotEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType, int, const void *,
    const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotEx_64(cublasHandle_t, int64_t, void *, cudaDataType, int64_t, void *, cudaDataType, int64_t,
    const void *, const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotgEx(cublasHandle_t, void *, void *, cudaDataType, void *, void *, cudaDataType,
    cudaDataType);
cublasStatus_t cublasRotmEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType, int, const void *,
    cudaDataType, cudaDataType);
cublasStatus_t cublasRotmEx_64(cublasHandle_t, int64_t, void *, cudaDataType, int64_t, void *, cudaDataType,
    int64_t, const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotmgEx(cublasHandle_t, void *, cudaDataType, void *, cudaDataType, void *, cudaDataType,
    const void *, cudaDataType, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasSetEmulationSpecialValuesSupport(cublasHandle_t, cudaEmulationSpecialValuesSupport);
cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t, cublasEmulationStrategy_t);
cublasStatus_t cublasSetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t, int *);
cublasStatus_t cublasSetFixedPointEmulationMantissaBitOffset(cublasHandle_t, int);
cublasStatus_t cublasSetFixedPointEmulationMantissaControl(cublasHandle_t, cudaEmulationMantissaControl);
cublasStatus_t cublasSetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t, int);
cublasStatus_t cublasSetMatrixAsync_64(int64_t, int64_t, int64_t, const void *, int64_t, void *, int64_t,
    cudaStream_t);
cublasStatus_t cublasSetMatrix_64(int64_t, int64_t, int64_t, const void *, int64_t, void *, int64_t);
cublasStatus_t cublasSetVectorAsync_64(int64_t, int64_t, const void *, int64_t, void *, int64_t, cudaStream_t);
cublasStatus_t cublasSetVector_64(int64_t, int64_t, const void *, int64_t, void *, int64_t);
cublasStatus_t cublasSwapEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType, int);
cublasStatus_t cublasSwapEx_64(cublasHandle_t, int64_t, void *, cudaDataType, int64_t, void *, cudaDataType,
    int64_t);
cublasStatus_t cublasUint8gemmBias(cublasHandle_t, cublasOperation_t, cublasOperation_t, cublasOperation_t, int,
    int, int, const unsigned char *, int, int, const unsigned char *, int, int, unsigned char *, int, int, int,
    int);
void cublasXerbla(const char *, int);

#ifdef __cplusplus
extern "C++" {
static inline cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle, cudaEmulationStrategy strategy)
{
    return cublasSetEmulationStrategy(handle, (cublasEmulationStrategy_t)strategy);
}
static inline cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle, cudaEmulationStrategy *strategy)
{
    return cublasGetEmulationStrategy(handle, (cublasEmulationStrategy_t *)(void *)strategy);
}
}
#endif
#endif
