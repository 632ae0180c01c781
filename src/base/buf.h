/* SPDX-License-Identifier: Apache-2.0
 *
 * Buf: a growing string of bytes, always NUL-terminated once anything was added.
 * Start with Buf b = {0}; end with buf_free(&b). */
#ifndef GPUKIT_BASE_BUF_H
#define GPUKIT_BASE_BUF_H

#include <stddef.h>

typedef struct {
    char *data;
    size_t count, room;
} Buf;

void buf_free(Buf *buf);
void buf_add(Buf *buf, const void *bytes, size_t count);
void buf_puts(Buf *buf, const char *text);
void buf_putc(Buf *buf, char c);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *buf_text(const Buf *buf); /* "" when empty; borrowed */

#endif
