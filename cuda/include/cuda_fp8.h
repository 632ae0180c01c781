/* SPDX-License-Identifier: Apache-2.0
 * 8-bit floating point: e4m3 (bias 7, no infinity, NaN 0x7f), e5m2 (bias 15, IEEE-like) and e8m0 (a power
 * of two, NaN 0xff), as types and conversion functions of the CUDA Math API reference. Conversions
 * to e4m3 and e5m2 round to nearest even, in integer and float arithmetic on host and device. */
#ifndef GPUKIT_CUDA_FP8_H
#define GPUKIT_CUDA_FP8_H
#define __CUDA_FP8_H__ 1

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "vector_functions.h"

#ifdef __cplusplus
#define __CUDA_FP8_TYPES_EXIST__
#define GK8 static __inline__ __host__ __device__ __attribute__((always_inline)) GPUKIT_NODEBUG

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

GK8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    const int bits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const float top = kind == __NV_E4M3 ? 448.0f : 57344.0f;
    unsigned u;
    __builtin_memcpy(&u, &x, 4);
    unsigned char sign = (unsigned char)(u >> 24 & 0x80);
    float a = x < 0 ? -x : x;
    if (x != x)
        return kind == __NV_E4M3 ? (__nv_fp8_storage_t)(sign | 0x7f) : (__nv_fp8_storage_t)0x7f;
    int e = (int)(u >> 23 & 0xff) - 127;
    e = e < 1 - bias ? 1 - bias : e;
    unsigned s = (unsigned)(127 + bits - e) << 23; /* scale to units of the last place */
    float scale;
    __builtin_memcpy(&scale, &s, 4);
    float units = a < 1e30f ? a * scale : 64.0f;
    int n = (int)units;
    float rest = units - (float)n;
    n += rest > 0.5f || (rest == 0.5f && (n & 1));
    int code = n + ((e + bias - 1) << bits); /* a carry moves into the exponent by itself */
    const int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
    if (a > top && (code > largest || a > 1e30f))
        code = saturate == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c;
    return (__nv_fp8_storage_t)(sign | code);
}
GK8 float gpukit_fp8_to_float(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind)
{
    const int bits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    int code = v & 0x7f, e = code >> bits, m = code & ((1 << bits) - 1);
    float r;
    if (kind == __NV_E4M3 ? code == 0x7f : code > 0x7c)
        return __builtin_nanf("0x7fffff");
    if (kind == __NV_E5M2 && code == 0x7c)
        r = __builtin_inff();
    else {
        unsigned s = (unsigned)(127 - bits + (e ? e : 1) - bias) << 23;
        __builtin_memcpy(&r, &s, 4);
        r *= (float)(e ? m | 1 << bits : m);
    }
    return v & 0x80 ? -r : r;
}
/* A float rounded to odd: rounding it once more, to fewer bits, is exact. */
GK8 float gpukit_fp8_odd(double x)
{
    float f = (float)x;
    unsigned u;
    __builtin_memcpy(&u, &f, 4);
    u -= x > 0 ? (double)f > x : (double)f < x;
    u |= x == x && (double)f != x;
    __builtin_memcpy(&f, &u, 4);
    return f;
}
GK8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8(gpukit_fp8_odd(x), s, k);
}
GK8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8(__half2float(__half(x)), s, k);
}
GK8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                   __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), s, k);
}
GK8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k)
{
    return (__half_raw)__float2half(gpukit_fp8_to_float(x, k));
}
GK8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k)
{
    __half2_raw r;
    r.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, k).x;
    r.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), k).x;
    return r;
}

/* e8m0 is the exponent of a float. Rounding is cudaRoundZero, or cudaRoundPosInf for the magnitude;
 * cudaRoundPosInf takes what lies at most half way to 2^-126 as 2^-127. */
GK8 __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t s, enum cudaRoundMode rounding)
{
    unsigned u;
    __builtin_memcpy(&u, &x, 4);
    u &= 0x7fffffff;
    if (u > 0x7f800000)
        return 0xff;
    unsigned e = u >> 23;
    if (rounding == cudaRoundPosInf && (u & 0x7fffff) && u > 0x400000)
        e++;
    return (__nv_fp8_storage_t)(e == 0xff && s == __NV_SATFINITE ? 0xfe : e);
}
GK8 __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t s, enum cudaRoundMode rounding)
{
    return __nv_cvt_float_to_e8m0(gpukit_fp8_odd(x), s, rounding);
}
GK8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                    enum cudaRoundMode rounding)
{
    return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(x)), s, rounding);
}
GK8 __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x)
{
    __nv_bfloat16_raw r;
    r.x = (unsigned short)(x == 0xff ? 0x7fff : x ? x << 7 : 0x40);
    return r;
}
GK8 __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x)
{
    __nv_bfloat162_raw r;
    r.x = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x;
    r.y = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x;
    return r;
}

/* Both halves of a pair. */
#define GPUKIT_FP8_PAIR(name, pair, one, type, mode)                                               \
    GK8 __nv_fp8x2_storage_t name(pair p, __nv_saturation_t s, mode m)                             \
    {                                                                                              \
        type x = {p.x}, y = {p.y};                                                                 \
        return (__nv_fp8x2_storage_t)(one(x, s, m) | one(y, s, m) << 8);                           \
    }
GPUKIT_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, float, __nv_fp8_interpretation_t)
GPUKIT_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, double, __nv_fp8_interpretation_t)
GPUKIT_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw, __nv_fp8_interpretation_t)
GPUKIT_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw, __nv_fp8_interpretation_t)
GPUKIT_FP8_PAIR(__nv_cvt_float2_to_e8m0x2, float2, __nv_cvt_float_to_e8m0, float, enum cudaRoundMode)
GPUKIT_FP8_PAIR(__nv_cvt_double2_to_e8m0x2, double2, __nv_cvt_double_to_e8m0, double, enum cudaRoundMode)
GPUKIT_FP8_PAIR(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw, enum cudaRoundMode)
#undef GPUKIT_FP8_PAIR

/* What the types share. kind: of __nv_fp8_interpretation_t, or 2 for e8m0. */
GK8 __nv_fp8_storage_t gpukit_fp8_from(float f, int kind)
{
    return kind == 2 ? __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)
                     : __nv_cvt_float_to_fp8(f, __NV_SATFINITE, (__nv_fp8_interpretation_t)kind);
}
GK8 __nv_fp8_storage_t gpukit_fp8_from(double d, int kind) { return gpukit_fp8_from(gpukit_fp8_odd(d), kind); }
GK8 float gpukit_fp8_value(unsigned bits, int kind)
{
    __nv_fp8_storage_t x = (__nv_fp8_storage_t)bits;
    return kind == 2 ? __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(x)))
                     : gpukit_fp8_to_float(x, (__nv_fp8_interpretation_t)kind);
}
GK8 float2 gpukit_fp8_value2(unsigned bits, int kind)
{
    float2 r;
    r.x = gpukit_fp8_value(bits, kind), r.y = gpukit_fp8_value(bits >> 8, kind);
    return r;
}
template <class T> GK8 __nv_fp8x2_storage_t gpukit_fp8_from2(T p, int kind)
{
    return (__nv_fp8x2_storage_t)(gpukit_fp8_from(p.x, kind) | gpukit_fp8_from(p.y, kind) << 8);
}
template <class T> GK8 __nv_fp8x4_storage_t gpukit_fp8_from4(T p, int kind)
{
    return (unsigned)gpukit_fp8_from(p.x, kind) | (unsigned)gpukit_fp8_from(p.y, kind) << 8 |
           (unsigned)gpukit_fp8_from(p.z, kind) << 16 | (unsigned)gpukit_fp8_from(p.w, kind) << 24;
}
#define GPUKIT_FP8_HD __host__ __device__ explicit
#define GPUKIT_FP8_INTEGER(name, type, kind)                                                       \
    GPUKIT_FP8_HD name(type v) : __x(gpukit_fp8_from(gkn_odd(v), kind)) {}                         \
    GPUKIT_FP8_HD operator type() const { return gkn_int<type>(gpukit_fp8_value(__x, kind)); }
#define GPUKIT_FP8(element, kind)                                                                  \
    struct __nv_fp8_##element {                                                                    \
        __nv_fp8_storage_t __x;                                                                    \
        __nv_fp8_##element() = default;                                                            \
        GPUKIT_FP8_HD __nv_fp8_##element(float f) : __x(gpukit_fp8_from(f, kind)) {}               \
        GPUKIT_FP8_HD __nv_fp8_##element(double f) : __x(gpukit_fp8_from(f, kind)) {}              \
        GPUKIT_FP8_HD __nv_fp8_##element(__half f) : __x(gpukit_fp8_from((float)f, kind)) {}       \
        GPUKIT_FP8_HD __nv_fp8_##element(__nv_bfloat16 f) : __x(gpukit_fp8_from((float)f, kind)) {}\
        GPUKIT_FP8_HD operator float() const { return gpukit_fp8_value(__x, kind); }               \
        GPUKIT_FP8_HD operator double() const { return gpukit_fp8_value(__x, kind); }              \
        GPUKIT_FP8_HD operator __half() const { return __float2half(gpukit_fp8_value(__x, kind)); }\
        GPUKIT_FP8_HD operator __nv_bfloat16() const                                               \
        {                                                                                          \
            return __float2bfloat16(gpukit_fp8_value(__x, kind));                                  \
        }                                                                                          \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, short, kind)                                        \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, unsigned short, kind)                               \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, int, kind)                                          \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, unsigned, kind)                                     \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, long, kind)                                         \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, unsigned long, kind)                                \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, long long, kind)                                    \
        GPUKIT_FP8_INTEGER(__nv_fp8_##element, unsigned long long, kind)                           \
        GPUKIT_FP8_HD operator char() const { return gkn_int<char>((float)*this); }                \
        GPUKIT_FP8_HD operator signed char() const { return gkn_int<signed char>((float)*this); }  \
        GPUKIT_FP8_HD operator unsigned char() const                                               \
        {                                                                                          \
            return gkn_int<unsigned char>((float)*this);                                           \
        }                                                                                          \
        GPUKIT_FP8_HD operator bool() const { return kind == 2 || (__x & 0x7f) != 0; }             \
    };                                                                                             \
    struct __align__(2) __nv_fp8x2_##element {                                                     \
        __nv_fp8x2_storage_t __x;                                                                  \
        __nv_fp8x2_##element() = default;                                                          \
        GPUKIT_FP8_HD __nv_fp8x2_##element(float2 f) : __x(gpukit_fp8_from2(f, kind)) {}           \
        GPUKIT_FP8_HD __nv_fp8x2_##element(double2 d) : __x(gpukit_fp8_from2(d, kind)) {}          \
        GPUKIT_FP8_HD __nv_fp8x2_##element(__half2 h)                                              \
            : __x(gpukit_fp8_from2(__half22float2(h), kind)) {}                                    \
        GPUKIT_FP8_HD __nv_fp8x2_##element(__nv_bfloat162 b)                                       \
            : __x(gpukit_fp8_from2(__bfloat1622float2(b), kind)) {}                                \
        GPUKIT_FP8_HD operator float2() const { return gpukit_fp8_value2(__x, kind); }             \
        GPUKIT_FP8_HD operator __half2() const                                                     \
        {                                                                                          \
            return __float22half2_rn(gpukit_fp8_value2(__x, kind));                                \
        }                                                                                          \
        GPUKIT_FP8_HD operator __nv_bfloat162() const                                              \
        {                                                                                          \
            return __float22bfloat162_rn(gpukit_fp8_value2(__x, kind));                            \
        }                                                                                          \
    };                                                                                             \
    struct __align__(4) __nv_fp8x4_##element {                                                     \
        __nv_fp8x4_storage_t __x;                                                                  \
        __nv_fp8x4_##element() = default;                                                          \
        GPUKIT_FP8_HD __nv_fp8x4_##element(float4 f) : __x(gpukit_fp8_from4(f, kind)) {}           \
        GPUKIT_FP8_HD __nv_fp8x4_##element(double4 d) : __x(gpukit_fp8_from4(d, kind)) {}          \
        GPUKIT_FP8_HD __nv_fp8x4_##element(double4_16a d) : __x(gpukit_fp8_from4(d, kind)) {}      \
        GPUKIT_FP8_HD __nv_fp8x4_##element(double4_32a d) : __x(gpukit_fp8_from4(d, kind)) {}      \
        GPUKIT_FP8_HD __nv_fp8x4_##element(float2 low, float2 high)                                \
            : __x(gpukit_fp8_from2(low, kind) | (unsigned)gpukit_fp8_from2(high, kind) << 16) {}   \
        GPUKIT_FP8_HD __nv_fp8x4_##element(__half2 low, __half2 high)                              \
            : __nv_fp8x4_##element(__half22float2(low), __half22float2(high)) {}                   \
        GPUKIT_FP8_HD __nv_fp8x4_##element(__nv_bfloat162 low, __nv_bfloat162 high)                \
            : __nv_fp8x4_##element(__bfloat1622float2(low), __bfloat1622float2(high)) {}           \
        GPUKIT_FP8_HD operator float4() const                                                      \
        {                                                                                          \
            float2 low = gpukit_fp8_value2(__x, kind), high = gpukit_fp8_value2(__x >> 16, kind);  \
            return make_float4(low.x, low.y, high.x, high.y);                                      \
        }                                                                                          \
    };
GPUKIT_FP8(e4m3, __NV_E4M3)
GPUKIT_FP8(e5m2, __NV_E5M2)
GPUKIT_FP8(e8m0, 2)
#undef GPUKIT_FP8
#undef GPUKIT_FP8_INTEGER
#undef GPUKIT_FP8_HD
#undef GK8
#endif
#endif
