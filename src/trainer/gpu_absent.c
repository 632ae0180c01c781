/* SPDX-License-Identifier: Apache-2.0
 * Stands in for gpu.c where the kernels could not be built. */
#include "trainer/backend.h"

double backend_gpu_warm(int device_index)
{
    (void)device_index;
    return 0;
}

int backend_gpu_count(void)
{
    return 0;
}

const char *backend_gpu_precision(int device_index)
{
    (void)device_index;
    return "bf16";
}

Backend *backend_gpu_open(const BackendConfig *config)
{
    diag_add(config->diags, DIAG_ERROR, NULL, 0, 0,
             "this gpukit was built without GPU training kernels");
    diag_help(config->diags, "rebuild with nvcc or clang-19 present, or use --device cpu");
    return NULL;
}
