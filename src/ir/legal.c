/* SPDX-License-Identifier: Apache-2.0
 * Which types each instruction takes, where its class set (ops.def, column types) says too much.
 * PTX ISA 9.0, one entry per instruction group. */
#include "ir/verify.h"

#define T(id)  (UINT64_C(1) << TY_##id)
#define INT16  (T(u16) | T(s16))
#define INT32  (T(u32) | T(s32))
#define INT64  (T(u64) | T(s64))
#define INTS   (INT16 | INT32 | INT64)
#define BITS   (T(b16) | T(b32) | T(b64))
#define PAIRS  (T(u16x2) | T(s16x2))
#define HALVES (T(f16) | T(f16x2) | T(bf16) | T(bf16x2))
#define FLOATS (T(f32) | T(f64))
#define BYTES  (T(b8) | T(u8) | T(s8))

uint64_t ir_legal_types(unsigned op)
{
    if (ir_video_parts(op))
        return INT32;
    switch (op) {
    case OP_add_i:
    case OP_min_i:
    case OP_max_i:
        return INTS | PAIRS;
    case OP_sub_i:
    case OP_mul_i:
    case OP_div_i:
    case OP_rem:
    case OP_sad:
        return INTS;
    case OP_mad_i:
        return INTS;
    case OP_addc:
    case OP_subc:
    case OP_madc:
        return INT32 | INT64;
    case OP_mul24:
    case OP_mad24:
    case OP_szext:
        return INT32;
    case OP_bfe:
    case OP_bfind:
        return INT32 | INT64;
    case OP_abs_i:
    case OP_neg_i:
        return T(s16) | T(s32) | T(s64);
    case OP_popc:
    case OP_clz:
    case OP_brev:
    case OP_bfi:
        return T(b32) | T(b64);
    case OP_fns:
    case OP_bmsk:
    case OP_lop3:
    case OP_shf:
    case OP_prmt:
        return T(b32);
    case OP_dp4a:
    case OP_dp2a:
        return INT32;
    case OP_testp:
    case OP_copysign:
    case OP_div_f:
    case OP_rcp:
    case OP_sqrt:
    case OP_rsqrt:
    case OP_mad_f:
        return FLOATS;
    case OP_add_f:
    case OP_sub_f:
    case OP_mul_f:
    case OP_fma:
        return FLOATS | HALVES | T(f32x2);
    case OP_abs_f:
    case OP_neg_f:
    case OP_min_f:
    case OP_max_f:
        return FLOATS | HALVES;
    case OP_sin:
    case OP_cos:
    case OP_lg2:
        return T(f32);
    case OP_ex2:
    case OP_tanh:
        return T(f32) | HALVES;
    case OP_setp:
    case OP_set:
        return FLOATS | HALVES | INTS | BITS;
    case OP_selp:
    case OP_slct:
        return FLOATS | INTS | BITS;
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_not:
        return BITS | T(pred);
    case OP_cnot:
    case OP_shl:
        return BITS;
    case OP_shr:
        return BITS | INTS;
    case OP_mov:
        return FLOATS | HALVES | INTS | BITS | T(pred) | T(b128);
    case OP_cvta:
    case OP_mapa:
        return T(u32) | T(u64);
    case OP_ld:
    case OP_ldu:
    case OP_st:
        return FLOATS | HALVES | INTS | BITS | BYTES | T(b128);
    case OP_atom:
    case OP_red:
        return FLOATS | HALVES | T(b16) | T(b32) | T(b64) | T(b128) | INT32 | INT64;
    case OP_bar_red:
    case OP_barrier_red:
        return T(u32) | T(pred);
    case OP_shfl:
    case OP_activemask:
        return T(b32);
    case OP_match:
        return T(b32) | T(b64);
    case OP_vote:
        return T(b32) | T(pred);
    case OP_redux:
        return INT32 | T(b32) | T(f32);
    case OP_nanosleep:
        return T(u32);
    default:
        return ~UINT64_C(0);
    }
}
