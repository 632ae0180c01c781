/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: devices, their properties in the layout of each version, limits, peers, versions. */
#include "runtime/cudart.h"

#include <stdio.h>
#include <string.h>

_Thread_local int cudart_device;
static _Thread_local unsigned device_flags;

/* --- properties ---------------------------------------------------------------------------- */

/* Fields that all versions have, in the order of CUDA 11 and 12. */
#define PROPERTIES_11                                                                              \
    char name[256];                                                                                \
    cudaUUID_t uuid;                                                                               \
    char luid[8];                                                                                  \
    unsigned luidDeviceNodeMask;                                                                   \
    size_t totalGlobalMem, sharedMemPerBlock;                                                      \
    int regsPerBlock, warpSize;                                                                    \
    size_t memPitch;                                                                               \
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;                           \
    size_t totalConstMem;                                                                          \
    int major, minor;                                                                              \
    size_t textureAlignment, texturePitchAlignment;                                                \
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated,                  \
        canMapHostMemory, computeMode;                                                             \
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2],                     \
        maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3],      \
        maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3],     \
        maxTextureCubemapLayered[2];                                                               \
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2],                    \
        maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];                    \
    size_t surfaceAlignment;                                                                       \
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,              \
        asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,         \
        persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,          \
        globalL1CacheSupported, localL1CacheSupported;                                             \
    size_t sharedMemPerMultiprocessor;                                                             \
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,               \
        hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess,         \
        concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,    \
        cooperativeLaunch, cooperativeMultiDeviceLaunch;                                           \
    size_t sharedMemPerBlockOptin;                                                                 \
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,                    \
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;                                     \
    size_t reservedSharedMemPerBlock;

typedef struct {
    PROPERTIES_11
} Properties11;
typedef struct {
    PROPERTIES_11
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
        timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch,
        unifiedFunctionPointers, reserved[63];
} Properties12;
_Static_assert(sizeof(Properties11) == 728, "as CUDA 11 has it");
_Static_assert(sizeof(Properties12) == 1032, "as CUDA 12 has it");
_Static_assert(sizeof(struct cudaDeviceProp) == 1008, "as CUDA 13 has it");

static int attribute(int device, int which)
{
    int value = 0;
    rt_device()->attribute(device, which, &value);
    return value;
}

/* The same assignments serve every layout. */
#define FILL_11(p, device)                                                                         \
    do {                                                                                           \
        DevInfo info_;                                                                             \
        int error_ = rt_device()->info(device, &info_);                                            \
        if (error_)                                                                                \
            return error_;                                                                         \
        memcpy((p)->name, info_.name, sizeof(p)->name);                                            \
        memcpy(&(p)->uuid, info_.uuid, 16);                                                        \
        (p)->totalGlobalMem = info_.memory;                                                        \
        static const struct {                                                                      \
            size_t at;                                                                             \
            short attribute;                                                                       \
            bool wide;                                                                             \
        } fields_[] = {                                                                            \
            F(p, sharedMemPerBlock, 8),                                                            \
            F(p, regsPerBlock, 12),                                                                \
            F(p, warpSize, 10),                                                                    \
            F(p, memPitch, 11),                                                                    \
            F(p, maxThreadsPerBlock, 1),                                                           \
            F(p, maxThreadsDim[0], 2),                                                             \
            F(p, maxThreadsDim[1], 3),                                                             \
            F(p, maxThreadsDim[2], 4),                                                             \
            F(p, maxGridSize[0], 5),                                                               \
            F(p, maxGridSize[1], 6),                                                               \
            F(p, maxGridSize[2], 7),                                                               \
            F(p, clockRate, 13),                                                                   \
            F(p, totalConstMem, 9),                                                                \
            F(p, major, 75),                                                                       \
            F(p, minor, 76),                                                                       \
            F(p, textureAlignment, 14),                                                            \
            F(p, texturePitchAlignment, 51),                                                       \
            F(p, deviceOverlap, 15),                                                               \
            F(p, multiProcessorCount, 16),                                                         \
            F(p, kernelExecTimeoutEnabled, 17),                                                    \
            F(p, integrated, 18),                                                                  \
            F(p, canMapHostMemory, 19),                                                            \
            F(p, computeMode, 20),                                                                 \
            F(p, maxTexture1D, 21),                                                                \
            F(p, maxTexture1DMipmap, 77),                                                          \
            F(p, maxTexture1DLinear, 69),                                                          \
            F(p, maxTexture2D[0], 22),                                                             \
            F(p, maxTexture2D[1], 23),                                                             \
            F(p, maxTexture2DMipmap[0], 73),                                                       \
            F(p, maxTexture2DMipmap[1], 74),                                                       \
            F(p, maxTexture2DLinear[0], 70),                                                       \
            F(p, maxTexture2DLinear[1], 71),                                                       \
            F(p, maxTexture2DLinear[2], 72),                                                       \
            F(p, maxTexture2DGather[0], 45),                                                       \
            F(p, maxTexture2DGather[1], 46),                                                       \
            F(p, maxTexture3D[0], 24),                                                             \
            F(p, maxTexture3D[1], 25),                                                             \
            F(p, maxTexture3D[2], 26),                                                             \
            F(p, maxTexture3DAlt[0], 47),                                                          \
            F(p, maxTexture3DAlt[1], 48),                                                          \
            F(p, maxTexture3DAlt[2], 49),                                                          \
            F(p, maxTextureCubemap, 52),                                                           \
            F(p, maxTexture1DLayered[0], 42),                                                      \
            F(p, maxTexture1DLayered[1], 43),                                                      \
            F(p, maxTexture2DLayered[0], 27),                                                      \
            F(p, maxTexture2DLayered[1], 28),                                                      \
            F(p, maxTexture2DLayered[2], 29),                                                      \
            F(p, maxTextureCubemapLayered[0], 53),                                                 \
            F(p, maxTextureCubemapLayered[1], 54),                                                 \
            F(p, maxSurface1D, 55),                                                                \
            F(p, maxSurface2D[0], 56),                                                             \
            F(p, maxSurface2D[1], 57),                                                             \
            F(p, maxSurface3D[0], 58),                                                             \
            F(p, maxSurface3D[1], 59),                                                             \
            F(p, maxSurface3D[2], 60),                                                             \
            F(p, maxSurface1DLayered[0], 61),                                                      \
            F(p, maxSurface1DLayered[1], 62),                                                      \
            F(p, maxSurface2DLayered[0], 63),                                                      \
            F(p, maxSurface2DLayered[1], 64),                                                      \
            F(p, maxSurface2DLayered[2], 65),                                                      \
            F(p, maxSurfaceCubemap, 66),                                                           \
            F(p, maxSurfaceCubemapLayered[0], 67),                                                 \
            F(p, maxSurfaceCubemapLayered[1], 68),                                                 \
            F(p, surfaceAlignment, 30),                                                            \
            F(p, concurrentKernels, 31),                                                           \
            F(p, ECCEnabled, 32),                                                                  \
            F(p, pciBusID, 33),                                                                    \
            F(p, pciDeviceID, 34),                                                                 \
            F(p, pciDomainID, 50),                                                                 \
            F(p, tccDriver, 35),                                                                   \
            F(p, asyncEngineCount, 40),                                                            \
            F(p, unifiedAddressing, 41),                                                           \
            F(p, memoryClockRate, 36),                                                             \
            F(p, memoryBusWidth, 37),                                                              \
            F(p, l2CacheSize, 38),                                                                 \
            F(p, persistingL2CacheMaxSize, 108),                                                   \
            F(p, maxThreadsPerMultiProcessor, 39),                                                 \
            F(p, streamPrioritiesSupported, 78),                                                   \
            F(p, globalL1CacheSupported, 79),                                                      \
            F(p, localL1CacheSupported, 80),                                                       \
            F(p, sharedMemPerMultiprocessor, 81),                                                  \
            F(p, regsPerMultiprocessor, 82),                                                       \
            F(p, managedMemory, 83),                                                               \
            F(p, isMultiGpuBoard, 84),                                                             \
            F(p, multiGpuBoardGroupID, 85),                                                        \
            F(p, hostNativeAtomicSupported, 86),                                                   \
            F(p, singleToDoublePrecisionPerfRatio, 87),                                            \
            F(p, pageableMemoryAccess, 88),                                                        \
            F(p, concurrentManagedAccess, 89),                                                     \
            F(p, computePreemptionSupported, 90),                                                  \
            F(p, canUseHostPointerForRegisteredMem, 91),                                           \
            F(p, cooperativeLaunch, 95),                                                           \
            F(p, cooperativeMultiDeviceLaunch, 96),                                                \
            F(p, sharedMemPerBlockOptin, 97),                                                      \
            F(p, pageableMemoryAccessUsesHostPageTables, 100),                                     \
            F(p, directManagedMemAccessFromHost, 101),                                             \
            F(p, maxBlocksPerMultiProcessor, 106),                                                 \
            F(p, accessPolicyMaxWindowSize, 109),                                                  \
            F(p, reservedSharedMemPerBlock, 111),                                                  \
        };                                                                                         \
        for (size_t i_ = 0; i_ < sizeof fields_ / sizeof *fields_; i_++) {                         \
            size_t wide_ = (size_t)attribute(device, fields_[i_].attribute);                       \
            int narrow_ = (int)wide_;                                                              \
            if (fields_[i_].wide)                                                                  \
                memcpy((char *)(p) + fields_[i_].at, &wide_, sizeof wide_);                        \
            else                                                                                   \
                memcpy((char *)(p) + fields_[i_].at, &narrow_, sizeof narrow_);                    \
        }                                                                                          \
    } while (0)
#define F(p, field, number)                                                                        \
    {                                                                                              \
        offsetof(__typeof__(*(p)), field), number, sizeof((p)->field) == 8                         \
    }
#define FILL_12(p, device)                                                                         \
    do {                                                                                           \
        (p)->hostRegisterSupported = attribute(device, 99);                                        \
        (p)->hostRegisterReadOnlySupported = attribute(device, 113);                               \
        (p)->sparseCudaArraySupported = attribute(device, 112);                                    \
        (p)->timelineSemaphoreInteropSupported = attribute(device, 114);                           \
        (p)->memoryPoolsSupported = attribute(device, 115);                                        \
        (p)->gpuDirectRDMASupported = attribute(device, 116);                                      \
        (p)->memoryPoolSupportedHandleTypes = (unsigned)attribute(device, 119);                    \
        (p)->ipcEventSupported = attribute(device, 125);                                           \
        (p)->clusterLaunch = attribute(device, 120);                                               \
    } while (0)

static int check_device(int device)
{
    int count = 0;
    int error = rt_device()->count(&count);
    return error ? error : device >= 0 && device < count ? RT_OK : RT_INVALID_DEVICE;
}

#if CUDART_MAJOR == 13
static int fill_properties(struct cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    FILL_11(p, device);
    FILL_12(p, device);
    p->deviceNumaId = attribute(device, 131);
    p->hostNumaId = attribute(device, 134);
    return RT_OK;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    BEGIN;
    if (!out)
        return fin(RT_INVALID_VALUE);
    int error = check_device(device);
    return fin(error ? error : fill_properties(out, device));
}
#else
static int fill_11(Properties11 *p, int device)
{
    memset(p, 0, sizeof *p);
    FILL_11(p, device);
    return RT_OK;
}

static int fill_12(Properties12 *p, int device)
{
    memset(p, 0, sizeof *p);
    FILL_11(p, device);
    FILL_12(p, device);
    return RT_OK;
}

cudaError_t gk_properties(Properties11 *out, int device) OLD_NAME("cudaGetDeviceProperties");
cudaError_t gk_properties(Properties11 *out, int device)
{
    BEGIN;
    if (!out)
        return fin(RT_INVALID_VALUE);
    int error = check_device(device);
    return fin(error ? error : fill_11(out, device));
}

cudaError_t gk_properties_v2(Properties12 *out, int device) OLD_NAME("cudaGetDeviceProperties_v2");
cudaError_t gk_properties_v2(Properties12 *out, int device)
{
    BEGIN;
    if (!out)
        return fin(RT_INVALID_VALUE);
    int error = check_device(device);
    return fin(error ? error : fill_12(out, device));
}
#endif

/* --- devices ------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    NEED(count);
    *count = 0;
    BEGIN_PLAIN;
    return fin(rt_device()->count(count));
}

cudaError_t cudaSetDevice(int device)
{
    BEGIN;
    int error = check_device(device);
    if (!error)
        error = rt_device()->select(device);
    if (!error)
        cudart_device = device;
    return fin(error);
}

cudaError_t cudaGetDevice(int *device)
{
    BEGIN_PLAIN;
    if (!device)
        return fin(RT_INVALID_VALUE);
    *device = cudart_device;
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned valid)
{
    (void)valid;
    cudaError_t error = cudaSetDevice(device);
    if (!error)
        device_flags = flags;
    return error;
}

cudaError_t cudaSetValidDevices(int *list, int count)
{
    BEGIN;
    for (int i = 0; i < count; i++) {
        int error = check_device(list[i]);
        if (error)
            return fin(error);
    }
    return count < 0 ? fin(RT_INVALID_VALUE) : cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    BEGIN;
    if (!device || !wanted)
        return fin(RT_INVALID_VALUE);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    BEGIN;
    if (flags & ~(unsigned)cudaDeviceMask)
        return fin(RT_INVALID_VALUE);
    device_flags = flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    BEGIN;
    NEED(flags);
    *flags = device_flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int device)
{
    BEGIN;
    int error = value ? check_device(device) : RT_INVALID_VALUE;
    return fin(error ? error : rt_device()->attribute(device, (int)which, value));
}

cudaError_t cudaDeviceSynchronize(void)
{
    BEGIN;
    return fin(rt_device_wait());
}

cudaError_t cudaThreadSynchronize_(void) OLD_NAME("cudaThreadSynchronize");
cudaError_t cudaThreadSynchronize_(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    BEGIN_PLAIN;
    return fin(rt_reset(cudart_device));
}

cudaError_t cudaThreadExit_(void) OLD_NAME("cudaThreadExit");
cudaError_t cudaThreadExit_(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    BEGIN;
    return fin(value ? rt_device()->limit_get((int)limit, value) : RT_INVALID_VALUE);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    BEGIN;
    return fin(rt_device()->limit_set((int)limit, value));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    BEGIN;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

static enum cudaFuncCache cache_config;

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    BEGIN;
    NEED(config);
    *config = cache_config;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    BEGIN;
    if ((unsigned)config > 3)
        return fin(RT_INVALID_VALUE);
    cache_config = config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    BEGIN;
    NEED(config);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    BEGIN;
    return fin((unsigned)config > 2 ? RT_INVALID_VALUE : RT_OK);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    BEGIN;
    return cudaSuccess;
}

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback function, void *data,
                                                cudaAsyncCallbackHandle_t *callback)
{
    BEGIN;
    (void)data;
    NEED(function);
    return fin(rt_notice_add(device, (void **)callback));
}

cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback)
{
    BEGIN;
    return fin(rt_notice_remove(device, callback));
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope)
{
    BEGIN;
    (void)target, (void)scope;
    return fin(RT_NOT_SUPPORTED);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int room, int device)
{
    BEGIN;
    DevInfo info;
    int error = check_device(device);
    if (!error)
        error = rt_device()->info(device, &info);
    if (!error && (!text || room < 13))
        error = RT_INVALID_VALUE;
    if (!error)
        snprintf(text, (size_t)room, "%04X:%02X:%02X.0", info.pci_domain, info.pci_bus,
                 info.pci_device);
    return fin(error);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    BEGIN;
    int count = 0;
    rt_device()->count(&count);
    unsigned domain = 0, bus = 0, slot = 0;
    if (!text || (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
                  (domain = 0, sscanf(text, "%x:%x", &bus, &slot) != 2)))
        return fin(RT_INVALID_VALUE);
    for (int i = 0; i < count; i++) {
        DevInfo info;
        if (!rt_device()->info(i, &info) && info.pci_domain == (int)domain &&
            info.pci_bus == (int)bus && info.pci_device == (int)slot) {
            *device = i;
            return cudaSuccess;
        }
    }
    return fin(RT_INVALID_DEVICE);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    BEGIN;
    NEED(can);
    int error = check_device(device);
    if (!error)
        error = check_device(peer);
    if (!error)
        *can = device != peer;
    return fin(error);
}

static uint64_t peers[64]; /* bit per peer */

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    BEGIN;
    int error = flags ? RT_INVALID_VALUE : check_device(peer);
    if (!error && peer == cudart_device)
        error = RT_INVALID_DEVICE;
    if (!error && (peers[cudart_device] >> peer & 1))
        error = 704;
    if (!error)
        peers[cudart_device] |= (uint64_t)1 << peer;
    return fin(error);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    BEGIN;
    int error = check_device(peer);
    if (!error && !(peers[cudart_device] >> peer & 1))
        error = 705;
    if (!error)
        peers[cudart_device] &= ~((uint64_t)1 << peer);
    return fin(error);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr which, int from, int to)
{
    BEGIN;
    int error = check_device(from);
    if (!error)
        error = check_device(to);
    if (!error && from == to)
        error = RT_INVALID_DEVICE;
    if (!error)
        *value = which == cudaDevP2PAttrAccessSupported;
    return fin(error);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    BEGIN;
    return fin(version ? rt_device()->driver_version(version) : RT_INVALID_VALUE);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return fin(RT_INVALID_VALUE);
    *version = CUDART_MAJOR == 11 ? 11080 : CUDART_MAJOR == 12 ? 12090 : 13000;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    BEGIN;
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    BEGIN;
    return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
