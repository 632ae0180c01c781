/* SPDX-License-Identifier: Apache-2.0
 * __half and __half2: IEEE binary16 for host and device, with the operations of the CUDA Math API
 * reference under "Half Precision". Arithmetic is native on the device (add.f16, fma.f16x2, ...). */
#ifndef GPUKIT_CUDA_FP16_H
#define GPUKIT_CUDA_FP16_H
#include "gpukit/letters_push.h"
#define __CUDA_FP16_H__ 1

#include "cuda_runtime_api.h"
#include "gpukit/narrow_integer.h"

#ifdef __cplusplus
#define __CUDA_FP16_TYPES_EXIST__
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFF)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFF)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00)

typedef struct __align__(2) {
    unsigned short x;
} __half_raw;
typedef struct __align__(4) {
    unsigned short x, y;
} __half2_raw;

#define GKH static __inline__ __host__ __device__ __attribute__((always_inline)) GPUKIT_NODEBUG
#if defined(__clang__) || defined(__CUDACC_RTC__) /* NVRTC is no clang to its programs */
typedef _Float16 GpukitHalf2 __attribute__((ext_vector_type(2)));
GKH float gkh_to(unsigned short h) { return (float)__builtin_bit_cast(_Float16, h); }
GKH unsigned short gkh_from(float f) { return __builtin_bit_cast(unsigned short, (_Float16)f); }
GKH unsigned short gkh_from_double(double f) { return __builtin_bit_cast(unsigned short, (_Float16)f); }
#else
/* Other host compilers: by the bits. */
static inline float gkh_to(unsigned short h)
{
    unsigned e = h >> 10 & 31, m = h & 0x3ffu;
    float v = e == 31 ? (m ? __builtin_nanf("") : __builtin_inff())
              : e ? __builtin_ldexpf((float)(m | 0x400u), (int)e - 25)
                  : __builtin_ldexpf((float)m, -24);
    return h & 0x8000 ? -v : v;
}
static inline unsigned short gkh_from_double(double f)
{
    unsigned short sign = __builtin_signbit(f) ? 0x8000 : 0;
    double a = __builtin_fabs(f);
    if (a != a)
        return 0x7fff;
    if (a >= 65520)
        return sign | 0x7c00;
    int e;
    (void)__builtin_frexp(a, &e);
    e = e < -13 ? -13 : e; /* unit of the last place: 2^(e - 11) */
    double units = __builtin_rint(__builtin_ldexp(a, 11 - e));
    return (unsigned short)(sign + (units < 1024 ? units : units + (e + 13) * 1024.0));
}
static inline unsigned short gkh_from(float f) { return gkh_from_double(f); }
#endif

struct __nv_bfloat16;
struct __align__(2) __half {
  protected:
    unsigned short __x;

  public:
    __half() = default;
    __host__ __device__ constexpr __half(const __half_raw &r) : __x(r.x) {}
    __host__ __device__ __half &operator=(const __half_raw &r)
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ __half &operator=(const volatile __half_raw &r)
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ volatile __half &operator=(const __half_raw &r) volatile
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ volatile __half &operator=(const volatile __half_raw &r) volatile
    {
        __x = r.x;
        return *this;
    }
    __host__ __device__ __half(float f) : __x(gkh_from(f)) {}
    __host__ __device__ explicit __half(__nv_bfloat16 f); /* in cuda_bf16.h */
    __host__ __device__ __half(double f) : __x(gkh_from_double(f)) {}
#define GKH_INTEGER(type)                                                                          \
    __host__ __device__ __half(type v) : __x(gkh_from_double(gkn_odd(v))) {}                        \
    __host__ __device__ __half &operator=(type v)                                                  \
    {                                                                                              \
        __x = gkh_from_double(gkn_odd(v));                                                          \
        return *this;                                                                              \
    }                                                                                              \
    __host__ __device__ explicit operator type() const { return gkn_int<type>(gkh_to(__x)); }
    GKH_INTEGER(short)
    GKH_INTEGER(unsigned short)
    GKH_INTEGER(int)
    GKH_INTEGER(unsigned int)
    GKH_INTEGER(long)
    GKH_INTEGER(unsigned long)
    GKH_INTEGER(long long)
    GKH_INTEGER(unsigned long long)
#undef GKH_INTEGER
    __host__ __device__ __half &operator=(float f)
    {
        __x = gkh_from(f);
        return *this;
    }
    __host__ __device__ __half &operator=(double f)
    {
        __x = gkh_from_double(f);
        return *this;
    }
    __host__ __device__ operator float() const { return gkh_to(__x); }
    __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
    __host__ __device__ explicit operator char() const { return gkn_int<char>(gkh_to(__x)); }
    __host__ __device__ explicit operator signed char() const { return gkn_int<signed char>(gkh_to(__x)); }
    __host__ __device__ explicit operator unsigned char() const { return gkn_int<unsigned char>(gkh_to(__x)); }
    __host__ __device__ operator __half_raw() const
    {
        __half_raw r = {__x};
        return r;
    }
    __host__ __device__ operator __half_raw() const volatile
    {
        __half_raw r = {__x};
        return r;
    }
};
typedef __half half;
typedef __half nv_half;
typedef __half __nv_half;

struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(const __half &a, const __half &b) : x(a), y(b) {}
    __host__ __device__ __half2(const __half2_raw &r)
    {
        __builtin_memcpy((void *)this, &r, 4);
    }
    __host__ __device__ operator __half2_raw() const
    {
        __half2_raw r;
        __builtin_memcpy(&r, this, 4);
        return r;
    }
};
typedef __half2 half2;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;

#if defined(__clang__) || defined(__CUDACC_RTC__) /* NVRTC is no clang to its programs */
GKH unsigned short gkn_raw(__half a) { return __builtin_bit_cast(unsigned short, a); }
GKH __half gkn_bits_half(unsigned short u) { return __builtin_bit_cast(__half, u); }
#else
static inline unsigned short gkn_raw(__half a)
{
    unsigned short u;
    __builtin_memcpy(&u, &a, 2);
    return u;
}
static inline __half gkn_bits_half(unsigned short u)
{
    __half_raw r = {u};
    return __half(r);
}
#endif
GKH float gkn_to(__half a) { return gkh_to(gkn_raw(a)); }
GKH __half gkn_from_half(float f) { return gkn_bits_half(gkh_from(f)); }
GKH __half gkn_from_half(__half h) { return h; }

#if defined(__clang__) || defined(__CUDACC_RTC__) /* NVRTC is no clang to its programs */
GKH _Float16 gkh_native(__half a) { return __builtin_bit_cast(_Float16, a); }
GKH __half gkh_wrap(_Float16 f) { return __builtin_bit_cast(__half, f); }
GKH __half gkn_add(__half a, __half b) { return gkh_wrap(gkh_native(a) + gkh_native(b)); }
GKH __half gkn_sub(__half a, __half b) { return gkh_wrap(gkh_native(a) - gkh_native(b)); }
GKH __half gkn_mul(__half a, __half b) { return gkh_wrap(gkh_native(a) * gkh_native(b)); }
#ifdef __CUDA_ARCH__
GKH __half gkn_fma(__half a, __half b, __half c)
{
    return gkh_wrap(__nvvm_fma_rn_f16(gkh_native(a), gkh_native(b), gkh_native(c)));
}
#define GKH_PAIR(name, op)                                                                         \
    GKH __half2 name(__half2 a, __half2 b)                                                         \
    {                                                                                              \
        return __builtin_bit_cast(__half2, __builtin_bit_cast(GpukitHalf2, a)                      \
                                               op __builtin_bit_cast(GpukitHalf2, b));             \
    }
GKH_PAIR(gkn_add2, +)
GKH_PAIR(gkn_sub2, -)
GKH_PAIR(gkn_mul2, *)
#undef GKH_PAIR
GKH __half2 gkn_fma2(__half2 a, __half2 b, __half2 c)
{
    unsigned d;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(d)
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)),
          "r"(__builtin_bit_cast(unsigned, c)));
    return __builtin_bit_cast(__half2, d);
}
#endif
#else
GKH __half gkn_add(__half a, __half b) { return gkn_from_half(gkn_to(a) + gkn_to(b)); }
GKH __half gkn_sub(__half a, __half b) { return gkn_from_half(gkn_to(a) - gkn_to(b)); }
GKH __half gkn_mul(__half a, __half b) { return gkn_from_half(gkn_to(a) * gkn_to(b)); }
#endif
#ifndef __CUDA_ARCH__
/* The product of two halves is exact in double and the sum, too, but for far apart terms, whose
 * rounding to odd would matter only at the last bit of a double. */
GKH __half gkn_fma(__half a, __half b, __half c)
{
    return gkn_bits_half(gkh_from_double((double)gkn_to(a) * gkn_to(b) + gkn_to(c)));
}
GKH __half2 gkn_add2(__half2 a, __half2 b) { return __half2(gkn_add(a.x, b.x), gkn_add(a.y, b.y)); }
GKH __half2 gkn_sub2(__half2 a, __half2 b) { return __half2(gkn_sub(a.x, b.x), gkn_sub(a.y, b.y)); }
GKH __half2 gkn_mul2(__half2 a, __half2 b) { return __half2(gkn_mul(a.x, b.x), gkn_mul(a.y, b.y)); }
GKH __half2 gkn_fma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(gkn_fma(a.x, b.x, c.x), gkn_fma(a.y, b.y, c.y));
}
#endif

#define GKN          __half
#define GKN_IS_HALF  1
#define GKN2         __half2
#define GKN_NAN_BITS 0x7fff
#define gkn_from     gkn_from_half
#define gkn_bits     gkn_bits_half
#include "gpukit/narrow_float.h"

/* Conversions. */
GKH __half __float2half(float f) { return gkn_from_half(f); }
GKH __half __float2half_rn(float f) { return gkn_from_half(f); }
GKH __half __double2half(double f) { return gkn_bits_half(gkh_from_double(f)); }
GKH float __half2float(__half h) { return gkn_to(h); }
/* Directed rounding: step from the nearest value where it lies on the wrong side. mode: 0 toward
 * zero, 1 down, 2 up. */
GKH __half gkh_directed(double f, int mode)
{
    unsigned short u = gkh_from_double(f);
    double v = gkh_to(u);
    bool down = mode == 1 || (mode == 0 && f > 0), wrong = f == f && (down ? v > f : v < f);
    if (wrong && (u & 0x7fff) == 0) /* a zero: step to the smallest number of the right sign */
        u = down ? 0x8001 : 0x0001;
    else if (wrong)
        u = (unsigned short)(u + ((down == (v > 0)) ? -1 : 1));
    return gkn_bits_half(u);
}
GKH __half __float2half_rz(float f) { return gkh_directed(f, 0); }
GKH __half __float2half_rd(float f) { return gkh_directed(f, 1); }
GKH __half __float2half_ru(float f) { return gkh_directed(f, 2); }
GKH __half2 __float2half2_rn(float f) { return __half2(gkn_from_half(f), gkn_from_half(f)); }
GKH __half2 __floats2half2_rn(float a, float b) { return __half2(gkn_from_half(a), gkn_from_half(b)); }
GKH __half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }
GKH float2 __half22float2(__half2 a)
{
    float2 r;
    r.x = gkn_to(a.x), r.y = gkn_to(a.y);
    return r;
}
GKH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
GKH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
GKH __half2 __half2half2(__half a) { return __half2(a, a); }
GKH __half __low2half(__half2 a) { return a.x; }
GKH __half __high2half(__half2 a) { return a.y; }
GKH __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
GKH __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
GKH __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
GKH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
GKH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
GKH unsigned short __half_as_ushort(__half a) { return gkn_raw(a); }
GKH short __half_as_short(__half a) { return (short)gkn_raw(a); }
GKH __half __ushort_as_half(unsigned short a) { return gkn_bits_half(a); }
GKH __half __short_as_half(short a) { return gkn_bits_half((unsigned short)a); }
/* To and from integers. */
#define GKH_TO(name, type)                                                                         \
    GKH type __half2##name##_rn(__half h) { return gkn_int<type>(__builtin_rintf(gkn_to(h))); }    \
    GKH type __half2##name##_rz(__half h) { return gkn_int<type>(__builtin_truncf(gkn_to(h))); }   \
    GKH type __half2##name##_rd(__half h) { return gkn_int<type>(__builtin_floorf(gkn_to(h))); }   \
    GKH type __half2##name##_ru(__half h) { return gkn_int<type>(__builtin_ceilf(gkn_to(h))); }    \
    GKH __half __##name##2half_rn(type v) { return __half(v); }                                    \
    GKH __half __##name##2half_rz(type v) { return gkh_directed(gkn_odd(v), 0); }                  \
    GKH __half __##name##2half_rd(type v) { return gkh_directed(gkn_odd(v), 1); }                  \
    GKH __half __##name##2half_ru(type v) { return gkh_directed(gkn_odd(v), 2); }
GKH_TO(int, int)
GKH_TO(uint, unsigned int)
GKH_TO(short, short)
GKH_TO(ushort, unsigned short)
GKH_TO(ll, long long)
GKH_TO(ull, unsigned long long)
GKH signed char __half2char_rz(__half h) { return gkn_int<signed char>(gkn_to(h)); }
GKH unsigned char __half2uchar_rz(__half h) { return gkn_int<unsigned char>(gkn_to(h)); }
#undef GKH_TO
#undef GKN
#undef GKN2
#undef GKN_IS_HALF
#undef GKN_NAN_BITS
#undef gkn_from
#undef gkn_bits
#undef GKN_HD
#undef GKN_D
#undef GKH
#endif

#include "gpukit/letters_pop.h"
#endif
