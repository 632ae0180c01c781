/* SPDX-License-Identifier: Apache-2.0
 * Products of matrix fragments (mma, mma.sp) by one warp. The layouts are those of the PTX manual,
 * "Matrix Fragments for mma"; products are whole numbers, also those of floating-point types, so that
 * every order of sums gives the same. */
#include "ops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = 4096, SIDE = 256, LANES = 32 };

typedef struct {
    unsigned m, n, k, bits[2]; /* of an element of A and of B */
    char type[2][8];
    bool sparse, saturates, counts_and, is_float;
    unsigned selector;
} Shape;

static unsigned bits_of(const char *type)
{
    return strcmp(type, "tf32") == 0                               ? 32
           : strcmp(type, "f16") == 0 || strcmp(type, "bf16") == 0 ? 16
           : type[0] == 'e'                                        ? 8
                                                                   : (unsigned)atoi(type + 1);
}

static Shape shape_of(const char *name)
{
    Shape s = {0};
    const char *at = strstr(name, ".m"), *types = strstr(name, "32.");
    if (sscanf(at, ".m%un%uk%u", &s.m, &s.n, &s.k) != 3)
        abort();
    at = strstr(name, ".row.col.") + 9;
    s.saturates = strncmp(at, "satfinite.", 10) == 0;
    types = at + (s.saturates ? 10 : 0);
    if (sscanf(types, "%*[a-z0-9].%7[a-z0-9].%7[a-z0-9].", s.type[0], s.type[1]) != 2)
        abort();
    s.sparse = strncmp(name, "mma.sp", 6) == 0;
    s.is_float = types[0] == 'f';
    s.counts_and = strstr(name, ".and.popc") != NULL;
    at = strrchr(name, ' '); /* "... 2": the selector */
    s.selector = at ? (unsigned)atoi(at + 1) : 0;
    for (int i = 0; i < 2; ++i)
        s.bits[i] = bits_of(s.type[i]);
    return s;
}

static unsigned registers(unsigned elements, unsigned bits)
{
    return elements * bits / 32 / LANES;
}

static unsigned a_registers(const Shape *s)
{
    return registers(s->m * s->k / (s->sparse ? 2 : 1), s->bits[0]);
}

static unsigned b_registers(const Shape *s)
{
    return registers(s->n * s->k, s->bits[1]);
}

static void put_vector(Buf *out, const char *letter, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        buf_printf(out, "%s%s%u", i ? ", " : "{", letter, i);
    buf_puts(out, "}");
}

void matrix_text(const char *name, Buf *out)
{
    Shape s = shape_of(name);
    unsigned a = a_registers(&s), b = b_registers(&s), c = s.m * s.n / LANES;
    buf_printf(out, ".visible .entry k(.param .u64 words)\n{\n"
                    ".reg .b32 t, m, a<16>, b<16>, c<16>, d<16>;\n.reg .b64 in;\n"
                    "ld.param.u64 in, [words];\nmov.u32 t, %%tid.x;\nmad.wide.u32 in, t, 4, in;\n");
    for (unsigned i = 0; i < a; ++i)
        buf_printf(out, "ld.global.u32 a%u, [in+%u];\n", i, i * 128);
    for (unsigned i = 0; i < b; ++i)
        buf_printf(out, "ld.global.u32 b%u, [in+%u];\n", i, 2048 + i * 128);
    for (unsigned i = 0; i < c; ++i)
        buf_printf(out, "ld.global.u32 c%u, [in+%u];\n", i, 4096 + i * 128);
    buf_puts(out, "ld.global.u32 m, [in+8192];\n");
    buf_add(out, name, strcspn(name, " "));
    buf_puts(out, " ");
    put_vector(out, "d", c);
    buf_puts(out, ", ");
    put_vector(out, "a", a);
    buf_puts(out, ", ");
    put_vector(out, "b", b);
    buf_puts(out, ", ");
    put_vector(out, "c", c);
    if (s.sparse)
        buf_printf(out, ", m, %u", s.selector);
    buf_puts(out, ";\n");
    for (unsigned i = 0; i < c; ++i)
        buf_printf(out, "st.global.u32 [in+%u], d%u;\n", 4 * OUT + i * 128, i);
    buf_puts(out, "ret;\n}\n");
}

/* ---- values ---- */

static uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x45d9f3b;
    x = (x ^ x >> 16) * 0x45d9f3b;
    return x ^ x >> 16;
}

/* A whole number of -4 to 4 in that type's bits. */
static uint32_t small_number(const char *type, uint32_t random)
{
    int v = (int)(random % 9) - 4;
    float f = (float)v;
    uint32_t word;
    memcpy(&word, &f, 4);
    uint32_t sign = word >> 31, exponent = v ? (word >> 23 & 255) - 127 : 0,
             top = word >> 20 & 7; /* three bits of the fraction are enough */
    if (strcmp(type, "tf32") == 0)
        return word;
    if (strcmp(type, "bf16") == 0)
        return word >> 16;
    if (!v)
        return 0;
    if (strcmp(type, "f16") == 0)
        return sign << 15 | (exponent + 15) << 10 | top << 7;
    if (strcmp(type, "e5m2") == 0)
        return sign << 7 | (exponent + 15) << 2 | top >> 1;
    return sign << 7 | (exponent + 7) << 3 | top; /* e4m3 */
}

static double value_of(const char *type, unsigned bits, uint32_t x)
{
    uint32_t word = x;
    float f;
    if (bits < 32)
        x &= (1u << bits) - 1;
    if (type[0] == 'u' || bits == 1)
        return x;
    if (type[0] == 's')
        return (int32_t)(x << (32 - bits)) >> (32 - bits);
    bool wide = strcmp(type, "e5m2") == 0 || strcmp(type, "f16") == 0;
    unsigned fraction = strcmp(type, "f16") == 0 ? 10 : strcmp(type, "e5m2") == 0 ? 2 : 3;
    if (bits >= 16 && strcmp(type, "f16") != 0) {
        word = bits == 16 ? x << 16 : x;
        memcpy(&f, &word, 4);
        return f;
    }
    if (!(x & ((1u << (bits - 1)) - 1)))
        return 0;
    int exponent = (int)(x >> fraction & (wide ? 31 : 15)) - (wide ? 15 : 7);
    double v = ldexp(1 + ldexp((double)(x & ((1u << fraction) - 1)), -(int)fraction), exponent);
    return x >> (bits - 1) ? -v : v;
}

void matrix_fill(const char *name, uint32_t *words)
{
    Shape s = shape_of(name);
    static const uint8_t pairs[6] = {4, 8, 12, 9, 13, 14}; /* two of four, ascending */
    for (uint32_t i = 0; i < SPECIAL_WORDS; ++i) {
        uint32_t x = mixed(i + 1), word = 0;
        unsigned which = i >= 512;
        if (i >= 2048 && i < 2048 + LANES) { /* metadata */
            for (unsigned k = 0; k < 8; ++k) {
                uint32_t r = mixed(x + k);
                word |= (uint32_t)(s.bits[0] == 32 ? (r & 1 ? 14 : 4) : pairs[r % 6]) << 4 * k;
            }
        } else if (i >= 1024) { /* C: now and then near the ends */
            float f = (float)((int)(x % 2001) - 1000);
            word = x;
            if (s.is_float)
                memcpy(&word, &f, 4);
            else if (s.saturates && x % 3)
                word = 0x7fffff80u + x % 200;
            else
                word = x % 100000;
        } else if (s.is_float) {
            for (unsigned k = 0; k < 32 / s.bits[which]; ++k)
                word |= small_number(s.type[which], mixed(x + k)) << (k * s.bits[which] % 32);
        } else {
            word = x;
        }
        words[i] = i >= OUT ? 0x5a5a5a5a : word;
    }
}

/* ---- the matrices ---- */

static double a_matrix[16][SIDE], b_matrix[SIDE][8];

/* Element e of a register. */
static double element(const Shape *s, unsigned which, uint32_t word, unsigned e)
{
    return value_of(s->type[which], s->bits[which], word >> e * s->bits[which] % 32);
}

/* The dense columns that the elements of a sparse register stand in. */
static unsigned sparse_column(const Shape *s, const uint32_t *metadata, unsigned row, unsigned at)
{
    unsigned bits = s->bits[0],
             nonzero = bits == 4    ? 4
                       : bits == 32 ? 1
                                    : 2,
             chunk = at / nonzero, k = at % nonzero, group = row % 8 * 4,
             chunks = s->k / (2 * nonzero), lanes = chunks / 4, nibble;
    if (lanes < 4)
        group += s->selector * lanes;
    if (bits <= 8)
        nibble = metadata[group + chunk / 8 * 2 + row / 8] >> chunk % 8 * 4;
    else
        nibble = metadata[group + chunk / 4] >> (chunk % 4 * 4 + row / 8 * 16);
    if (bits == 32)
        return 2 * chunk + (nibble >> 3 & 1);
    if (bits == 4)
        return 8 * chunk + 2 * (nibble >> 2 * (k / 2) & 3) + k % 2;
    return 4 * chunk + (nibble >> 2 * k & 3);
}

static void read_matrices(const Shape *s, const uint32_t *words)
{
    unsigned bands = s->m / 8, per = 32 / s->bits[0];
    memset(a_matrix, 0, sizeof a_matrix);
    for (unsigned r = 0; r < a_registers(s); ++r)
        for (unsigned lane = 0; lane < LANES; ++lane)
            for (unsigned e = 0; e < per; ++e) {
                unsigned row = lane / 4 + 8 * (r % bands),
                         at = (r / bands * 4 + lane % 4) * per + e;
                a_matrix[row][s->sparse ? sparse_column(s, words + 2048, row, at) : at] =
                    element(s, 0, words[r * 32 + lane], e);
            }
    per = 32 / s->bits[1];
    for (unsigned r = 0; r < b_registers(s); ++r)
        for (unsigned lane = 0; lane < LANES; ++lane)
            for (unsigned e = 0; e < per; ++e)
                b_matrix[(r * 4 + lane % 4) * per + e][lane / 4] =
                    element(s, 1, words[512 + r * 32 + lane], e);
}

void matrix_expect(const char *name, uint32_t *words, bool *any)
{
    Shape s = shape_of(name);
    (void)any;
    read_matrices(&s, words);
    for (unsigned r = 0; r < s.m * s.n / LANES; ++r)
        for (unsigned lane = 0; lane < LANES; ++lane) {
            unsigned row = lane / 4 + 8 * (r / 2), column = lane % 4 * 2 + r % 2;
            double sum = 0;
            for (unsigned k = 0; k < s.k; ++k) {
                double a = a_matrix[row][k], b = b_matrix[k][column];
                sum += s.bits[0] > 1 ? a * b : s.counts_and ? a && b : a != b;
            }
            uint32_t c = words[1024 + r * 32 + lane], d;
            float f;
            memcpy(&f, &c, 4);
            if (s.is_float) {
                f += (float)sum;
                memcpy(&d, &f, 4);
            } else {
                int64_t whole = (int64_t)(int32_t)c + (int64_t)sum;
                if (s.saturates && whole > INT32_MAX)
                    whole = INT32_MAX;
                if (s.saturates && whole < INT32_MIN)
                    whole = INT32_MIN;
                d = (uint32_t)whole;
            }
            words[OUT + r * 32 + lane] = d;
        }
}
