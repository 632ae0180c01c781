/* SPDX-License-Identifier: Apache-2.0
 * The types of 6 and 4 bits: every constructor, conversion and conversion function, on host and device, as one
 * number each. The expected ones are what the same program's host part printed when nvcc 13 had compiled it. */
#include "checksums.h"
#include <cuda_fp4.h>
#include <cuda_fp6.h>

/* Of 64 random bits: a float near the type's range (or any), a double, integers. */
template <class To> __host__ __device__ void makes(Sum &sum, unsigned long long bits)
{
    float f = from_bits<float>((unsigned)bits), near = (float)((int)(bits >> 20 & 0xffff) - 32768) / 1024;
    double d = near + (double)(bits >> 40) * 1e-12;
    int small = (int)(bits >> 32 & 63);
    sum.add(To(f)), sum.add(To(near)), sum.add(To(d)), sum.add(To(-d)), sum.add(To(near / 64));
    sum.add(To(__half(near))), sum.add(To(__nv_bfloat16(near)));
    sum.add(To((short)bits)), sum.add(To((unsigned short)bits)), sum.add(To((int)bits >> small % 32));
    sum.add(To((unsigned)bits >> small % 32)), sum.add(To((long)bits >> small)), sum.add(To((unsigned long)bits >> small));
    sum.add(To((long long)bits >> small)), sum.add(To(bits >> small));
}
template <class X, class X2, class X4> __host__ __device__ void reads(Sum &sum, unsigned one, unsigned two, unsigned four)
{
    X x = from_bits<X>(one);
    sum.add((float)x), sum.add((double)x), sum.add((__half)x), sum.add((__nv_bfloat16)x), sum.add((bool)x);
    sum.add((short)x), sum.add((unsigned short)x), sum.add((int)x), sum.add((unsigned)x), sum.add((char)x);
    sum.add((signed char)x), sum.add((unsigned char)x), sum.add((long)x), sum.add((unsigned long)x);
    sum.add((long long)x), sum.add((unsigned long long)x);
    float2 low = (float2)from_bits<X2>(two);
    float4 all = (float4)from_bits<X4>(four);
    sum.add(low), sum.add(all), sum.add((__half2)from_bits<X2>(two));
    sum.add(X2(low)), sum.add(X2(make_double2(all.w, all.z))), sum.add(X2(__half2(low.x, all.y)));
    sum.add(X2(__nv_bfloat162(all.y, low.y))), sum.add(X4(all)), sum.add(X4(__half2(all.w, all.y), __half2(low.x, all.x)));
    sum.add(X4(__nv_bfloat162(all.x, all.z), __nv_bfloat162(low.y, low.x)));
}
#define FUNCTIONS(width, name, KIND, MODE)                                                                                 \
    __host__ __device__ void name(Sum &sum, unsigned n)                                                              \
    {                                                                                                                \
        float2 f = {(float)((int)(n & 0xffff) - 32768) / 1024, from_bits<float>(n)};                                 \
        double2 d = {f.x * 1.0000001, f.x * -0.9999999};                                                             \
        __half_raw h = from_bits<__half_raw>(n >> 7 & 0xffff);                                                       \
        __nv_bfloat16_raw b = from_bits<__nv_bfloat16_raw>(n >> 9 & 0xffff);                                         \
        __half2_raw h2 = from_bits<__half2_raw>(n);                                                                  \
        __nv_bfloat162_raw b2 = from_bits<__nv_bfloat162_raw>(n);                                                    \
        sum.add(__nv_cvt_float_to_fp##width(f.x, KIND, MODE));                                           \
        sum.add(__nv_cvt_float_to_fp##width(f.y, KIND, MODE));                                           \
        sum.add(__nv_cvt_double_to_fp##width(d.x, KIND, MODE));                                          \
        sum.add(__nv_cvt_halfraw_to_fp##width(h, KIND, MODE));                                           \
        sum.add(__nv_cvt_bfloat16raw_to_fp##width(b, KIND, MODE));                                       \
        sum.add(__nv_cvt_float2_to_fp##width##x2(f, KIND, MODE));                                        \
        sum.add(__nv_cvt_double2_to_fp##width##x2(d, KIND, MODE));                                       \
        sum.add(__nv_cvt_halfraw2_to_fp##width##x2(h2, KIND, MODE));                                     \
        sum.add(__nv_cvt_bfloat16raw2_to_fp##width##x2(b2, KIND, MODE));                                 \
        sum.add(__nv_cvt_fp##width##_to_halfraw(n & (width == 4 ? 15 : 63), KIND));                                  \
        sum.add(__nv_cvt_fp##width##x2_to_halfraw2(n & (width == 4 ? 0xff : 0x3f3f), KIND));                         \
    }
FUNCTIONS(6, e2m3, __NV_E2M3, cudaRoundNearest)
FUNCTIONS(6, e3m2, __NV_E3M2, cudaRoundNearest)
FUNCTIONS(4, e2m1, __NV_E2M1, cudaRoundNearest)
FUNCTIONS(6, e2m3_cut, __NV_E2M3, cudaRoundZero)
FUNCTIONS(6, e3m2_cut, __NV_E3M2, cudaRoundZero)
FUNCTIONS(4, e2m1_cut, __NV_E2M1, cudaRoundZero)

enum { GROUPS = 12 };
__host__ __device__ unsigned group(int which, int rounds)
{
    Sum sum = {0};
    unsigned long long bits = 12345;
    for (int i = 0; i < rounds; i++) {
        bits = bits * 6364136223846793005ull + 1442695040888963407ull;
        unsigned long long mixed = bits ^ bits >> 29;
        unsigned n = (unsigned)(mixed >> 13);
        switch (which) {
        case 0: makes<__nv_fp6_e2m3>(sum, mixed); break;
        case 1: makes<__nv_fp6_e3m2>(sum, mixed); break;
        case 2: makes<__nv_fp4_e2m1>(sum, mixed); break;
        case 3: reads<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>(sum, n & 63, n & 0x3f3f, n & 0x3f3f3f3f); break;
        case 4: reads<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>(sum, n & 63, n & 0x3f3f, n & 0x3f3f3f3f); break;
        case 5: reads<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(sum, n & 15, n & 0xff, n & 0xffff); break;
        case 6: e2m3(sum, n); break;
        case 7: e3m2(sum, n); break;
        case 8: e2m1(sum, n); break;
        case 9: e2m3_cut(sum, n); break;
        case 10: e3m2_cut(sum, n); break;
        default: e2m1_cut(sum, n);
        }
    }
    return sum.value;
}
__global__ void groups(unsigned *out, int rounds) { out[blockIdx.x] = group((int)blockIdx.x, rounds); }

int main()
{
    static const unsigned expected[GROUPS] = {0xc7585ad6, 0xacef1705, 0x7d443ce6, 0x88ad1d64, 0x9245b011,
                                               0xed076acb, 0x4b582c49, 0x6b8397ab, 0xd0227b0a,
                                               0xcd6a8983, 0x8a6fc9f6, 0xdcc9c1ef};
    const int rounds = 2000;
    unsigned *device;
    cudaMalloc(&device, sizeof expected);
    cudaMemset(device, 0, sizeof expected);
    groups<<<GROUPS, 1>>>(device, rounds);
    return wrong_groups(device, expected, rounds) != 0;
}
