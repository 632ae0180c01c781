/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the refusing functions of a library from its table: before it stand GPUKIT_TABLE (the file)
 * and GPUKIT_REFUSED_STATUS (what they return); each says once that it is not supported. */
#include "runtime/rt.h"

#define FULL(name)
#define HINT(name)
#define SENSOR(name)
#define REFUSED(name)                                                                              \
    RT_API int name(void);                                                                         \
    int name(void)                                                                                 \
    {                                                                                              \
        rt_refuse(#name);                                                                          \
        return GPUKIT_REFUSED_STATUS;                                                              \
    }
#include GPUKIT_TABLE
