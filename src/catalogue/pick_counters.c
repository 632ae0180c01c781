/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of a measured CUDA program, and its time on another GPU: each kernel takes as long as
 * its slowest part (DRAM bytes, operations per type), each part scaled with the rate of that part;
 * launches cost the same everywhere, copies go at the rate of the PCIe generation. When the time on
 * one GPU was measured, the model's error there is carried over to the others. */
#include "catalogue/pick.h"
#include "base/buf.h"
#include "base/fs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNTERS_SCHEMA "gpukit-counters-1"

typedef struct {
    const char *name;
    size_t offset;
} Member;

#define M(member)                                                                                  \
    {                                                                                              \
#member, offsetof(PickKernel, member)                                                      \
    }
static const Member kernel_members[] = {
    M(launches),  M(block_threads), M(block_shared), M(registers),     M(dram_bytes),   M(l2_bytes),
    M(flop_fp64), M(flop_fp32),     M(flop_fp16),    M(flop_tensor16), M(flop_tensor8), M(int_ops)};

static bool read_real(json_object *object, const char *name, double *value, const char *file,
                      Diags *diags)
{
    json_object *member = NULL;
    if (!json_object_object_get_ex(object, name, &member) || !member)
        return true;
    double number = json_object_get_double(member);
    if ((!json_object_is_type(member, json_type_double) &&
         !json_object_is_type(member, json_type_int)) ||
        !isfinite(number) || number < 0) {
        diag_add(diags, DIAG_ERROR, file, 0, 0, "\"%s\" must be a number of zero or more, is %.60s",
                 name, json_object_to_json_string(member));
        return false;
    }
    *value = number;
    return true;
}

static const char *read_text(json_object *object, const char *name, Arena *arena)
{
    json_object *member = NULL;
    if (!json_object_object_get_ex(object, name, &member) ||
        !json_object_is_type(member, json_type_string))
        return NULL;
    return arena_strdup(arena, json_object_get_string(member));
}

static bool read_kernel(json_object *object, PickKernel *kernel, const char *file, Arena *arena,
                        Diags *diags)
{
    const char *name = read_text(object, "name", arena);
    if (!json_object_is_type(object, json_type_object)) {
        diag_add(diags, DIAG_ERROR, file, 0, 0, "each of \"kernels\" must be an object");
        return false;
    }
    kernel->name = arena_strdup(arena, name ? name : "(unnamed)");
    kernel->launches = 1;
    bool good = true;
    for (size_t i = 0; i < sizeof kernel_members / sizeof *kernel_members; ++i)
        good &= read_real(object, kernel_members[i].name,
                          (double *)((char *)kernel + kernel_members[i].offset), file, diags);
    if (good && !(kernel->launches >= 1)) {
        diag_add(diags, DIAG_ERROR, file, 0, 0, "kernel %s: \"launches\" must be 1 or more",
                 kernel->name);
        good = false;
    }
    return good;
}

static bool read_program(const Catalogue *c, json_object *root, PickCounters *counters,
                         const char *file, Arena *arena, Diags *diags)
{
    json_object *kernels = NULL;
    const char *schema = read_text(root, "schema", arena),
               *gpu = read_text(root, "measured_on", arena);
    if (!schema || strcmp(schema, COUNTERS_SCHEMA) != 0) {
        diag_add(diags, DIAG_ERROR, file, 0, 0,
                 "\"schema\" is %s, expected \"" COUNTERS_SCHEMA "\"", schema ? schema : "missing");
        return false;
    }
    const char *program = read_text(root, "program", arena);
    counters->program = arena_strdup(arena, program ? program : file);
    counters->measured_seconds = NAN;
    bool good = read_real(root, "min_cc", &counters->min_cc, file, diags) &
                read_real(root, "memory_bytes", &counters->memory_bytes, file, diags) &
                read_real(root, "copy_bytes", &counters->copy_bytes, file, diags) &
                read_real(root, "host_seconds", &counters->host_seconds, file, diags) &
                read_real(root, "measured_seconds", &counters->measured_seconds, file, diags);
    if (gpu && !(counters->measured_on = catalogue_find_gpu(c, gpu))) {
        diag_add(diags, DIAG_ERROR, file, 0, 0, "\"measured_on\": no GPU '%s' in the catalogue",
                 gpu);
        good = false;
    }
    if (!json_object_object_get_ex(root, "kernels", &kernels) ||
        !json_object_is_type(kernels, json_type_array) || json_object_array_length(kernels) == 0) {
        diag_add(diags, DIAG_ERROR, file, 0, 0,
                 "\"kernels\" must be an array of at least one kernel");
        return false;
    }
    size_t count = json_object_array_length(kernels);
    counters->kernels.items = ARENA_ARRAY(arena, PickKernel, count);
    counters->kernels.count = count;
    for (size_t i = 0; i < count; ++i)
        good &= read_kernel(json_object_array_get_idx(kernels, i), &counters->kernels.items[i],
                            file, arena, diags);
    return good;
}

PickCounters *pick_counters_parse(const Catalogue *c, const char *file, const char *text,
                                  size_t size, Arena *arena, Diags *diags)
{
    json_tokener *tokener = json_tokener_new_ex(32);
    json_object *root = size < 1 << 30 ? json_tokener_parse_ex(tokener, text, (int)size) : NULL;
    PickCounters *counters = ARENA_NEW(arena, PickCounters);
    bool good = false;
    if (!root || !json_object_is_type(root, json_type_object))
        diag_add(diags, DIAG_ERROR, file, 0, 0, "not a JSON object: %s at byte %zu",
                 json_tokener_error_desc(json_tokener_get_error(tokener)),
                 json_tokener_get_parse_end(tokener));
    else
        good = read_program(c, root, counters, file, arena, diags);
    json_object_put(root);
    json_tokener_free(tokener);
    return good ? counters : NULL;
}

PickCounters *pick_counters_read(const Catalogue *c, const char *path, Arena *arena, Diags *diags)
{
    Buf text = {0};
    PickCounters *counters = NULL;
    int error = fs_read(path, &text);
    if (error) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "%s", strerror(-error));
        diag_help(diags,
                  "counters in the schema " COUNTERS_SCHEMA ", see docs/architecture/catalogue.md");
    } else {
        counters = pick_counters_parse(c, path, buf_text(&text), text.count, arena, diags);
    }
    buf_free(&text);
    return counters;
}

/* Bytes per second of a x16 link, about 80 % of the nominal 1e9 x 15.75, 31.5, 63, 126. */
static double copy_rate(const CatalogueGpu *gpu)
{
    double gen = isnan(gpu->pcie_gen) ? 3 : gpu->pcie_gen;
    return 12.5e9 * pow(2, gen - 3);
}

static double part(double amount, double tera_rate, bool *missing)
{
    if (!(amount > 0))
        return 0;
    *missing |= isnan(tera_rate) || tera_rate <= 0;
    return amount / (tera_rate * 1e12);
}

static double model_seconds(const PickCounters *counters, const CatalogueGpu *g, double share,
                            const char **bound, double *fixed)
{
    double total = 0, memory_time = 0;
    bool missing = false;
    *fixed = counters->host_seconds + counters->copy_bytes / copy_rate(g);
    for (size_t i = 0; i < counters->kernels.count; ++i) {
        const PickKernel *k = &counters->kernels.items[i];
        double dram = part(k->dram_bytes, g->bw_gbs / 1000 * 0.85 * share, &missing);
        double math = part(k->flop_fp64, catalogue_fp64(g) * share, &missing);
        math += part(k->flop_fp32, g->fp32_tflops * share, &missing);
        math += part(k->flop_fp16, g->fp32_tflops * (g->cc >= 8.6 ? 1 : 2) * share, &missing);
        math += part(k->flop_tensor16, g->fp16_tflops * share, &missing);
        math += part(k->flop_tensor8, g->fp8_tflops * share, &missing);
        math += part(k->int_ops, g->fp32_tflops / 4 * share, &missing);
        total += fmax(dram, math / 0.8);
        memory_time += dram > math / 0.8 ? dram : 0;
        *fixed += k->launches * 5e-6;
    }
    *bound = memory_time > total / 2 ? "bandwidth"
             : *fixed > total        ? "launches, copies"
                                     : "compute";
    return missing ? NAN : total;
}

PickBand pick_counters_seconds(const PickCounters *counters, const CatalogueGpu *gpu, double share,
                               const char **bound)
{
    double fixed, there_fixed, factor = 1, spread = 1.6;
    const char *ignore;
    double kernel = model_seconds(counters, gpu, share, bound, &fixed);
    if (counters->measured_on && !isnan(counters->measured_seconds)) {
        double there = model_seconds(counters, counters->measured_on, 1, &ignore, &there_fixed);
        if (there > 0) {
            factor = fmax(0.2, counters->measured_seconds / (there + there_fixed));
            spread = 1.3;
        }
    }
    double mid = kernel * factor + fixed;
    return (PickBand){fixed + kernel * factor / spread, mid, fixed + kernel * factor * spread};
}
