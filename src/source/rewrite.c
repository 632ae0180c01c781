/* SPDX-License-Identifier: Apache-2.0
 * Finds launches in device functions by reading tokens: comments, literals and directives are
 * passed over, braces tell functions apart, and a function is a device function when its head says
 * __global__ or __device__ and not __host__. Launches inside macros are not seen; clang then names
 * them. The size of a cluster (__cluster_dims__ in a kernel's head) moves into the kernel as a call
 * that leaves a comment in the PTX, which ptx_text.c makes a directive of. alignas behind __shared__
 * (or __constant__, __device__) moves before the specifiers, the only place where clang takes it.
 * A texture reference, `texture<...> name`, becomes a device variable of the type that
 * gpukit/texture_reference.h has for it (and surface<...> likewise). In inline PTX with operands, %name
 * of a register becomes %%name: nvcc takes both. The three signs of a launch may stand apart for nvcc,
 * `k << < 1, 2 >> > (a)`, as some formatters write it; they are joined. `#define UNROLL #pragma unroll`, which nvcc
 * takes because it reads its preprocessor's text once more, becomes _Pragma("unroll").
 *
 * Source and headers stay where they are: clang reads the rewritten text through an overlay of its
 * file system, so that paths, lines and make rules are the user's own. */
#include "source/rewrite.h"
#include "base/fs.h"
#include "source/headers.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *start;
    unsigned bytes;
    bool word;
} Token;
typedef VEC(Token) Tokens;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* --- tokens ---------------------------------------------------------------------------------- */

/* Behind a quoted literal that starts at p. */
static const char *skip_quoted(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end ? p + 1 : end;
}

/* Behind R"mark(...)mark", p at the quote. */
static const char *skip_raw(const char *p, const char *end)
{
    const char *open = memchr(p, '(', (size_t)(end - p));
    if (!open || open - p > 17)
        return skip_quoted(p, end);
    size_t mark = (size_t)(open - p - 1);
    for (const char *q = open + 1; q + mark + 1 < end; ++q)
        if (*q == ')' && memcmp(q + 1, p + 1, mark) == 0 && q[1 + mark] == '"')
            return q + mark + 2;
    return end;
}

static const char *skip_line(const char *p, const char *end)
{
    while (p < end && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p;
}

static const char *skip_comment(const char *p, const char *end)
{
    if (p[1] == '/')
        return skip_line(p, end);
    const char *stop = p + 2 < end ? memmem(p + 2, (size_t)(end - p - 2), "*/", 2) : NULL;
    return stop ? stop + 2 : end;
}

static bool is_raw_prefix(const Token *t)
{
    return t->bytes <= 3 && t->start[t->bytes - 1] == 'R';
}

static void read_tokens(const char *text, size_t bytes, Tokens *tokens)
{
    const char *p = text, *end = text + bytes;
    bool line_start = true;
    while (p < end) {
        if (*p == '\n')
            line_start = true;
        if (isspace((unsigned char)*p)) {
            ++p;
            continue;
        }
        if (*p == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(p, end);
            continue;
        }
        if (*p == '#' && line_start) {
            p = skip_line(p, end);
            continue;
        }
        line_start = false;
        Token t = {p, 1, is_word(*p)};
        if (t.word) {
            while (p + t.bytes < end && is_word(p[t.bytes]))
                ++t.bytes;
            p += t.bytes;
            if (p < end && *p == '"' && is_raw_prefix(&t))
                p = skip_raw(p, end);
            /* 1'000'000 */
            while (isdigit((unsigned char)*t.start) && p + 1 < end && *p == '\'' && is_word(p[1]))
                for (++p; p < end && is_word(*p);)
                    ++p;
            t.bytes = (unsigned)(p - t.start);
        } else if (*p == '"' || *p == '\'') {
            p = skip_quoted(p, end);
            t.bytes = (unsigned)(p - t.start);
        } else {
            ++p;
        }
        VEC_PUSH(*tokens, t);
    }
}

static bool is(const Token *t, const char *text)
{
    return t->bytes == strlen(text) && memcmp(t->start, text, t->bytes) == 0;
}

/* The signs that open or close a launch, whatever is between them: `operator<< <int>` is none. */
static bool is_triple(const Tokens *t, size_t i, const char *sign)
{
    return i + 2 < t->count && is(&t->items[i], sign) && is(&t->items[i + 1], sign) &&
           is(&t->items[i + 2], sign) && !(i && is(&t->items[i - 1], "operator"));
}

static bool has_gap(const Tokens *t, size_t i)
{
    return t->items[i + 2].start != t->items[i].start + 2;
}

/* Somewhere three such signs stand apart. */
static bool has_apart(const char *text, size_t bytes, char sign)
{
    int count = 0;
    bool gap = false;
    for (size_t i = 0; i < bytes; ++i) {
        if (text[i] == sign) {
            if (++count == 3 && gap)
                return true;
        } else if (isspace((unsigned char)text[i])) {
            gap |= count > 0;
        } else {
            count = 0;
            gap = false;
        }
    }
    return false;
}

/* --- launches -------------------------------------------------------------------------------- */

/* The token that opens what token i closes with '>', or i. */
static size_t open_angle(const Tokens *t, size_t i)
{
    int depth = 0;
    for (size_t k = i + 1; k-- > 0;) {
        depth += is(&t->items[k], ">") || is(&t->items[k], ")");
        depth -= is(&t->items[k], "<") || is(&t->items[k], "(");
        if (depth == 0)
            return k;
        if (is(&t->items[k], ";") || is(&t->items[k], "{") || is(&t->items[k], "}"))
            break;
    }
    return i;
}

/* First token of the kernel's name in front of token i: a::b<c>::d<e>. SIZE_MAX when it is no name.
 */
static size_t name_start(const Tokens *t, size_t i)
{
    for (;;) {
        if (i > 0 && is(&t->items[i - 1], ">")) {
            size_t open = open_angle(t, i - 1);
            if (open == i - 1)
                return SIZE_MAX;
            i = open;
        }
        if (i == 0 || !t->items[i - 1].word)
            return SIZE_MAX;
        --i;
        if (i < 2 || !is(&t->items[i - 1], ":") || !is(&t->items[i - 2], ":"))
            return i;
        i -= 2;
        if (i == 0 || (!t->items[i - 1].word && !is(&t->items[i - 1], ">")) ||
            is(&t->items[i - 1], "return"))
            return i;
    }
}

static size_t closing_triple(const Tokens *t, size_t i)
{
    int depth = 0;
    for (; i < t->count; ++i) {
        const Token *token = &t->items[i];
        depth += is(token, "(") || is(token, "[") || is(token, "{");
        depth -= is(token, ")") || is(token, "]") || is(token, "}");
        if (depth < 0 || is(token, ";"))
            return SIZE_MAX;
        if (depth == 0 && is_triple(t, i, ">") && i + 3 < t->count && is(&t->items[i + 3], "("))
            return i;
    }
    return SIZE_MAX;
}

static void put_tokens(const Tokens *t, size_t from, size_t to, Buf *out)
{
    for (size_t i = from; i < to; ++i) {
        if (i > from && t->items[i].word && t->items[i - 1].word)
            buf_putc(out, ' ');
        buf_add(out, t->items[i].start, t->items[i].bytes);
    }
}

/* The ')' of the arguments that token `open` begins, when they may be written a second time where
 * nothing is evaluated: no lambda, no list in braces, no directive among them. Otherwise SIZE_MAX. */
static size_t plain_arguments(const Tokens *t, size_t open)
{
    if (open >= t->count || !is(&t->items[open], "("))
        return SIZE_MAX;
    int depth = 0;
    for (size_t i = open; i < t->count; ++i) {
        const Token *token = &t->items[i];
        depth += is(token, "(");
        depth -= is(token, ")");
        if (depth == 0) {
            const char *first = t->items[open].start;
            return memchr(first, '#', (size_t)(token->start - first)) ? SIZE_MAX : i;
        }
        bool starts = is(&t->items[i - 1], "(") || is(&t->items[i - 1], ",");
        if (is(token, ";") || is(token, "{") || (is(token, "[") && starts))
            break;
    }
    return SIZE_MAX;
}

/* Writes one launch; *from is how far the text has been copied. */
static bool rewrite_one(const Tokens *t, size_t at, const char **from, Buf *out)
{
    size_t name = name_start(t, at), close = closing_triple(t, at + 3);
    if (name == SIZE_MAX || close == SIZE_MAX || t->items[name].start < *from)
        return false;
    const Token *first = &t->items[name], *open = &t->items[at], *shut = &t->items[close];
    buf_add(out, *from, (size_t)(first->start - *from));
    size_t arguments = close + 3, end = plain_arguments(t, arguments);
    if (end != SIZE_MAX) {
        /* Overloads and templates: the arguments choose. Within a class, for there clang lets the
         * address of any kernel be taken. */
        buf_puts(out, "({ typedef decltype(::gpukit::types_of(");
        put_tokens(t, arguments + 1, end, out);
        buf_puts(out, ")) gpukit_types; struct gpukit_launch { typedef "
                      "decltype(gpukit_types::kernel_for(::gpukit::rank<4>(), &");
        put_tokens(t, name, at, out);
        buf_puts(out, ")) kernel; typedef ::gpukit::launch_function<typename "
                      "::gpukit::pointed<kernel>::type, ");
        put_tokens(t, name, at, out);
        buf_puts(out, "> type; }; gpukit_launch::type::with(");
    } else {
        buf_puts(out, "::gpukit::device_launch<decltype(&");
        put_tokens(t, name, at, out);
        buf_puts(out, "), ");
        buf_add(out, first->start, (size_t)(open->start - first->start));
        buf_puts(out, ">(");
    }
    const char *inside = t->items[at + 2].start + 1;
    buf_add(out, inside, (size_t)(shut->start - inside));
    buf_puts(out, end != SIZE_MAX ? "); })" : ")");
    *from = t->items[close + 2].start + 1;
    return true;
}

/* Three signs as one, what stood between them behind it. */
static void put_triple(const Tokens *t, size_t i, Buf *out)
{
    const Token *sign = &t->items[i];
    for (int k = 0; k < 3; ++k)
        buf_putc(out, *sign->start);
    for (int k = 0; k < 2; ++k)
        buf_add(out, sign[k].start + 1, (size_t)(sign[k + 1].start - sign[k].start - 1));
}

static bool join_launch(const Tokens *t, size_t at, const char **from, Buf *out)
{
    size_t close = closing_triple(t, at + 3);
    if (close == SIZE_MAX || t->items[at].start < *from || !(has_gap(t, at) || has_gap(t, close)))
        return false;
    const char *inside = t->items[at + 2].start + 1, *shut = t->items[close].start;
    buf_add(out, *from, (size_t)(t->items[at].start - *from));
    put_triple(t, at, out);
    buf_add(out, inside, (size_t)(shut - inside));
    put_triple(t, close, out);
    *from = t->items[close + 2].start + 1;
    return true;
}

/* What the head of a function says: 1 device, 0 not; both for the host and the device counts as
 * not. */
static bool head_is_device(const Tokens *t, size_t from, size_t to)
{
    bool device = false;
    for (size_t i = from; i < to; ++i) {
        if (is(&t->items[i], "__host__"))
            return false;
        device |= is(&t->items[i], "__global__") || is(&t->items[i], "__device__");
    }
    return device;
}

static size_t closing(const Tokens *t, size_t open)
{
    int depth = 0;
    for (size_t i = open; i < t->count; ++i) {
        depth += is(&t->items[i], "(");
        depth -= is(&t->items[i], ")");
        if (depth == 0)
            return i;
    }
    return t->count;
}

#define CLUSTER "__cluster_dims__"

/* The head of a function between tokens from and to, at whose '{' it stands: its cluster's size goes
 * into the body. */
static bool move_cluster(const Tokens *t, size_t from, size_t to, const char **done, Buf *out)
{
    for (size_t i = from; i + 1 < to; ++i) {
        if (!is(&t->items[i], CLUSTER) || !is(&t->items[i + 1], "("))
            continue;
        size_t close = closing(t, i + 1);
        if (close >= to)
            return false;
        const char *open = t->items[i + 1].start + 1, *shut = t->items[close].start,
                   *body = t->items[to].start + 1;
        buf_add(out, *done, (size_t)(t->items[i].start - *done));
        for (const char *p = t->items[i].start; p < shut; ++p)
            if (*p == '\n')
                buf_putc(out, '\n');
        buf_add(out, shut + 1, (size_t)(body - shut - 1));
        buf_puts(out, " ::gpukit::cluster_dims<");
        for (const char *p = open; p < shut; ++p)
            buf_putc(out, *p == '\n' ? ' ' : *p);
        buf_puts(out, ">();");
        *done = body;
        return true;
    }
    return false;
}

#define ALIGNAS "alignas"

/* The alignas at token i, if specifiers that clang wants behind it stand before it. *last: its end. */
static bool move_alignas(const Tokens *t, size_t i, size_t *last, const char **done, Buf *out)
{
    static const char *const specifiers[] = {"__shared__", "__constant__", "__device__",
                                             "extern",     "static",       "inline",
                                             "const",      "volatile"};
    enum { SPECIFIERS = sizeof specifiers / sizeof *specifiers, SPACES = 3 };
    size_t first = i,
           shut = i + 1 < t->count && is(&t->items[i + 1], "(") ? closing(t, i + 1) : t->count;
    bool space = false, found = shut < t->count;
    while (found && first) {
        found = false;
        for (int k = 0; k < SPECIFIERS && !found; ++k)
            found = is(&t->items[first - 1], specifiers[k]), space |= found && k < SPACES;
        first -= found;
    }
    const char *start = t->items[first].start, *word = t->items[i].start;
    if (!space || start < *done)
        return false;
    const char *end = t->items[shut].start + 1;
    buf_add(out, *done, (size_t)(start - *done));
    buf_add(out, word, (size_t)(end - word));
    buf_putc(out, ' ');
    buf_add(out, start, (size_t)(word - start));
    *done = end;
    *last = shut;
    return true;
}

/* Does the text use name as a template? Not if it declares a class of that name itself. */
static bool has_reference(const char *text, size_t bytes, const char *name)
{
    size_t length = strlen(name);
    bool found = false;
    for (const char *p = text, *end = text + bytes;
         (p = memmem(p, (size_t)(end - p), name, length)) != NULL; p += length) {
        if ((p - text >= 7 && memcmp(p - 7, "struct ", 7) == 0) ||
            (p - text >= 6 && memcmp(p - 6, "class ", 6) == 0))
            return false;
        const char *q = p + length;
        while (q < end && isspace((unsigned char)*q))
            ++q;
        found |= q < end && *q == '<' && (p == text || !is_word(p[-1]));
    }
    return found;
}

/* The reference at token i; head: where its statement begins; file_scope: outside of functions and
 * classes. */
static bool rewrite_reference(const Tokens *t, size_t i, size_t head, bool file_scope,
                              const char **done, Buf *out)
{
    size_t shut = i + 1;
    int depth = 0;
    for (; shut < t->count; ++shut) {
        depth += is(&t->items[shut], "<");
        depth -= is(&t->items[shut], ">");
        if (depth == 0 || is(&t->items[shut], ";") || is(&t->items[shut], "{"))
            break;
    }
    if (depth || shut + 1 >= t->count || !t->items[i + 2].word)
        return false;
    const Token *next = &t->items[shut + 1];
    bool named = next->word;
    if (!named && !is(next, "&") && !is(next, "*") && !is(next, ")") && !is(next, ",") &&
        !is(next, ">"))
        return false;
    bool variable = file_scope && named;
    for (size_t k = head; k < i; ++k)
        variable &= is(&t->items[k], "static") || is(&t->items[k], "extern");
    buf_add(out, *done, (size_t)(t->items[i].start - *done));
    buf_puts(out, variable ? "__device__ gpukit_" : "gpukit_");
    *done = t->items[i].start;
    return true;
}

/* The asm at token i, in device code: does it have operands, and registers with one percent sign? Strings
 * stand between '(' and the first ':'. */
static bool rewrite_asm(const Tokens *t, size_t i, const char **done, Buf *out)
{
    size_t open = i + 1;
    while (open < t->count && t->items[open].word)
        ++open; /* volatile */
    size_t end = open + 1;
    while (end < t->count && *t->items[end].start == '"')
        ++end;
    if (end >= t->count || !is(&t->items[open], "(") || !is(&t->items[end], ":"))
        return false;
    bool any = false;
    for (size_t k = open + 1; k < end; ++k) {
        const char *p = t->items[k].start, *stop = p + t->items[k].bytes;
        for (; p + 1 < stop; ++p) {
            if (*p != '%')
                continue;
            if (isalpha((unsigned char)p[1])) {
                buf_add(out, *done, (size_t)(p - *done));
                buf_putc(out, '%');
                *done = p;
                any = true;
            }
            ++p;
        }
    }
    return any;
}

/* Does the '{' behind these tokens open a namespace, or extern "C"? */
static bool opens_scope(const Tokens *t, size_t from, size_t to)
{
    bool scope = from < to && is(&t->items[from], "extern") && to - from == 2;
    for (size_t i = from; i < to; ++i)
        scope |= is(&t->items[i], "namespace");
    return scope;
}

/* Macros without parameters whose text begins with #pragma: it becomes _Pragma("..."). */
static bool rewrite_pragmas(const char *text, size_t bytes, Buf *out)
{
    static const char define[] = "define", pragma[] = "pragma";
    const char *from = text, *end = text + bytes;
    for (const char *p = text, *next; p < end; p = next < end ? next + 1 : end) {
        next = skip_line(p, end);
        while (p < next && isspace((unsigned char)*p))
            ++p;
        if (p == next || *p++ != '#')
            continue;
        while (p < next && (*p == ' ' || *p == '\t'))
            ++p;
        if ((size_t)(next - p) < sizeof define || memcmp(p, define, sizeof define - 1) != 0)
            continue;
        for (p += sizeof define - 1; p < next && isspace((unsigned char)*p);)
            ++p;
        while (p < next && is_word(*p))
            ++p;
        const char *hash = p;
        while (hash < next && (isspace((unsigned char)*hash) || *hash == '\\'))
            ++hash;
        if (hash == p || hash == next || *hash != '#')
            continue;
        for (p = hash + 1; p < next && isspace((unsigned char)*p);)
            ++p;
        if ((size_t)(next - p) < sizeof pragma || memcmp(p, pragma, sizeof pragma - 1) != 0 ||
            is_word(p[sizeof pragma - 1]))
            continue;
        const char *body = p + sizeof pragma - 1, *stop = next;
        for (const char *q = body; q + 1 < next; ++q)
            if (*q == '/' && (q[1] == '/' || q[1] == '*')) {
                stop = q;
                break;
            }
        buf_add(out, from, (size_t)(hash - from));
        buf_puts(out, "_Pragma(\"");
        for (; body < stop; ++body) {
            if (*body == '"' ||
                (*body == '\\' && body + 1 < stop && body[1] != '\n' && body[1] != '\r'))
                buf_putc(out, '\\');
            buf_putc(out, *body);
        }
        buf_puts(out, "\")");
        from = stop;
    }
    buf_add(out, from, (size_t)(end - from));
    return from != text;
}

/* An open brace: device functions around it; is it other than a namespace's? */
typedef struct {
    bool device, plain;
} Brace;

static bool rewrite_code(const char *text, size_t bytes, bool launches, Buf *out)
{
    Tokens tokens = {0};
    VEC(Brace) braces = {0};
    bool device = false, any = false;
    size_t head = 0;
    int plain = 0; /* braces around us that are no namespace's */
    const char *from = text;
    bool apart = has_apart(text, bytes, '<') || has_apart(text, bytes, '>');
    launches = launches && (apart || memmem(text, bytes, "<<<", 3));
    bool clusters = memmem(text, bytes, CLUSTER, sizeof CLUSTER - 1);
    bool aligned = memmem(text, bytes, ALIGNAS, sizeof ALIGNAS - 1);
    bool textures = has_reference(text, bytes, "texture"),
         surfaces = has_reference(text, bytes, "surface");
    bool assembly = memmem(text, bytes, "asm", 3);
    if (launches || apart || clusters || aligned || textures || surfaces || assembly)
        read_tokens(text, bytes, &tokens);
    for (size_t i = 0; i < tokens.count; ++i) {
        const Token *t = &tokens.items[i];
        if (is(t, "{")) {
            bool inner = !opens_scope(&tokens, head, i);
            plain += inner;
            VEC_PUSH(braces, ((Brace){device, inner}));
            if (clusters && !device && head_is_device(&tokens, head, i))
                any |= move_cluster(&tokens, head, i, &from, out);
            device = device || head_is_device(&tokens, head, i);
            head = i + 1;
        } else if (is(t, "}")) {
            device = false;
            if (braces.count) {
                device = braces.items[--braces.count].device;
                plain -= braces.items[braces.count].plain;
            }
            head = i + 1;
        } else if (is(t, ";")) {
            head = i + 1;
        } else if (aligned && is(t, ALIGNAS)) {
            any |= move_alignas(&tokens, i, &i, &from, out);
        } else if (((textures && is(t, "texture")) || (surfaces && is(t, "surface"))) &&
                   i + 2 < tokens.count && is(&tokens.items[i + 1], "<")) {
            any |= rewrite_reference(&tokens, i, head, plain == 0, &from, out);
        } else if (device && (is(t, "asm") || is(t, "__asm__") || is(t, "__asm"))) {
            any |= rewrite_asm(&tokens, i, &from, out);
        } else if ((launches || apart) && is_triple(&tokens, i, "<")) {
            any |= (launches && device ? rewrite_one : join_launch)(&tokens, i, &from, out);
            i += 2;
        }
    }
    buf_add(out, from, (size_t)(text + bytes - from));
    VEC_FREE(tokens);
    VEC_FREE(braces);
    return any;
}

bool rewrite_text(const char *text, size_t bytes, bool launches, Buf *out)
{
    Buf other = {0};
    bool pragmas = memmem(text, bytes, "pragma", 6) && rewrite_pragmas(text, bytes, &other);
    bool code =
        rewrite_code(pragmas ? other.data : text, pragmas ? other.count : bytes, launches, out);
    buf_free(&other);
    return pragmas || code;
}

/* --- files ------------------------------------------------------------------------------------ */

typedef struct {
    Toolchain *tools;
    Buf entries;
    int count;
} Overlay;

static void put_json(Buf *out, const char *text)
{
    buf_putc(out, '"');
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
    buf_putc(out, '"');
}

static const char *absolute(Arena *arena, const char *path)
{
    char folder[PATH_MAX];
    if (path[0] == '/' || !getcwd(folder, sizeof folder))
        return path;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return arena_printf(arena, "%s/%s", folder, path);
}

static void overlay_file(void *user, const char *path, const Buf *text)
{
    Overlay *o = user;
    Buf out = {0};
    Arena *a = o->tools->arena;
    if (rewrite_text(text->data, text->count, o->tools->options->relocatable, &out)) {
        const char *copy = arena_printf(a, "%s/launches.%d", o->tools->work, o->count);
        if (fs_write_atomic(copy, out.data, out.count) == 0) {
            buf_puts(&o->entries, o->count++ ? ",\n{\"type\": \"file\", \"name\": "
                                             : "{\"type\": \"file\", \"name\": ");
            put_json(&o->entries, absolute(a, path));
            buf_puts(&o->entries, ", \"external-contents\": ");
            put_json(&o->entries, copy);
            buf_putc(&o->entries, '}');
        }
    }
    buf_free(&out);
}

const char *rewrite_overlay(Toolchain *tools, const char *input)
{
    Overlay o = {.tools = tools};
    const char *path = NULL;
    headers_walk(tools, input, overlay_file, &o);
    if (o.count) {
        Buf text = {0};
        buf_printf(&text, "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n%s]}\n",
                   buf_text(&o.entries));
        path = arena_printf(tools->arena, "%s/launches.yaml", tools->work);
        if (fs_write_atomic(path, text.data, text.count) != 0)
            path = NULL;
        buf_free(&text);
    }
    buf_free(&o.entries);
    return path;
}
