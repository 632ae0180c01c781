/* SPDX-License-Identifier: Apache-2.0
 *
 * The fat binary container: what compilers embed into programs. A header, then entries, each PTX
 * text or machine code for one architecture, possibly compressed. Written for one PTX text; read
 * entry by entry. Input is foreign: every size is checked, a damaged container yields fewer
 * entries, never a wrong read. Unpacking is in runtime/fatbin.c. All numbers are little endian:
 *   header  u32 magic, u16 version, u16 header bytes, u64 bytes of all entries
 *   entry   00 u16 kind, 04 u32 header bytes, 08 u64 padded payload bytes, 10 u32 compressed bytes,
 *           18 u16 minor, 1a u16 major (of PTX: its version), 1c u32 architecture, 28 u64 flags,
 *           38 u64 raw bytes
 * Source: the products of nvcc 11 to 13. */
#ifndef GPUKIT_SOURCE_FATBIN_H
#define GPUKIT_SOURCE_FATBIN_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FATBIN_MAGIC UINT32_C(0xba55ed50)

typedef enum { FATBIN_PTX = 1, FATBIN_MACHINE_CODE = 2, FATBIN_LTO = 8 } FatbinKind;

typedef struct {
    unsigned kind;   /* FatbinKind, or another */
    int arch;        /* 90 for sm_90 and compute_90; 0 unknown */
    char suffix;     /* 'a' (architecture-specific), 'f' (family-specific) or 0 */
    int ptx_version; /* 90 for .version 9.0; 0 for machine code or an unreadable number */
    bool lz4, zstd;  /* how the payload is compressed */
    const uint8_t *payload;
    uint64_t padded, packed, raw; /* bytes: with padding; compressed and unpacked, 0 unknown */
} FatbinEntry;

typedef struct {
    const uint8_t *at, *end;
} FatbinCursor;

/* NULL and a cursor before the first entry, or what is wrong ("it is cut off"; static). limit:
 * bytes that may be read; SIZE_MAX: the header is believed. */
const char *fatbin_open(const void *header, size_t limit, FatbinCursor *cursor);
/* 1 and an entry, 0 behind the last, -1 when an entry's sizes are impossible. */
int fatbin_next(FatbinCursor *cursor, FatbinEntry *entry);

/* Calls found for each PTX and machine code entry of all containers in a section's bytes. Returns
 * their number. */
size_t fatbin_scan(const void *bytes, size_t count, void (*found)(const FatbinEntry *, void *),
                   void *context);

typedef struct {
    const char *arch; /* "sm_90" */
    Buf text;
} FatbinPtx;

/* Appends a container with those PTX texts. */
void fatbin_write(Buf *out, const FatbinPtx *parts, size_t count);

#endif
