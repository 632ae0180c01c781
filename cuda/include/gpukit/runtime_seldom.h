/* SPDX-License-Identifier: Apache-2.0
 * The rest of the CUDA runtime API, version 13: functions that few programs call. What libcudart does not do of
 * it, it refuses by name. Part of cuda_runtime_api.h. */
#ifndef GPUKIT_RUNTIME_SELDOM_H
#define GPUKIT_RUNTIME_SELDOM_H

GPUKIT_API cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList,
                                              unsigned long long flags, cudaStream_t stream);
GPUKIT_API cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes,
                                                 enum cudaMemRangeAttribute *attributes, size_t numAttributes,
                                                 const void *devPtr, size_t count);
GPUKIT_API cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned int index);
GPUKIT_API cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements,
                                                      cudaArray_t array, int device);
GPUKIT_API cudaError_t cudaMipmappedArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *requirements, cudaMipmappedArray_t mipmap, int device);
GPUKIT_API cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                    cudaArray_t array);
GPUKIT_API cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                             cudaMipmappedArray_t mipmap);
GPUKIT_API cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                                           const enum cudaAtomicOperation *operations,
                                                           unsigned int count, int device);
GPUKIT_API cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                                          const enum cudaAtomicOperation *operations,
                                                          unsigned int count, int srcDevice, int dstDevice);
GPUKIT_API cudaError_t cudaDeviceGetNvSciSyncAttributes(void *list, int device, int flags);
GPUKIT_API cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback function, void *data,
                                                           cudaAsyncCallbackHandle_t *callback);
GPUKIT_API cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback);
GPUKIT_API cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size);
GPUKIT_API cudaError_t cudaGetExportTable(const void **table, const cudaUUID_t *id);
GPUKIT_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                                       int value, int device);
GPUKIT_API cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library);
GPUKIT_API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int count,
                                                   cudaLibrary_t library);
GPUKIT_API cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library,
                                             const char *name);
GPUKIT_API cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library,
                                                     const char *symbol);
GPUKIT_API cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void *data,
                                                cudaLogsCallbackHandle *callback);
GPUKIT_API cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);
GPUKIT_API cudaError_t cudaLogsCurrent(cudaLogIterator *iterator, unsigned int flags);
GPUKIT_API cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path, unsigned int flags);
GPUKIT_API cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size,
                                            unsigned int flags);

GPUKIT_API cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *memory,
                                                const struct cudaExternalMemoryHandleDesc *desc);
GPUKIT_API cudaError_t cudaExternalMemoryGetMappedBuffer(void **devPtr, cudaExternalMemory_t memory,
                                                         const struct cudaExternalMemoryBufferDesc *desc);
GPUKIT_API cudaError_t cudaExternalMemoryGetMappedMipmappedArray(
    cudaMipmappedArray_t *mipmap, cudaExternalMemory_t memory,
    const struct cudaExternalMemoryMipmappedArrayDesc *desc);
GPUKIT_API cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t memory);
GPUKIT_API cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *semaphore,
                                                   const struct cudaExternalSemaphoreHandleDesc *desc);
GPUKIT_API cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *semaphores,
                                                         const struct cudaExternalSemaphoreSignalParams *params,
                                                         unsigned int count,
                                                         cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *semaphores,
                                                       const struct cudaExternalSemaphoreWaitParams *params,
                                                       unsigned int count,
                                                       cudaStream_t stream GPUKIT_DEFAULT(0));
GPUKIT_API cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t semaphore);
GPUKIT_API cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
    const struct cudaExternalSemaphoreSignalNodeParams *params);
GPUKIT_API cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t node, struct cudaExternalSemaphoreSignalNodeParams *params);
GPUKIT_API cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t node, const struct cudaExternalSemaphoreSignalNodeParams *params);
GPUKIT_API cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaExternalSemaphoreSignalNodeParams *params);
GPUKIT_API cudaError_t cudaGraphAddExternalSemaphoresWaitNode(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
    const struct cudaExternalSemaphoreWaitNodeParams *params);
GPUKIT_API cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t node, struct cudaExternalSemaphoreWaitNodeParams *params);
GPUKIT_API cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t node, const struct cudaExternalSemaphoreWaitNodeParams *params);
GPUKIT_API cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaExternalSemaphoreWaitNodeParams *params);
#endif
