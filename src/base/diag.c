/* SPDX-License-Identifier: Apache-2.0
 * Collected diagnostics and their one printed form. */
#include "base/diag.h"
#include "base/buf.h"

#include <stdlib.h>

static const char *const severity_name[] = {"note", "warning", "error"};

void diags_init(Diags *diags)
{
    *diags = (Diags){.arena = arena_new()};
}

void diags_fini(Diags *diags)
{
    VEC_FREE(diags->list);
    arena_free(diags->arena);
    *diags = (Diags){0};
}

static char *format_text(Arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

Diag *diag_add(Diags *diags, DiagSeverity severity, const char *file, int line, int column,
               const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Diag diag = {severity, file ? arena_strdup(diags->arena, file) : NULL, line,
                 column,   format_text(diags->arena, format, args),        NULL};
    va_end(args);
    VEC_PUSH(diags->list, diag);
    diags->errors += severity == DIAG_ERROR;
    return &diags->list.items[diags->list.count - 1];
}

void diag_help(Diags *diags, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diags->list.items[diags->list.count - 1].help = format_text(diags->arena, format, args);
    va_end(args);
}

char *diags_text(const Diags *diags)
{
    Buf out = {0};
    for (size_t i = 0; i < diags->list.count; ++i) {
        const Diag *d = &diags->list.items[i];
        if (d->file)
            buf_printf(&out, "%s:", d->file);
        if (d->line)
            buf_printf(&out, "%d:", d->line);
        if (d->column)
            buf_printf(&out, "%d:", d->column);
        buf_printf(&out, "%s%s: %s\n", d->file || d->line ? " " : "", severity_name[d->severity],
                   d->text);
        if (d->help)
            buf_printf(&out, "  help: %s\n", d->help);
    }
    return out.data ? out.data : xstrdup("");
}

void diags_print(const Diags *diags, FILE *out)
{
    char *text = diags_text(diags);
    fputs(text, out);
    free(text);
}
