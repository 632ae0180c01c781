/* SPDX-License-Identifier: Apache-2.0
 * The info tables behind the .def files, and making and searching modules. */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

const IrTypeInfo ir_type_info[TY_COUNT] = {
    [TY_none] = {"none", 0, TC_NONE},
#define TYPE(id, text, bits, class) [TY_##id] = {text, bits, TC_##class},
#include "ir/types.def"
#undef TYPE
};

const IrModInfo ir_mod_info[MOD_END] = {
    [MOD_none] = {"", MC_NONE},
#define MOD(class, id, text) [MOD_##id] = {text, MC_##class},
#include "ir/mods.def"
#undef MOD
};

const IrOpInfo ir_op_info[OP_COUNT] = {
#define OP(id, text, pattern, operands, types, effects, emit)                                      \
    [OP_##id] = {text, pattern, operands, types, effects, #id},
#include "ir/ops.def"
#undef OP
};

const IrSregInfo ir_sreg_info[SREG_COUNT] = {
#define SREG(id, text, type, components) [SREG_##id] = {text, TY_##type, components},
#include "ir/sregs.def"
#undef SREG
};

IrModule *ir_module_new(const char *name)
{
    Arena *arena = arena_new();
    IrModule *module = ARENA_NEW(arena, IrModule);
    module->arena = arena;
    module->name = arena_strdup(arena, name);
    return module;
}

void ir_module_free(IrModule *module)
{
    if (!module)
        return;
    map_free(&module->symbol_map);
    arena_free(module->arena);
}

uint32_t ir_function_number(const IrModule *module, const IrFunction *function)
{
    for (uint32_t i = 0; i < module->function_count; ++i)
        if (module->functions[i] == function)
            return i + 1;
    return 0;
}

IrSymbol *ir_find_symbol(const IrModule *module, const char *name)
{
    return map_get(&module->symbol_map, name);
}

IrFunction *ir_find_function(const IrModule *module, const char *name)
{
    IrSymbol *symbol = ir_find_symbol(module, name);
    if (!symbol || symbol->kind != SYM_FUNCTION || !symbol->function || symbol->function->is_extern)
        return NULL;
    return symbol->function;
}

const char *ir_where(const IrModule *module, const IrInsn *insn, Arena *arena)
{
    if (insn->loc_line > 0 && insn->loc_file >= 0 && (uint32_t)insn->loc_file < module->file_count)
        return arena_printf(arena, "%s:%d", module->files[insn->loc_file].name, insn->loc_line);
    return arena_printf(arena, "%s:%d", module->name, insn->line);
}
