/* SPDX-License-Identifier: Apache-2.0
 * The result of pick as JSON: ranked, rejected, rules, warnings. */
#include "catalogue/pick.h"

#include <math.h>
#include <string.h>

static json_object *real(double value, int digits)
{
    char text[40];
    if (isnan(value) || isinf(value))
        return NULL;
    snprintf(text, sizeof text, "%.*g", digits, value);
    return json_object_new_double_s(strtod(text, NULL), text);
}

static void add(json_object *object, const char *name, double value)
{
    json_object_object_add(object, name, real(value, 8));
}

static void add_text(json_object *object, const char *name, const char *text)
{
    json_object_object_add(object, name, text && *text ? json_object_new_string(text) : NULL);
}

static void add_band(json_object *object, const char *name, PickBand band)
{
    char low[64], high[64];
    snprintf(low, sizeof low, "%s_low", name);
    snprintf(high, sizeof high, "%s_high", name);
    add(object, name, band.mid);
    add(object, low, band.low);
    add(object, high, band.high);
}

static PickBand gigabytes(PickBand mib)
{
    return (PickBand){mib.low * 1048576e-9, mib.mid * 1048576e-9, mib.high * 1048576e-9};
}

static json_object *choice_json(const PickJob *job, const PickChoice *choice, int rank)
{
    const CatalogueInstance *in = choice->instance;
    json_object *o = json_object_new_object(), *price = json_object_new_object();
    json_object_object_add(o, "rank", json_object_new_int(rank));
    add_text(o, "name", in->row.name);
    add_text(o, "service", in->row.service);
    add_text(o, "family", in->row.family);
    add_text(o, "category", in->row.category);
    add_text(o, "gpu", in->gpu ? in->gpu->name : NULL);
    add(o, "gpu_count", in->row.gpu_count);
    add(o, "cc", in->gpu ? in->gpu->cc : NAN);
    json_object_object_add(o, "nodes", json_object_new_int(choice->nodes));
    add_text(o, "fits", choice->fits);
    json_object_object_add(o, "gpus_per_copy", json_object_new_int(choice->group));
    json_object_object_add(o, "copies", json_object_new_int(choice->copies));
    if (job->kind == PICK_TRAIN) {
        json_object_object_add(o, "zero_stage", json_object_new_int(choice->zero));
        json_object_object_add(o, "recompute", json_object_new_boolean(choice->recompute));
    }
    add_band(o, "need_gb_per_gpu", gigabytes(choice->need_mib));
    add(o, "have_gb_per_gpu", choice->have_mib * 1048576e-9);
    add(o, "headroom_gb_per_gpu", choice->headroom_mib * 1048576e-9);
    add_band(o, "est_seconds", choice->seconds);
    add_band(o, job->vision ? "images_per_second" : "tokens_per_second", choice->rate);
    add_text(o, "bound", choice->bound);
    add(o, "cost_usd_h", choice->usd_h);
    add(o, "cost_usd_h_high", choice->usd_h_max);
    add_band(o, "cost_usd_job", choice->usd_job);
    add_text(price, "kind",
             choice->estimate ? "estimate" : catalogue_price_kinds[choice->price_kind]);
    add_text(price, "region", choice->quote.region);
    add_text(price, "zone", choice->quote.zone);
    add_text(price, "date", choice->quote.date);
    json_object_object_add(
        price, "age_days",
        choice->quote.age_days < 0 ? NULL : json_object_new_int(choice->quote.age_days));
    add_text(price, "source", choice->quote.source);
    json_object_object_add(o, "price", price);
    add_text(o, "note", choice->note);
    return o;
}

static json_object *texts(const char *const *items, size_t count)
{
    json_object *array = json_object_new_array();
    for (size_t i = 0; i < count; ++i)
        json_object_array_add(array, json_object_new_string(items[i]));
    return array;
}

json_object *pick_json(const Catalogue *c, const PickJob *job, const PickResult *r)
{
    static const char *const kinds[] = {
#define PICK_KIND(id, text) text,
#include "catalogue/pick_kinds.def"
    };
    json_object *root = json_object_new_object();
    json_object *ranked = json_object_new_array(), *rejected = json_object_new_array();
    char today[11];
    catalogue_date(c->today, today);
    add_text(root, "job", kinds[job->kind]);
    add_text(root, "today", today);
    add_text(root, "catalogue_as_of", c->as_of);
    add_text(root, "refreshed", c->refreshed);
    add_text(root, "ranked_by", r->by_job ? "cost_usd_job" : "cost_usd_h");
    for (size_t i = 0; i < r->ranked.count; ++i)
        json_object_array_add(ranked, choice_json(job, &r->ranked.items[i], (int)i + 1));
    for (size_t i = 0; i < r->rejected.count; ++i) {
        json_object *o = json_object_new_object();
        add_text(o, "name", r->rejected.items[i].instance->row.name);
        add_text(o, "code", r->rejected.items[i].code);
        add_text(o, "reason", r->rejected.items[i].reason);
        json_object_array_add(rejected, o);
    }
    json_object_object_add(root, "ranked", ranked);
    json_object_object_add(root, "rejected", rejected);
    json_object_object_add(root, "rules", texts(r->rules.items, r->rules.count));
    json_object_object_add(root, "warnings", texts(r->warnings.items, r->warnings.count));
    return root;
}
