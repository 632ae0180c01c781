/* SPDX-License-Identifier: Apache-2.0
 * test_flow [FIRST [COUNT]]: random kernels on the engine and in the interpreter. A difference
 * prints the seed; test_flow --print SEED shows its kernel, --file PTX BLOCK WIDTH SEED runs a changed
 * one. test_flow --damage [FIRST [COUNT]]: kernels with damaged lines are compiled, not run; the compiler
 * must refuse or compile them, and stay alive. */
#include "flow.h"
#include "../ops/ops.h"
#include "base/fs.h"
#include "jit/jit.h"
#include "ptx/ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GRID = 3, DEFAULT_COUNT = 60 };

static uint32_t scramble(uint32_t x)
{
    x = (x ^ 61) ^ x >> 16;
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ x >> 15;
}

static void fill(uint32_t *words, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; ++i)
        words[i] = i < FLOW_IN ? scramble((uint32_t)i + seed * 977) >> (i % 3 ? 0 : 24)
                   : i < FLOW_IN + FLOW_COUNTERS ? 0
                                                 : 0xcccc0000;
}

static bool report(uint32_t seed, unsigned block, const uint32_t *got, const uint32_t *want,
                   size_t count)
{
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < count; ++i)
        if (got[i] != want[i] && !wrong++)
            first = i;
    if (!wrong)
        return true;
    size_t slot = first < FLOW_IN + FLOW_COUNTERS ? 0 : first - FLOW_IN - FLOW_COUNTERS;
    printf("FAIL seed %u, block of %u: word %zu (thread %zu, slot %zu) is 0x%x, wanted 0x%x; %zu "
           "wrong\n",
           seed, block, first, slot / FLOW_SLOTS, slot % FLOW_SLOTS, got[first], want[first],
           wrong);
    return false;
}

/* Runs one kernel both ways; seed only names it and makes the input. */
static bool run_text(const Buf *ptx, uint32_t seed, unsigned block, unsigned width)
{
    size_t count = FLOW_IN + FLOW_COUNTERS + (size_t)GRID * block * FLOW_SLOTS;
    uint32_t *got = xmalloc(count * 4), *want = xmalloc(count * 4);
    fill(got, count, seed);
    fill(want, count, seed);
    Diags diags;
    diags_init(&diags);
    IrModule *module = ptx_parse(ptx->data, ptx->count, "flow.ptx", &diags);
    bool ok = module && ir_verify(module, &diags);
    if (!ok)
        diags_print(&diags, stdout);
    ok = ok && flow_interpret(module, got, GRID, block, width, 0x5bd1e995);
    ok = ok && flow_interpret(module, want, GRID, block, width, 0);
    ok = ok && memcmp(got, want, count * 4) == 0;
    fill(got, count, seed);
    if (!ok)
        printf("FAIL seed %u: the generated kernel is wrong itself\n", seed);
    OpsBuffer buffer = {got, count * 4};
    ops_engine_width = width;
    char error[600] = "";
    if (ok && !ops_runner->run(ptx->data, GRID, block, &buffer, 1, error, sizeof error)) {
        printf("FAIL seed %u, block of %u (%u wide): %s\n", seed, block, width, error);
        ok = false;
    }
    ok = ok && report(seed, block, got, want, count);
    ir_module_free(module);
    diags_fini(&diags);
    free(got);
    free(want);
    return ok;
}

static bool run_seed(uint32_t seed)
{
    static const unsigned shapes[] = {32, 64, 128, 96, 45, 1, 33, 200};
    Buf ptx = {0};
    flow_generate(seed, &ptx);
    bool whole = strstr(ptx.data, "whole warps") != NULL;
    ops_engine_mode = (OpsEngineMode)(seed / 8 % 3);
    unsigned block = shapes[seed % (whole ? 4 : 8)], width = 32u >> seed / 24 % 6;
    if (whole && seed % 16 == 3) /* groups of 16 and 32 warps */
        block = seed % 32 == 3 ? FLOW_MAX_BLOCK : FLOW_MAX_BLOCK / 2;
    bool ok = run_text(&ptx, seed, block, block % width ? block : width);
    buf_free(&ptx);
    return ok;
}

static bool run_fixed(unsigned which, bool *there)
{
    Buf ptx = {0};
    bool ok = true;
    *there = flow_generate_fixed(which, &ptx);
    for (int mode = OPS_ANY_SHAPE; *there && mode <= OPS_SERIAL; ++mode) {
        ops_engine_mode = (OpsEngineMode)mode;
        ok = run_text(&ptx, which, 128, 32) && run_text(&ptx, which, 128, 16) && ok;
    }
    if (!ok)
        printf("FAIL fixed case %u\n", which);
    buf_free(&ptx);
    return ok;
}

static int run_file(const char *path, unsigned block, unsigned width, uint32_t seed)
{
    Buf ptx = {0};
    if (fs_read(path, &ptx))
        return 2;
    bool ok = run_text(&ptx, seed, block, width);
    buf_free(&ptx);
    return !ok;
}

/* ---- damaged kernels ---- */

static uint32_t damage_state;

static uint32_t damage_random(uint32_t n)
{
    damage_state = damage_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(damage_state >> 8) * n >> 24);
}

/* Another word of the same kind for one word of the line. */
static void damage_words(Buf *out, const char *line, size_t length)
{
    static const char *const kinds[][12] = {
        {"r0", "r1", "r9", "u0", "u3", "l1", "t0", "tid", "gid", "cell", "c0", "%laneid"},
        {"d0", "d1", "w0", "w1", "w2", "base", "linear", "slots"},
        {"p0", "p1", "p2", "p3", "pl", "pu"},
        {"u32", "s32", "b32", "f32", "u64", "s64", "b64", "f64", "u16", "f16", "u8"},
        {"0", "1", "4", "31", "32", "-1", "4294967295", "1023", "0x7fffffff", "64"},
        {"add", "sub", "min", "max", "div", "rem", "and", "or", "xor", "shl", "shr", "mul24"},
        {"global", "shared", "local", "param", "const"},
        {"lt", "ge", "eq", "ne", "ltu", "nan", "hi"},
        {"ld", "st", "ldu", "prefetch"},
        {"bra", "exit", "ret", "trap"},
        {"wide", "lo", "hi"},
        {"bfly", "idx", "up", "down", "ballot", "any", "all", "uni"},
        {"vote", "match", "redux", "shfl"},
        {"barrier", "bar"},
        {"sync", "arrive", "red"},
        {"m0", "m1", "team", "lane", "ntid"},
    };
    size_t begin = damage_random((uint32_t)length), end;
    while (begin && (line[begin - 1] == '_' || line[begin - 1] == '%' ||
                     isalnum((unsigned char)line[begin - 1])))
        --begin;
    for (end = begin; end < length &&
                      (line[end] == '_' || line[end] == '%' || isalnum((unsigned char)line[end]));)
        ++end;
    buf_add(out, line, begin);
    const char *word = NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !word; ++k) {
        size_t n = 0;
        bool here = k == 4 && end > begin && isdigit((unsigned char)line[begin]);
        for (; n < 12 && kinds[k][n]; ++n)
            here |= strlen(kinds[k][n]) == end - begin &&
                    memcmp(kinds[k][n], line + begin, end - begin) == 0;
        if (here)
            word = kinds[k][damage_random((uint32_t)n)];
    }
    if (word)
        buf_puts(out, word);
    else
        buf_add(out, line + begin, end - begin);
    buf_add(out, line + end, length - end);
}

static void damage(const Buf *text, Buf *out)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->count; ++i)
        lines += text->data[i] == '\n';
    uint32_t hits[3];
    for (int k = 0; k < 3; ++k)
        hits[k] = (uint32_t)lines / 6 + damage_random((uint32_t)lines); /* some behind the end */
    const char *line = text->data, *last = text->data + text->count, *kept = line;
    for (uint32_t n = 0; line < last; ++n) {
        const char *end = memchr(line, '\n', (size_t)(last - line));
        end = end ? end + 1 : last;
        size_t length = (size_t)(end - line);
        if (n == hits[0] || n == hits[1])
            damage_words(out, line, length);
        else if (n == hits[2])
            buf_add(out, kept,
                    (size_t)((const char *)memchr(kept, '\n', (size_t)(last - kept)) + 1 -
                             kept)); /* another line */
        else
            buf_add(out, line, length);
        if (damage_random(8) == 0)
            kept = line;
        line = end;
    }
}

static unsigned damaged_compiled;

static bool compile_damaged(uint32_t seed)
{
    Buf whole = {0}, text = {0};
    flow_generate(seed, &whole);
    damage_state = seed * 2654435761u + 12345;
    damage(&whole, &text);
    Diags diags;
    diags_init(&diags);
    JitModule *module = jit_module_new(text.data, text.count, "damaged.ptx", &diags);
    JitOptions options = {.ntid = {seed % 2 ? 128 : 0, seed % 2, seed % 2},
                          .scalar = seed % 5 == 0};
    const GkKernel *kernel = module ? jit_kernel(module, "k", &options, &diags) : NULL;
    char *said = diags_text(&diags);
    damaged_compiled += kernel != NULL;
    bool ok = kernel || (diags.errors > 0 && !strstr(said, "internal") &&
                         !strstr(said, "gpukit-jit") && !strstr(said, "LLVM"));
    if (!ok)
        printf("FAIL damaged %u: %s\n", seed, said);
    free(said);
    jit_module_free(module);
    diags_fini(&diags);
    buf_free(&whole);
    buf_free(&text);
    return ok;
}

static int run_damaged(uint32_t first, uint32_t count)
{
    unsigned failed = 0;
    for (uint32_t seed = first; seed < first + count; ++seed)
        failed += !compile_damaged(seed);
    printf("%u damaged kernels, %u of them compiled, %u wrong\n", count, damaged_compiled, failed);
    return failed != 0 || !damaged_compiled;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        Buf ptx = {0};
        flow_generate((uint32_t)atoi(argv[2]), &ptx);
        fputs(ptx.data, stdout);
        buf_free(&ptx);
        return 0;
    }
    const char *mode = getenv("FLOW_MODE");
    if (mode)
        ops_engine_mode = (OpsEngineMode)atoi(mode);
    if (argc == 6 && strcmp(argv[1], "--file") == 0 && ops_runner)
        return run_file(argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]),
                        (uint32_t)atoi(argv[5]));
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!ops_runner) {
        fputs("test_flow: this build has no engine\n", stderr);
        return 3;
    }
    uint32_t first = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : DEFAULT_COUNT;
    if (argc > 1 && strcmp(argv[1], "--damage") == 0)
        return run_damaged(argc > 2 ? (uint32_t)atoi(argv[2]) : 1,
                           argc > 3 ? (uint32_t)atoi(argv[3]) : 40);
    unsigned failed = 0, run = 0;
    bool there = argc < 2;
    for (unsigned k = 0; there; ++k)
        failed += !run_fixed(k, &there);
    time_t end = time(NULL) + 240;
    for (uint32_t seed = first; seed < first + count && time(NULL) < end; ++seed, ++run)
        failed += !run_seed(seed);
    printf("%u random kernels, %u wrong\n", run, failed);
    return failed || !run ? 1 : 0;
}
