/* SPDX-License-Identifier: Apache-2.0
 *
 * What importers of CSV files share: the stream, the header that names columns, the error. A format
 * adds a function for rows. */
#ifndef GPUKIT_CATALOGUE_IMPORT_CSV_H
#define GPUKIT_CATALOGUE_IMPORT_CSV_H

#include "catalogue/csv_stream.h"
#include "catalogue/import.h"

enum { IMPORT_CSV_COLUMNS = 16 };

typedef struct {
    ImportSink sink;
    CsvStream *csv;
    const char *missing; /* what a file without a header lacks */
    const char *const *names;
    int columns, column[IMPORT_CSV_COLUMNS]; /* -1: not in this file */
    bool header;                             /* seen */
    char error[160];
} CsvImport;

/* names: of the columns, at most IMPORT_CSV_COLUMNS; row gets the CsvImport and one line. */
CsvImport *import_csv_new(const ImportSink *sink, CsvHandler *row, const char *const *names,
                          int columns, const char *missing);
/* Finds the columns in the header; false with an error when a needed one is not there. what: "the
 * EC2 price list". */
bool import_csv_header(CsvImport *c, char *const *fields, int count, long line, const int *needed,
                       int needs, const char *what);
/* The field of a column, "" where the row has none. */
const char *import_csv_cell(const CsvImport *c, char *const *fields, int count, int column);

bool import_csv_feed(void *state, const char *bytes, size_t count);
bool import_csv_end(void *state);
const char *import_csv_error(const void *state);
void import_csv_drop(void *state);

#endif
