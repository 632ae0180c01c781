/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking PTX: several texts of separately compiled files (-rdc) into one. */
#ifndef GPUKIT_RUNTIME_PTXLINK_H
#define GPUKIT_RUNTIME_PTXLINK_H

#include "base/buf.h"

#include <stdbool.h>

typedef struct {
    const char *text;
    size_t bytes;
} PtxText;

/* Appends one text to out. False with a sentence in why: a text cannot be cut into statements.
 * References that nothing defines stay .extern; the parser of the result tells them. */
bool ptx_link(const PtxText *texts, size_t count, Buf *out, char *why, size_t room);

#endif
