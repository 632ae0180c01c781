/* SPDX-License-Identifier: Apache-2.0
 * cuBLAS as CUDA 3 had it: no handle, letters for options, numbers and results by value, an error that waits
 * to be asked for. Made here of the functions with handles; one handle serves the whole program. Of level 2
 * and 3 it has what programs use (below); banded, packed and rank-2 forms are declared and refused. */
#ifndef GPUKIT_CUBLAS_H
#define GPUKIT_CUBLAS_H
#include "gpukit/letters_push.h"
#ifdef GPUKIT_CUBLAS_V2_H
#error "gpukit: cublas.h and cublas_v2.h give the same names to different functions; include one of them"
#endif

#include "cublas_api.h"
#include "cuda_runtime_api.h"

typedef cublasStatus_t cublasStatus;
struct gpukit_cublas_state {
    cublasHandle_t handle;
    cublasStatus_t status;
};
__attribute__((weak)) struct gpukit_cublas_state gpukit_cublas; /* one for all files */

#define GPUKIT_OLD static inline __attribute__((unused))
GPUKIT_OLD cublasHandle_t gpukit_cublas_handle(void)
{
    if (!gpukit_cublas.handle)
        gpukit_cublas.status = cublasCreate_v2(&gpukit_cublas.handle);
    return gpukit_cublas.handle;
}
GPUKIT_OLD cublasStatus cublasGetVersion(int *version)
{
    return cublasGetVersion_v2(gpukit_cublas_handle(), version);
}
GPUKIT_OLD cublasStatus cublasInit(void)
{
    return gpukit_cublas_handle() ? CUBLAS_STATUS_SUCCESS : gpukit_cublas.status;
}
GPUKIT_OLD cublasStatus cublasShutdown(void)
{
    cublasStatus_t status = gpukit_cublas.handle ? cublasDestroy_v2(gpukit_cublas.handle) : CUBLAS_STATUS_NOT_INITIALIZED;
    gpukit_cublas.handle = NULL;
    return status;
}
GPUKIT_OLD cublasStatus cublasGetError(void)
{
    cublasStatus_t status = gpukit_cublas.status;
    gpukit_cublas.status = CUBLAS_STATUS_SUCCESS;
    return status;
}
GPUKIT_OLD cublasStatus cublasAlloc(int n, int size, void **out)
{
    if (n <= 0 || size <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMalloc(out, (size_t)n * (size_t)size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
GPUKIT_OLD cublasStatus cublasFree(void *pointer)
{
    return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
GPUKIT_OLD cublasStatus cublasSetKernelStream(cudaStream_t stream)
{
    return cublasSetStream_v2(gpukit_cublas_handle(), stream);
}

GPUKIT_OLD void gpukit_cublas_keep(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        gpukit_cublas.status = status;
}
/* A letter that is none of these becomes a number that the library refuses. */
GPUKIT_OLD cublasOperation_t gpukit_cublas_op(char c)
{
    c |= 32;
    return c == 'n' ? CUBLAS_OP_N : c == 't' ? CUBLAS_OP_T : c == 'c' ? CUBLAS_OP_C : (cublasOperation_t)77;
}
GPUKIT_OLD cublasFillMode_t gpukit_cublas_fill(char c)
{
    c |= 32;
    return c == 'l' ? CUBLAS_FILL_MODE_LOWER : c == 'u' ? CUBLAS_FILL_MODE_UPPER : (cublasFillMode_t)77;
}
GPUKIT_OLD cublasSideMode_t gpukit_cublas_side(char c)
{
    c |= 32;
    return c == 'l' ? CUBLAS_SIDE_LEFT : c == 'r' ? CUBLAS_SIDE_RIGHT : (cublasSideMode_t)77;
}
GPUKIT_OLD cublasDiagType_t gpukit_cublas_diag(char c)
{
    c |= 32;
    return c == 'n' ? CUBLAS_DIAG_NON_UNIT : c == 'u' ? CUBLAS_DIAG_UNIT : (cublasDiagType_t)77;
}

#define GPUKIT_DO(name, ...)   gpukit_cublas_keep(cublas##name##_v2(gpukit_cublas_handle(), __VA_ARGS__))
#define GPUKIT_OP(c)           gpukit_cublas_op(c)
#define GPUKIT_FILL(c)         gpukit_cublas_fill(c)
#define GPUKIT_SIDE(c)         gpukit_cublas_side(c)
#define GPUKIT_DIAG(c)         gpukit_cublas_diag(c)
/* For every type: L and l its letter, LN that of its norms, T and its real type R. */
#define GPUKIT_FOR_ALL(L, l, LN, T, R)                                                             \
    GPUKIT_OLD int cublasI##l##amax(int n, const T *x, int incx)                                   \
    {                                                                                              \
        int at = 0;                                                                                \
        GPUKIT_DO(I##l##amax, n, x, incx, &at);                                                    \
        return at;                                                                                 \
    }                                                                                              \
    GPUKIT_OLD int cublasI##l##amin(int n, const T *x, int incx)                                   \
    {                                                                                              \
        int at = 0;                                                                                \
        GPUKIT_DO(I##l##amin, n, x, incx, &at);                                                    \
        return at;                                                                                 \
    }                                                                                              \
    GPUKIT_OLD R cublas##LN##asum(int n, const T *x, int incx)                                     \
    {                                                                                              \
        R sum = 0;                                                                                 \
        GPUKIT_DO(LN##asum, n, x, incx, &sum);                                                     \
        return sum;                                                                                \
    }                                                                                              \
    GPUKIT_OLD R cublas##LN##nrm2(int n, const T *x, int incx)                                     \
    {                                                                                              \
        R norm = 0;                                                                                \
        GPUKIT_DO(LN##nrm2, n, x, incx, &norm);                                                    \
        return norm;                                                                               \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##axpy(int n, T alpha, const T *x, int incx, T *y, int incy)          \
    {                                                                                              \
        GPUKIT_DO(L##axpy, n, &alpha, x, incx, y, incy);                                           \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##copy(int n, const T *x, int incx, T *y, int incy)                   \
    {                                                                                              \
        GPUKIT_DO(L##copy, n, x, incx, y, incy);                                                   \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##swap(int n, T *x, int incx, T *y, int incy)                         \
    {                                                                                              \
        GPUKIT_DO(L##swap, n, x, incx, y, incy);                                                   \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##scal(int n, T alpha, T *x, int incx)                                \
    {                                                                                              \
        GPUKIT_DO(L##scal, n, &alpha, x, incx);                                                    \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx,       \
                                    T beta, T *y, int incy)                                        \
    {                                                                                              \
        GPUKIT_DO(L##gemv, GPUKIT_OP(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy);       \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##trmv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx)       \
    {                                                                                              \
        GPUKIT_DO(L##trmv, GPUKIT_FILL(uplo), GPUKIT_OP(trans), GPUKIT_DIAG(diag), n, A, lda, x, incx);                 \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##trsv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx)       \
    {                                                                                              \
        GPUKIT_DO(L##trsv, GPUKIT_FILL(uplo), GPUKIT_OP(trans), GPUKIT_DIAG(diag), n, A, lda, x, incx);                 \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda,        \
                                    const T *B, int ldb, T beta, T *C, int ldc)                    \
    {                                                                                              \
        GPUKIT_DO(L##gemm, GPUKIT_OP(transa), GPUKIT_OP(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);       \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B,       \
                                    int ldb, T beta, T *C, int ldc)                                \
    {                                                                                              \
        GPUKIT_DO(L##symm, GPUKIT_SIDE(side), GPUKIT_FILL(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc);          \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, T beta, T *C,    \
                                    int ldc)                                                       \
    {                                                                                              \
        GPUKIT_DO(L##syrk, GPUKIT_FILL(uplo), GPUKIT_OP(trans), n, k, &alpha, A, lda, &beta, C, ldc);                   \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##syr2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B,     \
                                     int ldb, T beta, T *C, int ldc)                               \
    {                                                                                              \
        GPUKIT_DO(L##syr2k, GPUKIT_FILL(uplo), GPUKIT_OP(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);          \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##trmm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *A,     \
                                    int lda, T *B, int ldb)                                        \
    {                                                                                              \
        GPUKIT_DO(L##trmm, GPUKIT_SIDE(side), GPUKIT_FILL(uplo), GPUKIT_OP(trans), GPUKIT_DIAG(diag), m, n, &alpha, A,  \
                  lda, B, ldb, B, ldb);                                                            \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *A,     \
                                    int lda, T *B, int ldb)                                        \
    {                                                                                              \
        GPUKIT_DO(L##trsm, GPUKIT_SIDE(side), GPUKIT_FILL(uplo), GPUKIT_OP(trans), GPUKIT_DIAG(diag), m, n, &alpha, A,  \
                  lda, B, ldb);                                                                    \
    }
#define GPUKIT_DOT(L, name, T)                                                                     \
    GPUKIT_OLD T cublas##L##name(int n, const T *x, int incx, const T *y, int incy)                \
    {                                                                                              \
        T sum;                                                                                     \
        __builtin_memset(&sum, 0, sizeof sum);                                                     \
        GPUKIT_DO(L##name, n, x, incx, y, incy, &sum);                                             \
        return sum;                                                                                \
    }
#define GPUKIT_GER(L, name, T)                                                                     \
    GPUKIT_OLD void cublas##L##name(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda)   \
    {                                                                                              \
        GPUKIT_DO(L##name, m, n, &alpha, x, incx, y, incy, A, lda);                                \
    }
#define GPUKIT_REAL(L, T)                                                                          \
    GPUKIT_DOT(L, dot, T)                                                                          \
    GPUKIT_GER(L, ger, T)                                                                          \
    GPUKIT_OLD void cublas##L##rot(int n, T *x, int incx, T *y, int incy, T c, T s)                \
    {                                                                                              \
        GPUKIT_DO(L##rot, n, x, incx, y, incy, &c, &s);                                            \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##symv(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y, \
                                    int incy)                                                      \
    {                                                                                              \
        GPUKIT_DO(L##symv, GPUKIT_FILL(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy);         \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##syr(char uplo, int n, T alpha, const T *x, int incx, T *A, int lda) \
    {                                                                                              \
        GPUKIT_DO(L##syr, GPUKIT_FILL(uplo), n, &alpha, x, incx, A, lda);                          \
    }
#define GPUKIT_COMPLEX(L, T, R)                                                                    \
    GPUKIT_DOT(L, dotu, T)                                                                         \
    GPUKIT_DOT(L, dotc, T)                                                                         \
    GPUKIT_GER(L, geru, T)                                                                         \
    GPUKIT_GER(L, gerc, T)                                                                         \
    GPUKIT_OLD void cublas##L##hemm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B,       \
                                    int ldb, T beta, T *C, int ldc)                                \
    {                                                                                              \
        GPUKIT_DO(L##hemm, GPUKIT_SIDE(side), GPUKIT_FILL(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc);          \
    }                                                                                              \
    GPUKIT_OLD void cublas##L##herk(char uplo, char trans, int n, int k, R alpha, const T *A, int lda, R beta, T *C,    \
                                    int ldc)                                                       \
    {                                                                                              \
        GPUKIT_DO(L##herk, GPUKIT_FILL(uplo), GPUKIT_OP(trans), n, k, &alpha, A, lda, &beta, C, ldc);                   \
    }
GPUKIT_FOR_ALL(S, s, S, float, float)
GPUKIT_FOR_ALL(D, d, D, double, double)
GPUKIT_FOR_ALL(C, c, Sc, cuComplex, float)
GPUKIT_FOR_ALL(Z, z, Dz, cuDoubleComplex, double)
GPUKIT_REAL(S, float)
GPUKIT_REAL(D, double)
GPUKIT_COMPLEX(C, cuComplex, float)
GPUKIT_COMPLEX(Z, cuDoubleComplex, double)
#undef GPUKIT_OLD
#undef GPUKIT_DO
#undef GPUKIT_OP
#undef GPUKIT_FILL
#undef GPUKIT_SIDE
#undef GPUKIT_DIAG
#undef GPUKIT_FOR_ALL
#undef GPUKIT_DOT
#undef GPUKIT_GER
#undef GPUKIT_REAL
#undef GPUKIT_COMPLEX

#include "gpukit/cublas_old_seldom.h"

#include "gpukit/letters_pop.h"
#endif
