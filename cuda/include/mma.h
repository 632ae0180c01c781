/* SPDX-License-Identifier: Apache-2.0
 * nvcuda::wmma: matrix fragments of a warp, from the CUDA C++ Programming Guide ("Warp Matrix
 * Functions"), as PTX wmma instructions. Shapes: 16x16x16, 32x8x16, 8x32x16 for __half,
 * __nv_bfloat16, signed and unsigned char; 16x16x8 for tf32; 8x8x4 for double; narrower
 * types are in gpukit/mma_bits.h. Made by tools/make-mma-header; do not edit. */
#ifndef GPUKIT_MMA_H
#define GPUKIT_MMA_H
#include "gpukit/letters_push.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)
#define GKW static __device__ __forceinline__

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}
/* What a fragment keeps per lane: element type, number of elements, registers. */
template <class Use, int m, int n, int k, class T> struct gpukit_shape;
#define GPUKIT_SHAPE(use, m, n, k, T, E, R, elements, registers)                                   \
    template <> struct gpukit_shape<use, m, n, k, T> {                                             \
        typedef E element;                                                                         \
        typedef R raw;                                                                             \
        enum { count = elements, words = registers };                                              \
    };
GPUKIT_SHAPE(matrix_a, 16, 16, 16, __half, __half, unsigned, 16, 8)
GPUKIT_SHAPE(matrix_b, 16, 16, 16, __half, __half, unsigned, 16, 8)
GPUKIT_SHAPE(accumulator, 16, 16, 16, __half, __half, unsigned, 8, 4)
GPUKIT_SHAPE(accumulator, 16, 16, 16, float, float, float, 8, 8)
GPUKIT_SHAPE(accumulator, 16, 16, 16, int, int, int, 8, 8)
GPUKIT_SHAPE(matrix_a, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, unsigned, 8, 4)
GPUKIT_SHAPE(matrix_b, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, unsigned, 8, 4)
GPUKIT_SHAPE(matrix_a, 16, 16, 16, signed char, signed char, unsigned, 8, 2)
GPUKIT_SHAPE(matrix_b, 16, 16, 16, signed char, signed char, unsigned, 8, 2)
GPUKIT_SHAPE(matrix_a, 16, 16, 16, unsigned char, unsigned char, unsigned, 8, 2)
GPUKIT_SHAPE(matrix_b, 16, 16, 16, unsigned char, unsigned char, unsigned, 8, 2)
GPUKIT_SHAPE(matrix_a, 32, 8, 16, __half, __half, unsigned, 16, 8)
GPUKIT_SHAPE(matrix_b, 32, 8, 16, __half, __half, unsigned, 16, 8)
GPUKIT_SHAPE(accumulator, 32, 8, 16, __half, __half, unsigned, 8, 4)
GPUKIT_SHAPE(accumulator, 32, 8, 16, float, float, float, 8, 8)
GPUKIT_SHAPE(accumulator, 32, 8, 16, int, int, int, 8, 8)
GPUKIT_SHAPE(matrix_a, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, unsigned, 16, 8)
GPUKIT_SHAPE(matrix_b, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, unsigned, 4, 2)
GPUKIT_SHAPE(matrix_a, 32, 8, 16, signed char, signed char, unsigned, 16, 4)
GPUKIT_SHAPE(matrix_b, 32, 8, 16, signed char, signed char, unsigned, 4, 1)
GPUKIT_SHAPE(matrix_a, 32, 8, 16, unsigned char, unsigned char, unsigned, 16, 4)
GPUKIT_SHAPE(matrix_b, 32, 8, 16, unsigned char, unsigned char, unsigned, 4, 1)
GPUKIT_SHAPE(matrix_a, 8, 32, 16, __half, __half, unsigned, 16, 8)
GPUKIT_SHAPE(matrix_b, 8, 32, 16, __half, __half, unsigned, 16, 8)
GPUKIT_SHAPE(accumulator, 8, 32, 16, __half, __half, unsigned, 8, 4)
GPUKIT_SHAPE(accumulator, 8, 32, 16, float, float, float, 8, 8)
GPUKIT_SHAPE(accumulator, 8, 32, 16, int, int, int, 8, 8)
GPUKIT_SHAPE(matrix_a, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, unsigned, 4, 2)
GPUKIT_SHAPE(matrix_b, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, unsigned, 16, 8)
GPUKIT_SHAPE(matrix_a, 8, 32, 16, signed char, signed char, unsigned, 4, 1)
GPUKIT_SHAPE(matrix_b, 8, 32, 16, signed char, signed char, unsigned, 16, 4)
GPUKIT_SHAPE(matrix_a, 8, 32, 16, unsigned char, unsigned char, unsigned, 4, 1)
GPUKIT_SHAPE(matrix_b, 8, 32, 16, unsigned char, unsigned char, unsigned, 16, 4)
GPUKIT_SHAPE(matrix_a, 16, 16, 8, precision::tf32, float, unsigned, 4, 4)
GPUKIT_SHAPE(matrix_b, 16, 16, 8, precision::tf32, float, unsigned, 4, 4)
GPUKIT_SHAPE(accumulator, 16, 16, 8, float, float, float, 8, 8)
GPUKIT_SHAPE(matrix_a, 8, 8, 4, double, double, double, 1, 1)
GPUKIT_SHAPE(matrix_b, 8, 8, 4, double, double, double, 1, 1)
GPUKIT_SHAPE(accumulator, 8, 8, 4, double, double, double, 2, 2)
#undef GPUKIT_SHAPE

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    typedef gpukit_shape<Use, m, n, k, T> shape;
    typedef typename shape::element element_type;
    typedef typename shape::element storage_element_type;
    enum { num_elements = shape::count, num_storage_elements = shape::count };
    storage_element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout>
GKW void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                       const typename fragment<Use, m, n, k, T, Layout>::element_type &v)
{
    for (int i = 0; i < f.num_elements; ++i)
        f.x[i] = v;
}
GKW float __float_to_tf32(float a)
{
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(a));
    return __builtin_bit_cast(float, r);
}

#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __half, row_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __half, row_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __half, col_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __half, col_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<accumulator, 16, 16, 16, __half> &f, const __half *p, unsigned ldm, layout_t layout)
{
    unsigned r[4];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.f16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.f16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(__half *p, const fragment<accumulator, 16, 16, 16, __half> &f, unsigned ldm, layout_t layout)
{
    unsigned r[4];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f16 [%0], {%2, %3, %4, %5}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.f16 [%0], {%2, %3, %4, %5}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
}
GKW void load_matrix_sync(fragment<accumulator, 16, 16, 16, float> &f, const float *p, unsigned ldm, layout_t layout)
{
    float r[8];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(float *p, const fragment<accumulator, 16, 16, 16, float> &f, unsigned ldm, layout_t layout)
{
    float r[8];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, row_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, row_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d, const fragment<matrix_a, 16, 16, 16, __half, col_major> &a, const fragment<matrix_b, 16, 16, 16, __half, col_major> &b, const fragment<accumulator, 16, 16, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
#endif
#if __CUDA_ARCH__ >= 720 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, signed char, row_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.s8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, signed char, row_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.s8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, signed char, col_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.s8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, signed char, col_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.s8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, signed char, row_major> &a, const fragment<matrix_b, 16, 16, 16, signed char, row_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, signed char, row_major> &a, const fragment<matrix_b, 16, 16, 16, signed char, col_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, signed char, col_major> &a, const fragment<matrix_b, 16, 16, 16, signed char, row_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, signed char, col_major> &a, const fragment<matrix_b, 16, 16, 16, signed char, col_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, unsigned char, row_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.u8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, unsigned char, row_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.u8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, unsigned char, col_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.u8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, unsigned char, col_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.u8 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, unsigned char, row_major> &a, const fragment<matrix_b, 16, 16, 16, unsigned char, row_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, unsigned char, row_major> &a, const fragment<matrix_b, 16, 16, 16, unsigned char, col_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, unsigned char, col_major> &a, const fragment<matrix_b, 16, 16, 16, unsigned char, row_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, int> &d, const fragment<matrix_a, 16, 16, 16, unsigned char, col_major> &a, const fragment<matrix_b, 16, 16, 16, unsigned char, col_major> &b, const fragment<accumulator, 16, 16, 16, int> &c, bool saturate = false)
{
    unsigned ra[2], rb[2];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void load_matrix_sync(fragment<accumulator, 16, 16, 16, int> &f, const int *p, unsigned ldm, layout_t layout)
{
    int r[8];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(int *p, const fragment<accumulator, 16, 16, 16, int> &f, unsigned ldm, layout_t layout)
{
    int r[8];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]) : "memory");
}
#endif
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __nv_bfloat16, col_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> &a, const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> &a, const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, col_major> &a, const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, col_major> &a, const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major> &b, const fragment<accumulator, 16, 16, 16, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
#endif
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, __half, row_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, __half, row_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, __half, col_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, __half, col_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<accumulator, 32, 8, 16, __half> &f, const __half *p, unsigned ldm, layout_t layout)
{
    unsigned r[4];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.f16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m32n8k16.f16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(__half *p, const fragment<accumulator, 32, 8, 16, __half> &f, unsigned ldm, layout_t layout)
{
    unsigned r[4];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m32n8k16.f16 [%0], {%2, %3, %4, %5}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m32n8k16.f16 [%0], {%2, %3, %4, %5}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
}
GKW void load_matrix_sync(fragment<accumulator, 32, 8, 16, float> &f, const float *p, unsigned ldm, layout_t layout)
{
    float r[8];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m32n8k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(float *p, const fragment<accumulator, 32, 8, 16, float> &f, unsigned ldm, layout_t layout)
{
    float r[8];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m32n8k16.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m32n8k16.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m32n8k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m32n8k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m32n8k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m32n8k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, row_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m32n8k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m32n8k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m32n8k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, row_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m32n8k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, __half> &d, const fragment<matrix_a, 32, 8, 16, __half, col_major> &a, const fragment<matrix_b, 32, 8, 16, __half, col_major> &b, const fragment<accumulator, 32, 8, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
#endif
#if __CUDA_ARCH__ >= 720 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, signed char, row_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.s8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, signed char, row_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.s8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, signed char, col_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.s8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, signed char, col_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.s8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, signed char, row_major> &a, const fragment<matrix_b, 32, 8, 16, signed char, row_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, signed char, row_major> &a, const fragment<matrix_b, 32, 8, 16, signed char, col_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, signed char, col_major> &a, const fragment<matrix_b, 32, 8, 16, signed char, row_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, signed char, col_major> &a, const fragment<matrix_b, 32, 8, 16, signed char, col_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, unsigned char, row_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.u8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, unsigned char, row_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.u8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, unsigned char, col_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.u8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, unsigned char, col_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.u8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, unsigned char, row_major> &a, const fragment<matrix_b, 32, 8, 16, unsigned char, row_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, unsigned char, row_major> &a, const fragment<matrix_b, 32, 8, 16, unsigned char, col_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, unsigned char, col_major> &a, const fragment<matrix_b, 32, 8, 16, unsigned char, row_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, int> &d, const fragment<matrix_a, 32, 8, 16, unsigned char, col_major> &a, const fragment<matrix_b, 32, 8, 16, unsigned char, col_major> &b, const fragment<accumulator, 32, 8, 16, int> &c, bool saturate = false)
{
    unsigned ra[4], rb[1];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void load_matrix_sync(fragment<accumulator, 32, 8, 16, int> &f, const int *p, unsigned ldm, layout_t layout)
{
    int r[8];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m32n8k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(int *p, const fragment<accumulator, 32, 8, 16, int> &f, unsigned ldm, layout_t layout)
{
    int r[8];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m32n8k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m32n8k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]) : "memory");
}
#endif
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, __nv_bfloat16, row_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, __nv_bfloat16, row_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.bf16 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 32, 8, 16, __nv_bfloat16, col_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 32, 8, 16, __nv_bfloat16, col_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.bf16 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, row_major> &a, const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, row_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[2];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, row_major> &a, const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, col_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[2];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, col_major> &a, const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, row_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[2];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 32, 8, 16, float> &d, const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, col_major> &a, const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, col_major> &b, const fragment<accumulator, 32, 8, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[2];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
#endif
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, __half, row_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.row.m8n32k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, __half, row_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.row.m8n32k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, __half, col_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.a.sync.aligned.col.m8n32k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, __half, col_major> &f, const __half *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.col.m8n32k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<accumulator, 8, 32, 16, __half> &f, const __half *p, unsigned ldm, layout_t layout)
{
    unsigned r[4];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m8n32k16.f16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m8n32k16.f16 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(__half *p, const fragment<accumulator, 8, 32, 16, __half> &f, unsigned ldm, layout_t layout)
{
    unsigned r[4];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m8n32k16.f16 [%0], {%2, %3, %4, %5}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m8n32k16.f16 [%0], {%2, %3, %4, %5}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
}
GKW void load_matrix_sync(fragment<accumulator, 8, 32, 16, float> &f, const float *p, unsigned ldm, layout_t layout)
{
    float r[8];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m8n32k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m8n32k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(float *p, const fragment<accumulator, 8, 32, 16, float> &f, unsigned ldm, layout_t layout)
{
    float r[8];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m8n32k16.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m8n32k16.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n32k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n32k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n32k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n32k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n32k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, row_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n32k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n32k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n32k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n32k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, row_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n32k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n32k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n32k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    float rc[8];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n32k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, __half> &d, const fragment<matrix_a, 8, 32, 16, __half, col_major> &a, const fragment<matrix_b, 8, 32, 16, __half, col_major> &b, const fragment<accumulator, 8, 32, 16, __half> &c, bool saturate = false)
{
    unsigned ra[8], rb[8];
    unsigned rc[4];
    unsigned rd[4];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n32k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
#endif
#if __CUDA_ARCH__ >= 720 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, signed char, row_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.a.sync.aligned.row.m8n32k16.s8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, signed char, row_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.row.m8n32k16.s8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, signed char, col_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.a.sync.aligned.col.m8n32k16.s8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, signed char, col_major> &f, const signed char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.col.m8n32k16.s8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, signed char, row_major> &a, const fragment<matrix_b, 8, 32, 16, signed char, row_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n32k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, signed char, row_major> &a, const fragment<matrix_b, 8, 32, 16, signed char, col_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n32k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, signed char, col_major> &a, const fragment<matrix_b, 8, 32, 16, signed char, row_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n32k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, signed char, col_major> &a, const fragment<matrix_b, 8, 32, 16, signed char, col_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n32k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, unsigned char, row_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.a.sync.aligned.row.m8n32k16.u8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, unsigned char, row_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.row.m8n32k16.u8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, unsigned char, col_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[1];
    asm volatile("wmma.load.a.sync.aligned.col.m8n32k16.u8 {%0}, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, unsigned char, col_major> &f, const unsigned char *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.col.m8n32k16.u8 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, unsigned char, row_major> &a, const fragment<matrix_b, 8, 32, 16, unsigned char, row_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n32k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, unsigned char, row_major> &a, const fragment<matrix_b, 8, 32, 16, unsigned char, col_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n32k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, unsigned char, col_major> &a, const fragment<matrix_b, 8, 32, 16, unsigned char, row_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n32k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, int> &d, const fragment<matrix_a, 8, 32, 16, unsigned char, col_major> &a, const fragment<matrix_b, 8, 32, 16, unsigned char, col_major> &b, const fragment<accumulator, 8, 32, 16, int> &c, bool saturate = false)
{
    unsigned ra[1], rb[4];
    int rc[8];
    int rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n32k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7]) : "r"(ra[0]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void load_matrix_sync(fragment<accumulator, 8, 32, 16, int> &f, const int *p, unsigned ldm, layout_t layout)
{
    int r[8];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m8n32k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m8n32k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(int *p, const fragment<accumulator, 8, 32, 16, int> &f, unsigned ldm, layout_t layout)
{
    int r[8];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m8n32k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m8n32k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]) : "memory");
}
#endif
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, __nv_bfloat16, row_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.a.sync.aligned.row.m8n32k16.bf16 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, __nv_bfloat16, row_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.row.m8n32k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 8, 32, 16, __nv_bfloat16, col_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[2];
    asm volatile("wmma.load.a.sync.aligned.col.m8n32k16.bf16 {%0, %1}, [%2], %3;" : "=r"(r[0]), "=r"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 32, 16, __nv_bfloat16, col_major> &f, const __nv_bfloat16 *p, unsigned ldm)
{
    unsigned r[8];
    asm volatile("wmma.load.b.sync.aligned.col.m8n32k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, row_major> &a, const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, row_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[2], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, row_major> &a, const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, col_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[2], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, col_major> &a, const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, row_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[2], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 32, 16, float> &d, const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, col_major> &a, const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, col_major> &b, const fragment<accumulator, 8, 32, 16, float> &c, bool saturate = false)
{
    unsigned ra[2], rb[8];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
#endif
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> &f, const float *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> &f, const float *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 16, 16, 8, precision::tf32, col_major> &f, const float *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.a.sync.aligned.col.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> &f, const float *p, unsigned ldm)
{
    unsigned r[4];
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<accumulator, 16, 16, 8, float> &f, const float *p, unsigned ldm, layout_t layout)
{
    float r[8];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m16n16k8.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m16n16k8.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(float *p, const fragment<accumulator, 16, 16, 8, float> &f, unsigned ldm, layout_t layout)
{
    float r[8];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m16n16k8.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m16n16k8.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;" ::"l"(p), "r"(ldm), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]) : "memory");
}
GKW void load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, row_major> &f, const double *p, unsigned ldm)
{
    double r[1];
    asm volatile("wmma.load.a.sync.aligned.row.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, row_major> &f, const double *p, unsigned ldm)
{
    double r[1];
    asm volatile("wmma.load.b.sync.aligned.row.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, col_major> &f, const double *p, unsigned ldm)
{
    double r[1];
    asm volatile("wmma.load.a.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, col_major> &f, const double *p, unsigned ldm)
{
    double r[1];
    asm volatile("wmma.load.b.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(r[0]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void load_matrix_sync(fragment<accumulator, 8, 8, 4, double> &f, const double *p, unsigned ldm, layout_t layout)
{
    double r[2];
    if (layout == mem_row_major)
        asm volatile("wmma.load.c.sync.aligned.row.m8n8k4.f64 {%0, %1}, [%2], %3;" : "=d"(r[0]), "=d"(r[1]) : "l"(p), "r"(ldm) : "memory");
    else
        asm volatile("wmma.load.c.sync.aligned.col.m8n8k4.f64 {%0, %1}, [%2], %3;" : "=d"(r[0]), "=d"(r[1]) : "l"(p), "r"(ldm) : "memory");
    __builtin_memcpy((void *)f.x, r, sizeof f.x);
}
GKW void store_matrix_sync(double *p, const fragment<accumulator, 8, 8, 4, double> &f, unsigned ldm, layout_t layout)
{
    double r[2];
    __builtin_memcpy(r, f.x, sizeof f.x);
    if (layout == mem_row_major)
        asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%0], {%2, %3}, %1;" ::"l"(p), "r"(ldm), "d"(r[0]), "d"(r[1]) : "memory");
    else
        asm volatile("wmma.store.d.sync.aligned.col.m8n8k4.f64 [%0], {%2, %3}, %1;" ::"l"(p), "r"(ldm), "d"(r[0]), "d"(r[1]) : "memory");
}
GKW void mma_sync(fragment<accumulator, 16, 16, 8, float> &d, const fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> &a, const fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> &b, const fragment<accumulator, 16, 16, 8, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 8, 4, double> &d, const fragment<matrix_a, 8, 8, 4, double, row_major> &a, const fragment<matrix_b, 8, 8, 4, double, row_major> &b, const fragment<accumulator, 8, 8, 4, double> &c, bool saturate = false)
{
    double ra[1], rb[1];
    double rc[2];
    double rd[2];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.row.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" : "=d"(rd[0]), "=d"(rd[1]) : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 8, float> &d, const fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> &a, const fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> &b, const fragment<accumulator, 16, 16, 8, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 8, 4, double> &d, const fragment<matrix_a, 8, 8, 4, double, row_major> &a, const fragment<matrix_b, 8, 8, 4, double, col_major> &b, const fragment<accumulator, 8, 8, 4, double> &c, bool saturate = false)
{
    double ra[1], rb[1];
    double rc[2];
    double rd[2];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" : "=d"(rd[0]), "=d"(rd[1]) : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 8, float> &d, const fragment<matrix_a, 16, 16, 8, precision::tf32, col_major> &a, const fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> &b, const fragment<accumulator, 16, 16, 8, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 8, 4, double> &d, const fragment<matrix_a, 8, 8, 4, double, col_major> &a, const fragment<matrix_b, 8, 8, 4, double, row_major> &b, const fragment<accumulator, 8, 8, 4, double> &c, bool saturate = false)
{
    double ra[1], rb[1];
    double rc[2];
    double rd[2];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.row.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" : "=d"(rd[0]), "=d"(rd[1]) : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 16, 16, 8, float> &d, const fragment<matrix_a, 16, 16, 8, precision::tf32, col_major> &a, const fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> &b, const fragment<accumulator, 16, 16, 8, float> &c, bool saturate = false)
{
    unsigned ra[4], rb[4];
    float rc[8];
    float rd[8];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};" : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
GKW void mma_sync(fragment<accumulator, 8, 8, 4, double> &d, const fragment<matrix_a, 8, 8, 4, double, col_major> &a, const fragment<matrix_b, 8, 8, 4, double, col_major> &b, const fragment<accumulator, 8, 8, 4, double> &c, bool saturate = false)
{
    double ra[1], rb[1];
    double rc[2];
    double rd[2];
    (void)saturate;
    __builtin_memcpy(ra, a.x, sizeof a.x);
    __builtin_memcpy(rb, b.x, sizeof b.x);
    __builtin_memcpy(rc, c.x, sizeof c.x);
    asm volatile("wmma.mma.sync.aligned.col.col.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" : "=d"(rd[0]), "=d"(rd[1]) : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
    __builtin_memcpy((void *)d.x, rd, sizeof d.x);
}
#endif
}
}
#include "gpukit/mma_bits.h"
#undef GKW
#endif

#include "gpukit/letters_pop.h"
#endif
