/* SPDX-License-Identifier: Apache-2.0
 * gpukit support: what is supported and what is refused by name, from the very tables that make the
 * libraries, the PTX parser and the compiler driver. An operand is an area, or a name to look up.
 */
#include "base/buf.h"
#include "base/diag.h"
#include "base/fs.h"
#include "base/options.h"
#include "base/table.h"
#include "ptx/ptx.h"

#include <dirent.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

typedef enum { SUPPORTED, NO_EFFECT, ABSENT, REFUSAL, STATE_COUNT } State;
static const char *const state_names[STATE_COUNT] = {"supported", "no effect", "absent", "refused"};

typedef struct {
    const char *name;
    State state;
} Row;

/* The tables of libraries: a row per exported function. */
#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define SENSOR(name)  {#name, ABSENT},
#define REFUSED(name) {#name, REFUSAL},
static const Row runtime_rows[] = {
#include "runtime/api.def"
};
static const Row driver_rows[] = {
#include "runtime/cuda_api.def"
};
#undef FULL
#undef HINT
#undef SENSOR
#undef REFUSED
#define LIBRARY_ROWS(name) static const Row name##_rows[]

#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define REFUSED(name) {#name, REFUSAL},
LIBRARY_ROWS(cublas) = {
#include "libraries/cublas.def"
};
#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define REFUSED(name) {#name, REFUSAL},
LIBRARY_ROWS(cublaslt) = {
#include "libraries/cublaslt.def"
};
#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define REFUSED(name) {#name, REFUSAL},
LIBRARY_ROWS(cufft) = {
#include "libraries/cufft.def"
};
#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define REFUSED(name) {#name, REFUSAL},
LIBRARY_ROWS(curand) = {
#include "libraries/curand.def"
};
#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define REFUSED(name) {#name, REFUSAL},
LIBRARY_ROWS(cusolver) = {
#include "libraries/cusolver.def"
};
#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define REFUSED(name) {#name, REFUSAL},
LIBRARY_ROWS(cusparse) = {
#include "libraries/cusparse.def"
};
#define FULL(name)    {#name, SUPPORTED},
#define HINT(name)    {#name, NO_EFFECT},
#define SENSOR(name)  {#name, ABSENT},
#define REFUSED(name) {#name, REFUSAL},
LIBRARY_ROWS(nvml) = {
#include "libraries/nvml.def"
};

/* PTX: a row per form of an instruction; "unsupported" is the code generator's name for refusing.
 */
#define EMITS(emit)                                                                                \
    (sizeof(#emit) == sizeof "unsupported" && #emit[0] == 'u' && #emit[2] == 's' ? REFUSAL         \
                                                                                 : SUPPORTED)
static const Row ptx_rows[] = {
#define OP(id, text, pattern, operands, types, effects, emit) {text, EMITS(emit)},
#include "ir/ops.def"
#undef OP
};

/* Options of gpukit cc: by what their actions are called there. */
typedef struct {
    const char *short_form, *long_form, *action;
} CcOption;
static const CcOption cc_options[] = {
#define OPTION(short_form, long_form, kind, action, help) {short_form, long_form, #action},
#include "cli/nvcc_options.def"
#undef OPTION
};

typedef struct {
    const char *name, *what;
    const Row *rows;
    size_t count;
} Area;

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AREA(name, what)                                                                           \
    {                                                                                              \
#name, what, name##_rows, COUNT(name##_rows)                                               \
    }
enum { AREA_FIXED = 10, AREA_CC = AREA_FIXED, AREA_HEADERS, AREA_COUNT };
static Area areas[AREA_COUNT] = {
    AREA(runtime, "CUDA runtime API: libcudart"),
    AREA(driver, "CUDA driver API: libcuda"),
    AREA(ptx, "PTX: forms of instructions"),
    AREA(cublas, "libcublas"),
    AREA(cublaslt, "libcublasLt"),
    AREA(cufft, "libcufft"),
    AREA(curand, "libcurand"),
    AREA(cusolver, "libcusolver"),
    AREA(cusparse, "libcusparse"),
    AREA(nvml, "libnvidia-ml"),
    [AREA_CC] = {"cc", "nvcc's options in gpukit cc", NULL, 0},
    [AREA_HEADERS] = {"headers", "CUDA headers, and what they define where a library refuses", NULL,
                      0},
};

/* --- the areas whose rows are made at run time --------------------------------------------- */

static void fill_cc(Area *area)
{
    Row *rows = xcalloc(COUNT(cc_options), sizeof *rows);
    for (size_t i = 0; i < COUNT(cc_options); ++i) {
        const CcOption *o = &cc_options[i];
        bool none = strcmp(o->action, "ACCEPT") == 0 || strcmp(o->action, "WARN") == 0;
        rows[i].name = o->long_form && strcmp(o->long_form, o->short_form) != 0
                           ? xasprintf("-%s, --%s", o->short_form, o->long_form)
                           : xasprintf("-%s", o->short_form);
        rows[i].state = strcmp(o->action, "REFUSE") == 0 ? REFUSAL : none ? NO_EFFECT : SUPPORTED;
    }
    area->rows = rows;
    area->count = COUNT(cc_options);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Row *)a)->name, ((const Row *)b)->name);
}

/* A header that refuses itself says so with #error. */
static void fill_headers(Area *area)
{
    char *folder = fs_resource("cuda/include");
    DIR *dir = folder ? opendir(folder) : NULL;
    VEC(Row) rows = {0};
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".h") != 0 && strcmp(dot, ".hpp") != 0))
            continue;
        char *path = xasprintf("%s/%s", folder, entry->d_name);
        Buf text = {0};
        bool refused = fs_read(path, &text) == 0 && strstr(buf_text(&text), "#error \"gpukit: ");
        VEC_PUSH(rows, ((Row){xstrdup(entry->d_name), refused ? REFUSAL : SUPPORTED}));
        buf_free(&text);
        free(path);
    }
    if (dir)
        closedir(dir);
    /* Functions that the library refuses, to nvcc's programs, and a header defines, for gpukit's. */
    char *path = folder ? xasprintf("%s/gpukit/texture_reference.h", folder) : NULL;
    Buf text = {0};
    bool defined = path && fs_read(path, &text) == 0;
    for (size_t i = 0; defined && i < COUNT(runtime_rows); ++i) {
        char *call = xasprintf(" %s(", runtime_rows[i].name);
        if (runtime_rows[i].state == REFUSAL && strstr(buf_text(&text), call))
            VEC_PUSH(rows, ((Row){runtime_rows[i].name, SUPPORTED}));
        free(call);
    }
    buf_free(&text);
    free(path);
    free(folder);
    if (rows.count)
        qsort(rows.items, rows.count, sizeof *rows.items, by_name);
    area->rows = rows.items;
    area->count = rows.count;
}

/* --- output -------------------------------------------------------------------------------- */

static void count_states(const Area *area, unsigned counts[STATE_COUNT])
{
    memset(counts, 0, STATE_COUNT * sizeof *counts);
    for (size_t i = 0; i < area->count; ++i)
        counts[area->rows[i].state]++;
}

static json_object *area_json(const Area *area, bool with_rows)
{
    unsigned counts[STATE_COUNT];
    json_object *out = json_object_new_object();
    count_states(area, counts);
    json_object_object_add(out, "area", json_object_new_string(area->name));
    json_object_object_add(out, "what", json_object_new_string(area->what));
    for (int s = 0; s < STATE_COUNT; ++s)
        json_object_object_add(out, state_names[s], json_object_new_int((int)counts[s]));
    json_object *rows = with_rows ? json_object_new_array() : NULL;
    for (size_t i = 0; rows && i < area->count; ++i) {
        json_object *row = json_object_new_object();
        json_object_object_add(row, "name", json_object_new_string(area->rows[i].name));
        json_object_object_add(row, "state",
                               json_object_new_string(state_names[area->rows[i].state]));
        json_object_array_add(rows, row);
    }
    if (rows)
        json_object_object_add(out, "rows", rows);
    return out;
}

static void print_counts(void)
{
    Table *table = table_new("llrrrr");
    static const char *const heads[] = {"area",      "what",   "supported",
                                        "no effect", "absent", "refused"};
    for (size_t i = 0; i < COUNT(heads); ++i)
        table_cell(table, "%s", heads[i]);
    table_end_row(table);
    for (int i = 0; i < AREA_COUNT; ++i) {
        unsigned counts[STATE_COUNT];
        count_states(&areas[i], counts);
        table_cell(table, "%s", areas[i].name);
        table_cell(table, "%s", areas[i].what);
        for (int s = 0; s < STATE_COUNT; ++s)
            table_cell(table, "%u", counts[s]);
        table_end_row(table);
    }
    table_print(table, stdout);
    table_free(table);
    printf("\nWhat is refused says its name when it is used. The rows of an area: gpukit support "
           "AREA\n");
}

static void print_area(const Area *area)
{
    unsigned counts[STATE_COUNT];
    count_states(area, counts);
    printf("%s\n", area->what);
    for (int s = 0; s < STATE_COUNT; ++s) {
        if (!counts[s])
            continue;
        printf("\n%s (%u):\n", state_names[s], counts[s]);
        for (size_t i = 0; i < area->count; ++i)
            if ((int)area->rows[i].state == s)
                printf("  %s\n", area->rows[i].name);
    }
}

/* A name in any area, which may have it several times (forms of an instruction): its states. */
static bool print_name(const char *name, json_object *list)
{
    bool found = false;
    for (int i = 0; i < AREA_COUNT; ++i) {
        unsigned told = 0;
        for (size_t k = 0; k < areas[i].count; ++k) {
            const Row *row = &areas[i].rows[k];
            if (strcmp(row->name, name) != 0 || told >> row->state & 1)
                continue;
            told |= 1u << row->state;
            found = true;
            if (!list) {
                printf("%s: %s (%s)\n", name, state_names[row->state], areas[i].what);
                continue;
            }
            json_object *one = json_object_new_object();
            json_object_object_add(one, "area", json_object_new_string(areas[i].name));
            json_object_object_add(one, "name", json_object_new_string(name));
            json_object_object_add(one, "state", json_object_new_string(state_names[row->state]));
            json_object_array_add(list, one);
        }
    }
    for (size_t i = 0; !found && ptx_refused[i]; ++i) {
        if (strncmp(name, ptx_refused[i], strlen(ptx_refused[i])) != 0)
            continue;
        found = true;
        if (!list) {
            printf("%s: refused (PTX: instructions known by name)\n", name);
            break;
        }
        json_object *one = json_object_new_object();
        json_object_object_add(one, "area", json_object_new_string("ptx"));
        json_object_object_add(one, "name", json_object_new_string(name));
        json_object_object_add(one, "state", json_object_new_string("refused"));
        json_object_array_add(list, one);
    }
    return found;
}

int cmd_support(int argc, char **argv)
{
    bool json = false;
    const Option options[] = {
        {0, "json", OPT_FLAG, &json, NULL, "counts, or the rows of an area, as JSON"},
    };
    const Command command = {
        "support",
        "[AREA | NAME ...]",
        "What gpukit supports and what it refuses: functions, instructions, options, headers.",
        "areas: runtime driver ptx cublas cublaslt cufft curand cusolver cusparse nvml cc headers\n"
        "examples:\n"
        "  gpukit support\n"
        "  gpukit support cublas\n"
        "  gpukit support cudaMallocAsync cublasSgemm_v2",
        options,
        COUNT(options),
        false};
    int count;
    int status = options_parse(&command, argc, argv, &count, NULL);
    if (status)
        return status == 1 ? EXIT_CLEAN : EXIT_USAGE;
    fill_cc(&areas[AREA_CC]);
    fill_headers(&areas[AREA_HEADERS]);
    json_object *list = json ? json_object_new_array() : NULL;
    int code = EXIT_CLEAN;
    if (!count && !json)
        print_counts();
    for (int i = 0; !count && json && i < AREA_COUNT; ++i)
        json_object_array_add(list, area_json(&areas[i], false));
    for (int k = 1; k <= count; ++k) {
        const Area *area = NULL;
        for (int i = 0; i < AREA_COUNT && !area; ++i)
            if (strcmp(areas[i].name, argv[k]) == 0)
                area = &areas[i];
        if (area && json) {
            json_object_array_add(list, area_json(area, true));
        } else if (area) {
            print_area(area);
        } else if (!print_name(argv[k], list)) {
            fprintf(stderr,
                    "gpukit support: '%s' is neither an area nor a name in any table\n"
                    "  help: gpukit support lists the areas\n",
                    argv[k]);
            code = EXIT_FINDINGS;
        }
    }
    if (list)
        puts(json_object_to_json_string_ext(list, JSON_C_TO_STRING_PRETTY));
    json_object_put(list);
    return code;
}
