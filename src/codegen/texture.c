/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture fetches and surface accesses (tex, tld4, suld, sust) on objects: a call of
 * launch/texture.c for all lanes. PTX ISA: "Texture Instructions", "Surface Instructions". */
#include "codegen/emit.h"

#include "launch/texture.h"

#include <string.h>

static LLVMValueRef element(Emitter *e, LLVMTypeRef type, LLVMValueRef slot, int k)
{
    LLVMValueRef at = LLVMConstInt(e->i64, (unsigned long long)k, false);
    return LLVMBuildGEP2(e->b, type, slot, &at, 1, "");
}

/* An operand's registers as rows of the coordinates, and zeros behind them. */
static void store_rows(Emitter *e, const IrOperand *o, int first, int rows, LLVMValueRef to)
{
    LLVMTypeRef row = emit_vec(e->i32);
    for (int k = 0; k < rows; k++)
        LLVMBuildStore(e->b,
                       k < (int)ir_count(o) ? emit_vector(e, ir_item(o, (unsigned)k), TY_b32)
                                            : LLVMConstNull(row),
                       element(e, row, to, first + k));
}

static bool geometry(Emitter *e, const IrInsn *insn, GkTextureOp *op)
{
    switch (insn->mod[MC_GEOM]) {
    case MOD_d1:
        op->dimensions = 1;
        return true;
    case MOD_d2:
        op->dimensions = 2;
        return true;
    case MOD_d3:
        op->dimensions = 3;
        return true;
    case MOD_a1d:
        op->dimensions = 1, op->layered = 1;
        return true;
    case MOD_a2d:
        op->dimensions = 2, op->layered = 1;
        return true;
    case MOD_cube:
        op->dimensions = 3, op->cube = 1;
        return true;
    case MOD_acube:
        op->dimensions = 3, op->cube = 1, op->layered = 1;
        return true;
    default:
        emit_error(e, "%s with this geometry is not supported", ir_op_info[insn->op].text);
        return false;
    }
}

/* Calls the service for the lanes that are on. */
static void call_service(Emitter *e, const GkTextureOp *op, LLVMValueRef handles,
                         LLVMValueRef coordinates, LLVMValueRef values)
{
    LLVMValueRef bytes = LLVMConstStringInContext(e->cx, (const char *)op, sizeof *op, true);
    LLVMValueRef constant = LLVMAddGlobal(e->mod, LLVMTypeOf(bytes), "texture");
    LLVMSetInitializer(constant, bytes);
    LLVMSetGlobalConstant(constant, true);
    LLVMSetLinkage(constant, LLVMPrivateLinkage);
    bool all;
    LLVMValueRef mask = emit_mask_bits(e, emit_exec_mask(e, &all));
    LLVMTypeRef args[6] = {e->ptr, e->i32, e->ptr, e->ptr, e->ptr, e->ptr}, ftype;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, texture), &ftype, e->none, args, 6);
    LLVMValueRef x[6] = {e->block_arg, mask, constant, handles, coordinates, values};
    LLVMBuildCall2(e->b, ftype, f, x, 6, "");
}

/* The optional operands from `first` on: an offset in texels, a depth to compare with. False after an
 * error. */
static bool find_offset(Emitter *e, const IrInsn *insn, int first, const IrOperand **offset)
{
    *offset = NULL;
    for (int k = first; k < insn->operand_count; k++) {
        const IrOperand *o = &insn->operands[k], *x = ir_item(o, 0);
        if (o->kind == OPND_none)
            continue;
        if (x->is_float || (x->kind == OPND_reg && e->flow->values.items[x->reg].type == TY_f32)) {
            emit_error(e, "%s with a depth comparison is not supported", ir_op_info[insn->op].text);
            return false;
        }
        *offset = o;
    }
    return true;
}

void emit_op_texture_query(Emitter *e, const IrInsn *insn)
{
    const IrOperand *object = &insn->operands[1];
    unsigned query = insn->mod[MC_QUERY];
    if (query == MOD_q_levels || query == MOD_q_samples || query == MOD_q_normalized) {
        emit_error(e, "%s.%s is not supported (an H200's driver refuses its launch, too)",
                   ir_op_info[insn->op].text, ir_mod_info[query].text);
        return;
    }
    GkTextureOp op = {.what = TEXTURE_QUERY,
                      .component = query == MOD_q_width    ? QUERY_WIDTH
                                   : query == MOD_q_height ? QUERY_HEIGHT
                                                           : QUERY_DEPTH,
                      .level = insn->mod[MC_LOD] ? LEVEL_GIVEN : LEVEL_FIRST};
    if (object->base_kind != OPND_reg || object->offset) {
        emit_error(e, "%s of a named texture is not supported", ir_op_info[insn->op].text);
        return;
    }
    LLVMTypeRef row = emit_vec(e->i32);
    IrOperand handle = {.kind = OPND_reg, .reg = object->reg, .label = -1};
    LLVMValueRef handles = emit_slot(e, emit_vec(e->i64), "texture"),
                 coordinates = emit_slot(e, LLVMArrayType(row, ALL_ROWS), "coordinates"),
                 values = emit_slot(e, LLVMArrayType(row, 4), "texels");
    LLVMBuildStore(e->b, emit_vector(e, &handle, TY_b64), handles);
    if (op.level && insn->operand_count > 2)
        LLVMBuildStore(e->b, emit_vector(e, &insn->operands[2], TY_u32), coordinates);
    call_service(e, &op, handles, coordinates, values);
    emit_def0(e, TY_b32, LLVMBuildLoad2(e->b, row, values, ""));
}

void emit_op_texture(Emitter *e, const IrInsn *insn)
{
    GkTextureOp op = {.what = insn->op == OP_tld4   ? TEXTURE_GATHER
                              : insn->op == OP_suld ? SURFACE_LOAD
                              : insn->op == OP_sust ? SURFACE_STORE
                                                    : TEXTURE_FETCH,
                      .level = insn->op == OP_tex_level  ? LEVEL_GIVEN
                               : insn->op == OP_tex_grad ? LEVEL_GRADIENT
                                                         : LEVEL_FIRST};
    bool surface = op.what >= SURFACE_LOAD, store = op.what == SURFACE_STORE;
    const IrOperand *place = &insn->operands[store     ? 0
                                             : surface ? 1
                                                       : 2],
                    *data = &insn->operands[store ? 1 : 0];
    if (!geometry(e, insn, &op))
        return;
    if (place->kind != OPND_tex || place->count != 2 || place->items[0].kind != OPND_reg) {
        emit_error(e, "%s on a named texture or with a sampler is not supported",
                   ir_op_info[insn->op].text);
        return;
    }
    IrType type = (IrType)insn->types[0];
    if (surface) {
        op.bytes = (uint8_t)(ir_type_bits(type) / 8);
        op.count = (uint8_t)ir_count(data);
        op.clamp = insn->mod[MC_CLAMP] == MOD_clamp_ ? 1 : insn->mod[MC_CLAMP] == MOD_zero ? 2 : 0;
    } else {
        op.component =
            (uint8_t)(insn->mod[MC_COMPONENT] ? insn->mod[MC_COMPONENT] - MOD_comp_r : 0);
        op.float_coordinates = insn->types[1] == TY_f32;
        op.result = type == TY_f32 ? TEXEL_FLOAT : type == TY_s32 ? TEXEL_SIGNED : TEXEL_UNSIGNED;
        if (type != TY_f32 && type != TY_s32 && type != TY_u32) {
            emit_error(e, "%s to %s is not supported", ir_op_info[insn->op].text,
                       ir_type_info[type].text);
            return;
        }
    }
    const IrOperand *at = &place->items[1], *offset = NULL;
    if (!surface && !find_offset(e, insn,
                                 op.level == LEVEL_GRADIENT ? 5
                                 : op.level == LEVEL_GIVEN  ? 4
                                                            : 3,
                                 &offset))
        return;
    op.offset = offset != NULL;
    LLVMTypeRef wide = emit_vec(surface ? e->i64 : e->i32), narrow = emit_vec(e->i32);
    LLVMValueRef handles = emit_slot(e, emit_vec(e->i64), "texture");
    LLVMBuildStore(e->b, emit_vector(e, &place->items[0], TY_b64), handles);
    LLVMValueRef coordinates =
        emit_slot(e, LLVMArrayType(narrow, op.level || op.offset ? ALL_ROWS : 4), "coordinates");
    store_rows(e, at, 0, 4, coordinates);
    if (op.level == LEVEL_GIVEN)
        store_rows(e, &insn->operands[3], 4, OFFSET_ROW - 4, coordinates);
    for (int k = 0; op.level == LEVEL_GRADIENT && k < 2; k++)
        store_rows(e, &insn->operands[3 + k], 4 + 3 * k, 3, coordinates);
    if (offset)
        store_rows(e, offset, OFFSET_ROW, ALL_ROWS - OFFSET_ROW, coordinates);
    LLVMValueRef values = emit_slot(e, LLVMArrayType(wide, 4), "texels");
    IrType moved = !surface        ? TY_b32
                   : op.bytes == 8 ? TY_b64
                   : op.bytes == 4 ? TY_b32
                   : op.bytes == 2 ? TY_b16
                                   : TY_b8;
    for (unsigned k = 0; store && k < ir_count(data); k++) {
        LLVMValueRef v = emit_vector(e, ir_item(data, k), moved);
        LLVMBuildStore(e->b, LLVMBuildZExtOrBitCast(e->b, v, wide, ""),
                       element(e, wide, values, k));
    }
    call_service(e, &op, handles, coordinates, values);
    for (unsigned k = 0; !store && k < ir_count(data); k++) {
        LLVMValueRef v = LLVMBuildLoad2(e->b, wide, element(e, wide, values, k), "");
        if (surface)
            v = LLVMBuildTruncOrBitCast(e->b, v, emit_vec(emit_scalar_type(e, moved)), "");
        emit_def(e, ir_item(data, k), k, moved, v);
    }
    if (!surface && insn->operands[1].kind == OPND_reg) /* all of a texture is in memory */
        emit_def(e, &insn->operands[1], (int)ir_count(data), TY_pred,
                 LLVMConstAllOnes(emit_type(e, TY_pred)));
}
