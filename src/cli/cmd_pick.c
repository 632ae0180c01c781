/* SPDX-License-Identifier: Apache-2.0
 * gpukit pick: the options become a job; the answer is printed as a table with reasons. */
#include "base/buf.h"
#include "base/options.h"
#include "catalogue/pick_request.h"
#include "cli/catalogue_view.h"
#include "cli/pick_cards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct {
    const char *train, *infer, *model, *active, *tokens, *images, *precision, *optimizer, *quant,
        *kv_quant;
    const char *cuda_program, *codec, *budget, *region, *arch, *gpu;
    double layers, hidden, heads, kv_heads, head_dim, vocab, batch, context, epochs, window,
        lora_share;
    double memory, total_memory, min_ram, vcpus, gpus, network, cuda_version, hours, deadline, kwh,
        gflops;
    long max_age, nodes, limit;
    bool graphics, video, raster, stream, spot, blocks, managed, neuron, amd, previous, nvlink, why,
        json;
    bool buy, compare;
    OptList exclude;
} opt;

static const Option options[] = {
    {0, "train", OPT_TEXT, &opt.train, "PARAMS", "train a model of 7B, 350M, ... or of that name"},
    {0, "infer", OPT_TEXT, &opt.infer, "PARAMS", "serve a model: 70B, llama-3.1-8b, ..."},
    {0, "graphics", OPT_FLAG, &opt.graphics, NULL,
     "rendering, remote desktop (--raster, --stream)"},
    {0, "video", OPT_FLAG, &opt.video, NULL, "transcoding (--codec)"},
    {0, "cuda", OPT_TEXT, &opt.cuda_program, "FILE.json", "a CUDA program by its counters"},
    {0, "memory", OPT_POSITIVE, &opt.memory, "GB", "one GPU with this much (alone: any CUDA job)"},
    {0, "total-memory", OPT_POSITIVE, &opt.total_memory, "GB", "memory of all GPUs together"},
    {0, "buy", OPT_FLAG, &opt.buy, NULL, "cards to buy instead of machines to rent, by budget"},
    {0, "compare", OPT_FLAG, &opt.compare, NULL, "GPUs or instances A B C side by side"},
    {0, "tokens", OPT_TEXT, &opt.tokens, "N", "size of the job: tokens to train on or to generate"},
    {0, "images", OPT_TEXT, &opt.images, "N", "size of the job: images to train on, per epoch"},
    {0, "epochs", OPT_POSITIVE, &opt.epochs, "N", "passes over the data (default 1)"},
    {0, "hours", OPT_POSITIVE, &opt.hours, "H", "length of a job that has no size of its own"},
    {0, "precision", OPT_TEXT, &opt.precision, "P", "training: fp32, tf32, fp16, bf16, fp8"},
    {0, "optimizer", OPT_TEXT, &opt.optimizer, "O", "adam, adam8, sgd, lora, qlora"},
    {0, "quant", OPT_TEXT, &opt.quant, "Q", "serving: fp32, fp16, bf16, fp8, int8, int4, fp4"},
    {0, "kv-quant", OPT_TEXT, &opt.kv_quant, "Q", "KV cache: fp16 (default), fp8, int8"},
    {0, "batch", OPT_POSITIVE, &opt.batch, "N",
     "micro-batch per GPU; sequences at once (default 1)"},
    {0, "context", OPT_POSITIVE, &opt.context, "N",
     "tokens per sequence (default 2048, serving 4096)"},
    {0, "model", OPT_TEXT, &opt.model, "NAME", "take the shape of this known model"},
    {0, "active", OPT_TEXT, &opt.active, "PARAMS", "active parameters of a mixture of experts"},
    {0, "layers", OPT_POSITIVE, &opt.layers, "N", "shape of the model, for exact memory:"},
    {0, "hidden", OPT_POSITIVE, &opt.hidden, "N", "  width"},
    {0, "heads", OPT_POSITIVE, &opt.heads, "N", "  query heads"},
    {0, "kv-heads", OPT_POSITIVE, &opt.kv_heads, "N",
     "  key-value heads (GQA), not the query heads"},
    {0, "head-dim", OPT_POSITIVE, &opt.head_dim, "N", "  size of a head (default 128)"},
    {0, "vocab", OPT_POSITIVE, &opt.vocab, "N", "  vocabulary"},
    {0, "window", OPT_POSITIVE, &opt.window, "N", "  attention window, if all layers have one"},
    {0, "gflops", OPT_POSITIVE, &opt.gflops, "N", "operations (1e9) of one image forward"},
    {0, "lora-share", OPT_POSITIVE, &opt.lora_share, "F",
     "trained share of the parameters (default 0.003)"},
    {0, "codec", OPT_TEXT, &opt.codec, "NAME", "video: h264, hevc, av1"},
    {0, "raster", OPT_FLAG, &opt.raster, NULL, "graphics without ray tracing"},
    {0, "stream", OPT_FLAG, &opt.stream, NULL, "graphics sent as video: needs an encoder"},
    {0, "budget", OPT_TEXT, &opt.budget, "USD", "5/h, 500/month, or 200 for the job or card"},
    {0, "deadline", OPT_SECONDS, &opt.deadline, "TIME", "done within 30m, 24h, ..."},
    {0, "region", OPT_TEXT, &opt.region, "NAME", "prices of this region only, or `any`"},
    {0, "spot", OPT_FLAG, &opt.spot, NULL, "spot prices"},
    {0, "blocks", OPT_FLAG, &opt.blocks, NULL, "Capacity Blocks too (prepaid)"},
    {0, "managed", OPT_FLAG, &opt.managed, NULL, "SageMaker instead of EC2"},
    {0, "arch", OPT_TEXT, &opt.arch, "NAME", "host x86_64, arm64, any; or a GPU architecture"},
    {0, "gpu", OPT_TEXT, &opt.gpu, "NAME", "only machines with this accelerator"},
    {0, "exclude", OPT_LIST, &opt.exclude, "WHAT",
     "instance, family, GPU or maker (repeatable, a,b)"},
    {0, "gpus", OPT_POSITIVE, &opt.gpus, "N", "at least N GPUs"},
    {0, "nodes", OPT_COUNT, &opt.nodes, "N", "training over up to N machines"},
    {0, "nvlink", OPT_FLAG, &opt.nvlink, NULL, "GPUs joined by NVLink"},
    {0, "network", OPT_REAL, &opt.network, "GBIT", "at least this much network"},
    {0, "min-ram", OPT_REAL, &opt.min_ram, "GIB", "host memory"},
    {0, "min-vcpus", OPT_REAL, &opt.vcpus, "N", "host processors"},
    {0, "cuda-version", OPT_POSITIVE, &opt.cuda_version, "V",
     "the toolkit that must know the GPU: 11, 12, 13"},
    {0, "neuron", OPT_FLAG, &opt.neuron, NULL, "the model compiles with the Neuron SDK"},
    {0, "amd", OPT_FLAG, &opt.amd, NULL, "AMD GPUs will do"},
    {0, "previous", OPT_FLAG, &opt.previous, NULL, "previous generations too"},
    {0, "kwh", OPT_POSITIVE, &opt.kwh, "USD", "--buy: price of electricity per kWh (default 0.17)"},
    {0, "max-age", OPT_COUNT, &opt.max_age, "DAYS", "refuse prices older than this"},
    {'n', "limit", OPT_COUNT, &opt.limit, "N", "rows of the table (default 10)"},
    {0, "why", OPT_FLAG, &opt.why, NULL, "a reason for each machine that lost, one a line"},
    {0, "json", OPT_FLAG, &opt.json, NULL, "all of it as JSON"},
};

static const Command command = {
    "pick",
    "JOB [CONSTRAINTS]",
    "Ranks machines for a job: what fits, how fast, at what cost, why others lost.",
    "examples:\n"
    "  gpukit pick --infer 8B --quant int4 --context 8192\n"
    "  gpukit pick --train 7B --optimizer lora --tokens 50M --budget 20\n"
    "  gpukit pick --infer 70B --batch 16 --budget 15/h --exclude g5\n"
    "  gpukit pick --graphics --stream --region us-east-1\n"
    "  gpukit pick --buy --infer 13B --quant int4 --budget 900\n"
    "  gpukit pick --compare l4 a10g rtx-4090",
    options,
    sizeof options / sizeof *options,
    false};

static int usage(const char *format, const char *word)
{
    fprintf(stderr, "gpukit pick: ");
    fprintf(stderr, format, word); /* the formats are ours, below */
    fprintf(stderr, "\n  help: gpukit pick --help\n");
    return EXIT_USAGE;
}

static bool count_of(const char *text, double *value)
{
    return !text || pick_parse_count(text, value);
}

static void set(double *value, double given)
{
    if (given > 0)
        *value = given;
}

static int set_model(const Catalogue *c, PickJob *job, const char *what)
{
    PickModel *m = &job->model;
    const char *name = opt.model;
    double params = 0;
    if (what && !pick_parse_count(what, &params) && !name)
        name = what;
    const CatalogueModel *known = name ? catalogue_find_model(c, name) : NULL;
    if (name && !known) {
        fprintf(
            stderr,
            "gpukit pick: '%s' is neither a number of parameters (7B, 350M) nor a known model;\n"
            "  known:",
            name);
        for (size_t i = 0; i < c->models.count; ++i)
            fprintf(stderr, "%s %s", i ? "," : "", c->models.items[i].key);
        fputc('\n', stderr);
        return EXIT_USAGE;
    }
    if (known)
        pick_copy_model(m, known);
    set(&m->params, params);
    if (!count_of(opt.active, &m->active))
        return usage("--active: '%s' is not a number of parameters", opt.active);
    set(&m->layers, opt.layers);
    set(&m->hidden, opt.hidden);
    set(&m->heads, opt.heads);
    if (opt.kv_heads > 0 || opt.head_dim > 0) {
        m->kv_elems = 0;
        m->latent = false;
    }
    set(&m->kv_heads, opt.kv_heads);
    set(&m->head_dim, opt.head_dim);
    set(&m->vocab, opt.vocab);
    set(&m->window, opt.window);
    if (opt.window > 0)
        m->window_layers = 1e9;
    set(&m->gflop_image, opt.gflops);
    if (m->active > m->params && m->params > 0)
        return usage("--active: %s is more than all parameters", opt.active);
    job->vision = opt.images || m->gflop_image > 0;
    pick_complete_model(c, m);
    return EXIT_CLEAN;
}

static int set_formats(PickJob *job)
{
    if (!opt.infer && opt.precision && !(job->precision = pick_format(opt.precision)))
        return usage("--precision: no '%s'; fp32, tf32, fp16, bf16 or fp8", opt.precision);
    if (job->precision && job->precision->bytes < 1)
        return usage(
            "--precision: nothing is trained in %s; --optimizer qlora keeps the base in 4 bits",
            opt.precision);
    if (opt.optimizer && !(job->recipe = pick_recipe(opt.optimizer)))
        return usage("--optimizer: no '%s'; adam, adam8, sgd, lora or qlora", opt.optimizer);
    /* For serving, --precision means the weights. */
    if (opt.infer && opt.precision && !opt.quant)
        opt.quant = opt.precision;
    if (opt.quant && !(job->quant = pick_format(opt.quant)))
        return usage("--quant: no '%s'; fp32, fp16, bf16, fp8, int8, int4 or fp4", opt.quant);
    if (opt.kv_quant) {
        const PickFormat *kv = pick_format(opt.kv_quant);
        if (!kv)
            return usage("--kv-quant: no '%s'; fp16, fp8 or int8", opt.kv_quant);
        job->kv_bytes = kv->bytes;
    }
    if (opt.lora_share > 0) {
        static PickRecipe own;
        own = *job->recipe;
        if (own.trainable >= 1 || opt.lora_share >= 1)
            return usage("--lora-share goes with --optimizer %s and lies below 1", "lora or qlora");
        own.trainable = opt.lora_share;
        job->recipe = &own;
    }
    if (opt.codec && strcasecmp(opt.codec, "h264") != 0 && strcasecmp(opt.codec, "hevc") != 0 &&
        strcasecmp(opt.codec, "h265") != 0 && strcasecmp(opt.codec, "av1") != 0)
        return usage("--codec: no '%s'; h264, hevc or av1", opt.codec);
    return EXIT_CLEAN;
}

/* "g5,p4d" is two words. */
static void split_list(OptList *list)
{
    for (int i = 0; i < list->count; ++i) {
        char *comma = strchr(list->items[i], ',');
        if (!comma)
            continue;
        *comma = 0; /* in argv, which is ours to write */
        list->items = xrealloc(list->items, sizeof *list->items * (size_t)(list->count + 1));
        list->items[list->count++] = comma + 1;
    }
}

static int set_limits(const Catalogue *c, PickJob *job)
{
    if (opt.budget && !opt.buy && !pick_parse_budget(opt.budget, &job->budget, &job->budget_kind))
        return usage("--budget: '%s' is not a sum such as 5/h, 500/month or 200", opt.budget);
    if (opt.arch)
        pick_set_arch(job, opt.arch);
    if (opt.gpu && !(job->gpu = catalogue_find_gpu(c, opt.gpu)))
        return usage("--gpu: no '%s' in the catalogue (gpukit gpus --rent)", opt.gpu);
    if (opt.nodes < 0 || opt.nodes > 1024)
        return usage("--nodes: %s", "1 to 1024");
    job->nodes = opt.nodes > 0 ? (int)opt.nodes : 1;
    job->max_age = (int)opt.max_age;
    job->hours = opt.hours;
    job->deadline = opt.deadline;
    job->region = opt.region;
    job->spot = opt.spot;
    job->blocks = opt.blocks;
    job->managed = opt.managed;
    job->neuron = opt.neuron;
    job->amd = opt.amd;
    job->previous = opt.previous;
    job->nvlink = opt.nvlink;
    split_list(&opt.exclude);
    job->exclude = opt.exclude.items;
    job->exclude_count = opt.exclude.count;
    job->memory_gb = opt.memory;
    job->total_memory_gb = opt.total_memory;
    job->min_ram_gib = opt.min_ram;
    job->min_vcpus = opt.vcpus;
    job->gpus = opt.gpus;
    job->network_gbps = opt.network;
    job->cuda = opt.cuda_version;
    job->no_rt = opt.raster;
    job->stream = opt.stream;
    job->codec = opt.codec;
    return EXIT_CLEAN;
}

static int set_job(const Catalogue *c, PickJob *job, Diags *diags)
{
    bool model = opt.model || (opt.layers > 0 && opt.hidden > 0);
    int kinds = !!opt.train + !!opt.infer + opt.graphics + opt.video + !!opt.cuda_program;
    pick_job_init(job);
    if (kinds > 1)
        return usage("%s: one job at a time", "--train, --infer, --graphics, --video, --cuda");
    if (kinds == 0 && !model && !(opt.memory > 0) && !(opt.total_memory > 0) && !opt.buy)
        return usage("which job? %s",
                     "--train, --infer, --graphics, --video, --cuda FILE or --memory GB");
    job->kind = opt.train                            ? PICK_TRAIN
                : opt.graphics                       ? PICK_GRAPHICS
                : opt.video                          ? PICK_VIDEO
                : opt.cuda_program                   ? PICK_CUDA
                : opt.infer || (model && kinds == 0) ? PICK_INFER
                                                     : PICK_MEMORY;
    if (!count_of(opt.tokens, &job->tokens))
        return usage("--tokens: '%s' is not a number such as 50M or 2e9", opt.tokens);
    if (!count_of(opt.images, &job->images))
        return usage("--images: '%s' is not a number such as 50K or 1.2M", opt.images);
    set(&job->epochs, opt.epochs);
    if (opt.batch > 0 && opt.batch < 1)
        return usage("--batch: %s", "1 or more");
    set(&job->batch, floor(opt.batch));
    set(&job->context, opt.context);
    int status = set_formats(job);
    if (status == EXIT_CLEAN && (job->kind == PICK_TRAIN || job->kind == PICK_INFER))
        status = set_model(c, job, opt.train ? opt.train : opt.infer);
    if (status == EXIT_CLEAN)
        status = set_limits(c, job);
    if (status == EXIT_CLEAN && opt.cuda_program) {
        job->counters = pick_counters_read(c, opt.cuda_program, c->arena, diags);
        if (!job->counters) {
            diags_print(diags, stderr);
            status = EXIT_USAGE;
        }
    }
    return status;
}

static const char *gb(double mib)
{
    return view_number(round(mib * 1048576e-8) / 10);
}

static double decades(double value)
{
    return pow(10, floor(log10(value)) - 1);
}

/* "9.1-20 h": both ends in the unit of the upper one, two digits each. */
static const char *time_range(PickBand s, char out[32])
{
    static const struct {
        double from, unit;
        const char *name;
    } units[] = {{730 * 86400.0, 365.25 * 86400, "years"},
                 {2 * 86400.0, 86400, "d"},
                 {5400, 3600, "h"},
                 {90, 60, "min"},
                 {0.1, 1, "s"},
                 {0, 1e-3, "ms"}};
    out[0] = 0;
    if (isnan(s.mid))
        return out;
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        if (s.high >= units[i].from) {
            double low = s.low / units[i].unit, high = s.high / units[i].unit;
            low = round(low / decades(low)) * decades(low);
            high = round(high / decades(high)) * decades(high);
            if (low == high)
                snprintf(out, 32, "%.4g %s", low, units[i].name);
            else
                snprintf(out, 32, "%.4g-%.4g %s", low, high, units[i].name);
            return out;
        }
    return out;
}

static const char *rate_range(PickBand r, char out[32])
{
    out[0] = 0;
    if (!isnan(r.mid))
        snprintf(out, 32, r.high < 10 ? "%.1f-%.1f" : "%.0f-%.0f", r.low, r.high);
    return out;
}

enum { WITH_GPUS = 1, WITH_FREE = 2, WITH_ALL = 3 };

static Table *ranked_table(const PickJob *job, const PickResult *r, size_t limit, int columns)
{
    bool memory = job->kind != PICK_VIDEO;
    bool timed = job->kind == PICK_INFER || job->kind == PICK_TRAIN || job->kind == PICK_CUDA ||
                 job->hours > 0;
    bool rated = job->kind == PICK_INFER;
    static char align[16];
    bool regions = job->region && strcmp(job->region, "any") == 0;
    snprintf(align, sizeof align, "l%sl%s%s%sr%s", columns & WITH_GPUS ? "l" : "",
             memory ? "r" : "", memory && columns & WITH_FREE ? "r" : "", timed ? "rr" : "",
             regions ? "rl" : "r");
    Table *t = table_new(align);
    table_cell(t, "MACHINE");
    if (columns & WITH_GPUS)
        table_cell(t, "GPUS");
    table_cell(t, "HOW");
    if (memory)
        table_cell(t, "NEED GB");
    if (memory && columns & WITH_FREE)
        table_cell(t, "FREE");
    if (timed) {
        table_cell(t, "%s", rated ? "TOKENS/S" : "TIME");
        table_cell(t, "%s", r->unit_job ? "$/M" : "$ JOB");
    }
    table_cell(t, "$/h");
    table_cell(t, "AGE");
    if (regions)
        table_cell(t, "REGION");
    table_end_row(t);
    for (size_t i = 0; i < r->ranked.count && i < limit; ++i) {
        const PickChoice *p = &r->ranked.items[i];
        char range[32], how[64];
        const char *comma = strstr(p->fits, ", recompute");
        snprintf(how, sizeof how, "%.*s%s", comma ? (int)(comma - p->fits) : 40, p->fits,
                 comma ? "+rc" : "");
        table_cell(t, "%s%s%s", p->nodes > 1 ? view_number(p->nodes) : "",
                   p->nodes > 1 ? " x " : "", p->instance->row.name);
        if (columns & WITH_GPUS)
            table_cell(t, "%s %s", view_number(p->instance->row.gpu_count), p->instance->gpu->key);
        table_cell(t, "%s", how);
        if (memory)
            table_cell(t, "%s", p->need_mib.mid > 0 ? gb(p->need_mib.mid) : "");
        if (memory && columns & WITH_FREE)
            table_cell(t, "%s%s", gb(p->headroom_mib),
                       p->need_mib.high > p->have_mib * 1.001 ? "!" : "");
        if (timed) {
            table_cell(t, "%s", rated ? rate_range(p->rate, range) : time_range(p->seconds, range));
            table_cell(t, "%s", view_usd(p->usd_job.mid));
        }
        if (p->usd_h_max > p->usd_h * 1.001)
            table_cell(t, "%s-%s", view_usd(p->usd_h), view_usd(p->usd_h_max));
        else
            table_cell(t, "%s%s", view_usd(p->usd_h), p->estimate ? "~" : "");
        table_cell(t, "%s", view_age(p->quote.age_days));
        if (regions)
            table_cell(t, "%s", p->quote.region);
        table_end_row(t);
    }
    return t;
}

static void print_legend(const PickJob *job, const PickResult *r, size_t limit)
{
    bool tight = false, estimate = false, recompute = false, parallel = false;
    for (size_t i = 0; i < r->ranked.count && i < limit; ++i) {
        const PickChoice *p = &r->ranked.items[i];
        tight |= p->need_mib.high > p->have_mib * 1.001;
        estimate |= p->estimate;
        recompute |= p->recompute;
        parallel |= p->group > 1;
    }
    fputs(view_dim(), stdout);
    if (job->kind != PICK_VIDEO)
        printf("NEED and FREE per GPU%s%s.", tight ? "; ! may not fit" : "",
               recompute ? "; +rc recomputes activations" : "");
    if (parallel)
        printf(" TPn: one model over n GPUs.");
    if (estimate)
        printf(" ~ EC2 price times the SageMaker factor.");
    if (r->ranked.count > limit)
        printf(" %zu more fit (-n).", r->ranked.count - limit);
    printf("%s\n", view_plain());
}

static void print_winner(const PickResult *r)
{
    const PickChoice *p = &r->ranked.items[0], *per_unit = p;
    char range[32];
    Buf text = {0};
    buf_printf(&text, "(%s): %s, %s USD/h",
               p->instance->family ? p->instance->family->title : p->instance->gpu->name,
               r->by_job ? "the least cost for the job" : "the cheapest hour that fits",
               view_usd(p->usd_h));
    if (r->by_job && !isnan(p->usd_job.mid))
        buf_printf(&text, ", %s USD in all (%s to %s), %s", view_usd(p->usd_job.mid),
                   view_usd(p->usd_job.low), view_usd(p->usd_job.high),
                   time_range(p->seconds, range));
    if (*p->note)
        buf_printf(&text, "; %s", p->note);
    for (size_t i = 0; i < r->ranked.count && r->unit_job; ++i)
        if (r->ranked.items[i].usd_job.mid < per_unit->usd_job.mid)
            per_unit = &r->ranked.items[i];
    if (per_unit != p)
        buf_printf(&text, ". Fully used, %s costs less per token: %s instead of %s USD a million.",
                   per_unit->instance->row.name, view_usd(per_unit->usd_job.mid),
                   view_usd(p->usd_job.mid));
    const char *name = p->instance->row.name;
    printf("%s%s%s ", view_bold(), name, view_plain());
    view_wrapped(stdout, (int)strlen(name) + 1, 0, buf_text(&text));
    putchar('\n');
    buf_free(&text);
}

static void print_why(const PickResult *r)
{
    for (size_t i = 0; i < r->rejected.count; ++i) {
        printf("  %-18s ", r->rejected.items[i].instance->row.name);
        view_wrapped(stdout, 21, 21, r->rejected.items[i].reason);
    }
}

static bool is_code(const PickReject *reject, const char *code)
{
    return strcmp(reject->code, code) == 0;
}

static const char *const quiet_codes[][2] = {{"software", "need other software or run none"},
                                             {"retired", "retired"},
                                             {"previous", "previous generation"},
                                             {"managed", "of the other service, EC2 or SageMaker"},
                                             {"gpu", "without a GPU"}};
enum { QUIET = sizeof quiet_codes / sizeof *quiet_codes };

/* Machines of one family that lost for the same reason share a line: that of the largest size. */
static void print_why_short(const PickResult *r)
{
    Map done = {0};
    for (size_t i = 0; i < r->rejected.count; ++i) {
        const PickReject *first = &r->rejected.items[i], *largest = first;
        const char *family = first->instance->row.family;
        char key[160], name[64];
        bool quiet = false;
        for (int q = 0; q < QUIET; ++q)
            quiet |= is_code(first, quiet_codes[q][0]);
        snprintf(key, sizeof key, "%s/%s", family, first->code);
        if (quiet || map_get(&done, key))
            continue;
        map_set(&done, key, (void *)first);
        int count = 0;
        for (size_t k = i; k < r->rejected.count; ++k) {
            const PickReject *other = &r->rejected.items[k];
            if (strcmp(other->instance->row.family, family) != 0 || !is_code(other, first->code))
                continue;
            ++count;
            if (is_code(first, "memory") &&
                other->instance->row.gpu_count > largest->instance->row.gpu_count)
                largest = other;
        }
        if (count > 1)
            snprintf(name, sizeof name, "%s (%d sizes)", family, count);
        else
            snprintf(name, sizeof name, "%s", first->instance->row.name);
        printf("  %-18s ", name);
        view_wrapped(stdout, 21, 21, largest->reason);
    }
    map_free(&done);
    Buf rest = {0};
    for (int q = 0; q < QUIET; ++q) {
        int count = 0;
        for (size_t i = 0; i < r->rejected.count; ++i)
            count += is_code(&r->rejected.items[i], quiet_codes[q][0]);
        if (count)
            buf_printf(&rest, "%s%d %s", rest.count ? ", " : "", count, quiet_codes[q][1]);
    }
    if (rest.count) {
        buf_puts(&rest, ". --why lists each.");
        fputs("  ", stdout);
        view_wrapped(stdout, 2, 2, buf_text(&rest));
    }
    buf_free(&rest);
}

static void print_result(const PickJob *job, const PickResult *r)
{
    size_t limit = opt.limit > 0 ? (size_t)opt.limit : 10;
    if (r->ranked.count) {
        static const int layouts[] = {WITH_ALL, WITH_GPUS, 0};
        Table *t = NULL;
        print_winner(r);
        for (int i = 0; i < 3; ++i) {
            table_free(t);
            t = ranked_table(job, r, limit, layouts[i]);
            if (table_width(t) <= 80)
                break;
        }
        table_print(t, stdout);
        table_free(t);
        print_legend(job, r, limit);
        putchar('\n');
    }
    for (size_t i = 0; i < r->rules.count; ++i) {
        fputs("rule  ", stdout);
        view_wrapped(stdout, 6, 6, r->rules.items[i]);
    }
    for (size_t i = 0; i < r->warnings.count; ++i) {
        printf("%snote%s  ", view_bold(), view_plain());
        view_wrapped(stdout, 6, 6, r->warnings.items[i]);
    }
    printf("\nnot taken (%zu):\n", r->rejected.count);
    if (opt.why)
        print_why(r);
    else
        print_why_short(r);
}

static int run(Catalogue *c, int names, char **name)
{
    PickJob job;
    Diags diags;
    diags_init(&diags);
    int status = opt.compare ? EXIT_CLEAN : set_job(c, &job, &diags);
    if (status == EXIT_CLEAN && opt.compare) {
        status = pick_compare(c, names, name, opt.json);
    } else if (status == EXIT_CLEAN && opt.buy) {
        status = pick_buy_print(c, &job, opt.budget, opt.kwh, opt.json);
    } else if (status == EXIT_CLEAN && names) {
        status = usage("what is '%s'? A job is given by options", name[0]);
    } else if (status == EXIT_CLEAN) {
        PickResult *r = pick_run(c, &job, &diags);
        diags_print(&diags, stderr);
        if (!r)
            status = EXIT_USAGE;
        else if (opt.json)
            view_json(pick_json(c, &job, r));
        else
            print_result(&job, r);
        if (r && !r->ranked.count)
            status = EXIT_FINDINGS;
        pick_free(r);
    }
    diags_fini(&diags);
    return status;
}

int cmd_pick(int argc, char **argv)
{
    return view_run(&command, run, argc, argv);
}
