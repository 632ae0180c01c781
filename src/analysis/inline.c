/* SPDX-License-Identifier: Apache-2.0
 *
 * Inlining and call parameters, see inline.h. Two steps: copy the kernel's instructions, putting
 * callees in place of calls; then turn the .param variables that are left into registers.
 *
 * A recursive function stands in the kernel once, as an instance. A call of it is a jump: arguments
 * go to a frame on a stack in local memory, the caller's registers are saved in the caller's own
 * frame, and `ret` is a brx.idx over all places that call it. Everything stays one flow graph, so
 * divergence and barriers inside such functions need nothing special. An indirect call is a chain of
 * comparisons with the functions whose address is taken and whose parameters fit.
 *
 * A frame: the return index, parameters, results, .local variables, saved registers.
 *
 * What alloca takes lies in a room of its own, whose first free byte a register holds; a call sets
 * that register back behind itself. */
#include "analysis/inline.h"

#include "analysis/internal.h"

#include "launch/abi.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_INSNS = 400000,
    INLINE_INSNS = 40000, /* beyond this, functions are no longer copied to each call */
    STACK_BYTES = 64 << 10,
    STACK_SKEW = 64, /* neighbouring lanes' stacks do not fall on the same cache sets */
};

typedef struct {
    const IrSymbol *symbol;
    int64_t offset;
} StackSlot;

typedef struct {
    int32_t insn;                 /* the addition of the frame size, patched when that is known */
    int32_t jump;                 /* the jump to `leave` */
    int32_t leave, resume, after; /* labels: save and jump; restore; go on behind the call */
    int32_t top;                  /* register: the new stack pointer */
    int32_t index;                /* return index */
    struct Instance *callee;
    bool saves;
    IrInsn like;
} StackCall;

typedef VEC(StackCall) StackCalls;

/* A function body that is called by jumps. */
typedef struct Instance {
    IrFunction *function;
    int32_t entry, epilogue, table;
    int32_t first; /* instruction */
    VEC(StackSlot) slots;
    int64_t frame;        /* bytes so far */
    VEC(int32_t) saved;   /* registers of the body */
    VEC(int32_t) returns; /* labels behind its calls */
    StackCalls calls;     /* those made by the body */
} Instance;

typedef struct Frame {
    Instance *instance; /* the body that this is part of, NULL in the kernel */
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
    VEC(Instance *) instances;
    StackCalls calls;        /* made by the kernel itself */
    VEC(IrFunction *) taken; /* functions whose address is taken */
    uint8_t *in_cycle;       /* per function of the module: 0 unknown, 1 no, 2 yes */
    int32_t stack;           /* register, -1: no stack */
    uint32_t stack_base;
    int64_t largest_frame;
    int32_t room; /* register: where the next alloca begins; -1: the module has none */
    uint32_t room_end;
    VEC(int32_t)
    limits; /* tests for a full stack: instructions, patched when all frames are known */
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
    IrInsn insn = {.op = (uint16_t)op,
                   .guard = -1,
                   .line = like->line,
                   .loc_line = like->loc_line,
                   .loc_file = like->loc_file};
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

/* The engine's own: the toolkit's device runtime library may define them, on system calls. */
static bool is_device_runtime(const IrOperand *f)
{
    return f->kind == OPND_func && f->symbol &&
           (strcmp(f->symbol->name, "__cudaCDP2GetParameterBufferV2") == 0 ||
            strcmp(f->symbol->name, "__cudaCDP2LaunchDeviceV2") == 0);
}

static bool can_inline(const IrOperand *f)
{
    return !is_device_runtime(f) && f->kind == OPND_func && f->symbol && f->symbol->function &&
           !f->symbol->function->is_extern;
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

/* ---- recursion and indirect calls ---- */

static IrOperand reg_operand(int32_t reg)
{
    return (IrOperand){.kind = OPND_reg, .reg = reg, .label = -1};
}

static IrOperand stack_address(int32_t reg, int64_t offset)
{
    return (IrOperand){
        .kind = OPND_addr, .base_kind = OPND_reg, .reg = reg, .label = -1, .offset = offset};
}

static IrOperand number(int64_t n)
{
    return (IrOperand){.kind = OPND_imm, .reg = -1, .label = -1, .bits = (uint64_t)n};
}

static void add_insn(Inliner *w, const IrInsn *like, IrOp op, IrType type, int count,
                     const IrOperand *operands)
{
    IrInsn insn = blank(like, op);
    insn.types[0] = (uint8_t)type;
    insn.type_count = type != TY_none;
    insn.operand_count = (uint8_t)count;
    for (int k = 0; k < count; ++k)
        insn.operands[k] = operands[k];
    VEC_PUSH(w->insns, insn);
}

static void add_access(Inliner *w, const IrInsn *like, bool load, unsigned space, IrType type,
                       int32_t reg, IrOperand at)
{
    IrOperand r = reg_operand(reg), x[2] = {load ? r : at, load ? at : r};
    add_insn(w, like, load ? OP_ld : OP_st, type, 2, x);
    w->insns.items[w->insns.count - 1].mod[MC_SPACE] = (uint16_t)space;
}

static void set_label(Inliner *w, int32_t label)
{
    w->labels.items[label].insn = (int32_t)w->insns.count;
}

static void find_taken(Inliner *w, const IrOperand *o)
{
    if (o->symbol && o->kind != OPND_func && o->symbol->kind == SYM_FUNCTION &&
        o->symbol->function && !o->symbol->function->is_extern) {
        bool known = false;
        for (size_t i = 0; i < w->taken.count; ++i)
            known |= w->taken.items[i] == o->symbol->function;
        if (!known)
            VEC_PUSH(w->taken, o->symbol->function);
    }
    for (int i = 0; o->items && i < o->count; ++i)
        find_taken(w, &o->items[i]);
}

static void find_all_taken(Inliner *w)
{
    const IrModule *m = w->module;
    for (uint32_t i = 0; i < m->function_count; ++i)
        for (int32_t k = 0; k < m->functions[i]->insn_count; ++k)
            for (int o = 0; o < m->functions[i]->insns[k].operand_count; ++o)
                find_taken(w, &m->functions[i]->insns[k].operands[o]);
    uint32_t count;
    IrSymbol **variables;
    count = ir_layout_variables(w->module, &variables);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < variables[i]->reloc_count; ++k) {
            IrOperand o = {.kind = OPND_symbol, .symbol = variables[i]->relocs[k].symbol};
            find_taken(w, &o);
        }
}

/* Can a call of `from` lead to a call of `to`? */
static bool reaches(Inliner *w, const IrFunction *from, const IrFunction *to)
{
    const IrModule *m = w->module;
    uint8_t *seen = ARENA_ARRAY(w->arena, uint8_t, m->function_count + 1);
    VEC(const IrFunction *) open = {0};
    VEC_PUSH(open, from);
    bool found = false;
    while (open.count && !found) {
        const IrFunction *f = open.items[--open.count];
        for (int32_t i = 0; i < f->insn_count && !found; ++i) {
            const IrInsn *insn = &f->insns[i];
            if (insn->op != OP_call)
                continue;
            size_t n = insn->operands[1].kind == OPND_reg ? w->taken.count : 1;
            for (size_t k = 0; k < n; ++k) {
                const IrFunction *g = insn->operands[1].kind == OPND_reg ? w->taken.items[k]
                                      : insn->operands[1].symbol
                                          ? definition(w, insn->operands[1].symbol)
                                          : NULL;
                uint32_t number_of = g ? ir_function_number(m, g) : 0;
                if (!number_of || seen[number_of - 1])
                    continue;
                seen[number_of - 1] = 1;
                found |= g == to;
                VEC_PUSH(open, g);
            }
        }
    }
    VEC_FREE(open);
    return found;
}

static bool is_recursive(Inliner *w, const IrFunction *f)
{
    uint32_t n = ir_function_number(w->module, f);
    if (!n)
        return false;
    if (!w->in_cycle)
        w->in_cycle = ARENA_ARRAY(w->arena, uint8_t, w->module->function_count + 1);
    if (!w->in_cycle[n - 1])
        w->in_cycle[n - 1] = reaches(w, f, f) ? 2 : 1;
    return w->in_cycle[n - 1] == 2;
}

static int64_t slot_of(Instance *instance, const IrSymbol *symbol)
{
    for (size_t i = 0; i < instance->slots.count; ++i)
        if (instance->slots.items[i].symbol == symbol)
            return instance->slots.items[i].offset;
    uint32_t align = symbol->align > 16 ? symbol->align : 16;
    instance->frame = (instance->frame + align - 1) / align * align;
    StackSlot slot = {symbol, instance->frame};
    VEC_PUSH(instance->slots, slot);
    instance->frame += symbol->size ? (int64_t)symbol->size : 16;
    return slot.offset;
}

/* Room for a stack in local memory: where it begins. */
static uint32_t stack_room(Inliner *w)
{
    if (!w->layout->stack_bytes)
        w->layout->stack_bytes = STACK_BYTES;
    w->layout->stack_used = true;
    uint32_t base = (w->layout->local_bytes + 63) & ~63u;
    w->layout->local_bytes = base + w->layout->stack_bytes + STACK_SKEW;
    return base;
}

static Instance *instance_of(Inliner *w, IrFunction *function)
{
    for (size_t i = 0; i < w->instances.count; ++i)
        if (w->instances.items[i]->function == function)
            return w->instances.items[i];
    Instance *x = ARENA_NEW(w->arena, Instance);
    x->function = function;
    x->frame = 16;
    x->entry = new_label(w);
    x->epilogue = new_label(w);
    for (uint32_t k = 0; k < function->param_count; ++k)
        slot_of(x, function->params[k]);
    for (uint32_t k = 0; k < function->result_count; ++k)
        slot_of(x, function->results[k]);
    if (w->stack < 0) {
        w->stack = new_reg(w, TY_b64);
        w->stack_base = stack_room(w);
    }
    VEC_PUSH(w->instances, x);
    return x;
}

/* Copies a .param variable of the caller to or from a frame. */
static void copy_param(Inliner *w, const IrInsn *like, IrSymbol *variable, uint64_t bytes,
                       int32_t frame, int64_t at, bool out)
{
    for (uint64_t done = 0; done < bytes;) {
        uint64_t left = bytes - done, piece = 8;
        while (piece > left ||
               (variable->align && piece > variable->align && variable->size != piece))
            piece /= 2;
        IrType type = piece == 8 ? TY_b64 : piece == 4 ? TY_b32 : piece == 2 ? TY_b16 : TY_b8;
        int32_t reg = new_reg(w, piece == 1 ? TY_b16 : type);
        IrOperand there = {.kind = OPND_addr,
                           .base_kind = OPND_symbol,
                           .symbol = variable,
                           .reg = -1,
                           .label = -1,
                           .offset = (int64_t)done};
        IrOperand here = stack_address(frame, at + (int64_t)done);
        add_access(w, like, true, out ? MOD_param : MOD_local, type, reg, out ? there : here);
        add_access(w, like, false, out ? MOD_local : MOD_param, type, reg, out ? here : there);
        done += piece;
    }
}

/* Where a body's stack frame ends: the kernel itself has none. */
static int32_t new_top(Inliner *w, const IrInsn *like)
{
    int32_t top = new_reg(w, TY_b64);
    IrOperand x[3] = {reg_operand(top), reg_operand(w->stack), number(0)};
    add_insn(w, like, OP_add_i, TY_s64, 3, x);
    return top;
}

static void call_instance(Inliner *w, const Frame *frame, const IrInsn *call, IrFunction *callee)
{
    const IrOperand *results = &call->operands[0], *args = &call->operands[2];
    if ((args->kind == OPND_list ? args->count : 0) < callee->param_count ||
        (results->kind == OPND_list ? results->count : 0) < callee->result_count) {
        diag_add(w->diags, DIAG_ERROR, w->module->name, call->line, 0,
                 "call of %s with too few parameters", callee->name);
        w->failed = true;
        return;
    }
    Instance *to = instance_of(w, callee);
    StackCall site = {.callee = to,
                      .like = *call,
                      .leave = new_label(w),
                      .resume = new_label(w),
                      .after = new_label(w)};
    site.saves = frame->instance && reaches(w, callee, frame->instance->function);
    site.index = (int32_t)to->returns.count;
    VEC_PUSH(to->returns, site.resume);
    site.insn = (int32_t)w->insns.count;
    site.top = new_top(w, call);
    for (uint32_t k = 0; k < callee->param_count; ++k) {
        const IrOperand *arg = &args->items[k];
        int64_t at = slot_of(to, callee->params[k]);
        if (arg->kind == OPND_symbol) {
            copy_param(w, call, arg->symbol, callee->params[k]->size, site.top, at, true);
        } else {
            IrOperand x[2] = {stack_address(site.top, at), *arg};
            add_insn(w, call, OP_st, (IrType)callee->params[k]->type, 2, x);
            w->insns.items[w->insns.count - 1].mod[MC_SPACE] = MOD_local;
        }
    }
    site.jump = (int32_t)w->insns.count;
    add_jump(w, call, site.leave, -1, false);
    set_label(w, site.after);
    for (uint32_t k = 0; k < callee->result_count; ++k) {
        const IrOperand *result = &results->items[k];
        int64_t at = slot_of(to, callee->results[k]);
        if (result->kind == OPND_symbol)
            copy_param(w, call, result->symbol, callee->results[k]->size, site.top, at, false);
        else if (result->kind == OPND_reg)
            add_access(w, call, true, MOD_local, (IrType)callee->results[k]->type, result->reg,
                       stack_address(site.top, at));
    }
    StackCalls *calls = frame->instance ? &frame->instance->calls : &w->calls;
    VEC_PUSH(*calls, site);
}

/* __cudaCDP2GetParameterBufferV2(kernel, dim3 grid, dim3 block, shared): the structures become three
 * arguments each. */
static void split_structures(Inliner *w, IrInsn *call)
{
    IrOperand *args = &call->operands[2];
    IrOperand *items = ARENA_ARRAY(w->arena, IrOperand, 16);
    uint16_t count = 0;
    for (int i = 0; args->kind == OPND_list && i < args->count && count + 3 < 16; ++i) {
        IrSymbol *symbol = args->items[i].kind == OPND_symbol ? args->items[i].symbol : NULL;
        if (!symbol || symbol->size != 12) {
            items[count++] = args->items[i];
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            int32_t reg = new_reg(w, TY_b32);
            IrOperand at = {.kind = OPND_addr,
                            .base_kind = OPND_symbol,
                            .symbol = symbol,
                            .reg = -1,
                            .label = -1,
                            .offset = 4 * k};
            add_access(w, call, true, MOD_param, TY_b32, reg, at);
            items[count++] = reg_operand(reg);
        }
    }
    args->items = items;
    args->count = count;
}

static bool is_module_scope(const Inliner *w, const IrSymbol *symbol)
{
    for (uint32_t i = 0; i < w->module->symbol_count; ++i)
        if (w->module->symbols[i] == symbol)
            return true;
    return false;
}

static bool on_frame(const Inliner *w, const Instance *x, const IrSymbol *symbol)
{
    if (!symbol)
        return false;
    for (uint32_t k = 0; k < x->function->param_count; ++k)
        if (x->function->params[k] == symbol)
            return true;
    for (uint32_t k = 0; k < x->function->result_count; ++k)
        if (x->function->results[k] == symbol)
            return true;
    return symbol->kind == SYM_VARIABLE && symbol->space == MOD_local &&
           !is_module_scope(w, symbol);
}

/* Parameters and .local variables of an instance lie in its frame. */
static void use_frame(Inliner *w, Instance *x, IrInsn *insn)
{
    for (int k = 0; k < insn->operand_count; ++k) {
        IrOperand *o = &insn->operands[k];
        if (!on_frame(w, x, o->symbol))
            continue;
        int64_t at = slot_of(x, o->symbol) + o->offset;
        if (o->kind == OPND_addr) {
            *o = stack_address(w->stack, at);
            insn->mod[MC_SPACE] = MOD_local;
        } else if (o->kind == OPND_symbol) {
            int32_t reg = new_reg(w, TY_b64);
            IrOperand sum[3] = {reg_operand(reg), reg_operand(w->stack), number(at)};
            add_insn(w, insn, OP_add_i, TY_s64, 3, sum);
            *o = reg_operand(reg);
        }
    }
}

/* The register's place in a frame, from *at on, which moves behind it. A 64-bit register takes 8 bytes;
 * every other one, predicates too, takes 4. */
static int64_t saved_place(const Inliner *w, int32_t reg, int64_t *at)
{
    int64_t bytes = ir_type_bits((IrType)w->regs.items[reg].type) > 32 ? 8 : 4;
    int64_t place = (*at + bytes - 1) / bytes * bytes;
    *at = place + bytes;
    return place;
}

/* What one call saves lies packed from `at` on: between a call and its return no other call of this
 * frame uses that room, so the frame holds the largest set and not every register of the body. */
static void save_registers(Inliner *w, const Instance *x, const uint32_t *live, const IrInsn *like,
                           int64_t at, bool save)
{
    for (size_t i = 0; i < x->saved.count; ++i) {
        if (!flow_bit(live, (int32_t)i))
            continue;
        int32_t reg = x->saved.items[i];
        IrType type = (IrType)w->regs.items[reg].type;
        IrOperand where = stack_address(w->stack, saved_place(w, reg, &at));
        if (type == TY_pred) {
            int32_t word = new_reg(w, TY_b32);
            if (save) {
                IrOperand pick[4] = {reg_operand(word), number(1), number(0), reg_operand(reg)};
                add_insn(w, like, OP_selp, TY_b32, 4, pick);
                add_access(w, like, false, MOD_local, TY_b32, word, where);
            } else {
                add_access(w, like, true, MOD_local, TY_b32, word, where);
                IrOperand test[5] = {reg_operand(reg),
                                     {.kind = OPND_none, .reg = -1, .label = -1},
                                     reg_operand(word),
                                     number(0)};
                add_insn(w, like, OP_setp, TY_u32, 4, test);
                w->insns.items[w->insns.count - 1].mod[MC_CMP] = MOD_ne;
            }
        } else if (ir_type_bits(type) > 64) {
            diag_add(w->diags, DIAG_ERROR, w->module->name, like->line, 0,
                     "recursive function %s has 128-bit registers: not supported",
                     x->function->name);
            w->failed = true;
        } else {
            add_access(w, like, save, MOD_none, type, reg, where);
            IrInsn *last = &w->insns.items[w->insns.count - 1];
            IrOperand r = reg_operand(reg);
            last->op = save ? OP_st : OP_ld;
            last->operands[0] = save ? where : r;
            last->operands[1] = save ? r : where;
            last->mod[MC_SPACE] = MOD_local;
        }
    }
}

/* What the body needs again behind its calls: sets over Instance.saved, per instruction from `first` on. */
static uint32_t **saved_liveness(Inliner *w, const Instance *x)
{
    int32_t *number = ARENA_ARRAY(w->arena, int32_t, w->regs.count + 1);
    for (size_t r = 0; r < w->regs.count; ++r)
        number[r] = -1;
    for (size_t i = 0; i < x->saved.count; ++i)
        number[x->saved.items[i]] = (int32_t)i;
    RegisterText text = {w->insns.items,  x->first, (int32_t)w->insns.count, w->labels.items,
                         w->tables.items, number,   (int32_t)x->saved.count};
    return flow_text_liveness(w->arena, &text);
}

/* Room for what the call that saves most saves. */
static int64_t saved_room(const Inliner *w, const Instance *x, const StackCalls *calls,
                          uint32_t **live)
{
    int64_t room = 0;
    for (size_t i = 0; i < calls->count; ++i) {
        const StackCall *c = &calls->items[i];
        int64_t at = 0;
        for (size_t r = 0; c->saves && r < x->saved.count; ++r)
            if (flow_bit(live[c->jump + 1 - x->first], (int32_t)r))
                saved_place(w, x->saved.items[r], &at);
        room = at > room ? at : room;
    }
    return room;
}

/* A trap where `top` is beyond `end`; its first instruction compares them. */
static void add_limit(Inliner *w, const IrInsn *like, int32_t top, int64_t end)
{
    int32_t deep = new_reg(w, TY_pred), good = new_label(w);
    IrOperand test[4] = {reg_operand(deep),
                         {.kind = OPND_none, .reg = -1, .label = -1},
                         reg_operand(top),
                         number(end)};
    add_insn(w, like, OP_setp, TY_s64, 4, test);
    w->insns.items[w->insns.count - 1].mod[MC_CMP] = MOD_gt;
    add_jump(w, like, good, deep, true);
    add_insn(w, like, OP_trap, TY_none, 1, (IrOperand[]){number(GK_TRAP_STACK)});
    add_insn(w, like, OP_exit, TY_none, 0, NULL);
    set_label(w, good);
}

/* The two halves of a call: out of line, when the frame size and all registers are known. */
static void finish_calls(Inliner *w, Instance *x, const StackCalls *calls)
{
    uint32_t **live = x && calls->count ? saved_liveness(w, x) : NULL;
    int64_t saves = x ? (x->frame + 15) & ~15ll : 0,
            bytes = x ? (saves + saved_room(w, x, calls, live) + 15) & ~15ll : 0;
    if (bytes > w->largest_frame)
        w->largest_frame = bytes;
    for (size_t i = 0; i < calls->count && !w->failed; ++i) {
        const StackCall *c = &calls->items[i];
        const IrInsn *like = &c->like;
        IrInsn *sum = &w->insns.items[c->insn];
        if (x)
            sum->operands[2] = number(bytes);
        else
            sum->operands[1] = number(w->stack_base);
        set_label(w, c->leave);
        if (c->saves)
            save_registers(w, x, live[c->jump + 1 - x->first], like, saves, true);
        int32_t index = new_reg(w, TY_b32);
        VEC_PUSH(w->limits, (int32_t)w->insns.count);
        add_limit(w, like, c->top, 0);
        add_move(w, like, TY_b64, w->stack, reg_operand(c->top));
        add_move(w, like, TY_b32, index, number(c->index));
        add_access(w, like, false, MOD_local, TY_b32, index, stack_address(w->stack, 0));
        add_jump(w, like, c->callee->entry, -1, false);
        set_label(w, c->resume);
        if (x) {
            IrOperand back[3] = {reg_operand(w->stack), reg_operand(w->stack), number(-bytes)};
            add_insn(w, like, OP_add_i, TY_s64, 3, back);
            if (c->saves)
                save_registers(w, x, live[c->jump + 1 - x->first], like, saves, false);
            IrOperand again[3] = {reg_operand(c->top), reg_operand(w->stack), number(bytes)};
            add_insn(w, like, OP_add_i, TY_s64, 3, again);
        }
        add_jump(w, like, c->after, -1, false);
    }
}

/* ---- alloca ---- */

/* Whether anything in the module may take memory at run time. */
static bool has_alloca(const IrModule *m)
{
    for (uint32_t f = 0; f < m->function_count; ++f)
        for (int32_t i = 0; i < m->functions[f]->insn_count; ++i)
            if (m->functions[f]->insns[i].op == OP_alloca)
                return true;
    return false;
}

static void open_room(Inliner *w)
{
    IrInsn like = {.guard = -1, .line = w->kernel->line, .loc_file = -1};
    uint32_t base = stack_room(w);
    w->room = new_reg(w, TY_b64);
    w->room_end = base + w->layout->stack_bytes;
    add_move(w, &like, TY_b64, w->room, number(base));
}

/* alloca d, bytes, alignment; stacksave d; stackrestore a */
static void expand_alloca(Inliner *w, const IrInsn *insn)
{
    const IrOperand *o = insn->operands;
    int32_t skip = new_label(w);
    if (ir_type_bits((IrType)insn->types[0]) != 64 || w->room < 0) {
        diag_add(w->diags, DIAG_ERROR, ir_where(w->module, insn, w->arena), 0, 0,
                 "kernel %s: instruction %s.%s is not supported%s", w->kernel->name,
                 ir_op_info[insn->op].text, ir_type_info[insn->types[0]].text,
                 w->room < 0 ? " in a module without alloca" : "");
        w->failed = true;
        return;
    }
    if (insn->guard >= 0)
        add_jump(w, insn, skip, insn->guard, !insn->guard_negated);
    if (insn->op == OP_stackrestore) {
        add_move(w, insn, TY_b64, w->room, o[0]);
    } else if (insn->op == OP_stacksave) {
        add_move(w, insn, TY_b64, o[0].reg, reg_operand(w->room));
    } else {
        int64_t alignment = insn->operand_count > 2 ? (int64_t)o[2].bits : 8;
        int32_t top = new_reg(w, TY_b64), at = new_reg(w, TY_b64);
        add_insn(w, insn, OP_add_i, TY_s64, 3,
                 (IrOperand[]){reg_operand(at), reg_operand(w->room), number(alignment - 1)});
        add_insn(w, insn, OP_and, TY_b64, 3,
                 (IrOperand[]){reg_operand(at), reg_operand(at), number(-alignment)});
        add_insn(w, insn, OP_add_i, TY_s64, 3,
                 (IrOperand[]){reg_operand(top), reg_operand(at), o[1]});
        add_limit(w, insn, top, w->room_end);
        add_move(w, insn, TY_b64, w->room, reg_operand(top));
        add_move(w, insn, TY_b64, o[0].reg, reg_operand(at));
    }
    set_label(w, skip);
}

static void expand(Inliner *w, const Frame *frame);

static void add_registers(Inliner *w, Instance *instance, const IrFunction *f)
{
    for (int32_t r = 0; r < f->reg_count; ++r) {
        if (instance)
            VEC_PUSH(instance->saved, (int32_t)w->regs.count);
        VEC_PUSH(w->regs, f->regs[r]);
    }
}

/* What a function took by alloca is free again when it returns. */
static int32_t keep_room(Inliner *w, const Frame *frame, const IrInsn *call)
{
    if (w->room < 0)
        return -1;
    int32_t before = new_reg(w, TY_b64);
    if (frame->instance)
        VEC_PUSH(frame->instance->saved, before);
    add_move(w, call, TY_b64, before, reg_operand(w->room));
    return before;
}

static void expand_body(Inliner *w, const Frame *frame, const IrInsn *call, IrFunction *callee,
                        int32_t after)
{
    const IrOperand *results = &call->operands[0], *args = &call->operands[2];
    uint32_t n = callee->param_count + callee->result_count;
    Frame inner = {
        .instance = frame->instance, .caller = frame, .function = callee, .end_label = after};
    inner.reg_base = (int32_t)w->regs.count;
    inner.label_base = (int32_t)w->labels.count;
    inner.from = ARENA_ARRAY(w->arena, IrSymbol *, n + 1);
    inner.to = ARENA_ARRAY(w->arena, IrSymbol *, n + 1);
    if ((args->kind == OPND_list ? args->count : 0) < callee->param_count ||
        (results->kind == OPND_list ? results->count : 0) < callee->result_count) {
        diag_add(w->diags, DIAG_ERROR, w->module->name, call->line, 0,
                 "call of %s with too few parameters", callee->name);
        w->failed = true;
        return;
    }
    add_registers(w, frame->instance, callee);
    for (int32_t l = 0; l < callee->label_count; ++l)
        VEC_PUSH(w->labels, callee->labels[l]);
    for (uint32_t k = 0; k < callee->param_count; ++k) {
        const IrOperand *arg = &args->items[k];
        bool by_register = callee->param_regs && callee->param_regs[k] >= 0;
        if (by_register) {
            add_move(w, call, (IrType)callee->regs[callee->param_regs[k]].type,
                     inner.reg_base + callee->param_regs[k], *arg);
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
            store.operands[0] = (IrOperand){.kind = OPND_addr,
                                            .base_kind = OPND_symbol,
                                            .symbol = variable,
                                            .reg = -1,
                                            .label = -1};
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
        if (callee->result_regs && callee->result_regs[k] >= 0 &&
            results->items[k].kind == OPND_reg) {
            int32_t from = inner.reg_base + callee->result_regs[k];
            w->labels.items[after].insn = (int32_t)w->insns.count; /* ret arrives here */
            add_move(w, call, (IrType)callee->regs[callee->result_regs[k]].type,
                     results->items[k].reg,
                     (IrOperand){.kind = OPND_reg, .reg = from, .label = -1});
        }
    if (w->labels.items[after].insn < 0)
        w->labels.items[after].insn = (int32_t)w->insns.count;
}

static void expand_call(Inliner *w, const Frame *frame, const IrInsn *call, IrFunction *callee)
{
    int32_t skip = new_label(w);
    if (call->guard >= 0)
        add_jump(w, call, skip, call->guard, !call->guard_negated);
    int32_t before = keep_room(w, frame, call);
    if (is_recursive(w, callee) || w->insns.count > INLINE_INSNS)
        call_instance(w, frame, call, callee);
    else
        expand_body(w, frame, call, callee, new_label(w));
    if (before >= 0)
        add_move(w, call, TY_b64, w->room, reg_operand(before));
    set_label(w, skip);
}

static void expand_instance(Inliner *w, Instance *x)
{
    IrFunction *f = x->function;
    Frame frame = {.instance = x, .function = f, .end_label = x->epilogue};
    frame.reg_base = (int32_t)w->regs.count;
    frame.label_base = (int32_t)w->labels.count;
    add_registers(w, x, f);
    for (int32_t l = 0; l < f->label_count; ++l)
        VEC_PUSH(w->labels, f->labels[l]);
    IrInsn like = {.guard = -1, .line = f->line, .loc_file = -1};
    x->first = (int32_t)w->insns.count;
    set_label(w, x->entry);
    for (uint32_t k = 0; k < f->param_count; ++k)
        if (f->param_regs && f->param_regs[k] >= 0)
            add_access(w, &like, true, MOD_local, (IrType)f->regs[f->param_regs[k]].type,
                       frame.reg_base + f->param_regs[k],
                       stack_address(w->stack, slot_of(x, f->params[k])));
    expand(w, &frame);
    set_label(w, x->epilogue);
    for (uint32_t k = 0; k < f->result_count; ++k)
        if (f->result_regs && f->result_regs[k] >= 0)
            add_access(w, &like, false, MOD_local, (IrType)f->regs[f->result_regs[k]].type,
                       frame.reg_base + f->result_regs[k],
                       stack_address(w->stack, slot_of(x, f->results[k])));
    int32_t index = new_reg(w, TY_b32);
    add_access(w, &like, true, MOD_local, TY_b32, index, stack_address(w->stack, 0));
    x->table = (int32_t)w->tables.count;
    IrTable table = {.name = f->name};
    VEC_PUSH(w->tables, table);
    IrOperand go[2] = {reg_operand(index), {.kind = OPND_label, .reg = -1, .label = x->table}};
    add_insn(w, &like, OP_brx, TY_none, 2, go);
    finish_calls(w, x, &x->calls);
}

static void expand_instances(Inliner *w)
{
    finish_calls(w, NULL, &w->calls);
    for (size_t i = 0; i < w->instances.count && !w->failed; ++i)
        expand_instance(w, w->instances.items[i]);
    for (size_t i = 0; i < w->instances.count; ++i) {
        Instance *x = w->instances.items[i];
        if (!w->failed) {
            IrTable *table = &w->tables.items[x->table];
            table->label_count = (int32_t)x->returns.count;
            table->labels = ARENA_ARRAY(w->arena, int32_t, x->returns.count + 1);
            memcpy(table->labels, x->returns.items, sizeof(int32_t) * x->returns.count);
        }
        VEC_FREE(x->slots);
        VEC_FREE(x->saved);
        VEC_FREE(x->returns);
        VEC_FREE(x->calls);
    }
    for (size_t i = 0; i < w->limits.count && !w->failed; ++i)
        w->insns.items[w->limits.items[i]].operands[3] =
            number((int64_t)w->stack_base + w->layout->stack_bytes - w->largest_frame);
    VEC_FREE(w->limits);
    VEC_FREE(w->instances);
    VEC_FREE(w->calls);
    VEC_FREE(w->taken);
}

static bool fits(const IrFunction *f, const IrFunction *prototype)
{
    if (f->is_entry || f->param_count != prototype->param_count ||
        f->result_count != prototype->result_count)
        return false;
    for (uint32_t k = 0; k < f->param_count; ++k)
        if (f->params[k]->size != prototype->params[k]->size)
            return false;
    for (uint32_t k = 0; k < f->result_count; ++k)
        if (f->results[k]->size != prototype->results[k]->size)
            return false;
    return true;
}

static void expand_indirect(Inliner *w, const Frame *frame, const IrInsn *call,
                            const IrFunction *prototype)
{
    int32_t done = new_label(w);
    if (call->guard >= 0)
        add_jump(w, call, done, call->guard, !call->guard_negated);
    for (size_t i = 0; i < w->taken.count && !w->failed; ++i) {
        IrFunction *f = w->taken.items[i];
        if (prototype && !fits(f, prototype))
            continue;
        int32_t is = new_reg(w, TY_pred), next = new_label(w);
        IrOperand test[4] = {reg_operand(is),
                             {.kind = OPND_none, .reg = -1, .label = -1},
                             call->operands[1],
                             number(ir_function_number(w->module, f))};
        add_insn(w, call, OP_setp, TY_u64, 4, test);
        w->insns.items[w->insns.count - 1].mod[MC_CMP] = MOD_eq;
        add_jump(w, call, next, is, true);
        IrInsn direct = *call;
        direct.guard = -1;
        expand_call(w, frame, &direct, f);
        add_jump(w, call, done, -1, false);
        set_label(w, next);
    }
    add_insn(w, call, OP_trap, TY_none, 0, NULL); /* no such function */
    add_insn(w, call, OP_exit, TY_none, 0, NULL);
    set_label(w, done);
}

/* A function reaches its own parameters through a pointer: they lie in local memory then (the scan
 * below finds that their address is taken). In a kernel such a pointer means the kernel's own. */
static void own_parameter(IrInsn *insn)
{
    bool memory = insn->op == OP_ld || insn->op == OP_st;
    const IrOperand *at = &insn->operands[insn->op == OP_ld ? 1 : 0];
    if (ir_space(insn) == MOD_param &&
        (insn->op == OP_cvta || (memory && at->base_kind == OPND_reg)))
        insn->mod[MC_SPACE] = MOD_local;
}

static void expand(Inliner *w, const Frame *frame)
{
    IrFunction *f = frame->function;
    if (f->refused) {
        IrInsn at = {.line = f->refused_line,
                     .loc_line = f->refused_loc_line,
                     .loc_file = f->refused_loc_file};
        diag_add(w->diags, DIAG_ERROR, ir_where(w->module, &at, w->arena), 0, 0,
                 "kernel %s: instruction %s is not supported", w->kernel->name, f->refused);
        w->failed = true;
        return;
    }
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
        if (insn.op == OP_call && can_inline(&insn.operands[1])) {
            expand_call(w, frame, &insn, (IrFunction *)definition(w, insn.operands[1].symbol));
            continue;
        }
        if (insn.op == OP_call && is_device_runtime(&insn.operands[1]))
            split_structures(w, &insn);
        if (insn.op == OP_call && insn.operands[1].kind == OPND_reg) {
            const IrOperand *o = &f->insns[i].operands[3];
            expand_indirect(w, frame, &insn,
                            o->kind == OPND_label ? f->tables[o->label].prototype : NULL);
            continue;
        }
        if (insn.op == OP_alloca || insn.op == OP_stacksave || insn.op == OP_stackrestore) {
            expand_alloca(w, &insn);
            continue;
        }
        if (insn.op == OP_trap && insn.guard >= 0) { /* only the lanes that trap may come here */
            int32_t skip = new_label(w);
            add_jump(w, &insn, skip, insn.guard, !insn.guard_negated);
            insn.guard = -1;
            VEC_PUSH(w->insns, insn);
            set_label(w, skip);
            continue;
        }
        if (f != w->kernel)
            own_parameter(&insn);
        if (frame->instance)
            use_frame(w, frame->instance, &insn);
        if (insn.op == OP_ret && frame->end_label >= 0) {
            add_jump(w, &insn, frame->end_label, insn.guard, insn.guard_negated);
            continue;
        }
        VEC_PUSH(w->insns, insn);
        if (w->insns.count > MAX_INSNS) {
            diag_add(w->diags, DIAG_ERROR, w->module->name, f->line, 0,
                     "kernel %s grows beyond %d instructions when its calls are inlined",
                     w->kernel->name, MAX_INSNS);
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
    if (!symbol || symbol->kind == SYM_FUNCTION || symbol->space != MOD_param ||
        is_entry_param(w, symbol))
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
    return bytes == 1   ? TY_b8
           : bytes == 2 ? TY_b16
           : bytes == 4 ? TY_b32
           : bytes == 8 ? TY_b64
                        : TY_b128;
}

static IrType int_type(uint32_t bytes, bool is_signed)
{
    return bytes == 1   ? (is_signed ? TY_s8 : TY_u8)
           : bytes == 2 ? (is_signed ? TY_s16 : TY_u16)
           : bytes == 4 ? (is_signed ? TY_s32 : TY_u32)
                        : (is_signed ? TY_s64 : TY_u64);
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
                for (int q = 0; insn->operands[k].kind == OPND_list && q < insn->operands[k].count;
                     ++q) {
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
                    IrType type = (IrType)insn.types[0];
                    uint32_t wide = x->kind == OPND_reg
                                        ? ir_type_bits((IrType)w->regs.items[x->reg].type) / 8
                                        : 0;
                    bool converts = bytes < 2 || wide > bytes;
                    IrInsn move = blank(&insn, converts ? OP_cvt : OP_mov);
                    move.guard = insn.guard;
                    move.guard_negated = insn.guard_negated;
                    if (converts) { /* a wider register; bytes lie in 16-bit ones */
                        bool sign = insn.op == OP_ld && ir_type_info[type].class == TC_SIGNED;
                        IrType narrow = int_type(bytes, sign), whole = int_type(wide, sign);
                        bool widens = bytes >= 2;
                        move.types[0] = (uint8_t)(widens && insn.op == OP_ld ? whole : narrow);
                        move.types[1] = (uint8_t)(widens && insn.op == OP_st ? whole : narrow);
                        move.type_count = 2;
                    } else {
                        move.types[0] =
                            (uint8_t)(ir_type_info[type].class == TC_FLOAT ? bits_of(bytes) : type);
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
                for (int q = 0; insn.operands[k].kind == OPND_list && q < insn.operands[k].count;
                     ++q) {
                    IrOperand *x = &insn.operands[k].items[q];
                    for (size_t z = 0; z < params->count; ++z)
                        if (x->symbol && params->items[z]->symbol == x->symbol &&
                            params->items[z]->parts) {
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

IrFunction *inline_calls(Arena *arena, IrModule *module, IrFunction *kernel, IrKernelLayout *layout,
                         Diags *diags)
{
    Inliner w = {.arena = arena,
                 .module = module,
                 .layout = layout,
                 .diags = diags,
                 .kernel = kernel,
                 .stack = -1,
                 .room = -1};
    find_all_taken(&w);
    for (int32_t r = 0; r < kernel->reg_count; ++r)
        VEC_PUSH(w.regs, kernel->regs[r]);
    for (int32_t l = 0; l < kernel->label_count; ++l)
        VEC_PUSH(w.labels, kernel->labels[l]);
    if (has_alloca(module))
        open_room(&w);
    Frame top = {.function = kernel, .end_label = -1};
    expand(&w, &top);
    expand_instances(&w);
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
#define TAKE(to, number, from)                                                                     \
    do {                                                                                           \
        flat->number = (int32_t)w.from.count;                                                      \
        flat->to = arena_alloc(arena, sizeof *flat->to * (w.from.count + 1));                      \
        if (w.from.count)                                                                          \
            memcpy(flat->to, w.from.items, sizeof *flat->to *w.from.count);                        \
    } while (0)
        TAKE(insns, insn_count, insns);
        TAKE(regs, reg_count, regs);
        TAKE(labels, label_count, labels);
        TAKE(tables, table_count, tables);
#undef TAKE
    }
    VEC_FREE(w.insns);
    VEC_FREE(w.regs);
    VEC_FREE(w.labels);
    VEC_FREE(w.tables);
    return flat;
}
