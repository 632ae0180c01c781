/* SPDX-License-Identifier: Apache-2.0
 *
 * Model files (weights, classes, size) and checkpoints (the same with momentum and the position in
 * the run), both safetensors in PyTorch's names and shapes; and the ONNX export. */
#ifndef GPUKIT_TRAINER_MODEL_H
#define GPUKIT_TRAINER_MODEL_H

#include "base/diag.h"
#include "trainer/net.h"

#include <stdbool.h>

typedef struct {
    Net net;
    NetState state;
    char *names[NET_MAX_CLASSES];
} Model;

/* progress: JSON text of a checkpoint, or NULL for a model file. 0 or -errno. */
int model_save(const char *path, const Model *model, const char *progress);
/* progress: set to the checkpoint's JSON text (malloc'd) or NULL. */
bool model_load(const char *path, Model *model, char **progress, Diags *diags);
void model_init(Model *model, int size, int classes, const char *const *names);
void model_free(Model *model);

/* Input "image" [N][3][size][size], values 0..1; outputs "logits" and "probabilities". Batch norm
 * is folded into the convolutions. 0 or -errno. */
int model_export_onnx(const char *path, const Model *model);

#endif
