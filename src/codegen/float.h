/* SPDX-License-Identifier: Apache-2.0
 * Floating-point building blocks shared by arith_float.c, approx.c and convert.c. Values are scalars or vectors
 * of any length. */
#ifndef GPUKIT_CODEGEN_FLOAT_H
#define GPUKIT_CODEGEN_FLOAT_H

#include "codegen/emit.h"

typedef enum { FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV, FLOAT_FMA, FLOAT_SQRT } FloatOp;

LLVMTypeRef float_with(Emitter *e, LLVMTypeRef element, LLVMTypeRef like);
LLVMValueRef float_intrinsic(Emitter *e, const char *name, LLVMValueRef *args, int count);
LLVMValueRef float_flush(Emitter *e, LLVMValueRef v);
LLVMValueRef float_widen(Emitter *e, LLVMValueRef v, IrType t);
LLVMValueRef float_narrow(Emitter *e, LLVMValueRef v, IrType t, unsigned round);
LLVMValueRef float_adjust(Emitter *e, LLVMValueRef bits, LLVMValueRef back, LLVMValueRef exact,
                          unsigned round, uint64_t sign_bit);
LLVMValueRef float_slice(Emitter *e, LLVMValueRef v, unsigned at, unsigned count);
LLVMValueRef float_concat(Emitter *e, LLVMValueRef *parts, unsigned count);
LLVMValueRef float_arith(Emitter *e, FloatOp op, LLVMValueRef *x, int args, unsigned round);
LLVMValueRef float_double_to_single_odd(Emitter *e, LLVMValueRef d);

void emit_op_div_approx(Emitter *e, const IrInsn *insn);

#endif
