/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda: the functions that gpukit does not have (cuda_api.def): each says so once and fails. */
#include "runtime/rt.h"

int gk_refuse_driver(const char *name);

#define FULL(name)
#define REFUSED(name)                                                                              \
    RT_API int name(void);                                                                         \
    int name(void)                                                                                 \
    {                                                                                              \
        return gk_refuse_driver(#name);                                                            \
    }
#include "runtime/cuda_api.def"
