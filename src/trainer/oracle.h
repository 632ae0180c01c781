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

/* The twin of the GPU kernels: rounds to bf16 wherever they store bf16 (pictures, weights,
 * convolution outputs, activations, gradients), everything else in double. */
double oracle_loss_bf16(const Net *net, const double *params, const double *input,
                        const int *labels, int count, double *grads, double *running);

/* One layer: 3x3 convolution, pad 1, [count][side][side][c]. */
void oracle_conv(const double *in, int count, int side, int cin, int cout, const double *weight,
                 double *out);
void oracle_conv_back(const double *in, int count, int side, int cin, int cout,
                      const double *weight, const double *dout, double *din, double *dweight);

#endif
