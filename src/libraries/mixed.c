/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix products whose elements are half, bfloat16, 8-bit floats or 8-bit integers (and plain
 * types through the same door): inputs are widened to float, multiplied by OpenBLAS, and rounded
 * once. Integers stay exact: products of 1024 terms fit a float's 24 bits and are summed as
 * integers. */
#include "libraries/cublas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t mixed_bytes(int type)
{
    switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8U:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
        return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_C_64F:
        return 16;
    default:
        return 0;
    }
}

static bool is_fp8(int type)
{
    return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

/* The combinations of cublasGemmEx's and cublasLtMatmul's tables. */
bool mixed_supported(int a, int b, int c, int compute, int *scale)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        *scale = CUDA_R_16F;
        return a == CUDA_R_16F && b == a && c == a;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        *scale = CUDA_R_32I;
        return a == CUDA_R_8I && b == a && c == CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        *scale = a;
        return (a == CUDA_R_64F || a == CUDA_C_64F) && b == a && c == a;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
        *scale = a == CUDA_C_32F ? CUDA_C_32F : CUDA_R_32F;
        if (is_fp8(a) && is_fp8(b))
            return c == CUDA_R_16F || c == CUDA_R_16BF || c == CUDA_R_32F;
        if (a != b)
            return false;
        return a == CUDA_R_16F || a == CUDA_R_16BF ? c == a || c == CUDA_R_32F
               : a == CUDA_R_8I                    ? c == CUDA_R_32F
                                                   : (a == CUDA_R_32F || a == CUDA_C_32F) && c == a;
    default:
        return false;
    }
}

static float e4m3_to_float(uint8_t byte)
{
    float value = ldexpf((float)((byte & 7) + (byte & 0x78 ? 8 : 0)),
                         (byte >> 3 & 15 ? byte >> 3 & 15 : 1) - 10);
    if ((byte & 0x7f) == 0x7f)
        value = NAN;
    return byte & 0x80 ? -value : value;
}

void mixed_widen(int type, const void *from, float *to, int64_t count)
{
    const uint16_t *h = from;
    const int8_t *s = from;
    const uint8_t *u = from;
    for (int64_t i = 0; i < count; i++)
        switch (type) {
        case CUDA_R_16F:
            to[i] = half_to_float(h[i]);
            break;
        case CUDA_R_16BF:
            to[i] = bfloat_to_float(h[i]);
            break;
        case CUDA_R_8I:
            to[i] = s[i];
            break;
        case CUDA_R_8F_E4M3:
            to[i] = e4m3_to_float(u[i]);
            break;
        case CUDA_R_8F_E5M2:
            to[i] = half_to_float((uint16_t)(u[i] << 8));
            break;
        default:
            memcpy(&to[i], (const char *)from + i * 4, 4);
        }
}

/* 8 bits with so many of fraction and that bias; what is too large becomes the largest. */
static uint8_t float_to_fp8(float value, int fraction_bits, int bias, float largest, uint8_t nan)
{
    uint8_t sign = signbit(value) ? 0x80 : 0;
    if (isnan(value))
        return nan;
    float size = fminf(fabsf(value), largest);
    int exponent = 1 - bias;
    if (size >= ldexpf(1, exponent))
        exponent = ilogbf(size);
    int quanta = (int)rintf(ldexpf(size, fraction_bits - exponent));
    if (quanta == 2 << fraction_bits) { /* rounded up to the next power of two */
        quanta >>= 1;
        exponent++;
    }
    return (uint8_t)(sign + ((exponent + bias - 1) << fraction_bits) + quanta);
}

void mixed_narrow(int type, void *to, float value)
{
    uint16_t bits = type == CUDA_R_16F ? float_to_half(value) : float_to_bfloat(value);
    switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
        memcpy(to, &bits, 2);
        break;
    case CUDA_R_8F_E4M3:
        *(uint8_t *)to = float_to_fp8(value, 3, 7, 448, 0x7f);
        break;
    case CUDA_R_8F_E5M2:
        *(uint8_t *)to = float_to_fp8(value, 2, 15, 57344, 0x7f);
        break;
    default:
        memcpy(to, &value, 4);
    }
}

static float *widen_matrix(int type, const void *from, int rows, int cols, int ld)
{
    float *to = malloc(((size_t)rows * (size_t)cols + 1) * sizeof *to);
    for (int j = 0; to && j < cols; j++)
        mixed_widen(type, (const char *)from + (size_t)((int64_t)j * ld) * mixed_bytes(type),
                    to + (int64_t)j * rows, rows);
    return to;
}

static double scale_value(int type, const void *at)
{
    int integer;
    float value;
    uint16_t bits;
    switch (type) {
    case CUDA_R_32I:
        memcpy(&integer, at, 4);
        return integer;
    case CUDA_R_16F:
        memcpy(&bits, at, 2);
        return (double)half_to_float(bits);
    default:
        memcpy(&value, at, 4);
        return (double)value;
    }
}

/* C = alpha product + beta C, rounded to C's type. */
static void store(const MixedGemm *g, const float *product, float alpha, float beta, void *c)
{
    for (int j = 0; j < g->n; j++)
        for (int i = 0; i < g->m; i++) {
            int64_t at = (int64_t)j * g->ldc + i;
            float value = alpha * product[(int64_t)j * g->m + i], old;
            uint16_t *h = (uint16_t *)c + at;
            switch (g->type_c) {
            case CUDA_R_16F:
                *h = float_to_half(beta != 0 ? value + beta * half_to_float(*h) : value);
                break;
            case CUDA_R_16BF:
                *h = float_to_bfloat(beta != 0 ? value + beta * bfloat_to_float(*h) : value);
                break;
            default:
                memcpy(&old, (float *)c + at, 4);
                value = beta != 0 ? value + beta * old : value;
                memcpy((float *)c + at, &value, 4);
            }
        }
}

/* The integer sums of all terms, 1024 at a time. */
static bool integer_sums(const MixedGemm *g, const float *a, const float *b, int lda, int ldb,
                         int32_t *sums)
{
    float *part = malloc((size_t)g->m * (size_t)g->n * sizeof *part);
    if (!part)
        return false;
    static const float one = 1, zero = 0;
    memset(sums, 0, (size_t)g->m * (size_t)g->n * sizeof *sums);
    for (int k = 0; k < g->k; k += 1024) {
        int terms = g->k - k < 1024 ? g->k - k : 1024;
        const float *from_a = a + (g->ta == 'N' ? (int64_t)k * lda : k);
        const float *from_b = b + (g->tb == 'N' ? k : (int64_t)k * ldb);
        blas.gemm[TYPE_S](&g->ta, &g->tb, &g->m, &g->n, &terms, &one, from_a, &lda, from_b, &ldb,
                          &zero, part, &g->m);
        for (int64_t i = 0; i < (int64_t)g->m * g->n; i++)
            sums[i] = (int32_t)((uint32_t)sums[i] + (uint32_t)(int32_t)part[i]);
    }
    free(part);
    return true;
}

static bool plain(const MixedGemm *g, const void *alpha, const void *a, const void *b,
                  const void *beta, void *c)
{
    int type = g->type_a == CUDA_R_32F   ? TYPE_S
               : g->type_a == CUDA_R_64F ? TYPE_D
               : g->type_a == CUDA_C_32F ? TYPE_C
               : g->type_a == CUDA_C_64F ? TYPE_Z
                                         : -1;
    if (type < 0)
        return false;
    blas.gemm[type](&g->ta, &g->tb, &g->m, &g->n, &g->k, alpha, a, &g->lda, b, &g->ldb, beta, c,
                    &g->ldc);
    return true;
}

/* False: out of memory. */
bool mixed_gemm(const MixedGemm *g, const void *alpha, const void *a, const void *b,
                const void *beta, void *c)
{
    if (plain(g, alpha, a, b, beta, c))
        return true;
    int rows_a = g->ta == 'N' ? g->m : g->k, rows_b = g->tb == 'N' ? g->k : g->n;
    float *wide_a = widen_matrix(g->type_a, a, rows_a, g->ta == 'N' ? g->k : g->m, g->lda);
    float *wide_b = widen_matrix(g->type_b, b, rows_b, g->tb == 'N' ? g->n : g->k, g->ldb);
    float *product = malloc((size_t)g->m * (size_t)g->n * sizeof *product);
    bool good = wide_a && wide_b && product;
    int lda = rows_a > 1 ? rows_a : 1, ldb = rows_b > 1 ? rows_b : 1;
    if (good && g->type_a == CUDA_R_8I) {
        int32_t *sums = (int32_t *)(void *)product;
        good = integer_sums(g, wide_a, wide_b, lda, ldb, sums);
        if (good && g->type_c == CUDA_R_32I) {
            uint32_t by, old_by;
            memcpy(&by, alpha, 4);
            memcpy(&old_by, beta, 4);
            for (int j = 0; j < g->n; j++)
                for (int i = 0; i < g->m; i++) {
                    uint32_t *to = (uint32_t *)c + (int64_t)j * g->ldc + i;
                    *to = by * (uint32_t)sums[(int64_t)j * g->m + i] + (old_by ? old_by * *to : 0);
                }
        } else if (good) {
            for (int64_t i = 0; i < (int64_t)g->m * g->n; i++)
                product[i] = (float)sums[i];
            store(g, product, (float)scale_value(g->type_scalar, alpha),
                  (float)scale_value(g->type_scalar, beta), c);
        }
    } else if (good) {
        static const float one = 1, zero = 0;
        blas.gemm[TYPE_S](&g->ta, &g->tb, &g->m, &g->n, &g->k, &one, wide_a, &lda, wide_b, &ldb,
                          &zero, product, &g->m);
        store(g, product, (float)scale_value(g->type_scalar, alpha),
              (float)scale_value(g->type_scalar, beta), c);
    }
    free(wide_a);
    free(wide_b);
    free(product);
    return good;
}
