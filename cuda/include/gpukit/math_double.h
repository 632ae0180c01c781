/* SPDX-License-Identifier: Apache-2.0
 * Device mathematics in double precision. Names gk_x; libdevice.h gives them the names __nv_x.
 * "dd" is an unevaluated sum hi + lo of two doubles. Error bounds: the tables of the CUDA C++
 * Programming Guide; the largest errors found are printed by tests/math. Includes math_base.h's
 * rules: no contraction, exact operations only. */
#ifndef GPUKIT_MATH_DOUBLE_H
#define GPUKIT_MATH_DOUBLE_H

/* --- exponential ---------------------------------------------------------------------------- */

/* p * 2^k for |k| up to 2100, rounded once. */
GKM double gk_scale(double p, int k)
{
    int half = k >> 1;
    return p * gk_double((unsigned long long)(half + 1023) << 52) *
           gk_double((unsigned long long)(k - half + 1023) << 52);
}

/* e^(r + lo) - 1 for |r| <= 0.3466, lo tiny. */
GKM double gk_expm1_core(double r, double lo)
{
    return r + gk_fma(r * r, gk_p_exp(r), gk_fma(lo, r, lo));
}

/* e^(hi + lo) * 2^extra. |lo| at most a few ulp of hi. */
GKM double gk_exp_dd(double hi, double lo, int extra)
{
    double x = hi > 800 ? 800 : hi < -800 ? -800 : hi; /* NaN stays */
    double k = gk_rint(x * 0x1.71547652b82fep+0);
    double r = gk_fma(k, -0x1.62e42fefa3000p-1, x);
    double c = gk_fma(k, -0x1.3de6af278ece6p-42, lo);
    double t = r + c;
    c += r - t;
    double p = 1 + gk_expm1_core(t, c);
    double y = gk_scale(p, gk_d2i(k) + extra);
    return hi != hi ? hi : y;
}

GKM double gk_exp(double x) { return gk_exp_dd(x, 0, 0); }

GKM double gk_exp2(double a)
{
    double x = a > 1100 ? 1100 : a < -1100 ? -1100 : a;
    double k = gk_rint(x), f = x - k;
    double hi = f * GK_LN2, lo = gk_fma(f, GK_LN2, -hi) + f * 0x1.abc9e3b39803fp-56;
    double y = gk_scale(1 + gk_expm1_core(hi, lo), gk_d2i(k));
    return a != a ? a : y;
}

GKM double gk_exp10(double a)
{
    double x = a > 330 ? 330 : a < -330 ? -330 : a;
    double k = gk_rint(x * 0x1.a934f0979a371p+1);
    double f = gk_fma(k, -0x1.34413509f7000p-2, x);
    double c = k * -0x1.3fde623e2566bp-43;
    double g = f + c;
    c += f - g;
    double hi = g * 0x1.26bb1bbb55516p+1;
    double lo = gk_fma(g, 0x1.26bb1bbb55516p+1, -hi) + g * -0x1.f48ad494ea3e9p-53 + c * 0x1.26bb1bbb55516p+1;
    double y = gk_scale(1 + gk_expm1_core(hi, lo), gk_d2i(k));
    return a != a ? a : y;
}

GKM double gk_expm1(double a)
{
    double x = a > 50 ? 50 : a < -50 ? -50 : a;
    double k = gk_rint(x * 0x1.71547652b82fep+0);
    double r = gk_fma(k, -0x1.62e42fefa3000p-1, x);
    double c = k * -0x1.3de6af278ece6p-42;
    double t = r + c;
    c += r - t;
    double two_k = gk_double((unsigned long long)(gk_d2i(k) + 1023) << 52);
    double base = two_k - 1, linear = two_k * t;
    double s = base + linear, e = k < 0 || two_k < 2 ? linear - (s - base) : base - (s - linear);
    if (two_k >= 2) { /* either may be the larger: the branch-free two-sum */
        double b = s - base;
        e = (base - (s - b)) + (linear - b);
    }
    double y = s + (e + two_k * gk_fma(t * t, gk_p_exp(t), gk_fma(c, t, c)));
    y = k == 0 ? gk_expm1_core(t, c) : y;
    y = a > 50 ? gk_exp(a) : y;
    return a == 0 || a != a ? a : y;
}

/* --- logarithm ------------------------------------------------------------------------------ */

/* x = m * 2^e with m in [sqrt(1/2), sqrt(2)); x positive and finite. */
GKM double gk_log_split(double x, int *e)
{
    int shift = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        shift = -54;
    }
    unsigned long long u = gk_bits(x) - 0x3fe6a09e667f3bcdull;
    int k = (int)((long long)u >> 52);
    *e = k + shift;
    return gk_double(gk_bits(x) - ((unsigned long long)(long long)k << 52));
}

/* log(1 + f) + e log 2 for 1 + f as above. */
GKM double gk_log_finish(double f, int e)
{
    double s = gk_div(f, 2 + f), z = s * s, h = 0.5 * f * f, k = e;
    double r = z * gk_p_log(z);
    return k * 0x1.62e42fefa3000p-1 - ((h - (s * (h + r) + k * 0x1.3de6af278ece6p-42)) - f);
}

GKM double gk_log_special(double x, double y)
{
    y = x == GK_INF ? x : y;
    y = x == 0 ? -GK_INF : y;
    return x < 0 || x != x ? GK_NAN : y;
}

GKM double gk_log(double x)
{
    int e;
    double f = gk_log_split(x, &e) - 1;
    return gk_log_special(x, gk_log_finish(f, e));
}

GKM double gk_log1p(double x)
{
    int e;
    double m = gk_log_split(1 + x, &e);
    double scale = gk_double((unsigned long long)(1023 - e) << 52);
    double f = e == 0 ? x : gk_fma(x, scale, scale - 1);
    double y = x > 0x1p60 ? gk_log(x) : gk_log_finish(f, e);
    (void)m;
    y = x == -1 ? -GK_INF : y;
    y = x < -1 || x != x ? GK_NAN : y;
    return x == 0 ? x : y;
}

/* log(1 + f), f exact, as dd with about 2^-65 relative error. */
GKM double gk_log1f_dd(double f, double *low)
{
    double u = 2 + f, ul = (2 - u) + f, v = gk_div(1.0, u);
    double s = f * v, sl = (gk_fma(-s, u, f) - s * ul) * v;
    double z = s * s, zl = gk_fma(s, s, -z) + 2 * s * sl;
    double t = z * 0x1.5555555555555p-1;
    double tl = gk_fma(z, 0x1.5555555555555p-1, -t) +
                gk_fma(zl, 0x1.5555555555555p-1, z * 0x1.5555555555555p-55) + z * z * gk_p_log5(z);
    double w = 2 + t, wl = (2 - w) + t + tl;
    double h = s * w, l = gk_fma(s, w, -h) + gk_fma(s, wl, sl * w);
    double sum = h + l;
    *low = (h - sum) + l;
    return sum;
}

/* log(x) as dd, x positive and finite. */
GKM double gk_log_dd(double x, double *low)
{
    int e;
    double l, h = gk_log1f_dd(gk_log_split(x, &e) - 1, &l), k = e;
    double b = k * 0x1.62e42fefa3000p-1, s = b + h, rest = s - b;
    double t = (b - (s - rest)) + (h - rest) + l + k * 0x1.3de6af278ece6p-42;
    double sum = s + t;
    *low = (s - sum) + t;
    return sum;
}

GKM double gk_log2(double x)
{
    int e;
    double l, h = gk_log1f_dd(gk_log_split(x, &e) - 1, &l), k = e;
    double p = h * 0x1.71547652b82fep+0;
    double pl = gk_fma(h, 0x1.71547652b82fep+0, -p) + gk_fma(l, 0x1.71547652b82fep+0, h * 0x1.777d0ffda0d24p-56);
    double s = k + p, rest = s - k;
    return gk_log_special(x, s + ((k - (s - rest)) + (p - rest) + pl));
}

GKM double gk_log10(double x)
{
    double l, h = gk_log_dd(x, &l);
    double p = h * 0x1.bcb7b1526e50ep-2;
    double pl = gk_fma(h, 0x1.bcb7b1526e50ep-2, -p) + gk_fma(l, 0x1.bcb7b1526e50ep-2, h * 0x1.95355baaafad3p-57);
    return gk_log_special(x, p + pl);
}

GKM double gk_pow(double x, double y)
{
    double ax = gk_fabs(x), ay = gk_fabs(y);
    double l, h = gk_log_dd(ax > 0 && ax < GK_INF ? ax : 1, &l);
    double p = y * h, pl = gk_fma(y, h, -p) + y * l;
    p = ay > 0x1p100 && h != 0 ? gk_copysign(2000, h) * gk_copysign(1, y) : p;
    pl = gk_fabs(p) > 1000 ? 0 : pl;
    double r = gk_exp_dd(p, pl, 0);
    int whole = gk_trunc(y) == y;
    int odd = whole && ay < 0x1p53 && gk_trunc(y * 0.5) != y * 0.5;
    if (ax == 0 || ax == GK_INF)
        r = (ax == 0) == (y < 0) ? GK_INF : 0;
    if (ay == GK_INF)
        r = ax == 1 ? 1 : (ax > 1) == (y > 0) ? GK_INF : 0;
    if (gk_bits(x) >> 63) {
        r = odd ? -r : r;
        r = !whole && x < 0 && ax != GK_INF ? GK_NAN : r;
    }
    r = x != x || y != y ? GK_NAN : r;
    return x == 1 || y == 0 ? 1 : r;
}

GKM double gk_powi(double x, int n)
{
    unsigned m = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    double r = 1;
    for (; m; m >>= 1, x *= x)
        r = m & 1 ? r * x : r;
    return n < 0 ? gk_div(1.0, r) : r;
}

/* --- trigonometry --------------------------------------------------------------------------- */

/* 2/pi after the binary point, 64 bits a word, behind one word of zeros. */
GKC unsigned long long gk_two_over_pi[21] = {
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull,
    0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull,
    0xf0cfbc209af4361dull};

typedef struct {
    double high, low;
    int quarter;
} GkAngle;

/* |x| >= 2^16: the bits of 2/pi that matter times the significand, modulo 4 quarter turns (the
 * method of Payne and Hanek). x = quarter pi/2 + high + low, |high| <= pi/4. Not inlined: rare. */
#ifdef __CUDA__
inline __device__ __attribute__((noinline, nodebug))
#else
GKM
#endif
GkAngle gk_reduce_large(double x)
{
    unsigned long long ix = gk_bits(x), m = (ix & 0xfffffffffffffull) | 0x10000000000000ull;
    int start = (int)(ix >> 52 & 0x7ff) - 1023 - 52 - 2 + 64; /* first bit needed, in the table */
    const unsigned long long *word = gk_two_over_pi + (start >> 6);
    int shift = start & 63;
    unsigned long long a0 = word[0], a1 = word[1], a2 = word[2], a3 = word[3];
    unsigned long long b0 = shift ? a0 << shift | a1 >> (64 - shift) : a0;
    unsigned long long b1 = shift ? a1 << shift | a2 >> (64 - shift) : a1;
    unsigned long long b2 = shift ? a2 << shift | a3 >> (64 - shift) : a2;
    unsigned long long p0 = m * b2, l1 = m * b1, p1 = l1 + gk_umulhi64(m, b2);
    unsigned long long p2 = m * b0 + gk_umulhi64(m, b1) + (p1 < l1);
    int q = (int)(p2 >> 62);
    unsigned long long f1 = p2 << 2 | p1 >> 62, f0 = p1 << 2 | p0 >> 62;
    int negative = (int)(f1 >> 63);
    q += negative;
    if (negative) {
        f0 = ~f0 + 1;
        f1 = ~f1 + (f0 == 0);
    }
    int zeros = f1 ? __builtin_clzll(f1) : 64;
    if (zeros == 64) {
        f1 = f0;
        f0 = 0;
    } else if (zeros) {
        f1 = f1 << zeros | f0 >> (64 - zeros);
        f0 <<= zeros;
    }
    double scale = gk_double((unsigned long long)(1023 - 64 - zeros) << 52);
    double dh = (double)(f1 >> 11) * 0x1p11 * scale;
    double dl = ((double)(f1 & 0x7ff) + (double)(f0 >> 11) * 0x1p-53) * scale;
    double r = dh * GK_PIO2, rl = gk_fma(dh, GK_PIO2, -r) + gk_fma(dh, GK_PIO2_LO, dl * GK_PIO2);
    double sign = (negative != 0) != (ix >> 63 != 0) ? -1 : 1;
    GkAngle angle = {r * sign, rl * sign, ix >> 63 ? -q : q};
    return angle;
}

/* The same for any x; the three fmas are exact enough while the quarter has 17 bits. */
GKM GkAngle gk_reduce(double x)
{
    double k = gk_rint(x * 0x1.45f306dc9c883p-1);
    double r0 = gk_fma(k, -GK_PIO2, x), r = gk_fma(k, -GK_PIO2_LO, r0);
    GkAngle angle = {r, gk_fma(k, 0x1.f1976b7ed8fbcp-110, gk_fma(k, -GK_PIO2_LO, r0 - r)), gk_d2i(k)};
    if (gk_fabs(x) > 0x1p16 && gk_fabs(x) < GK_INF)
        angle = gk_reduce_large(x);
    return angle;
}

GKM double gk_sin_core(double r, double low)
{
    double z = r * r;
    return r + gk_fma(r * z, gk_p_sin(z), gk_fma(-0.5 * z, low, low));
}
GKM double gk_cos_core(double r, double low)
{
    double z = r * r, h = 0.5 * z, w = 1 - h;
    return w + (((1 - w) - h) + gk_fma(z * z, gk_p_cos(z), -r * low));
}

GKM double gk_quadrant(double s, double c, int q)
{
    double y = q & 1 ? c : s;
    return q & 2 ? -y : y;
}

GKM double gk_sin(double x)
{
    GkAngle a = gk_reduce(x);
    double r = a.high, l = a.low;
    int q = a.quarter;
    double y = gk_quadrant(gk_sin_core(r, l), gk_cos_core(r, l), q);
    y = x == 0 ? x : y;
    return gk_fabs(x) < GK_INF ? y : GK_NAN;
}
GKM double gk_cos(double x)
{
    GkAngle a = gk_reduce(x);
    double r = a.high, l = a.low;
    int q = a.quarter;
    double y = gk_quadrant(gk_sin_core(r, l), gk_cos_core(r, l), (int)((unsigned)q + 1));
    return gk_fabs(x) < GK_INF ? y : GK_NAN;
}
GKM void gk_sincos(double x, double *sine, double *cosine)
{
    GkAngle a = gk_reduce(x);
    double r = a.high, l = a.low;
    int q = a.quarter;
    double s = gk_sin_core(r, l), c = gk_cos_core(r, l);
    int finite = gk_fabs(x) < GK_INF;
    *sine = x == 0 ? x : finite ? gk_quadrant(s, c, q) : GK_NAN;
    *cosine = finite ? gk_quadrant(s, c, (int)((unsigned)q + 1)) : GK_NAN;
}
GKM double gk_tan(double x)
{
    GkAngle a = gk_reduce(x);
    double r = a.high, l = a.low;
    int q = a.quarter;
    double s = gk_sin_core(r, l), c = gk_cos_core(r, l);
    double y = q & 1 ? -gk_div(c, s) : gk_div(s, c);
    y = x == 0 ? x : y;
    return gk_fabs(x) < GK_INF ? y : GK_NAN;
}

/* x = q/2 + r exactly; r pi as dd. */
GKM int gk_reduce_pi(double x, double *high, double *low)
{
    double k = gk_rint(2 * x), r = gk_fma(k, -0.5, x);
    double t = r * GK_PI;
    *low = gk_fma(r, GK_PI, -t) + r * GK_PI_LO;
    *high = t;
    return gk_fabs(x) < 0x1p53 ? (int)(gk_d2ll(k) & 3) : 0;
}
GKM double gk_sinpi(double x)
{
    double r, l;
    int q = gk_reduce_pi(x, &r, &l);
    double y = gk_quadrant(gk_sin_core(r, l), gk_cos_core(r, l), q);
    y = gk_trunc(x) == x ? gk_copysign(0, x) : y;
    return gk_fabs(x) < GK_INF ? y : GK_NAN;
}
GKM double gk_cospi(double x)
{
    double r, l;
    int q = gk_reduce_pi(x, &r, &l);
    double y = gk_quadrant(gk_sin_core(r, l), gk_cos_core(r, l), (int)((unsigned)q + 1)) + 0.0;
    y = gk_fabs(x) >= 0x1p53 ? 1 : y;
    return gk_fabs(x) < GK_INF ? y : GK_NAN;
}
GKM void gk_sincospi(double x, double *s, double *c)
{
    *s = gk_sinpi(x);
    *c = gk_cospi(x);
}

/* --- inverse trigonometry ------------------------------------------------------------------- */

/* atan(y / x) for y, x >= 0, not both zero or infinite. One division: the quotient is folded below
 * tan(pi/8) by atan(a) = pi/4 + atan((a - 1) / (a + 1)) and by exchanging numerator and denominator. */
GKM double gk_atan_quotient(double y, double x)
{
    int swap = y > x;
    double small = swap ? x : y, large = swap ? y : x;
    if (large > 0x1p1000) {
        large *= 0x1p-100;
        small *= 0x1p-100;
    }
    int fold = small > large * 0x1.a827999fcef32p-2;
    double t = gk_div(fold ? small - large : small, fold ? small + large : large);
    double z = t * t, p = t * z * gk_p_atan(z);
    double high = fold ? 0x1.921fb54442d18p-1 : 0, low = fold ? 0x1.1a62633145c07p-55 : 0;
    if (swap) {
        high = GK_PIO2 - high;
        low = GK_PIO2_LO - low;
        t = -t;
        p = -p;
    }
    double s = high + t;
    return high == 0 ? t + p : s + (((high - s) + t) + (low + p));
}

GKM double gk_atan(double x)
{
    double ax = gk_fabs(x);
    double y = ax == GK_INF ? GK_PIO2 : gk_atan_quotient(ax, 1);
    return x != x ? x : gk_copysign(y, x);
}

GKM double gk_atan2(double y, double x)
{
    double ax = gk_fabs(x), ay = gk_fabs(y);
    int infinite = ax == GK_INF && ay == GK_INF;
    double a = ay == 0 && ax == 0 ? 0
               : infinite         ? 0x1.921fb54442d18p-1
               : ax == GK_INF     ? 0
               : ay == GK_INF     ? GK_PIO2
                                  : gk_atan_quotient(ay, ax);
    if (gk_bits(x) >> 63)
        a = GK_PI - (a - GK_PI_LO);
    return x != x || y != y ? GK_NAN : gk_copysign(a, y);
}

/* s + *rest = asin(sqrt(z)) for z <= 1/4. */
GKM double gk_asin_root(double z, double *rest)
{
    double s = gk_sqrt(z), c = s > 0 ? gk_div(gk_fma(-s, s, z), 2 * s) : 0;
    *rest = gk_fma(s * z, gk_p_asin(z), c);
    return s;
}
GKM double gk_asin(double x)
{
    double ax = gk_fabs(x), y;
    if (ax <= 0.5) {
        double z = ax * ax;
        y = gk_fma(ax * z, gk_p_asin(z), ax);
    } else {
        double r, s = gk_asin_root(0.5 - 0.5 * ax, &r), h = GK_PIO2 - 2 * s;
        y = h + (((GK_PIO2 - h) - 2 * s) + gk_fma(-2, r, GK_PIO2_LO));
    }
    return ax <= 1 ? gk_copysign(y, x) : GK_NAN;
}
GKM double gk_acos(double x)
{
    double ax = gk_fabs(x), y;
    if (ax <= 0.5) {
        double z = x * x, p = x * z * gk_p_asin(z), h = GK_PIO2 - x;
        y = h + (((GK_PIO2 - h) - x) - (p - GK_PIO2_LO));
    } else {
        double r, s = gk_asin_root(0.5 - 0.5 * ax, &r);
        double h = GK_PI - 2 * s;
        y = x > 0 ? 2 * (s + r) : h + (((GK_PI - h) - 2 * s) + gk_fma(-2, r, GK_PI_LO));
    }
    return ax <= 1 ? y : GK_NAN;
}

/* --- hyperbolic ----------------------------------------------------------------------------- */

GKM double gk_sinh(double x)
{
    double ax = gk_fabs(x), e = gk_expm1(ax < 40 ? ax : 40);
    double y = ax < 40 ? 0.5 * (e + gk_div(e, e + 1)) : gk_exp_dd(ax, 0, -1);
    return x != x ? x : gk_copysign(y, x);
}
GKM double gk_cosh(double x)
{
    double e = gk_exp_dd(gk_fabs(x), 0, -1);
    return e + gk_div(0.25, e);
}
GKM double gk_tanh(double x)
{
    double ax = gk_fabs(x), e = gk_expm1(2 * (ax < 20 ? ax : 20));
    double y = ax < 0.9 ? gk_div(e, e + 2) : 1 - gk_div(2.0, e + 2);
    y = ax < 0x1p-28 ? ax : y;
    return x != x ? x : gk_copysign(y, x);
}
GKM double gk_asinh(double x)
{
    double ax = gk_fabs(x), z = ax * ax;
    double y = ax < 0x1p28 ? gk_log1p(ax + gk_div(z, 1 + gk_sqrt(1 + z))) : gk_log(ax) + GK_LN2;
    return x != x || x == 0 ? x : gk_copysign(y, x);
}
GKM double gk_acosh(double x)
{
    double t = x - 1;
    double y = x < 0x1p28 ? gk_log1p(t + gk_sqrt(gk_fma(t, t, 2 * t))) : gk_log(x) + GK_LN2;
    return x >= 1 ? y : GK_NAN;
}
GKM double gk_atanh(double x)
{
    double ax = gk_fabs(x), t = 2 * ax;
    double y = 0.5 * gk_log1p(ax < 0.5 ? t + gk_div(t * ax, 1 - ax) : gk_div(t, 1 - ax));
    y = ax < 0x1p-28 ? ax : y;
    return ax <= 1 ? gk_copysign(y, x) : GK_NAN;
}

/* --- roots ---------------------------------------------------------------------------------- */

GKM double gk_rsqrt(double x)
{
    double scale = 1;
    if (x < 0x1p-1000) {
        x *= 0x1p100;
        scale = 0x1p50;
    } else if (x > 0x1p1000) {
        x *= 0x1p-100;
        scale = 0x1p-50;
    }
    double s = gk_sqrt(x), r = gk_div(1.0, s);
    double t = x * r, h = gk_fma(-t, r, 1) - gk_fma(x, r, -t) * r;
    double y = gk_fma(0.5 * h, r, r);
    return (x > 0 && x < GK_INF ? y : r) * scale;
}

/* r = m^(-1/3) for m in [1, 8), to about an ulp. */
GKM double gk_rcbrt_core(double m)
{
    double r = gk_double(0x553ef0ff289dd794ull - gk_bits(m) / 3);
    for (int i = 0; i < 2; ++i) {
        double h = gk_fma(-m * r, r * r, 1);
        r = gk_fma(r * h, gk_fma(h, gk_fma(h, 14.0 / 81, 2.0 / 9), 1.0 / 3), r);
    }
    return r;
}
/* |x| = m * 8^k, m in [1, 8); x finite, not zero. */
GKM double gk_cbrt_split(double x, int *k)
{
    double ax = gk_fabs(x);
    int shift = 0;
    if (ax < 0x1p-1022) {
        ax *= 0x1p54;
        shift = -18;
    }
    int e = (int)(gk_bits(ax) >> 52) - 1023 + 3 * 400;
    *k = e / 3 - 400 + shift;
    return gk_double((gk_bits(ax) & 0xfffffffffffffull) | (unsigned long long)(e % 3 + 1023) << 52);
}
GKM double gk_cbrt(double x)
{
    int k;
    double m = gk_cbrt_split(x, &k), r = gk_rcbrt_core(m), y = m * r * r;
    double s = y * y, e = gk_fma(-s, y, m) - gk_fma(y, y, -s) * y;
    y = gk_fma(e * (1.0 / 3), r * r, y);
    y = gk_copysign(gk_scale(y, k), x);
    return x == 0 || !(gk_fabs(x) < GK_INF) ? x : y;
}
GKM double gk_rcbrt(double x)
{
    int k;
    double m = gk_cbrt_split(x, &k), r = gk_rcbrt_core(m);
    double s = r * r, sl = gk_fma(r, r, -s), c = s * r, cl = gk_fma(s, r, -c) + sl * r;
    double h = gk_fma(-c, m, 1) - cl * m;
    r = gk_copysign(gk_scale(gk_fma(h * (1.0 / 3), r, r), -k), x);
    r = x == 0 ? gk_copysign(GK_INF, x) : r;
    r = gk_fabs(x) == GK_INF ? gk_copysign(0, x) : r;
    return x != x ? x : r;
}

/* 2^-e with e the exponent of the largest magnitude, so that squares neither overflow nor vanish. */
GKM double gk_norm_scale(double largest, int *e)
{
    int k = (int)(gk_bits(largest) >> 52) - 1023;
    k = k < -1020 ? -1020 : k > 1020 ? 1020 : k;
    *e = k;
    return gk_double((unsigned long long)(1023 - k) << 52);
}
GKM void gk_add_square(double *sum, double *low, double a)
{
    double p = a * a, s = *sum + p, b = s - *sum;
    *low += (*sum - (s - b)) + (p - b) + gk_fma(a, a, -p);
    *sum = s;
}
GKM double gk_norm_finish(double sum, double low, int e, int reciprocal)
{
    double s = sum + low;
    low += sum - s;
    double y = gk_sqrt(s), r = gk_fma(-y, y, s) + low;
    double root = y > 0 ? y + gk_div(r, 2 * y) : y;
    if (!reciprocal)
        return gk_scale(root, e);
    double v = gk_div(1.0, y), t = y * v, h = gk_fma(-y, v, 1);
    (void)t;
    v = gk_fma(h, v, v);
    h = gk_div(-r, 2 * y * y);
    return gk_scale(gk_fma(h, v, v), -e);
}
GKM double gk_norm_all(int n, const double *v, int reciprocal)
{
    double largest = 0, sum = 0, low = 0;
    int e, nan = 0;
    for (int i = 0; i < n; ++i) {
        double a = gk_fabs(v[i]);
        nan |= a != a;
        largest = a > largest ? a : largest;
    }
    if (largest == GK_INF)
        return reciprocal ? 0 : GK_INF;
    if (nan)
        return GK_NAN;
    if (largest == 0)
        return reciprocal ? GK_INF : 0;
    double scale = gk_norm_scale(largest, &e);
    for (int i = 0; i < n; ++i)
        gk_add_square(&sum, &low, v[i] * scale);
    return gk_norm_finish(sum, low, e, reciprocal);
}
GKM double gk_hypot(double a, double b)
{
    double v[2] = {a, b};
    return gk_norm_all(2, v, 0);
}
GKM double gk_rhypot(double a, double b)
{
    double v[2] = {a, b};
    return gk_norm_all(2, v, 1);
}
GKM double gk_norm3d(double a, double b, double c)
{
    double v[3] = {a, b, c};
    return gk_norm_all(3, v, 0);
}
GKM double gk_rnorm3d(double a, double b, double c)
{
    double v[3] = {a, b, c};
    return gk_norm_all(3, v, 1);
}
GKM double gk_norm4d(double a, double b, double c, double d)
{
    double v[4] = {a, b, c, d};
    return gk_norm_all(4, v, 0);
}
GKM double gk_rnorm4d(double a, double b, double c, double d)
{
    double v[4] = {a, b, c, d};
    return gk_norm_all(4, v, 1);
}
GKM double gk_norm(int n, const double *v) { return gk_norm_all(n, v, 0); }
GKM double gk_rnorm(int n, const double *v) { return gk_norm_all(n, v, 1); }

/* --- error functions ------------------------------------------------------------------------ */

/* e^(x x) erfc(x) for x >= 0. */
GKM double gk_erfcx_core(double x)
{
    double t = gk_div(x - 4, x + 4);
    double y = gk_div(gk_p_erfcx(t), gk_fma(2, x, 1));
    return x > 0x1p30 ? gk_div(0x1.20dd750429b6dp-1, x) : y;
}
/* erfc(x + low) for |low| tiny. */
GKM double gk_erfc_dd(double x, double low)
{
    double ax = gk_fabs(x), b = ax < 28 ? ax : 28;
    double h = b * b, l = gk_fma(b, b, -h) + 2 * b * (x < 0 ? -low : low);
    double y = gk_erfcx_core(b) * gk_exp_dd(-h, -l, 0);
    y = ax > 27.9 ? 0 : y;
    y = x < 0 ? 2 - y : y;
    double near = 1 - gk_fma(0x1.20dd750429b6dp+0, low, gk_fma(x, gk_p_erf(x * x), x));
    return ax < 0.5 ? near : y;
}
GKM double gk_erf(double x)
{
    double ax = gk_fabs(x), z = ax * ax;
    double y = ax < 1 ? gk_fma(ax, gk_p_erf(z), ax) : 1 - gk_erfc_dd(ax, 0);
    return x != x ? x : gk_copysign(y, x);
}
GKM double gk_erfc(double x)
{
    return x != x ? x : gk_erfc_dd(x, 0);
}
GKM double gk_erfcx(double x)
{
    double ax = gk_fabs(x), y = gk_erfcx_core(ax);
    if (ax < 0.5) {
        y = gk_exp(x * x) * gk_erfc_dd(x, 0);
    } else if (x < 0) {
        double b = ax < 30 ? ax : 30, h = b * b;
        y = 2 * gk_exp_dd(h, gk_fma(b, b, -h), 0) - y;
    }
    return x != x ? x : y;
}
GKM double gk_normcdf(double x)
{
    double a = -x * 0x1.6a09e667f3bcdp-1;
    double l = gk_fma(-x, 0x1.6a09e667f3bcdp-1, -a) + x * 0x1.bdd3413b26456p-55;
    double y = 0.5 * gk_erfc_dd(a, gk_fabs(a) < 30 ? l : 0);
    return x != x ? x : y;
}
/* erfinv(x) / x as a function of w = -log(1 - x x). */
GKM double gk_erfinv_ratio(double w)
{
    double s = gk_sqrt(w);
    if (w < 6.25)
        return gk_p_erfinv1(w);
    if (w < 16)
        return gk_p_erfinv2(s);
    if (w < 73)
        return gk_p_erfinv3(s);
    return s * gk_p_erfinv4(gk_div(1.0, s));
}
GKM double gk_erfinv(double x)
{
    double ax = gk_fabs(x), w = -gk_log1p(-ax * ax);
    w = ax > 0.5 ? -gk_log((1 - ax) * (1 + ax)) : w;
    double y = ax * gk_erfinv_ratio(w);
    y = ax == 1 ? GK_INF : y;
    return ax <= 1 ? gk_copysign(y, x) : GK_NAN;
}
GKM double gk_erfcinv(double x)
{
    double y = x > 1.5 ? 2 - x : x, w = -gk_log(y * (2 - y)), one = 1 - y;
    double r = one * gk_erfinv_ratio(gk_fabs(one) < 0.5 ? -gk_log1p(-one * one) : w);
    r = y == 0 ? GK_INF : r;
    r = x > 1.5 ? -r : r;
    return x >= 0 && x <= 2 ? r : GK_NAN;
}
GKM double gk_normcdfinv(double x)
{
    double y = x > 0.75 ? 1 - x : x;
    double r = -0x1.6a09e667f3bcdp+0 * gk_erfcinv(2 * y);
    r = x > 0.75 ? -r : r;
    return x >= 0 && x <= 1 ? r : GK_NAN;
}

/* --- gamma ---------------------------------------------------------------------------------- */

/* Gamma(x) / sqrt(2 pi) = e^(h + l), x >= 10 (Stirling with its correction). */
GKM double gk_stirling_dd(double x, double *low)
{
    double l, h = gk_log_dd(x, &l), a = x - 0.5;
    double p = a * h, pl = gk_fma(a, h, -p) + a * l, s = p - x;
    double e = (p - s) - x + pl + gk_div(gk_p_stirling(gk_div(1.0, x * x)), x);
    double sum = s + e;
    *low = (s - sum) + e;
    return sum;
}
GKM double gk_tgamma(double x)
{
    double ax = gk_fabs(x), y;
    if (ax <= 12) {
        double n = gk_rint(x), t = x - n, p = 1;
        if (n >= 2) {
            for (double f = x - 1; f > 1.5; f -= 1)
                p *= f;
            y = gk_div(p, gk_p_rgamma(t));
        } else {
            double q = 1;
            for (double f = n; f < 2; f += 1)
                q *= t + f;
            y = gk_div(1.0, gk_p_rgamma(t) * q);
        }
    } else {
        double b = ax < 200 ? ax : 200, l, h = gk_stirling_dd(b, &l);
        if (x > 0) {
            y = gk_exp_dd(h, l, 0) * 0x1.40d931ff62706p+1;
        } else { /* reflection: pi / (x sin(pi x) Gamma(x)) */
            double s = gk_sinpi(b), e = gk_exp_dd(-0.5 * h, -0.5 * l, 0);
            y = gk_div(-0x1.40d931ff62706p+0 * e, b * s) * e;
        }
    }
    y = x > 172 ? GK_INF : x < -190 ? gk_copysign(0, gk_trunc(x * 0.5) == x * 0.5 ? 1 : -1) : y;
    y = x < 0 && gk_trunc(x) == x ? GK_NAN : y;
    y = x == 0 ? gk_copysign(GK_INF, x) : y;
    return x != x ? x : x == -GK_INF ? GK_NAN : y;
}
GKM double gk_lgamma_positive(double x)
{
    if (x < 1.5) {
        double t = x < 0.5 ? x : x - 1;
        double y = t * gk_p_lgamma(t) - gk_log1p(t);
        return x < 0.5 ? y - gk_log(x) : y;
    }
    if (x < 8.5) {
        double p = 1, n = gk_rint(x), t = x - n;
        for (double f = x - 1; f > 1.5; f -= 1)
            p *= f;
        return gk_fma(t, gk_p_lgamma(t), p == 1 ? 0 : gk_log(p));
    }
    double b = x < 0x1p900 ? x : 0x1p900, z = gk_div(1.0, b);
    double y = gk_fma(b - 0.5, gk_log(b) - 1, 0x1.acfe390c97d69p-2 + z * gk_p_stirling(z * z));
    return x < 0x1p900 ? y : x * (gk_log(x) - 1);
}
GKM double gk_lgamma(double x)
{
    double ax = gk_fabs(x), y;
    if (x >= 0.5 || x != x)
        y = gk_lgamma_positive(x);
    else if (ax < 0x1p-60)
        y = -gk_log(ax);
    else if (x > 0)
        y = gk_lgamma_positive(x);
    else
        y = gk_log(gk_div(GK_PI, gk_fabs(ax * gk_sinpi(ax)))) - gk_lgamma_positive(ax);
    y = x <= 0 && gk_trunc(x) == x ? GK_INF : y;
    y = ax == GK_INF ? GK_INF : y;
    return x != x ? x : y;
}

/* --- Bessel --------------------------------------------------------------------------------- */

/* x >= 8: sqrt(2 / (pi x)) m(x) times cosine (y = 0) or sine (y = 1) of x + angle, where
 * angle = theta / x - (2 nu + 1) pi / 4. */
GKM double gk_bessel_far(double x, double m2, double theta, double turn, int y)
{
    double s, c, ds, dc;
    gk_sincos(x, &s, &c);
    gk_sincos(gk_div(theta, x) - turn, &ds, &dc);
    double wave = y ? gk_fma(s, dc, c * ds) : gk_fma(c, dc, -s * ds);
    return gk_sqrt(gk_div(0x1.45f306dc9c883p-1 * m2, x)) * wave;
}
GKM double gk_bessel0_far(double x, int y)
{
    double z = gk_div(gk_div(1.0, x), x);
    return gk_bessel_far(x, gk_p_m0(z), gk_p_t0(z), 0x1.921fb54442d18p-1, y);
}
GKM double gk_bessel1_far(double x, int y)
{
    double z = gk_div(gk_div(1.0, x), x);
    return gk_bessel_far(x, gk_p_m1(z), gk_p_t1(z), 0x1.2d97c7f3321d2p+1, y);
}
GKM double gk_j0(double x)
{
    double ax = gk_fabs(x), y;
    if (ax < 8)
        y = ((ax - 0x1.33d152e971b40p+1) + 0x1.0f539d7da258ep-53) * (ax + 0x1.33d152e971b40p+1) *
            (((ax - 0x1.6148f5b2c2e45p+2) - 0x1.75054cd60a517p-54) * (ax + 0x1.6148f5b2c2e45p+2)) *
            ((ax - 0x1.14eb56cccdecap+3) * (ax + 0x1.14eb56cccdecap+3)) * gk_p_j0(ax * ax);
    else
        y = ax < GK_INF ? gk_bessel0_far(ax, 0) : 0;
    return x != x ? x : y;
}
GKM double gk_j1(double x)
{
    double ax = gk_fabs(x), y;
    if (ax < 8)
        y = ax *
            (((ax - 0x1.ea75575af6f09p+1) + 0x1.60155a9d1b256p-53) * (ax + 0x1.ea75575af6f09p+1) *
             (((ax - 0x1.c0ff5f3b47250p+2) + 0x1.b226d9d243827p-54) * (ax + 0x1.c0ff5f3b47250p+2))) *
            ((ax - 0x1.458d0d0bdfc29p+3) * (ax + 0x1.458d0d0bdfc29p+3)) * gk_p_j1(ax * ax);
    else
        y = ax < GK_INF ? gk_bessel1_far(ax, 0) : 0;
    return x != x ? x : gk_bits(x) >> 63 ? -y : y;
}
GKM double gk_y0(double x)
{
    double y;
    if (x < 0.5)
        y = gk_fma(0x1.45f306dc9c883p-1 * gk_log(x), gk_j0(x), gk_p_y0(x * x));
    else if (x < 8)
        y = ((x - 0x1.c982eb8d417eap-1) - 0x1.ea9d270347f83p-56) *
            ((x - 0x1.fa9534d98569cp+1) + 0x1.f06ae7804384ep-54) *
            ((x - 0x1.c581dc4e72103p+2) + 0x1.9774a495f56cfp-54) *
            (x < 2 ? gk_p_y0a(x) : x < 4.5 ? gk_p_y0b(x) : gk_p_y0c(x));
    else
        y = x < GK_INF ? gk_bessel0_far(x, 1) : 0;
    y = x == 0 ? -GK_INF : y;
    return x >= 0 ? y : GK_NAN;
}
GKM double gk_y1(double x)
{
    double y;
    if (x >= 1.25 && x < 8)
        y = ((x - 0x1.193bed4dff243p+1) + 0x1.bd1e50d219bfdp-55) *
            ((x - 0x1.5b7fe4e87b02ep+2) - 0x1.dfe7bac228e8cp-52) *
            (x < 3 ? gk_p_y1a(x) : x < 5 ? gk_p_y1b(x) : gk_p_y1c(x));
    else if (x < 8)
        y = gk_fma(0x1.45f306dc9c883p-1, gk_fma(gk_log(x), gk_j1(x), -gk_div(1.0, x)), x * gk_p_y1(x * x));
    else
        y = x < GK_INF ? gk_bessel1_far(x, 1) : 0;
    y = x == 0 ? -GK_INF : y;
    return x >= 0 ? y : GK_NAN;
}
GKM double gk_jn(int n, double x)
{
    if (n < 0)
        return GK_NAN;
    if (n == 0)
        return gk_j0(x);
    if (n == 1)
        return gk_j1(x);
    double ax = gk_fabs(x), y;
    if (x != x)
        return x;
    if (ax == 0 || ax == GK_INF)
        return 0;
    if (n < ax) { /* upwards is stable */
        double a = gk_j0(ax), b = gk_j1(ax);
        for (int k = 1; k < n; ++k) {
            double c = gk_div(2.0 * k, ax) * b - a;
            a = b;
            b = c;
        }
        y = b;
    } else { /* downwards from a safe start, scaled by 1 = J0 + 2 (J2 + J4 + ...) */
        int start = (n + 20 + (int)gk_sqrt(60.0 * n)) | 1;
        double a = 0, b = 0x1p-900, sum = 0, value = 0;
        for (int k = start; k >= 1; --k) {
            double c = gk_div(2.0 * k, ax) * b - a;
            a = b;
            b = c;
            if (gk_fabs(b) > 0x1p500) {
                a *= 0x1p-1000;
                b *= 0x1p-1000;
                sum *= 0x1p-1000;
                value *= 0x1p-1000;
            }
            value = k - 1 == n ? b : value;
            sum += (k - 1) % 2 == 0 ? (k == 1 ? b : 2 * b) : 0;
        }
        y = gk_div(value, sum);
    }
    return x < 0 && (n & 1) ? -y : y;
}
GKM double gk_yn(int n, double x)
{
    if (n < 0)
        return GK_NAN;
    if (n == 0)
        return gk_y0(x);
    if (n == 1)
        return gk_y1(x);
    double a = gk_y0(x), b = gk_y1(x);
    if (!(x > 0) || x == GK_INF)
        return a;
    for (int k = 1; k < n && b > -GK_INF; ++k) {
        double c = gk_div(2.0 * k, x) * b - a;
        a = b;
        b = c;
    }
    return b;
}
GKM double gk_cyl_bessel_i0(double x)
{
    double ax = gk_fabs(x), b = ax < 720 ? ax : 720;
    double y = ax < 8 ? gk_p_i0(ax * ax)
                      : gk_exp_dd(b, 0, -8) * (gk_div(gk_p_i0a(gk_div(1.0, b)), gk_sqrt(b)) * 256);
    return x != x ? x : y;
}
GKM double gk_cyl_bessel_i1(double x)
{
    double ax = gk_fabs(x), b = ax < 720 ? ax : 720;
    double y = ax < 8 ? ax * gk_p_i1(ax * ax)
                      : gk_exp_dd(b, 0, -8) * (gk_div(gk_p_i1a(gk_div(1.0, b)), gk_sqrt(b)) * 256);
    return x != x ? x : gk_copysign(y, x);
}

/* --- remainders and parts ------------------------------------------------------------------- */

/* |x| mod |y| exactly, eleven quotient bits a step, and the lowest 31 bits of the quotient. */
GKM double gk_mod(double x, double y, unsigned *quotient)
{
    unsigned long long a = gk_bits(x) & 0x7fffffffffffffffull, b = gk_bits(y) & 0x7fffffffffffffffull;
    *quotient = 0;
    if (a < b)
        return gk_double(a);
    int ea = (int)(a >> 52), eb = (int)(b >> 52);
    unsigned long long ma = a & 0xfffffffffffffull, mb = b & 0xfffffffffffffull;
    ma = ea ? ma | 0x10000000000000ull : ma;
    mb = eb ? mb | 0x10000000000000ull : mb;
    ea += ea == 0;
    eb += eb == 0;
    unsigned long long q = ma / mb;
    ma -= q * mb;
    for (int left = ea - eb; left > 0;) {
        int step = left < 11 ? left : 11;
        ma <<= step;
        unsigned long long part = ma / mb;
        ma -= part * mb;
        q = q << step | part;
        left -= step;
    }
    *quotient = (unsigned)q;
    if (ma == 0)
        return 0;
    int lead = __builtin_clzll(ma) - 11;
    lead = lead < eb - 1 ? lead : eb - 1;
    ma <<= lead;
    int e = eb - lead;
    return gk_double(ma >> 52 ? (unsigned long long)e << 52 | (ma & 0xfffffffffffffull) : ma);
}
GKM double gk_fmod(double x, double y)
{
    unsigned q;
    if (!(gk_fabs(x) < GK_INF) || y != y || y == 0)
        return GK_NAN;
    return gk_fabs(y) == GK_INF ? x : gk_copysign(gk_mod(x, y, &q), x);
}
GKM double gk_remquo(double x, double y, int *quotient)
{
    unsigned q = 0;
    *quotient = 0;
    if (!(gk_fabs(x) < GK_INF) || y != y || y == 0)
        return GK_NAN;
    double ay = gk_fabs(y), r = ay == GK_INF ? gk_fabs(x) : gk_mod(x, y, &q);
    /* Round the quotient to nearest even; r - ay is exact. */
    double rest = ay - r;
    if (ay < GK_INF && (r > rest || (r == rest && (q & 1)))) {
        r = r - ay;
        ++q;
    }
    int sign = (gk_bits(x) ^ gk_bits(y)) >> 63 ? -1 : 1;
    *quotient = sign * (int)(q & 0x7fffffff);
    return gk_bits(x) >> 63 ? -r : r;
}
GKM double gk_remainder(double x, double y)
{
    int q;
    return gk_remquo(x, y, &q);
}
GKM double gk_frexp(double x, int *e)
{
    double ax = gk_fabs(x);
    if (!(ax < GK_INF) || ax == 0) {
        *e = 0;
        return x + 0 * x;
    }
    int shift = ax < 0x1p-1022 ? 54 : 0;
    unsigned long long u = gk_bits(shift ? x * 0x1p54 : x);
    *e = (int)(u >> 52 & 0x7ff) - 1022 - shift;
    return gk_double((u & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
GKM double gk_ldexp(double x, int n)
{
    n = n > 2200 ? 2200 : n < -2200 ? -2200 : n;
    /* Three exact steps; only the last may round. */
    double y = x;
    int a = n > 0 ? (n < 1000 ? n : 1000) : (n > -960 ? n : -960);
    /* Going down: bring the value into range by big steps first only while it stays normal. */
    if (n >= 0) {
        y *= gk_double((unsigned long long)(a + 1023) << 52);
        n -= a;
        a = n < 1000 ? n : 1000;
        y *= gk_double((unsigned long long)(a + 1023) << 52);
        n -= a;
        return y * gk_double((unsigned long long)(n + 1023) << 52);
    }
    int ex = (int)(gk_bits(x) >> 52 & 0x7ff);
    if (ex + n > 0 || ex == 0) {
        y *= gk_double((unsigned long long)(a + 1023) << 52);
        n -= a;
        a = n > -960 ? n : -960;
        y *= gk_double((unsigned long long)(a + 1023) << 52);
        n -= a;
        return y * gk_double((unsigned long long)(n + 1023 < 1 ? 1 : n + 1023) << 52);
    }
    /* The result is subnormal: lift x to exponent 0 exactly, then one rounding multiplication. */
    int to = ex - 1023 + n; /* exponent of the result, < -1022 */
    unsigned long long unit = (gk_bits(x) & 0x800fffffffffffffull) | 0x3ff0000000000000ull;
    if (ex == 0x7ff)
        return x;
    to = to < -1080 ? -1080 : to;
    return gk_double(unit) * 0x1p-1000 * gk_double((unsigned long long)(to + 1000 + 1023) << 52);
}
GKM double gk_scalbn(double x, int n) { return gk_ldexp(x, n); }
GKM double gk_logb(double x)
{
    int e;
    (void)gk_frexp(x, &e);
    double ax = gk_fabs(x);
    return ax == 0 ? -GK_INF : ax == GK_INF ? GK_INF : x != x ? x : e - 1;
}
GKM int gk_ilogb(double x)
{
    int e;
    (void)gk_frexp(x, &e);
    double ax = gk_fabs(x);
    return ax == 0 || x != x ? -0x7fffffff - 1 : ax == GK_INF ? 0x7fffffff : e - 1;
}
GKM double gk_modf(double x, double *whole)
{
    double t = gk_trunc(x);
    *whole = t;
    return x != x ? x : gk_copysign(gk_fabs(x) == GK_INF ? 0 : x - t, x);
}
GKM double gk_fdim(double x, double y)
{
    return x != x || y != y ? GK_NAN : x > y ? x - y : 0;
}
GKM double gk_nextafter(double x, double y)
{
    if (x != x || y != y)
        return GK_NAN;
    if (x == y)
        return y;
    if (x == 0)
        return gk_copysign(0x1p-1074, y);
    return gk_double(gk_bits(x) + ((y > x) == (x > 0) ? 1 : -1ull));
}
GKM double gk_round(double x)
{
    double t = gk_trunc(x), d = gk_fabs(x - t);
    double y = d >= 0.5 ? t + gk_copysign(1, x) : t;
    return gk_fabs(x) < 0x1p52 ? gk_copysign(y, x) : x;
}
GKM long long gk_llround(double x) { return gk_d2ll(gk_round(x)); }
GKM long long gk_llrint(double x) { return gk_d2ll(gk_rint(x)); }

#endif
