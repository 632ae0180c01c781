/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: addresses and memory apart (cuMemAddressReserve, cuMemCreate, cuMemMap, ...), with export to
 * other processes as file descriptors. Every device reaches what is mapped, so access is one setting
 * for all. Not here: other handle types, memory of the host, multicast, sparse arrays. */
#include "runtime/cuda_driver.h"

#include <stdint.h>

enum { LOCATION_DEVICE = 1, TYPE_PINNED = 1, HANDLE_FILE = 1 };

typedef struct {
    int type, requestedHandleTypes;
    RtPlace location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef struct {
    RtPlace location;
    int flags;
} CUmemAccessDesc;

static const DevVirtual *known(const char *call)
{
    const DevVirtual *v = rt_device()->virtual_memory;
    if (!v)
        rt_message("%s: not supported with --device gpu", call);
    return v;
}
#define VIRTUAL(call)                                                                              \
    const DevVirtual *v = known(#call);                                                            \
    if (!v)                                                                                        \
    return RT_NOT_SUPPORTED

/* A device that there is. */
static int location(const char *call, const RtPlace *l)
{
    int count = 0;
    if (l->type != LOCATION_DEVICE) {
        rt_message("%s: memory of the host (CU_MEM_LOCATION_TYPE %d) is not supported", call,
                   l->type);
        return RT_NOT_SUPPORTED;
    }
    rt_device()->count(&count);
    return l->id >= 0 && l->id < count ? RT_OK : RT_INVALID_DEVICE;
}

static int properties(const char *call, const CUmemAllocationProp *p)
{
    NEED(p);
    if (p->type != TYPE_PINNED)
        return RT_INVALID_VALUE;
    if (p->requestedHandleTypes & ~HANDLE_FILE) {
        rt_message("%s: handle type %d is not supported, only file descriptors are", call,
                   p->requestedHandleTypes);
        return RT_NOT_SUPPORTED;
    }
    return location(call, &p->location);
}

CU cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *p, int option);
int cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *p, int option)
{
    VIRTUAL(cuMemGetAllocationGranularity);
    NEED(bytes);
    if (option & ~1)
        return RT_INVALID_VALUE;
    int error = properties("cuMemGetAllocationGranularity", p);
    if (!error)
        *bytes = v->granularity;
    return drv(error);
}

/* addr: a wish, which need not be fulfilled. */
CU cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr addr,
                       unsigned long long flags);
int cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr addr,
                        unsigned long long flags)
{
    (void)addr;
    VIRTUAL(cuMemAddressReserve);
    NEED(out);
    uint64_t address;
    int error = flags ? RT_INVALID_VALUE : v->reserve(bytes, alignment, &address);
    if (!error)
        *out = address;
    return drv(error);
}

CU cuMemAddressFree(CUdeviceptr address, size_t bytes);
int cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    VIRTUAL(cuMemAddressFree);
    return drv(v->unreserve(address, bytes));
}

CU cuMemCreate(unsigned long long *handle, size_t bytes, const CUmemAllocationProp *p,
               unsigned long long flags);
int cuMemCreate(unsigned long long *handle, size_t bytes, const CUmemAllocationProp *p,
                unsigned long long flags)
{
    VIRTUAL(cuMemCreate);
    NEED(handle);
    uint64_t made;
    int error = flags ? RT_INVALID_VALUE : properties("cuMemCreate", p);
    if (!error)
        error = v->create(bytes, p->location.id, &made);
    if (!error)
        *handle = made;
    return drv(error);
}

CU cuMemRelease(unsigned long long handle);
int cuMemRelease(unsigned long long handle)
{
    VIRTUAL(cuMemRelease);
    return drv(v->release(handle));
}

CU cuMemRetainAllocationHandle(unsigned long long *handle, void *address);
int cuMemRetainAllocationHandle(unsigned long long *handle, void *address)
{
    VIRTUAL(cuMemRetainAllocationHandle);
    NEED(handle);
    uint64_t found;
    int error = v->at((uintptr_t)address, &found);
    if (!error)
        *handle = found;
    return drv(error);
}

CU cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *p, unsigned long long handle);
int cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *p, unsigned long long handle)
{
    VIRTUAL(cuMemGetAllocationPropertiesFromHandle);
    NEED(p);
    int device, error = v->device_of(handle, &device);
    if (!error)
        *p = (CUmemAllocationProp){.type = TYPE_PINNED,
                                   .requestedHandleTypes = HANDLE_FILE,
                                   .location = {LOCATION_DEVICE, device}};
    return drv(error);
}

CU cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, unsigned long long handle,
            unsigned long long flags);
int cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, unsigned long long handle,
             unsigned long long flags)
{
    VIRTUAL(cuMemMap);
    return drv(flags ? RT_INVALID_VALUE : v->map(address, bytes, offset, handle));
}

/* Work that still uses the memory is waited for, so that a mistake shows as a fault and no more. */
CU cuMemUnmap(CUdeviceptr address, size_t bytes);
int cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    VIRTUAL(cuMemUnmap);
    int error = rt_device_wait();
    return drv(error ? error : v->unmap(address, bytes));
}

CU cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count);
int cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    VIRTUAL(cuMemSetAccess);
    if (!access || !count)
        return RT_INVALID_VALUE;
    unsigned widest = 0;
    for (size_t i = 0; i < count; i++) {
        int error = location("cuMemSetAccess", &access[i].location);
        if (error)
            return drv(error);
        if (access[i].flags & ~3 || access[i].flags == 2)
            return RT_INVALID_VALUE;
        widest |= (unsigned)access[i].flags;
    }
    int error = rt_device_wait();
    return drv(error ? error : v->access_set(address, bytes, widest));
}

CU cuMemGetAccess(unsigned long long *flags, const RtPlace *l, CUdeviceptr address);
int cuMemGetAccess(unsigned long long *flags, const RtPlace *l, CUdeviceptr address)
{
    VIRTUAL(cuMemGetAccess);
    if (!flags || !l)
        return RT_INVALID_VALUE;
    unsigned access;
    int error = location("cuMemGetAccess", l);
    if (!error)
        error = v->access(address, &access);
    if (!error)
        *flags = access;
    return drv(error);
}

CU cuMemExportToShareableHandle(void *out, unsigned long long handle, int type,
                                unsigned long long flags);
int cuMemExportToShareableHandle(void *out, unsigned long long handle, int type,
                                 unsigned long long flags)
{
    VIRTUAL(cuMemExportToShareableHandle);
    NEED(out);
    if (type != HANDLE_FILE || flags)
        return type == HANDLE_FILE ? RT_INVALID_VALUE : RT_NOT_SUPPORTED;
    int file, error = v->export(handle, &file);
    if (!error)
        *(int *)out = file;
    return drv(error);
}

CU cuMemImportFromShareableHandle(unsigned long long *handle, void *from, int type);
int cuMemImportFromShareableHandle(unsigned long long *handle, void *from, int type)
{
    VIRTUAL(cuMemImportFromShareableHandle);
    NEED(handle);
    if (type != HANDLE_FILE)
        return RT_NOT_SUPPORTED;
    uint64_t made;
    int error = v->import((int)(intptr_t)from, drv_device(), &made);
    if (!error)
        *handle = made;
    return drv(error);
}
