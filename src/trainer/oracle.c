/* SPDX-License-Identifier: Apache-2.0
 * Reference implementation in double; see oracle.h. */
#include "trainer/oracle.h"
#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void oracle_conv(const double *in, int count, int side, int cin, int cout, const double *weight,
                 double *out)
{
    for (int n = 0; n < count; ++n)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                double *o =
                    out + ((size_t)(n * side + y) * (size_t)side + (size_t)x) * (size_t)cout;
                memset(o, 0, sizeof(double) * (size_t)cout);
                for (int ky = 0; ky < 3; ++ky)
                    for (int kx = 0; kx < 3; ++kx) {
                        int iy = y + ky - 1, ix = x + kx - 1;
                        if (iy < 0 || ix < 0 || iy >= side || ix >= side)
                            continue;
                        for (int i = 0; i < cin; ++i) {
                            double v = in[((size_t)(n * side + iy) * (size_t)side + (size_t)ix) *
                                              (size_t)cin +
                                          (size_t)i];
                            const double *w =
                                weight + (size_t)((ky * 3 + kx) * cin + i) * (size_t)cout;
                            for (int c = 0; c < cout; ++c)
                                o[c] += v * w[c];
                        }
                    }
            }
}

void oracle_conv_back(const double *in, int count, int side, int cin, int cout,
                      const double *weight, const double *dout, double *din, double *dweight)
{
    if (din)
        memset(din, 0, sizeof(double) * (size_t)count * (size_t)(side * side) * (size_t)cin);
    memset(dweight, 0, sizeof(double) * 9 * (size_t)cin * (size_t)cout);
    for (int n = 0; n < count; ++n)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const double *d =
                    dout + ((size_t)(n * side + y) * (size_t)side + (size_t)x) * (size_t)cout;
                for (int ky = 0; ky < 3; ++ky)
                    for (int kx = 0; kx < 3; ++kx) {
                        int iy = y + ky - 1, ix = x + kx - 1;
                        if (iy < 0 || ix < 0 || iy >= side || ix >= side)
                            continue;
                        size_t at =
                            ((size_t)(n * side + iy) * (size_t)side + (size_t)ix) * (size_t)cin;
                        for (int i = 0; i < cin; ++i) {
                            size_t row = (size_t)((ky * 3 + kx) * cin + i) * (size_t)cout;
                            double sum = 0;
                            for (int c = 0; c < cout; ++c) {
                                dweight[row + (size_t)c] += in[at + (size_t)i] * d[c];
                                sum += weight[row + (size_t)c] * d[c];
                            }
                            if (din)
                                din[at + (size_t)i] += sum;
                        }
                    }
            }
}

typedef struct {
    double *y, *pooled, *dpooled;
    int *winner;
    double *mean, *inverse;
} Layer;

static void norm_pool(const NetBlock *b, const double *params, int count, Layer *l, double *running)
{
    size_t pixels = (size_t)count * (size_t)(b->side * b->side);
    int half = b->side / 2;
    for (int c = 0; c < b->cout; ++c) {
        double sum = 0, square = 0;
        for (size_t p = 0; p < pixels; ++p)
            sum += l->y[p * (size_t)b->cout + (size_t)c];
        double mean = sum / (double)pixels;
        for (size_t p = 0; p < pixels; ++p) {
            double d = l->y[p * (size_t)b->cout + (size_t)c] - mean;
            square += d * d;
        }
        double variance = square / (double)pixels;
        l->mean[c] = mean;
        l->inverse[c] = 1 / sqrt(variance + NET_EPS);
        if (running) {
            double *m = &running[b->running_mean + (size_t)c],
                   *v = &running[b->running_var + (size_t)c];
            *m = (1 - NET_BN_MOMENTUM) * *m + NET_BN_MOMENTUM * mean;
            *v = (1 - NET_BN_MOMENTUM) * *v + NET_BN_MOMENTUM * square / ((double)pixels - 1);
        }
    }
    for (int n = 0; n < count; ++n)
        for (int y = 0; y < half; ++y)
            for (int x = 0; x < half; ++x)
                for (int c = 0; c < b->cout; ++c) {
                    size_t out =
                        ((size_t)(n * half + y) * (size_t)half + (size_t)x) * (size_t)b->cout +
                        (size_t)c;
                    double best = -INFINITY;
                    for (int k = 0; k < 4; ++k) {
                        size_t in = ((size_t)(n * b->side + 2 * y + k / 2) * (size_t)b->side +
                                     (size_t)(2 * x + k % 2)) *
                                        (size_t)b->cout +
                                    (size_t)c;
                        double z =
                            params[b->gamma + (size_t)c] * (l->y[in] - l->mean[c]) * l->inverse[c] +
                            params[b->beta + (size_t)c];
                        z = z > 0 ? z : 0;
                        if (z > best) {
                            best = z;
                            l->winner[out] = z > 0 ? (int)in : -1;
                        }
                    }
                    l->pooled[out] = best;
                }
}

static void norm_pool_back(const NetBlock *b, const double *params, int count, const Layer *l,
                           double *dy, double *grads)
{
    size_t pixels = (size_t)count * (size_t)(b->side * b->side), all = pixels * (size_t)b->cout;
    memset(dy, 0, all * sizeof(double));
    for (size_t i = 0; i < all / 4; ++i)
        if (l->winner[i] >= 0)
            dy[l->winner[i]] += l->dpooled[i];
    for (int c = 0; c < b->cout; ++c) {
        double dbeta = 0, dgamma = 0;
        for (size_t p = 0; p < pixels; ++p) {
            size_t i = p * (size_t)b->cout + (size_t)c;
            dbeta += dy[i];
            dgamma += dy[i] * (l->y[i] - l->mean[c]) * l->inverse[c];
        }
        grads[b->gamma + (size_t)c] = dgamma;
        grads[b->beta + (size_t)c] = dbeta;
        for (size_t p = 0; p < pixels; ++p) {
            size_t i = p * (size_t)b->cout + (size_t)c;
            double hat = (l->y[i] - l->mean[c]) * l->inverse[c];
            dy[i] = params[b->gamma + (size_t)c] * l->inverse[c] *
                    (dy[i] - dbeta / (double)pixels - hat * dgamma / (double)pixels);
        }
    }
}

double oracle_head(const Net *net, const double *params, const double *last, const int *labels,
                   int count, double *dlast, double *grads)
{
    int side = net->block[NET_BLOCKS - 1].side / 2, pixels = side * side, features = net->features;
    double loss = 0, *f = xcalloc((size_t)features, sizeof(double)), z[NET_MAX_CLASSES];
    if (grads)
        memset(grads + net->fc_weight, 0, sizeof(double) * (size_t)(net->classes * (features + 1)));
    for (int n = 0; n < count; ++n) {
        const double *p = last + (size_t)n * (size_t)pixels * (size_t)features;
        for (int c = 0; c < features; ++c) {
            f[c] = 0;
            for (int k = 0; k < pixels; ++k)
                f[c] += p[(size_t)k * (size_t)features + (size_t)c] / pixels;
        }
        double sum = 0, top = -INFINITY;
        for (int k = 0; k < net->classes; ++k) {
            z[k] = params[net->fc_bias + (size_t)k];
            for (int c = 0; c < features; ++c)
                z[k] += params[net->fc_weight + (size_t)(k * features + c)] * f[c];
            top = z[k] > top ? z[k] : top;
        }
        for (int k = 0; k < net->classes; ++k)
            sum += exp(z[k] - top);
        loss += (log(sum) - (z[labels[n]] - top)) / count;
        for (int k = 0; k < net->classes && grads; ++k) {
            double d = (exp(z[k] - top) / sum - (k == labels[n])) / count;
            grads[net->fc_bias + (size_t)k] += d;
            for (int c = 0; c < features; ++c) {
                grads[net->fc_weight + (size_t)(k * features + c)] += d * f[c];
                for (int q = 0; q < pixels; ++q)
                    dlast[((size_t)n * (size_t)pixels + (size_t)q) * (size_t)features +
                          (size_t)c] +=
                        d * params[net->fc_weight + (size_t)(k * features + c)] / pixels;
            }
        }
    }
    free(f);
    return loss;
}

static double to_fp16(double v)
{
    int exponent;
    frexp(v, &exponent);
    double place = ldexp(1, (exponent < -13 ? -13 : exponent) - 11),
           r = nearbyint(v / place) * place;
    return fabs(r) >= 65520 ? (double)INFINITY * v : r;
}

void oracle_round(double *v, size_t count, OracleRounding rounding, double scale)
{
    for (size_t i = 0; i < count && rounding != ORACLE_DOUBLE; ++i) {
        float f = (float)(v[i] * scale);
        uint32_t bits;
        if (rounding == ORACLE_FP16)
            f = (float)to_fp16((double)f);
        memcpy(&bits, &f, sizeof bits);
        if (rounding == ORACLE_BF16)
            bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u;
        else if (rounding == ORACLE_TF32)
            bits = (bits + 0x1000) & 0xffffe000u;
        memcpy(&f, &bits, sizeof bits);
        v[i] = (double)f / scale;
    }
}

static double *rounded_copy(const double *v, size_t count, OracleRounding rounding)
{
    double *copy = xmalloc(sizeof(double) * count);
    memcpy(copy, v, sizeof(double) * count);
    oracle_round(copy, count, rounding, 1);
    return copy;
}

double oracle_loss_rounded(const Net *net, const double *params, const double *pictures,
                           const int *labels, int count, double *grads, double *running,
                           OracleRounding rounding)
{
    Layer layer[NET_BLOCKS];
    double *input =
        rounded_copy(pictures, (size_t)count * (size_t)(net->size * net->size * 3), rounding);
    double *weight[NET_BLOCKS], scale = rounding == ORACLE_FP16 ? net_gradient_scale(count) : 1;
    const double *in = input;
    for (int i = 0; i < NET_BLOCKS; ++i) {
        const NetBlock *b = &net->block[i];
        size_t all = (size_t)count * (size_t)(b->side * b->side) * (size_t)b->cout;
        weight[i] = rounded_copy(params + b->weight, (size_t)9 * (size_t)b->cin * (size_t)b->cout,
                                 rounding);
        layer[i].y = xcalloc(all, sizeof(double));
        layer[i].pooled = xcalloc(all / 4, sizeof(double));
        layer[i].dpooled = xcalloc(all / 4, sizeof(double));
        layer[i].winner = xcalloc(all / 4, sizeof(int));
        layer[i].mean = xcalloc((size_t)b->cout, sizeof(double));
        layer[i].inverse = xcalloc((size_t)b->cout, sizeof(double));
        oracle_conv(in, count, b->side, b->cin, b->cout, weight[i], layer[i].y);
        oracle_round(layer[i].y, all, rounding, 1);
        norm_pool(b, params, count, &layer[i], running);
        if (i + 1 < NET_BLOCKS)
            oracle_round(layer[i].pooled, all / 4, rounding, 1);
        in = layer[i].pooled;
    }
    double loss = oracle_head(net, params, in, labels, count, layer[NET_BLOCKS - 1].dpooled, grads);
    for (int i = NET_BLOCKS - 1; i >= 0 && grads; --i) {
        const NetBlock *b = &net->block[i];
        size_t all = (size_t)count * (size_t)(b->side * b->side) * (size_t)b->cout;
        double *dy = xmalloc(sizeof(double) * all);
        if (i + 1 < NET_BLOCKS)
            oracle_round(layer[i].dpooled, all / 4, rounding, scale);
        norm_pool_back(b, params, count, &layer[i], dy, grads);
        oracle_round(dy, all, rounding, scale);
        oracle_conv_back(i ? layer[i - 1].pooled : input, count, b->side, b->cin, b->cout,
                         weight[i], dy, i ? layer[i - 1].dpooled : NULL, grads + b->weight);
        free(dy);
    }
    for (int i = 0; i < NET_BLOCKS; ++i) {
        free(weight[i]);
        free(layer[i].y);
        free(layer[i].pooled);
        free(layer[i].dpooled);
        free(layer[i].winner);
        free(layer[i].mean);
        free(layer[i].inverse);
    }
    free(input);
    return loss;
}

double oracle_loss(const Net *net, const double *params, const double *input, const int *labels,
                   int count, double *grads, double *running)
{
    return oracle_loss_rounded(net, params, input, labels, count, grads, running, ORACLE_DOUBLE);
}

void oracle_statistics(const double *y, size_t pixels, int c, double *mean, double *inverse)
{
    for (int i = 0; i < c; ++i) {
        double sum = 0, square = 0;
        for (size_t p = 0; p < pixels; ++p)
            sum += y[p * (size_t)c + (size_t)i];
        mean[i] = sum / (double)pixels;
        for (size_t p = 0; p < pixels; ++p) {
            double d = y[p * (size_t)c + (size_t)i] - mean[i];
            square += d * d;
        }
        inverse[i] = 1 / sqrt(square / (double)pixels + NET_EPS);
    }
}

/* Index of pixel k (0 to 3) of a window. */
static size_t window_pixel(int n, int y, int x, int k, int side, int c)
{
    return ((size_t)(n * side + 2 * y + k / 2) * (size_t)side + (size_t)(2 * x + k % 2)) *
           (size_t)c;
}

void oracle_winners(const double *y, int count, int side, int c, const double *gamma,
                    double *winners)
{
    int half = side / 2;
    for (int w = 0; w < count * half * half; ++w)
        for (int i = 0; i < c; ++i) {
            double best = 0;
            for (int k = 0; k < 4; ++k) {
                double v =
                    y[window_pixel(w / (half * half), w / half % half, w % half, k, side, c) +
                      (size_t)i];
                best = k == 0 || (gamma[i] >= 0 ? v > best : v < best) ? v : best;
            }
            winners[(size_t)w * (size_t)c + (size_t)i] = best;
        }
}

void oracle_spread(const double *y, int count, int side, int c, const double *gamma,
                   const double *mean, const double *inverse, const double *dpooled, double *dy)
{
    int half = side / 2;
    size_t pixels = (size_t)count * (size_t)(side * side);
    memset(dy, 0, sizeof(double) * pixels * (size_t)c);
    double *sum = xcalloc((size_t)c, sizeof(double)), *dot = xcalloc((size_t)c, sizeof(double));
    for (int w = 0; w < count * half * half; ++w)
        for (int i = 0; i < c; ++i) {
            size_t best = 0;
            double g = dpooled[(size_t)w * (size_t)c + (size_t)i];
            for (int k = 0; k < 4; ++k) {
                size_t at = window_pixel(w / (half * half), w / half % half, w % half, k, side, c) +
                            (size_t)i;
                best = k == 0 || (gamma[i] >= 0 ? y[at] > y[best] : y[at] < y[best]) ? at : best;
            }
            dy[best] = g;
            sum[i] += g;
            dot[i] += g * (y[best] - mean[i]) * inverse[i];
        }
    for (size_t p = 0; p < pixels; ++p)
        for (int i = 0; i < c; ++i) {
            size_t at = p * (size_t)c + (size_t)i;
            double hat = (y[at] - mean[i]) * inverse[i];
            dy[at] = gamma[i] * inverse[i] * (dy[at] - (sum[i] + hat * dot[i]) / (double)pixels);
        }
    free(sum);
    free(dot);
}
