/* SPDX-License-Identifier: Apache-2.0
 * What clang's PTX does not say and gpukit adds: the version that the text needs (clang writes the
 * one that it was told, also above inline PTX and parameters that need a later one, which the GPU's
 * driver then refuses), and which variables are managed (host_defines.h aligns them as nothing
 * else), the size of clusters, which names of a static variable are one, and the public names of
 * constant ones. */
#include "source/toolchain.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* Words and the version (ten times) that first has them. Source: PTX ISA, release notes. */
static const struct {
    const char *word;
    int version;
} words[] = {
    {".e4m3", 84},       {".e5m2", 84},       {"wgmma.", 80},           {"cp.async.bulk", 80},
    {"elect.sync", 80},  {"setmaxnreg.", 80}, {".relaxed.cluster", 80}, {".b128", 84},
    {".add.v2.f32", 81}, {".add.v4.f32", 81},
};
enum { OLD_PARAMETERS = 4352, LARGE_PARAMETERS = 81 };

/* Whether a kernel takes more parameter bytes than versions before 8.1 allow. */
static bool has_large_parameters(const char *ptx)
{
    for (const char *entry = ptx; (entry = strstr(entry, ".entry ")); entry++) {
        const char *end = strchr(entry, ')');
        long bytes = 0;
        for (const char *p = entry; end && (p = strstr(p, ".param ")) && p < end; p++) {
            const char *open = p + strcspn(p, "[,)");
            bytes += *open == '[' ? strtol(open + 1, NULL, 10) : 8;
        }
        if (bytes > OLD_PARAMETERS)
            return true;
    }
    return false;
}

static bool raise_version(Buf *ptx)
{
    const char *text = buf_text(ptx), *line = strstr(text, ".version ");
    if (!line || line[9] < '0' || line[9] > '9' || line[10] != '.' || line[11] < '0')
        return false;
    int has = (line[9] - '0') * 10 + line[11] - '0', needs = has;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].version > needs && strstr(text, words[i].word))
            needs = words[i].version;
    if (LARGE_PARAMETERS > needs && has_large_parameters(text))
        needs = LARGE_PARAMETERS;
    ptx->data[line + 9 - text] = (char)('0' + needs / 10);
    ptx->data[line + 11 - text] = (char)('0' + needs % 10);
    return needs > has;
}

static bool mark_managed(Buf *ptx)
{
    static const char mark[] = " .align 32768 ", word[] = " .attribute(.managed) .align 256 ";
    const char *from = buf_text(ptx), *found;
    Buf out = {0};
    while ((found = strstr(from, mark))) {
        buf_add(&out, from, (size_t)(found - from));
        buf_puts(&out, word);
        from = found + sizeof mark - 1;
    }
    if (!out.count)
        return false;
    buf_puts(&out, from);
    buf_free(ptx);
    *ptx = out;
    return true;
}

/* The size of a cluster, which device.h leaves as a comment in the kernel. */
static bool state_clusters(Buf *ptx)
{
    static const char mark[] = "//gpukit.cluster ";
    const char *text = buf_text(ptx), *from = text;
    Buf out = {0};
    for (const char *found = text; (found = strstr(found, mark)); ++found) {
        const char *entry = text, *next, *body;
        while ((next = strstr(entry + 1, ".entry ")) && next < found)
            entry = next;
        body = strstr(entry, "\n{");
        if (entry == text || !body || body > found || body < from)
            continue;
        const char *size = found + sizeof mark - 1;
        buf_add(&out, from, (size_t)(body - from));
        buf_printf(&out, "\n.explicitcluster\n.reqnctapercluster %.*s", (int)strcspn(size, "\n"),
                   size);
        from = body;
    }
    if (!out.count)
        return false;
    buf_puts(&out, from);
    buf_free(ptx);
    *ptx = out;
    return true;
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

/* The next place of a word of n bytes that is not a part of a longer one; NULL behind the last. */
static const char *find_word(const char *text, const char *word, size_t n)
{
    for (; (text = strstr(text, word)); text += n)
        if (!in_word(text[n]) && !in_word(text[-1]))
            return text;
    return NULL;
}

/* The variable `name` becomes `public`, whose declaration stands from `line` to `end`: that one goes
 * to the place of the other, in front of every use. */
static void rename_static(Buf *ptx, const char *name, const char *public, const char *line,
                          const char *end)
{
    const char *from = buf_text(ptx), *found;
    size_t n = strlen(name);
    Buf out = {0};
    bool moved = false, skipped = false;
    while ((found = find_word(from, name, n)) || !skipped) {
        if (!skipped && (!found || found > line)) {
            buf_add(&out, from, (size_t)(line - from));
            from = end;
            skipped = true;
            continue;
        }
        const char *stop = found;
        if (!moved) {
            while (stop > from && stop[-1] != '\n')
                stop--;
            buf_add(&out, from, (size_t)(stop - from));
            buf_add(&out, line, (size_t)(end - line));
            stop = strstr(found, ";\n");
            from = stop ? stop + 2 : found + n;
            moved = true;
            continue;
        }
        buf_add(&out, from, (size_t)(found - from));
        buf_puts(&out, public);
        from = found + n;
    }
    buf_puts(&out, from);
    buf_free(ptx);
    *ptx = out;
}

/* A static variable of separately compiled code has a public name as soon as host code mentions it.
 * A kernel in front of that place still uses its old name, and clang emits both, or the old one as
 * something that another file has: they are one. */
static bool join_statics(Buf *ptx)
{
    static const char mark[] = "__static__", visible[] = "\n.visible ";
    bool joined = false;
    size_t at = 0;
    for (const char *found; (found = strstr(buf_text(ptx) + at, mark));) {
        const char *text = buf_text(ptx), *start = found, *stop = found, *line = found;
        at = (size_t)(found - text) + 1;
        while (start > text && in_word(start[-1]))
            start--;
        while (in_word(*stop))
            stop++;
        while (line > text && *line != '\n')
            line--;
        const char *end = strstr(stop, ";\n");
        if (strncmp(line, visible, sizeof visible - 1) != 0 || !end)
            continue;
        char *name = xasprintf("%.*s", (int)(found - start), start),
             *public = xasprintf("%.*s", (int)(stop - start), start);
        const char *own = find_word(text + 1, name, strlen(name));
        if (own && *name) {
            rename_static(ptx, name, public, line + 1, end + 2);
            joined = true;
            at = 0;
        }
        free(name);
        free(public);
    }
    return joined;
}

/* Whether a line declares a variable with internal linkage, of C++ and at namespace scope; its name. */
static bool declares_internal(const char *line, const char **name, size_t *n)
{
    if (strncmp(line, ".const ", 7) != 0 && strncmp(line, ".global ", 8) != 0)
        return false;
    const char *end = line + strcspn(line, "[=;\n"), *start;
    while (end[-1] == ' ')
        end--;
    for (start = end; in_word(start[-1]); start--)
        ;
    *name = start;
    *n = (size_t)(end - start);
    return strncmp(start, "_ZL", 3) == 0 || strncmp(start, "_ZN", 3) == 0;
}

/* Separately compiled host code asks for a static variable by a public name, but clang gives that name in
 * device code to none whose value the host knows (const, with a constant's value). The suffix is that of
 * gpukit::unit (gpukit/unit.h), which goes. */
static bool publish_constants(Buf *ptx)
{
    static const char unit[] = "_ZN6gpukitL4unitE__static__";
    const char *text = buf_text(ptx), *own = strstr(text, unit), *line = own;
    if (!own)
        return false;
    while (line > text && line[-1] != '\n')
        line--;
    const char *suffix = strstr(own, "__static__"), *rest = strchr(own, '\n');
    rest = rest ? rest + 1 : own + strlen(own);
    int suffix_bytes = 0;
    while (in_word(suffix[suffix_bytes]))
        suffix_bytes++;

    Map internal = {0};
    const char *name;
    size_t n;
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!declares_internal(at, &name, &n))
            continue;
        char *key = xasprintf("%.*s", (int)n, name);
        map_set(&internal, key, &internal);
        free(key);
    }
    Buf out = {0};
    bool starts_line = true;
    for (const char *at = text; *at;) {
        if (at == line) {
            at = rest;
            continue;
        }
        if (starts_line && declares_internal(at, &name, &n))
            buf_puts(&out, ".visible ");
        starts_line = *at == '\n';
        size_t bytes = 1;
        if (in_word(*at)) {
            while (in_word(at[bytes]))
                bytes++;
        }
        buf_add(&out, at, bytes);
        if (map_get_n(&internal, at, bytes))
            buf_add(&out, suffix, (size_t)suffix_bytes);
        at += bytes;
    }
    map_free(&internal);
    buf_free(ptx);
    *ptx = out;
    return true;
}

bool ptx_finish(Buf *ptx)
{
    bool changed =
        mark_managed(ptx) | state_clusters(ptx) | join_statics(ptx) | publish_constants(ptx);
    return raise_version(ptx) || changed;
}
