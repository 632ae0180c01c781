/* SPDX-License-Identifier: Apache-2.0
 *
 * The PTX linker (see ptxlink.h). It cuts each text into the statements of module scope, keeps one
 * definition of each name (strong before weak, else the first), drops declarations of what another
 * text defines, and gives names without linkage that occur in several texts a suffix. The result
 * holds prototypes first, then variables, then functions, so that everything is declared before
 * its use. Does not check types across texts; source positions (.file, .loc) of all but the first
 * text are dropped. */
#include "runtime/ptxlink.h"

#include "base/arena.h"
#include "base/map.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { S_FUNCTION, S_PROTOTYPE, S_VARIABLE } Kind;
typedef enum { L_NONE, L_VISIBLE, L_WEAK, L_EXTERN } Linkage;

typedef struct {
    const char *text;
    size_t bytes, head; /* head: bytes in front of a function's body */
    Kind kind;
    Linkage linkage;
    bool is_entry, initialised;
    char *name;
    size_t name_at;     /* in text */
    const char *result; /* the brackets in front of a function's name, NULL: none */
    size_t result_bytes;
    bool lent; /* the result is another text's declaration's */
    size_t module;
} Statement;

typedef struct {
    const char *at, *end;
    int version; /* 78 = 7.8 */
    char target[32];
    int sm;
} Scan;

typedef struct {
    VEC(Statement) list;
    int version, sm;
    char target[32];
    Arena *arena;
} Linker;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* Skips blanks and comments. */
static void skip_blank(Scan *s)
{
    while (s->at < s->end) {
        if (isspace((unsigned char)*s->at) || !*s->at) {
            s->at++;
        } else if (s->end - s->at > 1 && s->at[0] == '/' && s->at[1] == '/') {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
        } else if (s->end - s->at > 1 && s->at[0] == '/' && s->at[1] == '*') {
            s->at += 2;
            while (s->end - s->at > 1 && !(s->at[0] == '*' && s->at[1] == '/'))
                s->at++;
            s->at = s->end - s->at > 1 ? s->at + 2 : s->end;
        } else {
            return;
        }
    }
}

/* The next word or single character; its length, 0 at the end. */
static size_t token(Scan *s, const char **start)
{
    skip_blank(s);
    *start = s->at;
    if (s->at >= s->end)
        return 0;
    if (*s->at == '"') {
        s->at++;
        while (s->at < s->end && *s->at != '"')
            s->at += *s->at == '\\' && s->end - s->at > 1 ? 2 : 1;
        s->at += s->at < s->end;
    } else if (is_word(*s->at)) {
        while (s->at < s->end && is_word(*s->at))
            s->at++;
    } else {
        s->at++;
    }
    return (size_t)(s->at - *start);
}

static bool is(const char *start, size_t bytes, const char *word)
{
    return bytes == strlen(word) && !memcmp(start, word, bytes);
}

/* Behind an opening bracket: to its partner. */
static bool skip_group(Scan *s, char open, char close)
{
    int depth = 1;
    const char *start;
    size_t bytes;
    while (depth && (bytes = token(s, &start)))
        if (bytes == 1)
            depth += *start == open ? 1 : *start == close ? -1 : 0;
    return depth == 0;
}

static void skip_line(Scan *s)
{
    while (s->at < s->end && *s->at != '\n')
        s->at++;
}

/* Directives that stand for the whole text. True when it was one. */
static bool directive(Linker *linker, Scan *s, const char *start, size_t bytes)
{
    if (is(start, bytes, ".version")) {
        char number[16] = "";
        size_t n = token(s, &start);
        snprintf(number, sizeof number, "%.*s", n < 15 ? (int)n : 15, start);
        int major = 0, minor = 0;
        sscanf(number, "%4d.%4d", &major, &minor);
        if (major * 10 + minor > linker->version)
            linker->version = major * 10 + minor;
    } else if (is(start, bytes, ".target")) {
        size_t n = token(s, &start);
        int sm = n > 3 && n < 16 ? atoi(start + 3) : 0;
        if (sm > linker->sm) {
            linker->sm = sm;
            snprintf(linker->target, sizeof linker->target, "%.*s", (int)n, start);
        }
        skip_line(s);
    } else if (is(start, bytes, ".address_size") || is(start, bytes, ".file")) {
        skip_line(s);
    } else if (is(start, bytes, ".section")) {
        while ((bytes = token(s, &start)) && *start != '{')
            ;
        skip_group(s, '{', '}');
    } else {
        return false;
    }
    return true;
}

/* One statement whose first word has been read. */
static bool statement(Linker *linker, Scan *s, const char *start, size_t bytes, size_t module)
{
    Statement out = {.text = start, .module = module, .kind = S_VARIABLE};
    const char *word = start;
    bool function = false, align = false;
    for (; bytes; bytes = token(s, &word)) {
        if (is(word, bytes, ".visible"))
            out.linkage = L_VISIBLE;
        else if (is(word, bytes, ".weak") || is(word, bytes, ".common"))
            out.linkage = L_WEAK;
        else if (is(word, bytes, ".extern"))
            out.linkage = L_EXTERN;
        else if (is(word, bytes, ".func") || is(word, bytes, ".entry")) {
            function = true;
            out.is_entry = is(word, bytes, ".entry");
        } else if (*word == '(') {
            if (!skip_group(s, '(', ')'))
                return false;
            if (function && !out.name) {
                out.result = word;
                out.result_bytes = (size_t)(s->at - word);
            }
        } else if (is(word, bytes, ".align")) {
            align = true;
            continue;
        } else if (is_word(*word) && *word != '.' && !align && !out.name &&
                   !isdigit((unsigned char)*word)) {
            out.name = arena_strndup(linker->arena, word, bytes);
            out.name_at = (size_t)(word - start);
        } else if (*word == '=') {
            out.initialised = true;
        } else if (*word == '{' && function) {
            out.kind = S_FUNCTION;
            out.head = (size_t)(word - start);
            if (!skip_group(s, '{', '}'))
                return false;
            break;
        } else if (*word == '{') {
            if (!skip_group(s, '{', '}'))
                return false;
        } else if (*word == ';') {
            if (function)
                out.kind = S_PROTOTYPE;
            break;
        }
        align = false;
    }
    if (!bytes)
        return false;
    out.bytes = (size_t)(s->at - start);
    if (!out.name) /* .pragma and the like */
        return true;
    VEC_PUSH(linker->list, out);
    return true;
}

static bool cut(Linker *linker, const PtxText *text, size_t module)
{
    Scan s = {.at = text->text, .end = text->text + text->bytes};
    const char *start;
    size_t bytes;
    while ((bytes = token(&s, &start)))
        if (!directive(linker, &s, start, bytes) && !statement(linker, &s, start, bytes, module))
            return false;
    return true;
}

/* NVIDIA's device runtime, for texts that call it (dynamic parallelism, grid barriers). */
static const char *const device_runtime[] = {
#define LINE(text) text "\n",
#include "runtime/device_runtime.def"
#undef LINE
};

static bool wants_device_runtime(const Linker *linker)
{
    static const char *const prefixes[] = {"__cudaCDP2", "cuda"};
    for (size_t i = 0; i < linker->list.count; i++)
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
            if (strncmp(linker->list.items[i].name, prefixes[k], strlen(prefixes[k])) == 0)
                return true;
    return false;
}

/* CUDA 11's name of a call that the device runtime has by CUDA 12's: that one, else NULL. */
static const char *renamed_call(const Map *runtime, const char *name)
{
    char newer[128];
    if (strncmp(name, "cuda", 4) != 0)
        return NULL;
    snprintf(newer, sizeof newer, "__cudaCDP2%s", name + 4);
    return map_get(runtime, newer);
}

static bool defines(const Statement *s)
{
    return s->kind != S_PROTOTYPE && s->linkage != L_EXTERN;
}

/* Writes a piece with the module's renamed names; .loc lines go when positions do. */
static void write_piece(const char *text, size_t bytes, const Map *names, bool drop_loc, Buf *out)
{
    Scan s = {.at = text, .end = text + bytes};
    const char *done = text, *start;
    size_t length;
    while ((length = token(&s, &start))) {
        const char *other = names->count ? map_get_n(names, start, length) : NULL;
        bool loc = drop_loc && is(start, length, ".loc");
        if (!other && !loc)
            continue;
        buf_add(out, done, (size_t)(start - done));
        if (other)
            buf_puts(out, other);
        else
            skip_line(&s);
        done = s.at;
    }
    buf_add(out, done, (size_t)(text + bytes - done));
}

/* Writes a statement up to end. A result that only a caller's declaration has is declared here too: the
 * caller reads what nothing wrote, as it does on a GPU. */
static void write_statement(const Statement *st, size_t bytes, const Map *names, bool drop_loc,
                            Buf *out)
{
    size_t done = st->lent ? st->name_at : 0;
    if (st->lent) {
        write_piece(st->text, done, names, drop_loc, out);
        buf_add(out, st->result, st->result_bytes);
        buf_putc(out, ' ');
    }
    write_piece(st->text + done, bytes - done, names, drop_loc, out);
}

/* The head of a definition as a prototype: without directives behind the parameters. */
static void write_prototype(const Statement *st, const Map *names, Buf *out)
{
    Scan s = {.at = st->text, .end = st->text + st->head};
    const char *start, *end = st->text + st->head;
    size_t bytes;
    bool named = false;
    while ((bytes = token(&s, &start))) {
        if (*start == '(') {
            skip_group(&s, '(', ')');
            if (named) {
                end = s.at;
                break;
            }
        } else if (is(start, bytes, st->name)) {
            named = true;
            end = s.at;
        } else if (named) {
            break;
        }
    }
    write_statement(st, (size_t)(end - st->text), names, false, out);
    buf_puts(out, ";\n");
}

bool ptx_link(const PtxText *texts, size_t count, Buf *out, char *why, size_t room)
{
    Linker linker = {.arena = arena_new()};
    bool good = true;
    for (size_t m = 0; m < count && good; m++)
        if (!cut(&linker, &texts[m], m)) {
            snprintf(why, room, "linking PTX: input %zu is damaged or cut off", m + 1);
            good = false;
        }
    size_t modules = count;
    Buf runtime = {0};
    if (good && wants_device_runtime(&linker)) {
        for (size_t i = 0; i < sizeof device_runtime / sizeof *device_runtime; i++)
            buf_puts(&runtime, device_runtime[i]);
        const PtxText text = {runtime.data, runtime.count};
        good = cut(&linker, &text, modules++);
    }
    Map ours = {0}; /* names of the device runtime */
    for (size_t i = 0; i < linker.list.count && good; i++) {
        const Statement *s = &linker.list.items[i];
        if (s->module >= count)
            map_set(&ours, s->name, (void *)s->name);
    }
    Map chosen = {0};                                     /* name -> its definition */
    Map *renamed = xcalloc(modules + 1, sizeof *renamed); /* per module: old -> new */
    Map seen = {0};                                       /* name -> first module + 1 */
    for (size_t i = 0; i < linker.list.count && good; i++) {
        Statement *s = &linker.list.items[i];
        const char *newer = s->module < count ? renamed_call(&ours, s->name) : NULL;
        if (newer)
            map_set(&renamed[s->module], s->name, (void *)newer);
        uintptr_t first = (uintptr_t)map_get(&seen, s->name);
        if (!first)
            map_set(&seen, s->name, (void *)(uintptr_t)(s->module + 1));
        if (s->linkage == L_NONE && defines(s) && first && first != s->module + 1 &&
            !map_get(&renamed[s->module], s->name))
            map_set(&renamed[s->module], s->name,
                    arena_printf(linker.arena, "%s__gk%zu", s->name, s->module));
    }
    for (size_t i = 0; i < linker.list.count && good; i++) {
        Statement *s = &linker.list.items[i];
        const char *name = map_get(&renamed[s->module], s->name);
        name = name ? name : s->name;
        Statement *old = map_get(&chosen, name);
        bool own = s->module >= count; /* programs bring NVIDIA's device runtime along */
        if (!old || (!defines(old) && defines(s)) || (own && defines(s)) ||
            (old->linkage == L_WEAK && defines(s) && s->linkage == L_VISIBLE))
            map_set(&chosen, name, s);
    }
    for (size_t i = 0; i < linker.list.count && good; i++) {
        const Statement *s = &linker.list.items[i];
        Statement *body = s->kind == S_PROTOTYPE && s->result ? map_get(&chosen, s->name) : NULL;
        if (body && body->kind == S_FUNCTION && !body->result) {
            body->result = s->result;
            body->result_bytes = s->result_bytes;
            body->lent = true;
        }
    }
    if (good)
        buf_printf(out, ".version %d.%d\n.target %s\n.address_size 64\n", linker.version / 10,
                   linker.version % 10, linker.target);
    /* Prototypes; variables without and then with initialisers; functions. */
    for (int pass = 0; pass < 4 && good; pass++) {
        for (size_t i = 0; i < linker.list.count; i++) {
            const Statement *s = &linker.list.items[i];
            const char *name = map_get(&renamed[s->module], s->name);
            name = name ? name : s->name;
            if (map_get(&chosen, name) != s)
                continue;
            const Map *names = &renamed[s->module];
            bool wanted = pass == 0   ? s->kind != S_VARIABLE
                          : pass == 1 ? s->kind == S_VARIABLE && !s->initialised
                          : pass == 2 ? s->kind == S_VARIABLE && s->initialised
                                      : s->kind == S_FUNCTION;
            if (!wanted)
                continue;
            if (pass == 0 && s->kind == S_FUNCTION) {
                write_prototype(s, names, out); /* kernels launch kernels */
                continue;
            }
            write_statement(s, s->bytes, names, s->module > 0 || count > 1, out);
            buf_putc(out, '\n');
        }
    }
    for (size_t m = 0; m < modules; m++)
        map_free(&renamed[m]);
    free(renamed);
    map_free(&ours);
    map_free(&chosen);
    map_free(&seen);
    VEC_FREE(linker.list);
    buf_free(&runtime);
    arena_free(linker.arena);
    return good;
}
