/* SPDX-License-Identifier: Apache-2.0
 * PTX that is right although compilers seldom write it. */
#include "gpukit/gpukit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK(call) assert_int_equal(call, 0)
#define HEAD     ".version 7.8\n.target sm_80\n.address_size 64\n"

enum { THREADS = 64, EACH = 3 };

/* Runs kernel k(out) of the text with one block; out: THREADS * EACH words of 64 bits. Returns the
 * address that the words had. */
static const int64_t *run(const char *text, int64_t out[THREADS * EACH])
{
    GpukitContext *context;
    GpukitModule *module;
    GpukitKernel *kernel;
    GpukitStream *stream;
    int64_t *device;
    size_t bytes = THREADS * EACH * sizeof *out;
    OK(gpukit_open("cpu", &context));
    OK(gpukit_module_load(context, text, strlen(text), &module));
    OK(gpukit_module_kernel(module, "k", &kernel));
    OK(gpukit_stream_new(context, &stream));
    OK(gpukit_alloc(context, GPUKIT_DEVICE_MEMORY, bytes, (void **)&device));
    void *arguments[] = {&device};
    OK(gpukit_launch(stream, kernel, (const uint32_t[]){1, 1, 1}, (const uint32_t[]){THREADS, 1, 1},
                     0, arguments));
    OK(gpukit_stream_wait(stream));
    OK(gpukit_copy(context, out, device, bytes));
    OK(gpukit_free(context, device));
    gpukit_stream_free(stream);
    gpukit_module_free(module);
    gpukit_close(context);
    return device;
}

/* Parameters in registers wider than they are: .s32 extends its sign, .b32 zeros, a store cuts. The
 * last argument is an address, of which the compiler knows more than a vector of numbers. */
static void test_wide_parameters(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b64 q) grow(.param .b32 a, .param .b32 b)\n"
        "{\n.reg .b64 x, y;\nld.param.s32 x, [a];\nld.param.b32 y, [b];\n"
        "mad.lo.s64 x, x, 3, y;\nst.param.b64 [q], x;\nret;\n}\n"
        ".func (.param .b32 q) cut(.param .b64 a)\n"
        "{\n.reg .b64 x;\nld.param.u64 x, [a];\nadd.s64 x, x, 5;\nst.param.b32 [q], x;\nret;\n}\n"
        ".visible .entry k(.param .u64 out)\n"
        "{\n.reg .b32 t, n;\n.reg .b64 o, r, w;\nld.param.u64 o, [out];\nmov.u32 t, %tid.x;\n"
        "mad.wide.u32 o, t, 24, o;\nsub.s32 n, t, 5;\n"
        "{\n.param .b32 a; .param .b32 b; .param .b64 q;\nst.param.b32 [a], n;\n"
        "st.param.b32 [b], n;\ncall (q), grow, (a, b);\nld.param.b64 r, [q];\n}\n"
        "st.global.u64 [o], r;\ncvt.s64.s32 w, n;\nmul.lo.s64 w, w, 4294967297;\n"
        "{\n.param .b64 a; .param .b32 q;\nst.param.b64 [a], w;\ncall (q), cut, (a);\n"
        "ld.param.b32 w, [q];\n}\n"
        "st.global.u64 [o+8], w;\n"
        "{\n.param .b32 a; .param .b32 b; .param .b64 q;\nst.param.b32 [a], o;\n"
        "st.param.b32 [b], o;\ncall (q), grow, (a, b);\nld.param.b64 r, [q];\n}\n"
        "st.global.u64 [o+16], r;\nret;\n}\n";
    int64_t out[THREADS * EACH];
    const int64_t *device = run(text, out);
    for (int i = 0; i < THREADS; i++) {
        int32_t n = i - 5, low = (int32_t)(uint32_t)(uintptr_t)(device + EACH * i);
        assert_int_equal(out[EACH * i], 3 * (int64_t)n + (uint32_t)n);
        assert_int_equal(out[EACH * i + 1], (uint32_t)(n + 5));
        assert_int_equal(out[EACH * i + 2], 3 * (int64_t)low + (uint32_t)low);
    }
}

/* The same for bytes and halves, in registers of any width. */
static void test_narrow_parameters(void **state)
{
    (void)state;
    static const char text[] = HEAD ".func (.param .b64 q) f(.param .b8 a, .param .b16 b)\n"
                                    "{\n"
                                    ".reg .b64 x; .reg .b32 y; .reg .b64 z;\n"
                                    "ld.param.s8 x, [a];\n"
                                    "ld.param.u8 y, [a];\n"
                                    "cvt.u64.u32 z, y;\n"
                                    "mad.lo.s64 x, x, 1000, z;\n"
                                    "ld.param.s16 z, [b];\n"
                                    "mad.lo.s64 x, x, 1000000, z;\n"
                                    "ld.param.u16 y, [b];\n"
                                    "cvt.u64.u32 z, y;\n"
                                    "add.s64 x, x, z;\n"
                                    "st.param.b64 [q], x;\n"
                                    "ret;\n"
                                    "}\n"
                                    ".visible .entry k(.param .u64 out)\n"
                                    "{\n"
                                    ".reg .b32 t, n;\n"
                                    ".reg .b64 o, r, w;\n"
                                    "ld.param.u64 o, [out];\n"
                                    "mov.u32 t, %tid.x;\n"
                                    "mad.wide.u32 o, t, 24, o;\n"
                                    "sub.s32 n, t, 5;\n"
                                    "mad.lo.s32 n, n, 37, 0;\n"
                                    "cvt.s64.s32 w, n;\n"
                                    "{\n"
                                    ".param .b8 a; .param .b16 b; .param .b64 q;\n"
                                    "st.param.b8 [a], w;\n"
                                    "st.param.b16 [b], n;\n"
                                    "call (q), f, (a, b);\n"
                                    "ld.param.b64 r, [q];\n"
                                    "}\n"
                                    "st.global.u64 [o], r;\n"
                                    "ret;\n"
                                    "}\n";
    int64_t out[THREADS * EACH];
    run(text, out);
    for (int i = 0; i < THREADS; i++) {
        int n = (i - 5) * 37;
        int64_t want = (int64_t)(int8_t)n * 1000 + (uint8_t)n;
        assert_int_equal(out[EACH * i], want * 1000000 + (int16_t)n + (uint16_t)n);
    }
}

/* Behind the exit stand instructions with more registers than there are values (a look at those is
 * found by tests/sanitize.sh). */
static void test_never_reached(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    char *text = malloc(200 * (MANY + 5));
    assert_non_null(text);
    int n = sprintf(text,
                    HEAD ".visible .entry k(.param .u64 out)\n"
                         "{\n.reg .b64 o<%d>;\n.reg .b32 a;\nld.param.u64 o0, [out];\n"
                         "st.global.u64 [o0], 7;\nret;\n",
                    MANY);
    for (int i = 1; i < MANY; i++)
        n += sprintf(text + n, "ld.global.u32 a, [o%d+4];\nst.global.u32 [o%d], a;\n", i, MANY - i);
    sprintf(text + n, "ret;\n}\n");
    int64_t out[THREADS * EACH];
    run(text, out);
    assert_int_equal(out[0], 7);
    free(text);
}

/* A jump through a table by a constant; behind its end, the last label. */
static void test_constant_table(void **state)
{
    (void)state;
    for (int index = 0; index < 5; index++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD ".visible .entry k(.param .u64 out)\n"
                      "{\n.reg .b64 o;\nld.param.u64 o, [out];\n"
                      "T: .branchtargets A, B, C;\nbrx.idx %d, T;\n"
                      "A: st.global.u64 [o], 10;\nret;\nB: st.global.u64 [o], 11;\nret;\n"
                      "C: st.global.u64 [o], 12;\nret;\n}\n",
                 index);
        int64_t out[THREADS * EACH];
        run(text, out);
        assert_int_equal(out[0], 10 + (index < 2 ? index : 2));
    }
}

/* Special registers as vectors. */
static void test_vector_moves(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".visible .entry k(.param .u64 out)\n"
        "{\n.reg .b32 a<5>, n, t;\n.reg .v4 .u32 v;\n.reg .b64 o, r;\nld.param.u64 o, [out];\n"
        "mov.v4.u32 {a0, n, a2, a3}, %tid;\nmad.wide.u32 o, a0, 24, o;\n"
        "mad.lo.u32 t, n, 10, a3;\nmad.lo.u32 t, a0, 100, t;\ncvt.u64.u32 r, t;\n"
        "st.global.u64 [o], r;\nmov.v4.u32 v, %ntid;\n"
        "mad.lo.u32 t, v.x, 10, v.w;\ncvt.u64.u32 r, t;\nst.global.u64 [o+8], r;\n"
        "mov.v4.u32 {_, a1, _, _}, %nctaid;\nmov.v4.b32 {a2, a3, a4, a0}, {a0, a1, t, 7};\n"
        "mad.lo.u32 a0, a2, 10, a3;\nmad.lo.u32 a0, a0, 10, 7;\ncvt.u64.u32 r, a0;\n"
        "st.global.u64 [o+16], r;\nret;\n}\n";
    int64_t out[THREADS * EACH];
    run(text, out);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(out[EACH * i], 100 * i);
        assert_int_equal(out[EACH * i + 1], 10 * THREADS + 1);
        assert_int_equal(out[EACH * i + 2], 100 * i + 17);
    }
}

/* alloca: lanes take different amounts; what a function took is free again behind it, in a recursion
 * too, and stackrestore gives back. */
static void test_alloca(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b64 q) sum(.param .b32 p0)\n" /* writes 0 .. n-1, adds them up */
        "{\n.reg .b32 n, i;\n.reg .b64 b, p, x, s;\n.reg .pred c;\nld.param.u32 n, [p0];\n"
        "mul.wide.u32 b, n, 8;\nalloca.u64 p, b, 32;\nmov.u32 i, 0;\nmov.u64 s, p;\n"
        "F: setp.ge.u32 c, i, n;\n@c bra G;\ncvt.u64.u32 x, i;\nst.local.u64 [s], x;\n"
        "add.u64 s, s, 8;\nadd.u32 i, i, 1;\nbra F;\n"
        "G: mov.u64 s, 0;\nmov.u32 i, 0;\n"
        "H: setp.ge.u32 c, i, n;\n@c bra E;\nld.local.u64 x, [p];\nadd.u64 p, p, 8;\n"
        "add.u64 s, s, x;\nadd.u32 i, i, 1;\nbra H;\nE: st.param.b64 [q], s;\nret;\n}\n"
        ".func (.param .b64 q) deep(.param .b32 p0)\n" /* sum(n) + deep(n - 1), over memory */
        "{\n.reg .b32 n, m;\n.reg .b64 p, x, y;\n.reg .pred c;\n"
        "ld.param.u32 n, [p0];\nmov.u64 y, 0;\nsetp.eq.u32 c, n, 0;\n@c bra E;\n"
        "alloca.u64 p, 100;\n"
        "{\n.param .b32 a; .param .b64 r;\nst.param.b32 [a], n;\ncall (r), sum, (a);\n"
        "ld.param.b64 x, [r];\n}\nst.local.u64 [p+8], x;\nsub.u32 m, n, 1;\n"
        "{\n.param .b32 a; .param .b64 r;\nst.param.b32 [a], m;\ncall (r), deep, (a);\n"
        "ld.param.b64 y, [r];\n}\nld.local.u64 x, [p+8];\nadd.u64 y, y, x;\n"
        "E: st.param.b64 [q], y;\nret;\n}\n"
        ".visible .entry k(.param .u64 out)\n"
        "{\n.reg .b32 t, i;\n.reg .b64 o, r, x, y, z, save;\n.reg .pred c;\n"
        "ld.param.u64 o, [out];\nmov.u32 t, %tid.x;\nmad.wide.u32 o, t, 24, o;\n"
        "alloca.u64 x, 8;\ncvt.u64.u32 r, t;\nst.local.u64 [x], r;\nmov.u32 i, 0;\n" /* 2000 times, else full */
        "A: {\n.param .b32 a; .param .b64 q;\nst.param.b32 [a], t;\ncall (q), sum, (a);\n"
        "ld.param.b64 r, [q];\n}\nadd.u32 i, i, 1;\nsetp.lt.u32 c, i, 2000;\n@c bra A;\n"
        "st.global.u64 [o], r;\n"
        "{\n.param .b32 a; .param .b64 q;\nand.b32 i, t, 7;\nst.param.b32 [a], i;\n"
        "call (q), deep, (a);\nld.param.b64 r, [q];\n}\nst.global.u64 [o+8], r;\n"
        "stacksave.u64 save;\nalloca.u64 y, 24;\nstackrestore.u64 save;\nalloca.u64 z, 24;\n"
        "sub.u64 z, z, y;\nld.local.u64 r, [x];\nmad.lo.u64 r, z, 1000, r;\n"
        "st.global.u64 [o+16], r;\nret;\n}\n";
    int64_t out[THREADS * EACH];
    run(text, out);
    for (int i = 0; i < THREADS; i++) {
        int64_t deep = 0;
        for (int n = i & 7; n > 0; n--)
            deep += n * (n - 1) / 2;
        assert_int_equal(out[EACH * i], i * (i - 1) / 2);
        assert_int_equal(out[EACH * i + 1], deep);
        assert_int_equal(out[EACH * i + 2], i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_parameters), cmocka_unit_test(test_narrow_parameters),
        cmocka_unit_test(test_never_reached), cmocka_unit_test(test_constant_table),
        cmocka_unit_test(test_vector_moves), cmocka_unit_test(test_alloca)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
