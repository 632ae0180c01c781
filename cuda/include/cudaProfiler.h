/* SPDX-License-Identifier: Apache-2.0
 * The profiler control of the runtime API.
#include "cuda_runtime_api.h"
