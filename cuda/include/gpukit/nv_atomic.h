/* SPDX-License-Identifier: Apache-2.0
 * The __nv_atomic_* functions of CUDA 12.8 and later: atomics with an order and a scope. Orders
 * stronger than relaxed are made with fences on both sides, which is never weaker than asked. */
#ifndef GPUKIT_NV_ATOMIC_H
#define GPUKIT_NV_ATOMIC_H

#define __NV_ATOMIC_RELAXED      0
#define __NV_ATOMIC_CONSUME      1
#define __NV_ATOMIC_ACQUIRE      2
#define __NV_ATOMIC_RELEASE      3
#define __NV_ATOMIC_ACQ_REL      4
#define __NV_ATOMIC_SEQ_CST      5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK  1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define GPUKIT_NVA template <class T> GPUKIT_DEVICE
GPUKIT_DEVICE void gpukit_fence(int scope)
{
    if (scope == __NV_THREAD_SCOPE_SYSTEM)
        __threadfence_system();
    else if (scope == __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else
        __threadfence();
}
GPUKIT_DEVICE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order != __NV_ATOMIC_RELAXED)
        gpukit_fence(scope);
}
GPUKIT_NVA T __nv_atomic_load_n(const T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T v = *(const volatile T *)p;
    if (order != __NV_ATOMIC_RELAXED)
        gpukit_fence(scope);
    return v;
}
GPUKIT_NVA void __nv_atomic_load(const T *p, T *out, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *out = __nv_atomic_load_n(p, order, scope);
}
GPUKIT_NVA void __nv_atomic_store_n(T *p, typename GpukitSame<T>::type v, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order != __NV_ATOMIC_RELAXED)
        gpukit_fence(scope);
    *(volatile T *)p = v;
}
GPUKIT_NVA void __nv_atomic_store(T *p, T *v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __nv_atomic_store_n(p, *v, order, scope);
}
#define GPUKIT_NVA_FETCH(name, function)                                                           \
    GPUKIT_NVA T __nv_atomic_##name(T *p, typename GpukitSame<T>::type v, int order,               \
                                    int scope = __NV_THREAD_SCOPE_SYSTEM)                          \
    {                                                                                              \
        if (order != __NV_ATOMIC_RELAXED)                                                          \
            gpukit_fence(scope);                                                                   \
        T old = scope == __NV_THREAD_SCOPE_SYSTEM  ? function##_system(p, v)                       \
                : scope == __NV_THREAD_SCOPE_BLOCK ? function##_block(p, v)                        \
                                                   : function(p, v);                               \
        if (order != __NV_ATOMIC_RELAXED)                                                          \
            gpukit_fence(scope);                                                                   \
        return old;                                                                                \
    }
GPUKIT_NVA_FETCH(fetch_add, atomicAdd)
GPUKIT_NVA_FETCH(fetch_sub, atomicSub)
GPUKIT_NVA_FETCH(fetch_min, atomicMin)
GPUKIT_NVA_FETCH(fetch_max, atomicMax)
GPUKIT_NVA_FETCH(fetch_and, atomicAnd)
GPUKIT_NVA_FETCH(fetch_or, atomicOr)
GPUKIT_NVA_FETCH(fetch_xor, atomicXor)
GPUKIT_NVA_FETCH(exchange_n, atomicExch)
#undef GPUKIT_NVA_FETCH
GPUKIT_NVA bool __nv_atomic_compare_exchange_n(T *p, T *expected, typename GpukitSame<T>::type v, bool,
                                               int order, int, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order != __NV_ATOMIC_RELAXED)
        gpukit_fence(scope);
    T old = atomicCAS_system(p, *expected, v);
    bool same = old == *expected;
    *expected = old;
    if (order != __NV_ATOMIC_RELAXED)
        gpukit_fence(scope);
    return same;
}
#undef GPUKIT_NVA

#endif
