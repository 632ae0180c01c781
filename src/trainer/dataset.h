/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder of pictures as training and test sets: class folders in DIR (split by a hash of the
 * name), or DIR/train and DIR/test with the same class folders. Each file is decoded once. */
#ifndef GPUKIT_TRAINER_DATASET_H
#define GPUKIT_TRAINER_DATASET_H

#include "base/diag.h"
#include "trainer/net.h"
#include "trainer/pool.h"

#include <stdbool.h>
#include <stdint.h>

enum { SET_TRAIN, SET_TEST, SETS };

typedef struct {
    char *path;
    int label;
} DataFile;

typedef struct {
    const char *path;
    char *reason;
} BadFile;

typedef struct {
    uint8_t *pixels; /* [count][side][side][3] */
    size_t count;
    DataFile *files; /* [count] */
} DataSet;

typedef struct {
    Arena *arena;
    int classes, side;
    const char *names[NET_MAX_CLASSES];
    DataSet set[SETS];
    size_t per_class[SETS][NET_MAX_CLASSES];
    VEC(BadFile) bad;
    size_t ignored; /* other files: notes, .DS_Store */
    size_t shared;  /* pictures that stand in both sets */
    uint64_t split_hash;
    double seconds; /* walking and decoding */
    bool on_disk;   /* pixels lie in a mapped cache file */
    uint8_t *memory;
    size_t memory_bytes;
} Dataset;

typedef struct {
    int side;                        /* stored side */
    double max_bad;                  /* part of the files that may be bad, 0..1 */
    unsigned long long memory_limit; /* bytes of pictures kept in memory; 0: half of it */
    bool progress;                   /* a line on stderr while decoding */
} DatasetOptions;

/* False with errors in diags: too few classes, an empty class, too many bad files. */
bool dataset_load(const char *dir, const DatasetOptions *options, Pool *pool, Dataset *out,
                  Diags *diags);
void dataset_free(Dataset *data);

#endif
