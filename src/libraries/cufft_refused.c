/* SPDX-License-Identifier: Apache-2.0
 *
 * libcufft: the functions that gpukit does not have (cufft.def). */
#define GPUKIT_TABLE          "libraries/cufft.def"
#define GPUKIT_REFUSED_STATUS 16 /* CUFFT_NOT_SUPPORTED */
#include "libraries/refused.h"
