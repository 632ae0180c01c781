/* SPDX-License-Identifier: Apache-2.0
 * Opens the databases, loads the tables and joins them. */
#include "catalogue/store.h"
#include "base/fs.h"
#include "catalogue/db.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows into the VEC v of the catalogue. */
#define LOAD(v, id)                                                                                \
    do {                                                                                           \
        void *rows = NULL;                                                                         \
        int got = db_read(db, c->arena, &catalogue_tables[id], catalogue_tables[id].name, NULL,    \
                          NULL, &rows);                                                            \
        for (int i = 0; i < got; ++i) {                                                            \
            (v).items = xrealloc((v).items, sizeof *(v).items * ((v).count + 1));                  \
            memcpy(&(v).items[(v).count++],                                                        \
                   (char *)rows + catalogue_tables[id].row_bytes * (size_t)i,                      \
                   catalogue_tables[id].row_bytes);                                                \
        }                                                                                          \
        if (got < 0)                                                                               \
            failed = true;                                                                         \
    } while (0)

static void add_instance(Catalogue *c, const CatalogueInstanceRow *row, bool imported)
{
    CatalogueInstance instance = {.row = *row, .imported = imported};
    VEC_PUSH(c->instances, instance);
}

static bool load_instances(Catalogue *c, sqlite3 *db, bool imported)
{
    void *rows = NULL;
    const CatalogueTable *table = &catalogue_tables[TABLE_INSTANCE];
    int count = db_read(db, c->arena, table, table->name, NULL, NULL, &rows);
    for (int i = 0; i < count; ++i)
        add_instance(c, (CatalogueInstanceRow *)rows + i, imported);
    return count >= 0;
}

static bool load_prices(Catalogue *c, sqlite3 *db)
{
    void *rows = NULL;
    const CatalogueTable *table = &catalogue_tables[TABLE_PRICE];
    int count = db_read(db, c->arena, table, table->name, NULL, NULL, &rows);
    for (int i = 0; i < count; ++i)
        VEC_PUSH(c->prices, ((CataloguePrice *)rows)[i]);
    return count >= 0;
}

static bool load_shipped(Catalogue *c, sqlite3 *db)
{
    bool failed = false;
    LOAD(c->gpus, TABLE_GPU);
    LOAD(c->streets, TABLE_STREET);
    LOAD(c->models, TABLE_MODEL);
    LOAD(c->families, TABLE_FAMILY);
    LOAD(c->categories, TABLE_CATEGORY);
    LOAD(c->cudas, TABLE_CUDA);
    LOAD(c->sources, TABLE_SOURCE);
    failed |= !load_instances(c, db, false);
    failed |= !load_prices(c, db);
    c->as_of = "";
    static const char *const keys[] = {"as_of_gpus", "as_of_instances", "as_of_prices"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        const char *date = db_meta(db, c->arena, keys[i]);
        if (date && catalogue_day(date) > catalogue_day(c->as_of))
            c->as_of = date;
    }
    return !failed;
}

static int order_prices(const void *a, const void *b)
{
    const CataloguePrice *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (!order)
        order = strcmp(x->kind, y->kind);
    if (!order)
        order = strcmp(x->region, y->region);
    if (!order)
        order = strcmp(x->zone, y->zone);
    if (!order) { /* newest first; of one day the refreshed row, which was loaded later */
        int dx = catalogue_day(x->date), dy = catalogue_day(y->date);
        order = dx < dy ? 1 : dx > dy ? -1 : 0;
    }
    return order;
}

/* Keeps one price per instance, kind, region and zone: the newest. A spot range over zones of
 * unknown names ("" zone) gives way to rows that name zones. */
static void merge_prices(Catalogue *c)
{
    if (c->prices.count)
        qsort(c->prices.items, c->prices.count, sizeof *c->prices.items, order_prices);
    size_t kept = 0;
    for (size_t i = 0; i < c->prices.count; ++i) {
        CataloguePrice *p = &c->prices.items[i];
        CataloguePrice *before = kept ? &c->prices.items[kept - 1] : NULL;
        bool same = before && strcmp(before->name, p->name) == 0 &&
                    strcmp(before->kind, p->kind) == 0 && strcmp(before->region, p->region) == 0;
        if (same && strcmp(before->zone, p->zone) == 0)
            continue;
        if (same && before->zone[0] == 0 && strcmp(p->kind, "spot") == 0 &&
            catalogue_day(p->date) >= catalogue_day(before->date))
            --kept;
        c->prices.items[kept++] = *p;
    }
    c->prices.count = kept;
}

static void link_tables(Catalogue *c)
{
    for (size_t i = 0; i < c->gpus.count; ++i)
        map_set(&c->gpu_by_key, c->gpus.items[i].key, &c->gpus.items[i]);
    merge_prices(c);
    size_t kept = 0; /* a type known from the shipped tables keeps its checked row */
    for (size_t i = 0; i < c->instances.count; ++i) {
        if (map_get(&c->instance_by_name, c->instances.items[i].row.name))
            continue;
        c->instances.items[kept] = c->instances.items[i];
        map_set(&c->instance_by_name, c->instances.items[kept].row.name, &c->instances.items[kept]);
        ++kept;
    }
    c->instances.count = kept;
    for (size_t i = 0; i < c->prices.count;) {
        size_t end = i;
        while (end < c->prices.count &&
               strcmp(c->prices.items[end].name, c->prices.items[i].name) == 0)
            ++end;
        CatalogueInstance *instance = map_get(&c->instance_by_name, c->prices.items[i].name);
        if (instance) {
            instance->first_price = (int)i;
            instance->price_count = (int)(end - i);
        }
        i = end;
    }
    Map families = {0};
    for (size_t i = 0; i < c->families.count; ++i)
        map_set(&families, c->families.items[i].family, &c->families.items[i]);
    for (size_t i = 0; i < c->instances.count; ++i) {
        CatalogueInstance *instance = &c->instances.items[i];
        const char *family = instance->row.family;
        instance->gpu = map_get(&c->gpu_by_key, instance->row.gpu);
        instance->family = map_get(&families, strncmp(family, "ml.", 3) == 0 ? family + 3 : family);
    }
    map_free(&families);
}

char *catalogue_user_path(bool make)
{
    if (make) {
        char *folder = fs_data_dir("catalogue");
        char *path = folder ? xasprintf("%s/refreshed.db", folder) : NULL;
        free(folder);
        return path;
    }
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        return xasprintf("%s/gpukit/catalogue/refreshed.db", data);
    return home && home[0] == '/' ? xasprintf("%s/.local/share/gpukit/catalogue/refreshed.db", home)
                                  : NULL;
}

static bool check_schema(sqlite3 *db, Arena *arena, const char *path, Diags *diags)
{
    const char *schema = db_meta(db, arena, "schema");
    if (schema && atoi(schema) == CATALOGUE_SCHEMA)
        return true;
    diag_add(diags, DIAG_ERROR, path, 0, 0, "not a catalogue of schema %d (%s)", CATALOGUE_SCHEMA,
             schema ? schema : sqlite3_errmsg(db));
    return false;
}

static void load_user(Catalogue *c, const char *path, Diags *diags)
{
    sqlite3 *db = NULL;
    if (!fs_exists(path))
        return;
    Diags unusable;
    diags_init(&unusable);
    bool good = db_open_read(path, &db) == SQLITE_OK &&
                check_schema(db, c->arena, path, &unusable) && load_instances(c, db, true) &&
                load_prices(c, db);
    if (good) {
        c->user_path = arena_strdup(c->arena, path);
        c->refreshed = db_meta(db, c->arena, "refreshed");
    } else {
        diag_add(diags, DIAG_WARNING, path, 0, 0,
                 "the refreshed prices cannot be read and are left out");
        diag_help(diags, "gpukit catalogue reset");
    }
    diags_fini(&unusable);
    sqlite3_close(db);
}

Catalogue *catalogue_open(const char *path, const char *user, Diags *diags)
{
    Catalogue *c = xcalloc(1, sizeof *c);
    c->arena = arena_new();
    c->today = catalogue_today();
    char *shipped = path ? xstrdup(path) : fs_resource(CATALOGUE_FILE);
    sqlite3 *db = NULL;
    bool good = false;
    if (!shipped) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "the catalogue (%s) is not beside the program",
                 CATALOGUE_FILE);
        diag_help(diags, "install gpukit with `make install`, or run it from its build folder");
    } else if (db_open_read(shipped, &db) != SQLITE_OK) {
        diag_add(diags, DIAG_ERROR, shipped, 0, 0, "cannot be opened: %s", sqlite3_errmsg(db));
    } else if (check_schema(db, c->arena, shipped, diags)) {
        good = load_shipped(c, db);
        if (!good)
            diag_add(diags, DIAG_ERROR, shipped, 0, 0, "damaged: %s", sqlite3_errmsg(db));
    }
    sqlite3_close(db);
    if (!good) {
        free(shipped);
        catalogue_close(c);
        return NULL;
    }
    c->path = arena_strdup(c->arena, shipped);
    free(shipped);
    char *own = user ? xstrdup(user) : catalogue_user_path(false);
    if (own && *own)
        load_user(c, own, diags);
    free(own);
    link_tables(c);
    return c;
}

void catalogue_close(Catalogue *c)
{
    if (!c)
        return;
    VEC_FREE(c->gpus);
    VEC_FREE(c->instances);
    VEC_FREE(c->prices);
    VEC_FREE(c->streets);
    VEC_FREE(c->models);
    VEC_FREE(c->families);
    VEC_FREE(c->categories);
    VEC_FREE(c->cudas);
    VEC_FREE(c->sources);
    map_free(&c->gpu_by_key);
    map_free(&c->instance_by_name);
    arena_free(c->arena);
    free(c);
}

int catalogue_read(const Catalogue *c, const char *path, enum CatalogueTableId id,
                   const char *sql_table, const char *where, const char *text, void **rows)
{
    sqlite3 *db = NULL;
    int count = -1;
    *rows = NULL;
    if (db_open_read(path, &db) == SQLITE_OK)
        count = db_read(db, c->arena, &catalogue_tables[id], sql_table, where, text, rows);
    sqlite3_close(db);
    return count < 0 ? 0 : count;
}
