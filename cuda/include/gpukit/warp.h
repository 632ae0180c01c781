/* SPDX-License-Identifier: Apache-2.0
 * Warp functions beyond clang's header: __match_any_sync, __match_all_sync, address conversions. */
#ifndef GPUKIT_WARP_H
#define GPUKIT_WARP_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define GPUKIT_MATCH(T, bits, raw)                                                                 \
    GPUKIT_DEVICE unsigned __match_any_sync(unsigned mask, T value)                                \
    {                                                                                              \
        return __match##bits##_any_sync(mask, __builtin_bit_cast(raw, value));                     \
    }                                                                                              \
    GPUKIT_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *pred)                     \
    {                                                                                              \
        return __match##bits##_all_sync(mask, __builtin_bit_cast(raw, value), pred);               \
    }
GPUKIT_MATCH(int, 32, unsigned)
GPUKIT_MATCH(unsigned, 32, unsigned)
GPUKIT_MATCH(float, 32, unsigned)
GPUKIT_MATCH(long, 64, unsigned long long)
GPUKIT_MATCH(unsigned long, 64, unsigned long long)
GPUKIT_MATCH(long long, 64, unsigned long long)
GPUKIT_MATCH(unsigned long long, 64, unsigned long long)
GPUKIT_MATCH(double, 64, unsigned long long)
#undef GPUKIT_MATCH
#endif

GPUKIT_DEVICE size_t __cvta_generic_to_global(const void *p) { return __nv_cvta_generic_to_global_impl(p); }
GPUKIT_DEVICE size_t __cvta_generic_to_shared(const void *p) { return __nv_cvta_generic_to_shared_impl(p); }
GPUKIT_DEVICE size_t __cvta_generic_to_constant(const void *p)
{
    return __nv_cvta_generic_to_constant_impl(p);
}
GPUKIT_DEVICE size_t __cvta_generic_to_local(const void *p) { return __nv_cvta_generic_to_local_impl(p); }
GPUKIT_DEVICE void *__cvta_global_to_generic(size_t p) { return __nv_cvta_global_to_generic_impl(p); }
GPUKIT_DEVICE void *__cvta_shared_to_generic(size_t p) { return __nv_cvta_shared_to_generic_impl(p); }
GPUKIT_DEVICE void *__cvta_constant_to_generic(size_t p) { return __nv_cvta_constant_to_generic_impl(p); }
GPUKIT_DEVICE void *__cvta_local_to_generic(size_t p) { return __nv_cvta_local_to_generic_impl(p); }

#endif
