/* SPDX-License-Identifier: Apache-2.0
 *
 * Pruned SSA form. Besides the phis that the definition asks for, each register that is defined in
 * a loop and lives past it gets a phi at the loop's exit: lanes may leave at different times, and the
 * phi is where their values are collected. */
#include "analysis/internal.h"

#include <stdlib.h>

typedef struct {
    Flow *flow;
    int32_t regs;
    uint32_t **live_in, **defs; /* per block, over registers */
    uint32_t **has_phi;         /* per block: registers with a phi */
    int32_t *current;           /* register -> SSA value, -1 undefined */
    int32_t *undefined;         /* register -> SSA value that stands for "never written" */
    VEC(int32_t) undo;          /* pairs: register, previous value */
    int32_t block;
    FlowInsn *insn;
    int32_t insn_index;
    uint32_t *used, *defined; /* scratch for one block */
} Ssa;

static void note_local(void *data, int32_t *reg, bool definition, int index)
{
    Ssa *s = data;
    (void)index;
    if (*reg < 0)
        return;
    if (!definition) {
        if (!flow_bit(s->defined, *reg))
            flow_set(s->used, *reg);
        return;
    }
    if (s->insn->insn.guard >= 0 && !flow_bit(s->defined, *reg))
        flow_set(s->used, *reg); /* the old value shines through */
    flow_set(s->defined, *reg);
}

static void register_liveness(Ssa *s)
{
    Flow *flow = s->flow;
    int32_t n = flow->block_count, words = (s->regs + 31) / 32 + 1;
    uint32_t **use = ARENA_ARRAY(flow->arena, uint32_t *, n);
    for (int32_t b = 0; b < n; ++b) {
        use[b] = flow_set_new(flow->arena, s->regs);
        s->defs[b] = flow_set_new(flow->arena, s->regs);
        s->live_in[b] = flow_set_new(flow->arena, s->regs);
        s->used = use[b];
        s->defined = s->defs[b];
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i) {
            s->insn = &flow->insns[i];
            flow_visit_registers(&flow->insns[i].insn, note_local, s);
        }
        if (flow->blocks[b].cond >= 0 && !flow_bit(s->defined, flow->blocks[b].cond))
            flow_set(s->used, flow->blocks[b].cond);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = n - 1; b >= 0; --b) {
            for (int32_t w = 0; w < words; ++w) {
                uint32_t out = 0;
                for (int32_t k = 0; k < flow->blocks[b].succ_count; ++k)
                    out |= s->live_in[flow->blocks[b].succ[k]][w];
                uint32_t in = use[b][w] | (out & ~s->defs[b][w]);
                if (in != s->live_in[b][w])
                    s->live_in[b][w] = in, changed = true;
            }
        }
    }
}

static void place_phis(Ssa *s)
{
    Flow *flow = s->flow;
    int32_t n = flow->block_count, words = (s->regs + 31) / 32 + 1;
    uint32_t **frontier = ARENA_ARRAY(flow->arena, uint32_t *, n);
    for (int32_t b = 0; b < n; ++b)
        frontier[b] = flow_set_new(flow->arena, n);
    for (int32_t b = 0; b < n; ++b) {
        const FlowBlock *block = &flow->blocks[b];
        if (block->pred_count < 2 && !(b == 0 && block->pred_count))
            continue;
        for (int32_t k = 0; k < block->pred_count; ++k)
            for (int32_t r = block->pred[k]; r >= 0 && r != block->idom; r = flow->blocks[r].idom)
                flow_set(frontier[r], b);
    }
    /* forced: loop-defined registers that live at the loop's exits */
    for (int32_t l = 0; l < flow->loop_count; ++l) {
        uint32_t *defined = flow_set_new(flow->arena, s->regs);
        for (int32_t b = flow->loops[l].first; b <= flow->loops[l].last; ++b)
            for (int32_t w = 0; w < words; ++w)
                defined[w] |= s->defs[b][w];
        for (int32_t b = flow->loops[l].first; b <= flow->loops[l].last; ++b)
            for (int32_t k = 0; k < flow->blocks[b].succ_count; ++k) {
                int32_t e = flow->blocks[b].succ[k];
                if (flow_in_loop(flow, e, l))
                    continue;
                for (int32_t w = 0; w < words; ++w)
                    s->has_phi[e][w] |= defined[w] & s->live_in[e][w];
            }
    }
    int32_t *work = ARENA_ARRAY(flow->arena, int32_t, n + 1);
    int32_t *queued = ARENA_ARRAY(flow->arena, int32_t, n); /* for this register, plus one */
    /* blocks that define a register: first[r] to first[r + 1] of them */
    int32_t *first = ARENA_ARRAY(flow->arena, int32_t, s->regs + 2);
    for (int32_t b = 0; b < n; ++b)
        for (int32_t w = 0; w < words; ++w)
            for (uint32_t left = s->defs[b][w] | s->has_phi[b][w]; left; left &= left - 1)
                ++first[32 * w + __builtin_ctz(left) + 2];
    for (int32_t r = 0; r < s->regs; ++r)
        first[r + 2] += first[r + 1];
    int32_t *blocks = ARENA_ARRAY(flow->arena, int32_t, first[s->regs + 1] + 1);
    for (int32_t b = 0; b < n; ++b)
        for (int32_t w = 0; w < words; ++w)
            for (uint32_t left = s->defs[b][w] | s->has_phi[b][w]; left; left &= left - 1)
                blocks[first[32 * w + __builtin_ctz(left) + 1]++] = b;
    for (int32_t r = 0; r < s->regs; ++r) {
        int32_t count = 0;
        for (int32_t k = first[r]; k < first[r + 1]; ++k) {
            work[count++] = blocks[k];
            queued[blocks[k]] = r + 1;
        }
        while (count) {
            int32_t b = work[--count];
            for (int32_t y = 0; y < n; ++y) {
                if (!frontier[b][y >> 5]) {
                    y |= 31;
                    continue;
                }
                if (!flow_bit(frontier[b], y) || flow_bit(s->has_phi[y], r) ||
                    !flow_bit(s->live_in[y], r))
                    continue;
                flow_set(s->has_phi[y], r);
                if (queued[y] != r + 1) {
                    queued[y] = r + 1;
                    work[count++] = y;
                }
            }
        }
    }
    for (int32_t b = 0; b < n; ++b) {
        FlowBlock *block = &flow->blocks[b];
        for (int32_t r = 0; r < s->regs; ++r)
            block->phi_count += flow_bit(s->has_phi[b], r);
        block->phis = ARENA_ARRAY(flow->arena, FlowPhi, block->phi_count + 1);
        int32_t at = 0;
        for (int32_t r = 0; r < s->regs; ++r) {
            if (!flow_bit(s->has_phi[b], r))
                continue;
            FlowPhi *phi = &block->phis[at];
            phi->in = ARENA_ARRAY(flow->arena, int32_t, block->pred_count + 1);
            phi->value = (int32_t)flow->values.count;
            FlowValue v = {
                .block = b, .insn = -1, .phi = at, .reg = r, .type = flow->function->regs[r].type};
            VEC_PUSH(flow->values, v);
            at++;
        }
    }
}

static int32_t read_register(Ssa *s, int32_t reg)
{
    if (s->current[reg] >= 0)
        return s->current[reg];
    if (s->undefined[reg] < 0) {
        s->undefined[reg] = (int32_t)s->flow->values.count;
        FlowValue v = {.block = -1,
                       .insn = -1,
                       .phi = -1,
                       .reg = reg,
                       .type = s->flow->function->regs[reg].type};
        VEC_PUSH(s->flow->values, v);
    }
    return s->undefined[reg];
}

static void write_register(Ssa *s, int32_t reg, int32_t value)
{
    VEC_PUSH(s->undo, reg);
    VEC_PUSH(s->undo, s->current[reg]);
    s->current[reg] = value;
}

static void rename_operand(void *data, int32_t *reg, bool definition, int index)
{
    Ssa *s = data;
    if (*reg < 0)
        return;
    if (!definition) {
        *reg = read_register(s, *reg);
        return;
    }
    if (s->insn->insn.guard >= 0 && index < 8)
        s->insn->old[index] = read_register(s, *reg);
    int32_t value = (int32_t)s->flow->values.count;
    FlowValue v = {.block = s->block,
                   .insn = s->insn_index,
                   .phi = -1,
                   .reg = *reg,
                   .type = s->flow->function->regs[*reg].type};
    VEC_PUSH(s->flow->values, v);
    write_register(s, *reg, value);
    *reg = value;
}

static void rename_block(Ssa *s, int32_t b)
{
    Flow *flow = s->flow;
    FlowBlock *block = &flow->blocks[b];
    s->block = b;
    for (int32_t k = 0; k < block->phi_count; ++k)
        write_register(s, flow->values.items[block->phis[k].value].reg, block->phis[k].value);
    for (int32_t i = block->begin; i < block->end; ++i) {
        s->insn = &flow->insns[i];
        s->insn_index = i;
        flow_visit_registers(&s->insn->insn, rename_operand, s);
    }
    if (block->cond >= 0)
        block->cond = read_register(s, block->cond);
    for (int32_t k = 0; k < block->succ_count; ++k) {
        FlowBlock *succ = &flow->blocks[block->succ[k]];
        for (int32_t q = 0; q < succ->pred_count; ++q)
            if (succ->pred[q] == b)
                for (int32_t p = 0; p < succ->phi_count; ++p)
                    succ->phis[p].in[q] =
                        read_register(s, flow->values.items[succ->phis[p].value].reg);
    }
}

/* Operands are shared with the parsed function: copy what renaming changes. */
static void copy_operand(Arena *arena, IrOperand *o)
{
    if (!o->items)
        return;
    IrOperand *items = ARENA_ARRAY(arena, IrOperand, o->count);
    memcpy(items, o->items, sizeof(IrOperand) * o->count);
    o->items = items;
    for (int i = 0; i < o->count; ++i)
        copy_operand(arena, &items[i]);
}

void flow_build_ssa(Flow *flow)
{
    IrFunction *f = flow->function;
    int32_t n = flow->block_count;
    flow->insn_count = f->insn_count;
    flow->insns = ARENA_ARRAY(flow->arena, FlowInsn, f->insn_count + 1);
    for (int32_t i = 0; i < f->insn_count; ++i) {
        flow->insns[i].insn = f->insns[i];
        for (int k = 0; k < f->insns[i].operand_count; ++k)
            copy_operand(flow->arena, &flow->insns[i].insn.operands[k]);
        for (int k = 0; k < 8; ++k)
            flow->insns[i].old[k] = -1;
    }
    /* what no block holds is never reached: it keeps no registers that would look like values */
    uint32_t *held = flow_set_new(flow->arena, f->insn_count + 1);
    for (int32_t b = 0; b < n; ++b)
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i)
            flow_set(held, i);
    for (int32_t i = 0; i < f->insn_count; ++i)
        if (!flow_bit(held, i))
            flow->insns[i].insn = (IrInsn){.op = OP_exit, .guard = -1, .line = f->insns[i].line};
    /* a guard that became a branch is not a guard any more */
    for (int32_t b = 0; b < n; ++b) {
        const FlowBlock *block = &flow->blocks[b];
        if (block->end == block->begin + 1) {
            IrInsn *insn = &flow->insns[block->begin].insn;
            uint32_t fx = ir_op_info[insn->op].effects;
            if (insn->guard >= 0 && ((fx & (FX_BAR | FX_CALL)) || insn->op == OP_trap ||
                                     insn->op == OP_nanosleep || flow_suspends(flow, insn)))
                insn->guard = -1;
        }
    }
    Ssa s = {.flow = flow, .regs = f->reg_count};
    s.live_in = ARENA_ARRAY(flow->arena, uint32_t *, n);
    s.defs = ARENA_ARRAY(flow->arena, uint32_t *, n);
    s.has_phi = ARENA_ARRAY(flow->arena, uint32_t *, n);
    for (int32_t b = 0; b < n; ++b)
        s.has_phi[b] = flow_set_new(flow->arena, s.regs);
    register_liveness(&s);
    place_phis(&s);
    s.current = ARENA_ARRAY(flow->arena, int32_t, s.regs + 1);
    s.undefined = ARENA_ARRAY(flow->arena, int32_t, s.regs + 1);
    for (int32_t r = 0; r < s.regs; ++r)
        s.current[r] = s.undefined[r] = -1;
    /* walk the dominator tree */
    int32_t *child = ARENA_ARRAY(flow->arena, int32_t, n),
            *sibling = ARENA_ARRAY(flow->arena, int32_t, n);
    for (int32_t b = 0; b < n; ++b)
        child[b] = sibling[b] = -1;
    for (int32_t b = n - 1; b > 0; --b) {
        int32_t parent = flow->blocks[b].idom;
        if (parent >= 0) {
            sibling[b] = child[parent];
            child[parent] = b;
        }
    }
    typedef struct {
        int32_t block, next;
        size_t mark;
    } Frame;
    VEC(Frame) frames = {0};
    Frame first = {0, -2, 0};
    VEC_PUSH(frames, first);
    while (frames.count) {
        Frame *top = &frames.items[frames.count - 1];
        if (top->next == -2) {
            top->mark = s.undo.count;
            rename_block(&s, top->block);
            top->next = child[top->block];
        }
        if (top->next >= 0) {
            Frame more = {top->next, -2, 0};
            top->next = sibling[top->next];
            VEC_PUSH(frames, more);
            continue;
        }
        while (s.undo.count > top->mark) {
            s.current[s.undo.items[s.undo.count - 2]] = s.undo.items[s.undo.count - 1];
            s.undo.count -= 2;
        }
        frames.count--;
    }
    VEC_FREE(frames);
    VEC_FREE(s.undo);
}

/* ---- liveness of SSA values ---- */

typedef struct {
    Flow *flow;
    uint32_t *use, *def;
    int32_t block;
} Live;

static void use_value(Live *l, int32_t value);

static void use_stride(Live *l, int32_t stride)
{
    const Stride *s = &l->flow->strides.items[stride];
    if (s->kind == STRIDE_VALUE)
        use_value(l, s->a);
    if (s->kind == STRIDE_ADD || s->kind == STRIDE_MUL || s->kind == STRIDE_SEXT)
        use_stride(l, s->a);
    if (s->kind == STRIDE_ADD || s->kind == STRIDE_MUL)
        use_stride(l, s->b);
}

/* A linear value is rebuilt from its base and what its shape names. */
static void use_value(Live *l, int32_t value)
{
    if (value < 0)
        return;
    FlowValue *v = &l->flow->values.items[value];
    v->used = true;
    if (v->shape.kind == SHAPE_LINEAR) {
        use_stride(l, v->shape.s1);
        use_stride(l, v->shape.s2);
        if (v->shape.ext) {
            use_stride(l, l->flow->extensions.items[v->shape.ext].k);
            use_value(l, l->flow->extensions.items[v->shape.ext].value);
        }
    }
    if (v->block >= 0 && v->block != l->block)
        v->escapes = true;
    if (!flow_bit(l->def, value))
        flow_set(l->use, value);
}

static void note_value(void *data, int32_t *reg, bool definition, int index)
{
    Live *l = data;
    (void)index;
    if (*reg < 0)
        return;
    if (definition)
        flow_set(l->def, *reg);
    else
        use_value(l, *reg);
}

void flow_liveness(Flow *flow)
{
    int32_t n = flow->block_count, values = (int32_t)flow->values.count;
    int32_t words = (values + 31) / 32 + 1;
    uint32_t **use = ARENA_ARRAY(flow->arena, uint32_t *, n),
             **def = ARENA_ARRAY(flow->arena, uint32_t *, n);
    uint32_t **in = ARENA_ARRAY(flow->arena, uint32_t *, n);
    for (int32_t b = 0; b < n; ++b) {
        FlowBlock *block = &flow->blocks[b];
        Live l = {flow, flow_set_new(flow->arena, values), flow_set_new(flow->arena, values), b};
        for (int32_t k = 0; k < block->phi_count; ++k)
            flow_set(l.def, block->phis[k].value);
        for (int32_t i = block->begin; i < block->end; ++i) {
            if (flow->insns[i].insn.guard >= 0)
                for (int k = 0; k < 8; ++k)
                    use_value(&l, flow->insns[i].old[k]);
            if (flow->insns[i].align.bits && flow->insns[i].align.root >= 0)
                use_value(&l, flow->insns[i].align.root);
            use_stride(&l, flow->insns[i].step);
            flow_visit_registers(&flow->insns[i].insn, note_value, &l);
        }
        if (block->cond >= 0)
            use_value(&l, block->cond);
        use[b] = l.use;
        def[b] = l.def;
        in[b] = flow_set_new(flow->arena, values);
        block->live_out = flow_set_new(flow->arena, values);
    }
    /* phi inputs are used at the end of the predecessor */
    uint32_t **phi_use = ARENA_ARRAY(flow->arena, uint32_t *, n);
    for (int32_t b = 0; b < n; ++b)
        phi_use[b] = flow_set_new(flow->arena, values);
    uint32_t *nothing = flow_set_new(flow->arena, values);
    for (int32_t b = 0; b < n; ++b)
        for (int32_t p = 0; p < flow->blocks[b].phi_count; ++p)
            for (int32_t k = 0; k < flow->blocks[b].pred_count; ++k) {
                int32_t v = flow->blocks[b].phis[p].in[k];
                Live l = {flow, phi_use[flow->blocks[b].pred[k]], nothing, flow->blocks[b].pred[k]};
                use_value(&l, v);
            }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = n - 1; b >= 0; --b)
            for (int32_t w = 0; w < words; ++w) {
                uint32_t out = phi_use[b][w];
                for (int32_t k = 0; k < flow->blocks[b].succ_count; ++k)
                    out |= in[flow->blocks[b].succ[k]][w];
                flow->blocks[b].live_out[w] = out;
                uint32_t now = use[b][w] | (out & ~def[b][w]);
                if (now != in[b][w])
                    in[b][w] = now, changed = true;
            }
    }
}
