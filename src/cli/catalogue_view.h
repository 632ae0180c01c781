/* SPDX-License-Identifier: Apache-2.0
 *
 * What the commands gpus, instances, catalogue and pick share: opening, numbers as text, notes
 * about the age of prices, JSON to the terminal. */
#ifndef GPUKIT_CLI_CATALOGUE_VIEW_H
#define GPUKIT_CLI_CATALOGUE_VIEW_H

#include "base/options.h"
#include "base/table.h"
#include "catalogue/query.h"

/* NULL after an error message; the command then returns EXIT_ENVIRONMENT. */
Catalogue *view_open(void);
/* Parses the arguments and runs the command on the opened catalogue with the names that are left.
 * The command's exit code. */
typedef int ViewRun(Catalogue *catalogue, int names, char **name);
int view_run(const Command *command, ViewRun *run, int argc, char **argv);
void view_json(json_object *object); /* prints to stdout and releases it */

/* Texts for cells, in a ring of static buffers (good for 32 calls). */
const char *view_usd(double usd);         /* 0.2375, 21.96, 113.93; "" when unknown */
const char *view_number(double value);    /* shortest of up to 4 digits; "" when unknown */
const char *view_rounded(double value);   /* whole number; "" when unknown */
const char *view_gib(double mib);         /* 22.4 */
const char *view_age(int days);           /* 134d; "?" when unknown */
const char *view_seconds(double seconds); /* 3.2 h, 12 days; "" when unknown */
const char *view_count(double count);     /* 1.5 B, 70 B, 15 M */
const char *view_tokens(double value);    /* 1.2 M, 350 */

/* Text wrapped to 78 columns under a left margin; the first line starts at column `at`. */
void view_wrapped(FILE *out, int at, int margin, const char *text);
/* A line "label    text", wrapped. */
void view_line(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The note below a price table: dates, ages, the advice to refresh. Either day range may be -1. */
void view_age_note(const Catalogue *c, int youngest, int oldest, const char *region);

/* Colour of a word on stdout, or "" when there is none. */
const char *view_bold(void);
const char *view_dim(void);
const char *view_plain(void);

#endif
