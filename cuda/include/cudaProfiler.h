/* SPDX-License-Identifier: Apache-2.0
 * The profiler control of the driver and the runtime API. */
#include "cuda.h"
#include "cuda_runtime_api.h"
