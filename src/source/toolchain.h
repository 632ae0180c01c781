/* SPDX-License-Identifier: Apache-2.0
 * What a build needs besides the user's source: compiler, headers, libraries, a work folder and the
 * precompiled header. Found once per request. */
#ifndef GPUKIT_SOURCE_TOOLCHAIN_H
#define GPUKIT_SOURCE_TOOLCHAIN_H

#include "source/command.h"

typedef struct {
    Arena *arena;
    const SourceOptions *options;
    SourceFrontend frontend;
    const char *compiler, *include_dir;
    const char *cache;   /* cache folder for sources, or NULL */
    char *work;          /* private temporary folder */
    const char *cccl;    /* for the source at hand: folder of Thrust and CUB, or NULL */
    bool as_nvcc;        /* and whether it gets __NVCC__ */
    const char *overlay; /* for the source at hand: texts in the place of files, or NULL */
} Toolchain;

/* False with a diagnostic when something is missing. */
bool toolchain_open(Toolchain *tools, const SourceOptions *options, Diags *diags);
void toolchain_close(Toolchain *tools); /* removes the work folder */
char *find_nvcc(void); /* malloc'd, or NULL */
/* The precompiled cuda_runtime.h for a pass; NULL when there is none and none can be made now.
 * Two starts may run at once: _begin starts the compiler where needed, _end waits. */
typedef struct {
    pid_t pid;
    char *path, *unfinished;
} Pch;
void pch_begin(const Toolchain *tools, SourcePass pass, Pch *pch);
const char *pch_end(const Toolchain *tools, Pch *pch);

/* Puts right what clang cannot say in PTX (ptx_text.c); true when the text changed. */
bool ptx_finish(Buf *ptx);

/* Identity of a compiler without starting it: path, size, time of change. */
void compiler_identity(Buf *out, const char *path);

#endif
