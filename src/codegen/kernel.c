/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel: the LLVM module with its warp function, the block function around it and the
 * descriptor `gpukit_kernel` (launch/abi.h). */
#include "codegen/emit.h"

#include "analysis/inline.h"

#include <stdlib.h>
#include <string.h>

static void set_types(Emitter *e)
{
    e->i1 = LLVMInt1TypeInContext(e->cx);
    e->i8 = LLVMInt8TypeInContext(e->cx);
    e->i16 = LLVMInt16TypeInContext(e->cx);
    e->i32 = LLVMInt32TypeInContext(e->cx);
    e->i64 = LLVMInt64TypeInContext(e->cx);
    e->i128 = LLVMInt128TypeInContext(e->cx);
    e->half = LLVMHalfTypeInContext(e->cx);
    e->f32 = LLVMFloatTypeInContext(e->cx);
    e->f64 = LLVMDoubleTypeInContext(e->cx);
    e->ptr = LLVMPointerTypeInContext(e->cx, 0);
    e->none = LLVMVoidTypeInContext(e->cx);
}

static void add_attribute(Emitter *e, LLVMValueRef fn, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->cx, kind, 0));
}

static void add_string_attribute(Emitter *e, LLVMValueRef fn, const char *key, const char *value)
{
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(e->cx, key, (unsigned)strlen(key), value,
                                                      (unsigned)strlen(value)));
}

/* Spilled vectors must not lie across lines: without this LLVM takes the stack as it comes. */
static void align_stack(Emitter *e, LLVMValueRef fn)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("alignstack", strlen("alignstack"));
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->cx, kind, 64));
}

static void find_live_lanes(Emitter *e)
{
    const uint32_t *n = e->flow->config.ntid;
    LLVMTypeRef mask = LLVMVectorType(e->i1, GK_WARP);
    if (e->by_lane) { /* the first place stands for the one lane */
        LLVMValueRef bits[GK_WARP];
        for (int i = 0; i < GK_WARP; ++i)
            bits[i] = LLVMConstInt(e->i1, i == 0, false);
        e->entry_mask = LLVMConstVector(bits, GK_WARP);
        return;
    }
    uint64_t threads = (uint64_t)n[0] * n[1] * n[2];
    if (threads && threads % GK_WARP == 0) {
        e->entry_mask = LLVMConstAllOnes(mask);
        e->whole_warps = true;
        return;
    }
    LLVMValueRef total;
    if (threads) {
        total = LLVMConstInt(e->i32, threads, false);
    } else {
        total = emit_grid_field(e, offsetof(GkGrid, ntid), e->i32);
        for (size_t c = 1; c < 3; ++c)
            total = LLVMBuildMul(e->b, total,
                                 emit_grid_field(e, offsetof(GkGrid, ntid) + 4 * c, e->i32), "");
    }
    LLVMValueRef first = LLVMBuildMul(e->b, e->warp_arg, LLVMConstInt(e->i32, GK_WARP, false), "");
    LLVMValueRef left = LLVMBuildSub(e->b, total, first, "");
    e->entry_mask =
        LLVMBuildICmp(e->b, LLVMIntULT, emit_iota(e, e->i32), emit_splat(e, left), "live");
}

static void find_entry_mask(Emitter *e)
{
    find_live_lanes(e);
    if (!e->without_lane || e->by_lane)
        return;
    LLVMValueRef bits[GK_WARP];
    for (int i = 0; i < GK_WARP; ++i)
        bits[i] = LLVMConstInt(e->i1, !(e->without_lane >> i & 1), false);
    e->entry_mask = LLVMBuildAnd(e->b, e->entry_mask, LLVMConstVector(bits, GK_WARP), "");
    e->whole_warps = false;
}

/* run_block: every warp of the block in turn */
static LLVMValueRef block_function(Emitter *e, LLVMValueRef warp_fn, LLVMTypeRef warp_type)
{
    LLVMTypeRef type = LLVMFunctionType(e->none, &e->ptr, 1, false);
    LLVMValueRef fn = LLVMAddFunction(e->mod, "run_block", type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    align_stack(e, fn);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(e->cx, fn, "entry");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(e->cx, fn, "warp");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(e->cx, fn, "done");
    LLVMPositionBuilderAtEnd(e->b, entry);
    LLVMValueRef block = LLVMGetParam(fn, 0);
    const uint32_t *n = e->flow->config.ntid;
    uint64_t threads = (uint64_t)n[0] * n[1] * n[2];
    LLVMValueRef warps;
    if (threads) {
        warps = LLVMConstInt(
            e->i32, e->by_lane ? threads : (threads + GK_WARP - 1) / GK_WARP / e->flow->group.warps,
            false);
    } else if (e->by_lane) {
        LLVMValueRef grid = LLVMBuildLoad2(e->b, e->ptr, block, "");
        warps = NULL;
        for (size_t c = 0; c < 3; ++c) {
            LLVMValueRef at = LLVMConstInt(e->i64, offsetof(GkGrid, ntid) + 4 * c, false);
            LLVMValueRef one =
                LLVMBuildLoad2(e->b, e->i32, LLVMBuildGEP2(e->b, e->i8, grid, &at, 1, ""), "");
            warps = warps ? LLVMBuildMul(e->b, warps, one, "") : one;
        }
    } else {
        LLVMValueRef grid = LLVMBuildLoad2(e->b, e->ptr, block, "");
        LLVMValueRef at = LLVMConstInt(e->i64, offsetof(GkGrid, warps), false);
        warps = LLVMBuildLoad2(e->b, e->i32, LLVMBuildGEP2(e->b, e->i8, grid, &at, 1, ""), "");
    }
    LLVMBuildBr(e->b, loop);
    LLVMPositionBuilderAtEnd(e->b, loop);
    LLVMValueRef w = LLVMBuildPhi(e->b, e->i32, "w");
    LLVMBuildCall2(e->b, warp_type, warp_fn, (LLVMValueRef[]){block, w}, 2, "");
    LLVMValueRef next = LLVMBuildAdd(e->b, w, LLVMConstInt(e->i32, 1, false), "");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, next, warps, ""), loop, done);
    LLVMAddIncoming(w, (LLVMValueRef[]){LLVMConstInt(e->i32, 0, false), next},
                    (LLVMBasicBlockRef[]){entry, loop}, 2);
    LLVMPositionBuilderAtEnd(e->b, done);
    LLVMBuildRetVoid(e->b);
    return fn;
}

static void descriptor(Emitter *e, const char *name, LLVMValueRef run_block, LLVMValueRef run_warp)
{
    uint32_t flags = 0;
    if (e->suspends)
        flags |= GK_KERNEL_SUSPENDS;
    if (e->flow->has_spin)
        flags |= GK_KERNEL_SPINS;
    if (e->uses_local)
        flags |= GK_KERNEL_LOCAL;
    if (e->layout->stack_used)
        flags |= GK_KERNEL_STACK;
    if (e->prints)
        flags |= GK_KERNEL_PRINTS;
    uint32_t frame = (e->frame_bytes + 63) & ~63u;
    if (e->by_lane)
        flags |= GK_KERNEL_LANES, frame = (uint32_t)sizeof(GkLanes) + GK_WARP * frame;
    uint32_t words[9] = {GK_ABI_VERSION,           flags,
                         e->suspends ? frame : 0,  (e->layout->local_bytes + 15) & ~15u,
                         e->layout->static_shared, e->flow->config.ntid[0],
                         e->flow->config.ntid[1],  e->flow->config.ntid[2],
                         e->flow->group.warps};
    LLVMValueRef fields[13];
    for (int i = 0; i < 9; ++i)
        fields[i] = LLVMConstInt(e->i32, words[i], false);
    const char *texts[2] = {name, buf_text(&e->fidelity)};
    fields[9] = run_block ? run_block : LLVMConstNull(e->ptr);
    fields[10] = run_warp ? run_warp : LLVMConstNull(e->ptr);
    for (int i = 0; i < 2; ++i) {
        LLVMValueRef text =
            LLVMConstStringInContext(e->cx, texts[i], (unsigned)strlen(texts[i]), false);
        LLVMValueRef g = LLVMAddGlobal(e->mod, LLVMTypeOf(text), i ? "fidelity" : "name");
        LLVMSetInitializer(g, text);
        LLVMSetGlobalConstant(g, true);
        LLVMSetLinkage(g, LLVMPrivateLinkage);
        fields[11 + i] = g;
    }
    LLVMValueRef init = LLVMConstStructInContext(e->cx, fields, 13, false);
    LLVMValueRef g = LLVMAddGlobal(e->mod, LLVMTypeOf(init), "gpukit_kernel");
    LLVMSetInitializer(g, init);
    LLVMSetGlobalConstant(g, true);
}

/* A number that LLVM does not see: it would fold one of this size into every offset, and small
 * offsets from the same place would no longer show. */
static LLVMValueRef opaque(Emitter *e, uint64_t number)
{
#if defined(__aarch64__)
    static const char code[] = "ldr $0, =$1", constraints[] = "=r,i";
#else
    static const char code[] = "movabsq $1, $0", constraints[] = "=r,i";
#endif
    LLVMTypeRef type = LLVMFunctionType(e->i64, &e->i64, 1, false);
    LLVMValueRef f =
        LLVMGetInlineAsm(type, code, sizeof code - 1, constraints, sizeof constraints - 1, false,
                         false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef arg = LLVMConstInt(e->i64, number, false);
    return LLVMBuildCall2(e->b, type, f, &arg, 1, "delta");
}

/* True: the group is the whole block, so no barrier is left. */
static bool choose_group(Flow *flow, const CodegenOptions *options)
{
    const uint32_t *n = flow->config.ntid;
    uint32_t most = options->without_lane ? 1
                    : options->group      ? options->group
                                          : EMIT_GROUP,
             warps = flow_group(flow, most, options->features & EMIT_AVX512 ? 16 : 4);
    return warps > 1 && warps * GK_WARP == (uint64_t)n[0] * n[1] * n[2];
}

static Flow *analyse(Emitter *e, IrFunction *flat, const CodegenOptions *options, bool *whole)
{
    FlowConfig config = {{options->ntid[0], options->ntid[1], options->ntid[2]}, false};
    Flow *flow = flow_new(e->arena, e->module, flat, &config, e->diags);
    if (!flow)
        return NULL;
    *whole = choose_group(flow, options);
    /* lanes that wait for lanes of their own warp would hang in lock step */
    config.lanes = options->by_lane || flow->needs_lanes;
    IrFunction *stopped = *whole && !config.lanes ? NULL : flow_stop_before_reuse(flow);
    if (!stopped && !config.lanes)
        return flow;
    flow_free(flow);
    flow = flow_new(e->arena, e->module, stopped ? stopped : flat, &config, e->diags);
    *whole = flow && choose_group(flow, options);
    return flow;
}

bool codegen_kernel(IrModule *module, const char *name, const CodegenOptions *options,
                    CodegenResult *out, Diags *diags)
{
    IrFunction *kernel = ir_find_function(module, name);
    if (!kernel || !kernel->is_entry) {
        diag_add(diags, DIAG_ERROR, module->name, 0, 0, "there is no kernel %s", name);
        return false;
    }
    Emitter e = {.module = module, .diags = diags, .features = options->features, .lanes = GK_WARP};
    e.arena = arena_new();
    IrSymbol **variables;
    ir_layout_variables(module, &variables);
    IrKernelLayout layout;
    ir_layout_kernel(module, kernel, &layout);
    layout.stack_bytes = options->stack;
    IrFunction *flat = inline_calls(e.arena, module, kernel, &layout, diags);
    bool good = false;
    if (!flat)
        goto done;
    e.layout = &layout;
    bool whole;
    e.flow = analyse(&e, flat, options, &whole);
    if (!e.flow)
        goto done;
    e.by_lane = e.flow->config.lanes;
    e.without_lane = options->without_lane;
    e.counts = options->counts;
    e.suspends = (e.flow->has_suspend && !whole) || e.flow->has_spin;
    if (options->dump_flow)
        flow_print(e.flow, stdout);
    e.frame_bytes = e.by_lane ? sizeof(GkLaneFrame) : sizeof(GkFrame);
    e.values = ARENA_ARRAY(e.arena, ValueState, e.flow->values.count + 1);
    for (size_t v = 0; v < e.flow->values.count; ++v)
        e.values[v].local_block = -1;
    e.blocks = ARENA_ARRAY(e.arena, BlockState, e.flow->block_count + 1);
    e.cx = LLVMContextCreate();
    e.mod = LLVMModuleCreateWithNameInContext(name, e.cx);
    set_types(&e);
    e.b = LLVMCreateBuilderInContext(e.cx);
    e.at_entry = LLVMCreateBuilderInContext(e.cx);
    LLVMTypeRef args[4] = {e.ptr, e.i32, e.ptr, e.i32};
    LLVMTypeRef type = e.suspends ? LLVMFunctionType(e.i64, args, 4, false)
                                  : LLVMFunctionType(e.none, args, 2, false);
    e.fn = LLVMAddFunction(e.mod, "run_warp", type);
    LLVMSetLinkage(e.fn, LLVMInternalLinkage);
    align_stack(&e, e.fn);
    if (!e.suspends)
        add_attribute(&e, e.fn, "alwaysinline");
    e.block_arg = LLVMGetParam(e.fn, 0);
    e.warp_arg = LLVMGetParam(e.fn, 1);
    LLVMBasicBlockRef slots = LLVMAppendBasicBlockInContext(e.cx, e.fn, "slots");
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(e.cx, e.fn, "entry");
    LLVMPositionBuilderAtEnd(e.at_entry, slots);
    LLVMPositionBuilderAtEnd(e.b, entry);
    e.block = -1;
    e.delta = opaque(&e, GK_DELTA);
    e.grid = emit_block_field(&e, offsetof(GkBlock, grid), e.ptr);
    e.shared = emit_block_field(&e, offsetof(GkBlock, shared), e.ptr);
    e.local_stride = emit_block_field(&e, offsetof(GkBlock, local_bytes), e.i64);
    LLVMValueRef local = emit_block_field(&e, offsetof(GkBlock, local), e.ptr);
    LLVMValueRef warp = LLVMBuildZExt(e.b, e.warp_arg, e.i64, "");
    LLVMValueRef lanes = LLVMConstInt(e.i64, e.by_lane ? 1 : GK_WARP, false);
    LLVMValueRef skip = LLVMBuildMul(e.b, LLVMBuildMul(e.b, warp, lanes, ""), e.local_stride, "");
    if (e.by_lane)
        e.lane_id = LLVMBuildAnd(e.b, e.warp_arg, LLVMConstInt(e.i32, GK_WARP - 1, false), "lane");
    e.local = LLVMBuildGEP2(e.b, e.i8, local, &skip, 1, "local");
    emit_find_streams(&e);
    find_entry_mask(&e);
    emit_group_begin(&e);
    if (e.suspends) {
        e.frame_arg = LLVMGetParam(e.fn, 2);
        LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(e.cx, e.fn, "start");
        e.resume_switch = LLVMBuildSwitch(e.b, LLVMGetParam(e.fn, 3), start, 8);
        LLVMPositionBuilderAtEnd(e.b, start);
    }
    emit_control_flow(&e);
    LLVMBuildBr(e.at_entry, entry);
    good = !e.failed;
    if (good) {
        LLVMValueRef run_block = e.suspends ? NULL : block_function(&e, e.fn, type);
        descriptor(&e, name, run_block, e.suspends ? e.fn : NULL);
        for (LLVMValueRef f = LLVMGetFirstFunction(e.mod); f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f)) {
                add_attribute(&e, f, "nounwind");
                add_string_attribute(&e, f, "prefer-vector-width", "512");
                add_string_attribute(&e, f, "frame-pointer", "none");
            }
    }
    LLVMDisposeBuilder(e.b);
    LLVMDisposeBuilder(e.at_entry);
    if (good) {
        out->context = e.cx;
        out->module = e.mod;
    } else {
        LLVMDisposeModule(e.mod);
        LLVMContextDispose(e.cx);
    }
    buf_free(&e.fidelity);
    VEC_FREE(e.homes);
    VEC_FREE(e.places);
done:
    flow_free(e.flow);
    arena_free(e.arena);
    return good;
}
