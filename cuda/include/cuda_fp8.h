/* SPDX-License-Identifier: Apache-2.0
 * 8-bit floating point: e4m3 (bias 7, no infinity, NaN 0x7f) and e5m2 (bias 15, IEEE-like), as types
 * and conversion functions of the CUDA Math API reference. All conversions round to nearest even,
 * in integer and float arithmetic on host and device. */
#ifndef GPUKIT_CUDA_FP8_H
#define GPUKIT_CUDA_FP8_H
#define __CUDA_FP8_H__ 1

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
#define __CUDA_FP8_TYPES_EXIST__
#define GK8 static __inline__ __host__ __device__ __attribute__((always_inline)) GPUKIT_NODEBUG

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

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
        return __builtin_nanf("");
    if (kind == __NV_E5M2 && code == 0x7c)
        r = __builtin_inff();
    else {
        unsigned s = (unsigned)(127 - bits + (e ? e : 1) - bias) << 23;
        __builtin_memcpy(&r, &s, 4);
        r *= (float)(e ? m | 1 << bits : m);
    }
    return v & 0x80 ? -r : r;
}
GK8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    /* Through a float rounded to odd: no value is rounded twice. */
    float f = (float)x;
    unsigned u;
    __builtin_memcpy(&u, &f, 4);
    if (x == x && (double)f != x && (u & 1) == 0 && (u & 0x7fffffff) < 0x7f800000)
        u += ((double)f < x) == (x > 0) ? 1u : -1u;
    __builtin_memcpy(&f, &u, 4);
    return __nv_cvt_float_to_fp8(f, s, k);
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
GK8 __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, s, k) | __nv_cvt_float_to_fp8(x.y, s, k) << 8);
}
GK8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k)
{
    __half2_raw r;
    r.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, k).x;
    r.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), k).x;
    return r;
}
#define GPUKIT_FP8(name, kind)                                                                     \
    struct name {                                                                                  \
        __nv_fp8_storage_t __x;                                                                    \
        name() = default;                                                                          \
        __host__ __device__ explicit name(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {}   \
        __host__ __device__ explicit name(double f) : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, kind)) {} \
        __host__ __device__ explicit name(__half f) : name(__half2float(f)) {}                     \
        __host__ __device__ explicit name(__nv_bfloat16 f) : name(__bfloat162float(f)) {}          \
        __host__ __device__ explicit name(int v) : name((double)v) {}                              \
        __host__ __device__ explicit name(unsigned v) : name((double)v) {}                         \
        __host__ __device__ explicit name(long v) : name((double)v) {}                             \
        __host__ __device__ explicit name(unsigned long v) : name((double)v) {}                    \
        __host__ __device__ explicit operator float() const { return gpukit_fp8_to_float(__x, kind); }        \
        __host__ __device__ explicit operator double() const { return gpukit_fp8_to_float(__x, kind); }       \
        __host__ __device__ explicit operator __half() const { return __float2half((float)*this); }           \
        __host__ __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }\
        __host__ __device__ explicit operator int() const { return (int)(float)*this; }            \
        __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }           \
    };                                                                                             \
    struct __align__(2) name##x2_ {                                                                \
        __nv_fp8x2_storage_t __x;                                                                  \
        name##x2_() = default;                                                                     \
        __host__ __device__ explicit name##x2_(float2 f)                                           \
            : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind))                               \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ explicit name##x2_(double2 d)                                          \
            : __x((__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(d.x, __NV_SATFINITE, kind) |       \
                                         __nv_cvt_double_to_fp8(d.y, __NV_SATFINITE, kind) << 8))  \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ explicit name##x2_(__half2 h) : name##x2_(__half22float2(h)) {}        \
        __host__ __device__ explicit name##x2_(__nv_bfloat162 b) : name##x2_(__bfloat1622float2(b)) {} \
        __host__ __device__ explicit operator __half2() const                                      \
        {                                                                                          \
            return __float22half2_rn((float2)*this);                                               \
        }                                                                                          \
        __host__ __device__ explicit operator float2() const                                       \
        {                                                                                          \
            float2 r;                                                                              \
            r.x = gpukit_fp8_to_float((__nv_fp8_storage_t)__x, kind);                              \
            r.y = gpukit_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), kind);                       \
            return r;                                                                              \
        }                                                                                          \
    };                                                                                             \
    struct __align__(4) name##x4_ {                                                                \
        __nv_fp8x4_storage_t __x;                                                                  \
        name##x4_() = default;                                                                     \
        __host__ __device__ explicit name##x4_(float4 f)                                           \
            : __x(__nv_cvt_float_to_fp8(f.x, __NV_SATFINITE, kind) |                               \
                  (unsigned)__nv_cvt_float_to_fp8(f.y, __NV_SATFINITE, kind) << 8 |                \
                  (unsigned)__nv_cvt_float_to_fp8(f.z, __NV_SATFINITE, kind) << 16 |               \
                  (unsigned)__nv_cvt_float_to_fp8(f.w, __NV_SATFINITE, kind) << 24)                \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ explicit name##x4_(float2 low, float2 high)                            \
            : name##x4_(make_float4(low.x, low.y, high.x, high.y))                                 \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ explicit name##x4_(__half2 low, __half2 high)                          \
            : name##x4_(__half22float2(low), __half22float2(high))                                 \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ explicit name##x4_(__nv_bfloat162 low, __nv_bfloat162 high)            \
            : name##x4_(__bfloat1622float2(low), __bfloat1622float2(high))                         \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ explicit operator float4() const                                       \
        {                                                                                          \
            float4 r;                                                                              \
            r.x = gpukit_fp8_to_float((__nv_fp8_storage_t)__x, kind);                              \
            r.y = gpukit_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), kind);                       \
            r.z = gpukit_fp8_to_float((__nv_fp8_storage_t)(__x >> 16), kind);                      \
            r.w = gpukit_fp8_to_float((__nv_fp8_storage_t)(__x >> 24), kind);                      \
            return r;                                                                              \
        }                                                                                          \
    };
GPUKIT_FP8(__nv_fp8_e4m3, __NV_E4M3)
GPUKIT_FP8(__nv_fp8_e5m2, __NV_E5M2)
typedef __nv_fp8_e4m3x2_ __nv_fp8x2_e4m3;
typedef __nv_fp8_e4m3x4_ __nv_fp8x4_e4m3;
typedef __nv_fp8_e5m2x2_ __nv_fp8x2_e5m2;
typedef __nv_fp8_e5m2x4_ __nv_fp8x4_e5m2;
struct __nv_fp8_e8m0 { /* a power of two: the exponent of a float */
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
    __host__ __device__ explicit operator float() const
    {
        unsigned u = __x == 0xff ? 0x7fffffffu : __x ? (unsigned)__x << 23 : 0x00400000u;
        float f;
        __builtin_memcpy(&f, &u, 4);
        return f;
    }
};
#undef GPUKIT_FP8
#undef GK8
#endif
#endif
