/* SPDX-License-Identifier: Apache-2.0
 * cvt, cvt.pack, cvta, isspacep. Source: PTX ISA, "Data Movement and Conversion Instructions". */
#include "codegen/emit.h"
#include "codegen/float.h"

#include <math.h>

static bool is_float(IrType t)
{
    return ir_type_info[t].class == TC_FLOAT;
}

static bool is_signed(IrType t)
{
    return ir_type_info[t].class == TC_SIGNED;
}

static LLVMValueRef kb(Emitter *e, LLVMTypeRef t, uint64_t n)
{
    return emit_const(e, t, n);
}

/* ---- integer to integer ---- */

static LLVMValueRef int_to_int(Emitter *e, LLVMValueRef v, IrType from, IrType to, bool sat)
{
    int fb = (int)ir_type_bits(from), tb = (int)ir_type_bits(to);
    LLVMTypeRef want = emit_int_type(e, tb);
    if (sat) {
        /* clamp in a width that holds both ranges */
        LLVMTypeRef wide = emit_int_type(e, 128);
        LLVMValueRef x =
            is_signed(from) ? LLVMBuildSExt(e->b, v, wide, "") : LLVMBuildZExt(e->b, v, wide, "");
        int top_bits = is_signed(to) ? tb - 1 : tb;
        uint64_t words[2] = {top_bits >= 64 ? ~0ull : (1ull << top_bits) - 1, 0};
        LLVMValueRef top = LLVMConstIntOfArbitraryPrecision(e->i128, 2, words);
        LLVMValueRef low = is_signed(to) ? LLVMConstNot(top) : LLVMConstNull(e->i128);
        LLVMValueRef hi = e->lanes == 1 ? top : emit_splat(e, top),
                     lo = e->lanes == 1 ? low : emit_splat(e, low);
        x = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntSGT, x, hi, ""), hi, x, "");
        x = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, x, lo, ""), lo, x, "");
        return LLVMBuildTrunc(e->b, x, want, "");
    }
    if (fb > tb)
        return LLVMBuildTrunc(e->b, v, want, "");
    if (fb < tb)
        return is_signed(from) ? LLVMBuildSExt(e->b, v, want, "")
                               : LLVMBuildZExt(e->b, v, want, "");
    return v;
}

/* ---- integer to float ---- */

static LLVMValueRef int_to_float(Emitter *e, LLVMValueRef v, IrType from, IrType to, unsigned round)
{
    bool sign = is_signed(from), directed = round == MOD_rz || round == MOD_rm || round == MOD_rp;
    LLVMTypeRef ft = emit_like(e, to == TY_f64 ? e->f64 : e->f32);
    LLVMValueRef r = sign ? LLVMBuildSIToFP(e->b, v, ft, "") : LLVMBuildUIToFP(e->b, v, ft, "");
    if (to == TY_f16 || to == TY_bf16) {
        if (to == TY_bf16 || ir_type_bits(from) > 16) {
            /* f32 would round twice: go through f64 to odd */
            LLVMTypeRef wide = emit_like(e, e->f64);
            LLVMValueRef d =
                sign ? LLVMBuildSIToFP(e->b, v, wide, "") : LLVMBuildUIToFP(e->b, v, wide, "");
            r = float_double_to_single_odd(e, d);
        }
        return float_narrow(e, r, to, round);
    }
    if (!directed || (to == TY_f64 && ir_type_bits(from) <= 32) || ir_type_bits(from) <= 16)
        return r;
    /* compare the rounded value with the integer: both fit 128 bits */
    LLVMTypeRef wide = emit_int_type(e, 128), it = emit_int_type(e, to == TY_f64 ? 64 : 32);
    LLVMValueRef exact = sign ? LLVMBuildSExt(e->b, v, wide, "") : LLVMBuildZExt(e->b, v, wide, "");
    LLVMTypeRef i64 = emit_int_type(e, 64);
    /* |r| <= 2^64: its upper half and a remainder of 64 bits */
    LLVMTypeRef dt = emit_like(e, e->f64);
    LLVMValueRef d = to == TY_f64 ? r : LLVMBuildFPExt(e->b, r, dt, "");
    LLVMValueRef scaled = LLVMBuildFMul(e->b, d, emit_real(e, dt, 0x1p-32), "");
    LLVMValueRef high = float_intrinsic(e, "llvm.floor", &scaled, 1);
    LLVMValueRef low =
        float_intrinsic(e, "llvm.fma", (LLVMValueRef[]){high, emit_real(e, dt, -0x1p32), d}, 3);
    LLVMValueRef back =
        LLVMBuildShl(e->b, LLVMBuildSExt(e->b, LLVMBuildFPToSI(e->b, high, i64, ""), wide, ""),
                     kb(e, wide, 32), "");
    back = LLVMBuildAdd(e->b, back,
                        LLVMBuildSExt(e->b, LLVMBuildFPToSI(e->b, low, i64, ""), wide, ""), "");
    LLVMValueRef above = LLVMBuildICmp(e->b, LLVMIntSGT, back, exact, ""),
                 below = LLVMBuildICmp(e->b, LLVMIntSLT, back, exact, "");
    LLVMValueRef negative = LLVMBuildICmp(e->b, LLVMIntSLT, exact, LLVMConstNull(wide), "");
    LLVMValueRef bits = LLVMBuildBitCast(e->b, r, it, "");
    LLVMValueRef up = LLVMBuildAdd(e->b, bits, kb(e, it, 1), ""),
                 down = LLVMBuildSub(e->b, bits, kb(e, it, 1), "");
    LLVMValueRef toward_zero = LLVMBuildSelect(e->b, negative, below, above, ""), wrong, step;
    if (round == MOD_rz) {
        wrong = toward_zero;
        step = down;
    } else {
        wrong = round == MOD_rm ? above : below;
        LLVMValueRef away = round == MOD_rm ? negative : LLVMBuildNot(e->b, negative, "");
        step = LLVMBuildSelect(e->b, away, up, down, "");
    }
    return LLVMBuildBitCast(e->b, LLVMBuildSelect(e->b, wrong, step, bits, ""), ft, "");
}

/* ---- float to integer ---- */

static LLVMValueRef round_to_integer(Emitter *e, LLVMValueRef v, unsigned round)
{
    const char *name = round == MOD_rzi   ? "llvm.trunc"
                       : round == MOD_rmi ? "llvm.floor"
                       : round == MOD_rpi ? "llvm.ceil"
                                          : "llvm.roundeven";
    return float_intrinsic(e, name, &v, 1);
}

/* What llvm.fpto[su]i.sat says, which LLVM takes apart lane by lane; v is integral. */
static LLVMValueRef saturated_vector(Emitter *e, LLVMValueRef v, int bits, bool sign)
{
    LLVMTypeRef t = LLVMTypeOf(v), out = emit_int_type(e, bits),
                wide = emit_int_type(e, bits < 32 ? 32 : bits);
    LLVMValueRef low = emit_real(e, t, sign ? -ldexp(1, bits - 1) : 0),
                 limit = emit_real(e, t, ldexp(1, bits - sign));
    LLVMValueRef small =
        LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealOLT, v, low, ""), low, v, "");
    LLVMValueRef no = LLVMBuildFCmp(e->b, LLVMRealUGE, v, limit, ""),
                 big = LLVMBuildFCmp(e->b, LLVMRealOGE, v, limit, "");
    small = LLVMBuildSelect(e->b, no, LLVMConstNull(t), small, ""); /* NaN: zero */
    LLVMValueRef r = sign || bits < 32 ? LLVMBuildFPToSI(e->b, small, wide, "")
                                       : LLVMBuildFPToUI(e->b, small, wide, "");
    if (wide != out)
        r = LLVMBuildTrunc(e->b, r, out, "");
    return LLVMBuildSelect(e->b, big, kb(e, out, ~0ull >> (64 - bits + sign)), r, "");
}

static LLVMValueRef float_to_int(Emitter *e, LLVMValueRef v, IrType from, IrType to, unsigned round)
{
    v = round_to_integer(e, v, round);
    LLVMTypeRef types[2] = {emit_int_type(e, (int)ir_type_bits(to)), LLVMTypeOf(v)};
    LLVMValueRef r;
    if (LLVMGetTypeKind(types[1]) == LLVMVectorTypeKind)
        r = saturated_vector(e, v, (int)ir_type_bits(to), is_signed(to));
    else
        r = emit_intrinsic(e, is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat", types, 2, &v,
                           1);
    /* NaN: zero, but the top bit alone when either side has 64 bits */
    if (from == TY_f64 || ir_type_bits(to) == 64) {
        LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, "");
        r = LLVMBuildSelect(e->b, nan, kb(e, types[0], 1ull << (ir_type_bits(to) - 1)), r, "");
    }
    return r;
}

/* ---- float to float ---- */

static LLVMValueRef double_to_single(Emitter *e, LLVMValueRef d, unsigned round)
{
    LLVMTypeRef st = float_with(e, e->f32, LLVMTypeOf(d)),
                bt = float_with(e, e->i32, LLVMTypeOf(d));
    LLVMValueRef s = LLVMBuildFPTrunc(e->b, d, st, "");
    if (round != MOD_rz && round != MOD_rm && round != MOD_rp)
        return s;
    LLVMValueRef bits =
        float_adjust(e, LLVMBuildBitCast(e->b, s, bt, ""),
                     LLVMBuildFPExt(e->b, s, LLVMTypeOf(d), ""), d, round, 0x80000000u);
    return LLVMBuildBitCast(e->b, bits, st, "");
}

static LLVMValueRef saturate(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef zero = emit_real(e, t, 0), one = emit_real(e, t, 1);
    v = LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealOGT, v, zero, ""), v, zero, "");
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealOGT, v, one, ""), one, v, "");
}

static LLVMValueRef relu(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealULT, v, emit_real(e, t, 0), ""),
                           LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, ""), v,
                                           emit_real(e, t, 0), ""),
                           v, "");
}

/* Infinities of a half type become its largest number. */
static LLVMValueRef finite_half(Emitter *e, LLVMValueRef bits, IrType t)
{
    LLVMTypeRef bt = LLVMTypeOf(bits);
    uint64_t infinity = t == TY_f16 ? 0x7c00 : 0x7f80;
    LLVMValueRef rest = LLVMBuildAnd(e->b, bits, kb(e, bt, 0x7fff), "");
    LLVMValueRef is = LLVMBuildICmp(e->b, LLVMIntEQ, rest, kb(e, bt, infinity), "");
    return LLVMBuildSelect(e->b, is, LLVMBuildSub(e->b, bits, kb(e, bt, 1), ""), bits, "");
}

/* ---- bytes: e4m3 (no infinities, 0x7f is NaN) and e5m2 ---- */

/* An f32 to a byte in the low bits of an i32: to the nearest, to the largest number when beyond. */
static LLVMValueRef to_byte(Emitter *e, LLVMValueRef v, bool e4m3)
{
    LLVMTypeRef ft = LLVMTypeOf(v), bt = emit_int_type(e, 32);
    unsigned fraction = e4m3 ? 3 : 2, drop = 23 - fraction;
    LLVMValueRef bits = LLVMBuildBitCast(e->b, v, bt, "");
    LLVMValueRef a = LLVMBuildAnd(e->b, bits, kb(e, bt, 0x7fffffff), "");
    LLVMValueRef odd =
        LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, a, kb(e, bt, drop), ""), kb(e, bt, 1), "");
    LLVMValueRef r = LLVMBuildAdd(e->b, a, kb(e, bt, (1u << (drop - 1)) - 1), "");
    r = LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, r, odd, ""), kb(e, bt, drop), "");
    r = LLVMBuildSub(e->b, r, kb(e, bt, (e4m3 ? 127u - 7 : 127u - 15) << fraction), "");
    /* subnormals: a sum whose last place is their unit */
    double least = e4m3 ? 0x1p-6 : 0x1p-14, shift = e4m3 ? 0x1p14 : 0x1p7;
    LLVMValueRef size = LLVMBuildBitCast(e->b, a, ft, "");
    LLVMValueRef sum = LLVMBuildFAdd(e->b, size, emit_real(e, ft, shift), "");
    LLVMValueRef units =
        LLVMBuildAnd(e->b, LLVMBuildBitCast(e->b, sum, bt, ""), kb(e, bt, 0xff), "");
    LLVMValueRef small = LLVMBuildFCmp(e->b, LLVMRealOLT, size, emit_real(e, ft, least), "");
    r = LLVMBuildSelect(e->b, small, units, r, "");
    LLVMValueRef largest = kb(e, bt, e4m3 ? 0x7e : 0x7b);
    r = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntUGT, r, largest, ""), largest, r, "");
    LLVMValueRef sign =
        LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bits, kb(e, bt, 24), ""), kb(e, bt, 0x80), "");
    r = LLVMBuildOr(e->b, r, sign, "");
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, ""), kb(e, bt, 0x7f), r,
                           "");
}

static void convert_to_bytes(Emitter *e, const IrInsn *insn, IrType to, IrType from)
{
    LLVMTypeRef bt = emit_int_type(e, 32);
    LLVMValueRef r = NULL, halves = from == TY_f32 ? NULL : emit_src(e, 1, TY_b32);
    for (int k = 0; k < 2; ++k) { /* the lower one first */
        LLVMValueRef v;
        if (halves) {
            LLVMValueRef h = LLVMBuildLShr(e->b, halves, kb(e, bt, 16 * (uint64_t)k), "");
            h = LLVMBuildTrunc(e->b, h, emit_int_type(e, 16), "");
            v = float_widen(e, LLVMBuildBitCast(e->b, h, emit_like(e, e->half), ""), TY_f16);
        } else {
            v = emit_src(e, 2 - k, TY_f32);
        }
        if (insn->mod[MC_RELU])
            v = relu(e, v);
        LLVMValueRef byte = to_byte(e, v, to == TY_e4m3x2);
        r = k ? LLVMBuildOr(e->b, r, LLVMBuildShl(e->b, byte, kb(e, bt, 8), ""), "") : byte;
    }
    emit_def0(e, TY_b16, LLVMBuildTrunc(e->b, r, emit_int_type(e, 16), ""));
}

static void convert_from_bytes(Emitter *e, const IrInsn *insn, IrType from)
{
    LLVMTypeRef bt = emit_int_type(e, 32), ht = emit_int_type(e, 16);
    LLVMValueRef bytes = LLVMBuildZExt(e->b, emit_src(e, 1, TY_b16), bt, ""), r = NULL;
    for (uint64_t k = 0; k < 2; ++k) {
        LLVMValueRef byte = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bytes, kb(e, bt, 8 * k), ""),
                                         kb(e, bt, 0xff), "");
        LLVMValueRef rest = LLVMBuildAnd(e->b, byte, kb(e, bt, 0x7f), "");
        LLVMValueRef sign =
            LLVMBuildShl(e->b, LLVMBuildAnd(e->b, byte, kb(e, bt, 0x80), ""), kb(e, bt, 8), "");
        LLVMValueRef h = LLVMBuildShl(e->b, rest, kb(e, bt, from == TY_e4m3x2 ? 7 : 8), ""), nan;
        if (from == TY_e4m3x2) { /* as an f16 2^8 too small */
            LLVMValueRef f =
                LLVMBuildBitCast(e->b, LLVMBuildTrunc(e->b, h, ht, ""), emit_like(e, e->half), "");
            f = LLVMBuildFMul(e->b, float_widen(e, f, TY_f16),
                              emit_real(e, emit_like(e, e->f32), 256), "");
            f = emit_bitcast(e, float_narrow(e, f, TY_f16, MOD_rn), ht);
            h = LLVMBuildZExt(e->b, f, bt, "");
            nan = LLVMBuildICmp(e->b, LLVMIntEQ, rest, kb(e, bt, 0x7f), "");
        } else {
            nan = LLVMBuildICmp(e->b, LLVMIntUGT, rest, kb(e, bt, 0x7c), "");
        }
        h = LLVMBuildOr(e->b, h, sign, "");
        if (insn->mod[MC_RELU])
            h = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntNE, sign, kb(e, bt, 0), ""),
                                kb(e, bt, 0), h, "");
        h = LLVMBuildSelect(e->b, nan, kb(e, bt, 0x7fff), h, "");
        r = k ? LLVMBuildOr(e->b, r, LLVMBuildShl(e->b, h, kb(e, bt, 16), ""), "") : h;
    }
    emit_def0(e, TY_b32, r);
}

/* d, a, b: a into the upper half, b into the lower half */
static void convert_pair(Emitter *e, const IrInsn *insn, IrType to)
{
    IrType half = to == TY_f16x2 ? TY_f16 : TY_bf16;
    LLVMValueRef r = NULL;
    for (int k = 0; k < 2; ++k) {
        LLVMValueRef v = emit_src(e, 2 - k, TY_f32);
        if (insn->mod[MC_RELU])
            v = relu(e, v);
        LLVMValueRef h =
            emit_bitcast(e, float_narrow(e, v, half, insn->mod[MC_RND]), emit_int_type(e, 16));
        if (insn->mod[MC_SAT] == MOD_satfinite)
            h = finite_half(e, h, half);
        h = LLVMBuildZExt(e->b, h, emit_int_type(e, 32), "");
        if (k)
            h = LLVMBuildShl(e->b, h, kb(e, LLVMTypeOf(h), 16), "");
        r = r ? LLVMBuildOr(e->b, r, h, "") : h;
    }
    emit_def0(e, TY_b32, r);
}

void emit_op_cvt(Emitter *e, const IrInsn *insn)
{
    IrType to = (IrType)insn->types[0], from = (IrType)insn->types[1];
    unsigned round = insn->mod[MC_RND];
    bool sat = insn->mod[MC_SAT] == MOD_sat, finite = insn->mod[MC_SAT] == MOD_satfinite;
    if ((to == TY_e4m3x2 || to == TY_e5m2x2) && (from == TY_f32 || from == TY_f16x2)) {
        convert_to_bytes(e, insn, to, from);
        return;
    }
    if ((from == TY_e4m3x2 || from == TY_e5m2x2) && to == TY_f16x2) {
        convert_from_bytes(e, insn, from);
        return;
    }
    if (ir_type_bits(to) < 8 || ir_type_bits(from) < 8 || to == TY_e4m3x2 || to == TY_e5m2x2 ||
        from == TY_e4m3x2 || from == TY_e5m2x2 || to == TY_f32x2 ||
        (finite && to != TY_f16 && to != TY_bf16 && to != TY_f16x2 && to != TY_bf16x2 &&
         (to != TY_tf32 || round != MOD_rna))) {
        emit_error(e, "cvt from %s to %s%s is not supported", ir_type_info[from].text,
                   ir_type_info[to].text, finite ? " with .satfinite" : "");
        return;
    }
    if (to == TY_f16x2 || to == TY_bf16x2) {
        convert_pair(e, insn, to);
        return;
    }
    if (!is_float(to) && !is_float(from)) {
        const IrOperand *o = &insn->operands[0], *s = &insn->operands[1];
        if (e->lanes == 1 && o->kind == OPND_reg && s->kind == OPND_reg) {
            Shape d = e->flow->values.items[o->reg].shape, a = e->flow->values.items[s->reg].shape;
            if (d.kind == SHAPE_LINEAR && d.ext && ir_type_bits(to) == 64 &&
                ir_type_bits(from) == 32) {
                emit_def0(e, to, LLVMConstInt(e->i64, 0, false)); /* described by the shape */
                return;
            }
            if (a.kind == SHAPE_LINEAR && a.ext && ir_type_bits(to) == 32) {
                Extension x = e->flow->extensions.items[a.ext];
                LLVMValueRef inner = emit_low_word(e, emit_value_raw(e, x.value));
                LLVMValueRef base = LLVMBuildTrunc(e->b, emit_uniform(e, s, from), e->i32, "");
                inner = LLVMBuildMul(e->b, inner, emit_stride(e, x.k, e->i32), "");
                emit_def0(e, to, LLVMBuildAdd(e->b, base, inner, ""));
                return;
            }
        }
        emit_def0(e, to, int_to_int(e, emit_src(e, 1, from), from, to, sat));
        return;
    }
    LLVMValueRef v = emit_src(e, 1, from);
    if (is_float(from) && from != TY_f64)
        v = float_widen(e, v, from);
    if (is_float(from) && insn->mod[MC_FTZ] && from == TY_f32)
        v = float_flush(e, v);
    if (!is_float(from)) {
        LLVMValueRef r = int_to_float(e, v, from, to, round);
        if (sat && to != TY_f16 && to != TY_bf16)
            r = saturate(e, r);
        emit_def0(e, to, r);
        return;
    }
    if (!is_float(to)) {
        emit_def0(e, to, float_to_int(e, v, from, to, round));
        return;
    }
    bool integral = round == MOD_rni || round == MOD_rzi || round == MOD_rmi || round == MOD_rpi;
    if (integral)
        v = round_to_integer(e, v, round);
    if (to == TY_tf32) {
        if (insn->mod[MC_RELU])
            v = relu(e, v);
        LLVMTypeRef bt = emit_int_type(e, 32);
        LLVMValueRef bits = LLVMBuildBitCast(e->b, v, bt, ""), r;
        LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, "");
        if (round == MOD_rna) {
            LLVMValueRef exponent = LLVMBuildAnd(e->b, bits, kb(e, bt, 0x7f800000), "");
            LLVMValueRef special =
                LLVMBuildICmp(e->b, LLVMIntEQ, exponent, kb(e, bt, 0x7f800000), "");
            r = LLVMBuildSelect(e->b, special, bits,
                                LLVMBuildAdd(e->b, bits, kb(e, bt, 0x1000), ""), "");
        } else {
            LLVMValueRef odd =
                LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bits, kb(e, bt, 13), ""), kb(e, bt, 1), "");
            r = LLVMBuildAdd(e->b, bits,
                             LLVMBuildAdd(e->b, odd, kb(e, bt, round == MOD_rz ? 0 : 0xfff), ""),
                             "");
            if (round == MOD_rz)
                r = bits;
        }
        r = LLVMBuildAnd(e->b, r, kb(e, bt, 0xffffe000u), "");
        if (finite) { /* NaNs step down, too: two instructions on the hardware */
            LLVMValueRef rest = LLVMBuildAnd(e->b, r, kb(e, bt, 0x7fffffff), "");
            LLVMValueRef big = LLVMBuildICmp(e->b, LLVMIntUGE, rest, kb(e, bt, 0x7f800000), "");
            r = LLVMBuildSelect(e->b, big, LLVMBuildSub(e->b, r, kb(e, bt, 0x2000), ""), r, "");
        }
        if (round !=
            MOD_rna) /* .rna cuts a NaN's bits off like any others (seen on the hardware) */
            r = LLVMBuildSelect(e->b, nan, kb(e, bt, 0x7fffffff), r, "");
        emit_def0(e, TY_b32, r);
        return;
    }
    LLVMValueRef r = v;
    if (to == TY_f64) {
        r = from == TY_f64 ? v : LLVMBuildFPExt(e->b, v, float_with(e, e->f64, LLVMTypeOf(v)), "");
    } else if (to == TY_f32) {
        r = from == TY_f64 ? double_to_single(e, v, round) : v;
        if (insn->mod[MC_FTZ])
            r = float_flush(e, r);
    } else { /* half types */
        if (from == TY_f64)
            r = float_double_to_single_odd(e, v);
        if (sat)
            r = saturate(e, r);
        if (insn->mod[MC_RELU])
            r = relu(e, r);
        r = float_narrow(e, r, to, integral ? 0 : round);
        if (finite)
            r = emit_bitcast(e, finite_half(e, emit_bitcast(e, r, emit_int_type(e, 16)), to),
                             LLVMTypeOf(r));
        if (from == TY_f64 && to == TY_f16 && !sat) { /* a NaN's sign and upper bits are kept */
            LLVMTypeRef wide = emit_int_type(e, 64), narrow = emit_int_type(e, 16);
            LLVMValueRef bits = LLVMBuildBitCast(e->b, v, wide, "");
            LLVMValueRef sign = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bits, kb(e, wide, 48), ""),
                                             kb(e, wide, 0x8000), "");
            LLVMValueRef top = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bits, kb(e, wide, 42), ""),
                                            kb(e, wide, 0x3ff), "");
            LLVMValueRef nan =
                LLVMBuildOr(e->b, LLVMBuildOr(e->b, sign, top, ""), kb(e, wide, 0x7e00), "");
            nan = LLVMBuildBitCast(e->b, LLVMBuildTrunc(e->b, nan, narrow, ""), LLVMTypeOf(r), "");
            r = LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, ""), nan, r, "");
        }
        emit_def0(e, to, r);
        return;
    }
    if (sat)
        r = saturate(e, r);
    emit_def0(e, to, r);
}

void emit_op_cvt_pack(Emitter *e, const IrInsn *insn)
{
    /* cvt.pack.sat.convertType.abType{.cType} d, a, b{, c}: converts a and b, packs them, c above */
    IrType to = (IrType)insn->types[0], from = (IrType)insn->types[1];
    int bits = (int)ir_type_bits(to);
    LLVMTypeRef w = emit_int_type(e, 32);
    LLVMValueRef a = int_to_int(e, emit_src(e, 1, from), from, to, true),
                 b = int_to_int(e, emit_src(e, 2, from), from, to, true);
    LLVMValueRef r = LLVMBuildOr(
        e->b, LLVMBuildShl(e->b, LLVMBuildZExt(e->b, a, w, ""), kb(e, w, (uint64_t)bits), ""),
        LLVMBuildZExt(e->b, b, w, ""), "");
    if (insn->operand_count > 3 && insn->operands[3].kind != OPND_none) {
        LLVMValueRef c = emit_src(e, 3, TY_b32);
        r = LLVMBuildOr(e->b, r, LLVMBuildShl(e->b, c, kb(e, w, (uint64_t)(2 * bits)), ""), "");
    }
    emit_def0(e, TY_b32, r);
}

/* ---- address spaces ---- */

static LLVMValueRef generic_base(Emitter *e, LLVMValueRef host)
{
    LLVMValueRef v = LLVMBuildPtrToInt(e->b, host, e->i64, "");
    return LLVMBuildSub(e->b, v, e->delta, "");
}

static LLVMValueRef lane_local(Emitter *e)
{
    LLVMValueRef lanes =
        LLVMBuildMul(e->b, emit_iota(e, e->i64), emit_splat(e, e->local_stride), "");
    return LLVMBuildAdd(e->b, emit_splat(e, generic_base(e, e->local)), lanes, "");
}

void emit_op_cvta(Emitter *e, const IrInsn *insn)
{
    IrType t = (IrType)insn->types[0];
    bool to = insn->mod[MC_TO] != 0;
    LLVMValueRef v, base;
    switch (ir_space(insn)) {
    case MOD_shared:
        v = emit_src(e, 1, t);
        base = generic_base(e, e->shared);
        break;
    case MOD_local:
        e->uses_local = true;
        if (e->by_lane) {
            v = emit_src(e, 1, t);
            base = generic_base(e, e->local);
            break;
        }
        v = emit_vector(e, &insn->operands[1], t);
        base = lane_local(e);
        break;
    case MOD_param:
        v = emit_src(e, 1, t);
        base = generic_base(e, emit_grid_field(e, offsetof(GkGrid, params), e->ptr));
        break;
    default:
        emit_def0(e, t, emit_src(e, 1, t));
        return;
    }
    if (ir_type_bits(t) != 64) {
        emit_error(e, "cvta with 32-bit addresses is not supported");
        return;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind &&
        LLVMGetTypeKind(LLVMTypeOf(base)) != LLVMVectorTypeKind)
        base = emit_splat(e, base);
    emit_def0(e, t, to ? LLVMBuildSub(e->b, v, base, "") : LLVMBuildAdd(e->b, v, base, ""));
}

static LLVMValueRef in_range(Emitter *e, LLVMValueRef v, LLVMValueRef base, uint64_t bytes)
{
    LLVMValueRef size = emit_k64(e, bytes);
    if (e->lanes > 1)
        base = emit_splat(e, base), size = emit_splat(e, size);
    return LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildSub(e->b, v, base, ""), size, "");
}

/* Is it the address of a constant variable, or of a parameter? */
static LLVMValueRef in_constants(Emitter *e, LLVMValueRef v)
{
    LLVMValueRef r = LLVMConstNull(emit_type(e, TY_pred));
    for (uint32_t i = 0; i < e->module->symbol_count; ++i) {
        IrSymbol *s = e->module->symbols[i];
        IrOperand o = {.kind = OPND_symbol, .symbol = s};
        if (s->kind == SYM_VARIABLE && s->space == MOD_const)
            r = LLVMBuildOr(e->b, r, in_range(e, v, emit_symbol_address(e, &o), s->size), "");
    }
    return r;
}

static LLVMValueRef in_params(Emitter *e, LLVMValueRef v)
{
    LLVMValueRef at = generic_base(e, emit_grid_field(e, offsetof(GkGrid, params), e->ptr));
    return in_range(e, v, at, e->flow->function->param_bytes);
}

void emit_op_isspacep(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef v = emit_src(e, 1, TY_b64), base, size, r;
    if (ir_space(insn) == MOD_const || ir_space(insn) == MOD_param) {
        emit_def0(e, TY_pred, (ir_space(insn) == MOD_const ? in_constants : in_params)(e, v));
        return;
    }
    switch (ir_space(insn)) {
    case MOD_shared:
        base = generic_base(e, e->shared);
        size = LLVMBuildAdd(e->b, emit_grid_field(e, offsetof(GkGrid, static_shared), e->i32),
                            emit_grid_field(e, offsetof(GkGrid, dynamic_shared), e->i32), "");
        size = LLVMBuildZExt(e->b, size, e->i64, "");
        break;
    case MOD_local:
        e->uses_local = true;
        base = generic_base(e, e->local);
        size = LLVMBuildMul(e->b, e->local_stride, LLVMConstInt(e->i64, 32, false), "");
        break;
    default: /* global: neither of the others, and above the first megabyte */
        base = generic_base(e, e->shared);
        size = LLVMConstInt(e->i64, 256 << 10, false);
        break;
    }
    if (e->lanes > 1)
        base = emit_splat(e, base), size = emit_splat(e, size);
    r = LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildSub(e->b, v, base, ""), size, "");
    if (ir_space(insn) == MOD_global) {
        LLVMValueRef local = generic_base(e, e->local), lsize;
        lsize = LLVMBuildMul(e->b, e->local_stride, LLVMConstInt(e->i64, 32, false), "");
        if (e->lanes > 1)
            local = emit_splat(e, local), lsize = emit_splat(e, lsize);
        LLVMValueRef in_local =
            LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildSub(e->b, v, local, ""), lsize, "");
        r = LLVMBuildOr(e->b, LLVMBuildOr(e->b, r, in_local, ""), in_constants(e, v), "");
        r = LLVMBuildNot(e->b, r, ""); /* parameters lie in .global, too */
    }
    emit_def0(e, TY_pred, r);
}
