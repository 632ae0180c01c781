/* SPDX-License-Identifier: Apache-2.0
 * The table of formats and what they share. */
#include "catalogue/import.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ImportFormat *const formats[] = {&import_skypilot, &import_aws_csv, &import_aws_json,
                                              &import_vantage};
enum { FORMATS = sizeof formats / sizeof *formats };

struct Import {
    const ImportFormat *format;
    void *state;
};

static const ImportFormat *find(const char *name)
{
    for (int i = 0; i < FORMATS; ++i)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

bool import_is_format(const char *name)
{
    return find(name) != NULL;
}

const char *import_format_names(void)
{
    return "skypilot, aws-csv, aws-json, vantage";
}

const char *import_sniff(const char *bytes, size_t count)
{
    char head[256];
    if (count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        bytes += 3, count -= 3;
    size_t n = count < sizeof head - 1 ? count : sizeof head - 1;
    memcpy(head, bytes, n);
    head[n] = 0;
    const char *p = head + strspn(head, " \t\r\n");
    if (*p == '{')
        return "aws-json";
    if (*p == '[')
        return "vantage";
    if (strncmp(p, "\"FormatVersion\"", 15) == 0 || strncmp(p, "\"SKU\"", 5) == 0)
        return "aws-csv";
    size_t line = strcspn(p, "\n");
    if (memchr(p, ',', line) && strstr(p, "InstanceType"))
        return "skypilot";
    return NULL;
}

Import *import_new(const char *format, const ImportSink *sink)
{
    Import *import = xcalloc(1, sizeof *import);
    import->format = find(format);
    import->state = import->format->make(sink);
    return import;
}

bool import_feed(Import *import, const char *bytes, size_t count)
{
    return import->format->feed(import->state, bytes, count);
}

bool import_end(Import *import)
{
    return import->format->end(import->state);
}

const char *import_error(const Import *import)
{
    return import->format->error(import->state);
}

void import_free(Import *import)
{
    if (!import)
        return;
    import->format->drop(import->state);
    free(import);
}

bool import_is_accelerated(const char *name)
{
    static const char *const families[] = {"gr", "g", "p", "inf", "trn", "dl", "vt", "f"};
    if (strncmp(name, "ml.", 3) == 0)
        name += 3;
    for (size_t i = 0; i < sizeof families / sizeof *families; ++i) {
        size_t length = strlen(families[i]);
        if (strncmp(name, families[i], length) == 0 && isdigit((unsigned char)name[length]))
            return strchr(name, '.') != NULL;
    }
    return false;
}

bool import_number(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == 0 && errno == 0 && isfinite(*value);
}
