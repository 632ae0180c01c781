/* SPDX-License-Identifier: Apache-2.0
 * Intrinsics whose documented result clang's own headers or optimiser miss: conversions with a stated rounding
 * (saturating, of constants, too), __byte_perm, __frsqrt_rn, scalbln, the unsigned dot product of pairs. */
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

static const int ints[] = {0, 1, -1, 16777217, 16777219, -16777217, 0x7fffffff, -0x7fffffff, 0x12345678};
enum { INTS = sizeof ints / sizeof *ints, FLOATS = 512 };

struct Saturated {
    int i[4];
    unsigned u[2];
    long long l[4];
    unsigned long long ul[2];
};

struct Results {
    float rz[INTS], urz[INTS], lrz[INTS];
    double drz[INTS];
    unsigned permuted, dot;
    float roots[FLOATS];
    double scaled[4];
    Saturated constant, run_time;
};
__device__ Results results;
__device__ int given[INTS];
__device__ volatile float far_f[3];
__device__ volatile double far_d[3];

static __host__ __device__ float root_argument(int i)
{
    return ldexpf(1.0f + (float)((i * 7919 + 13) % 8388593) / 8388608.0f, i % 251 - 125);
}

template <class F, class D> static __device__ void saturate(Saturated *s, F huge, F nan, D huge_d, D nan_d)
{
    s->i[0] = __float2int_rz(huge), s->i[1] = __float2int_rz(nan), s->i[2] = __float2int_rz(-huge);
    s->i[3] = __double2int_rz(huge_d);
    s->u[0] = __float2uint_rz(-huge), s->u[1] = __double2uint_rz(huge_d);
    s->l[0] = llroundf(huge), s->l[1] = llrintf(-huge), s->l[2] = __double2ll_rz(nan_d), s->l[3] = llround(-huge_d);
    s->ul[0] = __float2ull_rz(-huge), s->ul[1] = __float2ull_rz(huge);
}

__global__ void work()
{
    Results *r = &results;
    for (int i = threadIdx.x; i < INTS; i += blockDim.x) {
        r->rz[i] = __int2float_rz(given[i]);
        r->urz[i] = __uint2float_rz((unsigned)given[i]);
        r->lrz[i] = __ll2float_rz(given[i] * 65537ll);
        r->drz[i] = __ull2double_rz((unsigned long long)given[i] * 0x100000001ull);
    }
    for (int i = threadIdx.x; i < FLOATS; i += blockDim.x)
        r->roots[i] = __frsqrt_rn(root_argument(i));
    if (threadIdx.x)
        return;
    r->permuted = __byte_perm((unsigned)given[8] | 0x80808080u, 0x01234567, 0xf9b2u);
    r->dot = __dp2a_lo(make_ushort2(65535, 2), make_uchar4(255, 3, 9, 9), 5u);
    r->scaled[0] = scalbln(0.0, 1L << 40), r->scaled[1] = scalbln(1.5, -(1L << 40));
    r->scaled[2] = scalblnf(-INFINITY, -(1L << 40)), r->scaled[3] = scalbln(-2.0, 1L << 40);
    saturate(&r->constant, 1e30f, __int_as_float(0x7fc00000), 1e300, __longlong_as_double(0x7ff8000000000000));
    saturate(&r->run_time, far_f[0], far_f[1], far_d[0], far_d[1]);
}

/* x towards zero, from an exact integer. */
template <class F> static F toward_zero(__int128 x)
{
    F f = (F)x; /* nearest */
    return (x < 0 ? (__int128)f < x : (__int128)f > x) ? std::nextafter(f, (F)0) : f;
}

/* r is 1/sqrt(x) rounded to nearest: x lies between the squares of the half-way points. */
static bool is_nearest_root(float x, float r)
{
    long double low = ((long double)std::nextafter(r, 0.0f) + r) / 2, high = ((long double)std::nextafter(r, FLT_MAX) + r) / 2;
    return low * low * x <= 1 && high * high * x >= 1; /* 25 + 25 + 24 bits: off by 2^-64 at most, never a tie */
}

static int bad;
static void want(bool right, const char *what, int i)
{
    if (!right)
        printf("wrong: %s %d\n", what, i), bad++;
}

int main()
{
    float f[3] = {1e30f, NAN, 0};
    double d[3] = {1e300, NAN, 0};
    cudaMemcpyToSymbol(given, ints, sizeof ints);
    cudaMemcpyToSymbol(far_f, f, sizeof f);
    cudaMemcpyToSymbol(far_d, d, sizeof d);
    work<<<1, 64>>>();
    static Results r;
    cudaMemcpyFromSymbol(&r, results, sizeof r);
    for (int i = 0; i < INTS; i++) {
        want(r.rz[i] == toward_zero<float>(ints[i]), "__int2float_rz", i);
        want(r.urz[i] == toward_zero<float>((unsigned)ints[i]), "__uint2float_rz", i);
        want(r.lrz[i] == toward_zero<float>(ints[i] * (__int128)65537), "__ll2float_rz", i);
        want(r.drz[i] == toward_zero<double>((unsigned long long)ints[i] * 0x100000001ull), "__ull2double_rz", i);
    }
    for (int i = 0; i < FLOATS; i++)
        want(is_nearest_root(root_argument(i), r.roots[i]), "__frsqrt_rn", i);
    /* Bytes 2, 3 (0xb), 1 (9), 7 (0xf): the fourth bit of a selector does not count. */
    unsigned a = 0x12345678u | 0x80808080u;
    want(r.permuted == ((a >> 16 & 255) | (a >> 24) << 8 | (a >> 8 & 255) << 16 | 0x01u << 24), "__byte_perm", 0);
    want(r.dot == 65535u * 255 + 2 * 3 + 5, "__dp2a_lo", 0);
    want(r.scaled[0] == 0 && r.scaled[1] == 0 && r.scaled[2] == -INFINITY && r.scaled[3] == -INFINITY, "scalbln", 0);
    const Saturated right = {{INT32_MAX, 0, INT32_MIN, INT32_MAX},
                             {0, UINT32_MAX},
                             {INT64_MAX, INT64_MIN, INT64_MIN, INT64_MIN},
                             {0, UINT64_MAX}};
    want(memcmp(&r.constant, &right, sizeof right) == 0, "conversions of constants", 0);
    want(memcmp(&r.run_time, &right, sizeof right) == 0, "conversions", 0);
    printf(bad ? "%d wrong\n" : "passed\n", bad);
    return bad != 0;
}
