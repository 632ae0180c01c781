/* SPDX-License-Identifier: Apache-2.0
 * Builds machine images (see image.h). */
#include "image.h"
#include "base/fs.h"

#include <elf.h>
#include <ftw.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void stop(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}

static Item *find(Image *image, const char *path)
{
    for (size_t i = 0; i < image->items.count; ++i)
        if (strcmp(image->items.items[i].path, path) == 0)
            return &image->items.items[i];
    return NULL;
}

static Item *put(Image *image, char kind, const char *path, const char *text)
{
    Item *item = find(image, path);
    if (!item) {
        Item fresh = {kind, arena_strdup(image->arena, path), NULL};
        VEC_PUSH(image->items, fresh);
        item = &image->items.items[image->items.count - 1];
    }
    item->kind = kind;
    item->text = arena_strdup(image->arena, text);
    return item;
}

static bool drop(Image *image, const char *path)
{
    size_t length = strlen(path), kept = 0;
    for (size_t i = 0; i < image->items.count; ++i) {
        const char *one = image->items.items[i].path;
        bool below = strncmp(one, path, length) == 0 && (one[length] == '/' || one[length] == 0);
        if (!below)
            image->items.items[kept++] = image->items.items[i];
    }
    bool any = kept < image->items.count;
    image->items.count = kept;
    return any;
}

/* Replaces or adds the line that starts with key; an empty value only removes it. */
static const char *set_line(Image *image, const char *text, const char *key, const char *value)
{
    Buf out = {0};
    size_t length = strlen(key);
    for (const char *p = text ? text : ""; *p;) {
        size_t bytes = strcspn(p, "\n");
        if (bytes && (strncmp(p, key, length) != 0 || p[length] != '='))
            buf_printf(&out, "%.*s\n", (int)bytes, p);
        p += bytes + (p[bytes] == '\n');
    }
    if (*value)
        buf_printf(&out, "%s=%s\n", key, value);
    const char *copy = arena_strdup(image->arena, buf_text(&out));
    buf_free(&out);
    return copy;
}

static bool assign(Image *image, Item *item, char *pair)
{
    char *equals = strchr(pair, '=');
    if (!equals)
        return false;
    *equals = 0;
    item->text = set_line(image, item->text, pair, equals + 1);
    return true;
}

static Item *stub_of(Image *image, const char *library)
{
    for (size_t i = 0; i < image->items.count; ++i)
        if (image->items.items[i].kind == 's' &&
            strncmp(image->items.items[i].text, library, strlen(library)) == 0)
            return &image->items.items[i];
    return NULL;
}

static const char *base_path(Image *image, const char *name)
{
    return arena_printf(image->arena, "%s/tests/doctor/base/%s.img", SOURCE_DIR, name);
}

/* One line that is not a text line. Returns the item that text lines belong to, or NULL. */
static Item *command(Image *image, const char *file, int number, char *word, char *rest)
{
    char *second = rest + strcspn(rest, " ");
    if (*second)
        *second++ = 0;
    if (strcmp(word, "base") == 0)
        image_load(image, base_path(image, rest), NULL);
    else if (strcmp(word, "file") == 0 || strcmp(word, "exec") == 0)
        return put(image, word[0] == 'f' ? 'f' : 'x', rest, "");
    else if (strcmp(word, "dir") == 0)
        put(image, 'd', rest, "");
    else if (strcmp(word, "link") == 0 && strncmp(second, "-> ", 3) == 0)
        put(image, 'l', rest, second + 3);
    else if (strcmp(word, "node") == 0)
        put(image, 'n', rest, second);
    else if (strcmp(word, "stub") == 0)
        return put(image, 's', rest, arena_printf(image->arena, "%s\n", second));
    else if (strcmp(word, "program") == 0)
        put(image, 'p', rest, second);
    else if (strcmp(word, "remove") == 0) {
        if (!drop(image, rest))
            stop(file, number, "remove of a path that is not in the image");
    } else if (strcmp(word, "expect") == 0)
        VEC_PUSH(image->expected, arena_printf(image->arena, "%s %s", rest, second));
    else if (strcmp(word, "check") == 0)
        image->program = arena_strdup(image->arena, rest);
    else if (strcmp(word, "text") == 0)
        VEC_PUSH(image->texts,
                 arena_printf(image->arena, "%s%s%s", rest, *second ? " " : "", second));
    else if (strcmp(word, "env") == 0) {
        char *whole = arena_printf(image->arena, "%s%s%s", rest, *second ? " " : "", second);
        Item *item = find(image, "/proc/self/environ");
        if (!assign(image, item ? item : put(image, 'f', "/proc/self/environ", ""), whole))
            stop(file, number, "expected env NAME=VALUE");
    } else if (strcmp(word, "answer") == 0) {
        Item *item = stub_of(image, rest);
        if (!item || !assign(image, item, second))
            stop(file, number, "expected answer nvml|cuda KEY=VALUE with a stub in the image");
    } else {
        stop(file, number, "unknown line");
    }
    return NULL;
}

void image_load(Image *image, const char *path, const char *variant)
{
    if (!image->arena)
        image->arena = arena_new();
    Buf text = {0};
    if (fs_read(path, &text) != 0)
        stop(path, 0, "not readable");
    char *line = (char *)buf_text(&text);
    Item *item = NULL;
    bool active = true;
    for (int number = 1; *line; ++number) {
        char *next = line + strcspn(line, "\n");
        if (*next)
            *next++ = 0;
        if (strncmp(line, "== ", 3) == 0) {
            active = variant && strcmp(line + 3, variant) == 0;
            item = NULL;
            if (!variant)
                stop(path, number, "a plain image has no variants");
            image->lines += active;
        } else if (active && line[0] == '|' && item) {
            item->text = arena_printf(image->arena, "%s%s\n", item->text, line[1] ? line + 2 : "");
        } else if (active && line[0] && line[0] != '#') {
            char *rest = line + strcspn(line, " ");
            if (*rest)
                *rest++ = 0;
            item = command(image, path, number, line, rest);
        }
        line = next;
    }
    buf_free(&text);
}

void image_free(Image *image)
{
    VEC_FREE(image->items);
    VEC_FREE(image->expected);
    VEC_FREE(image->texts);
    arena_free(image->arena);
}

static void write_file(const char *path, const void *bytes, size_t count, unsigned mode)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = 0;
    fs_mkdirs(folder, 0755);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes, 1, count, file) != count)
        stop(path, 0, "cannot be written");
    fclose(file);
    chmod(path, mode);
}

static void write_stub(const Image *image, const char *path, const Item *item)
{
    bool nvml = strncmp(item->text, "nvml", 4) == 0;
    Buf library = {0};
    const char *from = arena_printf(image->arena, "%s/tests/doctor/lib%s_stub.so", BUILD_DIR,
                                    nvml ? "nvml" : "cuda");
    if (fs_read(from, &library) != 0)
        stop(from, 0, "not readable");
    write_file(path, library.data, library.count, 0755);
    buf_free(&library);
    const char *answers = strchr(item->text, '\n') + 1;
    write_file(arena_printf(image->arena, "%s.facts", path), answers, strlen(answers), 0644);
}

static const char *option(const Image *image, const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? arena_strndup(image->arena, at + strlen(name), strcspn(at + strlen(name), " "))
              : NULL;
}

void image_write(const Image *image, const char *folder)
{
    fs_mkdirs(folder, 0755);
    for (size_t i = 0; i < image->items.count; ++i) {
        const Item *item = &image->items.items[i];
        const char *path = arena_printf(image->arena, "%s%s", folder, item->path);
        char parent[4096];
        snprintf(parent, sizeof parent, "%s", path);
        *strrchr(parent, '/') = 0;
        fs_mkdirs(parent, 0755);
        Buf elf = {0};
        switch (item->kind) {
        case 'd':
            fs_mkdirs(path, 0755);
            break;
        case 'l':
            if (symlink(item->text, path) != 0)
                stop(path, 0, "the link cannot be made");
            break;
        case 's':
            write_stub(image, path, item);
            break;
        case 'p':
            image_elf(image->arena, &elf, option(image, item->text, "needs="),
                      option(image, item->text, "rpath="), option(image, item->text, "code="));
            write_file(path, elf.data, elf.count, 0755);
            buf_free(&elf);
            break;
        default:
            write_file(path, item->text, strlen(item->text), item->kind == 'x' ? 0755 : 0644);
        }
    }
}

static void put_number(Buf *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        buf_putc(out, (char)(value >> (8 * i)));
}

/* "sm_90a" or "compute_90@8.0" as one entry. */
static void put_entry(Buf *out, const char *code)
{
    bool ptx = strncmp(code, "compute_", 8) == 0;
    const char *digits = code + (ptx ? 8 : 3), *version = strchr(code, '@');
    char *end;
    unsigned long arch = strtoul(digits, &end, 10);
    unsigned major = 1, minor = 8;
    if (version)
        sscanf(version, "@%u.%u", &major, &minor);
    put_number(out, ptx ? 1 : 2, 2);
    put_number(out, 0x101, 2);
    put_number(out, 64, 4);
    put_number(out, 8, 8);
    put_number(out, 0, 8);
    put_number(out, minor, 2);
    put_number(out, major, 2);
    put_number(out, arch, 4);
    put_number(out, 0, 8);
    put_number(out, 0x11 | (*end == 'a' ? 0x100000 : *end == 'f' ? 0x200000 : 0), 8);
    put_number(out, 0, 8);
    put_number(out, 0, 8);
    put_number(out, 0, 8);
}

void image_elf(Arena *arena, Buf *out, const char *needs, const char *rpath, const char *code)
{
    Buf strings = {0}, dynamic = {0}, fat = {0};
    buf_putc(&strings, 0);
    char *list = arena_strdup(arena, needs ? needs : "");
    for (char *rest = list, *one; (one = strsep(&rest, ","));) {
        if (!*one)
            continue;
        put_number(&dynamic, DT_NEEDED, 8);
        put_number(&dynamic, strings.count, 8);
        buf_add(&strings, one, strlen(one) + 1);
    }
    if (rpath) {
        put_number(&dynamic, DT_RUNPATH, 8);
        put_number(&dynamic, strings.count, 8);
        buf_add(&strings, rpath, strlen(rpath) + 1);
    }
    if (code) {
        Buf entries = {0};
        list = arena_strdup(arena, code);
        for (char *rest = list, *one; (one = strsep(&rest, ","));)
            put_entry(&entries, one);
        put_number(&fat, 0xba55ed50, 4);
        put_number(&fat, 1, 2);
        put_number(&fat, 16, 2);
        put_number(&fat, entries.count, 8);
        buf_add(&fat, entries.data, entries.count);
        buf_free(&entries);
    }
    /* Header, two segments, dynamic part, strings, fat binary, section names, three sections. */
    static const char names[] = "\0.nv_fatbin\0.shstrtab";
    const uint64_t base = 0x400000, at_dynamic = 64 + 2 * 56;
    const uint64_t dynamic_size = dynamic.count + 32, at_strings = at_dynamic + dynamic_size;
    const uint64_t at_fat = (at_strings + strings.count + 7) & ~7ull, at_names = at_fat + fat.count;
    const uint64_t at_sections = (at_names + sizeof names + 7) & ~7ull;
    put_number(&dynamic, DT_STRTAB, 8);
    put_number(&dynamic, base + at_strings, 8);
    put_number(&dynamic, DT_NULL, 8);
    put_number(&dynamic, 0, 8);
#if defined(__aarch64__)
    const unsigned processor = EM_AARCH64;
#else
    const unsigned processor = EM_X86_64;
#endif
    Elf64_Ehdr head = {.e_type = ET_DYN,
                       .e_machine = (Elf64_Half)processor,
                       .e_version = 1,
                       .e_phoff = 64,
                       .e_shoff = at_sections,
                       .e_ehsize = 64,
                       .e_phentsize = 56,
                       .e_phnum = 2,
                       .e_shentsize = 64,
                       .e_shnum = 3,
                       .e_shstrndx = 2};
    memcpy(head.e_ident, "\177ELF\2\1\1", 7);
    Elf64_Phdr segments[2] = {
        {.p_type = PT_LOAD, .p_vaddr = base, .p_filesz = at_names, .p_memsz = at_names},
        {.p_type = PT_DYNAMIC,
         .p_offset = at_dynamic,
         .p_vaddr = base + at_dynamic,
         .p_filesz = dynamic_size,
         .p_memsz = dynamic_size}};
    Elf64_Shdr sections[3] = {
        {0},
        {.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = at_fat, .sh_size = fat.count},
        {.sh_name = 12, .sh_type = SHT_STRTAB, .sh_offset = at_names, .sh_size = sizeof names}};
    buf_add(out, &head, sizeof head);
    buf_add(out, segments, sizeof segments);
    buf_add(out, dynamic.data, dynamic.count);
    buf_add(out, strings.data, strings.count);
    while (out->count < at_fat)
        buf_putc(out, 0);
    if (fat.count)
        buf_add(out, fat.data, fat.count);
    buf_add(out, names, sizeof names);
    while (out->count < at_sections)
        buf_putc(out, 0);
    buf_add(out, sections, sizeof sections);
    buf_free(&strings);
    buf_free(&dynamic);
    buf_free(&fat);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

void remove_tree(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
