// SPDX-License-Identifier: Apache-2.0
// The functions of cuda_fp16.h and cuda_bf16.h against MPFR, on the device: all 65,536 inputs (or each
// STEP-th, and the hard ones), scalar and in pairs. Prints rows of docs/measured/math-ulp.txt. Exit 1: one is
// above its bound, or the pair differs from the scalar. Bound: CUDA Math API 13.0, which calls each of
// them rounded to the nearest even number.
//   narrow_math [STEP]
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include <mpfr.h>

enum { ALL = 1 << 16, BITS = 160 };
static const double bound = 0.5;
static const int hard[] = {0x1f79, 0x25cf, 0x11c5, 0xbf0a, 0xbc95, 0x1d78, 0x338f, 0x33f8, 0x57e1,
                           0x69d0, 0x719d, 0x32b3, 0xb2b3, 0x5cb0, 0xdcb0, 0x2b7c, 0xab7c};

template <typename T> struct Format;
template <> struct Format<__half> {
    using Pair = __half2;
    static constexpr int bits = 11, lowest = -24, top = 16;
    static constexpr const char *name = "f16";
};
template <> struct Format<__nv_bfloat16> {
    using Pair = __nv_bfloat162;
    static constexpr int bits = 8, lowest = -133, top = 128;
    static constexpr const char *name = "bf16";
};

static int ref_rcp(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_ui_div(y, 1, x, r); }
static int ref_rsqrt(mpfr_t y, const mpfr_t x, mpfr_rnd_t r)
{
    mpfr_rec_sqrt(y, x, r);
    if (mpfr_zero_p(x)) // MPFR gives +inf for -0
        mpfr_set_inf(y, mpfr_signbit(x) ? -1 : 1);
    return 0;
}

#define FUNCTIONS(X)                                                                                         \
    X(sqrt, mpfr_sqrt)                                                                                       \
    X(rsqrt, ref_rsqrt)                                                                                      \
    X(rcp, ref_rcp)                                                                                          \
    X(exp, mpfr_exp)                                                                                         \
    X(exp2, mpfr_exp2)                                                                                       \
    X(exp10, mpfr_exp10)                                                                                     \
    X(log, mpfr_log)                                                                                         \
    X(log2, mpfr_log2)                                                                                       \
    X(log10, mpfr_log10)                                                                                     \
    X(sin, mpfr_sin)                                                                                         \
    X(cos, mpfr_cos)                                                                                         \
    X(tanh, mpfr_tanh)

#define X(fn, reference)                                                                                     \
    template <typename T, typename P> __global__ void kernel_##fn(const T *in, T *one, P *two)               \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        one[i] = h##fn(in[i]);                                                                               \
        P pair;                                                                                              \
        pair.x = in[i];                                                                                      \
        pair.y = in[ALL - 1 - i];                                                                            \
        two[i] = h2##fn(pair);                                                                               \
    }
FUNCTIONS(X)
#undef X

static unsigned bits_of(const void *p)
{
    return *(const unsigned short *)p;
}

typedef int Reference(mpfr_t, const mpfr_t, mpfr_rnd_t);

// Error in units of the last place; infinity counts as the number after the largest. -1: another kind.
template <typename T> static double error_of(double got, const mpfr_t want)
{
    using F = Format<T>;
    if (mpfr_nan_p(want) || got != got)
        return mpfr_nan_p(want) && got != got ? 0 : -1;
    if (mpfr_inf_p(want))
        return std::isinf(got) && std::signbit(got) == !!mpfr_signbit(want) ? 0 : -1;
    if (mpfr_zero_p(want))
        return got == 0 && std::signbit(got) == !!mpfr_signbit(want) ? 0 : -1;
    double end = std::ldexp(1.0, F::top);
    if (std::isinf(got)) {
        if (mpfr_cmpabs_ui(want, 0) > 0 && std::fabs(mpfr_get_d(want, MPFR_RNDN)) >= end)
            return std::signbit(got) == !!mpfr_signbit(want) ? 0 : -1;
        got = std::copysign(end, got);
    }
    long e = mpfr_get_exp(want) - F::bits;
    if (e < F::lowest)
        e = F::lowest;
    if (e > F::top - F::bits)
        e = F::top - F::bits;
    mpfr_t d;
    mpfr_init2(d, BITS);
    mpfr_sub_d(d, want, got, MPFR_RNDN);
    mpfr_mul_2si(d, d, -e, MPFR_RNDN);
    double error = std::fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return error;
}

template <typename T, typename K> static bool judge(const char *name, K kernel, Reference *reference, int step)
{
    using P = typename Format<T>::Pair;
    T *in, *one;
    P *two;
    cudaMallocManaged(&in, ALL * sizeof *in);
    cudaMallocManaged(&one, ALL * sizeof *one);
    cudaMallocManaged(&two, ALL * sizeof *two);
    for (int i = 0; i < ALL; ++i)
        ((unsigned short *)in)[i] = (unsigned short)i;
    kernel<<<ALL / 256, 256>>>(in, one, two);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
        printf("h%s: %s\n", name, cudaGetErrorString(status));
        return false;
    }
    double worst = 0, at = 0;
    int cases = 0, wrong = 0, pairs = 0;
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, BITS);
    for (int i = 0; i < ALL; ++i) {
        pairs += bits_of(&two[i].x) != bits_of(&one[i]) || bits_of(&two[i].y) != bits_of(&one[ALL - 1 - i]);
        if (i % step && std::find(std::begin(hard), std::end(hard), i) == std::end(hard))
            continue;
        double from = (double)(float)in[i], got = (double)(float)one[i];
        mpfr_set_d(x, from, MPFR_RNDN);
        reference(y, x, MPFR_RNDN);
        double error = error_of<T>(got, y);
        ++cases;
        if (error < 0 && wrong++ < 3)
            printf("h%s(%a) = %a, want %g\n", name, from, got, mpfr_get_d(y, MPFR_RNDN));
        if (error > worst)
            worst = error, at = from;
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
    cudaFree(in);
    cudaFree(one);
    cudaFree(two);
    bool good = worst <= bound && !wrong && !pairs;
    printf("h%-10s %-5s%9.3f %6.1f %8d  %a%s\n", name, Format<T>::name, worst, bound, cases, at,
           good ? "" : "  ABOVE");
    if (pairs)
        printf("h2%s: %d pairs differ\n", name, pairs);
    return good;
}

int main(int argc, char **argv)
{
    int step = argc > 1 ? atoi(argv[1]) : 1;
    bool good = step > 0;
#define X(fn, reference)                                                                                     \
    good = judge<__half>(#fn, kernel_##fn<__half, __half2>, reference, step) && good;                        \
    good = judge<__nv_bfloat16>(#fn, kernel_##fn<__nv_bfloat16, __nv_bfloat162>, reference, step) && good;
    FUNCTIONS(X)
#undef X
    return good ? 0 : 1;
}
