/* SPDX-License-Identifier: Apache-2.0
 * What clang's PTX does not say and gpukit adds: the version that the text needs (clang writes the
 * one that it was told, also above inline PTX and parameters that need a later one, which the GPU's
 * driver then refuses), and which variables are managed (host_defines.h aligns them as nothing
 * else), the size of clusters, and which names of a static variable are one. */
#include "source/toolchain.h"

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

bool ptx_finish(Buf *ptx)
{
    bool changed = mark_managed(ptx) | state_clusters(ptx) | join_statics(ptx);
    return raise_version(ptx) || changed;
}
