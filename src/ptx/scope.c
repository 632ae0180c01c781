/* SPDX-License-Identifier: Apache-2.0
 * Identifiers and scopes. Every identifier of the text is one Ident that carries what it means at
 * the present place; closing a scope takes its meanings off again. Registers of a range
 * (.reg .b32 %r<100>) come into being when they are first named. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

static void grow(Parser *p)
{
    uint32_t room = p->ident_room ? p->ident_room * 2 : 1024;
    Ident **table = xcalloc(room, sizeof *table);
    for (uint32_t i = 0; i < p->ident_room; ++i)
        for (Ident *ident = p->idents[i], *after; ident; ident = after) {
            after = ident->next;
            ident->next = table[ident->hash & (room - 1)];
            table[ident->hash & (room - 1)] = ident;
        }
    free(p->idents);
    p->idents = table;
    p->ident_room = room;
}

static Ident *ident_find(const Parser *p, const char *name, size_t bytes, uint32_t hash)
{
    if (!p->ident_room)
        return NULL;
    for (Ident *ident = p->idents[hash & (p->ident_room - 1)]; ident; ident = ident->next)
        if (ident->hash == hash && ident->bytes == bytes && memcmp(ident->name, name, bytes) == 0)
            return ident;
    return NULL;
}

Ident *ident_get(Parser *p, const char *name, size_t bytes)
{
    uint32_t hash = (uint32_t)hash_bytes(name, bytes, 0);
    Ident *ident = ident_find(p, name, bytes, hash);
    if (ident)
        return ident;
    if (p->ident_count >= p->ident_room)
        grow(p);
    ident = ARENA_NEW(p->scratch, Ident);
    ident->name = arena_strndup(p->arena, name, bytes);
    ident->bytes = (uint32_t)bytes;
    ident->hash = hash;
    ident->next = p->idents[hash & (p->ident_room - 1)];
    p->idents[hash & (p->ident_room - 1)] = ident;
    p->ident_count++;
    return ident;
}

Binding *binding_add(Parser *p, Ident *ident, BindingKind kind, int depth)
{
    Binding *binding = ARENA_NEW(p->scratch, Binding);
    binding->kind = (uint8_t)kind;
    binding->depth = depth;
    binding->ident = ident;
    binding->outer = ident->binding;
    binding->next = p->scopes[depth].bindings;
    p->scopes[depth].bindings = binding;
    ident->binding = binding;
    if (kind == B_RANGE && depth > 1)
        p->inner_ranges++;
    p->hides |= depth == 0 && ident->stamp;
    return binding;
}

Binding *binding_here(const Parser *p, const Ident *ident)
{
    return ident->binding && ident->binding->depth == p->depth ? ident->binding : NULL;
}

void scope_push(Parser *p)
{
    if (p->depth + 1 == PTX_MAX_DEPTH) {
        parse_error(p, "blocks are nested too deeply (more than %d)", PTX_MAX_DEPTH);
        p->too_many = true;
        return;
    }
    p->depth++;
    p->scopes[p->depth] = (Scope){NULL, p->pending.count};
}

static void resolve(Parser *p, const PendingLabel *label, const Binding *binding)
{
    if (binding->kind != (label->is_table ? B_TABLE : B_LABEL)) {
        parse_error_at(p, &label->at, "'%s' is not a %s", label->ident->name,
                       label->is_table ? "table of labels or prototype" : "label");
        p->failed = false;
        return;
    }
    if (label->insn < 0)
        p->tables.items[-1 - label->insn].labels[label->operand] = binding->index;
    else
        p->insns.items[label->insn].operands[label->operand].label = binding->index;
}

void scope_pop(Parser *p)
{
    Scope *scope = &p->scopes[p->depth];
    size_t kept = scope->first_pending;
    for (size_t i = kept; i < p->pending.count; ++i) {
        PendingLabel *label = &p->pending.items[i];
        Binding *binding = binding_here(p, label->ident);
        if (binding)
            resolve(p, label, binding);
        else
            p->pending.items[kept++] = *label;
    }
    p->pending.count = kept;
    for (Binding *binding = scope->bindings; binding; binding = binding->next) {
        binding->ident->binding = binding->outer;
        if (binding->kind == B_RANGE && p->depth > 1)
            p->inner_ranges--;
    }
    p->depth--;
}

static bool is_global(const Ident *ident)
{
    const Binding *binding = ident->binding;
    while (binding && binding->outer)
        binding = binding->outer;
    return binding && binding->depth == 0;
}

/* Names are used again in inner scopes; in the IR every register, label and local has its own, and
 * none hides a name of the module. */
const char *unique_name(Parser *p, Ident *ident)
{
    if (ident->stamp != p->stamp && !is_global(ident)) {
        ident->stamp = p->stamp;
        ident->again = 0;
        return ident->name;
    }
    for (;;) {
        char *name = arena_printf(p->arena, "%s$%u", ident->name, ++ident->again);
        Ident *other = ident_get(p, name, strlen(name));
        if (other->stamp != p->stamp && !is_global(other)) {
            other->stamp = p->stamp;
            other->again = 0;
            return other->name;
        }
    }
}

static void take_name(Parser *p, const char **name, bool anew)
{
    Ident *ident = ident_get(p, *name, strlen(*name));
    if (!anew)
        ident->stamp = p->stamp;
    else if (is_global(ident))
        *name = unique_name(p, ident);
}

void rename_hiding(Parser *p)
{
    for (uint32_t i = 0; p->hides && i < p->module->function_count; ++i) {
        IrFunction *f = p->module->functions[i];
        p->stamp++;
        for (int anew = 0; anew < 2; ++anew) {
            for (uint32_t k = 0; k < f->param_count; ++k)
                take_name(p, &f->params[k]->name, anew);
            for (uint32_t k = 0; k < f->result_count; ++k)
                take_name(p, &f->results[k]->name, anew);
            for (uint32_t k = 0; k < f->local_count; ++k)
                take_name(p, &f->locals[k]->name, anew);
            for (int32_t k = 0; k < f->reg_count; ++k)
                take_name(p, &f->regs[k].name, anew);
            for (int32_t k = 0; k < f->label_count; ++k)
                take_name(p, &f->labels[k].name, anew);
            for (int32_t k = 0; k < f->table_count; ++k)
                take_name(p, &f->tables[k].name, anew);
        }
    }
}

int32_t reg_new(Parser *p, const char *name, unsigned type)
{
    if (p->regs.count == PTX_MAX_REGS) {
        parse_error(p, "more than %d registers in one function", PTX_MAX_REGS);
        return 0;
    }
    IrReg reg = {name, (uint8_t)type};
    VEC_PUSH(p->regs, reg);
    return (int32_t)p->regs.count - 1;
}

/* The innermost range that holds the name: "%r12" is register 12 of "%r" or register 2 of "%r1". */
static Binding *find_range(const Parser *p, const char *name, size_t bytes)
{
    Binding *best = NULL;
    uint64_t number = 0, scale = 1;
    for (size_t n = bytes; n > 1 && name[n - 1] >= '0' && name[n - 1] <= '9' && bytes - n < 9;
         --n) {
        number += scale * (uint64_t)(name[n - 1] - '0');
        scale *= 10;
        if (name[n - 1] == '0' && n < bytes)
            continue; /* leading zeros are another name */
        const Ident *prefix = ident_find(p, name, n - 1, (uint32_t)hash_bytes(name, n - 1, 0));
        for (Binding *b = prefix ? prefix->binding : NULL; b; b = b->outer)
            if (b->kind == B_RANGE && number < b->count && (!best || b->depth > best->depth))
                best = b;
    }
    return best;
}

Binding *lookup(Parser *p, const char *name, size_t bytes)
{
    uint32_t hash = (uint32_t)hash_bytes(name, bytes, 0);
    Ident *ident = ident_find(p, name, bytes, hash);
    Binding *binding = ident ? ident->binding : NULL;
    if (binding && binding->kind == B_RANGE)
        binding = NULL; /* the bare prefix names nothing */
    if (binding && binding->depth > 0 && !p->inner_ranges)
        return binding;
    Binding *range = find_range(p, name, bytes);
    if (!range || (binding && binding->depth >= range->depth))
        return binding;
    if (!ident)
        ident = ident_get(p, name, bytes);
    Binding *made = binding_add(p, ident, B_REG, range->depth);
    made->index = reg_new(p, unique_name(p, ident), range->type);
    return made;
}
