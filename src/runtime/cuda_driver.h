/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to libcuda: types as the driver API documents them, and what its files share. */
#ifndef GPUKIT_RUNTIME_CUDA_DRIVER_H
#define GPUKIT_RUNTIME_CUDA_DRIVER_H

#include "runtime/rt.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct Context *CUcontext;
typedef void *CUmodule, *CUfunction, *CUstream, *CUevent, *CUgraph, *CUgraphNode, *CUgraphExec;
typedef void *CUlibrary, *CUkernel, *CUmemoryPool, *CUlinkState, *CUarray, *CUmipmappedArray;

#define CU RT_API int

/* The driver's number for an error of the core. */
#define drv(error) drv_from(error, __func__)
int drv_from(int error, const char *function);
/* A context must be current. */
int drv_enter(void);
#define BEGIN                                                                                      \
    do {                                                                                           \
        int begin_error_ = drv_enter();                                                            \
        if (begin_error_)                                                                          \
            return begin_error_;                                                                   \
    } while (0)
/* For calls on a handle that knows its context: none need be current. */
int drv_enter_plain(void);
#define PLAIN                                                                                      \
    do {                                                                                           \
        int plain_error_ = drv_enter_plain();                                                      \
        if (plain_error_)                                                                          \
            return plain_error_;                                                                   \
    } while (0)
#define BEGIN_STREAM(handle)                                                                       \
    do {                                                                                           \
        int begin_error_ = (uintptr_t)(handle) > 2 ? drv_enter_plain() : drv_enter();              \
        if (begin_error_)                                                                          \
            return begin_error_;                                                                   \
    } while (0)
#define STREAM(handle)                                                                             \
    RtStream *own = rt_stream((handle), per_thread);                                               \
    if (!own)                                                                                      \
    return RT_INVALID_HANDLE
#define UNPACK(...) __VA_ARGS__
/* A function with a second entry for per-thread default streams. */
#define DUAL(name, suffix, args, ...)                                                              \
    static int do_##name(bool per_thread, __VA_ARGS__);                                            \
    CU name(__VA_ARGS__);                                                                          \
    CU name##suffix(__VA_ARGS__);                                                                  \
    int name(__VA_ARGS__)                                                                          \
    {                                                                                              \
        return do_##name(false, UNPACK args);                                                      \
    }                                                                                              \
    int name##suffix(__VA_ARGS__)                                                                  \
    {                                                                                              \
        return do_##name(true, UNPACK args);                                                       \
    }                                                                                              \
    static int do_##name(bool per_thread, __VA_ARGS__)

/* Another name of a function: mostly the plain name of a first form that had the same arguments. First
 * forms with 32-bit addresses are refused by name. */
#define SAME(name, later, ...) CU name(__VA_ARGS__) __attribute__((alias(#later)));

CUdevice drv_device(void); /* of the current context */
CUcontext drv_context(const RtStream *own,
                      CUstream stream); /* a stream's; the default ones': the current */

enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };

typedef struct {
    size_t srcXInBytes, srcY;
    unsigned srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    unsigned dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    unsigned srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    unsigned dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *reserved1;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct {
    CUfunction func;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    void **kernelParams, **extra;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct {
    void (*fn)(void *);
    void *userData;
} CUDA_HOST_NODE_PARAMS;

enum { LAUNCH_COOPERATIVE = 2, LAUNCH_CLUSTER = 4 };
typedef union {
    char room[64];
    int cooperative;
    unsigned cluster[3];
} CUlaunchAttributeValue;
typedef struct {
    int id;
    char pad[4];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct {
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned numAttrs;
} CUlaunchConfig;

int drv_array(CUarray array, DevArray **out, size_t *row); /* row: bytes */
int copy3d_of(const CUDA_MEMCPY3D *p, DevCopy *out);
void launch_attribute(DevLaunch *launch, int which, const CUlaunchAttributeValue *value);
/* kernelParams or extra into a launch. */
int launch_arguments(DevLaunch *launch, void **params, void **extra);

/* A pointer that may not be NULL. */
#define NEED(pointer)                                                                              \
    do {                                                                                           \
        if (!(pointer))                                                                            \
            return RT_INVALID_VALUE;                                                               \
    } while (0)

#endif
