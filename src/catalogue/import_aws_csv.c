/* SPDX-License-Identifier: Apache-2.0
 *
 * AWS Price List, CSV of one region: some lines of metadata, then a header, then quoted rows. Only
 * plain Linux on-demand counts: OnDemand, Shared, Linux, Used, Hrs, USD, no pre-installed software,
 * market option OnDemand (that column separates Capacity Blocks). Rows without "OnDemand" and
 * "Linux" in their raw text are not even split. */
#include "base/arena.h"
#include "catalogue/csv_stream.h"
#include "catalogue/import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

typedef struct {
    ImportSink sink;
    CsvStream *csv;
    int column[COLUMNS];
    bool header;
    char error[160];
} Aws;

static bool metadata(Aws *a, char **fields, int count, long number)
{
    if (count >= 2 && strcmp(fields[0], "Publication Date") == 0)
        a->sink.date(a->sink.user, fields[1]);
    if (strcmp(fields[0], "SKU") != 0) {
        if (number < 30)
            return true;
        snprintf(a->error, sizeof a->error, "line %ld: no header line that begins with \"SKU\"",
                 number);
        return false;
    }
    for (int k = 0; k < COLUMNS; ++k)
        a->column[k] = -1;
    for (int i = 0; i < count && i < CSV_MAX_FIELDS; ++i)
        for (int k = 0; k < COLUMNS; ++k)
            if (strcmp(fields[i], names[k]) == 0)
                a->column[k] = i;
    static const int needed[] = {TERM, UNIT_COL, PRICE_COL, CURRENCY,
                                 TYPE, TENANCY,  SYSTEM,    CAPACITY};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
        if (a->column[needed[i]] < 0) {
            snprintf(a->error, sizeof a->error,
                     "line %ld: no column \"%s\"; is it the EC2 price list?", number,
                     names[needed[i]]);
            return false;
        }
    a->header = true;
    return true;
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
    Aws *a = user;
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
        cell[k] = a->column[k] >= 0 && a->column[k] < count && a->column[k] < CSV_MAX_FIELDS
                      ? fields[a->column[k]]
                      : "";
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
    Aws *a = xcalloc(1, sizeof *a);
    a->sink = *sink;
    a->csv = csv_stream_new(row, a);
    return a;
}

static bool feed(void *state, const char *bytes, size_t count)
{
    return csv_stream_feed(((Aws *)state)->csv, bytes, count);
}

static bool end(void *state)
{
    Aws *a = state;
    if (!csv_stream_end(a->csv))
        return false;
    if (!a->header)
        snprintf(a->error, sizeof a->error, "no header line that begins with \"SKU\"");
    return a->header;
}

static const char *error(const void *state)
{
    const Aws *a = state;
    return a->error[0] ? a->error : csv_stream_error(a->csv);
}

static void drop(void *state)
{
    csv_stream_free(((Aws *)state)->csv);
    free(state);
}

const ImportFormat import_aws_csv = {"aws-csv", make, feed, end, error, drop};
