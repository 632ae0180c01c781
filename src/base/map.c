/* SPDX-License-Identifier: Apache-2.0
 * String-keyed hash map with linear probing. */
#include "base/map.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct MapSlot {
    char *key; /* NULL: never used */
    void *value;
};

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t h = seed ^ 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; ++i)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h ^ (h >> 29);
}

void map_free(Map *map)
{
    for (size_t i = 0; i < map->room; ++i)
        free(map->slots[i].key);
    free(map->slots);
    *map = (Map){0};
}

static struct MapSlot *find(const Map *map, const char *key, size_t bytes)
{
    size_t mask = map->room - 1;
    for (size_t i = hash_bytes(key, bytes, 0) & mask;; i = (i + 1) & mask) {
        struct MapSlot *slot = &map->slots[i];
        if (!slot->key || (strncmp(slot->key, key, bytes) == 0 && slot->key[bytes] == 0))
            return slot;
    }
}

void *map_get_n(const Map *map, const char *key, size_t bytes)
{
    return map->room ? find(map, key, bytes)->value : NULL;
}

void *map_get(const Map *map, const char *key)
{
    return map_get_n(map, key, strlen(key));
}

void map_set(Map *map, const char *key, void *value)
{
    if (map->count * 2 >= map->room) {
        Map old = *map;
        map->room = old.room ? old.room * 2 : 16;
        map->slots = xcalloc(map->room, sizeof *map->slots);
        for (size_t i = 0; i < old.room; ++i)
            if (old.slots[i].key)
                *find(map, old.slots[i].key, strlen(old.slots[i].key)) = old.slots[i];
        free(old.slots);
    }
    struct MapSlot *slot = find(map, key, strlen(key));
    if (!slot->key) {
        slot->key = xstrdup(key);
        map->count++;
    }
    slot->value = value;
}

int map_next(const Map *map, size_t *at, const char **key, void **value)
{
    while (*at < map->room) {
        const struct MapSlot *slot = &map->slots[(*at)++];
        if (slot->key && slot->value) {
            *key = slot->key;
            *value = slot->value;
            return 1;
        }
    }
    return 0;
}
