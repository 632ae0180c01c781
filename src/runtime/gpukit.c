/* SPDX-License-Identifier: Apache-2.0
 *
 * The C library (include/gpukit/gpukit.h): a thin layer above the core. */
#include <gpukit/gpukit.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"
#include "runtime/rt.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct GpukitContext {
    char unused; /* a process has one device; the handle only says that it was opened */
};
struct GpukitModule {
    RtImage *image;
};
struct GpukitStream {
    RtStream *stream;
};

static _Thread_local char error_text[1024];

__attribute__((format(printf, 2, 3))) static GpukitStatus failed(int error, const char *format, ...)
{
    if (!error)
        return 0;
    va_list list;
    va_start(list, format);
    int used = vsnprintf(error_text, sizeof error_text, format, list);
    va_end(list);
    const char *name = gpukit_status_name(error);
    if (used >= 0 && (size_t)used < sizeof error_text)
        snprintf(error_text + used, sizeof error_text - (size_t)used, ": %s",
                 name ? name : "error");
    bool from_kernel = error == 700 || error == 702 || (error >= 710 && error <= 719);
    if (from_kernel && *cpu_device_last_fault())
        snprintf(error_text, sizeof error_text, "%s", cpu_device_last_fault());
    return error;
}

const char *gpukit_version(void)
{
    return GPUKIT_VERSION;
}

const char *gpukit_status_name(GpukitStatus status)
{
    static const struct {
        int number;
        const char *name;
    } list[] = {
#define DRIVER_ERROR(number, name) {number, #name},
#include "runtime/errors.def"
#undef DRIVER_ERROR
    };
    if (status == 9) /* the driver has no number for it */
        return "CUDA_ERROR_INVALID_CONFIGURATION";
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].number == status)
            return list[i].name;
    return NULL;
}

const char *gpukit_error_text(GpukitContext *context)
{
    (void)context;
    return error_text;
}

GpukitStatus gpukit_open(const char *device, GpukitContext **out)
{
    if (!out ||
        (device && strcmp(device, "cpu") && strcmp(device, "gpu") && strcmp(device, "auto")))
        return failed(RT_INVALID_VALUE, "gpukit_open(\"%s\"): must be cpu, gpu or auto",
                      device ? device : "");
    int error = rt_init_as(device);
    if (error)
        return failed(error, "gpukit_open");
    if (device && strcmp(device, "auto") && strcmp(device, rt_device()->kind))
        return failed(RT_INVALID_DEVICE, "gpukit_open(\"%s\"): this process already uses the %s",
                      device, rt_device()->kind);
    *out = xcalloc(1, sizeof **out);
    return 0;
}

void gpukit_close(GpukitContext *context)
{
    if (!context)
        return;
    if (!rt_is_closing())
        rt_device_wait();
    free(context);
}

GpukitStatus gpukit_reset(GpukitContext *context)
{
    (void)context;
    return failed(rt_device()->recover(0), "gpukit_reset");
}

GpukitStatus gpukit_device_info(GpukitContext *context, GpukitDeviceInfo *out)
{
    (void)context;
    if (!out || out->struct_bytes < sizeof *out)
        return failed(RT_INVALID_VALUE, "gpukit_device_info: struct_bytes is not set");
    DevInfo info;
    const Device *device = rt_device();
    int error = device->info(0, &info), shared = 0;
    if (error)
        return failed(error, "gpukit_device_info");
    size_t bytes = out->struct_bytes;
    *out = (GpukitDeviceInfo){.struct_bytes = bytes,
                              .kind = device->kind,
                              .cc_major = info.cc_major,
                              .cc_minor = info.cc_minor,
                              .memory = info.memory};
    memcpy(out->name, info.name, sizeof out->name);
    device->attribute(0, 16, &out->multiprocessors);
    device->attribute(0, 1, &out->max_threads_per_block);
    device->attribute(0, 97, &shared);
    out->shared_per_block = (size_t)shared;
    return 0;
}

/* --- modules ------------------------------------------------------------------------------- */

GpukitStatus gpukit_module_load(GpukitContext *context, const void *image, size_t bytes,
                                GpukitModule **out)
{
    (void)context;
    if (!image || !out)
        return failed(RT_INVALID_VALUE, "gpukit_module_load");
    char log[sizeof error_text] = "";
    RtImage *loaded;
    int error = rt_image_new(image, bytes, &loaded);
    if (!error)
        error = rt_image_load(loaded, log, sizeof log);
    if (error) {
        rt_image_free(loaded);
        failed(error, "gpukit_module_load");
        if (*log)
            memcpy(error_text, log, sizeof error_text);
        return error;
    }
    GpukitModule *module = xcalloc(1, sizeof *module);
    *module = (GpukitModule){loaded};
    *out = module;
    return 0;
}

GpukitStatus gpukit_module_load_file(GpukitContext *context, const char *path, GpukitModule **out)
{
    Buf text = {0};
    int error = path ? fs_read(path, &text) : -1;
    if (error) {
        buf_free(&text);
        return failed(301, "%s cannot be read", path ? path : "(no name)");
    }
    GpukitStatus status = gpukit_module_load(context, buf_text(&text), text.count, out);
    buf_free(&text);
    return status;
}

void gpukit_module_free(GpukitModule *module)
{
    if (module)
        rt_image_free(module->image);
    free(module);
}

GpukitStatus gpukit_module_kernel(GpukitModule *module, const char *name, GpukitKernel **out)
{
    RtKernel *kernel;
    if (!module || !name || !out)
        return failed(RT_INVALID_VALUE, "gpukit_module_kernel");
    int error = rt_image_kernel(module->image, name, &kernel);
    if (!error)
        error = rt_kernel_load(kernel);
    if (error)
        return failed(error, "kernel %s", name);
    *out = (GpukitKernel *)(void *)kernel;
    return 0;
}

GpukitStatus gpukit_module_variable(GpukitModule *module, const char *name, void **address,
                                    size_t *bytes)
{
    if (!module || !name)
        return failed(RT_INVALID_VALUE, "gpukit_module_variable");
    return failed(rt_image_variable(module->image, name, address, bytes), "variable %s", name);
}

/* --- memory -------------------------------------------------------------------------------- */

GpukitStatus gpukit_alloc(GpukitContext *context, GpukitMemoryKind kind, size_t bytes, void **out)
{
    (void)context;
    static const DevMemKind kinds[] = {DEV_MEM_DEVICE, DEV_MEM_MANAGED, DEV_MEM_PINNED};
    if (!out || !bytes || (unsigned)kind > 2)
        return failed(RT_INVALID_VALUE, "gpukit_alloc");
    return failed(rt_device()->mem_alloc(kinds[kind], bytes, kind == GPUKIT_MANAGED_MEMORY, out),
                  "gpukit_alloc(%zu bytes)", bytes);
}

GpukitStatus gpukit_free(GpukitContext *context, void *address)
{
    (void)context;
    DevMemInfo info;
    if (!address)
        return 0;
    int error = rt_device_wait();
    if (!error)
        error = rt_device()->mem_find(address, &info);
    if (!error)
        error = rt_device()->mem_free(address, 1u << info.kind);
    return failed(error, "gpukit_free(%p)", address);
}

GpukitStatus gpukit_copy(GpukitContext *context, void *dst, const void *src, size_t bytes)
{
    (void)context;
    if (!bytes)
        return 0;
    int error = rt_device()->sticky(0);
    if (!error)
        error = rt_copy_bytes(dst, src, bytes, rt_stream(NULL, false), true);
    return failed(error, "gpukit_copy(%p, %p, %zu)", dst, src, bytes);
}

GpukitStatus gpukit_copy_async(GpukitStream *stream, void *dst, const void *src, size_t bytes)
{
    if (!stream)
        return failed(RT_INVALID_HANDLE, "gpukit_copy_async");
    return failed(bytes ? rt_copy_bytes(dst, src, bytes, stream->stream, false) : 0,
                  "gpukit_copy_async(%p, %p, %zu)", dst, src, bytes);
}

GpukitStatus gpukit_fill(GpukitStream *stream, void *dst, int byte, size_t bytes)
{
    if (!stream)
        return failed(RT_INVALID_HANDLE, "gpukit_fill");
    DevFill fill = {.dst = dst,
                    .pitch = bytes,
                    .value = (uint8_t)byte,
                    .element = 1,
                    .width = bytes,
                    .height = 1,
                    .depth = 1};
    return failed(bytes ? rt_fill(&fill, stream->stream, false) : 0, "gpukit_fill(%p, %zu)", dst,
                  bytes);
}

/* --- streams and launches ------------------------------------------------------------------ */

GpukitStatus gpukit_stream_new(GpukitContext *context, GpukitStream **out)
{
    (void)context;
    RtStream *stream;
    if (!out)
        return failed(RT_INVALID_VALUE, "gpukit_stream_new");
    int error = rt_stream_new(1, 0, &stream);
    if (error)
        return failed(error, "gpukit_stream_new");
    GpukitStream *own = xcalloc(1, sizeof *own);
    *own = (GpukitStream){stream};
    *out = own;
    return 0;
}

void gpukit_stream_free(GpukitStream *stream)
{
    if (stream)
        rt_stream_free(stream->stream);
    free(stream);
}

GpukitStatus gpukit_stream_wait(GpukitStream *stream)
{
    return failed(stream ? rt_stream_wait(stream->stream) : RT_INVALID_HANDLE,
                  "gpukit_stream_wait");
}

GpukitStatus gpukit_wait(GpukitContext *context)
{
    (void)context;
    return failed(rt_device_wait(), "gpukit_wait");
}

GpukitStatus gpukit_launch(GpukitStream *stream, GpukitKernel *kernel, const uint32_t grid[3],
                           const uint32_t block[3], size_t shared_bytes, void *const *arguments)
{
    RtKernel *own = rt_kernel(kernel);
    if (!stream || !own)
        return failed(RT_INVALID_HANDLE, "gpukit_launch");
    DevLaunch launch = {.grid = {grid[0], grid[1], grid[2]},
                        .block = {block[0], block[1], block[2]},
                        .shared = shared_bytes,
                        .params = (void **)(uintptr_t)arguments};
    return failed(rt_launch(&launch, own, stream->stream), "gpukit_launch(%s)", own->name);
}
