/* SPDX-License-Identifier: Apache-2.0
 * Runs the lanes of one warp in turn, see lanes.h. */
#include "launch/lanes.h"

#include <stdbool.h>
#include <string.h>

enum { AFTER_YIELD = 1, AFTER_BARRIER = 2 }; /* how the warp goes on */

typedef struct {
    const GkKernel *kernel;
    GkBlock *block;
    GkLanes *warp;
    uint8_t *frames;
    size_t frame_bytes; /* of one lane */
    uint32_t first;     /* thread number of lane 0 */
} Lanes;

static GkLaneFrame *lane_frame(const Lanes *l, uint32_t lane)
{
    return (GkLaneFrame *)(void *)(l->frames + lane * l->frame_bytes);
}

static uint32_t lowest(uint32_t set)
{
    return (uint32_t)__builtin_ctz(set);
}

/* Have all of the group come, for this group's exchange and no other? */
static bool all_here(const Lanes *l, uint32_t group, uint32_t mask)
{
    if (group & ~l->warp->at_exchange)
        return false;
    for (uint32_t g = group; g; g &= g - 1)
        if ((lane_frame(l, lowest(g))->head.mask | 1u << lowest(g)) != mask)
            return false;
    return true;
}

/* Lets groups go on whose members have all arrived; ended lanes are not waited for. */
static uint32_t complete_exchanges(Lanes *l)
{
    uint32_t released = 0;
    for (uint32_t rest = l->warp->at_exchange; rest; rest &= rest - 1) {
        uint32_t lane = lowest(rest);
        uint32_t mask = lane_frame(l, lane)->head.mask | 1u << lane, group = mask & ~l->warp->ended;
        if ((released >> lane & 1) || !all_here(l, group, mask))
            continue;
        uint64_t given[GK_WARP] = {0};
        uint32_t ballot = 0;
        for (uint32_t g = group; g; g &= g - 1) {
            given[lowest(g)] = lane_frame(l, lowest(g))->head.value;
            ballot |= (uint32_t)(given[lowest(g)] & 1) << lowest(g);
        }
        for (uint32_t g = group; g; g &= g - 1) {
            GkLaneFrame *frame = lane_frame(l, lowest(g));
            memcpy(frame->given, given, sizeof given);
            frame->head.reduce_result = group;
            frame->head.reduce_value = ballot;
        }
        released |= group;
        l->warp->at_exchange &= ~group;
        rest &= ~group | 1u << lane;
    }
    return released;
}

/* The warp's own wait: the first lane's barrier, with the lanes' contributions combined. */
static uint64_t wait_at_barrier(Lanes *l)
{
    const GkFrame *first = &lane_frame(l, lowest(l->warp->at_barrier))->head;
    GkFrame *head = &l->warp->head;
    *head = *first;
    head->mask = l->warp->at_barrier;
    for (uint32_t rest = l->warp->at_barrier & (l->warp->at_barrier - 1); rest; rest &= rest - 1) {
        uint32_t value = lane_frame(l, lowest(rest))->head.reduce_value;
        if (first->reduce_op == 1)
            head->reduce_value += value;
        else if (first->reduce_op == 2)
            head->reduce_value &= value;
        else
            head->reduce_value |= value;
    }
    return GK_SUSPEND(first->pad, AFTER_BARRIER);
}

uint64_t lanes_run_warp(const GkKernel *kernel, GkBlock *block, uint32_t warp, uint8_t *frame,
                        uint32_t resume)
{
    const uint32_t *n = block->grid->ntid;
    Lanes l = {kernel,
               block,
               (GkLanes *)(void *)frame,
               frame + sizeof(GkLanes),
               (kernel->frame_bytes - sizeof(GkLanes)) / GK_WARP,
               warp * GK_WARP};
    uint32_t threads = n[0] * n[1] * n[2];
    if (!resume) {
        uint32_t here = threads - l.first;
        memset(l.warp, 0, sizeof *l.warp);
        l.warp->ended = here >= GK_WARP ? 0 : ~0u << here;
    }
    if (resume == AFTER_BARRIER) {
        for (uint32_t rest = l.warp->at_barrier; rest; rest &= rest - 1)
            lane_frame(&l, lowest(rest))->head.reduce_result = l.warp->head.reduce_result;
        l.warp->at_barrier = 0;
    }
    for (;;) {
        uint32_t runnable = ~(l.warp->ended | l.warp->at_barrier | l.warp->at_exchange),
                 progress = 0;
        for (uint32_t rest = runnable, bit; rest; rest &= ~bit) {
            uint32_t lane = lanes_next(rest, l.warp->spun);
            bit = 1u << lane;
            GkLaneFrame *own = lane_frame(&l, lane);
            uint64_t state =
                kernel->run_warp(block, l.first + lane, (uint8_t *)own, l.warp->resume[lane]);
            l.warp->resume[lane] = (uint32_t)state;
            uint32_t kind = (uint32_t)(state >> 32);
            l.warp->spun = kind == GK_KIND_YIELD ? l.warp->spun | bit : l.warp->spun & ~bit;
            if (kind != GK_KIND_YIELD)
                progress |= bit;
            if (!kind)
                l.warp->ended |= bit;
            else if (kind == GK_KIND_EXCHANGE)
                l.warp->at_exchange |= bit;
            else if (kind != GK_KIND_YIELD)
                l.warp->at_barrier |= bit, own->head.pad = kind;
        }
        progress |= complete_exchanges(&l);
        uint32_t live = ~l.warp->ended;
        if (!live)
            return 0;
        if ((live & ~(l.warp->at_barrier | l.warp->at_exchange)) == 0 && l.warp->at_barrier)
            return wait_at_barrier(&l);
        if (!progress)
            return GK_SUSPEND(GK_KIND_YIELD, AFTER_YIELD); /* lanes at a barrier stay there */
    }
}
