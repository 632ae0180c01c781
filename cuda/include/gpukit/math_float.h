/* SPDX-License-Identifier: Apache-2.0
 * Device mathematics in single precision. The functions that programs call in inner loops are in
 * float arithmetic alone (a GPU may have few double units); the rare ones round the double result
 * of math_double.h. Rules and notation as there. */
#ifndef GPUKIT_MATH_FLOAT_H
#define GPUKIT_MATH_FLOAT_H

/* --- exponential ---------------------------------------------------------------------------- */

GKM float gk_scalef(float p, int k)
{
    int half = k >> 1;
    return p * gk_float((unsigned)(half + 127) << 23) * gk_float((unsigned)(k - half + 127) << 23);
}
GKM float gk_expm1_coref(float r, float lo)
{
    return r + gk_fmaf(r * r, gk_p_expf(r), gk_fmaf(lo, r, lo));
}
GKM float gk_exp_ddf(float hi, float lo, int extra)
{
    float x = hi > 120 ? 120 : hi < -120 ? -120 : hi;
    float k = gk_rintf(x * 0x1.715476p+0f);
    float r = gk_fmaf(k, -0x1.62e400p-1f, x);
    float c = gk_fmaf(k, -0x1.7f7d1cp-20f, lo);
    float t = r + c;
    c += r - t;
    float y = gk_scalef(1 + gk_expm1_coref(t, c), gk_f2i(k) + extra);
    return hi != hi ? hi : y;
}
/* The exponent is added to the bits; small results are scaled up by 2^64 while that happens. */
GKM float gk_expf(float a)
{
    float x = a < -105 ? -105 : a;
    float t = gk_fmaf(x, 0x1.715476p+0f, 0x1.8p+23f), k = t - 0x1.8p+23f;
    float r = gk_fmaf(k, -0x1.7f7d1cp-20f, gk_fmaf(k, -0x1.62e400p-1f, x));
    float p = 1 + gk_fmaf(r * r, gk_p_expf(r), r);
    int small = k < -125;
    float y = gk_float(gk_bitsf(p) + (gk_bitsf(t) << 23) + (small ? 64u << 23 : 0));
    y = small ? y * 0x1p-64f : y;
    return a <= 0x1.62e42ep+6f ? y : a * 0x1p+127f;
}
GKM float gk_exp2f(float a)
{
    float x = a > 160 ? 160 : a < -160 ? -160 : a;
    float k = gk_rintf(x), f = x - k;
    float hi = f * 0x1.62e430p-1f, lo = gk_fmaf(f, 0x1.62e430p-1f, -hi) + f * -0x1.05c610p-29f;
    float y = gk_scalef(1 + gk_expm1_coref(hi, lo), gk_f2i(k));
    return a != a ? a : y;
}
GKM float gk_exp10f(float a)
{
    float x = a > 50 ? 50 : a < -50 ? -50 : a;
    float k = gk_rintf(x * 0x1.a934f0p+1f);
    float f = gk_fmaf(k, -0x1.344000p-2f, x), c = k * -0x1.3509f8p-18f, g = f + c;
    c += f - g;
    float hi = g * 0x1.26bb1cp+1f;
    float lo = gk_fmaf(g, 0x1.26bb1cp+1f, -hi) + gk_fmaf(g, -0x1.12aabap-25f, c * 0x1.26bb1cp+1f);
    float y = gk_scalef(1 + gk_expm1_coref(hi, lo), gk_f2i(k));
    return a != a ? a : y;
}
GKM float gk_expm1f(float a)
{
    float x = a > 30 ? 30 : a < -30 ? -30 : a;
    float k = gk_rintf(x * 0x1.715476p+0f);
    float r = gk_fmaf(k, -0x1.62e400p-1f, x), c = k * -0x1.7f7d1cp-20f, t = r + c;
    c += r - t;
    float two_k = gk_float((unsigned)(gk_f2i(k) + 127) << 23);
    float base = two_k - 1, linear = two_k * t, s = base + linear, b = s - base;
    float e = (base - (s - b)) + (linear - b);
    float y = s + (e + two_k * gk_fmaf(t * t, gk_p_expf(t), gk_fmaf(c, t, c)));
    y = k == 0 ? gk_expm1_coref(t, c) : y;
    y = a > 30 ? gk_expf(a) : y;
    return a == 0 || a != a ? a : y;
}

/* --- logarithm ------------------------------------------------------------------------------ */

/* x = m * 2^e with m in [2/3, 4/3). */
GKM float gk_log_splitf(float x, int *e)
{
    int shift = 0;
    if (x < 0x1p-126f) {
        x *= 0x1p23f;
        shift = -23;
    }
    unsigned u = gk_bitsf(x) - 0x3f2aaaabu;
    int k = (int)u >> 23;
    *e = k + shift;
    return gk_float(gk_bitsf(x) - ((unsigned)k << 23));
}
GKM float gk_log_finishf(float f, int e)
{
    float k = (float)e, z = f * f;
    float p = gk_fmaf(f * z, gk_p_logf(f), -0.5f * z); /* log(1 + f) - f */
    float t = gk_fmaf(k, 0x1.7f7d1cp-20f, p);
    float h = k * 0x1.62e400p-1f, s = h + f, rest = s - h;
    return s + (((h - (s - rest)) + (f - rest)) + t);
}
GKM float gk_log_specialf(float x, float y)
{
    y = x == GK_INFF ? x : y;
    y = x == 0 ? -GK_INFF : y;
    return x < 0 || x != x ? GK_NANF : y;
}
GKM float gk_logf(float x)
{
    int e;
    float f = gk_log_splitf(x, &e) - 1;
    return gk_log_specialf(x, gk_log_finishf(f, e));
}
GKM float gk_log1pf(float x)
{
    int e;
    (void)gk_log_splitf(1 + x, &e);
    float scale = gk_float((unsigned)(127 - e) << 23);
    float f = e == 0 ? x : gk_fmaf(x, scale, scale - 1);
    float y = x > 0x1p40f ? gk_logf(x) : gk_log_finishf(f, e);
    y = x == -1 ? -GK_INFF : y;
    y = x < -1 || x != x ? GK_NANF : y;
    return x == 0 ? x : y;
}
GKM float gk_log2f(float x)
{
    int e;
    float f = gk_log_splitf(x, &e) - 1, k = (float)e, z = f * f;
    float p = gk_fmaf(f * z, gk_p_logf(f), -0.5f * z);
    float pl = gk_fmaf(z, -0.5f, 0.5f * z); /* rounding error of -z/2 is none; of z itself: */
    pl = -0.5f * gk_fmaf(f, f, -z) + pl;
    float h = f * 0x1.715476p+0f, hl = gk_fmaf(f, 0x1.715476p+0f, -h) + f * 0x1.4ae0c0p-26f;
    float t = gk_fmaf(p, 0x1.715476p+0f, hl + pl * 0x1.715476p+0f);
    float s = k + h, rest = s - k;
    return gk_log_specialf(x, s + (((k - (s - rest)) + (h - rest)) + t));
}
GKM float gk_log10f(float x)
{
    int e;
    float f = gk_log_splitf(x, &e) - 1, k = (float)e, z = f * f;
    float p = gk_fmaf(f * z, gk_p_logf(f), -0.5f * z);
    float h = f * 0x1.bcb7b2p-2f, hl = gk_fmaf(f, 0x1.bcb7b2p-2f, -h) + f * -0x1.5b235ep-27f;
    float t = gk_fmaf(p, 0x1.bcb7b2p-2f, hl) + k * 0x1.3509f8p-18f;
    float b = k * 0x1.344000p-2f, s = b + h, rest = s - b;
    return gk_log_specialf(x, s + (((b - (s - rest)) + (h - rest)) + t));
}
/* log(x) as a sum of two floats, x positive and finite. */
GKM float gk_log_ddf(float x, float *low)
{
    int e, shift = 0;
    if (x < 0x1p-126f) {
        x *= 0x1p23f;
        shift = -23;
    }
    unsigned bits = gk_bitsf(x) - 0x3f3504f3u;
    e = (int)bits >> 23;
    float f = gk_float(gk_bitsf(x) - ((unsigned)e << 23)) - 1, k = (float)(e + shift);
    float u = 2 + f, ul = (2 - u) + f, v = gk_divf(1.0f, u);
    float s = f * v, sl = (gk_fmaf(-s, u, f) - s * ul) * v;
    float z = s * s, zl = gk_fmaf(s, s, -z) + 2 * s * sl;
    float t = z * 0x1.555556p-1f;
    float tl = gk_fmaf(z, 0x1.555556p-1f, -t) + gk_fmaf(zl, 0x1.555556p-1f, z * -0x1.555556p-26f) +
               z * z * gk_p_log5f(z);
    float w = 2 + t, wl = (2 - w) + t + tl;
    float h = s * w, l = gk_fmaf(s, w, -h) + gk_fmaf(s, wl, sl * w);
    float b = k * 0x1.62e400p-1f, sum = b + h, rest = sum - b;
    float r = (b - (sum - rest)) + (h - rest) + l + k * 0x1.7f7d1cp-20f;
    float y = sum + r;
    *low = (sum - y) + r;
    return y;
}
GKM float gk_powf(float x, float y)
{
    float ax = gk_fabsf(x), ay = gk_fabsf(y);
    float l, h = gk_log_ddf(ax > 0 && ax < GK_INFF ? ax : 1, &l);
    float p = y * h, pl = gk_fmaf(y, h, -p) + y * l;
    p = ay > 0x1p60f && h != 0 ? gk_copysignf(300, h) * gk_copysignf(1, y) : p;
    pl = gk_fabsf(p) > 130 ? 0 : pl;
    float r = gk_exp_ddf(p, pl, 0);
    int whole = gk_truncf(y) == y;
    int odd = whole && ay < 0x1p24f && gk_truncf(y * 0.5f) != y * 0.5f;
    if (ax == 0 || ax == GK_INFF)
        r = (ax == 0) == (y < 0) ? GK_INFF : 0;
    if (ay == GK_INFF)
        r = ax == 1 ? 1 : (ax > 1) == (y > 0) ? GK_INFF : 0;
    if (gk_bitsf(x) >> 31) {
        r = odd ? -r : r;
        r = !whole && x < 0 && ax != GK_INFF ? GK_NANF : r;
    }
    r = x != x || y != y ? GK_NANF : r;
    return x == 1 || y == 0 ? 1 : r;
}
GKM float gk_powif(float x, int n)
{
    unsigned m = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    float r = 1;
    for (; m; m >>= 1, x *= x)
        r = m & 1 ? r * x : r;
    return n < 0 ? gk_divf(1.0f, r) : r;
}

/* --- trigonometry --------------------------------------------------------------------------- */

/* x = q pi/2 + r with |r| <= pi/4; *low refines r. */
GKM int gk_reducef(float x, float *high, float *low)
{
    float k = gk_rintf(x * 0x1.45f306p-1f);
    float r0 = gk_fmaf(k, -0x1.921fb6p+0f, x), r = gk_fmaf(k, 0x1.777a5cp-25f, r0);
    *low = gk_fmaf(k, 0x1.ee59dap-50f, gk_fmaf(k, 0x1.777a5cp-25f, r0 - r));
    *high = r;
    int q = gk_f2i(k);
    float ax = gk_fabsf(x);
    if (ax > 8192 && ax < GK_INFF) {
        GkAngle a = gk_reduce(x);
        q = a.quarter;
        *high = (float)a.high;
        *low = (float)(a.high - *high);
    }
    return q;
}
GKM float gk_sin_coref(float r, float low)
{
    float z = r * r;
    return r + gk_fmaf(r * z, gk_p_sinf(z), low);
}
GKM float gk_cos_coref(float r, float low)
{
    float z = r * r, h = 0.5f * z, w = 1 - h;
    return w + (((1 - w) - h) + gk_fmaf(z * z, gk_p_cosf(z), -r * low));
}
GKM float gk_quadrantf(float s, float c, int q)
{
    float y = q & 1 ? c : s;
    return q & 2 ? -y : y;
}
GKM float gk_sinf(float x)
{
    float r, l;
    int q = gk_reducef(x, &r, &l);
    float y = gk_quadrantf(gk_sin_coref(r, l), gk_cos_coref(r, l), q);
    y = x == 0 ? x : y;
    return gk_fabsf(x) < GK_INFF ? y : GK_NANF;
}
GKM float gk_cosf(float x)
{
    float r, l;
    int q = gk_reducef(x, &r, &l);
    float y = gk_quadrantf(gk_sin_coref(r, l), gk_cos_coref(r, l), (int)((unsigned)q + 1));
    return gk_fabsf(x) < GK_INFF ? y : GK_NANF;
}
GKM void gk_sincosf(float x, float *sine, float *cosine)
{
    float r, l;
    int q = gk_reducef(x, &r, &l), finite = gk_fabsf(x) < GK_INFF;
    float s = gk_sin_coref(r, l), c = gk_cos_coref(r, l);
    *sine = x == 0 ? x : finite ? gk_quadrantf(s, c, q) : GK_NANF;
    *cosine = finite ? gk_quadrantf(s, c, (int)((unsigned)q + 1)) : GK_NANF;
}
GKM float gk_tanf(float x)
{
    float r, l;
    int q = gk_reducef(x, &r, &l);
    float z = r * r, t = r + gk_fmaf(r * z, gk_p_tanf(z), l);
    float y = q & 1 ? gk_divf(-1.0f, t) : t;
    y = x == 0 ? x : y;
    return gk_fabsf(x) < GK_INFF ? y : GK_NANF;
}
GKM int gk_reduce_pif(float x, float *high, float *low)
{
    float k = gk_rintf(2 * x), r = gk_fmaf(k, -0.5f, x);
    float t = r * 0x1.921fb6p+1f;
    *low = gk_fmaf(r, 0x1.921fb6p+1f, -t) + r * -0x1.777a5cp-24f;
    *high = t;
    return gk_fabsf(x) < 0x1p24f ? gk_f2i(k) & 3 : 0;
}
GKM float gk_sinpif(float x)
{
    float r, l;
    int q = gk_reduce_pif(x, &r, &l);
    float y = gk_quadrantf(gk_sin_coref(r, l), gk_cos_coref(r, l), q);
    y = gk_truncf(x) == x ? gk_copysignf(0, x) : y;
    return gk_fabsf(x) < GK_INFF ? y : GK_NANF;
}
GKM float gk_cospif(float x)
{
    float r, l;
    int q = gk_reduce_pif(x, &r, &l);
    float y = gk_quadrantf(gk_sin_coref(r, l), gk_cos_coref(r, l), (int)((unsigned)q + 1)) + 0.0f;
    y = gk_fabsf(x) >= 0x1p24f ? 1 : y;
    return gk_fabsf(x) < GK_INFF ? y : GK_NANF;
}
GKM void gk_sincospif(float x, float *s, float *c)
{
    *s = gk_sinpif(x);
    *c = gk_cospif(x);
}

/* --- inverse trigonometry ------------------------------------------------------------------- */

GKM float gk_atan_quotientf(float y, float x)
{
    int swap = y > x;
    float small = swap ? x : y, large = swap ? y : x;
    if (large > 0x1p120f) {
        large *= 0x1p-20f;
        small *= 0x1p-20f;
    }
    int fold = small > large * 0x1.a8279ap-2f;
    float t = gk_divf(fold ? small - large : small, fold ? small + large : large);
    float z = t * t, p = t * z * gk_p_atanf(z);
    float high = fold ? 0x1.921fb6p-1f : 0, low = fold ? -0x1.777a5cp-26f : 0;
    if (swap) {
        high = 0x1.921fb6p+0f - high;
        low = -0x1.777a5cp-25f - low;
        t = -t;
        p = -p;
    }
    float s = high + t;
    return high == 0 ? t + p : s + (((high - s) + t) + (low + p));
}
GKM float gk_atanf(float x)
{
    float ax = gk_fabsf(x);
    float y = ax == GK_INFF ? 0x1.921fb6p+0f : gk_atan_quotientf(ax, 1);
    return x != x ? x : gk_copysignf(y, x);
}
GKM float gk_atan2f(float y, float x)
{
    float ax = gk_fabsf(x), ay = gk_fabsf(y);
    float a = ay == 0 && ax == 0               ? 0
              : ax == GK_INFF && ay == GK_INFF ? 0x1.921fb6p-1f
              : ax == GK_INFF                  ? 0
              : ay == GK_INFF                  ? 0x1.921fb6p+0f
                                               : gk_atan_quotientf(ay, ax);
    if (gk_bitsf(x) >> 31)
        a = 0x1.921fb6p+1f - (a + 0x1.777a5cp-24f);
    return x != x || y != y ? GK_NANF : gk_copysignf(a, y);
}
GKM float gk_asin_rootf(float z, float *rest)
{
    float s = gk_sqrtf(z), c = s > 0 ? gk_divf(gk_fmaf(-s, s, z), 2 * s) : 0;
    *rest = gk_fmaf(s * z, gk_p_asinf(z), c);
    return s;
}
GKM float gk_asinf(float x)
{
    float ax = gk_fabsf(x), z = ax * ax, r, s = gk_asin_rootf(0.5f - 0.5f * (ax < 1 ? ax : 1), &r);
    float h = 0x1.921fb6p+0f - 2 * s;
    float far = h + (((0x1.921fb6p+0f - h) - 2 * s) + gk_fmaf(-2, r, -0x1.777a5cp-25f));
    float y = ax <= 0.5f ? gk_fmaf(ax * z, gk_p_asinf(z), ax) : far;
    return ax <= 1 ? gk_copysignf(y, x) : GK_NANF;
}
GKM float gk_acosf(float x)
{
    float ax = gk_fabsf(x), y;
    if (ax <= 0.5f) {
        float z = x * x, p = x * z * gk_p_asinf(z), h = 0x1.921fb6p+0f - x;
        y = h + (((0x1.921fb6p+0f - h) - x) - (p + 0x1.777a5cp-25f));
    } else {
        float r, s = gk_asin_rootf(0.5f - 0.5f * (ax < 1 ? ax : 1), &r), h = 0x1.921fb6p+1f - 2 * s;
        y = x > 0 ? 2 * (s + r) : h + (((0x1.921fb6p+1f - h) - 2 * s) + gk_fmaf(-2, r, -0x1.777a5cp-24f));
    }
    return ax <= 1 ? y : GK_NANF;
}

/* --- hyperbolic ----------------------------------------------------------------------------- */

GKM float gk_sinhf(float x)
{
    float ax = gk_fabsf(x), e = gk_expm1f(ax < 20 ? ax : 20);
    float y = ax < 20 ? 0.5f * (e + gk_divf(e, e + 1)) : gk_exp_ddf(ax, 0, -1);
    return x != x ? x : gk_copysignf(y, x);
}
GKM float gk_coshf(float x)
{
    float e = gk_exp_ddf(gk_fabsf(x), 0, -1);
    return e + gk_divf(0.25f, e);
}
GKM float gk_tanhf(float x)
{
    float ax = gk_fabsf(x), b = ax < 12 ? ax : 12, z = b * b;
    float e = gk_expf(2 * b), far = 1 - gk_divf(2.0f, e + 1);
    float y = ax < 0.55f ? gk_fmaf(b * z, gk_p_tanhf(z), b) : far;
    return x != x ? x : gk_copysignf(y, x);
}
GKM float gk_asinhf(float x)
{
    float ax = gk_fabsf(x), z = ax * ax;
    float y = ax < 0x1p14f ? gk_log1pf(ax + gk_divf(z, 1 + gk_sqrtf(1 + z))) : gk_logf(ax) + 0x1.62e430p-1f;
    return x != x || x == 0 ? x : gk_copysignf(y, x);
}
GKM float gk_acoshf(float x)
{
    float t = x - 1;
    float y = x < 0x1p14f ? gk_log1pf(t + gk_sqrtf(gk_fmaf(t, t, 2 * t))) : gk_logf(x) + 0x1.62e430p-1f;
    return x >= 1 ? y : GK_NANF;
}
GKM float gk_atanhf(float x)
{
    float ax = gk_fabsf(x), t = 2 * ax;
    float y = 0.5f * gk_log1pf(ax < 0.5f ? t + gk_divf(t * ax, 1 - ax) : gk_divf(t, 1 - ax));
    y = ax < 0x1p-14f ? ax : y;
    return ax <= 1 ? gk_copysignf(y, x) : GK_NANF;
}

/* --- roots ---------------------------------------------------------------------------------- */

GKM float gk_cbrtf(float x) { return (float)gk_cbrt(x); }
GKM float gk_rcbrtf(float x) { return (float)gk_rcbrt(x); }
GKM float gk_hypotf(float a, float b)
{
    double y = gk_sqrt(gk_fma(a, a, (double)b * b));
    return gk_fabsf(a) == GK_INFF || gk_fabsf(b) == GK_INFF ? GK_INFF : (float)y;
}
GKM float gk_rhypotf(float a, float b)
{
    double y = gk_div(1.0, gk_sqrt(gk_fma(a, a, (double)b * b)));
    return gk_fabsf(a) == GK_INFF || gk_fabsf(b) == GK_INFF ? 0 : (float)y;
}
GKM double gk_norm_sum(int n, const float *v)
{
    double sum = 0;
    int infinite = 0;
    for (int i = 0; i < n; ++i) {
        sum = gk_fma(v[i], v[i], sum);
        infinite |= gk_fabsf(v[i]) == GK_INFF;
    }
    return infinite ? GK_INF : sum;
}
GKM float gk_normf(int n, const float *v) { return (float)gk_sqrt(gk_norm_sum(n, v)); }
GKM float gk_rnormf(int n, const float *v) { return (float)gk_div(1.0, gk_sqrt(gk_norm_sum(n, v))); }
GKM float gk_norm3df(float a, float b, float c)
{
    float v[3] = {a, b, c};
    return gk_normf(3, v);
}
GKM float gk_rnorm3df(float a, float b, float c)
{
    float v[3] = {a, b, c};
    return gk_rnormf(3, v);
}
GKM float gk_norm4df(float a, float b, float c, float d)
{
    float v[4] = {a, b, c, d};
    return gk_normf(4, v);
}
GKM float gk_rnorm4df(float a, float b, float c, float d)
{
    float v[4] = {a, b, c, d};
    return gk_rnormf(4, v);
}

/* --- error functions ------------------------------------------------------------------------ */

GKM float gk_erfcx_coref(float x)
{
    float t = gk_divf(x - 4, x + 4);
    float y = gk_divf(gk_p_erfcxf(t), gk_fmaf(2, x, 1));
    return x > 0x1p20f ? gk_divf(0x1.20dd76p-1f, x) : y;
}
GKM float gk_erfc_ddf(float x, float low)
{
    float ax = gk_fabsf(x), b = ax < 11 ? ax : 11;
    float h = b * b, l = gk_fmaf(b, b, -h) + 2 * b * (x < 0 ? -low : low);
    float y = gk_erfcx_coref(b) * gk_exp_ddf(-h, -l, 0);
    y = ax > 10.5f ? 0 : y;
    y = x < 0 ? 2 - y : y;
    float near = 1 - gk_fmaf(0x1.20dd76p+0f, low, gk_fmaf(x, gk_p_erff(x * x), x));
    return ax < 0.5f ? near : y;
}
GKM float gk_erff(float x)
{
    float ax = gk_fabsf(x), z = ax * ax;
    float y = ax < 1 ? gk_fmaf(ax, gk_p_erff(z), ax) : 1 - gk_erfc_ddf(ax, 0);
    return x != x ? x : gk_copysignf(y, x);
}
GKM float gk_erfcf(float x)
{
    return x != x ? x : gk_erfc_ddf(x, 0);
}
GKM float gk_erfcxf(float x)
{
    return x < 0 ? (float)gk_erfcx(x) : x != x ? x : gk_erfcx_coref(x);
}
GKM float gk_normcdff(float x)
{
    float a = -x * 0x1.6a09e6p-1f;
    float l = gk_fmaf(-x, 0x1.6a09e6p-1f, -a) - x * 0x1.9fcef4p-27f;
    float y = 0.5f * gk_erfc_ddf(a, gk_fabsf(a) < 12 ? l : 0);
    return x != x ? x : y;
}
GKM float gk_erfinvf(float x) { return (float)gk_erfinv(x); }
GKM float gk_erfcinvf(float x) { return (float)gk_erfcinv(x); }
GKM float gk_normcdfinvf(float x) { return (float)gk_normcdfinv(x); }

/* --- rare functions, through double --------------------------------------------------------- */

GKM float gk_tgammaf(float x) { return (float)gk_tgamma(x); }
GKM float gk_lgammaf(float x) { return (float)gk_lgamma(x); }
GKM float gk_j0f(float x) { return (float)gk_j0(x); }
GKM float gk_j1f(float x) { return (float)gk_j1(x); }
GKM float gk_jnf(int n, float x) { return (float)gk_jn(n, x); }
GKM float gk_y0f(float x) { return (float)gk_y0(x); }
GKM float gk_y1f(float x) { return (float)gk_y1(x); }
GKM float gk_ynf(int n, float x) { return (float)gk_yn(n, x); }
GKM float gk_cyl_bessel_i0f(float x) { return (float)gk_cyl_bessel_i0(x); }
GKM float gk_cyl_bessel_i1f(float x) { return (float)gk_cyl_bessel_i1(x); }

/* --- remainders and parts ------------------------------------------------------------------- */

GKM float gk_fmodf(float x, float y) { return (float)gk_fmod(x, y); }
GKM float gk_remquof(float x, float y, int *q) { return (float)gk_remquo(x, y, q); }
GKM float gk_remainderf(float x, float y) { return (float)gk_remainder(x, y); }
GKM float gk_frexpf(float x, int *e) { return (float)gk_frexp(x, e); }
GKM float gk_ldexpf(float x, int n)
{
    n = n > 400 ? 400 : n < -400 ? -400 : n;
    return (float)(x * gk_double((unsigned long long)(n + 1023) << 52));
}
GKM float gk_scalbnf(float x, int n) { return gk_ldexpf(x, n); }
GKM float gk_logbf(float x) { return (float)gk_logb(x); }
GKM int gk_ilogbf(float x) { return gk_ilogb(x); }
GKM float gk_modff(float x, float *whole)
{
    float t = gk_truncf(x);
    *whole = t;
    return x != x ? x : gk_copysignf(gk_fabsf(x) == GK_INFF ? 0 : x - t, x);
}
GKM float gk_fdimf(float x, float y)
{
    return x != x || y != y ? GK_NANF : x > y ? x - y : 0;
}
GKM float gk_nextafterf(float x, float y)
{
    if (x != x || y != y)
        return GK_NANF;
    if (x == y)
        return y;
    if (x == 0)
        return gk_copysignf(0x1p-149f, y);
    return gk_float(gk_bitsf(x) + ((y > x) == (x > 0) ? 1 : -1u));
}
GKM float gk_roundf(float x)
{
    float t = gk_truncf(x), d = gk_fabsf(x - t);
    float y = d >= 0.5f ? t + gk_copysignf(1, x) : t;
    return gk_fabsf(x) < 0x1p23f ? gk_copysignf(y, x) : x;
}
GKM long long gk_llroundf(float x) { return gk_f2ll(gk_roundf(x)); }
GKM long long gk_llrintf(float x) { return gk_f2ll(gk_rintf(x)); }

#endif
