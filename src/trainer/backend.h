/* SPDX-License-Identifier: Apache-2.0
 *
 * What the training loop needs from a device. backend_cpu.c and gpu.c implement it; the loop does
 * not know which it has. */
#ifndef GPUKIT_TRAINER_BACKEND_H
#define GPUKIT_TRAINER_BACKEND_H

#include "base/diag.h"
#include "trainer/dataset.h"
#include "trainer/net.h"
#include "trainer/pool.h"

typedef struct Backend Backend;

/* Steps first .. first+count-1 of an epoch; step0 is the run's number of the first. */
typedef struct {
    int epoch;
    long first, count, step0, total;
    double peak; /* learning rate at the top of the schedule */
} BackendPart;

typedef struct {
    double loss;  /* sum of the steps' mean losses */
    double right; /* correctly classified training pictures */
    long steps;
} BackendSums;

typedef struct {
    void (*close)(Backend *backend);
    /* Runs the steps and adds to sums. 0, or -1 with a diagnostic. A loss that is not finite shows
     * in the sums. */
    int (*run)(Backend *backend, const BackendPart *part, BackendSums *sums);
    /* Logits [count][classes] of a whole set, centre crops, running statistics. */
    int (*predict)(Backend *backend, int set, float *logits);
    int (*put)(Backend *backend, const NetState *state); /* host to device */
    int (*get)(Backend *backend, NetState *state);       /* device to host */
} BackendOps;

struct Backend {
    const BackendOps *ops;
    const char *device;   /* "NVIDIA H200", "CPU (avx512)" */
    long part;            /* steps to run per call so that Ctrl-C and progress stay prompt */
    size_t memory;        /* bytes taken on the device */
    double start_seconds; /* opening the device, loading kernels, uploading pictures */
    Diags *diags;
};

/* Data-parallel ranks; a single process has ranks 1 and reduce NULL. reduce: the sum over all. */
typedef struct {
    int rank, ranks;
    int local, locals; /* the same among the processes of this host */
    void (*reduce)(void *context, double *values, size_t count);
    void *context;
} Ranks;

typedef struct {
    const Net *net;
    const Dataset *data;
    const NetState *state; /* copied */
    int batch;             /* pictures of a step on this rank, all its GPUs together */
    uint64_t seed;
    const char *precision;  /* a name of precision.def */
    int device_index, gpus; /* first GPU, number of GPUs (0 counts as 1) */
    Pool *pool;
    Ranks ranks;
    Diags *diags;
    bool *no_memory; /* set when opening failed for want of the device's memory; may be NULL */
} BackendConfig;

/* NULL with a diagnostic. */
Backend *backend_cpu_open(const BackendConfig *config);
Backend *backend_gpu_open(const BackendConfig *config);
int backend_gpu_count(void); /* 0 also when there is no driver */
/* The precision that this GPU trains in unless told otherwise: the first of precision.def that it
 * takes. Without a GPU, of them all. */
const char *backend_gpu_precision(int device_index);
/* Starts the driver and opens the GPU's context, which backend_gpu_open then finds open: for
 * another thread while pictures are decoded. Seconds it took; says nothing when there is no GPU. */
double backend_gpu_warm(int device_index);

#endif
