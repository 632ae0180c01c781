/* SPDX-License-Identifier: Apache-2.0
 * Reading operands and writing results as LLVM values, whatever their shape. */
#include "codegen/emit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- types and constants ---- */

LLVMTypeRef emit_scalar_type(Emitter *e, IrType type)
{
    switch (type) {
    case TY_f32:
        return e->f32;
    case TY_f64:
        return e->f64;
    case TY_f16:
        return e->half;
    case TY_pred:
        return e->i1;
    default:
        return LLVMIntTypeInContext(e->cx, ir_type_bits(type));
    }
}

LLVMTypeRef emit_like(Emitter *e, LLVMTypeRef scalar)
{
    return e->lanes == 1 ? scalar : LLVMVectorType(scalar, GK_WARP);
}

LLVMTypeRef emit_type(Emitter *e, IrType type)
{
    return emit_like(e, emit_scalar_type(e, type));
}

LLVMTypeRef emit_int_type(Emitter *e, int bits)
{
    return emit_like(e, LLVMIntTypeInContext(e->cx, (unsigned)bits));
}

static LLVMTypeRef element_type(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static LLVMValueRef constant_splat(LLVMTypeRef type, LLVMValueRef scalar)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return scalar;
    LLVMValueRef all[512];
    unsigned n = LLVMGetVectorSize(type);
    for (unsigned i = 0; i < n && i < 512; ++i)
        all[i] = scalar;
    return LLVMConstVector(all, n);
}

LLVMValueRef emit_const(Emitter *e, LLVMTypeRef type, uint64_t bits)
{
    (void)e;
    return constant_splat(type, LLVMConstInt(element_type(type), bits, false));
}

LLVMValueRef emit_real(Emitter *e, LLVMTypeRef type, double value)
{
    (void)e;
    return constant_splat(type, LLVMConstReal(element_type(type), value));
}

LLVMValueRef emit_splat(Emitter *e, LLVMValueRef scalar)
{
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), GK_WARP);
    if (LLVMIsConstant(scalar) && !LLVMIsUndef(scalar))
        return constant_splat(type, scalar);
    LLVMValueRef one = LLVMBuildInsertElement(e->b, LLVMGetUndef(type), scalar,
                                              LLVMConstInt(e->i32, 0, false), "");
    return LLVMBuildShuffleVector(e->b, one, LLVMGetUndef(type),
                                  LLVMConstNull(LLVMVectorType(e->i32, GK_WARP)), "splat");
}

LLVMValueRef emit_bitcast(Emitter *e, LLVMValueRef v, LLVMTypeRef type)
{
    return LLVMTypeOf(v) == type ? v : LLVMBuildBitCast(e->b, v, type, "");
}

LLVMValueRef emit_low_word(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v), element = element_type(type), word = e->i32, wide = e->i64;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        word = LLVMVectorType(e->i32, LLVMGetVectorSize(type));
        wide = LLVMVectorType(e->i64, LLVMGetVectorSize(type));
    }
    if (element != e->i64 && element != e->f64)
        return emit_bitcast(e, v, word);
    return LLVMBuildTrunc(e->b, emit_bitcast(e, v, wide), word, "");
}

LLVMValueRef emit_iota(Emitter *e, LLVMTypeRef element)
{
    (void)e;
    LLVMValueRef all[GK_WARP];
    for (unsigned i = 0; i < GK_WARP; ++i)
        all[i] = LLVMConstInt(element, i, false);
    return LLVMConstVector(all, GK_WARP);
}

LLVMValueRef emit_slot(Emitter *e, LLVMTypeRef type, const char *name)
{
    return LLVMBuildAlloca(e->at_entry, type, name);
}

LLVMValueRef emit_intrinsic(Emitter *e, const char *name, LLVMTypeRef *overloads,
                            int overload_count, LLVMValueRef *args, int arg_count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id) {
        emit_error(e, "internal: LLVM has no intrinsic %s", name);
        return LLVMGetUndef(e->i32);
    }
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->mod, id, overloads, (size_t)overload_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(e->cx, id, overloads, (size_t)overload_count);
    return LLVMBuildCall2(e->b, type, fn, args, (unsigned)arg_count, "");
}

LLVMValueRef emit_function(Emitter *e, const char *name, LLVMTypeRef type, LLVMBasicBlockRef *back)
{
    *back = NULL;
    LLVMValueRef f = LLVMGetNamedFunction(e->mod, name);
    if (f)
        return f;
    f = LLVMAddFunction(e->mod, name, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    unsigned never = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->cx, never, 0));
    *back = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderAtEnd(e->b, LLVMAppendBasicBlockInContext(e->cx, f, ""));
    return f;
}

void emit_function_end(Emitter *e, LLVMBasicBlockRef back)
{
    LLVMBuildRetVoid(e->b);
    LLVMPositionBuilderAtEnd(e->b, back);
}

/* ---- diagnostics ---- */

uint32_t emit_line(Emitter *e)
{
    return e->insn && e->insn->insn.loc_line > 0 ? (uint32_t)e->insn->insn.loc_line : 0;
}

void emit_error(Emitter *e, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    e->failed = true;
    const IrInsn *insn = e->insn ? &e->insn->insn : NULL;
    const char *where = insn ? ir_where(e->module, insn, e->arena) : e->module->name;
    diag_add(e->diags, DIAG_ERROR, where, 0, 0, "kernel %s: %s", e->flow->function->name, text);
}

void emit_mark_approximate(Emitter *e)
{
    int op = e->insn->insn.op;
    if (!e->approximate[op])
        buf_printf(&e->fidelity, "%s%s.approx", e->fidelity.count ? " " : "", ir_op_info[op].text);
    e->approximate[op] = true;
}

/* ---- the launch's data ---- */

static LLVMValueRef load_invariant(Emitter *e, LLVMValueRef base, size_t offset, LLVMTypeRef type)
{
    LLVMValueRef at = LLVMConstInt(e->i64, offset, false);
    LLVMValueRef p = LLVMBuildGEP2(e->b, e->i8, base, &at, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, p, "");
    LLVMSetAlignment(v, 4);
    unsigned kind = LLVMGetMDKindIDInContext(e->cx, "invariant.load", 14);
    LLVMSetMetadata(v, kind, LLVMMDNodeInContext(e->cx, NULL, 0));
    return v;
}

LLVMValueRef emit_grid_field(Emitter *e, size_t offset, LLVMTypeRef type)
{
    return load_invariant(e, e->grid, offset, type);
}

LLVMValueRef emit_block_field(Emitter *e, size_t offset, LLVMTypeRef type)
{
    return load_invariant(e, e->block_arg, offset, type);
}

LLVMValueRef emit_service(Emitter *e, size_t offset, LLVMTypeRef *type, LLVMTypeRef result,
                          LLVMTypeRef *args, int count)
{
    LLVMValueRef table = emit_grid_field(e, offsetof(GkGrid, services), e->ptr);
    *type = LLVMFunctionType(result, args, (unsigned)count, false);
    return load_invariant(e, table, offset, e->ptr);
}

/* ---- special registers ---- */

static LLVMValueRef ntid(Emitter *e, int c)
{
    if (e->flow->config.ntid[0])
        return emit_k32(e, e->flow->config.ntid[c]);
    return emit_grid_field(e, offsetof(GkGrid, ntid) + 4 * (size_t)c, e->i32);
}

LLVMValueRef emit_warp_number(Emitter *e)
{
    return e->by_lane ? LLVMBuildLShr(e->b, e->warp_arg, emit_k32(e, 5), "") : e->warp_arg;
}

/* base of tid.c when it is uniform or linear */
static LLVMValueRef tid_base(Emitter *e, int c)
{
    const uint32_t *n = e->flow->config.ntid;
    LLVMValueRef first = LLVMBuildMul(e->b, e->warp_arg, emit_k32(e, 32), "first");
    if (c == 0) {
        if (n[0] < 32 && n[1] * n[2] != 1)
            return emit_k32(e, 0);
        return n[1] * n[2] == 1 ? first : LLVMBuildURem(e->b, first, emit_k32(e, n[0]), "");
    }
    if (c == 1) {
        if (n[1] == 1)
            return emit_k32(e, 0);
        LLVMValueRef y = LLVMBuildUDiv(e->b, first, emit_k32(e, n[0]), "");
        return n[2] == 1 ? y : LLVMBuildURem(e->b, y, emit_k32(e, n[1]), "");
    }
    return n[2] == 1 ? emit_k32(e, 0) : LLVMBuildUDiv(e->b, first, emit_k32(e, n[0] * n[1]), "");
}

static LLVMValueRef tid_vector(Emitter *e, int c)
{
    LLVMValueRef first = emit_splat(e, LLVMBuildMul(e->b, e->warp_arg, emit_k32(e, 32), ""));
    LLVMValueRef t = LLVMBuildAdd(e->b, first, emit_iota(e, e->i32), "");
    LLVMValueRef nx = emit_splat(e, ntid(e, 0)), ny = emit_splat(e, ntid(e, 1));
    if (c == 0)
        return LLVMBuildURem(e->b, t, nx, "tid.x");
    LLVMValueRef rows = LLVMBuildUDiv(e->b, t, nx, "");
    if (c == 1)
        return LLVMBuildURem(e->b, rows, ny, "tid.y");
    return LLVMBuildUDiv(e->b, rows, ny, "tid.z");
}

static LLVMValueRef lanemask(Emitter *e, unsigned sreg)
{
    LLVMTypeRef v = LLVMVectorType(e->i32, GK_WARP);
    LLVMValueRef bit = LLVMBuildShl(e->b, emit_const(e, v, 1), emit_iota(e, e->i32), "");
    LLVMValueRef lt = LLVMBuildSub(e->b, bit, emit_const(e, v, 1), "");
    switch (sreg) {
    case SREG_lanemask_eq:
        return bit;
    case SREG_lanemask_lt:
        return lt;
    case SREG_lanemask_le:
        return LLVMBuildOr(e->b, lt, bit, "");
    case SREG_lanemask_ge:
        return LLVMBuildNot(e->b, lt, "");
    default:
        return LLVMBuildNot(e->b, LLVMBuildOr(e->b, lt, bit, ""), "");
    }
}

static LLVMValueRef high32(Emitter *e, LLVMValueRef v)
{
    return LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, v, LLVMConstInt(e->i64, 32, false), ""), e->i32,
                          "");
}

static LLVMValueRef cluster_size(Emitter *e, int c)
{
    return emit_grid_field(e, offsetof(GkGrid, cluster) + 4 * (size_t)c, e->i32);
}

LLVMValueRef emit_cluster_rank(Emitter *e)
{
    return emit_block_field(e, offsetof(GkBlock, cluster_rank), e->i32);
}

static LLVMValueRef globaltimer(Emitter *e)
{
    LLVMTypeRef type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, globaltimer), &type, e->i64, NULL, 0);
    return LLVMBuildCall2(e->b, type, f, NULL, 0, "");
}

/* Scalar (uniform value or linear base) or vector, as the shape says. */
static LLVMValueRef lane_sreg(Emitter *e, const IrOperand *o)
{
    LLVMValueRef one = emit_k32(e, 1), bit, below;
    switch (o->sreg) {
    case SREG_tid: {
        if (o->component > 2)
            return emit_k32(e, 0);
        LLVMValueRef t = e->warp_arg, nx = ntid(e, 0), ny = ntid(e, 1);
        if (o->component == 0)
            return LLVMBuildURem(e->b, t, nx, "");
        LLVMValueRef rows = LLVMBuildUDiv(e->b, t, nx, "");
        return o->component == 1 ? LLVMBuildURem(e->b, rows, ny, "")
                                 : LLVMBuildUDiv(e->b, rows, ny, "");
    }
    case SREG_laneid:
        return e->lane_id;
    case SREG_warpid:
        return LLVMBuildLShr(e->b, e->warp_arg, emit_k32(e, 5), "");
    default:
        break;
    }
    bit = LLVMBuildShl(e->b, one, e->lane_id, "");
    below = LLVMBuildSub(e->b, bit, one, "");
    switch (o->sreg) {
    case SREG_lanemask_eq:
        return bit;
    case SREG_lanemask_lt:
        return below;
    case SREG_lanemask_le:
        return LLVMBuildOr(e->b, bit, below, "");
    case SREG_lanemask_ge:
        return LLVMBuildNot(e->b, below, "");
    case SREG_lanemask_gt:
        return LLVMBuildNot(e->b, LLVMBuildOr(e->b, bit, below, ""), "");
    default:
        return NULL;
    }
}

static LLVMValueRef sreg_value(Emitter *e, const IrOperand *o)
{
    int c = o->component;
    size_t at = 4 * (size_t)c;
    LLVMValueRef own = e->by_lane ? lane_sreg(e, o) : NULL;
    if (own)
        return own;
    switch (o->sreg) {
    case SREG_tid:
        if (c > 2)
            return emit_k32(e, 0);
        if (flow_sreg_shape(e->flow, o, &(uint64_t){0}).kind == SHAPE_VARYING)
            return tid_vector(e, c);
        return tid_base(e, c);
    case SREG_ntid:
        return c > 2 ? emit_k32(e, 1) : ntid(e, c);
    case SREG_ctaid:
        return c > 2 ? emit_k32(e, 0) : emit_block_field(e, offsetof(GkBlock, ctaid) + at, e->i32);
    case SREG_nctaid:
        return c > 2 ? emit_k32(e, 1) : emit_grid_field(e, offsetof(GkGrid, nctaid) + at, e->i32);
    case SREG_laneid:
        return emit_k32(e, 0);
    case SREG_warpid:
        return e->warp_arg;
    case SREG_nwarpid:
        return emit_grid_field(e, offsetof(GkGrid, warps), e->i32);
    case SREG_smid:
        return emit_block_field(e, offsetof(GkBlock, smid), e->i32);
    case SREG_nsmid:
        return emit_grid_field(e, offsetof(GkGrid, nsmid), e->i32);
    case SREG_gridid:
        return emit_grid_field(e, offsetof(GkGrid, gridid), e->i64);
    case SREG_lanemask_eq:
    case SREG_lanemask_lt:
    case SREG_lanemask_le:
    case SREG_lanemask_ge:
    case SREG_lanemask_gt:
        return lanemask(e, o->sreg);
    case SREG_clock64:
        return emit_intrinsic(e, "llvm.readcyclecounter", NULL, 0, NULL, 0);
    case SREG_clock:
        return LLVMBuildTrunc(e->b, emit_intrinsic(e, "llvm.readcyclecounter", NULL, 0, NULL, 0),
                              e->i32, "");
    case SREG_clock_hi:
        return high32(e, emit_intrinsic(e, "llvm.readcyclecounter", NULL, 0, NULL, 0));
    case SREG_globaltimer:
        return globaltimer(e);
    case SREG_globaltimer_lo:
        return LLVMBuildTrunc(e->b, globaltimer(e), e->i32, "");
    case SREG_globaltimer_hi:
        return high32(e, globaltimer(e));
    case SREG_dynamic_smem_size:
        return emit_grid_field(e, offsetof(GkGrid, dynamic_shared), e->i32);
    case SREG_total_smem_size:
    case SREG_aggr_smem_size:
        return LLVMBuildAdd(e->b, emit_grid_field(e, offsetof(GkGrid, dynamic_shared), e->i32),
                            emit_grid_field(e, offsetof(GkGrid, static_shared), e->i32), "");
    case SREG_warpsize:
        return emit_k32(e, 32);
    case SREG_nclusterid: /* without clusters every block is its own cluster */
        return c > 2
                   ? emit_k32(e, 1)
                   : LLVMBuildUDiv(e->b, emit_grid_field(e, offsetof(GkGrid, nctaid) + at, e->i32),
                                   cluster_size(e, c), "");
    case SREG_clusterid:
        return c > 2
                   ? emit_k32(e, 0)
                   : LLVMBuildUDiv(e->b, emit_block_field(e, offsetof(GkBlock, ctaid) + at, e->i32),
                                   cluster_size(e, c), "");
    case SREG_cluster_ctaid:
        return c > 2
                   ? emit_k32(e, 0)
                   : LLVMBuildURem(e->b, emit_block_field(e, offsetof(GkBlock, ctaid) + at, e->i32),
                                   cluster_size(e, c), "");
    case SREG_cluster_nctaid:
        return c > 2 ? emit_k32(e, 1) : cluster_size(e, c);
    case SREG_cluster_ctarank:
        return emit_cluster_rank(e);
    case SREG_cluster_nctarank:
        return LLVMBuildMul(e->b, LLVMBuildMul(e->b, cluster_size(e, 0), cluster_size(e, 1), ""),
                            cluster_size(e, 2), "");
    case SREG_is_explicit_cluster:
        return LLVMBuildICmp(e->b, LLVMIntNE,
                             emit_grid_field(e, offsetof(GkGrid, explicit_cluster), e->i32),
                             emit_k32(e, 0), "");
    case SREG_current_graph_exec:
        return LLVMConstInt(e->i64, 0, false);
    case SREG_envreg: { /* 1, 2: high and low half of the grid workspace's generic address */
        if (c != 1 && c != 2)
            return emit_k32(e, 0);
        LLVMValueRef a = LLVMBuildPtrToInt(e->b, e->grid, e->i64, "");
        a = LLVMBuildAdd(e->b, a,
                         LLVMConstInt(e->i64, offsetof(GkGrid, workspace) - GK_DELTA, false), "");
        return c == 1 ? high32(e, a) : LLVMBuildTrunc(e->b, a, e->i32, "");
    }
    case SREG_reserved_smem_offset:
        return emit_k32(e, e->layout->reserved_shared + c * (IR_RESERVED_SHARED / 2));
    case SREG_reserved_smem_offset_begin:
        return emit_k32(e, e->layout->reserved_shared);
    case SREG_reserved_smem_offset_end:
        return emit_k32(e, e->layout->reserved_shared + IR_RESERVED_SHARED);
    case SREG_reserved_smem_offset_cap:
        return emit_k32(e, IR_RESERVED_SHARED);
    default:
        emit_error(e, "special register %s is not supported", ir_sreg_info[o->sreg].text);
        return emit_k32(e, 0);
    }
}

/* ---- values ---- */

static LLVMTypeRef register_type(Emitter *e, IrType type)
{
    switch (type) {
    case TY_pred:
        return e->i1;
    case TY_f32:
        return e->f32;
    case TY_f64:
        return e->f64;
    default:
        return LLVMIntTypeInContext(e->cx, ir_type_bits(type) < 8 ? 8 : ir_type_bits(type));
    }
}

LLVMTypeRef emit_value_type(Emitter *e, const FlowValue *v)
{
    LLVMTypeRef type = register_type(e, (IrType)v->type);
    return v->shape.kind == SHAPE_VARYING ? LLVMVectorType(type, GK_WARP) : type;
}

LLVMValueRef emit_value_raw(Emitter *e, int32_t value)
{
    const FlowValue *v = &e->flow->values.items[value];
    ValueState *s = &e->values[value];
    if (v->block < 0)
        return LLVMConstNull(emit_value_type(e, v));
    if (s->local && s->local_block == e->block)
        return s->local;
    if (!s->slot) {
        emit_error(e, "internal: value %d has no slot", value);
        return LLVMConstNull(emit_value_type(e, v));
    }
    return LLVMBuildLoad2(e->b, emit_value_type(e, v), s->slot, "");
}

LLVMValueRef emit_stride(Emitter *e, int32_t stride, LLVMTypeRef type)
{
    const Stride *s = &e->flow->strides.items[stride];
    LLVMValueRef v;
    switch (s->kind) {
    case STRIDE_CONST:
        return LLVMConstInt(type, (uint64_t)s->number, true);
    case STRIDE_ADD:
        return LLVMBuildAdd(e->b, emit_stride(e, s->a, type), emit_stride(e, s->b, type), "");
    case STRIDE_MUL:
        return LLVMBuildMul(e->b, emit_stride(e, s->a, type), emit_stride(e, s->b, type), "");
    case STRIDE_SEXT:
        v = emit_stride(e, s->a, e->i32);
        return LLVMBuildSExt(e->b, v, type, "");
    default:
        if (s->a < 0) {
            IrOperand o = {.kind = OPND_sreg};
            o.sreg = (uint16_t)((-1 - s->a) / 4);
            o.component = (uint8_t)((-1 - s->a) % 4);
            v = sreg_value(e, &o);
        } else {
            v = emit_value_raw(e, s->a);
        }
        if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
            v = LLVMBuildBitCast(e->b, v, LLVMTypeOf(v) == e->f64 ? e->i64 : e->i32, "");
        return LLVMBuildIntCast2(e->b, v, type, true, "");
    }
}

/* s1 * (lane % w) + s2 * (lane / w) */
LLVMValueRef emit_lane_part(Emitter *e, LLVMTypeRef element, int width, LLVMValueRef s1,
                            LLVMValueRef s2)
{
    LLVMValueRef low[GK_WARP], high[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i) {
        low[i] = LLVMConstInt(element, (uint64_t)(i % width), false);
        high[i] = LLVMConstInt(element, (uint64_t)(i / width), false);
    }
    LLVMValueRef v = LLVMBuildMul(e->b, emit_splat(e, s1), LLVMConstVector(low, GK_WARP), "");
    if (width < GK_WARP)
        v = LLVMBuildAdd(
            e->b, v, LLVMBuildMul(e->b, emit_splat(e, s2), LLVMConstVector(high, GK_WARP), ""), "");
    return v;
}

static LLVMValueRef linear_vector(Emitter *e, LLVMValueRef base, Shape shape)
{
    LLVMTypeRef element = LLVMTypeOf(base);
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind) {
        element = element == e->f64 ? e->i64 : e->i32;
        base = LLVMBuildBitCast(e->b, base, element, "");
    }
    LLVMValueRef v =
        LLVMBuildAdd(e->b, emit_splat(e, base),
                     emit_lane_part(e, element, shape.width, emit_stride(e, shape.s1, element),
                                    emit_stride(e, shape.s2, element)),
                     "lin");
    if (!shape.ext)
        return v;
    Extension x = e->flow->extensions.items[shape.ext];
    LLVMValueRef narrow = emit_low_word(e, emit_value_vector(e, x.value));
    LLVMTypeRef wide = LLVMVectorType(e->i64, GK_WARP);
    narrow =
        x.is_signed ? LLVMBuildSExt(e->b, narrow, wide, "") : LLVMBuildZExt(e->b, narrow, wide, "");
    narrow = LLVMBuildMul(e->b, narrow, emit_splat(e, emit_stride(e, x.k, e->i64)), "");
    return LLVMBuildAdd(e->b, v, narrow, "linx");
}

LLVMValueRef emit_value_vector(Emitter *e, int32_t value)
{
    const FlowValue *v = &e->flow->values.items[value];
    LLVMValueRef raw = emit_value_raw(e, value);
    if (v->shape.kind == SHAPE_VARYING)
        return raw;
    if (v->shape.kind == SHAPE_LINEAR) {
        LLVMValueRef vec = linear_vector(e, raw, v->shape);
        return emit_bitcast(e, vec, LLVMVectorType(LLVMTypeOf(raw), GK_WARP));
    }
    return emit_splat(e, raw);
}

bool emit_is_uniform(Emitter *e, const IrOperand *o)
{
    return flow_operand_shape(e->flow, o, NULL).kind == SHAPE_UNIFORM;
}

/* The canonical NaN of PTX where bits are looked at. Source: PTX ISA, floating-point instructions. */
static LLVMValueRef canonical(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = element_type(type);
    if (element != e->f32 && element != e->i32)
        return v;
    LLVMTypeRef bits = vector ? LLVMVectorType(e->i32, LLVMGetVectorSize(type)) : e->i32;
    LLVMTypeRef real = vector ? LLVMVectorType(e->f32, LLVMGetVectorSize(type)) : e->f32;
    LLVMValueRef f = emit_bitcast(e, v, real);
    LLVMValueRef nan = emit_const(e, bits, 0x7fffffff);
    LLVMValueRef bad = LLVMBuildFCmp(e->b, LLVMRealUNO, f, f, "");
    LLVMValueRef out = LLVMBuildSelect(e->b, bad, nan, emit_bitcast(e, v, bits), "canon");
    return emit_bitcast(e, out, type);
}

/* From a register's type to the instruction's: narrower reads take the low bits. */
static LLVMValueRef convert_in(Emitter *e, LLVMValueRef v, IrType type, bool dirty, int lanes)
{
    LLVMTypeRef want = emit_scalar_type(e, type);
    if (lanes > 1)
        want = LLVMVectorType(want, (unsigned)lanes);
    LLVMTypeRef have = LLVMTypeOf(v);
    if (dirty && !(ir_type_info[type].class == TC_FLOAT && ir_type_bits(type) == 32))
        v = canonical(e, v);
    if (have == want)
        return v;
    LLVMTypeRef have_element = element_type(have);
    if (LLVMGetTypeKind(have_element) != LLVMIntegerTypeKind) {
        LLVMTypeRef bits = have_element == e->f64 ? e->i64 : e->i32;
        if (lanes > 1)
            bits = LLVMVectorType(bits, (unsigned)lanes);
        v = LLVMBuildBitCast(e->b, v, bits, "");
        have_element = element_type(bits);
    }
    unsigned want_bits = ir_type_bits(type), have_bits = LLVMGetIntTypeWidth(have_element);
    LLVMTypeRef narrow = LLVMIntTypeInContext(e->cx, want_bits);
    if (lanes > 1)
        narrow = LLVMVectorType(narrow, (unsigned)lanes);
    if (have_bits > want_bits)
        v = LLVMBuildTrunc(e->b, v, narrow, "");
    else if (have_bits < want_bits)
        v = LLVMBuildZExt(e->b, v, narrow, "");
    return emit_bitcast(e, v, want);
}

static LLVMValueRef immediate(Emitter *e, const IrOperand *o, IrType type)
{
    LLVMTypeRef want = emit_scalar_type(e, type);
    uint64_t bits = o->bits;
    if (ir_type_info[type].class == TC_FLOAT || o->is_float || o->is_single) {
        if (type == TY_f64 || ir_type_bits(type) == 64) {
            if (o->is_single) {
                uint32_t low = (uint32_t)bits;
                float f;
                memcpy(&f, &low, 4);
                double d = f;
                memcpy(&bits, &d, 8);
            }
        } else if (ir_type_bits(type) == 32 && o->is_float && !o->is_single) {
            double d;
            memcpy(&d, &bits, 8);
            float f = (float)d;
            uint32_t low;
            memcpy(&low, &f, 4);
            bits = low;
        }
    }
    LLVMValueRef v = LLVMConstInt(LLVMIntTypeInContext(e->cx, ir_type_bits(type)), bits, false);
    return want == LLVMTypeOf(v) ? v : LLVMConstBitCast(v, want);
}

LLVMValueRef emit_symbol_address(Emitter *e, const IrOperand *o)
{
    const IrSymbol *s = o->symbol;
    LLVMValueRef base;
    if (s->kind == SYM_FUNCTION) {
        uint32_t n = ir_function_number(e->module, s->function);
        if (n)
            return LLVMConstInt(e->i64, n, false);
        emit_error(e, "the address of function %s is not known here", s->name);
        return LLVMConstInt(e->i64, 0, false);
    }
    switch (s->space) {
    case MOD_global:
    case MOD_const: {
        LLVMValueRef table = emit_grid_field(e, offsetof(GkGrid, variables), e->ptr);
        base = load_invariant(e, table, 8 * (size_t)s->offset, e->i64);
        return o->offset
                   ? LLVMBuildAdd(e->b, base, LLVMConstInt(e->i64, (uint64_t)o->offset, true), "")
                   : base;
    }
    default:
        return LLVMConstInt(e->i64, (uint64_t)(s->offset + o->offset), true);
    }
}

/* scalar for uniform and linear operands (the base), vector otherwise */
static LLVMValueRef operand_raw(Emitter *e, const IrOperand *o, IrType type, Shape shape)
{
    switch (o->kind) {
    case OPND_imm:
        return immediate(e, o, type);
    case OPND_sreg: {
        LLVMValueRef v = sreg_value(e, o);
        return convert_in(e, v, type, false, shape.kind == SHAPE_VARYING ? GK_WARP : 1);
    }
    case OPND_symbol:
    case OPND_func:
        return convert_in(e, emit_symbol_address(e, o), type, false, 1);
    case OPND_reg: {
        LLVMValueRef v = emit_value_raw(e, o->reg);
        if (e->flow->values.items[o->reg].type == TY_pred && type == TY_pred) {
            if (o->negated)
                v = LLVMBuildNot(e->b, v, "");
            return v;
        }
        return convert_in(e, v, type, e->values[o->reg].dirty,
                          shape.kind == SHAPE_VARYING ? GK_WARP : 1);
    }
    default:
        emit_error(e, "operand kind %d is not expected here", o->kind);
        return LLVMConstNull(emit_scalar_type(e, type));
    }
}

LLVMValueRef emit_vector(Emitter *e, const IrOperand *o, IrType type)
{
    Shape shape = flow_operand_shape(e->flow, o, NULL);
    if (shape.kind == SHAPE_LINEAR) {
        if (o->kind == OPND_reg)
            return convert_in(e, emit_value_vector(e, o->reg), type, false, GK_WARP);
        /* a linear special register: no widened part */
        LLVMValueRef base = sreg_value(e, o);
        return convert_in(e, linear_vector(e, base, shape), type, false, GK_WARP);
    }
    LLVMValueRef v = operand_raw(e, o, type, shape);
    return shape.kind == SHAPE_VARYING ? v : emit_splat(e, v);
}

LLVMValueRef emit_uniform(Emitter *e, const IrOperand *o, IrType type)
{
    Shape shape = flow_operand_shape(e->flow, o, NULL);
    LLVMValueRef v = operand_raw(e, o, type, shape);
    if (shape.kind == SHAPE_VARYING) {
        emit_error(e, "internal: operand is not uniform");
        return LLVMConstNull(emit_scalar_type(e, type));
    }
    return v;
}

LLVMValueRef emit_operand(Emitter *e, const IrOperand *o, IrType type)
{
    return e->lanes == 1 ? emit_uniform(e, o, type) : emit_vector(e, o, type);
}

LLVMValueRef emit_src(Emitter *e, int k, IrType type)
{
    return emit_operand(e, &e->insn->insn.operands[k], type);
}

LLVMValueRef emit_src_exact(Emitter *e, int k, IrType type)
{
    if (type != TY_f32)
        return emit_src(e, k, type);
    return emit_bitcast(e, emit_src(e, k, TY_b32), emit_type(e, TY_f32));
}

LLVMValueRef emit_choice(Emitter *e, int k, IrType type)
{
    const IrOperand *d = &e->insn->insn.operands[0];
    bool dirty = d->kind == OPND_reg && e->values[d->reg].dirty;
    return dirty ? emit_src(e, k, type) : emit_src_exact(e, k, type);
}

bool emit_scalar_dest(Emitter *e, const IrOperand *o)
{
    if (o->kind == OPND_vector || o->kind == OPND_list) {
        for (int i = 0; i < o->count; ++i)
            if (!emit_scalar_dest(e, &o->items[i]))
                return false;
        return true;
    }
    return o->kind != OPND_reg || e->flow->values.items[o->reg].shape.kind != SHAPE_VARYING;
}

/* ---- results ---- */

/* From the instruction's type to the register's: wider registers are sign- or zero-extended. */
static LLVMValueRef convert_out(Emitter *e, LLVMValueRef v, IrType type, IrType reg)
{
    LLVMTypeRef have = LLVMTypeOf(v);
    bool vector = LLVMGetTypeKind(have) == LLVMVectorTypeKind;
    LLVMTypeRef want = register_type(e, reg);
    LLVMTypeRef want_full = vector ? LLVMVectorType(want, GK_WARP) : want;
    if (have == want_full)
        return v;
    LLVMTypeRef element = element_type(have);
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind) {
        element = element == e->f64 ? e->i64 : element == e->f32 ? e->i32 : e->i16;
        v = LLVMBuildBitCast(e->b, v, vector ? LLVMVectorType(element, GK_WARP) : element, "");
    }
    unsigned have_bits = LLVMGetIntTypeWidth(element);
    unsigned want_bits = want == e->f32 ? 32 : want == e->f64 ? 64 : LLVMGetIntTypeWidth(want);
    LLVMTypeRef wide = LLVMIntTypeInContext(e->cx, want_bits);
    if (vector)
        wide = LLVMVectorType(wide, GK_WARP);
    if (have_bits < want_bits)
        v = ir_type_info[type].class == TC_SIGNED ? LLVMBuildSExt(e->b, v, wide, "")
                                                  : LLVMBuildZExt(e->b, v, wide, "");
    else if (have_bits > want_bits)
        v = LLVMBuildTrunc(e->b, v, wide, "");
    return emit_bitcast(e, v, want_full);
}

void emit_def(Emitter *e, const IrOperand *o, int index, IrType type, LLVMValueRef value)
{
    if (o->kind != OPND_reg)
        return; /* sink, or absent */
    const FlowValue *v = &e->flow->values.items[o->reg];
    ValueState *s = &e->values[o->reg];
    value = convert_out(e, value, type, (IrType)v->type);
    bool scalar = LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind;
    if (v->shape.kind == SHAPE_VARYING && scalar)
        value = emit_splat(e, value);
    if (e->by_lane && !scalar) /* the lane's value stands in the first place */
        value = LLVMBuildExtractElement(e->b, value, emit_k32(e, 0), "");
    else if (v->shape.kind == SHAPE_UNIFORM &&
             !scalar) { /* worked out per lane: what an active one has */
        LLVMValueRef lane = emit_intrinsic(
            e, "llvm.cttz", &e->i32, 1,
            (LLVMValueRef[]){emit_mask_bits(e, e->mask), LLVMConstInt(e->i1, 0, false)}, 2);
        value =
            LLVMBuildExtractElement(e->b, value, LLVMBuildAnd(e->b, lane, emit_k32(e, 31), ""), "");
    }
    const FlowInsn *insn = e->insn;
    if (insn->insn.guard >= 0 && index < 8 && insn->old[index] >= 0 &&
        e->flow->values.items[insn->old[index]].block >= 0) {
        IrOperand guard = {.kind = OPND_reg, .reg = insn->insn.guard};
        LLVMValueRef p, old;
        if (v->shape.kind == SHAPE_VARYING) {
            p = emit_is_uniform(e, &guard) ? emit_value_raw(e, guard.reg)
                                           : emit_value_vector(e, guard.reg);
            old = emit_value_vector(e, insn->old[index]);
        } else {
            p = emit_value_raw(e, guard.reg);
            old = emit_value_raw(e, insn->old[index]);
        }
        if (insn->insn.guard_negated)
            p = LLVMBuildNot(e->b, p, "");
        value = LLVMBuildSelect(e->b, p, value, old, "");
    }
    s->local = value;
    s->local_block = e->block;
    if (s->slot)
        LLVMBuildStore(e->b, value, s->slot);
}

void emit_def0(Emitter *e, IrType type, LLVMValueRef value)
{
    emit_def(e, &e->insn->insn.operands[0], 0, type, value);
}

/* ---- masks ---- */

LLVMValueRef emit_mask_bits(Emitter *e, LLVMValueRef mask)
{
    return LLVMBuildBitCast(e->b, mask, e->i32, "");
}

LLVMValueRef emit_bits_mask(Emitter *e, LLVMValueRef bits)
{
    LLVMValueRef one[GK_WARP]; /* no bitcast: see frame_copy in control.c */
    for (unsigned i = 0; i < GK_WARP; ++i)
        one[i] = emit_k32(e, 1u << i);
    LLVMValueRef mine = LLVMBuildAnd(e->b, emit_splat(e, bits), LLVMConstVector(one, GK_WARP), "");
    return LLVMBuildICmp(e->b, LLVMIntNE, mine, LLVMConstNull(LLVMTypeOf(mine)), "");
}

LLVMValueRef emit_any(Emitter *e, LLVMValueRef mask)
{
    return LLVMBuildICmp(e->b, LLVMIntNE, emit_mask_bits(e, mask), emit_k32(e, 0), "any");
}

LLVMValueRef emit_exec_mask(Emitter *e, bool *all)
{
    const IrInsn *insn = &e->insn->insn;
    *all = e->mask_is_all;
    if (insn->guard < 0)
        return e->mask;
    IrOperand guard = {.kind = OPND_reg, .reg = insn->guard};
    LLVMValueRef p = emit_is_uniform(e, &guard) ? emit_splat(e, emit_value_raw(e, guard.reg))
                                                : emit_value_vector(e, guard.reg);
    if (insn->guard_negated)
        p = LLVMBuildNot(e->b, p, "");
    *all = false;
    return LLVMBuildAnd(e->b, e->mask, p, "");
}
