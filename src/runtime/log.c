/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's record of what went wrong, as the error log of both interfaces shows it (cuLogs*, cudaLogs*): gpukit's
 * messages, and calls that returned errors. The newest are kept; CUDA_LOG_FILE (stdout, stderr, a path) gets each. */
#include "runtime/rt.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_BYTES = 25600, LINE = 1024 };

typedef struct Callback {
    RtLogFunction function;
    void *data;
} Callback;

static struct {
    pthread_mutex_t lock;
    VEC(char *) lines; /* the newest, each with its end of line */
    uint32_t first;    /* the number of the first that is kept */
    size_t bytes;
    VEC(Callback *) callbacks;
} logs = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void write_file(const char *line)
{
    const char *name = getenv("CUDA_LOG_FILE");
    if (!name || !*name)
        return;
    if (!strcmp(name, "stdout") || !strcmp(name, "stderr")) {
        fputs(line, *(name + 3) == 'o' ? stdout : stderr);
        return;
    }
    FILE *file = fopen(name, "ae");
    if (file) {
        fputs(line, file);
        fclose(file);
    }
}

/* Lock held. The line is the log's from here on. */
static void keep(char *line)
{
    VEC_PUSH(logs.lines, line);
    logs.bytes += strlen(line);
    size_t gone = 0;
    while (logs.bytes > KEPT_BYTES && gone + 1 < logs.lines.count) {
        logs.bytes -= strlen(logs.lines.items[gone]);
        free(logs.lines.items[gone++]);
    }
    logs.first += (uint32_t)gone;
    logs.lines.count -= gone;
    memmove(logs.lines.items, logs.lines.items + gone, logs.lines.count * sizeof *logs.lines.items);
}

void rt_log(const char *source, const char *format, ...)
{
    struct timespec now;
    struct tm day;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &day);
    char *line = xmalloc(LINE);
    int length = snprintf(line, LINE, "[%02d:%02d:%02d.%03ld][%d][%s][E] ", day.tm_hour, day.tm_min,
                          day.tm_sec, now.tv_nsec / 1000000, (int)gettid(), source);
    va_list list;
    va_start(list, format);
    length += vsnprintf(line + length, (size_t)(LINE - length - 1), format, list);
    va_end(list);
    length = length > LINE - 2 ? LINE - 2 : length;
    strcpy(line + length, "\n");
    char message[LINE];
    memcpy(message, line, (size_t)length);
    message[length] = 0;
    write_file(line);
    pthread_mutex_lock(&logs.lock);
    keep(line);
    size_t count = logs.callbacks.count;
    Callback *all = xcalloc(count + 1, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = *logs.callbacks.items[i];
    pthread_mutex_unlock(&logs.lock);
    for (size_t i = 0; i < count; i++)
        all[i].function(all[i].data, RT_LOG_ERROR, message, (size_t)length);
    free(all);
}

void rt_log_call(const char *source, int error, const char *name, const char *function)
{
    const char *shown = strncmp(function, "do_", 3) ? function : function + 3;
    if (error == RT_NOT_READY) /* an answer */
        return;
    if (!strncmp(shown, "cu", 2))
        rt_log(source, "Returning %d (%s) from %s", error, name, shown);
    else
        rt_log(source, "Returning %d (%s)", error, name);
}

int rt_log_callback_add(RtLogFunction function, void *data, void **handle)
{
    if (!function)
        return RT_INVALID_VALUE;
    Callback *callback = xmalloc(sizeof *callback);
    *callback = (Callback){function, data};
    pthread_mutex_lock(&logs.lock);
    VEC_PUSH(logs.callbacks, callback);
    pthread_mutex_unlock(&logs.lock);
    if (handle)
        *handle = callback;
    return RT_OK;
}

int rt_log_callback_remove(void *handle)
{
    bool found = false;
    pthread_mutex_lock(&logs.lock);
    for (size_t i = 0; i < logs.callbacks.count && !found; i++)
        if (logs.callbacks.items[i] == handle) {
            logs.callbacks.items[i] = logs.callbacks.items[--logs.callbacks.count];
            found = true;
        }
    pthread_mutex_unlock(&logs.lock);
    if (found)
        free(handle);
    return found ? RT_OK : RT_INVALID_VALUE;
}

/* Lock held. The place of the first line that the iterator has not had. */
static size_t start(const uint32_t *iterator)
{
    size_t seen = iterator && *iterator > logs.first ? *iterator - logs.first : 0;
    return seen < logs.lines.count ? seen : logs.lines.count;
}

static void advance(uint32_t *iterator)
{
    if (iterator)
        *iterator = logs.first + (uint32_t)logs.lines.count;
}

int rt_log_current(uint32_t *iterator, unsigned flags)
{
    if (!iterator || flags)
        return RT_INVALID_VALUE;
    pthread_mutex_lock(&logs.lock);
    advance(iterator);
    pthread_mutex_unlock(&logs.lock);
    return RT_OK;
}

static const char cut_short[] = "[messages before these were left out]\n";

int rt_log_dump(uint32_t *iterator, char *buffer, size_t *bytes, unsigned flags)
{
    if (!buffer || !bytes || !*bytes || flags)
        return RT_INVALID_VALUE;
    size_t room = *bytes - 1, used = 0;
    pthread_mutex_lock(&logs.lock);
    size_t first = start(iterator), from = logs.lines.count, all = 0;
    for (size_t i = first; i < logs.lines.count; i++)
        all += strlen(logs.lines.items[i]);
    bool short_of = all > room || (iterator && *iterator < logs.first);
    size_t left = short_of ? room - (room < sizeof cut_short ? room : sizeof cut_short - 1) : room;
    while (from > first && strlen(logs.lines.items[from - 1]) <= left)
        left -= strlen(logs.lines.items[--from]);
    bool none = from == logs.lines.count;
    if (short_of && !none)
        used += (size_t)sprintf(buffer, "%s", cut_short);
    for (size_t i = from; i < logs.lines.count; i++)
        used += (size_t)sprintf(buffer + used, "%s", logs.lines.items[i]);
    buffer[used] = 0;
    *bytes = used;
    if (!none)
        advance(iterator);
    pthread_mutex_unlock(&logs.lock);
    return none && all ? RT_INVALID_VALUE : RT_OK;
}

int rt_log_dump_file(uint32_t *iterator, const char *path, unsigned flags)
{
    if (!path || flags)
        return RT_INVALID_VALUE;
    FILE *file = fopen(path, "we");
    if (!file)
        return RT_INVALID_VALUE;
    pthread_mutex_lock(&logs.lock);
    for (size_t i = start(iterator); i < logs.lines.count; i++)
        fputs(logs.lines.items[i], file);
    advance(iterator);
    pthread_mutex_unlock(&logs.lock);
    return fclose(file) ? RT_OPERATING_SYSTEM : RT_OK;
}
