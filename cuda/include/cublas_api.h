/* SPDX-License-Identifier: Apache-2.0
 * cuBLAS for gpukit's libcublas (on OpenBLAS): types, numbers and prototypes. */
#ifndef GPUKIT_CUBLAS_API_H
#define GPUKIT_CUBLAS_API_H
#include "gpukit/letters_push.h"
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "library_types.h"

#include <stdint.h>
#include <stdio.h>

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

#ifdef __cplusplus
#define GPUKIT_HALF __half
#else
#define GPUKIT_HALF void /* C has no name for it */
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1 = 1, CUBLAS_GEMM_ALGO2 = 2, CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4, CUBLAS_GEMM_ALGO5 = 5, CUBLAS_GEMM_ALGO6 = 6, CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8, CUBLAS_GEMM_ALGO9 = 9, CUBLAS_GEMM_ALGO10 = 10, CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12, CUBLAS_GEMM_ALGO13 = 13, CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15, CUBLAS_GEMM_ALGO16 = 16, CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18, CUBLAS_GEMM_ALGO19 = 19, CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21, CUBLAS_GEMM_ALGO22 = 22, CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102, CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104, CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106, CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108, CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110, CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112, CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114, CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *message);

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *host, int incx, void *device,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *device, int incx, void *host,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *A, int lda, void *B,
                                    int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *A, int lda, void *B,
                                    int ldb, cudaStream_t stream);

/* The typed routines: S, D, C, Z, each with int and (name_64) int64_t. */
#define GPUKIT_CAT_(a, b, c, d) cublas##a##b##c##d
#define GPUKIT_CAT(a, b, c, d) GPUKIT_CAT_(a, b, c, d)
#define GPUKIT_OPEN(...) __VA_ARGS__
#define GPUKIT_PROTO(prefix, stem, version, width, ...)                                            \
    cublasStatus_t GPUKIT_CAT(prefix, stem, version, width)(cublasHandle_t handle, __VA_ARGS__);
#include "gpukit/cublas_types.h"
#undef GPUKIT_PROTO

/* Mixed types: element types as data, scalars in the type of the computation. */
#define GPUKIT_MIXED(INT, width)                                                                   \
    cublasStatus_t cublasGemmEx##width(cublasHandle_t handle, cublasOperation_t transa,            \
                                       cublasOperation_t transb, INT m, INT n, INT k,              \
                                       const void *alpha, const void *A, cudaDataType Atype,       \
                                       INT lda, const void *B, cudaDataType Btype, INT ldb,        \
                                       const void *beta, void *C, cudaDataType Ctype, INT ldc,     \
                                       cublasComputeType_t compute, cublasGemmAlgo_t algo);        \
    cublasStatus_t cublasGemmBatchedEx##width(                                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n,   \
        INT k, const void *alpha, const void *const Aarray[], cudaDataType Atype, INT lda,         \
        const void *const Barray[], cudaDataType Btype, INT ldb, const void *beta,                 \
        void *const Carray[], cudaDataType Ctype, INT ldc, INT batch, cublasComputeType_t compute, \
        cublasGemmAlgo_t algo);                                                                    \
    cublasStatus_t cublasGemmStridedBatchedEx##width(                                              \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n,   \
        INT k, const void *alpha, const void *A, cudaDataType Atype, INT lda, long long strideA,   \
        const void *B, cudaDataType Btype, INT ldb, long long strideB, const void *beta, void *C,  \
        cudaDataType Ctype, INT ldc, long long strideC, INT batch, cublasComputeType_t compute,    \
        cublasGemmAlgo_t algo);                                                                    \
    cublasStatus_t cublasSgemmEx##width(                                                           \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n,   \
        INT k, const float *alpha, const void *A, cudaDataType Atype, INT lda, const void *B,      \
        cudaDataType Btype, INT ldb, const float *beta, void *C, cudaDataType Ctype, INT ldc);     \
    cublasStatus_t cublasHgemm##width(cublasHandle_t handle, cublasOperation_t transa,             \
                                      cublasOperation_t transb, INT m, INT n, INT k,               \
                                      const GPUKIT_HALF *alpha, const GPUKIT_HALF *A, INT lda,               \
                                      const GPUKIT_HALF *B, INT ldb, const GPUKIT_HALF *beta, GPUKIT_HALF *C,     \
                                      INT ldc);                                                    \
    cublasStatus_t cublasHgemmBatched##width(                                                      \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n,   \
        INT k, const GPUKIT_HALF *alpha, const GPUKIT_HALF *const Aarray[], INT lda,                         \
        const GPUKIT_HALF *const Barray[], INT ldb, const GPUKIT_HALF *beta, GPUKIT_HALF *const Carray[],         \
        INT ldc, INT batch);                                                                       \
    cublasStatus_t cublasHgemmStridedBatched##width(                                               \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n,   \
        INT k, const GPUKIT_HALF *alpha, const GPUKIT_HALF *A, INT lda, long long strideA, const GPUKIT_HALF *B,  \
        INT ldb, long long strideB, const GPUKIT_HALF *beta, GPUKIT_HALF *C, INT ldc, long long strideC,     \
        INT batch);                                                                                \
    cublasStatus_t cublasNrm2Ex##width(cublasHandle_t handle, INT n, const void *x,                \
                                       cudaDataType xType, INT incx, void *result,                 \
                                       cudaDataType resultType, cudaDataType execution);           \
    cublasStatus_t cublasAsumEx##width(cublasHandle_t handle, INT n, const void *x,                \
                                       cudaDataType xType, INT incx, void *result,                 \
                                       cudaDataType resultType, cudaDataType execution);           \
    cublasStatus_t cublasAxpyEx##width(cublasHandle_t handle, INT n, const void *alpha,            \
                                       cudaDataType alphaType, const void *x, cudaDataType xType,  \
                                       INT incx, void *y, cudaDataType yType, INT incy,            \
                                       cudaDataType execution);                                    \
    cublasStatus_t cublasScalEx##width(cublasHandle_t handle, INT n, const void *alpha,            \
                                       cudaDataType alphaType, void *x, cudaDataType xType,        \
                                       INT incx, cudaDataType execution);                          \
    cublasStatus_t cublasDotEx##width(cublasHandle_t handle, INT n, const void *x,                 \
                                      cudaDataType xType, INT incx, const void *y,                 \
                                      cudaDataType yType, INT incy, void *result,                  \
                                      cudaDataType resultType, cudaDataType execution);            \
    cublasStatus_t cublasDotcEx##width(cublasHandle_t handle, INT n, const void *x,                \
                                       cudaDataType xType, INT incx, const void *y,                \
                                       cudaDataType yType, INT incy, void *result,                 \
                                       cudaDataType resultType, cudaDataType execution);
GPUKIT_MIXED(int, )
GPUKIT_MIXED(int64_t, _64)
#undef GPUKIT_MIXED
#include "gpukit/cublas_seldom.h"

#ifdef __cplusplus
}

/* The forms of CUDA 10, which name the computation by a data type. */
static inline cublasComputeType_t gpukit_cublas_compute(cudaDataType type)
{
    return type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
           : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
           : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
                                                      : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, const void *B, cudaDataType Btype, int ldb,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          cudaDataType compute, cublasGemmAlgo_t algo)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta,
                        C, Ctype, ldc, gpukit_cublas_compute(compute), algo);
}
static inline cublasStatus_t cublasGemmBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *const Aarray[], cudaDataType Atype, int lda,
    const void *const Barray[], cudaDataType Btype, int ldb, const void *beta,
    void *const Carray[], cudaDataType Ctype, int ldc, int batch, cudaDataType compute,
    cublasGemmAlgo_t algo)
{
    return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray,
                               Btype, ldb, beta, Carray, Ctype, ldc, batch,
                               gpukit_cublas_compute(compute), algo);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType Atype, int lda, long long strideA,
    const void *B, cudaDataType Btype, int ldb, long long strideB, const void *beta, void *C,
    cudaDataType Ctype, int ldc, long long strideC, int batch, cudaDataType compute,
    cublasGemmAlgo_t algo)
{
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda,
                                      strideA, B, Btype, ldb, strideB, beta, C, Ctype, ldc,
                                      strideC, batch, gpukit_cublas_compute(compute), algo);
}
#endif

#include "gpukit/letters_pop.h"
#endif
