/* SPDX-License-Identifier: Apache-2.0
 * Of cuFFT's extended interface gpukit has cufftXtMakePlanMany and cufftXtExec in single and double
 * precision (cufft.h); several devices and callbacks are refused when they are called. */
#ifndef GPUKIT_CUFFTXT_H
#define GPUKIT_CUFFTXT_H
#include "cufft.h"
#endif
