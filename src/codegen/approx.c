/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate instructions as vector code with the hardware's bits: what sfu.c does for one
 * number, on 32 lanes at once (or on a scalar when the operand is uniform). Table entries come by
 * permutes of registers where AVX-512 is there, else by gathers. The interpolator's sum has up to
 * 41 bits; with t split at bit 9,
 *
 *     512 * (base + linear * (t >> 9))  +  (low + linear * (t & 511) + quadratic * square(t))
 *
 * both parts fit 32-bit integers. The bits of rcp, rsqrt, sqrt and ex2 are nearly a linear function of
 * the operand's (the old trick for a first guess of a root): there the tables hold the difference
 * from that line, whose slopes fit 16 bits, and the line brings the exponent. The other functions
 * join the parts in f64, which holds the sum exactly, and truncate there.
 *
 * div.approx and div.full are products with the reciprocal. */
#include "codegen/emit.h"
#include "codegen/float.h"
#include "codegen/sfu.h"

#include <string.h>

typedef LLVMValueRef V;

/* One instruction: the builder with the types of its operand's length. */
typedef struct {
    Emitter *e;
    LLVMBuilderRef b;
    LLVMTypeRef i32, f32, i64, f64;
    unsigned lanes; /* 1: scalars */
    bool ftz;
} Sfu;

static Sfu begin(Emitter *e, V x, bool ftz)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    return (Sfu){e,
                 e->b,
                 float_with(e, e->i32, t),
                 float_with(e, e->f32, t),
                 float_with(e, e->i64, t),
                 float_with(e, e->f64, t),
                 vector ? LLVMGetVectorSize(t) : 1,
                 ftz};
}

static V k32(Sfu *s, uint32_t n)
{
    return emit_const(s->e, s->i32, n);
}

static V real(Sfu *s, double x)
{
    return emit_real(s->e, s->f32, x);
}

static V bits(Sfu *s, V x)
{
    return LLVMBuildBitCast(s->b, x, s->i32, "");
}

static V number(Sfu *s, V x)
{
    return LLVMBuildBitCast(s->b, x, s->f32, "");
}

static V add(Sfu *s, V x, V y)
{
    return LLVMBuildAdd(s->b, x, y, "");
}

static V sub(Sfu *s, V x, V y)
{
    return LLVMBuildSub(s->b, x, y, "");
}

static V mul(Sfu *s, V x, V y)
{
    return LLVMBuildMul(s->b, x, y, "");
}

static V and (Sfu * s, V x, uint32_t mask)
{
    return LLVMBuildAnd(s->b, x, k32(s, mask), "");
}

static V or (Sfu * s, V x, V y)
{
    return LLVMBuildOr(s->b, x, y, "");
}

static V lshr(Sfu *s, V x, unsigned n)
{
    return LLVMBuildLShr(s->b, x, k32(s, n), "");
}

static V ashr(Sfu *s, V x, unsigned n)
{
    return LLVMBuildAShr(s->b, x, k32(s, n), "");
}

static V shl(Sfu *s, V x, unsigned n)
{
    return LLVMBuildShl(s->b, x, k32(s, n), "");
}

static V compare(Sfu *s, LLVMIntPredicate p, V x, uint32_t n)
{
    return LLVMBuildICmp(s->b, p, x, k32(s, n), "");
}

static V choose(Sfu *s, V p, V yes, V no)
{
    return LLVMBuildSelect(s->b, p, yes, no, "");
}

static V times(Sfu *s, V x, V y)
{
    return LLVMBuildFMul(s->b, x, y, "");
}

/* An instruction that LLVM would make of others; it must depend on its operands only. */
static V assembly(Sfu *s, LLVMTypeRef result, const char *text, const char *operands, V *args,
                  unsigned count)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; ++i)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    V f = LLVMGetInlineAsm(type, text, strlen(text), operands, strlen(operands), false, false,
                           LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(s->b, type, f, args, count, "");
}

/* ---- tables ---- */

/* Two words for each segment, as the code wants them. */
typedef struct {
    const char *name;
    unsigned count; /* a power of two from 32 */
    uint32_t words[2][128];
} Table;

enum { START, SLOPES };

static Table plain_table(const SfuTable *from)
{
    Table t = {.name = from->name, .count = 32};
    while (t.count < from->count)
        t.count *= 2;
    for (unsigned i = 0; i < from->count; ++i) {
        t.words[START][i] = from->segments[i].base;
        t.words[SLOPES][i] = from->segments[i].slopes;
    }
    return t;
}

/* The lowest bits of the index count. */
static V permuted(Sfu *s, const Table *table, V index, unsigned word)
{
    Emitter *e = s->e;
    V parts[8];
    for (unsigned p = 0; p < s->lanes / 16; ++p) {
        V at = float_slice(e, index, 16 * p, 16), found[4];
        LLVMTypeRef t16 = LLVMTypeOf(at);
        V mine[2];
        if (table->count > 32) { /* the second is hidden: LLVM would blend by the first instead */
            V bit = LLVMBuildAnd(s->b, at, emit_const(e, t16, 32), "");
            mine[1] = LLVMBuildICmp(s->b, LLVMIntNE, bit, LLVMConstNull(t16), "");
            V word = LLVMBuildBitCast(s->b, mine[1], e->i16, "");
            word = assembly(s, e->i16, "knotw $1, $0", "=k,k", &word, 1);
            mine[0] = LLVMBuildBitCast(s->b, word, LLVMTypeOf(mine[1]), "");
        }
        for (unsigned q = 0; q < table->count / 32; ++q) {
            V half[2];
            for (unsigned h = 0; h < 2; ++h) {
                V words[16];
                for (unsigned i = 0; i < 16; ++i)
                    words[i] = LLVMConstInt(e->i32, table->words[word][32 * q + 16 * h + i], false);
                half[h] = LLVMConstVector(words, 16);
            }
            /* a masked permute overwrites the indices of its lanes only: two make one without a
             * choice between results */
            V from = q % 2 ? found[q - 1] : at, args[3] = {half[0], from, half[1]};
            found[q] = emit_intrinsic(e, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
            if (table->count > 32)
                found[q] = choose(s, mine[q % 2], found[q], from);
        }
        if (table->count > 64) {
            V bit = LLVMBuildAnd(s->b, at, emit_const(e, t16, 64), "");
            V upper = LLVMBuildICmp(s->b, LLVMIntNE, bit, LLVMConstNull(t16), "");
            found[1] = choose(s, upper, found[3], found[1]);
        }
        parts[p] = found[table->count > 32];
    }
    return float_concat(e, parts, s->lanes / 16);
}

static V gathered(Sfu *s, const Table *table, V index, unsigned word)
{
    Emitter *e = s->e;
    char name[32];
    snprintf(name, sizeof name, "sfu.%s", table->name);
    V array = LLVMGetNamedGlobal(e->mod, name);
    if (!array) {
        V words[256];
        for (unsigned i = 0; i < 2 * table->count; ++i)
            words[i] = LLVMConstInt(e->i32, table->words[i & 1][i / 2], false);
        array = LLVMAddGlobal(e->mod, LLVMArrayType2(e->i32, 2ull * table->count), name);
        LLVMSetInitializer(array, LLVMConstArray2(e->i32, words, 2ull * table->count));
        LLVMSetGlobalConstant(array, true);
        LLVMSetLinkage(array, LLVMPrivateLinkage);
    }
    V at = add(s, shl(s, and(s, index, table->count - 1), 1), k32(s, word));
    if (s->lanes == 1)
        return LLVMBuildLoad2(s->b, e->i32, LLVMBuildGEP2(s->b, e->i32, array, &at, 1, ""), "");
    V where = LLVMBuildGEP2(s->b, e->i32, array, &at, 1, "");
    V all = LLVMConstAllOnes(LLVMVectorType(e->i1, s->lanes));
    V args[4] = {where, LLVMConstInt(e->i32, 4, false), all, LLVMGetUndef(s->i32)};
    LLVMTypeRef overloads[2] = {s->i32, LLVMTypeOf(where)};
    return emit_intrinsic(e, "llvm.masked.gather", overloads, 2, args, 4);
}

static V lookup(Sfu *s, const Table *table, V index, unsigned word)
{
    bool permutes = (s->e->features & EMIT_AVX512) && s->lanes % 16 == 0;
    return permutes ? permuted(s, table, index, word) : gathered(s, table, index, word);
}

/* ---- the interpolator ---- */

static V bytes_intrinsic(Sfu *s, const char *name, V x, V y)
{
    LLVMTypeRef bytes = LLVMVectorType(LLVMInt8TypeInContext(s->e->cx), 64);
    V args[2] = {LLVMBuildBitCast(s->b, x, bytes, ""), LLVMBuildBitCast(s->b, y, bytes, "")};
    return emit_intrinsic(s->e, name, NULL, 0, args, 2);
}

static V constant_bytes(Sfu *s, const uint8_t bytes[64])
{
    V list[64];
    for (unsigned i = 0; i < 64; ++i)
        list[i] = LLVMConstInt(LLVMInt8TypeInContext(s->e->cx), bytes[i], false);
    return LLVMConstVector(list, 64);
}

/* For each byte the eight bits of its quadword from a place on; places: of the bytes of an element
 * of so many bytes, within it. */
static V fields(Sfu *s, V x, const uint8_t *places, unsigned bytes)
{
    uint8_t at[64];
    for (unsigned i = 0; i < 64; ++i)
        at[i] = (uint8_t)((i % 8 / bytes * bytes * 8 + places[i % bytes]) % 64);
    return bytes_intrinsic(s, "llvm.x86.avx512.pmultishift.qb.512", constant_bytes(s, at), x);
}

static V high_product(Sfu *s, V x, V y)
{
    V args[2] = {x, y};
    return emit_intrinsic(s->e, "llvm.x86.avx512.pmulhu.w.512", NULL, 0, args, 2);
}

/* square_words for 32 words: the partial products of half bytes. With w = a b c d of four bits each
 * the shifted copies of a that c's bits choose are the product a c; what b gives for c and a for d
 * drops bits in the same way and comes from one table of the upper three bits of both. */
static V square_table(Sfu *s, V w)
{
    uint8_t table[64], ones[64];
    for (unsigned i = 0; i < 64; ++i) {
        unsigned x = i >> 3;
        table[i] = (uint8_t)((i & 4 ? x : 0) + (i & 2 ? x >> 1 : 0) + (i & 1 ? x >> 2 : 0));
        ones[i] = 1;
    }
    LLVMTypeRef narrow = LLVMTypeOf(w);
    V high = LLVMBuildAnd(s->b, w, emit_const(s->e, narrow, 0xff00), "");
    V half = LLVMBuildLShr(s->b, high, emit_const(s->e, narrow, 1), "");
    V a = LLVMBuildAnd(s->b, w, emit_const(s->e, narrow, 0xf000), "");
    V c = LLVMBuildAnd(s->b, w, emit_const(s->e, narrow, 0xf0), "");
    V sum = add(s, high_product(s, high, half), high_product(s, a, c));
    static const uint8_t lower[2] = {5, 1}, upper[2] = {6, 10};
    V low = fields(s, w, lower, 2), up = fields(s, w, upper, 2);
    LLVMTypeRef bytes = LLVMTypeOf(low);
    V at = LLVMBuildOr(s->b, LLVMBuildAnd(s->b, up, emit_const(s->e, bytes, 0x38), ""),
                       LLVMBuildAnd(s->b, low, emit_const(s->e, bytes, 0xc7), ""), "");
    V parts = bytes_intrinsic(s, "llvm.x86.avx512.permvar.qi.512", constant_bytes(s, table), at);
    return add(
        s, sum,
        bytes_intrinsic(s, "llvm.x86.avx512.pmaddubs.w.512", parts, constant_bytes(s, ones)));
}

/* Of 16-bit numbers: the upper 16 of the 17 bits of t. */
static V square_words(Sfu *s, V w)
{
    LLVMTypeRef narrow = LLVMTypeOf(w);
    if ((s->e->features & EMIT_VBMI) && s->lanes == 32)
        return square_table(s, w);
    V zero = LLVMConstNull(narrow), high = LLVMBuildLShr(s->b, w, emit_const(s->e, narrow, 8), "");
    V sum = LLVMBuildLShr(s->b, mul(s, high, high), emit_const(s->e, narrow, 1), "");
    for (unsigned k = 1; k < 8; ++k) {
        V bit = LLVMBuildAnd(s->b, w, emit_const(s->e, narrow, 1u << (8 - k)), "");
        V set = LLVMBuildICmp(s->b, LLVMIntNE, bit, zero, "");
        V part = LLVMBuildLShr(s->b, w, emit_const(s->e, narrow, 8 + k), "");
        sum = add(s, sum, choose(s, set, part, zero));
    }
    return sum;
}

/* The square of t in the upper half of each lane; w: t >> 1 in the lower half, above it anything.
 * Two halves of a warp share registers, one in the lower words and one in the upper. */
static V square_above(Sfu *s, V w)
{
    if (s->lanes % 32) {
        LLVMTypeRef narrow = float_with(s->e, s->e->i16, s->i32);
        V q = square_words(s, LLVMBuildTrunc(s->b, w, narrow, ""));
        return shl(s, LLVMBuildZExt(s->b, q, s->i32, ""), 16);
    }
    unsigned half = s->lanes / 2;
    V part[2] = {float_slice(s->e, w, 0, half), float_slice(s->e, w, half, half)};
    LLVMTypeRef t = LLVMTypeOf(part[0]), narrow = LLVMVectorType(s->e->i16, s->lanes);
    V sixteen = emit_const(s->e, t, 16), upper = emit_const(s->e, t, 0xffff0000);
    V both = LLVMBuildOr(s->b, LLVMBuildAnd(s->b, part[0], emit_const(s->e, t, 0xffff), ""),
                         LLVMBuildShl(s->b, part[1], sixteen, ""), "");
    both = square_words(s, LLVMBuildBitCast(s->b, both, narrow, ""));
    both = LLVMBuildBitCast(s->b, both, t, "");
    part[0] = LLVMBuildShl(s->b, both, sixteen, "");
    part[1] = LLVMBuildAnd(s->b, both, upper, "");
    return float_concat(s->e, part, 2);
}

/* sum and the products of the lower and of the upper halves, all signed. */
static V halves_product(Sfu *s, V x, V y, V sum)
{
    Emitter *e = s->e;
    unsigned lanes = (e->features & EMIT_AVX512) && s->lanes % 16 == 0 ? 16
                     : (e->features & EMIT_AVX2) && s->lanes % 8 == 0  ? 8
                                                                       : 0;
    if (!lanes) {
        V low = mul(s, ashr(s, shl(s, x, 16), 16), ashr(s, shl(s, y, 16), 16));
        return add(s, sum, add(s, low, mul(s, ashr(s, x, 16), ashr(s, y, 16))));
    }
    bool joined = lanes == 16 && e->features & EMIT_VBMI;
    LLVMTypeRef words = LLVMVectorType(e->i16, 2 * lanes);
    V part[8];
    for (unsigned p = 0; p < s->lanes / lanes; ++p) {
        V args[3] = {float_slice(e, x, lanes * p, lanes), float_slice(e, y, lanes * p, lanes),
                     float_slice(e, sum, lanes * p, lanes)};
        if (joined) { /* LLVM's machine combiner takes the intrinsic apart */
            part[p] = assembly(s, LLVMTypeOf(args[0]), "vpdpwssd $2, $1, $0", "=v,v,v,0", args, 3);
            continue;
        }
        for (int k = 0; k < 2; ++k)
            args[k] = LLVMBuildBitCast(s->b, args[k], words, "");
        const char *name = lanes == 16 ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd";
        part[p] = add(s, emit_intrinsic(e, name, NULL, 0, args, 2), args[2]);
    }
    return float_concat(e, part, s->lanes / lanes);
}

typedef struct {
    V high, low; /* value = 512 * high + low */
} Sum;

static Sum evaluate(Sfu *s, const SfuTable *table, V segment, V t)
{
    Table words = plain_table(table);
    V squared = lshr(s, square_above(s, lshr(s, t, 1)), 16);
    V slopes = lookup(s, &words, segment, SLOPES), base = lookup(s, &words, segment, START);
    V linear = lshr(s, slopes, 15), quadratic = mul(s, and(s, slopes, 0x7fff), squared);
    V upper = mul(s, linear, lshr(s, t, 9)), lower = mul(s, linear, and(s, t, 511));
    V low = k32(s, table->low);
    low = table->linear_negative ? sub(s, low, lower) : add(s, low, lower);
    low = table->quadratic_negative ? sub(s, low, quadratic) : add(s, low, quadratic);
    return (Sum){table->linear_negative ? sub(s, base, upper) : add(s, base, upper), low};
}

/* A table less a line. */
typedef struct {
    const SfuTable *from;
    unsigned places; /* of t in the operand; the segment's number is above */
    bool swapped;    /* the upper half of the segments comes first */
    int32_t line;    /* what t is multiplied with in the line */
    int64_t octave;  /* added to the bases of the upper half of the segments */
    unsigned shift;  /* of the result's bits in the value, less 9 */
    uint32_t bias;   /* added to the result */
} Rest;

static const Rest rcp_rest = {&sfu_rcp_table, 16, false, -32768, 0, 6, 252u << 23},
                  rsqrt_rest = {&sfu_rsqrt_table, 17, true, -32768, -(1ll << 30), 6, 189u << 24},
                  sqrt_rest = {&sfu_sqrt_table, 17, true, 65536, 1ll << 31, 7, 62u << 24},
                  ex2_rest = {&sfu_ex2_table, 17, false, 65536, 0, 7, 126u << 23};

/* (value - line) >> (9 + shift), and the bias, the line through operand 0; b: the operand, above the
 * segment's number anything. The upper bits of the bias come in as those of a longer word. */
static V rest(Sfu *s, const Rest *r, V b)
{
    const SfuTable *from = r->from;
    Table table = plain_table(from);
    for (unsigned i = 0; i < table.count; ++i) {
        const SfuSegment *g = &from->segments[r->swapped ? i ^ (table.count / 2) : i];
        int32_t linear = (int32_t)(g->slopes >> 15), quadratic = (int32_t)(g->slopes & 0x7fff);
        linear = (from->linear_negative ? -linear : linear) - r->line;
        quadratic = from->quadratic_negative ? -quadratic : quadratic;
        int64_t start = g->base - (((int64_t)i << r->places) * r->line >> 9);
        start += i >= table.count / 2 ? r->octave : 0;
        table.words[START][i] = (uint32_t)start + (r->bias << r->shift);
        table.words[SLOPES][i] = (uint32_t)quadratic << 16 | ((uint32_t)linear & 0xffff);
    }
    V at = lshr(s, b, r->places);
    V slopes = lookup(s, &table, at, SLOPES), start = lookup(s, &table, at, START);
    V upper = and(s, lshr(s, b, 9), (1u << (r->places - 9)) - 1), lower = and(s, b, 511);
    V squared = square_above(s, r->places == 16 ? b : lshr(s, b, 1));
    V low = halves_product(s, slopes, or (s, lower, squared), k32(s, from->low));
    V sum = add(s, halves_product(s, slopes, upper, start), ashr(s, low, 9));
    V args[3] = {k32(s, r->bias >> (32 - r->shift)), sum, k32(s, r->shift)};
    return emit_intrinsic(s->e, "llvm.fshr", &s->i32, 1, args, 3);
}

/* upper * high + low as f64, exact, and its fraction cut to f32's. */
static V joined(Sfu *s, V high, double upper, V low)
{
    V x[3] = {LLVMBuildSIToFP(s->b, high, s->f64, ""), emit_real(s->e, s->f64, upper),
              LLVMBuildSIToFP(s->b, low, s->f64, "")};
    return float_intrinsic(s->e, "llvm.fma", x, 3);
}

static V truncated(Sfu *s, V wide)
{
    V cut = LLVMBuildAnd(s->b, LLVMBuildBitCast(s->b, wide, s->i64, ""),
                         emit_const(s->e, s->i64, ~0x1fffffffull), "");
    return LLVMBuildFPTrunc(s->b, LLVMBuildBitCast(s->b, cut, s->f64, ""), s->f32, "");
}

/* ---- special operands ---- */

enum { NAN_BITS = 0x7fffffff, INF_BITS = 0x7f800000 };
#define SIGN_BIT 0x80000000u

static V is_nan(Sfu *s, V x)
{
    return LLVMBuildFCmp(s->b, LLVMRealUNO, x, x, "");
}

/* 2^power where x is subnormal, else 1. */
static V scale_up(Sfu *s, V x, V no, int power)
{
    V magnitude = and(s, bits(s, x), 0x7fffffff);
    return choose(s, compare(s, LLVMIntULT, magnitude, 0x800000),
                  real(s, power > 0 ? (double)(1 << power) : 1.0 / (1 << -power)), no);
}

/* ---- the functions ---- */

static V rcp_f32(Sfu *s, V x)
{
    V factor = NULL;
    if (!s->ftz) {
        V huge = compare(s, LLVMIntUGT, and(s, bits(s, x), 0x7fffffff), 0x7e800000);
        factor = scale_up(s, x, choose(s, huge, real(s, 0.25), real(s, 1)), 24);
    }
    V original = x;
    if (factor)
        x = times(s, x, factor);
    V b = bits(s, x), magnitude = and(s, b, 0x7fffffff);
    V y = sub(s, rest(s, &rcp_rest, b), magnitude);
    y = choose(s, compare(s, LLVMIntSLT, y, 0x800000), k32(s, 0), y);
    y = choose(s, compare(s, LLVMIntULT, magnitude, 0x800000), k32(s, INF_BITS), y);
    y = number(s, or (s, y, and(s, b, SIGN_BIT)));
    if (factor)
        y = times(s, y, factor);
    return choose(s, is_nan(s, original), number(s, k32(s, NAN_BITS)), y);
}

/* b: bits of a normal positive number; returns bits. 64 segments for each octave of [1, 4); the
 * exponent is halved by the line. */
static V normal_root(Sfu *s, V b, bool reciprocal)
{
    const Rest *r = reciprocal ? &rsqrt_rest : &sqrt_rest;
    V y = rest(s, r, b);
    if (!reciprocal)
        return lshr(s, add(s, y, b), 1);
    V one = compare(s, LLVMIntEQ, and(s, b, 0xffffff), 0x800000);
    return lshr(s, add(s, sub(s, y, b), choose(s, one, k32(s, 2), k32(s, 0))), 1);
}

static V is_normal(Sfu *s, V b)
{
    return compare(s, LLVMIntULT, sub(s, b, k32(s, 0x800000)), 0x7f000000);
}

static V any_root(Sfu *s, V x, bool reciprocal)
{
    V factor = NULL, original = x;
    if (!s->ftz) {
        factor = scale_up(s, x, real(s, 1), reciprocal ? 12 : -12);
        x = times(s, x, scale_up(s, x, real(s, 1), 24));
    }
    V b = bits(s, x), y = normal_root(s, b, reciprocal);
    if (factor)
        y = bits(s, times(s, number(s, y), factor));
    V sign = and(s, bits(s, original), SIGN_BIT), zero, infinity;
    zero = reciprocal ? or (s, sign, k32(s, INF_BITS)) : sign;
    infinity = k32(s, reciprocal ? 0 : INF_BITS);
    V other = choose(s, compare(s, LLVMIntEQ, b, INF_BITS), infinity, k32(s, NAN_BITS));
    other = choose(s, compare(s, LLVMIntULT, and(s, b, 0x7fffffff), 0x800000), zero, other);
    return number(s, choose(s, is_normal(s, b), y, other));
}

/* Not a normal positive number. */
static V is_special(Sfu *s, V x)
{
    if (!(s->e->features & EMIT_AVX512))
        return LLVMBuildNot(s->b, is_normal(s, bits(s, x)), "");
    V part[2];
    for (unsigned p = 0; p < 2; ++p) {
        V args[2] = {float_slice(s->e, x, 16 * p, 16), LLVMConstInt(s->e->i32, 0xff, false)};
        part[p] = emit_intrinsic(s->e, "llvm.x86.avx512.fpclass.ps.512", NULL, 0, args, 2);
    }
    return float_concat(s->e, part, 2);
}

/* A warp whose lanes are all normal, nearly every one, goes a shorter way. */
static V root(Sfu *s, V x, bool reciprocal)
{
    Emitter *e = s->e;
    if (s->lanes != GK_WARP || e->by_lane)
        return any_root(s, x, reciprocal);
    V special = is_special(s, x);
    LLVMBasicBlockRef from[2], way[2], done;
    for (int k = 0; k < 2; ++k)
        way[k] = LLVMAppendBasicBlockInContext(e->cx, e->fn, k ? "special" : "normal");
    done = LLVMAppendBasicBlockInContext(e->cx, e->fn, "rooted");
    LLVMBuildCondBr(s->b, emit_any(e, LLVMBuildAnd(s->b, special, e->mask, "")), way[1], way[0]);
    V y[2];
    for (int k = 0; k < 2; ++k) {
        LLVMPositionBuilderAtEnd(s->b, way[k]);
        y[k] = k ? any_root(s, x, reciprocal) : number(s, normal_root(s, bits(s, x), reciprocal));
        from[k] = LLVMGetInsertBlock(s->b);
        LLVMBuildBr(s->b, done);
    }
    LLVMPositionBuilderAtEnd(s->b, done);
    V out = LLVMBuildPhi(s->b, s->f32, "");
    LLVMAddIncoming(out, y, from, 2);
    return out;
}

static V ex2_f32(Sfu *s, V x)
{
    V original = x, small = LLVMBuildFCmp(s->b, LLVMRealOLT, x, real(s, -126), "");
    if (!s->ftz)
        x = choose(s, small, times(s, x, real(s, 0.5)), x);
    V low = s->ftz ? small : LLVMBuildFCmp(s->b, LLVMRealOLT, x, real(s, -126), "");
    x = choose(s, low, real(s, -127), x);
    x = choose(s, LLVMBuildFCmp(s->b, LLVMRealUGT, x, real(s, 128), ""), real(s, 128), x);
    V f = LLVMBuildFPToSI(s->b, times(s, x, real(s, 0x1p23)), s->i32, "");
    V complement = LLVMBuildAnd(s->b, compare(s, LLVMIntSLT, f, 0),
                                compare(s, LLVMIntNE, and(s, f, 0x7fffff), 0), "");
    f = choose(s, complement, sub(s, f, k32(s, 1)), f);
    V y = number(s, add(s, rest(s, &ex2_rest, f), f));
    if (!s->ftz)
        y = choose(s, small, times(s, y, y), y);
    return choose(s, is_nan(s, original), number(s, k32(s, NAN_BITS)), y);
}

static V lg2_f32(Sfu *s, V x)
{
    V original = x, offset = NULL;
    if (!s->ftz) {
        V tiny = compare(s, LLVMIntULT, and(s, bits(s, x), 0x7fffffff), 0x800000);
        offset = choose(s, tiny, real(s, 24), real(s, 0));
        x = choose(s, tiny, times(s, x, real(s, 0x1p24)), x);
    }
    V b = bits(s, x), t = and(s, b, 0x1ffff), whole = sub(s, lshr(s, b, 23), k32(s, 127));
    Sum v = evaluate(s, &sfu_lg2_table, lshr(s, b, 17), t);
    /* a quarter of the sum; below 1 the ones' complement is the magnitude: one more before negation
     */
    V low = add(s, ashr(s, v.low, 2), lshr(s, whole, 31));
    V sum = joined(s, v.high, 128, low);
    V all[3] = {LLVMBuildSIToFP(s->b, whole, s->f64, ""), emit_real(s->e, s->f64, 0x1p36), sum};
    V y = times(s, truncated(s, float_intrinsic(s->e, "llvm.fma", all, 3)), real(s, 0x1p-36));
    y = choose(s, compare(s, LLVMIntEQ, b, 0x3f800000), real(s, 0), y);
    if (offset)
        y = LLVMBuildFSub(s->b, y, offset, "");
    V other = choose(s, compare(s, LLVMIntEQ, b, INF_BITS), k32(s, INF_BITS), k32(s, NAN_BITS));
    V magnitude = and(s, b, 0x7fffffff);
    other =
        choose(s, compare(s, LLVMIntULT, magnitude, 0x800000), k32(s, SIGN_BIT | INF_BITS), other);
    V normal = compare(s, LLVMIntULT, sub(s, b, k32(s, 0x800000)), 0x7f000000);
    (void)original;
    return choose(s, normal, y, number(s, other));
}

static V sincos_f32(Sfu *s, V x, bool cosine)
{
    V a = number(s, and(s, bits(s, x), 0x7fffffff));
    V factors[2] = {a, number(s, k32(s, 0x3e22f983))};
    V turns = float_arith(s->e, FLOAT_MUL, factors, 2, MOD_rz);
    turns = LLVMBuildFSub(s->b, turns, float_intrinsic(s->e, "llvm.floor", &turns, 1), "");
    turns = choose(s, is_nan(s, turns), real(s, 0), turns); /* infinity, NaN */
    V f = LLVMBuildFPToSI(s->b, times(s, turns, real(s, 0x1p25)), s->i32, "");
    if (cosine)
        f = add(s, f, k32(s, 1 << 23));
    V odd = ashr(s, shl(s, f, 8), 31); /* bit 23 everywhere */
    V position = and(s, LLVMBuildXor(s->b, f, odd, ""), 0x7fffff), t = and(s, position, 0x1ffff);
    Sum v = evaluate(s, &sfu_sin_table, lshr(s, position, 17), t);
    V y = times(s, truncated(s, joined(s, v.high, 512, v.low)), real(s, 0x1p-37));
    y = choose(s, LLVMBuildFCmp(s->b, LLVMRealOGT, y, real(s, 1), ""), real(s, 1), y);
    V sign = shl(s, f, 7); /* bit 24 to the top */
    if (!cosine)
        sign = LLVMBuildXor(s->b, sign, bits(s, x), "");
    y = number(s, or (s, bits(s, y), and(s, sign, SIGN_BIT)));
    V finite = compare(s, LLVMIntULT, bits(s, a), INF_BITS);
    return choose(s, finite, y, number(s, k32(s, NAN_BITS)));
}

static V tanh_f32(Sfu *s, V x)
{
    /* the binades' table in the form of segments: base = first | bits << 8, slopes = 2^-places */
    SfuSegment rows[16] = {{0, 0}};
    for (unsigned i = 0; i < SFU_TANH_BINADES; ++i) {
        const SfuBinade *d = &sfu_tanh_binades[i];
        rows[i] =
            (SfuSegment){d->first | (uint32_t)d->bits << 8, (uint32_t)(127 - d->places) << 23};
    }
    SfuTable from = {"tanh.binades", rows, 16, 0, false, false};
    Table binades = plain_table(&from);
    V b = bits(s, x), fraction = and(s, b, 0x7fffff);
    V binade = sub(s, and(s, lshr(s, b, 23), 255), k32(s, 127 + SFU_TANH_LEAST));
    V inside = compare(s, LLVMIntULT, binade, SFU_TANH_BINADES),
      small = compare(s, LLVMIntSLT, binade, 0);
    binade = and(s, binade, 15);
    V row = lookup(s, &binades, binade, START),
      unit = number(s, lookup(s, &binades, binade, SLOPES));
    V first = and(s, row, 255), width = lshr(s, row, 8);
    V t = and(s, LLVMBuildLShr(s->b, fraction, sub(s, k32(s, 6), width), ""), 0x1ffff);
    V segment = add(s, first, LLVMBuildLShr(s->b, fraction, sub(s, k32(s, 23), width), ""));
    Sum v = evaluate(s, &sfu_tanh_table, segment, t);
    V y = times(s, truncated(s, joined(s, v.high, 512, v.low)), unit);
    y = choose(s, inside, y, real(s, 1));
    y = number(s, or (s, bits(s, y), and(s, b, SIGN_BIT)));
    y = choose(s, small, x, y);
    return choose(s, is_nan(s, x), number(s, k32(s, NAN_BITS)), y);
}

/* ---- instructions ---- */

static IrType type0(const IrInsn *insn)
{
    return (IrType)insn->types[0];
}

typedef enum { RCP, RSQRT, SQRT, EX2, LG2, SIN, COS, TANH } Function;

static void approximate(Emitter *e, const IrInsn *insn, Function f)
{
    IrType t = type0(insn);
    V x = float_widen(e, emit_src(e, 1, t), t), y = NULL;
    Sfu s = begin(e, x, insn->mod[MC_FTZ]);
    switch (f) {
    case RCP:
        y = rcp_f32(&s, x);
        break;
    case RSQRT:
        y = root(&s, x, true);
        break;
    case SQRT:
        y = root(&s, x, false);
        break;
    case EX2:
        y = ex2_f32(&s, x);
        break;
    case LG2:
        y = lg2_f32(&s, x);
        break;
    case SIN:
    case COS:
        y = sincos_f32(&s, x, f == COS);
        break;
    case TANH:
        y = tanh_f32(&s, x);
        break;
    }
    emit_mark_approximate(e);
    /* half types truncate the f32 result; what overflows f16 is infinite */
    if (t == TY_f16 || t == TY_f16x2) {
        V infinite = LLVMBuildFCmp(e->b, LLVMRealOGE, y, real(&s, 65536), "");
        y = choose(&s, infinite, real(&s, __builtin_inf()), y);
    }
    emit_def0(e, t, float_narrow(e, y, t, t == TY_f32 ? 0 : MOD_rz));
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: the f32 tables under the upper 20 bits of the
 * fraction, and as many bits of result. */
static V high_half(Emitter *e, V x, bool reciprocal_root)
{
    Sfu s = begin(e, x, true);
    V wide = LLVMBuildBitCast(e->b, x, s.i64, "");
    V high =
        LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, wide, emit_const(e, s.i64, 32), ""), s.i32, "");
    V exponent = and(&s, lshr(&s, high, 20), 2047), sign = and(&s, high, SIGN_BIT), unbiased, y;
    V fraction = or (&s, shl(&s, and(&s, high, 0xfffff), 3), k32(&s, 0x3f800000));
    if (reciprocal_root) {
        unbiased = sub(&s, exponent, k32(&s, 1023));
        V odd = shl(&s, and(&s, unbiased, 1), 23); /* an octave up: 2^0 to 2^1 */
        y = bits(&s, root(&s, number(&s, add(&s, fraction, odd)), true));
        y = add(&s, lshr(&s, y, 3),
                shl(&s, sub(&s, k32(&s, 1023 - 127), ashr(&s, unbiased, 1)), 20));
        y = choose(&s, compare(&s, LLVMIntEQ, exponent, 2047), k32(&s, 0), y);
        y = choose(&s, compare(&s, LLVMIntNE, sign, 0), k32(&s, NAN_BITS), y);
    } else {
        y = bits(&s, rcp_f32(&s, number(&s, fraction)));
        y = add(&s, lshr(&s, y, 3), shl(&s, sub(&s, k32(&s, 2 * 1023 - 127), exponent), 20));
        y = choose(&s, compare(&s, LLVMIntSLT, y, 0x100000), k32(&s, 0), y);
        y = or (&s, y, sign);
    }
    y = choose(&s, compare(&s, LLVMIntEQ, exponent, 0), or (&s, sign, k32(&s, 0x7ff00000)), y);
    V nan = compare(&s, LLVMIntUGT, and(&s, high, 0x7fffffff), 0x7ff00000);
    y = choose(&s, nan, k32(&s, NAN_BITS), y);
    V all = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, y, s.i64, ""), emit_const(e, s.i64, 32), "");
    return LLVMBuildBitCast(e->b, all, s.f64, "");
}

/* rsqrt.approx.f64: see sfu_rsqrt_f64_full. */
static V refined_root(Emitter *e, V x)
{
    Sfu s = begin(e, x, true);
    V zero = emit_real(e, s.f64, 0), one = emit_real(e, s.f64, 1), size, tiny, y, step[3];
    size = float_intrinsic(e, "llvm.fabs", &x, 1);
    tiny = LLVMBuildFCmp(e->b, LLVMRealOLT, size, emit_real(e, s.f64, 0x1p-1022), "");
    V up = choose(&s, tiny, emit_real(e, s.f64, 0x1p54), one),
      value = LLVMBuildFMul(e->b, x, up, "");
    y = high_half(e, value, true);
    step[0] = value;
    step[1] = LLVMBuildFNeg(e->b, LLVMBuildFMul(e->b, y, y, ""), "");
    step[2] = one;
    V error = float_intrinsic(e, "llvm.fma", step, 3);
    step[0] = error;
    step[1] = emit_real(e, s.f64, 0.375);
    step[2] = emit_real(e, s.f64, 0.5);
    step[0] = float_intrinsic(e, "llvm.fma", step, 3);
    step[1] = LLVMBuildFMul(e->b, y, error, "");
    step[2] = y;
    V r = LLVMBuildFMul(e->b, float_intrinsic(e, "llvm.fma", step, 3),
                        choose(&s, tiny, emit_real(e, s.f64, 0x1p27), one), "");
    /* infinity gives 0; zero its own sign's infinity; below zero the negative NaN */
    V infinity = emit_real(e, s.f64, __builtin_inf());
    r = choose(&s, LLVMBuildFCmp(e->b, LLVMRealOEQ, x, infinity, ""), zero, r);
    V signed_infinity = LLVMBuildFDiv(e->b, one, x, "");
    r = choose(&s, LLVMBuildFCmp(e->b, LLVMRealOEQ, x, zero, ""), signed_infinity, r);
    V nan = LLVMBuildBitCast(e->b, emit_const(e, s.i64, 0xfff8000000000000), s.f64, "");
    r = choose(&s, LLVMBuildFCmp(e->b, LLVMRealOLT, x, zero, ""), nan, r);
    return choose(&s, is_nan(&s, x), LLVMBuildFAdd(e->b, x, x, ""), r);
}

/* Exactly rounded forms. */
static void rounded(Emitter *e, const IrInsn *insn, FloatOp op)
{
    IrType t = type0(insn);
    bool flush = insn->mod[MC_FTZ] && t == TY_f32;
    V x = emit_src(e, 1, t), a[2] = {emit_real(e, LLVMTypeOf(x), 1), NULL}, r;
    if (flush)
        x = float_flush(e, x);
    a[1] = x;
    r = op == FLOAT_SQRT ? float_arith(e, op, &x, 1, insn->mod[MC_RND])
                         : float_arith(e, op, a, 2, insn->mod[MC_RND]);
    emit_def0(e, t, flush ? float_flush(e, r) : r);
}

static void double_form(Emitter *e, V result)
{
    emit_mark_approximate(e);
    emit_def0(e, TY_f64, result);
}

void emit_op_rcp(Emitter *e, const IrInsn *insn)
{
    if (!insn->mod[MC_APPROX])
        rounded(e, insn, FLOAT_DIV);
    else if (type0(insn) == TY_f64)
        double_form(e, high_half(e, emit_src(e, 1, TY_f64), false));
    else
        approximate(e, insn, RCP);
}

void emit_op_sqrt(Emitter *e, const IrInsn *insn)
{
    if (insn->mod[MC_APPROX] && type0(insn) != TY_f64)
        approximate(e, insn, SQRT);
    else
        rounded(e, insn, FLOAT_SQRT);
}

void emit_op_rsqrt(Emitter *e, const IrInsn *insn)
{
    if (type0(insn) != TY_f64) {
        approximate(e, insn, RSQRT);
        return;
    }
    V x = emit_src(e, 1, TY_f64);
    double_form(e, insn->mod[MC_FTZ] ? high_half(e, x, true) : refined_root(e, x));
}

void emit_op_sin(Emitter *e, const IrInsn *insn)
{
    approximate(e, insn, SIN);
}

void emit_op_cos(Emitter *e, const IrInsn *insn)
{
    approximate(e, insn, COS);
}

void emit_op_lg2(Emitter *e, const IrInsn *insn)
{
    approximate(e, insn, LG2);
}

void emit_op_ex2(Emitter *e, const IrInsn *insn)
{
    approximate(e, insn, EX2);
}

void emit_op_tanh(Emitter *e, const IrInsn *insn)
{
    approximate(e, insn, TANH);
}

/* div.approx is a * (1/b), the reciprocal of a subnormal scaled up with the dividend; div.full also
 * scales large divisors down, whose reciprocals would vanish. Source: PTX ISA, div. */
void emit_op_div_approx(Emitter *e, const IrInsn *insn)
{
    emit_mark_approximate(e);
    V a = emit_src(e, 1, TY_f32), b = emit_src(e, 2, TY_f32);
    Sfu s = begin(e, a, true);
    bool flush = insn->mod[MC_FTZ];
    if (flush) {
        a = float_flush(e, a);
        b = float_flush(e, b);
    }
    V factor = real(&s, 1), magnitude = and(&s, bits(&s, b), 0x7fffffff);
    if (insn->mod[MC_APPROX] == MOD_full)
        factor = choose(&s, compare(&s, LLVMIntUGT, magnitude, 0x7e800000), real(&s, 0.25), factor);
    if (!flush)
        factor = scale_up(&s, b, factor, 24);
    V y = times(&s, times(&s, a, factor), rcp_f32(&s, times(&s, b, factor)));
    emit_def0(e, TY_f32, flush ? float_flush(e, y) : y);
}
