/* SPDX-License-Identifier: Apache-2.0
 *
 * Alignment of addresses, so that loops need not test it: a value is, modulo a small power of two,
 * a constant or another value (a kernel's parameter, mostly) plus a constant. Of linear values the
 * first lane's is meant; strides are not looked at here. */
#include "analysis/internal.h"

enum { MOST = 4, TOP = 255 }; /* modulo 2^MOST at most; TOP: not seen yet */

static FlowAlign constant(uint64_t number, int bits)
{
    return (FlowAlign){-1, (uint8_t)(number & 15), (uint8_t)(bits < MOST ? bits : MOST)};
}

static int trailing_zeros(uint64_t zeros)
{
    return ~zeros ? __builtin_ctzll(~zeros) : 64;
}

/* The value itself, where its register holds all of it. */
static FlowAlign itself(const Flow *flow, int32_t v)
{
    const Shape *shape = &flow->values.items[v].shape;
    if (shape->kind == SHAPE_LINEAR && shape->ext)
        return constant(0, 0);
    return (FlowAlign){v, 0, MOST};
}

/* Low bits of the operand's first lane that are known to be zero. */
static int low_zeros(Flow *flow, const IrOperand *o)
{
    uint64_t zeros;
    Shape shape = flow_operand_shape(flow, o, &zeros);
    int n = trailing_zeros(zeros);
    if (shape.kind == SHAPE_LINEAR && shape.ext) {
        int64_t k;
        if (!flow_stride_constant(flow, flow->extensions.items[shape.ext].k, &k))
            return 0;
        int factor = k ? __builtin_ctzll((uint64_t)k) : 64;
        n = n < factor ? n : factor;
    }
    return shape.kind == SHAPE_VARYING ? 0 : n;
}

static FlowAlign operand_align(Flow *flow, const FlowAlign *known, const IrOperand *o)
{
    switch (o->kind) {
    case OPND_reg:
        return known[o->reg];
    case OPND_imm:
        return constant(o->bits, MOST);
    case OPND_symbol:
        if (o->symbol->space == MOD_shared)
            return constant((uint64_t)(o->symbol->offset + o->offset), MOST);
        return constant(0, 0);
    default:
        return constant(0, low_zeros(flow, o));
    }
}

static FlowAlign sum(const Flow *flow, FlowAlign a, FlowAlign b, int32_t self)
{
    if (a.bits == TOP || b.bits == TOP)
        return (FlowAlign){-1, 0, TOP};
    if ((a.root >= 0 && b.root >= 0) || !a.bits || !b.bits)
        return itself(flow, self);
    return (FlowAlign){a.root >= 0 ? a.root : b.root, (uint8_t)((a.add + b.add) & 15),
                       a.bits < b.bits ? a.bits : b.bits};
}

static FlowAlign meet(const Flow *flow, FlowAlign a, FlowAlign b, int32_t self)
{
    if (a.bits == TOP)
        return b;
    if (b.bits == TOP)
        return a;
    if (a.root != b.root)
        return itself(flow, self);
    int same = a.add == b.add ? MOST : __builtin_ctz((unsigned)(a.add ^ b.add));
    uint8_t bits = a.bits < b.bits ? a.bits : b.bits;
    a.bits = same < bits ? (uint8_t)same : bits;
    return a;
}

static FlowAlign insn_align(Flow *flow, const FlowAlign *known, const FlowInsn *f, int32_t self)
{
    const IrInsn *insn = &f->insn;
    const IrOperand *o = insn->operands;
    IrOperand own = {.kind = OPND_reg, .reg = self};
    FlowAlign other = constant(0, low_zeros(flow, &own)), b;
    if (other.bits < 2)
        other = itself(flow, self);
    if (insn->guard >= 0 || o[0].kind != OPND_reg || o[0].reg != self)
        return other;
    switch (insn->op) {
    case OP_mov:
        return operand_align(flow, known, &o[1]);
    case OP_cvta: /* bases of spaces are multiples of 16; local memory is a lane's own */
        return ir_space(insn) == MOD_local ? other : operand_align(flow, known, &o[1]);
    case OP_cvt:
        if (ir_type_bits((IrType)insn->types[1]) < 32 ||
            ir_type_info[insn->types[1]].class == TC_FLOAT ||
            ir_type_info[insn->types[0]].class == TC_FLOAT ||
            ir_type_bits((IrType)insn->types[0]) < 32 || insn->mod[MC_SAT])
            return other;
        return operand_align(flow, known, &o[1]);
    case OP_add_i:
        if (insn->mod[MC_SAT] || insn->mod[MC_CC])
            return other;
        return sum(flow, operand_align(flow, known, &o[1]), operand_align(flow, known, &o[2]),
                   self);
    case OP_sub_i:
        b = operand_align(flow, known, &o[2]);
        if (insn->mod[MC_SAT] || insn->mod[MC_CC] || (b.root >= 0 && b.bits != TOP))
            return other;
        b.add = (uint8_t)(-b.add & 15);
        return sum(flow, operand_align(flow, known, &o[1]), b, self);
    case OP_mad_i:
        if (insn->mod[MC_SAT] || insn->mod[MC_CC] || insn->mod[MC_MUL] == MOD_hi)
            return other;
        return sum(flow, constant(0, low_zeros(flow, &o[1]) + low_zeros(flow, &o[2])),
                   operand_align(flow, known, &o[3]), self);
    default:
        return other;
    }
}

static bool same(FlowAlign a, FlowAlign b)
{
    return a.root == b.root && a.add == b.add && a.bits == b.bits;
}

/* For every instruction with an address in a register. */
void flow_find_alignment(Flow *flow)
{
    FlowAlign *known = ARENA_ARRAY(flow->arena, FlowAlign, flow->values.count + 1);
    for (size_t v = 0; v < flow->values.count; ++v) {
        bool regular = flow->values.items[v].shape.kind == SHAPE_UNIFORM ||
                       flow->values.items[v].shape.kind == SHAPE_LINEAR;
        known[v] = (FlowAlign){-1, 0, TOP};
        if (!regular || flow->values.items[v].block < 0)
            known[v] = (FlowAlign){(int32_t)v, 0, MOST};
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = 0; b < flow->block_count; ++b) {
            const FlowBlock *block = &flow->blocks[b];
            for (int32_t p = 0; p < block->phi_count; ++p) {
                int32_t v = block->phis[p].value;
                FlowAlign now = {-1, 0, TOP};
                for (int32_t k = 0; k < block->pred_count && !(known[v].root == v); ++k)
                    now = meet(flow, now, known[block->phis[p].in[k]], v);
                if (known[v].root != v && !same(now, known[v]))
                    known[v] = now, changed = true;
            }
            for (int32_t i = block->begin; i < block->end; ++i) {
                const FlowInsn *f = &flow->insns[i];
                for (int k = 0; k < f->insn.operand_count; ++k) {
                    const IrOperand *o = &f->insn.operands[k];
                    for (unsigned j = 0; flow_is_dest(&f->insn, k) && j < ir_count(o); ++j) {
                        const IrOperand *x = ir_item(o, j);
                        int32_t v = x->kind == OPND_reg ? x->reg : -1;
                        if (v < 0 || known[v].root == v)
                            continue;
                        FlowAlign now = insn_align(flow, known, f, v);
                        if (!same(now, known[v]))
                            known[v] = now, changed = true;
                    }
                }
            }
        }
    }
    for (int32_t i = 0; i < flow->insn_count; ++i) {
        FlowInsn *f = &flow->insns[i];
        f->align = (FlowAlign){-1, 0, 0};
        for (int k = 0; k < f->insn.operand_count; ++k) {
            const IrOperand *o = &f->insn.operands[k];
            if (o->kind == OPND_addr && o->base_kind == OPND_symbol &&
                o->symbol->space == MOD_shared) {
                f->align = constant((uint64_t)(o->symbol->offset + o->offset), MOST);
                break;
            }
            if (o->kind != OPND_addr || o->base_kind != OPND_reg || known[o->reg].bits == TOP ||
                known[o->reg].root == o->reg)
                continue;
            f->align = known[o->reg];
            f->align.add = (uint8_t)((f->align.add + (uint64_t)o->offset) & 15);
            break;
        }
    }
}
