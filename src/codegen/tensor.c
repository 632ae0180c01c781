/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions (wmma, mma, ldmatrix, stmatrix, movmatrix) and asynchronous copies. Fragments
 * go through memory to launch/matrix.c; copies are done at once, so waiting for them is nothing.
 * PTX ISA: "Warp Level Matrix Instructions", "Asynchronous Copy". */
#include "codegen/emit.h"

#include "launch/matrix.h"

#include <stdio.h>
#include <string.h>

static LLVMValueRef k32(Emitter *e, uint64_t n)
{
    return LLVMConstInt(e->i32, n, false);
}

static LLVMValueRef k64(Emitter *e, uint64_t n)
{
    return LLVMConstInt(e->i64, n, false);
}

static LLVMTypeRef vec(LLVMTypeRef t)
{
    return LLVMVectorType(t, GK_WARP);
}

static bool refuse_by_lane(Emitter *e, const IrInsn *insn)
{
    if (e->by_lane)
        emit_error(e, "%s in a kernel whose lanes wait for each other is not supported", ir_op_info[insn->op].text);
    return e->by_lane;
}

/* ---- fragments in memory ---- */

static int count(const IrOperand *o)
{
    return o->kind == OPND_vector ? o->count : 1;
}

static const IrOperand *item(const IrOperand *o, int k)
{
    return o->kind == OPND_vector ? &o->items[k] : o;
}

static LLVMValueRef spill(Emitter *e, const IrOperand *o, bool is64)
{
    LLVMTypeRef t = vec(is64 ? e->i64 : e->i32);
    int n = count(o);
    LLVMValueRef slot = emit_slot(e, LLVMArrayType(t, (unsigned)n), "fragment");
    for (int k = 0; k < n; ++k) {
        LLVMValueRef at = k64(e, (uint64_t)k);
        LLVMBuildStore(e->b, emit_vector(e, item(o, k), is64 ? TY_b64 : TY_b32), LLVMBuildGEP2(e->b, t, slot, &at, 1, ""));
    }
    return slot;
}

static void fill(Emitter *e, const IrOperand *o, LLVMValueRef slot, bool is64)
{
    LLVMTypeRef t = vec(is64 ? e->i64 : e->i32);
    for (int k = 0; k < count(o); ++k) {
        LLVMValueRef at = k64(e, (uint64_t)k);
        emit_def(e, item(o, k), k, is64 ? TY_b64 : TY_b32, LLVMBuildLoad2(e->b, t, LLVMBuildGEP2(e->b, t, slot, &at, 1, ""), ""));
    }
}

static bool matrix_type(Emitter *e, IrType t, uint8_t *out)
{
    switch (t) {
    case TY_f16:
    case TY_f16x2:
        *out = MATRIX_F16;
        return true;
    case TY_bf16:
    case TY_bf16x2:
        *out = MATRIX_BF16;
        return true;
    case TY_tf32:
        *out = MATRIX_TF32;
        return true;
    case TY_f32:
        *out = MATRIX_F32;
        return true;
    case TY_f64:
        *out = MATRIX_F64;
        return true;
    case TY_s8:
        *out = MATRIX_S8;
        return true;
    case TY_u8:
        *out = MATRIX_U8;
        return true;
    case TY_s32:
        *out = MATRIX_S32;
        return true;
    default:
        emit_error(e, "matrices of %s are not supported", ir_type_info[t].text);
        return false;
    }
}

static bool shape(Emitter *e, const IrInsn *insn, GkMatrixOp *op)
{
    unsigned m, n, k;
    if (sscanf(ir_mod_info[insn->mod[MC_SHAPE]].text, "m%un%uk%u", &m, &n, &k) != 3) {
        emit_error(e, "matrix shape %s is not supported", ir_mod_info[insn->mod[MC_SHAPE]].text);
        return false;
    }
    op->m = (uint8_t)m;
    op->n = (uint8_t)n;
    op->k = (uint8_t)k;
    return true;
}

static LLVMValueRef constant(Emitter *e, const GkMatrixOp *op)
{
    LLVMValueRef bytes = LLVMConstStringInContext(e->cx, (const char *)op, sizeof *op, true);
    LLVMValueRef g = LLVMAddGlobal(e->mod, LLVMTypeOf(bytes), "matrix");
    LLVMSetInitializer(g, bytes);
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    return g;
}

void emit_op_mma(Emitter *e, const IrInsn *insn)
{
    const IrOperand *o = insn->operands;
    GkMatrixOp op = {.wmma = insn->op == OP_wmma_mma, .saturate = insn->mod[MC_SAT] != 0};
    if (refuse_by_lane(e, insn) || !shape(e, insn, &op))
        return;
    /* d, a, b, c; wmma on f16 names d and c only */
    IrType types[4] = {(IrType)insn->types[0], TY_f16, TY_f16, (IrType)insn->types[1]};
    if (insn->type_count == 4)
        for (int k = 1; k < 4; ++k)
            types[k] = (IrType)insn->types[k];
    if (!matrix_type(e, types[0], &op.type_d) || !matrix_type(e, types[1], &op.type_a) || !matrix_type(e, types[2], &op.type_b) ||
        !matrix_type(e, types[3], &op.type_c))
        return;
    if (!op.wmma && op.m == 8 && op.n == 8 && op.k == 4 && op.type_a == MATRIX_F16) {
        emit_error(e, "mma.m8n8k4 on f16 (Volta's) is not supported");
        return;
    }
    bool is64 = op.type_a == MATRIX_F64;
    op.registers_d = (uint8_t)count(&o[0]);
    op.registers_a = (uint8_t)count(&o[1]);
    op.registers_b = (uint8_t)count(&o[2]);
    op.registers_c = (uint8_t)count(&o[3]);
    LLVMTypeRef t = vec(is64 ? e->i64 : e->i32);
    LLVMValueRef d = emit_slot(e, LLVMArrayType(t, op.registers_d), "fragment");
    LLVMTypeRef args[5] = {e->ptr, e->ptr, e->ptr, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, matrix_mma), &type, e->none, args, 5);
    LLVMValueRef x[5] = {constant(e, &op), spill(e, &o[1], is64), spill(e, &o[2], is64), spill(e, &o[3], is64), d};
    LLVMBuildCall2(e->b, type, f, x, 5, "");
    fill(e, &o[0], d, is64);
}

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
            LLVMValueRef lane = emit_intrinsic(e, "llvm.cttz", &e->i32, 1,
                                               (LLVMValueRef[]){emit_mask_bits(e, e->mask), LLVMConstInt(e->i1, 0, false)}, 2);
            at = LLVMBuildExtractElement(e->b, emit_vector(e, &reg, t), LLVMBuildAnd(e->b, lane, k32(e, 31), ""), "");
        }
        if (t != TY_b64)
            at = LLVMBuildZExt(e->b, at, e->i64, "");
        at = LLVMBuildAdd(e->b, at, k64(e, (uint64_t)o->offset), "");
    } else {
        at = emit_symbol_address(e, o);
    }
    LLVMValueRef base = ir_space(insn) == MOD_shared ? LLVMBuildPtrToInt(e->b, e->shared, e->i64, "") : k64(e, GK_DELTA);
    return LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, at, base, ""), e->ptr, "");
}

static bool wmma_memory(Emitter *e, const IrInsn *insn, GkMatrixOp *op, const IrOperand *registers)
{
    if (refuse_by_lane(e, insn) || !shape(e, insn, op))
        return false;
    uint8_t type;
    if (!matrix_type(e, (IrType)insn->types[0], &type))
        return false;
    op->wmma = 1;
    op->type_a = op->type_b = op->type_c = type;
    op->fragment = insn->mod[MC_FRAG] == MOD_frag_a ? FRAGMENT_A : insn->mod[MC_FRAG] == MOD_frag_b ? FRAGMENT_B : FRAGMENT_C;
    op->row = insn->mod[MC_LAYOUT] == MOD_row;
    op->registers_d = (uint8_t)count(registers);
    return true;
}

static LLVMValueRef stride_of(Emitter *e, const IrInsn *insn, const GkMatrixOp *op)
{
    if (insn->operand_count > 2 && insn->operands[2].kind != OPND_none)
        return emit_uniform(e, &insn->operands[2], TY_b32);
    unsigned rows = op->fragment == FRAGMENT_B ? op->k : op->m, columns = op->fragment == FRAGMENT_A ? op->k : op->n;
    return k32(e, op->row ? columns : rows);
}

void emit_op_wmma_load(Emitter *e, const IrInsn *insn)
{
    GkMatrixOp op = {0};
    if (!wmma_memory(e, insn, &op, &insn->operands[0]))
        return;
    bool is64 = insn->types[0] == TY_f64;
    LLVMTypeRef args[4] = {e->ptr, e->ptr, e->i32, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, matrix_load), &type, e->none, args, 4);
    LLVMValueRef d = emit_slot(e, LLVMArrayType(vec(is64 ? e->i64 : e->i32), op.registers_d), "fragment");
    LLVMValueRef x[4] = {constant(e, &op), warp_pointer(e, insn, &insn->operands[1]), stride_of(e, insn, &op), d};
    LLVMBuildCall2(e->b, type, f, x, 4, "");
    fill(e, &insn->operands[0], d, is64);
}

void emit_op_wmma_store(Emitter *e, const IrInsn *insn)
{
    GkMatrixOp op = {0};
    if (!wmma_memory(e, insn, &op, &insn->operands[1]))
        return;
    bool is64 = insn->types[0] == TY_f64;
    LLVMTypeRef args[4] = {e->ptr, e->ptr, e->i32, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, matrix_store), &type, e->none, args, 4);
    LLVMValueRef x[4] = {constant(e, &op), warp_pointer(e, insn, &insn->operands[0]), stride_of(e, insn, &op), spill(e, &insn->operands[1], is64)};
    LLVMBuildCall2(e->b, type, f, x, 4, "");
}

/* ---- ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements ---- */

static LLVMValueRef lanes_of(Emitter *e, const int *index)
{
    LLVMValueRef k[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i)
        k[i] = k32(e, (uint64_t)index[i]);
    return LLVMConstVector(k, GK_WARP);
}

static LLVMValueRef constants64(Emitter *e, const int *values)
{
    LLVMValueRef k[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i)
        k[i] = k64(e, (uint64_t)values[i]);
    return LLVMConstVector(k, GK_WARP);
}

/* host addresses of the operand, per lane */
static LLVMValueRef lane_addresses(Emitter *e, const IrInsn *insn, const IrOperand *o, unsigned space)
{
    (void)insn;
    LLVMValueRef at;
    if (o->base_kind == OPND_reg) {
        IrOperand reg = {.kind = OPND_reg, .reg = o->reg};
        bool is64 = ir_type_bits((IrType)e->flow->values.items[o->reg].type) == 64;
        at = emit_vector(e, &reg, is64 ? TY_b64 : TY_b32);
        if (!is64)
            at = LLVMBuildZExt(e->b, at, vec(e->i64), "");
        at = LLVMBuildAdd(e->b, at, emit_splat(e, k64(e, (uint64_t)o->offset)), "");
    } else {
        at = emit_splat(e, emit_symbol_address(e, o));
    }
    LLVMValueRef base = space == MOD_shared ? LLVMBuildPtrToInt(e->b, e->shared, e->i64, "") : k64(e, GK_DELTA);
    return LLVMBuildAdd(e->b, at, emit_splat(e, base), "");
}

static LLVMValueRef gather32(Emitter *e, LLVMValueRef at, LLVMTypeRef element)
{
    LLVMTypeRef types[2] = {vec(element), vec(e->ptr)};
    LLVMValueRef args[4] = {LLVMBuildIntToPtr(e->b, at, vec(e->ptr), ""), k32(e, 2), LLVMConstAllOnes(vec(e->i1)), LLVMConstNull(vec(element))};
    return emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4);
}

static int matrices(const IrInsn *insn)
{
    return insn->mod[MC_COUNT] == MOD_x4 ? 4 : insn->mod[MC_COUNT] == MOD_x2 ? 2 : 1;
}

void emit_op_ldmatrix(Emitter *e, const IrInsn *insn)
{
    if (refuse_by_lane(e, insn))
        return;
    if (insn->mod[MC_SHAPE] != MOD_m8n8 || insn->types[0] != TY_b16) {
        emit_error(e, "ldmatrix of this shape or type is not supported");
        return;
    }
    LLVMValueRef rows = lane_addresses(e, insn, &insn->operands[1], MOD_shared);
    if (!ir_space(insn)) /* generic addresses */
        rows = lane_addresses(e, insn, &insn->operands[1], MOD_none);
    for (int k = 0; k < matrices(insn); ++k) {
        int pick[GK_WARP], offset[GK_WARP];
        LLVMValueRef r;
        if (!insn->mod[MC_TRANS]) { /* lane: row lane/4, two columns from 2*(lane%4) */
            for (int i = 0; i < GK_WARP; ++i)
                pick[i] = 8 * k + i / 4, offset[i] = 4 * (i % 4);
            LLVMValueRef at = LLVMBuildShuffleVector(e->b, rows, LLVMGetUndef(vec(e->i64)), lanes_of(e, pick), "");
            r = gather32(e, LLVMBuildAdd(e->b, at, constants64(e, offset), ""), e->i32);
        } else { /* lane: rows 2*(lane%4) and the next, column lane/4 */
            LLVMValueRef half[2];
            for (int h = 0; h < 2; ++h) {
                for (int i = 0; i < GK_WARP; ++i)
                    pick[i] = 8 * k + 2 * (i % 4) + h, offset[i] = 2 * (i / 4);
                LLVMValueRef at = LLVMBuildShuffleVector(e->b, rows, LLVMGetUndef(vec(e->i64)), lanes_of(e, pick), "");
                half[h] = LLVMBuildZExt(e->b, gather32(e, LLVMBuildAdd(e->b, at, constants64(e, offset), ""), e->i16), vec(e->i32), "");
            }
            r = LLVMBuildOr(e->b, half[0], LLVMBuildShl(e->b, half[1], emit_splat(e, k32(e, 16)), ""), "");
        }
        emit_def(e, item(&insn->operands[0], k), k, TY_b32, r);
    }
}

void emit_op_stmatrix(Emitter *e, const IrInsn *insn)
{
    if (refuse_by_lane(e, insn))
        return;
    if (insn->mod[MC_SHAPE] != MOD_m8n8 || insn->types[0] != TY_b16) {
        emit_error(e, "stmatrix of this shape or type is not supported");
        return;
    }
    LLVMValueRef rows = lane_addresses(e, insn, &insn->operands[0], ir_space(insn) ? MOD_shared : MOD_none);
    for (int k = 0; k < matrices(insn); ++k) {
        LLVMValueRef v = emit_vector(e, item(&insn->operands[1], k), TY_b32);
        for (int h = 0; h < 2; ++h) {
            int pick[GK_WARP], offset[GK_WARP];
            for (int i = 0; i < GK_WARP; ++i) {
                bool trans = insn->mod[MC_TRANS] != 0;
                pick[i] = 8 * k + (trans ? 2 * (i % 4) + h : i / 4);
                offset[i] = trans ? 2 * (i / 4) : 4 * (i % 4) + 2 * h;
            }
            LLVMValueRef at = LLVMBuildShuffleVector(e->b, rows, LLVMGetUndef(vec(e->i64)), lanes_of(e, pick), "");
            at = LLVMBuildAdd(e->b, at, constants64(e, offset), "");
            LLVMValueRef x = h ? LLVMBuildLShr(e->b, v, emit_splat(e, k32(e, 16)), "") : v;
            LLVMTypeRef types[2] = {vec(e->i16), vec(e->ptr)};
            LLVMValueRef args[4] = {LLVMBuildTrunc(e->b, x, vec(e->i16), ""), LLVMBuildIntToPtr(e->b, at, vec(e->ptr), ""), k32(e, 2), LLVMConstAllOnes(vec(e->i1))};
            emit_intrinsic(e, "llvm.masked.scatter", types, 2, args, 4);
        }
    }
}

void emit_op_movmatrix(Emitter *e, const IrInsn *insn)
{
    if (refuse_by_lane(e, insn))
        return;
    LLVMValueRef v = emit_vector(e, &insn->operands[1], TY_b32), half[2];
    for (int h = 0; h < 2; ++h) { /* element [2*(lane%4)+h][lane/4] of the source */
        int pick[GK_WARP];
        bool odd[GK_WARP];
        LLVMValueRef bits[GK_WARP];
        for (int i = 0; i < GK_WARP; ++i) {
            int row = 2 * (i % 4) + h, column = i / 4;
            pick[i] = 4 * row + column / 2;
            odd[i] = column & 1;
            bits[i] = k32(e, odd[i] ? 16 : 0);
        }
        LLVMValueRef x = LLVMBuildShuffleVector(e->b, v, LLVMGetUndef(vec(e->i32)), lanes_of(e, pick), "");
        x = LLVMBuildLShr(e->b, x, LLVMConstVector(bits, GK_WARP), "");
        half[h] = LLVMBuildAnd(e->b, x, emit_splat(e, k32(e, 0xffff)), "");
    }
    emit_def0(e, TY_b32, LLVMBuildOr(e->b, half[0], LLVMBuildShl(e->b, half[1], emit_splat(e, k32(e, 16)), ""), ""));
}

/* ---- cp.async ---- */

void emit_op_cp_async(Emitter *e, const IrInsn *insn)
{
    const IrOperand *size = &insn->operands[2];
    unsigned bytes = (unsigned)size->bits;
    if (bytes != 4 && bytes != 8 && bytes != 16) {
        emit_error(e, "cp.async of %u bytes is not supported", bytes);
        return;
    }
    bool all;
    LLVMValueRef mask = emit_exec_mask(e, &all);
    LLVMValueRef to = lane_addresses(e, insn, &insn->operands[0], MOD_shared), from = lane_addresses(e, insn, &insn->operands[1], MOD_global);
    LLVMValueRef limit = NULL;
    if (insn->operand_count > 3 && insn->operands[3].kind != OPND_none)
        limit = emit_vector(e, &insn->operands[3], TY_b32); /* bytes beyond it are zeros */
    for (unsigned at = 0; at < bytes; at += 4) {
        LLVMValueRef offset = emit_splat(e, k64(e, at)), go = mask;
        if (limit) {
            LLVMValueRef read = LLVMBuildICmp(e->b, LLVMIntUGT, limit, emit_splat(e, k32(e, at)), "");
            go = LLVMBuildAnd(e->b, mask, read, "");
        }
        LLVMTypeRef types[2] = {vec(e->i32), vec(e->ptr)};
        LLVMValueRef args[4] = {LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, from, offset, ""), vec(e->ptr), ""), k32(e, 4), go, LLVMConstNull(vec(e->i32))};
        LLVMValueRef v = emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4);
        if (limit) { /* a limit inside the word */
            LLVMValueRef left = LLVMBuildSub(e->b, limit, emit_splat(e, k32(e, at)), "");
            LLVMValueRef part = LLVMBuildICmp(e->b, LLVMIntULT, left, emit_splat(e, k32(e, 4)), "");
            LLVMValueRef shift = LLVMBuildAnd(e->b, LLVMBuildShl(e->b, left, emit_splat(e, k32(e, 3)), ""), emit_splat(e, k32(e, 31)), "");
            LLVMValueRef keep = LLVMBuildSub(e->b, LLVMBuildShl(e->b, emit_splat(e, k32(e, 1)), shift, ""), emit_splat(e, k32(e, 1)), "");
            v = LLVMBuildSelect(e->b, part, LLVMBuildAnd(e->b, v, keep, ""), v, "");
        }
        LLVMValueRef store[4] = {v, LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, to, offset, ""), vec(e->ptr), ""), k32(e, 4), mask};
        emit_intrinsic(e, "llvm.masked.scatter", types, 2, store, 4);
    }
}

void emit_op_nothing(Emitter *e, const IrInsn *insn)
{
    (void)e, (void)insn; /* copies were done when they were issued */
}
