/* SPDX-License-Identifier: Apache-2.0
 * Each relocatable object (ours or nvcc's) calls __cudaRegisterLinkedBinary<ID>(callback, fat
 * binary,
 * ...) from a constructor. nvcc answers with a stub that its device linker makes; so does gpukit,
 * but without linking any device code: the stub gathers the fat binaries and, once all have come,
 * registers them as one relocatable program (wrapper version 2), whose PTX the runtime links. */
#include "source/relocatable.h"
#include "base/fs.h"
#include "base/map.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define REGISTER "__cudaRegisterLinkedBinary"

/* The names in a file's symbol strings; archives are read the same way. */
static void find_ids(Arena *arena, const char *path, Map *seen, SourceArgs *ids)
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
        }
    }
    buf_free(&bytes);
}

static void write_stub(Buf *out, const SourceArgs *ids)
{
    buf_printf(
        out,
        "typedef void Callback(void **);\n"
        "struct Wrapper { unsigned magic, version; const void *data; const void *const *parts; };\n"
        "extern void **__cudaRegisterFatBinary(void *);\n"
        "extern void __cudaRegisterFatBinaryEnd(void **);\n"
        "extern void __cudaUnregisterFatBinary(void **);\n"
        "extern int atexit(void (*)(void));\n"
        "enum { COUNT = %zu };\n"
        "static const void *parts[COUNT + 1];\n"
        "static Callback *callbacks[COUNT];\n"
        "static struct Wrapper wrapper = {0x466243B1u, 2, 0, parts};\n"
        "static void **handle;\n"
        "static int count;\n"
        "static void leave(void) { __cudaUnregisterFatBinary(handle); }\n"
        "static void join(Callback *callback, const struct Wrapper *part)\n"
        "{\n"
        "    parts[count] = part->data;\n"
        "    callbacks[count++] = callback;\n"
        "    if (count < COUNT)\n"
        "        return;\n"
        "    wrapper.data = parts[0];\n"
        "    handle = __cudaRegisterFatBinary(&wrapper);\n"
        "    for (int i = 0; i < COUNT; ++i)\n"
        "        callbacks[i](handle);\n"
        "    __cudaRegisterFatBinaryEnd(handle);\n"
        "    atexit(leave);\n"
        "}\n",
        ids->count);
    for (size_t i = 0; i < ids->count; ++i)
        buf_printf(out,
                   "void " REGISTER
                   "%s(Callback *callback, void *part, void *a, void (*b)(void *))\n"
                   "{\n    (void)a, (void)b;\n    join(callback, part);\n}\n",
                   ids->items[i]);
}

bool relocatable_stub(Toolchain *tools, const char *const *inputs, int count, const char **object)
{
    Map seen = {0};
    SourceArgs ids = {0};
    *object = NULL;
    for (int i = 0; i < count; ++i) {
        const char *dot = strrchr(inputs[i], '.');
        if (inputs[i][0] != '-' && dot && (strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0))
            find_ids(tools->arena, inputs[i], &seen, &ids);
    }
    bool good = true;
    if (ids.count) {
        Buf text = {0};
        write_stub(&text, &ids);
        const char *source = arena_printf(tools->arena, "%s/rdc.c", tools->work);
        *object = arena_printf(tools->arena, "%s/rdc.o", tools->work);
        const char *words[] = {tools->compiler, "-x", "c",    "-O1", "-fPIC", "-c",
                               source,          "-o", *object};
        Argv argv = {0};
        for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
            VEC_PUSH(argv, words[i]);
        good = fs_write_atomic(source, text.data, text.count) == 0 &&
               command_run(&argv, tools->options->verbose) == 0;
        VEC_FREE(argv);
        buf_free(&text);
    }
    map_free(&seen);
    VEC_FREE(ids);
    return good;
}
