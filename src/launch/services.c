/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels call back: printf with CUDA's rules (a ring that keeps the newest output, written at
 * synchronisation points only), assert, the device heap, faults, clocks. */
#include "launch/worker.h"

#include "base/buf.h"
#include "launch/mbarrier.h"
#include "launch/memory.h"
#include "launch/texture.h"

#include <stdatomic.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- printf -------------------------------------------------------------------------------- */

typedef struct {
    char *text;
    uint32_t bytes;
    uint32_t cost; /* what the record takes in the device's ring */
    bool to_stderr;
} Print;

static struct {
    pthread_mutex_t lock;
    VEC(Print) list; /* items[first..count) are waiting */
    size_t first;
    uint64_t cost;
    uint64_t fifo;
    _Atomic bool any;
} prints = {.lock = PTHREAD_MUTEX_INITIALIZER, .fifo = 1 << 20};

static void print_add(const char *text, size_t bytes, uint32_t cost, bool to_stderr)
{
    service_begin();
    pthread_mutex_lock(&prints.lock);
    while (prints.first < prints.list.count && prints.cost + cost > prints.fifo) {
        Print *oldest = &prints.list.items[prints.first++];
        prints.cost -= oldest->cost;
        free(oldest->text);
        oldest->text = NULL;
    }
    if (prints.first > 4096 && prints.first * 2 > prints.list.count) {
        prints.list.count -= prints.first;
        memmove(prints.list.items, prints.list.items + prints.first,
                prints.list.count * sizeof *prints.list.items);
        prints.first = 0;
    }
    Print print = {xmalloc(bytes ? bytes : 1), (uint32_t)bytes, cost, to_stderr};
    memcpy(print.text, text, bytes);
    VEC_PUSH(prints.list, print);
    prints.cost += cost;
    atomic_store(&prints.any, true);
    pthread_mutex_unlock(&prints.lock);
    service_end();
}

static void prints_take(bool write)
{
    if (!atomic_load_explicit(&prints.any, memory_order_relaxed))
        return;
    pthread_mutex_lock(&prints.lock);
    bool wrote = false;
    for (size_t i = prints.first; i < prints.list.count; i++) {
        Print *print = &prints.list.items[i];
        if (write) {
            FILE *out = print->to_stderr ? stderr : stdout;
            fwrite(print->text, 1, print->bytes, out);
            wrote |= !print->to_stderr;
        }
        free(print->text);
    }
    prints.list.count = prints.first = 0;
    prints.cost = 0;
    atomic_store(&prints.any, false);
    if (wrote)
        fflush(stdout);
    pthread_mutex_unlock(&prints.lock);
}

void launch_flush_prints(void)
{
    prints_take(true);
}

void launch_discard_prints(void)
{
    prints_take(false);
}

bool launch_has_prints(void)
{
    return atomic_load(&prints.any);
}

void launch_set_print_fifo(size_t bytes)
{
    prints.fifo = bytes;
}

size_t launch_print_fifo(void)
{
    return prints.fifo;
}

/* Reads one argument of the given size from the packed list; each lies at its natural alignment. */
static uint64_t take_argument(const uint8_t *base, uint64_t *at, unsigned bytes)
{
    *at = (*at + bytes - 1) & ~(uint64_t)(bytes - 1);
    uint64_t value = 0;
    memcpy(&value, base + *at, bytes);
    *at += bytes;
    return value;
}

/* One conversion, spec pointing behind the '%'. Appends to out, moves *at, counts arguments.
 * Returns the first character behind the conversion. */
static const char *convert(const char *spec, const uint8_t *args, uint64_t *at, Buf *out,
                           int *count)
{
    char format[64] = "%";
    size_t used = 1;
    const char *start = spec - 1;
    int stars = 0, star[2] = {0, 0};
    int longs = 0, shorts = 0;
    for (;; spec++) {
        char c = *spec;
        if (!c || used > sizeof format - 8) {
            buf_add(out, start, (size_t)(spec - start));
            return spec;
        }
        if (c == '*' && stars < 2) {
            star[stars++] = (int)take_argument(args, at, 4);
            ++*count;
            format[used++] = c;
        } else if (strchr("-+ #0123456789.", c)) {
            format[used++] = c;
        } else if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
            longs += c == 'l' ? 1 : 2;
        } else if (c == 'L') {
            longs = 2;
        } else if (c == 'h') {
            shorts++;
        } else {
            break;
        }
    }
    char kind = *spec++;
    char *text = NULL;
    format[used] = 0;
#define SHOW(value)                                                                                \
    (stars == 2   ? (text = xasprintf(format, star[0], star[1], value))                            \
     : stars == 1 ? (text = xasprintf(format, star[0], value))                                     \
                  : (text = xasprintf(format, value)))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    switch (kind) {
    case 'd':
    case 'i': {
        long long value;
        if (longs)
            value = (long long)take_argument(args, at, 8);
        else
            value = (int32_t)take_argument(args, at, 4);
        value = shorts == 1 ? (short)value : shorts > 1 ? (signed char)value : value;
        strcpy(format + used, kind == 'd' ? "lld" : "lli");
        SHOW(value);
        break;
    }
    case 'o':
    case 'u':
    case 'x':
    case 'X': {
        unsigned long long value = take_argument(args, at, longs ? 8 : 4);
        value = shorts == 1 ? (unsigned short)value : shorts > 1 ? (unsigned char)value : value;
        format[used++] = 'l';
        format[used++] = 'l';
        format[used++] = kind;
        format[used] = 0;
        SHOW(value);
        break;
    }
    case 'c': {
        int value = (int)take_argument(args, at, 4);
        strcpy(format + used, "c");
        SHOW(value);
        if (!(value & 0xff)) { /* asprintf's length is lost: the NUL is written out by hand */
            buf_putc(out, 0);
            free(text);
            ++*count;
            return spec;
        }
        break;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
        uint64_t bits = take_argument(args, at, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        format[used++] = kind;
        format[used] = 0;
        SHOW(value);
        break;
    }
    case 'p': {
        void *value = (void *)(uintptr_t)take_argument(args, at, 8);
        strcpy(format + used, "p");
        SHOW(value);
        break;
    }
    case 's': {
        uint64_t address = take_argument(args, at, 8);
        const char *value = address ? (const char *)(address + GK_DELTA) : "(null)";
        strcpy(format + used, "s");
        SHOW(value);
        break;
    }
    case '%':
        buf_putc(out, '%');
        return spec;
    default: /* not a conversion: CUDA prints it as it stands */
        buf_add(out, start, (size_t)(spec - start));
        return spec;
    }
#pragma GCC diagnostic pop
#undef SHOW
    ++*count;
    buf_puts(out, text);
    free(text);
    return spec;
}

static void service_vprintf(GkBlock *block, uint32_t warp, uint32_t mask, const uint64_t *format,
                            const uint64_t *args, int32_t *result)
{
    (void)block;
    worker_self->warp = warp;
    /* A bad string pointer leaves through a fault: the buffer belongs to the thread. */
    static _Thread_local Buf text;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        worker_self->in_service = SERVICE_DEFER;
        text.count = 0;
        if (!format[lane]) {
            result[lane] = -1;
            service_end();
            continue;
        }
        const char *at = (const char *)(format[lane] + GK_DELTA);
        const uint8_t *list = (const uint8_t *)(args[lane] + GK_DELTA);
        uint64_t offset = 0;
        int count = 0;
        while (*at) {
            size_t plain = strcspn(at, "%");
            buf_add(&text, at, plain);
            at += plain;
            if (*at == '%')
                at = convert(at + 1, list, &offset, &text, &count);
        }
        print_add(text.data ? text.data : "", text.count, (uint32_t)(16 + offset), false);
        result[lane] = count;
    }
}

/* --- errors -------------------------------------------------------------------------------- */

static void service_fault(GkBlock *block, uint32_t warp, uint32_t mask, uint32_t error,
                          uint64_t address, uint32_t line)
{
    LaunchResult result = {
        .error = error, .address = address, .warp = warp, .mask = mask, .line = line};
    unsigned long long at = address;
    switch (error) {
    case LAUNCH_ILLEGAL_ADDRESS:
        snprintf(result.text, sizeof result.text, "read or write of address 0x%llx, %s", at,
                 "where no memory is allocated");
        break;
    case LAUNCH_ILLEGAL_INSTRUCTION:
        snprintf(result.text, sizeof result.text, "illegal instruction");
        break;
    case LAUNCH_MISALIGNED:
        snprintf(result.text, sizeof result.text, "access to misaligned address 0x%llx", at);
        break;
    case LAUNCH_ADDRESS_SPACE:
        snprintf(result.text, sizeof result.text, "address 0x%llx is in the wrong address space",
                 at);
        break;
    case LAUNCH_HARDWARE_STACK:
        snprintf(result.text, sizeof result.text, "the kernel's call stack overflowed");
        break;
    case LAUNCH_FAILURE:
        if (at != GK_TRAP_STACK) {
            snprintf(result.text, sizeof result.text, "the kernel executed a trap");
            break;
        }
        result.error =
            LAUNCH_ILLEGAL_ADDRESS; /* as a GPU has it: what is pushed lands outside local memory */
        result.address = 0;
        snprintf(result.text, sizeof result.text,
                 "the call stack is full; cudaDeviceSetLimit(cudaLimitStackSize, ...) gives more");
        break;
    default:
        snprintf(result.text, sizeof result.text, "the kernel ended with error %u", error);
    }
    service_fail(block, &result);
}

static void service_assertfail(GkBlock *block, uint32_t warp, uint32_t mask,
                               const uint64_t *message, const uint64_t *file, const uint32_t *line,
                               const uint64_t *function)
{
    LaunchResult result = {.error = LAUNCH_ASSERT, .warp = warp, .mask = mask};
    const GkGrid *grid = block->grid;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t thread = warp * GK_WARP + lane;
        char text[1024];
        snprintf(text, sizeof text,
                 "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                 (const char *)(file[lane] + GK_DELTA), line[lane],
                 (const char *)(function[lane] + GK_DELTA), block->ctaid[0], block->ctaid[1],
                 block->ctaid[2], thread % grid->ntid[0], thread / grid->ntid[0] % grid->ntid[1],
                 thread / (grid->ntid[0] * grid->ntid[1]),
                 (const char *)(message[lane] + GK_DELTA));
        print_add(text, strlen(text), 64, true);
        result.line = line[lane];
    }
    snprintf(result.text, sizeof result.text, "a device assertion failed");
    service_fail(block, &result);
}

/* --- the device heap ----------------------------------------------------------------------- */

/* Blocks carry a 16-byte head. Up to 4 KiB they come from classes of 16, 32, 48 ... bytes with a
 * free list each; larger ones from an address-ordered list that joins neighbours. */
enum { HEAP_SMALL = 4096, HEAP_CLASSES = HEAP_SMALL / 16 + 1 };

typedef struct HeapBlock {
    uint64_t bytes; /* without the head */
    uint64_t magic;
} HeapBlock;

typedef struct HeapFree {
    HeapBlock head;
    struct HeapFree *next;
} HeapFree;

static const uint64_t heap_used = 0x67706b6865617075, heap_free = 0x67706b6865617066;

static struct {
    pthread_mutex_t lock;
    uint64_t bytes;
    uint8_t *base; /* engine's side */
    uint8_t *top, *end;
    HeapFree *small[HEAP_CLASSES];
    HeapFree *large;
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER, .bytes = 8 << 20};

void launch_set_malloc_heap(size_t bytes)
{
    pthread_mutex_lock(&heap.lock);
    if (!heap.base)
        heap.bytes = bytes;
    pthread_mutex_unlock(&heap.lock);
}

size_t launch_malloc_heap(void)
{
    return heap.bytes;
}

static void *heap_take_large(uint64_t bytes)
{
    for (HeapFree **link = &heap.large; *link; link = &(*link)->next) {
        HeapFree *block = *link;
        if (block->head.bytes < bytes)
            continue;
        if (block->head.bytes >= bytes + 64) { /* the rest stays free */
            HeapFree *rest = (HeapFree *)((uint8_t *)block + sizeof(HeapBlock) + bytes);
            rest->head = (HeapBlock){block->head.bytes - bytes - sizeof(HeapBlock), heap_free};
            rest->next = block->next;
            *link = rest;
            block->head.bytes = bytes;
        } else {
            *link = block->next;
        }
        return block;
    }
    return NULL;
}

static uint64_t heap_alloc(uint64_t bytes)
{
    if (!bytes || bytes > heap.bytes)
        return 0;
    if (!heap.base) {
        uint64_t address;
        if (mem_alloc(MEM_DEVICE, heap.bytes, 0, MEM_KEPT, &address))
            return 0;
        heap.base = heap.top = (uint8_t *)mem_reach(address);
        heap.end = heap.base + heap.bytes;
    }
    bytes = (bytes + 15) & ~(uint64_t)15;
    HeapBlock *block = NULL;
    if (bytes <= HEAP_SMALL && heap.small[bytes / 16]) {
        block = &heap.small[bytes / 16]->head;
        heap.small[bytes / 16] = heap.small[bytes / 16]->next;
    } else if (bytes > HEAP_SMALL || (uint64_t)(heap.end - heap.top) < bytes + sizeof *block) {
        block = heap_take_large(bytes);
    }
    if (!block) {
        if ((uint64_t)(heap.end - heap.top) < bytes + sizeof *block)
            return 0;
        block = (HeapBlock *)heap.top;
        block->bytes = bytes;
        heap.top += bytes + sizeof *block;
    }
    block->magic = heap_used;
    return (uint64_t)(block + 1) - GK_DELTA;
}

static void heap_release(HeapBlock *block)
{
    HeapFree *free_block = (HeapFree *)block;
    block->magic = heap_free;
    if (block->bytes <= HEAP_SMALL) {
        HeapFree **list = &heap.small[block->bytes / 16];
        free_block->next = *list;
        *list = free_block;
        return;
    }
    HeapFree **link = &heap.large, *before = NULL;
    while (*link && *link < free_block) {
        before = *link;
        link = &(*link)->next;
    }
    free_block->next = *link;
    *link = free_block;
    HeapFree *next = free_block->next;
    if (next && (uint8_t *)(block + 1) + block->bytes == (uint8_t *)next) {
        block->bytes += next->head.bytes + sizeof *block;
        free_block->next = next->next;
    }
    if (before && (uint8_t *)(&before->head + 1) + before->head.bytes == (uint8_t *)block) {
        before->head.bytes += block->bytes + sizeof *block;
        before->next = free_block->next;
    }
}

static void service_malloc(GkBlock *block, uint32_t mask, const uint64_t *bytes, uint64_t *result)
{
    (void)block;
    service_begin();
    pthread_mutex_lock(&heap.lock);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        result[lane] = heap_alloc(bytes[lane]);
    }
    pthread_mutex_unlock(&heap.lock);
    service_end();
}

static void service_free(GkBlock *block, uint32_t mask, const uint64_t *address)
{
    uint64_t bad = 0;
    uint32_t bad_mask = 0;
    service_begin();
    pthread_mutex_lock(&heap.lock);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!address[lane])
            continue;
        uint8_t *at = (uint8_t *)(address[lane] + GK_DELTA);
        HeapBlock *head = (HeapBlock *)(void *)at - 1;
        if (heap.base && at >= heap.base + sizeof *head && at < heap.top &&
            !((at - heap.base) & 15) && head->magic == heap_used) {
            heap_release(head);
        } else if (!bad_mask) {
            bad = address[lane];
            bad_mask = 1u << lane;
        }
    }
    pthread_mutex_unlock(&heap.lock);
    service_end();
    if (bad_mask) {
        LaunchResult result = {.error = LAUNCH_FAILURE, .address = bad, .mask = bad_mask};
        snprintf(result.text, sizeof result.text,
                 "free(0x%llx) in the kernel: malloc did not return that address, or it was freed",
                 (unsigned long long)bad);
        service_fail(block, &result);
    }
}

/* --- clocks -------------------------------------------------------------------------------- */

static uint64_t service_globaltimer(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void service_nanosleep(uint32_t nanoseconds)
{
    if (nanoseconds > 1000000)
        nanoseconds = 1000000; /* the most the instruction waits */
    if (nanoseconds >= 20000)
        nanosleep(&(struct timespec){0, (long)nanoseconds}, NULL);
}

/* --- observers ------------------------------------------------------------------------------ */

static _Atomic uint64_t operations[2];

static void service_event(GkBlock *block, uint32_t warp, uint32_t mask, uint32_t event,
                          uint64_t value, uint32_t site)
{
    (void)block, (void)warp, (void)site;
    uint64_t lanes = (uint64_t)__builtin_popcount(mask);
    if (event != GK_EVENT_OPERATIONS)
        return;
    if ((uint32_t)value)
        atomic_fetch_add_explicit(&operations[0], lanes * (uint32_t)value, memory_order_relaxed);
    if (value >> 32)
        atomic_fetch_add_explicit(&operations[1], lanes * (value >> 32), memory_order_relaxed);
}

void launch_operations(uint64_t *f32, uint64_t *f64)
{
    *f32 = atomic_load(&operations[0]);
    *f64 = atomic_load(&operations[1]);
}

/* --- dynamic parallelism ---------------------------------------------------------------------- */

static void service_child_buffer(GkBlock *block, uint32_t mask, const uint64_t *function,
                                 const uint32_t *shape, uint64_t *result)
{
    Job *job = block->grid->launch;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        worker_self->in_service = SERVICE_DEFER;
        LaunchChild *child = calloc(1, sizeof *child);
        result[lane] = 0;
        if (child) {
            child->function = function[lane];
            for (unsigned c = 0; c < 3; ++c) {
                child->grid[c] = shape[c * GK_WARP + lane];
                child->block[c] = shape[(3 + c) * GK_WARP + lane];
            }
            child->shared = shape[6 * GK_WARP + lane];
            child->next = atomic_load(&job->buffers);
            while (!atomic_compare_exchange_weak(&job->buffers, &child->next, child))
                ;
            result[lane] = (uint64_t)(uintptr_t)child->params - GK_DELTA;
        }
        service_end();
    }
}

static void service_child_launch(GkBlock *block, uint32_t mask, const uint64_t *buffer,
                                 const uint64_t *stream, uint32_t *result)
{
    Job *job = block->grid->launch;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        LaunchChild *child = atomic_load(&job->buffers);
        while (child && (uint64_t)(uintptr_t)child->params - GK_DELTA != buffer[lane])
            child = child->next;
        result[lane] = 1; /* cudaErrorInvalidValue: not a buffer of this grid */
        if (!child || child->launched)
            continue;
        child->launched = true;
        child->stream = stream[lane];
        child->after = atomic_load(&job->launched);
        while (!atomic_compare_exchange_weak(&job->launched, &child->after, child))
            ;
        result[lane] = 0;
    }
}

const GkServices gk_services = {
    .child_buffer = service_child_buffer,
    .child_launch = service_child_launch,
    .event_hook = service_event,
    .fault = service_fault,
    .vprintf = service_vprintf,
    .assertfail = service_assertfail,
    .malloc = service_malloc,
    .free = service_free,
    .globaltimer = service_globaltimer,
    .nanosleep = service_nanosleep,
    .texture = texture_access,
    .mbarrier = mbarrier_access,
    .bulk = bulk_access,
};
