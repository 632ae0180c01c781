/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate instructions against results recorded on hardware (tests/golden/approx-h200.txt):
 * the C reference of codegen/sfu.h over the whole recorded ranges and at the recorded points, then
 * the engine's code, for vectors and for uniform operands and at every SIMD level, at the points
 * and against the reference on other operands. What it does not do: judge accuracy
 * (docs/approximations.md gives the figures). */
#include "codegen/sfu.h"
#include "jit/jit.h"
#include "launch/launch.h"
#include "launch/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef uint32_t Reference(uint32_t x, bool ftz);
static const struct {
    const char *name;
    Reference *f;
} functions[] = {{"rcp", sfu_rcp}, {"rsqrt", sfu_rsqrt}, {"sqrt", sfu_sqrt}, {"ex2", sfu_ex2},
                 {"lg2", sfu_lg2}, {"sin", sfu_sin},     {"cos", sfu_cos},   {"tanh", sfu_tanh}};

enum { FORMS = 15, POINTS = 1024, OTHERS = 1 << 16 };

typedef struct {
    char text[32]; /* rcp.approx.ftz.f32 */
    Reference *f;
    bool ftz;
} Form;

static Form forms[FORMS];
static unsigned form_count, point_count;
static uint32_t inputs[POINTS], outputs[FORMS][POINTS];
static unsigned ranges_compared;

static Form parse_form(const char *text)
{
    Form form = {"", NULL, strstr(text, ".ftz") != NULL};
    snprintf(form.text, sizeof form.text, "%s", text);
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; ++i) {
        size_t n = strlen(functions[i].name);
        if (strncmp(text, functions[i].name, n) == 0 && text[n] == '.')
            form.f = functions[i].f;
    }
    if (!form.f)
        fail_msg("unknown instruction %s in the recorded results", text);
    return form;
}

static void compare_range(const Form *form, bool steps, long long first, uint32_t count,
                          uint64_t recorded)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t k = 0; k < count; ++k) {
        uint32_t x = (uint32_t)first + k;
        if (steps) {
            float value = (float)(first + k) / 8388608.0f;
            memcpy(&x, &value, sizeof x);
        }
        hash = (hash ^ form->f(x, form->ftz)) * 1099511628211u;
    }
    if (hash != recorded)
        fail_msg("%s from %llx: the results are not the recorded ones", form->text,
                 (unsigned long long)first);
    ++ranges_compared;
}

static void read_points(FILE *file, const char *names)
{
    char text[32];
    int used;
    while (form_count < FORMS && sscanf(names, " %31s%n", text, &used) == 1) {
        forms[form_count++] = parse_form(text);
        names += used;
    }
    assert_int_equal(form_count, FORMS);
    while (point_count < POINTS && fscanf(file, "%x", &inputs[point_count]) == 1) {
        for (unsigned f = 0; f < form_count; ++f)
            assert_int_equal(fscanf(file, "%x", &outputs[f][point_count]), 1);
        ++point_count;
    }
}

static void test_reference_ranges(void **state)
{
    (void)state;
    FILE *file = fopen(SOURCE_DIR "/tests/golden/approx-h200.txt", "r");
    assert_non_null(file);
    char line[1024], kind[16], text[32], first[32];
    unsigned count;
    unsigned long long hash;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "points ", 7) == 0) {
            read_points(file, line + 7);
            break;
        }
        if (sscanf(line, "%15s %31s %31s %u %llx", kind, text, first, &count, &hash) != 5 ||
            line[0] == '#')
            continue;
        Form form = parse_form(text);
        bool steps = strcmp(kind, "steps") == 0;
        compare_range(&form, steps, strtoll(first, NULL, steps ? 10 : 16), count, hash);
    }
    fclose(file);
    assert_int_equal(ranges_compared, 20);
    assert_true(point_count > 500);
}

static void test_reference_points(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned f = 0; f < form_count; ++f)
        for (unsigned i = 0; i < point_count; ++i) {
            uint32_t got = forms[f].f(inputs[i], forms[f].ftz);
            if (got != outputs[f][i] && ++wrong < 10)
                print_error("%s 0x%08x: 0x%08x, recorded 0x%08x\n", forms[f].text, inputs[i], got,
                            outputs[f][i]);
        }
    assert_int_equal(wrong, 0);
}

/* ---- the engine ---- */

/* out[i] = f(in[i]) by a vector over the block; same[b] = f(in[b]) with an operand uniform in block
 * b. */
static const char kernel_text[] =
    ".visible .entry k%u(.param .u64 in, .param .u64 out, .param .u64 same)\n"
    "{\n"
    ".reg .b64 %%d<10>; .reg .b32 %%r<6>; .reg .f32 %%f<5>;\n"
    "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; ld.param.u64 %%d3, [same];\n"
    "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x;\n"
    "mad.lo.s32 %%r4, %%r2, %%r3, %%r1;\n"
    "mul.wide.u32 %%d4, %%r4, 4; add.s64 %%d5, %%d1, %%d4; add.s64 %%d6, %%d2, %%d4;\n"
    "ld.global.f32 %%f1, [%%d5]; %s %%f2, %%f1; st.global.f32 [%%d6], %%f2;\n"
    "mul.wide.u32 %%d7, %%r2, 4; add.s64 %%d8, %%d1, %%d7; add.s64 %%d9, %%d3, %%d7;\n"
    "ld.global.f32 %%f3, [%%d8]; %s %%f4, %%f3; st.global.f32 [%%d9], %%f4;\n"
    "ret;\n"
    "}\n";

static uint64_t device_array(uint32_t **host)
{
    uint64_t address = 0;
    assert_int_equal(mem_alloc(MEM_DEVICE, OTHERS * sizeof(uint32_t), 0, 0, &address), 0);
    *host = mem_reach(address);
    return address;
}

/* The points first, then operands of all exponents, more of them near 1. */
static void fill(uint32_t *x)
{
    uint32_t state = 12345;
    for (unsigned i = 0; i < OTHERS; ++i) {
        state = state * 1664525u + 1013904223u;
        x[i] = i < point_count ? inputs[i] : i % 2 ? state : (state & 0x83ffffff) + 0x3d000000;
    }
}

static void check_form(JitModule *module, unsigned f, const char *level)
{
    Diags diags;
    diags_init(&diags);
    char name[16];
    snprintf(name, sizeof name, "k%u", f);
    JitOptions options = {{64, 1, 1}, false, 0};
    const GkKernel *kernel = jit_kernel(module, name, &options, &diags);
    if (!kernel)
        fail_msg("%s (%s): %s", forms[f].text, level, diags_text(&diags));
    /* what --fidelity shows */
    assert_non_null(strstr(kernel->fidelity, ".approx:reproduced"));
    uint32_t *in, *out, *same;
    uint64_t params[3] = {device_array(&in), device_array(&out), device_array(&same)};
    fill(in);
    LaunchRequest request = {.kernel = kernel,
                             .grid = {OTHERS / 64, 1, 1},
                             .block = {64, 1, 1},
                             .params = params,
                             .max_resident = 64,
                             .sms = 4};
    LaunchResult result;
    assert_int_equal(launch_run(&request, &result), 0);
    unsigned wrong = 0;
    for (unsigned i = 0; i < OTHERS; ++i) {
        uint32_t want = i < point_count ? outputs[f][i] : forms[f].f(in[i], forms[f].ftz);
        bool bad = out[i] != want || (i < OTHERS / 64 && same[i] != want);
        if (bad && ++wrong < 10)
            print_error("%s (%s) of 0x%08x: vector 0x%08x, uniform 0x%08x, wanted 0x%08x\n",
                        forms[f].text, level, in[i], out[i], i < OTHERS / 64 ? same[i] : want,
                        want);
    }
    for (unsigned i = 0; i < 3; ++i)
        mem_free(params[i], 1u << MEM_DEVICE);
    diags_fini(&diags);
    assert_int_equal(wrong, 0);
}

static void test_engine(void **state)
{
    const char *level = *state;
    setenv("GPUKIT_SIMD", level, 1);
    mem_init(UINT64_C(1) << 30);
    Diags diags;
    diags_init(&diags);
    char text[FORMS * 1024] = ".version 7.8\n.target sm_80\n.address_size 64\n";
    size_t at = strlen(text);
    for (unsigned f = 0; f < form_count; ++f)
        at += (size_t)snprintf(text + at, sizeof text - at, kernel_text, f, forms[f].text,
                               forms[f].text);
    JitModule *module = jit_module_new(text, at, "approx.ptx", &diags);
    if (!module)
        fail_msg("%s", diags_text(&diags));
    for (unsigned f = 0; f < form_count; ++f)
        check_form(module, f, level);
    jit_module_free(module);
    diags_fini(&diags);
    unsetenv("GPUKIT_SIMD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_ranges),
        cmocka_unit_test(test_reference_points),
        cmocka_unit_test_prestate(test_engine, "native"),
        cmocka_unit_test_prestate(test_engine, "avx2"),
        cmocka_unit_test_prestate(test_engine, "portable"),
    };
    return cmocka_run_group_tests_name("approx", tests, NULL, NULL);
}
