/* SPDX-License-Identifier: Apache-2.0
 *
 * instances.json of ec2instances.info: an array of instances, prices below
 * pricing.<region>.linux.{ondemand, spot_avg}; other systems are skipped. Its GPU columns
 * are kept by hand and have been wrong: they are used for the count only. The order of the members
 * is not fixed, so an instance's prices are kept until its end. */
#include "base/arena.h"
#include "catalogue/import.h"
#include "catalogue/json_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 8, PATH_TEXT = 64, MAX_PRICES = 512 };

typedef struct {
    char region[40], text[32];
    CataloguePriceKind kind;
} Price;

typedef struct {
    ImportSink sink;
    JsonStream *json;
    char path[PATH][PATH_TEXT];
    char name[64], arch[24];
    double vcpus, ram_gib, gpus;
    Price *prices;
    int count;
    long record;
    bool top; /* the array was opened */
    char error[160];
} Vantage;

static bool is_at(const Vantage *v, int depth, const char *name)
{
    return strcmp(v->path[depth], name) == 0;
}

static void begin_instance(Vantage *v)
{
    v->name[0] = v->arch[0] = 0;
    v->vcpus = v->ram_gib = v->gpus = NAN;
    v->count = 0;
    ++v->record;
}

static void end_instance(Vantage *v)
{
    if (!import_is_accelerated(v->name) && !(v->name[0] && strchr("mcr", v->name[0])))
        return;
    for (int i = 0; i < v->count; ++i) {
        ImportOffer o = {.name = v->name,
                         .region = v->prices[i].region,
                         .zone = "",
                         .kind = v->prices[i].kind,
                         .accelerator = "",
                         .host_arch = v->arch,
                         .accel_count = v->gpus,
                         .accel_mem_mib = NAN,
                         .vcpus = v->vcpus,
                         .ram_gib = v->ram_gib,
                         .row = v->record};
        char reason[120];
        if (strcmp(v->prices[i].text, "N/A") == 0)
            continue;
        if (import_number(v->prices[i].text, &o.usd_h)) {
            v->sink.offer(v->sink.user, &o);
        } else {
            snprintf(reason, sizeof reason, "%.40s: price '%.20s' is not a number", o.name,
                     v->prices[i].text);
            v->sink.refuse(v->sink.user, v->record, reason);
        }
    }
}

static void member(Vantage *v, const char *text, int depth)
{
    double value;
    if (depth == 2 && is_at(v, 2, "instance_type"))
        snprintf(v->name, sizeof v->name, "%s", text);
    if (depth == 2 && import_number(text, &value)) {
        if (is_at(v, 2, "vCPU"))
            v->vcpus = value;
        else if (is_at(v, 2, "memory"))
            v->ram_gib = value;
        else if (is_at(v, 2, "GPU"))
            v->gpus = value;
    }
    if (depth == 3 && is_at(v, 2, "arch") && !v->arch[0])
        snprintf(v->arch, sizeof v->arch, "%s", text);
    if (depth == 5 && is_at(v, 2, "pricing") && v->count < MAX_PRICES) {
        Price *p = &v->prices[v->count++];
        p->kind = is_at(v, 5, "ondemand") ? PRICE_ONDEMAND : PRICE_SPOT;
        snprintf(p->region, sizeof p->region, "%.39s", v->path[3]);
        snprintf(p->text, sizeof p->text, "%s", text);
    }
}

static JsonAnswer event(void *user, JsonEvent kind, const char *text, size_t length, int depth)
{
    Vantage *v = user;
    (void)length;
    if (depth == 0 && kind != JSON_ARRAY && kind != JSON_ARRAY_END) {
        snprintf(v->error, sizeof v->error, "the file is not an array of instances");
        return JSON_STOP;
    }
    if (kind == JSON_OBJECT && depth == 1)
        begin_instance(v);
    if (kind == JSON_OBJECT_END && depth == 1)
        end_instance(v);
    if (kind == JSON_STRING || kind == JSON_NUMBER)
        member(v, text, depth);
    if (kind != JSON_KEY)
        return JSON_GO;
    if (depth >= PATH)
        return JSON_SKIP;
    snprintf(v->path[depth], PATH_TEXT, "%s", text);
    if (depth == 2)
        return is_at(v, 2, "pricing") || is_at(v, 2, "instance_type") || is_at(v, 2, "vCPU") ||
                       is_at(v, 2, "memory") || is_at(v, 2, "GPU") || is_at(v, 2, "arch")
                   ? JSON_GO
                   : JSON_SKIP;
    if (depth == 4) {
        if (!is_at(v, 4, "linux"))
            v->sink.skip(v->sink.user);
        return is_at(v, 4, "linux") ? JSON_GO : JSON_SKIP;
    }
    if (depth == 5)
        return is_at(v, 5, "ondemand") || is_at(v, 5, "spot_avg") ? JSON_GO : JSON_SKIP;
    return depth == 3 ? JSON_GO : JSON_SKIP;
}

static void *make(const ImportSink *sink)
{
    Vantage *v = xcalloc(1, sizeof *v);
    v->sink = *sink;
    v->prices = xcalloc(MAX_PRICES, sizeof *v->prices);
    v->json = json_stream_new(event, v);
    return v;
}

static bool feed(void *state, const char *bytes, size_t count)
{
    return json_stream_feed(((Vantage *)state)->json, bytes, count);
}

static bool end(void *state)
{
    return json_stream_end(((Vantage *)state)->json);
}

static const char *error(const void *state)
{
    const Vantage *v = state;
    return v->error[0] ? v->error : json_stream_error(v->json);
}

static void drop(void *state)
{
    Vantage *v = state;
    json_stream_free(v->json);
    free(v->prices);
    free(v);
}

const ImportFormat import_vantage = {"vantage", make, feed, end, error, drop};
