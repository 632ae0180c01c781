/* SPDX-License-Identifier: Apache-2.0
 * The CUDA runtime API as C functions, declared from the CUDA Runtime API reference (version 13).
 * What the installed runtime does not implement, it refuses by name when it is called.
 * Calls whose form changed in CUDA 13 also keep the older form as a C++ overload. */
#ifndef GPUKIT_CUDA_RUNTIME_API_H
#define GPUKIT_CUDA_RUNTIME_API_H
#include "gpukit/letters_push.h"
#define __CUDA_RUNTIME_API_H__ 1

#define CUDART_VERSION      13000
#define __CUDART_API_VERSION CUDART_VERSION

#include "driver_types.h"
#include "vector_types.h"

/* Per-thread default stream: the calls that take a stream, or use the default one, get the names
 * that the runtime exports for it. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(GPUKIT_NO_PER_THREAD_NAMES)
#define cudaMemcpy                  cudaMemcpy_ptds
#define cudaMemcpyToSymbol          cudaMemcpyToSymbol_ptds
#define cudaMemcpyFromSymbol        cudaMemcpyFromSymbol_ptds
#define cudaMemcpy2D                cudaMemcpy2D_ptds
#define cudaMemcpyToArray           cudaMemcpyToArray_ptds
#define cudaMemcpyArrayToArray      cudaMemcpyArrayToArray_ptds
#define cudaMemcpyFromArray         cudaMemcpyFromArray_ptds
#define cudaMemcpy2DToArray         cudaMemcpy2DToArray_ptds
#define cudaMemcpy2DFromArray       cudaMemcpy2DFromArray_ptds
#define cudaMemcpy2DArrayToArray    cudaMemcpy2DArrayToArray_ptds
#define cudaMemcpy3D                cudaMemcpy3D_ptds
#define cudaMemcpy3DPeer            cudaMemcpy3DPeer_ptds
#define cudaMemset                  cudaMemset_ptds
#define cudaMemset2D                cudaMemset2D_ptds
#define cudaMemset3D                cudaMemset3D_ptds
#define cudaMemcpyAsync             cudaMemcpyAsync_ptsz
#define cudaMemcpyBatchAsync        cudaMemcpyBatchAsync_ptsz
#define cudaMemcpyToSymbolAsync     cudaMemcpyToSymbolAsync_ptsz
#define cudaMemcpyFromSymbolAsync   cudaMemcpyFromSymbolAsync_ptsz
#define cudaMemcpy2DAsync           cudaMemcpy2DAsync_ptsz
#define cudaMemcpyToArrayAsync      cudaMemcpyToArrayAsync_ptsz
#define cudaMemcpyFromArrayAsync    cudaMemcpyFromArrayAsync_ptsz
#define cudaMemcpy2DToArrayAsync    cudaMemcpy2DToArrayAsync_ptsz
#define cudaMemcpy2DFromArrayAsync  cudaMemcpy2DFromArrayAsync_ptsz
#define cudaMemcpy3DAsync           cudaMemcpy3DAsync_ptsz
#define cudaMemcpy3DPeerAsync       cudaMemcpy3DPeerAsync_ptsz
#define cudaMemsetAsync             cudaMemsetAsync_ptsz
#define cudaMemset2DAsync           cudaMemset2DAsync_ptsz
#define cudaMemset3DAsync           cudaMemset3DAsync_ptsz
#define cudaMemPrefetchAsync        cudaMemPrefetchAsync_ptsz
#define cudaMemPrefetchBatchAsync           cudaMemPrefetchBatchAsync_ptsz
#define cudaMemDiscardAndPrefetchBatchAsync cudaMemDiscardAndPrefetchBatchAsync_ptsz
#define cudaMemDiscardBatchAsync            cudaMemDiscardBatchAsync_ptsz
#define cudaStreamGetFlags          cudaStreamGetFlags_ptsz
#define cudaStreamGetPriority       cudaStreamGetPriority_ptsz
#define cudaStreamWaitEvent         cudaStreamWaitEvent_ptsz
#define cudaStreamAddCallback       cudaStreamAddCallback_ptsz
#define cudaStreamAttachMemAsync    cudaStreamAttachMemAsync_ptsz
#define cudaStreamSynchronize       cudaStreamSynchronize_ptsz
#define cudaStreamQuery             cudaStreamQuery_ptsz
#define cudaStreamBeginCapture      cudaStreamBeginCapture_ptsz
#define cudaStreamEndCapture        cudaStreamEndCapture_ptsz
#define cudaStreamIsCapturing       cudaStreamIsCapturing_ptsz
#define cudaStreamGetCaptureInfo    cudaStreamGetCaptureInfo_ptsz
#define cudaEventRecord             cudaEventRecord_ptsz
#define cudaEventRecordWithFlags    cudaEventRecordWithFlags_ptsz
#define cudaLaunchKernel            cudaLaunchKernel_ptsz
#define cudaLaunchKernelExC         cudaLaunchKernelExC_ptsz
#define cudaLaunchHostFunc          cudaLaunchHostFunc_ptsz
#define cudaLaunchCooperativeKernel cudaLaunchCooperativeKernel_ptsz
#define cudaGraphLaunch             cudaGraphLaunch_ptsz
#define cudaMallocAsync             cudaMallocAsync_ptsz
#define cudaFreeAsync               cudaFreeAsync_ptsz
#define cudaMallocFromPoolAsync     cudaMallocFromPoolAsync_ptsz
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Callable from device code as well (dynamic parallelism): the runtime answers on the host. */
#if defined(__CUDA__) && defined(__clang__)
#define GPUKIT_API extern __host__
#else
#define GPUKIT_API extern
#endif

/* Devices. */
GPUKIT_API cudaError_t cudaDeviceReset(void);
GPUKIT_API cudaError_t cudaDeviceSynchronize(void);
GPUKIT_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
GPUKIT_API cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit);
GPUKIT_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                            const struct cudaChannelFormatDesc *fmtDesc,
                                                            int device);
GPUKIT_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig);
GPUKIT_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
GPUKIT_API cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
GPUKIT_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig);
GPUKIT_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
GPUKIT_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);
GPUKIT_API cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
GPUKIT_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
GPUKIT_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
GPUKIT_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr);
GPUKIT_API cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags);
GPUKIT_API cudaError_t cudaIpcCloseMemHandle(void *devPtr);

/* Resources of graphics interfaces: refused by name when called. */
GPUKIT_API cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
GPUKIT_API cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
GPUKIT_API cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                                cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                                  cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size,
                                                            cudaGraphicsResource_t resource);
GPUKIT_API cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource,
                                                             unsigned int arrayIndex, unsigned int mipLevel);
GPUKIT_API cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                                                   cudaGraphicsResource_t resource);
GPUKIT_API cudaError_t cudaGetLastError(void);
GPUKIT_API cudaError_t cudaPeekAtLastError(void);
GPUKIT_API const char *cudaGetErrorName(cudaError_t error);
GPUKIT_API const char *cudaGetErrorString(cudaError_t error);
GPUKIT_API cudaError_t cudaGetDeviceCount(int *count);
GPUKIT_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
GPUKIT_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
GPUKIT_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device);
GPUKIT_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool);
GPUKIT_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device);
GPUKIT_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice,
                                                 int dstDevice);
GPUKIT_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
GPUKIT_API cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
GPUKIT_API cudaError_t cudaSetDevice(int device);
GPUKIT_API cudaError_t cudaGetDevice(int *device);
GPUKIT_API cudaError_t cudaSetValidDevices(int *device_arr, int len);
GPUKIT_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
GPUKIT_API cudaError_t cudaGetDeviceFlags(unsigned int *flags);
GPUKIT_API cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice);
GPUKIT_API cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
GPUKIT_API cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);
GPUKIT_API cudaError_t cudaDriverGetVersion(int *driverVersion);
GPUKIT_API cudaError_t cudaRuntimeGetVersion(int *runtimeVersion);
GPUKIT_API cudaError_t cudaCtxResetPersistingL2Cache(void);
GPUKIT_API cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target, enum cudaFlushGPUDirectRDMAWritesScope scope);

/* Streams. */
GPUKIT_API cudaError_t cudaStreamCreate(cudaStream_t *pStream);
GPUKIT_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags);
GPUKIT_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority);
GPUKIT_API cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority);
GPUKIT_API cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags);
GPUKIT_API cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId);
GPUKIT_API cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device);
GPUKIT_API cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
GPUKIT_API cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                              cudaLaunchAttributeValue *value_out);
GPUKIT_API cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                              const cudaLaunchAttributeValue *value);
GPUKIT_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
GPUKIT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                           unsigned int flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                             void *userData, unsigned int flags);
GPUKIT_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
GPUKIT_API cudaError_t cudaStreamQuery(cudaStream_t stream);
GPUKIT_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                                size_t length GPUKIT_DEFAULT(0),
                                                unsigned int flags GPUKIT_DEFAULT(cudaMemAttachSingle));
GPUKIT_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
GPUKIT_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                     const cudaGraphNode_t *dependencies,
                                                     const cudaGraphEdgeData *dependencyData,
                                                     size_t numDependencies,
                                                     enum cudaStreamCaptureMode mode);
GPUKIT_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
GPUKIT_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph);
GPUKIT_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pStatus);
GPUKIT_API cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
    unsigned long long *id_out GPUKIT_DEFAULT(0), cudaGraph_t *graph_out GPUKIT_DEFAULT(0),
    const cudaGraphNode_t **dependencies_out GPUKIT_DEFAULT(0),
    const cudaGraphEdgeData **edgeData_out GPUKIT_DEFAULT(0),
    size_t *numDependencies_out GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                           cudaGraphNode_t *dependencies,
                                                           const cudaGraphEdgeData *dependencyData,
                                                           size_t numDependencies,
                                                           unsigned int flags GPUKIT_DEFAULT(0));

/* Events. */
GPUKIT_API cudaError_t cudaEventCreate(cudaEvent_t *event);
GPUKIT_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
GPUKIT_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream GPUKIT_DEFAULT(0),
                                                unsigned int flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaEventQuery(cudaEvent_t event);
GPUKIT_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
GPUKIT_API cudaError_t cudaEventDestroy(cudaEvent_t event);
GPUKIT_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* Launches and functions. */
GPUKIT_API cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream);
GPUKIT_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
GPUKIT_API cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim,
                                                   void **args, size_t sharedMem, cudaStream_t stream);
GPUKIT_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);
GPUKIT_API cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig);
GPUKIT_API cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
GPUKIT_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);
GPUKIT_API cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
GPUKIT_API cudaError_t cudaFuncGetName(const char **name, const void *func);
GPUKIT_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr);
GPUKIT_API cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr);
GPUKIT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                                     int blockSize,
                                                                     size_t dynamicSMemSize);
GPUKIT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                                              const void *func,
                                                                              int blockSize,
                                                                              size_t dynamicSMemSize,
                                                                              unsigned int flags);
GPUKIT_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
                                                                 int numBlocks, int blockSize);
GPUKIT_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                            const cudaLaunchConfig_t *launchConfig);
GPUKIT_API cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                                      const cudaLaunchConfig_t *launchConfig);

/* Memory. */
GPUKIT_API cudaError_t cudaMallocManaged(void **devPtr, size_t size,
                                         unsigned int flags GPUKIT_DEFAULT(cudaMemAttachGlobal));
GPUKIT_API cudaError_t cudaMalloc(void **devPtr, size_t size);
GPUKIT_API cudaError_t cudaMallocHost(void **ptr, size_t size);
GPUKIT_API cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);
GPUKIT_API cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                       size_t width, size_t height GPUKIT_DEFAULT(0),
                                       unsigned int flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaFree(void *devPtr);
GPUKIT_API cudaError_t cudaFreeHost(void *ptr);
GPUKIT_API cudaError_t cudaFreeArray(cudaArray_t array);
GPUKIT_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray);
GPUKIT_API cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags);
GPUKIT_API cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
GPUKIT_API cudaError_t cudaHostUnregister(void *ptr);
GPUKIT_API cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);
GPUKIT_API cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost);
GPUKIT_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent);
GPUKIT_API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                         struct cudaExtent extent, unsigned int flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                                const struct cudaChannelFormatDesc *desc,
                                                struct cudaExtent extent, unsigned int numLevels,
                                                unsigned int flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                                                  cudaMipmappedArray_const_t mipmappedArray,
                                                  unsigned int level);
GPUKIT_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
GPUKIT_API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p);
GPUKIT_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                                         cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                             cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
GPUKIT_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                        unsigned int *flags, cudaArray_t array);
GPUKIT_API cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count);
GPUKIT_API cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                    size_t height, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                           size_t spitch, size_t width, size_t height,
                                           enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                             size_t hOffset, size_t width, size_t height,
                                             enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                                cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                                size_t width, size_t height,
                                                enum cudaMemcpyKind kind
                                                    GPUKIT_DEFAULT(cudaMemcpyDeviceToDevice));
GPUKIT_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                              cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                              size_t count, enum cudaMemcpyKind kind GPUKIT_DEFAULT(cudaMemcpyDeviceToDevice));
GPUKIT_API cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                         size_t count, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                           size_t count, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                              const void *src, size_t count, enum cudaMemcpyKind kind,
                                              cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset,
                                                size_t hOffset, size_t count, enum cudaMemcpyKind kind,
                                                cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                                          size_t offset GPUKIT_DEFAULT(0),
                                          enum cudaMemcpyKind kind GPUKIT_DEFAULT(cudaMemcpyHostToDevice));
GPUKIT_API cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                            size_t offset GPUKIT_DEFAULT(0),
                                            enum cudaMemcpyKind kind GPUKIT_DEFAULT(cudaMemcpyDeviceToHost));
GPUKIT_API cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                                       cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs,
                                            const size_t *sizes, size_t count,
                                            struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs,
                                            size_t numAttrs, cudaStream_t stream);
GPUKIT_API cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                           size_t count, cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                         size_t width, size_t height, enum cudaMemcpyKind kind,
                                         cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                const void *src, size_t spitch, size_t width, size_t height,
                                                enum cudaMemcpyKind kind,
                                                cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                                  size_t wOffset, size_t hOffset, size_t width,
                                                  size_t height, enum cudaMemcpyKind kind,
                                                  cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                               size_t offset, enum cudaMemcpyKind kind,
                                               cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                                 enum cudaMemcpyKind kind,
                                                 cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemset(void *devPtr, int value, size_t count);
GPUKIT_API cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);
GPUKIT_API cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent);
GPUKIT_API cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                                       cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                                         cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                                         struct cudaExtent extent, cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol);
GPUKIT_API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);
GPUKIT_API cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                            struct cudaMemLocation location, unsigned int flags,
                                            cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                     struct cudaMemLocation location);
GPUKIT_API cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                                enum cudaMemRangeAttribute attribute, const void *devPtr,
                                                size_t count);
GPUKIT_API cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream);
GPUKIT_API cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream);
GPUKIT_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep);
GPUKIT_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
GPUKIT_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
GPUKIT_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                            size_t count);
GPUKIT_API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                                enum cudaMemAllocationType type);
GPUKIT_API cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                         enum cudaMemAllocationType type);
GPUKIT_API cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                                         cudaMemPool_t memPool);
GPUKIT_API cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                 struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                 size_t numPrefetchLocs, unsigned long long flags,
                                                 cudaStream_t stream);
GPUKIT_API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                           struct cudaMemLocation *prefetchLocs,
                                                           size_t *prefetchLocIdxs, size_t numPrefetchLocs,
                                                           unsigned long long flags, cudaStream_t stream);
GPUKIT_API cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                unsigned long long flags, cudaStream_t stream);
GPUKIT_API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                            struct cudaMemLocation *location);
GPUKIT_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps);
GPUKIT_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool);
GPUKIT_API cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                               cudaStream_t stream);
GPUKIT_API cudaError_t cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                                          enum cudaMemAllocationHandleType handleType,
                                                          unsigned int flags);
GPUKIT_API cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                                            enum cudaMemAllocationHandleType handleType,
                                                            unsigned int flags);
GPUKIT_API cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr);
GPUKIT_API cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool,
                                                struct cudaMemPoolPtrExportData *exportData);
GPUKIT_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr);

/* Textures and surfaces. */
GPUKIT_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
GPUKIT_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                              enum cudaChannelFormatKind f);
GPUKIT_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject,
                                               const struct cudaResourceDesc *pResDesc,
                                               const struct cudaTextureDesc *pTexDesc,
                                               const struct cudaResourceViewDesc *pResViewDesc);
GPUKIT_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
GPUKIT_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                                        cudaTextureObject_t texObject);
GPUKIT_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc,
                                                       cudaTextureObject_t texObject);
GPUKIT_API cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                            cudaTextureObject_t texObject);
GPUKIT_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                               const struct cudaResourceDesc *pResDesc);
GPUKIT_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
GPUKIT_API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                                        cudaSurfaceObject_t surfObject);

/* Graphs. */
GPUKIT_API cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags);
GPUKIT_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                              const struct cudaKernelNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                    struct cudaKernelNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                    const struct cudaKernelNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc);
GPUKIT_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                       cudaLaunchAttributeValue *value_out);
GPUKIT_API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                       const cudaLaunchAttributeValue *value);
GPUKIT_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                              const struct cudaMemcpy3DParms *pCopyParams);
GPUKIT_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                void *dst, const void *src, size_t count,
                                                enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                      const cudaGraphNode_t *pDependencies,
                                                      size_t numDependencies, const void *symbol,
                                                      const void *src, size_t count, size_t offset,
                                                      enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                        const cudaGraphNode_t *pDependencies,
                                                        size_t numDependencies, void *dst, const void *symbol,
                                                        size_t count, size_t offset,
                                                        enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                    struct cudaMemcpy3DParms *pNodeParams);
GPUKIT_API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                    const struct cudaMemcpy3DParms *pNodeParams);
GPUKIT_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                                      size_t count, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                              const struct cudaMemsetParams *pMemsetParams);
GPUKIT_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                    struct cudaMemsetParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                    const struct cudaMemsetParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                            const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                            const struct cudaHostNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *pNodeParams);
GPUKIT_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                            size_t count, size_t offset, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol,
                                                              size_t count, size_t offset, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                const void *symbol, const void *src, size_t count,
                                                                size_t offset, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                  void *dst, const void *symbol, size_t count,
                                                                  size_t offset, enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out);
GPUKIT_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
GPUKIT_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out);
GPUKIT_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
GPUKIT_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                            cudaEvent_t event);
GPUKIT_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                          cudaEvent_t event);
GPUKIT_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams);
GPUKIT_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                                  struct cudaGraphNodeParams *nodeParams);
GPUKIT_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                  const struct cudaHostNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                  const cudaGraphNode_t *pDependencies,
                                                  size_t numDependencies, cudaGraph_t childGraph);
GPUKIT_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph);
GPUKIT_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies);
GPUKIT_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                   const cudaGraphNode_t *pDependencies,
                                                   size_t numDependencies, cudaEvent_t event);
GPUKIT_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                 cudaEvent_t event);
GPUKIT_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                struct cudaMemAllocNodeParams *nodeParams);
GPUKIT_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                      struct cudaMemAllocNodeParams *params_out);
GPUKIT_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                               void *dptr);
GPUKIT_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out);
GPUKIT_API cudaError_t cudaDeviceGraphMemTrim(int device);
GPUKIT_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                      void *value);
GPUKIT_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                      void *value);
GPUKIT_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies,
                                        const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                        struct cudaGraphNodeParams *nodeParams);
GPUKIT_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out,
                                                        cudaGraph_t graph,
                                                        unsigned int defaultLaunchValue GPUKIT_DEFAULT(0),
                                                        unsigned int flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph);
GPUKIT_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode,
                                                cudaGraph_t clonedGraph);
GPUKIT_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType);
GPUKIT_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes);
GPUKIT_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes,
                                             size_t *pNumRootNodes);
GPUKIT_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                         cudaGraphEdgeData *edgeData, size_t *numEdges);
GPUKIT_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                                    cudaGraphEdgeData *edgeData, size_t *pNumDependencies);
GPUKIT_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                                      cudaGraphEdgeData *edgeData,
                                                      size_t *pNumDependentNodes);
GPUKIT_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                                size_t numDependencies);
GPUKIT_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *edgeData, size_t numDependencies);
GPUKIT_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
GPUKIT_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                            unsigned long long flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                     unsigned long long flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                      cudaGraphInstantiateParams *instantiateParams);
GPUKIT_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long *flags);
GPUKIT_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                        const struct cudaKernelNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                        const struct cudaMemcpy3DParms *pNodeParams);
GPUKIT_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                          void *dst, const void *src, size_t count,
                                                          enum cudaMemcpyKind kind);
GPUKIT_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                        const struct cudaMemsetParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                      const struct cudaHostNodeParams *pNodeParams);
GPUKIT_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                            cudaGraph_t childGraph);
GPUKIT_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                               unsigned int isEnabled);
GPUKIT_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                               unsigned int *isEnabled);
GPUKIT_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                           cudaGraphExecUpdateResultInfo *resultInfo);
GPUKIT_API cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream);
GPUKIT_API cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);
GPUKIT_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec);
GPUKIT_API cudaError_t cudaGraphDestroy(cudaGraph_t graph);
GPUKIT_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);
GPUKIT_API cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy,
                                            unsigned int initialRefcount, unsigned int flags);
GPUKIT_API cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count GPUKIT_DEFAULT(1));
GPUKIT_API cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count GPUKIT_DEFAULT(1));
GPUKIT_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                 unsigned int count GPUKIT_DEFAULT(1),
                                                 unsigned int flags GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                  unsigned int count GPUKIT_DEFAULT(1));

/* Driver entry points, libraries, profiler. */
GPUKIT_API cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                               enum cudaDriverEntryPointQueryResult *driverStatus
                                                   GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr,
                                                        unsigned int cudaVersion, unsigned long long flags,
                                                        enum cudaDriverEntryPointQueryResult *driverStatus
                                                            GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                           enum cudaJitOption *jitOptions, void **jitOptionsValues,
                                           unsigned int numJitOptions, enum cudaLibraryOption *libraryOptions,
                                           void **libraryOptionValues, unsigned int numLibraryOptions);
GPUKIT_API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName,
                                               enum cudaJitOption *jitOptions, void **jitOptionsValues,
                                               unsigned int numJitOptions,
                                               enum cudaLibraryOption *libraryOptions,
                                               void **libraryOptionValues, unsigned int numLibraryOptions);
GPUKIT_API cudaError_t cudaLibraryUnload(cudaLibrary_t library);
GPUKIT_API cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name);
GPUKIT_API cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library,
                                            const char *name);
GPUKIT_API cudaError_t cudaProfilerStart(void);
GPUKIT_API cudaError_t cudaProfilerStop(void);
#include "gpukit/runtime_seldom.h"

/* Older names that CUDA 13 no longer has. */
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit        cudaDeviceReset
#define cudaThreadSetLimit    cudaDeviceSetLimit
#define cudaThreadGetLimit    cudaDeviceGetLimit
#define cudaThreadGetCacheConfig cudaDeviceGetCacheConfig
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig

#ifdef __cplusplus
}
#endif

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    struct cudaPitchedPtr s;
    s.ptr = d, s.pitch = p, s.xsize = xsz, s.ysize = ysz;
    return s;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p;
    p.x = x, p.y = y, p.z = z;
    return p;
}
static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e;
    e.width = w, e.height = h, e.depth = d;
    return e;
}

#ifdef __cplusplus
/* The forms of CUDA 12 and before. */
static inline cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                               cudaStream_t stream = 0)
{
    cudaMemLocation where = {dstDevice == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                                           : cudaMemLocationTypeDevice,
                             dstDevice == cudaCpuDeviceId ? 0 : dstDevice};
    return cudaMemPrefetchAsync(devPtr, count, where, 0u, stream);
}
static inline cudaError_t cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice, int device)
{
    cudaMemLocation where = {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                             device == cudaCpuDeviceId ? 0 : device};
    return cudaMemAdvise(devPtr, count, advice, where);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *bad,
                                               char *log, size_t size)
{
    cudaError_t e = cudaGraphInstantiate(exec, graph, 0ull);
    if (bad)
        *bad = 0;
    if (log && size)
        *log = 0;
    return e;
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *bad,
                                              cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t e = cudaGraphExecUpdate(exec, graph, &info);
    if (bad)
        *bad = info.errorNode;
    if (result)
        *result = info.result;
    return e;
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, (const cudaGraphEdgeData *)0, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            size_t *count)
{
    return cudaGraphGetEdges(graph, from, to, (cudaGraphEdgeData *)0, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                                       size_t *count)
{
    return cudaGraphNodeGetDependencies(node, dependencies, (cudaGraphEdgeData *)0, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                                         size_t *count)
{
    return cudaGraphNodeGetDependentNodes(node, dependents, (cudaGraphEdgeData *)0, count);
}
#endif

#include "gpukit/letters_pop.h"
#endif
