/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU engine as a device: memory and kernels of launch/, modules of jit/, streams of queue.c,
 * limits and attributes of the described GPU (GPUKIT_AS, catalogue/). */
#include "runtime/device.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/options.h"
#include "catalogue/devices.h"
#include "ir/layout.h"
#include "jit/jit.h"
#include "jit/protocol.h"
#include "launch/launch.h"
#include "launch/memory.h"
#include "runtime/cpu_array.h"
#include "runtime/cpu_event.h"
#include "runtime/queue.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONFIGURATION = 9, NO_DEVICE = 100 };
enum { INVALID_DEVICE = 101, INVALID_IMAGE = 200, INVALID_PTX = 218, INVALID_HANDLE = 400 };
enum { INVALID_CONTEXT = 201 };
enum { NOT_FOUND = 500, NOT_READY = 600, COOPERATIVE_TOO_LARGE = 720, INVALID_CLUSTER = 912 };
enum { NOT_SUPPORTED = 801, ALREADY_REGISTERED = 712, NOT_REGISTERED = 713 };

enum { FIRST_STACK_LIMIT = 1024 };

static struct {
    const CatalogueDevice *card;
    int devices;
    size_t stack_limit, l2_fetch, persisting;
    pthread_mutex_t fault_lock;
    char fault[640];
    bool verbose;
    bool fidelity;  /* GPUKIT_FIDELITY: report_fidelity */
    bool scalar;    /* GPUKIT_SCALAR: lane by lane, for comparison */
    bool any_shape; /* GPUKIT_ANY_SHAPE: one kernel for all block shapes, for comparison */
    int fill;       /* GPUKIT_FILL: the byte that new memory holds; -1: whatever it held */
    unsigned hooks; /* JIT_COUNT; JIT_BREAK_LANE, for tests */
} cpu = {.fill = -1,
         .stack_limit = FIRST_STACK_LIMIT,
         .l2_fetch = 64,
         .fault_lock = PTHREAD_MUTEX_INITIALIZER};

static CpuKernelHook kernel_hook;

void cpu_device_set_hook(CpuKernelHook hook)
{
    kernel_hook = hook;
}

const char *cpu_device_last_fault(void)
{
    return cpu.fault;
}

/* --- the described device ------------------------------------------------------------------ */

/* A number in an environment variable from 0 to `most`; -1 without it, -2 with a sentence. */
static double setting(const char *name, double most, const char *unit, char *why, size_t room)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return -1;
    double value = strtod(text, &end);
    if (!*end && value >= 0 && value <= most)
        return value;
    snprintf(why, room, "%s=%s: not a number from 0 to %g%s", name, text, most, unit);
    return -2;
}

static int cpu_open(char *why, size_t room)
{
    const char *as = getenv("GPUKIT_AS");
    cpu.card = catalogue_device(as && *as ? as : NULL);
    if (!cpu.card) {
        snprintf(why, room, "GPUKIT_AS=%s: no such device; known are %s", as,
                 catalogue_device_names());
        return NO_DEVICE;
    }
    const char *devices = getenv("GPUKIT_DEVICES");
    cpu.devices = devices ? atoi(devices) : 1;
    if (cpu.devices < 1 || cpu.devices > 64)
        cpu.devices = 1;
    cpu.verbose = getenv("GPUKIT_VERBOSE") != NULL;
    const char *fidelity = getenv("GPUKIT_FIDELITY");
    cpu.fidelity = fidelity && fidelity[0] == '1';
    const char *scalar = getenv("GPUKIT_SCALAR"), *broken = getenv("GPUKIT_BREAK_LANE");
    cpu.scalar = scalar && scalar[0] == '1';
    const char *any = getenv("GPUKIT_ANY_SHAPE");
    cpu.any_shape = any && any[0] == '1';
    const char *count = getenv("GPUKIT_COUNT");
    cpu.hooks = broken && *broken ? JIT_BREAK_LANE | ((unsigned)atoi(broken) & 31) : 0;
    if (count && count[0] == '1')
        cpu.hooks |= JIT_COUNT;
    double late = setting("GPUKIT_LATE", 10000, " (milliseconds)", why, room);
    double fill = setting("GPUKIT_FILL", 255, "", why, room);
    if (late < -1 || fill < -1)
        return INVALID_VALUE;
    queue_late_us = late > 0 ? (unsigned)(1000 * late) : 0;
    cpu.fill = (int)fill;
    unsigned long long limit = mem_host_bytes();
    if (limit > cpu.card->mem_bytes)
        limit = cpu.card->mem_bytes;
    const char *memory = getenv("GPUKIT_MEMORY");
    if (memory && *memory && (!parse_size(memory, &limit) || !limit)) {
        snprintf(why, room, "GPUKIT_MEMORY=%s: not a size such as 512M or 8G", memory);
        return INVALID_VALUE;
    }
    if (mem_init(limit)) {
        snprintf(why, room,
                 "no room in the address space for device memory (a limit on virtual memory?)");
        return OUT_OF_MEMORY;
    }
    return OK;
}

static int cpu_count(int *devices)
{
    *devices = cpu.devices;
    return OK;
}

static int cpu_info(int device, DevInfo *out)
{
    uint64_t used, limit;
    mem_usage(&used, &limit);
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", cpu.card->name);
    memcpy(out->uuid, "gpukit-cpu-dev", 14);
    out->uuid[15] = (uint8_t)device;
    out->cc_major = cpu.card->cc_major;
    out->cc_minor = cpu.card->cc_minor;
    out->memory = limit;
    out->pci_bus = 1 + device;
    return OK;
}

static bool since(int major, int minor)
{
    return cpu.card->cc_major * 10 + cpu.card->cc_minor >= major * 10 + minor;
}

/* By number of cudaDeviceAttr. Limits that all supported devices share stand in the table; they
 * are those of the programming guide's table of technical specifications. */
static int cpu_attribute(int device, int attribute, int *value)
{
    static const struct {
        short attribute;
        int value;
    } shared[] = {
        {1, 1024},       {2, 1024},    {3, 1024},   {4, 64},       {5, 2147483647},  {6, 65535},
        {7, 65535},      {8, 49152},   {9, 65536},  {10, 32},      {11, 2147483647}, {12, 65536},
        {14, 512},       {15, 1},      {17, 0},     {18, 0},       {19, 1},          {20, 0},
        {21, 131072},    {22, 131072}, {23, 65536}, {24, 16384},   {25, 16384},      {26, 16384},
        {27, 32768},     {28, 32768},  {29, 2048},  {30, 512},     {31, 1},          {32, 1},
        {34, 0},         {35, 0},      {40, 3},     {41, 1},       {42, 32768},      {43, 2048},
        {45, 32768},     {46, 32768},  {47, 8192},  {48, 8192},    {49, 32768},      {50, 0},
        {51, 32},        {52, 32768},  {53, 32768}, {54, 2046},    {55, 32768},      {56, 131072},
        {57, 65536},     {58, 16384},  {59, 16384}, {60, 16384},   {61, 32768},      {62, 2048},
        {63, 32768},     {64, 32768},  {65, 2048},  {66, 32768},   {67, 32768},      {68, 2046},
        {69, 268435456}, {70, 131072}, {71, 65000}, {72, 2097120}, {73, 32768},      {74, 32768},
        {77, 32768},     {78, 1},      {79, 1},     {80, 1},       {83, 1},          {84, 0},
        {86, 0},         {88, 0},      {89, 1},     {90, 1},       {91, 1},          {95, 1},
        {96, 0},         {98, 0},      {99, 1},     {100, 0},      {101, 0},         {102, 1},
        {103, 1},        {112, 0},     {113, 1},    {114, 0},      {115, 1},         {116, 0},
        {117, 0},        {118, 0},     {119, 0},    {121, 0},      {125, 0},         {126, 1},
        {122, 1},        {123, 1},     {130, 0},    {131, 0},      {133, 0},         {134, -1},
    };
    if (device < 0 || device >= cpu.devices)
        return INVALID_DEVICE;
    const CatalogueDevice *card = cpu.card;
    switch (attribute) {
    case 13:
        *value = card->clock_mhz * 1000;
        return OK;
    case 16:
        *value = card->sms;
        return OK;
    case 33:
        *value = 1 + device;
        return OK;
    case 36:
        *value = card->mem_mhz * 1000;
        return OK;
    case 37:
        *value = card->bus_bits;
        return OK;
    case 38:
        *value = (int)card->l2_bytes;
        return OK;
    case 39:
        *value = card->threads_per_sm;
        return OK;
    case 75:
        *value = card->cc_major;
        return OK;
    case 76:
        *value = card->cc_minor;
        return OK;
    case 81:
        *value = card->shared_per_sm;
        return OK;
    case 82:
        *value = card->regs_per_sm;
        return OK;
    case 85:
        *value = device;
        return OK;
    case 87:
        *value = card->fp64_tflops > 0 ? (int)(card->fp32_tflops / card->fp64_tflops + 0.5) : 32;
        return OK;
    case 97:
        *value = card->shared_per_block;
        return OK;
    case 106:
        *value = card->blocks_per_sm;
        return OK;
    case 108:
        *value = since(8, 0) ? (int)(card->l2_bytes / 8 * 5) : 0;
        return OK;
    case 109:
        *value = since(8, 0) ? 134213632 : 0;
        return OK;
    case 111:
        *value = since(8, 0) ? 1024 : 0;
        return OK;
    case 120:
        *value = since(9, 0); /* clusters */
        return OK;
    default:
        break;
    }
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i].attribute == attribute) {
            *value = shared[i].value;
            return OK;
        }
    if (attribute > 0 && attribute < 145) {
        *value = 0;
        return OK;
    }
    return INVALID_VALUE;
}

static int cpu_select(int device)
{
    return device >= 0 && device < cpu.devices ? OK : INVALID_DEVICE;
}

static int cpu_driver_version(int *version)
{
    *version = 13000;
    return OK;
}

static int cpu_sticky(int device)
{
    (void)device;
    return atomic_load_explicit(&queue_sticky, memory_order_relaxed);
}

/* --- memory -------------------------------------------------------------------------------- */

static const MemKind mem_kind[] = {MEM_DEVICE, MEM_MANAGED, MEM_PINNED, MEM_REGISTERED};

static int cpu_mem_alloc(DevMemKind kind, size_t bytes, unsigned flags, void **address)
{
    uint64_t at;
    int error = mem_alloc(mem_kind[kind], bytes, 0, flags, &at);
    if (error)
        return error == -EINVAL ? INVALID_VALUE : OUT_OF_MEMORY;
    if (cpu.fill >= 0 && kind != DEV_MEM_MANAGED) /* managed memory starts as zeros */
        memset(mem_reach(at), cpu.fill, bytes);
    *address = (void *)at;
    return OK;
}

static int cpu_mem_free(void *address, unsigned kinds)
{
    return mem_free((uint64_t)address, kinds) ? INVALID_VALUE : OK;
}

static int cpu_mem_register(void *host, size_t bytes, unsigned flags)
{
    uint64_t device;
    int error = mem_register(host, bytes, MEM_REGISTERED, flags, &device);
    return error == -EEXIST   ? ALREADY_REGISTERED
           : error == -EINVAL ? INVALID_VALUE
           : error            ? OUT_OF_MEMORY
                              : OK;
}

static int cpu_mem_unregister(void *host)
{
    queue_wait_all();
    return mem_unregister(host, MEM_REGISTERED) ? NOT_REGISTERED : OK;
}

static int cpu_mem_find(const void *address, DevMemInfo *out)
{
    MemInfo info;
    if (!mem_find((uint64_t)address, &info))
        return INVALID_VALUE;
    *out = (DevMemInfo){.address = info.address,
                        .bytes = info.bytes,
                        .host = info.host,
                        .kind = (DevMemKind)info.kind,
                        .device = info.device,
                        .flags = info.flags & ~MEM_KEPT,
                        .id = info.id};
    return OK;
}

/* --- addresses and memory apart ------------------------------------------------------------ */

static int of_errno(int error)
{
    return !error ? OK : error == -ENOMEM ? OUT_OF_MEMORY : INVALID_VALUE;
}
static int vm_reserve(size_t bytes, size_t alignment, uint64_t *address)
{
    return of_errno(mem_range_new(bytes, alignment, address));
}
static int vm_unreserve(uint64_t address, size_t bytes)
{
    return of_errno(mem_range_free(address, bytes));
}
static int vm_create(size_t bytes, int device, uint64_t *handle)
{
    return of_errno(mem_physical_new(bytes, device, handle));
}
static int vm_import(int file, int device, uint64_t *handle)
{
    return of_errno(mem_physical_import(file, device, handle));
}
static int vm_export(uint64_t handle, int *file)
{
    int own = mem_physical_file(handle);
    *file = own;
    return of_errno(own < 0 ? own : 0);
}
static int vm_at(uint64_t address, uint64_t *handle)
{
    return of_errno(mem_physical_at(address, handle));
}
static int vm_release(uint64_t handle)
{
    return of_errno(mem_physical_release(handle));
}
static int vm_device_of(uint64_t handle, int *device)
{
    return of_errno(mem_physical_device(handle, device));
}
static int vm_map(uint64_t address, size_t bytes, size_t offset, uint64_t handle)
{
    return of_errno(mem_map(address, bytes, offset, handle));
}
static int vm_unmap(uint64_t address, size_t bytes)
{
    return of_errno(mem_unmap(address, bytes));
}
static int vm_access_set(uint64_t address, size_t bytes, unsigned access)
{
    return of_errno(mem_access_set(address, bytes, access));
}
static int vm_access(uint64_t address, unsigned *access)
{
    return of_errno(mem_access(address, access));
}
static const DevVirtual cpu_virtual = {
    .granularity = MEM_PAGE,
    .reserve = vm_reserve,
    .unreserve = vm_unreserve,
    .create = vm_create,
    .import = vm_import,
    .export = vm_export,
    .at = vm_at,
    .release = vm_release,
    .device_of = vm_device_of,
    .map = vm_map,
    .unmap = vm_unmap,
    .access_set = vm_access_set,
    .access = vm_access,
};

/* --- for other processes ------------------------------------------------------------------- */

_Static_assert(sizeof(HandoverTicket) <= DEV_IPC_BYTES, "a handle holds a ticket");

static int ipc_error(int error)
{
    switch (error) {
    case 0:
        return OK;
    case -ENOMEM:
        return OUT_OF_MEMORY;
    case -EALREADY: /* as on a GPU, where the context would have to be another one's */
        return INVALID_CONTEXT;
    default:
        return INVALID_HANDLE;
    }
}

static void ipc_fill(void *handle, const HandoverTicket *ticket)
{
    memset(handle, 0, DEV_IPC_BYTES);
    memcpy(handle, ticket, sizeof *ticket);
}

static HandoverTicket ipc_ticket(const void *handle)
{
    HandoverTicket ticket;
    memcpy(&ticket, handle, sizeof ticket);
    return ticket;
}

static int ipc_memory(void *address, void *handle)
{
    queue_wait_all(); /* its pages may move */
    HandoverTicket ticket;
    int error = mem_give((uint64_t)address, &ticket);
    if (!error)
        ipc_fill(handle, &ticket);
    return error == -EINVAL ? INVALID_VALUE : ipc_error(error);
}

static int ipc_memory_open(const void *handle, int device, void **address)
{
    const HandoverTicket ticket = ipc_ticket(handle);
    uint64_t at;
    int error = mem_open(&ticket, device, &at);
    if (!error)
        *address = (void *)at;
    return ipc_error(error);
}

static int ipc_memory_close(void *address)
{
    queue_wait_all();
    return mem_close((uint64_t)address) ? INVALID_VALUE : OK;
}

static int ipc_event(DevEvent *event, void *handle)
{
    HandoverTicket ticket;
    int error = cpu_event_give(event, &ticket);
    if (!error)
        ipc_fill(handle, &ticket);
    return ipc_error(error);
}

static int ipc_event_open(const void *handle, DevEvent **out)
{
    const HandoverTicket ticket = ipc_ticket(handle);
    return ipc_error(cpu_event_open(&ticket, out));
}

static const DevIpc cpu_ipc = {
    .memory = ipc_memory,
    .memory_open = ipc_memory_open,
    .memory_close = ipc_memory_close,
    .event = ipc_event,
    .event_open = ipc_event_open,
};

static int cpu_mem_usage(size_t *unused, size_t *total)
{
    uint64_t used, limit;
    mem_usage(&used, &limit);
    *total = limit;
    *unused = limit > used ? limit - used : 0;
    return OK;
}

/* --- streams ------------------------------------------------------------------------------- */

static int cpu_queue_new(unsigned flags, int priority, DevQueue **out)
{
    (void)priority; /* all streams are equal here */
    return queue_new(flags, out);
}

static int cpu_queue_free(DevQueue *queue)
{
    queue_free(queue);
    return OK;
}

static int cpu_queue_wait(DevQueue *queue)
{
    queue_wait(queue);
    return cpu_after_wait();
}

static int cpu_queue_query(DevQueue *queue)
{
    int sticky = atomic_load(&queue_sticky);
    return sticky ? sticky : queue_idle(queue) ? OK : NOT_READY;
}

static int cpu_device_wait(void)
{
    queue_wait_all();
    return cpu_after_wait();
}

typedef struct {
    void (*function)(void *);
    void *argument;
} CallOp;

static void run_call(Op *op)
{
    CallOp call = *(CallOp *)(void *)op->data;
    launch_flush_prints();
    call.function(call.argument);
}

static int cpu_queue_call(DevQueue *queue, void (*function)(void *), void *argument)
{
    Op *op = queue_op(queue);
    op->run = run_call;
    op->always = true; /* callers free what they passed there */
    *(CallOp *)(void *)op->data = (CallOp){function, argument};
    queue_post(queue, op);
    return OK;
}

/* --- copies and fills ---------------------------------------------------------------------- */

static void copy_now(const DevCopy *copy)
{
    const char *src = mem_reach((uint64_t)copy->src);
    char *dst = mem_reach((uint64_t)copy->dst);
    for (size_t z = 0; z < copy->depth; z++) {
        const char *from = src + z * copy->src_slice;
        char *to = dst + z * copy->dst_slice;
        if (copy->height <= 1 ||
            (copy->src_pitch == copy->width && copy->dst_pitch == copy->width)) {
            memmove(to, from, copy->width * copy->height);
        } else {
            for (size_t y = 0; y < copy->height; y++)
                memmove(to + y * copy->dst_pitch, from + y * copy->src_pitch, copy->width);
        }
    }
}

static void run_copy(Op *op)
{
    copy_now((const DevCopy *)(void *)op->data);
}

/* A copy from pageable memory with GPUKIT_LATE: from a buffer of its own, as the driver's staging. */
typedef struct {
    DevCopy copy;
    char *staged;
} LateCopy;

static void drop_staged(Op *op)
{
    free(((LateCopy *)(void *)op->data)->staged);
}

static void post_late(const DevCopy *copy, DevQueue *queue)
{
    size_t width = copy->width, rows = copy->height * copy->depth;
    LateCopy late = {.copy = *copy, .staged = xmalloc(width * rows)};
    DevCopy stage = *copy;
    stage.dst = late.staged;
    stage.dst_pitch = width;
    stage.dst_slice = width * copy->height;
    copy_now(&stage);
    late.copy.src = late.staged;
    late.copy.src_pitch = stage.dst_pitch;
    late.copy.src_slice = stage.dst_slice;
    Op *op = queue_op(queue);
    op->run = run_copy;
    op->drop = drop_staged;
    *(LateCopy *)(void *)op->data = late;
    queue_post(queue, op);
}

typedef enum { SIDE_PAGEABLE, SIDE_KNOWN, SIDE_BAD } Side;

/* What the copy touches at that end: unknown host memory, a live allocation, or a bad range. */
static Side side_of(const void *address, size_t pitch, size_t slice, const DevCopy *copy)
{
    size_t bytes = (copy->depth - 1) * slice + (copy->height - 1) * (copy->height > 1 ? pitch : 0) +
                   copy->width;
    uint64_t at = (uint64_t)address;
    if (mem_covers(at, bytes))
        return SIDE_KNOWN;
    return mem_in_window(at) ? SIDE_BAD : SIDE_PAGEABLE;
}

static int cpu_copy(const DevCopy *copy, DevQueue *queue, bool host_waits)
{
    int sticky = atomic_load(&queue_sticky);
    if (sticky)
        return sticky;
    if (!copy->width || !copy->height || !copy->depth)
        return OK;
    DevCopy flat = *copy;
    if (!cpu_array_flat(&flat))
        return INVALID_VALUE;
    copy = &flat;
    Side src = side_of(copy->src, copy->src_pitch, copy->src_slice, copy);
    Side dst = side_of(copy->dst, copy->dst_pitch, copy->dst_slice, copy);
    if (src == SIDE_BAD || dst == SIDE_BAD)
        return INVALID_VALUE;
    /* Pageable memory: the real driver stages it and returns when the host may use it again, which
     * is before the bytes are where they go. */
    MemInfo to;
    if (queue_late_us && src == SIDE_PAGEABLE && mem_find((uint64_t)copy->dst, &to) &&
        to.kind == MEM_DEVICE) {
        if (host_waits)
            queue_wait(queue);
        post_late(copy, queue);
        return host_waits ? cpu_after_wait() : OK;
    }
    bool wait = host_waits || src == SIDE_PAGEABLE || dst == SIDE_PAGEABLE;
    if (wait && queue_idle(queue)) {
        copy_now(copy);
        return host_waits ? cpu_after_wait() : OK;
    }
    Op *op = queue_op(queue);
    op->run = run_copy;
    *(DevCopy *)(void *)op->data = *copy;
    QueuePoint point = queue_post(queue, op);
    if (!wait)
        return OK;
    point_wait(point);
    return cpu_after_wait();
}

static void fill_row(char *at, uint32_t value, unsigned element, size_t width)
{
    if (element == 1) {
        memset(at, (int)value, width);
    } else if (element == 2) {
        uint16_t v = (uint16_t)value;
        for (size_t i = 0; i < width; i++)
            memcpy(at + i * 2, &v, 2);
    } else {
        for (size_t i = 0; i < width; i++)
            memcpy(at + i * 4, &value, 4);
    }
}

static void run_fill(Op *op)
{
    const DevFill *fill = (const DevFill *)(void *)op->data;
    char *base = mem_reach((uint64_t)fill->dst);
    for (size_t z = 0; z < fill->depth; z++)
        for (size_t y = 0; y < fill->height; y++)
            fill_row(base + z * fill->slice + y * fill->pitch, fill->value, fill->element,
                     fill->width);
}

static int cpu_fill(const DevFill *fill, DevQueue *queue, bool host_waits)
{
    int sticky = atomic_load(&queue_sticky);
    if (sticky)
        return sticky;
    if (!fill->width || !fill->height || !fill->depth)
        return OK;
    size_t bytes = (fill->depth - 1) * fill->slice +
                   (fill->height > 1 ? (fill->height - 1) * fill->pitch : 0) +
                   fill->width * fill->element;
    if (!mem_covers((uint64_t)fill->dst, bytes))
        return INVALID_VALUE;
    Op *op = queue_op(queue);
    op->run = run_fill;
    *(DevFill *)(void *)op->data = *fill;
    QueuePoint point = queue_post(queue, op);
    if (host_waits) {
        point_wait(point);
        return cpu_after_wait();
    }
    return OK;
}

static void run_free(Op *op)
{
    mem_free(*(uint64_t *)(void *)op->data, 1u << MEM_DEVICE);
}

static int cpu_free_later(void *address, DevQueue *queue)
{
    MemInfo info;
    if (!mem_find((uint64_t)address, &info) || info.address != (uint64_t)address)
        return INVALID_VALUE;
    Op *op = queue_op(queue);
    op->run = run_free;
    op->always = true;
    *(uint64_t *)(void *)op->data = (uint64_t)address;
    queue_post(queue, op);
    return OK;
}

/* --- modules ------------------------------------------------------------------------------- */

typedef struct Variant {
    uint32_t ntid[3], stack;
    const GkKernel *kernel;
    struct Variant *next;
} Variant;

struct DevFunction {
    DevFunction *next;
    DevModule *module;
    const IrFunction *ir;
    IrKernelLayout layout;
    Variant *_Atomic variants;
    int variant_count;
    LaunchHint hint;
    int max_dynamic, carveout, non_portable_cluster, cluster_policy;
    uint32_t max_threads;
};

struct DevModule {
    pthread_mutex_t lock;
    JitModule *jit;
    IrModule *ir;
    IrSymbol **symbols;
    uint64_t *variables;
    uint32_t variable_count;
    uint64_t block; /* one allocation for all unmanaged variables; 0 = none */
    void **hosts;   /* per managed variable: the program's own memory that it lies in, or NULL */
    DevFunction *functions;
    DevModule *next;
};

static struct {
    pthread_mutex_t lock;
    DevModule *first;
} modules = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

static uint64_t reloc_value(const DevModule *module, const IrReloc *reloc)
{
    const IrSymbol *symbol = reloc->symbol;
    uint64_t value = 0;
    if (symbol->kind == SYM_FUNCTION) {
        value = ir_function_number(module->ir, symbol->function);
    } else if (symbol->space == MOD_global || symbol->space == MOD_const) {
        value = module->variables[symbol->offset];
    }
    value += (uint64_t)reloc->addend;
    return reloc->byte ? value >> 8 * (reloc->byte - 1) & 0xff : value;
}

/* A managed variable: in the program's own pages where it has them, else in memory of ours. */
static int place_managed(DevModule *module, uint32_t i, const DevShadow *shadows, size_t count)
{
    const IrSymbol *symbol = module->symbols[i];
    uint64_t bytes = symbol->size ? symbol->size : 1;
    for (size_t s = 0; s < count; s++)
        if (strcmp(shadows[s].name, symbol->name) == 0) {
            if (shadows[s].bytes < bytes || mem_register(shadows[s].host, bytes, MEM_MANAGED,
                                                         MEM_KEPT | 1, &module->variables[i]))
                return OUT_OF_MEMORY;
            module->hosts[i] = shadows[s].host;
            return OK;
        }
    return mem_alloc(MEM_MANAGED, bytes, 0, MEM_KEPT | 1, &module->variables[i]) ? OUT_OF_MEMORY
                                                                                 : OK;
}

/* The values that the program's text gives. */
static void set_variables(DevModule *module)
{
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const IrSymbol *symbol = module->symbols[i];
        if (!symbol->size)
            continue;
        uint8_t *at = mem_reach(module->variables[i]);
        if (symbol->init)
            memcpy(at, symbol->init, symbol->size);
        else
            memset(at, 0, symbol->size);
        for (uint32_t r = 0; r < symbol->reloc_count; r++) {
            const IrReloc *reloc = &symbol->relocs[r];
            uint64_t value = reloc_value(module, reloc);
            memcpy(at + reloc->at, &value, reloc->byte ? 1 : reloc->size);
        }
    }
}

static int place_variables(DevModule *module, const DevShadow *shadows, size_t count)
{
    module->variable_count = ir_layout_variables(module->ir, &module->symbols);
    module->variables = xcalloc(module->variable_count + 1, sizeof *module->variables);
    module->hosts = xcalloc(module->variable_count + 1, sizeof *module->hosts);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const IrSymbol *symbol = module->symbols[i];
        if (symbol->is_managed)
            continue;
        bytes = align_up(bytes, symbol->align > 16 ? symbol->align : 16);
        module->variables[i] = bytes;
        bytes += symbol->size;
    }
    if (bytes && mem_alloc(MEM_DEVICE, bytes, 0, MEM_KEPT, &module->block))
        return OUT_OF_MEMORY;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const IrSymbol *symbol = module->symbols[i];
        if (!symbol->is_managed)
            module->variables[i] += module->block;
        else if (place_managed(module, i, shadows, count))
            return OUT_OF_MEMORY;
    }
    set_variables(module);
    return OK;
}

static int cpu_module_free(DevModule *module)
{
    queue_wait_all();
    launch_flush_prints();
    pthread_mutex_lock(&modules.lock);
    for (DevModule **at = &modules.first; *at; at = &(*at)->next)
        if (*at == module) {
            *at = module->next;
            break;
        }
    pthread_mutex_unlock(&modules.lock);
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (module->hosts[i])
            mem_unregister(module->hosts[i], MEM_MANAGED);
        else if (module->symbols[i]->is_managed && module->variables[i])
            mem_free(module->variables[i], 1u << MEM_MANAGED);
    if (module->block)
        mem_free(module->block, 1u << MEM_DEVICE);
    while (module->functions) {
        DevFunction *function = module->functions;
        module->functions = function->next;
        Variant *variant = atomic_load(&function->variants);
        while (variant) {
            Variant *next = variant->next;
            free(variant);
            variant = next;
        }
        free(function);
    }
    free(module->variables);
    free(module->hosts);
    jit_module_free(module->jit);
    free(module);
    return OK;
}

static int cpu_module_load(const char *ptx, size_t bytes, const char *name,
                           const DevShadow *shadows, size_t shadow_count, DevModule **out,
                           char *log, size_t log_room)
{
    Diags diags;
    diags_init(&diags);
    JitModule *jit = jit_module_new(ptx, bytes, name, &diags);
    if (!jit) {
        if (log && log_room) {
            char *text = diags_text(&diags);
            snprintf(log, log_room, "%s", text);
            free(text);
        }
        diags_fini(&diags);
        return INVALID_PTX;
    }
    diags_fini(&diags);
    DevModule *module = xcalloc(1, sizeof *module);
    pthread_mutex_init(&module->lock, NULL);
    module->jit = jit;
    module->ir = (IrModule *)(uintptr_t)jit_module_ir(jit);
    int error = place_variables(module, shadows, shadow_count);
    if (error) {
        cpu_module_free(module);
        return error;
    }
    pthread_mutex_lock(&modules.lock);
    module->next = modules.first;
    modules.first = module;
    pthread_mutex_unlock(&modules.lock);
    *out = module;
    return OK;
}

/* Modules stay loaded and get their variables' first values again. What was allocated belongs to no
 * one device of several: then it stays. */
static int cpu_reset(int device)
{
    (void)device;
    queue_wait_all();
    launch_flush_prints();
    if (cpu.devices == 1)
        mem_free_all();
    pthread_mutex_lock(&modules.lock);
    for (DevModule *module = modules.first; module; module = module->next)
        set_variables(module);
    pthread_mutex_unlock(&modules.lock);
    cpu.stack_limit = FIRST_STACK_LIMIT;
    return OK;
}

static int cpu_recover(int device)
{
    (void)device;
    queue_wait_all();
    launch_flush_prints();
    atomic_store(&queue_sticky, 0);
    return OK;
}

static int cpu_module_function(DevModule *module, const char *name, DevFunction **out)
{
    pthread_mutex_lock(&module->lock);
    DevFunction *function = module->functions;
    while (function && strcmp(function->ir->name, name))
        function = function->next;
    if (!function) {
        IrFunction *ir = ir_find_function(module->ir, name);
        if (!ir || !ir->is_entry) {
            pthread_mutex_unlock(&module->lock);
            return NOT_FOUND;
        }
        function = xcalloc(1, sizeof *function);
        function->module = module;
        function->ir = ir;
        ir_layout_kernel(module->ir, ir, &function->layout);
        function->max_threads = 1024;
        const uint32_t *bound = ir->reqntid[0] ? ir->reqntid : ir->maxntid;
        if (bound[0]) {
            uint64_t threads =
                (uint64_t)bound[0] * (bound[1] ? bound[1] : 1) * (bound[2] ? bound[2] : 1);
            if (threads < 1024)
                function->max_threads = (uint32_t)threads;
        }
        function->max_dynamic = 49152 - (int)function->layout.static_shared;
        if (function->max_dynamic < 0)
            function->max_dynamic = 0;
        function->carveout = -1;
        function->next = module->functions;
        module->functions = function;
    }
    pthread_mutex_unlock(&module->lock);
    *out = function;
    return OK;
}

static int cpu_module_variable(DevModule *module, const char *name, void **address, size_t *bytes)
{
    const IrSymbol *symbol = ir_find_symbol(module->ir, name);
    if (!symbol || symbol->kind != SYM_VARIABLE ||
        (symbol->space != MOD_global && symbol->space != MOD_const))
        return NOT_FOUND;
    if (address)
        *address = (void *)module->variables[symbol->offset];
    if (bytes)
        *bytes = symbol->size;
    return OK;
}

static const char *cpu_module_kernel_name(DevModule *module, unsigned index)
{
    for (uint32_t i = 0; i < module->ir->function_count; i++) {
        const IrFunction *function = module->ir->functions[i];
        if (function->is_entry && !function->is_extern && index-- == 0)
            return function->name;
    }
    return NULL;
}

/* PTX says nothing about registers: a guess from the declared ones, marked as such. */
static int guess_registers(const IrFunction *function)
{
    int words = 0;
    for (int32_t i = 0; i < function->reg_count; i++)
        words += ir_type_bits((IrType)function->regs[i].type) > 32 ? 2 : 1;
    int guess = 16 + words / 8;
    int most = function->maxnreg ? (int)function->maxnreg : 128;
    return (guess > most ? most : guess) / 8 * 8;
}

static int cpu_function_info(DevFunction *function, DevFunctionInfo *out)
{
    const IrModule *ir = function->module->ir;
    const uint32_t *own = function->ir->cluster;
    size_t constants = 0;
    for (uint32_t i = 0; i < function->module->variable_count; i++)
        if (function->module->symbols[i]->space == MOD_const)
            constants += function->module->symbols[i]->size;
    *out = (DevFunctionInfo){.static_shared = function->layout.shared_bytes,
                             .const_bytes = constants,
                             .local_bytes = function->layout.local_bytes,
                             .max_threads = (int)function->max_threads,
                             .registers = guess_registers(function->ir),
                             .ptx_version = ir->sm,
                             .binary_version = cpu.card->cc_major * 10 + cpu.card->cc_minor,
                             .max_dynamic_shared = function->max_dynamic,
                             .carveout = function->carveout,
                             .cluster = {(int)own[0], own[0] && !own[1] ? 1 : (int)own[1],
                                         own[0] && !own[2] ? 1 : (int)own[2]},
                             .non_portable_cluster = function->non_portable_cluster,
                             .cluster_policy = function->cluster_policy,
                             .estimated = true};
    return OK;
}

static int cpu_function_set(DevFunction *function, int what, int value)
{
    if (what == DEV_FUNC_MAX_DYNAMIC_SHARED) {
        if (value < 0 ||
            value + (int64_t)function->layout.static_shared > cpu.card->shared_per_block)
            return INVALID_VALUE;
        function->max_dynamic = value;
        return OK;
    }
    if (what == DEV_FUNC_CARVEOUT) {
        if (value < -1 || value > 100)
            return INVALID_VALUE;
        function->carveout = value;
        return OK;
    }
    if (value < 0 || value > (what == DEV_FUNC_CLUSTER_POLICY ? 2 : 1))
        return INVALID_VALUE;
    *(what == DEV_FUNC_CLUSTER_POLICY ? &function->cluster_policy
                                      : &function->non_portable_cluster) = value;
    return OK;
}

static int cpu_function_param(DevFunction *function, unsigned index, size_t *offset, size_t *bytes)
{
    if (index >= function->ir->param_count)
        return INVALID_VALUE;
    *offset = function->ir->params[index]->offset;
    *bytes = function->ir->params[index]->size;
    return OK;
}

/* Blocks of one multiprocessor; registers are a guess and do not count. */
static int blocks_per_sm(const DevFunction *function, uint32_t threads, size_t dynamic)
{
    const CatalogueDevice *card = cpu.card;
    uint32_t whole = (threads + 31) / 32 * 32;
    int blocks = card->threads_per_sm / (int)whole;
    if (blocks > card->blocks_per_sm)
        blocks = card->blocks_per_sm;
    size_t shared = function->layout.static_shared + dynamic;
    if (since(8, 0))
        shared += 1024;
    shared = align_up(shared, 128);
    if (shared && (int)((size_t)card->shared_per_sm / shared) < blocks)
        blocks = (int)((size_t)card->shared_per_sm / shared);
    return blocks;
}

static int cpu_occupancy(DevFunction *function, int block, size_t shared, int *blocks)
{
    if (block <= 0)
        return INVALID_VALUE;
    if ((uint32_t)block > function->max_threads ||
        shared + function->layout.static_shared > (size_t)cpu.card->shared_per_block)
        *blocks = 0;
    else
        *blocks = blocks_per_sm(function, (uint32_t)block, shared);
    return OK;
}

/* --- launches ------------------------------------------------------------------------------ */

typedef struct {
    DevFunction *function;
    const GkKernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared, max_resident;
    bool cooperative, explicit_cluster;
    uint32_t cluster[3];
    void *big; /* parameters that do not fit below */
    _Alignas(16) unsigned char params[320];
} LaunchOp;
_Static_assert(sizeof(LaunchOp) <= sizeof(((Op *)0)->data), "an operation holds a launch");

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

static void note_fault(const LaunchOp *launch, const LaunchResult *result)
{
    char *name = readable(launch->function->ir->name);
    char where[160] = "";
    if (result->has_position) {
        int used = snprintf(where, sizeof where, ", block (%u,%u,%u)", result->ctaid[0],
                            result->ctaid[1], result->ctaid[2]);
        if (result->mask)
            snprintf(where + used, sizeof where - (size_t)used, ", warp %u, lane %d", result->warp,
                     __builtin_ctz(result->mask));
    }
    char line[32] = "";
    if (result->line)
        snprintf(line, sizeof line, ", line %u", result->line);
    pthread_mutex_lock(&cpu.fault_lock);
    snprintf(cpu.fault, sizeof cpu.fault, "kernel %s%s%s: %s", name, where, line, result->text);
    /* A GPU says nothing about a fault, only the call's error does; a launch that gpukit itself
     * stopped is gpukit's to explain. */
    if (cpu.verbose || result->error == LAUNCH_TIMEOUT)
        fprintf(stderr, "gpukit: %s\n", cpu.fault);
    pthread_mutex_unlock(&cpu.fault_lock);
    free(name);
}

static int find_kernel(DevFunction *function, const uint32_t block[3], const GkKernel **out);
static int cpu_module_function(DevModule *module, const char *name, DevFunction **out);

static void set_sticky(int error)
{
    int none = 0;
    atomic_compare_exchange_strong(&queue_sticky, &none, error);
}

/* Grids that a kernel launched: each with all of its own, one after the other; those for the tail
 * stream last. Frees them. */
static void run_children(DevModule *module, LaunchChild *children)
{
    enum { TAIL_STREAM = 3 };
    for (int tail = 0; tail < 2; ++tail)
        for (LaunchChild *child = children; child; child = child->next) {
            if ((child->stream == TAIL_STREAM) != tail || atomic_load(&queue_sticky))
                continue;
            IrFunction *ir = child->function && child->function <= module->ir->function_count
                                 ? module->ir->functions[child->function - 1]
                                 : NULL;
            DevFunction *function;
            LaunchOp launch = {.shared = child->shared};
            memcpy(launch.grid, child->grid, sizeof launch.grid);
            memcpy(launch.block, child->block, sizeof launch.block);
            uint64_t threads = (uint64_t)child->block[0] * child->block[1] * child->block[2];
            if (!ir || threads - 1 >= 1024 || cpu_module_function(module, ir->name, &function)) {
                set_sticky(LAUNCH_FAILURE);
                continue;
            }
            launch.function = function;
            int error = find_kernel(function, child->block, &launch.kernel);
            if (error) {
                set_sticky(error);
                continue;
            }
            LaunchRequest request = {
                .kernel = launch.kernel,
                .grid = {child->grid[0], child->grid[1], child->grid[2]},
                .block = {child->block[0], child->block[1], child->block[2]},
                .dynamic_shared = child->shared,
                .params = child->params,
                .variables = module->variables,
                .sms = (uint32_t)cpu.card->sms,
                .hint = &function->hint,
            };
            LaunchResult result;
            if (launch_run(&request, &result)) {
                note_fault(&launch, &result);
                set_sticky((int)result.error);
            }
            run_children(module, result.children);
        }
    while (children) {
        LaunchChild *next = children->next;
        free(children);
        children = next;
    }
}

static void run_launch(Op *op)
{
    LaunchOp *launch = (LaunchOp *)(void *)op->data;
    LaunchRequest request = {
        .kernel = launch->kernel,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .cluster = {launch->cluster[0], launch->cluster[1], launch->cluster[2]},
        .explicit_cluster = launch->explicit_cluster,
        .dynamic_shared = launch->shared,
        .params = launch->big ? launch->big : launch->params,
        .variables = launch->function->module->variables,
        .cooperative = launch->cooperative,
        .max_resident = launch->max_resident,
        .sms = (uint32_t)cpu.card->sms,
        .hint = &launch->function->hint,
    };
    LaunchResult result;
    if (launch_run(&request, &result)) {
        note_fault(launch, &result);
        set_sticky((int)result.error);
    }
    run_children(launch->function->module, result.children);
}

static void drop_launch(Op *op)
{
    free(((LaunchOp *)(void *)op->data)->big);
}

/* One line on stderr: which of the kernel's instructions PTX defines only within bounds; the engine
 * gives the hardware's bits for them (docs/approximations.md). */
static void report_fidelity(const GkKernel *kernel)
{
    bool any = kernel->fidelity && *kernel->fidelity;
    fprintf(stderr, "gpukit: kernel %s: %s%s exact\n", kernel->name, any ? kernel->fidelity : "",
            any ? " with the hardware's bits; all else" : "every instruction");
}

/* Room for recursion: frames hold every register that lives across the call, which a GPU's compiler packs
 * better, hence four times the limit. The usual 64 KiB go far beyond the usual limit of 1 KiB. */
static uint32_t stack_bytes(void)
{
    size_t limit = cpu.stack_limit;
    return limit <= 16 << 10 ? 0 : (uint32_t)((4 * limit + 15) & ~(size_t)15);
}

/* The compiled kernel for the block shape. 0, or a CUDA error after a message to stderr. */
static int find_kernel(DevFunction *function, const uint32_t block[3], const GkKernel **out)
{
    enum { MOST_SHAPES = 16 }; /* further shapes share one kernel for any shape */
    uint32_t stack = stack_bytes();
    for (Variant *v = atomic_load(&function->variants); v; v = v->next)
        if (!memcmp(v->ntid, block, sizeof v->ntid) &&
            (v->stack == stack || !(v->kernel->flags & GK_KERNEL_STACK))) {
            *out = v->kernel;
            return OK;
        }
    pthread_mutex_lock(&function->module->lock);
    const GkKernel *kernel = NULL;
    JitOptions options = {.scalar = cpu.scalar, .hooks = cpu.hooks, .stack = stack};
    if (function->variant_count < MOST_SHAPES && !cpu.any_shape)
        memcpy(options.ntid, block, sizeof options.ntid);
    Diags diags;
    diags_init(&diags);
    kernel = kernel_hook ? kernel_hook(function->ir->name)
                         : jit_kernel(function->module->jit, function->ir->name, &options, &diags);
    if (kernel) {
        if (cpu.fidelity && !function->variant_count)
            report_fidelity(kernel);
        Variant *variant = xcalloc(1, sizeof *variant);
        memcpy(variant->ntid, block, sizeof variant->ntid);
        variant->stack = stack;
        variant->kernel = kernel;
        variant->next = atomic_load(&function->variants);
        atomic_store(&function->variants, variant);
        function->variant_count++;
    } else {
        diags_print(&diags, stderr);
    }
    diags_fini(&diags);
    pthread_mutex_unlock(&function->module->lock);
    *out = kernel;
    return kernel ? OK : NOT_SUPPORTED;
}

static int cpu_function_prepare(DevFunction *function, const uint32_t block[3])
{
    const GkKernel *kernel;
    return find_kernel(function, block, &kernel);
}

enum { CLUSTER_PORTABLE = 8 };

static uint32_t cluster_most(const DevFunction *function)
{
    return function->non_portable_cluster ? GK_CLUSTER_MAX : CLUSTER_PORTABLE;
}

/* The blocks of a cluster: what the launch says, else what the kernel was compiled for. */
static int cluster_of(const DevLaunch *launch, uint32_t cluster[3])
{
    const uint32_t *own = launch->function->ir->cluster;
    uint32_t blocks = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t said = launch->cluster[i], compiled = own[0] ? (own[i] ? own[i] : 1) : 0;
        if (compiled && said > 1 && said != compiled)
            return INVALID_CLUSTER;
        cluster[i] = compiled ? compiled : said ? said : 1;
        if (cluster[i] > GK_CLUSTER_MAX || launch->grid[i] % cluster[i])
            return INVALID_CLUSTER;
        blocks *= cluster[i];
    }
    if (blocks == 1)
        return OK;
    if (!since(9, 0))
        return NOT_SUPPORTED;
    if (blocks > cluster_most(launch->function))
        return INVALID_CLUSTER;
    return launch->cooperative ? NOT_SUPPORTED : OK; /* every block of every cluster at once */
}

static int cpu_clusters(const DevLaunch *launch, int *size, int *fit)
{
    const uint32_t *block = launch->block;
    uint32_t cluster[3];
    int per_sm = 0, error = cluster_of(launch, cluster);
    if (!since(9, 0))
        error = NOT_SUPPORTED;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (!error && (!threads || threads > 1024))
        error = INVALID_VALUE;
    if (!error)
        error = cpu_occupancy(launch->function, (int)threads, launch->shared, &per_sm);
    if (error)
        return error;
    int blocks = (int)(cluster[0] * cluster[1] * cluster[2]), all = per_sm * cpu.card->sms;
    if (fit)
        *fit = all / blocks;
    int most = (int)cluster_most(launch->function);
    if (size)
        *size = !all ? 0 : launch->function->ir->cluster[0] ? blocks : all < most ? all : most;
    return OK;
}

static int check_launch(const DevLaunch *launch)
{
    const DevFunction *function = launch->function;
    static const uint32_t most_grid[3] = {2147483647, 65535, 65535},
                          most_block[3] = {1024, 1024, 64};
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (!launch->grid[i] || !launch->block[i] || launch->grid[i] > most_grid[i] ||
            launch->block[i] > most_block[i])
            return INVALID_CONFIGURATION;
        threads *= launch->block[i];
    }
    uint32_t cluster[3];
    int error = cluster_of(launch, cluster);
    if (error)
        return error;
    if (threads > 1024)
        return INVALID_CONFIGURATION;
    if (threads > function->max_threads) /* a launch bound: 1 and not 701 (seen on an H200) */
        return INVALID_VALUE;
    const uint32_t *required = function->ir->reqntid;
    for (int i = 0; i < 3 && required[0]; i++)
        if (launch->block[i] != (required[i] ? required[i] : 1))
            return INVALID_VALUE;
    if (launch->shared > (size_t)function->max_dynamic)
        return INVALID_VALUE;
    return OK;
}

static int cpu_launch(const DevLaunch *launch, DevQueue *queue)
{
    int error = atomic_load_explicit(&queue_sticky, memory_order_relaxed);
    if (!error)
        error = check_launch(launch);
    if (error)
        return error;
    DevFunction *function = launch->function;
    const IrFunction *ir = function->ir;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint64_t resident =
        (uint64_t)blocks_per_sm(function, threads, launch->shared) * (uint64_t)cpu.card->sms;
    if (launch->cooperative &&
        (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] > resident)
        return COOPERATIVE_TOO_LARGE;
    if (ir->param_count && !launch->params && launch->packed_bytes < ir->param_bytes)
        return INVALID_VALUE;
    const GkKernel *kernel;
    error = find_kernel(function, launch->block, &kernel);
    if (error)
        return error;
    Op *op = queue_op(queue);
    LaunchOp *own = (LaunchOp *)(void *)op->data;
    op->run = run_launch;
    own->function = function;
    own->kernel = kernel;
    memcpy(own->grid, launch->grid, sizeof own->grid);
    memcpy(own->block, launch->block, sizeof own->block);
    own->shared = (uint32_t)launch->shared;
    own->max_resident = resident ? (uint32_t)resident : 1;
    own->cooperative = launch->cooperative;
    cluster_of(launch, own->cluster);
    own->explicit_cluster =
        ir->cluster[0] || launch->cluster[0] * launch->cluster[1] * launch->cluster[2] > 1;
    own->big = NULL;
    unsigned char *params = own->params;
    if (ir->param_bytes > sizeof own->params) {
        params = own->big = xcalloc(1, ir->param_bytes);
        op->drop = drop_launch;
    }
    if (launch->params)
        for (uint32_t i = 0; i < ir->param_count; i++)
            memcpy(params + ir->params[i]->offset, launch->params[i], ir->params[i]->size);
    else if (ir->param_bytes)
        memcpy(params, launch->packed, ir->param_bytes);
    queue_post(queue, op);
    return OK;
}

/* --- limits -------------------------------------------------------------------------------- */

static int cpu_limit_get(int limit, size_t *value)
{
    switch (limit) {
    case 0:
        *value = cpu.stack_limit;
        return OK;
    case 1:
        *value = launch_print_fifo();
        return OK;
    case 2:
        *value = launch_malloc_heap();
        return OK;
    case 3:
        *value = 2;
        return OK;
    case 4:
        *value = 2048;
        return OK;
    case 5:
        *value = cpu.l2_fetch;
        return OK;
    case 6:
        *value = cpu.persisting;
        return OK;
    default:
        return 215;
    }
}

static int cpu_limit_set(int limit, size_t value)
{
    switch (limit) {
    case 0:
        if (value > 512 * 1024)
            return INVALID_VALUE;
        cpu.stack_limit = value;
        return OK;
    case 1:
        launch_set_print_fifo(value);
        return OK;
    case 2:
        launch_set_malloc_heap(value);
        return OK;
    case 3:
    case 4:
        return OK;
    case 5:
        cpu.l2_fetch = value;
        return value > 128 ? INVALID_VALUE : OK;
    case 6:
        cpu.persisting = value;
        return OK;
    default:
        return 215;
    }
}

const Device cpu_device = {
    .kind = "cpu",
    .open = cpu_open,
    .count = cpu_count,
    .info = cpu_info,
    .attribute = cpu_attribute,
    .select = cpu_select,
    .reset = cpu_reset,
    .recover = cpu_recover,
    .driver_version = cpu_driver_version,
    .sticky = cpu_sticky,
    .mem_alloc = cpu_mem_alloc,
    .mem_free = cpu_mem_free,
    .mem_register = cpu_mem_register,
    .mem_unregister = cpu_mem_unregister,
    .mem_find = cpu_mem_find,
    .mem_usage = cpu_mem_usage,
    .virtual_memory = &cpu_virtual,
    .ipc = &cpu_ipc,
    .queue_new = cpu_queue_new,
    .queue_free = cpu_queue_free,
    .queue_legacy = queue_legacy,
    .queue_wait = cpu_queue_wait,
    .queue_query = cpu_queue_query,
    .queue_wait_event = cpu_queue_wait_event,
    .queue_call = cpu_queue_call,
    .device_wait = cpu_device_wait,
    .event_new = cpu_event_new,
    .event_free = cpu_event_free,
    .event_record = cpu_event_record,
    .event_query = cpu_event_query,
    .event_wait = cpu_event_wait,
    .event_elapsed = cpu_event_elapsed,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .free_later = cpu_free_later,
    .array_new = cpu_array_new,
    .array_free = cpu_array_free,
    .mipmap_new = cpu_mipmap_new,
    .mipmap_level = cpu_mipmap_level,
    .mipmap_free = cpu_mipmap_free,
    .texture_new = cpu_texture_new,
    .texture_free = cpu_texture_free,
    .module_load = cpu_module_load,
    .module_free = cpu_module_free,
    .module_function = cpu_module_function,
    .module_variable = cpu_module_variable,
    .module_kernel_name = cpu_module_kernel_name,
    .function_info = cpu_function_info,
    .function_set = cpu_function_set,
    .function_param = cpu_function_param,
    .occupancy = cpu_occupancy,
    .clusters = cpu_clusters,
    .launch = cpu_launch,
    .function_prepare = cpu_function_prepare,
    .limit_get = cpu_limit_get,
    .limit_set = cpu_limit_set,
};
