/* SPDX-License-Identifier: Apache-2.0
 * Descriptors of data that lies on several devices, as cuFFT's extended interface takes them (cufftXt.h). */
#ifndef GPUKIT_CUDALIBXT_H
#define GPUKIT_CUDALIBXT_H
#include "gpukit/letters_push.h"

#include <stddef.h>

#define CUDA_XT_DESCRIPTOR_VERSION 0x01000000
#define MAX_CUDA_DESCRIPTOR_GPUS   64

typedef enum cudaXtCopyType_t {
    LIB_XT_COPY_HOST_TO_DEVICE = 0,
    LIB_XT_COPY_DEVICE_TO_HOST = 1,
    LIB_XT_COPY_DEVICE_TO_DEVICE = 2
} cudaLibXtCopyType;
typedef enum libFormat_t { LIB_FORMAT_CUFFT = 0, LIB_FORMAT_UNDEFINED = 1 } libFormat;

typedef struct cudaXtDesc_t {
    int version, nGPUs;
    int GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
    void *data[MAX_CUDA_DESCRIPTOR_GPUS];
    size_t size[MAX_CUDA_DESCRIPTOR_GPUS];
    void *cudaXtState;
} cudaXtDesc;
typedef struct cudaLibXtDesc_t {
    int version;
    cudaXtDesc *descriptor;
    libFormat library;
    int subFormat;
    void *libDescriptor;
} cudaLibXtDesc;

#include "gpukit/letters_pop.h"
#endif
