/* SPDX-License-Identifier: Apache-2.0
 * nvcuda::experimental::awbarrier, a barrier in shared memory whose arrival and wait are two calls. */
#ifndef GPUKIT_CUDA_AWBARRIER_H
#define GPUKIT_CUDA_AWBARRIER_H
#include "gpukit/letters_push.h"

#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus) && defined(__CUDA__)
namespace nvcuda {
namespace experimental {
class awbarrier {
    __mbarrier_t state;
    friend class pipeline;

  public:
    class arrival_token {
        uint64_t token;
        friend class awbarrier;
        __device__ arrival_token(uint64_t t) : token(t) {}

      public:
        arrival_token() = default;
        __device__ uint32_t pending_count() const { return __mbarrier_token_pending_count(token); }
    };
    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;

    __device__ arrival_token arrive() { return __mbarrier_arrive(&state); }
    __device__ arrival_token arrive_and_drop() { return __mbarrier_arrive_and_drop(&state); }
    __device__ bool try_wait(arrival_token t, uint32_t nanoseconds)
    {
        return __mbarrier_try_wait(&state, t.token, nanoseconds);
    }
    __device__ bool try_wait_parity(bool parity, uint32_t nanoseconds)
    {
        return __mbarrier_try_wait_parity(&state, parity, nanoseconds);
    }
    __device__ bool timed_wait(arrival_token t, uint32_t cycles) { return try_wait(t, cycles); }
    __device__ bool timed_wait_parity(bool parity, uint32_t cycles) { return try_wait_parity(parity, cycles); }
    __device__ void wait(arrival_token t)
    {
        while (!try_wait(t, 1000))
            ;
    }
    __device__ void arrive_and_wait() { wait(arrive()); }
    static __host__ __device__ constexpr uint32_t max() { return (1u << 14) - 1; }
    friend __device__ inline void init(awbarrier *b, uint32_t expected) { __mbarrier_init(&b->state, expected); }
    friend __device__ inline void inval(awbarrier *b) { __mbarrier_inval(&b->state); }
};
__device__ void init(awbarrier *b, uint32_t expected);
__device__ void inval(awbarrier *b);
} // namespace experimental
} // namespace nvcuda
#endif

#include "gpukit/letters_pop.h"
#endif
