/* SPDX-License-Identifier: Apache-2.0
 * Integers for the types of less than 32 bits: cuda_fp16.h, cuda_bf16.h and cuda_fp8.h convert by these,
 * with the same values on host and device. */
#ifndef GPUKIT_NARROW_INTEGER_H
#define GPUKIT_NARROW_INTEGER_H
#ifdef __cplusplus

/* A whole number (or one to be truncated) as T: saturating; NaN is 0, in 64 bits 2^63, as cvt has it. */
template <class T> static __inline__ __host__ __device__ T gkn_int(float f)
{
    const bool is_signed = (T)-1 < (T)0;
    const int bits = (int)sizeof(T) * 8 - is_signed;
    const float top = 2.0f * (float)(1ull << (bits - 1));
    if (f != f)
        return sizeof(T) == 8 ? (T)(1ull << 63) : (T)0;
    if (f >= top)
        return (T)(~0ull >> (64 - bits));
    if (is_signed ? f <= -top : f <= 0)
        return is_signed ? (T)(1ull << (bits % 64)) : (T)0;
    return (T)f;
}

/* An integer as a double rounded to odd: rounding it once more, to fewer bits, is exact. */
template <class T> static __inline__ __host__ __device__ double gkn_odd(T v)
{
    if (sizeof(T) < 8)
        return (double)v;
    unsigned long long size = (T)-1 < (T)0 && v < (T)0 ? 0 - (unsigned long long)v : (unsigned long long)v;
    if (size >> 53)
        size = (size & ~0x7ffull) | ((size & 0x7ff) != 0 ? 0x800 : 0);
    return v < (T)0 ? -(double)size : (double)size;
}
#endif
#endif
