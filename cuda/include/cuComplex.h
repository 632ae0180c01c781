/* SPDX-License-Identifier: Apache-2.0
 * Complex numbers as pairs: cuFloatComplex, cuDoubleComplex and their arithmetic. */
#ifndef GPUKIT_CUCOMPLEX_H
#define GPUKIT_CUCOMPLEX_H
#include "gpukit/letters_push.h"
#define CU_COMPLEX_H_ 1

#include "vector_functions.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define GKX static __inline__ __host__ __device__
#define GPUKIT_COMPLEX(C, T, f, suffix)                                                            \
    GKX T cuCreal##f(C x) { return x.x; }                                                          \
    GKX T cuCimag##f(C x) { return x.y; }                                                          \
    GKX C make_cu##suffix##Complex(T r, T i)                                                       \
    {                                                                                              \
        C c;                                                                                       \
        c.x = r;                                                                                   \
        c.y = i;                                                                                   \
        return c;                                                                                  \
    }                                                                                              \
    GKX C cuConj##f(C x) { return make_cu##suffix##Complex(x.x, -x.y); }                           \
    GKX C cuCadd##f(C x, C y) { return make_cu##suffix##Complex(x.x + y.x, x.y + y.y); }           \
    GKX C cuCsub##f(C x, C y) { return make_cu##suffix##Complex(x.x - y.x, x.y - y.y); }           \
    GKX C cuCmul##f(C x, C y)                                                                      \
    {                                                                                              \
        return make_cu##suffix##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);             \
    }                                                                                              \
    GKX C cuCdiv##f(C x, C y) /* scaled, so that |y|^2 neither overflows nor vanishes */           \
    {                                                                                              \
        T ar = y.x < 0 ? -y.x : y.x, ai = y.y < 0 ? -y.y : y.y, s = ar + ai, o = 1 / s;            \
        T p = x.x * o, q = x.y * o, r = y.x * o, t = y.y * o;                                      \
        s = 1 / (r * r + t * t);                                                                   \
        return make_cu##suffix##Complex((p * r + q * t) * s, (q * r - p * t) * s);                 \
    }
GPUKIT_COMPLEX(cuFloatComplex, float, f, Float)
GPUKIT_COMPLEX(cuDoubleComplex, double, , Double)
#undef GPUKIT_COMPLEX
GKX float cuCabsf(cuFloatComplex x) { return hypotf(x.x, x.y); }
GKX double cuCabs(cuDoubleComplex x) { return hypot(x.x, x.y); }
GKX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
GKX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return make_cuDoubleComplex(c.x, c.y); }
GKX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return make_cuFloatComplex((float)c.x, (float)c.y);
}
GKX cuComplex cuCfmaf(cuComplex x, cuComplex y, cuComplex d)
{
    return make_cuComplex(fmaf(-x.y, y.y, fmaf(x.x, y.x, d.x)), fmaf(x.y, y.x, fmaf(x.x, y.y, d.y)));
}
GKX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d)
{
    return make_cuDoubleComplex(fma(-x.y, y.y, fma(x.x, y.x, d.x)), fma(x.y, y.x, fma(x.x, y.y, d.y)));
}
#undef GKX

#include "gpukit/letters_pop.h"
#endif
