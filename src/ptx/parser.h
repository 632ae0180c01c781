/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside of the PTX parser: its state, and what each file of it offers to the others.
 *   scope.c    identifiers, what they name at this place of the text
 *   opcode.c   "ld.global.v2.f32" to a row of ops.def, modifiers and types
 *   operand.c  constant expressions and operands
 *   decl.c     variables, initialisers, parameters, function heads
 *   parse.c    statements, the module, recovery after errors */
#ifndef GPUKIT_PTX_PARSER_H
#define GPUKIT_PTX_PARSER_H

#include "base/buf.h"
#include "base/diag.h"
#include "ir/ir.h"
#include "ptx/lexer.h"

enum { PTX_MAX_ERRORS = 20, PTX_MAX_DEPTH = 200, PTX_MAX_REGS = 1 << 20 };

typedef enum { B_REG, B_RANGE, B_VREG, B_SYMBOL, B_LABEL, B_TABLE } BindingKind;

typedef struct Binding {
    uint8_t kind;
    uint8_t type;   /* B_RANGE, B_VREG: IrType */
    int depth;      /* scope that made it; 0 = module */
    int32_t index;  /* register, label, table; first register of a B_VREG */
    uint32_t count; /* registers of a B_RANGE or B_VREG */
    IrSymbol *symbol;
    struct Ident *ident;
    struct Binding *outer; /* what the name meant outside */
    struct Binding *next;  /* in the same scope */
} Binding;

typedef struct Ident {
    const char *name;
    uint32_t bytes;
    uint32_t hash;
    uint32_t stamp; /* function in which the name is taken for good */
    uint32_t again; /* how often it was taken anew in that function */
    Binding *binding;
    struct Ident *next; /* in the same hash chain */
} Ident;

typedef struct {
    Binding *bindings;
    size_t first_pending;
} Scope;

/* A label or table named before it may be known: resolved when its scope closes. */
typedef struct {
    Ident *ident;
    Token at;
    int32_t insn, operand; /* insn < 0: table -1 - insn, entry `operand` */
    bool is_table;
} PendingLabel;

typedef struct {
    IrSymbol *owner;
    uint32_t reloc;
    Token at;
} PendingReloc;

typedef struct OpcodeEntry {
    const char *text;
    uint32_t bytes, hash;
    struct OpcodeEntry *next;
    IrInsn insn; /* op, types, modifiers */
} OpcodeEntry;

typedef struct Parser {
    IrModule *module;
    Arena *arena;   /* the module's */
    Arena *scratch; /* gone after parsing */
    Diags *diags;
    Lexer lexer;
    Token token;
    bool failed;   /* in the present statement; set by parse_error */
    bool too_many; /* errors */
    int errors;
    int nesting;
    bool takes_parts; /* operands may be r.b0 and -r */

    Ident **idents;
    uint32_t ident_room, ident_count;
    OpcodeEntry **opcodes;
    Scope scopes[PTX_MAX_DEPTH];
    int depth;        /* 0 = module */
    int inner_ranges; /* register ranges declared below function scope */

    IrFunction *function; /* whose body or parameters are being read */
    uint32_t stamp;
    bool hides; /* a name of the module was a function's before */
    VEC(IrReg) regs;
    VEC(IrInsn) insns;
    VEC(IrLabel) labels;
    VEC(IrTable) tables;
    VEC(IrSymbol *) locals;
    VEC(PendingLabel) pending;
    int32_t loc_file, loc_line; /* numbers as in .loc */

    VEC(IrSymbol *) symbols;
    VEC(IrFunction *) functions;
    VEC(PendingReloc) relocs;
    VEC(IrFile) files;
} Parser;

/* parse.c */
void parse_error_at(Parser *p, const Token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parse_error(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void next(Parser *p);
bool at_punct(const Parser *p, unsigned punct);
bool at_word(const Parser *p, const char *word);
bool accept_punct(Parser *p, unsigned punct);
bool accept_word(Parser *p, const char *word);
bool expect_punct(Parser *p, unsigned punct, const char *where);

/* scope.c */
Ident *ident_get(Parser *p, const char *name, size_t bytes);
void scope_push(Parser *p);
void scope_pop(Parser *p);
Binding *binding_add(Parser *p, Ident *ident, BindingKind kind, int depth);
Binding *binding_here(const Parser *p, const Ident *ident); /* of the innermost scope; or NULL */
Binding *lookup(Parser *p, const char *name, size_t bytes); /* makes registers of ranges */
const char *unique_name(Parser *p, Ident *ident);           /* within the function */
/* After the module: what functions named before the module did gets a name of its own, too. */
void rename_hiding(Parser *p);
int32_t reg_new(Parser *p, const char *name, unsigned type);

/* opcode.c */
bool opcode_find(Parser *p, const Token *word, IrInsn *insn);
bool opcode_refused(const Token *word); /* known by name, not supported */

/* operand.c */
typedef struct {
    uint64_t bits;
    bool is_float, single, is_unsigned;
} Constant;
bool parse_constant(Parser *p, Constant *out);
bool parse_whole(Parser *p, uint64_t *out, const char *what); /* constant, integer, not negative */
bool parse_operands(Parser *p, IrInsn *insn, int32_t index);
unsigned type_of_word(const Token *token); /* ".b32" to TY_b32; TY_none */

/* decl.c */
void parse_variables(Parser *p, unsigned linkage);
void parse_registers(Parser *p);
void parse_function(Parser *p, unsigned linkage);
IrFunction *parse_prototype(Parser *p); /* behind .callprototype */
void parse_body(Parser *p);             /* parse.c: behind the opening brace */
void finish_relocs(Parser *p);

#endif
