/* SPDX-License-Identifier: Apache-2.0
 * What clang's PTX does not say and gpukit adds: the version that the text needs (clang writes the
 * one that it was told, also above inline PTX and parameters that need a later one, which the GPU's
 * driver then refuses), and which variables are managed (host_defines.h aligns them as nothing
 * else), and the size of clusters. */
#include "source/toolchain.h"

#include <stdlib.h>
#include <string.h>

/* Words and the version (ten times) that first has them. Source: PTX ISA, release notes. */
static const struct {
    const char *word;
    int version;
} words[] = {
    {".e4m3", 84},      {".e5m2", 84},       {"wgmma.", 80},           {"cp.async.bulk", 80},
    {"elect.sync", 80}, {"setmaxnreg.", 80}, {".relaxed.cluster", 80},
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

bool ptx_finish(Buf *ptx)
{
    bool changed = mark_managed(ptx) | state_clusters(ptx);
    return raise_version(ptx) || changed;
}
