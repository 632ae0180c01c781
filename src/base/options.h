/* SPDX-License-Identifier: Apache-2.0
 *
 * Command-line options from one table per command: the table parses, prints --help, and makes the
 * man page and the shell completion. */
#ifndef GPUKIT_BASE_OPTIONS_H
#define GPUKIT_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum {
    OPT_FLAG,     /* bool: set to true */
    OPT_TEXT,     /* const char *: the argument */
    OPT_INT,      /* long: whole number, 0 or more */
    OPT_COUNT,    /* long: whole number, 1 or more */
    OPT_REAL,     /* double: 0 or more */
    OPT_POSITIVE, /* double: above 0 */
    OPT_SIZE,    /* unsigned long long bytes above 0: 512, 64K, 8M, 24G (powers of 1024; GiB, GB) */
    OPT_SECONDS, /* double above 0: 10, 10s, 5m, 2h, 3d */
    OPT_LIST,    /* OptList: may be given several times */
} OptType;

typedef struct {
    const char **items;
    int count;
} OptList;

typedef struct {
    char letter;      /* 0: long form only */
    const char *name; /* without the dashes; NULL: short form only */
    OptType type;
    void *value;      /* where the result goes, per OptType */
    const char *arg;  /* name of the argument in --help, or for a number what it may be: "1-64",
                       * "64K-64G"; NULL for flags */
    const char *help; /* one line */
} Option;

typedef struct {
    const char *command; /* "run" */
    const char *usage;   /* "PROG.cu [-- ARGS]" */
    const char *summary; /* one sentence */
    const char *details; /* more text and examples, or NULL */
    const Option *options;
    int option_count;
    bool stop_at_operand; /* the first non-option ends parsing (run PROG args) */
} Command;

/* Parses argv[1..argc). Operands are moved to the front of argv from argv[1] on; *operands is
 * their number; arguments behind "--" are operands too and *after_dashes (may be NULL) tells how
 * many of the operands came behind it. --help prints and returns 1 with *done set.
 * 0 = go on; 1 = finished (exit EXIT_CLEAN); 2 = usage error, already printed to stderr. */
int options_parse(const Command *command, int argc, char **argv, int *operands, int *after_dashes);
void options_help(const Command *command, FILE *out);
/* The command's section of the man page, and its options as words for the shell. Every command
 * prints them for --help-man and --help-words. */
void options_man(const Command *command, FILE *out);
void options_words(const Command *command, FILE *out);
/* One line of text as roff: nothing in it is taken for a request. */
void man_line(const char *text, FILE *out);

/* Sizes and times as the options take them; false when text is not one. */
bool parse_size(const char *text, unsigned long long *bytes);
bool parse_seconds(const char *text, double *seconds);

#endif
