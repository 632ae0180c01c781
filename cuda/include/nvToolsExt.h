/* SPDX-License-Identifier: Apache-2.0
 * NVTX: marks and ranges for a profiler. Without one they do nothing, as documented, so they are
 * empty functions here and need no library. */
#ifndef GPUKIT_NVTOOLSEXT_H
#define GPUKIT_NVTOOLSEXT_H
#include "gpukit/letters_push.h"

#include <stddef.h>
#include <stdint.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration *nvtxDomainHandle_t;
enum { NVTX_VERSION = 3 };
typedef enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1 } nvtxMessageType_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

static inline void nvtxMarkA(const char *message) { (void)message; }
static inline void nvtxMarkEx(const nvtxEventAttributes_t *e) { (void)e; }
static inline int nvtxRangePushA(const char *message) { (void)message; return 0; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *e) { (void)e; return 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartA(const char *message) { (void)message; return 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *e) { (void)e; return 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name) { (void)name; return 0; }
static inline void nvtxDomainDestroy(nvtxDomainHandle_t d) { (void)d; }
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *e)
{
    (void)d, (void)e;
    return 0;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t d) { (void)d; return 0; }
static inline void nvtxNameOsThreadA(uint32_t id, const char *name) { (void)id, (void)name; }
static inline void nvtxNameCategoryA(uint32_t id, const char *name) { (void)id, (void)name; }
/* Names of CUDA's things: any handle. */
static inline void nvtxNameCudaDeviceA(int device, const char *name) { (void)device, (void)name; }
static inline void nvtxNameCudaStreamA(const void *stream, const char *name) { (void)stream, (void)name; }
static inline void nvtxNameCudaEventA(const void *event, const char *name) { (void)event, (void)name; }
static inline void nvtxNameCuDeviceA(int device, const char *name) { (void)device, (void)name; }
static inline void nvtxNameCuContextA(const void *context, const char *name) { (void)context, (void)name; }
static inline void nvtxNameCuStreamA(const void *stream, const char *name) { (void)stream, (void)name; }
static inline void nvtxNameCuEventA(const void *event, const char *name) { (void)event, (void)name; }
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA
#define nvtxMark          nvtxMarkA
#define nvtxRangePush     nvtxRangePushA
#define nvtxRangeStart    nvtxRangeStartA
#define nvtxDomainCreate  nvtxDomainCreateA
#define nvtxNameOsThread  nvtxNameOsThreadA
#define nvtxNameCategory  nvtxNameCategoryA

#include "gpukit/letters_pop.h"
#endif
