/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point arithmetic and comparison; the approximate functions are in approx.c. Sources: PTX ISA, "Floating Point Instructions", "Half
 * Precision Floating Point Instructions", "Comparison and Selection Instructions".
 *
 * Half types: add, sub and mul are done in f32 and rounded once more, which is exact because f32
 * carries more than twice their precision plus two bits; fma goes through f64 rounded to odd. */
#include "codegen/emit.h"
#include "codegen/float.h"

#include <string.h>

static IrType type0(const IrInsn *insn)
{
    return (IrType)insn->types[0];
}

static unsigned vector_length(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

LLVMTypeRef float_with(Emitter *e, LLVMTypeRef element, LLVMTypeRef like)
{
    (void)e;
    unsigned n = vector_length(like);
    return LLVMGetTypeKind(like) == LLVMVectorTypeKind ? LLVMVectorType(element, n) : element;
}

static LLVMTypeRef element_of(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

static LLVMTypeRef bits_type(Emitter *e, LLVMTypeRef t)
{
    LLVMTypeRef x = element_of(t);
    return float_with(e, x == e->f64 ? e->i64 : x == e->f32 ? e->i32 : e->i16, t);
}

static LLVMValueRef kb(Emitter *e, LLVMTypeRef t, uint64_t n)
{
    return emit_const(e, t, n);
}

LLVMValueRef float_intrinsic(Emitter *e, const char *name, LLVMValueRef *args, int count)
{
    LLVMTypeRef t = LLVMTypeOf(args[0]);
    return emit_intrinsic(e, name, &t, 1, args, count);
}

static LLVMValueRef f_abs(Emitter *e, LLVMValueRef v)
{
    return float_intrinsic(e, "llvm.fabs", &v, 1);
}

static LLVMValueRef flush_where(Emitter *e, LLVMValueRef v, LLVMValueRef small)
{
    LLVMTypeRef t = LLVMTypeOf(v), bt = bits_type(e, t);
    LLVMTypeRef x = element_of(t);
    uint64_t sign = x == e->f64 ? 1ull << 63 : x == e->f32 ? 0x80000000u : 0x8000u;
    LLVMValueRef zero = LLVMBuildAnd(e->b, LLVMBuildBitCast(e->b, v, bt, ""), kb(e, bt, sign), "");
    return LLVMBuildSelect(e->b, small, LLVMBuildBitCast(e->b, zero, t, ""), v, "ftz");
}

/* Subnormals become zeros of the same sign. */
LLVMValueRef float_flush(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    double least = element_of(t) == e->f32 ? 0x1p-126 : 0x1p-14;
    return flush_where(e, v,
                       LLVMBuildFCmp(e->b, LLVMRealOLT, f_abs(e, v), emit_real(e, t, least), ""));
}

/* The same for an f16 that was widened. */
static LLVMValueRef flush_wide_half(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef w = LLVMTypeOf(v);
    LLVMValueRef small =
        LLVMBuildFCmp(e->b, LLVMRealOLT, f_abs(e, v), emit_real(e, w, 0x1p-14), "");
    LLVMValueRef zero =
        float_intrinsic(e, "llvm.copysign", (LLVMValueRef[]){emit_real(e, w, 0), v}, 2);
    return LLVMBuildSelect(e->b, small, zero, v, "");
}

static LLVMValueRef saturate(Emitter *e, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef zero = emit_real(e, t, 0), one = emit_real(e, t, 1);
    LLVMValueRef positive = LLVMBuildFCmp(e->b, LLVMRealOGT, v, zero, ""); /* false for NaN */
    v = LLVMBuildSelect(e->b, positive, v, zero, "");
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealOGT, v, one, ""), one, v, "");
}

/* ---- half types ---- */

static bool is_bf16(IrType t)
{
    return t == TY_bf16 || t == TY_bf16x2;
}

static bool is_half(IrType t)
{
    return t == TY_f16 || t == TY_f16x2 || is_bf16(t);
}

static bool is_packed(IrType t)
{
    return t == TY_f16x2 || t == TY_bf16x2;
}

/* The value's elements as f32. */
LLVMValueRef float_widen(Emitter *e, LLVMValueRef v, IrType t)
{
    if (is_packed(t))
        v = emit_bitcast(
            e, v, LLVMVectorType(is_bf16(t) ? e->i16 : e->half, 2 * vector_length(LLVMTypeOf(v))));
    if (is_bf16(t)) {
        LLVMTypeRef w = float_with(e, e->i32, LLVMTypeOf(v));
        v = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, v, w, ""), kb(e, w, 16), "");
        return LLVMBuildBitCast(e->b, v, float_with(e, e->f32, w), "");
    }
    if (is_half(t))
        return LLVMBuildFPExt(e->b, v, float_with(e, e->f32, LLVMTypeOf(v)), "");
    return v;
}

/* f32 elements to the type, rounded as `round` says (RN by default), NaN canonical 0x7fff. */
LLVMValueRef float_narrow(Emitter *e, LLVMValueRef v, IrType t, unsigned round)
{
    if (!is_half(t))
        return v;
    LLVMTypeRef w = LLVMTypeOf(v), b32 = float_with(e, e->i32, w), b16 = float_with(e, e->i16, w);
    LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, ""), bits, r;
    if (is_bf16(t)) {
        bits = LLVMBuildBitCast(e->b, v, b32, "");
        LLVMValueRef odd =
            LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bits, kb(e, b32, 16), ""), kb(e, b32, 1), "");
        LLVMValueRef bias = LLVMBuildAdd(e->b, odd, kb(e, b32, 0x7fff), "");
        LLVMValueRef negative = LLVMBuildICmp(e->b, LLVMIntSLT, bits, kb(e, b32, 0), "");
        if (round == MOD_rz)
            bias = kb(e, b32, 0);
        else if (round == MOD_rm)
            bias = LLVMBuildSelect(e->b, negative, kb(e, b32, 0xffff), kb(e, b32, 0), "");
        else if (round == MOD_rp)
            bias = LLVMBuildSelect(e->b, negative, kb(e, b32, 0), kb(e, b32, 0xffff), "");
        r = LLVMBuildTrunc(
            e->b, LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, bits, bias, ""), kb(e, b32, 16), ""), b16,
            "");
        /* adding the bias to an infinity would make a NaN */
        LLVMValueRef inf =
            LLVMBuildFCmp(e->b, LLVMRealOEQ, f_abs(e, v), emit_real(e, w, __builtin_inf()), "");
        r = LLVMBuildSelect(
            e->b, inf, LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, bits, kb(e, b32, 16), ""), b16, ""),
            r, "");
    } else {
        LLVMTypeRef h = float_with(e, e->half, w);
        LLVMValueRef rn = LLVMBuildFPTrunc(e->b, v, h, "");
        r = LLVMBuildBitCast(e->b, rn, b16, "");
        if (round == MOD_rz || round == MOD_rm || round == MOD_rp)
            r = float_adjust(e, r, LLVMBuildFPExt(e->b, rn, w, ""), v, round, 0x8000);
    }
    r = LLVMBuildSelect(e->b, nan, kb(e, b16, 0x7fff), r, "");
    if (is_packed(t))
        return emit_bitcast(
            e, r, vector_length(w) == 2 ? e->i32 : LLVMVectorType(e->i32, vector_length(w) / 2));
    return is_bf16(t) ? r : LLVMBuildBitCast(e->b, r, float_with(e, e->half, w), "");
}

/* bits: a result rounded to nearest whose value is `back`; exact: the value before rounding (in a
 * wider format). Steps by one unit where the direction asks for it. */
LLVMValueRef float_adjust(Emitter *e, LLVMValueRef bits, LLVMValueRef back, LLVMValueRef exact,
                          unsigned round, uint64_t sign_bit)
{
    LLVMTypeRef t = LLVMTypeOf(bits);
    LLVMValueRef above = LLVMBuildFCmp(e->b, LLVMRealOGT, back, exact, "");
    LLVMValueRef below = LLVMBuildFCmp(e->b, LLVMRealOLT, back, exact, "");
    LLVMValueRef negative = LLVMBuildICmp(
        e->b, LLVMIntNE, LLVMBuildAnd(e->b, bits, kb(e, t, sign_bit), ""), kb(e, t, 0), "");
    LLVMValueRef positive = LLVMBuildNot(e->b, negative, "");
    LLVMValueRef up = LLVMBuildAdd(e->b, bits, kb(e, t, 1), ""); /* away from zero */
    LLVMValueRef down = LLVMBuildSub(e->b, bits, kb(e, t, 1), "");
    LLVMValueRef toward, away;
    if (round == MOD_rz) {
        toward = LLVMBuildOr(e->b, LLVMBuildAnd(e->b, above, positive, ""),
                             LLVMBuildAnd(e->b, below, negative, ""), "");
        return LLVMBuildSelect(e->b, toward, down, bits, "");
    }
    LLVMValueRef wrong = round == MOD_rm ? above : below;
    away = round == MOD_rm ? negative : positive; /* the step goes away from zero there */
    return LLVMBuildSelect(e->b, wrong, LLVMBuildSelect(e->b, away, up, down, ""), bits, "");
}

/* ---- directed rounding of f32 and f64 ---- */

LLVMValueRef float_slice(Emitter *e, LLVMValueRef v, unsigned at, unsigned count)
{
    LLVMValueRef index[64];
    for (unsigned i = 0; i < count; ++i)
        index[i] = LLVMConstInt(e->i32, at + i, false);
    return LLVMBuildShuffleVector(e->b, v, LLVMGetUndef(LLVMTypeOf(v)),
                                  LLVMConstVector(index, count), "");
}

LLVMValueRef float_concat(Emitter *e, LLVMValueRef *parts, unsigned count)
{
    while (count > 1) {
        for (unsigned i = 0; i < count / 2; ++i) {
            unsigned n = LLVMGetVectorSize(LLVMTypeOf(parts[2 * i]));
            LLVMValueRef index[256];
            for (unsigned k = 0; k < 2 * n; ++k)
                index[k] = LLVMConstInt(e->i32, k, false);
            parts[i] = LLVMBuildShuffleVector(e->b, parts[2 * i], parts[2 * i + 1],
                                              LLVMConstVector(index, 2 * n), "");
        }
        count /= 2;
    }
    return parts[0];
}

static const char *const op_names[] = {"add", "sub", "mul", "div", "fma", "sqrt"};

static LLVMValueRef plain(Emitter *e, FloatOp op, LLVMValueRef *x)
{
    switch (op) {
    case FLOAT_ADD:
        return LLVMBuildFAdd(e->b, x[0], x[1], "");
    case FLOAT_SUB:
        return LLVMBuildFSub(e->b, x[0], x[1], "");
    case FLOAT_MUL:
        return LLVMBuildFMul(e->b, x[0], x[1], "");
    case FLOAT_DIV:
        return LLVMBuildFDiv(e->b, x[0], x[1], "");
    case FLOAT_FMA:
        return float_intrinsic(e, "llvm.fma", x, 3);
    default:
        return float_intrinsic(e, "llvm.sqrt", x, 1);
    }
}

/* Sets the processor's rounding: MXCSR of x86-64, FPCR of AArch64. Gives what rounding_end needs. */
#if defined(__aarch64__)
static LLVMValueRef rounding_begin(Emitter *e, unsigned round)
{
    LLVMValueRef old = emit_intrinsic(e, "llvm.aarch64.get.fpcr", NULL, 0, NULL, 0);
    uint64_t mode = round == MOD_rz ? 3 : round == MOD_rm ? 2 : round == MOD_rp ? 1 : 0;
    LLVMValueRef rest =
        LLVMBuildAnd(e->b, old, LLVMConstInt(e->i64, ~(UINT64_C(3) << 22), false), "");
    LLVMValueRef set = LLVMBuildOr(e->b, rest, LLVMConstInt(e->i64, mode << 22, false), "");
    emit_intrinsic(e, "llvm.aarch64.set.fpcr", NULL, 0, &set, 1);
    return old;
}

static void rounding_end(Emitter *e, LLVMValueRef saved)
{
    emit_intrinsic(e, "llvm.aarch64.set.fpcr", NULL, 0, &saved, 1);
}
#else
static LLVMValueRef rounding_begin(Emitter *e, unsigned round)
{
    LLVMValueRef save = LLVMBuildAlloca(e->b, e->i32, ""), set = LLVMBuildAlloca(e->b, e->i32, "");
    emit_intrinsic(e, "llvm.x86.sse.stmxcsr", NULL, 0, &save, 1);
    uint64_t mode = round == MOD_rz   ? 0x6000
                    : round == MOD_rm ? 0x2000
                    : round == MOD_rp ? 0x4000
                                      : 0;
    LLVMValueRef old = LLVMBuildLoad2(e->b, e->i32, save, "");
    LLVMValueRef rest = LLVMBuildAnd(e->b, old, LLVMConstInt(e->i32, 0x9fff, false), "");
    LLVMBuildStore(e->b, LLVMBuildOr(e->b, rest, LLVMConstInt(e->i32, mode, false), ""), set);
    emit_intrinsic(e, "llvm.x86.sse.ldmxcsr", NULL, 0, &set, 1);
    return save;
}

static void rounding_end(Emitter *e, LLVMValueRef saved)
{
    emit_intrinsic(e, "llvm.x86.sse.ldmxcsr", NULL, 0, &saved, 1);
}
#endif

/* A function of its own that sets the rounding mode of the SSE unit around one operation: strict
 * floating point, so that LLVM moves nothing across. */
static LLVMValueRef rounding_function(Emitter *e, FloatOp op, LLVMTypeRef t, unsigned round,
                                      int args)
{
    char name[64];
    unsigned n = vector_length(t);
    snprintf(name, sizeof name, "round.%s.%s.%u.%u", op_names[op],
             element_of(t) == e->f64 ? "f64" : "f32", n, round);
    LLVMValueRef fn = LLVMGetNamedFunction(e->mod, name);
    if (fn)
        return fn;
    /* results and operands by reference: no vector calling convention is needed */
    LLVMTypeRef by_pointer[4] = {e->ptr, e->ptr, e->ptr, e->ptr};
    fn = LLVMAddFunction(e->mod, name, LLVMFunctionType(e->none, by_pointer, 4, false));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    static const char *const attributes[] = {"strictfp", "noinline"};
    for (int k = 0; k < 2; ++k)
        LLVMAddAttributeAtIndex(
            fn, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(
                e->cx, LLVMGetEnumAttributeKindForName(attributes[k], strlen(attributes[k])), 0));
    LLVMBasicBlockRef back = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderAtEnd(e->b, LLVMAppendBasicBlockInContext(e->cx, fn, "entry"));
    LLVMValueRef x[3];
    for (int k = 0; k < args; ++k)
        x[k] = LLVMBuildLoad2(e->b, t, LLVMGetParam(fn, (unsigned)k + 1), "");
    LLVMValueRef saved = rounding_begin(e, round);
    char intrinsic[64];
    snprintf(intrinsic, sizeof intrinsic, "llvm.experimental.constrained.%s%s",
             op == FLOAT_FMA || op == FLOAT_SQRT ? "" : "f", op_names[op]);
    LLVMValueRef all[5];
    int count = 0;
    for (; count < args; ++count)
        all[count] = x[count];
    all[count++] = LLVMMetadataAsValue(e->cx, LLVMMDStringInContext2(e->cx, "round.dynamic", 13));
    all[count++] = LLVMMetadataAsValue(e->cx, LLVMMDStringInContext2(e->cx, "fpexcept.strict", 15));
    LLVMValueRef r = emit_intrinsic(e, intrinsic, &t, 1, all, count);
    LLVMBuildStore(e->b, r, LLVMGetParam(fn, 0));
    rounding_end(e, saved);
    LLVMBuildRetVoid(e->b);
    LLVMPositionBuilderAtEnd(e->b, back);
    return fn;
}

static LLVMValueRef directed(Emitter *e, FloatOp op, LLVMValueRef *x, int args, unsigned round)
{
    LLVMTypeRef t = LLVMTypeOf(x[0]);
    unsigned n = vector_length(t);
    bool is64 = element_of(t) == e->f64;
    if ((e->features & EMIT_AVX512) && n >= (is64 ? 8u : 16u)) {
        unsigned width = is64 ? 8 : 16, parts = n / width;
        LLVMValueRef out[16];
        char name[64];
        snprintf(name, sizeof name, "llvm.x86.avx512.%s.p%c.512",
                 op == FLOAT_FMA ? "vfmadd" : op_names[op], is64 ? 'd' : 's');
        uint64_t imm = round == MOD_rz ? 11 : round == MOD_rm ? 9 : 10;
        for (unsigned p = 0; p < parts; ++p) {
            LLVMValueRef a[4];
            int k = 0;
            for (; k < args; ++k)
                a[k] = float_slice(e, x[k], p * width, width);
            a[k++] = LLVMConstInt(e->i32, imm, false);
            out[p] = emit_intrinsic(e, name, NULL, 0, a, k);
        }
        return float_concat(e, out, parts);
    }
    LLVMValueRef fn = rounding_function(e, op, t, round, args);
    LLVMValueRef slots[4];
    slots[0] = emit_slot(e, t, "round");
    for (int k = 0; k < 3; ++k) {
        slots[k + 1] = k < args ? emit_slot(e, t, "round") : LLVMConstNull(e->ptr);
        if (k < args)
            LLVMBuildStore(e->b, x[k], slots[k + 1]);
    }
    LLVMTypeRef by_pointer[4] = {e->ptr, e->ptr, e->ptr, e->ptr};
    LLVMBuildCall2(e->b, LLVMFunctionType(e->none, by_pointer, 4, false), fn, slots, 4, "");
    return LLVMBuildLoad2(e->b, t, slots[0], "");
}

/* Without such roundings: the sum in f64 rounded to odd, then in f32. */
static LLVMValueRef to_odd(Emitter *e, LLVMValueRef s, LLVMValueRef inexact, LLVMValueRef too_big)
{
    LLVMTypeRef t = bits_type(e, LLVMTypeOf(s));
    LLVMValueRef bits = LLVMBuildBitCast(e->b, s, t, "");
    LLVMValueRef even =
        LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildAnd(e->b, bits, kb(e, t, 1), ""), kb(e, t, 0), "");
    LLVMValueRef step = LLVMBuildSelect(e->b, too_big, LLVMBuildSub(e->b, bits, kb(e, t, 1), ""),
                                        LLVMBuildAdd(e->b, bits, kb(e, t, 1), ""), "");
    LLVMValueRef go = LLVMBuildAnd(e->b, inexact, even, "");
    return LLVMBuildBitCast(e->b, LLVMBuildSelect(e->b, go, step, bits, ""), LLVMTypeOf(s), "");
}

LLVMValueRef float_double_to_single_odd(Emitter *e, LLVMValueRef d)
{
    LLVMTypeRef single = float_with(e, e->f32, LLVMTypeOf(d));
    LLVMValueRef s = LLVMBuildFPTrunc(e->b, d, single, "");
    LLVMValueRef back = LLVMBuildFPExt(e->b, s, LLVMTypeOf(d), "");
    LLVMValueRef inexact = LLVMBuildFCmp(e->b, LLVMRealONE, back, d, "");
    LLVMValueRef big = LLVMBuildFCmp(e->b, LLVMRealOGT, f_abs(e, back), f_abs(e, d), "");
    return to_odd(e, s, inexact, big);
}

/* a*b+c of half types in f32 rounded to odd: of the sums rounded down and up, the odd one. */
static LLVMValueRef half_fma(Emitter *e, LLVMValueRef *x)
{
    LLVMTypeRef t = LLVMTypeOf(x[0]);
    if ((e->features & EMIT_AVX512) && vector_length(t) >= 16) {
        LLVMValueRef down = directed(e, FLOAT_FMA, x, 3, MOD_rm),
                     up = directed(e, FLOAT_FMA, x, 3, MOD_rp);
        LLVMTypeRef word = bits_type(e, t);
        LLVMValueRef last =
            LLVMBuildAnd(e->b, LLVMBuildBitCast(e->b, down, word, ""), kb(e, word, 1), "");
        return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntNE, last, kb(e, word, 0), ""), down,
                               up, "");
    }
    LLVMTypeRef wide = float_with(e, e->f64, t);
    LLVMValueRef a = LLVMBuildFPExt(e->b, x[0], wide, ""), b = LLVMBuildFPExt(e->b, x[1], wide, "");
    LLVMValueRef c = LLVMBuildFPExt(e->b, x[2], wide, "");
    LLVMValueRef p = LLVMBuildFMul(e->b, a, b, ""); /* exact */
    LLVMValueRef s = LLVMBuildFAdd(e->b, p, c, "");
    /* error of the sum (Knuth) */
    LLVMValueRef pp = LLVMBuildFSub(e->b, s, c, ""), cc = LLVMBuildFSub(e->b, s, pp, "");
    LLVMValueRef err =
        LLVMBuildFAdd(e->b, LLVMBuildFSub(e->b, p, pp, ""), LLVMBuildFSub(e->b, c, cc, ""), "");
    LLVMValueRef zero = emit_real(e, wide, 0);
    LLVMValueRef inexact = LLVMBuildFCmp(e->b, LLVMRealONE, err, zero, "");
    LLVMValueRef positive = LLVMBuildFCmp(e->b, LLVMRealOGT, s, zero, "");
    LLVMValueRef err_positive = LLVMBuildFCmp(e->b, LLVMRealOGT, err, zero, "");
    LLVMValueRef big =
        LLVMBuildXor(e->b, positive, err_positive, ""); /* the true value is nearer to zero */
    return float_double_to_single_odd(e, to_odd(e, s, inexact, big));
}

LLVMValueRef float_arith(Emitter *e, FloatOp op, LLVMValueRef *x, int args, unsigned round)
{
    bool nearest = round != MOD_rz && round != MOD_rm && round != MOD_rp;
    return nearest ? plain(e, op, x) : directed(e, op, x, args, round);
}

/* .ftz looks at the exact result: one that only rounding lifts to the least normal number is
 * flushed all the same (seen on the hardware). Such results are rare: a branch of their own. */
static LLVMValueRef flush_result(Emitter *e, FloatOp op, LLVMValueRef *x, int args, LLVMValueRef r)
{
    LLVMTypeRef t = LLVMTypeOf(r);
    LLVMValueRef least = emit_real(e, t, 0x1p-126), magnitude = f_abs(e, r);
    LLVMValueRef small = LLVMBuildFCmp(e->b, LLVMRealOLT, magnitude, least, "");
    if (op != FLOAT_MUL && op != FLOAT_FMA && op != FLOAT_DIV)
        return flush_where(e, r, small);
    LLVMValueRef edge = LLVMBuildFCmp(e->b, LLVMRealOEQ, magnitude, least, "");
    LLVMValueRef any = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? emit_any(e, edge) : edge;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b),
                      slow = LLVMAppendBasicBlockInContext(e->cx, e->fn, "edge");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(e->cx, e->fn, "flush");
    LLVMBuildCondBr(e->b, any, slow, on);
    LLVMPositionBuilderAtEnd(e->b, slow);
    LLVMValueRef down = directed(e, op, x, args, MOD_rz);
    LLVMValueRef tiny = LLVMBuildFCmp(e->b, LLVMRealOLT, f_abs(e, down), least, "");
    tiny = LLVMBuildOr(e->b, small, LLVMBuildAnd(e->b, edge, tiny, ""), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, on);
    LLVMPositionBuilderAtEnd(e->b, on);
    LLVMValueRef where = LLVMBuildPhi(e->b, LLVMTypeOf(small), "");
    LLVMAddIncoming(where, (LLVMValueRef[]){small, tiny}, (LLVMBasicBlockRef[]){from, end}, 2);
    return flush_where(e, r, where);
}

/* Every lane divided by the same number: one reciprocal and two steps that each correct the quotient by
 * its exact remainder. The first leaves it within one place of the last, from where the second rounds as
 * division does (Markstein, "Computation of elementary functions on the IBM RISC System/6000", 1990).
 * Holds where nothing on the way can overflow or lose bits; other operands are divided. */
static LLVMValueRef divide_by_one(Emitter *e, LLVMValueRef *x)
{
    LLVMTypeRef t = LLVMTypeOf(x[0]), element = element_of(t);
    bool is_double = element == e->f64;
    LLVMTypeRef bits = is_double ? e->i64 : e->i32;
    uint64_t least = is_double ? (uint64_t)(1023 - 400) << 53 : (uint64_t)(127 - 50) << 24;
    uint64_t range = is_double ? (uint64_t)800 << 53 : (uint64_t)100 << 24;
    LLVMValueRef divisor = LLVMBuildExtractElement(e->b, x[1], emit_k32(e, 0), ""), odd[2];
    for (int k = 0; k < 2; ++k) {
        LLVMValueRef v = k ? divisor : x[0];
        LLVMTypeRef i = k ? bits : emit_vec(bits);
        v = LLVMBuildShl(e->b, LLVMBuildBitCast(e->b, v, i, ""), emit_const(e, i, 1), "");
        v = LLVMBuildSub(e->b, v, emit_const(e, i, least), "");
        odd[k] = LLVMBuildICmp(e->b, LLVMIntUGT, v, emit_const(e, i, range), "");
    }
    LLVMValueRef any = emit_any(e, LLVMBuildAnd(e->b, odd[0], e->mask, ""));
    any = LLVMBuildOr(e->b, any, odd[1], "");
    LLVMValueRef y = emit_splat(e, LLVMBuildFDiv(e->b, LLVMConstReal(element, 1), divisor, ""));
    LLVMValueRef minus = emit_splat(e, LLVMBuildFNeg(e->b, divisor, ""));
    LLVMBasicBlockRef slow = LLVMAppendBasicBlockInContext(e->cx, e->fn, "divide"),
                      fast = LLVMAppendBasicBlockInContext(e->cx, e->fn, "multiply"),
                      done = LLVMAppendBasicBlockInContext(e->cx, e->fn, "divided");
    LLVMBuildCondBr(e->b, any, slow, fast);
    LLVMPositionBuilderAtEnd(e->b, slow);
    LLVMValueRef q[2] = {LLVMBuildFDiv(e->b, x[0], x[1], ""), NULL};
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, fast);
    q[1] = LLVMBuildFMul(e->b, x[0], y, "");
    for (int k = 0; k < 2; ++k) {
        LLVMValueRef remainder =
            float_intrinsic(e, "llvm.fma", (LLVMValueRef[]){q[1], minus, x[0]}, 3);
        q[1] = float_intrinsic(e, "llvm.fma", (LLVMValueRef[]){remainder, y, q[1]}, 3);
    }
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    LLVMValueRef out = LLVMBuildPhi(e->b, t, "");
    LLVMAddIncoming(out, q, (LLVMBasicBlockRef[]){slow, fast}, 2);
    return out;
}

static bool divides_by_one(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    unsigned round = insn->mod[MC_RND];
    return (t == TY_f32 || t == TY_f64) && e->lanes == GK_WARP && (e->features & EMIT_AVX2) &&
           round != MOD_rz && round != MOD_rm && round != MOD_rp &&
           emit_is_uniform(e, &insn->operands[2]);
}

static void arithmetic(Emitter *e, const IrInsn *insn, FloatOp op, int args)
{
    IrType t = type0(insn);
    bool ftz = insn->mod[MC_FTZ];
    LLVMValueRef x[3], r;
    for (int k = 0; k < args; ++k) {
        x[k] = float_widen(e, emit_src(e, 1 + k, t), t);
        if (ftz) {
            if (t == TY_f32)
                x[k] = float_flush(e, x[k]);
            else if (is_half(t) && !is_bf16(t))
                x[k] = flush_wide_half(e, x[k]);
        }
    }
    if (op == FLOAT_FMA && is_half(t))
        r = half_fma(e, x);
    else if (op == FLOAT_DIV && divides_by_one(e, insn))
        r = divide_by_one(e, x);
    else
        r = float_arith(e, op, x, args, insn->mod[MC_RND]);
    if (is_half(t)) {
        if (ftz && !is_bf16(t))
            r = flush_wide_half(e, r); /* before rounding, as for f32 */
        if (insn->mod[MC_SAT])
            r = saturate(e, r);
        LLVMValueRef h = float_narrow(e, r, t, 0);
        if (insn->mod[MC_RELU]) {
            LLVMValueRef w = float_widen(e, h, t);
            LLVMValueRef keep =
                LLVMBuildFCmp(e->b, LLVMRealUGT, w, emit_real(e, LLVMTypeOf(w), 0), "");
            w = LLVMBuildSelect(e->b, keep, w, emit_real(e, LLVMTypeOf(w), 0), "");
            h = float_narrow(e, w, t, 0);
        }
        emit_def0(e, t, h);
        return;
    }
    if (ftz)
        r = flush_result(e, op, x, args, r);
    if (insn->mod[MC_SAT])
        r = saturate(e, r);
    emit_def0(e, t, r);
}

void emit_op_add_float(Emitter *e, const IrInsn *insn)
{
    arithmetic(e, insn, FLOAT_ADD, 2);
}

void emit_op_sub_float(Emitter *e, const IrInsn *insn)
{
    arithmetic(e, insn, FLOAT_SUB, 2);
}

void emit_op_mul_float(Emitter *e, const IrInsn *insn)
{
    arithmetic(e, insn, FLOAT_MUL, 2);
}

void emit_op_fma(Emitter *e, const IrInsn *insn)
{
    arithmetic(e, insn, FLOAT_FMA, 3);
}

void emit_op_div_float(Emitter *e, const IrInsn *insn)
{
    if (insn->mod[MC_APPROX])
        emit_op_div_approx(e, insn);
    else
        arithmetic(e, insn, FLOAT_DIV, 2);
}

/* neg and abs of f64 leave a NaN as it is, but quiet (seen on the hardware). */
static LLVMValueRef keep_nan(Emitter *e, const IrInsn *insn, LLVMValueRef v, LLVMValueRef bits)
{
    const ValueState *s = &e->values[insn->operands[0].reg];
    if (type0(insn) != TY_f64 || !(insn->op == OP_neg_f ? s->sign_seen : s->bits_seen))
        return bits;
    LLVMTypeRef bt = LLVMTypeOf(bits);
    LLVMValueRef quiet = LLVMBuildOr(e->b, emit_bitcast(e, v, bt), kb(e, bt, 1ull << 51), "");
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, ""), quiet, bits, "");
}

void emit_op_abs_float(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef v = emit_src(e, 1, t);
    if (insn->mod[MC_FTZ] && t == TY_f32)
        v = float_flush(e, v);
    LLVMTypeRef bt = emit_int_type(e, (int)ir_type_bits(t));
    uint64_t mask = t == TY_f64    ? ~0ull >> 1
                    : t == TY_f32  ? 0x7fffffff
                    : is_packed(t) ? 0x7fff7fff
                                   : 0x7fff;
    LLVMValueRef bits = LLVMBuildAnd(e->b, emit_bitcast(e, v, bt), kb(e, bt, mask), "");
    bits = keep_nan(e, insn, v, bits);
    emit_def0(e, t, emit_bitcast(e, bits, LLVMTypeOf(v)));
}

void emit_op_neg_float(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef v = emit_src(e, 1, t);
    if (insn->mod[MC_FTZ] && t == TY_f32)
        v = float_flush(e, v);
    LLVMTypeRef bt = emit_int_type(e, (int)ir_type_bits(t));
    uint64_t mask = t == TY_f64    ? 1ull << 63
                    : t == TY_f32  ? 0x80000000u
                    : is_packed(t) ? 0x80008000u
                                   : 0x8000;
    LLVMValueRef bits = LLVMBuildXor(e->b, emit_bitcast(e, v, bt), kb(e, bt, mask), "");
    bits = keep_nan(e, insn, v, bits);
    if (is_packed(t)) { /* packed halves give the canonical NaN (seen on the hardware) */
        LLVMValueRef w = float_widen(e, v, t);
        LLVMTypeRef halves = float_with(e, e->i16, LLVMTypeOf(w));
        LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, w, w, "");
        LLVMValueRef h = LLVMBuildBitCast(e->b, bits, halves, "");
        bits = emit_bitcast(e, LLVMBuildSelect(e->b, nan, kb(e, halves, 0x7fff), h, ""), bt);
    }
    emit_def0(e, t, emit_bitcast(e, bits, LLVMTypeOf(v)));
}

void emit_op_copysign(Emitter *e, const IrInsn *insn)
{
    /* the sign of the first operand, the magnitude of the second */
    IrType t = type0(insn);
    LLVMValueRef x[2] = {emit_src_exact(e, 2, t), emit_src_exact(e, 1, t)};
    emit_def0(e, t, float_intrinsic(e, "llvm.copysign", x, 2));
}

void emit_op_minmax_float(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    bool max = insn->op == OP_max_f;
    int sources = insn->operand_count > 3 && insn->operands[3].kind != OPND_none ? 3 : 2;
    LLVMValueRef r = NULL;
    for (int k = 0; k < sources; ++k) {
        LLVMValueRef b =
            insn->mod[MC_XORSIGN] ? emit_src_exact(e, 1 + k, t) : emit_src(e, 1 + k, t);
        b = float_widen(e, b, t);
        if (insn->mod[MC_FTZ])
            b = t == TY_f32 ? float_flush(e, b) : flush_wide_half(e, b);
        if (!r) {
            r = b;
            continue;
        }
        LLVMTypeRef ft = LLVMTypeOf(b), bt = bits_type(e, ft);
        LLVMValueRef a = r, sign = NULL;
        if (insn->mod[MC_XORSIGN]) {
            uint64_t top = element_of(ft) == e->f64 ? 1ull << 63 : 0x80000000u;
            sign = LLVMBuildAnd(e->b,
                                LLVMBuildXor(e->b, LLVMBuildBitCast(e->b, a, bt, ""),
                                             LLVMBuildBitCast(e->b, b, bt, ""), ""),
                                kb(e, bt, top), "");
            a = f_abs(e, a);
            b = f_abs(e, b);
        }
        LLVMValueRef first = LLVMBuildFCmp(e->b, max ? LLVMRealOGT : LLVMRealOLT, a, b, "");
        LLVMValueRef x = LLVMBuildSelect(e->b, first, a, b, "");
        LLVMValueRef a_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, a, a, ""),
                     b_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, b, b, "");
        x = LLVMBuildSelect(e->b, b_nan, a, x, "");
        if (insn->mod[MC_NAN])
            x = LLVMBuildSelect(e->b, a_nan, a, LLVMBuildSelect(e->b, b_nan, b, x, ""), "");
        /* -0 is less than +0 */
        LLVMValueRef same = LLVMBuildFCmp(e->b, LLVMRealOEQ, a, b, "");
        LLVMValueRef ab = LLVMBuildBitCast(e->b, a, bt, ""), bb = LLVMBuildBitCast(e->b, b, bt, "");
        LLVMValueRef z = max ? LLVMBuildAnd(e->b, ab, bb, "") : LLVMBuildOr(e->b, ab, bb, "");
        x = LLVMBuildSelect(e->b, same, LLVMBuildBitCast(e->b, z, ft, ""), x, "");
        if (sign)
            x = LLVMBuildBitCast(
                e->b, LLVMBuildOr(e->b, LLVMBuildBitCast(e->b, x, bt, ""), sign, ""), ft, "");
        r = x;
    }
    emit_def0(e, t, float_narrow(e, r, t, 0));
}

void emit_op_testp(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    LLVMValueRef v = emit_src(e, 1, t), a = f_abs(e, v), r;
    LLVMTypeRef ft = LLVMTypeOf(v);
    LLVMValueRef inf = emit_real(e, ft, __builtin_inf()),
                 least = emit_real(e, ft, t == TY_f64 ? 0x1p-1022 : 0x1p-126);
    switch (insn->mod[MC_TESTP]) {
    case MOD_finite:
        r = LLVMBuildFCmp(e->b, LLVMRealOLT, a, inf, "");
        break;
    case MOD_infinite:
        r = LLVMBuildFCmp(e->b, LLVMRealOEQ, a, inf, "");
        break;
    case MOD_number:
        r = LLVMBuildFCmp(e->b, LLVMRealORD, v, v, "");
        break;
    case MOD_notanumber:
        r = LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, "");
        break;
    case MOD_normal: /* zero counts as normal. Source: PTX ISA, testp */
        r = LLVMBuildAnd(e->b, LLVMBuildFCmp(e->b, LLVMRealOGE, a, least, ""),
                         LLVMBuildFCmp(e->b, LLVMRealOLT, a, inf, ""), "");
        r = LLVMBuildOr(e->b, r, LLVMBuildFCmp(e->b, LLVMRealOEQ, v, emit_real(e, ft, 0), ""), "");
        break;
    default:
        r = LLVMBuildAnd(e->b, LLVMBuildFCmp(e->b, LLVMRealOLT, a, least, ""),
                         LLVMBuildFCmp(e->b, LLVMRealONE, v, emit_real(e, ft, 0), ""), "");
    }
    emit_def0(e, TY_pred, r);
}

/* ---- comparison ---- */

static LLVMValueRef compare(Emitter *e, const IrInsn *insn, IrType t, LLVMValueRef a,
                            LLVMValueRef b)
{
    unsigned c = insn->mod[MC_CMP];
    if (ir_type_info[t].class == TC_FLOAT) {
        LLVMRealPredicate p = LLVMRealPredicateFalse;
        switch (c) {
        case MOD_eq:
            p = LLVMRealOEQ;
            break;
        case MOD_ne:
            p = LLVMRealONE;
            break;
        case MOD_lt:
            p = LLVMRealOLT;
            break;
        case MOD_le:
            p = LLVMRealOLE;
            break;
        case MOD_gt:
            p = LLVMRealOGT;
            break;
        case MOD_ge:
            p = LLVMRealOGE;
            break;
        case MOD_equ:
            p = LLVMRealUEQ;
            break;
        case MOD_neu:
            p = LLVMRealUNE;
            break;
        case MOD_ltu:
            p = LLVMRealULT;
            break;
        case MOD_leu:
            p = LLVMRealULE;
            break;
        case MOD_gtu:
            p = LLVMRealUGT;
            break;
        case MOD_geu:
            p = LLVMRealUGE;
            break;
        case MOD_num:
            p = LLVMRealORD;
            break;
        case MOD_nan_:
            p = LLVMRealUNO;
            break;
        default:
            emit_error(e, "comparison .%s does not fit floating point", ir_mod_info[c].text);
        }
        a = float_widen(e, a, t);
        b = float_widen(e, b, t);
        if (insn->mod[MC_FTZ] && t == TY_f32)
            a = float_flush(e, a), b = float_flush(e, b);
        return LLVMBuildFCmp(e->b, p, a, b, "");
    }
    bool s = ir_type_info[t].class == TC_SIGNED;
    LLVMIntPredicate p = LLVMIntEQ;
    switch (c) {
    case MOD_eq:
        p = LLVMIntEQ;
        break;
    case MOD_ne:
        p = LLVMIntNE;
        break;
    case MOD_lt:
        p = s ? LLVMIntSLT : LLVMIntULT;
        break;
    case MOD_le:
        p = s ? LLVMIntSLE : LLVMIntULE;
        break;
    case MOD_gt:
        p = s ? LLVMIntSGT : LLVMIntUGT;
        break;
    case MOD_ge:
        p = s ? LLVMIntSGE : LLVMIntUGE;
        break;
    case MOD_lo_:
        p = LLVMIntULT;
        break;
    case MOD_ls:
        p = LLVMIntULE;
        break;
    case MOD_hi_:
        p = LLVMIntUGT;
        break;
    case MOD_hs:
        p = LLVMIntUGE;
        break;
    default:
        emit_error(e, "comparison .%s does not fit integers", ir_mod_info[c].text);
    }
    return LLVMBuildICmp(e->b, p, a, b, "");
}

static LLVMValueRef combine(Emitter *e, const IrInsn *insn, LLVMValueRef p, int operand)
{
    if (!insn->mod[MC_BOOL])
        return p;
    LLVMValueRef c = emit_src(e, operand, TY_pred);
    switch (insn->mod[MC_BOOL]) {
    case MOD_and:
        return LLVMBuildAnd(e->b, p, c, "");
    case MOD_or:
        return LLVMBuildOr(e->b, p, c, "");
    default:
        return LLVMBuildXor(e->b, p, c, "");
    }
}

void emit_op_setp(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn);
    if (is_packed(t)) { /* p for the low half, q for the high half */
        LLVMValueRef a = float_widen(e, emit_src(e, 2, t), t),
                     b = float_widen(e, emit_src(e, 3, t), t);
        IrInsn plain_insn = *insn;
        LLVMValueRef both = compare(e, &plain_insn, TY_f32, a, b);
        unsigned n = vector_length(LLVMTypeOf(both)) / 2;
        for (unsigned h = 0; h < 2; ++h) {
            LLVMValueRef index[GK_WARP], p;
            for (unsigned i = 0; i < n; ++i)
                index[i] = LLVMConstInt(e->i32, 2 * i + h, false);
            if (n > 1)
                p = LLVMBuildShuffleVector(e->b, both, LLVMGetUndef(LLVMTypeOf(both)),
                                           LLVMConstVector(index, n), "");
            else
                p = LLVMBuildExtractElement(e->b, both, index[0], "");
            emit_def(e, &insn->operands[h], (int)h, TY_pred, combine(e, insn, p, 4));
        }
        return;
    }
    LLVMValueRef p = compare(e, insn, t, emit_src(e, 2, t), emit_src(e, 3, t));
    LLVMValueRef q = insn->operands[1].kind == OPND_reg ? LLVMBuildNot(e->b, p, "") : NULL;
    p = combine(e, insn, p, 4);
    if (q)
        q = combine(e, insn, q, 4);
    emit_def(e, &insn->operands[0], 0, TY_pred, p);
    if (q)
        emit_def(e, &insn->operands[1], 1, TY_pred, q);
}

void emit_op_set(Emitter *e, const IrInsn *insn)
{
    IrType d = type0(insn), t = (IrType)insn->types[1];
    if (is_packed(t)) {
        LLVMValueRef a = float_widen(e, emit_src(e, 1, t), t),
                     b = float_widen(e, emit_src(e, 2, t), t);
        LLVMValueRef p = compare(e, insn, TY_f32, a, b);
        LLVMTypeRef h = float_with(e, e->i16, LLVMTypeOf(p));
        uint64_t yes = ir_type_info[d].class == TC_FLOAT ? (is_bf16(d) ? 0x3f80 : 0x3c00) : 0xffff;
        LLVMValueRef r = LLVMBuildSelect(e->b, p, kb(e, h, yes), kb(e, h, 0), "");
        emit_def0(e, TY_b32, emit_bitcast(e, r, emit_int_type(e, 32)));
        return;
    }
    LLVMValueRef p = combine(e, insn, compare(e, insn, t, emit_src(e, 1, t), emit_src(e, 2, t)), 3);
    LLVMTypeRef bt = emit_int_type(e, (int)ir_type_bits(d));
    uint64_t yes = d == TY_f32 ? 0x3f800000u : d == TY_f16 ? 0x3c00 : d == TY_bf16 ? 0x3f80 : ~0ull;
    LLVMValueRef r = LLVMBuildSelect(e->b, p, kb(e, bt, yes), kb(e, bt, 0), "");
    emit_def0(e, d, r);
}

void emit_op_slct(Emitter *e, const IrInsn *insn)
{
    IrType t = type0(insn), ct = (IrType)insn->types[1];
    LLVMValueRef a = emit_choice(e, 1, t), b = emit_choice(e, 2, t), c = emit_src(e, 3, ct), p;
    if (ct == TY_f32) {
        if (insn->mod[MC_FTZ])
            c = float_flush(e, c);
        p = LLVMBuildFCmp(e->b, LLVMRealOGE, c, emit_real(e, LLVMTypeOf(c), 0), "");
    } else {
        p = LLVMBuildICmp(e->b, LLVMIntSGE, c, LLVMConstNull(LLVMTypeOf(c)), "");
    }
    emit_def0(e, t, LLVMBuildSelect(e->b, p, a, b, ""));
}
