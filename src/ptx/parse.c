/* SPDX-License-Identifier: Apache-2.0
 * The PTX parser's outer part: module directives, statements, recovery after errors. Checks syntax
 * and names; ir/verify.c checks operands and types. */
#include "ptx/ptx.h"
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens and errors ---- */

static int column_of(const Parser *p, const Token *at)
{
    const char *start = at->start;
    const char *text = p->lexer.line_start; /* of the present line; search back for older tokens */
    if (at->line == p->lexer.line && text <= start)
        return (int)(start - text) + 1;
    int column = 1;
    while (column < 100000 && start[-column] != '\n')
        ++column;
    return column;
}

void parse_error_at(Parser *p, const Token *at, const char *format, ...)
{
    bool silent = p->failed || p->too_many;
    p->failed = true;
    if (silent)
        return;
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    if (p->loc_line > 0 && p->function)
        diag_add(p->diags, DIAG_ERROR, p->module->name, at->line, column_of(p, at),
                 "%s, in '%s' at line %d of its source", text, p->function->name, p->loc_line);
    else
        diag_add(p->diags, DIAG_ERROR, p->module->name, at->line, column_of(p, at), "%s", text);
    free(text);
    if (++p->errors >= PTX_MAX_ERRORS) {
        diag_add(p->diags, DIAG_NOTE, p->module->name, at->line, 0, "too many errors, giving up");
        p->too_many = true;
    }
}

void parse_error(Parser *p, const char *format, ...)
{
    if (p->failed || p->too_many) {
        p->failed = true; /* silent, but nothing goes on as if it were good */
        return;
    }
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    const Token *t = &p->token;
    if (t->kind == T_END)
        parse_error_at(p, t, "%s, but the text ends", text);
    else if (t->kind == T_BAD && ((unsigned char)*t->start < ' ' || (unsigned char)*t->start > '~'))
        parse_error_at(p, t, "%s, but the byte 0x%02x is no PTX", text, (unsigned char)*t->start);
    else if (t->kind == T_BAD)
        parse_error_at(p, t, "%s, but '%.*s' is no PTX", text, (int)(t->bytes < 40 ? t->bytes : 40),
                       t->start);
    else
        parse_error_at(p, t, "%s (at '%.*s')", text, (int)(t->bytes < 80 ? t->bytes : 80),
                       t->start);
    free(text);
}

void next(Parser *p)
{
    if (p->too_many) {
        p->token.kind = T_END;
        return;
    }
    lexer_next(&p->lexer, &p->token);
}

bool at_punct(const Parser *p, unsigned punct)
{
    return p->token.kind == T_PUNCT && p->token.punct == punct;
}

bool at_word(const Parser *p, const char *word)
{
    size_t n = strlen(word);
    return p->token.kind == T_WORD && p->token.bytes == n && memcmp(p->token.start, word, n) == 0;
}

bool accept_punct(Parser *p, unsigned punct)
{
    if (!at_punct(p, punct))
        return false;
    next(p);
    return true;
}

bool accept_word(Parser *p, const char *word)
{
    if (!at_word(p, word))
        return false;
    next(p);
    return true;
}

bool expect_punct(Parser *p, unsigned punct, const char *where)
{
    if (accept_punct(p, punct))
        return true;
    parse_error(p, "expected '%c' behind %s", (char)punct, where);
    return false;
}

/* After an error: to behind the next ';', or in front of a brace. */
static void recover(Parser *p)
{
    while (p->token.kind != T_END && !at_punct(p, '{') && !at_punct(p, '}') && !at_punct(p, ';'))
        next(p);
    if (at_punct(p, ';'))
        next(p);
    p->failed = false;
}

/* ---- directives anywhere ---- */

static bool
parse_loc(Parser *p) /* .loc file line column [, function_name l] [, inlined_at f l c] */
{
    uint64_t numbers[3] = {0};
    for (int i = 0; i < 3; ++i) {
        if (p->token.kind != T_INT) {
            parse_error(p, "expected file, line and column behind .loc");
            return false;
        }
        numbers[i] = p->token.value;
        next(p);
    }
    p->loc_file = numbers[0] < 1u << 30 ? (int32_t)numbers[0] : -1;
    p->loc_line = numbers[1] < 1u << 30 ? (int32_t)numbers[1] : 0;
    if (p->loc_line == 0)
        p->loc_file = -1;
    while (accept_punct(p, ',')) {
        if (accept_word(p, "function_name")) {
            if (p->token.kind == T_WORD)
                next(p);
            if (accept_punct(p, '+') && p->token.kind == T_INT)
                next(p);
        } else if (accept_word(p, "inlined_at")) {
            for (int i = 0; i < 3 && p->token.kind == T_INT; ++i)
                next(p);
        } else {
            parse_error(p, "expected function_name or inlined_at");
            return false;
        }
    }
    return true;
}

static bool parse_file(Parser *p) /* .file number "name" ["name"] [, time, size] */
{
    IrFile file = {0};
    if (p->token.kind == T_INT) {
        file.index = p->token.value < 1u << 30 ? (int)p->token.value : -1;
        next(p);
    }
    if (p->token.kind != T_STRING) {
        parse_error(p, "expected a file name");
        return false;
    }
    file.name = arena_strndup(p->arena, p->token.start, p->token.bytes);
    next(p);
    if (p->token.kind == T_STRING) { /* folder and name */
        file.name =
            arena_printf(p->arena, "%s/%.*s", file.name, (int)p->token.bytes, p->token.start);
        next(p);
    }
    while (accept_punct(p, ','))
        if (p->token.kind == T_INT)
            next(p);
    VEC_PUSH(p->files, file);
    return true;
}

static bool parse_section(Parser *p) /* .section name { ... }: debug information, skipped */
{
    while (p->token.kind != T_END && !at_punct(p, '{') && !at_punct(p, ';'))
        next(p);
    if (!at_punct(p, '{')) {
        parse_error(p, "expected '{' behind .section");
        return false;
    }
    Token open = p->token;
    if (!lexer_skip_braces(&p->lexer)) {
        parse_error_at(p, &open, "this brace is never closed");
        p->token.kind = T_END;
        return false;
    }
    next(p);
    return true;
}

static bool parse_pragma(Parser *p)
{
    while (p->token.kind == T_STRING || at_punct(p, ','))
        next(p);
    return expect_punct(p, ';', ".pragma");
}

/* True when the word was one of these directives. */
static bool common_directive(Parser *p)
{
    if (accept_word(p, ".loc"))
        parse_loc(p);
    else if (accept_word(p, ".file"))
        parse_file(p);
    else if (accept_word(p, ".section"))
        parse_section(p);
    else if (accept_word(p, ".pragma"))
        parse_pragma(p);
    else
        return false;
    return true;
}

/* ---- statements ---- */

static void parse_table(Parser *p, Ident *ident)
{
    IrTable table = {.name = unique_name(p, ident)};
    int32_t index = (int32_t)p->tables.count;
    if (accept_word(p, ".callprototype"))
        table.prototype = parse_prototype(p);
    else {
        bool branches = at_word(p, ".branchtargets");
        VEC(int32_t) entries = {0};
        next(p);
        do {
            if (p->token.kind != T_WORD) {
                parse_error(p, "expected a label or function");
                break;
            }
            Binding *target = branches ? NULL : lookup(p, p->token.start, p->token.bytes);
            if (target && target->kind == B_SYMBOL && !table.prototype)
                table.prototype = target->symbol->function; /* any target says the prototype */
            if (branches) {
                PendingLabel pending = {ident_get(p, p->token.start, p->token.bytes), p->token,
                                        -1 - index, (int32_t)entries.count, false};
                VEC_PUSH(p->pending, pending);
            }
            VEC_PUSH(entries, 0);
            next(p);
        } while (accept_punct(p, ','));
        if (branches) {
            table.labels = ARENA_ARRAY(p->arena, int32_t, entries.count);
            table.label_count = (int32_t)entries.count;
        }
        VEC_FREE(entries);
    }
    VEC_PUSH(p->tables, table);
    binding_add(p, ident, B_TABLE, p->depth)->index = index;
    expect_punct(p, ';', "a table");
}

static void parse_label_or_table(Parser *p, const Token *word) /* at the colon */
{
    Ident *ident = ident_get(p, word->start, word->bytes);
    next(p);
    if (binding_here(p, ident)) {
        parse_error_at(p, word, "'%s' is declared twice", ident->name);
        p->failed = false;
        return;
    }
    if (at_word(p, ".branchtargets") || at_word(p, ".calltargets") ||
        at_word(p, ".callprototype")) {
        parse_table(p, ident);
        return;
    }
    binding_add(p, ident, B_LABEL, p->depth)->index = (int32_t)p->labels.count;
    IrLabel label = {unique_name(p, ident), (int32_t)p->insns.count};
    VEC_PUSH(p->labels, label);
}

static bool parse_guard(Parser *p, IrInsn *guard)
{
    guard->guard_negated = accept_punct(p, '!');
    Token at = p->token;
    Binding *binding = at.kind == T_WORD ? lookup(p, at.start, at.bytes) : NULL;
    if (!binding || binding->kind != B_REG) {
        parse_error(p, "expected a predicate register behind '@'");
        return false;
    }
    guard->guard = binding->index;
    next(p);
    return true;
}

/* mov.v4.u32 {a, b, c, d}, %tid: a move for each element. */
static void push_moves(Parser *p, const Token *word, const IrInsn *insn)
{
    const IrOperand *d = &insn->operands[0], *s = &insn->operands[1];
    unsigned count = insn->mod[MC_VEC] == MOD_v2 ? 2 : insn->mod[MC_VEC] == MOD_v4 ? 4 : 8;
    if (d->kind != OPND_vector || s->kind != OPND_vector || d->count != count ||
        s->count != count) {
        parse_error_at(p, word, "'%.*s' takes two vectors of %u elements", (int)word->bytes,
                       word->start, count);
        return;
    }
    for (unsigned k = 0; k < count; ++k) {
        IrInsn move = *insn;
        move.mod[MC_VEC] = 0;
        move.operands[0] = d->items[k];
        move.operands[1] = s->items[k];
        for (unsigned i = 0; i < k; ++i)
            if (s->items[k].kind == OPND_reg && d->items[i].reg == s->items[k].reg) {
                parse_error_at(p, word, "'%.*s' reads a register that it writes", (int)word->bytes,
                               word->start);
                return;
            }
        if (d->items[k].kind != OPND_sink)
            VEC_PUSH(p->insns, move);
    }
}

static void parse_instruction(Parser *p)
{
    IrInsn insn, guard = {.guard = -1};
    if (accept_punct(p, '@') && !parse_guard(p, &guard))
        return;
    if (p->token.kind != T_WORD) {
        parse_error(p, "expected an instruction");
        return;
    }
    int line = p->token.line;
    Token word = p->token;
    if (!opcode_find(p, &word, &insn)) {
        if (!opcode_refused(&word))
            return;
        if (p->function && !p->function->refused_count++) {
            p->function->refused = arena_strndup(p->module->arena, word.start, word.bytes);
            p->function->refused_line = line;
            p->function->refused_loc_line = p->loc_line;
            p->function->refused_loc_file = p->loc_file;
        }
        while (p->token.kind != T_END && !at_punct(p, ';'))
            next(p);
        expect_punct(p, ';', "an instruction");
        return;
    }
    insn.guard = guard.guard;
    insn.guard_negated = guard.guard_negated;
    insn.line = line;
    insn.loc_line = p->loc_line;
    insn.loc_file = p->loc_file;
    size_t pending = p->pending.count;
    if (!parse_operands(p, &insn, (int32_t)p->insns.count) ||
        !expect_punct(p, ';', "an instruction")) {
        p->pending.count = pending;
        return;
    }
    if (insn.op == OP_mov && insn.mod[MC_VEC])
        push_moves(p, &word, &insn);
    else
        VEC_PUSH(p->insns, insn);
}

static unsigned accept_linkage(Parser *p)
{
    static const struct {
        const char *word;
        unsigned linkage;
    } words[] = {{".visible", LINK_VISIBLE},
                 {".extern", LINK_EXTERN},
                 {".weak", LINK_WEAK},
                 {".common", LINK_COMMON}};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (accept_word(p, words[i].word))
            return words[i].linkage;
    return LINK_NONE;
}

static void parse_statement(Parser *p)
{
    if (accept_punct(p, ';'))
        return;
    if (p->token.kind == T_WORD && p->token.start[0] == '.') {
        if (common_directive(p))
            return;
        if (at_word(p, ".reg"))
            parse_registers(p);
        else
            parse_variables(p, accept_linkage(p));
        return;
    }
    if (p->token.kind == T_WORD) {
        Token word = p->token;
        Lexer before = p->lexer;
        if (p->lexer.at < p->lexer.end && *p->lexer.at == ':') { /* the usual form of a label */
            next(p);
            parse_label_or_table(p, &word);
            return;
        }
        if (!memchr(word.start, '.', word.bytes)) {
            next(p);
            if (at_punct(p, ':')) {
                parse_label_or_table(p, &word);
                return;
            }
            p->lexer = before;
            p->token = word;
        }
    }
    parse_instruction(p);
}

void parse_body(Parser *p)
{
    int bottom = p->depth;
    for (;;) {
        if (p->token.kind == T_END) {
            parse_error(p, "expected '}' at the end of '%s'",
                        p->function && p->function->name ? p->function->name : "a function");
            while (p->depth > bottom)
                scope_pop(p);
            return;
        }
        if (accept_punct(p, '{'))
            scope_push(p);
        else if (accept_punct(p, '}')) {
            if (p->depth == bottom)
                return;
            scope_pop(p);
        } else {
            const char *before = p->lexer.at;
            bool stuck = p->token.kind == T_PUNCT || p->token.kind == T_BAD;
            parse_statement(p);
            if (p->failed) {
                if (stuck && p->lexer.at == before)
                    next(p);
                recover(p);
            }
        }
    }
}

/* ---- the module ---- */

static void parse_version(Parser *p)
{
    double value = 0;
    if (p->token.kind == T_FLOAT && !p->token.single)
        memcpy(&value, &p->token.value, sizeof value);
    if (value < 1 || value > 99) {
        parse_error(p, "expected a version such as 7.8");
        return;
    }
    p->module->version_major = (int)value;
    p->module->version_minor = (int)((value - (int)value) * 10 + 0.5);
    if (p->module->version_major > 9)
        parse_error(p, "PTX %d.%d is newer than 9.x, which is the newest known",
                    p->module->version_major, p->module->version_minor);
    next(p);
}

static void parse_target(Parser *p)
{
    bool first = true;
    do {
        if (p->token.kind != T_WORD) {
            parse_error(p, "expected a target such as sm_80");
            return;
        }
        if (first) {
            p->module->target = arena_strndup(p->arena, p->token.start, p->token.bytes);
            if (strncmp(p->module->target, "sm_", 3) == 0)
                p->module->sm = atoi(p->module->target + 3);
            if (p->module->sm < 10) {
                parse_error(p, "expected a target such as sm_80");
                return;
            }
        } else if (at_word(p, "debug"))
            p->module->debug = true;
        first = false;
        next(p);
    } while (accept_punct(p, ','));
}

static void parse_address_size(Parser *p)
{
    if (p->token.kind != T_INT || (p->token.value != 32 && p->token.value != 64)) {
        parse_error(p, "expected 64");
        return;
    }
    p->module->address_size = (int)p->token.value;
    if (p->token.value == 32)
        parse_error(p, "32-bit PTX is not supported: compile with 64-bit addresses");
    next(p);
}

static void parse_alias(Parser *p) /* .alias name, aliasee; both are functions */
{
    IrSymbol *symbols[2] = {0};
    for (int i = 0; i < 2; ++i) {
        Binding *binding =
            p->token.kind == T_WORD ? lookup(p, p->token.start, p->token.bytes) : NULL;
        if (!binding || binding->kind != B_SYMBOL || binding->symbol->kind != SYM_FUNCTION) {
            parse_error(p, "expected a declared function behind .alias");
            return;
        }
        symbols[i] = binding->symbol;
        next(p);
        if (i == 0 && !expect_punct(p, ',', "the name of an alias"))
            return;
    }
    if (symbols[0]->function->is_extern)
        symbols[0]->function = symbols[1]->function;
    expect_punct(p, ';', ".alias");
}

static void parse_top(Parser *p)
{
    if (accept_punct(p, ';'))
        return;
    if (common_directive(p))
        return;
    if (accept_word(p, ".version"))
        parse_version(p);
    else if (accept_word(p, ".target"))
        parse_target(p);
    else if (accept_word(p, ".address_size"))
        parse_address_size(p);
    else if (accept_word(p, ".alias"))
        parse_alias(p);
    else {
        unsigned linkage = accept_linkage(p);
        if (at_word(p, ".entry") || at_word(p, ".func"))
            parse_function(p, linkage);
        else if (p->token.kind == T_WORD && p->token.start[0] == '.')
            parse_variables(p, linkage);
        else
            parse_error(p, "expected a declaration");
    }
}

/* Skips the blocks of what could not be read at module scope. */
static void recover_top(Parser *p)
{
    recover(p);
    if (at_punct(p, '{')) {
        if (!lexer_skip_braces(&p->lexer))
            p->token.kind = T_END;
        else
            next(p);
        accept_punct(p, ';');
    } else if (at_punct(p, '}'))
        next(p);
}

/* .loc names files by number; the .file table may stand behind it. */
static void number_files(Parser *p)
{
    VEC(int32_t) map = {0};
    for (size_t i = 0; i < p->files.count; ++i) {
        int number = p->files.items[i].index;
        if (number < 0 || number > 1 << 20)
            continue;
        while (map.count <= (size_t)number)
            VEC_PUSH(map, -1);
        map.items[number] = (int32_t)i;
    }
#define NAMED(file) ((file) >= 0 && (size_t)(file) < map.count ? map.items[file] : -1)
    for (size_t f = 0; f < p->functions.count; ++f) {
        IrFunction *function = p->functions.items[f];
        function->refused_loc_file = NAMED(function->refused_loc_file);
        for (int32_t i = 0; i < function->insn_count; ++i) {
            IrInsn *insn = &function->insns[i];
            insn->loc_file = NAMED(insn->loc_file);
            if (insn->loc_file < 0)
                insn->loc_line = 0;
        }
    }
#undef NAMED
    VEC_FREE(map);
}

static void finish_module(Parser *p)
{
    IrModule *m = p->module;
    m->symbols = ARENA_ARRAY(p->arena, IrSymbol *, p->symbols.count);
    m->functions = ARENA_ARRAY(p->arena, IrFunction *, p->functions.count);
    m->files = ARENA_ARRAY(p->arena, IrFile, p->files.count);
    for (size_t i = 0; i < p->symbols.count; ++i)
        m->symbols[i] = p->symbols.items[i];
    for (size_t i = 0; i < p->functions.count; ++i)
        m->functions[i] = p->functions.items[i];
    for (size_t i = 0; i < p->files.count; ++i)
        m->files[i] = p->files.items[i];
    m->symbol_count = (uint32_t)p->symbols.count;
    m->function_count = (uint32_t)p->functions.count;
    m->file_count = (uint32_t)p->files.count;
}

static void parse_module(Parser *p)
{
    next(p);
    if (!at_word(p, ".version")) {
        parse_error(p, "expected .version: this is not PTX");
        return;
    }
    while (p->token.kind != T_END && !p->too_many) {
        const char *before = p->lexer.at;
        parse_top(p);
        if (p->failed) {
            if (p->lexer.at == before)
                next(p);
            recover_top(p);
        }
    }
    p->failed = false;
    finish_relocs(p);
    number_files(p);
    finish_module(p);
    p->failed = false;
    if (!p->module->target)
        parse_error(p, ".target is missing");
}

IrModule *ptx_parse(const char *text, size_t bytes, const char *name, Diags *diags)
{
    while (bytes && (text[bytes - 1] == 0 || text[bytes - 1] == '\n'))
        bytes--;
    Parser *p = xcalloc(1, sizeof *p);
    p->module = ir_module_new(name);
    p->arena = p->module->arena;
    /* a copy with a newline in front: columns are found by looking back */
    p->scratch = arena_new();
    char *copy = arena_alloc(p->scratch, bytes + 2);
    copy[0] = '\n';
    if (bytes)
        memcpy(copy + 1, text, bytes);
    p->diags = diags;
    p->module->address_size = 64;
    lexer_init(&p->lexer, copy + 1, bytes);
    parse_module(p);
    IrModule *module = p->module;
    if (p->errors) {
        ir_module_free(module);
        module = NULL;
    } else
        rename_hiding(p);
    free(p->idents);
    VEC_FREE(p->regs);
    VEC_FREE(p->insns);
    VEC_FREE(p->labels);
    VEC_FREE(p->tables);
    VEC_FREE(p->locals);
    VEC_FREE(p->pending);
    VEC_FREE(p->symbols);
    VEC_FREE(p->functions);
    VEC_FREE(p->relocs);
    VEC_FREE(p->files);
    arena_free(p->scratch);
    free(p);
    return module;
}
