/* SPDX-License-Identifier: Apache-2.0
 * Declarations: variables with their initialisers, registers, parameters, heads of functions.
 * PTX ISA, "State spaces, types and variables" and "Kernel and function directives". */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = 16, MAX_INIT_BYTES = 1 << 28, MAX_PARAM_BYTES = 1 << 20 };

typedef struct {
    uint8_t space, type, vec;
    bool managed, texref, is_register;
    uint32_t align; /* 0 = natural */
} Decl;

/* ---- types and attributes in front of a name ---- */

static unsigned space_of_word(const Parser *p)
{
    static const struct {
        const char *word;
        unsigned space;
    } spaces[] = {
        {".global", MOD_global}, {".const", MOD_const}, {".shared", MOD_shared},
        {".local", MOD_local},   {".param", MOD_param}, {".tex", MOD_global},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; ++i)
        if (at_word(p, spaces[i].word))
            return spaces[i].space;
    return MOD_none;
}

static bool parse_align(Parser *p, uint32_t *align)
{
    uint64_t value;
    Token at = p->token;
    if (!parse_whole(p, &value, "an alignment"))
        return false;
    if (value == 0 || value > 1u << 20 || (value & (value - 1))) {
        parse_error_at(p, &at, "an alignment must be a power of two");
        return false;
    }
    *align = (uint32_t)value;
    return true;
}

static bool parse_attribute(Parser *p, Decl *decl)
{
    if (!expect_punct(p, '(', ".attribute"))
        return false;
    int depth = 1;
    while (depth && p->token.kind != T_END) {
        if (at_word(p, ".managed"))
            decl->managed = true;
        depth += at_punct(p, '(');
        depth -= at_punct(p, ')');
        next(p);
    }
    return !p->failed;
}

static bool parse_decl(Parser *p, Decl *decl)
{
    decl->vec = 1;
    for (; p->token.kind == T_WORD && p->token.start[0] == '.';) {
        unsigned type = type_of_word(&p->token), space = space_of_word(p);
        if (type) {
            decl->type = (uint8_t)type;
            next(p);
        } else if (accept_word(p, ".align")) {
            if (!parse_align(p, &decl->align))
                return false;
        } else if (accept_word(p, ".v2"))
            decl->vec = 2;
        else if (accept_word(p, ".v4"))
            decl->vec = 4;
        else if (accept_word(p, ".attribute")) {
            if (!parse_attribute(p, decl))
                return false;
        } else if (at_word(p, ".texref") || at_word(p, ".surfref") || at_word(p, ".samplerref")) {
            decl->texref = true;
            decl->type = TY_u64;
            next(p);
        } else if (accept_word(p, ".ptr")) { /* .ptr .global .align 4: hints about the pointer */
            uint32_t align;
            if (space_of_word(p))
                next(p);
            if (accept_word(p, ".align") && !parse_align(p, &align))
                return false;
        } else if (space && !decl->space) {
            decl->space = (uint8_t)space;
            decl->texref |= at_word(p, ".tex");
            next(p);
        } else if (at_word(p, ".reg") && !decl->space && !decl->is_register) {
            decl->is_register = true;
            next(p);
        } else {
            parse_error(p, "'%.*s' cannot stand in a declaration", (int)p->token.bytes,
                        p->token.start);
            return false;
        }
    }
    if (!decl->type) {
        parse_error(p, "expected a type such as .b32");
        return false;
    }
    return true;
}

static uint32_t element_bytes(const Decl *decl)
{
    uint32_t bits = ir_type_bits((IrType)decl->type);
    return (bits + 7) / 8 * decl->vec;
}

static IrSymbol *symbol_new(Parser *p, const Decl *decl, const char *name, IrSymbolKind kind)
{
    IrSymbol *symbol = ARENA_NEW(p->arena, IrSymbol);
    symbol->name = name;
    symbol->kind = (uint8_t)kind;
    symbol->space = decl->space;
    symbol->type = decl->texref ? TY_u64 : decl->type;
    symbol->vec = decl->vec;
    symbol->is_managed = decl->managed;
    symbol->is_texref = decl->texref;
    symbol->align = decl->align ? decl->align : element_bytes(decl);
    symbol->size = element_bytes(decl);
    symbol->line = p->token.line;
    return symbol;
}

/* ---- arrays and initialisers ---- */

typedef struct {
    uint64_t dims[MAX_DIMS];
    unsigned count;
} Dims;

static bool parse_dims(Parser *p, IrSymbol *symbol, Dims *dims)
{
    dims->count = 0;
    uint64_t size = symbol->size;
    while (accept_punct(p, '[')) {
        Token at = p->token;
        uint64_t n = 0;
        if (!at_punct(p, ']') && !parse_whole(p, &n, "an array size"))
            return false;
        if (!expect_punct(p, ']', "an array size"))
            return false;
        if (dims->count == MAX_DIMS || __builtin_mul_overflow(size, n, &size) || size >> 46) {
            parse_error_at(p, &at, "'%s' is too large", symbol->name);
            return false;
        }
        dims->dims[dims->count++] = n;
        symbol->is_array = true;
    }
    symbol->size = size;
    return true;
}

typedef struct {
    IrSymbol *symbol;
    uint32_t element; /* bytes of one scalar */
    uint64_t strides[MAX_DIMS + 2];
    unsigned levels;
    uint64_t room; /* bytes; MAX_INIT_BYTES while the size is open */
    Buf bytes;
    VEC(IrReloc) relocs;
} Init;

static void init_put(Init *init, uint64_t at, const void *bytes, size_t count)
{
    static const uint8_t zeros[64];
    while (init->bytes.count < at + count) {
        uint64_t missing = at + count - init->bytes.count;
        buf_add(&init->bytes, zeros, missing < sizeof zeros ? missing : sizeof zeros);
    }
    memcpy(init->bytes.data + at, bytes, count);
}

/* symbol, symbol + 4, generic(symbol) + 4 */
static bool init_address(Parser *p, Init *init, uint64_t at, unsigned size, unsigned byte)
{
    IrReloc reloc = {.at = (uint32_t)at, .size = (uint8_t)size, .byte = (uint8_t)byte};
    bool generic = accept_word(p, "generic");
    if (generic && !expect_punct(p, '(', "generic"))
        return false;
    reloc.generic = generic;
    if (p->token.kind != T_WORD) {
        parse_error(p, "expected the name of a variable or function");
        return false;
    }
    Ident *ident = ident_get(p, p->token.start, p->token.bytes);
    Binding *binding = ident->binding;
    reloc.symbol = binding && binding->kind == B_SYMBOL ? binding->symbol : NULL;
    PendingReloc pending = {init->symbol, (uint32_t)init->relocs.count, p->token};
    if (!reloc.symbol)
        VEC_PUSH(p->relocs, pending);
    next(p);
    if (generic && !expect_punct(p, ')', "generic"))
        return false;
    while (at_punct(p, '+') || at_punct(p, '-')) {
        bool minus = at_punct(p, '-');
        Constant constant;
        next(p);
        if (accept_punct(p, '-'))
            minus = !minus;
        if (p->token.kind != T_INT) {
            parse_error(p, "expected a whole number behind the address");
            return false;
        }
        constant.bits = p->token.value;
        next(p);
        reloc.addend =
            (int64_t)((uint64_t)reloc.addend + (minus ? 0 - constant.bits : constant.bits));
    }
    VEC_PUSH(init->relocs, reloc);
    uint64_t zero = 0;
    init_put(init, at, &zero, size);
    return true;
}

static uint64_t f32_bits(double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static uint64_t constant_bits(const Constant *constant, unsigned type)
{
    double value;
    if (!constant->is_float) {
        if (ir_type_info[type].class != TC_FLOAT)
            return constant->bits;
        value = constant->is_unsigned ? (double)constant->bits : (double)(int64_t)constant->bits;
        if (type == TY_f32)
            return f32_bits(value);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return type == TY_f64 ? bits : constant->bits;
    }
    if (constant->single) {
        if (ir_type_bits((IrType)type) != 64)
            return constant->bits;
        float single;
        uint32_t low = (uint32_t)constant->bits;
        memcpy(&single, &low, sizeof single);
        value = single;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    if (ir_type_bits((IrType)type) == 64)
        return constant->bits;
    memcpy(&value, &constant->bits, sizeof value);
    return f32_bits(value);
}

/* 0xFF00(symbol): one byte of an address. */
static bool init_masked(Parser *p, Init *init, uint64_t at, uint64_t mask)
{
    unsigned byte = 0;
    for (unsigned k = 0; k < 8; ++k)
        if (mask == UINT64_C(0xff) << 8 * k)
            byte = k + 1;
    if (!byte || init->element != 1) {
        parse_error(p, "an address mask must be 0xFF of one byte, in an array of bytes");
        return false;
    }
    next(p);
    return init_address(p, init, at, 1, byte) && expect_punct(p, ')', "an address mask");
}

static bool init_scalar(Parser *p, Init *init, uint64_t at)
{
    if (at + init->element > init->room) {
        parse_error(p, "too many initial values for '%s'", init->symbol->name);
        return false;
    }
    if (p->token.kind == T_WORD && !at_word(p, "WARP_SZ")) {
        if (init->element == 4 || init->element == 8)
            return init_address(p, init, at, init->element, 0);
        parse_error(p, "an address needs elements of 4 or 8 bytes, or a mask (0xFF(%.*s))",
                    (int)(p->token.bytes < 40 ? p->token.bytes : 40), p->token.start);
        return false;
    }
    Constant constant;
    if (p->token.kind == T_INT) { /* a mask? */
        Token number = p->token;
        Lexer before = p->lexer;
        next(p);
        if (at_punct(p, '('))
            return init_masked(p, init, at, number.value);
        p->lexer = before;
        p->token = number;
    }
    if (!parse_constant(p, &constant))
        return false;
    uint64_t bits = constant_bits(&constant, init->symbol->type);
    uint64_t wide[2] = {bits, init->element > 8 && (int64_t)bits < 0 ? ~UINT64_C(0) : 0};
    init_put(init, at, wide, init->element > 16 ? 16 : init->element);
    return true;
}

static unsigned escape(const char **at, const char *end)
{
    char c = *(*at)++;
    if (c >= '0' && c <= '7') {
        unsigned value = (unsigned)(c - '0');
        for (int i = 0; i < 2 && *at < end && **at >= '0' && **at <= '7'; ++i)
            value = value * 8 + (unsigned)(*(*at)++ - '0');
        return value & 0xff;
    }
    if (c == 'x') {
        unsigned value = 0;
        for (int i = 0; i < 2 && *at < end && strchr("0123456789abcdefABCDEF", **at); ++i) {
            char digit = *(*at)++;
            value = value * 16 + (unsigned)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
        }
        return value;
    }
    static const char from[] = "ntrabfv0", to[] = "\n\t\r\a\b\f\v";
    const char *found = strchr(from, c);
    return found && found < from + 7 ? (unsigned char)to[found - from] : (unsigned char)c;
}

static bool init_string(Parser *p, Init *init, uint64_t at)
{
    const char *text = p->token.start, *end = text + p->token.bytes;
    while (text < end) {
        unsigned c = (unsigned char)*text++;
        if (c == '\\' && text < end)
            c = escape(&text, end);
        uint8_t byte = (uint8_t)c;
        if (at >= init->room) {
            parse_error(p, "the string is too long for '%s'", init->symbol->name);
            return false;
        }
        init_put(init, at++, &byte, 1);
    }
    uint8_t zero = 0;
    if (at < init->room)
        init_put(init, at, &zero, 1);
    next(p);
    return true;
}

/* The values between braces at a nesting level; base: where its first element lies. */
static bool init_braces(Parser *p, Init *init, unsigned level, uint64_t base)
{
    uint64_t at = base;
    if (accept_punct(p, '}'))
        return true;
    do {
        if (at_punct(p, '}')) /* trailing comma */
            break;
        if (accept_punct(p, '{')) {
            uint64_t stride = level + 1 < init->levels ? init->strides[level + 1] : 0;
            if (!stride) {
                parse_error(p, "too many braces in the initial value of '%s'", init->symbol->name);
                return false;
            }
            at = base + (at - base + stride - 1) / stride * stride;
            if (!init_braces(p, init, level + 1, at))
                return false;
            at += stride;
        } else if (p->token.kind == T_STRING) {
            uint64_t stride = level + 1 < init->levels ? init->strides[level + 1] : 0;
            if (!init_string(p, init, at))
                return false;
            at = stride ? at + stride : init->bytes.count;
        } else {
            if (!init_scalar(p, init, at))
                return false;
            at += init->element;
        }
    } while (accept_punct(p, ','));
    return expect_punct(p, '}', "an initial value");
}

/* {addr_mode_0 = wrap, ...} of a texture reference: skipped, textures are refused elsewhere. */
static bool skip_texture_init(Parser *p)
{
    if (!at_punct(p, '{'))
        return true;
    if (!lexer_skip_braces(&p->lexer)) {
        parse_error(p, "this brace is never closed");
        return false;
    }
    next(p);
    return true;
}

static void init_finish(Parser *p, Init *init, bool open)
{
    IrSymbol *symbol = init->symbol;
    if (open) {
        uint64_t stride = init->strides[0];
        symbol->size =
            stride ? (init->bytes.count + stride - 1) / stride * stride : init->bytes.count;
    }
    symbol->init = arena_alloc(p->arena, symbol->size);
    if (init->bytes.count)
        memcpy(symbol->init, init->bytes.data,
               init->bytes.count < symbol->size ? init->bytes.count : symbol->size);
    symbol->reloc_count = (uint32_t)init->relocs.count;
    symbol->relocs = ARENA_ARRAY(p->arena, IrReloc, init->relocs.count);
    if (init->relocs.count)
        memcpy(symbol->relocs, init->relocs.items, init->relocs.count * sizeof *init->relocs.items);
    for (uint64_t i = 0; i < symbol->size && !symbol->reloc_count; ++i)
        if (symbol->init[i])
            return;
    if (!symbol->reloc_count)
        symbol->init = NULL; /* all zero */
}

static bool parse_init(Parser *p, IrSymbol *symbol, const Dims *dims)
{
    if (symbol->is_texref)
        return skip_texture_init(p);
    if (symbol->size > MAX_INIT_BYTES) {
        parse_error(p, "'%s' is too large to have an initial value", symbol->name);
        return false;
    }
    uint32_t bits = ir_type_bits((IrType)symbol->type);
    bool open = symbol->size == 0;
    size_t first_reloc = p->relocs.count;
    Init init = {.symbol = symbol, .element = (bits + 7) / 8};
    uint64_t stride = (uint64_t)init.element * symbol->vec;
    /* strides[level] = bytes of one element of the braces at that level */
    init.levels = dims->count + (symbol->vec > 1 ? 1 : 0);
    for (unsigned d = dims->count; d-- > 0;) {
        init.strides[d] = stride;
        stride *= dims->dims[d] ? dims->dims[d] : 1;
    }
    if (symbol->vec > 1)
        init.strides[dims->count] = init.element;
    /* at level k the braces hold elements of strides[k]; a nested brace opens one of them */
    for (unsigned d = init.levels; d > 0; --d)
        init.strides[d] = init.strides[d - 1];
    init.levels++;
    init.room = open ? MAX_INIT_BYTES : symbol->size;
    bool ok = p->token.kind == T_STRING ? init_string(p, &init, 0)
              : accept_punct(p, '{')    ? init_braces(p, &init, 0, 0)
                                        : init_scalar(p, &init, 0);
    init.strides[0] = init.strides[1];
    if (ok)
        init_finish(p, &init, open);
    else
        p->relocs.count = first_reloc;
    buf_free(&init.bytes);
    VEC_FREE(init.relocs);
    return ok;
}

void finish_relocs(Parser *p)
{
    for (size_t i = 0; i < p->relocs.count; ++i) {
        PendingReloc *pending = &p->relocs.items[i];
        Ident *ident = ident_get(p, pending->at.start, pending->at.bytes);
        if (!ident->binding || ident->binding->kind != B_SYMBOL) {
            p->failed = false;
            parse_error_at(p, &pending->at, "'%s' is not declared", ident->name);
        } else if (pending->reloc < pending->owner->reloc_count)
            pending->owner->relocs[pending->reloc].symbol = ident->binding->symbol;
    }
}

/* ---- variables ---- */

static bool symbol_declare(Parser *p, Ident *ident, IrSymbol *symbol)
{
    Binding *here = binding_here(p, ident);
    if (here && here->kind == B_SYMBOL && p->depth == 0 && here->symbol->kind == SYM_VARIABLE &&
        (here->symbol->linkage == LINK_EXTERN || symbol->linkage == LINK_EXTERN)) {
        IrSymbol *old = here->symbol; /* declared and defined: one symbol */
        if (symbol->linkage == LINK_EXTERN)
            return true;
        *old = *symbol;
        return true;
    }
    if (here) {
        parse_error(p, "'%s' is declared twice", ident->name);
        return false;
    }
    binding_add(p, ident, B_SYMBOL, p->depth)->symbol = symbol;
    if (p->depth == 0) {
        VEC_PUSH(p->symbols, symbol);
        map_set(&p->module->symbol_map, symbol->name, symbol);
    } else
        VEC_PUSH(p->locals, symbol);
    return true;
}

void parse_variables(Parser *p, unsigned linkage)
{
    Decl decl = {0};
    if (!parse_decl(p, &decl))
        return;
    if (decl.is_register || !decl.space) {
        parse_error(p, "a variable needs a state space such as .global");
        return;
    }
    do {
        if (p->token.kind != T_WORD) {
            parse_error(p, "expected the name of a variable");
            return;
        }
        Ident *ident = ident_get(p, p->token.start, p->token.bytes);
        const char *name = p->depth ? unique_name(p, ident) : ident->name;
        IrSymbol *symbol = symbol_new(p, &decl, name, SYM_VARIABLE);
        symbol->linkage = (uint8_t)linkage;
        Dims dims;
        next(p);
        if (!parse_dims(p, symbol, &dims))
            return;
        size_t pending = p->relocs.count;
        if (accept_punct(p, '=') && !parse_init(p, symbol, &dims))
            return;
        Binding *here = binding_here(p, ident);
        IrSymbol *old = here && here->kind == B_SYMBOL ? here->symbol : NULL;
        if (!symbol_declare(p, ident, symbol))
            return;
        for (size_t i = pending; old && i < p->relocs.count; ++i)
            p->relocs.items[i].owner = old;
    } while (accept_punct(p, ','));
    expect_punct(p, ';', "a variable");
}

/* ---- registers ---- */

static bool declare_register(Parser *p, const Decl *decl, Ident *ident)
{
    if (binding_here(p, ident)) {
        parse_error(p, "'%s' is declared twice", ident->name);
        return false;
    }
    if (decl->vec == 1) {
        int32_t index = reg_new(p, unique_name(p, ident), decl->type);
        binding_add(p, ident, B_REG, p->depth)->index = index;
        return !p->failed;
    }
    Binding *binding = binding_add(p, ident, B_VREG, p->depth);
    binding->count = decl->vec;
    binding->index = (int32_t)p->regs.count;
    for (unsigned i = 0; i < decl->vec; ++i) {
        char *name = arena_printf(p->arena, "%s_%c", ident->name, "xyzw"[i]);
        reg_new(p, unique_name(p, ident_get(p, name, strlen(name))), decl->type);
    }
    return !p->failed;
}

static bool declare_range(Parser *p, const Decl *decl, Ident *ident)
{
    uint64_t count;
    next(p);
    Token at = p->token;
    if (p->token.kind != T_INT) {
        parse_error(p, "expected the number of registers");
        return false;
    }
    count = p->token.value;
    next(p);
    if (!expect_punct(p, '>', "a range of registers"))
        return false;
    if (decl->vec != 1) {
        parse_error_at(p, &at, "ranges of vector registers are not supported");
        return false;
    }
    Binding *binding = binding_add(p, ident, B_RANGE, p->depth);
    binding->type = decl->type;
    binding->count = count > 0xffffffffu ? 0xffffffffu : (uint32_t)count;
    return true;
}

void parse_registers(Parser *p)
{
    Decl decl = {0};
    if (!parse_decl(p, &decl))
        return;
    do {
        if (p->token.kind != T_WORD) {
            parse_error(p, "expected the name of a register");
            return;
        }
        Ident *ident = ident_get(p, p->token.start, p->token.bytes);
        next(p);
        if (!(at_punct(p, '<') ? declare_range : declare_register)(p, &decl, ident))
            return;
    } while (accept_punct(p, ','));
    expect_punct(p, ';', "a register");
}

/* ---- functions ---- */

typedef VEC(IrSymbol *) Symbols;
typedef VEC(int32_t) Ints;

static bool parse_parameter(Parser *p, Symbols *symbols, Ints *regs)
{
    Decl decl = {0};
    if (!parse_decl(p, &decl))
        return false;
    if (p->token.kind != T_WORD) {
        parse_error(p, "expected the name of a parameter");
        return false;
    }
    Ident *ident = ident_get(p, p->token.start, p->token.bytes);
    bool named = p->depth > 0 && !at_word(p, "_");
    if (!decl.is_register)
        decl.space = MOD_param;
    IrSymbol *symbol = symbol_new(p, &decl, named ? unique_name(p, ident) : ident->name, SYM_PARAM);
    next(p);
    Dims dims;
    if (!parse_dims(p, symbol, &dims))
        return false;
    int32_t reg = -1;
    if (named && binding_here(p, ident)) {
        parse_error(p, "parameter '%s' is declared twice", ident->name);
        return false;
    }
    if (decl.is_register && p->depth > 0) {
        reg = reg_new(p, symbol->name, decl.type);
        if (named)
            binding_add(p, ident, B_REG, p->depth)->index = reg;
    } else if (named)
        binding_add(p, ident, B_SYMBOL, p->depth)->symbol = symbol;
    VEC_PUSH(*symbols, symbol);
    VEC_PUSH(*regs, reg);
    return true;
}

/* Behind the opening parenthesis. */
static bool parse_parameters(Parser *p, IrSymbol ***out, int32_t **out_regs, uint32_t *count)
{
    Symbols symbols = {0};
    Ints regs = {0};
    bool ok = true;
    if (!at_punct(p, ')'))
        do
            ok = parse_parameter(p, &symbols, &regs);
        while (ok && accept_punct(p, ','));
    ok = ok && expect_punct(p, ')', "parameters");
    *count = (uint32_t)symbols.count;
    *out = ARENA_ARRAY(p->arena, IrSymbol *, symbols.count);
    *out_regs = ARENA_ARRAY(p->arena, int32_t, symbols.count);
    for (size_t i = 0; i < symbols.count; ++i) {
        (*out)[i] = symbols.items[i];
        (*out_regs)[i] = regs.items[i];
    }
    VEC_FREE(symbols);
    VEC_FREE(regs);
    return ok;
}

static bool place_parameters(Parser *p, IrFunction *function)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < function->param_count; ++i) {
        IrSymbol *param = function->params[i];
        uint64_t align = param->align ? param->align : 1;
        at = (at + align - 1) / align * align;
        param->offset = (uint32_t)at;
        at += param->size;
        if (at > MAX_PARAM_BYTES) {
            parse_error(p, "the parameters of '%s' are too large", function->name);
            return false;
        }
    }
    function->param_bytes = (uint32_t)at;
    return true;
}

static bool parse_numbers(Parser *p, uint32_t *out, unsigned most)
{
    for (unsigned i = 0; i < most; ++i) {
        uint64_t value;
        if (!parse_whole(p, &value, "this number"))
            return false;
        out[i] = value > 0xffffffffu ? 0xffffffffu : (uint32_t)value;
        if (i + 1 == most)
            break;
        if (!accept_punct(p, ',')) {
            for (unsigned k = i + 1; k < most; ++k)
                out[k] = 1;
            break;
        }
    }
    return true;
}

static bool skip_pragma(Parser *p)
{
    while (p->token.kind == T_STRING || at_punct(p, ','))
        next(p);
    return expect_punct(p, ';', ".pragma");
}

static bool parse_directives(Parser *p, IrFunction *function)
{
    uint32_t ignored;
    while (p->token.kind == T_WORD && p->token.start[0] == '.') {
        bool ok = true;
        if (accept_word(p, ".maxntid"))
            ok = parse_numbers(p, function->maxntid, 3);
        else if (accept_word(p, ".reqntid"))
            ok = parse_numbers(p, function->reqntid, 3);
        else if (accept_word(p, ".minnctapersm"))
            ok = parse_numbers(p, &function->minnctapersm, 1);
        else if (accept_word(p, ".maxnctapersm") || accept_word(p, ".maxclusterrank"))
            ok = parse_numbers(p, &ignored, 1);
        else if (accept_word(p, ".maxnreg"))
            ok = parse_numbers(p, &function->maxnreg, 1);
        else if (accept_word(p, ".reqnctapercluster"))
            ok = parse_numbers(p, function->cluster, 3);
        else if (accept_word(p, ".noreturn"))
            function->noreturn = true;
        else if (accept_word(p, ".explicitcluster") || accept_word(p, ".blocksareclusters"))
            ;
        else if (accept_word(p, ".abi_preserve") || accept_word(p, ".abi_preserve_control"))
            ok = parse_numbers(p, &ignored, 1);
        else if (accept_word(p, ".pragma"))
            ok = skip_pragma(p);
        else if (accept_word(p, ".attribute")) {
            Decl decl;
            ok = parse_attribute(p, &decl);
        } else {
            parse_error(p, "'%.*s' cannot stand here", (int)p->token.bytes, p->token.start);
            ok = false;
        }
        if (!ok)
            return false;
    }
    return true;
}

static IrFunction *function_begin(Parser *p, bool is_entry)
{
    IrFunction *function = ARENA_NEW(p->arena, IrFunction);
    function->is_entry = is_entry;
    function->line = p->token.line;
    p->function = function;
    p->stamp++;
    p->regs.count = p->insns.count = p->labels.count = p->tables.count = p->locals.count = 0;
    p->pending.count = 0;
    p->loc_file = -1;
    p->loc_line = 0;
    scope_push(p);
    return function;
}

static bool function_head(Parser *p, IrFunction *function)
{
    if (!function->is_entry && accept_punct(p, '(') &&
        !parse_parameters(p, &function->results, &function->result_regs, &function->result_count))
        return false;
    if (p->token.kind != T_WORD) {
        parse_error(p, "expected the name of a function");
        return false;
    }
    function->name = arena_strndup(p->arena, p->token.start, p->token.bytes);
    next(p);
    if (accept_punct(p, '(') &&
        !parse_parameters(p, &function->params, &function->param_regs, &function->param_count))
        return false;
    return place_parameters(p, function) && parse_directives(p, function);
}

/* The symbol of a function, known or new. A definition fills in the declaration's structure, so
 * that what refers to it stays right. NULL after an error. */
static IrSymbol *function_symbol(Parser *p, IrFunction *function, unsigned linkage, const Token *at,
                                 bool defines)
{
    Ident *ident = ident_get(p, function->name, strlen(function->name));
    Binding *known = ident->binding;
    while (known && known->depth > 0)
        known = known->outer;
    if (known) {
        IrSymbol *symbol = known->symbol;
        if (symbol->kind != SYM_FUNCTION || symbol->function->is_entry != function->is_entry ||
            (defines && !symbol->function->is_extern)) {
            parse_error_at(p, at, "'%s' is declared twice", function->name);
            return NULL;
        }
        if (symbol->linkage == LINK_NONE || symbol->linkage == LINK_EXTERN)
            symbol->linkage =
                (uint8_t)(defines || linkage != LINK_NONE ? linkage : symbol->linkage);
        return symbol;
    }
    IrSymbol *symbol = ARENA_NEW(p->arena, IrSymbol);
    symbol->name = function->name;
    symbol->kind = SYM_FUNCTION;
    symbol->linkage = (uint8_t)linkage;
    symbol->vec = 1;
    symbol->line = function->line;
    symbol->function = function;
    function->is_extern = true;
    /* bound at module scope, below the function's own scope */
    Binding *binding = ARENA_NEW(p->scratch, Binding);
    *binding = (Binding){
        .kind = B_SYMBOL, .symbol = symbol, .ident = ident, .next = p->scopes[0].bindings};
    p->scopes[0].bindings = binding;
    Binding **end = &ident->binding;
    while (*end)
        end = &(*end)->outer;
    *end = binding;
    VEC_PUSH(p->symbols, symbol);
    VEC_PUSH(p->functions, function);
    map_set(&p->module->symbol_map, symbol->name, symbol);
    return symbol;
}

#define COPY_VEC(p, field, vec, type)                                                              \
    do {                                                                                           \
        (field) = ARENA_ARRAY((p)->arena, type, (vec).count);                                      \
        if ((vec).count)                                                                           \
            memcpy((field), (vec).items, (vec).count * sizeof(type));                              \
    } while (0)

static void function_end(Parser *p, IrFunction *function)
{
    COPY_VEC(p, function->regs, p->regs, IrReg);
    COPY_VEC(p, function->insns, p->insns, IrInsn);
    COPY_VEC(p, function->labels, p->labels, IrLabel);
    COPY_VEC(p, function->tables, p->tables, IrTable);
    COPY_VEC(p, function->locals, p->locals, IrSymbol *);
    function->reg_count = (int32_t)p->regs.count;
    function->insn_count = (int32_t)p->insns.count;
    function->label_count = (int32_t)p->labels.count;
    function->table_count = (int32_t)p->tables.count;
    function->local_count = (uint32_t)p->locals.count;
}

static void unresolved_labels(Parser *p)
{
    for (size_t i = 0; i < p->pending.count; ++i) {
        p->failed = false;
        parse_error_at(p, &p->pending.items[i].at, "label '%s' is not defined",
                       p->pending.items[i].ident->name);
    }
    p->pending.count = 0;
}

void parse_function(Parser *p, unsigned linkage)
{
    bool is_entry = at_word(p, ".entry");
    next(p);
    Token at = p->token;
    IrFunction *function = function_begin(p, is_entry);
    if (p->too_many)
        return;
    bool ok = function_head(p, function);
    bool defines = ok && at_punct(p, '{');
    IrSymbol *symbol = ok ? function_symbol(p, function, linkage, &at, defines) : NULL;
    function->linkage = symbol ? symbol->linkage : LINK_NONE;
    if (symbol && !defines) {
        expect_punct(p, ';', "a declaration");
        if (symbol->function == function)
            function_end(p, function);
    }
    if (at_punct(p, '{') && (defines || !ok)) {
        next(p);
        p->failed = false;
        parse_body(p);
    }
    if (p->depth > 0)
        scope_pop(p);
    unresolved_labels(p);
    if (symbol && defines) {
        function_end(p, function);
        function->is_extern = false;
        *symbol->function = *function;
        symbol->function->linkage = symbol->linkage;
    }
    p->function = NULL;
}

IrFunction *parse_prototype(Parser *p)
{
    IrFunction *function = ARENA_NEW(p->arena, IrFunction);
    function->is_extern = true;
    function->line = p->token.line;
    function->name = "_";
    int depth = p->depth;
    p->depth = 0; /* the names of its parameters are nobody's */
    bool ok = true;
    if (accept_punct(p, '('))
        ok = parse_parameters(p, &function->results, &function->result_regs,
                              &function->result_count);
    if (ok && p->token.kind == T_WORD)
        next(p);
    if (ok && accept_punct(p, '('))
        ok = parse_parameters(p, &function->params, &function->param_regs, &function->param_count);
    p->depth = depth;
    if (ok)
        parse_directives(p, function);
    return function;
}
