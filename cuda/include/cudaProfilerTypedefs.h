/* SPDX-License-Identifier: Apache-2.0
 * Types of pointers to the driver's profiler functions (cudaTypedefs.h). */
#ifndef GPUKIT_CUDAPROFILERTYPEDEFS_H
#define GPUKIT_CUDAPROFILERTYPEDEFS_H
#include "gpukit/letters_push.h"

#include <cudaProfiler.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef __typeof__(&cuProfilerStart) PFN_cuProfilerStart_v4000, PFN_cuProfilerStart;
typedef __typeof__(&cuProfilerStop) PFN_cuProfilerStop_v4000, PFN_cuProfilerStop;
#ifdef __cplusplus
}
#endif

#include "gpukit/letters_pop.h"
#endif
