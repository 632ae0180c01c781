/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics: what is wrong with the user's program or input. Library code collects them and
 * never prints or exits; the command line prints them. */
#ifndef GPUKIT_BASE_DIAG_H
#define GPUKIT_BASE_DIAG_H

#include "base/arena.h"

#include <stdio.h>

/* Exit codes of every gpukit command. */
enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };

typedef enum { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagSeverity;

typedef struct {
    DiagSeverity severity;
    const char *file; /* NULL when there is no position */
    int line, column; /* from 1; 0 when unknown */
    const char *text; /* what happened, with values */
    const char *help; /* what to do next, or NULL */
} Diag;

typedef struct {
    Arena *arena; /* owns every string */
    VEC(Diag) list;
    int errors;
} Diags;

void diags_init(Diags *diags);
void diags_fini(Diags *diags);
/* Adds one; the text is formatted and copied. file may be NULL. Returns it so help can be set. */
Diag *diag_add(Diags *diags, DiagSeverity severity, const char *file, int line, int column,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
void diag_help(Diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "FILE:LINE:COLUMN: error: TEXT" and a line of help each. */
void diags_print(const Diags *diags, FILE *out);
char *diags_text(const Diags *diags); /* the same as one malloc'd string */

#endif
