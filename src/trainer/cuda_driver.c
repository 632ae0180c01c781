/* SPDX-License-Identifier: Apache-2.0
 * Opens libcuda.so.1 and looks its functions up; holds the embedded kernels. */
#include "trainer/cuda_driver.h"

#include <dlfcn.h>

const CudaPrecisionRow cuda_precisions[CUDA_PRECISIONS] = {
#define PRECISION(name, bytes, capability, shared, slice) {#name, bytes, capability, shared, slice},
#include "trainer/precision.def"
#undef PRECISION
};

/* PTX must end in NUL. */
#define PRECISION(name, bytes, capability, shared, slice)                                          \
    __asm__(".section .rodata\n"                                                                   \
            ".balign 16\n"                                                                         \
            "gk_train_" #name ":\n"                                                                \
            ".incbin \"" TRAIN_KERNELS "_" #name TRAIN_ENDING "\"\n"                               \
            ".byte 0\n"                                                                            \
            ".previous\n");                                                                        \
    extern const char gk_train_##name[] __attribute__((visibility("hidden")));
#include "trainer/precision.def"
#undef PRECISION

static const CudaDriver *replacement;
static const void *const *replacement_kernels;

void cuda_driver_replace(const CudaDriver *driver, const void *const kernels[CUDA_PRECISIONS])
{
    replacement = driver;
    replacement_kernels = kernels;
}

const void *cuda_kernels(CudaPrecision precision)
{
    static const char *const kernels[CUDA_PRECISIONS] = {
#define PRECISION(name, bytes, capability, shared, slice) gk_train_##name,
#include "trainer/precision.def"
#undef PRECISION
    };
    return replacement ? replacement_kernels[precision] : kernels[precision];
}

const CudaDriver *cuda_driver(const char **reason)
{
    static CudaDriver driver;
    static int state; /* 0 not tried, 1 there, 2 absent, 3 too old */
    if (replacement)
        return replacement;
    if (!state) {
        void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        state = library ? 1 : 2;
#define CUDA_CALL(field, symbol, arguments)                                                        \
    if (state == 1 && !(*(void **)(void *)&driver.field = dlsym(library, symbol)))                 \
        state = 3;
#include "trainer/cuda_driver.def"
#undef CUDA_CALL
    }
    *reason = state == 2   ? "the NVIDIA driver library libcuda.so.1 is not installed"
              : state == 3 ? "the NVIDIA driver is too old (CUDA 11.4 or later is needed)"
                           : "";
    return state == 1 ? &driver : 0;
}
