/* SPDX-License-Identifier: Apache-2.0
 * A part of curand_kernel.h under its own name. */
#include "curand_kernel.h"
