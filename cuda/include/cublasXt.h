/* SPDX-License-Identifier: Apache-2.0
 * cuBLAS over several devices at once is not supported. */
#ifndef GPUKIT_CUBLASXT_H
#define GPUKIT_CUBLASXT_H
#error "gpukit: cublasXt is not supported; call cuBLAS for each device"
#endif
