/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: the functions that gpukit does not have (cublas.def). */
#define GPUKIT_TABLE          "libraries/cublas.def"
#define GPUKIT_REFUSED_STATUS 15 /* CUBLAS_STATUS_NOT_SUPPORTED */
#include "libraries/refused.h"
