/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of libcusolver share: a call, its places in device memory, LAPACK for one matrix. */
#ifndef GPUKIT_LIBRARIES_CUSOLVER_H
#define GPUKIT_LIBRARIES_CUSOLVER_H

#include "libraries/blas.h"
#include "libraries/library.h"

#include <cusolverDn.h>

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
    int64_t *wide_pivots; /* in place of pivots */
    bool transpose_v;     /* gesvdj: V, not its transposed */
    cusolverEigRange_t range;
    double low, high; /* RANGE_V: low < w <= high */
    int first, last;  /* RANGE_I: from 1 */
    int *found;       /* on the host */
    int64_t *wide_found;
    int batch;                              /* each of so many, cusolver_batched.c */
    bool arrays;                            /* A and B are arrays of pointers */
    int64_t next_a, next_b, next_c, next_s; /* from one matrix to the next, in elements */
    void (*each)(Solve *);
    struct Jacobi *jacobi; /* gets the residual */
    double *norms;         /* of residuals, on the host */
    bool complex_values;   /* geev: of a real matrix */
};

/* Of the Jacobi methods; no sweep is made here. */
struct Jacobi {
    double residual;
};
struct Jacobi *solve_jacobi_new(void);
void solve_jacobi_free(struct Jacobi *jacobi); /* also while work with it is to run */

#define INVALID_IF(condition)                                                                      \
    do {                                                                                           \
        if (condition)                                                                             \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
    } while (0)
#define UNUSED __attribute__((unused))
#define START(...)                                                                                 \
    if (!solve_known(handle))                                                                      \
        return CUSOLVER_STATUS_NOT_INITIALIZED;                                                    \
    Solve q = {__VA_ARGS__}

static inline size_t real_bytes(int type)
{
    return type == TYPE_S || type == TYPE_C ? 4 : 8;
}
static inline double real_at(int type, const void *values, int64_t i)
{
    return real_bytes(type) == 4 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

bool solve_known(cusolverDnHandle_t handle);
cusolverStatus_t solve_submit(cusolverDnHandle_t handle, const Entry *entry, Solve *q,
                              void (*run)(Solve *));
/* Until what was submitted has run. */
cusolverStatus_t solve_wait(cusolverDnHandle_t handle);
bool solve_fill(cublasFillMode_t uplo, char *out);
/* Any workspace will do. */
cusolverStatus_t solve_size(int n, int *lwork);

/* Places; NULL and a failed call where memory is not all there. */
void *solve_matrix(Solve *q, const char *argument, const void *at, int rows, int cols, int ld);
void *solve_reals(Solve *q, const char *argument, const void *at, int count);
void solve_put_info(Solve *q, int info);            /* LAPACK's verdict goes to the device */
void *solve_scratch(const Solve *q, int64_t count); /* elements; the caller frees them */
int solve_workspace(int64_t n);

void solve_run_potrf(Solve *q);
void solve_run_potrs(Solve *q);
void solve_run_gesvd(Solve *q);
int solve_largest(Solve *q, void *a); /* k singular values; overwrites a */
void solve_run_syevd(Solve *q);

/* cusolver_batched.c */
void solve_run_measured(Solve *q); /* q->each, and the residual it leaves */
cusolverStatus_t solve_potrf_batched(const Entry *entry, cusolverDnHandle_t handle,
                                     cublasFillMode_t uplo, int n, void *A, int lda, int *info,
                                     int batch);
cusolverStatus_t solve_potrs_batched(const Entry *entry, cusolverDnHandle_t handle,
                                     cublasFillMode_t uplo, int n, int nrhs, void *A, int lda,
                                     void *B, int ldb, int *info, int batch);
cusolverStatus_t solve_size_gesvdj_batched(const Entry *entry, cusolverDnHandle_t handle,
                                           cusolverEigMode_t jobz, int m, int n, const void *A,
                                           int lda, const void *S, const void *U, int ldu,
                                           const void *V, int ldv, int *lwork, gesvdjInfo_t params,
                                           int batch);
cusolverStatus_t solve_gesvdj_batched(const Entry *entry, cusolverDnHandle_t handle,
                                      cusolverEigMode_t jobz, int m, int n, void *A, int lda,
                                      void *S, void *U, int ldu, void *V, int ldv, void *work,
                                      int lwork, int *info, gesvdjInfo_t params, int batch);
cusolverStatus_t solve_size_syevj_batched(const Entry *entry, cusolverDnHandle_t handle,
                                          cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                          const void *A, int lda, const void *W, int *lwork,
                                          syevjInfo_t params, int batch);
cusolverStatus_t solve_syevj_batched(const Entry *entry, cusolverDnHandle_t handle,
                                     cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, void *A,
                                     int lda, void *W, void *work, int lwork, int *info,
                                     syevjInfo_t params, int batch);
cusolverStatus_t solve_size_gesvda(const Entry *entry, cusolverDnHandle_t handle,
                                   cusolverEigMode_t jobz, int rank, int m, int n, const void *A,
                                   int lda, long long strideA, const void *S, long long strideS,
                                   const void *U, int ldu, long long strideU, const void *V,
                                   int ldv, long long strideV, int *lwork, int batch);
cusolverStatus_t solve_gesvda(const Entry *entry, cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                              int rank, int m, int n, const void *A, int lda, long long strideA,
                              void *S, long long strideS, void *U, int ldu, long long strideU,
                              void *V, int ldv, long long strideV, void *work, int lwork, int *info,
                              double *norms, int batch);
cusolverStatus_t solve_geev(const Entry *entry, cusolverDnHandle_t handle, cusolverEigMode_t jobvl,
                            cusolverEigMode_t jobvr, int n, void *A, int lda, void *W,
                            bool complex_values, void *VL, int ldvl, void *VR, int ldvr, int *info);

#endif
