/* SPDX-License-Identifier: Apache-2.0
 * Makes PTX text for tests: an instruction of a given opcode with operands of the right types. */
#ifndef GPUKIT_TESTS_PTX_TEXT_H
#define GPUKIT_TESTS_PTX_TEXT_H

#include "base/buf.h"
#include "ir/ir.h"

/* A kernel that holds `opcode` once, with operands made from the row of `insn` (op, types and
 * modifiers as the parser found them). */
void ptx_text_kernel(const char *opcode, const IrInsn *insn, Buf *out);

#endif
