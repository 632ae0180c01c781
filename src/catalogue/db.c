/* SPDX-License-Identifier: Apache-2.0
 * Rows to SQLite and back, driven by the column tables. */
#include "catalogue/db.h"
#include "base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int db_open_read(const char *path, sqlite3 **db)
{
    Buf uri = {0};
    buf_puts(&uri, "file:");
    for (const char *p = path; *p; ++p)
        buf_printf(&uri, strchr("%?#", *p) ? "%%%02X" : "%c", (unsigned char)*p);
    buf_puts(&uri, "?immutable=1");
    int status = sqlite3_open_v2(
        buf_text(&uri), db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    buf_free(&uri);
    return status;
}

int db_exec(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static void add_columns(Buf *sql, const CatalogueTable *table, bool with_type)
{
    for (int i = 0; i < table->field_count; ++i)
        buf_printf(sql, "%s\"%s\"%s", i ? "," : "", table->fields[i].name,
                   !with_type                                ? ""
                   : table->fields[i].type == CATALOGUE_REAL ? " REAL"
                                                             : " TEXT NOT NULL");
}

int db_create(sqlite3 *db, const CatalogueTable *table, const char *name)
{
    Buf sql = {0};
    buf_printf(&sql, "CREATE TABLE \"%s\"(", name);
    add_columns(&sql, table, true);
    buf_putc(&sql, ')');
    int status = db_exec(db, buf_text(&sql));
    buf_free(&sql);
    return status;
}

int db_prepare_insert(sqlite3 *db, const CatalogueTable *table, const char *name,
                      sqlite3_stmt **out)
{
    Buf sql = {0};
    buf_printf(&sql, "INSERT INTO \"%s\" VALUES(", name);
    for (int i = 0; i < table->field_count; ++i)
        buf_puts(&sql, i ? ",?" : "?");
    buf_putc(&sql, ')');
    int status = sqlite3_prepare_v2(db, buf_text(&sql), -1, out, NULL);
    buf_free(&sql);
    return status;
}

int db_insert(sqlite3_stmt *insert, const CatalogueTable *table, const void *row)
{
    for (int i = 0; i < table->field_count; ++i) {
        const CatalogueField *field = &table->fields[i];
        double value = catalogue_real(field, row);
        if (field->type == CATALOGUE_TEXT)
            sqlite3_bind_text(insert, i + 1, catalogue_text(field, row), -1, SQLITE_TRANSIENT);
        else if (isnan(value))
            sqlite3_bind_null(insert, i + 1);
        else
            sqlite3_bind_double(insert, i + 1, value);
    }
    int status = sqlite3_step(insert);
    sqlite3_reset(insert);
    return status == SQLITE_DONE ? SQLITE_OK : status;
}

/* The same few texts (sources, regions, dates) stand in many rows: keep each once; it is mostly
 * that of the row before. */
static const char *shared_text(Arena *arena, Map *seen, const char *before, const char *text)
{
    if (!text || !*text)
        return "";
    if (before && strcmp(before, text) == 0)
        return before;
    char *have = map_get(seen, text);
    if (!have) {
        have = arena_strdup(arena, text);
        map_set(seen, text, have);
    }
    return have;
}

int db_read(sqlite3 *db, Arena *arena, const CatalogueTable *table, const char *name,
            const char *where, const char *text, void **rows)
{
    Buf sql = {0};
    buf_puts(&sql, "SELECT ");
    add_columns(&sql, table, false);
    buf_printf(&sql, " FROM \"%s\"%s%s", name, where ? " WHERE " : "", where ? where : "");
    sqlite3_stmt *select = NULL;
    int status = sqlite3_prepare_v2(db, buf_text(&sql), -1, &select, NULL);
    buf_free(&sql);
    if (status != SQLITE_OK)
        return -1;
    if (text)
        sqlite3_bind_text(select, 1, text, -1, SQLITE_STATIC);
    char *grown = NULL;
    int count = 0, room = 0;
    Map seen = {0};
    while ((status = sqlite3_step(select)) == SQLITE_ROW) {
        if (count == room) {
            room = room ? room * 2 : 128;
            grown = xrealloc(grown, table->row_bytes * (size_t)room);
        }
        char *row = grown + table->row_bytes * (size_t)count++;
        for (int i = 0; i < table->field_count; ++i) {
            const CatalogueField *field = &table->fields[i];
            if (field->type == CATALOGUE_TEXT)
                *(const char **)(row + field->offset) = shared_text(
                    arena, &seen, count > 1 ? catalogue_text(field, row - table->row_bytes) : NULL,
                    (const char *)sqlite3_column_text(select, i));
            else
                *(double *)(row + field->offset) = sqlite3_column_type(select, i) == SQLITE_NULL
                                                       ? NAN
                                                       : sqlite3_column_double(select, i);
        }
    }
    sqlite3_finalize(select);
    map_free(&seen);
    *rows = arena_alloc(arena, table->row_bytes * (size_t)count + 1);
    if (count)
        memcpy(*rows, grown, table->row_bytes * (size_t)count);
    free(grown);
    return status == SQLITE_DONE ? count : -1;
}

const char *db_meta(sqlite3 *db, Arena *arena, const char *key)
{
    sqlite3_stmt *select = NULL;
    const char *value = NULL;
    if (sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key=?", -1, &select, NULL) !=
        SQLITE_OK)
        return NULL;
    sqlite3_bind_text(select, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(select) == SQLITE_ROW)
        value = arena_strdup(arena, (const char *)sqlite3_column_text(select, 0));
    sqlite3_finalize(select);
    return value;
}

int db_set_meta(sqlite3 *db, const char *key, const char *value)
{
    sqlite3_stmt *insert = NULL;
    int status =
        sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO meta VALUES(?,?)", -1, &insert, NULL);
    if (status != SQLITE_OK)
        return status;
    sqlite3_bind_text(insert, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, value, -1, SQLITE_STATIC);
    status = sqlite3_step(insert);
    sqlite3_finalize(insert);
    return status == SQLITE_DONE ? SQLITE_OK : status;
}
