/* SPDX-License-Identifier: Apache-2.0
 * Operands are registers named after their width: b16_0, b32_1, f64_2, p0; addresses [b64_9]. */
#include "ptx_text.h"
#include "ir/shape.h"

static void put_register(unsigned type, unsigned n, Buf *out)
{
    unsigned bits = ir_type_info[type].bits;
    if (ir_type_info[type].class == TC_PRED)
        buf_printf(out, "p%u", n);
    else
        buf_printf(out, "b%u_%u", bits < 16 ? 16 : bits, n);
}

static void put_vector(const IrInsn *insn, unsigned type, unsigned n, unsigned count, Buf *out)
{
    (void)insn;
    if (count == 1) {
        put_register(type, n, out);
        return;
    }
    buf_putc(out, '{');
    for (unsigned i = 0; i < count; ++i) {
        buf_puts(out, i ? ", " : "");
        put_register(type, i, out);
    }
    buf_putc(out, '}');
}

static void put_role(const IrInsn *insn, const IrRole *role, unsigned n, Buf *out)
{
    unsigned vec = insn->mod[MC_VEC] == MOD_v2 ? 2 : insn->mod[MC_VEC] == MOD_v4 ? 4 : 1;
    unsigned wide = ir_type_info[insn->types[0]].bits == 16 ? TY_b32 : TY_b64;
    switch ((IrRoleKind)role->kind) {
    case ROLE_TYPE:
        put_register(insn->types[role->index], n, out);
        break;
    case ROLE_WIDE:
        put_register(insn->mod[MC_MUL] == MOD_wide ? wide : insn->types[0], n, out);
        break;
    case ROLE_FIXED:
        put_register(role->fixed, n, out);
        break;
    case ROLE_PRED:
        buf_printf(out, "p%u", n);
        break;
    case ROLE_VECTOR:
        if (insn->op == OP_wmma_load || insn->op == OP_wmma_mma || insn->op == OP_wmma_store)
            vec = 8;
        put_vector(insn, insn->types[role->index], n, vec, out);
        break;
    case ROLE_ADDRESS:
        buf_puts(out, insn->mod[MC_SPACE] == MOD_param ? "[par]" : "[b64_9+16]");
        break;
    case ROLE_CONST:
        buf_puts(out, "8");
        break;
    case ROLE_LABEL:
        buf_puts(out, "out");
        break;
    case ROLE_FUNCTION:
        buf_puts(out, "callee");
        break;
    case ROLE_TEXTURE:
        buf_puts(out, "[b64_9, {b32_0, b32_1}]");
        break;
    case ROLE_TABLE:
        buf_puts(out, "table");
        break;
    case ROLE_RESULTS:
    case ROLE_ARGUMENTS:
    case ROLE_SAME:
        break;
    case ROLE_OFFSET:
        buf_puts(out, "{1, b32_2}");
        break;
    }
}

static bool is_left_out(const IrInsn *insn, const IrShape *shape, unsigned role)
{
    if (insn->op == OP_atom && insn->mod[MC_ATOM] == MOD_cas && role == 3)
        return false;
    if ((insn->op == OP_setp || insn->op == OP_set) && insn->mod[MC_BOOL] &&
        role == shape->role_count - 1u)
        return false;
    if (insn->op == OP_shfl && insn->mod[MC_SYNC] && role == 5)
        return false;
    return shape->roles[role].optional;
}

void ptx_text_kernel(const char *opcode, const IrInsn *insn, Buf *out)
{
    const IrShape *shape = ir_shape(insn->op);
    buf_puts(out, ".version 7.8\n.target sm_80\n.address_size 64\n.func callee();\n"
                  ".entry k(.param .align 16 .b8 par[64])\n{\n"
                  ".reg .b16 b16_<16>;\n.reg .b32 b32_<16>;\n.reg .b64 b64_<16>;\n"
                  ".reg .pred p<16>;\ntable: .branchtargets out;\n");
    buf_puts(out, opcode);
    const char *between = " ";
    for (unsigned i = 0; i < shape->role_count; ++i) {
        if (is_left_out(insn, shape, i))
            continue;
        IrRoleKind kind = (IrRoleKind)shape->roles[i].kind;
        if (kind == ROLE_RESULTS || kind == ROLE_ARGUMENTS)
            continue;
        buf_puts(out, shape->roles[i].pipe ? "|" : between);
        put_role(insn, &shape->roles[i], i, out);
        between = ", ";
    }
    buf_puts(out, ";\nout:\nret;\n}\n");
}
