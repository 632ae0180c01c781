/* SPDX-License-Identifier: Apache-2.0
 * Random numbers on the device: XORWOW, Philox4_32_10, MRG32k3a, Sobol and scrambled Sobol (32 and 64
 * bits; the caller brings the direction vectors) with curand_init, curand, uniform, normal, log-normal and
 * Poisson forms, from the cuRAND reference and the papers it names (Marsaglia, "Xorshift RNGs"; Salmon
 * et al., "Parallel random numbers: as easy as 1, 2, 3"; L'Ecuyer, "Good parameters and implementations
 * for combined multiple recursive random number generators"). Poisson numbers have the right
 * distribution, not NVIDIA's sequence. MTGP32 and curand_discrete are not here.
 *
 * XORWOW subsequences lie 2^67 steps apart. A jump multiplies by a power of x modulo the
 * characteristic polynomial of the generator; the tables hold x^(2^j) in that ring and were computed
 * with the Berlekamp-Massey algorithm from the generator itself. MRG32k3a jumps the same way with powers
 * of x modulo its two cubics, which are short enough to be computed on the way. */
#ifndef GPUKIT_CURAND_KERNEL_H
#define GPUKIT_CURAND_KERNEL_H
#include "gpukit/letters_push.h"
#define CURAND_KERNEL_H_ 1

#include "cuda_runtime.h"
#include "curand.h"

#if defined(__cplusplus)
#define GKR static __device__ __forceinline__
#define GKC_TABLE static __device__ __constant__ const unsigned

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
/* i: index of the next point; x: the point; c: what it is scrambled with. */
#define GPUKIT_SOBOL(bits, Word)                                                                   \
    struct curandStateSobol##bits {                                                                \
        Word i, x, direction_vectors[bits];                                                        \
    };                                                                                             \
    typedef struct curandStateSobol##bits curandStateSobol##bits##_t;                              \
    struct curandStateScrambledSobol##bits {                                                       \
        Word i, x, c, direction_vectors[bits];                                                     \
    };                                                                                             \
    typedef struct curandStateScrambledSobol##bits curandStateScrambledSobol##bits##_t;
GPUKIT_SOBOL(32, unsigned)
GPUKIT_SOBOL(64, unsigned long long)
#undef GPUKIT_SOBOL

#if defined(__CUDA__)
/* x^(2^(67 + j)) */
GKC_TABLE gpukit_xorwow_sequence[32][5] = {
    {0x26294934u, 0x77bbc248u, 0x1a87dad0u, 0x930052d4u, 0x947e6dd2u},
    {0x5f39c379u, 0x95e20ba6u, 0x20e9ff72u, 0x1244ce5eu, 0xe8fd228fu},
    {0xa7474d19u, 0x37c549e0u, 0x140877d2u, 0x24c43924u, 0xcd52ebecu},
    {0xe0360ec5u, 0xb1c96c24u, 0xdbb91766u, 0x666ff5dcu, 0xf19a7e52u},
    {0xfcc8f692u, 0x35aa698au, 0x04ebbf85u, 0x448304b0u, 0x082f3fd5u},
    {0x48c289bdu, 0xe851cf98u, 0x845ad581u, 0xfd70752au, 0x2c3e63f6u},
    {0xe502f5b3u, 0x77859d31u, 0x97e1cbb3u, 0xea09047au, 0x61d5f37eu},
    {0xb89326d0u, 0x5a8655a9u, 0xfb6e98f5u, 0x02102162u, 0x7e6fcf6fu},
    {0xb3a15db4u, 0xc6df3330u, 0x1a8be751u, 0xf1e4b221u, 0x6bb61c05u},
    {0x133de1d0u, 0x361e4422u, 0xc6131fcfu, 0xd9719f45u, 0x9658a164u},
    {0x19e2bee8u, 0xf8974218u, 0x4e65536au, 0xa2570336u, 0xe9b88082u},
    {0x7863644bu, 0x2a21ce84u, 0x112e86f1u, 0xed01ce0eu, 0xba143e84u},
    {0x0e2cae2eu, 0xd1011279u, 0x58923768u, 0x2bf650bau, 0xc985bcdau},
    {0x213a286au, 0x6596b510u, 0x6fc10eaeu, 0x38a13547u, 0x11c7749eu},
    {0x146281e7u, 0xa45b4452u, 0xafa8c695u, 0x74a0ac94u, 0x4b250e0au},
    {0x2306bc52u, 0x790f3b4cu, 0x2fe473b9u, 0xbc81d7c0u, 0x093efe98u},
    {0x89658c8bu, 0xf3914315u, 0xa73fe84bu, 0x3c5fadb6u, 0xadba8dd6u},
    {0x09e49814u, 0x09caf5edu, 0x6b2460d9u, 0x1b9981c1u, 0x2d1fefc3u},
    {0x82161afcu, 0x9bb13c55u, 0xfd20d7fbu, 0x306d90b9u, 0x92bf386fu},
    {0x96d32350u, 0x0e081864u, 0x69faa798u, 0xe7faecf5u, 0xf1f951beu},
    {0x3e9058c1u, 0x71da9705u, 0xe2cb1f2bu, 0x73456536u, 0xbd6501b6u},
    {0x990ffc6eu, 0xbfdd1b5du, 0xc83e520bu, 0xe972936au, 0xac79abb9u},
    {0xb1321eb5u, 0xb06d01a2u, 0x51532012u, 0x8fb59962u, 0x141d3b0bu},
    {0x3257dfe1u, 0xd8a3d601u, 0x3a58c735u, 0x845f36e4u, 0x0112c611u},
    {0xa0ffe9a4u, 0xf57be00eu, 0xe706880cu, 0x191211efu, 0xee5664fbu},
    {0x9a3385b8u, 0xc540c30au, 0xb241d1e0u, 0x00626569u, 0x6b355fe9u},
    {0xe129d45du, 0xac3e698bu, 0xd61f79fdu, 0x7a72a28bu, 0x7f4942beu},
    {0x612501bbu, 0xae7b767du, 0xaa66c165u, 0x09bfaf8eu, 0x3e55c16du},
    {0x874e26a7u, 0x33bc5a47u, 0xad95cba5u, 0x67651c39u, 0xf1f07dcau},
    {0xb5ed0732u, 0x30e7a573u, 0x5c056714u, 0x2304f8fau, 0xebc584e1u},
    {0x4b324c2eu, 0x2bdcc5a0u, 0x53eb4240u, 0xcac4fbc1u, 0x13e529e7u},
    {0xe1683e38u, 0xa2339994u, 0x7308a647u, 0xc7c3f0b1u, 0x4a3dcd33u}};
/* x^(2^j) */
GKC_TABLE gpukit_xorwow_offset[40][5] = {
    {0x00000002u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u},
    {0x00000004u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u},
    {0x00000010u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u},
    {0x00000100u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u},
    {0x00010000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u},
    {0x00000000u, 0x00000001u, 0x00000000u, 0x00000000u, 0x00000000u},
    {0x00000000u, 0x00000000u, 0x00000001u, 0x00000000u, 0x00000000u},
    {0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000001u},
    {0xbebd3534u, 0x7064f5bcu, 0x20be29ebu, 0x536d5b32u, 0x063a0069u},
    {0x9df022beu, 0x4c2ee09fu, 0x0939c7c8u, 0xe711c2f8u, 0xc6f135aeu},
    {0xed64ec08u, 0xafc48684u, 0xd81c59eeu, 0x1640314fu, 0x2bf0ccefu},
    {0x16ade0a0u, 0x3ff6a2d3u, 0x4746bd83u, 0x2e65a497u, 0x263e40a4u},
    {0x9d10e028u, 0xee56d79cu, 0xfb1b3286u, 0x0f747418u, 0x26f9476du},
    {0x284e9f80u, 0x95328d41u, 0x97ec0360u, 0x1e655d95u, 0x60a9306fu},
    {0x3f490634u, 0x9ae593fcu, 0x1a95bb6bu, 0xda10a3fcu, 0xa3abaf54u},
    {0xa80ecea0u, 0x392ca981u, 0x191e801eu, 0xceb66042u, 0x2f4edc3fu},
    {0xfb9680e9u, 0xbdaba0b2u, 0x3986540fu, 0x23fe6cccu, 0x0994e82fu},
    {0x4d53badbu, 0x3e30e97du, 0x19abbaf6u, 0x5cd52f87u, 0x98663641u},
    {0x32da6db4u, 0x80135829u, 0x3abd4734u, 0x2060c3f9u, 0x38b2dd97u},
    {0xbd3a57bdu, 0x066101a8u, 0x0b4f188eu, 0x16890623u, 0x8bf58771u},
    {0x0c5b636fu, 0x4407a814u, 0x60204515u, 0x5bd4dbd2u, 0x2509eeb5u},
    {0xa87f2bfeu, 0x0143dfcbu, 0x4b5142bau, 0xfd21a24bu, 0x3dac4527u},
    {0x21e9179du, 0x2b57aa94u, 0x5f06e1fcu, 0x6735dc98u, 0x9aa0181fu},
    {0x4a85a684u, 0x2ff777f0u, 0x8e58b0edu, 0xd4e84a39u, 0x6d37f6a0u},
    {0x793adf2bu, 0x3d3e75c8u, 0x0b091758u, 0x9deb3f50u, 0xbcd116ecu},
    {0x89c7a15du, 0x43629d41u, 0x8a870ba5u, 0xa7916f56u, 0x9db15489u},
    {0xfa8fc346u, 0x694921b1u, 0xf2bd4c48u, 0x8b05ae1bu, 0x2de7aee2u},
    {0xbc1bc6b9u, 0xd73ea395u, 0xfbdd753du, 0xe45dbacdu, 0x7b16eae0u},
    {0xf144e1f3u, 0xb9b4b3c4u, 0x8222f622u, 0x9072105au, 0x66083550u},
    {0xd88a6c5eu, 0x9ac20a72u, 0x209ef9a8u, 0xe8e4fd8au, 0x1ec855a5u},
    {0xbd734cf1u, 0x9254a905u, 0xfb38236du, 0x11e62fd3u, 0xf9e7d21eu},
    {0x8d333839u, 0x69fed6dfu, 0x79338fdeu, 0xa38a8714u, 0x0e538bcau},
    {0x943999e4u, 0xc05db913u, 0x4e4010f3u, 0x9b865d3du, 0x0fd64174u},
    {0x13da6451u, 0x4f1636fau, 0x6e523e62u, 0xac374f44u, 0x69a2e37fu},
    {0x19eb1bbbu, 0xbaea3750u, 0x0fa8f206u, 0xd49dd019u, 0x9b3bccafu},
    {0x013e4fc6u, 0x8fb0b988u, 0xbad0233bu, 0x63941ad7u, 0xf5f02d75u},
    {0xc97b5642u, 0x2ebac13du, 0xbfe04058u, 0x2c6a7132u, 0x576780a5u},
    {0x4add1023u, 0x5f64e54eu, 0xb0c250a8u, 0xcf4bd212u, 0x9a873149u},
    {0x0ac5eea9u, 0xa37bfcd3u, 0x790ec91du, 0xba339dbcu, 0xc83db5cdu},
    {0x67dd06cbu, 0xcbfe08ecu, 0xf64e2fa5u, 0x75fe23cfu, 0x0fc09983u}};

/* XORWOW. */
GKR void gpukit_xorwow_step(unsigned *v)
{
    unsigned t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}
GKR void gpukit_xorwow_jump(unsigned *v, const unsigned *power)
{
    unsigned sum[5] = {0, 0, 0, 0, 0};
    for (int word = 0; word < 5; ++word)
        for (int bit = 0; bit < 32; ++bit) {
            unsigned take = 0u - (power[word] >> bit & 1u);
            for (int i = 0; i < 5; ++i)
                sum[i] ^= v[i] & take;
            gpukit_xorwow_step(v);
        }
    for (int i = 0; i < 5; ++i)
        v[i] = sum[i];
}
GKR void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    unsigned v[5];
    for (int i = 0; i < 5; ++i)
        v[i] = state->v[i];
    state->d += 362437u * (unsigned)n;
    unsigned long long jumps = n >> 5;
    for (unsigned k = (unsigned)(n & 31); k > 0; --k)
        gpukit_xorwow_step(v);
    for (int j = 5; jumps && j < 40; ++j, jumps >>= 1)
        if (jumps & 1)
            gpukit_xorwow_jump(v, gpukit_xorwow_offset[j]);
    for (int i = 0; i < 5; ++i)
        state->v[i] = v[i];
}
GKR void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    unsigned v[5];
    for (int i = 0; i < 5; ++i)
        v[i] = state->v[i];
    for (int j = 0; n && j < 32; ++j, n >>= 1)
        if (n & 1)
            gpukit_xorwow_jump(v, gpukit_xorwow_sequence[j]);
    for (int i = 0; i < 5; ++i)
        state->v[i] = v[i];
}
GKR void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                     curandStateXORWOW_t *state)
{
    unsigned s0 = (unsigned)seed ^ 0xaad26b49u, s1 = (unsigned)(seed >> 32) ^ 0xf7dcefddu;
    unsigned t0 = 1099087573u * s0, t1 = 2591861531u * s1;
    state->d = 6615241u + t1 + t0;
    state->v[0] = 123456789u + t0;
    state->v[1] = 362436069u ^ t0;
    state->v[2] = 521288629u + t1;
    state->v[3] = 88675123u ^ t1;
    state->v[4] = 5783321u + t0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
GKR unsigned curand(curandStateXORWOW_t *state)
{
    gpukit_xorwow_step(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}

/* Philox4x32, ten rounds. */
GKR uint4 gpukit_philox(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; ++round) {
        unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
        unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
        c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}
GKR void gpukit_philox_add(curandStatePhilox4_32_10_t *s, unsigned long long n)
{
    unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
    s->ctr.x += low;
    high += s->ctr.x < low;
    s->ctr.y += high;
    if (high > s->ctr.y || (high == 0 && s->ctr.x < low && n >> 32))
        if (++s->ctr.z == 0)
            ++s->ctr.w;
}
GKR void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
    s->ctr.z += low;
    s->ctr.w += high + (s->ctr.z < low);
    s->output = gpukit_philox(s->ctr, s->key);
}
GKR void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    s->STATE += (unsigned)(n & 3);
    n /= 4;
    if (s->STATE > 3) {
        n += 1;
        s->STATE -= 4;
    }
    gpukit_philox_add(s, n);
    s->output = gpukit_philox(s->ctr, s->key);
}
GKR void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                     curandStatePhilox4_32_10_t *s)
{
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->STATE = 0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}
GKR unsigned curand(curandStatePhilox4_32_10_t *s)
{
    unsigned r = s->STATE == 0 ? s->output.x : s->STATE == 1 ? s->output.y : s->STATE == 2 ? s->output.z : s->output.w;
    if (++s->STATE > 3) {
        gpukit_philox_add(s, 1);
        s->output = gpukit_philox(s->ctr, s->key);
        s->STATE = 0;
    }
    return r;
}
GKR uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    uint4 now = s->output, r;
    gpukit_philox_add(s, 1);
    s->output = gpukit_philox(s->ctr, s->key);
    switch (s->STATE) {
    case 0: return now;
    case 1: r = make_uint4(now.y, now.z, now.w, s->output.x); break;
    case 2: r = make_uint4(now.z, now.w, s->output.x, s->output.y); break;
    default: r = make_uint4(now.w, s->output.x, s->output.y, s->output.z); break;
    }
    return r;
}

/* MRG32k3a: two recurrences of order three, x^3 = k2 x^2 + k1 x + k0 modulo 2^32 - fold. */
struct gpukit_mrg_power {
    unsigned c0, c1, c2; /* of 1, x, x^2 */
};
struct gpukit_mrg_cubic {
    unsigned k0, k1, k2, fold;
};
GKR unsigned gpukit_mrg_mod(unsigned long long x, unsigned fold)
{
    x = (x & 0xffffffffu) + (x >> 32) * fold;
    x = (x & 0xffffffffu) + (x >> 32) * fold;
    const unsigned long long m = 0x100000000ull - fold;
    return (unsigned)(x >= m ? x - m : x);
}
/* a + b c */
GKR unsigned gpukit_mrg_add(unsigned a, unsigned b, unsigned c, unsigned fold)
{
    return gpukit_mrg_mod(a + (unsigned long long)b * c, fold);
}
GKR gpukit_mrg_power gpukit_mrg_times(gpukit_mrg_power a, gpukit_mrg_power b, gpukit_mrg_cubic k)
{
    unsigned r0 = gpukit_mrg_add(0, a.c0, b.c0, k.fold);
    unsigned r1 = gpukit_mrg_add(gpukit_mrg_add(0, a.c0, b.c1, k.fold), a.c1, b.c0, k.fold);
    unsigned r2 = gpukit_mrg_add(gpukit_mrg_add(0, a.c0, b.c2, k.fold), a.c2, b.c0, k.fold);
    unsigned r3 = gpukit_mrg_add(gpukit_mrg_add(0, a.c1, b.c2, k.fold), a.c2, b.c1, k.fold);
    unsigned r4 = gpukit_mrg_add(0, a.c2, b.c2, k.fold);
    r2 = gpukit_mrg_add(r2, a.c1, b.c1, k.fold);
    r3 = gpukit_mrg_add(r3, r4, k.k2, k.fold); /* x^4, then x^3 */
    gpukit_mrg_power out = {gpukit_mrg_add(r0, r3, k.k0, k.fold),
                            gpukit_mrg_add(gpukit_mrg_add(r1, r4, k.k0, k.fold), r3, k.k1, k.fold),
                            gpukit_mrg_add(gpukit_mrg_add(r2, r4, k.k1, k.fold), r3, k.k2, k.fold)};
    return out;
}
GKR unsigned gpukit_mrg_sum(unsigned a, unsigned b, unsigned c, unsigned x, unsigned y, unsigned z, unsigned fold)
{
    return gpukit_mrg_add(gpukit_mrg_add(gpukit_mrg_add(0, a, x, fold), b, y, fold), c, z, fold);
}
/* Both recurrences move by n times the steps of which a and b are the powers of x. One body serves for
 * all products: kernels that start generators stay short. */
GKR void gpukit_mrg_skip(unsigned long long steps, curandStateMRG32k3a_t *s, gpukit_mrg_power a, gpukit_mrg_power b)
{
#pragma unroll 1
    for (int second = 0; second < 2; ++second) {
        const gpukit_mrg_cubic first_cubic = {4294967087u - 810728u, 1403580u, 0, 209};
        const gpukit_mrg_cubic second_cubic = {4294944443u - 1370589u, 0, 527612u, 22853};
        gpukit_mrg_cubic k = second ? second_cubic : first_cubic;
        gpukit_mrg_power base = second ? b : a, power = {1, 0, 0};
#pragma unroll 1
        for (unsigned long long n = steps, square = 0; n; n >>= square, square ^= 1) {
            gpukit_mrg_power r = gpukit_mrg_times(square ? base : power, base, k);
            if (square)
                base = r;
            else if (n & 1)
                power = r;
        }
        unsigned v0 = second ? s->s2[0] : s->s1[0], v1 = second ? s->s2[1] : s->s1[1];
        unsigned v2 = second ? s->s2[2] : s->s1[2];
        unsigned v3 = gpukit_mrg_sum(k.k0, k.k1, k.k2, v0, v1, v2, k.fold);
        unsigned v4 = gpukit_mrg_sum(k.k0, k.k1, k.k2, v1, v2, v3, k.fold);
        v0 = gpukit_mrg_sum(power.c0, power.c1, power.c2, v0, v1, v2, k.fold);
        v1 = gpukit_mrg_sum(power.c0, power.c1, power.c2, v1, v2, v3, k.fold);
        v2 = gpukit_mrg_sum(power.c0, power.c1, power.c2, v2, v3, v4, k.fold);
        if (second)
            s->s2[0] = v0, s->s2[1] = v1, s->s2[2] = v2;
        else
            s->s1[0] = v0, s->s1[1] = v1, s->s1[2] = v2;
    }
}
GKR void skipahead(unsigned long long n, curandStateMRG32k3a_t *s)
{
    const gpukit_mrg_power x = {0, 1, 0};
    gpukit_mrg_skip(n, s, x, x);
}
/* By 2^76 and by 2^127 numbers. */
GKR void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    const gpukit_mrg_power a = {82758667u, 1871391091u, 4127413238u};
    const gpukit_mrg_power b = {1511326704u, 3759209742u, 1610795712u};
    gpukit_mrg_skip(n, s, a, b);
}
GKR void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    const gpukit_mrg_power a = {2427906178u, 3580155704u, 949770784u};
    const gpukit_mrg_power b = {1464411153u, 277697599u, 1610723613u};
    gpukit_mrg_skip(n, s, a, b);
}
GKR void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                     curandStateMRG32k3a_t *s)
{
    unsigned x = (unsigned)seed ^ 0x55555555u, y = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
        s->s1[i] = seed ? gpukit_mrg_add(0, i == 1 ? y : x, 12345, 209) : 12345;
        s->s2[i] = seed ? gpukit_mrg_add(0, i == 1 ? x : y, 12345, 22853) : 12345;
    }
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
}
/* 1 to 4294967087. */
GKR unsigned gpukit_mrg_next(curandStateMRG32k3a_t *s)
{
    unsigned p = gpukit_mrg_mod(1403580ull * s->s1[1] + 810728ull * (4294967087u - s->s1[0]), 209);
    unsigned q = gpukit_mrg_mod(527612ull * s->s2[2] + 1370589ull * (4294944443u - s->s2[0]), 22853);
    s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = p;
    s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = q;
    return p > q ? p - q : p + (4294967087u - q);
}
GKR unsigned curand(curandStateMRG32k3a_t *s) { return (unsigned)(gpukit_mrg_next(s) * 1.000000048662); }

/* Sobol: point i is the sum of the direction vectors that i's Gray code names. */
#define GPUKIT_SOBOL(State, Word, scrambled, constant, ...)                                        \
    GKR void skipahead(Word n, State *s)                                                           \
    {                                                                                              \
        s->i += n;                                                                                 \
        s->x = constant;                                                                           \
        Word gray = s->i ^ (s->i >> 1);                                                            \
        for (int bit = 0; bit < (int)sizeof(Word) * 8; ++bit)                                      \
            s->x ^= gray >> bit & 1 ? s->direction_vectors[bit] : 0;                               \
    }                                                                                              \
    GKR void curand_init(const Word *direction_vectors, __VA_ARGS__ Word offset, State *s)         \
    {                                                                                              \
        for (int bit = 0; bit < (int)sizeof(Word) * 8; ++bit)                                      \
            s->direction_vectors[bit] = direction_vectors[bit];                                    \
        scrambled;                                                                                 \
        s->i = 0;                                                                                  \
        skipahead(offset, s);                                                                      \
    }                                                                                              \
    GKR Word curand(State *s)                                                                      \
    {                                                                                              \
        Word x = s->x;                                                                             \
        s->x ^= ~s->i ? s->direction_vectors[__ffsll((long long)~s->i) - 1] : 0;                   \
        ++s->i;                                                                                    \
        return x;                                                                                  \
    }
GPUKIT_SOBOL(curandStateSobol32_t, unsigned, , 0, )
GPUKIT_SOBOL(curandStateScrambledSobol32_t, unsigned, s->c = scramble_c, s->c, unsigned scramble_c,)
GPUKIT_SOBOL(curandStateSobol64_t, unsigned long long, , 0, )
GPUKIT_SOBOL(curandStateScrambledSobol64_t, unsigned long long, s->c = scramble_c, s->c,
             unsigned long long scramble_c,)
#undef GPUKIT_SOBOL

/* Distributions. (0, 1] for uniform. */
GKR float gpukit_uniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
GKR double gpukit_uniform_double(unsigned x, unsigned y)
{
    unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
    return z * 0x1p-53 + 0x1p-54;
}
GKR float2 gpukit_box_muller(unsigned x, unsigned y)
{
    float u = x * 0x1p-32f + 0x1p-33f;
    float v = y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f;
    float s = sqrtf(-2.0f * logf(u)), a, b;
    sincosf(v, &a, &b);
    return make_float2(s * a, s * b);
}
GKR double2 gpukit_box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1)
{
    double u = gpukit_uniform_double(x0, x1);
    unsigned long long z = (unsigned long long)y0 ^ ((unsigned long long)y1 << 21);
    double v = z * 0x1p-52 + 0x1p-53, s = sqrt(-2.0 * log(u)), a, b;
    sincospi(v, &a, &b);
    return make_double2(s * a, s * b);
}
/* By the inverse of the distribution, one number from one. */
GKR float gpukit_normal_inverse(unsigned x)
{
    bool upper = x > 0x80000000u;
    float p = (upper ? 0xffffffffu - x : x) * 0x1p-32f + 0x1p-33f, v = 1.4142135f * erfcinvf(2.0f * p);
    return upper ? v : -v;
}
GKR double gpukit_normal_inverse(double p) { return -1.4142135623730951 * erfcinv(2.0 * p); }

/* Forms that every generator has, from those of which it has its own. */
#define GPUKIT_LOG_NORMAL(State)                                                                   \
    GKR float curand_log_normal(State *s, float mean, float stddev)                                \
    {                                                                                              \
        return expf(mean + stddev * curand_normal(s));                                             \
    }                                                                                              \
    GKR double curand_log_normal_double(State *s, double mean, double stddev)                      \
    {                                                                                              \
        return exp(mean + stddev * curand_normal_double(s));                                       \
    }
/* A pair of normal numbers in; the second waits in the state. */
#define GPUKIT_NORMAL(State)                                                                       \
    GKR float curand_normal(State *s)                                                              \
    {                                                                                              \
        if (s->boxmuller_flag) {                                                                   \
            s->boxmuller_flag = 0;                                                                 \
            return s->boxmuller_extra;                                                             \
        }                                                                                          \
        float2 v = curand_normal2(s);                                                              \
        s->boxmuller_extra = v.y;                                                                  \
        s->boxmuller_flag = 1;                                                                     \
        return v.x;                                                                                \
    }                                                                                              \
    GKR double curand_normal_double(State *s)                                                      \
    {                                                                                              \
        if (s->boxmuller_flag_double) {                                                            \
            s->boxmuller_flag_double = 0;                                                          \
            return s->boxmuller_extra_double;                                                      \
        }                                                                                          \
        double2 v = curand_normal2_double(s);                                                      \
        s->boxmuller_extra_double = v.y;                                                           \
        s->boxmuller_flag_double = 1;                                                              \
        return v.x;                                                                                \
    }                                                                                              \
    GPUKIT_LOG_NORMAL(State)                                                                       \
    GKR float2 curand_log_normal2(State *s, float mean, float stddev)                              \
    {                                                                                              \
        float2 v = curand_normal2(s);                                                              \
        return make_float2(expf(mean + stddev * v.x), expf(mean + stddev * v.y));                  \
    }                                                                                              \
    GKR double2 curand_log_normal2_double(State *s, double mean, double stddev)                    \
    {                                                                                              \
        double2 v = curand_normal2_double(s);                                                      \
        return make_double2(exp(mean + stddev * v.x), exp(mean + stddev * v.y));                   \
    }                                                                                              \
    GKR unsigned curand_poisson(State *s, double lambda) { return gpukit_poisson(s, lambda); }
/* Of the generators whose words are equal to the bit: two, or four, words a pair. */
#define GPUKIT_WORDS(State)                                                                        \
    GKR float curand_uniform(State *s) { return gpukit_uniform(curand(s)); }                       \
    GKR float2 curand_normal2(State *s)                                                            \
    {                                                                                              \
        unsigned x = curand(s), y = curand(s);                                                     \
        return gpukit_box_muller(x, y);                                                            \
    }                                                                                              \
    GKR double2 curand_normal2_double(State *s)                                                    \
    {                                                                                              \
        unsigned a = curand(s), b = curand(s), c = curand(s), d = curand(s);                       \
        return gpukit_box_muller_double(a, b, c, d);                                               \
    }
GPUKIT_WORDS(curandStateXORWOW_t)
GPUKIT_WORDS(curandStatePhilox4_32_10_t)
#undef GPUKIT_WORDS
GKR double curand_uniform_double(curandStateXORWOW_t *s)
{
    unsigned x = curand(s), y = curand(s);
    return gpukit_uniform_double(x, y);
}
/* Of one draw for these generators. */
GKR double curand_uniform_double(curandStatePhilox4_32_10_t *s) { return curand(s) * 0x1p-32 + 0x1p-32; }
GKR double curand_uniform_double(curandStateMRG32k3a_t *s) { return gpukit_mrg_next(s) * (1 / 4294967087.0); }
GKR float curand_uniform(curandStateMRG32k3a_t *s) { return (float)curand_uniform_double(s); }
GKR float2 curand_normal2(curandStateMRG32k3a_t *s)
{
    float u = curand_uniform(s), v = curand_uniform(s) * 6.2831855f, r = sqrtf(-2.0f * logf(u)), a, b;
    sincosf(v, &a, &b);
    return make_float2(r * a, r * b);
}
GKR double2 curand_normal2_double(curandStateMRG32k3a_t *s)
{
    double u = curand_uniform_double(s), v = curand_uniform_double(s) * 2, r = sqrt(-2.0 * log(u)), a, b;
    sincospi(v, &a, &b);
    return make_double2(r * a, r * b);
}

/* Knuth's product for small means; above, Hoermann's transformed rejection. */
template <class State> GKR unsigned gpukit_poisson(State *s, double lambda)
{
    if (lambda < 30) {
        double limit = exp(-lambda), product = curand_uniform_double(s);
        unsigned k = 0;
        for (; product > limit; ++k)
            product *= curand_uniform_double(s);
        return k;
    }
    double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), certain = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double x = curand_uniform_double(s) - 0.5, left = 0.5 - fabs(x), v = curand_uniform_double(s);
        double k = floor((2 * a / left + b) * x + lambda + 0.43);
        if (left >= 0.07 && v <= certain)
            return (unsigned)k;
        if (k < 0 || (left < 0.013 && v > left))
            continue;
        if (log(v * inverse_alpha / (a / (left * left) + b)) <= -lambda + k * log(lambda) - lgamma(k + 1))
            return (unsigned)k;
    }
}
GPUKIT_NORMAL(curandStateXORWOW_t)
GPUKIT_NORMAL(curandStatePhilox4_32_10_t)
GPUKIT_NORMAL(curandStateMRG32k3a_t)
#undef GPUKIT_NORMAL

/* A quasirandom generator gives one number for one point, so Poisson's rejection is not for it. */
#define GPUKIT_QUASI(State, word, wide, p)                                                         \
    GKR float curand_uniform(State *s) { return gpukit_uniform(word(curand(s))); }                 \
    GKR double curand_uniform_double(State *s)                                                     \
    {                                                                                              \
        auto x = curand(s);                                                                        \
        return wide;                                                                               \
    }                                                                                              \
    GKR float curand_normal(State *s) { return gpukit_normal_inverse(word(curand(s))); }           \
    GKR double curand_normal_double(State *s)                                                      \
    {                                                                                              \
        auto x = curand(s);                                                                        \
        return gpukit_normal_inverse(p);                                                           \
    }                                                                                              \
    GPUKIT_LOG_NORMAL(State)                                                                       \
    unsigned curand_poisson(State *s, double lambda) = delete;
#define GPUKIT_LOW(x)  (x)
#define GPUKIT_HIGH(x) ((unsigned)((x) >> 32))
GPUKIT_QUASI(curandStateSobol32_t, GPUKIT_LOW, x * 0x1p-32 + 0x1p-32, x * 0x1p-32 + 0x1p-33)
GPUKIT_QUASI(curandStateScrambledSobol32_t, GPUKIT_LOW, x * 0x1p-32 + 0x1p-32, x * 0x1p-32 + 0x1p-33)
GPUKIT_QUASI(curandStateSobol64_t, GPUKIT_HIGH, (x >> 11) * 0x1p-53 + 0x1p-54, (x >> 11) * 0x1p-53 + 0x1p-54)
GPUKIT_QUASI(curandStateScrambledSobol64_t, GPUKIT_HIGH, (x >> 11) * 0x1p-53 + 0x1p-54,
             (x >> 11) * 0x1p-53 + 0x1p-54)
#undef GPUKIT_LOW
#undef GPUKIT_HIGH
#undef GPUKIT_QUASI
#undef GPUKIT_LOG_NORMAL

/* Four, or two, at once for Philox. */
GKR float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    uint4 x = curand4(s);
    return make_float4(gpukit_uniform(x.x), gpukit_uniform(x.y), gpukit_uniform(x.z), gpukit_uniform(x.w));
}
GKR double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
    uint4 x = curand4(s);
    return make_double2(gpukit_uniform_double(x.x, x.y), gpukit_uniform_double(x.z, x.w));
}
GKR double4 curand_uniform4_double(curandStatePhilox4_32_10_t *s)
{
    double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}
GKR float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    uint4 x = curand4(s);
    float2 a = gpukit_box_muller(x.x, x.y), b = gpukit_box_muller(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
GKR double4 curand_normal4_double(curandStatePhilox4_32_10_t *s)
{
    double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}
GKR float4 curand_log_normal4(curandStatePhilox4_32_10_t *s, float mean, float stddev)
{
    float4 v = curand_normal4(s);
    return make_float4(expf(mean + stddev * v.x), expf(mean + stddev * v.y), expf(mean + stddev * v.z),
                       expf(mean + stddev * v.w));
}
GKR double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *s, double mean, double stddev)
{
    double4 v = curand_normal4_double(s);
    return make_double4(exp(mean + stddev * v.x), exp(mean + stddev * v.y), exp(mean + stddev * v.z),
                        exp(mean + stddev * v.w));
}
GKR uint4 curand_poisson4(curandStatePhilox4_32_10_t *s, double lambda)
{
    unsigned a = curand_poisson(s, lambda), b = curand_poisson(s, lambda), c = curand_poisson(s, lambda);
    return make_uint4(a, b, c, curand_poisson(s, lambda));
}
#endif
#undef GKR
#undef GKC_TABLE
#endif

#include "gpukit/letters_pop.h"
#endif
