/* SPDX-License-Identifier: Apache-2.0
 * Expands cases.def, finds each opcode's row, and writes kernels that run many cases at once: every
 * thread reads its operands, executes, and stores the result of case k at out[k * OUTS][lane]. */
#include "ops.h"
#include "ir/shape.h"
#include "ptx/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opcodes ---- */

static void find_opcode(const char *opcode, IrInsn *insn)
{
    Diags diags;
    diags_init(&diags);
    Parser *p = xcalloc(1, sizeof *p);
    p->module = ir_module_new("cases.def");
    p->arena = p->module->arena;
    p->scratch = arena_new();
    p->diags = &diags;
    p->lexer.line_start = opcode;
    Token word = {.kind = T_WORD, .start = opcode, .bytes = (uint32_t)strcspn(opcode, " "), .line = 1};
    if (!opcode_find(p, &word, insn)) {
        diags_print(&diags, stderr);
        abort();
    }
    arena_free(p->scratch);
    ir_module_free(p->module);
    free(p);
    diags_fini(&diags);
}

static bool is_left_out(const OpsCase *test, const IrShape *shape, unsigned role)
{
    const IrInsn *insn = &test->insn;
    if (!shape->roles[role].optional)
        return false;
    if (test->written)
        return role >= test->written;
    bool pair = insn->types[0] == TY_f16x2 || insn->types[0] == TY_bf16x2 ||
                insn->types[0] == TY_e4m3x2 || insn->types[0] == TY_e5m2x2;
    switch (insn->op) {
    case OP_setp: {
        bool half = insn->types[0] == TY_f16 || insn->types[0] == TY_bf16; /* no second result */
        return shape->roles[role].pipe ? half : !insn->mod[MC_BOOL];
    }
    case OP_set:
    case OP_lop3:
        return !insn->mod[MC_BOOL];
    case OP_cvt:
        return !(pair && insn->types[1] == TY_f32);
    case OP_cvt_pack:
        return insn->type_count < 3;
    default:
        return true;
    }
}

static unsigned wider(unsigned type)
{
    bool is_signed = ir_type_info[type].class == TC_SIGNED;
    return ir_type_info[type].bits == 16 ? (is_signed ? TY_s32 : TY_u32)
                                         : (is_signed ? TY_s64 : TY_u64);
}

static unsigned role_type(const IrInsn *insn, const IrRole *role)
{
    switch ((IrRoleKind)role->kind) {
    case ROLE_WIDE:
        return insn->mod[MC_MUL] == MOD_wide ? wider(insn->types[0]) : insn->types[0];
    case ROLE_FIXED:
        return role->fixed;
    case ROLE_PRED:
        return TY_pred;
    default:
        return insn->types[role->index];
    }
}

static OpsDomain domain_of(const IrInsn *insn, const IrRole *role, unsigned type, unsigned position)
{
    if (insn->op == OP_sin || insn->op == OP_cos)
        return DOM_ANGLE;
    if (insn->op == OP_fns && position > 0)
        return DOM_SMALL;
    if (role->kind == ROLE_FIXED && role->fixed == TY_u32)
        return DOM_SHIFT;
    return ops_domain(type);
}

/* "d.b1 -a.h0 b c" */
static void read_operands(OpsCase *test, Arena *arena, const char *text)
{
    for (; *text; ++test->written) {
        text += strspn(text, " ");
        test->negated[test->written] = *text == '-';
        text += *text == '-';
        size_t n = strcspn(text, " "), name = strcspn(text, ". ");
        test->part[test->written] =
            n > name ? arena_strndup(arena, text + name + 1, n - name - 1) : "";
        text += n;
    }
}

static void add_case(OpsCases *cases, Arena *arena, const char *opcode, const IrInsn *insn,
                     uint32_t imm, const char *suffix)
{
    const IrShape *shape = ir_shape(insn->op);
    OpsCase test = {.name = arena_printf(arena, "%s%s", opcode, suffix), .insn = *insn, .imm = imm};
    if (ir_video_parts(insn->op))
        read_operands(&test, arena, opcode + strcspn(opcode, " "));
    for (unsigned r = 0; r < shape->role_count; ++r) {
        const IrRole *role = &shape->roles[r];
        if (is_left_out(&test, shape, r) || role->kind == ROLE_CONST)
            continue;
        unsigned type = role_type(insn, role);
        if (role->dest)
            test.out_type[test.out_count++] =
                (uint8_t)(ir_type_info[type].bits == 8 ? TY_b32 : type);
        else {
            test.in_domain[test.in_count] = (uint8_t)domain_of(insn, role, type, test.in_count);
            test.in_type[test.in_count++] = (uint8_t)(ir_type_info[type].bits == 8 ? TY_b32 : type);
        }
    }
    VEC_PUSH(*cases, test);
}

/* cvt.sat between integers exists only where it can change something. */
static bool is_idle_saturation(const IrInsn *insn)
{
    if (insn->op != OP_cvt || !insn->mod[MC_SAT])
        return false;
    const IrTypeInfo *to = &ir_type_info[insn->types[0]], *from = &ir_type_info[insn->types[1]];
    if (to->class == TC_FLOAT || from->class == TC_FLOAT)
        return false;
    bool same_sign = to->class == from->class;
    return from->class == TC_SIGNED ? same_sign && to->bits >= from->bits
                                    : to->bits >= from->bits + !same_sign;
}

static void add_opcode(OpsCases *cases, Arena *arena, const char *opcode)
{
    IrInsn insn;
    find_opcode(opcode, &insn);
    if (is_idle_saturation(&insn))
        return;
    if (insn.op != OP_lop3) {
        add_case(cases, arena, opcode, &insn, 0, "");
        return;
    }
    add_case(cases, arena, opcode, &insn, 0xe8, " 0xE8");
    add_case(cases, arena, opcode, &insn, 0x96, " 0x96");
    add_case(cases, arena, opcode, &insn, 0x1b, " 0x1B");
}

/* "a{b,c}d" to abd, acd; the first brace, then the rest. */
static void expand(OpsCases *cases, Arena *arena, const char *text)
{
    const char *open = strchr(text, '{');
    if (!open) {
        add_opcode(cases, arena, text);
        return;
    }
    const char *close = strchr(open, '}');
    for (const char *at = open + 1; at <= close;) {
        const char *end = at;
        while (*end != ',' && *end != '}')
            ++end;
        char *one =
            xasprintf("%.*s%.*s%s", (int)(open - text), text, (int)(end - at), at, close + 1);
        expand(cases, arena, one);
        free(one);
        at = end + 1;
    }
}

void ops_cases(OpsCases *cases, Arena *arena)
{
#define CASES(text) expand(cases, arena, text);
#include "cases.def"
#undef CASES
}

/* ---- kernels ---- */

static unsigned width(unsigned type)
{
    return ir_type_info[type].bits;
}

static void load_operand(const OpsCase *test, unsigned i, Buf *out)
{
    unsigned type = test->in_type[i];
    unsigned offset = (test->in_domain[i] * (unsigned)OPS_MAX_IN + i) * OPS_LANES * 8;
    if (type == TY_pred)
        buf_printf(out, "ld.global.b32 t, [in+%u];\nsetp.ne.b32 i%u, t, 0;\n", offset, i);
    else
        buf_printf(out, "ld.global.b%u i%u, [in+%u];\n", width(type), i, offset);
}

static void put_instruction(const OpsCase *test, Buf *out)
{
    const IrShape *shape = ir_shape(test->insn.op);
    unsigned in = 0, dest = 0;
    buf_printf(out, "%.*s", (int)strcspn(test->name, " "), test->name);
    const char *between = " ";
    for (unsigned r = 0; r < shape->role_count; ++r) {
        const IrRole *role = &shape->roles[r];
        if (is_left_out(test, shape, r))
            continue;
        buf_puts(out, role->pipe ? "|" : between);
        if (role->kind == ROLE_CONST) {
            buf_printf(out, "0x%x", test->imm);
        } else {
            buf_printf(out, "%s%c%u", test->written && test->negated[r] ? "-" : "",
                       role->dest ? 'o' : 'i', role->dest ? dest++ : in++);
            if (test->written && *test->part[r])
                buf_printf(out, ".%s", test->part[r]);
        }
        between = ", ";
    }
    buf_puts(out, ";\n");
}

static void put_register(unsigned type, char letter, unsigned i, Buf *out)
{
    if (type == TY_pred)
        buf_printf(out, ".reg .pred %c%u;\n", letter, i);
    else
        buf_printf(out, ".reg .b%u %c%u;\n", width(type), letter, i);
}

static void put_case(const OpsCase *test, unsigned index, Buf *out)
{
    buf_puts(out, "{\n.reg .b32 t;\n");
    for (unsigned i = 0; i < test->in_count; ++i)
        put_register(test->in_type[i], 'i', i, out);
    for (unsigned i = 0; i < test->out_count; ++i)
        put_register(test->out_type[i], 'o', i, out);
    for (unsigned i = 0; i < test->in_count; ++i)
        load_operand(test, i, out);
    put_instruction(test, out);
    for (unsigned i = 0; i < test->out_count; ++i) {
        unsigned offset = (index * (unsigned)OPS_MAX_OUT + i) * OPS_LANES * 8;
        if (test->out_type[i] == TY_pred)
            buf_printf(out, "selp.b32 t, 1, 0, o%u;\nst.global.b32 [out+%u], t;\n", i, offset);
        else
            buf_printf(out, "st.global.b%u [out+%u], o%u;\n", width(test->out_type[i]), offset, i);
    }
    buf_puts(out, "}\n");
}

void ops_kernel(const OpsCase *cases, unsigned count, Buf *out)
{
    buf_puts(out, ".version 8.3\n.target sm_90\n.address_size 64\n"
                  ".visible .entry k(.param .u64 param_in, .param .u64 param_out)\n{\n"
                  ".reg .b32 x, y, z;\n.reg .b64 in, out, at;\n"
                  "mov.u32 x, %ctaid.x;\nmov.u32 y, %ntid.x;\nmov.u32 z, %tid.x;\n"
                  "mad.lo.u32 x, x, y, z;\nmul.wide.u32 at, x, 8;\n"
                  "ld.param.u64 in, [param_in];\nadd.s64 in, in, at;\n"
                  "ld.param.u64 out, [param_out];\nadd.s64 out, out, at;\n");
    for (unsigned i = 0; i < count; ++i)
        put_case(&cases[i], i, out);
    buf_puts(out, "ret;\n}\n");
}
