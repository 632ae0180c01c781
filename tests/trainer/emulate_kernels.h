/* SPDX-License-Identifier: Apache-2.0
 *
 * Between emulate.cc and the kernels, which emulate_kernels.cc compiles once for each precision. */
#ifndef GPUKIT_TESTS_EMULATE_KERNELS_H
#define GPUKIT_TESTS_EMULATE_KERNELS_H

#include "../../src/trainer/kernels/device.h"

struct EmulatedKernel {
    const char *name; /* NULL behind the last */
    void (*function)(GpuArgs);
};

#define PRECISION(name, bytes, capability, shared, slice)                                          \
    extern const EmulatedKernel emulated_##name[];
#include "../../src/trainer/precision.def"
#undef PRECISION

#endif
