/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvidia-ml: the functions that gpukit does not have (nvml.def). */
#define GPUKIT_TABLE          "libraries/nvml.def"
#define GPUKIT_REFUSED_STATUS 3 /* NVML_ERROR_NOT_SUPPORTED */
#include "libraries/refused.h"
