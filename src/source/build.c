/* SPDX-License-Identifier: Apache-2.0
 * The two passes over a .cu file, and linking.
 *
 * The passes run at the same time: the host pass reads the device code only when it writes its
 * object, so it gets a FIFO as the file to embed, and this process writes the fat binary into it
 * once the device pass is done. */
#include "source/fatbin.h"
#include "source/source.h"
#include "base/fs.h"
#include "base/map.h"
#include "source/binary.h"
#include "source/headers.h"
#include "source/rewrite.h"
#include "source/relocatable.h"
#include "source/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool has_suffix(const char *name, const char *const *suffixes)
{
    const char *dot = strrchr(name, '.');
    for (; dot && *suffixes; ++suffixes)
        if (strcmp(dot + 1, *suffixes) == 0)
            return true;
    return false;
}

static bool is_cuda(const char *name)
{
    static const char *const suffixes[] = {"cu", "cuh", NULL};
    return has_suffix(name, suffixes);
}

static bool is_host_source(const char *name)
{
    static const char *const suffixes[] = {"c", "cc", "cpp", "cxx", "C", NULL};
    return has_suffix(name, suffixes);
}

bool source_is_input(const char *path)
{
    static const char *const linkable[] = {"o", "a", NULL};
    return (is_cuda(path) || is_host_source(path) || has_suffix(path, linkable)) &&
           !binary_is_linked(path);
}

static bool written_for_host(const SourceOptions *o, const char *name)
{
    return o->language == LANGUAGE_BY_NAME ? is_host_source(name) : o->language != LANGUAGE_CUDA;
}

static bool written_in_c(const SourceOptions *o, const char *name)
{
    static const char *const suffixes[] = {"c", NULL};
    return o->language == LANGUAGE_BY_NAME ? has_suffix(name, suffixes) : o->language == LANGUAGE_C;
}

/* Prints what a compiler said. True when it complained about the precompiled header only. */
static bool show_messages(const char *path, bool failed, bool quiet)
{
    Buf text = {0};
    bool stale = false;
    if (fs_read(path, &text) == 0 && text.count) {
        stale = failed && (strstr(text.data, "precompiled") || strstr(text.data, "PCH"));
        if (!stale && !quiet)
            fwrite(text.data, 1, text.count, stderr);
    }
    buf_free(&text);
    return stale;
}

/* Asks for a make rule in the file, if there is one. */
static void write_depends(Argv *argv, const Toolchain *tools, const char *file)
{
    if (!file)
        return;
    if (tools->options->depends.count)
        argv_add_all(argv, &tools->options->depends);
    else
        VEC_PUSH(*argv, "-MD");
    VEC_PUSH(*argv, "-MF");
    VEC_PUSH(*argv, file);
}

/* The precompiled header is no file of the user's project: a rule names the header that it was made
 * from, or make would miss it once the cache is emptied. */
static void clean_depends(const Toolchain *tools, const char *const pch[2])
{
    const char *file = tools->options->depends_file;
    Buf text = {0}, out = {0};
    if (!file || fs_read(file, &text) != 0)
        return;
    const char *at = buf_text(&text);
    for (int i = 0; i < 2; ++i) {
        const char *found = pch[i] ? strstr(at, pch[i]) : NULL;
        if (!found)
            continue;
        buf_add(&out, at, (size_t)(found - at));
        buf_printf(&out, "%s/cuda_runtime.h", tools->include_dir);
        at = found + strlen(pch[i]);
    }
    if (out.count) {
        buf_puts(&out, at);
        (void)fs_write_atomic(file, out.data, out.count);
    }
    buf_free(&text);
    buf_free(&out);
}

/* What the static kernels and variables of separately compiled code are called by: the same in all
 * passes over a file, another for each file and each set of the user's words. Without it clang makes a
 * name of the pass's own options, which differ between host and device. */
static const char *unit_name(const Toolchain *tools, const char *input)
{
    Buf key = {0};
    char *real = realpath(input, NULL);
    buf_printf(&key, "%s\n", real ? real : input);
    free(real);
    for (size_t i = 0; i < tools->options->both.count; ++i)
        buf_printf(&key, "%s\n", tools->options->both.items[i]);
    uint64_t hash = hash_bytes(key.data, key.count, 0x756e6974);
    buf_free(&key);
    return arena_printf(tools->arena, "-cuid=%016llx", (unsigned long long)hash);
}

static pid_t start_pass(const Toolchain *tools, SourcePass pass, const char *pch, const char *input,
                        const char *embed, const char *output, const char *dependencies,
                        const char *messages)
{
    Argv argv = {0};
    clang_pass(&argv, tools->arena, tools->options, tools->compiler, tools->include_dir, pass, pch);
    if (tools->cccl) {
        VEC_PUSH(argv, "-I"); /* before our own cuda/... */
        VEC_PUSH(argv, tools->cccl);
    }
    if (tools->as_nvcc)
        VEC_PUSH(argv, "-D__NVCC__=1");
    if (isatty(2))
        VEC_PUSH(argv, "-fcolor-diagnostics");
    if (pass == PASS_HOST)
        VEC_PUSH(argv, "-c");
    if (tools->options->relocatable) {
        const char *name = unit_name(tools, input);
        VEC_PUSH(argv, name); /* the driver keeps it from a host pass on its own */
        VEC_PUSH(argv, "-Xclang");
        VEC_PUSH(argv, name);
        VEC_PUSH(argv, "-include");
        VEC_PUSH(argv, arena_printf(tools->arena, "%s/gpukit/unit.h", tools->include_dir));
    }
    if (tools->overlay) {
        VEC_PUSH(argv, "-ivfsoverlay");
        VEC_PUSH(argv, tools->overlay);
    }
    if (embed) {
        const char *words[] = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", embed};
        for (int i = 0; i < 4; ++i)
            VEC_PUSH(argv, words[i]);
    }
    write_depends(&argv, tools, dependencies);
    VEC_PUSH(argv, input);
    VEC_PUSH(argv, "-o");
    VEC_PUSH(argv, output);
    pid_t pid = command_start(&argv, messages, tools->options->verbose);
    VEC_FREE(argv);
    return pid;
}

/* Writes into the FIFO once its reader opens it; gives up when the reader has ended. */
static void feed(const char *fifo, const Buf *bytes, pid_t reader, int *ended)
{
    int fd = -1;
    while ((fd = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {
        int status;
        if (waitpid(reader, &status, WNOHANG) == reader) {
            *ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    for (size_t done = 0; done < bytes->count;) {
        ssize_t wrote = write(fd, bytes->data + done, bytes->count - done);
        if (wrote < 0 && errno != EINTR)
            break;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    signal(SIGPIPE, old);
    close(fd);
}

/* What the text of a source asks for. */
static void look_at(Toolchain *tools, const char *input)
{
    tools->overlay = rewrite_overlay(tools, input);
    headers_look(tools, input);
}

/* The PTX of a further architecture. */
static int compile_older(const Toolchain *tools, const char *arch, bool precompiled,
                         const char *input, const char *ptx, const char *said, bool *stale,
                         Buf *text)
{
    SourceOptions options = *tools->options;
    Toolchain other = *tools;
    options.arch = arch;
    options.newest = tools->options->arch;
    other.options = &options;
    const char *pch = NULL;
    if (precompiled) {
        Pch started;
        pch_begin(&other, PASS_DEVICE, &started);
        pch = pch_end(&other, &started);
    }
    pid_t pid = start_pass(&other, PASS_DEVICE, pch, input, NULL, ptx, NULL, said);
    int status = pid > 0 ? command_wait(pid) : 127;
    bool old_pch = show_messages(said, status != 0, status == 0);
    if (old_pch && pch)
        unlink(pch);
    *stale |= old_pch;
    if (status == 0 && fs_read(ptx, text) == 0)
        ptx_finish(text);
    return status;
}

/* One .cu file to an object. index keeps the temporary names apart; dependencies are the device pass's and
 * the host pass's make rules, either may be null. */
static int compile_cuda(Toolchain *tools, const char *const pch[2], int index, const char *input,
                        const char *output, const char *const dependencies[2])
{
    const char *work = tools->work;
    Arena *a = tools->arena;
    const char *ptx = arena_printf(a, "%s/%d.ptx", work, index);
    const char *fifo = arena_printf(a, "%s/%d.fatbin", work, index);
    const char *said[2] = {arena_printf(a, "%s/%d.device", work, index),
                           arena_printf(a, "%s/%d.host", work, index)};
    unlink(fifo);
    if (mkfifo(fifo, 0600) != 0)
        return EXIT_ENVIRONMENT;
    look_at(tools, input);
    pid_t device =
        start_pass(tools, PASS_DEVICE, pch[0], input, NULL, ptx, dependencies[0], said[0]);
    pid_t host =
        start_pass(tools, PASS_HOST, pch[1], input, fifo, output, dependencies[1], said[1]);
    int device_status = device > 0 ? command_wait(device) : 127, host_status = -1;
    bool stale = show_messages(said[0], device_status != 0, false);
    const SourceArgs *older = &tools->options->older;
    FatbinPtx *parts = arena_alloc(a, (older->count + 1) * sizeof *parts);
    memset(parts, 0, (older->count + 1) * sizeof *parts);
    parts[0].arch = tools->options->arch ? tools->options->arch : SOURCE_DEFAULT_ARCH;
    if (device_status == 0 && fs_read(ptx, &parts[0].text) == 0)
        ptx_finish(&parts[0].text);
    for (size_t i = 0; i < older->count && device_status == 0; ++i) {
        parts[i + 1].arch = older->items[i];
        device_status =
            compile_older(tools, older->items[i], pch[0] != NULL, input, ptx,
                          arena_printf(a, "%s/%d.older", work, index), &stale, &parts[i + 1].text);
    }
    Buf binary = {0};
    if (device_status == 0) {
        fatbin_write(&binary, parts, older->count + 1);
        if (host > 0)
            feed(fifo, &binary, host, &host_status);
    } else if (host > 0) {
        kill(host, SIGTERM);
    }
    if (host > 0 && host_status < 0)
        host_status = command_wait(host);
    for (size_t i = 0; i <= older->count; ++i)
        buf_free(&parts[i].text);
    buf_free(&binary);
    struct stat st;
    bool device_spoke = stat(said[0], &st) == 0 && st.st_size > 0;
    if (device_status == 0)
        stale |= show_messages(said[1], host_status != 0, device_spoke && host_status == 0);
    if (stale && (pch[0] || pch[1])) {
        for (int i = 0; i < 2; ++i)
            if (pch[i])
                unlink(pch[i]);
        return compile_cuda(tools, (const char *const[2]){NULL, NULL}, index, input, output,
                            dependencies);
    }
    return device_status == 0 && host_status == 0 ? 0 : EXIT_FINDINGS;
}

static void precompile(Toolchain *tools, const char *pch[2])
{
    Pch started[2];
    pch_begin(tools, PASS_DEVICE, &started[0]);
    pch_begin(tools, PASS_HOST, &started[1]);
    pch[0] = pch_end(tools, &started[0]);
    pch[1] = pch_end(tools, &started[1]);
}

/* A .c or .cpp file: the same compiler without CUDA mode, the same headers for host code. */
static int compile_host(Toolchain *tools, const char *input, const char *output,
                        const char *dependencies)
{
    const SourceOptions *o = tools->options;
    bool c = written_in_c(o, input);
    Argv argv = {0};
    VEC_PUSH(argv, tools->compiler);
    VEC_PUSH(argv, "-c");
    VEC_PUSH(argv, "-x");
    VEC_PUSH(argv, c ? "c" : "c++");
    for (size_t i = 0; i < o->both.count; ++i)
        if (!c || strncmp(o->both.items[i], "-std=", 5) != 0)
            VEC_PUSH(argv, o->both.items[i]);
    /* nvcc's host compiler warns of what older C allowed */
    static const char *const old[] = {
        "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
        "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types"};
    for (size_t i = 0; c && i < sizeof old / sizeof *old; ++i)
        VEC_PUSH(argv, old[i]);
    VEC_PUSH(argv, o->optimise ? o->optimise : "-O2");
    VEC_PUSH(argv, "-fPIC");
    headers_look(tools, input);
    if (tools->as_nvcc)
        VEC_PUSH(argv, "-D__NVCC__=1");
    if (o->host_debug)
        VEC_PUSH(argv, "-g");
    argv_add_all(&argv, &o->host);
    const char *words[] = {"-isystem", tools->include_dir, input, "-o", output};
    for (int i = 0; i < 5; ++i)
        VEC_PUSH(argv, words[i]);
    write_depends(&argv, tools, dependencies);
    int status = command_run(&argv, o->verbose);
    VEC_FREE(argv);
    return status == 0 ? 0 : EXIT_FINDINGS;
}

static int compile_nvcc(Toolchain *tools, const char *mode, const char *input, const char *output)
{
    Argv argv = {0};
    VEC_PUSH(argv, tools->compiler);
    argv_add_all(&argv, &tools->options->nvcc);
    const char *words[] = {mode, input, "-o", output};
    for (int i = 0; i < 4; ++i)
        VEC_PUSH(argv, words[i]);
    int status = command_run(&argv, tools->options->verbose);
    VEC_FREE(argv);
    return status == 0 ? 0 : EXIT_FINDINGS;
}

int source_object(const SourceOptions *options, const char *input, const char *output, Diags *diags)
{
    Toolchain tools;
    if (!toolchain_open(&tools, options, diags))
        return EXIT_ENVIRONMENT;
    int code;
    if (tools.frontend == FRONTEND_NVCC) {
        code = compile_nvcc(&tools, "-c", input, output);
    } else if (written_for_host(options, input)) {
        code = compile_host(&tools, input, output, options->depends_file);
    } else {
        const char *pch[2];
        precompile(&tools, pch);
        code = compile_cuda(&tools, pch, 0, input, output,
                            (const char *const[2]){NULL, options->depends_file});
        clean_depends(&tools, pch);
    }
    toolchain_close(&tools);
    return code;
}

/* To a file, a device or "-". */
static int write_output(const char *path, const Buf *text, Diags *diags)
{
    struct stat st;
    bool standard = strcmp(path, "-") == 0,
         special = standard || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
    FILE *file = standard ? stdout : special ? fopen(path, "we") : NULL;
    bool good = file      ? fwrite(text->data, 1, text->count, file) == text->count
                : special ? false
                          : fs_write_atomic(path, text->data, text->count) == 0;
    if (file && (standard ? fflush(file) : fclose(file)) != 0)
        good = false;
    if (good)
        return 0;
    diag_add(diags, DIAG_ERROR, path, 0, 0, "%s", strerror(errno));
    diag_help(diags, "check the folder and its rights");
    return EXIT_ENVIRONMENT;
}

int source_ptx(const SourceOptions *options, const char *input, const char *output, Diags *diags)
{
    Toolchain tools;
    SourceOptions own = *options;
    if (!toolchain_open(&tools, &own, diags))
        return EXIT_ENVIRONMENT;
    int code;
    if (tools.frontend == FRONTEND_NVCC) {
        code = compile_nvcc(&tools, "-ptx", input, output);
    } else {
        Pch started;
        pch_begin(&tools, PASS_DEVICE, &started);
        const char *pch = pch_end(&tools, &started);
        look_at(&tools, input);
        const char *made = arena_printf(tools.arena, "%s/device.ptx", tools.work);
        for (;;) {
            char *said = arena_printf(tools.arena, "%s/device", tools.work);
            pid_t pid = start_pass(&tools, PASS_DEVICE, pch, input, NULL, made,
                                   options->depends_file, said);
            code = pid > 0 && command_wait(pid) == 0 ? 0 : EXIT_FINDINGS;
            clean_depends(&tools, (const char *const[2]){pch, NULL});
            if (!show_messages(said, code != 0, false) || !pch)
                break;
            unlink(pch);
            pch = NULL;
        }
        Buf text = {0};
        if (code == 0 && fs_read(made, &text) == 0) {
            ptx_finish(&text);
            code = write_output(output, &text, diags);
        }
        buf_free(&text);
    }
    toolchain_close(&tools);
    return code;
}

int source_preprocess(const SourceOptions *options, const char *input, const char *output,
                      const char *const *mode, int mode_count, Diags *diags)
{
    Toolchain tools;
    if (!toolchain_open(&tools, options, diags))
        return EXIT_ENVIRONMENT;
    Argv argv = {0};
    if (tools.frontend == FRONTEND_NVCC) {
        VEC_PUSH(argv, tools.compiler);
        argv_add_all(&argv, &options->nvcc);
    } else {
        clang_pass(&argv, tools.arena, options, tools.compiler, tools.include_dir, PASS_HOST, NULL);
        headers_look(&tools, input);
        if (tools.cccl) {
            VEC_PUSH(argv, "-I");
            VEC_PUSH(argv, tools.cccl);
        }
        if (tools.as_nvcc)
            VEC_PUSH(argv, "-D__NVCC__=1");
    }
    for (int i = 0; i < mode_count; ++i)
        VEC_PUSH(argv, mode[i]);
    VEC_PUSH(argv, input);
    if (output) {
        VEC_PUSH(argv, "-o");
        VEC_PUSH(argv, output);
    }
    int code = command_run(&argv, options->verbose) == 0 ? 0 : EXIT_FINDINGS;
    VEC_FREE(argv);
    toolchain_close(&tools);
    return code;
}

static int link_with(Toolchain *tools, const char *const *objects, int count, const char *output,
                     bool shared, Diags *diags)
{
    const SourceOptions *o = tools->options;
    char *library_dir = source_library_dir(diags);
    if (!library_dir)
        return EXIT_ENVIRONMENT;
    bool nvcc = tools->frontend == FRONTEND_NVCC;
    Arena *a = tools->arena;
    const char *stub = arena_printf(a, "%s/rdc.o", tools->work);
    bool relocatable = false;
    SourceArgs wanted = {0};
    if (!nvcc && !o->no_device_link &&
        !relocatable_stub(tools, objects, count, stub, &relocatable, &wanted)) {
        free(library_dir);
        return EXIT_ENVIRONMENT;
    }
    Argv argv = {0};
    VEC_PUSH(argv, tools->compiler);
    if (shared)
        VEC_PUSH(argv, "-shared");
    if (nvcc) {
        VEC_PUSH(argv, "-cudart");
        VEC_PUSH(argv, "none");
    } else if (fs_exists("/usr/bin/ld.lld-19") || fs_exists("/usr/bin/ld.lld")) {
        char *lld = fs_which("ld.lld-19");
        VEC_PUSH(argv, lld ? "-fuse-ld=lld-19" : "-fuse-ld=lld");
        free(lld);
    }
    argv_add_all(&argv, &wanted);
    for (int i = 0; i < count; ++i)
        VEC_PUSH(argv, objects[i]);
    argv_add_all(&argv, &o->link);
    if (relocatable)
        VEC_PUSH(argv, stub); /* last: its functions are weak */
    VEC_PUSH(argv, arena_printf(a, "-L%s", library_dir));
    if (!o->no_runtime) /* by its path: a -L of the user's may hold NVIDIA's, which is no stand-in
                         */
        VEC_PUSH(argv, arena_printf(a, "%s/libcudart%s", library_dir,
                                    o->shared_runtime ? ".so" : "_static.a"));
    if (nvcc) {
        VEC_PUSH(argv, "-Xlinker");
        VEC_PUSH(argv, arena_printf(a, "-rpath,%s", library_dir));
    } else {
        VEC_PUSH(argv, arena_printf(a, "-Wl,-rpath,%s", library_dir));
        VEC_PUSH(argv, "-lm");
        VEC_PUSH(argv, "-lpthread");
        VEC_PUSH(argv, "-ldl");
    }
    VEC_PUSH(argv, "-o");
    VEC_PUSH(argv, output);
    int status = command_run(&argv, o->verbose);
    VEC_FREE(argv);
    VEC_FREE(wanted);
    free(library_dir);
    return status == 0 ? 0 : EXIT_FINDINGS;
}

int source_link(const SourceOptions *options, const char *const *objects, int count,
                const char *output, bool shared, Diags *diags)
{
    Toolchain tools;
    if (!toolchain_open(&tools, options, diags))
        return EXIT_ENVIRONMENT;
    int code = link_with(&tools, objects, count, output, shared, diags);
    toolchain_close(&tools);
    return code;
}

int source_device_link(const SourceOptions *options, const char *const *inputs, int count,
                       const char *output, Diags *diags)
{
    Toolchain tools;
    bool found;
    if (!toolchain_open(&tools, options, diags))
        return EXIT_ENVIRONMENT;
    int code = relocatable_stub(&tools, inputs, count, output, &found, NULL) ? 0 : EXIT_ENVIRONMENT;
    if (code == 0 && !found) {
        const char *empty = arena_printf(tools.arena, "%s/empty.c", tools.work);
        static const char text[] = "extern int gpukit_device_link;\n";
        code = fs_write_atomic(empty, text, sizeof text - 1) == 0
                   ? compile_host(&tools, empty, output, NULL)
                   : EXIT_ENVIRONMENT;
    }
    toolchain_close(&tools);
    return code;
}

int build_program(Toolchain *tools, const char *const *inputs, int count, const char *output,
                  SourceArgs *dependencies, Diags *diags)
{
    Arena *a = tools->arena;
    const char *pch[2] = {NULL, NULL};
    if (tools->frontend == FRONTEND_CLANG)
        precompile(tools, pch);
    SourceArgs objects = {0};
    int code = 0;
    for (int i = 0; i < count && code == 0; ++i) {
        const char *input = inputs[i];
        bool cuda = is_cuda(input);
        if (!cuda && !is_host_source(input)) {
            VEC_PUSH(objects, input);
            continue;
        }
        const char *object = arena_printf(a, "%s/%d.o", tools->work, i);
        const char *depends = arena_printf(a, "%s/%d.d", tools->work, i);
        const char *depends_device = arena_printf(a, "%s/%d.device.d", tools->work, i);
        if (tools->frontend == FRONTEND_NVCC)
            code = compile_nvcc(tools, "-c", input, object);
        else if (cuda)
            code = compile_cuda(tools, pch, i, input, object,
                                (const char *const[2]){depends_device, depends});
        else
            code = compile_host(tools, input, object, depends);
        VEC_PUSH(objects, object);
        VEC_PUSH(*dependencies, depends);
        VEC_PUSH(*dependencies, depends_device);
    }
    if (code == 0)
        code = link_with(tools, objects.items, (int)objects.count, output, false, diags);
    VEC_FREE(objects);
    return code;
}
