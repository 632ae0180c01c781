/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: factorisations, solutions and inverses of batches of small matrices, with LAPACK.
 * Arrays of pointers lie in device memory; so do pivots (rows of n per matrix) and info (one per
 * matrix). */
#include "libraries/cublas.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static void *const *pointers(Call *q, const char *argument, const void *at)
{
    return lib_reach(&q->head, argument, at, (size_t)q->batch * sizeof(void *));
}

static int *integers(Call *q, const char *argument, const int *at, int64_t count)
{
    return lib_reach(&q->head, argument, at, (size_t)count * sizeof(int));
}

/* Without pivots nothing is exchanged: row i stays row i. */
static int *identity(int n)
{
    int *rows = xmalloc(((size_t)n + 1) * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = i + 1;
    return rows;
}

static void run_getrf(Call *q)
{
    void *const *a = pointers(q, "A", q->a);
    int *info = integers(q, "info", q->info, q->batch);
    int *pivots =
        q->pivots_out ? integers(q, "pivots", q->pivots_out, (int64_t)q->n * q->batch) : NULL;
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        void *one = matrix(q, "A[i]", a[i], q->n, q->n, q->lda);
        if (!one)
            return;
        if (pivots)
            blas.getrf[q->type](&q->n, &q->n, one, &q->lda, pivots + (int64_t)i * q->n, &info[i]);
        else
            info[i] = blas_lu(q->type, q->n, q->n, one, q->lda);
    }
}

HANDLER(getrf_batched, int n, In A, int lda, int *pivots, int *info, int batch)
{
    START(run_getrf);
    INVALID_IF(n < 0 || batch < 0 || lda < least(n));
    call.n = n;
    call.lda = lda;
    call.batch = batch;
    call.a = A;
    call.info = info;
    call.pivots_out = pivots;
    return n && batch ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

static void copy_square(const Call *q, char *to, int to_ld, const char *from, int from_ld)
{
    size_t bytes = blas_bytes(q->type);
    for (int j = 0; j < q->n && to != from; j++)
        memcpy(to + (size_t)((int64_t)j * to_ld) * bytes,
               from + (size_t)((int64_t)j * from_ld) * bytes, (size_t)q->n * bytes);
}

/* kl: the factors have to be made first (matinv). */
static void run_getri(Call *q)
{
    void *const *a = pointers(q, "A", q->a), *const *c = pointers(q, "C", q->c);
    int *info = integers(q, "info", q->info, q->batch);
    const int *pivots =
        q->pivots ? integers(q, "pivots", q->pivots, (int64_t)q->n * q->batch) : NULL;
    int *rows = identity(q->n), room = q->n * 64;
    void *work = xmalloc((size_t)room * blas_bytes(q->type));
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        const void *from = matrix(q, "A[i]", a[i], q->n, q->n, q->lda);
        void *to = matrix(q, "C[i]", c[i], q->n, q->n, q->ldc);
        if (!from || !to)
            break;
        copy_square(q, to, q->ldc, from, q->lda);
        info[i] = 0;
        if (q->kl)
            blas.getrf[q->type](&q->n, &q->n, to, &q->ldc, rows, &info[i]);
        if (!info[i])
            blas.getri[q->type](&q->n, to, &q->ldc, pivots ? pivots + (int64_t)i * q->n : rows,
                                work, &room, &info[i]);
    }
    free(work);
    free(rows);
}

static cublasStatus_t inverse_of(const Entry *entry, cublasHandle_t handle, int n, In A, int lda,
                                 const int *pivots, In C, int ldc, int *info, int batch,
                                 bool factor)
{
    START(run_getri);
    INVALID_IF(n < 0 || batch < 0 || lda < least(n) || ldc < least(n) || (factor && n > 32));
    call.n = n;
    call.lda = lda;
    call.ldc = ldc;
    call.batch = batch;
    call.a = A;
    call.c = (void *)(uintptr_t)C;
    call.pivots = pivots;
    call.info = info;
    call.kl = factor;
    return n && batch ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

HANDLER(getri_batched, int n, In A, int lda, const int *pivots, In C, int ldc, int *info, int batch)
{
    return inverse_of(entry, handle, n, A, lda, pivots, C, ldc, info, batch, false);
}
HANDLER(matinv_batched, int n, In A, int lda, In inverse, int lda_inverse, int *info, int batch)
{
    return inverse_of(entry, handle, n, A, lda, NULL, inverse, lda_inverse, info, batch, true);
}

static void run_getrs(Call *q)
{
    void *const *a = pointers(q, "A", q->a), *const *b = pointers(q, "B", q->c);
    const int *pivots =
        q->pivots ? integers(q, "pivots", q->pivots, (int64_t)q->n * q->batch) : NULL;
    int *rows = identity(q->n), info;
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        const void *factors = matrix(q, "A[i]", a[i], q->n, q->n, q->lda);
        void *right = matrix(q, "B[i]", b[i], q->n, q->m, q->ldb);
        if (factors && right)
            blas.getrs[q->type](&q->ta, &q->n, &q->m, factors, &q->lda,
                                pivots ? pivots + (int64_t)i * q->n : rows, right, &q->ldb, &info,
                                1);
    }
    free(rows);
}

/* Errors of arguments: -(the argument's number), counted without the handle. */
HANDLER(getrs_batched, Op trans, int n, int nrhs, In A, int lda, const int *pivots, In B, int ldb,
        int *info, int batch)
{
    START(run_getrs);
    INVALID_IF(!info);
    *info = !op_char(trans, call.type, &call.ta) ? -1
            : n < 0                              ? -2
            : nrhs < 0                           ? -3
            : lda < least(n)                     ? -5
            : ldb < least(n)                     ? -8
            : batch < 0                          ? -10
                                                 : 0;
    INVALID_IF(*info);
    call.n = n;
    call.m = nrhs;
    call.lda = lda;
    call.ldb = ldb;
    call.batch = batch;
    call.a = A;
    call.c = (void *)(uintptr_t)B;
    call.pivots = pivots;
    return n && nrhs && batch ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

static void run_geqrf(Call *q)
{
    void *const *a = pointers(q, "A", q->a), *const *tau = pointers(q, "tau", q->c);
    int room = q->n * 64, info, rank = q->m < q->n ? q->m : q->n;
    void *work = xmalloc((size_t)room * blas_bytes(q->type));
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        void *one = matrix(q, "A[i]", a[i], q->m, q->n, q->lda);
        void *factors = vector(q, "tau[i]", tau[i], rank, 1);
        if (one && factors)
            blas.geqrf[q->type](&q->m, &q->n, one, &q->lda, factors, work, &room, &info);
    }
    free(work);
}

HANDLER(geqrf_batched, int m, int n, In A, int lda, In tau, int *info, int batch)
{
    START(run_geqrf);
    INVALID_IF(!info);
    *info = m < 0 ? -1 : n < 0 ? -2 : lda < least(m) ? -4 : batch < 0 ? -7 : 0;
    INVALID_IF(*info);
    call.m = m;
    call.n = n;
    call.lda = lda;
    call.batch = batch;
    call.a = A;
    call.c = (void *)(uintptr_t)tau;
    return m && n && batch ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

static void run_gels(Call *q)
{
    void *const *a = pointers(q, "A", q->a), *const *c = pointers(q, "C", q->c);
    int *infos = q->info ? integers(q, "devInfoArray", q->info, q->batch) : NULL;
    int room = (q->m + q->n + q->k) * 64, info;
    void *work = xmalloc((size_t)room * blas_bytes(q->type));
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        void *one = matrix(q, "A[i]", a[i], q->m, q->n, q->lda);
        void *right = matrix(q, "C[i]", c[i], q->m, q->k, q->ldc);
        if (!one || !right)
            break;
        blas.gels[q->type](&q->ta, &q->m, &q->n, &q->k, one, &q->lda, right, &q->ldc, work, &room,
                           &info, 1);
        if (infos)
            infos[i] = info;
    }
    free(work);
}

/* Overdetermined systems, not transposed: what is documented as supported. */
HANDLER(gels_batched, Op trans, int m, int n, int nrhs, In A, int lda, In C, int ldc, int *info,
        int *device_info, int batch)
{
    START(run_gels);
    INVALID_IF(!info);
    *info = !op_char(trans, call.type, &call.ta) ? -1
            : m < 0                              ? -2
            : n < 0                              ? -3
            : nrhs < 0                           ? -4
            : lda < least(m)                     ? -6
            : ldc < least(m)                     ? -8
            : batch < 0                          ? -11
                                                 : 0;
    INVALID_IF(*info);
    if (call.ta != 'N' || m < n)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    call.m = m;
    call.n = n;
    call.k = nrhs;
    call.lda = lda;
    call.ldc = ldc;
    call.batch = batch;
    call.a = A;
    call.c = (void *)(uintptr_t)C;
    call.info = device_info;
    return m && n && nrhs && batch ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}
