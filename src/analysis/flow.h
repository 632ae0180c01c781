/* SPDX-License-Identifier: Apache-2.0
 *
 * Control and data flow of one kernel: basic blocks in execution order, dominators, loops, SSA form,
 * the shape of every value across a warp, and how divergent control flow is scheduled.
 *
 * Scheduling. A warp runs the blocks in one fixed order (topological, loops contiguous). A lane that
 * takes a branch is "pending" at the target until the warp arrives there. Blocks are of three kinds:
 *   direct     entered by a plain jump; the mask is the predecessor's
 *   scheduled  lanes may be pending here (targets and joins of divergent branches): the warp comes
 *              by, tests the pending mask and runs the block or goes on
 *   equal      a join whose mask is that of an earlier block (`equal`), because every lane that left
 *              it arrives: entered unconditionally with that block's mask
 * This holds for any flow graph; in an irreducible loop every block is scheduled.
 *
 * Shapes. uniform: the same in every lane. linear: base + s1 * (lane % w) + s2 * (lane / w), base,
 * s1 and s2 uniform. Else varying. Strides are expressions over constants and uniform values. A
 * 64-bit linear value may contain one widened 32-bit linear value, which could have wrapped within
 * the warp: base + s1.. + s2.. + k * extend(v32). Users test for that at run time. */
#ifndef GPUKIT_ANALYSIS_FLOW_H
#define GPUKIT_ANALYSIS_FLOW_H

#include "base/diag.h"
#include "ir/ir.h"

typedef enum { SHAPE_UNKNOWN, SHAPE_UNIFORM, SHAPE_LINEAR, SHAPE_VARYING } ShapeKind;

/* Stride expressions are hash-consed: equal index means equal value. Index 0 is the constant 0. */
typedef enum { STRIDE_CONST, STRIDE_VALUE, STRIDE_ADD, STRIDE_MUL, STRIDE_SEXT } StrideKind;
typedef struct {
    uint8_t kind;   /* StrideKind */
    int64_t number; /* STRIDE_CONST */
    int32_t a, b;   /* STRIDE_VALUE: a = SSA value; ADD, MUL: operands; SEXT: 32 to 64 bits of a */
} Stride;

typedef struct {
    uint8_t kind;   /* ShapeKind */
    uint8_t width;  /* w, 32 or a power of two below; linear only */
    int32_t s1, s2; /* stride indices; linear only (s2 is 0 when w is 32) */
    int32_t ext;    /* index of the widened term in Flow.extensions, 0 = none */
} Shape;

typedef struct {
    int32_t value; /* SSA value of 32 bits, linear without a widened term */
    int32_t k;     /* stride index of the factor */
    bool is_signed;
} Extension;

typedef struct {
    int32_t block; /* defining block, -1: undefined (reads as zero) */
    int32_t insn;  /* defining instruction in Flow.insns, -1: a phi or undefined */
    int32_t phi;   /* index in the block's phis, or -1 */
    int32_t reg;
    uint8_t type; /* IrType of the register */
    bool escapes; /* used outside its block */
    bool used;    /* read anywhere */
    bool
        perhaps_linear; /* varying, but made of linear values alone: a loop that lanes could have left
                            at different times; worth a test at run time */
    Shape shape;
    uint64_t zeros; /* known zero bits: of the value if uniform, of the base if linear */
} FlowValue;

typedef struct {
    int32_t value;
    int32_t *in; /* SSA value per predecessor */
} FlowPhi;

/* value = root + add modulo 2^bits; root -1: none. bits 0: nothing is known */
typedef struct {
    int32_t root; /* SSA value, of one register's width or another's: its low bits count */
    uint8_t add, bits;
} FlowAlign;

typedef struct {
    IrInsn insn; /* register operands are SSA values */
    int32_t
        old[8]; /* guarded definitions: the value kept where the guard is false, per definition */
    FlowAlign align; /* of its (first) address, where that says more than the register itself */
    int32_t step; /* stride index: what a turn of the loop adds to a load's address, where that is
                        more than the processor follows by itself; else 0 */
} FlowInsn;

typedef enum { TERM_JUMP, TERM_BRANCH, TERM_SWITCH, TERM_EXIT } FlowTerm;

typedef struct {
    int32_t begin, end; /* instructions */
    int32_t succ_count, pred_count;
    int32_t *succ, *pred;
    uint8_t term;
    bool cond_negated;
    bool suspends;  /* its last instruction is a block barrier */
    bool divergent; /* lanes may take different successors */
    bool join;      /* lanes may arrive from different predecessors */
    bool scheduled;
    bool full;        /* mask is the warp's entry mask */
    bool yields;      /* a back edge of a spinning loop starts here */
    int32_t cond;     /* TERM_BRANCH: succ[0] when true; TERM_SWITCH: the index; SSA value */
    int32_t equal;    /* block with the same mask, or -1 */
    uint32_t *region; /* bit set of blocks between `equal` and this one */
    int32_t idom, ipdom, loop;
    int32_t place, behind; /* in the dominator tree's preorder: its own, behind its subtree */
    FlowPhi *phis;
    int32_t phi_count;
    uint32_t *live_out; /* SSA values (bit set) */
} FlowBlock;

typedef struct {
    int32_t parent, depth;
    int32_t first, last; /* positions: blocks first..last */
    int32_t header;
    bool irreducible, divergent /* lanes may leave at different times */, spins;
} FlowLoop;

/* What is known about the launch. */
typedef struct {
    uint32_t ntid[3]; /* 0 = unknown */
    bool lanes;       /* one lane at a time: every value is uniform, warp exchanges suspend */
} FlowConfig;

/* Warps of a block that run as one (group.c). */
typedef struct {
    uint32_t warps;   /* 1: each alone */
    uint32_t *shared; /* bit per SSA value: the same in every warp of the block */
    uint32_t *once;   /* bit per instruction: defines shared values only, runs for the first warp */
    uint32_t *
        *apart; /* per block, NULL: all warps leave it the same way. Else the blocks that each warp
                         walks alone from there to the immediate postdominator */
} FlowGroup;

enum { GROUP_LANES = 32 };

typedef struct {
    Arena *arena;
    const IrModule *module;
    IrFunction *function;
    FlowConfig config;
    FlowInsn *insns;
    int32_t insn_count;
    FlowBlock *blocks; /* in execution order; 0 is the entry, the last one the exit */
    int32_t block_count;
    FlowLoop *loops;
    int32_t loop_count;
    VEC(FlowValue) values;
    VEC(Stride) strides;
    VEC(Extension) extensions; /* [0] unused */
    bool has_suspend, has_spin;
    FlowGroup group;
    bool needs_lanes; /* lanes of a warp may wait for each other: only `lanes` makes progress */
} Flow;

/* Borrows module and function (whose calls have been inlined). NULL with diagnostics. */
bool flow_in_loop(const Flow *flow, int32_t block, int32_t loop); /* or in one nested in it */
void flow_print(const Flow *flow, FILE *out);
Flow *flow_new(Arena *arena, const IrModule *module, IrFunction *function, const FlowConfig *config,
               Diags *diags);
void flow_free(Flow *flow);

/* Chooses how many warps run as one, at most `most`, and finds out what they share. vectors: of 32
 * floats, that the processor's registers hold. Returns flow->group.warps. */
uint32_t flow_group(Flow *flow, uint32_t most, uint32_t vectors);

/* After flow_group: the function with more barriers, where a warp would write shared memory that
 * others have yet to read (reuse.c); NULL: none are needed. Lives in the flow's arena. */
IrFunction *flow_stop_before_reuse(Flow *flow);

bool flow_dominates(const Flow *flow, int32_t a, int32_t b);

/* Operand roles, decoded from ops.def. Calls visit for every register that the instruction uses or
 * defines; the visitor may change it. */
typedef void FlowVisit(void *data, int32_t *reg, bool is_definition, int index);
void flow_visit_registers(IrInsn *insn, FlowVisit *visit, void *data);
int flow_definition_count(const IrOperand *operand);

static inline bool flow_bit(const uint32_t *set, int32_t i)
{
    return set[i >> 5] >> (i & 31) & 1;
}

/* Values of instruction operand k: the SSA value when it is a register, else -1. */
static inline int32_t flow_operand_value(const IrInsn *insn, int k)
{
    return insn->operands[k].kind == OPND_reg ? insn->operands[k].reg : -1;
}

/* Shape of an operand; zeros (may be NULL) receives its known zero bits. */
Shape flow_operand_shape(Flow *flow, const IrOperand *o, uint64_t *zeros);
Shape flow_sreg_shape(Flow *flow, const IrOperand *o, uint64_t *zeros);

/* Strides of a linear shape when no widened term wraps: own part and widened part together. */
void flow_total_strides(Flow *flow, Shape shape, int32_t *s1, int32_t *s2);

/* The constant stride, or false. */
bool flow_stride_constant(const Flow *flow, int32_t stride, int64_t *number);
bool flow_is_dest(const IrInsn *insn, int operand);

#endif
