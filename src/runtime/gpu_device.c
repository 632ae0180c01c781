/* SPDX-License-Identifier: Apache-2.0
 *
 * A real GPU as a device: NVIDIA's driver, opened with dlopen (never our own libcuda), its primary
 * contexts, its streams and its errors, passed through. Changes nothing about the card's clocks,
 * power or mode. Kernels come from PTX, which the driver compiles. */
#include "runtime/device.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *Handle;
typedef unsigned long long Address;

enum {
    OK = 0,
    INVALID_VALUE = 1,
    INVALID_CONFIGURATION = 9,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101
};
enum { NOT_FOUND = 500, NOT_SUPPORTED = 801, LEAST_DRIVER = 11040 };

/* Structures of the driver API that copies take. */
typedef struct {
    size_t src_x, src_y;
    unsigned src_type;
    const void *src_host;
    Address src_device;
    Handle src_array;
    size_t src_pitch;
    size_t dst_x, dst_y;
    unsigned dst_type;
    void *dst_host;
    Address dst_device;
    Handle dst_array;
    size_t dst_pitch;
    size_t width, height;
} DriverCopy2D;
typedef struct {
    size_t src_x, src_y, src_z, src_lod;
    unsigned src_type;
    const void *src_host;
    Address src_device;
    Handle src_array, reserved0;
    size_t src_pitch, src_height;
    size_t dst_x, dst_y, dst_z, dst_lod;
    unsigned dst_type;
    void *dst_host;
    Address dst_device;
    Handle dst_array, reserved1;
    size_t dst_pitch, dst_height;
    size_t width, height, depth;
} DriverCopy3D;
enum { TYPE_ARRAY = 3, TYPE_UNIFIED = 4 };

/* Arrays, textures and surfaces. */
typedef struct {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
} DriverArray;
typedef struct {
    int type;
    union {
        Handle array;
        struct {
            Address address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        struct {
            Address address;
            int format;
            unsigned channels;
            size_t width, height, pitch;
        } pitched;
        int reserved[32];
    } is;
    unsigned flags;
} DriverResource;
enum { RESOURCE_ARRAY, RESOURCE_MIPMAP, RESOURCE_LINEAR, RESOURCE_PITCHED };
typedef struct {
    int format;
    size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer, reserved[16];
} DriverView;
typedef struct {
    int address[3], filter;
    unsigned flags, anisotropy;
    int mip_filter;
    float mip_bias, mip_least, mip_most, border[4];
    int reserved[12];
} DriverSampler;
/* A launch with attributes; only clusters need it. */
typedef struct {
    int id, pad;
    union {
        char room[64];
        uint32_t cluster[3];
    } value;
} DriverAttribute;
typedef struct {
    unsigned grid[3], block[3], shared;
    Handle stream;
    const DriverAttribute *attributes;
    unsigned count;
} DriverLaunch;
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

enum { READ_AS_INTEGER = 1, NORMALIZED_COORDINATES = 2, SRGB = 16 };
enum { NO_TRILINEAR = 32, SEAMLESS = 64 };

/* Every driver function in use: name, symbol, needed (else only some calls fail), arguments. */
#define DRIVER_FUNCTIONS(X)                                                                        \
    X(init, "cuInit", 1, (unsigned))                                                               \
    X(driver_version, "cuDriverGetVersion", 1, (int *))                                            \
    X(device_count, "cuDeviceGetCount", 1, (int *))                                                \
    X(device_get, "cuDeviceGet", 1, (int *, int))                                                  \
    X(device_name, "cuDeviceGetName", 1, (char *, int, int))                                       \
    X(device_uuid, "cuDeviceGetUuid", 0, (void *, int))                                            \
    X(device_memory, "cuDeviceTotalMem_v2", 1, (size_t *, int))                                    \
    X(device_attribute, "cuDeviceGetAttribute", 1, (int *, int, int))                              \
    X(retain, "cuDevicePrimaryCtxRetain", 1, (Handle *, int))                                      \
    X(reset, "cuDevicePrimaryCtxReset_v2", 1, (int))                                               \
    X(set_current, "cuCtxSetCurrent", 1, (Handle))                                                 \
    X(synchronize, "cuCtxSynchronize", 1, (void))                                                  \
    X(limit_get, "cuCtxGetLimit", 1, (size_t *, int))                                              \
    X(limit_set, "cuCtxSetLimit", 1, (int, size_t))                                                \
    X(mem_alloc, "cuMemAlloc_v2", 1, (Address *, size_t))                                          \
    X(mem_free, "cuMemFree_v2", 1, (Address))                                                      \
    X(mem_managed, "cuMemAllocManaged", 1, (Address *, size_t, unsigned))                          \
    X(mem_host, "cuMemHostAlloc", 1, (void **, size_t, unsigned))                                  \
    X(mem_host_free, "cuMemFreeHost", 1, (void *))                                                 \
    X(mem_register, "cuMemHostRegister_v2", 1, (void *, size_t, unsigned))                         \
    X(mem_unregister, "cuMemHostUnregister", 1, (void *))                                          \
    X(mem_info, "cuMemGetInfo_v2", 1, (size_t *, size_t *))                                        \
    X(pointer_attribute, "cuPointerGetAttribute", 1, (void *, int, Address))                       \
    X(stream_new, "cuStreamCreateWithPriority", 1, (Handle *, unsigned, int))                      \
    X(stream_free, "cuStreamDestroy_v2", 1, (Handle))                                              \
    X(stream_wait, "cuStreamSynchronize", 1, (Handle))                                             \
    X(stream_query, "cuStreamQuery", 1, (Handle))                                                  \
    X(stream_wait_event, "cuStreamWaitEvent", 1, (Handle, Handle, unsigned))                       \
    X(stream_call, "cuLaunchHostFunc", 1, (Handle, void (*)(void *), void *))                      \
    X(event_new, "cuEventCreate", 1, (Handle *, unsigned))                                         \
    X(event_free, "cuEventDestroy_v2", 1, (Handle))                                                \
    X(event_record, "cuEventRecord", 1, (Handle, Handle))                                          \
    X(event_query, "cuEventQuery", 1, (Handle))                                                    \
    X(event_wait, "cuEventSynchronize", 1, (Handle))                                               \
    X(event_elapsed, "cuEventElapsedTime", 1, (float *, Handle, Handle))                           \
    X(copy, "cuMemcpyAsync", 1, (Address, Address, size_t, Handle))                                \
    X(copy_2d, "cuMemcpy2DAsync_v2", 1, (const DriverCopy2D *, Handle))                            \
    X(copy_3d, "cuMemcpy3DAsync_v2", 1, (const DriverCopy3D *, Handle))                            \
    X(array_new, "cuArray3DCreate_v2", 1, (Handle *, const DriverArray *))                         \
    X(array_free, "cuArrayDestroy", 1, (Handle))                                                   \
    X(mipmap_new, "cuMipmappedArrayCreate", 1, (Handle *, const DriverArray *, unsigned))          \
    X(mipmap_level, "cuMipmappedArrayGetLevel", 1, (Handle *, Handle, unsigned))                   \
    X(mipmap_free, "cuMipmappedArrayDestroy", 1, (Handle))                                         \
    X(texture_new, "cuTexObjectCreate", 1,                                                         \
      (uint64_t *, const DriverResource *, const DriverSampler *, const void *))                   \
    X(texture_free, "cuTexObjectDestroy", 1, (uint64_t))                                           \
    X(surface_new, "cuSurfObjectCreate", 1, (uint64_t *, const DriverResource *))                  \
    X(surface_free, "cuSurfObjectDestroy", 1, (uint64_t))                                          \
    X(fill_8, "cuMemsetD2D8Async", 1, (Address, size_t, unsigned char, size_t, size_t, Handle))    \
    X(fill_16, "cuMemsetD2D16Async", 1, (Address, size_t, unsigned short, size_t, size_t, Handle)) \
    X(fill_32, "cuMemsetD2D32Async", 1, (Address, size_t, unsigned, size_t, size_t, Handle))       \
    X(module_load, "cuModuleLoadDataEx", 1, (Handle *, const void *, unsigned, int *, void **))    \
    X(module_free, "cuModuleUnload", 1, (Handle))                                                  \
    X(module_function, "cuModuleGetFunction", 1, (Handle *, Handle, const char *))                 \
    X(module_global, "cuModuleGetGlobal_v2", 1, (Address *, size_t *, Handle, const char *))       \
    X(function_attribute, "cuFuncGetAttribute", 1, (int *, int, Handle))                           \
    X(function_set, "cuFuncSetAttribute", 1, (Handle, int, int))                                   \
    X(function_param, "cuFuncGetParamInfo", 0, (Handle, size_t, size_t *, size_t *))               \
    X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", 1, (int *, Handle, int, size_t))   \
    X(launch, "cuLaunchKernel", 1,                                                                 \
      (Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle,       \
       void **, void **))                                                                          \
    X(launch_with, "cuLaunchKernelEx", 0, (const DriverLaunch *, Handle, void **, void **))        \
    X(launch_cooperative, "cuLaunchCooperativeKernel", 1,                                          \
      (Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle,       \
       void **))

static struct {
#define X(name, symbol, needed, arguments) int(*name) arguments;
    DRIVER_FUNCTIONS(X)
#undef X
} cu;

enum { MOST_DEVICES = 64 };
static struct {
    int devices;
    Handle context[MOST_DEVICES];
    unsigned epoch[MOST_DEVICES]; /* resets so far */
    pthread_mutex_t lock;
    _Atomic int sticky;
} gpu = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local int current, current_set = -1;

/* --- opening ------------------------------------------------------------------------------- */

/* NVIDIA's library, which is not ours: ours exports a name that says so. */
static void *open_driver(void)
{
    static const char *const names[] = {
        "libcuda.so.1",
        "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
        "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
        "/usr/lib64/libcuda.so.1",
        "/usr/lib/libcuda.so.1",
        "/usr/lib/wsl/lib/libcuda.so.1",
        "/usr/local/nvidia/lib64/libcuda.so.1",
        "/run/opengl-driver/lib/libcuda.so.1",
        "/usr/local/cuda/compat/libcuda.so.1",
    };
    const char *chosen = getenv("GPUKIT_LIBCUDA");
    if (chosen && *chosen)
        return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library && !dlsym(library, "gpukit_is_libcuda"))
            return library;
        if (library)
            dlclose(library);
    }
    return NULL;
}

static void say_no_device(char *why, size_t room, int error)
{
    if (access("/dev/nvidiactl", F_OK) && access("/dev/dxg", F_OK))
        snprintf(why, room,
                 "no NVIDIA GPU here: /dev/nvidiactl does not exist (driver error %d); use "
                 "--device cpu",
                 error);
    else if (!access("/dev/nvidiactl", F_OK) && access("/dev/nvidiactl", R_OK | W_OK))
        snprintf(why, room,
                 "no permission to use the GPU: /dev/nvidiactl cannot be opened (add the user to "
                 "its group, or start the container with --gpus all)");
    else
        snprintf(why, room, "the NVIDIA driver found no usable GPU (error %d)", error);
}

static int gpu_open(char *why, size_t room)
{
    void *library = open_driver();
    if (!library) {
        snprintf(why, room, "no NVIDIA driver here: libcuda.so.1 was not found; use --device cpu");
        return NO_DEVICE;
    }
#define X(name, symbol, needed, arguments)                                                         \
    do {                                                                                           \
        void *found_ = dlsym(library, symbol);                                                     \
        if (!found_ && needed) {                                                                   \
            snprintf(why, room, "the NVIDIA driver is too old: it lacks " symbol);                 \
            return 35;                                                                             \
        }                                                                                          \
        memcpy(&cu.name, &found_, sizeof found_);                                                  \
    } while (0);
    DRIVER_FUNCTIONS(X)
#undef X
    int version = 0, error = cu.init(0);
    if (error) {
        say_no_device(why, room, error);
        return NO_DEVICE;
    }
    cu.driver_version(&version);
    if (version < LEAST_DRIVER) {
        snprintf(why, room, "the NVIDIA driver is too old: it knows CUDA %d.%d, gpukit needs %d.%d",
                 version / 1000, version % 1000 / 10, LEAST_DRIVER / 1000,
                 LEAST_DRIVER % 1000 / 10);
        return 35;
    }
    error = cu.device_count(&gpu.devices);
    if (error || gpu.devices < 1) {
        say_no_device(why, room, error);
        return NO_DEVICE;
    }
    if (gpu.devices > MOST_DEVICES)
        gpu.devices = MOST_DEVICES;
    return OK;
}

/* Makes the device's primary context current in this thread, as the runtime API does. */
static int enter(void)
{
    if (current_set == current)
        return OK;
    int error = OK;
    pthread_mutex_lock(&gpu.lock);
    if (!gpu.context[current])
        error = cu.retain(&gpu.context[current], current);
    pthread_mutex_unlock(&gpu.lock);
    if (!error)
        error = cu.set_current(gpu.context[current]);
    if (!error)
        current_set = current;
    return error;
}

/* Remembers the errors that spoil a context. */
static int seen(int error)
{
    if (error == 700 || error == 702 || error == 710 || (error >= 714 && error <= 719))
        atomic_store(&gpu.sticky, error);
    return error;
}

/* Calls the driver in the right context. */
#define CALL(...)                                                                                  \
    do {                                                                                           \
        int error_ = enter();                                                                      \
        return seen(error_ ? error_ : (__VA_ARGS__));                                              \
    } while (0)

static Handle stream_of(DevQueue *queue)
{
    return (Handle)queue; /* the legacy stream is the driver's handle 1 */
}

/* --- the device ---------------------------------------------------------------------------- */

static int gpu_count(int *devices)
{
    *devices = gpu.devices;
    return OK;
}

static int gpu_attribute(int device, int attribute, int *value)
{
    return cu.device_attribute(value, attribute, device);
}

static int gpu_info(int device, DevInfo *out)
{
    memset(out, 0, sizeof *out);
    int error = cu.device_name(out->name, sizeof out->name, device);
    if (!error)
        error = cu.device_memory(&out->memory, device);
    if (error)
        return error;
    if (cu.device_uuid)
        cu.device_uuid(out->uuid, device);
    gpu_attribute(device, 75, &out->cc_major);
    gpu_attribute(device, 76, &out->cc_minor);
    gpu_attribute(device, 33, &out->pci_bus);
    gpu_attribute(device, 34, &out->pci_device);
    gpu_attribute(device, 50, &out->pci_domain);
    return OK;
}

static int gpu_select(int device)
{
    if (device < 0 || device >= gpu.devices)
        return INVALID_DEVICE;
    current = device;
    return enter();
}

static int gpu_reset(int device)
{
    int error = cu.reset(device);
    if (error)
        return error;
    pthread_mutex_lock(&gpu.lock);
    gpu.context[device] = NULL;
    gpu.epoch[device]++;
    pthread_mutex_unlock(&gpu.lock);
    current_set = -1;
    return OK;
}

static int gpu_driver_version(int *version)
{
    return cu.driver_version(version);
}

static int gpu_sticky(int device)
{
    (void)device;
    return atomic_load_explicit(&gpu.sticky, memory_order_relaxed);
}

static int gpu_device_wait(void)
{
    CALL(cu.synchronize());
}

/* A fault is final to the process. */
static int gpu_recover(int device)
{
    (void)device;
    return gpu_device_wait();
}

static int gpu_limit_get(int limit, size_t *value)
{
    CALL(cu.limit_get(value, limit));
}

static int gpu_limit_set(int limit, size_t value)
{
    CALL(cu.limit_set(limit, value));
}

/* --- memory -------------------------------------------------------------------------------- */

static int gpu_mem_alloc(DevMemKind kind, size_t bytes, unsigned flags, void **out)
{
    Address address = 0;
    int error = enter();
    if (error)
        return error;
    switch (kind) {
    case DEV_MEM_DEVICE:
        error = cu.mem_alloc(&address, bytes);
        break;
    case DEV_MEM_MANAGED:
        error = cu.mem_managed(&address, bytes, flags ? flags : 1);
        break;
    default: {
        void *host = NULL;
        error = cu.mem_host(&host, bytes, (flags & 7) | 3);
        address = (Address)host;
    }
    }
    if (!error)
        *out = (void *)address;
    return seen(error);
}

static int pointer_number(int attribute, const void *address, unsigned long long *value)
{
    *value = 0;
    return cu.pointer_attribute(value, attribute, (Address)address);
}

static int gpu_mem_find(const void *address, DevMemInfo *out)
{
    unsigned long long type, managed, start = 0, bytes = 0, host = 0, device = 0, ordinal = 0;
    if (enter() || pointer_number(2, address, &type) || !type)
        return INVALID_VALUE;
    pointer_number(8, address, &managed);
    pointer_number(11, address, &start);
    pointer_number(12, address, &bytes);
    pointer_number(3, address, &device);
    pointer_number(9, address, &ordinal);
    bool has_host = !pointer_number(4, address, &host);
    unsigned long long offset = device > start ? device - start : 0;
    *out = (DevMemInfo){.address = start ? start : device,
                        .bytes = bytes ? bytes : 1,
                        .host = has_host && host ? (void *)(host - offset) : NULL,
                        .kind = managed & 0xff             ? DEV_MEM_MANAGED
                                : (type & 0xffffffff) == 1 ? DEV_MEM_PINNED
                                                           : DEV_MEM_DEVICE,
                        .device = (int)ordinal};
    return OK;
}

static int gpu_mem_free(void *address, unsigned kinds)
{
    if (kinds & 1u << DEV_MEM_PINNED)
        CALL(cu.mem_host_free(address));
    CALL(cu.mem_free((Address)address));
}

static int gpu_mem_register(void *host, size_t bytes, unsigned flags)
{
    CALL(cu.mem_register(host, bytes, flags | 2));
}

static int gpu_mem_unregister(void *host)
{
    CALL(cu.mem_unregister(host));
}

static int gpu_mem_usage(size_t *unused, size_t *total)
{
    CALL(cu.mem_info(unused, total));
}

/* --- streams and events -------------------------------------------------------------------- */

static int gpu_queue_new(unsigned flags, int priority, DevQueue **out)
{
    CALL(cu.stream_new((Handle *)out, flags & 1, priority));
}

static int gpu_queue_free(DevQueue *queue)
{
    CALL(cu.stream_free(stream_of(queue)));
}

static DevQueue *gpu_queue_legacy(void)
{
    return (DevQueue *)1;
}

static int gpu_queue_wait(DevQueue *queue)
{
    CALL(cu.stream_wait(stream_of(queue)));
}

static int gpu_queue_query(DevQueue *queue)
{
    CALL(cu.stream_query(stream_of(queue)));
}

static int gpu_queue_wait_event(DevQueue *queue, DevEvent *event)
{
    CALL(cu.stream_wait_event(stream_of(queue), (Handle)event, 0));
}

static int gpu_queue_call(DevQueue *queue, void (*function)(void *), void *argument)
{
    CALL(cu.stream_call(stream_of(queue), function, argument));
}

static int gpu_event_new(bool timing, bool blocking, DevEvent **out)
{
    CALL(cu.event_new((Handle *)out, (timing ? 0u : 2u) | (blocking ? 1u : 0u)));
}

static int gpu_event_free(DevEvent *event)
{
    CALL(cu.event_free((Handle)event));
}

static int gpu_event_record(DevEvent *event, DevQueue *queue)
{
    CALL(cu.event_record((Handle)event, stream_of(queue)));
}

static int gpu_event_query(DevEvent *event)
{
    CALL(cu.event_query((Handle)event));
}

static int gpu_event_wait(DevEvent *event)
{
    CALL(cu.event_wait((Handle)event));
}

static int gpu_event_elapsed(DevEvent *start, DevEvent *end, float *ms)
{
    CALL(cu.event_elapsed(ms, (Handle)start, (Handle)end));
}

/* --- copies and fills ---------------------------------------------------------------------- */

static int copy_arrays(const DevCopy *copy, Handle stream)
{
    DriverCopy3D what = {.src_type = copy->src_array ? TYPE_ARRAY : TYPE_UNIFIED,
                         .dst_type = copy->dst_array ? TYPE_ARRAY : TYPE_UNIFIED,
                         .src_array = (Handle)copy->src_array,
                         .dst_array = (Handle)copy->dst_array,
                         .width = copy->width,
                         .height = copy->height,
                         .depth = copy->depth};
    if (copy->src_array) {
        what.src_x = copy->src_at[0];
        what.src_y = copy->src_at[1];
        what.src_z = copy->src_at[2];
    } else {
        what.src_device = (Address)copy->src;
        what.src_pitch = copy->src_pitch;
        what.src_height = copy->src_pitch ? copy->src_slice / copy->src_pitch : 0;
    }
    if (copy->dst_array) {
        what.dst_x = copy->dst_at[0];
        what.dst_y = copy->dst_at[1];
        what.dst_z = copy->dst_at[2];
    } else {
        what.dst_device = (Address)copy->dst;
        what.dst_pitch = copy->dst_pitch;
        what.dst_height = copy->dst_pitch ? copy->dst_slice / copy->dst_pitch : 0;
    }
    return cu.copy_3d(&what, stream);
}

static int copy_async(const DevCopy *copy, Handle stream)
{
    if (copy->src_array || copy->dst_array)
        return copy_arrays(copy, stream);
    if (copy->depth > 1) {
        if (copy->src_slice % copy->src_pitch || copy->dst_slice % copy->dst_pitch)
            return INVALID_VALUE;
        DriverCopy3D what = {.src_type = TYPE_UNIFIED,
                             .src_device = (Address)copy->src,
                             .src_pitch = copy->src_pitch,
                             .src_height = copy->src_slice / copy->src_pitch,
                             .dst_type = TYPE_UNIFIED,
                             .dst_device = (Address)copy->dst,
                             .dst_pitch = copy->dst_pitch,
                             .dst_height = copy->dst_slice / copy->dst_pitch,
                             .width = copy->width,
                             .height = copy->height,
                             .depth = copy->depth};
        return cu.copy_3d(&what, stream);
    }
    if (copy->height > 1) {
        DriverCopy2D what = {.src_type = TYPE_UNIFIED,
                             .src_device = (Address)copy->src,
                             .src_pitch = copy->src_pitch,
                             .dst_type = TYPE_UNIFIED,
                             .dst_device = (Address)copy->dst,
                             .dst_pitch = copy->dst_pitch,
                             .width = copy->width,
                             .height = copy->height};
        return cu.copy_2d(&what, stream);
    }
    return cu.copy((Address)copy->dst, (Address)copy->src, copy->width, stream);
}

static int gpu_copy(const DevCopy *copy, DevQueue *queue, bool host_waits)
{
    if (!copy->width || !copy->height || !copy->depth)
        return OK;
    int error = enter();
    if (!error)
        error = copy_async(copy, stream_of(queue));
    if (!error && host_waits)
        error = cu.stream_wait(stream_of(queue));
    return seen(error);
}

static int gpu_fill(const DevFill *fill, DevQueue *queue, bool host_waits)
{
    int error = enter();
    for (size_t z = 0; z < fill->depth && !error; z++) {
        Address at = (Address)fill->dst + z * fill->slice;
        size_t pitch = fill->height > 1 ? fill->pitch : fill->width * fill->element;
        Handle stream = stream_of(queue);
        if (fill->element == 1)
            error =
                cu.fill_8(at, pitch, (unsigned char)fill->value, fill->width, fill->height, stream);
        else if (fill->element == 2)
            error = cu.fill_16(at, pitch, (unsigned short)fill->value, fill->width, fill->height,
                               stream);
        else
            error = cu.fill_32(at, pitch, fill->value, fill->width, fill->height, stream);
    }
    if (!error && host_waits)
        error = cu.stream_wait(stream_of(queue));
    return seen(error);
}

/* Memory of cudaMallocAsync comes from cuMemAlloc and goes back when the stream has come so far. */
static int gpu_free_later(void *address, DevQueue *queue)
{
    int error = enter();
    if (!error)
        error = cu.stream_wait(stream_of(queue));
    return seen(error ? error : cu.mem_free((Address)address));
}

/* --- arrays, textures, surfaces ------------------------------------------------------------- */

static int driver_format(DevFormat format)
{
    int size = format.bits / 16; /* 8, 16, 32 bits: 0, 1, 2 */
    return format.kind == DEV_FLOAT ? format.bits : (format.kind == DEV_UNSIGNED ? 1 : 8) + size;
}

static DriverArray driver_array(const DevArrayShape *shape)
{
    return (DriverArray){shape->width,           shape->height,
                         shape->depth,           driver_format(shape->format),
                         shape->format.channels, shape->flags};
}

static int gpu_array_new(const DevArrayShape *shape, DevArray **out)
{
    DriverArray what = driver_array(shape);
    CALL(cu.array_new((Handle *)out, &what));
}

static int gpu_array_free(DevArray *array)
{
    CALL(cu.array_free((Handle)array));
}

static int gpu_mipmap_new(const DevArrayShape *shape, unsigned levels, DevMipmap **out)
{
    DriverArray what = driver_array(shape);
    CALL(cu.mipmap_new((Handle *)out, &what, levels));
}

static int gpu_mipmap_level(DevMipmap *mipmap, unsigned level, DevArray **out)
{
    CALL(cu.mipmap_level((Handle *)out, (Handle)mipmap, level));
}

static int gpu_mipmap_free(DevMipmap *mipmap)
{
    CALL(cu.mipmap_free((Handle)mipmap));
}

static int gpu_texture_new(const DevTexels *texels, const DevSampler *sampler, uint64_t *handle)
{
    DriverResource resource = {.type = RESOURCE_ARRAY, .is.array = (Handle)texels->array};
    DevFormat f = texels->format;
    if (texels->mipmap) {
        resource.type = RESOURCE_MIPMAP;
        resource.is.array = (Handle)texels->mipmap;
    } else if (!texels->array && texels->pitch) {
        resource.type = RESOURCE_PITCHED;
        resource.is.pitched.address = (Address)texels->memory;
        resource.is.pitched.format = driver_format(f);
        resource.is.pitched.channels = f.channels;
        resource.is.pitched.width = texels->width;
        resource.is.pitched.height = texels->height;
        resource.is.pitched.pitch = texels->pitch;
    } else if (!texels->array) {
        resource.type = RESOURCE_LINEAR;
        resource.is.linear.address = (Address)texels->memory;
        resource.is.linear.format = driver_format(f);
        resource.is.linear.channels = f.channels;
        resource.is.linear.bytes = texels->width * f.channels * f.bits / 8;
    }
    if (!sampler)
        CALL(cu.surface_new(handle, &resource));
    DriverSampler what = {.filter = sampler->linear,
                          .anisotropy = sampler->anisotropy,
                          .mip_filter = sampler->mip_linear,
                          .mip_bias = sampler->mip_bias,
                          .mip_least = sampler->mip_least,
                          .mip_most = sampler->mip_most};
    for (int i = 0; i < 3; i++)
        what.address[i] = sampler->address[i];
    what.flags = (sampler->normalized_read ? 0 : READ_AS_INTEGER) |
                 (sampler->normalized_coordinates ? NORMALIZED_COORDINATES : 0) |
                 (sampler->srgb ? SRGB : 0) | (sampler->no_trilinear ? NO_TRILINEAR : 0) |
                 (sampler->seamless ? SEAMLESS : 0);
    memcpy(what.border, sampler->border, sizeof what.border);
    const DevView *v = texels->view;
    DriverView view;
    if (v)
        view = (DriverView){v->format,     v->width,       v->height,     v->depth, v->first_level,
                            v->last_level, v->first_layer, v->last_layer, {0}};
    CALL(cu.texture_new(handle, &resource, &what, v ? &view : NULL));
}

static int gpu_texture_free(uint64_t handle, bool surface)
{
    CALL(surface ? cu.surface_free(handle) : cu.texture_free(handle));
}

/* --- modules ------------------------------------------------------------------------------- */

/* Contexts have handles of their own for a module and its functions, and a reset ends them: they
 * are made for each device when first used there. */
typedef struct {
    Handle handle;
    unsigned epoch; /* gpu.epoch when it was made */
} Local;

struct DevModule {
    char *text;
    Local on[MOST_DEVICES];
    DevFunction *functions;
};

struct DevFunction {
    DevModule *module;
    char *name;
    Local on[MOST_DEVICES];
    DevFunction *next;
};

static bool is_made(const Local *on)
{
    return on[current].handle && on[current].epoch == gpu.epoch[current];
}

/* The module in the current context; gpu.lock held. */
static int module_here(DevModule *module, Handle *out, char *log, size_t log_room)
{
    Local *on = &module->on[current];
    if (!is_made(module->on)) {
        char message[4096] = "";
        int options[] = {5, 6}; /* error log buffer, its size */
        void *values[] = {message, (void *)(uintptr_t)sizeof message};
        int error = cu.module_load(&on->handle, module->text, 2, options, values);
        if (error) {
            on->handle = NULL;
            snprintf(
                log, log_room, "the GPU driver refuses the PTX (error %d): %s%s", error, message,
                strstr(message, "__cudaCDP2")
                    ? "\n  kernels that launch kernels need NVIDIA's cudadevrt on a GPU: build "
                      "the program with nvcc -rdc=true, or run it with --device cpu"
                    : "");
            return error;
        }
        on->epoch = gpu.epoch[current];
    }
    *out = on->handle;
    return OK;
}

/* The function in the current context, which is entered. */
static int function_here(DevFunction *function, Handle *out)
{
    int error = enter();
    if (!error && !is_made(function->on)) {
        Handle module;
        char log[64];
        pthread_mutex_lock(&gpu.lock);
        error = module_here(function->module, &module, log, sizeof log);
        Local *on = &function->on[current];
        if (!error)
            error = cu.module_function(&on->handle, module, function->name);
        if (!error)
            on->epoch = gpu.epoch[current];
        pthread_mutex_unlock(&gpu.lock);
    }
    *out = function->on[current].handle;
    return seen(error);
}

/* A managed variable that gpukit cc put into the program's own memory; the driver has its own. */
static const char *managed_shadow(const char *ptx, const DevShadow *shadows, size_t count)
{
    for (const char *at = ptx; count && (at = strstr(at, ".attribute(.managed)"));) {
        const char *end = at + strcspn(at, "[=;");
        while (end > at && end[-1] == ' ')
            end--;
        for (size_t i = 0; i < count; i++) {
            size_t length = strlen(shadows[i].name);
            if (end - at > (ptrdiff_t)length && end[-(ptrdiff_t)length - 1] == ' ' &&
                !memcmp(end - length, shadows[i].name, length))
                return shadows[i].name;
        }
        at = end;
    }
    return NULL;
}

static int gpu_module_load(const char *ptx, size_t bytes, const char *name,
                           const DevShadow *shadows, size_t shadow_count, DevModule **out,
                           char *log, size_t log_room)
{
    (void)name;
    const char *managed = managed_shadow(ptx, shadows, shadow_count);
    if (managed) {
        if (log)
            snprintf(log, log_room,
                     "the managed variable %s lies in the program's memory, which a GPU does not "
                     "see: build with nvcc for it, or use --device cpu",
                     managed);
        return NOT_SUPPORTED;
    }
    int error = enter();
    if (error)
        return error;
    DevModule *module = xcalloc(1, sizeof *module);
    module->text = xmalloc(bytes + 1);
    memcpy(module->text, ptx, bytes);
    module->text[bytes] = 0;
    Handle handle;
    pthread_mutex_lock(&gpu.lock);
    error = module_here(module, &handle, log, log_room);
    pthread_mutex_unlock(&gpu.lock);
    if (!error) {
        *out = module;
        return OK;
    }
    free(module->text);
    free(module);
    return seen(error);
}

static int gpu_module_free(DevModule *module)
{
    int error = OK, device = current;
    for (current = 0; current < gpu.devices; current++)
        if (is_made(module->on) && !(error = enter()))
            error = cu.module_free(module->on[current].handle);
    current = device;
    while (module->functions) {
        DevFunction *function = module->functions;
        module->functions = function->next;
        free(function->name);
        free(function);
    }
    free(module->text);
    free(module);
    return seen(error);
}

static int gpu_module_function(DevModule *module, const char *name, DevFunction **out)
{
    DevFunction *function = xcalloc(1, sizeof *function);
    *function = (DevFunction){.module = module, .name = xstrdup(name)};
    Handle handle;
    int error = function_here(function, &handle);
    if (error) {
        free(function->name);
        free(function);
        return error;
    }
    pthread_mutex_lock(&gpu.lock);
    function->next = module->functions;
    module->functions = function;
    pthread_mutex_unlock(&gpu.lock);
    *out = function;
    return OK;
}

static int gpu_module_variable(DevModule *module, const char *name, void **address, size_t *bytes)
{
    Address at = 0;
    size_t size = 0;
    Handle handle;
    char log[64];
    int error = enter();
    pthread_mutex_lock(&gpu.lock);
    if (!error)
        error = module_here(module, &handle, log, sizeof log);
    pthread_mutex_unlock(&gpu.lock);
    if (!error)
        error = cu.module_global(&at, &size, handle, name);
    if (!error && address)
        *address = (void *)at;
    if (!error && bytes)
        *bytes = size;
    return seen(error);
}

static const char *gpu_module_kernel_name(DevModule *module, unsigned index)
{
    (void)module, (void)index;
    return NULL;
}

static int gpu_function_info(DevFunction *function, DevFunctionInfo *out)
{
    Handle handle;
    int value[16] = {0}, error = function_here(function, &handle);
    for (int i = 0; i < 10 && !error; i++)
        error = cu.function_attribute(&value[i], i, handle);
    for (int i = 10; i < 16 && !error; i++) /* drivers before 11.8 know no clusters */
        if (cu.function_attribute(&value[i], i, handle))
            value[i] = 0;
    *out = (DevFunctionInfo){.max_threads = value[0],
                             .static_shared = (size_t)value[1],
                             .const_bytes = (size_t)value[2],
                             .local_bytes = (size_t)value[3],
                             .registers = value[4],
                             .ptx_version = value[5],
                             .binary_version = value[6],
                             .max_dynamic_shared = value[8],
                             .carveout = value[9],
                             .cluster = {value[11], value[12], value[13]},
                             .non_portable_cluster = value[14],
                             .cluster_policy = value[15]};
    return seen(error);
}

static int gpu_function_set(DevFunction *function, int what, int value)
{
    Handle handle;
    int error = function_here(function, &handle);
    if (error)
        return error;
    CALL(cu.function_set(handle, what, value));
}

static int gpu_function_param(DevFunction *function, unsigned index, size_t *offset, size_t *bytes)
{
    if (!cu.function_param)
        return NOT_SUPPORTED;
    Handle handle;
    int error = function_here(function, &handle);
    if (error)
        return error;
    CALL(cu.function_param(handle, index, offset, bytes));
}

static int gpu_occupancy(DevFunction *function, int block, size_t shared, int *blocks)
{
    Handle handle;
    int error = function_here(function, &handle);
    if (error)
        return error;
    CALL(cu.occupancy(blocks, handle, block, shared));
}

static int gpu_launch(const DevLaunch *launch, DevQueue *queue)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (!threads || threads > 1024 || !grid[0] || !grid[1] || !grid[2] || grid[1] > 65535 ||
        grid[2] > 65535 || block[2] > 64)
        return INVALID_CONFIGURATION; /* what the runtime says where the driver says "invalid value"
                                       */
    Handle handle;
    int error = function_here(launch->function, &handle);
    if (error)
        return error;
    bool clusters = launch->cluster[0] > 1 || launch->cluster[1] > 1 || launch->cluster[2] > 1;
    size_t bytes = launch->packed_bytes;
    void *extra[] = {(void *)1, (void *)(uintptr_t)launch->packed, (void *)2, &bytes, NULL};
    bool packed = !launch->params && launch->packed;
    void *pointers[513] = {NULL};
    void **params = launch->params;
    if (packed && launch->cooperative) { /* that call takes pointers only */
        size_t offset, size;
        params = pointers;
        for (unsigned i = 0; i < 512 && !gpu_function_param(launch->function, i, &offset, &size);
             i++)
            pointers[i] = (char *)(uintptr_t)launch->packed + offset;
    }
    if (clusters) {
        if (!cu.launch_with)
            return NOT_SUPPORTED;
        DriverAttribute attributes[2] = {{.id = ATTRIBUTE_CLUSTER}, {.id = ATTRIBUTE_COOPERATIVE}};
        for (int i = 0; i < 3; i++)
            attributes[0].value.cluster[i] = launch->cluster[i] ? launch->cluster[i] : 1;
        attributes[1].value.cluster[0] = 1;
        DriverLaunch what = {{grid[0], grid[1], grid[2]},
                             {block[0], block[1], block[2]},
                             (unsigned)launch->shared,
                             stream_of(queue),
                             attributes,
                             launch->cooperative ? 2 : 1};
        CALL(cu.launch_with(&what, handle, packed ? NULL : launch->params, packed ? extra : NULL));
    }
    if (launch->cooperative)
        CALL(cu.launch_cooperative(handle, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                   (unsigned)launch->shared, stream_of(queue), params));
    CALL(cu.launch(handle, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                   (unsigned)launch->shared, stream_of(queue), packed ? NULL : launch->params,
                   packed ? extra : NULL));
}

const Device gpu_device = {
    .kind = "gpu",
    .open = gpu_open,
    .count = gpu_count,
    .info = gpu_info,
    .attribute = gpu_attribute,
    .select = gpu_select,
    .reset = gpu_reset,
    .recover = gpu_recover,
    .driver_version = gpu_driver_version,
    .sticky = gpu_sticky,
    .mem_alloc = gpu_mem_alloc,
    .mem_free = gpu_mem_free,
    .mem_register = gpu_mem_register,
    .mem_unregister = gpu_mem_unregister,
    .mem_find = gpu_mem_find,
    .mem_usage = gpu_mem_usage,
    .queue_new = gpu_queue_new,
    .queue_free = gpu_queue_free,
    .queue_legacy = gpu_queue_legacy,
    .queue_wait = gpu_queue_wait,
    .queue_query = gpu_queue_query,
    .queue_wait_event = gpu_queue_wait_event,
    .queue_call = gpu_queue_call,
    .device_wait = gpu_device_wait,
    .event_new = gpu_event_new,
    .event_free = gpu_event_free,
    .event_record = gpu_event_record,
    .event_query = gpu_event_query,
    .event_wait = gpu_event_wait,
    .event_elapsed = gpu_event_elapsed,
    .copy = gpu_copy,
    .fill = gpu_fill,
    .free_later = gpu_free_later,
    .array_new = gpu_array_new,
    .array_free = gpu_array_free,
    .mipmap_new = gpu_mipmap_new,
    .mipmap_level = gpu_mipmap_level,
    .mipmap_free = gpu_mipmap_free,
    .texture_new = gpu_texture_new,
    .texture_free = gpu_texture_free,
    .module_load = gpu_module_load,
    .module_free = gpu_module_free,
    .module_function = gpu_module_function,
    .module_variable = gpu_module_variable,
    .module_kernel_name = gpu_module_kernel_name,
    .function_info = gpu_function_info,
    .function_set = gpu_function_set,
    .function_param = gpu_function_param,
    .occupancy = gpu_occupancy,
    .launch = gpu_launch,
    .limit_get = gpu_limit_get,
    .limit_set = gpu_limit_set,
};
