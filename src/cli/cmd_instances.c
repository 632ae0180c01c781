/* SPDX-License-Identifier: Apache-2.0
 * gpukit instances: families, sizes, one page per size, and the guide by category. */
#include "base/buf.h"
#include "base/options.h"
#include "cli/catalogue_view.h"
#include "cli/instance_page.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct {
    const char *category, *gpu, *region, *arch, *sort;
    double min_memory, min_total, max_price, cc, max_age, gpus;
    bool spot, managed, all, wide, json, csv, guide;
    long limit;
} opt;

static const Option options[] = {
    {0, "category", OPT_TEXT, &opt.category, "NAME",
     "training, inference, graphics, video, managed, ..."},
    {0, "gpu", OPT_TEXT, &opt.gpu, "NAME", "with this accelerator"},
    {0, "gpus", OPT_POSITIVE, &opt.gpus, "N", "at least N accelerators"},
    {0, "min-memory", OPT_REAL, &opt.min_memory, "GIB", "memory of one accelerator, as reported"},
    {0, "min-total", OPT_REAL, &opt.min_total, "GIB", "memory of all accelerators together"},
    {0, "max-price", OPT_POSITIVE, &opt.max_price, "USD", "at most this much per hour"},
    {0, "cc", OPT_REAL, &opt.cc, "X.Y", "compute capability X.Y or newer"},
    {0, "arch", OPT_TEXT, &opt.arch, "NAME", "host: x86_64 or arm64"},
    {0, "region", OPT_TEXT, &opt.region, "NAME",
     "prices there; `any`: cheapest (" CATALOGUE_REGION ")"},
    {0, "spot", OPT_FLAG, &opt.spot, NULL, "spot prices (lowest zone; the page shows the range)"},
    {0, "managed", OPT_FLAG, &opt.managed, NULL, "SageMaker types (ml.*)"},
    {0, "sort", OPT_TEXT, &opt.sort, "UNIT",
     "hour, gpu, gb, tflop, tbs ($ per unit), memory, name"},
    {0, "max-age", OPT_POSITIVE, &opt.max_age, "DAYS", "refuse prices older than this"},
    {'a', "all", OPT_FLAG, &opt.all, NULL, "retired types too"},
    {'n', "limit", OPT_COUNT, &opt.limit, "N", "only the first N"},
    {'w', "wide", OPT_FLAG, &opt.wide, NULL, "more columns than 80 characters hold"},
    {0, "json", OPT_FLAG, &opt.json, NULL, "everything known, as JSON"},
    {0, "csv", OPT_FLAG, &opt.csv, NULL, "as CSV"},
    {0, "guide", OPT_FLAG, &opt.guide, NULL, "the beginner's guide by category, with prices"},
};

static const Command command = {
    "instances",
    "[FAMILY|NAME...] [OPTIONS]",
    "Cloud GPU instances: what is in them, what they are made for, what they cost.",
    "Without a name or a filter: one row per family. Memory is per GPU, as the API\nreports it.\n\n"
    "examples:\n"
    "  gpukit instances --guide\n"
    "  gpukit instances g5.xlarge\n"
    "  gpukit instances --min-memory 40 --sort gb",
    options,
    sizeof options / sizeof *options,
    false};

typedef struct {
    const CatalogueInstance *instance;
    CatalogueQuote quote; /* usd_h NAN when there is none */
    double key;
} Row;

typedef VEC(Row) Rows;
static int refused; /* prices older than --max-age */
static bool by_name;

static const char *region(void)
{
    return opt.region ? opt.region : CATALOGUE_REGION;
}

static CatalogueQuote quote_of(const Catalogue *c, const CatalogueInstance *in)
{
    CatalogueQuote q;
    bool found = catalogue_quote(c, in, region(), opt.spot ? PRICE_SPOT : PRICE_ONDEMAND, &q);
    if (!found && !opt.region && !opt.spot && catalogue_other_region(c, in))
        found = catalogue_quote(c, in, catalogue_other_region(c, in), PRICE_ONDEMAND, &q);
    if (found && opt.max_age > 0 && (q.age_days < 0 || q.age_days > opt.max_age)) {
        ++refused;
        found = false;
    }
    if (!found)
        q = (CatalogueQuote){
            .usd_h = NAN, .usd_h_max = NAN, .region = "", .date = "", .age_days = -1};
    return q;
}

static bool has_filter(void)
{
    return opt.category || opt.gpu || opt.gpus > 0 || opt.min_memory > 0 || opt.min_total > 0 ||
           opt.max_price > 0 || opt.cc > 0 || opt.arch || opt.spot || opt.managed || opt.sort ||
           opt.region || opt.limit;
}

static bool wanted(const CatalogueInstance *in, const CatalogueGpu *gpu, const CatalogueQuote *q)
{
    double mem = catalogue_mem_mib(in) / 1024, total = mem * catalogue_device_count(in);
    bool managed = strcmp(in->row.service, "SageMaker") == 0;
    if (opt.category && strcasecmp(in->row.category, opt.category) != 0)
        return false;
    if (managed != opt.managed && !(opt.category && strcasecmp(opt.category, "managed") == 0))
        return false;
    return (opt.all || strcmp(in->row.status, "retired") != 0) && (!gpu || in->gpu == gpu) &&
           (opt.gpus <= 0 || in->row.gpu_count >= opt.gpus) &&
           (opt.min_memory <= 0 || mem >= opt.min_memory) &&
           (opt.min_total <= 0 || total >= opt.min_total) &&
           (opt.max_price <= 0 || q->usd_h <= opt.max_price) &&
           (opt.cc <= 0 || (in->gpu && in->gpu->cc + 1e-9 >= opt.cc)) &&
           (!opt.arch || strcasecmp(in->row.host_arch, opt.arch) == 0) &&
           (!opt.spot || q->usd_h > 0);
}

static int order(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    if (!by_name && !(isnan(x->key) && isnan(y->key)) && x->key != y->key)
        return isnan(x->key) ? 1 : isnan(y->key) ? -1 : x->key < y->key ? -1 : 1;
    return strcmp(x->instance->row.name, y->instance->row.name);
}

/* Sets the sort key of each row; -2 = unknown word, else the unit shown or UNIT_hour. */
static int sort_rows(Rows *rows)
{
    int unit = opt.sort ? catalogue_find_unit(opt.sort) : UNIT_hour;
    bool memory = opt.sort && strcasecmp(opt.sort, "memory") == 0;
    by_name = opt.sort && strcasecmp(opt.sort, "name") == 0;
    if (unit < 0 && !memory && !by_name) {
        fprintf(stderr,
                "gpukit instances: cannot sort by '%s': hour, gpu, gb, tflop, tbs, memory, name\n",
                opt.sort);
        return -2;
    }
    for (size_t i = 0; i < rows->count; ++i) {
        Row *row = &rows->items[i];
        row->key = memory ? -catalogue_mem_mib(row->instance)
                   : by_name
                       ? 0
                       : catalogue_in_unit(row->instance, row->quote.usd_h, (CatalogueUnit)unit);
    }
    if (rows->count)
        qsort(rows->items, rows->count, sizeof *rows->items, order);
    return unit < 0 ? UNIT_hour : unit;
}

static void note_ages(const Catalogue *c, const Rows *rows)
{
    int youngest = -1, oldest = -1;
    for (size_t i = 0; i < rows->count; ++i) {
        int age = rows->items[i].quote.age_days;
        if (age < 0)
            continue;
        youngest = youngest < 0 || age < youngest ? age : youngest;
        oldest = age > oldest ? age : oldest;
    }
    view_age_note(c, youngest, oldest, region());
}

static void print_rows(const Catalogue *c, const Rows *rows, int unit, bool csv)
{
    bool wide = opt.wide || csv, elsewhere = false;
    Table *t = table_new(wide ? "llrrrrrrrrrrrrrrll" : unit == UNIT_hour ? "llrrrrrr" : "llrrrrr");
    table_cell(t, "NAME");
    table_cell(t, "GPU");
    table_cell(t, "N");
    table_cell(t, "GIB");
    table_cell(t, "%s", wide || unit == UNIT_hour ? "VCPU" : catalogue_units[unit].name);
    if (wide || unit == UNIT_hour)
        table_cell(t, "RAM");
    table_cell(t, "$/h");
    if (wide) {
        table_cell(t, "$/h MAX");
        for (int u = 1; u < UNIT_COUNT; ++u)
            table_cell(t, "%s", catalogue_units[u].name);
        table_cell(t, "GBIT/S");
        table_cell(t, "NVME GB");
        table_cell(t, "CC");
    }
    table_cell(t, "AGE");
    if (wide) {
        table_cell(t, "REGION");
        table_cell(t, "STATUS");
    }
    table_end_row(t);
    for (size_t i = 0; i < rows->count; ++i) {
        const CatalogueInstance *in = rows->items[i].instance;
        const CatalogueQuote *q = &rows->items[i].quote;
        bool other = *q->region && strcmp(region(), "any") != 0 &&
                     strcmp(q->region, region()) != 0 && strcmp(q->region, "*") != 0;
        elsewhere |= other;
        table_cell(t, "%s", in->row.name);
        table_cell(t, "%s", in->gpu ? in->gpu->name : "");
        table_cell(t, "%s", view_number(in->row.gpu_count));
        table_cell(t, "%s", view_gib(catalogue_mem_mib(in)));
        if (wide || unit == UNIT_hour)
            table_cell(t, "%s", view_number(in->row.vcpus));
        else
            table_cell(t, "%s", view_usd(rows->items[i].key));
        if (wide || unit == UNIT_hour)
            table_cell(t, "%s", view_number(in->row.ram_gib));
        table_cell(t, "%s%s", view_usd(q->usd_h), other && !csv ? "*" : "");
        if (wide) {
            table_cell(t, "%s", view_usd(q->usd_h_max));
            for (int u = 1; u < UNIT_COUNT; ++u)
                table_cell(t, "%s", view_usd(catalogue_in_unit(in, q->usd_h, (CatalogueUnit)u)));
            table_cell(t, "%s", view_number(in->row.network_gbps));
            table_cell(t, "%s", view_number(in->row.nvme_gb));
            if (in->gpu && !isnan(in->gpu->cc))
                table_cell(t, "%.1f", in->gpu->cc);
            else
                table_cell(t, "%s", "");
        }
        table_cell(t, "%s", isnan(q->usd_h) ? "" : view_age(q->age_days));
        if (wide) {
            table_cell(t, "%s", q->region);
            table_cell(t, "%s", in->row.status);
        }
        table_end_row(t);
    }
    if (csv) {
        table_print_csv(t, stdout);
    } else {
        table_print(t, stdout);
        if (elsewhere)
            printf("* no price for %s: that of another region (--wide names it)\n", region());
        note_ages(c, rows);
    }
    table_free(t);
}

static void print_families(const Catalogue *c, const Rows *rows)
{
    Map seen = {0};
    Table *t = table_new("lllrrrr");
    static const char *const head[] = {"FAMILY", "FOR", "GPU", "N", "GIB", "FROM $/h", "$/GPU-h"};
    for (size_t i = 0; i < sizeof head / sizeof *head; ++i)
        table_cell(t, "%s", head[i]);
    table_end_row(t);
    for (size_t i = 0; i < rows->count; ++i) {
        const CatalogueInstance *first = rows->items[i].instance;
        if (map_get(&seen, first->row.family))
            continue;
        map_set(&seen, first->row.family, (void *)first);
        double least = NAN, most = NAN, cheap = NAN, per_gpu = NAN;
        for (size_t k = i; k < rows->count; ++k) {
            const CatalogueInstance *in = rows->items[k].instance;
            double usd = rows->items[k].quote.usd_h, unit = catalogue_in_unit(in, usd, UNIT_gpu);
            if (strcmp(in->row.family, first->row.family) != 0)
                continue;
            least = fmin(least, in->row.gpu_count);
            most = fmax(most, in->row.gpu_count);
            cheap = fmin(cheap, usd);
            per_gpu = fmin(per_gpu, unit);
        }
        bool retired = strcmp(first->row.status, "current") != 0;
        table_cell(t, "%s", first->row.family);
        table_cell(t, "%s", retired ? first->row.status : first->row.category);
        table_cell(t, "%s", first->gpu ? first->gpu->name : "(none)");
        if (least == most)
            table_cell(t, "%s", view_number(least));
        else
            table_cell(t, "%s-%s", view_number(least), view_number(most));
        table_cell(t, "%s%s", view_gib(catalogue_mem_mib(first)),
                   least < 1 && least > 0 ? "+" : "");
        table_cell(t, "%s", view_usd(cheap));
        table_cell(t, "%s", view_usd(per_gpu));
        table_end_row(t);
    }
    table_print(t, stdout);
    table_free(t);
    map_free(&seen);
    printf("%s`gpukit instances g5` lists the sizes of a family, `--guide` says which is for\n"
           "what, `--all` adds retired types, `--managed` shows SageMaker.%s\n",
           view_dim(), view_plain());
    note_ages(c, rows);
}

static int check_words(const Catalogue *c, const CatalogueGpu **gpu)
{
    if (opt.gpu && !(*gpu = catalogue_find_gpu(c, opt.gpu))) {
        fprintf(stderr,
                "gpukit instances: no GPU '%s' in the catalogue\n  help: gpukit gpus --rent\n",
                opt.gpu);
        return EXIT_USAGE;
    }
    bool known = !opt.category;
    for (size_t i = 0; i < c->categories.count && !known; ++i)
        known = strcasecmp(c->categories.items[i].category, opt.category) == 0;
    if (!known) {
        fprintf(stderr, "gpukit instances: no category '%s'; there are:", opt.category);
        for (size_t i = 0; i < c->categories.count; ++i)
            fprintf(stderr, "%s %s", i ? "," : "", c->categories.items[i].category);
        fputc('\n', stderr);
        return EXIT_USAGE;
    }
    if (opt.region && strcmp(opt.region, "any") != 0 && !catalogue_is_region_name(opt.region)) {
        fprintf(stderr, "gpukit instances: '%s' is not the name of a region, such as us-east-1\n",
                opt.region);
        return EXIT_USAGE;
    }
    return EXIT_CLEAN;
}

/* The operands: names of instances go to pages, families and parts of names to rows. */
static int collect(const Catalogue *c, int names, char **name, const CatalogueGpu *gpu, Rows *rows,
                   int *pages)
{
    for (int n = 0; n < names; ++n)
        for (char *p = name[n]; *p; ++p)
            *p = (char)tolower((unsigned char)*p);
    for (size_t i = 0; i < c->instances.count; ++i) {
        const CatalogueInstance *in = &c->instances.items[i];
        CatalogueQuote q = quote_of(c, in);
        bool take = !names && wanted(in, gpu, &q);
        for (int n = 0; n < names && !take; ++n) {
            bool exact = strcmp(in->row.name, name[n]) == 0;
            bool family = strcasecmp(in->row.family, name[n]) == 0;
            *pages += exact;
            opt.managed = strncmp(name[n], "ml.", 3) == 0;
            take = exact || (family && wanted(in, gpu, &q));
        }
        if (take)
            VEC_PUSH(*rows, ((Row){in, q, 0}));
    }
    for (int n = 0; n < names; ++n)
        if (!catalogue_find_instance(c, name[n]) && !catalogue_is_family(c, name[n])) {
            fprintf(stderr, "gpukit instances: no instance or family '%s' in the catalogue\n",
                    name[n]);
            for (size_t i = 0; i < c->instances.count; ++i)
                if (strncasecmp(c->instances.items[i].row.name, name[n], strlen(name[n])) == 0) {
                    fprintf(stderr, "  help: did you mean %s?\n", c->instances.items[i].row.name);
                    return EXIT_USAGE;
                }
            fprintf(stderr, "  help: `gpukit instances` lists the families\n");
            return EXIT_USAGE;
        }
    return EXIT_CLEAN;
}

static int show(const Catalogue *c, int names, char **name, Rows *rows)
{
    const CatalogueGpu *gpu = NULL;
    int pages = 0, status = check_words(c, &gpu);
    if (status == EXIT_CLEAN)
        status = collect(c, names, name, gpu, rows, &pages);
    if (status != EXIT_CLEAN)
        return status;
    bool families = !names && !has_filter() && !opt.wide;
    int unit = UNIT_hour;
    if (!families || opt.json || opt.csv)
        unit = sort_rows(rows);
    if (unit == -2)
        return EXIT_USAGE;
    if (opt.limit > 0 && rows->count > (size_t)opt.limit)
        rows->count = (size_t)opt.limit;
    if (opt.json) {
        json_object *array = json_object_new_array();
        for (size_t i = 0; i < rows->count; ++i)
            json_object_array_add(array, catalogue_instance_json(c, rows->items[i].instance));
        view_json(array);
    } else if (opt.csv) {
        print_rows(c, rows, unit, true);
    } else if (rows->count == 0) {
        fprintf(stderr, "gpukit instances: none meets all of these\n");
    } else if (names && pages == names) {
        for (size_t i = 0; i < rows->count; ++i)
            instance_page(c, rows->items[i].instance, i > 0);
    } else if (families) {
        print_families(c, rows);
    } else {
        print_rows(c, rows, unit, false);
    }
    if (refused) {
        fprintf(stderr,
                "gpukit instances: %d price%s older than %g days refused\n"
                "  help: gpukit catalogue refresh\n",
                refused, refused == 1 ? "" : "s", opt.max_age);
        return EXIT_FINDINGS;
    }
    return rows->count ? EXIT_CLEAN : EXIT_FINDINGS;
}

static int run(Catalogue *c, int names, char **name)
{
    if (opt.guide) {
        instance_guide(c);
        return EXIT_CLEAN;
    }
    Rows rows = {0};
    int status = show(c, names, name, &rows);
    VEC_FREE(rows);
    return status;
}

int cmd_instances(int argc, char **argv)
{
    return view_run(&command, run, argc, argv);
}
