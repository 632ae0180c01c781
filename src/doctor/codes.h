/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA, NVML and Xid numbers with their meaning (explain.def, nvml_codes.def, xids.def). */
#ifndef GPUKIT_DOCTOR_CODES_H
#define GPUKIT_DOCTOR_CODES_H

typedef struct {
    int number;
    const char *runtime, *driver; /* cudaError..., CUDA_ERROR_...; NULL when that API has none */
    const char *fragment;         /* words of the message that the APIs print, or NULL */
    const char *meaning, *cause, *fix;
} CudaCode;

typedef enum { XID_PROGRAM, XID_DRIVER, XID_HARDWARE } XidBlame;
typedef struct {
    int number;
    XidBlame blame;
    const char *meaning, *fix;
} XidCode;

typedef struct {
    int number;
    const char *name, *meaning, *fix;
} NvmlCode;

extern const CudaCode cuda_codes[];
extern const int cuda_code_count;
const CudaCode *cuda_code(int number);
const char *cuda_code_name(int number); /* "CUDA_ERROR_NO_DEVICE"; "unknown error" */
const XidCode *xid_code(int number);
const NvmlCode *nvml_code(int number);

#endif
