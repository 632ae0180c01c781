/* SPDX-License-Identifier: Apache-2.0
 * NVTX under its newer path. */
#include "../nvToolsExt.h"
