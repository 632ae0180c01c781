/* SPDX-License-Identifier: Apache-2.0
 *
 * A refresh: a price file is fed in, its offers are checked against what is known, the changes are
 * listed, and the user's database is replaced as a whole. A refresh that is killed leaves the old
 * database. */
#ifndef GPUKIT_CATALOGUE_REFRESH_H
#define GPUKIT_CATALOGUE_REFRESH_H

#include "catalogue/import.h"

typedef struct {
    const char *name, *region, *kind;
    double old_usd_h, new_usd_h; /* old NAN: first price */
} RefreshMove;

typedef struct {
    long row;
    const char *reason;
} RefreshRefusal;

typedef struct {
    const char *format, *source, *date;
    long offers, unchanged, skipped, refused;
    VEC(RefreshRefusal) refusals; /* the first 50 */
    VEC(RefreshMove) moves;       /* prices that changed, per region; spot: the cheapest zone */
    long first_prices;            /* offers without a price so far */
    VEC(const char *) new_types;
    VEC(const char *) gone; /* known, priced in a region of the file, and not in it */
} RefreshReport;

typedef struct Refresh Refresh;

/* source: what to write as the source of the prices; format NULL: from the first bytes; date NULL:
 * from the file, else fallback_day. */
Refresh *refresh_new(const Catalogue *c, const char *source, const char *format, const char *date,
                     int fallback_day);
/* The day to use when neither the caller nor the file gives one; before refresh_end. */
void refresh_set_fallback_day(Refresh *refresh, int day);
bool refresh_feed(Refresh *refresh, const char *bytes, size_t count);
/* Ends the file and compares. False when it is no price file; refresh_error says why. */
bool refresh_end(Refresh *refresh);
const char *refresh_error(const Refresh *refresh);
const RefreshReport *refresh_report(const Refresh *refresh);
/* Writes the user's database beside path and renames it over. False after a Diag. */
bool refresh_commit(Refresh *refresh, const char *path, Diags *diags);
void refresh_free(Refresh *refresh);

#endif
