/* SPDX-License-Identifier: Apache-2.0
 *
 * The few device operations that the training kernels use, as inline PTX, so that nvcc and plain
 * clang compile the same source without any CUDA header. With GPUKIT_EMULATE they are functions of
 * tests/trainer/emulate.cc instead, and the kernels run on the host. */
#ifndef GPUKIT_TRAINER_DEVICE_H
#define GPUKIT_TRAINER_DEVICE_H

#include "../gpu_args.h"

#ifdef GPUKIT_EMULATE

#define DEV static inline
#define KERNEL(name, threads, blocks) extern "C" void name(GpuArgs a)
int emu_tid(void);
int emu_bid(int axis);
int emu_grid(int axis);
void emu_sync(void);
unsigned char *emu_shared(void);
void emu_ldmatrix(gpu_u32 out[4], const unsigned char *row, int transposed);
void emu_mma(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1);
float emu_shuffle_xor(float v, int mask);
void emu_copy16(unsigned char *to, const void *from, int valid);
#define SHARED emu_shared()
DEV int tid() { return emu_tid(); }
DEV int bid_x() { return emu_bid(0); }
DEV int bid_y() { return emu_bid(1); }
DEV int bid_z() { return emu_bid(2); }
DEV int grid_x() { return emu_grid(0); }
DEV void sync() { emu_sync(); }
DEV void ldmatrix(gpu_u32 out[4], const unsigned char *row) { emu_ldmatrix(out, row, 0); }
DEV void ldmatrix_t(gpu_u32 out[4], const unsigned char *row) { emu_ldmatrix(out, row, 1); }
DEV void mma(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1) { emu_mma(c, a, b0, b1); }
DEV float shuffle_xor(float v, int mask) { return emu_shuffle_xor(v, mask); }
DEV void copy16(unsigned char *to, const void *from, int valid) { emu_copy16(to, from, valid); }
DEV void copy_commit() {}
template <int N> DEV void copy_wait() {}
DEV void add_i64(gpu_i64 *p, gpu_i64 v) { *p += v; }
#define exp2_fast(x) __builtin_exp2f(x)
#define log2_fast(x) __builtin_log2f(x)
#define root_inverse(x) (1.0f / __builtin_sqrtf(x))

#else

#if defined(__clang__) && defined(__CUDA__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __attribute__((always_inline))
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

DEV void mma(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

DEV float shuffle_xor(float v, int mask)
{
    float r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=f"(r) : "f"(v), "r"(mask));
    return r;
}

/* Asynchronous 16-byte copy to shared memory; zeros when not valid. */
DEV void copy16(unsigned char *to, const void *from, int valid)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(valid ? 16 : 0)
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

/* Two floats to bf16, round to nearest even; low half is the first. */
DEV gpu_u32 pack2(float low, float high)
{
#ifdef GPUKIT_EMULATE
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
    return bits_float(v << 16);
}

DEV float high_half(gpu_u32 v)
{
    return bits_float(v & 0xffff0000u);
}

/* Eight bf16 to floats and back. */
DEV void unpack8(const Quad &q, float out[8])
{
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        out[2 * i] = low_half(q.v[i]);
        out[2 * i + 1] = high_half(q.v[i]);
    }
}

DEV Quad pack8(const float in[8])
{
    Quad q;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        q.v[i] = pack2(in[2 * i], in[2 * i + 1]);
    return q;
}

DEV gpu_i64 fixed(float x, float scale)
{
    return (gpu_i64)((double)x * (double)scale);
}

#endif
