/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes: which values are the same in all lanes, which rise linearly with the lane. An optimistic
 * fixpoint: every value starts unknown and only moves uniform -> linear -> varying, while branches
 * on varying conditions make joins divergent, which can make phis varying. */
#include "analysis/internal.h"

#include <stdlib.h>

static const Shape UNIFORM = {SHAPE_UNIFORM, 32, 0, 0, 0};
static const Shape VARYING = {SHAPE_VARYING, 32, 0, 0, 0};
static const Shape UNKNOWN = {SHAPE_UNKNOWN, 32, 0, 0, 0};

/* ---- stride expressions ---- */

static int32_t stride_intern(Flow *flow, Stride s)
{
    for (size_t i = 0; i < flow->strides.count; ++i) {
        const Stride *t = &flow->strides.items[i];
        if (t->kind == s.kind && t->number == s.number && t->a == s.a && t->b == s.b)
            return (int32_t)i;
    }
    VEC_PUSH(flow->strides, s);
    return (int32_t)flow->strides.count - 1;
}

int32_t flow_stride_const(Flow *flow, int64_t number)
{
    return number == 0 ? 0 : stride_intern(flow, (Stride){STRIDE_CONST, number, 0, 0});
}

bool flow_stride_constant(const Flow *flow, int32_t stride, int64_t *number)
{
    const Stride *s = &flow->strides.items[stride];
    *number = s->number;
    return s->kind == STRIDE_CONST;
}

int32_t flow_stride_add(Flow *flow, int32_t a, int32_t b)
{
    int64_t x, y;
    bool ca = flow_stride_constant(flow, a, &x), cb = flow_stride_constant(flow, b, &y);
    if (ca && cb)
        return flow_stride_const(flow, (int64_t)((uint64_t)x + (uint64_t)y));
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    return stride_intern(flow, (Stride){STRIDE_ADD, 0, a < b ? a : b, a < b ? b : a});
}

int32_t flow_stride_mul(Flow *flow, int32_t a, int32_t b)
{
    int64_t x, y;
    bool ca = flow_stride_constant(flow, a, &x), cb = flow_stride_constant(flow, b, &y);
    if (ca && cb)
        return flow_stride_const(flow, (int64_t)((uint64_t)x * (uint64_t)y));
    if (a == 0 || b == 0)
        return 0;
    if (ca && x == 1)
        return b;
    if (cb && y == 1)
        return a;
    return stride_intern(flow, (Stride){STRIDE_MUL, 0, a < b ? a : b, a < b ? b : a});
}

int32_t flow_stride_value(Flow *flow, int32_t value)
{
    return stride_intern(flow, (Stride){STRIDE_VALUE, 0, value, 0});
}

/* Constants are kept sign-extended from the width of the value. */
int32_t flow_stride_sext(Flow *flow, int32_t a)
{
    int64_t x;
    if (flow_stride_constant(flow, a, &x))
        return flow_stride_const(flow, (int32_t)x);
    return stride_intern(flow, (Stride){STRIDE_SEXT, 0, a, 0});
}

/* ---- operands ---- */

static Shape linear(Flow *flow, int width, int32_t s1, int32_t s2)
{
    (void)flow;
    if (width >= 32)
        s2 = 0;
    if (s1 == 0 && s2 == 0)
        return UNIFORM;
    return (Shape){SHAPE_LINEAR, (uint8_t)width, s1, s2, 0};
}

static int32_t extension(Flow *flow, int32_t value, int32_t k, bool is_signed)
{
    for (size_t i = 1; i < flow->extensions.count; ++i) {
        const Extension *e = &flow->extensions.items[i];
        if (e->value == value && e->k == k && e->is_signed == is_signed)
            return (int32_t)i;
    }
    Extension e = {value, k, is_signed};
    VEC_PUSH(flow->extensions, e);
    return (int32_t)flow->extensions.count - 1;
}

static bool power_of_two(uint32_t x)
{
    return x && !(x & (x - 1));
}

static uint64_t above(uint64_t max) /* bits that a value of at most max never has */
{
    uint64_t used = max;
    for (int k = 1; k < 64; k *= 2)
        used |= used >> k;
    return ~used;
}

Shape flow_sreg_shape(Flow *flow, const IrOperand *o, uint64_t *zeros)
{
    const uint32_t *n = flow->config.ntid;
    uint32_t nx = n[0], ny = n[1], nz = n[2];
    *zeros = 0;
    if (flow->config.lanes)
        return UNIFORM;
    switch (o->sreg) {
    case SREG_laneid:
        *zeros = ~0ull;
        return linear(flow, 32, flow_stride_const(flow, 1), 0);
    case SREG_lanemask_eq:
    case SREG_lanemask_ge:
    case SREG_lanemask_gt:
    case SREG_lanemask_le:
    case SREG_lanemask_lt:
        return VARYING;
    case SREG_ntid:
        if (nx && o->component < 3)
            *zeros = ~(uint64_t)n[o->component];
        return UNIFORM;
    case SREG_tid:
        break;
    default:
        return UNIFORM;
    }
    if (!nx)
        return VARYING;
    if (o->component < 3)
        *zeros = above(n[o->component] - 1);
    bool one = ny * nz == 1;
    if (o->component == 0) {
        if (nx == 1)
            return UNIFORM;
        if (nx % 32 == 0 || one) {
            *zeros |= 31;
            return linear(flow, 32, flow_stride_const(flow, 1), 0);
        }
        if (power_of_two(nx) && nx < 32) {
            *zeros = ~0ull;
            return linear(flow, (int)nx, flow_stride_const(flow, 1), 0);
        }
        return VARYING;
    }
    if (o->component == 1) {
        if (ny == 1 || nx % 32 == 0)
            return UNIFORM;
        if (power_of_two(nx) && nx < 32 && (nz == 1 || ny % (32 / nx) == 0))
            return linear(flow, (int)nx, 0, flow_stride_const(flow, 1));
        return VARYING;
    }
    if (o->component == 2) {
        if (nz == 1 || nx * ny % 32 == 0)
            return UNIFORM;
        return VARYING;
    }
    return UNIFORM;
}

Shape flow_operand_shape(Flow *flow, const IrOperand *o, uint64_t *zeros)
{
    uint64_t none;
    if (!zeros)
        zeros = &none;
    *zeros = 0;
    Shape worst = UNIFORM;
    switch (o->kind) {
    case OPND_reg:
        if (o->reg < 0)
            return UNIFORM;
        *zeros = flow->values.items[o->reg].zeros;
        return flow->values.items[o->reg].shape;
    case OPND_imm:
        *zeros = ~o->bits;
        return UNIFORM;
    case OPND_sreg:
        return flow_sreg_shape(flow, o, zeros);
    case OPND_addr:
        if (o->base_kind == OPND_reg)
            return flow->values.items[o->reg].shape;
        return UNIFORM;
    case OPND_vector:
    case OPND_list:
    case OPND_tex:
        for (int i = 0; i < o->count; ++i) {
            Shape s = flow_operand_shape(flow, &o->items[i], NULL);
            if (s.kind == SHAPE_UNKNOWN)
                return UNKNOWN;
            if (s.kind != SHAPE_UNIFORM)
                worst = VARYING;
        }
        return worst;
    default:
        return UNIFORM;
    }
}

/* ---- arithmetic on shapes ---- */

static bool widen(Flow *flow, Shape *s, int width)
{
    if (s->kind == SHAPE_UNIFORM) {
        *s = (Shape){SHAPE_LINEAR, (uint8_t)width, 0, 0, 0};
        return true;
    }
    if (s->width == width)
        return true;
    if (s->width != 32 || s->ext)
        return false;
    s->s2 = flow_stride_mul(flow, s->s1, flow_stride_const(flow, width));
    s->width = (uint8_t)width;
    return true;
}

static Shape with_ext(Shape s, int width, int32_t ext)
{
    if (ext)
        s = (Shape){SHAPE_LINEAR, (uint8_t)width, s.s1, s.s2, ext};
    return s;
}

static Shape shape_add(Flow *flow, Shape a, Shape b, int sign)
{
    if (a.kind == SHAPE_UNIFORM && b.kind == SHAPE_UNIFORM)
        return UNIFORM;
    if (a.kind == SHAPE_VARYING || b.kind == SHAPE_VARYING)
        return VARYING;
    int wa = a.kind == SHAPE_UNIFORM ? 32 : a.width, wb = b.kind == SHAPE_UNIFORM ? 32 : b.width;
    int width = wa < wb ? wa : wb;
    if (!widen(flow, &a, width) || !widen(flow, &b, width))
        return VARYING;
    int32_t minus = flow_stride_const(flow, sign);
    if (a.ext && b.ext)
        return VARYING;
    int32_t ext = a.ext;
    if (b.ext) {
        Extension e = flow->extensions.items[b.ext];
        ext = extension(flow, e.value, flow_stride_mul(flow, e.k, minus), e.is_signed);
    }
    return with_ext(linear(flow, width,
                           flow_stride_add(flow, a.s1, flow_stride_mul(flow, b.s1, minus)),
                           flow_stride_add(flow, a.s2, flow_stride_mul(flow, b.s2, minus))),
                    width, ext);
}

/* a * factor, factor uniform: a constant or a value */
static Shape shape_scale(Flow *flow, Shape a, int32_t factor)
{
    if (a.kind != SHAPE_LINEAR)
        return a;
    int32_t ext = 0;
    if (a.ext) {
        Extension e = flow->extensions.items[a.ext];
        int32_t k = flow_stride_mul(flow, e.k, factor);
        ext = k ? extension(flow, e.value, k, e.is_signed) : 0;
    }
    return with_ext(linear(flow, a.width, flow_stride_mul(flow, a.s1, factor),
                           flow_stride_mul(flow, a.s2, factor)),
                    a.width, ext);
}

static bool is_factor(const IrOperand *o)
{
    return o->kind == OPND_imm || o->kind == OPND_reg || o->kind == OPND_sreg;
}

/* Special registers are told from values by the sign. */
static int32_t uniform_stride(Flow *flow, const IrOperand *o)
{
    if (o->kind == OPND_imm)
        return flow_stride_const(flow, (int64_t)o->bits);
    if (o->kind == OPND_reg)
        return flow_stride_value(flow, o->reg);
    return stride_intern(flow, (Stride){STRIDE_VALUE, 0, -1 - o->sreg * 4 - o->component, 0});
}

static Shape shape_mul(Flow *flow, const IrOperand *x, Shape a, const IrOperand *y, Shape b)
{
    if (a.kind == SHAPE_UNIFORM && b.kind == SHAPE_UNIFORM)
        return UNIFORM;
    if (a.kind == SHAPE_LINEAR && b.kind == SHAPE_UNIFORM && is_factor(y))
        return shape_scale(flow, a, uniform_stride(flow, y));
    if (b.kind == SHAPE_LINEAR && a.kind == SHAPE_UNIFORM && is_factor(x))
        return shape_scale(flow, b, uniform_stride(flow, x));
    return VARYING;
}

static int trailing(uint64_t zeros)
{
    return ~zeros ? __builtin_ctzll(~zeros) : 64;
}

static uint64_t zeros_add(uint64_t a, uint64_t b)
{
    if (~a == 0 && ~b == 0)
        return ~0ull;
    int t = trailing(a) < trailing(b) ? trailing(a) : trailing(b);
    uint64_t low = t >= 64 ? ~0ull : (1ull << t) - 1;
    uint64_t max = (~a > ~b ? ~a : ~b);
    int top = max ? 64 - __builtin_clzll(max) : 0; /* sum < 2^(top+1) */
    uint64_t high = top >= 63 ? 0 : ~0ull << (top + 1);
    return low | high;
}

static uint64_t zeros_mul(uint64_t a, uint64_t b)
{
    int t = trailing(a) + trailing(b);
    return t >= 64 ? ~0ull : (1ull << t) - 1;
}

static uint64_t width_mask(int bits)
{
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

/* max of a linear value's variable part when both strides are small constants, else 0 */
static uint64_t linear_span(Flow *flow, Shape s)
{
    int64_t a, b;
    if (s.kind != SHAPE_LINEAR || s.ext || !flow_stride_constant(flow, s.s1, &a) ||
        !flow_stride_constant(flow, s.s2, &b) || a < 0 || b < 0 || a > 1 << 20 || b > 1 << 20)
        return 0;
    return (uint64_t)(a * (s.width - 1) + b * (32 / s.width - 1));
}

static bool same_shape(Shape a, Shape b)
{
    return a.kind == b.kind && (a.kind != SHAPE_LINEAR || (a.width == b.width && a.s1 == b.s1 &&
                                                           a.s2 == b.s2 && a.ext == b.ext));
}

static Shape meet(Shape a, Shape b)
{
    if (a.kind == SHAPE_UNKNOWN)
        return b;
    if (b.kind == SHAPE_UNKNOWN)
        return a;
    return same_shape(a, b) ? a : VARYING;
}

static int64_t extend_imm(const IrOperand *o, bool is_signed)
{
    return is_signed ? (int32_t)o->bits : (int64_t)(uint32_t)o->bits;
}

/* extend(a) * k to 64 bits, a being operand `o` of 32 bits */
static Shape shape_extend(Flow *flow, const IrOperand *o, Shape a, uint64_t zeros, int32_t k,
                          bool is_signed)
{
    if (a.kind != SHAPE_LINEAR)
        return a;
    uint64_t span = linear_span(flow, a), top = ~zeros & 0xffffffffu;
    if (span && top + span < (is_signed ? 0x80000000u : 0xffffffffu))
        return shape_scale(
            flow, linear(flow, a.width, flow_stride_sext(flow, a.s1), flow_stride_sext(flow, a.s2)),
            k);
    if (o->kind != OPND_reg || a.ext)
        return VARYING;
    return (Shape){SHAPE_LINEAR, a.width, 0, 0, extension(flow, o->reg, k, is_signed)};
}

void flow_total_strides(Flow *flow, Shape shape, int32_t *s1, int32_t *s2)
{
    *s1 = shape.s1;
    *s2 = shape.s2;
    if (!shape.ext)
        return;
    Extension e = flow->extensions.items[shape.ext];
    Shape inner = flow->values.items[e.value].shape;
    *s1 = flow_stride_add(flow, *s1, flow_stride_mul(flow, e.k, flow_stride_sext(flow, inner.s1)));
    *s2 = flow_stride_add(flow, *s2, flow_stride_mul(flow, e.k, flow_stride_sext(flow, inner.s2)));
}

/* Shape and known zero bits of the first definition of an instruction. */
static Shape transfer(Flow *flow, const IrInsn *insn, uint64_t *zeros)
{
    const IrOperand *o = insn->operands;
    int bits = (int)ir_type_bits(insn->types[0]);
    bool wide_int = bits == 32 || bits == 64;
    uint64_t za = 0, zb = 0, zc = 0;
    *zeros = 0;
    Shape worst = UNIFORM;
    for (int k = 0; k < insn->operand_count; ++k) {
        if (flow_is_dest(insn, k))
            continue;
        Shape s = flow_operand_shape(flow, &o[k], NULL);
        if (s.kind == SHAPE_UNKNOWN)
            return UNKNOWN;
        if (s.kind != SHAPE_UNIFORM)
            worst = VARYING;
    }
    switch (insn->op) {
    case OP_mov:
        if (o[0].kind == OPND_vector || o[1].kind == OPND_vector)
            return worst;
        return flow_operand_shape(flow, &o[1], zeros);
    case OP_cvta:
        if (ir_space(insn) == MOD_local)
            return VARYING;
        if (ir_space(insn) != MOD_shared)
            return flow_operand_shape(flow, &o[1], zeros);
        return flow_operand_shape(flow, &o[1], &za);
    case OP_add_i:
    case OP_sub_i: {
        Shape a = flow_operand_shape(flow, &o[1], &za), b = flow_operand_shape(flow, &o[2], &zb);
        if (insn->op == OP_add_i)
            *zeros = zeros_add(za, zb) & width_mask(bits);
        if (!wide_int || insn->mod[MC_SAT] || insn->mod[MC_CC])
            return worst;
        return shape_add(flow, a, b, insn->op == OP_add_i ? 1 : -1);
    }
    case OP_neg_i:
        if (!wide_int)
            return worst;
        return shape_scale(flow, flow_operand_shape(flow, &o[1], NULL),
                           flow_stride_const(flow, -1));
    case OP_mul_i:
    case OP_mad_i: {
        Shape a = flow_operand_shape(flow, &o[1], &za), b = flow_operand_shape(flow, &o[2], &zb);
        if (!wide_int || insn->mod[MC_SAT] || insn->mod[MC_CC] || insn->mod[MC_MUL] == MOD_hi)
            return worst;
        bool wide = insn->mod[MC_MUL] == MOD_wide;
        bool is_signed = ir_type_info[insn->types[0]].class == TC_SIGNED;
        Shape product;
        if (!wide) {
            product = shape_mul(flow, &o[1], a, &o[2], b);
        } else if (a.kind == SHAPE_UNIFORM && b.kind == SHAPE_UNIFORM) {
            product = UNIFORM;
        } else if (a.kind == SHAPE_LINEAR && o[2].kind == OPND_imm) {
            product =
                shape_extend(flow, &o[1], a, za,
                             flow_stride_const(flow, extend_imm(&o[2], is_signed)), is_signed);
        } else if (b.kind == SHAPE_LINEAR && o[1].kind == OPND_imm) {
            product =
                shape_extend(flow, &o[2], b, zb,
                             flow_stride_const(flow, extend_imm(&o[1], is_signed)), is_signed);
        } else {
            product = VARYING;
        }
        *zeros = zeros_mul(za, zb);
        if (insn->op == OP_mul_i)
            return product;
        Shape c = flow_operand_shape(flow, &o[3], &zc);
        *zeros = zeros_add(*zeros, zc);
        return shape_add(flow, product, c, 1);
    }
    case OP_shl: {
        Shape a = flow_operand_shape(flow, &o[1], &za);
        if (!wide_int || o[2].kind != OPND_imm || o[2].bits >= (uint64_t)bits)
            return worst;
        *zeros = (za << o[2].bits | width_mask((int)o[2].bits)) & width_mask(bits);
        return shape_scale(flow, a, flow_stride_const(flow, (int64_t)(1ull << o[2].bits)));
    }
    case OP_shr: {
        Shape a = flow_operand_shape(flow, &o[1], &za);
        if (!wide_int || o[2].kind != OPND_imm || o[2].bits >= (uint64_t)bits)
            return worst;
        int k = (int)o[2].bits;
        bool is_signed = ir_type_info[insn->types[0]].class == TC_SIGNED;
        if (is_signed && !(za >> (bits - 1) & 1))
            return worst;
        *zeros = (za & width_mask(bits)) >> k | ~(width_mask(bits) >> k);
        if (a.kind == SHAPE_UNIFORM)
            return UNIFORM;
        /* the lanes' part stays below 2^k and the base has k zero bits: shifts out entirely */
        uint64_t span = linear_span(flow, a);
        if (span && span < (1ull << k) && (za & width_mask(k)) == width_mask(k))
            return UNIFORM;
        return VARYING;
    }
    case OP_and: {
        Shape a = flow_operand_shape(flow, &o[1], &za), b = flow_operand_shape(flow, &o[2], &zb);
        *zeros = za | zb;
        if (worst.kind == SHAPE_UNIFORM || !wide_int)
            return worst;
        if (o[1].kind == OPND_imm) {
            Shape t = a;
            a = b, b = t;
            uint64_t z = za;
            za = zb, zb = z;
        }
        uint64_t mask = ~zb & width_mask(bits), span = linear_span(flow, a);
        if (b.kind != SHAPE_UNIFORM || a.kind != SHAPE_LINEAR || !span ||
            !power_of_two((uint32_t)(mask + 1)) || mask + 1 > 0xffffffffu || o[1].kind == o[2].kind)
            return VARYING;
        int used = 64 - __builtin_clzll(span);
        if (span <= mask && (za & width_mask(used)) == width_mask(used))
            return a; /* base & mask, same strides */
        return VARYING;
    }
    case OP_or: {
        Shape a = flow_operand_shape(flow, &o[1], &za), b = flow_operand_shape(flow, &o[2], &zb);
        *zeros = za & zb;
        if (worst.kind == SHAPE_UNIFORM || !wide_int)
            return worst;
        /* disjoint bits: an addition */
        uint64_t va = ~za & width_mask(bits), vb = ~zb & width_mask(bits);
        uint64_t sa = linear_span(flow, a), sb = linear_span(flow, b);
        if ((a.kind == SHAPE_LINEAR && !sa) || (b.kind == SHAPE_LINEAR && !sb))
            return VARYING;
        if (a.kind == SHAPE_VARYING || b.kind == SHAPE_VARYING)
            return VARYING;
        if (sa)
            va |= width_mask(64 - __builtin_clzll(sa));
        if (sb)
            vb |= width_mask(64 - __builtin_clzll(sb));
        /* a base whose low bits overlap its own lanes could carry */
        if ((sa && (~za & width_mask(64 - __builtin_clzll(sa)))) ||
            (sb && (~zb & width_mask(64 - __builtin_clzll(sb)))))
            return VARYING;
        return (va & vb) == 0 ? shape_add(flow, a, b, 1) : VARYING;
    }
    case OP_cvt: {
        IrType to = (IrType)insn->types[0], from = (IrType)insn->types[1];
        int from_bits = (int)ir_type_bits(from), to_bits = (int)ir_type_bits(to);
        Shape a = flow_operand_shape(flow, &o[1], &za);
        if (ir_type_info[to].class == TC_FLOAT || ir_type_info[from].class == TC_FLOAT ||
            insn->mod[MC_SAT])
            return worst;
        if (to_bits <= from_bits)
            *zeros = za & width_mask(to_bits);
        else if (ir_type_info[from].class != TC_SIGNED || (za >> (from_bits - 1) & 1))
            *zeros = za | ~width_mask(from_bits);
        if ((from_bits != 32 && from_bits != 64) || (to_bits != 32 && to_bits != 64))
            return worst;
        if (from_bits == 32 && to_bits == 64)
            return shape_extend(flow, &o[1], a, za, flow_stride_const(flow, 1),
                                ir_type_info[from].class == TC_SIGNED);
        if (a.kind == SHAPE_LINEAR && a.ext &&
            to_bits == 32) { /* the low half does not depend on the widening */
            int32_t s1, s2;
            flow_total_strides(flow, a, &s1, &s2);
            return linear(flow, a.width, s1, s2);
        }
        return a;
    }
    case OP_selp: {
        Shape a = flow_operand_shape(flow, &o[1], NULL), b = flow_operand_shape(flow, &o[2], NULL);
        if (flow_operand_shape(flow, &o[3], NULL).kind != SHAPE_UNIFORM)
            return VARYING;
        return meet(a, b);
    }
    case OP_ld:
    case OP_ldu:
        return ir_space(insn) == MOD_local ? VARYING : worst;
    case OP_shfl: {
        bool whole = insn->mod[MC_SHFL] == MOD_idx && o[4].kind == OPND_imm && o[4].bits == 31 &&
                     flow_operand_shape(flow, &o[3], NULL).kind == SHAPE_UNIFORM;
        return whole ? UNIFORM : VARYING;
    }
    case OP_vote: /* groups of lanes may vote apart */
        return insn->operand_count < 3 || o[2].kind == OPND_none ||
                       flow_operand_shape(flow, &o[2], NULL).kind == SHAPE_UNIFORM
                   ? UNIFORM
                   : VARYING;
    case OP_activemask:
    case OP_bar_red:
    case OP_barrier_red:
        return UNIFORM;
    case OP_redux:
        return flow_operand_shape(flow, &o[2], NULL).kind == SHAPE_UNIFORM ? UNIFORM : VARYING;
    case OP_addc:
    case OP_subc:
    case OP_madc:
    case OP_match:
    case OP_elect:
    case OP_atom:
    case OP_call:
    case OP_mbar_arrive:
    case OP_mbar_drop:
        return VARYING;
    default:
        return ir_op_info[insn->op].effects & FX_WARP ? VARYING : worst;
    }
}

typedef struct {
    Flow *flow;
    const FlowInsn *insn;
    Shape shape;
    uint64_t zeros;
    bool changed;
} Set;

static bool lower(FlowValue *v, Shape shape, uint64_t zeros)
{
    if (v->shape.kind == SHAPE_UNKNOWN)
        v->zeros = zeros;
    else
        zeros &= v->zeros; /* facts only shrink */
    Shape now = v->shape.kind == SHAPE_UNKNOWN ? shape : meet(v->shape, shape);
    bool changed = !same_shape(now, v->shape) || zeros != v->zeros;
    v->shape = now;
    v->zeros = zeros;
    return changed;
}

static void set_definition(void *data, int32_t *reg, bool definition, int index)
{
    Set *s = data;
    if (!definition || *reg < 0)
        return;
    FlowValue *v = &s->flow->values.items[*reg];
    Shape shape = s->shape;
    uint64_t zeros = index == 0 ? s->zeros : 0;
    const IrInsn *insn = &s->insn->insn;
    if (index > 0 && shape.kind == SHAPE_LINEAR)
        shape = VARYING;
    if (insn->guard >= 0 && index < 8) {
        int32_t old = s->insn->old[index];
        const FlowValue *before = &s->flow->values.items[old];
        if (before->block >= 0) {
            Shape guard = s->flow->values.items[insn->guard].shape;
            if (guard.kind == SHAPE_UNKNOWN || before->shape.kind == SHAPE_UNKNOWN)
                shape = UNKNOWN;
            else if (guard.kind != SHAPE_UNIFORM)
                shape = VARYING;
            else
                shape = meet(shape, before->shape);
            zeros &= before->zeros;
        }
    }
    if (shape.kind == SHAPE_UNKNOWN)
        return;
    s->changed |= lower(v, shape, zeros);
}

/* Lanes leave a loop that defines the value at different times, each with its own. */
static bool leaves_at_times(const Flow *flow, int32_t value, int32_t block)
{
    int32_t from = flow->values.items[value].block;
    for (int32_t l = from >= 0 ? flow->blocks[from].loop : -1; l >= 0; l = flow->loops[l].parent) {
        if (flow_in_loop(flow, block, l))
            return false;
        if (flow->loops[l].divergent || flow->loops[l].irreducible)
            return true;
    }
    return false;
}

static bool visit_block(Flow *flow, int32_t b)
{
    FlowBlock *block = &flow->blocks[b];
    bool changed = false;
    for (int32_t k = 0; k < block->phi_count; ++k) {
        const FlowPhi *phi = &block->phis[k];
        Shape shape = UNKNOWN;
        uint64_t zeros = ~0ull;
        bool same = true;
        for (int32_t q = 0; q < block->pred_count; ++q) {
            const FlowValue *in = &flow->values.items[phi->in[q]];
            same &= phi->in[q] == phi->in[0] && !leaves_at_times(flow, phi->in[q], b);
            if (in->shape.kind == SHAPE_UNKNOWN)
                continue;
            shape = meet(shape, in->shape);
            zeros &= in->zeros;
        }
        if (shape.kind == SHAPE_UNKNOWN)
            continue;
        if (block->join && !(same && block->pred_count > 1))
            shape = VARYING;
        changed |= lower(&flow->values.items[phi->value], shape, zeros);
    }
    for (int32_t i = block->begin; i < block->end; ++i) {
        Set s = {flow, &flow->insns[i], UNKNOWN, 0, false};
        s.shape = transfer(flow, &flow->insns[i].insn, &s.zeros);
        if (s.shape.kind != SHAPE_UNKNOWN)
            flow_visit_registers(&flow->insns[i].insn, set_definition, &s);
        changed |= s.changed;
    }
    return changed;
}

typedef struct {
    const Flow *flow;
    bool all, changed;
    bool value; /* what definitions get */
} Perhaps;

static void perhaps_visit(void *data, int32_t *reg, bool definition, int index)
{
    Perhaps *p = data;
    (void)index;
    if (*reg < 0)
        return;
    FlowValue *v = &p->flow->values.items[*reg];
    if (!definition) {
        p->all &= v->perhaps_linear;
    } else if (v->perhaps_linear && !p->value) {
        v->perhaps_linear = false;
        p->changed = true;
    }
}

static bool keeps_linear(const IrInsn *insn)
{
    switch (insn->op) {
    case OP_mov:
    case OP_cvta:
    case OP_add_i:
    case OP_sub_i:
    case OP_mul_i:
    case OP_mad_i:
    case OP_neg_i:
    case OP_shl:
        return true;
    case OP_cvt:
        return ir_type_info[insn->types[0]].class != TC_FLOAT &&
               ir_type_info[insn->types[1]].class != TC_FLOAT;
    default:
        return false;
    }
}

static void find_perhaps_linear(Flow *flow)
{
    for (size_t i = 0; i < flow->values.count; ++i)
        flow->values.items[i].perhaps_linear = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = 0; b < flow->block_count; ++b) {
            FlowBlock *block = &flow->blocks[b];
            for (int32_t k = 0; k < block->phi_count; ++k) {
                FlowValue *v = &flow->values.items[block->phis[k].value];
                bool all = true;
                for (int32_t q = 0; q < block->pred_count; ++q)
                    all &= flow->values.items[block->phis[k].in[q]].perhaps_linear;
                if (v->shape.kind == SHAPE_VARYING && v->perhaps_linear && !all)
                    v->perhaps_linear = false, changed = true;
            }
            for (int32_t i = block->begin; i < block->end; ++i) {
                IrInsn *insn = &flow->insns[i].insn;
                Perhaps p = {flow, true, false, true};
                flow_visit_registers(insn, perhaps_visit,
                                     &p); /* reads come first; nothing is set yet */
                bool linear = keeps_linear(insn) && p.all;
                for (int k = 0; k < insn->operand_count; ++k) {
                    const IrOperand *o = &insn->operands[k];
                    if (!flow_is_dest(insn, k))
                        continue;
                    for (unsigned q = 0; q < ir_count(o); ++q) {
                        const IrOperand *x = ir_item(o, q);
                        if (x->kind != OPND_reg)
                            continue;
                        FlowValue *v = &flow->values.items[x->reg];
                        if (v->shape.kind == SHAPE_VARYING && v->perhaps_linear && !linear)
                            v->perhaps_linear = false, changed = true;
                    }
                }
            }
        }
    }
}

void flow_find_shapes(Flow *flow)
{
    for (size_t i = 0; i < flow->values.count; ++i) {
        FlowValue *v = &flow->values.items[i];
        v->shape = v->block < 0 || flow->config.lanes ? UNIFORM : UNKNOWN;
        v->zeros = v->block < 0 ? ~0ull : 0;
    }
    if (flow->config.lanes)
        return;
    for (;;) {
        for (bool changed = true; changed;) {
            changed = false;
            for (int32_t b = 0; b < flow->block_count; ++b)
                changed |= visit_block(flow, b);
        }
        bool more = false;
        for (int32_t b = 0; b < flow->block_count; ++b) {
            FlowBlock *block = &flow->blocks[b];
            bool divergent = block->cond >= 0 && block->succ_count > 1 &&
                             flow->values.items[block->cond].shape.kind > SHAPE_UNIFORM;
            more |= divergent && !block->divergent;
            block->divergent |= divergent;
        }
        if (!more)
            break;
        flow_find_joins(flow);
    }
    for (size_t i = 0; i < flow->values.count; ++i)
        if (flow->values.items[i].shape.kind == SHAPE_UNKNOWN)
            flow->values.items[i].shape = VARYING;
    find_perhaps_linear(flow);
}
