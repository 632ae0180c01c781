/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: what compilers generate calls to (registration, launch configuration), launches in all
 * forms, function attributes, occupancy, symbols, libraries. */
#include "runtime/cudart.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- what programs register ---------------------------------------------------------------- */

typedef struct {
    const void *host; /* the host's stub function or shadow variable; NULL = free slot */
    RtImage *image;
    RtKernel *kernel; /* functions */
    const char *name; /* variables */
    void **managed;   /* managed variables: where the host keeps the pointer */
    size_t bytes;
} Entry;

/* Open addressing; readers need no lock: the table is replaced whole when it grows. */
typedef struct {
    size_t room;
    Entry slot[];
} Table;

static struct {
    pthread_mutex_t lock;
    Table *_Atomic table;
    size_t count;
    VEC(RtImage *) images;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t slot_of(const void *host, size_t room)
{
    return (size_t)((uintptr_t)host * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
}

static const Entry *entry_find(const void *host)
{
    const Table *table = atomic_load_explicit(&registry.table, memory_order_acquire);
    if (!table || !host)
        return NULL;
    for (size_t i = slot_of(host, table->room);; i = (i + 1) & (table->room - 1)) {
        if (table->slot[i].host == host)
            return &table->slot[i];
        if (!table->slot[i].host)
            return NULL;
    }
}

static void table_put(Table *table, const Entry *entry)
{
    size_t i = slot_of(entry->host, table->room);
    while (table->slot[i].host && table->slot[i].host != entry->host)
        i = (i + 1) & (table->room - 1);
    table->slot[i] = *entry;
}

static void entry_add(const Entry *entry)
{
    pthread_mutex_lock(&registry.lock);
    Table *table = atomic_load(&registry.table);
    if (!table || registry.count * 2 >= table->room) {
        size_t room = table ? table->room * 2 : 256;
        Table *grown = xcalloc(1, sizeof *grown + room * sizeof(Entry));
        grown->room = room;
        for (size_t i = 0; table && i < table->room; i++)
            if (table->slot[i].host)
                table_put(grown, &table->slot[i]);
        /* The old table stays: a launch may be reading it. */
        atomic_store_explicit(&registry.table, grown, memory_order_release);
        table = grown;
    }
    table_put(table, entry);
    registry.count++;
    pthread_mutex_unlock(&registry.lock);
}

void **__cudaRegisterFatBinary(void *wrapper);
void **__cudaRegisterFatBinary(void *wrapper)
{
    RtImage *image;
    rt_set_exit_on_unsupported(true);
    rt_image_new(wrapper, SIZE_MAX, &image);
    pthread_mutex_lock(&registry.lock);
    VEC_PUSH(registry.images, image);
    pthread_mutex_unlock(&registry.lock);
    return (void **)image;
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle)
{
    /* Managed variables of gpukit cc lie in the program, which may use them from now on. */
    if (handle && rt_image_is_managed((RtImage *)handle) && !fin(rt_init()))
        fin(rt_image_load((RtImage *)handle, NULL, 0));
}

void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle)
{
    RtImage *image = (RtImage *)handle;
    if (!handle || rt_is_closing())
        return; /* the process ends; everything goes with it */
    /* A library is being unloaded: its functions must not be found any more. */
    pthread_mutex_lock(&registry.lock);
    Table *table = atomic_load(&registry.table);
    for (size_t i = 0; table && i < table->room; i++)
        if (table->slot[i].host && table->slot[i].image == image) {
            table->slot[i].kernel = NULL;
            table->slot[i].image = NULL;
        }
    for (size_t i = 0; i < registry.images.count; i++)
        if (registry.images.items[i] == image)
            registry.images.items[i] = registry.images.items[--registry.images.count];
    pthread_mutex_unlock(&registry.lock);
    rt_image_free(image);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device_function,
                            const char *device_name, int thread_limit, void *tid, void *bid,
                            void *block, void *grid, int *warp_size);
void __cudaRegisterFunction(void **handle, const char *host, char *device_function,
                            const char *device_name, int thread_limit, void *tid, void *bid,
                            void *block, void *grid, int *warp_size)
{
    (void)device_function, (void)thread_limit, (void)tid, (void)bid;
    (void)block, (void)grid, (void)warp_size;
    Entry entry = {.host = host, .image = (RtImage *)handle};
    rt_image_kernel(entry.image, device_name, &entry.kernel);
    entry_add(&entry);
}

void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *device_name,
                       int external, size_t bytes, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *device_name,
                       int external, size_t bytes, int constant, int global)
{
    (void)device_address, (void)external, (void)constant, (void)global;
    Entry entry = {.host = host, .image = (RtImage *)handle, .name = device_name, .bytes = bytes};
    entry_add(&entry);
    rt_image_shadow(entry.image, device_name, host, bytes);
}

/* The host keeps a pointer; it must point at the variable before the host first reads it, which is
 * what __cudaInitModule is called for. */
void __cudaRegisterManagedVar(void **handle, void **host, char *device_address,
                              const char *device_name, int external, size_t bytes, int constant,
                              int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device_address,
                              const char *device_name, int external, size_t bytes, int constant,
                              int global)
{
    (void)device_address, (void)external, (void)constant, (void)global;
    Entry entry = {.host = host,
                   .image = (RtImage *)handle,
                   .name = device_name,
                   .managed = host,
                   .bytes = bytes};
    entry_add(&entry);
}

char __cudaInitModule(void **handle);
char __cudaInitModule(void **handle)
{
    if (fin(rt_init()))
        return 0;
    int error = rt_image_load((RtImage *)handle, NULL, 0);
    Table *table = atomic_load(&registry.table);
    for (size_t i = 0; !error && table && i < table->room; i++) {
        Entry *entry = &table->slot[i];
        if (entry->host && entry->managed && entry->image == (RtImage *)handle)
            error = rt_image_variable(entry->image, entry->name, entry->managed, NULL);
    }
    fin(error);
    return error == 0;
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes)
{
    (void)handle, (void)name, (void)host, (void)bytes; /* host tables: nothing to prepare */
}

char __cudaRegisterUnifiedTable(void **handle, void *table);
char __cudaRegisterUnifiedTable(void **handle, void *table)
{
    (void)handle, (void)table;
    return 1;
}

/* CUDA 11 and before: texture and surface references; they are refused when they are bound. */
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int normalized, int external);
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int normalized, int external)
{
    (void)handle, (void)host, (void)device, (void)dimensions, (void)normalized, (void)external;
    rt_message("texture reference %s: texture references are not supported, texture objects are "
               "what CUDA 12 and later have",
               name);
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int external);
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int external)
{
    (void)handle, (void)host, (void)device, (void)dimensions, (void)external;
    rt_message("surface reference %s: surface references are not supported", name);
}

static int wanted_kernel(const void *host, RtKernel **out)
{
    const Entry *entry = entry_find(host);
    RtKernel *kernel = entry ? entry->kernel : rt_kernel(host);
    if (!kernel)
        return RT_INVALID_DEVICE_FUNCTION;
    *out = kernel;
    return RT_OK;
}

/* Loads it too; the runtime's errors for what the driver would call "not found". */
int kernel_find(const void *host, RtKernel **out)
{
    int error = wanted_kernel(host, out);
    if (!error && !(*out)->function) {
        error = rt_kernel_load(*out);
        rt_stop_unless_sound(*out, error);
    }
    return error == RT_NOT_FOUND ? RT_INVALID_DEVICE_FUNCTION : error;
}

/* nvcc's programs name a managed variable by the address that it has, not by the host's pointer. */
static const Entry *managed_find(const void *address)
{
    const Table *table = atomic_load_explicit(&registry.table, memory_order_acquire);
    for (size_t i = 0; table && i < table->room; i++)
        if (table->slot[i].host && table->slot[i].managed && *table->slot[i].managed == address)
            return &table->slot[i];
    return NULL;
}

int symbol_find(const void *host, void **address, size_t *bytes)
{
    const Entry *entry = entry_find(host);
    entry = entry ? entry : managed_find(host);
    if (!entry || !entry->name || !entry->image)
        return RT_INVALID_SYMBOL;
    int error = rt_image_variable(entry->image, entry->name, address, bytes);
    return error == RT_NOT_FOUND ? RT_INVALID_SYMBOL : error;
}

/* --- launch configuration ------------------------------------------------------------------ */

typedef struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} Configuration;

/* A kernel's arguments may launch kernels themselves, so configurations nest. */
static _Thread_local Configuration configuration[32];
static _Thread_local unsigned configurations;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (configurations == sizeof configuration / sizeof *configuration)
        return RT_INVALID_CONFIGURATION;
    configuration[configurations++] = (Configuration){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!configurations)
        return fin(52);
    const Configuration *top = &configuration[--configurations];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *(void **)stream = top->stream;
    return cudaSuccess;
}

/* --- launches ------------------------------------------------------------------------------ */

static int launch(RtKernel *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                  RtStream *stream, bool cooperative)
{
    DevLaunch what = {.grid = {grid.x, grid.y, grid.z},
                      .block = {block.x, block.y, block.z},
                      .shared = shared,
                      .params = args,
                      .cooperative = cooperative};
    return rt_launch(&what, kernel, stream);
}

DUAL(cudaLaunchKernel, _ptsz, (func, grid, block, args, shared, stream), const void *func,
     dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    return fin(error ? error : launch(kernel, grid, block, args, shared, own, false));
}

DUAL(cudaLaunchCooperativeKernel, _ptsz, (func, grid, block, args, shared, stream),
     const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    return fin(error ? error : launch(kernel, grid, block, args, shared, own, true));
}

static DevLaunch configured(const cudaLaunchConfig_t *config)
{
    const dim3 grid = config->gridDim, block = config->blockDim;
    DevLaunch what = {.grid = {grid.x, grid.y, grid.z},
                      .block = {block.x, block.y, block.z},
                      .cluster = {1, 1, 1},
                      .shared = config->dynamicSmemBytes};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &config->attrs[i];
        if (attribute->id == cudaLaunchAttributeCooperative) {
            what.cooperative = attribute->val.cooperative != 0;
        } else if (attribute->id == cudaLaunchAttributeClusterDimension) {
            what.cluster[0] = attribute->val.clusterDim.x;
            what.cluster[1] = attribute->val.clusterDim.y;
            what.cluster[2] = attribute->val.clusterDim.z;
        }
    }
    return what;
}

DUAL(cudaLaunchKernelExC, _ptsz, (config, func, args), const cudaLaunchConfig_t *config,
     const void *func, void **args)
{
    BEGIN;
    if (!config)
        return fin(RT_INVALID_VALUE);
    STREAM(config->stream);
    DevLaunch what = configured(config);
    what.params = args;
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    return fin(error ? error : rt_launch(&what, kernel, own));
}

cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *host);
cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *host)
{
    /* Errors of loading come with the launch, where programs look for them. */
    RtKernel *kernel;
    int error = wanted_kernel(host, &kernel);
    if (error)
        return fin(error);
    *out = (cudaKernel_t)kernel;
    return cudaSuccess;
}

DUAL(__cudaLaunchKernel, _ptsz, (kernel, grid, block, args, shared, stream), cudaKernel_t kernel,
     dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    BEGIN;
    STREAM(stream);
    RtKernel *found = rt_kernel(kernel);
    int error = found ? RT_OK : RT_INVALID_DEVICE_FUNCTION;
    if (found && !found->function)
        error = kernel_find(found, &found);
    return fin(error ? error : launch(found, grid, block, args, shared, own, false));
}

/* CUDA 9 and before, still in old objects. */
static _Thread_local unsigned char old_args[4096];
static _Thread_local size_t old_bytes;
static _Thread_local Configuration old_configuration;

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    old_configuration = (Configuration){grid, block, shared, stream};
    old_bytes = 0;
    return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void *argument, size_t bytes, size_t offset);
cudaError_t cudaSetupArgument(const void *argument, size_t bytes, size_t offset)
{
    if (offset > sizeof old_args || bytes > sizeof old_args - offset)
        return fin(RT_INVALID_VALUE);
    memcpy(old_args + offset, argument, bytes);
    old_bytes = offset + bytes > old_bytes ? offset + bytes : old_bytes;
    return cudaSuccess;
}

cudaError_t cudaLaunch(const void *func);
cudaError_t cudaLaunch(const void *func)
{
    BEGIN;
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    if (error)
        return fin(error);
    const Configuration *c = &old_configuration;
    DevLaunch what = {.grid = {c->grid.x, c->grid.y, c->grid.z},
                      .block = {c->block.x, c->block.y, c->block.z},
                      .shared = c->shared,
                      .packed = old_args,
                      .packed_bytes = old_bytes};
    RtStream *stream = rt_stream(c->stream, false);
    return fin(stream ? rt_launch(&what, kernel, stream) : RT_INVALID_HANDLE);
}

/* --- host functions ------------------------------------------------------------------------ */

DUAL(cudaLaunchHostFunc, _ptsz, (stream, function, data), cudaStream_t stream,
     cudaHostFn_t function, void *data)
{
    BEGIN;
    STREAM(stream);
    if (!function)
        return fin(RT_INVALID_VALUE);
    return fin(rt_stream_call(own, function, data));
}

typedef struct {
    cudaStreamCallback_t function;
    cudaStream_t stream;
    void *data;
} Callback;

static void run_callback(void *argument)
{
    Callback callback = *(Callback *)argument;
    free(argument);
    callback.function(callback.stream, (cudaError_t)rt_device()->sticky(0), callback.data);
}

DUAL(cudaStreamAddCallback, _ptsz, (stream, function, data, flags), cudaStream_t stream,
     cudaStreamCallback_t function, void *data, unsigned flags)
{
    BEGIN;
    STREAM(stream);
    if (!function || flags)
        return fin(RT_INVALID_VALUE);
    if (own->capture)
        return fin(RT_CAPTURE_UNSUPPORTED);
    Callback *callback = xmalloc(sizeof *callback);
    *callback = (Callback){function, stream, data};
    return fin(rt_stream_call(own, run_callback, callback));
}

/* --- functions ----------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *func)
{
    BEGIN;
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    DevFunctionInfo info;
    if (!error)
        error = rt_device()->function_info(kernel->function, &info);
    if (error)
        return fin(error);
    struct cudaFuncAttributes all = {.sharedSizeBytes = info.static_shared,
                                     .constSizeBytes = info.const_bytes,
                                     .localSizeBytes = info.local_bytes,
                                     .maxThreadsPerBlock = info.max_threads,
                                     .numRegs = info.registers,
                                     .ptxVersion = info.ptx_version,
                                     .binaryVersion = info.binary_version,
                                     .maxDynamicSharedSizeBytes = info.max_dynamic_shared,
                                     .preferredShmemCarveout = info.carveout,
                                     .clusterDimMustBeSet = info.cluster[0] > 0,
                                     .requiredClusterWidth = info.cluster[0],
                                     .requiredClusterHeight = info.cluster[1],
                                     .requiredClusterDepth = info.cluster[2],
                                     .clusterSchedulingPolicyPreference = info.cluster_policy,
                                     .nonPortableClusterSizeAllowed = info.non_portable_cluster};
    /* CUDA 11 ends the structure behind preferredShmemCarveout. */
    memcpy(out, &all,
           CUDART_MAJOR == 11 ? offsetof(struct cudaFuncAttributes, clusterDimMustBeSet)
                              : sizeof all);
    return cudaSuccess;
}

static cudaError_t set_attribute(RtKernel *kernel, enum cudaFuncAttribute attribute, int value)
{
    switch ((int)attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
    case cudaFuncAttributePreferredSharedMemoryCarveout:
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return fin(rt_device()->function_set(kernel->function, (int)attribute, value));
    default:
        return fin(RT_INVALID_VALUE);
    }
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attribute, int value)
{
    BEGIN;
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    return error ? fin(error) : set_attribute(kernel, attribute, value);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                            int value, int device);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                            int value, int device)
{
    (void)device;
    return cudaFuncSetAttribute(kernel, attribute, value);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    BEGIN;
    RtKernel *kernel;
    if ((unsigned)config > 3)
        return fin(RT_INVALID_VALUE);
    return fin(kernel_find(func, &kernel)); /* a hint; there is no such cache here */
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    BEGIN;
    RtKernel *kernel;
    if ((unsigned)config > 2)
        return fin(RT_INVALID_VALUE);
    return fin(kernel_find(func, &kernel));
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    BEGIN;
    RtKernel *kernel;
    int error = wanted_kernel(func, &kernel);
    if (!error)
        *name = kernel->name;
    return fin(error);
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *bytes);
cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *bytes)
{
    BEGIN;
    RtKernel *kernel;
    size_t at, size;
    int error = kernel_find(func, &kernel);
    if (!error)
        error = rt_device()->function_param(kernel->function, (unsigned)index, &at, &size);
    if (!error && offset)
        *offset = at;
    if (!error && bytes)
        *bytes = size;
    return fin(error);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *symbol)
{
    BEGIN;
    RtKernel *kernel;
    int error = kernel_find(symbol, &kernel);
    if (!error)
        *out = (cudaFunction_t)kernel;
    return fin(error);
}

cudaError_t cudaGetKernel(cudaKernel_t *out, const void *entry)
{
    BEGIN;
    RtKernel *kernel;
    int error = wanted_kernel(entry, &kernel);
    if (!error)
        *out = (cudaKernel_t)kernel;
    return fin(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
                                                                   int block, size_t shared,
                                                                   unsigned flags)
{
    BEGIN;
    RtKernel *kernel;
    if (flags > 1)
        return fin(RT_INVALID_VALUE);
    int error = kernel_find(func, &kernel);
    return fin(error ? error : rt_device()->occupancy(kernel->function, block, shared, blocks));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int block,
                                                          size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, block, shared, 0);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func,
                                           const cudaLaunchConfig_t *config)
{
    BEGIN;
    if (!config || !clusters)
        return fin(RT_INVALID_VALUE);
    DevLaunch what = configured(config);
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    return fin(error ? error : rt_clusters(kernel, &what, NULL, clusters));
}

/* Whatever the cluster of the configuration. */
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func,
                                                 const cudaLaunchConfig_t *config)
{
    BEGIN;
    if (!config || !size)
        return fin(RT_INVALID_VALUE);
    DevLaunch what = configured(config);
    memset(what.grid, 0, sizeof what.grid), memset(what.cluster, 0, sizeof what.cluster);
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    return fin(error ? error : rt_clusters(kernel, &what, size, NULL));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int blocks,
                                                      int block)
{
    BEGIN;
    RtKernel *kernel;
    int error = kernel_find(func, &kernel);
    return fin(error ? error : rt_shared_left(kernel, cudart_device, blocks, block, bytes));
}

/* --- symbols ------------------------------------------------------------------------------- */

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    BEGIN;
    return fin(symbol_find(symbol, address, NULL));
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    BEGIN;
    return fin(symbol_find(symbol, NULL, bytes));
}

/* --- libraries ----------------------------------------------------------------------------- */

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit,
                                void **jit_values, unsigned jit_count,
                                enum cudaLibraryOption *options, void **values, unsigned count)
{
    BEGIN;
    (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    RtImage *image;
    if (!library || !code)
        return fin(RT_INVALID_VALUE);
    int error = rt_image_new(code, SIZE_MAX, &image);
    if (!error && (error = rt_image_load(image, NULL, 0)))
        rt_image_free(image);
    if (!error)
        *library = (cudaLibrary_t)image;
    return fin(error);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *name,
                                    enum cudaJitOption *jit, void **jit_values, unsigned jit_count,
                                    enum cudaLibraryOption *options, void **values, unsigned count)
{
    BEGIN;
    (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    FILE *file = name ? fopen(name, "re") : NULL;
    if (!file)
        return fin(301);
    fseek(file, 0, SEEK_END);
    long bytes = ftell(file);
    rewind(file);
    char *data = xmalloc(bytes > 0 ? (size_t)bytes : 1);
    bool whole = bytes > 0 && fread(data, 1, (size_t)bytes, file) == (size_t)bytes;
    fclose(file);
    RtImage *image = NULL;
    int error = whole ? rt_image_new(data, (size_t)bytes, &image) : RT_INVALID_IMAGE;
    free(data);
    if (!error && (error = rt_image_load(image, NULL, 0)))
        rt_image_free(image);
    if (!error)
        *library = (cudaLibrary_t)image;
    return fin(error);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    BEGIN;
    if (!library)
        return fin(RT_INVALID_HANDLE);
    rt_image_free((RtImage *)library);
    return cudaSuccess;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t library, const char *name)
{
    BEGIN;
    NEED(out && library && name);
    RtKernel *kernel;
    int error = rt_image_kernel((RtImage *)library, name, &kernel);
    if (!error)
        error = rt_kernel_load(kernel);
    if (!error)
        *out = (cudaKernel_t)kernel;
    return fin(error);
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library,
                                 const char *name)
{
    BEGIN;
    NEED(library && name);
    return fin(rt_image_variable((RtImage *)library, name, address, bytes));
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes, cudaLibrary_t library,
                                  const char *name)
{
    return cudaLibraryGetGlobal(address, bytes, library, name);
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library);
cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library)
{
    BEGIN;
    NEED(count && library);
    DevModule *module = rt_image_module((RtImage *)library);
    *count = 0;
    while (rt_device()->module_kernel_name(module, *count))
        ++*count;
    return cudaSuccess;
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *list, unsigned count, cudaLibrary_t library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *list, unsigned count, cudaLibrary_t library)
{
    BEGIN;
    return fin(rt_image_kernels((RtImage *)library, (void **)list, count));
}

/* --- driver entry points ------------------------------------------------------------------- */

static cudaError_t entry_point(const char *symbol, void **out, unsigned version,
                               unsigned long long flags, int *status)
{
    BEGIN;
    NEED(symbol && out);
    typedef int GetProcAddress(const char *, void **, int, uint64_t, int *);
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    GetProcAddress *get = NULL;
    void *found = library ? dlsym(library, "cuGetProcAddress_v2") : NULL;
    memcpy(&get, &found, sizeof get);
    *out = NULL;
    int result = 1;
    int error = get ? get(symbol, out, (int)version, flags, &result) : RT_NOT_FOUND;
    if (status)
        *status = result;
    return fin(status && error == RT_NOT_FOUND ? 0 : error);
}

/* In the forms for per-thread default streams a symbol without flags is that form of it. */
enum { PER_THREAD = 2 };

static cudaError_t entry_point_now(const char *symbol, void **out, unsigned long long flags,
                                   enum cudaDriverEntryPointQueryResult *status)
{
    return entry_point(symbol, out, CUDART_MAJOR * 1000, flags,
                       CUDART_MAJOR == 11 ? NULL : (int *)status);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **out, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
{
    return entry_point_now(symbol, out, flags, status);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **out, unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult *status);
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **out, unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult *status)
{
    return entry_point_now(symbol, out, flags ? flags : PER_THREAD, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **out, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status)
{
    return entry_point(symbol, out, version, flags, (int *)status);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **out, unsigned version,
                                                  unsigned long long flags,
                                                  enum cudaDriverEntryPointQueryResult *status);
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **out, unsigned version,
                                                  unsigned long long flags,
                                                  enum cudaDriverEntryPointQueryResult *status)
{
    return entry_point(symbol, out, version, flags ? flags : PER_THREAD, (int *)status);
}
