/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusolver: dense factorisations, solutions, eigenvalues and singular values (cusolverDn) by
 * OpenBLAS' LAPACK, for all element types by one function each. The program's workspace is not
 * used; its size is what a small one would be. Jacobi forms (syevj, gesvdj) give the same results
 * by divide and conquer. Sparse, refactorisation and multi-device parts are refused (cusolver.def).
 */
#include "libraries/cusolver.h"

#include "base/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifndef CUDA_MAJOR
#define CUDA_MAJOR 13
#endif

enum { MAGIC = 0x676b736f };

struct cusolverDnContext {
    uint32_t magic;
    void *stream;
};

static void run_solve(LibCall *head)
{
    Solve *q = (Solve *)head;
    q->run(q);
}

static cusolverStatus_t status_of(int error)
{
    switch (error) {
    case RT_OK:
        return CUSOLVER_STATUS_SUCCESS;
    case RT_OUT_OF_MEMORY:
        return CUSOLVER_STATUS_ALLOC_FAILED;
    case RT_INVALID_VALUE:
        return CUSOLVER_STATUS_INVALID_VALUE;
    case RT_NOT_SUPPORTED:
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    case RT_NOT_INITIALIZED:
    case RT_NO_DEVICE:
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    default:
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
}

bool solve_known(cusolverDnHandle_t handle)
{
    return handle && handle->magic == MAGIC;
}

cusolverStatus_t solve_submit(cusolverDnHandle_t handle, const Entry *entry, Solve *q,
                              void (*run)(Solve *))
{
    q->head.run = run_solve;
    q->head.name = entry->name;
    q->run = run;
    q->type = entry->type;
    bool waits = q->found || q->wide_found || q->norms;
    return status_of(lib_submit(rt_stream(handle->stream, false), &q->head, sizeof *q, waits));
}

cusolverStatus_t solve_wait(cusolverDnHandle_t handle)
{
    return status_of(rt_stream_wait(rt_stream(handle->stream, false)));
}

/* --- places -------------------------------------------------------------------------------- */

void *solve_matrix(Solve *q, const char *argument, const void *at, int rows, int cols, int ld)
{
    if (rows <= 0 || cols <= 0)
        return NULL;
    return lib_reach(&q->head, argument, at,
                     lib_bytes((int64_t)(cols - 1) * ld + rows, blas_bytes(q->type)));
}

void *solve_reals(Solve *q, const char *argument, const void *at, int count)
{
    return count > 0 ? lib_reach(&q->head, argument, at, (size_t)count * real_bytes(q->type))
                     : NULL;
}

/* LAPACK's verdict goes to the device, where the program reads it. */
void solve_put_info(Solve *q, int info)
{
    int *place = q->info ? lib_reach(&q->head, "devInfo", q->info, sizeof *place) : NULL;
    if (place)
        *place = info;
}

/* Workspace that LAPACK likes for n columns: blocks of 64, as long as that is not gigantic. */
int solve_workspace(int64_t n)
{
    return (int)(n < 1 << 24 ? n * 64 + 8192 : n + 8192 < INT_MAX ? n + 8192 : INT_MAX);
}

/* Scratch memory of so many elements of the type; the caller frees it. */
void *solve_scratch(const Solve *q, int64_t count)
{
    return xmalloc((size_t)(count + 1) * blas_bytes(q->type));
}

bool solve_fill(cublasFillMode_t uplo, char *out)
{
    *out = uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
    return (unsigned)uplo <= CUBLAS_FILL_MODE_UPPER;
}

static bool operation(cublasOperation_t trans, int type, char *out)
{
    *out = trans == CUBLAS_OP_N ? 'N' : trans == CUBLAS_OP_C && blas_is_complex(type) ? 'C' : 'T';
    return (unsigned)trans <= CUBLAS_OP_C;
}

/* --- factors and solutions ----------------------------------------------------------------- */

void solve_run_potrf(Solve *q)
{
    void *a = solve_matrix(q, "A", q->a, q->n, q->n, q->lda);
    int info = 0;
    if (a)
        (q->job == 'I' ? blas.potri : blas.potrf)[q->type](&q->uplo, &q->n, a, &q->lda, &info, 1);
    solve_put_info(q, info);
}

void solve_run_potrs(Solve *q)
{
    const void *a = solve_matrix(q, "A", q->a_in, q->n, q->n, q->lda);
    void *b = solve_matrix(q, "B", q->b, q->n, q->m, q->ldb);
    int info = 0;
    if (a && b)
        blas.potrs[q->type](&q->uplo, &q->n, &q->m, a, &q->lda, b, &q->ldb, &info, 1);
    solve_put_info(q, info);
}

/* Where LAPACK finds or leaves its pivots: the program's own, or scratch memory for wide ones. */
static int *pivots(Solve *q, int count)
{
    if (q->wide_pivots)
        return xmalloc(((size_t)count + 1) * sizeof(int));
    return q->pivots && count
               ? lib_reach(&q->head, "devIpiv", q->pivots, (size_t)count * sizeof(int))
               : NULL;
}

static int64_t *wide_pivots(Solve *q, int count)
{
    return lib_reach(&q->head, "ipiv", q->wide_pivots, (size_t)count * sizeof(int64_t));
}

static void run_getrf(Solve *q)
{
    int rank = q->m < q->n ? q->m : q->n, info = 0;
    void *a = solve_matrix(q, "A", q->a, q->m, q->n, q->lda);
    int *rows = pivots(q, rank);
    int64_t *wide = q->wide_pivots && rank ? wide_pivots(q, rank) : NULL;
    if (a && !q->head.failed) {
        if (rows)
            blas.getrf[q->type](&q->m, &q->n, a, &q->lda, rows, &info);
        else
            info = blas_lu(q->type, q->m, q->n, a, q->lda);
        for (int i = 0; wide && i < rank; i++)
            wide[i] = rows[i];
    }
    if (q->wide_pivots)
        free(rows);
    solve_put_info(q, info);
}

static void run_getrs(Solve *q)
{
    const void *a = solve_matrix(q, "A", q->a_in, q->n, q->n, q->lda);
    void *b = solve_matrix(q, "B", q->b, q->n, q->m, q->ldb);
    const int *given = q->wide_pivots ? NULL : pivots(q, q->n);
    const int64_t *wide = q->wide_pivots && q->n ? wide_pivots(q, q->n) : NULL;
    int *rows = xmalloc(((size_t)q->n + 1) * sizeof *rows), info = 0;
    for (int i = 0; i < q->n; i++)
        rows[i] = wide ? (int)wide[i] : i + 1;
    if (a && b && !q->head.failed)
        blas.getrs[q->type](&q->trans, &q->n, &q->m, a, &q->lda, given ? given : rows, b, &q->ldb,
                            &info, 1);
    free(rows);
    solve_put_info(q, info);
}

static void run_trtri(Solve *q)
{
    void *a = solve_matrix(q, "A", q->a, q->n, q->n, q->lda);
    int info = 0;
    if (a)
        blas.trtri[q->type](&q->uplo, &q->job, &q->n, a, &q->lda, &info, 1, 1);
    solve_put_info(q, info);
}

static void run_geqrf(Solve *q)
{
    int rank = q->m < q->n ? q->m : q->n, room = solve_workspace(q->n), info = 0;
    void *a = solve_matrix(q, "A", q->a, q->m, q->n, q->lda),
         *tau = solve_matrix(q, "tau", q->tau, rank, 1, 1);
    void *work = solve_scratch(q, room);
    if (a && tau)
        blas.geqrf[q->type](&q->m, &q->n, a, &q->lda, tau, work, &room, &info);
    free(work);
    solve_put_info(q, info);
}

static void run_orgqr(Solve *q)
{
    int room = solve_workspace(q->n), info = 0;
    void *a = solve_matrix(q, "A", q->a, q->m, q->n, q->lda),
         *tau = solve_matrix(q, "tau", q->tau, q->k, 1, 1);
    void *work = solve_scratch(q, room);
    if (a && !q->head.failed)
        blas.orgqr[q->type](&q->m, &q->n, &q->k, a, &q->lda, tau, work, &room, &info);
    free(work);
    solve_put_info(q, info);
}

static void run_ormqr(Solve *q)
{
    int order = q->side == 'L' ? q->m : q->n, room = solve_workspace((int64_t)q->m + q->n),
        info = 0;
    const void *a = solve_matrix(q, "A", q->a_in, order, q->k, q->lda);
    const void *tau = solve_matrix(q, "tau", q->tau, q->k, 1, 1);
    void *c = solve_matrix(q, "C", q->c, q->m, q->n, q->ldc), *work = solve_scratch(q, room);
    if (c && !q->head.failed && q->k)
        blas.ormqr[q->type](&q->side, &q->trans, &q->m, &q->n, &q->k, a, &q->lda, tau, c, &q->ldc,
                            work, &room, &info, 1, 1);
    free(work);
    solve_put_info(q, info);
}

/* --- singular values and eigenvalues ------------------------------------------------------- */

/* V = conjugate transposed of VT (rows x n, tight) into v: its first columns. */
static void transpose(const Solve *q, const char *vt, int rows, int columns, char *v, int ldv)
{
    size_t bytes = blas_bytes(q->type), half = bytes / 2;
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < q->n; j++) {
            char *to = v + (size_t)((int64_t)i * ldv + j) * bytes;
            memcpy(to, vt + (size_t)((int64_t)j * rows + i) * bytes, bytes);
            if (blas_is_complex(q->type)) /* the sign of the imaginary part (little-endian) */
                to[2 * half - 1] = (char)(to[2 * half - 1] ^ 0x80);
        }
}

/* LAPACK's verdict. Overwrites a. */
static int decompose(const Solve *q, char job, char job2, void *a, void *s, void *u, int ldu,
                     void *vt, int ldvt)
{
    int rank = q->m < q->n ? q->m : q->n, info = 0;
    int room = solve_workspace((int64_t)q->m + q->n + 5 * (int64_t)rank);
    void *work = solve_scratch(q, room);
    if (blas_is_complex(q->type)) {
        void *more = solve_scratch(q, 5 * (int64_t)rank + 1);
        blas.gesvd_complex[q->type](&job, &job2, &q->m, &q->n, a, &q->lda, s, u, &ldu, vt, &ldvt,
                                    work, &room, more, &info, 1, 1);
        free(more);
    } else {
        blas.gesvd[q->type](&job, &job2, &q->m, &q->n, a, &q->lda, s, u, &ldu, vt, &ldvt, work,
                            &room, &info, 1, 1);
    }
    free(work);
    return info;
}

void solve_run_gesvd(Solve *q)
{
    int rank = q->m < q->n ? q->m : q->n, info = 0;
    int u_cols = q->job == 'A' ? q->m : q->job == 'S' ? rank : 0;
    int vt_rows = q->job2 == 'A' ? q->n : q->job2 == 'S' ? rank : 0;
    void *a = solve_matrix(q, "A", q->a, q->m, q->n, q->lda), *s = solve_reals(q, "S", q->s, rank);
    void *u = solve_matrix(q, "U", q->b, u_cols ? q->m : 0, u_cols, q->ldb);
    void *v = q->transpose_v ? solve_matrix(q, "V", q->c, q->n, vt_rows, q->ldc)
                             : solve_matrix(q, "VT", q->c, vt_rows, vt_rows ? q->n : 0, q->ldc);
    void *vt = q->transpose_v && v ? solve_scratch(q, (int64_t)vt_rows * q->n) : v;
    int ldvt = q->transpose_v ? least(vt_rows) : q->ldc;
    if (a && s && !q->head.failed) {
        info = decompose(q, q->job, q->job2, a, s, u, q->ldb, vt, ldvt);
        if (q->transpose_v && v)
            transpose(q, vt, vt_rows, vt_rows, v, q->ldc);
    }
    if (vt != v)
        free(vt);
    solve_put_info(q, info);
}

/* The k largest singular values with their vectors, of all of them: nothing is random here. LAPACK's
 * verdict. Overwrites a, whose leading dimension is q's. */
int solve_largest(Solve *q, void *a)
{
    int rank = q->m < q->n ? q->m : q->n, k = q->k, info = 0;
    size_t bytes = blas_bytes(q->type);
    void *s = solve_reals(q, "Srand", q->s, k);
    char *u = q->job == 'S' ? solve_matrix(q, "Urand", q->b, q->m, k, q->ldb) : NULL;
    void *v = q->job2 == 'S' ? solve_matrix(q, "Vrand", q->c, q->n, k, q->ldc) : NULL;
    if (a && s && !q->head.failed) {
        char *all_u = solve_scratch(q, (int64_t)q->m * rank), *all_s = solve_scratch(q, rank);
        char *all_vt = solve_scratch(q, (int64_t)rank * q->n);
        info = decompose(q, 'S', 'S', a, all_s, all_u, (int)least(q->m), all_vt, (int)least(rank));
        memcpy(s, all_s, (size_t)k * real_bytes(q->type));
        for (int j = 0; j < k && u; j++)
            memcpy(u + (size_t)((int64_t)j * q->ldb) * bytes,
                   all_u + (size_t)((int64_t)j * q->m) * bytes, (size_t)q->m * bytes);
        if (v)
            transpose(q, all_vt, rank, k, v, q->ldc);
        free(all_u);
        free(all_s);
        free(all_vt);
    }
    return info;
}

static void run_gesvdr(Solve *q)
{
    solve_put_info(q, solve_largest(q, solve_matrix(q, "A", q->a, q->m, q->n, q->lda)));
}

/* itype 0: A x = w x; else with B, as LAPACK counts the kinds. LAPACK's verdict. */
static int eigenvalues(Solve *q)
{
    int64_t n = q->n;
    int64_t wanted = 2 * n * n + 70 * n + 1;
    int room = (int)(wanted < INT_MAX ? wanted : INT_MAX), rroom = room, iroom = 5 * q->n + 3;
    int info = 0, t = q->type;
    void *a = solve_matrix(q, "A", q->a, q->n, q->n, q->lda), *w = solve_reals(q, "W", q->s, q->n);
    void *b = q->itype ? solve_matrix(q, "B", q->b, q->n, q->n, q->ldb) : NULL;
    if (a && w && !q->head.failed) {
        void *work = solve_scratch(q, room), *rwork = solve_scratch(q, rroom);
        int *iwork = xmalloc((size_t)iroom * sizeof *iwork);
        if (q->itype && blas_is_complex(t))
            blas.hegvd[t](&q->itype, &q->job, &q->uplo, &q->n, a, &q->lda, b, &q->ldb, w, work,
                          &room, rwork, &rroom, iwork, &iroom, &info, 1, 1);
        else if (q->itype)
            blas.sygvd[t](&q->itype, &q->job, &q->uplo, &q->n, a, &q->lda, b, &q->ldb, w, work,
                          &room, iwork, &iroom, &info, 1, 1);
        else if (blas_is_complex(t))
            blas.heevd[t](&q->job, &q->uplo, &q->n, a, &q->lda, w, work, &room, rwork, &rroom,
                          iwork, &iroom, &info, 1, 1);
        else
            blas.syevd[t](&q->job, &q->uplo, &q->n, a, &q->lda, w, work, &room, iwork, &iroom,
                          &info, 1, 1);
        free(work);
        free(rwork);
        free(iwork);
    }
    return info;
}

void solve_run_syevd(Solve *q)
{
    solve_put_info(q, eigenvalues(q));
}

/* All of them, of which those in the range move to the front. */
static void run_syevdx(Solve *q)
{
    int info = eigenvalues(q), from = 0, to = q->n;
    char *w = solve_reals(q, "W", q->s, q->n), *a = solve_matrix(q, "A", q->a, q->n, q->n, q->lda);
    if (!info && w && a) {
        if (q->range == CUSOLVER_EIG_RANGE_I) {
            from = q->first - 1;
            to = q->last;
        } else if (q->range == CUSOLVER_EIG_RANGE_V) {
            while (from < q->n && real_at(q->type, w, from) <= q->low)
                from++;
            while (to > from && real_at(q->type, w, to - 1) > q->high)
                to--;
        }
        size_t column = (size_t)q->lda * blas_bytes(q->type),
               height = (size_t)q->n * blas_bytes(q->type);
        memmove(w, w + (size_t)from * real_bytes(q->type),
                (size_t)(to - from) * real_bytes(q->type));
        for (int i = from; from && i < to && q->job == 'V'; i++)
            memcpy(a + (size_t)(i - from) * column, a + (size_t)i * column, height);
    }
    if (q->found)
        *q->found = info ? 0 : to - from;
    if (q->wide_found)
        *q->wide_found = info ? 0 : to - from;
    solve_put_info(q, info);
}

/* --- the entries' functions ---------------------------------------------------------------- */

#define HANDLER(name, ...)                                                                         \
    static cusolverStatus_t solve_##name(const Entry *entry, cusolverDnHandle_t handle, __VA_ARGS__)

/* Any workspace will do. */
cusolverStatus_t solve_size(int n, int *lwork)
{
    INVALID_IF(!lwork || n < 0);
    *lwork = least(n) * 32;
    return CUSOLVER_STATUS_SUCCESS;
}
#define SIZE(name, n, ...)                                                                         \
    HANDLER(name, __VA_ARGS__, int *lwork)                                                         \
    {                                                                                              \
        (void)entry;                                                                               \
        return solve_known(handle) ? solve_size(n, lwork) : CUSOLVER_STATUS_NOT_INITIALIZED;       \
    }
SIZE(size_square, lda < least(n) ? -1 : n, UNUSED cublasFillMode_t uplo, int n, UNUSED void *A,
     int lda)
SIZE(size_general, m < 0 || lda < least(m) ? -1 : n, int m, int n, UNUSED void *A, int lda)
SIZE(size_orgqr, m < 0 || lda < least(m) ? -1 : n, int m, int n, UNUSED int k, UNUSED const void *A,
     int lda, UNUSED const void *tau)
SIZE(size_ormqr, m < 0 || n < 0 ? -1 : m + n, UNUSED cublasSideMode_t side,
     UNUSED cublasOperation_t trans, int m, int n, UNUSED int k, UNUSED const void *A,
     UNUSED int lda, UNUSED const void *tau, UNUSED const void *C, UNUSED int ldc)
SIZE(size_gesvd, m < 0 || n < 0 ? -1 : m + n, int m, int n)
SIZE(size_syevd, lda < least(n) ? -1 : n, UNUSED cusolverEigMode_t jobz,
     UNUSED cublasFillMode_t uplo, int n, UNUSED const void *A, int lda, UNUSED const void *W)
SIZE(size_sygvd, lda < least(n) || ldb < least(n) ? -1 : n, UNUSED cusolverEigType_t itype,
     UNUSED cusolverEigMode_t jobz, UNUSED cublasFillMode_t uplo, int n, UNUSED const void *A,
     int lda, UNUSED const void *B, int ldb, UNUSED const void *W)
HANDLER(size_gesvdj, UNUSED cusolverEigMode_t jobz, UNUSED int econ, int m, int n,
        UNUSED const void *A, int lda, UNUSED const void *S, UNUSED const void *U, UNUSED int ldu,
        UNUSED const void *V, UNUSED int ldv, int *lwork, UNUSED gesvdjInfo_t params)
{
    return solve_size_general(entry, handle, m, n, NULL, lda, lwork);
}
HANDLER(size_syevdx, cusolverEigMode_t jobz, UNUSED cusolverEigRange_t range, cublasFillMode_t uplo,
        int n, const void *A, int lda, UNUSED double vl, UNUSED double vu, UNUSED int il,
        UNUSED int iu, UNUSED int *meig, const void *W, int *lwork)
{
    return solve_size_syevd(entry, handle, jobz, uplo, n, A, lda, W, lwork);
}
HANDLER(size_sygvdx, cusolverEigType_t itype, cusolverEigMode_t jobz,
        UNUSED cusolverEigRange_t range, cublasFillMode_t uplo, int n, const void *A, int lda,
        const void *B, int ldb, UNUSED double vl, UNUSED double vu, UNUSED int il, UNUSED int iu,
        UNUSED int *meig, const void *W, int *lwork)
{
    return solve_size_sygvd(entry, handle, itype, jobz, uplo, n, A, lda, B, ldb, W, lwork);
}
HANDLER(size_sygvj, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
        const void *A, int lda, const void *B, int ldb, const void *W, int *lwork,
        UNUSED syevjInfo_t params)
{
    return solve_size_sygvd(entry, handle, itype, jobz, uplo, n, A, lda, B, ldb, W, lwork);
}
HANDLER(size_syevj, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const void *A, int lda,
        const void *W, int *lwork, UNUSED syevjInfo_t params)
{
    return solve_size_syevd(entry, handle, jobz, uplo, n, A, lda, W, lwork);
}

HANDLER(potrf, cublasFillMode_t uplo, int n, void *A, int lda, UNUSED void *work, UNUSED int lwork,
        int *info)
{
    START(.n = n, .lda = lda, .a = A, .info = info);
    INVALID_IF(!solve_fill(uplo, &q.uplo) || n < 0 || lda < least(n));
    return solve_submit(handle, entry, &q, solve_run_potrf);
}
HANDLER(potri, cublasFillMode_t uplo, int n, void *A, int lda, UNUSED void *work, UNUSED int lwork,
        int *info)
{
    START(.n = n, .lda = lda, .a = A, .info = info, .job = 'I');
    INVALID_IF(!solve_fill(uplo, &q.uplo) || n < 0 || lda < least(n));
    return solve_submit(handle, entry, &q, solve_run_potrf);
}
HANDLER(potrs, cublasFillMode_t uplo, int n, int nrhs, const void *A, int lda, void *B, int ldb,
        int *info)
{
    START(.n = n, .m = nrhs, .lda = lda, .ldb = ldb, .a_in = A, .b = B, .info = info);
    INVALID_IF(!solve_fill(uplo, &q.uplo) || n < 0 || nrhs < 0 || lda < least(n) || ldb < least(n));
    return solve_submit(handle, entry, &q, solve_run_potrs);
}
HANDLER(getrf, int m, int n, void *A, int lda, UNUSED void *work, int *pivots, int *info)
{
    START(.m = m, .n = n, .lda = lda, .a = A, .pivots = pivots, .info = info);
    INVALID_IF(m < 0 || n < 0 || lda < least(m));
    return solve_submit(handle, entry, &q, run_getrf);
}
HANDLER(getrs, cublasOperation_t trans, int n, int nrhs, const void *A, int lda, const int *pivots,
        void *B, int ldb, int *info)
{
    START(.n = n, .m = nrhs, .lda = lda, .ldb = ldb, .a_in = A, .b = B, .info = info);
    INVALID_IF(!operation(trans, entry->type, &q.trans) || n < 0 || nrhs < 0 || lda < least(n) ||
               ldb < least(n));
    q.pivots = (int *)(uintptr_t)pivots;
    return solve_submit(handle, entry, &q, run_getrs);
}
HANDLER(geqrf, int m, int n, void *A, int lda, void *tau, UNUSED void *work, UNUSED int lwork,
        int *info)
{
    START(.m = m, .n = n, .lda = lda, .a = A, .tau = tau, .info = info);
    INVALID_IF(m < 0 || n < 0 || lda < least(m));
    return solve_submit(handle, entry, &q, run_geqrf);
}
HANDLER(orgqr, int m, int n, int k, void *A, int lda, const void *tau, UNUSED void *work,
        UNUSED int lwork, int *info)
{
    START(.m = m, .n = n, .k = k, .lda = lda, .a = A, .info = info);
    INVALID_IF(m < 0 || n < 0 || n > m || k < 0 || k > n || lda < least(m));
    q.tau = (void *)(uintptr_t)tau;
    return solve_submit(handle, entry, &q, run_orgqr);
}
HANDLER(ormqr, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const void *A,
        int lda, const void *tau, void *C, int ldc, UNUSED void *work, UNUSED int lwork, int *info)
{
    START(.m = m, .n = n, .k = k, .lda = lda, .ldc = ldc, .a_in = A, .c = C, .info = info);
    q.side = side == CUBLAS_SIDE_RIGHT ? 'R' : 'L';
    INVALID_IF((unsigned)side > 1 || !operation(trans, entry->type, &q.trans) || m < 0 || n < 0 ||
               k < 0 || k > (side ? n : m) || lda < least(side ? n : m) || ldc < least(m));
    q.tau = (void *)(uintptr_t)tau;
    return solve_submit(handle, entry, &q, run_ormqr);
}
HANDLER(gesvd, signed char jobu, signed char jobvt, int m, int n, void *A, int lda, void *S,
        void *U, int ldu, void *VT, int ldvt, UNUSED void *work, UNUSED int lwork,
        UNUSED void *rwork, int *info)
{
    START(.m = m, .n = n, .lda = lda, .ldb = ldu, .ldc = ldvt, .a = A, .b = U, .c = VT, .s = S,
          .info = info);
    INVALID_IF(!strchr("ASON", jobu) || !strchr("ASON", jobvt) || (jobu == 'O' && jobvt == 'O') ||
               m < 0 || n < 0 || lda < least(m));
    /* cuSOLVER's own rule */
    INVALID_IF(m < n || ldu < (jobu == 'A' || jobu == 'S' ? least(m) : 1) ||
               ldvt < (jobvt == 'A' || jobvt == 'S' ? least(n) : 1));
    q.job = (char)jobu;
    q.job2 = (char)jobvt;
    return solve_submit(handle, entry, &q, solve_run_gesvd);
}
HANDLER(gesvdj, cusolverEigMode_t jobz, int econ, int m, int n, void *A, int lda, void *S, void *U,
        int ldu, void *V, int ldv, UNUSED void *work, UNUSED int lwork, int *info,
        gesvdjInfo_t params)
{
    START(.m = m, .n = n, .lda = lda, .ldb = ldu, .ldc = ldv, .a = A, .b = U, .c = V, .s = S,
          .info = info);
    bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    INVALID_IF((unsigned)jobz > 1 || m < 0 || n < 0 || lda < least(m) ||
               (vectors && (ldu < least(m) || ldv < least(n))));
    q.job = q.job2 = !vectors ? 'N' : econ ? 'S' : 'A';
    q.transpose_v = true;
    q.jacobi = (struct Jacobi *)(void *)params;
    q.each = solve_run_gesvd;
    return solve_submit(handle, entry, &q, params ? solve_run_measured : solve_run_gesvd);
}
HANDLER(sygvj, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
        void *A, int lda, void *B, int ldb, void *W, UNUSED void *work, UNUSED int lwork, int *info,
        syevjInfo_t params)
{
    START(.n = n, .lda = lda, .ldb = ldb, .a = A, .b = B, .s = W, .info = info, .itype = (int)itype,
          .jacobi = (struct Jacobi *)(void *)params, .each = solve_run_syevd);
    q.job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    INVALID_IF(!solve_fill(uplo, &q.uplo) || (unsigned)jobz > 1 || n < 0 || lda < least(n) ||
               (itype && ldb < least(n)) || (unsigned)itype > 3);
    return solve_submit(handle, entry, &q, params ? solve_run_measured : solve_run_syevd);
}
HANDLER(sygvd, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
        void *A, int lda, void *B, int ldb, void *W, void *work, int lwork, int *info)
{
    return solve_sygvj(entry, handle, itype, jobz, uplo, n, A, lda, B, ldb, W, work, lwork, info,
                       NULL);
}
HANDLER(syevd, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, void *A, int lda, void *W,
        void *work, int lwork, int *info)
{
    return solve_sygvd(entry, handle, (cusolverEigType_t)0, jobz, uplo, n, A, lda, NULL, n, W, work,
                       lwork, info);
}
/* Checks what a range asks for, and fills it in. */
static bool ranged(Solve *q, cusolverEigRange_t range, double low, double high, int64_t first,
                   int64_t last)
{
    bool by_number = range == CUSOLVER_EIG_RANGE_I, by_value = range == CUSOLVER_EIG_RANGE_V;
    q->range = range;
    q->low = low;
    q->high = high;
    q->first = (int)first;
    q->last = (int)last;
    return by_number ? first >= 1 && first <= last && last <= q->n
                     : range == CUSOLVER_EIG_RANGE_ALL || (by_value && low < high);
}
HANDLER(sygvdx, cusolverEigType_t itype, cusolverEigMode_t jobz, cusolverEigRange_t range,
        cublasFillMode_t uplo, int n, void *A, int lda, void *B, int ldb, double vl, double vu,
        int il, int iu, int *meig, void *W, UNUSED void *work, UNUSED int lwork, int *info)
{
    START(.n = n, .lda = lda, .ldb = ldb, .a = A, .b = B, .s = W, .info = info, .found = meig,
          .itype = (int)itype);
    q.job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    INVALID_IF(!solve_fill(uplo, &q.uplo) || (unsigned)jobz > 1 || n < 0 || lda < least(n) ||
               (itype && ldb < least(n)) || (unsigned)itype > 3 || !meig ||
               !ranged(&q, range, vl, vu, il, iu));
    return solve_submit(handle, entry, &q, run_syevdx);
}
HANDLER(syevdx, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n,
        void *A, int lda, double vl, double vu, int il, int iu, int *meig, void *W, void *work,
        int lwork, int *info)
{
    return solve_sygvdx(entry, handle, (cusolverEigType_t)0, jobz, range, uplo, n, A, lda, NULL, n,
                        vl, vu, il, iu, meig, W, work, lwork, info);
}
HANDLER(syevj, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, void *A, int lda, void *W,
        void *work, int lwork, int *info, syevjInfo_t params)
{
    return solve_sygvj(entry, handle, (cusolverEigType_t)0, jobz, uplo, n, A, lda, NULL, n, W, work,
                       lwork, info, params);
}

/* --- the interface with 64-bit sizes -------------------------------------------------------- */

struct cusolverDnParams {
    uint32_t magic;
};

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params)
{
    INVALID_IF(!params);
    *params = xcalloc(1, sizeof **params);
    (*params)->magic = MAGIC;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params)
{
    INVALID_IF(!params || params->magic != MAGIC);
    params->magic = 0;
    free(params);
    return CUSOLVER_STATUS_SUCCESS;
}

/* There is one algorithm for each. */
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm)
{
    INVALID_IF(!params || params->magic != MAGIC || (unsigned)function > 2 ||
               (unsigned)algorithm > 2);
    return CUSOLVER_STATUS_SUCCESS;
}

static int element_of(cudaDataType type)
{
    return type == CUDA_R_32F   ? TYPE_S
           : type == CUDA_R_64F ? TYPE_D
           : type == CUDA_C_32F ? TYPE_C
           : type == CUDA_C_64F ? TYPE_Z
                                : -1;
}

static cudaDataType real_of(cudaDataType type)
{
    return type == CUDA_R_32F || type == CUDA_C_32F ? CUDA_R_32F : CUDA_R_64F;
}

static cudaDataType complex_of(cudaDataType type)
{
    return real_of(type) == CUDA_R_32F ? CUDA_C_32F : CUDA_C_64F;
}

/* Makes the entry of a matrix type that there is, of sizes that OpenBLAS counts. same: types that must be
 * the matrix's. */
static cusolverStatus_t wide(cusolverDnHandle_t handle, Entry *entry, cudaDataType type,
                             const cudaDataType *same, size_t types, const int64_t *sizes,
                             size_t count)
{
    if (!solve_known(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    entry->type = element_of(type);
    bool supported = entry->type >= 0;
    for (size_t i = 0; i < types; i++)
        supported = supported && same[i] == type;
    if (!supported) {
        rt_message("%s: other types than S, D, C or Z throughout are not supported", entry->name);
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
    for (size_t i = 0; i < count; i++)
        if (sizes[i] > INT_MAX / 64) {
            rt_message("%s: a size of %lld is not supported", entry->name, (long long)sizes[i]);
            return CUSOLVER_STATUS_NOT_SUPPORTED;
        } else if (sizes[i] < 0) {
            return CUSOLVER_STATUS_INVALID_VALUE;
        }
    return CUSOLVER_STATUS_SUCCESS;
}
#define LIST(type, ...)                                                                            \
    (const type[]){__VA_ARGS__}, sizeof(const type[]){__VA_ARGS__} / sizeof(type)
#define TYPES(...) LIST(cudaDataType, __VA_ARGS__)
#define SIZES(...) LIST(int64_t, __VA_ARGS__)
#define WIDE(call, matrix_type, ...)                                                               \
    Entry entry = {.name = #call};                                                                 \
    cusolverStatus_t wide_ = wide(handle, &entry, matrix_type, __VA_ARGS__);                       \
    if (wide_)                                                                                     \
    return wide_

/* Any workspace on the device will do, and none on the host is needed. */
static cusolverStatus_t wide_size(const Entry *entry, int64_t columns, size_t *device, size_t *host)
{
    INVALID_IF(!device || !host);
    *device = (size_t)least(columns) * 32 * blas_bytes(entry->type);
    *host = 0;
    return CUSOLVER_STATUS_SUCCESS;
}
#define SIZE_OUT size_t *device_bytes, size_t *host_bytes
#define BUFFERS                                                                                    \
    UNUSED void *device_buffer, UNUSED size_t device_bytes, UNUSED void *host_buffer,              \
        UNUSED size_t host_bytes

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle,
                                             UNUSED cusolverDnParams_t params,
                                             UNUSED cublasFillMode_t uplo, int64_t n,
                                             cudaDataType type, UNUSED const void *A, int64_t lda,
                                             cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXpotrf_bufferSize, type, TYPES(compute), SIZES(n, lda));
    INVALID_IF(lda < least(n));
    return wide_size(&entry, n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A,
                                  int64_t lda, cudaDataType compute, BUFFERS, int *info)
{
    WIDE(cusolverDnXpotrf, type, TYPES(compute), SIZES(n, lda));
    return solve_potrf(&entry, handle, uplo, (int)n, A, (int)lda, NULL, 0, info);
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type,
                                  const void *A, int64_t lda, cudaDataType typeB, void *B,
                                  int64_t ldb, int *info)
{
    WIDE(cusolverDnXpotrs, type, TYPES(typeB), SIZES(n, nrhs, lda, ldb));
    return solve_potrs(&entry, handle, uplo, (int)n, (int)nrhs, A, (int)lda, B, (int)ldb, info);
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle,
                                             UNUSED cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type, UNUSED const void *A, int64_t lda,
                                             cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXgetrf_bufferSize, type, TYPES(compute), SIZES(m, n, lda));
    INVALID_IF(lda < least(m));
    return wide_size(&entry, n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                  int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                                  int64_t *pivots_out, cudaDataType compute, BUFFERS, int *info)
{
    WIDE(cusolverDnXgetrf, type, TYPES(compute), SIZES(m, n, lda));
    START(.m = (int)m, .n = (int)n, .lda = (int)lda, .a = A, .wide_pivots = pivots_out,
          .info = info);
    INVALID_IF(lda < least(m));
    return solve_submit(handle, &entry, &q, run_getrf);
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType type, const void *A, int64_t lda,
                                  const int64_t *pivots_in, cudaDataType typeB, void *B,
                                  int64_t ldb, int *info)
{
    WIDE(cusolverDnXgetrs, type, TYPES(typeB), SIZES(n, nrhs, lda, ldb));
    START(.n = (int)n, .m = (int)nrhs, .lda = (int)lda, .ldb = (int)ldb, .a_in = A, .b = B,
          .info = info);
    INVALID_IF(!operation(trans, entry.type, &q.trans) || lda < least(n) || ldb < least(n));
    q.wide_pivots = (int64_t *)(uintptr_t)pivots_in;
    return solve_submit(handle, &entry, &q, run_getrs);
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle,
                                             UNUSED cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type, UNUSED const void *A, int64_t lda,
                                             cudaDataType typeTau, UNUSED const void *tau,
                                             cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXgeqrf_bufferSize, type, TYPES(typeTau, compute), SIZES(m, n, lda));
    INVALID_IF(lda < least(m));
    return wide_size(&entry, n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                  int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                                  cudaDataType typeTau, void *tau, cudaDataType compute, BUFFERS,
                                  int *info)
{
    WIDE(cusolverDnXgeqrf, type, TYPES(typeTau, compute), SIZES(m, n, lda));
    return solve_geqrf(&entry, handle, (int)m, (int)n, A, (int)lda, tau, NULL, 0, info);
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle,
                                             UNUSED cublasFillMode_t uplo,
                                             UNUSED cublasDiagType_t diag, int64_t n,
                                             cudaDataType type, UNUSED void *A, int64_t lda,
                                             SIZE_OUT)
{
    WIDE(cusolverDnXtrtri_bufferSize, type, NULL, 0, SIZES(n, lda));
    INVALID_IF(lda < least(n));
    return wide_size(&entry, n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType type, void *A,
                                  int64_t lda, BUFFERS, int *info)
{
    WIDE(cusolverDnXtrtri, type, NULL, 0, SIZES(n, lda));
    START(.n = (int)n, .lda = (int)lda, .a = A, .info = info);
    q.job = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N';
    INVALID_IF(!solve_fill(uplo, &q.uplo) || (unsigned)diag > 1 || lda < least(n));
    return solve_submit(handle, &entry, &q, run_trtri);
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(
    cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params, UNUSED cusolverEigMode_t jobz,
    UNUSED cublasFillMode_t uplo, int64_t n, cudaDataType type, UNUSED const void *A, int64_t lda,
    cudaDataType typeW, UNUSED const void *W, cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXsyevd_bufferSize, type, TYPES(compute), SIZES(n, lda));
    INVALID_IF(lda < least(n) || typeW != real_of(type));
    return wide_size(&entry, n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType type, void *A, int64_t lda, cudaDataType typeW,
                                  void *W, cudaDataType compute, BUFFERS, int *info)
{
    WIDE(cusolverDnXsyevd, type, TYPES(compute), SIZES(n, lda));
    INVALID_IF(typeW != real_of(type));
    return solve_syevd(&entry, handle, jobz, uplo, (int)n, A, (int)lda, W, NULL, 0, info);
}

cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz,
                                              UNUSED cusolverEigRange_t range,
                                              cublasFillMode_t uplo, int64_t n, cudaDataType type,
                                              const void *A, int64_t lda, UNUSED void *vl,
                                              UNUSED void *vu, UNUSED int64_t il, UNUSED int64_t iu,
                                              UNUSED int64_t *meig, cudaDataType typeW,
                                              const void *W, cudaDataType compute, SIZE_OUT)
{
    return cusolverDnXsyevd_bufferSize(handle, params, jobz, uplo, n, type, A, lda, typeW, W,
                                       compute, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A,
                                   int64_t lda, void *vl, void *vu, int64_t il, int64_t iu,
                                   int64_t *meig, cudaDataType typeW, void *W, cudaDataType compute,
                                   BUFFERS, int *info)
{
    WIDE(cusolverDnXsyevdx, type, TYPES(compute), SIZES(n, lda));
    START(.n = (int)n, .lda = (int)lda, .a = A, .s = W, .info = info, .wide_found = meig);
    bool by_value = range == CUSOLVER_EIG_RANGE_V;
    INVALID_IF(typeW != real_of(type) || (by_value && (!vl || !vu)));
    double low = by_value ? real_at(entry.type, vl, 0) : 0;
    double high = by_value ? real_at(entry.type, vu, 0) : 0;
    q.job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    INVALID_IF(!solve_fill(uplo, &q.uplo) || (unsigned)jobz > 1 || lda < least(n) || !meig ||
               !ranged(&q, range, low, high, il, iu));
    return solve_submit(handle, &entry, &q, run_syevdx);
}

cusolverStatus_t
cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                            UNUSED signed char jobu, UNUSED signed char jobvt, int64_t m, int64_t n,
                            cudaDataType type, UNUSED const void *A, int64_t lda,
                            cudaDataType typeS, UNUSED const void *S, cudaDataType typeU,
                            UNUSED const void *U, int64_t ldu, cudaDataType typeVT,
                            UNUSED const void *VT, int64_t ldvt, cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXgesvd_bufferSize, type, TYPES(typeU, typeVT, compute),
         SIZES(m, n, lda, ldu, ldvt));
    INVALID_IF(lda < least(m) || typeS != real_of(type));
    return wide_size(&entry, m + n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType type, void *A, int64_t lda, cudaDataType typeS,
                                  void *S, cudaDataType typeU, void *U, int64_t ldu,
                                  cudaDataType typeVT, void *VT, int64_t ldvt, cudaDataType compute,
                                  BUFFERS, int *info)
{
    WIDE(cusolverDnXgesvd, type, TYPES(typeU, typeVT, compute), SIZES(m, n, lda, ldu, ldvt));
    INVALID_IF(typeS != real_of(type));
    return solve_gesvd(&entry, handle, jobu, jobvt, (int)m, (int)n, A, (int)lda, S, U, (int)ldu, VT,
                       (int)ldvt, NULL, 0, NULL, info);
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params, UNUSED cusolverEigMode_t jobz,
    UNUSED int econ, int64_t m, int64_t n, cudaDataType type, UNUSED const void *A, int64_t lda,
    cudaDataType typeS, UNUSED const void *S, cudaDataType typeU, UNUSED const void *U, int64_t ldu,
    cudaDataType typeV, UNUSED const void *V, int64_t ldv, cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXgesvdp_bufferSize, type, TYPES(typeU, typeV, compute),
         SIZES(m, n, lda, ldu, ldv));
    INVALID_IF(lda < least(m) || typeS != real_of(type));
    return wide_size(&entry, m + n, device_bytes, host_bytes);
}

/* Polar decomposition's values by LAPACK's way, which perturbs nothing: no error of sigma. */
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                   cudaDataType type, void *A, int64_t lda, cudaDataType typeS,
                                   void *S, cudaDataType typeU, void *U, int64_t ldu,
                                   cudaDataType typeV, void *V, int64_t ldv, cudaDataType compute,
                                   BUFFERS, int *info, double *h_err_sigma)
{
    WIDE(cusolverDnXgesvdp, type, TYPES(typeU, typeV, compute), SIZES(m, n, lda, ldu, ldv));
    INVALID_IF(typeS != real_of(type) || !h_err_sigma);
    *h_err_sigma = 0;
    return solve_gesvdj(&entry, handle, jobz, econ, (int)m, (int)n, A, (int)lda, S, U, (int)ldu, V,
                        (int)ldv, NULL, 0, info, NULL);
}

cusolverStatus_t cusolverDnXgesvdr_bufferSize(
    cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params, UNUSED signed char jobu,
    UNUSED signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters,
    cudaDataType type, UNUSED const void *A, int64_t lda, cudaDataType typeS, UNUSED const void *S,
    cudaDataType typeU, UNUSED const void *U, int64_t ldu, cudaDataType typeV, UNUSED const void *V,
    int64_t ldv, cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXgesvdr_bufferSize, type, TYPES(typeU, typeV, compute),
         SIZES(m, n, k, p, niters, lda, ldu, ldv));
    INVALID_IF(lda < least(m) || typeS != real_of(type));
    return wide_size(&entry, m + n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                   signed char jobu, signed char jobv, int64_t m, int64_t n,
                                   int64_t k, int64_t p, int64_t niters, cudaDataType type, void *A,
                                   int64_t lda, cudaDataType typeS, void *S, cudaDataType typeU,
                                   void *U, int64_t ldu, cudaDataType typeV, void *V, int64_t ldv,
                                   cudaDataType compute, BUFFERS, int *info)
{
    WIDE(cusolverDnXgesvdr, type, TYPES(typeU, typeV, compute),
         SIZES(m, n, k, p, niters, lda, ldu, ldv));
    START(.m = (int)m, .n = (int)n, .k = (int)k, .lda = (int)lda, .ldb = (int)ldu, .ldc = (int)ldv,
          .a = A, .b = U, .c = V, .s = S, .info = info, .job = (char)jobu, .job2 = (char)jobv);
    INVALID_IF(typeS != real_of(type) || lda < least(m) || !strchr("SN", jobu) || !jobu ||
               !strchr("SN", jobv) || !jobv || k + p > (m < n ? m : n) ||
               ldu < (jobu == 'S' ? least(m) : 1) || ldv < (jobv == 'S' ? least(n) : 1));
    return solve_submit(handle, &entry, &q, run_gesvdr);
}

cusolverStatus_t
cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                           UNUSED cusolverEigMode_t jobvl, UNUSED cusolverEigMode_t jobvr,
                           int64_t n, cudaDataType type, UNUSED const void *A, int64_t lda,
                           cudaDataType typeW, UNUSED const void *W, cudaDataType typeVL,
                           UNUSED const void *VL, int64_t ldvl, cudaDataType typeVR,
                           UNUSED const void *VR, int64_t ldvr, cudaDataType compute, SIZE_OUT)
{
    WIDE(cusolverDnXgeev_bufferSize, type, TYPES(typeVL, typeVR, compute),
         SIZES(n, lda, ldvl, ldvr));
    INVALID_IF(lda < least(n) || (typeW != type && typeW != complex_of(type)));
    return wide_size(&entry, n, device_bytes, host_bytes);
}

/* A real matrix's values are complex, or real parts before imaginary ones. */
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                 cudaDataType type, void *A, int64_t lda, cudaDataType typeW,
                                 void *W, cudaDataType typeVL, void *VL, int64_t ldvl,
                                 cudaDataType typeVR, void *VR, int64_t ldvr, cudaDataType compute,
                                 BUFFERS, int *info)
{
    WIDE(cusolverDnXgeev, type, TYPES(typeVL, typeVR, compute), SIZES(n, lda, ldvl, ldvr));
    INVALID_IF(typeW != type && typeW != complex_of(type));
    return solve_geev(&entry, handle, jobvl, jobvr, (int)n, A, (int)lda, W, typeW != type, VL,
                      (int)ldvl, VR, (int)ldvr, info);
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params, UNUSED cusolverEigMode_t jobz,
    UNUSED cublasFillMode_t uplo, int64_t n, cudaDataType type, UNUSED const void *A, int64_t lda,
    cudaDataType typeW, UNUSED const void *W, cudaDataType compute, SIZE_OUT, int64_t batch)
{
    WIDE(cusolverDnXsyevBatched_bufferSize, type, TYPES(compute), SIZES(n, lda, batch));
    INVALID_IF(lda < least(n) || typeW != real_of(type));
    return wide_size(&entry, n, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, UNUSED cusolverDnParams_t params,
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                        cudaDataType type, void *A, int64_t lda, cudaDataType typeW,
                                        void *W, cudaDataType compute, BUFFERS, int *info,
                                        int64_t batch)
{
    WIDE(cusolverDnXsyevBatched, type, TYPES(compute), SIZES(n, lda, batch));
    INVALID_IF(typeW != real_of(type));
    return solve_syevj_batched(&entry, handle, jobz, uplo, (int)n, A, (int)lda, W, NULL, 0, info,
                               NULL, (int)batch);
}

#define TYPE_OF_(letter) TYPE_##letter
#define TYPE_OF(letter)  TYPE_OF_(letter)
#define TEXT_(...)       #__VA_ARGS__
#define TEXT(...)        TEXT_(__VA_ARGS__)
#define GPUKIT_SOLVER(prefix, stem, handler, params, names)                                        \
    cusolverStatus_t GPUKIT_SOLVER_CAT(GK_L, prefix, stem)(cusolverDnHandle_t handle,              \
                                                           GPUKIT_OPEN params)                     \
    {                                                                                              \
        static const Entry entry = {TEXT(GPUKIT_SOLVER_CAT(GK_L, prefix, stem)), TYPE_OF(GK_L)};   \
        return solve_##handler(&entry, handle, GPUKIT_OPEN names);                                 \
    }
#include "gpukit/cusolver_types.h"

/* --- handles ------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    INVALID_IF(!handle);
    int error = lib_begin("cuSOLVER");
    if (error)
        return status_of(error);
    if (!blas_open("cuSOLVER"))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    *handle = xcalloc(1, sizeof **handle);
    (*handle)->magic = MAGIC;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    if (!solve_known(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->magic = 0;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    if (!solve_known(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    INVALID_IF(!rt_stream(stream, false));
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    if (!solve_known(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    INVALID_IF(!stream);
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

/* Settings of the Jacobi methods change nothing here. */
#define JACOBI(Kind, kind)                                                                         \
    cusolverStatus_t cusolverDnCreate##Kind##Info(kind##Info_t *info)                              \
    {                                                                                              \
        INVALID_IF(!info);                                                                         \
        *info = (void *)solve_jacobi_new();                                                        \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnDestroy##Kind##Info(kind##Info_t info)                              \
    {                                                                                              \
        solve_jacobi_free((void *)info);                                                           \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##kind##SetTolerance(kind##Info_t info, double tolerance)          \
    {                                                                                              \
        INVALID_IF(!info || !(tolerance >= 0));                                                    \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##kind##SetMaxSweeps(kind##Info_t info, int sweeps)                \
    {                                                                                              \
        INVALID_IF(!info || sweeps < 0);                                                           \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##kind##SetSortEig(kind##Info_t info, int sort)                    \
    {                                                                                              \
        (void)sort;                                                                                \
        INVALID_IF(!info);                                                                         \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }
JACOBI(Syevj, syevj)
JACOBI(Gesvdj, gesvdj)

/* cuSOLVER counts its own versions: 11 with CUDA 11 and 12, 12 with 13. */
cusolverStatus_t cusolverGetVersion(int *version)
{
    INVALID_IF(!version);
    *version = (CUDA_MAJOR == 13 ? 12 : 11) * 1000;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value)
{
    INVALID_IF(!value || (unsigned)type > PATCH_LEVEL);
    *value = type == MAJOR_VERSION ? (CUDA_MAJOR == 13 ? 12 : 11) : 0;
    return CUSOLVER_STATUS_SUCCESS;
}
