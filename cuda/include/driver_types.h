/* SPDX-License-Identifier: Apache-2.0
 * Types of the CUDA runtime API: error codes, enumerations and structures, as the CUDA Runtime API
 * reference documents them. Layouts are those of CUDA 13 (libcudart.so.13): cudaDeviceProp has
 * 1008 bytes there (1032 with other fields in 12, 712 in 11), cudaPointerAttributes 88 (24 in 12),
 * cudaResourceDesc 144 (64 in 12). */
#ifndef GPUKIT_DRIVER_TYPES_H
#define GPUKIT_DRIVER_TYPES_H
#include "gpukit/letters_push.h"
#define __DRIVER_TYPES_H__ 1

#include "host_defines.h"
#include "vector_types.h"

#include <limits.h>
#include <stddef.h>

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

/* Every error of the runtime API, once: name and number. The runtime and the tests read it too. */
#define GPUKIT_CUDA_ERRORS(X)                                                                      \
    X(cudaSuccess, 0)                                                                              \
    X(cudaErrorInvalidValue, 1)                                                                    \
    X(cudaErrorMemoryAllocation, 2)                                                                \
    X(cudaErrorInitializationError, 3)                                                             \
    X(cudaErrorCudartUnloading, 4)                                                                 \
    X(cudaErrorProfilerDisabled, 5)                                                                \
    X(cudaErrorProfilerNotInitialized, 6)                                                          \
    X(cudaErrorProfilerAlreadyStarted, 7)                                                          \
    X(cudaErrorProfilerAlreadyStopped, 8)                                                          \
    X(cudaErrorInvalidConfiguration, 9)                                                            \
    X(cudaErrorInvalidPitchValue, 12)                                                              \
    X(cudaErrorInvalidSymbol, 13)                                                                  \
    X(cudaErrorInvalidHostPointer, 16)                                                             \
    X(cudaErrorInvalidDevicePointer, 17)                                                           \
    X(cudaErrorInvalidTexture, 18)                                                                 \
    X(cudaErrorInvalidTextureBinding, 19)                                                          \
    X(cudaErrorInvalidChannelDescriptor, 20)                                                       \
    X(cudaErrorInvalidMemcpyDirection, 21)                                                         \
    X(cudaErrorAddressOfConstant, 22)                                                              \
    X(cudaErrorTextureFetchFailed, 23)                                                             \
    X(cudaErrorTextureNotBound, 24)                                                                \
    X(cudaErrorSynchronizationError, 25)                                                           \
    X(cudaErrorInvalidFilterSetting, 26)                                                           \
    X(cudaErrorInvalidNormSetting, 27)                                                             \
    X(cudaErrorMixedDeviceExecution, 28)                                                           \
    X(cudaErrorNotYetImplemented, 31)                                                              \
    X(cudaErrorMemoryValueTooLarge, 32)                                                            \
    X(cudaErrorStubLibrary, 34)                                                                    \
    X(cudaErrorInsufficientDriver, 35)                                                             \
    X(cudaErrorCallRequiresNewerDriver, 36)                                                        \
    X(cudaErrorInvalidSurface, 37)                                                                 \
    X(cudaErrorDuplicateVariableName, 43)                                                          \
    X(cudaErrorDuplicateTextureName, 44)                                                           \
    X(cudaErrorDuplicateSurfaceName, 45)                                                           \
    X(cudaErrorDevicesUnavailable, 46)                                                             \
    X(cudaErrorIncompatibleDriverContext, 49)                                                      \
    X(cudaErrorMissingConfiguration, 52)                                                           \
    X(cudaErrorPriorLaunchFailure, 53)                                                             \
    X(cudaErrorLaunchMaxDepthExceeded, 65)                                                         \
    X(cudaErrorLaunchFileScopedTex, 66)                                                            \
    X(cudaErrorLaunchFileScopedSurf, 67)                                                           \
    X(cudaErrorSyncDepthExceeded, 68)                                                              \
    X(cudaErrorLaunchPendingCountExceeded, 69)                                                     \
    X(cudaErrorInvalidDeviceFunction, 98)                                                          \
    X(cudaErrorNoDevice, 100)                                                                      \
    X(cudaErrorInvalidDevice, 101)                                                                 \
    X(cudaErrorDeviceNotLicensed, 102)                                                             \
    X(cudaErrorSoftwareValidityNotEstablished, 103)                                                \
    X(cudaErrorStartupFailure, 127)                                                                \
    X(cudaErrorInvalidKernelImage, 200)                                                            \
    X(cudaErrorDeviceUninitialized, 201)                                                           \
    X(cudaErrorMapBufferObjectFailed, 205)                                                         \
    X(cudaErrorUnmapBufferObjectFailed, 206)                                                       \
    X(cudaErrorArrayIsMapped, 207)                                                                 \
    X(cudaErrorAlreadyMapped, 208)                                                                 \
    X(cudaErrorNoKernelImageForDevice, 209)                                                        \
    X(cudaErrorAlreadyAcquired, 210)                                                               \
    X(cudaErrorNotMapped, 211)                                                                     \
    X(cudaErrorNotMappedAsArray, 212)                                                              \
    X(cudaErrorNotMappedAsPointer, 213)                                                            \
    X(cudaErrorECCUncorrectable, 214)                                                              \
    X(cudaErrorUnsupportedLimit, 215)                                                              \
    X(cudaErrorDeviceAlreadyInUse, 216)                                                            \
    X(cudaErrorPeerAccessUnsupported, 217)                                                         \
    X(cudaErrorInvalidPtx, 218)                                                                    \
    X(cudaErrorInvalidGraphicsContext, 219)                                                        \
    X(cudaErrorNvlinkUncorrectable, 220)                                                           \
    X(cudaErrorJitCompilerNotFound, 221)                                                           \
    X(cudaErrorUnsupportedPtxVersion, 222)                                                         \
    X(cudaErrorJitCompilationDisabled, 223)                                                        \
    X(cudaErrorUnsupportedExecAffinity, 224)                                                       \
    X(cudaErrorUnsupportedDevSideSync, 225)                                                        \
    X(cudaErrorContained, 226)                                                                     \
    X(cudaErrorInvalidSource, 300)                                                                 \
    X(cudaErrorFileNotFound, 301)                                                                  \
    X(cudaErrorSharedObjectSymbolNotFound, 302)                                                    \
    X(cudaErrorSharedObjectInitFailed, 303)                                                        \
    X(cudaErrorOperatingSystem, 304)                                                               \
    X(cudaErrorInvalidResourceHandle, 400)                                                         \
    X(cudaErrorIllegalState, 401)                                                                  \
    X(cudaErrorLossyQuery, 402)                                                                    \
    X(cudaErrorSymbolNotFound, 500)                                                                \
    X(cudaErrorNotReady, 600)                                                                      \
    X(cudaErrorIllegalAddress, 700)                                                                \
    X(cudaErrorLaunchOutOfResources, 701)                                                          \
    X(cudaErrorLaunchTimeout, 702)                                                                 \
    X(cudaErrorLaunchIncompatibleTexturing, 703)                                                   \
    X(cudaErrorPeerAccessAlreadyEnabled, 704)                                                      \
    X(cudaErrorPeerAccessNotEnabled, 705)                                                          \
    X(cudaErrorSetOnActiveProcess, 708)                                                            \
    X(cudaErrorContextIsDestroyed, 709)                                                            \
    X(cudaErrorAssert, 710)                                                                        \
    X(cudaErrorTooManyPeers, 711)                                                                  \
    X(cudaErrorHostMemoryAlreadyRegistered, 712)                                                   \
    X(cudaErrorHostMemoryNotRegistered, 713)                                                       \
    X(cudaErrorHardwareStackError, 714)                                                            \
    X(cudaErrorIllegalInstruction, 715)                                                            \
    X(cudaErrorMisalignedAddress, 716)                                                             \
    X(cudaErrorInvalidAddressSpace, 717)                                                           \
    X(cudaErrorInvalidPc, 718)                                                                     \
    X(cudaErrorLaunchFailure, 719)                                                                 \
    X(cudaErrorCooperativeLaunchTooLarge, 720)                                                     \
    X(cudaErrorTensorMemoryLeak, 721)                                                              \
    X(cudaErrorNotPermitted, 800)                                                                  \
    X(cudaErrorNotSupported, 801)                                                                  \
    X(cudaErrorSystemNotReady, 802)                                                                \
    X(cudaErrorSystemDriverMismatch, 803)                                                          \
    X(cudaErrorCompatNotSupportedOnDevice, 804)                                                    \
    X(cudaErrorMpsConnectionFailed, 805)                                                           \
    X(cudaErrorMpsRpcFailure, 806)                                                                 \
    X(cudaErrorMpsServerNotReady, 807)                                                             \
    X(cudaErrorMpsMaxClientsReached, 808)                                                          \
    X(cudaErrorMpsMaxConnectionsReached, 809)                                                      \
    X(cudaErrorMpsClientTerminated, 810)                                                           \
    X(cudaErrorCdpNotSupported, 811)                                                               \
    X(cudaErrorCdpVersionMismatch, 812)                                                            \
    X(cudaErrorStreamCaptureUnsupported, 900)                                                      \
    X(cudaErrorStreamCaptureInvalidated, 901)                                                      \
    X(cudaErrorStreamCaptureMerge, 902)                                                            \
    X(cudaErrorStreamCaptureUnmatched, 903)                                                        \
    X(cudaErrorStreamCaptureUnjoined, 904)                                                         \
    X(cudaErrorStreamCaptureIsolation, 905)                                                        \
    X(cudaErrorStreamCaptureImplicit, 906)                                                         \
    X(cudaErrorCapturedEvent, 907)                                                                 \
    X(cudaErrorStreamCaptureWrongThread, 908)                                                      \
    X(cudaErrorTimeout, 909)                                                                       \
    X(cudaErrorGraphExecUpdateFailure, 910)                                                        \
    X(cudaErrorExternalDevice, 911)                                                                \
    X(cudaErrorInvalidClusterSize, 912)                                                            \
    X(cudaErrorFunctionNotLoaded, 913)                                                             \
    X(cudaErrorInvalidResourceType, 914)                                                           \
    X(cudaErrorInvalidResourceConfiguration, 915)                                                  \
    X(cudaErrorUnknown, 999)                                                                       \
    X(cudaErrorApiFailureBase, 10000)

enum cudaError {
#define GPUKIT_ENUM(name, number) name = number,
    GPUKIT_CUDA_ERRORS(GPUKIT_ENUM)
#undef GPUKIT_ENUM
};
typedef enum cudaError cudaError_t;

/* Flags. */
#define cudaHostAllocDefault            0x00
#define cudaHostAllocPortable           0x01
#define cudaHostAllocMapped             0x02
#define cudaHostAllocWriteCombined      0x04
#define cudaHostRegisterDefault         0x00
#define cudaHostRegisterPortable        0x01
#define cudaHostRegisterMapped          0x02
#define cudaHostRegisterIoMemory        0x04
#define cudaHostRegisterReadOnly        0x08
#define cudaPeerAccessDefault           0x00
#define cudaStreamDefault               0x00
#define cudaStreamNonBlocking           0x01
#define cudaStreamLegacy                ((cudaStream_t)0x1)
#define cudaStreamPerThread             ((cudaStream_t)0x2)
#define cudaEventDefault                0x00
#define cudaEventBlockingSync           0x01
#define cudaEventDisableTiming          0x02
#define cudaEventInterprocess           0x04
#define cudaEventRecordDefault          0x00
#define cudaEventRecordExternal         0x01
#define cudaEventWaitDefault            0x00
#define cudaEventWaitExternal           0x01
#define cudaDeviceScheduleAuto          0x00
#define cudaDeviceScheduleSpin          0x01
#define cudaDeviceScheduleYield         0x02
#define cudaDeviceScheduleBlockingSync  0x04
#define cudaDeviceBlockingSync          0x04
#define cudaDeviceScheduleMask          0x07
#define cudaDeviceMapHost               0x08
#define cudaDeviceLmemResizeToMax       0x10
#define cudaDeviceSyncMemops            0x80
#define cudaDeviceMask                  0xff
#define cudaArrayDefault                0x00
#define cudaArrayLayered                0x01
#define cudaArraySurfaceLoadStore       0x02
#define cudaArrayCubemap                0x04
#define cudaArrayTextureGather          0x08
#define cudaArrayColorAttachment        0x20
#define cudaArraySparse                 0x40
#define cudaArrayDeferredMapping        0x80
#define cudaIpcMemLazyEnablePeerAccess  0x01
#define cudaMemAttachGlobal             0x01
#define cudaMemAttachHost               0x02
#define cudaMemAttachSingle             0x04
#define cudaMemPoolCreateUsageHwDecompress 0x02
#define cudaExternalMemoryDedicated     0x01
#define cudaArraySparsePropertiesSingleMipTail 0x01
#define cudaOccupancyDefault            0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaCpuDeviceId                 ((int)-1)
#define cudaInvalidDeviceId             ((int)-2)
#define cudaInitDeviceFlagsAreValid     0x01
#define cudaGraphKernelNodePortDefault  0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2
#define CUDA_IPC_HANDLE_SIZE            64

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
    cudaChannelFormatKindNV12 = 4,
    cudaChannelFormatKindUnsignedNormalized8X1 = 5,
    cudaChannelFormatKindUnsignedNormalized8X2 = 6,
    cudaChannelFormatKindUnsignedNormalized8X4 = 7,
    cudaChannelFormatKindUnsignedNormalized16X1 = 8,
    cudaChannelFormatKindUnsignedNormalized16X2 = 9,
    cudaChannelFormatKindUnsignedNormalized16X4 = 10,
    cudaChannelFormatKindSignedNormalized8X1 = 11,
    cudaChannelFormatKindSignedNormalized8X2 = 12,
    cudaChannelFormatKindSignedNormalized8X4 = 13,
    cudaChannelFormatKindSignedNormalized16X1 = 14,
    cudaChannelFormatKindSignedNormalized16X2 = 15,
    cudaChannelFormatKindSignedNormalized16X4 = 16,
    cudaChannelFormatKindUnsignedBlockCompressed1 = 17,
    cudaChannelFormatKindUnsignedBlockCompressed1SRGB = 18,
    cudaChannelFormatKindUnsignedBlockCompressed2 = 19,
    cudaChannelFormatKindUnsignedBlockCompressed2SRGB = 20,
    cudaChannelFormatKindUnsignedBlockCompressed3 = 21,
    cudaChannelFormatKindUnsignedBlockCompressed3SRGB = 22,
    cudaChannelFormatKindUnsignedBlockCompressed4 = 23,
    cudaChannelFormatKindSignedBlockCompressed4 = 24,
    cudaChannelFormatKindUnsignedBlockCompressed5 = 25,
    cudaChannelFormatKindSignedBlockCompressed5 = 26,
    cudaChannelFormatKindUnsignedBlockCompressed6H = 27,
    cudaChannelFormatKindSignedBlockCompressed6H = 28,
    cudaChannelFormatKindUnsignedBlockCompressed7 = 29,
    cudaChannelFormatKindUnsignedBlockCompressed7SRGB = 30,
    cudaChannelFormatKindUnsignedNormalized1010102 = 31
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
struct cudaArray;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
struct cudaMipmappedArray;

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUuserObject_st *cudaUserObject_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef unsigned long long cudaGraphConditionalHandle;
typedef struct CUgraphDeviceUpdatableNode_st *cudaGraphDeviceNode_t;
typedef void(CUDART_CB *cudaHostFn_t)(void *userData);
typedef void(CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    int dstDevice;
    struct cudaExtent extent;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
struct cudaMemsetParamsV2 {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum cudaAccessProperty hitProp, missProp;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
struct cudaHostNodeParamsV2 {
    cudaHostFn_t fn;
    void *userData;
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin = 2,
    cudaSyncPolicyYield = 3,
    cudaSyncPolicyBlockingSync = 4
};
enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0,
    cudaClusterSchedulingPolicySpread = 1,
    cudaClusterSchedulingPolicyLoadBalancing = 2
};
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0,
    cudaStreamSetCaptureDependencies = 1
};
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
enum cudaResourceViewFormat {
    cudaResViewFormatNone = 0x00,
    cudaResViewFormatUnsignedChar1 = 0x01,
    cudaResViewFormatUnsignedChar2 = 0x02,
    cudaResViewFormatUnsignedChar4 = 0x03,
    cudaResViewFormatSignedChar1 = 0x04,
    cudaResViewFormatSignedChar2 = 0x05,
    cudaResViewFormatSignedChar4 = 0x06,
    cudaResViewFormatUnsignedShort1 = 0x07,
    cudaResViewFormatUnsignedShort2 = 0x08,
    cudaResViewFormatUnsignedShort4 = 0x09,
    cudaResViewFormatSignedShort1 = 0x0a,
    cudaResViewFormatSignedShort2 = 0x0b,
    cudaResViewFormatSignedShort4 = 0x0c,
    cudaResViewFormatUnsignedInt1 = 0x0d,
    cudaResViewFormatUnsignedInt2 = 0x0e,
    cudaResViewFormatUnsignedInt4 = 0x0f,
    cudaResViewFormatSignedInt1 = 0x10,
    cudaResViewFormatSignedInt2 = 0x11,
    cudaResViewFormatSignedInt4 = 0x12,
    cudaResViewFormatHalf1 = 0x13,
    cudaResViewFormatHalf2 = 0x14,
    cudaResViewFormatHalf4 = 0x15,
    cudaResViewFormatFloat1 = 0x16,
    cudaResViewFormatFloat2 = 0x17,
    cudaResViewFormatFloat4 = 0x18,
    cudaResViewFormatUnsignedBlockCompressed1 = 25,
    cudaResViewFormatUnsignedBlockCompressed2 = 26,
    cudaResViewFormatUnsignedBlockCompressed3 = 27,
    cudaResViewFormatUnsignedBlockCompressed4 = 28,
    cudaResViewFormatSignedBlockCompressed4 = 29,
    cudaResViewFormatUnsignedBlockCompressed5 = 30,
    cudaResViewFormatSignedBlockCompressed5 = 31,
    cudaResViewFormatUnsignedBlockCompressed6H = 32,
    cudaResViewFormatSignedBlockCompressed6H = 33,
    cudaResViewFormatUnsignedBlockCompressed7 = 34
};
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
};
struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    unsigned int reserved[16];
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
    long reserved[8];
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
    int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
    int reserved[16];
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeMax
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0
};
enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};
enum cudaLimit {
    cudaLimitStackSize = 0x00,
    cudaLimitPrintfFifoSize = 0x01,
    cudaLimitMallocHeapSize = 0x02,
    cudaLimitDevRuntimeSyncDepth = 0x03,
    cudaLimitDevRuntimePendingLaunchCount = 0x04,
    cudaLimitMaxL2FetchGranularity = 0x05,
    cudaLimitPersistingL2CacheSize = 0x06
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation = 2,
    cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4,
    cudaMemRangeAttributePreferredLocationType = 5,
    cudaMemRangeAttributePreferredLocationId = 6,
    cudaMemRangeAttributeLastPrefetchLocationType = 7,
    cudaMemRangeAttributeLastPrefetchLocationId = 8
};
enum cudaFlushGPUDirectRDMAWritesScope {
    cudaFlushGPUDirectRDMAWritesToOwner = 100,
    cudaFlushGPUDirectRDMAWritesToAllDevices = 200
};
enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0 };
enum cudaFlushGPUDirectRDMAWritesOptions {
    cudaFlushGPUDirectRDMAWritesOptionHost = 1,
    cudaFlushGPUDirectRDMAWritesOptionMemOps = 2
};
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4,
    cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5
};

/* Device attributes: name, number. */
#define GPUKIT_CUDA_DEVICE_ATTRIBUTES(X)                                                           \
    X(cudaDevAttrMaxThreadsPerBlock, 1)                                                            \
    X(cudaDevAttrMaxBlockDimX, 2)                                                                  \
    X(cudaDevAttrMaxBlockDimY, 3)                                                                  \
    X(cudaDevAttrMaxBlockDimZ, 4)                                                                  \
    X(cudaDevAttrMaxGridDimX, 5)                                                                   \
    X(cudaDevAttrMaxGridDimY, 6)                                                                   \
    X(cudaDevAttrMaxGridDimZ, 7)                                                                   \
    X(cudaDevAttrMaxSharedMemoryPerBlock, 8)                                                       \
    X(cudaDevAttrTotalConstantMemory, 9)                                                           \
    X(cudaDevAttrWarpSize, 10)                                                                     \
    X(cudaDevAttrMaxPitch, 11)                                                                     \
    X(cudaDevAttrMaxRegistersPerBlock, 12)                                                         \
    X(cudaDevAttrClockRate, 13)                                                                    \
    X(cudaDevAttrTextureAlignment, 14)                                                             \
    X(cudaDevAttrGpuOverlap, 15)                                                                   \
    X(cudaDevAttrMultiProcessorCount, 16)                                                          \
    X(cudaDevAttrKernelExecTimeout, 17)                                                            \
    X(cudaDevAttrIntegrated, 18)                                                                   \
    X(cudaDevAttrCanMapHostMemory, 19)                                                             \
    X(cudaDevAttrComputeMode, 20)                                                                  \
    X(cudaDevAttrMaxTexture1DWidth, 21)                                                            \
    X(cudaDevAttrMaxTexture2DWidth, 22)                                                            \
    X(cudaDevAttrMaxTexture2DHeight, 23)                                                           \
    X(cudaDevAttrMaxTexture3DWidth, 24)                                                            \
    X(cudaDevAttrMaxTexture3DHeight, 25)                                                           \
    X(cudaDevAttrMaxTexture3DDepth, 26)                                                            \
    X(cudaDevAttrMaxTexture2DLayeredWidth, 27)                                                     \
    X(cudaDevAttrMaxTexture2DLayeredHeight, 28)                                                    \
    X(cudaDevAttrMaxTexture2DLayeredLayers, 29)                                                    \
    X(cudaDevAttrSurfaceAlignment, 30)                                                             \
    X(cudaDevAttrConcurrentKernels, 31)                                                            \
    X(cudaDevAttrEccEnabled, 32)                                                                   \
    X(cudaDevAttrPciBusId, 33)                                                                     \
    X(cudaDevAttrPciDeviceId, 34)                                                                  \
    X(cudaDevAttrTccDriver, 35)                                                                    \
    X(cudaDevAttrMemoryClockRate, 36)                                                              \
    X(cudaDevAttrGlobalMemoryBusWidth, 37)                                                         \
    X(cudaDevAttrL2CacheSize, 38)                                                                  \
    X(cudaDevAttrMaxThreadsPerMultiProcessor, 39)                                                  \
    X(cudaDevAttrAsyncEngineCount, 40)                                                             \
    X(cudaDevAttrUnifiedAddressing, 41)                                                            \
    X(cudaDevAttrMaxTexture1DLayeredWidth, 42)                                                     \
    X(cudaDevAttrMaxTexture1DLayeredLayers, 43)                                                    \
    X(cudaDevAttrMaxTexture2DGatherWidth, 45)                                                      \
    X(cudaDevAttrMaxTexture2DGatherHeight, 46)                                                     \
    X(cudaDevAttrMaxTexture3DWidthAlt, 47)                                                         \
    X(cudaDevAttrMaxTexture3DHeightAlt, 48)                                                        \
    X(cudaDevAttrMaxTexture3DDepthAlt, 49)                                                         \
    X(cudaDevAttrPciDomainId, 50)                                                                  \
    X(cudaDevAttrTexturePitchAlignment, 51)                                                        \
    X(cudaDevAttrMaxTextureCubemapWidth, 52)                                                       \
    X(cudaDevAttrMaxTextureCubemapLayeredWidth, 53)                                                \
    X(cudaDevAttrMaxTextureCubemapLayeredLayers, 54)                                               \
    X(cudaDevAttrMaxSurface1DWidth, 55)                                                            \
    X(cudaDevAttrMaxSurface2DWidth, 56)                                                            \
    X(cudaDevAttrMaxSurface2DHeight, 57)                                                           \
    X(cudaDevAttrMaxSurface3DWidth, 58)                                                            \
    X(cudaDevAttrMaxSurface3DHeight, 59)                                                           \
    X(cudaDevAttrMaxSurface3DDepth, 60)                                                            \
    X(cudaDevAttrMaxSurface1DLayeredWidth, 61)                                                     \
    X(cudaDevAttrMaxSurface1DLayeredLayers, 62)                                                    \
    X(cudaDevAttrMaxSurface2DLayeredWidth, 63)                                                     \
    X(cudaDevAttrMaxSurface2DLayeredHeight, 64)                                                    \
    X(cudaDevAttrMaxSurface2DLayeredLayers, 65)                                                    \
    X(cudaDevAttrMaxSurfaceCubemapWidth, 66)                                                       \
    X(cudaDevAttrMaxSurfaceCubemapLayeredWidth, 67)                                                \
    X(cudaDevAttrMaxSurfaceCubemapLayeredLayers, 68)                                               \
    X(cudaDevAttrMaxTexture1DLinearWidth, 69)                                                      \
    X(cudaDevAttrMaxTexture2DLinearWidth, 70)                                                      \
    X(cudaDevAttrMaxTexture2DLinearHeight, 71)                                                     \
    X(cudaDevAttrMaxTexture2DLinearPitch, 72)                                                      \
    X(cudaDevAttrMaxTexture2DMipmappedWidth, 73)                                                   \
    X(cudaDevAttrMaxTexture2DMipmappedHeight, 74)                                                  \
    X(cudaDevAttrComputeCapabilityMajor, 75)                                                       \
    X(cudaDevAttrComputeCapabilityMinor, 76)                                                       \
    X(cudaDevAttrMaxTexture1DMipmappedWidth, 77)                                                   \
    X(cudaDevAttrStreamPrioritiesSupported, 78)                                                    \
    X(cudaDevAttrGlobalL1CacheSupported, 79)                                                       \
    X(cudaDevAttrLocalL1CacheSupported, 80)                                                        \
    X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81)                                             \
    X(cudaDevAttrMaxRegistersPerMultiprocessor, 82)                                                \
    X(cudaDevAttrManagedMemory, 83)                                                                \
    X(cudaDevAttrIsMultiGpuBoard, 84)                                                              \
    X(cudaDevAttrMultiGpuBoardGroupID, 85)                                                         \
    X(cudaDevAttrHostNativeAtomicSupported, 86)                                                    \
    X(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87)                                             \
    X(cudaDevAttrPageableMemoryAccess, 88)                                                         \
    X(cudaDevAttrConcurrentManagedAccess, 89)                                                      \
    X(cudaDevAttrComputePreemptionSupported, 90)                                                   \
    X(cudaDevAttrCanUseHostPointerForRegisteredMem, 91)                                            \
    X(cudaDevAttrReserved92, 92)                                                                   \
    X(cudaDevAttrReserved93, 93)                                                                   \
    X(cudaDevAttrReserved94, 94)                                                                   \
    X(cudaDevAttrCooperativeLaunch, 95)                                                            \
    X(cudaDevAttrCooperativeMultiDeviceLaunch, 96)                                                 \
    X(cudaDevAttrReserved96, 96)                                                                   \
    X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97)                                                 \
    X(cudaDevAttrCanFlushRemoteWrites, 98)                                                         \
    X(cudaDevAttrHostRegisterSupported, 99)                                                        \
    X(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100)                                      \
    X(cudaDevAttrDirectManagedMemAccessFromHost, 101)                                              \
    X(cudaDevAttrMaxBlocksPerMultiprocessor, 106)                                                  \
    X(cudaDevAttrMaxPersistingL2CacheSize, 108)                                                    \
    X(cudaDevAttrMaxAccessPolicyWindowSize, 109)                                                   \
    X(cudaDevAttrReservedSharedMemoryPerBlock, 111)                                                \
    X(cudaDevAttrSparseCudaArraySupported, 112)                                                    \
    X(cudaDevAttrHostRegisterReadOnlySupported, 113)                                               \
    X(cudaDevAttrTimelineSemaphoreInteropSupported, 114)                                           \
    X(cudaDevAttrMemoryPoolsSupported, 115)                                                        \
    X(cudaDevAttrGPUDirectRDMASupported, 116)                                                      \
    X(cudaDevAttrGPUDirectRDMAFlushWritesOptions, 117)                                             \
    X(cudaDevAttrGPUDirectRDMAWritesOrdering, 118)                                                 \
    X(cudaDevAttrMemoryPoolSupportedHandleTypes, 119)                                              \
    X(cudaDevAttrClusterLaunch, 120)                                                               \
    X(cudaDevAttrDeferredMappingCudaArraySupported, 121)                                           \
    X(cudaDevAttrReserved122, 122)                                                                 \
    X(cudaDevAttrReserved123, 123)                                                                 \
    X(cudaDevAttrReserved124, 124)                                                                 \
    X(cudaDevAttrIpcEventSupport, 125)                                                             \
    X(cudaDevAttrMemSyncDomainCount, 126)                                                          \
    X(cudaDevAttrReserved127, 127)                                                                 \
    X(cudaDevAttrReserved128, 128)                                                                 \
    X(cudaDevAttrReserved129, 129)                                                                 \
    X(cudaDevAttrNumaConfig, 130)                                                                  \
    X(cudaDevAttrNumaId, 131)                                                                      \
    X(cudaDevAttrReserved132, 132)                                                                 \
    X(cudaDevAttrMpsEnabled, 133)                                                                  \
    X(cudaDevAttrHostNumaId, 134)                                                                  \
    X(cudaDevAttrD3D12CigSupported, 135)                                                           \
    X(cudaDevAttrVulkanCigSupported, 138)                                                          \
    X(cudaDevAttrGpuPciDeviceId, 139)                                                              \
    X(cudaDevAttrGpuPciSubsystemId, 140)                                                           \
    X(cudaDevAttrReserved141, 141)                                                                 \
    X(cudaDevAttrHostNumaMemoryPoolsSupported, 142)                                                \
    X(cudaDevAttrHostNumaMultinodeIpcSupported, 143)                                               \
    X(cudaDevAttrHostMemoryPoolsSupported, 144)                                                    \
    X(cudaDevAttrReserved145, 145)                                                                 \
    X(cudaDevAttrOnlyPartialHostNativeAtomicSupported, 147)

enum cudaDeviceAttr {
#define GPUKIT_ENUM(name, number) name = number,
    GPUKIT_CUDA_DEVICE_ATTRIBUTES(GPUKIT_ENUM)
#undef GPUKIT_ENUM
        cudaDevAttrMaxTimelineSemaphoreInteropSupported = 114,
    cudaDevAttrMax = 148
};

#ifndef GPUKIT_CUDA_H
typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;
#endif
typedef CUuuid cudaUUID_t;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3],
        maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap,
        maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3],
        maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
        unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
        maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported,
        localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess,
        computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
        timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers,
        deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned int gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
    /* CUDA 13 dropped the next eight; gpukit keeps them, for older programs, in the first of the 56
     * words that are reserved there, and its runtime fills them. */
    int clockRate, memoryClockRate, computeMode, deviceOverlap, kernelExecTimeoutEnabled,
        singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch, maxTexture1DLinear;
    int reserved[48];
};

typedef struct cudaIpcEventHandle_st {
    char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;
typedef struct cudaIpcMemHandle_st {
    char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;

/* Stream-ordered memory pools. */
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeNone = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};
enum cudaMemcpySrcAccessOrder {
    cudaMemcpySrcAccessOrderInvalid = 0,
    cudaMemcpySrcAccessOrderStream = 1,
    cudaMemcpySrcAccessOrderDuringApiCall = 2,
    cudaMemcpySrcAccessOrderAny = 3,
    cudaMemcpySrcAccessOrderMax = 0x7fffffff
};
enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };
struct cudaMemcpyAttributes {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    struct cudaMemLocation srcLocHint, dstLocHint;
    unsigned int flags;
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,
    cudaMemAllocationTypePinned = 1,
    cudaMemAllocationTypeManaged = 2,
    cudaMemAllocationTypeMax = 0x7fffffff
};
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8
};
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
};
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};
struct cudaMemAllocNodeParamsV2 {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};
struct cudaMemFreeNodeParams {
    void *dptr;
};
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent = 0,
    cudaGraphMemAttrUsedMemHigh = 1,
    cudaGraphMemAttrReservedMemCurrent = 2,
    cudaGraphMemAttrReservedMemHigh = 3
};

/* Graphs. */
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaKernelNodeParamsV2 {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
    int ownership;
};
struct cudaEventRecordNodeParams {
    cudaEvent_t event;
};
struct cudaEventWaitNodeParams {
    cudaEvent_t event;
};
struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    struct cudaMemcpy3DParms copyParams;
};
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0x00,
    cudaGraphNodeTypeMemcpy = 0x01,
    cudaGraphNodeTypeMemset = 0x02,
    cudaGraphNodeTypeHost = 0x03,
    cudaGraphNodeTypeGraph = 0x04,
    cudaGraphNodeTypeEmpty = 0x05,
    cudaGraphNodeTypeWaitEvent = 0x06,
    cudaGraphNodeTypeEventRecord = 0x07,
    cudaGraphNodeTypeExtSemaphoreSignal = 0x08,
    cudaGraphNodeTypeExtSemaphoreWait = 0x09,
    cudaGraphNodeTypeMemAlloc = 0x0a,
    cudaGraphNodeTypeMemFree = 0x0b,
    cudaGraphNodeTypeConditional = 0x0d,
    cudaGraphNodeTypeCount
};
enum cudaGraphDependencyType {
    cudaGraphDependencyTypeDefault = 0,
    cudaGraphDependencyTypeProgrammatic = 1
};
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf = 0,
    cudaGraphCondTypeWhile = 1,
    cudaGraphCondTypeSwitch = 2
};
enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1 };
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    unsigned int size;
    cudaGraph_t *phGraph_out;
};
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cudaKernelNodeParamsV2 kernel;
        struct cudaMemcpyNodeParams memcpy;
        struct cudaMemsetParamsV2 memset;
        struct cudaHostNodeParamsV2 host;
        struct cudaChildGraphNodeParams graph;
        struct cudaEventWaitNodeParams eventWait;
        struct cudaEventRecordNodeParams eventRecord;
        struct cudaMemAllocNodeParamsV2 alloc;
        struct cudaMemFreeNodeParams free;
        struct cudaConditionalNodeParams conditional;
    };
    long long reserved2;
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
    cudaGraphExecUpdateErrorAttributesChanged = 8
};
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess = 0,
    cudaGraphInstantiateError = 1,
    cudaGraphInstantiateInvalidStructure = 2,
    cudaGraphInstantiateNodeOperationNotSupported = 3,
    cudaGraphInstantiateMultipleDevicesNotSupported = 4,
    cudaGraphInstantiateConditionalHandleUnused = 5
};
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out;
    enum cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};
enum cudaGraphDebugDotFlags {
    cudaGraphDebugDotFlagsVerbose = 1,
    cudaGraphDebugDotFlagsKernelNodeParams = 4,
    cudaGraphDebugDotFlagsMemcpyNodeParams = 8,
    cudaGraphDebugDotFlagsMemsetNodeParams = 16,
    cudaGraphDebugDotFlagsHostNodeParams = 32,
    cudaGraphDebugDotFlagsEventNodeParams = 64,
    cudaGraphDebugDotFlagsKernelNodeAttributes = 512,
    cudaGraphDebugDotFlagsHandles = 1024,
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 128,
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
    cudaGraphDebugDotFlagsConditionalNodeParams = 32768
};

/* Extensible launches. */
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributeMemSyncDomainMap = 9,
    cudaLaunchAttributeMemSyncDomain = 10,
    cudaLaunchAttributePreferredClusterDimension = 11,
    cudaLaunchAttributeLaunchCompletionEvent = 12,
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16
} cudaLaunchAttributeID;
typedef enum cudaLaunchMemSyncDomain {
    cudaLaunchMemSyncDomainDefault = 0,
    cudaLaunchMemSyncDomainRemote = 1
} cudaLaunchMemSyncDomain;
typedef struct cudaLaunchMemSyncDomainMap_st {
    unsigned char default_, remote;
} cudaLaunchMemSyncDomainMap;
typedef union cudaLaunchAttributeValue {
    char pad[64];
    struct cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    enum cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    enum cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    struct {
        cudaEvent_t event;
        int flags, triggerAtBlockStart;
    } programmaticEvent;
    int priority;
    cudaLaunchMemSyncDomainMap memSyncDomainMap;
    cudaLaunchMemSyncDomain memSyncDomain;
    struct {
        unsigned int x, y, z;
    } preferredClusterDim;
    struct {
        cudaEvent_t event;
        int flags;
    } launchCompletionEvent;
    struct {
        int deviceUpdatable;
        cudaGraphDeviceNode_t devNode;
    } deviceUpdatableKernelNode;
    unsigned int sharedMemCarveout;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    char pad[8 - sizeof(cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;
#define cudaStreamAttrID                             cudaLaunchAttributeID
#define cudaStreamAttrValue                          cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow        cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy     cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority                  cudaLaunchAttributePriority
#define cudaStreamAttributeMemSyncDomainMap          cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain             cudaLaunchAttributeMemSyncDomain
#define cudaKernelNodeAttrID                         cudaLaunchAttributeID
#define cudaKernelNodeAttrValue                      cudaLaunchAttributeValue
#define cudaKernelNodeAttributeAccessPolicyWindow    cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative           cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority              cudaLaunchAttributePriority
#define cudaKernelNodeAttributeClusterDimension      cudaLaunchAttributeClusterDimension
#define cudaKernelNodeAttributeClusterSchedulingPolicyPreference cudaLaunchAttributeClusterSchedulingPolicyPreference
#define cudaKernelNodeAttributeMemSyncDomainMap      cudaLaunchAttributeMemSyncDomainMap
#define cudaKernelNodeAttributeMemSyncDomain         cudaLaunchAttributeMemSyncDomain
#define cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout
#define cudaKernelNodeAttributeDeviceUpdatableKernelNode cudaLaunchAttributeDeviceUpdatableKernelNode
#define cudaKernelNodeAttributeNvlinkUtilCentricScheduling cudaLaunchAttributeNvlinkUtilCentricScheduling
struct cudaLaunchParams {
    void *func;
    dim3 gridDim, blockDim;
    void **args;
    size_t sharedMem;
    cudaStream_t stream;
};

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
};
enum cudaGetDriverEntryPointFlags {
    cudaEnableDefault = 0,
    cudaEnableLegacyStream = 1,
    cudaEnablePerThreadDefaultStream = 2
};
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone = 0,
    cudaGraphicsMapFlagsReadOnly = 1,
    cudaGraphicsMapFlagsWriteDiscard = 2
};
enum cudaJitOption {
    cudaJitMaxRegisters = 0,
    cudaJitThreadsPerBlock = 1,
    cudaJitWallTime = 2,
    cudaJitInfoLogBuffer = 3,
    cudaJitInfoLogBufferSizeBytes = 4,
    cudaJitErrorLogBuffer = 5,
    cudaJitErrorLogBufferSizeBytes = 6,
    cudaJitOptimizationLevel = 7,
    cudaJitFallbackStrategy = 10,
    cudaJitGenerateDebugInfo = 11,
    cudaJitLogVerbose = 12,
    cudaJitGenerateLineInfo = 13,
    cudaJitCacheMode = 14,
    cudaJitPositionIndependentCode = 30,
    cudaJitMinCtaPerSm = 31,
    cudaJitMaxThreadsPerBlock = 32,
    cudaJitOverrideDirectiveValues = 33
};
enum cudaGraphicsCubeFace {
    cudaGraphicsCubeFacePositiveX = 0,
    cudaGraphicsCubeFaceNegativeX = 1,
    cudaGraphicsCubeFacePositiveY = 2,
    cudaGraphicsCubeFaceNegativeY = 3,
    cudaGraphicsCubeFacePositiveZ = 4,
    cudaGraphicsCubeFaceNegativeZ = 5
};
enum cudaGPUDirectRDMAWritesOrdering {
    cudaGPUDirectRDMAWritesOrderingNone = 0,
    cudaGPUDirectRDMAWritesOrderingOwner = 100,
    cudaGPUDirectRDMAWritesOrderingAllDevices = 200
};
enum cudaMemcpy3DOperandType {
    cudaMemcpyOperandTypePointer = 1,
    cudaMemcpyOperandTypeArray = 2,
    cudaMemcpyOperandTypeMax = 0x7fffffff
};
enum cudaAtomicOperation {
    cudaAtomicOperationIntegerAdd = 0,
    cudaAtomicOperationIntegerMin = 1,
    cudaAtomicOperationIntegerMax = 2,
    cudaAtomicOperationIntegerIncrement = 3,
    cudaAtomicOperationIntegerDecrement = 4,
    cudaAtomicOperationAnd = 5,
    cudaAtomicOperationOr = 6,
    cudaAtomicOperationXOR = 7,
    cudaAtomicOperationExchange = 8,
    cudaAtomicOperationCAS = 9,
    cudaAtomicOperationFloatAdd = 10,
    cudaAtomicOperationFloatMin = 11,
    cudaAtomicOperationFloatMax = 12
};
enum cudaAtomicOperationCapability {
    cudaAtomicCapabilitySigned = 1,
    cudaAtomicCapabilityUnsigned = 2,
    cudaAtomicCapabilityReduction = 4,
    cudaAtomicCapabilityScalar32 = 8,
    cudaAtomicCapabilityScalar64 = 16,
    cudaAtomicCapabilityScalar128 = 32,
    cudaAtomicCapabilityVector32x4 = 64
};
enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1,
    cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
    cudaExternalMemoryHandleTypeD3D12Heap = 4,
    cudaExternalMemoryHandleTypeD3D12Resource = 5,
    cudaExternalMemoryHandleTypeD3D11Resource = 6,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
    cudaExternalMemoryHandleTypeNvSciBuf = 8
};
enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
    cudaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
    cudaExternalSemaphoreHandleTypeD3D12Fence = 4,
    cudaExternalSemaphoreHandleTypeD3D11Fence = 5,
    cudaExternalSemaphoreHandleTypeNvSciSync = 6,
    cudaExternalSemaphoreHandleTypeKeyedMutex = 7,
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10
};
enum cudaJit_CacheMode {
    cudaJitCacheOptionNone = 0,
    cudaJitCacheOptionCG = 1,
    cudaJitCacheOptionCA = 2
};
enum cudaJit_Fallback {
    cudaPreferPtx = 0,
    cudaPreferBinary = 1
};
enum cudaCGScope {
    cudaCGScopeInvalid = 0,
    cudaCGScopeGrid = 1,
    cudaCGScopeReserved = 2
};
enum cudaGraphChildGraphNodeOwnership {
    cudaGraphChildGraphOwnershipClone = 0,
    cudaGraphChildGraphOwnershipMove = 1
};
enum cudaGraphKernelNodeField {
    cudaGraphKernelNodeFieldInvalid = 0,
    cudaGraphKernelNodeFieldGridDim = 1,
    cudaGraphKernelNodeFieldParam = 2,
    cudaGraphKernelNodeFieldEnabled = 3
};
enum cudaDeviceNumaConfig {
    cudaDeviceNumaConfigNone = 0,
    cudaDeviceNumaConfigNumaNode = 1
};
typedef enum cudaAsyncNotificationType_enum { cudaAsyncNotificationTypeOverBudget = 1 } cudaAsyncNotificationType;
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };

/* Textures and surfaces. */
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
#define cudaTextureType1D               0x01
#define cudaTextureType2D               0x02
#define cudaTextureType3D               0x03
#define cudaTextureTypeCubemap          0x0C
#define cudaTextureType1DLayered        0xF1
#define cudaTextureType2DLayered        0xF2
#define cudaTextureTypeCubemapLayered   0xFC
#define cudaSurfaceType1D               0x01
#define cudaSurfaceType2D               0x02
#define cudaSurfaceType3D               0x03
#define cudaSurfaceTypeCubemap          0x0C
#define cudaSurfaceTypeCubemapLayered   0xFC
#define cudaSurfaceType1DLayered        0xF1
#define cudaSurfaceType2DLayered        0xF2
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };
struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};

/* C programs may write the structures without "struct", as C++ does. */
#ifndef __cplusplus
typedef struct cudaDeviceProp cudaDeviceProp;
typedef struct cudaExtent cudaExtent;
typedef struct cudaPos cudaPos;
typedef struct cudaPitchedPtr cudaPitchedPtr;
typedef enum cudaMemcpyKind cudaMemcpyKind;
#endif

enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };
#ifndef __cplusplus
typedef enum libraryPropertyType_t libraryPropertyType;
#else
typedef enum libraryPropertyType_t libraryPropertyType;
#endif

#include "gpukit/runtime_types_seldom.h"

#include "gpukit/letters_pop.h"
#endif
