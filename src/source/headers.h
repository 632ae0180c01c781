/* SPDX-License-Identifier: Apache-2.0
 * The texts of a compilation that are the user's own: a source and the headers it names by "...", or
 * by <...> in the user's folders.
 */
#ifndef GPUKIT_SOURCE_HEADERS_H
#define GPUKIT_SOURCE_HEADERS_H

#include "source/toolchain.h"

/* Calls visit for the source and for each such header that is found, once. */
void headers_walk(Toolchain *tools, const char *input,
                  void (*visit)(void *user, const char *path, const Buf *text), void *user);
/* Sets tools->cccl: the folder with Thrust and CUB for a source that includes them by <...>, when
 * neither the user's folders nor the system's have them: GPUKIT_CCCL, or that of the CUDA toolkit
 * that is installed; NULL when none is needed or there is none. And tools->as_nvcc: whether the
 * source may be told that it is nvcc which compiles it; the newer Thrust and CUB must not be. */
void headers_look(Toolchain *tools, const char *input);

#endif
