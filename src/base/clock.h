/* SPDX-License-Identifier: Apache-2.0
 *
 * The monotonic clock, in the unit that the caller counts in. Its zero means nothing: use differences. */
#ifndef GPUKIT_BASE_CLOCK_H
#define GPUKIT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double clock_ms(void)
{
    return (double)clock_ns() * 1e-6;
}

static inline double clock_seconds(void)
{
    return (double)clock_ns() * 1e-9;
}

#endif
