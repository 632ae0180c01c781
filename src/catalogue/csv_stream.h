/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV (RFC 4180) fed piece by piece, handed out row by row, in bounded memory. A row may be looked
 * at as raw text first, so that most rows of a big file need not be split. */
#ifndef GPUKIT_CATALOGUE_CSV_STREAM_H
#define GPUKIT_CATALOGUE_CSV_STREAM_H

#include <stdbool.h>
#include <stddef.h>

enum { CSV_MAX_FIELDS = 256, CSV_MAX_ROW = 1 << 20 };

/* line: NUL-terminated, without the line end, may be written to; number: of its first line, from
 * 1. False stops. */
typedef bool CsvHandler(void *user, char *line, size_t length, long number);

typedef struct CsvStream CsvStream;

CsvStream *csv_stream_new(CsvHandler *handler, void *user);
bool csv_stream_feed(CsvStream *stream, const char *bytes, size_t count);
bool csv_stream_end(CsvStream *stream);
/* Why it stopped; NULL when the handler did. */
const char *csv_stream_error(const CsvStream *stream);
void csv_stream_free(CsvStream *stream);

/* Splits a row in place; fields beyond the limit are left out. Returns how many there are. */
int csv_split(char *line, char **fields, int max);

#endif
