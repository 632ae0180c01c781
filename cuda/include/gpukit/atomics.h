/* SPDX-License-Identifier: Apache-2.0
 * atomicAdd and its kin for every type the CUDA C++ Programming Guide lists, in the scopes device
 * (no suffix), block (_block) and system (_system). All are relaxed, as documented. */
#ifndef GPUKIT_ATOMICS_H
#define GPUKIT_ATOMICS_H

#define GPUKIT_ATOMIC_OP(name, T, expression)                                                      \
    GPUKIT_DEVICE T name(T *p, T v) { return (T)(expression); }
/* scope: cta_, sys_, or nothing for the device. */
#define GPUKIT_ATOMICS(suffix, scope)                                                              \
    GPUKIT_ATOMIC_OP(atomicAdd##suffix, int, __nvvm_atom_##scope##add_gen_i(p, v))                 \
    GPUKIT_ATOMIC_OP(atomicAdd##suffix, unsigned, __nvvm_atom_##scope##add_gen_i((int *)p, (int)v))\
    GPUKIT_ATOMIC_OP(atomicAdd##suffix, unsigned long long,                                        \
                     __nvvm_atom_##scope##add_gen_ll((long long *)p, (long long)v))                \
    GPUKIT_ATOMIC_OP(atomicAdd##suffix, float, __nvvm_atom_##scope##add_gen_f(p, v))               \
    GPUKIT_ATOMIC_OP(atomicAdd##suffix, double, __nvvm_atom_##scope##add_gen_d(p, v))              \
    GPUKIT_ATOMIC_OP(atomicSub##suffix, int, __nvvm_atom_##scope##add_gen_i(p, (int)(0u - (unsigned)v)))\
    GPUKIT_ATOMIC_OP(atomicSub##suffix, unsigned,                                                  \
                     __nvvm_atom_##scope##add_gen_i((int *)p, (int)(0u - v)))                      \
    GPUKIT_ATOMIC_OP(atomicExch##suffix, int, __nvvm_atom_##scope##xchg_gen_i(p, v))               \
    GPUKIT_ATOMIC_OP(atomicExch##suffix, unsigned, __nvvm_atom_##scope##xchg_gen_i((int *)p, (int)v))\
    GPUKIT_ATOMIC_OP(atomicExch##suffix, unsigned long long,                                       \
                     __nvvm_atom_##scope##xchg_gen_ll((long long *)p, (long long)v))               \
    GPUKIT_DEVICE float atomicExch##suffix(float *p, float v)                                      \
    {                                                                                              \
        int old = __nvvm_atom_##scope##xchg_gen_i((int *)p, __builtin_bit_cast(int, v));           \
        return __builtin_bit_cast(float, old);                                                     \
    }                                                                                              \
    GPUKIT_ATOMIC_OP(atomicMin##suffix, int, __nvvm_atom_##scope##min_gen_i(p, v))                 \
    GPUKIT_ATOMIC_OP(atomicMin##suffix, unsigned, __nvvm_atom_##scope##min_gen_ui(p, v))           \
    GPUKIT_ATOMIC_OP(atomicMin##suffix, long long, __nvvm_atom_##scope##min_gen_ll(p, v))          \
    GPUKIT_ATOMIC_OP(atomicMin##suffix, unsigned long long, __nvvm_atom_##scope##min_gen_ull(p, v))\
    GPUKIT_ATOMIC_OP(atomicMax##suffix, int, __nvvm_atom_##scope##max_gen_i(p, v))                 \
    GPUKIT_ATOMIC_OP(atomicMax##suffix, unsigned, __nvvm_atom_##scope##max_gen_ui(p, v))           \
    GPUKIT_ATOMIC_OP(atomicMax##suffix, long long, __nvvm_atom_##scope##max_gen_ll(p, v))          \
    GPUKIT_ATOMIC_OP(atomicMax##suffix, unsigned long long, __nvvm_atom_##scope##max_gen_ull(p, v))\
    GPUKIT_ATOMIC_OP(atomicInc##suffix, unsigned, __nvvm_atom_##scope##inc_gen_ui(p, v))           \
    GPUKIT_ATOMIC_OP(atomicDec##suffix, unsigned, __nvvm_atom_##scope##dec_gen_ui(p, v))           \
    GPUKIT_ATOMIC_BITS(suffix, scope, And, and)                                                    \
    GPUKIT_ATOMIC_BITS(suffix, scope, Or, or)                                                      \
    GPUKIT_ATOMIC_BITS(suffix, scope, Xor, xor)                                                    \
    GPUKIT_DEVICE int atomicCAS##suffix(int *p, int compare, int v)                                \
    {                                                                                              \
        return __nvvm_atom_##scope##cas_gen_i(p, compare, v);                                      \
    }                                                                                              \
    GPUKIT_DEVICE unsigned atomicCAS##suffix(unsigned *p, unsigned compare, unsigned v)            \
    {                                                                                              \
        return (unsigned)__nvvm_atom_##scope##cas_gen_i((int *)p, (int)compare, (int)v);           \
    }                                                                                              \
    GPUKIT_DEVICE unsigned long long atomicCAS##suffix(unsigned long long *p,                      \
                                                       unsigned long long compare,                 \
                                                       unsigned long long v)                       \
    {                                                                                              \
        return (unsigned long long)__nvvm_atom_##scope##cas_gen_ll((long long *)p,                 \
                                                                   (long long)compare,             \
                                                                   (long long)v);                  \
    }
#define GPUKIT_ATOMIC_BITS(suffix, scope, Name, nvvm)                                              \
    GPUKIT_ATOMIC_OP(atomic##Name##suffix, int, __nvvm_atom_##scope##nvvm##_gen_i(p, v))           \
    GPUKIT_ATOMIC_OP(atomic##Name##suffix, unsigned,                                               \
                     __nvvm_atom_##scope##nvvm##_gen_i((int *)p, (int)v))                          \
    GPUKIT_ATOMIC_OP(atomic##Name##suffix, long long, __nvvm_atom_##scope##nvvm##_gen_ll(p, v))    \
    GPUKIT_ATOMIC_OP(atomic##Name##suffix, unsigned long long,                                     \
                     __nvvm_atom_##scope##nvvm##_gen_ll((long long *)p, (long long)v))
GPUKIT_ATOMICS(, )
GPUKIT_ATOMICS(_block, cta_)
GPUKIT_ATOMICS(_system, sys_)
#undef GPUKIT_ATOMIC_BITS
#undef GPUKIT_ATOMICS
#undef GPUKIT_ATOMIC_OP

/* 16-bit compare and swap. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define GPUKIT_CAS16(suffix, ptx)                                                                  \
    GPUKIT_DEVICE unsigned short atomicCAS##suffix(unsigned short *p, unsigned short compare,      \
                                                   unsigned short v)                               \
    {                                                                                              \
        unsigned short old;                                                                        \
        asm volatile("atom." ptx ".cas.b16 %0, [%1], %2, %3;"                                      \
                     : "=h"(old)                                                                   \
                     : "l"(p), "h"(compare), "h"(v)                                                \
                     : "memory");                                                                  \
        return old;                                                                                \
    }
GPUKIT_CAS16(, "gpu")
GPUKIT_CAS16(_block, "cta")
GPUKIT_CAS16(_system, "sys")
#undef GPUKIT_CAS16
#endif

/* float2 and float4 in global memory, one sum a component, and values of 16 bytes. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define GPUKIT_ATOMIC_WIDE(suffix, ptx)                                                            \
    GPUKIT_DEVICE float2 atomicAdd##suffix(float2 *p, float2 v)                                    \
    {                                                                                              \
        float2 old;                                                                                \
        asm volatile("atom." ptx ".add.v2.f32 {%0, %1}, [%2], {%3, %4};"                           \
                     : "=f"(old.x), "=f"(old.y)                                                    \
                     : "l"(p), "f"(v.x), "f"(v.y)                                                  \
                     : "memory");                                                                  \
        return old;                                                                                \
    }                                                                                              \
    GPUKIT_DEVICE float4 atomicAdd##suffix(float4 *p, float4 v)                                    \
    {                                                                                              \
        float4 old;                                                                                \
        asm volatile("atom." ptx ".add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"           \
                     : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)                          \
                     : "l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)                              \
                     : "memory");                                                                  \
        return old;                                                                                \
    }                                                                                              \
    template <class T> GPUKIT_DEVICE GPUKIT_SIXTEEN(T) atomicCAS##suffix(T *p, T compare, T v)     \
    {                                                                                              \
        unsigned long long o[2], c[2], n[2];                                                       \
        T old;                                                                                     \
        __builtin_memcpy(c, &compare, 16);                                                         \
        __builtin_memcpy(n, &v, 16);                                                               \
        asm volatile("{ .reg .b128 o, c, n; mov.b128 c, {%3, %4}; mov.b128 n, {%5, %6};"           \
                     " atom." ptx ".cas.b128 o, [%2], c, n; mov.b128 {%0, %1}, o; }"               \
                     : "=l"(o[0]), "=l"(o[1])                                                      \
                     : "l"(p), "l"(c[0]), "l"(c[1]), "l"(n[0]), "l"(n[1])                          \
                     : "memory");                                                                  \
        __builtin_memcpy((void *)&old, o, 16);                                                     \
        return old;                                                                                \
    }                                                                                              \
    template <class T> GPUKIT_DEVICE GPUKIT_SIXTEEN(T) atomicExch##suffix(T *p, T v)               \
    {                                                                                              \
        unsigned long long o[2], n[2];                                                             \
        T old;                                                                                     \
        __builtin_memcpy(n, &v, 16);                                                               \
        asm volatile("{ .reg .b128 o, n; mov.b128 n, {%3, %4};"                                    \
                     " atom." ptx ".exch.b128 o, [%2], n; mov.b128 {%0, %1}, o; }"                 \
                     : "=l"(o[0]), "=l"(o[1])                                                      \
                     : "l"(p), "l"(n[0]), "l"(n[1])                                                \
                     : "memory");                                                                  \
        __builtin_memcpy((void *)&old, o, 16);                                                     \
        return old;                                                                                \
    }
template <class T, bool Wide> struct gpukit_sixteen {};
template <class T> struct gpukit_sixteen<T, true> {
    typedef T type;
};
#define GPUKIT_SIXTEEN(T)                                                                          \
    typename gpukit_sixteen<T, sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T)>::type
GPUKIT_ATOMIC_WIDE(, "relaxed.gpu")
GPUKIT_ATOMIC_WIDE(_block, "relaxed.cta")
GPUKIT_ATOMIC_WIDE(_system, "relaxed.sys")
#undef GPUKIT_SIXTEEN
#undef GPUKIT_ATOMIC_WIDE
#endif

#endif
