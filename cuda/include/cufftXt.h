/* SPDX-License-Identifier: Apache-2.0
 * cuFFT's extended interface. gpukit has cufftXtMakePlanMany and cufftXtExec in single and double precision (cufft.h);
 * several devices and callbacks are refused when they are called. */
#ifndef GPUKIT_CUFFTXT_H
#define GPUKIT_CUFFTXT_H
#include "gpukit/letters_push.h"

#include "cudalibxt.h"
#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif
typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT = 0,
    CUFFT_XT_FORMAT_OUTPUT = 1,
    CUFFT_XT_FORMAT_INPLACE = 2,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
    CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
    CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
    CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
    CUFFT_COPY_HOST_TO_DEVICE = 0,
    CUFFT_COPY_DEVICE_TO_HOST = 1,
    CUFFT_COPY_DEVICE_TO_DEVICE = 2,
    CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;
typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;
typedef struct cufftXt1dFactors_t {
    long long int size, stringCount, stringLength, substringLength, factor1, factor2, stringMask, substringMask,
        factor1Mask, factor2Mask;
    int stringShift, substringShift, factor1Shift, factor2Shift;
} cufftXt1dFactors;
typedef enum cufftXtWorkAreaPolicy_t {
    CUFFT_WORKAREA_MINIMAL = 0,
    CUFFT_WORKAREA_USER = 1,
    CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX = 0,
    CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
    CUFFT_CB_LD_REAL = 2,
    CUFFT_CB_LD_REAL_DOUBLE = 3,
    CUFFT_CB_ST_COMPLEX = 4,
    CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
    CUFFT_CB_ST_REAL = 6,
    CUFFT_CB_ST_REAL_DOUBLE = 7,
    CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

/* Functions of the program that load and store elements: suffix, element. */
#define GPUKIT_CUFFT_CALLBACKS(suffix, element)                                                                    \
    typedef element (*cufftCallbackLoad##suffix)(void *dataIn, size_t offset, void *callerInfo,                    \
                                                 void *sharedPointer);                                             \
    typedef void (*cufftCallbackStore##suffix)(void *dataOut, size_t offset, element value, void *callerInfo,      \
                                               void *sharedPointer);                                               \
    typedef element (*cufftJITCallbackLoad##suffix)(void *dataIn, unsigned long long offset, void *callerInfo,     \
                                                    void *sharedPointer);                                          \
    typedef void (*cufftJITCallbackStore##suffix)(void *dataOut, unsigned long long offset, element value,         \
                                                  void *callerInfo, void *sharedPointer)
GPUKIT_CUFFT_CALLBACKS(C, cufftComplex);
GPUKIT_CUFFT_CALLBACKS(Z, cufftDoubleComplex);
GPUKIT_CUFFT_CALLBACKS(R, cufftReal);
GPUKIT_CUFFT_CALLBACKS(D, cufftDoubleReal);
#undef GPUKIT_CUFFT_CALLBACKS

cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int *devices);
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor, cufftXtSubFormat format);
cufftResult cufftXtMemcpy(cufftHandle plan, void *dst, void *src, cufftXtCopyType type);
cufftResult cufftXtFree(cudaLibXtDesc *descriptor);
cufftResult cufftXtSetWorkArea(cufftHandle plan, void **areas);
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *bytes);
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtQueryPlan(cufftHandle plan, void *result, cufftXtQueryType type);
cufftResult cufftXtSetCallback(cufftHandle plan, void **functions, cufftXtCallbackType type, void **callerInfo);
cufftResult cufftXtSetJITCallback(cufftHandle plan, const char *name, const void *code, size_t bytes,
                                  cufftXtCallbackType type, void **callerInfo);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t bytes);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int *sizes, long long int *inembed,
                               long long int istride, long long int idist, cudaDataType inputtype,
                               long long int *onembed, long long int ostride, long long int odist,
                               cudaDataType outputtype, long long int batch, size_t *workSize,
                               cudaDataType executiontype);
#ifdef __cplusplus
}
#endif

#include "gpukit/letters_pop.h"
#endif
