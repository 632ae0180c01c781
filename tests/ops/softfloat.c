/* SPDX-License-Identifier: Apache-2.0
 * IEEE 754 arithmetic for the oracle. Every operation is done once in 113-bit floats rounded to odd
 * (toward zero, last bit set when inexact), which makes the second rounding, to the format, exact.
 * Square roots come from the host's own. NaN results are PTX's canonical ones. */
#include "ops.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static const FloatFormat f16 = {16, 11, -14, 15}, bf16 = {16, 8, -126, 127},
                         f32 = {32, 24, -126, 127}, f64 = {64, 53, -1022, 1023},
                         tf32 = {32, 11, -126, 127};

const FloatFormat *ops_format(unsigned type)
{
    switch (type) {
    case TY_f16:
    case TY_f16x2:
        return &f16;
    case TY_bf16:
    case TY_bf16x2:
        return &bf16;
    case TY_f32:
    case TY_f32x2:
        return &f32;
    case TY_f64:
        return &f64;
    case TY_tf32:
        return &tf32;
    default:
        return NULL;
    }
}

static int stored_bits(const FloatFormat *f) /* of the fraction; tf32 keeps f32's layout */
{
    return f == &tf32 ? 23 : f->precision - 1;
}

static uint64_t exponent_mask(const FloatFormat *f)
{
    return (UINT64_C(1) << (f->bits - 1 - stored_bits(f))) - 1;
}

static uint64_t fraction_of(const FloatFormat *f, uint64_t bits)
{
    return bits & ((UINT64_C(1) << stored_bits(f)) - 1);
}

static uint64_t exponent_of(const FloatFormat *f, uint64_t bits)
{
    return bits >> stored_bits(f) & exponent_mask(f);
}

bool fp_sign(const FloatFormat *f, uint64_t bits)
{
    return bits >> (f->bits - 1) & 1;
}

bool fp_is_nan(const FloatFormat *f, uint64_t bits)
{
    return exponent_of(f, bits) == exponent_mask(f) && fraction_of(f, bits);
}

bool fp_is_inf(const FloatFormat *f, uint64_t bits)
{
    return exponent_of(f, bits) == exponent_mask(f) && !fraction_of(f, bits);
}

bool fp_is_zero(const FloatFormat *f, uint64_t bits)
{
    return exponent_of(f, bits) == 0 && !fraction_of(f, bits);
}

bool fp_is_subnormal(const FloatFormat *f, uint64_t bits)
{
    return exponent_of(f, bits) == 0 && fraction_of(f, bits);
}

uint64_t fp_nan(const FloatFormat *f) /* 0x7fff, 0x7fffffff; f64: 0x7ff8... (any is accepted) */
{
    return f->bits == 64 ? UINT64_C(0x7ff8000000000000) : (UINT64_C(1) << (f->bits - 1)) - 1;
}

uint64_t fp_flush(const FloatFormat *f, uint64_t bits)
{
    return fp_is_subnormal(f, bits) ? bits & UINT64_C(1) << (f->bits - 1) : bits;
}

static uint64_t infinity(const FloatFormat *f, bool sign)
{
    return (uint64_t)sign << (f->bits - 1) | exponent_mask(f) << stored_bits(f);
}

/* ---- 113-bit floats ---- */

typedef unsigned __int128 Raw;

static Raw raw(Wide w)
{
    Raw r;
    memcpy(&r, &w, sizeof r);
    return r;
}

static Wide wide(bool sign, int exponent, Raw mantissa) /* mantissa * 2^exponent, below 2^113 */
{
    Raw r = 0;
    if (mantissa) {
        int top = 0;
        for (Raw m = mantissa; m >>= 1;)
            top++;
        r = (mantissa << (112 - top)) & (((Raw)1 << 112) - 1);
        r |= (Raw)(exponent + top + 16383) << 112;
    }
    r |= (Raw)sign << 127;
    Wide w;
    memcpy(&w, &r, sizeof w);
    return w;
}

Wide fp_decode(const FloatFormat *f, uint64_t bits)
{
    bool sign = fp_sign(f, bits);
    if (fp_is_nan(f, bits))
        return (Wide)NAN;
    if (fp_is_inf(f, bits))
        return sign ? -(Wide)INFINITY : (Wide)INFINITY;
    uint64_t e = exponent_of(f, bits), m = fraction_of(f, bits);
    if (e)
        m |= UINT64_C(1) << stored_bits(f);
    else
        e = 1;
    return wide(sign, (int)e - 1 + f->emin - stored_bits(f), m);
}

static bool rounds_up(Rounding rounding, bool sign, bool odd, int against_half, bool inexact)
{
    switch (rounding) {
    case ROUND_NEAREST:
        return against_half > 0 || (against_half == 0 && odd);
    case ROUND_AWAY:
        return against_half >= 0;
    case ROUND_DOWN:
        return sign && inexact;
    case ROUND_UP:
        return !sign && inexact;
    default:
        return false;
    }
}

/* mantissa >> drop, rounded. */
static Raw shift_rounded(Raw mantissa, int drop, Rounding rounding, bool sign)
{
    if (drop <= 0)
        return mantissa << -drop;
    bool tiny = drop > 120;
    Raw rest = tiny ? 1 : mantissa & (((Raw)1 << drop) - 1), half = (Raw)1 << (tiny ? 2 : drop - 1);
    Raw kept = tiny ? 0 : mantissa >> drop;
    int against = rest > half ? 1 : rest == half ? 0 : -1;
    return kept + rounds_up(rounding, sign, kept & 1, against, rest != 0);
}

uint64_t fp_encode(const FloatFormat *f, Wide value, Rounding rounding)
{
    Raw r = raw(value), fraction = r & (((Raw)1 << 112) - 1);
    bool sign = r >> 127;
    int e = (int)(r >> 112 & 0x7fff) - 16383;
    if (e == 16384)
        return fraction ? fp_nan(f) : infinity(f, sign);
    uint64_t sign_bit = (uint64_t)sign << (f->bits - 1);
    if (e == -16383) /* zero: subnormal 113-bit floats do not occur */
        return sign_bit;
    int extra = e < f->emin ? f->emin - e : 0;
    Raw kept = shift_rounded(fraction | (Raw)1 << 112, 113 - f->precision + extra, rounding, sign);
    if (extra)
        e = kept >> (f->precision - 1) ? f->emin : f->emin - 1; /* rounded up to normal, or not */
    else if (kept >> f->precision) {
        kept >>= 1;
        e++;
    }
    if (e > f->emax) {
        bool up = rounding == ROUND_NEAREST || rounding == ROUND_AWAY ||
                  (rounding == ROUND_UP && !sign) || (rounding == ROUND_DOWN && sign);
        if (up)
            return infinity(f, sign);
        kept = ((Raw)1 << f->precision) - 1;
        e = f->emax;
    }
    uint64_t stored = (uint64_t)kept << (stored_bits(f) - (f->precision - 1));
    stored &= (UINT64_C(1) << stored_bits(f)) - 1;
    return sign_bit | (uint64_t)(e - f->emin + 1) << stored_bits(f) | stored;
}

static Wide to_odd(Wide value, bool inexact)
{
    Raw r = raw(value) | inexact;
    memcpy(&value, &r, sizeof value);
    return value;
}

typedef enum { W_ADD, W_MUL, W_DIV } WideOp;

static __attribute__((noinline)) Wide operate(WideOp op, Wide a, Wide b, bool *inexact)
{
    volatile Wide x = a, y = b, z;
    int mode = fegetround();
    fesetround(FE_TOWARDZERO);
    feclearexcept(FE_ALL_EXCEPT);
    z = op == W_ADD ? x + y : op == W_MUL ? x * y : x / y;
    *inexact = fetestexcept(FE_INEXACT) != 0;
    fesetround(mode);
    return z;
}

static Wide odd(WideOp op, Wide a, Wide b)
{
    bool inexact;
    Wide z = operate(op, a, b, &inexact);
    return to_odd(z, inexact);
}

/* Sum of two values, each zero of its own sign; exact zero sums are -0 only when rounding down. */
static uint64_t sum(const FloatFormat *f, Wide a, Wide b, Rounding rounding)
{
    Wide z = odd(W_ADD, a, b);
    if (z == 0) {
        bool sa = raw(a) >> 127, sb = raw(b) >> 127;
        bool sign = sa == sb ? sa : rounding == ROUND_DOWN;
        return (uint64_t)sign << (f->bits - 1);
    }
    return fp_encode(f, z, rounding);
}

uint64_t fp_add(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding)
{
    return sum(f, fp_decode(f, a), fp_decode(f, b), rounding);
}

uint64_t fp_mul(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding)
{
    return fp_encode(f, odd(W_MUL, fp_decode(f, a), fp_decode(f, b)), rounding);
}

uint64_t fp_fma(const FloatFormat *f, uint64_t a, uint64_t b, uint64_t c, Rounding rounding)
{
    Wide product = odd(W_MUL, fp_decode(f, a), fp_decode(f, b)); /* exact: at most 106 bits */
    return sum(f, product, fp_decode(f, c), rounding);
}

uint64_t fp_div(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding)
{
    return fp_encode(f, odd(W_DIV, fp_decode(f, a), fp_decode(f, b)), rounding);
}

uint64_t fp_sqrt(const FloatFormat *f, uint64_t a, Rounding rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    if (fp_is_nan(f, a) || (fp_sign(f, a) && !fp_is_zero(f, a)))
        return fp_nan(f);
    int mode = fegetround();
    fesetround(modes[rounding]);
    uint64_t bits = 0;
    if (f->bits == 64) {
        volatile double x;
        memcpy((void *)&x, &a, 8);
        volatile double z = sqrt(x);
        memcpy(&bits, (const void *)&z, 8);
    } else {
        uint32_t low = (uint32_t)a;
        volatile float x;
        memcpy((void *)&x, &low, 4);
        volatile float z = sqrtf(x);
        memcpy(&low, (const void *)&z, 4);
        bits = low;
    }
    fesetround(mode);
    return bits;
}

uint64_t fp_convert(const FloatFormat *to, const FloatFormat *from, uint64_t a, Rounding rounding)
{
    return fp_encode(to, fp_decode(from, a), rounding);
}

Wide fp_round_whole(Wide value, Rounding rounding)
{
    Raw r = raw(value);
    bool sign = r >> 127;
    int e = (int)(r >> 112 & 0x7fff) - 16383;
    if (e >= 112)
        return value; /* whole, infinite or NaN */
    if (e == -16383)
        return value;
    Raw mantissa = (r & (((Raw)1 << 112) - 1)) | (Raw)1 << 112;
    Raw kept = shift_rounded(mantissa, 112 - e, rounding, sign);
    return kept ? wide(sign, 0, kept) : sign ? -(Wide)0 : (Wide)0;
}
