/* SPDX-License-Identifier: Apache-2.0
 * threadIdx, blockIdx, blockDim, gridDim, warpSize: clang's CUDA mode defines them. */
#ifndef GPUKIT_DEVICE_LAUNCH_PARAMETERS_H
#define GPUKIT_DEVICE_LAUNCH_PARAMETERS_H
#include "vector_types.h"
#endif
