/* SPDX-License-Identifier: Apache-2.0
 * What video instructions must give, after the pseudo-code of the PTX ISA. No GPU since Kepler has
 * them in hardware: the assembler writes code in their place, which departs from the manual at the
 * ends of ranges (seen in what ptxas 13.0 makes for sm_90). Such operands count as open:
 *   - a saturated part of the destination takes negative values for large ones
 *   - .sat to u32 may wrap what is too large
 *   - .min and .max compare values past 31 bits as if they were wider or had wrapped
 *   - vmad with .sat or a scale takes unsigned words for signed ones
 * What the H200 gave decides elsewhere: a scalar result into .h1 is its own upper half, shifts
 * saturate to 32 bits even where a part of them is taken, .min and .max after an unsaturated shift see
 * all its bits, and vset compares with c as signed where its first type is. */
#include "ops.h"

#include <stdlib.h>
#include <string.h>

typedef __int128 Number;

static bool is_signed(unsigned type)
{
    return ir_type_info[type].class == TC_SIGNED;
}

static Number field(uint64_t word, unsigned at, unsigned bits, bool sign)
{
    uint64_t value = word >> at & ((UINT64_C(1) << bits) - 1);
    return sign && value >> (bits - 1) ? (Number)value - ((Number)1 << bits) : (Number)value;
}

/* "": the word; "b2", "h1": that part of it. */
static unsigned part_bits(const char *part)
{
    return !*part ? 32 : *part == 'h' ? 16 : 8;
}

static unsigned part_at(const char *part)
{
    return *part ? part_bits(part) * (unsigned)(part[1] - '0') : 0;
}

static Number scalar(uint64_t word, const char *part, unsigned type)
{
    return field(word, part_at(part), part_bits(part), is_signed(type));
}

static Number limit(Number value, unsigned bits, bool sign)
{
    Number high = ((Number)1 << (bits - sign)) - 1, low = sign ? -high - 1 : 0;
    return value < low ? low : value > high ? high : value;
}

static bool compares(unsigned compare, Number a, Number b)
{
    switch (compare) {
    case MOD_eq:
        return a == b;
    case MOD_ne:
        return a != b;
    case MOD_lt:
        return a < b;
    case MOD_le:
        return a <= b;
    case MOD_gt:
        return a > b;
    case MOD_ge:
        return a >= b;
    default:
        abort();
    }
}

static Number shifted(const IrInsn *insn, Number a, Number b)
{
    unsigned n = insn->mod[MC_SHFMODE] == MOD_wrap ? (unsigned)b & 31 : b > 32 ? 32 : (unsigned)b;
    if (insn->op == OP_vshr)
        return a >> n;
    bool wide = !insn->mod[MC_SAT] &&
                (insn->mod[MC_SECOP] == MOD_sec_min || insn->mod[MC_SECOP] == MOD_sec_max);
    uint64_t low = (uint64_t)a << n & ((UINT64_C(1) << 34) - 1);
    return wide ? a * ((Number)1 << n) : field(low, 0, 34, true);
}

static Number combine(const IrInsn *insn, Number a, Number b)
{
    switch (insn->op) {
    case OP_vadd:
    case OP_vadd2:
    case OP_vadd4:
        return a + b;
    case OP_vsub:
    case OP_vsub2:
    case OP_vsub4:
        return a - b;
    case OP_vabsdiff:
    case OP_vabsdiff2:
    case OP_vabsdiff4:
        return a > b ? a - b : b - a;
    case OP_vmin:
    case OP_vmin2:
    case OP_vmin4:
        return a < b ? a : b;
    case OP_vmax:
    case OP_vmax2:
    case OP_vmax4:
        return a > b ? a : b;
    case OP_vavrg2:
    case OP_vavrg4:
        return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case OP_vshl:
    case OP_vshr:
        return shifted(insn, a, b);
    default:
        return compares(insn->mod[MC_CMP], a, b);
    }
}

static void scalar_result(const OpsCase *test, const uint64_t *in, Expect *out)
{
    const IrInsn *insn = &test->insn;
    unsigned sources = insn->op == OP_vset ? 0 : 1, bits = part_bits(test->part[0]);
    bool sign = is_signed(insn->types[0]), shifts = insn->op == OP_vshl || insn->op == OP_vshr;
    Number v = combine(insn, scalar(in[0], test->part[1], insn->types[sources]),
                       scalar(in[1], test->part[2], insn->types[sources + 1]));
    Number c = field(in[2], 0, 32, sign);
    if (insn->mod[MC_SAT]) {
        out->any[0] = shifts ? false : bits < 32 ? v < 0 : !sign && v > UINT32_MAX;
        v = limit(v, shifts ? 32 : bits, sign);
    }
    switch (insn->mod[MC_SECOP]) {
    case MOD_sec_add:
        v += c;
        break;
    case MOD_sec_min:
    case MOD_sec_max:
        if (shifts && !sign && v < 0)
            v += (Number)1 << 64;
        out->any[0] |= !shifts && (v > INT32_MAX || v < (sign ? INT32_MIN : 0));
        if ((insn->mod[MC_SECOP] == MOD_sec_min) == (c < v))
            v = c;
        break;
    }
    if (bits < 32) {
        uint32_t mask = ((1u << bits) - 1) << part_at(test->part[0]);
        unsigned up = !strcmp(test->part[0], "h1") ? 0 : part_at(test->part[0]);
        v = ((uint32_t)v << up & mask) | (in[2] & ~mask);
    }
    out->bits[0] = (uint32_t)v;
}

static void multiply_add(const OpsCase *test, const uint64_t *in, Expect *out)
{
    const IrInsn *insn = &test->insn;
    bool product = test->negated[1] != test->negated[2];
    bool words = is_signed(insn->types[1]) || is_signed(insn->types[2]);
    bool sign = words || product || test->negated[3];
    Number a = scalar(in[0], test->part[1], insn->types[1]);
    Number b = scalar(in[1], test->part[2], insn->types[2]), c = field(in[2], 0, 32, sign);
    Number v =
        (product ? -(a * b) : a * b) + (test->negated[3] ? -c : c) + (insn->mod[MC_PO] == MOD_po);
    if (insn->mod[MC_SCALE])
        v >>= insn->mod[MC_SCALE] == MOD_shr7 ? 7 : 15;
    if (insn->mod[MC_SAT] || insn->mod[MC_SCALE])
        out->any[0] = a > INT32_MAX || b > INT32_MAX || c > INT32_MAX;
    if (insn->mod[MC_SAT]) {
        out->any[0] |= !sign && v > UINT32_MAX;
        v = limit(v, 32, sign);
    }
    out->bits[0] = (uint32_t)v;
}

/* Element i of a source: digit i from the right of its part names one of a's or b's elements. */
static Number element(const OpsCase *test, const uint64_t *in, unsigned source, unsigned i,
                      unsigned type)
{
    unsigned n = ir_video_parts(test->insn.op), bits = 32 / n, from = i + n * (source - 1);
    const char *part = test->part[source];
    if (*part)
        from = (unsigned)(part[strlen(part) - 1 - i] - '0');
    return field(in[from / n], from % n * bits, bits, is_signed(type));
}

static void simd_result(const OpsCase *test, const uint64_t *in, Expect *out)
{
    const IrInsn *insn = &test->insn;
    unsigned n = ir_video_parts(insn->op), bits = 32 / n, sources = insn->mod[MC_CMP] ? 0 : 1;
    const char *mask = test->part[0];
    uint32_t sum = (uint32_t)in[2], merged = sum;
    for (unsigned i = 0; i < n; ++i) {
        if (*mask && !strchr(mask + 1, (char)('0' + i)))
            continue;
        Number v = combine(insn, element(test, in, 1, i, insn->types[sources]),
                           element(test, in, 2, i, insn->types[sources + 1]));
        if (insn->mod[MC_SAT])
            v = limit(v, bits, is_signed(insn->types[0]));
        uint32_t place = ((1u << bits) - 1) << i * bits;
        sum += (uint32_t)v;
        merged = (merged & ~place) | ((uint32_t)v << i * bits & place);
    }
    out->bits[0] = insn->mod[MC_SECOP] ? sum : merged;
}

void ops_expect_video(const OpsCase *test, const uint64_t *in, Expect *out)
{
    if (test->insn.op == OP_vmad)
        multiply_add(test, in, out);
    else if (ir_video_parts(test->insn.op) == 1)
        scalar_result(test, in, out);
    else
        simd_result(test, in, out);
}
