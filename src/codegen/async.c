/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies, which are done at once, so that waiting for them is nothing; memory barriers
 * (mbarrier), which other threads complete and which are therefore counted like the hardware does, by
 * launch/mbarrier.c; clusters of blocks: addresses in another block's shared memory, the cluster's
 * barrier. Not here: tensor maps (cp.async.bulk.tensor) and tcgen05, which are refused by name.
 * PTX ISA: "Data Movement and Conversion Instructions: Asynchronous copy", "mbarrier". */
#include "codegen/emit.h"

#include <stdio.h>
#include <string.h>

static bool has(const IrInsn *insn, int k)
{
    return k < insn->operand_count && insn->operands[k].kind != OPND_none;
}

LLVMValueRef emit_lane_addresses(Emitter *e, const IrOperand *o, unsigned space)
{
    LLVMValueRef at;
    if (o->base_kind == OPND_reg) {
        IrOperand reg = {.kind = OPND_reg, .reg = o->reg};
        bool is64 = ir_type_bits((IrType)e->flow->values.items[o->reg].type) == 64;
        /* signed when widened: another block's shared memory may lie below */
        at = emit_offset_address(e, emit_vector(e, &reg, is64 ? TY_b64 : TY_b32), o->offset,
                                 space);
    } else {
        at = emit_splat(e, emit_symbol_address(e, o));
    }
    LLVMValueRef base = space == MOD_shared ? LLVMBuildPtrToInt(e->b, e->shared, e->i64, "")
                                            : emit_k64(e, GK_DELTA);
    return LLVMBuildAdd(e->b, at, emit_splat(e, base), "");
}

/* A vector of 64-bit numbers in memory, for a service. */
static LLVMValueRef in_memory(Emitter *e, LLVMValueRef v)
{
    LLVMValueRef slot = emit_slot(e, emit_vec(e->i64), "lanes");
    LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(v));
    if (t != e->i64)
        v = LLVMBuildZExt(e->b, v, emit_vec(e->i64), "");
    LLVMBuildStore(e->b, v, slot);
    return slot;
}

/* ---- memory barriers ---- */

static unsigned mbarrier_operation(const IrInsn *insn)
{
    bool expects = insn->mod[MC_MBAR] == MOD_expect_tx;
    switch (insn->op) {
    case OP_mbar_init:
        return GK_MBAR_INIT;
    case OP_mbar_inval:
        return GK_MBAR_INVAL;
    case OP_mbar_expect:
        return GK_MBAR_EXPECT;
    case OP_mbar_complete:
        return GK_MBAR_COMPLETE;
    case OP_mbar_drop:
        return expects ? GK_MBAR_DROP_EXPECT : GK_MBAR_DROP;
    case OP_mbar_test:
    case OP_mbar_try:
        return GK_MBAR_TEST;
    case OP_mbar_test_parity:
    case OP_mbar_try_parity:
        return GK_MBAR_TEST_PARITY;
    default:
        return expects ? GK_MBAR_ARRIVE_EXPECT : GK_MBAR_ARRIVE;
    }
}

/* The service; operand: vector of 64-bit numbers, or NULL for ones. The result's place in memory. */
static LLVMValueRef mbarrier(Emitter *e, unsigned what, LLVMValueRef mask, LLVMValueRef at,
                             LLVMValueRef operand)
{
    LLVMValueRef result = emit_slot(e, emit_vec(e->i64), "state");
    LLVMTypeRef args[6] = {e->ptr, e->i32, e->i32, e->ptr, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, mbarrier), &type, e->none, args, 6);
    LLVMValueRef x[6] = {e->block_arg,
                         mask,
                         emit_k32(e, what),
                         in_memory(e, at),
                         in_memory(e, operand ? operand : emit_splat(e, emit_k64(e, 1))),
                         result};
    LLVMBuildCall2(e->b, type, f, x, 6, "");
    return result;
}

void emit_op_mbarrier(Emitter *e, const IrInsn *insn)
{
    if (insn->op == OP_cp_async_arrive && !insn->mod[MC_NOINC])
        return; /* counts itself up before it arrives: nothing changes */
    bool arrives = insn->op == OP_mbar_arrive || insn->op == OP_mbar_drop;
    bool tests = insn->op == OP_mbar_test || insn->op == OP_mbar_try ||
                 insn->op == OP_mbar_test_parity || insn->op == OP_mbar_try_parity;
    bool gives = arrives || tests;
    int at = gives ? 1 : 0;
    bool all;
    LLVMValueRef mask = emit_mask_bits(e, emit_exec_mask(e, &all));
    LLVMValueRef where = emit_lane_addresses(e, &insn->operands[at], ir_space(insn)),
                 operand = NULL;
    if (has(insn, at + 1)) {
        bool state = insn->op == OP_mbar_test || insn->op == OP_mbar_try;
        operand = emit_vector(e, &insn->operands[at + 1], state ? TY_b64 : TY_u32);
    }
    unsigned what = mbarrier_operation(insn);
    LLVMValueRef result = mbarrier(e, what, mask, where, operand);
    if (!gives)
        return;
    LLVMValueRef r = LLVMBuildLoad2(e->b, emit_vec(e->i64), result, "");
    if (tests)
        r = LLVMBuildICmp(e->b, LLVMIntNE, r, LLVMConstNull(emit_vec(e->i64)), "");
    emit_def0(e, tests ? TY_pred : TY_b64, r);
}

void emit_op_mbarrier_pending(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef state = emit_src(e, 1, TY_b64);
    LLVMValueRef n =
        LLVMBuildAnd(e->b, state, emit_const(e, LLVMTypeOf(state), (1u << GK_MBAR_BITS) - 1), "");
    (void)insn;
    emit_def0(e, TY_u32, LLVMBuildTrunc(e->b, n, emit_like(e, e->i32), ""));
}

/* Tells the barrier that an operand names of `bytes` (64-bit numbers) that have arrived. */
static void complete(Emitter *e, const IrOperand *barrier, LLVMValueRef mask, LLVMValueRef bytes)
{
    mbarrier(e, GK_MBAR_COMPLETE, mask, emit_lane_addresses(e, barrier, MOD_shared), bytes);
}

/* ---- bulk copies and reductions ---- */

static bool reduction(Emitter *e, const IrInsn *insn, unsigned *reduce)
{
    unsigned op, type;
    switch (insn->mod[MC_ATOM]) {
    case MOD_add:
        op = GK_BULK_ADD;
        break;
    case MOD_min:
        op = GK_BULK_MIN;
        break;
    case MOD_max:
        op = GK_BULK_MAX;
        break;
    case MOD_inc:
        op = GK_BULK_INC;
        break;
    case MOD_dec:
        op = GK_BULK_DEC;
        break;
    case MOD_and_:
        op = GK_BULK_AND;
        break;
    case MOD_or_:
        op = GK_BULK_OR;
        break;
    case MOD_xor_:
        op = GK_BULK_XOR;
        break;
    default:
        emit_error(e, "cp.reduce.async.bulk with this operation is not supported");
        return false;
    }
    switch (insn->types[0]) {
    case TY_u32:
    case TY_b32:
        type = GK_BULK_U32;
        break;
    case TY_s32:
        type = GK_BULK_S32;
        break;
    case TY_u64:
    case TY_b64:
        type = GK_BULK_U64;
        break;
    case TY_s64:
        type = GK_BULK_S64;
        break;
    case TY_f32:
        type = GK_BULK_F32;
        break;
    case TY_f64:
        type = GK_BULK_F64;
        break;
    default:
        emit_error(e, "cp.reduce.async.bulk of %s is not supported",
                   ir_type_info[insn->types[0]].text);
        return false;
    }
    *reduce = GK_BULK(op, type);
    return true;
}

static unsigned second_space(const IrInsn *insn)
{
    return insn->mod[MC_SPACE2] == MOD_global2 ? MOD_global : MOD_shared;
}

void emit_op_bulk(Emitter *e, const IrInsn *insn)
{
    unsigned reduce = GK_BULK_COPY;
    if ((insn->op == OP_bulk_reduce || insn->op == OP_bulk_reduce_group) &&
        !reduction(e, insn, &reduce))
        return;
    bool all;
    LLVMValueRef mask = emit_mask_bits(e, emit_exec_mask(e, &all));
    LLVMValueRef to = emit_lane_addresses(e, &insn->operands[0], ir_space(insn));
    LLVMValueRef from = emit_lane_addresses(e, &insn->operands[1], second_space(insn));
    LLVMValueRef bytes =
        LLVMBuildZExt(e->b, emit_vector(e, &insn->operands[2], TY_u32), emit_vec(e->i64), "");
    LLVMTypeRef args[6] = {e->ptr, e->i32, e->i32, e->ptr, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, bulk), &type, e->none, args, 6);
    LLVMValueRef x[6] = {e->block_arg,        mask,
                         emit_k32(e, reduce), in_memory(e, to),
                         in_memory(e, from),  in_memory(e, bytes)};
    LLVMBuildCall2(e->b, type, f, x, 6, "");
    if (insn->mod[MC_TX])
        complete(e, &insn->operands[3], mask, bytes);
}

void emit_op_st_async(Emitter *e, const IrInsn *insn)
{
    if (insn->op == OP_st_async)
        emit_op_st(e, insn);
    else
        emit_op_red(e, insn);
    bool all;
    LLVMValueRef mask = emit_mask_bits(e, emit_exec_mask(e, &all));
    unsigned n = insn->mod[MC_VEC] == MOD_v4 ? 4 : insn->mod[MC_VEC] == MOD_v2 ? 2 : 1;
    complete(e, &insn->operands[2], mask,
             emit_splat(e, emit_k64(e, n * ir_type_bits((IrType)insn->types[0]) / 8)));
}

/* ---- clusters ---- */

void emit_op_cluster_barrier(Emitter *e, const IrInsn *insn)
{
    LLVMValueRef header[7] = {0};
    header[4] = emit_mask_bits(e, e->mask);
    header[5] = emit_k32(e, emit_line(e));
    emit_suspend(e, insn->op == OP_cluster_arrive ? GK_KIND_CLUSTER_ARRIVE : GK_KIND_CLUSTER_WAIT,
                 header);
}

void emit_op_mapa(Emitter *e, const IrInsn *insn)
{
    IrType t = (IrType)insn->types[0];
    LLVMValueRef at = emit_src(e, 1, t), rank = emit_src(e, 2, TY_u32), own = emit_cluster_rank(e);
    if (e->lanes != 1)
        own = emit_splat(e, own);
    LLVMValueRef away = LLVMBuildShl(e->b, LLVMBuildSub(e->b, rank, own, ""),
                                     emit_const(e, LLVMTypeOf(rank), GK_CLUSTER_SHIFT), "");
    if (t == TY_u64)
        away = LLVMBuildSExt(e->b, away, LLVMTypeOf(at), "");
    emit_def0(e, t, LLVMBuildAdd(e->b, at, away, ""));
}

void emit_op_getctarank(Emitter *e, const IrInsn *insn)
{
    IrType t = (IrType)insn->types[0];
    LLVMValueRef at = emit_src(e, 1, t), own = emit_cluster_rank(e);
    if (!ir_space(insn)) { /* generic: as an offset from the own block's memory */
        LLVMValueRef base = LLVMBuildSub(e->b, LLVMBuildPtrToInt(e->b, e->shared, e->i64, ""),
                                         emit_k64(e, GK_DELTA), "");
        at = LLVMBuildSub(e->b, at, e->lanes == 1 ? base : emit_splat(e, base), "");
    }
    at = LLVMBuildAShr(e->b, at, emit_const(e, LLVMTypeOf(at), GK_CLUSTER_SHIFT), "");
    if (t == TY_u64)
        at = LLVMBuildTrunc(e->b, at, emit_like(e, e->i32), "");
    emit_def0(e, TY_u32, LLVMBuildAdd(e->b, at, e->lanes == 1 ? own : emit_splat(e, own), ""));
}

/* Registers are not counted here, so that there are none to hand over. */
void emit_op_setmaxnreg(Emitter *e, const IrInsn *insn)
{
    uint64_t n = insn->operands[0].bits;
    if (n < 24 || n > 256 || n % 8)
        emit_error(e, "setmaxnreg takes a multiple of 8 from 24 to 256, not %llu",
                   (unsigned long long)n);
}

/* ---- cp.async ---- */

/* void f(lanes, from, to): 32 addresses each; `bytes` from each lane's one to its other. */
static void copy_lanes(Emitter *e, unsigned bytes, LLVMValueRef mask, LLVMValueRef from,
                       LLVMValueRef to)
{
    char name[32];
    snprintf(name, sizeof name, "copy.%u", bytes);
    LLVMTypeRef args[3] = {e->i32, e->ptr, e->ptr},
                type = LLVMFunctionType(e->none, args, 3, false);
    LLVMBasicBlockRef back;
    LLVMValueRef f = emit_function(e, name, type, &back);
    if (back) {
        LLVMBasicBlockRef entry = LLVMGetInsertBlock(e->b),
                          loop = LLVMAppendBasicBlockInContext(e->cx, f, ""),
                          done = LLVMAppendBasicBlockInContext(e->cx, f, "");
        LLVMValueRef lanes = LLVMGetParam(f, 0);
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, lanes, emit_k32(e, 0), ""), loop,
                        done);
        LLVMPositionBuilderAtEnd(e->b, loop);
        LLVMValueRef left = LLVMBuildPhi(e->b, e->i32, ""), p[2];
        LLVMValueRef lane = emit_intrinsic(
            e, "llvm.cttz", &e->i32, 1, (LLVMValueRef[]){left, LLVMConstInt(e->i1, 1, false)}, 2);
        lane = LLVMBuildZExt(e->b, lane, e->i64, "");
        for (unsigned k = 0; k < 2; ++k)
            p[k] = LLVMBuildLoad2(e->b, e->ptr,
                                  LLVMBuildGEP2(e->b, e->ptr, LLVMGetParam(f, 1 + k), &lane, 1, ""),
                                  "");
        LLVMTypeRef unit = LLVMVectorType(e->i8, bytes);
        LLVMValueRef v = LLVMBuildLoad2(e->b, unit, p[0], "");
        LLVMSetAlignment(v, 1);
        LLVMSetAlignment(LLVMBuildStore(e->b, v, p[1]), 1);
        LLVMValueRef rest =
            LLVMBuildAnd(e->b, left, LLVMBuildSub(e->b, left, emit_k32(e, 1), ""), "");
        LLVMAddIncoming(left, (LLVMValueRef[]){lanes, rest}, (LLVMBasicBlockRef[]){entry, loop}, 2);
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, rest, emit_k32(e, 0), ""), loop, done);
        LLVMPositionBuilderAtEnd(e->b, done);
        emit_function_end(e, back);
    }
    LLVMValueRef at[2] = {from, to};
    for (unsigned k = 0; k < 2; ++k) {
        if (!e->addresses[k])
            e->addresses[k] = emit_slot(e, emit_vec(e->i64), "addresses");
        LLVMBuildStore(e->b, at[k], e->addresses[k]);
    }
    LLVMBuildCall2(e->b, type, f,
                   (LLVMValueRef[]){emit_mask_bits(e, mask), e->addresses[0], e->addresses[1]}, 3,
                   "");
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
    LLVMValueRef to = emit_lane_addresses(e, &insn->operands[0], MOD_shared),
                 from = emit_lane_addresses(e, &insn->operands[1], MOD_global);
    if (insn->operand_count <= 3 || insn->operands[3].kind == OPND_none) {
        copy_lanes(e, bytes, mask, from, to);
        return;
    }
    const IrOperand *o = &insn->operands[3];
    LLVMValueRef limit; /* bytes beyond it are zeros */
    if (o->kind == OPND_reg && e->flow->values.items[o->reg].type == TY_pred)
        limit = LLVMBuildSelect(e->b, emit_vector(e, o, TY_pred), LLVMConstNull(emit_vec(e->i32)),
                                emit_splat(e, emit_k32(e, bytes)), "");
    else
        limit = emit_vector(e, o, TY_b32);
    for (unsigned at = 0; at < bytes; at += 4) {
        LLVMValueRef offset = emit_splat(e, emit_k64(e, at));
        LLVMValueRef go = LLVMBuildAnd(
            e->b, mask, LLVMBuildICmp(e->b, LLVMIntUGT, limit, emit_splat(e, emit_k32(e, at)), ""),
            "");
        LLVMTypeRef types[2] = {emit_vec(e->i32), emit_vec(e->ptr)};
        LLVMValueRef args[4] = {
            LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, from, offset, ""), emit_vec(e->ptr), ""),
            emit_k32(e, 4), go, LLVMConstNull(emit_vec(e->i32))};
        LLVMValueRef v = emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4);
        /* a limit inside the word */
        LLVMValueRef left = LLVMBuildSub(e->b, limit, emit_splat(e, emit_k32(e, at)), "");
        LLVMValueRef part =
            LLVMBuildICmp(e->b, LLVMIntULT, left, emit_splat(e, emit_k32(e, 4)), "");
        LLVMValueRef shift =
            LLVMBuildAnd(e->b, LLVMBuildShl(e->b, left, emit_splat(e, emit_k32(e, 3)), ""),
                         emit_splat(e, emit_k32(e, 31)), "");
        LLVMValueRef keep =
            LLVMBuildSub(e->b, LLVMBuildShl(e->b, emit_splat(e, emit_k32(e, 1)), shift, ""),
                         emit_splat(e, emit_k32(e, 1)), "");
        v = LLVMBuildSelect(e->b, part, LLVMBuildAnd(e->b, v, keep, ""), v, "");
        LLVMValueRef store[4] = {
            v, LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, to, offset, ""), emit_vec(e->ptr), ""),
            emit_k32(e, 4), mask};
        emit_intrinsic(e, "llvm.masked.scatter", types, 2, store, 4);
    }
}

/* Cache policies are hints: any value will do. */
void emit_op_policy(Emitter *e, const IrInsn *insn)
{
    (void)insn;
    emit_def0(e, TY_b64, LLVMConstNull(emit_type(e, TY_b64)));
}

void emit_op_nothing(Emitter *e, const IrInsn *insn)
{
    (void)e, (void)insn; /* copies were done when they were issued */
}
