/* SPDX-License-Identifier: Apache-2.0
 *
 * The tokenizer: one state per place between tokens, one per kind of token. Long runs (strings,
 * white space, skipped parts) are scanned in tight loops. Depth is at most 64, a token 1 MiB. */
#include "catalogue/json_stream.h"
#include "base/arena.h"
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_TOKEN = 1 << 20 };

typedef enum {
    WANT_VALUE,     /* a value must come */
    WANT_FIRST,     /* a value or ']' */
    WANT_KEY_FIRST, /* a key or '}' */
    WANT_KEY,       /* a key must come */
    WANT_COLON,
    WANT_COMMA, /* ',' or the end of the container */
    DONE,       /* the one value was read */
    IN_STRING,
    IN_ESCAPE,
    IN_UNICODE,
    IN_NUMBER,
    IN_LITERAL,
    SKIPPING,
    SKIPPING_STRING,
    SKIPPING_ESCAPE
} State;

struct JsonStream {
    JsonHandler *handler;
    void *user;
    State state;
    bool is_key, skip_value; /* the string at hand is a key; the next value is skipped */
    int depth, skip_depth;
    char container[MAX_DEPTH]; /* '{' or '[' */
    Buf token;
    unsigned unicode, high; /* \uXXXX at hand; a first surrogate */
    int digits;
    unsigned long long offset; /* of the piece being fed */
    char error[128];
};

JsonStream *json_stream_new(JsonHandler *handler, void *user)
{
    JsonStream *s = xcalloc(1, sizeof *s);
    s->handler = handler;
    s->user = user;
    s->state = WANT_VALUE;
    return s;
}

void json_stream_free(JsonStream *s)
{
    if (s)
        buf_free(&s->token);
    free(s);
}

const char *json_stream_error(const JsonStream *s)
{
    return s->error[0] ? s->error : NULL;
}

static bool fail(JsonStream *s, size_t at, const char *what)
{
    if (!s->error[0])
        snprintf(s->error, sizeof s->error, "byte %llu: %s", s->offset + at, what);
    return false;
}

static void after_value(JsonStream *s)
{
    s->state = s->depth ? WANT_COMMA : DONE;
}

static bool answer(JsonStream *s, size_t at, JsonEvent event, const char *text, size_t length)
{
    JsonAnswer a = s->handler(s->user, event, text, length, s->depth);
    if (a == JSON_STOP)
        return fail(s, at, "stopped");
    if (a == JSON_SKIP && event == JSON_KEY) {
        s->skip_value = true;
    } else if (a == JSON_SKIP && (event == JSON_OBJECT || event == JSON_ARRAY)) {
        s->state = SKIPPING;
        s->skip_depth = 1;
    }
    return true;
}

static bool open_container(JsonStream *s, size_t at, char c)
{
    if (s->depth == MAX_DEPTH)
        return fail(s, at, "nested more than 64 deep");
    s->container[s->depth] = c;
    if (s->skip_value) {
        s->skip_value = false;
        s->state = SKIPPING;
        s->skip_depth = 1;
        s->container[s->depth++] = c;
        return true;
    }
    s->state = c == '{' ? WANT_KEY_FIRST : WANT_FIRST;
    bool good = answer(s, at, c == '{' ? JSON_OBJECT : JSON_ARRAY, "", 0);
    ++s->depth;
    return good;
}

static bool close_container(JsonStream *s, size_t at, char c)
{
    if (!s->depth || s->container[s->depth - 1] != (c == '}' ? '{' : '['))
        return fail(s, at, "a bracket that was not opened");
    --s->depth;
    after_value(s);
    return answer(s, at, c == '}' ? JSON_OBJECT_END : JSON_ARRAY_END, "", 0);
}

/* A string is complete; text ends in NUL. */
static bool end_string(JsonStream *s, size_t at, const char *text, size_t length)
{
    bool good = true;
    if (s->is_key) {
        s->state = WANT_COLON;
        good = answer(s, at, JSON_KEY, text, length);
    } else {
        bool skip = s->skip_value;
        s->skip_value = false;
        after_value(s);
        good = skip || answer(s, at, JSON_STRING, text, length);
    }
    s->token.count = 0;
    return good;
}

static bool valid_number(const char *p)
{
    if (*p == '-')
        ++p;
    if (*p == '0')
        ++p;
    else if (*p >= '1' && *p <= '9')
        p += strspn(p, "0123456789");
    else
        return false;
    if (*p == '.') {
        size_t digits = strspn(++p, "0123456789");
        if (!digits)
            return false;
        p += digits;
    }
    if (*p == 'e' || *p == 'E') {
        p += p[1] == '+' || p[1] == '-' ? 2 : 1;
        size_t digits = strspn(p, "0123456789");
        if (!digits)
            return false;
        p += digits;
    }
    return *p == 0;
}

static bool end_word(JsonStream *s, size_t at)
{
    const char *text = buf_text(&s->token);
    bool number = s->state == IN_NUMBER, skip = s->skip_value;
    if (number ? !valid_number(text)
               : strcmp(text, "true") && strcmp(text, "false") && strcmp(text, "null"))
        return fail(s, at, number ? "not a number" : "not true, false or null");
    s->skip_value = false;
    after_value(s);
    bool good = skip || answer(s, at, number ? JSON_NUMBER : JSON_LITERAL, text, s->token.count);
    s->token.count = 0;
    return good;
}

static void add_utf8(Buf *token, unsigned c)
{
    char out[4];
    int n = 0;
    if (c < 0x80) {
        out[n++] = (char)c;
    } else if (c < 0x800) {
        out[n++] = (char)(0xc0 | c >> 6);
        out[n++] = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        out[n++] = (char)(0xe0 | c >> 12);
        out[n++] = (char)(0x80 | (c >> 6 & 0x3f));
        out[n++] = (char)(0x80 | (c & 0x3f));
    } else {
        out[n++] = (char)(0xf0 | c >> 18);
        out[n++] = (char)(0x80 | (c >> 12 & 0x3f));
        out[n++] = (char)(0x80 | (c >> 6 & 0x3f));
        out[n++] = (char)(0x80 | (c & 0x3f));
    }
    buf_add(token, out, (size_t)n);
}

static bool escape(JsonStream *s, size_t at, char c)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *found = c ? strchr(from, c) : NULL;
    if (c == 'u') {
        s->state = IN_UNICODE;
        s->unicode = 0;
        s->digits = 0;
        return true;
    }
    if (!found)
        return fail(s, at, "unknown escape in a string");
    buf_putc(&s->token, to[found - from]);
    s->state = IN_STRING;
    return true;
}

static bool unicode_digit(JsonStream *s, size_t at, char c)
{
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
        return fail(s, at, "\\u needs four hexadecimal digits");
    s->unicode = s->unicode << 4 | (unsigned)digit;
    if (++s->digits < 4)
        return true;
    s->state = IN_STRING;
    if (s->unicode >= 0xd800 && s->unicode < 0xdc00) {
        s->high = s->unicode;
    } else if (s->unicode >= 0xdc00 && s->unicode < 0xe000 && s->high) {
        add_utf8(&s->token, 0x10000 + ((s->high - 0xd800) << 10) + (s->unicode - 0xdc00));
        s->high = 0;
    } else {
        add_utf8(&s->token, s->unicode ? s->unicode : 0xfffd);
        s->high = 0;
    }
    return true;
}

/* From inside a string on to its end, an escape or the end of the piece. Strings that lie whole in
 * the piece are handed out without a copy of more than themselves. */
static bool scan_string(JsonStream *s, const char *bytes, size_t count, size_t *at)
{
    size_t from = *at, i = from;
    while (i < count && bytes[i] != '"' && bytes[i] != '\\' && (unsigned char)bytes[i] >= 0x20)
        ++i;
    if (s->token.count + (i - from) > MAX_TOKEN)
        return fail(s, i, "a string longer than 1 MiB");
    buf_add(&s->token, bytes + from, i - from);
    *at = i;
    if (i == count)
        return true;
    *at = i + 1;
    if (bytes[i] == '"')
        return end_string(s, i, buf_text(&s->token), s->token.count);
    if (bytes[i] == '\\') {
        s->state = IN_ESCAPE;
        return true;
    }
    return fail(s, i, "a control character in a string");
}

/* Skips inside a container: only brackets and strings matter. */
static size_t skip_on(JsonStream *s, const char *bytes, size_t count, size_t i)
{
    static const char stop[256] = {['"'] = 1, ['{'] = 2, ['['] = 2, ['}'] = 3, [']'] = 3};
    while (i < count) {
        while (i < count && !stop[(unsigned char)bytes[i]])
            ++i;
        if (i == count)
            break;
        int kind = stop[(unsigned char)bytes[i++]];
        if (kind == 1) {
            s->state = SKIPPING_STRING;
            break;
        }
        s->skip_depth += kind == 2 ? 1 : -1;
        if (s->skip_depth == 0) {
            --s->depth;
            after_value(s);
            break;
        }
    }
    return i;
}

static size_t skip_string(JsonStream *s, const char *bytes, size_t count, size_t i)
{
    while (i < count && bytes[i] != '"' && bytes[i] != '\\')
        ++i;
    if (i < count)
        s->state = bytes[i++] == '"' ? SKIPPING : SKIPPING_ESCAPE;
    return i;
}

static bool begin_value(JsonStream *s, size_t at, char c)
{
    if (c == '{' || c == '[')
        return open_container(s, at, c);
    s->token.count = 0;
    if (c == '"') {
        s->state = IN_STRING;
        s->is_key = false;
        return true;
    }
    if (c == '-' || (c >= '0' && c <= '9'))
        s->state = IN_NUMBER;
    else if (c == 't' || c == 'f' || c == 'n')
        s->state = IN_LITERAL;
    else
        return fail(s, at, "a value was expected");
    buf_putc(&s->token, c);
    return true;
}

static bool is_word(State state, char c)
{
    return state == IN_NUMBER
               ? (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
               : c >= 'a' && c <= 'z';
}

static bool between(JsonStream *s, size_t at, char c)
{
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
        return true;
    switch (s->state) {
    case WANT_FIRST:
        if (c == ']')
            return close_container(s, at, c);
        return begin_value(s, at, c);
    case WANT_VALUE:
        return begin_value(s, at, c);
    case WANT_KEY_FIRST:
        if (c == '}')
            return close_container(s, at, c);
        /* fall through */
    case WANT_KEY:
        if (c != '"')
            return fail(s, at, "a key was expected");
        s->token.count = 0;
        s->state = IN_STRING;
        s->is_key = true;
        return true;
    case WANT_COLON:
        s->state = WANT_VALUE;
        return c == ':' || fail(s, at, "':' was expected");
    case WANT_COMMA:
        if (c == '}' || c == ']')
            return close_container(s, at, c);
        s->state = s->container[s->depth - 1] == '{' ? WANT_KEY : WANT_VALUE;
        return c == ',' || fail(s, at, "',' or the end was expected");
    default:
        return fail(s, at, "text behind the end");
    }
}

bool json_stream_feed(JsonStream *s, const char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && !s->error[0]) {
        switch (s->state) {
        case IN_STRING:
            scan_string(s, bytes, count, &i);
            break;
        case IN_ESCAPE:
            escape(s, i, bytes[i]);
            ++i;
            break;
        case IN_UNICODE:
            unicode_digit(s, i, bytes[i]);
            ++i;
            break;
        case IN_NUMBER:
        case IN_LITERAL:
            while (i < count && is_word(s->state, bytes[i]) && s->token.count < 400)
                buf_putc(&s->token, bytes[i++]);
            if (i < count)
                end_word(s, i);
            break;
        case SKIPPING:
            i = skip_on(s, bytes, count, i);
            break;
        case SKIPPING_STRING:
            i = skip_string(s, bytes, count, i);
            break;
        case SKIPPING_ESCAPE:
            s->state = SKIPPING_STRING;
            ++i;
            break;
        default:
            between(s, i, bytes[i]);
            ++i;
            break;
        }
    }
    s->offset += count;
    return !s->error[0];
}

bool json_stream_end(JsonStream *s)
{
    if (!s->error[0] && (s->state == IN_NUMBER || s->state == IN_LITERAL))
        end_word(s, 0);
    if (!s->error[0] && s->state != DONE)
        return fail(s, 0, "the text ends too early");
    return !s->error[0];
}
