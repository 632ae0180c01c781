/* SPDX-License-Identifier: Apache-2.0
 * The primitives interface of asynchronous copies. (The class interface is <cuda/pipeline>, which
 * belongs to libcu++ and is not part of gpukit.) */
#include "cuda_pipeline_primitives.h"
