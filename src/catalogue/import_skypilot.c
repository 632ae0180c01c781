/* SPDX-License-Identifier: Apache-2.0
 *
 * SkyPilot catalogue CSV: one row per type and zone with on-demand and spot price. Columns are
 * found by name (v7 has no Arch). A spot price of exactly a tenth of the on-demand price is the
 * catalogue's placeholder, not an offer. GpuInfo is a Python literal: the MiB are scanned for. */
#include "catalogue/import_csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TYPE,
    ACCELERATOR,
    COUNT,
    VCPUS,
    MEMORY,
    GPUINFO,
    PRICE_COL,
    SPOT_COL,
    REGION,
    ZONE,
    ARCH,
    COLUMNS
};

static const char *const names[COLUMNS] = {
    "InstanceType", "AcceleratorName", "AcceleratorCount", "vCPUs", "MemoryGiB", "GpuInfo", "Price",
    "SpotPrice",    "Region",          "AvailabilityZone", "Arch"};

static double mib_of(const char *info)
{
    const char *at = strstr(info, "SizeInMiB");
    double mib;
    if (!at || sscanf(at + 9, "%*[^0-9]%lf", &mib) != 1 || !(mib > 0))
        return NAN;
    return mib;
}

static void offer(CsvImport *s, ImportOffer *o, CataloguePriceKind kind, const char *text)
{
    char reason[120];
    o->kind = kind;
    if (!import_number(text, &o->usd_h)) {
        snprintf(reason, sizeof reason, "%.40s: %s price '%.20s' is not a number", o->name,
                 catalogue_price_kinds[kind], text);
        s->sink.refuse(s->sink.user, o->row, reason);
        return;
    }
    s->sink.offer(s->sink.user, o);
}

static bool row(void *user, char *line, size_t length, long number)
{
    CsvImport *s = user;
    char *fields[CSV_MAX_FIELDS];
    (void)length;
    if (!s->header && strncmp(line, "\xef\xbb\xbf", 3) == 0)
        line += 3;
    int count = csv_split(line, fields, CSV_MAX_FIELDS);
    static const int needed[] = {TYPE, PRICE_COL, REGION};
    if (!s->header)
        return import_csv_header(s, fields, count, 1, needed, sizeof needed / sizeof *needed,
                                 "a SkyPilot catalogue");
    const char *cell[COLUMNS];
    for (int k = 0; k < COLUMNS; ++k)
        cell[k] = import_csv_cell(s, fields, count, k);
    if (count <= s->column[REGION] || count <= s->column[PRICE_COL] || !*cell[TYPE]) {
        s->sink.refuse(s->sink.user, number, "a row with too few fields");
        return true;
    }
    if (!*cell[ACCELERATOR] && !import_is_accelerated(cell[TYPE]) &&
        strncmp(cell[TYPE], "m", 1) != 0 && strncmp(cell[TYPE], "c", 1) != 0 &&
        strncmp(cell[TYPE], "r", 1) != 0)
        return true;
    ImportOffer o = {.name = cell[TYPE],
                     .region = cell[REGION],
                     .zone = "",
                     .accelerator = cell[ACCELERATOR],
                     .host_arch = cell[ARCH],
                     .accel_mem_mib = mib_of(cell[GPUINFO]),
                     .row = number};
    if (!import_number(cell[COUNT], &o.accel_count))
        o.accel_count = NAN;
    if (!import_number(cell[VCPUS], &o.vcpus))
        o.vcpus = NAN;
    if (!import_number(cell[MEMORY], &o.ram_gib))
        o.ram_gib = NAN;
    if (*cell[PRICE_COL])
        offer(s, &o, PRICE_ONDEMAND, cell[PRICE_COL]);
    if (*cell[SPOT_COL]) {
        double ondemand, spot;
        bool placeholder = import_number(cell[PRICE_COL], &ondemand) &&
                           import_number(cell[SPOT_COL], &spot) &&
                           fabs(spot - ondemand / 10) < 1e-6;
        o.zone = cell[ZONE];
        if (placeholder)
            s->sink.skip(s->sink.user);
        else
            offer(s, &o, PRICE_SPOT, cell[SPOT_COL]);
    }
    return true;
}

static void *make(const ImportSink *sink)
{
    return import_csv_new(sink, row, names, COLUMNS, "the file is empty");
}

const ImportFormat import_skypilot = {
    "skypilot", make, import_csv_feed, import_csv_end, import_csv_error, import_csv_drop};
