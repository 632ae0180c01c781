/* SPDX-License-Identifier: Apache-2.0
 * min and max in the global namespace for all arithmetic types, on host and device, as CUDA has
 * them: mixed signedness compares as unsigned, mixed width as the wider. */
#ifndef GPUKIT_MIN_MAX_H
#define GPUKIT_MIN_MAX_H

#define GPUKIT_MINMAX(where, A, B, R)                                                              \
    static inline where __attribute__((always_inline)) GPUKIT_NODEBUG R min(A a, B b)              \
    {                                                                                              \
        return (R)a < (R)b ? (R)a : (R)b;                                                          \
    }                                                                                              \
    static inline where __attribute__((always_inline)) GPUKIT_NODEBUG R max(A a, B b)              \
    {                                                                                              \
        return (R)a > (R)b ? (R)a : (R)b;                                                          \
    }
#define GPUKIT_BOTH __host__ __device__
GPUKIT_MINMAX(__host__, int, int, int) /* clang's header has the device form */
GPUKIT_MINMAX(GPUKIT_BOTH, unsigned, unsigned, unsigned)
GPUKIT_MINMAX(GPUKIT_BOTH, int, unsigned, unsigned)
GPUKIT_MINMAX(GPUKIT_BOTH, unsigned, int, unsigned)
GPUKIT_MINMAX(GPUKIT_BOTH, long, long, long)
GPUKIT_MINMAX(GPUKIT_BOTH, unsigned long, unsigned long, unsigned long)
GPUKIT_MINMAX(GPUKIT_BOTH, long, unsigned long, unsigned long)
GPUKIT_MINMAX(GPUKIT_BOTH, unsigned long, long, unsigned long)
GPUKIT_MINMAX(GPUKIT_BOTH, long long, long long, long long)
GPUKIT_MINMAX(GPUKIT_BOTH, unsigned long long, unsigned long long, unsigned long long)
GPUKIT_MINMAX(GPUKIT_BOTH, long long, unsigned long long, unsigned long long)
GPUKIT_MINMAX(GPUKIT_BOTH, unsigned long long, long long, unsigned long long)
#undef GPUKIT_BOTH
#undef GPUKIT_MINMAX
#define GPUKIT_MINMAX(A, B, R, smaller, larger)                                                    \
    static inline __host__ __device__ R min(A a, B b) { return smaller((R)a, (R)b); }              \
    static inline __host__ __device__ R max(A a, B b) { return larger((R)a, (R)b); }
GPUKIT_MINMAX(float, float, float, fminf, fmaxf)
GPUKIT_MINMAX(double, double, double, fmin, fmax)
GPUKIT_MINMAX(float, double, double, fmin, fmax)
GPUKIT_MINMAX(double, float, double, fmin, fmax)
#undef GPUKIT_MINMAX

#endif
