/* SPDX-License-Identifier: Apache-2.0
 *
 * Fat binaries: what nvcc puts into .nv_fatbin. A container holds entries, each machine code for
 * one architecture or PTX text, possibly compressed. Only the facts are read here: nothing is
 * run, and a damaged container yields fewer entries, never a wrong read. */
#ifndef GPUKIT_DOCTOR_FATBIN_H
#define GPUKIT_DOCTOR_FATBIN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool ptx;
    int arch;        /* 90 for sm_90 and compute_90 */
    char suffix;     /* 'a', 'f' or 0 */
    int ptx_version; /* 90 for .version 9.0; 0 for machine code or unreadable text */
    bool compressed;
} FatbinCode;

/* Calls found for each entry in the section's bytes. Returns the number of entries. */
size_t fatbin_scan(const void *bytes, size_t count, void (*found)(const FatbinCode *, void *),
                   void *context);

#endif
