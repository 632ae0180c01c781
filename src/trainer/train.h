/* SPDX-License-Identifier: Apache-2.0
 *
 * The training loop: epochs, checkpoints, stopping, results. It prints nothing; the caller's event
 * functions do. */
#ifndef GPUKIT_TRAINER_TRAIN_H
#define GPUKIT_TRAINER_TRAIN_H

#include "trainer/backend.h"
#include "trainer/model.h"

#include <signal.h>

typedef struct {
    const char *out; /* model file; the checkpoint is OUT.checkpoint, the best model OUT.best */
    int size, epochs, batch;
    uint64_t seed;
    double rate; /* peak */
    bool resume;
    long early_stop;     /* epochs without a better test accuracy; 0: never */
    double time_limit;   /* seconds; 0: none */
    double warm_seconds; /* that backend_gpu_warm took before */
    bool gpu;
    int device_index, gpus;
    const char *precision;
    Ranks ranks;                       /* batch is the joint one */
    const volatile sig_atomic_t *stop; /* SIGINT, SIGTERM, or 0 */
} TrainOptions;

typedef struct {
    int epoch; /* from 1 */
    double loss, train_accuracy, test_loss, test_accuracy, balanced, seconds, images_per_second,
        rate;
} TrainEpoch;

typedef enum { TRAIN_DONE, TRAIN_EARLY, TRAIN_TIME, TRAIN_SIGNAL, TRAIN_FAILED } TrainEnd;

typedef struct {
    TrainEnd end;
    int signal; /* that ended it: SIGINT, SIGTERM */
    VEC(TrainEpoch) history;
    int best_epoch, retries;
    Model model;
    const char *device; /* arena of the caller's diags */
    bool no_device;     /* failed because the device could not be opened */
    int batch;          /* of the options, or less when the GPU's memory did not do */
    size_t device_memory;
    double start_seconds;  /* device start-up, with warm_seconds */
    double seconds;        /* training and testing */
    double to_accuracy[2]; /* seconds of training to 85% and 90% test accuracy; 0: never */
    float *logits;         /* of the test set, [count][classes] */
    size_t confusion[NET_MAX_CLASSES][NET_MAX_CLASSES]; /* [truth][answer] */
    double accuracy, low, high; /* test accuracy with a 95% interval (Wilson) */
    double balanced;
    size_t right, tested;
    size_t *wrong; /* test pictures, most confidently wrong first */
    size_t wrong_count;
} TrainResult;

typedef struct {
    void *context;
    void (*epoch)(void *context, const TrainEpoch *epoch, int epochs, double left);
    void (*progress)(void *context, int epoch, int epochs, long step, long steps, double loss,
                     double images_per_second, double left);
    void (*note)(void *context, const char *text);
} TrainEvents;

/* False with errors in diags. Result must be freed in both cases. */
bool train_run(const TrainOptions *options, const Dataset *data, Pool *pool,
               const TrainEvents *events, TrainResult *result, Diags *diags);
void train_result_free(TrainResult *result);

/* The CPU's time for the same run, its tests included. All of it is measured when steps == total;
 * else the rest is estimated at the pace of the measured steps and of one test or more. */
typedef struct {
    const char *device; /* arena of the caller's diags */
    double seconds, images_per_second;
    long steps, total; /* measured, of the run */
} TrainCpuTime;
/* Measures until the limit (seconds), at least one step. False with a diagnostic. */
bool train_time_cpu(const TrainOptions *options, const Dataset *data, Pool *pool, double limit,
                    TrainCpuTime *out, Diags *diags);

void train_softmax(const float *logits, int classes, double *probabilities);

#endif
