/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of a file or an http(s) address, handed on as they come. libcurl is opened when the first
 * address is read, so that no other command pays for it. */
#ifndef GPUKIT_CATALOGUE_FETCH_H
#define GPUKIT_CATALOGUE_FETCH_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    void *user;
    bool (*bytes)(void *user, const char *bytes, size_t count); /* false stops */
    /* total 0: not known */
    void (*progress)(void *user, unsigned long long done, unsigned long long total);
} FetchSink;

bool fetch_is_address(const char *from);
/* False after a Diag, or when the sink stopped it (then without one). *day: days since 1970 of the
 * file's last change, 0 for an address. */
bool fetch(const char *from, const FetchSink *sink, int *day, Diags *diags);

#endif
