/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps of kernels that were compiled lane by lane: every lane makes progress on its own, as on Volta
 * and later, and lanes meet where the program says so. */
#ifndef GPUKIT_LAUNCH_LANES_H
#define GPUKIT_LAUNCH_LANES_H

#include "launch/abi.h"

/* The contract of GkKernel.run_warp, for GK_KERNEL_LANES kernels; frame: kernel->frame_bytes. */
uint64_t lanes_run_warp(const GkKernel *kernel, GkBlock *block, uint32_t warp, uint8_t *frame,
                        uint32_t resume);

#endif
