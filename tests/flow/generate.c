/* SPDX-License-Identifier: Apache-2.0
 * Random kernels. r0..r9 differ between threads; u0..u3 are the same in all threads of a block.
 * Statements that need every thread (barriers, warp exchanges) stand only where control flow
 * depends on u registers alone. l and w registers are indices and addresses. Every loop is bounded. */
#include "flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    Buf *out;
    uint32_t state;
    unsigned labels, statements, limit;
    bool in_function; /* no buffers, no barriers */
    unsigned loops;   /* depth, for loop counters c0.. */
    bool warp_ops;    /* all 32 lanes of every warp exist */
    unsigned functions;
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
            "and.b32 t0, r%u, 7;\nmul.wide.u32 d0, t0, 4;\nmov.u64 d1, frame;\nadd.s64 d0, d0, "
            "d1;\n",
            rnd(g, 10));
        guard(g);
        put(g, "st.local.u32 [d0], r%u;\n", r);
        break;
    case 6:
        put(g,
            "and.b32 t0, r%u, 7;\nmul.wide.u32 d0, t0, 4;\nmov.u64 d1, frame;\nadd.s64 d0, d0, "
            "d1;\n",
            rnd(g, 10));
        guard(g);
        put(g, "ld.local.u32 r%u, [d0];\n", r);
        break;
    default:
        put(g, "and.b32 t0, r%u, 15;\nmul.wide.u32 d0, t0, 4;\nadd.s64 d0, d0, base;\n",
            rnd(g, 10));
        guard(g);
        put(g, "red.global.add.u32 [d0+%u], r%u;\n", FLOW_IN * 4, r);
    }
}

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
    switch (rnd(g, 5)) {
    case 0:
        put(g, "shl.b32 l%u, ", rnd(g, 3));
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
        put(g, "st.shared.u32 [t0+%u], r%u;\n", back + 1024 * rnd(g, 2), rnd(g, 10));
    }
    }
}

static void simple(Gen *g)
{
    uint32_t k = rnd(g, 13);
    if (k < 5)
        arithmetic(g);
    else if (k < 7)
        predicate(g);
    else if (k < 10)
        memory(g);
    else
        index_arithmetic(g);
}

static void body(Gen *g, unsigned depth, bool uniform);

static void conditional(Gen *g, unsigned depth, bool uniform)
{
    unsigned label = g->labels++;
    bool together = uniform && rnd(g, 3) == 0;
    if (together)
        put(g, "setp.%s.u32 pu, u%u, u%u;\n@pu bra E%u;\n", rnd(g, 2) ? "lt" : "ne", rnd(g, 4),
            rnd(g, 4), label);
    else
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
    if (together)
        put(g, "and.b32 n%u, u%u, 3;\n", c, rnd(g, 4));
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
    put(g,
        "and.b32 t0, r%u, 3;\nT%u: .branchtargets S%u_0, S%u_1, S%u_2, S%u_%u;\nbrx.idx t0, T%u;\n",
        rnd(g, 10), label, label, label, label, label, rnd(g, 3), label);
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
                "and.b32 t0, r%u, 1;\nT%u_%u: .branchtargets K%u_%u, K%u_%u;\n@p%u bra V%u_%u;\n"
                "brx.idx t0, T%u_%u;\nV%u_%u:\n",
                rnd(g, 10), label, b, label, rnd(g, blocks), label, rnd(g, blocks), rnd(g, 4),
                label, b, label, b, label, b);
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
    put(g,
        "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 q;\nst.param.b32 [a], r%u;\nst.param.b32 "
        "[b], r%u;\n"
        "call (q), f%u, (a, b);\nld.param.b32 r%u, [q];\n}\nW%u:\n",
        rnd(g, 10), rnd(g, 10), f, rnd(g, 10), g->labels);
    g->labels++;
}

/* Threads of the block exchange words through shared memory. */
static void exchange(Gen *g)
{
    unsigned half = rnd(g, 2) * 1024;
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

/* The lanes of one side of a branch among themselves. */
static void side_exchange(Gen *g, const char *mask)
{
    for (unsigned n = 1 + rnd(g, 3); n; --n)
        switch (rnd(g, 6)) {
        case 0:
            put(g, "vote.sync.any.pred p%u, p%u, %s;\n", rnd(g, 4), rnd(g, 4), mask);
            break;
        case 1:
            put(g, "vote.sync.all.pred p%u, p%u, %s;\n", rnd(g, 4), rnd(g, 4), mask);
            break;
        case 2:
            put(g, "bar.warp.sync %s;\n", mask);
            break;
        case 3:
            simple(g);
            break;
        default:
            put(g, "vote.sync.ballot.b32 r%u, p%u, %s;\n", rnd(g, 10), rnd(g, 4), mask);
        }
}

static void divided_exchange(Gen *g)
{
    unsigned label = g->labels++, p = rnd(g, 4);
    put(g, "vote.sync.ballot.b32 m0, p%u, -1;\nnot.b32 m1, m0;\n@p%u bra X%u;\n", p, p, label);
    side_exchange(g, "m1");
    if (rnd(g, 3)) {
        put(g, "bra Y%u;\nX%u:\n", label, label);
        side_exchange(g, "m0");
        put(g, "Y%u:\n", label);
    } else
        put(g, "X%u:\n", label);
}

static void warp_exchange(Gen *g)
{
    switch (rnd(g, 6)) {
    case 4:
    case 5:
        divided_exchange(g);
        break;
    case 0:
        put(g, "vote.sync.ballot.b32 r%u, p%u, -1;\n", rnd(g, 10), rnd(g, 4));
        break;
    case 1:
        put(g, "shfl.sync.bfly.b32 r%u, r%u, %u, 31, -1;\n", rnd(g, 10), rnd(g, 10),
            1u << rnd(g, 5));
        break;
    case 2:
        put(g, "shfl.sync.idx.b32 r%u, r%u, r%u, 31, -1;\n", rnd(g, 10), rnd(g, 10), rnd(g, 10));
        break;
    default:
        put(g, "bar.warp.sync -1;\n");
        break;
    }
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
        if (k < 2)
            exchange(g);
        else if (k < 4 && g->warp_ops)
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
    ".reg .b32 r<10>, u<4>, l<3>, t<2>, m<2>, c<4>, n<4>, fuel, tid, tidx, tidy, ntid, gid, cell, "
    "cells;\n"
    ".reg .b64 d<2>, w<3>, base, linear, slots;\n.reg .pred p<4>, pu, pl;\n"
    ".local .align 4 .b8 frame[32];\n";

static void clear_frame(Gen *g)
{
    for (unsigned i = 0; i < 8; ++i)
        put(g, "st.local.u32 [frame+%u], %u;\n", 4 * i, i * 77);
}

static void clear_indices(Gen *g)
{
    put(g,
        "mov.u32 l0, 5;\nmov.u32 l1, tid;\nadd.u32 l2, tid, %d;\nmov.u64 w0, 9;\n"
        "mul.wide.s32 w1, l2, 8;\ncvt.u64.u32 w2, l2;\n",
        (int)rnd(g, 60) - 50);
}

static void function(Gen *g, unsigned index)
{
    put(g, ".func (.param .b32 q) f%u(.param .b32 a, .param .b32 b)\n{\n%s", index, registers);
    g->in_function = true;
    for (unsigned i = 0; i < 10; ++i)
        put(g, "mov.u32 r%u, %u;\n", i, i * 3);
    put(g,
        "ld.param.b32 r0, [a];\nld.param.b32 r1, [b];\nmov.u32 u0, 1;\nmov.u32 u1, 2;\nmov.u32 u2, "
        "3;\n"
        "mov.u32 u3, 5;\nsetp.lt.s32 p0, r0, r1;\nsetp.eq.u32 p1, r1, 3;\nsetp.gt.u32 p2, r0, 9;\n"
        "not.pred p3, p0;\nmov.u32 tid, %%tid.x;\nmov.u32 tidy, %%tid.y;\nmov.u32 gid, 3;\n");
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
    put(g, ".shared .align 4 .b8 area[%u];\n.visible .entry k(.param .u64 words)\n{\n%s",
        FLOW_SHARED, registers);
    put(g,
        "ld.param.u64 base, [words];\nmov.u32 tidx, %%tid.x;\nmov.u32 tidy, %%tid.y;\nmov.u32 "
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
    put(g, "st.shared.u32 [cell], 0;\nst.shared.u32 [cell+1024], 1;\nbar.sync 0;\n");
    clear_frame(g);
    clear_indices(g);
}

static void end_kernel(Gen *g)
{
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
    put(&g, "// seed %u%s\n.version 7.8\n.target sm_80\n.address_size 64\n", seed,
        g.warp_ops ? ", whole warps" : "");
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
