/* SPDX-License-Identifier: Apache-2.0
 * What a .cu file gets without asking: the runtime API, its C++ templates, and in clang's CUDA
 * mode the device functions, the mathematics and the launch support. gpukit includes this file
 * before the first line of every .cu file. */
#ifndef GPUKIT_CUDA_RUNTIME_H
#define GPUKIT_CUDA_RUNTIME_H
#include "gpukit/letters_push.h"
#define __CUDA_RUNTIME_H__ 1

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
/* clang's own CUDA headers ask for this (their newest branches begin at 11.0). */
#ifndef CUDA_VERSION
#define CUDA_VERSION 13000
#endif

#if defined(__CUDA__) && defined(__clang__)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifdef GPUKIT_RDC
#define __CUDACC_RDC__ 1
#endif
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#include "gpukit/device.h"
#endif

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "driver_types.h"
#include "host_config.h"
#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__cplusplus)
#include "gpukit/runtime_templates.h"
#if defined(__CUDA__) && defined(__clang__)
#include "gpukit/device_launch.h"
#include "gpukit/texture_reference.h"
/* CUB 1's name for waiting in a kernel for its children, which CUDA 12 no longer has. */
extern "C" __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
#endif
#endif

#include "gpukit/letters_pop.h"
#endif
