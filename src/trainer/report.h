/* SPDX-License-Identifier: Apache-2.0
 *
 * One self-contained HTML page about a training run: curves, confusion matrix, mistakes with
 * thumbnails, files that could not be used. No script, nothing fetched. */
#ifndef GPUKIT_TRAINER_REPORT_H
#define GPUKIT_TRAINER_REPORT_H

#include "trainer/train.h"

/* 0 or -errno. cpu_speed: images per second of the CPU for the same work; 0 when not measured. */
int report_write(const char *path, const TrainOptions *options, const Dataset *data,
                 const TrainResult *result, double cpu_speed);

#endif
