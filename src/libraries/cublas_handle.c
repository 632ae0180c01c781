/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: handles, modes, copies of vectors and matrices, and what every routine shares:
 * scalars, checked places in device memory, submission. */
#include "libraries/cublas.h"

#include "base/arena.h"

#include <stdlib.h>

#ifndef CUDA_MAJOR
#define CUDA_MAJOR 13
#endif

#define KNOWN(handle)                                                                              \
    do {                                                                                           \
        if (!handle_known(handle))                                                                 \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
    } while (0)

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    INVALID_IF(!handle);
    int error = lib_begin("cuBLAS");
    if (error)
        return status_of(error);
    if (!blas_open("cuBLAS"))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = xcalloc(1, sizeof **handle);
    (*handle)->magic = HANDLE_MAGIC;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    KNOWN(handle);
    handle->magic = 0;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle;
    INVALID_IF(!version);
    *version = CUDA_MAJOR * 10000;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    INVALID_IF(!value || (unsigned)type > PATCH_LEVEL);
    *value = type == MAJOR_VERSION ? CUDA_MAJOR : 0;
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void)
{
    return CUDA_MAJOR * 1000;
}

/* Nothing here needs device memory for itself. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes)
{
    KNOWN(handle);
    INVALID_IF((uintptr_t)workspace % 256 || (!workspace && bytes));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    KNOWN(handle);
    INVALID_IF(!rt_stream(stream, false));
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream)
{
    KNOWN(handle);
    INVALID_IF(!stream);
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}

#define MODE(name, type, field, wrong)                                                             \
    cublasStatus_t cublasSet##name(cublasHandle_t handle, type value)                              \
    {                                                                                              \
        KNOWN(handle);                                                                             \
        INVALID_IF(wrong);                                                                         \
        handle->field = value;                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasGet##name(cublasHandle_t handle, type *value)                             \
    {                                                                                              \
        KNOWN(handle);                                                                             \
        INVALID_IF(!value);                                                                        \
        *value = handle->field;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
MODE(PointerMode_v2, cublasPointerMode_t, pointer_mode, (unsigned)value > 1)
MODE(AtomicsMode, cublasAtomicsMode_t, atomics, (unsigned)value > 1)
/* All products are at least as exact as the mode asks for. */
MODE(MathMode, cublasMath_t, math, ((unsigned)value & 15) > 8 || (unsigned)value > 31)
MODE(SmCountTarget, int, sm_count, value < 0)

const char *cublasGetStatusName(cublasStatus_t status)
{
    return status_name(status);
}
const char *cublasGetStatusString(cublasStatus_t status)
{
    return status_text(status);
}

static cublasLogCallback log_callback; /* nothing is logged */
cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file)
{
    (void)on, (void)to_stdout, (void)to_stderr, (void)file;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback)
{
    log_callback = callback;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback)
{
    INVALID_IF(!callback);
    *callback = log_callback;
    return CUBLAS_STATUS_SUCCESS;
}

/* --- copies between host and device -------------------------------------------------------- */

static cublasStatus_t copy_matrix(int64_t rows, int64_t cols, int size, const void *from,
                                  int64_t from_ld, void *to, int64_t to_ld, void *stream, bool wait)
{
    int error = lib_begin("cuBLAS");
    if (error)
        return status_of(error);
    INVALID_IF(rows < 0 || cols < 0 || size <= 0 || from_ld < rows || to_ld < rows ||
               from_ld <= 0 || to_ld <= 0);
    if (!rows || !cols)
        return CUBLAS_STATUS_SUCCESS;
    size_t bytes = (size_t)size;
    const DevCopy copy = {.dst = to,
                          .src = from,
                          .dst_pitch = (size_t)to_ld * bytes,
                          .src_pitch = (size_t)from_ld * bytes,
                          .width = (size_t)rows * bytes,
                          .height = (size_t)cols,
                          .depth = 1};
    RtStream *own = rt_stream(stream, false);
    INVALID_IF(!own);
    return rt_copy(&copy, own, wait) ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t copy_vector(int64_t n, int size, const void *from, int64_t incx, void *to,
                                  int64_t incy, void *stream, bool wait)
{
    INVALID_IF(incx <= 0 || incy <= 0);
    return incx == 1 && incy == 1
               ? copy_matrix(n, 1, size, from, n ? n : 1, to, n ? n : 1, stream, wait)
               : copy_matrix(1, n, size, from, incx, to, incy, stream, wait);
}

#define COPIES(direction)                                                                          \
    cublasStatus_t cublas##direction##Vector(int n, int size, const void *x, int incx, void *y,    \
                                             int incy)                                             \
    {                                                                                              \
        return copy_vector(n, size, x, incx, y, incy, NULL, true);                                 \
    }                                                                                              \
    cublasStatus_t cublas##direction##VectorAsync(int n, int size, const void *x, int incx,        \
                                                  void *y, int incy, cudaStream_t stream)          \
    {                                                                                              \
        return copy_vector(n, size, x, incx, y, incy, stream, false);                              \
    }                                                                                              \
    cublasStatus_t cublas##direction##Matrix(int rows, int cols, int size, const void *A, int lda, \
                                             void *B, int ldb)                                     \
    {                                                                                              \
        return copy_matrix(rows, cols, size, A, lda, B, ldb, NULL, true);                          \
    }                                                                                              \
    cublasStatus_t cublas##direction##MatrixAsync(int rows, int cols, int size, const void *A,     \
                                                  int lda, void *B, int ldb, cudaStream_t stream)  \
    {                                                                                              \
        return copy_matrix(rows, cols, size, A, lda, B, ldb, stream, false);                       \
    }
COPIES(Set)
COPIES(Get)
