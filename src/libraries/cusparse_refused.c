/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusparse: the functions that gpukit does not have (cusparse.def). */
#define GPUKIT_TABLE          "libraries/cusparse.def"
#define GPUKIT_REFUSED_STATUS 10 /* CUSPARSE_STATUS_NOT_SUPPORTED */
#include "libraries/refused.h"
