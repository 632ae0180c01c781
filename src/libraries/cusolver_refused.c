/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusolver: the functions that gpukit does not have (cusolver.def). */
#define GPUKIT_TABLE          "libraries/cusolver.def"
#define GPUKIT_REFUSED_STATUS 9 /* CUSOLVER_STATUS_NOT_SUPPORTED */
#include "libraries/refused.h"
