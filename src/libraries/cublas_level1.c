/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas, level 1: vectors. Without elements nothing is read or written; the results are then 0.
 */
#include "libraries/cublas.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static size_t real_bytes(int type)
{
    return type == TYPE_S || type == TYPE_C ? 4 : 8;
}

/* --- results ------------------------------------------------------------------------------- */

static void put_index(Call *q, int64_t value)
{
    void *place = result_place(q, q->wide ? 8 : 4);
    if (place && q->wide)
        memcpy(place, &value, 8);
    else if (place)
        memcpy(place, &(int){(int)value}, 4);
}

static void put_real(Call *q, double value)
{
    size_t bytes = real_bytes(q->type);
    void *place = result_place(q, bytes);
    if (place && bytes == 8)
        memcpy(place, &value, 8);
    else if (place)
        memcpy(place, &(float){(float)value}, 4);
}

static bool reduces(const Call *q)
{
    return q->n > 0 && q->incx > 0;
}

static void run_amax(Call *q)
{
    const void *x = reduces(q) ? vector(q, "x", q->a, q->n, q->incx) : NULL;
    put_index(q, x ? blas.amax[q->type](&q->n, x, &q->incx) : 0);
}

static void run_amin(Call *q)
{
    const void *x = reduces(q) ? vector(q, "x", q->a, q->n, q->incx) : NULL;
    put_index(q, x ? blas.amin[q->type](&q->n, x, &q->incx) : 0);
}

/* Complex sums are made here: on an AMD EPYC with AVX-512, OpenBLAS 0.3.21's scasum is wrong and its
 * cdotu ends in a fault. The i-th number of a vector, from the end with a negative increment. */
static double complex number_at(const Call *q, const void *v, int64_t i, int64_t inc)
{
    int64_t at = inc < 0 ? (i - q->n + 1) * inc : i * inc;
    return q->type == TYPE_C ? (double complex)((const float complex *)v)[at]
                             : ((const double complex *)v)[at];
}

static double complex_asum(const Call *q, const void *x)
{
    double sum = 0;
    for (int64_t i = 0; i < q->n; ++i) {
        double complex v = number_at(q, x, i, q->incx);
        sum += fabs(creal(v)) + fabs(cimag(v));
    }
    return sum;
}

static void run_asum(Call *q)
{
    const void *x = reduces(q) ? vector(q, "x", q->a, q->n, q->incx) : NULL;
    put_real(q, !x                         ? 0
                : blas_is_complex(q->type) ? complex_asum(q, x)
                : q->type == TYPE_S        ? (double)blas.asum_float[TYPE_S](q->n, x, q->incx)
                                           : blas.asum_double[TYPE_D](q->n, x, q->incx));
}

static void run_nrm2(Call *q)
{
    const void *x = reduces(q) ? vector(q, "x", q->a, q->n, q->incx) : NULL;
    put_real(q, !x                         ? 0
                : real_bytes(q->type) == 4 ? (double)blas.nrm2_float[q->type](q->n, x, q->incx)
                                           : blas.nrm2_double[q->type](q->n, x, q->incx));
}

static cublasStatus_t reduction(const Entry *entry, cublasHandle_t handle, Int n, In x, Int incx,
                                Out result, void (*run)(Call *))
{
    START(run);
    INVALID_IF(!result);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.a = x;
    return call_submit_result(handle, &call, result);
}

HANDLER(amax, Int n, In x, Int incx, Out result)
{
    return reduction(entry, handle, n, x, incx, result, run_amax);
}
HANDLER(amin, Int n, In x, Int incx, Out result)
{
    return reduction(entry, handle, n, x, incx, result, run_amin);
}
HANDLER(asum, Int n, In x, Int incx, Out result)
{
    return reduction(entry, handle, n, x, incx, result, run_asum);
}
HANDLER(nrm2, Int n, In x, Int incx, Out result)
{
    return reduction(entry, handle, n, x, incx, result, run_nrm2);
}

static void run_dot(Call *q)
{
    const void *x = vector(q, "x", q->a, q->n, q->incx), *y = vector(q, "y", q->b, q->n, q->incy);
    void *place = result_place(q, blas_bytes(q->type));
    if (!place)
        return;
    if (!x || !y) {
        memset(place, 0, blas_bytes(q->type));
    } else if (q->type == TYPE_S) {
        float value = blas.dot_float[TYPE_S](q->n, x, q->incx, y, q->incy);
        memcpy(place, &value, sizeof value);
    } else if (q->type == TYPE_D) {
        double value = blas.dot_double[TYPE_D](q->n, x, q->incx, y, q->incy);
        memcpy(place, &value, sizeof value);
    } else {
        double complex sum = 0;
        for (int64_t i = 0; i < q->n; ++i) {
            double complex v = number_at(q, x, i, q->incx);
            sum += (q->conjugate ? conj(v) : v) * number_at(q, y, i, q->incy);
        }
        float complex narrow = (float complex)sum;
        memcpy(place, q->type == TYPE_C ? (void *)&narrow : (void *)&sum, blas_bytes(q->type));
    }
}

static cublasStatus_t dot(const Entry *entry, cublasHandle_t handle, Int n, In x, Int incx, In y,
                          Int incy, Out result, bool conjugate)
{
    START(run_dot);
    INVALID_IF(!result);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.b = y;
    call.conjugate = conjugate;
    return call_submit_result(handle, &call, result);
}

HANDLER(dotu, Int n, In x, Int incx, In y, Int incy, Out result)
{
    return dot(entry, handle, n, x, incx, y, incy, result, false);
}
HANDLER(dotc, Int n, In x, Int incx, In y, Int incy, Out result)
{
    return dot(entry, handle, n, x, incx, y, incy, result, true);
}

/* --- vectors ------------------------------------------------------------------------------- */

static void run_axpy(Call *q)
{
    const void *alpha = scalar_get(q, "alpha", &q->alpha, blas_bytes(q->type));
    const void *x = vector(q, "x", q->a, q->n, q->incx);
    void *y = vector(q, "y", q->c, q->n, q->incy);
    if (alpha && x && y)
        blas.axpy[q->type](&q->n, alpha, x, &q->incx, y, &q->incy);
}

HANDLER(axpy, Int n, In alpha, In x, Int incx, Out y, Int incy)
{
    START(run_axpy);
    INVALID_IF(!alpha);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.c = y;
    scalar_set(handle, &call.alpha, alpha, blas_bytes(call.type));
    return call_submit(handle, &call);
}

static void run_copy(Call *q)
{
    const void *x = vector(q, "x", q->a, q->n, q->incx);
    void *y = vector(q, "y", q->c, q->n, q->incy);
    if (x && y)
        blas.copy[q->type](&q->n, x, &q->incx, y, &q->incy);
}

static void run_swap(Call *q)
{
    void *x = vector(q, "x", q->a, q->n, q->incx), *y = vector(q, "y", q->c, q->n, q->incy);
    if (x && y)
        blas.swap[q->type](&q->n, x, &q->incx, y, &q->incy);
}

static cublasStatus_t two_vectors(const Entry *entry, cublasHandle_t handle, Int n, In x, Int incx,
                                  Out y, Int incy, void (*run)(Call *))
{
    START(run);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.c = y;
    return call_submit(handle, &call);
}

HANDLER(copy, Int n, In x, Int incx, Out y, Int incy)
{
    return two_vectors(entry, handle, n, x, incx, y, incy, run_copy);
}
HANDLER(swap, Int n, Out x, Int incx, Out y, Int incy)
{
    return two_vectors(entry, handle, n, x, incx, y, incy, run_swap);
}

static void run_scal(Call *q)
{
    size_t bytes = q->conjugate ? real_bytes(q->type) : blas_bytes(q->type);
    const void *alpha = scalar_get(q, "alpha", &q->alpha, bytes);
    void *x = q->incx > 0 ? vector(q, "x", q->c, q->n, q->incx) : NULL;
    if (alpha && x)
        (q->conjugate ? blas.scal_real : blas.scal)[q->type](&q->n, alpha, x, &q->incx);
}

/* real: a complex vector by a real number (the call's flag "conjugate" carries that). */
static cublasStatus_t scal(const Entry *entry, cublasHandle_t handle, Int n, In alpha, Out x,
                           Int incx, bool real)
{
    START(run_scal);
    INVALID_IF(!alpha);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.c = x;
    call.conjugate = real;
    scalar_set(handle, &call.alpha, alpha, real ? real_bytes(call.type) : blas_bytes(call.type));
    return call_submit(handle, &call);
}

HANDLER(scal, Int n, In alpha, Out x, Int incx)
{
    return scal(entry, handle, n, alpha, x, incx, false);
}
HANDLER(scal_real, Int n, In alpha, Out x, Int incx)
{
    return scal(entry, handle, n, alpha, x, incx, true);
}

/* --- rotations ----------------------------------------------------------------------------- */

static void run_rot(Call *q)
{
    const void *c = scalar_get(q, "c", &q->alpha, real_bytes(q->type));
    const void *s =
        scalar_get(q, "s", &q->beta, q->conjugate ? real_bytes(q->type) : blas_bytes(q->type));
    void *x = vector(q, "x", q->a, q->n, q->incx), *y = vector(q, "y", q->c, q->n, q->incy);
    if (c && s && x && y)
        (q->conjugate ? blas.rot_real : blas.rot)[q->type](&q->n, x, &q->incx, y, &q->incy, c, s);
}

static cublasStatus_t rot(const Entry *entry, cublasHandle_t handle, Int n, Out x, Int incx, Out y,
                          Int incy, In c, In s, bool real)
{
    START(run_rot);
    INVALID_IF(!c || !s);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.c = y;
    call.conjugate = real;
    scalar_set(handle, &call.alpha, c, real_bytes(call.type));
    scalar_set(handle, &call.beta, s, real ? real_bytes(call.type) : blas_bytes(call.type));
    return call_submit(handle, &call);
}

HANDLER(rot, Int n, Out x, Int incx, Out y, Int incy, In c, In s)
{
    return rot(entry, handle, n, x, incx, y, incy, c, s, false);
}
HANDLER(rot_real, Int n, Out x, Int incx, Out y, Int incy, In c, In s)
{
    return rot(entry, handle, n, x, incx, y, incy, c, s, true);
}

/* Its five numbers are the "c" of the call. */
static void run_rotm(Call *q)
{
    float host[5];
    const void *param = q->d ? lib_reach(&q->head, "param", q->d, 5 * blas_bytes(q->type)) : NULL;
    void *x = vector(q, "x", q->a, q->n, q->incx), *y = vector(q, "y", q->c, q->n, q->incy);
    double wide[5];
    if (!q->d && q->type == TYPE_S) {
        memcpy(host, q->alpha.value, 16);
        memcpy(&host[4], q->beta.value, 4);
        param = host;
    } else if (!q->d) {
        memcpy(wide, q->alpha.value, 16);
        memcpy(&wide[2], q->beta.value, 16);
        memcpy(&wide[4], &q->stride_a, 8);
        param = wide;
    }
    if (param && x && y)
        blas.rotm[q->type](&q->n, x, &q->incx, y, &q->incy, param);
}

HANDLER(rotm, Int n, Out x, Int incx, Out y, Int incy, In param)
{
    START(run_rotm);
    INVALID_IF(!param);
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.c = y;
    const char *p = param;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        call.d = (void *)(uintptr_t)param;
    } else if (call.type == TYPE_S) {
        memcpy(call.alpha.value, p, 16);
        memcpy(call.beta.value, p + 16, 4);
    } else {
        memcpy(call.alpha.value, p, 16);
        memcpy(call.beta.value, p + 16, 16);
        memcpy(&call.stride_a, p + 32, 8);
    }
    return call_submit(handle, &call);
}

/* The numbers are all in host memory, or all in device memory. */
static void *number(Call *q, const char *argument, const void *at, size_t bytes)
{
    return q->host_result ? (void *)(uintptr_t)at : lib_reach(&q->head, argument, at, bytes);
}

static void run_rotg(Call *q)
{
    size_t bytes = blas_bytes(q->type);
    void *a = number(q, "a", q->a, bytes), *b = number(q, "b", q->b, bytes);
    void *c = number(q, "c", q->c, real_bytes(q->type)), *s = number(q, "s", q->d, bytes);
    if (a && b && c && s)
        blas.rotg[q->type](a, b, c, s);
}

HANDLER(rotg, Out a, Out b, Out c, Out s)
{
    START(run_rotg);
    INVALID_IF(!a || !b || !c || !s);
    call.a = a;
    call.b = b;
    call.c = c;
    call.d = s;
    return call_submit_result(handle, &call, a);
}

static void run_rotmg(Call *q)
{
    size_t bytes = blas_bytes(q->type);
    void *d1 = number(q, "d1", q->a, bytes), *d2 = number(q, "d2", q->b, bytes);
    void *x1 = number(q, "x1", q->c, bytes), *y1 = number(q, "y1", q->alpha.device, bytes);
    void *param = number(q, "param", q->d, 5 * bytes);
    if (d1 && d2 && x1 && y1 && param)
        blas.rotmg[q->type](d1, d2, x1, y1, param);
}

HANDLER(rotmg, Out d1, Out d2, Out x1, In y1, Out param)
{
    START(run_rotmg);
    INVALID_IF(!d1 || !d2 || !x1 || !y1 || !param);
    call.a = d1;
    call.b = d2;
    call.c = x1;
    call.d = param;
    call.alpha.device = y1;
    return call_submit_result(handle, &call, d1);
}
