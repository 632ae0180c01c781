/* SPDX-License-Identifier: Apache-2.0
 * Tables of error numbers. */
#include "doctor/codes.h"

#include <stddef.h>

const CudaCode cuda_codes[] = {
#define CODE(number, runtime, driver, fragment, meaning, cause, fix)                               \
    {number, runtime, driver, fragment, meaning, cause, fix},
#include "doctor/explain.def"
#undef CODE
};
const int cuda_code_count = sizeof cuda_codes / sizeof *cuda_codes;

#define PROGRAM  XID_PROGRAM
#define DRIVER   XID_DRIVER
#define HARDWARE XID_HARDWARE
static const XidCode xids[] = {
#define XID(number, who, meaning, fix) {number, who, meaning, fix},
#include "doctor/xids.def"
#undef XID
};
#undef PROGRAM
#undef DRIVER
#undef HARDWARE

static const NvmlCode nvml_codes[] = {
#define NVML(number, name, meaning, fix) {number, name, meaning, fix},
#include "doctor/nvml_codes.def"
#undef NVML
};

const CudaCode *cuda_code(int number)
{
    for (int i = 0; i < cuda_code_count; ++i)
        if (cuda_codes[i].number == number)
            return &cuda_codes[i];
    return NULL;
}

const char *cuda_code_name(int number)
{
    const CudaCode *code = cuda_code(number);
    return !code ? "unknown error" : code->driver ? code->driver : code->runtime;
}

const XidCode *xid_code(int number)
{
    for (size_t i = 0; i < sizeof xids / sizeof *xids; ++i)
        if (xids[i].number == number)
            return &xids[i];
    return NULL;
}

const NvmlCode *nvml_code(int number)
{
    for (size_t i = 0; i < sizeof nvml_codes / sizeof *nvml_codes; ++i)
        if (nvml_codes[i].number == number)
            return &nvml_codes[i];
    return NULL;
}
