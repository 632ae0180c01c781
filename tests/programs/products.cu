/* SPDX-License-Identifier: Apache-2.0
 * mma of every supported type with fragments laid out by hand (PTX ISA, "Matrix Fragments for mma"),
 * and wmma accumulators that live across barriers and loops, against the same computed on the host.
 * Inputs are small whole numbers, so that every order of summation gives the same result.
 * Needs --arch sm_90 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;

#define KERNEL(name, NA, NB, NC, text, A, B, C)                                                        \
    __global__ void name(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *d)         \
    {                                                                                                  \
        int l = threadIdx.x;                                                                           \
        unsigned x[4], y[4], z[8];                                                                     \
        for (int r = 0; r < NA; r++)                                                                   \
            x[r] = a[r * 32 + l];                                                                      \
        for (int r = 0; r < NB; r++)                                                                   \
            y[r] = b[r * 32 + l];                                                                      \
        for (int r = 0; r < NC; r++)                                                                   \
            z[r] = c[r * 32 + l];                                                                      \
        asm("mma.sync.aligned." text " " C ", " A ", " B ", " C ";" : OUT##NC : IN##NA##NB);           \
        for (int r = 0; r < NC; r++)                                                                   \
            d[r * 32 + l] = z[r];                                                                      \
    }
#define OUT2 "+r"(z[0]), "+r"(z[1])
#define OUT4 "+r"(z[0]), "+r"(z[1]), "+r"(z[2]), "+r"(z[3])
#define IN11 "r"(x[0]), "r"(y[0])
#define IN21 "r"(x[0]), "r"(x[1]), "r"(y[0])
#define IN42 "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1])
#define C4   "{%0,%1,%2,%3}"
#define A42  "{%4,%5,%6,%7}"
#define B42  "{%8,%9}"
#define A21  "{%4,%5}"
#define B21  "{%6}"
KERNEL(bf16_k16, 4, 2, 4, "m16n8k16.row.col.f32.bf16.bf16.f32", A42, B42, C4)
KERNEL(bf16_k8, 2, 1, 4, "m16n8k8.row.col.f32.bf16.bf16.f32", A21, B21, C4)
KERNEL(f16_k16, 4, 2, 2, "m16n8k16.row.col.f16.f16.f16.f16", "{%2,%3,%4,%5}", "{%6,%7}", "{%0,%1}")
KERNEL(tf32_k8, 4, 2, 4, "m16n8k8.row.col.f32.tf32.tf32.f32", A42, B42, C4)
KERNEL(tf32_k4, 2, 1, 4, "m16n8k4.row.col.f32.tf32.tf32.f32", A21, B21, C4)
KERNEL(s8_k32, 4, 2, 4, "m16n8k32.row.col.s32.s8.s8.s32", A42, B42, C4)
KERNEL(u8_k32, 4, 2, 4, "m16n8k32.row.col.satfinite.s32.u8.s8.s32", A42, B42, C4)
KERNEL(s8_k16, 1, 1, 2, "m8n8k16.row.col.s32.s8.u8.s32", "{%2}", "{%3}", "{%0,%1}")
KERNEL(s4_k64, 4, 2, 4, "m16n8k64.row.col.s32.s4.s4.s32", A42, B42, C4)
KERNEL(u4_k32, 1, 1, 2, "m8n8k32.row.col.s32.u4.s4.s32", "{%2}", "{%3}", "{%0,%1}")
KERNEL(e4m3_k32, 4, 2, 4, "m16n8k32.row.col.f32.e4m3.e4m3.f32", A42, B42, C4)
KERNEL(e5m2_k32, 4, 2, 4, "m16n8k32.row.col.f32.e5m2.e5m2.f32", A42, B42, C4)

enum Type { F16, BF16, TF32, F32, S8, U8, S4, U4, E4M3, E5M2, S32 };
static const int bits_of[] = {16, 16, 32, 32, 8, 8, 4, 4, 8, 8, 32};

static unsigned encode(Type t, int v) /* v in -8..7 */
{
    float f = (float)v;
    unsigned w;
    memcpy(&w, &f, 4);
    unsigned sign = w >> 31, exponent = (w >> 23 & 255), fraction = w & 0x7fffff;
    switch (t) {
    case F16:
        return v ? sign << 15 | (exponent - 112) << 10 | fraction >> 13 : 0;
    case BF16:
        return w >> 16;
    case TF32:
        return w | 0x1fff; /* low bits are ignored */
    case F32:
        return w;
    case E4M3:
        return v ? sign << 7 | (exponent - 120) << 3 | fraction >> 20 : 0;
    case E5M2:
        return v ? sign << 7 | (exponent - 112) << 2 | fraction >> 21 : 0;
    default:
        return (unsigned)v & (bits_of[t] == 32 ? ~0u : (1u << bits_of[t]) - 1);
    }
}

static int value(Type t, int i)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u + (unsigned)i;
    int v = (int)(state >> 28);
    if (t == U8 || t == U4)
        return v;
    if (t == E5M2) /* two bits of fraction */
        return v / 2 - 4;
    return v - 8;
}

static int A[16][64], B[64][8], C[16][8];
static unsigned *a, *b, *c, *d;

typedef void Kernel(const unsigned *, const unsigned *, const unsigned *, unsigned *);
static int check(const char *name, Kernel *k, int m, int kk, Type ta, Type tb, Type tc)
{
    for (int i = 0; i < m; i++)
        for (int q = 0; q < kk; q++)
            A[i][q] = value(ta, i);
    for (int q = 0; q < kk; q++)
        for (int j = 0; j < 8; j++)
            B[q][j] = value(tb, j);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 8; j++)
            C[i][j] = value(S8, j);
    memset(a, 0, 1024), memset(b, 0, 1024), memset(c, 0, 1024), memset(d, 0, 1024);
    int pa = 32 / bits_of[ta], pc = 32 / bits_of[tc];
    for (int l = 0; l < 32; l++) {
        int g = l / 4, t = l % 4;
        for (int r = 0; r < m * kk / pa / 32; r++)
            for (int e = 0; e < pa; e++)
                a[r * 32 + l] |= encode(ta, A[g + 8 * (r % (m / 8))][(r / (m / 8) * 4 + t) * pa + e]) << (e * bits_of[ta]);
        for (int r = 0; r < kk * 8 / pa / 32; r++)
            for (int e = 0; e < pa; e++)
                b[r * 32 + l] |= encode(tb, B[(r * 4 + t) * pa + e][g]) << (e * bits_of[tb]);
        for (int r = 0; r < m * 8 / pc / 32; r++)
            for (int e = 0; e < pc; e++)
                c[r * 32 + l] |= encode(tc, C[g + 8 * ((r * pc + e) / 2)][2 * t + ((r * pc + e) & 1)]) << (e * bits_of[tc]);
    }
    k<<<1, 32>>>(a, b, c, d);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    int bad = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 8; j++) {
            int sum = C[i][j];
            for (int q = 0; q < kk; q++)
                sum += A[i][q] * B[q][j];
            int lane = i % 8 * 4 + j / 2, at = i / 8 * 2 + j % 2;
            unsigned word = d[at / pc * 32 + lane];
            float f;
            if (tc == F16)
                f = __half2float(__ushort_as_half((unsigned short)(word >> (at % pc * 16))));
            else if (tc == F32)
                memcpy(&f, &word, 4);
            else
                f = (float)(int)word;
            bad += f != (float)sum;
        }
    printf("%s %d\n", name, bad);
    return bad;
}

/* A column of tiles: accumulators in registers through loops and barriers, one of them scaled. */
__global__ void tiles(const half *x, const half *y, float *z, int n)
{
    __shared__ half sx[2][16 * 16];
    int w = threadIdx.x / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2];
    for (int i = 0; i < 2; i++)
        wmma::fill_fragment(sum[i], 0.f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 512; i += blockDim.x)
            sx[i / 256][i % 256] = x[(i / 16) * n + k + i % 16];
        __syncthreads();
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> B;
        wmma::load_matrix_sync(B, y + k * 32 + w * 16, 32);
        for (int i = 0; i < 2; i++) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
            wmma::load_matrix_sync(A, sx[i], 16);
            wmma::mma_sync(sum[i], A, B, sum[i]);
        }
        __syncthreads();
    }
    for (int i = 0; i < sum[1].num_elements; i++)
        sum[1].x[i] *= 2;
    for (int i = 0; i < 2; i++)
        wmma::store_matrix_sync(z + i * 16 + w * 16 * 32, sum[i], 32, wmma::mem_col_major);
}

static int check_tiles()
{
    const int n = 64;
    half *x, *y;
    float *z;
    cudaMallocManaged(&x, 32 * n * sizeof *x);
    cudaMallocManaged(&y, 32 * n * sizeof *y);
    cudaMallocManaged(&z, 32 * 32 * sizeof *z);
    for (int i = 0; i < 32 * n; i++) {
        x[i] = (half)(float)value(S8, i);
        y[i] = (half)(float)value(S8, i);
    }
    tiles<<<1, 64>>>(x, y, z, n);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += (float)x[i * n + k] * (float)y[k * 32 + j];
            bad += z[j * 32 + i] != (i < 16 ? s : 2 * s);
        }
    printf("tiles %d\n", bad);
    return bad;
}

int main()
{
    for (unsigned **p : {&a, &b, &c, &d})
        cudaMallocManaged(p, 1024);
    int bad = check("bf16 k16", bf16_k16, 16, 16, BF16, BF16, F32) + check("bf16 k8", bf16_k8, 16, 8, BF16, BF16, F32) +
              check("f16", f16_k16, 16, 16, F16, F16, F16) + check("tf32 k8", tf32_k8, 16, 8, TF32, TF32, F32) +
              check("tf32 k4", tf32_k4, 16, 4, TF32, TF32, F32) + check("s8", s8_k32, 16, 32, S8, S8, S32) +
              check("u8", u8_k32, 16, 32, U8, S8, S32) + check("s8 k16", s8_k16, 8, 16, S8, U8, S32) +
              check("s4", s4_k64, 16, 64, S4, S4, S32) + check("u4", u4_k32, 8, 32, U4, S4, S32) +
              check("e4m3", e4m3_k32, 16, 32, E4M3, E4M3, F32) + check("e5m2", e5m2_k32, 16, 32, E5M2, E5M2, F32) + check_tiles();
    return bad != 0;
}
