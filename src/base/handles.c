/* SPDX-License-Identifier: Apache-2.0
 *
 * See handles.h. A list: programs hold few handles at a time. */
#include "base/handles.h"

/* Its place, or the count. Lock held. */
static size_t place(const Handles *handles, const void *handle)
{
    size_t i = 0;
    while (i < handles->items.count && handles->items.items[i] != handle)
        i++;
    return i;
}

void handles_add(Handles *handles, const void *handle)
{
    pthread_mutex_lock(&handles->lock);
    VEC_PUSH(handles->items, handle);
    pthread_mutex_unlock(&handles->lock);
}

bool handles_has(Handles *handles, const void *handle)
{
    pthread_mutex_lock(&handles->lock);
    bool found = place(handles, handle) < handles->items.count;
    pthread_mutex_unlock(&handles->lock);
    return found;
}

bool handles_remove(Handles *handles, const void *handle)
{
    pthread_mutex_lock(&handles->lock);
    size_t at = place(handles, handle);
    bool found = at < handles->items.count;
    if (found)
        handles->items.items[at] = handles->items.items[--handles->items.count];
    pthread_mutex_unlock(&handles->lock);
    return found;
}
