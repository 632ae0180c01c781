/* SPDX-License-Identifier: Apache-2.0
 * Command lines of the compilers, and running them. */
#ifndef GPUKIT_SOURCE_COMMAND_H
#define GPUKIT_SOURCE_COMMAND_H

#include "source/source.h"

#include <sys/types.h>

typedef SourceArgs Argv;

void argv_add_all(Argv *argv, const SourceArgs *more);
/* Starts argv[0] with the given words (a NULL is added); -1 when it cannot be started. messages is
 * the file that takes standard error, or NULL. */
pid_t command_start(Argv *argv, const char *messages, bool verbose);
/* Waits; the exit status, or 128 + signal. */
int command_wait(pid_t pid);
int command_run(Argv *argv, bool verbose);

typedef enum { PASS_DEVICE, PASS_HOST } SourcePass;
/* The words of one clang pass up to, and without, the input and -o. include_dir is borrowed. pch is
 * the precompiled header, or NULL to include cuda_runtime.h as text. Strings come from arena. */
void clang_pass(Argv *argv, Arena *arena, const SourceOptions *options, const char *clang,
                const char *include_dir, SourcePass pass, const char *pch);

#endif
