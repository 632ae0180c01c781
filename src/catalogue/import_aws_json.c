/* SPDX-License-Identifier: Apache-2.0
 *
 * AWS Price List, JSON of one region, streamed. `products` come first: of each, the attributes are
 * gathered and forgotten unless it is a plain Linux, shared, unreserved accelerated machine (EC2)
 * or a SageMaker instance; those stay in a map from SKU. Then `terms.OnDemand.<SKU>.<term>.
 * priceDimensions.<rate>.pricePerUnit.USD` gives their prices; other SKUs and Reserved terms are
 * skipped unread. */
#include "base/arena.h"
#include "base/map.h"
#include "catalogue/import.h"
#include "catalogue/json_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 12, PATH_TEXT = 64 };

typedef struct {
    char *name, *region;
    double vcpus, ram_gib, gpus;
} Product;

typedef struct {
    ImportSink sink;
    JsonStream *json;
    Arena *arena;
    Map products;               /* SKU -> Product */
    char path[PATH][PATH_TEXT]; /* key at each depth */
    char type[64], region[40], system[24], tenancy[24], capacity[40], software[24], market[24];
    char vcpu[16], memory[24], gpus[16], unit[16], component[32];
    const Product *product; /* of the SKU whose terms are read */
    bool saw_products, saw_terms;
    long record;
    char error[160];
} Aws;

static bool is_at(const Aws *a, int depth, const char *name)
{
    return strcmp(a->path[depth], name) == 0;
}

static void keep(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
}

static void attribute(Aws *a, const char *value)
{
    static const struct {
        const char *name;
        size_t offset, room;
    } wanted[] = {
#define A(name, member) {name, offsetof(Aws, member), sizeof(((Aws *)0)->member)}
        A("instanceType", type),
        A("instanceName", type),
        A("regionCode", region),
        A("operatingSystem", system),
        A("tenancy", tenancy),
        A("capacitystatus", capacity),
        A("preInstalledSw", software),
        A("marketoption", market),
        A("vcpu", vcpu),
        A("vCpu", vcpu),
        A("memory", memory),
        A("gpu", gpus),
        A("component", component),
        A("platoinstancetype", component),
        A("platoinstancename", type)};
#undef A
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        if (is_at(a, 4, wanted[i].name))
            keep((char *)a + wanted[i].offset, wanted[i].room, value);
}

static double leading_number(const char *text)
{
    char plain[32];
    size_t n = 0;
    for (; *text && n + 1 < sizeof plain && *text != ' '; ++text)
        if (*text != ',')
            plain[n++] = *text;
    plain[n] = 0;
    double value;
    return import_number(plain, &value) ? value : NAN;
}

static void begin_product(Aws *a)
{
    a->type[0] = a->region[0] = a->system[0] = a->tenancy[0] = a->capacity[0] = 0;
    a->software[0] = a->market[0] = a->vcpu[0] = a->memory[0] = a->gpus[0] = a->component[0] = 0;
}

/* Older lists name SageMaker's rows "ml.g5.xlarge-Training". */
static void split_component(Aws *a)
{
    char *dot = strrchr(a->type, '.'), *dash = dot ? strchr(dot, '-') : NULL;
    if (strncmp(a->type, "ml.", 3) != 0 || !dash)
        return;
    if (!a->component[0])
        snprintf(a->component, sizeof a->component, "%.31s", dash + 1);
    *dash = 0;
}

static void end_product(Aws *a)
{
    split_component(a);
    bool managed = strncmp(a->type, "ml.", 3) == 0;
    bool machine = import_is_accelerated(a->type) || strchr("mcr", a->type[0]);
    bool plain = managed ? !a->component[0] || strcmp(a->component, "Training") == 0
                         : strcmp(a->system, "Linux") == 0 && strcmp(a->tenancy, "Shared") == 0 &&
                               strcmp(a->capacity, "Used") == 0 &&
                               (!a->software[0] || strcmp(a->software, "NA") == 0) &&
                               (!a->market[0] || strcmp(a->market, "OnDemand") == 0);
    if (!a->type[0] || !machine)
        return;
    if (!plain) {
        a->sink.skip(a->sink.user);
        return;
    }
    Product *p = ARENA_NEW(a->arena, Product);
    p->name = arena_strdup(a->arena, a->type);
    p->region = arena_strdup(a->arena, a->region);
    p->vcpus = leading_number(a->vcpu);
    p->ram_gib = leading_number(a->memory);
    p->gpus = leading_number(a->gpus);
    map_set(&a->products, a->path[2], p);
}

static void price(Aws *a, const char *text)
{
    char reason[120];
    if (!is_at(a, 8, "USD")) {
        a->sink.skip(a->sink.user);
        return;
    }
    if (strcmp(a->unit, "Hrs") != 0 && a->unit[0])
        return;
    ImportOffer o = {.name = a->product->name,
                     .region = a->product->region,
                     .zone = "",
                     .kind = PRICE_ONDEMAND,
                     .accelerator = "",
                     .host_arch = "",
                     .accel_count = a->product->gpus,
                     .accel_mem_mib = NAN,
                     .vcpus = a->product->vcpus,
                     .ram_gib = a->product->ram_gib,
                     .row = a->record};
    if (!import_number(text, &o.usd_h)) {
        snprintf(reason, sizeof reason, "%.40s: price '%.20s' is not a number", o.name, text);
        a->sink.refuse(a->sink.user, a->record, reason);
    } else if (!*o.region) {
        a->sink.refuse(a->sink.user, a->record, "no region code");
    } else {
        a->sink.offer(a->sink.user, &o);
    }
}

/* Depth counts the containers around the token: the keys of the file's object have depth 1. */
static JsonAnswer key(Aws *a, const char *text, int depth)
{
    if (depth >= PATH)
        return JSON_SKIP;
    keep(a->path[depth], PATH_TEXT, text);
    if (depth == 1) {
        a->saw_products |= is_at(a, 1, "products");
        if (is_at(a, 1, "terms") && !a->saw_products) {
            snprintf(a->error, sizeof a->error,
                     "\"terms\" before \"products\": not the order of AWS price lists");
            return JSON_STOP;
        }
        a->saw_terms |= is_at(a, 1, "terms");
        return JSON_GO;
    }
    if (is_at(a, 1, "products")) {
        if (depth == 2) {
            ++a->record;
            begin_product(a);
        }
        return depth == 3 && !is_at(a, 3, "attributes") ? JSON_SKIP : JSON_GO;
    }
    if (is_at(a, 1, "terms")) {
        if (depth == 2)
            return is_at(a, 2, "OnDemand") ? JSON_GO : JSON_SKIP;
        if (depth == 3) {
            ++a->record;
            a->product = map_get(&a->products, text);
            return a->product ? JSON_GO : JSON_SKIP;
        }
        if (depth == 5)
            return is_at(a, 5, "priceDimensions") ? JSON_GO : JSON_SKIP;
        if (depth == 7)
            return is_at(a, 7, "pricePerUnit") || is_at(a, 7, "unit") ? JSON_GO : JSON_SKIP;
        if (depth == 6)
            a->unit[0] = 0;
        return JSON_GO;
    }
    return JSON_SKIP;
}

static JsonAnswer event(void *user, JsonEvent kind, const char *text, size_t length, int depth)
{
    Aws *a = user;
    (void)length;
    if (kind == JSON_KEY)
        return key(a, text, depth);
    if (depth == 0 && kind != JSON_OBJECT && kind != JSON_OBJECT_END) {
        snprintf(a->error, sizeof a->error, "the file is not one JSON object");
        return JSON_STOP;
    }
    if (kind == JSON_OBJECT_END && depth == 2 && is_at(a, 1, "products"))
        end_product(a);
    if (kind == JSON_STRING && depth == 1 && is_at(a, 1, "publicationDate"))
        a->sink.date(a->sink.user, text);
    if (kind == JSON_STRING && depth == 4 && is_at(a, 1, "products"))
        attribute(a, text);
    if (depth >= 7 && is_at(a, 1, "terms") && a->product) {
        if (kind == JSON_STRING && depth == 7 && is_at(a, 7, "unit"))
            keep(a->unit, sizeof a->unit, text);
        if ((kind == JSON_STRING || kind == JSON_NUMBER) && depth == 8 &&
            is_at(a, 7, "pricePerUnit"))
            price(a, text);
    }
    return JSON_GO;
}

static void *make(const ImportSink *sink)
{
    Aws *a = xcalloc(1, sizeof *a);
    a->sink = *sink;
    a->arena = arena_new();
    a->json = json_stream_new(event, a);
    return a;
}

static bool feed(void *state, const char *bytes, size_t count)
{
    return json_stream_feed(((Aws *)state)->json, bytes, count);
}

static bool end(void *state)
{
    Aws *a = state;
    if (!json_stream_end(a->json))
        return false;
    if (!a->saw_products || !a->saw_terms)
        snprintf(a->error, sizeof a->error, "no \"products\" and \"terms\": not an AWS price list");
    return a->saw_products && a->saw_terms;
}

static const char *error(const void *state)
{
    const Aws *a = state;
    return a->error[0] ? a->error : json_stream_error(a->json);
}

static void drop(void *state)
{
    Aws *a = state;
    json_stream_free(a->json);
    map_free(&a->products);
    arena_free(a->arena);
    free(a);
}

const ImportFormat import_aws_json = {"aws-json", make, feed, end, error, drop};
