/* SPDX-License-Identifier: Apache-2.0
 * gpukit cc: a compiler driver that takes nvcc's options (nvcc_options.def), so that existing
 * makefiles build ordinary programs with gpukit's runtime: make NVCC="gpukit cc". */
#include "base/buf.h"
#include "base/diag.h"
#include "base/fs.h"
#include "source/source.h"

#include <ctype.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef enum { KIND_FLAG, KIND_JOIN, KIND_LISTED } Kind;
typedef enum {
    ACT_ACCEPT,
    ACT_REFUSE,
    ACT_OUTPUT,
    ACT_COMPILE,
    ACT_DEVICE_C,
    ACT_DEVICE_LINK,
    ACT_LINK,
    ACT_PTX,
    ACT_FATBIN,
    ACT_LIB,
    ACT_SHARED,
    ACT_PREPROCESS,
    ACT_DEPENDS,
    ACT_DEPENDS_TOO,
    ACT_DEPENDS_FILE,
    ACT_DEPENDS_TARGET,
    ACT_DEPENDS_PHONY,
    ACT_INCLUDE,
    ACT_SYSTEM,
    ACT_PREINCLUDE,
    ACT_DEFINE,
    ACT_UNDEFINE,
    ACT_LIBRARY_PATH,
    ACT_LIBRARY,
    ACT_OPTIMISE,
    ACT_HOST_DEBUG,
    ACT_DEVICE_DEBUG,
    ACT_HOST_WORD,
    ACT_BOTH_WORD,
    ACT_STANDARD,
    ACT_ARCH,
    ACT_CODE,
    ACT_GENCODE,
    ACT_LANGUAGE,
    ACT_MACHINE,
    ACT_RDC,
    ACT_FAST_MATH,
    ACT_FTZ,
    ACT_PREC_DIV,
    ACT_PREC_SQRT,
    ACT_FMAD,
    ACT_STREAM,
    ACT_HOST_WORDS,
    ACT_LINKER_WORDS,
    ACT_PTXAS,
    ACT_CUDART,
    ACT_WERROR,
    ACT_FORWARD,
    ACT_VERBOSE,
    ACT_VERSION,
    ACT_OPTIONS_FILE
} Action;

static const struct NvccOption {
    const char *brief, *full;
    Kind kind;
    Action action;
    const char *help;
} nvcc_options[] = {
#define OPTION(brief, full, kind, action, help) {brief, full, KIND_##kind, ACT_##action, help},
#include "cli/nvcc_options.def"
#undef OPTION
};
enum { OPTION_COUNT = sizeof nvcc_options / sizeof *nvcc_options };

typedef enum {
    MODE_LINK,
    MODE_COMPILE,
    MODE_PTX,
    MODE_FATBIN,
    MODE_LIB,
    MODE_PREPROCESS,
    MODE_DEPENDS,
    MODE_DLINK
} Mode;

typedef struct {
    SourceOptions source;
    Mode mode;
    bool shared, as_cuda, forward, no_runtime, depends_too, version, help;
    const char *output, *depends_mode, *depends_file, *depends_target;
    bool depends_phony;
    SourceArgs inputs; /* sources, objects and libraries in order */
    Diags diags;
    Arena *arena;
} Driver;

static void print_help(FILE *out)
{
    fputs("usage: gpukit cc [OPTIONS] FILE...\n\n"
          "Compiles CUDA programs with nvcc's usual options into ordinary programs and objects "
          "that use\n"
          "gpukit's runtime: make NVCC=\"gpukit cc\" builds existing projects.\n\n"
          "options (one dash or two; an argument may follow joined, after '=', or as the next "
          "word):\n",
          out);
    for (int i = 0; i < OPTION_COUNT; ++i) {
        const struct NvccOption *o = &nvcc_options[i];
        char left[80];
        snprintf(left, sizeof left, "-%s%s%s%s", o->brief,
                 o->full && strcmp(o->full, o->brief) ? ", --" : "",
                 o->full && strcmp(o->full, o->brief) ? o->full : "",
                 o->kind == KIND_FLAG ? "" : " ARG");
        const char *note = o->action == ACT_ACCEPT   ? "no effect: "
                           : o->action == ACT_REFUSE ? "refused: "
                                                     : "";
        fprintf(out, strlen(left) > 34 ? "  %s\n%38s%s%s\n" : "  %-36s%.0s%s%s\n", left, "", note,
                o->help);
    }
    fputs("\nexamples:\n"
          "  gpukit cc -O3 -arch=sm_80 -o app main.cu kernels.cu -lpng\n"
          "  gpukit cc -ptx kernel.cu\n"
          "\nexit codes: 0 clean, 1 the compiler found errors, 2 usage, 3 environment\n",
          out);
}

static const struct NvccOption *find(const char *name, size_t length)
{
    for (int i = 0; i < OPTION_COUNT; ++i) {
        const struct NvccOption *o = &nvcc_options[i];
        if ((strlen(o->brief) == length && strncmp(o->brief, name, length) == 0) ||
            (o->full && strlen(o->full) == length && strncmp(o->full, name, length) == 0))
            return o;
    }
    return NULL;
}

/* -Ifoo, -O3, -lm: one letter with its argument joined. */
static const struct NvccOption *find_joined(const char *name)
{
    return strchr("IDULlOxo", name[0]) ? find(name, 1) : NULL;
}

static void usage(Driver *d, const char *format, const char *what, const char *help)
{
    diag_add(&d->diags, DIAG_ERROR, NULL, 0, 0, format, what);
    diag_help(&d->diags, "%s", help);
}

static bool truth(Driver *d, const char *option, const char *text)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
        return true;
    if (strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        usage(d, "-%s takes true or false", option, "gpukit cc --help");
    return false;
}

static void prefixed(Driver *d, SourceArgs *to, const char *prefix, const char *text)
{
    VEC_PUSH(*to, arena_printf(d->arena, "%s%s", prefix, text));
}

/* Calls once per comma-separated piece; a backslash keeps a comma. */
static void pieces(Driver *d, const char *text, void (*each)(Driver *, const char *))
{
    Buf piece = {0};
    for (;; ++text) {
        if (*text == ',' || *text == 0) {
            if (piece.count)
                each(d, arena_strdup(d->arena, piece.data));
            buf_free(&piece);
            piece = (Buf){0};
            if (*text == 0)
                return;
        } else {
            text += *text == '\\' && text[1] == ',';
            buf_putc(&piece, *text);
        }
    }
}

static void add_host_word(Driver *d, const char *word)
{
    VEC_PUSH(d->source.host, word);
    /* What links differently as well. */
    if (strcmp(word, "-fopenmp") == 0 || strcmp(word, "-pthread") == 0 ||
        strncmp(word, "-fsanitize", 10) == 0 || strcmp(word, "-pg") == 0)
        VEC_PUSH(d->source.link, word);
}
static void add_linker_word(Driver *d, const char *word)
{
    prefixed(d, &d->source.link, "-Xlinker", "");
    VEC_PUSH(d->source.link, word);
}
static void add_include(Driver *d, const char *word)
{
    prefixed(d, &d->source.both, "-I", word);
}
static void add_system(Driver *d, const char *word)
{
    VEC_PUSH(d->source.both, "-isystem");
    VEC_PUSH(d->source.both, word);
}
static void add_preinclude(Driver *d, const char *word)
{
    VEC_PUSH(d->source.both, "-include");
    VEC_PUSH(d->source.both, word);
}
static void add_undefine(Driver *d, const char *word)
{
    prefixed(d, &d->source.both, "-U", word);
}
static void add_library_path(Driver *d, const char *word)
{
    prefixed(d, &d->source.link, "-L", word);
}
static void add_library(Driver *d, const char *word)
{
    /* gpukit's own runtime is linked in any case; NVIDIA's static forms are the same library here.
     */
    static const char *const ours[] = {"cudart", "cudart_static", "cudadevrt", "cudart-static"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i)
        if (strcmp(word, ours[i]) == 0)
            return;
    prefixed(d, &d->inputs, "-l", word);
}
static void add_arch(Driver *d, const char *text)
{
    if (strcmp(text, "native") == 0 || strncmp(text, "all", 3) == 0)
        return; /* PTX of the default architecture runs on all newer ones */
    const char *arch = source_arch(text);
    if (!arch) {
        usage(d, "unknown GPU architecture '%s'", text, "known: sm_50 to sm_90a");
        return;
    }
    if (strcmp(arch, "sm_90") == 0 && atoi(text + strcspn(text, "0123456789")) >= 100)
        diag_add(&d->diags, DIAG_WARNING, NULL, 0, 0,
                 "%s: PTX for sm_90 is made, which runs there too", text);
    /* Of several, the newest: one PTX is embedded. */
    if (!d->source.arch || strcmp(arch, d->source.arch) > 0)
        d->source.arch = arch;
}
static void add_code(Driver *d, const char *text)
{
    if (source_arch(text))
        add_arch(d, text);
}
static void add_gencode(Driver *d, const char *text)
{
    const char *arch = strstr(text, "arch=");
    if (!arch) {
        usage(d, "-gencode '%s': expected arch=compute_XX,code=...", text, "gpukit cc --help");
        return;
    }
    add_arch(d, arena_strndup(d->arena, arch + 5, strcspn(arch + 5, ",")));
}

static int parse(Driver *d, int count, char **words);

static void read_options_file(Driver *d, const char *path)
{
    Buf text = {0};
    if (fs_read(path, &text) != 0) {
        usage(d, "options file '%s' cannot be read", path, "give the path of a text file");
        return;
    }
    VEC(char *) words = {0};
    char *save, *copy = arena_strdup(d->arena, buf_text(&text));
    for (char *w = strtok_r(copy, " \t\r\n", &save); w; w = strtok_r(NULL, " \t\r\n", &save))
        VEC_PUSH(words, w);
    parse(d, (int)words.count, words.items);
    VEC_FREE(words);
    buf_free(&text);
}

static void apply(Driver *d, const struct NvccOption *o, const char *word, const char *arg)
{
    SourceOptions *s = &d->source;
    switch (o->action) {
    case ACT_ACCEPT:
    case ACT_LINK:
        break;
    case ACT_REFUSE:
        diag_add(&d->diags, DIAG_ERROR, NULL, 0, 0, "%s is not supported", word);
        diag_help(&d->diags, "%s", o->help);
        break;
    case ACT_OUTPUT:
        d->output = arg;
        break;
    case ACT_DEVICE_C:
        s->relocatable = true;
        d->mode = MODE_COMPILE;
        break;
    case ACT_COMPILE:
        d->mode = MODE_COMPILE;
        break;
    case ACT_DEVICE_LINK:
        d->mode = MODE_DLINK;
        break;
    case ACT_PTX:
        d->mode = MODE_PTX;
        break;
    case ACT_FATBIN:
        d->mode = MODE_FATBIN;
        break;
    case ACT_LIB:
        d->mode = MODE_LIB;
        break;
    case ACT_SHARED:
        d->shared = true;
        break;
    case ACT_PREPROCESS:
        d->mode = MODE_PREPROCESS;
        break;
    case ACT_DEPENDS:
        d->mode = MODE_DEPENDS;
        d->depends_mode = strstr(word, "MM") || strstr(word, "nonsystem") ? "-MM" : "-M";
        break;
    case ACT_DEPENDS_TOO:
        d->depends_too = true;
        d->depends_mode = strstr(word, "MMD") || strstr(word, "nonsystem") ? "-MM" : "-M";
        break;
    case ACT_DEPENDS_FILE:
        d->depends_file = arg;
        break;
    case ACT_DEPENDS_TARGET:
        d->depends_target = arg;
        break;
    case ACT_DEPENDS_PHONY:
        d->depends_phony = true;
        break;
    case ACT_INCLUDE:
        pieces(d, arg, add_include);
        break;
    case ACT_SYSTEM:
        pieces(d, arg, add_system);
        break;
    case ACT_PREINCLUDE:
        pieces(d, arg, add_preinclude);
        break;
    case ACT_DEFINE:
        prefixed(d, &s->both, "-D", arg);
        break; /* commas may belong to the value */
    case ACT_UNDEFINE:
        pieces(d, arg, add_undefine);
        break;
    case ACT_LIBRARY_PATH:
        pieces(d, arg, add_library_path);
        break;
    case ACT_LIBRARY:
        pieces(d, arg, add_library);
        break;
    case ACT_OPTIMISE:
        s->optimise = arena_printf(d->arena, "-O%s", arg);
        break;
    case ACT_HOST_DEBUG:
        s->host_debug = true;
        break;
    case ACT_DEVICE_DEBUG:
        s->device_debug = s->host_debug = true;
        break;
    case ACT_HOST_WORD:
        add_host_word(d, arena_printf(d->arena, "-%s", o->brief));
        break;
    case ACT_BOTH_WORD:
        VEC_PUSH(s->both, arena_printf(d->arena, "-%s", o->brief));
        break;
    case ACT_STANDARD:
        VEC_PUSH(s->both, arena_printf(d->arena, "-std=gnu++%s",
                                       strncmp(arg, "c++", 3) == 0     ? arg + 3
                                       : strncmp(arg, "gnu++", 5) == 0 ? arg + 5
                                                                       : arg));
        break;
    case ACT_ARCH:
        add_arch(d, arg);
        break;
    case ACT_CODE:
        pieces(d, arg, add_code);
        break;
    case ACT_GENCODE:
        add_gencode(d, arg);
        break;
    case ACT_LANGUAGE:
        d->as_cuda = strcmp(arg, "cu") == 0;
        break;
    case ACT_MACHINE:
        if (strcmp(arg, "64") != 0)
            usage(d, "-m %s: only 64-bit code is made", arg, "leave the option out");
        break;
    case ACT_RDC:
        s->relocatable = truth(d, "rdc", arg);
        break;
    case ACT_FAST_MATH:
        s->fast_math = true;
        break;
    case ACT_FTZ:
        s->flush_denormals = truth(d, "ftz", arg);
        break;
    case ACT_PREC_DIV:
        s->approximate_division = !truth(d, "prec-div", arg);
        break;
    case ACT_PREC_SQRT:
        s->approximate_sqrt = !truth(d, "prec-sqrt", arg);
        break;
    case ACT_FMAD:
        s->no_contraction = !truth(d, "fmad", arg);
        break;
    case ACT_STREAM:
        s->per_thread_stream = strcmp(arg, "per-thread") == 0;
        break;
    case ACT_HOST_WORDS:
        pieces(d, arg, add_host_word);
        break;
    case ACT_LINKER_WORDS:
        pieces(d, arg, add_linker_word);
        break;
    case ACT_PTXAS:
        break;
    case ACT_CUDART:
        if (strcmp(arg, "none") == 0)
            d->no_runtime = true;
        break;
    case ACT_WERROR:
        VEC_PUSH(s->both, "-Werror");
        break;
    case ACT_FORWARD:
        d->forward = true;
        break;
    case ACT_VERBOSE:
        s->verbose = true;
        break;
    case ACT_VERSION:
        d->version = true;
        break;
    case ACT_OPTIONS_FILE:
        read_options_file(d, arg);
        break;
    }
}

static void unknown(Driver *d, const char *word)
{
    bool host = strncmp(word, "-f", 2) == 0 || strncmp(word, "-W", 2) == 0 ||
                strncmp(word, "-m", 2) == 0 || strcmp(word, "-pthread") == 0 ||
                strcmp(word, "-rdynamic") == 0;
    if (d->forward || host) {
        if (!d->forward) {
            diag_add(&d->diags, DIAG_WARNING, NULL, 0, 0,
                     "%s is not an option of nvcc; it goes to the host compiler", word);
            diag_help(&d->diags, "write -Xcompiler %s", word);
        }
        if (strcmp(word, "-rdynamic") == 0)
            VEC_PUSH(d->source.link, word);
        else
            add_host_word(d, word);
        return;
    }
    usage(d, "unknown option %s", word, "gpukit cc --help lists what is known");
}

static int parse(Driver *d, int count, char **words)
{
    for (int i = 0; i < count; ++i) {
        char *word = words[i];
        if (word[0] != '-' || word[1] == 0) {
            VEC_PUSH(d->inputs, word);
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            d->help = true;
            continue;
        }
        const char *name = word + (word[1] == '-' ? 2 : 1), *arg = NULL;
        size_t length = strcspn(name, "=");
        const struct NvccOption *o = find(name, length);
        if (o && name[length] == '=')
            arg = name + length + 1;
        if (!o && (o = find_joined(name)))
            arg = name + 1;
        if (!o) {
            unknown(d, word);
            continue;
        }
        if (o->kind != KIND_FLAG && !arg) {
            if (strcmp(o->brief, "O") == 0) {
                arg = "2"; /* a bare -O */
            } else if (i + 1 == count) {
                usage(d, "%s needs an argument", word, o->help);
                return EXIT_USAGE;
            } else {
                arg = words[++i];
            }
        }
        apply(d, o, word, arg);
    }
    return 0;
}

static bool ends_in(const char *name, const char *const *suffixes)
{
    const char *dot = strrchr(name, '.');
    for (; dot && *suffixes; ++suffixes)
        if (strcmp(dot, *suffixes) == 0)
            return true;
    return false;
}
static bool is_source(const char *name)
{
    static const char *const suffixes[] = {".cu", ".c", ".cc", ".cpp", ".cxx", ".C", ".cuh", NULL};
    return name[0] != '-' && ends_in(name, suffixes);
}

static char *replace_suffix(Driver *d, const char *name, const char *suffix)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name,
               *dot = strrchr(base, '.');
    return arena_printf(d->arena, "%.*s%s", (int)(dot ? dot - base : (long)strlen(base)), base,
                        suffix);
}

/* A host file compiled with -x cu takes a name that says so. */
static const char *as_cuda(Driver *d, const char *input)
{
    static const char *const cuda[] = {".cu", ".cuh", NULL};
    if (!d->as_cuda || ends_in(input, cuda))
        return input;
    char folder[4096];
    char *wrapper = arena_printf(d->arena, "%s.gpukit.cu", input);
    if (!getcwd(folder, sizeof folder))
        return input;
    char *text = arena_printf(d->arena, "#include \"%s%s%s\"\n", input[0] == '/' ? "" : folder,
                              input[0] == '/' ? "" : "/", input);
    return fs_write_atomic(wrapper, text, strlen(text)) == 0 ? wrapper : input;
}

static int write_depends(Driver *d, const char *input, const char *target, const char *file)
{
    const char *mode[8];
    int n = 0;
    mode[n++] = d->depends_mode;
    if (d->depends_phony)
        mode[n++] = "-MP";
    if (target) {
        mode[n++] = "-MT";
        mode[n++] = target;
    }
    return source_preprocess(&d->source, input, file, mode, n, &d->diags);
}

static int compile_one(Driver *d, const char *input, const char *output)
{
    const char *source = as_cuda(d, input);
    int code = source_object(&d->source, source, output, &d->diags);
    if (source != input)
        unlink(source);
    if (code == 0 && d->depends_too)
        code = write_depends(d, input, d->depends_target ? d->depends_target : output,
                             d->depends_file ? d->depends_file : replace_suffix(d, output, ".d"));
    return code;
}

static int make_fatbin(Driver *d, const char *input, const char *output)
{
    char *ptx = arena_printf(d->arena, "%s.ptx.tmp", output);
    int code = source_ptx(&d->source, input, ptx, &d->diags);
    Buf text = {0}, binary = {0};
    if (code == 0 && fs_read(ptx, &text) == 0) {
        source_fatbin(&binary, text.data, text.count,
                      d->source.arch ? d->source.arch : SOURCE_DEFAULT_ARCH);
        if (fs_write_atomic(output, binary.data, binary.count) != 0) {
            usage(d, "'%s' cannot be written", output, "check the folder and its rights");
            code = EXIT_ENVIRONMENT;
        }
    }
    unlink(ptx);
    buf_free(&text);
    buf_free(&binary);
    return code;
}

/* Each input to its own output: -c, -ptx, -fatbin, -E, -M. */
static int each_input(Driver *d)
{
    static const char *const suffix[] = {
        [MODE_COMPILE] = ".o", [MODE_PTX] = ".ptx", [MODE_FATBIN] = ".fatbin"};
    int code = 0, sources = 0;
    for (size_t i = 0; i < d->inputs.count; ++i)
        sources += is_source(d->inputs.items[i]) || d->as_cuda;
    if (sources > 1 && d->output) {
        usage(d, "-o %s names one output, but there are several inputs", d->output,
              "compile them one by one");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < d->inputs.count && code == 0; ++i) {
        const char *input = d->inputs.items[i];
        if (!is_source(input) && !d->as_cuda)
            continue;
        if (d->mode == MODE_PREPROCESS || d->mode == MODE_DEPENDS) {
            static const char *const preprocess[] = {"-E"};
            code = d->mode == MODE_DEPENDS
                       ? write_depends(d, input, d->depends_target,
                                       d->depends_file ? d->depends_file : d->output)
                       : source_preprocess(&d->source, input, d->output, preprocess, 1, &d->diags);
            continue;
        }
        const char *output = d->output ? d->output : replace_suffix(d, input, suffix[d->mode]);
        code = d->mode == MODE_PTX      ? source_ptx(&d->source, input, output, &d->diags)
               : d->mode == MODE_FATBIN ? make_fatbin(d, input, output)
                                        : compile_one(d, input, output);
    }
    return code;
}

static int run_archiver(Driver *d, const SourceArgs *objects)
{
    const char *output = d->output ? d->output : "a.a";
    SourceArgs words = {0};
    const char *head[] = {"ar", "rcs", output};
    for (int i = 0; i < 3; ++i)
        VEC_PUSH(words, head[i]);
    for (size_t i = 0; i < objects->count; ++i)
        VEC_PUSH(words, objects->items[i]);
    VEC_PUSH(words, NULL);
    unlink(output);
    pid_t pid;
    int status = -1;
    if (posix_spawnp(&pid, "ar", NULL, NULL, (char **)(void *)words.items, environ) == 0)
        waitpid(pid, &status, 0);
    VEC_FREE(words);
    if (status != 0)
        usage(d, "ar could not make '%s'", output, "install binutils");
    return status == 0 ? 0 : EXIT_ENVIRONMENT;
}

/* gpukit links PTX when the program starts, so a device-link object has nothing in it. */
static int device_link(Driver *d)
{
    const char *output = d->output ? d->output : "a_dlink.o";
    char *source = arena_printf(d->arena, "%s.gpukit.c", output);
    static const char text[] = "extern int gpukit_device_link;\n";
    int code = fs_write_atomic(source, text, sizeof text - 1) == 0
                   ? source_object(&d->source, source, output, &d->diags)
                   : EXIT_ENVIRONMENT;
    unlink(source);
    return code;
}

static int link_all(Driver *d)
{
    SourceArgs objects = {0}, made = {0};
    const char *base = getenv("TMPDIR");
    char *folder = arena_printf(d->arena, "%s/gpukit-cc.XXXXXX", base && base[0] ? base : "/tmp");
    int code = 0;
    if (!mkdtemp(folder)) {
        usage(d, "no temporary folder in '%s'", base ? base : "/tmp",
              "set TMPDIR to a writable folder");
        return EXIT_ENVIRONMENT;
    }
    for (size_t i = 0; i < d->inputs.count && code == 0; ++i) {
        const char *input = d->inputs.items[i];
        if (is_source(input) || (d->as_cuda && input[0] != '-' && !strstr(input, ".o"))) {
            char *object = arena_printf(d->arena, "%s/%zu.o", folder, i);
            code = compile_one(d, input, object);
            VEC_PUSH(made, object);
            input = object;
        }
        VEC_PUSH(objects, input);
    }
    if (code == 0)
        code = d->mode == MODE_LIB
                   ? run_archiver(d, &objects)
                   : source_link(&d->source, objects.items, (int)objects.count,
                                 d->output ? d->output : "a.out", d->shared, &d->diags);
    for (size_t i = 0; i < made.count; ++i)
        unlink(made.items[i]);
    rmdir(folder);
    VEC_FREE(objects);
    VEC_FREE(made);
    return code;
}

int cmd_cc(int argc, char **argv)
{
    Driver d = {.arena = arena_new()};
    diags_init(&d.diags);
    VEC_PUSH(d.source.both, "-Wno-unknown-warning-option");
    VEC_PUSH(d.source.both, "-Wno-ignored-optimization-argument");
    parse(&d, argc - 1, argv + 1);
    int code = d.diags.errors ? EXIT_USAGE : 0;
    if (d.help) {
        print_help(stdout);
    } else if (d.version) {
        printf("gpukit cc, release 13.0, V13.0.0 (CUDA by clang with gpukit's headers)\n");
    } else if (code == 0 && d.inputs.count == 0) {
        usage(&d, "%s", "no input files", "gpukit cc --help");
        code = EXIT_USAGE;
    } else if (code == 0) {
        for (size_t i = 0; i < d.inputs.count && code == 0; ++i)
            if (d.inputs.items[i][0] != '-' && !fs_exists(d.inputs.items[i])) {
                usage(&d, "'%s' does not exist", d.inputs.items[i],
                      "give source files, objects or libraries");
                code = EXIT_USAGE;
            }
        if (code == 0)
            code = d.mode == MODE_LINK || d.mode == MODE_LIB ? link_all(&d)
                   : d.mode == MODE_DLINK                    ? device_link(&d)
                                                             : each_input(&d);
    }
    diags_print(&d.diags, stderr);
    diags_fini(&d.diags);
    SourceArgs *lists[] = {&d.source.both, &d.source.host, &d.source.device,
                           &d.source.link, &d.source.nvcc, &d.inputs};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        VEC_FREE(*lists[i]);
    arena_free(d.arena);
    return code;
}
