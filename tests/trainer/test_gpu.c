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

int main(void)
{
    cuda_driver_replace(emulated_driver(), "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
