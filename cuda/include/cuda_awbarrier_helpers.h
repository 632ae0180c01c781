/* SPDX-License-Identifier: Apache-2.0
 * Nothing to add to the barriers of cuda_awbarrier_primitives.h. */
#include "cuda_awbarrier_primitives.h"
