/* SPDX-License-Identifier: Apache-2.0
 *
 * The element of the matrix products, chosen when compiling (TRAIN_FP16, TRAIN_TF32, TRAIN_FP32, else
 * bf16), and the few device operations that the training kernels use, as inline PTX, so that nvcc and plain
 * clang compile the same source without any CUDA header. With GPUKIT_EMULATE they are functions of
 * tests/trainer/emulate.cc instead, and the kernels run on the host. */
#ifndef GPUKIT_TRAINER_DEVICE_H
#define GPUKIT_TRAINER_DEVICE_H

#if defined(TRAIN_TF32) || defined(TRAIN_FP32)
#define GPU_ELEMENT float
#else
#define GPU_ELEMENT gpu_u16
#endif
#include "../gpu_args.h"

typedef GPU_ELEMENT Element;
enum {
#if defined(TRAIN_TF32)
    MOST_CHANNELS = GPU_SLICE_tf32,
#elif defined(TRAIN_FP32)
    MOST_CHANNELS = GPU_SLICE_fp32,
#elif defined(TRAIN_FP16)
    MOST_CHANNELS = GPU_SLICE_fp16,
#else
    MOST_CHANNELS = GPU_SLICE_bf16,
#endif
    BYTES = sizeof(Element),
    KSTEP = 32 / BYTES,    /* depth of a matrix instruction */
    PER_QUAD = 16 / BYTES, /* elements in 16 bytes */
    ROW_PAD = 16           /* bytes behind a row of a tile that ldmatrix reads */
};

#ifdef GPUKIT_EMULATE

#define DEV                           static inline
#define KERNEL(name, threads, blocks) static void name(GpuArgs a)
int emu_tid(void);
int emu_bid(int axis);
int emu_grid(int axis);
void emu_sync(void);
unsigned char *emu_shared(void);
void emu_ldmatrix(gpu_u32 out[4], const unsigned char *row, int transposed);
void emu_mma_bf16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1);
void emu_mma_fp16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1);
void emu_mma_tf32(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1);
gpu_u32 emu_tf32(float x);
float emu_shuffle_xor(float v, int mask);
void emu_copy16(unsigned char *to, const void *from, int valid);
#define SHARED emu_shared()
DEV int tid()
{
    return emu_tid();
}
DEV int bid_x()
{
    return emu_bid(0);
}
DEV int bid_y()
{
    return emu_bid(1);
}
DEV int bid_z()
{
    return emu_bid(2);
}
DEV int grid_x()
{
    return emu_grid(0);
}
DEV void sync()
{
    emu_sync();
}
DEV void ldmatrix(gpu_u32 out[4], const unsigned char *row)
{
    emu_ldmatrix(out, row, 0);
}
DEV void ldmatrix_t(gpu_u32 out[4], const unsigned char *row)
{
    emu_ldmatrix(out, row, 1);
}
DEV void mma_bf16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    emu_mma_bf16(c, a, b0, b1);
}
DEV void mma_fp16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    emu_mma_fp16(c, a, b0, b1);
}
DEV void mma_tf32(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    emu_mma_tf32(c, a, b0, b1);
}
DEV gpu_u32 tf32_bits(float x)
{
    return emu_tf32(x);
}
DEV float shuffle_xor(float v, int mask)
{
    return emu_shuffle_xor(v, mask);
}
DEV void copy16(unsigned char *to, const void *from, int valid)
{
    emu_copy16(to, from, valid);
}
DEV void copy_commit()
{
}
template <int N> DEV void copy_wait()
{
}
DEV void add_i64(gpu_i64 *p, gpu_i64 v)
{
    *p += v;
}
#define exp2_fast(x)    __builtin_exp2f(x)
#define log2_fast(x)    __builtin_log2f(x)
#define root_inverse(x) (1.0f / __builtin_sqrtf(x))

#else

#if defined(__clang__) && defined(__CUDA__)
#define __global__             __attribute__((global))
#define __device__             __attribute__((device))
#define __shared__             __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__        __attribute__((always_inline))
#endif
#define DEV __device__ static __forceinline__
#define KERNEL(name, threads, blocks)                                                              \
    extern "C" __global__ void __launch_bounds__(threads, blocks) name(GpuArgs a)
extern __shared__ __attribute__((aligned(16))) unsigned char gpu_shared[];
#define SHARED gpu_shared

#define SREG(function, name)                                                                       \
    DEV int function()                                                                             \
    {                                                                                              \
        int v;                                                                                     \
        asm("mov.u32 %0, %%" name ";" : "=r"(v));                                                  \
        return v;                                                                                  \
    }
SREG(tid, "tid.x")
SREG(bid_x, "ctaid.x")
SREG(bid_y, "ctaid.y")
SREG(bid_z, "ctaid.z")
SREG(grid_x, "nctaid.x")
#undef SREG

DEV void sync()
{
    asm volatile("bar.sync 0;" ::: "memory");
}

DEV gpu_u32 shared_address(const void *p)
{
    gpu_u64 a;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p));
    return (gpu_u32)a;
}

DEV void ldmatrix(gpu_u32 out[4], const unsigned char *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(shared_address(row))
                 : "memory");
}

DEV void ldmatrix_t(gpu_u32 out[4], const unsigned char *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(shared_address(row))
                 : "memory");
}

DEV void mma_bf16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* In two halves: the instruction of compute capability 7.5 is half as deep. */
DEV void mma_fp16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%8}, "
        "{%0, %1, %2, %3};\n\t"
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%6, %7}, {%9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

DEV void mma_tf32(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* To the nearest tf32 (eleven bits of mantissa), ties away from zero. */
DEV gpu_u32 tf32_bits(float x)
{
    gpu_u32 r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
    return r;
}

DEV float shuffle_xor(float v, int mask)
{
    float r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=f"(r) : "f"(v), "r"(mask));
    return r;
}

#ifdef TRAIN_FP16
/* 16-byte copy to shared memory; zeros when not valid. Compute capability 7.5 has no asynchronous
 * copy, so it is done when it returns; others see it after the next sync. */
DEV void copy16(unsigned char *to, const void *from, int valid)
{
    asm volatile("{ .reg .pred p; .reg .b32 a, b, c, d; setp.ne.s32 p, %2, 0;\n\t"
                 "mov.b32 a, 0; mov.b32 b, 0; mov.b32 c, 0; mov.b32 d, 0;\n\t"
                 "@p ld.global.v4.b32 {a, b, c, d}, [%1];\n\t"
                 "st.shared.v4.b32 [%0], {a, b, c, d}; }" ::"r"(shared_address(to)),
                 "l"(from), "r"(valid)
                 : "memory");
}

DEV void copy_commit()
{
}
template <int N> DEV void copy_wait()
{
}
#else
/* Asynchronous 16-byte copy to shared memory; zeros when not valid. */
DEV void copy16(unsigned char *to, const void *from, int valid)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)),
                 "l"(from), "r"(valid ? 16 : 0)
                 : "memory");
}

DEV void copy_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int N> DEV void copy_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
#endif

DEV void add_i64(gpu_i64 *p, gpu_i64 v)
{
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}

DEV float exp2_fast(float x)
{
    float r;
    asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

DEV float log2_fast(float x)
{
    float r;
    asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

DEV float root_inverse(float x)
{
    float r;
    asm("{ .reg .f32 s; sqrt.rn.f32 s, %1; rcp.rn.f32 %0, s; }" : "=f"(r) : "f"(x));
    return r;
}

#endif

struct alignas(16) Quad {
    gpu_u32 v[4];
};

DEV gpu_u32 float_bits(float x)
{
    union {
        float f;
        gpu_u32 u;
    } b;
    b.f = x;
    return b.u;
}

DEV float bits_float(gpu_u32 x)
{
    union {
        float f;
        gpu_u32 u;
    } b;
    b.u = x;
    return b.f;
}

#ifdef GPUKIT_EMULATE
/* fp16 and float, by their bits; round to nearest even. */
DEV gpu_u32 half_bits(float x)
{
    gpu_u32 bits = float_bits(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffffu;
    if (size > 0x7f800000u)
        return 0x7fff;
    if (size >= float_bits(65520.0f))
        return sign | 0x7c00;
    if (size < float_bits(1.0f / 16384)) /* the sum's last place is the subnormals' */
        return sign | (float_bits(bits_float(size) + 0.5f) - float_bits(0.5f));
    return sign | (((size + 0xfff + (size >> 13 & 1)) >> 13) - (112 << 10));
}

DEV float half_value(gpu_u32 bits)
{
    gpu_u32 size = bits & 0x7fff, sign = (bits & 0x8000) << 16;
    float x = size >= 0x7c00 ? bits_float(0x7f800000u | size << 13)
              : size < 0x400 ? (float)size / 16777216.0f
                             : bits_float((size << 13) + (112u << 23));
    return bits_float(float_bits(x) | sign);
}
#endif

/* Two floats to 16-bit elements, round to nearest even; low half is the first. */
DEV gpu_u32 pack2(float low, float high)
{
#if defined(GPUKIT_EMULATE) && defined(TRAIN_FP16)
    return half_bits(low) | half_bits(high) << 16;
#elif defined(TRAIN_FP16)
    gpu_u32 r;
    asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
        : "=r"(r)
        : "f"(low), "f"(high));
    return r;
#elif defined(GPUKIT_EMULATE)
    gpu_u32 r[2], in[2] = {float_bits(low), float_bits(high)};
    for (int i = 0; i < 2; ++i)
        r[i] = (in[i] & 0x7fffffffu) > 0x7f800000u ? 0x7fffu
                                                   : (in[i] + 0x7fffu + (in[i] >> 16 & 1)) >> 16;
    return r[0] | r[1] << 16;
#else
    gpu_u32 r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
#endif
}

DEV float low_half(gpu_u32 v)
{
#if defined(GPUKIT_EMULATE) && defined(TRAIN_FP16)
    return half_value(v);
#elif defined(TRAIN_FP16)
    float r;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(r) : "r"(v));
    return r;
#else
    return bits_float(v << 16);
#endif
}

DEV float high_half(gpu_u32 v)
{
#ifdef TRAIN_FP16
    return low_half(v >> 16);
#else
    return bits_float(v & 0xffff0000u);
#endif
}

/* Eight neighbouring elements as floats, and back with the rounding of the element. */
DEV void load8(const void *p, float out[8])
{
#pragma unroll
    for (int q = 0; q < 8 / PER_QUAD; ++q) {
        Quad v = ((const Quad *)p)[q];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#if defined(TRAIN_TF32) || defined(TRAIN_FP32)
            out[4 * q + i] = bits_float(v.v[i]);
#else
            out[2 * i] = low_half(v.v[i]);
            out[2 * i + 1] = high_half(v.v[i]);
#endif
        }
    }
}

/* Two elements that lie side by side. */
DEV void store2(void *p, float low, float high)
{
#if defined(TRAIN_TF32)
    ((gpu_u32 *)p)[0] = tf32_bits(low);
    ((gpu_u32 *)p)[1] = tf32_bits(high);
#elif defined(TRAIN_FP32)
    ((float *)p)[0] = low;
    ((float *)p)[1] = high;
#else
    *(gpu_u32 *)p = pack2(low, high);
#endif
}

/* As many elements as 16 bytes hold. */
DEV Quad pack_quad(const float *in)
{
    Quad q;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#if defined(TRAIN_TF32)
        q.v[i] = tf32_bits(in[i]);
#elif defined(TRAIN_FP32)
        q.v[i] = float_bits(in[i]);
#else
        q.v[i] = pack2(in[2 * i], in[2 * i + 1]);
#endif
    }
    return q;
}

DEV void store8(void *p, const float in[8])
{
#pragma unroll
    for (int q = 0; q < 8 / PER_QUAD; ++q)
        ((Quad *)p)[q] = pack_quad(in + PER_QUAD * q);
}

DEV float to_float(Element e)
{
#if defined(TRAIN_TF32) || defined(TRAIN_FP32)
    return e;
#else
    return low_half(e);
#endif
}

/* c += a * b for 16 x KSTEP by KSTEP x 8 elements. fp32: each factor as the sum of two tf32 numbers,
 * which keep 22 of its 24 bits; of the four products the smallest, below 2^-22, is left out. */
DEV void mma(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
#if defined(TRAIN_TF32)
    mma_tf32(c, a, b0, b1);
#elif defined(TRAIN_FP32)
    gpu_u32 big[4], small[4], b[2] = {b0, b1}, bbig[2], bsmall[2];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        big[i] = tf32_bits(bits_float(a[i]));
        small[i] = tf32_bits(bits_float(a[i]) - bits_float(big[i]));
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        bbig[i] = tf32_bits(bits_float(b[i]));
        bsmall[i] = tf32_bits(bits_float(b[i]) - bits_float(bbig[i]));
    }
    mma_tf32(c, small, bbig[0], bbig[1]);
    mma_tf32(c, big, bsmall[0], bsmall[1]);
    mma_tf32(c, big, bbig[0], bbig[1]);
#elif defined(TRAIN_FP16)
    mma_fp16(c, a, b0, b1);
#else
    mma_bf16(c, a, b0, b1);
#endif
}

/* Operands from a tile in shared memory whose rows, `pitch` bytes apart, are the depth of the
 * product: first this lane's place in it (row, column), then a 16 x KSTEP left operand, or two
 * KSTEP x 8 right ones side by side. */
#if defined(TRAIN_TF32) || defined(TRAIN_FP32)
DEV int left_row(int lane)
{
    return lane & 3;
}
DEV int left_column(int lane)
{
    return lane >> 2;
}
DEV int right_row(int lane)
{
    return lane & 3;
}
DEV int right_column(int lane)
{
    return lane >> 2;
}

DEV void load_left(gpu_u32 out[4], const unsigned char *p, int pitch)
{
#pragma unroll
    for (int i = 0; i < 4; ++i)
        out[i] = *(const gpu_u32 *)(p + (i >> 1) * 4 * pitch + (i & 1) * 8 * BYTES);
}

DEV void load_right(gpu_u32 out[4], const unsigned char *p, int pitch)
{
#pragma unroll
    for (int i = 0; i < 4; ++i)
        out[i] = *(const gpu_u32 *)(p + (i & 1) * 4 * pitch + (i >> 1) * 8 * BYTES);
}
#else
DEV int left_row(int lane)
{
    return (lane & 7) + (lane >> 4) * 8;
}
DEV int left_column(int lane)
{
    return (lane >> 3 & 1) * 8;
}
DEV int right_row(int lane)
{
    return (lane & 7) + (lane >> 3 & 1) * 8;
}
DEV int right_column(int lane)
{
    return (lane >> 4) * 8;
}

DEV void load_left(gpu_u32 out[4], const unsigned char *p, int)
{
    ldmatrix_t(out, p);
}

DEV void load_right(gpu_u32 out[4], const unsigned char *p, int)
{
    ldmatrix_t(out, p);
}
#endif

/* Gradients that are stored as elements are so much larger than they are. */
DEV float gradient_scale(const GpuArgs &a)
{
#ifdef TRAIN_FP16
    return a.grad_scale;
#else
    return (void)a, 1.0f;
#endif
}

DEV gpu_i64 fixed(float x, float scale)
{
    return (gpu_i64)((double)x * (double)scale);
}

#endif
