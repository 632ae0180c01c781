/* SPDX-License-Identifier: Apache-2.0
 * clang's command lines, and processes. */
#include "source/command.h"

#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

void argv_add_all(Argv *argv, const SourceArgs *more)
{
    for (size_t i = 0; i < more->count; ++i)
        VEC_PUSH(*argv, more->items[i]);
}

pid_t command_start(Argv *argv, const char *messages, bool verbose)
{
    if (verbose) {
        for (size_t i = 0; i < argv->count; ++i)
            fprintf(stderr, strpbrk(argv->items[i], " \t\"'$;&()") ? "%s'%s'" : "%s%s",
                    i ? " " : "", argv->items[i]);
        fputc('\n', stderr);
    }
    VEC_PUSH(*argv, NULL);
    --argv->count;
    pid_t pid;
    char **words = (char **)(void *)argv->items;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (messages)
        posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int failed = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed ? -1 : pid;
}

int command_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int command_run(Argv *argv, bool verbose)
{
    pid_t pid = command_start(argv, NULL, verbose);
    return pid < 0 ? 127 : command_wait(pid);
}

static bool names_standard(const SourceArgs *args)
{
    for (size_t i = 0; i < args->count; ++i)
        if (strncmp(args->items[i], "-std=", 5) == 0)
            return true;
    return false;
}

/* What every pass over a .cu file gets. -target-sdk-version selects the launch calls of CUDA 9.2
 * and later; without it clang emits the older ones. */
static const char *const cuda_words[] = {
    "-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
    "-target-sdk-version=12.3", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument",
    "-Wno-pass-failed",
    /* errors for clang, not for nvcc: old kernels say `register`, {n / 2.0} for an int, "%"FORMAT */
    "-Wno-register", "-Wno-error=c++11-narrowing", "-Wno-reserved-user-defined-literal",
    /* C++20 would merge a function for the host and one for the device that come from one
     * precompiled header: for clang they are definitions of the same thing. */
    "-Xclang", "-fno-cxx-modules",
    /* What a user's own CCCL (Thrust, CUB, libcu++) needs: detection idioms with "...", and none of
     * NVIDIA's 4-, 6- and 8-bit float headers. */
    "-Xclang", "-fcuda-allow-variadic-functions", "-DCCCL_DISABLE_NVFP8_SUPPORT=1"};

/* The SLP vectoriser stays off: it joins byte loads into <16 x i8> of alignment 1, which LLVM 19's
 * NVPTX back end writes as ld.v4.u32, a misaligned access (found with CUB's block exchange).
 * Device code keeps its meaning: a null store faults and an endless loop stays one. Contraction
 * into fma is on, as with nvcc, but may be switched off by a pragma (the math library needs it). */
static const char *const device_words[] = {"--cuda-device-only", "-S",
                                           "-gline-tables-only", "-fno-delete-null-pointer-checks",
                                           "-fno-finite-loops",  "-fno-builtin-malloc",
                                           "-fno-builtin-free"};

static void device_numerics(Argv *argv, const SourceOptions *o)
{
    VEC_PUSH(*argv, o->no_contraction ? "-ffp-contract=off" : "-ffp-contract=fast-honor-pragmas");
    if (o->no_contraction)
        VEC_PUSH(*argv, "-DGPUKIT_NO_CONTRACTION=1");
    if (o->fast_math) {
        VEC_PUSH(*argv, "-fgpu-approx-transcendentals");
        VEC_PUSH(*argv, "-D__USE_FAST_MATH__=1");
    }
    if (o->fast_math || o->flush_denormals)
        VEC_PUSH(*argv, "-fgpu-flush-denormals-to-zero");
    if (o->fast_math || o->approximate_division) {
        VEC_PUSH(*argv, "-mllvm");
        VEC_PUSH(*argv, "-nvptx-prec-divf32=1");
    }
    if (o->fast_math || o->approximate_sqrt) {
        VEC_PUSH(*argv, "-mllvm");
        VEC_PUSH(*argv, "-nvptx-prec-sqrtf32=0");
    }
}

/* The user's words. A folder of NVIDIA's headers (the toolkit's, or one that a Python package
 * carries) goes behind ours: they need NVIDIA's compiler. cuda_fp16.hpp is a file that only they
 * have. */
static void add_words(Argv *argv, Arena *arena, const Argv *words)
{
    static const char *const options[] = {"-I", "-isystem"};
    for (size_t i = 0; i < words->count; ++i) {
        const char *word = words->items[i], *folder = NULL;
        bool apart = false;
        for (size_t k = 0; k < sizeof options / sizeof *options && !folder; ++k) {
            size_t length = strlen(options[k]);
            if (strncmp(word, options[k], length) != 0)
                continue;
            apart = word[length] == 0;
            folder = !apart ? word + length : i + 1 < words->count ? words->items[i + 1] : NULL;
        }
        if (folder && fs_exists(arena_printf(arena, "%s/cuda_fp16.hpp", folder))) {
            VEC_PUSH(*argv, "-idirafter");
            VEC_PUSH(*argv, folder);
            i += apart;
            continue;
        }
        VEC_PUSH(*argv, word);
    }
}

static const char *arch_list(Arena *arena, const SourceOptions *o)
{
    Buf list = {0};
    buf_puts(&list, "-D__CUDA_ARCH_LIST__=");
    for (size_t i = 0; i < o->older.count; ++i)
        buf_printf(&list, "%ld,", strtol(o->older.items[i] + 3, NULL, 10) * 10);
    const char *newest = o->newest ? o->newest : o->arch ? o->arch : SOURCE_DEFAULT_ARCH;
    buf_printf(&list, "%ld", strtol(newest + 3, NULL, 10) * 10);
    const char *word = arena_strdup(arena, buf_text(&list));
    buf_free(&list);
    return word;
}

void clang_pass(Argv *argv, Arena *arena, const SourceOptions *o, const char *clang,
                const char *include_dir, SourcePass pass, const char *pch)
{
    const char *arch = o->arch ? o->arch : SOURCE_DEFAULT_ARCH;
    VEC_PUSH(*argv, clang);
    for (size_t i = 0; i < sizeof cuda_words / sizeof *cuda_words; ++i)
        VEC_PUSH(*argv, cuda_words[i]);
    VEC_PUSH(*argv, arena_printf(arena, "--cuda-gpu-arch=%s", arch));
    /* nvcc's list of the architectures compiled for: CCCL makes a name of it */
    VEC_PUSH(*argv, arch_list(arena, o));
    if (!names_standard(&o->both))
        VEC_PUSH(*argv, "-std=gnu++17");
    if (o->per_thread_stream) {
        /* The driver keeps this option from CUDA; it also defines the macro that renames the API.
         */
        VEC_PUSH(*argv, "-Xclang");
        VEC_PUSH(*argv, "-fgpu-default-stream=per-thread");
    }
    if (o->relocatable)
        VEC_PUSH(*argv, "-DGPUKIT_RDC=1");
    add_words(argv, arena, &o->both);
    if (pass == PASS_DEVICE) {
        for (size_t i = 0; i < sizeof device_words / sizeof *device_words; ++i)
            VEC_PUSH(*argv, device_words[i]);
        /* The feature enables the _sync shuffles; sm_90 and its clusters need 8.0. */
        VEC_PUSH(*argv,
                 strncmp(arch, "sm_9", 4) == 0 ? "--cuda-feature=+ptx80" : "--cuda-feature=+ptx78");
        VEC_PUSH(*argv, o->device_debug ? "-O0" : "-O2");
        VEC_PUSH(*argv, "-fno-slp-vectorize"); /* behind -O, which would switch it on again */
        if (o->relocatable)
            VEC_PUSH(*argv, "-fgpu-rdc");
        /* else a static __constant__ that the host fills reads as zero, and a const variable that only
         * the host asks for is not there */
        VEC_PUSH(*argv, "-fkeep-persistent-storage-variables");
        device_numerics(argv, o);
        argv_add_all(argv, &o->device);
    } else {
        VEC_PUSH(*argv, "--cuda-host-only");
        if (o->relocatable)
            VEC_PUSH(*argv, "-fgpu-rdc");
        VEC_PUSH(*argv, o->optimise ? o->optimise : "-O2");
        VEC_PUSH(*argv, "-fPIC");
        /* programs count on it: nvcc's host compiler leaves i * i == i * i alone, clang folds it */
        VEC_PUSH(*argv, "-fwrapv");
        if (o->host_debug)
            VEC_PUSH(*argv, "-g");
        argv_add_all(argv, &o->host);
    }
    VEC_PUSH(*argv, "-isystem");
    VEC_PUSH(*argv, include_dir);
    if (pch) {
        VEC_PUSH(*argv, "-include-pch");
        VEC_PUSH(*argv, pch);
    } else {
        VEC_PUSH(*argv, "-include");
        VEC_PUSH(*argv, arena_printf(arena, "%s/cuda_runtime.h", include_dir));
    }
}
