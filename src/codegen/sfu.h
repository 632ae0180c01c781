/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate instructions of NVIDIA GPUs (rcp, rsqrt, sqrt, ex2, lg2, sin, cos, tanh, div),
 * bit for bit. The special function unit is a quadratic interpolator in fixed point (S. F. Oberman
 * and M. Y. Siu, "A High-Performance Area-Efficient Multifunction Interpolator", ARITH-17, 2005):
 * the upper bits of the reduced argument choose a segment, the lower ones (t, 17 bits) enter
 *
 *     value = 512 * base + low + linear * t + quadratic * square(t)
 *
 * with integer coefficients and a squarer whose low columns are left out. Results are truncated;
 * the coefficients carry the rounding. The tables here were fitted to recorded results; what was
 * recorded and compared is in docs/approximations.md.
 *
 * The functions are the reference that tests and approx.c's vector code are held to; they are not
 * what kernels run. */
#ifndef GPUKIT_CODEGEN_SFU_H
#define GPUKIT_CODEGEN_SFU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t base;
    uint32_t slopes; /* linear << 15 | quadratic, magnitudes */
} SfuSegment;

typedef struct {
    const char *name;
    const SfuSegment *segments;
    unsigned count;
    unsigned low;                             /* same in all segments */
    bool linear_negative, quadratic_negative; /* the coefficients' signs, same in all segments */
} SfuTable;

extern const SfuTable sfu_rcp_table, sfu_rsqrt_table, sfu_sqrt_table, sfu_ex2_table, sfu_lg2_table,
    sfu_sin_table, sfu_tanh_table;

/* For tanh, per binade from 2^-8 to 2^2: first segment, bits of the segment in the fraction, and
 * the binary places of the value. */
typedef struct {
    uint8_t first, bits, places;
} SfuBinade;
enum { SFU_TANH_LEAST = -8, SFU_TANH_BINADES = 11 };
extern const SfuBinade sfu_tanh_binades[SFU_TANH_BINADES];

/* t squared without the columns below 2^19, in units of 2^19; t has 17 bits. */
uint32_t sfu_square(uint32_t t);
int64_t sfu_evaluate(const SfuTable *table, unsigned segment, uint32_t t, uint32_t square);

/* Bits of an f32 in, bits of an f32 out; ftz: as the .ftz form of the instruction. */
uint32_t sfu_rcp(uint32_t x, bool ftz);
uint32_t sfu_rsqrt(uint32_t x, bool ftz);
uint32_t sfu_sqrt(uint32_t x, bool ftz);
uint32_t sfu_ex2(uint32_t x, bool ftz);
uint32_t sfu_lg2(uint32_t x, bool ftz);
uint32_t sfu_sin(uint32_t x, bool ftz);
uint32_t sfu_cos(uint32_t x, bool ftz);
uint32_t sfu_tanh(uint32_t x, bool ftz);

/* div.approx and, full, div.full: a product with the unit's reciprocal. */
uint32_t sfu_div(uint32_t a, uint32_t b, bool full, bool ftz);
/* The half forms: the f32 result truncated. */
uint16_t sfu_ex2_f16(uint16_t x);
uint16_t sfu_ex2_bf16(uint16_t x);
uint16_t sfu_tanh_f16(uint16_t x);
uint16_t sfu_tanh_bf16(uint16_t x);
/* rcp and rsqrt.approx.ftz.f64: the f32 tables under the upper 20 bits of the fraction. */
uint64_t sfu_rcp_f64(uint64_t x);
uint64_t sfu_rsqrt_f64(uint64_t x);
/* rsqrt.approx.f64: from that y, with e = 1 - x y^2, y + y e (1/2 + 3/8 e), in f64. */
uint64_t sfu_rsqrt_f64_full(uint64_t x);

#endif
