/* SPDX-License-Identifier: Apache-2.0
 *
 * AWS Price List, CSV of one region: some lines of metadata, then a header, then quoted rows. Only
 * plain Linux on-demand counts: OnDemand, Shared, Linux, Used, Hrs, USD, no pre-installed software,
 * market option OnDemand (that column separates Capacity Blocks). Rows without "OnDemand" and
 * "Linux" in their raw text are not even split. */
#include "catalogue/import_csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TERM,
    UNIT_COL,
    PRICE_COL,
    CURRENCY,
    TYPE,
    TENANCY,
    SYSTEM,
    CAPACITY,
    SOFTWARE,
    MARKET,
    REGION,
    LOCATION,
    VCPU,
    MEMORY,
    GPUS,
    GPU_MEMORY,
    COLUMNS
};

static const char *const names[COLUMNS] = {"TermType",
                                           "Unit",
                                           "PricePerUnit",
                                           "Currency",
                                           "Instance Type",
                                           "Tenancy",
                                           "Operating System",
                                           "CapacityStatus",
                                           "Pre Installed S/W",
                                           "MarketOption",
                                           "Region Code",
                                           "Location",
                                           "vCPU",
                                           "Memory",
                                           "GPU",
                                           "GPU Memory"};

static bool metadata(CsvImport *a, char **fields, int count, long number)
{
    static const int needed[] = {TERM, UNIT_COL, PRICE_COL, CURRENCY,
                                 TYPE, TENANCY,  SYSTEM,    CAPACITY};
    if (count >= 2 && strcmp(fields[0], "Publication Date") == 0)
        a->sink.date(a->sink.user, fields[1]);
    if (strcmp(fields[0], "SKU") == 0)
        return import_csv_header(a, fields, count, number, needed, sizeof needed / sizeof *needed,
                                 "the EC2 price list");
    if (number < 30)
        return true;
    snprintf(a->error, sizeof a->error, "line %ld: no header line that begins with \"SKU\"",
             number);
    return false;
}

static double leading_number(const char *text)
{
    char plain[32];
    size_t n = 0;
    for (; *text && n + 1 < sizeof plain && *text != ' '; ++text) /* "2,048 GiB" */
        if (*text != ',')
            plain[n++] = *text;
    plain[n] = 0;
    double value;
    return import_number(plain, &value) ? value : NAN;
}

static bool plain_linux(const char *const *cell)
{
    return strcmp(cell[TERM], "OnDemand") == 0 && strcmp(cell[TENANCY], "Shared") == 0 &&
           strcmp(cell[SYSTEM], "Linux") == 0 && strcmp(cell[CAPACITY], "Used") == 0 &&
           strcmp(cell[UNIT_COL], "Hrs") == 0 &&
           (!*cell[SOFTWARE] || strcmp(cell[SOFTWARE], "NA") == 0) &&
           (!*cell[MARKET] || strcmp(cell[MARKET], "OnDemand") == 0);
}

static bool row(void *user, char *line, size_t length, long number)
{
    CsvImport *a = user;
    char *fields[CSV_MAX_FIELDS];
    if (a->header &&
        (!memmem(line, length, "\"OnDemand\"", 10) || !memmem(line, length, "\"Linux\"", 7)))
        return true;
    if (!a->header && strncmp(line, "\xef\xbb\xbf", 3) == 0)
        line += 3;
    int count = csv_split(line, fields, CSV_MAX_FIELDS);
    if (!a->header)
        return metadata(a, fields, count, number);
    const char *cell[COLUMNS];
    for (int k = 0; k < COLUMNS; ++k)
        cell[k] = import_csv_cell(a, fields, count, k);
    if (!import_is_accelerated(cell[TYPE]) && !*cell[GPUS] && !strchr("mcr", cell[TYPE][0]))
        return true;
    if (!*cell[TYPE])
        return true;
    if (!plain_linux(cell) || strcmp(cell[CURRENCY], "USD") != 0) {
        a->sink.skip(a->sink.user);
        return true;
    }
    ImportOffer o = {.name = cell[TYPE],
                     .region = cell[REGION],
                     .zone = "",
                     .kind = PRICE_ONDEMAND,
                     .accelerator = "",
                     .host_arch = "",
                     .accel_count = leading_number(cell[GPUS]),
                     .accel_mem_mib = NAN,
                     .vcpus = leading_number(cell[VCPU]),
                     .ram_gib = leading_number(cell[MEMORY]),
                     .row = number};
    if (!import_number(cell[PRICE_COL], &o.usd_h)) {
        char reason[120];
        snprintf(reason, sizeof reason, "%.40s: price '%.20s' is not a number", o.name,
                 cell[PRICE_COL]);
        a->sink.refuse(a->sink.user, number, reason);
        return true;
    }
    if (!*o.region) {
        a->sink.refuse(a->sink.user, number, "no region code");
        return true;
    }
    a->sink.offer(a->sink.user, &o);
    return true;
}

static void *make(const ImportSink *sink)
{
    return import_csv_new(sink, row, names, COLUMNS, "no header line that begins with \"SKU\"");
}

const ImportFormat import_aws_csv = {
    "aws-csv", make, import_csv_feed, import_csv_end, import_csv_error, import_csv_drop};
