/* SPDX-License-Identifier: Apache-2.0
 *
 * gpukit bench: rates of the processor, of the GPU, or of the engine that stands in for one. */
#include "base/diag.h"
#include "base/options.h"
#include "base/table.h"
#include "bench/bench.h"
#include "source/source.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void print_text(const BenchResult *r)
{
    printf("%s", r->device);
    if (strcmp(r->kind, "cpu") == 0)
        printf(", %d thread%s", r->threads, r->threads == 1 ? "" : "s");
    if (strcmp(r->kind, "engine") == 0)
        printf(" as described, on the CPU engine: these are rates of this processor");
    putchar('\n');
    Table *table = table_new("lrll");
    table_cell(table, "measured");
    table_cell(table, "rate");
    table_cell(table, "unit");
    table_cell(table, "known as");
    table_end_row(table);
    for (int i = 0; i < r->count; ++i) {
        table_cell(table, "%s", r->rates[i].name);
        table_cell(table, r->rates[i].value >= 100 ? "%.0f" : "%.2f", r->rates[i].value);
        table_cell(table, "%s", r->rates[i].unit);
        table_cell(table, "%s", r->rates[i].as);
        table_end_row(table);
    }
    table_print(table, stdout);
    table_free(table);
}

static void print_json(const BenchResult *r)
{
    json_object *o = json_object_new_object(), *list = json_object_new_array();
    json_object_object_add(o, "device", json_object_new_string(r->device));
    json_object_object_add(o, "kind", json_object_new_string(r->kind));
    if (r->threads)
        json_object_object_add(o, "threads", json_object_new_int(r->threads));
    for (int i = 0; i < r->count; ++i) {
        json_object *rate = json_object_new_object();
        json_object_object_add(rate, "measured", json_object_new_string(r->rates[i].name));
        json_object_object_add(rate, "value", json_object_new_double(r->rates[i].value));
        json_object_object_add(rate, "unit", json_object_new_string(r->rates[i].unit));
        if (*r->rates[i].as)
            json_object_object_add(rate, "known_as", json_object_new_string(r->rates[i].as));
        json_object_array_add(list, rate);
    }
    json_object_object_add(o, "rates", list);
    puts(json_object_to_json_string_ext(o,
                                        JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(o);
}

int cmd_bench(int argc, char **argv)
{
    bool json = false;
    const char *plot = NULL;
    unsigned long long size = 64 << 20;
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    const Option options[] = {
        {0, "size", OPT_SIZE, &size, "64K-64G", "bytes of one array or copy (default 64M)"},
        {0, "threads", OPT_COUNT, &threads, "1-4096",
         "processor threads for `bench cpu` (default: all)"},
        {0, "plot", OPT_TEXT, &plot, "NAME", "write the roofline as NAME.svg and NAME.png"},
        {0, "json", OPT_FLAG, &json, NULL, "print the figures as JSON"},
    };
    const Command command = {"bench",
                             "cpu|gpu|engine",
                             "Measures this machine: memory bandwidth and peak arithmetic of the "
                             "processor; of the GPU also "
                             "the\ncopies between host and device, pinned and pageable, and the "
                             "time of a launch; engine: the "
                             "same on\nthe CPU engine that stands in for a GPU.",
                             "examples:\n"
                             "  gpukit bench cpu\n"
                             "  gpukit bench gpu --plot roofline",
                             options,
                             COUNT(options),
                             false};
    int count;
    int status = options_parse(&command, argc, argv, &count, NULL);
    if (status)
        return status == 1 ? EXIT_CLEAN : EXIT_USAGE;
    const char *what = count == 1 ? argv[1] : "";
    bool cpu = strcmp(what, "cpu") == 0, engine = strcmp(what, "engine") == 0;
    if (!cpu && !engine && strcmp(what, "gpu") != 0) {
        fputs("gpukit bench: say what to measure: cpu, gpu or engine\n", stderr);
        return EXIT_USAGE;
    }
    BenchResult result = {0};
    Diags diags;
    diags_init(&diags);
    if (isatty(2))
        fputs("measuring ...\r", stderr);
    if (cpu) {
        status = bench_cpu((size_t)size, (int)threads, &result, &diags);
    } else {
        char *folder = source_library_dir(&diags);
        status = EXIT_ENVIRONMENT;
        if (folder) {
            char *library = xasprintf("%s/libgpukit.so.0", folder);
            status = bench_gpu(library, engine ? "cpu" : "gpu", (size_t)size, &result, &diags);
            free(library);
        }
        free(folder);
    }
    if (!status) {
        json ? print_json(&result) : print_text(&result);
        if (plot)
            status = bench_roofline(&result, plot, &diags);
        if (plot && !status && !json)
            printf("plot: %s.svg, %s.png\n", plot, plot);
    }
    diags_print(&diags, stderr);
    diags_fini(&diags);
    return status;
}
