/* SPDX-License-Identifier: Apache-2.0
 *
 * The network's loss and gradients in double, by the plainest loops: what both back ends are
 * compared with. Far too slow for training. */
#ifndef GPUKIT_TRAINER_ORACLE_H
#define GPUKIT_TRAINER_ORACLE_H

#include "trainer/net.h"

/* input [count][size][size][3], already normalised; params as NetState's, in double. grads may be
 * NULL. running: updated as in training, may be NULL. Returns the mean loss. */
double oracle_loss(const Net *net, const double *params, const double *input, const int *labels,
                   int count, double *grads, double *running);

typedef enum { ORACLE_BF16, ORACLE_FP16, ORACLE_TF32, ORACLE_FP32, ORACLE_DOUBLE } OracleRounding;
/* The twin of the GPU kernels: rounds wherever they store an element of a matrix product (pictures,
 * weights, convolution outputs, activations, gradients), everything else in double. */
double oracle_loss_rounded(const Net *net, const double *params, const double *input,
                           const int *labels, int count, double *grads, double *running,
                           OracleRounding rounding);

/* Twins of single steps, [count][side][side][c]. Statistics of y: mean and 1/deviation. */
void oracle_statistics(const double *y, size_t pixels, int c, double *mean, double *inverse);
/* The raw winners of the 2x2 windows: largest where gamma >= 0, else smallest. */
void oracle_winners(const double *y, int count, int side, int c, const double *gamma,
                    double *winners);
/* The gradient of y from that of the windows' winners, which is 0 where the ReLU stops it. */
void oracle_spread(const double *y, int count, int side, int c, const double *gamma,
                   const double *mean, const double *inverse, const double *dpooled, double *dy);
/* Average, fully connected layer, softmax and mean loss of `last`, the last block's output; its
 * gradient is added to dlast, that of the layer's parameters written into grads (NULL: none). */
double oracle_head(const Net *net, const double *params, const double *last, const int *labels,
                   int count, double *dlast, double *grads);
/* To the nearest value of that kind; bf16 and fp16: ties to even, tf32: ties away from zero. The
 * values are rounded as `scale` times as large, a power of two. */
void oracle_round(double *values, size_t count, OracleRounding rounding, double scale);

/* One layer: 3x3 convolution, pad 1, [count][side][side][c]. */
void oracle_conv(const double *in, int count, int side, int cin, int cout, const double *weight,
                 double *out);
void oracle_conv_back(const double *in, int count, int side, int cin, int cout,
                      const double *weight, const double *dout, double *din, double *dweight);

#endif
