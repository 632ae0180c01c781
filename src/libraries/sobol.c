/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurand: direction vectors for Sobol's sequence by Joe and Kuo's primitive polynomials and initial
 * numbers ("Constructing Sobol sequences with better two-dimensional projections", 2008), which Boost's header
 * has for 3667 dimensions: they equal NVIDIA's. The scrambled ones (Owen; Matousek, "On the L2-discrepancy
 * for anchored boxes") have random numbers of their own, where NVIDIA has others, and say so. */
#include "libraries/sobol.h"

#include "base/arena.h"
#include "libraries/library.h"
#include "sobol_table.h" /* from Boost's header, by CMake */

#include <curand.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NVIDIA_DIMENSIONS = 20000 };

unsigned sobol_dimensions(void)
{
    return sizeof polynomials / sizeof *polynomials + 1; /* the first has no polynomial */
}

static uint64_t hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t sobol_shift(unsigned dimension)
{
    return hash((uint64_t)dimension << 8 | 255);
}

/* Row r of the matrix gives bit r from the top: that bit itself and a random choice of those above it. */
static uint64_t scramble(unsigned dimension, uint64_t vector)
{
    uint64_t out = 0;
    for (unsigned row = 0; row < 64; row++) {
        uint64_t itself = UINT64_C(1) << (63 - row), above = ~(itself | (itself - 1));
        uint64_t choice = (hash((uint64_t)dimension << 8 | row) & above) | itself;
        out |= __builtin_parityll(choice & vector) ? itself : 0;
    }
    return out;
}

void sobol_vectors(unsigned dimension, bool scrambled, uint64_t v[64])
{
    unsigned polynomial = dimension ? polynomials[dimension - 1] : 0, degree = 0;
    while (polynomial >> (degree + 1))
        degree++;
    for (unsigned i = 0; i < 64; i++) {
        if (i < degree || !dimension) {
            uint64_t m = dimension ? initial_numbers[(dimension - 1) * DEGREES + i] : 1;
            v[i] = m << (63 - i);
            continue;
        }
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (unsigned k = 1; k < degree; k++)
            v[i] ^= polynomial >> (degree - k) & 1 ? v[i - k] : 0;
    }
    for (unsigned i = 0; i < 64 && scrambled; i++)
        v[i] = scramble(dimension, v[i]);
}

/* --- for the user's kernels ------------------------------------------------------------------ */

/* `count` rows in front of memory that may not be touched, as large as the rows that NVIDIA has more. */
static void *rows(size_t row, size_t count)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (row * count + page - 1) & ~(page - 1);
    char *map = mmap(NULL, used + row * (NVIDIA_DIMENSIONS - count), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return map == MAP_FAILED || mprotect(map, used, PROT_READ | PROT_WRITE)
               ? NULL
               : map + used - row * count;
}

static struct {
    pthread_mutex_t lock;
    void *vectors[2][2]; /* of 64 bits, scrambled */
    void *shifts[2];
} made = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *vectors(bool wide, bool scrambled)
{
    size_t count = sobol_dimensions();
    pthread_mutex_lock(&made.lock);
    void **table = &made.vectors[wide][scrambled];
    if (!*table) {
        *table = rows(
            wide ? sizeof(curandDirectionVectors64_t) : sizeof(curandDirectionVectors32_t), count);
        for (unsigned d = 0; d < count && *table; d++) {
            uint64_t v[64];
            sobol_vectors(d, scrambled, v);
            for (int i = 0; i < (wide ? 64 : 32); i++)
                if (wide)
                    ((curandDirectionVectors64_t *)*table)[d][i] = v[i];
                else
                    ((curandDirectionVectors32_t *)*table)[d][i] = (unsigned)(v[i] >> 32);
        }
    }
    pthread_mutex_unlock(&made.lock);
    return *table;
}

static void *shifts(bool wide)
{
    size_t count = sobol_dimensions();
    pthread_mutex_lock(&made.lock);
    void **table = &made.shifts[wide];
    if (!*table) {
        *table = rows(wide ? 8 : 4, count);
        for (unsigned d = 0; d < count && *table; d++)
            if (wide)
                ((unsigned long long *)*table)[d] = sobol_shift(d);
            else
                ((unsigned *)*table)[d] = (unsigned)(sobol_shift(d) >> 32);
    }
    pthread_mutex_unlock(&made.lock);
    return *table;
}

static curandStatus_t give(void *out, void *table, bool scrambled)
{
    if (!table)
        return CURAND_STATUS_ALLOCATION_FAILED;
    if (scrambled)
        tell_order("scrambled Sobol");
    *(void **)out = table;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *out[],
                                           curandDirectionVectorSet_t set)
{
    bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
    if (!out || (!scrambled && set != CURAND_DIRECTION_VECTORS_32_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    return give(out, vectors(false, scrambled), scrambled);
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *out[],
                                           curandDirectionVectorSet_t set)
{
    bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
    if (!out || (!scrambled && set != CURAND_DIRECTION_VECTORS_64_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    return give(out, vectors(true, scrambled), scrambled);
}

curandStatus_t curandGetScrambleConstants32(unsigned int **out)
{
    return out ? give(out, shifts(false), true) : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **out)
{
    return out ? give(out, shifts(true), true) : CURAND_STATUS_OUT_OF_RANGE;
}
