/* SPDX-License-Identifier: Apache-2.0
 *
 * The safetensors format: 8 bytes header length (little-endian), a JSON header, raw tensors.
 * Only F32 is read and written. */
#ifndef GPUKIT_TRAINER_SAFETENSORS_H
#define GPUKIT_TRAINER_SAFETENSORS_H

#include "base/buf.h"

#include <stddef.h>

struct json_object;

typedef struct {
    Buf bytes;
    struct json_object *header;
    size_t data; /* where the tensors begin */
} SafeFile;

typedef struct {
    Buf data;
    struct json_object *header;
} SafeWriter;

void safe_writer_init(SafeWriter *writer);
void safe_writer_meta(SafeWriter *writer, const char *key, const char *value);
void safe_writer_add(SafeWriter *writer, const char *name, int dims, const int *shape,
                     const float *values);
/* Temporary name, sync, rename. 0 or -errno. Frees the writer. */
int safe_writer_save(SafeWriter *writer, const char *path);

/* 0, or -1 with a malloc'd sentence in *error. */
int safe_open(const char *path, SafeFile *out, char **error);
void safe_close(SafeFile *file);
const char *safe_meta(const SafeFile *file, const char *key); /* NULL when absent */
/* Copies the tensor's values; 0, or -1 if it is missing or has another shape. */
int safe_read(const SafeFile *file, const char *name, int dims, const int *shape, float *out);

#endif
