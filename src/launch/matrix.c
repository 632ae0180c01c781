/* SPDX-License-Identifier: Apache-2.0
 * Matrix fragments and products, see matrix.h. Layouts: PTX ISA, "Matrix Fragments for mma". */
#include "launch/matrix.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { LANES = 32, MAX_M = 32, MAX_N = 32, MAX_K = 64 };

/* ---- elements ---- */

static float half_table[65536];
static pthread_once_t half_once = PTHREAD_ONCE_INIT;

static float decode_half(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    float v;
    if (exponent == 31)
        v = fraction ? NAN : INFINITY;
    else if (exponent)
        v = ldexpf((float)(1024 + fraction), exponent - 25);
    else
        v = ldexpf((float)fraction, -24);
    return h & 0x8000 ? -v : v;
}

static void fill_half_table(void)
{
    for (uint32_t h = 0; h < 65536; ++h)
        half_table[h] = decode_half((uint16_t)h);
}

static uint16_t encode_half(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0x7fff;
    if (magnitude >= 0x477ff000) /* rounds to infinity */
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) { /* subnormal: units of 2^-24, ties to even */
        float scaled = ldexpf(fabsf(f), 24);
        return (uint16_t)(sign | (uint32_t)nearbyintf(scaled));
    }
    uint32_t odd = magnitude >> 13 & 1;
    magnitude += 0xfff + odd;
    return (uint16_t)(sign | ((magnitude >> 13) - 0x1c000));
}

static uint16_t encode_bf16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static unsigned element_bytes(uint8_t type)
{
    switch (type) {
    case MATRIX_F16:
    case MATRIX_BF16:
        return 2;
    case MATRIX_S8:
    case MATRIX_U8:
        return 1;
    case MATRIX_F64:
        return 8;
    default:
        return 4;
    }
}

static double decode(uint8_t type, const void *p)
{
    uint16_t h;
    uint32_t w;
    float f;
    double d;
    int32_t i;
    switch (type) {
    case MATRIX_F16:
        memcpy(&h, p, 2);
        return half_table[h];
    case MATRIX_BF16:
        memcpy(&h, p, 2);
        w = (uint32_t)h << 16;
        memcpy(&f, &w, 4);
        return f;
    case MATRIX_TF32: /* the unit ignores the low 13 bits */
        memcpy(&w, p, 4);
        w &= 0xffffe000u;
        memcpy(&f, &w, 4);
        return f;
    case MATRIX_F32:
        memcpy(&f, p, 4);
        return f;
    case MATRIX_F64:
        memcpy(&d, p, 8);
        return d;
    case MATRIX_S8:
        return *(const int8_t *)p;
    case MATRIX_U8:
        return *(const uint8_t *)p;
    default:
        memcpy(&i, p, 4);
        return i;
    }
}

/* ---- where elements lie ---- */

typedef struct {
    uint8_t row, column;
} Place;

/* Element i of a lane: i counts through the registers, `per` elements in each. */
static Place place(const GkMatrixOp *op, MatrixFragment fragment, unsigned lane, unsigned i)
{
    unsigned group = lane >> 2, t = lane & 3;
    uint8_t type = fragment == FRAGMENT_A ? op->type_a : fragment == FRAGMENT_B ? op->type_b : op->type_c;
    unsigned per = element_bytes(type) >= 4 ? 1 : 4 / element_bytes(type);
    if (op->wmma) {
        /* own layout: the matrix in row order, dealt out in equal runs */
        unsigned rows = fragment == FRAGMENT_B ? op->k : op->m, columns = fragment == FRAGMENT_A ? op->k : op->n;
        unsigned count = rows * columns / LANES, at = lane * count + i % count;
        return (Place){(uint8_t)(at / columns), (uint8_t)(at % columns)};
    }
    unsigned r = i / per, within = i % per;
    if (fragment == FRAGMENT_A) {
        unsigned bands = op->m / 8;
        return (Place){(uint8_t)(group + 8 * (r % bands)), (uint8_t)(r / bands * 4 * per + t * per + within)};
    }
    if (fragment == FRAGMENT_B)
        return (Place){(uint8_t)(r * 4 * per + t * per + within), (uint8_t)group};
    return (Place){(uint8_t)(group + 8 * (i >> 1)), (uint8_t)(2 * t + (i & 1))};
}

static unsigned elements(const GkMatrixOp *op, MatrixFragment fragment, uint8_t type, unsigned registers)
{
    unsigned bytes = element_bytes(type), all = bytes >= 4 ? registers : registers * (4 / bytes);
    if (!op->wmma)
        return all;
    unsigned rows = fragment == FRAGMENT_B ? op->k : op->m, columns = fragment == FRAGMENT_A ? op->k : op->n;
    unsigned own = rows * columns / LANES; /* wmma's half fragments hold everything twice */
    return own < all ? own : all;
}

static void *element(void *registers, uint8_t type, unsigned lane, unsigned i)
{
    unsigned bytes = element_bytes(type);
    if (bytes == 8)
        return (char *)registers + 8 * (i * LANES + lane);
    unsigned per = 4 / bytes;
    return (char *)registers + 4 * ((i / per) * LANES + lane) + bytes * (i % per);
}

/* ---- products ---- */

#define CORE(name, attribute)                                                                                          \
    attribute static void name(unsigned m, unsigned n, unsigned k, float (*a)[MAX_K], float (*b)[MAX_N],              \
                               float (*c)[MAX_N])                                                                      \
    {                                                                                                                  \
        for (unsigned i = 0; i < m; ++i)                                                                               \
            for (unsigned q = 0; q < k; ++q)                                                                           \
                for (unsigned j = 0; j < n; ++j)                                                                       \
                    c[i][j] = fmaf(a[i][q], b[q][j], c[i][j]);                                                         \
    }
#if defined(__x86_64__)
CORE(core_avx512, __attribute__((target("avx512f,fma"), optimize("O3"))))
CORE(core_fma, __attribute__((target("avx2,fma"), optimize("O3"))))
#endif
CORE(core_plain, )

typedef void Core(unsigned, unsigned, unsigned, float (*)[MAX_K], float (*)[MAX_N], float (*)[MAX_N]);
static Core *core = core_plain;

static void choose_core(void)
{
    fill_half_table();
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        core = core_avx512;
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        core = core_fma;
#endif
}

static void mma_float(const GkMatrixOp *op, void *a, void *b, void *c, void *d)
{
    float x[MAX_M][MAX_K], y[MAX_K][MAX_N], z[MAX_M][MAX_N];
    unsigned na = elements(op, FRAGMENT_A, op->type_a, op->registers_a);
    unsigned nb = elements(op, FRAGMENT_B, op->type_b, op->registers_b);
    unsigned nc = elements(op, FRAGMENT_C, op->type_c, op->registers_c);
    for (unsigned lane = 0; lane < LANES; ++lane) {
        for (unsigned i = 0; i < na; ++i) {
            Place p = place(op, FRAGMENT_A, lane, i);
            x[p.row][p.column] = (float)decode(op->type_a, element(a, op->type_a, lane, i));
        }
        for (unsigned i = 0; i < nb; ++i) {
            Place p = place(op, FRAGMENT_B, lane, i);
            y[p.row][p.column] = (float)decode(op->type_b, element(b, op->type_b, lane, i));
        }
        for (unsigned i = 0; i < nc; ++i) {
            Place p = place(op, FRAGMENT_C, lane, i);
            z[p.row][p.column] = (float)decode(op->type_c, element(c, op->type_c, lane, i));
        }
    }
    core(op->m, op->n, op->k, x, y, z);
    unsigned nd = elements(op, FRAGMENT_C, op->type_d, op->registers_d);
    for (unsigned lane = 0; lane < LANES; ++lane)
        for (unsigned i = 0; i < nd; ++i) {
            Place p = place(op, FRAGMENT_C, lane, i);
            void *to = element(d, op->type_d, lane, i);
            float v = z[p.row][p.column];
            uint16_t h;
            if (op->type_d == MATRIX_F16)
                h = encode_half(v), memcpy(to, &h, 2);
            else if (op->type_d == MATRIX_BF16)
                h = encode_bf16(v), memcpy(to, &h, 2);
            else
                memcpy(to, &v, 4);
        }
}

static void mma_exact(const GkMatrixOp *op, void *a, void *b, void *c, void *d)
{
    double x[MAX_M][MAX_K], y[MAX_K][MAX_N], z[MAX_M][MAX_N];
    unsigned na = elements(op, FRAGMENT_A, op->type_a, op->registers_a);
    unsigned nb = elements(op, FRAGMENT_B, op->type_b, op->registers_b);
    unsigned nc = elements(op, FRAGMENT_C, op->type_c, op->registers_c);
    for (unsigned lane = 0; lane < LANES; ++lane) {
        for (unsigned i = 0; i < na; ++i) {
            Place p = place(op, FRAGMENT_A, lane, i);
            x[p.row][p.column] = decode(op->type_a, element(a, op->type_a, lane, i));
        }
        for (unsigned i = 0; i < nb; ++i) {
            Place p = place(op, FRAGMENT_B, lane, i);
            y[p.row][p.column] = decode(op->type_b, element(b, op->type_b, lane, i));
        }
        for (unsigned i = 0; i < nc; ++i) {
            Place p = place(op, FRAGMENT_C, lane, i);
            z[p.row][p.column] = decode(op->type_c, element(c, op->type_c, lane, i));
        }
    }
    for (unsigned i = 0; i < op->m; ++i)
        for (unsigned q = 0; q < op->k; ++q)
            for (unsigned j = 0; j < op->n; ++j)
                z[i][j] = op->type_d == MATRIX_F64 ? fma(x[i][q], y[q][j], z[i][j]) : x[i][q] * y[q][j] + z[i][j];
    for (unsigned lane = 0; lane < LANES; ++lane)
        for (unsigned i = 0; i < nc; ++i) {
            Place p = place(op, FRAGMENT_C, lane, i);
            void *to = element(d, op->type_d, lane, i);
            double v = z[p.row][p.column];
            if (op->type_d == MATRIX_F64) {
                memcpy(to, &v, 8);
                continue;
            }
            /* sums of products of bytes stay far below 2^53: exact */
            int32_t w = op->saturate ? (int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v)
                                     : (int32_t)(uint32_t)(int64_t)v;
            memcpy(to, &w, 4);
        }
}

void matrix_mma(const GkMatrixOp *op, const void *a, const void *b, const void *c, void *d)
{
    pthread_once(&half_once, choose_core);
    if (op->type_d == MATRIX_F64 || op->type_d == MATRIX_S32)
        mma_exact(op, (void *)a, (void *)b, (void *)c, d);
    else
        mma_float(op, (void *)a, (void *)b, (void *)c, d);
}

static uint8_t fragment_type(const GkMatrixOp *op)
{
    return op->fragment == FRAGMENT_A ? op->type_a : op->fragment == FRAGMENT_B ? op->type_b : op->type_c;
}

void matrix_load(const GkMatrixOp *op, const void *memory, uint32_t stride, void *registers)
{
    uint8_t type = fragment_type(op);
    unsigned bytes = element_bytes(type), per = bytes >= 4 ? 1 : 4 / bytes;
    unsigned n = op->registers_d * per;
    for (unsigned lane = 0; lane < LANES; ++lane)
        for (unsigned i = 0; i < n; ++i) {
            Place p = place(op, (MatrixFragment)op->fragment, lane, i);
            uint64_t at = op->row ? (uint64_t)p.row * stride + p.column : (uint64_t)p.column * stride + p.row;
            memcpy(element(registers, type, lane, i), (const char *)memory + at * bytes, bytes);
        }
}

void matrix_store(const GkMatrixOp *op, void *memory, uint32_t stride, const void *registers)
{
    uint8_t type = fragment_type(op);
    unsigned bytes = element_bytes(type);
    unsigned n = elements(op, (MatrixFragment)op->fragment, type, op->registers_d);
    for (unsigned lane = 0; lane < LANES; ++lane)
        for (unsigned i = 0; i < n; ++i) {
            Place p = place(op, (MatrixFragment)op->fragment, lane, i);
            uint64_t at = op->row ? (uint64_t)p.row * stride + p.column : (uint64_t)p.column * stride + p.row;
            memcpy((char *)memory + at * bytes, element((void *)registers, type, lane, i), bytes);
        }
}
