/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of the approximate instructions: their text, the width of their operands, the reference
 * that they are held to, and operands for those that have too many to try all. */
#ifndef GPUKIT_TESTS_APPROX_FORMS_H
#define GPUKIT_TESTS_APPROX_FORMS_H

#include "codegen/sfu.h"

#include <stdint.h>
#include <string.h>

typedef struct {
    const char *text;    /* rcp.approx.ftz.f32 */
    unsigned bits, args; /* width of an operand and the result; operands */
    uint32_t (*f32)(uint32_t, bool);
    uint16_t (*f16)(uint16_t);
    uint64_t (*f64)(uint64_t);
    bool ftz, full;
} ApproxForm;

#define APPROX_F32(name)                                                                           \
    {#name ".approx.f32", 32, 1, sfu_##name, NULL, NULL, false, false},                            \
    {                                                                                              \
#name ".approx.ftz.f32", 32, 1, sfu_##name, NULL, NULL, true, false                        \
    }
static const ApproxForm approx_forms[] = {
    APPROX_F32(rcp),
    APPROX_F32(rsqrt),
    APPROX_F32(sqrt),
    APPROX_F32(ex2),
    APPROX_F32(lg2),
    APPROX_F32(sin),
    APPROX_F32(cos),
    {"tanh.approx.f32", 32, 1, sfu_tanh, NULL, NULL, false, false},
    {"ex2.approx.f16", 16, 1, NULL, sfu_ex2_f16, NULL, false, false},
    {"ex2.approx.ftz.bf16", 16, 1, NULL, sfu_ex2_bf16, NULL, false, false},
    {"tanh.approx.f16", 16, 1, NULL, sfu_tanh_f16, NULL, false, false},
    {"tanh.approx.bf16", 16, 1, NULL, sfu_tanh_bf16, NULL, false, false},
    {"rcp.approx.ftz.f64", 64, 1, NULL, NULL, sfu_rcp_f64, false, false},
    {"rsqrt.approx.ftz.f64", 64, 1, NULL, NULL, sfu_rsqrt_f64, false, false},
    {"rsqrt.approx.f64", 64, 1, NULL, NULL, sfu_rsqrt_f64_full, false, false},
    {"div.approx.f32", 32, 2, NULL, NULL, NULL, false, false},
    {"div.approx.ftz.f32", 32, 2, NULL, NULL, NULL, true, false},
    {"div.full.f32", 32, 2, NULL, NULL, NULL, false, true},
    {"div.full.ftz.f32", 32, 2, NULL, NULL, NULL, true, true},
};
#undef APPROX_F32
enum { APPROX_FORMS = sizeof approx_forms / sizeof *approx_forms };

static inline uint64_t approx_reference(const ApproxForm *f, uint64_t a, uint64_t b)
{
    return f->args == 2   ? sfu_div((uint32_t)a, (uint32_t)b, f->full, f->ftz)
           : f->f32       ? f->f32((uint32_t)a, f->ftz)
           : f->bits > 32 ? f->f64(a)
                          : f->f16((uint16_t)a);
}

/* Operand `which` of point i. With one operand of at most 32 bits, all are tried; of 64 bits, all
 * upper words with scattered lower ones; pairs are scattered, every other one with near exponents.
 */
static inline uint64_t approx_operand(const ApproxForm *f, unsigned which, uint32_t i)
{
    if (f->args == 1 && f->bits <= 32)
        return i;
    uint64_t z = ((uint64_t)which << 32 | i) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 32) * 0xd6e8feb86659fd93;
    z ^= z >> 32;
    if (f->bits == 64)
        return (uint64_t)(i * 2654435761u) << 32 | (uint32_t)z;
    return i & 1 ? (uint32_t)z : ((uint32_t)z & 0x83ffffff) + 0x3d000000;
}

/* `.visible .entry <name><n>(in, other, out)`: out[i] = op(in[j], other[j]), where register `from`
 * holds j: "%%t" i, "%%u" the block. Print arguments follow. */
#define APPROX_KERNEL(name, from)                                                                  \
    ".visible .entry " name "%u(.param .u64 in, .param .u64 other, .param .u64 out)\n{\n"          \
    "    .reg .b64 %%a, %%b, %%c, %%n;\n    .reg .b32 %%t, %%u, %%v;\n"                            \
    "    .reg .b%u %%x, %%y, %%z;\n"                                                               \
    "    ld.param.u64 %%a, [in];\n    ld.param.u64 %%b, [other];\n    ld.param.u64 %%c, [out];\n"  \
    "    mov.u32 %%t, %%tid.x;\n    mov.u32 %%u, %%ctaid.x;\n    mov.u32 %%v, %%ntid.x;\n"         \
    "    mad.lo.u32 %%t, %%u, %%v, %%t;\n    mul.wide.u32 %%n, " from ", %u;\n"                    \
    "    add.u64 %%a, %%a, %%n;\n    add.u64 %%b, %%b, %%n;\n    mul.wide.u32 %%n, %%t, %u;\n"     \
    "    add.u64 %%c, %%c, %%n;\n"                                                                 \
    "    ld.global.b%u %%x, [%%a];\n    ld.global.b%u %%y, [%%b];\n    %s %%z, %%x%s;\n"           \
    "    st.global.b%u [%%c], %%z;\n    ret;\n}\n"
#define APPROX_KERNEL_ARGUMENTS(n, f)                                                              \
    n, (f)->bits, (f)->bits / 8, (f)->bits / 8, (f)->bits, (f)->bits, (f)->text,                   \
        (f)->args > 1 ? ", %y" : "", (f)->bits

#endif
