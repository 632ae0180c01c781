// SPDX-License-Identifier: Apache-2.0
// Source of nvcc.ptx (nvcc 13.0 -ptx -arch=sm_80 -lineinfo) and clang.ptx (clang 19 -O2).
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define TID __nvvm_read_ptx_sreg_tid_x()
#define SYNC __syncthreads()
#else
#define TID threadIdx.x
#define SYNC __syncthreads()
#endif
struct P { float x, y; int tag; };
typedef int (*Fn)(int);
static __device__ __attribute__((noinline)) int twice(int a) { return a * 2; }
static __device__ __attribute__((noinline)) int square(int a) { return a * a; }
__device__ Fn table[2] = {twice, square};
__device__ const char *names[2] = {"first", "second"};
__device__ int counters[4] = {1, -2, 3, 4};
__device__ float *where = (float *)&counters[2];
__constant__ double weights[3] = {0.5, -1.25, 3e300};
__constant__ P points[2] = {{1.f, 2.f, 3}, {4.f, 5.f, 6}};
extern __shared__ float dynamic[];
__device__ __attribute__((noinline)) P move(P p, float by) { p.x += by; p.tag++; return p; }
__device__ __attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void calls(int *out, int which, int n)
{
    out[TID] = table[which](n) + fib(n);
    P p = move(points[which], (float)n);
    out[TID] += (int)p.x + p.tag;
}
extern "C" __global__ void sharing(float *out, const float *in, double *d)
{
    __shared__ float tile[64];
    tile[TID] = in[TID];
    SYNC;
    dynamic[TID] = tile[63 - TID] * (float)weights[TID % 3];
    SYNC;
    out[TID] = dynamic[TID ^ 1];
    d[TID] = weights[1] / d[TID];
}
extern "C" __global__ void choose(int *out, int n)
{
    switch (n) {
    case 0: out[0] = 5; break;
    case 1: out[1] = 7; break;
    case 2: out[2] = n * 3; break;
    case 3: out[9] = 11; break;
    case 4: out[8] = 12; break;
    case 5: out[7] = 13; break;
    case 6: out[6] = n << 3; break;
    default: out[3] = -1;
    }
}
extern "C" __global__ void assembly(unsigned *out, unsigned a, unsigned b)
{
    unsigned r, s;
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 t;\n\tsetp.lt.u32 p, %1, %2;\n\t"
                 "selp.b32 t, %1, %2, p;\n\tadd.u32 %0, t, 1;\n\t}" : "=r"(r) : "r"(a), "r"(b));
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 t;\n\tsetp.gt.u32 p, %1, %2;\n\t"
                 "@!p bra L;\n\tmov.u32 %0, 3;\nL:\n\tselp.b32 t, %1, %2, p;\n\txor.b32 %0, t, 0xffU;\n\t}" : "=r"(s) : "r"(a), "r"(b));
    asm volatile("red.global.add.u32 [%0], %1;" :: "l"(out), "r"(r + s) : "memory");
    int local[8];
    for (int i = 0; i < 8; ++i)
        local[i] = (int)(a * i);
    out[1] = (unsigned)local[b & 7];
}
