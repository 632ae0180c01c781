/* SPDX-License-Identifier: Apache-2.0
 *
 * GPU back end beyond backend.h: what the tests and the bench look at. */
#ifndef GPUKIT_TRAINER_GPU_H
#define GPUKIT_TRAINER_GPU_H

#include "trainer/backend.h"

/* Runs one step and copies its gradients (param_count floats). 0 or -1. */
int gpu_check_step(Backend *backend, const BackendPart *part, BackendSums *sums, float *grads);
/* Runs the forward kernels of the next step, whose number the device then counts as taken. 0 or -1. */
int gpu_check_forward(Backend *backend);
typedef enum { GPU_PEEK_Y, GPU_PEEK_DY, GPU_PEEK_POOLED, GPU_PEEK_ACT, GPU_PEEK_GPOOL } GpuPeek;
/* A block's activations or gradients of the last batch, widened to double. Y and DY share their
 * place: the convolution's output, after a step its gradient. -1 where the block has no such array. */
int gpu_peek(Backend *backend, int block, GpuPeek which, double *out);
/* What the last batch's pictures were: place, x, y, flip, label of each. */
int gpu_peek_picks(Backend *backend, int *out);
/* Milliseconds of each kernel, launched alone `repeat` times: calls print(name, ms). 0 or -1. */
int gpu_time_kernels(Backend *backend, int repeat, void (*print)(const char *name, double ms));

#endif
