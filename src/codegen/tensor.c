/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of 16-bit elements between memory and registers (ldmatrix, stmatrix, movmatrix). Products:
 * matrix.c. PTX ISA: "Warp Level Matrix Instructions". */
#include "codegen/emit.h"

static bool refuse_by_lane(Emitter *e, const IrInsn *insn)
{
    if (e->by_lane)
        emit_error(e, "%s in a kernel whose lanes wait for each other is not supported",
                   ir_op_info[insn->op].text);
    return e->by_lane;
}

/* ---- ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements ---- */

static LLVMValueRef lanes_of(Emitter *e, const int *index)
{
    LLVMValueRef k[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i)
        k[i] = emit_k32(e, (uint64_t)index[i]);
    return LLVMConstVector(k, GK_WARP);
}

static LLVMValueRef constants64(Emitter *e, const int *values)
{
    LLVMValueRef k[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i)
        k[i] = emit_k64(e, (uint64_t)values[i]);
    return LLVMConstVector(k, GK_WARP);
}

static LLVMValueRef gather32(Emitter *e, LLVMValueRef at, LLVMTypeRef element)
{
    LLVMTypeRef types[2] = {emit_vec(element), emit_vec(e->ptr)};
    LLVMValueRef args[4] = {LLVMBuildIntToPtr(e->b, at, emit_vec(e->ptr), ""), emit_k32(e, 2),
                            LLVMConstAllOnes(emit_vec(e->i1)), LLVMConstNull(emit_vec(element))};
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
    LLVMValueRef rows = emit_lane_addresses(e, &insn->operands[1], MOD_shared);
    if (!ir_space(insn)) /* generic addresses */
        rows = emit_lane_addresses(e, &insn->operands[1], MOD_none);
    for (int k = 0; k < matrices(insn); ++k) {
        int pick[GK_WARP], offset[GK_WARP];
        LLVMValueRef r;
        if (!insn->mod[MC_TRANS]) { /* lane: row lane/4, two columns from 2*(lane%4) */
            for (int i = 0; i < GK_WARP; ++i)
                pick[i] = 8 * k + i / 4, offset[i] = 4 * (i % 4);
            LLVMValueRef at = LLVMBuildShuffleVector(e->b, rows, LLVMGetUndef(emit_vec(e->i64)),
                                                     lanes_of(e, pick), "");
            r = gather32(e, LLVMBuildAdd(e->b, at, constants64(e, offset), ""), e->i32);
        } else { /* lane: rows 2*(lane%4) and the next, column lane/4 */
            LLVMValueRef half[2];
            for (int h = 0; h < 2; ++h) {
                for (int i = 0; i < GK_WARP; ++i)
                    pick[i] = 8 * k + 2 * (i % 4) + h, offset[i] = 2 * (i / 4);
                LLVMValueRef at = LLVMBuildShuffleVector(e->b, rows, LLVMGetUndef(emit_vec(e->i64)),
                                                         lanes_of(e, pick), "");
                half[h] = LLVMBuildZExt(
                    e->b, gather32(e, LLVMBuildAdd(e->b, at, constants64(e, offset), ""), e->i16),
                    emit_vec(e->i32), "");
            }
            r = LLVMBuildOr(e->b, half[0],
                            LLVMBuildShl(e->b, half[1], emit_splat(e, emit_k32(e, 16)), ""), "");
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
    LLVMValueRef rows =
        emit_lane_addresses(e, &insn->operands[0], ir_space(insn) ? MOD_shared : MOD_none);
    for (int k = 0; k < matrices(insn); ++k) {
        LLVMValueRef v = emit_vector(e, ir_item(&insn->operands[1], k), TY_b32);
        for (int h = 0; h < 2; ++h) {
            int pick[GK_WARP], offset[GK_WARP];
            for (int i = 0; i < GK_WARP; ++i) {
                bool trans = insn->mod[MC_TRANS] != 0;
                pick[i] = 8 * k + (trans ? 2 * (i % 4) + h : i / 4);
                offset[i] = trans ? 2 * (i / 4) : 4 * (i % 4) + 2 * h;
            }
            LLVMValueRef at = LLVMBuildShuffleVector(e->b, rows, LLVMGetUndef(emit_vec(e->i64)),
                                                     lanes_of(e, pick), "");
            at = LLVMBuildAdd(e->b, at, constants64(e, offset), "");
            LLVMValueRef x = h ? LLVMBuildLShr(e->b, v, emit_splat(e, emit_k32(e, 16)), "") : v;
            LLVMTypeRef types[2] = {emit_vec(e->i16), emit_vec(e->ptr)};
            LLVMValueRef args[4] = {LLVMBuildTrunc(e->b, x, emit_vec(e->i16), ""),
                                    LLVMBuildIntToPtr(e->b, at, emit_vec(e->ptr), ""),
                                    emit_k32(e, 2), LLVMConstAllOnes(emit_vec(e->i1))};
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
            bits[i] = emit_k32(e, odd[i] ? 16 : 0);
        }
        LLVMValueRef x =
            LLVMBuildShuffleVector(e->b, v, LLVMGetUndef(emit_vec(e->i32)), lanes_of(e, pick), "");
        x = LLVMBuildLShr(e->b, x, LLVMConstVector(bits, GK_WARP), "");
        half[h] = LLVMBuildAnd(e->b, x, emit_splat(e, emit_k32(e, 0xffff)), "");
    }
    emit_def0(e, TY_b32,
              LLVMBuildOr(e->b, half[0],
                          LLVMBuildShl(e->b, half[1], emit_splat(e, emit_k32(e, 16)), ""), ""));
}
