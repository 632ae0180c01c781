/* SPDX-License-Identifier: Apache-2.0
 * Random kernels. r0..r9 differ between threads; u0..u3 are the same in all threads of a block.
 * Statements that need every thread (barriers, warp exchanges) stand only where all come by: control
 * flow there depends on u registers alone, now and then in a way that no analysis can see. Lanes that
 * a branch parted exchange under the mask of their side, and what PTX leaves undefined is dropped.
 * l and w registers are indices and addresses. Every loop is bounded. */
#include "flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Buf *out;
    uint32_t state;
    unsigned labels, statements, limit;
    bool in_function; /* no buffers, no barriers */
    unsigned loops;   /* depth, for loop counters c0.. */
    bool warp_ops;    /* all 32 lanes of every warp exist */
    bool parted;      /* lanes of a warp may wait at different barriers */
    unsigned apart;   /* warps have parted: no barriers of the block, u registers stay */
    unsigned functions;
    bool walking;  /* in a loop of walk */
    bool straight; /* mostly index arithmetic, nothing guarded: what shapes are made of */
} Gen;

static uint32_t rnd(Gen *g, uint32_t n)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 17;
    g->state ^= g->state << 5;
    return (uint32_t)((uint64_t)g->state * n >> 32);
}

static void put(Gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(Gen *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) >= 0)
        buf_puts(g->out, text);
    va_end(args);
    free(text);
}

static void guard(Gen *g)
{
    if (rnd(g, 4) == 0 && !g->straight)
        put(g, "@%sp%u ", rnd(g, 2) ? "!" : "", rnd(g, 4));
}

static void put_source(Gen *g)
{
    switch (rnd(g, 5)) {
    case 0:
        put(g, "%d", (int)rnd(g, 64) - 8);
        break;
    case 1:
        put(g, "u%u", rnd(g, 4));
        break;
    default:
        put(g, "r%u", rnd(g, 10));
        break;
    }
}

static void arithmetic(Gen *g)
{
    static const char *const ops[] = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32", "or.b32",
                                      "xor.b32", "min.s32", "max.u32",    "add.s32"};
    guard(g);
    switch (rnd(g, 8)) {
    case 0:
        put(g, "mad.lo.u32 r%u, r%u, ", rnd(g, 10), rnd(g, 10));
        put_source(g);
        put(g, ", ");
        put_source(g);
        break;
    case 1:
        put(g, "%s r%u, r%u, %u", rnd(g, 2) ? "shr.u32" : "shl.b32", rnd(g, 10), rnd(g, 10),
            rnd(g, 9));
        break;
    case 2:
        put(g, "selp.b32 r%u, ", rnd(g, 10));
        put_source(g);
        put(g, ", ");
        put_source(g);
        put(g, ", p%u", rnd(g, 4));
        break;
    case 3:
        put(g, "mov.u32 r%u, ", rnd(g, 10));
        put_source(g);
        break;
    default:
        put(g, "%s r%u, r%u, ", ops[rnd(g, 9)], rnd(g, 10), rnd(g, 10));
        put_source(g);
    }
    put(g, ";\n");
}

static void predicate(Gen *g)
{
    static const char *const cmps[] = {"lt.s32", "ge.u32", "eq.u32", "ne.s32", "gt.s32", "le.u32"};
    if (rnd(g, 5) == 0) {
        put(g, "%s.pred p%u, p%u, %sp%u;\n", rnd(g, 2) ? "and" : "xor", rnd(g, 4), rnd(g, 4),
            rnd(g, 2) ? "!" : "", rnd(g, 4));
        return;
    }
    if (rnd(g, 3) == 0) { /* a bit of a register: about half of the threads */
        put(g, "and.b32 t0, r%u, %u;\nsetp.ne.u32 p%u, t0, 0;\n", rnd(g, 10), 1u << rnd(g, 6),
            rnd(g, 4));
        return;
    }
    guard(g);
    put(g, "setp.%s p%u, r%u, ", cmps[rnd(g, 6)], rnd(g, 4), rnd(g, 10));
    put_source(g);
    put(g, ";\n");
}

static void simple(Gen *g);

static void common_atomic(Gen *g) /* the order must not matter: one operation for each word */
{
    unsigned kind = rnd(g, 4);
    static const char *const ops[] = {"add.u32", "max.s32", "xor.b32", "or.b32"};
    if (rnd(g, 2))
        put(g, "and.b32 t0, r%u, 3;\n", rnd(g, 10));
    else
        put(g, "and.b32 t0, u%u, 3;\n", rnd(g, 4));
    put(g, "mul.wide.u32 d0, t0, 4;\nadd.s64 d0, d0, base;\n");
    guard(g);
    put(g, "red.global.%s [d0+%u], r%u;\n", ops[kind], (FLOW_IN + 4 * kind) * 4, rnd(g, 10));
}

static void memory(Gen *g)
{
    unsigned r = rnd(g, 10);
    switch (g->in_function ? 5 + rnd(g, 2) : rnd(g, 8)) {
    case 0: /* gather */
        put(g, "and.b32 t0, r%u, 1023;\nmul.wide.u32 d0, t0, 4;\nadd.s64 d0, d0, base;\n",
            rnd(g, 10));
        guard(g);
        put(g, "ld.global.u32 r%u, [d0];\n", r);
        break;
    case 1: /* neighbouring threads, neighbouring words */
        guard(g);
        put(g, "ld.global.u32 r%u, [linear+%u];\n", r, 4 * rnd(g, 64));
        break;
    case 2:
        put(g, "and.b32 t0, u%u, 511;\nmul.wide.u32 d0, t0, 4;\nadd.s64 d0, d0, base;\n",
            rnd(g, 4));
        guard(g);
        put(g, "ld.global.u32 r%u, [d0+%u];\n", r, 4 * rnd(g, 64));
        break;
    case 3:
        guard(g);
        put(g, "st.global.u32 [slots+%u], r%u;\n", 4 * rnd(g, FLOW_SLOTS), r);
        break;
    case 4:
        guard(g);
        put(g, "ld.global.u32 r%u, [slots+%u];\n", r, 4 * rnd(g, FLOW_SLOTS));
        break;
    case 5:
        put(g,
            "and.b32 t0, r%u, 15;\nmul.wide.u32 d0, t0, 4;\nmov.u64 d1, frame;\nadd.s64 d0, d0, "
            "d1;\n",
            rnd(g, 10));
        guard(g);
        put(g, "st.local.u32 [d0], r%u;\n", r);
        break;
    case 6:
        put(g,
            "and.b32 t0, r%u, 15;\nmul.wide.u32 d0, t0, 4;\nmov.u64 d1, frame;\nadd.s64 d0, d0, "
            "d1;\n",
            rnd(g, 10));
        guard(g);
        put(g, "ld.local.u32 r%u, [d0];\n", r);
        break;
    default:
        common_atomic(g);
    }
}

/* ---- all types ---- */

static const char *pick(Gen *g, const char *const *list, unsigned count)
{
    return list[rnd(g, count)];
}
#define PICK(g, ...)                                                                               \
    pick(g, (const char *const[]){__VA_ARGS__},                                                    \
         (unsigned)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

static const char *order(Gen *g)
{
    return PICK(g, "lt", "le", "gt", "ge", "eq", "ne");
}

/* kind: the registers' letter. */
static void compare(Gen *g, const char *type, char kind, unsigned a, unsigned b)
{
    put(g, "setp.%s.%s p%u, %c%u, %c%u;\n", order(g), type, rnd(g, 4), kind, a, kind, b);
}

static void combine(Gen *g, const char *type, char kind, unsigned to, unsigned a, unsigned b)
{
    guard(g);
    put(g, "%s.%s %c%u, %c%u, %c%u;\n", PICK(g, "add", "sub", "mul.lo", "mul.hi", "min", "max"),
        type, kind, to, kind, a, kind, b);
}

static void arithmetic16(Gen *g)
{
    unsigned to = rnd(g, 4), a = rnd(g, 4), b = rnd(g, 4), r = rnd(g, 10), q = rnd(g, 10);
    const char *sign = PICK(g, "s16", "u16");
    switch (rnd(g, 12)) {
    case 0:
        put(g, "mov.b32 r%u, {h%u, h%u};\n", r, a, b);
        break;
    case 1:
        put(g, "mov.b32 {h%u, h%u}, r%u;\n", to, (to + 1) % 4, r);
        break;
    case 2:
        guard(g);
        put(g, "cvt.%s.%s h%u, r%u;\n", PICK(g, "u16", "s16", "s8", "u8"), PICK(g, "u32", "s32"),
            to, r);
        break;
    case 3:
        guard(g);
        put(g, "cvt.sat.%s h%u, r%u;\n",
            PICK(g, "u16.u32", "u16.s32", "s16.s32", "s8.s32", "u8.s32"), to, r);
        break;
    case 4:
        guard(g);
        put(g, "cvt.%s32.%s r%u, h%u;\n", PICK(g, "u", "s"), PICK(g, "u16", "s16", "s8", "u8"), r,
            a);
        break;
    case 5:
        guard(g);
        put(g, "mul.wide.%s r%u, h%u, h%u;\n", sign, r, a, b);
        break;
    case 6:
        guard(g);
        put(g, "mad.wide.%s r%u, h%u, h%u, r%u;\n", sign, r, a, b, q);
        break;
    case 7:
        guard(g);
        put(g, "%s h%u, h%u, %u;\n", PICK(g, "shl.b16", "shr.u16", "shr.s16"), to, a, rnd(g, 18));
        break;
    case 8:
        compare(g, sign, 'h', a, b);
        break;
    case 9:
        put(g, "cvt.%s.u32 h%u, %s;\n", sign, to,
            PICK(g, "tid", "lane", "tidy", "gid", "l0", "l1"));
        break;
    default:
        combine(g, sign, 'h', to, a, b);
    }
}

static void arithmetic64(Gen *g)
{
    unsigned to = rnd(g, 4), a = rnd(g, 4), b = rnd(g, 4), r = rnd(g, 10);
    const char *sign = PICK(g, "s64", "u64");
    switch (rnd(g, 10)) {
    case 0:
        guard(g);
        put(g, "cvt.%s x%u, r%u;\n", PICK(g, "s64.s32", "u64.u32", "s64.s16", "u64.u8"), to, r);
        break;
    case 1:
        guard(g);
        put(g, "cvt.%s r%u, x%u;\n", PICK(g, "u32.u64", "s32.s64", "sat.s32.s64", "sat.u32.s64"), r,
            a);
        break;
    case 2:
        put(g, "mov.b64 {r%u, r%u}, x%u;\n", r, (r + 1) % 10, a);
        break;
    case 3:
        put(g, "mov.b64 x%u, {r%u, r%u};\n", to, r, rnd(g, 10));
        break;
    case 4:
        guard(g);
        put(g, "%s x%u, x%u, %u;\n", PICK(g, "shl.b64", "shr.u64", "shr.s64"), to, a, rnd(g, 66));
        break;
    case 5:
        compare(g, sign, 'x', a, b);
        break;
    case 6:
        put(g, "%s x%u, x%u, %u;\n", PICK(g, "div.s64", "rem.u64", "rem.s64", "div.u64"), to, a,
            1 + rnd(g, 40));
        break;
    case 7:
        guard(g);
        put(g, "selp.b64 x%u, x%u, x%u, p%u;\n", to, a, b, rnd(g, 4));
        break;
    default:
        combine(g, sign, 'x', to, a, b);
    }
}

static void arithmetic32(Gen *g)
{
    unsigned to = rnd(g, 10), a = rnd(g, 10), b = rnd(g, 10), c = rnd(g, 10);
    guard(g);
    switch (rnd(g, 14)) {
    case 0:
        put(g, "bfe.%s r%u, r%u, %u, %u;\n", PICK(g, "u32", "s32"), to, a, rnd(g, 33), rnd(g, 33));
        break;
    case 1:
        put(g, "bfi.b32 r%u, r%u, r%u, %u, %u;\n", to, a, b, rnd(g, 33), rnd(g, 33));
        break;
    case 2:
        put(g, "prmt.b32 r%u, r%u, r%u, %u;\n", to, a, b, rnd(g, 65536));
        break;
    case 3:
        put(g, "shf.%s.b32 r%u, r%u, r%u, r%u;\n",
            PICK(g, "l.wrap", "r.wrap", "l.clamp", "r.clamp"), to, a, b, c);
        break;
    case 4:
        put(g, "lop3.b32 r%u, r%u, r%u, r%u, %u;\n", to, a, b, c, rnd(g, 256));
        break;
    case 5:
        put(g, "%s r%u, r%u;\n",
            PICK(g, "popc.b32", "clz.b32", "brev.b32", "bfind.u32", "bfind.s32", "abs.s32",
                 "neg.s32", "cnot.b32", "not.b32"),
            to, a);
        break;
    case 6:
        put(g, "%s r%u, r%u, r%u;\n",
            PICK(g, "mul.hi.u32", "mul.hi.s32", "add.sat.s32", "sub.sat.s32", "mul24.lo.u32",
                 "mul24.lo.s32", "max.s32", "min.u32"),
            to, a, b);
        break;
    case 7:
        put(g, "%s r%u, r%u, %u;\n", PICK(g, "div.u32", "rem.u32", "div.s32", "rem.s32"), to, a,
            1 + rnd(g, 40));
        break;
    case 8:
        put(g, "%s r%u, r%u, r%u, r%u;\n",
            PICK(g, "sad.u32", "sad.s32", "mad.hi.u32", "mad.lo.s32"), to, a, b, c);
        break;
    case 9:
        put(g, "slct.b32.s32 r%u, r%u, r%u, r%u;\n", to, a, b, c);
        break;
    case 10:
        put(g, "set.%s.u32.%s r%u, r%u, r%u;\n", order(g), PICK(g, "s32", "u32"), to, a, b);
        break;
    case 11:
        put(g, "cvt.%s r%u, r%u;\n",
            PICK(g, "s32.s8", "u32.u8", "s32.s16", "u8.u32", "s16.s32", "sat.s8.s32", "sat.u16.s32",
                 "sat.u32.s32"),
            to, a);
        break;
    case 12:
        put(g, "shr.s32 r%u, r%u, %u;\n", to, a, rnd(g, 34));
        break;
    default:
        put(g, "shl.b32 r%u, r%u, r%u;\n", to, a, b);
    }
}

/* Results are seen as numbers and orders, not as the bits of a NaN. */
static void arithmetic_float(Gen *g)
{
    unsigned to = rnd(g, 3), a = rnd(g, 3), b = rnd(g, 3);
    switch (rnd(g, 7)) {
    case 0:
        guard(g);
        put(g, "cvt.rn.f32.%s f%u, r%u;\n", PICK(g, "u32", "s32"), to, rnd(g, 10));
        break;
    case 1:
        guard(g);
        put(g, "cvt.%s.f32 r%u, f%u;\n", PICK(g, "rzi.s32", "rni.u32", "rmi.s32", "rpi.s32"),
            rnd(g, 10), a);
        break;
    case 2:
        compare(g, "f32", 'f', a, b);
        break;
    case 3:
        guard(g);
        put(g, "fma.rn.f32 f%u, f%u, f%u, f%u;\n", to, a, b, rnd(g, 3));
        break;
    case 4:
        guard(g);
        put(g, "selp.f32 f%u, f%u, 0f3E800000, p%u;\n", to, a, rnd(g, 4));
        break;
    default:
        guard(g);
        put(g, "%s.f32 f%u, f%u, f%u;\n", PICK(g, "add", "sub.rz", "mul", "min", "max", "mul.rp"),
            to, a, b);
    }
}

/* What one access moves: elements of a type into registers of a kind. */
typedef struct {
    const char *type;
    unsigned count, bytes; /* of all elements */
    char kind;
} Unit;

static Unit unit(Gen *g, unsigned most)
{
    static const Unit units[] = {
        {"u8", 1, 1, 'r'},      {"s8", 1, 1, 'r'},     {"u16", 1, 2, 'r'},
        {"s16", 1, 2, 'r'},     {"b16", 1, 2, 'h'},    {"u8", 1, 1, 'h'},
        {"v2.u8", 2, 2, 'r'},   {"b32", 1, 4, 'r'},    {"v2.s16", 2, 4, 'r'},
        {"v2.u16", 2, 4, 'h'},  {"v4.s8", 4, 4, 'r'},  {"b64", 1, 8, 'x'},
        {"v4.u16", 4, 8, 'r'},  {"v2.u32", 2, 8, 'r'}, {"v4.b32", 4, 16, 'r'},
        {"v2.u64", 2, 16, 'x'},
    };
    Unit u;
    do
        u = units[rnd(g, sizeof units / sizeof *units)];
    while (u.bytes > most);
    return u;
}

/* {r3, r4} or r3 */
static void put_registers(Gen *g, const Unit *u)
{
    unsigned many = u->kind == 'r' ? 10 : 4, first = rnd(g, many);
    put(g, u->count > 1 ? "{" : "");
    for (unsigned k = 0; k < u->count; ++k)
        put(g, "%s%c%u", k ? ", " : "", u->kind, (first + k) % many);
    put(g, u->count > 1 ? "}" : "");
}

static const char *semantics(Gen *g, bool load)
{
    return rnd(g, 2) ? ""
                     : PICK(g, ".volatile", ".relaxed.gpu", load ? ".acquire.sys" : ".release.gpu");
}

static void put_load(Gen *g, const Unit *u, const char *space, const char *at, unsigned offset)
{
    guard(g);
    put(g, "ld%s%s.%s ", strcmp(space, ".local") == 0 ? "" : semantics(g, true), space, u->type);
    put_registers(g, u);
    put(g, ", [%s+%u];\n", at, offset);
}

static void put_store(Gen *g, const Unit *u, const char *space, const char *at, unsigned offset)
{
    guard(g);
    put(g, "st%s%s.%s [%s+%u], ", strcmp(space, ".local") == 0 ? "" : semantics(g, false), space,
        u->type, at, offset);
    put_registers(g, u);
    put(g, ";\n");
}

static void own_atomic(Gen *g)
{
    bool wide = rnd(g, 4) == 0, shared = !wide && rnd(g, 3) == 0;
    char at[40];
    snprintf(at, sizeof at, shared ? "cell+%u" : "slots+%u",
             shared ? rnd(g, 2) * FLOW_HALF : 8 * rnd(g, 8));
    const char *space = shared ? "shared" : "global";
    if (rnd(g, 5) == 0) {
        guard(g);
        if (wide)
            put(g, "atom.%s.cas.b64 x%u, [%s], x%u, x%u;\n", space, rnd(g, 4), at, rnd(g, 4),
                rnd(g, 4));
        else
            put(g, "atom.%s.cas.b32 r%u, [%s], r%u, r%u;\n", space, rnd(g, 10), at, rnd(g, 10),
                rnd(g, 10));
        return;
    }
    guard(g);
    if (wide)
        put(g, "atom.%s.%s x%u, [%s], x%u;\n", space,
            PICK(g, "add.u64", "exch.b64", "max.s64", "min.u64", "and.b64", "xor.b64"), rnd(g, 4),
            at, rnd(g, 4));
    else
        put(g, "atom.%s.%s r%u, [%s], r%u;\n", space,
            PICK(g, "add.u32", "add.s32", "exch.b32", "min.s32", "max.u32", "min.u32", "max.s32",
                 "and.b32", "or.b32", "xor.b32", "inc.u32", "dec.u32"),
            rnd(g, 10), at, rnd(g, 10));
}

static void typed_memory(Gen *g)
{
    Unit u = unit(g, 16);
    switch (g->in_function ? rnd(g, 2) : rnd(g, 11)) {
    case 0:
    case 1: {
        bool generic = rnd(g, 4) == 0;
        put(g,
            "and.b32 t0, r%u, %u;\nmul.wide.u32 d0, t0, %u;\nmov.u64 d1, frame;\n%sadd.s64 d0, d0, "
            "d1;\n",
            rnd(g, 10), FLOW_FRAME / u.bytes - 1, u.bytes,
            generic ? "cvta.local.u64 d1, d1;\n" : "");
        (rnd(g, 2) ? put_load : put_store)(g, &u, generic ? "" : ".local", "d0", 0);
        break;
    }
    case 2: /* threads side by side, or a step apart */
        put(g, "mul.wide.u32 d0, tid, %u;\nadd.s64 d0, d0, base;\n",
            u.bytes << (u.bytes < 16 ? rnd(g, 2) : 0));
        put_load(g, &u, ".global", "d0", u.bytes * rnd(g, 64));
        break;
    case 3: /* an index of few values */
        put(g, "%s.u32 t0, %s, %u;\nmul.wide.u32 d0, t0, %u;\nadd.s64 d0, d0, base;\n",
            PICK(g, "shr", "rem", "div"), PICK(g, "tid", "lane", "tidx"), 1 + rnd(g, 8), u.bytes);
        put_load(g, &u, ".global", "d0", u.bytes * rnd(g, 64));
        break;
    case 4:
        put(g, "and.b32 t0, %s%u, 511;\nmul.wide.u32 d0, t0, %u;\nadd.s64 d0, d0, base;\n",
            PICK(g, "r", "u", "l"), rnd(g, 3), u.bytes);
        put_load(g, &u, ".global", "d0", u.bytes * rnd(g, 64));
        break;
    case 5: /* backwards */
        put(g, "mul.wide.s32 d0, tid, %d;\nadd.s64 d0, d0, base;\n", -(int)u.bytes);
        put_load(g, &u, ".global", "d0", u.bytes * FLOW_MAX_BLOCK);
        break;
    case 6:
        u = unit(g, 4);
        put_store(g, &u, ".shared", "cell", rnd(g, 4 / u.bytes) * u.bytes);
        break;
    case 7:
        u = unit(g, 4);
        put_load(g, &u, ".shared", "cell", FLOW_HALF + rnd(g, 4 / u.bytes) * u.bytes);
        break;
    case 8:
        put_load(g, &u, rnd(g, 3) ? ".global" : "", "slots",
                 rnd(g, FLOW_SLOTS * 4 / u.bytes) * u.bytes);
        break;
    default:
        put_store(g, &u, rnd(g, 3) ? ".global" : "", "slots",
                  rnd(g, FLOW_SLOTS * 4 / u.bytes) * u.bytes);
    }
}

/* A loop that walks through memory, by 64-bit address or 32-bit index, as often as lanes please. */
static void walk(Gen *g)
{
    Unit u = unit(g, 16);
    unsigned label = g->labels++, r = rnd(g, 10), back = 4 * rnd(g, 20);
    bool index = rnd(g, 2), below = index && rnd(g, 2);
    put(g, "and.b32 limit, %s%u, 7;\nmov.u32 turn, 0;\n", PICK(g, "r", "u"), rnd(g, 4));
    put(g, "%s.u32 t3, %s, %u;\n", below ? "sub" : "add", PICK(g, "tid", "lane", "u2"), back);
    put(g, "mad.wide.u32 at, t3, %u, base;\nV%u:\nsetp.ge.u32 pl, turn, limit;\n@pl bra Z%u;\n",
        u.bytes, label, label);
    if (index) /* lanes whose index has wrapped stay away */
        put(g, "setp.gt.u32 pl, t3, 100000;\n@pl bra A%u;\nmad.wide.u32 at, t3, %u, base;\n", label,
            u.bytes);
    put_load(g, &u, ".global", "at", 0);
    if (rnd(g, 2))
        put(g, "add.u32 r%u, r%u, r%u;\n", r, r, rnd(g, 10));
    if (rnd(g, 3) == 0)
        simple(g);
    put(g, "A%u:\n%s %u;\nadd.u32 turn, turn, 1;\nbra V%u;\nZ%u:\n", label,
        index ? "add.u32 t3, t3," : "add.s64 at, at,",
        index ? 1 + rnd(g, 40) : u.bytes * (1 + rnd(g, 40)), label, label);
}

static void all_types(Gen *g)
{
    switch (rnd(g, 10)) {
    case 0:
    case 1:
        arithmetic16(g);
        break;
    case 2:
        arithmetic64(g);
        break;
    case 3:
        arithmetic32(g);
        break;
    case 4:
        arithmetic_float(g);
        break;
    case 5:
        if (g->in_function)
            arithmetic32(g);
        else if (rnd(g, 2))
            own_atomic(g);
        else
            common_atomic(g);
        break;
    case 6:
        if (g->in_function || g->walking)
            arithmetic64(g);
        else {
            g->walking = true;
            walk(g);
            g->walking = false;
        }
        break;
    default:
        typed_memory(g);
    }
}

/* ---- indices ---- */

/* Index and address arithmetic, as compilers write it: l0..l2 often rise with the thread's number,
 * w0..w2 are made by widening them. */
static void put_index(Gen *g)
{
    static const char *const names[] = {"tid", "tidy", "gid"};
    if (rnd(g, 2))
        put(g, "l%u", rnd(g, 3));
    else
        put(g, "%s", names[rnd(g, 3)]);
}

static void narrow_index(Gen *g)
{
    guard(g);
    switch (rnd(g, 12)) {
    case 0:
        put(g, "shl.b32 l%u, ", rnd(g, 3));
        break;
    case 3:
        put(g, "cvt.%s l%u, ", PICK(g, "u32.u8", "s32.s8", "u32.u16", "s32.s16"), rnd(g, 3));
        put_index(g);
        put(g, ";\n");
        return;
    case 4:
        put(g, "%s l%u, ",
            PICK(g, "shr.u32", "shr.s32", "div.u32", "rem.u32", "rem.s32", "mul24.lo.u32"),
            rnd(g, 3));
        put_index(g);
        put(g, ", %u;\n", 1 + rnd(g, 9));
        return;
    case 5:
        put(g, "bfe.%s l%u, ", PICK(g, "u32", "s32"), rnd(g, 3));
        put_index(g);
        put(g, ", %u, %u;\n", rnd(g, 4), rnd(g, 10));
        return;
    case 6:
        put(g, "%s l%u, ", PICK(g, "xor.b32", "and.b32", "or.b32", "min.s32", "max.u32"),
            rnd(g, 3));
        break;
    case 1:
        put(g, "mul.lo.s32 l%u, ", rnd(g, 3));
        break;
    case 2:
        put(g, "sub.s32 l%u, ", rnd(g, 3));
        break;
    default:
        put(g, "add.u32 l%u, ", rnd(g, 3));
    }
    put_index(g);
    switch (rnd(g, 4)) {
    case 0:
        put(g, ", u%u;\n", rnd(g, 4));
        break;
    case 1:
        put(g, ", l%u;\n", rnd(g, 3));
        break;
    default:
        put(g, ", %d;\n", (int)rnd(g, 12) - 3);
    }
}

static void widen_index(Gen *g)
{
    char sign = rnd(g, 2) ? 's' : 'u';
    guard(g);
    switch (rnd(g, 4)) {
    case 0:
        put(g, "cvt.%c64.%c32 w%u, ", sign, sign, rnd(g, 3));
        put_index(g);
        break;
    case 1:
        put(g, "mul.wide.%c32 w%u, ", sign, rnd(g, 3));
        put_index(g);
        put(g, ", %d", (int)rnd(g, 12) - 2);
        break;
    default:
        put(g, "mad.wide.%c32 w%u, ", sign, rnd(g, 3));
        put_index(g);
        put(g, ", %d, w%u", (int)rnd(g, 12) - 2, rnd(g, 3));
    }
    put(g, ";\n");
}

static void wide_index(Gen *g)
{
    unsigned to = rnd(g, 3), from = rnd(g, 3);
    guard(g);
    switch (rnd(g, 7)) {
    case 0:
        put(g, "shl.b64 w%u, w%u, %u;\n", to, from, rnd(g, 4));
        break;
    case 1:
        put(g, "neg.s64 w%u, w%u;\n", to, from);
        break;
    case 2:
        put(g, "mul.lo.s64 w%u, w%u, %d;\n", to, from, (int)rnd(g, 9) - 2);
        break;
    case 3:
        put(g, "sub.s64 w%u, w%u, w%u;\n", to, from, rnd(g, 3));
        break;
    case 4:
        put(g, "cvt.%s64.%s64 w%u, w%u;\n", rnd(g, 2) ? "s" : "u", rnd(g, 2) ? "s" : "u", to, from);
        break;
    case 5:
        put(g, "add.s64 w%u, w%u, %d;\n", to, from, (int)rnd(g, 64) - 9);
        break;
    default:
        put(g, "add.s64 w%u, w%u, w%u;\n", to, from, rnd(g, 3));
    }
}

static void index_arithmetic(Gen *g)
{
    switch (rnd(g, g->in_function ? 5 : 7)) {
    case 0:
    case 1:
        narrow_index(g);
        break;
    case 2:
        widen_index(g);
        break;
    case 3:
        wide_index(g);
        break;
    case 4: /* what came of it, both halves */
        put(g,
            "cvt.u32.u64 t0, w%u;\nshr.u64 d0, w%u, 32;\ncvt.u32.u64 t1, d0;\nmad.lo.u32 r%u, t1, "
            "77, t0;\n",
            rnd(g, 3), rnd(g, 3), rnd(g, 10));
        break;
    case 5: { /* a negative index within the warp */
        unsigned back = 1 + rnd(g, 40);
        put(g, "sub.s32 t0, tid, %u;\nmad.wide.s32 d0, t0, 4, base;\n", back);
        guard(g);
        put(g, "ld.global.u32 r%u, [d0+%u];\n", rnd(g, 10), 4 * (back + rnd(g, 64)));
        break;
    }
    default: { /* strides, and shared addresses below zero until the offset is added */
        unsigned step = 1 + rnd(g, 3), back = 4 + 4 * rnd(g, 2000);
        put(g, "mad.lo.u32 t0, tidx, %u, tidy;\nmul.wide.u32 d0, t0, 4;\nadd.s64 d0, d0, base;\n",
            step);
        guard(g);
        put(g, "ld.global.u32 r%u, [d0];\n", rnd(g, 10));
        put(g, "sub.u32 t0, cell, %u;\n", back);
        guard(g);
        put(g, "st.shared.u32 [t0+%u], r%u;\n", back + FLOW_HALF * rnd(g, 2), rnd(g, 10));
    }
    }
}

static void simple(Gen *g)
{
    uint32_t k = rnd(g, 20);
    if (k >= 13)
        all_types(g);
    else if (k == 0 && rnd(g, 6) == 0) /* which other lanes are there PTX does not say */
        put(g, "activemask.b32 t0;\nshr.u32 t0, t0, lane;\nand.b32 r%u, t0, 1;\n", rnd(g, 10));
    else if (k < 5)
        arithmetic(g);
    else if (k < 7)
        predicate(g);
    else if (k < 10)
        memory(g);
    else
        index_arithmetic(g);
}

static void body(Gen *g, unsigned depth, bool uniform);

/* Warps go different ways, each as a whole. */
static void warps_apart(Gen *g, unsigned depth, unsigned label)
{
    put(g, "shr.u32 t0, tid, 5;\nand.b32 t0, t0, 1;\nsetp.eq.u32 pu, t0, %u;\n@pu bra E%u;\n",
        rnd(g, 2), label);
    g->apart++;
    body(g, depth + 1, true);
    put(g, "bra J%u;\nE%u:\n", label, label);
    if (rnd(g, 2))
        body(g, depth + 1, true);
    put(g, "J%u:\n", label);
    g->apart--;
}

static void conditional(Gen *g, unsigned depth, bool uniform)
{
    unsigned label = g->labels++;
    bool together = uniform && rnd(g, 3) == 0;
    if (together && g->warp_ops && rnd(g, 3) == 0) {
        warps_apart(g, depth, label);
        return;
    }
    if (together) {
        unsigned u = rnd(g, 4);
        const char *test = rnd(g, 2) ? "lt" : "ne";
        if (rnd(g, 3)) { /* hidden from the analysis */
            put(g, "and.b32 t0, r%u, 0;\nadd.u32 t0, t0, u%u;\n", rnd(g, 10), u);
            put(g, "setp.%s.u32 pu, t0, u%u;\n@pu bra E%u;\n", test, rnd(g, 4), label);
        } else
            put(g, "setp.%s.u32 pu, u%u, u%u;\n@pu bra E%u;\n", test, u, rnd(g, 4), label);
    } else
        put(g, "@%sp%u bra E%u;\n", rnd(g, 2) ? "!" : "", rnd(g, 4), label);
    body(g, depth + 1, together);
    if (rnd(g, 2)) {
        put(g, "bra%s J%u;\nE%u:\n", rnd(g, 2) && together ? ".uni" : "", label, label);
        body(g, depth + 1, together);
        put(g, "J%u:\n", label);
    } else
        put(g, "E%u:\n", label);
}

static void loop(Gen *g, unsigned depth, bool uniform)
{
    unsigned label = g->labels++, c = g->loops++;
    bool together = uniform && rnd(g, 2), test_first = rnd(g, 2);
    if (c >= 4) {
        g->loops--;
        simple(g);
        return;
    }
    if (together && rnd(g, 2))
        put(g, "and.b32 n%u, u%u, 3;\n", c, rnd(g, 4));
    else if (together) /* hidden from the analysis */
        put(g, "and.b32 n%u, r%u, 0;\nand.b32 t0, u%u, 3;\nadd.u32 n%u, n%u, t0;\n", c, rnd(g, 10),
            rnd(g, 4), c, c);
    else
        put(g, "and.b32 n%u, r%u, 7;\n", c, rnd(g, 10));
    put(g, "mov.u32 c%u, 0;\nL%u:\n", c, label);
    if (test_first)
        put(g, "setp.ge.u32 pl, c%u, n%u;\n@pl bra B%u;\n", c, c, label);
    body(g, depth + 1, together);
    if (!together && rnd(g, 2)) {
        put(g, "@p%u bra %c%u;\n", rnd(g, 4), rnd(g, 2) ? 'B' : 'C', label); /* break, continue */
        body(g, depth + 2, false);
    }
    put(g, "C%u:\nadd.u32 c%u, c%u, 1;\n", label, c, c);
    if (test_first)
        put(g, "bra L%u;\n", label);
    else
        put(g, "setp.lt.u32 pl, c%u, n%u;\n@pl bra L%u;\n", c, c, label);
    put(g, "B%u:\n", label);
    g->loops--;
}

static void switch_table(Gen *g, unsigned depth)
{
    unsigned label = g->labels++;
    put(g, "and.b32 t0, r%u, 3;\nT%u: .branchtargets S%u_0, S%u_1, S%u_2, S%u_%u;\n", rnd(g, 10),
        label, label, label, label, label, rnd(g, 3));
    if (rnd(g, 3) == 0)
        put(g, "@%sp%u ", rnd(g, 2) ? "!" : "", rnd(g, 4));
    put(g, "brx.idx t0, T%u;\n", label);
    for (unsigned k = 0; k < 3; ++k) {
        put(g, "S%u_%u:\n", label, k);
        body(g, depth + 1, false);
        if (rnd(g, 2))
            put(g, "bra J%u;\n", label);
    }
    put(g, "J%u:\n", label);
}

/* Blocks that branch to each other at random: irreducible, bounded by fuel. */
static void soup(Gen *g)
{
    unsigned label = g->labels++, blocks = 3 + rnd(g, 6);
    put(g, "mov.u32 fuel, %u;\n", 4 + rnd(g, 30));
    if (rnd(g, 2))
        put(g, "@p%u bra K%u_%u;\n", rnd(g, 4), label, rnd(g, blocks));
    for (unsigned b = 0; b < blocks; ++b) {
        put(g, "K%u_%u:\nsub.u32 fuel, fuel, 1;\nsetp.eq.u32 pl, fuel, 0;\n@pl bra J%u;\n", label,
            b, label);
        for (unsigned n = rnd(g, 4); n; --n)
            simple(g);
        if (rnd(g, 4) == 0)
            predicate(g);
        switch (rnd(g, 4)) {
        case 0:
            put(g, "bra K%u_%u;\n", label, rnd(g, blocks));
            break;
        case 1:
            put(g, "@%sp%u bra K%u_%u;\n", rnd(g, 2) ? "!" : "", rnd(g, 4), label, rnd(g, blocks));
            break;
        case 2:
            put(g, "@p%u bra K%u_%u;\n@p%u bra J%u;\n", rnd(g, 4), label, rnd(g, blocks), rnd(g, 4),
                label);
            break;
        default:
            put(g,
                "and.b32 t0, r%u, 1;\nT%u_%u: .branchtargets K%u_%u, K%u_%u;\n"
                "@!p%u brx.idx t0, T%u_%u;\n",
                rnd(g, 10), label, b, label, rnd(g, blocks), label, rnd(g, blocks), rnd(g, 4),
                label, b);
        }
    }
    put(g, "J%u:\n", label);
}

static void call(Gen *g)
{
    if (!g->functions) {
        simple(g);
        return;
    }
    unsigned f = rnd(g, g->functions);
    if (rnd(g, 3) == 0)
        put(g, "@p%u bra W%u;\n", rnd(g, 4), g->labels);
    bool pointer = rnd(g, 4) == 0;
    if (pointer) {
        put(g, "mov.u64 d0, fn%u;\n", f);
        if (g->functions > 1)
            put(g, "mov.u64 d1, fn%u;\nselp.b64 d0, d0, d1, p%u;\n", rnd(g, g->functions),
                rnd(g, 4));
        put(g, "Y%u_: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n",
            g->labels);
    }
    put(g,
        "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 q;\nst.param.b32 [a], r%u;\nst.param.b32 "
        "[b], r%u;\n",
        rnd(g, 10), rnd(g, 10));
    if (pointer)
        put(g, "call (q), d0, (a, b), Y%u_;\n", g->labels);
    else
        put(g, "call (q), fn%u, (a, b);\n", f);
    put(g, "ld.param.b32 r%u, [q];\n}\nW%u:\n", rnd(g, 10), g->labels);
    g->labels++;
}

/* Threads of the block exchange words through shared memory. */
static void exchange(Gen *g)
{
    unsigned half = rnd(g, 2) * FLOW_HALF;
    put(g, "st.shared.u32 [cell+%u], r%u;\nbar.sync 0;\n", half, rnd(g, 10));
    if (rnd(g, 2))
        put(g, "ld.shared.u32 r%u, [cells+%u];\n", rnd(g, 10), half); /* one for all */
    put(g,
        "add.u32 t0, tid, %u;\nrem.u32 t0, t0, ntid;\nmov.u32 t1, cells;\nmad.lo.u32 t1, t0, 4, "
        "t1;\n",
        rnd(g, 40));
    guard(g);
    put(g, "ld.shared.u32 r%u, [t1+%u];\nbar.sync 0;\n", rnd(g, 10), half);
}

/* The same with any unit. */
static void wide_exchange(Gen *g)
{
    Unit u = unit(g, 16);
    put(g, "mad.lo.u32 t0, tid, %u, cells;\n", u.bytes);
    put_store(g, &u, ".shared", "t0", FLOW_WIDE);
    put(g, "bar.sync 0;\n");
    if (rnd(g, 2))
        put(g, "add.u32 t0, tid, %u;\nrem.u32 t0, t0, ntid;\n", rnd(g, 40));
    else
        put(g, "rem.u32 t0, r%u, ntid;\n", rnd(g, 10));
    put(g, "mad.lo.u32 t1, t0, %u, cells;\n", u.bytes);
    put_load(g, &u, ".shared", "t1", FLOW_WIDE);
    put(g, "bar.sync 0;\n");
}

/* Where some lane's source may lie outside mask the result is undefined: then it is dropped. */
static void shuffle(Gen *g, const char *mask)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const char *const ways[] = {"sub.u32", "add.u32", "xor.b32"};
    unsigned mode = rnd(g, 4), width = 32u >> rnd(g, 3), segment = 32 - width, to = rnd(g, 10);
    unsigned limit = mode == 0 ? 0 : rnd(g, 4) ? 31 : rnd(g, 32);
    if (rnd(g, 2))
        put(g, "mov.u32 t0, %u;\n", rnd(g, 32));
    else
        put(g, "and.b32 t0, r%u, 31;\n", rnd(g, 10));
    put(g, "shfl.sync.%s.b32 t1|ps, r%u, t0, %u, %s;\n", modes[mode], rnd(g, 10),
        segment << 8 | limit, mask);
    if (mode == 3)
        put(g, "and.b32 t0, t0, %u;\nand.b32 t2, lane, %u;\nor.b32 t0, t0, t2;\n", 31 & ~segment,
            segment);
    else
        put(g, "%s t0, lane, t0;\n", ways[mode]);
    put(g,
        "selp.b32 t0, t0, lane, ps;\nmov.u32 t2, %s;\nshr.u32 t0, t2, t0;\nand.b32 t0, t0, 1;\n"
        "setp.ne.u32 pl, t0, 0;\n@pl mov.u32 r%u, t1;\n",
        mask, to);
    if (rnd(g, 2))
        put(g, "and.pred p%u, ps, ps;\n", rnd(g, 4));
}

/* An exchange of the lanes in mask that leaves nothing undefined; guard: "@p0 " or nothing. */
static void vote_match_reduce(Gen *g, const char *guard, const char *mask)
{
    static const char *const reductions[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                             "max.s32", "and.b32", "or.b32",  "xor.b32"};
    unsigned r = rnd(g, 10), from = rnd(g, 10);
    switch (rnd(g, 4)) {
    case 0:
        put(g, "and.b32 t0, r%u, %u;\n%smatch.any.sync.b32 r%u, t0, %s;\n", from, rnd(g, 8), guard,
            r, mask);
        break;
    case 1:
        put(g, "and.b32 t0, r%u, %u;\n%smatch.all.sync.b32 r%u|p%u, t0, %s;\n", from, rnd(g, 2),
            guard, r, rnd(g, 4), mask);
        break;
    case 2:
        put(g, "%svote.sync.ballot.b32 r%u, %sp%u, %s;\n", guard, r, rnd(g, 2) ? "!" : "",
            rnd(g, 4), mask);
        break;
    default:
        put(g, "%sredux.sync.%s r%u, r%u, %s;\n", guard, reductions[rnd(g, 9)], r, from, mask);
    }
}

/* The lanes of one side of a branch among themselves. */
static void side_exchange(Gen *g, const char *mask)
{
    static const char *const votes[] = {"any", "all", "uni"};
    for (unsigned n = 1 + rnd(g, 3); n; --n)
        switch (rnd(g, 8)) {
        case 0:
        case 1:
            put(g, "vote.sync.%s.pred p%u, %sp%u, %s;\n", votes[rnd(g, 3)], rnd(g, 4),
                rnd(g, 2) ? "!" : "", rnd(g, 4), mask);
            break;
        case 2:
            put(g, "bar.warp.sync %s;\n", mask);
            break;
        case 3:
            simple(g);
            break;
        case 4:
        case 5:
            shuffle(g, mask);
            break;
        default:
            vote_match_reduce(g, "", mask);
        }
}

static void divided_exchange(Gen *g)
{
    unsigned label = g->labels++, p = rnd(g, 4);
    put(g, "vote.sync.ballot.b32 m0, p%u, -1;\nnot.b32 m1, m0;\n", p);
    if (rnd(g, 4) == 0) { /* by predicates instead of branches */
        char yes[8], no[8];
        put(g, "and.pred pm, p%u, p%u;\n", p, p);
        snprintf(yes, sizeof yes, "@pm ");
        snprintf(no, sizeof no, "@!pm ");
        vote_match_reduce(g, yes, "m0");
        vote_match_reduce(g, no, "m1");
        return;
    }
    put(g, "@p%u bra X%u;\n", p, label);
    side_exchange(g, "m1");
    if (rnd(g, 3)) {
        put(g, "bra Y%u;\nX%u:\n", label, label);
        side_exchange(g, "m0");
        put(g, "Y%u:\n", label);
    } else
        put(g, "X%u:\n", label);
}

/* Lanes leave a loop one after the other; those that are left exchange. */
static void shrinking_exchange(Gen *g)
{
    unsigned label = g->labels++;
    put(g, "and.b32 m0, r%u, 7;\nmov.u32 m1, -1;\nQ%u:\n", rnd(g, 10), label);
    put(g,
        "setp.ne.u32 pm, m0, 0;\nvote.sync.ballot.b32 t3, pm, m1;\n@!pm bra R%u;\nmov.u32 m1, "
        "t3;\n",
        label);
    if (rnd(g, 2))
        shuffle(g, "m1");
    else
        vote_match_reduce(g, "", "m1");
    put(g, "sub.u32 m0, m0, 1;\nbra Q%u;\nR%u:\n", label, label);
}

static void warp_exchange(Gen *g)
{
    switch (rnd(g, 8)) {
    case 0:
        side_exchange(g, "-1");
        break;
    case 1:
        shuffle(g, "-1");
        break;
    case 2:
        put(g, "shfl.sync.idx.b32 r%u, r%u, r%u, 31, -1;\n", rnd(g, 10), rnd(g, 10), rnd(g, 10));
        break;
    case 3:
        put(g, "bar.warp.sync -1;\n");
        break;
    case 4:
        shrinking_exchange(g);
        break;
    default:
        divided_exchange(g);
        break;
    }
}

/* The block's first warps meet at a barrier of their own, or bring something to the others. */
static void team_exchange(Gen *g)
{
    unsigned label = g->labels++, id = 1 + rnd(g, 15), half = rnd(g, 2) * FLOW_HALF, r = rnd(g, 10);
    put(g, "mov.u32 team, %u;\nsetp.lt.u32 pl, ntid, team;\nselp.b32 team, ntid, team, pl;\n",
        32 * (1 + rnd(g, 4)));
    if (rnd(g, 3) == 0) {
        put(g,
            "setp.lt.u32 pl, tid, team;\n@pl bra N%u;\nbar.sync %u, ntid;\nrem.u32 t0, tid, team;\n"
            "mad.lo.u32 t0, t0, 4, cells;\nld.shared.u32 r%u, [t0+%u];\nbra O%u;\nN%u:\n"
            "st.shared.u32 [cell+%u], r%u;\nbar.arrive %u, ntid;\nO%u:\nbar.sync 0;\n",
            label, id, r, half, label, label, half, rnd(g, 10), id, label);
        return;
    }
    put(g, "setp.ge.u32 pl, tid, team;\n@pl bra N%u;\nst.shared.u32 [cell+%u], r%u;\n", label, half,
        rnd(g, 10));
    if (rnd(g, 3) == 0)
        put(g, "bar.red.popc.u32 r%u, %u, team, %sp%u;\n", rnd(g, 10), id, rnd(g, 2) ? "!" : "",
            rnd(g, 4));
    else if (rnd(g, 3) == 0)
        put(g, "bar.red.%s.pred p%u, %u, team, p%u;\n", rnd(g, 2) ? "and" : "or", rnd(g, 4), id,
            rnd(g, 4));
    else
        put(g, "bar.sync %u, team;\n", id);
    put(g, "add.u32 t0, tid, %u;\nrem.u32 t0, t0, team;\nmad.lo.u32 t0, t0, 4, cells;\n",
        rnd(g, 70));
    put(g, "ld.shared.u32 r%u, [t0+%u];\nbar.sync %u, team;\nN%u:\n", r, half, id, label);
}

/* Lanes come to a barrier of the block from different places. */
static void parted_barrier(Gen *g)
{
    unsigned label = g->labels++, half = rnd(g, 2) * FLOW_HALF;
    put(g, "@p%u bra N%u;\nst.shared.u32 [cell+%u], r%u;\n", rnd(g, 4), label, half, rnd(g, 10));
    if (rnd(g, 2))
        simple(g);
    put(g, "barrier.sync 0;\nbra O%u;\nN%u:\n", label, label);
    if (rnd(g, 2))
        simple(g);
    put(g, "st.shared.u32 [cell+%u], r%u;\nbarrier.sync 0;\nO%u:\n", half, rnd(g, 10), label);
    put(g, "add.u32 t0, tid, %u;\nrem.u32 t0, t0, ntid;\nmad.lo.u32 t0, t0, 4, cells;\n",
        rnd(g, 70));
    put(g, "ld.shared.u32 r%u, [t0+%u];\nbar.sync 0;\n", rnd(g, 10), half);
}

static void uniform_update(Gen *g)
{
    switch (rnd(g, 3)) {
    case 0:
        put(g, "add.u32 u%u, u%u, %u;\n", rnd(g, 4), rnd(g, 4), rnd(g, 9));
        break;
    case 1:
        put(g, "xor.b32 u%u, u%u, u%u;\n", rnd(g, 4), rnd(g, 4), rnd(g, 4));
        break;
    default:
        put(g, "mad.lo.u32 u%u, u%u, 3, u%u;\n", rnd(g, 4), rnd(g, 4), rnd(g, 4));
        break;
    }
}

static void statement(Gen *g, unsigned depth, bool uniform)
{
    uint32_t k = rnd(g, 24);
    g->statements++;
    if (g->straight && k) {
        index_arithmetic(g);
        return;
    }
    bool deep = depth > 4 || g->statements > g->limit;
    if (uniform && !g->in_function && k < 6) {
        if (k < 2 && !g->apart) {
            switch (rnd(g, 6)) {
            case 4:
            case 5:
                wide_exchange(g);
                break;
            case 0:
                if (g->parted) {
                    parted_barrier(g);
                    break;
                }
                /* fall through */
            case 1:
                if (g->warp_ops) {
                    team_exchange(g);
                    break;
                }
                /* fall through */
            default:
                exchange(g);
            }
        } else if ((k < 4 || g->apart) && g->warp_ops)
            warp_exchange(g);
        else
            uniform_update(g);
    } else if (k < 9 && !deep)
        conditional(g, depth, uniform);
    else if (k < 11 && !deep)
        loop(g, depth, uniform);
    else if (k == 11 && !deep)
        switch_table(g, depth);
    else if (k == 12 && !deep)
        soup(g);
    else if (k == 13)
        call(g);
    else
        simple(g);
}

static void body(Gen *g, unsigned depth, bool uniform)
{
    for (unsigned n = 1 + rnd(g, depth > 1 ? 3 : g->straight ? 40 : 6); n; --n)
        statement(g, depth, uniform);
}

static const char registers[] =
    ".reg .b32 r<10>, u<4>, l<3>, t<4>, m<2>, lane, team, c<4>, n<4>, fuel, tid, tidx, tidy, ntid, "
    "gid, cell, cells, turn, limit;\n.reg .f32 f<3>;\n.reg .b16 h<4>;\n"
    ".reg .b64 d<2>, w<3>, x<4>, base, linear, slots, at;\n.reg .pred p<4>, pu, pl, ps, pm;\n"
    ".local .align 16 .b8 frame[64];\n";

static void clear_frame(Gen *g)
{
    for (unsigned i = 0; i < FLOW_FRAME / 4; ++i)
        put(g, "st.local.u32 [frame+%u], %u;\n", 4 * i, i * 77);
}

static void clear_indices(Gen *g)
{
    put(g,
        "mov.u64 x0, 3;\ncvt.u64.u32 x1, r0;\nmov.b64 x2, {r1, r0};\nmov.u64 x3, 0x7fffffffffff;\n"
        "mov.u16 h0, 300;\ncvt.u16.u32 h1, r0;\ncvt.u16.u32 h2, r1;\nmov.u16 h3, 0x8001;\n"
        "cvt.rn.f32.u32 f0, r0;\ncvt.rn.f32.s32 f1, r1;\nmov.f32 f2, 0f3FC00000;\n");
    put(g,
        "mov.u32 l0, 5;\nmov.u32 l1, tid;\nadd.u32 l2, tid, %d;\nmov.u64 w0, 9;\n"
        "mul.wide.s32 w1, l2, 8;\ncvt.u64.u32 w2, l2;\n",
        (int)rnd(g, 60) - 50);
}

static void function(Gen *g, unsigned index)
{
    put(g, ".func (.param .b32 q) fn%u(.param .b32 a, .param .b32 b)\n{\n%s", index, registers);
    g->in_function = true;
    for (unsigned i = 0; i < 10; ++i)
        put(g, "mov.u32 r%u, %u;\n", i, i * 3);
    put(g,
        "ld.param.b32 r0, [a];\nld.param.b32 r1, [b];\nmov.u32 u0, 1;\nmov.u32 u1, 2;\nmov.u32 u2, "
        "3;\n"
        "mov.u32 u3, 5;\nsetp.lt.s32 p0, r0, r1;\nsetp.eq.u32 p1, r1, 3;\nsetp.gt.u32 p2, r0, 9;\n"
        "not.pred p3, p0;\nmov.u32 lane, %%laneid;\nmov.u32 tid, %%tid.x;\nmov.u32 tidy, "
        "%%tid.y;\nmov.u32 gid, 3;\n");
    clear_indices(g);
    clear_frame(g);
    body(g, 2, false);
    if (rnd(g, 2)) { /* several returns */
        put(g, "@!p%u bra M%u;\nst.param.b32 [q], r%u;\nret;\nM%u:\n", rnd(g, 4), g->labels,
            rnd(g, 10), g->labels);
        g->labels++;
        body(g, 3, false);
    }
    put(g, "st.param.b32 [q], r%u;\nret;\n}\n", rnd(g, 10));
    g->in_function = false;
}

static void begin_kernel(Gen *g)
{
    put(g, ".shared .align 16 .b8 area[%u];\n.visible .entry k(.param .u64 words)\n{\n%s",
        FLOW_SHARED, registers);
    put(g,
        "ld.param.u64 base, [words];\nmov.u32 lane, %%laneid;\nmov.u32 tidx, %%tid.x;\nmov.u32 "
        "tidy, %%tid.y;\nmov.u32 "
        "ntid, %%ntid.x;\n"
        "mad.lo.u32 tid, tidy, ntid, tidx;\nmov.u32 t0, %%ntid.y;\nmul.lo.u32 ntid, ntid, "
        "t0;\nmov.u32 t0, %%ctaid.x;\n"
        "mad.lo.u32 gid, t0, ntid, tid;\nmul.wide.u32 d0, tid, 4;\nadd.s64 linear, base, d0;\n"
        "mul.wide.u32 d0, gid, %u;\nadd.s64 slots, base, d0;\nadd.s64 slots, slots, %u;\n"
        "mov.u32 cells, area;\nmad.lo.u32 cell, tid, 4, cells;\n"
        "mov.u32 u0, t0;\nmov.u32 u1, ntid;\nmov.u32 u2, %%nctaid.x;\nadd.u32 u3, t0, 2;\n"
        "mov.u32 r0, tid;\nmov.u32 r1, gid;\nld.global.u32 r2, [linear];\nld.global.u32 r3, "
        "[linear+64];\n"
        "and.b32 r4, tid, 3;\nshr.u32 r5, tid, 2;\nxor.b32 r6, r2, gid;\nmov.u32 r7, 7;\nmov.u32 "
        "r8, u1;\n"
        "mov.u32 r9, 0;\nsetp.lt.u32 p0, tid, 13;\nsetp.eq.u32 p1, r4, 1;\nsetp.gt.s32 p2, r2, 0;\n"
        "setp.eq.u32 p3, u0, 0;\n",
        FLOW_SLOTS * 4, (FLOW_IN + FLOW_COUNTERS) * 4);
    put(g,
        "st.shared.u32 [cell], 0;\nst.shared.u32 [cell+%u], 1;\nmad.lo.u32 t1, tid, 16, cells;\n"
        "st.shared.v2.u64 [t1+%u], {0, 5};\nbar.sync 0;\n",
        FLOW_HALF, FLOW_WIDE);
    clear_frame(g);
    clear_indices(g);
}

static void end_kernel(Gen *g)
{
    put(g,
        "cvt.u32.u64 t0, x0;\nshr.u64 x1, x1, 7;\ncvt.u32.u64 t1, x1;\nmad.lo.u32 r0, t1, 77, r0;\n"
        "xor.b32 r0, r0, t0;\nmov.b32 t0, {h0, h1};\nxor.b32 r1, r1, t0;\ncvt.rzi.s32.f32 t0, f0;\n"
        "add.u32 r2, r2, t0;\n");
    for (unsigned i = 0; i < 6; ++i)
        put(g, "st.global.u32 [slots+%u], r%u;\n", 4 * i, i);
    put(g, "ret;\n}\n");
}

void flow_generate(uint32_t seed, Buf *out)
{
    Gen g = {.out = out, .state = seed * 2654435761u + 88172645u};
    for (int i = 0; i < 8; ++i)
        rnd(&g, 2);
    g.warp_ops = rnd(&g, 2);
    g.limit = 6 + rnd(&g, 20);
    g.straight = seed % 5 == 4;
    g.parted = rnd(&g, 4) == 0;
    put(&g, "// seed %u%s%s\n.version 7.8\n.target sm_80\n.address_size 64\n", seed,
        g.warp_ops ? ", whole warps" : "", g.parted ? ", parted" : "");
    unsigned functions = rnd(&g, 3);
    for (unsigned i = 0; i < functions; ++i) {
        function(&g, i);
        g.functions = i + 1;
    }
    g.statements = 0;
    begin_kernel(&g);
    body(&g, 0, true);
    body(&g, 0, true);
    if (rnd(&g, 2)) { /* some threads leave; the others still meet at barriers */
        put(&g, "@p%u %s;\n", rnd(&g, 4), rnd(&g, 2) ? "exit" : "ret");
        put(&g, "st.shared.u32 [cell], r%u;\nbar.sync 0;\n", rnd(&g, 10));
        g.warp_ops = false;
        body(&g, 1, false);
    }
    end_kernel(&g);
}

/* Cases that random kernels meet seldom. */
static const char *const fixed[] = {
    /* an index that is negative as signed, widened both ways; a sum of both */
    "mov.u32 t0, 0xf0000000;\nor.b32 l0, tidx, t0;\ncvt.s64.s32 w0, l0;\nmad.wide.u32 w1, l0, 4, "
    "w0;\n",
    "mov.u32 t0, 0xf0000000;\nor.b32 l0, tidx, t0;\ncvt.u64.u32 w0, l0;\nmad.wide.s32 w1, l0, 4, "
    "w0;\n",
    /* a widened index that may have wrapped, from 64 bits to 64 bits */
    "sub.u32 l0, tid, 5;\ncvt.u64.u32 w0, l0;\ncvt.s64.s64 w0, w0;\nshl.b64 w0, w0, "
    "3;\ncvt.u64.u64 w1, w0;\n",
    /* a 32-bit address below zero until its offset is added */
    "sub.u32 t0, cell, 4096;\nst.shared.u32 [t0+4096], r1;\nld.shared.u32 r0, [t0+4096];\nmov.u64 "
    "w1, 0;\n",
};

bool flow_generate_fixed(unsigned which, Buf *out)
{
    Gen g = {.out = out, .state = 1};
    if (which >= sizeof fixed / sizeof *fixed)
        return false;
    put(&g, ".version 7.8\n.target sm_80\n.address_size 64\n");
    begin_kernel(&g);
    put(&g, "%scvt.u32.u64 r2, w1;\nshr.u64 w1, w1, 32;\ncvt.u32.u64 r3, w1;\n", fixed[which]);
    end_kernel(&g);
    return true;
}
