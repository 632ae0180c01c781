/* SPDX-License-Identifier: Apache-2.0
 *
 * Direction vectors of Sobol's sequence for libcurand. */
#ifndef GPUKIT_LIBRARIES_SOBOL_H
#define GPUKIT_LIBRARIES_SOBOL_H

#include <stdbool.h>
#include <stdint.h>

/* Dimensions that there are numbers for; NVIDIA has 20000. */
unsigned sobol_dimensions(void);
/* The 64 vectors of a dimension (from 0) in 64 bits; the upper halves of the first 32 are those of the 32-bit
 * sequence. scrambled: times a random triangular matrix of the dimension's own, the same at all times. */
void sobol_vectors(unsigned dimension, bool scrambled, uint64_t vectors[64]);
/* What the numbers of a scrambled dimension are shifted by (exclusive or). */
uint64_t sobol_shift(unsigned dimension);

/* Numbers that are right in distribution but in another order than NVIDIA's are named once (curand.c). */
void tell_order(const char *what);

#endif
