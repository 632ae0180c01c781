/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix products of a warp (wmma, mma). Each register of a fragment is a vector of 32 lanes, and so is
 * each register of the result; the element of A and the one of B that a lane needs next come by a
 * shuffle with a constant mask. One function per operation and kernel does that; loads and stores of
 * wmma are such functions too, of plain vector accesses.
 *
 * Fragments that only these instructions see never are LLVM values: they have a home in memory, which
 * the functions read and write (kernels with thousands of products would else mostly copy). The homes
 * of accumulators that live across barriers lie in the warp's frame.
 *
 * Layouts: those of mma are documented ("Matrix Fragments for mma"); wmma's are not, so they are ours:
 * runs of four words along the lines of the matrix in memory, dealt to groups of four lanes.
 *
 * A sparse A (mma.sp) is spread out: a chunk of four units (an element, two of four bits, half a tf32)
 * holds two, and four bits of metadata say which. Where those bits lie the manual shows in pictures:
 * 16 bits of a row in a word, or 32 where elements are of 8 bits and less.
 *
 * Numerics: products of half types are exact, sums are f32 fused multiply-adds in the order of k,
 * starting from C (a tensor core's own order is not documented); f64 likewise; integers are exact.
 * PTX ISA: "Warp Level Matrix Instructions". */
#include "codegen/emit.h"
#include "codegen/float.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 256, MAX_REGISTERS = 8, MAX_VECTORS = 64, QUAD = 4, GROUPS = GK_WARP / QUAD };

typedef enum { FRAGMENT_A, FRAGMENT_B, FRAGMENT_C } FragmentKind;

typedef struct {
    FragmentKind kind;
    bool wmma, by_column; /* by_column: lines of memory are columns (wmma) */
    unsigned rows, columns;
    unsigned bits;      /* of an element */
    unsigned word;      /* of a register: 32 or 64 */
    unsigned per;       /* elements in a register */
    unsigned registers; /* as the instruction names them */
    IrType type;
} Fragment;

typedef struct {
    unsigned row, column;
    bool used; /* false: a register that holds nothing (wmma's half fragments name twice as many) */
} Place;

/* Where in the matrix element `e` of register `r` of a lane lies. */
static Place place(const Fragment *f, unsigned lane, unsigned r, unsigned e)
{
    unsigned group = lane / QUAD, t = lane % QUAD;
    if (f->wmma) {
        unsigned lines = f->by_column ? f->columns : f->rows,
                 length = f->by_column ? f->rows : f->columns;
        unsigned quad = r * GROUPS + group, line = quad % lines,
                 at = (quad / lines * QUAD + t) * f->per + e;
        return f->by_column ? (Place){at, line, at < length} : (Place){line, at, at < length};
    }
    if (f->kind == FRAGMENT_A) {
        unsigned bands = f->rows / 8;
        return (Place){group + 8 * (r % bands), (r / bands * QUAD + t) * f->per + e, true};
    }
    if (f->kind == FRAGMENT_B)
        return (Place){(r * QUAD + t) * f->per + e, group, true};
    unsigned i = r * f->per + e;
    return (Place){group + 8 * (i >> 1), 2 * t + (i & 1), true};
}

/* ---- operands ---- */

static LLVMTypeRef word_type(Emitter *e, const Fragment *f)
{
    return emit_vec(f->word == 64 ? e->i64 : e->i32);
}

static IrType register_type(const Fragment *f)
{
    return f->word == 64 ? TY_b64 : TY_b32;
}

static bool is_float(const Fragment *f)
{
    return ir_type_info[f->type].class == TC_FLOAT;
}

static bool fragment(Emitter *e, Fragment *f, FragmentKind kind, bool wmma, const unsigned shape[3],
                     IrType type, const IrOperand *o)
{
    unsigned m = shape[0], n = shape[1], k = shape[2];
    *f = (Fragment){.kind = kind, .wmma = wmma, .type = type, .registers = ir_count(o)};
    f->rows = kind == FRAGMENT_B ? k : m;
    f->columns = kind == FRAGMENT_A ? k : n;
    f->type = type == TY_f16x2 ? TY_f16 : type == TY_bf16x2 ? TY_bf16 : type;
    f->bits = ir_type_bits(f->type);
    f->word = f->bits == 64 ? 64 : 32;
    f->per = f->word / f->bits;
    if (f->rows <= MAX_SIDE && f->columns <= MAX_SIDE && f->registers <= MAX_REGISTERS &&
        (f->bits == 1 || f->registers * f->per <= MAX_VECTORS))
        return true;
    emit_error(e, "this shape of matrix is not supported");
    return false;
}

static bool shape_of(Emitter *e, const IrInsn *insn, unsigned shape[3])
{
    const char *text = ir_mod_info[insn->mod[MC_SHAPE]].text;
    if (e->by_lane)
        emit_error(e, "%s in a kernel whose lanes wait for each other is not supported",
                   ir_op_info[insn->op].text);
    else if (sscanf(text, "m%un%uk%u", &shape[0], &shape[1], &shape[2]) != 3)
        emit_error(e, "matrix shape %s is not supported", text);
    else
        return true;
    return false;
}

static LLVMValueRef at_bytes(Emitter *e, LLVMValueRef base, uint64_t bytes)
{
    LLVMValueRef k = emit_k64(e, bytes);
    return LLVMBuildGEP2(e->b, e->i8, base, &k, 1, "");
}

/* Registers that hold something. */
static unsigned used_registers(const Fragment *f)
{
    unsigned words = f->rows * f->columns / f->per / GK_WARP;
    return f->wmma && words < f->registers ? words : f->registers;
}

/* ---- elements as vectors ---- */

typedef struct {
    LLVMValueRef v[MAX_VECTORS]; /* v[r * per + e]: element e of register r, over the lanes */
    unsigned count, rows, columns;
    struct {
        uint8_t vector, lane;
    } * spot; /* by row * columns + column */
} Elements;

/* The four bits, byte or half at place e of a word, as i32 or f32. */
static LLVMValueRef decode(Emitter *e, const Fragment *f, LLVMValueRef word, unsigned at)
{
    LLVMTypeRef i32 = emit_vec(e->i32), f32 = emit_vec(e->f32);
    unsigned low = at * f->bits, above = 32 - low - f->bits;
    switch (f->type) {
    case TY_f64:
        return LLVMBuildBitCast(e->b, word, emit_vec(e->f64), "");
    case TY_f16: {
        LLVMValueRef h = low ? LLVMBuildLShr(e->b, word, emit_const(e, i32, low), "") : word;
        h = LLVMBuildBitCast(e->b, LLVMBuildTrunc(e->b, h, emit_vec(e->i16), ""), emit_vec(e->half),
                             "");
        return LLVMBuildFPExt(e->b, h, f32, "");
    }
    case TY_bf16:
        word = low ? LLVMBuildAnd(e->b, word, emit_const(e, i32, 0xffff0000u), "")
                   : LLVMBuildShl(e->b, word, emit_const(e, i32, 16), "");
        return LLVMBuildBitCast(e->b, word, f32, "");
    case TY_tf32: /* the unit ignores the low 13 bits */
        return LLVMBuildBitCast(e->b, LLVMBuildAnd(e->b, word, emit_const(e, i32, 0xffffe000u), ""),
                                f32, "");
    case TY_f32:
        return LLVMBuildBitCast(e->b, word, f32, "");
    case TY_e5m2:
    case TY_e4m3: { /* by way of f16: e5m2 is its upper half; e4m3 lies 8 powers of two below */
        bool wide = f->type == TY_e4m3;
        LLVMValueRef b = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, word, emit_const(e, i32, low), ""),
                                      emit_const(e, i32, 0xff), "");
        LLVMValueRef magnitude = LLVMBuildAnd(e->b, b, emit_const(e, i32, 0x7f), "");
        LLVMValueRef h = LLVMBuildShl(e->b, magnitude, emit_const(e, i32, wide ? 7 : 8), "");
        LLVMValueRef sign = LLVMBuildShl(e->b, LLVMBuildAnd(e->b, b, emit_const(e, i32, 0x80), ""),
                                         emit_const(e, i32, 8), "");
        h = LLVMBuildTrunc(e->b, LLVMBuildOr(e->b, h, sign, ""), emit_vec(e->i16), "");
        LLVMValueRef x =
            LLVMBuildFPExt(e->b, LLVMBuildBitCast(e->b, h, emit_vec(e->half), ""), f32, "");
        if (!wide)
            return x;
        LLVMValueRef nan = LLVMBuildICmp(e->b, LLVMIntEQ, magnitude, emit_const(e, i32, 0x7f), "");
        x = LLVMBuildFMul(e->b, x, emit_real(e, f32, 256), "");
        return LLVMBuildSelect(e->b, nan, emit_real(e, f32, __builtin_nan("")), x, "");
    }
    default:
        if (f->bits == 32)
            return word;
        if (above)
            word = LLVMBuildShl(e->b, word, emit_const(e, i32, above), "");
        LLVMValueRef down = emit_const(e, i32, 32 - f->bits);
        return ir_type_info[f->type].class == TC_SIGNED ? LLVMBuildAShr(e->b, word, down, "")
                                                        : LLVMBuildLShr(e->b, word, down, "");
    }
}

static void load_words(Emitter *e, const Fragment *f, LLVMValueRef from, LLVMValueRef *words)
{
    for (unsigned r = 0; r < used_registers(f); ++r)
        words[r] = LLVMBuildLoad2(e->b, word_type(e, f),
                                  at_bytes(e, from, (uint64_t)r * GK_WARP * f->word / 8), "");
}

/* Where everything is; `per` parts to a register, each of `step` elements. */
static void find_spots(Emitter *e, const Fragment *f, unsigned per, unsigned step, Elements *out)
{
    out->rows = f->kind == FRAGMENT_B ? f->rows / step : f->rows;
    out->columns = f->kind == FRAGMENT_B ? f->columns : f->columns / step;
    out->count = used_registers(f) * per;
    out->spot = arena_alloc(e->arena, (size_t)out->rows * out->columns * sizeof *out->spot);
    for (unsigned v = out->count; v-- > 0;)
        for (unsigned lane = 0; lane < GK_WARP; ++lane) {
            Place p = place(f, lane, v / per, v % per * step);
            unsigned row = f->kind == FRAGMENT_B ? p.row / step : p.row,
                     column = f->kind == FRAGMENT_B ? p.column : p.column / step;
            if (!p.used || row >= out->rows || column >= out->columns)
                continue;
            out->spot[row * out->columns + column].vector = (uint8_t)v;
            out->spot[row * out->columns + column].lane = (uint8_t)lane;
        }
}

static void elements_of(Emitter *e, const Fragment *f, LLVMValueRef from, Elements *out)
{
    LLVMValueRef words[MAX_VECTORS];
    load_words(e, f, from, words);
    find_spots(e, f, f->per, 1, out);
    for (unsigned v = 0; v < out->count; ++v)
        out->v[v] = decode(e, f, words[v / f->per], v % f->per);
}

/* The vector whose lanes are the elements at (row[lane], column[lane]). */
static LLVMValueRef pick(Emitter *e, const Elements *x, const unsigned *row, const unsigned *column)
{
    LLVMValueRef result = NULL;
    for (uint32_t left = UINT32_MAX; left;) { /* one source vector a turn */
        unsigned first = (unsigned)__builtin_ctz(left);
        unsigned source = x->spot[row[first] * x->columns + column[first]].vector;
        LLVMValueRef index[GK_WARP];
        bool same = true;
        for (unsigned lane = 0; lane < GK_WARP; ++lane) {
            unsigned at = row[lane] * x->columns + column[lane];
            bool here = x->spot[at].vector == source && (left >> lane & 1);
            same &= here && x->spot[at].lane == lane;
            if (here)
                left &= ~(1u << lane);
            index[lane] = here ? emit_k32(e, (result ? GK_WARP : 0u) + x->spot[at].lane)
                          : result && !(left >> lane & 1) ? emit_k32(e, lane)
                                                          : LLVMGetUndef(e->i32);
        }
        LLVMValueRef v = x->v[source];
        if (same)
            return v;
        result = result
                     ? LLVMBuildShuffleVector(e->b, result, v, LLVMConstVector(index, GK_WARP), "")
                     : LLVMBuildShuffleVector(e->b, v, LLVMGetUndef(LLVMTypeOf(v)),
                                              LLVMConstVector(index, GK_WARP), "");
    }
    return result;
}

/* ---- products ---- */

typedef struct {
    Fragment a, b, c, d;
    unsigned k;
    bool saturate;
    unsigned bitwise; /* b1: MOD_xor, MOD_and */
    bool sparse;
    unsigned selector; /* sparse: which lanes of four hold the metadata */
} Product;

/* Sums of the products of 16-bit pairs. */
static LLVMValueRef pair_products(Emitter *e, LLVMValueRef x, LLVMValueRef y)
{
    static const struct {
        const char *name;
        unsigned lanes, feature;
    } units[] = {{"llvm.x86.avx512.pmaddw.d.512", 16, EMIT_AVX512},
                 {"llvm.x86.avx2.pmadd.wd", 8, EMIT_AVX2}};
    for (unsigned u = 0; u < 2; ++u) {
        if (!(e->features & units[u].feature))
            continue;
        LLVMValueRef parts[GK_WARP];
        unsigned n = units[u].lanes;
        for (unsigned at = 0; at < GK_WARP; at += n) {
            LLVMTypeRef pairs = LLVMVectorType(e->i16, 2 * n);
            LLVMValueRef args[2] = {LLVMBuildBitCast(e->b, float_slice(e, x, at, n), pairs, ""),
                                    LLVMBuildBitCast(e->b, float_slice(e, y, at, n), pairs, "")};
            parts[at / n] = emit_intrinsic(e, units[u].name, NULL, 0, args, 2);
        }
        return float_concat(e, parts, GK_WARP / n);
    }
    LLVMValueRef half = emit_const(e, emit_vec(e->i32), 16), sum = NULL;
    for (int high = 0; high < 2; ++high) {
        LLVMValueRef p = LLVMBuildAShr(e->b, high ? x : LLVMBuildShl(e->b, x, half, ""), half, "");
        LLVMValueRef q = LLVMBuildAShr(e->b, high ? y : LLVMBuildShl(e->b, y, half, ""), half, "");
        LLVMValueRef product = LLVMBuildMul(e->b, p, q, "");
        sum = sum ? LLVMBuildAdd(e->b, sum, product, "") : product;
    }
    return sum;
}

/* Bytes 0 and 2 (odd: 1 and 3) of each word as two 16-bit numbers. */
static LLVMValueRef byte_pairs(Emitter *e, const Fragment *f, LLVMValueRef word, bool odd)
{
    LLVMTypeRef halves = LLVMVectorType(e->i16, 2 * GK_WARP);
    LLVMValueRef x = LLVMBuildBitCast(e->b, word, halves, ""), eight = emit_const(e, halves, 8);
    if (!odd)
        x = LLVMBuildShl(e->b, x, eight, "");
    x = ir_type_info[f->type].class == TC_SIGNED ? LLVMBuildAShr(e->b, x, eight, "")
                                                 : LLVMBuildLShr(e->b, x, eight, "");
    return LLVMBuildBitCast(e->b, x, emit_vec(e->i32), "");
}

/* Whole words along k, where both sides have them: bytes by pairs, bits by counting. */
static bool words_along_k(const Product *p)
{
    if (p->sparse)
        return false;
    bool a = !p->a.wmma || !p->a.by_column, b = !p->b.wmma || p->b.by_column;
    return a && b && !is_float(&p->a) && (p->a.bits == 8 || p->a.bits == 1) &&
           p->a.bits == p->b.bits;
}

static LLVMValueRef word_product(Emitter *e, const Product *p, LLVMValueRef x, LLVMValueRef y)
{
    if (p->a.bits == 8) {
        LLVMValueRef even =
            pair_products(e, byte_pairs(e, &p->a, x, false), byte_pairs(e, &p->b, y, false));
        return LLVMBuildAdd(
            e->b, even,
            pair_products(e, byte_pairs(e, &p->a, x, true), byte_pairs(e, &p->b, y, true)), "");
    }
    LLVMValueRef both =
        p->bitwise == MOD_and ? LLVMBuildAnd(e->b, x, y, "") : LLVMBuildXor(e->b, x, y, "");
    return float_intrinsic(e, "llvm.ctpop", &both, 1);
}

static LLVMValueRef element_product(Emitter *e, LLVMValueRef x, LLVMValueRef y, LLVMValueRef sum)
{
    LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(x));
    if (t == e->i32)
        return LLVMBuildAdd(e->b, sum, LLVMBuildMul(e->b, x, y, ""), "");
    return float_intrinsic(e, "llvm.fma", (LLVMValueRef[]){x, y, sum}, 3);
}

/* The four bits of metadata of chunk `chunk` of each lane's row (`row`: of the lanes' groups 0 or 8). */
static LLVMValueRef chunk_bits(Emitter *e, const Product *p, LLVMValueRef metadata, unsigned row,
                               const unsigned *chunk)
{
    bool narrow = p->a.bits <= 8;
    unsigned chunks = p->k / (narrow && p->a.bits == 4 ? 8
                              : p->a.type == TY_tf32   ? 2
                                                       : 4),
             lanes =
                 chunks / 4; /* of a group of four, that hold a row's bits and those of row + 8 */
    LLVMValueRef from[GK_WARP], shift[GK_WARP];
    for (unsigned lane = 0; lane < GK_WARP; ++lane) {
        unsigned c = chunk[lane], unit = narrow ? c / 8 * 2 + (row >= 8) : c / 4;
        from[lane] =
            emit_k32(e, (lane & ~3u) + (lanes >= 4 ? 0 : p->selector * lanes) % QUAD + unit);
        shift[lane] = emit_k32(e, narrow ? c % 8 * 4 : c % 4 * 4 + (row >= 8 ? 16 : 0));
    }
    LLVMValueRef word = LLVMBuildShuffleVector(e->b, metadata, LLVMGetUndef(LLVMTypeOf(metadata)),
                                               LLVMConstVector(from, GK_WARP), "");
    word = LLVMBuildLShr(e->b, word, LLVMConstVector(shift, GK_WARP), "");
    return LLVMBuildAnd(e->b, word, emit_const(e, LLVMTypeOf(word), 15), "");
}

/* A sparse A's registers as elements of the whole A; *there: where it has one (all bits). */
static void sparse_elements(Emitter *e, const Product *p, LLVMValueRef from, LLVMValueRef metadata,
                            Elements *out, Elements *there)
{
    const Fragment *f = &p->a;
    LLVMValueRef words[MAX_VECTORS];
    LLVMTypeRef i32 = emit_vec(e->i32);
    unsigned nonzero = f->bits == 4    ? 4
                       : f->bits == 32 ? 1
                                       : 2,
             width = 2 * nonzero, chunks = f->per / nonzero, bands = f->rows / 8;
    load_words(e, f, from, words);
    out->rows = f->rows;
    out->columns = 2 * f->columns;
    out->count = f->registers * 2 * f->per;
    out->spot = arena_alloc(e->arena, (size_t)out->rows * out->columns * sizeof *out->spot);
    for (unsigned r = 0; r < f->registers; ++r)
        for (unsigned j = 0; j < chunks; ++j) {
            unsigned chunk[GK_WARP], row = 8 * (r % bands);
            for (unsigned lane = 0; lane < GK_WARP; ++lane)
                chunk[lane] = (r / bands * QUAD + lane % QUAD) * chunks + j;
            LLVMValueRef bits = chunk_bits(e, p, metadata, row, chunk),
                         index[2] = {LLVMBuildAnd(e->b, bits, emit_const(e, i32, 3), ""),
                                     LLVMBuildLShr(e->b, bits, emit_const(e, i32, 2), "")};
            for (unsigned x = 0; x < width; ++x) {
                unsigned v = (r * chunks + j) * width + x, unit = x * 4 / width;
                LLVMValueRef value = NULL, mask = LLVMConstNull(i32);
                for (unsigned k = 0; k < (nonzero == 1 ? 1u : 2u); ++k) {
                    unsigned at = j * nonzero + (nonzero == 4 ? k * 2 + x % 2 : k);
                    LLVMValueRef one = decode(e, f, words[r], at),
                                 here = LLVMBuildICmp(e->b, LLVMIntEQ, index[k],
                                                      emit_const(e, i32, unit), "");
                    value = LLVMBuildSelect(e->b, here, one,
                                            value ? value : LLVMConstNull(LLVMTypeOf(one)), "");
                    mask = LLVMBuildOr(e->b, mask, LLVMBuildSExt(e->b, here, i32, ""), "");
                }
                out->v[v] = value;
                there->v[v] = mask;
                for (unsigned lane = 0; lane < GK_WARP; ++lane) {
                    unsigned at = (row + lane / QUAD) * out->columns + chunk[lane] * width + x;
                    out->spot[at].vector = (uint8_t)v;
                    out->spot[at].lane = (uint8_t)lane;
                }
            }
        }
    there->rows = out->rows;
    there->columns = out->columns;
    there->spot = out->spot;
}

/* from: the registers of A, B, C, D and the metadata of a sparse A in memory; D may be in C's place. */
static void product_body(Emitter *e, const Product *p, const LLVMValueRef *from)
{
    Elements a, b, c, d, there;
    bool words = words_along_k(p);
    unsigned step = words ? p->a.per : 1;
    if (words) {
        find_spots(e, &p->a, 1, step, &a);
        find_spots(e, &p->b, 1, step, &b);
        load_words(e, &p->a, from[0], a.v);
        load_words(e, &p->b, from[1], b.v);
    } else {
        if (p->sparse)
            sparse_elements(e, p, from[0], LLVMBuildLoad2(e->b, emit_vec(e->i32), from[4], ""), &a,
                            &there);
        else
            elements_of(e, &p->a, from[0], &a);
        elements_of(e, &p->b, from[1], &b);
    }
    elements_of(e, &p->c, from[2], &c);
    find_spots(e, &p->d, p->d.per, 1, &d);
    unsigned row[MAX_VECTORS][GK_WARP], column[MAX_VECTORS][GK_WARP];
    LLVMValueRef start[MAX_VECTORS];
    for (unsigned v = 0; v < d.count; ++v) {
        for (unsigned lane = 0; lane < GK_WARP; ++lane) {
            Place at = place(&p->d, lane, v / p->d.per, v % p->d.per);
            row[v][lane] = at.used ? at.row : 0;
            column[v][lane] = at.used ? at.column : 0;
        }
        start[v] = pick(e, &c, row[v], column[v]);
        d.v[v] = p->saturate ? LLVMConstNull(LLVMTypeOf(start[v])) : start[v];
    }
    for (unsigned k = 0; k < p->k / step; ++k)
        for (unsigned v = 0; v < d.count; ++v) {
            unsigned at[GK_WARP];
            for (unsigned lane = 0; lane < GK_WARP; ++lane)
                at[lane] = k;
            LLVMValueRef x = pick(e, &a, row[v], at), y = pick(e, &b, at, column[v]);
            if (p->sparse && is_float(&p->b)) { /* what is not there meets no infinity */
                LLVMTypeRef t = LLVMTypeOf(y);
                y = LLVMBuildBitCast(e->b, y, emit_vec(e->i32), "");
                y = LLVMBuildAnd(e->b, y, pick(e, &there, row[v], at), "");
                y = LLVMBuildBitCast(e->b, y, t, "");
            }
            d.v[v] = words ? LLVMBuildAdd(e->b, d.v[v], word_product(e, p, x, y), "")
                           : element_product(e, x, y, d.v[v]);
        }
    for (unsigned v = 0; v < d.count && p->saturate;
         ++v) /* the products' sum fits; with C it may not */
        d.v[v] = float_intrinsic(e, "llvm.sadd.sat", (LLVMValueRef[]){start[v], d.v[v]}, 2);
    for (unsigned r = 0; r < used_registers(&p->d); ++r) {
        LLVMValueRef word = NULL;
        for (unsigned i = 0; i < p->d.per; ++i) {
            LLVMValueRef x = d.v[r * p->d.per + i];
            LLVMTypeRef t = LLVMTypeOf(x);
            if (p->d.per == 2) {
                x = emit_bitcast(e, float_narrow(e, x, p->d.type, MOD_rn), emit_vec(e->i16));
                x = LLVMBuildZExt(e->b, x, emit_vec(e->i32), "");
            } else if (is_float(&p->d)) { /* NaN as PTX has it */
                LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, x, x, "");
                x = LLVMBuildBitCast(e->b, x, word_type(e, &p->d), "");
                x = LLVMBuildSelect(
                    e->b, nan,
                    emit_const(e, LLVMTypeOf(x),
                               t == emit_vec(e->f64) ? 0x7fffffffffffffffull : 0x7fffffff),
                    x, "");
            }
            word = word
                       ? LLVMBuildOr(e->b, word,
                                     LLVMBuildShl(e->b, x, emit_const(e, emit_vec(e->i32), 16), ""),
                                     "")
                       : x;
        }
        LLVMBuildStore(e->b, word, at_bytes(e, from[3], (uint64_t)r * GK_WARP * p->d.word / 8));
    }
}

/* ---- homes ---- */

enum { HOME_BYTES = MAX_REGISTERS * GK_WARP * 8 };

static LLVMValueRef home_pointer(Emitter *e, FragmentHome *home)
{
    if (home->frame_at)
        return at_bytes(e, e->frame_arg, home->frame_at);
    if (!home->slot) {
        home->slot = emit_slot(e, LLVMArrayType(e->i8, HOME_BYTES), "fragment");
        LLVMSetAlignment(home->slot, 64);
    }
    return home->slot;
}

/* The values of an operand, when they lie side by side in one home; else false. */
static bool at_home(const Emitter *e, const IrOperand *o, unsigned used, int32_t *home,
                    unsigned *first)
{
    for (unsigned r = 0; r < used; ++r) {
        const IrOperand *x = ir_item(o, r);
        if (x->kind != OPND_reg || !e->values[x->reg].home)
            return false;
        const ValueState *v = &e->values[x->reg];
        if (!r)
            *home = v->home, *first = v->home_at;
        if (v->home != *home || v->home_at != *first + r)
            return false;
    }
    return true;
}

/* How an instruction uses fragments: result and operands, -1 for none; words of 64 bits? */
typedef struct {
    int result, in[3];
    int sum; /* which operand is the accumulator */
} FragmentUse;

static bool fragment_use(const IrInsn *insn, FragmentUse *use)
{
    switch (insn->op) {
    case OP_mma:
    case OP_mma_sp:
    case OP_mma_ordered:
    case OP_wmma_mma:
        *use = (FragmentUse){0, {1, 2, 3}, 3};
        return true;
    case OP_wmma_load:
        *use = (FragmentUse){0, {-1, -1, -1}, -1};
        return true;
    case OP_wmma_store:
        *use = (FragmentUse){-1, {1, -1, -1}, -1};
        return true;
    case OP_ldmatrix:
        *use = (FragmentUse){0, {-1, -1, -1}, -1};
        return true;
    default:
        return false;
    }
}

typedef struct {
    Emitter *e;
    uint32_t *uses, *matched; /* per value */
} HomeSearch;

static void count_use(void *data, int32_t *reg, bool is_definition, int index)
{
    (void)index;
    if (!is_definition && *reg >= 0)
        ((HomeSearch *)data)->uses[*reg]++;
}

static void count_uses(HomeSearch *s)
{
    Flow *flow = s->e->flow;
    for (int32_t b = 0; b < flow->block_count; ++b) {
        const FlowBlock *block = &flow->blocks[b];
        for (int32_t i = block->begin; i < block->end; ++i) {
            FlowInsn *insn = &flow->insns[i];
            flow_visit_registers(&insn->insn, count_use, s);
            for (int k = 0; k < 8 && insn->insn.guard >= 0; ++k)
                if (insn->old[k] >= 0)
                    s->uses[insn->old[k]]++;
        }
        for (int32_t p = 0; p < block->phi_count; ++p)
            for (int32_t q = 0; q < block->pred_count; ++q)
                if (block->phis[p].in[q] >= 0)
                    s->uses[block->phis[p].in[q]]++;
    }
}

/* Notes which operands are found at home, and gives the result a home. */
static void find_home(HomeSearch *s, int32_t block, int32_t i)
{
    Emitter *e = s->e;
    const IrInsn *insn = &e->flow->insns[i].insn;
    FragmentUse use;
    if (!fragment_use(insn, &use) || insn->guard >= 0)
        return;
    int32_t home, sum = 0;
    for (int k = 0; k < 3; ++k) {
        const IrOperand *o = use.in[k] >= 0 ? &insn->operands[use.in[k]] : NULL;
        unsigned first;
        if (!o || !at_home(e, o, ir_count(o), &home, &first))
            continue;
        for (unsigned r = 0; r < ir_count(o); ++r)
            s->matched[ir_item(o, r)->reg]++;
        FragmentHome *h = &e->homes.items[home];
        h->last = i;
        h->outlives |= h->block != block;
        if (use.in[k] == use.sum && !first)
            sum = home;
    }
    const IrOperand *d = use.result >= 0 ? &insn->operands[use.result] : NULL;
    if (!d || ir_count(d) > MAX_REGISTERS)
        return;
    for (unsigned r = 0; r < ir_count(d); ++r)
        if (ir_item(d, r)->kind != OPND_reg)
            return;
    FragmentHome h = {.first = i, .last = i, .block = block, .from = sum, .values = ir_count(d)};
    VEC_PUSH(e->homes, h);
    for (unsigned r = 0; r < ir_count(d); ++r) {
        ValueState *v = &e->values[ir_item(d, r)->reg];
        v->home = (int32_t)e->homes.count - 1;
        v->home_at = (uint8_t)r;
    }
}

/* All uses of every value in it are by matrix instructions. */
static void judge_homes(HomeSearch *s)
{
    Emitter *e = s->e;
    for (size_t v = 0; v < e->flow->values.count; ++v) {
        if (!e->values[v].home)
            continue;
        FragmentHome *h = &e->homes.items[e->values[v].home];
        h->wanted |= s->matched[v] > 0;
        h->once += s->uses[v] == 1 && s->matched[v] == 1;
        e->values[v].in_memory = s->uses[v] == s->matched[v];
    }
}

/* The result may take the accumulator's place: nobody else wants that, and each turn of a loop makes
 * a new one. */
static bool follows(const Emitter *e, const FragmentHome *h)
{
    const FragmentHome *from = &e->homes.items[h->from];
    if (!h->from || from->once != from->values || from->values != h->values ||
        from->last != h->first)
        return false;
    return (!h->outlives || !from->pooled) &&
           e->flow->blocks[from->block].loop == e->flow->blocks[h->block].loop;
}

/* Memory for the homes: an accumulator's result takes the place of the accumulator that it ends;
 * what a block does not outlive shares a few places; the rest has its own. */
static void place_homes(Emitter *e)
{
    VEC(int32_t) free_places = {0}, live = {0};
    for (size_t k = 1; k < e->homes.count; ++k) {
        FragmentHome *h = &e->homes.items[k];
        for (size_t i = 0; i < live.count;) { /* who has ended before this one begins */
            const FragmentHome *other = &e->homes.items[live.items[i]];
            bool over = other->last < h->first || other->block != h->block;
            if (over)
                VEC_PUSH(free_places, other->place);
            if (over)
                live.items[i] = live.items[--live.count];
            else
                ++i;
        }
        if (!h->wanted)
            continue;
        if (follows(e, h)) {
            h->place = e->homes.items[h->from].place;
            h->pooled = e->homes.items[h->from].pooled;
            for (size_t i = 0; i < live.count; ++i) /* the place goes on living with this one */
                if (live.items[i] == h->from)
                    live.items[i] = (int32_t)k;
            continue;
        }
        h->pooled = !h->outlives;
        if (h->pooled && free_places.count) {
            h->place = free_places.items[--free_places.count];
        } else {
            FragmentHome place = {0};
            VEC_PUSH(e->places, place);
            h->place = (int32_t)e->places.count - 1;
            if (!h->pooled && e->suspends) {
                e->frame_bytes = (e->frame_bytes + 63) & ~63u;
                e->places.items[h->place].frame_at = e->frame_bytes;
                e->frame_bytes += HOME_BYTES;
            }
        }
        if (h->pooled)
            VEC_PUSH(live, (int32_t)k);
    }
    VEC_FREE(free_places);
    VEC_FREE(live);
}

void emit_place_fragments(Emitter *e)
{
    size_t n = e->flow->values.count + 1;
    HomeSearch s = {e, ARENA_ARRAY(e->arena, uint32_t, n), ARENA_ARRAY(e->arena, uint32_t, n)};
    FragmentHome none = {0};
    VEC_PUSH(e->homes, none);
    for (int32_t b = 0; b < e->flow->block_count && !e->by_lane; ++b)
        for (int32_t i = e->flow->blocks[b].begin; i < e->flow->blocks[b].end; ++i)
            find_home(&s, b, i);
    if (e->homes.count == 1)
        return;
    count_uses(&s);
    judge_homes(&s);
    place_homes(e);
}

/* Memory of operand o: its home, or a copy in the place that all copies for this part share. */
static LLVMValueRef fragment_in(Emitter *e, const Fragment *f, const IrOperand *o, unsigned which)
{
    int32_t home;
    unsigned first;
    if (at_home(e, o, ir_count(o), &home, &first) && e->homes.items[home].wanted)
        return at_bytes(e, home_pointer(e, &e->places.items[e->homes.items[home].place]),
                        (uint64_t)first * GK_WARP * f->word / 8);
    LLVMValueRef slot = home_pointer(e, &e->copies[which]);
    for (unsigned r = 0; r < used_registers(f); ++r)
        LLVMBuildStore(e->b, emit_vector(e, ir_item(o, r), register_type(f)),
                       at_bytes(e, slot, (uint64_t)r * GK_WARP * f->word / 8));
    return slot;
}

/* Where the result goes, and afterwards its values where others want them. */
static LLVMValueRef fragment_out(Emitter *e, const IrOperand *o, unsigned which)
{
    const IrOperand *x = ir_item(o, 0);
    int32_t home = x->kind == OPND_reg ? e->values[x->reg].home : 0;
    bool wanted = home && e->homes.items[home].wanted;
    return home_pointer(e,
                        wanted ? &e->places.items[e->homes.items[home].place] : &e->copies[which]);
}

static void fragment_define(Emitter *e, const Fragment *f, const IrOperand *o, LLVMValueRef from)
{
    for (unsigned r = 0; r < f->registers; ++r) {
        const IrOperand *x = ir_item(o, r);
        if (x->kind != OPND_reg || e->values[x->reg].in_memory)
            continue;
        LLVMValueRef v = LLVMConstNull(word_type(e, f));
        if (r < used_registers(f))
            v = LLVMBuildLoad2(e->b, word_type(e, f),
                               at_bytes(e, from, (uint64_t)r * GK_WARP * f->word / 8), "");
        emit_def(e, x, (int)r, register_type(f), v);
    }
}

/* void f(a, b, c, d, metadata of a sparse a): registers in memory; d may be c. */
static LLVMValueRef product_function(Emitter *e, const Product *p, const unsigned shape[3],
                                     const IrType types[4], LLVMTypeRef *type)
{
    char name[96];
    snprintf(name, sizeof name, "product.%d.%ux%ux%u.%s.%s.%s.%s.%d%d%d%u.%d%u", p->a.wmma,
             shape[0], shape[1], shape[2], ir_type_info[types[0]].text, ir_type_info[types[1]].text,
             ir_type_info[types[2]].text, ir_type_info[types[3]].text, p->a.by_column,
             p->b.by_column, p->saturate, p->bitwise, p->sparse, p->selector);
    LLVMTypeRef args[5] = {e->ptr, e->ptr, e->ptr, e->ptr, e->ptr};
    *type = LLVMFunctionType(e->none, args, p->sparse ? 5 : 4, false);
    LLVMBasicBlockRef back;
    LLVMValueRef f = emit_function(e, name, *type, &back);
    if (back) {
        LLVMValueRef from[5];
        LLVMGetParams(f, from);
        product_body(e, p, from);
        emit_function_end(e, back);
    }
    return f;
}

LLVMValueRef emit_mma_function(Emitter *e, const unsigned shape[3], const IrType types[4],
                               bool saturate, LLVMTypeRef *type)
{
    static const FragmentKind kinds[4] = {FRAGMENT_C, FRAGMENT_A, FRAGMENT_B, FRAGMENT_C};
    Product p = {.k = shape[2], .saturate = saturate};
    Fragment *parts[4] = {&p.d, &p.a, &p.b, &p.c};
    for (unsigned i = 0; i < 4; ++i) {
        IrOperand one = {.kind = OPND_reg};
        fragment(e, parts[i], kinds[i], false, shape, types[i], &one);
        parts[i]->registers = parts[i]->rows * parts[i]->columns / parts[i]->per / GK_WARP;
    }
    return product_function(e, &p, shape, types, type);
}

static bool product_legal(Emitter *e, const IrInsn *insn, const Product *p)
{
    if (!p->a.wmma && insn->mod[MC_SHAPE] == MOD_m8n8k4 && p->a.type == TY_f16) {
        emit_error(e, "mma.m8n8k4 on f16 (Volta's) is not supported");
        return false;
    }
    bool floats = is_float(&p->a);
    IrType c = p->c.type, d = p->d.type;
    bool good = floats == is_float(&p->b) &&
                (floats ? is_float(&p->c) && is_float(&p->d) : c == TY_s32 && d == TY_s32);
    good = good && (p->a.bits == 64) == (d == TY_f64) && (p->b.bits == 64) == (d == TY_f64) &&
           (c == TY_f64) == (d == TY_f64);
    good = good && (d == TY_f64 || d == TY_f32 || d == TY_f16 || d == TY_s32) &&
           (c == TY_f64 || c == TY_f32 || c == TY_f16 || c == TY_s32);
    good = good &&
           (p->a.bits != 1 || (p->bitwise && words_along_k(p) && insn->mod[MC_RED] == MOD_popc));
    good = good && (!p->sparse || (p->a.bits <= 32 && p->a.bits > 1));
    if (!good)
        emit_error(e, "%s with these types is not supported", ir_op_info[insn->op].text);
    unsigned chunks = p->sparse ? p->k / (p->a.bits == 4 ? 8 : p->a.type == TY_tf32 ? 2 : 4) : 4;
    if (good && (p->sparse && (p->a.rows != 16 || (chunks != 4 && chunks != 8 && chunks != 16)))) {
        emit_error(e, "%s of this shape is not supported", ir_op_info[insn->op].text);
        return false;
    }
    const Fragment *parts[4] = {&p->d, &p->a, &p->b, &p->c};
    for (unsigned i = 0; good && i < 4; ++i) {
        unsigned words = parts[i]->rows * parts[i]->columns / parts[i]->per / GK_WARP;
        good = p->a.wmma ? parts[i]->registers >= words : parts[i]->registers == words;
        if (!good)
            emit_error(e, "%s: operand %u has %u registers, not %u", ir_op_info[insn->op].text,
                       i + 1, parts[i]->registers, words);
    }
    return good;
}

void emit_op_mma(Emitter *e, const IrInsn *insn)
{
    const IrOperand *o = insn->operands;
    unsigned shape[3];
    bool wmma = insn->op == OP_wmma_mma;
    if (!shape_of(e, insn, shape))
        return;
    /* d, a, b, c; wmma on f16 names d and c only */
    IrType types[4] = {(IrType)insn->types[0], TY_f16, TY_f16, (IrType)insn->types[1]};
    if (insn->type_count == 4)
        for (int k = 1; k < 4; ++k)
            types[k] = (IrType)insn->types[k];
    Product p = {.k = shape[2], .saturate = insn->mod[MC_SAT] != 0, .bitwise = insn->mod[MC_BOOL]};
    p.sparse = insn->op == OP_mma_sp || insn->op == OP_mma_ordered;
    p.selector = p.sparse ? (unsigned)o[5].bits & 3 : 0;
    const unsigned packed[3] = {shape[0], shape[1], shape[2] / 2};
    if (!fragment(e, &p.a, FRAGMENT_A, wmma, p.sparse ? packed : shape, types[1], &o[1]) ||
        !fragment(e, &p.b, FRAGMENT_B, wmma, shape, types[2], &o[2]) ||
        !fragment(e, &p.c, FRAGMENT_C, wmma, shape, types[3], &o[3]) ||
        !fragment(e, &p.d, FRAGMENT_C, wmma, shape, types[0], &o[0]))
        return;
    p.a.by_column = insn->mod[MC_LAYOUT] == MOD_col;
    p.b.by_column = insn->mod[MC_LAYOUT2] == MOD_col2;
    if (!product_legal(e, insn, &p))
        return;
    LLVMTypeRef type;
    LLVMValueRef x[5] = {fragment_in(e, &p.a, &o[1], 0), fragment_in(e, &p.b, &o[2], 1),
                         fragment_in(e, &p.c, &o[3], 2), fragment_out(e, &o[0], 2)};
    if (p.sparse) {
        x[4] = emit_slot(e, emit_vec(e->i32), "metadata");
        LLVMBuildStore(e->b, emit_vector(e, &o[4], TY_b32), x[4]);
    }
    LLVMValueRef f = product_function(e, &p, shape, types, &type);
    LLVMBuildCall2(e->b, type, f, x, p.sparse ? 5 : 4, "");
    fragment_define(e, &p.d, &o[0], x[3]);
}

/* ---- wmma.load, wmma.store ---- */

/* The host address that the warp's first active lane names. */
static LLVMValueRef warp_pointer(Emitter *e, const IrInsn *insn, const IrOperand *o)
{
    LLVMValueRef at;
    if (o->base_kind == OPND_reg) {
        IrOperand reg = {.kind = OPND_reg, .reg = o->reg};
        IrType t = ir_type_bits((IrType)e->flow->values.items[o->reg].type) == 64 ? TY_b64 : TY_u32;
        if (emit_is_uniform(e, &reg)) {
            at = emit_uniform(e, &reg, t);
        } else {
            LLVMValueRef lane = emit_intrinsic(
                e, "llvm.cttz", &e->i32, 1,
                (LLVMValueRef[]){emit_mask_bits(e, e->mask), LLVMConstInt(e->i1, 0, false)}, 2);
            at = LLVMBuildExtractElement(e->b, emit_vector(e, &reg, t),
                                         LLVMBuildAnd(e->b, lane, emit_k32(e, 31), ""), "");
        }
        at = emit_offset_address(e, at, o->offset, ir_space(insn));
    } else {
        at = emit_symbol_address(e, o);
    }
    LLVMValueRef base = ir_space(insn) == MOD_shared
                            ? LLVMBuildPtrToInt(e->b, e->shared, e->i64, "")
                            : emit_k64(e, GK_DELTA);
    return LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, at, base, ""), e->ptr, "");
}

typedef struct {
    Fragment f;
    bool along;                /* lines of the fragment are lines of the memory */
    LLVMValueRef base, stride; /* i64: bytes from one line to the next */
    LLVMValueRef registers;    /* the fragment in memory */
} Tile;

/* Address of the words that four lanes hold. */
static LLVMValueRef quad_pointer(Emitter *e, const Tile *t, unsigned r, unsigned group)
{
    Place p = place(&t->f, group * QUAD, r, 0);
    unsigned line = t->f.by_column ? p.column : p.row, at = t->f.by_column ? p.row : p.column;
    LLVMValueRef offset = LLVMBuildMul(e->b, t->stride, emit_k64(e, line), "");
    return at_bytes(e, LLVMBuildGEP2(e->b, e->i8, t->base, &offset, 1, ""), at * t->f.bits / 8);
}

/* <32 x ptr>: where element `i` of register r of each lane lies, lines against the memory's. */
static LLVMValueRef element_pointers(Emitter *e, const Tile *t, unsigned r, unsigned i)
{
    LLVMValueRef line[GK_WARP], at[GK_WARP];
    for (unsigned lane = 0; lane < GK_WARP; ++lane) {
        Place p = place(&t->f, lane, r, i);
        line[lane] = emit_k64(e, p.column);
        at[lane] = emit_k64(e, p.row * t->f.bits / 8);
    }
    LLVMValueRef offset =
        LLVMBuildMul(e->b, emit_splat(e, t->stride), LLVMConstVector(line, GK_WARP), "");
    offset = LLVMBuildAdd(e->b, offset, LLVMConstVector(at, GK_WARP), "");
    return LLVMBuildGEP2(e->b, e->i8, t->base, &offset, 1, "");
}

static void load_body(Emitter *e, const Tile *t)
{
    LLVMTypeRef word = word_type(e, &t->f), quad = LLVMVectorType(LLVMGetElementType(word), QUAD);
    LLVMTypeRef element = emit_vec(LLVMIntTypeInContext(e->cx, t->f.bits));
    for (unsigned r = 0; r < used_registers(&t->f); ++r) {
        LLVMValueRef v = NULL, parts[GROUPS];
        for (unsigned g = 0; g < GROUPS && t->along; ++g) {
            parts[g] = LLVMBuildLoad2(e->b, quad, quad_pointer(e, t, r, g), "");
            LLVMSetAlignment(parts[g], 1);
        }
        if (t->along)
            v = float_concat(e, parts, GROUPS);
        for (unsigned i = 0; i < t->f.per && !t->along; ++i) {
            LLVMTypeRef types[2] = {element, emit_vec(e->ptr)};
            LLVMValueRef args[4] = {element_pointers(e, t, r, i), emit_k32(e, 1),
                                    LLVMConstAllOnes(emit_vec(e->i1)), LLVMConstNull(element)};
            LLVMValueRef x = LLVMBuildZExt(
                e->b, emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4), word, "");
            v = v ? LLVMBuildOr(e->b, v,
                                LLVMBuildShl(e->b, x, emit_const(e, word, i * t->f.bits), ""), "")
                  : x;
        }
        LLVMBuildStore(e->b, v, at_bytes(e, t->registers, (uint64_t)r * GK_WARP * t->f.word / 8));
    }
}

static void store_body(Emitter *e, const Tile *t)
{
    LLVMTypeRef word = word_type(e, &t->f),
                element = emit_vec(LLVMIntTypeInContext(e->cx, t->f.bits));
    for (unsigned r = 0; r < used_registers(&t->f); ++r) {
        LLVMValueRef v = LLVMBuildLoad2(
            e->b, word, at_bytes(e, t->registers, (uint64_t)r * GK_WARP * t->f.word / 8), "");
        for (unsigned g = 0; g < GROUPS && t->along; ++g)
            LLVMSetAlignment(
                LLVMBuildStore(e->b, float_slice(e, v, g * QUAD, QUAD), quad_pointer(e, t, r, g)),
                1);
        for (unsigned i = 0; i < t->f.per && !t->along; ++i) {
            LLVMTypeRef types[2] = {element, emit_vec(e->ptr)};
            LLVMValueRef x = i ? LLVMBuildLShr(e->b, v, emit_const(e, word, i * t->f.bits), "") : v;
            if (t->f.bits < t->f.word)
                x = LLVMBuildTrunc(e->b, x, element, "");
            LLVMValueRef args[4] = {x, element_pointers(e, t, r, i), emit_k32(e, 1),
                                    LLVMConstAllOnes(emit_vec(e->i1))};
            emit_intrinsic(e, "llvm.masked.scatter", types, 2, args, 4);
        }
    }
}

/* load or store: void f(memory, bytes between lines, registers) */
static void tile_access(Emitter *e, const IrInsn *insn, const IrOperand *registers,
                        const IrOperand *address, bool store)
{
    unsigned shape[3], frag = insn->mod[MC_FRAG];
    FragmentKind kind = frag == MOD_frag_a   ? FRAGMENT_A
                        : frag == MOD_frag_b ? FRAGMENT_B
                                             : FRAGMENT_C;
    Tile t = {0};
    if (!shape_of(e, insn, shape) ||
        !fragment(e, &t.f, kind, true, shape, (IrType)insn->types[0], registers))
        return;
    bool by_column = insn->mod[MC_LAYOUT] == MOD_col;
    t.f.by_column = kind != FRAGMENT_C && by_column;
    t.along = t.f.by_column == by_column;
    LLVMValueRef n, base = warp_pointer(e, insn, address);
    if (insn->operand_count > 2 && insn->operands[2].kind != OPND_none)
        n = LLVMBuildZExt(e->b, emit_uniform(e, &insn->operands[2], TY_b32), e->i64, "");
    else
        n = emit_k64(e, by_column ? t.f.rows : t.f.columns);
    LLVMValueRef stride =
        LLVMBuildLShr(e->b, LLVMBuildMul(e->b, n, emit_k64(e, t.f.bits), ""), emit_k64(e, 3), "");
    LLVMValueRef x[3] = {
        base, stride, store ? fragment_in(e, &t.f, registers, 2) : fragment_out(e, registers, 2)};
    LLVMTypeRef args[3] = {e->ptr, e->i64, e->ptr},
                type = LLVMFunctionType(e->none, args, 3, false);
    char name[96];
    snprintf(name, sizeof name, "%s.%d.%ux%u.%s.%d", store ? "store" : "load", kind, t.f.rows,
             t.f.columns, ir_type_info[t.f.type].text, by_column);
    LLVMBasicBlockRef back;
    LLVMValueRef f = emit_function(e, name, type, &back);
    if (back) {
        t.base = LLVMGetParam(f, 0);
        t.stride = LLVMGetParam(f, 1);
        t.registers = LLVMGetParam(f, 2);
        (store ? store_body : load_body)(e, &t);
        emit_function_end(e, back);
    }
    LLVMBuildCall2(e->b, type, f, x, 3, "");
    if (!store)
        fragment_define(e, &t.f, registers, x[2]);
}

void emit_op_wmma_load(Emitter *e, const IrInsn *insn)
{
    tile_access(e, insn, &insn->operands[0], &insn->operands[1], false);
}

void emit_op_wmma_store(Emitter *e, const IrInsn *insn)
{
    tile_access(e, insn, &insn->operands[1], &insn->operands[0], true);
}

/* A register of ldmatrix: to its home and to who else wants it. */
void emit_fragment_register(Emitter *e, const IrOperand *o, unsigned r, LLVMValueRef value)
{
    const IrOperand *x = ir_item(o, r);
    int32_t home = x->kind == OPND_reg ? e->values[x->reg].home : 0;
    if (home && e->homes.items[home].wanted)
        LLVMBuildStore(e->b, value, at_bytes(e, fragment_out(e, o, 0), (uint64_t)r * GK_WARP * 4));
    if (x->kind == OPND_reg && !e->values[x->reg].in_memory)
        emit_def(e, x, (int)r, TY_b32, value);
}
