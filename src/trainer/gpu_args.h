/* SPDX-License-Identifier: Apache-2.0
 *
 * What the GPU kernels are given: one structure for all of them, filled in by gpu.c. Compiled as C
 * and as CUDA. Pictures and activations are [image][row][column][channel]; activations in bf16 or
 * fp16, or 32 bits wide for tf32 and fp32: there is one set of kernels for each. */
#ifndef GPUKIT_TRAINER_GPU_ARGS_H
#define GPUKIT_TRAINER_GPU_ARGS_H

#ifdef __CUDA_ARCH__
typedef unsigned char gpu_u8;
typedef unsigned short gpu_u16;
typedef unsigned int gpu_u32;
typedef unsigned long long gpu_u64;
typedef long long gpu_i64;
#else
#include <stdint.h>
typedef uint8_t gpu_u8;
typedef uint16_t gpu_u16;
typedef uint32_t gpu_u32;
typedef unsigned long long gpu_u64;
typedef long long gpu_i64;
#endif

enum {
    GPU_BLOCKS = 4,
    GPU_CONV_THREADS = 128,
    GPU_WIDE_THREADS = 256,
    GPU_MAX_CLASSES = 64,
    GPU_STAGES = 4,      /* weight tiles in flight in a convolution */
    GPU_UPDATE = 0,      /* gradients and step in one */
    GPU_COLLECT = 1,     /* gradients only, into grads */
    GPU_APPLY = 2,       /* step with the sum of all GPUs' gradients in grads */
    GPU_FIRST_GRID = 528 /* thread blocks of the first block's backward pass */
};

enum { /* GPU_SLICE_bf16, ... */
#define PRECISION(name, bytes, capability, shared, slice) GPU_SLICE_##name = slice,
#include "precision.def"
#undef PRECISION
};

/* What an activation, a weight or a gradient of the matrix products is; the host need not know. */
#ifndef GPU_ELEMENT
#define GPU_ELEMENT void
#endif

/* Sums over the batch are added up as integers: the order of the additions then does not matter,
 * so the same seed gives the same bits. */
#define GPU_SUM_SCALE   16777216.0f       /* 2^24, values */
#define GPU_GRAD_SCALE  17592186044416.0f /* 2^44, gradients */
#define GPU_FIRST_SCALE 1099511627776.0f  /* 2^40, the first convolution's gradient */

typedef struct {
    gpu_u32 place; /* of the picture in its array, or in the ring */
    int x, y, flip, label;
} GpuPick;

typedef struct {
    gpu_u32 next; /* number of the step that the next graph launch runs */
    gpu_u32 step; /* the running one */
    gpu_u32 bad;  /* set when a gradient is not finite */
} GpuControl;

typedef struct {
    GPU_ELEMENT *y;      /* convolution output, then its gradient; not for block 0 */
    GPU_ELEMENT *pooled; /* winners of the 2x2 windows, before batch norm */
    GPU_ELEMENT *act;    /* relu(batch norm(pooled)); not for the last block */
    GPU_ELEMENT *gpool;  /* gradient of act where ReLU passes it; not for the last block */
    GPU_ELEMENT *wf,
        *wb;          /* weights in the order the matrix units take them; backward: not block 0 */
    gpu_i64 *totals;  /* [2][cout] sum and sum of squares of y */
    gpu_i64 *gtotals; /* [2][cout] sum of gradient and of gradient times winner */
    float *line;      /* [4][cout] slope, offset, mean, 1/deviation */
    float *partial;   /* [splits][9 * cin * cout] weight gradients */
    int splits, cin, cout, side;
    gpu_u32 weight, gamma, beta, mean, var;
} GpuBlock;

typedef struct {
    const gpu_u8 *pictures[2]; /* training, test: [count][stored][stored][3]; or both the ring */
    int ring;                  /* steps whose pictures the ring holds; 0: all pictures are here */
    const int *labels;         /* of the training pictures */
    gpu_u32 counts[2];
    int stored, size, batch, classes;
    gpu_u32 steps_per_epoch;
    gpu_u64 seed;
    GpuControl *control;
    GpuPick *picks;
    const float *rates; /* [total steps] */
    float *stats;       /* [total steps][2]: mean loss, right answers */
    float *params, *momentum, *running;
    gpu_i64 *zeroed; /* all totals, one after the other */
    gpu_u32 zeroed_count;
    gpu_i64 *first_grad; /* [32][32]: rows are ky, kx, channel */
    float *features, *dlogits, *ghead, *losses, *logits;
    float
        grad_scale; /* of the stored gradients: a power of two that keeps them in fp16's range; 1 */
    float *grads;   /* for checks and for several GPUs; else NULL */
    gpu_u32 fc_weight, fc_bias, param_count;
    int rank, ranks; /* of the GPUs of this run; each takes `batch` pictures of a step */
    int phase;       /* k_update: GPU_UPDATE, or GPU_COLLECT and, after the sum, GPU_APPLY */
    int eval;        /* 1: test pictures from eval_base on, running statistics */
    gpu_u32 eval_base, eval_place; /* place of the first one in the ring */
    GpuBlock block[GPU_BLOCKS];
} GpuArgs;

/* Output channels of a thread block of the convolution kernels, [block][forward, backward]: the
 * packed weights follow it. */
#define GPU_TILE_FORWARD(block)  ((block) == 0 ? 32 : 64)
#define GPU_TILE_BACKWARD(block) ((block) == 1 ? 32 : 64)

/* Shared memory by the precision's slice (precision.def) and the bytes of an element (2 or 4):
 * input channels of a convolution's tile at a time, depth of its weight tiles, channels and buffers
 * of the weight gradient, and the bytes between rows that keep them on different banks. */
#define GPU_SLICE(most, cin)           ((cin) < (most) ? (cin) : (most))
#define GPU_DEPTH(bytes, cin)          ((cin) < 128 / (bytes) ? (cin) : 128 / (bytes))
#define GPU_WGRAD_INPUTS(bytes, block) ((bytes) == 2 && (block) > 1 ? 64 : 32)
#define GPU_WGRAD_BUFFERS(bytes)       ((bytes) == 2 ? 3 : 2)
#define GPU_WGRAD_PAD(bytes)           ((bytes) == 2 ? 16 : 32)

#endif
