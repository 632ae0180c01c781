/* SPDX-License-Identifier: Apache-2.0
 *
 * One self-contained HTML page about a training run: curves, confusion matrix, mistakes with
 * thumbnails, files that could not be used. No script, nothing fetched. */
#ifndef GPUKIT_TRAINER_REPORT_H
#define GPUKIT_TRAINER_REPORT_H

#include "trainer/train.h"

/* 0 or -errno. cpu: the CPU's time for the same work, or NULL. */
int report_write(const char *path, const TrainOptions *options, const Dataset *data,
                 const TrainResult *result, const TrainCpuTime *cpu);

#endif
