/* SPDX-License-Identifier: Apache-2.0
 * Aligned tables. Widths count UTF-8 characters, not bytes. */
#include "base/table.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef VEC(char *) Row;

struct Table {
    Arena *arena;
    const char *align;
    VEC(Row) rows;
    Row current;
};

Table *table_new(const char *align)
{
    Table *table = xcalloc(1, sizeof *table);
    table->arena = arena_new();
    table->align = align;
    return table;
}

void table_free(Table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->rows.count; ++i)
        VEC_FREE(table->rows.items[i]);
    VEC_FREE(table->rows);
    VEC_FREE(table->current);
    arena_free(table->arena);
    free(table);
}

void table_cell(Table *table, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(table->arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    VEC_PUSH(table->current, text);
}

void table_end_row(Table *table)
{
    VEC_PUSH(table->rows, table->current);
    memset(&table->current, 0, sizeof table->current);
}

static int text_width(const char *text)
{
    int width = 0;
    for (; *text; ++text)
        width += (*text & 0xc0) != 0x80;
    return width;
}

static void column_widths(const Table *table, int *widths, size_t columns)
{
    memset(widths, 0, columns * sizeof *widths);
    for (size_t r = 0; r < table->rows.count; ++r)
        for (size_t c = 0; c < table->rows.items[r].count && c < columns; ++c) {
            int width = text_width(table->rows.items[r].items[c]);
            if (width > widths[c])
                widths[c] = width;
        }
}

int table_width(const Table *table)
{
    size_t columns = strlen(table->align);
    int widths[64], total = 0;
    if (columns > 64)
        columns = 64;
    column_widths(table, widths, columns);
    for (size_t c = 0; c < columns; ++c)
        total += widths[c] + (c ? 2 : 0);
    return total;
}

void table_print(const Table *table, FILE *out)
{
    size_t columns = strlen(table->align);
    int widths[64];
    if (columns > 64)
        columns = 64;
    column_widths(table, widths, columns);
    for (size_t r = 0; r < table->rows.count; ++r) {
        size_t cells = table->rows.items[r].count;
        for (size_t c = 0; c < cells && c < columns; ++c) {
            const char *text = table->rows.items[r].items[c];
            int pad = widths[c] - text_width(text);
            if (c)
                fputs("  ", out);
            if (table->align[c] == 'r')
                fprintf(out, "%*s%s", pad, "", text);
            else
                fprintf(out, "%s%*s", text, c + 1 < cells ? pad : 0, "");
        }
        fputc('\n', out);
    }
}

void table_print_csv(const Table *table, FILE *out)
{
    for (size_t r = 0; r < table->rows.count; ++r) {
        for (size_t c = 0; c < table->rows.items[r].count; ++c) {
            const char *text = table->rows.items[r].items[c];
            if (c)
                fputc(',', out);
            if (!strpbrk(text, ",\"\n")) {
                fputs(text, out);
                continue;
            }
            fputc('"', out);
            for (; *text; ++text) {
                if (*text == '"')
                    fputc('"', out);
                fputc(*text, out);
            }
            fputc('"', out);
        }
        fputc('\n', out);
    }
}

void print_wrapped(FILE *out, const char *text, int column, int indent)
{
    enum { WIDTH = 80 };
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (!first && column + 1 + (int)length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, length, out);
        column += (int)length;
        text += length + strspn(text + length, " ");
        first = false;
    }
    fputc('\n', out);
}

bool out_has_colour(FILE *out)
{
    return isatty(fileno(out)) && !getenv("NO_COLOR");
}
