/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurand: the functions that gpukit does not have (curand.def). */
#define GPUKIT_TABLE          "libraries/curand.def"
#define GPUKIT_REFUSED_STATUS 103 /* CURAND_STATUS_TYPE_ERROR */
#include "libraries/refused.h"
