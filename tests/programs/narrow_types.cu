/* SPDX-License-Identifier: Apache-2.0
 * The types of 16 and 8 bits: every constructor and conversion, on host and device, as one number each.
 * The expected ones are what the same program printed when nvcc 13 had compiled it. */
#include "checksums.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <class To, class From> __host__ __device__ void make(Sum &sum, From x)
{
    sum.add(To(x));
}

/* A number of 64 random bits as each type that a narrow type is made from. */
template <class To> __host__ __device__ void makes(Sum &sum, unsigned long long bits)
{
    float f;
    double d;
    unsigned low = (unsigned)bits;
    memcpy(&f, &low, 4);
    memcpy(&d, &bits, 8);
    int small = (int)(bits >> 32 & 63);
    if (f == f)
        make<To>(sum, f), make<To>(sum, __half(f)), make<To>(sum, __nv_bfloat16(f));
    if (d == d)
        make<To>(sum, d), make<To>(sum, ldexp((double)low, -small)), make<To>(sum, ldexpf((float)low, -20 - small));
    make<To>(sum, (short)bits), make<To>(sum, (unsigned short)bits);
    make<To>(sum, (int)bits >> small % 32), make<To>(sum, low >> small % 32);
    make<To>(sum, (long)bits >> small), make<To>(sum, (unsigned long)bits >> small);
    make<To>(sum, (long long)bits >> small), make<To>(sum, bits >> small);
}

/* The bits of a NaN differ between host and device, and what it is as an integer of 64 bits. */
template <class From> __host__ __device__ void reads(Sum &sum, From x)
{
    float f = (float)x;
    sum.add((short)x), sum.add((unsigned short)x);
    sum.add((int)x), sum.add((unsigned)x), sum.add((signed char)x), sum.add((unsigned char)x);
    sum.add((char)x), sum.add((bool)x);
    if (f == f)
        sum.add(f), sum.add((double)x), sum.add((long)x), sum.add((unsigned long)x), sum.add((long long)x), sum.add((unsigned long long)x);
}

template <class X, class X2, class X4> __host__ __device__ void eight(Sum &sum, unsigned n)
{
    X x = from_bits<X>(n & 255);
    reads(sum, x);
    sum.add((__half)x), sum.add((__nv_bfloat16)x);
    float2 low = (float2)from_bits<X2>(n), high = (float2)from_bits<X2>(n >> 16);
    sum.add((float4)from_bits<X4>(n)), sum.add(low), sum.add((__half2)from_bits<X2>(n));
    sum.add(X2(low)), sum.add(X2(make_double2(low.x, high.y))), sum.add(X2(from_bits<__half2>(n & 0x7bff7bff)));
    sum.add(X2(from_bits<__nv_bfloat162>(n & 0x7f7f7f7f)));
    sum.add(X4(make_float4(low.x, high.x, low.y, high.y)));
    sum.add(X4(from_bits<__half2>(n & 0xfbfffbff), from_bits<__half2>(n >> 1 & 0x7bff7bff)));
}

__host__ __device__ void e8m0(Sum &sum, unsigned n)
{
    float f = from_bits<float>(n & 0xff7fffff);
    for (int i = 0; i < 4; i++) {
        __nv_saturation_t s = i % 2 ? __NV_NOSAT : __NV_SATFINITE;
        cudaRoundMode mode = i / 2 ? cudaRoundZero : cudaRoundPosInf;
        sum.add(__nv_cvt_float_to_e8m0(fabsf(f), s, mode));
        sum.add(__nv_cvt_double_to_e8m0(fabs((double)f * 1.7), s, mode));
        sum.add(__nv_cvt_float2_to_e8m0x2(make_float2(fabsf(f), 1.5f), s, mode));
    }
    sum.add(__nv_cvt_e8m0_to_bf16raw((unsigned char)n)), sum.add(__nv_cvt_e8m0x2_to_bf162raw((unsigned short)n));
}

enum { GROUPS = 11 };

__host__ __device__ unsigned group(int which, int rounds)
{
    Sum sum = {0};
    unsigned long long bits = 12345;
    for (int i = 0; i < rounds; i++) {
        bits = bits * 6364136223846793005ull + 1442695040888963407ull;
        unsigned long long mixed = bits ^ bits >> 29;
        unsigned n = (unsigned)(mixed >> 13);
        switch (which) {
        case 0: makes<__half>(sum, mixed); break;
        case 1: makes<__nv_bfloat16>(sum, mixed); break;
        case 2: makes<__nv_fp8_e4m3>(sum, mixed); break;
        case 3: makes<__nv_fp8_e5m2>(sum, mixed); break;
        case 4: makes<__nv_fp8_e8m0>(sum, mixed); break;
        case 5: reads(sum, from_bits<__half>(n)); break;
        case 6: reads(sum, from_bits<__nv_bfloat16>(n)); break;
        case 7: eight<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(sum, n & 0xfefefefe); break;
        case 8: eight<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(sum, n & 0xfbfbfbfb); break;
        case 9: eight<__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0>(sum, n & 0x7e7e7e7e); break;
        default: e8m0(sum, n);
        }
    }
    return sum.value;
}

__global__ void groups(unsigned *out, int rounds) { out[blockIdx.x] = group((int)blockIdx.x, rounds); }

int main()
{
    static const unsigned expected[GROUPS] = {0xbaf8ae55, 0x386d1f62, 0x09503215, 0x42dfceca, 0xf03c528e, 0x741f06a2,
                                               0x74523631, 0x67c3d69d, 0xb812f079, 0x81a2ca19, 0x0529e53d};
    const int rounds = 2000;
    unsigned *device;
    cudaMalloc(&device, sizeof expected);
    cudaMemset(device, 0, sizeof expected);
    groups<<<GROUPS, 1>>>(device, rounds);
    return wrong_groups(device, expected, rounds) != 0;
}
