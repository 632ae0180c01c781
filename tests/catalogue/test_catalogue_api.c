/* SPDX-License-Identifier: Apache-2.0
 * The public headers alone, against the shared library: no other header of gpukit is included. */
#include "gpukit/pick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void test_facts(void **state)
{
    (void)state;
    GpukitCatalogue *c = gpukit_catalogue_open(NULL);
    assert_non_null(c);
    long gpu = gpukit_catalogue_find_gpu(c, "NVIDIA A10G");
    assert_true(gpu >= 0);
    assert_true(gpukit_catalogue_gpu_number(c, (size_t)gpu, "bw_gbs") == 600);
    assert_string_equal(gpukit_catalogue_gpu_text(c, (size_t)gpu, "arch"), "Ampere");
    assert_true(isnan(gpukit_catalogue_gpu_number(c, (size_t)gpu, "fp8_tflops"))); /* has none */
    assert_true(isnan(gpukit_catalogue_gpu_number(c, (size_t)gpu, "no such field")));
    assert_true(isnan(gpukit_catalogue_gpu_number(c, 100000, "bw_gbs")));
    assert_string_equal(gpukit_catalogue_gpu_text(c, 100000, "arch"), "");
    assert_int_equal(gpukit_catalogue_find_gpu(c, "GTX 1"), -1);
    long in = gpukit_catalogue_find_instance(c, "p5.48xlarge");
    assert_true(in >= 0 && (size_t)in < gpukit_catalogue_instance_count(c));
    assert_true(gpukit_catalogue_instance_number(c, (size_t)in, "gpu_mem_mib") == 81920);
    long h100 = gpukit_catalogue_instance_gpu(c, (size_t)in);
    assert_string_equal(gpukit_catalogue_gpu_text(c, (size_t)h100, "key"), "h100");
    GpukitPrice price;
    assert_int_equal(gpukit_catalogue_price(c, (size_t)in, "us-east-1", GPUKIT_ONDEMAND, &price),
                     1);
    assert_true(price.usd_h == 55.04 && price.age_days == 134 && price.source[0]);
    assert_int_equal(gpukit_catalogue_price(c, (size_t)in, "mars-1", GPUKIT_ONDEMAND, &price), 0);
    gpukit_catalogue_close(c);
    gpukit_catalogue_close(NULL);
    assert_null(gpukit_catalogue_open("/nonexistent"));
    assert_true(gpukit_catalogue_error()[0] != 0);
}

static void test_pick(void **state)
{
    (void)state;
    GpukitCatalogue *c = gpukit_catalogue_open(NULL);
    GpukitPickJob *job = gpukit_pick_job_new(c);
    assert_null(gpukit_pick_run(job)); /* no job was named */
    static const char *const settings[][2] = {
        {"infer", "8B"},     {"quant", "fp16"}, {"context", "4096"},
        {"budget", "2/h"},   {"exclude", "g5"}, {"region", "us-east-1"},
        {"deadline", "90d"}, {"tokens", "1M"},  {"spot", "0"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
        assert_int_equal(gpukit_pick_set(job, settings[i][0], settings[i][1]), 1);
    static const char *const wrong[][2] = {{"infer", "huge"}, {"quant", "int3"}, {"budget", "x"},
                                           {"colour", "red"}, {"context", "-4"}, {"deadline", "3y"},
                                           {"spot", "maybe"}, {"nodes", "0"}};
    GpukitPickJob *other = gpukit_pick_job_new(c);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_int_equal(gpukit_pick_set(other, wrong[i][0], wrong[i][1]), 0);
    gpukit_pick_job_free(other);
    GpukitPickResult *r = gpukit_pick_run(job);
    assert_non_null(r);
    GpukitPickMachine m;
    assert_int_equal(gpukit_pick_ranked(r, 0, &m), 1);
    assert_string_equal(m.name,
                        "g6e.xlarge"); /* 13.9 USD a million tokens, against 17.3 on g6.xlarge */
    for (size_t i = 0; gpukit_pick_ranked(r, i, &m); ++i) {
        assert_true(m.cost_usd_h <= 2 && m.est_seconds > 0 &&
                    m.need_gb_per_gpu < m.have_gb_per_gpu);
        assert_true(strncmp(m.name, "g5.", 3) != 0);
    }
    const char *name, *reason;
    size_t seen = 0;
    while (gpukit_pick_rejected(r, seen, &name, &reason)) {
        assert_true(name[0] && reason[0]);
        ++seen;
    }
    assert_int_equal(seen, gpukit_pick_rejected_count(r));
    assert_non_null(strstr(gpukit_pick_json(r), "\"ranked\""));
    gpukit_pick_result_free(r);
    gpukit_pick_job_free(job);
    gpukit_catalogue_close(c);
}

int main(void)
{
    setenv("SOURCE_DATE_EPOCH", "1796083200", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_pick)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
