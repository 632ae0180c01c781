/* SPDX-License-Identifier: Apache-2.0
 * Cards to buy by budget, and GPUs or instances side by side. */
#include "cli/pick_cards.h"
#include "cli/catalogue_view.h"

#include <math.h>
#include <string.h>

/* ---- buy ---- */

static void print_rejected(const BuyResult *r)
{
    fputs("\nnot taken:\n", stdout);
    Map seen = {0};
    for (size_t i = 0; i < r->offers.count; ++i) {
        const BuyOffer *offer = &r->offers.items[i];
        if (!offer->why || map_get(&seen, offer->gpu->key))
            continue;
        map_set(&seen, offer->gpu->key, (void *)offer);
        printf("  %-22s ", offer->gpu->name);
        view_wrapped(stdout, 25, 25, offer->why);
    }
    map_free(&seen);
}

static void print_buy(const BuyResult *r)
{
    static const char *const uses[] = {"learning CUDA", "inference", "training", "graphics"};
    Table *t = table_new("rlllrrrr");
    static const char *const head[] = {"UP TO $", "CARD", "PRICE $", "SEEN", "GB"};
    printf("Cards for %s, the best for each budget\n\n", uses[r->use]);
    for (size_t i = 0; i < sizeof head / sizeof *head; ++i)
        table_cell(t, "%s", head[i]);
    table_cell(t, "%s",
               r->use == BUY_LEARN   ? "SCORE"
               : r->use == BUY_INFER ? "TOKENS/S"
                                     : "TFLOP/S");
    table_cell(t, "W");
    table_cell(t, "EVEN h");
    table_end_row(t);
    for (size_t i = 0; i < r->brackets.count; ++i) {
        const BuyBracket *b = &r->brackets.items[i];
        table_cell(t, "%s", view_rounded(b->budget));
        table_cell(t, "%s", b->best->gpu->name);
        table_cell(t, "%s %s%s%s", b->best->condition, view_rounded(b->best->usd_low),
                   b->best->usd_high > b->best->usd_low ? "-" : "",
                   b->best->usd_high > b->best->usd_low ? view_rounded(b->best->usd_high) : "");
        table_cell(t, "%s", b->best->date);
        table_cell(t, "%s", view_number(b->best->gpu->mem_gb));
        table_cell(t, "%s", view_rounded(b->best->score));
        table_cell(t, "%s", view_rounded(b->best->gpu->tdp_w));
        table_cell(t, "%s",
                   isinf(b->break_even_hours) ? "never" : view_rounded(b->break_even_hours));
        table_end_row(t);
    }
    table_print(t, stdout);
    table_free(t);
    putchar('\n');
    view_line("least", "%s, %s, about %s USD (%s, %s)", r->least->gpu->name, r->least->condition,
              view_rounded((r->least->usd_low + r->least->usd_high) / 2), r->least->date,
              r->least->source);
    if (r->rent)
        view_line("or rent",
                  "%s at %s USD/h. EVEN h: hours of use after which buying is cheaper, electricity "
                  "at %s USD/kWh; the rest of the computer is not counted.",
                  r->rent->row.name, view_usd(r->rent_usd_h), view_number(r->usd_kwh));
    view_line("ranked by", "%s",
              r->use == BUY_LEARN   ? "geometric mean of memory, bandwidth and dense FP16"
              : r->use == BUY_INFER ? "tokens per second of the model (bandwidth)"
              : r->use == BUY_TRAIN ? "dense FP16 rate with FP32 accumulation"
                                    : "FP32 rate, RT cores required");
    int oldest = 0;
    for (size_t i = 0; i < r->brackets.count; ++i)
        oldest = r->brackets.items[i].best->age_days > oldest ? r->brackets.items[i].best->age_days
                                                              : oldest;
    if (oldest > CATALOGUE_OLD_DAYS)
        view_line(
            "note",
            "prices are sightings, up to %d days old; card prices rose 15 to 40 %% in early 2026. "
            "Look before you buy. Used cards have no warranty.",
            oldest);
    print_rejected(r);
}

int pick_buy_print(const Catalogue *c, const PickJob *job, const char *budget, double usd_kwh,
                   bool json)
{
    double usd = 0;
    PickBudgetKind kind = BUDGET_TOTAL;
    if (budget && (!pick_parse_budget(budget, &usd, &kind) || kind != BUDGET_TOTAL)) {
        fprintf(stderr,
                "gpukit pick: --buy --budget is a sum for the card, such as 900, not '%s'\n",
                budget);
        return EXIT_USAGE;
    }
    BuyUse use = job->kind == PICK_INFER      ? BUY_INFER
                 : job->kind == PICK_TRAIN    ? BUY_TRAIN
                 : job->kind == PICK_GRAPHICS ? BUY_GRAPHICS
                                              : BUY_LEARN;
    BuyResult *r = pick_buy(c, job, use, usd, usd_kwh);
    bool found = r->brackets.count > 0;
    if (json) {
        view_json(pick_buy_json(r));
    } else if (found) {
        print_buy(r);
    } else {
        printf("No card %s%s does this.\n", budget ? "up to " : "of the catalogue",
               budget ? budget : "");
        if (r->least)
            view_line("least", "%s, %s, %s-%s USD (%s)", r->least->gpu->name, r->least->condition,
                      view_rounded(r->least->usd_low), view_rounded(r->least->usd_high),
                      r->least->date);
        if (r->rent)
            view_line("or rent", "%s at %s USD/h", r->rent->row.name, view_usd(r->rent_usd_h));
        print_rejected(r);
    }
    pick_buy_free(r);
    return found ? EXIT_CLEAN : EXIT_FINDINGS;
}

/* ---- compare ---- */

typedef struct {
    const CatalogueGpu *gpu;
    const CatalogueInstance *instance; /* NULL: a bare card */
} Item;

static void gpu_row(Table *t, const Item *items, int count, const char *field_name)
{
    const CatalogueField *field = catalogue_field(TABLE_GPU, field_name);
    bool any = false;
    for (int i = 0; i < count; ++i)
        any |= items[i].gpu &&
               (field->type == CATALOGUE_TEXT ? *catalogue_text(field, items[i].gpu) != 0
                                              : !isnan(catalogue_real(field, items[i].gpu)));
    if (!any)
        return;
    table_cell(t, "%s%s%s", field->label, *field->unit ? ", " : "", field->unit);
    for (int i = 0; i < count; ++i) {
        if (!items[i].gpu)
            table_cell(t, "%s", "");
        else if (field->type == CATALOGUE_TEXT)
            table_cell(t, "%s", catalogue_text(field, items[i].gpu));
        else
            table_cell(t, "%s%s", view_number(catalogue_real(field, items[i].gpu)),
                       strcmp(field_name, "cc") == 0 && fmod(items[i].gpu->cc, 1) == 0 ? ".0" : "");
    }
    table_end_row(t);
}

static void instance_row(Table *t, const Item *items, int count, const char *field_name)
{
    const CatalogueField *field = catalogue_field(TABLE_INSTANCE, field_name);
    table_cell(t, "%s%s%s", field->label, *field->unit ? ", " : "", field->unit);
    for (int i = 0; i < count; ++i) {
        const CatalogueInstance *in = items[i].instance;
        if (!in)
            table_cell(t, "%s", "");
        else if (field->type == CATALOGUE_TEXT)
            table_cell(t, "%s", catalogue_text(field, &in->row));
        else
            table_cell(t, "%s", view_number(catalogue_real(field, &in->row)));
    }
    table_end_row(t);
}

static void price_rows(const Catalogue *c, Table *t, const Item *items, int count)
{
    static const char *const labels[] = {"on demand, $/h", "spot, $/h", "block, $/h"};
    for (int kind = PRICE_ONDEMAND; kind <= PRICE_BLOCK; ++kind) {
        table_cell(t, "%s", labels[kind]);
        for (int i = 0; i < count; ++i) {
            CatalogueQuote q;
            if (items[i].instance && catalogue_quote(c, items[i].instance, CATALOGUE_REGION,
                                                     (CataloguePriceKind)kind, &q))
                table_cell(t, q.usd_h_max > q.usd_h ? "%s-%s" : "%s%.0s", view_usd(q.usd_h),
                           view_usd(q.usd_h_max));
            else
                table_cell(t, "%s", "");
        }
        table_end_row(t);
    }
    table_cell(t, "price age");
    for (int i = 0; i < count; ++i) {
        CatalogueQuote q;
        if (items[i].instance &&
            catalogue_quote(c, items[i].instance, CATALOGUE_REGION, PRICE_ONDEMAND, &q))
            table_cell(t, "%s", view_age(q.age_days));
        else
            table_cell(t, "%s", "");
    }
    table_end_row(t);
    for (int unit = 1; unit < UNIT_COUNT; ++unit) {
        table_cell(t, "%s", catalogue_units[unit].name);
        for (int i = 0; i < count; ++i) {
            CatalogueQuote q;
            bool found = items[i].instance && catalogue_quote(c, items[i].instance,
                                                              CATALOGUE_REGION, PRICE_ONDEMAND, &q);
            table_cell(
                t, "%s",
                found ? view_usd(catalogue_in_unit(items[i].instance, q.usd_h, (CatalogueUnit)unit))
                      : "");
        }
        table_end_row(t);
    }
}

static void street_rows(const Catalogue *c, Table *t, const Item *items, int count)
{
    static const char *const conditions[] = {"new", "used"};
    for (int k = 0; k < 2; ++k) {
        bool any = false;
        const CatalogueStreet *newest[16] = {0};
        for (int i = 0; i < count; ++i)
            for (size_t s = 0; s < c->streets.count; ++s) {
                const CatalogueStreet *street = &c->streets.items[s];
                if (items[i].gpu && !items[i].instance &&
                    strcmp(street->key, items[i].gpu->key) == 0 &&
                    strcmp(street->condition, conditions[k]) == 0 &&
                    (!newest[i] || catalogue_day(street->date) >= catalogue_day(newest[i]->date))) {
                    newest[i] = street;
                    any = true;
                }
            }
        if (!any)
            continue;
        table_cell(t, "%s, USD (seen)", conditions[k]);
        for (int i = 0; i < count; ++i)
            if (newest[i])
                table_cell(t, "%s-%s (%.7s)", view_rounded(newest[i]->usd_low),
                           view_rounded(newest[i]->usd_high), newest[i]->date);
            else
                table_cell(t, "%s", "");
        table_end_row(t);
    }
}

/* Tokens per second of Llama 3.1 8B in 4 bits, and the largest 4-bit model with 4K of context. */
static void use_rows(const Catalogue *c, Table *t, const Item *items, int count)
{
    PickJob job;
    const CatalogueModel *model = catalogue_find_model(c, "llama-3.1-8b");
    if (!model)
        return;
    pick_job_init(&job);
    job.kind = PICK_INFER;
    job.model = (PickModel){.params = model->params};
    pick_complete_model(c, &job.model);
    job.quant = pick_format("int4");
    table_cell(t, "8B 4-bit, tokens/s");
    for (int i = 0; i < count; ++i) {
        CatalogueInstance one = {.gpu = items[i].gpu, .row = {.gpu_count = 1, .interconnect = ""}};
        const char *bound;
        if (items[i].instance)
            one.row.gpu_count =
                items[i].instance->row.gpu_count < 1 ? items[i].instance->row.gpu_count : 1;
        double mem = items[i].instance ? catalogue_mem_mib(items[i].instance)
                     : items[i].gpu    ? items[i].gpu->mem_gb * 1e9 / 1048576
                                       : NAN;
        bool holds = pick_infer_mib(&job, 1, 1).mid <= mem * 0.9;
        table_cell(t, "%s",
                   holds && items[i].gpu
                       ? view_rounded(pick_decode_rate(&job, &one, 1, 1, &bound).mid)
                       : "");
    }
    table_end_row(t);
}

static void print_compare(const Catalogue *c, const Item *items, int count, bool instances)
{
    static const char *const of_gpu[] = {
        "arch",        "cc",          "sms",        "mem_gb",     "bw_gbs", "fp64_tflops",
        "fp32_tflops", "fp16_tflops", "fp8_tflops", "fp4_tflops", "l2_mb",  "smem_per_sm_kb",
        "rt_cores",    "nvenc",       "nvlink_gbs", "tdp_w",      "launch", "msrp_usd"};
    static const char *const of_instance[] = {
        "gpu",          "gpu_count", "gpu_mem_mib",  "vcpus",     "ram_gib",
        "network_gbps", "nvme_gb",   "interconnect", "host_arch", "status"};
    Table *t = table_new("lrrrrrrrrrrrrrrrr");
    table_cell(t, "%s", "");
    for (int i = 0; i < count; ++i)
        table_cell(t, "%s", items[i].instance ? items[i].instance->row.name : items[i].gpu->name);
    table_end_row(t);
    if (instances) {
        for (size_t k = 0; k < sizeof of_instance / sizeof *of_instance; ++k)
            instance_row(t, items, count, of_instance[k]);
        price_rows(c, t, items, count);
    }
    for (size_t k = 0; k < sizeof of_gpu / sizeof *of_gpu; ++k)
        gpu_row(t, items, count, of_gpu[k]);
    street_rows(c, t, items, count);
    use_rows(c, t, items, count);
    table_print(t, stdout);
    table_free(t);
    printf("%sEmpty: not known. Prices: %s; `gpukit instances NAME` and\n"
           "`gpukit gpus NAME` give dates and sources.%s\n",
           view_dim(), CATALOGUE_REGION, view_plain());
}

int pick_compare(const Catalogue *c, int names, char **name, bool json)
{
    Item items[16];
    bool instances = false;
    if (names < 2 || names > 16) {
        fprintf(stderr, "gpukit pick: --compare takes 2 to 16 GPUs or instances\n"
                        "  help: gpukit pick --compare l4 a10g rtx-4090\n");
        return EXIT_USAGE;
    }
    for (int i = 0; i < names; ++i) {
        items[i].instance = catalogue_find_instance(c, name[i]);
        items[i].gpu = items[i].instance ? items[i].instance->gpu : catalogue_find_gpu(c, name[i]);
        instances |= items[i].instance != NULL;
        if (!items[i].instance && !items[i].gpu) {
            fprintf(stderr,
                    "gpukit pick: no GPU or instance '%s' in the catalogue\n"
                    "  help: gpukit gpus, gpukit instances\n",
                    name[i]);
            return EXIT_USAGE;
        }
    }
    if (json) {
        json_object *array = json_object_new_array();
        for (int i = 0; i < names; ++i)
            json_object_array_add(array, items[i].instance
                                             ? catalogue_instance_json(c, items[i].instance)
                                             : catalogue_gpu_json(c, items[i].gpu));
        view_json(array);
    } else {
        print_compare(c, items, names, instances);
    }
    return EXIT_CLEAN;
}
