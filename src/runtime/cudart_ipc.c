/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: memory and events for other processes. Not here: memory of pools (cudaMemPoolExport...). */
#include "runtime/cudart.h"

_Static_assert(CUDA_IPC_HANDLE_SIZE == DEV_IPC_BYTES, "a handle's size");

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *address)
{
    BEGIN;
    NEED(handle);
    return fin(rt_ipc_memory(address, handle));
}

cudaError_t cudaIpcOpenMemHandle(void **address, cudaIpcMemHandle_t handle, unsigned flags)
{
    BEGIN;
    NEED(address);
    if (flags & ~(unsigned)cudaIpcMemLazyEnablePeerAccess)
        return fin(RT_INVALID_VALUE);
    return fin(rt_ipc_memory_open(&handle, cudart_device, address));
}

cudaError_t cudaIpcCloseMemHandle(void *address)
{
    BEGIN;
    return fin(rt_ipc_memory_close(address));
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    BEGIN;
    NEED(handle);
    return fin(rt_ipc_event(event, handle));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *out, cudaIpcEventHandle_t handle)
{
    BEGIN;
    NEED(out);
    RtEvent *event;
    int error = rt_ipc_event_open(&handle, &event);
    if (!error)
        *out = (cudaEvent_t)event;
    return fin(error);
}
