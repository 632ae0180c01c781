/* SPDX-License-Identifier: Apache-2.0
 *
 * Inlining of PTX functions into a kernel. Call parameters become registers; what cannot be inlined
 * (recursion, indirect calls) stays a call. */
#ifndef GPUKIT_ANALYSIS_INLINE_H
#define GPUKIT_ANALYSIS_INLINE_H

#include "base/diag.h"
#include "ir/layout.h"

/* A copy of the kernel in which every direct call of a defined, non-recursive function is replaced by
 * that function's body, and the .param variables of calls are registers where all accesses agree,
 * else local memory (layout->local_bytes grows). Owned by the arena. NULL with diagnostics. */
IrFunction *inline_calls(Arena *arena, IrModule *module, IrFunction *kernel, IrKernelLayout *layout,
                         Diags *diags);

#endif
