/* SPDX-License-Identifier: Apache-2.0
 * What one instance is for, what it costs in every unit, what lies beside it; and the guide that
 * explains the categories with their families. Everything comes from the tables. */
#include "cli/instance_page.h"
#include "base/buf.h"
#include "catalogue/pick.h"
#include "cli/catalogue_view.h"

#include <math.h>
#include <string.h>

static void quote_line(const char *label, const CatalogueQuote *q, const char *tail)
{
    char range[32] = "";
    if (q->usd_h_max > q->usd_h)
        snprintf(range, sizeof range, " to %s", view_usd(q->usd_h_max));
    view_line(label, "%s%s USD/h, %s%s%s, %s (%s), %s%s", view_usd(q->usd_h), range,
              strcmp(q->region, "*") == 0 ? "most regions" : q->region, *q->zone ? " " : "",
              q->zone, *q->date ? q->date : "undated",
              q->age_days < 0 ? "age unknown" : view_age(q->age_days), q->source, tail);
}

/* Regions of a kind of price, in the order of the table. */
static int regions_of(const Catalogue *c, const CatalogueInstance *in, const char *kind,
                      const char **out, int max)
{
    int count = 0;
    for (int i = 0; i < in->price_count; ++i) {
        const CataloguePrice *p = &c->prices.items[in->first_price + i];
        bool seen = strcmp(p->kind, kind) != 0;
        for (int k = 0; k < count && k < max && !seen; ++k)
            seen = strcmp(out[k], p->region) == 0;
        if (!seen && count < max)
            out[count] = p->region;
        count += !seen;
    }
    return count;
}

/* Each kind of price: all regions when they are few, else the usual one and the cheapest. */
static void price_lines(const Catalogue *c, const CatalogueInstance *in)
{
    static const char *const labels[] = {"on demand", "spot", "block"};
    const char *regions[64];
    for (int kind = PRICE_ONDEMAND; kind <= PRICE_BLOCK; ++kind) {
        int count = regions_of(c, in, catalogue_price_kinds[kind], regions, 64);
        CatalogueQuote q;
        for (int i = 0; i < count && count <= 3; ++i)
            if (catalogue_quote(c, in, regions[i], (CataloguePriceKind)kind, &q))
                quote_line(labels[kind], &q, "");
        if (count <= 3)
            continue;
        if (catalogue_quote(c, in, CATALOGUE_REGION, (CataloguePriceKind)kind, &q))
            quote_line(labels[kind], &q, "");
        char tail[64];
        snprintf(tail, sizeof tail, "; the cheapest of %d regions", count);
        if (catalogue_quote(c, in, "any", (CataloguePriceKind)kind, &q))
            quote_line("", &q, tail);
    }
    if (!in->price_count)
        view_line("price", "none known; Capacity Blocks or other regions only");
}

static void unit_line(const Catalogue *c, const CatalogueInstance *in)
{
    CatalogueQuote q;
    const char *where = catalogue_other_region(c, in);
    if (!where || !catalogue_quote(c, in, CATALOGUE_REGION, PRICE_ONDEMAND, &q))
        if (!where || !catalogue_quote(c, in, where, PRICE_ONDEMAND, &q))
            return;
    Buf units = {0};
    for (int u = 1; u < UNIT_COUNT; ++u) {
        double value = catalogue_in_unit(in, q.usd_h, (CatalogueUnit)u);
        if (!isnan(value))
            buf_printf(&units, "%s %s, ", view_usd(value), catalogue_units[u].name);
    }
    buf_printf(&units, "%s USD a month of 730 h", view_rounded(q.usd_h * 730));
    view_line("that is", "%s", buf_text(&units));
    buf_free(&units);
}

/* The largest of the known models that fits by the rules of pick, for one recipe. */
static const char *largest_model(const Catalogue *c, const CatalogueInstance *in, PickJob *job,
                                 Arena *arena)
{
    const CatalogueModel *best = NULL;
    for (size_t i = 0; i < c->models.count; ++i) {
        const CatalogueModel *m = &c->models.items[i];
        PickChoice choice = {.instance = in, .nodes = 1};
        const char *reason;
        if (isnan(m->layers) || !isnan(m->gflop_image) || !isnan(m->active) ||
            (best && m->params < best->params))
            continue;
        job->model = (PickModel){.params = m->params,
                                 .layers = m->layers,
                                 .hidden = m->hidden,
                                 .heads = m->heads,
                                 .kv_heads = m->kv_heads,
                                 .head_dim = m->head_dim,
                                 .vocab = m->vocab};
        pick_complete_model(c, &job->model);
        if (pick_layout(job, &choice, arena, &reason))
            best = m;
    }
    return best ? best->name : NULL;
}

/* What runs on it: the largest known language models, and what the hardware lacks. */
static void runs_line(const Catalogue *c, const CatalogueInstance *in)
{
    static const struct {
        const char *label, *quant, *recipe;
        double min_cc;
    } kinds[] = {{"serves in FP16", "fp16", NULL, 0},
                 {"in 4 bits", "int4", NULL, 7.0},
                 {"trains by LoRA", NULL, "lora", 0},
                 {"by Adam", NULL, "adam", 0}};
    Buf text = {0};
    Arena *arena = arena_new();
    bool computes = in->gpu && (catalogue_is_cuda(in->gpu) || catalogue_is_neuron(in->gpu));
    if (!computes || isnan(in->gpu->bw_gbs) || isnan(catalogue_mem_mib(in)) ||
        strcmp(in->row.status, "retired") == 0) {
        arena_free(arena);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        PickJob job;
        pick_job_init(&job);
        job.kind = kinds[i].quant ? PICK_INFER : PICK_TRAIN;
        if (kinds[i].quant)
            job.quant = pick_format(kinds[i].quant);
        else
            job.recipe = pick_recipe(kinds[i].recipe);
        const char *name =
            in->gpu->cc + 1e-9 < kinds[i].min_cc ? NULL : largest_model(c, in, &job, arena);
        if (name)
            buf_printf(&text, "%s%s up to %s", text.count ? ", " : "", kinds[i].label, name);
    }
    if (text.count)
        view_line("runs", "%s (known models, 4K of context; `gpukit pick` for yours)%s",
                  buf_text(&text),
                  catalogue_is_neuron(in->gpu) ? ", if they compile with the Neuron SDK" : "");
    buf_free(&text);
    arena_free(arena);
}

static bool smaller(const CatalogueInstance *a, const CatalogueInstance *b)
{
    return a->row.vcpus < b->row.vcpus;
}

static void neighbour(const Catalogue *c, const char *label, const CatalogueInstance *in)
{
    CatalogueQuote q;
    if (!in)
        return;
    bool priced = catalogue_quote(c, in, CATALOGUE_REGION, PRICE_ONDEMAND, &q);
    view_line(label, "%s: %s%s%s, %s vCPU, %s%s", in->row.name,
              in->gpu ? view_number(in->row.gpu_count) : "", in->gpu ? " x " : "",
              in->gpu ? in->gpu->name : "no GPU",
              isnan(in->row.vcpus) ? "?" : view_number(in->row.vcpus),
              priced ? view_usd(q.usd_h) : "no price", priced ? " USD/h" : "");
}

/* The next size down and up, the cheapest other family with as much memory per GPU, SageMaker. */
static void neighbours(const Catalogue *c, const CatalogueInstance *in)
{
    const CatalogueInstance *down = NULL, *up = NULL, *other = NULL;
    double other_usd = INFINITY;
    for (size_t i = 0; i < c->instances.count; ++i) {
        const CatalogueInstance *n = &c->instances.items[i];
        CatalogueQuote q;
        if (n == in || strcmp(n->row.status, "retired") == 0)
            continue;
        if (strcmp(n->row.family, in->row.family) == 0) {
            if (smaller(n, in) && (!down || smaller(down, n)))
                down = n;
            if (smaller(in, n) && (!up || smaller(n, up)))
                up = n;
        } else if (in->gpu && n->gpu && strcmp(n->row.service, in->row.service) == 0 &&
                   catalogue_mem_mib(n) >= catalogue_mem_mib(in) &&
                   n->row.gpu_count >= in->row.gpu_count &&
                   strcmp(n->gpu->vendor, in->gpu->vendor) == 0 &&
                   strcmp(n->row.host_arch, in->row.host_arch) == 0 &&
                   catalogue_quote(c, n, CATALOGUE_REGION, PRICE_ONDEMAND, &q) &&
                   q.usd_h < other_usd) {
            other = n;
            other_usd = q.usd_h;
        }
    }
    neighbour(c, "smaller", down);
    neighbour(c, "larger", up);
    neighbour(c, "or else", other);
    char twin[80];
    snprintf(twin, sizeof twin, "ml.%s", in->row.name);
    const CatalogueInstance *managed = catalogue_find_instance(c, twin);
    if (managed && catalogue_other_region(c, managed)) {
        CatalogueQuote q;
        const char *where = catalogue_other_region(c, managed);
        catalogue_quote(c, managed, where, PRICE_ONDEMAND, &q);
        view_line("managed", "%s: %s USD/h in %s (%s)", twin, view_usd(q.usd_h), where,
                  *q.date ? q.date : "undated");
    }
}

static void history_lines(const Catalogue *c, const CatalogueInstance *in)
{
    for (int source = 0; source < 2; ++source) {
        const char *path = source ? c->user_path : c->path;
        void *rows;
        if (!path)
            continue;
        int count = catalogue_read(c, path, TABLE_PRICE, "history",
                                   "name=? AND kind<>'spot' ORDER BY date", in->row.name, &rows);
        for (int i = 0; i < count; ++i) {
            const CataloguePrice *p = (CataloguePrice *)rows + i;
            view_line(i ? "" : "history", "%s: %s %s USD/h, %s%s%s", p->date,
                      strcmp(p->kind, "block") == 0 ? "block" : "on demand", view_usd(p->usd_h),
                      strcmp(p->region, "*") == 0 ? "most regions" : p->region,
                      *p->until ? ", until " : "", p->until);
        }
    }
}

void instance_page(const Catalogue *c, const CatalogueInstance *in, bool blank_before)
{
    const CatalogueInstanceRow *r = &in->row;
    const CatalogueGpu *g = in->gpu;
    printf("%s%s%s%s  ", blank_before ? "\n" : "", view_bold(), r->name, view_plain());
    if (g)
        printf("%s x %s", view_number(r->gpu_count), g->name);
    if (g && !isnan(catalogue_mem_mib(in)))
        printf(", %s GiB each", view_gib(catalogue_mem_mib(in)));
    printf("  (%s, %s, %s)\n", r->service, r->category, r->status);
    if (in->family)
        view_line("good for", "%s", in->family->good_for);
    else
        view_line("made for", "%s", r->use_case);
    if (in->family)
        view_line("watch out", "%s", in->family->watch_out);
    Buf host = {0};
    if (!isnan(r->vcpus))
        buf_printf(&host, "%s vCPU, %s GiB, ", view_number(r->vcpus), view_number(r->ram_gib));
    buf_puts(&host, r->host_arch);
    if (!isnan(r->nvme_gb))
        buf_printf(&host, ", %s GB local disk", view_number(r->nvme_gb));
    if (!isnan(r->network_gbps))
        buf_printf(&host, ", %s Gbit/s network", view_number(r->network_gbps));
    view_line("host", "%s", buf_text(&host));
    buf_free(&host);
    if (g) {
        Buf gpu = {0};
        buf_printf(&gpu, "%s", g->arch);
        if (!isnan(g->cc))
            buf_printf(&gpu, ", cc %.1f", g->cc);
        if (!isnan(g->fp16_tflops))
            buf_printf(&gpu, ", FP16 %s TFLOP/s",
                       view_number(g->fp16_tflops * catalogue_share(in)));
        if (!isnan(g->bw_gbs))
            buf_printf(&gpu, ", %s GB/s", view_rounded(g->bw_gbs * catalogue_share(in)));
        if (!isnan(g->rt_cores))
            buf_printf(&gpu, ", %s", g->rt_cores > 0 ? "ray tracing" : "no ray tracing");
        if (!isnan(g->nvenc))
            buf_printf(&gpu, ", %s NVENC", view_number(g->nvenc));
        if (*r->interconnect)
            buf_printf(&gpu, ", joined by %s", r->interconnect);
        view_line("GPU", "%s; `gpukit gpus %s`", buf_text(&gpu), g->key);
        buf_free(&gpu);
    }
    runs_line(c, in);
    price_lines(c, in);
    unit_line(c, in);
    neighbours(c, in);
    history_lines(c, in);
    view_line("note", "%s", r->note);
    view_line("source", "%s, %s", r->source, r->date);
}

/* Prices of a family: the range over its sizes, per accelerator, spot and Capacity Block. */
static void guide_prices(const Catalogue *c, const char *family, Buf *out)
{
    double low = INFINITY, high = 0, gpu = INFINITY, spot = INFINITY, block = INFINITY;
    for (size_t i = 0; i < c->instances.count; ++i) {
        const CatalogueInstance *in = &c->instances.items[i];
        CatalogueQuote q;
        const char *where = catalogue_other_region(c, in);
        if (strcmp(in->row.family, family) != 0)
            continue;
        if (where && (catalogue_quote(c, in, CATALOGUE_REGION, PRICE_ONDEMAND, &q) ||
                      catalogue_quote(c, in, where, PRICE_ONDEMAND, &q))) {
            low = fmin(low, q.usd_h);
            high = fmax(high, q.usd_h);
            gpu = fmin(gpu, catalogue_in_unit(in, q.usd_h, UNIT_gpu));
        }
        if (catalogue_quote(c, in, CATALOGUE_REGION, PRICE_SPOT, &q))
            spot = fmin(spot, q.usd_h);
        if (catalogue_quote(c, in, "any", PRICE_BLOCK, &q))
            block = fmin(block, q.usd_h);
    }
    if (isinf(low))
        buf_puts(out, "no on-demand price known");
    else if (low == high)
        buf_printf(out, "%s USD/h", view_usd(low));
    else
        buf_printf(out, "%s to %s USD/h", view_usd(low), view_usd(high));
    if (isfinite(gpu) && gpu != low)
        buf_printf(out, ", %s a GPU", view_usd(gpu));
    if (isfinite(spot))
        buf_printf(out, ", spot from %s", view_usd(spot));
    if (isfinite(block))
        buf_printf(out, ", Capacity Block %s", view_usd(block));
}

static void guide_family(const Catalogue *c, const char *category, size_t first, Map *seen)
{
    const CatalogueInstance *in = &c->instances.items[first];
    if (strcmp(in->row.category, category) != 0 || strcmp(in->row.status, "current") != 0 ||
        map_get(seen, in->row.family))
        return;
    map_set(seen, in->row.family, (void *)in);
    Buf prices = {0};
    const char *title = in->family ? in->family->title : in->row.family;
    const char *prefix = strncmp(in->row.family, "ml.", 3) == 0 ? "ml." : "";
    guide_prices(c, in->row.family, &prices);
    printf("  %s%s%s%s  ", view_bold(), prefix, title, view_plain());
    view_wrapped(stdout, (int)(strlen(prefix) + strlen(title)) + 4, 11, buf_text(&prices));
    buf_free(&prices);
    if (in->family && strcmp(category, "managed") != 0) {
        printf("      for: ");
        view_wrapped(stdout, 11, 11, in->family->good_for);
        printf("      but: ");
        view_wrapped(stdout, 11, 11, in->family->watch_out);
    }
}

void instance_guide(const Catalogue *c)
{
    int youngest = -1, oldest = -1;
    puts("Which cloud instance for what: a guide by category\n");
    view_wrapped(
        stdout, 0, 0,
        "First ask how much GPU memory the job needs (`gpukit pick` works it out), then whether it "
        "needs one GPU or several joined by a fast link, then what an hour may cost. One GPU of "
        "the inference kind is the right start for nearly everybody.");
    for (size_t k = 0; k < c->categories.count; ++k) {
        const CatalogueCategory *category = &c->categories.items[k];
        printf("\n%s%s%s\n", view_bold(), category->title, view_plain());
        view_line("what", "%s", category->what);
        view_line("choose when", "%s", category->choose_when);
        view_line("not when", "%s", category->avoid_when);
        Map seen = {0};
        for (size_t i = 0; i < c->instances.count; ++i)
            guide_family(c, category->category, i, &seen);
        map_free(&seen);
    }
    for (size_t i = 0; i < c->prices.count; ++i) {
        int day = catalogue_day(c->prices.items[i].date);
        if (day < 0 || strcmp(c->prices.items[i].kind, "ondemand") != 0)
            continue;
        int age = c->today > day ? c->today - day : 0;
        youngest = youngest < 0 || age < youngest ? age : youngest;
        oldest = age > oldest ? age : oldest;
    }
    putchar('\n');
    view_age_note(c, youngest, oldest,
                  CATALOGUE_REGION " (managed: us-west-2 where that is the only one)");
}
