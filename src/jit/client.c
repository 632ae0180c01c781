/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's side of the JIT: memory and disk cache of compiled kernels, and the compiler process.
 * A cache that cannot be used or holds damaged files is skipped, never trusted. */
#include "jit/jit.h"
#include "jit/protocol.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/scratch.h"
#include "ptx/ptx.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Compiled {
    struct Compiled *next;
    char *name;
    JitOptions options;
    void *library;
    const GkKernel *kernel;
} Compiled;

struct JitModule {
    IrModule *ir;
    char *text;
    size_t bytes;
    uint64_t hash[2];
    pthread_mutex_t lock;
    Compiled *compiled;
};

static pthread_mutex_t helper_lock = PTHREAD_MUTEX_INITIALIZER;
static int helper_fd = -1;
static pid_t helper_pid, helper_owner;
static struct rusage helper_usage; /* of the one that ended last */
static JitStats stats;

/* ---- module ---- */

JitModule *jit_module_new(const char *text, size_t bytes, const char *name, Diags *diags)
{
    IrModule *ir = ptx_parse(text, bytes, name, diags);
    if (!ir)
        return NULL;
    if (!ir_verify(ir, diags)) {
        ir_module_free(ir);
        return NULL;
    }
    JitModule *module = xcalloc(1, sizeof *module);
    module->ir = ir;
    module->text = xmalloc(bytes + 1);
    memcpy(module->text, text, bytes);
    module->text[bytes] = 0;
    module->bytes = bytes;
    module->hash[0] = hash_bytes(text, bytes, 1);
    module->hash[1] = hash_bytes(text, bytes, 0x9e3779b97f4a7c15u);
    pthread_mutex_init(&module->lock, NULL);
    return module;
}

void jit_module_free(JitModule *module)
{
    if (!module)
        return;
    for (Compiled *c = module->compiled, *next; c; c = next) {
        next = c->next;
        if (c->library)
            dlclose(c->library);
        free(c->name);
        free(c);
    }
    pthread_mutex_destroy(&module->lock);
    ir_module_free(module->ir);
    free(module->text);
    free(module);
}

const IrModule *jit_module_ir(const JitModule *module)
{
    return module->ir;
}

JitStats jit_stats(void)
{
    pthread_mutex_lock(&helper_lock);
    JitStats copy = stats;
    pthread_mutex_unlock(&helper_lock);
    return copy;
}

/* ---- processor ---- */

static JitLevel level(void)
{
    JitLevel best = JIT_LEVEL_PORTABLE;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        best = JIT_LEVEL_AVX2;
    if (best == JIT_LEVEL_AVX2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        best = JIT_LEVEL_AVX512;
    if (best == JIT_LEVEL_AVX512 && __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni"))
        best = JIT_LEVEL_AVX512_VBMI;
#endif
    const char *limit = getenv("GPUKIT_SIMD"); /* for tests: never more than the processor has */
    if (limit && strcmp(limit, "portable") == 0)
        return JIT_LEVEL_PORTABLE;
    if (limit && strcmp(limit, "avx2") == 0 && best > JIT_LEVEL_AVX2)
        return JIT_LEVEL_AVX2;
    if (limit && strcmp(limit, "avx512") == 0 && best > JIT_LEVEL_AVX512)
        return JIT_LEVEL_AVX512;
    return best;
}

/* ---- the compiler process ---- */

static char *helper_path(void)
{
    const char *own = getenv("GPUKIT_JIT");
    if (own && own[0])
        return xstrdup(own);
    char *path = fs_resource("gpukit-jit");
    if (!path)
        path = fs_resource("../libexec/gpukit/gpukit-jit");
    return path;
}

static bool start_helper(Diags *diags)
{
    if (helper_fd >= 0 && helper_owner == getpid())
        return true;
    char *path = helper_path();
    if (!path) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "gpukit-jit, which compiles kernels, is missing");
        diag_help(diags, "install gpukit completely, or name the program in GPUKIT_JIT");
        return false;
    }
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "cannot make a socket: %s", strerror(errno));
        free(path);
        return false;
    }
    pid_t pid = vfork();
    if (pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        dup2(pair[1], 0);
        execl(path, "gpukit-jit", (char *)NULL);
        _exit(127);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        diag_add(diags, DIAG_ERROR, path, 0, 0, "cannot start: %s", strerror(errno));
        free(path);
        return false;
    }
    free(path);
    helper_fd = pair[0];
    helper_pid = pid;
    helper_owner = getpid();
    return true;
}

/* Returns how the helper ended (waitpid's status), -1 when nobody knows. */
static int stop_helper(void)
{
    int status = -1;
    if (helper_fd >= 0)
        close(helper_fd);
    if (helper_pid > 0 && helper_owner == getpid())
        while (wait4(helper_pid, &status, 0, &helper_usage) < 0 && errno == EINTR)
            ;
    helper_fd = -1;
    helper_pid = 0;
    return status;
}

__attribute__((destructor)) static void at_unload(void)
{
    if (helper_owner == getpid())
        stop_helper();
}

static bool send_all(const void *data, size_t bytes)
{
    const char *p = data;
    while (bytes) {
        ssize_t n = send(helper_fd, p, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool receive_all(void *data, size_t bytes)
{
    char *p = data;
    while (bytes) {
        ssize_t n = recv(helper_fd, p, bytes, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* One request and its reply. False: the helper is gone, or speaks another language. */
static bool ask(const JitModule *module, const char *kernel, const JitOptions *options,
                const char *path, JitReply *reply, char **text)
{
    const char *name = module->ir->name ? module->ir->name : "module";
    JitRequest request = {JIT_MAGIC,
                          {options->ntid[0], options->ntid[1], options->ntid[2]},
                          level(),
                          options->hooks,
                          options->scalar,
                          options->stack,
                          (uint32_t)strlen(kernel),
                          (uint32_t)strlen(name),
                          (uint32_t)strlen(path),
                          module->bytes};
    if (!send_all(&request, sizeof request) || !send_all(kernel, request.name_bytes) ||
        !send_all(name, request.module_bytes) || !send_all(path, request.path_bytes) ||
        !send_all(module->text, module->bytes) || !receive_all(reply, sizeof *reply) ||
        reply->magic != JIT_MAGIC || reply->text_bytes > 1 << 24)
        return false;
    *text = xmalloc(reply->text_bytes + 1);
    (*text)[reply->text_bytes] = 0;
    if (receive_all(*text, reply->text_bytes))
        return true;
    free(*text);
    return false;
}

/* The limit of processor time that stopped the helper, in seconds; 0: it was something else. The
 * kernel sends SIGXCPU at the soft limit and SIGKILL at the hard one, which is all that comes when
 * they are equal. */
static unsigned long long time_limit(int signal)
{
    struct rlimit limit;
    if ((signal != SIGXCPU && signal != SIGKILL) || getrlimit(RLIMIT_CPU, &limit) < 0)
        return 0;
    rlim_t seconds = signal == SIGXCPU ? limit.rlim_cur : limit.rlim_max;
    rlim_t used = (rlim_t)(helper_usage.ru_utime.tv_sec + helper_usage.ru_stime.tv_sec);
    return seconds != RLIM_INFINITY && used + 1 >= seconds ? seconds : 0;
}

static void tell_end(int status, const char *kernel, Diags *diags)
{
    char *path = helper_path();
    int signal = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "%s, which compiles kernels, cannot be started",
                 path ? path : "gpukit-jit");
        diag_help(diags, "`ldd` on it shows a library that is missing, such as libLLVM-19");
    } else if (signal == SIGVTALRM) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                 "kernel %s was not compiled after %d s of processor time", kernel, JIT_SECONDS);
        diag_help(diags,
                  "this is a fault of gpukit or of LLVM; other optimisation options may avoid it");
    } else if (time_limit(signal)) {
        diag_add(
            diags, DIAG_ERROR, NULL, 0, 0,
            "gpukit-jit reached the limit of processor time, %llu s, while it compiled kernel %s",
            time_limit(signal), kernel);
        diag_help(diags, "raise it, for example with `ulimit -t unlimited`");
    } else if (signal == SIGKILL) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                 "gpukit-jit was killed twice while it compiled kernel %s", kernel);
        diag_help(diags, "the machine may be out of memory: see `dmesg`");
    } else {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "gpukit-jit ended (%s) while it compiled kernel %s",
                 signal ? strsignal(signal) : "it left", kernel);
        diag_help(diags,
                  "this is a fault of gpukit; `gpukit ptx` on the kernel's PTX may show more");
    }
    free(path);
}

/* Asks the helper. When it has gone, a new one is asked once more: what took the old one away may have
 * had nothing to do with this kernel. */
static bool compile(JitModule *module, const char *kernel, const JitOptions *options,
                    const char *path, Diags *diags)
{
    JitReply reply;
    char *text = NULL;
    for (int attempt = 0;; ++attempt) {
        if (!start_helper(diags))
            return false;
        if (ask(module, kernel, options, path, &reply, &text))
            break;
        int status = stop_helper();
        int signal = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        bool again = attempt == 0 && signal != SIGVTALRM && !time_limit(signal);
        if (again)
            continue;
        tell_end(status, kernel, diags);
        return false;
    }
    size_t end = strlen(text);
    while (end && text[end - 1] == '\n')
        text[--end] = 0;
    if (end)
        diag_add(diags, reply.ok ? DIAG_WARNING : DIAG_ERROR, NULL, 0, 0, "%s",
                 strncmp(text, "error: ", 7) == 0 ? text + 7 : text);
    free(text);
    return reply.ok;
}

/* ---- cache ---- */

static uint64_t build_identity(void)
{
    /* the helper's file stands for the code generator's version */
    static uint64_t identity;
    if (identity)
        return identity;
    char *path = helper_path();
    struct stat st;
    uint64_t parts[4] = {GK_ABI_VERSION, 0, 0, 0};
    if (path && stat(path, &st) == 0) {
        parts[1] = (uint64_t)st.st_size;
        parts[2] = (uint64_t)st.st_mtim.tv_sec;
        parts[3] = (uint64_t)st.st_mtim.tv_nsec;
    }
    free(path);
    identity = hash_bytes(parts, sizeof parts, 7) | 1;
    return identity;
}

static bool intact(const char *path)
{
    Buf file = {0};
    bool good = false;
    if (fs_read(path, &file) == 0 && file.count > 64) {
        const char *tail = file.data + file.count - 16;
        uint64_t stored;
        memcpy(&stored, tail + 8, 8);
        good = memcmp(tail, JIT_TRAILER, 8) == 0 &&
               stored == hash_bytes(file.data, file.count - 16, 3);
    }
    buf_free(&file);
    return good;
}

/* NULL: *why says what is wrong with the file; the caller frees it. */
static const GkKernel *open_kernel(const char *path, void **library, char **why)
{
    *why = NULL;
    if (!intact(path)) {
        *why = xstrdup(fs_exists(path) ? "the file is damaged" : "there is no such file");
        return NULL;
    }
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library) {
        *why = xstrdup(dlerror());
        return NULL;
    }
    const GkKernel *kernel = dlsym(*library, "gpukit_kernel");
    if (kernel && kernel->abi_version == GK_ABI_VERSION)
        return kernel;
    *why = kernel
               ? xasprintf("gpukit-jit is of another version (interface %u, this library needs %u)",
                           kernel->abi_version, GK_ABI_VERSION)
               : xstrdup("it holds no kernel");
    dlclose(*library);
    *library = NULL;
    return NULL;
}

static const GkKernel *find_or_compile(JitModule *module, const char *name,
                                       const JitOptions *options, void **library, Diags *diags)
{
    uint64_t parts[8] = {build_identity(),
                         module->hash[1],
                         level(),
                         options->hooks,
                         options->scalar | (uint64_t)options->stack << 1,
                         options->ntid[0],
                         options->ntid[1],
                         options->ntid[2]};
    uint64_t key = hash_bytes(name, strlen(name), hash_bytes(parts, sizeof parts, module->hash[0]));
    const char *off = getenv("GPUKIT_NO_CACHE");
    char *folder = off && off[0] == '1' ? NULL : fs_cache_dir("kernels");
    char *path = NULL, *scratch = NULL, *why = NULL;
    const GkKernel *kernel = NULL;
    if (folder) {
        path = xasprintf("%s/%016llx%016llx.so", folder, (unsigned long long)module->hash[0],
                         (unsigned long long)key);
        kernel = open_kernel(path, library, &why);
        free(why);
        if (kernel) {
            stats.cached++;
            free(folder);
            free(path);
            return kernel;
        }
    }
    double start = clock_ms();
    for (int attempt = 0; attempt < 2 && !kernel; ++attempt) {
        /* the cache's folder may be full or read-only: a private one then */
        char *target = attempt == 0 && path ? xstrdup(path) : NULL;
        if (!target) {
            scratch = scratch_new(NULL);
            if (!scratch) {
                diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                         "cannot make a folder for compiled kernels: %s", strerror(errno));
                break;
            }
            target = xasprintf("%s/kernel.so", scratch);
        }
        size_t before = diags->list.count;
        int errors = diags->errors;
        if (compile(module, name, options, target, diags)) {
            kernel = open_kernel(target, library, &why);
            if (!kernel && attempt == 1) {
                diag_add(diags, DIAG_ERROR, target, 0, 0, "cannot load the compiled kernel: %s",
                         why);
                diag_help(
                    diags,
                    "install gpukit again, whole; GPUKIT_JIT must not name an older gpukit-jit");
            }
            free(why);
        } else {
            bool disk =
                diags->list.count > before &&
                strstr(diags->list.items[diags->list.count - 1].text, "cannot write") != NULL;
            if (!disk || attempt == 1) {
                free(target);
                break;
            }
            diags->list.count = before;
            diags->errors = errors;
        }
        free(target);
    }
    scratch_remove(scratch);
    stats.compile_ms += clock_ms() - start;
    stats.compiled++;
    free(folder);
    free(path);
    return kernel;
}

const GkKernel *jit_kernel(JitModule *module, const char *name, const JitOptions *options,
                           Diags *diags)
{
    pthread_mutex_lock(&module->lock);
    for (const Compiled *c = module->compiled; c; c = c->next)
        if (memcmp(&c->options, options, sizeof *options) == 0 && strcmp(c->name, name) == 0) {
            pthread_mutex_unlock(&module->lock);
            return c->kernel;
        }
    void *library = NULL;
    pthread_mutex_lock(&helper_lock);
    const GkKernel *kernel = find_or_compile(module, name, options, &library, diags);
    pthread_mutex_unlock(&helper_lock);
    if (kernel) {
        Compiled *c = xcalloc(1, sizeof *c);
        c->name = xstrdup(name);
        c->options = *options;
        c->library = library;
        c->kernel = kernel;
        c->next = module->compiled;
        module->compiled = c;
    }
    pthread_mutex_unlock(&module->lock);
    return kernel;
}
