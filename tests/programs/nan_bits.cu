// SPDX-License-Identifier: Apache-2.0
// The bits of a NaN that the kernel made itself, after neg, abs and copysign: PTX's is 0x7fffffff, whatever the
// processor makes, and stays so after neg, as on an H200. Where neg meets a choice, ptxas decides the sign: either.
// Does not test NaNs that come from memory (tests/ops does).
#include <cstdio>
#include <cstdlib>

static const int CASES = 10, N = 64;

__global__ void kernel(unsigned *out, const float *in)
{
    int t = threadIdx.x;
    float a = in[t], nan, neg, abs, r;
    unsigned *o = out + t;
    asm("sub.rn.f32 %0, %1, %1;" : "=f"(nan) : "f"(a)); // infinity - infinity
    asm("neg.f32 %0, %1;" : "=f"(neg) : "f"(nan));
    asm("abs.f32 %0, %1;" : "=f"(abs) : "f"(neg));
    o[0 * N] = __float_as_uint(nan);
    o[1 * N] = __float_as_uint(neg);
    o[2 * N] = __float_as_uint(abs);
    ((float *)o)[3 * N] = neg;
    asm("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(nan), "f"(1.5f)); // the sign of the first
    o[4 * N] = __float_as_uint(r);
    asm("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(-1.5f), "f"(nan));
    o[5 * N] = __float_as_uint(r);
    asm("neg.ftz.f32 %0, %1;" : "=f"(r) : "f"(nan));
    o[6 * N] = __float_as_uint(r);
    asm("{\n.reg .f32 n;\nneg.f32 n, %1;\nadd.rn.f32 %0, n, %1;\n}"
        : "=f"(r)
        : "f"(nan)); // only arithmetic reads n
    o[7 * N] = __float_as_uint(r);
    o[8 * N] = __float_as_uint(t % 2 ? neg : nan);
    for (int i = 0; i < t % 3; ++i)
        neg = -neg;
    o[9 * N] = __float_as_uint(neg);
}

int main()
{
    float in[N], *d;
    unsigned *out, got[CASES * N], bad = 0;
    for (float &x : in)
        x = 1.0f / 0.0f;
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof got);
    kernel<<<1, N>>>(out, d);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    const unsigned plus = 0x7fffffff, minus = 0xffffffff;
    for (int t = 0; t < N; ++t) {
        unsigned want[CASES] = {plus, plus, plus, plus, 0x3fc00000, minus, plus, plus, plus, plus};
        for (int c = 0; c < CASES; ++c)
            if (got[c * N + t] != want[c] && (c < 8 || got[c * N + t] != minus) && bad++ < 10)
                printf("case %d, thread %d: %08x, expected %08x\n", c, t, got[c * N + t], want[c]);
    }
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad ? 1 : 0;
}
