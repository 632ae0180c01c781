/* SPDX-License-Identifier: Apache-2.0
 * Barriers in shared memory as C functions: the mbarrier instructions. */
#ifndef GPUKIT_CUDA_AWBARRIER_PRIMITIVES_H
#define GPUKIT_CUDA_AWBARRIER_PRIMITIVES_H
#include "gpukit/letters_push.h"

#include "cuda_runtime.h"
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#if defined(__CUDA__)
#define GKM static __device__ __forceinline__
GKM unsigned gpukit_mbarrier(const __mbarrier_t *barrier) { return (unsigned)__cvta_generic_to_shared(barrier); }
GKM uint32_t __mbarrier_maximum_count() { return (1u << 14) - 1; }
GKM void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(gpukit_mbarrier(barrier)), "r"(expected) : "memory");
}
GKM void __mbarrier_inval(__mbarrier_t *barrier)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(gpukit_mbarrier(barrier)) : "memory");
}
GKM __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier)
{
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(gpukit_mbarrier(barrier)) : "memory");
    return token;
}
GKM __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier)
{
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(gpukit_mbarrier(barrier)) : "memory");
    return token;
}
GKM bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(gpukit_mbarrier(barrier)), "l"(token) : "memory");
    return done;
}
GKM bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(gpukit_mbarrier(barrier)), "r"((unsigned)parity) : "memory");
    return done;
}
/* The time is an upper bound for a wait, in nanoseconds; looking more often is allowed. */
GKM bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t nanoseconds)
{
    for (uint32_t waited = 0;; waited += 32) {
        if (__mbarrier_test_wait(barrier, token))
            return true;
        if (waited >= nanoseconds)
            return false;
        __nanosleep(32);
    }
}
GKM bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, uint32_t nanoseconds)
{
    for (uint32_t waited = 0;; waited += 32) {
        if (__mbarrier_test_wait_parity(barrier, parity))
            return true;
        if (waited >= nanoseconds)
            return false;
        __nanosleep(32);
    }
}
GKM uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    uint32_t n;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(token));
    return n;
}
#undef GKM
#endif

#include "gpukit/letters_pop.h"
#endif
