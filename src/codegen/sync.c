/* SPDX-License-Identifier: Apache-2.0
 *
 * Exchange between lanes (shfl, vote, match, redux) and block barriers. PTX ISA: "Parallel
 * Synchronization and Communication". A warp's active lanes run together, so a warp-wide operation
 * works on the current mask. */
#include "codegen/emit.h"
#include "codegen/float.h"

#include <string.h>

static LLVMValueRef k32v(Emitter *e, uint64_t n)
{
    return emit_const(e, emit_vec(e->i32), n);
}

/* ---- block barriers ---- */

static LLVMValueRef uniform_or_first(Emitter *e, const IrOperand *o)
{
    if (emit_is_uniform(e, o))
        return emit_uniform(e, o, TY_u32);
    LLVMValueRef lane = emit_intrinsic(
        e, "llvm.cttz", &e->i32, 1,
        (LLVMValueRef[]){emit_mask_bits(e, e->mask), LLVMConstInt(e->i1, 0, false)}, 2);
    lane = LLVMBuildAnd(e->b, lane, emit_k32(e, 31), "");
    return LLVMBuildExtractElement(e->b, emit_vector(e, o, TY_u32), lane, "");
}

static bool has(const IrInsn *insn, int k)
{
    return k < insn->operand_count && insn->operands[k].kind != OPND_none;
}

void emit_op_bar(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef header[7] = {0};
    header[0] = uniform_or_first(e, &insn->operands[0]);
    header[1] = has(insn, 1) ? uniform_or_first(e, &insn->operands[1]) : emit_k32(e, 0);
    header[2] = emit_k32(e, 0);
    header[4] = emit_mask_bits(e, e->mask);
    header[5] = emit_k32(e, emit_line(e));
    emit_suspend(e, insn->mod[MC_BARKIND] == MOD_arrive ? GK_KIND_ARRIVE : GK_KIND_BARRIER, header);
}

void emit_op_bar_red(Emitter *e, const IrInsn *insn)
{
    /* d, barrier, threads?, predicate: the predicate is the last operand */
    int last = insn->operand_count - 1;
    while (last > 1 && insn->operands[last].kind == OPND_none)
        --last;
    LLVMValueRef p = emit_vector(e, &insn->operands[last], TY_pred), value;
    unsigned op = insn->mod[MC_RED];
    LLVMValueRef yes = emit_mask_bits(e, LLVMBuildAnd(e->b, p, e->mask, ""));
    if (op == MOD_popc)
        value = emit_intrinsic(e, "llvm.ctpop", &e->i32, 1, &yes, 1);
    else if (op == MOD_ror)
        value = LLVMBuildZExt(e->b, LLVMBuildICmp(e->b, LLVMIntNE, yes, emit_k32(e, 0), ""), e->i32,
                              "");
    else
        value = LLVMBuildZExt(
            e->b, LLVMBuildICmp(e->b, LLVMIntEQ, yes, emit_mask_bits(e, e->mask), ""), e->i32, "");
    LLVMValueRef header[7] = {0};
    header[0] = uniform_or_first(e, &insn->operands[1]);
    header[1] = last > 2 && has(insn, 2) ? uniform_or_first(e, &insn->operands[2]) : emit_k32(e, 0);
    header[2] = emit_k32(e, op == MOD_popc ? 1 : op == MOD_rand ? 2 : 3);
    header[3] = value;
    header[4] = emit_mask_bits(e, e->mask);
    header[5] = emit_k32(e, emit_line(e));
    emit_suspend(e, GK_KIND_BARRIER, header);
    LLVMValueRef at = LLVMConstInt(e->i64, offsetof(GkFrame, reduce_result), false);
    LLVMValueRef r =
        LLVMBuildLoad2(e->b, e->i32, LLVMBuildGEP2(e->b, e->i8, e->frame_arg, &at, 1, ""), "");
    if (op == MOD_popc)
        emit_def0(e, TY_u32, r);
    else
        emit_def0(e, TY_pred, LLVMBuildICmp(e->b, LLVMIntNE, r, emit_k32(e, 0), ""));
}

void emit_op_bar_warp(Emitter *e, const IrInsn *insn)
{
    if (e->by_lane) {
        emit_exchange(e, emit_k32(e, 0), emit_uniform(e, &insn->operands[0], TY_b32));
        return;
    }
    /* lanes of a warp run in step; memory is ordered by the thread that runs them */
    LLVMBuildFence(e->b, LLVMAtomicOrderingAcquireRelease, true, "");
}

/* ---- shuffles ---- */

/* v[index[lane]] with index in 0..31 */
static LLVMValueRef permute(Emitter *e, LLVMValueRef v, LLVMValueRef index)
{
    if (e->features & EMIT_AVX512) {
        int low[16], high[16];
        LLVMValueRef part[2], pieces[2], ki[2];
        for (int i = 0; i < 16; ++i)
            low[i] = i, high[i] = 16 + i;
        LLVMValueRef cl[16], ch[16];
        for (int i = 0; i < 16; ++i)
            cl[i] = emit_k32(e, (uint64_t)low[i]), ch[i] = emit_k32(e, (uint64_t)high[i]);
        for (int h = 0; h < 2; ++h) {
            LLVMValueRef pick = LLVMConstVector(h ? ch : cl, 16);
            part[h] = LLVMBuildShuffleVector(e->b, v, LLVMGetUndef(LLVMTypeOf(v)), pick, "");
            ki[h] = LLVMBuildShuffleVector(e->b, index, LLVMGetUndef(LLVMTypeOf(index)), pick, "");
        }
        for (int h = 0; h < 2; ++h)
            pieces[h] = emit_intrinsic(e, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0,
                                       (LLVMValueRef[]){part[0], ki[h], part[1]}, 3);
        return float_concat(e, pieces, 2);
    }
    LLVMValueRef slot = emit_slot(e, emit_vec(e->i32), "perm");
    LLVMBuildStore(e->b, v, slot);
    LLVMValueRef r = LLVMGetUndef(emit_vec(e->i32));
    for (unsigned i = 0; i < GK_WARP; ++i) {
        LLVMValueRef k = LLVMBuildExtractElement(e->b, index, emit_k32(e, i), "");
        LLVMValueRef x =
            LLVMBuildLoad2(e->b, e->i32, LLVMBuildGEP2(e->b, e->i32, slot, &k, 1, ""), "");
        r = LLVMBuildInsertElement(e->b, r, x, emit_k32(e, i), "");
    }
    return r;
}

static LLVMValueRef kk(Emitter *e, LLVMValueRef like, uint64_t n)
{
    return emit_const(e, LLVMTypeOf(like), n);
}

/* The lane that `lane` reads from, itself where the shuffle's range ends (*valid false). */
static LLVMValueRef source_lane(Emitter *e, unsigned mode, LLVMValueRef lane, LLVMValueRef b,
                                LLVMValueRef c, LLVMValueRef *valid)
{
    b = LLVMBuildAnd(e->b, b, kk(e, b, 31), "");
    LLVMValueRef clampv = LLVMBuildAnd(e->b, c, kk(e, c, 31), "");
    LLVMValueRef seg =
        LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, c, kk(e, c, 8), ""), kk(e, c, 31), "");
    LLVMValueRef not_seg = LLVMBuildXor(e->b, seg, kk(e, c, 31), "");
    LLVMValueRef low = LLVMBuildAnd(e->b, lane, seg, "");
    LLVMValueRef max_lane = LLVMBuildOr(e->b, low, LLVMBuildAnd(e->b, clampv, not_seg, ""), "");
    LLVMValueRef min_lane = low, j, p;
    switch (mode) {
    case MOD_up:
        j = LLVMBuildSub(e->b, lane, b, "");
        p = LLVMBuildICmp(e->b, LLVMIntSGE, j, max_lane, "");
        break;
    case MOD_down:
        j = LLVMBuildAdd(e->b, lane, b, "");
        p = LLVMBuildICmp(e->b, LLVMIntSLE, j, max_lane, "");
        break;
    case MOD_bfly:
        j = LLVMBuildXor(e->b, lane, b, "");
        p = LLVMBuildICmp(e->b, LLVMIntSLE, j, max_lane, "");
        break;
    default:
        j = LLVMBuildOr(e->b, min_lane, LLVMBuildAnd(e->b, b, not_seg, ""), "");
        p = LLVMBuildICmp(e->b, LLVMIntSLE, j, max_lane, "");
    }
    j = LLVMBuildSelect(e->b, p, j, lane, "");
    *valid = p;
    return j;
}

static LLVMValueRef given(Emitter *e, LLVMValueRef lane, LLVMTypeRef type)
{
    LLVMValueRef at = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, lane, e->i64, ""),
                                   LLVMConstInt(e->i64, 8, false), "");
    at = LLVMBuildAdd(e->b, at, LLVMConstInt(e->i64, offsetof(GkLaneFrame, given), false), "");
    return LLVMBuildLoad2(e->b, type, LLVMBuildGEP2(e->b, e->i8, e->frame_arg, &at, 1, ""), "");
}

static LLVMValueRef member_mask(Emitter *e, const IrInsn *insn, int operand)
{
    return has(insn, operand) ? emit_uniform(e, &insn->operands[operand], TY_b32)
                              : emit_k32(e, 0xffffffffu);
}

static void shfl_by_lane(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef p, b = emit_uniform(e, &insn->operands[3], TY_b32),
                    c = emit_uniform(e, &insn->operands[4], TY_b32);
    LLVMValueRef j = source_lane(e, insn->mod[MC_SHFL], e->lane_id, b, c, &p);
    /* the source lane travels with the value: nothing else outlives the suspension */
    LLVMValueRef word = LLVMBuildOr(
        e->b,
        LLVMBuildShl(e->b, LLVMBuildZExt(e->b, j, e->i64, ""), LLVMConstInt(e->i64, 32, false), ""),
        LLVMBuildShl(e->b, LLVMBuildZExt(e->b, p, e->i64, ""), LLVMConstInt(e->i64, 40, false), ""),
        "");
    word = LLVMBuildOr(e->b, word,
                       LLVMBuildZExt(e->b, emit_uniform(e, &insn->operands[2], TY_b32), e->i64, ""),
                       "");
    emit_exchange(e, word, member_mask(e, insn, 5));
    LLVMValueRef own = given(e, e->lane_id, e->i64);
    LLVMValueRef from = LLVMBuildTrunc(
        e->b, LLVMBuildLShr(e->b, own, LLVMConstInt(e->i64, 32, false), ""), e->i32, "");
    from = LLVMBuildAnd(e->b, from, emit_k32(e, 31), "");
    p = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, own, LLVMConstInt(e->i64, 40, false), ""), e->i1,
                       "");
    emit_def0(e, TY_b32, given(e, from, e->i32));
    emit_def(e, &insn->operands[1], 1, TY_pred, p);
}

void emit_op_shfl(Emitter *e, const IrInsn *insn)
{
    unsigned mode = insn->mod[MC_SHFL];
    const IrOperand *bo = &insn->operands[3], *co = &insn->operands[4];
    if (e->by_lane) {
        shfl_by_lane(e, insn);
        return;
    }
    LLVMValueRef v = emit_vector(e, &insn->operands[2], TY_b32);
    if (e->lanes == 1) { /* broadcast of one lane over the whole warp */
        LLVMValueRef lane = LLVMBuildAnd(e->b, emit_uniform(e, bo, TY_b32), emit_k32(e, 31), "");
        emit_def0(e, TY_b32, LLVMBuildExtractElement(e->b, v, lane, ""));
        emit_def(e, &insn->operands[1], 1, TY_pred, LLVMConstInt(e->i1, 1, false));
        return;
    }
    LLVMValueRef lane = emit_iota(e, e->i32), p;
    LLVMValueRef j =
        source_lane(e, mode, lane, emit_vector(e, bo, TY_b32), emit_vector(e, co, TY_b32), &p);
    emit_def0(e, TY_b32, permute(e, v, j));
    emit_def(e, &insn->operands[1], 1, TY_pred, p);
}
/* ---- votes ---- */

/* lanes that take part: active now and named by the member mask (of the first active lane) */
static LLVMValueRef members(Emitter *e, const IrInsn *insn, int operand)
{
    bool all;
    LLVMValueRef bits = emit_mask_bits(e, emit_exec_mask(e, &all));
    if (!has(insn, operand))
        return bits;
    return LLVMBuildAnd(e->b, bits, uniform_or_first(e, &insn->operands[operand]), "");
}

/* The member mask differs between lanes: groups of lanes exchange among themselves. */
static bool in_groups(Emitter *e, const IrInsn *insn, int operand)
{
    return !e->by_lane && has(insn, operand) && !emit_is_uniform(e, &insn->operands[operand]);
}

/* Per lane: the active lanes of its group. */
static LLVMValueRef group_members(Emitter *e, const IrInsn *insn, int operand)
{
    bool all;
    LLVMValueRef bits = emit_mask_bits(e, emit_exec_mask(e, &all));
    return LLVMBuildAnd(e->b, emit_splat(e, bits), emit_vector(e, &insn->operands[operand], TY_u32),
                        "");
}

static void vote_in_groups(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef who = group_members(e, insn, 2), zero = k32v(e, 0);
    LLVMValueRef yes = LLVMBuildAnd(
        e->b, emit_splat(e, emit_mask_bits(e, emit_vector(e, &insn->operands[1], TY_pred))), who,
        "");
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, yes, zero, ""),
                 every = LLVMBuildICmp(e->b, LLVMIntEQ, yes, who, "");
    if (insn->mod[MC_VOTE] == MOD_ballot)
        emit_def0(e, TY_b32, yes);
    else
        emit_def0(e, TY_pred,
                  insn->mod[MC_VOTE] == MOD_all   ? every
                  : insn->mod[MC_VOTE] == MOD_any ? LLVMBuildNot(e->b, none, "")
                                                  : LLVMBuildOr(e->b, every, none, ""));
}

void emit_op_vote(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef who, yes, r;
    if (in_groups(e, insn, 2)) {
        vote_in_groups(e, insn);
        return;
    }
    if (e->by_lane) {
        emit_exchange(e, emit_uniform(e, &insn->operands[1], TY_pred), member_mask(e, insn, 2));
        who = emit_frame_field(e, offsetof(GkFrame, reduce_result), e->i32);
        yes = emit_frame_field(e, offsetof(GkFrame, reduce_value), e->i32);
    } else {
        LLVMValueRef p = emit_vector(e, &insn->operands[1], TY_pred);
        who = members(e, insn, 2);
        yes = LLVMBuildAnd(e->b, emit_mask_bits(e, p), who, "");
    }
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, yes, emit_k32(e, 0), ""),
                 every = LLVMBuildICmp(e->b, LLVMIntEQ, yes, who, "");
    switch (insn->mod[MC_VOTE]) {
    case MOD_ballot:
        emit_def0(e, TY_b32, yes);
        return;
    case MOD_all:
        r = every;
        break;
    case MOD_any:
        r = LLVMBuildNot(e->b, none, "");
        break;
    default:
        r = LLVMBuildOr(e->b, every, none, "");
    }
    emit_def0(e, TY_pred, r);
}

void emit_op_activemask(Emitter *e, const IrInsn *insn)
{
    (void)insn;
    bool all;
    if (e->by_lane) /* this lane alone is known to be active */
        emit_def0(e, TY_b32, LLVMBuildShl(e->b, emit_k32(e, 1), e->lane_id, ""));
    else
        emit_def0(e, TY_b32, emit_mask_bits(e, emit_exec_mask(e, &all)));
}

void emit_op_elect(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef who;
    if (e->by_lane) {
        emit_exchange(e, emit_k32(e, 0), member_mask(e, insn, 2));
        who = emit_frame_field(e, offsetof(GkFrame, reduce_result), e->i32);
    } else {
        who = members(e, insn, 2);
    }
    if (in_groups(e, insn, 2)) {
        LLVMTypeRef lanes = emit_vec(e->i32);
        LLVMValueRef first = emit_intrinsic(
            e, "llvm.cttz", &lanes, 1,
            (LLVMValueRef[]){group_members(e, insn, 2), LLVMConstInt(e->i1, 0, false)}, 2);
        emit_def(e, &insn->operands[0], 0, TY_u32, first);
        emit_def(e, &insn->operands[1], 1, TY_pred,
                 LLVMBuildICmp(e->b, LLVMIntEQ, emit_iota(e, e->i32), first, ""));
        return;
    }
    LLVMValueRef leader = emit_intrinsic(e, "llvm.cttz", &e->i32, 1,
                                         (LLVMValueRef[]){who, LLVMConstInt(e->i1, 0, false)}, 2);
    if (e->by_lane) {
        emit_def(e, &insn->operands[0], 0, TY_u32, leader);
        emit_def(e, &insn->operands[1], 1, TY_pred,
                 LLVMBuildICmp(e->b, LLVMIntEQ, e->lane_id, leader, ""));
        return;
    }
    emit_def(e, &insn->operands[0], 0, TY_u32, emit_splat(e, leader));
    emit_def(e, &insn->operands[1], 1, TY_pred,
             LLVMBuildICmp(e->b, LLVMIntEQ, emit_iota(e, e->i32), emit_splat(e, leader), ""));
}

void emit_op_match(Emitter *e, const IrInsn *insn)
{
    IrType t = (IrType)insn->types[0];
    const IrOperand *v_operand = &insn->operands[2];
    if (e->by_lane) {
        emit_exchange(e, emit_uniform(e, v_operand, t), member_mask(e, insn, 3));
        LLVMValueRef who = emit_frame_field(e, offsetof(GkFrame, reduce_result), e->i32),
                     same = emit_k32(e, 0);
        LLVMValueRef own = given(e, e->lane_id, e->i64);
        for (unsigned lane = 0; lane < GK_WARP; ++lane) {
            LLVMValueRef eq =
                LLVMBuildICmp(e->b, LLVMIntEQ, given(e, emit_k32(e, lane), e->i64), own, "");
            same = LLVMBuildOr(
                e->b, same, LLVMBuildSelect(e->b, eq, emit_k32(e, 1u << lane), emit_k32(e, 0), ""),
                "");
        }
        same = LLVMBuildAnd(e->b, same, who, "");
        if (insn->mod[MC_MATCH] == MOD_any_) {
            emit_def0(e, TY_b32, same);
            return;
        }
        LLVMValueRef every = LLVMBuildICmp(e->b, LLVMIntEQ, same, who, "");
        emit_def0(e, TY_b32, LLVMBuildSelect(e->b, every, same, emit_k32(e, 0), ""));
        emit_def(e, &insn->operands[1], 1, TY_pred, every);
        return;
    }
    LLVMValueRef v = emit_vector(e, v_operand, t);
    LLVMValueRef who =
        in_groups(e, insn, 3) ? group_members(e, insn, 3) : emit_splat(e, members(e, insn, 3));
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(v));
    LLVMValueRef slot = emit_slot(e, emit_vec(element), "match");
    LLVMBuildStore(e->b, v, slot);
    LLVMValueRef r = k32v(e, 0);
    for (unsigned lane = 0; lane < GK_WARP; ++lane) { /* lanes equal to lane's value */
        LLVMValueRef k = emit_k32(e, lane);
        LLVMValueRef x =
            LLVMBuildLoad2(e->b, element, LLVMBuildGEP2(e->b, element, slot, &k, 1, ""), "");
        LLVMValueRef same =
            emit_mask_bits(e, LLVMBuildICmp(e->b, LLVMIntEQ, v, emit_splat(e, x), ""));
        r = LLVMBuildInsertElement(e->b, r, same, k, "");
    }
    r = LLVMBuildAnd(e->b, r, who, "");
    if (insn->mod[MC_MATCH] == MOD_any_) {
        emit_def0(e, TY_b32, r);
        return;
    }
    LLVMValueRef every = LLVMBuildICmp(e->b, LLVMIntEQ, r, who, "");
    emit_def0(e, TY_b32, LLVMBuildSelect(e->b, every, r, k32v(e, 0), ""));
    emit_def(e, &insn->operands[1], 1, TY_pred, every);
}

void emit_op_redux(Emitter *e, const IrInsn *insn)
{
    IrType t = (IrType)insn->types[0];
    if (ir_type_info[t].class == TC_FLOAT) {
        emit_error(e, "redux on floating point is not supported");
        return;
    }
    bool sign = ir_type_info[t].class == TC_SIGNED;
    LLVMValueRef v, who;
    if (e->by_lane) {
        emit_exchange(e, emit_uniform(e, &insn->operands[1], t), member_mask(e, insn, 2));
        v = LLVMGetUndef(emit_vec(e->i32));
        for (unsigned lane = 0; lane < GK_WARP; ++lane)
            v = LLVMBuildInsertElement(e->b, v, given(e, emit_k32(e, lane), e->i32),
                                       emit_k32(e, lane), "");
        who = emit_bits_mask(e, emit_frame_field(e, offsetof(GkFrame, reduce_result), e->i32));
    } else {
        v = emit_vector(e, &insn->operands[1], t);
        who = emit_bits_mask(e, members(e, insn, 2));
    }
    const char *name;
    uint64_t neutral = 0;
    switch (insn->mod[MC_REDUX]) {
    case MOD_xadd:
        name = "llvm.vector.reduce.add";
        break;
    case MOD_xmin:
        name = sign ? "llvm.vector.reduce.smin" : "llvm.vector.reduce.umin";
        neutral = sign ? 0x7fffffffu : 0xffffffffu;
        break;
    case MOD_xmax:
        name = sign ? "llvm.vector.reduce.smax" : "llvm.vector.reduce.umax";
        neutral = sign ? 0x80000000u : 0;
        break;
    case MOD_xand:
        name = "llvm.vector.reduce.and";
        neutral = 0xffffffffu;
        break;
    case MOD_xor__:
        name = "llvm.vector.reduce.or";
        break;
    default:
        name = "llvm.vector.reduce.xor";
    }
    LLVMTypeRef vt = LLVMTypeOf(v);
    if (in_groups(e, insn, 2)) { /* one reduction for each lane's group */
        LLVMValueRef group = group_members(e, insn, 2), result = LLVMGetUndef(vt);
        for (unsigned lane = 0; lane < GK_WARP; ++lane) {
            LLVMValueRef in =
                emit_bits_mask(e, LLVMBuildExtractElement(e->b, group, emit_k32(e, lane), ""));
            LLVMValueRef x = LLVMBuildSelect(e->b, in, v, emit_const(e, vt, neutral), "");
            result = LLVMBuildInsertElement(e->b, result, emit_intrinsic(e, name, &vt, 1, &x, 1),
                                            emit_k32(e, lane), "");
        }
        emit_def0(e, t, result);
        return;
    }
    LLVMValueRef x = LLVMBuildSelect(e->b, who, v, emit_const(e, vt, neutral), "");
    emit_def0(e, t, emit_intrinsic(e, name, &vt, 1, &x, 1));
}

void emit_op_nanosleep(Emitter *e, const IrInsn *insn)
{
    LLVMTypeRef args[1] = {e->i32}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, nanosleep), &type, e->none, args, 1);
    LLVMValueRef ns = uniform_or_first(e, &insn->operands[0]);
    LLVMBuildCall2(e->b, type, f, &ns, 1, "");
}
