// SPDX-License-Identifier: Apache-2.0
// Instructions of 32 bits that read registers of 64 bits: cvt takes the low half. The register grows with
// the lane, in a way that the low half wraps for some of the lanes, so that neither may be taken for linear.
#include <cstdio>
#include <cstring>

__device__ long long low_signed(long long x)
{
    long long r;
    asm("cvt.s64.s32 %0, %1;" : "=l"(r) : "l"(x));
    return r;
}

__device__ long long low_unsigned(long long x)
{
    long long r;
    asm("cvt.u64.u32 %0, %1;" : "=l"(r) : "l"(x));
    return r;
}

__device__ long long real_bits(double x)
{
    return low_signed(__double_as_longlong(x));
}

__global__ void read(long long base, int step, const int *table, long long *out)
{
    long long x = base + (long long)threadIdx.x * 3, y = base + (long long)step * threadIdx.x;
    out += 64 * 6 * blockIdx.x + threadIdx.x;
    out[0] = low_signed(x);
    out[64] = low_unsigned(x);
    out[128] = low_signed(y) * 5;
    out[192] = (int)low_unsigned(y) + 1;
    out[256] = table[low_signed(x - base)];        // an address
    out[320] = real_bits(x) + (int)low_signed(base); // uniform
}

int main()
{
    static long long got[3 * 6 * 64];
    const long long bases[] = {0x7fffffc0, 0x5ffffffe0, -70};
    const int step = 0x100000;
    int numbers[200], *table, bad = 0;
    long long *out;
    for (int i = 0; i < 200; ++i)
        numbers[i] = i * i;
    cudaMalloc(&table, sizeof numbers);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(table, numbers, sizeof numbers, cudaMemcpyDefault);
    for (long long base : bases) {
        read<<<1, 64>>>(base, step, table, out);
        if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDefault))
            return 1;
        for (int t = 0; t < 64; ++t) {
            long long x = base + 3 * t, y = base + (long long)step * t, bits;
            double real = (double)x;
            static_assert(sizeof real == sizeof bits, "");
            memcpy(&bits, &real, sizeof bits);
            const long long want[] = {(int)x, (unsigned)x, (int)y * 5ll, (int)(unsigned)y + 1ll, 9ll * t * t,
                                      (int)bits + (long long)(int)base};
            for (int k = 0; k < 6; ++k)
                if (got[64 * k + t] != want[k] && !bad++)
                    printf("base %llx lane %d, %d: %lld instead of %lld\n", base, t, k, got[64 * k + t], want[k]);
        }
    }
    printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
    return bad != 0;
}
