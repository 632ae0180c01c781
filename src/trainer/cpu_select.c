/* SPDX-License-Identifier: Apache-2.0
 * Chooses the CPU kernels for this processor and packs weights for them. */
#include "trainer/cpu_kernels.h"

#include <string.h>

extern const CpuKernels cpu_kernels_plain;
#if defined(__x86_64__)
extern const CpuKernels cpu_kernels_avx2, cpu_kernels_avx512;
#endif

const CpuKernels *cpu_kernels(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        (!name || strcmp(name, "avx512") == 0))
        return &cpu_kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        (!name || strcmp(name, "avx2") == 0))
        return &cpu_kernels_avx2;
#endif
    return !name || strcmp(name, "plain") == 0 ? &cpu_kernels_plain : NULL;
}

void cpu_pack_weights(const CpuKernels *kernels, const float *weight, int cin, int cout,
                      int flipped, float *packed)
{
    int from = flipped ? cout : cin, to = flipped ? cin : cout;
    int block = from < CPU_IN_BLOCK ? from : CPU_IN_BLOCK, tile = kernels->tile;
    for (int oc = 0; oc < to; oc += tile)
        for (int ic = 0; ic < from; ic += block)
            for (int tap = 0; tap < 9; ++tap)
                for (int i = ic; i < ic + block; ++i)
                    for (int o = oc; o < oc + tile; ++o)
                        *packed++ = flipped ? weight[((8 - tap) * cin + o) * cout + i]
                                            : weight[(tap * cin + i) * cout + o];
}
