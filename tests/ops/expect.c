/* SPDX-License-Identifier: Apache-2.0
 * What each instruction must give, after the PTX ISA's own descriptions and pseudo-code. Plain and
 * slow; shares nothing with the code generator but sfu.h, which tests/approx holds to recorded results. */
#include "codegen/sfu.h"
#include "ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const OpsCase *test;
    const IrInsn *insn;
    const uint64_t *in;
    Expect *out;
    unsigned type, bits;
    bool is_signed;
} Op;

static uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static int64_t sign_extend(uint64_t value, unsigned bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static bool type_signed(unsigned type)
{
    return ir_type_info[type].class == TC_SIGNED;
}

static __int128 number(uint64_t bits, unsigned type)
{
    unsigned width = ir_type_info[type].bits;
    if (type_signed(type))
        return sign_extend(bits, width);
    return (__int128)(bits & mask_of(width));
}

static __int128 in_number(const Op *op, unsigned i)
{
    return number(op->in[i], op->type);
}

static void put(Op *op, uint64_t value)
{
    op->out->bits[0] = value & mask_of(op->bits);
}

static uint64_t clamp(__int128 value, unsigned type)
{
    unsigned bits = ir_type_info[type].bits;
    __int128 low = type_signed(type) ? -((__int128)1 << (bits - 1)) : 0;
    __int128 high = type_signed(type) ? ((__int128)1 << (bits - 1)) - 1 : ((__int128)1 << bits) - 1;
    value = value < low ? low : value > high ? high : value;
    return (uint64_t)value;
}

/* ---- integers ---- */

static bool packed_int(Op *op)
{
    uint64_t result = 0;
    for (unsigned half = 0; half < 2; ++half) {
        unsigned type = op->type == TY_s16x2 ? TY_s16 : TY_u16;
        __int128 a = number(op->in[0] >> 16 * half & 0xffff, type);
        __int128 b = number(op->in[1] >> 16 * half & 0xffff, type), z;
        switch (op->insn->op) {
        case OP_add_i:
            z = a + b;
            break;
        case OP_min_i:
            z = a < b ? a : b;
            break;
        case OP_max_i:
            z = a > b ? a : b;
            break;
        default:
            return false;
        }
        if (op->insn->mod[MC_RELU] && z < 0)
            z = 0;
        result |= ((uint64_t)z & 0xffff) << 16 * half;
    }
    put(op, result);
    return true;
}

static bool multiply(Op *op)
{
    bool add = op->insn->op == OP_mad_i;
    unsigned mul = op->insn->mod[MC_MUL];
    unsigned __int128 full =
        (unsigned __int128)in_number(op, 0) * (unsigned __int128)in_number(op, 1);
    if (mul == MOD_wide) {
        uint64_t z = (uint64_t)full + (add ? op->in[2] : 0);
        op->out->bits[0] = z & mask_of(op->bits * 2);
        return true;
    }
    uint64_t part = (uint64_t)(mul == MOD_hi ? full >> op->bits : full) & mask_of(op->bits);
    if (op->insn->mod[MC_SAT]) {
        put(op, clamp((__int128)sign_extend(part, 32) + in_number(op, 2), TY_s32));
        return true;
    }
    put(op, part + (add ? op->in[2] : 0));
    return true;
}

static bool multiply24(Op *op)
{
    __int128 a = op->is_signed ? sign_extend(op->in[0], 24) : (int64_t)(op->in[0] & 0xffffff);
    __int128 b = op->is_signed ? sign_extend(op->in[1], 24) : (int64_t)(op->in[1] & 0xffffff);
    __int128 product = a * b;
    uint32_t part = (uint32_t)(op->insn->mod[MC_MUL] == MOD_hi ? product >> 16 : product);
    if (op->insn->op == OP_mul24)
        put(op, part);
    else if (op->insn->mod[MC_SAT])
        put(op, clamp((__int128)(int32_t)part + in_number(op, 2), TY_s32));
    else
        put(op, part + op->in[2]);
    return true;
}

static bool divide(Op *op)
{
    __int128 a = in_number(op, 0), b = in_number(op, 1);
    bool remainder = op->insn->op == OP_rem;
    if (b == 0) {
        put(op, ~UINT64_C(0)); /* does not trap; the quotient is all ones */
        op->out->any[0] = remainder || op->bits == 16;
        return true;
    }
    put(op, (uint64_t)(remainder ? a % b : a / b));
    return true;
}

static uint64_t bit_field_extract(uint64_t a, unsigned pos, unsigned len, unsigned type)
{
    unsigned msb = ir_type_info[type].bits - 1;
    unsigned last = pos + len - 1 < msb ? pos + len - 1 : msb;
    bool sign = type_signed(type) && len && (a >> last & 1);
    uint64_t d = 0;
    for (unsigned i = 0; i <= msb; ++i) {
        bool bit = i < len && pos + i <= msb ? a >> (pos + i) & 1 : sign;
        d |= (uint64_t)bit << i;
    }
    return d;
}

static uint64_t bit_field_insert(uint64_t a, uint64_t b, unsigned pos, unsigned len, unsigned bits)
{
    for (unsigned i = 0; i < len && pos + i < bits; ++i) {
        b &= ~(UINT64_C(1) << (pos + i));
        b |= (a >> i & 1) << (pos + i);
    }
    return b;
}

static uint32_t bit_mask(uint32_t a, uint32_t b, bool clamped)
{
    uint32_t a1 = a & 31, b1 = b & 31, sum = a1 + b1;
    uint32_t mask0 = ~0u << a1, mask1 = sum >= 32 ? 0 : ~0u << sum;
    bool over = sum >= 32;
    if (clamped && a >= 32) {
        mask0 = 0;
        over = true;
    }
    if (clamped && b >= 32)
        over = true;
    if (over)
        mask1 = 0;
    else if (b1 == 0)
        mask1 = ~0u;
    return mask0 & ~mask1;
}

static uint32_t size_extend(uint32_t a, uint32_t b, bool clamped, bool is_signed)
{
    uint32_t b1 = b & 31;
    bool large = b >= 32 && clamped;
    uint32_t mask = large ? 0 : ~0u << b1;
    bool sign = b1 && !large && is_signed && (a >> ((b1 - 1) & 31) & 1);
    return (a & ~mask) | (sign ? mask : 0);
}

static uint32_t find_nth(uint32_t mask, uint32_t base, int32_t offset)
{
    if (offset == 0)
        return mask >> base & 1 ? base : ~0u;
    int position = (int)base, count = abs(offset) - 1, step = offset > 0 ? 1 : -1;
    for (; position >= 0 && position < 32; position += step)
        if (mask >> position & 1) {
            if (count == 0)
                return (uint32_t)position;
            count--;
        }
    return ~0u;
}

static uint32_t permute(uint32_t a, uint32_t b, uint32_t c, unsigned mode)
{
    static const uint8_t tables[6][4][4] = {
        {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}, /* f4e */
        {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}, /* b4e */
        {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}, /* rc8 */
        {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}, /* ecl */
        {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}, /* ecr */
        {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}, /* rc16 */
    };
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    for (unsigned i = 0; i < 4; ++i) {
        unsigned select = mode ? tables[mode - MOD_f4e][c & 3][3 - i] : c >> 4 * i & 15;
        uint32_t byte = bytes >> 8 * (select & 7) & 0xff;
        if (select & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= byte << 8 * i;
    }
    return d;
}

static uint32_t funnel(uint32_t a, uint32_t b, uint32_t c, bool left, bool wrap)
{
    uint32_t n = wrap ? c & 31 : c < 32 ? c : 32;
    uint64_t both = (uint64_t)b << 32 | a;
    return (uint32_t)(left ? both << n >> 32 : both >> n);
}

static uint64_t find_msb(const Op *op) /* distance from bit 0, all ones when there is none */
{
    uint64_t value = op->in[0] & mask_of(op->bits);
    if (op->is_signed && value >> (op->bits - 1))
        value = ~value & mask_of(op->bits);
    for (unsigned i = op->bits; i-- > 0;)
        if (value >> i & 1)
            return op->insn->mod[MC_SHIFTAMT] ? op->bits - 1 - i : i;
    return 0xffffffff;
}

static int64_t dot_part(uint64_t word, unsigned at, unsigned bits, unsigned type)
{
    uint64_t part = word >> at & mask_of(bits);
    return type_signed(type) ? sign_extend(part, bits) : (int64_t)part;
}

static bool dot(Op *op)
{
    bool two = op->insn->op == OP_dp2a;
    unsigned ta = op->insn->types[0], tb = op->insn->types[1];
    int64_t total = (int32_t)op->in[2];
    unsigned first = op->insn->mod[MC_DPMODE] == MOD_dhi ? 2 : 0;
    for (unsigned i = 0; i < (two ? 2 : 4); ++i)
        total += dot_part(op->in[0], i * (two ? 16 : 8), two ? 16 : 8, ta) *
                 dot_part(op->in[1], (first + i) * 8, 8, tb);
    op->out->bits[0] = (uint32_t)total;
    return true;
}

/* 32-bit fields look at the low byte of position and length, 64-bit ones at the whole word (recorded
 * on an H200). */
static unsigned field_amount(const Op *op, uint64_t amount)
{
    uint32_t word = (uint32_t)amount;
    return op->bits == 32 ? word & 0xff : word > 255 ? 255 : word;
}

static bool integer(Op *op)
{
    uint64_t a = op->in[0], b = op->in[1], c = op->in[2];
    if (op->type == TY_u16x2 || op->type == TY_s16x2)
        return packed_int(op);
    __int128 x = op->test->in_count > 0 ? in_number(op, 0) : 0;
    __int128 y = op->test->in_count > 1 ? in_number(op, 1) : 0;
    const uint16_t *mod = op->insn->mod;
    bool small = op->insn->op == OP_clz || op->insn->op == OP_popc;
    switch (op->insn->op) {
    case OP_add_i:
        put(op, mod[MC_SAT] ? clamp(x + y, op->type) : a + b);
        return true;
    case OP_sub_i:
        put(op, mod[MC_SAT] ? clamp(x - y, op->type) : a - b);
        return true;
    case OP_mul_i:
    case OP_mad_i:
        return multiply(op);
    case OP_mul24:
    case OP_mad24:
        return multiply24(op);
    case OP_sad:
        put(op, c + (uint64_t)(x < y ? y - x : x - y));
        return true;
    case OP_div_i:
    case OP_rem:
        return divide(op);
    case OP_abs_i:
        put(op, (uint64_t)(x < 0 ? -x : x));
        return true;
    case OP_neg_i:
        put(op, (uint64_t)-x);
        return true;
    case OP_min_i:
    case OP_max_i: {
        __int128 z = (op->insn->op == OP_min_i) == (x < y) ? x : y;
        put(op, (uint64_t)(mod[MC_RELU] && z < 0 ? 0 : z));
        return true;
    }
    case OP_popc:
        op->out->bits[0] = (uint64_t)__builtin_popcountll(a & mask_of(op->bits));
        return small;
    case OP_clz: {
        uint64_t v = a & mask_of(op->bits);
        op->out->bits[0] = v ? (uint64_t)__builtin_clzll(v) - (64 - op->bits) : op->bits;
        return small;
    }
    case OP_bfind:
        op->out->bits[0] = find_msb(op);
        return true;
    case OP_brev: {
        uint64_t d = 0;
        for (unsigned i = 0; i < op->bits; ++i)
            d |= (a >> i & 1) << (op->bits - 1 - i);
        put(op, d);
        return true;
    }
    case OP_bfe:
        put(op, bit_field_extract(a, field_amount(op, b), field_amount(op, c), op->type));
        return true;
    case OP_bfi:
        put(op, bit_field_insert(a, b, field_amount(op, c), field_amount(op, op->in[3]), op->bits));
        return true;
    case OP_bmsk:
        put(op, bit_mask((uint32_t)a, (uint32_t)b, mod[MC_SHFMODE] == MOD_clamp));
        return true;
    case OP_szext:
        put(op, size_extend((uint32_t)a, (uint32_t)b, mod[MC_SHFMODE] == MOD_clamp, op->is_signed));
        return true;
    case OP_fns:
        put(op, find_nth((uint32_t)a, (uint32_t)b, (int32_t)c));
        return true;
    case OP_dp4a:
    case OP_dp2a:
        return dot(op);
    case OP_prmt:
        put(op, permute((uint32_t)a, (uint32_t)b, (uint32_t)c, mod[MC_PRMT]));
        return true;
    case OP_shf:
        put(op, funnel((uint32_t)a, (uint32_t)b, (uint32_t)c, mod[MC_SHFDIR] == MOD_l,
                       mod[MC_SHFMODE] == MOD_wrap));
        return true;
    case OP_shl:
        put(op, (uint32_t)b >= op->bits ? 0 : a << b);
        return true;
    case OP_shr: {
        uint32_t n = (uint32_t)b < op->bits ? (uint32_t)b : op->bits - op->is_signed;
        put(op, n >= 64 || (!op->is_signed && n >= op->bits) ? 0 : (uint64_t)(x >> n));
        return true;
    }
    default:
        return false;
    }
}

/* ---- logic, selection ---- */

static bool logic(Op *op)
{
    uint64_t a = op->in[0], b = op->in[1], c = op->in[2];
    switch (op->insn->op) {
    case OP_and:
        put(op, a & b);
        return true;
    case OP_or:
        put(op, a | b);
        return true;
    case OP_xor:
        put(op, a ^ b);
        return true;
    case OP_not:
        put(op, ~a);
        return true;
    case OP_cnot:
        put(op, (a & mask_of(op->bits)) == 0);
        return true;
    case OP_lop3: {
        uint32_t d = 0;
        for (unsigned i = 0; i < 32; ++i)
            d |= (op->test->imm >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
        op->out->bits[0] = d;
        unsigned combine = op->insn->mod[MC_BOOL];
        bool p = d != 0, q = op->in[3] & 1;
        op->out->bits[1] = combine == MOD_and ? p && q : combine == MOD_or ? p || q : p != q;
        return true;
    }
    case OP_selp:
        put(op, c & 1 ? a : b);
        return true;
    case OP_slct: {
        bool first;
        if (op->insn->types[1] == TY_f32) {
            uint64_t value = op->insn->mod[MC_FTZ] ? fp_flush(ops_format(TY_f32), c) : c;
            first = !fp_is_nan(ops_format(TY_f32), value) &&
                    (!fp_sign(ops_format(TY_f32), value) || fp_is_zero(ops_format(TY_f32), value));
        } else
            first = (int32_t)c >= 0;
        put(op, first ? a : b);
        return true;
    }
    case OP_mov:
        put(op, a);
        return true;
    default:
        return false;
    }
}

/* ---- comparison ---- */

static bool compare(unsigned cmp, int order, bool unordered) /* order: -1, 0, 1 */
{
    switch (cmp) {
    case MOD_eq:
        return !unordered && order == 0;
    case MOD_ne:
        return !unordered && order != 0;
    case MOD_lt:
    case MOD_lo_:
        return !unordered && order < 0;
    case MOD_le:
    case MOD_ls:
        return !unordered && order <= 0;
    case MOD_gt:
    case MOD_hi_:
        return !unordered && order > 0;
    case MOD_ge:
    case MOD_hs:
        return !unordered && order >= 0;
    case MOD_equ:
        return unordered || order == 0;
    case MOD_neu:
        return unordered || order != 0;
    case MOD_ltu:
        return unordered || order < 0;
    case MOD_leu:
        return unordered || order <= 0;
    case MOD_gtu:
        return unordered || order > 0;
    case MOD_geu:
        return unordered || order >= 0;
    case MOD_num:
        return !unordered;
    default:
        return unordered;
    }
}

static bool compare_bits(const Op *op, unsigned type, uint64_t a, uint64_t b)
{
    const FloatFormat *f = ops_format(type);
    if (!f) {
        __int128 x = number(a, type), y = number(b, type);
        return compare(op->insn->mod[MC_CMP], x < y ? -1 : x > y, false);
    }
    if (op->insn->mod[MC_FTZ]) {
        a = fp_flush(f, a);
        b = fp_flush(f, b);
    }
    Wide x = fp_decode(f, a), y = fp_decode(f, b);
    bool unordered = fp_is_nan(f, a) || fp_is_nan(f, b);
    return compare(op->insn->mod[MC_CMP], x < y ? -1 : x > y, unordered);
}

static bool combine(unsigned with, bool t, bool c)
{
    return with == MOD_and ? t && c : with == MOD_or ? t || c : with == MOD_xor ? t != c : t;
}

static bool comparison(Op *op)
{
    bool set = op->insn->op == OP_set;
    unsigned compared = set ? op->insn->types[1] : op->type;
    bool t = compare_bits(op, compared, op->in[0], op->in[1]), c = op->in[2] & 1;
    unsigned with = op->insn->mod[MC_BOOL];
    if (!set) {
        op->out->bits[0] = combine(with, t, c);
        op->out->bits[1] = combine(with, !t, c);
        return true;
    }
    bool result = combine(with, t, c);
    if (op->type == TY_f32)
        op->out->bits[0] = result ? 0x3f800000 : 0;
    else
        op->out->bits[0] = result ? 0xffffffff : 0;
    return true;
}

/* ---- floating point ---- */

static Rounding rounding_of(const IrInsn *insn)
{
    switch (insn->mod[MC_RND]) {
    case MOD_rz:
    case MOD_rzi:
        return ROUND_ZERO;
    case MOD_rm:
    case MOD_rmi:
        return ROUND_DOWN;
    case MOD_rp:
    case MOD_rpi:
        return ROUND_UP;
    case MOD_rna:
        return ROUND_AWAY;
    default:
        return ROUND_NEAREST;
    }
}

static uint64_t one_of(const FloatFormat *f)
{
    return fp_encode(f, 1, ROUND_NEAREST);
}

/* .ftz, .sat, .relu on a result. */
static uint64_t finish(const Op *op, const FloatFormat *f, uint64_t z)
{
    const uint16_t *mod = op->insn->mod;
    if (mod[MC_FTZ])
        z = fp_flush(f, z);
    if (mod[MC_SAT] == MOD_sat) {
        if (fp_is_nan(f, z) || fp_sign(f, z))
            return 0;
        if (fp_decode(f, z) > 1)
            return one_of(f);
    }
    if (mod[MC_RELU] && !fp_is_nan(f, z) && fp_sign(f, z))
        return 0;
    if (mod[MC_SAT] == MOD_satfinite && fp_is_inf(f, z))
        return z - (f == ops_format(TY_tf32) ? 0x2000 : 1); /* the largest number */
    return z;
}

/* .relu of -0: the manual leaves the sign open. */
static bool is_open(const Op *op, const FloatFormat *f, uint64_t z)
{
    return op->insn->mod[MC_RELU] && fp_is_zero(f, z) && fp_sign(f, z);
}

static uint64_t min_max(const Op *op, const FloatFormat *f, uint64_t a, uint64_t b)
{
    bool smaller = op->insn->op == OP_min_f;
    bool na = fp_is_nan(f, a), nb = fp_is_nan(f, b);
    uint64_t top = UINT64_C(1) << (f->bits - 1), sign = 0;
    if ((op->insn->mod[MC_NAN] && (na || nb)) || (na && nb))
        return fp_nan(f);
    if (op->insn->mod[MC_XORSIGN]) {
        sign = (a ^ b) & top;
        a &= ~top;
        b &= ~top;
    }
    if (na)
        return op->insn->mod[MC_XORSIGN] ? (b & ~top) | sign : b;
    if (nb)
        return op->insn->mod[MC_XORSIGN] ? (a & ~top) | sign : a;
    Wide x = fp_decode(f, a), y = fp_decode(f, b);
    bool first = x == y ? (fp_sign(f, a) == smaller) : smaller ? x < y : x > y;
    return (first ? a : b) | sign;
}

static uint64_t float_element(const Op *op, const FloatFormat *f, uint64_t a, uint64_t b,
                              uint64_t c)
{
    Rounding r = rounding_of(op->insn);
    uint64_t top = UINT64_C(1) << (f->bits - 1);
    if (op->insn->mod[MC_FTZ]) {
        a = fp_flush(f, a);
        b = fp_flush(f, b);
        c = fp_flush(f, c);
    }
    uint64_t z;
    switch (op->insn->op) {
    case OP_add_f:
        z = fp_add(f, a, b, r);
        break;
    case OP_sub_f:
        z = fp_is_nan(f, b) ? fp_nan(f) : fp_add(f, a, b ^ top, r);
        break;
    case OP_mul_f:
        z = fp_mul(f, a, b, r);
        break;
    case OP_fma:
    case OP_mad_f:
        z = fp_fma(f, a, b, c, r);
        break;
    case OP_div_f:
        z = fp_div(f, a, b, r);
        break;
    case OP_rcp:
        z = fp_div(f, one_of(f), a, r);
        break;
    case OP_sqrt:
        z = fp_sqrt(f, a, r);
        break;
    case OP_abs_f:
        return a & ~top;
    case OP_neg_f: /* packed halves give the canonical NaN, scalars keep their bits (recorded) */
        return (op->type == TY_f16x2 || op->type == TY_bf16x2) && fp_is_nan(f, a) ? fp_nan(f)
                                                                                  : a ^ top;
    case OP_min_f:
    case OP_max_f:
        z = min_max(op, f, a, b);
        break;
    default:
        z = (a & ~top) | (b & top);
        break;
    }
    op->out->any[0] |= is_open(op, f, z);
    /* .ftz looks at the exact result, before it is rounded up to a normal number (recorded) */
    if (op->insn->mod[MC_FTZ] && r != ROUND_ZERO) {
        uint64_t low = z;
        switch (op->insn->op) {
        case OP_mul_f:
            low = fp_mul(f, a, b, ROUND_ZERO);
            break;
        case OP_fma:
        case OP_mad_f:
            low = fp_fma(f, a, b, c, ROUND_ZERO);
            break;
        case OP_div_f:
            low = fp_div(f, a, b, ROUND_ZERO);
            break;
        default:
            break;
        }
        if (fp_is_subnormal(f, low))
            z = fp_flush(f, low);
    }
    return finish(op, f, z);
}

/* copysign d, a, b: the sign of a, the magnitude of b. */
static uint64_t copy_sign(const FloatFormat *f, uint64_t a, uint64_t b)
{
    uint64_t top = UINT64_C(1) << (f->bits - 1);
    return (b & ~top) | (a & top);
}

static bool test_property(const Op *op, const FloatFormat *f, uint64_t a)
{
    bool special = fp_is_nan(f, a) || fp_is_inf(f, a);
    switch (op->insn->mod[MC_TESTP]) {
    case MOD_finite:
        return !special;
    case MOD_infinite:
        return fp_is_inf(f, a);
    case MOD_number:
        return !fp_is_nan(f, a);
    case MOD_notanumber:
        return fp_is_nan(f, a);
    case MOD_normal:
        return !special && !fp_is_subnormal(f, a); /* zeros count as normal */
    default:
        return fp_is_subnormal(f, a);
    }
}

static bool is_pair(unsigned type)
{
    return type == TY_f16x2 || type == TY_bf16x2;
}

static bool exact_float(Op *op)
{
    const FloatFormat *f = ops_format(op->type);
    const uint64_t *in = op->in;
    if (!f)
        return false;
    if (op->insn->op == OP_testp) {
        op->out->bits[0] = test_property(op, f, in[0]);
        return true;
    }
    if (op->insn->op == OP_copysign) {
        op->out->bits[0] = copy_sign(f, in[0], in[1]);
        return true;
    }
    uint64_t z = 0;
    for (unsigned half = 0; half <= is_pair(op->type); ++half) {
        uint64_t part[3];
        for (unsigned i = 0; i < 3; ++i)
            part[i] = i < op->test->in_count ? in[i] >> 16 * half & mask_of((unsigned)f->bits) : 0;
        z |= float_element(op, f, part[0], part[1], part[2]) << 16 * half;
    }
    op->out->bits[0] = z;
    /* PTX gives no pattern for f64 NaN, nor for the sign and payload behind abs and neg */
    op->out->nan[0] = op->type == TY_f64 || op->insn->op == OP_abs_f || op->insn->op == OP_neg_f;
    return true;
}

/* ---- approximate functions: the hardware's bits (tests/approx) ---- */

static uint64_t approx_single(const IrInsn *insn, uint32_t a, uint32_t b)
{
    bool ftz = insn->mod[MC_FTZ] != 0;
    switch (insn->op) {
    case OP_rcp:
        return sfu_rcp(a, ftz);
    case OP_sqrt:
        return sfu_sqrt(a, ftz);
    case OP_rsqrt:
        return sfu_rsqrt(a, ftz);
    case OP_sin:
        return sfu_sin(a, ftz);
    case OP_cos:
        return sfu_cos(a, ftz);
    case OP_lg2:
        return sfu_lg2(a, ftz);
    case OP_ex2:
        return sfu_ex2(a, ftz);
    case OP_tanh:
        return sfu_tanh(a, ftz);
    default:
        return sfu_div(a, b, insn->mod[MC_APPROX] == MOD_full, ftz);
    }
}

static uint64_t approx_half(const IrInsn *insn, unsigned type, uint16_t a)
{
    bool bf16 = type == TY_bf16 || type == TY_bf16x2;
    if (insn->op == OP_ex2)
        return bf16 ? sfu_ex2_bf16(a) : sfu_ex2_f16(a);
    return bf16 ? sfu_tanh_bf16(a) : sfu_tanh_f16(a);
}

static bool approx(Op *op)
{
    const IrInsn *insn = op->insn;
    uint64_t a = op->in[0], z;
    if (op->type == TY_f32)
        z = approx_single(insn, (uint32_t)a, (uint32_t)op->in[1]);
    else if (op->type == TY_f64)
        z = insn->op == OP_rcp  ? sfu_rcp_f64(a)
            : insn->mod[MC_FTZ] ? sfu_rsqrt_f64(a)
                                : sfu_rsqrt_f64_full(a);
    else if (is_pair(op->type))
        z = approx_half(insn, op->type, (uint16_t)a) |
            approx_half(insn, op->type, (uint16_t)(a >> 16)) << 16;
    else
        z = approx_half(insn, op->type, (uint16_t)a);
    op->out->bits[0] = z;
    op->out->reproduced = true;
    return true;
}

/* ---- conversion ---- */

static uint64_t extend_to_register(uint64_t value, unsigned type, unsigned reg_bits)
{
    unsigned bits = ir_type_info[type].bits;
    value = type_signed(type) ? (uint64_t)sign_extend(value, bits) : value & mask_of(bits);
    return value & mask_of(reg_bits);
}

static uint64_t float_to_int(const Op *op, const FloatFormat *f, unsigned from, unsigned to)
{
    uint64_t a = op->insn->mod[MC_FTZ] ? fp_flush(f, op->in[0]) : op->in[0];
    unsigned bits = ir_type_info[to].bits;
    if (fp_is_nan(f, a))
        return from == TY_f64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    Wide whole = fp_round_whole(fp_decode(f, a), rounding_of(op->insn));
    if (whole >= (Wide)0x1p100)
        return clamp((__int128)1 << 100, to);
    if (whole <= -(Wide)0x1p100)
        return clamp(-((__int128)1 << 100), to);
    return clamp((__int128)whole, to);
}

static uint64_t float_to_float(const Op *op, unsigned to, unsigned from)
{
    const FloatFormat *target = ops_format(to), *source = ops_format(from);
    uint64_t a = op->in[0];
    if (op->insn->mod[MC_FTZ])
        a = fp_flush(source, a);
    if (to == TY_tf32 &&
        op->insn->mod[MC_RND] == MOD_rna) /* plain arithmetic on the bits (recorded) */
    {
        uint64_t z = ((a >> 23 & 255) == 255 ? a : a + 0x1000) & 0xffffe000u;
        bool down = op->insn->mod[MC_SAT] == MOD_satfinite && (z >> 23 & 255) == 255;
        return down ? z - 0x2000 : z;
    }
    if (fp_is_nan(source, a) && (from == TY_f64 || from == TY_bf16) && to != from &&
        op->insn->mod[MC_SAT] != MOD_sat) {
        /* sign and upper fraction bits are kept, the quiet bit is set (recorded) */
        if (from == TY_bf16)
            return to == TY_f32 ? a << 16 : fp_nan(target);
        unsigned fraction = (unsigned)target->precision - 1;
        uint64_t top = (a >> 63) << (target->bits - 1),
                 ones = (UINT64_C(1) << (target->bits - 1 - fraction)) - 1;
        return top | ones << fraction | UINT64_C(1) << (fraction - 1) |
               ((a & ((UINT64_C(1) << 52) - 1)) >> (52 - fraction));
    }
    Wide value = fp_decode(source, a);
    unsigned mod = op->insn->mod[MC_RND];
    bool whole = mod == MOD_rni || mod == MOD_rzi || mod == MOD_rmi || mod == MOD_rpi;
    if (whole && !fp_is_nan(source, a))
        value = fp_round_whole(value, rounding_of(op->insn));
    uint64_t z = fp_encode(target, value, rounding_of(op->insn));
    op->out->any[0] |= is_open(op, target, z);
    return finish(op, target, z);
}

/* The value of a byte's lower seven bits: e4m3, or e5m2; past the largest: its overflow. */
static Wide byte_value(unsigned code, bool e4m3)
{
    int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
    int exponent = (int)(code >> fraction), part = (int)(code & ((1u << fraction) - 1));
    return exponent ? ldexpl((1 << fraction) + part, exponent - bias - fraction)
                    : ldexpl(part, 1 - bias - fraction);
}

/* The nearest byte by looking at all; of two the even one; the largest when beyond. */
static uint64_t nearest_byte(Wide value, bool e4m3)
{
    unsigned largest = e4m3 ? 0x7e : 0x7b, best = 0;
    Wide size = value < 0 ? -value : value;
    if (size >= byte_value(largest, e4m3))
        return largest;
    for (unsigned code = 1; code <= largest; ++code) {
        Wide here = byte_value(code, e4m3) - size, there = size - byte_value(best, e4m3);
        here = here < 0 ? -here : here;
        there = there < 0 ? -there : there;
        if (here < there || (here == there && !(code & 1)))
            best = code;
    }
    return best;
}

static bool convert_bytes(Op *op, unsigned to, unsigned from)
{
    bool back = to == TY_f16x2, relu = op->insn->mod[MC_RELU] != 0;
    bool e4m3 = (back ? from : to) == TY_e4m3x2;
    uint64_t z = 0;
    for (unsigned i = 0; i < 2; ++i) { /* from the lower one */
        if (back) {
            unsigned byte = op->in[0] >> 8 * i & 0xff, code = byte & 0x7f;
            bool nan = code > (e4m3 ? 0x7eu : 0x7cu);
            uint64_t half = fp_encode(ops_format(TY_f16), byte_value(code, e4m3), ROUND_NEAREST);
            half |= (uint64_t)(byte & 0x80) << 8;
            op->out->any[0] |= relu && byte == 0x80;
            z |= (nan ? 0x7fff : relu && byte & 0x80 ? 0 : half) << 16 * i;
            continue;
        }
        const FloatFormat *f = ops_format(from);
        uint64_t a = from == TY_f32 ? op->in[1 - i] : op->in[0] >> 16 * i & 0xffff;
        bool minus = fp_sign(f, a), nan = fp_is_nan(f, a);
        uint64_t code = nan               ? 0x7f
                        : fp_is_inf(f, a) ? (e4m3 ? 0x7e : 0x7b)
                                          : nearest_byte(fp_decode(f, a), e4m3);
        if (relu && minus && !nan)
            op->out->any[0] |= fp_is_zero(f, a), code = 0;
        z |= (code | (minus && !relu && !nan ? 0x80 : 0)) << 8 * i;
    }
    op->out->bits[0] = z;
    return true;
}

static bool convert(Op *op)
{
    unsigned to = op->insn->types[0], from = op->insn->types[1];
    if (to == TY_e4m3x2 || to == TY_e5m2x2 || from == TY_e4m3x2 || from == TY_e5m2x2)
        return convert_bytes(op, to, from);
    const FloatFormat *tf = ops_format(to), *ff = ops_format(from);
    unsigned reg_bits = ir_type_info[op->test->out_type[0]].bits;
    Rounding r = rounding_of(op->insn);
    if (is_pair(to) && from == TY_f32) { /* d = {a, b}: a in the high half */
        uint64_t z = 0;
        for (unsigned i = 0; i < 2; ++i) {
            uint64_t part = fp_encode(tf, fp_decode(ff, op->in[i]), r);
            op->out->any[0] |= is_open(op, tf, part);
            z = z << 16 | finish(op, tf, part);
        }
        op->out->bits[0] = z;
        return true;
    }
    if (tf && ff) {
        op->out->bits[0] = float_to_float(op, to, from);
        op->out->nan[0] =
            to == TY_f64 || (to == TY_tf32 && op->insn->mod[MC_RND] != MOD_rna) || to == from;
        return true;
    }
    if (tf) {
        __int128 value = number(op->in[0], from);
        op->out->bits[0] = finish(op, tf, fp_encode(tf, (Wide)value, r));
        return true;
    }
    if (ff) {
        op->out->bits[0] = extend_to_register(float_to_int(op, ff, from, to), to, reg_bits);
        return true;
    }
    __int128 value = number(op->in[0], from);
    uint64_t z = op->insn->mod[MC_SAT] ? clamp(value, to) : (uint64_t)value;
    op->out->bits[0] = extend_to_register(z, to, reg_bits);
    return true;
}

static bool convert_pack(Op *op)
{
    unsigned to = op->insn->types[0], bits = ir_type_info[to].bits;
    uint64_t a = clamp(number(op->in[0], op->insn->types[1]), to) & mask_of(bits);
    uint64_t b = clamp(number(op->in[1], op->insn->types[1]), to) & mask_of(bits);
    uint64_t rest = op->insn->type_count > 2 ? op->in[2] << 2 * bits : 0;
    op->out->bits[0] = (uint32_t)(rest | a << bits | b);
    return true;
}

/* ---- all ---- */

bool ops_expect(const OpsCase *test, const uint64_t *in, Expect *out)
{
    *out = (Expect){.reproduced = false};
    unsigned type = test->insn.types[0];
    Op op = {test, &test->insn, in, out, type, ir_type_info[type].bits, type_signed(type)};
    if (ir_video_parts(test->insn.op)) {
        ops_expect_video(test, in, out);
        return true;
    }
    switch (test->insn.op) {
    case OP_cvt:
        return convert(&op);
    case OP_cvt_pack:
        return convert_pack(&op);
    case OP_setp:
    case OP_set:
        return comparison(&op);
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_not:
    case OP_cnot:
    case OP_lop3:
    case OP_selp:
    case OP_slct:
    case OP_mov:
        return logic(&op);
    case OP_rsqrt:
    case OP_sin:
    case OP_cos:
    case OP_lg2:
    case OP_ex2:
    case OP_tanh:
        return approx(&op);
    case OP_div_f:
    case OP_rcp:
    case OP_sqrt:
        return test->insn.mod[MC_APPROX] ? approx(&op) : exact_float(&op);
    case OP_testp:
    case OP_copysign:
    case OP_add_f:
    case OP_sub_f:
    case OP_mul_f:
    case OP_fma:
    case OP_mad_f:
    case OP_abs_f:
    case OP_neg_f:
    case OP_min_f:
    case OP_max_f:
        return exact_float(&op);
    default:
        return integer(&op);
    }
}
