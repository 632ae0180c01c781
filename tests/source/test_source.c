/* SPDX-License-Identifier: Apache-2.0
 * The front end: fat binary layout, architectures, PTX and objects from clang, the build cache
 * (hit, changed source, changed header, damage), inspection of binaries with a mutation fuzz. */
#include "base/fs.h"
#include "source/binary.h"
#include "source/fatbin.h"
#include "source/rewrite.h"
#include "source/source.h"
#include "source/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SAXPY SOURCE_DIR "/tests/source/saxpy.cu"

static uint32_t word(const Buf *b, size_t at)
{
    uint32_t v;
    memcpy(&v, b->data + at, 4);
    return v;
}

static void test_fatbin(void **state)
{
    (void)state;
    static const char ptx[] = "\n.version 8.3\n.target sm_90\n";
    Buf b = {0};
    FatbinPtx part = {.arch = "sm_90"};
    buf_puts(&part.text, ptx);
    fatbin_write(&b, &part, 1);
    buf_free(&part.text);
    assert_int_equal(word(&b, 0), 0xBA55ED50);
    assert_int_equal(word(&b, 4), 16u << 16 | 1);
    assert_int_equal(word(&b, 8) + 16, b.count);
    assert_int_equal(word(&b, 16) & 0xffff, 1);
    assert_int_equal(word(&b, 16 + 4), 64);
    assert_int_equal(word(&b, 16 + 8) % 8, 0);
    assert_int_equal(word(&b, 16 + 0x18), 8u << 16 | 3); /* minor 3, major 8 */
    assert_int_equal(word(&b, 16 + 0x1c), 90);
    assert_string_equal(b.data + 80, ptx); /* ends in NUL */
    buf_free(&b);
}

/* Text with a version below what it holds gets the one that the GPU's driver asks for. */
static void test_ptx_version(void **state)
{
    (void)state;
    static const struct {
        const char *version, *rest, *wanted;
    } cases[] = {
        {"7.8", ".visible .entry k(.param .align 4 .b8 p[4352]) { ret; }", "7.8"},
        {"7.8", ".visible .entry k(.param .align 4 .b8 p[4352], .param .u64 q) { ret; }", "8.1"},
        {"8.3", ".visible .entry k(.param .b8 p[32000]) { ret; }", "8.3"},
        {"7.8", ".visible .entry a(.param .b8 p[4000]) {} .entry b(.param .b8 p[4000]) {}", "7.8"},
        {"7.8", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {}, {}, {}, {};", "8.4"},
        {"7.8", "cp.async.bulk.shared::cluster.global [a], [b], 16, [c];", "8.0"},
        {"7.8", ".global .align 4 .b8 x[32768];", "7.8"},
        {"x", ".entry k(.param .b8 p[32000]) { ret; }", "x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Buf text = {0}, wanted = {0};
        buf_printf(&text, ".version %s\n.target sm_90\n%s", cases[i].version, cases[i].rest);
        buf_printf(&wanted, ".version %s\n.target sm_90\n%s", cases[i].wanted, cases[i].rest);
        assert_int_equal(ptx_finish(&text), strcmp(cases[i].version, cases[i].wanted) != 0);
        assert_string_equal(buf_text(&text), buf_text(&wanted));
        buf_free(&text);
        buf_free(&wanted);
    }
}

static void test_arch(void **state)
{
    (void)state;
    assert_string_equal(source_arch("sm_80"), "sm_80");
    assert_string_equal(source_arch("compute_75"), "sm_75");
    assert_string_equal(source_arch("90a"), "sm_90a");
    assert_string_equal(source_arch("sm_100"), "sm_90");
    assert_null(source_arch("sm_81"));
    assert_null(source_arch("sm_80x"));
    assert_null(source_arch(""));
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(fs_write_atomic(path, text, strlen(text)), 0);
}

static void test_ptx(void **state)
{
    (void)state;
    Diags diags;
    diags_init(&diags);
    SourceOptions options = {.frontend = FRONTEND_CLANG};
    const char *out = BUILD_DIR "/tests/saxpy.ptx";
    assert_int_equal(source_ptx(&options, SAXPY, out, &diags), 0);
    Buf ptx = {0};
    assert_int_equal(fs_read(out, &ptx), 0);
    assert_non_null(strstr(ptx.data, ".visible .entry _Z5saxpyfPKfPfi("));
    assert_non_null(strstr(ptx.data, ".target sm_80"));
    assert_non_null(strstr(ptx.data, "fma.rn.f32")); /* contraction is on */
    assert_null(strstr(ptx.data, ".extern .func"));  /* mathematics is our own */
    assert_non_null(strstr(ptx.data, "saxpy.cu:8")); /* lines of the user's file */
    ptx.count = 0;
    options.no_contraction = true;
    options.arch = "sm_90";
    assert_int_equal(source_ptx(&options, SAXPY, out, &diags), 0);
    assert_int_equal(fs_read(out, &ptx), 0);
    assert_non_null(strstr(ptx.data, ".target sm_90"));
    buf_free(&ptx);
    assert_int_equal(diags.errors, 0);
    diags_fini(&diags);
}

static void test_object(void **state)
{
    (void)state;
    Diags diags;
    diags_init(&diags);
    SourceOptions options = {.frontend = FRONTEND_CLANG};
    const char *out = BUILD_DIR "/tests/saxpy.o";
    assert_int_equal(source_object(&options, SAXPY, out, &diags), 0);
    Buf object = {0};
    assert_int_equal(fs_read(out, &object), 0);
    BinaryFacts f;
    binary_inspect(object.data, object.count, &f);
    assert_true(f.elf && !f.foreign && f.fatbin);
    assert_int_equal(f.ptx, 1);
    assert_int_equal(f.cubin, 0);
    assert_true(f.kernels);
    /* the same without any registration: nothing that machine code could be missed for */
    static const char name[] = "__cudaRegisterFunction";
    char *at = memmem(object.data, object.count, name, sizeof name - 1);
    while (at) {
        *at = 'x';
        at = memmem(object.data, object.count, name, sizeof name - 1);
    }
    binary_inspect(object.data, object.count, &f);
    assert_true(f.fatbin && !f.kernels);
    assert_false(f.needs_cudart);

    /* Foreign bytes never crash the reader. */
    uint64_t seed = 1;
    char *copy = malloc(object.count);
    for (int i = 0; i < 4000; ++i) {
        memcpy(copy, object.data, object.count);
        size_t length = object.count;
        for (int k = 0; k < 8; ++k) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t at = k < 4 ? (seed >> 33) % 64 : (seed >> 33) % length;
            if (k == 3 && (seed & 0xff) < 64)
                length = at ? at : 1;
            else if (at < length)
                copy[at] = (char)(seed >> 25);
        }
        binary_inspect(copy, length, &f);
        size_t table = length > 4000 ? length - 4000 : 0; /* section headers lie at the end */
        memcpy(copy, object.data, object.count);
        copy[table + (seed >> 40) % (length - table)] ^= (char)(seed >> 20);
        binary_inspect(copy, length, &f);
        assert_true(strlen(f.cudart) < sizeof f.cudart);
    }
    free(copy);
    buf_free(&object);
    diags_fini(&diags);
}

/* A runtime library good enough to link against; nothing of it is called here. */
static void make_library(const char *folder)
{
    char *command = xasprintf(
        "mkdir -p %s && printf '%%s' 'int __cudaRegisterFatBinary,__cudaRegisterFatBinaryEnd,"
        "__cudaUnregisterFatBinary,__cudaRegisterFunction,__cudaRegisterVar,__"
        "cudaPushCallConfiguration,"
        "__cudaPopCallConfiguration,cudaLaunchKernel,cudaMalloc,cudaDeviceSynchronize;' | "
        "gcc -x c - -shared -fPIC -Wl,-soname,libcudart.so.13 -o %s/libcudart.so.13 && "
        "ln -sf libcudart.so.13 %s/libcudart.so",
        folder, folder, folder);
    assert_int_equal(system(command), 0);
    free(command);
}

static char *build(const char *const *inputs, int count, const SourceOptions *options)
{
    Diags diags;
    diags_init(&diags);
    char *program, *temporary;
    int code = source_build(options, inputs, count, &program, &temporary, &diags);
    if (code)
        fail_msg("source_build: %d %s", code, diags_text(&diags));
    assert_null(temporary);
    diags_fini(&diags);
    return program;
}

static long long changed(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return (long long)st.st_ino;
}

static void test_cache(void **state)
{
    (void)state;
    const char *folder = BUILD_DIR "/tests/source-cache-test";
    make_library(BUILD_DIR "/tests/fake-runtime");
    setenv("GPUKIT_LIBRARY_DIR", BUILD_DIR "/tests/fake-runtime", 1);
    assert_int_equal(fs_mkdirs(folder, 0700), 0);
    char *source = xasprintf("%s/a.cu", folder), *header = xasprintf("%s/a.h", folder);
    write_text(source, "#include \"a.h\"\n__global__ void k(int *p) { *p = VALUE; }\n"
                       "int main() { k<<<1, 1>>>(nullptr); return VALUE; }\n");
    write_text(header, "#define VALUE 1\n");
    SourceOptions options = {.frontend = FRONTEND_CLANG, .shared_runtime = true};
    const char *inputs[] = {source};

    char *first = build(inputs, 1, &options);
    long long one = changed(first);
    char *again = build(inputs, 1, &options);
    assert_string_equal(first, again);
    assert_true(changed(again) == one); /* not built anew */
    free(again);

    write_text(header, "#define VALUE 2\n"); /* same size, same second */
    again = build(inputs, 1, &options);
    long long two = changed(again);
    assert_true(two != one);
    free(again);

    /* Damage: a program cut short, then a manifest of noise: both are built anew. */
    assert_int_equal(truncate(first, 100), 0);
    again = build(inputs, 1, &options);
    struct stat st;
    assert_int_equal(stat(again, &st), 0);
    assert_true(st.st_size > 1000);
    char *manifest = xstrdup(again);
    manifest[strlen(manifest) - 4] = 0; /* .out */
    write_text(manifest, "gpukit-source 2\nprogram zz ../../etc/passwd\n\x01\xff");
    free(again);
    again = build(inputs, 1, &options);
    assert_string_equal(first, again);
    free(again);

    /* Other options are another program. */
    VEC_PUSH(options.both, "-DOTHER");
    again = build(inputs, 1, &options);
    assert_string_not_equal(first, again);
    free(again);
    VEC_FREE(options.both);
    free(manifest);
    free(first);
    free(source);
    free(header);
}

/* Launches in device functions are rewritten, everything else is left as it stands. */
static void test_launches(void **state)
{
    (void)state;
#define TYPE(name) "::gpukit::device_launch<decltype(&" name "), "
#define CALL(name, arguments)                                                                      \
    "({ typedef decltype(::gpukit::types_of(" arguments                                            \
    ")) gpukit_types; struct gpukit_launch { typedef "                                             \
    "decltype(gpukit_types::kernel_for(::gpukit::rank<4>(), &" name                                \
    ")) kernel; typedef ::gpukit::launch_function<typename ::gpukit::pointed<kernel>::type, " name \
    "> type; }; gpukit_launch::type::with("
    static const struct {
        const char *before, *after;
    } cases[] = {
        {"__global__ void f() { k<<<1, 2>>>(3); }",
         "__global__ void f() { " CALL("k", "3") "1, 2); })(3); }"},
        {"__device__ void f() { if (a) { n::k<int, 3>\n<<<g(1, 2), b>>>(x, {1, 2}); } }",
         "__device__ void f() { if (a) { " TYPE(
             "n::k<int,3>") "n::k<int, 3>\n>(g(1, 2), b)(x, {1, 2}); } }"},
        {"struct S { __device__ void f() { ::a::k<<<(x >> 2), y, 0, s>>>(); } void g() { k<<<1, "
         "1>>>(); } };",
         "struct S { __device__ void f() { " CALL(
             "::a::k", "") "(x >> 2), y, 0, s); })(); } void g() { k<<<1, "
                           "1>>>(); } };"},
        {"void f() { k<<<1, 1>>>(2); }", NULL},
        {"__global__ void k(); void f() { k<<<1, 1>>>(); }", NULL},
        {"__host__ __device__ void f() { k<<<1, 1>>>(); }", NULL},
        {"__device__ void f() { /* k<<<1, 1>>>() */ s = \"k<<<1, 1>>>()\"; c = '\\''; // "
         "k<<<1,1>>>()\n }",
         NULL},
        {"__device__ void f() { s = R\"x(k<<<1, 1>>>() )\" )x\"; n = 1'000; }", NULL},
        {"#define L k<<<1, 1>>>() \\\n  k<<<1, 1>>>()\n__device__ int f() { return a << 3; }",
         NULL},
        {"__device__ void f() { k<<<1, 1; }", NULL},
        {"void f() { a::k<b> << <1, A<B<int> >::n >>\n > (a << 3 > > > 2); }",
         "void f() { a::k<b> <<< 1, A<B<int> >::n >>>\n  (a << 3 > > > 2); }"},
        {"void f() { k<<<1, 2>> >(); } __device__ void g() { k < <<1, 1>>>(); }",
         "void f() { k<<<1, 2>>> (); } __device__ void g() { " CALL("k", "") "1, 1); })(); }"},
        {"void f() { operator<< <int>(a, b); x = a << b < c; y = p > > > (q); z << < 1; }", NULL},
        {"__device__ void f() { <<<", NULL},
        {"template <int N> __global__ void __cluster_dims__(N,\n 2) k(int *p) { *p = 1; }",
         "template <int N> __global__ void \n k(int *p) { ::gpukit::cluster_dims<N,  2>(); *p = 1; "
         "}"},
        {"__global__ void __cluster_dims__(2) k();", NULL},
        {"{ __shared__ alignas(8) int x; }", "{ alignas(8) __shared__  int x; }"},
        {"extern __shared__\n  alignas(alignof(float4)) float s[];",
         "alignas(alignof(float4)) extern __shared__\n   float s[];"},
        {"static __device__ alignas(f(1)) const int x, y;",
         "alignas(f(1)) static __device__  const int x, y;"},
        {"alignas(8) __shared__ int x; struct alignas(4) S; static alignas(8) int y;", NULL},
        {"__shared__ alignas(8", NULL},
        {"texture<float, 2, cudaReadModeElementType> t; namespace n { static texture\n<A<int>> u; }",
         "__device__ gpukit_texture<float, 2, cudaReadModeElementType> t; namespace n { static "
         "__device__ gpukit_texture\n<A<int>> u; }"},
        {"extern surface<void, 2> s; typedef texture<int> T; void f(texture<float, 1> &t) { "
         "g<texture<int>>(); }",
         "extern __device__ gpukit_surface<void, 2> s; typedef gpukit_texture<int> T; void "
         "f(gpukit_texture<float, 1> &t) { g<gpukit_texture<int>>(); }"},
        {"struct texture; texture<int> t;", NULL},
        {"__device__ void f() { asm volatile(\"mov.u64 %0, %clock64;\" \" add %1, %%r;\" : \"=l\"(t)); }",
         "__device__ void f() { asm volatile(\"mov.u64 %0, %%clock64;\" \" add %1, %%r;\" : \"=l\"(t)); }"},
        {"__device__ void f() { asm(\"trap; // %r\"); } void g() { asm(\"mov %eax, %0\" : \"=r\"(x)); }", NULL},
        {"void f() { if (texture < 3 || texture<a) surface<b; my_texture<int> x; }", NULL},
        {"__global__ void __cluster_dims__(2 k() { }", NULL},
        {"#define U #pragma unroll\n # define V \\\n  # pragma unroll (4) // four\nint x;",
         "#define U _Pragma(\" unroll\")\n # define V \\\n  _Pragma(\" unroll (4) \")// four\nint x;"},
        {"#define U #pragma message \"a\\n\"", "#define U _Pragma(\" message \\\"a\\\\n\\\"\")"},
        {"#define F(a) #a\n#define P(pragma) #pragma\n#define Q #pragmatic\n#pragma once\n#define R \"#pragma\"\n#define", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Buf out = {0};
        bool any = rewrite_text(cases[i].before, strlen(cases[i].before), true, &out);
        assert_int_equal(any, cases[i].after != NULL);
        assert_string_equal(buf_text(&out), cases[i].after ? cases[i].after : cases[i].before);
        buf_free(&out);
    }
    /* Broken text is copied, whatever it is. */
    static const char piece[] = "__device__ void f() { a::k<b><<<1, \"x\">>>(R\"q(\", '\\'); } {}";
    uint64_t seed = 7;
    for (int i = 0; i < 20000; ++i) {
        char text[64];
        size_t length = 1 + (seed >> 20) % sizeof text;
        for (size_t k = 0; k < length; ++k) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[k] = piece[(seed >> 33) % (sizeof piece - 1)];
        }
        Buf out = {0};
        bool any = rewrite_text(text, length, true, &out);
        assert_true(any ? out.count > length
                        : out.count == length && memcmp(out.data, text, length) == 0);
        buf_free(&out);
    }
}

static void test_errors(void **state)
{
    (void)state;
    Diags diags;
    diags_init(&diags);
    char *program, *temporary;
    const char *missing[] = {"/nonexistent/x.cu"};
    SourceOptions options = {0};
    assert_int_equal(source_build(&options, missing, 1, &program, &temporary, &diags), EXIT_USAGE);
    assert_null(program);
    setenv("GPUKIT_CLANG", "/nonexistent/clang", 1);
    options.frontend = FRONTEND_CLANG;
    assert_int_equal(source_ptx(&options, SAXPY, BUILD_DIR "/tests/none.ptx", &diags),
                     EXIT_ENVIRONMENT);
    unsetenv("GPUKIT_CLANG");
    char *text = diags_text(&diags);
    assert_non_null(strstr(text, "clang-19")); /* says what to install */
    free(text);
    diags_fini(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fatbin),   cmocka_unit_test(test_ptx_version),
        cmocka_unit_test(test_arch),     cmocka_unit_test(test_ptx),
        cmocka_unit_test(test_object),   cmocka_unit_test(test_cache),
        cmocka_unit_test(test_launches), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
