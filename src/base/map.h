/* SPDX-License-Identifier: Apache-2.0
 *
 * Map: string keys to pointers, open addressing. Keys are copied; values are borrowed. */
#ifndef GPUKIT_BASE_MAP_H
#define GPUKIT_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    struct MapSlot *slots;
    size_t count, room;
} Map;

void map_free(Map *map);
void *map_get(const Map *map, const char *key);                 /* NULL when absent */
void *map_get_n(const Map *map, const char *key, size_t bytes); /* key need not end in NUL */
void map_set(Map *map, const char *key, void *value);           /* replaces; NULL removes */

/* Walks all entries: size_t at = 0; while (map_next(&map, &at, &key, &value)) ... */
int map_next(const Map *map, size_t *at, const char **key, void **value);

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed); /* FNV-1a style, 64 bits */

#endif
