/* SPDX-License-Identifier: Apache-2.0
 *
 * Which registers are live before each instruction of a function's text, before there are blocks
 * and SSA form (ssa.c has the liveness of those). For the inliner, which saves registers around
 * calls. */
#include "analysis/internal.h"

typedef struct {
    const int32_t *number; /* register -> bit, -1: of no interest */
    uint32_t *live;
} Visit;

static void kill(void *data, int32_t *reg, bool definition, int index)
{
    const Visit *v = data;
    (void)index;
    int32_t bit = *reg < 0 || !definition ? -1 : v->number[*reg];
    if (bit >= 0)
        v->live[bit >> 5] &= ~(1u << (bit & 31));
}

static void use(void *data, int32_t *reg, bool definition, int index)
{
    const Visit *v = data;
    (void)index;
    int32_t bit = *reg < 0 || definition ? -1 : v->number[*reg];
    if (bit >= 0)
        flow_set(v->live, bit);
}

typedef struct {
    const RegisterText *text;
    uint32_t **before;
    uint32_t words;
} Liveness;

/* What is live at a label; one outside the text is a call, which comes back behind the jump. */
static void add_label(const Liveness *l, uint32_t *out, int32_t label, int32_t behind)
{
    int32_t at = l->text->labels[label].insn;
    if (at < l->text->first || at > l->text->last)
        at = behind;
    for (uint32_t w = 0; w < l->words; ++w)
        out[w] |= l->before[at - l->text->first][w];
}

static void live_after(const Liveness *l, const IrInsn *insn, int32_t i, uint32_t *out)
{
    memset(out, 0, l->words * sizeof *out);
    if (insn->op == OP_bra)
        add_label(l, out, insn->operands[0].label, i + 1);
    if (insn->op == OP_brx) {
        const IrTable *table = &l->text->tables[insn->operands[1].label];
        for (int32_t k = 0; k < table->label_count; ++k)
            add_label(l, out, table->labels[k], i + 1);
    }
    bool leaves =
        insn->op == OP_bra || insn->op == OP_brx || insn->op == OP_ret || insn->op == OP_exit;
    if (!leaves || insn->guard >= 0)
        for (uint32_t w = 0; w < l->words; ++w)
            out[w] |= l->before[i + 1 - l->text->first][w];
}

uint32_t **flow_text_liveness(Arena *arena, const RegisterText *text)
{
    int32_t count = text->last - text->first;
    Liveness l = {text, ARENA_ARRAY(arena, uint32_t *, count + 1),
                  (uint32_t)(text->bits + 31) / 32 + 1};
    for (int32_t i = 0; i <= count; ++i)
        l.before[i] = flow_set_new(arena, text->bits);
    uint32_t *now = flow_set_new(arena, text->bits);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = text->last - 1; i >= text->first; --i) {
            IrInsn *insn = &text->insns[i];
            Visit v = {text->number, now};
            live_after(&l, insn, i, now);
            if (insn->guard < 0)
                flow_visit_registers(insn, kill, &v);
            flow_visit_registers(insn, use, &v);
            if (memcmp(now, l.before[i - text->first], l.words * sizeof *now) != 0) {
                memcpy(l.before[i - text->first], now, l.words * sizeof *now);
                changed = true;
            }
        }
    }
    return l.before;
}
