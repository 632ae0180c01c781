/* SPDX-License-Identifier: Apache-2.0
 * Layout, initial values and learning-rate schedule of the network. */
#include "trainer/net.h"
#include "base/arena.h"
#include "trainer/augment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double net_mean[3] = {0.488, 0.455, 0.417}, net_deviation[3] = {0.229, 0.224, 0.225};

void net_init(Net *net, int size, int classes)
{
    static const int channels[NET_BLOCKS] = {
#define BLOCK(channels) channels,
#include "trainer/net.def"
#undef BLOCK
    };
    memset(net, 0, sizeof *net);
    net->size = size;
    net->classes = classes;
    size_t at = 0, run = 0;
    for (int i = 0; i < NET_BLOCKS; ++i) {
        NetBlock *b = &net->block[i];
        b->cin = i ? channels[i - 1] : 3;
        b->cout = channels[i];
        b->side = size >> i;
        b->weight = at, at += (size_t)9 * (size_t)b->cin * (size_t)b->cout;
        b->gamma = at, at += (size_t)b->cout;
        b->beta = at, at += (size_t)b->cout;
        b->running_mean = run, run += (size_t)b->cout;
        b->running_var = run, run += (size_t)b->cout;
    }
    net->features = channels[NET_BLOCKS - 1];
    net->fc_weight = at, at += (size_t)classes * (size_t)net->features;
    net->fc_bias = at, at += (size_t)classes;
    net->param_count = at;
    net->running_count = run;
}

static NetTensor vector(const char *part, int block, size_t offset, int count, int running)
{
    NetTensor t = {
        .dims = 1, .shape = {count}, .offset = offset, .count = (size_t)count, .running = running};
    snprintf(t.name, sizeof t.name, "block%d.%s", block + 1, part);
    return t;
}

void net_tensors(const Net *net, NetTensor out[NET_ALL_TENSORS])
{
    int n = 0;
    for (int i = 0; i < NET_BLOCKS; ++i) {
        const NetBlock *b = &net->block[i];
        NetTensor conv = {.dims = 4,
                          .shape = {b->cout, b->cin, 3, 3},
                          .offset = b->weight,
                          .conv = 1,
                          .count = (size_t)9 * (size_t)b->cin * (size_t)b->cout};
        snprintf(conv.name, sizeof conv.name, "block%d.conv.weight", i + 1);
        out[n++] = conv;
        out[n++] = vector("bn.weight", i, b->gamma, b->cout, 0);
        out[n++] = vector("bn.bias", i, b->beta, b->cout, 0);
        out[n++] = vector("bn.running_mean", i, b->running_mean, b->cout, 1);
        out[n++] = vector("bn.running_var", i, b->running_var, b->cout, 1);
    }
    out[n++] = (NetTensor){.name = "fc.weight",
                           .dims = 2,
                           .shape = {net->classes, net->features},
                           .offset = net->fc_weight,
                           .count = (size_t)net->classes * (size_t)net->features};
    out[n] = (NetTensor){.name = "fc.bias",
                         .dims = 1,
                         .shape = {net->classes},
                         .offset = net->fc_bias,
                         .count = (size_t)net->classes};
}

void net_state_new(const Net *net, NetState *state)
{
    state->params = xcalloc(net->param_count, sizeof(float));
    state->momentum = xcalloc(net->param_count, sizeof(float));
    state->running = xcalloc(net->running_count, sizeof(float));
}

void net_state_free(NetState *state)
{
    free(state->params);
    free(state->momentum);
    free(state->running);
    memset(state, 0, sizeof *state);
}

/* Uniform in (0, 1], from a counter: the same numbers in any order of drawing. */
static double uniform(uint64_t seed, uint32_t stream, uint32_t i)
{
    uint32_t a = aug_draw(seed, stream, i);
    return ((double)a + 1.0) / 4294967296.0;
}

static double normal(uint64_t seed, uint32_t stream, uint32_t i)
{
    double u = uniform(seed, stream, 2 * i), v = uniform(seed, stream, 2 * i + 1);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

void net_state_init(const Net *net, NetState *state, uint64_t seed)
{
    enum { STREAM_INIT = 0x1000000 };
    for (int i = 0; i < NET_BLOCKS; ++i) {
        const NetBlock *b = &net->block[i];
        double deviation = sqrt(2.0 / (9.0 * b->cout));
        for (uint32_t k = 0; k < (uint32_t)(9 * b->cin * b->cout); ++k)
            state->params[b->weight + k] =
                (float)(deviation * normal(seed, STREAM_INIT + (uint32_t)i, k));
        for (int c = 0; c < b->cout; ++c) {
            state->params[b->gamma + (size_t)c] = 1;
            state->params[b->beta + (size_t)c] = 0;
            state->running[b->running_mean + (size_t)c] = 0;
            state->running[b->running_var + (size_t)c] = 1;
        }
    }
    double bound = 1 / sqrt(net->features);
    uint32_t count = (uint32_t)(net->classes * net->features + net->classes);
    for (uint32_t k = 0; k < count; ++k) /* the bias lies directly behind the weight */
        state->params[net->fc_weight + k] =
            (float)(bound * (2 * uniform(seed, STREAM_INIT + NET_BLOCKS, k) - 1));
    memset(state->momentum, 0, net->param_count * sizeof(float));
}

double net_rate(double peak, long step, long steps)
{
    double warm = steps > 10 ? (double)steps / 10 : 1;
    if ((double)step < warm)
        return peak * ((double)step + 1) / (warm + 1);
    double part = ((double)step - warm) / ((double)steps - warm > 0 ? (double)steps - warm : 1);
    double wave = 0.5 * (1 + cos(3.14159265358979323846 * part));
    return peak * wave * wave;
}

double net_gradient_scale(int batch)
{
    return ldexp(256, (int)ceil(log2(batch)));
}
