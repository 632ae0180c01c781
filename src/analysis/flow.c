/* SPDX-License-Identifier: Apache-2.0
 *
 * Basic blocks in execution order, loops and dominators. The other steps (SSA, shapes, scheduling)
 * have their own files; flow_new at the end lists them. */
#include "analysis/internal.h"

#include <stdlib.h>

/* ---- operand roles ---- */

typedef struct {
    uint8_t dest; /* bit k: operand k is written */
    bool ready;
} Roles;

static Roles roles[OP_COUNT];

static void decode_roles(void)
{
    static bool ready;
    if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
        return;
    for (int op = 0; op < OP_COUNT; ++op) {
        const char *p = ir_op_info[op].operands;
        uint8_t dest = 0;
        for (int k = 0; *p; ++k) {
            while (*p == ' ')
                ++p;
            if (*p == '?')
                ++p;
            if (*p == 'd' || *p == 'D' || *p == '|' || *p == 'R')
                dest |= (uint8_t)(1u << k);
            while (*p && *p != ' ')
                ++p;
        }
        roles[op].dest = dest;
    }
    __atomic_store_n(&ready, true, __ATOMIC_RELEASE);
}

bool flow_is_dest(const IrInsn *insn, int operand)
{
    decode_roles();
    return roles[insn->op].dest >> operand & 1;
}

static void visit_operand(IrOperand *o, bool dest, FlowVisit *visit, void *data, int *index)
{
    switch (o->kind) {
    case OPND_reg:
        visit(data, &o->reg, dest, dest ? (*index)++ : 0);
        break;
    case OPND_addr:
        if (o->base_kind == OPND_reg)
            visit(data, &o->reg, false, 0);
        break;
    case OPND_sink:
        if (dest)
            (*index)++;
        break;
    case OPND_vector:
    case OPND_list:
    case OPND_tex:
        for (int i = 0; i < o->count; ++i)
            visit_operand(&o->items[i], dest, visit, data, index);
        break;
    default:
        if (o->kind == OPND_none && dest)
            (*index)++;
        break;
    }
}

void flow_visit_registers(IrInsn *insn, FlowVisit *visit, void *data)
{
    int index = 0, none = 0;
    /* uses first, so that an SSA renamer sees the old names */
    for (int k = 0; k < insn->operand_count; ++k)
        if (!flow_is_dest(insn, k))
            visit_operand(&insn->operands[k], false, visit, data, &none);
    if (insn->guard >= 0)
        visit(data, &insn->guard, false, 0);
    for (int k = 0; k < insn->operand_count; ++k)
        if (flow_is_dest(insn, k))
            visit_operand(&insn->operands[k], true, visit, data, &index);
}

/* ---- blocks in text order ---- */

typedef struct {
    Flow *flow;
    FlowBlock *blocks; /* text order, exit last */
    int32_t count;
    int32_t *block_at; /* instruction -> block that starts there, or -1 */
    int32_t *order;    /* position -> text block */
    int32_t ordered;
    VEC(FlowLoop) loops;
    int32_t *loop_of;
} Builder;

static bool is_branch(const IrInsn *insn)
{
    return insn->op == OP_bra || insn->op == OP_brx || insn->op == OP_ret || insn->op == OP_exit;
}

bool flow_suspends(const Flow *flow, const IrInsn *insn)
{
    uint32_t fx = ir_op_info[insn->op].effects;
    return (fx & FX_BAR) || (flow->config.lanes && (fx & FX_WARP) && insn->op != OP_activemask);
}

/* Guarded instructions that cannot be done with a select become a branch around them. */
static bool needs_branch(const Flow *flow, const IrInsn *insn)
{
    uint32_t fx = ir_op_info[insn->op].effects;
    return insn->guard >= 0 && (!is_branch(insn) || insn->op == OP_brx) &&
           ((fx & (FX_BAR | FX_CALL)) || insn->op == OP_brx || insn->op == OP_trap ||
            insn->op == OP_nanosleep || flow_suspends(flow, insn));
}

static void set_succ(Arena *arena, FlowBlock *b, int32_t count, const int32_t *succ)
{
    b->succ_count = count;
    b->succ = ARENA_ARRAY(arena, int32_t, count ? count : 1);
    for (int32_t i = 0; i < count; ++i)
        b->succ[i] = succ[i];
}

static bool split_blocks(Builder *w, Diags *diags)
{
    Flow *flow = w->flow;
    IrFunction *f = flow->function;
    int32_t n = f->insn_count;
    bool *starts = ARENA_ARRAY(flow->arena, bool, n + 1);
    starts[0] = true;
    for (int32_t i = 0; i < f->label_count; ++i)
        if (f->labels[i].insn <= n)
            starts[f->labels[i].insn] = true;
    for (int32_t i = 0; i < n; ++i) {
        const IrInsn *insn = &f->insns[i];
        if (is_branch(insn))
            starts[i + 1] = true;
        if (flow_suspends(flow, insn))
            starts[i + 1] = true;
        if (needs_branch(flow, insn))
            starts[i] = starts[i + 1] = true;
    }
    w->block_at = ARENA_ARRAY(flow->arena, int32_t, n + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < n; ++i)
        w->block_at[i] = starts[i] ? count++ : -1;
    /* A guarded instruction that needs a branch: an empty block in front decides. */
    int32_t extra = 0;
    for (int32_t i = 0; i < n; ++i)
        extra += needs_branch(flow, &f->insns[i]);
    int32_t exit_block = count + extra;
    w->block_at[n] = exit_block;
    w->count = exit_block + 1;
    w->blocks = ARENA_ARRAY(flow->arena, FlowBlock, w->count);
    for (int32_t i = 0, b = -1; i < n; ++i) {
        if (starts[i])
            w->blocks[++b].begin = i;
        w->blocks[b].end = i + 1;
    }
    for (int32_t b = 0; b < w->count; ++b)
        w->blocks[b].cond = -1;
    FlowBlock *exit = &w->blocks[exit_block];
    exit->begin = exit->end = n;
    exit->term = TERM_EXIT;
    set_succ(flow->arena, exit, 0, NULL);
    int32_t next_extra = count;
    int32_t *moved = ARENA_ARRAY(flow->arena, int32_t, count); /* block -> its deciding block */
    for (int32_t b = 0; b < count; ++b)
        moved[b] = b;
    for (int32_t b = 0; b < count; ++b)
        if (needs_branch(flow, &f->insns[w->blocks[b].begin]))
            moved[b] = next_extra++;
#define TARGET(at) (w->block_at[at] == exit_block ? exit_block : moved[w->block_at[at]])
    for (int32_t b = 0; b < count; ++b) {
        FlowBlock *block = &w->blocks[b];
        IrInsn *last = &f->insns[block->end - 1];
        int32_t fall = TARGET(block->end);
        if (moved[b] != b) {
            FlowBlock *decide = &w->blocks[moved[b]];
            decide->begin = decide->end = block->begin;
            decide->term = TERM_BRANCH;
            decide->cond = last->guard;
            decide->cond_negated = last->guard_negated;
            set_succ(flow->arena, decide, 2, (int32_t[]){b, fall});
        }
        block->suspends = flow_suspends(flow, last);
        if (last->op == OP_bra || last->op == OP_ret || last->op == OP_exit) {
            int32_t target = exit_block;
            if (last->op == OP_bra) {
                int32_t at = f->labels[last->operands[0].label].insn;
                target = TARGET(at);
            }
            if (last->guard >= 0 && target != fall) {
                block->term = TERM_BRANCH;
                block->cond = last->guard;
                block->cond_negated = last->guard_negated;
                set_succ(flow->arena, block, 2, (int32_t[]){target, fall});
            } else {
                set_succ(flow->arena, block, 1, &target);
            }
            block->end--;
        } else if (last->op == OP_brx) {
            const IrTable *table = &f->tables[last->operands[1].label];
            const IrOperand *index = &last->operands[0];
            if (index->kind == OPND_imm &&
                table->label_count) { /* like the last one, when beyond */
                uint64_t most = (uint64_t)table->label_count - 1;
                int32_t label = table->labels[index->bits < most ? index->bits : most];
                int32_t target = TARGET(f->labels[label].insn);
                set_succ(flow->arena, block, 1, &target);
            } else if (index->kind == OPND_reg && table->label_count) {
                block->term = TERM_SWITCH;
                block->succ_count = table->label_count;
                block->succ = ARENA_ARRAY(flow->arena, int32_t, table->label_count);
                for (int32_t k = 0; k < table->label_count; ++k)
                    block->succ[k] = TARGET(f->labels[table->labels[k]].insn);
                block->cond = index->reg;
            } else {
                diag_add(diags, DIAG_ERROR, flow->module->name, last->line, 0,
                         "brx.idx needs a register or a constant, and a table with labels");
                return false;
            }
            block->end--;
        } else {
            set_succ(flow->arena, block, 1, &fall);
        }
    }
#undef TARGET
    return true;
}

/* ---- execution order: strongly connected components, recursively ---- */

typedef struct {
    Builder *w;
    const uint8_t *member; /* blocks of the current subgraph */
    const uint32_t *cut;   /* blocks whose incoming edges are ignored (headers already placed) */
    int32_t *index, *low, *stack, *component;
    int32_t depth, next, components;
    bool *on_stack;
} Tarjan;

static void tarjan_visit(Tarjan *t, int32_t root)
{
    /* iterative: a frame per block */
    typedef struct {
        int32_t block, edge;
    } Frame;
    VEC(Frame) frames = {0};
    Frame first = {root, 0};
    VEC_PUSH(frames, first);
    t->index[root] = t->low[root] = ++t->next;
    t->stack[t->depth++] = root;
    t->on_stack[root] = true;
    while (frames.count) {
        Frame *f = &frames.items[frames.count - 1];
        FlowBlock *b = &t->w->blocks[f->block];
        if (f->edge < b->succ_count) {
            int32_t s = b->succ[b->succ_count - 1 - f->edge++];
            if (!t->member[s] || flow_bit(t->cut, s))
                continue;
            if (!t->index[s]) {
                t->index[s] = t->low[s] = ++t->next;
                t->stack[t->depth++] = s;
                t->on_stack[s] = true;
                Frame more = {s, 0};
                VEC_PUSH(frames, more);
            } else if (t->on_stack[s] && t->index[s] < t->low[f->block]) {
                t->low[f->block] = t->index[s];
            }
            continue;
        }
        int32_t x = f->block;
        frames.count--;
        if (frames.count) {
            int32_t parent = frames.items[frames.count - 1].block;
            if (t->low[x] < t->low[parent])
                t->low[parent] = t->low[x];
        }
        if (t->low[x] == t->index[x]) {
            int32_t y;
            do {
                y = t->stack[--t->depth];
                t->on_stack[y] = false;
                t->component[y] = t->components;
            } while (y != x);
            t->components++;
        }
    }
    VEC_FREE(frames);
}

static void place(Builder *w, const uint8_t *member, const uint32_t *cut, int32_t entry,
                  int32_t loop)
{
    int32_t n = w->count;
    Tarjan t = {.w = w, .member = member, .cut = cut};
    t.index = xcalloc((size_t)n, sizeof(int32_t));
    t.low = xcalloc((size_t)n, sizeof(int32_t));
    t.stack = xcalloc((size_t)n, sizeof(int32_t));
    t.component = xcalloc((size_t)n, sizeof(int32_t));
    t.on_stack = xcalloc((size_t)n, sizeof(bool));
    /* Roots last are placed first: visit the entry last of all so that it comes first. */
    for (int32_t b = n - 1; b >= 0; --b)
        if (member[b] && b != entry && !t.index[b] && flow_bit(cut, b))
            tarjan_visit(&t, b);
    if (!t.index[entry])
        tarjan_visit(&t, entry);
    /* components are numbered in reverse topological order */
    for (int32_t c = t.components - 1; c >= 0; --c) {
        int32_t size = 0, head = -1, heads = 0;
        bool self = false;
        for (int32_t b = 0; b < n; ++b) {
            if (!t.index[b] || t.component[b] != c)
                continue;
            size++;
            if (head < 0)
                head = b;
        }
        if (size == 1) {
            const FlowBlock *b = &w->blocks[head];
            for (int32_t k = 0; k < b->succ_count; ++k)
                self |= b->succ[k] == head && !flow_bit(cut, head);
        }
        if (size == 1 && !self) {
            w->order[w->ordered++] = head;
            w->loop_of[head] = loop;
            continue;
        }
        /* a loop: its heads are the blocks entered from outside */
        uint8_t *inside = xcalloc((size_t)n, 1);
        for (int32_t b = 0; b < n; ++b)
            inside[b] = t.index[b] && t.component[b] == c;
        uint8_t *is_head = xcalloc((size_t)n, 1);
        for (int32_t b = 0; b < n; ++b) {
            for (int32_t k = 0; k < w->blocks[b].succ_count; ++k) {
                int32_t s = w->blocks[b].succ[k];
                if (!inside[b] && inside[s] && w->loop_of[b] != -2 && !is_head[s]) {
                    is_head[s] = 1;
                    heads++;
                }
            }
        }
        if (inside[0] && !is_head[0]) {
            is_head[0] = 1;
            heads++;
        }
        for (int32_t b = 0; b < n; ++b)
            if (is_head[b]) {
                head = b;
                break;
            }
        FlowLoop new_loop = {.parent = loop,
                             .depth = loop < 0 ? 1 : w->loops.items[loop].depth + 1,
                             .first = w->ordered,
                             .header = head,
                             .irreducible = heads > 1};
        int32_t id = (int32_t)w->loops.count;
        VEC_PUSH(w->loops, new_loop);
        uint32_t *inner_cut = xcalloc((size_t)(n + 31) / 32 + 1, sizeof(uint32_t));
        memcpy(inner_cut, cut, ((size_t)(n + 31) / 32 + 1) * sizeof(uint32_t));
        inner_cut[head >> 5] |= 1u << (head & 31);
        place(w, inside, inner_cut, head, id);
        w->loops.items[id].last = w->ordered - 1;
        free(inner_cut);
        free(inside);
        free(is_head);
    }
    free(t.index);
    free(t.low);
    free(t.stack);
    free(t.component);
    free(t.on_stack);
}

/* ---- dominators ---- */

static int32_t intersect(const int32_t *idom, const int32_t *rank, int32_t a, int32_t b)
{
    while (a != b) {
        while (rank[a] > rank[b])
            a = idom[a];
        while (rank[b] > rank[a])
            b = idom[b];
    }
    return a;
}

static void find_dominators(Flow *flow)
{
    int32_t n = flow->block_count;
    int32_t *idom = ARENA_ARRAY(flow->arena, int32_t, n),
            *rank = ARENA_ARRAY(flow->arena, int32_t, n);
    for (int32_t i = 0; i < n; ++i)
        idom[i] = -1, rank[i] = i;
    idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 1; i < n; ++i) {
            int32_t best = -1;
            for (int32_t k = 0; k < flow->blocks[i].pred_count; ++k) {
                int32_t p = flow->blocks[i].pred[k];
                if (idom[p] < 0)
                    continue;
                best = best < 0 ? p : intersect(idom, rank, p, best);
            }
            if (best >= 0 && idom[i] != best)
                idom[i] = best, changed = true;
        }
    }
    for (int32_t i = 0; i < n; ++i)
        flow->blocks[i].idom = i ? idom[i] : -1;
    /* A block comes behind its dominators. Places in the tree: sizes first, from below; a block nobody
     * reaches is a tree of its own. */
    int32_t *size = ARENA_ARRAY(flow->arena, int32_t, n),
            *next = ARENA_ARRAY(flow->arena, int32_t, n);
    for (int32_t i = n - 1; i >= 0; --i) {
        ++size[i];
        if (flow->blocks[i].idom >= 0)
            size[flow->blocks[i].idom] += size[i];
    }
    for (int32_t i = 0, root = 0; i < n; ++i) {
        FlowBlock *b = &flow->blocks[i];
        int32_t *from = b->idom >= 0 ? &next[b->idom] : &root;
        b->place = *from;
        b->behind = *from += size[i];
        next[i] = b->place + 1;
    }
}

static void find_postdominators(Flow *flow)
{
    int32_t n = flow->block_count, exit = n - 1;
    int32_t *idom = ARENA_ARRAY(flow->arena, int32_t, n),
            *rank = ARENA_ARRAY(flow->arena, int32_t, n);
    /* Blocks of endless loops reach no exit: give them an edge to it. */
    bool *reaches = ARENA_ARRAY(flow->arena, bool, n), *pseudo = ARENA_ARRAY(flow->arena, bool, n);
    reaches[exit] = true;
    for (;;) {
        for (bool changed = true; changed;) {
            changed = false;
            for (int32_t i = n - 1; i >= 0; --i)
                for (int32_t k = 0; !reaches[i] && k < flow->blocks[i].succ_count; ++k)
                    if (reaches[flow->blocks[i].succ[k]])
                        reaches[i] = changed = true;
        }
        int32_t lost = -1;
        for (int32_t i = 0; i < n; ++i)
            if (!reaches[i])
                lost = i;
        if (lost < 0)
            break;
        reaches[lost] = pseudo[lost] = true;
    }
    /* reverse post-order of the reverse graph */
    int32_t *post = ARENA_ARRAY(flow->arena, int32_t, n), count = 0;
    bool *seen = ARENA_ARRAY(flow->arena, bool, n);
    typedef struct {
        int32_t block, edge;
    } Frame;
    VEC(Frame) frames = {0};
    Frame first = {exit, 0};
    VEC_PUSH(frames, first);
    seen[exit] = true;
    while (frames.count) {
        Frame *f = &frames.items[frames.count - 1];
        const FlowBlock *b = &flow->blocks[f->block];
        int32_t next = -1, total = b->pred_count + (f->block == exit ? n : 0);
        while (f->edge < total && next < 0) {
            int32_t e = f->edge++;
            int32_t p = e < b->pred_count ? b->pred[e] : e - b->pred_count;
            if (e >= b->pred_count && !pseudo[p])
                continue;
            if (!seen[p])
                next = p;
        }
        if (next >= 0) {
            seen[next] = true;
            Frame more = {next, 0};
            VEC_PUSH(frames, more);
        } else {
            post[count++] = f->block;
            frames.count--;
        }
    }
    VEC_FREE(frames);
    for (int32_t i = 0; i < n; ++i)
        idom[i] = -1, rank[i] = n;
    for (int32_t i = 0; i < count; ++i)
        rank[post[count - 1 - i]] = i;
    idom[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = count - 2; i >= 0; --i) {
            int32_t x = post[i], best = -1;
            for (int32_t k = 0; k < flow->blocks[x].succ_count + pseudo[x]; ++k) {
                int32_t s = k < flow->blocks[x].succ_count ? flow->blocks[x].succ[k] : exit;
                if (idom[s] < 0)
                    continue;
                best = best < 0 ? s : intersect(idom, rank, s, best);
            }
            if (best >= 0 && idom[x] != best)
                idom[x] = best, changed = true;
        }
    }
    for (int32_t i = 0; i < n; ++i)
        flow->blocks[i].ipdom = i == exit ? -1 : idom[i];
}

bool flow_dominates(const Flow *flow, int32_t a, int32_t b)
{
    return flow->blocks[a].place <= flow->blocks[b].place &&
           flow->blocks[b].place < flow->blocks[a].behind;
}

bool flow_postdominates(const Flow *flow, int32_t a, int32_t b)
{
    for (int32_t steps = 0; b >= 0 && steps <= flow->block_count; ++steps) {
        if (a == b)
            return true;
        b = flow->blocks[b].ipdom;
    }
    return false;
}

bool flow_in_loop(const Flow *flow, int32_t block, int32_t loop)
{
    for (int32_t l = flow->blocks[block].loop; l >= 0; l = flow->loops[l].parent)
        if (l == loop)
            return true;
    return false;
}

bool flow_build_blocks(Flow *flow, Diags *diags)
{
    Builder w = {.flow = flow};
    if (!split_blocks(&w, diags))
        return false;
    int32_t n = w.count;
    w.order = ARENA_ARRAY(flow->arena, int32_t, n);
    w.loop_of = ARENA_ARRAY(flow->arena, int32_t, n);
    uint8_t *member = ARENA_ARRAY(flow->arena, uint8_t, n);
    /* only what the entry reaches; unreachable blocks are marked -2 and dropped */
    int32_t *stack = ARENA_ARRAY(flow->arena, int32_t, n), depth = 0;
    member[0] = 1;
    stack[depth++] = 0;
    while (depth) {
        const FlowBlock *b = &w.blocks[stack[--depth]];
        for (int32_t k = 0; k < b->succ_count; ++k)
            if (!member[b->succ[k]]) {
                member[b->succ[k]] = 1;
                stack[depth++] = b->succ[k];
            }
    }
    for (int32_t b = 0; b < n; ++b)
        w.loop_of[b] = member[b] ? -1 : -2;
    member[n - 1] = 0; /* placed last, by hand */
    uint32_t *cut = flow_set_new(flow->arena, n);
    place(&w, member, cut, 0, -1);
    w.order[w.ordered++] = n - 1;
    w.loop_of[n - 1] = -1;
    int32_t *position = ARENA_ARRAY(flow->arena, int32_t, n);
    for (int32_t b = 0; b < n; ++b)
        position[b] = -1;
    for (int32_t i = 0; i < w.ordered; ++i)
        position[w.order[i]] = i;
    flow->block_count = w.ordered;
    flow->blocks = ARENA_ARRAY(flow->arena, FlowBlock, w.ordered);
    for (int32_t i = 0; i < w.ordered; ++i) {
        FlowBlock *b = &flow->blocks[i];
        *b = w.blocks[w.order[i]];
        b->loop = w.loop_of[w.order[i]];
        b->equal = -1;
        for (int32_t k = 0; k < b->succ_count; ++k)
            b->succ[k] = position[b->succ[k]];
    }
    for (int32_t i = 0; i < flow->block_count; ++i)
        for (int32_t k = 0; k < flow->blocks[i].succ_count; ++k)
            flow->blocks[flow->blocks[i].succ[k]].pred_count++;
    for (int32_t i = 0; i < flow->block_count; ++i) {
        flow->blocks[i].pred = ARENA_ARRAY(flow->arena, int32_t, flow->blocks[i].pred_count + 1);
        flow->blocks[i].pred_count = 0;
    }
    for (int32_t i = 0; i < flow->block_count; ++i)
        for (int32_t k = 0; k < flow->blocks[i].succ_count; ++k) {
            FlowBlock *s = &flow->blocks[flow->blocks[i].succ[k]];
            bool again = false; /* a switch may name a target twice: one predecessor entry */
            for (int32_t q = 0; q < s->pred_count; ++q)
                again |= s->pred[q] == i;
            if (!again)
                s->pred[s->pred_count++] = i;
        }
    flow->loop_count = (int32_t)w.loops.count;
    flow->loops = ARENA_ARRAY(flow->arena, FlowLoop, flow->loop_count + 1);
    for (int32_t i = 0; i < flow->loop_count; ++i) {
        flow->loops[i] = w.loops.items[i];
        flow->loops[i].header = position[flow->loops[i].header];
    }
    VEC_FREE(w.loops);
    find_dominators(flow);
    find_postdominators(flow);
    for (int32_t i = 0; i < flow->block_count; ++i)
        flow->has_suspend |= flow->blocks[i].suspends;
    return true;
}

Flow *flow_new(Arena *arena, const IrModule *module, IrFunction *function, const FlowConfig *config,
               Diags *diags)
{
    Flow *flow = ARENA_NEW(arena, Flow);
    flow->arena = arena;
    flow->module = module;
    flow->function = function;
    flow->config = *config;
    Stride zero = {STRIDE_CONST, 0, 0, 0};
    VEC_PUSH(flow->strides, zero);
    Extension none = {-1, 0, false};
    VEC_PUSH(flow->extensions, none);
    if (!flow_build_blocks(flow, diags)) {
        flow_free(flow);
        return NULL;
    }
    flow_build_ssa(flow);
    flow_find_spins(flow);
    flow_find_shapes(flow);
    flow_schedule(flow);
    flow_find_alignment(flow);
    flow_find_steps(flow);
    flow_liveness(flow);
    return flow;
}

void flow_free(Flow *flow)
{
    if (!flow)
        return;
    VEC_FREE(flow->values);
    VEC_FREE(flow->strides);
    VEC_FREE(flow->extensions);
}

/* ---- for a look inside (gpukit-jit --dump=flow) ---- */

void flow_print(const Flow *flow, FILE *out)
{
    static const char *const kinds[] = {"?", "uniform", "linear", "varying"};
    fprintf(out, "warps together: %u\n", flow->group.warps);
    for (int32_t b = 0; b < flow->block_count; ++b) {
        const FlowBlock *block = &flow->blocks[b];
        fprintf(out, "block %d: insns %d..%d idom %d ipdom %d loop %d%s%s%s%s%s equal %d ->", b,
                block->begin, block->end, block->idom, block->ipdom, block->loop,
                block->divergent ? " divergent" : "", block->join ? " join" : "",
                block->scheduled ? " scheduled" : "", block->full ? " full" : "",
                block->suspends ? " suspends" : "", block->equal);
        for (int32_t k = 0; k < block->succ_count; ++k)
            fprintf(out, " %d", block->succ[k]);
        fputc('\n', out);
    }
    for (size_t i = 0; i < flow->values.count; ++i) {
        const FlowValue *v = &flow->values.items[i];
        fprintf(out, "value %zu: %s block %d %s w %d s1 %d s2 %d ext %d\n", i,
                flow->function->regs[v->reg].name, v->block, kinds[v->shape.kind], v->shape.width,
                v->shape.s1, v->shape.s2, v->shape.ext);
    }
}
