/* SPDX-License-Identifier: Apache-2.0
 *
 * The network: its blocks (from net.def), where each tensor lies in the parameter arena, and the
 * training recipe's numbers. It does no arithmetic; cpu.c, gpu.c and oracle.c do. */
#ifndef GPUKIT_TRAINER_NET_H
#define GPUKIT_TRAINER_NET_H

#include <stddef.h>
#include <stdint.h>

enum {
#define BLOCK(channels) +1
    NET_BLOCKS = 0
#include "trainer/net.def"
#undef BLOCK
    ,
    NET_TENSORS = NET_BLOCKS * 3 + 2,
    NET_MAX_CLASSES = 64,
    NET_MULTIPLE = 1 << NET_BLOCKS /* the picture's side is a multiple of this */
};

/* Recipe constants. Batch norm: eps and momentum as PyTorch's defaults; pictures: mean and
 * deviation per channel after division by 255. */
#define NET_EPS          1e-5
#define NET_BN_MOMENTUM  0.1
#define NET_MOMENTUM     0.9
#define NET_WEIGHT_DECAY 5e-4
extern const double net_mean[3], net_deviation[3];

typedef struct {
    int cin, cout;
    int side;                   /* of the convolution's input and output; the pool halves it */
    size_t weight, gamma, beta; /* offsets into the parameters; weight is [ky][kx][cin][cout] */
    size_t running_mean, running_var; /* offsets into the running statistics */
} NetBlock;

typedef struct {
    int size, classes; /* side of the picture; number of classes */
    NetBlock block[NET_BLOCKS];
    int features;              /* channels of the last block */
    size_t fc_weight, fc_bias; /* [classes][features], [classes] */
    size_t param_count, running_count;
} Net;

/* Everything that training changes, on the host. Arrays have param_count or running_count floats.
 */
typedef struct {
    float *params, *momentum, *running;
} NetState;

/* A tensor as files show it: PyTorch's names and shapes. */
typedef struct {
    char name[32];
    int dims;
    int shape[4];
    size_t offset, count;
    int conv;    /* 1: stored here as [ky][kx][in][out], in files as [out][in][ky][kx] */
    int running; /* 1: offset counts in the running statistics */
} NetTensor;

enum { NET_ALL_TENSORS = NET_TENSORS + 2 * NET_BLOCKS };

void net_init(Net *net, int size, int classes);
void net_tensors(const Net *net, NetTensor out[NET_ALL_TENSORS]);

void net_state_new(const Net *net, NetState *state); /* zeroed */
void net_state_free(NetState *state);
/* Kaiming normal (fan out) convolutions, batch norm 1 and 0, fully connected uniform. */
void net_state_init(const Net *net, NetState *state, uint64_t seed);

/* Learning rate of a step: linear up over the first tenth, then the square of a cosine's half wave
 * down to zero: high at first, and low early enough to be accurate soon. */
double net_rate(double peak, long step, long steps);
/* Gradients stored as fp16 are this many times larger than they are: a power of two that takes
 * those of one picture (the loss is the batch's mean) to the middle of its range. */
double net_gradient_scale(int batch);

#endif
