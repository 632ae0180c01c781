/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: modules, libraries, linking, launches, functions, occupancy, streams, events. */
#include "runtime/cuda_driver.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- modules and libraries ----------------------------------------------------------------- */

enum { JIT_INFO_LOG = 3, JIT_INFO_SIZE = 4, JIT_ERROR_LOG = 5, JIT_ERROR_SIZE = 6 };

static int load(RtImage **out, const void *data, size_t bytes, unsigned count, const int *options,
                void **values)
{
    if (!data || !out)
        return RT_INVALID_VALUE;
    char *log = NULL;
    size_t room = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == JIT_ERROR_LOG)
            log = values[i];
        else if (options[i] == JIT_ERROR_SIZE)
            room = (size_t)(uintptr_t)values[i];
        else if (options[i] == JIT_INFO_LOG && values[i])
            *(char *)values[i] = 0;
    }
    RtImage *image;
    int error = rt_image_new(data, bytes, &image);
    if (!error)
        error = rt_image_load(image, log && room ? log : NULL, room);
    if (error) {
        rt_image_free(image);
        return drv(error);
    }
    *out = image;
    return RT_OK;
}

CU cuModuleLoadDataEx(CUmodule *out, const void *data, unsigned count, int *options, void **values);
int cuModuleLoadDataEx(CUmodule *out, const void *data, unsigned count, int *options, void **values)
{
    BEGIN;
    return load((RtImage **)out, data, SIZE_MAX, count, options, values);
}

CU cuModuleLoadData(CUmodule *out, const void *data);
int cuModuleLoadData(CUmodule *out, const void *data)
{
    return cuModuleLoadDataEx(out, data, 0, NULL, NULL);
}

CU cuModuleLoadFatBinary(CUmodule *out, const void *data);
int cuModuleLoadFatBinary(CUmodule *out, const void *data)
{
    return cuModuleLoadDataEx(out, data, 0, NULL, NULL);
}

static int load_file(RtImage **out, const char *name)
{
    Buf text = {0};
    if (!name || fs_read(name, &text)) {
        buf_free(&text);
        return 301;
    }
    int error = load(out, buf_text(&text), text.count, 0, NULL, NULL);
    buf_free(&text);
    return error;
}

CU cuModuleLoad(CUmodule *out, const char *name);
int cuModuleLoad(CUmodule *out, const char *name)
{
    BEGIN;
    return load_file((RtImage **)out, name);
}

CU cuModuleUnload(CUmodule module);
int cuModuleUnload(CUmodule module)
{
    BEGIN;
    if (!module)
        return RT_INVALID_HANDLE;
    rt_image_free(module);
    return RT_OK;
}

static int find_function(void **out, void *module, const char *name)
{
    RtKernel *kernel;
    if (!module || !name || !out)
        return RT_INVALID_VALUE;
    int error = rt_image_kernel(module, name, &kernel);
    if (!error)
        error = rt_kernel_load(kernel);
    if (!error)
        *out = kernel;
    return drv(error);
}

CU cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name);
int cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name)
{
    BEGIN;
    return find_function(out, module, name);
}

CU cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
int cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
    BEGIN;
    if (!module || !name)
        return RT_INVALID_VALUE;
    return drv(rt_image_variable(module, name, (void **)(void *)address, bytes));
}

CU cuModuleGetLoadingMode(int *mode);
int cuModuleGetLoadingMode(int *mode)
{
    NEED(mode);
    *mode = 2; /* lazy */
    return RT_OK;
}

CU cuModuleGetFunctionCount(unsigned *count, CUmodule module);
int cuModuleGetFunctionCount(unsigned *count, CUmodule module)
{
    BEGIN;
    NEED(count && module);
    NEED(count);
    *count = 0;
    while (rt_device()->module_kernel_name(rt_image_module(module), *count))
        ++*count;
    return RT_OK;
}

CU cuModuleEnumerateFunctions(CUfunction *list, unsigned count, CUmodule module);
int cuModuleEnumerateFunctions(CUfunction *list, unsigned count, CUmodule module)
{
    BEGIN;
    return drv(rt_image_kernels(module, (void **)list, count));
}

CU cuLibraryLoadData(CUlibrary *out, const void *code, int *jit, void **jit_values,
                     unsigned jit_count, int *options, void **values, unsigned count);
int cuLibraryLoadData(CUlibrary *out, const void *code, int *jit, void **jit_values,
                      unsigned jit_count, int *options, void **values, unsigned count)
{
    BEGIN;
    (void)options, (void)values, (void)count;
    return load((RtImage **)out, code, SIZE_MAX, jit_count, jit, jit_values);
}

CU cuLibraryLoadFromFile(CUlibrary *out, const char *name, int *jit, void **jit_values,
                         unsigned jit_count, int *options, void **values, unsigned count);
int cuLibraryLoadFromFile(CUlibrary *out, const char *name, int *jit, void **jit_values,
                          unsigned jit_count, int *options, void **values, unsigned count)
{
    BEGIN;
    (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    return load_file((RtImage **)out, name);
}

CU cuLibraryUnload(CUlibrary library);
int cuLibraryUnload(CUlibrary library)
{
    return cuModuleUnload(library);
}

CU cuLibraryGetKernel(CUkernel *out, CUlibrary library, const char *name);
int cuLibraryGetKernel(CUkernel *out, CUlibrary library, const char *name)
{
    BEGIN;
    return find_function(out, library, name);
}

CU cuLibraryGetModule(CUmodule *out, CUlibrary library);
int cuLibraryGetModule(CUmodule *out, CUlibrary library)
{
    BEGIN;
    NEED(out);
    *out = library;
    return RT_OK;
}

CU cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name);
int cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return cuModuleGetGlobal_v2(address, bytes, library, name);
}

CU cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name);
int cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return cuModuleGetGlobal_v2(address, bytes, library, name);
}

CU cuLibraryGetKernelCount(unsigned *count, CUlibrary library);
int cuLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    return cuModuleGetFunctionCount(count, library);
}

CU cuLibraryEnumerateKernels(CUkernel *list, unsigned count, CUlibrary library);
int cuLibraryEnumerateKernels(CUkernel *list, unsigned count, CUlibrary library)
{
    BEGIN;
    return drv(rt_image_kernels(library, (void **)list, count));
}

CU cuKernelGetFunction(CUfunction *out, CUkernel kernel);
int cuKernelGetFunction(CUfunction *out, CUkernel kernel)
{
    BEGIN;
    NEED(out);
    *out = kernel;
    return rt_kernel(kernel) ? RT_OK : RT_INVALID_HANDLE;
}

CU cuFuncGetModule(CUmodule *out, CUfunction function);
int cuFuncGetModule(CUmodule *out, CUfunction function)
{
    BEGIN;
    NEED(out);
    const RtKernel *kernel = rt_kernel(function);
    if (!kernel)
        return RT_INVALID_HANDLE;
    *out = kernel->image;
    return RT_OK;
}

CU cuKernelGetLibrary(CUlibrary *out, CUkernel kernel);
int cuKernelGetLibrary(CUlibrary *out, CUkernel kernel)
{
    return cuFuncGetModule((CUmodule *)out, kernel);
}

CU cuFuncGetName(const char **name, CUfunction function);
int cuFuncGetName(const char **name, CUfunction function)
{
    BEGIN;
    NEED(name);
    const RtKernel *kernel = rt_kernel(function);
    if (!kernel)
        return RT_INVALID_HANDLE;
    *name = kernel->name;
    return RT_OK;
}

CU cuKernelGetName(const char **name, CUkernel kernel);
int cuKernelGetName(const char **name, CUkernel kernel)
{
    return cuFuncGetName(name, kernel);
}

CU cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes);
int cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    BEGIN;
    const RtKernel *kernel = rt_kernel(function);
    size_t at = 0, size = 0;
    if (!kernel)
        return RT_INVALID_HANDLE;
    int error = rt_device()->function_param(kernel->function, (unsigned)index, &at, &size);
    if (!error && offset)
        *offset = at;
    if (!error && bytes)
        *bytes = size;
    return error;
}

CU cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes);
int cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
    return cuFuncGetParamInfo(kernel, index, offset, bytes);
}

CU cuFuncLoad(CUfunction function);
int cuFuncLoad(CUfunction function)
{
    BEGIN;
    return rt_kernel(function) ? RT_OK : RT_INVALID_HANDLE;
}

CU cuFuncIsLoaded(int *state, CUfunction function);
int cuFuncIsLoaded(int *state, CUfunction function)
{
    BEGIN;
    NEED(state);
    *state = 1;
    return rt_kernel(function) ? RT_OK : RT_INVALID_HANDLE;
}

/* --- linking ------------------------------------------------------------------------------- */

typedef struct {
    VEC(char *) texts;
    VEC(size_t) sizes;
    char *result;
    char *log; /* the caller's buffer for errors */
    size_t log_room;
} Link;

CU cuLinkCreate_v2(unsigned count, int *options, void **values, CUlinkState *out);
int cuLinkCreate_v2(unsigned count, int *options, void **values, CUlinkState *out)
{
    BEGIN;
    NEED(out && (!count || (options && values)));
    Link *link = xcalloc(1, sizeof *link);
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == JIT_ERROR_LOG)
            link->log = values[i];
        else if (options[i] == JIT_ERROR_SIZE)
            link->log_room = (size_t)(uintptr_t)values[i];
    }
    *out = link;
    return RT_OK;
}
SAME(cuLinkCreate, cuLinkCreate_v2, unsigned count, int *options, void **values, CUlinkState *out)

CU cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t bytes, const char *name,
                    unsigned count, int *options, void **values);
int cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t bytes, const char *name,
                     unsigned count, int *options, void **values)
{
    BEGIN;
    (void)name, (void)count, (void)options, (void)values;
    Link *link = state;
    if (!link || !data || !bytes)
        return RT_INVALID_VALUE;
    bool stands_in = !type && memcmp(data, "\177ELF", bytes < 4 ? bytes : 4); /* PTX as a cubin */
    if (type != 1 && type != 2 && !stands_in) { /* PTX, fat binary; not objects, libraries */
        rt_refuse("cuLinkAddData with machine code");
        return RT_NOT_SUPPORTED;
    }
    char *text;
    size_t length;
    int error = rt_image_text(data, bytes, &text, &length);
    if (error)
        return drv(error);
    VEC_PUSH(link->texts, text);
    VEC_PUSH(link->sizes, length);
    return RT_OK;
}
SAME(cuLinkAddData, cuLinkAddData_v2, CUlinkState state, int type, void *data, size_t bytes,
     const char *name, unsigned count, int *options, void **values)

CU cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned count, int *options,
                    void **values);
int cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned count, int *options,
                     void **values)
{
    Buf text = {0};
    if (!path || fs_read(path, &text)) {
        buf_free(&text);
        return 301;
    }
    int error = cuLinkAddData_v2(state, type, text.data, text.count, path, count, options, values);
    buf_free(&text);
    return error;
}
SAME(cuLinkAddFile, cuLinkAddFile_v2, CUlinkState state, int type, const char *path, unsigned count,
     int *options, void **values)

CU cuLinkComplete(CUlinkState state, void **image, size_t *bytes);
int cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    BEGIN;
    Link *link = state;
    if (!link || !link->texts.count)
        return RT_INVALID_VALUE;
    char why[512] = "";
    free(link->result);
    int error = rt_ptx_link((const char *const *)link->texts.items, link->sizes.items,
                            link->texts.count, &link->result, why, sizeof why);
    if (error) {
        if (link->log && link->log_room)
            snprintf(link->log, link->log_room, "%s", why);
        return drv(error);
    }
    *image = link->result;
    if (bytes)
        *bytes = strlen(link->result) + 1;
    return RT_OK;
}

CU cuLinkDestroy(CUlinkState state);
int cuLinkDestroy(CUlinkState state)
{
    Link *link = state;
    if (!link)
        return RT_INVALID_VALUE;
    for (size_t i = 0; i < link->texts.count; i++)
        free(link->texts.items[i]);
    VEC_FREE(link->texts);
    VEC_FREE(link->sizes);
    free(link->result);
    free(link);
    return RT_OK;
}

/* --- launches ------------------------------------------------------------------------------ */

int launch_arguments(DevLaunch *launch, void **params, void **extra)
{
    launch->params = params;
    if (!extra || params)
        return params && extra ? RT_INVALID_VALUE : RT_OK;
    for (; *extra; extra += 2) {
        if (extra[0] == (void *)1)
            launch->packed = extra[1];
        else if (extra[0] == (void *)2)
            launch->packed_bytes = *(const size_t *)extra[1];
        else
            return RT_INVALID_VALUE;
    }
    return RT_OK;
}

/* The others are advice that changes no result here. */
void launch_attribute(DevLaunch *launch, int which, const CUlaunchAttributeValue *value)
{
    if (which == LAUNCH_COOPERATIVE)
        launch->cooperative = value->cooperative != 0;
    else if (which == LAUNCH_CLUSTER)
        memcpy(launch->cluster, value->cluster, sizeof launch->cluster);
}

static int launch(CUfunction function, DevLaunch *what, void **params, void **extra,
                  RtStream *stream)
{
    RtKernel *kernel = rt_kernel(function);
    if (!kernel)
        return RT_INVALID_HANDLE;
    int error = launch_arguments(what, params, extra);
    return drv(error ? error : rt_launch(what, kernel, stream));
}

DUAL(cuLaunchKernel, _ptsz, (f, gx, gy, gz, bx, by, bz, shared, stream, params, extra),
     CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
     unsigned shared, CUstream stream, void **params, void **extra)
{
    BEGIN;
    STREAM(stream);
    DevLaunch what = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared};
    return launch(f, &what, params, extra, own);
}

DUAL(cuLaunchCooperativeKernel, _ptsz, (f, gx, gy, gz, bx, by, bz, shared, stream, params),
     CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
     unsigned shared, CUstream stream, void **params)
{
    BEGIN;
    STREAM(stream);
    DevLaunch what = {
        .grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .cooperative = true};
    return launch(f, &what, params, NULL, own);
}

static DevLaunch configured(const CUlaunchConfig *config)
{
    DevLaunch what = {.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                      .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                      .shared = config->sharedMemBytes};
    for (unsigned i = 0; i < config->numAttrs; i++)
        launch_attribute(&what, config->attrs[i].id, &config->attrs[i].value);
    return what;
}

DUAL(cuLaunchKernelEx, _ptsz, (config, f, params, extra), const CUlaunchConfig *config,
     CUfunction f, void **params, void **extra)
{
    BEGIN;
    if (!config)
        return RT_INVALID_VALUE;
    STREAM(config->hStream);
    DevLaunch what = configured(config);
    return launch(f, &what, params, extra, own);
}

DUAL(cuLaunchHostFunc, _ptsz, (stream, function, data), CUstream stream, void (*function)(void *),
     void *data)
{
    BEGIN;
    STREAM(stream);
    return function ? drv(rt_stream_call(own, function, data)) : RT_INVALID_VALUE;
}

/* --- functions ----------------------------------------------------------------------------- */

CU cuFuncGetAttribute(int *value, int attribute, CUfunction function);
int cuFuncGetAttribute(int *value, int attribute, CUfunction function)
{
    BEGIN;
    const RtKernel *kernel = rt_kernel(function);
    DevFunctionInfo info;
    if (!kernel)
        return RT_INVALID_HANDLE;
    int error = rt_device()->function_info(kernel->function, &info);
    if (error)
        return error;
    const int values[] = {info.max_threads,
                          (int)info.static_shared,
                          (int)info.const_bytes,
                          (int)info.local_bytes,
                          info.registers,
                          info.ptx_version,
                          info.binary_version,
                          0,
                          info.max_dynamic_shared,
                          info.carveout,
                          info.cluster[0] > 0,
                          info.cluster[0],
                          info.cluster[1],
                          info.cluster[2],
                          info.non_portable_cluster,
                          info.cluster_policy};
    if (!value || attribute < 0 || attribute >= (int)(sizeof values / sizeof *values))
        return RT_INVALID_VALUE;
    *value = values[attribute];
    return RT_OK;
}

CU cuFuncSetAttribute(CUfunction function, int attribute, int value);
int cuFuncSetAttribute(CUfunction function, int attribute, int value)
{
    BEGIN;
    const RtKernel *kernel = rt_kernel(function);
    if (!kernel)
        return RT_INVALID_HANDLE;
    switch (attribute) {
    case DEV_FUNC_MAX_DYNAMIC_SHARED:
    case DEV_FUNC_CARVEOUT:
    case DEV_FUNC_NON_PORTABLE_CLUSTER:
    case DEV_FUNC_CLUSTER_POLICY:
        return drv(rt_device()->function_set(kernel->function, attribute, value));
    default:
        return RT_INVALID_VALUE;
    }
}

CU cuKernelGetAttribute(int *value, int attribute, CUkernel kernel, CUdevice device);
int cuKernelGetAttribute(int *value, int attribute, CUkernel kernel, CUdevice device)
{
    (void)device;
    return cuFuncGetAttribute(value, attribute, kernel);
}

CU cuKernelSetAttribute(int attribute, int value, CUkernel kernel, CUdevice device);
int cuKernelSetAttribute(int attribute, int value, CUkernel kernel, CUdevice device)
{
    (void)device;
    return cuFuncSetAttribute(kernel, attribute, value);
}

CU cuFuncSetCacheConfig(CUfunction function, int config);
int cuFuncSetCacheConfig(CUfunction function, int config)
{
    BEGIN;
    return rt_kernel(function) && config >= 0 && config < 4 ? RT_OK : RT_INVALID_VALUE;
}

CU cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device);
int cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device)
{
    (void)device;
    return cuFuncSetCacheConfig(kernel, config);
}

CU cuFuncSetSharedMemConfig(CUfunction function, int config);
int cuFuncSetSharedMemConfig(CUfunction function, int config)
{
    BEGIN;
    return rt_kernel(function) && config >= 0 && config < 3 ? RT_OK : RT_INVALID_VALUE;
}

CU cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int block,
                                                        size_t shared, unsigned flags);
int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                         int block, size_t shared, unsigned flags)
{
    BEGIN;
    const RtKernel *kernel = rt_kernel(function);
    if (!kernel)
        return RT_INVALID_HANDLE;
    if (flags > 1)
        return RT_INVALID_VALUE;
    return drv(rt_device()->occupancy(kernel->function, block, shared, blocks));
}

CU cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block,
                                               size_t shared);
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block,
                                                size_t shared)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block, shared, 0);
}

CU cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config);
int cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config)
{
    BEGIN;
    RtKernel *kernel = rt_kernel(function);
    if (!kernel)
        return RT_INVALID_HANDLE;
    if (!config || !clusters)
        return RT_INVALID_VALUE;
    DevLaunch what = configured(config);
    return drv(rt_clusters(kernel, &what, NULL, clusters));
}

/* Whatever the cluster of the configuration. */
CU cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *config);
int cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *config)
{
    BEGIN;
    RtKernel *kernel = rt_kernel(function);
    if (!kernel)
        return RT_INVALID_HANDLE;
    if (!config || !size)
        return RT_INVALID_VALUE;
    DevLaunch what = configured(config);
    memset(what.grid, 0, sizeof what.grid), memset(what.cluster, 0, sizeof what.cluster);
    return drv(rt_clusters(kernel, &what, size, NULL));
}

CU cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
                                           int block);
int cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
                                            int block)
{
    BEGIN;
    const RtKernel *kernel = rt_kernel(function);
    return kernel ? drv(rt_shared_left(kernel, drv_device(), blocks, block, bytes))
                  : RT_INVALID_HANDLE;
}

/* The block size with the most resident threads; the largest of equals. */
CU cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                             size_t (*shared_of)(int), size_t shared, int limit,
                                             unsigned flags);
int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                              size_t (*shared_of)(int), size_t shared, int limit,
                                              unsigned flags)
{
    BEGIN;
    int most = 0, sms = 0, best = 0;
    int error = cuFuncGetAttribute(&most, 0, function);
    if (error)
        return error;
    rt_device()->attribute(drv_device(), 16, &sms);
    if (limit > 0 && limit < most)
        most = limit;
    for (int size = most / 32 * 32; size >= 32; size -= 32) {
        int blocks = 0;
        error = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, function, size, shared_of ? shared_of(size) : shared, flags);
        if (error)
            return error;
        if (blocks * size > best) {
            best = blocks * size;
            *block = size;
            *grid = blocks * sms;
        }
    }
    return best ? RT_OK : RT_INVALID_VALUE;
}

CU cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                    size_t (*shared_of)(int), size_t shared, int limit);
int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                     size_t (*shared_of)(int), size_t shared, int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared,
                                                     limit, 0);
}

/* --- streams ------------------------------------------------------------------------------- */

CU cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority);
int cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
    BEGIN;
    NEED(out);
    RtStream *stream;
    int error = rt_device()->sticky(drv_device());
    if (!error)
        error = rt_stream_new(flags, priority > 0 ? 0 : priority < -5 ? -5 : priority, &stream);
    if (error)
        return drv(error);
    stream->device = drv_device();
    stream->context = drv_context(NULL, NULL);
    *out = stream;
    return RT_OK;
}

CU cuStreamCreate(CUstream *out, unsigned flags);
int cuStreamCreate(CUstream *out, unsigned flags)
{
    return cuStreamCreateWithPriority(out, flags, 0);
}

CU cuStreamDestroy_v2(CUstream stream);
int cuStreamDestroy_v2(CUstream stream)
{
    PLAIN;
    RtStream *own = (uintptr_t)stream > 2 ? rt_stream(stream, false) : NULL;
    return own ? drv(rt_stream_free(own)) : RT_INVALID_HANDLE;
}

CU cuStreamDestroy(CUstream stream);
int cuStreamDestroy(CUstream stream)
{
    return cuStreamDestroy_v2(stream);
}

DUAL(cuStreamSynchronize, _ptsz, (stream), CUstream stream)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    return drv(rt_stream_wait(own));
}

DUAL(cuStreamQuery, _ptsz, (stream), CUstream stream)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    return drv(rt_stream_query(own));
}

DUAL(cuStreamWaitEvent, _ptsz, (stream, event, flags), CUstream stream, CUevent event,
     unsigned flags)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    RtEvent *found = rt_event(event);
    if (!found)
        return RT_INVALID_HANDLE;
    return flags > 1 ? RT_INVALID_VALUE : drv(rt_stream_wait_event(own, found));
}

DUAL(cuStreamGetFlags, _ptsz, (stream, flags), CUstream stream, unsigned *flags)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    NEED(flags);
    *flags = own->flags;
    return RT_OK;
}

DUAL(cuStreamGetPriority, _ptsz, (stream, priority), CUstream stream, int *priority)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    NEED(priority);
    *priority = own->priority;
    return RT_OK;
}

DUAL(cuStreamGetId, _ptsz, (stream, id), CUstream stream, unsigned long long *id)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    NEED(id);
    *id = own->id;
    return RT_OK;
}

DUAL(cuStreamGetCtx, _ptsz, (stream, context), CUstream stream, CUcontext *context)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    NEED(context);
    *context = drv_context(own, stream);
    return RT_OK;
}

/* There are no green contexts here. */
DUAL(cuStreamGetCtx_v2, _ptsz, (stream, context, green), CUstream stream, CUcontext *context,
     void **green)
{
    if (green)
        *green = NULL;
    return do_cuStreamGetCtx(per_thread, stream, context);
}

/* Policies of caches and waiting: nothing to set here but the priority. */
enum { STREAM_WAITING = 3, STREAM_PRIORITY = 8, STREAM_ATTRIBUTE_LAST = 16 };

DUAL(cuStreamGetAttribute, _ptsz, (stream, which, value), CUstream stream, int which, int *value)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    if (!value || (unsigned)which > STREAM_ATTRIBUTE_LAST)
        return RT_INVALID_VALUE;
    memset(value, 0, sizeof(CUlaunchAttributeValue));
    if (which == STREAM_PRIORITY)
        *value = own->priority;
    else if (which == STREAM_WAITING)
        *value = own->waiting;
    return RT_OK;
}

DUAL(cuStreamSetAttribute, _ptsz, (stream, which, value), CUstream stream, int which,
     const int *value)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    if (!value || (unsigned)which > STREAM_ATTRIBUTE_LAST)
        return RT_INVALID_VALUE;
    if (which == STREAM_PRIORITY)
        own->priority = *value;
    else if (which == STREAM_WAITING)
        own->waiting = *value;
    return RT_OK;
}

DUAL(cuStreamCopyAttributes, _ptsz, (dst, src), CUstream dst, CUstream src)
{
    BEGIN;
    STREAM(dst);
    const RtStream *from = rt_stream(src, per_thread);
    if (!from)
        return RT_INVALID_HANDLE;
    own->priority = from->priority;
    own->waiting = from->waiting;
    return RT_OK;
}

DUAL(cuStreamGetDevice, _ptsz, (stream, device), CUstream stream, CUdevice *device)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    NEED(device);
    *device = own->device;
    return RT_OK;
}

DUAL(cuStreamAttachMemAsync, _ptsz, (stream, address, bytes, flags), CUstream stream,
     CUdeviceptr address, size_t bytes, unsigned flags)
{
    BEGIN;
    STREAM(stream);
    DevMemInfo info;
    (void)bytes, (void)flags, (void)own;
    return rt_device()->mem_find((void *)(uintptr_t)address, &info);
}

typedef struct {
    void (*function)(CUstream, int, void *);
    CUstream stream;
    void *data;
} Callback;

static void run_callback(void *argument)
{
    Callback callback = *(Callback *)argument;
    free(argument);
    callback.function(callback.stream, rt_device()->sticky(0), callback.data);
}

DUAL(cuStreamAddCallback, _ptsz, (stream, function, data, flags), CUstream stream,
     void (*function)(CUstream, int, void *), void *data, unsigned flags)
{
    BEGIN;
    STREAM(stream);
    if (!function || flags)
        return RT_INVALID_VALUE;
    Callback *callback = xmalloc(sizeof *callback);
    *callback = (Callback){function, stream, data};
    return drv(rt_stream_call(own, run_callback, callback));
}

/* --- words in memory ------------------------------------------------------------------------ */

enum { WAIT_32 = 1, WRITE_32 = 2, WAIT_64 = 4, WRITE_64 = 5 }; /* CUstreamBatchMemOpType */

static int one_word(CUstream stream, bool per_thread, int operation, CUdeviceptr address,
                    uint64_t value, unsigned flags)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    RtMemoryOp op = {.operation = operation, .address = address, .value = value, .flags = flags};
    int error = rt_device()->sticky(drv_device());
    return drv(error ? error : rt_memory_ops(&op, 1, 0, own));
}

DUAL(cuStreamWaitValue32_v2, _ptsz, (stream, address, value, flags), CUstream stream,
     CUdeviceptr address, uint32_t value, unsigned flags)
{
    return one_word(stream, per_thread, WAIT_32, address, value, flags);
}
SAME(cuStreamWaitValue32, cuStreamWaitValue32_v2, CUstream stream, CUdeviceptr address,
     uint32_t value, unsigned flags)
SAME(cuStreamWaitValue32_ptsz, cuStreamWaitValue32_v2_ptsz, CUstream stream, CUdeviceptr address,
     uint32_t value, unsigned flags)

DUAL(cuStreamWaitValue64_v2, _ptsz, (stream, address, value, flags), CUstream stream,
     CUdeviceptr address, uint64_t value, unsigned flags)
{
    return one_word(stream, per_thread, WAIT_64, address, value, flags);
}
SAME(cuStreamWaitValue64, cuStreamWaitValue64_v2, CUstream stream, CUdeviceptr address,
     uint64_t value, unsigned flags)
SAME(cuStreamWaitValue64_ptsz, cuStreamWaitValue64_v2_ptsz, CUstream stream, CUdeviceptr address,
     uint64_t value, unsigned flags)

DUAL(cuStreamWriteValue32_v2, _ptsz, (stream, address, value, flags), CUstream stream,
     CUdeviceptr address, uint32_t value, unsigned flags)
{
    return one_word(stream, per_thread, WRITE_32, address, value, flags);
}
SAME(cuStreamWriteValue32, cuStreamWriteValue32_v2, CUstream stream, CUdeviceptr address,
     uint32_t value, unsigned flags)
SAME(cuStreamWriteValue32_ptsz, cuStreamWriteValue32_v2_ptsz, CUstream stream, CUdeviceptr address,
     uint32_t value, unsigned flags)

DUAL(cuStreamWriteValue64_v2, _ptsz, (stream, address, value, flags), CUstream stream,
     CUdeviceptr address, uint64_t value, unsigned flags)
{
    return one_word(stream, per_thread, WRITE_64, address, value, flags);
}
SAME(cuStreamWriteValue64, cuStreamWriteValue64_v2, CUstream stream, CUdeviceptr address,
     uint64_t value, unsigned flags)
SAME(cuStreamWriteValue64_ptsz, cuStreamWriteValue64_v2_ptsz, CUstream stream, CUdeviceptr address,
     uint64_t value, unsigned flags)

DUAL(cuStreamBatchMemOp_v2, _ptsz, (stream, count, ops, flags), CUstream stream, unsigned count,
     RtMemoryOp *ops, unsigned flags)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    int error = rt_device()->sticky(drv_device());
    return drv(error ? error : rt_memory_ops(ops, count, flags, own));
}
SAME(cuStreamBatchMemOp, cuStreamBatchMemOp_v2, CUstream stream, unsigned count, RtMemoryOp *ops,
     unsigned flags)
SAME(cuStreamBatchMemOp_ptsz, cuStreamBatchMemOp_v2_ptsz, CUstream stream, unsigned count,
     RtMemoryOp *ops, unsigned flags)

/* --- events -------------------------------------------------------------------------------- */

CU cuEventCreate(CUevent *out, unsigned flags);
int cuEventCreate(CUevent *out, unsigned flags)
{
    BEGIN;
    NEED(out);
    RtEvent *event;
    int error = rt_device()->sticky(drv_device());
    if (!error)
        error = rt_event_new(flags, &event);
    if (!error)
        *out = event;
    return drv(error);
}

CU cuEventDestroy_v2(CUevent event);
int cuEventDestroy_v2(CUevent event)
{
    PLAIN;
    RtEvent *own = rt_event(event);
    return own ? drv(rt_event_free(own)) : RT_INVALID_HANDLE;
}

CU cuEventDestroy(CUevent event);
int cuEventDestroy(CUevent event)
{
    return cuEventDestroy_v2(event);
}

DUAL(cuEventRecord, _ptsz, (event, stream), CUevent event, CUstream stream)
{
    BEGIN_STREAM(stream);
    STREAM(stream);
    RtEvent *found = rt_event(event);
    return found ? drv(rt_event_record(found, own)) : RT_INVALID_HANDLE;
}

DUAL(cuEventRecordWithFlags, _ptsz, (event, stream, flags), CUevent event, CUstream stream,
     unsigned flags)
{
    return flags > 1 ? RT_INVALID_VALUE : do_cuEventRecord(per_thread, event, stream);
}

CU cuEventQuery(CUevent event);
int cuEventQuery(CUevent event)
{
    PLAIN;
    RtEvent *own = rt_event(event);
    return own ? drv(rt_event_query(own)) : RT_INVALID_HANDLE;
}

CU cuEventSynchronize(CUevent event);
int cuEventSynchronize(CUevent event)
{
    PLAIN;
    RtEvent *own = rt_event(event);
    return own ? drv(rt_event_wait(own)) : RT_INVALID_HANDLE;
}

CU cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end);
int cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end)
{
    PLAIN;
    RtEvent *a = rt_event(start), *b = rt_event(end);
    if (!a || !b)
        return RT_INVALID_HANDLE;
    return ms ? drv(rt_event_elapsed(a, b, ms)) : RT_INVALID_VALUE;
}

CU cuEventElapsedTime(float *ms, CUevent start, CUevent end);
int cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    return cuEventElapsedTime_v2(ms, start, end);
}
