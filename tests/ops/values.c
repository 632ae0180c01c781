/* SPDX-License-Identifier: Apache-2.0
 * Operand values: first the products of the edge values of two positions, then random ones. */
#include "ops.h"

static const uint64_t edge_int[] = {
    0,
    1,
    2,
    3,
    7,
    8,
    31,
    32,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0x7fffff,
    0x800000,
    0x7fffffff,
    0x80000000,
    0xfffffffe,
    0xffffffff,
    0x100000000,
    0x7fffffffffffffff,
    0x8000000000000000,
    0xfffffffffffffffe,
    0xffffffffffffffff,
    0xffffffff80000000,
};
static const uint64_t edge_f32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3fc00000, 0x40000000,
    0xc0200000, 0x4b000000, 0x4b7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
};
static const uint64_t edge_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0x3fe0000000000000, 0xbfe0000000000000,
    0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
    0x4004000000000000, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000,
    0x43e0000000000000, 0xc3e0000000000000, 0x380fffffffffffff, 0x3690000000000000,
    0x47efffffe0000000, 0x47effffff0000000, 0x7fefffffffffffff, 0xffefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000012345,
};
static const uint64_t edge_f16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3800,
    0xb800, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0x4000, 0xc100, 0x57ff,
    0x5bff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7fff,
};
static const uint64_t edge_bf16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080, 0x3f00, 0xbf00, 0x3f7f, 0x3f80, 0xbf80,
    0x3f81, 0x3fc0, 0x4000, 0xc020, 0x4300, 0x4b80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1,
};
static const uint64_t edge_shift[] = {
    0,  1,  2,  3,  4,  7,   8,   15,  16,  17,  24,   30,         31,         32,
    33, 40, 63, 64, 65, 100, 128, 255, 256, 257, 0x1f, 0xffffffff, 0x80000000, 0x80000001,
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t edge(const uint64_t *list, size_t count, unsigned position, unsigned lane,
                     bool *random)
{
    size_t pairs = count * count;
    *random = lane >= pairs;
    if (*random)
        return 0;
    switch (position) {
    case 0:
        return list[lane % count];
    case 1:
        return list[lane / count % count];
    default:
        return list[(lane * 7 + lane / count * 3 + position) % count];
    }
}

/* Random bits, or an exponent near one so that results are neither all infinite nor all zero. */
static uint64_t random_float(uint64_t r, int fraction, int exponent)
{
    uint64_t bias = (UINT64_C(1) << (exponent - 1)) - 1;
    /* f64: zeros, the inputs for which the hardware's results are recorded */
    uint64_t mask = fraction + exponent < 63 ? (UINT64_C(1) << (fraction + exponent + 1)) - 1 : 0;
    if (r % 4 == 0)
        return mix(r) & mask;
    uint64_t spread = r >> 8 & 7;
    uint64_t bits = (bias - 4 + spread) << fraction | (mix(r) & ((UINT64_C(1) << fraction) - 1));
    return bits | (r >> 20 & 1) << (fraction + exponent);
}

static uint64_t pair_of(OpsDomain domain, unsigned position, unsigned lane)
{
    return ops_value(domain, position, lane) |
           ops_value(domain, position, (lane * 5 + 11) % OPS_LANES) << 16;
}

uint64_t ops_value(OpsDomain domain, unsigned position, unsigned lane)
{
    uint64_t r = mix((uint64_t)lane * 8 + position + ((uint64_t)domain << 20) + 1), value;
    bool random = true;
    switch (domain) {
    case DOM_PRED:
        return r >> 7 & 1;
    case DOM_I16:
    case DOM_I32:
    case DOM_I64:
        value = edge(edge_int, COUNT(edge_int), position, lane, &random);
        if (random)
            value = r % 3 == 0 ? mix(r) % 64 : r % 3 == 1 ? mix(r) & 0xffff : mix(r);
        return domain == DOM_I16 ? value & 0xffff : domain == DOM_I32 ? value & 0xffffffff : value;
    case DOM_I16X2:
        return pair_of(DOM_I16, position, lane);
    case DOM_F16X2:
        return pair_of(DOM_F16, position, lane);
    case DOM_BF16X2:
        return pair_of(DOM_BF16, position, lane);
    case DOM_F16:
        value = edge(edge_f16, COUNT(edge_f16), position, lane, &random);
        return random ? random_float(r, 10, 5) : value;
    case DOM_BF16:
        value = edge(edge_bf16, COUNT(edge_bf16), position, lane, &random);
        return random ? random_float(r, 7, 8) : value;
    case DOM_F32:
        value = edge(edge_f32, COUNT(edge_f32), position, lane, &random);
        return random ? random_float(r, 23, 8) : value;
    case DOM_F64:
        value = edge(edge_f64, COUNT(edge_f64), position, lane, &random);
        return random ? random_float(r, 52, 11) : value;
    case DOM_SHIFT:
        value = edge(edge_shift, COUNT(edge_shift), position, lane, &random);
        return random ? mix(r) % 70 : value;
    case DOM_SMALL:
        return position == 1 ? mix(r) % 32 : (uint32_t)(int32_t)(mix(r) % 13) - 6;
    case DOM_ANGLE: /* floats of at most pi in magnitude, and the special ones */
        if (lane < COUNT(edge_f32))
            return edge_f32[lane];
        return (r & UINT64_C(0x80000000)) |
               (uint32_t)(0x3c000000 + mix(r) % (0x40490fdb - 0x3c000000));
    default:
        return r;
    }
}

OpsDomain ops_domain(unsigned type)
{
    switch (type) {
    case TY_pred:
        return DOM_PRED;
    case TY_f16:
        return DOM_F16;
    case TY_bf16:
        return DOM_BF16;
    case TY_f16x2:
        return DOM_F16X2;
    case TY_bf16x2:
        return DOM_BF16X2;
    case TY_f32:
    case TY_tf32:
        return DOM_F32;
    case TY_f64:
        return DOM_F64;
    case TY_u16x2:
    case TY_s16x2:
        return DOM_I16X2;
    default:
        return ir_type_info[type].bits == 16   ? DOM_I16
               : ir_type_info[type].bits == 64 ? DOM_I64
                                               : DOM_I32;
    }
}

void ops_inputs(uint64_t *values)
{
    for (unsigned domain = 0; domain < DOM_COUNT; ++domain)
        for (unsigned position = 0; position < OPS_MAX_IN; ++position)
            for (unsigned lane = 0; lane < OPS_LANES; ++lane)
                *values++ = ops_value((OpsDomain)domain, position, lane);
}
