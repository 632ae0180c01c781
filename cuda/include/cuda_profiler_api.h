/* SPDX-License-Identifier: Apache-2.0
 * cudaProfilerStart and cudaProfilerStop stand in cuda_runtime_api.h. */
#include "cuda_runtime_api.h"
