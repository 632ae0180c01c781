/* SPDX-License-Identifier: Apache-2.0
 * test_ops: runs the instruction corpus and compares with the oracle.
 *   --list           names of the cases, nothing runs
 *   --filter TEXT    only cases whose name contains TEXT
 *   --ptx            print the kernels instead of running them
 *   --record FILE    write what the runner gave (a hash per case, samples of approximate ones)
 *   --golden FILE    compare with such a file, recorded on a GPU, too
 *   --rows           executed / total per row of ops.def
 *   --gpu            on the real GPU of this machine instead of the engine
 * Exit 0: all as expected. 1: differences. 3: no runner in this build. */
#include "ops.h"
#include "base/fs.h"
#include "base/map.h"
#include "ir/shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 40, SAMPLES = 8, MAX_REPORTS = 60 };
#define FILL UINT64_C(0xa5a5a5a5a5a5a5a5)

static const OpsRunner *runner;

static struct {
    bool list, ptx, rows;
    const char *filter, *record, *golden;
} opt;

static struct {
    OpsCases cases;
    uint64_t *inputs;
    unsigned run, failed, refused, reports;
    unsigned row_total[OP_COUNT], row_run[OP_COUNT];
    Buf record;
    Map golden; /* name -> hash text */
    unsigned golden_checked, golden_differs;
    char *samples; /* text of the recorded results */
} run;

static void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void report(const char *format, ...)
{
    if (run.reports++ >= MAX_REPORTS)
        return;
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

static uint64_t low_bits(unsigned type)
{
    unsigned bits = ir_type_info[type].bits;
    if (type == TY_pred)
        bits = 32;
    return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static void lane_inputs(const OpsCase *test, unsigned lane, uint64_t *in)
{
    for (unsigned i = 0; i < OPS_MAX_IN; ++i)
        in[i] = 0;
    for (unsigned i = 0; i < test->in_count; ++i)
        in[i] = run.inputs[(test->in_domain[i] * (unsigned)OPS_MAX_IN + i) * OPS_LANES + lane] &
                low_bits(test->in_type[i]);
}

static bool same(const OpsCase *test, const Expect *want, unsigned i, uint64_t got)
{
    unsigned type = test->out_type[i];
    if (want->any[i])
        return true;
    const FloatFormat *f = want->nan[i] ? ops_format(test->insn.types[0]) : NULL;
    uint64_t wanted = want->bits[i] & low_bits(type);
    got &= low_bits(type);
    if (f && f->bits == 16 && ir_type_info[type].bits == 32) { /* a pair: halves apart */
        for (unsigned half = 0; half < 2; ++half) {
            uint64_t a = wanted >> 16 * half & 0xffff, b = got >> 16 * half & 0xffff;
            if (a != b && !(fp_is_nan(f, a) && fp_is_nan(f, b)))
                return false;
        }
        return true;
    }
    return wanted == got || (f && fp_is_nan(f, wanted) && fp_is_nan(f, got));
}

static void report_lane(const OpsCase *test, unsigned lane, const uint64_t *in, const Expect *want,
                        unsigned i, uint64_t got, unsigned wrong)
{
    Buf text = {0};
    for (unsigned k = 0; k < test->in_count; ++k)
        buf_printf(&text, " 0x%" PRIx64, in[k]);
    uint64_t mask = low_bits(test->out_type[i]);
    report("FAIL %s: lane %u:%s gives 0x%" PRIx64 ", wanted 0x%" PRIx64 " (%u lanes wrong)\n",
           test->name, lane, buf_text(&text), got & mask, want->bits[i] & mask, wrong);
    buf_free(&text);
}

/* Hash of what came out, with everything that PTX leaves open taken away. */
static void hash_lane(const OpsCase *test, const Expect *want, unsigned i, uint64_t got,
                      uint64_t *hash)
{
    const FloatFormat *f = want->nan[i] ? ops_format(test->insn.types[0]) : NULL;
    got &= low_bits(test->out_type[i]);
    if (want->any[i] || want->reproduced)
        got = 0;
    else if (f && f->bits == (int)ir_type_info[test->out_type[i]].bits && fp_is_nan(f, got))
        got = fp_nan(f);
    else if (f && f->bits == 16)
        for (unsigned half = 0; half < 2; ++half)
            if (fp_is_nan(f, got >> 16 * half & 0xffff))
                got |= (uint64_t)0x7fff << 16 * half & ~((uint64_t)0x8000 << 16 * half);
    *hash = hash_bytes(&got, sizeof got, *hash);
}

static void record_case(const OpsCase *test, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    if (opt.record)
        buf_printf(&run.record, "case\t%s\t%s\n", test->name, text);
    const char *wanted = map_get(&run.golden, test->name);
    if (!wanted)
        return;
    run.golden_checked++;
    if (strcmp(wanted, text) != 0) {
        run.golden_differs++;
        report("GOLDEN %s: differs from the recorded result\n", test->name);
    }
}

/* A result of an approximate instruction, kept or looked for among the recorded ones. */
static void sample_lane(const OpsCase *test, uint64_t in, uint64_t got)
{
    Buf line = {0};
    buf_printf(&line, "sample\t%s\t%" PRIx64 "\t%" PRIx64 "\n", test->name, in, got);
    if (opt.record)
        buf_printf(&run.record, "%s", buf_text(&line));
    if (run.samples && !strstr(run.samples, buf_text(&line))) {
        report("GOLDEN %s: 0x%" PRIx64 " of 0x%" PRIx64 " is not what was recorded\n", test->name,
               got, in);
        run.golden_differs++;
    }
    buf_free(&line);
}

static void check_case(const OpsCase *test, const uint64_t *out)
{
    unsigned wrong = 0, first_lane = 0, first_out = 0;
    uint64_t hash = 1, in[OPS_MAX_IN];
    Expect want;
    bool untouched = true;
    for (unsigned lane = 0; lane < OPS_LANES; ++lane) {
        lane_inputs(test, lane, in);
        if (!ops_expect(test, in, &want)) {
            report("FAIL %s: the oracle has no rule\n", test->name);
            run.failed++;
            return;
        }
        for (unsigned i = 0; i < test->out_count; ++i) {
            uint64_t got = out[i * OPS_LANES + lane], rest = ~low_bits(test->out_type[i]);
            untouched &= (got & rest) == (FILL & rest);
            hash_lane(test, &want, i, got, &hash);
            if (!same(test, &want, i, got) && !wrong++) {
                first_lane = lane;
                first_out = i;
            }
            if (want.reproduced && lane % (OPS_LANES / SAMPLES) == 5)
                sample_lane(test, in[0], got & low_bits(test->out_type[i]));
        }
    }
    record_case(test, hash);
    if (wrong) {
        lane_inputs(test, first_lane, in);
        ops_expect(test, in, &want);
        report_lane(test, first_lane, in, &want, first_out, out[first_out * OPS_LANES + first_lane],
                    wrong);
    } else if (!untouched)
        report("FAIL %s: wrote outside its result\n", test->name);
    run.failed += wrong || !untouched;
}

static void run_cases(const OpsCase *cases, unsigned count)
{
    Buf ptx = {0};
    ops_kernel(cases, count, &ptx);
    if (opt.ptx) {
        fwrite(ptx.data, 1, ptx.count, stdout);
        buf_free(&ptx);
        return;
    }
    size_t words = (size_t)count * OPS_MAX_OUT * OPS_LANES;
    uint64_t *out = xmalloc(words * 8);
    for (size_t i = 0; i < words; ++i)
        out[i] = FILL;
    OpsBuffer buffers[2] = {{run.inputs, OPS_INPUT_WORDS * sizeof(uint64_t)}, {out, words * 8}};
    char error[600] = "";
    bool ok =
        runner->run(ptx.data, OPS_LANES / OPS_BLOCK, OPS_BLOCK, buffers, 2, error, sizeof error);
    buf_free(&ptx);
    if (ok)
        for (unsigned i = 0; i < count; ++i) {
            run.run++;
            run.row_run[cases[i].insn.op]++;
            check_case(&cases[i], out + (size_t)i * OPS_MAX_OUT * OPS_LANES);
        }
    free(out);
    if (ok)
        return;
    if (count == 1) {
        run.refused++;
        report("REFUSED %s: %s\n", cases[0].name, error);
        return;
    }
    run_cases(cases, count / 2); /* find the ones that do not compile */
    run_cases(cases + count / 2, count - count / 2);
}

/* ---- kernels of their own ---- */

static void check_special(const OpsSpecial *special, const uint32_t *got)
{
    uint32_t *want = xcalloc(SPECIAL_WORDS, sizeof *want);
    bool *any = xcalloc(SPECIAL_WORDS, sizeof *any);
    special->fill(special->name, want);
    special->expect(special->name, want, any);
    unsigned wrong = 0, first = 0;
    uint64_t hash = 2;
    for (unsigned i = 0; i < SPECIAL_WORDS; ++i) {
        uint32_t value = any[i] ? 0 : got[i];
        hash = hash_bytes(&value, sizeof value, hash);
        if (!any[i] && got[i] != want[i] && !wrong++)
            first = i;
    }
    OpsCase named = {.name = (char *)special->name};
    record_case(&named, hash);
    if (wrong)
        report("FAIL %s: word %u is 0x%x, wanted 0x%x (%u words wrong)\n", special->name, first,
               got[first], want[first], wrong);
    run.failed += wrong != 0;
    free(want);
    free(any);
}

static unsigned row_of(const char *id)
{
    for (unsigned op = 0; op < OP_COUNT; ++op)
        if (strcmp(ir_op_info[op].id, id) == 0)
            return op;
    fprintf(stderr, "no row '%s'\n", id);
    abort();
}

static void run_special(const OpsSpecial *special)
{
    Buf ptx = {0};
    buf_puts(&ptx, ".version 8.4\n.target sm_90\n.address_size 64\n");
    special->text(special->name, &ptx);
    if (opt.ptx) {
        fwrite(ptx.data, 1, ptx.count, stdout);
        buf_free(&ptx);
        return;
    }
    uint32_t *words = xcalloc(SPECIAL_WORDS, sizeof *words);
    special->fill(special->name, words);
    OpsBuffer buffer = {words, SPECIAL_WORDS * sizeof *words};
    char error[600] = "";
    if (runner->run(ptx.data, special->grid, special->block, &buffer, 1, error, sizeof error)) {
        run.run++;
        run.row_run[row_of(special->row)]++;
        check_special(special, words);
    } else {
        run.refused++;
        report("REFUSED %s: %s\n", special->name, error);
    }
    free(words);
    buf_free(&ptx);
}

/* ---- the program ---- */

static bool wanted(const char *name)
{
    return !opt.filter || strstr(name, opt.filter);
}

static void read_golden(void)
{
    Buf text = {0};
    if (fs_read(opt.golden, &text)) {
        fprintf(stderr, "test_ops: cannot read %s\n", opt.golden);
        exit(2);
    }
    run.samples = xstrdup(buf_text(&text));
    char *save = NULL;
    for (char *line = strtok_r(text.data, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *tab = strchr(line, '\t'), *end = tab ? strchr(tab + 1, '\t') : NULL;
        if (!end || strncmp(line, "case\t", 5) != 0)
            continue;
        *end = 0;
        map_set(&run.golden, tab + 1, end + 1); /* text stays until the end of the program */
    }
}

static void print_rows(void)
{
    for (unsigned op = 0; op < OP_COUNT; ++op)
        if (run.row_total[op])
            printf("%-12s %4u / %u\n", ir_op_info[op].id, run.row_run[op], run.row_total[op]);
}

static bool parse_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--list") == 0)
            opt.list = true;
        else if (strcmp(argv[i], "--ptx") == 0)
            opt.ptx = true;
        else if (strcmp(argv[i], "--rows") == 0)
            opt.rows = true;
        else if (strcmp(argv[i], "--gpu") == 0)
            runner = &ops_gpu_runner;
        else if (value && strcmp(argv[i], "--filter") == 0)
            opt.filter = argv[++i];
        else if (value && strcmp(argv[i], "--record") == 0)
            opt.record = argv[++i];
        else if (value && strcmp(argv[i], "--golden") == 0)
            opt.golden = argv[++i];
        else
            return false;
    }
    return true;
}

static void run_all(void)
{
    OpsCases batch = {0};
    for (size_t i = 0; i < run.cases.count; ++i) {
        if (!wanted(run.cases.items[i].name))
            continue;
        VEC_PUSH(batch, run.cases.items[i]);
        if (batch.count == BATCH) {
            run_cases(batch.items, BATCH);
            batch.count = 0;
        }
    }
    if (batch.count)
        run_cases(batch.items, (unsigned)batch.count);
    VEC_FREE(batch);
    for (unsigned i = 0; i < ops_special_count; ++i)
        if (wanted(ops_specials[i].name))
            run_special(&ops_specials[i]);
}

int main(int argc, char **argv)
{
    runner = ops_runner;
    if (!parse_arguments(argc, argv)) {
        fputs("usage: test_ops [--list] [--ptx] [--rows] [--filter TEXT] [--record FILE] "
              "[--golden FILE] [--gpu]\n",
              stderr);
        return 2;
    }
    Arena *arena = arena_new();
    ops_cases(&run.cases, arena);
    run.inputs = xmalloc(OPS_INPUT_WORDS * sizeof(uint64_t));
    ops_inputs(run.inputs);
    for (size_t i = 0; i < run.cases.count; ++i)
        run.row_total[run.cases.items[i].insn.op]++;
    for (unsigned i = 0; i < ops_special_count; ++i)
        run.row_total[row_of(ops_specials[i].row)]++;
    unsigned total = (unsigned)run.cases.count + ops_special_count;
    if (opt.list) {
        for (size_t i = 0; i < run.cases.count; ++i)
            puts(run.cases.items[i].name);
        for (unsigned i = 0; i < ops_special_count; ++i)
            puts(ops_specials[i].name);
        return 0;
    }
    if (!runner && !opt.ptx) {
        fputs("test_ops: this build has no engine\n", stderr);
        return 3;
    }
    if (opt.golden)
        read_golden();
    if (runner == &ops_gpu_runner) {
        char day[32];
        time_t now = time(NULL);
        strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
        buf_printf(&run.record, "# recorded on %s, %s\n", ops_gpu_description(), day);
        printf("%s\n", ops_gpu_description());
    }
    run_all();
    if (opt.ptx)
        return 0;
    if (opt.rows)
        print_rows();
    printf("%u of %u cases ran on the %s: %u wrong, %u refused", run.run, total, runner->name,
           run.failed, run.refused);
    if (opt.golden)
        printf("; %u of %u recorded results differ", run.golden_differs, run.golden_checked);
    puts("");
    if (opt.record && fs_write_atomic(opt.record, buf_text(&run.record), run.record.count))
        return 3;
    return run.failed || run.refused || run.golden_differs ? 1 : 0;
}
