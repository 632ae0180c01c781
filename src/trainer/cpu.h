/* SPDX-License-Identifier: Apache-2.0
 *
 * CPU back end: one training step or one prediction over a batch, in fp32, on a thread pool. All
 * its memory is one mapping made at the start. Results do not depend on the number of threads. */
#ifndef GPUKIT_TRAINER_CPU_H
#define GPUKIT_TRAINER_CPU_H

#include "trainer/cpu_kernels.h"
#include "trainer/net.h"
#include "trainer/pool.h"

typedef struct CpuNet CpuNet;

/* A picture of the batch: stored bytes [side][side][3], where the crop starts, mirrored or not. */
typedef struct {
    const uint8_t *pixels;
    int side, x, y, flip, label;
} CpuPicture;

/* Adds up doubles over the ranks of a data-parallel run; NULL means one rank. */
typedef void CpuReduceFn(void *context, double *values, size_t count);

/* NULL when there is no memory; *need tells how many bytes were asked for. */
CpuNet *cpu_new(const Net *net, int batch, Pool *pool, const CpuKernels *kernels, NetState *state,
                size_t *need);
void cpu_free(CpuNet *cpu);
void cpu_set_ranks(CpuNet *cpu, int ranks, CpuReduceFn *reduce, void *context);

/* Forward and backward: fills the gradients; returns the mean loss and counts the right answers
 * (over all ranks). */
double cpu_gradients(CpuNet *cpu, const CpuPicture *pictures, int count, double *right);
const float *cpu_grads(const CpuNet *cpu);
/* Momentum step with Nesterov's look-ahead and weight decay. */
void cpu_update(CpuNet *cpu, double rate);
/* Logits [count][classes] with the running statistics. count <= batch. */
void cpu_predict(CpuNet *cpu, const CpuPicture *pictures, int count, float *logits);

#endif
