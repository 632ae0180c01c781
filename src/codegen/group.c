/* SPDX-License-Identifier: Apache-2.0
 *
 * Several warps of a block as one function (analysis/group.c chooses how many). All start together:
 * blocks are emitted once for each warp, one after the other, with every lane active. At a branch
 * that may take warps different ways, a test at run time: if all lanes of all warps agree they stay
 * together, else each warp walks alone, as control.c does it, until the branch's postdominator,
 * where they are together again. What is the same in all warps is computed for the first alone. */
#include "codegen/emit.h"

#include <string.h>

static void select_warp(Emitter *e, uint32_t w, uint32_t before)
{
    e->warps[before].carry = e->carry;
    e->values = e->warps[w].values;
    e->warp_arg = e->warps[w].number;
    e->local = e->warps[w].local;
    e->carry = e->warps[w].carry;
}

/* Goes on to the next warp, from the last one to the first; a warp that walks alone stays. */
static uint32_t next_warp(Emitter *e, uint32_t w)
{
    uint32_t count = e->flow->group.warps;
    if (e->region || count == 1)
        return count;
    select_warp(e, w + 1 < count ? w + 1 : 0, w);
    return w + 1;
}

/* body(warp) with the emitter set to each warp of the group in turn, then to the first again; for a
 * warp that walks alone, once */
#define EACH_WARP(e, w) for (uint32_t w = 0; w < (e)->flow->group.warps; w = next_warp((e), w))

void emit_group_begin(Emitter *e)
{
    const Flow *flow = e->flow;
    const uint32_t *n = flow->config.ntid;
    uint32_t count = flow->group.warps;
    if (count == 1)
        return;
    bool whole = (uint64_t)n[0] * n[1] * n[2] == (uint64_t)count * GK_WARP;
    LLVMValueRef first = LLVMBuildMul(e->b, e->warp_arg, LLVMConstInt(e->i32, count, false), "");
    LLVMValueRef bytes =
        LLVMBuildMul(e->b, e->local_stride, LLVMConstInt(e->i64, GK_WARP, false), "");
    LLVMValueRef local = emit_block_field(e, offsetof(GkBlock, local), e->ptr);
    for (uint32_t w = 0; w < count; ++w) {
        WarpState *s = &e->warps[w];
        LLVMValueRef own = LLVMConstInt(e->i32, w, false);
        s->number = whole ? own : LLVMBuildAdd(e->b, first, own, "");
        LLVMValueRef skip =
            LLVMBuildMul(e->b, LLVMBuildZExt(e->b, s->number, e->i64, ""), bytes, "");
        s->local = LLVMBuildGEP2(e->b, e->i8, local, &skip, 1, "local");
        s->values = w ? ARENA_ARRAY(e->arena, ValueState, flow->values.count + 1) : e->values;
    }
    select_warp(e, 0, 0);
}

static bool is_shared(const Emitter *e, int32_t value)
{
    return flow_bit(e->flow->group.shared, value);
}

static void share_definition(void *data, int32_t *reg, bool definition, int index)
{
    Emitter *e = data;
    (void)index;
    if (!definition || *reg < 0)
        return;
    e->values[*reg].local = e->warps[0].values[*reg].local;
    e->values[*reg].local_block = e->block;
}

/* ---- edges ---- */

/* All warps go from `from` to `to`. */
static void go_together(Emitter *e, const LLVMBasicBlockRef *body, int32_t from, int32_t to)
{
    const FlowBlock *target = &e->flow->blocks[to];
    int32_t q = 0;
    while (q < target->pred_count && target->pred[q] != from)
        ++q;
    LLVMValueRef *in = ARENA_ARRAY(e->arena, LLVMValueRef, target->phi_count + 1);
    EACH_WARP(e, w)
    {
        for (int k = 0; k < 2; ++k) { /* read all, then write */
            for (int32_t p = 0; p < target->phi_count; ++p) {
                int32_t value = target->phis[p].value, source = target->phis[p].in[q];
                if (w && is_shared(e, value))
                    continue;
                if (k)
                    LLVMBuildStore(e->b, in[p], e->values[value].slot);
                else if (e->flow->values.items[value].shape.kind == SHAPE_VARYING)
                    in[p] = emit_value_vector(e, source);
                else
                    in[p] = emit_value_raw(e, source);
            }
        }
    }
    LLVMBuildBr(e->b, body[to]);
}

/* Each warp alone through the blocks behind b. */
static void walk_apart(Emitter *e, const LLVMBasicBlockRef *body, int32_t b)
{
    const Flow *flow = e->flow;
    LLVMValueRef mask = e->entry_mask;
    EACH_WARP(e, w) /* the region is gone where the next warp's turn comes */
    {
        e->blocks = ARENA_ARRAY(e->arena, BlockState, flow->block_count + 1);
        e->region = flow->group.apart[b];
        e->region_end = LLVMAppendBasicBlockInContext(e->cx, e->fn, "together");
        emit_prepare_blocks(e);
        e->block = b;
        e->mask = mask;
        LLVMBuildStore(e->b, mask, e->current);
        emit_leave_block(e, b);
        for (int32_t x = 0; x < flow->block_count && !e->failed; ++x)
            if (flow_bit(e->region, x))
                emit_one_block(e, x);
        LLVMPositionBuilderAtEnd(e->b, e->region_end);
        e->region = NULL;
    }
    e->block = b;
    LLVMBuildBr(e->b, body[flow->blocks[b].ipdom]);
}

static LLVMBasicBlockRef branch_block(Emitter *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->cx, e->fn, name);
}

static LLVMValueRef is_all_ones(Emitter *e, LLVMValueRef v)
{
    if (LLVMTypeOf(v) == e->i1)
        return v;
    return LLVMBuildICmp(e->b, LLVMIntEQ, emit_mask_bits(e, v), LLVMConstAllOnes(e->i32), "");
}

/* A branch that takes the warps together where they agree. */
static void branch(Emitter *e, const LLVMBasicBlockRef *body, int32_t b)
{
    const FlowBlock *block = &e->flow->blocks[b];
    LLVMBasicBlockRef yes = branch_block(e, "all"), no = branch_block(e, "none"), apart = NULL;
    bool negated = block->cond_negated;
    if (!e->flow->group.apart[b]) {
        LLVMBuildCondBr(e->b, emit_value_raw(e, block->cond), negated ? no : yes,
                        negated ? yes : no);
    } else {
        bool vector = e->flow->values.items[block->cond].shape.kind != SHAPE_UNIFORM;
        LLVMValueRef all = NULL, any = NULL;
        EACH_WARP(e, w)
        {
            if (w && is_shared(e, block->cond))
                continue;
            LLVMValueRef c =
                vector ? emit_value_vector(e, block->cond) : emit_value_raw(e, block->cond);
            all = all ? LLVMBuildAnd(e->b, all, c, "") : c;
            any = any ? LLVMBuildOr(e->b, any, c, "") : c;
        }
        LLVMBasicBlockRef some = branch_block(e, "some");
        apart = branch_block(e, "apart");
        LLVMBuildCondBr(e->b, is_all_ones(e, all), negated ? no : yes, some);
        LLVMPositionBuilderAtEnd(e->b, some);
        LLVMBuildCondBr(e->b, is_all_ones(e, LLVMBuildNot(e->b, any, "")), negated ? yes : no,
                        apart);
    }
    LLVMPositionBuilderAtEnd(e->b, yes);
    go_together(e, body, b, block->succ[0]);
    LLVMPositionBuilderAtEnd(e->b, no);
    go_together(e, body, b, block->succ[1]);
    if (apart) { /* last: it may emit this block, and so its values, again */
        LLVMPositionBuilderAtEnd(e->b, apart);
        walk_apart(e, body, b);
    }
}

static void leave_together(Emitter *e, const LLVMBasicBlockRef *body, int32_t b)
{
    const FlowBlock *block = &e->flow->blocks[b];
    e->insn = NULL;
    switch (block->term) {
    case TERM_JUMP:
        go_together(e, body, b, block->succ[0]);
        return;
    case TERM_BRANCH:
        branch(e, body, b);
        return;
    case TERM_SWITCH: {
        if (e->flow->group.apart[b]) {
            walk_apart(e, body, b);
            return;
        }
        int32_t last = block->succ_count - 1;
        LLVMValueRef index = emit_value_raw(e, block->cond);
        LLVMBasicBlockRef other = branch_block(e, "case");
        LLVMValueRef s = LLVMBuildSwitch(e->b, index, other, (unsigned)last);
        for (int32_t k = 0; k <= last; ++k) {
            LLVMBasicBlockRef to = k == last ? other : branch_block(e, "case");
            if (k < last)
                LLVMAddCase(s, LLVMConstInt(LLVMTypeOf(index), (uint64_t)k, false), to);
            LLVMPositionBuilderAtEnd(e->b, to);
            go_together(e, body, b, block->succ[k]);
        }
        return;
    }
    default:
        LLVMBuildBr(e->b, body[e->flow->block_count - 1]);
    }
}

/* ---- barriers ---- */

void emit_group_frame(Emitter *e, bool save)
{
    const FlowBlock *block = &e->flow->blocks[e->block];
    EACH_WARP(e, w)
    {
        for (size_t v = 0; v < e->flow->values.count; ++v) {
            ValueState *s = &e->values[v];
            bool live = flow_bit(block->live_out, (int32_t)v) || block->cond == (int32_t)v;
            if (s->slot && live && !(w && is_shared(e, (int32_t)v)))
                emit_frame_copy(e, s->slot, &s->frame_at, save);
            if (!save && s->slot && s->local_block == e->block)
                s->local = NULL;
        }
    }
}

/* ---- what can be computed before anything is loaded ---- */

enum { EARLY = 1, REGULAR = 2 };

typedef struct {
    Emitter *e;
    const FlowBlock *block;
    const uint8_t *marks; /* of the block's instructions */
    bool ready;
} Early;

static bool is_ready(const Early *a, int32_t value)
{
    const FlowValue *v = &a->e->flow->values.items[value];
    return v->insn < a->block->begin || v->insn >= a->block->end ||
           (a->marks[v->insn - a->block->begin] & EARLY);
}

static void look_at_source(void *data, int32_t *reg, bool definition, int index)
{
    Early *a = data;
    (void)index;
    if (!definition && *reg >= 0)
        a->ready = a->ready && is_ready(a, *reg);
}

static bool is_parameter(const IrInsn *insn)
{
    return insn->op == OP_ld && ir_space(insn) == MOD_param && insn->guard < 0 &&
           insn->operands[0].kind == OPND_reg && insn->operands[1].base_kind == OPND_symbol;
}

/* Marks parameters and scalar arithmetic on what is known at the block's start, and accesses whose
 * addresses come from it and could only be irregular where a 32-bit index wraps. */
static uint8_t *mark_early(Emitter *e, const FlowBlock *block)
{
    uint8_t *marks = ARENA_ARRAY(e->arena, uint8_t, block->end - block->begin + 1);
    for (int32_t i = block->begin; i < block->end; ++i) {
        FlowInsn *f = &e->flow->insns[i];
        uint8_t *mark = &marks[i - block->begin];
        Early a = {e, block, marks, f->insn.guard < 0};
        if (emit_widened_address(e, &f->insn)) {
            const IrOperand *o = emit_widened_address(e, &f->insn);
            *mark = is_ready(&a, o->reg) ? REGULAR : 0;
        } else if ((!ir_op_info[f->insn.op].effects || is_parameter(&f->insn)) &&
                   !f->insn.mod[MC_CC] && f->insn.op != OP_addc && f->insn.op != OP_subc &&
                   f->insn.op != OP_madc && emit_is_scalar(e, &f->insn)) {
            flow_visit_registers(&f->insn, look_at_source, &a);
            *mark = a.ready ? EARLY : 0;
        }
    }
    return marks;
}

/* ---- blocks ---- */

static bool is_barrier(const FlowInsn *insn)
{
    return ir_op_info[insn->insn.op].effects & FX_BAR;
}

/* For each warp the instructions of the block whose EARLY mark is as wanted. */
static void emit_marked(Emitter *e, const FlowBlock *block, const uint8_t *marks, bool early,
                        bool regular)
{
    EACH_WARP(e, w)
    {
        if (early && !e->region && e->flow->group.warps > 1)
            emit_phis(e, block);
        for (int32_t i = block->begin; i < block->end && !e->failed; ++i) {
            FlowInsn *insn = &e->flow->insns[i];
            uint8_t mark = marks[i - block->begin];
            if (!(mark & EARLY) == early || is_barrier(insn))
                continue;
            e->is_regular = regular && (mark & REGULAR);
            if (w && flow_bit(e->flow->group.once, i))
                flow_visit_registers(&insn->insn, share_definition, e);
            else
                emit_insn(e, insn);
            e->is_regular = false;
        }
    }
}

/* No index of the block's REGULAR accesses wraps in any warp; NULL: there are none. */
static LLVMValueRef all_regular(Emitter *e, const FlowBlock *block, const uint8_t *marks)
{
    LLVMValueRef all = NULL;
    EACH_WARP(e, w)
    {
        uint32_t *seen = ARENA_ARRAY(e->arena, uint32_t, e->flow->extensions.count / 32 + 1);
        for (int32_t i = block->begin; i < block->end; ++i) {
            if (!(marks[i - block->begin] & REGULAR))
                continue;
            int32_t reg = emit_widened_address(e, &e->flow->insns[i].insn)->reg,
                    ext = e->flow->values.items[reg].shape.ext;
            if (flow_bit(seen, ext) || (w && is_shared(e, reg)))
                continue;
            seen[ext >> 5] |= 1u << (ext & 31);
            LLVMValueRef ok = emit_no_wrap(e, ext);
            all = all ? LLVMBuildAnd(e->b, all, ok, "") : ok;
        }
    }
    return all;
}

static void forget(void *data, int32_t *reg, bool definition, int index)
{
    Emitter *e = data;
    (void)index;
    if (definition && *reg >= 0)
        e->values[*reg].local = NULL;
}

/* kept: those with an EARLY mark stay; may be NULL */
static void forget_definitions(Emitter *e, const FlowBlock *block, const uint8_t *kept)
{
    EACH_WARP(e, w)
    for (int32_t i = block->begin; i < block->end; ++i)
        if (!kept || !(kept[i - block->begin] & EARLY))
            flow_visit_registers(&e->flow->insns[i].insn, forget, e);
}

static LLVMValueRef hidden(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v), f = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef same =
        LLVMGetInlineAsm(f, "", 0, "=r,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(e->b, f, same, &v, 1, "");
}

/* What the block knows before its two versions; each defines its own values again. */
static LLVMValueRef *known_values(Emitter *e)
{
    size_t count = e->flow->values.count;
    LLVMValueRef *known = ARENA_ARRAY(e->arena, LLVMValueRef, count * e->flow->group.warps + 1);
    EACH_WARP(e, w)
    for (size_t v = 0; v < count; ++v)
        if (e->values[v].local_block == e->block)
            known[w * count + v] = e->values[v].local;
    return known;
}

/* The version with tests, where LLVM does not see that addresses are those of the other version: it
 * would keep a counter of its own for each of them, and step all of those with every turn of a loop. */
static void emit_wrapping(Emitter *e, const FlowBlock *block, const uint8_t *marks,
                          LLVMValueRef *known)
{
    size_t count = e->flow->values.count;
    EACH_WARP(e, w)
    for (size_t v = 0; v < count; ++v) {
        LLVMValueRef before = known[w * count + v];
        if (before && LLVMTypeOf(before) == e->i64 && !LLVMIsConstant(before))
            e->values[v].local = hidden(e, before);
    }
    emit_marked(e, block, marks, false, false);
    EACH_WARP(e, w)
    for (size_t v = 0; v < count; ++v)
        if (known[w * count + v])
            e->values[v].local = known[w * count + v];
}

/* With one test for all indices that could wrap: a version of the block without tests, one with
 * them. */
static void emit_block_body(Emitter *e, const FlowBlock *block)
{
    const uint8_t *marks = mark_early(e, block);
    forget_definitions(e, block, NULL); /* of the block's last emission, in another region */
    emit_marked(e, block, marks, true, false);
    LLVMValueRef regular = e->failed ? NULL : all_regular(e, block, marks);
    if (!regular) {
        emit_marked(e, block, marks, false, false);
        return;
    }
    LLVMBasicBlockRef fast = branch_block(e, "regular"), slow = branch_block(e, "wraps"),
                      join = branch_block(e, "done");
    emit_unlikely(e, LLVMBuildCondBr(e->b, regular, fast, slow), false);
    LLVMValueRef *known = known_values(e);
    LLVMPositionBuilderAtEnd(e->b, fast);
    emit_marked(e, block, marks, false, true);
    LLVMBuildBr(e->b, join);
    LLVMPositionBuilderAtEnd(e->b, slow);
    emit_wrapping(e, block, marks, known);
    LLVMBuildBr(e->b, join);
    LLVMPositionBuilderAtEnd(e->b, join);
    forget_definitions(e, block, marks);
}

/* The block of a warp that walks alone may have two versions as well: where there are several
 * accesses, and nothing that must not be there twice. */
static bool may_double(const Emitter *e, const FlowBlock *block)
{
    enum { ACCESSES = 2, MOST_INSTRUCTIONS = 128 };
    int accesses = 0;
    if (e->by_lane || e->homes.count > 1 || block->end - block->begin > MOST_INSTRUCTIONS)
        return false;
    for (int32_t i = block->begin; i < block->end; ++i) {
        const IrInsn *insn = &e->flow->insns[i].insn;
        if (ir_op_info[insn->op].effects & (FX_BAR | FX_CALL | FX_SIDE))
            return false;
        accesses += emit_widened_address(e, insn) != NULL;
    }
    return accesses >= ACCESSES &&
           (e->flow->group.warps > 1 || e->suspends); /* values have slots */
}

void emit_instructions(Emitter *e, const FlowBlock *block)
{
    if (may_double(e, block)) {
        emit_block_body(e, block);
        return;
    }
    for (int32_t i = block->begin; i < block->end && !e->failed; ++i)
        emit_insn(e, &e->flow->insns[i]);
}

static void emit_together(Emitter *e, const LLVMBasicBlockRef *body, int32_t b)
{
    const FlowBlock *block = &e->flow->blocks[b];
    e->block = b;
    e->mask = e->entry_mask;
    e->mask_is_all = true;
    e->insn = NULL;
    emit_block_body(e, block);
    if (e->counts && !e->failed)
        EACH_WARP(e, w)
    emit_count_operations(e, block);
    const FlowInsn *last = block->end > block->begin ? &e->flow->insns[block->end - 1] : NULL;
    if (last && is_barrier(last) && e->suspends && !e->failed)
        emit_insn(e, last);
    if (!e->failed)
        leave_together(e, body, b);
}

void emit_group(Emitter *e)
{
    const Flow *flow = e->flow;
    int32_t n = flow->block_count;
    for (uint32_t w = 1; w < flow->group.warps; ++w) {
        for (size_t v = 0; v < flow->values.count; ++v) {
            ValueState *s = &e->warps[w].values[v];
            *s = e->warps[0].values[v];
            if (s->slot && !is_shared(e, (int32_t)v))
                s->slot = emit_slot(e, emit_value_type(e, &flow->values.items[v]), "v");
        }
    }
    LLVMBasicBlockRef *body = ARENA_ARRAY(e->arena, LLVMBasicBlockRef, n);
    for (int32_t b = 0; b < n; ++b)
        body[b] = branch_block(e, "group");
    LLVMBuildBr(e->b, body[0]);
    for (int32_t b = 0; b < n && !e->failed; ++b) {
        LLVMPositionBuilderAtEnd(e->b, body[b]);
        if (b == n - 1)
            emit_return(e);
        else
            emit_together(e, body, b);
    }
}
