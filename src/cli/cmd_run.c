/* SPDX-License-Identifier: Apache-2.0
 * gpukit run: builds a CUDA source (or takes a built program) and becomes it, with the environment
 * that makes the loader take gpukit's runtime. Standard output, standard error and the exit status
 * are then the program's own. */
#include "base/diag.h"
#include "base/fs.h"
#include "base/options.h"
#include "base/scratch.h"
#include "catalogue/devices.h"
#include "source/binary.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    const char *device, *as, *frontend, *optimise, *standard, *arch, *stream, *output, *rdc;
    long threads, devices, fill;
    unsigned long long memory;
    double time_limit, late;
    OptList include, define, library, library_dir, compiler;
    bool fast_math, debug, verbose, no_cache, fidelity;
} RunOptions;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void add_words(SourceArgs *both, SourceArgs *nvcc, const char *letter, const OptList *list)
{
    for (int i = 0; i < list->count; ++i) {
        char *word = xasprintf("%s%s", letter, list->items[i]); /* lives until exec */
        VEC_PUSH(*both, word);
        VEC_PUSH(*nvcc, word);
    }
}

/* The GPU is asked for, and there is one where it was left open. */
static bool on_gpu(const RunOptions *run)
{
    const char *device = run->device ? run->device : getenv("GPUKIT_DEVICE");
    return device &&
           (!strcmp(device, "gpu") ||
            (!strcmp(device, "auto") && (fs_exists("/dev/nvidiactl") || fs_exists("/dev/dxg"))));
}

static bool source_options(const RunOptions *run, SourceOptions *o, Diags *diags)
{
    *o = (SourceOptions){.verbose = run->verbose,
                         .no_cache = run->no_cache,
                         .fast_math = run->fast_math,
                         .host_debug = run->debug};
    if (run->frontend) {
        if (strcmp(run->frontend, "clang") == 0)
            o->frontend = FRONTEND_CLANG;
        else if (strcmp(run->frontend, "nvcc") == 0)
            o->frontend = FRONTEND_NVCC;
        else
            diag_add(diags, DIAG_ERROR, NULL, 0, 0, "--frontend takes clang or nvcc, not '%s'",
                     run->frontend);
    }
    if (run->arch && !(o->arch = source_arch(run->arch))) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "-arch: unknown GPU architecture '%s'", run->arch);
        diag_help(diags, "known: sm_50 to sm_90a");
    }
    if (run->arch && o->arch)
        VEC_PUSH(o->nvcc, xasprintf("-arch=%s", o->arch));
    add_words(&o->both, &o->nvcc, "-I", &run->include);
    add_words(&o->both, &o->nvcc, "-D", &run->define);
    static Arena *arena; /* lives until exec */
    arena = arena_new();
    for (int i = 0; i < run->compiler.count; ++i) {
        source_host_word(o, arena, run->compiler.items[i], diags);
        VEC_PUSH(o->nvcc, "-Xcompiler");
        VEC_PUSH(o->nvcc, run->compiler.items[i]);
    }
    if (run->rdc) {
        o->relocatable = strcmp(run->rdc, "true") == 0;
        if (!o->relocatable && strcmp(run->rdc, "false") != 0)
            diag_add(diags, DIAG_ERROR, NULL, 0, 0, "--rdc takes true or false, not '%s'",
                     run->rdc);
        VEC_PUSH(o->nvcc, xasprintf("-rdc=%s", run->rdc));
    }
    if (run->standard) {
        VEC_PUSH(o->both, xasprintf("-std=%s", run->standard));
        VEC_PUSH(o->nvcc, xasprintf("-std=%s", run->standard));
    }
    if (run->optimise)
        o->optimise = xasprintf("-O%s", run->optimise);
    if (run->fast_math)
        VEC_PUSH(o->nvcc, "-use_fast_math");
    if (run->stream) {
        o->per_thread_stream = strcmp(run->stream, "per-thread") == 0;
        if (!o->per_thread_stream && strcmp(run->stream, "legacy") != 0 &&
            strcmp(run->stream, "null") != 0)
            diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                     "--default-stream takes legacy or per-thread, not '%s'", run->stream);
    }
    SourceArgs ignored = {0};
    add_words(&o->link, &ignored, "-L", &run->library_dir);
    add_words(&o->link, &ignored, "-l", &run->library);
    for (int i = 0; i < run->library.count && on_gpu(run); ++i)
        o->shared_runtime |= binary_is_compute(run->library.items[i]);
    VEC_FREE(ignored);
    return diags->errors == 0;
}

/* A program that cannot work with gpukit is told why and how to build it anew. */
static bool binary_usable(const char *path, BinaryFacts *facts, Diags *diags)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || access(path, X_OK) != 0) {
        int error = fd < 0 ? errno : EACCES;
        diag_add(diags, DIAG_ERROR, path, 0, 0, "cannot be run: %s", strerror(error));
        diag_help(diags, "give a CUDA source file (.cu) or an executable program");
        if (fd >= 0)
            close(fd);
        return false;
    }
    void *image =
        st.st_size ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (image == MAP_FAILED)
        return true;
    binary_inspect(image, (size_t)st.st_size, facts);
    const BinaryFacts f = *facts;
    munmap(image, (size_t)st.st_size);
    if (f.foreign) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "is a program for another processor");
        diag_help(diags, "build it for this machine");
    } else if (f.fatbin && !f.needs_cudart && !f.needs_driver && !f.ours) {
        diag_add(
            diags, DIAG_ERROR, path, 0, 0,
            "contains NVIDIA's CUDA runtime (static cudart), which runs on NVIDIA's driver only");
        diag_help(diags,
                  "relink its objects with gpukit cc, or with nvcc -cudart shared, or build it "
                  "with gpukit cc");
    } else if (f.fatbin && f.kernels && f.ptx == 0 && f.cubin > 0) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "carries GPU machine code only, no PTX");
        diag_help(diags, "rebuild it with PTX, e.g.: nvcc -cudart shared -gencode "
                         "arch=compute_80,code=compute_80");
    } else if (f.rpath[0] && f.needs_cudart) {
        diag_add(diags, DIAG_WARNING, path, 0, 0,
                 "has a DT_RPATH (%s), which the loader searches before gpukit's folder", f.rpath);
        diag_help(diags, "if %s is found there, remove the entry: patchelf --remove-rpath",
                  f.cudart);
    }
    return diags->errors == 0;
}

static void set_number(const char *name, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    setenv(name, text, 1);
}

static bool options_sound(const RunOptions *run, Diags *diags)
{
    const char *d = run->device;
    if (d && strcmp(d, "cpu") && strcmp(d, "gpu") && strcmp(d, "auto"))
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "--device takes cpu, gpu or auto, not '%s'", d);
    if (run->as && !catalogue_device(run->as)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "--as: no such device '%s'", run->as);
        diag_help(diags, "known: %s", catalogue_device_names());
    }
    return diags->errors == 0;
}

static void put_first(const char *folder)
{
    const char *old = getenv("LD_LIBRARY_PATH");
    char *path = old && old[0] ? xasprintf("%s:%s", folder, old) : xstrdup(folder);
    setenv("LD_LIBRARY_PATH", path, 1);
    free(path);
}

/* cuBLAS and its like compute on a GPU with NVIDIA's runtime only: gpukit's stands back. False,
 * with a diagnostic, for a program that has gpukit's within it. */
static bool set_nvidia(const char *path, const BinaryFacts *facts, Diags *diags)
{
    if (facts->ours) {
        diag_add(diags, DIAG_ERROR, path, 0, 0,
                 "uses %s on a GPU, which is NVIDIA's and needs NVIDIA's runtime, but gpukit's is "
                 "linked into it",
                 facts->compute);
        diag_help(diags, "link it with gpukit cc -cudart shared, or run it with --device cpu");
        return false;
    }
    const char *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    for (int i = 0; i < COUNT(homes); i++) {
        char *file = homes[i] ? xasprintf("%s/lib64/%s", homes[i], facts->compute) : NULL;
        bool there = file && fs_exists(file);
        if (there) {
            *strrchr(file, '/') = 0;
            put_first(file);
        }
        free(file);
        if (there)
            break;
    }
    diag_add(diags, DIAG_NOTE, path, 0, 0,
             "uses %s: on a GPU it runs with NVIDIA's libraries and without gpukit's runtime",
             facts->compute);
    return true;
}

static bool set_environment(const RunOptions *run, Diags *diags)
{
    if (run->device)
        setenv("GPUKIT_DEVICE", run->device, 1);
    if (run->threads)
        set_number("GPUKIT_THREADS", "%.0f", (double)run->threads);
    if (run->devices)
        set_number("GPUKIT_DEVICES", "%.0f", (double)run->devices);
    if (run->memory)
        set_number("GPUKIT_MEMORY", "%.0f", (double)run->memory);
    if (run->time_limit > 0)
        set_number("GPUKIT_TIME_LIMIT", "%.9g", run->time_limit);
    if (run->late > 0)
        set_number("GPUKIT_LATE", "%.9g", run->late);
    if (run->fill >= 0)
        set_number("GPUKIT_FILL", "%.0f", (double)run->fill);
    if (run->as)
        setenv("GPUKIT_AS", run->as, 1);
    if (run->verbose)
        setenv("GPUKIT_VERBOSE", "1", 1);
    if (run->fidelity)
        setenv("GPUKIT_FIDELITY", "1", 1);
    char *folder = source_library_dir(diags);
    if (!folder)
        return false;
    put_first(folder);
    setenv("GPUKIT_LIBRARY_DIR", folder, 1);
    free(folder);
    return true;
}

/* Without a cache the program lies in a temporary folder that must go afterwards, so this process
 * waits; a signal of the program becomes this process's own. */
static int run_and_remove(const char *program, char **arguments, char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        execv(program, arguments);
        _exit(127);
    }
    int status = 127 << 8;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    scratch_remove(folder);
    if (WIFSIGNALED(status))
        raise(WTERMSIG(status));
    return WEXITSTATUS(status);
}

static int finish(Diags *diags, int code)
{
    diags_print(diags, stderr);
    diags_fini(diags);
    return code;
}

int cmd_run(int argc, char **argv)
{
    RunOptions run = {.fill = -1};
    const Option options[] = {
        {0, "device", OPT_TEXT, &run.device, "cpu|gpu|auto",
         "where kernels run (default cpu; auto: a GPU if there is one)"},
        {0, "as", OPT_TEXT, &run.as, "GPU",
         "describe this GPU to the program: T4, A10G, H100, H200, ..."},
        {0, "devices", OPT_COUNT, &run.devices, "1-64", "describe N such devices"},
        {0, "threads", OPT_COUNT, &run.threads, "1-1024",
         "CPU threads that run blocks (default: all)"},
        {0, "memory", OPT_SIZE, &run.memory, "SIZE",
         "device memory, e.g. 8G (default: the described GPU's)"},
        {0, "time-limit", OPT_SECONDS, &run.time_limit, "TIME",
         "stop a kernel that runs longer, e.g. 10s"},
        {0, "late", OPT_REAL, &run.late, "MS",
         "start half of a stream's operations so many milliseconds late, to find missing waits"},
        {0, "fill", OPT_INT, &run.fill, "0-255",
         "what new device memory holds, e.g. 255, to find reads before writes"},
        {0, "fidelity", OPT_FLAG, &run.fidelity, NULL,
         "say for each kernel which instructions are exact and which approximate"},
        {'I', NULL, OPT_LIST, &run.include, "DIR", "search DIR for headers"},
        {'D', NULL, OPT_LIST, &run.define, "NAME[=V]", "define a macro"},
        {'L', NULL, OPT_LIST, &run.library_dir, "DIR", "search DIR for libraries"},
        {'l', NULL, OPT_LIST, &run.library, "NAME", "link a library"},
        {'O', NULL, OPT_TEXT, &run.optimise, "LEVEL", "optimise host code: 0 to 3 (default 2)"},
        {0, "std", OPT_TEXT, &run.standard, "STD", "language: c++14, c++17 (default), c++20"},
        {0, "arch", OPT_TEXT, &run.arch, "SM", "compile for this architecture (default sm_80)"},
        {0, "use_fast_math", OPT_FLAG, &run.fast_math, NULL,
         "approximate, flushing mathematics, as nvcc's"},
        {0, "rdc", OPT_TEXT, &run.rdc, "true|false",
         "link device code: functions of other files, kernels that launch kernels"},
        {0, "default-stream", OPT_TEXT, &run.stream, "KIND", "legacy (default) or per-thread"},
        {0, "Xcompiler", OPT_LIST, &run.compiler, "OPTION", "pass OPTION to the host compilation"},
        {'g', NULL, OPT_FLAG, &run.debug, NULL, "debug information for host code"},
        {0, "frontend", OPT_TEXT, &run.frontend, "clang|nvcc",
         "compiler (default: clang, else nvcc)"},
        {0, "no-cache", OPT_FLAG, &run.no_cache, NULL, "compile anew and keep nothing"},
        {'v', "verbose", OPT_FLAG, &run.verbose, NULL,
         "print the compiler's command lines; say which kernel fails and where"},
    };
    const Command command = {
        "run",
        "PROG.cu [MORE.cu ...] [-- ARGS]   or   gpukit run ./program [-- ARGS]",
        "Compiles a CUDA program if needed and runs it, on a GPU or on the CPU. Its output and its "
        "exit\n"
        "status are its own; a program that was compiled once starts at once the next time.",
        "examples:\n"
        "  gpukit run vector_add.cu\n"
        "  gpukit run --as T4 --threads 2 main.cu kernels.cu -lpng -- --size 1024\n"
        "  gpukit run ./program-built-by-nvcc-with-cudart-shared",
        options,
        COUNT(options),
        false};
    int count, behind = 0;
    int status = options_parse(&command, argc, argv, &count, &behind);
    if (status)
        return status == 1 ? EXIT_CLEAN : EXIT_USAGE;
    char **operands = argv + 1;
    int named = count - behind;
    if (named == 0) {
        options_help(&command, stderr);
        return EXIT_USAGE;
    }
    int inputs = 0;
    while (inputs < named && source_is_input(operands[inputs]))
        ++inputs;
    Diags diags;
    diags_init(&diags);
    if (!options_sound(&run, &diags))
        return finish(&diags, EXIT_USAGE);
    char *program = NULL, *temporary = NULL;
    int first_argument = inputs ? inputs : 1;
    if (inputs) {
        SourceOptions build;
        if (!source_options(&run, &build, &diags))
            return finish(&diags, EXIT_USAGE);
        status = source_build(&build, (const char *const *)operands, inputs, &program, &temporary,
                              &diags);
        if (status)
            return finish(&diags, status);
    } else {
        program = fs_which(operands[0]);
        if (!program && strchr(operands[0], '/'))
            program = xstrdup(operands[0]); /* for the message */
        if (!program)
            program = xstrdup(operands[0]);
    }
    BinaryFacts facts = {0};
    if (!binary_usable(program, &facts, &diags) ||
        (on_gpu(&run) && facts.compute[0] ? !set_nvidia(program, &facts, &diags)
                                          : !set_environment(&run, &diags))) {
        scratch_remove(temporary);
        return finish(&diags, EXIT_ENVIRONMENT);
    }
    diags_print(&diags, stderr);
    char **arguments = xcalloc((size_t)(count - first_argument) + 2, sizeof *arguments);
    arguments[0] = inputs ? program : operands[0];
    memcpy(arguments + 1, operands + first_argument,
           sizeof *arguments * (size_t)(count - first_argument));
    if (temporary)
        return run_and_remove(program, arguments, temporary);
    execv(program, arguments);
    fprintf(stderr, "gpukit run: %s: %s\n", program, strerror(errno));
    return EXIT_ENVIRONMENT;
}
