/* SPDX-License-Identifier: Apache-2.0
 * Lays out variables (see layout.h). Local frames lie one behind the other along the deepest call
 * chain; a function's frame has one place for the whole kernel, whoever calls it. Does not look at
 * .param variables: those of call sequences are registers by name. */
#include "ir/layout.h"

#include <stdlib.h>

static bool is_static(const IrSymbol *symbol)
{
    return symbol->kind == SYM_VARIABLE &&
           (symbol->space == MOD_global || symbol->space == MOD_const);
}

uint32_t ir_layout_variables(IrModule *module, IrSymbol ***list)
{
    VEC(IrSymbol *) found = {0};
    for (uint32_t i = 0; i < module->symbol_count; ++i)
        if (is_static(module->symbols[i]))
            VEC_PUSH(found, module->symbols[i]);
    for (uint32_t i = 0; i < module->function_count; ++i)
        for (uint32_t k = 0; k < module->functions[i]->local_count; ++k)
            if (is_static(module->functions[i]->locals[k]))
                VEC_PUSH(found, module->functions[i]->locals[k]);
    *list = ARENA_ARRAY(module->arena, IrSymbol *, found.count);
    for (size_t i = 0; i < found.count; ++i) {
        found.items[i]->offset = (uint32_t)i;
        (*list)[i] = found.items[i];
    }
    uint32_t count = (uint32_t)found.count;
    VEC_FREE(found);
    return count;
}

typedef struct {
    IrFunction *function;
    VEC(uint32_t) callees; /* node indices */
    uint8_t state;         /* 0 new, 1 on the stack, 2 done */
    uint32_t base, frame;  /* local memory */
} Node;

typedef struct {
    IrModule *module;
    VEC(Node) nodes;
    VEC(uint32_t) order;  /* finished first: reversed, callers come first */
    VEC(IrSymbol *) used; /* module-scope shared and local variables */
    bool recursive, indirect, reserved;
} Walk;

static uint32_t node_of(Walk *walk, IrFunction *function)
{
    for (size_t i = 0; i < walk->nodes.count; ++i)
        if (walk->nodes.items[i].function == function)
            return (uint32_t)i;
    Node node = {.function = function};
    VEC_PUSH(walk->nodes, node);
    return (uint32_t)walk->nodes.count - 1;
}

static void use_symbol(Walk *walk, IrSymbol *symbol)
{
    if (symbol->kind != SYM_VARIABLE || (symbol->space != MOD_shared && symbol->space != MOD_local))
        return;
    for (size_t i = 0; i < walk->used.count; ++i)
        if (walk->used.items[i] == symbol)
            return;
    VEC_PUSH(walk->used, symbol);
}

static void add_callee(Walk *walk, uint32_t from, IrFunction *function)
{
    if (!function || function->is_extern)
        return;
    uint32_t to = node_of(walk, function);
    Node *node = &walk->nodes.items[from];
    for (size_t i = 0; i < node->callees.count; ++i)
        if (node->callees.items[i] == to)
            return;
    VEC_PUSH(node->callees, to);
}

/* Symbols whose address an operand takes; address-taken functions go to `taken`. */
typedef VEC(IrFunction *) Functions;

static void scan_operand(Walk *walk, const IrOperand *operand, Functions *taken)
{
    if (walk && operand->kind == OPND_sreg &&
        (operand->sreg == SREG_reserved_smem_offset ||
         operand->sreg == SREG_reserved_smem_offset_begin ||
         operand->sreg == SREG_reserved_smem_offset_end))
        walk->reserved = true;
    if (operand->symbol && operand->kind != OPND_func) {
        if (walk)
            use_symbol(walk, operand->symbol);
        if (taken && operand->symbol->kind == SYM_FUNCTION && operand->symbol->function)
            VEC_PUSH(*taken, operand->symbol->function);
    }
    for (unsigned i = 0; i < operand->count; ++i)
        scan_operand(walk, &operand->items[i], taken);
}

static void address_taken(const IrModule *module, Functions *taken)
{
    for (uint32_t i = 0; i < module->function_count; ++i) {
        const IrFunction *function = module->functions[i];
        for (int32_t k = 0; k < function->insn_count; ++k)
            for (unsigned o = 0; o < function->insns[k].operand_count; ++o)
                scan_operand(NULL, &function->insns[k].operands[o], taken);
    }
    for (uint32_t i = 0; i < module->symbol_count; ++i)
        for (uint32_t k = 0; k < module->symbols[i]->reloc_count; ++k) {
            const IrSymbol *symbol = module->symbols[i]->relocs[k].symbol;
            if (symbol && symbol->kind == SYM_FUNCTION && symbol->function)
                VEC_PUSH(*taken, symbol->function);
        }
}

static void scan_function(Walk *walk, uint32_t index, const Functions *taken)
{
    const IrFunction *function = walk->nodes.items[index].function;
    bool indirect = false;
    for (int32_t i = 0; i < function->insn_count; ++i) {
        const IrInsn *insn = &function->insns[i];
        for (unsigned k = 0; k < insn->operand_count; ++k) {
            const IrOperand *operand = &insn->operands[k];
            scan_operand(walk, operand, NULL);
            if (insn->op == OP_call && operand->kind == OPND_func && operand->symbol)
                add_callee(walk, index, operand->symbol->function);
        }
        if (insn->op == OP_call && insn->operand_count > 1 && insn->operands[1].kind == OPND_reg)
            indirect = true;
    }
    if (indirect) {
        walk->indirect = true;
        for (size_t i = 0; i < taken->count; ++i)
            add_callee(walk, index, taken->items[i]);
    }
}

/* Depth first without recursion: the call graph comes from foreign text and may be deep. */
static void visit_all(Walk *walk, const Functions *taken)
{
    typedef struct {
        uint32_t node, next;
    } Visit;
    VEC(Visit) stack = {0};
    Visit first = {0, 0};
    VEC_PUSH(stack, first);
    scan_function(walk, 0, taken);
    walk->nodes.items[0].state = 1;
    while (stack.count) {
        Visit *top = &stack.items[stack.count - 1];
        Node *node = &walk->nodes.items[top->node];
        if (top->next == node->callees.count) {
            node->state = 2;
            VEC_PUSH(walk->order, top->node);
            stack.count--;
            continue;
        }
        uint32_t callee = node->callees.items[top->next++];
        uint8_t state = walk->nodes.items[callee].state;
        if (state == 1)
            walk->recursive = true;
        if (state)
            continue;
        walk->nodes.items[callee].state = 1;
        scan_function(walk, callee, taken);
        Visit visit = {callee, 0};
        VEC_PUSH(stack, visit);
    }
    VEC_FREE(stack);
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

static uint32_t clip(uint64_t value) /* too large for any device: the launch checks refuse it */
{
    return value > 0xffffffffu ? 0xffffffffu : (uint32_t)value;
}

static void place(IrSymbol *symbol, uint64_t *at)
{
    *at = align_up(*at, symbol->align);
    symbol->offset = clip(*at);
    *at += symbol->size;
}

static bool is_dynamic(const IrSymbol *symbol)
{
    return symbol->linkage == LINK_EXTERN || symbol->size == 0;
}

static void layout_shared(Walk *walk, IrKernelLayout *out)
{
    uint64_t at = 0;
    uint32_t dynamic_align = 0;
    VEC(IrSymbol *) dynamic = {0};
    for (size_t i = 0; i < walk->nodes.count; ++i)
        for (uint32_t k = 0; k < walk->nodes.items[i].function->local_count; ++k)
            use_symbol(walk, walk->nodes.items[i].function->locals[k]);
    for (size_t i = 0; i < walk->used.count; ++i) {
        IrSymbol *symbol = walk->used.items[i];
        if (symbol->space != MOD_shared)
            continue;
        if (is_dynamic(symbol)) {
            VEC_PUSH(dynamic, symbol);
            if (symbol->align > dynamic_align)
                dynamic_align = symbol->align;
        } else
            place(symbol, &at);
    }
    if (walk->reserved) {
        at = align_up(at, 16);
        out->reserved_shared = clip(at);
        at += IR_RESERVED_SHARED;
    }
    out->shared_bytes = clip(at);
    at = align_up(at, dynamic_align > 16 ? dynamic_align : 16);
    for (size_t i = 0; i < dynamic.count; ++i)
        dynamic.items[i]->offset = clip(at);
    VEC_FREE(dynamic);
    out->static_shared = clip(at);
    out->dynamic_align = dynamic_align;
}

static void layout_local(Walk *walk, IrKernelLayout *out)
{
    uint64_t deepest = 0;
    for (size_t i = walk->order.count; i-- > 0;) {
        Node *node = &walk->nodes.items[walk->order.items[i]];
        uint64_t at = node->base;
        for (uint32_t k = 0; k < node->function->local_count; ++k)
            if (node->function->locals[k]->space == MOD_local)
                place(node->function->locals[k], &at);
        if (node == &walk->nodes.items[0])
            for (size_t k = 0; k < walk->used.count; ++k) { /* module-scope .local variables */
                bool own = false;
                for (uint32_t s = 0; s < walk->module->symbol_count && !own; ++s)
                    own = walk->module->symbols[s] == walk->used.items[k];
                if (own && walk->used.items[k]->space == MOD_local)
                    place(walk->used.items[k], &at);
            }
        at = align_up(at, 16);
        if (at > deepest)
            deepest = at;
        for (size_t k = 0; k < node->callees.count; ++k) {
            Node *callee = &walk->nodes.items[node->callees.items[k]];
            if (callee->base < at)
                callee->base = clip(at);
        }
    }
    out->local_bytes = clip(deepest);
}

void ir_layout_kernel(IrModule *module, IrFunction *kernel, IrKernelLayout *out)
{
    *out = (IrKernelLayout){0};
    Walk walk = {.module = module};
    Functions taken = {0};
    address_taken(module, &taken);
    node_of(&walk, kernel);
    visit_all(&walk, &taken);
    layout_shared(&walk, out);
    layout_local(&walk, out);
    out->recursive = walk.recursive || walk.indirect;
    out->function_count = (uint32_t)walk.order.count;
    out->functions = ARENA_ARRAY(module->arena, IrFunction *, walk.order.count);
    for (size_t i = 0; i < walk.order.count; ++i)
        out->functions[i] = walk.nodes.items[walk.order.items[walk.order.count - 1 - i]].function;
    for (size_t i = 0; i < walk.nodes.count; ++i)
        VEC_FREE(walk.nodes.items[i].callees);
    VEC_FREE(walk.nodes);
    VEC_FREE(walk.order);
    VEC_FREE(walk.used);
    VEC_FREE(taken);
}
