/* SPDX-License-Identifier: Apache-2.0
 *
 * SQLite behind the tables of tables.def: create, insert, read. Shared by the build tool, the
 * loader and the refresh; knows nothing of what the rows mean. */
#ifndef GPUKIT_CATALOGUE_DB_H
#define GPUKIT_CATALOGUE_DB_H

#include "catalogue/store.h"

#include <sqlite3.h>

/* Opens for reading without locks (the file is replaced whole, never changed in place). */
int db_open_read(const char *path, sqlite3 **db);
int db_exec(sqlite3 *db, const char *sql);
int db_create(sqlite3 *db, const CatalogueTable *table, const char *name);
/* A prepared INSERT for the table; bind a row and step with db_insert. */
int db_prepare_insert(sqlite3 *db, const CatalogueTable *table, const char *name,
                      sqlite3_stmt **out);
int db_insert(sqlite3_stmt *insert, const CatalogueTable *table, const void *row);
/* All rows (or those where the condition holds, with one ? bound to text) into the arena. -1 on an
 * SQL error. */
int db_read(sqlite3 *db, Arena *arena, const CatalogueTable *table, const char *name,
            const char *where, const char *text, void **rows);
/* One value of the meta table, in the arena; NULL when absent. */
const char *db_meta(sqlite3 *db, Arena *arena, const char *key);
int db_set_meta(sqlite3 *db, const char *key, const char *value);

#endif
