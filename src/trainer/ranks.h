/* SPDX-License-Identifier: Apache-2.0
 *
 * Data-parallel ranks by MPI, found at run time: when mpirun started the process, Open MPI's
 * library is opened; without mpirun nothing is. Each step's batch is shared out. On the CPU batch
 * norm takes its statistics over all ranks, so the run equals a single one with the joint batch up
 * to rounding; on GPUs it keeps them per GPU (gang.h). */
#ifndef GPUKIT_TRAINER_RANKS_H
#define GPUKIT_TRAINER_RANKS_H

#include "trainer/backend.h"

#include <stdbool.h>

/* Fills ranks (1 rank when mpirun is not there). False with a diagnostic. */
bool ranks_open(Ranks *ranks, Diags *diags);
/* failed: ends the other ranks too, which may be waiting for this one for ever. */
void ranks_close(bool failed);

#endif
