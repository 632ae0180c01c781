/* SPDX-License-Identifier: Apache-2.0
 *
 * Arena: memory that is allocated piece by piece and freed at once.
 * Running out of host memory for gpukit's own structures ends the process with a message;
 * sizes that a user asks for (cudaMalloc) never come from an arena. */
#ifndef GPUKIT_BASE_ARENA_H
#define GPUKIT_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL is allowed */

/* Zeroed, aligned to 16 bytes, owned by the arena. */
void *arena_alloc(Arena *arena, size_t bytes);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t bytes);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

/* malloc family that never returns NULL. */
void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t bytes);
void *xrealloc(void *old, size_t bytes);
char *xstrdup(const char *text);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A growable array: VEC(int) v = {0}; VEC_PUSH(v, 3); VEC_FREE(v); elements are v.items[0..count). */
#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
    }
#define VEC_PUSH(v, value)                                                                         \
    do {                                                                                           \
        if ((v).count == (v).room) {                                                               \
            (v).room = (v).room ? (v).room * 2 : 8;                                                \
            (v).items = xrealloc((v).items, (v).room * sizeof *(v).items);                         \
        }                                                                                          \
        (v).items[(v).count++] = (value);                                                          \
    } while (0)
#define VEC_FREE(v)                                                                                \
    do {                                                                                           \
        free((v).items);                                                                           \
        (v).items = NULL;                                                                          \
        (v).count = (v).room = 0;                                                                  \
    } while (0)

#endif
