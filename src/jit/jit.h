/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled kernels on demand. LLVM never enters this process: a helper program (gpukit-jit) compiles
 * one kernel of a PTX text for one block shape into a shared object, which lies in the cache and is
 * opened with dlopen; a cached kernel needs neither LLVM nor the helper. */
#ifndef GPUKIT_JIT_JIT_H
#define GPUKIT_JIT_JIT_H

#include "base/diag.h"
#include "ir/ir.h"
#include "launch/abi.h"

typedef struct JitModule JitModule;

typedef struct {
    uint32_t ntid[3]; /* block shape to specialise for; zeros = any shape */
    bool scalar;      /* one lane at a time, without vectors (compare's serial run) */
    unsigned hooks;   /* observers to compile in; 0 = none */
    uint32_t stack;   /* bytes a thread for recursion; 0 = as usual */
} JitOptions;

/* Parses and verifies; text is copied. NULL with diagnostics on an error. Thread-safe use after. */
JitModule *jit_module_new(const char *text, size_t bytes, const char *name, Diags *diags);
void jit_module_free(JitModule *module); /* compiled kernels of it must not run any more */
const IrModule *jit_module_ir(const JitModule *module);

/* The compiled kernel, from memory, the cache or the helper. NULL with diagnostics: unsupported
 * instruction (named, with its line), helper missing, compile failure. Thread-safe. */
const GkKernel *jit_kernel(JitModule *module, const char *kernel, const JitOptions *options,
                           Diags *diags);

/* Time spent so far in compiling (milliseconds, wall), and how many kernels were compiled or taken
 * from the disk cache. */
typedef struct {
    double compile_ms;
    unsigned compiled, cached;
} JitStats;
JitStats jit_stats(void);

#endif
