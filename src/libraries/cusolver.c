/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusolver: dense factorisations, solutions, eigenvalues and singular values (cusolverDn) by
 * OpenBLAS' LAPACK, for all element types by one function each. The program's workspace is not
 * used; its size is what a small one would be. Jacobi forms (syevj, gesvdj) give the same results
 * by divide and conquer. Sparse, refactorisation and multi-device parts are refused (cusolver.def).
 */
#include "base/arena.h"
#include "libraries/blas.h"
#include "libraries/library.h"

#include <cusolverDn.h>
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

typedef struct {
    const char *name;
    int type;
} Entry;

typedef struct Solve Solve;
struct Solve {
    LibCall head;
    void (*run)(Solve *);
    int type, m, n, k, lda, ldb, ldc, itype;
    char side, uplo, trans, job, job2;
    const void *a_in;
    void *a, *b, *c, *s, *tau;
    int *pivots, *info;
    bool transpose_v; /* gesvdj: V, not its transposed */
};

#define INVALID_IF(condition)                                                                      \
    do {                                                                                           \
        if (condition)                                                                             \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
    } while (0)

static size_t real_bytes(int type)
{
    return type == TYPE_S || type == TYPE_C ? 4 : 8;
}

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

static bool known(cusolverDnHandle_t handle)
{
    return handle && handle->magic == MAGIC;
}

static cusolverStatus_t submit(cusolverDnHandle_t handle, const Entry *entry, Solve *q,
                               void (*run)(Solve *))
{
    q->head.run = run_solve;
    q->head.name = entry->name;
    q->run = run;
    q->type = entry->type;
    return status_of(lib_submit(rt_stream(handle->stream, false), &q->head, sizeof *q, false));
}

/* --- places -------------------------------------------------------------------------------- */

static void *matrix(Solve *q, const char *argument, const void *at, int rows, int cols, int ld)
{
    if (rows <= 0 || cols <= 0)
        return NULL;
    return lib_reach(&q->head, argument, at,
                     lib_bytes((int64_t)(cols - 1) * ld + rows, blas_bytes(q->type)));
}

static void *reals(Solve *q, const char *argument, const void *at, int count)
{
    return count > 0 ? lib_reach(&q->head, argument, at, (size_t)count * real_bytes(q->type))
                     : NULL;
}

/* LAPACK's verdict goes to the device, where the program reads it. */
static void put_info(Solve *q, int info)
{
    int *place = q->info ? lib_reach(&q->head, "devInfo", q->info, sizeof *place) : NULL;
    if (place)
        *place = info;
}

/* Workspace that LAPACK likes for n columns: blocks of 64, as long as that is not gigantic. */
static int workspace(int64_t n)
{
    return (int)(n < 1 << 24 ? n * 64 + 8192 : n + 8192 < INT_MAX ? n + 8192 : INT_MAX);
}

/* Scratch memory of so many elements of the type; the caller frees it. */
static void *scratch(const Solve *q, int64_t count)
{
    return xmalloc((size_t)(count + 1) * blas_bytes(q->type));
}

static bool characters(cublasFillMode_t uplo, char *out)
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

static void run_potrf(Solve *q)
{
    void *a = matrix(q, "A", q->a, q->n, q->n, q->lda);
    int info = 0;
    if (a)
        (q->job == 'I' ? blas.potri : blas.potrf)[q->type](&q->uplo, &q->n, a, &q->lda, &info, 1);
    put_info(q, info);
}

static void run_potrs(Solve *q)
{
    const void *a = matrix(q, "A", q->a_in, q->n, q->n, q->lda);
    void *b = matrix(q, "B", q->b, q->n, q->m, q->ldb);
    int info = 0;
    if (a && b)
        blas.potrs[q->type](&q->uplo, &q->n, &q->m, a, &q->lda, b, &q->ldb, &info, 1);
    put_info(q, info);
}

static void run_getrf(Solve *q)
{
    int rank = q->m < q->n ? q->m : q->n, info = 0;
    void *a = matrix(q, "A", q->a, q->m, q->n, q->lda);
    int *pivots = q->pivots && rank
                      ? lib_reach(&q->head, "devIpiv", q->pivots, (size_t)rank * sizeof(int))
                      : NULL;
    if (a && !q->head.failed) {
        if (pivots)
            blas.getrf[q->type](&q->m, &q->n, a, &q->lda, pivots, &info);
        else
            info = blas_lu(q->type, q->m, q->n, a, q->lda);
    }
    put_info(q, info);
}

static void run_getrs(Solve *q)
{
    const void *a = matrix(q, "A", q->a_in, q->n, q->n, q->lda);
    void *b = matrix(q, "B", q->b, q->n, q->m, q->ldb);
    const int *pivots =
        q->pivots ? lib_reach(&q->head, "devIpiv", q->pivots, (size_t)q->n * sizeof(int)) : NULL;
    int *rows = xmalloc(((size_t)q->n + 1) * sizeof *rows), info = 0;
    for (int i = 0; i < q->n; i++)
        rows[i] = i + 1;
    if (a && b && !q->head.failed)
        blas.getrs[q->type](&q->trans, &q->n, &q->m, a, &q->lda, pivots ? pivots : rows, b, &q->ldb,
                            &info, 1);
    free(rows);
    put_info(q, info);
}

static void run_geqrf(Solve *q)
{
    int rank = q->m < q->n ? q->m : q->n, room = workspace(q->n), info = 0;
    void *a = matrix(q, "A", q->a, q->m, q->n, q->lda), *tau = matrix(q, "tau", q->tau, rank, 1, 1);
    void *work = scratch(q, room);
    if (a && tau)
        blas.geqrf[q->type](&q->m, &q->n, a, &q->lda, tau, work, &room, &info);
    free(work);
    put_info(q, info);
}

static void run_orgqr(Solve *q)
{
    int room = workspace(q->n), info = 0;
    void *a = matrix(q, "A", q->a, q->m, q->n, q->lda), *tau = matrix(q, "tau", q->tau, q->k, 1, 1);
    void *work = scratch(q, room);
    if (a && !q->head.failed)
        blas.orgqr[q->type](&q->m, &q->n, &q->k, a, &q->lda, tau, work, &room, &info);
    free(work);
    put_info(q, info);
}

static void run_ormqr(Solve *q)
{
    int order = q->side == 'L' ? q->m : q->n, room = workspace((int64_t)q->m + q->n), info = 0;
    const void *a = matrix(q, "A", q->a_in, order, q->k, q->lda);
    const void *tau = matrix(q, "tau", q->tau, q->k, 1, 1);
    void *c = matrix(q, "C", q->c, q->m, q->n, q->ldc), *work = scratch(q, room);
    if (c && !q->head.failed && q->k)
        blas.ormqr[q->type](&q->side, &q->trans, &q->m, &q->n, &q->k, a, &q->lda, tau, c, &q->ldc,
                            work, &room, &info, 1, 1);
    free(work);
    put_info(q, info);
}

/* --- singular values and eigenvalues ------------------------------------------------------- */

/* V = conjugate transposed of VT (rows x n, tight) into v. */
static void transpose(const Solve *q, const char *vt, int rows, char *v, int ldv)
{
    size_t bytes = blas_bytes(q->type), half = bytes / 2;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < q->n; j++) {
            char *to = v + (size_t)((int64_t)i * ldv + j) * bytes;
            memcpy(to, vt + (size_t)((int64_t)j * rows + i) * bytes, bytes);
            if (blas_is_complex(q->type)) /* the sign of the imaginary part (little-endian) */
                to[2 * half - 1] = (char)(to[2 * half - 1] ^ 0x80);
        }
}

static void run_gesvd(Solve *q)
{
    int rank = q->m < q->n ? q->m : q->n, info = 0;
    int u_cols = q->job == 'A' ? q->m : q->job == 'S' ? rank : 0;
    int vt_rows = q->job2 == 'A' ? q->n : q->job2 == 'S' ? rank : 0;
    void *a = matrix(q, "A", q->a, q->m, q->n, q->lda), *s = reals(q, "S", q->s, rank);
    void *u = matrix(q, "U", q->b, u_cols ? q->m : 0, u_cols, q->ldb);
    void *v = q->transpose_v ? matrix(q, "V", q->c, q->n, vt_rows, q->ldc)
                             : matrix(q, "VT", q->c, vt_rows, vt_rows ? q->n : 0, q->ldc);
    void *vt = q->transpose_v && v ? scratch(q, (int64_t)vt_rows * q->n) : v;
    int ldvt = q->transpose_v ? least(vt_rows) : q->ldc;
    if (a && s && !q->head.failed) {
        int room = workspace((int64_t)q->m + q->n + 5 * (int64_t)rank);
        void *work = scratch(q, room);
        if (blas_is_complex(q->type)) {
            void *more = scratch(q, 5 * (int64_t)rank + 1);
            blas.gesvd_complex[q->type](&q->job, &q->job2, &q->m, &q->n, a, &q->lda, s, u, &q->ldb,
                                        vt, &ldvt, work, &room, more, &info, 1, 1);
            free(more);
        } else {
            blas.gesvd[q->type](&q->job, &q->job2, &q->m, &q->n, a, &q->lda, s, u, &q->ldb, vt,
                                &ldvt, work, &room, &info, 1, 1);
        }
        free(work);
        if (q->transpose_v && v)
            transpose(q, vt, vt_rows, v, q->ldc);
    }
    if (vt != v)
        free(vt);
    put_info(q, info);
}

/* itype 0: A x = w x; else with B, as LAPACK counts the kinds. */
static void run_syevd(Solve *q)
{
    int64_t n = q->n;
    int64_t wanted = 2 * n * n + 70 * n + 1;
    int room = (int)(wanted < INT_MAX ? wanted : INT_MAX), rroom = room, iroom = 5 * q->n + 3;
    int info = 0, t = q->type;
    void *a = matrix(q, "A", q->a, q->n, q->n, q->lda), *w = reals(q, "W", q->s, q->n);
    void *b = q->itype ? matrix(q, "B", q->b, q->n, q->n, q->ldb) : NULL;
    if (a && w && !q->head.failed) {
        void *work = scratch(q, room), *rwork = scratch(q, rroom);
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
    put_info(q, info);
}

/* --- the entries' functions ---------------------------------------------------------------- */

#define HANDLER(name, ...)                                                                         \
    static cusolverStatus_t solve_##name(const Entry *entry, cusolverDnHandle_t handle, __VA_ARGS__)

/* Any workspace will do. */
static cusolverStatus_t size(int n, int *lwork)
{
    INVALID_IF(!lwork || n < 0);
    *lwork = least(n) * 32;
    return CUSOLVER_STATUS_SUCCESS;
}
#define SIZE(name, n, ...)                                                                         \
    HANDLER(name, __VA_ARGS__, int *lwork)                                                         \
    {                                                                                              \
        (void)entry;                                                                               \
        return known(handle) ? size(n, lwork) : CUSOLVER_STATUS_NOT_INITIALIZED;                   \
    }
#define UNUSED __attribute__((unused))
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
HANDLER(size_syevj, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const void *A, int lda,
        const void *W, int *lwork, UNUSED syevjInfo_t params)
{
    return solve_size_syevd(entry, handle, jobz, uplo, n, A, lda, W, lwork);
}

#define START(...)                                                                                 \
    if (!known(handle))                                                                            \
        return CUSOLVER_STATUS_NOT_INITIALIZED;                                                    \
    Solve q = {__VA_ARGS__}

HANDLER(potrf, cublasFillMode_t uplo, int n, void *A, int lda, UNUSED void *work, UNUSED int lwork,
        int *info)
{
    START(.n = n, .lda = lda, .a = A, .info = info);
    INVALID_IF(!characters(uplo, &q.uplo) || n < 0 || lda < least(n));
    return submit(handle, entry, &q, run_potrf);
}
HANDLER(potri, cublasFillMode_t uplo, int n, void *A, int lda, UNUSED void *work, UNUSED int lwork,
        int *info)
{
    START(.n = n, .lda = lda, .a = A, .info = info, .job = 'I');
    INVALID_IF(!characters(uplo, &q.uplo) || n < 0 || lda < least(n));
    return submit(handle, entry, &q, run_potrf);
}
HANDLER(potrs, cublasFillMode_t uplo, int n, int nrhs, const void *A, int lda, void *B, int ldb,
        int *info)
{
    START(.n = n, .m = nrhs, .lda = lda, .ldb = ldb, .a_in = A, .b = B, .info = info);
    INVALID_IF(!characters(uplo, &q.uplo) || n < 0 || nrhs < 0 || lda < least(n) || ldb < least(n));
    return submit(handle, entry, &q, run_potrs);
}
HANDLER(getrf, int m, int n, void *A, int lda, UNUSED void *work, int *pivots, int *info)
{
    START(.m = m, .n = n, .lda = lda, .a = A, .pivots = pivots, .info = info);
    INVALID_IF(m < 0 || n < 0 || lda < least(m));
    return submit(handle, entry, &q, run_getrf);
}
HANDLER(getrs, cublasOperation_t trans, int n, int nrhs, const void *A, int lda, const int *pivots,
        void *B, int ldb, int *info)
{
    START(.n = n, .m = nrhs, .lda = lda, .ldb = ldb, .a_in = A, .b = B, .info = info);
    INVALID_IF(!operation(trans, entry->type, &q.trans) || n < 0 || nrhs < 0 || lda < least(n) ||
               ldb < least(n));
    q.pivots = (int *)(uintptr_t)pivots;
    return submit(handle, entry, &q, run_getrs);
}
HANDLER(geqrf, int m, int n, void *A, int lda, void *tau, UNUSED void *work, UNUSED int lwork,
        int *info)
{
    START(.m = m, .n = n, .lda = lda, .a = A, .tau = tau, .info = info);
    INVALID_IF(m < 0 || n < 0 || lda < least(m));
    return submit(handle, entry, &q, run_geqrf);
}
HANDLER(orgqr, int m, int n, int k, void *A, int lda, const void *tau, UNUSED void *work,
        UNUSED int lwork, int *info)
{
    START(.m = m, .n = n, .k = k, .lda = lda, .a = A, .info = info);
    INVALID_IF(m < 0 || n < 0 || n > m || k < 0 || k > n || lda < least(m));
    q.tau = (void *)(uintptr_t)tau;
    return submit(handle, entry, &q, run_orgqr);
}
HANDLER(ormqr, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const void *A,
        int lda, const void *tau, void *C, int ldc, UNUSED void *work, UNUSED int lwork, int *info)
{
    START(.m = m, .n = n, .k = k, .lda = lda, .ldc = ldc, .a_in = A, .c = C, .info = info);
    q.side = side == CUBLAS_SIDE_RIGHT ? 'R' : 'L';
    INVALID_IF((unsigned)side > 1 || !operation(trans, entry->type, &q.trans) || m < 0 || n < 0 ||
               k < 0 || k > (side ? n : m) || lda < least(side ? n : m) || ldc < least(m));
    q.tau = (void *)(uintptr_t)tau;
    return submit(handle, entry, &q, run_ormqr);
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
    return submit(handle, entry, &q, run_gesvd);
}
HANDLER(gesvdj, cusolverEigMode_t jobz, int econ, int m, int n, void *A, int lda, void *S, void *U,
        int ldu, void *V, int ldv, UNUSED void *work, UNUSED int lwork, int *info,
        UNUSED gesvdjInfo_t params)
{
    START(.m = m, .n = n, .lda = lda, .ldb = ldu, .ldc = ldv, .a = A, .b = U, .c = V, .s = S,
          .info = info);
    bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    INVALID_IF((unsigned)jobz > 1 || m < 0 || n < 0 || lda < least(m) ||
               (vectors && (ldu < least(m) || ldv < least(n))));
    q.job = q.job2 = !vectors ? 'N' : econ ? 'S' : 'A';
    q.transpose_v = true;
    return submit(handle, entry, &q, run_gesvd);
}
HANDLER(sygvd, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
        void *A, int lda, void *B, int ldb, void *W, UNUSED void *work, UNUSED int lwork, int *info)
{
    START(.n = n, .lda = lda, .ldb = ldb, .a = A, .b = B, .s = W, .info = info,
          .itype = (int)itype);
    q.job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    INVALID_IF(!characters(uplo, &q.uplo) || (unsigned)jobz > 1 || n < 0 || lda < least(n) ||
               (itype && ldb < least(n)) || (unsigned)itype > 3);
    return submit(handle, entry, &q, run_syevd);
}
HANDLER(syevd, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, void *A, int lda, void *W,
        void *work, int lwork, int *info)
{
    return solve_sygvd(entry, handle, (cusolverEigType_t)0, jobz, uplo, n, A, lda, NULL, n, W, work,
                       lwork, info);
}
HANDLER(syevj, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, void *A, int lda, void *W,
        void *work, int lwork, int *info, UNUSED syevjInfo_t params)
{
    return solve_syevd(entry, handle, jobz, uplo, n, A, lda, W, work, lwork, info);
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
    if (!known(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->magic = 0;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    if (!known(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    INVALID_IF(!rt_stream(stream, false));
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    if (!known(handle))
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
        *info = xcalloc(1, 1);                                                                     \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnDestroy##Kind##Info(kind##Info_t info)                              \
    {                                                                                              \
        free(info);                                                                                \
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
