/* SPDX-License-Identifier: Apache-2.0
 *
 * The handles that a library gave out and has not taken back, so that any other is an error and not a
 * crash. All functions may be called from any thread. Knows nothing about what a handle points to. */
#ifndef GPUKIT_BASE_HANDLES_H
#define GPUKIT_BASE_HANDLES_H

#include "base/arena.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct {
    pthread_mutex_t lock;
    VEC(const void *) items;
} Handles;

#define HANDLES_NONE                                                                               \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

void handles_add(Handles *handles, const void *handle);
bool handles_has(Handles *handles, const void *handle);
/* Whether it was there: of two threads that destroy one handle only one gets true. */
bool handles_remove(Handles *handles, const void *handle);

#endif
