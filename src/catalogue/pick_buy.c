/* SPDX-License-Identifier: Apache-2.0
 *
 * Cards to buy. Order of the tests: the job fits the memory; software runs (CUDA 13 needs compute
 * capability 7.5; the precision); then what the use is bound by: decoding by bandwidth, training
 * by dense FP16, graphics by FP32, learning by the geometric mean of memory, bandwidth and FP16.
 * Break-even hours = price / (rent per hour - watts x price of electricity). */
#include "catalogue/pick.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double steps[] = {200,  250,  300,  400,  500,  600,   800,   1000,  1250,  1500, 2000,
                               2500, 3000, 4000, 5000, 7500, 10000, 15000, 20000, 30000, 50000};

static const char *cannot(const PickJob *job, BuyUse use, const CatalogueGpu *g, Arena *arena)
{
    if (!catalogue_is_cuda(g))
        return "not an NVIDIA card: no CUDA";
    if (strstr(g->name, "SXM") || strstr(g->name, "GB200") || strstr(g->note, "HGX") ||
        g->key[0] == 'b')
        return "a module for a server board, not a card";
    if (g->cc < 7.5 && !job->previous)
        return arena_printf(arena, "compute capability %.1f: CUDA 13 dropped it", g->cc);
    if (job->memory_gb > 0 && g->mem_gb < job->memory_gb)
        return arena_printf(arena, "%g GB, %g asked for", g->mem_gb, job->memory_gb);
    if (use == BUY_GRAPHICS && !(g->rt_cores > 0))
        return "no RT cores";
    double have = g->mem_gb * 1e9 / 1048576, need = 0;
    const PickFormat *format = NULL;
    if (use == BUY_INFER) {
        need = pick_infer_mib(job, 1, job->batch).mid / pick_usable_share(job);
        format = job->quant;
    } else if (use == BUY_TRAIN && job->kind == PICK_TRAIN) {
        need = pick_train_mib(job, 1, 0, true).mid / pick_usable_share(job);
        format = job->precision;
    }
    if (need > have)
        return arena_printf(arena, "needs %.1f GB, has %g", need * 1048576e-9, g->mem_gb);
    if (format && format->min_cc > g->cc + 1e-9)
        return arena_printf(arena, "no %s at compute capability %.1f", format->name, g->cc);
    return NULL;
}

static double score_of(const PickJob *job, BuyUse use, const CatalogueGpu *g)
{
    switch (use) {
    case BUY_INFER: {
        CatalogueInstance one = {.gpu = g};
        const char *bound;
        one.row.gpu_count = 1;
        one.row.interconnect = "";
        return pick_decode_rate(job, &one, 1, job->batch, &bound).mid;
    }
    case BUY_TRAIN:
        return job->kind == PICK_TRAIN ? pick_peak(job, g) : g->fp16_tflops;
    case BUY_GRAPHICS:
        return g->fp32_tflops;
    case BUY_LEARN:
        break;
    }
    return cbrt(g->mem_gb * g->bw_gbs * fmax(g->fp16_tflops, 0));
}

static void add_offer(BuyResult *r, const PickJob *job, const CatalogueGpu *g,
                      const char *condition, double low, double high, const char *date,
                      const char *source, int today)
{
    int day = catalogue_day(date);
    BuyOffer offer = {g,
                      condition,
                      low,
                      high,
                      date,
                      source,
                      day == INT_MIN ? -1 : today - day,
                      score_of(job, r->use, g),
                      cannot(job, r->use, g, r->arena)};
    if (!offer.why && isnan(offer.score))
        offer.why = "its speed is not confirmed";
    VEC_PUSH(r->offers, offer);
}

/* The newest sighting of each condition; a card of the last two years without one is listed at
 * its launch price. */
static void collect(const Catalogue *c, const PickJob *job, BuyResult *r)
{
    for (size_t i = 0; i < c->gpus.count; ++i) {
        const CatalogueGpu *g = &c->gpus.items[i];
        static const char *const conditions[] = {"new", "used", "list"};
        bool seen = false;
        for (int k = 0; k < 3; ++k) {
            const CatalogueStreet *newest = NULL;
            for (size_t s = 0; s < c->streets.count; ++s) {
                const CatalogueStreet *t = &c->streets.items[s];
                if (strcmp(t->key, g->key) == 0 && strcmp(t->condition, conditions[k]) == 0 &&
                    (!newest || catalogue_day(t->date) >= catalogue_day(newest->date)))
                    newest = t;
            }
            if (!newest || (k == 2 && seen))
                continue;
            add_offer(r, job, g, conditions[k], newest->usd_low, newest->usd_high, newest->date,
                      newest->source, c->today);
            seen = true;
        }
        int launched = catalogue_day(g->launch);
        if (!seen && g->msrp_usd > 0 && launched != INT_MIN && c->today - launched < 2 * 366)
            add_offer(r, job, g, "list", g->msrp_usd, g->msrp_usd, g->launch, "launch price",
                      c->today);
    }
}

static double price(const BuyOffer *offer)
{
    return (offer->usd_low + offer->usd_high) / 2;
}

static int by_price(const void *a, const void *b)
{
    double x = price(a), y = price(b);
    return x < y ? -1 : x > y;
}

static double break_even(const BuyResult *r, const BuyOffer *offer)
{
    if (!r->rent || isnan(offer->gpu->tdp_w))
        return NAN;
    double saved = r->rent_usd_h - offer->gpu->tdp_w / 1000 * r->usd_kwh;
    return saved > 0 ? price(offer) / saved : INFINITY;
}

static void fill_brackets(BuyResult *r, double budget)
{
    const BuyOffer *last = NULL;
    double top = budget > 0 ? budget : 5000;
    for (size_t b = 0; b <= sizeof steps / sizeof *steps; ++b) {
        bool final = b == sizeof steps / sizeof *steps || steps[b] >= top;
        double limit = final ? top : steps[b];
        const BuyOffer *best = NULL;
        for (size_t i = 0; i < r->offers.count; ++i) {
            const BuyOffer *offer = &r->offers.items[i];
            if (!offer->why && price(offer) <= limit && (!best || offer->score > best->score))
                best = offer;
        }
        if (best && best != last)
            VEC_PUSH(r->brackets, ((BuyBracket){limit, best, break_even(r, best)}));
        last = best;
        if (final)
            break;
    }
    for (size_t i = 0; i < r->offers.count && !r->least; ++i)
        if (!r->offers.items[i].why)
            r->least = &r->offers.items[i];
}

static void find_rent(const Catalogue *c, const PickJob *asked, BuyResult *r)
{
    PickJob job = *asked;
    Diags diags;
    diags_init(&diags);
    job.budget_kind = BUDGET_NONE;
    if (r->use == BUY_LEARN || (r->use == BUY_TRAIN && job.kind != PICK_TRAIN)) {
        job.kind = PICK_MEMORY;
        job.memory_gb = fmax(job.memory_gb, 8);
    } else if (r->use == BUY_GRAPHICS) {
        job.kind = PICK_GRAPHICS;
    }
    PickResult *found = pick_run(c, &job, &diags);
    for (size_t i = 0; found && i < found->ranked.count; ++i) {
        const PickChoice *p = &found->ranked.items[i];
        if (!r->rent || p->usd_h < r->rent_usd_h) {
            r->rent = p->instance;
            r->rent_usd_h = p->usd_h;
        }
    }
    pick_free(found);
    diags_fini(&diags);
}

BuyResult *pick_buy(const Catalogue *c, const PickJob *job, BuyUse use, double budget,
                    double usd_kwh)
{
    static const char *const names[] = {"score", "tokens/s", "FP16 TFLOP/s", "FP32 TFLOP/s"};
    BuyResult *r = xcalloc(1, sizeof *r);
    r->arena = arena_new();
    r->use = use;
    r->usd_kwh = usd_kwh > 0 ? usd_kwh : 0.17;
    r->score_name = names[use];
    find_rent(c, job, r);
    collect(c, job, r);
    if (r->offers.count)
        qsort(r->offers.items, r->offers.count, sizeof *r->offers.items, by_price);
    fill_brackets(r, budget);
    return r;
}

void pick_buy_free(BuyResult *r)
{
    if (!r)
        return;
    VEC_FREE(r->offers);
    VEC_FREE(r->brackets);
    arena_free(r->arena);
    free(r);
}

static json_object *real(double value)
{
    char text[40];
    if (!isfinite(value))
        return NULL;
    snprintf(text, sizeof text, "%.6g", value);
    return json_object_new_double_s(value, text);
}

static json_object *offer_json(const BuyOffer *offer)
{
    json_object *o = json_object_new_object();
    json_object_object_add(o, "name", json_object_new_string(offer->gpu->name));
    json_object_object_add(o, "condition", json_object_new_string(offer->condition));
    json_object_object_add(o, "usd_low", real(offer->usd_low));
    json_object_object_add(o, "usd_high", real(offer->usd_high));
    json_object_object_add(o, "date", json_object_new_string(offer->date));
    json_object_object_add(o, "age_days",
                           offer->age_days < 0 ? NULL : json_object_new_int(offer->age_days));
    json_object_object_add(o, "source", json_object_new_string(offer->source));
    json_object_object_add(o, "mem_gb", real(offer->gpu->mem_gb));
    json_object_object_add(o, "tdp_w", real(offer->gpu->tdp_w));
    json_object_object_add(o, "score", real(offer->score));
    return o;
}

json_object *pick_buy_json(const BuyResult *r)
{
    static const char *const uses[] = {"learn", "infer", "train", "graphics"};
    json_object *root = json_object_new_object(), *brackets = json_object_new_array();
    json_object *rejected = json_object_new_array();
    json_object_object_add(root, "use", json_object_new_string(uses[r->use]));
    json_object_object_add(root, "score", json_object_new_string(r->score_name));
    json_object_object_add(root, "least", r->least ? offer_json(r->least) : NULL);
    json_object_object_add(root, "rent",
                           r->rent ? json_object_new_string(r->rent->row.name) : NULL);
    json_object_object_add(root, "rent_usd_h", r->rent ? real(r->rent_usd_h) : NULL);
    json_object_object_add(root, "usd_kwh", real(r->usd_kwh));
    for (size_t i = 0; i < r->brackets.count; ++i) {
        json_object *o = offer_json(r->brackets.items[i].best);
        json_object_object_add(o, "budget", real(r->brackets.items[i].budget));
        json_object_object_add(o, "break_even_hours", real(r->brackets.items[i].break_even_hours));
        json_object_array_add(brackets, o);
    }
    json_object_object_add(root, "brackets", brackets);
    for (size_t i = 0; i < r->offers.count; ++i)
        if (r->offers.items[i].why) {
            json_object *o = json_object_new_object();
            json_object_object_add(o, "name", json_object_new_string(r->offers.items[i].gpu->name));
            json_object_object_add(o, "reason", json_object_new_string(r->offers.items[i].why));
            json_object_array_add(rejected, o);
        }
    json_object_object_add(root, "rejected", rejected);
    return root;
}
