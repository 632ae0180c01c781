/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart: the functions that gpukit does not have (api.def): each says so once and fails. */
#include "runtime/rt.h"

int gk_refuse_runtime(const char *name);

#define FULL(name)
#define HINT(name)
#define REFUSED(name)                                                                              \
    RT_API int name(void);                                                                         \
    int name(void)                                                                                 \
    {                                                                                              \
        return gk_refuse_runtime(#name);                                                           \
    }
#include "runtime/api.def"
