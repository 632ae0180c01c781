/* SPDX-License-Identifier: Apache-2.0
 * A libnvidia-ml that answers what a recorded machine's did. A device handle is its index + 1. */
#include "stub.h"

#include <stdint.h>

typedef struct NvmlDevice *Device;
enum { NOT_SUPPORTED = 3 };

static int index_of(Device device)
{
    return (int)(intptr_t)device - 1;
}

static int give(Device device, const char *key, unsigned *value)
{
    const char *text = device_fact(index_of(device), key);
    if (!text)
        return NOT_SUPPORTED;
    *value = (unsigned)strtoul(text, NULL, 10);
    return 0;
}

static int give_wide(Device device, const char *key, unsigned long long *value)
{
    const char *text = device_fact(index_of(device), key);
    if (!text)
        return NOT_SUPPORTED;
    *value = strtoull(text, NULL, 10);
    return 0;
}

static int give_text(const char *text, char *to, unsigned room)
{
    if (!text)
        return NOT_SUPPORTED;
    snprintf(to, room, "%s", text);
    return 0;
}

STUB int nvmlInit_v2(void)
{
    load_facts((void *)nvmlInit_v2);
    return code_of(fact("init"), 0);
}

STUB int nvmlSystemGetDriverVersion(char *to, unsigned room)
{
    return give_text(fact("driver"), to, room);
}

STUB int nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    const char *text = fact("cuda");
    *version = text ? atoi(text) : 0;
    return text ? 0 : NOT_SUPPORTED;
}

STUB int nvmlDeviceGetCount_v2(unsigned *count)
{
    const char *text = fact("count");
    *count = text ? (unsigned)atoi(text) : 0;
    return 0;
}

STUB int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device *device)
{
    *device = (Device)(intptr_t)(index + 1);
    return code_of(device_fact((int)index, "handle"), 0);
}

STUB int nvmlDeviceGetName(Device device, char *to, unsigned room)
{
    return give_text(device_fact(index_of(device), "name"), to, room);
}

STUB int nvmlDeviceGetUUID(Device device, char *to, unsigned room)
{
    return give_text(device_fact(index_of(device), "uuid"), to, room);
}

STUB int nvmlDeviceGetPciInfo_v3(Device device, void *info)
{
    /* The bus id in text lies behind a 16-byte old one and five numbers. */
    return give_text(device_fact(index_of(device), "pci"), (char *)info + 16 + 5 * 4, 32);
}

STUB int nvmlDeviceGetCudaComputeCapability(Device device, int *major, int *minor)
{
    const char *text = device_fact(index_of(device), "cc");
    return text && sscanf(text, "%d.%d", major, minor) == 2 ? 0 : NOT_SUPPORTED;
}

STUB int nvmlDeviceGetMemoryInfo_v2(Device device, void *memory)
{
    struct {
        unsigned version;
        unsigned long long total, reserved, free, used;
    } *info = memory;
    if (info->version != (sizeof *info | 2u << 24))
        return 25; /* a caller with another idea of the structure */
    return give_wide(device, "memory_total", &info->total) |
           give_wide(device, "memory_used", &info->used) |
           give_wide(device, "memory_reserved", &info->reserved) |
           give_wide(device, "memory_free", &info->free);
}

#define VALUE(key, name, type)                                                                     \
    STUB int name(Device device, type *value)                                                      \
    {                                                                                              \
        return sizeof(type) > sizeof(unsigned)                                                     \
                   ? give_wide(device, #key, (unsigned long long *)value)                          \
                   : give(device, #key, (unsigned *)value);                                        \
    }
#define VALUE_OF(key, name, argument, type)
#include "doctor/nvml_values.def"
#undef VALUE
#undef VALUE_OF

static int give_of(const char *function, Device device, int argument, unsigned *value)
{
#define VALUE(key, name, type)
#define VALUE_OF(key, name, wanted, type)                                                          \
    if (strcmp(function, #name) == 0 && argument == wanted)                                        \
        return give(device, #key, value);
#include "doctor/nvml_values.def"
#undef VALUE
#undef VALUE_OF
    return NOT_SUPPORTED;
}

STUB int nvmlDeviceGetTemperature(Device device, int sensor, unsigned *value)
{
    return give_of("nvmlDeviceGetTemperature", device, sensor, value);
}

STUB int nvmlDeviceGetClockInfo(Device device, int clock, unsigned *value)
{
    return give_of("nvmlDeviceGetClockInfo", device, clock, value);
}

STUB int nvmlDeviceGetMaxClockInfo(Device device, int clock, unsigned *value)
{
    return give_of("nvmlDeviceGetMaxClockInfo", device, clock, value);
}

STUB int nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned *count, void *list)
{
    struct {
        unsigned pid;
        unsigned long long bytes;
        unsigned gpu_instance, compute_instance;
    } *one = list;
    unsigned processes = 0;
    unsigned long long bytes = 0;
    int code = give(device, "processes", &processes);
    give_wide(device, "processes_bytes", &bytes);
    for (unsigned i = 0; i < processes && i < *count; ++i)
        one[i].pid = 1000 + i, one[i].bytes = i ? 0 : bytes;
    *count = processes;
    return code;
}

STUB int nvmlDeviceGetEccMode(Device device, unsigned *current, unsigned *pending)
{
    *pending = 0;
    return give(device, "ecc", current);
}

STUB int nvmlDeviceGetMigMode(Device device, unsigned *current, unsigned *pending)
{
    *pending = 0;
    return give(device, "mig", current);
}

STUB int nvmlDeviceGetMigDeviceHandleByIndex(Device device, unsigned index, Device *slice)
{
    unsigned count = 0;
    *slice = device;
    give(device, "mig_instances", &count);
    return index < count ? 0 : 6;
}

STUB int nvmlDeviceGetRemappedRows(Device device, unsigned *corrected, unsigned *uncorrected,
                                   unsigned *pending, unsigned *failed)
{
    give(device, "rows_corrected", corrected);
    give(device, "rows_uncorrected", uncorrected);
    give(device, "rows_failed", failed);
    return give(device, "rows_pending", pending);
}

STUB int nvmlDeviceGetTotalEccErrors(Device device, int kind, int counter,
                                     unsigned long long *errors)
{
    return kind == 1 && counter == 0 ? give_wide(device, "ecc_uncorrected", errors) : NOT_SUPPORTED;
}

STUB int nvmlDeviceGetUtilizationRates(Device device, unsigned *rates)
{
    rates[1] = 0;
    return give(device, "busy_percent", rates);
}
