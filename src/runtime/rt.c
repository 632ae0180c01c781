/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's core (see rt.h): device choice, streams, events, images, kernels. Graphs and
 * capture are in graph.c. */
#include "runtime/rt.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/map.h"
#include "launch/launch.h"
#include "launch/memory.h"
#include "runtime/fatbin.h"
#include "runtime/graph.h"
#include "runtime/ptxlink.h"
#include "runtime/queue.h"
#include "runtime/trace.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAGIC_STREAM = 0x676b7374,
    MAGIC_EVENT = 0x676b6576,
    MAGIC_KERNEL = 0x676b6b6e,
};

static struct {
    pthread_once_t once;
    const char *wanted; /* by rt_init_as */
    int error;
    const Device *device;
    _Atomic int closing; /* 1 exiting, 2 forked child */
    _Atomic bool lost;
    _Atomic uint64_t next_stream;
    RtStream legacy;
    bool exits;
    pthread_mutex_t lock; /* refused names */
    Map refused;
} rt = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

/* --- messages ------------------------------------------------------------------------------ */

void rt_message(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = NULL;
    if (vasprintf(&text, format, list) >= 0) {
        fprintf(stderr, "gpukit: %s\n", text);
        rt_log("gpukit", "%s", text);
        free(text);
    }
    va_end(list);
}

void rt_refuse(const char *name)
{
    pthread_mutex_lock(&rt.lock);
    bool first = !map_get(&rt.refused, name);
    if (first)
        map_set(&rt.refused, name, &rt);
    pthread_mutex_unlock(&rt.lock);
    if (first)
        rt_message("%s is not supported", name);
}

void rt_set_exit_on_unsupported(bool exits)
{
    const char *text = getenv("GPUKIT_ON_UNSUPPORTED"); /* exit, error */
    rt.exits = text ? !strcmp(text, "exit") : exits;
}

/* --- start and end ------------------------------------------------------------------------- */

static void on_exit_begin(void)
{
    int none = 0;
    atomic_compare_exchange_strong(&rt.closing, &none, 1);
}

static void on_fork_child(void)
{
    atomic_store(&rt.closing, 2);
    mem_fork_child();
    launch_after_fork();
    queues_after_fork();
}

bool rt_is_closing(void)
{
    return atomic_load_explicit(&rt.closing, memory_order_relaxed) != 0;
}

/* Libraries of NVIDIA's by the names that gpukit's have too, or that need NVIDIA's driver. */
static const char *const foreign_names[] = {
    "libcuda.so",  "libnccl.so",  "libcudart.so", "libcublas.so",   "libcublasLt.so",
    "libcudnn.so", "libcufft.so", "libcurand.so", "libcusparse.so", "libcusolver.so"};

typedef struct {
    const char *folder; /* where this library lies */
    Buf found;
} Foreign;

static int look_for_foreign(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    (void)bytes;
    Foreign *foreign = argument;
    char path[PATH_MAX];
    if (!info->dlpi_name || !*info->dlpi_name || !realpath(info->dlpi_name, path))
        return 0;
    char *base = strrchr(path, '/');
    size_t folder = (size_t)(base - path);
    if (strlen(foreign->folder) == folder && !memcmp(path, foreign->folder, folder))
        return 0;
    /* On a GPU the driver is NVIDIA's, and the trainer uses its NCCL. */
    for (size_t i = strcmp(rt.device->kind, "cpu") ? 2 : 0;
         i < sizeof foreign_names / sizeof *foreign_names; i++)
        if (!strncmp(base + 1, foreign_names[i], strlen(foreign_names[i])))
            buf_printf(&foreign->found, "%s%s", foreign->found.count ? ", " : "", path);
    return 0;
}

/* A mixture of gpukit's libraries and NVIDIA's is told once, at the start. */
static void tell_mixture(void)
{
    Dl_info own;
    char folder[PATH_MAX];
    if (!dladdr((void *)(uintptr_t)rt_init, &own) || !realpath(own.dli_fname, folder))
        return;
    *strrchr(folder, '/') = 0;
    Foreign foreign = {.folder = folder};
    dl_iterate_phdr(look_for_foreign, &foreign);
    if (foreign.found.count && !strcmp(rt.device->kind, "cpu"))
        rt_message("this program mixes gpukit's libraries with NVIDIA's, which need NVIDIA's "
                   "driver: %s\n  help: put gpukit's folder first (gpukit run, or "
                   "LD_LIBRARY_PATH=%s; LD_PRELOAD with its libraries of these names where the "
                   "program's own path comes before), or with a GPU use NVIDIA's alone",
                   buf_text(&foreign.found), folder);
    else if (foreign.found.count)
        rt_message("this program mixes gpukit's runtime with NVIDIA's libraries, which do not know "
                   "its streams and events: %s\n  help: use NVIDIA's runtime with them: link with "
                   "-cudart shared and start the program without gpukit run",
                   buf_text(&foreign.found));
    buf_free(&foreign.found);
}

static int try_device(const Device *device, char *why, size_t room)
{
    double start = clock_ms();
    int error = device->open(why, room);
    if (!error)
        rt.device = trace_device(device, clock_ms() - start);
    return error;
}

static void init_once(void)
{
    char why[512] = "";
    const char *wanted = rt.wanted ? rt.wanted : getenv("GPUKIT_DEVICE");
    if (!wanted || !*wanted || !strcmp(wanted, "cpu")) {
        rt.error = try_device(&cpu_device, why, sizeof why);
    } else if (!strcmp(wanted, "gpu")) {
        rt.error = try_device(&gpu_device, why, sizeof why);
    } else if (!strcmp(wanted, "auto")) {
        if (try_device(&gpu_device, why, sizeof why))
            rt.error = try_device(&cpu_device, why, sizeof why);
    } else {
        snprintf(why, sizeof why, "GPUKIT_DEVICE=%s: must be cpu, gpu or auto", wanted);
        rt.error = RT_NO_DEVICE;
    }
    if (rt.error) {
        rt_message("%s", why);
        return;
    }
    tell_mixture();
    rt.legacy = (RtStream){.magic = MAGIC_STREAM, .queue = rt.device->queue_legacy(), .id = 1};
    atomic_store(&rt.next_stream, 10);
    atexit(on_exit_begin);
    pthread_atfork(mem_fork_prepare, mem_fork_parent, on_fork_child);
}

int rt_init_as(const char *device)
{
    pthread_mutex_lock(&rt.lock);
    if (!rt.device && device)
        rt.wanted = !strcmp(device, "gpu") ? "gpu" : !strcmp(device, "auto") ? "auto" : "cpu";
    pthread_mutex_unlock(&rt.lock);
    return rt_init();
}

int rt_init(void)
{
    pthread_once(&rt.once, init_once);
    int closing = atomic_load_explicit(&rt.closing, memory_order_relaxed);
    if (closing)
        return closing == 1 ? RT_DEINITIALIZED : RT_NOT_INITIALIZED;
    return rt.error;
}

static _Thread_local int runtime_device = -1;
static _Atomic bool runtime_used;

void rt_runtime_enter(int device)
{
    if (runtime_device == device)
        return;
    runtime_device = device;
    atomic_store(&runtime_used, true);
}

int rt_runtime_device(void)
{
    return runtime_device;
}

bool rt_runtime_used(void)
{
    return atomic_load(&runtime_used);
}

const Device *rt_device(void)
{
    return rt.device;
}

void *rt_reach(const void *address, size_t bytes)
{
    uint64_t at = (uint64_t)address;
    if (strcmp(rt.device->kind, "cpu") != 0 || !mem_covers(at, bytes))
        return NULL;
    return mem_reach(at);
}

int rt_reset(int device)
{
    if (!rt.device->sticky(device))
        return rt_lost() ? RT_OK : rt.device->reset(device);
    atomic_store(&rt.lost, true);
    return RT_OK;
}

int rt_lost(void)
{
    return atomic_load_explicit(&rt.lost, memory_order_relaxed) ? RT_DEVICES_UNAVAILABLE : RT_OK;
}

void rt_fault(int error)
{
    int none = 0;
    atomic_compare_exchange_strong(&queue_sticky, &none, error);
}

/* --- streams ------------------------------------------------------------------------------- */

int rt_stream_new(unsigned flags, int priority, RtStream **out)
{
    if (flags & ~1u)
        return RT_INVALID_VALUE;
    DevQueue *queue;
    int error = rt.device->queue_new(flags, priority, &queue);
    if (error)
        return error;
    RtStream *stream = xcalloc(1, sizeof *stream);
    *stream = (RtStream){.magic = MAGIC_STREAM,
                         .queue = queue,
                         .flags = flags,
                         .priority = priority,
                         .waiting = 1, /* automatic */
                         .id = atomic_fetch_add(&rt.next_stream, 1)};
    *out = stream;
    return RT_OK;
}

int rt_stream_free(RtStream *stream)
{
    if (stream == &rt.legacy)
        return RT_INVALID_HANDLE;
    capture_drop(stream);
    stream->magic = 0; /* kept, so that a stale handle is recognised */
    return rt.device->queue_free(stream->queue);
}

/* The per-thread default stream lives as long as its thread. */
static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;

static void thread_stream_end(void *value)
{
    if (!rt_is_closing())
        rt_stream_free(value);
}

static void thread_key_init(void)
{
    pthread_key_create(&thread_key, thread_stream_end);
}

static RtStream *thread_stream(void)
{
    static _Thread_local RtStream *mine;
    if (!mine) {
        pthread_once(&thread_once, thread_key_init);
        if (rt_stream_new(0, 0, &mine))
            return NULL;
        pthread_setspecific(thread_key, mine);
    }
    return mine;
}

RtStream *rt_stream(void *handle, bool per_thread)
{
    uintptr_t value = (uintptr_t)handle;
    if (value <= 2) {
        if (value == 2 || (value == 0 && per_thread))
            return thread_stream();
        return &rt.legacy;
    }
    RtStream *stream = handle;
    return value % sizeof(void *) == 0 && stream->magic == MAGIC_STREAM ? stream : NULL;
}

int rt_stream_wait(RtStream *stream)
{
    if (stream->capture)
        return capture_invalidate(stream, RT_CAPTURE_UNSUPPORTED);
    int error = rt_capture_forbids();
    return error ? error : rt.device->queue_wait(stream->queue);
}

int rt_stream_query(RtStream *stream)
{
    if (stream->capture)
        return capture_invalidate(stream, RT_CAPTURE_UNSUPPORTED);
    return rt.device->queue_query(stream->queue);
}

int rt_stream_wait_event(RtStream *stream, RtEvent *event)
{
    if (event->capture || stream->capture)
        return capture_wait_event(stream, event);
    return rt.device->queue_wait_event(stream->queue, event->event);
}

int rt_stream_call(RtStream *stream, void (*function)(void *), void *argument)
{
    if (stream->capture) {
        RtNode node = {.type = RT_NODE_HOST, .function = function, .argument = argument};
        return capture_add(stream, &node, NULL);
    }
    return rt.device->queue_call(stream->queue, function, argument);
}

int rt_device_wait(void)
{
    int error = rt_capture_forbids();
    return error ? error : rt.device->device_wait();
}

/* --- events -------------------------------------------------------------------------------- */

enum { EVENT_BLOCKING = 1, EVENT_NO_TIMING = 2, EVENT_INTERPROCESS = 4 };

static RtEvent *event_of(DevEvent *device_event, unsigned flags)
{
    RtEvent *event = xcalloc(1, sizeof *event);
    *event = (RtEvent){.magic = MAGIC_EVENT, .event = device_event, .flags = flags};
    return event;
}

int rt_event_new(unsigned flags, RtEvent **out)
{
    if (flags & ~7u || (flags & EVENT_INTERPROCESS && !(flags & EVENT_NO_TIMING)))
        return RT_INVALID_VALUE;
    DevEvent *device_event;
    int error =
        rt.device->event_new(!(flags & EVENT_NO_TIMING), flags & EVENT_BLOCKING, &device_event);
    if (!error)
        *out = event_of(device_event, flags);
    return error;
}

RtEvent *rt_event(void *handle)
{
    RtEvent *event = handle;
    return event && (uintptr_t)event % sizeof(void *) == 0 && (uintptr_t)event > 4096 &&
                   event->magic == MAGIC_EVENT
               ? event
               : NULL;
}

int rt_event_free(RtEvent *event)
{
    event->magic = 0;
    free(event->nodes);
    event->nodes = NULL;
    return rt.device->event_free(event->event);
}

int rt_event_record(RtEvent *event, RtStream *stream)
{
    if (stream->capture)
        return capture_record(stream, event);
    event->capture = NULL;
    return rt.device->event_record(event->event, stream->queue);
}

int rt_event_query(RtEvent *event)
{
    return event->capture ? RT_CAPTURE_UNSUPPORTED : rt.device->event_query(event->event);
}

int rt_event_wait(RtEvent *event)
{
    return event->capture ? RT_CAPTURE_UNSUPPORTED : rt.device->event_wait(event->event);
}

int rt_event_elapsed(RtEvent *start, RtEvent *end, float *ms)
{
    return rt.device->event_elapsed(start->event, end->event, ms);
}

/* --- for other processes -------------------------------------------------------------------- */

static const DevIpc *ipc(void)
{
    if (!rt.device->ipc)
        rt_message("memory and events for other processes are not supported with --device gpu");
    return rt.device->ipc;
}

int rt_ipc_memory(void *address, void *handle)
{
    const DevIpc *i = ipc();
    int error = rt_capture_forbids();
    return !i ? RT_NOT_SUPPORTED : error ? error : i->memory(address, handle);
}

int rt_ipc_memory_open(const void *handle, int device, void **address)
{
    const DevIpc *i = ipc();
    return i ? i->memory_open(handle, device, address) : RT_NOT_SUPPORTED;
}

int rt_ipc_memory_close(void *address)
{
    const DevIpc *i = ipc();
    int error = rt_capture_forbids();
    return !i ? RT_NOT_SUPPORTED : error ? error : i->memory_close(address);
}

int rt_ipc_event(void *handle_of_event, void *handle)
{
    const DevIpc *i = ipc();
    const RtEvent *event = rt_event(handle_of_event);
    if (!i)
        return RT_NOT_SUPPORTED;
    return event && event->flags & EVENT_INTERPROCESS ? i->event(event->event, handle)
                                                      : RT_INVALID_HANDLE;
}

int rt_ipc_event_open(const void *handle, RtEvent **out)
{
    const DevIpc *i = ipc();
    DevEvent *event;
    int error = i ? i->event_open(handle, &event) : RT_NOT_SUPPORTED;
    if (!error)
        *out = event_of(event, EVENT_INTERPROCESS | EVENT_NO_TIMING);
    return error;
}

/* --- work ---------------------------------------------------------------------------------- */

int rt_copy(const DevCopy *copy, RtStream *stream, bool host_waits)
{
    if (stream->capture) {
        if (host_waits)
            return capture_invalidate(stream, RT_CAPTURE_UNSUPPORTED);
        RtNode node = {.type = RT_NODE_COPY, .copy = *copy};
        return capture_add(stream, &node, NULL);
    }
    if (stream == &rt.legacy) {
        int error = capture_legacy_used();
        if (error)
            return error;
    }
    return rt.device->copy(copy, stream->queue, host_waits);
}

int rt_memory_ops(const RtMemoryOp *ops, unsigned count, unsigned flags, RtStream *stream)
{
    int error = rt_memory_ops_check(ops, count, flags);
    if (error || !stream->capture)
        return error ? error : rt_memory_ops_run(ops, count, stream);
    RtNode node = {.type = RT_NODE_MEMORY_OPS,
                   .ops = (RtMemoryOp *)(uintptr_t)ops,
                   .op_count = count,
                   .ops_context = stream->context};
    return capture_add(stream, &node, NULL);
}

int rt_copy_bytes(void *dst, const void *src, size_t bytes, RtStream *stream, bool host_waits)
{
    DevCopy copy = {.dst = dst,
                    .src = src,
                    .dst_pitch = bytes,
                    .src_pitch = bytes,
                    .width = bytes,
                    .height = 1,
                    .depth = 1};
    return rt_copy(&copy, stream, host_waits);
}

/* Of `bytes` the ones that the end has in one piece. */
static size_t piece(const RtEnd *end, size_t bytes)
{
    size_t rest = end->array ? end->row - end->offset % end->row : bytes;
    return rest < bytes ? rest : bytes;
}

int rt_copy_linear(RtEnd dst, RtEnd src, size_t bytes, RtStream *stream, bool host_waits)
{
    int error = RT_OK;
    while (bytes && !error) {
        size_t part = piece(&src, piece(&dst, bytes));
        DevCopy copy = {.dst = dst.memory,
                        .src = src.memory,
                        .dst_pitch = part,
                        .src_pitch = part,
                        .width = part,
                        .height = 1,
                        .depth = 1,
                        .dst_array = dst.array,
                        .src_array = src.array};
        if (dst.array)
            copy.dst_at[0] = dst.offset % dst.row, copy.dst_at[1] = dst.offset / dst.row;
        else
            dst.memory += part;
        if (src.array)
            copy.src_at[0] = src.offset % src.row, copy.src_at[1] = src.offset / src.row;
        else
            src.memory += part;
        error = rt_copy(&copy, stream, host_waits);
        bytes -= part, dst.offset += part, src.offset += part;
    }
    return error;
}

/* The host waits for a fill without Async only where the memory is its own (pinned). */
static bool fill_is_awaited(const DevFill *fill)
{
    DevMemInfo info;
    return !rt.device->mem_find(fill->dst, &info) &&
           (info.kind == DEV_MEM_PINNED || info.kind == DEV_MEM_REGISTERED);
}

int rt_fill(const DevFill *fill, RtStream *stream, bool synchronous)
{
    if (stream->capture) {
        RtNode node = {.type = RT_NODE_FILL, .fill = *fill};
        return capture_add(stream, &node, NULL);
    }
    if (stream == &rt.legacy) {
        int error = capture_legacy_used();
        if (error)
            return error;
    }
    return rt.device->fill(fill, stream->queue, synchronous && fill_is_awaited(fill));
}

int rt_malloc_async(size_t bytes, RtStream *stream, void **address)
{
    int error = rt.device->mem_alloc(DEV_MEM_DEVICE, bytes, 0, address);
    if (!error && stream->capture) {
        RtNode node = {.type = RT_NODE_ALLOC, .address = *address, .bytes = bytes};
        error = capture_add(stream, &node, NULL);
    }
    return error;
}

int rt_free(void *address, unsigned kinds)
{
    int error = rt_device_wait();
    if (error || rt_graph_memory_free(address, &error))
        return error;
    return rt.device->mem_free(address, kinds);
}

int rt_free_async(void *address, RtStream *stream)
{
    if (stream->capture) {
        RtNode node = {.type = RT_NODE_FREE, .argument = address};
        return capture_add(stream, &node, NULL);
    }
    int error;
    if (rt_graph_memory_free(address, &error))
        return error;
    return rt.device->free_later(address, stream->queue);
}

/* --- images and kernels -------------------------------------------------------------------- */

struct RtImage {
    pthread_mutex_t lock;
    const void *data;
    void *owned;
    size_t bytes;
    bool tried;
    int error;
    DevModule *module;
    RtKernel *kernels;
    VEC(DevShadow) shadows;
};

int rt_image_new(const void *data, size_t bytes, RtImage **out)
{
    RtImage *image = xcalloc(1, sizeof *image);
    pthread_mutex_init(&image->lock, NULL);
    image->data = data;
    image->bytes = bytes;
    if (bytes != SIZE_MAX) {
        image->owned = xmalloc(bytes + 1);
        memcpy(image->owned, data, bytes);
        ((char *)image->owned)[bytes] = 0;
        image->data = image->owned;
    }
    *out = image;
    return RT_OK;
}

void rt_image_free(RtImage *image)
{
    if (image->module && !rt_is_closing())
        rt.device->module_free(image->module);
    while (image->kernels) {
        RtKernel *kernel = image->kernels;
        image->kernels = kernel->next;
        kernel->magic = 0;
        free(kernel->name);
        free(kernel);
    }
    VEC_FREE(image->shadows);
    free(image->owned);
    free(image);
}

/* The PTX of every part of a relocatable program (-rdc), linked. */
static int link_parts(const void *const *parts, size_t count, int cc, Buf *out, char *why,
                      size_t room)
{
    FatPtx *ptx = xcalloc(count, sizeof *ptx);
    PtxText *texts = xcalloc(count, sizeof *texts);
    int error = RT_OK;
    for (size_t i = 0; i < count && !error; i++) {
        error = fatbin_ptx(parts[i], SIZE_MAX, cc, &ptx[i], why, room);
        texts[i] = (PtxText){ptx[i].text, ptx[i].bytes};
    }
    if (!error && !ptx_link(texts, count, out, why, room))
        error = RT_INVALID_IMAGE;
    for (size_t i = 0; i < count; i++)
        fatbin_ptx_free(&ptx[i]);
    free(ptx);
    free(texts);
    return error;
}

static int load_locked(RtImage *image, char *log, size_t log_room)
{
    DevInfo info;
    char text[8192] = "";
    int error = rt.device->info(0, &info);
    if (error)
        return error;
    int cc = info.cc_major * 10 + info.cc_minor;
    const void *const *parts = NULL;
    size_t count = image->bytes == SIZE_MAX ? fatbin_parts(image->data, &parts) : 0;
    FatPtx ptx = {0};
    Buf linked = {0};
    if (count) {
        error = link_parts(parts, count, cc, &linked, text, sizeof text);
        ptx.text = buf_text(&linked);
        ptx.bytes = linked.count;
    } else {
        error = fatbin_ptx(image->data, image->bytes, cc, &ptx, text, sizeof text);
    }
    if (!error)
        error = rt.device->module_load(ptx.text, ptx.bytes, "PTX", image->shadows.items,
                                       image->shadows.count, &image->module, text, sizeof text);
    fatbin_ptx_free(&ptx);
    buf_free(&linked);
    if (error && log && log_room)
        snprintf(log, log_room, "%s", text);
    else if (error && *text)
        rt_message("%s", text);
    return error;
}

int rt_image_load(RtImage *image, char *log, size_t log_room)
{
    pthread_mutex_lock(&image->lock);
    if (!image->tried) {
        image->tried = true;
        image->error = load_locked(image, log, log_room);
    }
    int error = image->error;
    pthread_mutex_unlock(&image->lock);
    return error;
}

void rt_image_shadow(RtImage *image, const char *name, void *host, size_t bytes)
{
    pthread_mutex_lock(&image->lock);
    DevShadow shadow = {.name = name, .host = host, .bytes = bytes};
    VEC_PUSH(image->shadows, shadow);
    pthread_mutex_unlock(&image->lock);
}

bool rt_image_is_managed(RtImage *image)
{
    if (!image->shadows.count || image->bytes != SIZE_MAX)
        return false;
    const void *const *parts = &image->data;
    size_t count = fatbin_parts(image->data, &parts);
    for (size_t i = 0; i < (count ? count : 1); i++)
        if (fatbin_mentions(parts[i], ".attribute(.managed)"))
            return true;
    return false;
}

DevModule *rt_image_module(RtImage *image)
{
    return image->module;
}

int rt_image_kernel(RtImage *image, const char *name, RtKernel **out)
{
    pthread_mutex_lock(&image->lock);
    RtKernel *kernel = image->kernels;
    while (kernel && strcmp(kernel->name, name))
        kernel = kernel->next;
    if (!kernel) {
        kernel = xcalloc(1, sizeof *kernel);
        *kernel = (RtKernel){
            .magic = MAGIC_KERNEL, .image = image, .name = xstrdup(name), .next = image->kernels};
        image->kernels = kernel;
    }
    pthread_mutex_unlock(&image->lock);
    *out = kernel;
    return RT_OK;
}

int rt_image_kernels(RtImage *image, void **list, unsigned count)
{
    if (!image || (count && !list))
        return RT_INVALID_VALUE;
    DevModule *module = rt_image_module(image);
    for (unsigned i = 0; i < count; i++) {
        const char *name = rt_device()->module_kernel_name(module, i);
        RtKernel *kernel;
        int error = name ? rt_image_kernel(image, name, &kernel) : RT_INVALID_VALUE;
        if (!error)
            error = rt_kernel_load(kernel);
        if (error)
            return error;
        list[i] = kernel;
    }
    return RT_OK;
}

int rt_shared_left(const RtKernel *kernel, int device, int blocks, int block, size_t *bytes)
{
    enum { PER_SM = 81, RESERVED = 111, MOST = 97 }; /* numbers of cudaDeviceAttr */
    DevFunctionInfo info;
    int per_sm = 0, reserved = 0, most = 0, fits = 0;
    const Device *engine = rt_device();
    int error = bytes ? engine->function_info(kernel->function, &info) : RT_INVALID_VALUE;
    if (!error)
        error = engine->occupancy(kernel->function, block, 0, &fits);
    if (error || blocks <= 0 || fits < blocks)
        return error ? error : RT_INVALID_VALUE;
    engine->attribute(device, PER_SM, &per_sm);
    engine->attribute(device, RESERVED, &reserved);
    engine->attribute(device, MOST, &most);
    size_t each = (size_t)(per_sm / blocks) / 128 * 128;
    size_t needed = info.static_shared + (size_t)reserved;
    *bytes = each > needed ? each - needed : 0;
    if (*bytes + info.static_shared > (size_t)most)
        *bytes = (size_t)most - info.static_shared;
    return RT_OK;
}

int rt_clusters(RtKernel *kernel, DevLaunch *launch, int *size, int *fit)
{
    int error = rt_kernel_load(kernel);
    if (error)
        return error;
    if (!rt_device()->clusters) {
        rt_refuse("the occupancy of clusters on a GPU");
        return RT_NOT_SUPPORTED;
    }
    launch->function = kernel->function;
    return rt_device()->clusters(launch, size, fit);
}

int rt_image_variable(RtImage *image, const char *name, void **address, size_t *bytes)
{
    int error = rt_image_load(image, NULL, 0);
    if (error)
        return error;
    error = rt.device->module_variable(image->module, name, address, bytes);
    if (error) { /* a static variable: clang mangles its name, NVIDIA's compilers do not */
        char *mangled = xasprintf("_ZL%zu%s", strlen(name), name);
        if (!rt.device->module_variable(image->module, mangled, address, bytes))
            error = RT_OK;
        free(mangled);
    }
    return error;
}

void rt_stop_unless_sound(const RtKernel *kernel, int error)
{
    if (!rt.exits || (error != RT_NOT_SUPPORTED && error != RT_INVALID_PTX))
        return;
    rt_message("kernel %s cannot run: stopping (exit 3) rather than computing wrong results",
               kernel->name);
    fflush(NULL);
    _exit(3);
}

int rt_kernel_load(RtKernel *kernel)
{
    if (kernel->function)
        return RT_OK;
    int error = rt_image_load(kernel->image, NULL, 0);
    if (error)
        return error;
    return rt.device->module_function(kernel->image->module, kernel->name, &kernel->function);
}

RtKernel *rt_kernel(const void *handle)
{
    RtKernel *kernel = (RtKernel *)(uintptr_t)handle;
    return kernel && (uintptr_t)kernel % sizeof(void *) == 0 && kernel->magic == MAGIC_KERNEL
               ? kernel
               : NULL;
}

int rt_launch(const DevLaunch *launch, RtKernel *kernel, RtStream *stream)
{
    int error = rt_kernel_load(kernel);
    if (error)
        return error;
    if (stream->capture) {
        RtNode node = {.type = RT_NODE_KERNEL, .kernel = kernel, .launch = *launch};
        return capture_add(stream, &node, NULL);
    }
    if (stream == &rt.legacy && (error = capture_legacy_used()))
        return error;
    DevLaunch own = *launch;
    own.function = kernel->function;
    error = rt.device->launch(&own, stream->queue);
    rt_stop_unless_sound(kernel, error);
    return error;
}

int rt_ptx_link(const char *const *texts, const size_t *bytes, size_t count, char **out, char *why,
                size_t room)
{
    PtxText *list = xcalloc(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = (PtxText){texts[i], bytes[i]};
    Buf linked = {0};
    bool good = ptx_link(list, count, &linked, why, room);
    free(list);
    *out = good ? xstrdup(buf_text(&linked)) : NULL;
    buf_free(&linked);
    return good ? RT_OK : RT_INVALID_IMAGE;
}

int rt_image_text(const void *data, size_t bytes, char **text, size_t *length)
{
    DevInfo info;
    FatPtx ptx;
    char why[512] = "";
    int error = rt.device->info(0, &info);
    if (!error)
        error = fatbin_ptx(data, bytes, info.cc_major * 10 + info.cc_minor, &ptx, why, sizeof why);
    if (error) {
        rt_message("%s", why);
        return error;
    }
    *text = xmalloc(ptx.bytes + 1);
    memcpy(*text, ptx.text, ptx.bytes);
    (*text)[ptx.bytes] = 0;
    *length = ptx.bytes;
    fatbin_ptx_free(&ptx);
    return RT_OK;
}
