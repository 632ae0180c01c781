/* SPDX-License-Identifier: Apache-2.0
 *
 * Build tool: the text tables of a folder into one SQLite file.
 *     gpukit-build-catalogue FOLDER OUT.db
 * Refuses tables that contradict themselves: keys twice, unknown accelerators, families or
 * categories, dates that are none, prices of zero, prices of instances that do not exist. */
#include "base/buf.h"
#include "base/fs.h"
#include "catalogue/db.h"
#include "catalogue/tsv.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Tsv tables[TABLE_COUNT];
static char *paths[TABLE_COUNT];
static Diags diags;

#define EACH(type, id, item)                                                                       \
    for (const type *item = (const type *)tables[id].rows;                                         \
         item < (const type *)tables[id].rows + tables[id].count; ++item)
#define LINE_OF(type, id, item) tables[id].lines[item - (const type *)tables[id].rows]

static void wrong(enum CatalogueTableId id, int line, const char *what, const char *value)
{
    diag_add(&diags, DIAG_ERROR, paths[id], line, 0, "%s: '%s'", what, value);
}

static void check_date(enum CatalogueTableId id, int line, const char *date, bool may_be_blank)
{
    if (!(may_be_blank && !*date) && catalogue_day(date) == INT_MIN)
        wrong(id, line, "not a date (2026, 2026-07 or 2026-07-20)", date);
}

static void check_tables(void)
{
    Map gpus = {0}, instances = {0}, families = {0}, categories = {0};
    EACH(CatalogueGpu, TABLE_GPU, g)
    {
        int line = LINE_OF(CatalogueGpu, TABLE_GPU, g);
        if (map_get(&gpus, g->key))
            wrong(TABLE_GPU, line, "key used twice", g->key);
        map_set(&gpus, g->key, (void *)g);
        check_date(TABLE_GPU, line, g->date, false);
        check_date(TABLE_GPU, line, g->launch, true);
        if (!*g->source)
            wrong(TABLE_GPU, line, "no source", g->key);
    }
    EACH(CatalogueCategory, TABLE_CATEGORY, c)
    map_set(&categories, c->category, (void *)c);
    EACH(CatalogueFamily, TABLE_FAMILY, f)
    map_set(&families, f->family, (void *)f);
    EACH(CatalogueInstanceRow, TABLE_INSTANCE, i)
    {
        int line = LINE_OF(CatalogueInstanceRow, TABLE_INSTANCE, i);
        if (map_get(&instances, i->name))
            wrong(TABLE_INSTANCE, line, "name used twice", i->name);
        map_set(&instances, i->name, (void *)i);
        if (*i->gpu && !map_get(&gpus, i->gpu))
            wrong(TABLE_INSTANCE, line, "no such accelerator in gpus.tsv", i->gpu);
        if (!map_get(&categories, i->category))
            wrong(TABLE_INSTANCE, line, "no such category in categories.tsv", i->category);
        const char *family = strncmp(i->family, "ml.", 3) == 0 ? i->family + 3 : i->family;
        if (!map_get(&families, family))
            wrong(TABLE_INSTANCE, line, "no such family in families.tsv", i->family);
        check_date(TABLE_INSTANCE, line, i->date, false);
    }
    EACH(CataloguePrice, TABLE_PRICE, p)
    {
        int line = LINE_OF(CataloguePrice, TABLE_PRICE, p);
        if (!map_get(&instances, p->name))
            wrong(TABLE_PRICE, line, "no such instance in instances.tsv", p->name);
        if (!(p->usd_h > 0))
            wrong(TABLE_PRICE, line, "a price must be above zero", p->name);
        if (!isnan(p->usd_h_max) && p->usd_h_max < p->usd_h)
            wrong(TABLE_PRICE, line, "the highest price is below the lowest", p->name);
        if (strcmp(p->kind, "ondemand") != 0 && strcmp(p->kind, "spot") != 0 &&
            strcmp(p->kind, "block") != 0)
            wrong(TABLE_PRICE, line, "kind must be ondemand, spot or block", p->kind);
        check_date(TABLE_PRICE, line, p->date, true);
        check_date(TABLE_PRICE, line, p->until, true);
    }
    EACH(CatalogueStreet, TABLE_STREET, s)
    {
        int line = LINE_OF(CatalogueStreet, TABLE_STREET, s);
        if (!map_get(&gpus, s->key))
            wrong(TABLE_STREET, line, "no such card in gpus.tsv", s->key);
        if (!(s->usd_low > 0) || !(s->usd_high >= s->usd_low))
            wrong(TABLE_STREET, line, "the range is not one", s->key);
        check_date(TABLE_STREET, line, s->date, false);
    }
    EACH(CatalogueFact, TABLE_FACT, f)
    {
        int line = LINE_OF(CatalogueFact, TABLE_FACT, f);
        const CatalogueGpu *gpu = map_get(&gpus, f->key);
        const CatalogueField *field = catalogue_field(TABLE_GPU, f->field);
        if (!gpu || !field) {
            wrong(TABLE_FACT, line, "no such card or field in gpus.tsv", gpu ? f->field : f->key);
        } else if (field->type == CATALOGUE_REAL
                       ? fabs(catalogue_real(field, gpu) - atof(f->value)) > 1e-9 * atof(f->value)
                       : strcmp(catalogue_text(field, gpu), f->value) != 0) {
            wrong(TABLE_FACT, line, "gpus.tsv holds another value for the field", f->field);
        }
    }
    map_free(&gpus);
    map_free(&instances);
    map_free(&families);
    map_free(&categories);
}

static bool same_offer(const CataloguePrice *a, const CataloguePrice *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->region, b->region) == 0 &&
           strcmp(a->zone, b->zone) == 0 && strcmp(a->kind, b->kind) == 0;
}

/* A price is current when no row of the same offer is newer and it has not ended. */
static bool is_current(const CataloguePrice *price)
{
    if (*price->until)
        return false;
    EACH(CataloguePrice, TABLE_PRICE, other)
    if (other != price && same_offer(price, other)) {
        int mine = catalogue_day(price->date), theirs = catalogue_day(other->date);
        if (theirs > mine || (theirs == mine && other > price))
            return false;
    }
    return true;
}

static int write_database(const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL, *old = NULL;
    int status = sqlite3_open(path, &db);
    if (status == SQLITE_OK)
        status = db_exec(db, "PRAGMA page_size=4096;PRAGMA journal_mode=OFF;BEGIN;"
                             "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    for (int id = 0; id < TABLE_COUNT && status == SQLITE_OK; ++id) {
        const CatalogueTable *table = tables[id].table;
        status = db_create(db, table, table->name);
        if (status == SQLITE_OK && id == TABLE_PRICE) {
            status = db_create(db, table, "history");
            if (status == SQLITE_OK)
                status = db_prepare_insert(db, table, "history", &old);
        }
        if (status == SQLITE_OK)
            status = db_prepare_insert(db, table, table->name, &insert);
        for (int r = 0; r < tables[id].count && status == SQLITE_OK; ++r) {
            const void *row = tables[id].rows + table->row_bytes * (size_t)r;
            bool past = id == TABLE_PRICE && !is_current(row);
            status = db_insert(past ? old : insert, table, row);
        }
        sqlite3_finalize(insert);
        insert = NULL;
        if (status == SQLITE_OK) {
            char *key = xasprintf("as_of_%s", table->name);
            status = db_set_meta(db, key, tables[id].as_of);
            free(key);
        }
    }
    sqlite3_finalize(old);
    if (status == SQLITE_OK) {
        char schema[16];
        snprintf(schema, sizeof schema, "%d", CATALOGUE_SCHEMA);
        status = db_set_meta(db, "schema", schema);
    }
    if (status == SQLITE_OK)
        status = db_exec(db, "COMMIT");
    if (status != SQLITE_OK)
        fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(db));
    sqlite3_close(db);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: gpukit-build-catalogue FOLDER OUT.db\n");
        return EXIT_USAGE;
    }
    diags_init(&diags);
    for (int id = 0; id < TABLE_COUNT; ++id) {
        Buf text = {0};
        paths[id] = arena_printf(diags.arena, "%s/%s", argv[1], catalogue_tables[id].file);
        int error = fs_read(paths[id], &text);
        if (error)
            diag_add(&diags, DIAG_ERROR, paths[id], 0, 0, "%s", strerror(-error));
        else
            tsv_parse(diags.arena, &catalogue_tables[id], paths[id], buf_text(&text), text.count,
                      &tables[id], &diags);
        buf_free(&text);
    }
    if (!diags.errors)
        check_tables();
    diags_print(&diags, stderr);
    int failed = diags.errors != 0;
    if (!failed) {
        char *temporary = xasprintf("%s.new", argv[2]);
        unlink(temporary);
        failed = write_database(temporary) != SQLITE_OK || rename(temporary, argv[2]) != 0;
        free(temporary);
    }
    diags_fini(&diags);
    return failed ? EXIT_FINDINGS : EXIT_CLEAN;
}
