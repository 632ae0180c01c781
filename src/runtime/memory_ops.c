/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's operations on single words in stream order: write one, wait until one has a value (cuStreamBatchMemOp
 * and its kin). A wait holds up the stream's own thread only. On a GPU only writes are passed on, as fills. */
#include "runtime/rt.h"

#include "base/arena.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(RtMemoryOp) == 48, "as CUstreamBatchMemOpParams");

enum { WAIT_32 = 1, WRITE_32, FLUSH, WAIT_64, WRITE_64, BARRIER };
enum { AT_LEAST, EQUAL, AND, NOR, MODES = 3, WAIT_FLUSHES = 1 << 30, OPS_MAX = 256 };

static bool is_write(const RtMemoryOp *op)
{
    return op->operation == WRITE_32 || op->operation == WRITE_64;
}

static size_t width(const RtMemoryOp *op)
{
    return op->operation == WAIT_32 || op->operation == WRITE_32 ? 4 : 8;
}

static int check(const RtMemoryOp *op)
{
    switch (op->operation) {
    case FLUSH:
    case BARRIER:
        return RT_OK;
    case WRITE_32:
    case WRITE_64:
        if (op->flags > 1)
            return RT_INVALID_VALUE;
        break;
    case WAIT_32:
    case WAIT_64:
        if (op->flags & ~(unsigned)(MODES | WAIT_FLUSHES))
            return RT_INVALID_VALUE;
        break;
    default:
        return RT_INVALID_VALUE;
    }
    if (!op->address || op->address % width(op))
        return RT_INVALID_VALUE;
    if (!strcmp(rt_device()->kind, "cpu"))
        return rt_reach((void *)op->address, width(op)) ? RT_OK : RT_INVALID_VALUE;
    if (is_write(op))
        return RT_OK;
    rt_refuse("waiting for a value in memory with --device gpu");
    return RT_NOT_SUPPORTED;
}

int rt_memory_ops_check(const RtMemoryOp *ops, unsigned count, unsigned flags)
{
    int error = ops && count && count <= OPS_MAX && !flags ? RT_OK : RT_INVALID_VALUE;
    for (unsigned i = 0; i < count && !error; i++)
        error = check(&ops[i]);
    return error;
}

static bool has_value(const RtMemoryOp *op, const void *word)
{
    bool wide = width(op) == 8;
    uint64_t want = wide ? op->value : (uint32_t)op->value;
    uint64_t is = wide ? atomic_load((_Atomic uint64_t *)(uintptr_t)word)
                       : atomic_load((_Atomic uint32_t *)(uintptr_t)word);
    uint64_t all = wide ? UINT64_MAX : UINT32_MAX;
    switch (op->flags & MODES) {
    case AT_LEAST: /* round the ring of numbers */
        return wide ? (int64_t)(is - want) >= 0 : (int32_t)(uint32_t)(is - want) >= 0;
    case EQUAL:
        return is == want;
    case AND:
        return (is & want) != 0;
    default:
        return (~(is | want) & all) != 0;
    }
}

/* Until the value is there; also where it can no longer come. */
static void wait_for(const RtMemoryOp *op, const void *word)
{
    enum { SPINS = 200, PAUSE_NS = 20000 };
    for (int i = 0; !has_value(op, word) && !rt_is_closing() && !rt_device()->sticky(0); i++) {
        if (i < SPINS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
}

static void run(const RtMemoryOp *op)
{
    void *word = op->operation == FLUSH || op->operation == BARRIER
                     ? NULL
                     : rt_reach((void *)op->address, width(op));
    if (!word)
        atomic_thread_fence(memory_order_seq_cst); /* or the memory was freed meanwhile */
    else if (op->operation == WRITE_32)
        atomic_store((_Atomic uint32_t *)word, (uint32_t)op->value);
    else if (op->operation == WRITE_64)
        atomic_store((_Atomic uint64_t *)word, op->value);
    else
        wait_for(op, word);
}

typedef struct {
    unsigned count;
    RtMemoryOp ops[];
} List;

static void run_list(void *argument)
{
    List *list = argument;
    for (unsigned i = 0; i < list->count; i++)
        run(&list->ops[i]);
    free(list);
}

static int write_by_fills(const RtMemoryOp *op, RtStream *stream)
{
    int error = RT_OK;
    for (unsigned i = 0; i < width(op) / 4 && !error && is_write(op); i++) {
        const DevFill fill = {.dst = (void *)(op->address + 4 * i),
                              .pitch = 4,
                              .value = (uint32_t)(op->value >> 32 * i),
                              .element = 4,
                              .width = 1,
                              .height = 1,
                              .depth = 1};
        error = rt_fill(&fill, stream, false);
    }
    return error;
}

int rt_memory_ops_run(const RtMemoryOp *ops, unsigned count, RtStream *stream)
{
    int error = RT_OK;
    if (strcmp(rt_device()->kind, "cpu") != 0) {
        for (unsigned i = 0; i < count && !error; i++)
            error = write_by_fills(&ops[i], stream);
        return error;
    }
    List *list = xmalloc(sizeof *list + count * sizeof *ops);
    list->count = count;
    memcpy(list->ops, ops, count * sizeof *ops);
    error = rt_stream_call(stream, run_list, list);
    if (error)
        free(list);
    return error;
}
