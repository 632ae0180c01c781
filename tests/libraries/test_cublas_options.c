/* SPDX-License-Identifier: Apache-2.0
 *
 * Every routine of BLAS in libcublas with every option (transposes, triangles, sides, diagonals, increments of
 * either sign, factors 0 and 1, odd sizes), for S, D, C and Z, against plain loops in double complex. What a
 * routine must not read or write is NaN: OpenBLAS chooses its code by processor, so this holds that to account. */
#include "device_values.h"

#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdbool.h>

static cublasHandle_t handle;

typedef cublasStatus_t (*Routine)();
static Routine routine(const char *format, int type)
{
    char name[64];
    snprintf(name, sizeof name, format, letters[type]);
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (!symbol)
        fail_msg("no %s", name);
    Routine out;
    memcpy(&out, &symbol, sizeof out);
    return out;
}

#define OK(call)      assert_int_equal(call, CUBLAS_STATUS_SUCCESS)
#define EACH_TYPE     for (int t = 0; t < TYPES; t++)
#define EACH_OP       for (int op = CUBLAS_OP_N; op <= CUBLAS_OP_C; op++)
#define EACH_FILL     for (int fill = CUBLAS_FILL_MODE_LOWER; fill <= CUBLAS_FILL_MODE_UPPER; fill++)
#define EACH_UNIT     for (int unit = 0; unit < 2; unit++)
#define EACH_SIDE     for (int side = CUBLAS_SIDE_LEFT; side <= CUBLAS_SIDE_RIGHT; side++)
#define EACH(i, list) for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)

static const int increments[][2] = {{1, 1}, {2, 1}, {1, 3}, {-1, 1}, {2, -3}, {-2, -1}};
static const int lengths[] = {1, 2, 3, 7, 8, 17, 33, 66};
static const Number factors[][2] = {
    {0.75 - 0.5 * I, 0}, {1, 1}, {-1.25 + 0.25 * I, 0.5 + 0.75 * I}};

static Number real_if(int type, Number value)
{
    return type >= C ? value : creal(value);
}
static int real_of(int type)
{
    return type == C ? S : type == Z ? D : type;
}
/* A scalar of the type in host memory. */
static const void *scalar(int type, Number value, void *room)
{
    put(type, room, 0, value);
    return room;
}

/* ---- vectors ---- */

typedef struct {
    Array a;
    int n, inc;
} Vector;

static size_t step(const Vector *v, int i)
{
    return (size_t)(v->inc > 0 ? i * v->inc : (i - v->n + 1) * v->inc);
}
static Number *in(Vector *v, int i)
{
    return &v->a.host[step(v, i)];
}
/* NaN between the elements and, if asked, in them. */
static Vector vector_new(int type, int n, int inc, bool poison)
{
    Vector v = {.n = n, .inc = inc};
    v.a = array_new(type, (size_t)((n ? n - 1 : 0) * abs(inc) + 1));
    for (size_t i = 0; i < v.a.count; i++)
        if (poison || i % (size_t)abs(inc) != 0)
            v.a.host[i] = NAN;
    upload(&v.a);
    return v;
}

/* ---- matrices ---- */

typedef enum { DENSE, TRIANGLE, BAND, TRIANGLE_BAND, PACKED } Kind;
typedef struct {
    Array a;
    Kind kind;
    int fill, m, n, ld, below, above;
} Matrix;

static bool stored(const Matrix *x, int i, int j)
{
    bool half = x->fill == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
    switch (x->kind) {
    case DENSE:
        return true;
    case TRIANGLE:
    case PACKED:
        return half;
    case BAND:
        return i - j <= x->below && j - i <= x->above;
    default:
        return half && abs(i - j) <= x->below;
    }
}
static size_t place(const Matrix *x, int i, int j)
{
    bool upper = x->fill == CUBLAS_FILL_MODE_UPPER;
    switch (x->kind) {
    case BAND:
        return (size_t)(x->above + i - j + j * x->ld);
    case TRIANGLE_BAND:
        return (size_t)((upper ? x->below + i - j : i - j) + j * x->ld);
    case PACKED:
        return (size_t)(upper ? i + j * (j + 1) / 2 : i + (2 * x->n - j - 1) * j / 2);
    default:
        return (size_t)(i + j * x->ld);
    }
}
/* Random where something is stored, NaN elsewhere. With solvable, near a multiple of the unit matrix. */
static Matrix matrix_new(int type, Kind kind, int fill, int m, int n, int below, int above,
                         bool solvable)
{
    Matrix x = {.kind = kind, .fill = fill, .m = m, .n = n, .below = below, .above = above};
    int rows = kind == BAND ? below + above + 1 : kind == TRIANGLE_BAND ? below + 1 : m;
    x.ld = rows + 3;
    x.a = array_new(type, kind == PACKED ? (size_t)(n * (n + 1) / 2) : (size_t)(x.ld * n));
    for (size_t i = 0; i < x.a.count; i++)
        x.a.host[i] = NAN;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (stored(&x, i, j))
                x.a.host[place(&x, i, j)] = !solvable ? random_number(type)
                                            : i == j  ? 2 + random_number(type)
                                                      : (Number)0x1p-6 * random_number(type);
    upload(&x.a);
    return x;
}
static Number plain(const Matrix *x, int i, int j)
{
    return stored(x, i, j) ? x->a.host[place(x, i, j)] : 0;
}
static Number symmetric(const Matrix *x, bool hermitian, int i, int j)
{
    bool here = stored(x, i, j);
    Number v = here ? plain(x, i, j) : plain(x, j, i);
    return !hermitian ? v : i == j ? creal(v) : here ? v : conj(v);
}
static Number triangle(const Matrix *x, bool unit, int i, int j)
{
    return unit && i == j ? 1 : plain(x, i, j);
}
/* The diagonal of a matrix with a unit one is not read. */
static void forget_diagonal(Matrix *x)
{
    for (int i = 0; i < x->n; i++)
        x->a.host[place(x, i, i)] = NAN;
    upload(&x->a);
}

/* op(x) as a plain array of columns. */
typedef enum { AS_PLAIN, AS_SYMMETRIC, AS_HERMITIAN, AS_TRIANGLE, AS_UNIT } Reading;
static Number *whole(const Matrix *x, Reading as, int op)
{
    Number *out = calloc((size_t)(x->m * x->n) + 1, sizeof *out);
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < x->m; i++) {
            Number v = as == AS_PLAIN      ? plain(x, i, j)
                       : as >= AS_TRIANGLE ? triangle(x, as == AS_UNIT, i, j)
                                           : symmetric(x, as == AS_HERMITIAN, i, j);
            out[op == CUBLAS_OP_N ? i + j * x->m : j + i * x->n] = op == CUBLAS_OP_C ? conj(v) : v;
        }
    return out;
}

/* As expect_array, NaN where NaN is expected. */
static void expect(const Array *a, double scale, const char *format, ...)
{
    Number *got = download(a);
    for (size_t i = 0; i < a->count; i++) {
        Number wanted = a->host[i];
        bool same = isnan(creal(wanted)) ? isnan(creal(got[i]))
                                         : cabs(got[i] - wanted) <= scale * tolerance(a->type);
        if (!same) {
            char what[200];
            va_list list;
            va_start(list, format);
            vsnprintf(what, sizeof what, format, list);
            va_end(list);
            fail_msg("%c%s, element %zu: %.9g%+.9gi, expected %.9g%+.9gi", letters[a->type], what,
                     i, creal(got[i]), cimag(got[i]), creal(wanted), cimag(wanted));
        }
    }
    free(got);
}

/* ---- level 1 ---- */

static void reductions(int t, int n, int incx, int incy)
{
    double room[2], result[2];
    int index;
    Vector x = vector_new(t, n, incx, false), y = vector_new(t, n, incy, false);
    if (incx > 0) {
        double sum = 0, square = 0, largest = -1, least = 1e9;
        int at_largest = 0, at_least = 0;
        for (int i = 0; i < n; i++) {
            Number v = *in(&x, i);
            double size = fabs(creal(v)) + fabs(cimag(v));
            /* What counts is the size as the type computes it. */
            if (t == S || t == C)
                size = (float)size;
            sum += size;
            square += creal(v) * creal(v) + cimag(v) * cimag(v);
            if (size > largest)
                largest = size, at_largest = i + 1;
            if (size < least)
                least = size, at_least = i + 1;
        }
        static const char *const norms[2][4] = {
            {"cublasSasum_v2", "cublasDasum_v2", "cublasScasum_v2", "cublasDzasum_v2"},
            {"cublasSnrm2_v2", "cublasDnrm2_v2", "cublasScnrm2_v2", "cublasDznrm2_v2"}};
        for (int k = 0; k < 2; k++) {
            OK(routine(norms[k][t], t)(handle, n, x.a.device, incx, result));
            Number wanted = k ? sqrt(square) : sum, got = get(real_of(t), result, 0);
            if (!(cabs(got - wanted) <= (n + 2) * tolerance(t)))
                fail_msg("%s, n %d, inc %d: %.9g, expected %.9g", norms[k][t], n, incx, creal(got),
                         creal(wanted));
        }
        static const char lower[] = "sdcz";
        char name[32];
        for (int k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "cublasI%cam%s_v2", lower[t], k ? "in" : "ax");
            OK(routine(name, t)(handle, n, x.a.device, incx, &index));
            if (index != (k ? at_least : at_largest))
                fail_msg("%s, n %d, inc %d: %d, expected %d", name, n, incx, index,
                         k ? at_least : at_largest);
        }
    }
    for (int conjugate = 0; conjugate <= (t >= C); conjugate++) {
        const char *name = t < C       ? "cublas%cdot_v2"
                           : conjugate ? "cublas%cdotc_v2"
                                       : "cublas%cdotu_v2";
        Number wanted = 0;
        for (int i = 0; i < n; i++)
            wanted += (conjugate ? conj(*in(&x, i)) : *in(&x, i)) * *in(&y, i);
        OK(routine(name, t)(handle, n, x.a.device, incx, y.a.device, incy, room));
        Number got = get(t, room, 0);
        if (!(cabs(got - wanted) <= (n + 2) * tolerance(t)))
            fail_msg("%s, type %c, n %d, inc %d, %d: %.9g%+.9gi, expected %.9g%+.9gi", name,
                     letters[t], n, incx, incy, creal(got), cimag(got), creal(wanted),
                     cimag(wanted));
    }
    array_free(&x.a);
    array_free(&y.a);
}

static void movements(int t, int n, int incx, int incy)
{
    double room[2], other[2];
    Vector x = vector_new(t, n, incx, false), y = vector_new(t, n, incy, false);
    Number alpha = real_if(t, 0.75 - 0.5 * I), s = real_if(t, 0.28 + 0.5 * I);
    double c = 0.6;
#define DONE(name)                                                                                 \
    expect(&x.a, 4, "%s: x, n %d, inc %d, %d", name, n, incx, incy);                               \
    expect(&y.a, 4, "%s: y, n %d, inc %d, %d", name, n, incx, incy)
    OK(routine("cublas%caxpy_v2", t)(handle, n, scalar(t, alpha, room), x.a.device, incx,
                                     y.a.device, incy));
    for (int i = 0; i < n; i++)
        *in(&y, i) += alpha * *in(&x, i);
    DONE("axpy");
    OK(routine("cublas%cswap_v2", t)(handle, n, x.a.device, incx, y.a.device, incy));
    for (int i = 0; i < n; i++) {
        Number v = *in(&y, i);
        *in(&y, i) = *in(&x, i);
        *in(&x, i) = v;
    }
    DONE("swap");
    for (int real = 0; real <= (t >= C); real++) {
        static const char *const with_real[] = {"", "", "cublasCsrot_v2", "cublasZdrot_v2"};
        OK(routine(real ? with_real[t] : "cublas%crot_v2",
                   t)(handle, n, x.a.device, incx, y.a.device, incy, scalar(real_of(t), c, room),
                      scalar(real ? real_of(t) : t, real ? creal(s) : s, other)));
        for (int i = 0; i < n; i++) {
            Number v = *in(&x, i), w = *in(&y, i), sine = real ? creal(s) : s;
            *in(&x, i) = c * v + sine * w;
            *in(&y, i) = c * w - conj(sine) * v;
        }
        DONE("rot");
    }
    if (t < C)
        for (int flag = -2; flag <= 1; flag++) {
            double numbers[5] = {flag, 0.5, -0.25, 0.75, 1.5}, h[4];
            char typed[5 * 8];
            for (size_t i = 0; i < 5; i++)
                put(t, typed, i, numbers[i]);
            h[0] = flag == -2 || flag == 0 ? 1 : numbers[1];
            h[1] = flag == -2 ? 0 : flag == 1 ? -1 : numbers[2];
            h[2] = flag == -2 ? 0 : flag == 1 ? 1 : numbers[3];
            h[3] = flag == -2 || flag == 0 ? 1 : numbers[4];
            OK(routine("cublas%crotm_v2", t)(handle, n, x.a.device, incx, y.a.device, incy, typed));
            for (int i = 0; i < n; i++) {
                Number v = *in(&x, i), w = *in(&y, i);
                *in(&x, i) = h[0] * v + h[2] * w;
                *in(&y, i) = h[1] * v + h[3] * w;
            }
            DONE("rotm");
        }
    OK(routine("cublas%ccopy_v2", t)(handle, n, x.a.device, incx, y.a.device, incy));
    for (int i = 0; i < n; i++)
        *in(&y, i) = *in(&x, i);
    DONE("copy");
    if (incx > 0) {
        OK(routine("cublas%cscal_v2", t)(handle, n, scalar(t, alpha, room), x.a.device, incx));
        for (int i = 0; i < n; i++)
            *in(&x, i) *= alpha;
        DONE("scal");
        if (t >= C) {
            OK(routine(t == C ? "cublasCsscal_v2" : "cublasZdscal_v2",
                       t)(handle, n, scalar(real_of(t), 1.5, room), x.a.device, incx));
            for (int i = 0; i < n; i++)
                *in(&x, i) *= 1.5;
            DONE("scal by a real");
        }
    }
    array_free(&x.a);
    array_free(&y.a);
}

static void level1(void **state)
{
    (void)state;
    EACH_TYPE EACH(k, increments)
    {
        for (int n = 1; n < 70; n++) {
            reductions(t, n, increments[k][0], increments[k][1]);
            if (n < 20 || n % 9 == 0)
                movements(t, n, increments[k][0], increments[k][1]);
        }
        reductions(t, 1003, increments[k][0], increments[k][1]);
        movements(t, 1003, increments[k][0], increments[k][1]);
    }
}

/* ---- level 2 ---- */

/* y = alpha * f * x + beta * y, f of m rows. A beta of 0 reads nothing. */
static void product(const Number *f, int m, int n, Number alpha, Vector *x, Number beta, Vector *y)
{
    for (int i = 0; i < m; i++) {
        Number sum = 0;
        for (int j = 0; j < n; j++)
            sum += f[i + j * m] * *in(x, j);
        *in(y, i) = alpha * sum + (beta == 0 ? 0 : beta * *in(y, i));
    }
}

static void general_vector(void **state)
{
    (void)state;
    double ra[2], rb[2];
    EACH_TYPE EACH_OP EACH(k, increments) EACH(l, lengths) EACH(f, factors)
    {
        int m = lengths[l], n = lengths[(l + k) % 8], incx = increments[k][0],
            incy = increments[k][1];
        Number alpha = real_if(t, factors[f][0]), beta = real_if(t, factors[f][1]);
        int xs = op == CUBLAS_OP_N ? n : m, ys = op == CUBLAS_OP_N ? m : n;
        for (int band = 0; band < 2; band++) {
            int below = band ? (int)(k % 3) : 0, above = band ? (int)(l % 4) : 0;
            Matrix a = matrix_new(t, band ? BAND : DENSE, 0, m, n, below, above, false);
            Vector x = vector_new(t, xs, incx, false), y = vector_new(t, ys, incy, beta == 0);
            if (band)
                OK(routine("cublas%cgbmv_v2", t)(handle, op, m, n, below, above,
                                                 scalar(t, alpha, ra), a.a.device, a.ld, x.a.device,
                                                 incx, scalar(t, beta, rb), y.a.device, incy));
            else
                OK(routine("cublas%cgemv_v2", t)(handle, op, m, n, scalar(t, alpha, ra), a.a.device,
                                                 a.ld, x.a.device, incx, scalar(t, beta, rb),
                                                 y.a.device, incy));
            Number *full = whole(&a, AS_PLAIN, op);
            product(full, ys, xs, alpha, &x, beta, &y);
            expect(&y.a, xs + 2, "%s, op %d, %d x %d, inc %d, %d, factors %zu",
                   band ? "gbmv" : "gemv", op, m, n, incx, incy, f);
            free(full);
            array_free(&a.a);
            array_free(&x.a);
            array_free(&y.a);
        }
    }
}

static void symmetric_vector(void **state)
{
    (void)state;
    double ra[2], rb[2];
    static const struct {
        Kind kind;
        const char *for_real, *for_complex;
    } forms[] = {{TRIANGLE, "cublas%csymv_v2", "cublas%chemv_v2"},
                 {TRIANGLE_BAND, "cublas%csbmv_v2", "cublas%chbmv_v2"},
                 {PACKED, "cublas%cspmv_v2", "cublas%chpmv_v2"},
                 {TRIANGLE, NULL, "cublas%csymv_v2"}};
    EACH_TYPE EACH_FILL EACH(k, increments) EACH(l, lengths) EACH(f, factors) EACH(form, forms)
    {
        const char *name = t >= C ? forms[form].for_complex : forms[form].for_real;
        if (!name)
            continue;
        int n = lengths[l], incx = increments[k][0], incy = increments[k][1], band = (int)(k % 4);
        Number alpha = real_if(t, factors[f][0]), beta = real_if(t, factors[f][1]);
        Matrix a = matrix_new(t, forms[form].kind, fill, n, n, band, 0, false);
        Vector x = vector_new(t, n, incx, false), y = vector_new(t, n, incy, beta == 0);
        const void *pa = scalar(t, alpha, ra), *pb = scalar(t, beta, rb);
        Routine call = routine(name, t);
        if (forms[form].kind == TRIANGLE)
            OK(call(handle, fill, n, pa, a.a.device, a.ld, x.a.device, incx, pb, y.a.device, incy));
        else if (forms[form].kind == TRIANGLE_BAND)
            OK(call(handle, fill, n, band, pa, a.a.device, a.ld, x.a.device, incx, pb, y.a.device,
                    incy));
        else
            OK(call(handle, fill, n, pa, a.a.device, x.a.device, incx, pb, y.a.device, incy));
        Number *full = whole(&a, t >= C && form < 3 ? AS_HERMITIAN : AS_SYMMETRIC, CUBLAS_OP_N);
        product(full, n, n, alpha, &x, beta, &y);
        expect(&y.a, n + 2, "%s, fill %d, n %d, band %d, inc %d, %d, factors %zu", name, fill, n,
               band, incx, incy, f);
        free(full);
        array_free(&a.a);
        array_free(&x.a);
        array_free(&y.a);
    }
}

static void triangle_vector(void **state)
{
    (void)state;
    static const struct {
        Kind kind;
        const char *multiply, *solve;
    } forms[] = {{TRIANGLE, "cublas%ctrmv_v2", "cublas%ctrsv_v2"},
                 {TRIANGLE_BAND, "cublas%ctbmv_v2", "cublas%ctbsv_v2"},
                 {PACKED, "cublas%ctpmv_v2", "cublas%ctpsv_v2"}};
    EACH_TYPE EACH_OP EACH_FILL EACH_UNIT EACH(k, increments) EACH(l, lengths) EACH(form, forms)
    {
        int n = lengths[l], inc = increments[k][0] * (k == 4 ? -1 : 1), band = (int)(k % 4);
        for (int solve = 0; solve < 2; solve++) {
            const char *name = solve ? forms[form].solve : forms[form].multiply;
            Matrix a = matrix_new(t, forms[form].kind, fill, n, n, band, 0, true);
            if (unit)
                forget_diagonal(&a);
            Vector x = vector_new(t, n, inc, false), before = vector_new(t, n, 1, false);
            for (int i = 0; i < n; i++)
                *in(&before, i) = *in(&x, i);
            Number *full = whole(&a, unit ? AS_UNIT : AS_TRIANGLE, op);
            if (solve) { /* what is asked for is x, what is given its product */
                product(full, n, n, 1, &before, 0, &x);
                upload(&x.a);
                for (int i = 0; i < n; i++)
                    *in(&x, i) = *in(&before, i);
            } else {
                product(full, n, n, 1, &before, 0, &x);
            }
            Routine call = routine(name, t);
            if (forms[form].kind == TRIANGLE)
                OK(call(handle, fill, op, unit, n, a.a.device, a.ld, x.a.device, inc));
            else if (forms[form].kind == TRIANGLE_BAND)
                OK(call(handle, fill, op, unit, n, band, a.a.device, a.ld, x.a.device, inc));
            else
                OK(call(handle, fill, op, unit, n, a.a.device, x.a.device, inc));
            expect(&x.a, n + 4, "%s, fill %d, op %d, unit %d, n %d, band %d, inc %d", name, fill,
                   op, unit, n, band, inc);
            free(full);
            array_free(&a.a);
            array_free(&x.a);
            array_free(&before.a);
        }
    }
}

static void rank_updates(void **state)
{
    (void)state;
    double ra[2];
    /* Which, the routine for real and for complex types, packed, hermitian, two vectors. */
    static const struct {
        const char *for_real, *for_complex;
        Kind kind;
        bool hermitian, two;
    } forms[] = {{"cublas%csyr_v2", "cublas%csyr_v2", TRIANGLE, false, false},
                 {"cublas%csyr2_v2", "cublas%csyr2_v2", TRIANGLE, false, true},
                 {"cublas%cspr_v2", "cublas%chpr_v2", PACKED, true, false},
                 {"cublas%cspr2_v2", "cublas%chpr2_v2", PACKED, true, true},
                 {NULL, "cublas%cher_v2", TRIANGLE, true, false},
                 {NULL, "cublas%cher2_v2", TRIANGLE, true, true},
                 {"cublas%cger_v2", "cublas%cgeru_v2", DENSE, false, false},
                 {NULL, "cublas%cgerc_v2", DENSE, true, false}};
    EACH_TYPE EACH_FILL EACH(k, increments) EACH(l, lengths) EACH(form, forms)
    {
        const char *name = t >= C ? forms[form].for_complex : forms[form].for_real;
        if (!name)
            continue;
        bool hermitian = forms[form].hermitian && t >= C, dense = forms[form].kind == DENSE;
        int n = lengths[l], m = dense ? lengths[(l + k) % 8] : n, incx = increments[k][0],
            incy = increments[k][1];
        bool real_alpha = hermitian && !forms[form].two && !dense;
        Number alpha = real_if(t, real_alpha ? -0.75 : 0.75 - 0.5 * I);
        Matrix a = matrix_new(t, forms[form].kind, fill, m, n, 0, 0, false);
        Vector x = vector_new(t, m, incx, false), y = vector_new(t, n, incy, false);
        const void *pa = scalar(real_alpha ? real_of(t) : t, alpha, ra);
        Routine call = routine(name, t);
        if (dense)
            OK(call(handle, m, n, pa, x.a.device, incx, y.a.device, incy, a.a.device, a.ld));
        else if (forms[form].two && forms[form].kind == PACKED)
            OK(call(handle, fill, n, pa, x.a.device, incx, y.a.device, incy, a.a.device));
        else if (forms[form].two)
            OK(call(handle, fill, n, pa, x.a.device, incx, y.a.device, incy, a.a.device, a.ld));
        else if (forms[form].kind == PACKED)
            OK(call(handle, fill, n, pa, x.a.device, incx, a.a.device));
        else
            OK(call(handle, fill, n, pa, x.a.device, incx, a.a.device, a.ld));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                if (!stored(&a, i, j))
                    continue;
                Number *c = &a.a.host[place(&a, i, j)];
                Vector *second = dense || forms[form].two ? &y : &x;
                Number left = *in(&x, i), right = *in(second, j);
                *c += alpha * left * (hermitian ? conj(right) : right);
                if (forms[form].two) {
                    Number other = *in(&x, j);
                    *c += hermitian ? conj(alpha) * *in(&y, i) * conj(other)
                                    : alpha * *in(&y, i) * other;
                }
                if (hermitian && !dense && i == j)
                    *c = creal(*c);
            }
        expect(&a.a, 8, "%s, fill %d, %d x %d, inc %d, %d", name, fill, m, n, incx, incy);
        array_free(&a.a);
        array_free(&x.a);
        array_free(&y.a);
    }
}

/* ---- level 3 ---- */

static const int sizes[][3] = {{1, 1, 1},   {3, 2, 5},    {8, 8, 8},    {7, 17, 9},
                               {16, 33, 4}, {65, 31, 37}, {40, 130, 67}};

/* c = alpha * f * g + beta * c in what c stores; f: m x k, g: k x n, by columns. */
static void matrix_product(const Number *f, const Number *g, int k, Number alpha, Number beta,
                           Matrix *c)
{
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++) {
            if (!stored(c, i, j))
                continue;
            Number sum = 0, *at = &c->a.host[place(c, i, j)];
            for (int l = 0; l < k; l++)
                sum += f[i + l * c->m] * g[l + j * k];
            *at = alpha * sum + (beta == 0 ? 0 : beta * *at);
        }
}
static void poison(Matrix *c)
{
    for (size_t i = 0; i < c->a.count; i++)
        c->a.host[i] = NAN;
    upload(&c->a);
}

static void general_products(void **state)
{
    (void)state;
    double ra[2], rb[2];
    EACH_TYPE EACH_OP for (int opb = 0; opb < 3; opb++) EACH(s, sizes) EACH(f, factors)
    {
        int m = sizes[s][0], n = sizes[s][1], k = sizes[s][2];
        Number alpha = real_if(t, factors[f][0]), beta = real_if(t, factors[f][1]);
        for (int three = 0; three <= (t >= C && f == 0); three++) {
            Matrix a = matrix_new(t, DENSE, 0, op ? k : m, op ? m : k, 0, 0, false);
            Matrix b = matrix_new(t, DENSE, 0, opb ? n : k, opb ? k : n, 0, 0, false);
            Matrix c = matrix_new(t, DENSE, 0, m, n, 0, 0, false);
            if (beta == 0)
                poison(&c);
            OK(routine(three ? "cublas%cgemm3m" : "cublas%cgemm_v2",
                       t)(handle, op, opb, m, n, k, scalar(t, alpha, ra), a.a.device, a.ld,
                          b.a.device, b.ld, scalar(t, beta, rb), c.a.device, c.ld));
            Number *left = whole(&a, AS_PLAIN, op), *right = whole(&b, AS_PLAIN, opb);
            matrix_product(left, right, k, alpha, beta, &c);
            expect(&c.a, k + 2, "gemm, op %d, %d, %d x %d x %d, factors %zu", op, opb, m, n, k, f);
            free(left);
            free(right);
            array_free(&a.a);
            array_free(&b.a);
            array_free(&c.a);
        }
    }
}

static void symmetric_products(void **state)
{
    (void)state;
    double ra[2], rb[2];
    EACH_TYPE EACH_SIDE EACH_FILL EACH(s, sizes) EACH(f, factors)
    {
        for (int hermitian = 0; hermitian <= (t >= C); hermitian++) {
            int m = sizes[s][0], n = sizes[s][1], k = side == CUBLAS_SIDE_LEFT ? m : n;
            Number alpha = real_if(t, factors[f][0]), beta = real_if(t, factors[f][1]);
            Matrix a = matrix_new(t, TRIANGLE, fill, k, k, 0, 0, false);
            Matrix b = matrix_new(t, DENSE, 0, m, n, 0, 0, false),
                   c = matrix_new(t, DENSE, 0, m, n, 0, 0, false);
            if (beta == 0)
                poison(&c);
            OK(routine(hermitian ? "cublas%chemm_v2" : "cublas%csymm_v2",
                       t)(handle, side, fill, m, n, scalar(t, alpha, ra), a.a.device, a.ld,
                          b.a.device, b.ld, scalar(t, beta, rb), c.a.device, c.ld));
            Number *full = whole(&a, hermitian ? AS_HERMITIAN : AS_SYMMETRIC, CUBLAS_OP_N);
            Number *other = whole(&b, AS_PLAIN, CUBLAS_OP_N);
            matrix_product(side == CUBLAS_SIDE_LEFT ? full : other,
                           side == CUBLAS_SIDE_LEFT ? other : full, k, alpha, beta, &c);
            expect(&c.a, k + 2, "%s, side %d, fill %d, %d x %d, factors %zu",
                   hermitian ? "hemm" : "symm", side, fill, m, n, f);
            free(full);
            free(other);
            array_free(&a.a);
            array_free(&b.a);
            array_free(&c.a);
        }
    }
}

/* syrk, syr2k, syrkx and, hermitian, herk, her2k, herkx: op(a) op(b)' with b = a in the first. */
static void rank_k_updates(void **state)
{
    (void)state;
    double ra[2], rb[2];
    static const char *const names[2][3] = {
        {"cublas%csyrk_v2", "cublas%csyr2k_v2", "cublas%csyrkx"},
        {"cublas%cherk_v2", "cublas%cher2k_v2", "cublas%cherkx"}};
    EACH_TYPE EACH_FILL EACH(s, sizes) EACH(f, factors) for (int kind = 0; kind < 3; kind++)
    {
        for (int hermitian = 0; hermitian <= (t >= C); hermitian++)
            for (int transposed = 0; transposed < 2; transposed++) {
                int n = sizes[s][1], k = sizes[s][2];
                int op = !transposed ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
                int back = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
                Number alpha = real_if(hermitian && kind == 0 ? real_of(t) : t, factors[f][0]);
                Number beta = real_if(hermitian ? real_of(t) : t, factors[f][1]);
                Matrix a =
                    matrix_new(t, DENSE, 0, transposed ? k : n, transposed ? n : k, 0, 0, false);
                Matrix b =
                    matrix_new(t, DENSE, 0, transposed ? k : n, transposed ? n : k, 0, 0, false);
                Matrix c = matrix_new(t, TRIANGLE, fill, n, n, 0, 0, false);
                if (kind == 2 &&
                    hermitian) { /* The product must be hermitian: b is a times a real. */
                    alpha = creal(alpha);
                    for (size_t i = 0; i < b.a.count; i++)
                        b.a.host[i] = 0.5 * a.a.host[i];
                    upload(&b.a);
                }
                if (beta == 0)
                    poison(&c);
                const void *pa = scalar(hermitian && kind == 0 ? real_of(t) : t, alpha, ra);
                const void *pb = scalar(hermitian ? real_of(t) : t, beta, rb);
                Routine call = routine(names[hermitian][kind], t);
                if (kind == 0)
                    OK(call(handle, fill, op, n, k, pa, a.a.device, a.ld, pb, c.a.device, c.ld));
                else
                    OK(call(handle, fill, op, n, k, pa, a.a.device, a.ld, b.a.device, b.ld, pb,
                            c.a.device, c.ld));
                Matrix *second = kind ? &b : &a;
                int first_op = op, second_op = transposed ? CUBLAS_OP_N : back;
                Number *left = whole(&a, AS_PLAIN, first_op),
                       *right = whole(second, AS_PLAIN, second_op);
                matrix_product(left, right, k, alpha, beta, &c);
                free(left);
                free(right);
                if (kind == 1) {
                    left = whole(&b, AS_PLAIN, first_op);
                    right = whole(&a, AS_PLAIN, second_op);
                    matrix_product(left, right, k, hermitian ? conj(alpha) : alpha, 1, &c);
                    free(left);
                    free(right);
                }
                if (hermitian)
                    for (int i = 0; i < n; i++)
                        c.a.host[place(&c, i, i)] = creal(c.a.host[place(&c, i, i)]);
                expect(&c.a, 2 * k + 2, "%s, fill %d, op %d, n %d, k %d, factors %zu",
                       names[hermitian][kind], fill, op, n, k, f);
                array_free(&a.a);
                array_free(&b.a);
                array_free(&c.a);
            }
    }
}

static void triangle_products(void **state)
{
    (void)state;
    double ra[2];
    EACH_TYPE EACH_SIDE EACH_FILL EACH_OP EACH_UNIT EACH(s, sizes)
    {
        for (int solve = 0; solve < 2; solve++) {
            int m = sizes[s][0], n = sizes[s][1], k = side == CUBLAS_SIDE_LEFT ? m : n;
            Number alpha = real_if(t, s % 2 ? 1 : 0.75 - 0.5 * I);
            Matrix a = matrix_new(t, TRIANGLE, fill, k, k, 0, 0, true);
            if (unit)
                forget_diagonal(&a);
            Matrix b = matrix_new(t, DENSE, 0, m, n, 0, 0, false),
                   c = matrix_new(t, DENSE, 0, m, n, 0, 0, false);
            poison(&c);
            Number *full = whole(&a, unit ? AS_UNIT : AS_TRIANGLE, op),
                   *other = whole(&b, AS_PLAIN, CUBLAS_OP_N);
            matrix_product(side == CUBLAS_SIDE_LEFT ? full : other,
                           side == CUBLAS_SIDE_LEFT ? other : full, k, solve ? 1 : alpha, 0, &c);
            if (solve) {
                upload(&c.a);
                OK(routine("cublas%ctrsm_v2", t)(handle, side, fill, op, unit, m, n,
                                                 scalar(t, alpha, ra), a.a.device, a.ld, c.a.device,
                                                 c.ld));
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        c.a.host[place(&c, i, j)] = alpha * plain(&b, i, j);
            } else {
                OK(routine("cublas%ctrmm_v2", t)(handle, side, fill, op, unit, m, n,
                                                 scalar(t, alpha, ra), a.a.device, a.ld, b.a.device,
                                                 b.ld, c.a.device, c.ld));
            }
            expect(&c.a, k + 4, "%s, side %d, fill %d, op %d, unit %d, %d x %d",
                   solve ? "trsm" : "trmm", side, fill, op, unit, m, n);
            free(full);
            free(other);
            array_free(&a.a);
            array_free(&b.a);
            array_free(&c.a);
        }
    }
}

static int start(void **state)
{
    (void)state;
    return cublasCreate_v2(&handle) != CUBLAS_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level1),
        cmocka_unit_test(general_vector),
        cmocka_unit_test(symmetric_vector),
        cmocka_unit_test(triangle_vector),
        cmocka_unit_test(rank_updates),
        cmocka_unit_test(general_products),
        cmocka_unit_test(symmetric_products),
        cmocka_unit_test(rank_k_updates),
        cmocka_unit_test(triangle_products),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
