/* SPDX-License-Identifier: Apache-2.0
 * Asynchronous copies from global to shared memory as C functions: cp.async and its groups. */
#ifndef GPUKIT_CUDA_PIPELINE_PRIMITIVES_H
#define GPUKIT_CUDA_PIPELINE_PRIMITIVES_H
#include "gpukit/letters_push.h"

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)
#define GKP static __device__ __forceinline__
GKP void __pipeline_memcpy_async(void *shared, const void *global, size_t size, size_t zfill = 0)
{
#if __CUDA_ARCH__ >= 800
    unsigned to = (unsigned)__cvta_generic_to_shared(shared);
    const void *from = (const void *)__cvta_generic_to_global(global);
    int real = (int)(size - zfill);
    switch (size) {
    case 4: asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(real) : "memory"); break;
    case 8: asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(real) : "memory"); break;
    case 16: asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(real) : "memory"); break;
    default: __trap();
    }
#else
    for (size_t i = 0; i < size; ++i)
        ((char *)shared)[i] = i < size - zfill ? ((const char *)global)[i] : 0;
#endif
}
GKP void __pipeline_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/* The number must be a constant of the instruction: up to 8 groups may stay in flight. */
GKP void __pipeline_wait_prior(size_t n)
{
#if __CUDA_ARCH__ >= 800
    switch (n) {
    case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
    case 7: asm volatile("cp.async.wait_group 7;" ::: "memory"); break;
    default: asm volatile("cp.async.wait_group 8;" ::: "memory"); break;
    }
#else
    (void)n;
#endif
}
/* The barrier gets one more arrival, which happens when this thread's copies so far are done. */
GKP void __pipeline_arrive_on(__mbarrier_t *barrier)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(barrier);
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at) : "memory");
}
#undef GKP
#endif

#include "gpukit/letters_pop.h"
#endif
