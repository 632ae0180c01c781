/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction test corpus. A case is one full opcode ("add.sat.s32") with operands from tables
 * of edge and random values; expect.c says in plain C what must come out. Nothing here knows the
 * code generator: the same corpus runs on the engine and, through the driver, on a GPU.
 *   cases.def   the opcodes, with {a,b} alternatives
 *   values.c    operand values
 *   softfloat.c IEEE arithmetic of any format and rounding, on 113-bit floats
 *   expect.c    the oracle
 *   video.c     its part on video instructions
 *   special.c   memory, atomics, warp and block instructions, special registers: own kernels
 *   kernel.c    cases to PTX
 *   engine.c    runs PTX on the engine
 *   gpu.c       runs PTX on a real GPU
 *   main.c      the program */
#ifndef GPUKIT_TESTS_OPS_H
#define GPUKIT_TESTS_OPS_H

#include "base/buf.h"
#include "ir/ir.h"

enum { OPS_LANES = 1536, OPS_BLOCK = 256, OPS_MAX_IN = 5, OPS_MAX_OUT = 2 };

/* ---- values ---- */

typedef enum {
    DOM_PRED,
    DOM_I16,
    DOM_I32,
    DOM_I64,
    DOM_I16X2,
    DOM_F16,
    DOM_F16X2,
    DOM_BF16,
    DOM_BF16X2,
    DOM_F32,
    DOM_F64,
    DOM_SHIFT,
    DOM_SMALL,
    DOM_ANGLE,
    DOM_COUNT
} OpsDomain;

uint64_t ops_value(OpsDomain domain, unsigned position, unsigned lane);
OpsDomain ops_domain(unsigned type);

/* ---- floating point ---- */

typedef struct {
    int bits, precision, emin, emax; /* precision counts the hidden bit */
} FloatFormat;
const FloatFormat *ops_format(unsigned type); /* element format of f16, f16x2, ..., f64; or NULL */

typedef enum { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY } Rounding;
#if __LDBL_MANT_DIG__ == 113
typedef long double Wide;
#else
typedef __float128 Wide;
#endif

Wide fp_decode(const FloatFormat *format, uint64_t bits);
uint64_t fp_encode(const FloatFormat *format, Wide value, Rounding rounding);
bool fp_is_nan(const FloatFormat *format, uint64_t bits);
bool fp_is_inf(const FloatFormat *format, uint64_t bits);
bool fp_is_zero(const FloatFormat *format, uint64_t bits);
bool fp_is_subnormal(const FloatFormat *format, uint64_t bits);
bool fp_sign(const FloatFormat *format, uint64_t bits);
uint64_t fp_nan(const FloatFormat *format);
uint64_t fp_flush(const FloatFormat *format, uint64_t bits); /* subnormal to zero of its sign */
uint64_t fp_add(const FloatFormat *format, uint64_t a, uint64_t b, Rounding rounding);
uint64_t fp_mul(const FloatFormat *format, uint64_t a, uint64_t b, Rounding rounding);
uint64_t fp_fma(const FloatFormat *format, uint64_t a, uint64_t b, uint64_t c, Rounding rounding);
uint64_t fp_div(const FloatFormat *format, uint64_t a, uint64_t b, Rounding rounding);
uint64_t fp_sqrt(const FloatFormat *format, uint64_t a, Rounding rounding);
uint64_t fp_convert(const FloatFormat *to, const FloatFormat *from, uint64_t a, Rounding rounding);
Wide fp_round_whole(Wide value, Rounding rounding);

/* ---- the oracle ---- */

typedef struct {
    uint64_t bits[OPS_MAX_OUT];
    bool any[OPS_MAX_OUT]; /* PTX leaves it open for these operands */
    bool nan[OPS_MAX_OUT]; /* any NaN will do */
    bool reproduced;       /* bits of an approximate instruction; recorded hashes leave them out */
} Expect;

typedef struct {
    char *name;   /* full opcode */
    IrInsn insn;  /* row, types, modifiers */
    uint32_t imm; /* of ROLE_CONST operands */
    /* video instructions: the operands as in "d.b1 -a.h0 b c"; no c: it is left out */
    unsigned written;
    const char *part[4]; /* "b1", "h0"; "" for the whole */
    bool negated[4];
    unsigned in_count, out_count;
    uint8_t in_type[OPS_MAX_IN], out_type[OPS_MAX_OUT]; /* register types */
    uint8_t in_domain[OPS_MAX_IN];
} OpsCase;

/* False when the oracle has no rule for this opcode. */
bool ops_expect(const OpsCase *test, const uint64_t *in, Expect *out);
void ops_expect_video(const OpsCase *test, const uint64_t *in, Expect *out);

/* ---- cases and kernels ---- */

typedef VEC(OpsCase) OpsCases;
void ops_cases(OpsCases *cases, Arena *arena); /* aborts on an opcode that does not parse */
void ops_kernel(const OpsCase *cases, unsigned count, Buf *out);
void ops_inputs(uint64_t *values); /* DOM_COUNT * OPS_MAX_IN * OPS_LANES */
enum { OPS_INPUT_WORDS = DOM_COUNT * OPS_MAX_IN * OPS_LANES };

/* ---- where it runs ---- */

typedef struct {
    void *host;
    size_t bytes;
} OpsBuffer;

typedef struct OpsRunner {
    const char *name;
    /* Runs kernel "k" with the buffers' device copies as its parameters and copies them back.
     * False with a message in error. */
    bool (*run)(const char *ptx, unsigned grid, unsigned block, OpsBuffer *buffers, unsigned count,
                char *error, size_t error_bytes);
} OpsRunner;
extern const OpsRunner *const ops_runner; /* NULL: none was built in */
extern const OpsRunner ops_gpu_runner;    /* gpu.c: the real driver */
const char *ops_gpu_description(void);    /* model and driver */

/* How the engine compiles: for any block shape, for the shape at hand, one lane at a time. */
typedef enum { OPS_ANY_SHAPE, OPS_SHAPED, OPS_SERIAL } OpsEngineMode;
extern OpsEngineMode ops_engine_mode;
extern unsigned ops_engine_width; /* threads of a block along x; 0: all of them */

/* ---- special kernels ---- */

typedef struct {
    const char *name, *row;
    unsigned grid, block;
    void (*text)(const char *name, Buf *out);
    void (*fill)(const char *name, uint32_t *words);              /* 64 KiB buffer */
    void (*expect)(const char *name, uint32_t *words, bool *any); /* what it must hold behind */
} OpsSpecial;
enum { SPECIAL_WORDS = 16384 };

void matrix_text(const char *name, Buf *out); /* matrix.c: "mma...", of mma.sp with " SELECTOR" */
void matrix_fill(const char *name, uint32_t *words);
void matrix_expect(const char *name, uint32_t *words, bool *any);

extern const OpsSpecial ops_specials[];
extern const unsigned ops_special_count;

#endif
