/* SPDX-License-Identifier: Apache-2.0
 *
 * gpukit ptxas, and the program called ptxas in the toolkit folder: stands where compilers that make PTX
 * (Triton, numba) call NVIDIA's assembler. Checks the PTX and writes it on: gpukit's libcuda takes PTX
 * where a driver takes machine code. It makes no machine code. */
#include "base/diag.h"
#include "base/fs.h"
#include "ir/ir.h"
#include "ptx/ptx.h"

#include <stdbool.h>
#include <string.h>

/* Options of the real one: letter form, word form, has an argument. What they ask for concerns machine
 * code only, but for the output, the input and the two that print. */
#define PTXAS_OPTIONS(X)                                                                           \
    X("-o", "--output-file", true)                                                                 \
    X("-arch", "--gpu-name", true)                                                                 \
    X("-O", "--opt-level", true)                                                                   \
    X("-fmad", "--fmad", true)                                                                     \
    X("-maxrregcount", "--maxrregcount", true)                                                     \
    X("-v", "--verbose", false)                                                                    \
    X("-g", "--device-debug", false)                                                               \
    X("-lineinfo", "--generate-line-info", false)                                                  \
    X("-suppress-debug-info", "--suppress-debug-info", false)                                      \
    X("-m", "--machine", true)                                                                     \
    X("-c", "--compile-only", false)                                                               \
    X("-w", "--disable-warnings", false)                                                           \
    X("-Werror", "--warning-as-error", false)                                                      \
    X("-warn-spills", "--warn-on-spills", false)                                                   \
    X("-regAllocOptLevel", "--regAllocOptLevel", true)

typedef struct {
    const char *letter, *word;
    bool takes;
} PtxasOption;
static const PtxasOption options[] = {
#define OPTION(letter, word, takes) {letter, word, takes},
    PTXAS_OPTIONS(OPTION)
#undef OPTION
};

static const char help[] =
    "usage: gpukit ptxas [OPTIONS] FILE.ptx -o FILE\n\n"
    "Stands where a compiler calls NVIDIA's ptxas: checks the PTX and writes it to FILE, which "
    "gpukit's\n"
    "libcuda loads like machine code. Takes ptxas's usual options; others are errors.\n\n"
    "Example (Triton on the CPU engine):\n"
    "  TRITON_PTXAS_PATH=lib/gpukit/toolkit/bin/ptxas LD_LIBRARY_PATH=lib python3 kernel.py\n"
    "Exit code 1: an error in the PTX.\n";

/* The option that argument is, and its value when written with '='. */
static const PtxasOption *find_option(const char *argument, const char **value)
{
    const char *equals = strchr(argument, '=');
    size_t bytes = equals ? (size_t)(equals - argument) : strlen(argument);
    *value = equals ? equals + 1 : NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        const char *names[2] = {options[i].letter, options[i].word};
        for (int k = 0; k < 2; ++k)
            if (strlen(names[k]) == bytes && memcmp(names[k], argument, bytes) == 0)
                return &options[i];
    }
    if (argument[0] == '-' && argument[1] == 'O' && argument[2]) {
        *value = argument + 2;
        return &options[2];
    }
    return NULL;
}

static void describe(const IrModule *module)
{
    for (uint32_t i = 0; i < module->function_count; ++i)
        if (module->functions[i]->is_entry)
            fprintf(
                stderr,
                "ptxas info    : kernel '%s' for '%s': %d PTX registers, no machine code is made\n",
                module->functions[i]->name, module->target, module->functions[i]->reg_count);
}

static int assemble(const char *in, const char *out, bool verbose)
{
    Buf text = {0};
    int error = fs_read(in, &text);
    if (error) {
        fprintf(stderr, "gpukit ptxas: %s: %s\n", in, strerror(-error));
        return EXIT_ENVIRONMENT;
    }
    Diags diags;
    diags_init(&diags);
    IrModule *module = ptx_parse(text.data, text.count, in, &diags);
    bool good = module && ir_verify(module, &diags);
    diags_print(&diags, stderr);
    if (good && verbose)
        describe(module);
    buf_putc(&text, 0); /* libcuda is given no length */
    error = good ? fs_write_atomic(out, text.data, text.count) : 0;
    if (error)
        fprintf(stderr, "gpukit ptxas: %s: %s\n", out, strerror(-error));
    ir_module_free(module);
    diags_fini(&diags);
    buf_free(&text);
    return error ? EXIT_ENVIRONMENT : good ? EXIT_CLEAN : EXIT_FINDINGS;
}

int cmd_ptxas(int argc, char **argv)
{
    const char *in = NULL, *out = "elf.o", *value;
    bool verbose = false;
    for (int i = 1; i < argc; ++i) {
        const char *a = argv[i];
        if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
            fputs(help, stdout);
            return EXIT_CLEAN;
        }
        if (strcmp(a, "--version") == 0 || strcmp(a, "-V") == 0) {
            puts("gpukit " GPUKIT_VERSION
                 " in place of ptxas\nCuda compilation tools, release 13.0, V13.0.0");
            return EXIT_CLEAN;
        }
        if (a[0] != '-') {
            if (in) {
                fprintf(stderr, "gpukit ptxas: one input file is taken, not '%s' and '%s'\n", in,
                        a);
                return EXIT_USAGE;
            }
            in = a;
            continue;
        }
        const PtxasOption *option = find_option(a, &value);
        if (!option) {
            fprintf(stderr, "gpukit ptxas: unknown option '%s'\n  help: gpukit ptxas --help\n", a);
            return EXIT_USAGE;
        }
        if (option->takes && !value && i + 1 < argc)
            value = argv[++i];
        if (option->takes && !value) {
            fprintf(stderr, "gpukit ptxas: '%s' needs a value\n", a);
            return EXIT_USAGE;
        }
        if (strcmp(option->word, "--output-file") == 0)
            out = value;
        verbose |= strcmp(option->word, "--verbose") == 0;
    }
    if (!in) {
        fputs("gpukit ptxas: no file given\n  help: gpukit ptxas --help\n", stderr);
        return EXIT_USAGE;
    }
    return assemble(in, out, verbose);
}
