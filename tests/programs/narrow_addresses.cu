// SPDX-License-Identifier: Apache-2.0
// Shared and local memory have addresses of 32 bits: of a 64-bit register the upper half does not count,
// as where an index without sign was negated (`p[~i]`). Does not test addresses outside memory.
#include <cstdio>
#include <cstdlib>

static const int N = 64, CASES = 9;

__device__ unsigned long long shared_address(const void *p)
{
    return __cvta_generic_to_shared(p);
}

/* out[case][thread]; high: what the upper half of each address holds; odd: which thread has another index. */
__global__ void kernel(unsigned *out, const unsigned *in, unsigned long long high, unsigned odd)
{
    __shared__ unsigned a[2 * N];
    __shared__ unsigned count;
    unsigned t = threadIdx.x;
    a[t] = 10 + t;
    a[N + t] = 0;
    if (t == 0)
        count = 0;
    __syncthreads();
    unsigned long long base = shared_address(a);
    unsigned *o = out + t;
    unsigned x, y;
    // the plain C of it: N - 1 - t, with ~t as an unsigned index
    o[0 * N] = (a + N)[~t];
    // linear by lane
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "l"(base + high + 4 * t));
    o[1 * N] = x;
    // one address for all
    asm volatile("ld.shared.u32 %0, [%1 + 4];" : "=r"(x) : "l"(base + high));
    o[2 * N] = x;
    // any
    unsigned i = (t * 5 + odd) % N;
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(x)
                 : "l"(base + (high ^ (unsigned long long)t << 40) + 4 * i));
    o[3 * N] = x;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2 + -8];"
                 : "=r"(x), "=r"(y)
                 : "l"(base + high + 8 * (t / 2) + 8));
    o[4 * N] = t % 2 ? y : x;
    // written
    asm volatile("st.shared.u32 [%0], %1;" ::"l"(base + high + 4 * N + 4 * (N - 1 - t)), "r"(t)
                 : "memory");
    __syncthreads();
    o[5 * N] = a[N + t];
    __syncthreads();
    asm volatile("red.shared.add.u32 [%0], %1;" ::"l"(base + high + 4 * N + 4 * i), "r"(100u)
                 : "memory");
    asm volatile("atom.shared.add.u32 %0, [%1], 1;"
                 : "=r"(x)
                 : "l"(shared_address(&count) + high)
                 : "memory");
    __syncthreads();
    o[6 * N] = a[N + t] + count + (x >= N);
    // copied there
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.wait_all;" ::"l"(
                     base + high + 4 * N + 4 * t),
                 "l"(in + t)
                 : "memory");
    __syncthreads();
    o[7 * N] = a[N + (t + 1) % N];
    // a thread's own memory
    asm volatile(
        "{\n.local .align 4 .b8 own[64];\n.reg .u64 p;\nmov.u64 p, own;\nadd.u64 p, p, %2;\n"
        "st.local.u32 [p + 8], %1;\nld.local.u32 %0, [own + 8];\n}"
        : "=r"(x)
        : "r"(t + 7), "l"(high + 4 * (t % 8) - 4 * (t % 8)));
    o[8 * N] = x;
}

int main()
{
    unsigned *out, *in, got[CASES * N], from[N], bad = 0;
    for (int t = 0; t < N; ++t)
        from[t] = 3 * t + 1;
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&in, sizeof from);
    cudaMemcpy(in, from, sizeof from, cudaMemcpyHostToDevice);
    for (unsigned long long high :
         {0ull, 1ull << 32, 0xabcdef0000000000ull, 0xffffffff00000000ull}) {
        cudaMemset(out, 0xff, sizeof got);
        kernel<<<1, N>>>(out, in, high, 3);
        if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) {
            printf("upper half %llx: %s\n", high >> 32, cudaGetErrorString(cudaGetLastError()));
            return 1;
        }
        for (unsigned t = 0; t < N; ++t) {
            unsigned i = (t * 5 + 3) % N;
            unsigned w[CASES] = {
                10 + N - 1 - t,        10 + t, 11, 10 + i, 10 + t, N - 1 - t, N - 1 - t + 100 + N,
                3 * ((t + 1) % N) + 1, t + 7};
            for (int c = 0; c < CASES; ++c)
                if (got[c * N + t] != w[c] && bad++ < 10)
                    printf("upper half %llx, case %d, thread %u: %u, expected %u\n", high >> 32, c,
                           t, got[c * N + t], w[c]);
        }
    }
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad ? 1 : 0;
}
