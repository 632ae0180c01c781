/* SPDX-License-Identifier: Apache-2.0
 *
 * Control flow of a warp: blocks in execution order, pending masks, joins, suspension. flow.h says
 * how blocks are scheduled; this file writes it down in LLVM IR. Stack slots are everywhere, LLVM's
 * mem2reg turns them into registers. */
#include "codegen/emit.h"

#include <stdlib.h>
#include <string.h>

static LLVMTypeRef mask_type(Emitter *e)
{
    return LLVMVectorType(e->i1, GK_WARP);
}

static LLVMBasicBlockRef new_block(Emitter *e, const char *name, int n)
{
    char text[32];
    snprintf(text, sizeof text, "%s%d", name, n);
    return LLVMAppendBasicBlockInContext(e->cx, e->fn, text);
}

static void go_to(Emitter *e, LLVMBasicBlockRef block)
{
    LLVMBuildBr(e->b, block);
}

static bool is_exit(const Emitter *e, int32_t block)
{
    return block == e->flow->block_count - 1;
}

static bool is_pending_block(const Emitter *e, int32_t block)
{
    const FlowBlock *b = &e->flow->blocks[block];
    return b->scheduled && b->equal < 0;
}

/* Is block b part of what is being emitted? */
static bool is_here(const Emitter *e, int32_t b)
{
    return !e->region || flow_bit(e->region, b);
}

static bool loop_has_pending_head(const Emitter *e, int32_t l)
{
    const FlowLoop *loop = &e->flow->loops[l];
    if (!loop->irreducible)
        return is_pending_block(e, loop->header);
    for (int32_t x = loop->first; x <= loop->last; ++x)
        if (is_pending_block(e, x))
            return true;
    return false; /* nothing diverges: plain jumps */
}

/* Where the warp goes when block `from` is done and no plain jump applies: the next place in
 * execution order where lanes may be waiting. skipped: nobody waited at `from`, so nobody waits at
 * what it dominates either. */
static LLVMBasicBlockRef next_place(Emitter *e, int32_t from, int32_t after_loop, bool skipped)
{
    Flow *flow = e->flow;
    int32_t inner = flow->blocks[from].loop;
    for (int32_t j = from + 1;; ++j) {
        /* loops that end between j - 1 and j, innermost first */
        for (int32_t l = flow->blocks[j - 1].loop; l >= 0; l = flow->loops[l].parent) {
            if (flow->loops[l].last != j - 1)
                break;
            if (after_loop >= 0) {
                if (l == after_loop)
                    after_loop = -1; /* this one was just examined */
                continue;
            }
            if (!is_here(e, flow->loops[l].header) || !loop_has_pending_head(e, l) ||
                (skipped && flow_dominates(flow, from, flow->loops[l].header)))
                continue;
            /* one examination block per loop, hung on the loop's header */
            BlockState *head = &e->blocks[flow->loops[l].header];
            if (!head->loop_end) {
                head->loop_end = new_block(e, "loop_end", l);
                LLVMBasicBlockRef back = LLVMGetInsertBlock(e->b);
                LLVMPositionBuilderAtEnd(e->b, head->loop_end);
                LLVMValueRef any = NULL;
                for (int32_t x = flow->loops[l].first; x <= flow->loops[l].last; ++x) {
                    bool counts = flow->loops[l].irreducible ? is_pending_block(e, x)
                                                             : x == flow->loops[l].header;
                    if (!counts)
                        continue;
                    LLVMValueRef m = LLVMBuildLoad2(e->b, mask_type(e), e->blocks[x].pending, "");
                    any = any ? LLVMBuildOr(e->b, any, m, "") : m;
                }
                LLVMBasicBlockRef on = next_place(e, j - 1, l, false);
                LLVMPositionBuilderAtEnd(e->b, head->loop_end);
                LLVMBasicBlockRef again = NULL;
                for (int32_t x = flow->loops[l].first; x <= flow->loops[l].last && !again; ++x)
                    if (is_pending_block(e, x))
                        again = e->blocks[x].check;
                LLVMBuildCondBr(e->b, emit_any(e, any), again, on);
                LLVMPositionBuilderAtEnd(e->b, back);
            }
            return head->loop_end;
        }
        if (is_exit(e, j))
            return e->region ? e->region_end : e->blocks[j].body;
        if (!is_here(e, j))
            continue;
        const FlowBlock *b = &flow->blocks[j];
        if (skipped && flow_dominates(flow, from, j) && (inner < 0 || flow_in_loop(flow, j, inner)))
            continue; /* lanes that left the loop earlier do wait outside */
        if (b->scheduled && b->equal < 0)
            return e->blocks[j].check;
        if (b->equal >= 0 && (from == b->equal || flow_bit(b->region, from)))
            return e->blocks[j].land;
        /* passed over: nobody waits between this block and the joins that are equal to it */
        while (e->blocks[j].skip > j)
            j = e->blocks[j].skip;
    }
}

static LLVMValueRef splat_if(Emitter *e, const FlowValue *v, LLVMValueRef x)
{
    if (v->shape.kind == SHAPE_VARYING && LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVectorTypeKind)
        return emit_splat(e, x);
    return x;
}

/* Does the phi find the value in its own slot? */
static bool stays(const Emitter *e, int32_t source, int32_t phi)
{
    return e->values[phi].pinned && e->values[source].slot == e->values[phi].slot;
}

/* Lanes in `mask` (NULL: the current mask, a plain jump) go from `from` to `to`. */
static void take_edge(Emitter *e, int32_t from, int32_t to, LLVMValueRef mask)
{
    FlowBlock *target = &e->flow->blocks[to];
    int32_t q = 0;
    while (q < target->pred_count && target->pred[q] != from)
        ++q;
    LLVMValueRef *in = xcalloc((size_t)target->phi_count + 1, sizeof *in);
    for (int32_t p = 0; p < target->phi_count; ++p) {
        int32_t source = target->phis[p].in[q];
        if (stays(e, source, target->phis[p].value))
            continue;
        const FlowValue *v = &e->flow->values.items[target->phis[p].value];
        if (v->shape.kind == SHAPE_VARYING)
            in[p] = emit_value_vector(e, source);
        else
            in[p] = emit_value_raw(e, source);
        in[p] = splat_if(e, v, in[p]);
    }
    for (int32_t p = 0; p < target->phi_count; ++p) {
        int32_t value = target->phis[p].value;
        if (!in[p])
            continue;
        const FlowValue *v = &e->flow->values.items[value];
        ValueState *s = &e->values[value];
        if (v->shape.kind == SHAPE_VARYING && target->scheduled) {
            LLVMValueRef m = mask ? mask : e->mask;
            LLVMValueRef old = LLVMBuildLoad2(e->b, LLVMTypeOf(in[p]), s->slot, "");
            in[p] = LLVMBuildSelect(e->b, m, in[p], old, "");
        }
        LLVMBuildStore(e->b, in[p], s->slot);
    }
    free(in);
    if (is_here(e, to) && is_pending_block(e, to)) {
        LLVMValueRef m = mask ? mask : e->mask;
        LLVMValueRef slot = e->blocks[to].pending;
        LLVMValueRef old = LLVMBuildLoad2(e->b, mask_type(e), slot, "");
        LLVMBuildStore(e->b, LLVMBuildOr(e->b, old, m, ""), slot);
    }
}

/* All active lanes go to `to`. */
static void jump(Emitter *e, int32_t from, int32_t to)
{
    take_edge(e, from, to, NULL);
    if (!is_exit(e, to) && !e->flow->blocks[to].scheduled) {
        go_to(e, is_here(e, to) ? e->blocks[to].body : e->region_end);
        return;
    }
    LLVMBasicBlockRef next = next_place(e, from, -1, false);
    /* known to be occupied: no need to look */
    if (!is_exit(e, to) && is_here(e, to) && next == e->blocks[to].check)
        next = e->blocks[to].enter;
    go_to(e, next);
}

void emit_leave_block(Emitter *e, int32_t b)
{
    FlowBlock *block = &e->flow->blocks[b];
    BlockState *state = &e->blocks[b];
    e->insn = NULL;
    if (state->keeps_mask && state->saved)
        LLVMBuildStore(e->b, e->mask, state->saved);
    /* values collected at a join equal to this block start afresh */
    for (int32_t j = b + 1; j < e->flow->block_count; ++j) {
        FlowBlock *join = &e->flow->blocks[j];
        if (join->equal != b)
            continue;
        for (int32_t p = 0; p < join->phi_count; ++p) {
            const FlowValue *v = &e->flow->values.items[join->phis[p].value];
            LLVMValueRef slot = e->values[join->phis[p].value].slot;
            if (v->shape.kind == SHAPE_VARYING)
                LLVMBuildStore(e->b, LLVMGetUndef(LLVMGetAllocatedType(slot)), slot);
        }
    }
    switch (block->term) {
    case TERM_JUMP:
        jump(e, b, block->succ[0]);
        return;
    case TERM_BRANCH:
        if (!block->divergent) {
            LLVMValueRef c = emit_value_raw(e, block->cond);
            if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMVectorTypeKind) {
                emit_error(e, "internal: divergent condition of a uniform branch");
                return;
            }
            if (block->cond_negated)
                c = LLVMBuildNot(e->b, c, "");
            LLVMBasicBlockRef yes = new_block(e, "then", b), no = new_block(e, "else", b);
            LLVMBuildCondBr(e->b, c, yes, no);
            LLVMPositionBuilderAtEnd(e->b, yes);
            jump(e, b, block->succ[0]);
            LLVMPositionBuilderAtEnd(e->b, no);
            jump(e, b, block->succ[1]);
        } else {
            LLVMValueRef c = emit_value_vector(e, block->cond);
            if (block->cond_negated)
                c = LLVMBuildNot(e->b, c, "");
            LLVMValueRef yes = LLVMBuildAnd(e->b, e->mask, c, "");
            LLVMValueRef no = LLVMBuildAnd(e->b, e->mask, LLVMBuildNot(e->b, c, ""), "");
            take_edge(e, b, block->succ[0], yes);
            take_edge(e, b, block->succ[1], no);
            go_to(e, next_place(e, b, -1, false));
        }
        return;
    case TERM_SWITCH:
        if (!block->divergent) {
            LLVMValueRef index = emit_value_raw(e, block->cond);
            LLVMBasicBlockRef *to = xcalloc((size_t)block->succ_count, sizeof *to);
            for (int32_t k = 0; k < block->succ_count; ++k)
                to[k] = new_block(e, "case", k);
            LLVMValueRef s = LLVMBuildSwitch(e->b, index, to[block->succ_count - 1],
                                             (unsigned)block->succ_count);
            for (int32_t k = 0; k < block->succ_count - 1; ++k)
                LLVMAddCase(s, LLVMConstInt(LLVMTypeOf(index), (uint64_t)k, false), to[k]);
            for (int32_t k = 0; k < block->succ_count; ++k) {
                LLVMPositionBuilderAtEnd(e->b, to[k]);
                jump(e, b, block->succ[k]);
            }
            free(to);
        } else {
            LLVMValueRef index = emit_value_vector(e, block->cond), rest = e->mask;
            for (int32_t k = 0; k < block->succ_count; ++k) {
                LLVMValueRef m = rest;
                if (k + 1 < block->succ_count) {
                    LLVMValueRef is = LLVMBuildICmp(
                        e->b, LLVMIntEQ, index, emit_const(e, LLVMTypeOf(index), (uint64_t)k), "");
                    m = LLVMBuildAnd(e->b, rest, is, "");
                    rest = LLVMBuildAnd(e->b, rest, LLVMBuildNot(e->b, is, ""), "");
                }
                take_edge(e, b, block->succ[k], m);
            }
            go_to(e, next_place(e, b, -1, false));
        }
        return;
    default:
        go_to(e, e->blocks[e->flow->block_count - 1].body);
    }
}

/* ---- suspension ---- */

void emit_frame_copy(Emitter *e, LLVMValueRef slot, uint32_t *at, bool save)
{
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    LLVMTypeRef memory = type;
    LLVMTypeRef element =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    bool bits = element == e->i1; /* a byte each: LLVM's x86 code generator can loop for ever on a
                                     logical operation of two masks that were 32-bit words */
    if (bits)
        memory = type == element ? e->i8 : LLVMVectorType(e->i8, GK_WARP);
    if (!*at) {
        unsigned lanes = type == element ? 1 : LLVMGetVectorSize(type);
        unsigned size =
            bits ? lanes
                 : lanes * (element == e->f32    ? 4u
                            : element == e->f64  ? 8u
                            : element == e->half ? 2u
                                                 : (LLVMGetIntTypeWidth(element) + 7) / 8);
        unsigned align = size >= 64 ? 64 : 16;
        e->frame_bytes = (e->frame_bytes + align - 1) & ~(align - 1);
        *at = e->frame_bytes;
        e->frame_bytes += size < 16 ? 16 : size;
    }
    LLVMValueRef offset = LLVMConstInt(e->i64, *at, false);
    LLVMValueRef p = LLVMBuildGEP2(e->b, e->i8, e->frame_arg, &offset, 1, "");
    if (save) {
        LLVMValueRef v = LLVMBuildLoad2(e->b, type, slot, "");
        if (bits)
            v = LLVMBuildSExt(e->b, v, memory, "");
        LLVMSetAlignment(LLVMBuildStore(e->b, v, p), 16);
    } else {
        LLVMValueRef v = LLVMBuildLoad2(e->b, memory, p, "");
        LLVMSetAlignment(v, 16);
        if (bits)
            v = LLVMBuildICmp(e->b, LLVMIntSLT, v, LLVMConstNull(memory), "");
        LLVMBuildStore(e->b, v, slot);
    }
}

static void frame_copy_all(Emitter *e, bool save)
{
    Flow *flow = e->flow;
    if (flow->group.warps > 1) {
        emit_group_frame(e, save);
        return;
    }
    FlowBlock *block = &flow->blocks[e->block];
    bool full = block->full;
    for (size_t v = 0; v < flow->values.count; ++v) {
        if (!e->values[v].slot || e->values[v].pinned)
            continue;
        if (full && !flow_bit(block->live_out, (int32_t)v) && block->cond != (int32_t)v)
            continue;
        emit_frame_copy(e, e->values[v].slot, &e->values[v].frame_at, save);
    }
    if (!full) {
        uint32_t *at = &e->blocks[flow->block_count - 1].pending_at;
        emit_frame_copy(e, e->current, at, save);
        for (int32_t x = 0; x < flow->block_count; ++x)
            if (e->blocks[x].pending)
                emit_frame_copy(e, e->blocks[x].pending, &e->blocks[x].pending_at, save);
    }
    for (int32_t x = 0; x < flow->block_count; ++x)
        if (e->blocks[x].saved)
            emit_frame_copy(e, e->blocks[x].saved, &e->blocks[x].saved_at, save);
    /* a full mask means that nobody waits anywhere */
    if (full && !save)
        LLVMBuildStore(e->b, e->entry_mask, e->current);
    for (int32_t x = 0; full && !save && x < flow->block_count; ++x)
        if (e->blocks[x].pending)
            LLVMBuildStore(e->b, LLVMConstNull(mask_type(e)), e->blocks[x].pending);
}

void emit_suspend(Emitter *e, unsigned kind, LLVMValueRef header[7])
{
    for (unsigned k = 0; header && k < 7; ++k) {
        if (!header[k])
            continue;
        LLVMValueRef at = LLVMConstInt(e->i64, 4 * k, false);
        LLVMBuildStore(e->b, header[k], LLVMBuildGEP2(e->b, e->i8, e->frame_arg, &at, 1, ""));
    }
    frame_copy_all(e, true);
    uint32_t n = ++e->resume_count;
    LLVMBuildRet(e->b, LLVMConstInt(e->i64, GK_SUSPEND(kind, n), false));
    LLVMBasicBlockRef resume = new_block(e, "resume", (int)n);
    LLVMAddCase(e->resume_switch, LLVMConstInt(e->i32, n, false), resume);
    LLVMPositionBuilderAtEnd(e->b, resume);
    frame_copy_all(e, false);
    /* what this block had at hand is in the slots now */
    for (size_t v = 0; v < e->flow->values.count; ++v)
        if (e->values[v].local_block == e->block && e->values[v].slot)
            e->values[v].local = NULL;
    const FlowBlock *block = &e->flow->blocks[e->block];
    if (!e->mask_is_all || e->flow->group.warps == 1)
        e->mask =
            block->full ? e->entry_mask : LLVMBuildLoad2(e->b, mask_type(e), e->current, "mask");
}

LLVMValueRef emit_frame_field(Emitter *e, size_t offset, LLVMTypeRef type)
{
    LLVMValueRef at = LLVMConstInt(e->i64, offset, false);
    return LLVMBuildLoad2(e->b, type, LLVMBuildGEP2(e->b, e->i8, e->frame_arg, &at, 1, ""), "");
}

void emit_exchange(Emitter *e, LLVMValueRef value, LLVMValueRef members)
{
    LLVMValueRef header[7] = {0}, at = LLVMConstInt(e->i64, offsetof(GkFrame, value), false);
    header[4] = members;
    header[5] = LLVMConstInt(e->i32, emit_line(e), false);
    LLVMBuildStore(e->b, LLVMBuildZExt(e->b, value, e->i64, ""),
                   LLVMBuildGEP2(e->b, e->i8, e->frame_arg, &at, 1, ""));
    emit_suspend(e, GK_KIND_EXCHANGE, header);
}

/* ---- the whole function ---- */

static bool source_dirty(Emitter *e, const IrOperand *o)
{
    return o->kind == OPND_reg && e->values[o->reg].dirty;
}

static bool dirty_or_number(Emitter *e, const IrOperand *o)
{
    return o->kind == OPND_imm || source_dirty(e, o);
}

/* Floating-point operations that an arithmetic instruction makes; 0: it is none. */
static int operations(const IrInsn *insn)
{
    switch (insn->op) {
    case OP_fma:
    case OP_mad_f:
        return 2;
    case OP_add_f:
    case OP_sub_f:
    case OP_mul_f:
    case OP_div_f:
    case OP_rcp:
    case OP_sqrt:
    case OP_rsqrt:
    case OP_sin:
    case OP_cos:
    case OP_lg2:
    case OP_ex2:
    case OP_tanh:
        return 1;
    default:
        return 0;
    }
}

/* f32 arithmetic, whose result may be a NaN, but the same one for all that comes in. */
static bool is_arithmetic(const IrInsn *insn)
{
    return operations(insn) && insn->types[0] == TY_f32;
}

/* f64 sums take in a neg of their operand: no NaN's sign changes there, as on the hardware. Without a fused
 * operation of the processor LLVM calls a function, after the neg. */
static bool takes_neg(const Emitter *e, const IrInsn *insn)
{
    if (insn->types[0] != TY_f64)
        return false;
    return insn->op == OP_add_f || insn->op == OP_sub_f ||
           ((insn->op == OP_fma || insn->op == OP_mad_f) && (e->features & EMIT_AVX2));
}

static void see_bits(void *data, int32_t *reg, bool is_definition, int index)
{
    (void)index;
    if (!is_definition)
        ((Emitter *)data)->values[*reg].bits_seen = true;
}

static void see_sign(void *data, int32_t *reg, bool is_definition, int index)
{
    see_bits(data, reg, is_definition, index);
    if (!is_definition)
        ((Emitter *)data)->values[*reg].sign_seen = true;
}

static void find_seen_bits(Emitter *e)
{
    Flow *flow = e->flow;
    for (int32_t b = 0; b < flow->block_count; ++b) {
        FlowBlock *block = &flow->blocks[b];
        for (int32_t p = 0; p < block->phi_count; ++p)
            for (int32_t q = 0; q < block->pred_count; ++q)
                see_sign(e, &block->phis[p].in[q], false, 0);
        for (int32_t i = block->begin; i < block->end; ++i) {
            IrInsn *insn = &flow->insns[i].insn;
            if (!is_arithmetic(insn) && insn->op != OP_setp)
                flow_visit_registers(insn, takes_neg(e, insn) ? see_bits : see_sign, e);
        }
    }
}

/* Which values may hold a NaN that is not the canonical one: results of floating-point arithmetic and
 * what is copied from them. */
void emit_find_dirty(Emitter *e)
{
    Flow *flow = e->flow;
    find_seen_bits(e);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = 0; b < flow->block_count; ++b) {
            FlowBlock *block = &flow->blocks[b];
            for (int32_t p = 0; p < block->phi_count; ++p) {
                ValueState *s = &e->values[block->phis[p].value];
                for (int32_t q = 0; q < block->pred_count && !s->dirty; ++q)
                    if (e->values[block->phis[p].in[q]].dirty)
                        s->dirty = changed = true;
            }
            for (int32_t i = block->begin; i < block->end; ++i) {
                const IrInsn *insn = &flow->insns[i].insn;
                const IrOperand *o = insn->operands;
                if (!insn->operand_count || o[0].kind != OPND_reg || e->values[o[0].reg].dirty)
                    continue;
                bool dirty = is_arithmetic(insn);
                switch (insn->op) {
                case OP_min_f:
                case OP_max_f:
                    dirty = insn->types[0] == TY_f32;
                    break;
                case OP_abs_f:
                case OP_neg_f: /* canonical, too (seen on the hardware) */
                    dirty = insn->types[0] == TY_f32 && source_dirty(e, &o[1]);
                    break;
                case OP_cvt: /* from f64 and bf16 the NaN's bits are kept (seen on the hardware) */
                    dirty = insn->types[0] == TY_f32 && insn->types[1] != TY_f64 &&
                            insn->types[1] != TY_bf16;
                    break;
                case OP_mov:
                    dirty = source_dirty(e, &o[1]);
                    break;
                case OP_selp:
                case OP_slct: /* of an exact NaN and another the latter is made exact first */
                    dirty = (source_dirty(e, &o[1]) || source_dirty(e, &o[2])) &&
                            insn->types[0] == TY_f32 &&
                            (!e->values[o[0].reg].bits_seen ||
                             (dirty_or_number(e, &o[1]) && dirty_or_number(e, &o[2])));
                    break;
                default:
                    break;
                }
                if (insn->guard >= 0 && flow->insns[i].old[0] >= 0)
                    dirty |= e->values[flow->insns[i].old[0]].dirty;
                if (dirty)
                    e->values[o[0].reg].dirty = changed = true;
            }
        }
    }
}

static EmitFn *const emit_table[OP_COUNT] = {
#define OP(id, text, pattern, operands, types, effects, emit) [OP_##id] = emit_op_##emit,
#include "ir/ops.def"
#undef OP
};

bool emit_is_scalar(Emitter *e, const IrInsn *insn)
{
    bool any = false;
    for (int k = 0; k < insn->operand_count; ++k) {
        if (!flow_is_dest(insn, k) || insn->operands[k].kind == OPND_none)
            continue;
        any = true;
        if (!emit_scalar_dest(e, &insn->operands[k]))
            return false;
    }
    return any;
}

/* Floating-point operations of the block, per lane: one for each, two for a fused pair. Guarded
 * instructions are left out: the count is used as a lower bound. */
void emit_count_operations(Emitter *e, const FlowBlock *block)
{
    uint64_t f32 = 0, f64 = 0;
    for (int32_t i = block->begin; i < block->end; ++i) {
        const IrInsn *insn = &e->flow->insns[i].insn;
        uint64_t n = insn->guard >= 0 ? 0 : (uint64_t)operations(insn);
        if (insn->types[0] == TY_f32)
            f32 += n;
        else if (insn->types[0] == TY_f64)
            f64 += n;
    }
    if (!f32 && !f64)
        return;
    LLVMTypeRef args[6] = {e->ptr, e->i32, e->i32, e->i32, e->i64, e->i32}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, event_hook), &type, e->none, args, 6);
    LLVMValueRef values[6] = {e->block_arg,
                              e->warp_arg,
                              emit_mask_bits(e, e->mask),
                              LLVMConstInt(e->i32, GK_EVENT_OPERATIONS, false),
                              LLVMConstInt(e->i64, f32 | f64 << 32, false),
                              LLVMConstInt(e->i32, (uint64_t)e->block, false)};
    LLVMBuildCall2(e->b, type, f, values, 6, "");
}

/* The blocks that are here, and the slots of their masks. */
void emit_prepare_blocks(Emitter *e)
{
    Flow *flow = e->flow;
    LLVMTypeRef mask = mask_type(e);
    int32_t n = flow->block_count;
    for (int32_t b = 0; b < n; ++b)
        e->blocks[b].skip = -1;
    for (int32_t b = 0; b < n; ++b) {
        int32_t equal = flow->blocks[b].equal;
        if (equal < 0 || !is_here(e, b))
            continue;
        if (!flow->blocks[b].full)
            e->blocks[equal].keeps_mask = true;
        e->blocks[equal].skip = b;
    }
    for (int32_t b = 0; b < n; ++b) {
        BlockState *s = &e->blocks[b];
        if (!is_here(e, b))
            continue;
        s->body = new_block(e, is_exit(e, b) ? "exit" : "body", b);
        if (s->keeps_mask)
            s->saved = emit_slot(e, mask, "saved");
        if (is_pending_block(e, b)) {
            s->pending = emit_slot(e, mask, "pending");
            s->check = new_block(e, "check", b);
            s->enter = new_block(e, "enter", b);
            LLVMBuildStore(e->b, LLVMConstNull(mask), s->pending);
        } else if (flow->blocks[b].equal >= 0) {
            s->land = new_block(e, "land", b);
        }
    }
}

bool emit_needs_slot(const Emitter *e, int32_t value)
{
    const FlowValue *v = &e->flow->values.items[value];
    return v->block >= 0 && !e->values[value].in_memory &&
           (v->escapes || v->phi >= 0 || e->suspends || e->flow->group.warps > 1);
}

void emit_insn(Emitter *e, const FlowInsn *insn)
{
    e->insn = insn;
    e->lanes = emit_is_scalar(e, &insn->insn) ? 1 : GK_WARP;
    if (insn->insn.types[0] == TY_f32x2) { /* sm_100 */
        emit_error(e, "%s.f32x2 is not supported", ir_op_info[insn->insn.op].text);
        return;
    }
    emit_table[insn->insn.op](e, &insn->insn);
}

void emit_phis(Emitter *e, const FlowBlock *block)
{
    /* read them now: edges back to this block write their slots while others still read them */
    for (int32_t p = 0; p < block->phi_count; ++p) {
        ValueState *phi = &e->values[block->phis[p].value];
        if (phi->pinned)
            continue; /* no edge writes it */
        phi->local = LLVMBuildLoad2(e->b, LLVMGetAllocatedType(phi->slot), phi->slot, "phi");
        phi->local_block = e->block;
    }
}

void emit_one_block(Emitter *e, int32_t b)
{
    FlowBlock *block = &e->flow->blocks[b];
    BlockState *s = &e->blocks[b];
    LLVMTypeRef mask = mask_type(e);
    e->block = b;
    e->insn = NULL;
    if (s->check) {
        LLVMPositionBuilderAtEnd(e->b, s->check);
        LLVMValueRef waiting = LLVMBuildLoad2(e->b, mask, s->pending, "");
        LLVMBuildCondBr(e->b, emit_any(e, waiting), s->enter, next_place(e, b, -1, true));
        LLVMPositionBuilderAtEnd(e->b, s->enter);
        waiting = LLVMBuildLoad2(e->b, mask, s->pending, "");
        LLVMBuildStore(e->b, waiting, e->current);
        LLVMBuildStore(e->b, LLVMConstNull(mask), s->pending);
        go_to(e, s->body);
    } else if (s->land) {
        LLVMPositionBuilderAtEnd(e->b, s->land);
        if (!block->full)
            LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, mask, e->blocks[block->equal].saved, ""),
                           e->current);
        go_to(e, s->body);
    }
    LLVMPositionBuilderAtEnd(e->b, s->body);
    if (is_exit(e, b)) {
        emit_return(e);
        return;
    }
    e->mask_is_all = block->full && e->whole_warps;
    e->mask = block->full ? e->entry_mask : LLVMBuildLoad2(e->b, mask, e->current, "mask");
    emit_phis(e, block);
    if (block->full) /* blocks that are entered from here by a plain jump take it from the slot */
        LLVMBuildStore(e->b, e->entry_mask, e->current);
    emit_instructions(e, block);
    if (e->failed)
        return;
    if (e->counts)
        emit_count_operations(e, block);
    if (block->yields && e->suspends)
        emit_suspend(e, GK_KIND_YIELD, NULL);
    emit_leave_block(e, b);
}

void emit_return(Emitter *e)
{
    if (e->suspends)
        LLVMBuildRet(e->b, LLVMConstInt(e->i64, 0, false));
    else
        LLVMBuildRetVoid(e->b);
}

/* ---- registers in memory ---- */

enum { PHI_MANY = 2000 };

/* A recursive function stands in the kernel once (analysis/inline.c), so that all values of the
 * kernel pass through it and get a phi wherever the ways with and without a call meet: hundreds of
 * calls make tens of thousands, too many for LLVM. Then the values of one register share a slot in
 * memory, where those phis are nothing at all. Only where no lanes wait meanwhile: they would find
 * others' values. */
static bool has_too_many_phis(const Flow *flow)
{
    size_t phis = 0;
    for (int32_t b = 0; b < flow->block_count; ++b) {
        if (flow->blocks[b].divergent)
            return false;
        phis += (size_t)flow->blocks[b].phi_count;
    }
    return phis > PHI_MANY && flow->group.warps == 1;
}

/* Values that others are rebuilt from are read when their register has its next value already. */
static bool *registers_read_late(const Flow *flow)
{
    bool *late = xcalloc((size_t)flow->function->reg_count + 1, sizeof *late);
    for (size_t i = 0; i < flow->strides.count; ++i)
        if (flow->strides.items[i].kind == STRIDE_VALUE)
            late[flow->values.items[flow->strides.items[i].a].reg] = true;
    for (size_t i = 1; i < flow->extensions.count; ++i)
        late[flow->values.items[flow->extensions.items[i].value].reg] = true;
    for (int32_t i = 0; i < flow->insn_count; ++i)
        if (flow->insns[i].align.bits && flow->insns[i].align.root >= 0)
            late[flow->values.items[flow->insns[i].align.root].reg] = true;
    return late;
}

/* On the stack, kept there by LLVM having lost sight of it. */
static LLVMValueRef hidden_slot(Emitter *e, LLVMTypeRef type, const char *name)
{
    LLVMValueRef slot = emit_slot(e, type, name);
    LLVMTypeRef asm_type = LLVMFunctionType(LLVMVoidTypeInContext(e->cx), &e->ptr, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(asm_type, "", 0, "r,~{memory}", strlen("r,~{memory}"),
                                            true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(e->b, asm_type, nothing, &slot, 1, "");
    return slot;
}

/* In the warp's frame, where suspensions leave it alone; else on the stack. */
static LLVMValueRef place_in_memory(Emitter *e, LLVMTypeRef type)
{
    if (!e->suspends)
        return hidden_slot(e, type, "register");
    uint32_t size = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? 8 * GK_WARP : 8,
             align = size < 64 ? 8 : 64;
    e->frame_bytes = (e->frame_bytes + align - 1) & ~(align - 1);
    LLVMValueRef offset = LLVMConstInt(e->i64, e->frame_bytes, false);
    e->frame_bytes += size;
    return LLVMBuildGEP2(e->at_entry, e->i8, e->frame_arg, &offset, 1, "register");
}

static void pin_registers(Emitter *e)
{
    Flow *flow = e->flow;
    if (!has_too_many_phis(flow))
        return;
    bool *late = registers_read_late(flow);
    struct {
        LLVMValueRef at;
        LLVMTypeRef type;
    } *slots = xcalloc((size_t)flow->function->reg_count + 1, sizeof *slots);
    for (size_t v = 0; v < flow->values.count; ++v) {
        const FlowValue *value = &flow->values.items[v];
        ValueState *s = &e->values[v];
        if (late[value->reg] || value->shape.kind == SHAPE_LINEAR ||
            !emit_needs_slot(e, (int32_t)v))
            continue;
        LLVMTypeRef type = emit_value_type(e, value);
        if (type == mask_type(e) || ir_type_bits((IrType)value->type) > 64)
            continue;
        if (!slots[value->reg].at) {
            slots[value->reg].at = place_in_memory(e, type);
            slots[value->reg].type = type;
        }
        s->pinned = slots[value->reg].type == type;
        s->slot = s->pinned ? slots[value->reg].at : NULL;
    }
    free(slots);
    free(late);
}

enum { MEETINGS_MANY = 100000 };

/* Lanes that wait keep their values wherever others walk: in a recursive function that is every
 * value of every call in every block, and as many phis if LLVM may see them. */
static bool has_too_many_meetings(Emitter *e)
{
    const Flow *flow = e->flow;
    size_t slots = 0;
    for (size_t v = 0; v < flow->values.count; ++v)
        slots += !e->values[v].slot && emit_needs_slot(e, (int32_t)v);
    return slots * (size_t)flow->block_count > MEETINGS_MANY && flow->group.warps == 1;
}

void emit_control_flow(Emitter *e)
{
    Flow *flow = e->flow;
    e->current = emit_slot(e, mask_type(e), "mask");
    LLVMBuildStore(e->b, e->entry_mask, e->current);
    emit_place_fragments(e);
    pin_registers(e);
    bool memory = has_too_many_meetings(e);
    for (size_t v = 0; v < flow->values.count; ++v) {
        if (e->values[v].slot || !emit_needs_slot(e, (int32_t)v))
            continue;
        LLVMTypeRef type = emit_value_type(e, &flow->values.items[v]);
        e->values[v].slot =
            memory && type != mask_type(e) ? hidden_slot(e, type, "v") : emit_slot(e, type, "v");
    }
    emit_find_dirty(e);
    if (flow->group.warps > 1) {
        emit_group(e);
        return;
    }
    emit_prepare_blocks(e);
    e->mask = e->entry_mask;
    if (is_pending_block(e, 0)) {
        LLVMBuildStore(e->b, e->entry_mask, e->blocks[0].pending);
        go_to(e, e->blocks[0].enter);
    } else {
        go_to(e, e->blocks[0].body);
    }
    for (int32_t b = 0; b < flow->block_count && !e->failed; ++b)
        emit_one_block(e, b);
}
