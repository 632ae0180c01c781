/* SPDX-License-Identifier: Apache-2.0
 * Recursion, mutual recursion, virtual functions and function pointers in kernels, against the same
 * computed on the host. */
#include <cstdio>
__device__ __noinline__ int fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ int odd(int n);
__device__ __noinline__ int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}
__device__ __noinline__ int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}
struct Shape {
    __device__ virtual float area(int k) const = 0;
    __device__ virtual ~Shape()
    {
    }
};
struct Sq : Shape {
    float a;
    __device__ Sq(float x) : a(x)
    {
    }
    __device__ float area(int k) const override
    {
        return a * a + k;
    }
};
struct Ci : Shape {
    float r;
    __device__ Ci(float x) : r(x)
    {
    }
    __device__ float area(int k) const override
    {
        float s = 0;
        for (int i = 0; i < k; i++)
            s += r * i;
        return s;
    }
};
typedef int (*Fn)(int);
__device__ __noinline__ int dbl(int x)
{
    return 2 * x;
}
__device__ __noinline__ int neg(int x)
{
    return -x;
}
__device__ Fn table[3] = {dbl, neg, fib};
__device__ __noinline__ void sort(int *a, int lo, int hi)
{
    if (lo >= hi)
        return;
    int p = a[hi], i = lo;
    for (int j = lo; j < hi; j++)
        if (a[j] < p) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
        }
    int t = a[i];
    a[i] = a[hi];
    a[hi] = t;
    sort(a, lo, i - 1);
    sort(a, i + 1, hi);
}
__global__ void k(int *out, float *f, int *v)
{
    int t = threadIdx.x;
    out[t] = fib(t % 13);
    out[64 + t] = even(t);
    out[128 + t] = table[t % 3](t % 10);
    Shape *s;
    if (t & 1)
        s = new Sq(t);
    else
        s = new Ci(t);
    f[t] = s->area(t);
    delete s;
    sort(v + t * 16, 0, 15);
}
int hfib(int n)
{
    return n < 2 ? n : hfib(n - 1) + hfib(n - 2);
}
/* Many calls of one recursive function, with many values that live across each: what passes through its
 * body by way of one call must not be taken for what another call left there. */
enum { CALLS = 56, VALUES = 48 };
__host__ __device__ __noinline__ int climb(int n)
{
    return n < 2 ? 1 : n % 2 ? climb(n - 1) + 3 : climb(n / 2) + climb(n / 2 - 1);
}
__host__ __device__ inline void many_calls(const int *in, int *out)
{
    int a[VALUES];
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        a[k] = in[k];
#pragma unroll
    for (int c = 0; c < CALLS; c++)
        if (in[VALUES + c] > 4)
            a[c % VALUES] = a[(c + 1) % VALUES] * 5 + climb(in[VALUES + c]);
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        out[k] = a[k];
}
__global__ void calls(const int *in, int *out, int *lock)
{
    while (atomicCAS(lock, 0, 1)) /* lanes that wait for each other: lane by lane */
        ;
    many_calls(in, out);
    __threadfence();
    atomicExch(lock, 0);
}
static int count_wrong_calls()
{
    int *in, *out, *lock, want[VALUES], bad = 0;
    cudaMallocManaged(&in, 4 * (VALUES + CALLS));
    cudaMallocManaged(&out, 4 * VALUES);
    cudaMallocManaged(&lock, 4);
    *lock = 0;
    for (int i = 0; i < VALUES + CALLS; i++)
        in[i] = i * 7 % 11;
    calls<<<1, 1>>>(in, out, lock);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    many_calls(in, want);
    for (int k = 0; k < VALUES; k++)
        bad += out[k] != want[k];
    return bad;
}
int main()
{
    int *o, *v;
    float *f;
    cudaMallocManaged(&o, 4 * 256);
    cudaMallocManaged(&f, 4 * 64);
    cudaMallocManaged(&v, 64 * 64);
    unsigned x = 1;
    for (int i = 0; i < 1024; i++) {
        x = x * 1664525u + 1013904223u;
        v[i] = x >> 20;
    }
    k<<<1, 64>>>(o, f, v);
    int e = cudaDeviceSynchronize();
    printf("err %d\n", e);
    int bad = count_wrong_calls();
    for (int t = 0; t < 64; t++) {
        bad += o[t] != hfib(t % 13);
        bad += o[64 + t] != (t % 2 == 0);
        int y = t % 10;
        bad += o[128 + t] != (t % 3 == 0 ? 2 * y : t % 3 == 1 ? -y : hfib(y));
        float s = 0;
        if (t & 1)
            s = (float)t * t + t;
        else
            for (int i = 0; i < t; i++)
                s += (float)t * i;
        bad += f[t] != s;
        for (int i = 1; i < 16; i++)
            bad += v[t * 16 + i] < v[t * 16 + i - 1];
    }
    printf("bad %d\n", bad);
    return bad != 0;
}
