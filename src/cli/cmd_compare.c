/* SPDX-License-Identifier: Apache-2.0
 *
 * gpukit compare: the same program as serial code, with SIMD, on all cores and on the GPU. Prints
 * compile time, transfers and computation apart, compares the bytes that came back. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/fs.h"
#include "base/options.h"
#include "base/scratch.h"
#include "base/table.h"
#include "compare/compare.h"
#include "report/plot.h"
#include "source/source.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* The built-in set, with sizes that keep a run of all of them under a minute. */
static const struct {
    const char *title, *source, *arguments[4];
} built_in[] = {
    {"array sum", "vector_add", {"4194304"}},
    {"Mandelbrot set", "mandelbrot", {"1024", "768", "256", "/dev/null"}},
    {"matrix product", "matmul", {"512"}},
    {"reduction", "reduction", {"4194304"}},
    {"n-body", "nbody", {"4096", "1"}},
};

typedef struct {
    const char *gpu, *plot, *record, *optimise, *standard;
    OptList include, define, library, library_dir;
    long repeat;
    double tolerance, time_limit;
    bool json, no_gpu, keep;
} CompareCommand;

typedef struct {
    CompareCommand command;
    char *folder;
    CompareResult results[COUNT(built_in) + 1];
    int count;
    Diags diags;
} Session;

static bool show_progress;

static void progress(const char *text)
{
    if (show_progress)
        fprintf(stderr, "\r\033[K%s ...", text);
}

static void end_progress(void)
{
    if (show_progress)
        fputs("\r\033[K", stderr);
}

static void add_words(SourceArgs *args, const char *letter, const OptList *list)
{
    for (int i = 0; i < list->count; ++i)
        VEC_PUSH(*args, xasprintf("%s%s", letter, list->items[i])); /* lives until exit */
}

/* Builds the sources and runs the program in every mode. */
static int compare_sources(Session *s, const char *name, const char *const *sources, int count,
                           char *const *arguments, int argument_count)
{
    CompareResult *result = &s->results[s->count];
    const CompareCommand *c = &s->command;
    char *program = NULL, *temporary = NULL;
    double start = clock_ms();
    progress("compiling");
    if (count) {
        SourceOptions build = {0};
        add_words(&build.both, "-I", &c->include);
        add_words(&build.both, "-D", &c->define);
        add_words(&build.link, "-L", &c->library_dir);
        add_words(&build.link, "-l", &c->library);
        if (c->standard)
            VEC_PUSH(build.both, xasprintf("-std=%s", c->standard));
        if (c->optimise)
            build.optimise = xasprintf("-O%s", c->optimise);
        int status = source_build(&build, sources, count, &program, &temporary, &s->diags);
        if (status)
            return status;
    } else {
        program = xstrdup(name);
    }
    double took = clock_ms() - start;
    Buf words = {0};
    for (int i = 0; i < argument_count; ++i)
        buf_printf(&words, i ? " %s" : "%s", arguments[i]);
    result->program = xstrdup(name);
    result->arguments = xstrdup(buf_text(&words));
    result->front_end = took;
    buf_free(&words);
    char *folder = xasprintf("%s/%d", s->folder, s->count);
    if (mkdir(folder, 0700) != 0) {
        diag_add(&s->diags, DIAG_ERROR, folder, 0, 0, "cannot be made");
        scratch_remove(temporary);
        return EXIT_ENVIRONMENT;
    }
    bool card = fs_exists("/dev/nvidiactl") || fs_exists("/dev/nvidia0") || fs_exists("/dev/dxg");
    struct stat input;
    CompareOptions options = {.gpu = c->gpu,
                              .folder = folder,
                              .input = fstat(0, &input) == 0 && S_ISREG(input.st_mode) ? 0 : -1,
                              .repeat = (int)c->repeat,
                              .try_gpu = card && !c->no_gpu,
                              .progress = progress,
                              .tolerance = c->tolerance};
    ++s->count;
    int status = compare_program(program, arguments, argument_count, &options, result, &s->diags);
    scratch_remove(temporary);
    free(program);
    free(folder);
    return status;
}

static void find_record(Session *s, CompareResult *result)
{
    char *path = fs_resource("compare/recorded.tsv");
    if (path && !result->modes[MODE_gpu].ran)
        record_find(path, result->program, result->arguments, &result->recorded, &s->diags);
    free(path);
    if (result->recorded.present) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016llx",
                 (unsigned long long)compare_hash(&result->modes[MODE_cores].first));
        result->recorded_equal = strcmp(hash, result->recorded.hash) == 0;
    }
}

/* ---- text ---- */

static void ms_cell(Table *table, bool bound, double ms)
{
    const char *at_least = bound ? ">= " : "";
    if (ms >= 100)
        table_cell(table, "%s%.0f", at_least, ms);
    else if (ms >= 1)
        table_cell(table, "%s%.1f", at_least, ms);
    else
        table_cell(table, "%s%.3f", at_least, ms);
}

static void factor_cell(Table *table, bool bound, double factor)
{
    const char *at_most = bound ? "<= " : "";
    if (!isfinite(factor))
        table_cell(table, "-");
    else
        table_cell(table, factor >= 10 ? "%s%.0fx" : "%s%.2fx", at_most, factor);
}

static void bytes_cell(Table *table, const CompareResult *r, int mode)
{
    const BytesDifference *d = &r->difference[mode];
    if (!d->compared && mode != (int)r->reference)
        table_cell(table, "-");
    else if (mode == (int)r->reference)
        table_cell(table, "%llu B", (unsigned long long)r->modes[mode].first.dtoh_bytes);
    else if (d->equal)
        table_cell(table, "equal");
    else if (d->shape)
        table_cell(table, "DIFFER: other copies");
    else if (strcmp(d->type, "int") == 0)
        table_cell(table, "DIFFER: %llu words, by up to %.6g", (unsigned long long)d->words,
                   d->most);
    else
        table_cell(table, "DIFFER: %llu %ss, up to %.6g ULP", (unsigned long long)d->words, d->type,
                   d->most);
}

static void mode_row(Table *table, const CompareResult *r, int mode)
{
    const ModeResult *m = &r->modes[mode];
    const Trace *t = &m->best;
    double serial = r->modes[MODE_serial].best.kernels;
    table_cell(table, "%s", compare_mode_labels[mode]);
    ms_cell(table, false, m->first.context);
    ms_cell(table, false, m->first.module + m->first.compile);
    ms_cell(table, false, t->htod);
    ms_cell(table, false, t->kernels);
    ms_cell(table, false, t->dtoh);
    factor_cell(table, false, serial / t->kernels);
    factor_cell(table, false, serial / (t->kernels + (mode == MODE_gpu ? t->htod + t->dtoh : 0)));
    bytes_cell(table, r, mode);
    table_end_row(table);
}

static void recorded_row(Table *table, const CompareResult *r)
{
    const CompareRecord *c = &r->recorded;
    double serial = r->modes[MODE_serial].best.kernels;
    table_cell(table, "%s, recorded", c->gpu);
    ms_cell(table, false, c->context);
    ms_cell(table, false, c->compile);
    ms_cell(table, false, c->htod);
    ms_cell(table, false, c->kernels);
    ms_cell(table, false, c->dtoh);
    factor_cell(table, false, serial / c->kernels);
    factor_cell(table, false, serial / (c->kernels + c->htod + c->dtoh));
    table_cell(table, "%s", r->recorded_equal ? "equal" : "DIFFER from the record");
    table_end_row(table);
}

static void bound_row(Table *table, const CompareResult *r)
{
    const CompareBound *b = &r->bound;
    double serial = r->modes[MODE_serial].best.kernels;
    table_cell(table, "%s, bound", b->gpu);
    table_cell(table, "-");
    table_cell(table, "-");
    ms_cell(table, true, b->htod);
    ms_cell(table, true, b->kernels);
    ms_cell(table, true, b->dtoh);
    table_cell(table, "-"); /* a bound on the arithmetic alone would flatter the GPU too much */
    factor_cell(table, true, serial / (b->kernels + b->htod + b->dtoh));
    table_cell(table, "-");
    table_end_row(table);
}

static void wrap(FILE *out, const char *text) /* at 96 columns */
{
    int column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column && column + 1 + (int)word > 96)
            fputc('\n', out), column = 0;
        else if (column)
            fputc(' ', out), ++column;
        fwrite(text, 1, word, out);
        column += (int)word;
        text += word + (text[word] == ' ');
    }
    fputc('\n', out);
}

static void print_bound(const CompareBound *b)
{
    printf(
        "Bound: no GPU here and no recorded run. %s by its data sheet: %.0f GB/s of memory, %.3g "
        "TFLOP/s in\nfp32, %.3g in fp64; %.1f GB/s of PCIe each way; ",
        b->gpu, b->memory_gb_s, b->fp32_tflops, b->fp64_tflops, b->pcie_gb_s);
    if (b->f32 || b->f64)
        printf("counted: %.3g fp32 and %.3g fp64 operations.\n", (double)b->f32, (double)b->f64);
    else
        puts("floating-point operations\nwere not counted or there are none, so only the copied "
             "bytes limit it.");
}

static void print_result(const CompareResult *r)
{
    bool colour = out_has_colour(stdout);
    printf("%s%s%s%s%s\n", colour ? "\033[1m" : "", r->program, *r->arguments ? " " : "",
           r->arguments, colour ? "\033[0m" : "");
    Table *table = table_new("lrrrrrrrl");
    static const char *const head[] = {"",     "context",  "compile",        "to device", "compute",
                                       "back", "speed-up", "with transfers", "bytes back"};
    for (int i = 0; i < COUNT(head); ++i)
        table_cell(table, "%s", head[i]);
    table_end_row(table);
    for (int m = 0; m < MODE_COUNT; ++m)
        if (r->modes[m].ran && r->modes[m].best.gpu)
            mode_row(table, r, m);
    if (r->recorded.present)
        recorded_row(table, r);
    else if (!r->modes[MODE_gpu].ran && r->bound.gpu)
        bound_row(table, r);
    table_print(table, stdout);
    table_free(table);
    printf(
        "Times in ms, least of the runs; compile is that of the first run, beside %.0f ms of the "
        "front end.\n",
        r->front_end);
    for (int m = 0; m < MODE_COUNT; ++m)
        if (r->modes[m].why)
            printf("%s: FAILED: %s\n", compare_mode_labels[m], r->modes[m].why);
    const Trace *t = &r->modes[MODE_cores].first;
    if (r->modes[MODE_cores].ran && t->launches == 0)
        puts("No kernel was launched: there is nothing to compare.");
    else if (r->modes[MODE_cores].ran && t->back.count == 0)
        puts("The program copied nothing back from the device: results could not be compared.");
    if (r->recorded.present)
        printf("Recorded on %s, CUDA driver %s, %s.\n", r->recorded.gpu, r->recorded.driver,
               r->recorded.date);
    else if (!r->modes[MODE_gpu].ran && r->bound.gpu)
        print_bound(&r->bound);
    char *sentence = compare_sentence(r);
    if (*sentence)
        wrap(stdout, sentence);
    free(sentence);
}

/* ---- JSON ---- */

static void put_number(json_object *o, const char *key, double value)
{
    json_object_object_add(o, key, json_object_new_double(value));
}

static json_object *mode_json(const CompareResult *r, int mode)
{
    const ModeResult *m = &r->modes[mode];
    json_object *o = json_object_new_object();
    json_object_object_add(o, "mode", json_object_new_string(compare_mode_names[mode]));
    json_object_object_add(o, "kind", json_object_new_string("measured"));
    if (m->why)
        json_object_object_add(o, "error", json_object_new_string(m->why));
    if (!m->ran)
        return o;
    const Trace *t = m->best.gpu ? &m->best : &m->first;
    json_object_object_add(o, "device", json_object_new_string(t->gpu ? t->gpu : ""));
    json_object_object_add(o, "threads", json_object_new_int(t->threads));
    put_number(o, "context_ms", m->first.context);
    put_number(o, "compile_ms", m->first.module + m->first.compile);
    put_number(o, "to_device_ms", t->htod);
    put_number(o, "compute_ms", t->kernels);
    put_number(o, "back_ms", t->dtoh);
    put_number(o, "wall_ms", t->wall);
    json_object_object_add(o, "to_device_bytes", json_object_new_int64((int64_t)t->htod_bytes));
    json_object_object_add(o, "back_bytes", json_object_new_int64((int64_t)t->dtoh_bytes));
    json_object_object_add(o, "untimed", json_object_new_int64(t->untimed));
    if (t->kernels > 0 && r->modes[MODE_serial].ran)
        put_number(o, "speed_up", r->modes[MODE_serial].best.kernels / t->kernels);
    const BytesDifference *d = &r->difference[mode];
    if (mode != (int)r->reference && d->compared) {
        json_object_object_add(o, "bytes_equal", json_object_new_boolean(d->equal));
        if (!d->equal && !d->shape) {
            json_object_object_add(o, "different_bytes",
                                   json_object_new_int64((int64_t)d->different));
            json_object_object_add(o, "different_words", json_object_new_int64((int64_t)d->words));
            json_object_object_add(o, "taken_as", json_object_new_string(d->type));
            put_number(o, strcmp(d->type, "int") ? "largest_ulp" : "largest_difference", d->most);
        }
    }
    json_object *kernels = json_object_new_array();
    for (size_t i = 0; i < t->by_kernel.count; ++i) {
        json_object *k = json_object_new_object();
        json_object_object_add(k, "kernel", json_object_new_string(t->by_kernel.items[i].name));
        json_object_object_add(k, "launches",
                               json_object_new_int64((int64_t)t->by_kernel.items[i].launches));
        put_number(k, "ms", t->by_kernel.items[i].ms);
        json_object_array_add(kernels, k);
    }
    json_object_object_add(o, "kernels", kernels);
    return o;
}

static json_object *other_json(const CompareResult *r)
{
    json_object *o = json_object_new_object();
    json_object_object_add(o, "mode", json_object_new_string("gpu"));
    if (r->recorded.present) {
        json_object_object_add(o, "kind", json_object_new_string("recorded"));
        json_object_object_add(o, "device", json_object_new_string(r->recorded.gpu));
        json_object_object_add(o, "driver", json_object_new_string(r->recorded.driver));
        json_object_object_add(o, "date", json_object_new_string(r->recorded.date));
        put_number(o, "context_ms", r->recorded.context);
        put_number(o, "compile_ms", r->recorded.compile);
        put_number(o, "to_device_ms", r->recorded.htod);
        put_number(o, "compute_ms", r->recorded.kernels);
        put_number(o, "back_ms", r->recorded.dtoh);
        json_object_object_add(o, "bytes_equal", json_object_new_boolean(r->recorded_equal));
    } else {
        json_object_object_add(o, "kind", json_object_new_string("bound"));
        json_object_object_add(o, "device", json_object_new_string(r->bound.gpu));
        put_number(o, "to_device_ms_at_least", r->bound.htod);
        put_number(o, "compute_ms_at_least", r->bound.kernels);
        put_number(o, "back_ms_at_least", r->bound.dtoh);
        put_number(o, "pcie_gb_s", r->bound.pcie_gb_s);
        put_number(o, "memory_gb_s", r->bound.memory_gb_s);
        put_number(o, "fp32_tflops", r->bound.fp32_tflops);
        put_number(o, "fp64_tflops", r->bound.fp64_tflops);
        json_object_object_add(o, "fp32_operations", json_object_new_int64((int64_t)r->bound.f32));
        json_object_object_add(o, "fp64_operations", json_object_new_int64((int64_t)r->bound.f64));
    }
    return o;
}

static void print_json(const Session *s)
{
    json_object *list = json_object_new_array();
    for (int i = 0; i < s->count; ++i) {
        const CompareResult *r = &s->results[i];
        json_object *o = json_object_new_object(), *modes = json_object_new_array();
        json_object_object_add(o, "program", json_object_new_string(r->program));
        json_object_object_add(o, "arguments", json_object_new_string(r->arguments));
        put_number(o, "front_end_ms", r->front_end);
        for (int m = 0; m < MODE_COUNT; ++m)
            if (r->modes[m].ran || r->modes[m].why)
                json_object_array_add(modes, mode_json(r, m));
        if (!r->modes[MODE_gpu].ran && (r->recorded.present || r->bound.gpu))
            json_object_array_add(modes, other_json(r));
        json_object_object_add(o, "modes", modes);
        json_object_object_add(o, "failed", json_object_new_boolean(r->failed));
        char *sentence = compare_sentence(r);
        json_object_object_add(o, "summary", json_object_new_string(sentence));
        free(sentence);
        json_object_array_add(list, o);
    }
    puts(json_object_to_json_string_ext(list,
                                        JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(list);
}

/* ---- plot ---- */

enum { BAR = 18, LEFT = 170, RIGHT = 110, AXIS = 46, WIDTH = 860 };

typedef struct {
    double ms;
    const char *label, *note;
    uint32_t rgb;
} Bar;

static int bars_of(const CompareResult *r, Bar bars[MODE_COUNT])
{
    int count = 0;
    for (int m = 0; m < MODE_COUNT; ++m)
        if (r->modes[m].ran && r->modes[m].best.kernels > 0)
            bars[count++] =
                (Bar){r->modes[m].best.kernels, compare_mode_labels[m], "", plot_colours[m]};
    if (!r->modes[MODE_gpu].ran && r->recorded.present && count)
        bars[count++] = (Bar){r->recorded.kernels, "GPU", ", recorded", plot_colours[MODE_gpu]};
    return count;
}

/* Compute time, a logarithmic axis; bounds are no times and stay out. */
static Plot *draw(const Session *s)
{
    double least = INFINITY, most = 0;
    Bar bars[MODE_COUNT + 1];
    int height = 60 + AXIS;
    for (int i = 0; i < s->count; ++i) {
        int count = bars_of(&s->results[i], bars);
        height += 34 + count * (BAR + 4);
        for (int b = 0; b < count; ++b) {
            least = fmin(least, bars[b].ms);
            most = fmax(most, bars[b].ms);
        }
    }
    if (!(most > 0))
        return NULL;
    double low = floor(log10(least)), high = ceil(log10(most));
    if (high <= low)
        high = low + 1;
    double unit = (WIDTH - LEFT - RIGHT) / (high - low);
    Plot *plot = plot_new(WIDTH, height);
    plot_text(plot, LEFT, 26, 12, PLOT_LEFT, 0x000000, "Time to compute (ms, shorter is better)");
    for (double e = low; e <= high; ++e) {
        double x = LEFT + (e - low) * unit;
        plot_line(plot, x, 40, x, height - AXIS, 1, 0xdddddd);
        plot_text(plot, x, height - AXIS + 18, 9, PLOT_MIDDLE, 0x444444, "%g", pow(10, e));
    }
    double y = 48;
    for (int i = 0; i < s->count; ++i) {
        const CompareResult *r = &s->results[i];
        int count = bars_of(r, bars);
        const char *name = strrchr(r->program, '/');
        plot_text(plot, LEFT, y + 14, 10, PLOT_LEFT, 0x000000, "%s %.60s",
                  name ? name + 1 : r->program, r->arguments);
        y += 22;
        for (int b = 0; b < count; ++b, y += BAR + 4) {
            double width = fmax(2, (log10(bars[b].ms) - low) * unit);
            plot_rect(plot, LEFT, y, width, BAR, bars[b].rgb);
            plot_text(plot, LEFT - 8, y + 13, 9, PLOT_RIGHT, 0x222222, "%s", bars[b].label);
            plot_text(plot, LEFT + width + 6, y + 13, 9, PLOT_LEFT, 0x222222, "%.3g ms%s",
                      bars[b].ms, bars[b].note);
        }
        y += 12;
    }
    return plot;
}

static int write_plot(Session *s, const char *base)
{
    Plot *plot = draw(s);
    if (!plot) {
        diag_add(&s->diags, DIAG_ERROR, NULL, 0, 0,
                 "--plot: no kernel ran, there is nothing to draw");
        return EXIT_FINDINGS;
    }
    char *svg = xasprintf("%s.svg", base), *png = xasprintf("%s.png", base);
    int error = plot_write_svg(plot, svg), other = plot_write_png(plot, png);
    if (error || other)
        diag_add(&s->diags, DIAG_ERROR, error ? svg : png, 0, 0, "cannot be written: %s",
                 strerror(-(error ? error : other)));
    else if (!s->command.json)
        printf("plot: %s, %s\n", svg, png);
    free(svg);
    free(png);
    plot_free(plot);
    return error || other ? EXIT_ENVIRONMENT : 0;
}

/* ---- the command ---- */

static int run_built_in(Session *s)
{
    int status = 0;
    for (int i = 0; i < COUNT(built_in) && !status; ++i) {
        char *name = xasprintf("examples/%s.cu", built_in[i].source), *source = fs_resource(name);
        if (!source) {
            diag_add(&s->diags, DIAG_ERROR, name, 0, 0, "is missing beside gpukit");
            diag_help(&s->diags, "install gpukit completely, or name a program");
            free(name);
            return EXIT_ENVIRONMENT;
        }
        char *arguments[4];
        int count = 0;
        while (count < 4 && built_in[i].arguments[count]) {
            arguments[count] = (char *)(uintptr_t)built_in[i].arguments[count];
            ++count;
        }
        status = compare_sources(s, built_in[i].title, (const char *const *)&source, 1, arguments,
                                 count);
        if (!status)
            find_record(s, &s->results[i]);
        free(name);
        free(source);
    }
    return status;
}

static int report(Session *s)
{
    int status = 0;
    for (int i = 0; i < s->count; ++i) {
        if (!s->command.json) {
            if (i)
                puts("");
            print_result(&s->results[i]);
        }
        if (s->results[i].failed)
            status = EXIT_FINDINGS;
    }
    if (s->command.json)
        print_json(s);
    if (s->command.plot) {
        int plotted = write_plot(s, s->command.plot);
        status = status ? status : plotted;
    }
    char date[16];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    for (int i = 0; s->command.record && i < s->count && !s->diags.errors; ++i) {
        int recorded = record_add(s->command.record, &s->results[i], date, &s->diags);
        status = status ? status : recorded;
    }
    return status;
}

int cmd_compare(int argc, char **argv)
{
    Session s = {.command = {.gpu = CATALOGUE_DEFAULT_DEVICE, .repeat = 3}};
    CompareCommand *c = &s.command;
    const Option options[] = {
        {0, "json", OPT_FLAG, &c->json, NULL, "print the figures as JSON"},
        {0, "plot", OPT_TEXT, &c->plot, "NAME", "write the times as NAME.svg and NAME.png"},
        {0, "gpu", OPT_TEXT, &c->gpu, "GPU",
         "show the bound of this GPU where none is measured (default H200)"},
        {0, "repeat", OPT_COUNT, &c->repeat, "1-1000", "runs per mode after the first (default 3)"},
        {0, "tolerance", OPT_REAL, &c->tolerance, "ULP",
         "differences up to this many ULP are no failure"},
        {0, "no-gpu", OPT_FLAG, &c->no_gpu, NULL, "leave the GPU of this machine out"},
        {0, "record", OPT_TEXT, &c->record, "FILE",
         "append what the GPU needed to FILE (recorded.tsv)"},
        {'I', NULL, OPT_LIST, &c->include, "DIR", "search DIR for headers"},
        {'D', NULL, OPT_LIST, &c->define, "NAME[=V]", "define a macro"},
        {'L', NULL, OPT_LIST, &c->library_dir, "DIR", "search DIR for libraries"},
        {'l', NULL, OPT_LIST, &c->library, "NAME", "link a library"},
        {'O', NULL, OPT_TEXT, &c->optimise, "LEVEL", "optimise host code: 0 to 3 (default 2)"},
        {0, "std", OPT_TEXT, &c->standard, "STD", "language: c++14, c++17 (default), c++20"},
        {0, "time-limit", OPT_SECONDS, &c->time_limit, "TIME",
         "stop a kernel that runs longer, e.g. 10s"},
    };
    const Command command = {
        "compare",
        "[PROG.cu [MORE.cu ...] [-- ARGS]]",
        "Runs the same program as serial code, with SIMD, on all cores and on the GPU; shows "
        "compile "
        "time,\ntransfers and computation apart and compares the bytes copied back from the "
        "device. "
        "Without a\nprogram: array sum, Mandelbrot set, matrix product, reduction, n-body. Each "
        "run "
        "reads the file that\nstandard input is, from its start; a terminal or a pipe is empty.",
        "examples:\n"
        "  gpukit compare\n"
        "  gpukit compare --plot times mandelbrot.cu -- 2048 2048\n"
        "exit codes: 0 all modes agree, 1 they differ or the program failed, 2 usage, 3 "
        "environment",
        options,
        COUNT(options),
        false};
    int count, behind = 0;
    int status = options_parse(&command, argc, argv, &count, &behind);
    if (status)
        return status == 1 ? EXIT_CLEAN : EXIT_USAGE;
    if (c->time_limit > 0) {
        char *seconds = xasprintf("%.9g", c->time_limit);
        setenv("GPUKIT_TIME_LIMIT", seconds, 1);
        free(seconds);
    }
    s.folder = scratch_new(NULL);
    if (!s.folder) {
        fprintf(stderr,
                "gpukit compare: no temporary folder: %s\n  help: set TMPDIR to one that "
                "can be written\n",
                strerror(errno));
        return EXIT_ENVIRONMENT;
    }
    diags_init(&s.diags);
    show_progress = isatty(2);
    char **operands = argv + 1;
    int named = count - behind;
    if (named == 0) {
        status = run_built_in(&s);
    } else {
        int inputs = 0;
        while (inputs < named && source_is_input(operands[inputs]))
            ++inputs;
        int first = inputs ? inputs : 1;
        if (!inputs && access(operands[0], X_OK) != 0) {
            diag_add(&s.diags, DIAG_ERROR, operands[0], 0, 0,
                     "is neither a CUDA source file nor a program");
            diag_help(&s.diags, "give a .cu file, or an executable");
            status = EXIT_USAGE;
        } else {
            status = compare_sources(&s, operands[0], (const char *const *)operands, inputs,
                                     operands + first, count - first);
        }
    }
    end_progress();
    if (!status)
        status = report(&s);
    diags_print(&s.diags, stderr);
    for (int i = 0; i < s.count; ++i)
        compare_result_fini(&s.results[i]);
    diags_fini(&s.diags);
    scratch_remove(s.folder);
    return status;
}
