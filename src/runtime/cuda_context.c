/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: start, errors, devices, contexts, entry points by name. Contexts are names for the
 * device: all of a device's contexts share its memory and streams. */
#include "runtime/cuda_driver.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_CONTEXT = 0x676b6378, MOST_DEVICES = 64, STACK = 64 };

struct Context {
    uint32_t magic;
    CUdevice device;
    unsigned flags;
    bool primary;
    int cache; /* the preference, as set */
    _Atomic int retained;
    uint64_t id;
};

static _Atomic bool initialized;
static struct Context primary[MOST_DEVICES];
static _Thread_local CUcontext stack[STACK];
static _Thread_local int depth;

/* Says to gpukit's own GPU device that this is not the real driver. */
RT_API extern const int gpukit_is_libcuda;
const int gpukit_is_libcuda = 1;

CU cuGetErrorName(int error, const char **name);

static int number_of(int error)
{
    switch (error) {
    case 9:
    case 12:
    case 21:
        return RT_INVALID_VALUE;
    case 13:
    case 98:
        return RT_NOT_FOUND;
    default:
        return error;
    }
}

int drv_from(int error, const char *function)
{
    const char *name = "";
    int number = number_of(error);
    if (number && !cuGetErrorName(number, &name))
        rt_log_call("CUDA", number, name, function);
    return number;
}

static struct Context *primary_of(CUdevice device)
{
    struct Context *own = &primary[device];
    own->magic = MAGIC_CONTEXT;
    own->device = device;
    own->primary = true;
    own->id = (uint64_t)device + 1;
    return own;
}

/* The current context: what was pushed, else the primary one where the runtime API has made it so. */
static CUcontext top(void)
{
    if (depth)
        return stack[depth - 1];
    int device = rt_runtime_device();
    if (device < 0 || device >= MOST_DEVICES)
        return NULL;
    if (!atomic_load(&primary[device].retained)) /* the runtime holds it */
        atomic_store(&primary_of(device)->retained, 1);
    return &primary[device];
}

static bool is_initialized(void)
{
    return atomic_load_explicit(&initialized, memory_order_relaxed) || rt_runtime_used();
}

int drv_enter(void)
{
    if (!is_initialized())
        return RT_NOT_INITIALIZED;
    int error = rt_init();
    return error ? drv(error) : top() ? RT_OK : RT_INVALID_CONTEXT;
}

CUdevice drv_device(void)
{
    return top() ? top()->device : 0;
}

CUcontext drv_context(const RtStream *own, CUstream stream)
{
    if ((uintptr_t)stream <= 2)
        return top();
    return own->context ? own->context : primary_of(own->device);
}

int drv_enter_plain(void)
{
    if (!is_initialized())
        return RT_NOT_INITIALIZED;
    return drv(rt_init());
}

static int check_device(CUdevice device)
{
    int count = 0;
    rt_device()->count(&count);
    return device >= 0 && device < count ? RT_OK : RT_INVALID_DEVICE;
}
#define DEVICE(device)                                                                             \
    do {                                                                                           \
        int device_error_ = drv_enter_plain();                                                     \
        if (!device_error_)                                                                        \
            device_error_ = check_device(device);                                                  \
        if (device_error_)                                                                         \
            return device_error_;                                                                  \
    } while (0)

/* --- start and errors ---------------------------------------------------------------------- */

CU cuInit(unsigned flags);
int cuInit(unsigned flags)
{
    if (flags)
        return RT_INVALID_VALUE;
    int error = rt_init();
    if (!error)
        atomic_store(&initialized, true);
    return drv(error);
}

CU cuDriverGetVersion(int *version);
int cuDriverGetVersion(int *version)
{
    if (!version)
        return RT_INVALID_VALUE;
    *version = 13000;
    return RT_OK;
}

int cuGetErrorName(int error, const char **name)
{
    static const struct {
        int number;
        const char *name;
    } list[] = {
#define DRIVER_ERROR(number, name) {number, #name},
#include "runtime/errors.def"
#undef DRIVER_ERROR
    };
    if (!name)
        return RT_INVALID_VALUE;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].number == error) {
            *name = list[i].name;
            return RT_OK;
        }
    *name = NULL;
    return RT_INVALID_VALUE;
}

CU cuGetErrorString(int error, const char **text);
int cuGetErrorString(int error, const char **text)
{
    static const struct {
        int number;
        const char *text;
    } list[] = {
#define ERROR(number, name, text) {number, text},
#include "runtime/errors.def"
#undef ERROR
    };
    if (!text)
        return RT_INVALID_VALUE;
    const char *name;
    *text = NULL;
    if (cuGetErrorName(error, &name))
        return RT_INVALID_VALUE;
    *text = name;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].number == error)
            *text = list[i].text;
    return RT_OK;
}

/* --- devices ------------------------------------------------------------------------------- */

CU cuDeviceGetCount(int *count);
int cuDeviceGetCount(int *count)
{
    PLAIN;
    return count ? rt_device()->count(count) : RT_INVALID_VALUE;
}

CU cuDeviceGet(CUdevice *device, int ordinal);
int cuDeviceGet(CUdevice *device, int ordinal)
{
    DEVICE(ordinal);
    NEED(device);
    *device = ordinal;
    return RT_OK;
}

CU cuDeviceGetName(char *name, int room, CUdevice device);
int cuDeviceGetName(char *name, int room, CUdevice device)
{
    DEVICE(device);
    DevInfo info;
    int error = rt_device()->info(device, &info);
    if (!error && name && room > 0)
        snprintf(name, (size_t)room, "%s", info.name);
    return error;
}

CU cuDeviceGetUuid(void *uuid, CUdevice device);
int cuDeviceGetUuid(void *uuid, CUdevice device)
{
    DEVICE(device);
    NEED(uuid);
    DevInfo info;
    int error = rt_device()->info(device, &info);
    if (!error)
        memcpy(uuid, info.uuid, 16);
    return error;
}

CU cuDeviceGetUuid_v2(void *uuid, CUdevice device);
int cuDeviceGetUuid_v2(void *uuid, CUdevice device)
{
    return cuDeviceGetUuid(uuid, device);
}

CU cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
int cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    DEVICE(device);
    NEED(bytes);
    DevInfo info;
    int error = rt_device()->info(device, &info);
    if (!error)
        *bytes = info.memory;
    return error;
}

CU cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
int cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    DEVICE(device);
    return value ? rt_device()->attribute(device, attribute, value) : RT_INVALID_VALUE;
}

CU cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
int cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    DEVICE(device);
    NEED(major && minor);
    int error = rt_device()->attribute(device, 75, major);
    return error ? error : rt_device()->attribute(device, 76, minor);
}

CU cuDeviceGetProperties(int *properties, CUdevice device);
int cuDeviceGetProperties(int *properties, CUdevice device)
{
    DEVICE(device);
    NEED(properties);
    static const int attributes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        rt_device()->attribute(device, attributes[i], &properties[i]);
    return RT_OK;
}

CU cuDeviceGetPCIBusId(char *text, int room, CUdevice device);
int cuDeviceGetPCIBusId(char *text, int room, CUdevice device)
{
    DEVICE(device);
    DevInfo info;
    int error = rt_device()->info(device, &info);
    if (!error && (!text || room < 13))
        error = RT_INVALID_VALUE;
    if (!error)
        snprintf(text, (size_t)room, "%04X:%02X:%02X.0", info.pci_domain, info.pci_bus,
                 info.pci_device);
    return error;
}

/* "domain:bus:device.function", "domain:bus:device" or "bus:device.function", of digits as many as the
 * program likes. */
static bool parse_bus_id(const char *text, unsigned id[4])
{
    char rest;
    memset(id, 0, 4 * sizeof *id);
    return sscanf(text, "%x:%x:%x.%x%c", &id[0], &id[1], &id[2], &id[3], &rest) == 4 ||
           sscanf(text, "%x:%x:%x%c", &id[0], &id[1], &id[2], &rest) == 3 ||
           (id[0] = 0, sscanf(text, "%x:%x.%x%c", &id[1], &id[2], &id[3], &rest) == 3);
}

CU cuDeviceGetByPCIBusId(CUdevice *device, const char *text);
int cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
    PLAIN;
    unsigned wanted[4], found[4];
    char own[32];
    if (!device || !text || !parse_bus_id(text, wanted))
        return RT_INVALID_VALUE;
    for (CUdevice i = 0; !check_device(i); i++)
        if (!cuDeviceGetPCIBusId(own, sizeof own, i) && parse_bus_id(own, found) &&
            !memcmp(wanted, found, sizeof found)) {
            *device = i;
            return RT_OK;
        }
    return RT_INVALID_DEVICE;
}

CU cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
int cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    DEVICE(device);
    DEVICE(peer);
    NEED(can);
    *can = device != peer;
    return RT_OK;
}

CU cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to);
int cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to)
{
    DEVICE(from);
    DEVICE(to);
    if (from == to)
        return RT_INVALID_DEVICE;
    *value = attribute == 2;
    return RT_OK;
}

CU cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device);
int cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device)
{
    (void)luid, (void)mask, (void)device;
    return RT_NOT_SUPPORTED; /* Windows only */
}

/* --- contexts ------------------------------------------------------------------------------ */

static bool is_context(CUcontext context)
{
    return context && (uintptr_t)context % sizeof(void *) == 0 && context->magic == MAGIC_CONTEXT;
}

CU cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
int cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    DEVICE(device);
    NEED(context);
    int error =
        rt_device()->sticky(device); /* a fault spoils the process: no context is to be had */
    if (error)
        return drv(error);
    struct Context *own = primary_of(device);
    atomic_fetch_add(&own->retained, 1);
    *context = own;
    return RT_OK;
}

CU cuDevicePrimaryCtxRelease_v2(CUdevice device);
int cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    DEVICE(device);
    if (atomic_load(&primary[device].retained) <= 0)
        return RT_INVALID_CONTEXT;
    atomic_fetch_sub(&primary[device].retained, 1);
    return RT_OK;
}

CU cuDevicePrimaryCtxRelease(CUdevice device);
int cuDevicePrimaryCtxRelease(CUdevice device)
{
    return cuDevicePrimaryCtxRelease_v2(device);
}

CU cuDevicePrimaryCtxReset_v2(CUdevice device);
int cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    DEVICE(device);
    return drv(rt_reset(device));
}

CU cuDevicePrimaryCtxReset(CUdevice device);
int cuDevicePrimaryCtxReset(CUdevice device)
{
    return cuDevicePrimaryCtxReset_v2(device);
}

CU cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags);
int cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    DEVICE(device);
    primary[device].flags = flags;
    return RT_OK;
}

CU cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags);
int cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
    return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CU cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active);
int cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    DEVICE(device);
    if (flags)
        *flags = primary[device].flags;
    if (active)
        *active = atomic_load(&primary[device].retained) > 0;
    return RT_OK;
}

static int push(CUcontext context)
{
    if (depth == STACK)
        return RT_OUT_OF_MEMORY;
    stack[depth++] = context;
    return rt_device()->select(context->device);
}

CU cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);
int cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    DEVICE(device);
    static _Atomic uint64_t next = 100;
    if (!context)
        return RT_INVALID_VALUE;
    int error = rt_device()->sticky(device);
    if (error)
        return drv(error);
    struct Context *own = xcalloc(1, sizeof *own);
    own->magic = MAGIC_CONTEXT;
    own->device = device;
    own->flags = flags;
    own->id = atomic_fetch_add(&next, 1);
    *context = own;
    return push(own);
}

CU cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device);
int cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate_v2(context, flags, device);
}

CU cuCtxCreate_v3(CUcontext *context, void *params, int count, unsigned flags, CUdevice device);
int cuCtxCreate_v3(CUcontext *context, void *params, int count, unsigned flags, CUdevice device)
{
    (void)params;
    return count ? RT_NOT_SUPPORTED : cuCtxCreate_v2(context, flags, device);
}

CU cuCtxCreate_v4(CUcontext *context, void *params, unsigned flags, CUdevice device);
int cuCtxCreate_v4(CUcontext *context, void *params, unsigned flags, CUdevice device)
{
    (void)params;
    return cuCtxCreate_v2(context, flags, device);
}

CU cuCtxDestroy_v2(CUcontext context);
int cuCtxDestroy_v2(CUcontext context)
{
    PLAIN;
    if (!is_context(context) || context->primary)
        return RT_INVALID_CONTEXT;
    rt_device_wait();
    for (int i = 0; i < depth; i++)
        if (stack[i] == context) {
            memmove(stack + i, stack + i + 1, (size_t)(depth - i - 1) * sizeof *stack);
            depth--;
            i--;
        }
    context->magic = 0; /* kept: stale handles are recognised */
    return RT_OK;
}

CU cuCtxDestroy(CUcontext context);
int cuCtxDestroy(CUcontext context)
{
    return cuCtxDestroy_v2(context);
}

CU cuCtxDetach(CUcontext context);
int cuCtxDetach(CUcontext context)
{
    return cuCtxDestroy_v2(context);
}

CU cuCtxPushCurrent_v2(CUcontext context);
int cuCtxPushCurrent_v2(CUcontext context)
{
    PLAIN;
    return is_context(context) ? push(context) : RT_INVALID_CONTEXT;
}

CU cuCtxPushCurrent(CUcontext context);
int cuCtxPushCurrent(CUcontext context)
{
    return cuCtxPushCurrent_v2(context);
}

CU cuCtxPopCurrent_v2(CUcontext *context);
int cuCtxPopCurrent_v2(CUcontext *context)
{
    PLAIN;
    if (!depth)
        return RT_INVALID_CONTEXT;
    CUcontext old = stack[--depth];
    if (context)
        *context = old;
    return top() ? rt_device()->select(top()->device) : RT_OK;
}

CU cuCtxPopCurrent(CUcontext *context);
int cuCtxPopCurrent(CUcontext *context)
{
    return cuCtxPopCurrent_v2(context);
}

CU cuCtxSetCurrent(CUcontext context);
int cuCtxSetCurrent(CUcontext context)
{
    PLAIN;
    if (context && !is_context(context))
        return RT_INVALID_CONTEXT;
    if (depth)
        depth--;
    return context ? push(context) : RT_OK;
}

CU cuCtxGetCurrent(CUcontext *context);
int cuCtxGetCurrent(CUcontext *context)
{
    PLAIN;
    NEED(context);
    *context = top();
    return RT_OK;
}

CU cuCtxGetDevice(CUdevice *device);
int cuCtxGetDevice(CUdevice *device)
{
    BEGIN;
    NEED(device);
    *device = top()->device;
    return RT_OK;
}

CU cuCtxGetDevice_v2(CUdevice *device, CUcontext context);
int cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
    PLAIN;
    NEED(device);
    context = context ? context : top();
    if (!is_context(context))
        return RT_INVALID_CONTEXT;
    *device = context->device;
    return RT_OK;
}

CU cuCtxGetFlags(unsigned *flags);
int cuCtxGetFlags(unsigned *flags)
{
    BEGIN;
    NEED(flags);
    *flags = top()->flags;
    return RT_OK;
}

CU cuCtxSetFlags(unsigned flags);
int cuCtxSetFlags(unsigned flags)
{
    enum { SCHEDULE = 7, ALL = 0xff };
    BEGIN;
    if (flags & ~(unsigned)ALL || ((flags & SCHEDULE) & ((flags & SCHEDULE) - 1)))
        return RT_INVALID_VALUE;
    top()->flags = flags;
    return RT_OK;
}

CU cuCtxAttach(CUcontext *out, unsigned flags);
int cuCtxAttach(CUcontext *out, unsigned flags)
{
    BEGIN;
    if (!out || flags)
        return RT_INVALID_VALUE;
    *out = top();
    return RT_OK;
}

/* A context here has all multiprocessors, and none can be given to one. */
CU cuDeviceGetExecAffinitySupport(int *out, int type, CUdevice device);
int cuDeviceGetExecAffinitySupport(int *out, int type, CUdevice device)
{
    PLAIN;
    if (!out || type)
        return RT_INVALID_VALUE;
    int error = rt_place_check((RtPlace){RT_PLACE_DEVICE, device});
    *out = 0;
    return drv(error);
}

struct ExecAffinity {
    int type;
    unsigned multiprocessors;
};

CU cuCtxGetExecAffinity(struct ExecAffinity *out, int type);
int cuCtxGetExecAffinity(struct ExecAffinity *out, int type)
{
    enum { MULTIPROCESSORS = 16 };
    BEGIN;
    int value = 0;
    if (!out || type)
        return RT_INVALID_VALUE;
    int error = rt_device()->attribute(top()->device, MULTIPROCESSORS, &value);
    *out = (struct ExecAffinity){.multiprocessors = (unsigned)value};
    return drv(error);
}

CU cuDeviceRegisterAsyncNotification(CUdevice device, void *function, void *data, void **out);
int cuDeviceRegisterAsyncNotification(CUdevice device, void *function, void *data, void **out)
{
    PLAIN;
    (void)data;
    return drv(function ? rt_notice_add(device, out) : RT_INVALID_VALUE);
}

CU cuDeviceUnregisterAsyncNotification(CUdevice device, void *handle);
int cuDeviceUnregisterAsyncNotification(CUdevice device, void *handle)
{
    PLAIN;
    return drv(rt_notice_remove(device, handle));
}

CU cuCtxGetId(CUcontext context, unsigned long long *id);
int cuCtxGetId(CUcontext context, unsigned long long *id)
{
    NEED(id);
    PLAIN;
    context = context ? context : top();
    if (!is_context(context))
        return RT_INVALID_CONTEXT;
    *id = context->id;
    return RT_OK;
}

CU cuCtxGetApiVersion(CUcontext context, unsigned *version);
int cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    PLAIN;
    NEED(version);
    if (context && !is_context(context))
        return RT_INVALID_CONTEXT;
    *version = 3020;
    return RT_OK;
}

CU cuCtxSynchronize(void);
int cuCtxSynchronize(void)
{
    BEGIN;
    return drv(rt_device_wait());
}

CU cuCtxSynchronize_v2(CUcontext context);
int cuCtxSynchronize_v2(CUcontext context)
{
    PLAIN;
    return !context || is_context(context) ? drv(rt_device_wait()) : RT_INVALID_CONTEXT;
}

CU cuCtxGetLimit(size_t *value, int limit);
int cuCtxGetLimit(size_t *value, int limit)
{
    BEGIN;
    NEED(value);
    return drv(rt_device()->limit_get(limit, value));
}

CU cuCtxSetLimit(int limit, size_t value);
int cuCtxSetLimit(int limit, size_t value)
{
    BEGIN;
    return drv(rt_device()->limit_set(limit, value));
}

CU cuCtxGetCacheConfig(int *config);
int cuCtxGetCacheConfig(int *config)
{
    BEGIN;
    NEED(config);
    *config = top()->cache;
    return RT_OK;
}

CU cuCtxSetCacheConfig(int config);
int cuCtxSetCacheConfig(int config)
{
    BEGIN;
    if (config < 0 || config > 3)
        return RT_INVALID_VALUE;
    top()->cache = config;
    return RT_OK;
}

CU cuCtxGetSharedMemConfig(int *config);
int cuCtxGetSharedMemConfig(int *config)
{
    BEGIN;
    NEED(config);
    *config = 1;
    return RT_OK;
}

CU cuCtxSetSharedMemConfig(int config);
int cuCtxSetSharedMemConfig(int config)
{
    BEGIN;
    return config < 0 || config > 2 ? RT_INVALID_VALUE : RT_OK;
}

CU cuCtxGetStreamPriorityRange(int *least, int *greatest);
int cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    BEGIN;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return RT_OK;
}

CU cuCtxResetPersistingL2Cache(void);
int cuCtxResetPersistingL2Cache(void)
{
    BEGIN;
    return RT_OK;
}

CU cuCtxEnablePeerAccess(CUcontext peer, unsigned flags);
int cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    BEGIN;
    return is_context(peer) && !flags ? RT_OK : RT_INVALID_VALUE;
}

CU cuCtxDisablePeerAccess(CUcontext peer);
int cuCtxDisablePeerAccess(CUcontext peer)
{
    BEGIN;
    return is_context(peer) ? RT_OK : RT_INVALID_VALUE;
}

/* --- entry points by name ------------------------------------------------------------------ */

/* Names whose plain form means a later version of the function. */
static const struct {
    const char *plain;
    int since;
    const char *name;
} renamed[] = {
#define RENAMED(plain, since, name) {#plain, since, #name},
#include "runtime/cuda_names.def"
#undef RENAMED
};

CU cuGetProcAddress_v2(const char *symbol, void **out, int version, uint64_t flags, int *status);
int cuGetProcAddress_v2(const char *symbol, void **out, int version, uint64_t flags, int *status)
{
    if (!symbol || !out)
        return RT_INVALID_VALUE;
    static void *self;
    if (!self) {
        Dl_info info;
        if (dladdr(&gpukit_is_libcuda, &info))
            self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    }
    const char *name = symbol;
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (renamed[i].since <= version && !strcmp(renamed[i].plain, symbol))
            name = renamed[i].name;
    char thread_name[256];
    void *found = NULL;
    if (flags & 2) { /* per-thread default stream */
        snprintf(thread_name, sizeof thread_name, "%s_ptsz", name);
        found = dlsym(self, thread_name);
        if (!found) {
            snprintf(thread_name, sizeof thread_name, "%s_ptds", name);
            found = dlsym(self, thread_name);
        }
    }
    if (!found)
        found = dlsym(self, name);
    *out = found;
    if (status)
        *status = found ? 0 : 1;
    return found ? RT_OK : RT_NOT_FOUND;
}

CU cuGetProcAddress(const char *symbol, void **out, int version, uint64_t flags);
int cuGetProcAddress(const char *symbol, void **out, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(symbol, out, version, flags, NULL);
}

/* Private tables of NVIDIA's driver. Its runtime asks for them before anything else, be it a library that
 * was found in place of gpukit's, which rt_init tells, or part of the program. */
CU cuGetExportTable(const void **table, const void *id);
int cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    static atomic_bool told;
    Dl_info caller;
    const char *path = dladdr(__builtin_return_address(0), &caller) ? caller.dli_fname : "";
    const char *base = strrchr(path, '/');
    (void)rt_init();
    if (strncmp(base ? base + 1 : path, "libcudart.so", 12) && !atomic_exchange(&told, true))
        rt_message(
            "%s contains NVIDIA's CUDA runtime, linked statically, which needs NVIDIA's driver; "
            "build it with 'nvcc -cudart shared' or 'gpukit cc', and start it by 'gpukit run'",
            *path ? path : "this program");
    if (table)
        *table = NULL;
    return RT_DRIVER_MISMATCH;
}

CU cuProfilerStart(void);
int cuProfilerStart(void)
{
    return RT_OK;
}

CU cuProfilerStop(void);
int cuProfilerStop(void)
{
    return RT_OK;
}

int gk_refuse_driver(const char *name);
int gk_refuse_driver(const char *name)
{
    rt_refuse(name);
    return drv_from(RT_NOT_SUPPORTED, name);
}

/* --- the error log ------------------------------------------------------------------------- */

CU cuLogsRegisterCallback(RtLogFunction function, void *data, void **callback);
int cuLogsRegisterCallback(RtLogFunction function, void *data, void **callback)
{
    return drv(rt_log_callback_add(function, data, callback));
}

CU cuLogsUnregisterCallback(void *callback);
int cuLogsUnregisterCallback(void *callback)
{
    return drv(rt_log_callback_remove(callback));
}

CU cuLogsCurrent(unsigned *iterator, unsigned flags);
int cuLogsCurrent(unsigned *iterator, unsigned flags)
{
    return drv(rt_log_current(iterator, flags));
}

CU cuLogsDumpToFile(unsigned *iterator, const char *path, unsigned flags);
int cuLogsDumpToFile(unsigned *iterator, const char *path, unsigned flags)
{
    return drv(rt_log_dump_file(iterator, path, flags));
}

CU cuLogsDumpToMemory(unsigned *iterator, char *buffer, size_t *size, unsigned flags);
int cuLogsDumpToMemory(unsigned *iterator, char *buffer, size_t *size, unsigned flags)
{
    return drv(rt_log_dump(iterator, buffer, size, flags));
}
