/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: handles, modes, copies of vectors and matrices, and what every routine shares:
 * scalars, checked places in device memory, submission. */
#include "libraries/cublas.h"

#include "base/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifndef CUDA_MAJOR
#define CUDA_MAJOR 13
#endif

enum { MAGIC = 0x676b6262 };

cublasStatus_t status_of(int error)
{
    switch (error) {
    case RT_OK:
        return CUBLAS_STATUS_SUCCESS;
    case RT_INVALID_VALUE:
        return CUBLAS_STATUS_INVALID_VALUE;
    case RT_OUT_OF_MEMORY:
        return CUBLAS_STATUS_ALLOC_FAILED;
    case RT_NOT_INITIALIZED:
    case RT_DEINITIALIZED:
    case RT_NO_DEVICE:
        return CUBLAS_STATUS_NOT_INITIALIZED;
    case RT_NOT_SUPPORTED:
        return CUBLAS_STATUS_NOT_SUPPORTED;
    default:
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

static bool known(cublasHandle_t handle)
{
    return handle && handle->magic == MAGIC;
}

#define KNOWN(handle)                                                                              \
    do {                                                                                           \
        if (!known(handle))                                                                        \
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
    (*handle)->magic = MAGIC;
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

static const struct {
    int value;
    const char *name, *text;
} statuses[] = {
#define STATUS(name, text)                                                                         \
    {                                                                                              \
        CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name, text                                         \
    }
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the device lacks a feature that the function needs"),
    STATUS(MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(EXECUTION_FAILED, "the GPU program failed to execute"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(NOT_SUPPORTED, "the functionality requested is not supported"),
    STATUS(LICENSE_ERROR, "the functionality requested needs a license"),
};

const char *cublasGetStatusName(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == (int)status)
            return statuses[i].name;
    return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == (int)status)
            return statuses[i].text;
    return "unknown status";
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

/* --- what the routines share --------------------------------------------------------------- */

bool op_char(cublasOperation_t op, int type, char *out)
{
    *out = op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_C && blas_is_complex(type) ? 'C' : 'T';
    return (unsigned)op <= CUBLAS_OP_C;
}

bool fill_char(cublasFillMode_t fill, char *out)
{
    *out = fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
    return (unsigned)fill <= CUBLAS_FILL_MODE_UPPER;
}

bool diag_char(cublasDiagType_t diag, char *out)
{
    *out = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N';
    return (unsigned)diag <= CUBLAS_DIAG_UNIT;
}

bool side_char(cublasSideMode_t side, char *out)
{
    *out = side == CUBLAS_SIDE_RIGHT ? 'R' : 'L';
    return (unsigned)side <= CUBLAS_SIDE_RIGHT;
}

static void run_call(LibCall *head)
{
    Call *call = (Call *)head;
    call->run(call);
}

bool call_begin(Call *call, const Entry *entry, cublasHandle_t handle, void (*run)(Call *))
{
    if (!known(handle))
        return false;
    memset(call, 0, sizeof *call);
    call->head = (LibCall){.run = run_call, .name = entry->name};
    call->run = run;
    call->type = entry->type;
    call->wide = entry->wide;
    return true;
}

int dim(Call *call, int64_t value)
{
    if (value > INT_MAX || value < INT_MIN)
        call->too_large = true;
    return (int)value;
}

static cublasStatus_t submit(cublasHandle_t handle, Call *call, bool wait)
{
    if (call->too_large) {
        char text[96];
        snprintf(text, sizeof text, "%s_64 with a size of 2^31 or more", call->head.name);
        rt_refuse(text);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return status_of(
        lib_submit(rt_stream(handle->stream, false), &call->head, sizeof *call, wait));
}

cublasStatus_t call_submit(cublasHandle_t handle, Call *call)
{
    return submit(handle, call, false);
}

void scalar_set(cublasHandle_t handle, Scalar *scalar, const void *value, size_t bytes)
{
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        scalar->device = value;
    else
        memcpy(scalar->value, value, bytes);
}

const void *scalar_get(Call *call, const char *argument, const Scalar *scalar, size_t bytes)
{
    return scalar->device ? lib_reach(&call->head, argument, scalar->device, bytes) : scalar->value;
}

void *result_place(Call *call, size_t bytes)
{
    return call->host_result ? call->result : lib_reach(&call->head, "result", call->result, bytes);
}

/* A result for the host is there when the call returns. */
cublasStatus_t call_submit_result(cublasHandle_t handle, Call *call, void *result)
{
    call->result = result;
    call->host_result = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    return submit(handle, call, call->host_result);
}

void *vector(Call *call, const char *argument, const void *at, int64_t n, int inc)
{
    if (n <= 0)
        return NULL;
    int64_t step = inc < 0 ? -(int64_t)inc : inc;
    return lib_reach(&call->head, argument, at,
                     (size_t)((n - 1) * step + 1) * blas_bytes(call->type));
}

void *matrix(Call *call, const char *argument, const void *at, int64_t rows, int64_t cols,
             int64_t ld)
{
    if (rows <= 0 || cols <= 0)
        return NULL;
    return lib_reach(&call->head, argument, at,
                     (size_t)((cols - 1) * ld + rows) * blas_bytes(call->type));
}

void *packed(Call *call, const char *argument, const void *at, int64_t n)
{
    if (n <= 0)
        return NULL;
    return lib_reach(&call->head, argument, at, (size_t)(n * (n + 1) / 2) * blas_bytes(call->type));
}
