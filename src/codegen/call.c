/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that were not inlined: the device system calls (vprintf, __assertfail, malloc, free) and trap.
 * Parameters travel through .param variables, which analysis/inline.c has turned into registers. */
#include "codegen/emit.h"

#include <string.h>

static LLVMValueRef in_memory(Emitter *e, LLVMValueRef v)
{
    LLVMValueRef slot = emit_slot(e, LLVMTypeOf(v), "arg");
    LLVMBuildStore(e->b, v, slot);
    return slot;
}

static const IrOperand *argument(const IrInsn *insn, int k)
{
    const IrOperand *list = &insn->operands[2];
    return list->kind == OPND_list && k < list->count ? &list->items[k] : NULL;
}

static LLVMValueRef argument_slot(Emitter *e, const IrInsn *insn, int k, IrType type)
{
    const IrOperand *o = argument(insn, k);
    if (!o) {
        emit_error(e, "call with too few arguments");
        return LLVMConstNull(e->ptr);
    }
    return in_memory(e, emit_vector(e, o, type));
}

static const IrOperand *result_operand(const IrInsn *insn)
{
    const IrOperand *list = &insn->operands[0];
    return list->kind == OPND_list && list->count ? &list->items[0] : NULL;
}

static void call_vprintf(Emitter *e, const IrInsn *insn, LLVMValueRef mask)
{
    LLVMTypeRef args[6] = {e->ptr, e->i32, e->i32, e->ptr, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, vprintf), &type, e->none, args, 6);
    LLVMValueRef result = emit_slot(e, emit_vec(e->i32), "printed");
    LLVMValueRef x[6] = {e->block_arg,
                         emit_warp_number(e),
                         mask,
                         argument_slot(e, insn, 0, TY_b64),
                         argument_slot(e, insn, 1, TY_b64),
                         result};
    LLVMBuildCall2(e->b, type, f, x, 6, "");
    e->prints = true;
    if (result_operand(insn))
        emit_def(e, result_operand(insn), 0, TY_b32,
                 LLVMBuildLoad2(e->b, emit_vec(e->i32), result, ""));
}

static void call_assert(Emitter *e, const IrInsn *insn, LLVMValueRef mask)
{
    LLVMTypeRef args[7] = {e->ptr, e->i32, e->i32, e->ptr, e->ptr, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, assertfail), &type, e->none, args, 7);
    LLVMValueRef x[7] = {e->block_arg,
                         emit_warp_number(e),
                         mask,
                         argument_slot(e, insn, 0, TY_b64),
                         argument_slot(e, insn, 1, TY_b64),
                         argument_slot(e, insn, 2, TY_b32),
                         argument_slot(e, insn, 3, TY_b64)};
    LLVMBuildCall2(e->b, type, f, x, 7, "");
}

static void call_malloc(Emitter *e, const IrInsn *insn, LLVMValueRef mask)
{
    LLVMTypeRef args[4] = {e->ptr, e->i32, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, malloc), &type, e->none, args, 4);
    LLVMValueRef result = emit_slot(e, emit_vec(e->i64), "allocated");
    LLVMValueRef x[4] = {e->block_arg, mask, argument_slot(e, insn, 0, TY_b64), result};
    LLVMBuildCall2(e->b, type, f, x, 4, "");
    if (result_operand(insn))
        emit_def(e, result_operand(insn), 0, TY_b64,
                 LLVMBuildLoad2(e->b, emit_vec(e->i64), result, ""));
}

static void call_free(Emitter *e, const IrInsn *insn, LLVMValueRef mask)
{
    LLVMTypeRef args[3] = {e->ptr, e->i32, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, free), &type, e->none, args, 3);
    LLVMValueRef x[3] = {e->block_arg, mask, argument_slot(e, insn, 0, TY_b64)};
    LLVMBuildCall2(e->b, type, f, x, 3, "");
}

/* Arguments: kernel, grid x y z, block x y z, shared bytes (analysis/inline.c takes the dim3 apart). */
static void call_child_buffer(Emitter *e, const IrInsn *insn, LLVMValueRef mask)
{
    LLVMTypeRef args[5] = {e->ptr, e->i32, e->ptr, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, child_buffer), &type, e->none, args, 5);
    LLVMTypeRef shape_type = LLVMArrayType2(emit_vec(e->i32), 7);
    LLVMValueRef shape = emit_slot(e, shape_type, "shape"),
                 result = emit_slot(e, emit_vec(e->i64), "buffer");
    for (int k = 0; k < 7 && argument(insn, k + 1); ++k) {
        LLVMValueRef at = LLVMConstInt(e->i64, (uint64_t)k, false);
        LLVMBuildStore(e->b, emit_vector(e, argument(insn, k + 1), TY_b32),
                       LLVMBuildGEP2(e->b, emit_vec(e->i32), shape, &at, 1, ""));
    }
    LLVMValueRef x[5] = {e->block_arg, mask, argument_slot(e, insn, 0, TY_b64), shape, result};
    LLVMBuildCall2(e->b, type, f, x, 5, "");
    if (result_operand(insn))
        emit_def(e, result_operand(insn), 0, TY_b64,
                 LLVMBuildLoad2(e->b, emit_vec(e->i64), result, ""));
}

static void call_child_launch(Emitter *e, const IrInsn *insn, LLVMValueRef mask)
{
    LLVMTypeRef args[5] = {e->ptr, e->i32, e->ptr, e->ptr, e->ptr}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, child_launch), &type, e->none, args, 5);
    LLVMValueRef result = emit_slot(e, emit_vec(e->i32), "launched");
    LLVMValueRef x[5] = {e->block_arg, mask, argument_slot(e, insn, 0, TY_b64),
                         argument_slot(e, insn, 1, TY_b64), result};
    LLVMBuildCall2(e->b, type, f, x, 5, "");
    if (result_operand(insn))
        emit_def(e, result_operand(insn), 0, TY_b32,
                 LLVMBuildLoad2(e->b, emit_vec(e->i32), result, ""));
}

static const struct {
    const char *name;
    void (*emit)(Emitter *e, const IrInsn *insn, LLVMValueRef mask);
} system_calls[] = {
    {"vprintf", call_vprintf},
    {"__assertfail", call_assert},
    {"malloc", call_malloc},
    {"free", call_free},
    {"__cudaCDP2GetParameterBufferV2", call_child_buffer},
    {"__cudaCDP2LaunchDeviceV2", call_child_launch},
};

void emit_op_call(Emitter *e, const IrInsn *insn)
{
    const IrOperand *f = &insn->operands[1];
    const char *name = f->symbol ? f->symbol->name : NULL;
    bool all;
    e->lanes = GK_WARP;
    LLVMValueRef mask = emit_mask_bits(e, emit_exec_mask(e, &all));
    for (size_t i = 0; name && i < sizeof system_calls / sizeof *system_calls; ++i)
        if (strcmp(name, system_calls[i].name) == 0) {
            system_calls[i].emit(e, insn, mask);
            return;
        }
    if (name)
        emit_error(e, "call of function %s, which is %s", name,
                   f->symbol->function && f->symbol->function->is_extern
                       ? "defined nowhere"
                       : "recursive: not supported");
    else
        emit_error(e, "indirect calls are not supported");
}

void emit_op_trap(Emitter *e, const IrInsn *insn)
{
    LLVMTypeRef args[6] = {e->ptr, e->i32, e->i32, e->i32, e->i64, e->i32}, type;
    uint64_t why = insn->operand_count ? insn->operands[0].bits : GK_TRAP_PROGRAM;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, fault), &type, e->none, args, 6);
    LLVMValueRef x[6] = {e->block_arg,
                         emit_warp_number(e),
                         emit_mask_bits(e, e->mask),
                         LLVMConstInt(e->i32, 719, false),
                         LLVMConstInt(e->i64, why, false),
                         LLVMConstInt(e->i32, emit_line(e), false)};
    LLVMBuildCall2(e->b, type, f, x, 6, "");
}

void emit_op_pmevent(Emitter *e, const IrInsn *insn)
{
    (void)e, (void)insn; /* a counter of the hardware's profiler */
}

void emit_op_control(Emitter *e, const IrInsn *insn)
{
    emit_error(e, "internal: %s inside a block", ir_op_info[insn->op].text);
}
