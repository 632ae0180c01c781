/* SPDX-License-Identifier: Apache-2.0
 * The shared part of CSV importers: see import_csv.h. */
#include "catalogue/import_csv.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CsvImport *import_csv_new(const ImportSink *sink, CsvHandler *row, const char *const *names,
                          int columns, const char *missing)
{
    CsvImport *c = xcalloc(1, sizeof *c);
    c->sink = *sink;
    c->csv = csv_stream_new(row, c);
    c->names = names;
    c->columns = columns;
    c->missing = missing;
    return c;
}

bool import_csv_header(CsvImport *c, char *const *fields, int count, long line, const int *needed,
                       int needs, const char *what)
{
    for (int k = 0; k < c->columns; ++k)
        c->column[k] = -1;
    for (int i = 0; i < count && i < CSV_MAX_FIELDS; ++i)
        for (int k = 0; k < c->columns; ++k)
            if (strcmp(fields[i], c->names[k]) == 0)
                c->column[k] = i;
    c->header = true;
    for (int i = 0; i < needs && c->header; ++i)
        if (c->column[needed[i]] < 0) {
            snprintf(c->error, sizeof c->error, "line %ld: no column \"%s\"; is it %s?", line,
                     c->names[needed[i]], what);
            c->header = false;
        }
    return c->header;
}

const char *import_csv_cell(const CsvImport *c, char *const *fields, int count, int column)
{
    int at = c->column[column];
    return at >= 0 && at < count && at < CSV_MAX_FIELDS ? fields[at] : "";
}

bool import_csv_feed(void *state, const char *bytes, size_t count)
{
    return csv_stream_feed(((CsvImport *)state)->csv, bytes, count);
}

bool import_csv_end(void *state)
{
    CsvImport *c = state;
    if (!csv_stream_end(c->csv))
        return false;
    if (!c->header)
        snprintf(c->error, sizeof c->error, "%s", c->missing);
    return c->header;
}

const char *import_csv_error(const void *state)
{
    const CsvImport *c = state;
    return c->error[0] ? c->error : csv_stream_error(c->csv);
}

void import_csv_drop(void *state)
{
    csv_stream_free(((CsvImport *)state)->csv);
    free(state);
}
