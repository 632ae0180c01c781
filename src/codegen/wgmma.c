/* SPDX-License-Identifier: Apache-2.0
 *
 * wgmma: products of a group of four warps. Each warp makes its own 16 of the 64 rows, so that no warp
 * waits for another; the product is made at once, and waiting for it is nothing. Operands come from
 * registers (laid out as mma's) or from shared memory by descriptor; a row of 8 columns is one mma.
 * Not here: sparse forms. PTX ISA: "Asynchronous Warpgroup Level Matrix Instructions", "Matrix
 * Descriptor", "Swizzling modes". */
#include "codegen/emit.h"

#include <stdio.h>

static LLVMValueRef field(Emitter *e, LLVMValueRef descriptor, unsigned low, unsigned bits,
                          unsigned scale)
{
    LLVMValueRef v = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, descriptor, emit_k64(e, low), ""),
                                  emit_k64(e, (1u << bits) - 1), "");
    return LLVMBuildShl(e->b, v, emit_k64(e, scale), "");
}

typedef struct {
    LLVMValueRef start, leading, stride; /* i64 */
    LLVMValueRef row_shift; /* i64: bytes of a line are 1 << row_shift; 4 without swizzling */
    LLVMValueRef swizzle;   /* i64: which of three address bits are exchanged */
} Descriptor;

static Descriptor descriptor_of(Emitter *e, LLVMValueRef d)
{
    Descriptor x = {field(e, d, 0, 14, 4), field(e, d, 16, 14, 4), field(e, d, 32, 14, 4), NULL,
                    NULL};
    LLVMValueRef mode =
        LLVMBuildLShr(e->b, d, emit_k64(e, 62), ""); /* 0 none, 1 128 bytes, 2 64, 3 32 */
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, mode, emit_k64(e, 0), "");
    x.row_shift = LLVMBuildSelect(e->b, none, emit_k64(e, 4),
                                  LLVMBuildSub(e->b, emit_k64(e, 8), mode, ""), "");
    LLVMValueRef bits =
        LLVMBuildLShr(e->b, emit_k64(e, 7), LLVMBuildSub(e->b, mode, emit_k64(e, 1), ""), "");
    x.swizzle = LLVMBuildSelect(e->b, none, emit_k64(e, 0), bits, "");
    return x;
}

static LLVMValueRef splat_op(Emitter *e, LLVMOpcode op, LLVMValueRef v, LLVMValueRef scalar)
{
    return LLVMBuildBinOp(e->b, op, v, emit_splat(e, scalar), "");
}

/* Offsets in shared memory, per lane, of what stands at line `line` and byte `at` of it; lines are rows
 * of A or columns of B, or, transposed, steps of k. */
static LLVMValueRef place(Emitter *e, const Descriptor *d, LLVMValueRef line, LLVMValueRef at,
                          bool transposed)
{
    LLVMTypeRef t = emit_vec(e->i64);
    LLVMValueRef seven = emit_const(e, t, 7), three = emit_const(e, t, 3);
    LLVMValueRef row = LLVMBuildAnd(e->b, line, seven, ""),
                 band = LLVMBuildLShr(e->b, line, three, "");
    LLVMValueRef chunk = splat_op(e, LLVMLShr, at, d->row_shift),
                 rest = LLVMBuildSub(e->b, at, splat_op(e, LLVMShl, chunk, d->row_shift), "");
    /* eights of lines lie `stride` apart and what goes beyond a line `leading`; without swizzling the
     * transposed form has it the other way round */
    LLVMValueRef swapped =
        LLVMBuildAnd(e->b, LLVMConstInt(e->i1, transposed, false),
                     LLVMBuildICmp(e->b, LLVMIntEQ, d->swizzle, emit_k64(e, 0), ""), "");
    LLVMValueRef across = LLVMBuildSelect(e->b, swapped, d->leading, d->stride, "");
    LLVMValueRef along = LLVMBuildSelect(e->b, swapped, d->stride, d->leading, "");
    LLVMValueRef p = LLVMBuildAdd(e->b, splat_op(e, LLVMMul, band, across),
                                  splat_op(e, LLVMMul, chunk, along), "");
    p = LLVMBuildAdd(e->b, p, LLVMBuildAdd(e->b, splat_op(e, LLVMShl, row, d->row_shift), rest, ""),
                     "");
    p = splat_op(e, LLVMAdd, p, d->start);
    LLVMValueRef bits =
        splat_op(e, LLVMAnd, LLVMBuildLShr(e->b, p, emit_const(e, t, 7), ""), d->swizzle);
    return LLVMBuildXor(e->b, p, LLVMBuildShl(e->b, bits, emit_const(e, t, 4), ""), "");
}

static LLVMValueRef gather(Emitter *e, LLVMValueRef shared, LLVMValueRef offsets,
                           LLVMTypeRef element, unsigned align)
{
    LLVMTypeRef types[2] = {emit_vec(element), emit_vec(e->ptr)};
    LLVMValueRef p = LLVMBuildGEP2(e->b, e->i8, shared, &offsets, 1, "");
    LLVMValueRef args[4] = {p, LLVMConstInt(e->i32, align, false),
                            LLVMConstAllOnes(emit_vec(e->i1)), LLVMConstNull(emit_vec(element))};
    return emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4);
}

/* void f(shared, descriptor, first line, registers): the words of a fragment whose register r holds, in
 * lane 4g+t, line g + 8 * (r % bands) and the four bytes from 16 * (r / bands) + 4t on. */
static LLVMValueRef fetch_function(Emitter *e, unsigned registers, unsigned bands, bool transposed,
                                   LLVMTypeRef *type)
{
    char name[48];
    snprintf(name, sizeof name, "wgmma.fetch.%u.%u.%d", registers, bands, transposed);
    LLVMTypeRef args[4] = {e->ptr, e->i64, e->i64, e->ptr};
    *type = LLVMFunctionType(e->none, args, 4, false);
    LLVMBasicBlockRef back;
    LLVMValueRef f = emit_function(e, name, *type, &back);
    if (!back)
        return f;
    Descriptor d = descriptor_of(e, LLVMGetParam(f, 1));
    for (unsigned r = 0; r < registers; ++r) {
        LLVMValueRef line[GK_WARP], at[GK_WARP], word = NULL;
        for (unsigned lane = 0; lane < GK_WARP; ++lane) {
            line[lane] = emit_k64(e, lane / 4 + 8 * (r % bands));
            at[lane] = emit_k64(e, 16 * (r / bands) + lane % 4 * 4);
        }
        LLVMValueRef lines =
                         splat_op(e, LLVMAdd, LLVMConstVector(line, GK_WARP), LLVMGetParam(f, 2)),
                     bytes = LLVMConstVector(at, GK_WARP);
        if (!transposed) {
            word = gather(e, LLVMGetParam(f, 0), place(e, &d, lines, bytes, false), e->i32, 4);
        } else { /* two halves, each in a line of its own */
            LLVMTypeRef i32 = emit_vec(e->i32);
            LLVMValueRef one = emit_const(e, emit_vec(e->i64), 1),
                         steps = LLVMBuildLShr(e->b, bytes, one, "");
            for (unsigned h = 0; h < 2; ++h) {
                LLVMValueRef k = h ? LLVMBuildAdd(e->b, steps, one, "") : steps;
                LLVMValueRef x =
                    gather(e, LLVMGetParam(f, 0),
                           place(e, &d, k, LLVMBuildShl(e->b, lines, one, ""), true), e->i16, 2);
                x = LLVMBuildZExt(e->b, x, i32, "");
                word = h ? LLVMBuildOr(e->b, word,
                                       LLVMBuildShl(e->b, x, emit_const(e, i32, 16), ""), "")
                         : x;
            }
        }
        LLVMValueRef to = emit_k64(e, (uint64_t)r * GK_WARP * 4);
        LLVMBuildStore(e->b, word, LLVMBuildGEP2(e->b, e->i8, LLVMGetParam(f, 3), &to, 1, ""));
    }
    emit_function_end(e, back);
    return f;
}

/* void f(shared, A in memory, descriptor of B, D in memory): one mma for each eight columns. */
static LLVMValueRef columns_function(Emitter *e, const IrInsn *insn, const unsigned shape[3],
                                     bool transposed, LLVMTypeRef *type)
{
    char name[96];
    snprintf(name, sizeof name, "wgmma.n%uk%u.%s.%s.%s.%d%d", shape[1], shape[2],
             ir_type_info[insn->types[0]].text, ir_type_info[insn->types[1]].text,
             ir_type_info[insn->types[2]].text, transposed, insn->mod[MC_SAT] != 0);
    LLVMTypeRef args[4] = {e->ptr, e->ptr, e->i64, e->ptr};
    *type = LLVMFunctionType(e->none, args, 4, false);
    LLVMBasicBlockRef back;
    LLVMValueRef f = emit_function(e, name, *type, &back);
    if (!back)
        return f;
    const unsigned mma[3] = {16, 8, shape[2]};
    const IrType types[4] = {(IrType)insn->types[0], (IrType)insn->types[1], (IrType)insn->types[2],
                             (IrType)insn->types[0]};
    LLVMTypeRef product_type, fetch_type;
    LLVMValueRef product = emit_mma_function(e, mma, types, insn->mod[MC_SAT] != 0, &product_type);
    LLVMValueRef fetch = fetch_function(e, 2, 1, transposed, &fetch_type);
    LLVMValueRef b = LLVMBuildAlloca(e->b, LLVMArrayType(emit_vec(e->i32), 2), "b");
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(e->b),
                      loop = LLVMAppendBasicBlockInContext(e->cx, f, ""),
                      done = LLVMAppendBasicBlockInContext(e->cx, f, "");
    LLVMBuildBr(e->b, loop);
    LLVMPositionBuilderAtEnd(e->b, loop);
    LLVMValueRef column = LLVMBuildPhi(e->b, e->i64, "");
    LLVMBuildCall2(e->b, fetch_type, fetch,
                   (LLVMValueRef[]){LLVMGetParam(f, 0), LLVMGetParam(f, 2), column, b}, 4, "");
    unsigned bytes = 16 * 8 * ir_type_bits(types[0]) / 8; /* of D, for eight columns */
    LLVMValueRef at = LLVMBuildMul(e->b, column, emit_k64(e, bytes / 8), "");
    LLVMValueRef d = LLVMBuildGEP2(e->b, e->i8, LLVMGetParam(f, 3), &at, 1, "");
    LLVMBuildCall2(e->b, product_type, product, (LLVMValueRef[]){LLVMGetParam(f, 1), b, d, d}, 4,
                   "");
    LLVMValueRef next = LLVMBuildAdd(e->b, column, emit_k64(e, 8), "");
    LLVMAddIncoming(column, (LLVMValueRef[]){emit_k64(e, 0), next},
                    (LLVMBasicBlockRef[]){entry, loop}, 2);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, next, emit_k64(e, shape[1]), ""), loop,
                    done);
    LLVMPositionBuilderAtEnd(e->b, done);
    emit_function_end(e, back);
    return f;
}

static bool legal(Emitter *e, const IrInsn *insn, unsigned shape[3])
{
    IrType d = (IrType)insn->types[0], a = (IrType)insn->types[1], b = (IrType)insn->types[2];
    unsigned bits = ir_type_bits(a);
    bool floats = ir_type_info[a].class == TC_FLOAT;
    if (sscanf(ir_mod_info[insn->mod[MC_SHAPE]].text, "m%un%uk%u", &shape[0], &shape[1],
               &shape[2]) != 3 ||
        shape[0] != 64 || bits * shape[2] != 256 || ir_type_bits(b) != bits ||
        (floats ? d != TY_f32 && d != TY_f16 : d != TY_s32) ||
        floats != (ir_type_info[b].class == TC_FLOAT))
        emit_error(e, "wgmma.mma_async of this shape and these types is not supported");
    else if (e->by_lane)
        emit_error(e,
                   "wgmma.mma_async in a kernel whose lanes wait for each other is not supported");
    else
        return true;
    return false;
}

static int64_t constant(const IrInsn *insn, int k, int64_t otherwise)
{
    return k < insn->operand_count && insn->operands[k].kind == OPND_imm
               ? (int64_t)insn->operands[k].bits
               : otherwise;
}

static LLVMValueRef slot_at(Emitter *e, LLVMValueRef slot, unsigned r)
{
    LLVMValueRef at = emit_k64(e, (uint64_t)r * GK_WARP * 4);
    return LLVMBuildGEP2(e->b, e->i8, slot, &at, 1, "");
}

/* Descriptors are the same for the whole warp; taken from its first active lane when that is not known. */
static LLVMValueRef descriptor_operand(Emitter *e, const IrOperand *o)
{
    if (emit_is_uniform(e, o))
        return emit_uniform(e, o, TY_b64);
    LLVMValueRef lane = emit_intrinsic(
        e, "llvm.cttz", &e->i32, 1,
        (LLVMValueRef[]){emit_mask_bits(e, e->mask), LLVMConstInt(e->i1, 0, false)}, 2);
    return LLVMBuildExtractElement(e->b, emit_vector(e, o, TY_b64),
                                   LLVMBuildAnd(e->b, lane, LLVMConstInt(e->i32, 31, false), ""),
                                   "");
}

/* A's four registers in memory, with the other sign where the factors ask for it. */
static LLVMValueRef operand_a(Emitter *e, const IrInsn *insn)
{
    const IrOperand *o = &insn->operands[1];
    LLVMValueRef slot = emit_slot(e, LLVMArrayType(emit_vec(e->i32), 4), "a");
    bool negative = constant(insn, 4, 1) * constant(insn, 5, 1) < 0;
    if (o->kind != OPND_vector) {
        LLVMTypeRef type;
        LLVMValueRef fetch = fetch_function(e, 4, 2, constant(insn, 6, 0) != 0, &type);
        LLVMValueRef row = LLVMBuildShl(
            e->b, LLVMBuildAnd(e->b, emit_warp_number(e), LLVMConstInt(e->i32, 3, false), ""),
            LLVMConstInt(e->i32, 4, false), "");
        LLVMBuildCall2(e->b, type, fetch,
                       (LLVMValueRef[]){e->shared, descriptor_operand(e, o),
                                        LLVMBuildZExt(e->b, row, e->i64, ""), slot},
                       4, "");
    }
    for (unsigned r = 0; r < 4; ++r) {
        LLVMValueRef v;
        if (o->kind == OPND_vector)
            v = emit_vector(e, &o->items[r], TY_b32);
        else if (negative)
            v = LLVMBuildLoad2(e->b, emit_vec(e->i32), slot_at(e, slot, r), "");
        else
            break;
        unsigned bits = ir_type_bits((IrType)insn->types[1]);
        if (negative)
            v = LLVMBuildXor(e->b, v,
                             emit_const(e, emit_vec(e->i32),
                                        bits == 32   ? 0x80000000u
                                        : bits == 16 ? 0x80008000u
                                                     : 0x80808080u),
                             "");
        LLVMBuildStore(e->b, v, slot_at(e, slot, r));
    }
    return slot;
}

void emit_op_wgmma(Emitter *e, const IrInsn *insn)
{
    unsigned shape[3];
    if (!legal(e, insn, shape))
        return;
    const IrOperand *d = &insn->operands[0], *sum = &insn->operands[8], *scale = &insn->operands[3];
    unsigned registers = shape[1] / 2 * ir_type_bits((IrType)insn->types[0]) / 32;
    if (d->kind != OPND_vector || d->count != registers) {
        emit_error(e, "wgmma.mma_async with %u columns takes a result of %u registers", shape[1],
                   registers);
        return;
    }
    if (!e->wide)
        e->wide = emit_slot(e, LLVMArrayType(emit_vec(e->i32), 128), "wgmma");
    LLVMValueRef keep = scale->kind == OPND_imm ? NULL : emit_vector(e, scale, TY_pred);
    for (unsigned r = 0; r < registers; ++r) {
        LLVMValueRef v = emit_vector(e, &sum->items[r], TY_b32),
                     zero = LLVMConstNull(emit_vec(e->i32));
        if (keep)
            v = LLVMBuildSelect(e->b, keep, v, zero, "");
        else if (!scale->bits)
            v = zero;
        LLVMBuildStore(e->b, v, slot_at(e, e->wide, r));
    }
    LLVMTypeRef type;
    LLVMValueRef f = columns_function(
        e, insn, shape, constant(insn, insn->operands[1].kind == OPND_vector ? 6 : 7, 0) != 0,
        &type);
    LLVMValueRef a = operand_a(e, insn);
    LLVMBuildCall2(
        e->b, type, f,
        (LLVMValueRef[]){e->shared, a, descriptor_operand(e, &insn->operands[2]), e->wide}, 4, "");
    for (unsigned r = 0; r < registers; ++r)
        emit_def(e, &d->items[r], (int)r, TY_b32,
                 LLVMBuildLoad2(e->b, emit_vec(e->i32), slot_at(e, e->wide, r), ""));
}
