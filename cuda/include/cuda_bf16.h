/* SPDX-License-Identifier: Apache-2.0
 * __nv_bfloat16 and __nv_bfloat162: the upper half of a float, for host and device, with the
 * operations of the CUDA Math API reference under "Bfloat16 Precision". */
#ifndef GPUKIT_CUDA_BF16_H
#define GPUKIT_CUDA_BF16_H
#include "gpukit/letters_push.h"
#define __CUDA_BF16_H__ 1

#include "cuda_fp16.h"

#ifdef __cplusplus
#define __CUDA_BF16_TYPES_EXIST__
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFF)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7F)

typedef struct __align__(2) {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct __align__(4) {
    unsigned short x, y;
} __nv_bfloat162_raw;

#define GKB static __inline__ __host__ __device__ __attribute__((always_inline)) GPUKIT_NODEBUG
GKB float gkb_to(unsigned short b)
{
    unsigned u = (unsigned)b << 16;
    float f;
    __builtin_memcpy(&f, &u, 4);
    return f;
}
/* Nearest, ties to even; NaN becomes 0x7fff, as cvt.rn.bf16.f32 has it. */
GKB unsigned short gkb_from(float f)
{
    unsigned u;
    __builtin_memcpy(&u, &f, 4);
    return f != f ? 0x7fff : (unsigned short)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
}
/* Through a float rounded to odd, so that no value is rounded twice. */
GKB unsigned short gkb_from_double(double d)
{
    float f = (float)d;
    unsigned u;
    __builtin_memcpy(&u, &f, 4);
    double back = f;
    if (d == d && back != d && (u & 1) == 0)
        u += ((back < d) == (d > 0)) ? 1u : -1u;
    __builtin_memcpy(&f, &u, 4);
    return gkb_from(f);
}

struct __align__(2) __nv_bfloat16 {
  protected:
    unsigned short __x;

  public:
    __nv_bfloat16() = default;
    __host__ __device__ constexpr __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
    __host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r)
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ __nv_bfloat16 &operator=(const volatile __nv_bfloat16_raw &r)
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ volatile __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r) volatile
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ volatile __nv_bfloat16 &operator=(const volatile __nv_bfloat16_raw &r) volatile
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ __nv_bfloat16(float f) : __x(gkb_from(f)) {}
    __host__ __device__ explicit __nv_bfloat16(__half f) : __x(gkb_from((float)f)) {}
    __host__ __device__ __nv_bfloat16(double f) : __x(gkb_from_double(f)) {}
#define GKB_INTEGER(type)                                                                          \
    __host__ __device__ __nv_bfloat16(type v) : __x(gkb_from_double(gkn_odd(v))) {}                 \
    __host__ __device__ explicit operator type() const { return gkn_int<type>(gkb_to(__x)); }
    GKB_INTEGER(short)
    GKB_INTEGER(unsigned short)
    GKB_INTEGER(int)
    GKB_INTEGER(unsigned int)
    GKB_INTEGER(long)
    GKB_INTEGER(unsigned long)
    GKB_INTEGER(long long)
    GKB_INTEGER(unsigned long long)
#undef GKB_INTEGER
    __host__ __device__ __nv_bfloat16 &operator=(float f)
    {
        __x = gkb_from(f);
        return *this;
    }
    __host__ __device__ operator float() const { return gkb_to(__x); }
    __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
    __host__ __device__ explicit operator char() const { return gkn_int<char>(gkb_to(__x)); }
    __host__ __device__ explicit operator signed char() const { return gkn_int<signed char>(gkb_to(__x)); }
    __host__ __device__ explicit operator unsigned char() const { return gkn_int<unsigned char>(gkb_to(__x)); }
    __host__ __device__ operator __nv_bfloat16_raw() const
    {
        __nv_bfloat16_raw r = {__x};
        return r;
    }
    __host__ __device__ operator __nv_bfloat16_raw() const volatile
    {
        __nv_bfloat16_raw r = {__x};
        return r;
    }
};
typedef __nv_bfloat16 nv_bfloat16;
__inline__ __host__ __device__ __half::__half(__nv_bfloat16 f) : __x(gkh_from((float)f)) {}

struct __align__(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
    __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &r)
    {
        __builtin_memcpy((void *)this, &r, 4);
    }
    __host__ __device__ operator __nv_bfloat162_raw() const
    {
        __nv_bfloat162_raw r;
        __builtin_memcpy(&r, this, 4);
        return r;
    }
};
typedef __nv_bfloat162 nv_bfloat162;

GKB unsigned short gkn_raw(__nv_bfloat16 a)
{
    unsigned short u;
    __builtin_memcpy(&u, &a, 2);
    return u;
}
GKB __nv_bfloat16 gkn_bits_bf16(unsigned short u)
{
    __nv_bfloat16_raw r = {u};
    return __nv_bfloat16(r);
}
GKB float gkn_to(__nv_bfloat16 a) { return gkb_to(gkn_raw(a)); }
GKB __nv_bfloat16 gkn_from_bf16(float f)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short u;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(u) : "f"(f));
    return gkn_bits_bf16(u);
#else
    return gkn_bits_bf16(gkb_from(f));
#endif
}
GKB __nv_bfloat16 gkn_from_bf16(__nv_bfloat16 a) { return a; }
GKB __nv_bfloat16 gkn_add(__nv_bfloat16 a, __nv_bfloat16 b) { return gkn_from_bf16(gkn_to(a) + gkn_to(b)); }
GKB __nv_bfloat16 gkn_sub(__nv_bfloat16 a, __nv_bfloat16 b) { return gkn_from_bf16(gkn_to(a) - gkn_to(b)); }
GKB __nv_bfloat16 gkn_mul(__nv_bfloat16 a, __nv_bfloat16 b) { return gkn_from_bf16(gkn_to(a) * gkn_to(b)); }
GKB __nv_bfloat16 gkn_fma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short d;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(gkn_raw(a)), "h"(gkn_raw(b)), "h"(gkn_raw(c)));
    return gkn_bits_bf16(d);
#else
    return gkn_bits_bf16(gkb_from_double((double)gkn_to(a) * gkn_to(b) + gkn_to(c)));
#endif
}
GKB __nv_bfloat162 gkn_add2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(gkn_add(a.x, b.x), gkn_add(a.y, b.y));
}
GKB __nv_bfloat162 gkn_sub2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(gkn_sub(a.x, b.x), gkn_sub(a.y, b.y));
}
GKB __nv_bfloat162 gkn_mul2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(gkn_mul(a.x, b.x), gkn_mul(a.y, b.y));
}
GKB __nv_bfloat162 gkn_fma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(gkn_fma(a.x, b.x, c.x), gkn_fma(a.y, b.y, c.y));
}

#define GKN          __nv_bfloat16
#define GKN_IS_HALF  0
#define GKN2         __nv_bfloat162
#define GKN_NAN_BITS 0x7fff
#define gkn_from     gkn_from_bf16
#define gkn_bits     gkn_bits_bf16
#include "gpukit/narrow_float.h"

/* Conversions. */
GKB __nv_bfloat16 __float2bfloat16(float f) { return gkn_from_bf16(f); }
GKB __nv_bfloat16 __float2bfloat16_rn(float f) { return gkn_from_bf16(f); }
/* Directed rounding: step from the nearest value where it lies on the wrong side. mode: 0 toward
 * zero, 1 down, 2 up. */
GKB __nv_bfloat16 gkb_directed(double f, int mode)
{
    unsigned short u = gkb_from_double(f);
    double v = gkb_to(u);
    bool down = mode == 1 || (mode == 0 && f > 0), wrong = f == f && (down ? v > f : v < f);
    if (wrong && (u & 0x7fff) == 0) /* a zero: step to the smallest number of the right sign */
        u = down ? 0x8001 : 0x0001;
    else if (wrong)
        u = (unsigned short)(u + ((down == (v > 0)) ? -1 : 1));
    return gkn_bits_bf16(u);
}
GKB __nv_bfloat16 __float2bfloat16_rz(float f) { return gkb_directed(f, 0); }
GKB __nv_bfloat16 __float2bfloat16_rd(float f) { return gkb_directed(f, 1); }
GKB __nv_bfloat16 __float2bfloat16_ru(float f) { return gkb_directed(f, 2); }
GKB __nv_bfloat16 __double2bfloat16(double f) { return gkn_bits_bf16(gkb_from_double(f)); }
GKB float __bfloat162float(__nv_bfloat16 a) { return gkn_to(a); }
GKB __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(gkn_from_bf16(f), gkn_from_bf16(f)); }
GKB __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return __nv_bfloat162(gkn_from_bf16(a), gkn_from_bf16(b));
}
GKB __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __floats2bfloat162_rn(f.x, f.y); }
GKB float2 __bfloat1622float2(__nv_bfloat162 a)
{
    float2 r;
    r.x = gkn_to(a.x), r.y = gkn_to(a.y);
    return r;
}
GKB __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
GKB __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
GKB __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
GKB __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
GKB __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
GKB __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
GKB __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
GKB __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
GKB __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
GKB __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
GKB unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return gkn_raw(a); }
GKB short __bfloat16_as_short(__nv_bfloat16 a) { return (short)gkn_raw(a); }
GKB __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return gkn_bits_bf16(a); }
GKB __nv_bfloat16 __short_as_bfloat16(short a) { return gkn_bits_bf16((unsigned short)a); }
/* To and from integers. */
#define GKB_TO(name, type)                                                                         \
    GKB type __bfloat162##name##_rn(__nv_bfloat16 h) { return gkn_int<type>(__builtin_rintf(gkn_to(h))); } \
    GKB type __bfloat162##name##_rz(__nv_bfloat16 h) { return gkn_int<type>(__builtin_truncf(gkn_to(h))); }\
    GKB type __bfloat162##name##_rd(__nv_bfloat16 h) { return gkn_int<type>(__builtin_floorf(gkn_to(h))); }\
    GKB type __bfloat162##name##_ru(__nv_bfloat16 h) { return gkn_int<type>(__builtin_ceilf(gkn_to(h))); } \
    GKB __nv_bfloat16 __##name##2bfloat16_rn(type v) { return __nv_bfloat16(v); }                  \
    GKB __nv_bfloat16 __##name##2bfloat16_rz(type v) { return gkb_directed(gkn_odd(v), 0); }       \
    GKB __nv_bfloat16 __##name##2bfloat16_rd(type v) { return gkb_directed(gkn_odd(v), 1); }       \
    GKB __nv_bfloat16 __##name##2bfloat16_ru(type v) { return gkb_directed(gkn_odd(v), 2); }
GKB_TO(int, int)
GKB_TO(uint, unsigned int)
GKB_TO(short, short)
GKB_TO(ushort, unsigned short)
GKB_TO(ll, long long)
GKB_TO(ull, unsigned long long)
GKB signed char __bfloat162char_rz(__nv_bfloat16 h) { return gkn_int<signed char>(gkn_to(h)); }
GKB unsigned char __bfloat162uchar_rz(__nv_bfloat16 h) { return gkn_int<unsigned char>(gkn_to(h)); }
#undef GKB_TO
#undef GKN
#undef GKN2
#undef GKN_IS_HALF
#undef GKN_NAN_BITS
#undef gkn_from
#undef gkn_bits
#undef GKN_HD
#undef GKN_D
#undef GKB
#endif

#include "gpukit/letters_pop.h"
#endif
