/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory barriers and bulk copies, see mbarrier.h. The 64 bits of a barrier, lowest first: pending
 * arrivals, expected arrivals (GK_MBAR_BITS each), bytes still to come (signed, 21 bits), phase. */
#include "launch/mbarrier.h"

#include "launch/worker.h"

#include <math.h>
#include <string.h>

enum { COUNT_MAX = (1 << GK_MBAR_BITS) - 1, TX_BITS = 21, PHASES = 8 };

typedef struct {
    uint32_t pending, expected, phase;
    int32_t tx;
} Barrier;

static Barrier unpack(uint64_t word)
{
    Barrier b = {word & COUNT_MAX, word >> GK_MBAR_BITS & COUNT_MAX,
                 (uint32_t)(word >> (2 * GK_MBAR_BITS + TX_BITS)) & (PHASES - 1), 0};
    b.tx = (int32_t)((uint32_t)(word >> (2 * GK_MBAR_BITS)) << (32 - TX_BITS)) >> (32 - TX_BITS);
    return b;
}

static uint64_t pack(Barrier b)
{
    uint64_t tx = (uint32_t)b.tx & ((1u << TX_BITS) - 1);
    return (uint64_t)b.pending | (uint64_t)b.expected << GK_MBAR_BITS | tx << (2 * GK_MBAR_BITS) |
           (uint64_t)(b.phase & (PHASES - 1)) << (2 * GK_MBAR_BITS + TX_BITS);
}

/* The phase ends when everybody has arrived and every byte has. */
static void settle(Barrier *b)
{
    if (b->pending || b->tx)
        return;
    b->phase++;
    b->pending = b->expected;
}

static _Noreturn void fail(GkBlock *block, uint32_t lane, uint64_t at, uint32_t error,
                           const char *what)
{
    LaunchResult result = {.error = error, .address = at - GK_DELTA, .mask = 1u << lane};
    snprintf(result.text, sizeof result.text, "%s", what);
    service_fail(block, &result);
}

static uint64_t step(GkBlock *block, uint32_t lane, uint32_t what, uint64_t at, uint64_t operand)
{
    uint64_t word, state;
    if (at & 7)
        fail(block, lane, at, LAUNCH_MISALIGNED, "an mbarrier must lie at a multiple of 8 bytes");
    uint64_t *memory = (uint64_t *)(uintptr_t)at;
    memcpy(&word, memory, 8);
    Barrier b = unpack(word);
    state = word;
    switch (what) {
    case GK_MBAR_INIT:
        if (!operand || operand > COUNT_MAX)
            fail(block, lane, at, LAUNCH_ILLEGAL_INSTRUCTION,
                 "mbarrier.init takes a count from 1 to 1048575");
        b = (Barrier){(uint32_t)operand, (uint32_t)operand, 0, 0};
        break;
    case GK_MBAR_INVAL:
        b = (Barrier){0};
        break;
    case GK_MBAR_TEST:
        return unpack(operand).phase != b.phase;
    case GK_MBAR_TEST_PARITY:
        return (b.phase & 1) != (operand & 1);
    case GK_MBAR_EXPECT:
        b.tx += (int32_t)operand;
        settle(&b);
        break;
    case GK_MBAR_COMPLETE:
        b.tx -= (int32_t)operand;
        settle(&b);
        break;
    case GK_MBAR_ARRIVE_EXPECT:
    case GK_MBAR_DROP_EXPECT:
        b.tx += (int32_t)operand;
        operand = 1;
        /* fall through */
    default:
        if (operand > b.pending)
            fail(block, lane, at, LAUNCH_ILLEGAL_INSTRUCTION,
                 "more threads arrive at an mbarrier than it was initialised for");
        b.pending -= (uint32_t)operand;
        if (what == GK_MBAR_DROP || what == GK_MBAR_DROP_EXPECT)
            b.expected -= 1;
        settle(&b);
    }
    word = pack(b);
    memcpy(memory, &word, 8);
    return state;
}

void mbarrier_access(GkBlock *block, uint32_t mask, uint32_t what, const uint64_t *at,
                     const uint64_t *operand, uint64_t *result)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        result[lane] = step(block, lane, what, at[lane], operand[lane]);
    }
}

/* ---- bulk copies ---- */

#define WHOLE(name, type)                                                                          \
    static type name(uint32_t operation, type old, type x)                                         \
    {                                                                                              \
        switch (operation) {                                                                       \
        case GK_BULK_ADD:                                                                          \
            return (type)((uint64_t)old + (uint64_t)x);                                            \
        case GK_BULK_MIN:                                                                          \
            return x < old ? x : old;                                                              \
        case GK_BULK_MAX:                                                                          \
            return x > old ? x : old;                                                              \
        case GK_BULK_INC:                                                                          \
            return old >= x ? 0 : (type)(old + 1);                                                 \
        case GK_BULK_DEC:                                                                          \
            return old == 0 || old > x ? x : (type)(old - 1);                                      \
        case GK_BULK_AND:                                                                          \
            return old & x;                                                                        \
        case GK_BULK_OR:                                                                           \
            return old | x;                                                                        \
        default:                                                                                   \
            return old ^ x;                                                                        \
        }                                                                                          \
    }
WHOLE(reduce_u32, uint32_t)
WHOLE(reduce_s32, int32_t)
WHOLE(reduce_u64, uint64_t)
WHOLE(reduce_s64, int64_t)
#undef WHOLE

static float reduce_f32(uint32_t operation, float old, float x)
{
    return operation == GK_BULK_MIN   ? fminf(old, x)
           : operation == GK_BULK_MAX ? fmaxf(old, x)
                                      : old + x;
}

static double reduce_f64(uint32_t operation, double old, double x)
{
    return operation == GK_BULK_MIN   ? fmin(old, x)
           : operation == GK_BULK_MAX ? fmax(old, x)
                                      : old + x;
}

/* Other blocks may do the same to the same memory: compare and exchange. */
#define REDUCE(type, bits, function)                                                               \
    for (uint64_t i = 0; i < bytes / sizeof(type); ++i) {                                          \
        _Atomic(bits) *place = (_Atomic(bits) *)(uintptr_t)to + i;                                 \
        bits old = atomic_load(place), now;                                                        \
        type x, y;                                                                                 \
        memcpy(&x, (const char *)(uintptr_t)from + i * sizeof x, sizeof x);                        \
        do {                                                                                       \
            memcpy(&y, &old, sizeof y);                                                            \
            y = function(operation, y, x);                                                         \
            memcpy(&now, &y, sizeof y);                                                            \
        } while (!atomic_compare_exchange_weak(place, &old, now));                                 \
    }                                                                                              \
    break

static void reduce_one(uint32_t reduce, uint64_t to, uint64_t from, uint64_t bytes)
{
    uint32_t operation = reduce >> 8;
    switch (reduce & 255) {
    case GK_BULK_U32:
        REDUCE(uint32_t, uint32_t, reduce_u32);
    case GK_BULK_S32:
        REDUCE(int32_t, uint32_t, reduce_s32);
    case GK_BULK_U64:
        REDUCE(uint64_t, uint64_t, reduce_u64);
    case GK_BULK_S64:
        REDUCE(int64_t, uint64_t, reduce_s64);
    case GK_BULK_F32:
        REDUCE(float, uint32_t, reduce_f32);
    default:
        REDUCE(double, uint64_t, reduce_f64);
    }
}

void bulk_access(GkBlock *block, uint32_t mask, uint32_t reduce, const uint64_t *to,
                 const uint64_t *from, const uint64_t *bytes)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if ((to[lane] | from[lane] | bytes[lane]) & 15)
            fail(block, lane, to[lane], LAUNCH_MISALIGNED,
                 "bulk copies take addresses and sizes that are multiples of 16 bytes");
        if (reduce)
            reduce_one(reduce, to[lane], from[lane], bytes[lane]);
        else
            memmove((void *)(uintptr_t)to[lane], (const void *)(uintptr_t)from[lane], bytes[lane]);
    }
}
