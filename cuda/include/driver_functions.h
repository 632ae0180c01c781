/* SPDX-License-Identifier: Apache-2.0
 * make_cudaExtent, make_cudaPos, make_cudaPitchedPtr: where they stand. */
#include "cuda_runtime_api.h"
