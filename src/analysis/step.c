/* SPDX-License-Identifier: Apache-2.0
 *
 * How far the addresses of loads move with each turn of the loop they are in, as a stride
 * expression over values from before the loop. Found for addresses that are sums and products of
 * such values and of counters that grow by the same each turn; kept where the distance is not known
 * to be short, so that the compiled code can ask for the data some turns before it is needed. Short
 * distances are what processors foresee themselves. A step is a forecast: no result hangs on it. */
#include "analysis/internal.h"

enum { NONE = -1, DEEPEST = 24, LONG_STEP = 2048 };

typedef struct {
    Flow *flow;
    int32_t loop;
} Steps;

static bool from_before(const Steps *s, int32_t value)
{
    const FlowValue *v = &s->flow->values.items[value];
    return v->block < 0 || !flow_in_loop(s->flow, v->block, s->loop);
}

/* The operand as a factor or summand: the same in all lanes and all turns. */
static int32_t constant_operand(const Steps *s, const IrOperand *o)
{
    if (o->kind == OPND_imm)
        return flow_stride_const(s->flow, (int64_t)o->bits);
    if (o->kind != OPND_reg || !from_before(s, o->reg) || s->flow->values.items[o->reg].block < 0 ||
        s->flow->values.items[o->reg].shape.kind != SHAPE_UNIFORM)
        return NONE;
    return flow_stride_value(s->flow, o->reg);
}

static int32_t sum(const Steps *s, int32_t a, int32_t b)
{
    return a == NONE || b == NONE ? NONE : flow_stride_add(s->flow, a, b);
}

static int32_t product(const Steps *s, int32_t a, int32_t b)
{
    return a == NONE || b == NONE ? NONE : flow_stride_mul(s->flow, a, b);
}

/* a * b where one is constant and what the other one moves by is known */
static int32_t moved_product(const Steps *s, const IrOperand *x, int32_t a, const IrOperand *y,
                             int32_t b, bool wide)
{
    if (a == 0 && b == 0)
        return 0;
    int32_t moves = a ? a : b, factor = a ? b : a;
    if (factor != 0 || moves == NONE)
        return NONE;
    return product(s, wide ? flow_stride_sext(s->flow, moves) : moves,
                   constant_operand(s, a ? y : x));
}

static int32_t value_step(const Steps *s, int32_t value, int32_t counter, int depth);

static int32_t operand_step(const Steps *s, const IrOperand *o, int32_t counter, int depth)
{
    return o->kind == OPND_reg ? value_step(s, o->reg, counter, depth) : 0;
}

static int32_t counter_step(const Steps *s, int32_t value, int depth)
{
    const FlowValue *v = &s->flow->values.items[value];
    const FlowBlock *block = &s->flow->blocks[v->block];
    int32_t step = NONE;
    for (int32_t k = 0; k < block->pred_count; ++k) {
        if (!flow_in_loop(s->flow, block->pred[k], s->loop))
            continue;
        int32_t now = value_step(s, block->phis[v->phi].in[k], value, depth);
        if (now == NONE || (step != NONE && step != now))
            return NONE;
        step = now;
    }
    return step;
}

/* counter: NONE, or the phi whose growth is asked for: then only sums with constants count, and the
 * answer is the value's distance from it. */
static int32_t value_step(const Steps *s, int32_t value, int32_t counter, int depth)
{
    if (value == counter || depth > DEEPEST)
        return value == counter ? 0 : NONE;
    if (from_before(s, value))
        return counter == NONE ? 0 : NONE;
    const FlowValue *v = &s->flow->values.items[value];
    if (s->flow->blocks[v->block].loop != s->loop)
        return NONE;
    ++depth;
    if (v->phi >= 0)
        return counter == NONE && v->block == s->flow->loops[s->loop].header
                   ? counter_step(s, value, depth)
                   : NONE;
    const IrInsn *insn = &s->flow->insns[v->insn].insn;
    const IrOperand *o = insn->operands;
    if (insn->guard >= 0 || o[0].kind != OPND_reg)
        return NONE;
    bool wide = insn->mod[MC_MUL] == MOD_wide, sums = insn->op == OP_add_i || insn->op == OP_sub_i;
    if (insn->op == OP_mov || insn->op == OP_cvta)
        return o[1].kind == OPND_reg ? value_step(s, o[1].reg, counter, depth) : NONE;
    if (!sums && insn->op != OP_mul_i && insn->op != OP_mad_i && insn->op != OP_shl &&
        insn->op != OP_cvt)
        return NONE;
    if (insn->mod[MC_SAT] || insn->mod[MC_CC] || insn->mod[MC_MUL] == MOD_hi)
        return NONE;
    if (counter != NONE) { /* counter + constants */
        for (int k = 1; k < 3 && sums; ++k) {
            int32_t by = constant_operand(s, &o[3 - k]);
            if (o[k].kind != OPND_reg || by == NONE || (insn->op == OP_sub_i && k == 2))
                continue;
            if (insn->op == OP_sub_i)
                by = flow_stride_mul(s->flow, flow_stride_const(s->flow, -1), by);
            return sum(s, value_step(s, o[k].reg, counter, depth), by);
        }
        return NONE;
    }
    int32_t a = operand_step(s, &o[1], NONE, depth), b;
    if (insn->op == OP_cvt)
        return a == NONE ? NONE : flow_stride_sext(s->flow, a);
    b = operand_step(s, &o[2], NONE, depth);
    if (insn->op == OP_shl)
        return o[2].kind == OPND_imm && o[2].bits < 64
                   ? product(s, a, flow_stride_const(s->flow, (int64_t)(1ull << o[2].bits)))
                   : NONE;
    if (insn->op == OP_sub_i)
        b = product(s, b, flow_stride_const(s->flow, -1));
    if (sums)
        return sum(s, a, b);
    int32_t p = moved_product(s, &o[1], a, &o[2], b, wide);
    return insn->op == OP_mul_i ? p : sum(s, p, operand_step(s, &o[3], NONE, depth));
}

void flow_find_steps(Flow *flow)
{
    for (int32_t b = 0; b < flow->block_count; ++b) {
        Steps s = {flow, flow->blocks[b].loop};
        if (s.loop < 0 || flow->loops[s.loop].irreducible || flow->config.lanes)
            continue;
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i) {
            IrInsn *insn = &flow->insns[i].insn;
            unsigned space = ir_space(insn);
            const IrOperand *o = &insn->operands[1];
            if (insn->op != OP_ld || (space && space != MOD_global) || o->kind != OPND_addr ||
                o->base_kind != OPND_reg || flow->values.items[o->reg].shape.kind == SHAPE_VARYING)
                continue;
            int32_t step = value_step(&s, o->reg, NONE, 0);
            int64_t number;
            bool is_short = step != NONE && flow_stride_constant(flow, step, &number) &&
                            number < LONG_STEP && number > -LONG_STEP;
            flow->insns[i].step = step == NONE || is_short ? 0 : step;
        }
    }
}
