/* SPDX-License-Identifier: Apache-2.0
 * The __nv_* names that clang's CUDA headers call, defined here so that no libdevice is needed.
 * This file holds those that are one exact operation; math_float.h and math_double.h the rest. */
#ifndef GPUKIT_LIBDEVICE_H
#define GPUKIT_LIBDEVICE_H

#pragma clang fp contract(off)
#include "math_base.h"

#include "math_coefficients.h"

#include "math_double.h"

#include "math_float.h"
/* There is no way to ask for the state before; the front end says what it was. */
#ifndef GPUKIT_NO_CONTRACTION
#pragma clang fp contract(fast)
#endif

extern "C" {
#define GK_FN inline __device__ __attribute__((always_inline, nodebug))

GK_FN int __nv_abs(int a) { return a < 0 ? -a : a; }
GK_FN long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
GK_FN int __nv_max(int a, int b) { return a > b ? a : b; }
GK_FN int __nv_min(int a, int b) { return a < b ? a : b; }
GK_FN unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
GK_FN unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
GK_FN long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
GK_FN long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
GK_FN unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
GK_FN unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }

GK_FN double __nv_fabs(double a) { return __builtin_fabs(a); }
GK_FN float __nv_fabsf(float a) { return __builtin_fabsf(a); }
GK_FN double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
GK_FN float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
GK_FN double __nv_ceil(double a) { return __nvvm_ceil_d(a); }
GK_FN float __nv_ceilf(float a) { return __nvvm_ceil_f(a); }
GK_FN double __nv_floor(double a) { return __nvvm_floor_d(a); }
GK_FN float __nv_floorf(float a) { return __nvvm_floor_f(a); }
GK_FN double __nv_trunc(double a) { return __nvvm_trunc_d(a); }
GK_FN float __nv_truncf(float a) { return __nvvm_trunc_f(a); }
GK_FN double __nv_rint(double a) { return __builtin_rint(a); }
GK_FN float __nv_rintf(float a) { return __builtin_rintf(a); }
GK_FN double __nv_nearbyint(double a) { return __builtin_rint(a); }
GK_FN float __nv_nearbyintf(float a) { return __builtin_rintf(a); }
GK_FN double __nv_fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
GK_FN float __nv_fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
GK_FN double __nv_fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
GK_FN float __nv_fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
GK_FN double __nv_fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
GK_FN float __nv_fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
GK_FN double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
#ifdef __FAST_MATH__
GK_FN float __nv_sqrtf(float a) { return __nvvm_sqrt_approx_f(a); }
#else
GK_FN float __nv_sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
#endif

/* Approximate instructions under CUDA's names. */
GK_FN float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
GK_FN float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
GK_FN float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
GK_FN void __nv_fast_sincosf(float a, float *s, float *c)
{
    *s = __nvvm_sin_approx_f(a);
    *c = __nvvm_cos_approx_f(a);
}
GK_FN float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
GK_FN float __nv_fast_tanf(float a)
{
    return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
GK_FN float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(a, 0x1.715476p+0f)); }
GK_FN float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(a, 0x1.a934f0p+1f)); }
GK_FN float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
GK_FN float __nv_fast_logf(float a) { return __nvvm_mul_rn_f(__nvvm_lg2_approx_f(a), 0x1.62e430p-1f); }
GK_FN float __nv_fast_log10f(float a) { return __nvvm_mul_rn_f(__nvvm_lg2_approx_f(a), 0x1.344136p-2f); }
GK_FN float __nv_fast_powf(float a, float b)
{
    return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(b, __nvvm_lg2_approx_f(a)));
}

GK_FN int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
GK_FN int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_inf(); }
GK_FN int __nv_isnanf(float a) { return a != a; }
GK_FN int __nv_isnand(double a) { return a != a; }
GK_FN int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
GK_FN int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }
GK_FN int __nv_signbitf(float a) { return (int)(__builtin_bit_cast(unsigned, a) >> 31); }
GK_FN int __nv_signbitd(double a) { return (int)(__builtin_bit_cast(unsigned long long, a) >> 63); }
GK_FN double __nv_nan(const signed char *) { return __builtin_nan(""); }
GK_FN float __nv_nanf(const signed char *) { return __builtin_nanf(""); }
/* Names: double and float. */
#define GK_NAME1(name)                                                                             \
    GK_FN double __nv_##name(double a) { return gk_##name(a); }                                    \
    GK_FN float __nv_##name##f(float a) { return gk_##name##f(a); }
#define GK_NAME2(name)                                                                             \
    GK_FN double __nv_##name(double a, double b) { return gk_##name(a, b); }                       \
    GK_FN float __nv_##name##f(float a, float b) { return gk_##name##f(a, b); }
GK_NAME1(acos)
GK_NAME1(acosh)
GK_NAME1(asin)
GK_NAME1(asinh)
GK_NAME1(atan)
GK_NAME1(atanh)
GK_NAME1(cbrt)
GK_NAME1(cos)
GK_NAME1(cosh)
GK_NAME1(cospi)
GK_NAME1(cyl_bessel_i0)
GK_NAME1(cyl_bessel_i1)
GK_NAME1(erf)
GK_NAME1(erfc)
GK_NAME1(erfcinv)
GK_NAME1(erfcx)
GK_NAME1(erfinv)
GK_NAME1(exp)
GK_NAME1(exp10)
GK_NAME1(exp2)
GK_NAME1(expm1)
GK_NAME1(j0)
GK_NAME1(j1)
GK_NAME1(lgamma)
GK_NAME1(log)
GK_NAME1(log10)
GK_NAME1(log1p)
GK_NAME1(log2)
GK_NAME1(logb)
GK_NAME1(normcdf)
GK_NAME1(normcdfinv)
GK_NAME1(rcbrt)
GK_NAME1(round)
GK_NAME1(sin)
GK_NAME1(sinh)
GK_NAME1(sinpi)
GK_NAME1(tan)
GK_NAME1(tanh)
GK_NAME1(tgamma)
GK_NAME1(y0)
GK_NAME1(y1)
GK_NAME2(atan2)
GK_NAME2(fdim)
GK_NAME2(fmod)
GK_NAME2(hypot)
GK_NAME2(nextafter)
GK_NAME2(pow)
GK_NAME2(remainder)
GK_NAME2(rhypot)
#undef GK_NAME1
#undef GK_NAME2
GK_FN double __nv_rsqrt(double a) { return gk_rsqrt(a); }
GK_FN double __nv_frexp(double a, int *e) { return gk_frexp(a, e); }
GK_FN float __nv_frexpf(float a, int *e) { return gk_frexpf(a, e); }
GK_FN int __nv_ilogb(double a) { return gk_ilogb(a); }
GK_FN int __nv_ilogbf(float a) { return gk_ilogbf(a); }
GK_FN double __nv_jn(int n, double a) { return gk_jn(n, a); }
GK_FN float __nv_jnf(int n, float a) { return gk_jnf(n, a); }
GK_FN double __nv_yn(int n, double a) { return gk_yn(n, a); }
GK_FN float __nv_ynf(int n, float a) { return gk_ynf(n, a); }
GK_FN double __nv_ldexp(double a, int n) { return gk_ldexp(a, n); }
GK_FN float __nv_ldexpf(float a, int n) { return gk_ldexpf(a, n); }
GK_FN double __nv_scalbn(double a, int n) { return gk_scalbn(a, n); }
GK_FN float __nv_scalbnf(float a, int n) { return gk_scalbnf(a, n); }
GK_FN long long __nv_llrint(double a) { return gk_llrint(a); }
GK_FN long long __nv_llrintf(float a) { return gk_llrintf(a); }
GK_FN long long __nv_llround(double a) { return gk_llround(a); }
GK_FN long long __nv_llroundf(float a) { return gk_llroundf(a); }
GK_FN double __nv_modf(double a, double *b) { return gk_modf(a, b); }
GK_FN float __nv_modff(float a, float *b) { return gk_modff(a, b); }
GK_FN double __nv_norm3d(double a, double b, double c) { return gk_norm3d(a, b, c); }
GK_FN float __nv_norm3df(float a, float b, float c) { return gk_norm3df(a, b, c); }
GK_FN double __nv_rnorm3d(double a, double b, double c) { return gk_rnorm3d(a, b, c); }
GK_FN float __nv_rnorm3df(float a, float b, float c) { return gk_rnorm3df(a, b, c); }
GK_FN double __nv_norm4d(double a, double b, double c, double d) { return gk_norm4d(a, b, c, d); }
GK_FN float __nv_norm4df(float a, float b, float c, float d) { return gk_norm4df(a, b, c, d); }
GK_FN double __nv_rnorm4d(double a, double b, double c, double d) { return gk_rnorm4d(a, b, c, d); }
GK_FN float __nv_rnorm4df(float a, float b, float c, float d) { return gk_rnorm4df(a, b, c, d); }
GK_FN double __nv_norm(int n, const double *v) { return gk_norm(n, v); }
GK_FN float __nv_normf(int n, const float *v) { return gk_normf(n, v); }
GK_FN double __nv_rnorm(int n, const double *v) { return gk_rnorm(n, v); }
GK_FN float __nv_rnormf(int n, const float *v) { return gk_rnormf(n, v); }
GK_FN double __nv_powi(double a, int n) { return gk_powi(a, n); }
GK_FN float __nv_powif(float a, int n) { return gk_powif(a, n); }
GK_FN double __nv_remquo(double a, double b, int *q) { return gk_remquo(a, b, q); }
GK_FN float __nv_remquof(float a, float b, int *q) { return gk_remquof(a, b, q); }
GK_FN void __nv_sincos(double a, double *s, double *c) { gk_sincos(a, s, c); }
GK_FN void __nv_sincosf(float a, float *s, float *c) { gk_sincosf(a, s, c); }
GK_FN void __nv_sincospi(double a, double *s, double *c) { gk_sincospi(a, s, c); }
GK_FN void __nv_sincospif(float a, float *s, float *c) { gk_sincospif(a, s, c); }
#undef GK_FN
}

#endif
