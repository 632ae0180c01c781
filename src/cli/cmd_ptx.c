/* SPDX-License-Identifier: Apache-2.0
 * gpukit ptx: checks PTX files and prints what the engine read; the list of instructions comes from
 * the table that parser, verifier and code generator use. */
#include "base/diag.h"
#include "base/fs.h"
#include "base/options.h"
#include "base/table.h"
#include "ir/shape.h"
#include "ptx/ptx.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static const char *const emit_names[OP_COUNT] = {
#define OP(id, text, pattern, operands, types, effects, emit) [OP_##id] = #emit,
#include "ir/ops.def"
#undef OP
};

static bool is_supported(unsigned op)
{
    return strcmp(emit_names[op], "unsupported") != 0;
}

/* "[.ftz] .rn|.rz T": the suffixes of a row. */
static void put_suffixes(unsigned op, Buf *out)
{
    const IrShape *shape = ir_shape(op);
    for (unsigned i = 0; i < shape->element_count; ++i) {
        const IrElement *element = &shape->elements[i];
        buf_puts(out, i ? " " : "");
        buf_putc(out, element->optional ? '[' : '<');
        if (element->class == MC_NONE)
            buf_puts(out, "type");
        for (unsigned mod = 1, first = 1; mod < MOD_END && element->class != MC_NONE; ++mod)
            if (ir_mod_info[mod].class == element->class) {
                buf_printf(out, "%s.%s", first ? "" : "|", ir_mod_info[mod].text);
                first = 0;
            }
        buf_putc(out, element->optional ? ']' : '>');
    }
}

static void put_types(unsigned op, Buf *out)
{
    uint64_t legal = ir_legal_types(op);
    for (unsigned type = 1, first = 1; type < TY_COUNT; ++type)
        if (legal >> type & 1 && ir_op_info[op].types >> ir_type_info[type].class & 1) {
            buf_printf(out, "%s%s", first ? "" : " ", ir_type_info[type].text);
            first = 0;
        }
}

static void support_json(void)
{
    json_object *list = json_object_new_array();
    for (unsigned op = 0; op < OP_COUNT; ++op) {
        Buf suffixes = {0}, types = {0};
        put_suffixes(op, &suffixes);
        put_types(op, &types);
        json_object *row = json_object_new_object();
        json_object_object_add(row, "instruction", json_object_new_string(ir_op_info[op].text));
        json_object_object_add(row, "row", json_object_new_string(ir_op_info[op].id));
        json_object_object_add(row, "suffixes", json_object_new_string(buf_text(&suffixes)));
        json_object_object_add(row, "types", json_object_new_string(buf_text(&types)));
        json_object_object_add(row, "supported", json_object_new_boolean(is_supported(op)));
        json_object_array_add(list, row);
        buf_free(&suffixes);
        buf_free(&types);
    }
    puts(json_object_to_json_string_ext(list, JSON_C_TO_STRING_PRETTY));
    json_object_put(list);
}

static void support_text(void)
{
    Table *table = table_new("lll");
    unsigned supported = 0;
    table_cell(table, "instruction");
    table_cell(table, "status");
    table_cell(table, "types");
    table_end_row(table);
    for (unsigned op = 0; op < OP_COUNT; ++op) {
        Buf types = {0};
        put_types(op, &types);
        supported += is_supported(op);
        table_cell(table, "%s", ir_op_info[op].text);
        table_cell(table, "%s", is_supported(op) ? "runs" : "refused");
        table_cell(table, "%s", buf_text(&types));
        table_end_row(table);
        buf_free(&types);
    }
    table_print(table, stdout);
    table_free(table);
    printf("\n%u of %u rows run on the CPU engine; the others parse and are refused by name.\n",
           supported, (unsigned)OP_COUNT);
    fputs("Refused by name without a row, unless one is above:", stdout);
    for (size_t i = 0; ptx_refused[i]; ++i)
        printf("%s %s", i % 8 ? "" : "\n ", ptx_refused[i]);
    putchar('\n');
}

static void summary(const IrModule *module, json_object *list)
{
    unsigned kernels = 0, functions = 0, refused = 0;
    int64_t insns = 0;
    for (uint32_t i = 0; i < module->function_count; ++i) {
        const IrFunction *f = module->functions[i];
        if (f->is_extern)
            continue;
        kernels += f->is_entry;
        functions += !f->is_entry;
        insns += f->insn_count + f->refused_count;
        refused += f->refused_count;
        for (int32_t k = 0; k < f->insn_count; ++k)
            refused += !is_supported(f->insns[k].op);
    }
    if (!list) {
        printf("%s: PTX %d.%d, %s, %u kernels, %u functions, %lld instructions, %u of them not "
               "supported\n",
               module->name, module->version_major, module->version_minor, module->target, kernels,
               functions, (long long)insns, refused);
        return;
    }
    json_object *row = json_object_new_object();
    char version[32];
    snprintf(version, sizeof version, "%d.%d", module->version_major, module->version_minor);
    json_object_object_add(row, "file", json_object_new_string(module->name));
    json_object_object_add(row, "ptx", json_object_new_string(version));
    json_object_object_add(row, "target", json_object_new_string(module->target));
    json_object_object_add(row, "kernels", json_object_new_int((int)kernels));
    json_object_object_add(row, "functions", json_object_new_int((int)functions));
    json_object_object_add(row, "instructions", json_object_new_int64(insns));
    json_object_object_add(row, "unsupported", json_object_new_int((int)refused));
    json_object_array_add(list, row);
}

/* Names each instruction that the engine refuses; they are findings. */
static void report_refused(const IrModule *module, Diags *diags)
{
    for (uint32_t i = 0; i < module->function_count; ++i) {
        const IrFunction *f = module->functions[i];
        if (f->refused)
            diag_add(diags, DIAG_WARNING, module->name, f->refused_line, 0,
                     "'%s' in '%s' is not supported by the CPU engine%s", f->refused, f->name,
                     f->refused_count > 1 ? ", and others of its kind behind it" : "");
        for (int32_t k = 0; k < f->insn_count; ++k)
            if (!is_supported(f->insns[k].op))
                diag_add(diags, DIAG_WARNING, module->name, f->insns[k].line, 0,
                         "'%s' in '%s' is not supported by the CPU engine",
                         ir_op_info[f->insns[k].op].text, f->name);
    }
}

static int one_file(const char *path, bool print, json_object *list)
{
    Buf text = {0};
    int error = fs_read(path, &text);
    if (error) {
        fprintf(stderr, "gpukit ptx: %s: %s\n", path, strerror(-error));
        buf_free(&text);
        return EXIT_ENVIRONMENT;
    }
    Diags diags;
    diags_init(&diags);
    IrModule *module = ptx_parse(text.data, text.count, path, &diags);
    bool ok = module && ir_verify(module, &diags);
    if (ok)
        report_refused(module, &diags);
    for (uint32_t i = 0; ok && print && i < module->function_count; ++i)
        if (module->functions[i]->refused) { /* the text would lack it */
            diag_add(&diags, DIAG_ERROR, path, 0, 0, "cannot be printed as it was");
            ok = false;
        }
    diags_print(&diags, stderr);
    if (ok && print) {
        Buf out = {0};
        ptx_print(module, &out);
        fwrite(out.data, 1, out.count, stdout);
        buf_free(&out);
    } else if (ok)
        summary(module, list);
    bool findings = diags.list.count > 0;
    ir_module_free(module);
    diags_fini(&diags);
    buf_free(&text);
    return findings ? EXIT_FINDINGS : EXIT_CLEAN;
}

int cmd_ptx(int argc, char **argv)
{
    bool support = false, print = false, json = false;
    const Option options[] = {
        {'s', "support", OPT_FLAG, &support, NULL, "list every PTX instruction and its status"},
        {'p', "print", OPT_FLAG, &print, NULL, "write the PTX back as the engine read it"},
        {0, "json", OPT_FLAG, &json, NULL, "summary or support list as JSON"},
    };
    const Command command = {
        .command = "ptx",
        .usage = "[--support] [--print] [FILE.ptx ...]",
        .summary = "Check PTX files and say what the CPU engine runs of them.",
        .details = "Example:\n"
                   "  nvcc -ptx k.cu -o k.ptx && gpukit ptx k.ptx\n"
                   "  gpukit ptx --support\n"
                   "Exit code 1: an error in the PTX, or an instruction that is not supported.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int operands = 0;
    int done = options_parse(&command, argc, argv, &operands, NULL);
    if (done)
        return done == 1 ? EXIT_CLEAN : EXIT_USAGE;
    if (support && operands) {
        fputs("gpukit ptx: --support takes no file\n  help: gpukit support NAME looks one up\n",
              stderr);
        return EXIT_USAGE;
    }
    if (support) {
        (json ? support_json : support_text)();
        return EXIT_CLEAN;
    }
    if (operands == 0) {
        fputs("gpukit ptx: no file given\n  help: gpukit ptx --help\n", stderr);
        return EXIT_USAGE;
    }
    json_object *list = json ? json_object_new_array() : NULL;
    int result = EXIT_CLEAN;
    for (int i = 1; i <= operands; ++i) {
        int one = one_file(argv[i], print, list);
        if (one > result)
            result = one;
    }
    if (json && !print)
        puts(json_object_to_json_string_ext(list, JSON_C_TO_STRING_PRETTY));
    json_object_put(list);
    return result;
}
