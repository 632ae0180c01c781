/* SPDX-License-Identifier: Apache-2.0
 *
 * The window: [base, base + size) is what programs see, [base + GK_DELTA, ...) is where the engine
 * reaches the same bytes. It is cut into 2 MiB pages, as on a GPU: allocations over 1 MiB own whole
 * pages, with an unmapped page behind them where there is room, so that strays fault; smaller ones
 * share a page in units of 512 bytes. Device memory is anonymous and mapped only on the engine's
 * side; managed and pinned memory comes from one sparse memory file, mapped on both sides.
 *
 * A range of addresses (mem_range_new) owns whole pages, too, and maps memory files of their own. Pages that
 * other processes may open (mem_give) are moved into a memory file first.
 *
 * Not here: pools, arrays, peer access (the runtime builds them on this). */
#include "launch/memory.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE_SHIFT = 21, UNIT_SHIFT = 9, UNITS = 1 << (PAGE_SHIFT - UNIT_SHIFT) };
#define PAGE_BYTES ((uint64_t)1 << PAGE_SHIFT)
#define UNIT_BYTES ((uint64_t)1 << UNIT_SHIFT)
#define GIB        ((uint64_t)1 << 30)

typedef struct {
    MemInfo info;
    uint64_t pages; /* 0: lies in a chunk */
    uint32_t units;
    uint32_t opened;       /* how often; 0: this process's own memory */
    int given;             /* 0, or the file that tickets name */
    HandoverTicket ticket; /* of what is opened */
} Allocation;

/* Pages in a file that other processes may open. */
typedef struct {
    uint64_t first, count;
    HandoverTicket ticket;
} Given;

/* A page shared by small allocations. */
typedef struct {
    bool shared; /* host side mapped too */
    uint32_t free_units;
    uint32_t cursor;
    uint32_t live;
    Allocation *unit[UNITS];
} Chunk;

typedef struct {
    Allocation *allocation; /* owns the page whole */
    Chunk *chunk;
    uint32_t physical; /* handle of what a range has mapped here */
    uint8_t access;    /* of it */
} Page;

/* Memory that ranges map. file: -1 when free again. */
typedef struct {
    uint64_t bytes;
    int file, device;
    unsigned handles, pages;
} Physical;

typedef struct {
    uint64_t device, host; /* first byte, as kernels and as the host see it */
    uint64_t map_device, map_host, map_bytes;
    MemInfo info;
    bool in_window; /* device side lies in window pages */
} Registered;

static struct {
    pthread_mutex_t lock;
    _Atomic uint64_t base;
    uint64_t bytes;
    uint64_t pages;
    Page *page;
    uint64_t hint; /* no free page below */
    uint64_t used, limit, next_id;
    int file;
    VEC(Chunk *) chunks;
    uint64_t *chunk_page; /* page number of chunks.items[i] */
    size_t chunk_page_room;
    VEC(Registered) registered;
    VEC(Physical) physical;
    VEC(Given) given;
    VEC(Allocation *) opened;
} window = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

uint64_t mem_host_bytes(void)
{
    uint64_t total = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "re");
    if (file) {
        unsigned long long limit;
        if (fscanf(file, "%llu", &limit) == 1 && limit < total)
            total = limit;
        fclose(file);
    }
    return total;
}

bool mem_in_window(uint64_t address)
{
    return address - atomic_load_explicit(&window.base, memory_order_relaxed) < window.bytes;
}

static bool reserve(uint64_t base, uint64_t bytes)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *low = mmap((void *)base, bytes, PROT_NONE, flags, -1, 0);
    if (low == MAP_FAILED)
        return false;
    if (low == (void *)base) {
        void *high = mmap((void *)(base + GK_DELTA), bytes, PROT_NONE, flags, -1, 0);
        if (high == (void *)(base + GK_DELTA))
            return true;
        if (high != MAP_FAILED)
            munmap(high, bytes);
    }
    munmap(low, bytes);
    return false;
}

int mem_init(uint64_t limit)
{
#ifdef __SANITIZE_THREAD__ /* what its shadow leaves free */
    static const uint64_t bases[] = {0x1000000000}, sizes[] = {64 * GIB, GIB};
#else
    static const uint64_t bases[] = {0x200000000000, 0x300000000000, 0x100000000000,
                                     0x280000000000, 0x400000000000, 0x500000000000};
    static const uint64_t sizes[] = {192 * GIB, 64 * GIB, 16 * GIB, 4 * GIB, GIB};
#endif
    int result = 0;
    pthread_mutex_lock(&window.lock);
    if (!window.pages) {
        uint64_t base = 0, bytes = 0;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes && !base; s++)
            for (size_t b = 0; b < sizeof bases / sizeof *bases && !base; b++)
                if (reserve(bases[b], sizes[s])) {
                    base = bases[b];
                    bytes = sizes[s];
                }
        if (base) {
            window.pages = bytes >> PAGE_SHIFT;
            window.page = xcalloc(window.pages, sizeof *window.page);
            window.bytes = bytes;
            atomic_store(&window.base, base);
        } else {
            result = -ENOMEM;
        }
    }
    window.limit = limit;
    pthread_mutex_unlock(&window.lock);
    return result;
}

static uint64_t page_address(uint64_t page)
{
    return window.base + (page << PAGE_SHIFT);
}

static int window_file(void)
{
    if (window.file < 0) {
        int file = memfd_create("gpukit", MFD_CLOEXEC);
        if (file < 0)
            return -errno;
        if (ftruncate(file, (off_t)window.bytes) < 0) {
            int error = -errno;
            close(file);
            return error;
        }
        window.file = file;
    }
    return 0;
}

/* Makes pages usable: both sides when shared, else only the engine's. */
static int pages_map(uint64_t first, uint64_t count, bool shared)
{
    uint64_t address = page_address(first), bytes = count << PAGE_SHIFT;
    void *alias = (void *)(address + GK_DELTA);
    if (!shared) {
        if (mmap(alias, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
            return -ENOMEM;
    } else {
        int error = window_file();
        if (error)
            return error;
        off_t at = (off_t)(first << PAGE_SHIFT);
        if (mmap(alias, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, window.file, at) ==
                MAP_FAILED ||
            mmap((void *)address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 window.file, at) == MAP_FAILED)
            return -ENOMEM;
        madvise((void *)address, bytes, MADV_HUGEPAGE);
    }
    if (count > 1)
        madvise(alias, bytes, MADV_HUGEPAGE);
    return 0;
}

static void pages_unmap(uint64_t first, uint64_t count, bool shared)
{
    for (size_t i = 0; i < window.given.count; i++)
        if (window.given.items[i].first == first) {
            close(window.given.items[i].ticket.file);
            window.given.items[i] = window.given.items[--window.given.count];
            break;
        }
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    uint64_t address = page_address(first), bytes = count << PAGE_SHIFT;
    mmap((void *)(address + GK_DELTA), bytes, PROT_NONE, flags, -1, 0);
    if (shared) {
        mmap((void *)address, bytes, PROT_NONE, flags, -1, 0);
        fallocate(window.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)(first << PAGE_SHIFT), (off_t)bytes);
    }
}

/* First free run; one page more is asked for first, to leave a gap. UINT64_MAX when there is none.
 */
static uint64_t pages_find(uint64_t count)
{
    while (window.hint < window.pages &&
           (window.page[window.hint].allocation || window.page[window.hint].chunk))
        window.hint++;
    for (int gap = 1; gap >= 0; gap--) {
        uint64_t run = 0;
        for (uint64_t p = window.hint; p < window.pages; p++) {
            bool taken = window.page[p].allocation || window.page[p].chunk;
            run = taken ? 0 : run + 1;
            if (run == count + (uint64_t)gap)
                return p + 1 - run;
        }
    }
    return UINT64_MAX;
}

static bool is_shared(MemKind kind)
{
    return kind != MEM_DEVICE;
}

static Allocation *allocation_new(MemKind kind, uint64_t address, uint64_t bytes, int device,
                                  unsigned flags)
{
    Allocation *allocation = xcalloc(1, sizeof *allocation);
    allocation->info = (MemInfo){.address = address,
                                 .bytes = bytes,
                                 .host = is_shared(kind) ? (void *)address : NULL,
                                 .kind = kind,
                                 .device = device,
                                 .flags = flags,
                                 .id = ++window.next_id};
    return allocation;
}

static Allocation *alloc_pages(MemKind kind, uint64_t bytes, int device, unsigned flags, int *error)
{
    uint64_t count = (bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
    uint64_t first = pages_find(count);
    if (first == UINT64_MAX) {
        *error = -ENOMEM;
        return NULL;
    }
    *error = pages_map(first, count, is_shared(kind));
    if (*error) {
        pages_unmap(first, count, is_shared(kind));
        return NULL;
    }
    Allocation *allocation = allocation_new(kind, page_address(first), bytes, device, flags);
    allocation->pages = count;
    for (uint64_t p = 0; p < count; p++)
        window.page[first + p].allocation = allocation;
    return allocation;
}

/* First unit of a free run in the chunk, or UNITS. */
static uint32_t chunk_find(const Chunk *chunk, uint32_t units)
{
    for (int pass = 0; pass < 2; pass++) {
        uint32_t run = 0;
        for (uint32_t u = pass ? 0 : chunk->cursor; u < UNITS; u++) {
            run = chunk->unit[u] ? 0 : run + 1;
            if (run == units)
                return u + 1 - run;
        }
    }
    return UNITS;
}

static Chunk *chunk_new(bool shared, int *error)
{
    uint64_t page = pages_find(1);
    if (page == UINT64_MAX) {
        *error = -ENOMEM;
        return NULL;
    }
    *error = pages_map(page, 1, shared);
    if (*error) {
        pages_unmap(page, 1, shared);
        return NULL;
    }
    Chunk *chunk = xcalloc(1, sizeof *chunk);
    chunk->shared = shared;
    chunk->free_units = UNITS;
    window.page[page].chunk = chunk;
    VEC_PUSH(window.chunks, chunk);
    if (window.chunk_page_room < window.chunks.room) {
        window.chunk_page_room = window.chunks.room;
        window.chunk_page =
            xrealloc(window.chunk_page, window.chunk_page_room * sizeof *window.chunk_page);
    }
    window.chunk_page[window.chunks.count - 1] = page;
    return chunk;
}

static Allocation *alloc_units(MemKind kind, uint64_t bytes, int device, unsigned flags, int *error)
{
    uint32_t units = (uint32_t)((bytes + UNIT_BYTES - 1) >> UNIT_SHIFT);
    Chunk *chunk = NULL;
    uint32_t first = UNITS;
    size_t at = window.chunks.count;
    while (at > 0 && first == UNITS) {
        chunk = window.chunks.items[--at];
        if (chunk->shared == is_shared(kind) && chunk->free_units >= units)
            first = chunk_find(chunk, units);
    }
    if (first == UNITS) {
        chunk = chunk_new(is_shared(kind), error);
        if (!chunk)
            return NULL;
        at = window.chunks.count - 1;
        first = 0;
    }
    uint64_t address = page_address(window.chunk_page[at]) + ((uint64_t)first << UNIT_SHIFT);
    Allocation *allocation = allocation_new(kind, address, bytes, device, flags);
    allocation->units = units;
    for (uint32_t u = first; u < first + units; u++)
        chunk->unit[u] = allocation;
    chunk->free_units -= units;
    chunk->cursor = first + units;
    chunk->live++;
    return allocation;
}

int mem_alloc(MemKind kind, uint64_t bytes, int device, unsigned flags, uint64_t *address)
{
    if (!bytes)
        return -EINVAL;
    if (bytes > window.bytes)
        return -ENOMEM;
    int error = 0;
    Allocation *allocation = NULL;
    pthread_mutex_lock(&window.lock);
    if (kind == MEM_DEVICE && (bytes > window.limit || window.used > window.limit - bytes))
        error = -ENOMEM;
    else if (bytes > PAGE_BYTES / 2)
        allocation = alloc_pages(kind, bytes, device, flags, &error);
    else
        allocation = alloc_units(kind, bytes, device, flags, &error);
    if (allocation) {
        if (kind == MEM_DEVICE)
            window.used += bytes;
        *address = allocation->info.address;
    }
    pthread_mutex_unlock(&window.lock);
    return error;
}

/* The allocation whose bytes (or padding) hold a window address. Lock held. */
static Allocation *allocation_at(uint64_t address)
{
    if (!mem_in_window(address))
        return NULL;
    uint64_t offset = address - window.base;
    const Page *page = &window.page[offset >> PAGE_SHIFT];
    if (page->allocation)
        return page->allocation;
    return page->chunk ? page->chunk->unit[(offset & (PAGE_BYTES - 1)) >> UNIT_SHIFT] : NULL;
}

static void free_units(Allocation *allocation)
{
    uint64_t offset = allocation->info.address - window.base;
    uint64_t page = offset >> PAGE_SHIFT;
    Chunk *chunk = window.page[page].chunk;
    uint32_t first = (uint32_t)((offset & (PAGE_BYTES - 1)) >> UNIT_SHIFT);
    for (uint32_t u = first; u < first + allocation->units; u++)
        chunk->unit[u] = NULL;
    chunk->free_units += allocation->units;
    chunk->cursor = first < chunk->cursor ? first : chunk->cursor;
    /* The last chunk stays, so that one allocation made and freed in a loop costs no system call.
     */
    if (--chunk->live || window.chunks.count == 1)
        return;
    pages_unmap(page, 1, chunk->shared);
    window.page[page].chunk = NULL;
    window.hint = page < window.hint ? page : window.hint;
    for (size_t i = 0; i < window.chunks.count; i++) {
        if (window.chunks.items[i] == chunk) {
            window.chunks.count--;
            window.chunks.items[i] = window.chunks.items[window.chunks.count];
            window.chunk_page[i] = window.chunk_page[window.chunks.count];
            break;
        }
    }
    free(chunk);
}

static void free_locked(Allocation *allocation)
{
    if (allocation->info.kind == MEM_DEVICE && !allocation->opened)
        window.used -= allocation->info.bytes;
    if (allocation->pages) {
        uint64_t first = (allocation->info.address - window.base) >> PAGE_SHIFT;
        pages_unmap(first, allocation->pages, is_shared(allocation->info.kind));
        for (uint64_t p = 0; p < allocation->pages; p++)
            window.page[first + p].allocation = NULL;
        window.hint = first < window.hint ? first : window.hint;
    } else {
        free_units(allocation);
    }
    if (allocation->given)
        close(allocation->given);
    for (size_t i = 0; allocation->opened && i < window.opened.count; i++)
        if (window.opened.items[i] == allocation) {
            window.opened.items[i] = window.opened.items[--window.opened.count];
            break;
        }
    free(allocation);
}

int mem_free(uint64_t address, unsigned kinds)
{
    pthread_mutex_lock(&window.lock);
    Allocation *allocation = allocation_at(address);
    bool found = allocation && allocation->info.address == address && !allocation->opened &&
                 (kinds & 1u << allocation->info.kind);
    if (found)
        free_locked(allocation);
    pthread_mutex_unlock(&window.lock);
    return found ? 0 : -EINVAL;
}

void mem_free_all(void)
{
    pthread_mutex_lock(&window.lock);
    for (uint64_t p = 0; p < window.bytes >> PAGE_SHIFT; p++) {
        Allocation *whole = window.page[p].allocation;
        if (whole && !(whole->info.flags & MEM_KEPT) && whole->info.kind != MEM_RANGE)
            free_locked(whole);
        for (uint32_t u = 0; u < UNITS && window.page[p].chunk; u++) {
            Allocation *small = window.page[p].chunk->unit[u];
            if (small && !(small->info.flags & MEM_KEPT))
                free_locked(small);
        }
    }
    pthread_mutex_unlock(&window.lock);
}

/* Registered range that holds the address of either side. Lock held. */
static Registered *registered_at(uint64_t address)
{
    for (size_t i = 0; i < window.registered.count; i++) {
        Registered *r = &window.registered.items[i];
        if (address - r->device < r->info.bytes || address - r->host < r->info.bytes)
            return r;
    }
    return NULL;
}

/* The mapped and accessible pages of a range around an address, as one piece. Lock held. */
static bool usable_run(const Allocation *range, uint64_t address, MemInfo *out)
{
    uint64_t first = (range->info.address - window.base) >> PAGE_SHIFT, end = first + range->pages;
    uint64_t from = (address - window.base) >> PAGE_SHIFT, to = from;
    if (!window.page[from].access)
        return false;
    while (from > first && window.page[from - 1].access)
        from--;
    while (to < end && window.page[to].access)
        to++;
    *out = range->info;
    out->kind = MEM_DEVICE;
    out->device = window.physical.items[window.page[from].physical - 1].device;
    out->address = page_address(from);
    out->bytes = (to - from) << PAGE_SHIFT;
    return true;
}

bool mem_find(uint64_t address, MemInfo *out)
{
    bool found = false;
    pthread_mutex_lock(&window.lock);
    const Registered *r = window.registered.count ? registered_at(address) : NULL;
    const Allocation *allocation = r ? NULL : allocation_at(address);
    if (r) {
        *out = r->info;
        found = true;
    } else if (allocation && allocation->info.kind == MEM_RANGE) {
        found = usable_run(allocation, address, out);
    } else if (allocation && address - allocation->info.address < allocation->info.bytes) {
        *out = allocation->info;
        found = true;
    }
    pthread_mutex_unlock(&window.lock);
    return found;
}

bool mem_covers(uint64_t address, uint64_t bytes)
{
    MemInfo info;
    if (!mem_find(address, &info))
        return false;
    uint64_t start = address - info.address < info.bytes ? info.address : (uint64_t)info.host;
    return bytes <= info.bytes - (address - start);
}

void mem_usage(uint64_t *used, uint64_t *limit)
{
    pthread_mutex_lock(&window.lock);
    *used = window.used;
    *limit = window.limit;
    pthread_mutex_unlock(&window.lock);
}

/* --- memory of several processes ------------------------------------------------------------- */

enum { HANDOVER_MEMORY = 1 };

static bool whole_pages(uint64_t address, uint64_t bytes)
{
    return bytes && !((address | bytes) & (PAGE_BYTES - 1));
}

/* Copies pages of the engine's side into the file and maps the file over them. */
static int pages_move(uint64_t first, uint64_t count, int file)
{
    void *alias = (void *)(page_address(first) + GK_DELTA);
    uint64_t bytes = count << PAGE_SHIFT;
    void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (copy == MAP_FAILED)
        return -ENOMEM;
    const uint64_t *from = alias;
    uint64_t *to = copy;
    for (uint64_t i = 0; i < bytes / sizeof *from; i++)
        if (from[i]) /* pages that nobody wrote stay unmade */
            to[i] = from[i];
    munmap(copy, bytes);
    return mmap(alias, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED
               ? -ENOMEM
               : 0;
}

/* The file of these pages; lock held. */
static int pages_give(uint64_t first, uint64_t count, HandoverTicket *ticket)
{
    for (size_t i = 0; i < window.given.count; i++)
        if (window.given.items[i].first == first) {
            *ticket = window.given.items[i].ticket;
            return 0;
        }
    int file = handover_new(HANDOVER_MEMORY, count << PAGE_SHIFT, ticket);
    if (file < 0)
        return -ENOMEM;
    if (pages_move(first, count, file)) {
        close(file);
        return -ENOMEM;
    }
    const Given new = {first, count, *ticket};
    VEC_PUSH(window.given, new);
    return 0;
}

int mem_give(uint64_t address, HandoverTicket *ticket)
{
    int error = -EINVAL;
    pthread_mutex_lock(&window.lock);
    Allocation *a = allocation_at(address);
    if (a && a->info.kind == MEM_DEVICE && !a->opened && !(a->info.flags & MEM_KEPT)) {
        address = a->info.address; /* also for an address inside, as an H200 does */
        uint64_t first = (address - window.base) >> PAGE_SHIFT;
        error = pages_give(first, a->pages ? a->pages : 1, ticket);
        /* a number of its own, so that no ticket outlives the memory where small ones share a page */
        if (!error && !a->given && (a->given = fcntl(ticket->file, F_DUPFD_CLOEXEC, 3)) < 0) {
            a->given = 0;
            error = -ENOMEM;
        }
        ticket->file = a->given;
        ticket->start = address - page_address(first);
        ticket->bytes = a->info.bytes;
    }
    pthread_mutex_unlock(&window.lock);
    return error;
}

/* What is open by the ticket already; lock held. */
static Allocation *opened_by(const HandoverTicket *ticket)
{
    for (size_t i = 0; i < window.opened.count; i++)
        if (!memcmp(&window.opened.items[i]->ticket, ticket, sizeof *ticket))
            return window.opened.items[i];
    return NULL;
}

int mem_open(const HandoverTicket *ticket, int device, uint64_t *address)
{
    int file = handover_open(ticket, HANDOVER_MEMORY);
    if (file < 0)
        return file;
    uint64_t count = ticket->room >> PAGE_SHIFT;
    int error =
        whole_pages(0, ticket->room) && ticket->bytes && ticket->start < PAGE_BYTES ? 0 : -EINVAL;
    pthread_mutex_lock(&window.lock);
    Allocation *a = error ? NULL : opened_by(ticket);
    if (!a && !error) {
        uint64_t first = ticket->room > window.bytes ? UINT64_MAX : pages_find(count);
        if (first == UINT64_MAX ||
            mmap((void *)(page_address(first) + GK_DELTA), ticket->room, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
            error = -ENOMEM;
        } else {
            a = allocation_new(MEM_DEVICE, page_address(first) + ticket->start, ticket->bytes,
                               device, 0);
            a->pages = count;
            a->ticket = *ticket;
            for (uint64_t p = first; p < first + count; p++)
                window.page[p].allocation = a;
            VEC_PUSH(window.opened, a);
        }
    }
    if (a) {
        a->opened++;
        *address = a->info.address;
    }
    pthread_mutex_unlock(&window.lock);
    close(file);
    return error;
}

int mem_close(uint64_t address)
{
    pthread_mutex_lock(&window.lock);
    Allocation *a = allocation_at(address);
    bool found = a && a->info.address == address && a->opened;
    if (found && a->opened > 1)
        a->opened--;
    else if (found)
        free_locked(a);
    pthread_mutex_unlock(&window.lock);
    return found ? 0 : -EINVAL;
}

/* --- addresses and memory apart ------------------------------------------------------------- */

int mem_range_new(uint64_t bytes, uint64_t alignment, uint64_t *address)
{
    alignment = alignment > PAGE_BYTES ? alignment : PAGE_BYTES;
    if (!whole_pages(0, bytes) || (alignment & (alignment - 1)))
        return -EINVAL;
    if (bytes > window.bytes || alignment > window.bytes)
        return -ENOMEM;
    uint64_t count = bytes >> PAGE_SHIFT, step = alignment >> PAGE_SHIFT;
    pthread_mutex_lock(&window.lock);
    uint64_t first = pages_find(count + step - 1);
    if (first != UINT64_MAX) {
        *address = (page_address(first) + alignment - 1) & ~(alignment - 1);
        first = (*address - window.base) >> PAGE_SHIFT;
        Allocation *range = allocation_new(MEM_RANGE, *address, bytes, 0, 0);
        range->info.host = NULL;
        range->pages = count;
        for (uint64_t p = 0; p < count; p++)
            window.page[first + p].allocation = range;
    }
    pthread_mutex_unlock(&window.lock);
    return first == UINT64_MAX ? -ENOMEM : 0;
}

/* The pages [*first, *end) of bytes within one range; NULL when they are not. Lock held. */
static Allocation *range_pages(uint64_t address, uint64_t bytes, uint64_t *first, uint64_t *end)
{
    Allocation *range = whole_pages(address, bytes) ? allocation_at(address) : NULL;
    if (!range || range->info.kind != MEM_RANGE ||
        bytes > range->info.bytes - (address - range->info.address))
        return NULL;
    *first = (address - window.base) >> PAGE_SHIFT;
    *end = *first + (bytes >> PAGE_SHIFT);
    return range;
}

int mem_range_free(uint64_t address, uint64_t bytes)
{
    uint64_t first = 0, end = 0;
    int error = 0;
    pthread_mutex_lock(&window.lock);
    Allocation *range = range_pages(address, bytes, &first, &end);
    if (!range || range->info.address != address || range->info.bytes != bytes)
        error = -EINVAL;
    for (uint64_t p = first; !error && p < end; p++)
        if (window.page[p].physical)
            error = -EBUSY;
    if (!error) {
        for (uint64_t p = first; p < end; p++)
            window.page[p].allocation = NULL;
        window.hint = first < window.hint ? first : window.hint;
        free(range);
    }
    pthread_mutex_unlock(&window.lock);
    return error;
}

static Physical *physical_of(uint64_t handle)
{
    bool known = handle && handle <= window.physical.count;
    Physical *p = known ? &window.physical.items[handle - 1] : NULL;
    return p && p->handles ? p : NULL;
}

/* Takes the file. Lock held. */
static int physical_add(int file, uint64_t bytes, int device, uint64_t *handle)
{
    if (bytes > window.limit || window.used > window.limit - bytes) {
        close(file);
        return -ENOMEM;
    }
    size_t at = 0;
    while (at < window.physical.count && window.physical.items[at].file >= 0)
        at++;
    const Physical new = {.bytes = bytes, .file = file, .device = device, .handles = 1};
    if (at == window.physical.count)
        VEC_PUSH(window.physical, new);
    else
        window.physical.items[at] = new;
    window.used += bytes;
    *handle = at + 1;
    return 0;
}

/* Lock held. */
static void physical_drop(Physical *p)
{
    if (p->handles || p->pages)
        return;
    close(p->file);
    p->file = -1;
    window.used -= p->bytes;
}

int mem_physical_new(uint64_t bytes, int device, uint64_t *handle)
{
    if (!whole_pages(0, bytes))
        return -EINVAL;
    int file = memfd_create("gpukit", MFD_CLOEXEC);
    if (file < 0 || bytes > INT64_MAX || ftruncate(file, (off_t)bytes) < 0) {
        if (file >= 0)
            close(file);
        return -ENOMEM;
    }
    pthread_mutex_lock(&window.lock);
    int error = physical_add(file, bytes, device, handle);
    pthread_mutex_unlock(&window.lock);
    return error;
}

int mem_physical_import(int file, int device, uint64_t *handle)
{
    off_t bytes = lseek(file, 0, SEEK_END);
    if (bytes <= 0 || !whole_pages(0, (uint64_t)bytes))
        return -EINVAL;
    int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return -ENOMEM;
    pthread_mutex_lock(&window.lock);
    int error = physical_add(own, (uint64_t)bytes, device, handle);
    pthread_mutex_unlock(&window.lock);
    return error;
}

int mem_physical_file(uint64_t handle)
{
    pthread_mutex_lock(&window.lock);
    const Physical *p = physical_of(handle);
    int file = p ? fcntl(p->file, F_DUPFD_CLOEXEC, 0) : -EINVAL;
    pthread_mutex_unlock(&window.lock);
    return file == -1 ? -ENOMEM : file;
}

int mem_physical_at(uint64_t address, uint64_t *handle)
{
    pthread_mutex_lock(&window.lock);
    const Allocation *range = allocation_at(address);
    uint32_t found = range && range->info.kind == MEM_RANGE
                         ? window.page[(address - window.base) >> PAGE_SHIFT].physical
                         : 0;
    if (found)
        window.physical.items[found - 1].handles++;
    pthread_mutex_unlock(&window.lock);
    *handle = found;
    return found ? 0 : -EINVAL;
}

int mem_physical_release(uint64_t handle)
{
    pthread_mutex_lock(&window.lock);
    Physical *p = physical_of(handle);
    if (p) {
        p->handles--;
        physical_drop(p);
    }
    pthread_mutex_unlock(&window.lock);
    return p ? 0 : -EINVAL;
}

int mem_physical_device(uint64_t handle, int *device)
{
    pthread_mutex_lock(&window.lock);
    const Physical *p = physical_of(handle);
    if (p)
        *device = p->device;
    pthread_mutex_unlock(&window.lock);
    return p ? 0 : -EINVAL;
}

int mem_map(uint64_t address, uint64_t bytes, uint64_t offset, uint64_t handle)
{
    uint64_t first = 0, end = 0;
    int error = 0;
    pthread_mutex_lock(&window.lock);
    Physical *physical = physical_of(handle);
    if (!physical || !range_pages(address, bytes, &first, &end) || (offset & (PAGE_BYTES - 1)) ||
        offset > physical->bytes || bytes > physical->bytes - offset)
        error = -EINVAL;
    for (uint64_t p = first; !error && p < end; p++)
        if (window.page[p].physical)
            error = -EINVAL;
    if (!error && mmap((void *)(address + GK_DELTA), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
                       physical->file, (off_t)offset) == MAP_FAILED)
        error = -ENOMEM;
    for (uint64_t p = first; !error && p < end; p++) {
        window.page[p].physical = (uint32_t)handle;
        physical->pages++;
    }
    pthread_mutex_unlock(&window.lock);
    return error;
}

/* The pages of a range, each of which has memory behind it. Caller holds the lock. */
static bool mapped_pages(uint64_t address, uint64_t bytes, uint64_t *first, uint64_t *end)
{
    bool all = range_pages(address, bytes, first, end);
    for (uint64_t p = *first; all && p < *end; p++)
        all = window.page[p].physical != 0;
    return all;
}

int mem_unmap(uint64_t address, uint64_t bytes)
{
    uint64_t first = 0, end = 0;
    int error = 0;
    pthread_mutex_lock(&window.lock);
    if (!mapped_pages(address, bytes, &first, &end))
        error = -EINVAL;
    if (!error)
        pages_unmap(first, end - first, false);
    for (uint64_t p = first; !error && p < end; p++) {
        Physical *physical = &window.physical.items[window.page[p].physical - 1];
        window.page[p].physical = 0;
        window.page[p].access = 0;
        physical->pages--;
        physical_drop(physical);
    }
    pthread_mutex_unlock(&window.lock);
    return error;
}

int mem_access_set(uint64_t address, uint64_t bytes, unsigned access)
{
    uint64_t first = 0, end = 0;
    int error = access > 3 || access == 2 ? -EINVAL : 0;
    pthread_mutex_lock(&window.lock);
    if (!mapped_pages(address, bytes, &first, &end))
        error = -EINVAL;
    const int protection[] = {PROT_NONE, PROT_READ, PROT_NONE, PROT_READ | PROT_WRITE};
    if (!error && mprotect((void *)(address + GK_DELTA), bytes, protection[access]) != 0)
        error = -ENOMEM;
    for (uint64_t p = first; !error && p < end; p++)
        window.page[p].access = (uint8_t)access;
    pthread_mutex_unlock(&window.lock);
    return error;
}

int mem_access(uint64_t address, unsigned *access)
{
    pthread_mutex_lock(&window.lock);
    const Allocation *range = allocation_at(address);
    bool known = range && range->info.kind == MEM_RANGE;
    *access = known ? window.page[(address - window.base) >> PAGE_SHIFT].access : 0;
    pthread_mutex_unlock(&window.lock);
    return known ? 0 : -EINVAL;
}

static _Atomic bool any_registered;

bool mem_any_registered(void)
{
    return atomic_load(&any_registered);
}

/* Copies the pages into the memory file and maps the file over them. -EINVAL when the pages are not
 * readable and writable memory of this process. */
static int pages_share(uint64_t host, uint64_t bytes, int file)
{
    uint64_t done = 0;
    /* write() reports unreadable pages instead of faulting. The bare system call, because whole
     * pages hold more than the caller's bytes, which checkers would object to. */
    while (done < bytes) {
        ssize_t wrote = syscall(SYS_pwrite64, file, host + done, bytes - done, done);
        if (wrote <= 0)
            return errno == EFAULT ? -EINVAL : -ENOMEM;
        done += (uint64_t)wrote;
    }
    atomic_store(&any_registered, true);
    if (mmap((void *)host, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
        MAP_FAILED)
        return -ENOMEM;
    return 0;
}

int mem_register(void *host, size_t bytes, MemKind kind, unsigned flags, uint64_t *address)
{
    uint64_t start = (uint64_t)host, page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!host || !bytes || start + bytes < start || mem_in_window(start))
        return -EINVAL;
    Registered r = {.host = start, .map_host = start & ~(page - 1)};
    r.map_bytes = ((start + bytes + page - 1) & ~(page - 1)) - r.map_host;
    int error = 0, file = -1;
    pthread_mutex_lock(&window.lock);
    for (size_t i = 0; i < window.registered.count; i++) {
        const Registered *other = &window.registered.items[i];
        if (r.map_host < other->map_host + other->map_bytes &&
            other->map_host < r.map_host + r.map_bytes)
            error = -EEXIST;
    }
    if (!error && (file = memfd_create(MEM_REGISTERED_FILE, MFD_CLOEXEC)) < 0)
        error = -ENOMEM;
    /* The pointer itself should work in kernels: map the pages at the host address + GK_DELTA.
     * Where something lies there, a window address stands in and cudaHostGetDevicePointer gives it.
     */
    if (!error && ftruncate(file, (off_t)r.map_bytes) < 0)
        error = -ENOMEM;
    if (!error) {
        r.map_device = r.map_host;
        void *wanted = (void *)(r.map_device + GK_DELTA);
        void *got = mmap(wanted, r.map_bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
        if (got != wanted) {
            if (got != MAP_FAILED)
                munmap(got, r.map_bytes);
            uint64_t count = (r.map_bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
            uint64_t first = pages_find(count);
            if (first == UINT64_MAX) {
                error = -ENOMEM;
            } else {
                r.in_window = true;
                r.map_device = page_address(first);
                if (mmap((void *)(r.map_device + GK_DELTA), r.map_bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
                    error = -ENOMEM;
            }
        }
    }
    if (!error) {
        error = pages_share(r.map_host, r.map_bytes, file);
        if (error && !r.in_window)
            munmap((void *)(r.map_device + GK_DELTA), r.map_bytes);
        else if (error)
            pages_unmap((r.map_device - window.base) >> PAGE_SHIFT,
                        (r.map_bytes + PAGE_BYTES - 1) >> PAGE_SHIFT, false);
    }
    if (!error) {
        r.device = r.map_device + (r.host - r.map_host);
        r.info = (MemInfo){.address = r.device,
                           .bytes = bytes,
                           .host = host,
                           .kind = kind,
                           .flags = flags,
                           .id = ++window.next_id};
        if (r.in_window) {
            uint64_t first = (r.map_device - window.base) >> PAGE_SHIFT;
            uint64_t count = (r.map_bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
            for (uint64_t p = 0; p < count; p++) /* empty chunks keep the pages taken */
                window.page[first + p].chunk = xcalloc(1, sizeof(Chunk));
        }
        VEC_PUSH(window.registered, r);
        *address = r.device;
    }
    pthread_mutex_unlock(&window.lock);
    if (file >= 0)
        close(file);
    return error;
}

int mem_unregister(void *host, MemKind kind)
{
    int error = -EINVAL;
    pthread_mutex_lock(&window.lock);
    for (size_t i = 0; i < window.registered.count; i++) {
        Registered *r = &window.registered.items[i];
        if (r->info.host != host || r->info.kind != kind)
            continue;
        /* The user's pages stay shared memory with their contents; only the engine's side goes. */
        if (r->in_window) {
            uint64_t first = (r->map_device - window.base) >> PAGE_SHIFT;
            uint64_t count = (r->map_bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
            pages_unmap(first, count, false);
            for (uint64_t p = 0; p < count; p++) {
                free(window.page[first + p].chunk);
                window.page[first + p].chunk = NULL;
            }
            window.hint = first < window.hint ? first : window.hint;
        } else {
            munmap((void *)(r->map_device + GK_DELTA), r->map_bytes);
        }
        window.registered.items[i] = window.registered.items[--window.registered.count];
        error = 0;
        break;
    }
    pthread_mutex_unlock(&window.lock);
    return error;
}

/* Lies in the page before the scratch memory. */
typedef struct {
    void *map;
    size_t bytes;
} ScratchHead;

void *mem_scratch_new(size_t bytes, size_t guard)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body = ((bytes ? bytes : 1) + page - 1) & ~(page - 1);
    guard = (guard + page - 1) & ~(page - 1);
    size_t total = 2 * page + body + guard;
    char *map = mmap(NULL, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    if (mprotect(map, page, PROT_READ | PROT_WRITE) ||
        mprotect(map + 2 * page, body, PROT_READ | PROT_WRITE)) {
        munmap(map, total);
        return NULL;
    }
    *(ScratchHead *)map = (ScratchHead){map, total};
    return map + 2 * page;
}

void mem_scratch_free(void *scratch)
{
    if (!scratch)
        return;
    ScratchHead *head = (ScratchHead *)((char *)scratch - 2 * (size_t)sysconf(_SC_PAGESIZE));
    munmap(head->map, head->bytes);
}
