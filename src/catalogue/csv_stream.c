/* SPDX-License-Identifier: Apache-2.0
 * Rows out of pieces: a line end inside quotes does not end the row. */
#include "catalogue/csv_stream.h"
#include "base/arena.h"
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CsvStream {
    CsvHandler *handler;
    void *user;
    Buf row;          /* the row at hand, as far as it is known */
    size_t quotes;    /* in the row at hand */
    long line, first; /* lines seen; first line of the row at hand */
    bool stopped;
    char error[96];
};

CsvStream *csv_stream_new(CsvHandler *handler, void *user)
{
    CsvStream *s = xcalloc(1, sizeof *s);
    s->handler = handler;
    s->user = user;
    s->first = 1;
    return s;
}

void csv_stream_free(CsvStream *s)
{
    if (s)
        buf_free(&s->row);
    free(s);
}

const char *csv_stream_error(const CsvStream *s)
{
    return s->error[0] ? s->error : NULL;
}

static size_t count_quotes(const char *bytes, size_t count)
{
    size_t quotes = 0;
    const char *end = bytes + count;
    while ((bytes = memchr(bytes, '"', (size_t)(end - bytes)))) {
        ++quotes;
        if (++bytes == end)
            break;
    }
    return quotes;
}

static bool hand_out(CsvStream *s)
{
    if (s->row.count && s->row.data[s->row.count - 1] == '\r')
        s->row.data[--s->row.count] = 0;
    bool go = s->row.count == 0 || s->handler(s->user, s->row.data, s->row.count, s->first);
    s->row.count = 0;
    s->quotes = 0;
    s->first = s->line + 1;
    s->stopped = !go;
    return go;
}

bool csv_stream_feed(CsvStream *s, const char *bytes, size_t count)
{
    const char *end = bytes + count;
    while (bytes < end && !s->stopped) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t part = (size_t)((newline ? newline : end) - bytes);
        if (s->row.count + part > CSV_MAX_ROW) {
            snprintf(s->error, sizeof s->error,
                     "line %ld: a row of more than 1 MiB; a quote left open?", s->first);
            s->stopped = true;
            return false;
        }
        buf_add(&s->row, bytes, part);
        s->quotes += count_quotes(bytes, part);
        bytes += part;
        if (!newline)
            break;
        ++bytes;
        ++s->line;
        if (s->quotes % 2 == 0)
            hand_out(s);
        else
            buf_putc(&s->row, '\n');
    }
    return !s->stopped;
}

bool csv_stream_end(CsvStream *s)
{
    if (!s->stopped && s->row.count) {
        if (s->quotes % 2) {
            snprintf(s->error, sizeof s->error, "line %ld: a quote is not closed", s->first);
            s->stopped = true;
        } else {
            hand_out(s);
        }
    }
    return !s->stopped;
}

int csv_split(char *line, char **fields, int max)
{
    int count = 0;
    char *in = line;
    for (;;) {
        char *out = in, *start = in;
        char after;
        if (*in == '"') {
            start = out = ++in;
            while (*in && !(*in == '"' && in[1] != '"')) {
                if (*in == '"')
                    ++in;
                *out++ = *in++;
            }
            if (*in == '"')
                ++in;
            while (*in && *in != ',') /* text behind the closing quote stays in the field */
                *out++ = *in++;
            after = *in;
            *out = 0;
        } else {
            in += strcspn(in, ",");
            after = *in;
            *in = 0;
        }
        if (count < max)
            fields[count] = start;
        ++count;
        if (after != ',')
            return count;
        ++in;
    }
}
