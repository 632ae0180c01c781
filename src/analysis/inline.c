/* SPDX-License-Identifier: Apache-2.0
 *
 * Inlining and call parameters, see inline.h. Two steps: copy the kernel's instructions, putting
 * callees in place of calls; then turn the .param variables that are left into registers. */
#include "analysis/inline.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INSNS = 400000 };

typedef struct Frame {
    const struct Frame *caller;
    IrFunction *function;
    int32_t reg_base, label_base;
    IrSymbol **from, **to; /* callee parameters and the caller's .param variables they stand for */
    uint32_t count;
    int32_t end_label; /* where `ret` goes; -1 in the kernel */
} Frame;

typedef struct {
    Arena *arena;
    IrModule *module;
    IrKernelLayout *layout;
    Diags *diags;
    IrFunction *kernel;
    VEC(IrInsn) insns;
    VEC(IrReg) regs;
    VEC(IrLabel) labels;
    VEC(IrTable) tables;
    bool failed;
} Inliner;

static int32_t new_label(Inliner *w)
{
    IrLabel label = {arena_printf(w->arena, "$inline%zu", w->labels.count), -1};
    VEC_PUSH(w->labels, label);
    return (int32_t)w->labels.count - 1;
}

static int32_t new_reg(Inliner *w, IrType type)
{
    IrReg reg = {arena_printf(w->arena, "%%inline%zu", w->regs.count), (uint8_t)type};
    VEC_PUSH(w->regs, reg);
    return (int32_t)w->regs.count - 1;
}

static IrSymbol *map_symbol(const Frame *frame, IrSymbol *symbol)
{
    for (uint32_t i = 0; i < frame->count; ++i)
        if (frame->from[i] == symbol)
            return frame->to[i];
    return symbol;
}

static void copy_operand(Inliner *w, const Frame *f, IrOperand *o)
{
    if (o->kind == OPND_reg || (o->kind == OPND_addr && o->base_kind == OPND_reg))
        o->reg += f->reg_base;
    if (o->kind == OPND_label)
        o->label += f->label_base;
    if (o->symbol)
        o->symbol = map_symbol(f, o->symbol);
    if (!o->items)
        return;
    IrOperand *items = ARENA_ARRAY(w->arena, IrOperand, o->count);
    memcpy(items, o->items, sizeof(IrOperand) * o->count);
    o->items = items;
    for (int i = 0; i < o->count; ++i)
        copy_operand(w, f, &items[i]);
}

static IrInsn blank(const IrInsn *like, IrOp op)
{
    IrInsn insn = {.op = (uint16_t)op, .guard = -1, .line = like->line, .loc_line = like->loc_line, .loc_file = like->loc_file};
    return insn;
}

static void add_jump(Inliner *w, const IrInsn *like, int32_t label, int32_t guard, bool negated)
{
    IrInsn jump = blank(like, OP_bra);
    jump.guard = guard;
    jump.guard_negated = negated;
    jump.operand_count = 1;
    jump.operands[0] = (IrOperand){.kind = OPND_label, .label = label, .reg = -1};
    VEC_PUSH(w->insns, jump);
}

static void add_move(Inliner *w, const IrInsn *like, IrType type, int32_t to, IrOperand from)
{
    IrInsn move = blank(like, OP_mov);
    move.types[0] = (uint8_t)type;
    move.type_count = 1;
    move.operand_count = 2;
    move.operands[0] = (IrOperand){.kind = OPND_reg, .reg = to, .label = -1};
    move.operands[1] = from;
    VEC_PUSH(w->insns, move);
}

static bool on_stack(const Frame *frame, const IrFunction *function)
{
    for (; frame; frame = frame->caller)
        if (frame->function == function)
            return true;
    return false;
}

static bool can_inline(const IrOperand *f, const Frame *frame)
{
    return f->kind == OPND_func && f->symbol && f->symbol->function && !f->symbol->function->is_extern &&
           !on_stack(frame, f->symbol->function);
}

static const IrFunction *definition(const Inliner *w, const IrSymbol *symbol)
{
    IrFunction *f = symbol->function;
    if (f && f->is_extern) {
        IrFunction *real = ir_find_function(w->module, symbol->name);
        if (real)
            return real;
    }
    return f;
}

static void expand(Inliner *w, const Frame *frame);

static void expand_call(Inliner *w, const Frame *frame, const IrInsn *call)
{
    IrFunction *callee = (IrFunction *)definition(w, call->operands[1].symbol);
    const IrOperand *results = &call->operands[0], *args = &call->operands[2];
    int32_t after = new_label(w);
    if (call->guard >= 0)
        add_jump(w, call, after, call->guard, !call->guard_negated);
    uint32_t n = callee->param_count + callee->result_count;
    Frame inner = {.caller = frame, .function = callee, .end_label = after};
    inner.reg_base = (int32_t)w->regs.count;
    inner.label_base = (int32_t)w->labels.count;
    inner.from = ARENA_ARRAY(w->arena, IrSymbol *, n + 1);
    inner.to = ARENA_ARRAY(w->arena, IrSymbol *, n + 1);
    if ((args->kind == OPND_list ? args->count : 0) < callee->param_count ||
        (results->kind == OPND_list ? results->count : 0) < callee->result_count) {
        diag_add(w->diags, DIAG_ERROR, w->module->name, call->line, 0, "call of %s with too few parameters", callee->name);
        w->failed = true;
        return;
    }
    for (int32_t r = 0; r < callee->reg_count; ++r)
        VEC_PUSH(w->regs, callee->regs[r]);
    for (int32_t l = 0; l < callee->label_count; ++l)
        VEC_PUSH(w->labels, callee->labels[l]);
    for (uint32_t k = 0; k < callee->param_count; ++k) {
        const IrOperand *arg = &args->items[k];
        bool by_register = callee->param_regs && callee->param_regs[k] >= 0;
        if (by_register) {
            add_move(w, call, (IrType)callee->regs[callee->param_regs[k]].type, inner.reg_base + callee->param_regs[k], *arg);
        } else if (arg->kind == OPND_symbol) {
            inner.from[inner.count] = callee->params[k];
            inner.to[inner.count++] = arg->symbol;
        } else { /* a register or constant for a .param parameter: store it first */
            IrSymbol *variable = ARENA_NEW(w->arena, IrSymbol);
            *variable = *callee->params[k];
            variable->kind = SYM_VARIABLE;
            IrInsn store = blank(call, OP_st);
            store.mod[MC_SPACE] = MOD_param;
            store.types[0] = callee->params[k]->type;
            store.type_count = 1;
            store.operand_count = 2;
            store.operands[0] = (IrOperand){.kind = OPND_addr, .base_kind = OPND_symbol, .symbol = variable, .reg = -1, .label = -1};
            store.operands[1] = *arg;
            VEC_PUSH(w->insns, store);
            inner.from[inner.count] = callee->params[k];
            inner.to[inner.count++] = variable;
        }
    }
    for (uint32_t k = 0; k < callee->result_count; ++k) {
        const IrOperand *result = &results->items[k];
        if (callee->result_regs && callee->result_regs[k] >= 0)
            continue;
        if (result->kind == OPND_symbol) {
            inner.from[inner.count] = callee->results[k];
            inner.to[inner.count++] = result->symbol;
        }
    }
    expand(w, &inner);
    for (uint32_t k = 0; k < callee->result_count; ++k)
        if (callee->result_regs && callee->result_regs[k] >= 0 && results->items[k].kind == OPND_reg) {
            int32_t from = inner.reg_base + callee->result_regs[k];
            w->labels.items[after].insn = (int32_t)w->insns.count; /* ret arrives here */
            add_move(w, call, (IrType)callee->regs[callee->result_regs[k]].type, results->items[k].reg,
                     (IrOperand){.kind = OPND_reg, .reg = from, .label = -1});
        }
    if (w->labels.items[after].insn < 0)
        w->labels.items[after].insn = (int32_t)w->insns.count;
}

static void expand(Inliner *w, const Frame *frame)
{
    IrFunction *f = frame->function;
    int32_t table_base = (int32_t)w->tables.count;
    for (int32_t t = 0; t < f->table_count; ++t) {
        IrTable table = f->tables[t];
        if (table.labels) {
            int32_t *labels = ARENA_ARRAY(w->arena, int32_t, table.label_count);
            for (int32_t k = 0; k < table.label_count; ++k)
                labels[k] = table.labels[k] + frame->label_base;
            table.labels = labels;
        }
        VEC_PUSH(w->tables, table);
    }
    /* labels of this function: where their instruction goes is known once we get there */
    int32_t *starts = ARENA_ARRAY(w->arena, int32_t, f->insn_count + 1);
    for (int32_t i = 0; i < f->insn_count && !w->failed; ++i) {
        starts[i] = (int32_t)w->insns.count;
        IrInsn insn = f->insns[i];
        if (insn.guard >= 0)
            insn.guard += frame->reg_base;
        for (int k = 0; k < insn.operand_count; ++k)
            copy_operand(w, frame, &insn.operands[k]);
        if (insn.op == OP_brx)
            insn.operands[1].label = f->insns[i].operands[1].label + table_base;
        if (insn.op == OP_call && can_inline(&insn.operands[1], frame)) {
            expand_call(w, frame, &insn);
            continue;
        }
        if (insn.op == OP_ret && frame->end_label >= 0) {
            add_jump(w, &insn, frame->end_label, insn.guard, insn.guard_negated);
            continue;
        }
        VEC_PUSH(w->insns, insn);
        if (w->insns.count > MAX_INSNS) {
            diag_add(w->diags, DIAG_ERROR, w->module->name, f->line, 0,
                     "kernel %s grows beyond %d instructions when its calls are inlined", w->kernel->name, MAX_INSNS);
            w->failed = true;
        }
    }
    starts[f->insn_count] = (int32_t)w->insns.count;
    for (int32_t l = 0; l < f->label_count; ++l)
        w->labels.items[frame->label_base + l].insn = starts[f->labels[l].insn];
}

/* ---- call parameters ---- */

typedef struct {
    IrSymbol *symbol;
    bool in_memory;
    struct {
        int64_t offset;
        uint32_t bytes;
        int32_t reg;
    } part[64];
    int parts;
} Param;

typedef VEC(Param *) Params;

static bool is_entry_param(const Inliner *w, const IrSymbol *symbol)
{
    for (uint32_t k = 0; k < w->kernel->param_count; ++k)
        if (w->kernel->params[k] == symbol)
            return true;
    return false;
}

static Param *find_param(Inliner *w, Params *params, IrSymbol *symbol)
{
    if (!symbol || symbol->kind == SYM_FUNCTION || symbol->space != MOD_param || is_entry_param(w, symbol))
        return NULL;
    for (size_t i = 0; i < params->count; ++i)
        if (params->items[i]->symbol == symbol)
            return params->items[i];
    Param *p = ARENA_NEW(w->arena, Param);
    p->symbol = symbol;
    VEC_PUSH(*params, p);
    return p;
}

static IrType bits_of(uint32_t bytes)
{
    return bytes == 1 ? TY_b8 : bytes == 2 ? TY_b16 : bytes == 4 ? TY_b32 : bytes == 8 ? TY_b64 : TY_b128;
}

/* The register for bytes [offset, offset + bytes) of a parameter, or -1 when accesses disagree. */
static int32_t part_register(Inliner *w, Param *p, int64_t offset, uint32_t bytes)
{
    for (int i = 0; i < p->parts; ++i) {
        if (p->part[i].offset == offset && p->part[i].bytes == bytes)
            return p->part[i].reg;
        if (p->part[i].offset < offset + bytes && offset < p->part[i].offset + p->part[i].bytes)
            p->in_memory = true;
    }
    if (p->parts == 64 || p->in_memory) {
        p->in_memory = true;
        return -1;
    }
    int32_t reg = new_reg(w, bits_of(bytes < 2 ? 2 : bytes));
    p->part[p->parts].offset = offset;
    p->part[p->parts].bytes = bytes;
    p->part[p->parts++].reg = reg;
    return reg;
}

static bool param_access(const IrInsn *insn)
{
    unsigned s = ir_space(insn);
    return (insn->op == OP_ld || insn->op == OP_st) && s == MOD_param;
}

static void scan_operand(Inliner *w, Params *params, const IrOperand *o)
{
    if (o->kind == OPND_symbol || o->kind == OPND_addr) {
        Param *p = find_param(w, params, o->symbol);
        if (p)
            p->in_memory = true; /* its address is taken */
    }
    for (int i = 0; o->items && i < o->count; ++i)
        scan_operand(w, params, &o->items[i]);
}

static void scan(Inliner *w, Params *params)
{
    for (size_t i = 0; i < w->insns.count; ++i) {
        IrInsn *insn = &w->insns.items[i];
        if (param_access(insn)) {
            int a = insn->op == OP_ld ? 1 : 0;
            const IrOperand *o = &insn->operands[a], *v = &insn->operands[1 - a];
            Param *p = o->base_kind == OPND_symbol ? find_param(w, params, o->symbol) : NULL;
            uint32_t bytes = ir_type_bits((IrType)insn->types[0]) / 8;
            int n = v->kind == OPND_vector ? v->count : 1;
            for (int k = 0; p && k < n; ++k)
                part_register(w, p, o->offset + k * (int64_t)bytes, bytes);
            continue;
        }
        if (insn->op == OP_call) { /* a call that stays: arguments by value */
            for (int k = 0; k < 4; k += 2)
                for (int q = 0; insn->operands[k].kind == OPND_list && q < insn->operands[k].count; ++q) {
                    Param *p = find_param(w, params, insn->operands[k].items[q].symbol);
                    if (p)
                        part_register(w, p, 0, (uint32_t)(p->symbol->size ? p->symbol->size : 8));
                }
            continue;
        }
        for (int k = 0; k < insn->operand_count; ++k)
            scan_operand(w, params, &insn->operands[k]);
    }
}

static void place_in_memory(Inliner *w, Params *params)
{
    for (size_t i = 0; i < params->count; ++i) {
        Param *p = params->items[i];
        if (!p->in_memory)
            continue;
        uint32_t align = p->symbol->align ? p->symbol->align : 16;
        w->layout->local_bytes = (w->layout->local_bytes + align - 1) / align * align;
        p->symbol->space = MOD_local;
        p->symbol->kind = SYM_VARIABLE;
        p->symbol->offset = w->layout->local_bytes;
        w->layout->local_bytes += (uint32_t)p->symbol->size;
    }
}

static void rewrite(Inliner *w, Params *params)
{
    VEC(IrInsn) out = {0};
    int32_t *starts = ARENA_ARRAY(w->arena, int32_t, w->insns.count + 1);
    size_t count = w->insns.count;
    for (size_t i = 0; i < count; ++i) {
        IrInsn insn = w->insns.items[i];
        starts[i] = (int32_t)out.count;
        if (param_access(&insn)) {
            int a = insn.op == OP_ld ? 1 : 0;
            IrOperand *o = &insn.operands[a], *v = &insn.operands[1 - a];
            Param *p = NULL;
            for (size_t k = 0; o->base_kind == OPND_symbol && k < params->count; ++k)
                if (params->items[k]->symbol == o->symbol)
                    p = params->items[k];
            if (p && p->in_memory) {
                insn.mod[MC_SPACE] = MOD_local;
            } else if (p) {
                uint32_t bytes = ir_type_bits((IrType)insn.types[0]) / 8;
                int n = v->kind == OPND_vector ? v->count : 1;
                for (int k = 0; k < n; ++k) {
                    IrOperand *x = v->kind == OPND_vector ? &v->items[k] : v;
                    int32_t reg = part_register(w, p, o->offset + k * (int64_t)bytes, bytes);
                    IrOperand r = {.kind = OPND_reg, .reg = reg, .label = -1};
                    IrInsn move = blank(&insn, bytes < 2 ? OP_cvt : OP_mov);
                    move.guard = insn.guard;
                    move.guard_negated = insn.guard_negated;
                    IrType type = (IrType)insn.types[0];
                    if (bytes < 2) { /* bytes live in 16-bit registers */
                        bool sign = ir_type_info[type].class == TC_SIGNED;
                        move.types[0] = insn.op == OP_ld ? (sign ? TY_s8 : TY_u8) : TY_u8;
                        move.types[1] = insn.op == OP_ld ? (sign ? TY_s8 : TY_u8) : TY_u8;
                        move.type_count = 2;
                    } else {
                        move.types[0] = (uint8_t)(ir_type_info[type].class == TC_FLOAT ? bits_of(bytes) : type);
                        move.type_count = 1;
                    }
                    move.operand_count = 2;
                    move.operands[0] = insn.op == OP_ld ? *x : r;
                    move.operands[1] = insn.op == OP_ld ? r : *x;
                    VEC_PUSH(out, move);
                }
                continue;
            } else if (o->base_kind == OPND_reg) {
                /* through a pointer to a parameter: entry parameters only; others are local now */
                bool local = false;
                for (size_t k = 0; k < params->count; ++k)
                    local |= params->items[k]->in_memory;
                if (local && insn.op == OP_st)
                    insn.mod[MC_SPACE] = MOD_local;
            }
        } else if (insn.op == OP_call) {
            for (int k = 0; k < 4; k += 2)
                for (int q = 0; insn.operands[k].kind == OPND_list && q < insn.operands[k].count; ++q) {
                    IrOperand *x = &insn.operands[k].items[q];
                    for (size_t z = 0; z < params->count; ++z)
                        if (x->symbol && params->items[z]->symbol == x->symbol && params->items[z]->parts) {
                            int32_t reg = params->items[z]->part[0].reg;
                            *x = (IrOperand){.kind = OPND_reg, .reg = reg, .label = -1};
                        }
                }
        }
        VEC_PUSH(out, insn);
    }
    starts[count] = (int32_t)out.count;
    for (size_t l = 0; l < w->labels.count; ++l)
        if (w->labels.items[l].insn >= 0)
            w->labels.items[l].insn = starts[w->labels.items[l].insn];
    free(w->insns.items);
    w->insns.items = out.items;
    w->insns.count = out.count;
    w->insns.room = out.room;
}

IrFunction *inline_calls(Arena *arena, IrModule *module, IrFunction *kernel, IrKernelLayout *layout, Diags *diags)
{
    Inliner w = {.arena = arena, .module = module, .layout = layout, .diags = diags, .kernel = kernel};
    for (int32_t r = 0; r < kernel->reg_count; ++r)
        VEC_PUSH(w.regs, kernel->regs[r]);
    for (int32_t l = 0; l < kernel->label_count; ++l)
        VEC_PUSH(w.labels, kernel->labels[l]);
    Frame top = {.function = kernel, .end_label = -1};
    expand(&w, &top);
    Params params = {0};
    if (!w.failed) {
        scan(&w, &params);
        place_in_memory(&w, &params);
        rewrite(&w, &params);
    }
    VEC_FREE(params);
    IrFunction *flat = NULL;
    if (!w.failed) {
        flat = ARENA_NEW(arena, IrFunction);
        *flat = *kernel;
        flat->insn_count = (int32_t)w.insns.count;
        flat->insns = ARENA_ARRAY(arena, IrInsn, w.insns.count + 1);
        memcpy(flat->insns, w.insns.items, sizeof(IrInsn) * w.insns.count);
        flat->reg_count = (int32_t)w.regs.count;
        flat->regs = ARENA_ARRAY(arena, IrReg, w.regs.count + 1);
        memcpy(flat->regs, w.regs.items, sizeof(IrReg) * w.regs.count);
        flat->label_count = (int32_t)w.labels.count;
        flat->labels = ARENA_ARRAY(arena, IrLabel, w.labels.count + 1);
        memcpy(flat->labels, w.labels.items, sizeof(IrLabel) * w.labels.count);
        flat->table_count = (int32_t)w.tables.count;
        flat->tables = ARENA_ARRAY(arena, IrTable, w.tables.count + 1);
        if (w.tables.count)
            memcpy(flat->tables, w.tables.items, sizeof(IrTable) * w.tables.count);
    }
    VEC_FREE(w.insns);
    VEC_FREE(w.regs);
    VEC_FREE(w.labels);
    VEC_FREE(w.tables);
    return flat;
}
