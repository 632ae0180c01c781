/* SPDX-License-Identifier: Apache-2.0
 * The GPU back end on the emulated driver: a whole step against the double oracle, prediction
 * against the CPU back end, the same bits twice, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "emulate.h"
#include "gpu_fixture.h"

static void test_step(void **state)
{
    (void)state;
    GpuFixture f;
    double loss_error = 0;
    gpu_fixture_new(&f, 64, 3, 9, 2);
    double worst = gpu_compare_step(&f, 3, &loss_error, 1);
    diags_print(&f.diags, stderr);
    assert_true(worst >= 0 && worst < 0.01);
    assert_true(loss_error < 0.01);
    gpu_fixture_free(&f);
}

static void test_kernels(void **state)
{
    (void)state;
    GpuFixture f;
    gpu_fixture_new(&f, 64, 2, 8, 2);
    assert_int_equal(gpu_compare_kernels(&f, 3, 0), 0);
    gpu_fixture_free(&f);
}

/* Prediction in batches that the set does not fill; running statistics. */
static void test_predict(void **state)
{
    (void)state;
    GpuFixture f;
    gpu_fixture_new(&f, 64, 3, 6, 5);
    BackendConfig config = gpu_fixture_config(&f, 3);
    float logits[2][5 * 3];
    Backend *gpu = backend_gpu_open(&config), *cpu;
    assert_non_null(gpu);
    BackendPart part = {0, 0, 2, 0, 40, 0.02};
    BackendSums sums = {0};
    assert_int_equal(gpu->ops->run(gpu, &part, &sums), 0);
    assert_int_equal(sums.steps, 2);
    assert_int_equal(gpu->ops->predict(gpu, SET_TEST, logits[0]), 0);
    assert_int_equal(gpu->ops->get(gpu, &f.state), 0);
    config.precision = "fp32";
    cpu = backend_cpu_open(&config);
    assert_int_equal(cpu->ops->predict(cpu, SET_TEST, logits[1]), 0);
    for (int i = 0; i < 15; ++i)
        assert_true(fabs((double)logits[0][i] - (double)logits[1][i]) <
                    0.03 + 0.03 * fabs((double)logits[1][i]));
    gpu->ops->close(gpu);
    cpu->ops->close(cpu);
    gpu_fixture_free(&f);
}

static void test_refusals(void **state)
{
    (void)state;
    GpuFixture f;
    gpu_fixture_new(&f, 48, 2, 6, 5);
    BackendConfig config = gpu_fixture_config(&f, 3);
    assert_null(backend_gpu_open(&config));
    assert_non_null(strstr(f.diags.list.items[0].text, "multiples of 64"));
    gpu_fixture_free(&f);
    gpu_fixture_new(&f, 64, 2, 6, 5);
    config = gpu_fixture_config(&f, 3);
    config.precision = "tf32";
    assert_null(backend_gpu_open(&config));
    assert_non_null(strstr(f.diags.list.items[0].text, "bf16 only"));
    gpu_fixture_free(&f);
}

int main(void)
{
    cuda_driver_replace(emulated_driver(), "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_predict),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
