/* SPDX-License-Identifier: Apache-2.0
 * Each relocatable object (ours or nvcc's) calls __cudaRegisterLinkedBinary<ID>(callback, fat
 * binary,
 * ...) from a constructor. nvcc answers with a stub that its device linker makes; so does gpukit,
 * but without linking any device code: the stub gathers the fat binaries into one relocatable
 * program (wrapper version 2), whose PTX the runtime links. */
#include "source/relocatable.h"
#include "base/fs.h"
#include "base/map.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define REGISTER "__cudaRegisterLinkedBinary"
#define WRAPPER  "__fatbinwrap"

/* The names in a file's symbol strings; archives are read the same way. */
static void find_ids(Arena *arena, const char *path, Map *seen, SourceArgs *ids,
                     SourceArgs *archived)
{
    Buf bytes = {0};
    if (fs_read(path, &bytes) != 0)
        return;
    const char *at = bytes.data, *end = bytes.data + bytes.count;
    while (at && (at = memmem(at, (size_t)(end - at), REGISTER, sizeof REGISTER - 1))) {
        at += sizeof REGISTER - 1;
        const char *stop = at;
        while (stop < end && (isalnum((unsigned char)*stop) || *stop == '_'))
            ++stop;
        char *id = arena_strndup(arena, at, (size_t)(stop - at));
        if (stop > at && stop < end && *stop == 0 && !map_get(seen, id)) {
            map_set(seen, id, id);
            VEC_PUSH(*ids, id);
            if (memcmp(bytes.data, "!<arch>", 7) == 0)
                VEC_PUSH(*archived, id);
        }
    }
    buf_free(&bytes);
}

/* Parts join one by one, for which of an archive's members are linked is not known here; the
 * runtime reads the list when it first needs the program. */
static void write_stub(Buf *out, const SourceArgs *ids, const SourceArgs *archived)
{
    buf_printf(
        out,
        "typedef void Callback(void **);\n"
        "struct Wrapper { unsigned magic, version; const void *data; const void *const *parts; };\n"
        "extern void **__cudaRegisterFatBinary(void *);\n"
        "extern void __cudaRegisterFatBinaryEnd(void **);\n"
        "extern void __cudaUnregisterFatBinary(void **);\n"
        "extern int atexit(void (*)(void));\n"
        "static const void *parts[%zu];\n"
        "static struct Wrapper wrapper = {0x466243B1u, 2, 0, parts};\n"
        "static void **volatile handle;\n" /* or clang runs joined() while it compiles */
        "static int count;\n"
        "static void leave(void) { __cudaUnregisterFatBinary(handle); }\n"
        "static void join(Callback *callback, const struct Wrapper *part)\n"
        "{\n"
        "    parts[count++] = part->data;\n"
        "    if (count == 1) {\n"
        "        wrapper.data = parts[0];\n"
        "        handle = __cudaRegisterFatBinary(&wrapper);\n"
        "        atexit(leave);\n"
        "    }\n"
        "    callback(handle);\n"
        "}\n"
        /* linked last, so this runs when all parts have joined */
        "__attribute__((constructor)) static void joined(void)\n"
        "{\n"
        "    if (handle)\n"
        "        __cudaRegisterFatBinaryEnd(handle);\n"
        "}\n",
        ids->count + 1);
    for (size_t i = 0; i < archived->count; ++i)
        buf_printf(out,
                   "extern const char " WRAPPER "%s[];\n"
                   "__attribute__((used)) static const void *const part_%zu = " WRAPPER "%s;\n",
                   archived->items[i], i, archived->items[i]);
    for (size_t i = 0; i < ids->count; ++i)
        buf_printf(out,
                   "__attribute__((weak)) void " REGISTER
                   "%s(Callback *callback, void *part, void *a, void (*b)(void *))\n"
                   "{\n    (void)a, (void)b;\n    join(callback, part);\n}\n",
                   ids->items[i]);
}

/* The archive that -lNAME means, unless a shared library comes first; NULL when there is none. */
static const char *find_archive(const Toolchain *tools, const char *name)
{
    const SourceArgs *link = &tools->options->link;
    for (size_t i = 0; i < link->count; ++i) {
        if (strncmp(link->items[i], "-L", 2) != 0)
            continue;
        const char *folder = link->items[i] + 2;
        if (fs_exists(arena_printf(tools->arena, "%s/lib%s.so", folder, name)))
            return NULL;
        const char *path = arena_printf(tools->arena, "%s/lib%s.a", folder, name);
        if (fs_exists(path))
            return path;
    }
    return NULL;
}

/* Shared libraries register themselves; sources have been compiled before. */
static const char *object_file(const Toolchain *tools, const char *input)
{
    if (strncmp(input, "-l", 2) == 0)
        return find_archive(tools, input + 2);
    const char *dot = strrchr(input, '.');
    static const char *const suffixes[] = {".o", ".a", ".obj", ".lo"};
    for (size_t i = 0; input[0] != '-' && dot && i < sizeof suffixes / sizeof *suffixes; ++i)
        if (strcmp(dot, suffixes[i]) == 0)
            return input;
    return NULL;
}

bool relocatable_stub(Toolchain *tools, const char *const *inputs, int count, const char *object,
                      bool *found, SourceArgs *wanted)
{
    Map seen = {0};
    SourceArgs ids = {0}, archived = {0};
    for (int i = 0; i < count; ++i) {
        const char *path = object_file(tools, inputs[i]);
        if (path)
            find_ids(tools->arena, path, &seen, &ids, &archived);
    }
    bool good = true;
    *found = ids.count != 0;
    if (*found) {
        Buf text = {0};
        write_stub(&text, &ids, &archived);
        const char *source = arena_printf(tools->arena, "%s/rdc.c", tools->work);
        const char *words[] = {tools->compiler, "-x", "c",   "-O1", "-fPIC", "-c",
                               source,          "-o", object};
        Argv argv = {0};
        for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
            VEC_PUSH(argv, words[i]);
        good = fs_write_atomic(source, text.data, text.count) == 0 &&
               command_run(&argv, tools->options->verbose) == 0;
        VEC_FREE(argv);
        buf_free(&text);
    }
    for (size_t i = 0; wanted && i < archived.count; ++i)
        VEC_PUSH(*wanted, arena_printf(tools->arena, "-Wl,-u," WRAPPER "%s", archived.items[i]));
    map_free(&seen);
    VEC_FREE(ids);
    VEC_FREE(archived);
    return good;
}
