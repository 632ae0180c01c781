/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurand: the host interface. XORWOW, MRG32k3a, Philox4_32_10 and Sobol (3667 dimensions, one after the
 * other in the output) give NVIDIA's numbers in NVIDIA's default (and legacy) order: outputs come in turn from T parallel
 * sequences, each with its own state, and one turn of a sequence yields a number, a Box-Muller pair
 * or (Philox) four. Uniform numbers are bit-equal; normal ones as near as the mathematical library.
 * MT19937, MTGP32, scrambled Sobol and Poisson but Sobol's have the right distribution, but not NVIDIA's
 * sequence, and say so.
 * Papers: Marsaglia, "Xorshift RNGs"; L'Ecuyer, "Good parameters ... for combined multiple
 * recursive generators"; Salmon et al., "Parallel random numbers"; Matsumoto and Nishimura,
 * "Mersenne twister"; Hoermann, "The transformed rejection method for generating Poisson random
 * variables". */
#include "base/arena.h"
#include "libraries/library.h"
#include "libraries/sobol.h"

#include <curand.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAIL_IF(condition, status)                                                                 \
    do {                                                                                           \
        if (condition)                                                                             \
            return status;                                                                         \
    } while (0)

enum {
    MAGIC = 0x676b7264,
    XORWOW_SEQUENCES = 4096,
    MRG_SEQUENCES = 81920,
    PHILOX_SEQUENCES = 65536
};

typedef enum {
    DRAW_U32,
    DRAW_U64,
    DRAW_UNIFORM,
    DRAW_UNIFORM_DOUBLE,
    DRAW_NORMAL,
    DRAW_NORMAL_DOUBLE,
    DRAW_POISSON,
} Draw;

typedef struct {
    uint32_t d, v[5];
} Xorwow;
typedef struct {
    uint32_t a[3], b[3];
} Mrg;

struct curandGenerator_st {
    uint32_t magic;
    curandRngType_t type;
    bool host, seeded; /* seeded: the states below are made */
    unsigned long long seed, offset;
    void *stream;
    size_t cursor; /* the sequence (Philox: output of a round of all sequences) whose turn it is */
    Xorwow *xorwow;
    Mrg *mrg;
    uint64_t *philox; /* counters */
    uint32_t mt[624];
    int mt_at;
    unsigned dimensions;        /* of Sobol */
    uint64_t point;             /* number of the next one */
    uint64_t (*directions)[64]; /* of each dimension, once seeded */
};

static bool quasi(const struct curandGenerator_st *g)
{
    return g->type >= CURAND_RNG_QUASI_DEFAULT;
}
static bool scrambled(const struct curandGenerator_st *g)
{
    return g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ||
           g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}
/* Numbers of 64 bits. */
static bool long_form(const struct curandGenerator_st *g)
{
    return g->type == CURAND_RNG_QUASI_SOBOL64 || g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

/* --- XORWOW -------------------------------------------------------------------------------- */

static uint32_t xorwow_next(Xorwow *s)
{
    uint32_t t = s->v[0] ^ (s->v[0] >> 2);
    s->v[0] = s->v[1];
    s->v[1] = s->v[2];
    s->v[2] = s->v[3];
    s->v[3] = s->v[4];
    s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
    s->d += 362437;
    return s->v[4] + s->d;
}

/* A jump is a matrix of 160 bits by 160: its image of each single bit. */
typedef struct {
    uint32_t of_bit[160][5];
} Jump;

static void jump_apply(const Jump *jump, uint32_t v[5])
{
    uint32_t sum[5] = {0};
    for (int bit = 0; bit < 160; bit++)
        if (v[bit / 32] >> bit % 32 & 1)
            for (int i = 0; i < 5; i++)
                sum[i] ^= jump->of_bit[bit][i];
    memcpy(v, sum, sizeof sum);
}

/* 2^67 steps, by squaring one step. The sum d moves by 2^67 * 362437 = 0 modulo 2^32. */
static void jump_make(Jump *jump)
{
    Jump *square = xmalloc(sizeof *square);
    for (int bit = 0; bit < 160; bit++) {
        Xorwow s = {0};
        s.v[bit / 32] = 1u << bit % 32;
        xorwow_next(&s);
        memcpy(jump->of_bit[bit], s.v, sizeof s.v);
    }
    for (int power = 0; power < 67; power++) {
        *square = *jump;
        for (int bit = 0; bit < 160; bit++)
            jump_apply(square, jump->of_bit[bit]);
    }
    free(square);
}

static void xorwow_seed(curandGenerator_t g)
{
    uint32_t s0 = (uint32_t)g->seed ^ 0xaad26b49u, s1 = (uint32_t)(g->seed >> 32) ^ 0xf7dcefddu;
    uint32_t t0 = 1099087573u * s0, t1 = 2591861531u * s1;
    Xorwow first = {
        .d = 6615241u + t1 + t0,
        .v = {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0}};
    Jump *jump = xmalloc(sizeof *jump);
    jump_make(jump);
    g->xorwow = xrealloc(g->xorwow, XORWOW_SEQUENCES * sizeof *g->xorwow);
    for (int i = 0; i < XORWOW_SEQUENCES; i++) {
        g->xorwow[i] = first;
        jump_apply(jump, first.v);
    }
    free(jump);
}

/* --- MRG32k3a ------------------------------------------------------------------------------ */

static const uint64_t mrg_m1 = 4294967087u, mrg_m2 = 4294944443u;

/* 1 to m1. */
static uint32_t mrg_next(Mrg *s)
{
    uint64_t p = 1403580 * (uint64_t)s->a[1] + 810728 * (mrg_m1 - s->a[0]);
    uint64_t q = 527612 * (uint64_t)s->b[2] + 1370589 * (mrg_m2 - s->b[0]);
    p %= mrg_m1;
    q %= mrg_m2;
    s->a[0] = s->a[1], s->a[1] = s->a[2], s->a[2] = (uint32_t)p;
    s->b[0] = s->b[1], s->b[1] = s->b[2], s->b[2] = (uint32_t)q;
    return (uint32_t)(p > q ? p - q : p + mrg_m1 - q);
}

typedef struct {
    uint64_t at[3][3];
} Matrix;

static Matrix matrix_square(const Matrix *x, uint64_t m)
{
    Matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            uint64_t sum = 0;
            for (int k = 0; k < 3; k++)
                sum = (sum + x->at[i][k] * x->at[k][j] % m) % m;
            out.at[i][j] = sum;
        }
    return out;
}

static void matrix_apply(const Matrix *x, uint32_t v[3], uint64_t m)
{
    uint32_t out[3];
    for (int i = 0; i < 3; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < 3; k++)
            sum += x->at[i][k] * v[k] % m;
        out[i] = (uint32_t)(sum % m);
    }
    memcpy(v, out, sizeof out);
}

/* Sequences lie 2^76 steps apart. */
static void mrg_seed(curandGenerator_t g)
{
    Mrg s = {{12345, 12345, 12345}, {12345, 12345, 12345}};
    if (g->seed) {
        uint64_t x = (uint32_t)g->seed ^ 0x55555555u, y = (uint32_t)(g->seed >> 32) ^ 0xaaaaaaaau;
        for (int i = 0; i < 3; i++) {
            s.a[i] = (uint32_t)((i == 1 ? y : x) * 12345 % mrg_m1);
            s.b[i] = (uint32_t)((i == 1 ? x : y) * 12345 % mrg_m2);
        }
    }
    Matrix a = {{{0, 1, 0}, {0, 0, 1}, {mrg_m1 - 810728, 1403580, 0}}};
    Matrix b = {{{0, 1, 0}, {0, 0, 1}, {mrg_m2 - 1370589, 0, 527612}}};
    for (int i = 0; i < 76; i++) {
        a = matrix_square(&a, mrg_m1);
        b = matrix_square(&b, mrg_m2);
    }
    g->mrg = xrealloc(g->mrg, MRG_SEQUENCES * sizeof *g->mrg);
    for (int i = 0; i < MRG_SEQUENCES; i++) {
        g->mrg[i] = s;
        matrix_apply(&a, s.a, mrg_m1);
        matrix_apply(&b, s.b, mrg_m2);
    }
}

/* --- Philox -------------------------------------------------------------------------------- */

static void philox_block(uint64_t counter, uint64_t sequence, uint64_t key, uint32_t out[4])
{
    uint32_t c[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)sequence,
                     (uint32_t)(sequence >> 32)};
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xD2511F53u * c[0], q = (uint64_t)0xCD9E8D57u * c[2];
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k0, (uint32_t)q,
                                  (uint32_t)(p >> 32) ^ c[3] ^ k1, (uint32_t)p};
        memcpy(c, next, sizeof c);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    memcpy(out, c, sizeof c);
}

/* --- Mersenne twister ---------------------------------------------------------------------- */

static void mt_seed(curandGenerator_t g)
{
    g->mt[0] = (uint32_t)g->seed ^ (uint32_t)(g->seed >> 32);
    for (int i = 1; i < 624; i++)
        g->mt[i] = 1812433253u * (g->mt[i - 1] ^ g->mt[i - 1] >> 30) + (uint32_t)i;
    g->mt_at = 624;
}

static uint32_t mt_next(curandGenerator_t g)
{
    if (g->mt_at == 624) {
        for (int i = 0; i < 624; i++) {
            uint32_t y = (g->mt[i] & 0x80000000u) | (g->mt[(i + 1) % 624] & 0x7fffffffu);
            g->mt[i] = g->mt[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        g->mt_at = 0;
    }
    uint32_t y = g->mt[g->mt_at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* --- distributions ------------------------------------------------------------------------- */

static float uniform_float(uint32_t x)
{
    return (float)x * 0x1p-32f + 0x1p-33f;
}
static double uniform_double(uint32_t x, uint32_t y)
{
    return (double)((uint64_t)x ^ (uint64_t)y << 21) * 0x1p-53 + 0x1p-54;
}
/* Two independent normal numbers from two uniform ones in (0, 1]. */
static void box_muller(double u, double v, double out[2])
{
    double radius = sqrt(-2 * log(u));
    out[0] = radius * sin(2 * M_PI * v);
    out[1] = radius * cos(2 * M_PI * v);
}

/* The inverse of the normal distribution: Newton's method, from a bound that it approaches from one
 * side (the distribution is convex below 0). */
static double normal_inverse(double p)
{
    if (p > 0.5)
        return -normal_inverse(1 - p);
    double x = -sqrt(-2 * log(p));
    x = x > -0.1 ? -0.1 : x;
    for (int i = 0; i < 60; i++) {
        double density = exp(-0.5 * x * x) * 0.39894228040143268;
        double error = 0.5 * erfc(-x * 0.70710678118654752) - p, step = error / density;
        step /= 1 + 0.5 * x * step; /* Halley's correction */
        x -= step;
        if (fabs(step) < 1e-15 * (1 + fabs(x)))
            break;
    }
    return x;
}

static uint32_t next_u32(curandGenerator_t g)
{
    uint32_t x, four[4];
    switch ((int)g->type) {
    case CURAND_RNG_PSEUDO_XORWOW:
        x = xorwow_next(&g->xorwow[g->cursor]);
        g->cursor = (g->cursor + 1) % XORWOW_SEQUENCES;
        return x;
    case CURAND_RNG_PSEUDO_MRG32K3A:
        x = mrg_next(&g->mrg[g->cursor]);
        g->cursor = (g->cursor + 1) % MRG_SEQUENCES;
        return (uint32_t)((double)x * 1.000000048662);
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        philox_block(g->philox[g->cursor / 4], g->cursor / 4, g->seed, four);
        x = four[g->cursor % 4];
        if (g->cursor % 4 == 3)
            g->philox[g->cursor / 4]++;
        g->cursor = (g->cursor + 1) % (PHILOX_SEQUENCES * 4);
        return x;
    default:
        return mt_next(g);
    }
}

/* One or two numbers (normal pairs) of a draw as double; how many. */
static int draw(curandGenerator_t g, Draw kind, double out[4])
{
    bool wide = kind == DRAW_UNIFORM_DOUBLE || kind == DRAW_NORMAL_DOUBLE;
    bool normal = kind == DRAW_NORMAL || kind == DRAW_NORMAL_DOUBLE;
    if (g->type == CURAND_RNG_PSEUDO_MRG32K3A) {
        Mrg *s = &g->mrg[g->cursor];
        g->cursor = (g->cursor + 1) % MRG_SEQUENCES;
        double unit = 1 / 4294967087.0, u = mrg_next(s) * unit;
        if (normal)
            box_muller(u, mrg_next(s) * unit, out);
        else
            out[0] = u;
        return normal ? 2 : 1;
    }
    if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        /* A sequence's turn gives four floats, or four doubles of two blocks. Numbers of a turn are
         * looked up one by one, so that calls may end inside it. */
        size_t lane = g->cursor % 4, sequence = g->cursor / 4;
        uint64_t block = g->philox[sequence] + (wide ? lane / 2 : 0);
        uint32_t x[4];
        philox_block(block, sequence, g->seed, x);
        if (wide && normal) {
            double pair[2];
            box_muller(uniform_double(x[0], x[1]), uniform_double(x[2], x[3]), pair);
            out[0] = pair[lane % 2];
        } else if (wide) {
            out[0] = uniform_double(x[lane % 2 * 2], x[lane % 2 * 2 + 1]);
        } else if (normal) {
            double pair[2];
            box_muller((double)uniform_float(x[lane & 2]), (double)uniform_float(x[(lane & 2) + 1]),
                       pair);
            out[0] = pair[lane % 2];
        } else {
            out[0] = (double)uniform_float(x[lane]);
        }
        if (lane == 3)
            g->philox[sequence] += wide ? 2 : 1;
        g->cursor = (g->cursor + 1) % (PHILOX_SEQUENCES * 4);
        return 1;
    }
    /* XORWOW: all words of a turn from one sequence. */
    int words = (wide ? 2 : 1) * (normal ? 2 : 1);
    uint32_t x[4] = {0};
    size_t cursor = g->cursor;
    for (int i = 0; i < words; i++) {
        g->cursor = cursor;
        x[i] = next_u32(g);
    }
    double u = wide ? uniform_double(x[0], x[1]) : (double)uniform_float(x[0]);
    if (!normal) {
        out[0] = u;
        return 1;
    }
    box_muller(u, wide ? uniform_double(x[2], x[3]) : (double)uniform_float(x[1]), out);
    return 2;
}

/* Knuth's product for small means; Hoermann's PTRS above. */
static unsigned poisson(curandGenerator_t g, double lambda)
{
    double u[4];
    if (lambda < 30) {
        double limit = exp(-lambda), product = 1;
        for (unsigned k = 0;; k++) {
            draw(g, DRAW_UNIFORM_DOUBLE, u);
            product *= u[0];
            if (product <= limit)
                return k;
        }
    }
    double root = sqrt(lambda), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        draw(g, DRAW_UNIFORM_DOUBLE, u);
        double x = u[0] - 0.5, us = 0.5 - fabs(x);
        draw(g, DRAW_UNIFORM_DOUBLE, u);
        double v = u[0], k = floor((2 * a / us + b) * x + lambda + 0.43);
        if (us >= 0.07 && v <= v_r)
            return (unsigned)k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <=
            -lambda + k * log(lambda) - lgamma(k + 1))
            return (unsigned)k;
    }
}

/* --- the work ------------------------------------------------------------------------------ */

typedef struct {
    LibCall head;
    curandGenerator_t generator;
    Draw kind;
    bool logarithmic;
    void *out;
    size_t count;
    double mean, deviation;
} Work;

static void make_states(curandGenerator_t g)
{
    if (g->seeded)
        return;
    g->seeded = true;
    g->cursor = 0;
    g->point = g->offset;
    switch ((int)g->type) {
    case CURAND_RNG_PSEUDO_XORWOW:
        xorwow_seed(g);
        for (size_t i = 0; i < XORWOW_SEQUENCES; i++) {
            uint64_t turns = g->offset / XORWOW_SEQUENCES + (i < g->offset % XORWOW_SEQUENCES);
            while (turns--)
                xorwow_next(&g->xorwow[i]);
        }
        g->cursor = g->offset % XORWOW_SEQUENCES;
        break;
    case CURAND_RNG_PSEUDO_MRG32K3A:
        mrg_seed(g);
        for (size_t i = 0; i < MRG_SEQUENCES; i++) {
            uint64_t turns = g->offset / MRG_SEQUENCES + (i < g->offset % MRG_SEQUENCES);
            while (turns--)
                mrg_next(&g->mrg[i]);
        }
        g->cursor = g->offset % MRG_SEQUENCES;
        break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        g->philox = xrealloc(g->philox, PHILOX_SEQUENCES * sizeof *g->philox);
        g->cursor = g->offset % (PHILOX_SEQUENCES * 4);
        for (size_t i = 0; i < PHILOX_SEQUENCES; i++)
            g->philox[i] = g->offset / (PHILOX_SEQUENCES * 4) + (i < g->cursor / 4);
        break;
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_MTGP32:
        mt_seed(g);
        break;
    default:
        g->directions = xrealloc(g->directions, g->dimensions * sizeof *g->directions);
        for (unsigned d = 0; d < g->dimensions; d++)
            sobol_vectors(d, scrambled(g), g->directions[d]);
    }
}

static size_t width(Draw kind)
{
    return kind == DRAW_U64 || kind == DRAW_UNIFORM_DOUBLE || kind == DRAW_NORMAL_DOUBLE ? 8 : 4;
}

static double moved(const Work *w, double v)
{
    if (w->kind == DRAW_NORMAL || w->kind == DRAW_NORMAL_DOUBLE)
        v = w->mean + w->deviation * v;
    return w->logarithmic ? exp(v) : v;
}

static void put(const Work *w, void *out, size_t i, double v)
{
    if (width(w->kind) == 8)
        ((double *)out)[i] = moved(w, v);
    else
        ((float *)out)[i] = (float)moved(w, v);
}

/* Poisson's distribution function from `first` on, where it is neither 0 nor 1 to a double's precision. */
typedef struct {
    unsigned first, count;
    double *below;
} Distribution;

static Distribution poisson_table(double lambda)
{
    double reach = 12 * sqrt(lambda) + 40, first = floor(lambda > reach ? lambda - reach : 0),
           sum = 0;
    Distribution d = {.first = (unsigned)first, .count = (unsigned)(lambda + reach - first)};
    d.below = xcalloc(d.count, sizeof *d.below);
    double chance = exp(first * log(lambda) - lambda - lgamma(first + 1));
    for (unsigned i = 0; i < d.count; i++) {
        d.below[i] = sum += chance;
        chance *= lambda / (first + i + 1);
    }
    return d;
}

/* The least number that is not exceeded with probability u. */
static unsigned poisson_inverse(const Distribution *d, double u)
{
    unsigned low = 0, high = d->count - 1;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (d->below[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return d->first + low;
}

/* One number of Sobol's, in the upper bits of x, as what was asked for. */
static void put_quasi(const Work *w, const Distribution *poisson, void *out, size_t i, uint64_t x)
{
    bool wide = width(w->kind) == 8 || w->kind == DRAW_POISSON;
    bool normal = w->kind == DRAW_NORMAL || w->kind == DRAW_NORMAL_DOUBLE;
    uint64_t top = x >> 32;
    double u = !wide                     ? (double)uniform_float((uint32_t)top)
               : long_form(w->generator) ? (double)(x >> 11) * 0x1p-53 + 0x1p-54
                                         : (double)top * 0x1p-32 + (normal ? 0x1p-33 : 0x1p-32);
    if (w->kind == DRAW_U32)
        ((uint32_t *)out)[i] = (uint32_t)top;
    else if (w->kind == DRAW_U64)
        ((uint64_t *)out)[i] = x;
    else if (w->kind == DRAW_POISSON)
        ((uint32_t *)out)[i] = poisson_inverse(poisson, u);
    else
        put(w, out, i, normal ? normal_inverse(u) : u);
}

/* All points of the first dimension, then all of the second, ... Point i is the exclusive or of the vectors
 * that i's Gray code names, so that the next one differs by one vector. */
static void fill_quasi(const Work *w, void *out)
{
    curandGenerator_t g = w->generator;
    size_t points = w->count / g->dimensions;
    uint64_t mask = long_form(g) ? UINT64_MAX : UINT32_MAX;
    Distribution poisson = {0};
    if (w->kind == DRAW_POISSON)
        poisson = poisson_table(w->mean);
    for (unsigned d = 0; d < g->dimensions; d++) {
        uint64_t i = g->point & mask, gray = i ^ i >> 1;
        uint64_t x = scrambled(g) ? sobol_shift(d) : 0;
        for (int bit = 0; bit < 64; bit++)
            x ^= gray >> bit & 1 ? g->directions[d][bit] : 0;
        for (size_t k = 0; k < points; k++) {
            put_quasi(w, &poisson, out, d * points + k, x);
            uint64_t zeros = ~i & mask;
            x ^= zeros ? g->directions[d][__builtin_ctzll(zeros)] : 0;
            i = (i + 1) & mask;
        }
    }
    free(poisson.below);
    g->point += points;
}

static void fill(const Work *w, void *out)
{
    curandGenerator_t g = w->generator;
    make_states(g);
    if (quasi(g)) {
        fill_quasi(w, out);
        return;
    }
    for (size_t i = 0; i < w->count;) {
        if (w->kind == DRAW_U32) {
            ((uint32_t *)out)[i++] = next_u32(g);
            continue;
        }
        if (w->kind == DRAW_POISSON) {
            ((uint32_t *)out)[i++] = poisson(g, w->mean);
            continue;
        }
        double values[4];
        int got = draw(g, w->kind, values);
        for (int k = 0; k < got && i < w->count; k++, i++)
            put(w, out, i, values[k]);
    }
}

static void run_work(LibCall *head)
{
    Work *w = (Work *)head;
    void *out = lib_reach(head, "output", w->out, lib_bytes((int64_t)w->count, width(w->kind)));
    if (out)
        fill(w, out);
}

void tell_order(const char *what)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const char *told[8];
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 8; i++) {
        if (told[i] == what)
            break;
        if (!told[i]) {
            told[i] = what;
            rt_message("cuRAND: %s: the distribution is right, the sequence is not NVIDIA's", what);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

static bool known(curandGenerator_t g)
{
    return g && g->magic == MAGIC;
}

static curandStatus_t generate(const char *name, curandGenerator_t g, Draw kind, void *out,
                               size_t count, double mean, double deviation, bool logarithmic)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    bool normal = kind == DRAW_NORMAL || kind == DRAW_NORMAL_DOUBLE;
    bool pairs = g->type == CURAND_RNG_PSEUDO_XORWOW || g->type == CURAND_RNG_PSEUDO_MRG32K3A ||
                 g->type == CURAND_RNG_PSEUDO_MT19937 || g->type == CURAND_RNG_PSEUDO_MTGP32;
    FAIL_IF((kind == DRAW_U64) != long_form(g) && (kind == DRAW_U64 || kind == DRAW_U32),
            CURAND_STATUS_TYPE_ERROR);
    FAIL_IF(quasi(g) && count % g->dimensions, CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    FAIL_IF(normal && pairs && count % 2, CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    FAIL_IF(kind == DRAW_POISSON && (!(mean > 0) || mean > 400000), CURAND_STATUS_OUT_OF_RANGE);
    if (kind == DRAW_POISSON && !quasi(g))
        tell_order("curandGeneratePoisson");
    const Work work = {.head = {.run = run_work, .name = name},
                       .generator = g,
                       .kind = kind,
                       .logarithmic = logarithmic,
                       .out = out,
                       .count = count,
                       .mean = mean,
                       .deviation = deviation};
    if (!count)
        return CURAND_STATUS_SUCCESS;
    if (g->host) {
        fill(&work, out);
        return CURAND_STATUS_SUCCESS;
    }
    return lib_submit(rt_stream(g->stream, false), &work.head, sizeof work, false)
               ? CURAND_STATUS_LAUNCH_FAILURE
               : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned int *out, size_t n)
{
    return generate("curandGenerate", g, DRAW_U32, out, n, 0, 0, false);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n)
{
    return generate("curandGenerateLongLong", g, DRAW_U64, out, n, 0, 0, false);
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    return generate("curandGenerateUniform", g, DRAW_UNIFORM, out, n, 0, 0, false);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n)
{
    return generate("curandGenerateUniformDouble", g, DRAW_UNIFORM_DOUBLE, out, n, 0, 0, false);
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean,
                                    float stddev)
{
    return generate("curandGenerateNormal", g, DRAW_NORMAL, out, n, (double)mean, (double)stddev,
                    false);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean,
                                          double stddev)
{
    return generate("curandGenerateNormalDouble", g, DRAW_NORMAL_DOUBLE, out, n, mean, stddev,
                    false);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean,
                                       float stddev)
{
    return generate("curandGenerateLogNormal", g, DRAW_NORMAL, out, n, (double)mean, (double)stddev,
                    true);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n,
                                             double mean, double stddev)
{
    return generate("curandGenerateLogNormalDouble", g, DRAW_NORMAL_DOUBLE, out, n, mean, stddev,
                    true);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int *out, size_t n,
                                     double lambda)
{
    return generate("curandGeneratePoisson", g, DRAW_POISSON, out, n, lambda, 0, false);
}

/* --- generators ---------------------------------------------------------------------------- */

static curandStatus_t create(curandGenerator_t *out, curandRngType_t type, bool host)
{
    FAIL_IF(!out, CURAND_STATUS_NOT_INITIALIZED);
    type = type == CURAND_RNG_PSEUDO_DEFAULT  ? CURAND_RNG_PSEUDO_XORWOW
           : type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32
                                              : type;
    switch ((int)type) {
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
        break;
    case CURAND_RNG_PSEUDO_MTGP32:
        tell_order("CURAND_RNG_PSEUDO_MTGP32 (here MT19937)");
        break;
    case CURAND_RNG_PSEUDO_MT19937:
        tell_order("CURAND_RNG_PSEUDO_MT19937");
        break;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        tell_order("scrambled Sobol");
        break;
    default:
        return CURAND_STATUS_TYPE_ERROR;
    }
    FAIL_IF(!host && lib_begin("cuRAND"), CURAND_STATUS_INITIALIZATION_FAILED);
    curandGenerator_t g = xcalloc(1, sizeof *g);
    g->magic = MAGIC;
    g->type = type;
    g->host = host;
    g->dimensions = 1;
    *out = g;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

/* Numbers that are under way are made before a generator changes. */
static void settle(curandGenerator_t g)
{
    RtStream *stream = g->host ? NULL : rt_stream(g->stream, false);
    if (stream && !rt_capture_status(stream, NULL, NULL))
        rt_stream_wait(stream);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    settle(g);
    g->magic = 0;
    free(g->xorwow);
    free(g->mrg);
    free(g->philox);
    free(g->directions);
    free(g);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    settle(g);
    FAIL_IF(!g->host && !rt_stream(stream, false), CURAND_STATUS_TYPE_ERROR);
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    FAIL_IF(quasi(g), CURAND_STATUS_TYPE_ERROR);
    settle(g);
    g->seed = seed;
    g->seeded = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    FAIL_IF(g->type == CURAND_RNG_PSEUDO_MTGP32 || g->type == CURAND_RNG_PSEUDO_MT19937,
            CURAND_STATUS_TYPE_ERROR);
    settle(g);
    g->offset = offset;
    g->seeded = false;
    return CURAND_STATUS_SUCCESS;
}

/* The default, the best and the legacy order are one. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    if (quasi(g))
        return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                      : CURAND_STATUS_OUT_OF_RANGE;
    if (order == CURAND_ORDERING_PSEUDO_SEEDED || order == CURAND_ORDERING_PSEUDO_DYNAMIC)
        rt_refuse("cuRAND's seeded and dynamic ordering");
    FAIL_IF(order != CURAND_ORDERING_PSEUDO_DEFAULT && order != CURAND_ORDERING_PSEUDO_BEST &&
                order != CURAND_ORDERING_PSEUDO_LEGACY,
            CURAND_STATUS_OUT_OF_RANGE);
    settle(g);
    g->seeded = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned int dimensions)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    FAIL_IF(!quasi(g), CURAND_STATUS_TYPE_ERROR);
    FAIL_IF(dimensions < 1 || dimensions > 20000, CURAND_STATUS_OUT_OF_RANGE);
    if (dimensions > sobol_dimensions()) {
        rt_refuse("a Sobol generator of more than 3667 dimensions");
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    settle(g);
    g->dimensions = dimensions;
    g->seeded = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t g)
{
    FAIL_IF(!known(g), CURAND_STATUS_NOT_INITIALIZED);
    settle(g);
    make_states(g);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
    FAIL_IF(!version, CURAND_STATUS_OUT_OF_RANGE);
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    FAIL_IF(!value || (unsigned)type > PATCH_LEVEL, CURAND_STATUS_OUT_OF_RANGE);
    *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
             : type == MINOR_VERSION ? CURAND_VER_MINOR
                                     : 0;
    return CURAND_STATUS_SUCCESS;
}
