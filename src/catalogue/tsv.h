/* SPDX-License-Identifier: Apache-2.0
 *
 * The text tables of data/catalogue: '#' lines with "schema N" and "as_of DATE", a header line
 * that names the columns of tables.def in order, then one row a line, cells between tabs. */
#ifndef GPUKIT_CATALOGUE_TSV_H
#define GPUKIT_CATALOGUE_TSV_H

#include "catalogue/store.h"

typedef struct {
    const CatalogueTable *table;
    char *rows; /* count rows of table->row_bytes, in the arena */
    int *lines; /* line of each row */
    int count;
    const char *as_of;
} Tsv;

/* Parses text (NUL-terminated, size bytes) that came from file. Every wrong line is a Diag; false
 * when there was one. Rows and strings live in the arena. */
bool tsv_parse(Arena *arena, const CatalogueTable *table, const char *file, const char *text,
               size_t size, Tsv *out, Diags *diags);

#endif
