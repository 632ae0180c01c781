/* SPDX-License-Identifier: Apache-2.0
 *
 * Which warps of a block can run as one group, in step: what they have in common is then computed
 * and loaded once, their chains of operations overlap, and a barrier that the whole block reaches
 * together costs nothing. Finds the values that are the same in every warp, and for branches that
 * may take warps different ways the blocks that each warp then walks alone, up to where all meet.
 *
 * Any order of warps between barriers is one that a GPU may take; kernels in which a warp could
 * wait for another, whose output shows the order, or that are long, are left alone. */
#include "analysis/internal.h"

/* Instructions times warps that are worth compiling. */
enum {
    GROUP_COST = 2400,
    WHOLE_COST = 4800,
    STRAIGHT_COST = 1280,
    STRAIGHT_WARPS = 8,
    PART_WARPS = 8, /* where others of the block are left */
    APPROXIMATE_COST = 24
};

typedef struct {
    Flow *flow;
    FlowGroup *group;
    uint32_t *apart_any; /* blocks that warps may walk alone, and those where they meet */
    bool changed, same;
} Grouping;

static bool same_in_all_warps(const Flow *flow, const IrOperand *o)
{
    const uint32_t *n = flow->config.ntid;
    switch (o->sreg) {
    case SREG_tid: /* warps are whole rows, or a row is a warp */
        return o->component == 0
                   ? n[0] && n[0] <= GROUP_LANES && GROUP_LANES % n[0] == 0 && n[1] * n[2] > 1
               : o->component == 1 ? n[1] == 1
                                   : n[2] == 1;
    case SREG_ntid:
    case SREG_ctaid:
    case SREG_nctaid:
    case SREG_laneid:
    case SREG_nwarpid:
    case SREG_smid:
    case SREG_nsmid:
    case SREG_gridid:
    case SREG_lanemask_eq:
    case SREG_lanemask_lt:
    case SREG_lanemask_le:
    case SREG_lanemask_ge:
    case SREG_lanemask_gt:
    case SREG_dynamic_smem_size:
    case SREG_total_smem_size:
    case SREG_aggr_smem_size:
    case SREG_warpsize:
        return true;
    default:
        return false;
    }
}

static bool operand_same(const Grouping *g, const IrOperand *o)
{
    switch (o->kind) {
    case OPND_reg:
        return flow_bit(g->group->shared, o->reg);
    case OPND_sreg:
        return same_in_all_warps(g->flow, o);
    case OPND_symbol:
        return o->symbol->space != MOD_local;
    case OPND_addr:
        return o->base_kind == OPND_reg      ? flow_bit(g->group->shared, o->reg)
               : o->base_kind == OPND_symbol ? o->symbol->space != MOD_local
                                             : true;
    case OPND_vector:
    case OPND_list:
        for (int i = 0; i < o->count; ++i)
            if (!operand_same(g, &o->items[i]))
                return false;
        return true;
    case OPND_imm:
    case OPND_sink:
    case OPND_none:
        return true;
    default:
        return false;
    }
}

static bool is_plain_load(const IrInsn *insn)
{
    unsigned sem = insn->mod[MC_SEM];
    return (insn->op == OP_ld || insn->op == OP_ldu) && (!sem || sem == MOD_weak) &&
           insn->mod[MC_CACHE] != MOD_cv;
}

/* written: memory was written before it in its block */
static bool insn_same(const Grouping *g, const FlowInsn *f, int32_t block, bool written)
{
    const IrInsn *insn = &f->insn;
    uint32_t fx = ir_op_info[insn->op].effects;
    unsigned space = ir_space(insn);
    if (space == MOD_local || insn->mod[MC_CC] || insn->op == OP_addc || insn->op == OP_subc ||
        insn->op == OP_madc)
        return false;
    if (fx == FX_READ && is_plain_load(insn)) {
        bool constant = space == MOD_param || space == MOD_const;
        if (!constant && (written || flow_bit(g->apart_any, block)))
            return false;
    } else if (fx) {
        return false;
    }
    if (insn->guard >= 0 && !flow_bit(g->group->shared, insn->guard))
        return false;
    for (int k = 0; k < 8; ++k)
        if (insn->guard >= 0 && f->old[k] >= 0 && !flow_bit(g->group->shared, f->old[k]))
            return false;
    for (int k = 0; k < insn->operand_count; ++k)
        if (!flow_is_dest(insn, k) && !operand_same(g, &insn->operands[k]))
            return false;
    return true;
}

static void clear_definition(void *data, int32_t *reg, bool definition, int index)
{
    Grouping *g = data;
    (void)index;
    if (definition && *reg >= 0 && flow_bit(g->group->shared, *reg)) {
        flow_clear(g->group->shared, *reg);
        g->changed = true;
    }
}

/* Warps may take different ways at the end of b: all that lies before its postdominator. */
static void walk_apart(Grouping *g, int32_t b)
{
    Flow *flow = g->flow;
    uint32_t *region = flow_set_new(flow->arena, flow->block_count);
    int32_t *stack = ARENA_ARRAY(flow->arena, int32_t, flow->block_count + 1), depth = 0,
            meet = flow->blocks[b].ipdom;
    stack[depth++] = b;
    while (depth) {
        const FlowBlock *x = &flow->blocks[stack[--depth]];
        for (int32_t k = 0; k < x->succ_count; ++k)
            if (x->succ[k] != meet && !flow_bit(region, x->succ[k])) {
                flow_set(region, x->succ[k]);
                flow_set(g->apart_any, x->succ[k]);
                stack[depth++] = x->succ[k];
            }
    }
    flow_set(g->apart_any, meet);
    g->group->apart[b] = region;
    g->changed = true;
}

static void find_shared(Grouping *g)
{
    Flow *flow = g->flow;
    for (size_t v = 0; v < flow->values.count; ++v)
        flow_set(g->group->shared, (int32_t)v);
    do {
        g->changed = false;
        for (int32_t b = 0; b < flow->block_count; ++b) {
            FlowBlock *block = &flow->blocks[b];
            for (int32_t p = 0; p < block->phi_count; ++p) {
                bool same = !flow_bit(g->apart_any, b);
                for (int32_t q = 0; q < block->pred_count; ++q)
                    same = same && flow_bit(g->group->shared, block->phis[p].in[q]);
                if (!same)
                    clear_definition(g, &block->phis[p].value, true, 0);
            }
            bool written = false;
            for (int32_t i = block->begin; i < block->end; ++i) {
                FlowInsn *f = &flow->insns[i];
                bool same = insn_same(g, f, b, written);
                if (!same)
                    flow_visit_registers(&f->insn, clear_definition, g);
                if (same && !(ir_op_info[f->insn.op].effects & ~(uint32_t)FX_READ))
                    flow_set(g->group->once, i);
                else
                    flow_clear(g->group->once, i);
                written |= ir_op_info[f->insn.op].effects & (FX_WRITE | FX_ATOMIC | FX_FENCE);
            }
            if (block->succ_count < 2 || g->group->apart[b])
                continue;
            if (block->divergent || flow->values.items[block->cond].shape.kind != SHAPE_UNIFORM ||
                !flow_bit(g->group->shared, block->cond))
                walk_apart(g, b);
        }
    } while (g->changed);
}

static bool shows_order(const IrInsn *insn)
{
    for (int k = 0; k < insn->operand_count; ++k) {
        const IrOperand *o = &insn->operands[k];
        if (o->kind == OPND_sreg &&
            (o->sreg == SREG_clock || o->sreg == SREG_clock64 || o->sreg == SREG_clock_hi ||
             o->sreg == SREG_globaltimer || o->sreg == SREG_globaltimer_lo ||
             o->sreg == SREG_globaltimer_hi))
            return true;
    }
    return false;
}

bool flow_is_plain_barrier(const IrInsn *insn)
{
    return (insn->op == OP_bar || insn->op == OP_barrier) && insn->mod[MC_BARKIND] != MOD_arrive &&
           insn->guard < 0 && insn->operands[0].kind == OPND_imm &&
           (insn->operand_count < 2 || insn->operands[1].kind == OPND_none);
}

/* Nothing in the kernel speaks against groups. */
static bool suits(const Flow *flow)
{
    if (flow->config.lanes || flow->has_spin || flow->blocks[0].scheduled)
        return false;
    for (int32_t l = 0; l < flow->loop_count; ++l)
        if (flow->loops[l].irreducible)
            return false;
    for (int32_t b = 0; b < flow->block_count; ++b) {
        if (flow->blocks[b].succ_count > 1 && flow->blocks[b].ipdom < 0)
            return false;
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i) {
            const IrInsn *insn = &flow->insns[i].insn;
            uint32_t fx = ir_op_info[insn->op].effects;
            bool harmless = insn->op == OP_bar_warp || insn->op == OP_activemask ||
                            (fx & FX_FENCE) || insn->op == OP_cp_async_commit ||
                            insn->op == OP_cp_async_wait || insn->op == OP_cp_async_wait_all;
            if ((fx & FX_BAR) ? !flow_is_plain_barrier(insn)
                              : (fx & (FX_CALL | FX_SIDE)) && !harmless)
                return false;
            if (shows_order(insn) || (fx & FX_MATRIX)) /* a fragment has one place */
                return false;
        }
    }
    return true;
}

static bool is_approximate(const IrInsn *insn)
{
    switch (insn->op) {
    case OP_rcp:
    case OP_sqrt:
    case OP_rsqrt:
    case OP_sin:
    case OP_cos:
    case OP_lg2:
    case OP_ex2:
    case OP_tanh:
    case OP_div_f:
        return true;
    default:
        return false;
    }
}

static uint32_t block_cost(const Grouping *g, int32_t b, uint32_t warps)
{
    uint32_t cost = 0;
    for (int32_t i = g->flow->blocks[b].begin; i < g->flow->blocks[b].end; ++i)
        cost += (is_approximate(&g->flow->insns[i].insn) ? APPROXIMATE_COST : 1) *
                (flow_bit(g->group->once, i) ? 1 : warps);
    return cost;
}

static uint32_t group_cost(const Grouping *g, uint32_t warps)
{
    uint32_t cost = 0;
    for (int32_t b = 0; b < g->flow->block_count; ++b) {
        cost += block_cost(g, b, warps);
        for (int32_t x = 0; g->group->apart[b] && x < g->flow->block_count; ++x)
            if (flow_bit(g->group->apart[b], x))
                cost += block_cost(g, x, 1) * warps;
    }
    return cost;
}

/* Vectors that are alive all through some loop. */
static uint32_t loop_vectors(const Flow *flow)
{
    uint32_t most = 1;
    for (int32_t b = 0; b < flow->block_count; ++b) {
        if (flow->blocks[b].loop < 0)
            continue;
        uint32_t n = 0;
        for (size_t v = 0; v < flow->values.count; ++v)
            n += flow_bit(flow->blocks[b].live_out, (int32_t)v) &&
                 flow->values.items[v].shape.kind == SHAPE_VARYING &&
                 flow->values.items[v].type != TY_pred;
        most = n > most ? n : most;
    }
    return most;
}

uint32_t flow_group(Flow *flow, uint32_t most, uint32_t vectors)
{
    const uint32_t *n = flow->config.ntid;
    uint64_t threads = (uint64_t)n[0] * n[1] * n[2];
    flow->group = (FlowGroup){1, NULL, NULL, NULL};
    bool whole_warps = threads && threads % GROUP_LANES == 0;
    if ((threads && threads <= GROUP_LANES) || (!whole_warps && !flow->has_suspend) || !suits(flow))
        return 1;
    uint32_t warps = (uint32_t)(threads / GROUP_LANES);
    Grouping g = {.flow = flow, .group = &flow->group};
    flow->group.shared = flow_set_new(flow->arena, (int32_t)flow->values.count + 1);
    flow->group.once = flow_set_new(flow->arena, flow->insn_count + 1);
    flow->group.apart = ARENA_ARRAY(flow->arena, uint32_t *, flow->block_count + 1);
    g.apart_any = flow_set_new(flow->arena, flow->block_count + 1);
    find_shared(&g);
    for (int32_t b = 0; b < flow->block_count; ++b)
        for (int32_t x = 0; flow->group.apart[b] && x < flow->block_count; ++x)
            if (flow_bit(flow->group.apart[b], x) && flow->blocks[x].suspends)
                return 1; /* a barrier that not all warps need reach */
    if (!whole_warps)
        return 1; /* reuse.c asks all the same which blocks warps walk alone */
    bool straight = !flow->loop_count && !flow->has_suspend; /* little to gain */
    most = straight && most > STRAIGHT_WARPS ? STRAIGHT_WARPS : most;
    uint32_t fits = vectors / loop_vectors(flow);
    for (uint32_t count = warps < most ? warps : most; count > 1; --count) {
        bool whole =
            flow->has_suspend && count == warps; /* no barrier is left: worth spills and code */
        uint32_t limit = whole ? 2 * fits : fits < PART_WARPS ? fits : PART_WARPS;
        if (warps % count == 0 && count <= limit &&
            group_cost(&g, count) <= (straight ? STRAIGHT_COST
                                      : whole  ? WHOLE_COST
                                               : GROUP_COST)) {
            flow->group.warps = count;
            return count;
        }
    }
    return 1;
}
