/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiled program needs: libraries, and the GPU code inside it. */
#ifndef GPUKIT_DOCTOR_PROGRAM_H
#define GPUKIT_DOCTOR_PROGRAM_H

#include "doctor/doctor.h"
#include "source/fatbin.h"

typedef struct {
    const char *soname;
    const char *path;      /* where the loader finds it, NULL: nowhere */
    const char *elsewhere; /* where it lies outside the loader's folders, NULL */
    const char *other;     /* the same library with another number, NULL */
} Needed;

struct Program {
    const char *path;
    const char *machine; /* "x86-64", "aarch64", ... */
    bool foreign;        /* built for another processor */
    VEC(Needed) libraries;
    VEC(FatbinEntry) codes;
    int runtime;  /* CUDA major of the shared libcudart it needs; 0: static or none */
    int ptx;      /* newest PTX version inside, times ten: 90 */
    int built_by; /* CUDA version of that PTX, packed; 0 unknown */
    bool uses_cuda;
    bool runs_here, runs_on_engine;
    const char *verdict;
};

const char *program_version_text(Doctor *doctor);
/* Smallest CUDA version whose driver reads this PTX version (times ten); packed, 0 unknown. */
int ptx_cuda_version(int ptx);

#endif
