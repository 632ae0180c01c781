/* SPDX-License-Identifier: Apache-2.0
 * The device math library against MPFR: the same source, compiled as C. For each function of
 * functions.def, edge values and random ones; the largest error in ULP must stay within the bound
 * that CUDA documents. Writes the table build/math-ulp.txt. */
#include "gpukit/math_base.h"

#include "gpukit/math_coefficients.h"

#include "gpukit/math_double.h"

#include "gpukit/math_float.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BITS = 220 };

/* --- references that MPFR lacks ------------------------------------------------------------- */

static int ref_sinpi(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    mpfr_t t;
    mpfr_init2(t, 1400);
    mpfr_set(t, x, MPFR_RNDN);
    mpfr_fmod_ui(t, t, 2, MPFR_RNDN);
    mpfr_t pi;
    mpfr_init2(pi, 1400);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(t, t, pi, MPFR_RNDN);
    mpfr_sin(y, t, r);
    mpfr_t whole;
    mpfr_init2(whole, 64);
    if (mpfr_integer_p(x))
        mpfr_set_zero(y, mpfr_signbit(x) ? -1 : 1);
    mpfr_clears(t, pi, whole, (mpfr_ptr)0);
    return 0;
}
static int ref_cospi(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    mpfr_t t, pi;
    mpfr_inits2(1400, t, pi, (mpfr_ptr)0);
    mpfr_set(t, x, MPFR_RNDN);
    mpfr_fmod_ui(t, t, 2, MPFR_RNDN);
    mpfr_abs(t, t, MPFR_RNDN);
    if (mpfr_nan_p(t)) {
        mpfr_set_nan(y);
        mpfr_clears(t, pi, (mpfr_ptr)0);
        return 0;
    }
    int zero = mpfr_cmp_d(t, 0.5) == 0 || mpfr_cmp_d(t, 1.5) == 0;
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(t, t, pi, MPFR_RNDN);
    mpfr_cos(y, t, r);
    if (zero)
        mpfr_set_zero(y, 1);
    mpfr_clears(t, pi, (mpfr_ptr)0);
    return 0;
}
static int ref_rcbrt(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    mpfr_cbrt(y, x, r);
    return mpfr_ui_div(y, 1, y, r);
}
static int ref_erfcx(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    if (mpfr_cmp_d(x, 500) > 0) { /* asymptotic series: sum of (-1)^k (2k-1)!! / (2 x x)^k */
        mpfr_t z, term;
        mpfr_inits2(BITS, z, term, (mpfr_ptr)0);
        mpfr_sqr(z, x, MPFR_RNDN);
        mpfr_mul_2ui(z, z, 1, MPFR_RNDN);
        mpfr_set_ui(term, 1, MPFR_RNDN);
        mpfr_set_ui(y, 1, MPFR_RNDN);
        for (int k = 1; k < 12 && !mpfr_inf_p(z); ++k) {
            mpfr_mul_si(term, term, -(2 * k - 1), MPFR_RNDN);
            mpfr_div(term, term, z, MPFR_RNDN);
            mpfr_add(y, y, term, MPFR_RNDN);
        }
        mpfr_div(y, y, x, MPFR_RNDN);
        mpfr_const_pi(z, MPFR_RNDN);
        mpfr_rec_sqrt(z, z, MPFR_RNDN);
        mpfr_mul(y, y, z, r);
        mpfr_clears(z, term, (mpfr_ptr)0);
        return 0;
    }
    mpfr_t e;
    mpfr_init2(e, BITS + 80);
    mpfr_sqr(e, x, MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    mpfr_erfc(y, x, r);
    mpfr_mul(y, y, e, r);
    mpfr_clear(e);
    return 0;
}
/* v with erfc(v) = x, by Newton's method from a good start. */
static void invert_erfc(mpfr_t v, const mpfr_t x, double start)
{
    mpfr_t f, d, pi;
    mpfr_inits2(BITS, f, d, pi, (mpfr_ptr)0);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_sqrt(pi, pi, MPFR_RNDN);
    mpfr_div_2ui(pi, pi, 1, MPFR_RNDN);
    mpfr_set_d(v, start, MPFR_RNDN);
    for (int i = 0; i < 5; ++i) {
        mpfr_erfc(f, v, MPFR_RNDN);
        mpfr_sub(f, f, x, MPFR_RNDN);
        mpfr_sqr(d, v, MPFR_RNDN);
        mpfr_exp(d, d, MPFR_RNDN);
        mpfr_mul(f, f, d, MPFR_RNDN);
        mpfr_mul(f, f, pi, MPFR_RNDN);
        mpfr_add(v, v, f, MPFR_RNDN);
    }
    mpfr_clears(f, d, pi, (mpfr_ptr)0);
}
static int ref_erfcinv(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    (void)r;
    double d = mpfr_get_d(x, MPFR_RNDN);
    if (!(d > 0 && d < 2)) {
        mpfr_set_d(y, d == 0 ? INFINITY : d == 2 ? -INFINITY : NAN, MPFR_RNDN);
        return 0;
    }
    if (d == 1) {
        mpfr_set_zero(y, 1);
        return 0;
    }
    invert_erfc(y, x, gk_erfcinv(d));
    return 0;
}
static int ref_erfinv(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    if (mpfr_zero_p(x))
        return mpfr_set(y, x, r);
    mpfr_t c;
    mpfr_init2(c, 1300);
    mpfr_ui_sub(c, 1, x, MPFR_RNDN);
    double d = mpfr_get_d(x, MPFR_RNDN);
    if (!(fabs(d) < 1)) {
        mpfr_set_d(y, d == 1 ? INFINITY : d == -1 ? -INFINITY : NAN, MPFR_RNDN);
    } else if (fabs(d) < 1e-20) {
        mpfr_const_pi(c, MPFR_RNDN);
        mpfr_sqrt(c, c, MPFR_RNDN);
        mpfr_mul(y, x, c, MPFR_RNDN);
        mpfr_div_2ui(y, y, 1, MPFR_RNDN);
    } else {
        invert_erfc(y, c, gk_erfinv(d));
    }
    mpfr_clear(c);
    return 0;
}
static int ref_normcdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    mpfr_t t;
    mpfr_init2(t, BITS);
    mpfr_sqrt_ui(t, 2, MPFR_RNDN);
    mpfr_div(t, x, t, MPFR_RNDN);
    mpfr_neg(t, t, MPFR_RNDN);
    mpfr_erfc(y, t, r);
    mpfr_div_2ui(y, y, 1, r);
    mpfr_clear(t);
    return 0;
}
static int ref_normcdfinv(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    mpfr_t t;
    mpfr_init2(t, BITS);
    mpfr_mul_2ui(t, x, 1, MPFR_RNDN);
    ref_erfcinv(y, t, r);
    mpfr_sqrt_ui(t, 2, MPFR_RNDN);
    mpfr_mul(y, y, t, r);
    mpfr_neg(y, y, r);
    mpfr_clear(t);
    return 0;
}
static int mpfr_lngamma_(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    int sign;
    return mpfr_lgamma(y, &sign, x, r);
}
/* I_n(x) by its series, all terms positive. */
static int series_i(mpfr_t y, const mpfr_t x, int n)
{
    mpfr_t q, term;
    mpfr_inits2(BITS, q, term, (mpfr_ptr)0);
    mpfr_sqr(q, x, MPFR_RNDN);
    mpfr_div_2ui(q, q, 2, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    if (n) {
        mpfr_set(term, x, MPFR_RNDN);
        mpfr_div_2ui(term, term, 1, MPFR_RNDN);
    }
    mpfr_set(y, term, MPFR_RNDN);
    for (unsigned long k = 1; k < 3000 && !mpfr_zero_p(term); ++k) {
        mpfr_mul(term, term, q, MPFR_RNDN);
        mpfr_div_ui(term, term, k, MPFR_RNDN);
        mpfr_div_ui(term, term, k + (unsigned long)n, MPFR_RNDN);
        mpfr_add(y, y, term, MPFR_RNDN);
        if (mpfr_get_exp(term) < mpfr_get_exp(y) - BITS)
            break;
    }
    mpfr_clears(q, term, (mpfr_ptr)0);
    return 0;
}
static int ref_i0(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    (void)r;
    return series_i(y, x, 0);
}
static int ref_i1(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    (void)r;
    return mpfr_zero_p(x) ? mpfr_set(y, x, r) : series_i(y, x, 1);
}
static int ref_rhypot(mpfr_t y, const mpfr_t a, const mpfr_t b, mpfr_rnd_t r)
{
    mpfr_hypot(y, a, b, r);
    return mpfr_ui_div(y, 1, y, r);
}

/* --- errors --------------------------------------------------------------------------------- */

static uint64_t seed = 88172645463325252u;
static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}
static double unit(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

/* Even over the interval in half of the draws, even in the exponent in the others. */
static double draw(double from, double to)
{
    if (next_random() & 1)
        return from + (to - from) * unit();
    double side = next_random() & 1 ? from : to;
    double centre = from <= 0 && to >= 0 ? 0 : from;
    double reach = fabs(side - centre);
    double range = reach > 1e10 ? 600 : 60;
    return centre + (side < centre ? -1 : 1) * reach * exp(-range * unit());
}

static int has_right_shape(double got, const mpfr_t want, double top, bool *decided)
{
    *decided = true;
    if (mpfr_nan_p(want))
        return got != got;
    if (got != got)
        return 0;
    if (mpfr_cmpabs(want, want) == 0 &&
        (mpfr_inf_p(want) || fabs(mpfr_get_d(want, MPFR_RNDN)) > top))
        return isinf(got) && mpfr_signbit(want) == signbit(got);
    if (mpfr_zero_p(want))
        return got == 0;
    *decided = false;
    return 1;
}

/* |got - want| in units of the last place of a type with the given bits and smallest exponent. */
static double ulps(double got, const mpfr_t want, int bits, int lowest)
{
    mpfr_t d;
    mpfr_init2(d, BITS);
    long e = mpfr_get_exp(want) - bits;
    e = e < lowest ? lowest : e;
    mpfr_sub_d(d, want, got, MPFR_RNDN);
    mpfr_mul_2si(d, d, -e, MPFR_RNDN);
    double error = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return isinf(got) ? 0.5
                      : error; /* overflow beyond the last finite value: the shape was checked */
}

typedef struct {
    const char *name;
    double bound, worst, at, at2, got;
    int cases, wrong;
} Row;

static void judge(Row *row, double got, const mpfr_t want, double x, double x2, bool single)
{
    bool decided;
    ++row->cases;
    if (!has_right_shape(got, want, single ? 0x1.fffffefp127 : 1.7976931348623157e308, &decided)) {
        if (row->wrong++ < 3)
            printf("%s%s(%a, %a) = %a, want %g\n", row->name, single ? "f" : "", x, x2, got,
                   mpfr_get_d(want, MPFR_RNDN));
        return;
    }
    double e = decided ? 0 : single ? ulps(got, want, 24, -149) : ulps(got, want, 53, -1074);
    if (e > row->worst) {
        row->worst = e;
        row->at = x;
        row->at2 = x2;
        row->got = got;
    }
}

typedef int Reference1(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int Reference2(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static const double edges[] = {0.0,
                               -0.0,
                               1,
                               -1,
                               0.5,
                               -0.5,
                               2,
                               -2,
                               0.25,
                               0.75,
                               1.5,
                               3,
                               4,
                               8,
                               10,
                               12,
                               12.5,
                               16,
                               100,
                               0x1p-1074,
                               -0x1p-1074,
                               0x1p-1022,
                               0x1p-149,
                               0x1p-126,
                               0x1p-60,
                               1e-10,
                               0x1.fffffffffffffp-1,
                               0x1.0000000000001p+0,
                               0x1.fffffep-1,
                               0x1.000002p+0,
                               0x1p23,
                               0x1p24,
                               0x1p52,
                               0x1p53,
                               1e22,
                               0x1.fffffep127,
                               1.7976931348623157e308,
                               0x1.921fb54442d18p+1,
                               0x1.921fb54442d18p+0,
                               0x1.921fb6p+1,
                               0x1.6ac5b262ca1ffp+849,
                               709.78,
                               -745.13,
                               88.72,
                               -103.97,
                               INFINITY,
                               -INFINITY,
                               NAN};
enum { EDGES = sizeof edges / sizeof *edges };

static void run_one(Row *d, Row *f, double (*fd)(double), float (*ff)(float), Reference1 *reference,
                    double from, double to, int cases)
{
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, BITS);
    bool bessel = strchr("jy", d->name[0]) || strncmp(d->name, "cyl", 3) == 0;
    for (int i = 0; i < cases + EDGES; ++i) {
        double a = i < EDGES ? edges[i] : draw(from, to);
        if (i < EDGES && bessel && !(a >= from && a <= to))
            continue;
        mpfr_set_d(x, a, MPFR_RNDN);
        reference(y, x, MPFR_RNDN);
        judge(d, fd(a), y, a, 0, false);
        float b = (float)a;
        if (i >= EDGES && from < -1e30)
            b = (float)draw(-1e30, 1e30);
        if (isinf(b) && !isinf(a))
            continue;
        mpfr_set_d(x, b, MPFR_RNDN);
        reference(y, x, MPFR_RNDN);
        judge(f, ff(b), y, b, 0, true);
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
}

static void run_two(Row *d, Row *f, double (*fd)(double, double), float (*ff)(float, float),
                    Reference2 *reference, double from, double to, int cases)
{
    mpfr_t x, x2, y;
    mpfr_inits2(53, x, x2, (mpfr_ptr)0);
    mpfr_init2(y, BITS);
    bool power = strcmp(d->name, "pow") == 0;
    for (int i = 0; i < cases + EDGES * 12; ++i) {
        bool edge = i < EDGES * 12;
        double a = edge ? edges[i % EDGES] : draw(from, to),
               b = edge ? edges[i * 7 % EDGES] : draw(from, to);
        if (power && !edge)
            b = (unit() - 0.5) * 1400 / fabs(log(a) ? log(a) : 1);
        if (i % 3 == 0 && !edge && !power)
            b = a * (1 + unit());
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(x2, b, MPFR_RNDN);
        reference(y, x, x2, MPFR_RNDN);
        judge(d, fd(a, b), y, a, b, false);
        float c = (float)a, e = (float)b;
        if ((isinf(c) && !isinf(a)) || (isinf(e) && !isinf(b))) {
            c = (float)draw(from < 0 ? -1e15 : 0, 1e15);
            e = (float)draw(from < 0 ? -1e15 : 0, 1e15);
        }
        mpfr_set_d(x, c, MPFR_RNDN);
        mpfr_set_d(x2, e, MPFR_RNDN);
        reference(y, x, x2, MPFR_RNDN);
        judge(f, ff(c, e), y, c, e, true);
    }
    mpfr_clears(x, x2, y, (mpfr_ptr)0);
}

/* Square root of the sum of squares of `count` numbers, or its reciprocal. */
typedef double Norm(const double *v);

static void run_norm(Row *row, Norm *norm, int count, bool reciprocal, bool single, int cases)
{
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, BITS);
    for (int i = 0; i < cases; ++i) {
        double v[4], scale = exp(draw(single ? -30 : -300, single ? 30 : 300));
        mpfr_set_zero(y, 1);
        for (int k = 0; k < count; ++k) {
            v[k] = (unit() - 0.5) * (i % 3 ? scale : exp(draw(-20, 20)));
            v[k] = single ? (double)(float)v[k] : v[k];
            mpfr_set_d(x, v[k], MPFR_RNDN);
            mpfr_fma(y, x, x, y, MPFR_RNDN);
        }
        if (reciprocal)
            mpfr_rec_sqrt(y, y, MPFR_RNDN);
        else
            mpfr_sqrt(y, y, MPFR_RNDN);
        judge(row, norm(v), y, v[0], v[1], single);
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
}

/* Bessel functions of order n: their bound is an absolute error. */
static void run_order(Row *row, double (*fn)(int, double),
                      int (*reference)(mpfr_t, long, const mpfr_t, mpfr_rnd_t), double beyond,
                      bool single, int cases)
{
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, BITS);
    for (int i = 0; i < cases; ++i) {
        int n = (int)(next_random() % 127) + 2;
        double a = beyond > 0 ? beyond * n * (1.01 + unit()) : unit() * 300;
        a = single ? (double)(float)a : a;
        mpfr_set_d(x, a, MPFR_RNDN);
        reference(y, n, x, MPFR_RNDN);
        double error = fabs(fn(n, a) - mpfr_get_d(y, MPFR_RNDN));
        ++row->cases;
        if (!(error <= row->worst))
            row->worst = error, row->at = n, row->at2 = a;
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
}

/* The two results of one function, as functions of their own. */
#define HALF(name, type, both, result)                                                             \
    static type name(type x)                                                                       \
    {                                                                                              \
        type s, c;                                                                                 \
        both(x, &s, &c);                                                                           \
        return result;                                                                             \
    }
HALF(gk_sincos_sin, double, gk_sincos, s)
HALF(gk_sincos_cos, double, gk_sincos, c)
HALF(gk_sincos_sinf, float, gk_sincosf, s)
HALF(gk_sincos_cosf, float, gk_sincosf, c)
HALF(gk_sincospi_sin, double, gk_sincospi, s)
HALF(gk_sincospi_cos, double, gk_sincospi, c)
HALF(gk_sincospi_sinf, float, gk_sincospif, s)
HALF(gk_sincospi_cosf, float, gk_sincospif, c)

#define V3 v[0], v[1], v[2]
#define V4 V3, v[3]
#define F3 (float)v[0], (float)v[1], (float)v[2]
#define F4 F3, (float)v[3]
#define NORM(fn, count, reciprocal, ulp, ulpf)                                                     \
    static double call_##fn(const double *v)                                                       \
    {                                                                                              \
        return gk_##fn(V##count);                                                                  \
    }                                                                                              \
    static double call_##fn##f(const double *v)                                                    \
    {                                                                                              \
        return (double)gk_##fn##f(F##count);                                                       \
    }
#define ORDER(fn, reference, bound, boundf, beyond)                                                \
    static double call_##fn##f(int n, double x)                                                    \
    {                                                                                              \
        return (double)gk_##fn##f(n, (float)x);                                                    \
    }
#define ONE(...)
#include "more_functions.def"
#undef ONE
#undef NORM
#undef ORDER

static int report(FILE *out, const Row *row, const char *suffix)
{
    int bad = row->worst > row->bound + 1e-9 || row->wrong;
    fprintf(out, "%-16s%s %8.3f %6.1f %8d  %a", row->name, suffix, row->worst, row->bound,
            row->cases, row->at);
    if (row->at2 != 0)
        fprintf(out, ", %a", row->at2);
    fprintf(out, "%s\n", bad ? "  ABOVE" : "");
    if (bad)
        printf("%s%s: %.3f ULP, bound %.1f, at %a %a = %a; %d wrong\n", row->name, suffix,
               row->worst, row->bound, row->at, row->at2, row->got, row->wrong);
    return bad;
}

static void test_functions(void **state)
{
    (void)state;
    FILE *out = fopen(BUILD_DIR "/math-ulp.txt", "w");
    assert_non_null(out);
    fprintf(out,
            "# Device math library: largest error in ULP against MPFR over edge and random values\n"
            "# function        largest  bound    cases  at\n");
    const char *many = getenv("GPUKIT_MATH_CASES");
    int cases = many ? atoi(many) : 1500, bad = 0;
#define ONE(fn, reference, ulp, ulpf, from, to)                                                    \
    {                                                                                              \
        Row d = {.name = #fn, .bound = ulp}, f = {.name = #fn, .bound = ulpf};                     \
        run_one(&d, &f, gk_##fn, gk_##fn##f, reference, from, to, cases);                          \
        bad += report(out, &d, " ") + report(out, &f, "f");                                        \
    }
#define TWO(fn, reference, ulp, ulpf, from, to)                                                    \
    {                                                                                              \
        Row d = {.name = #fn, .bound = ulp}, f = {.name = #fn, .bound = ulpf};                     \
        run_two(&d, &f, gk_##fn, gk_##fn##f, reference, from, to, cases);                          \
        bad += report(out, &d, " ") + report(out, &f, "f");                                        \
    }
#define NORM(fn, count, reciprocal, ulp, ulpf)                                                     \
    {                                                                                              \
        Row d = {.name = #fn, .bound = ulp}, f = {.name = #fn, .bound = ulpf};                     \
        run_norm(&d, call_##fn, count, reciprocal, false, cases);                                  \
        run_norm(&f, call_##fn##f, count, reciprocal, true, cases);                                \
        bad += report(out, &d, " ") + report(out, &f, "f");                                        \
    }
#define ORDER(fn, reference, limit, limitf, beyond)                                                \
    {                                                                                              \
        Row d = {.name = #fn}, f = {.name = #fn};                                                  \
        run_order(&d, gk_##fn, reference, beyond, false, cases / 10);                              \
        run_order(&f, call_##fn##f, reference, beyond, true, cases / 10);                          \
        fprintf(out, "%-16s  absolute %.1e, bound %.1e, %d cases\n", #fn, d.worst, limit,          \
                d.cases);                                                                          \
        fprintf(out, "%-16sf absolute %.1e, bound %.1e, %d cases\n", #fn, f.worst, limitf,         \
                f.cases);                                                                          \
        if (d.worst > limit || f.worst > limitf)                                                   \
            printf("%s: %g at %g, %g; %g at %g, %g\n", #fn, d.worst, d.at, d.at2, f.worst, f.at,   \
                   f.at2);                                                                         \
        bad += d.worst > limit || f.worst > limitf;                                                \
    }
#include "functions.def"
#include "more_functions.def"
#undef ONE
#undef TWO
#undef NORM
#undef ORDER
    fprintf(
        out,
        "# Exact, held to the C library's: ldexp frexp modf logb remquo nextafter round\n"
        "# Single instructions, held to the H200's bits (tests/ops): sqrt rsqrtf fma fabs copysign "
        "ceil floor\n"
        "# trunc rint nearbyint fmin fmax; rsqrt (double) is right to the last place but one\n");
    fclose(out);
    assert_int_equal(bad, 0);
}

/* Parts of numbers: exact, against the C library. */
static void test_parts(void **state)
{
    (void)state;
    for (int i = 0; i < 20000 + EDGES; ++i) {
        double x = i < EDGES ? edges[i] : gk_double(next_random());
        float f = (float)x;
        int e1, e2;
        double y = gk_frexp(x, &e1), z = frexp(x, &e2);
        if (x == x && fabs(x) < INFINITY) {
            assert_true(y == z && e1 == e2);
            int n = (int)(next_random() % 4500) - 2250;
            double got = gk_ldexp(x, n), want = ldexp(x, n);
            if (got != want)
                fail_msg("ldexp(%a, %d) = %a, want %a", x, n, got, want);
            n %= 400;
            if (fabsf(f) < INFINITY)
                assert_true(gk_ldexpf(f, n) == ldexpf(f, n));
            assert_true(gk_round(x) == round(x) && gk_roundf(f) == roundf(f));
            assert_true(gk_logb(x) == logb(x));
            double w1, w2, m1 = gk_modf(x, &w1), m2 = modf(x, &w2);
            assert_true(m1 == m2 && w1 == w2);
            assert_true(gk_nextafter(x, 1e300) == nextafter(x, 1e300));
            assert_true(gk_nextafterf(f, -1) == nextafterf(f, -1));
            double v = gk_double(next_random());
            if (v == v && v != 0 && fabs(v) < INFINITY) {
                int q1, q2;
                double r1 = gk_remquo(x, v, &q1), r2 = remquo(x, v, &q2);
                assert_true(r1 == r2 && (q1 & 7) == (q2 & 7));
            }
        }
        double r = gk_rsqrt(fabs(x));
        if (fabs(x) > 0 && fabs(x) < INFINITY) {
            long double want = 1 / sqrtl(fabsl((long double)x));
            assert_true(fabsl(r - want) <= want * 0x1p-53L);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
