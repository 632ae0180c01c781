/* SPDX-License-Identifier: Apache-2.0
 * Integer arithmetic, logic, shifts, bit fields, selection. PTX ISA sections "Integer Arithmetic",
 * "Extended-Precision Integer Arithmetic", "Logic and Shift". */
#include "codegen/emit.h"

#include <string.h>

static bool is_signed(IrType type)
{
    return ir_type_info[type].class == TC_SIGNED;
}

static IrType type0(const IrInsn *insn)
{
    return (IrType)insn->types[0];
}

static IrType wider(IrType type)
{
    switch (type) {
    case TY_u16:
        return TY_u32;
    case TY_s16:
        return TY_s32;
    case TY_u32:
        return TY_u64;
    case TY_s32:
        return TY_s64;
    default:
        return type;
    }
}

static LLVMValueRef kc(Emitter *e, LLVMValueRef like, uint64_t n)
{
    return emit_const(e, LLVMTypeOf(like), n);
}

static LLVMValueRef call1(Emitter *e, const char *name, LLVMValueRef a)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    return emit_intrinsic(e, name, &t, 1, &a, 1);
}

static LLVMValueRef call2(Emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    return emit_intrinsic(e, name, &t, 1, (LLVMValueRef[]){a, b}, 2);
}

static LLVMValueRef extend(Emitter *e, LLVMValueRef v, int bits, bool sign)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeRef to = LLVMIntTypeInContext(e->cx, (unsigned)bits);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        to = LLVMVectorType(to, LLVMGetVectorSize(t));
    return sign ? LLVMBuildSExt(e->b, v, to, "") : LLVMBuildZExt(e->b, v, to, "");
}

static LLVMValueRef narrow(Emitter *e, LLVMValueRef v, int bits)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeRef to = LLVMIntTypeInContext(e->cx, (unsigned)bits);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        to = LLVMVectorType(to, LLVMGetVectorSize(t));
    return to == t ? v : LLVMBuildTrunc(e->b, v, to, "");
}

/* ---- carry ---- */

static LLVMValueRef carry_slot(Emitter *e)
{
    if (!e->carry)
        e->carry = emit_slot(e, LLVMVectorType(e->i1, GK_WARP), "carry");
    return e->carry;
}

static void set_carry(Emitter *e, LLVMValueRef carry)
{
    if (e->lanes == 1)
        carry = emit_splat(e, carry);
    LLVMBuildStore(e->b, carry, carry_slot(e));
}

static LLVMValueRef get_carry(Emitter *e, LLVMValueRef like)
{
    LLVMValueRef c = LLVMBuildLoad2(e->b, LLVMVectorType(e->i1, GK_WARP), carry_slot(e), "");
    return LLVMBuildZExt(e->b, c, LLVMTypeOf(like), "");
}

static LLVMValueRef add_with(Emitter *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef in, bool out)
{
    LLVMValueRef sum = LLVMBuildAdd(e->b, a, b, "");
    LLVMValueRef carry = LLVMBuildICmp(e->b, LLVMIntULT, sum, a, "");
    if (in) {
        LLVMValueRef more = LLVMBuildAdd(e->b, sum, in, "");
        carry = LLVMBuildOr(e->b, carry, LLVMBuildICmp(e->b, LLVMIntULT, more, sum, ""), "");
        sum = more;
    }
    if (out)
        set_carry(e, carry);
    return sum;
}

static LLVMValueRef sub_with(Emitter *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef in, bool out)
{
    LLVMValueRef d = LLVMBuildSub(e->b, a, b, "");
    LLVMValueRef borrow = LLVMBuildICmp(e->b, LLVMIntULT, a, b, "");
    if (in) {
        borrow = LLVMBuildOr(e->b, borrow, LLVMBuildICmp(e->b, LLVMIntULT, d, in, ""), "");
        d = LLVMBuildSub(e->b, d, in, "");
    }
    if (out)
        set_carry(e, borrow);
    return d;
}

/* ---- arithmetic ---- */

static bool is_pair(IrType t)
{
    return t == TY_u16x2 || t == TY_s16x2;
}

static LLVMValueRef as_pairs(Emitter *e, LLVMValueRef v)
{
    return emit_bitcast(e, v, LLVMVectorType(e->i16, 2 * (unsigned)e->lanes));
}

void emit_op_add_int(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t), r;
    if (is_pair(t)) /* no carry between the halves */
        r = emit_bitcast(e, LLVMBuildAdd(e->b, as_pairs(e, a), as_pairs(e, b), ""), LLVMTypeOf(a));
    else if (insn->mod[MC_SAT])
        r = call2(e, is_signed(t) ? "llvm.sadd.sat" : "llvm.uadd.sat", a, b);
    else if (insn->mod[MC_CC])
        r = add_with(e, a, b, NULL, true);
    else
        r = LLVMBuildAdd(e->b, a, b, "");
    emit_def0(e, t, r);
}

void emit_op_sub_int(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t), r;
    if (insn->mod[MC_SAT])
        r = call2(e, is_signed(t) ? "llvm.ssub.sat" : "llvm.usub.sat", a, b);
    else if (insn->mod[MC_CC])
        r = sub_with(e, a, b, NULL, true);
    else
        r = LLVMBuildSub(e->b, a, b, "");
    emit_def0(e, t, r);
}

void emit_op_addc(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t);
    emit_def0(e, t, add_with(e, a, b, get_carry(e, a), insn->mod[MC_CC]));
}

void emit_op_subc(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t);
    emit_def0(e, t, sub_with(e, a, b, get_carry(e, a), insn->mod[MC_CC]));
}

static LLVMValueRef high_product(Emitter *e, LLVMValueRef a, LLVMValueRef b, int bits, bool sign)
{
    LLVMValueRef p =
        LLVMBuildMul(e->b, extend(e, a, 2 * bits, sign), extend(e, b, 2 * bits, sign), "");
    return narrow(e, LLVMBuildLShr(e->b, p, kc(e, p, (uint64_t)bits), ""), bits);
}

static LLVMValueRef product(Emitter *e, const IrInsn *insn, IrType t)
{
    int bits = (int)ir_type_bits(t);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t);
    switch (insn->mod[MC_MUL]) {
    case MOD_hi:
        return high_product(e, a, b, bits, is_signed(t));
    case MOD_wide:
        return LLVMBuildMul(e->b, extend(e, a, 2 * bits, is_signed(t)),
                            extend(e, b, 2 * bits, is_signed(t)), "");
    default:
        return LLVMBuildMul(e->b, a, b, "");
    }
}

/* A widened linear product is described by its shape; only the uniform rest is kept as the base. */
static bool keeps_extension(Emitter *e, const IrInsn *insn)
{
    const IrOperand *o = &insn->operands[0];
    if (insn->mod[MC_MUL] != MOD_wide || e->lanes != 1 || o->kind != OPND_reg)
        return false;
    Shape s = e->flow->values.items[o->reg].shape;
    if (!s.ext)
        return false;
    Extension x =
        e->flow->extensions.items[s.ext]; /* may come from the addend: widened the other way */
    return x.is_signed == is_signed((IrType)insn->types[0]) &&
           (flow_operand_value(insn, 1) == x.value || flow_operand_value(insn, 2) == x.value);
}

void emit_op_mul_int(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn), result = insn->mod[MC_MUL] == MOD_wide ? wider(t) : t;
    if (keeps_extension(e, insn))
        emit_def0(e, result, LLVMConstInt(e->i64, 0, false));
    else
        emit_def0(e, result, product(e, insn, t));
}

void emit_op_mad_int(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn), result = insn->mod[MC_MUL] == MOD_wide ? wider(t) : t;
    LLVMValueRef c = emit_src(e, 3, result);
    if (keeps_extension(e, insn)) {
        emit_def0(e, result, c);
        return;
    }
    LLVMValueRef p = product(e, insn, t);
    if (insn->mod[MC_SAT])
        emit_def0(e, result, call2(e, "llvm.sadd.sat", p, c));
    else if (insn->mod[MC_CC])
        emit_def0(e, result, add_with(e, p, c, NULL, true));
    else
        emit_def0(e, result, LLVMBuildAdd(e->b, p, c, ""));
}

void emit_op_madc(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef p = product(e, insn, t), c = emit_src(e, 3, t);
    emit_def0(e, t, add_with(e, p, c, get_carry(e, p), insn->mod[MC_CC]));
}

static LLVMValueRef product24(Emitter *e, const IrInsn *insn, IrType t)
{
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t), eight = kc(e, a, 8);
    a = LLVMBuildShl(e->b, a, eight, "");
    b = LLVMBuildShl(e->b, b, eight, "");
    a = is_signed(t) ? LLVMBuildAShr(e->b, a, eight, "") : LLVMBuildLShr(e->b, a, eight, "");
    b = is_signed(t) ? LLVMBuildAShr(e->b, b, eight, "") : LLVMBuildLShr(e->b, b, eight, "");
    LLVMValueRef p =
        LLVMBuildMul(e->b, extend(e, a, 64, is_signed(t)), extend(e, b, 64, is_signed(t)), "");
    if (insn->mod[MC_MUL] == MOD_hi) /* bits 16 to 47 of the 48-bit product */
        p = LLVMBuildLShr(e->b, p, kc(e, p, 16), "");
    return narrow(e, p, 32);
}

void emit_op_mul24(Emitter *e, const IrInsn *insn)
{
    emit_def0(e, type0(insn), product24(e, insn, type0(insn)));
}

void emit_op_mad24(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef p = product24(e, insn, type0(insn)), c = emit_src(e, 3, type0(insn));
    emit_def0(e, type0(insn),
              insn->mod[MC_SAT] ? call2(e, "llvm.sadd.sat", p, c) : LLVMBuildAdd(e->b, p, c, ""));
}

void emit_op_sad(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t), c = emit_src(e, 3, t);
    LLVMValueRef less = LLVMBuildICmp(e->b, is_signed(t) ? LLVMIntSLT : LLVMIntULT, a, b, "");
    LLVMValueRef d =
        LLVMBuildSelect(e->b, less, LLVMBuildSub(e->b, b, a, ""), LLVMBuildSub(e->b, a, b, ""), "");
    emit_def0(e, t, LLVMBuildAdd(e->b, c, d, ""));
}

/* Division never traps: by zero it gives all ones. 16- and 32-bit quotients go through double, where
 * they are exact: two different quotients of 32-bit integers differ by more than its rounding. */
static LLVMValueRef divide(Emitter *e, LLVMValueRef a, LLVMValueRef b, IrType t)
{
    int bits = (int)ir_type_bits(t);
    bool sign = is_signed(t);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a)), ones = LLVMConstAllOnes(LLVMTypeOf(a));
    LLVMValueRef by_zero = LLVMBuildICmp(e->b, LLVMIntEQ, b, zero, "");
    LLVMValueRef q;
    if (LLVMIsConstant(b) && !LLVMIsNull(b)) {
        if (e->lanes == 1 || LLVMIsConstant(b)) {
            LLVMValueRef minus = sign ? LLVMBuildICmp(e->b, LLVMIntEQ, b, ones, "") : NULL;
            if (!minus || !LLVMIsConstant(minus) || LLVMIsNull(minus))
                return sign ? LLVMBuildSDiv(e->b, a, b, "") : LLVMBuildUDiv(e->b, a, b, "");
            return LLVMBuildNeg(e->b, a, "");
        }
    }
    if (e->lanes > 1 && bits <= 32) {
        LLVMTypeRef real = LLVMVectorType(e->f64, GK_WARP), wide = LLVMVectorType(e->i64, GK_WARP);
        LLVMValueRef x =
            sign ? LLVMBuildSIToFP(e->b, a, real, "") : LLVMBuildUIToFP(e->b, a, real, "");
        LLVMValueRef y =
            sign ? LLVMBuildSIToFP(e->b, b, real, "") : LLVMBuildUIToFP(e->b, b, real, "");
        LLVMValueRef one = emit_real(e, real, 1);
        y = LLVMBuildSelect(e->b, by_zero, one, y, "");
        q = narrow(e, LLVMBuildFPToSI(e->b, LLVMBuildFDiv(e->b, x, y, ""), wide, ""), bits);
    } else {
        LLVMValueRef safe = LLVMBuildSelect(e->b, by_zero, kc(e, b, 1), b, "");
        if (sign) {
            LLVMValueRef minus = LLVMBuildICmp(e->b, LLVMIntEQ, b, ones, "");
            safe = LLVMBuildSelect(e->b, minus, kc(e, b, 1), safe, "");
            q = LLVMBuildSDiv(e->b, a, safe, "");
            q = LLVMBuildSelect(e->b, minus, LLVMBuildNeg(e->b, a, ""), q, "");
        } else {
            q = LLVMBuildUDiv(e->b, a, safe, "");
        }
    }
    return LLVMBuildSelect(e->b, by_zero, ones, q, "");
}

void emit_op_div_int(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t);
    emit_def0(e, t, divide(e, a, b, t));
}

void emit_op_rem_int(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t);
    LLVMValueRef q = divide(e, a, b, t);
    emit_def0(e, t, LLVMBuildSub(e->b, a, LLVMBuildMul(e->b, q, b, ""), ""));
}

void emit_op_abs_int(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef a = emit_src(e, 1, type0(insn));
    LLVMTypeRef t = LLVMTypeOf(a);
    emit_def0(e, type0(insn),
              emit_intrinsic(e, "llvm.abs", &t, 1,
                             (LLVMValueRef[]){a, LLVMConstInt(e->i1, 0, false)}, 2));
}

void emit_op_neg_int(Emitter *e, const IrInsn *insn)
{
    emit_def0(e, type0(insn), LLVMBuildNeg(e->b, emit_src(e, 1, type0(insn)), ""));
}

static void min_max(Emitter *e, const IrInsn *insn, bool max)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t);
    LLVMTypeRef whole = LLVMTypeOf(a);
    if (is_pair(t))
        a = as_pairs(e, a), b = as_pairs(e, b);
    const char *name =
        is_signed(t) ? (max ? "llvm.smax" : "llvm.smin") : (max ? "llvm.umax" : "llvm.umin");
    LLVMValueRef r = call2(e, name, a, b);
    if (insn->mod[MC_RELU])
        r = call2(e, "llvm.smax", r, LLVMConstNull(LLVMTypeOf(r)));
    emit_def0(e, t, emit_bitcast(e, r, whole));
}

void emit_op_min_int(Emitter *e, const IrInsn *insn)
{
    min_max(e, insn, false);
}

void emit_op_max_int(Emitter *e, const IrInsn *insn)
{
    min_max(e, insn, true);
}

/* ---- bits ---- */

void emit_op_popc(Emitter *e, const IrInsn *insn)
{
    emit_def0(e, TY_u32, narrow(e, call1(e, "llvm.ctpop", emit_src(e, 1, type0(insn))), 32));
}

static LLVMValueRef leading_zeros(Emitter *e, LLVMValueRef a)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    return emit_intrinsic(e, "llvm.ctlz", &t, 1, (LLVMValueRef[]){a, LLVMConstInt(e->i1, 0, false)},
                          2);
}

void emit_op_clz(Emitter *e, const IrInsn *insn)
{
    emit_def0(e, TY_u32, narrow(e, leading_zeros(e, emit_src(e, 1, type0(insn))), 32));
}

void emit_op_bfind(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    uint64_t bits = ir_type_bits(t);
    LLVMValueRef a = emit_src(e, 1, t);
    if (is_signed(t)) { /* the most significant bit that differs from the sign */
        LLVMValueRef sign = LLVMBuildAShr(e->b, a, kc(e, a, bits - 1), "");
        a = LLVMBuildXor(e->b, a, sign, "");
    }
    LLVMValueRef zero = LLVMBuildICmp(e->b, LLVMIntEQ, a, LLVMConstNull(LLVMTypeOf(a)), "");
    LLVMValueRef n = narrow(e, leading_zeros(e, a), 32);
    LLVMValueRef at = insn->mod[MC_SHIFTAMT] ? n : LLVMBuildSub(e->b, kc(e, n, bits - 1), n, "");
    emit_def0(e, TY_u32, LLVMBuildSelect(e->b, zero, LLVMConstAllOnes(LLVMTypeOf(n)), at, ""));
}

void emit_op_brev(Emitter *e, const IrInsn *insn)
{
    emit_def0(e, type0(insn), call1(e, "llvm.bitreverse", emit_src(e, 1, type0(insn))));
}

/* x shifted by an amount of 32 bits that may reach the width or more */
static LLVMValueRef shift_left(Emitter *e, LLVMValueRef x, LLVMValueRef n, int bits)
{
    LLVMValueRef big = LLVMBuildICmp(e->b, LLVMIntUGE, n, kc(e, n, (uint64_t)bits), "");
    LLVMValueRef amount = bits > 32 ? extend(e, n, bits, false) : narrow(e, n, bits);
    amount = LLVMBuildSelect(e->b, big, LLVMConstNull(LLVMTypeOf(amount)), amount, "");
    return LLVMBuildSelect(e->b, big, LLVMConstNull(LLVMTypeOf(x)),
                           LLVMBuildShl(e->b, x, amount, ""), "");
}

static LLVMValueRef shift_right(Emitter *e, LLVMValueRef x, LLVMValueRef n, int bits, bool sign)
{
    LLVMValueRef last = kc(e, n, (uint64_t)bits - 1);
    LLVMValueRef big = LLVMBuildICmp(e->b, LLVMIntUGE, n, kc(e, n, (uint64_t)bits), "");
    LLVMValueRef clamped = LLVMBuildSelect(e->b, big, last, n, "");
    LLVMValueRef amount = bits > 32 ? extend(e, clamped, bits, false) : narrow(e, clamped, bits);
    if (sign)
        return LLVMBuildAShr(e->b, x, amount, "");
    return LLVMBuildSelect(e->b, big, LLVMConstNull(LLVMTypeOf(x)),
                           LLVMBuildLShr(e->b, x, amount, ""), "");
}

void emit_op_shl(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    emit_def0(e, t, shift_left(e, emit_src(e, 1, t), emit_src(e, 2, TY_u32), (int)ir_type_bits(t)));
}

void emit_op_shr(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    emit_def0(e, t,
              shift_right(e, emit_src(e, 1, t), emit_src(e, 2, TY_u32), (int)ir_type_bits(t),
                          is_signed(t)));
}

void emit_op_shf(Emitter *e, const IrInsn *insn)
{
    /* {b, a} shifted by c; b is the upper word */
    LLVMValueRef a = emit_src(e, 1, TY_b32), b = emit_src(e, 2, TY_b32), c = emit_src(e, 3, TY_u32);
    if (insn->mod[MC_SHFMODE] == MOD_clamp)
        c = call2(e, "llvm.umin", c, kc(e, c, 32));
    else
        c = LLVMBuildAnd(e->b, c, kc(e, c, 31), "");
    LLVMValueRef wide = LLVMBuildOr(
        e->b, LLVMBuildShl(e->b, extend(e, b, 64, false), kc(e, extend(e, b, 64, false), 32), ""),
        extend(e, a, 64, false), "");
    LLVMValueRef n = extend(e, c, 64, false);
    if (insn->mod[MC_SHFDIR] == MOD_r)
        emit_def0(e, TY_b32, narrow(e, LLVMBuildLShr(e->b, wide, n, ""), 32));
    else
        emit_def0(
            e, TY_b32,
            narrow(e, LLVMBuildLShr(e->b, LLVMBuildShl(e->b, wide, n, ""), kc(e, n, 32), ""), 32));
}

void emit_op_bfe(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    int bits = (int)ir_type_bits(t);
    LLVMValueRef a = emit_src(e, 1, t), pos = emit_src(e, 2, TY_u32), len = emit_src(e, 3, TY_u32);
    if (bits == 32) { /* 64-bit fields take the whole word (seen on the hardware) */
        pos = LLVMBuildAnd(e->b, pos, kc(e, pos, 255), "");
        len = LLVMBuildAnd(e->b, len, kc(e, len, 255), "");
    }
    LLVMValueRef field = shift_right(e, a, pos, bits, is_signed(t));
    LLVMValueRef no_length = LLVMBuildICmp(e->b, LLVMIntEQ, len, kc(e, len, 0), "");
    LLVMValueRef whole = kc(e, len, (uint64_t)bits);
    LLVMValueRef drop = LLVMBuildSub(e->b, whole, call2(e, "llvm.umin", len, whole), "");
    if (!is_signed(t)) {
        field = shift_right(e, shift_left(e, field, drop, bits), drop, bits, false);
    } else {
        /* past the top the sign bit fills; the field's own top bit extends it */
        field = shift_right(e, shift_left(e, field, drop, bits), drop, bits, true);
    }
    emit_def0(e, t, LLVMBuildSelect(e->b, no_length, LLVMConstNull(LLVMTypeOf(a)), field, ""));
}

void emit_op_bfi(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    int bits = (int)ir_type_bits(t);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t), pos = emit_src(e, 3, TY_u32),
                 len = emit_src(e, 4, TY_u32);
    if (bits == 32) { /* 64-bit fields take the whole word (seen on the hardware) */
        pos = LLVMBuildAnd(e->b, pos, kc(e, pos, 255), "");
        len = LLVMBuildAnd(e->b, len, kc(e, len, 255), "");
    }
    LLVMValueRef ones = LLVMConstAllOnes(LLVMTypeOf(a));
    LLVMValueRef mask = LLVMBuildNot(e->b, shift_left(e, ones, len, bits), "");
    mask = shift_left(e, mask, pos, bits);
    LLVMValueRef r = LLVMBuildOr(e->b, LLVMBuildAnd(e->b, shift_left(e, a, pos, bits), mask, ""),
                                 LLVMBuildAnd(e->b, b, LLVMBuildNot(e->b, mask, ""), ""), "");
    emit_def0(e, t, r);
}

void emit_op_bmsk(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef a = emit_src(e, 1, TY_u32), b = emit_src(e, 2, TY_u32);
    if (insn->mod[MC_SHFMODE] == MOD_wrap) {
        a = LLVMBuildAnd(e->b, a, kc(e, a, 31), "");
        b = LLVMBuildAnd(e->b, b, kc(e, b, 31), "");
    }
    LLVMValueRef mask =
        LLVMBuildNot(e->b, shift_left(e, LLVMConstAllOnes(LLVMTypeOf(a)), b, 32), "");
    emit_def0(e, TY_b32, shift_left(e, mask, a, 32));
}

void emit_op_szext(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), n = emit_src(e, 2, TY_u32);
    if (insn->mod[MC_SHFMODE] == MOD_wrap)
        n = LLVMBuildAnd(e->b, n, kc(e, n, 31), "");
    LLVMValueRef zero = LLVMBuildICmp(e->b, LLVMIntEQ, n, kc(e, n, 0), "");
    LLVMValueRef drop =
        LLVMBuildSub(e->b, kc(e, n, 32), call2(e, "llvm.umin", n, kc(e, n, 32)), "");
    LLVMValueRef r = shift_right(e, shift_left(e, a, drop, 32), drop, 32, is_signed(t));
    emit_def0(e, t, LLVMBuildSelect(e->b, zero, LLVMConstNull(LLVMTypeOf(a)), r, ""));
}

void emit_op_fns(Emitter *e, const IrInsn *insn)
{
    /* The n-th set bit from `base`: walk all 32 positions; n > 0 upwards, n < 0 downwards, n = 0
     * tests `base` itself. */
    (void)insn;
    LLVMValueRef mask = emit_src(e, 1, TY_b32), base = emit_src(e, 2, TY_b32),
                 n = emit_src(e, 3, TY_b32);
    LLVMTypeRef t = LLVMTypeOf(mask);
    LLVMValueRef found = LLVMConstAllOnes(t), zero = LLVMConstNull(t);
    LLVMValueRef up = LLVMBuildICmp(e->b, LLVMIntSGE, n, zero, "");
    LLVMValueRef at_zero = LLVMBuildICmp(e->b, LLVMIntEQ, n, zero, "");
    LLVMValueRef left =
        LLVMBuildSelect(e->b, at_zero, emit_const(e, t, 1),
                        LLVMBuildSelect(e->b, up, n, LLVMBuildNeg(e->b, n, ""), ""), "");
    for (uint64_t step = 0; step < 32; ++step) {
        LLVMValueRef k = emit_const(e, t, step);
        LLVMValueRef at = LLVMBuildSelect(e->b, up, LLVMBuildAdd(e->b, base, k, ""),
                                          LLVMBuildSub(e->b, base, k, ""), "");
        LLVMValueRef inside = LLVMBuildICmp(e->b, LLVMIntULT, at, emit_const(e, t, 32), "");
        LLVMValueRef safe = LLVMBuildAnd(e->b, at, emit_const(e, t, 31), "");
        LLVMValueRef bit =
            LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, mask, safe, ""), emit_const(e, t, 1), "");
        LLVMValueRef set =
            LLVMBuildAnd(e->b, inside, LLVMBuildICmp(e->b, LLVMIntNE, bit, zero, ""), "");
        if (step)
            set = LLVMBuildAnd(e->b, set, LLVMBuildNot(e->b, at_zero, ""), "");
        left =
            LLVMBuildSelect(e->b, set, LLVMBuildSub(e->b, left, emit_const(e, t, 1), ""), left, "");
        LLVMValueRef hit =
            LLVMBuildAnd(e->b, set, LLVMBuildICmp(e->b, LLVMIntEQ, left, zero, ""), "");
        found = LLVMBuildSelect(e->b, hit, at, found, "");
    }
    emit_def0(e, TY_b32, found);
}

static LLVMValueRef part(Emitter *e, LLVMValueRef v, int at, int bits, bool sign)
{
    LLVMValueRef up = LLVMBuildShl(e->b, v, kc(e, v, (uint64_t)(32 - bits - at)), "");
    LLVMValueRef n = kc(e, v, (uint64_t)(32 - bits));
    return sign ? LLVMBuildAShr(e->b, up, n, "") : LLVMBuildLShr(e->b, up, n, "");
}

void emit_op_dp4a(Emitter *e, const IrInsn *insn)
{
    bool sa = is_signed((IrType)insn->types[0]), sb = is_signed((IrType)insn->types[1]);
    LLVMValueRef a = emit_src(e, 1, TY_b32), b = emit_src(e, 2, TY_b32), r = emit_src(e, 3, TY_b32);
    for (int k = 0; k < 4; ++k)
        r = LLVMBuildAdd(e->b, r,
                         LLVMBuildMul(e->b, part(e, a, 8 * k, 8, sa), part(e, b, 8 * k, 8, sb), ""),
                         "");
    emit_def0(e, sa || sb ? TY_s32 : TY_u32, r);
}

void emit_op_dp2a(Emitter *e, const IrInsn *insn)
{
    bool sa = is_signed((IrType)insn->types[0]), sb = is_signed((IrType)insn->types[1]);
    int first = insn->mod[MC_DPMODE] == MOD_dhi ? 16 : 0;
    LLVMValueRef a = emit_src(e, 1, TY_b32), b = emit_src(e, 2, TY_b32), r = emit_src(e, 3, TY_b32);
    for (int k = 0; k < 2; ++k)
        r = LLVMBuildAdd(
            e->b, r,
            LLVMBuildMul(e->b, part(e, a, 16 * k, 16, sa), part(e, b, first + 8 * k, 8, sb), ""),
            "");
    emit_def0(e, sa || sb ? TY_s32 : TY_u32, r);
}

/* ---- logic ---- */

void emit_op_logic(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_src(e, 1, t), b = emit_src(e, 2, t);
    LLVMOpcode op = insn->op == OP_and ? LLVMAnd : insn->op == OP_or ? LLVMOr : LLVMXor;
    emit_def0(e, t, LLVMBuildBinOp(e->b, op, a, b, ""));
}

void emit_op_not(Emitter *e, const IrInsn *insn)
{
    emit_def0(e, type0(insn), LLVMBuildNot(e->b, emit_src(e, 1, type0(insn)), ""));
}

void emit_op_cnot(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef a = emit_src(e, 1, type0(insn));
    LLVMValueRef zero = LLVMBuildICmp(e->b, LLVMIntEQ, a, LLVMConstNull(LLVMTypeOf(a)), "");
    emit_def0(e, type0(insn), LLVMBuildZExt(e->b, zero, LLVMTypeOf(a), ""));
}

void emit_op_lop3(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = emit_src(e, 2 + k, TY_b32);
    uint64_t table = insn->operands[5].bits;
    LLVMValueRef r = LLVMConstNull(LLVMTypeOf(v[0]));
    for (int row = 0; row < 8; ++row) {
        if (!(table >> row & 1))
            continue;
        LLVMValueRef term = NULL;
        for (int k = 0; k < 3; ++k) {
            LLVMValueRef x = row >> (2 - k) & 1 ? v[k] : LLVMBuildNot(e->b, v[k], "");
            term = term ? LLVMBuildAnd(e->b, term, x, "") : x;
        }
        r = LLVMBuildOr(e->b, r, term, "");
    }
    emit_def0(e, TY_b32, r);
    if (insn->operands[1].kind == OPND_reg) {
        LLVMValueRef p = LLVMBuildICmp(e->b, LLVMIntNE, r, LLVMConstNull(LLVMTypeOf(r)), "");
        LLVMValueRef q = emit_src(e, 6, TY_pred);
        p = insn->mod[MC_BOOL] == MOD_and  ? LLVMBuildAnd(e->b, p, q, "")
            : insn->mod[MC_BOOL] == MOD_or ? LLVMBuildOr(e->b, p, q, "")
                                           : LLVMBuildXor(e->b, p, q, "");
        emit_def(e, &insn->operands[1], 1, TY_pred, p);
    }
}

void emit_op_prmt(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef a = emit_src(e, 1, TY_b32), b = emit_src(e, 2, TY_b32), c = emit_src(e, 3, TY_b32);
    LLVMValueRef wide = LLVMBuildOr(
        e->b, extend(e, a, 64, false),
        LLVMBuildShl(e->b, extend(e, b, 64, false), kc(e, extend(e, b, 64, false), 32), ""), "");
    LLVMValueRef r = LLVMConstNull(LLVMTypeOf(a)), two = LLVMBuildAnd(e->b, c, kc(e, c, 3), "");
    for (uint64_t k = 0; k < 4; ++k) {
        LLVMValueRef sel, sign = NULL;
        switch (insn->mod[MC_PRMT]) {
        case MOD_f4e:
            sel = LLVMBuildAdd(e->b, two, kc(e, c, k), "");
            break;
        case MOD_b4e:
            sel = LLVMBuildAnd(e->b, LLVMBuildSub(e->b, two, kc(e, c, k), ""), kc(e, c, 7), "");
            break;
        case MOD_rc8:
            sel = two;
            break;
        case MOD_ecl:
            sel = call2(e, "llvm.umax", two, kc(e, c, k));
            break;
        case MOD_ecr:
            sel = call2(e, "llvm.umin", two, kc(e, c, k));
            break;
        case MOD_rc16:
            sel = LLVMBuildAdd(
                e->b, LLVMBuildShl(e->b, LLVMBuildAnd(e->b, c, kc(e, c, 1), ""), kc(e, c, 1), ""),
                kc(e, c, k & 1), "");
            break;
        default: {
            LLVMValueRef nibble = LLVMBuildLShr(e->b, c, kc(e, c, 4 * k), "");
            sel = LLVMBuildAnd(e->b, nibble, kc(e, c, 7), "");
            sign = LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildAnd(e->b, nibble, kc(e, c, 8), ""),
                                 kc(e, c, 0), "");
        }
        }
        LLVMValueRef n = extend(e, LLVMBuildShl(e->b, sel, kc(e, c, 3), ""), 64, false);
        LLVMValueRef byte = narrow(e, LLVMBuildLShr(e->b, wide, n, ""), 32);
        byte = LLVMBuildAnd(e->b, byte, kc(e, byte, 255), "");
        if (sign) { /* replicate the byte's sign */
            LLVMValueRef high = LLVMBuildICmp(e->b, LLVMIntUGE, byte, kc(e, byte, 128), "");
            LLVMValueRef fill = LLVMBuildSelect(e->b, high, kc(e, byte, 255), kc(e, byte, 0), "");
            byte = LLVMBuildSelect(e->b, sign, fill, byte, "");
        }
        r = LLVMBuildOr(e->b, r, LLVMBuildShl(e->b, byte, kc(e, byte, 8 * k), ""), "");
    }
    emit_def0(e, TY_b32, r);
}

/* ---- selection, moves ---- */

void emit_op_selp(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef a = emit_choice(e, 1, t), b = emit_choice(e, 2, t);
    LLVMValueRef p = emit_is_uniform(e, &insn->operands[3])
                         ? emit_uniform(e, &insn->operands[3], TY_pred)
                         : emit_src(e, 3, TY_pred);
    emit_def0(e, t, LLVMBuildSelect(e->b, p, a, b, ""));
}

void emit_op_mov(Emitter *e, const IrInsn *insn)
{
    const IrOperand *d = &insn->operands[0], *s = &insn->operands[1];
    IrType t = type0(insn);
    int bits = (int)ir_type_bits(t);
    if (d->kind == OPND_vector) { /* unpack */
        LLVMValueRef v = emit_src(e, 1, t);
        int size = bits / d->count;
        v = emit_bitcast(e, v, emit_int_type(e, bits));
        for (int k = 0; k < d->count; ++k) {
            LLVMValueRef x = k ? LLVMBuildLShr(e->b, v, kc(e, v, (uint64_t)(k * size)), "") : v;
            emit_def(e, &d->items[k], k,
                     size == 8    ? TY_b8
                     : size == 16 ? TY_b16
                     : size == 32 ? TY_b32
                                  : TY_b64,
                     narrow(e, x, size));
        }
        return;
    }
    if (s->kind == OPND_vector) { /* pack */
        int size = bits / s->count;
        IrType part_type = size == 8 ? TY_b8 : size == 16 ? TY_b16 : size == 32 ? TY_b32 : TY_b64;
        LLVMValueRef v = NULL;
        for (int k = 0; k < s->count; ++k) {
            LLVMValueRef x = extend(e, emit_operand(e, &s->items[k], part_type), bits, false);
            if (k)
                x = LLVMBuildShl(e->b, x, kc(e, x, (uint64_t)(k * size)), "");
            v = v ? LLVMBuildOr(e->b, v, x, "") : x;
        }
        emit_def0(e, bits == 32 ? TY_b32 : bits == 64 ? TY_b64 : bits == 128 ? TY_b128 : TY_b16, v);
        return;
    }
    if (s->kind == OPND_reg && e->flow->values.items[s->reg].type == TY_f32 && t == TY_f32) {
        emit_def0(e, t, emit_src(e, 1, t)); /* keeps a NaN as it is: looked at later */
        return;
    }
    emit_def0(e, t, emit_src(e, 1, t));
}

void emit_op_unsupported(Emitter *e, const IrInsn *insn)
{
    emit_error(e, "instruction %s is not supported", ir_op_info[insn->op].text);
}
