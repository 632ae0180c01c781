/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws cat and dog faces from random numbers, so that a first training run needs no download. */
#ifndef GPUKIT_TRAINER_SAMPLE_H
#define GPUKIT_TRAINER_SAMPLE_H

#include <stdint.h>

/* Writes count pictures, half of them cats, as DIR/cat/cat.0001.jpg ... 0 or -errno, with the path
 * that failed in *where (malloc'd). */
int sample_write(const char *dir, int count, uint64_t seed, char **where);
/* One face into rgb[side][side][3]. */
void sample_draw(int dog, uint64_t seed, uint32_t number, int side, uint8_t *rgb);

#endif
