/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate instructions against results recorded on hardware (tests/golden/approx-h200.txt):
 * the C reference of codegen/sfu.h over the whole recorded ranges and at the recorded points, then
 * the engine's code, for vectors and for uniform operands and at every SIMD level, at the points
 * and against the reference on other operands. What it does not do: judge accuracy
 * (docs/approximations.md gives the figures). */
#include "forms.h"

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

enum { FORMS = 15, POINTS = 1024, OTHERS = 1 << 16 };

static const ApproxForm *forms[FORMS]; /* of the recorded points */
static unsigned form_count, point_count;
static uint32_t inputs[POINTS], outputs[FORMS][POINTS];
static unsigned ranges_compared;

static const ApproxForm *find_form(const char *text)
{
    for (unsigned i = 0; i < APPROX_FORMS; ++i)
        if (strcmp(approx_forms[i].text, text) == 0)
            return &approx_forms[i];
    fail_msg("unknown instruction %s in the recorded results", text);
    return NULL;
}

static void compare_range(const ApproxForm *form, uint32_t first, uint32_t count, uint64_t recorded)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t k = 0; k < count; ++k) {
        uint64_t a = approx_operand(form, 0, first + k), b = approx_operand(form, 1, first + k);
        hash = (hash ^ approx_reference(form, a, b)) * 1099511628211u;
    }
    if (hash != recorded)
        fail_msg("%s from %x: the results are not the recorded ones", form->text, first);
    ++ranges_compared;
}

static void read_points(FILE *file, const char *names)
{
    char text[32];
    int used;
    while (form_count < FORMS && sscanf(names, " %31s%n", text, &used) == 1) {
        forms[form_count++] = find_form(text);
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
    char line[1024], text[32];
    unsigned first, count;
    unsigned long long hash;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "points ", 7) == 0) {
            read_points(file, line + 7);
            break;
        }
        if (sscanf(line, "range %31s %x %u %llx", text, &first, &count, &hash) == 4)
            compare_range(find_form(text), first, count, hash);
    }
    fclose(file);
    assert_true(ranges_compared >= 24);
    assert_true(point_count > 500);
}

static void test_reference_points(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned f = 0; f < form_count; ++f)
        for (unsigned i = 0; i < point_count; ++i) {
            uint32_t got = (uint32_t)approx_reference(forms[f], inputs[i], 0);
            if (got != outputs[f][i] && ++wrong < 10)
                print_error("%s 0x%08x: 0x%08x, recorded 0x%08x\n", forms[f]->text, inputs[i], got,
                            outputs[f][i]);
        }
    assert_int_equal(wrong, 0);
}

/* ---- the engine ---- */

static uint64_t device_array(void **host)
{
    uint64_t address = 0;
    assert_int_equal(mem_alloc(MEM_DEVICE, OTHERS * sizeof(uint64_t), 0, 0, &address), 0);
    *host = mem_reach(address);
    return address;
}

/* Index of point i: those of small forms in order, else scattered, more of them near 1. */
static uint32_t index_of(const ApproxForm *f, uint32_t i)
{
    uint32_t scattered = i * 2654435761u;
    return f->bits == 16 || f->args > 1 ? i
           : i & 1                      ? scattered
                                        : (scattered & 0x83ffffff) + 0x3d000000;
}

/* Each form on the engine against the reference; b is the same for all lanes of a block. */
static void check_form(JitModule *module, unsigned n, bool uniform, const char *level)
{
    const ApproxForm *f = &approx_forms[n];
    Diags diags;
    diags_init(&diags);
    char name[16];
    snprintf(name, sizeof name, "%c%u", uniform ? 'u' : 'k', n);
    JitOptions options = {.ntid = {64, 1, 1}};
    const GkKernel *kernel = jit_kernel(module, name, &options, &diags);
    if (!kernel)
        fail_msg("%s (%s): %s", f->text, level, diags_text(&diags));
    /* what --fidelity shows */
    assert_non_null(strstr(kernel->fidelity, ".approx"));
    void *in, *other, *out;
    uint64_t params[3] = {device_array(&in), device_array(&other), device_array(&out)};
    size_t width = f->bits / 8;
    for (uint32_t i = 0; i < OTHERS; ++i) {
        uint64_t a = approx_operand(f, 0, index_of(f, i)), b = approx_operand(f, 1, index_of(f, i));
        memcpy((char *)in + i * width, &a, width);
        memcpy((char *)other + i * width, &b, width);
    }
    LaunchRequest request = {.kernel = kernel,
                             .grid = {OTHERS / 64, 1, 1},
                             .block = {64, 1, 1},
                             .params = params,
                             .max_resident = 64,
                             .sms = 4};
    LaunchResult result;
    assert_int_equal(launch_run(&request, &result), 0);
    unsigned wrong = 0;
    for (uint32_t i = 0; i < OTHERS; ++i) {
        uint32_t at = uniform ? i / 64 : i;
        uint64_t a = 0, b = 0, got = 0;
        memcpy(&a, (char *)in + at * width, width);
        memcpy(&b, (char *)other + at * width, width);
        memcpy(&got, (char *)out + i * width, width);
        uint64_t want = approx_reference(f, a, b);
        if (got != want && ++wrong < 10)
            print_error("%s (%s%s) of 0x%llx 0x%llx: 0x%llx, wanted 0x%llx\n", f->text, level,
                        uniform ? ", uniform" : "", (unsigned long long)a, (unsigned long long)b,
                        (unsigned long long)got, (unsigned long long)want);
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
    char text[APPROX_FORMS * 2048] = ".version 7.8\n.target sm_90\n.address_size 64\n";
    size_t at = strlen(text);
    for (unsigned n = 0; n < APPROX_FORMS; ++n) {
        at += (size_t)snprintf(text + at, sizeof text - at, APPROX_KERNEL("k", "%%t"),
                               APPROX_KERNEL_ARGUMENTS(n, &approx_forms[n]));
        at += (size_t)snprintf(text + at, sizeof text - at, APPROX_KERNEL("u", "%%u"),
                               APPROX_KERNEL_ARGUMENTS(n, &approx_forms[n]));
    }
    JitModule *module = jit_module_new(text, at, "approx.ptx", &diags);
    if (!module)
        fail_msg("%s", diags_text(&diags));
    for (unsigned n = 0; n < APPROX_FORMS; ++n)
        for (int uniform = 0; uniform < 2; ++uniform)
            check_form(module, n, uniform, level);
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
        cmocka_unit_test_prestate(test_engine, "avx512"),
        cmocka_unit_test_prestate(test_engine, "avx2"),
        cmocka_unit_test_prestate(test_engine, "portable"),
    };
    return cmocka_run_group_tests_name("approx", tests, NULL, NULL);
}
