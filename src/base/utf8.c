/* SPDX-License-Identifier: Apache-2.0
 * UTF-8 by the Unicode standard's table of well-formed sequences: no overlong forms, no surrogates,
 * nothing beyond U+10FFFF. */
#include "base/utf8.h"
#include "base/buf.h"

#include <stddef.h>

/* Bytes of the character at p; 0 when there is none. */
static size_t length(const char *p)
{
    unsigned first = (unsigned char)p[0], second = first ? (unsigned char)p[1] : 0;
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high)
        return 0;
    size_t all = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (size_t i = 2; i < all; ++i)
        if (((unsigned char)p[i] & 0xc0) != 0x80)
            return 0;
    return all;
}

bool utf8_valid(const char *text)
{
    for (size_t n; *text; text += n)
        if (!(n = length(text)))
            return false;
    return true;
}

char *utf8_clean(const char *text)
{
    Buf b = {0};
    buf_add(&b, "", 0);
    while (*text) {
        size_t n = length(text);
        if (n)
            buf_add(&b, text, n);
        else
            buf_puts(&b, "\xef\xbf\xbd");
        text += n ? n : 1;
    }
    return b.data;
}
