/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: memory and events for other processes. Not here: cuMemExportToShareableHandle (cuda_virtual.c). */
#include "runtime/cuda_driver.h"

enum { LAZY_PEER_ACCESS = 1 };

typedef struct {
    char reserved[DEV_IPC_BYTES];
} CUipcMemHandle, CUipcEventHandle;

CU cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address);
int cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address)
{
    BEGIN;
    NEED(handle);
    return drv(rt_ipc_memory((void *)address, handle));
}

CU cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags);
int cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags)
{
    BEGIN;
    NEED(address);
    if (flags & ~(unsigned)LAZY_PEER_ACCESS)
        return RT_INVALID_VALUE;
    void *at;
    int error = rt_ipc_memory_open(&handle, drv_device(), &at);
    if (!error)
        *address = (CUdeviceptr)at;
    return drv(error);
}
SAME(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2, CUdeviceptr *address, CUipcMemHandle handle,
     unsigned flags)

CU cuIpcCloseMemHandle(CUdeviceptr address);
int cuIpcCloseMemHandle(CUdeviceptr address)
{
    BEGIN;
    return drv(rt_ipc_memory_close((void *)address));
}

CU cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event);
int cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    PLAIN;
    NEED(handle);
    return drv(rt_ipc_event(event, handle));
}

CU cuIpcOpenEventHandle(CUevent *out, CUipcEventHandle handle);
int cuIpcOpenEventHandle(CUevent *out, CUipcEventHandle handle)
{
    BEGIN;
    NEED(out);
    RtEvent *event;
    int error = rt_ipc_event_open(&handle, &event);
    if (!error)
        *out = event;
    return drv(error);
}
