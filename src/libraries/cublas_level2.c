/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas, level 2: a matrix and vectors. */
#include "libraries/cublas.h"

#include <string.h>

/* --- general ------------------------------------------------------------------------------- */

/* One product; with a batch of strides, all of them. */
static void run_gemv(Call *q)
{
    ALPHA;
    BETA;
    int64_t nx = q->ta == 'N' ? q->n : q->m, ny = q->ta == 'N' ? q->m : q->n;
    if (!q->m || !q->n)
        return;
    size_t bytes = blas_bytes(q->type);
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        const void *a = matrix(q, "A", (const char *)q->a + i * q->stride_a * (int64_t)bytes, q->m,
                               q->n, q->lda);
        const void *x =
            vector(q, "x", (const char *)q->b + i * q->stride_b * (int64_t)bytes, nx, q->incx);
        void *y = vector(q, "y", (char *)q->c + i * q->stride_c * (int64_t)bytes, ny, q->incy);
        if (alpha && beta && a && x && y)
            blas.gemv[q->type](&q->ta, &q->m, &q->n, alpha, a, &q->lda, x, &q->incx, beta, y,
                               &q->incy);
    }
}

/* run: the products of strides, or of arrays of pointers. */
static cublasStatus_t gemv(const Entry *entry, cublasHandle_t handle, void (*run)(Call *), Op trans,
                           Int m, Int n, In alpha, In A, Int lda, long long stride_a, In x,
                           Int incx, long long stride_x, In beta, In y, Int incy,
                           long long stride_y, Int batch)
{
    START(run);
    INVALID_IF(!op_char(trans, call.type, &call.ta) || m < 0 || n < 0 || lda < least(m) || !incx ||
               !incy || batch < 0 || !alpha || !beta);
    call.m = dim(&call, m);
    call.n = dim(&call, n);
    call.lda = dim(&call, lda);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.batch = dim(&call, batch);
    call.stride_a = stride_a;
    call.stride_b = stride_x;
    call.stride_c = stride_y;
    call.a = A;
    call.b = x;
    call.c = (void *)(uintptr_t)y;
    BOTH_SCALARS;
    return call_submit(handle, &call);
}

HANDLER(gemv_strided, Op trans, Int m, Int n, In alpha, In A, Int lda, long long stride_a, In x,
        Int incx, long long stride_x, In beta, Out y, Int incy, long long stride_y, Int batch)
{
    return gemv(entry, handle, run_gemv, trans, m, n, alpha, A, lda, stride_a, x, incx, stride_x,
                beta, y, incy, stride_y, batch);
}

HANDLER(gemv, Op trans, Int m, Int n, In alpha, In A, Int lda, In x, Int incx, In beta, Out y,
        Int incy)
{
    return gemv(entry, handle, run_gemv, trans, m, n, alpha, A, lda, 0, x, incx, 0, beta, y, incy,
                0, 1);
}

static void run_gemv_batched(Call *q)
{
    size_t bytes = (size_t)q->batch * sizeof(void *);
    const void *const *a = lib_reach(&q->head, "Aarray", q->a, bytes);
    const void *const *x = lib_reach(&q->head, "xarray", q->b, bytes);
    void *const *y = lib_reach(&q->head, "yarray", q->c, bytes);
    if (!a || !x || !y)
        return;
    Call one = *q;
    one.batch = 1;
    for (int i = 0; i < q->batch && !one.head.failed; i++) {
        one.a = a[i];
        one.b = x[i];
        one.c = y[i];
        run_gemv(&one);
    }
}

HANDLER(gemv_batched, Op trans, Int m, Int n, In alpha, In A, Int lda, In x, Int incx, In beta,
        In y, Int incy, Int batch)
{
    return gemv(entry, handle, run_gemv_batched, trans, m, n, alpha, A, lda, 0, x, incx, 0, beta, y,
                incy, 0, batch);
}

static void run_gbmv(Call *q)
{
    ALPHA;
    BETA;
    const void *a = matrix(q, "A", q->a, q->kl + q->ku + 1, q->m && q->n ? q->n : 0, q->lda);
    const void *x = vector(q, "x", q->b, q->ta == 'N' ? q->n : q->m, q->incx);
    void *y = vector(q, "y", q->c, q->ta == 'N' ? q->m : q->n, q->incy);
    if (alpha && beta && a && x && y)
        blas.gbmv[q->type](&q->ta, &q->m, &q->n, &q->kl, &q->ku, alpha, a, &q->lda, x, &q->incx,
                           beta, y, &q->incy);
}

HANDLER(gbmv, Op trans, Int m, Int n, Int kl, Int ku, In alpha, In A, Int lda, In x, Int incx,
        In beta, Out y, Int incy)
{
    START(run_gbmv);
    INVALID_IF(!op_char(trans, call.type, &call.ta) || m < 0 || n < 0 || kl < 0 || ku < 0 ||
               lda < kl + ku + 1 || !incx || !incy || !alpha || !beta);
    call.m = dim(&call, m);
    call.n = dim(&call, n);
    call.kl = dim(&call, kl);
    call.ku = dim(&call, ku);
    call.lda = dim(&call, lda);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = A;
    call.b = x;
    call.c = y;
    BOTH_SCALARS;
    return call_submit(handle, &call);
}

static void run_ger(Call *q)
{
    ALPHA;
    const void *x = vector(q, "x", q->a, q->m, q->incx), *y = vector(q, "y", q->b, q->n, q->incy);
    void *a = matrix(q, "A", q->c, q->m, q->n, q->lda);
    if (alpha && x && y && a)
        (q->conjugate ? blas.gerc : blas.geru)[q->type](&q->m, &q->n, alpha, x, &q->incx, y,
                                                        &q->incy, a, &q->lda);
}

static cublasStatus_t ger(const Entry *entry, cublasHandle_t handle, Int m, Int n, In alpha, In x,
                          Int incx, In y, Int incy, Out A, Int lda, bool conjugate)
{
    START(run_ger);
    INVALID_IF(m < 0 || n < 0 || !incx || !incy || lda < least(m) || !alpha);
    call.m = dim(&call, m);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.lda = dim(&call, lda);
    call.a = x;
    call.b = y;
    call.c = A;
    call.conjugate = conjugate;
    scalar_set(handle, &call.alpha, alpha, blas_bytes(call.type));
    return call_submit(handle, &call);
}

HANDLER(geru, Int m, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda)
{
    return ger(entry, handle, m, n, alpha, x, incx, y, incy, A, lda, false);
}
HANDLER(gerc, Int m, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda)
{
    return ger(entry, handle, m, n, alpha, x, incx, y, incy, A, lda, true);
}

/* --- triangular ---------------------------------------------------------------------------- */

/* lda 0: packed; band: k + 1 rows. */
typedef enum { FORM_FULL, FORM_BAND, FORM_PACKED } Form;

static const void *triangle(Call *q, Form form)
{
    return form == FORM_FULL   ? matrix(q, "A", q->a, q->n, q->n, q->lda)
           : form == FORM_BAND ? matrix(q, "A", q->a, q->k + 1, q->n, q->lda)
                               : packed(q, "AP", q->a, q->n);
}

#define TRIANGULAR(name, form, ...)                                                                \
    static void run_##name(Call *q)                                                                \
    {                                                                                              \
        const void *a = triangle(q, form);                                                         \
        void *x = vector(q, "x", q->c, q->n, q->incx);                                             \
        if (a && x)                                                                                \
            blas.name[q->type](&q->uplo, &q->ta, &q->diag, &q->n, __VA_ARGS__, x, &q->incx);       \
    }
TRIANGULAR(trmv, FORM_FULL, a, &q->lda)
TRIANGULAR(trsv, FORM_FULL, a, &q->lda)
TRIANGULAR(tbmv, FORM_BAND, &q->k, a, &q->lda)
TRIANGULAR(tbsv, FORM_BAND, &q->k, a, &q->lda)
TRIANGULAR(tpmv, FORM_PACKED, a)
TRIANGULAR(tpsv, FORM_PACKED, a)

static cublasStatus_t triangular(const Entry *entry, cublasHandle_t handle, void (*run)(Call *),
                                 Form form, Fill uplo, Op trans, Diag diag, Int n, Int k, In A,
                                 Int lda, Out x, Int incx)
{
    START(run);
    INVALID_IF(!fill_char(uplo, &call.uplo) || !op_char(trans, call.type, &call.ta) ||
               !diag_char(diag, &call.diag) || n < 0 || k < 0 || !incx ||
               (form == FORM_FULL && lda < least(n)) || (form == FORM_BAND && lda < k + 1));
    call.n = dim(&call, n);
    call.k = dim(&call, k);
    call.lda = dim(&call, lda);
    call.incx = dim(&call, incx);
    call.a = A;
    call.c = x;
    return call_submit(handle, &call);
}

HANDLER(trmv, Fill uplo, Op trans, Diag diag, Int n, In A, Int lda, Out x, Int incx)
{
    return triangular(entry, handle, run_trmv, FORM_FULL, uplo, trans, diag, n, 0, A, lda, x, incx);
}
HANDLER(trsv, Fill uplo, Op trans, Diag diag, Int n, In A, Int lda, Out x, Int incx)
{
    return triangular(entry, handle, run_trsv, FORM_FULL, uplo, trans, diag, n, 0, A, lda, x, incx);
}
HANDLER(tbmv, Fill uplo, Op trans, Diag diag, Int n, Int k, In A, Int lda, Out x, Int incx)
{
    return triangular(entry, handle, run_tbmv, FORM_BAND, uplo, trans, diag, n, k, A, lda, x, incx);
}
HANDLER(tbsv, Fill uplo, Op trans, Diag diag, Int n, Int k, In A, Int lda, Out x, Int incx)
{
    return triangular(entry, handle, run_tbsv, FORM_BAND, uplo, trans, diag, n, k, A, lda, x, incx);
}
HANDLER(tpmv, Fill uplo, Op trans, Diag diag, Int n, In AP, Out x, Int incx)
{
    return triangular(entry, handle, run_tpmv, FORM_PACKED, uplo, trans, diag, n, 0, AP, 0, x,
                      incx);
}
HANDLER(tpsv, Fill uplo, Op trans, Diag diag, Int n, In AP, Out x, Int incx)
{
    return triangular(entry, handle, run_tpsv, FORM_PACKED, uplo, trans, diag, n, 0, AP, 0, x,
                      incx);
}

/* --- symmetric and Hermitian: products ----------------------------------------------------- */

#define SYMMETRIC(name, form, ...)                                                                 \
    static void run_##name(Call *q)                                                                \
    {                                                                                              \
        ALPHA;                                                                                     \
        BETA;                                                                                      \
        const void *a = triangle(q, form), *x = vector(q, "x", q->b, q->n, q->incx);               \
        void *y = vector(q, "y", q->c, q->n, q->incy);                                             \
        if (alpha && beta && a && x && y)                                                          \
            blas.name[q->type](&q->uplo, &q->n, __VA_ARGS__, x, &q->incx, beta, y, &q->incy);      \
    }
SYMMETRIC(symv, FORM_FULL, alpha, a, &q->lda)
SYMMETRIC(hemv, FORM_FULL, alpha, a, &q->lda)
SYMMETRIC(sbmv, FORM_BAND, &q->k, alpha, a, &q->lda)
SYMMETRIC(spmv, FORM_PACKED, alpha, a)

static cublasStatus_t symmetric(const Entry *entry, cublasHandle_t handle, void (*run)(Call *),
                                Form form, Fill uplo, Int n, Int k, In alpha, In A, Int lda, In x,
                                Int incx, In beta, Out y, Int incy)
{
    START(run);
    INVALID_IF(!fill_char(uplo, &call.uplo) || n < 0 || k < 0 || !incx || !incy ||
               (form == FORM_FULL && lda < least(n)) || (form == FORM_BAND && lda < k + 1) ||
               !alpha || !beta);
    call.n = dim(&call, n);
    call.k = dim(&call, k);
    call.lda = dim(&call, lda);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = A;
    call.b = x;
    call.c = y;
    BOTH_SCALARS;
    return call_submit(handle, &call);
}

HANDLER(symv, Fill uplo, Int n, In alpha, In A, Int lda, In x, Int incx, In beta, Out y, Int incy)
{
    return symmetric(entry, handle, run_symv, FORM_FULL, uplo, n, 0, alpha, A, lda, x, incx, beta,
                     y, incy);
}
HANDLER(hemv, Fill uplo, Int n, In alpha, In A, Int lda, In x, Int incx, In beta, Out y, Int incy)
{
    return symmetric(entry, handle, run_hemv, FORM_FULL, uplo, n, 0, alpha, A, lda, x, incx, beta,
                     y, incy);
}
HANDLER(sbmv, Fill uplo, Int n, Int k, In alpha, In A, Int lda, In x, Int incx, In beta, Out y,
        Int incy)
{
    return symmetric(entry, handle, run_sbmv, FORM_BAND, uplo, n, k, alpha, A, lda, x, incx, beta,
                     y, incy);
}
HANDLER(spmv, Fill uplo, Int n, In alpha, In AP, In x, Int incx, In beta, Out y, Int incy)
{
    return symmetric(entry, handle, run_spmv, FORM_PACKED, uplo, n, 0, alpha, AP, 0, x, incx, beta,
                     y, incy);
}

/* --- symmetric and Hermitian: updates ------------------------------------------------------ */

/* her and hpr take a real alpha. */
static size_t real_alpha(int type)
{
    return type == TYPE_S || type == TYPE_C ? 4 : 8;
}

static void *updated(Call *q, Form form)
{
    return form == FORM_PACKED ? packed(q, "AP", q->c, q->n)
                               : matrix(q, "A", q->c, q->n, q->n, q->lda);
}

static void run_syr(Call *q)
{
    size_t bytes = q->conjugate ? real_alpha(q->type) : blas_bytes(q->type);
    const void *alpha = scalar_get(q, "alpha", &q->alpha, bytes);
    const void *x = vector(q, "x", q->a, q->n, q->incx);
    void *a = updated(q, FORM_FULL);
    if (alpha && x && a)
        (q->conjugate ? blas.her : blas.syr)[q->type](&q->uplo, &q->n, alpha, x, &q->incx, a,
                                                      &q->lda);
}

static void run_spr(Call *q)
{
    const void *alpha = scalar_get(q, "alpha", &q->alpha, real_alpha(q->type));
    const void *x = vector(q, "x", q->a, q->n, q->incx);
    void *a = updated(q, FORM_PACKED);
    if (alpha && x && a)
        blas.spr[q->type](&q->uplo, &q->n, alpha, x, &q->incx, a);
}

/* Complex symmetric (not Hermitian): BLAS has none, so a row of the triangle at a time as two
 * axpy: column j gets alpha y[j] x + alpha x[j] y. */
static void syr2_complex(Call *q, const void *alpha, const char *x, const char *y, char *a)
{
    size_t bytes = blas_bytes(q->type);
    int64_t back_x = q->incx < 0 ? (int64_t)(1 - q->n) * q->incx : 0;
    int64_t back_y = q->incy < 0 ? (int64_t)(1 - q->n) * q->incy : 0;
    for (int j = 0; j < q->n; j++) {
        const void *xj = x + (back_x + (int64_t)j * q->incx) * (int64_t)bytes;
        const void *yj = y + (back_y + (int64_t)j * q->incy) * (int64_t)bytes;
        int first = q->uplo == 'U' ? 0 : j, count = q->uplo == 'U' ? j + 1 : q->n - j;
        char *column = a + ((int64_t)j * q->lda + first) * (int64_t)bytes;
        for (int both = 0; both < 2; both++) {
            const char *other = both ? y : x;
            const void *factor = both ? xj : yj;
            int inc = both ? q->incy : q->incx;
            int64_t start = (both ? back_y : back_x) + (int64_t)first * inc;
            unsigned char scaled[16] = {0};
            blas.axpy[q->type](&(int){1}, alpha, factor, &(int){1}, scaled, &(int){1});
            /* A negative step makes BLAS begin at the other end: name the lowest address. */
            if (inc < 0)
                start += (int64_t)(count - 1) * inc;
            blas.axpy[q->type](&count, scaled, other + start * (int64_t)bytes, &inc, column,
                               &(int){1});
        }
    }
}

static void run_syr2(Call *q)
{
    ALPHA;
    const void *x = vector(q, "x", q->a, q->n, q->incx), *y = vector(q, "y", q->b, q->n, q->incy);
    void *a = updated(q, FORM_FULL);
    if (!alpha || !x || !y || !a)
        return;
    if (blas_is_complex(q->type) && !q->conjugate)
        syr2_complex(q, alpha, x, y, a);
    else
        (q->conjugate ? blas.her2 : blas.syr2)[q->type](&q->uplo, &q->n, alpha, x, &q->incx, y,
                                                        &q->incy, a, &q->lda);
}

static void run_spr2(Call *q)
{
    ALPHA;
    const void *x = vector(q, "x", q->a, q->n, q->incx), *y = vector(q, "y", q->b, q->n, q->incy);
    void *a = updated(q, FORM_PACKED);
    if (alpha && x && y && a)
        blas.spr2[q->type](&q->uplo, &q->n, alpha, x, &q->incx, y, &q->incy, a);
}

static cublasStatus_t update(const Entry *entry, cublasHandle_t handle, void (*run)(Call *),
                             Form form, bool hermitian, size_t alpha_bytes, Fill uplo, Int n,
                             In alpha, In x, Int incx, In y, Int incy, Out A, Int lda)
{
    START(run);
    INVALID_IF(!fill_char(uplo, &call.uplo) || n < 0 || !incx || !incy ||
               (form == FORM_FULL && lda < least(n)) || !alpha);
    call.n = dim(&call, n);
    call.lda = dim(&call, lda);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.b = y;
    call.c = A;
    call.conjugate = hermitian;
    scalar_set(handle, &call.alpha, alpha, alpha_bytes);
    return call_submit(handle, &call);
}

HANDLER(syr, Fill uplo, Int n, In alpha, In x, Int incx, Out A, Int lda)
{
    return update(entry, handle, run_syr, FORM_FULL, false, blas_bytes(entry->type), uplo, n, alpha,
                  x, incx, NULL, 1, A, lda);
}
HANDLER(her, Fill uplo, Int n, In alpha, In x, Int incx, Out A, Int lda)
{
    return update(entry, handle, run_syr, FORM_FULL, true, real_alpha(entry->type), uplo, n, alpha,
                  x, incx, NULL, 1, A, lda);
}
HANDLER(spr, Fill uplo, Int n, In alpha, In x, Int incx, Out AP)
{
    return update(entry, handle, run_spr, FORM_PACKED, false, real_alpha(entry->type), uplo, n,
                  alpha, x, incx, NULL, 1, AP, 0);
}
HANDLER(syr2, Fill uplo, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda)
{
    return update(entry, handle, run_syr2, FORM_FULL, false, blas_bytes(entry->type), uplo, n,
                  alpha, x, incx, y, incy, A, lda);
}
HANDLER(her2, Fill uplo, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda)
{
    return update(entry, handle, run_syr2, FORM_FULL, true, blas_bytes(entry->type), uplo, n, alpha,
                  x, incx, y, incy, A, lda);
}
HANDLER(spr2, Fill uplo, Int n, In alpha, In x, Int incx, In y, Int incy, Out AP)
{
    return update(entry, handle, run_spr2, FORM_PACKED, false, blas_bytes(entry->type), uplo, n,
                  alpha, x, incx, y, incy, AP, 0);
}
