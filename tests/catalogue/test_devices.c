/* SPDX-License-Identifier: Apache-2.0
 * The described devices: look-up, and the table against rules that must hold for any GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "catalogue/devices.h"

static void test_lookup(void **state)
{
    (void)state;
    assert_string_equal(catalogue_device(NULL)->id, "H200");
    assert_string_equal(catalogue_device("h200")->name, "NVIDIA H200");
    assert_string_equal(catalogue_device("NVIDIA A10G")->id, "A10G");
    assert_string_equal(catalogue_device("GeForce RTX 4090")->id, "RTX4090");
    assert_string_equal(catalogue_device("rtx-4090")->id, "RTX4090");
    assert_string_equal(catalogue_device("a100_80gb")->id, "A100-80GB");
    assert_null(catalogue_device("H2000"));
    assert_null(catalogue_device(""));
    assert_non_null(strstr(catalogue_device_names(), "T4, "));
}

/* Limits per compute capability, CUDA C++ Programming Guide. */
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        int cc, shared_per_sm_kb, threads, blocks;
    } guide[] = {{60, 64, 2048, 32},  {70, 96, 2048, 32},   {75, 64, 1024, 16},
                 {80, 164, 2048, 32}, {86, 100, 1536, 16},  {89, 100, 1536, 24},
                 {90, 228, 2048, 32}, {100, 228, 2048, 32}, {120, 100, 1536, 24}};
    int count;
    const CatalogueDevice *d = catalogue_devices(&count);
    assert_true(count >= 20);
    for (int i = 0; i < count; ++i) {
        int cc = d[i].cc_major * 10 + d[i].cc_minor, found = 0;
        for (size_t g = 0; g < sizeof guide / sizeof *guide; ++g)
            if (guide[g].cc == cc) {
                found = 1;
                assert_int_equal(d[i].shared_per_sm, guide[g].shared_per_sm_kb * 1024);
                assert_int_equal(d[i].threads_per_sm, guide[g].threads);
                assert_int_equal(d[i].blocks_per_sm, guide[g].blocks);
            }
        assert_true(found);
        assert_true(d[i].shared_per_block <= d[i].shared_per_sm);
        assert_int_equal(d[i].regs_per_sm, 65536);
        assert_int_equal(d[i].cores % d[i].sms, 0);
        /* FP32 = cores x 2 x clock within 5 % (data sheets round, H100 tensor clocks are lower). */
        double fp32 = d[i].cores * 2.0 * d[i].clock_mhz * 1e-6;
        assert_true(fabs(fp32 - d[i].fp32_tflops) < 0.05 * fp32);
        /* Bandwidth = bus x clock x 2, within 3 % (H200's data sheet says 4.8, its clock 4.9). */
        double gb_s = d[i].bus_bits / 8.0 * d[i].mem_mhz * 2e-3;
        assert_true(fabs(gb_s - d[i].gb_s) < 0.03 * gb_s);
        assert_true(d[i].source[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lookup),
                                       cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
