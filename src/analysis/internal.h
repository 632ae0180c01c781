/* SPDX-License-Identifier: Apache-2.0
 * The steps of flow_new, in order. */
#ifndef GPUKIT_ANALYSIS_INTERNAL_H
#define GPUKIT_ANALYSIS_INTERNAL_H

#include "analysis/flow.h"

#include <string.h>

static inline uint32_t *flow_set_new(Arena *arena, int32_t bits)
{
    return ARENA_ARRAY(arena, uint32_t, (bits + 31) / 32 + 1);
}
static inline void flow_set(uint32_t *set, int32_t i)
{
    set[i >> 5] |= 1u << (i & 31);
}
static inline void flow_clear(uint32_t *set, int32_t i)
{
    set[i >> 5] &= ~(1u << (i & 31));
}

bool flow_build_blocks(Flow *flow, Diags *diags); /* flow.c: blocks, order, loops, dominators */
/* The warp (or lane) is given back to the launcher at this instruction. */
bool flow_suspends(const Flow *flow, const IrInsn *insn);
bool flow_postdominates(const Flow *flow, int32_t a, int32_t b);
void flow_build_ssa(Flow *flow);   /* ssa.c */
void flow_liveness(Flow *flow);    /* ssa.c: live_out, escapes */
void flow_find_spins(Flow *flow);  /* schedule.c: loops that wait for others */
void flow_find_shapes(Flow *flow); /* shape.c; also which branches diverge (calls find_joins) */
int32_t flow_stride_const(Flow *flow, int64_t number);
int32_t flow_stride_value(Flow *flow, int32_t value);
int32_t flow_stride_add(Flow *flow, int32_t a, int32_t b);
int32_t flow_stride_mul(Flow *flow, int32_t a, int32_t b);
int32_t flow_stride_sext(Flow *flow, int32_t a); /* from 32 bits */
void flow_find_steps(Flow *flow);     /* step.c; the steps' values are uses for flow_liveness */
void flow_find_joins(Flow *flow);     /* schedule.c */
void flow_find_alignment(Flow *flow); /* align.c; its roots are uses for flow_liveness */
void flow_schedule(Flow *flow);       /* schedule.c: scheduled, equal, full */

/* group.c: of the whole block, without a guard */
bool flow_is_plain_barrier(const IrInsn *insn);

/* Instructions first..last-1; labels elsewhere stand for calls that come back behind the jump. */
typedef struct {
    IrInsn *insns;
    int32_t first, last;
    const IrLabel *labels;
    const IrTable *tables;
    const int32_t *number; /* register -> bit, -1: of no interest */
    int32_t bits;
} RegisterText;

/* The set of live registers before each instruction, and at the end. */
uint32_t **flow_text_liveness(Arena *arena, const RegisterText *text);

#endif
