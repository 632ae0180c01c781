/* SPDX-License-Identifier: Apache-2.0
 * The __nv_* names that clang's CUDA headers call, defined here so that no libdevice is needed.
 * This file holds those that are one exact operation; math_float.h and math_double.h the rest. */
#ifndef GPUKIT_LIBDEVICE_H
#define GPUKIT_LIBDEVICE_H

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
#undef GK_FN
}

#endif
