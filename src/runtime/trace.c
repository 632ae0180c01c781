/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUKIT_TRACE=FILE: one JSON object a line, written when the process exits:
 *
 *   {"event":"context","device":"cpu","name":"NVIDIA H200","driver":13000,"threads":2,"ms":0.2}
 *   {"event":"module","bytes":1234,"ms":0.1}              loading PTX (the driver compiles it here)
 *   {"event":"compile","kernel":"k(int*)","compiled":1,"ms":90}    the engine, at a first launch
 *   {"event":"copy","kind":"HtoD","bytes":4096,"ms":0.01}
 *   {"event":"copy","kind":"DtoH","bytes":4096,"ms":0.01,"hash":"0123...","offset":0}
 *   {"event":"launch","kernel":"k(int*)","grid":[1,1,1],"block":[256,1,1],"shared":0,"ms":0.02}
 *   {"event":"end","launches":1,"lost":0,"f32":0,"f64":0,"ms":12.3}
 *
 * f32, f64: floating-point operations, counted on the engine when GPUKIT_COUNT=1.
 *
 * GPUKIT_TRACE_BYTES=FILE also stores what was copied from device to host, at those offsets.
 *
 * Works on either device through its interface alone. Copies for which the host waits are timed by
 * the clock, after earlier work of the stream has ended; the rest by the device's events, so that a
 * traced program is as asynchronous as an untraced one. It observes: it changes no result and
 * refuses nothing, and when the file cannot be written it says so and lets the program go on. */
#include "runtime/trace.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/map.h"
#include "jit/jit.h"
#include "launch/launch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EVENTS = 100000 }; /* records; later ones are counted only */

typedef enum { TRACE_CONTEXT, TRACE_MODULE, TRACE_COMPILE, TRACE_COPY, TRACE_LAUNCH } TraceKind;

typedef struct {
    TraceKind kind;
    double ms; /* negative: unknown until the events are read */
    DevEvent *start, *end;
    const char *copy_kind; /* "HtoD", ... */
    char *name;            /* kernel, or the device's name */
    uint64_t bytes, hash, offset;
    bool hashed;
    int compiled;
    uint32_t grid[3], block[3];
} TraceRecord;

typedef struct {
    const DevFunction *function;
    char *name;
} TraceName;

static struct {
    const Device *inner;
    Device device;
    pthread_mutex_t lock;
    char *path;
    int bytes_file;
    uint64_t bytes_offset, launches, lost;
    double started;
    pid_t owner;
    VEC(TraceRecord *) records;
    VEC(TraceName) names;
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .bytes_file = -1};

static TraceRecord *record(TraceKind kind)
{
    TraceRecord *r = NULL;
    pthread_mutex_lock(&trace.lock);
    if (trace.records.count < MOST_EVENTS) {
        r = xcalloc(1, sizeof *r);
        r->kind = kind;
        r->ms = -1;
        VEC_PUSH(trace.records, r);
    } else {
        trace.lost++;
    }
    pthread_mutex_unlock(&trace.lock);
    return r;
}

/* "kernel(int*)" for "_Z6kernelPi" where the process has a demangler. malloc'd. */
static char *readable(const char *name)
{
    typedef char *Demangle(const char *, char *, size_t *, int *);
    Demangle *demangle;
    void *found = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    memcpy(&demangle, &found, sizeof demangle);
    int status = -1;
    char *text = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    return text && !status ? text : xstrdup(name);
}

/* --- bytes that came back ------------------------------------------------------------------- */

/* Hashes, and on request stores, what lies at the host's end of a finished copy. */
static void keep_bytes(TraceRecord *r, const DevCopy *copy)
{
    uint64_t hash = 0;
    bool whole = copy->height <= 1 || copy->dst_pitch == copy->width;
    size_t rows = whole ? 1 : copy->height,
           width = whole ? copy->width * copy->height : copy->width;
    pthread_mutex_lock(&trace.lock);
    r->offset = trace.bytes_offset;
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < rows; y++) {
            const char *row = (const char *)copy->dst + z * copy->dst_slice + y * copy->dst_pitch;
            hash = hash_bytes(row, width, hash);
            for (size_t done = 0; trace.bytes_file >= 0 && done < width;) {
                ssize_t n = write(trace.bytes_file, row + done, width - done);
                if (n <= 0) {
                    fprintf(stderr, "gpukit: trace: cannot store copied bytes: %s\n",
                            strerror(errno));
                    close(trace.bytes_file);
                    trace.bytes_file = -1;
                    break;
                }
                done += (size_t)n;
            }
            trace.bytes_offset += width;
        }
    r->hash = hash;
    r->hashed = true;
    pthread_mutex_unlock(&trace.lock);
}

typedef struct {
    TraceRecord *record;
    DevCopy copy;
} LateBytes;

static void keep_late(void *argument) /* runs on the stream, behind the copy */
{
    LateBytes *late = argument;
    keep_bytes(late->record, &late->copy);
    free(late);
}

/* --- wrapped calls --------------------------------------------------------------------------- */

static bool on_device(const void *address)
{
    DevMemInfo info;
    return !trace.inner->mem_find(address, &info) &&
           (info.kind == DEV_MEM_DEVICE || info.kind == DEV_MEM_MANAGED);
}

/* The record gets a pair of events; false when there are none. */
static bool start_events(TraceRecord *r, DevQueue *queue)
{
    const Device *d = trace.inner;
    if (!r || d->event_new(true, false, &r->start))
        return false;
    if (d->event_new(true, false, &r->end)) {
        d->event_free(r->start);
        r->start = NULL;
        return false;
    }
    return !d->event_record(r->start, queue);
}

static int trace_copy(const DevCopy *copy, DevQueue *queue, bool host_waits)
{
    static const char *const kinds[2][2] = {{"HtoH", "HtoD"}, {"DtoH", "DtoD"}};
    bool from = copy->src_array || on_device(copy->src),
         to = copy->dst_array || on_device(copy->dst);
    TraceRecord *r = record(TRACE_COPY);
    double start = 0;
    bool events = false;
    if (host_waits) {
        trace.inner->queue_wait(queue);
        start = clock_ms();
    } else {
        events = start_events(r, queue);
    }
    int error = trace.inner->copy(copy, queue, host_waits);
    if (!r)
        return error;
    r->copy_kind = kinds[from][to];
    r->bytes = error ? 0 : (uint64_t)copy->width * copy->height * copy->depth;
    if (host_waits)
        r->ms = clock_ms() - start;
    else if (events)
        trace.inner->event_record(r->end, queue);
    if (error || !from || to)
        return error;
    if (host_waits) {
        keep_bytes(r, copy);
    } else {
        LateBytes *late = xmalloc(sizeof *late);
        *late = (LateBytes){r, *copy};
        if (trace.inner->queue_call(queue, keep_late, late))
            free(late);
    }
    return error;
}

static int trace_module_function(DevModule *module, const char *name, DevFunction **out)
{
    int error = trace.inner->module_function(module, name, out);
    if (!error) {
        pthread_mutex_lock(&trace.lock);
        VEC_PUSH(trace.names, ((TraceName){*out, readable(name)}));
        pthread_mutex_unlock(&trace.lock);
    }
    return error;
}

static char *name_of(const DevFunction *function)
{
    char *name = NULL;
    pthread_mutex_lock(&trace.lock);
    for (size_t i = trace.names.count; i-- > 0 && !name;)
        if (trace.names.items[i].function == function)
            name = xstrdup(trace.names.items[i].name);
    pthread_mutex_unlock(&trace.lock);
    return name ? name : xstrdup("?");
}

/* Compiles the kernel if that is still to be done, so that it is no part of the launch's time. */
static void prepare(const DevLaunch *launch)
{
    if (!trace.inner->function_prepare)
        return;
    JitStats before = jit_stats();
    double start = clock_ms();
    if (trace.inner->function_prepare(launch->function, launch->block))
        return; /* the launch will fail in the same way */
    JitStats after = jit_stats();
    if (after.compiled == before.compiled && after.cached == before.cached)
        return;
    TraceRecord *r = record(TRACE_COMPILE);
    if (r) {
        r->ms = clock_ms() - start;
        r->name = name_of(launch->function);
        r->compiled = (int)(after.compiled - before.compiled);
    }
}

static int trace_launch(const DevLaunch *launch, DevQueue *queue)
{
    prepare(launch);
    TraceRecord *r = record(TRACE_LAUNCH);
    bool events = start_events(r, queue);
    int error = trace.inner->launch(launch, queue);
    if (events)
        trace.inner->event_record(r->end, queue);
    if (!error) {
        pthread_mutex_lock(&trace.lock);
        trace.launches++;
        pthread_mutex_unlock(&trace.lock);
    }
    if (r) {
        r->name = name_of(launch->function);
        memcpy(r->grid, launch->grid, sizeof r->grid);
        memcpy(r->block, launch->block, sizeof r->block);
        r->bytes = launch->shared;
    }
    return error;
}

static int trace_module_load(const char *ptx, size_t bytes, const char *name,
                             const DevShadow *shadows, size_t count, DevModule **out, char *log,
                             size_t room)
{
    double start = clock_ms();
    int error = trace.inner->module_load(ptx, bytes, name, shadows, count, out, log, room);
    TraceRecord *r = record(TRACE_MODULE);
    if (r) {
        r->ms = clock_ms() - start;
        r->bytes = bytes;
    }
    return error;
}

static int trace_select(int device)
{
    static _Thread_local int selected = -1;
    if (device == selected)
        return trace.inner->select(device);
    double start = clock_ms();
    int error = trace.inner->select(device);
    TraceRecord *r = error ? NULL : record(TRACE_CONTEXT);
    if (r)
        r->ms = clock_ms() - start;
    selected = device;
    return error;
}

/* --- writing --------------------------------------------------------------------------------- */

static void read_events(void)
{
    for (size_t i = 0; i < trace.records.count; i++) {
        TraceRecord *r = trace.records.items[i];
        float ms;
        if (r->ms < 0 && r->start && !trace.inner->event_query(r->end) &&
            !trace.inner->event_elapsed(r->start, r->end, &ms))
            r->ms = (double)ms;
    }
}

static int trace_reset(int device)
{
    trace.inner->device_wait();
    pthread_mutex_lock(&trace.lock);
    read_events(); /* the reset takes the events away */
    pthread_mutex_unlock(&trace.lock);
    return trace.inner->reset(device);
}

static void put_text(Buf *out, const char *text)
{
    buf_putc(out, '"');
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            buf_putc(out, '\\');
        if ((unsigned char)*text < ' ')
            buf_printf(out, "\\u%04x", *text);
        else
            buf_putc(out, *text);
    }
    buf_putc(out, '"');
}

static void put_record(Buf *out, const TraceRecord *r, int driver)
{
    static const char *const names[] = {"context", "module", "compile", "copy", "launch"};
    buf_printf(out, "{\"event\":\"%s\"", names[r->kind]);
    if (r->kind == TRACE_CONTEXT && r->name) {
        buf_printf(out,
                   ",\"device\":\"%s\",\"driver\":%d,\"threads\":%d,\"name\":", trace.inner->kind,
                   driver, launch_threads());
        put_text(out, r->name);
    }
    if ((r->kind == TRACE_COMPILE || r->kind == TRACE_LAUNCH) && r->name) {
        buf_puts(out, ",\"kernel\":");
        put_text(out, r->name);
    }
    if (r->kind == TRACE_COMPILE)
        buf_printf(out, ",\"compiled\":%d", r->compiled);
    if (r->kind == TRACE_COPY)
        buf_printf(out, ",\"kind\":\"%s\"", r->copy_kind ? r->copy_kind : "none");
    if (r->kind == TRACE_COPY || r->kind == TRACE_MODULE)
        buf_printf(out, ",\"bytes\":%llu", (unsigned long long)r->bytes);
    if (r->hashed)
        buf_printf(out, ",\"hash\":\"%016llx\",\"offset\":%llu", (unsigned long long)r->hash,
                   (unsigned long long)r->offset);
    if (r->kind == TRACE_LAUNCH)
        buf_printf(out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%llu", r->grid[0],
                   r->grid[1], r->grid[2], r->block[0], r->block[1], r->block[2],
                   (unsigned long long)r->bytes);
    if (r->ms >= 0)
        buf_printf(out, ",\"ms\":%.6f}\n", r->ms);
    else
        buf_puts(out, ",\"ms\":null}\n");
}

static void write_trace(void)
{
    if (getpid() != trace.owner)
        return; /* a forked child */
    Buf out = {0};
    int driver = 0, devices = 0, error = 0;
    trace.inner->driver_version(&driver);
    trace.inner->count(&devices);
    for (int i = 0; i < devices && !error; i++)
        error = trace.inner->sticky(i);
    pthread_mutex_lock(&trace.lock);
    read_events();
    for (size_t i = 0; i < trace.records.count; i++)
        put_record(&out, trace.records.items[i], driver);
    uint64_t f32, f64;
    launch_operations(&f32, &f64);
    buf_printf(&out, "{\"event\":\"end\",\"launches\":%llu,\"lost\":%llu",
               (unsigned long long)trace.launches, (unsigned long long)trace.lost);
    buf_printf(&out, ",\"f32\":%llu,\"f64\":%llu,\"error\":%d,\"ms\":%.6f}\n",
               (unsigned long long)f32, (unsigned long long)f64, error, clock_ms() - trace.started);
    pthread_mutex_unlock(&trace.lock);
    FILE *file = fopen(trace.path, "we");
    if (!file || fwrite(out.data, 1, out.count, file) != out.count || fclose(file))
        fprintf(stderr, "gpukit: trace: cannot write %s: %s\n", trace.path, strerror(errno));
    buf_free(&out);
}

const Device *trace_device(const Device *device, double open_ms)
{
    const char *path = getenv("GPUKIT_TRACE"), *bytes = getenv("GPUKIT_TRACE_BYTES");
    if (!path || !*path)
        return device;
    trace.inner = device;
    trace.path = xstrdup(path);
    trace.owner = getpid();
    trace.started = clock_ms();
    if (bytes && *bytes) {
        trace.bytes_file = open(bytes, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (trace.bytes_file < 0)
            fprintf(stderr, "gpukit: trace: cannot write %s: %s\n", bytes, strerror(errno));
    }
    TraceRecord *r = record(TRACE_CONTEXT);
    r->ms = open_ms;
    DevInfo info;
    if (!device->info(0, &info))
        r->name = xstrdup(info.name);
    trace.device = *device;
    trace.device.copy = trace_copy;
    trace.device.launch = trace_launch;
    trace.device.module_function = trace_module_function;
    trace.device.module_load = trace_module_load;
    trace.device.select = trace_select;
    trace.device.reset = trace_reset;
    atexit(write_trace);
    return &trace.device;
}
