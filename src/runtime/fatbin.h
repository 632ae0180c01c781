/* SPDX-License-Identifier: Apache-2.0
 *
 * The PTX in what compilers embed in programs, chosen for a device and unpacked. */
#ifndef GPUKIT_RUNTIME_FATBIN_H
#define GPUKIT_RUNTIME_FATBIN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *text; /* not NUL-terminated */
    size_t bytes;
    char *owned; /* to free(); NULL when text lies in the image */
    int sm;      /* 80 for compute_80; 0 unknown (plain text) */
} FatPtx;

enum { FATBIN_OK = 0, FATBIN_BROKEN = 200, FATBIN_NO_PTX = 209 };

/* image: a wrapper, a fat binary, plain PTX or an ELF image; bytes: how much may be read, SIZE_MAX
 * when it lies in a program and its own headers must be believed. cc: e.g. 90; the newest PTX not
 * above it is taken, else the oldest. Returns FATBIN_*; why receives a sentence on an error. */
int fatbin_ptx(const void *image, size_t bytes, int cc, FatPtx *out, char *why, size_t room);
/* Whether uncompressed PTX in an image of a program (a wrapper, a container or text) has the word. */
bool fatbin_mentions(const void *image, const char *word);
void fatbin_ptx_free(FatPtx *ptx);

/* A relocatable (-rdc) wrapper holds several fat binaries: their number, else 0. */
size_t fatbin_parts(const void *wrapper, const void *const **parts);

#endif
