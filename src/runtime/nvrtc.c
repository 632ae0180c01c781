/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvrtc: CUDA C++ from a string to PTX with the same front end as `gpukit run` (source/). The
 * compiler runs in a child process whose messages become the program's log; what came out is
 * remembered for other processes (source_memo). Machine code and LTO-IR
 * are asked for to be loaded or linked: the PTX stands in their place, which gpukit's libcuda and
 * libnvJitLink take. No OptiX-IR, no NVVM-IR: those are refused by name. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/handles.h"
#include "base/scratch.h"
#include "source/source.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_CANCELLED = 16,
} nvrtcResult;

typedef struct {
    char *name, *text;
} Header;

typedef struct Program {
    char *source, *name;
    VEC(Header) headers;
    VEC(char *) expressions;
    VEC(char *) lowered; /* per expression, after compilation */
    Buf log, ptx;
    bool compiled, real, lto;                   /* for an sm_ architecture; with -dlto */
    int (*flow)(void *payload, void *reserved); /* asks whether to go on */
    void *payload;
} Program, *nvrtcProgram;

static Handles programs = HANDLES_NONE;

static bool known(const Program *program)
{
    return handles_has(&programs, program);
}

/* --- programs ------------------------------------------------------------------------------ */

API const char *nvrtcGetErrorString(nvrtcResult result);
const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR",
                                        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                        "NVRTC_ERROR_PCH_CREATE",
                                        "NVRTC_ERROR_CANCELLED",
                                        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

API nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = NVRTC_MAJOR;
    *minor = NVRTC_MAJOR == 11 ? 8 : NVRTC_MAJOR == 12 ? 9 : 0;
    return NVRTC_SUCCESS;
}

static const int architectures[] = {50, 52, 60, 61, 70, 72, 75, 80, 86, 87, 89, 90};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

API nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    if (!count)
        return NVRTC_ERROR_INVALID_INPUT;
    *count = ARCHITECTURES;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetSupportedArchs(int *list);
nvrtcResult nvrtcGetSupportedArchs(int *list)
{
    if (!list)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(list, architectures, sizeof architectures);
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name,
                                   int count, const char *const *headers, const char *const *names);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name, int count,
                               const char *const *headers, const char *const *names)
{
    if (!out || !source || count < 0 || (count && (!headers || !names)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < count; i++)
        if (!headers[i] || !names[i])
            return NVRTC_ERROR_INVALID_INPUT;
    Program *program = xcalloc(1, sizeof *program);
    handles_add(&programs, program);
    program->source = xstrdup(source);
    program->name = xstrdup(name && *name ? name : "default_program");
    for (int i = 0; i < count; i++) {
        Header header = {xstrdup(names[i]), xstrdup(headers[i])};
        VEC_PUSH(program->headers, header);
    }
    *out = program;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (!program || !handles_remove(&programs, *program))
        return NVRTC_ERROR_INVALID_PROGRAM;
    Program *own = *program;
    for (size_t i = 0; i < own->headers.count; i++) {
        free(own->headers.items[i].name);
        free(own->headers.items[i].text);
    }
    for (size_t i = 0; i < own->expressions.count; i++)
        free(own->expressions.items[i]);
    for (size_t i = 0; i < own->lowered.count; i++)
        free(own->lowered.items[i]);
    VEC_FREE(own->headers);
    VEC_FREE(own->expressions);
    VEC_FREE(own->lowered);
    buf_free(&own->log);
    buf_free(&own->ptx);
    free(own->source);
    free(own->name);
    free(own);
    *program = NULL;
    return NVRTC_SUCCESS;
}

/* --- options ------------------------------------------------------------------------------- */

/* "--name=value" or "--name value" or a short form: the value, or NULL when it is another option.
 */
static const char *value_of(const char *const *options, int count, int *at, const char *name)
{
    const char *option = options[*at];
    size_t length = strlen(name);
    if (strncmp(option, name, length))
        return NULL;
    if (option[length] == '=')
        return option + length + 1;
    if (!option[length] && *at + 1 < count)
        return options[++*at];
    return NULL;
}

/* Options that change nothing here: code for debugging, limits and reports of NVIDIA's compiler. */
static bool is_ignored(const char *option)
{
    static const char *const prefixes[] = {
        "-lineinfo",
        "--generate-line-info",
        "--restrict",
        "-restrict",
        "--extra-device-vec",
        "-extra-device-vec",
        "--modify-stack",
        "-modify-stack",
        "-w",
        "--disable-warnings",
        "--ptxas-options",
        "-Xptxas",
        "--maxrregcount",
        "-maxrregcount",
        "--diag-suppress",
        "-diag-suppress",
        "--display-error",
        "-err-no",
        "--builtin-",
        "-builtin-",
        "--version-ident",
        "-time",
        "--split-compile",
        "-split-compile",
        "--brief-diagnostics",
        "--device-int128",
        "-device-int128",
        "--minimal",
        "-minimal",
        "--extensible-whole",
        "-ewp",
        "--pre-include-none",
        "--no-display-error",
        "--expt-relaxed-constexpr",
        "--Ofast-compile",
        "-Ofc",
        "--pch", /* and what follows it: our own precompiled header is always there */
        "-pch",
        "--create-pch",
        "-create-pch",
        "--use-pch",
        "-use-pch",
        "--instantiate-templates-in-pch",
        "-instantiate-templates-in-pch",
        "--device-w",
        "-dw",
        "--gen-opt-lto",
        "-gen-opt-lto",
        "--dopt",
        "-dopt",
        "--jump-table-density",
        "-jtd",
        "--device-stack-protector",
        "-device-stack-protector",
        "--optimization-info",
        "-opt-info",
        "--diag-error",
        "-diag-error",
        "--diag-warn",
        "-diag-warn",
        "--time",
        "--fdevice-time-trace",
        "-fdevice-time-trace",
        "--frandom-seed",
        "-frandom-seed",
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(option, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static bool is_true(const char *text)
{
    return !strcmp(text, "true");
}

typedef struct {
    bool real, lto, no_source_include, no_cache, device_default;
} Wanted;

/* One option; false when it is none that is known. */
static bool take_option(const char *const *list, int count, int *at, SourceOptions *o,
                        Wanted *wanted, Arena *arena)
{
    const char *option = list[*at], *value;
    if ((value = value_of(list, count, at, "--gpu-architecture")) ||
        (value = value_of(list, count, at, "-arch"))) {
        const char *arch = source_arch(value);
        o->arch = arch ? arena_strdup(arena, arch) : NULL;
        wanted->real = !strncmp(value, "sm_", 3);
        return arch != NULL;
    }
    if ((value = value_of(list, count, at, "--std")) ||
        (value = value_of(list, count, at, "-std"))) {
        VEC_PUSH(o->both, arena_printf(arena, "-std=%s", value));
        return true;
    }
    if ((value = value_of(list, count, at, "--include-path")) ||
        (value = value_of(list, count, at, "--define-macro")) ||
        (value = value_of(list, count, at, "--undefine-macro"))) {
        char letter = option[2] == 'i' ? 'I' : option[2] == 'd' ? 'D' : 'U';
        VEC_PUSH(o->both, arena_printf(arena, "-%c%s", letter, value));
        return true;
    }
    if ((value = value_of(list, count, at, "--pre-include")) ||
        (value = value_of(list, count, at, "-include"))) {
        VEC_PUSH(o->both, "-include");
        VEC_PUSH(o->both, arena_strdup(arena, value));
        return true;
    }
    if (option[0] == '-' && strchr("IDU", option[1]) && option[1]) {
        if (!option[2]) { /* the value stands alone */
            if (*at + 1 >= count)
                return false;
            VEC_PUSH(o->both, arena_printf(arena, "%s%s", option, list[++*at]));
            return true;
        }
        VEC_PUSH(o->both, option[2] == '=' ? arena_printf(arena, "-%c%s", option[1], option + 3)
                                           : arena_strdup(arena, option));
        return true;
    }
    if (!strcmp(option, "--use_fast_math") || !strcmp(option, "-use_fast_math"))
        return o->fast_math = true;
    if ((value = value_of(list, count, at, "--relocatable-device-code")) ||
        (value = value_of(list, count, at, "-rdc"))) {
        o->relocatable = is_true(value);
        return true;
    }
    if (!strcmp(option, "-dlto") || !strcmp(option, "--dlink-time-opt"))
        return wanted->lto = o->relocatable = true;
    if (!strcmp(option, "--no-source-include") || !strcmp(option, "-no-source-include"))
        return wanted->no_source_include = true;
    if (!strcmp(option, "--no-cache") || !strcmp(option, "-no-cache"))
        return wanted->no_cache = true;
    if (!strcmp(option, "--device-as-default-execution-space") ||
        !strcmp(option, "-default-device"))
        return wanted->device_default = true;
    if (!strcmp(option, "-dc") || !strcmp(option, "--device-c"))
        return o->relocatable = true;
    if (!strcmp(option, "-G") || !strcmp(option, "--device-debug"))
        return o->device_debug = true;
    if ((value = value_of(list, count, at, "--ftz")) ||
        (value = value_of(list, count, at, "-ftz"))) {
        o->flush_denormals = is_true(value);
        return true;
    }
    if ((value = value_of(list, count, at, "--fmad")) ||
        (value = value_of(list, count, at, "-fmad"))) {
        o->no_contraction = !is_true(value);
        return true;
    }
    if ((value = value_of(list, count, at, "--prec-div")) ||
        (value = value_of(list, count, at, "-prec-div"))) {
        o->approximate_division = !is_true(value);
        return true;
    }
    if ((value = value_of(list, count, at, "--prec-sqrt")) ||
        (value = value_of(list, count, at, "-prec-sqrt"))) {
        o->approximate_sqrt = !is_true(value);
        return true;
    }
    return is_ignored(option);
}

/* --- compiling ----------------------------------------------------------------------------- */

static bool write_file(const char *folder, const char *name, const char *text, const char *more)
{
    if (strstr(name, "..")) /* headers stay in the folder */
        return false;
    char *path = xasprintf("%s/%s", folder, name);
    char *parent = xstrdup(path);
    fs_mkdirs(dirname(parent), 0700);
    FILE *file = fopen(path, "we");
    bool good = file && fputs(text, file) >= 0 && fputs(more, file) >= 0;
    if (file)
        good &= fclose(file) == 0;
    free(parent);
    free(path);
    return good;
}

/* The compiler's output goes where the log is; a fork, because standard error is the process's. */
static int compile_in_child(const SourceOptions *options, const char *input, const char *output,
                            const char *log)
{
    pid_t child = fork();
    if (child < 0)
        return EXIT_ENVIRONMENT;
    if (child == 0) {
        if (freopen(log, "w", stderr))
            dup2(fileno(stderr), 1);
        Diags diags;
        diags_init(&diags);
        int code = source_ptx(options, input, output, &diags);
        diags_print(&diags, stderr);
        fflush(stderr);
        _exit(code);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ENVIRONMENT;
}

/* The symbol that `name` is initialised with in the PTX; malloc'd, NULL when it is not there. */
static char *initial_symbol(const char *ptx, const char *name)
{
    char *wanted = xasprintf(" %s = ", name);
    const char *at = strstr(ptx, wanted);
    char *result = NULL;
    if (at) {
        at += strlen(wanted);
        if (!strncmp(at, "generic(", 8))
            at += 8;
        size_t length = strcspn(at, ";)+ \n");
        result = xasprintf("%.*s", (int)length, at);
    }
    free(wanted);
    return result;
}

/* The folder that the source lay in says nothing to the program. */
static void drop_folder(Buf *log, const char *folder)
{
    Buf out = {0};
    const char *at = buf_text(log), *found;
    size_t length = strlen(folder);
    while ((found = strstr(at, folder)) && found[length] == '/') {
        buf_add(&out, at, (size_t)(found - at));
        at = found + length + 1;
    }
    buf_puts(&out, at);
    buf_free(log);
    *log = out;
}

/* What a second attempt needs in front of a program that brings, as some written for NVRTC do, its own integer
 * types and, for a clang without headers, its own intrinsics; "" when the log tells of neither. */
static bool own_names(const Buf *log, Buf *before)
{
    static const char *const types[] = {"int64_t",       "uint64_t",      "intmax_t",
                                        "uintmax_t",     "int_least64_t", "uint_least64_t",
                                        "int_fast16_t",  "int_fast32_t",  "int_fast64_t",
                                        "uint_fast16_t", "uint_fast32_t", "uint_fast64_t"};
    const char *text = buf_text(log);
    bool found = false;
    for (size_t i = 0; strstr(text, "typedef redefinition") && i < sizeof types / sizeof *types;
         i++) {
        char ends[32], defined[64];
        snprintf(ends, sizeof ends, " %s;", types[i]);
        snprintf(defined, sizeof defined, "#define %s gpukit_own_%s\n", types[i], types[i]);
        if (strstr(text, ends) && !(before->count && strstr(buf_text(before), defined))) {
            buf_puts(before, defined);
            found = true;
        }
    }
    const char *bare = "#undef __clang__\n";
    if ((strstr(text, "error: redefinition of") || strstr(text, "error: redeclaration of")) &&
        !(before->count && strstr(buf_text(before), bare))) {
        buf_puts(before, bare);
        found = true;
    }
    return found;
}

/* before: what stands in front of the program's own lines. */
static bool write_source(const Program *program, const char *folder, const char *input,
                         const Buf *before, const char *more, Arena *arena)
{
    const char *text = program->source;
    if (before->count)
        text = arena_printf(arena, "%s#line 1 \"%s\"\n%s", buf_text(before), input, text);
    return write_file(folder, input, text, more);
}

static nvrtcResult compile_in(Program *program, SourceOptions *options, const char *more,
                              const Wanted *wanted, const char *folder, Arena *arena)
{
    bool beside = !wanted->no_source_include;
    Buf before = {0};
    if (wanted->device_default) /* functions without a word on where they run run there, too */
        buf_puts(&before, "#pragma clang force_cuda_host_device begin\n");
    const char *base = strrchr(program->name, '/');
    base = base ? base + 1 : program->name;
    const char *dot = strrchr(base, '.');
    const char *input = arena_printf(arena, "%s%s", base, dot && !strcmp(dot, ".cu") ? "" : ".cu");
    bool written = write_source(program, folder, input, &before, more, arena);
    for (size_t i = 0; i < program->headers.count && written; i++)
        written =
            write_file(folder, program->headers.items[i].name, program->headers.items[i].text, "");
    if (!written) {
        buf_free(&before);
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    VEC_PUSH(options->both, arena_printf(arena, "-I%s", folder));
    VEC_PUSH(options->both, arena_printf(arena, "-ffile-prefix-map=%s/=", folder));
    if (beside) { /* files beside the one that the program is named after */
        VEC_PUSH(options->both, "-idirafter");
        VEC_PUSH(options->both,
                 base == program->name
                     ? "."
                     : arena_printf(arena, "%.*s", (int)(base - program->name), program->name));
    }
    VEC_PUSH(options->both, arena_printf(arena, "-D__CUDACC_RTC__=1"));
    const char *source = arena_printf(arena, "%s/%s", folder, input);
    const char *output = arena_printf(arena, "%s/gpukit-out.ptx", folder);
    const char *log = arena_printf(arena, "%s/gpukit-log.txt", folder);
    int code = compile_in_child(options, source, output, log);
    fs_read(log, &program->log);
    for (int attempt = 0; code && code != EXIT_ENVIRONMENT && attempt < 3; attempt++) {
        Buf told = {0};
        fs_read(log, &told);
        bool again = own_names(&told, &before);
        buf_free(&told);
        if (!again)
            break;
        if (!write_source(program, folder, input, &before, more, arena))
            break;
        code = compile_in_child(options, source, output, log);
        if (code == 0) { /* what it said is all that counts */
            buf_free(&program->log);
            fs_read(log, &program->log);
        }
    }
    buf_free(&before);
    drop_folder(&program->log, folder);
    if (code == 0 && fs_read(output, &program->ptx))
        return NVRTC_ERROR_INTERNAL_ERROR;
    return code == 0                  ? NVRTC_SUCCESS
           : code == EXIT_ENVIRONMENT ? NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
                                      : NVRTC_ERROR_COMPILATION;
}

static void add_text(Buf *out, const char *text)
{
    buf_add(out, text, strlen(text) + 1);
}

/* All that decides the outcome besides the options and files. */
static void request_of(const Program *program, const char *more, const Wanted *wanted, Buf *out)
{
    add_text(out, "nvrtc");
    add_text(out, program->name);
    add_text(out, program->source);
    add_text(out, more);
    for (size_t i = 0; i < program->headers.count; i++) {
        add_text(out, program->headers.items[i].name);
        add_text(out, program->headers.items[i].text);
    }
    buf_putc(out, wanted->no_source_include ? '0' : '1');
    buf_putc(out, wanted->device_default ? '1' : '0');
}

/* A memo is the log, a NUL and the PTX. */
static bool recall(const char *memo, Program *program)
{
    Buf kept = {0};
    const char *end = NULL;
    if (source_memo_read(memo, &kept) && (end = memchr(kept.data, 0, kept.count))) {
        buf_add(&program->log, kept.data, (size_t)(end - kept.data));
        buf_add(&program->ptx, end + 1, kept.count - (size_t)(end + 1 - kept.data));
    }
    buf_free(&kept);
    return end != NULL;
}

static nvrtcResult compile(Program *program, SourceOptions *options, const Wanted *wanted,
                           Arena *arena)
{
    /* Name expressions become initialisers, whose symbols the PTX then tells. */
    Buf more = {0}, request = {0};
    buf_puts(&more, "\n");
    for (size_t i = 0; i < program->expressions.count; i++) {
        const char *text = program->expressions.items[i];
        text += *text == '&';
        buf_printf(&more,
                   "extern \"C\" __device__ __attribute__((used)) const void *gpukit_name_%zu = "
                   "(const void *)&(%s);\n",
                   i, text);
    }
    request_of(program, buf_text(&more), wanted, &request);
    char *memo = wanted->no_cache ? NULL : source_memo(options, &request);
    nvrtcResult result = NVRTC_SUCCESS;
    if (!memo || !recall(memo, program)) {
        char *folder = scratch_new(NULL);
        if (folder) {
            const char *rule = options->depends_file =
                arena_printf(arena, "%s/gpukit-rule.d", folder);
            result = compile_in(program, options, buf_text(&more), wanted, folder, arena);
            if (memo && !result) {
                Buf kept = {0};
                add_text(&kept, buf_text(&program->log));
                buf_add(&kept, program->ptx.data, program->ptx.count);
                source_memo_write(memo, rule, folder, &kept);
                buf_free(&kept);
            }
            scratch_remove(folder);
        } else {
            result = NVRTC_ERROR_INTERNAL_ERROR;
        }
    }
    for (size_t i = 0; i < program->expressions.count && !result; i++)
        VEC_PUSH(program->lowered, initial_symbol(buf_text(&program->ptx),
                                                  arena_printf(arena, "gpukit_name_%zu", i)));
    free(memo);
    buf_free(&request);
    buf_free(&more);
    return result;
}

API nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *list);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *list)
{
    if (!known(program))
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count && !list))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < count; i++)
        if (!list[i])
            return NVRTC_ERROR_INVALID_INPUT;
    Arena *arena = arena_new();
    SourceOptions options = {0};
    Wanted wanted = {0};
    buf_free(&program->log);
    program->ptx.count = 0;
    nvrtcResult result = NVRTC_SUCCESS;
    for (int i = 0; i < count && !result; i++)
        if (!take_option(list, count, &i, &options, &wanted, arena)) {
            buf_printf(&program->log, "gpukit: nvrtc option %s is not supported\n", list[i]);
            result = NVRTC_ERROR_INVALID_OPTION;
        }
    if (!result && program->flow && program->flow(program->payload, NULL))
        result = NVRTC_ERROR_CANCELLED;
    if (!result)
        result = compile(program, &options, &wanted, arena);
    program->compiled = result == NVRTC_SUCCESS;
    program->real = wanted.real;
    program->lto = wanted.lto;
    VEC_FREE(options.both);
    VEC_FREE(options.device);
    arena_free(arena);
    return result;
}

/* --- results ------------------------------------------------------------------------------- */

/* Sizes count the final NUL. */
static nvrtcResult text_size(const Buf *text, size_t *bytes)
{
    if (!bytes)
        return NVRTC_ERROR_INVALID_INPUT;
    *bytes = text->count + 1;
    return NVRTC_SUCCESS;
}

static nvrtcResult text_copy(const Buf *text, char *out)
{
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(out, buf_text(text), text->count + 1);
    return NVRTC_SUCCESS;
}

/* name##Size and name: a text of a program for which `there` holds. */
#define RESULT(name, text, there)                                                                  \
    API nvrtcResult name##Size(nvrtcProgram program, size_t *bytes);                               \
    nvrtcResult name##Size(nvrtcProgram program, size_t *bytes)                                    \
    {                                                                                              \
        return known(program) && there ? text_size(&program->text, bytes)                          \
                                       : NVRTC_ERROR_INVALID_PROGRAM;                              \
    }                                                                                              \
    API nvrtcResult name(nvrtcProgram program, char *out);                                         \
    nvrtcResult name(nvrtcProgram program, char *out)                                              \
    {                                                                                              \
        return known(program) && there ? text_copy(&program->text, out)                            \
                                       : NVRTC_ERROR_INVALID_PROGRAM;                              \
    }
RESULT(nvrtcGetPTX, ptx, program->compiled)
RESULT(nvrtcGetProgramLog, log, true)

/* The PTX in another's place; a size of zero where the program was not compiled for it. */
#define STAND_IN(name, wanted)                                                                     \
    API nvrtcResult name##Size(nvrtcProgram program, size_t *bytes);                               \
    nvrtcResult name##Size(nvrtcProgram program, size_t *bytes)                                    \
    {                                                                                              \
        nvrtcResult result = nvrtcGetPTXSize(program, bytes);                                      \
        if (!result && !program->wanted)                                                           \
            *bytes = 0;                                                                            \
        return result;                                                                             \
    }                                                                                              \
    API nvrtcResult name(nvrtcProgram program, char *out);                                         \
    nvrtcResult name(nvrtcProgram program, char *out)                                              \
    {                                                                                              \
        return known(program) && program->wanted ? nvrtcGetPTX(program, out)                       \
                                                 : NVRTC_ERROR_INVALID_PROGRAM;                    \
    }
STAND_IN(nvrtcGetCUBIN, real)
STAND_IN(nvrtcGetLTOIR, lto)

API nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    if (!known(program))
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression)
        return NVRTC_ERROR_INVALID_INPUT;
    if (program->compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    VEC_PUSH(program->expressions, xstrdup(expression));
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression,
                                    const char **name);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name)
{
    if (!known(program))
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!program->compiled)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < program->lowered.count; i++)
        if (!strcmp(program->expressions.items[i], expression) && program->lowered.items[i]) {
            *name = program->lowered.items[i];
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* What has no stand-in. A size of zero tells callers to take the PTX. */
#define NO_SIZE(name)                                                                              \
    API nvrtcResult name(nvrtcProgram program, size_t *bytes);                                     \
    nvrtcResult name(nvrtcProgram program, size_t *bytes)                                          \
    {                                                                                              \
        if (!known(program))                                                                       \
            return NVRTC_ERROR_INVALID_PROGRAM;                                                    \
        if (!bytes)                                                                                \
            return NVRTC_ERROR_INVALID_INPUT;                                                      \
        *bytes = 0;                                                                                \
        return NVRTC_SUCCESS;                                                                      \
    }
#define NO_DATA(name, what)                                                                        \
    API nvrtcResult name(nvrtcProgram program, char *out);                                         \
    nvrtcResult name(nvrtcProgram program, char *out)                                              \
    {                                                                                              \
        (void)program, (void)out;                                                                  \
        fprintf(stderr, "gpukit: " #name ": " what " is not supported; take the PTX\n");           \
        return NVRTC_ERROR_INVALID_PROGRAM;                                                        \
    }
NO_SIZE(nvrtcGetOptiXIRSize)
NO_DATA(nvrtcGetOptiXIR, "OptiX-IR")
NO_SIZE(nvrtcGetNVVMSize)
NO_DATA(nvrtcGetNVVM, "NVVM-IR")

/* Precompiled headers: none are made; the size of their heap is what was set. */
static _Atomic size_t heap = 256u << 20;

API nvrtcResult nvrtcGetPCHHeapSize(size_t *bytes);
nvrtcResult nvrtcGetPCHHeapSize(size_t *bytes)
{
    if (!bytes)
        return NVRTC_ERROR_INVALID_INPUT;
    *bytes = heap;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcSetPCHHeapSize(size_t bytes);
nvrtcResult nvrtcSetPCHHeapSize(size_t bytes)
{
    heap = bytes;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program)
{
    return known(program) ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}
NO_SIZE(nvrtcGetPCHHeapSizeRequired)

/* Asked once, before compilation starts: not 0 cancels it. */
API nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void *, void *),
                                     void *payload);
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void *, void *),
                                 void *payload)
{
    if (!known(program) || !callback)
        return known(program) ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    program->flow = callback;
    program->payload = payload;
    return NVRTC_SUCCESS;
}
