/* SPDX-License-Identifier: Apache-2.0
 * Pairs of 32-bit words that one block writes again and again while another one reads them: relaxed vector
 * accesses move both words at once, as the look-back of CUB's scans takes for granted. */
#include <cstdio>
#include <cstdlib>

__global__ void pairs(uint2 *shared, unsigned *done, unsigned *torn)
{
    uint2 *mine = shared + threadIdx.x * 3; /* no contiguous row */
    if (blockIdx.x == 0) {
        for (unsigned i = 1; i <= 200000; ++i)
            asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1,%2};" ::"l"(mine), "r"(i), "r"(~i)
                         : "memory");
        __threadfence();
        atomicAdd(done, 1);
        return;
    }
    for (unsigned ended = 0; ended < 32;) {
        for (int k = 0; k < 100; ++k) {
            unsigned a, b;
            asm volatile("ld.relaxed.gpu.v2.u32 {%0,%1}, [%2];"
                         : "=r"(a), "=r"(b)
                         : "l"(mine)
                         : "memory");
            if (a != ~b)
                atomicAdd(torn, 1);
        }
        ended = *(volatile unsigned *)done;
    }
}

int main()
{
    uint2 start[96], *shared;
    unsigned *counts, got[2];
    for (int i = 0; i < 96; ++i)
        start[i] = make_uint2(0, ~0u);
    cudaMalloc(&shared, sizeof start);
    cudaMalloc(&counts, sizeof got);
    cudaMemset(counts, 0, sizeof got);
    cudaMemcpy(shared, start, sizeof start, cudaMemcpyHostToDevice);
    pairs<<<2, 32>>>(shared, counts, counts + 1);
    cudaError_t error = cudaMemcpy(got, counts, sizeof got, cudaMemcpyDeviceToHost);
    std::printf("%s, %u writers ended, %u pairs torn\n", cudaGetErrorString(error), got[0], got[1]);
    return error || got[0] != 32 || got[1] ? EXIT_FAILURE : EXIT_SUCCESS;
}
