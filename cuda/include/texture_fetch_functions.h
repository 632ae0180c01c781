/* SPDX-License-Identifier: Apache-2.0
 * Nothing to add: cuda_runtime.h brings these declarations to every .cu file. */
#include "cuda_runtime.h"
