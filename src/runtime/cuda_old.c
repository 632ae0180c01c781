/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: launches as they were before CUDA 4, in steps: a function keeps its block, its shared memory and the bytes
 * of its parameters until it is launched. Texture references as parameters are refused. */
#include "runtime/cuda_driver.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 4096 };

typedef struct Steps {
    struct Steps *next;
    const RtKernel *kernel;
    unsigned block[3], shared, bytes;
    unsigned char parameters[PARAMETERS];
} Steps;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Steps *all;

/* NULL: no function. */
static Steps *steps_of(CUfunction function)
{
    const RtKernel *kernel = rt_kernel(function);
    pthread_mutex_lock(&lock);
    Steps *steps = all;
    while (steps && steps->kernel != kernel)
        steps = steps->next;
    if (!steps && kernel) {
        steps = xcalloc(1, sizeof *steps);
        *steps = (Steps){.next = all, .kernel = kernel, .block = {1, 1, 1}};
        all = steps;
    }
    pthread_mutex_unlock(&lock);
    return kernel ? steps : NULL;
}

#define STEPS(function)                                                                            \
    BEGIN;                                                                                         \
    Steps *steps = steps_of(function);                                                             \
    if (!steps)                                                                                    \
    return RT_INVALID_HANDLE

CU cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
int cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
    STEPS(function);
    if (x < 1 || y < 1 || z < 1)
        return RT_INVALID_VALUE;
    memcpy(steps->block, (unsigned[]){(unsigned)x, (unsigned)y, (unsigned)z}, sizeof steps->block);
    return RT_OK;
}

CU cuFuncSetSharedSize(CUfunction function, unsigned bytes);
int cuFuncSetSharedSize(CUfunction function, unsigned bytes)
{
    STEPS(function);
    steps->shared = bytes;
    return RT_OK;
}

CU cuParamSetSize(CUfunction function, unsigned bytes);
int cuParamSetSize(CUfunction function, unsigned bytes)
{
    STEPS(function);
    if (bytes > PARAMETERS)
        return RT_INVALID_VALUE;
    steps->bytes = bytes;
    return RT_OK;
}

CU cuParamSetv(CUfunction function, int offset, const void *value, unsigned bytes);
int cuParamSetv(CUfunction function, int offset, const void *value, unsigned bytes)
{
    STEPS(function);
    if (offset < 0 || offset > PARAMETERS || bytes > PARAMETERS - (unsigned)offset ||
        (bytes && !value))
        return RT_INVALID_VALUE;
    memcpy(steps->parameters + offset, value, bytes);
    return RT_OK;
}

CU cuParamSeti(CUfunction function, int offset, unsigned value);
int cuParamSeti(CUfunction function, int offset, unsigned value)
{
    return cuParamSetv(function, offset, &value, sizeof value);
}

CU cuParamSetf(CUfunction function, int offset, float value);
int cuParamSetf(CUfunction function, int offset, float value)
{
    return cuParamSetv(function, offset, &value, sizeof value);
}

CU cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                  unsigned bz, unsigned shared, CUstream stream, void **params, void **extra);

CU cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream);
int cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
    enum { BUFFER = 1, BUFFER_BYTES = 2 };
    STEPS(function);
    if (width < 1 || height < 1)
        return RT_INVALID_VALUE;
    size_t bytes = steps->bytes;
    void *extra[] = {(void *)BUFFER, steps->parameters, (void *)BUFFER_BYTES, &bytes, NULL};
    return cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, steps->block[0],
                          steps->block[1], steps->block[2], steps->shared, stream, NULL, extra);
}

CU cuLaunchGrid(CUfunction function, int width, int height);
int cuLaunchGrid(CUfunction function, int width, int height)
{
    return cuLaunchGridAsync(function, width, height, NULL);
}

CU cuLaunch(CUfunction function);
int cuLaunch(CUfunction function)
{
    return cuLaunchGridAsync(function, 1, 1, NULL);
}
