/* SPDX-License-Identifier: Apache-2.0
 *
 * What the routines of libcublas and libcublasLt share: statuses, scalars, checked places in device
 * memory, submission. */
#include "libraries/cublas.h"

#include <limits.h>
#include <string.h>

bool handle_known(cublasHandle_t handle)
{
    return handle && handle->magic == HANDLE_MAGIC;
}

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

const char *status_name(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == (int)status)
            return statuses[i].name;
    return "CUBLAS_STATUS_UNKNOWN";
}

const char *status_text(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == (int)status)
            return statuses[i].text;
    return "unknown status";
}

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
    if (!handle_known(handle))
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
    return status_of(lib_submit(rt_stream(handle->stream, false), &call->head, sizeof *call, wait));
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
                     lib_bytes((n - 1) * step + 1, blas_bytes(call->type)));
}

void *matrix(Call *call, const char *argument, const void *at, int64_t rows, int64_t cols,
             int64_t ld)
{
    if (rows <= 0 || cols <= 0)
        return NULL;
    return lib_reach(&call->head, argument, at,
                     lib_bytes((cols - 1) * ld + rows, blas_bytes(call->type)));
}

void *packed(Call *call, const char *argument, const void *at, int64_t n)
{
    if (n <= 0)
        return NULL;
    return lib_reach(&call->head, argument, at, lib_bytes(n * (n + 1) / 2, blas_bytes(call->type)));
}

bool gemm_set(Call *call, int type, const Gemm *g)
{
    if (!op_char(g->transa, type, &call->ta) || !op_char(g->transb, type, &call->tb) || g->m < 0 ||
        g->n < 0 || g->k < 0 || g->batch < 0 || !g->alpha || !g->beta)
        return false;
    if (g->lda < least(call->ta == 'N' ? g->m : g->k) ||
        g->ldb < least(call->tb == 'N' ? g->k : g->n) || g->ldc < least(g->m))
        return false;
    call->m = dim(call, g->m);
    call->n = dim(call, g->n);
    call->k = dim(call, g->k);
    call->lda = dim(call, g->lda);
    call->ldb = dim(call, g->ldb);
    call->ldc = dim(call, g->ldc);
    call->batch = dim(call, g->batch);
    call->stride_a = g->stride_a;
    call->stride_b = g->stride_b;
    call->stride_c = g->stride_c;
    call->strided = g->strided;
    call->a = g->a;
    call->b = g->b;
    call->c = (void *)(uintptr_t)g->c;
    return true;
}
