/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps of kernels that were compiled lane by lane: every lane makes progress on its own, as on Volta
 * and later, and lanes meet where the program says so. */
#ifndef GPUKIT_LAUNCH_LANES_H
#define GPUKIT_LAUNCH_LANES_H

#include "launch/abi.h"

/* Which of a set of warps, or of a warp's lanes, runs next: in ascending order, but those that wait for
 * something and gave up their turn from the last to the first. The first is often the one that prepares
 * the next step, and on a GPU the others see what they waited for about as soon as it does. */
static inline uint32_t lanes_next(uint32_t set, uint32_t spun)
{
    return set & spun ? 31 - (uint32_t)__builtin_clz(set & spun) : (uint32_t)__builtin_ctz(set);
}

/* The contract of GkKernel.run_warp, for GK_KERNEL_LANES kernels; frame: kernel->frame_bytes. */
uint64_t lanes_run_warp(const GkKernel *kernel, GkBlock *block, uint32_t warp, uint8_t *frame,
                        uint32_t resume);

#endif
