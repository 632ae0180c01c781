// SPDX-License-Identifier: Apache-2.0
// curand_kernel.h's MRG32k3a and Sobol: L'Ecuyer's first numbers, jumps against steps and against each other,
// Sobol points against their definition (with its direction vectors made here), values recorded from NVIDIA's
// own header (CUDA 13.0, built by nvcc, 2 December 2026), and Poisson numbers by mean and variance.
#include <cmath>
#include <cstdio>
#include <curand_kernel.h>

typedef unsigned long long u64;
static int wrong;
static void check(bool good, const char *what, int i, double got)
{
    if (!good && wrong++ < 8)
        printf("%s %d: got %.17g\n", what, i, got);
}

// The second dimension, of the polynomial x + 1: v[k] = v[k - 1] ^ v[k - 1] >> 1.
template <class Word> __host__ __device__ void directions(Word *v)
{
    v[0] = (Word)1 << (8 * sizeof(Word) - 1);
    for (int k = 1; k < 8 * (int)sizeof(Word); ++k)
        v[k] = v[k - 1] ^ v[k - 1] >> 1;
}

template <class State> __device__ void draw(State s, double *out)
{
    State a = s, b = s, c = s, d = s, e = s;
    for (int i = 0; i < 4; ++i) {
        *out++ = curand(&a);
        *out++ = curand_uniform(&b);
        *out++ = curand_uniform_double(&c);
        *out++ = curand_normal(&d);
        *out++ = curand_log_normal_double(&e, 0.5, 1.5);
    }
}
__global__ void recorded(double *out)
{
    curandStateMRG32k3a_t m;
    curand_init(0x123456789ull * 3, 7919 * 9, 3703703370369ull, &m);
    draw(m, out);
    unsigned v[32];
    directions(v);
    curandStateSobol32_t s;
    curand_init(v, 1234567u, &s);
    draw(s, out + 20);
    u64 w[64];
    directions(w);
    curandStateScrambledSobol64_t z;
    curand_init(w, 0xdeadbeefdeadbeefull, 7654321ull, &z);
    draw(z, out + 40);
}

__device__ bool equal(const curandStateMRG32k3a_t &s, const curandStateMRG32k3a_t &t)
{
    bool same = true;
    for (int i = 0; i < 3; ++i)
        same = same && s.s1[i] == t.s1[i] && s.s2[i] == t.s2[i];
    return same;
}
__global__ void mrg(double *out)
{
    curandStateMRG32k3a_t s, t;
    curand_init(0, 0, 0, &s);
    for (int i = 0; i < 3; ++i)
        out[i] = curand_uniform_double(&s);
    int same = 0; // 1000 steps; 2^13 jumps of 2^63 are one of 2^76, sequences are 2^51 subsequences
    curand_init(77, 5, 3, &s);
    curand_init(77, 5, 1003, &t);
    for (int i = 0; i < 1000; ++i)
        curand(&s);
    same += equal(s, t);
    for (int i = 0; i < 1 << 13; ++i)
        skipahead(1ull << 63, &s);
    skipahead_subsequence(1, &t);
    same += equal(s, t);
    skipahead_subsequence(1ull << 50, &s);
    skipahead_subsequence(1ull << 50, &s);
    skipahead_sequence(1, &t);
    same += equal(s, t);
    out[3] = same;
}

__device__ void start(unsigned *v, unsigned, unsigned at, curandStateSobol32_t *s) { curand_init(v, at, s); }
__device__ void start(u64 *v, u64, u64 at, curandStateSobol64_t *s) { curand_init(v, at, s); }
template <class Word, class State> __device__ void start(Word *v, Word scramble, Word at, State *s)
{
    curand_init(v, scramble, at, s);
}
template <class Word, class State> __global__ void sobol(Word *out, Word scramble)
{
    Word v[8 * sizeof(Word)];
    directions(v);
    State s;
    start(v, scramble, (Word)(threadIdx.x * 100), &s);
    skipahead(3, &s);
    for (int i = 0; i < 50; ++i)
        out[threadIdx.x * 50 + i] = curand(&s);
}
template <class Word, class State> static void check_sobol(const char *name, Word scramble)
{
    Word *out, v[8 * sizeof(Word)];
    directions(v);
    cudaMallocManaged(&out, 64 * 50 * sizeof(Word));
    void (*kernel)(Word *, Word) = sobol<Word, State>;
    kernel<<<1, 64>>>(out, scramble);
    check(!cudaDeviceSynchronize(), "cuda", 0, 0);
    for (int i = 0; i < 64 * 50; ++i) {
        Word index = (Word)(i / 50 * 100 + 3 + i % 50), gray = index ^ index >> 1, x = scramble;
        for (int bit = 0; bit < 20; ++bit)
            x ^= gray >> bit & 1 ? v[bit] : 0;
        check(out[i] == x, name, i, (double)out[i]);
    }
}

template <class State> __global__ void poisson(double lambda, double *sums)
{
    State s;
    curand_init(5, threadIdx.x + blockDim.x * blockIdx.x, 0, &s);
    for (int i = 0; i < 20; ++i) {
        double x = curand_poisson(&s, lambda);
        atomicAdd(&sums[0], x);
        atomicAdd(&sums[1], (x - lambda) * (x - lambda));
    }
}

int main()
{
    static const double expected[60] = {
        2595790240, 0.60437953472137451, 0.60437951244304844, -0.65577542781829834, 0.61652085892520647,
        3808170725, 0.88665884733200073, 0.88665884111814619, 0.75964736938476562, 5.1524453210743024,
        450303968, 0.10484456270933151, 0.10484456292179266, -2.1128175258636475, 0.069305832554882985,
        3151659228, 0.73380285501480103, 0.73380284671783336, -0.21576569974422455, 1.1928562294218807,
        2792044544, 0.65007352828979492, 0.65007352852262557, 0.38551899790763855, 2.9396145814919152,
        1449867264, 0.33757352828979492, 0.33757352852262557, -0.4190945029258728, 0.87928889038524616,
        3597350912, 0.83757352828979492, 0.83757352852262557, 0.98453402519226074, 7.2196122229159148,
        376125440, 0.087573528289794922, 0.087573528522625566, -1.3558495044708252, 0.21571994669307026,
        5.840751932514091e+18, 0.31662780046463013, 0.31662779670903424, -0.4771496057510376, 0.8059573865421622,
        1.0452437950941479e+19, 0.56662780046463013, 0.56662779670903429, 0.16779518127441406, 2.1205866777222799,
        1.2290659140867028e+18, 0.06662779301404953, 0.066627796709034237, -1.5013867616653442, 0.17341288230282545,
        1.2758280960155173e+19, 0.69162780046463013, 0.69162779670903429, 0.50046968460083008, 3.4928027928645062,
    };
    double *out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    recorded<<<1, 1>>>(out);
    check(!cudaDeviceSynchronize(), "cuda", 0, 0);
    for (int i = 0; i < 60; ++i) { // words and uniform numbers to the bit
        double allowed = i % 5 < 3 ? 0 : i % 5 == 3 ? 4e-7 : 1e-13 * fabs(expected[i]);
        check(fabs(out[i] - expected[i]) <= allowed, "recorded value", i, out[i]);
    }
    mrg<<<1, 1>>>(out);
    check(!cudaDeviceSynchronize(), "cuda", 0, 0);
    static const double lecuyer[3] = {0.127011122, 0.318527565, 0.309186016};
    for (int i = 0; i < 3; ++i)
        check(fabs(out[i] - lecuyer[i]) < 6e-10, "MRG32k3a", i, out[i]);
    check(out[3] == 3, "jumps", 3, out[3]);
    check_sobol<unsigned, curandStateSobol32_t>("Sobol32", 0);
    check_sobol<unsigned, curandStateScrambledSobol32_t>("scrambled Sobol32", 0xdeadbeefu);
    check_sobol<u64, curandStateSobol64_t>("Sobol64", 0);
    check_sobol<u64, curandStateScrambledSobol64_t>("scrambled Sobol64", 0xdeadbeef12345678ull);
    for (int i = 0; i < 3; ++i) {
        const double lambda[3] = {2.5, 29.5, 400}, n = 4 * 64 * 20;
        out[0] = out[1] = 0;
        void (*kernel)(double, double *) = poisson<curandStateXORWOW_t>;
        if (i == 1)
            kernel = poisson<curandStatePhilox4_32_10_t>;
        kernel<<<4, 64>>>(lambda[i], out);
        check(!cudaDeviceSynchronize(), "cuda", 0, 0);
        double deviation = sqrt(lambda[i] / n);
        check(fabs(out[0] / n - lambda[i]) < 5 * deviation, "Poisson's mean", i, out[0] / n);
        check(fabs(out[1] / n / lambda[i] - 1) < 0.15, "Poisson's variance", i, out[1] / n);
    }
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
