/* SPDX-License-Identifier: Apache-2.0
 * Matrix fragments and products, see matrix.h. Layouts: PTX ISA, "Matrix Fragments for mma". */
#include "launch/matrix.h"

#include "base/arena.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/* ---- where everything goes, worked out once per operation ---- */

enum { MAX_ELEMENTS = 8 * LANES * 4, PLANS = 16 };

typedef struct {
    GkMatrixOp op;
    bool known, product;
    uint16_t count[4], at[4][MAX_ELEMENTS]; /* A, B, C, D: place in the matrix of element e of the registers */
} Plan;

static unsigned row_length(unsigned fragment)
{
    return fragment == FRAGMENT_A ? MAX_K : MAX_N;
}

static unsigned nowhere(unsigned fragment) /* one element behind the matrix */
{
    return fragment == FRAGMENT_B ? MAX_K * MAX_N : MAX_M * row_length(fragment);
}

static void plan_part(Plan *plan, unsigned part, MatrixFragment fragment, uint8_t type, unsigned registers)
{
    const GkMatrixOp *op = &plan->op;
    unsigned bytes = element_bytes(type), per = bytes >= 4 ? 1 : 4 / bytes;
    if (registers > 8)
        registers = 8;
    unsigned own = elements(op, fragment, type, registers);
    plan->count[part] = (uint16_t)(registers * per * LANES);
    for (unsigned e = 0; e < plan->count[part]; ++e) {
        unsigned lane = e / per % LANES, i = e / (per * LANES) * per + e % per;
        Place p = place(op, fragment, lane, i);
        plan->at[part][e] = (uint16_t)(i < own ? p.row * row_length(fragment) + p.column : nowhere(fragment));
    }
}

static uint8_t fragment_type(const GkMatrixOp *op)
{
    return op->fragment == FRAGMENT_A ? op->type_a : op->fragment == FRAGMENT_B ? op->type_b : op->type_c;
}

static const Plan *plan_of(const GkMatrixOp *op, bool product)
{
    /* a pointer only: a library that programs open late has little room for thread-local data */
    static _Thread_local Plan *plans;
    static _Thread_local unsigned next;
    if (!plans)
        plans = xcalloc(PLANS, sizeof *plans);
    for (unsigned i = 0; i < PLANS; ++i) /* kernels use a few */
        if (plans[i].known && plans[i].product == product && memcmp(&plans[i].op, op, sizeof *op) == 0)
            return &plans[i];
    Plan *plan = &plans[next++ % PLANS];
    plan->op = *op;
    plan->known = true;
    plan->product = product;
    if (product) {
        plan_part(plan, 0, FRAGMENT_A, op->type_a, op->registers_a);
        plan_part(plan, 1, FRAGMENT_B, op->type_b, op->registers_b);
        plan_part(plan, 2, FRAGMENT_C, op->type_c, op->registers_c);
        plan_part(plan, 3, FRAGMENT_C, op->type_d, op->registers_d);
    } else {
        plan_part(plan, 3, (MatrixFragment)op->fragment, fragment_type(op), op->registers_d);
    }
    return plan;
}

/* ---- products ---- */

/* Halves to floats: the vector unit's conversion where there is one. */
typedef void HalfCopy(const void *from, float *to, unsigned n);
static void half_plain(const void *from, float *to, unsigned n)
{
    for (unsigned i = 0; i < n; ++i)
        to[i] = (float)decode(MATRIX_F16, (const char *)from + 2 * i);
}

typedef void FloatCore(unsigned m, unsigned n, unsigned k, const float *a, const float *b, float *c);
static void float_plain(unsigned m, unsigned n, unsigned k, const float *a, const float *b, float *c)
{
    for (unsigned i = 0; i < m; ++i)
        for (unsigned q = 0; q < k; ++q)
            for (unsigned j = 0; j < n; ++j)
                c[i * MAX_N + j] = fmaf(a[i * MAX_K + q], b[q * MAX_N + j], c[i * MAX_N + j]);
}

typedef void DoubleCore(unsigned m, unsigned n, unsigned k, const double *a, const double *b, double *c);
static void double_plain(unsigned m, unsigned n, unsigned k, const double *a, const double *b, double *c)
{
    for (unsigned i = 0; i < m; ++i)
        for (unsigned q = 0; q < k; ++q)
            for (unsigned j = 0; j < n; ++j)
                c[i * MAX_N + j] = fma(a[i * MAX_K + q], b[q * MAX_N + j], c[i * MAX_N + j]);
}

typedef void IntegerCore(unsigned m, unsigned n, unsigned k, const int32_t *a, const int32_t *b, int32_t *c);
static void integer_plain(unsigned m, unsigned n, unsigned k, const int32_t *a, const int32_t *b, int32_t *c)
{
    for (unsigned i = 0; i < m; ++i)
        for (unsigned q = 0; q < k; ++q) {
            uint32_t x = (uint32_t)a[i * MAX_K + q];
            for (unsigned j = 0; j < n; ++j)
                c[i * MAX_N + j] = (int32_t)((uint32_t)c[i * MAX_N + j] + x * (uint32_t)b[q * MAX_N + j]);
        }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void integer_avx2(unsigned m, unsigned n, unsigned k, const int32_t *a,
                                                         const int32_t *b, int32_t *c)
{
    for (unsigned i = 0; i < m; i += 2) /* rows in pairs: two chains of sums */
        for (unsigned j = 0; j < n; j += 8) {
            const int32_t *x = a + (size_t)i * MAX_K;
            int32_t *z = c + (size_t)i * MAX_N + j;
            __m256i s0 = _mm256_loadu_si256((const __m256i *)z), s1 = _mm256_loadu_si256((const __m256i *)(z + MAX_N));
            for (unsigned q = 0; q < k; ++q) {
                __m256i y = _mm256_loadu_si256((const __m256i *)(b + (size_t)q * MAX_N + j));
                s0 = _mm256_add_epi32(s0, _mm256_mullo_epi32(_mm256_set1_epi32(x[q]), y));
                s1 = _mm256_add_epi32(s1, _mm256_mullo_epi32(_mm256_set1_epi32(x[MAX_K + q]), y));
            }
            _mm256_storeu_si256((__m256i *)z, s0);
            _mm256_storeu_si256((__m256i *)(z + MAX_N), s1);
        }
}
#endif

static HalfCopy *half_copy = half_plain;
static FloatCore *float_core = float_plain;
static DoubleCore *double_core = double_plain;
static IntegerCore *integer_core = integer_plain;

#if defined(__x86_64__)
/* Shapes have 8, 16 or 32 columns and an even number of rows (8, 16, 32). */
__attribute__((target("avx512f"))) static void half_avx512(const void *from, float *to, unsigned n)
{
    for (unsigned i = 0; i < n; i += 16) /* n: a multiple of 64 */
        _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)((const char *)from + 2 * i))));
}

__attribute__((target("avx512f,avx2,fma"))) static void float_avx512(unsigned m, unsigned n, unsigned k, const float *a,
                                                                     const float *b, float *c)
{
    for (unsigned i = 0; i < m; i += 4) {
        const float *x = a + (size_t)i * MAX_K;
        float *z = c + (size_t)i * MAX_N;
        for (unsigned j = 0; j < n && n % 16 == 0; j += 16) {
            __m512 s0 = _mm512_loadu_ps(z + j), s1 = _mm512_loadu_ps(z + MAX_N + j);
            __m512 s2 = _mm512_loadu_ps(z + 2 * MAX_N + j), s3 = _mm512_loadu_ps(z + 3 * MAX_N + j);
            for (unsigned q = 0; q < k; ++q) {
                __m512 y = _mm512_loadu_ps(b + (size_t)q * MAX_N + j);
                s0 = _mm512_fmadd_ps(_mm512_set1_ps(x[q]), y, s0);
                s1 = _mm512_fmadd_ps(_mm512_set1_ps(x[MAX_K + q]), y, s1);
                s2 = _mm512_fmadd_ps(_mm512_set1_ps(x[2 * MAX_K + q]), y, s2);
                s3 = _mm512_fmadd_ps(_mm512_set1_ps(x[3 * MAX_K + q]), y, s3);
            }
            _mm512_storeu_ps(z + j, s0);
            _mm512_storeu_ps(z + MAX_N + j, s1);
            _mm512_storeu_ps(z + 2 * MAX_N + j, s2);
            _mm512_storeu_ps(z + 3 * MAX_N + j, s3);
        }
        for (unsigned j = 0; j < n && n % 16; j += 8)
            for (unsigned r = 0; r < 4; ++r) {
                __m256 sum = _mm256_loadu_ps(z + (size_t)r * MAX_N + j);
                for (unsigned q = 0; q < k; ++q)
                    sum = _mm256_fmadd_ps(_mm256_set1_ps(x[(size_t)r * MAX_K + q]), _mm256_loadu_ps(b + (size_t)q * MAX_N + j), sum);
                _mm256_storeu_ps(z + (size_t)r * MAX_N + j, sum);
            }
    }
}

__attribute__((target("avx2,fma"))) static void double_fma(unsigned m, unsigned n, unsigned k, const double *a,
                                                           const double *b, double *c)
{
    for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; j += 8) {
            double *z = c + (size_t)i * MAX_N + j;
            __m256d s0 = _mm256_loadu_pd(z), s1 = _mm256_loadu_pd(z + 4);
            for (unsigned q = 0; q < k; ++q) {
                __m256d x = _mm256_set1_pd(a[(size_t)i * MAX_K + q]);
                const double *y = b + (size_t)q * MAX_N + j;
                s0 = _mm256_fmadd_pd(x, _mm256_loadu_pd(y), s0);
                s1 = _mm256_fmadd_pd(x, _mm256_loadu_pd(y + 4), s1);
            }
            _mm256_storeu_pd(z, s0);
            _mm256_storeu_pd(z + 4, s1);
        }
}
#endif

static void choose_core(void)
{
    fill_half_table();
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        half_copy = half_avx512, float_core = float_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        double_core = double_fma, integer_core = integer_avx2;
#endif
}

static void put_float(const Plan *plan, unsigned part, uint8_t type, const void *registers, float *matrix)
{
    float all[MAX_ELEMENTS];
    unsigned n = plan->count[part], bytes = element_bytes(type);
    if (type == MATRIX_F16)
        half_copy(registers, all, n);
    else if (type == MATRIX_F32)
        memcpy(all, registers, 4 * (size_t)n);
    else
        for (unsigned e = 0; e < n; ++e)
            all[e] = (float)decode(type, (const char *)registers + (size_t)bytes * e);
    for (unsigned e = 0; e < n; ++e)
        matrix[plan->at[part][e]] = all[e];
}

static void mma_float(const Plan *plan, const void *a, const void *b, const void *c, void *d)
{
    float x[MAX_M * MAX_K + 1], y[MAX_K * MAX_N + 1], z[MAX_M * MAX_N + 1];
    const GkMatrixOp *op = &plan->op;
    put_float(plan, 0, op->type_a, a, x);
    put_float(plan, 1, op->type_b, b, y);
    put_float(plan, 2, op->type_c, c, z);
    z[MAX_M * MAX_N] = 0;
    float_core(op->m, op->n, op->k, x, y, z);
    for (unsigned e = 0; e < plan->count[3]; ++e) {
        float v = z[plan->at[3][e]];
        if (op->type_d == MATRIX_F16)
            ((uint16_t *)d)[e] = encode_half(v);
        else if (op->type_d == MATRIX_BF16)
            ((uint16_t *)d)[e] = encode_bf16(v);
        else
            ((float *)d)[e] = v;
    }
}

static void mma_double(const Plan *plan, const void *a, const void *b, const void *c, void *d)
{
    double x[MAX_M * MAX_K + 1], y[MAX_K * MAX_N + 1], z[MAX_M * MAX_N + 1];
    const GkMatrixOp *op = &plan->op;
    for (unsigned e = 0; e < plan->count[0]; ++e)
        x[plan->at[0][e]] = ((const double *)a)[e];
    for (unsigned e = 0; e < plan->count[1]; ++e)
        y[plan->at[1][e]] = ((const double *)b)[e];
    for (unsigned e = 0; e < plan->count[2]; ++e)
        z[plan->at[2][e]] = ((const double *)c)[e];
    z[MAX_M * MAX_N] = 0;
    double_core(op->m, op->n, op->k, x, y, z);
    for (unsigned e = 0; e < plan->count[3]; ++e)
        ((double *)d)[e] = z[plan->at[3][e]];
}

static void put_integer(const Plan *plan, unsigned part, uint8_t type, const void *registers, int32_t *matrix)
{
    unsigned n = plan->count[part];
    const uint16_t *at = plan->at[part];
    if (type == MATRIX_S8)
        for (unsigned e = 0; e < n; ++e)
            matrix[at[e]] = ((const int8_t *)registers)[e];
    else if (type == MATRIX_U8)
        for (unsigned e = 0; e < n; ++e)
            matrix[at[e]] = ((const uint8_t *)registers)[e];
    else
        for (unsigned e = 0; e < n; ++e)
            matrix[at[e]] = ((const int32_t *)registers)[e];
}

static void mma_integer(const Plan *plan, const void *a, const void *b, const void *c, void *d)
{
    int32_t x[MAX_M * MAX_K + 1], y[MAX_K * MAX_N + 1], z[MAX_M * MAX_N + 1], start[MAX_M * MAX_N + 1];
    const GkMatrixOp *op = &plan->op;
    put_integer(plan, 0, op->type_a, a, x);
    put_integer(plan, 1, op->type_b, b, y);
    put_integer(plan, 2, op->type_c, c, start);
    start[MAX_M * MAX_N] = 0;
    if (op->saturate) /* the products' sum fits; adding the start may not */
        memset(z, 0, sizeof z);
    else
        memcpy(z, start, sizeof z);
    integer_core(op->m, op->n, op->k, x, y, z);
    for (unsigned e = 0; e < plan->count[3]; ++e) {
        int32_t v = z[plan->at[3][e]];
        if (op->saturate) {
            int64_t sum = (int64_t)v + start[plan->at[3][e]];
            v = (int32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
        }
        ((int32_t *)d)[e] = v;
    }
}

void matrix_mma(const GkMatrixOp *op, const void *a, const void *b, const void *c, void *d)
{
    pthread_once(&half_once, choose_core);
    const Plan *plan = plan_of(op, true);
    if (op->type_d == MATRIX_F64)
        mma_double(plan, a, b, c, d);
    else if (op->type_d == MATRIX_S32)
        mma_integer(plan, a, b, c, d);
    else
        mma_float(plan, a, b, c, d);
}

/* Element e of the registers lies at `at` elements in memory; elements held twice are loaded twice. */
static uint64_t memory_at(const GkMatrixOp *op, uint32_t stride, Place p)
{
    return op->row ? (uint64_t)p.row * stride + p.column : (uint64_t)p.column * stride + p.row;
}

static Place place_at(const Plan *plan, unsigned e)
{
    unsigned at = plan->at[3][e];
    if (plan->op.fragment == FRAGMENT_A)
        return (Place){(uint8_t)(at / MAX_K), (uint8_t)(at % MAX_K)};
    return (Place){(uint8_t)(at / MAX_N), (uint8_t)(at % MAX_N)};
}

void matrix_load(const GkMatrixOp *op, const void *memory, uint32_t stride, void *registers)
{
    const Plan *plan = plan_of(op, false);
    unsigned bytes = element_bytes(fragment_type(op)), n = plan->count[3], none = nowhere(op->fragment);
    for (unsigned e = 0; e < n; ++e) {
        if (plan->at[3][e] == none) { /* not used by products */
            memset((char *)registers + (size_t)bytes * e, 0, bytes);
            continue;
        }
        const char *from = (const char *)memory + memory_at(op, stride, place_at(plan, e)) * bytes;
        if (bytes == 2)
            memcpy((char *)registers + 2 * (size_t)e, from, 2);
        else if (bytes == 4)
            memcpy((char *)registers + 4 * (size_t)e, from, 4);
        else
            memcpy((char *)registers + (size_t)bytes * e, from, bytes);
    }
}

void matrix_store(const GkMatrixOp *op, void *memory, uint32_t stride, const void *registers)
{
    const Plan *plan = plan_of(op, false);
    unsigned bytes = element_bytes(fragment_type(op)), n = plan->count[3], none = nowhere(op->fragment);
    for (unsigned e = 0; e < n; ++e) {
        if (plan->at[3][e] == none)
            continue;
        char *to = (char *)memory + memory_at(op, stride, place_at(plan, e)) * bytes;
        if (bytes == 4)
            memcpy(to, (const char *)registers + 4 * (size_t)e, 4);
        else
            memcpy(to, (const char *)registers + (size_t)bytes * e, bytes);
    }
}
