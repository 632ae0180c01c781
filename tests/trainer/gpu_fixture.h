/* SPDX-License-Identifier: Apache-2.0
 *
 * A made-up data set in memory and the comparison of the GPU kernels with their twins in double,
 * for the tests on the emulator and on gpukit's engine and for the check on a real GPU. */
#ifndef GPUKIT_TESTS_GPU_FIXTURE_H
#define GPUKIT_TESTS_GPU_FIXTURE_H

#include "trainer/gpu.h"
#include "trainer/oracle.h"

typedef struct {
    Dataset data;
    Net net;
    NetState state;
    Pool *pool;
    Diags diags;
    OracleRounding precision;
} GpuFixture;

/* What a precision is called, and the largest relative errors allowed: of a convolution, of what is
 * rounded afterwards, of sums over the batch, of the weight gradient of block 0 (whose convolution is
 * never stored, so its twin takes its own, where a rounding can give a window another winner) and of
 * the gradients of a whole step (the same in every block). fp32: the matrix units cut sums off
 * instead of rounding them; an H200 is 1e-6 to 1.5e-5 off. */
typedef struct {
    const char *name;
    double convolution, rounded, sum, first_sum, step;
} GpuLimits;
extern const GpuLimits gpu_limits[ORACLE_DOUBLE]; /* by precision */

void gpu_fixture_new(GpuFixture *f, int size, int classes, size_t train, size_t test);
void gpu_fixture_free(GpuFixture *f);
BackendConfig gpu_fixture_config(GpuFixture *f, int batch);

/* Each kernel of a step alone against its twin in double, fed with what the GPU itself had as
 * input. Prints a line each when loud; returns how many are off, -1 when a step failed. */
int gpu_compare_kernels(GpuFixture *f, int batch, int loud);
/* A whole step: the largest relative error of a tensor's gradient or running statistics; prints
 * each when loud. *loss_error: relative. -1 when the step failed. */
double gpu_compare_step(GpuFixture *f, int batch, double *loss_error, int loud);

#endif
