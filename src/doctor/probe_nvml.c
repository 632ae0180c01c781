/* SPDX-License-Identifier: Apache-2.0
 * NVML: what the driver says about each card. libnvidia-ml.so.1 is opened in a child process with
 * a time limit; the structures below are written from the NVML API reference. */
#include "doctor/doctor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct NvmlDevice *Device;
typedef struct {
    unsigned version;
    unsigned long long total, reserved, free, used;
} MemoryV2;
typedef struct {
    unsigned long long total, free, used;
} MemoryV1;
typedef struct {
    char legacy_id[16];
    unsigned domain, bus, device, device_id, subsystem_id;
    char id[32];
} PciInfo;
typedef struct {
    unsigned pid;
    unsigned long long bytes;
    unsigned gpu_instance, compute_instance;
} ProcessInfo;
typedef struct {
    unsigned gpu, memory;
} Utilization;
typedef struct {
    unsigned version, value;
} AddressingMode;

enum {
    MAX_GPUS = 64,
    MAX_PROCESSES = 256,
    MEMORY_V2 = sizeof(MemoryV2) | 2 << 24,
    ADDRESSING_V1 = sizeof(AddressingMode) | 1 << 24,
    STRING = 96
};

typedef struct {
    const char *library; /* path in an image, soname on this machine */
    size_t root_length;
} Request;

typedef struct {
    void *library;
    int out;
    Device device;
    int index;
} Nvml;

static void *function(const Nvml *nvml, const char *name)
{
    return dlsym(nvml->library, name);
}

static void say(const Nvml *nvml, const char *key, const char *format, unsigned long long value)
{
    char whole[64], text[64];
    snprintf(whole, sizeof whole, "%d.%s", nvml->index, key);
    snprintf(text, sizeof text, format, value);
    kv_line(nvml->out, whole, "%s", text);
}

static void say_text(const Nvml *nvml, const char *key, const char *text)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%d.%s", nvml->index, key);
    kv_line(nvml->out, whole, "%s", text);
}

static void say_number(const Nvml *nvml, const char *key, const char *name, int argument, bool wide)
{
    union {
        unsigned small;
        unsigned long long big;
    } value = {.big = 0};
    void *found = function(nvml, name);
    if (!found)
        return;
    int code = argument < 0 ? ((int (*)(Device, void *))found)(nvml->device, &value)
                            : ((int (*)(Device, int, void *))found)(nvml->device, argument, &value);
    if (code == 0)
        say(nvml, key, "%llu", wide ? value.big : value.small);
}

static void say_memory(const Nvml *nvml)
{
    int (*newer)(Device, MemoryV2 *) = function(nvml, "nvmlDeviceGetMemoryInfo_v2");
    int (*older)(Device, MemoryV1 *) = function(nvml, "nvmlDeviceGetMemoryInfo");
    MemoryV2 two = {.version = MEMORY_V2};
    MemoryV1 one;
    if (newer && newer(nvml->device, &two) == 0) {
        say(nvml, "memory_reserved", "%llu", two.reserved);
    } else if (older && older(nvml->device, &one) == 0) {
        two.total = one.total, two.free = one.free, two.used = one.used;
    } else {
        return;
    }
    say(nvml, "memory_total", "%llu", two.total);
    say(nvml, "memory_free", "%llu", two.free);
    say(nvml, "memory_used", "%llu", two.used);
}

static void say_processes(const Nvml *nvml)
{
    static const char *const names[] = {"nvmlDeviceGetComputeRunningProcesses_v3",
                                        "nvmlDeviceGetGraphicsRunningProcesses_v3"};
    static ProcessInfo list[MAX_PROCESSES];
    unsigned long long bytes = 0, hidden = 0;
    unsigned total = 0;
    bool known = false;
    for (int i = 0; i < 2; ++i) {
        int (*ask)(Device, unsigned *, ProcessInfo *) = function(nvml, names[i]);
        unsigned count = MAX_PROCESSES;
        if (!ask || ask(nvml->device, &count, list) != 0)
            continue;
        known = true;
        for (unsigned k = 0; k < count && k < MAX_PROCESSES; ++k) {
            /* All ones: the driver does not say (WSL, containers). */
            if (list[k].bytes == ~0ull)
                hidden++;
            else
                bytes += list[k].bytes;
        }
        total += count;
    }
    if (known) {
        say(nvml, "processes", "%llu", total);
        say(nvml, "processes_bytes", "%llu", bytes);
        say(nvml, "processes_hidden", "%llu", hidden);
    }
}

static void say_health(const Nvml *nvml)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    int (*pair)(Device, unsigned *, unsigned *) = function(nvml, "nvmlDeviceGetEccMode");
    if (pair && pair(nvml->device, &a, &b) == 0)
        say(nvml, "ecc", "%llu", a);
    int (*rows)(Device, unsigned *, unsigned *, unsigned *, unsigned *) =
        function(nvml, "nvmlDeviceGetRemappedRows");
    if (rows && rows(nvml->device, &a, &b, &c, &d) == 0) {
        say(nvml, "rows_corrected", "%llu", a);
        say(nvml, "rows_uncorrected", "%llu", b);
        say(nvml, "rows_pending", "%llu", c);
        say(nvml, "rows_failed", "%llu", d);
    }
    unsigned long long errors = 0;
    int (*ecc)(Device, int, int, unsigned long long *) =
        function(nvml, "nvmlDeviceGetTotalEccErrors");
    if (ecc && ecc(nvml->device, 1, 0, &errors) == 0)
        say(nvml, "ecc_uncorrected", "%llu", errors);
    pair = function(nvml, "nvmlDeviceGetMigMode");
    if (pair && pair(nvml->device, &a, &b) == 0) {
        say(nvml, "mig", "%llu", a);
        int (*slice)(Device, unsigned, Device *) =
            function(nvml, "nvmlDeviceGetMigDeviceHandleByIndex");
        unsigned found = 0;
        Device handle;
        for (unsigned i = 0; a == 1 && slice && i < 16; ++i)
            found += slice(nvml->device, i, &handle) == 0;
        say(nvml, "mig_instances", "%llu", found);
    }
    Utilization use;
    int (*busy)(Device, Utilization *) = function(nvml, "nvmlDeviceGetUtilizationRates");
    if (busy && busy(nvml->device, &use) == 0)
        say(nvml, "busy_percent", "%llu", use.gpu);
    AddressingMode mode = {.version = ADDRESSING_V1};
    int (*addressing)(Device, AddressingMode *) = function(nvml, "nvmlDeviceGetAddressingMode");
    if (addressing && addressing(nvml->device, &mode) == 0)
        say(nvml, "addressing", "%llu", mode.value);
}

static void say_device(Nvml *nvml)
{
    char text[STRING] = "";
    PciInfo pci;
    memset(&pci, 0, sizeof pci);
    int (*string)(Device, char *, unsigned) = function(nvml, "nvmlDeviceGetName");
    if (string && string(nvml->device, text, sizeof text) == 0)
        say_text(nvml, "name", text);
    string = function(nvml, "nvmlDeviceGetUUID");
    if (string && string(nvml->device, text, sizeof text) == 0)
        say_text(nvml, "uuid", text);
    int (*where)(Device, PciInfo *) = function(nvml, "nvmlDeviceGetPciInfo_v3");
    if (where && where(nvml->device, &pci) == 0)
        say_text(nvml, "pci", pci.id);
    int major = 0, minor = 0;
    int (*capability)(Device, int *, int *) = function(nvml, "nvmlDeviceGetCudaComputeCapability");
    if (capability && capability(nvml->device, &major, &minor) == 0) {
        snprintf(text, sizeof text, "%d.%d", major, minor);
        say_text(nvml, "cc", text);
    }
    say_memory(nvml);
#define VALUE(key, name, type) say_number(nvml, #key, #name, -1, sizeof(type) > sizeof(unsigned));
#define VALUE_OF(key, name, argument, type)                                                        \
    say_number(nvml, #key, #name, argument, sizeof(type) > sizeof(unsigned));
#include "doctor/nvml_values.def"
#undef VALUE
#undef VALUE_OF
    say_processes(nvml);
    say_health(nvml);
}

static void child(int out, void *context)
{
    const Request *request = context;
    Nvml nvml = {.out = out};
    nvml.library = dlopen(request->library, RTLD_NOW | RTLD_LOCAL);
    if (!nvml.library) {
        kv_line(out, "load", "%s", dlerror());
        return;
    }
    if (dlsym(nvml.library, "nvml_is_gpukit")) { /* describes no card of this machine */
        kv_line(out, "load", "%s: gpukit's own library, not the driver's", request->library);
        return;
    }
    kv_line(out, "load", "ok");
    int (*init)(void) = function(&nvml, "nvmlInit_v2");
    Dl_info info;
    if (init && dladdr((void *)init, &info) && info.dli_fname)
        kv_line(out, "path", "%s", info.dli_fname + request->root_length);
    if (!init) {
        kv_line(out, "load", "no nvmlInit_v2 in it");
        return;
    }
    int code = init();
    kv_line(out, "init", "%d", code);
    if (code != 0)
        return;
    char text[STRING];
    int version = 0;
    int (*string)(char *, unsigned) = function(&nvml, "nvmlSystemGetDriverVersion");
    if (string && string(text, sizeof text) == 0)
        kv_line(out, "driver", "%s", text);
    int (*number)(int *) = function(&nvml, "nvmlSystemGetCudaDriverVersion_v2");
    if (number && number(&version) == 0)
        kv_line(out, "cuda", "%d", version);
    unsigned count = 0;
    int (*how_many)(unsigned *) = function(&nvml, "nvmlDeviceGetCount_v2");
    if (!how_many || how_many(&count) != 0)
        return;
    count = count > MAX_GPUS ? MAX_GPUS : count;
    kv_line(out, "count", "%u", count);
    int (*get)(unsigned, Device *) = function(&nvml, "nvmlDeviceGetHandleByIndex_v2");
    for (unsigned i = 0; get && i < count && i < MAX_GPUS; ++i) {
        nvml.index = (int)i;
        code = get(i, &nvml.device);
        say(&nvml, "handle", "%llu", (unsigned)code);
        if (code == 0)
            say_device(&nvml);
    }
}

void probe_nvml(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    doctor->nvml_init = -1;
    doctor->nvml_count = -1;
    const char *path = machine_library(machine, "libnvidia-ml.so.1", NULL);
    doctor->nvml_path = path ? machine_real(machine, path) : NULL;
    if (!doctor->nvml_path || (doctor->nvidia_asleep && !doctor->wake))
        return;
    Request request = {"libnvidia-ml.so.1", strlen(machine->root)};
    if (!machine_is_live(machine))
        request.library = machine_host(machine, path);
    machine_child(machine, doctor->limit, child, &request, &doctor->nvml);
    doctor->nvml_init = (int)kv_int(&doctor->nvml, -1, "init");
    doctor->nvml_count = (int)kv_int(&doctor->nvml, -1, "count");
    machine_record(machine, 's', doctor->nvml_path, "nvml");
}
