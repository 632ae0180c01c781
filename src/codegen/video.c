/* SPDX-License-Identifier: Apache-2.0
 * Video instructions. PTX ISA sections "Scalar Video Instructions" and "SIMD Video Instructions".
 * Scalar ones compute on 64 bits (saturating products on 128), where every
 * intermediate result is exact; SIMD ones on vectors of
 * elements twice as wide as those of the word. */
#include "codegen/emit.h"

static bool is_signed(unsigned type)
{
    return ir_type_info[type].class == TC_SIGNED;
}

/* The number in the type of v, which may have more than 64 bits. */
static LLVMValueRef like(LLVMValueRef v, int64_t n)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
        return LLVMConstInt(t, (uint64_t)n, true);
    LLVMValueRef all[4 * GK_WARP];
    for (unsigned i = 0; i < LLVMGetVectorSize(t); ++i)
        all[i] = LLVMConstInt(LLVMGetElementType(t), (uint64_t)n, true);
    return LLVMConstVector(all, LLVMGetVectorSize(t));
}

static LLVMValueRef call2(Emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    return emit_intrinsic(e, name, &t, 1, (LLVMValueRef[]){a, b}, 2);
}

static LLVMValueRef pick(Emitter *e, bool max, bool sign, LLVMValueRef a, LLVMValueRef b)
{
    return call2(e, max ? (sign ? "llvm.smax" : "llvm.umax") : (sign ? "llvm.smin" : "llvm.umin"),
                 a, b);
}

static LLVMValueRef to_bits(Emitter *e, LLVMValueRef v, LLVMTypeRef type, bool sign)
{
    return LLVMBuildIntCast2(e->b, v, type, sign, "");
}

/* The range of a signed or unsigned number of so many bits. */
static LLVMValueRef clamp(Emitter *e, LLVMValueRef v, int bits, bool sign)
{
    int64_t high = (INT64_C(1) << (bits - sign)) - 1, low = sign ? -high - 1 : 0;
    return pick(e, true, true, pick(e, false, true, v, like(v, high)), like(v, low));
}

static LLVMIntPredicate comparison(unsigned compare, bool sign)
{
    switch (compare) {
    case MOD_eq:
        return LLVMIntEQ;
    case MOD_ne:
        return LLVMIntNE;
    case MOD_lt:
        return sign ? LLVMIntSLT : LLVMIntULT;
    case MOD_le:
        return sign ? LLVMIntSLE : LLVMIntULE;
    case MOD_gt:
        return sign ? LLVMIntSGT : LLVMIntUGT;
    default:
        return sign ? LLVMIntSGE : LLVMIntUGE;
    }
}

static LLVMValueRef absolute(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return emit_intrinsic(e, "llvm.abs", &t, 1, (LLVMValueRef[]){v, LLVMConstInt(e->i1, 0, false)},
                          2);
}

/* ---- scalar ---- */

static int part_bits(unsigned part)
{
    return !part ? 32 : part & IR_PART_HALVES ? 16 : 8;
}

/* Operand k, or the part of it that is named, in `bits` bits. */
static LLVMValueRef source(Emitter *e, const IrInsn *insn, int k, unsigned type, int bits)
{
    unsigned part = insn->operands[k].part;
    int width = part_bits(part), at = part ? width * (int)ir_part_digit(part, 0) : 0;
    LLVMValueRef v = emit_src(e, k, (IrType)type);
    if (part) {
        v = LLVMBuildShl(e->b, v, like(v, 32 - width - at), "");
        v = is_signed(type) ? LLVMBuildAShr(e->b, v, like(v, 32 - width), "")
                            : LLVMBuildLShr(e->b, v, like(v, 32 - width), "");
    }
    return to_bits(e, v, emit_int_type(e, bits), is_signed(type));
}

static LLVMValueRef shift(Emitter *e, const IrInsn *insn, LLVMValueRef a, LLVMValueRef b)
{
    if (insn->mod[MC_SHFMODE] == MOD_clamp)
        b = pick(e, false, false, b, like(b, 32));
    else
        b = LLVMBuildAnd(e->b, b, like(b, 31), "");
    if (insn->op == OP_vshr)
        return LLVMBuildAShr(e->b, a, b, "");
    LLVMValueRef v = LLVMBuildShl(e->b, a, b, "");
    if (!insn->mod[MC_SAT] && insn->mod[MC_SECOP] && insn->mod[MC_SECOP] != MOD_sec_add)
        return v;
    /* intermediate results have 34 bits */
    return LLVMBuildAShr(e->b, LLVMBuildShl(e->b, v, like(v, 30), ""), like(v, 30), "");
}

static LLVMValueRef compute(Emitter *e, const IrInsn *insn, LLVMValueRef a, LLVMValueRef b)
{
    switch (insn->op) {
    case OP_vadd:
    case OP_vadd2:
    case OP_vadd4:
        return LLVMBuildAdd(e->b, a, b, "");
    case OP_vsub:
    case OP_vsub2:
    case OP_vsub4:
        return LLVMBuildSub(e->b, a, b, "");
    case OP_vabsdiff:
    case OP_vabsdiff2:
    case OP_vabsdiff4:
        return absolute(e, LLVMBuildSub(e->b, a, b, ""));
    case OP_vmin:
    case OP_vmin2:
    case OP_vmin4:
        return pick(e, false, true, a, b);
    case OP_vmax:
    case OP_vmax2:
    case OP_vmax4:
        return pick(e, true, true, a, b);
    case OP_vavrg2:
    case OP_vavrg4: { /* halves away from zero */
        LLVMValueRef sum = LLVMBuildAdd(e->b, a, b, "");
        LLVMValueRef up = LLVMBuildICmp(e->b, LLVMIntSGE, sum, LLVMConstNull(LLVMTypeOf(sum)), "");
        sum = LLVMBuildAdd(e->b, sum, LLVMBuildZExt(e->b, up, LLVMTypeOf(sum), ""), "");
        return LLVMBuildAShr(e->b, sum, like(sum, 1), "");
    }
    case OP_vshl:
    case OP_vshr:
        return shift(e, insn, a, b);
    default:
        return LLVMBuildZExt(e->b,
                             LLVMBuildICmp(e->b, comparison(insn->mod[MC_CMP], true), a, b, ""),
                             LLVMTypeOf(a), "");
    }
}

void emit_op_video(Emitter *e, const IrInsn *insn)
{
    bool is_set = insn->op == OP_vset, sign = is_signed(insn->types[0]);
    bool shifts = insn->op == OP_vshl || insn->op == OP_vshr;
    unsigned part = insn->operands[0].part;
    LLVMValueRef v = compute(e, insn, source(e, insn, 1, insn->types[!is_set], 64),
                             source(e, insn, 2, insn->types[1 + !is_set], 64));
    if (insn->mod[MC_SAT]) /* shifts as the H200 has them */
        v = clamp(e, v, shifts ? 32 : part_bits(part), sign);
    LLVMTypeRef word = emit_int_type(e, 32);
    if (insn->mod[MC_SECOP]) {
        LLVMValueRef c = source(e, insn, 3, sign ? TY_s32 : TY_u32, 64);
        v = insn->mod[MC_SECOP] == MOD_sec_add
                ? LLVMBuildAdd(e->b, v, c, "")
                : pick(e, insn->mod[MC_SECOP] == MOD_sec_max, sign || !shifts, v, c);
    }
    v = LLVMBuildTrunc(e->b, v, word, "");
    if (part) { /* into that part of c */
        int64_t at = part_bits(part) * (int64_t)ir_part_digit(part, 0);
        int64_t mask = ((INT64_C(1) << part_bits(part)) - 1) << at;
        LLVMValueRef c = emit_src(e, 3, TY_b32);
        if (at != 16 || part_bits(part) != 16) /* .h1 takes the result's own upper half there */
            v = LLVMBuildShl(e->b, v, like(v, at), "");
        v = LLVMBuildAnd(e->b, v, like(v, mask), "");
        v = LLVMBuildOr(e->b, v, LLVMBuildAnd(e->b, c, like(c, ~mask & 0xffffffff), ""), "");
    }
    emit_def0(e, TY_b32, v);
}

void emit_op_video_mad(Emitter *e, const IrInsn *insn)
{
    const IrOperand *o = insn->operands;
    bool product = o[1].negated != o[2].negated;
    bool sign = is_signed(insn->types[1]) || is_signed(insn->types[2]) || product || o[3].negated;
    int bits = insn->mod[MC_SAT] ? 128 : 64;
    LLVMValueRef v = LLVMBuildMul(e->b, source(e, insn, 1, insn->types[1], bits),
                                  source(e, insn, 2, insn->types[2], bits), "");
    LLVMValueRef c = source(e, insn, 3, sign ? TY_s32 : TY_u32, bits);
    if (product)
        v = LLVMBuildNeg(e->b, v, "");
    if (o[3].negated)
        c = LLVMBuildNeg(e->b, c, "");
    v = LLVMBuildAdd(e->b, v, c, "");
    if (insn->mod[MC_PO])
        v = LLVMBuildAdd(e->b, v, like(v, 1), "");
    if (insn->mod[MC_SCALE]) {
        LLVMValueRef n = like(v, insn->mod[MC_SCALE] == MOD_shr7 ? 7 : 15);
        v = sign ? LLVMBuildAShr(e->b, v, n, "") : LLVMBuildLShr(e->b, v, n, "");
    }
    if (insn->mod[MC_SAT])
        v = clamp(e, v, 32, sign);
    emit_def0(e, TY_b32, LLVMBuildTrunc(e->b, v, emit_int_type(e, 32), ""));
}

/* ---- SIMD ---- */

typedef struct {
    unsigned n, count; /* elements of a word, of all lanes */
    LLVMTypeRef narrow, wide, sum;
} Simd;

static LLVMValueRef shuffle(Emitter *e, LLVMValueRef a, LLVMValueRef b, const unsigned *from,
                            unsigned count)
{
    LLVMValueRef index[4 * GK_WARP];
    for (unsigned i = 0; i < count; ++i)
        index[i] = emit_k32(e, from[i]);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(index, count), "");
}

/* The elements of source k: its own, or those of both sources that its part names. */
static LLVMValueRef elements(Emitter *e, const IrInsn *insn, const Simd *s, int k, unsigned type)
{
    unsigned part = insn->operands[k].part, from[4 * GK_WARP];
    LLVMValueRef v;
    if (!part) {
        v = emit_bitcast(e, emit_src(e, k, TY_b32), s->narrow);
    } else {
        for (unsigned i = 0; i < s->count; ++i) {
            unsigned digit = ir_part_digit(part, i % s->n), lane = i / s->n;
            from[i] = (digit >= s->n ? s->count : 0) + lane * s->n + digit % s->n;
        }
        v = shuffle(e, emit_bitcast(e, emit_src(e, 1, TY_b32), s->narrow),
                    emit_bitcast(e, emit_src(e, 2, TY_b32), s->narrow), from, s->count);
    }
    return is_signed(type) ? LLVMBuildSExt(e->b, v, s->wide, "")
                           : LLVMBuildZExt(e->b, v, s->wide, "");
}

static bool writes(unsigned part, unsigned element)
{
    bool found = !part;
    for (unsigned i = 0; i < ir_part_count(part); ++i)
        found |= ir_part_digit(part, i) == element;
    return found;
}

static LLVMValueRef accumulate(Emitter *e, const IrInsn *insn, const Simd *s, LLVMValueRef v)
{
    LLVMValueRef sum = emit_src(e, 3, TY_b32);
    unsigned from[GK_WARP], lanes = s->count / s->n;
    v = LLVMBuildSExt(e->b, v, s->sum, "");
    for (unsigned k = 0; k < s->n; ++k) {
        if (!writes(insn->operands[0].part, k))
            continue;
        for (unsigned lane = 0; lane < lanes; ++lane)
            from[lane] = lane * s->n + k;
        LLVMValueRef one = e->lanes == 1 ? LLVMBuildExtractElement(e->b, v, emit_k32(e, k), "")
                                         : shuffle(e, v, v, from, lanes);
        sum = LLVMBuildAdd(e->b, sum, one, "");
    }
    return sum;
}

void emit_op_video_simd(Emitter *e, const IrInsn *insn)
{
    unsigned n = ir_video_parts(insn->op), bits = 32 / n;
    Simd s = {.n = n, .count = n * (unsigned)e->lanes};
    s.narrow = LLVMVectorType(LLVMIntTypeInContext(e->cx, bits), s.count);
    s.wide = LLVMVectorType(LLVMIntTypeInContext(e->cx, 2 * bits), s.count);
    s.sum = LLVMVectorType(e->i32, s.count);
    bool is_set = insn->mod[MC_CMP] != 0;
    LLVMValueRef v = compute(e, insn, elements(e, insn, &s, 1, insn->types[!is_set]),
                             elements(e, insn, &s, 2, insn->types[1 + !is_set]));
    if (insn->mod[MC_SAT])
        v = clamp(e, v, (int)bits, is_signed(insn->types[0]));
    if (insn->mod[MC_SECOP]) {
        emit_def0(e, TY_b32, accumulate(e, insn, &s, v));
        return;
    }
    v = LLVMBuildTrunc(e->b, v, s.narrow, "");
    LLVMValueRef c = emit_src(e, 3, TY_b32), word = c;
    unsigned from[4 * GK_WARP];
    for (unsigned i = 0; i < s.count; ++i)
        from[i] = writes(insn->operands[0].part, i % n) ? i : s.count + i;
    c = emit_bitcast(e, c, s.narrow);
    emit_def0(e, TY_b32, emit_bitcast(e, shuffle(e, v, c, from, s.count), LLVMTypeOf(word)));
}
