/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenBLAS, opened when first needed: its BLAS and LAPACK functions by element type. Element types
 * and half-precision conversion for the shims that calculate with them. */
#ifndef GPUKIT_LIBRARIES_BLAS_H
#define GPUKIT_LIBRARIES_BLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TYPE_S, TYPE_D, TYPE_C, TYPE_Z, TYPE_COUNT };

#define ROW(field, s, d, c, z, result, params) typedef result Blas_##field params;
#include "libraries/blas.def"
typedef struct {
#define ROW(field, s, d, c, z, result, params) Blas_##field *field[TYPE_COUNT];
#include "libraries/blas.def"
} Blas;
extern Blas blas;

/* True when the functions can be called; says once what to install otherwise. */
bool blas_open(const char *purpose);
static inline size_t blas_bytes(int type)
{
    return type == TYPE_S ? 4 : type == TYPE_Z ? 16 : 8;
}
static inline bool blas_is_complex(int type)
{
    return type >= TYPE_C;
}
extern const unsigned char blas_zero[16];
const void *blas_one(int type); /* 1 of that type */

/* LU without exchanged rows; the number of the first column without a pivot, or 0. */
int blas_lu(int type, int m, int n, void *a, int lda);

/* Rounds to nearest even, as the hardware does; NaN stays NaN. */
float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);
float bfloat_to_float(uint16_t bits);
uint16_t float_to_bfloat(float value);

/* The least leading dimension of a matrix of n rows. */
static inline int64_t least(int64_t n)
{
    return n > 1 ? n : 1;
}

#endif
