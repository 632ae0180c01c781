/* SPDX-License-Identifier: Apache-2.0
 * Whole builds, remembered, and what a caller makes of source_ptx (memos).
 *
 * A request (folder, inputs, options, compiler) names a manifest. The manifest lists every file
 * that the compiler read, with size, time and hash, and the program that came out, with its hash. A
 * lookup stats the files and hashes only those whose size or time changed. A damaged, foreign or
 * half-written manifest or program counts as absent: the build is done again. Files are written
 * under another name and renamed, so that processes may share the folder. */
#include "base/fs.h"
#include "base/map.h"
#include "base/scratch.h"
#include "source/source.h"
#include "source/toolchain.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int build_program(Toolchain *tools, const char *const *inputs, int count, const char *output,
                  SourceArgs *dependencies, Diags *diags);

#define MANIFEST_MAGIC "gpukit-source 2"

static bool file_hash(const char *path, uint64_t *hash)
{
    Buf bytes = {0};
    bool good = fs_read(path, &bytes) == 0;
    *hash = hash_bytes(bytes.data, bytes.count, 0x66696c65);
    buf_free(&bytes);
    return good;
}

static void key_words(Buf *key, char mark, const SourceArgs *args)
{
    for (size_t i = 0; i < args->count; ++i)
        buf_printf(key, "%c%s\n", mark, args->items[i]);
}

/* The name of a request: everything but the content of the files. */
static char *request_key(const Toolchain *tools, const char *const *inputs, int count,
                         const Buf *more)
{
    const SourceOptions *o = tools->options;
    char folder[PATH_MAX];
    Buf key = {0};
    buf_printf(&key, "%s\n%s\n", MANIFEST_MAGIC, getcwd(folder, sizeof folder) ? folder : "");
    compiler_identity(&key, tools->compiler);
    char *own = fs_own_image(); /* another gpukit gives the compiler other words */
    compiler_identity(&key, own ? own : "/proc/self/exe");
    free(own);
    buf_printf(&key, "%s\n", tools->include_dir ? tools->include_dir : "");
    for (int i = 0; i < count; ++i)
        buf_printf(&key, "i%s\n", inputs[i]);
    key_words(&key, 'b', &o->both);
    key_words(&key, 'h', &o->host);
    key_words(&key, 'd', &o->device);
    key_words(&key, 'l', &o->link);
    key_words(&key, 'n', &o->nvcc);
    key_words(&key, 'a', &o->older);
    buf_printf(&key, "%s %s %d%d%d%d%d%d%d%d%d\n", o->arch ? o->arch : "",
               o->optimise ? o->optimise : "", o->host_debug, o->device_debug, o->fast_math,
               o->flush_denormals, o->approximate_division, o->approximate_sqrt, o->no_contraction,
               o->per_thread_stream, o->relocatable);
    buf_printf(&key, "%d%d%d\n", o->no_runtime, o->shared_runtime, (int)o->language);
    static const char *const variables[] = {"CPATH",
                                            "CPLUS_INCLUDE_PATH",
                                            "C_INCLUDE_PATH",
                                            "LIBRARY_PATH",
                                            "NVCC_APPEND_FLAGS",
                                            "NVCC_PREPEND_FLAGS",
                                            "GPUKIT_LIBRARY_DIR"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i) {
        const char *value = getenv(variables[i]);
        buf_printf(&key, "%s\n", value ? value : "");
    }
    if (more)
        buf_add(&key, more->data, more->count);
    char *name = xasprintf("%016llx%016llx", (unsigned long long)hash_bytes(key.data, key.count, 1),
                           (unsigned long long)hash_bytes(key.data, key.count, 0x9e3779b97f4a7c15));
    buf_free(&key);
    return name;
}

/* One line "SIZE SECONDS.NANOSECONDS HASH PATH" still describes the file. */
static bool line_holds(const char *line)
{
    long long size, seconds;
    long nanoseconds;
    unsigned long long expected;
    int at = 0;
    if (sscanf(line, "%lld %lld.%ld %llx %n", &size, &seconds, &nanoseconds, &expected, &at) != 4 ||
        !at)
        return false;
    struct stat st;
    if (stat(line + at, &st) != 0 || st.st_size != size)
        return false;
    if (st.st_mtim.tv_sec == seconds && st.st_mtim.tv_nsec == nanoseconds)
        return true;
    uint64_t hash;
    return file_hash(line + at, &hash) && hash == expected;
}

static bool manifest_holds(char *text, const char *cache, char **program)
{
    char *save, *line = strtok_r(text, "\n", &save);
    if (!line || strcmp(line, MANIFEST_MAGIC) != 0)
        return false;
    line = strtok_r(NULL, "\n", &save);
    unsigned long long expected;
    int at = 0;
    if (!line || sscanf(line, "program %llx %n", &expected, &at) != 1 || !at ||
        strchr(line + at, '/'))
        return false;
    const char *name = line + at;
    bool ended = false;
    while (!ended && (line = strtok_r(NULL, "\n", &save))) {
        if (strcmp(line, "end") == 0)
            ended = true;
        else if (!line_holds(line))
            return false;
    }
    if (!ended)
        return false; /* cut short */
    char *path = xasprintf("%s/%s", cache, name);
    uint64_t hash;
    if (access(path, R_OK) != 0 || !file_hash(path, &hash) || hash != expected) {
        free(path);
        return false;
    }
    *program = path;
    return true;
}

static bool cache_lookup(const char *cache, const char *key, char **program)
{
    char *path = xasprintf("%s/%s", cache, key);
    Buf text = {0};
    bool found = fs_read(path, &text) == 0 && text.count &&
                 memchr(text.data, 0, text.count) == NULL &&
                 manifest_holds(text.data, cache, program);
    free(path);
    buf_free(&text);
    return found;
}

/* A file that changed in the last two seconds may change again within the same time stamp: such
 * lines carry the time 0, so that the hash decides. */
static void manifest_line(Buf *out, const char *path, time_t now)
{
    struct stat st;
    uint64_t hash;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !file_hash(path, &hash) ||
        strchr(path, '\n'))
        return;
    bool settled = now - st.st_mtim.tv_sec > 2;
    buf_printf(out, "%lld %lld.%ld %llx %s\n", (long long)st.st_size,
               settled ? (long long)st.st_mtim.tv_sec : 0LL, settled ? st.st_mtim.tv_nsec : 0L,
               (unsigned long long)hash, path);
}

/* Adds the prerequisites of a make rule ("a.o: x.cu y.h \\\n z.h"; blanks escaped by \), but those in
 * the folder `except`. */
static void manifest_rule(Buf *out, const char *rule, const char *except, Map *seen, time_t now)
{
    size_t length = except ? strlen(except) : 0;
    const char *p = strchr(rule, ':');
    if (!p)
        return;
    for (++p; *p;) {
        Buf name = {0};
        while (*p && (isspace((unsigned char)*p) || (*p == '\\' && p[1] == '\n')))
            ++p;
        while (*p && !isspace((unsigned char)*p)) {
            if (*p == '\\' && (p[1] == ' ' || p[1] == '#'))
                ++p;
            else if (*p == '\\' && p[1] == '\n')
                break;
            else if (*p == '$' && p[1] == '$')
                ++p;
            buf_putc(&name, *p++);
        }
        bool excepted = length && name.count > length && !memcmp(name.data, except, length) &&
                        name.data[length] == '/';
        if (name.count && !excepted && !map_get(seen, name.data)) {
            map_set(seen, name.data, seen);
            manifest_line(out, name.data, now);
        }
        buf_free(&name);
    }
}

/* A file for running; the folders may lie on different disks. */
static bool move_program(const char *from, const char *to)
{
    if (rename(from, to) == 0)
        return true;
    if (errno != EXDEV)
        return false;
    Buf bytes = {0};
    bool moved = fs_read(from, &bytes) == 0 && fs_write_atomic(to, bytes.data, bytes.count) == 0 &&
                 chmod(to, 0700) == 0;
    buf_free(&bytes);
    return moved;
}

/* Keeps the file `made` under the key. *kept: its path there, malloc'd. */
static bool cache_store(const char *cache, const char *key, const char *made,
                        const SourceArgs *dependencies, const char *except,
                        const char *const *inputs, int count, char **kept)
{
    uint64_t hash;
    if (!file_hash(made, &hash))
        return false;
    char *name = xasprintf("%s.out", key), *path = xasprintf("%s/%s", cache, name);
    Buf text = {0};
    Map seen = {0};
    time_t now = time(NULL);
    buf_printf(&text, "%s\nprogram %llx %s\n", MANIFEST_MAGIC, (unsigned long long)hash, name);
    for (int i = 0; i < count; ++i)
        if (!map_get(&seen, inputs[i])) {
            map_set(&seen, inputs[i], &seen);
            manifest_line(&text, inputs[i], now);
        }
    for (size_t i = 0; i < dependencies->count; ++i) {
        Buf rule = {0};
        if (fs_read(dependencies->items[i], &rule) == 0 && rule.count)
            manifest_rule(&text, rule.data, except, &seen, now);
        buf_free(&rule);
    }
    buf_puts(&text, "end\n");
    char *manifest = xasprintf("%s/%s", cache, key);
    bool stored = move_program(made, path);
    if (stored) {
        (void)fs_write_atomic(manifest, text.data,
                              text.count); /* without it: built again next time */
        *kept = path;
        path = NULL;
    }
    map_free(&seen);
    buf_free(&text);
    free(manifest);
    free(name);
    free(path);
    return stored;
}

char *source_memo(const SourceOptions *options, const Buf *request)
{
    Diags ignored; /* the compilation that follows says what is missing */
    diags_init(&ignored);
    Toolchain tools;
    char *memo = NULL;
    if (toolchain_open(&tools, options, &ignored)) {
        if (tools.cache) {
            char *key = request_key(&tools, NULL, 0, request);
            memo = xasprintf("%s/%s", tools.cache, key);
            free(key);
        }
        toolchain_close(&tools);
    }
    diags_fini(&ignored);
    return memo;
}

bool source_memo_read(const char *memo, Buf *result)
{
    char *cache = xstrdup(memo), *slash = strrchr(cache, '/'), *kept = NULL;
    *slash = 0;
    bool found = cache_lookup(cache, slash + 1, &kept) && fs_read(kept, result) == 0;
    free(cache);
    free(kept);
    return found;
}

void source_memo_write(const char *memo, const char *rule, const char *except, const Buf *result)
{
    if (!fs_exists(rule)) /* nothing would tell when it is out of date */
        return;
    char *cache = xstrdup(memo), *slash = strrchr(cache, '/'), *kept = NULL;
    *slash = 0;
    char *made = xasprintf("%s.%ld", memo, (long)getpid());
    SourceArgs rules = {0};
    VEC_PUSH(rules, rule);
    if (fs_write_atomic(made, result->data, result->count) == 0 &&
        !cache_store(cache, slash + 1, made, &rules, except, NULL, 0, &kept))
        unlink(made);
    VEC_FREE(rules);
    free(made);
    free(cache);
    free(kept);
}

int source_build(const SourceOptions *options, const char *const *inputs, int count, char **program,
                 char **temporary, Diags *diags)
{
    *program = *temporary = NULL;
    for (int i = 0; i < count; ++i)
        if (access(inputs[i], R_OK) != 0) {
            diag_add(diags, DIAG_ERROR, inputs[i], 0, 0, "%s", strerror(errno));
            diag_help(diags, "give the path of a CUDA source file or of a program");
            return EXIT_USAGE;
        }
    Toolchain tools;
    if (!toolchain_open(&tools, options, diags))
        return EXIT_ENVIRONMENT;
    char *key = request_key(&tools, inputs, count, NULL);
    int code = 0;
    if (tools.cache && cache_lookup(tools.cache, key, program))
        goto done;
    SourceArgs dependencies = {0};
    char *built = xasprintf("%s/program", tools.work);
    code = build_program(&tools, inputs, count, built, &dependencies, diags);
    if (code == 0 && !(tools.cache && cache_store(tools.cache, key, built, &dependencies, NULL,
                                                  inputs, count, program))) {
        /* No cache: the program stays in a folder of its own, for the caller to remove. */
        *temporary = scratch_new(NULL);
        *program = *temporary ? xasprintf("%s/program", *temporary) : NULL;
        if (!*program || !move_program(built, *program)) {
            diag_add(diags, DIAG_ERROR, NULL, 0, 0, "the built program cannot be stored anywhere");
            diag_help(diags, "free some space or set TMPDIR to a writable folder");
            code = EXIT_ENVIRONMENT;
        }
    }
    free(built);
    VEC_FREE(dependencies);
done:
    free(key);
    toolchain_close(&tools);
    return code;
}
