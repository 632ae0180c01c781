/* SPDX-License-Identifier: Apache-2.0
 *
 * What every example needs: a check of CUDA calls, random numbers that are the same everywhere, and
 * numbers from the command line. Plain C except for the CUDA error type. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* Every CUDA call can fail, and a launch only reports through cudaGetLastError: check them all. */
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(error_));                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* A linear congruential generator (Numerical Recipes' constants): 24 good bits per call. */
static inline unsigned random_bits(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline float random_unit(unsigned *state) /* in [0, 1) */
{
    return (float)random_bits(state) / 16777216.0f;
}

/* The numbered argument as a whole number of at least 1, or the default when it is not given. */
static inline int argument(int argc, char **argv, int index, int standard)
{
    if (argc <= index)
        return standard;
    char *end;
    long value = strtol(argv[index], &end, 10);
    if (*end || value < 1 || value > 1 << 28) {
        fprintf(stderr, "%s: argument %d must be a number from 1 to %d, not '%s'\n", argv[0], index,
                1 << 28, argv[index]);
        exit(2);
    }
    return (int)value;
}

static inline void *host_alloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "out of host memory: %zu x %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}

static inline int blocks_for(int items, int block) /* the last block may be partly idle */
{
    return (items + block - 1) / block;
}

#endif
