/* SPDX-License-Identifier: Apache-2.0
 * float overloads of the C math functions in the global namespace, which clang's headers declare and
 * leave to a <cmath> that has them for device code. */
#ifndef GPUKIT_MATH_OVERLOADS_H
#define GPUKIT_MATH_OVERLOADS_H

#define GKO static __device__ __inline__ __attribute__((always_inline))
#define GKO_1(name)                                                                                \
    GKO float name(float a) { return ::name##f(a); }
#define GKO_2(name)                                                                                \
    GKO float name(float a, float b) { return ::name##f(a, b); }
GKO_1(acosh)
GKO_1(asinh)
GKO_1(atanh)
GKO_1(cbrt)
GKO_1(erf)
GKO_1(erfc)
GKO_1(exp2)
GKO_1(expm1)
GKO_1(lgamma)
GKO_1(log1p)
GKO_1(log2)
GKO_1(logb)
GKO_1(nearbyint)
GKO_1(rint)
GKO_1(round)
GKO_1(tgamma)
GKO_1(trunc)
GKO_2(copysign)
GKO_2(fdim)
GKO_2(fmax)
GKO_2(fmin)
GKO_2(hypot)
GKO_2(nextafter)
GKO_2(remainder)
GKO int ilogb(float a) { return ::ilogbf(a); }
GKO long lrint(float a) { return ::lrintf(a); }
GKO long lround(float a) { return ::lroundf(a); }
GKO long long llrint(float a) { return ::llrintf(a); }
GKO long long llround(float a) { return ::llroundf(a); }
GKO float scalbn(float a, int n) { return ::scalbnf(a, n); }
GKO float scalbln(float a, long n) { return ::scalblnf(a, n); }
GKO float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
GKO float remquo(float a, float b, int *q) { return ::remquof(a, b, q); }
#undef GKO_1
#undef GKO_2
#undef GKO

#endif
