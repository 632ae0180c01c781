/* SPDX-License-Identifier: Apache-2.0
 * The special function unit in plain C: see sfu.h. The forms without .ftz are what the hardware's
 * compiler makes of them: the same unit between scalings by powers of two. */
#include "codegen/sfu_tables.h"

#include <math.h>
#include <string.h>

#define TABLE(f, low, linear_negative, quadratic_negative)                                         \
    const SfuTable sfu_##f##_table = {                                                             \
        #f,  f##_segments,    sizeof f##_segments / sizeof *f##_segments,                          \
        low, linear_negative, quadratic_negative}
TABLE(rcp, 0x1e7, true, false);
TABLE(rsqrt, 0x1ff, true, false);
TABLE(sqrt, 0x1ff, false, true);
TABLE(ex2, 0x1c5, false, false);
TABLE(lg2, 0x145, false, true);
TABLE(sin, 0, false, true);
TABLE(tanh, 0, false, true);

const SfuBinade sfu_tanh_binades[SFU_TANH_BINADES] = {
    {0, 0, 41},  {1, 0, 40},  {2, 0, 39},  {3, 1, 39},  {5, 1, 38},  {7, 2, 37},
    {11, 2, 37}, {15, 2, 36}, {19, 3, 37}, {27, 4, 39}, {43, 3, 37},
};

enum { NAN_BITS = 0x7fffffff, INF_BITS = 0x7f800000, SIGN_BIT = (int)0x80000000 };

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static bool is_nan(uint32_t x)
{
    return (x & 0x7fffffff) > INF_BITS;
}

static bool is_subnormal(uint32_t x)
{
    return (x & 0x7fffffff) - 1 < 0x7fffff;
}

static uint32_t flush(uint32_t x)
{
    return is_subnormal(x) ? x & 0x80000000 : x;
}

static uint32_t scaled(uint32_t x, float by)
{
    return as_bits(as_float(x) * by);
}

uint32_t sfu_square(uint32_t t)
{
    uint32_t high = t >> 9, sum = high * high >> 1;
    for (unsigned k = 1; k < 8; ++k)
        sum += (t >> (9 - k) & 1) * (high >> k);
    return sum;
}

int64_t sfu_evaluate(const SfuTable *table, unsigned segment, uint32_t t, uint32_t square)
{
    const SfuSegment *s = &table->segments[segment];
    int64_t linear = (int64_t)(s->slopes >> 15) * t,
            quadratic = (int64_t)(s->slopes & 0x7fff) * square;
    return 512 * (int64_t)s->base + table->low + (table->linear_negative ? -linear : linear) +
           (table->quadratic_negative ? -quadratic : quadratic);
}

/* value * 2^-places as f32, truncated; value > 0. */
static uint32_t truncated(int64_t value, int places)
{
    int top = 63 - __builtin_clzll((unsigned long long)value);
    uint64_t fraction = top > 23 ? (uint64_t)value >> (top - 23) : (uint64_t)value << (23 - top);
    return (uint32_t)((top - places + 126) << 23) + (uint32_t)fraction;
}

/* ---- rcp ---- */

static uint32_t rcp_normal(uint32_t x) /* x normal; tiny results become 0 */
{
    uint32_t t = x & 0xffff;
    int exponent = 253 - (int)(x >> 23 & 255);
    uint32_t y =
        (uint32_t)(sfu_evaluate(&sfu_rcp_table, x >> 16 & 127, t, sfu_square(2 * t)) >> 15);
    y = (y - 0x800000) + ((uint32_t)exponent << 23);
    if (exponent < 0 || y < 0x800000)
        y = 0;
    return y | (x & 0x80000000);
}

uint32_t sfu_rcp(uint32_t x, bool ftz)
{
    if (is_nan(x))
        return NAN_BITS;
    uint32_t sign = x & 0x80000000, magnitude = x & 0x7fffffff;
    if (magnitude == INF_BITS)
        return sign;
    if (magnitude == 0 || (ftz && is_subnormal(x)))
        return sign | INF_BITS;
    if (ftz)
        return rcp_normal(x);
    if (is_subnormal(x))
        return scaled(rcp_normal(scaled(x, 0x1p24f)), 0x1p24f);
    if (magnitude > 0x7e800000)
        return scaled(rcp_normal(scaled(x, 0.25f)), 0.25f);
    return rcp_normal(x);
}

/* ---- rsqrt, sqrt ---- */

uint32_t sfu_rsqrt(uint32_t x, bool ftz)
{
    if (is_nan(x))
        return NAN_BITS;
    if (ftz)
        x = flush(x);
    if ((x & 0x7fffffff) == 0)
        return (x & 0x80000000) | INF_BITS;
    if (x >> 31)
        return NAN_BITS;
    if (x == INF_BITS)
        return 0;
    if (is_subnormal(x))
        return scaled(sfu_rsqrt(scaled(x, 0x1p24f), true), 0x1p12f);
    uint32_t t = x & 0x1ffff, odd = ~x >> 23 & 1, half = ((x >> 23) - 127 - odd) >> 1;
    uint32_t y =
        (uint32_t)(sfu_evaluate(&sfu_rsqrt_table, odd << 6 | (x >> 17 & 63), t, sfu_square(t)) >>
                   16);
    if (odd == 0 && (x & 0x7fffff) == 0)
        y = 1 << 24;
    return (y - 0x800000) + ((126 - half) << 23);
}

uint32_t sfu_sqrt(uint32_t x, bool ftz)
{
    if (is_nan(x))
        return NAN_BITS;
    if (ftz)
        x = flush(x);
    if ((x & 0x7fffffff) == 0)
        return x;
    if (x >> 31)
        return NAN_BITS;
    if (x == INF_BITS)
        return x;
    if (is_subnormal(x))
        return scaled(sfu_sqrt(scaled(x, 0x1p24f), true), 0x1p-12f);
    uint32_t t = x & 0x1ffff, odd = ~x >> 23 & 1, half = ((x >> 23) - 127 - odd) >> 1;
    uint32_t y =
        (uint32_t)(sfu_evaluate(&sfu_sqrt_table, odd << 6 | (x >> 17 & 63), t, sfu_square(t)) >>
                   17);
    return (y - 0x800000) + ((127 + half) << 23);
}

/* ---- ex2 ---- */

uint32_t sfu_ex2(uint32_t x, bool ftz)
{
    if (is_nan(x))
        return NAN_BITS;
    if (x == INF_BITS)
        return x;
    if (!ftz && x > 0xc2fc0000) { /* below -126 */
        uint32_t root = sfu_ex2(scaled(x, 0.5f), true);
        return scaled(root, as_float(root));
    }
    /* fixed point with 23 places, truncated; then negated as the ones' complement, unless integral
     */
    uint32_t magnitude = x & 0x7fffffff;
    if (magnitude >= 0x43800000)
        return x >> 31 ? 0 : INF_BITS;
    int shift = (int)(magnitude >> 23) - 127;
    uint32_t fraction = (x & 0x7fffff) | 0x800000;
    int32_t f = shift >= 0    ? (int32_t)(fraction << shift)
                : shift < -24 ? 0
                              : (int32_t)(fraction >> -shift);
    if (x >> 31)
        f = (f & 0x7fffff) ? ~f : -f;
    uint32_t t = (uint32_t)f & 0x1ffff;
    uint32_t y =
        (uint32_t)(sfu_evaluate(&sfu_ex2_table, (unsigned)f >> 17 & 63, t, sfu_square(t)) >> 16);
    int exponent = (f >> 23) + 127;
    return exponent >= 255 ? INF_BITS
           : exponent <= 0 ? 0
                           : (y - 0x800000) + ((uint32_t)exponent << 23);
}

/* ---- lg2 ---- */

uint32_t sfu_lg2(uint32_t x, bool ftz)
{
    if (is_nan(x))
        return NAN_BITS;
    if (ftz)
        x = flush(x);
    if ((x & 0x7fffffff) == 0)
        return 0x80000000 | INF_BITS;
    if (x >> 31)
        return NAN_BITS;
    if (x == INF_BITS)
        return x;
    if (is_subnormal(x))
        return as_bits(as_float(sfu_lg2(scaled(x, 0x1p24f), true)) - 24);
    if (x == 0x3f800000)
        return 0;
    uint32_t t = x & 0x1ffff;
    int64_t whole = (int64_t)(x >> 23) - 127;
    int64_t value =
        whole * (1ll << 36) + (sfu_evaluate(&sfu_lg2_table, x >> 17 & 63, t, sfu_square(t)) >> 2);
    return whole < 0 ? truncated(~value, 36) | 0x80000000 : truncated(value, 36);
}

/* ---- sin, cos ---- */

static uint32_t circular(uint32_t x, bool cosine)
{
    if ((x & 0x7fffffff) >= INF_BITS)
        return NAN_BITS;
    /* turns: times 1/(2 pi) in f32 rounded towards zero, then fixed point with 25 places, truncated
     */
    double product = (double)as_float(x & 0x7fffffff) * (double)as_float(0x3e22f983);
    float turns = (float)product;
    if ((double)turns > product)
        turns = as_float(as_bits(turns) - 1);
    uint32_t bits = as_bits(turns), fraction = (bits & 0x7fffff) | 0x800000;
    int shift = (int)(bits >> 23) - 127 - 23 + 25;
    uint32_t f = shift >= 25   ? 0
                 : shift >= 0  ? fraction << shift
                 : shift < -24 ? 0
                               : fraction >> -shift;
    if (cosine)
        f += 1 << 23;
    bool negative = (f >> 24 & 1) != 0;
    if (!cosine)
        negative ^= x >> 31;
    uint32_t position = (f >> 23 & 1 ? ~f : f) & 0x7fffff, t = position & 0x1ffff;
    int64_t value = sfu_evaluate(&sfu_sin_table, position >> 17, t, sfu_square(t));
    uint32_t y = value == 0 ? 0 : value >= 1ll << 37 ? 0x3f800000 : truncated(value, 37);
    return y | (uint32_t)negative << 31;
}

uint32_t sfu_sin(uint32_t x, bool ftz)
{
    (void)ftz;
    return circular(x, false);
}

uint32_t sfu_cos(uint32_t x, bool ftz)
{
    (void)ftz;
    return circular(x, true);
}

/* ---- tanh ---- */

uint32_t sfu_tanh(uint32_t x, bool ftz)
{
    (void)ftz;
    if (is_nan(x))
        return NAN_BITS;
    uint32_t sign = x & 0x80000000;
    int binade = (int)(x >> 23 & 255) - 127 - SFU_TANH_LEAST;
    if (binade < 0)
        return x;
    if (binade >= SFU_TANH_BINADES)
        return sign | 0x3f800000;
    const SfuBinade *b = &sfu_tanh_binades[binade];
    uint32_t fraction = x & 0x7fffff, t = fraction >> (6 - b->bits) & 0x1ffff;
    int64_t value =
        sfu_evaluate(&sfu_tanh_table, b->first + (fraction >> (23 - b->bits)), t, sfu_square(t));
    return sign | truncated(value, b->places);
}

/* ---- div ---- */

uint32_t sfu_div(uint32_t a, uint32_t b, bool full, bool ftz)
{
    if (ftz) {
        a = flush(a);
        b = flush(b);
    }
    float factor = full && (b & 0x7fffffff) > 0x7e800000 ? 0.25f : is_subnormal(b) ? 0x1p24f : 1;
    uint32_t y = as_bits(as_float(scaled(a, factor)) * as_float(sfu_rcp(scaled(b, factor), true)));
    return is_nan(y) ? NAN_BITS : ftz ? flush(y) : y;
}

/* ---- half types: ex2 of bf16 flushes ---- */

static uint32_t widened(uint16_t x) /* f16 */
{
    uint32_t sign = (uint32_t)(x & 0x8000) << 16, magnitude = x & 0x7fff;
    if (magnitude >= 0x7c00)
        return sign | INF_BITS | (magnitude & 0x3ff) << 13;
    return sign | (magnitude < 0x400 ? as_bits((float)magnitude * 0x1p-24f)
                                     : (magnitude << 13) + 0x38000000);
}

static uint16_t narrowed(uint32_t x) /* f16, truncated; what overflows is infinite */
{
    uint16_t sign = (uint16_t)(x >> 16 & 0x8000);
    uint32_t magnitude = x & 0x7fffffff;
    if (is_nan(x))
        return 0x7fff;
    if (magnitude >= 0x47800000) /* 65536 */
        return sign | 0x7c00;
    if (magnitude < 0x38800000) /* 2^-14 */
        return sign | (uint16_t)(as_float(magnitude) * 0x1p24f);
    return sign | (uint16_t)((magnitude - 0x38000000) >> 13);
}

uint16_t sfu_ex2_f16(uint16_t x)
{
    return narrowed(sfu_ex2(widened(x), false));
}

uint16_t sfu_tanh_f16(uint16_t x)
{
    return narrowed(sfu_tanh(widened(x), false));
}

uint16_t sfu_ex2_bf16(uint16_t x)
{
    return (uint16_t)(sfu_ex2((uint32_t)x << 16, true) >> 16);
}

uint16_t sfu_tanh_bf16(uint16_t x)
{
    return (uint16_t)(sfu_tanh((uint32_t)x << 16, false) >> 16);
}

/* ---- f64 ---- */

/* Upper words in and out; the lower ones do not even make a NaN. */
static uint32_t high_half(uint32_t high, bool root)
{
    uint32_t sign = high & 0x80000000, y;
    int exponent = (int)(high >> 20 & 2047);
    uint32_t fraction = (high & 0xfffff) << 3 | 0x3f800000;
    if ((high & 0x7fffffff) > 0x7ff00000)
        y = NAN_BITS;
    else if (exponent == 0)
        y = sign | 0x7ff00000;
    else if (root && sign)
        y = NAN_BITS;
    else if (exponent == 2047)
        y = sign;
    else if (root) {
        int odd = (exponent - 1023) & 1, half = (exponent - 1023 - odd) / 2;
        y = (sfu_rsqrt(fraction + ((uint32_t)odd << 23), true) >> 3) +
            (uint32_t)((1023 - 127 - half) * (1 << 20));
    } else {
        int32_t magnitude =
            (int32_t)(sfu_rcp(fraction, true) >> 3) + (2 * 1023 - 127 - exponent) * (1 << 20);
        y = sign | (magnitude < 0x100000 ? 0 : (uint32_t)magnitude);
    }
    return y;
}

uint64_t sfu_rcp_f64(uint64_t x)
{
    return (uint64_t)high_half((uint32_t)(x >> 32), false) << 32;
}

uint64_t sfu_rsqrt_f64(uint64_t x)
{
    return (uint64_t)high_half((uint32_t)(x >> 32), true) << 32;
}

static double as_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

uint64_t sfu_rsqrt_f64_full(uint64_t x)
{
    uint64_t magnitude = x & INT64_MAX, infinity = (uint64_t)0x7ff00000 << 32,
             quiet = (uint64_t)0x80000 << 32;
    if (magnitude > infinity)
        return x | quiet;
    if (magnitude == 0)
        return x | infinity;
    if (x >> 63)
        return (uint64_t)0xfff80000 << 32;
    if (x == infinity)
        return 0;
    bool tiny = magnitude >> 52 == 0;
    double value = as_double(x) * (tiny ? 0x1p54 : 1),
           y = as_double(sfu_rsqrt_f64(double_bits(value)));
    double e = fma(value, -(y * y), 1);
    return double_bits(fma(fma(e, 0.375, 0.5), y * e, y) * (tiny ? 0x1p27 : 1));
}
