/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks a module: operands, types and modifiers against ops.def, labels, symbols, spaces, calls. */
#ifndef GPUKIT_IR_VERIFY_H
#define GPUKIT_IR_VERIFY_H

#include "base/diag.h"
#include "ir/ir.h"

bool ir_verify(const IrModule *module, Diags *diags);

/* Types that types[0] of an instruction may have: bit TY_* of the result. */
uint64_t ir_legal_types(unsigned op);

#endif
