/* SPDX-License-Identifier: Apache-2.0
 * Finds the compiler, the headers and the libraries, and keeps precompiled headers.
 *
 * cuda_runtime.h takes clang 0.3 to 0.4 s to parse and 0.03 s to load precompiled, twice per build
 * (device and host pass); the precompiled form lies in the cache, one per set of options that
 * changes it. clang itself refuses one whose files changed; the build then falls back to the text.
 */
#include "source/toolchain.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *const clang_names[] = {"clang++-19", "clang++-20", "clang++-21", "clang++-18",
                                          "clang++-17"};

/* Unversioned clang++ counts when it is new enough to know the launch interface and sm_80 well. */
static bool clang_is_new_enough(const char *path)
{
    char *command = xasprintf("'%s' -dumpversion 2>/dev/null", path);
    FILE *pipe = popen(command, "r");
    free(command);
    int major = 0;
    if (!pipe)
        return false;
    if (fscanf(pipe, "%d", &major) != 1)
        major = 0;
    pclose(pipe);
    return major >= 17;
}

static char *find_clang(void)
{
    const char *chosen = getenv("GPUKIT_CLANG");
    if (chosen && chosen[0])
        return fs_which(chosen);
    for (size_t i = 0; i < sizeof clang_names / sizeof *clang_names; ++i) {
        char *path = fs_which(clang_names[i]);
        if (path)
            return path;
    }
    char *path = fs_which("clang++");
    if (path && clang_is_new_enough(path))
        return path;
    free(path);
    return NULL;
}

char *find_nvcc(void)
{
    const char *chosen = getenv("GPUKIT_NVCC");
    char *path = fs_which(chosen && chosen[0] ? chosen : "nvcc");
    return path ? path : fs_which("/usr/local/cuda/bin/nvcc");
}

char *source_compiler(SourceFrontend *frontend, Diags *diags)
{
    char *path = NULL;
    if (*frontend != FRONTEND_NVCC && (path = find_clang())) {
        *frontend = FRONTEND_CLANG;
        return path;
    }
    if (*frontend != FRONTEND_CLANG && (path = find_nvcc())) {
        *frontend = FRONTEND_NVCC;
        return path;
    }
    if (*frontend == FRONTEND_NVCC) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "nvcc was not found on PATH");
        diag_help(diags,
                  "install the CUDA toolkit or set GPUKIT_NVCC; --frontend clang needs neither");
    } else {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                 "no CUDA compiler was found: neither clang++ 17 or later nor nvcc");
        diag_help(diags, "apt install clang-19 lld-19 g++   (or set GPUKIT_CLANG or GPUKIT_NVCC)");
    }
    return NULL;
}

/* Beside the compiler, as Debian's libomp-19-dev puts it. */
static bool has_openmp(void)
{
    Diags ignored;
    diags_init(&ignored);
    SourceFrontend frontend = FRONTEND_CLANG;
    char *compiler = source_compiler(&frontend, &ignored);
    char *real = compiler ? realpath(compiler, NULL) : NULL,
         *slash = real ? strrchr(real, '/') : NULL;
    bool found = false;
    if (slash) {
        *slash = 0;
        char *library = xasprintf("%s/../lib/libomp.so", real);
        found = fs_exists(library);
        free(library);
    }
    free(real);
    free(compiler);
    diags_fini(&ignored);
    return found;
}

/* gcc's folder with omp.h. */
static const char *gcc_headers(Arena *arena)
{
    char line[4096] = "";
    FILE *pipe = popen("gcc -print-file-name=include 2>/dev/null", "r");
    if (pipe) {
        if (!fgets(line, sizeof line, pipe))
            line[0] = 0;
        pclose(pipe);
    }
    line[strcspn(line, "\n")] = 0;
    return line[0] == '/' ? arena_strdup(arena, line) : NULL;
}

void source_host_word(SourceOptions *o, Arena *arena, const char *word, Diags *diags)
{
    if (strcmp(word, "-fopenmp") == 0 && !has_openmp()) {
        const char *headers = gcc_headers(arena);
        diag_add(diags, DIAG_WARNING, NULL, 0, 0,
                 "clang's OpenMP library is missing: host code runs on one thread");
        diag_help(diags, "apt install libomp-19-dev");
        word = "-fopenmp=libgomp"; /* the calls, not the directives */
        if (headers) {
            VEC_PUSH(o->both, "-idirafter");
            VEC_PUSH(o->both, headers);
        }
    }
    VEC_PUSH(o->host, word);
    if (strncmp(word, "-fopenmp", 8) == 0 || strcmp(word, "-pthread") == 0 ||
        strncmp(word, "-fsanitize", 10) == 0 || strcmp(word, "-pg") == 0)
        VEC_PUSH(o->link, word);
}

char *source_library_dir(Diags *diags)
{
    static const char *const names[] = {"lib/libcudart.so.13", "lib/libcudart.so",
                                        "lib/libcudart.so.12"};
    const char *chosen = getenv("GPUKIT_LIBRARY_DIR");
    if (chosen && chosen[0])
        return xstrdup(chosen);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char *path = fs_resource(names[i]);
        if (path) {
            /* fs_resource resolves links: the folder is what counts. */
            *strrchr(path, '/') = 0;
            return path;
        }
    }
    diag_add(diags, DIAG_ERROR, NULL, 0, 0,
             "gpukit's own libcudart was not found beside this program");
    diag_help(diags, "build or install gpukit completely (make build, make install)");
    return NULL;
}

char *source_toolkit_dir(void)
{
    return fs_resource("lib/gpukit/toolkit");
}

/* Compilers and linkers die in many ways on a full disk: not tried there. */
static bool has_room(const char *folder)
{
    struct statvfs fs;
    return statvfs(folder, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize >= (uint64_t)64 << 20;
}

static char *work_folder(Toolchain *tools)
{
    const char *bases[3] = {tools->cache && has_room(tools->cache) ? tools->cache : NULL,
                            getenv("TMPDIR"), "/tmp"};
    for (int i = 0; i < 3; ++i) {
        if (!bases[i] || !bases[i][0])
            continue;
        char *path = scratch_new(bases[i]);
        if (path)
            return path;
    }
    return NULL;
}

bool toolchain_open(Toolchain *tools, const SourceOptions *options, Diags *diags)
{
    *tools = (Toolchain){.arena = arena_new(), .options = options, .frontend = options->frontend};
    char *compiler = source_compiler(&tools->frontend, diags);
    char *include_dir = fs_resource("cuda/include");
    char *cache = options->no_cache ? NULL : fs_cache_dir("source");
    tools->compiler = compiler ? arena_strdup(tools->arena, compiler) : NULL;
    tools->include_dir = include_dir ? arena_strdup(tools->arena, include_dir) : NULL;
    tools->cache = cache ? arena_strdup(tools->arena, cache) : NULL;
    free(compiler);
    free(include_dir);
    free(cache);
    if (!tools->compiler)
        goto fail;
    if (tools->frontend == FRONTEND_CLANG && !tools->include_dir) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                 "gpukit's CUDA headers (cuda/include) were not found");
        diag_help(diags, "install gpukit completely, or run it from its build folder");
        goto fail;
    }
    tools->work = work_folder(tools);
    if (!tools->work) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                 "no temporary folder can be made, neither in the cache nor in /tmp");
        diag_help(diags, "free some space or set TMPDIR to a writable folder");
        goto fail;
    }
    return true;
fail:
    toolchain_close(tools);
    return false;
}

void toolchain_close(Toolchain *tools)
{
    scratch_remove(tools->work);
    if (tools->arena)
        arena_free(tools->arena);
    *tools = (Toolchain){0};
}

void compiler_identity(Buf *out, const char *path)
{
    struct stat st = {0};
    char *real = realpath(path, NULL);
    if (real && stat(real, &st) == 0)
        buf_printf(out, "%s %lld %lld.%09ld\n", real, (long long)st.st_size,
                   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    free(real);
}

/* Only words that change how the header is read belong to its precompiled form: those with macros that the system's
 * headers look at (_XOPEN_SOURCE, _GLIBCXX_USE_CXX11_ABI), but not the prefix of a source that lies in another
 * temporary folder each time (libnvrtc). */
static SourceArgs header_words(const SourceArgs *args)
{
    SourceArgs kept = {0};
    for (size_t i = 0; i < args->count; ++i) {
        const char *word = args->items[i];
        if (strncmp(word, "-ffile-prefix-map=", 18) != 0 &&
            (strncmp(word, "-std=", 5) == 0 || strncmp(word, "-f", 2) == 0 ||
             strncmp(word, "-m", 2) == 0 || strncmp(word, "-D_", 3) == 0 ||
             strncmp(word, "-U_", 3) == 0))
            VEC_PUSH(kept, word);
    }
    return kept;
}

void pch_begin(const Toolchain *tools, SourcePass pass, Pch *pch)
{
    *pch = (Pch){.pid = -1};
    const SourceOptions *o = tools->options;
    if (!tools->cache || o->host_debug || o->device_debug || getenv("GPUKIT_NO_PCH"))
        return;
    SourceOptions plain = *o;
    plain.both = header_words(&o->both);
    plain.host = header_words(&o->host);
    plain.device = header_words(&o->device);
    Argv argv = {0};
    clang_pass(&argv, tools->arena, &plain, tools->compiler, tools->include_dir, pass, "");
    argv.count -= 2; /* the -include-pch and its empty name */
    Buf key = {0};
    compiler_identity(&key, tools->compiler);
    for (size_t i = 0; i < argv.count; ++i)
        buf_printf(&key, "%s\n", argv.items[i]);
    uint64_t hash = hash_bytes(key.data, key.count, 0x70636831);
    buf_free(&key);
    pch->path = xasprintf("%s/%016llx.pch", tools->cache, (unsigned long long)hash);
    if (!fs_exists(pch->path)) {
        pch->unfinished = xasprintf("%s/%d.pch", tools->work, (int)pass);
        const char *header = arena_printf(tools->arena, "%s/cuda_runtime.h", tools->include_dir);
        const char *words[] = {"-w", "-S", "-Xclang", "-emit-pch", header, "-o", pch->unfinished};
        for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
            VEC_PUSH(argv, words[i]);
        char *messages = xasprintf("%s/%d.pch.err", tools->work, (int)pass);
        pch->pid = command_start(&argv, messages, o->verbose);
        free(messages);
    }
    VEC_FREE(argv);
    VEC_FREE(plain.both);
    VEC_FREE(plain.host);
    VEC_FREE(plain.device);
}

const char *pch_end(const Toolchain *tools, Pch *pch)
{
    bool usable = pch->path && !pch->unfinished;
    if (pch->unfinished)
        usable =
            pch->pid > 0 && command_wait(pch->pid) == 0 && rename(pch->unfinished, pch->path) == 0;
    const char *path = usable ? arena_strdup(tools->arena, pch->path) : NULL;
    free(pch->path);
    free(pch->unfinished);
    *pch = (Pch){.pid = -1};
    return path;
}
