/* SPDX-License-Identifier: Apache-2.0
 *
 * Aligned text tables, CSV and terminal questions, for every command that prints rows. */
#ifndef GPUKIT_BASE_TABLE_H
#define GPUKIT_BASE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Table Table;

/* align: one letter per column, 'l' or 'r'. */
Table *table_new(const char *align);
void table_free(Table *table);
void table_cell(Table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_end_row(Table *table); /* the first row is the header */
void table_print(const Table *table, FILE *out);
void table_print_csv(const Table *table, FILE *out);
int table_width(const Table *table); /* columns of the widest printed line */

/* Prints words up to column 80, then goes on in a new line from column indent; column: where the
 * first word starts. Ends the line. */
void print_wrapped(FILE *out, const char *text, int column, int indent);

/* ANSI colour only on a terminal and without NO_COLOR. */
bool out_has_colour(FILE *out);

#endif
