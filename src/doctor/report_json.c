/* SPDX-License-Identifier: Apache-2.0
 * Doctor's report as JSON: the same facts and findings as the text. Unknown values are absent. */
#include "doctor/checks.h"
#include "doctor/codes.h"
#include "doctor/program.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_object Json;

static void text(Json *object, const char *key, const char *value)
{
    if (value)
        json_object_object_add(object, key, json_object_new_string(value));
}

static void number(Json *object, const char *key, long long value)
{
    json_object_object_add(object, key, json_object_new_int64(value));
}

static void truth(Json *object, const char *key, bool value)
{
    json_object_object_add(object, key, json_object_new_boolean(value));
}

static Json *add(Json *object, const char *key, Json *value)
{
    json_object_object_add(object, key, value);
    return value;
}

static const char *severity_name(DiagSeverity severity)
{
    return severity == DIAG_ERROR ? "error" : severity == DIAG_WARNING ? "warning" : "note";
}

static void add_host(Doctor *doctor, Json *all)
{
    Json *cpu = add(all, "cpu", json_object_new_object());
    text(cpu, "model", doctor->cpu.model);
    number(cpu, "cores", doctor->cpu.cores);
    number(cpu, "threads", doctor->cpu.threads);
    number(cpu, "sockets", doctor->cpu.sockets);
    number(cpu, "numa_nodes", doctor->cpu.nodes);
    text(cpu, "simd", doctor->cpu.simd);
    text(cpu, "caches", doctor->cpu.caches);
    Json *memory = add(all, "memory", json_object_new_object());
    number(memory, "total_bytes", doctor->memory.total);
    number(memory, "available_bytes", doctor->memory.available);
    number(memory, "swap_bytes", doctor->memory.swap);
    Json *system = add(all, "system", json_object_new_object());
    text(system, "distribution", doctor->os.name);
    text(system, "kernel", doctor->kernel);
    text(system, "glibc",
         arena_printf(doctor->arena, "%d.%d", doctor->glibc_major, doctor->glibc_minor));
    text(system, "container", doctor->box.name);
    truth(system, "wsl", doctor->box.wsl);
    text(system, "machine", doctor->box.virtual_machine);
    Json *rights = add(all, "rights", json_object_new_object());
    truth(rights, "root", doctor->root_user);
    if (doctor->driver.ctl_node)
        truth(rights, "gpu_nodes_open", doctor->driver.bad_node == NULL);
    text(rights, "closed_node", doctor->driver.bad_node);
    if (doctor->knows_admin_only)
        truth(rights, "counters_for_all", !doctor->admin_only_counters);
    Json *engine = add(all, "engine", json_object_new_object());
    truth(engine, "ready", doctor->engine.clang && doctor->engine.headers);
    text(engine, "clang", doctor->engine.clang);
    text(engine, "llvm", doctor->engine.llvm);
}

/* The driver libraries' answers as they came: "0.memory_used" becomes gpus[0].memory_used. */
static void add_numbered(Json *list, const Kv *kv, int index)
{
    Json *object = json_object_new_object();
    char prefix[16];
    int length = snprintf(prefix, sizeof prefix, "%d.", index);
    size_t at = 0;
    const char *key;
    void *value;
    number(object, "index", index);
    while (map_next(&kv->map, &at, &key, &value)) {
        if (strncmp(key, prefix, (size_t)length) != 0 || strcmp(key + length, "uuid") == 0)
            continue;
        char *end;
        long long whole = strtoll(value, &end, 10);
        if (*end == 0 && end != (char *)value)
            number(object, key + length, whole);
        else
            text(object, key + length, value);
    }
    json_object_array_add(list, object);
}

static void add_gpus(Doctor *doctor, Json *all)
{
    Json *pci = add(all, "pci", json_object_new_array());
    for (size_t i = 0; i < doctor->gpus.count; ++i) {
        const PciGpu *gpu = &doctor->gpus.items[i];
        Json *object = json_object_new_object();
        text(object, "slot", gpu->slot);
        text(object, "vendor", arena_printf(doctor->arena, "%04lx", gpu->vendor));
        text(object, "device", arena_printf(doctor->arena, "%04lx", gpu->device));
        text(object, "name", gpu->name);
        text(object, "driver", gpu->driver);
        text(object, "runtime_status", gpu->runtime_status);
        if (gpu->width_max > 0) {
            number(object, "link_width", gpu->width);
            number(object, "link_width_max", gpu->width_max);
        }
        json_object_array_add(pci, object);
    }
    Json *gpus = add(all, "gpus", json_object_new_array());
    for (int i = 0; i < doctor->nvml_count; ++i)
        add_numbered(gpus, &doctor->nvml, i);
    Json *devices = add(all, "cuda_devices", json_object_new_array());
    for (int i = 0; i < kv_int(&doctor->cuda, 0, "count"); ++i)
        add_numbered(devices, &doctor->cuda, i);
    Json *driver = add(all, "driver", json_object_new_object());
    text(driver, "module", doctor->driver.loaded);
    text(driver, "flavour", doctor->driver.flavour);
    text(driver, "libcuda", doctor->cuda_path);
    text(driver, "libnvidia_ml", doctor->nvml_path);
    if (doctor->nvml_init >= 0)
        number(driver, "nvml_init", doctor->nvml_init);
    if (doctor->cuda_init >= 0) {
        number(driver, "cuda_init", doctor->cuda_init);
        text(driver, "cuda_init_name", cuda_code_name(doctor->cuda_init));
    }
    text(driver, "failed", doctor->cuda.failed ? doctor->cuda.failed : doctor->nvml.failed);
}

static void add_toolkits(Doctor *doctor, Json *all)
{
    Json *list = add(all, "toolkits", json_object_new_array());
    for (size_t i = 0; i < doctor->toolkits.count; ++i) {
        const Toolkit *kit = &doctor->toolkits.items[i];
        Json *object = json_object_new_object();
        text(object, "version", arena_printf(doctor->arena, "%d.%d", kit->major, kit->minor));
        text(object, "folder", kit->folder);
        text(object, "found_by", kit->found_by);
        text(object, "nvcc", kit->nvcc);
        text(object, "missing", kit->missing);
        if (kit->gcc_limit)
            number(object, "gcc_limit", kit->gcc_limit);
        if (kit->clang_limit)
            number(object, "clang_limit", kit->clang_limit);
        text(object, "nvrtc", kit->nvrtc);
        text(object, "cudnn", kit->cudnn);
        text(object, "nccl", kit->nccl);
        json_object_array_add(list, object);
    }
    list = add(all, "compilers", json_object_new_array());
    for (size_t i = 0; i < doctor->compilers.count; ++i) {
        Json *object = json_object_new_object();
        text(object, "command", doctor->compilers.items[i].command);
        text(object, "path", doctor->compilers.items[i].path);
        number(object, "version", doctor->compilers.items[i].major);
        json_object_array_add(list, object);
    }
    Json *versions = add(all, "cuda_versions", json_object_new_object());
    if (doctor->cuda_version)
        text(versions, "driver", version_text(doctor->arena, doctor->cuda_version));
    if (doctor->toolkits.count)
        text(versions, "toolkit",
             version_text(doctor->arena, version_pack(doctor->toolkits.items[0].major,
                                                      doctor->toolkits.items[0].minor)));
    if (doctor->program)
        text(versions, "program", program_version_text(doctor));
}

static void add_program(Doctor *doctor, Json *all)
{
    const Program *program = doctor->program;
    Json *object = add(all, "program", json_object_new_object());
    text(object, "path", program->path);
    text(object, "processor", program->machine);
    truth(object, "uses_cuda", program->uses_cuda);
    truth(object, "runs_here", program->runs_here);
    truth(object, "runs_on_cpu_engine", program->runs_on_engine);
    text(object, "verdict", program->verdict);
    Json *codes = add(object, "gpu_code", json_object_new_array());
    for (size_t i = 0; i < program->codes.count; ++i) {
        const FatbinEntry *code = &program->codes.items[i];
        Json *one = json_object_new_object();
        char name[32];
        snprintf(name, sizeof name, "%s%d%.1s", code->kind == FATBIN_PTX ? "compute_" : "sm_",
                 code->arch, &code->suffix);
        text(one, "architecture", name);
        if (code->ptx_version)
            text(one, "ptx_version",
                 arena_printf(doctor->arena, "%d.%d", code->ptx_version / 10,
                              code->ptx_version % 10));
        truth(one, "compressed", code->lz4 || code->zstd);
        json_object_array_add(codes, one);
    }
    Json *libraries = add(object, "libraries", json_object_new_array());
    for (size_t i = 0; i < program->libraries.count; ++i) {
        Json *one = json_object_new_object();
        text(one, "name", program->libraries.items[i].soname);
        text(one, "path", program->libraries.items[i].path);
        json_object_array_add(libraries, one);
    }
}

static void add_lines(Doctor *doctor, Json *object, const char *key, const char *lines,
                      char separator)
{
    Json *list = add(object, key, json_object_new_array());
    Names names = split(doctor->arena, lines, separator);
    for (size_t i = 0; i < names.count; ++i)
        json_object_array_add(list,
                              json_object_new_string(names.items[i] + strspn(names.items[i], " ")));
}

static int add_findings(Doctor *doctor, Json *all)
{
    Json *list = add(all, "findings", json_object_new_array());
    int problems = 0;
    for (size_t i = 0; i < doctor->findings.count; ++i) {
        const Finding *finding = doctor->findings.items[i];
        const CheckRow *row = &check_rows[finding->check];
        problems += finding->severity > DIAG_NOTE;
        Json *object = json_object_new_object();
        text(object, "id", row->id);
        text(object, "severity", severity_name(finding->severity));
        text(object, "title", row->title);
        text(object, "seen", finding->seen);
        text(object, "cause", row->cause);
        Json *evidence = add(object, "evidence", json_object_new_array());
        for (size_t k = 0; k < finding->evidence.count; ++k) {
            Json *one = json_object_new_object();
            text(one, "source", finding->evidence.items[k].file);
            text(one, "value", finding->evidence.items[k].value);
            json_object_array_add(evidence, one);
        }
        add_lines(doctor, object, "fix", finding->fix, '\n');
        add_lines(doctor, object, "see", row->reported, ',');
        json_object_array_add(list, object);
    }
    return problems;
}

char *report_json(Doctor *doctor)
{
    Json *all = json_object_new_object();
    text(all, "schema", "gpukit-doctor-1");
    add_host(doctor, all);
    add_gpus(doctor, all);
    add_toolkits(doctor, all);
    if (doctor->program)
        add_program(doctor, all);
    number(all, "problems", add_findings(doctor, all));
    Json *unreadable = add(all, "unreadable", json_object_new_array());
    for (size_t i = 0; i < doctor->machine->unreadable.count; ++i) {
        Json *one = json_object_new_object();
        text(one, "path", doctor->machine->unreadable.items[i].path);
        text(one, "why", doctor->machine->unreadable.items[i].why);
        json_object_array_add(unreadable, one);
    }
    char *copy = xstrdup(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY |
                                                                 JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(all);
    return copy;
}
