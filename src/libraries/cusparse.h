/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of libcusparse share: descriptors, a piece of work, reading and writing of numbers and
 * indices, matrices of every format as entries. */
#ifndef GPUKIT_LIBRARIES_CUSPARSE_H
#define GPUKIT_LIBRARIES_CUSPARSE_H

#include "libraries/library.h"

#include <complex.h>
#include <cusparse.h>

typedef double complex Number;

struct cusparseContext {
    uint32_t magic;
    void *stream;
    cusparsePointerMode_t mode;
};
struct cusparseMatDescr {
    int type, fill, diag, base;
};
struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};
/* outer: offsets of rows (CSR), columns (CSC), block rows (BSR) or slices (sliced ELL), rows of entries (COO);
 * inner: the other index. nnz: numbers that are stored, in blocks and padding, too. */
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, cols, nnz;
    void *outer, *inner, *values;
    cusparseIndexType_t outer_index, inner_index;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    int batch;
    int64_t outer_stride, inner_stride, value_stride;
    int64_t block_rows,
        block_cols;        /* of a block (BSR, blocked ELL); rows of a slice (sliced ELL) */
    int64_t width;         /* blocked ELL: columns that are stored */
    int64_t told_nnz;      /* sliced ELL: without padding, for queries only */
    cusparseOrder_t order; /* in a block */
};
struct cusparseDnMatDescr {
    int64_t rows, cols, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int batch;
    int64_t stride;
};
typedef struct cusparseSpVecDescr SpVec;
typedef struct cusparseDnVecDescr DnVec;
typedef struct cusparseSpMatDescr SpMat;
typedef struct cusparseDnMatDescr DnMat;

/* A row-sorted matrix of ours. */
typedef struct {
    int64_t rows, cols, count, *start, *column;
    Number *value;
} Csr;
struct cusparseSpGEMMDescr {
    Csr product;
    int64_t products; /* of two numbers, that it took */
};

typedef struct Job Job;
struct Job {
    LibCall head;
    void (*run)(Job *);
    cusparseOperation_t op_a, op_b;
    SpMat a, c;
    DnMat b, d;
    SpVec x;
    DnVec y, z;
    const void *alpha_at, *beta_at; /* device */
    unsigned char alpha[16], beta[16];
    cudaDataType type; /* of the scalars */
    void *result;
    bool host_result, has_beta;
    int64_t *count; /* host: number of entries found */
    int *total;
    struct cusparseSpGEMMDescr *product;
    struct csrilu02Info *ilu;
    int n, batches, ld, step; /* banded systems */
    const void *band[5];
    void *right;
    SpMat out;
};

/* An entry: where, what, and which of the stored numbers. */
typedef struct {
    int64_t row, col;
    Number value;
    int64_t at;
} Entry;

#define FAIL_IF(condition, status)                                                                 \
    do {                                                                                           \
        if (condition)                                                                             \
            return CUSPARSE_STATUS_##status;                                                       \
    } while (0)
#define KNOWN            FAIL_IF(!sp_known(handle), NOT_INITIALIZED)
#define UNUSED           __attribute__((unused))
#define MUTABLE(pointer) ((void *)(uintptr_t)(pointer))

/* 0 for what we do not calculate with. */
size_t sp_type_bytes(cudaDataType type);
size_t sp_index_bytes(cusparseIndexType_t type);
Number sp_get(cudaDataType type, const void *base, int64_t i);
void sp_put(cudaDataType type, void *base, int64_t i, Number value);
int64_t sp_get_index(cusparseIndexType_t type, const void *base, int64_t i);

/* Places in device memory; NULL and a failed job where it is not all there. */
void *sp_values(Job *q, const char *argument, const void *at, cudaDataType type, int64_t count);
void *sp_indices(Job *q, const char *argument, const void *at, cusparseIndexType_t type,
                 int64_t count);
Number sp_alpha(Job *q);
Number sp_beta(Job *q);
void sp_bad_index(Job *q, int64_t index);

/* Entries in the order in which they are stored: how many, -1 after a fault. */
int64_t sp_entries(Job *q, const SpMat *m, int batch, Entry **out);

void sp_run_spmv(Job *q);

bool sp_known(cusparseHandle_t handle);
void sp_scalars(cusparseHandle_t handle, Job *q, const void *alpha, const void *beta,
                cudaDataType type);
cusparseStatus_t sp_submit(cusparseHandle_t handle, const char *name, Job *q, void (*run)(Job *),
                           bool wait);
/* Until what was submitted has run. */
cusparseStatus_t sp_wait(cusparseHandle_t handle);
/* After waiting: writes the position of the first bad pivot where the pointer mode says; as zeroPivot calls end. */
cusparseStatus_t sp_zero_pivot(cusparseHandle_t handle, const int *found, int *position);
cusparseStatus_t sp_create(cusparseSpMatDescr_t *mat, const SpMat *what);
/* No operation needs the program's memory; a small size keeps programs that allocate it going. */
cusparseStatus_t sp_size(cusparseHandle_t handle, const void *a, const void *b, size_t *bytes);

#endif
