/* SPDX-License-Identifier: Apache-2.0
 * gpukit cc: a compiler driver that takes nvcc's options (nvcc_options.def), so that existing
 * makefiles build ordinary programs with gpukit's runtime: make NVCC="gpukit cc". */
#include "base/buf.h"
#include "base/diag.h"
#include "base/fs.h"
#include "base/scratch.h"
#include "source/fatbin.h"
#include "source/source.h"

#include <ctype.h>
#include <errno.h>
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
    ACT_WARN,
    ACT_REFUSE,
    ACT_OUTPUT,
    ACT_COMPILE,
    ACT_DEVICE_C,
    ACT_DEVICE_LINK,
    ACT_LINK,
    ACT_PTX,
    ACT_FATBIN,
    ACT_CUBIN,
    ACT_LIB,
    ACT_SHARED,
    ACT_PREPROCESS,
    ACT_DEPENDS,
    ACT_DEPENDS_TOO,
    ACT_DEPENDS_FILE,
    ACT_DEPENDS_TARGET,
    ACT_DEPENDS_PHONY,
    ACT_OUTPUT_FOLDER,
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
    ACT_BOTH_VALUE,
    ACT_NO_EXCEPTIONS,
    ACT_STANDARD,
    ACT_ARCH,
    ACT_CODE,
    ACT_GENCODE,
    ACT_LANGUAGE,
    ACT_MACHINE,
    ACT_RDC,
    ACT_EXTENSIBLE,
    ACT_NO_DEVICE_LINK,
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
    ACT_ARCHIVER,
    ACT_WERROR,
    ACT_FORWARD,
    ACT_FORWARD_LINKER,
    ACT_FORWARD_BOTH,
    ACT_LIST_CODE,
    ACT_LIST_ARCH,
    ACT_RUN,
    ACT_RUN_ARGUMENTS,
    ACT_VERBOSE,
    ACT_DRYRUN,
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
    MODE_CUBIN,
    MODE_LIB,
    MODE_PREPROCESS,
    MODE_DEPENDS,
    MODE_DLINK
} Mode;

typedef struct {
    SourceOptions source;
    Mode mode;
    bool shared, forward, forward_linker, depends_too, version, help, run, dry;
    const char *output, *output_folder, *archiver, *list;
    const char *depends_mode, *depends_file, *depends_target;
    bool depends_phony;
    SourceArgs inputs; /* sources, objects and libraries in order */
    SourceArgs run_arguments;
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
                           : o->action == ACT_WARN   ? "warned about: "
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

/* Words as a shell splits them: blanks, both kinds of quotes, backslashes. */
static void shell_words(Driver *d, const char *text, SourceArgs *words)
{
    for (const char *p = text; *p;) {
        while (*p && isspace((unsigned char)*p))
            ++p;
        Buf word = {0};
        bool any = false;
        char quote = 0;
        for (; *p && (quote || !isspace((unsigned char)*p)); ++p) {
            any = true;
            if (*p == quote)
                quote = 0;
            else if (!quote && (*p == '"' || *p == '\''))
                quote = *p;
            else if (*p == '\\' && p[1] && quote != '\'')
                buf_putc(&word, *++p);
            else
                buf_putc(&word, *p);
        }
        if (any)
            VEC_PUSH(*words, arena_strdup(d->arena, buf_text(&word)));
        buf_free(&word);
    }
}

/* What follows -Xcompiler goes through nvcc's shell, so that it may be several words: "-Wall -g". The
 * host's preprocessor works for both passes there, and so do macros and folders here. */
static void add_host_word(Driver *d, const char *text)
{
    SourceArgs words = {0};
    shell_words(d, text, &words);
    for (size_t i = 0; i < words.count; ++i) {
        const char *word = words.items[i];
        bool preprocessor = word[0] == '-' && word[1] && strchr("DUI", word[1]) && word[2];
        if (preprocessor)
            VEC_PUSH(d->source.both, word);
        else
            source_host_word(&d->source, d->arena, word, &d->diags);
    }
    VEC_FREE(words);
}
static void add_linker_word(Driver *d, const char *text)
{
    SourceArgs words = {0};
    shell_words(d, text, &words);
    for (size_t i = 0; i < words.count; ++i) {
        prefixed(d, &d->source.link, "-Xlinker", "");
        VEC_PUSH(d->source.link, words.items[i]);
    }
    VEC_FREE(words);
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
    /* gpukit's own runtime is linked in any case, the marks of NVTX are in its header; NVIDIA's
     * static forms are the same libraries here. */
    static const char *const ours[] = {"cudart",        "cudart_static", "cudadevrt",
                                       "cudart-static", "culibos",       "nvToolsExt"};
    static const char *const shared[] = {"cublas", "cublasLt", "cufft",
                                         "curand", "cusparse", "cusolver"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i)
        if (strcmp(word, ours[i]) == 0)
            return;
    const char *tail = strstr(word, "_static");
    for (size_t i = 0; tail && i < sizeof shared / sizeof *shared; ++i)
        if (strlen(shared[i]) == (size_t)(tail - word) &&
            !strncmp(word, shared[i], strlen(shared[i])))
            word = shared[i];
    prefixed(d, &d->inputs, "-l", word);
}
static void add_arch(Driver *d, const char *text)
{
    if (strcmp(text, "native") == 0 || strncmp(text, "all", 3) == 0)
        return; /* PTX of the default architecture runs on all newer ones */
    /* Makefiles name architectures that no compiler knows any more. */
    long number = strtol(text + strcspn(text, "0123456789"), NULL, 10);
    if (number >= 10 && number < 50) {
        diag_add(&d->diags, DIAG_WARNING, NULL, 0, 0,
                 "%s: PTX for sm_50 is made, the oldest that clang writes", text);
        text = "sm_50";
    }
    const char *arch = source_arch(text);
    if (!arch) {
        usage(d, "unknown GPU architecture '%s'", text, "known: sm_50 to sm_90a");
        return;
    }
    if (strcmp(arch, "sm_90") == 0 && atoi(text + strcspn(text, "0123456789")) >= 100)
        diag_add(&d->diags, DIAG_WARNING, NULL, 0, 0,
                 "%s: PTX for sm_90 is made, which runs there too", text);
    /* In ascending order; the newest is what the host code is compiled with. */
    SourceArgs *older = &d->source.older;
    const char *newest = d->source.arch;
    if (!newest || strcmp(arch, newest) > 0) {
        d->source.arch = arch;
        arch = newest;
    }
    size_t at = older->count;
    for (size_t i = 0; arch && i < older->count; ++i)
        if (strcmp(older->items[i], arch) == 0)
            return;
    if (!arch || strcmp(arch, d->source.arch) == 0)
        return;
    VEC_PUSH(*older, arch);
    for (; at > 0 && strcmp(older->items[at - 1], arch) > 0; --at)
        older->items[at] = older->items[at - 1];
    older->items[at] = arch;
}
/* Machine code is not made; it would be assembled from the PTX that -arch names. */
static void add_code(Driver *d, const char *text)
{
    long number = strtol(text + strcspn(text, "0123456789"), NULL, 10);
    if (!source_arch(text) && (number < 10 || number >= 50))
        usage(d, "unknown GPU architecture '%s'", text, "known: sm_50 to sm_90a");
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

static void parse_text(Driver *d, const char *text)
{
    SourceArgs words = {0};
    shell_words(d, text, &words);
    parse(d, (int)words.count, (char **)(void *)words.items);
    VEC_FREE(words);
}

static void read_options_file(Driver *d, const char *path)
{
    Buf text = {0};
    if (fs_read(path, &text) != 0)
        usage(d, "options file '%s' cannot be read", path, "give the path of a text file");
    else
        parse_text(d, buf_text(&text));
    buf_free(&text);
}

/* nvcc's names for kinds of warnings; those that clang does not have are always silent. */
static void add_werror(Driver *d, const char *kind)
{
    static const char *const known[] = {"cross-execution-space-call", "default-stream-launch",
                                        "missing-launch-bounds", "ext-lambda-captures-this",
                                        "deprecated-gpu-targets"};
    if (strcmp(kind, "all-warnings") == 0) {
        VEC_PUSH(d->source.both, "-Werror");
        return;
    }
    if (strcmp(kind, "reorder") == 0 || strcmp(kind, "deprecated-declarations") == 0) {
        prefixed(d, &d->source.both, "-Werror=", kind);
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strcmp(kind, known[i]) == 0)
            return;
    usage(d, "-Werror: unknown kind '%s'", kind,
          "all-warnings, reorder, deprecated-declarations, ...");
}
static void add_run_argument(Driver *d, const char *word)
{
    VEC_PUSH(d->run_arguments, word);
}

static bool set_language(Driver *d, const char *name)
{
    static const char *const names[] = {
        [LANGUAGE_CUDA] = "cu", [LANGUAGE_CXX] = "c++", [LANGUAGE_C] = "c"};
    for (int i = LANGUAGE_CUDA; i <= LANGUAGE_C; ++i)
        if (strcmp(name, names[i]) == 0) {
            d->source.language = (SourceLanguage)i;
            return true;
        }
    return false;
}

static void apply(Driver *d, const struct NvccOption *o, const char *word, const char *arg)
{
    SourceOptions *s = &d->source;
    switch (o->action) {
    case ACT_ACCEPT:
    case ACT_LINK:
        break;
    case ACT_WARN:
        diag_add(&d->diags, DIAG_WARNING, NULL, 0, 0, "%s has no effect: %s", word, o->help);
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
    case ACT_CUBIN:
        d->mode = MODE_CUBIN;
        diag_add(&d->diags, DIAG_WARNING, NULL, 0, 0,
                 "%s: a fat binary with PTX is written; cuModuleLoad takes it as it takes a cubin",
                 word);
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
    case ACT_OUTPUT_FOLDER:
        d->output_folder = arg;
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
    case ACT_BOTH_VALUE:
        VEC_PUSH(s->both, arena_printf(d->arena, "-%s=%s", o->brief, arg));
        break;
    case ACT_NO_EXCEPTIONS:
        VEC_PUSH(s->host, "-fno-exceptions");
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
        if (!set_language(d, arg))
            usage(d, "-x: unknown language '%s'", arg, "cu, c++ or c");
        break;
    case ACT_MACHINE:
        if (strcmp(arg, "64") != 0)
            usage(d, "-m %s: only 64-bit code is made", arg, "leave the option out");
        break;
    case ACT_RDC:
        s->relocatable = truth(d, "rdc", arg);
        break;
    case ACT_EXTENSIBLE:
        s->relocatable = true;
        break;
    case ACT_NO_DEVICE_LINK:
        s->no_device_link = true;
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
            s->no_runtime = true;
        else if (strcmp(arg, "shared") == 0)
            s->shared_runtime = true;
        else if (strcmp(arg, "static") != 0)
            usage(d, "-cudart: unknown kind '%s'", arg, "none, shared or static");
        break;
    case ACT_ARCHIVER:
        d->archiver = arg;
        break;
    case ACT_WERROR:
        pieces(d, arg, add_werror);
        break;
    case ACT_FORWARD:
        d->forward = true;
        break;
    case ACT_FORWARD_LINKER:
        d->forward_linker = true;
        break;
    case ACT_FORWARD_BOTH:
        d->forward = d->forward_linker = true;
        break;
    case ACT_LIST_CODE:
        d->list = "sm_";
        break;
    case ACT_LIST_ARCH:
        d->list = "compute_";
        break;
    case ACT_RUN:
        d->run = true;
        break;
    case ACT_RUN_ARGUMENTS:
        pieces(d, arg, add_run_argument);
        break;
    case ACT_VERBOSE:
        s->verbose = true;
        break;
    case ACT_DRYRUN:
        d->dry = true;
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
    if (d->forward_linker)
        VEC_PUSH(d->source.link, word);
    if (d->forward || (host && !d->forward_linker)) {
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
    if (!d->forward_linker)
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

static bool is_compiled(const Driver *d, const char *name)
{
    static const char *const linked[] = {".o", ".a", ".so", ".obj", ".lo", NULL};
    return is_source(name) || (d->source.language != LANGUAGE_BY_NAME && name[0] != '-' &&
                               !ends_in(name, linked) && !strstr(name, ".so."));
}

/* The name of an output that -o does not give. */
static const char *output_name(Driver *d, const char *input, const char *suffix)
{
    const char *name = replace_suffix(d, input, suffix);
    return d->output_folder ? arena_printf(d->arena, "%s/%s", d->output_folder, name) : name;
}

/* Words that make a compiler write a make rule: mode is -MD or -MMD beside a compilation, -M or -MM
 * alone. */
static void depends_words(Driver *d, SourceArgs *words, const char *mode, const char *target)
{
    VEC_PUSH(*words, mode);
    if (d->depends_phony)
        VEC_PUSH(*words, "-MP");
    if (target) {
        VEC_PUSH(*words, "-MT");
        VEC_PUSH(*words, target);
    }
}

static int print_depends(Driver *d, const char *input)
{
    SourceArgs words = {0};
    depends_words(d, &words, d->depends_mode,
                  d->depends_target  ? d->depends_target
                  : d->output_folder ? output_name(d, input, ".o")
                                     : NULL);
    int code = source_preprocess(&d->source, input, d->depends_file ? d->depends_file : d->output,
                                 words.items, (int)words.count, &d->diags);
    VEC_FREE(words);
    return code;
}

static int compile_one(Driver *d, const char *input, const char *output)
{
    SourceOptions *s = &d->source;
    s->depends.count = 0;
    s->depends_file = NULL;
    if (d->depends_too) {
        const char *dot = strrchr(output, '.');
        depends_words(d, &s->depends, strcmp(d->depends_mode, "-MM") == 0 ? "-MMD" : "-MD",
                      d->depends_target ? d->depends_target : output);
        s->depends_file =
            d->depends_file
                ? d->depends_file
                : arena_printf(d->arena, "%.*s.d", (int)(dot ? dot - output : (long)strlen(output)),
                               output);
    }
    return d->mode == MODE_PTX ? source_ptx(s, input, output, &d->diags)
                               : source_object(s, input, output, &d->diags);
}

/* From CUDA source or from PTX. */
static int make_fatbin(Driver *d, const char *input, const char *output)
{
    static const char *const suffix[] = {".ptx", NULL};
    bool made = ends_in(input, suffix);
    const char *ptx = made ? input : arena_printf(d->arena, "%s.ptx.tmp", output);
    int code = made ? 0 : source_ptx(&d->source, input, ptx, &d->diags);
    FatbinPtx part = {.arch = d->source.arch ? d->source.arch : SOURCE_DEFAULT_ARCH};
    Buf binary = {0};
    if (code == 0 && fs_read(ptx, &part.text) == 0) {
        fatbin_write(&binary, &part, 1);
        if (fs_write_atomic(output, binary.data, binary.count) != 0) {
            usage(d, "'%s' cannot be written", output, "check the folder and its rights");
            code = EXIT_ENVIRONMENT;
        }
    }
    if (!made)
        unlink(ptx);
    buf_free(&part.text);
    buf_free(&binary);
    return code;
}

/* Each input to its own output: -c, -ptx, -fatbin, -E, -M. */
static int each_input(Driver *d)
{
    static const char *const suffix[] = {[MODE_COMPILE] = ".o",
                                         [MODE_PTX] = ".ptx",
                                         [MODE_FATBIN] = ".fatbin",
                                         [MODE_CUBIN] = ".cubin"};
    static const char *const ptx[] = {".ptx", NULL};
    bool fatbin = d->mode == MODE_FATBIN || d->mode == MODE_CUBIN;
    int code = 0, sources = 0;
    for (size_t i = 0; i < d->inputs.count; ++i)
        sources += is_compiled(d, d->inputs.items[i]);
    if (sources > 1 && d->output) {
        usage(d, "-o %s names one output, but there are several inputs", d->output,
              "compile them one by one");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < d->inputs.count && code == 0; ++i) {
        const char *input = d->inputs.items[i];
        if (!is_compiled(d, input) && !(fatbin && ends_in(input, ptx)))
            continue;
        if (d->mode == MODE_DEPENDS) {
            code = print_depends(d, input);
            continue;
        }
        if (d->mode == MODE_PREPROCESS) {
            static const char *const preprocess[] = {"-E"};
            code = source_preprocess(&d->source, input, d->output, preprocess, 1, &d->diags);
            continue;
        }
        const char *output = d->output ? d->output : output_name(d, input, suffix[d->mode]);
        code = fatbin ? make_fatbin(d, input, output) : compile_one(d, input, output);
    }
    return code;
}

static int run_archiver(Driver *d, const SourceArgs *objects)
{
    const char *output = d->output ? d->output : "a.a";
    SourceArgs words = {0};
    const char *head[] = {d->archiver ? d->archiver : "ar", "rcs", output};
    for (int i = 0; i < 3; ++i)
        VEC_PUSH(words, head[i]);
    for (size_t i = 0; i < objects->count; ++i)
        VEC_PUSH(words, objects->items[i]);
    VEC_PUSH(words, NULL);
    unlink(output);
    pid_t pid;
    int status = -1;
    if (posix_spawnp(&pid, words.items[0], NULL, NULL, (char **)(void *)words.items, environ) == 0)
        waitpid(pid, &status, 0);
    VEC_FREE(words);
    if (status != 0)
        usage(d, "the archiver could not make '%s'", output, "install binutils");
    return status == 0 ? 0 : EXIT_ENVIRONMENT;
}

static int link_all(Driver *d)
{
    SourceArgs objects = {0};
    char *folder = scratch_new(NULL);
    int code = 0;
    if (!folder) {
        usage(d, "no temporary folder: %s", strerror(errno), "set TMPDIR to a writable folder");
        return EXIT_ENVIRONMENT;
    }
    for (size_t i = 0; i < d->inputs.count && code == 0; ++i) {
        const char *input = d->inputs.items[i];
        if (is_compiled(d, input)) {
            char *object = arena_printf(d->arena, "%s/%zu.o", folder, i);
            code = compile_one(d, input, object);
            input = object;
        }
        VEC_PUSH(objects, input);
    }
    int count = (int)objects.count;
    if (code == 0)
        code = d->mode == MODE_LIB ? run_archiver(d, &objects)
               : d->mode == MODE_DLINK
                   ? source_device_link(&d->source, objects.items, count,
                                        d->output ? d->output : "a_dlink.o", &d->diags)
                   : source_link(&d->source, objects.items, count, d->output ? d->output : "a.out",
                                 d->shared, &d->diags);
    scratch_remove(folder);
    VEC_FREE(objects);
    return code;
}

/* nvcc -v begins with what its profile sets; CMake and FindCUDAToolkit read the toolkit's place,
 * the folders and the default architecture there. */
static void print_profile(Driver *d)
{
    const char *arch = d->source.arch ? d->source.arch : SOURCE_DEFAULT_ARCH,
               *path = getenv("PATH");
    char *toolkit = source_toolkit_dir(), *libraries = source_library_dir(&d->diags);
    if (toolkit && libraries)
        fprintf(stderr,
                "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s/bin:%s\n"
                "#$ INCLUDES=-I%s/include\n#$ LIBRARIES=-L%s\n"
                "#$ ARCHITECTURE= -arch compute_%s\n",
                toolkit, toolkit, toolkit, path ? path : "", toolkit, libraries, arch + 3);
    free(toolkit);
    free(libraries);
}

/* -dryrun, in which makefiles look for the libraries that a link by another compiler needs: they cut
 * at the output's name, which stands first, as nvcc's did up to 10. Nothing is compiled. */
static void print_link(Driver *d)
{
    char *libraries = source_library_dir(&d->diags);
    if (libraries)
        fprintf(stderr,
                "#$ g++ -o \"%s\" -Wl,--start-group \"-L%s\" -lcudadevrt -lcudart_static -lrt "
                "-lpthread -ldl -Wl,--end-group\n",
                d->output ? d->output : "a.out", libraries);
    free(libraries);
}

/* -run: becomes the program. */
static int run_program(Driver *d)
{
    const char *program = d->output ? d->output : "a.out";
    if (!strchr(program, '/'))
        program = arena_printf(d->arena, "./%s", program);
    SourceArgs words = {0};
    VEC_PUSH(words, program);
    for (size_t i = 0; i < d->run_arguments.count; ++i)
        VEC_PUSH(words, d->run_arguments.items[i]);
    VEC_PUSH(words, NULL);
    diags_print(&d->diags, stderr);
    execv(program, (char **)(void *)words.items);
    VEC_FREE(words);
    usage(d, "'%s' cannot be run", program, "check the folder and its rights");
    return EXIT_ENVIRONMENT;
}

/* nvcc takes options from the environment as well. */
static void parse_variable(Driver *d, const char *name)
{
    const char *text = getenv(name);
    if (text)
        parse_text(d, text);
}

static int check_inputs(Driver *d)
{
    if (d->inputs.count == 0) {
        usage(d, "%s", "no input files", "gpukit cc --help");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < d->inputs.count; ++i)
        if (d->inputs.items[i][0] != '-' && !fs_exists(d->inputs.items[i])) {
            usage(d, "'%s' does not exist", d->inputs.items[i],
                  "give source files, objects or libraries");
            return EXIT_USAGE;
        }
    return 0;
}

/* What a word after -Xcompiler asks of the host compiler, as clang's word; NULL when it asks nothing.
 * clang has one version number where gcc has a short and a full one. */
static const char *host_question(const char *word)
{
    static const struct {
        const char *word, *clang;
    } questions[] = {{"--version", "--version"},
                     {"-dumpfullversion", "-dumpversion"},
                     {"-dumpversion", "-dumpversion"},
                     {"-dumpmachine", "-dumpmachine"}};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i)
        if (strcmp(word, questions[i].word) == 0)
            return questions[i].clang;
    return NULL;
}

/* Build systems ask nvcc which host compiler it calls, with an input that does not exist: the
 * compiler answers, in this process's place. -1 when no word is such a question. */
static int answer_host_question(Driver *d)
{
    const char *question = NULL;
    for (size_t i = 0; i < d->source.host.count && !question; ++i)
        question = host_question(d->source.host.items[i]);
    if (!question)
        return -1;
    SourceFrontend frontend = d->source.frontend;
    char *compiler = source_compiler(&frontend, &d->diags);
    if (compiler) {
        execl(compiler, compiler, question, (char *)NULL);
        usage(d, "'%s' cannot be run", compiler, "check its rights");
    }
    free(compiler);
    return EXIT_ENVIRONMENT;
}

static int work(Driver *d)
{
    int code = answer_host_question(d);
    if (code >= 0)
        return code;
    code = check_inputs(d);
    if (code)
        return code;
    if (d->mode != MODE_LINK && d->mode != MODE_LIB && d->mode != MODE_DLINK)
        return each_input(d);
    code = link_all(d);
    return code == 0 && d->run ? run_program(d) : code;
}

/* CMake looks for the words of nvcc's first line, and for V and a number. */
static const char version_text[] = "gpukit cc, clang with gpukit's headers, in the place of nvcc: "
                                   "NVIDIA (R) Cuda compiler driver\n"
                                   "Cuda compilation tools, release 13.0, V13.0.0\n";

static void list_architectures(const char *prefix)
{
    for (int i = 0; source_arch_name(i); ++i)
        printf("%s%s\n", prefix, source_arch_name(i) + 3);
}

int cmd_cc(int argc, char **argv)
{
    Driver d = {.arena = arena_new()};
    diags_init(&d.diags);
    VEC_PUSH(d.source.both, "-Wno-unknown-warning-option");
    VEC_PUSH(d.source.both, "-Wno-ignored-optimization-argument");
    parse_variable(&d, "NVCC_PREPEND_FLAGS");
    parse(&d, argc - 1, argv + 1);
    parse_variable(&d, "NVCC_APPEND_FLAGS");
    int code = 0;
    if (d.source.verbose || d.dry)
        print_profile(&d);
    if (d.diags.errors)
        code = EXIT_USAGE;
    else if (d.help)
        print_help(stdout);
    else if (d.version)
        fputs(version_text, stdout);
    else if (d.list)
        list_architectures(d.list);
    else if (d.dry)
        print_link(&d);
    else
        code = work(&d);
    diags_print(&d.diags, stderr);
    diags_fini(&d.diags);
    SourceArgs *lists[] = {&d.source.both,    &d.source.host, &d.source.device,
                           &d.source.link,    &d.source.nvcc, &d.source.older,
                           &d.source.depends, &d.inputs,      &d.run_arguments};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        VEC_FREE(*lists[i]);
    arena_free(d.arena);
    return code;
}
