/* SPDX-License-Identifier: Apache-2.0
 * The verifier. Types agree as PTX says: a bit type goes with every class of its width, signed with
 * unsigned; ld, st and cvt also take wider integer registers. Works from the operand column of
 * ops.def plus the few rules that no column can say. Does not judge what a target (sm_*) offers. */
#include "ir/verify.h"
#include "ir/shape.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const IrModule *module;
    const IrFunction *function;
    const IrInsn *insn;
    Diags *diags;
    int errors;
} Verify;

enum { MAX_ERRORS = 20 };

static void wrong(Verify *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void wrong(Verify *v, const char *format, ...)
{
    if (++v->errors > MAX_ERRORS)
        return;
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    diag_add(v->diags, DIAG_ERROR, v->module->name, v->insn ? v->insn->line : v->function->line, 0,
             "%s%s%s in '%s'", v->insn ? ir_op_info[v->insn->op].text : "", v->insn ? ": " : "",
             text, v->function->name);
    free(text);
}

static const char *type_text(unsigned type)
{
    return ir_type_info[type].text;
}

static unsigned class_of(unsigned type)
{
    return ir_type_info[type].class;
}

static unsigned bits_of(unsigned type)
{
    return ir_type_info[type].bits;
}

static bool is_int(unsigned class)
{
    return class == TC_SIGNED || class == TC_UNSIGNED;
}

/* A register of type `reg` where the instruction says `type`. */
static bool types_agree(unsigned reg, unsigned type, bool wider)
{
    unsigned a = class_of(reg), b = class_of(type);
    if (a == TC_PRED || b == TC_PRED)
        return a == b;
    bool whole = (is_int(a) || a == TC_BITS) && (is_int(b) || b == TC_BITS);
    if (wider && bits_of(reg) > bits_of(type) && whole)
        return true;
    if (bits_of(reg) != bits_of(type))
        return false;
    if (a == TC_BITS || b == TC_BITS)
        return true;
    if (a == TC_FLOAT || b == TC_FLOAT)
        return reg == type;
    return true;
}

static bool takes_wider(const IrInsn *insn)
{
    switch (insn->op) {
    case OP_ld:
    case OP_ldu:
    case OP_st:
    case OP_suld:
    case OP_sust:
    case OP_cvt:
        return true;
    default:
        return false;
    }
}

static void check_register(Verify *v, const IrOperand *o, unsigned type)
{
    unsigned reg = v->function->regs[o->reg].type;
    unsigned class = class_of(type);
    bool wider = takes_wider(v->insn);
    /* one-byte floats and tf32 lie in wider bit registers */
    if (class == TC_FLOAT && (bits_of(type) < 16 || type == TY_tf32) && class_of(reg) != TC_FLOAT)
        return;
    if (!types_agree(reg, type, wider))
        wrong(v, "register %s is .%s, .%s expected", v->function->regs[o->reg].name, type_text(reg),
              type_text(type));
}

static void check_immediate(Verify *v, const IrOperand *o, unsigned type)
{
    unsigned class = class_of(type);
    if (o->is_float && class != TC_FLOAT && class != TC_BITS)
        wrong(v, "floating-point constant where .%s is expected", type_text(type));
    if (!o->is_float && class == TC_FLOAT)
        wrong(v, "whole-number constant where .%s is expected", type_text(type));
    if (o->is_float && class == TC_FLOAT && type != TY_f32 && type != TY_f64)
        wrong(v, "constant where a register of type .%s is expected", type_text(type));
}

/* A scalar place of the given type. */
static void check_scalar(Verify *v, const IrOperand *o, unsigned type, bool dest)
{
    if (o->negated && (dest || class_of(type) != TC_PRED) && !ir_video_parts(v->insn->op))
        wrong(v, "only a predicate that is read may be negated with '!'");
    switch (o->kind) {
    case OPND_reg:
        check_register(v, o, type);
        return;
    case OPND_sink:
        if (!dest)
            wrong(v, "'_' cannot be read");
        return;
    case OPND_imm:
        if (dest)
            wrong(v, "a constant cannot be written");
        else
            check_immediate(v, o, type);
        return;
    case OPND_sreg:
        if (dest)
            wrong(v, "special register %s cannot be written", ir_sreg_info[o->sreg].text);
        else if (!types_agree(ir_sreg_info[o->sreg].type, type,
                              takes_wider(v->insn) || v->insn->op == OP_mov))
            wrong(v, "special register %s is .%s, .%s expected", ir_sreg_info[o->sreg].text,
                  type_text(ir_sreg_info[o->sreg].type), type_text(type));
        return;
    case OPND_symbol:
        if (dest || bits_of(type) < 32 || class_of(type) == TC_FLOAT)
            wrong(v, "the address of '%s' cannot stand here", o->symbol->name);
        return;
    default:
        wrong(v, "a scalar of type .%s is expected", type_text(type));
    }
}

static unsigned vec_count(const IrInsn *insn)
{
    switch (insn->mod[MC_VEC]) {
    case MOD_v2:
        return 2;
    case MOD_v4:
        return 4;
    case MOD_v8:
        return 8;
    default:
        return 1;
    }
}

static unsigned register_bits(const Verify *v, const IrOperand *o)
{
    return o->kind == OPND_reg ? bits_of(v->function->regs[o->reg].type) : 0;
}

/* mov.b64 {a, b}, c: the parts have equal widths that add up. */
static void check_pack(Verify *v, const IrOperand *o, unsigned type, bool dest)
{
    unsigned count = o->count, part = count ? bits_of(type) / count : 0;
    if (count != 2 && count != 4 && count != 8) {
        wrong(v, "a vector of 2 or 4 parts is expected, not %u", count);
        return;
    }
    for (unsigned i = 0; i < count; ++i) {
        const IrOperand *item = &o->items[i];
        unsigned bits = register_bits(v, item);
        bool ok = item->kind == OPND_sink ? dest : item->kind == OPND_imm ? !dest : bits == part;
        if (!ok)
            wrong(v, "part %u of the vector must have %u bits", i + 1, part);
    }
}

static bool is_matrix(const IrInsn *insn)
{
    return ir_op_info[insn->op].effects & FX_MATRIX;
}

/* Instructions whose addresses lie in different spaces. */
static bool has_two_spaces(const IrInsn *insn)
{
    switch (insn->op) {
    case OP_cp_async:
    case OP_bulk:
    case OP_bulk_group:
    case OP_bulk_reduce:
    case OP_bulk_reduce_group:
        return true;
    default:
        return false;
    }
}

/* The elements of tex.grad's derivatives: one per dimension, filled up to four. */
static unsigned derivatives(const IrInsn *insn)
{
    switch (insn->mod[MC_GEOM]) {
    case MOD_d1:
    case MOD_a1d:
        return 1;
    case MOD_d2:
    case MOD_a2d:
        return 2;
    default:
        return 4;
    }
}

/* [object, {coordinates}]: words all. */
static void check_texture(Verify *v, const IrOperand *o)
{
    if (o->kind != OPND_tex) {
        wrong(v, "a texture address is expected");
        return;
    }
    const IrOperand *at = &o->items[o->count - 1];
    for (unsigned k = 0; k < ir_count(at); k++) {
        const IrOperand *item = ir_item(at, k);
        if (item->kind == OPND_reg && register_bits(v, item) != 32)
            wrong(v, "coordinate %u is no 32-bit register", k + 1);
        else if (item->kind != OPND_reg && item->kind != OPND_imm)
            wrong(v, "coordinate %u must be a register or a number", k + 1);
    }
}

static void check_vector(Verify *v, const IrOperand *o, unsigned type, bool dest)
{
    if (is_matrix(v->insn))
        return;
    if (v->insn->op == OP_mov && o->kind == OPND_vector) {
        check_pack(v, o, type, dest);
        return;
    }
    unsigned count =
        v->insn->op == OP_tex_grad && !dest ? derivatives(v->insn) : vec_count(v->insn);
    if (count == 1 && o->kind != OPND_vector) {
        check_scalar(v, o, type, dest);
        return;
    }
    if (o->kind != OPND_vector || o->count != count) {
        wrong(v, "a vector of %u elements is expected", count);
        return;
    }
    for (unsigned i = 0; i < o->count; ++i)
        check_scalar(v, &o->items[i], type, dest);
}

static void check_address(Verify *v, const IrOperand *o)
{
    if (o->kind != OPND_addr) {
        wrong(v, "an address in brackets is expected");
        return;
    }
    IrMod space = ir_space(v->insn);
    bool narrow = space == MOD_shared || space == MOD_local || space == MOD_const ||
                  space == MOD_param || is_matrix(v->insn) || has_two_spaces(v->insn);
    if (o->base_kind == OPND_reg) {
        unsigned reg = v->function->regs[o->reg].type;
        bool whole = is_int(class_of(reg)) || class_of(reg) == TC_BITS;
        if (!whole || (bits_of(reg) != 64 && !(bits_of(reg) == 32 && narrow)))
            wrong(v, "address register %s is .%s, a 64-bit integer is expected",
                  v->function->regs[o->reg].name, type_text(reg));
    } else if (o->base_kind == OPND_symbol) {
        const IrSymbol *symbol = o->symbol;
        if (symbol->kind == SYM_FUNCTION)
            wrong(v, "'%s' is a function, not a variable", symbol->name);
        else if (space && !has_two_spaces(v->insn) && symbol->space != space)
            wrong(v, "'%s' lies in .%s, not in .%s", symbol->name, ir_mod_info[symbol->space].text,
                  ir_mod_info[space].text);
        else if (!space && (symbol->space == MOD_shared || symbol->space == MOD_local) &&
                 !is_matrix(v->insn))
            wrong(v, "'%s' lies in .%s; a generic access needs cvta", symbol->name,
                  ir_mod_info[symbol->space].text);
    }
}

/* ---- calls ---- */

static void check_call_list(Verify *v, const IrOperand *list, IrSymbol *const *params,
                            uint32_t count, const char *what)
{
    uint32_t given = list->kind == OPND_list ? list->count : 0;
    bool variadic = count && params[count - 1]->is_array && params[count - 1]->size == 0;
    if (given != count && !(variadic && given + 1 == count)) {
        wrong(v, "%u %s given, %u expected", given, what, count);
        return;
    }
    for (uint32_t i = 0; i < given; ++i) {
        const IrOperand *item = &list->items[i];
        uint64_t size = params[i]->size;
        if (item->kind == OPND_symbol) {
            if (item->symbol->space != MOD_param)
                wrong(v, "'%s' is not in .param", item->symbol->name);
            else if (size && item->symbol->size < size)
                wrong(v, "'%s' has %llu bytes, the %s number %u has %llu", item->symbol->name,
                      (unsigned long long)item->symbol->size, what, i + 1,
                      (unsigned long long)size);
        } else if (item->kind == OPND_reg && params[i]->type != TY_pred) {
            if (register_bits(v, item) != size * 8)
                wrong(v, "register %s does not fit the %s number %u",
                      v->function->regs[item->reg].name, what, i + 1);
        } else if (item->kind != OPND_imm && item->kind != OPND_reg && item->kind != OPND_sink)
            wrong(v, "%s number %u must be a .param variable, a register or a constant", what,
                  i + 1);
    }
}

static void check_call(Verify *v)
{
    const IrOperand *o = v->insn->operands;
    const IrFunction *target = o[1].kind == OPND_func ? o[1].symbol->function : NULL;
    if (o[3].kind == OPND_label) {
        const IrTable *table = &v->function->tables[o[3].label];
        if (!target)
            target = table->prototype;
        if (!table->prototype && table->labels)
            wrong(v, "'%s' is no prototype", table->name);
    } else if (o[1].kind == OPND_reg) {
        wrong(v, "an indirect call needs a prototype");
        return;
    }
    if (o[1].kind == OPND_reg && register_bits(v, &o[1]) != 64)
        wrong(v, "a function address has 64 bits");
    if (!target)
        return;
    if (target->is_entry && o[1].kind == OPND_func)
        wrong(v, "kernel '%s' cannot be called", target->name);
    check_call_list(v, &o[0], target->results, target->result_count, "results");
    check_call_list(v, &o[2], target->params, target->param_count, "arguments");
}

/* ---- modifiers ---- */

static bool is_compare_legal(unsigned compare, unsigned type)
{
    unsigned class = class_of(type);
    switch (compare) {
    case MOD_eq:
    case MOD_ne:
        return true;
    case MOD_lt:
    case MOD_le:
    case MOD_gt:
    case MOD_ge:
        return class != TC_BITS;
    case MOD_lo_:
    case MOD_ls:
    case MOD_hi_:
    case MOD_hs:
        return class == TC_UNSIGNED;
    default:
        return class == TC_FLOAT;
    }
}

static void need(Verify *v, bool condition, const char *what)
{
    if (!condition)
        wrong(v, "%s for type .%s", what, type_text(v->insn->types[0]));
}

static void check_cvt(Verify *v)
{
    const IrInsn *insn = v->insn;
    unsigned to = insn->types[0], from = insn->types[1], rnd = insn->mod[MC_RND];
    bool to_float = class_of(to) == TC_FLOAT, from_float = class_of(from) == TC_FLOAT;
    bool whole = rnd == MOD_rni || rnd == MOD_rzi || rnd == MOD_rmi || rnd == MOD_rpi;
    if (class_of(to) == TC_PRED || class_of(from) == TC_PRED || bits_of(to) == 128)
        wrong(v, "no conversion from .%s to .%s", type_text(from), type_text(to));
    if (from_float && !to_float && !whole)
        wrong(v, "float to integer needs .rni, .rzi, .rmi or .rpi");
    else if (!from_float && to_float && (!rnd || whole))
        wrong(v, "integer to float needs .rn, .rz, .rm or .rp");
    else if (from_float && to_float && !rnd && bits_of(to) < bits_of(from) && bits_of(to) >= 16)
        wrong(v, "a narrowing conversion needs a rounding");
    else if (from_float && to_float && whole && to != from)
        wrong(v, "rounding to a whole number keeps the type");
    else if (!from_float && !to_float && rnd)
        wrong(v, "integer conversions do not round");
    bool packed = to == TY_f16x2 || to == TY_bf16x2 || to == TY_e4m3x2 || to == TY_e5m2x2;
    bool pair = packed && from == TY_f32;
    if (pair != (insn->operand_count == 3))
        wrong(v, pair ? "two sources are expected" : "one source is expected");
}

/* A part of a word or, of SIMD instructions, the order of elements that a source takes them in and
 * the elements of the result that are written, from the highest. */
static bool is_part_legal(const IrInsn *insn, const IrOperand *o, bool dest)
{
    unsigned n = ir_video_parts(insn->op), count = ir_part_count(o->part);
    unsigned elements = o->part & IR_PART_HALVES ? 2 : 4;
    if (!o->part)
        return true;
    if (n > 1 && (elements != n || (!dest && count != n)))
        return false;
    if (n == 1 && count > 1)
        return false;
    unsigned end = n > 1 && !dest ? 2 * n : elements;
    for (unsigned i = 0; i < count; ++i)
        if (ir_part_digit(o->part, i) >= end ||
            (dest && i && ir_part_digit(o->part, i) <= ir_part_digit(o->part, i - 1)))
            return false;
    return true;
}

static void check_video(Verify *v)
{
    const IrInsn *insn = v->insn;
    const uint16_t *mod = insn->mod;
    const IrOperand *o = insn->operands;
    unsigned n = ir_video_parts(insn->op);
    bool merges = n == 1 && o[0].part, third = insn->operand_count > 3;
    for (unsigned i = 1; i < insn->type_count; ++i)
        if (insn->types[i] != TY_u32 && insn->types[i] != TY_s32)
            wrong(v, "type .%s is not allowed", type_text(insn->types[i]));
    for (unsigned i = 0; i < insn->operand_count; ++i) {
        if (!is_part_legal(insn, &o[i], i == 0))
            wrong(v, "operand %u has no such part", i + 1);
        if (o[i].negated && insn->op != OP_vmad)
            wrong(v, "operand %u cannot be negated", i + 1);
        if (n > 1 && (i == 1 || i == 2) && o[i].kind != OPND_reg)
            wrong(v, "operand %u must be a register", i + 1);
    }
    if (n > 1 && mod[MC_SECOP] && mod[MC_SECOP] != MOD_sec_add)
        wrong(v, ".%s is not allowed", ir_mod_info[mod[MC_SECOP]].text);
    if (mod[MC_SECOP] && (n > 1 ? mod[MC_SAT] != 0 : merges))
        wrong(v, ".%s does not go with %s", ir_mod_info[mod[MC_SECOP]].text,
              n > 1 ? ".sat" : "a part of the destination");
    if ((mod[MC_SECOP] || merges) && !third)
        wrong(v, "operand 4 is missing");
    if ((insn->op == OP_vshl || insn->op == OP_vshr) && insn->types[2] != TY_u32)
        wrong(v, "the shift amount must be .u32");
    if (mod[MC_CMP] && (mod[MC_CMP] < MOD_eq || mod[MC_CMP] > MOD_ge))
        wrong(v, "comparison .%s is not allowed", ir_mod_info[mod[MC_CMP]].text);
    if (insn->op == OP_vmad && third) {
        bool product = o[1].negated != o[2].negated, any = product || o[1].negated || o[3].negated;
        if ((product && o[3].negated) || (mod[MC_PO] && any))
            wrong(v, "either the product or operand 4 may be negated, and neither with .po");
    }
}

static void check_modifiers(Verify *v)
{
    const IrInsn *insn = v->insn;
    const uint16_t *mod = insn->mod;
    unsigned type = insn->type_count ? insn->types[0] : TY_none;
    if (insn->type_count && !(ir_legal_types(insn->op) >> type & 1))
        wrong(v, "type .%s is not allowed", type_text(type));
    if (ir_video_parts(insn->op))
        check_video(v);
    switch (insn->op) {
    case OP_add_i:
    case OP_sub_i:
        need(v, !mod[MC_SAT] || type == TY_s32, ".sat is not allowed");
        need(v, !mod[MC_CC] || bits_of(type) >= 32, ".cc is not allowed");
        break;
    case OP_mul_i:
    case OP_mad_i:
        need(v, mod[MC_MUL] != MOD_wide || bits_of(type) <= 32, ".wide is not allowed");
        need(v, !mod[MC_SAT] || (type == TY_s32 && mod[MC_MUL] == MOD_hi), ".sat is not allowed");
        need(v, !mod[MC_CC] || (bits_of(type) >= 32 && mod[MC_MUL] != MOD_wide),
             ".cc is not allowed");
        break;
    case OP_madc:
    case OP_mul24:
    case OP_mad24:
        need(v, mod[MC_MUL] != MOD_wide, ".wide is not allowed");
        break;
    case OP_fma:
        need(v, mod[MC_RND] <= MOD_rp, "this rounding is not allowed");
        break;
    case OP_add_f:
    case OP_sub_f:
    case OP_mul_f:
    case OP_mad_f:
        need(v, mod[MC_RND] == 0 || mod[MC_RND] <= MOD_rp, "this rounding is not allowed");
        break;
    case OP_div_f:
    case OP_rcp:
    case OP_sqrt:
        need(v, (mod[MC_APPROX] != 0) + (mod[MC_RND] != 0) == 1,
             "one of .approx, .full or a rounding is needed");
        break;
    case OP_setp:
    case OP_set: {
        unsigned compared = insn->op == OP_set ? insn->types[1] : type;
        if (!is_compare_legal(mod[MC_CMP], compared))
            wrong(v, "comparison .%s is not allowed for type .%s", ir_mod_info[mod[MC_CMP]].text,
                  type_text(compared));
        bool combines = insn->operand_count > 0 &&
                        insn->operands[insn->operand_count - 1].kind != OPND_none &&
                        insn->operand_count == ir_shape(insn->op)->role_count;
        if (combines != (mod[MC_BOOL] != 0))
            wrong(v, combines ? ".and, .or or .xor is missing"
                              : "the predicate to combine with is "
                                "missing");
        break;
    }
    case OP_cvt:
        check_cvt(v);
        break;
    case OP_atom: {
        bool cas = mod[MC_ATOM] == MOD_cas;
        if (cas != (insn->operand_count > 3 && insn->operands[3].kind != OPND_none))
            wrong(v, cas ? ".cas needs the value to compare with and the new one"
                         : "one operand too many");
        break;
    }
    default:
        break;
    }
}

/* ---- instructions ---- */

static void check_operand(Verify *v, const IrRole *role, const IrOperand *o)
{
    const IrInsn *insn = v->insn;
    if (o->part && !role->parts)
        wrong(v, "no part of register %s can stand here", v->function->regs[o->reg].name);
    switch ((IrRoleKind)role->kind) {
    case ROLE_TYPE:
        if (role->index < insn->type_count)
            check_scalar(v, o, insn->types[role->index], role->dest);
        break;
    case ROLE_WIDE: {
        unsigned type = insn->types[0];
        if (insn->mod[MC_MUL] == MOD_wide)
            type = bits_of(type) == 16 ? (class_of(type) == TC_SIGNED ? TY_s32 : TY_u32)
                                       : (class_of(type) == TC_SIGNED ? TY_s64 : TY_u64);
        check_scalar(v, o, type, role->dest);
        break;
    }
    case ROLE_FIXED:
        check_scalar(v, o, role->fixed, role->dest);
        break;
    case ROLE_PRED:
        check_scalar(v, o, TY_pred, role->dest);
        break;
    case ROLE_VECTOR:
        check_vector(v, o, insn->types[role->index], role->dest);
        break;
    case ROLE_ADDRESS:
        check_address(v, o);
        break;
    case ROLE_CONST:
        if (o->kind != OPND_imm || o->is_float)
            wrong(v, "a whole-number constant is expected");
        break;
    case ROLE_SAME:
        break;
    case ROLE_TEXTURE:
        check_texture(v, o);
        break;
    case ROLE_OFFSET:
        for (unsigned k = 0; k < ir_count(o); k++)
            check_scalar(v, ir_item(o, k), TY_b32, false);
        break;
    case ROLE_LABEL:
        if (o->kind != OPND_label || o->label < 0 || o->label >= v->function->label_count)
            wrong(v, "a label is expected");
        break;
    case ROLE_TABLE:
        if (o->kind != OPND_label || o->label < 0 || o->label >= v->function->table_count)
            wrong(v, "a table of labels or a prototype is expected");
        else if (insn->op == OP_brx && !v->function->tables[o->label].labels)
            wrong(v, "'%s' is no table of labels", v->function->tables[o->label].name);
        break;
    case ROLE_FUNCTION:
    case ROLE_RESULTS:
    case ROLE_ARGUMENTS:
        break; /* check_call */
    }
}

static void check_insn(Verify *v)
{
    const IrInsn *insn = v->insn;
    const IrShape *shape = ir_shape(insn->op);
    if (insn->guard >= 0 && v->function->regs[insn->guard].type != TY_pred)
        wrong(v, "guard %s is not a predicate", v->function->regs[insn->guard].name);
    for (unsigned i = 0; i < shape->role_count; ++i) {
        const IrOperand *o = &insn->operands[i];
        if (i >= insn->operand_count || o->kind == OPND_none) {
            if (!shape->roles[i].optional)
                wrong(v, "operand %u is missing", i + 1);
            continue;
        }
        if (insn->op == OP_cvt && i == 2 && class_of(insn->types[1]) == TC_BITS)
            continue;
        if (insn->op == OP_cp_async && i == 3 && o->kind == OPND_reg &&
            v->function->regs[o->reg].type == TY_pred)
            continue; /* true: zeros instead of the source */
        check_operand(v, &shape->roles[i], o);
    }
    if (insn->op == OP_call)
        check_call(v);
    check_modifiers(v);
}

static void check_tables(Verify *v)
{
    for (int32_t t = 0; t < v->function->table_count; ++t)
        for (int32_t i = 0; i < v->function->tables[t].label_count; ++i) {
            int32_t label = v->function->tables[t].labels[i];
            if (label < 0 || label >= v->function->label_count)
                wrong(v, "entry %d of '%s' is no label", i + 1, v->function->tables[t].name);
        }
}

bool ir_verify(const IrModule *module, Diags *diags)
{
    Verify v = {.module = module, .diags = diags};
    for (uint32_t f = 0; f < module->function_count; ++f) {
        v.function = module->functions[f];
        v.insn = NULL;
        check_tables(&v);
        for (int32_t i = 0; i < v.function->insn_count; ++i) {
            v.insn = &v.function->insns[i];
            check_insn(&v);
        }
    }
    if (v.errors > MAX_ERRORS)
        diag_add(diags, DIAG_NOTE, module->name, 0, 0, "and %d more errors", v.errors - MAX_ERRORS);
    return v.errors == 0;
}
