/* SPDX-License-Identifier: Apache-2.0
 *
 * SkyPilot catalogue CSV: one row per type and zone with on-demand and spot price. Columns are
 * found by name (v7 has no Arch). A spot price of exactly a tenth of the on-demand price is the
 * catalogue's placeholder, not an offer. GpuInfo is a Python literal: the MiB are scanned for. */
#include "base/arena.h"
#include "catalogue/csv_stream.h"
#include "catalogue/import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

typedef struct {
    ImportSink sink;
    CsvStream *csv;
    int column[COLUMNS];
    bool header;
    char error[160];
} Sky;

static bool read_header(Sky *s, char **fields, int count)
{
    for (int k = 0; k < COLUMNS; ++k)
        s->column[k] = -1;
    for (int i = 0; i < count && i < CSV_MAX_FIELDS; ++i)
        for (int k = 0; k < COLUMNS; ++k)
            if (strcmp(fields[i], names[k]) == 0)
                s->column[k] = i;
    static const int needed[] = {TYPE, PRICE_COL, REGION};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
        if (s->column[needed[i]] < 0) {
            snprintf(s->error, sizeof s->error, "line 1: no column %s; is it a SkyPilot catalogue?",
                     names[needed[i]]);
            return false;
        }
    s->header = true;
    return true;
}

static double mib_of(const char *info)
{
    const char *at = strstr(info, "SizeInMiB");
    double mib;
    if (!at || sscanf(at + 9, "%*[^0-9]%lf", &mib) != 1 || !(mib > 0))
        return NAN;
    return mib;
}

static void offer(Sky *s, ImportOffer *o, CataloguePriceKind kind, const char *text)
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
    Sky *s = user;
    char *fields[CSV_MAX_FIELDS];
    (void)length;
    if (!s->header && strncmp(line, "\xef\xbb\xbf", 3) == 0)
        line += 3;
    int count = csv_split(line, fields, CSV_MAX_FIELDS);
    if (!s->header)
        return read_header(s, fields, count);
    const char *cell[COLUMNS];
    for (int k = 0; k < COLUMNS; ++k)
        cell[k] = s->column[k] >= 0 && s->column[k] < count ? fields[s->column[k]] : "";
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
    Sky *s = xcalloc(1, sizeof *s);
    s->sink = *sink;
    s->csv = csv_stream_new(row, s);
    return s;
}

static bool feed(void *state, const char *bytes, size_t count)
{
    return csv_stream_feed(((Sky *)state)->csv, bytes, count);
}

static bool end(void *state)
{
    Sky *s = state;
    if (!csv_stream_end(s->csv))
        return false;
    if (!s->header)
        snprintf(s->error, sizeof s->error, "the file is empty");
    return s->header;
}

static const char *error(const void *state)
{
    const Sky *s = state;
    return s->error[0] ? s->error : csv_stream_error(s->csv);
}

static void drop(void *state)
{
    csv_stream_free(((Sky *)state)->csv);
    free(state);
}

const ImportFormat import_skypilot = {"skypilot", make, feed, end, error, drop};
