/* SPDX-License-Identifier: Apache-2.0
 *
 * Order of the pictures and random crops and flips, as pure functions of (seed, epoch, index):
 * no generator state to save, and the CPU and the GPU draw the same. Compiled as C and as CUDA. */
#ifndef GPUKIT_TRAINER_AUGMENT_H
#define GPUKIT_TRAINER_AUGMENT_H

#ifndef GPUKIT_TRAINER_NO_STDINT
#include <stdint.h>
#endif

#ifndef AUG_FN
#define AUG_FN static inline
#endif

/* A well-mixed 32-bit hash (multiply and xor-shift rounds). */
AUG_FN uint32_t aug_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

AUG_FN uint32_t aug_draw(uint64_t seed, uint32_t stream, uint32_t i)
{
    uint32_t h = aug_mix((uint32_t)seed ^ 0x9e3779b9u);
    h = aug_mix(h ^ (uint32_t)(seed >> 32));
    h = aug_mix(h ^ stream * 0x85ebca6bu);
    return aug_mix(h + i * 0x9e3779b1u);
}

/* Position i of the epoch's random order of n pictures: a four-round Feistel permutation of the
 * next even power of two, walked until it lands below n. */
AUG_FN uint32_t aug_order(uint64_t seed, uint32_t epoch, uint32_t i, uint32_t n)
{
    uint32_t half = 1;
    while ((uint64_t)1 << (2 * half) < n)
        ++half;
    uint32_t mask = ((uint32_t)1 << half) - 1;
    do {
        uint32_t left = i >> half, right = i & mask;
        for (uint32_t round = 0; round < 4; ++round) {
            uint32_t next = left ^ (aug_draw(seed, 0x2000000u + epoch * 4 + round, right) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

typedef struct {
    int x, y, flip;
} AugCrop;

/* range: how many positions the crop has in each direction (stored side - side + 1). */
AUG_FN AugCrop aug_crop(uint64_t seed, uint32_t epoch, uint32_t picture, uint32_t range)
{
    uint32_t r = aug_draw(seed, 0x3000000u + epoch, picture);
    AugCrop crop;
    crop.x = (int)((r & 0x7fff) % range);
    crop.y = (int)((r >> 15 & 0x7fff) % range);
    crop.flip = (int)(r >> 31);
    return crop;
}

#endif
