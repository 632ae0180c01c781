/* SPDX-License-Identifier: Apache-2.0
 * Reader of the text tables. */
#include "catalogue/tsv.h"
#include "base/buf.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 64 };

static int split(char *line, char **cells)
{
    int count = 0;
    while (count < MAX_CELLS) {
        cells[count++] = line;
        char *tab = strchr(line, '\t');
        if (!tab)
            break;
        *tab = 0;
        line = tab + 1;
    }
    return count;
}

static bool read_number(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && !*end && errno == 0 && isfinite(*value);
}

static bool check_header(const CatalogueTable *table, char **cells, int count, const char *file,
                         int line, Diags *diags)
{
    bool same = count == table->field_count;
    for (int i = 0; i < count && i < table->field_count && same; ++i)
        same = strcmp(cells[i], table->fields[i].name) == 0;
    if (same)
        return true;
    Buf want = {0};
    for (int i = 0; i < table->field_count; ++i)
        buf_printf(&want, "%s%s", i ? " " : "", table->fields[i].name);
    diag_add(diags, DIAG_ERROR, file, line, 0, "the header does not name the columns of table %s",
             table->name);
    diag_help(diags, "expected, with tabs between: %s", buf_text(&want));
    buf_free(&want);
    return false;
}

bool tsv_parse(Arena *arena, const CatalogueTable *table, const char *file, const char *text,
               size_t size, Tsv *out, Diags *diags)
{
    int errors = diags->errors, line = 0, room = 1;
    bool header = false;
    char *copy = arena_strndup(arena, text, size), *next = copy;
    for (const char *p = copy; *p; ++p)
        room += *p == '\n';
    *out = (Tsv){table, arena_alloc(arena, table->row_bytes * (size_t)room),
                 ARENA_ARRAY(arena, int, room), 0, ""};
    if (strlen(copy) != size)
        diag_add(diags, DIAG_ERROR, file, 0, 0, "the file holds a NUL byte: not a text table");
    while (next && *next) {
        char *here = next;
        next = strchr(here, '\n');
        if (next)
            *next++ = 0;
        ++line;
        size_t length = strlen(here);
        if (length && here[length - 1] == '\r')
            here[--length] = 0;
        if (here[0] == '#') {
            if (strncmp(here, "# as_of ", 8) == 0)
                out->as_of = here + 8;
            if (strncmp(here, "# schema ", 9) == 0 && atoi(here + 9) != CATALOGUE_SCHEMA)
                diag_add(diags, DIAG_ERROR, file, line, 0,
                         "schema %s, but this gpukit reads schema %d", here + 9, CATALOGUE_SCHEMA);
            continue;
        }
        if (length == 0)
            continue;
        char *cells[MAX_CELLS];
        int count = split(here, cells);
        if (!header) {
            header = true;
            if (!check_header(table, cells, count, file, line, diags))
                return false;
            continue;
        }
        if (count != table->field_count) {
            diag_add(diags, DIAG_ERROR, file, line, 0, "%d cells, expected %d", count,
                     table->field_count);
            continue;
        }
        char *row = out->rows + table->row_bytes * (size_t)out->count;
        for (int i = 0; i < count; ++i) {
            const CatalogueField *field = &table->fields[i];
            if (field->type == CATALOGUE_TEXT) {
                *(const char **)(row + field->offset) = cells[i];
                continue;
            }
            double value = NAN;
            if (cells[i][0] && (!read_number(cells[i], &value) || value < 0))
                diag_add(diags, DIAG_ERROR, file, line, 0,
                         "%s: '%s' is not a number of zero or more; leave it blank when unknown",
                         field->name, cells[i]);
            *(double *)(row + field->offset) = value;
        }
        out->lines[out->count++] = line;
    }
    if (!header)
        diag_add(diags, DIAG_ERROR, file, line, 0, "no header line");
    return diags->errors == errors;
}
