/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory barriers in shared memory, and bulk copies: services of kernels (abi.h). A block, and all
 * blocks of a cluster, run on one thread, so that the barrier's word needs no atomic access.
 * PTX ISA: "Parallel Synchronization and Communication Instructions: mbarrier". */
#ifndef GPUKIT_LAUNCH_MBARRIER_H
#define GPUKIT_LAUNCH_MBARRIER_H

#include "launch/abi.h"

void mbarrier_access(GkBlock *block, uint32_t mask, uint32_t what, const uint64_t *at,
                     const uint64_t *operand, uint64_t *result);
void bulk_access(GkBlock *block, uint32_t mask, uint32_t reduce, const uint64_t *to,
                 const uint64_t *from, const uint64_t *bytes);

#endif
