/* SPDX-License-Identifier: Apache-2.0
 * libnvrtc and libcuda together: CUDA C++ from a string, compiled, loaded, launched, checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) assert_int_equal(call, 0)

static void *nvrtc, *cuda;
#define rtc(name, types) (*(int(**) types)find(nvrtc, name))
#define cu(name, types)  (*(int(**) types)find(cuda, name))

static void *find(void *library, const char *name)
{
    static void *slots[64];
    static int next;
    void **slot = &slots[next++ % 64];
    *slot = dlsym(library, name);
    if (!*slot)
        fail_msg("%s is missing", name);
    return slot;
}

static const char source[] = "#include \"factor.h\"\n"
                             "template <class T> __global__ void scale(T *p, int n) {\n"
                             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  if (i < n) p[i] *= T(FACTOR * SCALE);\n"
                             "}\n"
                             "__constant__ int table[4];\n";
static const char *const header[] = {"#define FACTOR 3\n"}, *const header_name[] = {"factor.h"};

static void *compile(const char *text, int wanted, const char *const *options, int count)
{
    void *program;
    OK(rtc("nvrtcCreateProgram",
           (void **, const char *, const char *, int, const char *const *, const char *const *))(
        &program, text, "scale.cu", 1, header, header_name));
    OK(rtc("nvrtcAddNameExpression", (void *, const char *))(program, "scale<float>"));
    OK(rtc("nvrtcAddNameExpression", (void *, const char *))(program, "&table"));
    int got =
        rtc("nvrtcCompileProgram", (void *, int, const char *const *))(program, count, options);
    size_t bytes;
    OK(rtc("nvrtcGetProgramLogSize", (void *, size_t *))(program, &bytes));
    char *log = malloc(bytes);
    OK(rtc("nvrtcGetProgramLog", (void *, char *))(program, log));
    if (got != wanted)
        fail_msg("nvrtcCompileProgram gave %d: %s", got, log);
    if (wanted == 6)
        assert_non_null(strstr(log, "scale.cu"));
    free(log);
    return program;
}

static void test_compile_and_run(void **state)
{
    (void)state;
    const char *options[] = {"--gpu-architecture=compute_80", "-DSCALE=2", "--std=c++17"};
    void *program = compile(source, 0, options, 3);
    const char *name, *table;
    OK(rtc("nvrtcGetLoweredName", (void *, const char *, const char **))(program, "scale<float>",
                                                                         &name));
    OK(rtc("nvrtcGetLoweredName", (void *, const char *, const char **))(program, "&table",
                                                                         &table));
    assert_string_equal(name, "_Z5scaleIfEvPT_i");
    assert_string_equal(table, "table");
    size_t bytes;
    OK(rtc("nvrtcGetPTXSize", (void *, size_t *))(program, &bytes));
    char *ptx = malloc(bytes);
    OK(rtc("nvrtcGetPTX", (void *, char *))(program, ptx));
    assert_int_equal(strlen(ptx) + 1, bytes);

    void *context, *module, *function;
    unsigned long long memory;
    OK(cu("cuInit", (unsigned))(0));
    OK(cu("cuCtxCreate_v2", (void **, unsigned, int))(&context, 0, 0));
    OK(cu("cuModuleLoadData", (void **, const void *))(&module, ptx));
    OK(cu("cuModuleGetFunction", (void **, void *, const char *))(&function, module, name));
    float data[100];
    for (int i = 0; i < 100; i++)
        data[i] = (float)i;
    int n = 100;
    OK(cu("cuMemAlloc_v2", (unsigned long long *, size_t))(&memory, sizeof data));
    OK(cu("cuMemcpyHtoD_v2", (unsigned long long, const void *, size_t))(memory, data,
                                                                         sizeof data));
    void *params[] = {&memory, &n};
    OK(cu("cuLaunchKernel", (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void *, void **, void **))(function, 4, 1, 1, 32, 1, 1, 0,
                                                                  NULL, params, NULL));
    OK(cu("cuMemcpyDtoH_v2", (void *, unsigned long long, size_t))(data, memory, sizeof data));
    for (int i = 0; i < 100; i++)
        assert_true(data[i] == (float)(6 * i));
    free(ptx);
    OK(rtc("nvrtcDestroyProgram", (void **))(&program));
    assert_null(program);
}

static void test_errors(void **state)
{
    (void)state;
    const char *options[] = {"-DSCALE=2"}, *odd[] = {"--no-such-option"};
    void *program = compile("__global__ void k( { }", 6, options, 1);
    size_t bytes;
    assert_int_equal(rtc("nvrtcGetPTXSize", (void *, size_t *))(program, &bytes), 4);
    OK(rtc("nvrtcDestroyProgram", (void **))(&program));
    program = compile(source, 5, odd, 1);
    OK(rtc("nvrtcDestroyProgram", (void **))(&program));
}

int main(void)
{
    nvrtc = dlopen(BUILD_DIR "/lib/libnvrtc.so.13", RTLD_NOW);
    cuda = dlopen(BUILD_DIR "/lib/libcuda.so.1", RTLD_NOW);
    if (!nvrtc || !cuda) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compile_and_run),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
