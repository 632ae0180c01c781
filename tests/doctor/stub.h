/* SPDX-License-Identifier: Apache-2.0
 * What the stub driver libraries share: answers come from the file <library>.facts beside them,
 * "key=value" lines as doctor's probes print them. Included by one file per library. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STUB __attribute__((visibility("default")))

static char *facts;

static void load_facts(void *self)
{
    Dl_info info;
    char path[4096 + 8];
    if (facts || !dladdr(self, &info) || !realpath(info.dli_fname, path))
        return;
    strcat(path, ".facts");
    FILE *file = fopen(path, "r");
    facts = calloc(1, 1 << 20);
    if (file) {
        size_t count = fread(facts + 1, 1, (1 << 20) - 2, file);
        facts[0] = '\n';
        facts[count + 1] = 0;
        fclose(file);
    }
}

/* The value of "key=", or NULL; valid until the next call. */
static const char *fact(const char *key)
{
    static char value[512];
    char wanted[128];
    snprintf(wanted, sizeof wanted, "\n%s=", key);
    const char *at = facts ? strstr(facts, wanted) : NULL;
    if (!at)
        return NULL;
    at += strlen(wanted);
    size_t length = strcspn(at, "\n");
    snprintf(value, sizeof value, "%.*s", (int)length, at);
    return value;
}

static const char *device_fact(int device, const char *key)
{
    char whole[96];
    snprintf(whole, sizeof whole, "%d.%s", device, key);
    return fact(whole);
}

/* "hang" and "crash" stand for a sick driver. */
static int code_of(const char *text, int fallback)
{
    if (text && strcmp(text, "hang") == 0)
        sleep(60);
    if (text && strcmp(text, "crash") == 0)
        abort();
    return text ? atoi(text) : fallback;
}
