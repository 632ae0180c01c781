/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens OpenBLAS; conversions between half precision and float (blas.h). */
#include "libraries/blas.h"

#include "libraries/library.h"

#include <complex.h>
#include <dlfcn.h>
#include <string.h>

Blas blas;
const unsigned char blas_zero[16];

const void *blas_one(int type)
{
    static const float one_float[2] = {1, 0};
    static const double one_double[2] = {1, 0};
    return type == TYPE_S || type == TYPE_C ? (const void *)one_float : one_double;
}

bool blas_open(const char *purpose)
{
    static const char *const files[] = {"libopenblas.so.0", "libopenblas.so", NULL};
    static LibFile file = {
        .package = "libopenblas0", .files = files, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (!file.purpose)
        file.purpose = purpose;
    static void *unused;
    const LibSymbol symbols[] = {
#define PLACE(symbol, field, type)                                                                 \
    {symbol ? symbol : "cblas_sgemm", symbol ? (void *)&blas.field[type] : (void *)&unused},
#define ROW(field, s, d, c, z, result, params)                                                     \
    PLACE(s, field, TYPE_S) PLACE(d, field, TYPE_D) PLACE(c, field, TYPE_C) PLACE(z, field, TYPE_Z)
#include "libraries/blas.def"
#undef PLACE
    };
    if (!lib_open(&file, symbols, sizeof symbols / sizeof *symbols))
        return false;
    void *set = lib_threads() > 0 ? dlsym(file.handle, "openblas_set_num_threads") : NULL;
    if (set) {
        void (*set_threads)(int);
        memcpy(&set_threads, &set, sizeof set);
        set_threads(lib_threads());
    }
    return true;
}

#define LU(name, type)                                                                             \
    static int name(int m, int n, type *a, int lda)                                                \
    {                                                                                              \
        int bad = 0;                                                                               \
        for (int k = 0; k < m && k < n; k++) {                                                     \
            type *column = a + (int64_t)k * lda, pivot = column[k];                                \
            if (pivot == 0) {                                                                      \
                bad = bad ? bad : k + 1;                                                           \
                continue;                                                                          \
            }                                                                                      \
            for (int i = k + 1; i < m; i++)                                                        \
                column[i] /= pivot;                                                                \
            for (int j = k + 1; j < n; j++) {                                                      \
                type *other = a + (int64_t)j * lda, factor = other[k];                             \
                for (int i = k + 1; i < m; i++)                                                    \
                    other[i] -= column[i] * factor;                                                \
            }                                                                                      \
        }                                                                                          \
        return bad;                                                                                \
    }
LU(lu_s, float)
LU(lu_d, double)
LU(lu_c, float complex)
LU(lu_z, double complex)

int blas_lu(int type, int m, int n, void *a, int lda)
{
    return type == TYPE_S   ? lu_s(m, n, a, lda)
           : type == TYPE_D ? lu_d(m, n, a, lda)
           : type == TYPE_C ? lu_c(m, n, a, lda)
                            : lu_z(m, n, a, lda);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
    if (rest >= 0x7c00)
        return float_of(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    /* As a float whose exponent is 112 too small; the product moves it, and subnormals with it. */
    return float_of(sign | bits_of(float_of(rest << 13) * 0x1p112f));
}

uint16_t float_to_half(float value)
{
    uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return (uint16_t)(sign | 0x7fff);
    if (rest >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) /* subnormal: the addition rounds to its last place */
        return (uint16_t)(sign | (bits_of(float_of(rest) + 0.5f) - 0x3f000000));
    return (uint16_t)(sign | (((rest + 0xfff + (rest >> 13 & 1)) >> 13) - 0x1c000));
}

float bfloat_to_float(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}

uint16_t float_to_bfloat(float value)
{
    uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
