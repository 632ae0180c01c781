/* SPDX-License-Identifier: Apache-2.0
 * libnvrtc and libcuda together: CUDA C++ from a string, compiled, loaded, launched, checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static int ask(void *payload, void *reserved)
{
    assert_null(reserved);
    return ++*(int *)payload > 1;
}

/* A function that is asked before each compilation, and precompiled headers, of which there are none. */
static void test_flow(void **state)
{
    (void)state;
    int asked = 0;
    size_t bytes = 0;
    const char *options[] = {"-DSCALE=2"};
    void *program = compile(source, 0, options, 1);
    OK(rtc("nvrtcSetFlowCallback", (void *, int (*)(void *, void *), void *))(program, ask,
                                                                              &asked));
    OK(rtc("nvrtcCompileProgram", (void *, int, const char *const *))(program, 1, options));
    assert_int_equal(
        rtc("nvrtcCompileProgram", (void *, int, const char *const *))(program, 1, options), 16);
    assert_int_equal(asked, 2);
    assert_int_equal(rtc("nvrtcGetPCHCreateStatus", (void *))(program), 13);
    OK(rtc("nvrtcSetPCHHeapSize", (size_t))(1 << 20));
    OK(rtc("nvrtcGetPCHHeapSize", (size_t *))(&bytes));
    assert_int_equal(bytes, 1 << 20);
    OK(rtc("nvrtcDestroyProgram", (void **))(&program));
    assert_int_equal(rtc("nvrtcGetPCHCreateStatus", (void *))(program), 4);
}

/* For sm_ the "machine code" is what libcuda loads; with -dlto the "LTO-IR" is what libnvJitLink
 * links. Neither is there for a program that was not compiled for it. */
/* Programs for NVRTC alone may define what a host's headers define, too, and what a clang without headers lacks;
 * options that say how to compile, not what. */
static void test_own_names(void **state)
{
    (void)state;
    static const char source[] =
        "typedef signed long long int64_t;\ntypedef unsigned long long uint64_t;\n"
        "#ifdef __clang__\n"
        "__device__ inline int __clz(int a) { return 77; }\n"
        "__device__ inline unsigned __brev(unsigned a) { return 77; }\n"
        "#endif\n"
        "__constant__ int table[4];\n"
        "template <class T> __global__ void scale(T *out, int64_t *p, uint64_t *q) { p[0] = "
        "__clz((int)q[0]); }";
    const char *options[] = {
        "--gpu-architecture=compute_80", "--Ofast-compile=0", "-pch",      "--pch-dir=/nowhere",
        "--fdevice-time-trace=x",        "--diag-warn=20",    "--dopt=on", "-jtd=2"};
    void *program = compile(source, 0, options, sizeof options / sizeof *options);
    size_t size = 9;
    rtc("nvrtcGetProgramLogSize", (void *, size_t *))(program, &size);
    assert_int_equal(size, 1);
    rtc("nvrtcDestroyProgram", (void **))(&program);
    /* functions that say nothing run on the device when asked for */
    const char *device[] = {"--device-as-default-execution-space"};
    program = compile("static int twice(int a) { return 2 * a; }\n__constant__ int table[4];\n"
                      "template <class T> __global__ void scale(T *out) { *out = twice(4); }",
                      0, device, 1);
    rtc("nvrtcDestroyProgram", (void **))(&program);
    program = compile("static int twice(int a) { return 2 * a; }\n"
                      "template <class T> __global__ void scale(T *out) { *out = twice(4); }\n"
                      "__constant__ int table[4];",
                      6, device, 0);
    rtc("nvrtcDestroyProgram", (void **))(&program);
    /* what stays wrong is told as it was written */
    program = compile("typedef signed long long int64_t;\n__global__ void k() { nothing(); }", 6,
                      options, 1);
    rtc("nvrtcDestroyProgram", (void **))(&program);
}

static void test_stand_ins(void **state)
{
    (void)state;
    const char *real[] = {"-DSCALE=2", "-arch=sm_80", "-dlto"}, *plain[] = {"-DSCALE=2"};
    void *program = compile(source, 0, plain, 1), *module, *context, *link;
    char *text;
    size_t bytes = 1;
    OK(rtc("nvrtcGetCUBINSize", (void *, size_t *))(program, &bytes));
    assert_int_equal(bytes, 0);
    OK(rtc("nvrtcGetLTOIRSize", (void *, size_t *))(program, &bytes));
    assert_int_equal(bytes, 0);
    assert_int_equal(rtc("nvrtcGetCUBIN", (void *, char *))(program, (char[1]){0}), 4);
    OK(rtc("nvrtcDestroyProgram", (void **))(&program));

    OK(cu("cuInit", (unsigned))(0));
    OK(cu("cuCtxCreate_v2", (void **, unsigned, int))(&context, 0, 0));
    program = compile(source, 0, real, 3);
    OK(rtc("nvrtcGetCUBINSize", (void *, size_t *))(program, &bytes));
    text = malloc(bytes);
    OK(rtc("nvrtcGetCUBIN", (void *, char *))(program, text));
    OK(cu("cuModuleLoadData", (void **, const void *))(&module, text));
    OK(cu("cuModuleUnload", (void *))(module));
    free(text);
    OK(rtc("nvrtcGetLTOIRSize", (void *, size_t *))(program, &bytes));
    text = malloc(bytes);
    OK(rtc("nvrtcGetLTOIR", (void *, char *))(program, text));
    void *jit = dlopen(BUILD_DIR "/lib/libnvJitLink.so.13", RTLD_NOW);
    assert_non_null(jit);
#define jl(name, types) (*(int(**) types)find(jit, name))
    const char *arch[] = {"-arch=sm_80"};
    OK(jl("nvJitLinkCreate", (void **, unsigned, const char **))(&link, 1, arch));
    OK(jl("nvJitLinkAddData", (void *, int, const void *, size_t, const char *))(link, 3, text,
                                                                                 bytes, "a"));
    OK(jl("nvJitLinkComplete", (void *))(link));
    free(text);
    OK(jl("nvJitLinkGetLinkedCubinSize", (void *, size_t *))(link, &bytes));
    text = malloc(bytes);
    OK(jl("nvJitLinkGetLinkedCubin", (void *, void *))(link, text));
    OK(cu("cuModuleLoadData", (void **, const void *))(&module, text));
    free(text);
    void *gone = link;
    OK(jl("nvJitLinkDestroy", (void **))(&link));
    /* Wrong and destroyed handles, NULL for results. */
    assert_int_equal(jl("nvJitLinkComplete", (void *))(gone), 10);
    assert_int_equal(jl("nvJitLinkDestroy", (void **))(&gone), 10);
    assert_int_equal(jl("nvJitLinkGetLinkedPtxSize", (void *, size_t *))(&bytes, &bytes), 10);
    assert_int_equal(jl("nvJitLinkAddFile", (void *, int, const char *))(NULL, 2, "/none"), 3);
    static const char *const sizes[] = {"nvrtcGetPTXSize", "nvrtcGetCUBINSize", "nvrtcGetLTOIRSize",
                                        "nvrtcGetProgramLogSize", "nvrtcGetNVVMSize"};
    static const char *const texts[] = {"nvrtcGetPTX", "nvrtcGetCUBIN", "nvrtcGetLTOIR",
                                        "nvrtcGetProgramLog"};
    gone = program;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            assert_int_equal(rtc(sizes[i], (void *, size_t *))(gone, NULL), round ? 4 : 3);
            assert_int_equal(rtc(sizes[i], (void *, size_t *))(NULL, &bytes), 4);
        }
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            assert_int_equal(rtc(texts[i], (void *, char *))(gone, NULL), round ? 4 : 3);
            assert_int_equal(rtc(texts[i], (void *, char *))((void *)&bytes, (char *)&bytes), 4);
        }
        if (!round)
            OK(rtc("nvrtcDestroyProgram", (void **))(&program));
    }
    assert_int_equal(rtc("nvrtcDestroyProgram", (void **))(&gone), 4);
    assert_int_equal(rtc("nvrtcDestroyProgram", (void **))(NULL), 4);
    assert_int_equal(rtc("nvrtcAddNameExpression", (void *, const char *))(gone, "k"), 4);
    assert_int_equal(rtc("nvrtcCompileProgram", (void *, int, const char *const *))(gone, 0, NULL),
                     4);
    void *odd[1] = {NULL};
    assert_int_equal(rtc("nvrtcCreateProgram", (void **, const char *, const char *, int,
                                                const char *const *, const char *const *))(
                         odd, source, NULL, 1, (const char *const[]){NULL}, header_name),
                     3);
}

/* Headers beside the file that the program is named after, unless that is turned off. */
static void test_source_folder(void **state)
{
    (void)state;
    FILE *file = fopen(BUILD_DIR "/tests/nvrtc_beside.h", "w");
    assert_non_null(file);
    fputs("#define BESIDE 7\n", file);
    fclose(file);
    static const char text[] =
        "#include \"nvrtc_beside.h\"\n__global__ void k(int *p) { *p = BESIDE; }";
    const char *off[] = {"--no-source-include"};
    void *program;
    for (int i = 0; i < 2; i++) {
        OK(rtc("nvrtcCreateProgram", (void **, const char *, const char *, int, const char *const *,
                                      const char *const *))(&program, text, BUILD_DIR "/tests/k.cu",
                                                            0, NULL, NULL));
        assert_int_equal(
            rtc("nvrtcCompileProgram", (void *, int, const char *const *))(program, i, off),
            i ? 6 : 0);
        OK(rtc("nvrtcDestroyProgram", (void **))(&program));
    }
}

/* Static variables that only the host writes keep their place and their name. */
static void test_static_variables(void **state)
{
    (void)state;
    static const char text[] =
        "struct Option { float a, b; };\n"
        "static __constant__ Option fixed[8];\n"
        "static __device__ Option given[8];\n"
        "extern \"C\" __global__ void k(float *p) {\n"
        "  p[threadIdx.x] = fixed[threadIdx.x].b + given[threadIdx.x].a; }\n";
    void *program, *context, *module, *function;
    unsigned long long memory, at;
    size_t bytes;
    float data[16], out[8];
    for (int i = 0; i < 16; i++)
        data[i] = (float)i;
    OK(rtc("nvrtcCreateProgram", (void **, const char *, const char *, int, const char *const *,
                                  const char *const *))(&program, text, "k.cu", 0, NULL, NULL));
    OK(rtc("nvrtcCompileProgram", (void *, int, const char *const *))(program, 0, NULL));
    OK(rtc("nvrtcGetPTXSize", (void *, size_t *))(program, &bytes));
    char *ptx = malloc(bytes);
    OK(rtc("nvrtcGetPTX", (void *, char *))(program, ptx));
    OK(rtc("nvrtcDestroyProgram", (void **))(&program));
    OK(cu("cuInit", (unsigned))(0));
    OK(cu("cuCtxCreate_v2", (void **, unsigned, int))(&context, 0, 0));
    OK(cu("cuModuleLoadData", (void **, const void *))(&module, ptx));
    free(ptx);
    static const char *const names[] = {"fixed", "given"};
    for (int i = 0; i < 2; i++) {
        OK(cu("cuModuleGetGlobal_v2", (unsigned long long *, size_t *, void *, const char *))(
            &at, &bytes, module, names[i]));
        assert_int_equal(bytes, sizeof data);
        OK(cu("cuMemcpyHtoD_v2", (unsigned long long, const void *, size_t))(at, data, bytes));
    }
    assert_int_equal(cu("cuModuleGetGlobal_v2", (unsigned long long *, size_t *, void *,
                                                 const char *))(&at, &bytes, module, "other"),
                     500);
    OK(cu("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "k"));
    OK(cu("cuMemAlloc_v2", (unsigned long long *, size_t))(&memory, sizeof out));
    void *params[] = {&memory};
    OK(cu("cuLaunchKernel", (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void *, void **, void **))(function, 1, 1, 1, 8, 1, 1, 0,
                                                                  NULL, params, NULL));
    OK(cu("cuMemcpyDtoH_v2", (void *, unsigned long long, size_t))(out, memory, sizeof out));
    for (int i = 0; i < 8; i++)
        assert_true(out[i] == (float)(4 * i + 1));
}

/* How often the compiler, a script that counts, was started. */
static int starts(void)
{
    FILE *file = fopen(BUILD_DIR "/tests/nvrtc-cache/starts", "r");
    int count = 0, c;
    while (file && (c = fgetc(file)) != EOF)
        count += c == '\n';
    if (file)
        fclose(file);
    return count;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* In a process of its own: compiles, and ends with 0 where the log and the PTX say what they must. */
static int compile_elsewhere(const char *const *options, int count, const char *wanted)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static const char text[] = "#include \"given.h\"\n#include <nvrtc_found.h>\n#warning seen\n"
                                   "template <int N> __global__ void k(int *p) { *p = FOUND + N; }";
        static const char *const given[] = {"#define GIVEN 1\n"}, *const name[] = {"given.h"};
        void *program;
        const char *lowered = "";
        size_t bytes;
        int bad = rtc("nvrtcCreateProgram",
                      (void **, const char *, const char *, int, const char *const *,
                       const char *const *))(&program, text, "k.cu", 1, given, name);
        bad |= rtc("nvrtcAddNameExpression", (void *, const char *))(program, "k<GIVEN>");
        bad |=
            rtc("nvrtcCompileProgram", (void *, int, const char *const *))(program, count, options);
        rtc("nvrtcGetProgramLogSize", (void *, size_t *))(program, &bytes);
        char *log = calloc(1, bytes + 1);
        rtc("nvrtcGetProgramLog", (void *, char *))(program, log);
        rtc("nvrtcGetPTXSize", (void *, size_t *))(program, &bytes);
        char *ptx = calloc(1, bytes + 1);
        rtc("nvrtcGetPTX", (void *, char *))(program, ptx);
        rtc("nvrtcGetLoweredName", (void *, const char *, const char **))(program, "k<GIVEN>",
                                                                          &lowered);
        bool as_wanted = !bad && strstr(ptx, wanted) &&
                         !strncmp(log, "k.cu:3:2: warning: seen", 23) &&
                         !strcmp(lowered, "_Z1kILi1EEvPi");
        if (!as_wanted)
            fprintf(stderr, "%d %s\n%s\n%s\n", bad, log, lowered, ptx);
        _exit(!as_wanted);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* What one process compiled, another need not, until something that the compiler read changes. */
static void test_remembered(void **state)
{
    (void)state;
    static const char folder[] = BUILD_DIR "/tests/nvrtc-cache";
    OK(system("rm -rf '" BUILD_DIR "/tests/nvrtc-cache' && mkdir '" BUILD_DIR
              "/tests/nvrtc-cache' && "
              "cd '" BUILD_DIR "/tests/nvrtc-cache' && cat >clang <<'E' && chmod 700 clang\n"
              "#!/bin/sh\n"
              "echo start >>\"${0%/*}\"/starts\n"
              "for c in clang++-19 clang++-20 clang++-21 clang++-18 clang++-17 clang++; do\n"
              "    command -v $c >/dev/null && exec $c \"$@\"\n"
              "done\n"
              "E"));
    write_text(BUILD_DIR "/tests/nvrtc-cache/nvrtc_found.h", "#define FOUND 40\n");
    setenv("GPUKIT_CACHE", folder, 1);
    setenv("GPUKIT_CLANG", BUILD_DIR "/tests/nvrtc-cache/clang", 1);
    char include[sizeof folder + 2];
    snprintf(include, sizeof include, "-I%s", folder);
    const char *options[] = {include, "-arch=compute_80", "--no-cache"};
    OK(compile_elsewhere(options, 2, ", 41;"));
    int first = starts();
    assert_true(first > 0);
    OK(compile_elsewhere(options, 2, ", 41;"));
    assert_int_equal(starts(), first); /* from the cache */
    OK(compile_elsewhere(options, 3, ", 41;"));
    int second = starts();
    assert_true(second > first); /* --no-cache */
    write_text(BUILD_DIR "/tests/nvrtc-cache/nvrtc_found.h", "#define FOUND 41\n");
    OK(compile_elsewhere(options, 2, ", 42;"));
    int third = starts();
    assert_int_equal(third, second + 1); /* a header changed; gpukit's own stay precompiled */
    options[1] = "-arch=compute_90";
    OK(compile_elsewhere(options, 2, ", 42;"));
    int fourth = starts();
    assert_true(fourth > third); /* other options */
    OK(compile_elsewhere(options, 2, "sm_90"));
    assert_int_equal(starts(), fourth);
    /* damage: every product cut short */
    OK(system("for f in '" BUILD_DIR "'/tests/nvrtc-cache/source/*.out; do : >\"$f\"; done"));
    OK(compile_elsewhere(options, 2, ", 42;"));
    assert_true(starts() > fourth);
    unsetenv("GPUKIT_CLANG");
    unsetenv("GPUKIT_CACHE");
}

static int maps(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    int count = 0, c;
    assert_non_null(file);
    while ((c = fgetc(file)) != EOF)
        count += c == '\n';
    fclose(file);
    return count;
}

/* Kernels that stay loaded are many in a Python session: each takes two maps of the system's 65,530. */
static void test_maps(void **state)
{
    (void)state;
    enum { WARM = 3, MODULES = 11 };
    void *context, *module, *function;
    int before = 0;
    OK(cu("cuInit", (unsigned))(0));
    OK(cu("cuCtxCreate_v2", (void **, unsigned, int))(&context, 0, 0));
    for (int i = 0; i < MODULES; i++) {
        char ptx[400];
        snprintf(ptx, sizeof ptx,
                 ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
                 "{.reg .u64 %%p; .reg .f32 %%f; ld.param.u64 %%p, [p]; mov.f32 %%f, 0f%08X;\n"
                 "sin.approx.f32 %%f, %%f; st.global.f32 [%%p], %%f; ret;}\n",
                 0x3f800000u + (unsigned)i);
        if (i == WARM)
            before = maps();
        unsigned long long memory;
        OK(cu("cuModuleLoadData", (void **, const void *))(&module, ptx));
        OK(cu("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "k"));
        OK(cu("cuMemAlloc_v2", (unsigned long long *, size_t))(&memory, 4));
        void *params[] = {&memory};
        OK(cu("cuLaunchKernel", (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 unsigned, void *, void **, void **))(function, 1, 1, 1, 1, 1, 1, 0,
                                                                      NULL, params, NULL));
        OK(cu("cuCtxSynchronize", (void))());
    }
    assert_in_range(maps() - before, 1, 2 * (MODULES - WARM));
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
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_own_names),
        cmocka_unit_test(test_stand_ins),
        cmocka_unit_test(test_source_folder),
        cmocka_unit_test(test_static_variables),
        cmocka_unit_test(test_remembered),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
