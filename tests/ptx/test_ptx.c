/* SPDX-License-Identifier: Apache-2.0
 * The PTX reader and writer: what good text becomes, where bad text is refused, that printing and
 * reading again gives the same IR, that the opcodes of public programs parse and verify, and that
 * damaged text never does harm. */
#include "base/fs.h"
#include "ir/layout.h"
#include "ptx/parser.h"
#include "ptx/ptx.h"
#include "ptx_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static IrModule *parse(const char *text, size_t bytes, Diags *diags)
{
    return ptx_parse(text, bytes, "test.ptx", diags);
}

static IrModule *parse_good(const char *text)
{
    Diags diags;
    diags_init(&diags);
    IrModule *module = parse(text, strlen(text), &diags);
    if (!module || !ir_verify(module, &diags))
        diags_print(&diags, stderr);
    assert_non_null(module);
    assert_int_equal(diags.errors, 0);
    diags_fini(&diags);
    return module;
}

/* ---- equality of IR, position in the text aside ---- */

static bool same_name(const IrSymbol *a, const IrSymbol *b)
{
    return (!a && !b) || (a && b && strcmp(a->name, b->name) == 0);
}

static bool same_operand(const IrOperand *a, const IrOperand *b)
{
    if (a->kind != b->kind || a->base_kind != b->base_kind || a->component != b->component ||
        a->negated != b->negated || a->is_float != b->is_float || a->is_single != b->is_single ||
        a->sreg != b->sreg || a->count != b->count || a->reg != b->reg || a->label != b->label ||
        a->offset != b->offset || a->bits != b->bits || !same_name(a->symbol, b->symbol))
        return false;
    for (unsigned i = 0; i < a->count; ++i)
        if (!same_operand(&a->items[i], &b->items[i]))
            return false;
    return true;
}

static bool same_insn(const IrInsn *a, const IrInsn *b)
{
    if (a->op != b->op || a->type_count != b->type_count || a->operand_count != b->operand_count ||
        a->guard != b->guard || a->guard_negated != b->guard_negated ||
        a->loc_line != b->loc_line || a->loc_file != b->loc_file ||
        memcmp(a->types, b->types, sizeof a->types) != 0 ||
        memcmp(a->mod, b->mod, sizeof a->mod) != 0)
        return false;
    for (unsigned i = 0; i < a->operand_count; ++i)
        if (!same_operand(&a->operands[i], &b->operands[i]))
            return false;
    return true;
}

static bool same_symbol(const IrSymbol *a, const IrSymbol *b)
{
    if (!same_name(a, b) || a->kind != b->kind || a->space != b->space ||
        a->linkage != b->linkage || a->type != b->type || a->vec != b->vec ||
        a->is_array != b->is_array || a->is_managed != b->is_managed || a->align != b->align ||
        a->size != b->size || !a->init != !b->init || a->reloc_count != b->reloc_count)
        return false;
    if (a->init && memcmp(a->init, b->init, a->size) != 0)
        return false;
    for (uint32_t i = 0; i < a->reloc_count; ++i) {
        const IrReloc *x = &a->relocs[i], *y = &b->relocs[i];
        if (x->at != y->at || x->size != y->size || x->byte != y->byte ||
            x->generic != y->generic || x->addend != y->addend || !same_name(x->symbol, y->symbol))
            return false;
    }
    return true;
}

static bool same_function(const IrFunction *a, const IrFunction *b)
{
    if (strcmp(a->name, b->name) != 0 || a->is_entry != b->is_entry ||
        a->is_extern != b->is_extern || a->linkage != b->linkage || a->noreturn != b->noreturn ||
        a->param_count != b->param_count || a->result_count != b->result_count ||
        a->param_bytes != b->param_bytes || a->reg_count != b->reg_count ||
        a->insn_count != b->insn_count || a->label_count != b->label_count ||
        a->table_count != b->table_count || a->local_count != b->local_count ||
        memcmp(a->maxntid, b->maxntid, sizeof a->maxntid) != 0 ||
        memcmp(a->reqntid, b->reqntid, sizeof a->reqntid) != 0 || a->maxnreg != b->maxnreg ||
        a->minnctapersm != b->minnctapersm)
        return false;
    for (uint32_t i = 0; i < a->param_count; ++i)
        if (!same_symbol(a->params[i], b->params[i]) ||
            a->params[i]->offset != b->params[i]->offset)
            return false;
    for (int32_t i = 0; i < a->reg_count; ++i)
        if (strcmp(a->regs[i].name, b->regs[i].name) != 0 || a->regs[i].type != b->regs[i].type)
            return false;
    for (int32_t i = 0; i < a->insn_count; ++i)
        if (!same_insn(&a->insns[i], &b->insns[i]))
            return false;
    for (int32_t i = 0; i < a->label_count; ++i)
        if (a->labels[i].insn != b->labels[i].insn)
            return false;
    for (uint32_t i = 0; i < a->local_count; ++i)
        if (!same_symbol(a->locals[i], b->locals[i]))
            return false;
    for (int32_t i = 0; i < a->table_count; ++i)
        if (a->tables[i].label_count != b->tables[i].label_count ||
            !a->tables[i].prototype != !b->tables[i].prototype ||
            (a->tables[i].label_count &&
             memcmp(a->tables[i].labels, b->tables[i].labels,
                    sizeof(int32_t) * (size_t)a->tables[i].label_count)))
            return false;
    return true;
}

static bool same_module(const IrModule *a, const IrModule *b)
{
    if (a->version_major != b->version_major || a->version_minor != b->version_minor ||
        a->sm != b->sm || a->symbol_count != b->symbol_count || a->file_count != b->file_count ||
        a->function_count != b->function_count)
        return false;
    for (uint32_t i = 0; i < a->symbol_count; ++i)
        if (!same_symbol(a->symbols[i], b->symbols[i]))
            return false;
    for (uint32_t i = 0; i < a->function_count; ++i)
        if (!same_function(a->functions[i], b->functions[i]))
            return false;
    return true;
}

static void round_trip(const char *text, size_t bytes, const char *name)
{
    Diags diags;
    diags_init(&diags);
    IrModule *first = ptx_parse(text, bytes, name, &diags);
    bool ok = first && ir_verify(first, &diags);
    Buf printed = {0};
    if (ok)
        ptx_print(first, &printed);
    IrModule *second = ok ? parse(printed.data, printed.count, &diags) : NULL;
    if (!second)
        diags_print(&diags, stderr);
    assert_non_null(first);
    assert_non_null(second);
    assert_true(same_module(first, second));
    Buf again = {0};
    ptx_print(second, &again);
    assert_string_equal(printed.data, again.data);
    buf_free(&again);
    buf_free(&printed);
    ir_module_free(first);
    ir_module_free(second);
    diags_fini(&diags);
}

static void round_trip_file(const char *path)
{
    Buf text = {0};
    assert_int_equal(fs_read(path, &text), 0);
    round_trip(text.data, text.count, path);
    buf_free(&text);
}

/* A function's own names, that the module takes after it; its body is printed behind them. */
static const char hiding[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n.func f(.param .b32 p);\n.func f(.param .b32 "
    "p)\n"
    "{\n.shared .b32 x;\n.reg .b32 r;\nld.shared.b32 r, [x];\nld.param.b32 r, [p];\nl: bra l;\n}\n"
    ".visible .entry k()\n{\n.shared .b32 x, y, x$1;\n.reg .b32 r;\nld.shared.b32 r, [x];\n"
    "st.shared.b32 [y], r;\nst.shared.b32 [x$1], r;\nret;\n}\n.global .b32 x;\n.global .b32 r;\n"
    ".global .b32 l;\n.global .b32 p;\n";

static void test_round_trip(void **state)
{
    (void)state;
    round_trip(hiding, strlen(hiding), "hiding.ptx");
    round_trip_file(SOURCE_DIR "/tests/ptx/nvcc.ptx");
    round_trip_file(SOURCE_DIR "/tests/ptx/clang.ptx");
    round_trip_file(SOURCE_DIR "/tests/ptx/grammar.ptx");
    const char *reference = SOURCE_DIR "/../shared/reference/h200/refkernels.ptx";
    if (fs_exists(reference))
        round_trip_file(reference);
    else
        print_message("skipped refkernels.ptx: not on this machine\n");
}

/* ---- what good text becomes ---- */

static const IrInsn *insn_at(const IrModule *module, const char *kernel, int index)
{
    IrFunction *function = ir_find_function(module, kernel);
    assert_non_null(function);
    assert_true(index < function->insn_count);
    return &function->insns[index];
}

static void test_instructions(void **state)
{
    (void)state;
    IrModule *m =
        parse_good(".version 7.8\n.target sm_80\n.address_size 64\n"
                   ".entry k(.param .u64 a, .param .u32 n, .param .align 16 .b8 s[20])\n{\n"
                   ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<5>;\n"
                   "ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%f1, _}, [%rd1+-8];\n"
                   "atom.add.release.gpu.u32 %r1, [%rd1], 0x10;\n"
                   "@!%p1 setp.lt.and.f32 %p1|%p2, %f1, 0f3F800000, !%p2;\n"
                   "mov.u32 %r2, %ctaid.y;\n"
                   "shfl.sync.down.b32 %r3, %r2, 4, 31, -1;\n"
                   "ld.param.u32 %r4, [s+16];\n"
                   "mov.u32 %r5, (3 + 4) * 2 - (1 << 3);\n"
                   "ret;\n}\n");
    const IrFunction *k = ir_find_function(m, "k");
    assert_int_equal(k->param_count, 3);
    assert_int_equal(k->params[2]->offset, 16);
    assert_int_equal(k->param_bytes, 36);
    const IrInsn *ld = insn_at(m, "k", 0);
    assert_int_equal(ld->op, OP_ld);
    assert_int_equal(ld->mod[MC_SPACE], MOD_global);
    assert_int_equal(ld->mod[MC_EVICT], MOD_no_allocate);
    assert_int_equal(ld->mod[MC_PREFETCH], MOD_p128);
    assert_int_equal(ld->mod[MC_VEC], MOD_v2);
    assert_int_equal(ld->operands[0].items[1].kind, OPND_sink);
    assert_int_equal(ld->operands[1].offset, -8);
    const IrInsn *atom = insn_at(m, "k", 1);
    assert_int_equal(atom->mod[MC_SEM], MOD_release);
    assert_int_equal(atom->mod[MC_SCOPE], MOD_gpu);
    assert_int_equal(atom->operands[2].bits, 16);
    const IrInsn *setp = insn_at(m, "k", 2);
    assert_true(setp->guard_negated);
    assert_int_equal(setp->operand_count, 5);
    assert_int_equal(setp->operands[1].kind, OPND_reg);
    assert_true(setp->operands[3].is_single);
    assert_int_equal(setp->operands[3].bits, 0x3f800000);
    assert_true(setp->operands[4].negated);
    const IrInsn *mov = insn_at(m, "k", 3);
    assert_int_equal(mov->operands[1].sreg, SREG_ctaid);
    assert_int_equal(mov->operands[1].component, 1);
    const IrInsn *shfl = insn_at(m, "k", 4);
    assert_int_equal(shfl->operands[1].kind, OPND_none);
    assert_int_equal(shfl->operands[5].bits, UINT64_MAX);
    assert_int_equal(insn_at(m, "k", 6)->operands[1].bits, 6);
    ir_module_free(m);
}

static void test_scopes(void **state)
{
    (void)state;
    IrModule *m = parse_good(".version 7.0\n.target sm_70\n.entry k()\n{\n.reg .b32 %r<4>;\n"
                             "mov.u32 %r1, 1;\n"
                             "{ .reg .b32 %r<4>; .reg .b32 t; mov.u32 %r1, 2; mov.u32 t, %r1;\n"
                             "bra L; L: }\n"
                             "{ .reg .b32 t; mov.u32 t, %r1; bra L; L: bra M; }\n"
                             "M: ret;\n}\n");
    const IrFunction *k = ir_find_function(m, "k");
    int32_t outer = k->insns[0].operands[0].reg, inner = k->insns[1].operands[0].reg;
    assert_int_not_equal(outer, inner);
    assert_int_equal(k->insns[4].operands[1].reg, outer);
    assert_int_not_equal(k->insns[2].operands[0].reg, k->insns[4].operands[0].reg);
    assert_string_not_equal(k->regs[k->insns[2].operands[0].reg].name,
                            k->regs[k->insns[4].operands[0].reg].name);
    assert_int_equal(k->labels[k->insns[3].operands[0].label].insn, 4);
    assert_int_equal(k->labels[k->insns[5].operands[0].label].insn, 6);
    assert_int_equal(k->labels[k->insns[6].operands[0].label].insn, 7);
    ir_module_free(m);
}

static void test_variables(void **state)
{
    (void)state;
    IrModule *m = parse_good(".version 7.0\n.target sm_70\n"
                             ".global .align 4 .u32 a[2][3] = {{1, 2}, {3, -1, 0x10}};\n"
                             ".global .f64 d[] = {0d3FF0000000000000, 1.5, -2};\n"
                             ".global .v2 .f32 v[2] = {{1.0, 0f40000000}, {3.0, 4.0}};\n"
                             ".visible .global .align 8 .u64 p[3] = {generic(a)+8, later, 7};\n"
                             ".global .b8 m[8] = {0xFF(a), 0xFF00(a+4), 1};\n"
                             ".const .b8 s[6] = \"a\\tb\\0\";\n"
                             ".extern .shared .align 16 .b8 dyn[];\n"
                             ".global .attribute(.managed) .u32 man;\n"
                             ".global .u32 later;\n");
    const IrSymbol *a = ir_find_symbol(m, "a");
    const uint32_t wanted[6] = {1, 2, 0, 3, 0xffffffff, 16};
    assert_int_equal(a->size, 24);
    assert_memory_equal(a->init, wanted, 24);
    const double doubles[3] = {1.0, 1.5, -2.0};
    assert_int_equal(ir_find_symbol(m, "d")->size, 24);
    assert_memory_equal(ir_find_symbol(m, "d")->init, doubles, 24);
    const float floats[4] = {1, 2, 3, 4};
    assert_memory_equal(ir_find_symbol(m, "v")->init, floats, 16);
    const IrSymbol *p = ir_find_symbol(m, "p");
    assert_int_equal(p->reloc_count, 2);
    assert_true(p->relocs[0].generic);
    assert_int_equal(p->relocs[0].addend, 8);
    assert_ptr_equal(p->relocs[1].symbol, ir_find_symbol(m, "later"));
    assert_int_equal(p->init[16], 7);
    const IrSymbol *masked = ir_find_symbol(m, "m");
    assert_int_equal(masked->relocs[1].byte, 2);
    assert_int_equal(masked->relocs[1].addend, 4);
    assert_memory_equal(ir_find_symbol(m, "s")->init, "a\tb\0\0\0", 6);
    assert_int_equal(ir_find_symbol(m, "dyn")->size, 0);
    assert_true(ir_find_symbol(m, "man")->is_managed);
    ir_module_free(m);
}

static void test_layout(void **state)
{
    (void)state;
    IrModule *m = parse_good(
        ".version 7.0\n.target sm_70\n.extern .shared .align 32 .b8 dyn[];\n.global .u32 g;\n"
        ".func leaf() { .local .align 8 .b8 l[24]; .reg .b64 %r; mov.u64 %r, l; ret; }\n"
        ".func mid() { .local .b32 x; call leaf; ret; }\n"
        ".entry k() { .shared .b8 s[5]; .shared .u32 t; .local .b8 l[17]; .reg .b64 %r;\n"
        "mov.u64 %r, dyn; call mid; call leaf; ret; }\n"
        ".func self() { call self; ret; }\n.entry r() { call self; ret; }\n");
    IrKernelLayout layout;
    ir_layout_kernel(m, ir_find_function(m, "k"), &layout);
    assert_int_equal(layout.function_count, 3);
    assert_string_equal(layout.functions[0]->name, "k");
    assert_string_equal(layout.functions[2]->name, "leaf");
    assert_false(layout.recursive);
    assert_int_equal(layout.static_shared, 32);
    assert_int_equal(layout.dynamic_align, 32);
    assert_int_equal(ir_find_symbol(m, "dyn")->offset, 32);
    const IrFunction *k = ir_find_function(m, "k");
    assert_int_equal(k->locals[1]->offset, 8); /* t behind s, aligned */
    assert_int_equal(layout.local_bytes, 32 + 16 + 32);
    assert_int_equal(ir_find_function(m, "leaf")->locals[0]->offset, 48);
    ir_layout_kernel(m, ir_find_function(m, "r"), &layout);
    assert_true(layout.recursive);
    IrSymbol **list;
    assert_int_equal(ir_layout_variables(m, &list), 1);
    assert_string_equal(list[0]->name, "g");
    ir_module_free(m);
}

/* ---- what is refused, and where ---- */

#define HEAD                                                                                       \
    ".version 7.0\n.target sm_70\n.entry k(.param .u64 a) {\n"                                     \
    ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n"

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted; /* start of the first message */
    } cases[] = {
        {"", "test.ptx:1:1: error: expected .version"},
        {"hello", "test.ptx:1:1: error: expected .version"},
        {".version 7.0\n", "test.ptx:1:13: error: .target is missing"},
        {".version 7.0\n.target sm_70\n.address_size 32\n", "test.ptx:3:15: error: 32-bit PTX"},
        {HEAD "\tfrob.u32 %r1;\n}", "test.ptx:5:2: error: unknown instruction 'frob'"},
        {HEAD "add.bogus.u32 %r1, %r2, %r3;\n}", "test.ptx:5:5: error: instruction 'add.bogus.u32' "
                                                 "does not take the suffix '.bogus'"},
        {HEAD "add %r1, %r2, %r3;\n}", "test.ptx:5:1: error: 'add' lacks a suffix"},
        {HEAD "popc.f32 %r1, %r2;\n}", "test.ptx:5:1: error: 'popc.f32' does not exist"},
        {HEAD "add.u32 %r1, %r2;\n}", "test.ptx:5:1: error: 'add.u32' lacks operands"},
        {HEAD "add.u32 %r1, %r2, %r3, %r4;\n}", "test.ptx:5:1: error: 'add.u32' has too many"},
        {HEAD "mov.u32 %r1, %r9;\n}", "test.ptx:5:14: error: '%r9' is not declared"},
        {HEAD "mov.u32 %r1, 0x;\n}", "test.ptx:5:14: error: expected an operand, but '0x'"},
        {HEAD "bra nowhere;\n}", "test.ptx:5:5: error: label 'nowhere' is not defined"},
        {HEAD "L: ret; L: ret;\n}", "test.ptx:5:9: error: 'L' is declared twice"},
        {HEAD "mov.u32 %r1, 1\nret;\n}", "test.ptx:6:1: error: expected ';'"},
        {HEAD "mov.u32 %r1, 1/0;\n}", "test.ptx:5:15: error: division by zero"},
        {HEAD "ret;\n", "test.ptx:5:5: error: expected '}'"},
        {HEAD "add.f32 %f1, %f2, %r1;\n add.u32 %f1, %r1, %r1;\n}",
         "test.ptx:6: error: add: register %f1 is .f32, .u32 expected in 'k'"},
        {HEAD "mov.u32 %d1, %r1;\n}", "test.ptx:5: error: mov: register %d1 is .b64"},
        {HEAD "add.u32 %r1, 1.5, %r1;\n}", "test.ptx:5: error: add: floating-point constant"},
        {HEAD "ld.global.v2.u32 {%r1}, [%d1];\n}", "test.ptx:5: error: ld: a vector of 2"},
        {HEAD "ld.global.u32 %r1, [%r1];\n}", "test.ptx:5: error: ld: address register %r1"},
        {HEAD "ld.shared.u32 %r1, [a];\n}", "test.ptx:5: error: ld: 'a' lies in .param"},
        {HEAD "div.f32 %f1, %f2, %f3;\n}", "test.ptx:5: error: div: one of .approx"},
        {HEAD "setp.lo.s32 %p1, %r1, %r2;\n}", "test.ptx:5: error: setp: comparison .lo"},
        {HEAD "cvt.s32.f32 %r1, %f2;\n}", "test.ptx:5: error: cvt: float to integer needs"},
        {HEAD "mul.wide.u64 %d1, %d1, %d1;\n}", "test.ptx:5: error: mul: .wide is not allowed"},
        {HEAD "vadd.u32.u32.u32 %r1, %r2.b4, %r3;\n}",
         "test.ptx:5: error: vadd: operand 2 has no such part"},
        {HEAD "vadd.u32.u32.u32 %r1, -%r2, %r3;\n}",
         "test.ptx:5: error: vadd: operand 2 cannot be negated"},
        {HEAD "vadd.u32.u32.u32.add %r1.b0, %r2, %r3, %r4;\n}",
         "test.ptx:5: error: vadd: .add does not go with a part"},
        {HEAD "vadd.u32.u32.u32 %r1.b0, %r2, %r3;\n}",
         "test.ptx:5: error: vadd: operand 4 is missing"},
        {HEAD "vmad.u32.u32.u32.po %r1, %r2, -%r3, %r4;\n}",
         "test.ptx:5: error: vmad: either the product"},
        {HEAD "vadd2.u32.u32.u32.min %r1, %r2, %r3, %r4;\n}",
         "test.ptx:5: error: vadd2: .min is not allowed"},
        {HEAD "vset4.u32.u32.lt %r1.b01, %r2, %r3, %r4;\n}",
         "test.ptx:5: error: vset4: operand 1 has no such part"},
        {HEAD "add.u32 %r1, %r2.b0, %r3;\n}", "test.ptx:5:14: error: '%r2.b0' is not declared"},
        {HEAD "mov.b64 %d1, {%r1, %r2, %r3};\n}", "test.ptx:5: error: mov: a vector of 2 or 4"},
        {HEAD "@%r1 ret;\n}", "test.ptx:5: error: ret: guard %r1 is not a predicate"},
        {HEAD "xor.pred %p1, %p2, !a;\n}", "test.ptx:5:21: error: expected a predicate behind '!'"},
        {HEAD "and.b32 %r1, %r2, !%r3;\n}",
         "test.ptx:5:20: error: expected a predicate behind '!'"},
        {HEAD "vmad.u32.u32.u32 %r1, -a, %r3, %r4;\n}",
         "test.ptx:5:24: error: expected a register or a number behind '-'"},
        {HEAD "mov.v4.u32 {%r1, %r2, %r3}, %tid;\n}",
         "test.ptx:5:1: error: 'mov.v4.u32' takes two vectors of 4 elements"},
        {HEAD "\033mov.u32 %r1, 1;\n}",
         "test.ptx:5:1: error: expected an instruction, but the byte "
         "0x1b is no PTX"},
        {HEAD "call k, (a);\n}", "test.ptx:5: error: call: kernel 'k' cannot be called"},
        {HEAD "call l, (a);\n}", "test.ptx:5:6: error: 'l' is not declared"},
        {".version 7.0\n.target sm_70\n.global .u32 x[2] = {1, 2, 3};",
         "test.ptx:3:28: error: too many initial values"},
        {".version 8.3\n.target sm_70\n.global .u64 x;\n.global .b128 y = x;",
         "test.ptx:4:19: error: an address needs elements of 4 or 8 bytes"},
        {".version 7.0\n.target sm_70\n.global .u64 x = nothing;",
         "test.ptx:3:18: error: 'nothing' is not declared"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Diags diags;
        diags_init(&diags);
        IrModule *module = parse(cases[i].text, strlen(cases[i].text), &diags);
        assert_false(module && ir_verify(module, &diags));
        char *text = diags_text(&diags);
        if (strncmp(text, cases[i].wanted, strlen(cases[i].wanted)) != 0)
            fail_msg("case %zu: wanted '%s', got '%s'", i, cases[i].wanted, text);
        free(text);
        ir_module_free(module);
        diags_fini(&diags);
    }
}

static void test_several_errors(void **state)
{
    (void)state;
    const char *text = HEAD "foo;\nadd.u32 %r1;\nmov.u32 %r1, %zz;\nadd.u32 %r1, %r1, %r1;\n}\n"
                            ".entry g() {\nbar;\nexit;\n}\n";
    Diags diags;
    diags_init(&diags);
    assert_null(parse(text, strlen(text), &diags));
    assert_int_equal(diags.errors, 4);
    diags_fini(&diags);
}

/* ---- opcodes of public programs ---- */

static bool find_opcode(const char *opcode, IrInsn *insn)
{
    Diags diags;
    diags_init(&diags);
    Parser *p = xcalloc(1, sizeof *p);
    p->module = ir_module_new("test");
    p->arena = p->module->arena;
    p->scratch = arena_new();
    p->diags = &diags;
    p->lexer.line_start = opcode;
    Token word = {.kind = T_WORD, .start = opcode, .bytes = (uint32_t)strlen(opcode), .line = 1};
    bool found = opcode_find(p, &word, insn);
    arena_free(p->scratch);
    ir_module_free(p->module);
    free(p);
    diags_fini(&diags);
    return found;
}

/* More errors than are told, the last at the end of a function: what follows is not waited for. */
static void test_many_errors(void **state)
{
    (void)state;
    Buf text = {0};
    buf_puts(&text, HEAD);
    for (int i = 0; i < 40; ++i)
        buf_printf(&text, "bra nowhere%d;\n", i);
    buf_puts(&text, "}\nrest");
    Diags diags;
    diags_init(&diags);
    assert_null(parse(text.data, text.count, &diags));
    assert_in_range(diags.errors, 5, 40);
    diags_fini(&diags);
    buf_free(&text);
}

static void test_opcodes(void **state)
{
    (void)state;
    Buf list = {0};
    assert_int_equal(fs_read(SOURCE_DIR "/tests/ptx/opcodes.txt", &list), 0);
    int total = 0, good = 0;
    char *save = NULL;
    for (char *line = strtok_r(list.data, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (line[0] == '#')
            continue;
        IrInsn insn;
        ++total;
        if (!find_opcode(line, &insn)) {
            print_message("not an opcode: %s\n", line);
            continue;
        }
        Buf text = {0};
        ptx_text_kernel(line, &insn, &text);
        round_trip(text.data, text.count, line);
        buf_free(&text);
        ++good;
    }
    buf_free(&list);
    print_message("%d of %d opcodes of public programs parse, verify and print\n", good, total);
    assert_int_equal(good, total);
    assert_true(total > 450);
}

/* ---- damaged text ---- */

static uint32_t rng_state = 1;

static uint32_t rng(void)
{
    rng_state = rng_state * 1664525u + 1013904223u;
    return rng_state >> 8;
}

static const char *const pieces[] = {
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "@",
    "!",
    ".reg .b32 %z<100000000>;",
    ".local .b8 q[",
    "0xFFFFFFFFFFFFFFFF",
    "call ",
    "bra ",
    "%r1",
    "_",
    "generic(",
    ".v4",
    ".param",
    "\"",
    "/*",
    "//",
    "-",
    "0f",
    ".entry",
    ".func",
    "{{{{{{{{{{",
    "((((((((((",
    ".loc 1 2 3",
    ".align 3",
    "::",
    "<",
    ">",
};

static void mutate(Buf *text)
{
    for (uint32_t n = 1 + rng() % 4; n && text->count; --n) {
        size_t at = rng() % text->count;
        switch (rng() % 5) {
        case 0:
            text->data[at] = (char)rng();
            break;
        case 1:
            text->data[at] ^= (char)(1 << rng() % 8);
            break;
        case 2: { /* cut a piece out */
            size_t n_bytes = rng() % 40;
            if (at + n_bytes > text->count)
                n_bytes = text->count - at;
            memmove(text->data + at, text->data + at + n_bytes, text->count - at - n_bytes);
            text->count -= n_bytes;
            break;
        }
        case 3: { /* copy a piece of the text elsewhere */
            size_t from = rng() % text->count, n_bytes = rng() % 60;
            if (from + n_bytes > text->count)
                n_bytes = text->count - from;
            if (at + n_bytes > text->count)
                n_bytes = text->count - at;
            memmove(text->data + at, text->data + from, n_bytes);
            break;
        }
        default: { /* insert */
            const char *piece = pieces[rng() % (sizeof pieces / sizeof *pieces)];
            Buf out = {0};
            buf_add(&out, text->data, at);
            buf_puts(&out, piece);
            buf_add(&out, text->data + at, text->count - at);
            buf_free(text);
            *text = out;
        }
        }
    }
    if (rng() % 16 == 0)
        text->count = rng() % (text->count + 1);
}

static void use_module(IrModule *module)
{
    Diags diags;
    diags_init(&diags);
    Buf out = {0};
    ptx_print(module, &out);
    if (ir_verify(module, &diags))
        for (uint32_t i = 0; i < module->function_count; ++i)
            if (module->functions[i]->is_entry) {
                IrKernelLayout layout;
                ir_layout_kernel(module, module->functions[i], &layout);
            }
    buf_free(&out);
    diags_fini(&diags);
}

static void test_fuzz(void **state)
{
    (void)state;
    static const char *const seeds[] = {"nvcc.ptx", "clang.ptx", "grammar.ptx"};
    enum { SEEDS = sizeof seeds / sizeof *seeds };
    Buf texts[SEEDS] = {{0}};
    for (int i = 0; i < SEEDS; ++i) {
        char *path = xasprintf("%s/tests/ptx/%s", SOURCE_DIR, seeds[i]);
        assert_int_equal(fs_read(path, &texts[i]), 0);
        free(path);
    }
    const char *longer = getenv("GPUKIT_FUZZ_SECONDS"); /* for a soak */
    clock_t end = clock() + (longer ? atoi(longer) : 4) * CLOCKS_PER_SEC;
    int runs = 0, parsed = 0;
    for (; (longer || runs < 20000) && clock() < end; ++runs) {
        Buf text = {0};
        const Buf *seed = &texts[runs % SEEDS];
        rng_state = (uint32_t)runs * 2654435761u + 1;
        buf_add(&text, seed->data, seed->count);
        mutate(&text);
        char *exact = xmalloc(text.count); /* the sanitizer sees reads behind the end */
        memcpy(exact, text.data, text.count);
        Diags diags;
        diags_init(&diags);
        IrModule *module = parse(exact, text.count, &diags);
        assert_true(module || diags.errors > 0);
        if (module) {
            ++parsed;
            use_module(module);
        }
        ir_module_free(module);
        diags_fini(&diags);
        free(exact);
        buf_free(&text);
    }
    for (int i = 0; i < SEEDS; ++i)
        buf_free(&texts[i]);
    print_message("%d damaged texts, %d of them still PTX\n", runs, parsed);
    assert_true(runs > 300);
    assert_true(parsed > 0 && parsed < runs);
}

static void test_speed(void **state)
{
    (void)state;
    Buf text = {0};
    buf_puts(&text, HEAD);
    for (int i = 0; i < 48000; ++i)
        buf_puts(&text, i % 3 ? "\tfma.rn.f32 \t%f1, %f2, %f3, %f4;\n"
                              : "\tld.global.nc.v2.f32 \t{%f1, %f2}, [%d1+128];\n");
    buf_puts(&text, "ret;\n}\n");
    struct timespec from, to;
    Diags diags;
    diags_init(&diags);
    clock_gettime(CLOCK_MONOTONIC, &from);
    IrModule *module = parse(text.data, text.count, &diags);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_non_null(module);
    double ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
    print_message("48,000 instructions parsed in %.0f ms\n", ms);
    assert_true(ms < 3000); /* a quadratic parser would be far above, also on a busy machine */
    ir_module_free(module);
    diags_fini(&diags);
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_variables),    cmocka_unit_test(test_layout),
        cmocka_unit_test(test_errors),       cmocka_unit_test(test_several_errors),
        cmocka_unit_test(test_many_errors),  cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_opcodes),      cmocka_unit_test(test_fuzz),
        cmocka_unit_test(test_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
