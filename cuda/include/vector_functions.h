/* SPDX-License-Identifier: Apache-2.0
 * make_int4 and its kin: constructors of the built-in vector types. */
#ifndef GPUKIT_VECTOR_FUNCTIONS_H
#define GPUKIT_VECTOR_FUNCTIONS_H
#include "gpukit/letters_push.h"
#define __VECTOR_FUNCTIONS_H__ 1

#include "vector_types.h"

#define GPUKIT_MAKE static __inline__ __host__ __device__
#define GPUKIT_MAKE4(name, type)                                                                   \
    GPUKIT_MAKE name make_##name(type x, type y, type z, type w)                                   \
    {                                                                                              \
        name v;                                                                                    \
        v.x = x, v.y = y, v.z = z, v.w = w;                                                        \
        return v;                                                                                  \
    }
#define GPUKIT_MAKE_ALL(name, type)                                                                \
    GPUKIT_MAKE name##1 make_##name##1(type x)                                                     \
    {                                                                                              \
        name##1 v;                                                                                 \
        v.x = x;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    GPUKIT_MAKE name##2 make_##name##2(type x, type y)                                             \
    {                                                                                              \
        name##2 v;                                                                                 \
        v.x = x, v.y = y;                                                                          \
        return v;                                                                                  \
    }                                                                                              \
    GPUKIT_MAKE name##3 make_##name##3(type x, type y, type z)                                     \
    {                                                                                              \
        name##3 v;                                                                                 \
        v.x = x, v.y = y, v.z = z;                                                                 \
        return v;                                                                                  \
    }                                                                                              \
    GPUKIT_MAKE4(name##4, type)

GPUKIT_MAKE_ALL(char, signed char)
GPUKIT_MAKE_ALL(uchar, unsigned char)
GPUKIT_MAKE_ALL(short, short)
GPUKIT_MAKE_ALL(ushort, unsigned short)
GPUKIT_MAKE_ALL(int, int)
GPUKIT_MAKE_ALL(uint, unsigned int)
GPUKIT_MAKE_ALL(long, long int)
GPUKIT_MAKE_ALL(ulong, unsigned long int)
GPUKIT_MAKE_ALL(longlong, long long int)
GPUKIT_MAKE_ALL(ulonglong, unsigned long long int)
GPUKIT_MAKE_ALL(float, float)
GPUKIT_MAKE_ALL(double, double)
GPUKIT_MAKE4(long4_16a, long int)
GPUKIT_MAKE4(long4_32a, long int)
GPUKIT_MAKE4(ulong4_16a, unsigned long int)
GPUKIT_MAKE4(ulong4_32a, unsigned long int)
GPUKIT_MAKE4(longlong4_16a, long long int)
GPUKIT_MAKE4(longlong4_32a, long long int)
GPUKIT_MAKE4(ulonglong4_16a, unsigned long long int)
GPUKIT_MAKE4(ulonglong4_32a, unsigned long long int)
GPUKIT_MAKE4(double4_16a, double)
GPUKIT_MAKE4(double4_32a, double)
#undef GPUKIT_MAKE_ALL
#undef GPUKIT_MAKE4
#undef GPUKIT_MAKE

#include "gpukit/letters_pop.h"
#endif
