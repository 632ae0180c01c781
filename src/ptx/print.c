/* SPDX-License-Identifier: Apache-2.0
 * IR back to PTX. All declarations of a function stand at its head, under the unique names that the
 * parser gave them, so the text has no inner scopes; reading it again gives the same IR. Comments,
 * array dimensions (a product is kept) and debug sections are gone. */
#include "ptx/ptx.h"
#include "ir/shape.h"

#include <inttypes.h>
#include <string.h>

static const char *linkage_text(unsigned linkage)
{
    static const char *const texts[] = {[LINK_NONE] = "",
                                        [LINK_VISIBLE] = ".visible ",
                                        [LINK_EXTERN] = ".extern ",
                                        [LINK_WEAK] = ".weak ",
                                        [LINK_COMMON] = ".common "};
    return texts[linkage];
}

static const char *type_text(unsigned type)
{
    return ir_type_info[type].text;
}

/* ---- operands ---- */

static void print_operand(const IrFunction *function, const IrOperand *o, Buf *out);

static void print_offset(int64_t offset, Buf *out)
{
    if (offset)
        buf_printf(out, "+%" PRId64, offset);
}

static void print_imm(const IrOperand *o, Buf *out)
{
    if (o->is_float && o->is_single)
        buf_printf(out, "0f%08" PRIX64, o->bits & 0xffffffff);
    else if (o->is_float)
        buf_printf(out, "0d%016" PRIX64, o->bits);
    else
        buf_printf(out, "%" PRId64, (int64_t)o->bits);
}

static void print_sreg(const IrOperand *o, Buf *out)
{
    const IrSregInfo *info = &ir_sreg_info[o->sreg];
    buf_puts(out, info->text);
    if (o->sreg == SREG_envreg || o->sreg == SREG_reserved_smem_offset)
        buf_printf(out, "%u", o->component);
    else if (info->components > 1)
        buf_printf(out, ".%c", "xyzw"[o->component & 3]);
}

static void print_items(const IrFunction *function, const IrOperand *o, const char *brackets,
                        Buf *out)
{
    buf_putc(out, brackets[0]);
    for (unsigned i = 0; i < o->count; ++i) {
        if (i)
            buf_puts(out, ", ");
        print_operand(function, &o->items[i], out);
    }
    buf_putc(out, brackets[1]);
}

static void print_operand(const IrFunction *function, const IrOperand *o, Buf *out)
{
    if (o->negated)
        buf_putc(out, o->kind == OPND_reg && function->regs[o->reg].type != TY_pred ? '-' : '!');
    switch ((IrOperandKind)o->kind) {
    case OPND_none:
        break;
    case OPND_reg:
        buf_puts(out, function->regs[o->reg].name);
        if (o->part)
            buf_printf(out, ".%c", o->part & IR_PART_HALVES ? 'h' : 'b');
        for (unsigned i = ir_part_count(o->part); i-- > 0;)
            buf_putc(out, (char)('0' + ir_part_digit(o->part, i)));
        break;
    case OPND_imm:
        print_imm(o, out);
        break;
    case OPND_sreg:
        print_sreg(o, out);
        break;
    case OPND_func:
        buf_puts(out, o->symbol->name);
        break;
    case OPND_sink:
        buf_putc(out, '_');
        break;
    case OPND_vector:
        print_items(function, o, "{}", out);
        break;
    case OPND_list:
        print_items(function, o, "()", out);
        break;
    case OPND_tex:
        print_items(function, o, "[]", out);
        break;
    case OPND_label:
        buf_puts(out, function->labels[o->label].name);
        break;
    case OPND_symbol:
        buf_puts(out, o->symbol->name);
        print_offset(o->offset, out);
        break;
    case OPND_addr:
        buf_putc(out, '[');
        if (o->base_kind == OPND_reg)
            buf_puts(out, function->regs[o->reg].name);
        else if (o->base_kind == OPND_symbol)
            buf_puts(out, o->symbol->name);
        else
            print_imm(o, out);
        print_offset(o->offset, out);
        buf_putc(out, ']');
        break;
    }
}

/* ---- instructions ---- */

static void print_opcode(const IrInsn *insn, Buf *out)
{
    const IrShape *shape = ir_shape(insn->op);
    unsigned type = 0;
    buf_puts(out, ir_op_info[insn->op].text);
    for (unsigned i = 0; i < shape->element_count; ++i) {
        const char *text = NULL;
        if (shape->elements[i].class == MC_NONE)
            text = type < insn->type_count ? type_text(insn->types[type++]) : NULL;
        else if (insn->mod[shape->elements[i].class])
            text = ir_mod_info[insn->mod[shape->elements[i].class]].text;
        if (text)
            buf_printf(out, ".%s", text);
    }
}

void ptx_print_insn(const IrModule *module, const IrFunction *function, const IrInsn *insn,
                    Buf *out)
{
    (void)module;
    const IrShape *shape = ir_shape(insn->op);
    if (insn->guard >= 0)
        buf_printf(out, "@%s%s ", insn->guard_negated ? "!" : "", function->regs[insn->guard].name);
    print_opcode(insn, out);
    const char *between = " ";
    for (unsigned i = 0; i < insn->operand_count; ++i) {
        const IrOperand *o = &insn->operands[i];
        if (o->kind == OPND_none || shape->roles[i].kind == ROLE_SAME)
            continue;
        buf_puts(out, shape->roles[i].pipe ? "|" : between);
        if (shape->roles[i].kind == ROLE_TABLE)
            buf_puts(out, function->tables[o->label].name);
        else
            print_operand(function, o, out);
        between = ", ";
    }
    buf_putc(out, ';');
}

/* ---- variables ---- */

static uint32_t element_size(const IrSymbol *symbol)
{
    return (ir_type_bits((IrType)symbol->type) + 7) / 8;
}

static void print_reloc(const IrReloc *reloc, Buf *out)
{
    if (reloc->byte)
        buf_printf(out, "0x%" PRIX64 "(", UINT64_C(0xff) << 8 * (reloc->byte - 1));
    buf_printf(out, reloc->generic ? "generic(%s)" : "%s", reloc->symbol->name);
    print_offset(reloc->addend, out);
    if (reloc->byte)
        buf_putc(out, ')');
}

static void print_element(const IrSymbol *symbol, uint64_t at, Buf *out)
{
    uint64_t bits = 0;
    uint32_t size = element_size(symbol);
    memcpy(&bits, symbol->init + at, size < 8 ? size : 8);
    if (symbol->type == TY_f32)
        buf_printf(out, "0f%08" PRIX64, bits);
    else if (symbol->type == TY_f64)
        buf_printf(out, "0d%016" PRIX64, bits);
    else
        buf_printf(out, "%" PRIu64, bits);
}

static void print_init(const IrSymbol *symbol, Buf *out)
{
    uint32_t step = element_size(symbol), next_reloc = 0;
    uint64_t end = symbol->size;
    while (end > step) { /* trailing zeros are implied */
        bool zero = true;
        for (uint64_t i = end - step; i < end; ++i)
            zero &= symbol->init[i] == 0;
        for (uint32_t r = 0; r < symbol->reloc_count; ++r)
            zero &= symbol->relocs[r].at + symbol->relocs[r].size <= end - step;
        if (!zero)
            break;
        end -= step;
    }
    bool braces = symbol->is_array || symbol->vec > 1;
    buf_puts(out, braces ? " = {" : " = ");
    for (uint64_t at = 0; at < end; at += step) {
        if (at)
            buf_puts(out, ", ");
        if (next_reloc < symbol->reloc_count && symbol->relocs[next_reloc].at == at)
            print_reloc(&symbol->relocs[next_reloc++], out);
        else
            print_element(symbol, at, out);
    }
    if (braces)
        buf_putc(out, '}');
}

static void print_declarator(const IrSymbol *symbol, Buf *out)
{
    if (symbol->is_texref) {
        buf_printf(out, ".texref %s", symbol->name);
        return;
    }
    if (symbol->space)
        buf_printf(out, ".align %u ", symbol->align);
    if (symbol->vec > 1)
        buf_printf(out, ".v%u ", symbol->vec);
    buf_printf(out, ".%s %s", type_text(symbol->type), symbol->name);
    if (symbol->is_array && symbol->size)
        buf_printf(out, "[%" PRIu64 "]", symbol->size / (element_size(symbol) * symbol->vec));
    else if (symbol->is_array)
        buf_puts(out, "[]");
}

static void print_variable(const IrSymbol *symbol, Buf *out)
{
    buf_printf(out, "%s.%s ", linkage_text(symbol->linkage), ir_mod_info[symbol->space].text);
    if (symbol->is_managed)
        buf_puts(out, ".attribute(.managed) ");
    print_declarator(symbol, out);
    if (symbol->init)
        print_init(symbol, out);
    buf_puts(out, ";\n");
}

/* ---- functions ---- */

static void print_params(IrSymbol *const *params, uint32_t count, Buf *out)
{
    buf_putc(out, '(');
    for (uint32_t i = 0; i < count; ++i) {
        buf_puts(out, i ? ", " : "");
        buf_puts(out, params[i]->space == MOD_param ? ".param " : ".reg ");
        print_declarator(params[i], out);
    }
    buf_putc(out, ')');
}

static void print_numbers(const char *name, const uint32_t *numbers, Buf *out)
{
    if (numbers[0])
        buf_printf(out, "\n%s %u, %u, %u", name, numbers[0], numbers[1], numbers[2]);
}

static void print_head(const IrSymbol *symbol, Buf *out)
{
    const IrFunction *f = symbol->function;
    buf_printf(out, "%s%s ", linkage_text(symbol->linkage), f->is_entry ? ".entry" : ".func");
    if (f->result_count) {
        print_params(f->results, f->result_count, out);
        buf_putc(out, ' ');
    }
    buf_puts(out, symbol->name);
    print_params(f->params, f->param_count, out);
    print_numbers(".maxntid", f->maxntid, out);
    print_numbers(".reqntid", f->reqntid, out);
    print_numbers(".reqnctapercluster", f->cluster, out);
    if (f->minnctapersm)
        buf_printf(out, "\n.minnctapersm %u", f->minnctapersm);
    if (f->maxnreg)
        buf_printf(out, "\n.maxnreg %u", f->maxnreg);
    if (f->noreturn)
        buf_puts(out, "\n.noreturn");
}

static void print_registers(const IrFunction *f, Buf *out)
{
    int32_t from = 0;
    for (uint32_t i = 0; f->param_regs && i < f->param_count; ++i)
        from += f->param_regs[i] >= 0;
    for (uint32_t i = 0; f->result_regs && i < f->result_count; ++i)
        from += f->result_regs[i] >= 0;
    for (int32_t i = from; i < f->reg_count; ++i) {
        bool same = i > from && f->regs[i].type == f->regs[i - 1].type;
        if (!same)
            buf_printf(out, "%s\t.reg .%s ", i > from ? ";\n" : "", type_text(f->regs[i].type));
        buf_printf(out, "%s%s", same ? ", " : "", f->regs[i].name);
    }
    if (f->reg_count > from)
        buf_puts(out, ";\n");
}

static void print_table(const IrFunction *f, const IrTable *table, Buf *out)
{
    if (table->prototype) {
        buf_printf(out, "\t%s: .callprototype ", table->name);
        if (table->prototype->result_count)
            print_params(table->prototype->results, table->prototype->result_count, out);
        buf_puts(out, " _ ");
        print_params(table->prototype->params, table->prototype->param_count, out);
        buf_puts(out, ";\n");
        return;
    }
    buf_printf(out, "\t%s: .branchtargets ", table->name);
    for (int32_t i = 0; i < table->label_count; ++i)
        buf_printf(out, "%s%s", i ? ", " : "", f->labels[table->labels[i]].name);
    buf_puts(out, ";\n");
}

static void print_body(const IrModule *module, const IrFunction *f, Buf *out)
{
    buf_puts(out, "\n{\n");
    print_registers(f, out);
    for (uint32_t i = 0; i < f->local_count; ++i) {
        buf_putc(out, '\t');
        print_variable(f->locals[i], out);
    }
    for (int32_t i = 0; i < f->table_count; ++i)
        print_table(f, &f->tables[i], out);
    int32_t label = 0, file = -1, line = 0;
    for (int32_t i = 0; i <= f->insn_count; ++i) {
        for (; label < f->label_count && f->labels[label].insn == i; ++label)
            buf_printf(out, "%s:\n", f->labels[label].name);
        if (i == f->insn_count)
            break;
        const IrInsn *insn = &f->insns[i];
        if (insn->loc_file != file || insn->loc_line != line) {
            file = insn->loc_file;
            line = insn->loc_line;
            buf_printf(out, "\t.loc %d %d 0\n", file >= 0 ? module->files[file].index : 0, line);
        }
        buf_putc(out, '\t');
        ptx_print_insn(module, f, insn, out);
        buf_putc(out, '\n');
    }
    buf_puts(out, "}\n");
}

void ptx_print(const IrModule *module, Buf *out)
{
    buf_printf(out, ".version %d.%d\n.target %s%s\n.address_size %d\n", module->version_major,
               module->version_minor, module->target, module->debug ? ", debug" : "",
               module->address_size);
    for (uint32_t i = 0; i < module->file_count; ++i)
        buf_printf(out, ".file %d \"%s\"\n", module->files[i].index, module->files[i].name);
    for (uint32_t i = 0; i < module->symbol_count; ++i) {
        const IrSymbol *symbol = module->symbols[i];
        if (symbol->kind == SYM_VARIABLE) {
            print_variable(symbol, out);
            continue;
        }
        print_head(symbol, out);
        if (symbol->function->is_entry && !symbol->function->is_extern)
            print_body(module, symbol->function, out);
        else
            buf_puts(out, ";\n");
    }
    for (uint32_t i = 0; i < module->symbol_count; ++i) {
        const IrSymbol *symbol = module->symbols[i];
        const IrFunction *f = symbol->function;
        if (symbol->kind != SYM_FUNCTION || f->is_entry || f->is_extern ||
            strcmp(f->name, symbol->name) != 0)
            continue;
        print_head(symbol, out);
        print_body(module, f, out);
    }
    for (uint32_t i = 0; i < module->symbol_count; ++i) {
        const IrSymbol *symbol = module->symbols[i];
        if (symbol->kind == SYM_FUNCTION && strcmp(symbol->function->name, symbol->name) != 0)
            buf_printf(out, ".alias %s, %s;\n", symbol->name, symbol->function->name);
    }
}
