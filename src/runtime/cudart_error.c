/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: errors of the calling thread, names and texts. */
#include "runtime/cudart.h"

static _Thread_local int last_error;

cudaError_t fin_from(int error, const char *function)
{
    if (error) {
        last_error = error;
        rt_log_call("CUDART", error, cudaGetErrorName((cudaError_t)error), function);
    }
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
    return fin_from(RT_NOT_SUPPORTED, name);
}

/* --- the error log ------------------------------------------------------------------------- */

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void *data,
                                     cudaLogsCallbackHandle *callback)
{
    return fin(rt_log_callback_add((RtLogFunction)function, data, (void **)callback));
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback)
{
    return fin(rt_log_callback_remove(callback));
}

cudaError_t cudaLogsCurrent(cudaLogIterator *iterator, unsigned flags)
{
    return fin(rt_log_current(iterator, flags));
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path, unsigned flags)
{
    return fin(rt_log_dump_file(iterator, path, flags));
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size,
                                 unsigned flags)
{
    return fin(rt_log_dump(iterator, buffer, size, flags));
}
