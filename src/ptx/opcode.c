/* SPDX-License-Identifier: Apache-2.0
 * Instruction words. The row of ops.def with the longest mnemonic whose pattern takes every suffix
 * wins; among rows of one mnemonic the first. Suffixes in another order than the pattern's are
 * accepted, as NVIDIA's assembler does (atom.add.release.gpu.u32); the IR keeps no order. */
#include "ir/shape.h"
#include "ptx/parser.h"

#include <string.h>

enum { OPCODE_SLOTS = 512 };

/* Bytes of `text` that `name` takes at its start: all of it, up to a dot or the end; or 0. */
static size_t taken(const char *text, size_t bytes, const char *name)
{
    size_t n = strlen(name);
    if (n > bytes || memcmp(text, name, n) != 0 || (n < bytes && text[n] != '.'))
        return 0;
    return n;
}

/* Tries an element of the pattern at `text`; its length, and the value in *value. */
static size_t match_element(const IrElement *element, const char *text, size_t bytes,
                            unsigned *value)
{
    size_t best = 0;
    if (element->class == MC_NONE) {
        for (unsigned type = 1; type < TY_COUNT; ++type) {
            size_t n = taken(text, bytes, ir_type_info[type].text);
            if (n > best) {
                best = n;
                *value = type;
            }
        }
        return best;
    }
    for (unsigned mod = 1; mod < MOD_END; ++mod) {
        if (ir_mod_info[mod].class != element->class)
            continue;
        size_t n = taken(text, bytes, ir_mod_info[mod].text);
        if (n > best) {
            best = n;
            *value = mod;
        }
    }
    return best;
}

static void set_element(IrInsn *insn, const IrElement *element, unsigned value)
{
    if (element->class == MC_NONE)
        insn->types[insn->type_count++] = (uint8_t)value;
    else
        insn->mod[element->class] = (uint16_t)value;
}

/* Matches suffixes (without the leading dot); *reached: the furthest suffix that did not fit. */
static bool match_in_order(const IrShape *shape, const char *text, size_t bytes, IrInsn *insn,
                           size_t *reached)
{
    size_t at = 0;
    for (unsigned i = 0; i < shape->element_count; ++i) {
        const IrElement *element = &shape->elements[i];
        unsigned value = 0;
        size_t n = at < bytes ? match_element(element, text + at, bytes - at, &value) : 0;
        if (n && element->class == MC_NONE && insn->type_count == IR_MAX_TYPES)
            n = 0;
        if (n) {
            set_element(insn, element, value);
            at += n + (at + n < bytes);
        } else if (!element->optional) {
            if (at > *reached)
                *reached = at;
            return false;
        }
    }
    if (at > *reached)
        *reached = at;
    return at >= bytes;
}

static bool match_any_order(const IrShape *shape, const char *text, size_t bytes, IrInsn *insn,
                            size_t *reached)
{
    uint32_t used = 0;
    for (size_t at = 0; at < bytes;) {
        size_t n = 0;
        for (unsigned i = 0; i < shape->element_count && !n; ++i) {
            unsigned value = 0;
            if (used >> i & 1)
                continue;
            n = match_element(&shape->elements[i], text + at, bytes - at, &value);
            if (n) {
                used |= 1u << i;
                set_element(insn, &shape->elements[i], value);
            }
        }
        if (!n) {
            if (at > *reached)
                *reached = at;
            return false;
        }
        at += n + (at + n < bytes);
    }
    for (unsigned i = 0; i < shape->element_count; ++i)
        if (!shape->elements[i].optional && !(used >> i & 1)) {
            *reached = bytes;
            return false;
        }
    return true;
}

static bool types_fit(unsigned op, const IrInsn *insn)
{
    uint32_t set = ir_op_info[op].types;
    return !set || (insn->type_count && set >> ir_type_info[insn->types[0]].class & 1);
}

typedef struct {
    size_t mnemonic; /* longest that some row has; 0 = none */
    size_t reached;  /* from the start of the word */
    bool bad_type;
} Failure;

static bool match_rows(const char *text, size_t bytes, size_t mnemonic, bool ordered, IrInsn *out,
                       Failure *failure)
{
    size_t skip = mnemonic + (mnemonic < bytes);
    for (unsigned op = 0; op < OP_COUNT; ++op) {
        const char *name = ir_op_info[op].text;
        if (strlen(name) != mnemonic || memcmp(name, text, mnemonic) != 0)
            continue;
        if (mnemonic > failure->mnemonic)
            failure->mnemonic = mnemonic;
        IrInsn insn = {.op = (uint16_t)op, .guard = -1, .loc_file = -1};
        size_t reached = 0;
        bool fits = (ordered ? match_in_order : match_any_order)(ir_shape(op), text + skip,
                                                                 bytes - skip, &insn, &reached);
        if (fits && types_fit(op, &insn)) {
            *out = insn;
            return true;
        }
        failure->bad_type |= fits;
        if (skip + reached > failure->reached)
            failure->reached = skip + reached;
    }
    return false;
}

static bool match_word(const char *text, size_t bytes, IrInsn *insn, Failure *failure)
{
    for (int ordered = 1; ordered >= 0; --ordered)
        for (size_t n = bytes; n > 0; --n)
            if ((n == bytes || text[n] == '.') &&
                match_rows(text, bytes, n, ordered, insn, failure))
                return true;
    return false;
}

static void report(Parser *p, const Token *word, const Failure *failure)
{
    int length = (int)word->bytes;
    if (!failure->mnemonic) {
        size_t n = 0;
        while (n < word->bytes && word->start[n] != '.')
            ++n;
        parse_error_at(p, word, "unknown instruction '%.*s'", (int)n, word->start);
        return;
    }
    size_t at = failure->reached;
    if (failure->bad_type) {
        parse_error_at(p, word, "'%.*s' does not exist for this type", length, word->start);
        return;
    }
    if (at >= word->bytes) {
        parse_error_at(p, word, "'%.*s' lacks a suffix", length, word->start);
        return;
    }
    size_t end = at;
    while (end < word->bytes && word->start[end] != '.')
        ++end;
    Token suffix = *word;
    suffix.start += at;
    parse_error_at(p, &suffix, "instruction '%.*s' does not take the suffix '.%.*s' here", length,
                   word->start, (int)(end - at), word->start + at);
}

/* PTX that gpukit knows by name only: a function that uses it is refused when a kernel needs it, the
 * rest of the module works. Rows of ops.def come first: some of a family may run. */
const char *const ptx_refused[] = {"mbarrier.",      "wgmma.",
                                   "tcgen05.",       "cp.async.bulk",
                                   "cp.reduce.",     "txq.",
                                   "suq.",           "sured.",
                                   "multimem.",      "tensormap.",
                                   "st.async.",      "red.async.",
                                   "st.bulk",        "clusterlaunchcontrol.",
                                   "tex.",           "fma.rn.oob",
                                   "istypep.",       "discard.",
                                   "applypriority.", "wmma.",
                                   "mma.",           "tld4.",
                                   "cvt.rs.",        NULL};

/* Suffixes that no instruction here takes: Blackwell's narrow types, matrices of them, sums of mixed
 * types. */
static const char *const refused_suffixes[] = {".e2m1",     ".e2m3",     ".e3m2",  ".ue8m0",
                                               ".ue4m3",    ".s2f6",     ".b4x16", ".b6x16",
                                               ".m16n16",   ".m8n16",    ".kind",  ".scale_vec",
                                               ".f32.bf16", ".f32.f16"};

static bool has_part(const Token *word, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= word->bytes; ++i)
        if (memcmp(word->start + i, part, n) == 0)
            return true;
    return false;
}

bool opcode_refused(const Token *word)
{
    for (size_t i = 0; ptx_refused[i]; ++i) {
        size_t n = strlen(ptx_refused[i]);
        if (word->bytes >= n && memcmp(word->start, ptx_refused[i], n) == 0)
            return true;
    }
    size_t mnemonic = 0; /* of an instruction that there is */
    while (mnemonic < word->bytes && word->start[mnemonic] != '.')
        ++mnemonic;
    bool known = false;
    for (unsigned op = 0; op < OP_COUNT && !known; ++op)
        known = strncmp(ir_op_info[op].text, word->start, mnemonic) == 0 &&
                (ir_op_info[op].text[mnemonic] == 0 || ir_op_info[op].text[mnemonic] == '.');
    for (size_t i = 0; known && i < sizeof refused_suffixes / sizeof *refused_suffixes; ++i)
        if (has_part(word, refused_suffixes[i]))
            return true;
    return false;
}

bool opcode_find(Parser *p, const Token *word, IrInsn *insn)
{
    if (!p->opcodes)
        p->opcodes = ARENA_ARRAY(p->scratch, OpcodeEntry *, OPCODE_SLOTS);
    uint32_t hash = (uint32_t)hash_bytes(word->start, word->bytes, 0);
    OpcodeEntry **slot = &p->opcodes[hash % OPCODE_SLOTS];
    for (OpcodeEntry *entry = *slot; entry; entry = entry->next)
        if (entry->hash == hash && entry->bytes == word->bytes &&
            memcmp(entry->text, word->start, word->bytes) == 0) {
            *insn = entry->insn;
            return true;
        }
    Failure failure = {0};
    IrInsn found;
    if (!match_word(word->start, word->bytes, &found, &failure)) {
        if (!opcode_refused(word))
            report(p, word, &failure);
        return false;
    }
    OpcodeEntry *entry = ARENA_NEW(p->scratch, OpcodeEntry);
    *entry = (OpcodeEntry){word->start, word->bytes, hash, *slot, found};
    *slot = entry;
    *insn = found;
    return true;
}
