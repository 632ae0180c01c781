/* SPDX-License-Identifier: Apache-2.0
 * Products of wmma and mma fragments of several types and layouts, against the same computed on the
 * host. */
#include <cstdio>
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
__global__ void kf(const half *a, const half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
    wmma::fill_fragment(C, 1.f);
    wmma::load_matrix_sync(A, a, 16);
    wmma::load_matrix_sync(B, b, 16);
    wmma::mma_sync(C, A, B, C);
    wmma::store_matrix_sync(c, C, 16, wmma::mem_row_major);
}
__global__ void kh(const half *a, const half *b, half *c)
{
    wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> A;
    wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> B;
    wmma::fragment<wmma::accumulator, 32, 8, 16, half> C;
    wmma::fill_fragment(C, (half)0);
    wmma::load_matrix_sync(A, a, 32);
    wmma::load_matrix_sync(B, b, 8);
    wmma::mma_sync(C, A, B, C);
    wmma::store_matrix_sync(c, C, 8, wmma::mem_row_major);
}
__global__ void ki(const signed char *a, const signed char *b, int *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> C;
    wmma::fill_fragment(C, 3);
    wmma::load_matrix_sync(A, a, 16);
    wmma::load_matrix_sync(B, b, 16);
    wmma::mma_sync(C, A, B, C);
    wmma::store_matrix_sync(c, C, 16, wmma::mem_col_major);
}
__global__ void kd(const double *a, const double *b, double *c)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> C;
    wmma::fill_fragment(C, 0.5);
    wmma::load_matrix_sync(A, a, 4);
    wmma::load_matrix_sync(B, b, 4);
    wmma::mma_sync(C, A, B, C);
    wmma::store_matrix_sync(c, C, 8, wmma::mem_row_major);
}
__global__ void km(const unsigned *a, const unsigned *b, float *d)
{
    int l = threadIdx.x;
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0; // raw registers
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
        : "r"(a[l]), "r"(a[32 + l]), "r"(a[64 + l]), "r"(a[96 + l]), "r"(b[l]), "r"(b[32 + l]));
    d[l * 4] = c0;
    d[l * 4 + 1] = c1;
    d[l * 4 + 2] = c2;
    d[l * 4 + 3] = c3;
}
__global__ void kb(const unsigned *a, const unsigned *b, int *c, int *both) // single bits
{
    using namespace wmma::experimental;
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> C, D;
    wmma::load_matrix_sync(A, a, 128);
    wmma::load_matrix_sync(B, b, 128);
    wmma::load_matrix_sync(C, c, 8, wmma::mem_row_major);
    wmma::bmma_sync(D, A, B, C, bmmaBitOpAND);
    wmma::store_matrix_sync(both, D, 8, wmma::mem_row_major);
    wmma::bmma_sync(C, A, B, C);
    wmma::store_matrix_sync(c, C, 8, wmma::mem_row_major);
}
__global__ void kn(const unsigned *a, const unsigned *b, int *c) // four bits
{
    using namespace wmma::experimental;
    wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> C;
    wmma::fill_fragment(C, -5);
    wmma::load_matrix_sync(A, a, 32);
    wmma::load_matrix_sync(B, b, 32);
    wmma::mma_sync(C, A, B, C);
    wmma::store_matrix_sync(c, C, 8, wmma::mem_row_major);
}
template <class T> T *mk(int n, double s)
{
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; i++)
        p[i] = (T)(float)((i * 7 + i / 5) % 11 - 5) * (T)(float)s;
    return p;
}
int main()
{
    int bad = 0;
    {
        half *a = mk<half>(256, .25), *b = mk<half>(256, .5);
        float *c = mk<float>(256, 0);
        kf<<<1, 32>>>(a, b, c);
        cudaDeviceSynchronize();
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                float s = 1;
                for (int k = 0; k < 16; k++)
                    s += (float)a[i * 16 + k] * (float)b[j * 16 + k];
                bad += s != c[i * 16 + j];
            }
        printf("f %d\n", bad);
    }
    {
        half *a = mk<half>(512, .25), *b = mk<half>(128, .5);
        half *c = mk<half>(256, 0);
        kh<<<1, 32>>>(a, b, c);
        cudaDeviceSynchronize();
        for (int i = 0; i < 32; i++)
            for (int j = 0; j < 8; j++) {
                float s = 0;
                for (int k = 0; k < 16; k++)
                    s += (float)a[k * 32 + i] * (float)b[k * 8 + j];
                bad += (float)(half)s != (float)c[i * 8 + j];
            }
        printf("h %d\n", bad);
    }
    {
        signed char *a = mk<signed char>(256, 1), *b = mk<signed char>(256, 1);
        int *c = mk<int>(256, 0);
        ki<<<1, 32>>>(a, b, c);
        cudaDeviceSynchronize();
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                int s = 3;
                for (int k = 0; k < 16; k++)
                    s += a[i * 16 + k] * b[j * 16 + k];
                bad += s != c[j * 16 + i];
            }
        printf("i %d\n", bad);
    }
    {
        unsigned *a = mk<unsigned>(32, 0), *b = mk<unsigned>(32, 0);
        int *c = mk<int>(64, 1), *both = mk<int>(64, 1), *d = mk<int>(64, 1);
        for (int i = 0; i < 32; i++)
            a[i] = 0x9e3779b9u * (i + 1), b[i] = 0x85ebca6bu * (i + 3);
        int before[64];
        for (int i = 0; i < 64; i++)
            before[i] = c[i];
        kb<<<1, 32>>>(a, b, c, both);
        kn<<<1, 32>>>(a, b, d);
        cudaDeviceSynchronize();
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                int s = before[i * 8 + j], t = s, n = -5;
                for (int k = 0; k < 4; k++) {
                    s += __builtin_popcount(a[i * 4 + k] ^ b[j * 4 + k]);
                    t += __builtin_popcount(a[i * 4 + k] & b[j * 4 + k]);
                    for (int e = 0; e < 32; e += 4)
                        n += ((int)(a[i * 4 + k] << e) >> 28) * ((int)(b[j * 4 + k] << e) >> 28);
                }
                bad += s != c[i * 8 + j] || t != both[i * 8 + j] || n != d[i * 8 + j];
            }
        printf("b %d\n", bad);
    }
    {
        double *a = mk<double>(32, .25), *b = mk<double>(32, .5);
        double *c = mk<double>(64, 0);
        kd<<<1, 32>>>(a, b, c);
        cudaDeviceSynchronize();
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                double s = .5;
                for (int k = 0; k < 4; k++)
                    s += a[i * 4 + k] * b[j * 4 + k];
                bad += s != c[i * 8 + j];
            }
        printf("d %d\n", bad);
    }
    {
        half *a = mk<half>(256, .25), *b = mk<half>(128, .5);
        float *d = mk<float>(128, 0);
        unsigned *ra, *rb;
        cudaMallocManaged(&ra, 512);
        cudaMallocManaged(&rb, 256);
        for (int l = 0; l < 32; l++) {
            int g = l / 4, t = l % 4;
            for (int r = 0; r < 4; r++)
                for (int h = 0; h < 2; h++)
                    ((half *)ra)[(r * 32 + l) * 2 + h] =
                        a[(g + 8 * (r & 1)) * 16 + t * 2 + h + 8 * (r >> 1)];
            for (int r = 0; r < 2; r++)
                for (int h = 0; h < 2; h++)
                    ((half *)rb)[(r * 32 + l) * 2 + h] = b[g * 16 + t * 2 + h + 8 * r];
        }
        km<<<1, 32>>>(ra, rb, d);
        cudaDeviceSynchronize();
        for (int l = 0; l < 32; l++)
            for (int e = 0; e < 4; e++) {
                int i = l / 4 + 8 * (e >> 1), j = (l % 4) * 2 + (e & 1);
                float s = 0;
                for (int k = 0; k < 16; k++)
                    s += (float)a[i * 16 + k] * (float)b[j * 16 + k];
                bad += s != d[l * 4 + e];
            }
        printf("m %d\n", bad);
    }
    return bad != 0;
}
