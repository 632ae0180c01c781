/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA driver library, opened at run time. Declarations follow the documented driver API. */
#ifndef GPUKIT_TRAINER_CUDA_DRIVER_H
#define GPUKIT_TRAINER_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
#define CUDA_CALL(field, symbol, arguments) int(*field) arguments;
#include "trainer/cuda_driver.def"
#undef CUDA_CALL
} CudaDriver;

enum { /* of cuDeviceGetAttribute, cuFuncSetAttribute, cuStreamCreate, cuEventCreate, capture */
       CUDA_MULTIPROCESSORS = 16,
       CUDA_MAJOR = 75,
       CUDA_MINOR = 76,
       CUDA_SHARED_LIMIT = 97,
       CUDA_FUNCTION_SHARED = 8,
       CUDA_STREAM_ALONE = 1,
       CUDA_EVENT_NO_TIME = 2,
       CUDA_CAPTURE_THREAD = 1,
       CUDA_ERROR_NO_DEVICE = 100,
       CUDA_ERROR_MEMORY = 2,
};

typedef enum { /* CUDA_bf16, ... */
#define PRECISION(name, bytes, capability, shared, slice) CUDA_##name,
#include "trainer/precision.def"
#undef PRECISION
               CUDA_PRECISIONS
} CudaPrecision;

typedef struct {
    const char *name;
    int bytes, capability, shared, slice; /* as in precision.def */
} CudaPrecisionRow;
extern const CudaPrecisionRow cuda_precisions[CUDA_PRECISIONS];

/* NULL when libcuda.so.1 is absent or too old; *reason then tells (static text). */
const CudaDriver *cuda_driver(const char **reason);
/* Tests put another implementation in its place, with modules by precision; NULL takes it away. */
void cuda_driver_replace(const CudaDriver *driver, const void *const kernels[CUDA_PRECISIONS]);
/* The embedded kernels of a precision: a fat binary, or PTX. */
const void *cuda_kernels(CudaPrecision precision);

#endif
