/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvidia-ml: the described devices (GPUKIT_AS, GPUKIT_DEVICES) for monitoring programs: which
 * they are, their memory as this process uses it, this process. A described device has no sensors:
 * temperature, power, clocks and load are NVML_ERROR_NOT_SUPPORTED, without a message, as on cards
 * without them. For a real GPU NVIDIA's own library is the right one. */
#include "libraries/library.h"

#include <fcntl.h>
#include <nvml.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* NVML's names that our header redirects. */
#undef nvmlInit
#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId
#undef nvmlDeviceGetPciInfo
#undef nvmlDeviceGetComputeRunningProcesses
#undef nvmlDeviceGetGraphicsRunningProcesses

enum {
    MAX_DEVICES = 64,
    ATTRIBUTE_CLOCK = 13,
    ATTRIBUTE_COMPUTE_MODE = 20,
    ATTRIBUTE_MEMORY_CLOCK = 36,
    ATTRIBUTE_BUS_WIDTH = 37
};

/* Handles are places in this array. */
struct nvmlDevice_st {
    char unused;
};
static struct nvmlDevice_st handles[MAX_DEVICES];
static _Atomic int users; /* nvmlInit less nvmlShutdown */

/* So that programs that look for NVIDIA's library can tell (doctor). */
RT_API extern const int nvml_is_gpukit;
const int nvml_is_gpukit = 1;

static nvmlReturn_t status_of(int error)
{
    switch (error) {
    case RT_OK:
        return NVML_SUCCESS;
    case RT_INVALID_VALUE:
        return NVML_ERROR_INVALID_ARGUMENT;
    case RT_NOT_SUPPORTED:
        return NVML_ERROR_LIBRARY_NOT_FOUND;
    case RT_NO_DEVICE:
        return NVML_ERROR_DRIVER_NOT_LOADED;
    default:
        return NVML_ERROR_UNKNOWN;
    }
}

nvmlReturn_t nvmlInit_v2(void)
{
    int error = lib_begin("NVML");
    if (!error)
        users++;
    return status_of(error);
}
nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    (void)flags;
    return nvmlInit_v2();
}
nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlInit(void)
{
    return nvmlInit_v2();
}
nvmlReturn_t nvmlShutdown(void)
{
    if (users <= 0)
        return NVML_ERROR_UNINITIALIZED;
    users--;
    return NVML_SUCCESS;
}

const char *nvmlErrorString(nvmlReturn_t result)
{
    static const char *const texts[] = {
        [NVML_SUCCESS] = "Success",
        [NVML_ERROR_UNINITIALIZED] = "Uninitialized",
        [NVML_ERROR_INVALID_ARGUMENT] = "Invalid Argument",
        [NVML_ERROR_NOT_SUPPORTED] = "Not Supported",
        [NVML_ERROR_NO_PERMISSION] = "Insufficient Permissions",
        [NVML_ERROR_ALREADY_INITIALIZED] = "Already Initialized",
        [NVML_ERROR_NOT_FOUND] = "Not Found",
        [NVML_ERROR_INSUFFICIENT_SIZE] = "Insufficient Size",
        [NVML_ERROR_INSUFFICIENT_POWER] = "Insufficient External Power",
        [NVML_ERROR_DRIVER_NOT_LOADED] = "Driver Not Loaded",
        [NVML_ERROR_TIMEOUT] = "Timeout",
        [NVML_ERROR_IRQ_ISSUE] = "Interrupt Request Issue",
        [NVML_ERROR_LIBRARY_NOT_FOUND] = "NVML Shared Library Not Found",
        [NVML_ERROR_FUNCTION_NOT_FOUND] = "Function Not Found",
        [NVML_ERROR_CORRUPTED_INFOROM] = "Corrupted infoROM",
        [NVML_ERROR_GPU_IS_LOST] = "GPU is lost",
        [NVML_ERROR_RESET_REQUIRED] = "GPU requires reset",
        [NVML_ERROR_OPERATING_SYSTEM] = "Operating System Blocked Request",
        [NVML_ERROR_LIB_RM_VERSION_MISMATCH] = "Driver/library version mismatch",
        [NVML_ERROR_IN_USE] = "In Use",
        [NVML_ERROR_MEMORY] = "Insufficient Memory",
        [NVML_ERROR_NO_DATA] = "No data",
    };
    const char *text = (unsigned)result < sizeof texts / sizeof *texts ? texts[result] : NULL;
    return text ? text : "Unknown Error";
}

/* --- checks -------------------------------------------------------------------------------- */

#define READY                                                                                      \
    do {                                                                                           \
        if (users <= 0)                                                                            \
            return NVML_ERROR_UNINITIALIZED;                                                       \
    } while (0)
#define INVALID_IF(condition)                                                                      \
    do {                                                                                           \
        if (condition)                                                                             \
            return NVML_ERROR_INVALID_ARGUMENT;                                                    \
    } while (0)

static int count_devices(void)
{
    int count = 0;
    return rt_device()->count(&count) ? 0 : count < MAX_DEVICES ? count : MAX_DEVICES;
}

static int index_of(nvmlDevice_t device)
{
    return device >= handles && device < handles + count_devices() ? (int)(device - handles) : -1;
}

/* The device of a handle; the calling function ends when it is none. */
#define DEVICE                                                                                     \
    READY;                                                                                         \
    int index = index_of(device);                                                                  \
    INVALID_IF(index < 0)

static nvmlReturn_t text_out(char *to, unsigned int length, const char *text)
{
    INVALID_IF(!to || !length);
    if (strlen(text) + 1 > length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}

/* --- the system ---------------------------------------------------------------------------- */

/* There is no driver: its place is this program's. */
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    READY;
    return text_out(version, length, "gpukit " GPUKIT_VERSION);
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    READY;
    return text_out(version, length, NVML_API_VERSION_STR ".gpukit " GPUKIT_VERSION);
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    READY;
    INVALID_IF(!version);
    return status_of(rt_device()->driver_version(version));
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length)
{
    READY;
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%u/exe", pid);
    ssize_t bytes = readlink(path, text, sizeof text - 1);
    if (bytes < 0)
        return NVML_ERROR_NOT_FOUND;
    text[bytes] = 0;
    return text_out(name, length, text);
}

/* --- devices ------------------------------------------------------------------------------- */

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count)
{
    READY;
    INVALID_IF(!count);
    *count = (unsigned)count_devices();
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetCount(unsigned int *count);
nvmlReturn_t nvmlDeviceGetCount(unsigned int *count)
{
    return nvmlDeviceGetCount_v2(count);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    READY;
    INVALID_IF(!device || index >= (unsigned)count_devices());
    *device = &handles[index];
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device)
{
    return nvmlDeviceGetHandleByIndex_v2(index, device);
}

static void uuid_text(const DevInfo *info, char text[64])
{
    char *to = text + sprintf(text, "GPU-");
    for (int i = 0; i < 16; i++)
        to += sprintf(to, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", info->uuid[i]);
}

static void bus_text(const DevInfo *info, bool legacy, char text[32])
{
    snprintf(text, 32, legacy ? "%04X:%02X:%02X.0" : "%08X:%02X:%02X.0", (unsigned)info->pci_domain,
             (unsigned)info->pci_bus & 0xff, (unsigned)info->pci_device & 0xff);
}

/* The device one of whose names the text is. */
static nvmlReturn_t by_name(const char *text, nvmlDevice_t *device, bool bus)
{
    READY;
    INVALID_IF(!text || !device);
    for (int i = 0; i < count_devices(); i++) {
        DevInfo info;
        char forms[2][64];
        if (rt_device()->info(i, &info))
            continue;
        uuid_text(&info, forms[0]);
        uuid_text(&info, forms[1]);
        for (int form = 0; bus && form < 2; form++)
            bus_text(&info, form, forms[form]);
        if (!strcasecmp(text, forms[0]) || !strcasecmp(text, forms[1])) {
            *device = &handles[i];
            return NVML_SUCCESS;
        }
    }
    return NVML_ERROR_NOT_FOUND;
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    return by_name(uuid, device, false);
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, nvmlDevice_t *device)
{
    return by_name(bus_id, device, true);
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *bus_id, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *bus_id, nvmlDevice_t *device)
{
    return by_name(bus_id, device, true);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    DEVICE;
    DevInfo info;
    int error = rt_device()->info(index, &info);
    return error ? status_of(error) : text_out(name, length, info.name);
}
nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *brand)
{
    DEVICE;
    INVALID_IF(!brand);
    *brand = 0;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *out)
{
    DEVICE;
    INVALID_IF(!out);
    *out = (unsigned)index;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minor)
{
    return nvmlDeviceGetIndex(device, minor);
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    DEVICE;
    DevInfo info;
    char text[64];
    int error = rt_device()->info(index, &info);
    if (error)
        return status_of(error);
    uuid_text(&info, text);
    return text_out(uuid, length, text);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *out)
{
    DEVICE;
    INVALID_IF(!out);
    DevInfo info;
    char text[32];
    int error = rt_device()->info(index, &info);
    if (error)
        return status_of(error);
    memset(out, 0, sizeof *out);
    bus_text(&info, true, text);
    memcpy(out->busIdLegacy, text, sizeof out->busIdLegacy - 1);
    bus_text(&info, false, out->busId);
    out->domain = (unsigned)info.pci_domain;
    out->bus = (unsigned)info.pci_bus;
    out->device = (unsigned)info.pci_device;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    DEVICE;
    INVALID_IF(!memory);
    size_t unused, total;
    int error = rt_device()->mem_usage(&unused, &total);
    if (!error)
        *memory = (nvmlMemory_t){.total = total, .free = unused, .used = total - unused};
    return status_of(error);
}
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    nvmlMemory_t plain;
    INVALID_IF(!memory);
    if (memory->version != nvmlMemory_v2)
        return NVML_ERROR_INVALID_ARGUMENT;
    nvmlReturn_t status = nvmlDeviceGetMemoryInfo(device, &plain);
    if (status == NVML_SUCCESS)
        *memory = (nvmlMemory_v2_t){
            .version = nvmlMemory_v2, .total = plain.total, .free = plain.free, .used = plain.used};
    return status;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    DEVICE;
    INVALID_IF(!major || !minor);
    DevInfo info;
    int error = rt_device()->info(index, &info);
    if (!error)
        *major = info.cc_major, *minor = info.cc_minor;
    return status_of(error);
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *architecture)
{
    int major, minor;
    INVALID_IF(!architecture);
    nvmlReturn_t status = nvmlDeviceGetCudaComputeCapability(device, &major, &minor);
    if (status == NVML_SUCCESS)
        *architecture = major == 5   ? NVML_DEVICE_ARCH_MAXWELL
                        : major == 6 ? NVML_DEVICE_ARCH_PASCAL
                        : major == 7
                            ? (minor < 5 ? NVML_DEVICE_ARCH_VOLTA : NVML_DEVICE_ARCH_TURING)
                        : major == 8 ? (minor < 9 ? NVML_DEVICE_ARCH_AMPERE : NVML_DEVICE_ARCH_ADA)
                        : major == 9 ? NVML_DEVICE_ARCH_HOPPER
                                     : NVML_DEVICE_ARCH_BLACKWELL;
    return status;
}

static nvmlReturn_t attribute(int index, int which, int divide, unsigned int *out)
{
    int value = 0;
    INVALID_IF(!out);
    int error = rt_device()->attribute(index, which, &value);
    if (error)
        return status_of(error);
    if (value <= 0 && which != ATTRIBUTE_COMPUTE_MODE)
        return NVML_ERROR_NOT_SUPPORTED;
    *out = (unsigned)(value / divide);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    DEVICE;
    unsigned value = 0;
    INVALID_IF(!mode);
    nvmlReturn_t status = attribute(index, ATTRIBUTE_COMPUTE_MODE, 1, &value);
    *mode = (nvmlComputeMode_t)value;
    return status;
}
/* Boost clocks of the card, from the catalogue through the device's attributes. */
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    DEVICE;
    INVALID_IF((unsigned)type > NVML_CLOCK_VIDEO);
    return type == NVML_CLOCK_VIDEO
               ? NVML_ERROR_NOT_SUPPORTED
               : attribute(index, type == NVML_CLOCK_MEM ? ATTRIBUTE_MEMORY_CLOCK : ATTRIBUTE_CLOCK,
                           1000, mhz);
}
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *bits)
{
    DEVICE;
    return attribute(index, ATTRIBUTE_BUS_WIDTH, 1, bits);
}

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
    DEVICE;
    (void)index;
    INVALID_IF(!current || !pending);
    *current = *pending = NVML_DEVICE_MIG_DISABLE;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *is_mig)
{
    DEVICE;
    (void)index;
    INVALID_IF(!is_mig);
    *is_mig = 0;
    return NVML_SUCCESS;
}

/* --- processes: this one, once it has device memory ---------------------------------------- */

static nvmlReturn_t processes(nvmlDevice_t device, unsigned int *count, void *infos, size_t bytes)
{
    nvmlMemory_t memory;
    INVALID_IF(!count || (*count && !infos));
    nvmlReturn_t status = nvmlDeviceGetMemoryInfo(device, &memory);
    if (status != NVML_SUCCESS)
        return status;
    unsigned room = *count;
    *count = memory.used > 0;
    if (*count > room)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    const nvmlProcessInfo_t own = {.pid = (unsigned)getpid(),
                                   .usedGpuMemory = memory.used,
                                   .gpuInstanceId = ~0u,
                                   .computeInstanceId = ~0u};
    if (*count)
        memcpy(infos, &own, bytes);
    return NVML_SUCCESS;
}

/* The oldest form has no instances behind the memory. */
#define PROCESSES(name, bytes)                                                                     \
    nvmlReturn_t nvmlDeviceGetCompute##name(nvmlDevice_t device, unsigned int *count,              \
                                            nvmlProcessInfo_t *infos);                             \
    nvmlReturn_t nvmlDeviceGetCompute##name(nvmlDevice_t device, unsigned int *count,              \
                                            nvmlProcessInfo_t *infos)                              \
    {                                                                                              \
        return processes(device, count, infos, bytes);                                             \
    }                                                                                              \
    nvmlReturn_t nvmlDeviceGetGraphics##name(nvmlDevice_t device, unsigned int *count,             \
                                             nvmlProcessInfo_t *infos);                            \
    nvmlReturn_t nvmlDeviceGetGraphics##name(nvmlDevice_t device, unsigned int *count,             \
                                             nvmlProcessInfo_t *infos)                             \
    {                                                                                              \
        DEVICE;                                                                                    \
        (void)index, (void)infos;                                                                  \
        INVALID_IF(!count);                                                                        \
        *count = 0;                                                                                \
        return NVML_SUCCESS;                                                                       \
    }
PROCESSES(RunningProcesses, offsetof(nvmlProcessInfo_t, gpuInstanceId))
PROCESSES(RunningProcesses_v2, sizeof(nvmlProcessInfo_t))
PROCESSES(RunningProcesses_v3, sizeof(nvmlProcessInfo_t))

/* --- sensors ------------------------------------------------------------------------------- */

#define FULL(name)
#define HINT(name)
#define REFUSED(name)
#define SENSOR(name)                                                                               \
    RT_API nvmlReturn_t gk_##name(nvmlDevice_t device) __asm__(#name);                             \
    nvmlReturn_t gk_##name(nvmlDevice_t device)                                                    \
    {                                                                                              \
        DEVICE;                                                                                    \
        (void)index;                                                                               \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }
#include "libraries/nvml.def"
