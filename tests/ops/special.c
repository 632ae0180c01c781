/* SPDX-License-Identifier: Apache-2.0
 * Instructions that need more than one lane, memory or control flow: kernels of their own. Every
 * kernel has one buffer of 64 KiB: words 0..4095 input, results from word 4096 on. What lanes do in
 * an order that PTX leaves open is not compared. */
#include "ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = 4096 };

static uint32_t scramble(uint32_t x)
{
    x = (x ^ 61) ^ x >> 16;
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ x >> 15;
}

static void fill_random(const char *name, uint32_t *words)
{
    (void)name;
    for (uint32_t i = 0; i < OUT; ++i)
        words[i] = scramble(i + 1);
    for (uint32_t i = OUT; i < SPECIAL_WORDS; ++i)
        words[i] = 0x5a5a5a5a;
}

static bool has(const char *name, const char *part)
{
    return strstr(name, part) != NULL;
}

/* in: words + tid; out: words + OUT + tid; tid = thread in the grid. */
static void head(Buf *out)
{
    buf_puts(out, ".visible .entry k(.param .u64 words)\n{\n"
                  ".reg .b32 tid, lane, x, y, z, r<16>;\n.reg .b64 in, out, base, at, d<16>;\n"
                  ".reg .pred p, q, s;\n.reg .b16 h<8>;\n.reg .f32 f<8>;\n.reg .f64 g<8>;\n"
                  "ld.param.u64 base, [words];\nmov.u32 x, %ctaid.x;\nmov.u32 y, %ntid.x;\n"
                  "mov.u32 z, %tid.x;\nmad.lo.u32 tid, x, y, z;\nmov.u32 lane, %laneid;\n"
                  "mul.wide.u32 at, tid, 4;\nadd.s64 in, base, at;\nadd.s64 out, in, 16384;\n");
}

static void tail(Buf *out)
{
    buf_puts(out, "ret;\n}\n");
}

/* ---- carry ---- */

static void carry_text(const char *name, Buf *out)
{
    (void)name;
    head(out);
    buf_puts(
        out,
        "ld.global.u32 r0, [in];\nld.global.u32 r1, [in+256];\nld.global.u32 r2, [in+512];\n"
        "ld.global.u32 r3, [in+768];\n"
        "and.b32 x, tid, 1;\nsetp.eq.u32 p, x, 0;\n@p mov.u32 r0, 0xffffffff;\n"
        "add.cc.u32 r4, r0, r2;\naddc.cc.u32 r5, r1, r3;\naddc.u32 r6, 0, 0;\n"
        "st.global.u32 [out], r4;\nst.global.u32 [out+256], r5;\nst.global.u32 [out+512], r6;\n"
        "sub.cc.u32 r4, r0, r2;\nsubc.cc.u32 r5, r1, r3;\nsubc.u32 r6, 0, 0;\n"
        "st.global.u32 [out+768], r4;\nst.global.u32 [out+1024], r5;\n"
        "st.global.u32 [out+1280], r6;\n"
        "mul.lo.u32 r4, r0, r2;\nmul.hi.u32 r5, r0, r2;\n"
        "mad.lo.cc.u32 r5, r0, r3, r5;\nmadc.hi.u32 r6, r0, r3, 0;\n"
        "mad.lo.cc.u32 r5, r1, r2, r5;\nmadc.hi.cc.u32 r6, r1, r2, r6;\naddc.u32 r7, 0, 0;\n"
        "mad.lo.cc.u32 r6, r1, r3, r6;\nmadc.hi.u32 r7, r1, r3, r7;\n"
        "st.global.u32 [out+1536], r4;\nst.global.u32 [out+1792], r5;\n"
        "st.global.u32 [out+2048], r6;\nst.global.u32 [out+2304], r7;\n"
        "mov.b64 d0, {r0, r1};\nmov.b64 d1, {r2, r3};\nadd.cc.u64 d2, d0, d0;\n"
        "addc.cc.u64 d3, d1, d1;\naddc.u32 r8, 0, 0;\nmov.b64 {r4, r5}, d3;\n"
        "st.global.u32 [out+2560], r4;\nst.global.u32 [out+2816], r5;\n"
        "st.global.u32 [out+3072], r8;\n");
    tail(out);
}

static void carry_expect(const char *name, uint32_t *w, bool *any)
{
    (void)name, (void)any;
    for (uint32_t t = 0; t < 64; ++t) {
        uint32_t r0 = t & 1 ? w[t] : 0xffffffff;
        uint64_t a = r0 | (uint64_t)w[t + 64] << 32, b = w[t + 128] | (uint64_t)w[t + 192] << 32;
        unsigned __int128 sum = (unsigned __int128)a + b, product = (unsigned __int128)a * b;
        uint64_t difference = a - b;
        uint32_t *o = w + OUT + t;
        o[0] = (uint32_t)sum;
        o[64] = (uint32_t)(sum >> 32);
        o[128] = (uint32_t)(sum >> 64);
        o[192] = (uint32_t)difference;
        o[256] = (uint32_t)(difference >> 32);
        o[320] = a < b ? 0xffffffff : 0;
        for (unsigned i = 0; i < 4; ++i)
            o[384 + 64 * i] = (uint32_t)(product >> 32 * i);
        unsigned __int128 twice = ((unsigned __int128)b << 1) + (a >> 63);
        o[640] = (uint32_t)twice;
        o[704] = (uint32_t)(twice >> 32);
        o[768] = (uint32_t)(twice >> 64);
    }
}

/* ---- warp: shuffles, votes, matches, reductions; all lanes, or some under a branch ---- */

#define PART 0x0ff0f3c5u

static bool is_partial(const char *name)
{
    return has(name, "partial");
}

static void branch_in(const char *name, Buf *out)
{
    if (is_partial(name))
        buf_printf(out,
                   "mov.u32 x, 0x%x;\nshr.u32 x, x, lane;\nand.b32 x, x, 1;\n"
                   "setp.eq.u32 s, x, 0;\n@s bra done;\n",
                   PART);
}

static const char *mask_text(const char *name)
{
    return is_partial(name) ? "0x0ff0f3c5" : "0xffffffff";
}

static bool is_active(const char *name, unsigned lane)
{
    return !is_partial(name) || PART >> lane & 1;
}

static int opcode_length(const char *name)
{
    return (int)strcspn(name, " ");
}

static const uint32_t shuffle_c[] = {0x1f, 0x0, 0x1c03, 0x181f, 0x1807};

static void shfl_text(const char *name, Buf *out)
{
    head(out);
    branch_in(name, out);
    buf_puts(out, "ld.global.u32 r0, [in];\nld.global.u32 r1, [in+1024];\nand.b32 r1, r1, 63;\n");
    for (unsigned i = 0; i < 5; ++i)
        buf_printf(out,
                   "%.*s r2|p, r0, r1, 0x%x, %s;\nselp.u32 r3, 1, 0, p;\n"
                   "st.global.u32 [out+%u], r2;\nst.global.u32 [out+%u], r3;\n",
                   opcode_length(name), name, shuffle_c[i], mask_text(name), i * 1024,
                   i * 1024 + 512);
    buf_puts(out, "done:\n");
    tail(out);
}

static void shfl_expect(const char *name, uint32_t *w, bool *any)
{
    for (unsigned t = 0; t < 64; ++t)
        for (unsigned i = 0; i < 5; ++i) {
            unsigned lane = t & 31, b = w[t + 256] & 31, segment = shuffle_c[i] >> 8 & 31;
            int c = (int)(shuffle_c[i] & 31), most = (int)(lane & segment) | (c & (int)~segment);
            int j;
            bool inside;
            if (has(name, ".up")) {
                j = (int)lane - (int)b;
                inside = j >= most;
            } else if (has(name, ".down")) {
                j = (int)(lane + b);
                inside = j <= most;
            } else if (has(name, ".bfly")) {
                j = (int)(lane ^ b);
                inside = j <= most;
            } else {
                j = (int)((lane & segment) | (b & ~segment));
                inside = j <= most;
            }
            if (!inside)
                j = (int)lane;
            if (!is_active(name, lane))
                continue;
            uint32_t *o = w + OUT + t + i * 256;
            o[0] = w[(t & ~31u) + (unsigned)j];
            o[128] = inside;
            any[OUT + t + i * 256] = !is_active(name, (unsigned)j);
        }
}

static void vote_text(const char *name, Buf *out)
{
    head(out);
    branch_in(name, out);
    bool predicate = !has(name, "ballot");
    for (unsigned i = 0; i < 4; ++i) { /* none, all, some, most */
        buf_puts(out, "ld.global.u32 r0, [in];\n");
        buf_puts(out, i == 0   ? "setp.ne.u32 p, r0, r0;\n"
                      : i == 1 ? "setp.eq.u32 p, r0, r0;\n"
                      : i == 2 ? "and.b32 r0, r0, 1;\nsetp.eq.u32 p, r0, 1;\n"
                               : "setp.ne.u32 p, lane, 6;\n");
        if (predicate)
            buf_printf(out,
                       "%.*s q, p, %s;\nselp.u32 r1, 1, 0, q;\n%.*s q, !p, %s;\n"
                       "selp.u32 r2, 1, 0, q;\n",
                       opcode_length(name), name, mask_text(name), opcode_length(name), name,
                       mask_text(name));
        else
            buf_printf(out, "%.*s r1, p, %s;\n%.*s r2, !p, %s;\n", opcode_length(name), name,
                       mask_text(name), opcode_length(name), name, mask_text(name));
        buf_printf(out, "st.global.u32 [out+%u], r1;\nst.global.u32 [out+%u], r2;\n", i * 512,
                   i * 512 + 256);
    }
    buf_puts(out, "done:\n");
    tail(out);
}

static uint32_t vote_result(const char *name, uint32_t ballot, uint32_t mask)
{
    ballot &= mask;
    if (has(name, ".all"))
        return ballot == mask;
    if (has(name, ".any"))
        return ballot != 0;
    if (has(name, ".uni"))
        return ballot == 0 || ballot == mask;
    return ballot;
}

static void vote_expect(const char *name, uint32_t *w, bool *any)
{
    (void)any;
    uint32_t mask = is_partial(name) ? PART : 0xffffffff;
    for (unsigned warp = 0; warp < 2; ++warp)
        for (unsigned i = 0; i < 4; ++i) {
            uint32_t ballot = i == 1 ? 0xffffffff : i == 3 ? ~(1u << 6) : 0;
            for (unsigned l = 0; i == 2 && l < 32; ++l)
                ballot |= (w[warp * 32 + l] & 1) << l;
            for (unsigned l = 0; l < 32; ++l)
                if (is_active(name, l)) {
                    w[OUT + i * 128 + warp * 32 + l] = vote_result(name, ballot, mask);
                    w[OUT + i * 128 + 64 + warp * 32 + l] = vote_result(name, ~ballot, mask);
                }
        }
}

static void match_text(const char *name, Buf *out)
{
    head(out);
    branch_in(name, out);
    bool all = has(name, ".all"), wide = has(name, "b64");
    for (unsigned i = 0; i < 2; ++i) {
        buf_printf(out, "ld.global.u32 r0, [in];\nand.b32 r0, r0, %u;\nmov.b64 d0, {5, r0};\n",
                   i * 3);
        buf_printf(out, "%.*s r1%s, %s, %s;\n", opcode_length(name), name, all ? "|p" : "",
                   wide ? "d0" : "r0", mask_text(name));
        buf_printf(out, "st.global.u32 [out+%u], r1;\n", i * 512);
        if (all)
            buf_printf(out, "selp.u32 r2, 1, 0, p;\nst.global.u32 [out+%u], r2;\n", i * 512 + 256);
    }
    buf_puts(out, "done:\n");
    tail(out);
}

static void match_expect(const char *name, uint32_t *w, bool *any)
{
    (void)any;
    uint32_t mask = is_partial(name) ? PART : 0xffffffff;
    for (unsigned t = 0; t < 64; ++t) {
        if (!is_active(name, t & 31))
            continue;
        for (unsigned i = 0; i < 2; ++i) {
            uint32_t equal = 0;
            for (unsigned l = 0; l < 32; ++l)
                if ((mask >> l & 1) && ((w[(t & 32) + l] ^ w[t]) & i * 3) == 0)
                    equal |= 1u << l;
            bool all = has(name, ".all");
            w[OUT + t + i * 128] = !all || equal == mask ? equal : 0;
            if (all)
                w[OUT + t + i * 128 + 64] = equal == mask;
        }
    }
}

static void redux_text(const char *name, Buf *out)
{
    head(out);
    branch_in(name, out);
    buf_printf(out, "ld.global.u32 r0, [in];\n%.*s r1, r0, %s;\nst.global.u32 [out], r1;\ndone:\n",
               opcode_length(name), name, mask_text(name));
    tail(out);
}

static uint32_t reduce(const char *name, uint32_t a, uint32_t b)
{
    bool is_signed = has(name, "s32");
    if (has(name, ".add"))
        return a + b;
    if (has(name, ".and"))
        return a & b;
    if (has(name, ".xor"))
        return a ^ b;
    if (has(name, ".or"))
        return a | b;
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    return less == has(name, ".min") ? a : b;
}

static void redux_expect(const char *name, uint32_t *w, bool *any)
{
    (void)any;
    for (unsigned warp = 0; warp < 2; ++warp) {
        uint32_t total = 0;
        bool first = true;
        for (unsigned l = 0; l < 32; ++l)
            if (is_active(name, l)) {
                total = first ? w[warp * 32 + l] : reduce(name, total, w[warp * 32 + l]);
                first = false;
            }
        for (unsigned l = 0; l < 32; ++l)
            if (is_active(name, l))
                w[OUT + warp * 32 + l] = total;
    }
}

static void activemask_text(const char *name, Buf *out)
{
    (void)name;
    head(out);
    buf_puts(out, "activemask.b32 r0;\nst.global.u32 [out], r0;\nsetp.lt.u32 p, lane, 11;\n"
                  "@p bra low;\nactivemask.b32 r1;\nbra.uni join;\nlow:\nactivemask.b32 r1;\n"
                  "add.u32 r1, r1, 0;\njoin:\nbar.warp.sync -1;\nst.global.u32 [out+256], r1;\n"
                  "elect.sync r2|q, -1;\nselp.u32 r3, 1, 0, q;\nvote.sync.ballot.b32 r4, q, -1;\n"
                  "popc.b32 r4, r4;\nst.global.u32 [out+512], r4;\n"
                  "setp.eq.u32 p, r2, lane;\nselp.u32 r4, 1, 0, p;\nst.global.u32 [out+768], r4;\n"
                  "st.global.u32 [out+1024], r3;\n");
    tail(out);
}

static void activemask_expect(const char *name, uint32_t *w, bool *any)
{
    (void)name;
    for (unsigned t = 0; t < 64; ++t) {
        unsigned lane = t & 31;
        w[OUT + t] = 0xffffffff;
        w[OUT + 64 + t] = lane < 11 ? 0x7ff : 0xfffff800;
        w[OUT + 128 + t] = 1;
        w[OUT + 192 + t] = w[OUT + 256 + t] = 0; /* which lane is elected is open */
        any[OUT + 192 + t] = any[OUT + 256 + t] = true;
    }
}

/* ---- block barriers ---- */

static void barrier_text(const char *name, Buf *out)
{
    bool full = has(name, "barrier");
    const char *bar = full ? "barrier" : "bar";
    buf_puts(out, ".shared .align 4 .b8 tile[1024];\n");
    head(out);
    buf_printf(out,
               "mov.u32 r9, tile;\nmov.u32 z, %%tid.x;\nmad.lo.u32 r9, z, 4, r9;\n"
               "ld.global.u32 r0, [in];\nst.shared.u32 [r9], r0;\n%s.sync 0;\n"
               "xor.b32 r1, z, 95;\nsetp.gt.u32 p, r1, 95;\n@p sub.u32 r1, 95, z;\n"
               "mov.u32 r8, tile;\nmad.lo.u32 r8, r1, 4, r8;\nld.shared.u32 r2, [r8];\n"
               "st.global.u32 [out], r2;\nand.b32 r3, r0, 3;\nsetp.eq.u32 p, r3, 0;\n"
               "%s.red.popc.u32 r4, 0, p;\nst.global.u32 [out+1024], r4;\n"
               "%s.red.popc.u32 r4, 3, 96, !p;\nst.global.u32 [out+2048], r4;\n"
               "%s.red.and.pred q, 0, p;\nselp.u32 r4, 1, 0, q;\n"
               "%s.red.or.pred q, 0, p;\nselp.u32 r5, 2, 0, q;\nsetp.lt.u32 s, r0, 1;\n"
               "%s.red.or.pred q, 0, s;\nselp.u32 r6, 4, 0, q;\n"
               "%s.red.and.pred q, 1, !s;\nselp.u32 r7, 8, 0, q;\n"
               "or.b32 r4, r4, r5;\nor.b32 r4, r4, r6;\nor.b32 r4, r4, r7;\n"
               "st.global.u32 [out+3072], r4;\n",
               bar, bar, bar, bar, bar, bar, bar);
    /* warp 0 fills, the others wait for it at barrier 5 */
    buf_printf(out,
               "setp.lt.u32 p, z, 32;\n@!p bra consumer;\nadd.u32 r1, z, 1000;\n"
               "st.shared.u32 [r9+512], r1;\n%s.arrive 5, 96;\nbra.uni joined;\nconsumer:\n"
               "%s.sync 5, 96;\nand.b32 r1, z, 31;\nmov.u32 r8, tile;\nmad.lo.u32 r8, r1, 4, r8;\n"
               "ld.shared.u32 r1, [r8+512];\njoined:\nst.global.u32 [out+4096], r1;\n",
               bar, bar);
    tail(out);
}

static void barrier_expect(const char *name, uint32_t *w, bool *any)
{
    (void)name, (void)any;
    for (unsigned block = 0; block < 2; ++block) {
        unsigned count = 0;
        bool zero = false;
        for (unsigned t = 0; t < 96; ++t) {
            count += (w[block * 96 + t] & 3) == 0;
            zero |= w[block * 96 + t] == 0;
        }
        for (unsigned t = 0; t < 96; ++t) {
            unsigned from = (t ^ 95) > 95 ? 95 - t : t ^ 95, i = block * 96 + t;
            w[OUT + i] = w[block * 96 + from];
            w[OUT + 256 + i] = count;
            w[OUT + 512 + i] = 96 - count;
            w[OUT + 768 + i] = (count == 96) | (count > 0) << 1 | zero << 2 | !zero << 3;
            w[OUT + 1024 + i] = (t & 31) + 1000;
        }
    }
}

/* ---- atomics: name "atom.global.add.u32" ---- */

static unsigned type_of(const char *name)
{
    const char *dot = NULL;
    for (const char *at = name; *at && *at != ' '; ++at)
        if (*at == '.')
            dot = at + 1;
    for (unsigned type = 1; type < TY_COUNT; ++type)
        if (strlen(ir_type_info[type].text) == (size_t)(name + opcode_length(name) - dot) &&
            strncmp(ir_type_info[type].text, dot, strlen(ir_type_info[type].text)) == 0)
            return type;
    abort();
}

static unsigned atom_bits(const char *name)
{
    return ir_type_info[type_of(name)].bits;
}

/* Every thread has a cell of its own, 8 bytes, then all threads share one. */
static void atom_text(const char *name, Buf *out)
{
    unsigned bits = atom_bits(name);
    bool shared = has(name, ".shared"), old = name[0] == 'a', cas = has(name, ".cas");
    if (shared)
        buf_puts(out, ".shared .align 8 .b8 cells[2048];\n");
    head(out);
    buf_puts(out, "mul.wide.u32 at, tid, 8;\nadd.s64 in, base, at;\nadd.s64 out, in, 16384;\n"
                  "add.s64 d0, in, 4096;\nadd.s64 d1, base, 6144;\nadd.s64 d8, base, 6144;\n");
    const char *cell = "d0", *common = "d1";
    if (shared) { /* the cells lie in shared memory and are copied back */
        buf_puts(out, "mov.u32 r0, cells;\nmad.lo.u32 r0, tid, 8, r0;\nmov.u32 r1, cells;\n"
                      "add.u32 r1, r1, 1024;\nld.global.b64 d2, [d0];\nst.shared.b64 [r0], d2;\n"
                      "ld.global.b64 d2, [d1];\nst.shared.b64 [r1], d2;\nbar.sync 0;\n");
        cell = "r0";
        common = "r1";
    }
    const char *value = bits == 16 ? "h" : bits == 32 ? "r" : "d";
    buf_printf(out, "ld.global.b%u %s4, [in];\nld.global.b%u %s5, [in+2048];\n", bits, value, bits,
               value);
    const char *targets[2] = {cell, common};
    for (unsigned i = 0; i < 2; ++i) {
        buf_printf(out, "%.*s ", opcode_length(name), name);
        if (old)
            buf_printf(out, "%s6, ", value);
        buf_printf(out, "[%s], %s4%s%s%s;\n", targets[i], value, cas ? ", " : "", cas ? value : "",
                   cas ? "5" : "");
        if (old && i == 0)
            buf_printf(out, "st.global.b%u [out], %s6;\n", bits, value);
    }
    if (shared)
        buf_printf(out, "bar.sync 0;\nld.shared.b64 d2, [r0];\nst.global.b64 [d0], d2;\n"
                        "ld.shared.b64 d2, [r1];\nst.global.b64 [d8], d2;\n");
    tail(out);
}

static uint64_t small_float(unsigned type, uint32_t value) /* whole numbers that add exactly */
{
    const FloatFormat *f = ops_format(type);
    uint64_t bits = fp_encode(f, (Wide)(value % 4), ROUND_NEAREST);
    return ir_type_info[type].bits == 32 && f->bits == 16
               ? bits | fp_encode(f, 1, ROUND_NEAREST) << 16
               : bits;
}

static void put_cell(uint32_t *w, size_t byte, uint64_t value, unsigned bits)
{
    memcpy((uint8_t *)w + byte, &value, bits / 8);
}

static uint64_t get_cell(const uint32_t *w, size_t byte, unsigned bits)
{
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)w + byte, bits / 8);
    return value;
}

static void atom_fill(const char *name, uint32_t *w)
{
    unsigned type = type_of(name), bits = atom_bits(name);
    fill_random(name, w);
    for (unsigned t = 0; t < 64; ++t) {
        if (ops_format(type)) {
            put_cell(w, t * 8, small_float(type, w[t]), bits);
            put_cell(w, 4096 + t * 8, small_float(type, w[t + 99]), bits);
        } else if (has(name, ".cas") && t % 2) /* every other compare succeeds */
            put_cell(w, 4096 + t * 8, get_cell(w, t * 8, bits), bits);
        else if (has(name, ".inc") || has(name, ".dec"))
            put_cell(w, t * 8, t % 3 ? 0xfffffff0 : t, bits);
    }
    put_cell(w, 6144, ops_format(type) ? 0 : 5, bits);
}

static uint64_t atom_apply(const char *name, uint64_t old, uint64_t a, uint64_t b)
{
    unsigned type = type_of(name), bits = atom_bits(name);
    const FloatFormat *f = ops_format(type);
    bool is_signed = ir_type_info[type].class == TC_SIGNED;
    int64_t so = bits == 32 ? (int32_t)old : (int64_t)old,
            sa = bits == 32 ? (int32_t)a : (int64_t)a;
    if (f && (int)bits > f->bits)
        return fp_add(f, old & 0xffff, a & 0xffff, ROUND_NEAREST) |
               fp_add(f, old >> 16, a >> 16, ROUND_NEAREST) << 16;
    if (f)
        return fp_add(f, old, a, ROUND_NEAREST);
    if (has(name, ".add"))
        return old + a;
    if (has(name, ".min"))
        return (is_signed ? so < sa : old < a) ? old : a;
    if (has(name, ".max"))
        return (is_signed ? so > sa : old > a) ? old : a;
    if (has(name, ".inc"))
        return old >= a ? 0 : old + 1;
    if (has(name, ".dec"))
        return old == 0 || old > a ? a : old - 1;
    if (has(name, ".and"))
        return old & a;
    if (has(name, ".xor"))
        return old ^ a;
    if (has(name, ".or"))
        return old | a;
    if (has(name, ".cas"))
        return old == a ? b : old;
    return a; /* exch */
}

static void atom_expect(const char *name, uint32_t *w, bool *any)
{
    unsigned bits = atom_bits(name);
    uint64_t common = get_cell(w, 6144, bits);
    for (unsigned t = 0; t < 64; ++t) {
        uint64_t a = get_cell(w, t * 8, bits), b = get_cell(w, t * 8 + 2048, bits);
        uint64_t old = get_cell(w, 4096 + t * 8, bits);
        put_cell(w, 4096 + t * 8, atom_apply(name, old, a, b), bits);
        if (name[0] == 'a')
            put_cell(w, 16384 + t * 8, old, bits);
        common = atom_apply(name, common, a, b);
    }
    put_cell(w, 6144, common, bits);
    bool open = has(name, ".exch") || has(name, ".cas") || has(name, ".inc") || has(name, ".dec");
    any[6144 / 4] = any[6144 / 4 + 1] = open; /* the order of the threads shows */
}

/* ---- loads and stores: name "st.global.v2.s16" ---- */

static void memory_text(const char *name, Buf *out)
{
    const char *space = has(name, ".shared") ? "shared" : has(name, ".local") ? "local" : "global";
    unsigned type = type_of(name), bits = ir_type_info[type].bits;
    unsigned vec = has(name, ".v4") ? 4 : has(name, ".v2") ? 2 : 1;
    const char *v = vec == 4 ? ".v4" : vec == 2 ? ".v2" : "", *t = ir_type_info[type].text;
    const char *reg = bits == 64   ? "d"
                      : bits == 32 ? "r"
                                   : "h",
               *qualifier = has(name, "volatile") ? ".volatile" : "";
    if (has(name, ".shared"))
        buf_puts(out, ".shared .align 16 .b8 space[4096];\n");
    head(out);
    const char *at = "d15";
    buf_puts(out, "mul.wide.u32 at, tid, 32;\nadd.s64 in, base, at;\nadd.s64 out, in, 16384;\n"
                  "add.s64 d15, in, 32768;\n");
    if (space[0] == 's') {
        buf_puts(out, "mov.u32 r15, space;\nmad.lo.u32 r15, tid, 32, r15;\n");
        at = "r15";
    } else if (space[0] == 'l')
        buf_puts(out, ".local .align 16 .b8 frame[32];\nmov.u64 d15, frame;\n");
    char list[64] = "";
    for (unsigned i = 0; i < vec; ++i)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s%u", i ? ", " : "", reg, i);
    const char *open = vec > 1 ? "{" : "", *close = vec > 1 ? "}" : "";
    buf_printf(out, "ld.global%s.%s %s%s%s, [in];\n", v, t, open, list, close);
    buf_printf(out, "st%s.%s%s.%s [%s], %s%s%s;\n", qualifier, space, v, t, at, open, list, close);
    for (unsigned i = 0; i < vec; ++i)
        buf_printf(out, "xor.b%u %s%u, %s%u, -1;\n", bits < 16 ? 16 : bits, reg, i, reg, i);
    buf_printf(out, "ld%s.%s%s.%s %s%s%s, [%s];\n", qualifier, space, v, t, open, list, close, at);
    for (unsigned i = 0; i < vec; ++i) /* whole registers: sign and zero extension show */
        buf_printf(out, "st.global.b%u [out+%u], %s%u;\n", bits < 16 ? 16 : bits, i * 8, reg, i);
    tail(out);
}

static void memory_expect(const char *name, uint32_t *w, bool *any)
{
    unsigned type = type_of(name), bits = ir_type_info[type].bits;
    unsigned vec = has(name, ".v4") ? 4 : has(name, ".v2") ? 2 : 1;
    for (unsigned t = 0; t < 64; ++t)
        for (unsigned i = 0; i < vec; ++i) {
            uint64_t value = get_cell(w, t * 32 + i * bits / 8, bits);
            if (has(name, ".global"))
                put_cell(w, t * 32 + 32768 + i * bits / 8, value, bits);
            if (bits == 8 && ir_type_info[type].class == TC_SIGNED)
                value = (uint64_t)(int64_t)(int8_t)value;
            put_cell(w, t * 32 + 16384 + i * 8, value, bits < 16 ? 16 : bits);
            if (ir_type_info[type].class == TC_BITS && bits == 8)
                any[(t * 32 + 16384 + i * 8) / 4] = false;
        }
}

/* ---- special registers ---- */

static void sreg_text(const char *name, Buf *out)
{
    static const char *const names[] = {
        "%tid.x",       "%tid.y",       "%ntid.x",      "%ntid.z",      "%ctaid.x",
        "%ctaid.z",     "%nctaid.x",    "%nctaid.y",    "%laneid",      "%lanemask_eq",
        "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "WARP_SZ"};
    (void)name;
    head(out);
    for (unsigned i = 0; i < 15; ++i)
        buf_printf(out, "mov.u32 r0, %s;\nst.global.u32 [out+%u], r0;\n", names[i], i * 1024);
    buf_puts(out, "mov.u64 d0, %clock64;\nnanosleep.u32 100;\nmov.u64 d1, %clock64;\n"
                  "setp.gt.u64 p, d1, d0;\nselp.u32 r0, 1, 0, p;\nst.global.u32 [out+15360], r0;\n"
                  "mov.u64 d0, %globaltimer;\nmov.u64 d1, %globaltimer;\nsetp.ge.u64 p, d1, d0;\n"
                  "selp.u32 r0, 1, 0, p;\nst.global.u32 [out+16384], r0;\n");
    tail(out);
}

static void sreg_expect(const char *name, uint32_t *w, bool *any)
{
    (void)name, (void)any;
    for (unsigned g = 0; g < 192; ++g) {
        unsigned lane = g & 31, eq = 1u << lane;
        const uint32_t values[17] = {
            g % 64,           0,         64, 1, g / 64, 0, 3, 1, lane, eq, eq - 1, eq | (eq - 1),
            ~(eq | (eq - 1)), ~(eq - 1), 32, 1, 1};
        for (unsigned i = 0; i < 17; ++i)
            w[OUT + i * 256 + g] = values[i];
    }
}

/* ---- address spaces, constants, calls, branches by table ----
 * Calls through pointers and recursion belong to the issue on real programs. */

static void misc_text(const char *name, Buf *out)
{
    (void)name;
    buf_puts(
        out,
        ".const .align 4 .u32 numbers[4] = {11, 22, 33, 44};\n"
        ".global .align 4 .u32 data[3] = {5, 6, 7};\n"
        ".global .align 8 .u64 pointers[2] = {generic(data)+4, data};\n.shared .align 4 .u32 "
        "cell[64];\n"
        ".func (.param .b32 result) twice(.param .b32 a)\n{\n.reg .b32 x;\nld.param.u32 x, [a];\n"
        "add.u32 x, x, x;\nst.param.b32 [result], x;\nret;\n}\n"
        ".func (.reg .u32 result) plus(.reg .u32 a, .reg .u32 b)\n{\nadd.u32 result, a, "
        "b;\nret;\n}\n"
        ".func (.param .align 8 .b8 result[16]) swap(.param .align 8 .b8 a[16])\n{\n"
        ".reg .b64 x, y;\nld.param.b64 x, [a];\nld.param.b64 y, [a+8];\n"
        "st.param.b64 [result], y;\nst.param.b64 [result+8], x;\nret;\n}\n");
    head(out);
    buf_puts(
        out,
        "and.b32 r0, tid, 3;\nmul.wide.u32 d0, r0, 4;\nmov.u64 d1, numbers;\nadd.s64 d1, d1, d0;\n"
        "ld.const.u32 r1, [d1];\nst.global.u32 [out], r1;\n"
        "ld.global.u64 d2, [pointers];\nld.u32 r1, [d2];\nst.global.u32 [out+1024], r1;\n"
        "mov.u64 d2, cell;\ncvta.shared.u64 d3, d2;\nmul.wide.u32 d5, tid, 4;\nadd.s64 d3, d3, "
        "d5;\nmul.wide.u32 d4, lane, 4;\n"
        "st.u32 [d3], tid;\nbar.warp.sync -1;\ncvta.to.shared.u64 d5, d3;\nld.shared.u32 r1, "
        "[d5];\n"
        "st.global.u32 [out+2048], r1;\nisspacep.shared p, d3;\nisspacep.global q, d3;\n"
        "isspacep.global s, out;\nselp.u32 r1, 1, 0, p;\nselp.u32 r2, 2, 0, q;\nor.b32 r1, r1, "
        "r2;\n"
        "selp.u32 r2, 4, 0, s;\nor.b32 r1, r1, r2;\nst.global.u32 [out+3072], r1;\n"
        "{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], tid;\ncall.uni (r), twice, (a);\n"
        "ld.param.b32 r1, [r];\n}\ncall (r1), plus, (r1, lane);\nst.global.u32 [out+4096], r1;\n"
        "{\n.param .align 8 .b8 a[16];\n.param .align 8 .b8 r[16];\nst.param.b64 [a], d4;\n"
        "st.param.b64 [a+8], 77;\ncall (r), swap, (a);\nld.param.b64 d6, [r];\n"
        "ld.param.b64 d7, [r+8];\n}\ncvt.u32.u64 r1, d6;\ncvt.u32.u64 r2, d7;\nadd.u32 r1, r1, "
        "r2;\n"
        "st.global.u32 [out+5120], r1;\nmul.lo.u32 r1, tid, 7;\nst.global.u32 [out+6144], r1;\n"
        "table: .branchtargets t0, t1, t2, t0;\nbrx.idx r0, table;\n"
        "t0: mov.u32 r1, 100;\nbra join;\nt1: mov.u32 r1, 101;\nt2: add.u32 r1, r1, 200;\n"
        "join:\nst.global.u32 [out+7168], r1;\n"
        "setp.eq.u32 p, r0, 0;\n"
        "mov.b64 {r3, r4}, d4;\nmov.b32 {h0, h1}, tid;\nmov.b32 r5, {h1, h0};\nadd.u32 r5, r5, "
        "r3;\n"
        "st.global.u32 [out+9216], r5;\n"
        "fence.sc.gpu;\nfence.acq_rel.cta;\nmembar.gl;\nmembar.cta;\nmembar.sys;\n"
        "prefetch.global.L2 [in];\n"
        "@p exit;\nst.global.u32 [out+10240], lane;\n");
    tail(out);
}

static void misc_expect(const char *name, uint32_t *w, bool *any)
{
    (void)name, (void)any;
    for (unsigned t = 0; t < 64; ++t) {
        unsigned lane = t & 31, k = t & 3;
        w[OUT + t] = 11 * (k + 1);
        w[OUT + 256 + t] = 6;
        w[OUT + 512 + t] = t;
        w[OUT + 768 + t] = 5;
        w[OUT + 1024 + t] = 2 * t + lane;
        w[OUT + 1280 + t] = 77 + lane * 4;
        w[OUT + 1536 + t] = 7 * t;
        w[OUT + 1792 + t] = k == 1 ? 301 : k == 2 ? 7 * t + 200 : 100;
        w[OUT + 2304 + t] = (t << 16) + lane * 4;
        if (k)
            w[OUT + 2560 + t] = lane;
    }
    (void)any;
}

#define WARP(name, row, kind)                                                                      \
    {name, row, 1, 64, kind##_text, fill_random, kind##_expect},                                   \
    {                                                                                              \
        name " partial", row, 1, 64, kind##_text, fill_random, kind##_expect                       \
    }
#define ATOM(op, type)                                                                             \
    {"atom.global." op "." type, "atom", 1, 64, atom_text, atom_fill, atom_expect},                \
        {"atom." op "." type, "atom", 1, 64, atom_text, atom_fill, atom_expect},                   \
    {                                                                                              \
        "atom.shared." op "." type, "atom", 1, 64, atom_text, atom_fill, atom_expect               \
    }
#define RED(op, type)                                                                              \
    {"red.global." op "." type, "red", 1, 64, atom_text, atom_fill, atom_expect},                  \
    {                                                                                              \
        "red.shared." op "." type, "red", 1, 64, atom_text, atom_fill, atom_expect                 \
    }
#define BOTH(op, type) ATOM(op, type), RED(op, type)
#define MEM(space, type)                                                                           \
    {"st." space "." type, "st", 1, 64, memory_text, fill_random, memory_expect},                  \
    {                                                                                              \
        "ld." space ".v2." type, "ld", 1, 64, memory_text, fill_random, memory_expect              \
    }
#define MEM4(space, type)                                                                          \
    MEM(space, type),                                                                              \
    {                                                                                              \
        "ld." space ".v4." type, "ld", 1, 64, memory_text, fill_random, memory_expect              \
    }
#define SPACE(space)                                                                               \
    MEM4(space, "b8"), MEM4(space, "u8"), MEM4(space, "s8"), MEM4(space, "b16"),                   \
        MEM4(space, "u16"), MEM4(space, "s16"), MEM4(space, "b32"), MEM4(space, "f32"),            \
        MEM(space, "b64"), MEM(space, "f64")

/* ---- 128 bits and vectors at once: each thread at a place of its own, all at one ---- */

static void wide_fill(const char *name, uint32_t *w)
{
    fill_random(name, w);
    for (uint32_t i = 0; i < 256; ++i) {
        float f = (float)i;
        memcpy(&w[768 + i], &f, sizeof f);
        w[1024 + i] = 0x3c004000; /* halves 2 and 1 */
    }
    memset(w + 1280, 0, 16);
}

static void wide_text(const char *name, Buf *out)
{
    (void)name;
    head(out);
    buf_puts(
        out,
        ".reg .b128 q<4>;\n"
        "mad.lo.u32 r0, tid, 13, 5;\nand.b32 r0, r0, 63;\nmul.wide.u32 d0, r0, 16;\n"
        "add.s64 d0, base, d0;\nld.global.b128 q0, [d0];\n"
        "sub.u32 r1, 63, tid;\nmul.wide.u32 d1, r1, 16;\nadd.s64 d1, base, d1;\n"
        "add.s64 d1, d1, 16384;\nst.global.b128 [d1], q0;\n"
        "atom.global.exch.b128 q1, [d0+1024], q0;\nst.global.b128 [d1+1024], q1;\n"
        "ld.global.v2.b64 {d2, d3}, [d0+2048];\nand.b32 r2, tid, 1;\ncvt.u64.u32 d4, r2;\n"
        "add.s64 d3, d3, d4;\nmov.b128 q2, {d2, d3};\n"
        "atom.global.cas.b128 q3, [d0+2048], q2, q0;\nst.global.b128 [d1+2048], q3;\n"
        "cvt.rn.f32.u32 f4, tid;\n"
        "atom.global.v4.f32.add {f0, f1, f2, f3}, [d0+3072], {f4, f4, 0f40000000, f4};\n"
        "st.global.v4.f32 [d1+3072], {f0, f1, f2, f3};\n"
        "mov.b32 r3, 0x44004200;\n" /* halves 4 and 3 */
        "atom.global.v2.f16x2.add.noftz {r4, r5}, [d0+4096], {r3, r3};\n"
        "st.global.v2.b32 [d1+4096], {r4, r5};\n"
        "red.global.v2.f32.add [base+5120], {f4, 0f3F800000};\n");
    tail(out);
}

static void put_float(uint32_t *word, float value)
{
    memcpy(word, &value, sizeof value);
}

static void wide_expect(const char *name, uint32_t *w, bool *any)
{
    (void)name, (void)any;
    float sum = 0;
    for (uint32_t t = 0; t < 64; ++t) {
        uint32_t slot = ((t * 13 + 5) & 63) * 4, *in = w + slot, *out = w + OUT + (63 - t) * 4;
        memcpy(out, in, 16);
        memcpy(out + 256, in + 256, 16);
        memcpy(in + 256, in, 16);
        memcpy(out + 512, in + 512, 16);
        if (!(t & 1)) /* else the upper half does not compare equal */
            memcpy(in + 512, in, 16);
        memcpy(out + 768, in + 768, 16);
        for (uint32_t k = 0; k < 4; ++k)
            put_float(&in[768 + k], (float)(slot + k) + (k == 2 ? 2 : (float)t));
        memcpy(out + 1024, in + 1024, 8);
        in[1024] = in[1025] = 0x45004500; /* 1 + 4, 2 + 3 */
        sum += (float)t;
    }
    put_float(&w[1280], sum);
    put_float(&w[1281], 64);
}

/* mma: the types of D, A, B, C and what stands behind them; mma.sp: with the selector. */
#define MMA(shape, types)                                                                          \
    {"mma.sync.aligned." shape ".row.col." types, "mma", 1, 32, matrix_text, matrix_fill,           \
     matrix_expect}
#define MMA_SP(shape, types, selector)                                                             \
    {"mma.sp.sync.aligned." shape ".row.col." types " " #selector,                                  \
     "mma_sp",                                                                                      \
     1,                                                                                             \
     32,                                                                                            \
     matrix_text,                                                                                   \
     matrix_fill,                                                                                   \
     matrix_expect}

const OpsSpecial ops_specials[] = {
    {"add.cc addc sub.cc subc mad.cc madc", "addc", 1, 64, carry_text, fill_random, carry_expect},
    WARP("shfl.sync.up.b32", "shfl", shfl),
    WARP("shfl.sync.down.b32", "shfl", shfl),
    WARP("shfl.sync.bfly.b32", "shfl", shfl),
    WARP("shfl.sync.idx.b32", "shfl", shfl),
    WARP("vote.sync.all.pred", "vote", vote),
    WARP("vote.sync.any.pred", "vote", vote),
    WARP("vote.sync.uni.pred", "vote", vote),
    WARP("vote.sync.ballot.b32", "vote", vote),
    WARP("match.any.sync.b32", "match", match),
    WARP("match.any.sync.b64", "match", match),
    WARP("match.all.sync.b32", "match", match),
    WARP("match.all.sync.b64", "match", match),
    WARP("redux.sync.add.u32", "redux", redux),
    WARP("redux.sync.add.s32", "redux", redux),
    WARP("redux.sync.min.u32", "redux", redux),
    WARP("redux.sync.min.s32", "redux", redux),
    WARP("redux.sync.max.u32", "redux", redux),
    WARP("redux.sync.max.s32", "redux", redux),
    WARP("redux.sync.and.b32", "redux", redux),
    WARP("redux.sync.or.b32", "redux", redux),
    WARP("redux.sync.xor.b32", "redux", redux),
    {"activemask elect", "activemask", 1, 64, activemask_text, fill_random, activemask_expect},
    {"bar.sync bar.red bar.arrive", "bar", 2, 96, barrier_text, fill_random, barrier_expect},
    {"barrier.sync barrier.red barrier.arrive", "barrier", 2, 96, barrier_text, fill_random,
     barrier_expect},
    BOTH("add", "u32"),
    BOTH("add", "s32"),
    BOTH("add", "u64"),
    BOTH("add", "f32"),
    BOTH("add", "f64"),
    BOTH("add.noftz", "f16"),
    BOTH("add.noftz", "f16x2"),
    BOTH("add.noftz", "bf16"),
    BOTH("add.noftz", "bf16x2"),
    BOTH("min", "u32"),
    BOTH("min", "s32"),
    BOTH("min", "u64"),
    BOTH("min", "s64"),
    BOTH("max", "u32"),
    BOTH("max", "s32"),
    BOTH("max", "u64"),
    BOTH("max", "s64"),
    BOTH("inc", "u32"),
    BOTH("dec", "u32"),
    BOTH("and", "b32"),
    BOTH("and", "b64"),
    BOTH("or", "b32"),
    BOTH("or", "b64"),
    BOTH("xor", "b32"),
    BOTH("xor", "b64"),
    ATOM("exch", "b32"),
    ATOM("exch", "b64"),
    ATOM("cas", "b16"),
    ATOM("cas", "b32"),
    ATOM("cas", "b64"),
    {"atom.acq_rel.gpu.global.add.u32", "atom", 1, 64, atom_text, atom_fill, atom_expect},
    {"atom.relaxed.sys.global.max.s32", "atom", 1, 64, atom_text, atom_fill, atom_expect},
    {"b128 and vectors in memory and atomics", "atom", 1, 64, wide_text, wide_fill, wide_expect},
    SPACE("global"),
    SPACE("shared"),
    SPACE("local"),
    {"st.volatile.global.u32", "st", 1, 64, memory_text, fill_random, memory_expect},
    {"st.volatile.shared.u64", "st", 1, 64, memory_text, fill_random, memory_expect},
    {"special registers", "mov", 3, 64, sreg_text, fill_random, sreg_expect},
    MMA("m8n8k16", "s32.s8.u8.s32"),
    MMA("m16n8k16", "s32.u8.s8.s32"),
    MMA("m16n8k32", "satfinite.s32.s8.s8.s32"),
    MMA("m8n8k32", "s32.s4.s4.s32"),
    MMA("m16n8k32", "s32.u4.s4.s32"),
    MMA("m16n8k64", "satfinite.s32.u4.u4.s32"),
    MMA("m8n8k128", "s32.b1.b1.s32.xor.popc"),
    MMA("m16n8k128", "s32.b1.b1.s32.and.popc"),
    MMA("m16n8k256", "s32.b1.b1.s32.xor.popc"),
    MMA("m16n8k256", "s32.b1.b1.s32.and.popc"),
    MMA("m16n8k8", "f32.f16.f16.f32"),
    MMA("m16n8k16", "f32.f16.f16.f32"),
    MMA("m16n8k8", "f32.bf16.bf16.f32"),
    MMA("m16n8k16", "f32.bf16.bf16.f32"),
    MMA("m16n8k4", "f32.tf32.tf32.f32"),
    MMA("m16n8k8", "f32.tf32.tf32.f32"),
    MMA("m16n8k32", "f32.e4m3.e5m2.f32"),
    MMA_SP("m16n8k16", "f32.f16.f16.f32", 0),
    MMA_SP("m16n8k16", "f32.bf16.bf16.f32", 3),
    MMA_SP("m16n8k32", "f32.f16.f16.f32", 0),
    MMA_SP("m16n8k32", "f32.bf16.bf16.f32", 1),
    MMA_SP("m16n8k8", "f32.tf32.tf32.f32", 2),
    MMA_SP("m16n8k16", "f32.tf32.tf32.f32", 1),
    MMA_SP("m16n8k32", "s32.s8.u8.s32", 0),
    MMA_SP("m16n8k32", "satfinite.s32.u8.u8.s32", 1),
    MMA_SP("m16n8k64", "s32.s8.s8.s32", 0),
    MMA_SP("m16n8k64", "s32.u4.s4.s32", 1),
    MMA_SP("m16n8k128", "s32.s4.s4.s32", 0),
    MMA_SP("m16n8k64", "f32.e4m3.e4m3.f32", 0),
    {"spaces constants calls brx fences exit", "call", 1, 64, misc_text, fill_random, misc_expect},
};
const unsigned ops_special_count = sizeof ops_specials / sizeof *ops_specials;
