/* SPDX-License-Identifier: Apache-2.0
 * gpukit gpus: the cards and accelerators of the catalogue, as a table or one page each. */
#include "base/buf.h"
#include "base/options.h"
#include "cli/catalogue_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct {
    double min_memory, max_memory, cc, max_tdp, max_price;
    const char *vendor, *segment, *arch, *sort;
    bool rent, wide, json, csv;
    long limit;
} opt;

static const Option options[] = {
    {0, "min-memory", OPT_REAL, &opt.min_memory, "GB", "at least this much memory"},
    {0, "max-memory", OPT_POSITIVE, &opt.max_memory, "GB", "at most this much memory"},
    {0, "cc", OPT_REAL, &opt.cc, "X.Y", "compute capability X.Y or newer"},
    {0, "vendor", OPT_TEXT, &opt.vendor, "NAME", "NVIDIA, AMD, AWS, ..."},
    {0, "segment", OPT_TEXT, &opt.segment, "NAME", "dc, ws, consumer or asic"},
    {0, "arch", OPT_TEXT, &opt.arch, "NAME", "Ampere, Ada, Hopper, CDNA3, ..."},
    {0, "max-tdp", OPT_POSITIVE, &opt.max_tdp, "W", "at most this much power"},
    {0, "rent", OPT_FLAG, &opt.rent, NULL, "only those in a cloud instance of the catalogue"},
    {0, "sort", OPT_TEXT, &opt.sort, "COLUMN", "memory, bandwidth, fp16, ... (columns of --csv)"},
    {'n', "limit", OPT_COUNT, &opt.limit, "N", "only the first N"},
    {'w', "wide", OPT_FLAG, &opt.wide, NULL, "more columns than 80 characters hold"},
    {0, "json", OPT_FLAG, &opt.json, NULL, "everything known, as JSON"},
    {0, "csv", OPT_FLAG, &opt.csv, NULL, "every column, as CSV"},
};

static const Command command = {
    "gpus",
    "[NAME...] [OPTIONS]",
    "GPUs and accelerators: what they can do and cost, and where each figure is from.",
    "Rates are dense, with FP32 accumulation; an empty cell is not confirmed.\n\n"
    "examples:\n"
    "  gpukit gpus --min-memory 24 --cc 8.9 --sort bandwidth\n"
    "  gpukit gpus l4       one page: rates, prices, instances, sources",
    options,
    sizeof options / sizeof *options,
    false};

static const struct {
    const char *word, *field;
} sort_words[] = {{"memory", "mem_gb"},    {"mem", "mem_gb"},       {"bandwidth", "bw_gbs"},
                  {"bw", "bw_gbs"},        {"fp32", "fp32_tflops"}, {"fp64", "fp64_tflops"},
                  {"fp16", "fp16_tflops"}, {"fp8", "fp8_tflops"},   {"fp4", "fp4_tflops"},
                  {"tdp", "tdp_w"},        {"watts", "tdp_w"},      {"year", "launch"},
                  {"price", "msrp_usd"},   {"l2", "l2_mb"}};

static const CatalogueField *sort_field;

static int order(const void *a, const void *b)
{
    const CatalogueGpu *x = *(const CatalogueGpu *const *)a, *y = *(const CatalogueGpu *const *)b;
    if (sort_field->type == CATALOGUE_TEXT) {
        const char *s = catalogue_text(sort_field, x), *t = catalogue_text(sort_field, y);
        bool newest_first = strcmp(sort_field->name, "launch") == 0;
        int cmp = newest_first ? strcmp(t, s) : strcasecmp(s, t);
        return cmp ? cmp : strcmp(x->name, y->name);
    }
    double s = catalogue_real(sort_field, x), t = catalogue_real(sort_field, y);
    bool cheap_first =
        strcmp(sort_field->name, "msrp_usd") == 0 || strcmp(sort_field->name, "tdp_w") == 0;
    if (isnan(s) || isnan(t))
        return isnan(s) && isnan(t) ? strcmp(x->name, y->name) : isnan(s) ? 1 : -1;
    if (s == t)
        return strcmp(x->name, y->name);
    return (s < t) == cheap_first ? -1 : 1;
}

static bool is_rented(const Catalogue *c, const CatalogueGpu *gpu)
{
    for (size_t i = 0; i < c->instances.count; ++i)
        if (c->instances.items[i].gpu == gpu &&
            strcmp(c->instances.items[i].row.status, "retired") != 0)
            return true;
    return false;
}

static bool wanted(const Catalogue *c, const CatalogueGpu *g)
{
    /* An unknown figure cannot meet a demand. */
    return (opt.min_memory <= 0 || g->mem_gb >= opt.min_memory) &&
           (opt.max_memory <= 0 || g->mem_gb <= opt.max_memory) &&
           (opt.cc <= 0 || g->cc + 1e-9 >= opt.cc) &&
           (opt.max_tdp <= 0 || g->tdp_w <= opt.max_tdp) &&
           (!opt.vendor || strcasecmp(g->vendor, opt.vendor) == 0) &&
           (!opt.segment || strcasecmp(g->segment, opt.segment) == 0) &&
           (!opt.arch || strcasecmp(g->arch, opt.arch) == 0) && (!opt.rent || is_rented(c, g));
}

static bool vendor_or_arch_exists(const Catalogue *c, const char *word, const char *field_name)
{
    const CatalogueField *field = catalogue_field(TABLE_GPU, field_name);
    for (size_t i = 0; i < c->gpus.count && word; ++i)
        if (strcasecmp(catalogue_text(field, &c->gpus.items[i]), word) == 0)
            return true;
    return !word;
}

static bool check_word(const Catalogue *c, const char *word, const char *field_name)
{
    if (vendor_or_arch_exists(c, word, field_name))
        return true;
    const CatalogueField *field = catalogue_field(TABLE_GPU, field_name);
    Map seen = {0};
    fprintf(stderr, "gpukit gpus: no %s '%s' in the catalogue; there are:", field->label, word);
    for (size_t i = 0; i < c->gpus.count; ++i) {
        const char *text = catalogue_text(field, &c->gpus.items[i]);
        if (!map_get(&seen, text)) {
            fprintf(stderr, "%s %s", seen.count ? "," : "", text);
            map_set(&seen, text, (void *)text);
        }
    }
    fputc('\n', stderr);
    map_free(&seen);
    return false;
}

static void print_table(const CatalogueGpu **list, int count)
{
    Table *t = table_new(opt.wide ? "llrrrrrrrrrrrrrrr" : "lrrrrrrrrr");
    table_cell(t, "NAME");
    if (opt.wide)
        table_cell(t, "ARCH");
    table_cell(t, "CC");
    table_cell(t, "GB");
    table_cell(t, "GB/s");
    table_cell(t, "FP32");
    table_cell(t, "FP16");
    table_cell(t, "FP8");
    if (opt.wide) {
        table_cell(t, "FP4");
        table_cell(t, "FP64");
        table_cell(t, "SMs");
        table_cell(t, "L2 MB");
        table_cell(t, "RT");
        table_cell(t, "NVENC");
        table_cell(t, "NVLINK");
    }
    table_cell(t, "W");
    table_cell(t, "YEAR");
    table_cell(t, "LIST $");
    table_end_row(t);
    for (int i = 0; i < count; ++i) {
        const CatalogueGpu *g = list[i];
        table_cell(t, "%s", g->name);
        if (opt.wide)
            table_cell(t, "%s", g->arch);
        if (isnan(g->cc))
            table_cell(t, "-");
        else
            table_cell(t, "%.1f", g->cc);
        table_cell(t, "%s", view_number(g->mem_gb));
        table_cell(t, "%s", view_rounded(g->bw_gbs));
        table_cell(t, "%s", view_number(g->fp32_tflops));
        table_cell(t, "%s", view_number(g->fp16_tflops));
        table_cell(t, "%s", view_number(g->fp8_tflops));
        if (opt.wide) {
            table_cell(t, "%s", view_number(g->fp4_tflops));
            table_cell(t, "%s", view_number(catalogue_fp64(g)));
            table_cell(t, "%s", view_number(g->sms));
            table_cell(t, "%s", view_number(g->l2_mb));
            table_cell(t, "%s", view_number(g->rt_cores));
            table_cell(t, "%s", view_number(g->nvenc));
            table_cell(t, "%s", view_number(g->nvlink_gbs));
        }
        table_cell(t, "%s", view_rounded(g->tdp_w));
        table_cell(t, "%.4s", g->launch);
        table_cell(t, "%s", view_rounded(g->msrp_usd));
        table_end_row(t);
    }
    table_print(t, stdout);
    table_free(t);
    printf("%s%d of them. FP32, FP16, FP8: dense TFLOP/s (FP16 and FP8 by tensor cores, FP32\n"
           "accumulation). Empty: not confirmed. `gpukit gpus NAME` gives the sources.%s\n",
           view_dim(), count, view_plain());
}

static void print_csv(const CatalogueGpu **list, int count)
{
    const CatalogueTable *table = &catalogue_tables[TABLE_GPU];
    char align[65] = "";
    memset(align, 'l', (size_t)table->field_count);
    Table *t = table_new(align);
    for (int f = 0; f < table->field_count; ++f)
        table_cell(t, "%s", table->fields[f].name);
    table_end_row(t);
    for (int i = 0; i < count; ++i) {
        for (int f = 0; f < table->field_count; ++f)
            if (table->fields[f].type == CATALOGUE_TEXT)
                table_cell(t, "%s", catalogue_text(&table->fields[f], list[i]));
            else if (isnan(catalogue_real(&table->fields[f], list[i])))
                table_cell(t, "%s", "");
            else
                table_cell(t, "%.10g", catalogue_real(&table->fields[f], list[i]));
        table_end_row(t);
    }
    table_print_csv(t, stdout);
    table_free(t);
}

static void add_rate(Buf *b, const char *name, double value)
{
    if (!isnan(value))
        buf_printf(b, "%s%s %s", b->count ? ", " : "", name, view_number(value));
}

static void print_instances(const Catalogue *c, const CatalogueGpu *gpu)
{
    Buf rent = {0};
    const char *label = "rent";
    for (size_t i = 0; i < c->instances.count; ++i) {
        const CatalogueInstance *in = &c->instances.items[i];
        CatalogueQuote q;
        if (in->gpu != gpu || strcmp(in->row.service, "EC2") != 0 ||
            strcmp(in->row.status, "retired") == 0)
            continue;
        buf_printf(&rent, "%s%s (%s)", rent.count ? ", " : "", in->row.name,
                   catalogue_quote(c, in, CATALOGUE_REGION, PRICE_ONDEMAND, &q) ? view_usd(q.usd_h)
                                                                                : "no price");
    }
    if (rent.count) {
        buf_puts(&rent, " USD/h on demand in " CATALOGUE_REGION);
        view_line(label, "%s", buf_text(&rent));
    }
    buf_free(&rent);
}

/* Cards whose name begins with the same word: A100 PCIe beside A100 SXM4. */
static void print_siblings(const Catalogue *c, const CatalogueGpu *gpu)
{
    Buf names = {0};
    size_t word = strcspn(gpu->name, " ");
    if (strncmp(gpu->name, "RTX", 3) == 0 || strncmp(gpu->name, "GTX", 3) == 0 ||
        strncmp(gpu->name, "RX", 2) == 0 || strncmp(gpu->name, "Tesla", 5) == 0 ||
        strncmp(gpu->name, "Instinct", 8) == 0)
        return;
    for (size_t i = 0; i < c->gpus.count; ++i) {
        const CatalogueGpu *other = &c->gpus.items[i];
        if (other != gpu && strncmp(other->name, gpu->name, word) == 0 &&
            strcspn(other->name, " ") == word)
            buf_printf(&names, "%s%s (%s)", names.count ? ", " : "", other->name, other->key);
    }
    view_line("see also", "%s", buf_text(&names));
    buf_free(&names);
}

static void print_cuda(const Catalogue *c, const CatalogueGpu *gpu)
{
    Buf cuda = {0};
    for (size_t i = 0; i < c->cudas.count; ++i) {
        const CatalogueCuda *v = &c->cudas.items[i];
        if (gpu->cc + 1e-9 >= v->min_cc && gpu->cc <= v->max_cc + 1e-9)
            buf_printf(&cuda, "%s%g", cuda.count ? ", " : "", v->cuda);
    }
    if (catalogue_is_cuda(gpu))
        view_line("CUDA", "cc %.1f: compiled for by toolkit %s", gpu->cc,
                  cuda.count ? buf_text(&cuda) : "(none in the table)");
    buf_free(&cuda);
}

static void print_page(const Catalogue *c, const CatalogueGpu *g)
{
    printf("%s%s%s  %s %s%s%s\n", view_bold(), g->name, view_plain(), g->vendor, g->arch,
           *g->chip ? ", chip " : "", g->chip);
    Buf text = {0};
    if (!isnan(g->sms))
        buf_printf(&text, "%s %s", view_number(g->sms), strcmp(g->vendor, "AMD") ? "SMs" : "CUs");
    add_rate(&text, "FP32 cores", g->cores);
    add_rate(&text, "tensor cores", g->tensor_cores);
    add_rate(&text, "RT cores", g->rt_cores);
    add_rate(&text, "boost MHz", g->boost_mhz);
    view_line("chip", "%s", buf_text(&text));
    buf_free(&text);
    add_rate(&text, "FP64", catalogue_fp64(g));
    add_rate(&text, "FP32", g->fp32_tflops);
    add_rate(&text, "FP16", g->fp16_tflops);
    add_rate(&text, "FP8", g->fp8_tflops);
    add_rate(&text, "FP4", g->fp4_tflops);
    const char *tail = "";
    if (catalogue_is_cuda(g) && !isnan(g->fp16_tflops))
        tail = g->cc >= 8.0
                   ? "; FP16 and below by tensor cores, dense, FP32 accumulation; BF16 as FP16, "
                     "TF32 half of it"
                   : "; FP16 by tensor cores, dense, FP32 accumulation; no BF16";
    view_line("TFLOP/s", "%s%s", buf_text(&text), tail);
    buf_free(&text);
    if (!isnan(g->mem_gb))
        view_line("memory", "%s GB %s, %s GB/s, L2 %s MB", view_number(g->mem_gb), g->mem_type,
                  isnan(g->bw_gbs) ? "?" : view_rounded(g->bw_gbs),
                  isnan(g->l2_mb) ? "?" : view_number(g->l2_mb));
    if (!isnan(g->smem_per_sm_kb))
        view_line("per SM", "%s KiB shared memory, %s registers, %s threads, %s blocks",
                  view_number(g->smem_per_sm_kb), view_number(g->regs_per_sm),
                  view_number(g->max_threads_per_sm), view_number(g->max_blocks_per_sm));
    print_cuda(c, g);
    if (!isnan(g->pcie_gen) || !isnan(g->nvlink_gbs))
        view_line("link", "PCIe %s%s%s%s", isnan(g->pcie_gen) ? "?" : view_number(g->pcie_gen),
                  isnan(g->nvlink_gbs) ? "" : ", NVLink ",
                  isnan(g->nvlink_gbs) ? "" : view_number(g->nvlink_gbs),
                  isnan(g->nvlink_gbs) ? "" : " GB/s in both directions together");
    if (!isnan(g->nvenc))
        view_line("video", "%s NVENC encoder%s", view_number(g->nvenc), g->nvenc == 1 ? "" : "s");
    view_line("power", "%s%s%s%s", isnan(g->tdp_w) ? "?" : view_rounded(g->tdp_w), " W",
              *g->launch ? ", launched " : "", g->launch);
    if (!isnan(g->msrp_usd))
        view_line("list price", "%s USD at launch", view_rounded(g->msrp_usd));
    for (size_t i = 0; i < c->streets.count; ++i) {
        const CatalogueStreet *s = &c->streets.items[i];
        if (strcmp(s->key, g->key) == 0)
            view_line(s->condition, "%s-%s USD, %s (%s)", view_rounded(s->usd_low),
                      view_rounded(s->usd_high), s->date, s->source);
    }
    print_instances(c, g);
    view_line("note", "%s", g->note);
    print_siblings(c, g);
    view_line("source", "%s; read %s", g->source, g->date);
    void *rows;
    int facts = catalogue_read(c, c->path, TABLE_FACT, "facts", "key=?", g->key, &rows);
    /* Figures of one source share a line. */
    for (int i = 0; i < facts;) {
        const CatalogueFact *fact = (CatalogueFact *)rows + i;
        Buf fields = {0};
        for (; i < facts; ++i) {
            const CatalogueFact *same = (CatalogueFact *)rows + i;
            if (strcmp(same->source, fact->source) != 0 || strcmp(same->date, fact->date) != 0)
                break;
            buf_printf(&fields, "%s%s", fields.count ? ", " : "", same->field);
        }
        view_line("", "%s: %s, %s", buf_text(&fields), fact->source, fact->date);
        buf_free(&fields);
    }
}

static int pick_sort(void)
{
    const char *name = opt.sort ? opt.sort : "launch";
    for (size_t i = 0; i < sizeof sort_words / sizeof *sort_words; ++i)
        if (strcasecmp(sort_words[i].word, name) == 0)
            name = sort_words[i].field;
    sort_field = catalogue_field(TABLE_GPU, name);
    if (sort_field)
        return 0;
    fprintf(stderr, "gpukit gpus: no column '%s' to sort by\n  help: gpukit gpus --help\n", name);
    return EXIT_USAGE;
}

static int unknown_name(const Catalogue *c, const char *name)
{
    fprintf(stderr, "gpukit gpus: no GPU '%s' in the catalogue of %s\n", name, c->as_of);
    fprintf(stderr, "  help: `gpukit gpus` lists the %zu there are; part of a name is enough\n",
            c->gpus.count);
    return EXIT_USAGE;
}

static int run(Catalogue *c, int names, char **name)
{
    if (pick_sort() || !check_word(c, opt.vendor, "vendor") ||
        !check_word(c, opt.segment, "segment") || !check_word(c, opt.arch, "arch"))
        return EXIT_USAGE;
    const CatalogueGpu **list = arena_alloc(c->arena, sizeof *list * (c->gpus.count + 1));
    int count = 0, pages = 0;
    for (int n = 0; n < names; ++n) {
        const CatalogueGpu *exact = catalogue_find_gpu(c, name[n]);
        int room = (int)c->gpus.count - count;
        const CatalogueGpu **at = list + count;
        int got = exact ? 1 : catalogue_match_gpus(c, name[n], at, room);
        if (exact && room)
            *at = exact;
        if (got == 0)
            return unknown_name(c, name[n]);
        pages += got == 1;
        count += got < room ? got : room;
    }
    bool as_pages = names && pages == count && pages == names;
    if (!names)
        for (size_t i = 0; i < c->gpus.count; ++i)
            list[count++] = &c->gpus.items[i];
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (wanted(c, list[i]))
            list[kept++] = list[i];
    if (!as_pages || opt.sort)
        qsort(list, (size_t)kept, sizeof *list, order);
    if (opt.limit > 0 && kept > opt.limit)
        kept = (int)opt.limit;
    if (opt.json) {
        json_object *array = json_object_new_array();
        for (int i = 0; i < kept; ++i)
            json_object_array_add(array, catalogue_gpu_json(c, list[i]));
        view_json(array);
    } else if (opt.csv) {
        print_csv(list, kept);
    } else if (kept == 0) {
        fprintf(stderr, "gpukit gpus: none meets all of these; an unknown figure does not count\n");
    } else if (as_pages) {
        for (int i = 0; i < kept; ++i) {
            if (i)
                putchar('\n');
            print_page(c, list[i]);
        }
    } else {
        print_table(list, kept);
    }
    return kept ? EXIT_CLEAN : EXIT_FINDINGS;
}

int cmd_gpus(int argc, char **argv)
{
    return view_run(&command, run, argc, argv);
}
