/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX text to IR and back. */
#ifndef GPUKIT_PTX_PTX_H
#define GPUKIT_PTX_PTX_H

#include "base/buf.h"
#include "base/diag.h"
#include "ir/ir.h"
#include "ir/verify.h" /* ir_verify */

/* Parses a PTX text (need not end in NUL; leading and trailing NULs and newlines are skipped).
 * Several errors are reported before it gives up. NULL when there was any. */
IrModule *ptx_parse(const char *text, size_t bytes, const char *name, Diags *diags);

/* How the instructions begin that the parser knows by name only (IrFunction.refused); ends with NULL. */
extern const char *const ptx_refused[];

/* Writes the module as PTX; parsing that again gives the same IR. */
void ptx_print(const IrModule *module, Buf *out);
void ptx_print_insn(const IrModule *module, const IrFunction *function, const IrInsn *insn,
                    Buf *out);

#endif
