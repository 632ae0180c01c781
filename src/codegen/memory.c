/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, stores and atomics. An access is one of
 *   uniform      one scalar access for the warp
 *   contiguous   lanes side by side, in one piece or in segments of w lanes: plain vector accesses
 *   broadcast    the same address in each segment
 *   scattered    gather and scatter
 * decided from the address's shape. Where a widened 32-bit index could have wrapped within the warp,
 * the choice is made at run time. PTX ISA: "Data Movement", "State Spaces", "Parallel
 * Synchronization and Communication" (atom, red, fence). */
#include "codegen/emit.h"
#include "codegen/float.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Shape shape;
    unsigned space;
    LLVMValueRef base;   /* i64 host address: uniform and linear */
    LLVMValueRef s1, s2; /* i64 */
    LLVMValueRef ok;     /* i1: nothing wrapped; NULL: always so */
    const IrOperand *operand;
    int64_t constant_s1; /* when s1 is constant */
    bool has_constant_s1;
} Address;

/* ---- addresses ---- */

/* What is added to an address of this space to reach host memory. */
static LLVMValueRef space_base(Emitter *e, unsigned space)
{
    switch (space) {
    case MOD_shared:
        return LLVMBuildPtrToInt(e->b, e->shared, e->i64, "");
    case MOD_param:
        return LLVMBuildPtrToInt(e->b, emit_grid_field(e, offsetof(GkGrid, params), e->ptr), e->i64,
                                 "");
    case MOD_local:
        e->uses_local = true;
        return LLVMBuildPtrToInt(e->b, e->local, e->i64, "");
    default:
        return e->delta;
    }
}

/* Shared and local addresses have 32 bits: of a wider register only the low ones count. Source: PTX ISA,
 * addresses as operands. */
static bool is_narrow(unsigned space)
{
    return space == MOD_shared || space == MOD_local;
}

static LLVMValueRef narrow(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef wide = LLVMTypeOf(v),
                half = LLVMGetTypeKind(wide) == LLVMVectorTypeKind ? emit_vec(e->i32) : e->i32;
    return LLVMBuildSExt(e->b, LLVMBuildTrunc(e->b, v, half, ""), wide, "");
}

/* register + offset as 64 bits; a 32-bit address wraps before it is widened. */
LLVMValueRef emit_offset_address(Emitter *e, LLVMValueRef v, int64_t offset, unsigned space)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    if (offset)
        v = LLVMBuildAdd(e->b, v, emit_const(e, t, (uint64_t)offset), "");
    LLVMTypeRef want = vector ? emit_vec(e->i64) : e->i64;
    if (t != want)
        return LLVMBuildSExt(e->b, v, want, "");
    return is_narrow(space) ? narrow(e, v) : v;
}

static IrType register_bits(Emitter *e, int32_t value)
{
    return ir_type_bits((IrType)e->flow->values.items[value].type) == 64 ? TY_b64 : TY_b32;
}

/* No lane of the 32-bit value base + strides leaves the 32-bit range. */
LLVMValueRef emit_no_wrap(Emitter *e, int32_t extension)
{
    Extension x = e->flow->extensions.items[extension];
    const FlowValue *v = &e->flow->values.items[x.value];
    LLVMValueRef base = emit_low_word(e, emit_value_raw(e, x.value));
    LLVMValueRef wide =
        x.is_signed ? LLVMBuildSExt(e->b, base, e->i64, "") : LLVMBuildZExt(e->b, base, e->i64, "");
    LLVMValueRef s1 = LLVMBuildSExt(e->b, emit_stride(e, v->shape.s1, e->i32), e->i64, "");
    LLVMValueRef s2 = LLVMBuildSExt(e->b, emit_stride(e, v->shape.s2, e->i32), e->i64, "");
    LLVMValueRef d1 = LLVMBuildMul(e->b, s1, emit_k64(e, v->shape.width - 1u), "");
    LLVMValueRef d2 = LLVMBuildMul(e->b, s2, emit_k64(e, GK_WARP / v->shape.width - 1u), "");
    LLVMValueRef ok = NULL;
    LLVMValueRef ends[3] = {LLVMBuildAdd(e->b, wide, d1, ""), LLVMBuildAdd(e->b, wide, d2, ""),
                            NULL};
    ends[2] = LLVMBuildAdd(e->b, ends[0], d2, "");
    int count = v->shape.width == GK_WARP ? 1 : 3;
    for (int k = 0; k < count; ++k) {
        LLVMValueRef fits;
        if (x.is_signed)
            fits = LLVMBuildICmp(e->b, LLVMIntULE,
                                 LLVMBuildAdd(e->b, ends[k], emit_k64(e, 0x80000000u), ""),
                                 emit_k64(e, 0xffffffffu), "");
        else
            fits = LLVMBuildICmp(e->b, LLVMIntULE, ends[k], emit_k64(e, 0xffffffffu), "");
        ok = ok ? LLVMBuildAnd(e->b, ok, fits, "") : fits;
    }
    return ok;
}

const IrOperand *emit_widened_address(const Emitter *e, const IrInsn *insn)
{
    if ((insn->op != OP_ld && insn->op != OP_ldu && insn->op != OP_st) || insn->guard >= 0)
        return NULL;
    const IrOperand *o = &insn->operands[insn->op == OP_st ? 0 : 1];
    if (o->kind != OPND_addr || o->base_kind != OPND_reg || is_narrow(ir_space(insn)))
        return NULL;
    const Shape *shape = &e->flow->values.items[o->reg].shape;
    return shape->kind == SHAPE_LINEAR && shape->ext ? o : NULL;
}

static Address address_of(Emitter *e, const IrOperand *o, unsigned space)
{
    Address a = {.space = space, .operand = o, .shape = {SHAPE_UNIFORM, 32, 0, 0, 0}};
    LLVMValueRef base = space_base(e, space), at;
    if (o->base_kind == OPND_reg) {
        a.shape = e->flow->values.items[o->reg].shape;
        if (a.shape.kind == SHAPE_VARYING || (space == MOD_local && !e->by_lane)) {
            if (space == MOD_local)
                a.shape = (Shape){SHAPE_VARYING, 32, 0, 0, 0};
            return a;
        }
        IrOperand reg = {.kind = OPND_reg, .reg = o->reg};
        at = emit_offset_address(e, emit_uniform(e, &reg, register_bits(e, o->reg)), o->offset,
                                 space);
    } else if (o->base_kind == OPND_symbol) {
        if (space == MOD_local && !e->by_lane) {
            a.shape = (Shape){SHAPE_VARYING, 32, 0, 0, 0};
            return a;
        }
        at = emit_symbol_address(e, o);
        if (o->symbol->kind == SYM_PARAM)
            at = emit_k64(e, (uint64_t)(o->symbol->offset + o->offset));
    } else {
        at = emit_k64(e, (uint64_t)o->offset + (o->base_kind == OPND_imm ? o->bits : 0));
    }
    if (a.shape.kind != SHAPE_LINEAR) {
        a.base = LLVMBuildAdd(e->b, at, base, "");
        return a;
    }
    int32_t s1, s2;
    flow_total_strides(e->flow, a.shape, &s1, &s2);
    a.has_constant_s1 = flow_stride_constant(e->flow, s1, &a.constant_s1);
    if (is_narrow(space)) {
        a.s1 = LLVMBuildSExt(e->b, emit_stride(e, s1, e->i32), e->i64, "");
        a.s2 = LLVMBuildSExt(e->b, emit_stride(e, s2, e->i32), e->i64, "");
        a.constant_s1 = (int32_t)a.constant_s1;
    } else {
        a.s1 = emit_stride(e, s1, e->i64);
        a.s2 = emit_stride(e, s2, e->i64);
    }
    if (a.shape.ext) {
        Extension x = e->flow->extensions.items[a.shape.ext];
        LLVMValueRef inner = emit_low_word(e, emit_value_raw(e, x.value));
        inner = x.is_signed ? LLVMBuildSExt(e->b, inner, e->i64, "")
                            : LLVMBuildZExt(e->b, inner, e->i64, "");
        at = LLVMBuildAdd(e->b, at, LLVMBuildMul(e->b, inner, emit_stride(e, x.k, e->i64), ""), "");
        if (is_narrow(space)) /* wrapping or not, the low bits are the same */
            at = narrow(e, at);
        else
            a.ok = e->is_regular ? NULL : emit_no_wrap(e, a.shape.ext);
    }
    a.base = LLVMBuildAdd(e->b, at, base, "");
    return a;
}

/* <32 x i64> host addresses, exact in every case */
static LLVMValueRef address_vector(Emitter *e, const Address *a)
{
    const IrOperand *o = a->operand;
    LLVMValueRef at;
    if (o->base_kind == OPND_reg) {
        IrOperand reg = {.kind = OPND_reg, .reg = o->reg};
        at = emit_offset_address(e, emit_vector(e, &reg, register_bits(e, o->reg)), o->offset,
                                 a->space);
    } else if (o->base_kind == OPND_symbol) {
        at = emit_splat(e, emit_k64(e, (uint64_t)(o->symbol->offset + o->offset)));
    } else {
        at = emit_splat(e, emit_k64(e, (uint64_t)o->offset));
    }
    at = LLVMBuildAdd(e->b, at, emit_splat(e, space_base(e, a->space)), "");
    if (a->space == MOD_local)
        at = LLVMBuildAdd(
            e->b, at, LLVMBuildMul(e->b, emit_iota(e, e->i64), emit_splat(e, e->local_stride), ""),
            "");
    return at;
}

static LLVMValueRef pointer(Emitter *e, LLVMValueRef at)
{
    LLVMTypeRef t =
        LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVectorTypeKind ? emit_vec(e->ptr) : e->ptr;
    return LLVMBuildIntToPtr(e->b, at, t, "");
}

/* ---- faults ---- */

static LLVMBasicBlockRef append(Emitter *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->cx, e->fn, name);
}

void emit_unlikely(Emitter *e, LLVMValueRef branch, bool first)
{
    LLVMValueRef w[3] = {LLVMMDStringInContext(e->cx, "branch_weights", 14),
                         emit_k32(e, first ? 1 : 1000), emit_k32(e, first ? 1000 : 1)};
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->cx, "prof", 4),
                    LLVMMDNodeInContext(e->cx, w, 3));
}

static void call_fault(Emitter *e, LLVMValueRef mask, unsigned error, LLVMValueRef address)
{
    LLVMTypeRef args[6] = {e->ptr, e->i32, e->i32, e->i32, e->i64, e->i32}, type;
    LLVMValueRef f = emit_service(e, offsetof(GkServices, fault), &type, e->none, args, 6);
    LLVMValueRef x[6] = {
        e->block_arg, emit_warp_number(e),      emit_mask_bits(e, mask), emit_k32(e, error),
        address,      emit_k32(e, emit_line(e))};
    LLVMBuildCall2(e->b, type, f, x, 6, "");
}

/* 64 bits whose low ones are those of the value (of a linear one's first lane). */
static LLVMValueRef low_bits(Emitter *e, int32_t value)
{
    LLVMValueRef v = emit_value_raw(e, value);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        v = LLVMBuildBitCast(e->b, v, LLVMTypeOf(v) == e->f64 ? e->i64 : e->i32, "");
    return LLVMBuildZExtOrBitCast(e->b, v, e->i64, "");
}

/* CUDA error 716 where the address is not a multiple of the access. */
static void check_alignment(Emitter *e, LLVMValueRef at, unsigned bytes, LLVMValueRef mask)
{
    if (bytes < 2)
        return;
    LLVMTypeRef t = LLVMTypeOf(at);
    LLVMValueRef tested = at;
    bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    const FlowAlign *known = &e->insn->align;
    if (!vector && e->insn->insn.guard < 0 && known->bits < 8 && bytes <= 1u << known->bits) {
        if (known->root < 0 && known->add % bytes == 0)
            return;
        if (known->root >= 0) /* the same test for all that follows from the root */
            tested = LLVMBuildAdd(e->b, low_bits(e, known->root), emit_k64(e, known->add), "");
    }
    LLVMValueRef low = LLVMBuildAnd(e->b, tested, emit_const(e, t, bytes - 1), "");
    LLVMValueRef bad = LLVMBuildICmp(e->b, LLVMIntNE, low, LLVMConstNull(t), "");
    if (vector)
        bad = emit_any(e, LLVMBuildAnd(e->b, bad, mask, ""));
    else if (LLVMIsConstant(bad) && LLVMIsNull(bad))
        return;
    LLVMBasicBlockRef fault = append(e, "misaligned"), on = append(e, "aligned");
    emit_unlikely(e, LLVMBuildCondBr(e->b, bad, fault, on), true);
    LLVMPositionBuilderAtEnd(e->b, fault);
    LLVMValueRef first = vector ? LLVMBuildExtractElement(e->b, at, emit_k32(e, 0), "") : at;
    call_fault(e, mask, 716, LLVMBuildSub(e->b, first, emit_k64(e, GK_DELTA), ""));
    LLVMBuildUnreachable(e->b);
    LLVMPositionBuilderAtEnd(e->b, on);
}

static LLVMValueRef shuffle(Emitter *e, LLVMValueRef a, const int *index, unsigned count)
{
    LLVMValueRef k[512];
    for (unsigned i = 0; i < count; ++i)
        k[i] = emit_k32(e, (uint64_t)index[i]);
    return LLVMBuildShuffleVector(e->b, a, LLVMGetUndef(LLVMTypeOf(a)), LLVMConstVector(k, count),
                                  "");
}

/* ---- whose store lasts ---- */

/* Where lanes of a warp store to one place by one instruction, PTX leaves open whose value lasts, and programs
 * depend on it. An H200 takes 128 bytes at a time, those of the later lanes last; of lanes that are taken
 * together the lowest one's value stays (docs/measured/programs-gpu.md). `bytes`: of one lane's store. */
static unsigned lanes_at_once(unsigned bytes)
{
    return bytes <= 4 ? GK_WARP : bytes <= 8 ? 16 : bytes <= 16 ? 8 : 4;
}

/* So stores happen in the order of i ^ (lanes_at_once - 1). */
static LLVMValueRef flip_lanes(Emitter *e, LLVMValueRef v, unsigned flip)
{
    int index[GK_WARP];
    for (unsigned i = 0; i < GK_WARP; ++i)
        index[i] = (int)(i ^ flip);
    return flip ? shuffle(e, v, index, GK_WARP) : v;
}

/* The value that lasts when all active lanes store to one place. */
static LLVMValueRef lasting_lane(Emitter *e, LLVMValueRef v, LLVMValueRef mask, unsigned bytes)
{
    unsigned flip = lanes_at_once(bytes) - 1;
    LLVMValueRef bits = emit_mask_bits(e, flip_lanes(e, mask, flip));
    LLVMValueRef zeros = emit_intrinsic(e, "llvm.ctlz", &e->i32, 1,
                                        (LLVMValueRef[]){bits, LLVMConstInt(e->i1, 0, false)}, 2);
    /* 31 - zeros is its turn; with no active lane any lane will do */
    LLVMValueRef lane = LLVMBuildXor(e->b, zeros, emit_k32(e, 31 ^ flip), "");
    return LLVMBuildExtractElement(e->b, v, LLVMBuildAnd(e->b, lane, emit_k32(e, 31), ""), "");
}

/* ---- lane loops ---- */

typedef void LaneBody(Emitter *e, LLVMValueRef lane, void *data);

/* Runs body once for each set bit. The i-th turn is lane i ^ flip's: the lowest lane first with a flip of 0. */
static void lane_loop(Emitter *e, LLVMValueRef mask, unsigned flip, LaneBody *body, void *data)
{
    LLVMValueRef bits = emit_mask_bits(e, flip_lanes(e, mask, flip));
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), loop = append(e, "lane"),
                      done = append(e, "lanes_done");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, bits, emit_k32(e, 0), ""), loop, done);
    LLVMPositionBuilderAtEnd(e->b, loop);
    LLVMValueRef left = LLVMBuildPhi(e->b, e->i32, "left");
    LLVMValueRef lane = emit_intrinsic(e, "llvm.cttz", &e->i32, 1,
                                       (LLVMValueRef[]){left, LLVMConstInt(e->i1, 1, false)}, 2);
    body(e, flip ? LLVMBuildXor(e->b, lane, emit_k32(e, flip), "") : lane, data);
    LLVMValueRef rest = LLVMBuildAnd(e->b, left, LLVMBuildSub(e->b, left, emit_k32(e, 1), ""), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, rest, emit_k32(e, 0), ""), loop, done);
    LLVMAddIncoming(left, (LLVMValueRef[]){bits, rest}, (LLVMBasicBlockRef[]){from, end}, 2);
    LLVMPositionBuilderAtEnd(e->b, done);
}

static LLVMValueRef element_pointer(Emitter *e, LLVMTypeRef element, LLVMValueRef slot,
                                    LLVMValueRef lane)
{
    return LLVMBuildGEP2(e->b, element, slot, &lane, 1, "");
}

/* ---- gather and scatter ---- */

/* base + constant offsets: LLVM finds the uniform base and gathers with 32-bit indices. */
static LLVMValueRef gather_strided(Emitter *e, LLVMValueRef base, int64_t stride, unsigned offset,
                                   LLVMValueRef mask, LLVMTypeRef element, unsigned bytes)
{
    LLVMValueRef steps[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i)
        steps[i] = emit_k64(e, (uint64_t)(i * stride + offset));
    LLVMValueRef index = LLVMConstVector(steps, GK_WARP);
    LLVMValueRef p = LLVMBuildGEP2(e->b, e->i8, pointer(e, base), &index, 1, "");
    LLVMTypeRef types[2] = {emit_vec(element), emit_vec(e->ptr)};
    LLVMValueRef args[4] = {p, emit_k32(e, bytes), mask, LLVMConstNull(emit_vec(element))};
    return emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4);
}

/* Makes an access of 16 bytes indivisible: LLVM knows the processor's way (AVX: one aligned vector move, which
 * Intel and AMD document as atomic; else cmpxchg16b; AArch64: ldp and stp with LSE2, else ldxp and stxp). */
static void move_whole(LLVMValueRef access)
{
    LLVMSetAlignment(access, 16);
    LLVMSetVolatile(access, true);
    LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
}

typedef struct {
    LLVMTypeRef element;
    LLVMValueRef addresses, values; /* slots of 32 elements */
    bool whole;
} LaneAccess;

static LaneAccess lane_access(Emitter *e, LLVMValueRef at, LLVMTypeRef element, bool whole)
{
    LaneAccess s = {element, emit_slot(e, emit_vec(e->i64), "at"),
                    emit_slot(e, emit_vec(element), "val"), whole};
    LLVMBuildStore(e->b, at, s.addresses);
    return s;
}

static void gather_lane(Emitter *e, LLVMValueRef lane, void *data)
{
    const LaneAccess *s = data;
    LLVMValueRef at =
        LLVMBuildLoad2(e->b, e->i64, element_pointer(e, e->i64, s->addresses, lane), "");
    LLVMValueRef v = LLVMBuildLoad2(e->b, s->element, pointer(e, at), "");
    if (s->whole)
        move_whole(v);
    LLVMBuildStore(e->b, v, element_pointer(e, s->element, s->values, lane));
}

static void scatter_lane(Emitter *e, LLVMValueRef lane, void *data)
{
    const LaneAccess *s = data;
    LLVMValueRef at =
        LLVMBuildLoad2(e->b, e->i64, element_pointer(e, e->i64, s->addresses, lane), "");
    LLVMValueRef v =
        LLVMBuildLoad2(e->b, s->element, element_pointer(e, s->element, s->values, lane), "");
    LLVMValueRef store = LLVMBuildStore(e->b, v, pointer(e, at));
    if (s->whole)
        move_whole(store);
}

/* `whole` matters where elements have 16 bytes. */
static LLVMValueRef gather(Emitter *e, LLVMValueRef at, LLVMValueRef mask, LLVMTypeRef element,
                           bool whole)
{
    unsigned bits = element == e->f32 ? 32 : element == e->f64 ? 64 : LLVMGetIntTypeWidth(element);
    if (bits < 32) { /* the aligned word around it: never crosses a page */
        LLVMValueRef word = LLVMBuildAnd(e->b, at, emit_splat(e, emit_k64(e, ~3ull)), "");
        LLVMValueRef w = gather(e, word, mask, e->i32, false);
        LLVMValueRef shift = LLVMBuildTrunc(
            e->b, LLVMBuildAnd(e->b, at, emit_splat(e, emit_k64(e, 3)), ""), emit_vec(e->i32), "");
        w = LLVMBuildLShr(e->b, w, LLVMBuildShl(e->b, shift, emit_splat(e, emit_k32(e, 3)), ""),
                          "");
        return LLVMBuildTrunc(e->b, w, emit_vec(element), "");
    }
    if (bits == 128) {
        LaneAccess s = lane_access(e, at, element, whole);
        LLVMBuildStore(e->b, LLVMConstNull(emit_vec(element)), s.values);
        lane_loop(e, mask, 0, gather_lane, &s);
        return LLVMBuildLoad2(e->b, emit_vec(element), s.values, "");
    }
    LLVMTypeRef types[2] = {emit_vec(element), emit_vec(e->ptr)};
    LLVMValueRef args[4] = {pointer(e, at), emit_k32(e, bits / 8), mask,
                            LLVMConstNull(emit_vec(element))};
    return emit_intrinsic(e, "llvm.masked.gather", types, 2, args, 4);
}

/* flip: the order of lanes, see lanes_at_once; AVX-512 scatters the lowest element first. */
static void scatter(Emitter *e, LLVMValueRef at, LLVMValueRef mask, LLVMValueRef v, bool whole,
                    unsigned flip)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(v));
    unsigned bits = element == e->f32 ? 32 : element == e->f64 ? 64 : LLVMGetIntTypeWidth(element);
    if (bits < 32 || bits == 128 || !(e->features & EMIT_AVX512)) {
        LaneAccess s = lane_access(e, at, element, whole);
        LLVMBuildStore(e->b, v, s.values);
        lane_loop(e, mask, flip, scatter_lane, &s);
        return;
    }
    LLVMTypeRef types[2] = {emit_vec(element), emit_vec(e->ptr)};
    LLVMValueRef args[4] = {flip_lanes(e, v, flip), pointer(e, flip_lanes(e, at, flip)),
                            emit_k32(e, bits / 8), flip_lanes(e, mask, flip)};
    emit_intrinsic(e, "llvm.masked.scatter", types, 2, args, 4);
}

/* ---- contiguous accesses ---- */

/* mask bits first .. first + lanes, each repeated n times */
static LLVMValueRef part_mask(Emitter *e, LLVMValueRef mask, int first, int lanes, int n)
{
    if (lanes == GK_WARP && n == 1)
        return mask;
    int index[512];
    for (int i = 0; i < lanes * n; ++i)
        index[i] = first + i / n;
    return shuffle(e, mask, index, (unsigned)(lanes * n));
}

static LLVMValueRef load_run(Emitter *e, LLVMValueRef at, LLVMTypeRef element, int count,
                             LLVMValueRef mask, unsigned align, bool vol)
{
    LLVMTypeRef t = LLVMVectorType(element, (unsigned)count);
    if (!mask) {
        LLVMValueRef v = LLVMBuildLoad2(e->b, t, pointer(e, at), "");
        LLVMSetAlignment(v, align);
        LLVMSetVolatile(v, vol);
        return v;
    }
    LLVMTypeRef types[2] = {t, e->ptr};
    LLVMValueRef args[4] = {pointer(e, at), emit_k32(e, align), mask, LLVMConstNull(t)};
    return emit_intrinsic(e, "llvm.masked.load", types, 2, args, 4);
}

static void store_run(Emitter *e, LLVMValueRef at, LLVMValueRef v, LLVMValueRef mask,
                      unsigned align, bool vol)
{
    if (!mask) {
        LLVMValueRef s = LLVMBuildStore(e->b, v, pointer(e, at));
        LLVMSetAlignment(s, align);
        LLVMSetVolatile(s, vol);
        return;
    }
    LLVMTypeRef types[2] = {LLVMTypeOf(v), e->ptr};
    LLVMValueRef args[4] = {v, pointer(e, at), emit_k32(e, align), mask};
    emit_intrinsic(e, "llvm.masked.store", types, 2, args, 4);
}

typedef struct {
    LLVMTypeRef element; /* in memory */
    int n;               /* elements per lane */
    unsigned bytes;      /* of one element */
    bool vol;
    int parts;  /* elements of the instruction's vector in one element here; often 1 */
    bool whole; /* an element of 16 bytes is one access for other threads too */
} Access;

static LLVMValueRef segment_base(Emitter *e, const Address *a, int segment)
{
    if (!segment)
        return a->base;
    return LLVMBuildAdd(e->b, a->base,
                        LLVMBuildMul(e->b, a->s2, emit_k64(e, (uint64_t)segment), ""), "");
}

static bool is_contiguous(const Address *a, const Access *x)
{
    return a->shape.kind == SHAPE_LINEAR && a->has_constant_s1 &&
           a->constant_s1 == (int64_t)x->bytes * x->n && (a->shape.width >= 4 || x->n > 1);
}

static bool is_broadcast(const Address *a)
{
    return a->shape.kind == SHAPE_LINEAR && a->has_constant_s1 && a->constant_s1 == 0 &&
           a->shape.width >= 8;
}

/* Address of the lowest active segment, for segments in which no lane is active. */
static LLVMValueRef safe_segments(Emitter *e, const Address *a, LLVMValueRef mask, LLVMValueRef *at)
{
    int segments = GK_WARP / a->shape.width;
    LLVMValueRef bits = emit_mask_bits(e, mask), reference = NULL;
    LLVMValueRef any[32];
    for (int s = segments - 1; s >= 0; --s) {
        uint64_t part = ((1ull << a->shape.width) - 1) << (s * a->shape.width);
        any[s] = LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildAnd(e->b, bits, emit_k32(e, part), ""),
                               emit_k32(e, 0), "");
        at[s] = segment_base(e, a, s);
        reference = reference ? LLVMBuildSelect(e->b, any[s], at[s], reference, "") : at[s];
    }
    for (int s = 0; s < segments; ++s)
        at[s] = LLVMBuildSelect(e->b, any[s], at[s], reference, "");
    return reference;
}

/* Loads of a lane-regular address: n vectors of 32 elements. */
static void load_regular(Emitter *e, const Address *a, const Access *x, LLVMValueRef mask, bool all,
                         LLVMValueRef *out)
{
    int w = a->shape.width, segments = GK_WARP / w;
    LLVMValueRef parts[32];
    if (is_broadcast(a)) {
        LLVMValueRef at[32];
        if (all)
            for (int s = 0; s < segments; ++s)
                at[s] = segment_base(e, a, s);
        else
            safe_segments(e, a, mask, at);
        for (int k = 0; k < x->n; ++k) {
            for (int s = 0; s < segments; ++s) {
                LLVMValueRef p = LLVMBuildAdd(e->b, at[s], emit_k64(e, (uint64_t)k * x->bytes), "");
                LLVMValueRef v = LLVMBuildLoad2(e->b, x->element, pointer(e, p), "");
                LLVMSetAlignment(v, x->bytes);
                LLVMSetVolatile(v, x->vol);
                LLVMTypeRef t = LLVMVectorType(x->element, (unsigned)w);
                LLVMValueRef one =
                    LLVMBuildInsertElement(e->b, LLVMGetUndef(t), v, emit_k32(e, 0), "");
                parts[s] =
                    LLVMBuildShuffleVector(e->b, one, LLVMGetUndef(t),
                                           LLVMConstNull(LLVMVectorType(e->i32, (unsigned)w)), "");
            }
            out[k] = float_concat(e, parts, (unsigned)segments);
        }
        return;
    }
    for (int s = 0; s < segments; ++s)
        parts[s] = load_run(e, segment_base(e, a, s), x->element, w * x->n,
                            all ? NULL : part_mask(e, mask, s * w, w, x->n), x->bytes, x->vol);
    LLVMValueRef whole = float_concat(e, parts, (unsigned)segments);
    if (x->n == 1) {
        out[0] = whole;
        return;
    }
    for (int k = 0; k < x->n; ++k) {
        int index[GK_WARP];
        for (int i = 0; i < GK_WARP; ++i)
            index[i] = i * x->n + k;
        out[k] = shuffle(e, whole, index, GK_WARP);
    }
}

static LLVMValueRef interleave(Emitter *e, LLVMValueRef *v, int n)
{
    if (n == 1)
        return v[0];
    LLVMValueRef parts[8];
    memcpy(parts, v, sizeof(LLVMValueRef) * (size_t)n);
    LLVMValueRef whole = float_concat(e, parts, (unsigned)n);
    int index[256];
    for (int i = 0; i < GK_WARP * n; ++i)
        index[i] = (i % n) * GK_WARP + i / n;
    return shuffle(e, whole, index, (unsigned)(GK_WARP * n));
}

static bool is_volatile(const IrInsn *insn)
{
    unsigned sem = insn->mod[MC_SEM];
    return (sem && sem != MOD_weak) || insn->mod[MC_CACHE] == MOD_cv;
}

/* Where the address comes from: a parameter, mostly. -1: not a register's. */
static int32_t array_of(const FlowInsn *f, const IrOperand *o)
{
    if (o->kind != OPND_addr || o->base_kind != OPND_reg)
        return -1;
    return f->align.bits && f->align.root >= 0 ? f->align.root : o->reg;
}

static bool is_global(const IrInsn *insn)
{
    unsigned space = ir_space(insn);
    return !space || space == MOD_global;
}

/* A grid that writes more than caches keep loses time in them: each line is read before it is
 * overwritten. Whole lines of such a grid go past the caches, unless the kernel reads that array too,
 * and where no block could wait for another one's: those stores have an order only at the end of the
 * worker's part (launch.c, streaming_end). */
void emit_find_streams(Emitter *e)
{
    enum { KEPT = 8 << 20 }; /* bytes */
    const Flow *flow = e->flow;
    uint64_t each = 0;
    if (e->by_lane || flow->has_spin)
        return;
    e->read = ARENA_ARRAY(e->arena, bool, flow->values.count + 1);
    for (int32_t i = 0; i < flow->insn_count; ++i) {
        const IrInsn *insn = &flow->insns[i].insn;
        uint32_t fx = ir_op_info[insn->op].effects;
        if ((fx & (FX_ATOMIC | FX_FENCE | FX_CALL | FX_SIDE)) ||
            ((fx & (FX_READ | FX_WRITE)) && is_volatile(insn)))
            return;
        int32_t array = insn->op == OP_ld && is_global(insn)
                            ? array_of(&flow->insns[i], &insn->operands[1])
                            : -1;
        if (array >= 0)
            e->read[array] = true;
    }
    for (int32_t i = 0; i < flow->insn_count; ++i) {
        const IrInsn *insn = &flow->insns[i].insn;
        int32_t array = insn->op == OP_st && is_global(insn)
                            ? array_of(&flow->insns[i], &insn->operands[0])
                            : -1;
        if (array >= 0 && !e->read[array] &&
            flow->values.items[insn->operands[0].reg].shape.kind == SHAPE_LINEAR)
            each += ir_type_bits((IrType)insn->types[0]) / 8 * ir_count(&insn->operands[1]);
    }
    if (!each)
        return;
    LLVMValueRef threads = emit_grid_field(e, offsetof(GkGrid, threads), e->i64);
    e->streams = LLVMBuildICmp(e->b, LLVMIntUGE, threads, emit_k64(e, KEPT / each), "streams");
}

static void stream_or_store(Emitter *e, LLVMValueRef at, LLVMValueRef v, unsigned align)
{
    enum { LINE = 64 };
    LLVMBasicBlockRef past = append(e, "past"), into = append(e, "into"),
                      done = append(e, "stored");
    LLVMValueRef low = LLVMBuildAnd(e->b, at, emit_k64(e, LINE - 1), "");
    LLVMValueRef whole = LLVMBuildICmp(e->b, LLVMIntEQ, low, emit_k64(e, 0), "");
    LLVMBuildCondBr(e->b, LLVMBuildAnd(e->b, whole, e->streams, ""), past, into);
    LLVMPositionBuilderAtEnd(e->b, past);
    LLVMValueRef s = LLVMBuildStore(e->b, v, pointer(e, at));
    LLVMMetadataRef number = LLVMValueAsMetadata(emit_k32(e, 1));
    LLVMSetMetadata(s, LLVMGetMDKindIDInContext(e->cx, "nontemporal", 11),
                    LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &number, 1)));
    LLVMSetAlignment(s, LINE);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, into);
    store_run(e, at, v, NULL, align, false);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

static void store_regular(Emitter *e, const Address *a, const Access *x, LLVMValueRef mask,
                          bool all, LLVMValueRef *v)
{
    int w = a->shape.width, segments = GK_WARP / w;
    LLVMValueRef whole = interleave(e, v, x->n);
    if (e->streams && all && segments == 1 && x->bytes * (unsigned)x->n >= 4 &&
        is_global(&e->insn->insn) && !e->read[array_of(e->insn, a->operand)]) {
        stream_or_store(e, a->base, whole, x->bytes);
        return;
    }
    int together = (int)lanes_at_once(x->bytes * (unsigned)x->n) / w;
    for (int i = 0; i < segments; ++i) {
        int s = together > 1 ? i ^ (together - 1) : i;
        LLVMValueRef part = whole;
        if (segments > 1) {
            int index[256];
            for (int k = 0; k < w * x->n; ++k)
                index[k] = s * w * x->n + k;
            part = shuffle(e, whole, index, (unsigned)(w * x->n));
        }
        store_run(e, segment_base(e, a, s), part, all ? NULL : part_mask(e, mask, s * w, w, x->n),
                  x->bytes, x->vol);
    }
}

/* A varying address made of linear values: side by side after all, unless lanes left a loop at different
 * times. Turns it into a contiguous one whose `ok` is a test of the active lanes' addresses. */
static bool guess_contiguous(Emitter *e, Address *a, const Access *x, LLVMValueRef mask)
{
    if (a->shape.kind != SHAPE_VARYING || a->space == MOD_local ||
        a->operand->base_kind != OPND_reg || e->by_lane ||
        !e->flow->values.items[a->operand->reg].perhaps_linear || x->bytes > 8)
        return false;
    unsigned step = x->bytes * (unsigned)x->n;
    LLVMValueRef steps[GK_WARP];
    for (unsigned i = 0; i < GK_WARP; ++i)
        steps[i] = emit_k64(e, (uint64_t)i * step);
    LLVMValueRef start =
        LLVMBuildSub(e->b, address_vector(e, a), LLVMConstVector(steps, GK_WARP), "");
    a->base = LLVMBuildExtractElement(e->b, start, emit_k32(e, 0), "");
    LLVMValueRef other = LLVMBuildICmp(e->b, LLVMIntNE, start, emit_splat(e, a->base), "");
    a->ok = LLVMBuildNot(e->b, emit_any(e, LLVMBuildAnd(e->b, other, mask, "")), "");
    a->shape = (Shape){SHAPE_LINEAR, GK_WARP, 0, 0, 0};
    a->s1 = emit_k64(e, step);
    a->s2 = emit_k64(e, 0);
    a->has_constant_s1 = true;
    a->constant_s1 = step;
    return true;
}

/* ---- ld, st ---- */

static IrType memory_type(const IrInsn *insn)
{
    return (IrType)insn->types[0];
}

static LLVMTypeRef memory_element(Emitter *e, IrType t)
{
    if (t == TY_f32)
        return e->f32;
    if (t == TY_f64)
        return e->f64;
    return LLVMIntTypeInContext(e->cx, ir_type_bits(t));
}

/* Runs `then` only when some lane is active, for guarded uniform accesses. */
typedef struct {
    LLVMBasicBlockRef skip, from;
} Skip;

static Skip skip_if_none(Emitter *e, LLVMValueRef mask)
{
    Skip s = {append(e, "skip"), LLVMGetInsertBlock(e->b)};
    LLVMBasicBlockRef go = append(e, "access");
    LLVMBuildCondBr(e->b, emit_any(e, mask), go, s.skip);
    LLVMPositionBuilderAtEnd(e->b, go);
    return s;
}

static void load_fence(Emitter *e, const IrInsn *insn)
{
    if (insn->mod[MC_SEM] == MOD_acquire)
        LLVMBuildFence(e->b, LLVMAtomicOrderingAcquire, false, "");
}

static IrType register_view(IrType t)
{
    return t == TY_f16 || t == TY_bf16 ? TY_b16 : t;
}

/* Turns of the loop between asking for data and their arrival from memory. */
static uint64_t turns_ahead(const Emitter *e)
{
    const Flow *flow = e->flow;
    int32_t l = flow->blocks[e->block].loop;
    uint32_t cost = 1, warps = flow->group.warps;
    for (int32_t b = flow->loops[l].first; b <= flow->loops[l].last; ++b) {
        if (flow->blocks[b].loop != l)
            return 1;
        for (int32_t i = flow->blocks[b].begin; i < flow->blocks[b].end; ++i)
            cost += warps > 1 && !flow_bit(flow->group.once, i) ? warps : 1;
    }
    enum { WAIT = 500, MOST = 16 }; /* instructions, turns */
    return cost > WAIT ? 1 : WAIT / cost < MOST ? WAIT / cost : MOST;
}

/* Loads in steps that the processor does not foresee (analysis/step.c): asks for the data of a
 * later turn. An address that is not there does no harm. */
static void fetch_ahead(Emitter *e, const Address *a, const Access *x)
{
    enum { LINE = 64, MOST_LINES = 4 };
    int32_t step = e->insn->step;
    bool uniform = a->shape.kind == SHAPE_UNIFORM;
    if (!step || (!uniform && !is_contiguous(a, x)))
        return;
    uint64_t bytes = (uint64_t)x->bytes * (unsigned)x->n * (uniform ? 1 : a->shape.width);
    bool repeats = !uniform && LLVMIsConstant(a->s2) && LLVMIsNull(a->s2);
    int segments = uniform || repeats ? 1 : GK_WARP / a->shape.width;
    uint64_t lines = (bytes + LINE - 1) / LINE;
    if (lines * (unsigned)segments > MOST_LINES)
        return;
    LLVMValueRef far =
        LLVMBuildMul(e->b, emit_stride(e, step, e->i64), emit_k64(e, turns_ahead(e)), "");
    for (int s = 0; s < segments; ++s) {
        LLVMValueRef at = LLVMBuildAdd(e->b, segment_base(e, a, s), far, "");
        for (uint64_t line = 0; line < lines; ++line) {
            LLVMValueRef p = pointer(e, LLVMBuildAdd(e->b, at, emit_k64(e, LINE * line), ""));
            LLVMValueRef args[4] = {p, emit_k32(e, 0), emit_k32(e, 3), emit_k32(e, 1)};
            emit_intrinsic(e, "llvm.prefetch", &e->ptr, 1, args, 4);
        }
    }
}

/* Vectors that others may be looking at move as on the hardware, 16 bytes at once: the look-back of CUB's scans
 * keeps a state and a value in one. Shared memory belongs to one thread of the host; local memory to one lane,
 * and its addresses are not tested. Older look-backs read and write past L1 (.cg), one address or a row backwards;
 * fast copies do too, in rows: those stay vectors of all lanes, in pieces that LLVM chooses. */
static Access access_of(Emitter *e, const IrInsn *insn, const IrOperand *data, const Address *a)
{
    enum { WHOLE = 16 };
    IrType t = memory_type(insn);
    Access x = {.element = memory_element(e, t),
                .n = data->kind == OPND_vector ? data->count : 1,
                .bytes = ir_type_bits(t) / 8,
                .vol = is_volatile(insn),
                .parts = 1,
                .whole = ir_space(insn) != MOD_local};
    bool past_l1 = insn->mod[MC_CACHE] == MOD_cg && !is_contiguous(a, &x);
    if (x.n > 1 && is_global(insn) && (x.vol || past_l1)) {
        int most = (int)(WHOLE / x.bytes);
        x.parts = x.n < most ? x.n : most;
        x.n /= x.parts;
        x.bytes *= (unsigned)x.parts;
        x.element = LLVMIntTypeInContext(e->cx, x.bytes * 8);
    }
    return x;
}

/* Element k of the instruction's vector out of what was loaded. */
static LLVMValueRef loaded_part(Emitter *e, const Access *x, LLVMValueRef *loaded, int k,
                                LLVMTypeRef part)
{
    LLVMValueRef v = loaded[k / x->parts];
    if (x->parts == 1)
        return v;
    bool vector = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
    unsigned n = (unsigned)x->parts, lanes = vector ? GK_WARP : 1;
    v = LLVMBuildBitCast(e->b, v, LLVMVectorType(part, n * lanes), "");
    if (!vector)
        return LLVMBuildExtractElement(e->b, v, emit_k32(e, (unsigned)k % n), "");
    int index[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i)
        index[i] = i * x->parts + k % x->parts;
    return shuffle(e, v, index, GK_WARP);
}

/* The instruction's elements, from v on, as one in memory. */
static LLVMValueRef stored_whole(Emitter *e, const Access *x, LLVMValueRef *v)
{
    if (x->parts == 1)
        return v[0];
    LLVMTypeRef t = LLVMTypeOf(v[0]);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        return LLVMBuildBitCast(e->b, interleave(e, v, x->parts), emit_vec(x->element), "");
    LLVMValueRef whole = LLVMGetUndef(LLVMVectorType(t, (unsigned)x->parts));
    for (int k = 0; k < x->parts; ++k)
        whole = LLVMBuildInsertElement(e->b, whole, v[k], emit_k32(e, (unsigned)k), "");
    return LLVMBuildBitCast(e->b, whole, x->element, "");
}

void emit_op_ld(Emitter *e, const IrInsn *insn)
{
    IrType t = memory_type(insn);
    const IrOperand *d = &insn->operands[0], *o = &insn->operands[1];
    int items = d->kind == OPND_vector ? d->count : 1;
    bool all;
    LLVMValueRef mask = emit_exec_mask(e, &all), out[8];
    unsigned space = ir_space(insn);
    if (ir_type_bits(t) == 128 && items > 1) {
        emit_error(e, "vector loads of b128 are not supported");
        return;
    }
    Address a = address_of(e, o, space);
    Access x = access_of(e, insn, d, &a);
    unsigned whole = x.bytes * (unsigned)x.n;
    fetch_ahead(e, &a, &x);
    if (a.shape.kind == SHAPE_UNIFORM) {
        bool guarded = insn->guard >= 0;
        Skip skip = {0};
        if (guarded)
            skip = skip_if_none(e, mask);
        if (space != MOD_param)
            check_alignment(e, a.base, whole, mask);
        for (int k = 0; k < x.n; ++k) {
            LLVMValueRef p =
                pointer(e, LLVMBuildAdd(e->b, a.base, emit_k64(e, (uint64_t)k * x.bytes), ""));
            out[k] = LLVMBuildLoad2(e->b, x.element, p, "");
            LLVMSetAlignment(out[k], space == MOD_param ? 1 : x.bytes);
            LLVMSetVolatile(out[k], x.vol);
            if (x.bytes == 16 && x.whole && space != MOD_param && space != MOD_const)
                move_whole(out[k]);
            if (space == MOD_param || space == MOD_const)
                LLVMSetMetadata(out[k], LLVMGetMDKindIDInContext(e->cx, "invariant.load", 14),
                                LLVMMDNodeInContext(e->cx, NULL, 0));
        }
        load_fence(e, insn);
        if (guarded) {
            LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
            LLVMBuildBr(e->b, skip.skip);
            LLVMPositionBuilderAtEnd(e->b, skip.skip);
            for (int k = 0; k < x.n; ++k) {
                LLVMValueRef phi = LLVMBuildPhi(e->b, x.element, "");
                LLVMAddIncoming(phi, (LLVMValueRef[]){LLVMConstNull(x.element), out[k]},
                                (LLVMBasicBlockRef[]){skip.from, end}, 2);
                out[k] = phi;
            }
        }
        for (int k = 0; k < items; ++k)
            emit_def(e, ir_item(d, k), k, register_view(t),
                     loaded_part(e, &x, out, k, memory_element(e, t)));
        return;
    }
    LLVMBasicBlockRef slow = NULL, join = NULL, fast_end = NULL;
    LLVMValueRef fast[8];
    bool regular = x.bytes < 16 && (is_contiguous(&a, &x) || is_broadcast(&a));
    if (!regular && guess_contiguous(e, &a, &x, mask))
        regular = true;
    if (regular) {
        if (a.ok) {
            LLVMBasicBlockRef go = append(e, "regular");
            slow = append(e, "irregular");
            join = append(e, "loaded");
            emit_unlikely(e, LLVMBuildCondBr(e->b, a.ok, go, slow), false);
            LLVMPositionBuilderAtEnd(e->b, go);
        }
        if (insn->guard >= 0 || !is_broadcast(&a) || all) {
            LLVMValueRef align_mask = mask;
            if (insn->guard < 0)
                check_alignment(e, a.base, whole, align_mask);
            else
                check_alignment(
                    e, LLVMBuildSelect(e->b, emit_any(e, mask), a.base, emit_k64(e, 0), ""), whole,
                    align_mask);
        }
        if (insn->guard >= 0 && is_broadcast(&a)) {
            Skip skip = skip_if_none(e, mask);
            load_regular(e, &a, &x, mask, false, fast);
            LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
            LLVMBuildBr(e->b, skip.skip);
            LLVMPositionBuilderAtEnd(e->b, skip.skip);
            for (int k = 0; k < x.n; ++k) {
                LLVMValueRef phi = LLVMBuildPhi(e->b, emit_vec(x.element), "");
                LLVMAddIncoming(phi, (LLVMValueRef[]){LLVMConstNull(emit_vec(x.element)), fast[k]},
                                (LLVMBasicBlockRef[]){skip.from, end}, 2);
                fast[k] = phi;
            }
        } else {
            load_regular(e, &a, &x, mask, all, fast);
        }
        if (a.ok) {
            fast_end = LLVMGetInsertBlock(e->b);
            LLVMBuildBr(e->b, join);
            LLVMPositionBuilderAtEnd(e->b, slow);
        }
    }
    if (!regular || a.ok) {
        bool strided = a.shape.kind == SHAPE_LINEAR && a.shape.width == GK_WARP &&
                       a.has_constant_s1 && !a.ok && insn->guard < 0 && x.bytes >= 4 &&
                       x.bytes <= 8 && a.constant_s1 % whole == 0 && a.constant_s1 > -(1 << 20) &&
                       a.constant_s1 < 1 << 20;
        LLVMValueRef at = NULL;
        if (strided)
            check_alignment(e, a.base, whole, mask);
        else
            at = address_vector(e, &a);
        if (space != MOD_local && !strided)
            check_alignment(e, at, whole, mask);
        for (int k = 0; k < x.n; ++k) {
            if (strided) {
                out[k] = gather_strided(e, a.base, a.constant_s1, (unsigned)k * x.bytes, mask,
                                        x.element, x.bytes);
                continue;
            }
            LLVMValueRef p =
                k ? LLVMBuildAdd(e->b, at, emit_splat(e, emit_k64(e, (uint64_t)k * x.bytes)), "")
                  : at;
            out[k] = gather(e, p, mask, x.element, x.whole);
        }
    }
    if (regular && a.ok) {
        LLVMBasicBlockRef slow_end = LLVMGetInsertBlock(e->b);
        LLVMBuildBr(e->b, join);
        LLVMPositionBuilderAtEnd(e->b, join);
        for (int k = 0; k < x.n; ++k) {
            LLVMValueRef phi = LLVMBuildPhi(e->b, emit_vec(x.element), "");
            LLVMAddIncoming(phi, (LLVMValueRef[]){fast[k], out[k]},
                            (LLVMBasicBlockRef[]){fast_end, slow_end}, 2);
            out[k] = phi;
        }
    } else if (regular) {
        memcpy(out, fast, sizeof out);
    }
    load_fence(e, insn);
    for (int k = 0; k < items; ++k)
        emit_def(e, ir_item(d, k), k, register_view(t),
                 loaded_part(e, &x, out, k, memory_element(e, t)));
}

void emit_op_st(Emitter *e, const IrInsn *insn)
{
    IrType t = memory_type(insn);
    const IrOperand *o = &insn->operands[0], *s = &insn->operands[1];
    int items = s->kind == OPND_vector ? s->count : 1;
    bool all;
    LLVMValueRef mask = emit_exec_mask(e, &all), v[8];
    unsigned space = ir_space(insn);
    if (ir_type_bits(t) == 128 && items > 1) {
        emit_error(e, "vector stores of b128 are not supported");
        return;
    }
    if (insn->mod[MC_SEM] == MOD_release)
        LLVMBuildFence(e->b, LLVMAtomicOrderingRelease, false, "");
    /* bits, so that NaNs are PTX's */
    IrType view = t == TY_f32 ? TY_b32 : t == TY_f64 ? TY_b64 : register_view(t);
    Address a = address_of(e, o, space);
    Access x = access_of(e, insn, s, &a);
    unsigned whole = x.bytes * (unsigned)x.n;
    if (a.shape.kind == SHAPE_UNIFORM) {
        Skip skip = {0};
        if (insn->guard >= 0)
            skip = skip_if_none(e, mask);
        check_alignment(e, a.base, whole, mask);
        for (int k = 0; k < items; ++k)
            v[k] = emit_is_uniform(e, ir_item(s, k))
                       ? emit_uniform(e, ir_item(s, k), view)
                       : lasting_lane(e, emit_vector(e, ir_item(s, k), view), mask, whole);
        for (int k = 0; k < x.n; ++k) {
            LLVMValueRef p =
                pointer(e, LLVMBuildAdd(e->b, a.base, emit_k64(e, (uint64_t)k * x.bytes), ""));
            LLVMValueRef store = LLVMBuildStore(e->b, stored_whole(e, &x, v + k * x.parts), p);
            LLVMSetAlignment(store, x.bytes);
            LLVMSetVolatile(store, x.vol);
            if (x.bytes == 16 && x.whole)
                move_whole(store);
        }
        if (insn->guard >= 0) {
            LLVMBuildBr(e->b, skip.skip);
            LLVMPositionBuilderAtEnd(e->b, skip.skip);
        }
        return;
    }
    for (int k = 0; k < items; ++k)
        v[k] = emit_vector(e, ir_item(s, k), view);
    for (int k = 0; k < x.n; ++k)
        v[k] = stored_whole(e, &x, v + k * x.parts);
    bool regular = x.bytes < 16 && is_contiguous(&a, &x);
    if (!regular && guess_contiguous(e, &a, &x, mask))
        regular = true;
    LLVMBasicBlockRef slow = NULL, join = NULL;
    if (regular) {
        if (a.ok) {
            LLVMBasicBlockRef go = append(e, "regular");
            slow = append(e, "irregular");
            join = append(e, "stored");
            emit_unlikely(e, LLVMBuildCondBr(e->b, a.ok, go, slow), false);
            LLVMPositionBuilderAtEnd(e->b, go);
        }
        check_alignment(e,
                        insn->guard < 0
                            ? a.base
                            : LLVMBuildSelect(e->b, emit_any(e, mask), a.base, emit_k64(e, 0), ""),
                        whole, mask);
        store_regular(e, &a, &x, mask, all, v);
        if (a.ok) {
            LLVMBuildBr(e->b, join);
            LLVMPositionBuilderAtEnd(e->b, slow);
        }
    }
    if (!regular || a.ok) {
        LLVMValueRef at = address_vector(e, &a);
        if (space != MOD_local)
            check_alignment(e, at, whole, mask);
        bool apart = space == MOD_local ||
                     (a.shape.kind == SHAPE_LINEAR && !a.ok && a.shape.width == GK_WARP &&
                      a.has_constant_s1 && llabs(a.constant_s1) >= whole);
        for (int k = 0; k < x.n; ++k)
            scatter(
                e,
                k ? LLVMBuildAdd(e->b, at, emit_splat(e, emit_k64(e, (uint64_t)k * x.bytes)), "")
                  : at,
                mask, v[k], x.whole, apart ? 0 : lanes_at_once(whole) - 1);
    }
    if (regular && a.ok) {
        LLVMBuildBr(e->b, join);
        LLVMPositionBuilderAtEnd(e->b, join);
    }
}

/* ---- atomics ---- */

typedef struct {
    const IrInsn *insn;
    IrType type;
    unsigned op;
    bool shared;
    LLVMTypeRef bits; /* integer of the access's width */
    LLVMValueRef addresses, values, compares,
        results; /* slots of 32 elements; compares may be NULL */
} Atomic;

/* new value from the old one, both as bits */
static LLVMValueRef combine(Emitter *e, const Atomic *a, LLVMValueRef old, LLVMValueRef v)
{
    IrType t = a->type;
    int lanes = e->lanes;
    e->lanes = 1;
    LLVMValueRef r = v;
    bool sign = ir_type_info[t].class == TC_SIGNED, real = ir_type_info[t].class == TC_FLOAT;
    LLVMIntPredicate less = sign ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef one = LLVMConstInt(a->bits, 1, false), zero = LLVMConstNull(a->bits);
    switch (a->op) {
    case MOD_exch:
        break;
    case MOD_add:
        if (!real) {
            r = LLVMBuildAdd(e->b, old, v, "");
        } else {
            LLVMTypeRef ft = emit_scalar_type(e, t);
            LLVMValueRef x = float_widen(e, emit_bitcast(e, old, ft), t),
                         y = float_widen(e, emit_bitcast(e, v, ft), t);
            if (t == TY_f32 &&
                !a->shared) /* global f32 adds flush subnormals. Source: PTX ISA, atom */
                x = float_flush(e, x), y = float_flush(e, y);
            LLVMValueRef sum = LLVMBuildFAdd(e->b, x, y, "");
            if (t == TY_f32 && !a->shared)
                sum = float_flush(e, sum);
            r = emit_bitcast(e, float_narrow(e, sum, t, 0), a->bits);
            if (t == TY_f32) {
                LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, sum, sum, "");
                r = LLVMBuildSelect(e->b, nan, LLVMConstInt(a->bits, 0x7fffffff, false), r, "");
            }
        }
        break;
    case MOD_min:
    case MOD_max: {
        if (real) {
            LLVMTypeRef ft = emit_scalar_type(e, t);
            LLVMValueRef x = float_widen(e, emit_bitcast(e, old, ft), t),
                         y = float_widen(e, emit_bitcast(e, v, ft), t);
            LLVMValueRef m = float_intrinsic(e, a->op == MOD_min ? "llvm.minnum" : "llvm.maxnum",
                                             (LLVMValueRef[]){x, y}, 2);
            r = emit_bitcast(e, float_narrow(e, m, t, 0), a->bits);
            break;
        }
        LLVMValueRef c = LLVMBuildICmp(e->b, less, old, v, "");
        r = a->op == MOD_min ? LLVMBuildSelect(e->b, c, old, v, "")
                             : LLVMBuildSelect(e->b, c, v, old, "");
        break;
    }
    case MOD_inc:
        r = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntUGE, old, v, ""), zero,
                            LLVMBuildAdd(e->b, old, one, ""), "");
        break;
    case MOD_dec: {
        LLVMValueRef wrap = LLVMBuildOr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, old, zero, ""),
                                        LLVMBuildICmp(e->b, LLVMIntUGT, old, v, ""), "");
        r = LLVMBuildSelect(e->b, wrap, v, LLVMBuildSub(e->b, old, one, ""), "");
        break;
    }
    case MOD_and_:
        r = LLVMBuildAnd(e->b, old, v, "");
        break;
    case MOD_or_:
        r = LLVMBuildOr(e->b, old, v, "");
        break;
    case MOD_xor_:
        r = LLVMBuildXor(e->b, old, v, "");
        break;
    default:
        emit_error(e, "atomic operation .%s is not supported", ir_mod_info[a->op].text);
    }
    e->lanes = lanes;
    return r;
}

static LLVMAtomicRMWBinOp native_op(const Atomic *a, bool *found)
{
    bool sign = ir_type_info[a->type].class == TC_SIGNED;
    *found = ir_type_info[a->type].class != TC_FLOAT;
    switch (a->op) {
    case MOD_exch:
        *found = true;
        return LLVMAtomicRMWBinOpXchg;
    case MOD_add:
        return LLVMAtomicRMWBinOpAdd;
    case MOD_min:
        return sign ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    case MOD_max:
        return sign ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    case MOD_and_:
        return LLVMAtomicRMWBinOpAnd;
    case MOD_or_:
        return LLVMAtomicRMWBinOpOr;
    case MOD_xor_:
        return LLVMAtomicRMWBinOpXor;
    default:
        *found = false;
        return LLVMAtomicRMWBinOpXchg;
    }
}

/* One lane's read-modify-write; returns the old bits. Shared memory belongs to one thread of the
 * host, so nothing there needs a locked instruction. */
static LLVMValueRef atomic_step(Emitter *e, const Atomic *a, LLVMValueRef at, LLVMValueRef v,
                                LLVMValueRef compare)
{
    LLVMValueRef p = pointer(e, at), old;
    unsigned bytes = LLVMGetIntTypeWidth(a->bits) / 8;
    if (a->shared) {
        old = LLVMBuildLoad2(e->b, a->bits, p, "");
        LLVMSetAlignment(old, bytes);
        LLVMValueRef now;
        if (a->op == MOD_cas)
            now =
                LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, old, compare, ""), v, old, "");
        else
            now = combine(e, a, old, v);
        LLVMSetAlignment(LLVMBuildStore(e->b, now, p), bytes);
        return old;
    }
    if (a->op == MOD_cas) {
        LLVMValueRef pair =
            LLVMBuildAtomicCmpXchg(e->b, p, compare, v, LLVMAtomicOrderingSequentiallyConsistent,
                                   LLVMAtomicOrderingSequentiallyConsistent, false);
        return LLVMBuildExtractValue(e->b, pair, 0, "");
    }
    bool native;
    LLVMAtomicRMWBinOp op = native_op(a, &native);
    if (native)
        return LLVMBuildAtomicRMW(e->b, op, p, v, LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), loop = append(e, "cas"),
                      done = append(e, "cas_done");
    LLVMValueRef first = LLVMBuildLoad2(e->b, a->bits, p, "");
    LLVMSetAlignment(first, bytes);
    LLVMSetVolatile(first, true);
    LLVMBuildBr(e->b, loop);
    LLVMPositionBuilderAtEnd(e->b, loop);
    LLVMValueRef seen = LLVMBuildPhi(e->b, a->bits, "");
    LLVMValueRef now = combine(e, a, seen, v);
    LLVMValueRef pair =
        LLVMBuildAtomicCmpXchg(e->b, p, seen, now, LLVMAtomicOrderingSequentiallyConsistent,
                               LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMValueRef got = LLVMBuildExtractValue(e->b, pair, 0, "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
    LLVMBuildCondBr(e->b, LLVMBuildExtractValue(e->b, pair, 1, ""), done, loop);
    LLVMAddIncoming(seen, (LLVMValueRef[]){first, got}, (LLVMBasicBlockRef[]){from, end}, 2);
    LLVMPositionBuilderAtEnd(e->b, done);
    return got;
}

static void atomic_lane(Emitter *e, LLVMValueRef lane, void *data)
{
    Atomic *a = data;
    LLVMValueRef at =
        LLVMBuildLoad2(e->b, e->i64, element_pointer(e, e->i64, a->addresses, lane), "");
    LLVMValueRef v = LLVMBuildLoad2(e->b, a->bits, element_pointer(e, a->bits, a->values, lane),
                                    ""),
                 c = NULL;
    if (a->compares)
        c = LLVMBuildLoad2(e->b, a->bits, element_pointer(e, a->bits, a->compares, lane), "");
    LLVMValueRef old = atomic_step(e, a, at, v, c);
    if (a->results)
        LLVMBuildStore(e->b, old, element_pointer(e, a->bits, a->results, lane));
}

/* Integer reductions to one address: combine in the warp first, then one access. */
static bool reduce_first(Emitter *e, Atomic *a, const Address *address, LLVMValueRef v,
                         LLVMValueRef mask)
{
    static const struct {
        unsigned op;
        const char *name[2];
    } table[] = {
        {MOD_add, {"llvm.vector.reduce.add", "llvm.vector.reduce.add"}},
        {MOD_and_, {"llvm.vector.reduce.and", "llvm.vector.reduce.and"}},
        {MOD_or_, {"llvm.vector.reduce.or", "llvm.vector.reduce.or"}},
        {MOD_xor_, {"llvm.vector.reduce.xor", "llvm.vector.reduce.xor"}},
        {MOD_min, {"llvm.vector.reduce.umin", "llvm.vector.reduce.smin"}},
        {MOD_max, {"llvm.vector.reduce.umax", "llvm.vector.reduce.smax"}},
    };
    if (address->shape.kind != SHAPE_UNIFORM || a->results ||
        ir_type_info[a->type].class == TC_FLOAT)
        return false;
    bool sign = ir_type_info[a->type].class == TC_SIGNED;
    unsigned bits = LLVMGetIntTypeWidth(a->bits);
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        if (table[i].op != a->op)
            continue;
        uint64_t neutral = 0;
        if (a->op == MOD_and_ || (a->op == MOD_min && !sign))
            neutral = ~0ull;
        else if (a->op == MOD_min)
            neutral = ~0ull >> (65 - bits);
        else if (a->op == MOD_max && sign)
            neutral = 1ull << (bits - 1);
        LLVMTypeRef t = LLVMTypeOf(v);
        LLVMValueRef x = LLVMBuildSelect(e->b, mask, v, emit_const(e, t, neutral), "");
        x = emit_intrinsic(e, table[i].name[sign], &t, 1, &x, 1);
        atomic_step(e, a, address->base, x, NULL);
        return true;
    }
    return false;
}

typedef struct {
    const Atomic *a;
    LLVMValueRef current; /* slot: what memory would hold now */
} Transaction;

static void transaction_lane(Emitter *e, LLVMValueRef lane, void *data)
{
    Transaction *t = data;
    const Atomic *a = t->a;
    LLVMValueRef old = LLVMBuildLoad2(e->b, a->bits, t->current, ""), now;
    LLVMValueRef v =
        LLVMBuildLoad2(e->b, a->bits, element_pointer(e, a->bits, a->values, lane), "");
    if (a->results)
        LLVMBuildStore(e->b, old, element_pointer(e, a->bits, a->results, lane));
    if (a->op == MOD_cas) {
        LLVMValueRef c =
            LLVMBuildLoad2(e->b, a->bits, element_pointer(e, a->bits, a->compares, lane), "");
        now = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, old, c, ""), v, old, "");
    } else {
        now = combine(e, a, old, v);
    }
    LLVMBuildStore(e->b, now, t->current);
}

/* All lanes name one address: one locked exchange for the warp, lane after lane in between. */
static void transaction(Emitter *e, const Atomic *a, LLVMValueRef address, LLVMValueRef mask)
{
    unsigned bytes = LLVMGetIntTypeWidth(a->bits) / 8;
    Transaction t = {a, emit_slot(e, a->bits, "current")};
    LLVMValueRef p = pointer(e, address), first = LLVMBuildLoad2(e->b, a->bits, p, "");
    LLVMSetAlignment(first, bytes);
    LLVMSetVolatile(first, true);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), loop = append(e, "transaction"),
                      done = append(e, "transaction_done");
    LLVMBuildBr(e->b, loop);
    LLVMPositionBuilderAtEnd(e->b, loop);
    LLVMValueRef seen = LLVMBuildPhi(e->b, a->bits, "");
    LLVMBuildStore(e->b, seen, t.current);
    lane_loop(e, mask, 0, transaction_lane, &t);
    LLVMValueRef now = LLVMBuildLoad2(e->b, a->bits, t.current, "");
    LLVMValueRef pair =
        LLVMBuildAtomicCmpXchg(e->b, p, seen, now, LLVMAtomicOrderingSequentiallyConsistent,
                               LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMValueRef got = LLVMBuildExtractValue(e->b, pair, 0, "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
    LLVMBuildCondBr(e->b, LLVMBuildExtractValue(e->b, pair, 1, ""), done, loop);
    LLVMAddIncoming(seen, (LLVMValueRef[]){first, got}, (LLVMBasicBlockRef[]){from, end}, 2);
    LLVMPositionBuilderAtEnd(e->b, done);
}

/* CUDA error 717: atomic operations know global and shared memory, not a thread's own. */
static void check_not_local(Emitter *e, LLVMValueRef at, LLVMValueRef mask)
{
    LLVMTypeRef t = LLVMTypeOf(at);
    LLVMValueRef base = LLVMBuildPtrToInt(e->b, e->local, e->i64, "");
    LLVMValueRef size =
        LLVMBuildMul(e->b, e->local_stride, emit_k64(e, e->by_lane ? 1 : GK_WARP), "");
    bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    if (vector)
        base = emit_splat(e, base), size = emit_splat(e, size);
    LLVMValueRef bad = LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildSub(e->b, at, base, ""), size, "");
    if (vector)
        bad = emit_any(e, LLVMBuildAnd(e->b, bad, mask, ""));
    LLVMBasicBlockRef fault = append(e, "local"), on = append(e, "not_local");
    emit_unlikely(e, LLVMBuildCondBr(e->b, bad, fault, on), true);
    LLVMPositionBuilderAtEnd(e->b, fault);
    LLVMValueRef one = vector ? LLVMBuildExtractElement(e->b, at, emit_k32(e, 0), "") : at;
    call_fault(e, mask, 717, LLVMBuildSub(e->b, one, emit_k64(e, GK_DELTA), ""));
    LLVMBuildUnreachable(e->b);
    LLVMPositionBuilderAtEnd(e->b, on);
}

/* Does the value point into the thread's own memory, as far as its definition shows? The assembler
 * makes plain accesses of atomic operations there (seen on an H200); others it leaves to fault. */
static bool is_local_address(const Emitter *e, int32_t value, int depth)
{
    const FlowValue *v = &e->flow->values.items[value];
    if (v->phi >= 0 || v->insn < 0 || depth > 16)
        return false;
    const IrInsn *insn = &e->flow->insns[v->insn].insn;
    const IrOperand *o = insn->operands;
    if (insn->guard >= 0 || o[0].kind != OPND_reg)
        return false;
    if (insn->op == OP_cvta)
        return ir_space(insn) == MOD_local;
    bool found = false;
    for (int k = 1; k < 3 && (insn->op == OP_add_i || (insn->op == OP_mov && k == 1)); ++k)
        found |= o[k].kind == OPND_reg && is_local_address(e, o[k].reg, depth + 1);
    return found;
}

/* `aligned`: bytes that the address must be a multiple of; `index`: which destination this is. */
static void atomic_element(Emitter *e, const IrInsn *insn, int first, bool result, unsigned aligned,
                           int index)
{
    const IrOperand *o = &insn->operands[first], *s = &insn->operands[first + 1];
    Atomic a = {.insn = insn,
                .type = (IrType)insn->types[0],
                .op = insn->mod[MC_ATOM],
                .shared = ir_space(insn) == MOD_shared};
    int bits = (int)ir_type_bits(a.type);
    a.bits = LLVMIntTypeInContext(e->cx, (unsigned)bits);
    IrType view = bits == 16 ? TY_b16 : bits == 32 ? TY_b32 : bits == 64 ? TY_b64 : TY_b128;
    bool all;
    LLVMValueRef mask = emit_exec_mask(e, &all);
    Address address = address_of(e, o, ir_space(insn));
    LLVMValueRef v = emit_vector(e, s, view), c = NULL;
    if (a.op == MOD_cas) { /* d, [a], compare, new */
        c = v;
        v = emit_vector(e, &insn->operands[first + 2], view);
    }
    bool uniform = address.shape.kind == SHAPE_UNIFORM;
    LLVMValueRef at = uniform ? emit_splat(e, address.base) : address_vector(e, &address);
    bool guarded = insn->guard >= 0;
    Skip skip = {0};
    if (guarded)
        skip = skip_if_none(e, mask);
    check_alignment(e, uniform ? address.base : at, aligned, mask);
    if (ir_space(insn) == MOD_none && e->layout->local_bytes &&
        !(o->reg >= 0 && is_local_address(e, o->reg, 0)))
        check_not_local(e, uniform ? address.base : at, mask);
    result = result && insn->operands[0].kind == OPND_reg &&
             e->flow->values.items[insn->operands[0].reg].used;
    if (result)
        a.results = emit_slot(e, emit_vec(a.bits), "old");
    if (!(e->failed) && !(reduce_first(e, &a, &address, v, mask))) {
        a.addresses = emit_slot(e, emit_vec(e->i64), "at");
        a.values = emit_slot(e, emit_vec(a.bits), "val");
        LLVMBuildStore(e->b, at, a.addresses);
        LLVMBuildStore(e->b, v, a.values);
        if (c) {
            a.compares = emit_slot(e, emit_vec(a.bits), "cmp");
            LLVMBuildStore(e->b, c, a.compares);
        }
        bool together = uniform && !a.shared && !e->by_lane;
        if (together)
            transaction(e, &a, address.base, mask);
        bool unroll = !together && a.shared && a.op != MOD_cas &&
                      (ir_type_info[a.type].class != TC_FLOAT || bits >= 32);
        LLVMBasicBlockRef done = NULL;
        if (unroll) { /* all lanes at once, without the loop's bookkeeping */
            LLVMBasicBlockRef full = append(e, "all_lanes"), some = append(e, "some_lanes");
            done = append(e, "atomics_done");
            LLVMValueRef is_full = LLVMBuildICmp(e->b, LLVMIntEQ, emit_mask_bits(e, mask),
                                                 emit_k32(e, 0xffffffffu), "");
            LLVMBuildCondBr(e->b, is_full, full, some);
            LLVMPositionBuilderAtEnd(e->b, full);
            for (unsigned lane = 0; lane < GK_WARP; ++lane) {
                LLVMValueRef one = LLVMBuildLoad2(
                    e->b, e->i64, element_pointer(e, e->i64, a.addresses, emit_k32(e, lane)), "");
                LLVMValueRef x = emit_is_uniform(e, s)
                                     ? emit_uniform(e, s, view)
                                     : LLVMBuildExtractElement(e->b, v, emit_k32(e, lane), "");
                LLVMValueRef old = atomic_step(e, &a, one, x, NULL);
                if (a.results)
                    LLVMBuildStore(e->b, old,
                                   element_pointer(e, a.bits, a.results, emit_k32(e, lane)));
            }
            LLVMBuildBr(e->b, done);
            LLVMPositionBuilderAtEnd(e->b, some);
        }
        if (!together)
            lane_loop(e, mask, 0, atomic_lane, &a);
        if (unroll) {
            LLVMBuildBr(e->b, done);
            LLVMPositionBuilderAtEnd(e->b, done);
        }
    }
    if (guarded) {
        LLVMBuildBr(e->b, skip.skip);
        LLVMPositionBuilderAtEnd(e->b, skip.skip);
    }
    if (result)
        emit_def(e, &insn->operands[0], index, view,
                 LLVMBuildLoad2(e->b, emit_vec(a.bits), a.results, ""));
}

/* Vectors are atomic element by element. */
static void atomic(Emitter *e, const IrInsn *insn, int first, bool result)
{
    const IrOperand *s = &insn->operands[first + 1];
    unsigned bytes = ir_type_bits((IrType)insn->types[0]) / 8, count = ir_count(s);
    for (unsigned k = 0; k < count; ++k) {
        IrInsn one = *insn;
        if (result)
            one.operands[0] = *ir_item(&insn->operands[0], k);
        one.operands[first].offset += (int64_t)k * bytes;
        one.operands[first + 1] = *ir_item(s, k);
        atomic_element(e, &one, first, result, k ? bytes : bytes * count, (int)k);
    }
}

void emit_op_atom(Emitter *e, const IrInsn *insn)
{
    atomic(e, insn, 1, true);
}

void emit_op_red(Emitter *e, const IrInsn *insn)
{
    atomic(e, insn, 0, false);
}

void emit_op_fence(Emitter *e, const IrInsn *insn)
{
    (void)insn;
    LLVMBuildFence(e->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}

void emit_op_prefetch(Emitter *e, const IrInsn *insn)
{
    (void)e, (void)insn; /* a hint */
}
