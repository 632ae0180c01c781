/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU back end's inner loops, one image at a time, pictures as [row][column][channel].
 * cpu_kernels.c is compiled once per instruction set; the set is chosen at run time. A
 * convolution's input carries a border of one zero pixel, so the loops have no edges. Channels come
 * in multiples of 32 except the picture's three. */
#ifndef GPUKIT_TRAINER_CPU_KERNELS_H
#define GPUKIT_TRAINER_CPU_KERNELS_H

#include <stddef.h>

enum { CPU_IN_BLOCK = 32 }; /* input channels whose weights stay in the first-level cache */

typedef struct {
    const char *name;
    int tile; /* output channels computed together: cpu_pack_weights() orders by it */

    /* out = convolution of in; out_row: floats from row to row. sums: per-channel sum and sum of
     * squares, [2][cout], or NULL. */
    void (*conv)(const float *in, int side, int cin, int cout, const float *packed, float *out,
                 size_t out_row, float *sums);
    /* dw[3 * cin][cout] += the weight gradient of kernel row ky. dout is a bordered image. */
    void (*wgrad)(const float *in, int side, int cin, int cout, const float *dout, int ky,
                  float *dw);
    /* Winner of each 2x2 window before batch norm, and relu(a * winner + b). y and out bordered. */
    void (*pool)(const float *y, int side, int c, const float *a, const float *b, float *winner,
                 float *out);
    /* y becomes the convolution's output gradient: scale * routed - k1 - k2 * y. */
    void (*pool_back)(float *y, int side, int c, const float *a, const float *b,
                      const float *winner, const float *dpool, const float *scale, const float *k1,
                      const float *k2);
    /* [2][c]: sum of the gradient behind ReLU, and of gradient times winner. */
    void (*grad_sums)(const float *winner, const float *dpool, int pixels, int c, const float *a,
                      const float *b, float *sums);
} CpuKernels;

/* The best set this processor has; name "avx512", "avx2" or "plain" forces one, NULL if absent. */
const CpuKernels *cpu_kernels(const char *name);

/* weight [9][cin][cout] into the order conv() reads; flipped: for the input gradient, where cin and
 * cout are the convolution's own (so the result maps cout channels to cin). */
void cpu_pack_weights(const CpuKernels *kernels, const float *weight, int cin, int cout,
                      int flipped, float *packed);

#endif
