/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract between compiled kernels (codegen/ writes code that reads these structures at fixed
 * offsets) and the launcher (launch/ fills them in and calls the code). Change it only together with
 * GK_ABI_VERSION, which is part of every cache key.
 *
 * Addresses. Device pointers that programs see lie in a window that the host may not touch; the
 * engine reaches the same memory at address + GK_DELTA. Shared and local memory of a running block
 * are ordinary host memory; their generic address is host address - GK_DELTA, so that one rule
 * (address + GK_DELTA) serves every generic access. `.shared` addresses are 32-bit offsets from the
 * block's shared base.
 *
 * Execution. One warp is one call of a vector function over 32 lanes. A kernel without suspension
 * points is called once per block (run_block). A kernel with block barriers or spinning loops is
 * called per warp (run_warp) and returns when it must wait; it keeps its live values in the warp's
 * frame and is called again with the resume number it returned. */
#ifndef GPUKIT_LAUNCH_ABI_H
#define GPUKIT_LAUNCH_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
    GK_ABI_VERSION = 10,
    GK_WARP = 32,
    GK_CLUSTER_SHIFT = 24,
    GK_CLUSTER_MAX = 16,
    GK_MBAR_BITS = 20
};

/* Operations on memory barriers: the service's argument `what`. */
typedef enum {
    GK_MBAR_INIT,
    GK_MBAR_INVAL,
    GK_MBAR_EXPECT,
    GK_MBAR_COMPLETE,
    GK_MBAR_ARRIVE,
    GK_MBAR_DROP,
    GK_MBAR_ARRIVE_EXPECT,
    GK_MBAR_DROP_EXPECT,
    GK_MBAR_TEST,
    GK_MBAR_TEST_PARITY
} GkMbarrier;
typedef enum {
    GK_BULK_COPY,
    GK_BULK_ADD,
    GK_BULK_MIN,
    GK_BULK_MAX,
    GK_BULK_INC,
    GK_BULK_DEC,
    GK_BULK_AND,
    GK_BULK_OR,
    GK_BULK_XOR
} GkBulkOperation;
typedef enum {
    GK_BULK_U32,
    GK_BULK_S32,
    GK_BULK_U64,
    GK_BULK_S64,
    GK_BULK_F32,
    GK_BULK_F64
} GkBulkType;
#define GK_BULK(operation, type) ((uint32_t)(operation) << 8 | (type))
#define GK_DELTA                 ((uint64_t)1 << 38)

struct GkBlock;

/* What kernels call back. mask: active lanes; per-lane arrays have 32 elements, inactive ones are
 * undefined. None of these returns on an error: they leave the kernel through the launcher. */
/* Events for event_hook: operations of a stretch of code, per lane; f32 in the low half of the value,
 * f64 in the high half. */
enum { GK_EVENT_OPERATIONS = 1 };

typedef struct GkServices {
    /* Ends the kernel with a CUDA error (700 illegal address, 715 illegal instruction,
     * 716 misaligned, 717 invalid address space, 719 launch failure/trap, 710 assert). line: source
     * line or 0. */
    void (*fault)(struct GkBlock *block, uint32_t warp, uint32_t mask, uint32_t error,
                  uint64_t address, uint32_t line);
    /* vprintf(format, args) for each active lane: generic addresses per lane; result per lane. */
    void (*vprintf)(struct GkBlock *block, uint32_t warp, uint32_t mask, const uint64_t *format,
                    const uint64_t *args, int32_t *result);
    /* __assertfail(message, file, line, function, charsize): ends the kernel with 710. */
    void (*assertfail)(struct GkBlock *block, uint32_t warp, uint32_t mask, const uint64_t *message,
                       const uint64_t *file, const uint32_t *line, const uint64_t *function);
    void (*malloc)(struct GkBlock *block, uint32_t mask, const uint64_t *bytes, uint64_t *result);
    void (*free)(struct GkBlock *block, uint32_t mask, const uint64_t *address);
    /* Function pointers: device "addresses" of functions are indices + 1 in the kernel's table. */
    uint64_t (*globaltimer)(void); /* nanoseconds */
    void (*nanosleep)(uint32_t nanoseconds);
    /* Texture and surface instructions (launch/texture.h); op: a constant GkTextureOp. */
    void (*texture)(struct GkBlock *block, uint32_t mask, const void *op, const uint64_t *handles,
                    const uint32_t *coordinates, void *values);
    /* Memory barriers (launch/mbarrier.h); what: GkMbarrier; host addresses and operands per lane. */
    void (*mbarrier)(struct GkBlock *block, uint32_t mask, uint32_t what, const uint64_t *at,
                     const uint64_t *operand, uint64_t *result);
    /* Bulk copies, and reductions where `reduce` is not 0: GK_BULK(operation, type). */
    void (*bulk)(struct GkBlock *block, uint32_t mask, uint32_t reduce, const uint64_t *to,
                 const uint64_t *from, const uint64_t *bytes);
    /* Observers (checks, profile): reserved; called only by code compiled with hooks. */
    void (*memory_hook)(struct GkBlock *block, uint32_t warp, uint32_t mask,
                        const uint64_t *address, uint32_t bytes, uint32_t access, uint32_t site);
    void (*event_hook)(struct GkBlock *block, uint32_t warp, uint32_t mask, uint32_t event,
                       uint64_t value, uint32_t site);
    /* Dynamic parallelism. child_buffer: a parameter buffer for the kernel with this number; shape:
     * [7][32] grid x y z, block x y z, dynamic shared bytes. child_launch: that grid runs after this
     * one; result: a CUDA error per lane. */
    void (*child_buffer)(struct GkBlock *block, uint32_t mask, const uint64_t *function,
                         const uint32_t *shape, uint64_t *result);
    void (*child_launch)(struct GkBlock *block, uint32_t mask, const uint64_t *buffer,
                         const uint64_t *stream, uint32_t *result);
} GkServices;

/* One per launch; read only while the kernel runs, but for the workspace. */
typedef struct GkGrid {
    const uint8_t *params;     /* parameter block, laid out as the PTX .param list says */
    const uint64_t *variables; /* device address of each .global/.const variable, by index */
    const GkServices *services;
    uint32_t nctaid[3], ntid[3];
    uint32_t warps;          /* per block */
    uint32_t static_shared;  /* bytes */
    uint32_t dynamic_shared; /* bytes, behind the static part (aligned to 16) */
    uint32_t nsmid;
    uint64_t gridid;
    uint64_t threads;        /* of the whole grid */
    volatile uint32_t *stop; /* non-zero: the launch is being abandoned */
    void *launch;            /* the launcher's own */
    uint32_t cluster[3];     /* blocks of a cluster in each direction, 1 without clusters */
    uint32_t explicit_cluster;
    uint32_t pad[16]; /* what follows is written: not on the line of the fields above */
    uint32_t workspace
        [2]; /* cooperative groups: bytes, grid barrier; %envreg1 and %envreg2 point here */
} GkGrid;

/* One per resident block. */
typedef struct GkBlock {
    const GkGrid *grid;
    uint8_t *shared;      /* host address of the block's shared memory */
    uint8_t *local;       /* host address of local memory: lane l of warp w owns
                        local + (w * 32 + l) * local_bytes .. + local_bytes */
    uint64_t local_bytes; /* per lane, a multiple of 16 */
    uint32_t ctaid[3];
    uint32_t smid;
    uint32_t reduce; /* result of the last bar.red of this block, set by the launcher */
    uint32_t
        cluster_rank; /* shared memory of rank r lies (r - cluster_rank) << GK_CLUSTER_SHIFT away */
    void *owner;      /* the launcher's own */
} GkBlock;

/* What run_warp returns: 0 = the warp has ended. Else GK_SUSPEND(kind, resume): */
enum {
    GK_KIND_BARRIER = 1,        /* bar.sync: frame header says which barrier */
    GK_KIND_ARRIVE = 2,         /* bar.arrive: counts, does not wait */
    GK_KIND_YIELD = 3,          /* spinning: run others first */
    GK_KIND_CLUSTER_ARRIVE = 5, /* barrier.cluster */
    GK_KIND_CLUSTER_WAIT = 6,
    GK_KIND_EXCHANGE = 4, /* lane by lane only: waits for the lanes named in the frame's mask */
};
#define GK_SUSPEND(kind, resume) ((uint64_t)(kind) << 32 | (resume))

/* Head of a warp's frame; the kernel's saved values follow at offset 64. */
typedef struct GkFrame {
    uint32_t barrier;       /* 0..15 */
    uint32_t threads;       /* 0 = all of the block */
    uint32_t reduce_op;     /* 0 none, 1 popc, 2 and, 3 or */
    uint32_t reduce_value;  /* this warp's contribution (popc: count; and/or: 0 or 1) */
    uint32_t mask;          /* lanes that arrived */
    uint32_t line;          /* source line of the suspension, 0 unknown */
    uint32_t reduce_result; /* written by the launcher before the warp goes on */
    uint32_t pad;
    uint64_t value; /* GK_KIND_EXCHANGE: what this lane gives */
    uint32_t pad2[6];
} GkFrame;

/* Kernels that run lane by lane (GK_KERNEL_LANES): each lane is a coroutine of its own, run_warp takes
 * the thread's number in the block. The warp's frame is this header and 32 lane frames behind it. */
typedef struct GkLanes {
    GkFrame head; /* what the warp as a whole waits for */
    uint32_t resume[GK_WARP];
    uint32_t ended, at_barrier, at_exchange, spun; /* spun: gave up its turn when it last ran */
    uint32_t pad[12];
} GkLanes;

typedef struct GkLaneFrame {
    GkFrame head;
    uint64_t given[GK_WARP]; /* after an exchange: what each lane gave; head.reduce_result: which
                                lanes took part, head.reduce_value: their lowest bits */
} GkLaneFrame;

enum {
    GK_KERNEL_SUSPENDS = 1, /* use run_warp; else run_block */
    GK_KERNEL_SPINS = 2,    /* may wait for other blocks: keep several resident, honour yields */
    GK_KERNEL_LOCAL = 4,    /* uses local memory */
    GK_KERNEL_PRINTS = 8,
    GK_KERNEL_LANES = 16, /* lane by lane: independent progress, no vectors */
    GK_KERNEL_STACK = 32, /* has a stack for recursion, of the size it was compiled for */
};

/* The address of a fault 719: what trapped. */
enum { GK_TRAP_PROGRAM, GK_TRAP_STACK };

/* Exported by each compiled kernel object under the name "gpukit_kernel". */
typedef struct GkKernel {
    uint32_t abi_version;
    uint32_t flags;
    uint32_t frame_bytes;   /* per warp, header included, a multiple of 64; 0 without suspension */
    uint32_t local_bytes;   /* per lane: local arrays of the kernel and of what it calls, plus
                               room for recursion when it has any */
    uint32_t static_shared; /* bytes */
    uint32_t ntid[3];       /* block shape the code was specialised for; 0 = any */
    uint32_t warps;         /* one call of run_warp runs as many, with one frame; 0 and 1: one */
    void (*run_block)(GkBlock *block);
    uint64_t (*run_warp)(GkBlock *block, uint32_t warp, uint8_t *frame, uint32_t resume);
    const char *name;
    const char *fidelity; /* "NAME.approx" for each approximate instruction in it */
} GkKernel;

#endif
