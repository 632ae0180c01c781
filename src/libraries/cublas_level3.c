/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas, level 3: products and solutions of whole matrices, one or a batch of them, and the
 * element-wise geam and dgmm. */
#include "libraries/cublas.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static size_t real_bytes(int type)
{
    return type == TYPE_S || type == TYPE_C ? 4 : 8;
}

/* --- gemm ---------------------------------------------------------------------------------- */

/* Arrays of pointers, or one matrix with strides. */
static const char *member(const Call *q, const void *base, const void *const *array, int i,
                          long long stride)
{
    return array ? array[i] : (const char *)base + i * stride * (long long)blas_bytes(q->type);
}

static void run_gemm(Call *q)
{
    ALPHA;
    BETA;
    const void *const *as = NULL, *const *bs = NULL, *const *cs = NULL;
    if (!q->strided) {
        size_t bytes = (size_t)q->batch * sizeof(void *);
        as = lib_reach(&q->head, "Aarray", q->a, bytes);
        bs = lib_reach(&q->head, "Barray", q->b, bytes);
        cs = lib_reach(&q->head, "Carray", q->c, bytes);
    }
    if (!alpha || !beta || q->head.failed)
        return;
    bool no_product = !q->k || memcmp(alpha, blas_zero, blas_bytes(q->type)) == 0;
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        const void *a = NULL, *b = NULL;
        if (!no_product) {
            a = matrix(q, "A", member(q, q->a, as, i, q->stride_a), q->ta == 'N' ? q->m : q->k,
                       q->ta == 'N' ? q->k : q->m, q->lda);
            b = matrix(q, "B", member(q, q->b, bs, i, q->stride_b), q->tb == 'N' ? q->k : q->n,
                       q->tb == 'N' ? q->n : q->k, q->ldb);
        }
        void *c = matrix(q, "C", member(q, q->c, cs, i, q->stride_c), q->m, q->n, q->ldc);
        if (c && !q->head.failed)
            blas.gemm[q->type](&q->ta, &q->tb, &q->m, &q->n, &q->k, alpha, a, &q->lda, b, &q->ldb,
                               beta, c, &q->ldc);
    }
}

static cublasStatus_t gemm(const Entry *entry, cublasHandle_t handle, Op transa, Op transb, Int m,
                           Int n, Int k, In alpha, In A, Int lda, long long stride_a, In B, Int ldb,
                           long long stride_b, In beta, In C, Int ldc, long long stride_c,
                           Int batch, bool strided)
{
    START(run_gemm);
    const Gemm g = {transa, transb, m,        n,    k, alpha, A,        lda,   stride_a,
                    B,      ldb,    stride_b, beta, C, ldc,   stride_c, batch, strided};
    INVALID_IF(!gemm_set(&call, call.type, &g));
    BOTH_SCALARS;
    return m && n ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

HANDLER(gemm, Op transa, Op transb, Int m, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb,
        In beta, Out C, Int ldc)
{
    return gemm(entry, handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc,
                0, 1, true);
}
HANDLER(gemm_strided, Op transa, Op transb, Int m, Int n, Int k, In alpha, In A, Int lda,
        long long stride_a, In B, Int ldb, long long stride_b, In beta, Out C, Int ldc,
        long long stride_c, Int batch)
{
    return gemm(entry, handle, transa, transb, m, n, k, alpha, A, lda, stride_a, B, ldb, stride_b,
                beta, C, ldc, stride_c, batch, true);
}
HANDLER(gemm_batched, Op transa, Op transb, Int m, Int n, Int k, In alpha, In A, Int lda, In B,
        Int ldb, In beta, In C, Int ldc, Int batch)
{
    return gemm(entry, handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc,
                0, batch, false);
}

/* --- symmetric and Hermitian --------------------------------------------------------------- */

static void run_symm(Call *q)
{
    ALPHA;
    BETA;
    int order = q->side == 'L' ? q->m : q->n;
    const void *a = matrix(q, "A", q->a, order, order, q->lda);
    const void *b = matrix(q, "B", q->b, q->m, q->n, q->ldb);
    void *c = matrix(q, "C", q->c, q->m, q->n, q->ldc);
    if (alpha && beta && a && b && c)
        (q->conjugate ? blas.hemm : blas.symm)[q->type](&q->side, &q->uplo, &q->m, &q->n, alpha, a,
                                                        &q->lda, b, &q->ldb, beta, c, &q->ldc);
}

static cublasStatus_t symm(const Entry *entry, cublasHandle_t handle, Side side, Fill uplo, Int m,
                           Int n, In alpha, In A, Int lda, In B, Int ldb, In beta, Out C, Int ldc,
                           bool hermitian)
{
    START(run_symm);
    INVALID_IF(!side_char(side, &call.side) || !fill_char(uplo, &call.uplo) || m < 0 || n < 0 ||
               lda < least(side == CUBLAS_SIDE_LEFT ? m : n) || ldb < least(m) || ldc < least(m) ||
               !alpha || !beta);
    call.m = dim(&call, m);
    call.n = dim(&call, n);
    call.lda = dim(&call, lda);
    call.ldb = dim(&call, ldb);
    call.ldc = dim(&call, ldc);
    call.a = A;
    call.b = B;
    call.c = C;
    call.conjugate = hermitian;
    BOTH_SCALARS;
    return call_submit(handle, &call);
}

HANDLER(symm, Side side, Fill uplo, Int m, Int n, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc)
{
    return symm(entry, handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, false);
}
HANDLER(hemm, Side side, Fill uplo, Int m, Int n, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc)
{
    return symm(entry, handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, true);
}

/* The rank-k updates: which BLAS function, whether alpha and beta are real. */
typedef enum { RANK_SYRK, RANK_HERK, RANK_SYR2K, RANK_HER2K, RANK_SYRKX, RANK_HERKX } Rank;

static bool alpha_is_real(int kind)
{
    return kind == RANK_HERK;
}
static bool beta_is_real(int kind)
{
    return kind == RANK_HERK || kind == RANK_HER2K || kind == RANK_HERKX;
}

/* One triangle of alpha op(A) op(B)' + beta C, which the caller knows to be symmetric: the whole
 * product beside it, then the triangle. */
static void rank_product(Call *q, const void *alpha, const void *a, const void *b, const void *beta,
                         char *c)
{
    size_t bytes = blas_bytes(q->type);
    char *whole = malloc((size_t)q->n * (size_t)q->n * bytes);
    unsigned char beta_full[16] = {0};
    memcpy(beta_full, beta, beta_is_real(q->kl) ? real_bytes(q->type) : bytes);
    if (!whole) {
        rt_fault(RT_OUT_OF_MEMORY);
        return;
    }
    char flip = q->kl == RANK_HERKX ? 'C' : 'T';
    char ta = q->ta == 'N' ? 'N' : flip, tb = q->ta == 'N' ? flip : 'N';
    blas.gemm[q->type](&ta, &tb, &q->n, &q->n, &q->k, alpha, a, &q->lda, b, &q->ldb, blas_zero,
                       whole, &q->n);
    bool clear = memcmp(beta_full, blas_zero, bytes) == 0;
    for (int j = 0; j < q->n; j++) {
        int first = q->uplo == 'U' ? 0 : j, count = q->uplo == 'U' ? j + 1 : q->n - j;
        char *to = c + ((int64_t)j * q->ldc + first) * (int64_t)bytes;
        const char *from = whole + ((int64_t)j * q->n + first) * (int64_t)bytes;
        if (clear) {
            memcpy(to, from, (size_t)count * bytes);
        } else {
            blas.scal[q->type](&count, beta_full, to, &(int){1});
            blas.axpy[q->type](&count, blas_one(q->type), from, &(int){1}, to, &(int){1});
        }
        if (q->kl == RANK_HERKX) /* a diagonal is real */
            memset(c + ((size_t)j * (size_t)q->ldc + (size_t)j) * bytes + bytes / 2, 0, bytes / 2);
    }
    free(whole);
}

static void run_rank(Call *q)
{
    int kind = q->kl, t = q->type;
    const void *alpha =
        scalar_get(q, "alpha", &q->alpha, alpha_is_real(kind) ? real_bytes(t) : blas_bytes(t));
    const void *beta =
        scalar_get(q, "beta", &q->beta, beta_is_real(kind) ? real_bytes(t) : blas_bytes(t));
    int rows = q->ta == 'N' ? q->n : q->k, cols = q->ta == 'N' ? q->k : q->n;
    const void *a = matrix(q, "A", q->a, rows, cols, q->lda);
    bool two = kind >= RANK_SYR2K;
    const void *b = two ? matrix(q, "B", q->b, rows, cols, q->ldb) : NULL;
    void *c = matrix(q, "C", q->c, q->n, q->n, q->ldc);
    if (!alpha || !beta || !c || q->head.failed)
        return;
    switch (kind) {
    case RANK_SYRK:
        blas.syrk[t](&q->uplo, &q->ta, &q->n, &q->k, alpha, a, &q->lda, beta, c, &q->ldc);
        break;
    case RANK_HERK:
        blas.herk[t](&q->uplo, &q->ta, &q->n, &q->k, alpha, a, &q->lda, beta, c, &q->ldc);
        break;
    case RANK_SYR2K:
        blas.syr2k[t](&q->uplo, &q->ta, &q->n, &q->k, alpha, a, &q->lda, b, &q->ldb, beta, c,
                      &q->ldc);
        break;
    case RANK_HER2K:
        blas.her2k[t](&q->uplo, &q->ta, &q->n, &q->k, alpha, a, &q->lda, b, &q->ldb, beta, c,
                      &q->ldc);
        break;
    default:
        rank_product(q, alpha, a, b, beta, c);
    }
}

static cublasStatus_t rank_update(const Entry *entry, cublasHandle_t handle, Rank kind, Fill uplo,
                                  Op trans, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb,
                                  In beta, Out C, Int ldc)
{
    START(run_rank);
    INVALID_IF(!fill_char(uplo, &call.uplo) || !op_char(trans, call.type, &call.ta) || n < 0 ||
               k < 0 || !alpha || !beta);
    int64_t rows = call.ta == 'N' ? n : k;
    INVALID_IF(lda < least(rows) || ldc < least(n) || (kind >= RANK_SYR2K && ldb < least(rows)));
    bool hermitian = beta_is_real(kind);
    /* Only the form that keeps the symmetry is documented. */
    INVALID_IF(blas_is_complex(call.type) && call.ta == (hermitian ? 'T' : 'C'));
    call.kl = (int)kind;
    call.n = dim(&call, n);
    call.k = dim(&call, k);
    call.lda = dim(&call, lda);
    call.ldb = dim(&call, ldb);
    call.ldc = dim(&call, ldc);
    call.a = A;
    call.b = B;
    call.c = C;
    scalar_set(handle, &call.alpha, alpha,
               alpha_is_real(kind) ? real_bytes(call.type) : blas_bytes(call.type));
    scalar_set(handle, &call.beta, beta, hermitian ? real_bytes(call.type) : blas_bytes(call.type));
    return n ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

HANDLER(syrk, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In beta, Out C, Int ldc)
{
    return rank_update(entry, handle, RANK_SYRK, uplo, trans, n, k, alpha, A, lda, NULL, 0, beta, C,
                       ldc);
}
HANDLER(herk, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In beta, Out C, Int ldc)
{
    return rank_update(entry, handle, RANK_HERK, uplo, trans, n, k, alpha, A, lda, NULL, 0, beta, C,
                       ldc);
}
#define RANK_TWO(name, kind)                                                                       \
    HANDLER(name, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb,       \
            In beta, Out C, Int ldc)                                                               \
    {                                                                                              \
        return rank_update(entry, handle, kind, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, \
                           ldc);                                                                   \
    }
RANK_TWO(syr2k, RANK_SYR2K)
RANK_TWO(her2k, RANK_HER2K)
RANK_TWO(syrkx, RANK_SYRKX)
RANK_TWO(herkx, RANK_HERKX)

/* --- triangular ---------------------------------------------------------------------------- */

static void copy_columns(const Call *q, char *to, int64_t to_ld, const char *from, int64_t from_ld)
{
    size_t bytes = blas_bytes(q->type);
    for (int j = 0; j < q->n; j++)
        memmove(to + (size_t)(j * to_ld) * bytes, from + (size_t)(j * from_ld) * bytes,
                (size_t)q->m * bytes);
}

/* Here, unlike in BLAS, the product goes into C; C may be B itself. */
static void run_trmm(Call *q)
{
    ALPHA;
    int order = q->side == 'L' ? q->m : q->n;
    const void *a = matrix(q, "A", q->a, order, order, q->lda);
    const void *b = matrix(q, "B", q->b, q->m, q->n, q->ldb);
    void *c = matrix(q, "C", q->c, q->m, q->n, q->ldc);
    if (!alpha || !a || !b || !c)
        return;
    if (b != c)
        copy_columns(q, c, q->ldc, b, q->ldb);
    blas.trmm[q->type](&q->side, &q->uplo, &q->ta, &q->diag, &q->m, &q->n, alpha, a, &q->lda, c,
                       &q->ldc);
}

static void run_trsm(Call *q)
{
    ALPHA;
    int order = q->side == 'L' ? q->m : q->n;
    const void *const *as = NULL;
    void *const *bs = NULL;
    if (!q->strided) {
        as = lib_reach(&q->head, "A", q->a, (size_t)q->batch * sizeof(void *));
        bs = lib_reach(&q->head, "B", q->c, (size_t)q->batch * sizeof(void *));
    }
    for (int i = 0; i < q->batch && alpha && !q->head.failed; i++) {
        const void *a = matrix(q, "A", as ? as[i] : q->a, order, order, q->lda);
        void *b = matrix(q, "B", bs ? bs[i] : q->c, q->m, q->n, q->ldb);
        if (a && b)
            blas.trsm[q->type](&q->side, &q->uplo, &q->ta, &q->diag, &q->m, &q->n, alpha, a,
                               &q->lda, b, &q->ldb);
    }
}

static cublasStatus_t triangular(const Entry *entry, cublasHandle_t handle, void (*run)(Call *),
                                 Side side, Fill uplo, Op trans, Diag diag, Int m, Int n, In alpha,
                                 In A, Int lda, In B, Int ldb, In C, Int ldc, Int batch,
                                 bool strided)
{
    START(run);
    INVALID_IF(!side_char(side, &call.side) || !fill_char(uplo, &call.uplo) ||
               !op_char(trans, call.type, &call.ta) || !diag_char(diag, &call.diag) || m < 0 ||
               n < 0 || lda < least(side == CUBLAS_SIDE_LEFT ? m : n) || ldb < least(m) ||
               ldc < least(m) || batch < 0 || !alpha);
    call.m = dim(&call, m);
    call.n = dim(&call, n);
    call.lda = dim(&call, lda);
    call.ldb = dim(&call, ldb);
    call.ldc = dim(&call, ldc);
    call.batch = dim(&call, batch);
    call.strided = strided;
    call.a = A;
    call.b = B;
    call.c = (void *)(uintptr_t)C;
    scalar_set(handle, &call.alpha, alpha, blas_bytes(call.type));
    return m && n ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

HANDLER(trmm, Side side, Fill uplo, Op trans, Diag diag, Int m, Int n, In alpha, In A, Int lda,
        In B, Int ldb, Out C, Int ldc)
{
    return triangular(entry, handle, run_trmm, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb,
                      C, ldc, 1, true);
}
HANDLER(trsm, Side side, Fill uplo, Op trans, Diag diag, Int m, Int n, In alpha, In A, Int lda,
        Out B, Int ldb)
{
    return triangular(entry, handle, run_trsm, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb,
                      B, ldb, 1, true);
}
HANDLER(trsm_batched, Side side, Fill uplo, Op trans, Diag diag, Int m, Int n, In alpha, In A,
        Int lda, In B, Int ldb, Int batch)
{
    return triangular(entry, handle, run_trsm, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb,
                      B, ldb, batch, false);
}

/* --- element by element -------------------------------------------------------------------- */

/* Column j of op(X), scaled, added to column (BLAS's axpy with a step through rows). */
static void add_column(const Call *q, char op, const void *scale, const char *x, int64_t ld, int j,
                       char *column)
{
    size_t bytes = blas_bytes(q->type);
    const char *from = x + (size_t)(op == 'N' ? (int64_t)j * ld : j) * bytes;
    int step = op == 'N' ? 1 : (int)ld;
    if (op != 'C') {
        blas.axpy[q->type](&q->m, scale, from, &step, column, &(int){1});
        return;
    }
    for (int i = 0; i < q->m; i++) {
        unsigned char element[16];
        memcpy(element, from + (size_t)i * (size_t)step * bytes, bytes);
        element[bytes - 1] ^= 0x80; /* sign of the imaginary part (little-endian) */
        blas.axpy[q->type](&(int){1}, scale, element, &(int){1}, column + (size_t)i * bytes,
                           &(int){1});
    }
}

static void run_geam(Call *q)
{
    ALPHA;
    BETA;
    size_t bytes = blas_bytes(q->type);
    bool with_a = alpha && memcmp(alpha, blas_zero, bytes),
         with_b = beta && memcmp(beta, blas_zero, bytes);
    const char *a = with_a ? matrix(q, "A", q->a, q->ta == 'N' ? q->m : q->n,
                                    q->ta == 'N' ? q->n : q->m, q->lda)
                           : NULL;
    const char *b = with_b ? matrix(q, "B", q->b, q->tb == 'N' ? q->m : q->n,
                                    q->tb == 'N' ? q->n : q->m, q->ldb)
                           : NULL;
    char *c = matrix(q, "C", q->c, q->m, q->n, q->ldc);
    if (!c || q->head.failed)
        return;
    /* C may be A or B (untransposed), so a column is made beside it. */
    char *column = xmalloc((size_t)q->m * bytes);
    for (int j = 0; j < q->n; j++) {
        memset(column, 0, (size_t)q->m * bytes);
        if (a)
            add_column(q, q->ta, alpha, a, q->lda, j, column);
        if (b)
            add_column(q, q->tb, beta, b, q->ldb, j, column);
        memcpy(c + (size_t)((int64_t)j * q->ldc) * bytes, column, (size_t)q->m * bytes);
    }
    free(column);
}

HANDLER(geam, Op transa, Op transb, Int m, Int n, In alpha, In A, Int lda, In beta, In B, Int ldb,
        Out C, Int ldc)
{
    START(run_geam);
    INVALID_IF(!op_char(transa, call.type, &call.ta) || !op_char(transb, call.type, &call.tb) ||
               m < 0 || n < 0 || !alpha || !beta || ldc < least(m) ||
               lda < least(call.ta == 'N' ? m : n) || ldb < least(call.tb == 'N' ? m : n));
    INVALID_IF((C == A && (transa != CUBLAS_OP_N || lda != ldc)) ||
               (C == B && (transb != CUBLAS_OP_N || ldb != ldc)));
    call.m = dim(&call, m);
    call.n = dim(&call, n);
    call.lda = dim(&call, lda);
    call.ldb = dim(&call, ldb);
    call.ldc = dim(&call, ldc);
    call.a = A;
    call.b = B;
    call.c = C;
    BOTH_SCALARS;
    return m && n ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

#define MULTIPLY(type, product)                                                                    \
    for (int i = 0; i < q->m; i++) {                                                               \
        const type *p = (const type *)(const void *)a + ((int64_t)j * q->lda + i) * width;         \
        const type *f =                                                                            \
            (const type *)x + (start + (int64_t)(q->side == 'L' ? i : j) * q->incx) * width;       \
        type *to = (type *)(void *)c + ((int64_t)j * q->ldc + i) * width;                          \
        product;                                                                                   \
    }
#define COMPLEX_PRODUCT(type)                                                                      \
    {                                                                                              \
        type re = p[0] * f[0] - p[1] * f[1], im = p[0] * f[1] + p[1] * f[0];                       \
        to[0] = re;                                                                                \
        to[1] = im;                                                                                \
    }

static void run_dgmm(Call *q)
{
    int count = q->side == 'L' ? q->m : q->n, width = blas_is_complex(q->type) ? 2 : 1;
    const char *a = matrix(q, "A", q->a, q->m, q->n, q->lda);
    const void *x = vector(q, "x", q->b, count, q->incx);
    char *c = matrix(q, "C", q->c, q->m, q->n, q->ldc);
    if (!a || !x || !c)
        return;
    int64_t start = q->incx < 0 ? (int64_t)(1 - count) * q->incx : 0;
    for (int j = 0; j < q->n; j++)
        switch (q->type) {
        case TYPE_S:
            MULTIPLY(float, *to = *p * *f) break;
        case TYPE_D:
            MULTIPLY(double, *to = *p * *f) break;
        case TYPE_C:
            MULTIPLY(float, COMPLEX_PRODUCT(float)) break;
        default:
            MULTIPLY(double, COMPLEX_PRODUCT(double))
        }
}

HANDLER(dgmm, Side mode, Int m, Int n, In A, Int lda, In x, Int incx, Out C, Int ldc)
{
    START(run_dgmm);
    INVALID_IF(!side_char(mode, &call.side) || m < 0 || n < 0 || lda < least(m) || ldc < least(m));
    call.m = dim(&call, m);
    call.n = dim(&call, n);
    call.lda = dim(&call, lda);
    call.ldc = dim(&call, ldc);
    call.incx = dim(&call, incx);
    call.a = A;
    call.b = x;
    call.c = C;
    return m && n ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

/* --- packed triangles ---------------------------------------------------------------------- */

static void run_packed(Call *q)
{
    size_t bytes = blas_bytes(q->type);
    char *ap = packed(q, "AP", q->b, q->n), *a = matrix(q, "A", q->c, q->n, q->n, q->lda);
    if (!ap || !a)
        return;
    for (int j = 0; j < q->n; j++) {
        int first = q->uplo == 'U' ? 0 : j, count = q->uplo == 'U' ? j + 1 : q->n - j;
        char *full = a + (size_t)((int64_t)j * q->lda + first) * bytes;
        memcpy(q->conjugate ? ap : full, q->conjugate ? full : ap, (size_t)count * bytes);
        ap += (size_t)count * bytes;
    }
}

static cublasStatus_t repack(const Entry *entry, cublasHandle_t handle, Fill uplo, int n, In AP,
                             In A, int lda, bool pack)
{
    START(run_packed);
    INVALID_IF(!fill_char(uplo, &call.uplo) || n < 0 || lda < least(n));
    call.n = n;
    call.lda = lda;
    call.b = AP;
    call.c = (void *)(uintptr_t)A;
    call.conjugate = pack; /* direction */
    return call_submit(handle, &call);
}

HANDLER(tpttr, Fill uplo, int n, In AP, Out A, int lda)
{
    return repack(entry, handle, uplo, n, AP, A, lda, false);
}
HANDLER(trttp, Fill uplo, int n, In A, int lda, Out AP)
{
    return repack(entry, handle, uplo, n, AP, A, lda, true);
}
