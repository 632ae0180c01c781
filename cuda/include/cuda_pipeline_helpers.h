/* SPDX-License-Identifier: Apache-2.0
 * Nothing to add to the copies of cuda_pipeline_primitives.h. */
#include "cuda_pipeline_primitives.h"
