/* SPDX-License-Identifier: Apache-2.0
 * gpukit catalogue: where the facts are and how old, refresh, history, sources, reset. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/options.h"
#include "catalogue/fetch.h"
#include "catalogue/refresh.h"
#include "catalogue/tsv.h"
#include "cli/catalogue_view.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    OptList from;
    const char *format, *date;
    bool dry_run, all, json;
} opt;

static const Option options[] = {
    {0, "from", OPT_LIST, &opt.from, "FILE|URL|NAME", "refresh: read this (may be repeated)"},
    {0, "format", OPT_TEXT, &opt.format, "NAME", "refresh: skypilot, aws-csv, aws-json, vantage"},
    {0, "date", OPT_TEXT, &opt.date, "DATE", "refresh: the day of the prices (else from the file)"},
    {0, "dry-run", OPT_FLAG, &opt.dry_run, NULL, "refresh: say what would change, write nothing"},
    {'a', "all", OPT_FLAG, &opt.all, NULL, "refresh: list every change"},
    {0, "json", OPT_FLAG, &opt.json, NULL, "as JSON"},
};

static const Command command = {
    "catalogue",
    "[refresh | history NAME | sources | reset] [OPTIONS]",
    "Without a word: what the catalogue holds, how old it is and where it lies.",
    "  refresh        reads current prices; without --from from the default addresses\n"
    "  history NAME   dated prices of one instance\n"
    "  sources        the addresses that refresh knows, and how to change them\n"
    "  reset          forgets all refreshed prices\n\n"
    "examples:\n"
    "  gpukit catalogue refresh\n"
    "  gpukit catalogue refresh --from index.csv --dry-run",
    options,
    sizeof options / sizeof *options,
    false};

/* ---- progress ---- */

typedef struct {
    Refresh *refresh;
    double began, shown;
    bool terminal;
} Progress;

static bool on_bytes(void *user, const char *bytes, size_t count)
{
    return refresh_feed(((Progress *)user)->refresh, bytes, count);
}

/* A bar on work of over a second, on a terminal only. */
static void on_progress(void *user, unsigned long long done, unsigned long long total)
{
    Progress *p = user;
    double t = clock_seconds();
    if (!p->terminal || t - p->began < 1 || t - p->shown < 0.1)
        return;
    p->shown = t;
    if (total) {
        int filled = (int)(30 * done / total);
        fprintf(stderr, "\r[%.*s%.*s] %3llu %%  %llu of %llu MB ", filled,
                "##############################", 30 - filled, "..............................",
                100 * done / total, done / 1000000, total / 1000000);
    } else {
        fprintf(stderr, "\r%llu MB ", done / 1000000);
    }
    fflush(stderr);
}

static void clear_progress(const Progress *p)
{
    if (p->shown > 0)
        fprintf(stderr, "\r\033[K");
}

/* ---- refresh ---- */

static void print_moves(const RefreshReport *r)
{
    size_t limit = opt.all ? r->moves.count : 15, shown = 0;
    for (size_t i = 0; i < r->moves.count && shown < limit; ++i) {
        const RefreshMove *m = &r->moves.items[i];
        if (!opt.all && strcmp(m->kind, "spot") == 0)
            continue;
        printf("  %-18s %-14s %-8s %10s -> %-10s %+.1f %%\n", m->name, m->region, m->kind,
               view_usd(m->old_usd_h), view_usd(m->new_usd_h),
               100 * (m->new_usd_h / m->old_usd_h - 1));
        ++shown;
    }
    if (r->moves.count > shown)
        printf("  and %zu more, spot among them (--all)\n", r->moves.count - shown);
}

static void print_names(const char *label, const char *const *names, size_t count)
{
    Buf text = {0};
    size_t limit = opt.all || count <= 12 ? count : 10;
    for (size_t i = 0; i < limit; ++i)
        buf_printf(&text, "%s%s", i ? ", " : "", names[i]);
    if (limit < count)
        buf_printf(&text, " and %zu more (--all)", count - limit);
    if (count) {
        printf("%s (%zu): ", label, count);
        view_wrapped(stdout, (int)strlen(label) + 6, 4, buf_text(&text));
    }
    buf_free(&text);
}

static void print_report(const RefreshReport *r)
{
    int moved_od = 0;
    for (size_t i = 0; i < r->moves.count; ++i)
        moved_od += strcmp(r->moves.items[i].kind, "ondemand") == 0;
    printf("%s\n  format %s, prices of %s\n", r->source, r->format, r->date);
    printf("  %ld offers taken: %ld first prices, %zu changed (%d on demand), %ld unchanged\n",
           r->offers, r->first_prices, r->moves.count, moved_od, r->unchanged);
    if (r->skipped)
        printf("  %ld left out: another system, tenancy, currency, or a placeholder\n", r->skipped);
    if (r->moves.count) {
        puts("moved:");
        print_moves(r);
    }
    print_names("new types", r->new_types.items, r->new_types.count);
    print_names("not in this file", r->gone.items, r->gone.count);
    if (r->refused)
        printf("refused (%ld):\n", r->refused);
    for (size_t i = 0; i < r->refusals.count && (opt.all || i < 10); ++i)
        printf("  row %ld: %s\n", r->refusals.items[i].row, r->refusals.items[i].reason);
    if (r->refusals.count > 10 && !opt.all)
        puts("  ... (--all)");
}

static json_object *report_json(const RefreshReport *r, bool written)
{
    json_object *o = json_object_new_object(), *moves = json_object_new_array();
    json_object *refusals = json_object_new_array(), *types = json_object_new_array();
    json_object *gone = json_object_new_array();
    json_object_object_add(o, "source", json_object_new_string(r->source));
    json_object_object_add(o, "format", json_object_new_string(r->format));
    json_object_object_add(o, "date", json_object_new_string(r->date));
    json_object_object_add(o, "written", json_object_new_boolean(written));
    json_object_object_add(o, "offers", json_object_new_int64(r->offers));
    json_object_object_add(o, "first_prices", json_object_new_int64(r->first_prices));
    json_object_object_add(o, "unchanged", json_object_new_int64(r->unchanged));
    json_object_object_add(o, "skipped", json_object_new_int64(r->skipped));
    json_object_object_add(o, "refused", json_object_new_int64(r->refused));
    for (size_t i = 0; i < r->moves.count; ++i) {
        json_object *m = json_object_new_object();
        json_object_object_add(m, "name", json_object_new_string(r->moves.items[i].name));
        json_object_object_add(m, "region", json_object_new_string(r->moves.items[i].region));
        json_object_object_add(m, "kind", json_object_new_string(r->moves.items[i].kind));
        json_object_object_add(m, "old_usd_h", json_object_new_double(r->moves.items[i].old_usd_h));
        json_object_object_add(m, "new_usd_h", json_object_new_double(r->moves.items[i].new_usd_h));
        json_object_array_add(moves, m);
    }
    for (size_t i = 0; i < r->refusals.count; ++i) {
        json_object *m = json_object_new_object();
        json_object_object_add(m, "row", json_object_new_int64(r->refusals.items[i].row));
        json_object_object_add(m, "reason", json_object_new_string(r->refusals.items[i].reason));
        json_object_array_add(refusals, m);
    }
    for (size_t i = 0; i < r->new_types.count; ++i)
        json_object_array_add(types, json_object_new_string(r->new_types.items[i]));
    for (size_t i = 0; i < r->gone.count; ++i)
        json_object_array_add(gone, json_object_new_string(r->gone.items[i]));
    json_object_object_add(o, "moves", moves);
    json_object_object_add(o, "new_types", types);
    json_object_object_add(o, "gone", gone);
    json_object_object_add(o, "refusals", refusals);
    return o;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int refresh_from(const char *from, const char *format, const char *path,
                        json_object *reports)
{
    Diags diags;
    int status = EXIT_ENVIRONMENT, day = 0;
    Catalogue *c = view_open(); /* again: a file before this one may have changed it */
    if (!c)
        return EXIT_ENVIRONMENT;
    diags_init(&diags);
    /* The label must not carry the folders of this machine. */
    const char *label = fetch_is_address(from) ? from : base_name(from);
    bool address = fetch_is_address(from);
    Refresh *r = refresh_new(c, label, format, opt.date, c->today);
    Progress progress = {r, clock_seconds(), 0, isatty(2) != 0};
    FetchSink sink = {&progress, on_bytes, on_progress};
    bool whole = fetch(from, &sink, &day, &diags);
    if (whole && !address && !opt.date && day > 0 && day <= c->today)
        refresh_set_fallback_day(r, day);
    clear_progress(&progress);
    if (whole)
        whole = refresh_end(r);
    if (!whole && refresh_error(r)) {
        diag_add(&diags, DIAG_ERROR, from, 0, 0, "%s", refresh_error(r));
        diag_help(&diags, "nothing was changed; --format names the format: %s",
                  import_format_names());
        status = EXIT_FINDINGS;
    }
    if (whole) {
        bool written = !opt.dry_run && refresh_commit(r, path, &diags);
        const RefreshReport *report = refresh_report(r);
        if (opt.json)
            json_object_array_add(reports, report_json(report, written));
        else
            print_report(report);
        if (!opt.json && opt.dry_run)
            puts("nothing was written (--dry-run)");
        status = !written && !opt.dry_run ? EXIT_ENVIRONMENT
                 : report->refused        ? EXIT_FINDINGS
                                          : EXIT_CLEAN;
    }
    diags_print(&diags, stderr);
    diags_fini(&diags);
    refresh_free(r);
    catalogue_close(c);
    return status;
}

static char *own_sources_path(void)
{
    char *database = catalogue_user_path(false);
    char *path = NULL;
    if (database)
        path = xasprintf("%.*s/sources.tsv", (int)(base_name(database) - database) - 1, database);
    free(database);
    return path;
}

/* The user's own table of sources, in the data folder, replaces the shipped one. */
static const CatalogueSource *read_sources(const Catalogue *c, int *count, Diags *diags)
{
    char *path = own_sources_path();
    const CatalogueSource *rows = c->sources.items;
    *count = (int)c->sources.count;
    Buf text = {0};
    Tsv tsv;
    if (path && fs_exists(path) && fs_read(path, &text) == 0 &&
        tsv_parse(c->arena, &catalogue_tables[TABLE_SOURCE], path, buf_text(&text), text.count,
                  &tsv, diags)) {
        rows = (const CatalogueSource *)tsv.rows;
        *count = tsv.count;
    }
    buf_free(&text);
    free(path);
    return rows;
}

static int refresh(const Catalogue *c)
{
    Diags diags;
    int sources, worst = EXIT_CLEAN, done = 0;
    if (opt.format && !import_is_format(opt.format)) {
        fprintf(stderr, "gpukit catalogue: no format '%s'; %s\n", opt.format,
                import_format_names());
        return EXIT_USAGE;
    }
    if (opt.date && (catalogue_day(opt.date) == INT_MIN || catalogue_day(opt.date) > c->today)) {
        fprintf(stderr,
                "gpukit catalogue: --date %s is not a day up to today, such as 2026-07-20\n",
                opt.date);
        return EXIT_USAGE;
    }
    char *path = catalogue_user_path(!opt.dry_run);
    if (!path) {
        fprintf(stderr,
                "gpukit catalogue: no folder for user data\n  help: set HOME or XDG_DATA_HOME\n");
        return EXIT_ENVIRONMENT;
    }
    diags_init(&diags);
    const CatalogueSource *table = read_sources(c, &sources, &diags);
    json_object *reports = json_object_new_array();
    for (int i = 0; i < opt.from.count; ++i) {
        const char *from = opt.from.items[i], *format = opt.format;
        for (int s = 0; s < sources; ++s)
            if (strcmp(table[s].key, from) == 0) {
                from = table[s].url;
                format = table[s].format;
            }
        int status = refresh_from(from, format, path, reports);
        worst = status > worst ? status : worst;
        ++done;
    }
    for (int s = 0; s < sources && opt.from.count == 0; ++s)
        if (table[s].is_default > 0) {
            int status = refresh_from(table[s].url, table[s].format, path, reports);
            worst = status > worst ? status : worst;
            ++done;
        }
    if (!done && !diags.errors) {
        diag_add(&diags, DIAG_ERROR, NULL, 0, 0, "no default source");
        diag_help(&diags, "gpukit catalogue sources; or --from FILE|URL");
    }
    if (diags.errors)
        worst = EXIT_ENVIRONMENT;
    diags_print(&diags, stderr);
    diags_fini(&diags);
    if (opt.json)
        view_json(reports);
    else
        json_object_put(reports);
    free(path);
    return worst;
}

/* ---- the others ---- */

static int status(const Catalogue *c)
{
    int youngest = -1, oldest = -1, undated = 0;
    for (size_t i = 0; i < c->prices.count; ++i) {
        int day = catalogue_day(c->prices.items[i].date);
        if (day == INT_MIN) {
            ++undated;
            continue;
        }
        int age = c->today > day ? c->today - day : 0;
        youngest = youngest < 0 || age < youngest ? age : youngest;
        oldest = age > oldest ? age : oldest;
    }
    if (opt.json) {
        json_object *o = json_object_new_object();
        json_object_object_add(o, "path", json_object_new_string(c->path));
        json_object_object_add(o, "user_path",
                               c->user_path ? json_object_new_string(c->user_path) : NULL);
        json_object_object_add(o, "as_of", json_object_new_string(c->as_of));
        json_object_object_add(o, "refreshed",
                               c->refreshed ? json_object_new_string(c->refreshed) : NULL);
        json_object_object_add(o, "gpus", json_object_new_int64((int64_t)c->gpus.count));
        json_object_object_add(o, "instances", json_object_new_int64((int64_t)c->instances.count));
        json_object_object_add(o, "prices", json_object_new_int64((int64_t)c->prices.count));
        json_object_object_add(o, "youngest_price_days", json_object_new_int(youngest));
        json_object_object_add(o, "oldest_price_days", json_object_new_int(oldest));
        view_json(o);
        return EXIT_CLEAN;
    }
    printf("%zu GPUs and accelerators, %zu instances, %zu current prices, %zu card prices\n",
           c->gpus.count, c->instances.count, c->prices.count, c->streets.count);
    view_line("facts", "%s, as of %s", c->path, c->as_of);
    if (c->user_path)
        view_line("refreshed", "%s, %s", c->refreshed ? c->refreshed : "?", c->user_path);
    else
        view_line("refreshed", "never: `gpukit catalogue refresh`");
    view_line("ages", "prices are %d to %d days old%s", youngest, oldest,
              undated ? ", some undated" : "");
    return EXIT_CLEAN;
}

static int history(const Catalogue *c, const char *name)
{
    const CatalogueInstance *in = catalogue_find_instance(c, name);
    if (!in) {
        fprintf(stderr,
                "gpukit catalogue: no instance '%s' in the catalogue\n  help: gpukit instances\n",
                name);
        return EXIT_USAGE;
    }
    Table *t = table_new("llllrl");
    Map seen = {0};
    json_object *array = json_object_new_array();
    static const char *const head[] = {"SEEN", "KIND", "REGION", "ZONE", "$/h", "SOURCE"};
    for (size_t i = 0; i < sizeof head / sizeof *head; ++i)
        table_cell(t, "%s", head[i]);
    table_end_row(t);
    for (int pass = 0; pass < 4; ++pass) {
        const char *path = pass < 2 ? c->path : c->user_path;
        void *rows = NULL;
        int count = path ? catalogue_read(c, path, TABLE_PRICE, pass % 2 ? "prices" : "history",
                                          "name=? ORDER BY date, region, zone", name, &rows)
                         : 0;
        for (int i = 0; i < count; ++i) {
            const CataloguePrice *p = (CataloguePrice *)rows + i;
            char key[256]; /* a replaced price stands in both databases */
            snprintf(key, sizeof key, "%s %s %s %s %g", p->date, p->kind, p->region, p->zone,
                     p->usd_h);
            if (map_get(&seen, key))
                continue;
            map_set(&seen, key, (void *)p);
            json_object_array_add(array, catalogue_row_json(TABLE_PRICE, p));
            table_cell(t, "%s", *p->date ? p->date : "?");
            table_cell(t, "%s", p->kind);
            table_cell(t, "%s", p->region);
            table_cell(t, "%s", p->zone);
            table_cell(t, "%s%s%s", view_usd(p->usd_h), p->usd_h_max > p->usd_h ? "-" : "",
                       p->usd_h_max > p->usd_h ? view_usd(p->usd_h_max) : "");
            table_cell(t, "%.24s", p->source);
            table_end_row(t);
        }
    }
    if (opt.json) {
        view_json(array);
    } else {
        table_print(t, stdout);
        json_object_put(array);
    }
    table_free(t);
    map_free(&seen);
    return EXIT_CLEAN;
}

static int sources(const Catalogue *c)
{
    Diags diags;
    int count;
    diags_init(&diags);
    const CatalogueSource *table = read_sources(c, &count, &diags);
    diags_print(&diags, stderr);
    int errors = diags.errors;
    char *own = own_sources_path();
    json_object *array = json_object_new_array();
    for (int i = 0; i < count; ++i) {
        json_object_array_add(array, catalogue_row_json(TABLE_SOURCE, &table[i]));
        if (opt.json)
            continue;
        printf("%s%s%s%s (%s)\n  %s\n", view_bold(), table[i].key, view_plain(),
               table[i].is_default > 0 ? " *" : "", table[i].format, table[i].url);
        view_line("", "%s", table[i].note);
    }
    if (opt.json)
        view_json(array);
    else
        printf("* read when no --from is given. To change the list, put a table of the same "
               "columns at\n  %s\n",
               own ? own : "(no data folder)");
    if (!opt.json)
        json_object_put(array);
    free(own);
    diags_fini(&diags);
    return errors ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int reset(void)
{
    char *path = catalogue_user_path(false);
    int result = EXIT_CLEAN;
    if (!path || (unlink(path) != 0 && errno != ENOENT)) {
        fprintf(stderr, "gpukit catalogue: %s: %s\n", path ? path : "no data folder",
                strerror(errno));
        result = EXIT_ENVIRONMENT;
    } else {
        puts("refreshed prices forgotten; the shipped ones are used");
    }
    free(path);
    return result;
}

int cmd_catalogue(int argc, char **argv)
{
    int words;
    int parsed = options_parse(&command, argc, argv, &words, NULL);
    if (parsed)
        return parsed == 1 ? EXIT_CLEAN : EXIT_USAGE;
    const char *verb = words ? argv[1] : "";
    if (words == 1 && strcmp(verb, "reset") == 0)
        return reset();
    Catalogue *c = view_open();
    int result = EXIT_USAGE;
    if (!c)
        return EXIT_ENVIRONMENT;
    if (words == 0)
        result = status(c);
    else if (words == 1 && strcmp(verb, "refresh") == 0)
        result = refresh(c);
    else if (words == 2 && strcmp(verb, "history") == 0)
        result = history(c, argv[2]);
    else if (words == 1 && strcmp(verb, "sources") == 0)
        result = sources(c);
    else
        fprintf(stderr, "gpukit catalogue: %s '%s'\n  help: gpukit catalogue --help\n",
                words > 1 ? "too many or too few words after" : "unknown word", verb);
    catalogue_close(c);
    return result;
}
