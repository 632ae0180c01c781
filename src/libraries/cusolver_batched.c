/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusolver: batches of small matrices, one after the other by LAPACK; what the Jacobi methods report;
 * eigenvalues of general matrices. */
#include "libraries/cusolver.h"

#include "base/arena.h"
#include "base/handles.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- batches -------------------------------------------------------------------------------- */

static void *moved(void *base, int64_t elements, size_t bytes)
{
    return base ? (char *)base + elements * (int64_t)bytes : NULL;
}

static void run_batch(Solve *q)
{
    size_t bytes = blas_bytes(q->type), pointers = (size_t)q->batch * sizeof(void *);
    void *const *a = q->arrays ? lib_reach(&q->head, "A", q->a, pointers) : NULL;
    void *const *b = q->arrays && q->b ? lib_reach(&q->head, "B", q->b, pointers) : NULL;
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        Solve one = *q;
        one.a = a ? a[i] : moved(q->a, i * q->next_a, bytes);
        one.b = b ? b[i] : moved(q->b, i * q->next_b, bytes);
        one.c = moved(q->c, i * q->next_c, bytes);
        one.s = moved(q->s, i * q->next_s, real_bytes(q->type));
        one.norms = q->norms ? q->norms + i : NULL;
        one.a_in = one.a;
        /* One verdict each, but for solutions, which have one for all. */
        one.info = q->info && q->each != solve_run_potrs ? q->info + i : q->info;
        q->each(&one);
        q->head.failed = one.head.failed;
    }
}

static cusolverStatus_t submit_batch(cusolverDnHandle_t handle, const Entry *entry, Solve *q,
                                     void (*each)(Solve *), int batch)
{
    INVALID_IF(batch < 0);
    q->batch = batch;
    q->each = each;
    return batch ? solve_submit(handle, entry, q, run_batch) : CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solve_potrf_batched(const Entry *entry, cusolverDnHandle_t handle,
                                     cublasFillMode_t uplo, int n, void *A, int lda, int *info,
                                     int batch)
{
    START(.n = n, .lda = lda, .a = A, .info = info, .arrays = true);
    INVALID_IF(!solve_fill(uplo, &q.uplo) || n < 0 || lda < least(n));
    return submit_batch(handle, entry, &q, solve_run_potrf, batch);
}

cusolverStatus_t solve_potrs_batched(const Entry *entry, cusolverDnHandle_t handle,
                                     cublasFillMode_t uplo, int n, int nrhs, void *A, int lda,
                                     void *B, int ldb, int *info, int batch)
{
    START(.n = n, .m = nrhs, .lda = lda, .ldb = ldb, .a = A, .b = B, .info = info, .arrays = true);
    INVALID_IF(!solve_fill(uplo, &q.uplo) || n < 0 || nrhs < 0 || lda < least(n) || ldb < least(n));
    return submit_batch(handle, entry, &q, solve_run_potrs, batch);
}

cusolverStatus_t solve_size_gesvdj_batched(UNUSED const Entry *entry, cusolverDnHandle_t handle,
                                           UNUSED cusolverEigMode_t jobz, int m, int n,
                                           UNUSED const void *A, int lda, UNUSED const void *S,
                                           UNUSED const void *U, UNUSED int ldu,
                                           UNUSED const void *V, UNUSED int ldv, int *lwork,
                                           UNUSED gesvdjInfo_t params, int batch)
{
    INVALID_IF(m < 0 || lda < least(m) || batch < 0);
    return solve_known(handle) ? solve_size(n, lwork) : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t solve_gesvdj_batched(const Entry *entry, cusolverDnHandle_t handle,
                                      cusolverEigMode_t jobz, int m, int n, void *A, int lda,
                                      void *S, void *U, int ldu, void *V, int ldv,
                                      UNUSED void *work, UNUSED int lwork, int *info,
                                      UNUSED gesvdjInfo_t params, int batch)
{
    START(.m = m, .n = n, .lda = lda, .ldb = ldu, .ldc = ldv, .a = A, .b = U, .c = V, .s = S,
          .info = info, .transpose_v = true);
    bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    INVALID_IF((unsigned)jobz > 1 || m < 0 || n < 0 || lda < least(m) ||
               (vectors && (ldu < least(m) || ldv < least(n))));
    q.job = q.job2 = vectors ? 'A' : 'N';
    q.next_a = (int64_t)lda * n;
    q.next_b = (int64_t)ldu * m;
    q.next_c = (int64_t)ldv * n;
    q.next_s = m < n ? m : n;
    return submit_batch(handle, entry, &q, solve_run_gesvd, batch);
}

cusolverStatus_t solve_size_syevj_batched(UNUSED const Entry *entry, cusolverDnHandle_t handle,
                                          UNUSED cusolverEigMode_t jobz,
                                          UNUSED cublasFillMode_t uplo, int n, UNUSED const void *A,
                                          int lda, UNUSED const void *W, int *lwork,
                                          UNUSED syevjInfo_t params, int batch)
{
    INVALID_IF(lda < least(n) || batch < 0);
    return solve_known(handle) ? solve_size(n, lwork) : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t solve_syevj_batched(const Entry *entry, cusolverDnHandle_t handle,
                                     cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, void *A,
                                     int lda, void *W, UNUSED void *work, UNUSED int lwork,
                                     int *info, UNUSED syevjInfo_t params, int batch)
{
    START(.n = n, .lda = lda, .a = A, .s = W, .info = info);
    q.job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    INVALID_IF(!solve_fill(uplo, &q.uplo) || (unsigned)jobz > 1 || n < 0 || lda < least(n));
    q.next_a = (int64_t)lda * n;
    q.next_s = n;
    return submit_batch(handle, entry, &q, solve_run_syevd, batch);
}

/* --- residuals ------------------------------------------------------------------------------ */

/* The Frobenius norm of a - u diag(s) v', with rank columns in u and v; a (tight) is overwritten. */
static double residual(const Solve *q, int m, int n, int rank, char *a, const char *u, int ldu,
                       const void *s, const void *v, int ldv)
{
    size_t bytes = blas_bytes(q->type);
    char *scaled = solve_scratch(q, (int64_t)m * rank);
    unsigned char factor[16];
    int leading = (int)least(m);
    for (int j = 0; j < rank; j++) {
        double value = real_at(q->type, s, j);
        float narrow = (float)value;
        memcpy(factor, real_bytes(q->type) == 4 ? (void *)&narrow : (void *)&value,
               real_bytes(q->type));
        char *column = scaled + (size_t)((int64_t)j * m) * bytes;
        memcpy(column, u + (size_t)((int64_t)j * ldu) * bytes, (size_t)m * bytes);
        blas.scal_real[q->type](&m, factor, column, &(int){1});
    }
    static const float minus_float[2] = {-1, 0};
    static const double minus_double[2] = {-1, 0};
    const void *minus = real_bytes(q->type) == 4 ? (void *)minus_float : (void *)minus_double;
    char turned = blas_is_complex(q->type) ? 'C' : 'T';
    if (rank)
        blas.gemm[q->type]("N", &turned, &m, &n, &rank, minus, scaled, &leading, v, &ldv,
                           blas_one(q->type), a, &leading);
    free(scaled);
    double sum = 0;
    for (int64_t i = 0; i < (int64_t)m * n * (blas_is_complex(q->type) ? 2 : 1); i++)
        sum += real_at(q->type, a, i) * real_at(q->type, a, i);
    return sqrt(sum);
}

/* A as it was, tight; of an eigenvalue problem both triangles from the one that is stored. */
static char *original(const Solve *q, const char *a, int m, int n)
{
    size_t bytes = blas_bytes(q->type), half = bytes / 2;
    char *copy = solve_scratch(q, (int64_t)m * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            bool mirror = q->uplo && (q->uplo == 'U' ? i > j : i < j);
            int64_t from = mirror ? (int64_t)i * q->lda + j : (int64_t)j * q->lda + i;
            char *to = copy + (size_t)((int64_t)j * m + i) * bytes;
            memcpy(to, a + (size_t)from * bytes, bytes);
            if (mirror && blas_is_complex(q->type)) /* the sign of the imaginary part */
                to[2 * half - 1] = (char)(to[2 * half - 1] ^ 0x80);
            if (q->uplo && i == j && blas_is_complex(q->type)) /* a diagonal is real */
                memset(to + half, 0, half);
        }
    return copy;
}

/* Settings that are destroyed while work with them is still to run get no residual. */
static Handles settings = HANDLES_NONE;
static pthread_mutex_t settings_lock = PTHREAD_MUTEX_INITIALIZER;

struct Jacobi *solve_jacobi_new(void)
{
    struct Jacobi *jacobi = xcalloc(1, sizeof *jacobi);
    handles_add(&settings, jacobi);
    return jacobi;
}

void solve_jacobi_free(struct Jacobi *jacobi)
{
    pthread_mutex_lock(&settings_lock);
    bool known = handles_remove(&settings, jacobi);
    pthread_mutex_unlock(&settings_lock);
    if (known)
        free(jacobi);
}

static void tell_residual(struct Jacobi *jacobi, double value)
{
    pthread_mutex_lock(&settings_lock);
    if (handles_has(&settings, jacobi))
        jacobi->residual = value;
    pthread_mutex_unlock(&settings_lock);
}

/* Without vectors nothing is measured. */
void solve_run_measured(Solve *q)
{
    bool eigen = q->uplo != 0;
    int m = eigen ? q->n : q->m, rank = m < q->n ? m : q->n;
    char *a = q->job == 'N' || q->itype ? NULL : solve_matrix(q, "A", q->a, m, q->n, q->lda);
    char *before = a ? original(q, a, m, q->n) : NULL;
    q->each(q);
    tell_residual(q->jacobi, 0);
    if (before && !q->head.failed) {
        const void *s = solve_reals(q, "S", q->s, rank);
        const void *u = eigen ? a : solve_matrix(q, "U", q->b, m, rank, q->ldb);
        const void *v = eigen ? a : solve_matrix(q, "V", q->c, q->n, rank, q->ldc);
        if (s && u && v)
            tell_residual(q->jacobi, residual(q, m, q->n, rank, before, u, eigen ? q->lda : q->ldb,
                                              s, v, eigen ? q->lda : q->ldc));
    }
    free(before);
}

/* The residual is there when the stream is done; the decomposition itself knows no sweeps. */
#define REPORTS(kind)                                                                              \
    cusolverStatus_t cusolverDnX##kind##GetSweeps(cusolverDnHandle_t handle, kind##Info_t info,    \
                                                  int *sweeps)                                     \
    {                                                                                              \
        if (!solve_known(handle))                                                                  \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                \
        INVALID_IF(!info || !sweeps);                                                              \
        *sweeps = 0;                                                                               \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##kind##GetResidual(cusolverDnHandle_t handle, kind##Info_t info,  \
                                                    double *out)                                   \
    {                                                                                              \
        if (!solve_known(handle))                                                                  \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                \
        INVALID_IF(!info || !out);                                                                 \
        cusolverStatus_t status = solve_wait(handle);                                              \
        *out = ((struct Jacobi *)(void *)info)->residual;                                          \
        return status;                                                                             \
    }
REPORTS(syevj)
REPORTS(gesvdj)

/* --- singular values of tall matrices ------------------------------------------------------- */

/* A is kept; the norms are on the host, where the call waits for them. */
static void run_gesvda(Solve *q)
{
    Solve one = *q;
    const char *a = solve_matrix(q, "A", q->a, q->m, q->n, q->lda);
    char *copy = a ? original(q, a, q->m, q->n) : NULL;
    if (!copy)
        return;
    char *work = solve_scratch(q, (int64_t)q->m * q->n);
    memcpy(work, copy, (size_t)((int64_t)q->m * q->n) * blas_bytes(q->type));
    one.lda = (int)least(q->m);
    int info = solve_largest(&one, work);
    q->head.failed = one.head.failed;
    solve_put_info(q, info);
    if (q->norms && !q->head.failed && q->job == 'S') {
        const void *s = solve_reals(q, "S", q->s, q->k);
        const void *u = solve_matrix(q, "U", q->b, q->m, q->k, q->ldb);
        const void *v = solve_matrix(q, "V", q->c, q->n, q->k, q->ldc);
        if (s && u && v)
            *q->norms = residual(q, q->m, q->n, q->k, copy, u, q->ldb, s, v, q->ldc);
    }
    free(copy);
    free(work);
}

cusolverStatus_t solve_size_gesvda(UNUSED const Entry *entry, cusolverDnHandle_t handle,
                                   UNUSED cusolverEigMode_t jobz, int rank, int m, int n,
                                   UNUSED const void *A, int lda, UNUSED long long strideA,
                                   UNUSED const void *S, UNUSED long long strideS,
                                   UNUSED const void *U, UNUSED int ldu, UNUSED long long strideU,
                                   UNUSED const void *V, UNUSED int ldv, UNUSED long long strideV,
                                   int *lwork, int batch)
{
    INVALID_IF(m < n || rank < 0 || rank > n || lda < least(m) || batch < 0);
    return solve_known(handle) ? solve_size(n, lwork) : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t solve_gesvda(const Entry *entry, cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                              int rank, int m, int n, const void *A, int lda, long long strideA,
                              void *S, long long strideS, void *U, int ldu, long long strideU,
                              void *V, int ldv, long long strideV, UNUSED void *work,
                              UNUSED int lwork, int *info, double *norms, int batch)
{
    START(.m = m, .n = n, .k = rank, .lda = lda, .ldb = ldu, .ldc = ldv, .b = U, .c = V, .s = S,
          .info = info, .norms = norms, .next_a = strideA, .next_b = strideU, .next_c = strideV,
          .next_s = strideS);
    bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    INVALID_IF((unsigned)jobz > 1 || m < n || n < 0 || rank < 0 || rank > n || lda < least(m) ||
               (vectors && (ldu < least(m) || ldv < least(n))));
    q.a = (void *)(uintptr_t)A;
    q.job = q.job2 = vectors ? 'S' : 'N';
    return submit_batch(handle, entry, &q, run_gesvda, batch);
}

/* --- general eigenvalues --------------------------------------------------------------------- */

static void run_geev(Solve *q)
{
    int t = q->type, n = q->n, info = 0, room = solve_workspace((int64_t)n + 4);
    bool is_complex = blas_is_complex(t);
    void *a = solve_matrix(q, "A", q->a, n, n, q->lda);
    void *left = q->job == 'V' ? solve_matrix(q, "VL", q->b, n, n, q->ldb) : NULL;
    void *right = q->job2 == 'V' ? solve_matrix(q, "VR", q->c, n, n, q->ldc) : NULL;
    /* of a real matrix: all real parts, then all imaginary ones; or pairs */
    char *w = solve_matrix(q, "W", q->s, is_complex ? n : 2 * n, 1, 1);
    if (a && w && !q->head.failed) {
        void *work = solve_scratch(q, room), *more = solve_scratch(q, 2 * (int64_t)n);
        size_t bytes = blas_bytes(t);
        if (is_complex) {
            blas.geev_complex[t](&q->job, &q->job2, &n, a, &q->lda, w, left, &q->ldb, right,
                                 &q->ldc, work, &room, more, &info, 1, 1);
        } else {
            char *parts = more, *imaginary = parts + (size_t)n * bytes;
            blas.geev[t](&q->job, &q->job2, &n, a, &q->lda, parts, imaginary, left, &q->ldb, right,
                         &q->ldc, work, &room, &info, 1, 1);
            for (int i = 0; i < n && q->complex_values; i++) {
                memcpy(w + 2 * (size_t)i * bytes, parts + (size_t)i * bytes, bytes);
                memcpy(w + (2 * (size_t)i + 1) * bytes, imaginary + (size_t)i * bytes, bytes);
            }
            if (!q->complex_values)
                memcpy(w, parts, 2 * (size_t)n * bytes);
        }
        free(work);
        free(more);
    }
    solve_put_info(q, info);
}

cusolverStatus_t solve_geev(const Entry *entry, cusolverDnHandle_t handle, cusolverEigMode_t jobvl,
                            cusolverEigMode_t jobvr, int n, void *A, int lda, void *W,
                            bool complex_values, void *VL, int ldvl, void *VR, int ldvr, int *info)
{
    START(.n = n, .lda = lda, .ldb = ldvl, .ldc = ldvr, .a = A, .b = VL, .c = VR, .s = W,
          .info = info, .complex_values = complex_values);
    bool left = jobvl == CUSOLVER_EIG_MODE_VECTOR, right = jobvr == CUSOLVER_EIG_MODE_VECTOR;
    INVALID_IF((unsigned)jobvl > 1 || (unsigned)jobvr > 1 || n < 0 || lda < least(n) ||
               ldvl < (left ? least(n) : 1) || ldvr < (right ? least(n) : 1));
    q.job = left ? 'V' : 'N';
    q.job2 = right ? 'V' : 'N';
    return solve_submit(handle, entry, &q, run_geev);
}
