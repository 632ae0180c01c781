/* SPDX-License-Identifier: Apache-2.0
 * Inner loops in the compiler's portable vectors; KERNELS_NAME and LANES come from the build, which
 * compiles this file for AVX-512, AVX2 and the plain processor. Border handling, threads and
 * sums over a batch are cpu.c's. */
#include "trainer/cpu_kernels.h"

#include <stdbool.h>
#include <string.h>

#define STRINGIFY2(x) #x
#define STRINGIFY(x)  STRINGIFY2(x)
#define JOIN2(a, b)   a##b
#define JOIN(a, b)    JOIN2(a, b)
#define INLINE        static inline __attribute__((always_inline))

typedef float Vec __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef int IVec __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

enum {
    PAIR = 2, /* vectors of output channels a tile is wide */
    TILE = PAIR * LANES,
    PIXELS = LANES == 16 ? 8 : 4,  /* pixels a tile is long: accumulators must fit the registers */
    ROWS_W = LANES == 16 ? 8 : 4,  /* rows of the weight gradient computed together */
    ROWS_W3 = LANES == 16 ? 9 : 3, /* the same for three input channels */
};

INLINE Vec load(const float *p)
{
    return *(const Vec *)p;
}

INLINE void store(float *p, Vec v)
{
    *(Vec *)p = v;
}

INLINE Vec splat(float x)
{
    return x - (Vec){0};
}

INLINE Vec select_vec(IVec mask, Vec yes, Vec no)
{
    return (Vec)(((IVec)yes & mask) | ((IVec)no & ~mask));
}

INLINE void conv_tile(const float *in, size_t in_row, int cin, int block, const float *w,
                      float *out, size_t cout, bool first, bool last, Vec sum[PAIR],
                      Vec square[PAIR], const int pixels)
{
    Vec acc[PIXELS][PAIR];
#pragma GCC unroll 16
    for (int p = 0; p < pixels; ++p)
#pragma GCC unroll 2
        for (int v = 0; v < PAIR; ++v)
            acc[p][v] = first ? (Vec){0} : load(out + (size_t)p * cout + v * LANES);
    for (int ky = 0; ky < 3; ++ky)
        for (int kx = 0; kx < 3; ++kx) {
            const float *x = in + (size_t)ky * in_row + (size_t)kx * (size_t)cin;
            for (int i = 0; i < block; ++i, w += TILE) {
                Vec w0 = load(w), w1 = load(w + LANES);
#pragma GCC unroll 16
                for (int p = 0; p < pixels; ++p) {
                    Vec a = splat(x[p * cin + i]);
                    acc[p][0] += a * w0;
                    acc[p][1] += a * w1;
                }
            }
        }
#pragma GCC unroll 16
    for (int p = 0; p < pixels; ++p)
#pragma GCC unroll 2
        for (int v = 0; v < PAIR; ++v) {
            store(out + (size_t)p * cout + v * LANES, acc[p][v]);
            if (last) {
                sum[v] += acc[p][v];
                square[v] += acc[p][v] * acc[p][v];
            }
        }
}

INLINE void conv_any(const float *in, int side, int cin, int cout, const float *packed, float *out,
                     size_t out_row, float *sums)
{
    int block = cin < CPU_IN_BLOCK ? cin : CPU_IN_BLOCK;
    size_t in_row = (size_t)(side + 2) * (size_t)cin;
    for (int oc = 0; oc < cout; oc += TILE) {
        Vec total[PAIR] = {{0}}, totals[PAIR] = {{0}};
        for (int ic = 0; ic < cin; ic += block, packed += 9 * block * TILE)
            for (int y = 0; y < side; ++y) {
                Vec sum[PAIR] = {{0}}, square[PAIR] = {{0}};
                bool last = sums && ic + block == cin;
                const float *a = in + (size_t)y * in_row + ic;
                float *o = out + (size_t)y * out_row + oc;
                int x = 0;
                for (; x + PIXELS <= side; x += PIXELS, a += PIXELS * cin, o += PIXELS * cout)
                    conv_tile(a, in_row, cin, block, packed, o, (size_t)cout, ic == 0, last, sum,
                              square, PIXELS);
                for (; x < side; x += 2, a += 2 * cin, o += 2 * cout) /* sides are even */
                    conv_tile(a, in_row, cin, block, packed, o, (size_t)cout, ic == 0, last, sum,
                              square, 2);
                for (int v = 0; v < PAIR; ++v) {
                    total[v] += sum[v];
                    totals[v] += square[v];
                }
            }
        for (int v = 0; v < PAIR && sums; ++v) {
            store(sums + oc + v * LANES, total[v]);
            store(sums + cout + oc + v * LANES, totals[v]);
        }
    }
}

static void conv(const float *in, int side, int cin, int cout, const float *packed, float *out,
                 size_t out_row, float *sums)
{
    switch (cin) { /* the pixel stride as a constant: addresses need no registers */
    case 3:
        conv_any(in, side, 3, cout, packed, out, out_row, sums);
        break;
    case 32:
        conv_any(in, side, 32, cout, packed, out, out_row, sums);
        break;
    case 64:
        conv_any(in, side, 64, cout, packed, out, out_row, sums);
        break;
    case 128:
        conv_any(in, side, 128, cout, packed, out, out_row, sums);
        break;
    case 256:
        conv_any(in, side, 256, cout, packed, out, out_row, sums);
        break;
    default:
        conv_any(in, side, cin, cout, packed, out, out_row, sums);
    }
}

/* Rows m..m+rows of dw for a block of image rows: the outer product of inputs and gradients. */
INLINE void wgrad_tile(const float *in, size_t in_row, const float *dout, size_t dout_row, int rows,
                       int side, int cin, int cout, int count, float *dw)
{
    Vec acc[ROWS_W3 > ROWS_W ? ROWS_W3 : ROWS_W][PAIR];
#pragma GCC unroll 16
    for (int m = 0; m < count; ++m)
#pragma GCC unroll 2
        for (int v = 0; v < PAIR; ++v)
            acc[m][v] = load(dw + m * cout + v * LANES);
    for (int y = 0; y < rows; ++y) {
        const float *a = in + (size_t)y * in_row, *g = dout + (size_t)y * dout_row;
        for (int x = 0; x < side; ++x, a += cin, g += cout) {
            Vec g0 = load(g), g1 = load(g + LANES);
#pragma GCC unroll 16
            for (int m = 0; m < count; ++m) {
                Vec s = splat(a[m]);
                acc[m][0] += s * g0;
                acc[m][1] += s * g1;
            }
        }
    }
#pragma GCC unroll 16
    for (int m = 0; m < count; ++m)
#pragma GCC unroll 2
        for (int v = 0; v < PAIR; ++v)
            store(dw + m * cout + v * LANES, acc[m][v]);
}

INLINE void wgrad_any(const float *in, int side, int cin, int cout, const float *dout, int ky,
                      float *dw, int count)
{
    size_t in_row = (size_t)(side + 2) * (size_t)cin, dout_row = (size_t)(side + 2) * (size_t)cout;
    int rows = side >= 128 ? 1 : 128 / side < side ? 128 / side : side;
    for (int y = 0; y < side; y += rows) {
        int here = side - y < rows ? side - y : rows;
        for (int oc = 0; oc < cout; oc += TILE)
            for (int m = 0; m < 3 * cin; m += count)
                wgrad_tile(in + (size_t)(y + ky) * in_row + m, in_row,
                           dout + (size_t)(y + 1) * dout_row + cout + oc, dout_row, here, side, cin,
                           cout, count, dw + (size_t)m * (size_t)cout + oc);
    }
}

static void wgrad(const float *in, int side, int cin, int cout, const float *dout, int ky,
                  float *dw)
{
    if (cin == 3)
        wgrad_any(in, side, 3, cout, dout, ky, dw, ROWS_W3);
    else
        wgrad_any(in, side, cin, cout, dout, ky, dw, ROWS_W);
}

static void pool(const float *y, int side, int c, const float *a, const float *b, float *winner,
                 float *out)
{
    size_t row = (size_t)(side + 2) * (size_t)c, out_row = (size_t)(side / 2 + 2) * (size_t)c;
    for (int py = 0; py < side / 2; ++py)
        for (int px = 0; px < side / 2; ++px) {
            const float *p = y + (size_t)(2 * py + 1) * row + (size_t)(2 * px + 1) * (size_t)c;
            float *o = out + (size_t)(py + 1) * out_row + (size_t)(px + 1) * (size_t)c;
            for (int i = 0; i < c; i += LANES, winner += LANES) {
                Vec va = load(a + i);
                IVec down = va < 0; /* a falling line: the smallest input wins */
                Vec best = load(p + i);
                const float *others[3] = {p + c, p + row, p + row + c};
                for (int k = 0; k < 3; ++k) {
                    Vec v = load(others[k] + i);
                    best = select_vec((v > best) ^ down, select_vec(v != best, v, best), best);
                }
                store(winner, best);
                Vec z = va * best + load(b + i);
                store(o + i, select_vec(z > 0, z, (Vec){0}));
            }
        }
}

static void pool_back(float *y, int side, int c, const float *a, const float *b,
                      const float *winner, const float *dpool, const float *scale, const float *k1,
                      const float *k2)
{
    size_t row = (size_t)(side + 2) * (size_t)c;
    for (int py = 0; py < side / 2; ++py)
        for (int px = 0; px < side / 2; ++px) {
            float *p = y + (size_t)(2 * py + 1) * row + (size_t)(2 * px + 1) * (size_t)c;
            for (int i = 0; i < c; i += LANES, winner += LANES, dpool += LANES) {
                Vec best = load(winner), z = load(a + i) * best + load(b + i);
                Vec g = select_vec(z > 0, load(scale + i) * load(dpool), (Vec){0});
                Vec c1 = load(k1 + i), c2 = load(k2 + i);
                IVec open = (IVec){0} == 0;
                float *window[4] = {p + i, p + c + i, p + row + i, p + row + c + i};
                for (int k = 0; k < 4; ++k) { /* the first of equals takes the gradient */
                    Vec v = load(window[k]);
                    IVec here = (v == best) & open;
                    open &= ~here;
                    store(window[k], select_vec(here, g, (Vec){0}) - c1 - c2 * v);
                }
            }
        }
}

static void grad_sums(const float *winner, const float *dpool, int pixels, int c, const float *a,
                      const float *b, float *sums)
{
    memset(sums, 0, sizeof(float) * 2 * (size_t)c);
    for (int p = 0; p < pixels; ++p)
        for (int i = 0; i < c; i += LANES, winner += LANES, dpool += LANES) {
            Vec best = load(winner), z = load(a + i) * best + load(b + i);
            Vec g = select_vec(z > 0, load(dpool), (Vec){0});
            store(sums + i, load(sums + i) + g);
            store(sums + c + i, load(sums + c + i) + g * best);
        }
}

const CpuKernels JOIN(cpu_kernels_, KERNELS_NAME) = {
    .name = STRINGIFY(KERNELS_NAME),
    .tile = TILE,
    .conv = conv,
    .wgrad = wgrad,
    .pool = pool,
    .pool_back = pool_back,
    .grad_sums = grad_sums,
};
