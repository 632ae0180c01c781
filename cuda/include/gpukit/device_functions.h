/* SPDX-License-Identifier: Apache-2.0
 * Device intrinsics of the CUDA Math API reference that are not functions of mathematics:
 * directed rounding, conversions, bit fiddling, SIMD-within-a-word, fences, clocks. Written on
 * clang's NVPTX built-ins; where none exists, on PTX by its manual. */
#ifndef GPUKIT_DEVICE_FUNCTIONS_H
#define GPUKIT_DEVICE_FUNCTIONS_H

/* Arithmetic with a stated rounding: PTX calls toward -inf "rm" and toward +inf "rp". */
#define GPUKIT_ROUNDED(cuda, nvvm)                                                                 \
    GPUKIT_DEVICE float __fadd_##cuda(float a, float b) { return __nvvm_add_##nvvm##_f(a, b); }    \
    GPUKIT_DEVICE float __fsub_##cuda(float a, float b) { return __nvvm_add_##nvvm##_f(a, -b); }   \
    GPUKIT_DEVICE float __fmul_##cuda(float a, float b) { return __nvvm_mul_##nvvm##_f(a, b); }    \
    GPUKIT_DEVICE float __fdiv_##cuda(float a, float b) { return __nvvm_div_##nvvm##_f(a, b); }    \
    GPUKIT_DEVICE float __frcp_##cuda(float a) { return __nvvm_rcp_##nvvm##_f(a); }                \
    GPUKIT_DEVICE float __fsqrt_##cuda(float a) { return __nvvm_sqrt_##nvvm##_f(a); }              \
    GPUKIT_DEVICE float __fmaf_##cuda(float a, float b, float c)                                   \
    {                                                                                              \
        return __nvvm_fma_##nvvm##_f(a, b, c);                                                     \
    }                                                                                              \
    GPUKIT_DEVICE float __fmaf_ieee_##cuda(float a, float b, float c)                              \
    {                                                                                              \
        return __nvvm_fma_##nvvm##_f(a, b, c);                                                     \
    }                                                                                              \
    GPUKIT_DEVICE double __dadd_##cuda(double a, double b) { return __nvvm_add_##nvvm##_d(a, b); } \
    GPUKIT_DEVICE double __dsub_##cuda(double a, double b)                                         \
    {                                                                                              \
        double r;                                                                                  \
        asm("sub." #nvvm ".f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));                           \
        return r;                                                                                  \
    }                                                                                              \
    GPUKIT_DEVICE double __dmul_##cuda(double a, double b) { return __nvvm_mul_##nvvm##_d(a, b); } \
    GPUKIT_DEVICE double __ddiv_##cuda(double a, double b) { return __nvvm_div_##nvvm##_d(a, b); } \
    GPUKIT_DEVICE double __drcp_##cuda(double a) { return __nvvm_rcp_##nvvm##_d(a); }              \
    GPUKIT_DEVICE double __dsqrt_##cuda(double a) { return __nvvm_sqrt_##nvvm##_d(a); }            \
    GPUKIT_DEVICE double __fma_##cuda(double a, double b, double c)                                \
    {                                                                                              \
        return __nvvm_fma_##nvvm##_d(a, b, c);                                                     \
    }                                                                                              \
    GPUKIT_DEVICE float __double2float_##cuda(double a) { return __nvvm_d2f_##nvvm(a); }
GPUKIT_ROUNDED(rn, rn)
GPUKIT_ROUNDED(rz, rz)
GPUKIT_ROUNDED(rd, rm)
GPUKIT_ROUNDED(ru, rp)
#undef GPUKIT_ROUNDED

/* Conversions between integers and floating point. */
#define GPUKIT_CONVERSION(...) GK_CONVERSION(GPUKIT_DEVICE, __VA_ARGS__)
#define GPUKIT_CONVERSIONS(cuda, ptx)                                                              \
    GPUKIT_CONVERSION(__float2int_##cuda, int, float, ptx "i.s32.f32", "r", "f")                   \
    GPUKIT_CONVERSION(__float2uint_##cuda, unsigned, float, ptx "i.u32.f32", "r", "f")             \
    GPUKIT_CONVERSION(__float2ll_##cuda, long long, float, ptx "i.s64.f32", "l", "f")              \
    GPUKIT_CONVERSION(__float2ull_##cuda, unsigned long long, float, ptx "i.u64.f32", "l", "f")    \
    GPUKIT_CONVERSION(__double2int_##cuda, int, double, ptx "i.s32.f64", "r", "d")                 \
    GPUKIT_CONVERSION(__double2uint_##cuda, unsigned, double, ptx "i.u32.f64", "r", "d")           \
    GPUKIT_CONVERSION(__double2ll_##cuda, long long, double, ptx "i.s64.f64", "l", "d")            \
    GPUKIT_CONVERSION(__double2ull_##cuda, unsigned long long, double, ptx "i.u64.f64", "l", "d")  \
    GPUKIT_CONVERSION(__int2float_##cuda, float, int, ptx ".f32.s32", "f", "r")                    \
    GPUKIT_CONVERSION(__uint2float_##cuda, float, unsigned, ptx ".f32.u32", "f", "r")              \
    GPUKIT_CONVERSION(__ll2float_##cuda, float, long long, ptx ".f32.s64", "f", "l")               \
    GPUKIT_CONVERSION(__ull2float_##cuda, float, unsigned long long, ptx ".f32.u64", "f", "l")     \
    GPUKIT_CONVERSION(__ll2double_##cuda, double, long long, ptx ".f64.s64", "d", "l")             \
    GPUKIT_CONVERSION(__ull2double_##cuda, double, unsigned long long, ptx ".f64.u64", "d", "l")
GPUKIT_CONVERSIONS(rn, "rn")
GPUKIT_CONVERSIONS(rz, "rz")
GPUKIT_CONVERSIONS(rd, "rm")
GPUKIT_CONVERSIONS(ru, "rp")
#undef GPUKIT_CONVERSIONS
#undef GPUKIT_CONVERSION

GPUKIT_DEVICE double __int2double_rn(int a) { return (double)a; }
GPUKIT_DEVICE double __uint2double_rn(unsigned a) { return (double)a; }
GPUKIT_DEVICE float __frsqrt_rn(float a) /* no 1/sqrt is as near to half way between floats as that of a double errs */
{
    return (float)(1 / __nvvm_sqrt_rn_d((double)a));
}
GPUKIT_DEVICE int __isfinited(double a) { return __nv_isfinited(a); }
GPUKIT_DEVICE int __isinf(double a) { return __nv_isinfd(a); }
GPUKIT_DEVICE int __isnan(double a) { return __nv_isnand(a); }
GPUKIT_DEVICE int __finite(double a) { return __nv_isfinited(a); }
GPUKIT_DEVICE int __finitef(float a) { return __nv_finitef(a); }
GPUKIT_DEVICE int __isinff(float a) { return __nv_isinff(a); }
GPUKIT_DEVICE int __isnanf(float a) { return __nv_isnanf(a); }
GPUKIT_DEVICE int __signbitd(double a) { return __nv_signbitd(a); }
GPUKIT_DEVICE int __signbit(double a) { return __nv_signbitd(a); }
GPUKIT_DEVICE int __signbitf(float a) { return __nv_signbitf(a); }
GPUKIT_DEVICE float __saturatef(float a) { return __nvvm_saturate_f(a); }

/* Bits. */
GPUKIT_DEVICE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
GPUKIT_DEVICE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
GPUKIT_DEVICE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
GPUKIT_DEVICE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
GPUKIT_DEVICE long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
GPUKIT_DEVICE double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
GPUKIT_DEVICE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
GPUKIT_DEVICE int __double2loint(double a) { return (int)__double_as_longlong(a); }
GPUKIT_DEVICE double __hiloint2double(int hi, int lo)
{
    return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}
GPUKIT_DEVICE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
GPUKIT_DEVICE unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
GPUKIT_DEVICE int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
GPUKIT_DEVICE int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
GPUKIT_DEVICE int __ffs(int a) { return __builtin_ffs(a); }
GPUKIT_DEVICE int __ffsll(long long a) { return __builtin_ffsll(a); }
GPUKIT_DEVICE int __popc(unsigned a) { return __builtin_popcount(a); }
GPUKIT_DEVICE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
GPUKIT_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    return __nvvm_prmt(a, b, s & 0x7777); /* the instruction's fourth bit repeats a sign */
}

/* Integer arithmetic. */
GPUKIT_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
GPUKIT_DEVICE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
GPUKIT_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
GPUKIT_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
GPUKIT_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
GPUKIT_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
GPUKIT_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
GPUKIT_DEVICE unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
GPUKIT_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
GPUKIT_DEVICE unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
GPUKIT_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
GPUKIT_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
GPUKIT_DEVICE unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
GPUKIT_DEVICE unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
GPUKIT_DEVICE unsigned __sad(int a, int b, unsigned c)
{
    return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
GPUKIT_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
GPUKIT_DEVICE int float2int(float a) { return __float2int_rz(a); }
GPUKIT_DEVICE float int_as_float(int a) { return __int_as_float(a); }
GPUKIT_DEVICE int float_as_int(float a) { return __float_as_int(a); }
GPUKIT_DEVICE float saturate(float a) { return __saturatef(a); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define GPUKIT_DOT(name, ptx, result, atype, btype)                                                \
    GPUKIT_DEVICE result name(atype a, btype b, result c)                                          \
    {                                                                                              \
        result d;                                                                                  \
        asm(ptx " %0, %1, %2, %3;" : "=r"(d) : "r"(__builtin_bit_cast(int, a)),                    \
            "r"(__builtin_bit_cast(int, b)), "r"(c));                                              \
        return d;                                                                                  \
    }
GPUKIT_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
GPUKIT_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
GPUKIT_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
GPUKIT_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
GPUKIT_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
GPUKIT_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
GPUKIT_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
GPUKIT_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
GPUKIT_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
GPUKIT_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
GPUKIT_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
GPUKIT_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef GPUKIT_DOT
#endif

/* Approximate mathematics: one or a few .approx instructions each, as documented. */
GPUKIT_DEVICE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
GPUKIT_DEVICE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
GPUKIT_DEVICE float __tanf(float a) { return __nv_fast_tanf(a); }
GPUKIT_DEVICE void __sincosf(float a, float *s, float *c)
{
    *s = __sinf(a);
    *c = __cosf(a);
}
GPUKIT_DEVICE float __expf(float a) { return __nv_fast_expf(a); }
GPUKIT_DEVICE float __tanhf(float a)
{
#if __CUDA_ARCH__ >= 750
    asm("tanh.approx.f32 %0, %0;" : "+f"(a));
    return a;
#else
    return __nv_tanhf(a);
#endif
}
GPUKIT_DEVICE float __exp10f(float a) { return __nv_fast_exp10f(a); }
GPUKIT_DEVICE float __exp2f(float a) { return __nvvm_ex2_approx_f(a); }
GPUKIT_DEVICE float __log2f(float a) { return __nv_fast_log2f(a); }
GPUKIT_DEVICE float __logf(float a) { return __nv_fast_logf(a); }
GPUKIT_DEVICE float __log10f(float a) { return __nv_fast_log10f(a); }
GPUKIT_DEVICE float __powf(float a, float b) { return __nv_fast_powf(a, b); }
GPUKIT_DEVICE float __fdividef(float a, float b) { return __nv_fast_fdividef(a, b); }
GPUKIT_DEVICE float __tanh_approxf(float a)
{
    float d;
    asm("tanh.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
}

/* SIMD within a word: E is the element type, N the number of elements, expression in x and y. */
#define GPUKIT_SIMD2(name, E, N, expression)                                                       \
    GPUKIT_DEVICE unsigned name(unsigned a, unsigned b)                                            \
    {                                                                                              \
        const unsigned mask = N == 4 ? 0xffu : 0xffffu;                                            \
        unsigned r = 0;                                                                            \
        _Pragma("unroll") for (int i = 0; i < N; ++i)                                              \
        {                                                                                          \
            int x = (E)(a >> i * (32 / N)), y = (E)(b >> i * (32 / N));                            \
            (void)x, (void)y;                                                                      \
            r |= ((unsigned)(expression) & mask) << i * (32 / N);                                  \
        }                                                                                          \
        return r;                                                                                  \
    }
#define GPUKIT_SIMD1(name, E, N, expression)                                                       \
    GPUKIT_SIMD2(gpukit##name, E, N, expression)                                                   \
    GPUKIT_DEVICE unsigned name(unsigned a) { return gpukit##name(a, 0); }
#define GPUKIT_CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
#define GPUKIT_SIMD(N, S, U, smin, smax, umax)                                                     \
    GPUKIT_SIMD2(__vadd##N, U, N, x + y)                                                           \
    GPUKIT_SIMD2(__vsub##N, U, N, x - y)                                                           \
    GPUKIT_SIMD2(__vaddss##N, S, N, GPUKIT_CLAMP(x + y, smin, smax))                               \
    GPUKIT_SIMD2(__vaddus##N, U, N, GPUKIT_CLAMP(x + y, 0, umax))                                  \
    GPUKIT_SIMD2(__vsubss##N, S, N, GPUKIT_CLAMP(x - y, smin, smax))                               \
    GPUKIT_SIMD2(__vsubus##N, U, N, GPUKIT_CLAMP(x - y, 0, umax))                                  \
    GPUKIT_SIMD2(__vavgs##N, S, N, (x + y + (x + y >= 0)) >> 1)                                    \
    GPUKIT_SIMD2(__vavgu##N, U, N, (x + y + 1) >> 1)                                               \
    GPUKIT_SIMD2(__vhaddu##N, U, N, (x + y) >> 1)                                                  \
    GPUKIT_SIMD2(__vmaxs##N, S, N, x > y ? x : y)                                                  \
    GPUKIT_SIMD2(__vmaxu##N, U, N, x > y ? x : y)                                                  \
    GPUKIT_SIMD2(__vmins##N, S, N, x < y ? x : y)                                                  \
    GPUKIT_SIMD2(__vminu##N, U, N, x < y ? x : y)                                                  \
    GPUKIT_SIMD2(__vabsdiffs##N, S, N, x > y ? x - y : y - x)                                      \
    GPUKIT_SIMD2(__vabsdiffu##N, U, N, x > y ? x - y : y - x)                                      \
    GPUKIT_SIMD1(__vabs##N, S, N, x < 0 ? -x : x)                                                  \
    GPUKIT_SIMD1(__vabsss##N, S, N, GPUKIT_CLAMP((x < 0 ? -x : x), smin, smax))                    \
    GPUKIT_SIMD1(__vneg##N, S, N, -x)                                                              \
    GPUKIT_SIMD1(__vnegss##N, S, N, GPUKIT_CLAMP(-x, smin, smax))                                  \
    GPUKIT_SIMD_COMPARE(N, eq, U, ==)                                                              \
    GPUKIT_SIMD_COMPARE(N, ne, U, !=)                                                              \
    GPUKIT_SIMD_COMPARE(N, ges, S, >=)                                                             \
    GPUKIT_SIMD_COMPARE(N, geu, U, >=)                                                             \
    GPUKIT_SIMD_COMPARE(N, gts, S, >)                                                              \
    GPUKIT_SIMD_COMPARE(N, gtu, U, >)                                                              \
    GPUKIT_SIMD_COMPARE(N, les, S, <=)                                                             \
    GPUKIT_SIMD_COMPARE(N, leu, U, <=)                                                             \
    GPUKIT_SIMD_COMPARE(N, lts, S, <)                                                              \
    GPUKIT_SIMD_COMPARE(N, ltu, U, <)                                                              \
    GPUKIT_DEVICE unsigned __vsads##N(unsigned a, unsigned b)                                      \
    {                                                                                              \
        unsigned sum = 0;                                                                          \
        for (int i = 0; i < N; ++i) {                                                              \
            int x = (S)(a >> i * (32 / N)), y = (S)(b >> i * (32 / N));                            \
            sum += (unsigned)(x > y ? x - y : y - x);                                              \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    GPUKIT_DEVICE unsigned __vsadu##N(unsigned a, unsigned b)                                      \
    {                                                                                              \
        unsigned sum = 0;                                                                          \
        for (int i = 0; i < N; ++i) {                                                              \
            int x = (U)(a >> i * (32 / N)), y = (U)(b >> i * (32 / N));                            \
            sum += (unsigned)(x > y ? x - y : y - x);                                              \
        }                                                                                          \
        return sum;                                                                                \
    }
#define GPUKIT_SIMD_COMPARE(N, name, E, op)                                                        \
    GPUKIT_SIMD2(__vset##name##N, E, N, x op y)                                                    \
    GPUKIT_SIMD2(__vcmp##name##N, E, N, x op y ? -1 : 0)
GPUKIT_SIMD(4, signed char, unsigned char, -128, 127, 255)
GPUKIT_SIMD(2, short, unsigned short, -32768, 32767, 65535)
#undef GPUKIT_SIMD_COMPARE
#undef GPUKIT_SIMD
#undef GPUKIT_CLAMP
#undef GPUKIT_SIMD1
#undef GPUKIT_SIMD2

/* Two- and three-way integer minimum and maximum ("DPX"), of words and of pairs of halves; the host may
 * call them, too. _relu: never below 0. The predicates say that the first operand was taken. */
#define GPUKIT_BOTH static __host__ __device__ __forceinline__ __attribute__((nodebug))
#define GPUKIT_LARGER(a, b)  ((a) > (b) ? (a) : (b))
#define GPUKIT_SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define GPUKIT_HALF(E, at, word) ((E)((word) >> (at)))
#define GPUKIT_DPX(T, name, E, name2, m, pick, before)                                          \
    GPUKIT_BOTH T __vi##m##3_##name(T a, T b, T c) { return pick(pick(a, b), c); }                 \
    GPUKIT_BOTH T __viadd##m##_##name(T a, T b, T c)                                               \
    {                                                                                              \
        T sum = (T)((unsigned)a + (unsigned)b);                                                    \
        return pick(sum, c);                                                                       \
    }                                                                                              \
    GPUKIT_BOTH T __vib##m##_##name(T a, T b, bool *taken)                                         \
    {                                                                                              \
        *taken = a before b;                                                                       \
        return *taken ? a : b;                                                                     \
    }                                                                                              \
    GPUKIT_BOTH E gpukit_half_##m##_##name2(unsigned a, unsigned b, int at)                        \
    {                                                                                              \
        E x = GPUKIT_HALF(E, at, a), y = GPUKIT_HALF(E, at, b);                                    \
        return pick(x, y);                                                                         \
    }                                                                                              \
    GPUKIT_BOTH unsigned gpukit_##m##_##name2(unsigned a, unsigned b)                              \
    {                                                                                              \
        return (unsigned)(unsigned short)gpukit_half_##m##_##name2(a, b, 0) |                      \
               (unsigned)(unsigned short)gpukit_half_##m##_##name2(a, b, 16) << 16;                \
    }                                                                                              \
    GPUKIT_BOTH unsigned __vi##m##3_##name2(unsigned a, unsigned b, unsigned c)                    \
    {                                                                                              \
        return gpukit_##m##_##name2(gpukit_##m##_##name2(a, b), c);                                \
    }                                                                                              \
    GPUKIT_BOTH unsigned __viadd##m##_##name2(unsigned a, unsigned b, unsigned c)                  \
    {                                                                                              \
        unsigned sum = ((a + b) & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u));              \
        return gpukit_##m##_##name2(sum, c);                                                       \
    }                                                                                              \
    GPUKIT_BOTH unsigned __vib##m##_##name2(unsigned a, unsigned b, bool *high, bool *low)         \
    {                                                                                              \
        *low = GPUKIT_HALF(E, 0, a) before GPUKIT_HALF(E, 0, b);                                   \
        *high = GPUKIT_HALF(E, 16, a) before GPUKIT_HALF(E, 16, b);                                \
        return gpukit_##m##_##name2(a, b);                                                         \
    }
#define GPUKIT_RELU(m, pick)                                                                       \
    GPUKIT_BOTH int __vi##m##_s32_relu(int a, int b)                                               \
    {                                                                                              \
        int taken = pick(a, b);                                                                    \
        return taken > 0 ? taken : 0;                                                              \
    }                                                                                              \
    GPUKIT_BOTH int __vi##m##3_s32_relu(int a, int b, int c)                                       \
    {                                                                                              \
        return __vi##m##_s32_relu(pick(a, b), c);                                                  \
    }                                                                                              \
    GPUKIT_BOTH int __viadd##m##_s32_relu(int a, int b, int c)                                     \
    {                                                                                              \
        return __vi##m##_s32_relu((int)((unsigned)a + (unsigned)b), c);                            \
    }                                                                                              \
    GPUKIT_BOTH unsigned __vi##m##_s16x2_relu(unsigned a, unsigned b)                              \
    {                                                                                              \
        return gpukit_max_s16x2(gpukit_##m##_s16x2(a, b), 0);                                      \
    }                                                                                              \
    GPUKIT_BOTH unsigned __vi##m##3_s16x2_relu(unsigned a, unsigned b, unsigned c)                 \
    {                                                                                              \
        return gpukit_max_s16x2(__vi##m##3_s16x2(a, b, c), 0);                                     \
    }                                                                                              \
    GPUKIT_BOTH unsigned __viadd##m##_s16x2_relu(unsigned a, unsigned b, unsigned c)               \
    {                                                                                              \
        return gpukit_max_s16x2(__viadd##m##_s16x2(a, b, c), 0);                                   \
    }
GPUKIT_DPX(int, s32, short, s16x2, max, GPUKIT_LARGER, >=)
GPUKIT_DPX(int, s32, short, s16x2, min, GPUKIT_SMALLER, <=)
GPUKIT_DPX(unsigned, u32, unsigned short, u16x2, max, GPUKIT_LARGER, >=)
GPUKIT_DPX(unsigned, u32, unsigned short, u16x2, min, GPUKIT_SMALLER, <=)
GPUKIT_RELU(max, GPUKIT_LARGER)
GPUKIT_RELU(min, GPUKIT_SMALLER)
#undef GPUKIT_RELU
#undef GPUKIT_DPX
#undef GPUKIT_HALF
#undef GPUKIT_SMALLER
#undef GPUKIT_LARGER
#undef GPUKIT_BOTH

/* Barriers, fences, clocks, traps. */
GPUKIT_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
GPUKIT_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
GPUKIT_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
GPUKIT_DEVICE void __threadfence(void) { __nvvm_membar_gl(); }
GPUKIT_DEVICE void __threadfence_block(void) { __nvvm_membar_cta(); }
GPUKIT_DEVICE void __threadfence_system(void) { __nvvm_membar_sys(); }
GPUKIT_DEVICE void __trap(void) { asm volatile("trap;"); }
GPUKIT_DEVICE void __brkpt(void) { asm volatile("brkpt;"); }
GPUKIT_DEVICE void __brkpt(int) { asm volatile("brkpt;"); }
#define __prof_trigger(n) asm volatile("pmevent %0;" ::"i"(n))
GPUKIT_DEVICE unsigned __pm0(void) { return __nvvm_read_ptx_sreg_pm0(); }
GPUKIT_DEVICE unsigned __pm1(void) { return __nvvm_read_ptx_sreg_pm1(); }
GPUKIT_DEVICE clock_t clock(void) { return __nvvm_read_ptx_sreg_clock(); }
GPUKIT_DEVICE long long clock64(void) { return __nvvm_read_ptx_sreg_clock64(); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
GPUKIT_DEVICE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/* Programmatic dependent launch. */
GPUKIT_DEVICE void cudaGridDependencySynchronize(void) { asm volatile("griddepcontrol.wait;" ::: "memory"); }
GPUKIT_DEVICE void cudaTriggerProgrammaticLaunchCompletion(void)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#endif
GPUKIT_DEVICE unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
GPUKIT_DEVICE unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
GPUKIT_DEVICE unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
GPUKIT_DEVICE unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
GPUKIT_DEVICE unsigned __isGridConstant(const void *p)
{
    unsigned is;
    asm("{ .reg .pred p; isspacep.param p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
    return is;
}

/* Votes without a mask: for targets before sm_70 only, as in CUDA. */
#if __CUDA_ARCH__ < 700
GPUKIT_DEVICE int __all(int p) { return __nvvm_vote_all(p); }
GPUKIT_DEVICE int __any(int p) { return __nvvm_vote_any(p); }
GPUKIT_DEVICE unsigned __ballot(int p) { return __nvvm_vote_ballot(p); }
#endif

/* Memory. */
GPUKIT_DEVICE void *memcpy(void *d, const void *s, size_t n) { return __builtin_memcpy(d, s, n); }
GPUKIT_DEVICE void *memset(void *d, int v, size_t n) { return __builtin_memset(d, v, n); }
GPUKIT_DEVICE void *memmove(void *d, const void *s, size_t n)
{
    char *to = (char *)d;
    const char *from = (const char *)s;
    if (to <= from)
        for (size_t i = 0; i < n; ++i)
            ((volatile char *)to)[i] = from[i];
    else
        while (n--)
            ((volatile char *)to)[n] = from[n];
    return d;
}
GPUKIT_DEVICE int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (size_t i = 0; i < n; ++i)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Explicit cache hints: ld and st with the operator's name. */
#define GPUKIT_LOAD(name, ptx)                                                                     \
    template <class T> GPUKIT_DEVICE T name(const T *p)                                            \
    {                                                                                              \
        static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ||      \
                          sizeof(T) == 16,                                                         \
                      "cache-hinted loads take 1, 2, 4, 8 or 16 bytes");                           \
        T value;                                                                                   \
        if constexpr (sizeof(T) == 1) {                                                            \
            unsigned v;                                                                            \
            asm volatile("ld." ptx ".u8 %0, [%1];" : "=r"(v) : "l"(p));                            \
            unsigned char b = (unsigned char)v;                                                    \
            __builtin_memcpy(&value, &b, 1);                                                       \
        } else if constexpr (sizeof(T) == 2) {                                                     \
            unsigned short v;                                                                      \
            asm volatile("ld." ptx ".u16 %0, [%1];" : "=h"(v) : "l"(p));                           \
            __builtin_memcpy(&value, &v, 2);                                                       \
        } else if constexpr (sizeof(T) == 4) {                                                     \
            unsigned v;                                                                            \
            asm volatile("ld." ptx ".u32 %0, [%1];" : "=r"(v) : "l"(p));                           \
            __builtin_memcpy(&value, &v, 4);                                                       \
        } else if constexpr (sizeof(T) == 8) {                                                     \
            unsigned long long v;                                                                  \
            asm volatile("ld." ptx ".u64 %0, [%1];" : "=l"(v) : "l"(p));                           \
            __builtin_memcpy(&value, &v, 8);                                                       \
        } else {                                                                                   \
            unsigned v[4];                                                                         \
            asm volatile("ld." ptx ".v4.u32 {%0, %1, %2, %3}, [%4];"                               \
                         : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                          \
                         : "l"(p));                                                                \
            __builtin_memcpy(&value, v, 16);                                                       \
        }                                                                                          \
        return value;                                                                              \
    }
GPUKIT_LOAD(__ldcg, "global.cg")
GPUKIT_LOAD(__ldca, "global.ca")
GPUKIT_LOAD(__ldcs, "global.cs")
GPUKIT_LOAD(__ldlu, "global.lu")
GPUKIT_LOAD(__ldcv, "global.cv")
#undef GPUKIT_LOAD
template <class T> struct GpukitSame {
    typedef T type;
};
#define GPUKIT_STORE(name, ptx)                                                                    \
    template <class T> GPUKIT_DEVICE void name(T *p, typename GpukitSame<T>::type value)           \
    {                                                                                              \
        static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ||      \
                          sizeof(T) == 16,                                                         \
                      "cache-hinted stores take 1, 2, 4, 8 or 16 bytes");                          \
        if constexpr (sizeof(T) == 1) {                                                            \
            unsigned char b;                                                                       \
            __builtin_memcpy(&b, &value, 1);                                                       \
            asm volatile("st." ptx ".u8 [%0], %1;" ::"l"(p), "r"((unsigned)b) : "memory");         \
        } else if constexpr (sizeof(T) == 2) {                                                     \
            unsigned short v;                                                                      \
            __builtin_memcpy(&v, &value, 2);                                                       \
            asm volatile("st." ptx ".u16 [%0], %1;" ::"l"(p), "h"(v) : "memory");                  \
        } else if constexpr (sizeof(T) == 4) {                                                     \
            unsigned v;                                                                            \
            __builtin_memcpy(&v, &value, 4);                                                       \
            asm volatile("st." ptx ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");                  \
        } else if constexpr (sizeof(T) == 8) {                                                     \
            unsigned long long v;                                                                  \
            __builtin_memcpy(&v, &value, 8);                                                       \
            asm volatile("st." ptx ".u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");                  \
        } else {                                                                                   \
            unsigned v[4];                                                                         \
            __builtin_memcpy(v, &value, 16);                                                       \
            asm volatile("st." ptx ".v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v[0]),          \
                         "r"(v[1]), "r"(v[2]), "r"(v[3])                                           \
                         : "memory");                                                              \
        }                                                                                          \
    }
GPUKIT_STORE(__stwb, "global.wb")
GPUKIT_STORE(__stcg, "global.cg")
GPUKIT_STORE(__stcs, "global.cs")
GPUKIT_STORE(__stwt, "global.wt")
#undef GPUKIT_STORE

#endif
