/* SPDX-License-Identifier: Apache-2.0
 * Shared by device_math.cu and host_math.c: the same arguments and the same hash on both sides. */
#ifndef GPUKIT_TESTS_DEVICE_INPUTS_H
#define GPUKIT_TESTS_DEVICE_INPUTS_H

#include <stdint.h>
#include <string.h>

enum { INPUTS = 2048 };

/* Bits of every kind: specials first, then small, large and subnormal numbers of both signs. */
static inline uint64_t input_bits(int i, int salt)
{
    static const uint64_t special[] = {0,
                                       0x8000000000000000u,
                                       0x7ff0000000000000u,
                                       0xfff0000000000000u,
                                       0x7ff8000000000000u,
                                       0x3ff0000000000000u,
                                       0xbff0000000000000u,
                                       1,
                                       0x000fffffffffffffu,
                                       0x7fefffffffffffffu,
                                       0x3fe0000000000000u,
                                       0x400921fb54442d18u};
    if (i < 12)
        return special[(i + salt) % 12];
    uint64_t z = (uint64_t)(i * 2654435761u + salt) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    if (i % 4) /* most within 2^-8 ... 2^8 */
        z = (z & 0x800fffffffffffffu) | (uint64_t)(1023 - 8 + (z >> 52) % 17) << 52;
    return z;
}
static inline double input_double(int i, int salt)
{
    uint64_t u = input_bits(i, salt);
    double d;
    memcpy(&d, &u, 8);
    return d;
}
static inline float input_float(int i, int salt)
{
    uint32_t u = (uint32_t)(input_bits(i, salt) >> 32);
    if (i % 4) /* the same range in float's own exponent */
        u = (u & 0x807fffffu) | (127u - 8 + (u >> 23) % 17) << 23;
    float f;
    memcpy(&f, &u, 4);
    return f;
}
/* NaNs of any kind count as one. */
static inline uint64_t hash_double(uint64_t h, double d)
{
    uint64_t u;
    memcpy(&u, &d, 8);
    return (h ^ (d != d ? 0x7ff8000000000000u : u)) * 1099511628211u;
}
static inline uint64_t hash_float(uint64_t h, float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return (h ^ (f != f ? 0x7fffffffu : u)) * 1099511628211u;
}

#endif
