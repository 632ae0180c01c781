/* SPDX-License-Identifier: Apache-2.0
 * nvcuda::wmma::experimental: fragments of four-bit numbers and of single bits, from the CUDA C++
 * Programming Guide ("Sub-byte Operations"). 8x8x32 and 8x8x128, A by rows, B by columns. Included by
 * mma.h, which defines GKW. */
namespace nvcuda {
namespace wmma {
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

/* A lane's part of A and of B is one word. */
#define GPUKIT_BITS(k, T, per)                                                                             \
    template <class Layout> struct fragment<matrix_a, 8, 8, k, experimental::precision::T, Layout> {      \
        typedef experimental::precision::T element_type;                                                  \
        typedef unsigned storage_element_type;                                                            \
        enum { num_elements = per, num_storage_elements = 1 };                                            \
        unsigned x[1];                                                                                    \
    };                                                                                                    \
    template <class Layout> struct fragment<matrix_b, 8, 8, k, experimental::precision::T, Layout>        \
        : fragment<matrix_a, 8, 8, k, experimental::precision::T, Layout> {};                             \
    GKW void load_matrix_sync(fragment<matrix_a, 8, 8, k, experimental::precision::T, row_major> &f,      \
                              const void *p, unsigned ldm)                                                \
    {                                                                                                     \
        asm volatile("wmma.load.a.sync.aligned.row.m8n8k" #k "." #T " {%0}, [%1], %2;"                    \
                     : "=r"(f.x[0]) : "l"(p), "r"(ldm) : "memory");                                       \
    }                                                                                                     \
    GKW void load_matrix_sync(fragment<matrix_b, 8, 8, k, experimental::precision::T, col_major> &f,      \
                              const void *p, unsigned ldm)                                                \
    {                                                                                                     \
        asm volatile("wmma.load.b.sync.aligned.col.m8n8k" #k "." #T " {%0}, [%1], %2;"                    \
                     : "=r"(f.x[0]) : "l"(p), "r"(ldm) : "memory");                                       \
    }

#define GPUKIT_BITS_SUM(k)                                                                                \
    template <> struct fragment<accumulator, 8, 8, k, int, void> {                                        \
        typedef int element_type;                                                                         \
        typedef int storage_element_type;                                                                 \
        enum { num_elements = 2, num_storage_elements = 2 };                                              \
        int x[2];                                                                                         \
    };                                                                                                    \
    GKW void load_matrix_sync(fragment<accumulator, 8, 8, k, int> &f, const int *p, unsigned ldm,         \
                              layout_t layout)                                                            \
    {                                                                                                     \
        if (layout == mem_row_major)                                                                      \
            asm volatile("wmma.load.c.sync.aligned.row.m8n8k" #k ".s32 {%0, %1}, [%2], %3;"               \
                         : "=r"(f.x[0]), "=r"(f.x[1]) : "l"(p), "r"(ldm) : "memory");                     \
        else                                                                                              \
            asm volatile("wmma.load.c.sync.aligned.col.m8n8k" #k ".s32 {%0, %1}, [%2], %3;"               \
                         : "=r"(f.x[0]), "=r"(f.x[1]) : "l"(p), "r"(ldm) : "memory");                     \
    }                                                                                                     \
    GKW void store_matrix_sync(int *p, const fragment<accumulator, 8, 8, k, int> &f, unsigned ldm,        \
                               layout_t layout)                                                           \
    {                                                                                                     \
        if (layout == mem_row_major)                                                                      \
            asm volatile("wmma.store.d.sync.aligned.row.m8n8k" #k ".s32 [%0], {%2, %3}, %1;" ::"l"(p),    \
                         "r"(ldm), "r"(f.x[0]), "r"(f.x[1]) : "memory");                                  \
        else                                                                                              \
            asm volatile("wmma.store.d.sync.aligned.col.m8n8k" #k ".s32 [%0], {%2, %3}, %1;" ::"l"(p),    \
                         "r"(ldm), "r"(f.x[0]), "r"(f.x[1]) : "memory");                                  \
    }

#define GPUKIT_BITS_MMA(text)                                                                             \
    asm volatile("wmma.mma." text " {%0, %1}, {%2}, {%3}, {%4, %5};"                                      \
                 : "=r"(d0), "=r"(d1)                                                                     \
                 : "r"(a.x[0]), "r"(b.x[0]), "r"(c.x[0]), "r"(c.x[1]))

#define GPUKIT_NIBBLE_MMA(T)                                                                              \
    GKW void mma_sync(fragment<accumulator, 8, 8, 32, int> &d,                                            \
                      const fragment<matrix_a, 8, 8, 32, experimental::precision::T, row_major> &a,       \
                      const fragment<matrix_b, 8, 8, 32, experimental::precision::T, col_major> &b,       \
                      const fragment<accumulator, 8, 8, 32, int> &c, bool saturate = false)               \
    {                                                                                                     \
        int d0, d1;                                                                                       \
        if (saturate)                                                                                     \
            GPUKIT_BITS_MMA("sync.aligned.row.col.m8n8k32.s32." #T "." #T ".s32.satfinite");              \
        else                                                                                              \
            GPUKIT_BITS_MMA("sync.aligned.row.col.m8n8k32.s32." #T "." #T ".s32");                        \
        d.x[0] = d0;                                                                                      \
        d.x[1] = d1;                                                                                      \
    }

#if __CUDA_ARCH__ >= 750 || !defined(__CUDA_ARCH__)
GPUKIT_BITS(32, s4, 8)
GPUKIT_BITS(32, u4, 8)
GPUKIT_BITS(128, b1, 32)
GPUKIT_BITS_SUM(32)
GPUKIT_BITS_SUM(128)
GPUKIT_NIBBLE_MMA(s4)
GPUKIT_NIBBLE_MMA(u4)
GKW void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                   const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                   const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                   const fragment<accumulator, 8, 8, 128, int> &c,
                   experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                   experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    int d0 = 0, d1 = 0;
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
    if (op == experimental::bmmaBitOpAND)
        GPUKIT_BITS_MMA("and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32");
    else
#endif
        GPUKIT_BITS_MMA("xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32");
    (void)op;
    d.x[0] = d0;
    d.x[1] = d1;
}
#endif
#undef GPUKIT_BITS
#undef GPUKIT_BITS_SUM
#undef GPUKIT_BITS_MMA
#undef GPUKIT_NIBBLE_MMA
}
}
