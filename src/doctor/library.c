/* SPDX-License-Identifier: Apache-2.0
 * Where the dynamic loader would find a library, without loading it: LD_LIBRARY_PATH, then
 * /etc/ld.so.cache (glibc's format 1.1), then the folders of /etc/ld.so.conf and the built-in
 * ones. An image has no cache; its ld.so.conf stands for it. Format: glibc's dl-cache.h. */
#include "doctor/machine.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__)
enum { CACHE_FLAGS = 0x0a03 };
#define MULTIARCH "aarch64-linux-gnu"
#define FOREIGN   "x86_64-linux-gnu"
#else
enum { CACHE_FLAGS = 0x0303 };
#define MULTIARCH "x86_64-linux-gnu"
#define FOREIGN   "aarch64-linux-gnu"
#endif

enum { CACHE_HEADER = 48, CACHE_ENTRY = 24, CACHE_LIMIT = 8 << 20, CONF_DEPTH = 4 };

static uint32_t word(const char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static const char *from_cache(Machine *machine, const char *soname)
{
    static const char magic[] = "glibc-ld.so.cache1.1";
    size_t count;
    const char *text = machine_read_head(machine, "/etc/ld.so.cache", CACHE_LIMIT, &count);
    const char *start = text ? memmem(text, count, magic, sizeof magic - 1) : NULL;
    if (!start)
        return NULL;
    size_t size = count - (size_t)(start - text);
    uint32_t entries = size > CACHE_HEADER ? word(start + 20) : 0;
    for (uint32_t i = 0; i < entries; ++i) {
        size_t at = CACHE_HEADER + (size_t)i * CACHE_ENTRY;
        if (at + CACHE_ENTRY > size)
            return NULL;
        uint32_t key = word(start + at + 4), value = word(start + at + 8);
        if (word(start + at) != CACHE_FLAGS || key >= size || value >= size)
            continue;
        /* machine_read_head ends the text with NUL, so a string cannot run past it. */
        if (strcmp(start + key, soname) == 0)
            return start + value;
    }
    return NULL;
}

typedef VEC(const char *) Folders;

static void add_conf(Machine *machine, const char *file, int depth, Folders *folders)
{
    const char *text = machine_read(machine, file);
    if (!text || depth > CONF_DEPTH)
        return;
    Names lines = split(machine->arena, text, '\n');
    for (size_t i = 0; i < lines.count; ++i) {
        char *line = (char *)lines.items[i] + strspn(lines.items[i], " \t");
        line[strcspn(line, "#")] = 0;
        for (size_t n = strlen(line); n && strchr(" \t\r", line[n - 1]); --n)
            line[n - 1] = 0;
        if (strncmp(line, "include", 7) == 0 && strchr(" \t", line[7])) {
            const char *pattern = line + 7 + strspn(line + 7, " \t");
            char folder[4096];
            snprintf(folder, sizeof folder, "%s%s", pattern[0] == '/' ? "" : "/etc/", pattern);
            char *slash = strrchr(folder, '/');
            *slash = 0;
            Names names = machine_list(machine, folder, slash + 1);
            for (size_t k = 0; k < names.count; ++k)
                add_conf(machine, arena_printf(machine->arena, "%s/%s", folder, names.items[k]),
                         depth + 1, folders);
        } else if (line[0] == '/') {
            VEC_PUSH(*folders, arena_strdup(machine->arena, line));
        }
    }
}

Names machine_library_folders(Machine *machine)
{
    static const char *const fixed[] = {
        "/lib/" MULTIARCH, "/usr/lib/" MULTIARCH, "/lib64", "/usr/lib64", "/lib", "/usr/lib"};
    Folders folders = {0};
    add_conf(machine, "/etc/ld.so.conf", 0, &folders);
    size_t count = sizeof fixed / sizeof *fixed - (machine_is_live(machine) ? 2 : 0);
    for (size_t i = 0; i < count; ++i)
        VEC_PUSH(folders, fixed[i]);
    Names names = {ARENA_ARRAY(machine->arena, const char *, folders.count), folders.count};
    memcpy(names.items, folders.items, folders.count * sizeof *folders.items);
    VEC_FREE(folders);
    return names;
}

static const char *in_folders(Machine *machine, const Names *folders, const char *soname)
{
    for (size_t i = 0; i < folders->count; ++i) {
        if (folders->items[i][0] != '/')
            continue;
        const char *path = arena_printf(machine->arena, "%s/%s", folders->items[i], soname);
        if (machine_exists(machine, path) && !machine_is_dir(machine, path))
            return path;
    }
    return NULL;
}

const char *machine_library(Machine *machine, const char *soname, const Names *extra)
{
    const char *path = extra ? in_folders(machine, extra, soname) : NULL;
    const char *variable = machine_env(machine, "LD_LIBRARY_PATH");
    if (!path && variable) {
        Names folders = split(machine->arena, variable, ':');
        path = in_folders(machine, &folders, soname);
    }
    if (!path && !machine->recording) { /* a record holds ld.so.conf instead */
        path = from_cache(machine, soname);
        if (path && !machine_exists(machine, path))
            path = NULL;
    }
    if (!path) {
        Names folders = machine_library_folders(machine);
        path = in_folders(machine, &folders, soname);
    }
    return path;
}
