/* SPDX-License-Identifier: Apache-2.0
 * The interface of CUDA 3 to cuBLAS, without handles, is not supported. */
#ifndef GPUKIT_CUBLAS_H
#define GPUKIT_CUBLAS_H
#error "gpukit: cublas.h (the cuBLAS interface without handles) is not supported; use cublas_v2.h"
#endif
