/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusolver: gesv and gels in two types. A GPU factors in the second and refines; here the first does all, so
 * that no iteration is needed and none is counted. */
#include "libraries/cusolver.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static void copy_matrix(const Solve *q, int rows, int cols, char *to, int to_ld, const char *from,
                        int from_ld)
{
    size_t bytes = blas_bytes(q->type);
    for (int j = 0; j < cols && to != from; j++)
        memmove(to + (size_t)((int64_t)j * to_ld) * bytes,
                from + (size_t)((int64_t)j * from_ld) * bytes, (size_t)rows * bytes);
}

/* A and B stay as they are. k: right sides. */
static void run_gesv(Solve *q)
{
    int n = q->n, ld = (int)least(n), info = 0;
    const char *a = solve_matrix(q, "A", q->a, n, n, q->lda),
               *b = solve_matrix(q, "B", q->b, n, q->k, q->ldb);
    char *x = solve_matrix(q, "X", q->c, n, q->k, q->ldc);
    int *given =
        q->pivots && n ? lib_reach(&q->head, "dipiv", q->pivots, (size_t)n * sizeof(int)) : NULL;
    if (a && !q->head.failed) {
        char *factors = solve_scratch(q, (int64_t)n * n);
        int *pivots = given ? given : xmalloc(((size_t)n + 1) * sizeof *pivots);
        copy_matrix(q, n, n, factors, ld, a, q->lda);
        blas.getrf[q->type](&n, &n, factors, &ld, pivots, &info);
        if (!info && x) {
            copy_matrix(q, n, q->k, x, q->ldc, b, q->ldb);
            blas.getrs[q->type]("N", &n, &q->k, factors, &ld, pivots, x, &q->ldc, &info, 1);
        }
        if (!given)
            free(pivots);
        free(factors);
    }
    solve_put_info(q, info);
}

static void run_gels(Solve *q)
{
    int most = q->m > q->n ? q->m : q->n, info = 0,
        room = solve_workspace((int64_t)q->m + q->n + q->k);
    int ld = (int)least(q->m), ld_b = (int)least(most);
    const char *a = solve_matrix(q, "A", q->a, q->m, q->n, q->lda),
               *b = solve_matrix(q, "B", q->b, q->m, q->k, q->ldb);
    char *x = solve_matrix(q, "X", q->c, q->n, q->k, q->ldc);
    if (a && b && x && !q->head.failed) {
        char *copy = solve_scratch(q, (int64_t)q->m * q->n),
             *right = solve_scratch(q, (int64_t)most * q->k);
        void *work = solve_scratch(q, room);
        copy_matrix(q, q->m, q->n, copy, ld, a, q->lda);
        copy_matrix(q, q->m, q->k, right, ld_b, b, q->ldb);
        blas.gels[q->type]("N", &q->m, &q->n, &q->k, copy, &ld, right, &ld_b, work, &room, &info,
                           1);
        copy_matrix(q, q->n, q->k, x, q->ldc, right, ld_b);
        free(copy);
        free(right);
        free(work);
    }
    solve_put_info(q, info);
}

static cusolverStatus_t refine(const Entry *entry, cusolverDnHandle_t handle, bool squares, int m,
                               int n, int nrhs, void *A, int lda, int *pivots, void *B, int ldb,
                               void *X, int ldx, int *iterations, int *info)
{
    START(.m = m, .n = n, .k = nrhs, .a = A, .lda = lda, .pivots = pivots, .b = B, .ldb = ldb,
          .c = X, .ldc = ldx, .info = info);
    INVALID_IF(m < 0 || n < 0 || nrhs < 0 || lda < least(m) || ldb < least(m) || ldx < least(n) ||
               !iterations);
    *iterations = 0;
    return solve_submit(handle, entry, &q, squares ? run_gels : run_gesv);
}

static cusolverStatus_t room_for(cusolverDnHandle_t handle, int m, int n, int lda, size_t *bytes)
{
    if (!solve_known(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    INVALID_IF(!bytes || m < 0 || n < 0 || lda < least(m));
    *bytes = 256;
    return CUSOLVER_STATUS_SUCCESS;
}

#define GK_PAIR(pair, T, letter)                                                                   \
    cusolverStatus_t cusolverDn##pair##gesv_bufferSize(                                            \
        cusolverDnHandle_t handle, int n, UNUSED int nrhs, UNUSED T *A, int lda,                   \
        UNUSED int *pivots, UNUSED T *B, UNUSED int ldb, UNUSED T *X, UNUSED int ldx,              \
        UNUSED void *work, size_t *bytes)                                                          \
    {                                                                                              \
        return room_for(handle, n, n, lda, bytes);                                                 \
    }                                                                                              \
    cusolverStatus_t cusolverDn##pair##gesv(                                                       \
        cusolverDnHandle_t handle, int n, int nrhs, T *A, int lda, int *pivots, T *B, int ldb,     \
        T *X, int ldx, UNUSED void *work, UNUSED size_t bytes, int *iterations, int *info)         \
    {                                                                                              \
        static const Entry entry = {"cusolverDn" #pair "gesv", TYPE_##letter};                     \
        return refine(&entry, handle, false, n, n, nrhs, A, lda, pivots, B, ldb, X, ldx,           \
                      iterations, info);                                                           \
    }                                                                                              \
    cusolverStatus_t cusolverDn##pair##gels_bufferSize(                                            \
        cusolverDnHandle_t handle, int m, int n, UNUSED int nrhs, UNUSED T *A, int lda,            \
        UNUSED T *B, UNUSED int ldb, UNUSED T *X, UNUSED int ldx, UNUSED void *work,               \
        size_t *bytes)                                                                             \
    {                                                                                              \
        return room_for(handle, m, n, lda, bytes);                                                 \
    }                                                                                              \
    cusolverStatus_t cusolverDn##pair##gels(                                                       \
        cusolverDnHandle_t handle, int m, int n, int nrhs, T *A, int lda, T *B, int ldb, T *X,     \
        int ldx, UNUSED void *work, UNUSED size_t bytes, int *iterations, int *info)               \
    {                                                                                              \
        static const Entry entry = {"cusolverDn" #pair "gels", TYPE_##letter};                     \
        return refine(&entry, handle, true, m, n, nrhs, A, lda, NULL, B, ldb, X, ldx, iterations,  \
                      info);                                                                       \
    }
#include "libraries/cusolver_pairs.def"
