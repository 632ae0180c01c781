/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory that is used again too early: a warp writes where another one may not have read yet,
 * since no barrier lies between. CUDA calls it a race, public programs have it all the same (a
 * reduction called twice whose result every warp reads): on a GPU the warps leave a barrier together
 * and have read long before the first of them is at the write. Here a warp runs as far as it can, so
 * it stops once more in front of the write, where the whole block comes by; any order is legal.
 *
 * Knows variables, not elements. A thread's own places (what it writes has the base register of what
 * it read) and variables with different names do not count; nor do writes for which the block comes
 * by together nowhere behind the read. */
#include "analysis/internal.h"

enum { MOST_READS = 512, MOST_STOPS = 16, DEPTH = 16 };

typedef struct {
    Flow *flow;
    const IrOperand **reads; /* their addresses */
    uint32_t count, words;
    uint32_t *alone;    /* blocks that not every lane of the thread block comes by */
    uint32_t *at_end;   /* per block: reads since the last barrier */
    uint32_t *before;   /* instructions to stop in front of */
    uint32_t *behind;   /* blocks to stop behind */
    uint32_t *accepted; /* writes for which there is no place to stop */
} Reuse;

static const IrSymbol *variable_of(const Flow *flow, const IrOperand *o, int depth);

/* The variable that a value points into; NULL: unknown. */
static const IrSymbol *variable_of_value(const Flow *flow, int32_t value, int depth)
{
    int32_t at = flow->values.items[value].insn;
    if (at < 0 || depth == 0)
        return NULL;
    const IrOperand *o = flow->insns[at].insn.operands;
    switch (flow->insns[at].insn.op) {
    case OP_mov:
    case OP_cvta:
    case OP_cvt:
        return variable_of(flow, &o[1], depth - 1);
    case OP_add_i:
    case OP_sub_i: {
        const IrSymbol *first = variable_of(flow, &o[1], depth - 1);
        return first ? first : variable_of(flow, &o[2], depth - 1);
    }
    case OP_mad_i: /* index times size plus variable */
        return variable_of(flow, &o[3], depth - 1);
    default:
        return NULL;
    }
}

static const IrSymbol *variable_of(const Flow *flow, const IrOperand *o, int depth)
{
    unsigned kind = o->kind == OPND_addr ? o->base_kind : o->kind;
    return kind == OPND_symbol ? o->symbol
           : kind == OPND_reg  ? variable_of_value(flow, o->reg, depth)
                               : NULL;
}

static bool may_meet(const Flow *flow, const IrOperand *read, const IrOperand *written)
{
    if (read->base_kind == OPND_reg && written->base_kind == OPND_reg && read->reg == written->reg)
        return false;
    const IrSymbol *a = variable_of(flow, read, DEPTH), *b = variable_of(flow, written, DEPTH);
    return !a || !b || a == b;
}

static bool any_meets(const Reuse *r, const uint32_t *pending, const IrOperand *written)
{
    for (uint32_t k = 0; k < r->count; ++k)
        if (flow_bit(pending, (int32_t)k) && may_meet(r->flow, r->reads[k], written))
            return true;
    return false;
}

static const IrOperand *shared_address(const IrInsn *insn)
{
    uint32_t fx = ir_op_info[insn->op].effects;
    if (!(fx & (FX_READ | FX_WRITE | FX_ATOMIC)) || ir_space(insn) != MOD_shared)
        return NULL;
    for (int k = 0; k < insn->operand_count; ++k)
        if (insn->operands[k].kind == OPND_addr)
            return &insn->operands[k];
    return NULL;
}

static void clear(const Reuse *r, uint32_t *pending)
{
    memset(pending, 0, r->words * sizeof *pending);
}

/* Where to stop for the write at i in block b. False: nowhere. */
static bool choose_stop(Reuse *r, int32_t b, int32_t i, const IrOperand *written)
{
    int32_t d = b;
    while (d >= 0 && flow_bit(r->alone, d))
        d = r->flow->blocks[d].idom;
    if (d == b)
        flow_set(r->before, i);
    else if (d >= 0 && any_meets(r, r->at_end + r->words * (size_t)d, written))
        flow_set(r->behind, d);
    else
        return false;
    return true;
}

/* pending: reads since the last barrier, brought from the block's entry to its end. True: one more
 * place to stop. */
static bool walk_block(Reuse *r, int32_t b, uint32_t *pending)
{
    const FlowBlock *block = &r->flow->blocks[b];
    for (int32_t i = block->begin, read = 0; i < block->end; ++i) {
        const IrInsn *insn = &r->flow->insns[i].insn;
        const IrOperand *address = shared_address(insn);
        if (insn->op == OP_bar_warp /* places of a warp's own */ || flow_bit(r->before, i))
            clear(r, pending);
        if (!address)
            continue;
        if (ir_op_info[insn->op].effects == FX_READ) {
            while (read < (int32_t)r->count && r->reads[read] != address)
                ++read;
            if (read < (int32_t)r->count)
                flow_set(pending, read);
        } else if (!flow_bit(r->accepted, i) && any_meets(r, pending, address)) {
            if (choose_stop(r, b, i, address))
                return true;
            flow_set(r->accepted, i);
        }
    }
    if (block->suspends || flow_bit(r->behind, b))
        clear(r, pending);
    return false;
}

static bool find_stop(Reuse *r)
{
    const Flow *flow = r->flow;
    uint32_t *pending = ARENA_ARRAY(flow->arena, uint32_t, r->words);
    memset(r->at_end, 0, r->words * (size_t)flow->block_count * sizeof *r->at_end);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = 0; b < flow->block_count; ++b) {
            clear(r, pending);
            for (int32_t p = 0; p < flow->blocks[b].pred_count; ++p)
                for (size_t w = 0; w < r->words; ++w)
                    pending[w] |= r->at_end[r->words * (size_t)flow->blocks[b].pred[p] + w];
            if (walk_block(r, b, pending))
                return true;
            uint32_t *end = r->at_end + r->words * (size_t)b;
            changed |= memcmp(end, pending, r->words * sizeof *end) != 0;
            memcpy(end, pending, r->words * sizeof *end);
        }
    }
    return false;
}

/* The function with a copy of its barrier at each place. */
static IrFunction *with_stops(const Reuse *r, const IrInsn *barrier, int32_t stops)
{
    const Flow *flow = r->flow;
    const IrFunction *old = flow->function;
    int32_t n = old->insn_count;
    int32_t *block_of = ARENA_ARRAY(flow->arena, int32_t, n + 1); /* that stop: its block + 1 */
    for (int32_t b = 0; b < flow->block_count; ++b) {
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i)
            if (flow_bit(r->before, i))
                block_of[i] = b + 1;
        if (flow_bit(r->behind, b))
            block_of[flow->blocks[b].end] = b + 1;
    }
    IrFunction *new = ARENA_NEW(flow->arena, IrFunction);
    *new = *old;
    new->insns = ARENA_ARRAY(flow->arena, IrInsn, n + stops);
    new->labels = ARENA_ARRAY(flow->arena, IrLabel, old->label_count);
    memcpy(new->labels, old->labels, (size_t)old->label_count * sizeof *new->labels);
    new->insn_count = 0;
    for (int32_t i = 0; i <= n; ++i) {
        if (block_of[i]) {
            /* a label of the stopping block itself comes first, any other one behind */
            bool own = flow->blocks[block_of[i] - 1].begin == i;
            for (int32_t k = 0; k < old->label_count; ++k)
                new->labels[k].insn +=
                    old->labels[k].insn > i || (old->labels[k].insn == i && !own);
            new->insns[new->insn_count] = *barrier;
            new->insns[new->insn_count++].line = old->insns[i < n ? i : n - 1].line;
        }
        if (i < n)
            new->insns[new->insn_count++] = old->insns[i];
    }
    return new;
}

IrFunction *flow_stop_before_reuse(Flow *flow)
{
    Reuse r = {.flow = flow, .reads = ARENA_ARRAY(flow->arena, const IrOperand *, MOST_READS)};
    const IrInsn *barrier = NULL;
    for (int32_t i = 0; i < flow->function->insn_count; ++i)
        if (flow_is_plain_barrier(&flow->function->insns[i]))
            barrier = &flow->function->insns[i];
    if (!barrier || !flow->group.apart)
        return NULL;
    r.alone = flow_set_new(flow->arena, flow->block_count);
    for (int32_t b = 0; b < flow->block_count; ++b) {
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i) {
            const IrOperand *address = shared_address(&flow->insns[i].insn);
            if (address && ir_op_info[flow->insns[i].insn.op].effects == FX_READ &&
                r.count < MOST_READS)
                r.reads[r.count++] = address;
        }
        for (int32_t x = 0; flow->group.apart[b] && x < flow->block_count; ++x)
            if (flow_bit(flow->group.apart[b], x))
                flow_set(r.alone, x);
    }
    r.words = (r.count + 31) / 32;
    r.at_end = ARENA_ARRAY(flow->arena, uint32_t, r.words * (size_t)flow->block_count + 1);
    r.before = flow_set_new(flow->arena, flow->insn_count + 1);
    r.behind = flow_set_new(flow->arena, flow->block_count + 1);
    r.accepted = flow_set_new(flow->arena, flow->insn_count + 1);
    int32_t stops = 0;
    while (stops < MOST_STOPS && r.count && find_stop(&r))
        ++stops;
    return stops ? with_stops(&r, barrier, stops) : NULL;
}
