/* SPDX-License-Identifier: Apache-2.0
 * gpukit doctor --explain: pasted text leads to the right entry, every code is complete, and, where
 * a toolkit is installed, no number of its headers is missing or wrong. */
#include "base/buf.h"
#include "base/fs.h"
#include "doctor/codes.h"
#include "doctor/doctor.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *answer(const char *text, bool json, bool *known)
{
    char *out = NULL;
    size_t count;
    FILE *memory = open_memstream(&out, &count);
    *known = explain(text, memory, json);
    fclose(memory);
    return out;
}

static void test_pasted_text(void **state)
{
    (void)state;
    static const struct {
        const char *pasted, *first_line;
    } cases[] = {
        {"700", "700  cudaErrorIllegalAddress"},
        {" 0x2bc\n", "700  cudaErrorIllegalAddress"},
        {"error 35", "35  cudaErrorInsufficientDriver"},
        {"kernel launch failed with error code 719 in main.cu:12", "719  cudaErrorLaunchFailure"},
        {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "222  cudaErrorUnsupportedPtxVersion"},
        {"got cudaErrorInvalidDevice, expected cudaSuccess", "0  cudaSuccess"},
        {"RuntimeError: CUDA error: out of memory", "2  cudaErrorMemoryAllocation"},
        {"CUDA error: invalid device ordinal", "101  cudaErrorInvalidDevice"},
        {"GPUassert: misaligned address kernel.cu 31", "716  cudaErrorMisalignedAddress"},
        {"[ 12.3] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.", "Xid 79"},
        {"xid 31", "Xid 31"},
        {"NVML_ERROR_GPU_IS_LOST", "NVML 15"},
        {"d22", "D22  "},
        {"Failed to initialize NVML: Driver/library version mismatch",
         "driver/library version mismatch"},
        {"bash: nvcc: command not found", "nvcc: command not found"},
        {"#error -- unsupported GNU version! gcc versions later than 13 are not supported!",
         "unsupported gnu version"},
        {"docker: Error response from daemon: could not select device driver \"\" with "
         "capabilities: [[gpu]].",
         "could not select device driver"},
        {"nvcc fatal   : Unsupported gpu architecture 'compute_70'",
         "unsupported gpu architecture"},
        {"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", "err_nvgpuctrperm"},
        {"./a.out: error while loading shared libraries: libcudart.so.12: cannot open shared "
         "object file: No such file",
         "cannot open shared object file"},
        {"OSError: libcuda.so.1: cannot open shared object file", "libcuda.so.1: cannot open"},
        {"forward compatibility was attempted on non supported HW", "804  "},
        {"system not yet initialized (802)", "802  "},
        {"too many resources requested for launch", "701  "},
        {"invalid device function", "98  "},
        {"an illegal instruction was encountered", "715  "},
        /* As people pasted them into issue threads. */
        {"No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'", "no cuda runtime is found"},
        {"WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.",
         "nvidia driver was not detected"},
        {"docker: Error response from daemon: Unknown runtime specified nvidia.",
         "unknown runtime specified nvidia"},
        {"nvidia-container-cli: initialization error: cuda error: invalid device ordinal",
         "nvidia-container-cli: initialization error"},
        {"#error \"CUDA compiler and CUDA toolkit headers are incompatible, please check your "
         "include "
         "paths\"",
         "toolkit headers are incompatible"},
        {"[cudaErrorUnsupportedPtxVersion] the provided PTX was compiled with an unsupported "
         "toolchain.",
         "222  "},
        {"0 CUDA Error: CUDA driver version is insufficient for CUDA runtime version",
         "cuda driver version is insufficient"},
        {"RuntimeWarning: Attempt to set CUDAExecutionProvider failed.", "cudaexecutionprovider"},
        {"unspecified launch failure", "719  "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bool known;
        char *text = answer(cases[i].pasted, false, &known);
        if (!known || strncmp(text, cases[i].first_line, strlen(cases[i].first_line)) != 0)
            fail_msg("'%s' gives '%.60s', expected '%s'", cases[i].pasted, text,
                     cases[i].first_line);
        assert_non_null(strstr(text, "fix:"));
        free(text);
    }
    static const char *const unknown[] = {
        "", "hello", "12345", "-3", "D43", "Xid 7777", "cudaErrorNoSuchThing"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
        bool known;
        char *text = answer(unknown[i], false, &known);
        if (known)
            fail_msg("'%s' should not be known: %s", unknown[i], text);
        free(text);
    }
}

static void test_tables_are_complete(void **state)
{
    (void)state;
    for (int i = 0; i < cuda_code_count; ++i) {
        const CudaCode *code = &cuda_codes[i];
        assert_true(code->runtime || code->driver);
        assert_true(code->meaning[0] && code->cause[0] && code->fix[0]);
        assert_ptr_equal(cuda_code(code->number), code); /* no number twice */
        for (int k = 0; code->fragment && k < i; ++k)
            if (cuda_codes[k].fragment && strcmp(cuda_codes[k].fragment, code->fragment) == 0)
                fail_msg("%d and %d share the words '%s'", cuda_codes[k].number, code->number,
                         code->fragment);
    }
    for (int i = 0; i < CHECK_COUNT; ++i) {
        char id[8];
        snprintf(id, sizeof id, "D%02d", i + 1);
        assert_string_equal(check_rows[i].id, id);
        bool known;
        char *text = answer(id, true, &known);
        struct json_object *list = json_tokener_parse(text);
        assert_true(known && list && json_object_array_length(list) == 1);
        if (strstr(text, "{install}") || strstr(text, "{driver}") || strstr(text, "{gcc}"))
            fail_msg("%s: a name in braces is left in %s", id, text);
        json_object_put(list);
        free(text);
    }
}

/* "    cudaErrorNoDevice   =   100," in the header must be a row with that name and number. */
static int compare_header(const char *path, const char *prefix, bool runtime, int *seen)
{
    Buf text = {0};
    int wrong = 0;
    if (fs_read(path, &text) != 0)
        return -1;
    for (char *line = text.data; line && *line;
         line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        char name[96];
        int number;
        if (sscanf(line, " %95[A-Za-z0-9_] = %d", name, &number) != 2 ||
            strncmp(name, prefix, strlen(prefix)) != 0 || number >= 10000 ||
            strstr(name, "_DEPRECATED"))
            continue;
        const CudaCode *code = cuda_code(number);
        const char *ours = !code ? NULL : runtime ? code->runtime : code->driver;
        ++*seen;
        if (!ours || strcmp(ours, name) != 0) {
            fprintf(stderr, "%s = %d: the table has %s\n", name, number, ours ? ours : "nothing");
            wrong++;
        }
    }
    buf_free(&text);
    return wrong;
}

static void test_against_a_toolkit(void **state)
{
    (void)state;
    int seen = 0;
    int wrong = compare_header("/usr/local/cuda/include/driver_types.h", "cudaError", true, &seen);
    if (wrong < 0) {
        print_message("no toolkit in /usr/local/cuda: not compared\n");
        skip();
    }
    assert_int_equal(wrong, 0);
    assert_true(seen > 100);
    seen = 0;
    assert_int_equal(compare_header("/usr/local/cuda/include/cuda.h", "CUDA_ERROR_", false, &seen),
                     0);
    assert_true(seen > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pasted_text),
        cmocka_unit_test(test_tables_are_complete),
        cmocka_unit_test(test_against_a_toolkit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
