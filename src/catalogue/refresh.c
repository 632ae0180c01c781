/* SPDX-License-Identifier: Apache-2.0
 * Checking, comparing and writing of offers. */
#include "catalogue/refresh.h"
#include "base/buf.h"
#include "base/fs.h"
#include "catalogue/db.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    SNIFF_BYTES = 256,
    KEPT_REFUSALS = 50,
    SPOT_HISTORY_DAYS = 365,
    JUMP = 100,      /* a price this many times the known one is a mistake of the file */
    HIGHEST = 100000 /* USD per hour: no machine costs that */
};

struct Refresh {
    const Catalogue *c;
    Arena *arena;
    Import *import;
    Buf head; /* bytes seen before the format is known */
    const char *format;
    char date[24];
    bool date_fixed, date_in_file, failed;
    char error[200];
    VEC(CataloguePrice) offers;
    VEC(CatalogueInstanceRow) types; /* new ones */
    Map by_key;                      /* offer -> index + 1 */
    Map known_types, regions, texts;
    RefreshReport report;
};

static const char *text_of(Refresh *r, const char *text)
{
    char *have = map_get(&r->texts, text);
    if (!have) {
        have = arena_strdup(r->arena, text);
        map_set(&r->texts, text, have);
    }
    return have;
}

static void refuse(void *user, long row, const char *reason)
{
    Refresh *r = user;
    if (r->report.refused++ < KEPT_REFUSALS)
        VEC_PUSH(r->report.refusals, ((RefreshRefusal){row, arena_strdup(r->arena, reason)}));
}

static void refuse_price(Refresh *r, const ImportOffer *o, const char *format, double known)
{
    char reason[400], tail[120];
    snprintf(tail, sizeof tail, format, known); /* the formats are ours, below */
    snprintf(reason, sizeof reason, "%.40s in %.20s: %s price %g %s", o->name, o->region,
             catalogue_price_kinds[o->kind], o->usd_h, tail);
    refuse(r, o->row, reason);
}

/* The known price to measure a new one by: of the offer itself, else of the type anywhere. */
static double known_price(const Refresh *r, const CatalogueInstance *in, const ImportOffer *o)
{
    CatalogueQuote q;
    if (in && catalogue_quote(r->c, in, o->region, o->kind, &q))
        return q.usd_h;
    if (in && catalogue_quote(r->c, in, "any", PRICE_ONDEMAND, &q))
        return q.usd_h;
    return NAN;
}

static bool plausible(Refresh *r, const CatalogueInstance *in, const ImportOffer *o)
{
    double known = known_price(r, in, o);
    /* Spot may fall to a few percent of the on-demand price. */
    double jump = o->kind == PRICE_SPOT ? 10 * JUMP : JUMP;
    if (!(o->usd_h > 0))
        refuse_price(r, o, "is not above zero%.0s", 0);
    else if (o->usd_h > HIGHEST)
        refuse_price(r, o, "is above %g USD/h", HIGHEST);
    else if (o->usd_h >= known * JUMP || o->usd_h <= known / jump)
        refuse_price(r, o, "is no believable change from %g", known);
    else
        return true;
    return false;
}

static bool name_is_sane(const char *text, size_t most)
{
    size_t length = strlen(text);
    for (const char *p = text; *p; ++p)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789.-", *p))
            return false;
    return length > 0 && length <= most;
}

static const char *category_of(const Refresh *r, const char *family, const CatalogueGpu *gpu)
{
    for (size_t i = 0; i < r->c->instances.count; ++i)
        if (strcmp(r->c->instances.items[i].row.family, family) == 0)
            return r->c->instances.items[i].row.category;
    return strncmp(family, "ml.", 3) == 0 ? "managed"
           : !gpu                         ? "general"
           : family[0] == 'p'             ? "training"
                                          : "inference";
}

static void add_type(Refresh *r, const ImportOffer *o)
{
    CatalogueInstanceRow row = {0};
    char family[64];
    bool managed = strncmp(o->name, "ml.", 3) == 0;
    const CatalogueGpu *gpu =
        o->accelerator && *o->accelerator ? catalogue_find_gpu(r->c, o->accelerator) : NULL;
    snprintf(family, sizeof family, "%s", o->name);
    char *dot = strchr(family + (managed ? 3 : 0), '.');
    if (dot)
        *dot = 0;
    row.name = text_of(r, o->name);
    row.service = managed ? "SageMaker" : "EC2";
    row.family = text_of(r, family);
    row.gpu = gpu ? gpu->key : "";
    row.category = category_of(r, family, gpu);
    row.gpu_count = o->accel_count;
    row.gpu_mem_mib = o->accel_mem_mib;
    row.gpu_mem_gb = gpu ? gpu->mem_gb : NAN;
    row.vcpus = o->vcpus;
    row.ram_gib = o->ram_gib;
    row.network_gbps = row.nvme_gb = NAN;
    row.host_arch = o->host_arch && strcmp(o->host_arch, "arm64") == 0 ? "arm64" : "x86_64";
    row.interconnect = row.use_case = "";
    row.note = !gpu && o->accelerator && *o->accelerator ? text_of(r, o->accelerator) : "";
    row.status = "current";
    row.source = r->report.source;
    row.date = ""; /* set when the date is known */
    VEC_PUSH(r->types, row);
    VEC_PUSH(r->report.new_types, row.name);
    map_set(&r->known_types, row.name, (void *)row.name);
}

static void take_offer(void *user, const ImportOffer *o)
{
    Refresh *r = user;
    char key[256];
    const CatalogueInstance *in = catalogue_find_instance(r->c, o->name);
    if (!in && !import_is_accelerated(o->name))
        return; /* the catalogue keeps only a few machines without accelerators */
    if (!name_is_sane(o->name, 60) || !name_is_sane(o->region, 30) ||
        (*o->zone && !name_is_sane(o->zone, 30))) {
        refuse(r, o->row, "type, region or zone is not a name");
        return;
    }
    if (!plausible(r, in, o))
        return;
    snprintf(key, sizeof key, "%s %s %s %d", o->name, o->region, o->zone, (int)o->kind);
    size_t index = (size_t)map_get(&r->by_key, key);
    if (index) {
        CataloguePrice *before = &r->offers.items[index - 1];
        if (fabs(before->usd_h - o->usd_h) > 1e-9 * o->usd_h)
            refuse_price(r, o, "contradicts %g of an earlier row", before->usd_h);
        return;
    }
    CataloguePrice p = {.name = text_of(r, o->name),
                        .region = text_of(r, o->region),
                        .zone = text_of(r, o->zone),
                        .kind = catalogue_price_kinds[o->kind],
                        .usd_h = o->usd_h,
                        .usd_h_max = NAN,
                        .date = "",
                        .until = "",
                        .source = r->report.source,
                        .note = ""};
    VEC_PUSH(r->offers, p);
    map_set(&r->by_key, key, (void *)r->offers.count);
    map_set(&r->regions, p.region, (void *)p.region);
    ++r->report.offers;
    if (!in && !map_get(&r->known_types, o->name))
        add_type(r, o);
}

static void take_date(void *user, const char *date)
{
    Refresh *r = user;
    if (r->date_fixed || catalogue_day(date) == INT_MIN)
        return;
    snprintf(r->date, sizeof r->date, "%.10s", date);
    r->date_in_file = true;
}

static void count_skip(void *user)
{
    ++((Refresh *)user)->report.skipped;
}

Refresh *refresh_new(const Catalogue *c, const char *source, const char *format, const char *date,
                     int fallback_day)
{
    Refresh *r = xcalloc(1, sizeof *r);
    r->c = c;
    r->arena = arena_new();
    r->format = format;
    r->report.source = arena_strdup(r->arena, source);
    catalogue_date(fallback_day, r->date);
    if (date) {
        snprintf(r->date, sizeof r->date, "%.10s", date);
        r->date_fixed = true;
    }
    return r;
}

void refresh_set_fallback_day(Refresh *r, int day)
{
    if (!r->date_fixed && !r->date_in_file)
        catalogue_date(day, r->date);
}

static bool set_error(Refresh *r, const char *text)
{
    if (!r->error[0])
        snprintf(r->error, sizeof r->error, "%s", text);
    r->failed = true;
    return false;
}

static bool start_import(Refresh *r)
{
    const char *format = r->format ? r->format : import_sniff(buf_text(&r->head), r->head.count);
    if (!format)
        return set_error(r,
                         "not a price file that is known (skypilot, aws-csv, aws-json, vantage)");
    ImportSink sink = {r, take_offer, refuse, take_date, count_skip};
    r->report.format = text_of(r, format);
    r->import = import_new(format, &sink);
    return true;
}

static bool feed_import(Refresh *r, const char *bytes, size_t count)
{
    if (import_feed(r->import, bytes, count))
        return true;
    return set_error(r,
                     import_error(r->import) ? import_error(r->import) : "the file cannot be read");
}

bool refresh_feed(Refresh *r, const char *bytes, size_t count)
{
    if (r->failed)
        return false;
    if (r->import)
        return feed_import(r, bytes, count);
    buf_add(&r->head, bytes, count);
    if (r->head.count < SNIFF_BYTES)
        return true;
    return start_import(r) && feed_import(r, r->head.data, r->head.count);
}

/* The price that was known for the offer as a whole: of its region; spot by the cheapest zone. */
static void compare(Refresh *r)
{
    Map done = {0};
    for (size_t i = 0; i < r->offers.count; ++i) {
        CataloguePrice *p = &r->offers.items[i];
        CataloguePriceKind kind = strcmp(p->kind, "spot") == 0 ? PRICE_SPOT : PRICE_ONDEMAND;
        const CatalogueInstance *in = catalogue_find_instance(r->c, p->name);
        CatalogueQuote q;
        char key[160];
        snprintf(key, sizeof key, "%s %s %s", p->name, p->region, p->kind);
        if (map_get(&done, key))
            continue;
        map_set(&done, key, p);
        double least = p->usd_h;
        for (size_t k = i + 1; k < r->offers.count && kind == PRICE_SPOT; ++k) {
            CataloguePrice *other = &r->offers.items[k];
            if (other->name == p->name && other->region == p->region && other->kind == p->kind)
                least = fmin(least, other->usd_h);
        }
        if (!in || !catalogue_quote(r->c, in, p->region, kind, &q))
            ++r->report.first_prices;
        else if (fabs(q.usd_h - least) > 1e-4 * q.usd_h)
            VEC_PUSH(r->report.moves, ((RefreshMove){p->name, p->region, p->kind, q.usd_h, least}));
        else
            ++r->report.unchanged;
    }
    map_free(&done);
}

static void find_gone(Refresh *r)
{
    Map names = {0};
    bool managed = false, plain = false;
    for (size_t i = 0; i < r->offers.count; ++i) {
        map_set(&names, r->offers.items[i].name, (void *)r->offers.items[i].name);
        *(strncmp(r->offers.items[i].name, "ml.", 3) == 0 ? &managed : &plain) = true;
    }
    for (size_t i = 0; i < r->c->instances.count; ++i) {
        const CatalogueInstance *in = &r->c->instances.items[i];
        bool is_managed = strcmp(in->row.service, "SageMaker") == 0, priced = false;
        if (strcmp(in->row.status, "retired") == 0)
            continue;
        for (int k = 0; k < in->price_count; ++k) {
            const CataloguePrice *p = &r->c->prices.items[in->first_price + k];
            priced |= strcmp(p->kind, "ondemand") == 0 && map_get(&r->regions, p->region) != NULL;
        }
        if (priced && !map_get(&names, in->row.name) && (is_managed ? managed : plain))
            VEC_PUSH(r->report.gone, in->row.name);
    }
    map_free(&names);
}

static int order_offer(const void *a, const void *b)
{
    const CataloguePrice *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (!order)
        order = strcmp(x->region, y->region);
    return order ? order : strcmp(x->zone, y->zone);
}

bool refresh_end(Refresh *r)
{
    if (r->failed)
        return false;
    if (!r->import && (!start_import(r) || !feed_import(r, buf_text(&r->head), r->head.count)))
        return false;
    if (!import_end(r->import))
        return set_error(r, import_error(r->import) ? import_error(r->import)
                                                    : "the file ends too early");
    if (r->offers.count == 0)
        return set_error(r, r->report.refused ? "no price of an accelerated machine could be taken"
                                              : "no price of an accelerated machine in it");
    qsort(r->offers.items, r->offers.count, sizeof *r->offers.items, order_offer);
    r->report.date = r->date;
    for (size_t i = 0; i < r->offers.count; ++i)
        r->offers.items[i].date = r->date;
    for (size_t i = 0; i < r->types.count; ++i)
        r->types.items[i].date = r->date;
    compare(r);
    find_gone(r);
    return true;
}

const char *refresh_error(const Refresh *r)
{
    return r->error[0] ? r->error : NULL;
}

const RefreshReport *refresh_report(const Refresh *r)
{
    return &r->report;
}

/* ---- writing ---- */

typedef struct {
    sqlite3_stmt *price, *history, *instance;
} Inserts;

static void price_key(const CataloguePrice *p, char key[256])
{
    snprintf(key, 256, "%s %s %s %s", p->name, p->region, p->zone, p->kind);
}

/* What was in the user's database: kept prices go to the new one, replaced ones to its history. */
static int carry_over(Refresh *r, const char *path, const Inserts *to, Map *offered)
{
    sqlite3 *old = NULL;
    void *rows = NULL;
    int status = SQLITE_OK, count;
    char key[256];
    const CatalogueTable *prices = &catalogue_tables[TABLE_PRICE];
    const CatalogueTable *instances = &catalogue_tables[TABLE_INSTANCE];
    if (!fs_exists(path))
        return SQLITE_OK;
    const char *schema = NULL;
    if (db_open_read(path, &old) == SQLITE_OK)
        schema = db_meta(old, r->arena, "schema");
    if (!schema || atoi(schema) != CATALOGUE_SCHEMA) { /* damaged: start anew */
        sqlite3_close(old);
        return SQLITE_OK;
    }
    count = db_read(old, r->arena, prices, "history", NULL, NULL, &rows);
    for (int i = 0; i < count && status == SQLITE_OK; ++i) {
        const CataloguePrice *p = (CataloguePrice *)rows + i;
        if (strcmp(p->kind, "spot") != 0 ||
            r->c->today - catalogue_day(p->date) <= SPOT_HISTORY_DAYS)
            status = db_insert(to->history, prices, p);
    }
    count = db_read(old, r->arena, prices, prices->name, NULL, NULL, &rows);
    for (int i = 0; i < count && status == SQLITE_OK; ++i) {
        const CataloguePrice *p = (CataloguePrice *)rows + i;
        price_key(p, key);
        const CataloguePrice *new_price = map_get(offered, key);
        if (!new_price)
            status = db_insert(to->price, prices, p);
        else if (fabs(new_price->usd_h - p->usd_h) > 1e-9 * p->usd_h)
            status = db_insert(to->history, prices, p);
        map_set(offered, key, NULL); /* not to be compared with the shipped price again */
    }
    count = db_read(old, r->arena, instances, instances->name, NULL, NULL, &rows);
    for (int i = 0; i < count && status == SQLITE_OK; ++i) {
        const CatalogueInstanceRow *row = (CatalogueInstanceRow *)rows + i;
        if (!map_get(&r->known_types, row->name))
            status = db_insert(to->instance, instances, row);
    }
    sqlite3_close(old);
    return status;
}

/* Shipped prices that this refresh replaces for the first time become history too. */
static int keep_shipped(Refresh *r, const Inserts *to, Map *offered)
{
    int status = SQLITE_OK;
    char key[256];
    for (size_t i = 0; i < r->c->prices.count && status == SQLITE_OK; ++i) {
        const CataloguePrice *p = &r->c->prices.items[i];
        price_key(p, key);
        const CataloguePrice *new_price = map_get(offered, key);
        if (new_price && fabs(new_price->usd_h - p->usd_h) > 1e-9 * p->usd_h)
            status = db_insert(to->history, &catalogue_tables[TABLE_PRICE], p);
    }
    return status;
}

static int fill(Refresh *r, sqlite3 *db, const char *path)
{
    const CatalogueTable *prices = &catalogue_tables[TABLE_PRICE];
    const CatalogueTable *instances = &catalogue_tables[TABLE_INSTANCE];
    Inserts to = {0};
    Map offered = {0};
    char key[256], today[11];
    int status = db_exec(db, "PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;BEGIN;"
                             "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    if (status == SQLITE_OK)
        status = db_create(db, prices, "prices");
    if (status == SQLITE_OK)
        status = db_create(db, prices, "history");
    if (status == SQLITE_OK)
        status = db_create(db, instances, "instances");
    if (status == SQLITE_OK)
        status = db_prepare_insert(db, prices, "prices", &to.price);
    if (status == SQLITE_OK)
        status = db_prepare_insert(db, prices, "history", &to.history);
    if (status == SQLITE_OK)
        status = db_prepare_insert(db, instances, "instances", &to.instance);
    for (size_t i = 0; i < r->offers.count && status == SQLITE_OK; ++i) {
        price_key(&r->offers.items[i], key);
        map_set(&offered, key, &r->offers.items[i]);
        status = db_insert(to.price, prices, &r->offers.items[i]);
    }
    for (size_t i = 0; i < r->types.count && status == SQLITE_OK; ++i)
        status = db_insert(to.instance, instances, &r->types.items[i]);
    if (status == SQLITE_OK)
        status = carry_over(r, path, &to, &offered);
    if (status == SQLITE_OK)
        status = keep_shipped(r, &to, &offered);
    sqlite3_finalize(to.price);
    sqlite3_finalize(to.history);
    sqlite3_finalize(to.instance);
    map_free(&offered);
    snprintf(key, sizeof key, "%d", CATALOGUE_SCHEMA);
    catalogue_date(r->c->today, today);
    if (status == SQLITE_OK)
        status = db_set_meta(db, "schema", key);
    if (status == SQLITE_OK)
        status = db_set_meta(db, "refreshed", today);
    if (status == SQLITE_OK)
        status = db_set_meta(db, "source", r->report.source);
    if (status == SQLITE_OK)
        status = db_exec(db, "COMMIT");
    return status;
}

/* The new file must be on the disk before the name points to it. */
static int sync_file(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC), error = 0;
    if (fd < 0 || fsync(fd) != 0)
        error = errno;
    if (fd >= 0)
        close(fd);
    return error;
}

static bool write_new(Refresh *r, const char *path, const char *fresh, Diags *diags)
{
    sqlite3 *db = NULL;
    unlink(fresh); /* left by a refresh that was killed */
    int status = sqlite3_open(fresh, &db);
    if (status == SQLITE_OK)
        status = fill(r, db, path);
    if (status != SQLITE_OK)
        diag_add(diags, DIAG_ERROR, fresh, 0, 0, "cannot be written: %s", sqlite3_errmsg(db));
    sqlite3_close(db);
    int error = status == SQLITE_OK ? sync_file(fresh, O_RDONLY) : 0;
    if (status == SQLITE_OK && !error && rename(fresh, path) != 0)
        error = errno;
    if (error)
        diag_add(diags, DIAG_ERROR, path, 0, 0, "%s", strerror(error));
    if (status != SQLITE_OK || error) {
        unlink(fresh);
        return false;
    }
    char *folder = xstrdup(path);
    sync_file(dirname(folder), O_RDONLY | O_DIRECTORY);
    free(folder);
    return true;
}

bool refresh_commit(Refresh *r, const char *path, Diags *diags)
{
    char *lock_path = xasprintf("%s.lock", path), *fresh = xasprintf("%s.new", path);
    int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    bool good = false;
    if (lock < 0) {
        diag_add(diags, DIAG_ERROR, lock_path, 0, 0, "%s", strerror(errno));
    } else if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "another refresh is writing");
        diag_help(diags, "wait for it, then try again");
    } else {
        good = write_new(r, path, fresh, diags);
    }
    if (lock >= 0)
        close(lock);
    free(lock_path);
    free(fresh);
    return good;
}

void refresh_free(Refresh *r)
{
    if (!r)
        return;
    import_free(r->import);
    buf_free(&r->head);
    VEC_FREE(r->offers);
    VEC_FREE(r->types);
    VEC_FREE(r->report.refusals);
    VEC_FREE(r->report.moves);
    VEC_FREE(r->report.new_types);
    VEC_FREE(r->report.gone);
    map_free(&r->by_key);
    map_free(&r->known_types);
    map_free(&r->regions);
    map_free(&r->texts);
    arena_free(r->arena);
    free(r);
}
