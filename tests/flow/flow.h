/* SPDX-License-Identifier: Apache-2.0
 *
 * Differential tests of control flow: random kernels, a plain interpreter of the IR that runs one
 * thread at a time, and the engine; memory must come out equal.
 *   generate.c   random PTX: nested and irreducible flow, loops, switches, predicated instructions,
 *                early exits, calls, memory, barriers and warp exchanges where all threads come by
 *   interpret.c  the interpreter; arithmetic by the oracle of tests/ops
 *   test_flow.c  the comparison */
#ifndef GPUKIT_TESTS_FLOW_H
#define GPUKIT_TESTS_FLOW_H

#include "base/buf.h"
#include "ir/ir.h"

/* The kernel's only buffers: FLOW_IN words to read, then FLOW_COUNTERS words that all threads add
 * to, then FLOW_SLOTS words of its own for each thread. */
enum {
    FLOW_IN = 8192,
    FLOW_COUNTERS = 16,
    FLOW_SLOTS = 16,
    FLOW_FRAME = 64, /* bytes of local memory */
    FLOW_MAX_BLOCK = 1024,
    FLOW_HALF = 4 * FLOW_MAX_BLOCK, /* bytes: a word of shared memory for each thread, twice */
    FLOW_WIDE = 2 * FLOW_HALF,      /* from here on up to 16 bytes for each thread */
    FLOW_SHARED = FLOW_WIDE + 16 * FLOW_MAX_BLOCK
};

void flow_generate(uint32_t seed, Buf *out);
bool flow_generate_fixed(unsigned which, Buf *out); /* false: there is no such case */

/* Runs kernel "k" over grid * block threads, blocks of `width` threads along x. False when it does not end within a bound, or meets
 * something that the generator never makes. poison: what registers hold at first; a kernel whose
 * result depends on it reads what it never wrote. */
bool flow_interpret(const IrModule *module, uint32_t *words, unsigned grid, unsigned block,
                    unsigned width, uint64_t poison);

#endif
