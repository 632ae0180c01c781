/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens of PTX text. Words keep their dotted suffixes ("ld.global.f32", "%tid.x"); words that open
 * with a dot end before the next one (".param", ".b32"). PTX ISA, chapter "Syntax". */
#ifndef GPUKIT_PTX_LEXER_H
#define GPUKIT_PTX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    T_END,
    T_WORD,   /* identifier, mnemonic with suffixes, directive */
    T_INT,    /* value */
    T_FLOAT,  /* value: f64 bits, or f32 bits when single */
    T_STRING, /* start and bytes: between the quotes, escapes untouched */
    T_PUNCT,  /* kind of punctuation in `punct`; two-character operators as 'a' << 8 | 'b' */
    T_BAD,    /* a character that PTX does not have, or a broken number or string */
} TokenKind;

typedef struct {
    uint8_t kind;
    bool single;      /* T_FLOAT written 0f... */
    bool is_unsigned; /* T_INT with suffix U or too large for s64 */
    uint16_t punct;
    int line;
    uint32_t bytes;
    const char *start;
    uint64_t value;
} Token;

typedef struct {
    const char *at, *end, *line_start;
    int line;
} Lexer;

void lexer_init(Lexer *lexer, const char *text, size_t bytes);
void lexer_next(Lexer *lexer, Token *token);
/* Skips to behind the brace that closes the one just read. False at the end of the text. */
bool lexer_skip_braces(Lexer *lexer);

#endif
