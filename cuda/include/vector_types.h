/* SPDX-License-Identifier: Apache-2.0
 * CUDA's built-in vector types and dim3, with the sizes and alignments that the CUDA C++
 * Programming Guide lists under "Built-in Vector Types". */
#ifndef GPUKIT_VECTOR_TYPES_H
#define GPUKIT_VECTOR_TYPES_H
#include "gpukit/letters_push.h"
#define __VECTOR_TYPES_H__ 1

#include "host_defines.h"

/* Name, element type, alignments of the 2- and the 4-vector (1- and 3-vectors align as elements). */
#define GPUKIT_VECTOR(name, type, align2, align4)                                                  \
    struct name##1 { type x; };                                                                    \
    struct __align__(align2) name##2 { type x, y; };                                               \
    struct name##3 { type x, y, z; };                                                              \
    struct __align__(align4) name##4 { type x, y, z, w; };                                         \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

GPUKIT_VECTOR(char, signed char, 2, 4)
GPUKIT_VECTOR(uchar, unsigned char, 2, 4)
GPUKIT_VECTOR(short, short, 4, 8)
GPUKIT_VECTOR(ushort, unsigned short, 4, 8)
GPUKIT_VECTOR(int, int, 8, 16)
GPUKIT_VECTOR(uint, unsigned int, 8, 16)
GPUKIT_VECTOR(long, long int, 16, 16)
GPUKIT_VECTOR(ulong, unsigned long int, 16, 16)
GPUKIT_VECTOR(longlong, long long int, 16, 16)
GPUKIT_VECTOR(ulonglong, unsigned long long int, 16, 16)
GPUKIT_VECTOR(float, float, 8, 16)
GPUKIT_VECTOR(double, double, 16, 16)
#undef GPUKIT_VECTOR

/* The 4-vectors of 8-byte elements under names that state their alignment (CUDA 13). */
#define GPUKIT_VECTOR4(name, type)                                                                 \
    struct __align__(16) name##4_16a { type x, y, z, w; };                                         \
    struct __align__(32) name##4_32a { type x, y, z, w; };                                         \
    typedef struct name##4_16a name##4_16a;                                                        \
    typedef struct name##4_32a name##4_32a;
GPUKIT_VECTOR4(long, long int)
GPUKIT_VECTOR4(ulong, unsigned long int)
GPUKIT_VECTOR4(longlong, long long int)
GPUKIT_VECTOR4(ulonglong, unsigned long long int)
GPUKIT_VECTOR4(double, double)
#undef GPUKIT_VECTOR4

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#elif defined(__cplusplus)
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const
    {
        uint3 t;
        t.x = x, t.y = y, t.z = z;
        return t;
    }
#endif
};
typedef struct dim3 dim3;

#include "gpukit/letters_pop.h"
#endif
