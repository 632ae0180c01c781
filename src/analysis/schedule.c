/* SPDX-License-Identifier: Apache-2.0
 *
 * Which joins are divergent, which blocks are scheduled, direct or equal (see flow.h), and which
 * loops wait for somebody else. */
#include "analysis/internal.h"

#include <stdlib.h>

/* Lanes that part at `d` meet again where paths with different first steps come together. */
static void join_from(Flow *flow, int32_t d, int32_t *label, int32_t *stack)
{
    FlowBlock *block = &flow->blocks[d];
    int32_t n = flow->block_count, stop = block->ipdom, depth = 0;
    for (int32_t b = 0; b < n; ++b)
        label[b] = -1;
    for (int32_t k = 0; k < block->succ_count; ++k) {
        int32_t s = block->succ[k];
        if (s == stop || label[s] == s)
            continue;
        label[s] = s;
        stack[depth++] = s;
    }
    if (stop >= 0)
        flow->blocks[stop].join = true;
    while (depth) {
        int32_t x = stack[--depth];
        if (x == d)
            continue;
        for (int32_t k = 0; k < flow->blocks[x].succ_count; ++k) {
            int32_t y = flow->blocks[x].succ[k];
            if (y == stop)
                continue;
            if (label[y] < 0) {
                label[y] = label[x];
                stack[depth++] = y;
            } else if (label[y] != label[x] && label[y] != y) {
                label[y] = y;
                flow->blocks[y].join = true;
                stack[depth++] = y;
            } else if (label[y] == y && label[x] != y && !flow->blocks[y].join) {
                flow->blocks[y].join = true;
            }
        }
    }
    /* a loop in which the lanes do not meet again is left at different times */
    for (int32_t l = block->loop; l >= 0; l = flow->loops[l].parent) {
        if (stop >= 0 && flow_in_loop(flow, stop, l))
            break;
        flow->loops[l].divergent = true;
    }
}

void flow_find_joins(Flow *flow)
{
    int32_t n = flow->block_count;
    int32_t *label = xcalloc((size_t)n + 1, sizeof *label);
    int32_t *stack = xcalloc((size_t)n * 2 + 2, sizeof *stack);
    for (int32_t b = 0; b < n; ++b)
        if (flow->blocks[b].divergent)
            join_from(flow, b, label, stack);
    for (int32_t l = 0; l < flow->loop_count; ++l) {
        if (!flow->loops[l].divergent && !flow->loops[l].irreducible)
            continue;
        for (int32_t b = flow->loops[l].first; b <= flow->loops[l].last; ++b) {
            if (flow->loops[l].irreducible)
                flow->blocks[b].join = true;
            for (int32_t k = 0; k < flow->blocks[b].succ_count; ++k)
                if (!flow_in_loop(flow, flow->blocks[b].succ[k], l))
                    flow->blocks[flow->blocks[b].succ[k]].join = true;
        }
    }
    free(label);
    free(stack);
}

/* ---- spinning loops ---- */

typedef struct {
    Flow *flow;
    uint32_t *wanted; /* values that decide whether the loop goes on */
    bool add, changed;
} Slice;

static void slice_use(void *data, int32_t *reg, bool definition, int index)
{
    Slice *s = data;
    (void)index;
    if (definition || *reg < 0 || flow_bit(s->wanted, *reg))
        return;
    flow_set(s->wanted, *reg);
    s->changed = true;
}

static void slice_definition(void *data, int32_t *reg, bool definition, int index)
{
    Slice *s = data;
    (void)index;
    if (definition && *reg >= 0 && flow_bit(s->wanted, *reg))
        s->add = true;
}

static bool invariant(const Flow *flow, const IrOperand *o, int32_t loop)
{
    if (o->kind != OPND_reg)
        return true;
    const FlowValue *v = &flow->values.items[o->reg];
    return v->block < 0 || !flow_in_loop(flow, v->block, loop);
}

static bool is_zero(const IrOperand *o)
{
    return o->kind == OPND_imm && o->bits == 0;
}

static bool is_mbarrier_wait(const IrInsn *insn)
{
    return insn->op == OP_mbar_test || insn->op == OP_mbar_test_parity || insn->op == OP_mbar_try ||
           insn->op == OP_mbar_try_parity;
}

/* A read whose value can only change by somebody else's doing. */
static bool waits(const Flow *flow, const IrInsn *insn, int32_t loop)
{
    unsigned space = ir_space(insn);
    if (space == MOD_local || space == MOD_param || space == MOD_const)
        return false;
    if (insn->op == OP_ld) {
        unsigned sem = insn->mod[MC_SEM], cache = insn->mod[MC_CACHE];
        return sem == MOD_volatile || sem == MOD_relaxed || sem == MOD_acquire ||
               cache == MOD_cv;
    }
    if (is_mbarrier_wait(insn))
        return true;
    if (insn->op != OP_atom)
        return false;
    switch (insn->mod[MC_ATOM]) {
    case MOD_cas:
        return invariant(flow, &insn->operands[2], loop);
    case MOD_exch:
        return true;
    case MOD_add:
    case MOD_or_:
        return is_zero(&insn->operands[2]);
    case MOD_and_:
        return insn->operands[2].kind == OPND_imm && insn->operands[2].bits == ~0ull;
    case MOD_max:
    case MOD_min:
        return invariant(flow, &insn->operands[2], loop);
    default:
        return false;
    }
}

void flow_find_spins(Flow *flow)
{
    int32_t values = (int32_t)flow->values.count;
    for (int32_t l = 0; l < flow->loop_count; ++l) {
        FlowLoop *loop = &flow->loops[l];
        Slice s = {.flow = flow, .wanted = flow_set_new(flow->arena, values)};
        bool has_wait = false;
        for (int32_t b = loop->first; b <= loop->last; ++b)
            for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i)
                has_wait |= waits(flow, &flow->insns[i].insn, l);
        if (!has_wait)
            continue;
        for (int32_t b = loop->first; b <= loop->last; ++b)
            if (flow->blocks[b].cond >= 0)
                flow_set(s.wanted, flow->blocks[b].cond);
        do {
            s.changed = false;
            for (int32_t b = loop->first; b <= loop->last; ++b) {
                const FlowBlock *block = &flow->blocks[b];
                for (int32_t p = 0; p < block->phi_count; ++p)
                    if (flow_bit(s.wanted, block->phis[p].value))
                        for (int32_t q = 0; q < block->pred_count; ++q)
                            slice_use(&s, &block->phis[p].in[q], false, 0);
                for (int32_t i = block->begin; i < block->end; ++i) {
                    s.add = false;
                    flow_visit_registers(&flow->insns[i].insn, slice_definition, &s);
                    if (!s.add)
                        continue;
                    flow_visit_registers(&flow->insns[i].insn, slice_use, &s);
                    loop->spins |= waits(flow, &flow->insns[i].insn, l);
                }
            }
        } while (s.changed);
        if (!loop->spins)
            continue;
        flow->has_spin = true;
        for (int32_t b = loop->first; b <= loop->last; ++b)
            for (int32_t k = 0; k < flow->blocks[b].succ_count; ++k)
                if (flow->blocks[b].succ[k] == loop->header)
                    flow->blocks[b].yields = true;
    }
}

/* ---- scheduling ---- */

static void find_region(Flow *flow, int32_t from, int32_t to)
{
    uint32_t *region = flow_set_new(flow->arena, flow->block_count);
    int32_t *stack = xcalloc((size_t)flow->block_count + 1, sizeof *stack), depth = 0;
    for (int32_t k = 0; k < flow->blocks[from].succ_count; ++k) {
        int32_t s = flow->blocks[from].succ[k];
        if (s != to && !flow_bit(region, s)) {
            flow_set(region, s);
            stack[depth++] = s;
        }
    }
    while (depth) {
        int32_t x = stack[--depth];
        for (int32_t k = 0; k < flow->blocks[x].succ_count; ++k) {
            int32_t s = flow->blocks[x].succ[k];
            if (s != to && !flow_bit(region, s)) {
                flow_set(region, s);
                stack[depth++] = s;
            }
        }
    }
    free(stack);
    flow->blocks[to].region = region;
}

static void find_equal(Flow *flow, int32_t j)
{
    FlowBlock *join = &flow->blocks[j];
    join->equal = -1;
    if (j == flow->block_count - 1)
        return;
    for (int32_t l = join->loop; l >= 0; l = flow->loops[l].parent)
        if (flow->loops[l].irreducible)
            return;
    for (int32_t c = join->idom; c >= 0; c = flow->blocks[c].idom) {
        if (flow->blocks[c].loop != join->loop || !flow_postdominates(flow, j, c))
            continue;
        find_region(flow, c, j);
        for (int32_t y = c + 1; y < j; ++y)
            if (!flow_bit(join->region, y))
                return;
        for (int32_t y = 0; y < flow->block_count; ++y)
            if (flow_bit(join->region, y) && (y <= c || y >= j))
                return;
        join->equal = c;
        return;
    }
}

/* Is `cond` the comparison of a linear value with a uniform one: are they equal in one lane at most? */
static bool picks_lane(Flow *flow, int32_t cond, bool *when)
{
    const FlowValue *v = &flow->values.items[cond];
    if (v->insn < 0)
        return false;
    const IrInsn *insn = &flow->insns[v->insn].insn;
    unsigned compare = insn->mod[MC_CMP];
    if (insn->op != OP_setp || insn->guard >= 0 || insn->mod[MC_BOOL] ||
        insn->operands[0].reg != cond || (compare != MOD_eq && compare != MOD_ne) ||
        ir_type_info[insn->types[0]].class == TC_FLOAT)
        return false;
    int64_t strides[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        uint64_t zeros;
        Shape shape = flow_operand_shape(flow, &insn->operands[2 + k], &zeros);
        if (shape.kind == SHAPE_UNIFORM)
            continue;
        if (shape.kind != SHAPE_LINEAR || shape.width != 32 || shape.ext ||
            !flow_stride_constant(flow, shape.s1, &strides[k]))
            return false;
    }
    int64_t step = strides[0] - strides[1];
    *when = compare == MOD_eq;
    return step && step > -(1 << 26) && step < 1 << 26;
}

/* At most one lane of a warp comes to this block: it lies behind `if (threadIdx.x == n)`. */
static bool one_lane(Flow *flow, int32_t block)
{
    for (int32_t c = flow->blocks[block].idom; c >= 0; c = flow->blocks[c].idom) {
        const FlowBlock *b = &flow->blocks[c];
        bool when;
        if (b->term != TERM_BRANCH || b->succ_count != 2 || b->cond < 0 ||
            !picks_lane(flow, b->cond, &when))
            continue;
        int32_t to = b->succ[when == b->cond_negated]; /* succ[0]: taken when the condition holds */
        if (to != b->succ[when != b->cond_negated] && flow->blocks[to].pred_count == 1 &&
            (to == block || flow_dominates(flow, to, block)))
            return true;
    }
    return false;
}

/* The warp as a whole waits at an mbarrier: no lane of it is elsewhere, where it would have to arrive. */
static bool whole_warp_waits(Flow *flow, int32_t l)
{
    const FlowLoop *loop = &flow->loops[l];
    int32_t before = flow->blocks[loop->header].idom;
    if (before < 0 || flow->blocks[before].succ_count != 1 || !flow->blocks[before].full)
        return false;
    for (int32_t b = loop->first; b <= loop->last; ++b)
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i)
            if (waits(flow, &flow->insns[i].insn, l) && !is_mbarrier_wait(&flow->insns[i].insn))
                return false;
    return true;
}

/* A barrier at which each lane counts for itself. bar.sync and barrier.sync.aligned are the whole warp's;
 * what they do in parted lanes PTX leaves undefined, and an H200 counts the warp as a whole. */
static bool has_lane_barrier(const Flow *flow, int32_t b)
{
    for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i) {
        const IrInsn *insn = &flow->insns[i].insn;
        if ((insn->op == OP_barrier || insn->op == OP_barrier_red) && !insn->mod[MC_ALIGNED])
            return true;
    }
    return false;
}

/* Does some path from s to where the lanes that part at d meet again cross a barrier? seen[b] == mark:
 * block b was visited. */
static bool crosses_barrier(const Flow *flow, const bool *barrier, int32_t d, int32_t s,
                            int32_t *seen, int32_t mark, int32_t *stack)
{
    int32_t stop = flow->blocks[d].ipdom, depth = 0;
    if (s != stop && s != d)
        seen[s] = mark, stack[depth++] = s;
    while (depth) {
        int32_t x = stack[--depth];
        if (barrier[x])
            return true;
        for (int32_t k = 0; k < flow->blocks[x].succ_count; ++k) {
            int32_t y = flow->blocks[x].succ[k];
            if (y != stop && y != d && seen[y] != mark)
                seen[y] = mark, stack[depth++] = y;
        }
    }
    return false;
}

/* Lanes of one warp may wait at such barriers on both sides of a branch; in step the warp would count as
 * a whole at the first. */
static bool barriers_part(const Flow *flow)
{
    int32_t n = flow->block_count, barriers = 0, mark = 0;
    bool *barrier = xcalloc((size_t)n + 1, sizeof *barrier), part = false;
    for (int32_t b = 0; b < n; ++b)
        barriers += barrier[b] = !flow->blocks[b].full && has_lane_barrier(flow, b);
    int32_t *seen = xcalloc((size_t)n + 1, sizeof *seen);
    int32_t *stack = xcalloc((size_t)n + 1, sizeof *stack);
    for (int32_t d = 0; barriers > 1 && !part && d < n; ++d) {
        const FlowBlock *block = &flow->blocks[d];
        int32_t sides = 0;
        for (int32_t k = 0; block->divergent && k < block->succ_count; ++k)
            sides += crosses_barrier(flow, barrier, d, block->succ[k], seen, ++mark, stack);
        part = sides > 1;
    }
    free(barrier), free(seen), free(stack);
    return part;
}

static void find_need_of_lanes(Flow *flow)
{
    flow->needs_lanes = barriers_part(flow);
    for (int32_t l = 0; l < flow->loop_count; ++l)
        flow->needs_lanes |= flow->loops[l].spins && flow->loops[l].divergent &&
                             !one_lane(flow, flow->loops[l].header) && !whole_warp_waits(flow, l);
}

void flow_schedule(Flow *flow)
{
    int32_t n = flow->block_count;
    for (int32_t b = 0; b < n; ++b) {
        FlowBlock *block = &flow->blocks[b];
        block->scheduled |= block->join;
        if (block->divergent)
            for (int32_t k = 0; k < block->succ_count; ++k)
                flow->blocks[block->succ[k]].scheduled = true;
    }
    for (int32_t b = 0; b < n; ++b)
        if (flow->blocks[b].scheduled)
            find_equal(flow, b);
    /* A plain jump must not pass over blocks where lanes may be waiting. */
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = 0; b < n; ++b) {
            const FlowBlock *block = &flow->blocks[b];
            for (int32_t k = 0; k < block->succ_count; ++k) {
                int32_t s = block->succ[k], last = s - 1;
                if (flow->blocks[s].scheduled || s == n - 1)
                    continue;
                if (s <= b) { /* back edge: what is left of the loop */
                    int32_t l = flow->blocks[s].loop;
                    last = l >= 0 ? flow->loops[l].last : b;
                }
                for (int32_t y = b + 1; y <= last && !flow->blocks[s].scheduled; ++y)
                    if (flow->blocks[y].scheduled && !flow_dominates(flow, b, y)) {
                        flow->blocks[s].scheduled = true;
                        find_equal(flow, s);
                        changed = true;
                    }
            }
        }
    }
    flow->blocks[n - 1].scheduled = false;
    flow->blocks[n - 1].equal = -1;
    /* Full masks. */
    for (int32_t b = 0; b < n; ++b) {
        FlowBlock *block = &flow->blocks[b];
        if (b == 0)
            block->full = !block->scheduled;
        else if (block->scheduled)
            block->full = block->equal >= 0 && flow->blocks[block->equal].full;
        else {
            block->full = block->pred_count > 0;
            for (int32_t k = 0; k < block->pred_count; ++k)
                if (block->pred[k] < b)
                    block->full &= flow->blocks[block->pred[k]].full &&
                                   !flow->blocks[block->pred[k]].divergent;
        }
    }
    /* a back edge may bring a smaller mask */
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = 0; b < n; ++b) {
            FlowBlock *block = &flow->blocks[b];
            bool full = block->full;
            if (block->scheduled)
                full = full && block->equal >= 0 && flow->blocks[block->equal].full;
            else
                for (int32_t k = 0; k < block->pred_count; ++k)
                    full = full && flow->blocks[block->pred[k]].full &&
                           !flow->blocks[block->pred[k]].divergent;
            if (full != block->full)
                block->full = full, changed = true;
        }
    }
    find_need_of_lanes(flow);
}
