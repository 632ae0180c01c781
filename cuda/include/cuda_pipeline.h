/* SPDX-License-Identifier: Apache-2.0
 * Asynchronous copies: the functions of cuda_pipeline_primitives.h and nvcuda::experimental::pipeline, one thread's
 * groups of copies. (cuda::pipeline is <cuda/pipeline>.) */
#ifndef GPUKIT_CUDA_PIPELINE_H
#define GPUKIT_CUDA_PIPELINE_H
#include "gpukit/letters_push.h"

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__cplusplus) && defined(__CUDA__)
namespace nvcuda {
namespace experimental {
class pipeline {
    size_t committed;

  public:
    __device__ pipeline() : committed(0) {}
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;
    /* The number of the group, which wait() takes. */
    __device__ size_t commit()
    {
        __pipeline_commit();
        return committed++;
    }
    __device__ void wait(size_t group)
    {
        if (group < committed)
            __pipeline_wait_prior(committed - group - 1);
    }
    template <unsigned N> __device__ void wait_prior() { __pipeline_wait_prior(N); }
    __device__ void commit_and_wait()
    {
        commit();
        wait_prior<0>();
    }
    __device__ void arrive_on(awbarrier &b) { __pipeline_arrive_on(&b.state); }
};

template <size_t N, class T> __host__ __device__ inline auto segment(T *p) -> T (*)[N]
{
    return reinterpret_cast<T(*)[N]>(p);
}
/* Sizes that cp.async has are copied asynchronously, others at once. */
template <class T> __device__ inline void memcpy_async(T &to, const T &from, pipeline &)
{
    if (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
        __pipeline_memcpy_async(&to, &from, sizeof(T));
    else
        to = from;
}
/* The rest of a longer destination becomes zero. */
template <class T, size_t N, size_t M>
__device__ inline void memcpy_async(T (*to)[N], const T (*from)[M], pipeline &)
{
    static_assert(N >= M, "the destination is too short");
    const size_t size = sizeof(T) * N, zeros = sizeof(T) * (N - M);
    if (size == 4 || size == 8 || size == 16)
        __pipeline_memcpy_async(*to, *from, size, zeros);
    else
        for (size_t i = 0; i < N; i++)
            (*to)[i] = i < M ? (*from)[i] : T();
}
} // namespace experimental
} // namespace nvcuda
#endif

#include "gpukit/letters_pop.h"
#endif
