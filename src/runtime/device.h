/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime asks of a device: one table of functions with two implementations, the CPU
 * engine (cpu_device.c) and the real driver (gpu_device.c). Nothing above this knows which it has.
 *
 * Every function returns a CUDA error number (the runtime's and the driver's agree), 0 = success.
 * Addresses are what the program uses; handles are the implementation's own. */
#ifndef GPUKIT_RUNTIME_DEVICE_H
#define GPUKIT_RUNTIME_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct DevModule DevModule;
typedef struct DevFunction DevFunction;
typedef struct DevQueue DevQueue; /* a stream */
typedef struct DevEvent DevEvent;
typedef struct DevArray DevArray;   /* texels that only textures, surfaces and copies reach */
typedef struct DevMipmap DevMipmap; /* arrays, each half as large as the one before */

typedef enum { DEV_MEM_DEVICE, DEV_MEM_MANAGED, DEV_MEM_PINNED, DEV_MEM_REGISTERED } DevMemKind;

typedef struct {
    uint64_t address, bytes; /* as kernels see it */
    void *host;              /* as the host sees it, or NULL */
    DevMemKind kind;
    int device;
    unsigned flags;
    uint64_t id;
} DevMemInfo;

/* A box of bytes; one row is depth = height = 1. Pitches and slices count bytes. An end that is an
 * array has a position there (x in bytes, y, z) in place of address, pitch and slice. */
typedef struct {
    void *dst;
    const void *src;
    size_t dst_pitch, src_pitch, dst_slice, src_slice;
    size_t width, height, depth;
    DevArray *dst_array, *src_array;
    size_t dst_at[3], src_at[3];
} DevCopy;

/* What a texel is made of. */
typedef enum { DEV_SIGNED, DEV_UNSIGNED, DEV_FLOAT } DevTexelKind; /* as cudaChannelFormatKind */
typedef struct {
    uint8_t channels, bits; /* bits of a channel: 8, 16, 32 */
    uint8_t kind;           /* DevTexelKind */
} DevFormat;

/* flags: cudaArrayLayered and so on, the driver's numbers. A missing dimension is 0; depth counts
 * layers and faces. */
typedef struct {
    size_t width, height, depth; /* texels */
    DevFormat format;
    unsigned flags;
} DevArrayShape;
enum { DEV_ARRAY_LAYERED = 1, DEV_ARRAY_CUBEMAP = 4 };

/* A texture's own look at its resource: another format of the same size, some levels and layers. */
typedef struct {
    int format; /* cudaResourceViewFormat's number; 0: the resource's own */
    size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer;
} DevView;

/* What a texture or surface object shows: an array, a mipmapped one, or memory (pitch 0: one row). */
typedef struct {
    DevArray *array;
    DevMipmap *mipmap;
    const DevView *view; /* or NULL */
    void *memory;
    DevFormat format;     /* of memory */
    size_t width, height; /* of memory, texels */
    size_t pitch;         /* bytes */
} DevTexels;

typedef struct {
    uint8_t address[3]; /* cudaTextureAddressMode's numbers */
    bool linear;        /* filter */
    bool normalized_read, normalized_coordinates, srgb, seamless, no_trilinear;
    unsigned anisotropy;
    bool mip_linear;
    float mip_bias, mip_least, mip_most;
    float border[4];
} DevSampler;

typedef struct {
    void *dst;
    size_t pitch, slice;
    uint32_t value;
    unsigned element;            /* bytes: 1, 2, 4 */
    size_t width, height, depth; /* width in elements */
} DevFill;

typedef struct {
    DevFunction *function;
    uint32_t grid[3], block[3], cluster[3];
    size_t shared; /* dynamic, bytes */
    void **params; /* one pointer per parameter, or NULL and packed */
    const void *packed;
    size_t packed_bytes;
    bool cooperative;
} DevLaunch;

typedef struct {
    char name[256];
    uint8_t uuid[16];
    int cc_major, cc_minor;
    size_t memory;
    int pci_domain, pci_bus, pci_device;
} DevInfo;

/* What a function needs and allows, as cudaFuncAttributes says it. */
typedef struct {
    size_t static_shared, const_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version;
    int max_dynamic_shared, carveout;
    int cluster[3]; /* that the function was compiled for, or 0 */
    int non_portable_cluster, cluster_policy;
    bool estimated; /* registers: a guess, not the compiler's count */
} DevFunctionInfo;

/* A variable's place in the host program, where a managed one lies (borrowed). */
typedef struct {
    const char *name;
    void *host;
    size_t bytes;
} DevShadow;

enum { DEV_QUEUE_NON_BLOCKING = 1 };
/* What function_set sets: cudaFuncAttribute's numbers. */
enum {
    DEV_FUNC_MAX_DYNAMIC_SHARED = 8,
    DEV_FUNC_CARVEOUT = 9,
    DEV_FUNC_NON_PORTABLE_CLUSTER = 14,
    DEV_FUNC_CLUSTER_POLICY = 15
};

/* Addresses and memory apart, in pages of `granularity` bytes. Errors are the core's. */
typedef struct {
    size_t granularity;
    int (*reserve)(size_t bytes, size_t alignment, uint64_t *address);
    int (*unreserve)(uint64_t address, size_t bytes);
    int (*create)(size_t bytes, int device, uint64_t *handle);
    int (*import)(int file, int device, uint64_t *handle);
    int (*export)(uint64_t handle, int *file);
    int (*at)(uint64_t address, uint64_t *handle);
    int (*release)(uint64_t handle);
    int (*device_of)(uint64_t handle, int *device);
    int (*map)(uint64_t address, size_t bytes, size_t offset, uint64_t handle);
    int (*unmap)(uint64_t address, size_t bytes);
    int (*access_set)(uint64_t address, size_t bytes, unsigned access); /* 0, 1 read, 3 both */
    int (*access)(uint64_t address, unsigned *access);
} DevVirtual;

/* Memory and events for other processes, by handles of DEV_IPC_BYTES plain bytes. */
enum { DEV_IPC_BYTES = 64 };
typedef struct {
    int (*memory)(void *address, void *handle);
    int (*memory_open)(const void *handle, int device, void **address);
    int (*memory_close)(void *address);
    int (*event)(DevEvent *event, void *handle);
    int (*event_open)(const void *handle, DevEvent **out);
} DevIpc;

typedef struct Device {
    const char *kind; /* "cpu", "gpu" */
    /* Called once before anything else. why: room for a sentence about a failure. */
    int (*open)(char *why, size_t room);
    int (*count)(int *devices);
    int (*info)(int device, DevInfo *out);
    int (*attribute)(int device, int attribute, int *value); /* cudaDeviceAttr numbers */
    int (*select)(int device); /* for the calling thread; makes its primary context */
    int (*reset)(
        int device); /* frees what was allocated, variables have their first values again */
    int (*recover)(int device); /* waits and clears the sticky error, where that can be done */
    int (*driver_version)(int *version);
    /* The sticky error of the device's context, 0 when there is none. */
    int (*sticky)(int device);

    int (*mem_alloc)(DevMemKind kind, size_t bytes, unsigned flags, void **address);
    int (*mem_free)(void *address, unsigned kinds);
    int (*mem_register)(void *host, size_t bytes, unsigned flags);
    int (*mem_unregister)(void *host);
    int (*mem_find)(const void *address, DevMemInfo *out); /* 1 when unknown */
    int (*mem_usage)(size_t *unused, size_t *total);
    const DevVirtual *virtual_memory; /* NULL: not through this device */
    const DevIpc *ipc;                /* the same */

    int (*queue_new)(unsigned flags, int priority, DevQueue **out);
    int (*queue_free)(DevQueue *queue);
    DevQueue *(*queue_legacy)(void);
    int (*queue_wait)(DevQueue *queue);  /* host waits */
    int (*queue_query)(DevQueue *queue); /* 600 not ready */
    int (*queue_wait_event)(DevQueue *queue, DevEvent *event);
    int (*queue_call)(DevQueue *queue, void (*function)(void *), void *argument);
    int (*device_wait)(void);

    int (*event_new)(bool timing, bool blocking, DevEvent **out);
    int (*event_free)(DevEvent *event);
    int (*event_record)(DevEvent *event, DevQueue *queue);
    int (*event_query)(DevEvent *event);
    int (*event_wait)(DevEvent *event);
    int (*event_elapsed)(DevEvent *start, DevEvent *end, float *ms);

    /* host_waits: the call returns after the copy (and, on pageable memory, earlier use is over).
     */
    int (*copy)(const DevCopy *copy, DevQueue *queue, bool host_waits);
    int (*fill)(const DevFill *fill, DevQueue *queue, bool host_waits);
    int (*free_later)(void *address, DevQueue *queue);

    int (*array_new)(const DevArrayShape *shape, DevArray **out);
    int (*array_free)(DevArray *array); /* its work is done */
    int (*mipmap_new)(const DevArrayShape *shape, unsigned levels, DevMipmap **out);
    int (*mipmap_level)(DevMipmap *mipmap, unsigned level, DevArray **out); /* the mipmap's own */
    int (*mipmap_free)(DevMipmap *mipmap);
    /* The handle is what kernels get. sampler NULL: a surface. */
    int (*texture_new)(const DevTexels *texels, const DevSampler *sampler, uint64_t *handle);
    int (*texture_free)(uint64_t handle, bool surface);

    int (*module_load)(const char *ptx, size_t bytes, const char *name, const DevShadow *shadows,
                       size_t shadow_count, DevModule **out, char *log, size_t log_room);
    int (*module_free)(DevModule *module);
    int (*module_function)(DevModule *module, const char *name, DevFunction **out);
    int (*module_variable)(DevModule *module, const char *name, void **address, size_t *bytes);
    /* Names of the module's kernels, index from 0; NULL behind the last. */
    const char *(*module_kernel_name)(DevModule *module, unsigned index);
    int (*function_info)(DevFunction *function, DevFunctionInfo *out);
    int (*function_set)(DevFunction *function, int what, int value);
    int (*function_param)(DevFunction *function, unsigned index, size_t *offset, size_t *bytes);
    int (*occupancy)(DevFunction *function, int block, size_t shared, int *blocks);
    /* The blocks of the largest cluster that the function may have, and the clusters of the launch that fit at once; either
     * may be NULL. The function itself is NULL: not through this device. */
    int (*clusters)(const DevLaunch *launch, int *size, int *fit);
    int (*launch)(const DevLaunch *launch, DevQueue *queue);
    /* Compiles what a launch with that block would compile first; NULL: nothing to do. */
    int (*function_prepare)(DevFunction *function, const uint32_t block[3]);

    int (*limit_get)(int limit, size_t *value); /* cudaLimit numbers */
    int (*limit_set)(int limit, size_t value);
} Device;

#define DEV_API __attribute__((visibility("default")))
extern DEV_API const Device cpu_device;
extern DEV_API const Device gpu_device;

/* For tests and checkers: kernels written by hand, by name; NULL asks the compiler. */
struct GkKernel;
typedef const struct GkKernel *(*CpuKernelHook)(const char *name);
DEV_API void cpu_device_set_hook(CpuKernelHook hook);
/* What the last failed kernel did, for messages: "" when there was none. */
DEV_API const char *cpu_device_last_fault(void);

#endif
