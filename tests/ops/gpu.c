/* SPDX-License-Identifier: Apache-2.0
 * Runs test kernels on a real GPU through the driver, so that the hardware's results can be recorded
 * and held against the oracle. The few driver functions are declared from their documentation. */
#include "ops.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Result;
typedef uint64_t DevicePointer;

static struct {
    Result (*init)(unsigned);
    Result (*device_get)(int *, int);
    Result (*device_name)(char *, int, int);
    Result (*driver_version)(int *);
    Result (*retain)(void **, int);
    Result (*set_current)(void *);
    Result (*load)(void **, const void *, unsigned, int *, void **);
    Result (*unload)(void *);
    Result (*function)(void **, void *, const char *);
    Result (*alloc)(DevicePointer *, size_t);
    Result (*free)(DevicePointer);
    Result (*to_device)(DevicePointer, const void *, size_t);
    Result (*to_host)(void *, DevicePointer, size_t);
    Result (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     void *, void **, void **);
    Result (*synchronize)(void);
    bool ready;
} cu;

static bool find(void *library, void *slot, const char *name)
{
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool start(char *error, size_t bytes)
{
    if (cu.ready)
        return true;
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int device;
    if (!library) {
        snprintf(error, bytes, "no driver: %s", dlerror());
        return false;
    }
    bool all = find(library, &cu.init, "cuInit") && find(library, &cu.device_get, "cuDeviceGet") &&
               find(library, &cu.device_name, "cuDeviceGetName") &&
               find(library, &cu.driver_version, "cuDriverGetVersion") &&
               find(library, &cu.retain, "cuDevicePrimaryCtxRetain") &&
               find(library, &cu.set_current, "cuCtxSetCurrent") &&
               find(library, &cu.load, "cuModuleLoadDataEx") &&
               find(library, &cu.unload, "cuModuleUnload") &&
               find(library, &cu.function, "cuModuleGetFunction") &&
               find(library, &cu.alloc, "cuMemAlloc_v2") &&
               find(library, &cu.free, "cuMemFree_v2") &&
               find(library, &cu.to_device, "cuMemcpyHtoD_v2") &&
               find(library, &cu.to_host, "cuMemcpyDtoH_v2") &&
               find(library, &cu.launch, "cuLaunchKernel") &&
               find(library, &cu.synchronize, "cuCtxSynchronize");
    if (!all || cu.init(0) || cu.device_get(&device, 0) || cu.retain(&context, device) ||
        cu.set_current(context)) {
        snprintf(error, bytes, "the driver is there, but no device answers");
        return false;
    }
    cu.ready = true;
    return true;
}

const char *ops_gpu_description(void)
{
    static char text[256];
    char name[128] = "?", error[64];
    int version = 0;
    if (!start(error, sizeof error))
        return "no GPU";
    cu.device_name(name, sizeof name, 0);
    cu.driver_version(&version);
    snprintf(text, sizeof text, "%s, CUDA driver %d.%d", name, version / 1000, version % 1000 / 10);
    return text;
}

static bool gpu_run(const char *ptx, unsigned grid, unsigned block, OpsBuffer *buffers,
                    unsigned count, char *error, size_t bytes)
{
    if (!start(error, bytes))
        return false;
    /* CU_JIT_ERROR_LOG_BUFFER = 5, its size = 6 */
    char log[2048] = "";
    int options[2] = {5, 6};
    void *values[2] = {log, (void *)(uintptr_t)sizeof log};
    void *module = NULL, *function = NULL, *parameters[8];
    DevicePointer addresses[8] = {0};
    Result r = cu.load(&module, ptx, 2, options, values);
    if (r) {
        snprintf(error, bytes, "module refused (%d): %.400s", r, log);
        return false;
    }
    r = cu.function(&function, module, "k");
    for (unsigned i = 0; !r && i < count; ++i) {
        r = cu.alloc(&addresses[i], buffers[i].bytes);
        if (!r)
            r = cu.to_device(addresses[i], buffers[i].host, buffers[i].bytes);
        parameters[i] = &addresses[i];
    }
    if (!r)
        r = cu.launch(function, grid, 1, 1, block, 1, 1, 0, NULL, parameters, NULL);
    if (!r)
        r = cu.synchronize();
    for (unsigned i = 0; i < count; ++i) {
        if (!r)
            r = cu.to_host(buffers[i].host, addresses[i], buffers[i].bytes);
        cu.free(addresses[i]);
    }
    cu.unload(module);
    if (r)
        snprintf(error, bytes, "CUDA error %d", r);
    return !r;
}

const OpsRunner ops_gpu_runner = {"GPU", gpu_run};
