/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurand: sequences against what NVIDIA's host generators gave (libcurand 10.4 of CUDA 13.0,
 * whose documentation promises the same numbers on the device), in calls that end inside a turn;
 * the other distributions by their moments; documented statuses. */
#include "device_values.h"

#include <gpukit/gpukit.h>

#include <curand.h>
#include <stdbool.h>

#define OK(call) assert_int_equal(call, CURAND_STATUS_SUCCESS)

static uint64_t fnv(const void *data, size_t bytes)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    return hash;
}

/* 6000 integers, 90001 floats, 3001 doubles one after the other: FNV-1a of each. */
static const struct {
    int type;
    unsigned long long seed, offset;
    uint64_t hash[3];
} sequences[] = {
    {101, 0ull, 0, {0xb6aceed6d634d782ull, 0xdd11b54b86df76f0ull, 0x3303f60d52b3c77cull}},
    {101, 12345ull, 0, {0xebaf9b9d2ba4b120ull, 0xc7a9d1b9edbfa298ull, 0x74d5b79e50b94154ull}},
    {101,
     1099511627853ull,
     12345,
     {0x9cb3df3ea4b04112ull, 0x517fe7cb895118edull, 0x12256d06a2883680ull}},
    {121, 0ull, 0, {0xaca5f82dd10e7b20ull, 0x9ff1bc55f6f97eebull, 0x2dcdb7be14216c10ull}},
    {121, 12345ull, 0, {0xdbd4f180a887f08full, 0x8d0ed650cd9c08bdull, 0xe19e5248fbe716e0ull}},
    {121,
     1099511627853ull,
     12345,
     {0xfb45c370d1accde4ull, 0xd4e06e29bc5d7355ull, 0x778ab818eff91aeaull}},
    {161, 0ull, 0, {0xe676a12c990edd67ull, 0xcc62d28bffad0d19ull, 0x88f324136fa5b391ull}},
    {161, 12345ull, 0, {0x84dc7b574c1a5facull, 0xeb222cf30a298511ull, 0x4d3e2a97881f87abull}},
    {161,
     1099511627853ull,
     12345,
     {0x43463b8b423b1d3eull, 0x900df1183ce19afdull, 0x2ede157e6825cfd4ull}},
    {201, 0ull, 0, {0x5eaded77b2f8b2a5ull, 0xb5d514234186bddfull, 0x8cf2cb76c0fb7120ull}},
    {203, 0ull, 0, {0x5f6b2356a63b2625ull, 0xb5d514234186bddfull, 0x8686aa10c42afdf0ull}},
};
/* Of 20000 normal numbers (mean 0.5, deviation 2, seed 5): numbers 1, 2, 9001, 19999. */
static const struct {
    int type;
    float single[4];
    double wide[4];
} normals[] = {
    {101,
     {0.12846458f, 0.0882290304f, 0.825204134f, 1.46570826f},
     {3.288175821683641, -0.86564202616137975, -0.60277461817628986, 3.1025234123435381}},
    {121,
     {0.976082206f, 0.783080697f, -0.210052907f, 1.65091681f},
     {0.97608243699832498, 0.78308084845728232, -0.21005307512240445, 1.6509169931072403}},
    {161,
     {1.8225528f, 0.422607839f, -1.32912683f, -0.799192786f},
     {5.009400060835711, 3.1286816135977173, 1.5385642933223413, -2.8094227301198198}},
    {201,
     {0.5f, 1.84897947f, 1.78324544f, -3.16230679f},
     {0.50000000058361982, 1.8489795011248502, 1.7832454817876733, -3.1623069742793275}},
};

static curandGenerator_t generator(int type, unsigned long long seed, unsigned long long offset,
                                   int host)
{
    curandGenerator_t g;
    OK((host ? curandCreateGeneratorHost : curandCreateGenerator)(&g, (curandRngType_t)type));
    if (type < 200)
        OK(curandSetPseudoRandomGeneratorSeed(g, seed));
    if (type != 141 && type != 142)
        OK(curandSetGeneratorOffset(g, offset));
    return g;
}

static void bit_equal(void **state)
{
    (void)state;
    enum { N = 90001 };
    char *device, *buffer = malloc(N * 8);
    cudaMalloc((void **)&device, N * 8);
    for (size_t v = 0; v < sizeof sequences / sizeof *sequences; v++)
        for (int host = 0; host < 2; host++) {
            int type = sequences[v].type;
            curandGenerator_t g = generator(type, sequences[v].seed, sequences[v].offset, host);
            void *to = host ? buffer : device;
            static const size_t counts[3] = {6000, 90001, 3001};
            for (int kind = 0; kind < 3; kind++) {
                size_t width = kind == 2 || (kind == 0 && type == 203) ? 8 : 4, n = counts[kind];
                if (kind == 0 && type == 203)
                    OK(curandGenerateLongLong(g, to, n));
                else if (kind == 0)
                    OK(curandGenerate(g, to, n));
                else if (kind == 1)
                    OK(curandGenerateUniform(g, to, n));
                else
                    OK(curandGenerateUniformDouble(g, to, n));
                if (!host)
                    cudaMemcpy(buffer, device, n * width, cudaMemcpyDeviceToHost);
                if (fnv(buffer, n * width) != sequences[v].hash[kind])
                    fail_msg("type %d, seed %llu, kind %d, host %d: another sequence", type,
                             sequences[v].seed, kind, host);
            }
            OK(curandDestroyGenerator(g));
        }
    cudaFree(device);
    free(buffer);
}

static void normal_values(void **state)
{
    (void)state;
    enum { N = 20000 };
    static const int at[4] = {1, 2, 9001, 19999};
    float *single = malloc(N * sizeof *single), *logarithms = malloc(N * sizeof *logarithms);
    double *wide = malloc(N * sizeof *wide);
    for (size_t v = 0; v < sizeof normals / sizeof *normals; v++) {
        curandGenerator_t g = generator(normals[v].type, 5, 0, 1);
        OK(curandGenerateNormal(g, single, N, 0.5f, 2));
        OK(curandDestroyGenerator(g));
        g = generator(normals[v].type, 5, 0, 1);
        OK(curandGenerateNormalDouble(g, wide, N, 0.5, 2));
        OK(curandDestroyGenerator(g));
        g = generator(normals[v].type, 5, 0, 1);
        OK(curandGenerateLogNormal(g, logarithms, N, 0.5f, 2));
        OK(curandDestroyGenerator(g));
        for (int i = 0; i < 4; i++) {
            assert_true(fabsf(single[at[i]] - normals[v].single[i]) < 2e-5f);
            assert_true(fabs(wide[at[i]] - normals[v].wide[i]) < 1e-10);
            assert_true(fabsf(logf(logarithms[at[i]]) - single[at[i]]) < 2e-5f);
        }
    }
    free(single);
    free(logarithms);
    free(wide);
}

/* Mean and variance of n numbers within five standard errors; a chi-square of the low and high
 * byte. */
static void moments(void **state)
{
    (void)state;
    enum { N = 200000 };
    unsigned *x = malloc(N * sizeof *x);
    static const int types[] = {141, 142};
    for (int v = 0; v < 2; v++) {
        curandGenerator_t g = generator(types[v], 99, 0, 1);
        OK(curandGenerate(g, x, N));
        OK(curandDestroyGenerator(g));
        for (int shift = 0; shift <= 24; shift += 24) {
            double counts[256] = {0}, chi = 0;
            for (int i = 0; i < N; i++)
                counts[x[i] >> shift & 255]++;
            for (int i = 0; i < 256; i++)
                chi += (counts[i] - N / 256.0) * (counts[i] - N / 256.0) / (N / 256.0);
            assert_true(chi > 255 - 5 * 22.6 && chi < 255 + 5 * 22.6);
        }
    }
    /* the reference implementation's first numbers of seed 5489 */
    curandGenerator_t twister = generator(142, 5489, 0, 1);
    OK(curandGenerate(twister, x, 2));
    OK(curandDestroyGenerator(twister));
    assert_int_equal(x[0], 3499211612u);
    assert_int_equal(x[1], 581869302u);
    static const double means[] = {0.5, 10, 29, 31, 1000};
    for (int v = 0; v < 5; v++) {
        curandGenerator_t g = generator(101, 7, 0, 1);
        OK(curandGeneratePoisson(g, x, N, means[v]));
        OK(curandDestroyGenerator(g));
        double sum = 0, squares = 0, m = means[v];
        for (int i = 0; i < N; i++)
            sum += x[i], squares += (x[i] - m) * (x[i] - m);
        assert_true(fabs(sum / N - m) < 5 * sqrt(m / N));
        assert_true(fabs(squares / N - m) < 5 * sqrt((2 * m * m + m) / N));
    }
    free(x);
}

static void statuses(void **state)
{
    (void)state;
    curandGenerator_t g;
    float *p;
    cudaMalloc((void **)&p, 4096);
    assert_int_equal(curandCreateGenerator(&g, (curandRngType_t)7), CURAND_STATUS_TYPE_ERROR);
    assert_int_equal(curandGenerate(NULL, (void *)p, 2), CURAND_STATUS_NOT_INITIALIZED);
    g = generator(101, 0, 0, 0);
    assert_int_equal(curandGenerateNormal(g, p, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    assert_int_equal(curandGenerateLongLong(g, (void *)p, 2), CURAND_STATUS_TYPE_ERROR);
    assert_int_equal(curandGeneratePoisson(g, (void *)p, 2, -1), CURAND_STATUS_OUT_OF_RANGE);
    assert_int_equal(curandSetQuasiRandomGeneratorDimensions(g, 1), CURAND_STATUS_TYPE_ERROR);
    assert_int_equal(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT),
                     CURAND_STATUS_OUT_OF_RANGE);
    assert_int_equal(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED),
                     CURAND_STATUS_OUT_OF_RANGE);
    OK(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
    OK(curandGenerateUniform(g, p, 4096)); /* beyond the allocation */
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(gpukit_reset(NULL));
    OK(curandDestroyGenerator(g));
    assert_int_equal(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32), CURAND_STATUS_SUCCESS);
    assert_int_equal(curandSetQuasiRandomGeneratorDimensions(g, 0), CURAND_STATUS_OUT_OF_RANGE);
    assert_int_equal(curandSetQuasiRandomGeneratorDimensions(g, 3668), CURAND_STATUS_OUT_OF_RANGE);
    OK(curandSetQuasiRandomGeneratorDimensions(g, 3));
    assert_int_equal(curandGenerate(g, (void *)p, 7), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    assert_int_equal(curandSetPseudoRandomGeneratorSeed(g, 2), CURAND_STATUS_TYPE_ERROR);
    OK(curandDestroyGenerator(g));
}

/* Words of a table, first to last: equal to those of NVIDIA's library in all 3667 dimensions. */
static uint64_t fold(const void *words, size_t count, size_t width)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (width == 4 ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i])) *
               1099511628211u;
    return hash;
}

/* Each dimension's first 1024 numbers lie in 1024 intervals of one length, whatever the scrambling. */
static void covers(const uint32_t *numbers)
{
    bool seen[1024] = {false};
    for (int i = 0; i < 1024; i++) {
        assert_false(seen[numbers[i] >> 22]);
        seen[numbers[i] >> 22] = true;
    }
}

/* Wanted values, where not said otherwise: NVIDIA's host generators, libcurand of CUDA 13.0. */
static void several_dimensions(void **state)
{
    (void)state;
    curandDirectionVectors32_t *v32;
    curandDirectionVectors64_t *v64;
    OK(curandGetDirectionVectors32(&v32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    OK(curandGetDirectionVectors64(&v64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    assert_true(fold(v32, (size_t)3667 * 32, 4) == 0x741fc20a4df6de77u);
    assert_true(fold(v64, (size_t)3667 * 64, 8) == 0xfa13ab41f3e8604du);
    assert_int_equal(curandGetDirectionVectors32(&v32, CURAND_DIRECTION_VECTORS_64_JOEKUO6),
                     CURAND_STATUS_OUT_OF_RANGE);
    assert_int_equal(curandGetScrambleConstants32(NULL), CURAND_STATUS_OUT_OF_RANGE);

    static const uint32_t wanted[][6] = {
        {0, 0x80000000, 0, 0x80000000, 0, 0x80000000},
        {0xc0000000, 0x40000000, 0x40000000, 0xc0000000, 0x40000000, 0xc0000000},
        {0xe0000000, 0xa0000000, 0xe0000000, 0x20000000, 0x20000000, 0xe0000000}};
    static const unsigned poisson[] = {0, 10, 12, 8,  9, 14, 11, 6,  7, 11,
                                       0, 10, 8,  12, 9, 14, 6,  11, 8, 13};
    curandGenerator_t g;
    uint32_t out[4096], device[6];
    uint32_t *there;
    cudaMalloc((void **)&there, sizeof device);
    OK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32));
    OK(curandSetQuasiRandomGeneratorDimensions(g, 3));
    OK(curandGenerate(g, out, 6));
    assert_memory_equal(out, wanted[0], sizeof wanted[0]);
    OK(curandGenerate(g, out, 6));
    assert_memory_equal(out, wanted[1], sizeof wanted[1]);
    OK(curandSetGeneratorOffset(g, 5));
    OK(curandGenerate(g, out, 6));
    assert_memory_equal(out, wanted[2], sizeof wanted[2]);
    OK(curandDestroyGenerator(g));
    OK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
    OK(curandSetQuasiRandomGeneratorDimensions(g, 3));
    OK(curandSetGeneratorOffset(g, 5));
    OK(curandGenerate(g, there, 6));
    cudaMemcpy(device, there, sizeof device, cudaMemcpyDeviceToHost);
    assert_memory_equal(device, wanted[2], sizeof wanted[2]);
    OK(curandDestroyGenerator(g));
    OK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL64));
    OK(curandSetQuasiRandomGeneratorDimensions(g, 2));
    OK(curandGeneratePoisson(g, out, 20, 10.0));
    assert_memory_equal(out, poisson, sizeof poisson);
    OK(curandDestroyGenerator(g));

    /* Scrambled: our own numbers, by what they must be. */
    uint32_t *shift32;
    unsigned long long *shift64;
    curandDirectionVectors32_t *s32;
    OK(curandGetDirectionVectors32(&s32, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
    OK(curandGetScrambleConstants32(&shift32));
    OK(curandGetScrambleConstants64(&shift64));
    OK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32));
    OK(curandSetQuasiRandomGeneratorDimensions(g, 4));
    OK(curandGenerate(g, out, 4096));
    for (int d = 0; d < 4; d++) {
        covers(out + 1024 * d);
        assert_int_equal(out[1024 * d], shift32[d]);
        assert_int_equal(shift32[d], (uint32_t)(shift64[d] >> 32));
        assert_int_equal(out[1024 * d + 1], shift32[d] ^ s32[d][0]);
        assert_int_not_equal(s32[d][0], v32[d][0]);
        assert_true(s32[d][0] >> 31 && s32[d][31] & 1);
    }
    OK(curandDestroyGenerator(g));
    cudaFree(there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bit_equal), cmocka_unit_test(normal_values), cmocka_unit_test(moments),
        cmocka_unit_test(several_dimensions), cmocka_unit_test(statuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
