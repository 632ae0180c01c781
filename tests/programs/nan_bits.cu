// SPDX-License-Identifier: Apache-2.0
// The bits of a NaN that the kernel made itself, after neg, abs and copysign: PTX's is 0x7fffffff, whatever the
// processor makes, and stays so after neg, as on an H200. Where neg meets a choice, ptxas decides the sign: either.
// Does not test f32 NaNs that come from memory (tests/ops does). An f64 NaN stays as it is, but quiet, whatever neg,
// abs, sums and products do; one that an operation makes is 0xfff8000000000000. Of two, which one stays is open.
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

static const int WIDE = 10;

__global__ void wide_kernel(unsigned long long *out, const double *in)
{
    int t = threadIdx.x;
    double a = in[t], r[WIDE], one = in[N], zero = in[N + 1];
    asm("neg.f64 %0, %1;" : "=d"(r[0]) : "d"(a));
    asm("abs.f64 %0, %1;" : "=d"(r[1]) : "d"(a));
    asm("{.reg .f64 n; neg.f64 n, %1; mul.rn.f64 %0, n, %2;}" : "=d"(r[2]) : "d"(a), "d"(one));
    asm("{.reg .f64 n; neg.f64 n, %1; add.rn.f64 %0, n, %2;}" : "=d"(r[3]) : "d"(a), "d"(one));
    asm("{.reg .f64 n; neg.f64 n, %1; fma.rn.f64 %0, n, %2, %3;}" : "=d"(r[4]) : "d"(a), "d"(one), "d"(zero));
    asm("{.reg .f64 n; neg.f64 n, %1; fma.rn.f64 %0, %2, %3, n;}" : "=d"(r[5]) : "d"(a), "d"(one), "d"(zero));
    asm("{.reg .f64 n; abs.f64 n, %1; sub.rn.f64 %0, %2, n;}" : "=d"(r[6]) : "d"(a), "d"(one));
    asm("{.reg .f64 n; .reg .pred p; neg.f64 n, %1; setp.eq.f64 p, n, %2; selp.f64 %0, %2, n, p;}"
        : "=d"(r[7])
        : "d"(a), "d"(one));
    double made; // infinity - infinity, on odd lanes 0 * infinity
    asm("{.reg .f64 i; rcp.rn.f64 i, %1; sub.rn.f64 %0, i, i;}" : "=d"(made) : "d"(zero));
    if (t % 2)
        asm("{.reg .f64 i; rcp.rn.f64 i, %1; mul.rn.f64 %0, i, %1;}" : "=d"(made) : "d"(zero));
    asm("neg.f64 %0, %1;" : "=d"(r[8]) : "d"(made));
    asm("abs.f64 %0, %1;" : "=d"(r[9]) : "d"(made));
    for (int c = 0; c < WIDE; ++c)
        out[c * N + t] = __double_as_longlong(r[c]);
}

static unsigned wide()
{
    static const unsigned long long nans[] = {0x7ff8000000000000, 0xfff8000000000000, 0x7ff8000000001234,
                                              0xfff8000000abcd00, 0x7ff0000000000001, 0xfff4000000000055,
                                              0x7fffffffffffffff, 0xffffffffffffffff};
    unsigned long long in[N + 2], *out, got[WIDE * N], bad = 0;
    double *d, numbers[] = {1, 0};
    for (int t = 0; t < N; ++t)
        in[t] = nans[t % 8];
    memcpy(in + N, numbers, sizeof numbers);
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof got);
    wide_kernel<<<1, N>>>(out, d);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; ++t)
        for (int c = 0; c < WIDE; ++c) {
            unsigned long long want = c < 8 ? in[t] | 0x8000000000000 : 0xfff8000000000000;
            if (got[c * N + t] != want && bad++ < 10)
                printf("f64, case %d, %016llx: %016llx, expected %016llx\n", c, in[t], got[c * N + t], want);
        }
    return (unsigned)bad;
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
    bad += wide();
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad ? 1 : 0;
}
