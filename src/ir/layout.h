/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a kernel's variables lie: indices of global and constant variables, offsets of shared and
 * local ones. Both the launcher and the code generator call this, so both agree. */
#ifndef GPUKIT_IR_LAYOUT_H
#define GPUKIT_IR_LAYOUT_H

#include "ir/ir.h"

/* Gives every .global/.const variable of the module, function-scope ones included, its index in
 * GkGrid.variables (IrSymbol.offset). Returns how many there are; *list (arena-owned by the module)
 * receives them in that order. */
uint32_t ir_layout_variables(IrModule *module, IrSymbol ***list);

enum { IR_RESERVED_SHARED = 1024 };

typedef struct {
    uint32_t static_shared; /* bytes, aligned to 16 */
    uint32_t shared_bytes;  /* the same without what aligning adds behind the last variable */
    uint32_t
        reserved_shared; /* offset of IR_RESERVED_SHARED bytes that %reserved_smem_offset_* name */
    uint32_t dynamic_align; /* alignment of extern shared arrays */
    uint32_t local_bytes;   /* of the kernel's own frame and the deepest call chain */
    uint32_t stack_bytes;   /* in: room for recursion, a thread; 0 = as usual */
    bool stack_used;        /* by inline_calls: there is recursion */
    bool recursive;         /* a call cycle, or an indirect call */
    IrFunction **functions; /* the kernel and everything it can call, callers first */
    uint32_t function_count;
} IrKernelLayout;

/* Assigns IrSymbol.offset to the shared and local variables that the kernel reaches. */
void ir_layout_kernel(IrModule *module, IrFunction *kernel, IrKernelLayout *out);

#endif
