/* SPDX-License-Identifier: Apache-2.0
 * Looks into a source and its headers by text alone: no macros, no conditions. */
#include "source/headers.h"
#include "base/fs.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    Toolchain *tools;
    Map seen;
    void (*visit)(void *user, const char *path, const Buf *text);
    void *user;
} Walk;

/* The name behind the next #include with this opening character; *at moves behind it. */
static char *next_include(Arena *arena, const char **at, char open)
{
    const char close = open == '<' ? '>' : open;
    for (const char *p = *at; (p = strchr(p, '#'));) {
        p += 1 + strspn(p + 1, " \t");
        if (strncmp(p, "include", 7) != 0)
            continue;
        p += 7 + strspn(p + 7, " \t");
        if (*p != open)
            continue;
        size_t length = strcspn(++p, "\"<>\n");
        if (!length || p[length] != close)
            continue;
        *at = p + length;
        return arena_strndup(arena, p, length);
    }
    return NULL;
}

static bool in_user_folders(const Toolchain *tools, const char *name, const char **path)
{
    const SourceArgs *both = &tools->options->both;
    for (size_t i = 0; i < both->count; ++i) {
        const char *word = both->items[i], *folder = NULL;
        if (strncmp(word, "-I", 2) == 0)
            folder = word + 2;
        else if (strcmp(word, "-isystem") == 0 && i + 1 < both->count)
            folder = both->items[i + 1];
        if (!folder)
            continue;
        *path = arena_printf(tools->arena, "%s/%s", folder, name);
        if (access(*path, R_OK) == 0)
            return true;
    }
    return false;
}

static void walk_file(Walk *w, const char *path)
{
    Arena *a = w->tools->arena;
    Buf text = {0};
    if (map_get(&w->seen, path) || fs_read(path, &text) != 0)
        return;
    map_set(&w->seen, arena_strdup(a, path), w);
    w->visit(w->user, path, &text);
    const char *slash = strrchr(path, '/'), *at = buf_text(&text);
    char *folder = slash ? arena_strndup(a, path, (size_t)(slash - path)) : arena_strdup(a, ".");
    for (char *name; (name = next_include(a, &at, '"'));) {
        const char *found = arena_printf(a, "%s/%s", folder, name);
        if (access(found, R_OK) == 0 || in_user_folders(w->tools, name, &found))
            walk_file(w, found);
    }
    at = buf_text(&text);
    for (char *name; (name = next_include(a, &at, '<'));) {
        const char *found;
        if (!fs_exists(arena_printf(a, "%s/%s", w->tools->include_dir, name)) &&
            in_user_folders(w->tools, name, &found))
            walk_file(w, found);
    }
    buf_free(&text);
}

void headers_walk(Toolchain *tools, const char *input,
                  void (*visit)(void *user, const char *path, const Buf *text), void *user)
{
    Walk w = {.tools = tools, .visit = visit, .user = user};
    walk_file(&w, input);
    map_free(&w.seen);
}

/* --- Thrust and CUB -------------------------------------------------------------------------- */

typedef struct {
    Toolchain *tools;
    char *wanted; /* the first such header that is nowhere */
    bool own;     /* Thrust, CUB or libcu++ of the user's own */
} Cccl;

/* Does a macro make names of libcu++'s headers? Which, the text alone does not say. */
static bool makes_names(const char *text)
{
    static const char start[] = "<cuda/std/";
    for (const char *p = text; (p = strstr(p, start)); ++p) {
        const char *line = p;
        while (line > text && line[-1] != '\n')
            --line;
        line += strspn(line, " \t");
        if (*line == '#' && strncmp(line + 1 + strspn(line + 1, " \t"), "define", 6) == 0)
            return true;
    }
    return false;
}

static void look_for_cccl(void *user, const char *path, const Buf *text)
{
    static const char *const folders[] = {"thrust/", "cub/", "cuda/", "nv/"};
    Cccl *c = user;
    (void)path;
    const char *at = buf_text(text), *found;
    Arena *a = c->tools->arena;
    for (char *name; !c->wanted && (name = next_include(a, &at, '<'));) {
        bool libcuxx = strncmp(name, "cuda/", 5) == 0 || strncmp(name, "nv/", 3) == 0;
        c->own |= (libcuxx || strncmp(name, "thrust/", 7) == 0 || strncmp(name, "cub/", 4) == 0) &&
                  in_user_folders(c->tools, name, &found) &&
                  (!libcuxx || in_user_folders(c->tools, "cuda/std/version", &found));
        for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i)
            if (strncmp(name, folders[i], strlen(folders[i])) == 0 &&
                !in_user_folders(c->tools, name, &found) &&
                !fs_exists(arena_printf(a, "%s/%s", c->tools->include_dir, name)) &&
                !fs_exists(arena_printf(a, "/usr/include/%s", name)))
                c->wanted = name;
    }
    static char any[] = "cuda/std/version";
    if (!c->wanted && !c->own && makes_names(buf_text(text)) &&
        !in_user_folders(c->tools, any, &found))
        c->wanted = any;
}

static const char *cccl_folder(Toolchain *tools, const char *wanted)
{
    const char *chosen = getenv("GPUKIT_CCCL");
    if (chosen && chosen[0])
        return chosen;
    /* CUDA 13 keeps them apart from its other headers, which must not be mixed with ours. */
    char *nvcc = find_nvcc(), *real = nvcc ? realpath(nvcc, NULL) : NULL;
    const char *folder = NULL;
    for (int up = 0; real && up < 2 && strrchr(real, '/'); ++up)
        *strrchr(real, '/') = 0;
    if (real)
        folder = arena_printf(tools->arena, "%s/include/cccl", real);
    if (!folder || !fs_exists(arena_printf(tools->arena, "%s/%s", folder, wanted)))
        folder = NULL;
    free(real);
    free(nvcc);
    return folder;
}

/* Programs of NVRTC, and those that say it themselves. */
static bool names_compiler(const SourceArgs *words)
{
    static const char *const macros[] = {"-D__CUDACC_RTC__", "-D__NVCC__", "-U__NVCC__"};
    for (size_t i = 0; i < words->count; ++i)
        for (size_t m = 0; m < sizeof macros / sizeof *macros; ++m)
            if (strncmp(words->items[i], macros[m], strlen(macros[m])) == 0)
                return true;
    return false;
}

void headers_look(Toolchain *tools, const char *input)
{
    Cccl c = {.tools = tools};
    headers_walk(tools, input, look_for_cccl, &c);
    tools->cccl = c.wanted ? cccl_folder(tools, c.wanted) : NULL;
    tools->as_nvcc = !c.wanted && !c.own && !names_compiler(&tools->options->both);
}
