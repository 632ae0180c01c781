/* SPDX-License-Identifier: Apache-2.0
 * Growing byte string. */
#include "base/buf.h"
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(Buf *buf, size_t more)
{
    size_t need = buf->count + more + 1;
    if (need <= buf->room)
        return;
    buf->room = need > buf->room * 2 ? need : buf->room * 2;
    buf->data = xrealloc(buf->data, buf->room);
}

void buf_free(Buf *buf)
{
    free(buf->data);
    *buf = (Buf){0};
}

void buf_add(Buf *buf, const void *bytes, size_t count)
{
    reserve(buf, count);
    if (count)
        memcpy(buf->data + buf->count, bytes, count);
    buf->count += count;
    buf->data[buf->count] = 0;
}

void buf_puts(Buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_putc(Buf *buf, char c)
{
    buf_add(buf, &c, 1);
}

void buf_printf(Buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    reserve(buf, (size_t)length);
    vsnprintf(buf->data + buf->count, (size_t)length + 1, format, again);
    va_end(again);
    buf->count += (size_t)length;
}

const char *buf_text(const Buf *buf)
{
    return buf->data ? buf->data : "";
}
