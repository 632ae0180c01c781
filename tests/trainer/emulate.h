/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in for the CUDA driver that runs gpukit's training kernels on the host, thread by thread:
 * the test of the kernels, and of gpu.c, where there is no GPU. */
#ifndef GPUKIT_TESTS_EMULATE_H
#define GPUKIT_TESTS_EMULATE_H

#include "trainer/cuda_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

const CudaDriver *emulated_driver(void);
extern const void *const emulated_modules[CUDA_PRECISIONS];
extern int emulated_capability;      /* ten times the compute capability */
extern size_t emulated_free_memory;  /* what the driver says is free */
extern size_t emulated_memory_limit; /* bytes that can be taken */
extern int emulated_poison;          /* so many graphs from now, parameters become infinite */

#ifdef __cplusplus
}
#endif

#endif
