/* SPDX-License-Identifier: Apache-2.0
 * The operations that __half and __nv_bfloat16 share, from one text: cuda_fp16.h and cuda_bf16.h
 * include it with GKN (type), GKN2 (pair), GKN_IS_HALF, GKN_RAW (its arithmetic type, or float), and the
 * conversions gkn_to(type) -> float and gkn_from(float) -> type defined.
 *
 * Add, subtract, multiply, divide and square root computed in float and rounded once more are exact
 * here: float has at least 2p + 2 bits for both types. Only fma needs the native operation. */

#define GKN_HD static __inline__ __host__ __device__ __attribute__((always_inline)) GPUKIT_NODEBUG
#define GKN_D  static __inline__ __device__ __attribute__((always_inline)) GPUKIT_NODEBUG

#ifndef GPUKIT_NARROW_HELPERS
#define GPUKIT_NARROW_HELPERS
GKN_HD float gkn_saturate(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
#ifdef __CUDA_ARCH__
#define GKN_MATH(device, host) device
#else
#define GKN_MATH(device, host) host
#endif
#endif

/* Arithmetic. */
GKN_HD GKN __hadd(GKN a, GKN b) { return gkn_add(a, b); }
GKN_HD GKN __hsub(GKN a, GKN b) { return gkn_sub(a, b); }
GKN_HD GKN __hmul(GKN a, GKN b) { return gkn_mul(a, b); }
GKN_HD GKN __hadd_rn(GKN a, GKN b) { return gkn_from(GKN_MATH(__nvvm_add_rn_f(gkn_to(a), gkn_to(b)), gkn_to(a) + gkn_to(b))); }
GKN_HD GKN __hsub_rn(GKN a, GKN b) { return gkn_from(GKN_MATH(__nvvm_add_rn_f(gkn_to(a), -gkn_to(b)), gkn_to(a) - gkn_to(b))); }
GKN_HD GKN __hmul_rn(GKN a, GKN b) { return gkn_from(GKN_MATH(__nvvm_mul_rn_f(gkn_to(a), gkn_to(b)), gkn_to(a) * gkn_to(b))); }
GKN_HD GKN __hdiv(GKN a, GKN b)
{
    return gkn_from(GKN_MATH(__nvvm_div_rn_f(gkn_to(a), gkn_to(b)), gkn_to(a) / gkn_to(b)));
}
GKN_HD GKN __hfma(GKN a, GKN b, GKN c) { return gkn_fma(a, b, c); }
GKN_HD GKN __hneg(GKN a) { return gkn_bits((unsigned short)(gkn_raw(a) ^ 0x8000)); }
GKN_HD GKN __habs(GKN a) { return gkn_bits((unsigned short)(gkn_raw(a) & 0x7fff)); }
GKN_HD GKN __hadd_sat(GKN a, GKN b) { return gkn_from(gkn_saturate(gkn_to(__hadd(a, b)))); }
GKN_HD GKN __hsub_sat(GKN a, GKN b) { return gkn_from(gkn_saturate(gkn_to(__hsub(a, b)))); }
GKN_HD GKN __hmul_sat(GKN a, GKN b) { return gkn_from(gkn_saturate(gkn_to(__hmul(a, b)))); }
GKN_HD GKN __hfma_sat(GKN a, GKN b, GKN c) { return gkn_from(gkn_saturate(gkn_to(__hfma(a, b, c)))); }
GKN_HD GKN __hfma_relu(GKN a, GKN b, GKN c)
{
    float r = gkn_to(__hfma(a, b, c));
    return gkn_from(r > 0 || r != r ? r : 0.0f);
}

/* Comparisons: false for NaN, or true in the "u" forms. */
GKN_HD bool __heq(GKN a, GKN b) { return gkn_to(a) == gkn_to(b); }
GKN_HD bool __hne(GKN a, GKN b) { return gkn_to(a) < gkn_to(b) || gkn_to(a) > gkn_to(b); }
GKN_HD bool __hlt(GKN a, GKN b) { return gkn_to(a) < gkn_to(b); }
GKN_HD bool __hle(GKN a, GKN b) { return gkn_to(a) <= gkn_to(b); }
GKN_HD bool __hgt(GKN a, GKN b) { return gkn_to(a) > gkn_to(b); }
GKN_HD bool __hge(GKN a, GKN b) { return gkn_to(a) >= gkn_to(b); }
GKN_HD bool __hequ(GKN a, GKN b) { return !__hne(a, b); }
GKN_HD bool __hneu(GKN a, GKN b) { return !__heq(a, b); }
GKN_HD bool __hltu(GKN a, GKN b) { return !__hge(a, b); }
GKN_HD bool __hleu(GKN a, GKN b) { return !__hgt(a, b); }
GKN_HD bool __hgtu(GKN a, GKN b) { return !__hle(a, b); }
GKN_HD bool __hgeu(GKN a, GKN b) { return !__hlt(a, b); }
GKN_HD bool __hisnan(GKN a) { return gkn_to(a) != gkn_to(a); }
GKN_HD int __hisinf(GKN a)
{
    float x = gkn_to(a);
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}
GKN_HD GKN __hmax(GKN a, GKN b)
{
    if (__hisnan(a) || __hisnan(b))
        return !__hisnan(a) ? a : !__hisnan(b) ? b : gkn_bits(GKN_NAN_BITS);
    return __hlt(a, b) || (__heq(a, b) && gkn_raw(a) >> 15) ? b : a;
}
GKN_HD GKN __hmin(GKN a, GKN b)
{
    if (__hisnan(a) || __hisnan(b))
        return !__hisnan(a) ? a : !__hisnan(b) ? b : gkn_bits(GKN_NAN_BITS);
    return __hlt(b, a) || (__heq(a, b) && gkn_raw(b) >> 15) ? b : a;
}
GKN_HD GKN __hmax_nan(GKN a, GKN b) { return __hisnan(a) || __hisnan(b) ? gkn_bits(GKN_NAN_BITS) : __hmax(a, b); }
GKN_HD GKN __hmin_nan(GKN a, GKN b) { return __hisnan(a) || __hisnan(b) ? gkn_bits(GKN_NAN_BITS) : __hmin(a, b); }

/* Pairs. */
GKN_HD GKN2 __halves2pair_(GKN a, GKN b)
{
    GKN2 r;
    r.x = a;
    r.y = b;
    return r;
}
#define GKN_PAIR2(name)                                                                            \
    GKN_HD GKN2 name##2(GKN2 a, GKN2 b) { return __halves2pair_(name(a.x, b.x), name(a.y, b.y)); }
GKN_HD GKN2 __hadd2(GKN2 a, GKN2 b) { return gkn_add2(a, b); }
GKN_HD GKN2 __hsub2(GKN2 a, GKN2 b) { return gkn_sub2(a, b); }
GKN_HD GKN2 __hmul2(GKN2 a, GKN2 b) { return gkn_mul2(a, b); }
GKN_HD GKN2 __hfma2(GKN2 a, GKN2 b, GKN2 c) { return gkn_fma2(a, b, c); }
GKN_HD GKN2 __hadd2_rn(GKN2 a, GKN2 b) { return __halves2pair_(__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y)); }
GKN_HD GKN2 __hsub2_rn(GKN2 a, GKN2 b) { return __halves2pair_(__hsub_rn(a.x, b.x), __hsub_rn(a.y, b.y)); }
GKN_HD GKN2 __hmul2_rn(GKN2 a, GKN2 b) { return __halves2pair_(__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y)); }
GKN_HD GKN2 __h2div(GKN2 a, GKN2 b) { return __halves2pair_(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
GKN_HD GKN2 __hneg2(GKN2 a) { return __halves2pair_(__hneg(a.x), __hneg(a.y)); }
GKN_HD GKN2 __habs2(GKN2 a) { return __halves2pair_(__habs(a.x), __habs(a.y)); }
GKN_HD GKN2 __hadd2_sat(GKN2 a, GKN2 b) { return __halves2pair_(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)); }
GKN_HD GKN2 __hsub2_sat(GKN2 a, GKN2 b) { return __halves2pair_(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)); }
GKN_HD GKN2 __hmul2_sat(GKN2 a, GKN2 b) { return __halves2pair_(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)); }
GKN_HD GKN2 __hfma2_sat(GKN2 a, GKN2 b, GKN2 c)
{
    return __halves2pair_(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
GKN_HD GKN2 __hfma2_relu(GKN2 a, GKN2 b, GKN2 c)
{
    return __halves2pair_(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
GKN_HD GKN2 __hcmadd(GKN2 a, GKN2 b, GKN2 c) /* complex a * b + c */
{
    GKN re = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));
    GKN im = __hfma(a.y, b.x, __hfma(a.x, b.y, c.y));
    return __halves2pair_(re, im);
}
GKN_PAIR2(__hmax)
GKN_PAIR2(__hmin)
GKN_HD GKN2 __hmax2_nan(GKN2 a, GKN2 b) { return __halves2pair_(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
GKN_HD GKN2 __hmin2_nan(GKN2 a, GKN2 b) { return __halves2pair_(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
#undef GKN_PAIR2
#define GKN_COMPARE(op)                                                                            \
    GKN_HD GKN2 __h##op##2(GKN2 a, GKN2 b)                                                         \
    {                                                                                              \
        return __halves2pair_(gkn_from(__h##op(a.x, b.x) ? 1.0f : 0.0f),                           \
                              gkn_from(__h##op(a.y, b.y) ? 1.0f : 0.0f));                          \
    }                                                                                              \
    GKN_HD bool __hb##op##2(GKN2 a, GKN2 b) { return __h##op(a.x, b.x) && __h##op(a.y, b.y); }     \
    GKN_HD unsigned __h##op##2_mask(GKN2 a, GKN2 b)                                                \
    {                                                                                              \
        return (__h##op(a.x, b.x) ? 0xffffu : 0u) | (__h##op(a.y, b.y) ? 0xffff0000u : 0u);        \
    }
GKN_COMPARE(eq)
GKN_COMPARE(ne)
GKN_COMPARE(lt)
GKN_COMPARE(le)
GKN_COMPARE(gt)
GKN_COMPARE(ge)
GKN_COMPARE(equ)
GKN_COMPARE(neu)
GKN_COMPARE(ltu)
GKN_COMPARE(leu)
GKN_COMPARE(gtu)
GKN_COMPARE(geu)
#undef GKN_COMPARE
GKN_HD GKN2 __hisnan2(GKN2 a)
{
    return __halves2pair_(gkn_from(__hisnan(a.x) ? 1.0f : 0.0f), gkn_from(__hisnan(a.y) ? 1.0f : 0.0f));
}
GKN_HD float __low2float(GKN2 a) { return gkn_to(a.x); }
GKN_HD float __high2float(GKN2 a) { return gkn_to(a.y); }

/* Mathematics: through float, to the nearest. Where rounding twice misses that on the device (tests/math
 * tries every input), the last column steps to it. */
#if defined(__CUDA_ARCH__) && !defined(__USE_FAST_MATH__)
#define GKN_STEP(is_half, input, step)                                                             \
    if (GKN_IS_HALF == is_half && gkn_raw(a) == input)                                             \
        r = gkn_bits((unsigned short)(gkn_raw(r) + (step)));
#else
#define GKN_STEP(is_half, input, step)
#endif
#define GKN_FUNCTION(name, device, host, steps)                                                    \
    GKN_HD GKN h##name(GKN a)                                                                      \
    {                                                                                              \
        float x = gkn_to(a);                                                                       \
        GKN r = gkn_from(GKN_MATH(device, host));                                                  \
        steps return r;                                                                            \
    }                                                                                              \
    GKN_HD GKN2 h2##name(GKN2 a) { return __halves2pair_(h##name(a.x), h##name(a.y)); }
GKN_FUNCTION(sqrt, __nvvm_sqrt_rn_f(x), __builtin_sqrtf(x), )
GKN_FUNCTION(rsqrt, __nvvm_rsqrt_approx_f(x), 1.0f / __builtin_sqrtf(x), )
GKN_FUNCTION(rcp, __nvvm_div_rn_f(1.0f, x), 1.0f / x, )
GKN_FUNCTION(exp, ::expf(x), __builtin_expf(x), GKN_STEP(1, 0x1f79, -1) GKN_STEP(1, 0x25cf, -1))
GKN_FUNCTION(exp2, ::exp2f(x), __builtin_exp2f(x), GKN_STEP(1, 0x11c5, 1))
GKN_FUNCTION(exp10, ::exp10f(x), __builtin_powf(10.0f, x), GKN_STEP(1, 0xbf0a, -1) GKN_STEP(0, 0xbc95, -1))
GKN_FUNCTION(log, ::logf(x), __builtin_logf(x), GKN_STEP(1, 0x1d78, -1))
GKN_FUNCTION(log2, ::log2f(x), __builtin_log2f(x), )
GKN_FUNCTION(log10, ::log10f(x), __builtin_log10f(x),
             GKN_STEP(1, 0x338f, -1) GKN_STEP(1, 0x33f8, 1) GKN_STEP(1, 0x57e1, -1)
             GKN_STEP(1, 0x69d0, 1) GKN_STEP(1, 0x719d, -1))
GKN_FUNCTION(sin, ::sinf(x), __builtin_sinf(x),
             GKN_STEP(1, 0x32b3, 1) GKN_STEP(1, 0xb2b3, 1) GKN_STEP(1, 0x5cb0, -1) GKN_STEP(1, 0xdcb0, -1))
GKN_FUNCTION(cos, ::cosf(x), __builtin_cosf(x), GKN_STEP(1, 0x2b7c, 1) GKN_STEP(1, 0xab7c, 1))
GKN_FUNCTION(tanh, ::tanhf(x), __builtin_tanhf(x), )
GKN_FUNCTION(floor, ::floorf(x), __builtin_floorf(x), )
GKN_FUNCTION(ceil, ::ceilf(x), __builtin_ceilf(x), )
GKN_FUNCTION(trunc, ::truncf(x), __builtin_truncf(x), )
GKN_FUNCTION(rint, __builtin_rintf(x), __builtin_rintf(x), )
#undef GKN_FUNCTION
#undef GKN_STEP
/* The processor's instruction; before compute capability 9.0 there is none for bf16. */
GKN_D GKN htanh_approx(GKN a)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= (GKN_IS_HALF ? 750 : 900)
    unsigned short x = gkn_raw(a), d;
#if GKN_IS_HALF
    asm("tanh.approx.f16 %0, %1;" : "=h"(d) : "h"(x));
#else
    asm("tanh.approx.bf16 %0, %1;" : "=h"(d) : "h"(x));
#endif
    __builtin_memcpy(&a, &d, sizeof d);
    return a;
#else
    return htanh(a);
#endif
}
GKN_D GKN2 h2tanh_approx(GKN2 a) { return __halves2pair_(htanh_approx(a.x), htanh_approx(a.y)); }

/* Operators. */
GKN_HD GKN operator+(const GKN &a, const GKN &b) { return __hadd(a, b); }
GKN_HD GKN operator-(const GKN &a, const GKN &b) { return __hsub(a, b); }
GKN_HD GKN operator*(const GKN &a, const GKN &b) { return __hmul(a, b); }
GKN_HD GKN operator/(const GKN &a, const GKN &b) { return __hdiv(a, b); }
GKN_HD GKN &operator+=(GKN &a, const GKN &b) { return a = __hadd(a, b); }
GKN_HD GKN &operator-=(GKN &a, const GKN &b) { return a = __hsub(a, b); }
GKN_HD GKN &operator*=(GKN &a, const GKN &b) { return a = __hmul(a, b); }
GKN_HD GKN &operator/=(GKN &a, const GKN &b) { return a = __hdiv(a, b); }
GKN_HD GKN operator+(const GKN &a) { return a; }
GKN_HD GKN operator-(const GKN &a) { return __hneg(a); }
GKN_HD GKN &operator++(GKN &a) { return a = __hadd(a, gkn_from(1.0f)); }
GKN_HD GKN &operator--(GKN &a) { return a = __hsub(a, gkn_from(1.0f)); }
GKN_HD GKN operator++(GKN &a, int)
{
    GKN old = a;
    ++a;
    return old;
}
GKN_HD GKN operator--(GKN &a, int)
{
    GKN old = a;
    --a;
    return old;
}
GKN_HD bool operator==(const GKN &a, const GKN &b) { return __heq(a, b); }
GKN_HD bool operator!=(const GKN &a, const GKN &b) { return __hneu(a, b); }
GKN_HD bool operator<(const GKN &a, const GKN &b) { return __hlt(a, b); }
GKN_HD bool operator<=(const GKN &a, const GKN &b) { return __hle(a, b); }
GKN_HD bool operator>(const GKN &a, const GKN &b) { return __hgt(a, b); }
GKN_HD bool operator>=(const GKN &a, const GKN &b) { return __hge(a, b); }
GKN_HD GKN2 operator+(const GKN2 &a, const GKN2 &b) { return __hadd2(a, b); }
GKN_HD GKN2 operator-(const GKN2 &a, const GKN2 &b) { return __hsub2(a, b); }
GKN_HD GKN2 operator*(const GKN2 &a, const GKN2 &b) { return __hmul2(a, b); }
GKN_HD GKN2 operator/(const GKN2 &a, const GKN2 &b) { return __h2div(a, b); }
GKN_HD GKN2 &operator+=(GKN2 &a, const GKN2 &b) { return a = a + b; }
GKN_HD GKN2 &operator-=(GKN2 &a, const GKN2 &b) { return a = a - b; }
GKN_HD GKN2 &operator*=(GKN2 &a, const GKN2 &b) { return a = a * b; }
GKN_HD GKN2 &operator/=(GKN2 &a, const GKN2 &b) { return a = a / b; }
GKN_HD GKN2 operator-(const GKN2 &a) { return __hneg2(a); }
GKN_HD bool operator==(const GKN2 &a, const GKN2 &b) { return __hbeq2(a, b); }
GKN_HD bool operator!=(const GKN2 &a, const GKN2 &b) { return __hbneu2(a, b); }

/* Warp functions, cache hints, atomics. */
#ifdef __CUDA__
#define GKN_SHUFFLE(name, type)                                                                    \
    GKN_D GKN name(unsigned mask, GKN v, type arg, int width = 32)                                 \
    {                                                                                              \
        return gkn_bits((unsigned short)name(mask, (unsigned)gkn_raw(v), arg, width));             \
    }                                                                                              \
    GKN_D GKN2 name(unsigned mask, GKN2 v, type arg, int width = 32)                               \
    {                                                                                              \
        return __builtin_bit_cast(GKN2, name(mask, __builtin_bit_cast(unsigned, v), arg, width));  \
    }
GKN_SHUFFLE(__shfl_sync, int)
GKN_SHUFFLE(__shfl_up_sync, unsigned)
GKN_SHUFFLE(__shfl_down_sync, unsigned)
GKN_SHUFFLE(__shfl_xor_sync, int)
#undef GKN_SHUFFLE
GKN_D GKN __ldg(const GKN *p) { return gkn_bits(__ldg((const unsigned short *)(const void *)p)); }
GKN_D GKN2 __ldg(const GKN2 *p)
{
    return __builtin_bit_cast(GKN2, __ldg((const unsigned *)(const void *)p));
}
#define GKN_ATOMIC(suffix)                                                                         \
    GKN_D GKN2 atomicAdd##suffix(GKN2 *p, GKN2 v)                                                  \
    {                                                                                              \
        unsigned *w = (unsigned *)(void *)p, old = *(volatile unsigned *)w, seen;                  \
        do {                                                                                       \
            seen = old;                                                                            \
            GKN2 sum = __hadd2(__builtin_bit_cast(GKN2, seen), v);                                 \
            old = atomicCAS##suffix(w, seen, __builtin_bit_cast(unsigned, sum));                   \
        } while (old != seen);                                                                     \
        return __builtin_bit_cast(GKN2, old);                                                      \
    }                                                                                              \
    GKN_D GKN atomicAdd##suffix(GKN *p, GKN v)                                                     \
    {                                                                                              \
        /* The 32-bit word around the 16-bit value: works on every target. */                      \
        unsigned *w = (unsigned *)((unsigned long long)p & ~3ull);                                 \
        unsigned shift = (unsigned)((unsigned long long)p & 2) * 8;                                \
        unsigned old = *(volatile unsigned *)w, seen;                                              \
        do {                                                                                       \
            seen = old;                                                                            \
            GKN sum = __hadd(gkn_bits((unsigned short)(seen >> shift)), v);                        \
            old = atomicCAS##suffix(w, seen,                                                       \
                                    (seen & ~(0xffffu << shift)) | (unsigned)gkn_raw(sum) << shift);\
        } while (old != seen);                                                                     \
        return gkn_bits((unsigned short)(old >> shift));                                           \
    }
GKN_ATOMIC()
GKN_ATOMIC(_block)
GKN_ATOMIC(_system)
#undef GKN_ATOMIC
#endif
