/* SPDX-License-Identifier: Apache-2.0
 * The PTX lexer: one pass over the bytes, no allocation; never reads behind the end. */
#include "ptx/lexer.h"

#include <stdlib.h>
#include <string.h>

enum { CH_SPACE = 1, CH_WORD = 2, CH_START = 4, CH_DIGIT = 8, CH_HEX = 16 };

#define D (CH_WORD | CH_DIGIT | CH_HEX)
#define H (CH_WORD | CH_START | CH_HEX)
#define W (CH_WORD | CH_START)
#define S CH_SPACE
static const uint8_t char_class[256] = {
    S, 0, 0, 0, 0, 0, 0, 0, 0, S, 0, S, S, S, 0, 0, /* NUL ... \t \v \f \r */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, S, 0, 0, 0, W, CH_START, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, /* blank $ % */
    D, D, D, D, D, D, D, D, D, D, 0, 0, 0, 0, 0, 0, 0, H, H, H, H, H,        H, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, 0, 0, 0,        0, W, /* _ */
    0, H, H, H, H, H, H, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,        W, W,
    W, W, W, 0, 0, 0, 0, 0,
};
#undef D
#undef H
#undef W
#undef S

static bool is(char c, unsigned class)
{
    return char_class[(unsigned char)c] & class;
}

void lexer_init(Lexer *lexer, const char *text, size_t bytes)
{
    *lexer = (Lexer){text, text + bytes, text, 1};
}

static void new_line(Lexer *lexer) /* at stands on the newline */
{
    lexer->line++;
    lexer->line_start = ++lexer->at;
}

static void skip_line(Lexer *lexer)
{
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = newline ? newline : lexer->end;
}

static void skip_comment(Lexer *lexer) /* at stands behind the opening slash and star */
{
    while (lexer->at < lexer->end) {
        if (*lexer->at == '\n') {
            new_line(lexer);
            continue;
        }
        if (*lexer->at == '*' && lexer->at + 1 < lexer->end && lexer->at[1] == '/') {
            lexer->at += 2;
            return;
        }
        lexer->at++;
    }
}

static void skip_blank(Lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (is(c, CH_SPACE))
            lexer->at++;
        else if (c == '\n')
            new_line(lexer);
        else if (c == '/' && lexer->at + 1 < lexer->end && lexer->at[1] == '/')
            skip_line(lexer);
        else if (c == '/' && lexer->at + 1 < lexer->end && lexer->at[1] == '*') {
            lexer->at += 2;
            skip_comment(lexer);
        } else if (c == '#' && lexer->at == lexer->line_start)
            skip_line(lexer);
        else
            return;
    }
}

static char peek(const Lexer *lexer, size_t ahead)
{
    return (size_t)(lexer->end - lexer->at) > ahead ? lexer->at[ahead] : 0;
}

static unsigned hex_value(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

/* 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX. */
static bool lex_hex_float(Lexer *lexer, Token *token)
{
    char kind = (char)(peek(lexer, 1) | 32);
    unsigned digits = kind == 'f' ? 8 : 16;
    if (kind != 'f' && kind != 'd')
        return false;
    uint64_t bits = 0;
    for (unsigned i = 0; i < digits; ++i) {
        char c = peek(lexer, 2 + i);
        if (!is(c, CH_HEX))
            return false;
        bits = bits << 4 | hex_value(c);
    }
    if (is(peek(lexer, 2 + digits), CH_WORD))
        return false;
    token->kind = T_FLOAT;
    token->single = kind == 'f';
    token->value = bits;
    lexer->at += 2 + digits;
    return true;
}

static bool lex_decimal_float(Lexer *lexer, Token *token)
{
    char text[64];
    size_t n = 0;
    bool dot = false, exponent = false;
    for (;; ++n) {
        char c = peek(lexer, n);
        bool sign = (c == '+' || c == '-') && n && (text[n - 1] | 32) == 'e';
        if (c == '.')
            dot = true;
        else if ((c | 32) == 'e' && n)
            exponent = true;
        else if (!is(c, CH_DIGIT) && !sign)
            break;
        if (n == sizeof text - 1)
            return false;
        text[n] = c;
    }
    text[n] = 0;
    if (!dot && !exponent)
        return false;
    char *end;
    double value = strtod(text, &end);
    if (*end || n == 0)
        return false;
    token->kind = T_FLOAT;
    memcpy(&token->value, &value, sizeof value);
    lexer->at += n;
    return true;
}

static void lex_number(Lexer *lexer, Token *token)
{
    const char *start = lexer->at;
    token->kind = T_INT;
    if (*start == '0' && lex_hex_float(lexer, token))
        return;
    unsigned base = 10;
    size_t prefix = 0;
    if (*start == '0') {
        char kind = (char)(peek(lexer, 1) | 32);
        base = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
        prefix = base == 8 ? 1 : 2;
    }
    if (base == 10 || base == 8)
        if (lex_decimal_float(lexer, token))
            return;
    lexer->at += prefix;
    uint64_t value = 0;
    size_t digits = 0;
    bool overflow = false;
    for (; lexer->at < lexer->end && is(*lexer->at, CH_HEX); ++lexer->at, ++digits) {
        unsigned digit = hex_value(*lexer->at);
        if (digit >= base)
            break;
        overflow |= __builtin_mul_overflow(value, (uint64_t)base, &value);
        overflow |= __builtin_add_overflow(value, (uint64_t)digit, &value);
    }
    if (peek(lexer, 0) == 'U' || peek(lexer, 0) == 'u') {
        token->is_unsigned = true;
        lexer->at++;
    }
    if (value >> 63)
        token->is_unsigned = true;
    token->value = value;
    if (overflow || (prefix == 2 && digits == 0) || is(peek(lexer, 0), CH_WORD)) {
        while (lexer->at < lexer->end && is(*lexer->at, CH_WORD))
            lexer->at++;
        token->kind = T_BAD;
    }
}

static void lex_word(Lexer *lexer)
{
    bool dotted = *lexer->at == '.'; /* directive: ends before the next dot */
    lexer->at++;
    for (;;) {
        while (lexer->at < lexer->end && is(*lexer->at, CH_WORD))
            lexer->at++;
        if (dotted) {
            if (peek(lexer, 0) == ':' && peek(lexer, 1) == ':' && is(peek(lexer, 2), CH_WORD)) {
                lexer->at += 2;
                continue;
            }
            return;
        }
        if (peek(lexer, 0) != '.' || !is(peek(lexer, 1), CH_WORD))
            return;
        lexer->at++;
        for (;;) {
            while (lexer->at < lexer->end && is(*lexer->at, CH_WORD))
                lexer->at++;
            if (peek(lexer, 0) != ':' || peek(lexer, 1) != ':' || !is(peek(lexer, 2), CH_WORD))
                break;
            lexer->at += 2;
        }
    }
}

static void lex_string(Lexer *lexer, Token *token)
{
    token->kind = T_BAD;
    token->start = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n') {
        if (*lexer->at == '\\' && lexer->at + 1 < lexer->end && lexer->at[1] != '\n')
            lexer->at++;
        lexer->at++;
    }
    token->bytes = (uint32_t)(lexer->at - token->start);
    if (lexer->at < lexer->end && *lexer->at == '"') {
        token->kind = T_STRING;
        lexer->at++;
    }
}

void lexer_next(Lexer *lexer, Token *token)
{
    skip_blank(lexer);
    *token = (Token){.line = lexer->line, .start = lexer->at};
    if (lexer->at >= lexer->end)
        return; /* T_END */
    char c = *lexer->at;
    if (is(c, CH_START) && (c != '%' || is(peek(lexer, 1), CH_WORD))) {
        token->kind = T_WORD;
        lex_word(lexer);
    } else if (is(c, CH_DIGIT))
        lex_number(lexer, token);
    else if (c == '.' && is(peek(lexer, 1), CH_DIGIT) && !lex_decimal_float(lexer, token)) {
        token->kind = T_WORD;
        lex_word(lexer);
    } else if (c == '.' && is(peek(lexer, 1), CH_START) && token->kind == 0) {
        token->kind = T_WORD;
        lex_word(lexer);
    } else if (c == '"') {
        lex_string(lexer, token);
        return;
    } else if (token->kind == 0) {
        static const char doubles[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
        token->kind = strchr("+-*/%&|^~!<>=?:;,.(){}[]@", c) ? T_PUNCT : T_BAD;
        token->punct = (uint16_t)(unsigned char)c;
        lexer->at++;
        for (size_t i = 0; i < sizeof doubles / sizeof *doubles; ++i)
            if (doubles[i][0] == c && lexer->at < lexer->end && *lexer->at == doubles[i][1]) {
                token->punct = (uint16_t)((unsigned char)c << 8 | (unsigned char)doubles[i][1]);
                lexer->at++;
                break;
            }
    }
    token->bytes = (uint32_t)(lexer->at - token->start);
}

bool lexer_skip_braces(Lexer *lexer)
{
    int depth = 1;
    while (depth) {
        skip_blank(lexer);
        if (lexer->at >= lexer->end)
            return false;
        char c = *lexer->at;
        if (c == '"') {
            Token string;
            lex_string(lexer, &string);
            continue;
        }
        depth += c == '{';
        depth -= c == '}';
        lexer->at++;
    }
    return true;
}
