/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublasLt: the functions that gpukit does not have (cublaslt.def). */
#define GPUKIT_TABLE          "libraries/cublaslt.def"
#define GPUKIT_REFUSED_STATUS 15 /* CUBLAS_STATUS_NOT_SUPPORTED */
#include "libraries/refused.h"
