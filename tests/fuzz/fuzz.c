/* SPDX-License-Identifier: Apache-2.0
 *
 * What gpukit reads from strangers, fed to clang's libFuzzer (tests/fuzz.sh; no part of `make test`).
 * Built three times: FUZZ_PTX (text to IR, printed and parsed again; linked), FUZZ_CODE (each kernel of
 * a valid text through analysis and code generation, up to LLVM's verifier) and FUZZ_BOX (fat binaries and
 * programs that hold them). A finding is a crash, a sanitizer's report, an assertion, or a second text
 * that differs from the first. */
#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#ifdef FUZZ_BOX
#include "runtime/fatbin.h"
#include "source/binary.h"
#include "source/fatbin.h"

static void found(const FatbinEntry *entry, void *context)
{
    unsigned *sum = context; /* what an entry promises can be read */
    for (uint64_t i = 0; i < entry->padded; ++i)
        *sum += entry->payload[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    FatPtx ptx;
    char why[200];
    volatile unsigned sum = 0;
    unsigned n = 0;
    if (fatbin_ptx(data, bytes, 90, &ptx, why, sizeof why) == FATBIN_OK) {
        for (size_t i = 0; i < ptx.bytes; ++i)
            n += (unsigned char)ptx.text[i];
        fatbin_ptx_free(&ptx);
    }
    fatbin_scan(data, bytes, found, &n);
    sum += n;
    BinaryFacts facts;
    binary_inspect(data, bytes, &facts);
    return 0;
}
#else
#include "ptx/ptx.h"

/* Words change places with words, lines with lines; the fuzzer's own changes of bytes seldom leave PTX. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t room, unsigned seed);

static uint32_t state;
static uint32_t dice(uint32_t sides)
{
    state = state * 1664525u + 1013904223u;
    return sides ? (state >> 8) % sides : 0;
}

static bool is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '%' || c == '$';
}

typedef struct {
    size_t at, bytes;
} Piece;

static Piece a_word(const uint8_t *data, size_t bytes)
{
    size_t at = dice((uint32_t)bytes), end;
    while (at < bytes && !is_word(data[at]))
        ++at;
    while (at && is_word(data[at - 1]))
        --at;
    for (end = at; end < bytes && is_word(data[end]);)
        ++end;
    return (Piece){at, end - at};
}

static Piece a_line(const uint8_t *data, size_t bytes)
{
    size_t at = dice((uint32_t)bytes), end = at;
    while (at && data[at - 1] != '\n')
        --at;
    while (end < bytes && data[end++] != '\n')
        ;
    return (Piece){at, end - at};
}

static size_t put(uint8_t *data, size_t bytes, size_t room, Piece old, const uint8_t *with,
                  size_t n)
{
    if (bytes - old.bytes + n > room)
        return bytes;
    memmove(data + old.at + n, data + old.at + old.bytes, bytes - old.at - old.bytes);
    memcpy(data + old.at, with, n);
    return bytes - old.bytes + n;
}

static const char *const words[] = {"0",
                                    "1",
                                    "-1",
                                    "4294967295",
                                    "0x7fffffffffffffff",
                                    "0f7F800000",
                                    "0d7FF0000000000000",
                                    "u32",
                                    "s32",
                                    "b32",
                                    "u64",
                                    "s64",
                                    "b64",
                                    "f32",
                                    "f64",
                                    "f16",
                                    "f16x2",
                                    "bf16x2",
                                    "u16",
                                    "s16",
                                    "b16",
                                    "u8",
                                    "b128",
                                    "pred",
                                    "global",
                                    "shared",
                                    "local",
                                    "const",
                                    "param",
                                    "v2",
                                    "v4",
                                    "v8",
                                    "rn",
                                    "rz",
                                    "ftz",
                                    "sat",
                                    "wide",
                                    "lo",
                                    "hi",
                                    "sync",
                                    "aligned",
                                    "volatile",
                                    "relaxed",
                                    "acquire",
                                    "release",
                                    "gpu",
                                    "sys",
                                    "cta",
                                    "add",
                                    "cas",
                                    "exch",
                                    "warpsync",
                                    "uni",
                                    "func",
                                    "entry",
                                    "extern",
                                    "weak",
                                    "visible",
                                    "%tid",
                                    "%clock64",
                                    "%laneid",
                                    "WARP_SZ"};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t room, unsigned seed)
{
    state = seed;
    if (!bytes || dice(8) == 0)
        return LLVMFuzzerMutate(data, bytes, room);
    uint8_t copy[512];
    for (unsigned n = 1 + dice(3); n && bytes; --n) {
        bool line = dice(3) == 0;
        Piece from = line ? a_line(data, bytes) : a_word(data, bytes);
        Piece to = line ? a_line(data, bytes) : a_word(data, bytes);
        size_t length = from.bytes < sizeof copy ? from.bytes : sizeof copy;
        memcpy(copy, data + from.at, length);
        if (line && dice(2))
            to.bytes = 0; /* insert */
        if (line && dice(4) == 0)
            length = 0;
        const char *word = words[dice(sizeof words / sizeof *words)];
        if (!line && dice(3) == 0)
            bytes = put(data, bytes, room, to, (const uint8_t *)word, strlen(word));
        else
            bytes = put(data, bytes, room, to, copy, length);
    }
    return bytes;
}

#ifdef FUZZ_PTX
#include "runtime/ptxlink.h"

static IrModule *parse(const char *text, size_t bytes)
{
    Diags diags;
    diags_init(&diags);
    IrModule *module = ptx_parse(text, bytes, "fuzz", &diags);
    if (!module && diags.errors == 0)
        abort(); /* refused without a reason */
    diags_fini(&diags);
    return module;
}

static const char *behind_number(const char *at)
{
    if (*at == '$')
        for (at++; *at >= '0' && *at <= '9'; at++)
            ;
    return at;
}

/* Apart from the numbers of names that hide another: printing declares all functions in front, so that a
 * register with the name of a later function gets one. */
static bool same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        a = behind_number(a);
        b = behind_number(b);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    IrModule *one = parse((const char *)data, bytes);
    if (one) {
        Buf first = {0}, second = {0};
        ptx_print(one, &first);
        IrModule *two = parse(first.data, first.count);
        if (!two)
            abort(); /* what was printed does not parse */
        ptx_print(two, &second);
        if (!same_text(buf_text(&first), buf_text(&second)))
            abort(); /* what was printed is something else */
        buf_free(&first);
        buf_free(&second);
        ir_module_free(two);
    }
    ir_module_free(one);
    Buf linked = {0};
    char why[200];
    PtxText texts[2] = {{(const char *)data, bytes / 2},
                        {(const char *)data + bytes / 2, bytes - bytes / 2}};
    ptx_link(texts, 2, &linked, why, sizeof why);
    buf_free(&linked);
    return 0;
}
#else
#include "codegen/emit.h"

#include <llvm-c/Analysis.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    Diags diags;
    diags_init(&diags);
    IrModule *module = ptx_parse((const char *)data, bytes, "fuzz", &diags);
    if (module && !ir_verify(module, &diags)) {
        ir_module_free(module);
        module = NULL;
    }
    diags_fini(&diags);
    for (uint32_t i = 0; module && i < module->function_count; ++i) {
        if (!module->functions[i]->is_entry)
            continue;
        /* one variant an input: fewer inputs a second would find less */
        CodegenOptions options = {.features = bytes & 1 ? EMIT_AVX512 | EMIT_AVX2 | EMIT_F16C : 0,
                                  .by_lane = (bytes & 14) == 2};
        if (bytes & 16)
            options.ntid[0] = 256, options.ntid[1] = options.ntid[2] = 1;
        CodegenResult code;
        diags_init(&diags);
        if (codegen_kernel(module, module->functions[i]->name, &options, &code, &diags)) {
            char *message = NULL;
            if (LLVMVerifyModule(code.module, LLVMReturnStatusAction, &message)) {
                fprintf(stderr, "kernel %s: %s\n", module->functions[i]->name, message);
                abort();
            }
            LLVMDisposeMessage(message);
            LLVMDisposeModule(code.module);
            LLVMContextDispose(code.context);
        } else if (diags.errors == 0) {
            abort(); /* refused without a reason */
        }
        diags_fini(&diags);
    }
    ir_module_free(module);
    return 0;
}
#endif
#endif
