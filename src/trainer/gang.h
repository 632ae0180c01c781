/* SPDX-License-Identifier: Apache-2.0
 *
 * Several GPUs as one back end: those of this process, and of the other processes that mpirun
 * started. Each runs the step on its share of the batch; the gradients are added up by NCCL, opened
 * at run time, or else through the hosts' memory and MPI; each applies the same step. Batch norm's
 * statistics stay per GPU and are averaged for testing and saving. */
#ifndef GPUKIT_TRAINER_GANG_H
#define GPUKIT_TRAINER_GANG_H

#include "trainer/backend.h"

Backend *gang_open(const BackendConfig *config);

/* What gpu.c gives to the gang. */
Backend *gpu_open_one(const BackendConfig *config, int rank, int ranks);
void gpu_bind(Backend *backend); /* makes its context the thread's */
void gpu_prepare(Backend *backend, const BackendPart *part);
void gpu_start_step(Backend *backend, long step); /* step: its number in the run */
void gpu_apply_step(Backend *backend);
float *gpu_gradients(Backend *backend, void **stream); /* on the device */
int gpu_gradients_get(Backend *backend, float *out);   /* after the step; 0 or -1 */
int gpu_gradients_put(Backend *backend, const float *from);
int gpu_collect(Backend *backend, const BackendPart *part, BackendSums *sums);

/* The functions of libnccl.so.2 that are used; tests put their own in its place. */
typedef struct {
    char bytes[128];
} NcclId;
typedef struct {
    int (*get_id)(NcclId *id);
    int (*init_rank)(void **communicator, int ranks, NcclId id, int rank);
    int (*destroy)(void *communicator);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*all_reduce)(const void *from, void *to, size_t count, int type, int operation,
                      void *communicator, void *stream);
    const char *(*error_text)(int error);
} Nccl;
void nccl_replace(const Nccl *nccl);

#endif
