/* SPDX-License-Identifier: Apache-2.0
 * For the tests of the libraries: arrays of any element type in device memory beside the same
 * numbers as double complex, and comparison within a tolerance. Inputs are pseudo-random in [-1,
 * 1]. */
#ifndef TESTS_LIBRARIES_DEVICE_VALUES_H
#define TESTS_LIBRARIES_DEVICE_VALUES_H

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <cuda_runtime_api.h>

typedef double complex Number;
enum { S, D, C, Z, TYPES };
static const char letters[] = "SDCZ";

static inline size_t bytes_of(int type)
{
    return type == S ? 4 : type == Z ? 16 : 8;
}
/* Sums of a few dozen terms of size 1. */
static inline double tolerance(int type)
{
    return type == S || type == C ? 2e-5 : 1e-13;
}

static inline double random_unit(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) * 0x1p-52 - 1;
}

static inline void put(int type, void *base, size_t i, Number value)
{
    switch (type) {
    case S:
        ((float *)base)[i] = (float)creal(value);
        break;
    case D:
        ((double *)base)[i] = creal(value);
        break;
    case C:
        ((float complex *)base)[i] = (float complex)value;
        break;
    default:
        ((double complex *)base)[i] = value;
    }
}

static inline Number get(int type, const void *base, size_t i)
{
    switch (type) {
    case S:
        return ((const float *)base)[i];
    case D:
        return ((const double *)base)[i];
    case C:
        return (Number)((const float complex *)base)[i];
    default:
        return ((const double complex *)base)[i];
    }
}

/* Numbers that every type can hold exactly, so that inputs are the same everywhere. */
static inline Number random_number(int type)
{
    double re = (double)(float)random_unit();
    return type >= C ? re + I * (double)(float)random_unit() : re;
}

typedef struct {
    int type;
    size_t count;
    void *device;
    Number *host; /* what was uploaded; tests turn it into what they expect */
} Array;

static inline void upload(Array *a)
{
    void *staging = malloc(a->count * bytes_of(a->type) + 1);
    for (size_t i = 0; i < a->count; i++)
        put(a->type, staging, i, a->host[i]);
    assert_int_equal(
        cudaMemcpy(a->device, staging, a->count * bytes_of(a->type), cudaMemcpyHostToDevice),
        cudaSuccess);
    free(staging);
}

static inline Array array_new(int type, size_t count)
{
    Array a = {.type = type, .count = count};
    a.host = calloc(count, sizeof *a.host);
    assert_int_equal(cudaMalloc(&a.device, count * bytes_of(type)), cudaSuccess);
    for (size_t i = 0; i < count; i++)
        a.host[i] = random_number(type);
    upload(&a);
    return a;
}

static inline void array_free(Array *a)
{
    cudaFree(a->device);
    free(a->host);
}

/* What the device has now (free() it). */
static inline Number *download(const Array *a)
{
    void *staging = malloc(a->count * bytes_of(a->type) + 1);
    Number *out = calloc(a->count, sizeof *out);
    assert_int_equal(
        cudaMemcpy(staging, a->device, a->count * bytes_of(a->type), cudaMemcpyDeviceToHost),
        cudaSuccess);
    for (size_t i = 0; i < a->count; i++)
        out[i] = get(a->type, staging, i);
    free(staging);
    return out;
}

/* The device's values are those of a->host, within scale times the type's tolerance. */
static inline void expect_array(const char *what, const Array *a, double scale)
{
    Number *got = download(a);
    for (size_t i = 0; i < a->count; i++)
        if (!(cabs(got[i] - a->host[i]) <= scale * tolerance(a->type)))
            fail_msg("%s, type %c, element %zu: %.9g%+.9gi, expected %.9g%+.9gi", what,
                     letters[a->type], i, creal(got[i]), cimag(got[i]), creal(a->host[i]),
                     cimag(a->host[i]));
    free(got);
}

static inline void expect_number(const char *what, int type, Number got, Number wanted)
{
    if (!(cabs(got - wanted) <= 20 * tolerance(type)))
        fail_msg("%s, type %c: %.9g%+.9gi, expected %.9g%+.9gi", what, letters[type], creal(got),
                 cimag(got), creal(wanted), cimag(wanted));
}

#endif
