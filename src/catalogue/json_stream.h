/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSON tokenizer that is fed piece by piece and keeps nothing but the token at hand: for files
 * of any size in bounded memory (RFC 8259). The handler says which parts to skip; skipped parts are
 * scanned for their end only. */
#ifndef GPUKIT_CATALOGUE_JSON_STREAM_H
#define GPUKIT_CATALOGUE_JSON_STREAM_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_KEY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_LITERAL /* true, false, null */
} JsonEvent;

typedef enum {
    JSON_GO,
    JSON_SKIP, /* after JSON_KEY: its value; after JSON_OBJECT or JSON_ARRAY: up to and with its end
                */
    JSON_STOP  /* give up: json_stream_feed returns false */
} JsonAnswer;

/* text: NUL-terminated, valid during the call. depth: objects and arrays around the token. */
typedef JsonAnswer JsonHandler(void *user, JsonEvent event, const char *text, size_t length,
                               int depth);

typedef struct JsonStream JsonStream;

JsonStream *json_stream_new(JsonHandler *handler, void *user);
/* False when the text is not JSON (see json_stream_error) or the handler stopped. */
bool json_stream_feed(JsonStream *stream, const char *bytes, size_t count);
/* True when exactly one value was read. */
bool json_stream_end(JsonStream *stream);
/* "byte 123: ..."; NULL when there is no error. */
const char *json_stream_error(const JsonStream *stream);
void json_stream_free(JsonStream *stream);

#endif
