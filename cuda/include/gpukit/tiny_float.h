/* SPDX-License-Identifier: Apache-2.0
 * What the floats of 8, 6 and 4 bits share (cuda_fp8.h, cuda_fp6.h, cuda_fp4.h): rounding a float to few bits, its
 * value, and the text of the classes for one, two and four of them. */
#ifndef GPUKIT_TINY_FLOAT_H
#define GPUKIT_TINY_FLOAT_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../vector_functions.h"

#include <assert.h>

#ifdef __cplusplus
#define GKT static __inline__ __host__ __device__ __attribute__((always_inline)) GPUKIT_NODEBUG

/* Code of x's magnitude with so many bits of mantissa, to the nearest (ties to even) or, `cut`, toward zero;
 * `beyond` is the code of what is above the largest. Not for not-a-number. */
GKT unsigned gkt_round(float x, int bits, int bias, unsigned largest, unsigned beyond, bool cut = false)
{
    unsigned u;
    __builtin_memcpy(&u, &x, 4);
    float a = x < 0 ? -x : x;
    int e = (int)(u >> 23 & 0xff) - 127;
    e = e < 1 - bias ? 1 - bias : e;
    unsigned s = (unsigned)(127 + bits - e) << 23; /* scale to units of the last place */
    float scale;
    __builtin_memcpy(&scale, &s, 4);
    if (a >= 1e30f)
        return beyond;
    float units = a * scale;
    unsigned n = (unsigned)units;
    float rest = units - (float)n;
    n += !cut && (rest > 0.5f || (rest == 0.5f && (n & 1)));
    unsigned code = n + ((unsigned)(e + bias - 1) << bits); /* a carry moves into the exponent by itself */
    return code > largest ? beyond : code;
}
/* The number of a code without its sign. */
GKT float gkt_size(int code, int bits, int bias)
{
    int e = code >> bits, m = code & ((1 << bits) - 1);
    unsigned s = (unsigned)(127 - bits + (e ? e : 1) - bias) << 23;
    float r;
    __builtin_memcpy(&r, &s, 4);
    return r * (float)(e ? m | 1 << bits : m);
}
GKT bool gkt_negative(float x)
{
    unsigned u;
    __builtin_memcpy(&u, &x, 4);
    return u >> 31;
}
/* Of the floats of 6 and 4 bits: whether the mode is toward zero. There are no others, as with NVIDIA's header. */
GKT bool gkt_cuts(enum cudaRoundMode mode)
{
    assert(mode == cudaRoundNearest || mode == cudaRoundZero);
    return mode == cudaRoundZero;
}
/* A float rounded to odd: rounding it once more, to fewer bits, is exact. */
GKT float gkt_odd(double x)
{
    float f = (float)x;
    unsigned u;
    __builtin_memcpy(&u, &f, 4);
    u -= x > 0 ? (double)f > x : (double)f < x;
    u |= x == x && (double)f != x;
    __builtin_memcpy(&f, &u, 4);
    return f;
}

/* A kind is a structure with from(float), value(code), zero(code), the type of one code and the distance of
 * two codes in bits. */
template <class K> GKT unsigned gkt_from(float f) { return K::from(f); }
template <class K> GKT unsigned gkt_from(double d) { return K::from(gkt_odd(d)); }
template <class K, class T> GKT unsigned gkt_from2(T p)
{
    return gkt_from<K>(p.x) | gkt_from<K>(p.y) << K::distance;
}
template <class K, class T> GKT unsigned gkt_from4(T p)
{
    return gkt_from<K>(p.x) | gkt_from<K>(p.y) << K::distance | gkt_from<K>(p.z) << 2 * K::distance |
           gkt_from<K>(p.w) << 3 * K::distance;
}
template <class K> GKT float2 gkt_value2(unsigned bits)
{
    float2 r;
    r.x = K::value(bits & ((1u << K::distance) - 1)), r.y = K::value(bits >> K::distance & ((1u << K::distance) - 1));
    return r;
}
/* Both halves of a pair; GPUKIT_ARGUMENTS keeps the commas of parameters. */
#define GPUKIT_ARGUMENTS(...) __VA_ARGS__
#define GPUKIT_TINY_PAIR(name, result, pair, one, type, parameters, distance, ...)                 \
    GKT result name(pair p, parameters)                                                            \
    {                                                                                              \
        type x = {p.x}, y = {p.y};                                                                 \
        return (result)(one(x, __VA_ARGS__) | one(y, __VA_ARGS__) << distance);                    \
    }
/* The conversion functions of a width beside those from and to float; ... are the parameters' names. */
#define GPUKIT_TINY_FUNCTIONS(bits, distance, parameters, ...)                                     \
    GKT __nv_fp##bits##_storage_t __nv_cvt_double_to_fp##bits(double x, parameters)                \
    {                                                                                              \
        return __nv_cvt_float_to_fp##bits(gkt_odd(x), __VA_ARGS__);                                \
    }                                                                                              \
    GKT __nv_fp##bits##_storage_t __nv_cvt_halfraw_to_fp##bits(__half_raw x, parameters)           \
    {                                                                                              \
        return __nv_cvt_float_to_fp##bits(__half2float(__half(x)), __VA_ARGS__);                   \
    }                                                                                              \
    GKT __nv_fp##bits##_storage_t __nv_cvt_bfloat16raw_to_fp##bits(__nv_bfloat16_raw x, parameters)\
    {                                                                                              \
        return __nv_cvt_float_to_fp##bits(__bfloat162float(__nv_bfloat16(x)), __VA_ARGS__);        \
    }                                                                                              \
    GPUKIT_TINY_PAIR(__nv_cvt_float2_to_fp##bits##x2, __nv_fp##bits##x2_storage_t, float2,         \
                     __nv_cvt_float_to_fp##bits, float, GPUKIT_ARGUMENTS(parameters), distance,    \
                     __VA_ARGS__)                                                                  \
    GPUKIT_TINY_PAIR(__nv_cvt_double2_to_fp##bits##x2, __nv_fp##bits##x2_storage_t, double2,       \
                     __nv_cvt_double_to_fp##bits, double, GPUKIT_ARGUMENTS(parameters), distance,  \
                     __VA_ARGS__)                                                                  \
    GPUKIT_TINY_PAIR(__nv_cvt_halfraw2_to_fp##bits##x2, __nv_fp##bits##x2_storage_t, __half2_raw,  \
                     __nv_cvt_halfraw_to_fp##bits, __half_raw, GPUKIT_ARGUMENTS(parameters),       \
                     distance, __VA_ARGS__)                                                        \
    GPUKIT_TINY_PAIR(__nv_cvt_bfloat16raw2_to_fp##bits##x2, __nv_fp##bits##x2_storage_t,           \
                     __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp##bits, __nv_bfloat16_raw,      \
                     GPUKIT_ARGUMENTS(parameters), distance, __VA_ARGS__)                          \
    GKT __half_raw __nv_cvt_fp##bits##_to_halfraw(__nv_fp##bits##_storage_t x,                     \
                                                  __nv_fp##bits##_interpretation_t k)              \
    {                                                                                              \
        return (__half_raw)__float2half(gpukit_fp##bits##_to_float(x, k));                         \
    }                                                                                              \
    GKT __half2_raw __nv_cvt_fp##bits##x2_to_halfraw2(__nv_fp##bits##x2_storage_t x,               \
                                                      __nv_fp##bits##_interpretation_t k)          \
    {                                                                                              \
        __half2_raw r;                                                                             \
        r.x = __nv_cvt_fp##bits##_to_halfraw(                                                      \
                  (__nv_fp##bits##_storage_t)(x & ((1u << distance) - 1)), k)                      \
                  .x;                                                                              \
        r.y = __nv_cvt_fp##bits##_to_halfraw((__nv_fp##bits##_storage_t)(x >> distance), k).x;     \
        return r;                                                                                  \
    }
#define GPUKIT_TINY_HD __host__ __device__ explicit
#define GPUKIT_TINY_INTEGER(name, storage, type, kind)                                             \
    GPUKIT_TINY_HD name(type v) : __x((storage)gkt_from<kind>(gkn_odd(v))) {}                      \
    GPUKIT_TINY_HD operator type() const { return gkn_int<type>(kind::value(__x)); }
#define GPUKIT_TINY(one, two, four, storage, storage2, storage4, kind)                             \
    struct one {                                                                                   \
        storage __x;                                                                               \
        one() = default;                                                                           \
        GPUKIT_TINY_HD one(float f) : __x((storage)gkt_from<kind>(f)) {}                           \
        GPUKIT_TINY_HD one(double f) : __x((storage)gkt_from<kind>(f)) {}                          \
        GPUKIT_TINY_HD one(__half f) : __x((storage)gkt_from<kind>((float)f)) {}                   \
        GPUKIT_TINY_HD one(__nv_bfloat16 f) : __x((storage)gkt_from<kind>((float)f)) {}            \
        GPUKIT_TINY_HD operator float() const { return kind::value(__x); }                         \
        GPUKIT_TINY_HD operator double() const { return kind::value(__x); }                        \
        GPUKIT_TINY_HD operator __half() const { return __float2half(kind::value(__x)); }          \
        GPUKIT_TINY_HD operator __nv_bfloat16() const                                              \
        {                                                                                          \
            return __float2bfloat16(kind::value(__x));                                             \
        }                                                                                          \
        GPUKIT_TINY_INTEGER(one, storage, short, kind)                                             \
        GPUKIT_TINY_INTEGER(one, storage, unsigned short, kind)                                    \
        GPUKIT_TINY_INTEGER(one, storage, int, kind)                                               \
        GPUKIT_TINY_INTEGER(one, storage, unsigned, kind)                                          \
        GPUKIT_TINY_INTEGER(one, storage, long, kind)                                              \
        GPUKIT_TINY_INTEGER(one, storage, unsigned long, kind)                                     \
        GPUKIT_TINY_INTEGER(one, storage, long long, kind)                                         \
        GPUKIT_TINY_INTEGER(one, storage, unsigned long long, kind)                                \
        GPUKIT_TINY_HD operator char() const { return gkn_int<char>((float)*this); }               \
        GPUKIT_TINY_HD operator signed char() const { return gkn_int<signed char>((float)*this); } \
        GPUKIT_TINY_HD operator unsigned char() const                                              \
        {                                                                                          \
            return gkn_int<unsigned char>((float)*this);                                           \
        }                                                                                          \
        GPUKIT_TINY_HD operator bool() const { return !kind::zero(__x); }                          \
    };                                                                                             \
    struct __align__(sizeof(storage2)) two {                                                       \
        storage2 __x;                                                                              \
        two() = default;                                                                           \
        GPUKIT_TINY_HD two(float2 f) : __x((storage2)gkt_from2<kind>(f)) {}                        \
        GPUKIT_TINY_HD two(double2 d) : __x((storage2)gkt_from2<kind>(d)) {}                       \
        GPUKIT_TINY_HD two(__half2 h)                                                              \
            : __x((storage2)gkt_from2<kind>(__half22float2(h))) {}                                 \
        GPUKIT_TINY_HD two(__nv_bfloat162 b)                                                       \
            : __x((storage2)gkt_from2<kind>(__bfloat1622float2(b))) {}                             \
        GPUKIT_TINY_HD operator float2() const { return gkt_value2<kind>(__x); }                   \
        GPUKIT_TINY_HD operator __half2() const                                                    \
        {                                                                                          \
            return __float22half2_rn(gkt_value2<kind>(__x));                                       \
        }                                                                                          \
        GPUKIT_TINY_HD operator __nv_bfloat162() const                                             \
        {                                                                                          \
            return __float22bfloat162_rn(gkt_value2<kind>(__x));                                   \
        }                                                                                          \
    };                                                                                             \
    struct __align__(sizeof(storage4)) four {                                                      \
        storage4 __x;                                                                              \
        four() = default;                                                                          \
        GPUKIT_TINY_HD four(float4 f) : __x((storage4)gkt_from4<kind>(f)) {}                       \
        GPUKIT_TINY_HD four(double4 d) : __x((storage4)gkt_from4<kind>(d)) {}                      \
        GPUKIT_TINY_HD four(double4_16a d) : __x((storage4)gkt_from4<kind>(d)) {}                  \
        GPUKIT_TINY_HD four(double4_32a d) : __x((storage4)gkt_from4<kind>(d)) {}                  \
        GPUKIT_TINY_HD four(float2 low, float2 high)                                               \
            : __x((storage4)(gkt_from2<kind>(low) | gkt_from2<kind>(high) << 2 * kind::distance)) {}\
        GPUKIT_TINY_HD four(__half2 low, __half2 high)                                             \
            : four(__half22float2(low), __half22float2(high)) {}                                   \
        GPUKIT_TINY_HD four(__nv_bfloat162 low, __nv_bfloat162 high)                               \
            : four(__bfloat1622float2(low), __bfloat1622float2(high)) {}                           \
        GPUKIT_TINY_HD operator float4() const                                                     \
        {                                                                                          \
            float2 low = gkt_value2<kind>(__x), high = gkt_value2<kind>(__x >> 2 * kind::distance);\
            return make_float4(low.x, low.y, high.x, high.y);                                      \
        }                                                                                          \
    };
#define GPUKIT_TINY_CLASSES(bits, element)                                                         \
    GPUKIT_TINY(__nv_fp##bits##_##element, __nv_fp##bits##x2_##element, __nv_fp##bits##x4_##element,\
                __nv_fp##bits##_storage_t, __nv_fp##bits##x2_storage_t, __nv_fp##bits##x4_storage_t,\
                gpukit_##element)
/* The classes of a kind whose sign is the highest bit; ... as __nv_cvt_float_to_fp<bits> takes it. */
#define GPUKIT_TINY_SIGNED(bits, element, interpretation, step, ...)                               \
    struct gpukit_##element {                                                                      \
        enum { distance = step };                                                                  \
        __host__ __device__ static unsigned from(float f)                                          \
        {                                                                                          \
            return __nv_cvt_float_to_fp##bits(f, __VA_ARGS__);                                     \
        }                                                                                          \
        __host__ __device__ static float value(unsigned x)                                         \
        {                                                                                          \
            return gpukit_fp##bits##_to_float(x, interpretation);                                  \
        }                                                                                          \
        __host__ __device__ static bool zero(unsigned x)                                           \
        {                                                                                          \
            return (x & ((1u << (bits - 1)) - 1)) == 0;                                            \
        }                                                                                          \
    };                                                                                             \
    GPUKIT_TINY_CLASSES(bits, element)
#endif
#endif
