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

#endif
