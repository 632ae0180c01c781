/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix fragments of a warp (wmma, mma): where each element lies in the lanes' registers, and the
 * products. Numerics: products of half types are exact, sums are f32 fused multiply-adds in the order
 * of k (a tensor core's own summation order is not documented); f64 likewise; integers are exact. */
#ifndef GPUKIT_LAUNCH_MATRIX_H
#define GPUKIT_LAUNCH_MATRIX_H

#include <stdint.h>

typedef enum { MATRIX_F16, MATRIX_BF16, MATRIX_TF32, MATRIX_F32, MATRIX_F64, MATRIX_S8, MATRIX_U8, MATRIX_S32 } MatrixType;
typedef enum { FRAGMENT_A, FRAGMENT_B, FRAGMENT_C } MatrixFragment;

/* Constant data in compiled kernels: part of the kernel ABI. */
typedef struct {
    uint8_t m, n, k;
    uint8_t type_a, type_b, type_c, type_d; /* MatrixType */
    uint8_t wmma;     /* fragments of wmma (own layout) instead of mma's documented one */
    uint8_t fragment; /* loads and stores: MatrixFragment */
    uint8_t row;      /* loads and stores: row-major in memory */
    uint8_t saturate; /* integers */
    uint8_t registers_a, registers_b, registers_c, registers_d;
    uint8_t pad;
} GkMatrixOp;

/* Registers are arrays [register][32 lanes] of uint32_t, of double for f64. d may equal c. */
void matrix_mma(const GkMatrixOp *op, const void *a, const void *b, const void *c, void *d);
/* stride: elements from one row (or column) to the next. */
void matrix_load(const GkMatrixOp *op, const void *memory, uint32_t stride, void *registers);
void matrix_store(const GkMatrixOp *op, void *memory, uint32_t stride, const void *registers);

#endif
