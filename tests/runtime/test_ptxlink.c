/* SPDX-License-Identifier: Apache-2.0
 * The PTX linker: what it makes must parse, keep one definition of each name and the right one;
 * damaged input gives an error or a text, never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ptx/ptx.h"
#include "runtime/ptxlink.h"

#include <stdlib.h>
#include <string.h>

static const char first[] = "// made by hand\n"
                            ".version 7.8\n.target sm_80, debug\n.address_size 64\n"
                            ".file 1 \"a.cu\"\n"
                            ".extern .func (.param .b32 r) scale (.param .b32 x);\n"
                            ".extern .const .align 4 .b8 table[16];\n"
                            ".global .align 1 .b8 $str[4] = {97, 59, 125, 0};\n"
                            ".weak .global .align 4 .u32 shared_value = 1;\n"
                            ".visible .entry k(.param .u64 p)\n{\n"
                            "  .reg .b32 %r<4>;\n  .reg .b64 %rd<4>;\n"
                            "  mov.u64 %rd1, $str; // } not the end\n"
                            "  mov.u64 %rd2, table;\n"
                            "  { .param .b32 x; .param .b32 r;\n"
                            "  st.param.b32 [x], %r1;\n"
                            "  call.uni (r), scale, (x);\n  ld.param.b32 %r2, [r]; }\n"
                            "  ret;\n}\n"
                            ".section .debug_str { .b8 1, 2, 3 }\n";
static const char second[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                             ".visible .const .align 4 .b8 table[16];\n"
                             ".global .align 1 .b8 $str[4] = {98, 0, 0, 0};\n"
                             ".visible .global .align 4 .u32 shared_value = 2;\n"
                             ".global .align 8 .u64 where = $str;\n"
                             ".visible .func (.param .b32 r) scale (.param .b32 x)\n{\n"
                             "  .reg .b32 %r<4>;\n .reg .b64 %rd<3>;\n"
                             "  mov.u64 %rd1, $str;\n"
                             "  ld.param.b32 %r1, [x];\n  st.param.b32 [r], %r1;\n  ret;\n}\n"
                             ".visible .entry k2() { ret; }\n";

static IrModule *link_and_parse(Buf *out)
{
    PtxText texts[] = {{first, sizeof first - 1}, {second, sizeof second - 1}};
    char why[256] = "";
    assert_true(ptx_link(texts, 2, out, why, sizeof why));
    Diags diags;
    diags_init(&diags);
    IrModule *module = ptx_parse(buf_text(out), out->count, "linked", &diags);
    if (!module) {
        print_message("%s\n%s\n", diags_text(&diags), buf_text(out));
        fail();
    }
    assert_true(ir_verify(module, &diags));
    diags_fini(&diags);
    return module;
}

/* What the device runtime offers takes the place of NVIDIA's own code, by CUDA 12's name of it and by
 * CUDA 11's, and all of it parses. */
static void check_device_runtime(const char *name)
{
    char *caller = xasprintf(".version 7.8\n.target sm_80\n.address_size 64\n"
                             ".extern .func (.param .b32 r) %s (.param .b64 stream);\n"
                             ".visible .entry k()\n{\n  .reg .b32 %%r<2>;\n"
                             "  { .param .b64 s; .param .b32 r;\n"
                             "  st.param.b64 [s], 0; call.uni (r), %s, (s);\n"
                             "  ld.param.b32 %%r1, [r]; }\n  ret;\n}\n",
                             name, name);
    char *nvidia = xasprintf(
        ".version 7.8\n.target sm_80\n.address_size 64\n"
        ".extern .func (.param .b32 r) secret (.param .b64 x);\n"
        ".visible .func (.param .b32 r) %s (.param .b64 stream)\n{\n"
        "  .reg .b32 %%r<2>; .reg .b64 %%d<2>; ld.param.b64 %%d1, [stream];\n"
        "  { .param .b64 x; .param .b32 q; st.param.b64 [x], %%d1; call.uni (q), secret, (x);\n"
        "  ld.param.b32 %%r1, [q]; }\n  st.param.b32 [r], %%r1; ret;\n}\n",
        name);
    const PtxText texts[] = {{caller, strlen(caller)}, {nvidia, strlen(nvidia)}};
    for (size_t count = 1; count <= 2; ++count) {
        Buf out = {0};
        char why[256] = "";
        assert_true(ptx_link(texts, count, &out, why, sizeof why));
        assert_non_null(strstr(buf_text(&out), "__cudaCDP2StreamDestroy(.param .b64 in)\n{"));
        assert_non_null(strstr(buf_text(&out), "(r), __cudaCDP2StreamDestroy, (s)"));
        assert_null(strstr(buf_text(&out), "(q), secret"));
        Diags diags;
        diags_init(&diags);
        IrModule *module = ptx_parse(buf_text(&out), out.count, "linked", &diags);
        if (!module || !ir_verify(module, &diags)) {
            print_message("%s\n%s\n", diags_text(&diags), buf_text(&out));
            fail();
        }
        ir_module_free(module);
        diags_fini(&diags);
        buf_free(&out);
    }
    free(caller);
    free(nvidia);
}

static void test_device_runtime(void **state)
{
    (void)state;
    check_device_runtime("__cudaCDP2StreamDestroy");
    check_device_runtime("cudaStreamDestroy");
}

/* Callers of the grid barrier get it with the link, and it verifies. */
static void test_grid_barrier(void **state)
{
    (void)state;
    static const char caller[] =
        ".version 7.8\n.target sm_80\n.address_size 64\n"
        ".extern .func (.param .b32 r) cudaCGSynchronize (.param .b64 h, .param .b32 f);\n"
        ".visible .entry k()\n{\n  .reg .b32 %r<2>;\n  { .param .b64 h; .param .b32 f; .param .b32 "
        "r;\n"
        "  st.param.b64 [h], 0; st.param.b32 [f], 0; call.uni (r), cudaCGSynchronize, (h, f);\n"
        "  ld.param.b32 %r1, [r]; }\n  ret;\n}\n";
    const PtxText text = {caller, sizeof caller - 1};
    Buf out = {0};
    char why[256] = "";
    Diags diags;
    diags_init(&diags);
    assert_true(ptx_link(&text, 1, &out, why, sizeof why));
    IrModule *module = ptx_parse(buf_text(&out), out.count, "linked", &diags);
    assert_non_null(module);
    assert_true(ir_verify(module, &diags));
    const IrFunction *barrier = ir_find_function(module, "cudaCGSynchronize");
    assert_non_null(barrier);
    assert_false(barrier->is_extern);
    ir_module_free(module);
    diags_fini(&diags);
    buf_free(&out);
}

static void test_link(void **state)
{
    (void)state;
    Buf out = {0};
    IrModule *module = link_and_parse(&out);
    assert_int_equal(module->sm, 90);
    assert_int_equal(module->version_major, 8);
    assert_non_null(ir_find_function(module, "k"));
    assert_non_null(ir_find_function(module, "k2"));
    assert_non_null(ir_find_function(module, "scale"));
    const IrSymbol *table = ir_find_symbol(module, "table");
    assert_int_equal(table->linkage, LINK_VISIBLE);
    assert_int_equal(ir_find_symbol(module, "shared_value")->init[0], 2); /* strong beats weak */
    assert_int_equal(ir_find_symbol(module, "$str")->init[0], 97);
    const IrSymbol *other = ir_find_symbol(module, "$str__gk1");
    assert_non_null(other);
    assert_int_equal(other->init[0], 98);
    const IrSymbol *where = ir_find_symbol(module, "where");
    assert_ptr_equal(where->relocs[0].symbol, other);
    ir_module_free(module);
    buf_free(&out);
}

/* A caller may declare a result that the function does not give: nothing is what it reads. */
static void test_lent_result(void **state)
{
    (void)state;
    static const char caller[] =
        ".version 7.8\n.target sm_80\n.address_size 64\n"
        ".extern .func (.param .b32 r) consume (.param .b32 x);\n"
        ".visible .entry k()\n{\n .reg .b32 %r<3>;\n mov.u32 %r1, 7;\n"
        " { .param .b32 x; .param .b32 r;\n st.param.b32 [x], %r1;\n"
        " call.uni (r), consume, (x);\n ld.param.b32 %r2, [r]; }\n ret;\n}\n";
    static const char callee[] =
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .global .u32 seen;\n"
        ".visible .func consume(.param .b32 x)\n{\n .reg .b32 %r<2>;\n"
        " ld.param.b32 %r1, [x];\n st.global.u32 [seen], %r1;\n ret;\n}\n";
    for (int order = 0; order < 2; order++) {
        PtxText texts[] = {{order ? callee : caller, 0}, {order ? caller : callee, 0}};
        Buf out = {0};
        char why[256] = "";
        texts[0].bytes = strlen(texts[0].text), texts[1].bytes = strlen(texts[1].text);
        assert_true(ptx_link(texts, 2, &out, why, sizeof why));
        Diags diags;
        diags_init(&diags);
        IrModule *module = ptx_parse(buf_text(&out), out.count, "linked", &diags);
        if (!module || !ir_verify(module, &diags))
            fail_msg("%s\n%s", diags_text(&diags), buf_text(&out));
        assert_int_equal(ir_find_symbol(module, "consume")->function->result_count, 1);
        ir_module_free(module);
        diags_fini(&diags);
        buf_free(&out);
    }
}

static void test_damage(void **state)
{
    (void)state;
    char why[256];
    uint64_t seed = 7;
    int good = 0;
    for (int turn = 0; turn < 5000; turn++) {
        size_t bytes = sizeof first - 1;
        char *copy = malloc(bytes);
        memcpy(copy, first, bytes);
        for (int i = 0; i < 3; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            copy[(seed >> 33) % bytes] = "{}();\"/*.\\ =x\n"[(seed >> 20) % 14];
        }
        if (turn % 3 == 0)
            bytes = (seed >> 40) % bytes;
        PtxText texts[] = {{copy, bytes}, {second, sizeof second - 1}};
        Buf out = {0};
        good += ptx_link(texts, 2, &out, why, sizeof why);
        buf_free(&out);
        free(copy);
    }
    assert_true(good > 500 && good < 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_link),         cmocka_unit_test(test_device_runtime),
        cmocka_unit_test(test_grid_barrier), cmocka_unit_test(test_lent_result),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
