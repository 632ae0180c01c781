/* SPDX-License-Identifier: Apache-2.0
 *
 * From IR to LLVM IR: one warp is one function over vectors of 32 lanes. The Emitter is what the
 * emit_* functions (one per row of ops.def, a file per family) work on.
 *
 * A register's value is kept as its shape allows: uniform values as scalars, linear ones as the scalar
 * base, the rest as vectors. An emit function does not care: it asks for operands with src() and
 * gives its result to def(); between begin and def everything is scalar when the result is uniform
 * or linear (e->lanes == 1), else <32 x T>. */
#ifndef GPUKIT_CODEGEN_EMIT_H
#define GPUKIT_CODEGEN_EMIT_H

#include "analysis/flow.h"
#include "base/buf.h"
#include "ir/layout.h"
#include "launch/abi.h"

#include <llvm-c/Core.h>

typedef struct {
    LLVMValueRef slot;  /* stack slot, or NULL when used in its own block only */
    bool pinned;        /* the slot is that of all values of the register, and stays in memory */
    LLVMValueRef local; /* value while its block is being emitted */
    int32_t local_block;
    bool dirty;        /* floating-point result whose NaNs may not be PTX's canonical one */
    bool bits_seen;    /* a NaN's bits matter: read by other than f32 arithmetic and comparisons */
    bool sign_seen;    /* and a NaN's sign after neg: read by other than f64 sums, too */
    uint32_t frame_at; /* offset in the warp's frame, 0 = none yet */
    int32_t home;      /* matrix fragment that it is part of, in Emitter.homes; 0: none */
    uint8_t home_at;   /* which register of it */
    bool in_memory;    /* is nowhere else */
} ValueState;

/* Memory of a matrix fragment (matrix.c): a result of a matrix instruction, or a place for results. */
typedef struct {
    int32_t first, last, block; /* instruction that defines it, last one that finds it here */
    int32_t from;               /* home of the accumulator that it follows, 0: none */
    int32_t place;
    uint32_t values, once; /* registers; those used once, and found here then */
    bool wanted, outlives,
        pooled;        /* outlives its block; shares its place with others of the block */
    LLVMValueRef slot; /* places: on the stack, or */
    uint32_t frame_at; /* in the warp's frame */
} FragmentHome;

typedef struct {
    LLVMBasicBlockRef body, check, enter, land, loop_end;
    LLVMValueRef pending; /* slot: lanes waiting to enter */
    LLVMValueRef saved;   /* slot: the mask at the end of the block, kept for `equal` joins */
    bool keeps_mask;      /* some join is equal to this block */
    uint32_t pending_at, saved_at; /* frame offsets */
    int32_t
        skip; /* last join equal to this block, or -1: who passes over this block passes that too */
} BlockState;

/* One of the warps that run as a group. */
typedef struct {
    ValueState *values; /* of a shared value all have the same slot */
    LLVMValueRef number, local, carry;
} WarpState;

enum { EMIT_GROUP = 32 };

typedef struct Emitter {
    Flow *flow;
    const IrModule *module;
    const IrKernelLayout *layout;
    Diags *diags;
    Arena *arena;
    LLVMContextRef cx;
    LLVMModuleRef mod;
    LLVMBuilderRef b, at_entry; /* at_entry: places stack slots */
    LLVMValueRef fn, block_arg, warp_arg, frame_arg;
    LLVMValueRef grid, shared, local, local_stride; /* loaded once at the entry */
    LLVMValueRef delta;                             /* GK_DELTA, in a register */
    LLVMValueRef streams;                           /* i1: stores go past the caches; NULL: never */
    bool *read; /* per value: the kernel loads from the array that it is the address of */
    LLVMTypeRef i1, i8, i16, i32, i64, i128, half, f32, f64, ptr, none;
    LLVMValueRef entry_mask, mask; /* <32 x i1>; mask of the block being emitted */
    bool mask_is_all;              /* mask is known to be all ones */
    bool whole_warps;              /* the block shape is a multiple of 32 */
    LLVMValueRef current;          /* slot of the current mask */
    ValueState *values;
    BlockState *blocks;
    WarpState warps[EMIT_GROUP]; /* group.c */
    const uint32_t *region;      /* one warp of a group walks through these blocks alone, or NULL */
    LLVMBasicBlockRef region_end; /* where it then goes */
    bool is_regular;              /* the index of the access at hand is known not to wrap */
    int32_t block;                /* being emitted */
    const FlowInsn *insn;
    int lanes; /* 1 or 32: what src() and def() deal in right now */
    bool suspends;
    uint32_t without_lane;
    bool counts;          /* report operations through event_hook */
    bool by_lane;         /* one lane at a time: warp_arg is the thread's number in the block */
    LLVMValueRef lane_id; /* by_lane: i32 */
    uint32_t frame_bytes;
    LLVMValueRef resume_switch;
    uint32_t resume_count;
    uint32_t features; /* EMIT_AVX512... */
    bool failed;
    bool uses_local, prints;
    Buf fidelity;
    bool approximate[OP_COUNT];      /* named in fidelity */
    VEC(FragmentHome) homes, places; /* of matrix fragments; homes[0] unused */
    LLVMValueRef wide;               /* slot for the result of wgmma */
    FragmentHome copies[3];          /* for fragments without a home */
    LLVMValueRef addresses[2];       /* slots for addresses per lane */
    LLVMValueRef carry;              /* slot of the condition code (add.cc) */
} Emitter;

enum { EMIT_AVX512 = 1, EMIT_AVX2 = 2, EMIT_F16C = 4, EMIT_VBMI = 8 };

/* ---- values.c ---- */
LLVMTypeRef emit_scalar_type(Emitter *e,
                             IrType type);       /* i8..i64, half (f16), float, double; bf16: i16 */
LLVMTypeRef emit_type(Emitter *e, IrType type);  /* the same, as a vector when e->lanes is 32 */
LLVMTypeRef emit_int_type(Emitter *e, int bits); /* iN or <32 x iN> */
LLVMTypeRef emit_like(Emitter *e, LLVMTypeRef scalar); /* scalar or <32 x scalar> by e->lanes */
static inline LLVMValueRef emit_k32(Emitter *e, uint64_t n)
{
    return LLVMConstInt(e->i32, n, false);
}
static inline LLVMValueRef emit_k64(Emitter *e, uint64_t n)
{
    return LLVMConstInt(e->i64, n, false);
}
static inline LLVMTypeRef emit_vec(LLVMTypeRef scalar) /* <32 x scalar> */
{
    return LLVMVectorType(scalar, GK_WARP);
}
LLVMValueRef emit_const(Emitter *e, LLVMTypeRef type, uint64_t bits); /* integer, splat if vector */
LLVMValueRef emit_real(Emitter *e, LLVMTypeRef type, double value);
LLVMValueRef emit_splat(Emitter *e, LLVMValueRef scalar);
LLVMValueRef emit_bitcast(Emitter *e, LLVMValueRef v, LLVMTypeRef type);
/* The low 32 bits of a register's value, whatever the register's type. */
LLVMValueRef emit_low_word(Emitter *e, LLVMValueRef v);
LLVMValueRef emit_src_exact(Emitter *e, int k, IrType type); /* emit_src, NaNs as PTX has them */
LLVMValueRef emit_choice(Emitter *e, int k,
                         IrType type); /* for a result that is one of its sources */

/* Operand k as a value of `type`, scalar or vector by e->lanes. */
LLVMValueRef emit_src(Emitter *e, int k, IrType type);
LLVMValueRef emit_operand(Emitter *e, const IrOperand *o, IrType type);
LLVMValueRef emit_vector(Emitter *e, const IrOperand *o, IrType type); /* always <32 x T> */
LLVMValueRef emit_uniform(Emitter *e, const IrOperand *o,
                          IrType type); /* always scalar: must be uniform */
bool emit_is_uniform(Emitter *e, const IrOperand *o);
/* Result for destination `index` (counting destinations) of the instruction. */
void emit_def(Emitter *e, const IrOperand *o, int index, IrType type, LLVMValueRef value);
void emit_def0(Emitter *e, IrType type, LLVMValueRef value);
/* Is the destination kept as a scalar (uniform or linear)? */
bool emit_scalar_dest(Emitter *e, const IrOperand *o);
bool emit_is_scalar(Emitter *e, const IrInsn *insn); /* every destination is kept as a scalar */
LLVMTypeRef emit_value_type(Emitter *e,
                            const FlowValue *v); /* of its register, as its shape is kept */
LLVMValueRef emit_value_raw(Emitter *e, int32_t value);
LLVMValueRef emit_value_vector(Emitter *e, int32_t value);
LLVMValueRef emit_stride(Emitter *e, int32_t stride, LLVMTypeRef type);
LLVMValueRef emit_iota(Emitter *e, LLVMTypeRef element);
LLVMValueRef emit_lane_part(Emitter *e, LLVMTypeRef element, int width, LLVMValueRef s1,
                            LLVMValueRef s2);
LLVMValueRef emit_grid_field(Emitter *e, size_t offset, LLVMTypeRef type);
LLVMValueRef emit_block_field(Emitter *e, size_t offset, LLVMTypeRef type);
LLVMValueRef emit_slot(Emitter *e, LLVMTypeRef type, const char *name);
LLVMValueRef emit_intrinsic(Emitter *e, const char *name, LLVMTypeRef *overloads,
                            int overload_count, LLVMValueRef *args, int arg_count);
LLVMValueRef emit_symbol_address(Emitter *e, const IrOperand *o); /* as PTX sees it: i64 */
LLVMValueRef emit_offset_address(Emitter *e, LLVMValueRef v, int64_t offset,
                                 unsigned space); /* v: scalar or vector */
/* The guard of the instruction, and the block's mask with it. NULL guard: none. */
LLVMValueRef emit_exec_mask(Emitter *e, bool *all);
LLVMValueRef emit_any(Emitter *e, LLVMValueRef mask);       /* i1 */
LLVMValueRef emit_mask_bits(Emitter *e, LLVMValueRef mask); /* i32 */
LLVMValueRef emit_bits_mask(Emitter *e, LLVMValueRef bits); /* <32 x i1> */
uint32_t emit_line(Emitter *e);
LLVMValueRef emit_warp_number(Emitter *e);  /* i32 */
LLVMValueRef emit_cluster_rank(Emitter *e); /* i32: the block's number in its cluster */
void emit_error(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes the instruction in the kernel's fidelity text: PTX gives it only an accuracy; its results
 * have the hardware's bits. */
void emit_mark_approximate(Emitter *e);
LLVMValueRef emit_service(Emitter *e, size_t offset, LLVMTypeRef *type, LLVMTypeRef result,
                          LLVMTypeRef *args, int count);

/* A function of its own in the module, never inlined: what kernels do often in many places. *back: where
 * to go on after its body has been built and ended; NULL when it is there already. */
LLVMValueRef emit_function(Emitter *e, const char *name, LLVMTypeRef type, LLVMBasicBlockRef *back);
void emit_function_end(Emitter *e, LLVMBasicBlockRef back);

/* ---- memory.c ---- */
/* The branch's first way (or its second) is hardly ever taken. */
void emit_unlikely(Emitter *e, LLVMValueRef branch, bool first);
void emit_find_streams(Emitter *e);

/* ---- async.c ---- */
/* Host addresses of an operand, per lane; space: MOD_shared, else generic or global. */
LLVMValueRef emit_lane_addresses(Emitter *e, const IrOperand *o, unsigned space);

/* ---- matrix.c ---- */
void emit_place_fragments(Emitter *e); /* before anything is emitted */
/* void f(a, b, c, d) for one mma of these types (d a b c), its registers in memory: [register][32 lanes]. */
LLVMValueRef emit_mma_function(Emitter *e, const unsigned shape[3], const IrType types[4],
                               bool saturate, LLVMTypeRef *type);
void emit_fragment_register(Emitter *e, const IrOperand *o, unsigned r, LLVMValueRef value);

/* ---- control.c ---- */
void emit_control_flow(Emitter *e);
/* Saves what is live, returns GK_SUSPEND(kind, n) to the launcher and goes on at the resume point. */
void emit_suspend(Emitter *e, unsigned kind, LLVMValueRef header[7]);
/* What leads to and from a block of one warp; used for the blocks of e->region, or for all. */
void emit_prepare_blocks(Emitter *e);
void emit_one_block(Emitter *e, int32_t block);
void emit_insn(Emitter *e, const FlowInsn *insn);
void emit_phis(Emitter *e, const FlowBlock *block);
void emit_count_operations(Emitter *e, const FlowBlock *block);
void emit_return(Emitter *e);
void emit_leave_block(Emitter *e, int32_t block);
void emit_find_dirty(Emitter *e);
bool emit_needs_slot(const Emitter *e, int32_t value);
/* Saves (or gets back) a slot in the warp's frame, at *at; 0: no place yet. */
void emit_frame_copy(Emitter *e, LLVMValueRef slot, uint32_t *at, bool save);
/* by_lane: gives `value` to the lanes of `members` (i32) and waits for theirs. */
void emit_exchange(Emitter *e, LLVMValueRef value, LLVMValueRef members);
LLVMValueRef emit_frame_field(Emitter *e, size_t offset, LLVMTypeRef type);

/* ---- group.c ---- */
void emit_group_begin(Emitter *e);                          /* warp numbers and local memory */
void emit_group(Emitter *e);                                /* the whole function */
void emit_instructions(Emitter *e, const FlowBlock *block); /* of one warp */
/* The address (a register) of an unguarded load or store, where it is linear unless a 32-bit index
 * that it was widened from wraps; else NULL. */
const IrOperand *emit_widened_address(const Emitter *e, const IrInsn *insn);
LLVMValueRef emit_no_wrap(Emitter *e, int32_t extension); /* i1: no lane's index wraps */
void emit_group_frame(Emitter *e, bool save);             /* what is live behind this block */

typedef void EmitFn(Emitter *e, const IrInsn *insn);
#define OP(id, text, pattern, operands, types, effects, emit) EmitFn emit_op_##emit;
#include "ir/ops.def"
#undef OP

/* Compiles one kernel into an LLVM module (context owned by the caller). False with diagnostics. */
typedef struct {
    uint32_t ntid[3];
    uint32_t features;
    bool by_lane;
    bool dump_flow;
    uint32_t without_lane; /* mask of lanes that never run; for tests */
    bool counts;           /* report floating-point operations */
    uint32_t group;        /* warps that run as one, at most; 0: up to the compiler */
    uint32_t stack;        /* bytes a thread for recursion; 0: as usual */
} CodegenOptions;
typedef struct {
    LLVMContextRef context;
    LLVMModuleRef module;
} CodegenResult;
bool codegen_kernel(IrModule *module, const char *kernel, const CodegenOptions *options,
                    CodegenResult *out, Diags *diags);

#endif
