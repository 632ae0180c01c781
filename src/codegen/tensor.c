/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of 16-bit elements between memory and registers (ldmatrix, stmatrix, movmatrix) and
 * asynchronous copies, which are done at once, so that waiting for them is nothing. Products: matrix.c.
 * PTX ISA: "Warp Level Matrix Instructions", "Asynchronous Copy". */
#include "codegen/emit.h"

#include <stdio.h>

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

static const IrOperand *item(const IrOperand *o, int k)
{
    return o->kind == OPND_vector ? &o->items[k] : o;
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
        emit_fragment_register(e, &insn->operands[0], (unsigned)k, r);
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

/* void f(lanes, from, to): 32 addresses each; `bytes` from each lane's one to its other. */
static void copy_lanes(Emitter *e, unsigned bytes, LLVMValueRef mask, LLVMValueRef from, LLVMValueRef to)
{
    char name[32];
    snprintf(name, sizeof name, "copy.%u", bytes);
    LLVMTypeRef args[3] = {e->i32, e->ptr, e->ptr}, type = LLVMFunctionType(e->none, args, 3, false);
    LLVMBasicBlockRef back;
    LLVMValueRef f = emit_function(e, name, type, &back);
    if (back) {
        LLVMBasicBlockRef entry = LLVMGetInsertBlock(e->b), loop = LLVMAppendBasicBlockInContext(e->cx, f, ""), done = LLVMAppendBasicBlockInContext(e->cx, f, "");
        LLVMValueRef lanes = LLVMGetParam(f, 0);
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, lanes, k32(e, 0), ""), loop, done);
        LLVMPositionBuilderAtEnd(e->b, loop);
        LLVMValueRef left = LLVMBuildPhi(e->b, e->i32, ""), p[2];
        LLVMValueRef lane = emit_intrinsic(e, "llvm.cttz", &e->i32, 1, (LLVMValueRef[]){left, LLVMConstInt(e->i1, 1, false)}, 2);
        lane = LLVMBuildZExt(e->b, lane, e->i64, "");
        for (unsigned k = 0; k < 2; ++k)
            p[k] = LLVMBuildLoad2(e->b, e->ptr, LLVMBuildGEP2(e->b, e->ptr, LLVMGetParam(f, 1 + k), &lane, 1, ""), "");
        LLVMTypeRef unit = LLVMVectorType(e->i8, bytes);
        LLVMValueRef v = LLVMBuildLoad2(e->b, unit, p[0], "");
        LLVMSetAlignment(v, 1);
        LLVMSetAlignment(LLVMBuildStore(e->b, v, p[1]), 1);
        LLVMValueRef rest = LLVMBuildAnd(e->b, left, LLVMBuildSub(e->b, left, k32(e, 1), ""), "");
        LLVMAddIncoming(left, (LLVMValueRef[]){lanes, rest}, (LLVMBasicBlockRef[]){entry, loop}, 2);
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, rest, k32(e, 0), ""), loop, done);
        LLVMPositionBuilderAtEnd(e->b, done);
        emit_function_end(e, back);
    }
    LLVMValueRef at[2] = {from, to};
    for (unsigned k = 0; k < 2; ++k) {
        if (!e->addresses[k])
            e->addresses[k] = emit_slot(e, vec(e->i64), "addresses");
        LLVMBuildStore(e->b, at[k], e->addresses[k]);
    }
    LLVMBuildCall2(e->b, type, f, (LLVMValueRef[]){emit_mask_bits(e, mask), e->addresses[0], e->addresses[1]}, 3, "");
}

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
    if (insn->operand_count <= 3 || insn->operands[3].kind == OPND_none) {
        copy_lanes(e, bytes, mask, from, to);
        return;
    }
    LLVMValueRef limit = emit_vector(e, &insn->operands[3], TY_b32); /* bytes beyond it are zeros */
    for (unsigned at = 0; at < bytes; at += 4) {
        LLVMValueRef offset = emit_splat(e, k64(e, at));
        LLVMValueRef go = LLVMBuildAnd(e->b, mask, LLVMBuildICmp(e->b, LLVMIntUGT, limit, emit_splat(e, k32(e, at)), ""), "");
        LLVMTypeRef types[2] = {vec(e->i32), vec(e->ptr)};
        LLVMValueRef args[4] = {LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, from, offset, ""), vec(e->ptr), ""), k32(e, 4), go, LLVMConstNull(vec(e->i32))};
        LLVMValueRef v = emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4);
        /* a limit inside the word */
        LLVMValueRef left = LLVMBuildSub(e->b, limit, emit_splat(e, k32(e, at)), "");
        LLVMValueRef part = LLVMBuildICmp(e->b, LLVMIntULT, left, emit_splat(e, k32(e, 4)), "");
        LLVMValueRef shift = LLVMBuildAnd(e->b, LLVMBuildShl(e->b, left, emit_splat(e, k32(e, 3)), ""), emit_splat(e, k32(e, 31)), "");
        LLVMValueRef keep = LLVMBuildSub(e->b, LLVMBuildShl(e->b, emit_splat(e, k32(e, 1)), shift, ""), emit_splat(e, k32(e, 1)), "");
        v = LLVMBuildSelect(e->b, part, LLVMBuildAnd(e->b, v, keep, ""), v, "");
        LLVMValueRef store[4] = {v, LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, to, offset, ""), vec(e->ptr), ""), k32(e, 4), mask};
        emit_intrinsic(e, "llvm.masked.scatter", types, 2, store, 4);
    }
}

void emit_op_nothing(Emitter *e, const IrInsn *insn)
{
    (void)e, (void)insn; /* copies were done when they were issued */
}
