/* SPDX-License-Identifier: Apache-2.0
 * The C library with hand-written kernels: modules, memory, launches, the texts of errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gpukit/gpukit.h>

#include "hand_kernels.h"
#include "runtime/device.h"

#include <stdlib.h>

#define OK(call) assert_int_equal(call, 0)

static GpukitContext *context;
static const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};

static void test_open(void **state)
{
    (void)state;
    assert_int_equal(gpukit_open("tpu", &context), 1);
    assert_non_null(strstr(gpukit_error_text(NULL), "tpu"));
    OK(gpukit_open("cpu", &context));
    GpukitContext *second;
    assert_int_equal(gpukit_open("gpu", &second), 101);
    OK(gpukit_open("auto", &second));
    gpukit_close(second);
    GpukitDeviceInfo info = {.struct_bytes = sizeof info};
    OK(gpukit_device_info(context, &info));
    assert_string_equal(info.kind, "cpu");
    assert_int_equal(info.multiprocessors, 132);
    assert_string_equal(gpukit_status_name(700), "CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_null(gpukit_status_name(4711));
}

static void test_work(void **state)
{
    (void)state;
    GpukitModule *module;
    GpukitKernel *add, *set;
    GpukitStream *stream;
    float a[300], *da, *db;
    OK(gpukit_module_load(context, hand_ptx, sizeof hand_ptx - 1, &module));
    OK(gpukit_module_kernel(module, "add", &add));
    OK(gpukit_module_kernel(module, "set", &set));
    assert_int_equal(gpukit_module_kernel(module, "absent", &add), 500);
    assert_non_null(strstr(gpukit_error_text(context), "absent"));
    OK(gpukit_stream_new(context, &stream));
    OK(gpukit_alloc(context, GPUKIT_DEVICE_MEMORY, sizeof a, (void **)&da));
    OK(gpukit_alloc(context, GPUKIT_MANAGED_MEMORY, sizeof a, (void **)&db));
    for (int i = 0; i < 300; i++) {
        a[i] = (float)i;
        db[i] = 0.5f;
    }
    uint32_t n = 300;
    void *arguments[] = {&da, &db, &n};
    OK(gpukit_copy(context, da, a, sizeof a));
    OK(gpukit_launch(stream, add, (const uint32_t[]){2, 1, 1}, (const uint32_t[]){256, 1, 1}, 0,
                     arguments));
    OK(gpukit_copy_async(stream, a, da, sizeof a));
    OK(gpukit_stream_wait(stream));
    for (int i = 0; i < 300; i++)
        assert_true(a[i] == (float)i + 0.5f);
    OK(gpukit_fill(stream, da, 0, sizeof a));
    OK(gpukit_wait(context));
    OK(gpukit_copy(context, a, da, sizeof a));
    assert_true(a[299] == 0);
    void *address;
    size_t bytes;
    OK(gpukit_module_variable(module, "table", &address, &bytes));
    assert_int_equal(bytes, 64);
    assert_int_equal(gpukit_launch(stream, set, one, (const uint32_t[]){5000, 1, 1}, 0, arguments),
                     9);
    OK(gpukit_free(context, da));
    OK(gpukit_free(context, db));
    assert_int_equal(gpukit_free(context, da), 1);
    gpukit_stream_free(stream);
    gpukit_module_free(module);
}

static void test_errors(void **state)
{
    (void)state;
    GpukitModule *module;
    GpukitKernel *store;
    GpukitStream *stream;
    assert_int_equal(gpukit_module_load(context, ".version 8.0\n.target sm_80\n oops", 32, &module),
                     218);
    assert_non_null(strstr(gpukit_error_text(context), "3"));
    assert_int_equal(gpukit_module_load_file(context, "/no/such.ptx", &module), 301);
    OK(gpukit_module_load(context, hand_ptx, sizeof hand_ptx - 1, &module));
    OK(gpukit_module_kernel(module, "store", &store));
    OK(gpukit_stream_new(context, &stream));
    uint64_t null = 16;
    void *arguments[] = {&null}, *memory;
    OK(gpukit_launch(stream, store, one, warp, 0, arguments));
    assert_int_equal(gpukit_stream_wait(stream), 700);
    assert_non_null(strstr(gpukit_error_text(context), "store"));
    assert_non_null(strstr(gpukit_error_text(context), "0x10"));
    assert_int_equal(gpukit_wait(context), 700);
    OK(gpukit_reset(context));
    OK(gpukit_alloc(context, GPUKIT_DEVICE_MEMORY, 10, &memory));
    OK(gpukit_free(context, memory));
    gpukit_stream_free(stream);
    gpukit_module_free(module);
    gpukit_close(context);
}

int main(void)
{
    cpu_device_set_hook(hand_kernel);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
