/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: errors of the calling thread, names and texts. */
#include "runtime/cudart.h"

static _Thread_local int last_error;

cudaError_t fin(int error)
{
    if (error)
        last_error = error;
    return (cudaError_t)error;
}

/* An error that corrupted the context is not cleared by asking for it. */
static bool stays(int error)
{
    const Device *device = rt_device();
    return device && error && device->sticky(cudart_device) == error;
}

cudaError_t cudaGetLastError(void)
{
    int error = last_error;
    if (!stays(error))
        last_error = 0;
    return (cudaError_t)error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return (cudaError_t)last_error;
}

static const struct {
    int number;
    const char *name, *text;
} errors[] = {
#define ERROR(number, name, text) {number, #name, text},
#include "runtime/errors.def"
#undef ERROR
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == (int)error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == (int)error)
            return errors[i].text;
    return "unrecognized error code";
}

int gk_refuse_runtime(const char *name);
int gk_refuse_runtime(const char *name)
{
    rt_refuse(name);
    return fin(RT_NOT_SUPPORTED);
}
