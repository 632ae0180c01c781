/* SPDX-License-Identifier: Apache-2.0
 * The profiler control of the driver and the runtime API. */
#ifndef GPUKIT_CUDAPROFILER_H
#define GPUKIT_CUDAPROFILER_H

#include "cuda.h"
#include "cuda_runtime_api.h"

/* Withdrawn by NVIDIA, refused at the call. */
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;
#ifdef __cplusplus
extern "C" {
#endif
CUresult cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);
#ifdef __cplusplus
}
#endif
#endif
