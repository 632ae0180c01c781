/* SPDX-License-Identifier: Apache-2.0
 *
 * The typed IR of PTX modules. One IrModule is what one PTX text says: symbols, functions and, per
 * function, a flat list of instructions with labels. The parser (ptx/) builds it, the verifier
 * (ir/verify.c) checks it, the printer (ptx/print.c) writes it back, analysis/ and codegen/ read it.
 *
 * Tables: types.def (types), mods.def (modifiers), ops.def (instructions), sregs.def (special
 * registers). Everything is owned by the module's arena. Follows the PTX ISA manual, 6.0 to 9.0. */
#ifndef GPUKIT_IR_IR_H
#define GPUKIT_IR_IR_H

#include "base/arena.h"
#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { TC_NONE, TC_PRED, TC_BITS, TC_UNSIGNED, TC_SIGNED, TC_FLOAT } IrTypeClass;

typedef enum {
    TY_none,
#define TYPE(id, text, bits, class) TY_##id,
#include "ir/types.def"
#undef TYPE
    TY_COUNT
} IrType;

typedef struct {
    const char *text;
    uint8_t bits;
    uint8_t class; /* IrTypeClass */
} IrTypeInfo;
extern const IrTypeInfo ir_type_info[TY_COUNT];

static inline unsigned ir_type_bits(IrType type)
{
    return ir_type_info[type].bits;
}

/* Modifier classes; IrInsn.mod[class] holds a MOD_* value of that class or 0. */
typedef enum {
    MC_NONE,
    MC_RND,
    MC_FTZ,
    MC_SAT,
    MC_RELU,
    MC_APPROX,
    MC_NAN,
    MC_XORSIGN,
    MC_MUL,
    MC_CC,
    MC_CMP,
    MC_BOOL,
    MC_SPACE,
    MC_SPACE2,
    MC_TO,
    MC_VEC,
    MC_SEM,
    MC_SCOPE,
    MC_CACHE,
    MC_NC,
    MC_EVICT,
    MC_HINT,
    MC_PREFETCH,
    MC_ATOM,
    MC_NOFTZ,
    MC_SYNC,
    MC_ALIGNED,
    MC_SHFL,
    MC_VOTE,
    MC_MATCH,
    MC_BARKIND,
    MC_RED,
    MC_REDUX,
    MC_ABS,
    MC_UNI,
    MC_SHIFTAMT,
    MC_SHFMODE,
    MC_SHFDIR,
    MC_PRMT,
    MC_TESTP,
    MC_LEVEL,
    MC_PROXY,
    MC_GEOM,
    MC_CLAMP,
    MC_SURF,
    MC_SHAPE,
    MC_LAYOUT,
    MC_LAYOUT2,
    MC_COUNT,
    MC_TRANS,
    MC_FRAG,
    MC_ADDRMODE,
    MC_DPMODE,
    MC_MBAR,
    MC_PARITY,
    MC_NOINC,
    MC_TX,
    MC_BULKGROUP,
    MC_READ,
    MC_REGCOUNT,
    MC_COMPONENT,
    MC_SECOP,
    MC_PO,
    MC_SCALE,
    MC_MMIO,
    MC_LEVEL2,
    MC_RESTRICT,
    MC_LOD,
    MC_QUERY,
    MC_END
} IrModClass;

typedef enum {
    MOD_none,
#define MOD(class, id, text) MOD_##id,
#include "ir/mods.def"
#undef MOD
    MOD_END
} IrMod;

typedef enum {
#define OP(id, text, pattern, operands, types, effects, emit) OP_##id,
#include "ir/ops.def"
#undef OP
    OP_COUNT
} IrOp;

/* Special registers: %tid.x is SREG_tid with component 0. */
typedef enum {
#define SREG(id, text, type, components) SREG_##id,
#include "ir/sregs.def"
#undef SREG
    SREG_COUNT
} IrSreg;

/* What an instruction does beyond computing its destination: where observers hook in. */
enum {
    FX_READ = 1,     /* reads memory */
    FX_WRITE = 2,    /* writes memory */
    FX_ATOMIC = 4,   /* read-modify-write */
    FX_BAR = 8,      /* block barrier: the warp may be suspended here */
    FX_WARP = 16,    /* exchanges data between lanes: needs the exact active mask */
    FX_CONTROL = 32, /* ends a basic block */
    FX_CALL = 64,
    FX_SIDE = 128, /* any other side effect: must not be removed or duplicated */
    FX_FENCE = 256,
    FX_MATRIX = 512, /* operands are fragments of matrices: their shapes are the emitter's to judge */
};

typedef enum {
    OPND_none,
    OPND_reg,  /* reg */
    OPND_imm,  /* bits: integer constants sign-extended to 64; is_float when written 0f/0d or 1.5 */
    OPND_sreg, /* sreg, component */
    OPND_symbol, /* symbol + offset: its address */
    OPND_addr,   /* [reg + offset], [symbol + offset], [imm]: base kind says which */
    OPND_vector, /* {a, b, ...}: items */
    OPND_label, /* label index in the function; of brx.idx's and call's last operand: table index */
    OPND_func,  /* a function by name (call target): symbol */
    OPND_sink,  /* _ */
    OPND_list,  /* (a, b, ...): call arguments and results: items */
    OPND_tex,   /* [tex, {coords}] or [tex, sampler, {coords}]: items = handle, [sampler], vector */
} IrOperandKind;

typedef struct IrSymbol IrSymbol;

typedef struct IrOperand {
    uint8_t kind;      /* IrOperandKind */
    uint8_t base_kind; /* OPND_addr: OPND_reg, OPND_symbol or OPND_imm */
    uint8_t component; /* OPND_sreg: 0..3 = x y z w */
    bool negated;      /* predicate written !p, or -reg where PTX allows it */
    bool is_float;  /* OPND_imm written as a floating constant; bits then hold f64 unless single */
    bool is_single; /* OPND_imm written 0fXXXXXXXX: bits hold the f32 pattern */
    uint16_t sreg;
    uint16_t count; /* items */
    uint16_t part;  /* OPND_reg of a video instruction: .b0, .h10, ...; 0: all of it */
    int32_t reg;    /* register index, or -1 */
    int32_t label;  /* label index, or -1 */
    int64_t offset; /* OPND_addr, OPND_symbol */
    uint64_t bits;  /* OPND_imm */
    IrSymbol *symbol;
    struct IrOperand *items;
} IrOperand;

/* IrOperand.part: which bytes or halves, digits from the right. */
enum { IR_PART_HALVES = 0x8000 };
static inline unsigned ir_part_count(unsigned part)
{
    return part >> 12 & 7;
}

static inline unsigned ir_part_digit(unsigned part, unsigned i)
{
    return part >> 3 * i & 7;
}

/* Elements of a word that a video instruction works on: 1, 2 or 4; 0: is none. */
static inline unsigned ir_video_parts(unsigned op)
{
    return op < OP_vadd || op > OP_vset4 ? 0 : op <= OP_vmad ? 1 : op <= OP_vset2 ? 2 : 4;
}

/* The registers of an operand that may be a vector. */
static inline unsigned ir_count(const IrOperand *o)
{
    return o->kind == OPND_vector ? o->count : 1;
}

static inline const IrOperand *ir_item(const IrOperand *o, unsigned k)
{
    return o->kind == OPND_vector ? &o->items[k] : o;
}

enum { IR_MAX_OPERANDS = 9, IR_MAX_TYPES = 4 };

/* Operands stand in the order of the text: destination(s) first. A second destination written
 * "d|p" is operand 1 (kind OPND_none when absent and the instruction could have one).
 * ops.def's operand string gives each position its role. */
typedef struct IrInsn {
    uint16_t op; /* IrOp */
    uint8_t types[IR_MAX_TYPES];
    uint8_t type_count;
    uint8_t operand_count;
    uint16_t mod[MC_END]; /* IrMod per class, 0 = absent */
    bool guard_negated;   /* @!p */
    int32_t guard;        /* predicate register index, or -1 */
    int32_t line;         /* line in the PTX text */
    int32_t loc_line;     /* source line from .loc, 0 = unknown */
    int32_t loc_file;     /* index into IrModule.files, -1 = unknown */
    IrOperand operands[IR_MAX_OPERANDS];
} IrInsn;

typedef struct {
    const char *name; /* with the leading % */
    uint8_t type;     /* IrType */
} IrReg;

typedef struct {
    const char *name;
    int32_t insn; /* index of the instruction it stands before; may equal insn_count */
} IrLabel;

/* .branchtargets / .calltargets / .callprototype inside a function. */
typedef struct {
    const char *name;
    int32_t *labels; /* branch targets, label indices; NULL for prototypes */
    int32_t label_count;
    struct IrFunction *prototype; /* .callprototype: only params and results are set */
} IrTable;

typedef enum { SYM_VARIABLE, SYM_FUNCTION, SYM_PARAM } IrSymbolKind;
typedef enum { LINK_NONE, LINK_VISIBLE, LINK_EXTERN, LINK_WEAK, LINK_COMMON } IrLinkage;

/* A piece of an initialiser that is an address: *(ptr)(bytes + at) = address of symbol + addend.
 * mask_shift: 0 for whole addresses; for mask operators (0xFF00(sym)) the byte to take, from 1. */
typedef struct {
    uint32_t at;
    uint8_t size, byte; /* byte: 0 = whole address of `size` bytes; k = its byte k-1 */
    bool generic;       /* generic(symbol) */
    IrSymbol *symbol;
    int64_t addend;
} IrReloc;

/* Variables of the spaces .global .const .shared .local .param, and functions. */
struct IrSymbol {
    const char *name;
    uint8_t kind;    /* IrSymbolKind */
    uint8_t space;   /* MOD_global, MOD_const, MOD_shared, MOD_local, MOD_param */
    uint8_t linkage; /* IrLinkage */
    uint8_t type;    /* element type */
    uint8_t vec;     /* 1, 2, 4 */
    bool is_array;
    bool is_managed; /* .attribute(.managed) */
    bool is_texref;  /* .texref / .surfref / .samplerref variables */
    uint32_t align;  /* bytes */
    uint64_t size;   /* bytes; 0 for extern arrays without size (dynamic shared memory) */
    uint8_t *init;   /* size bytes, or NULL when zero */
    IrReloc *relocs;
    uint32_t reloc_count;
    uint32_t
        offset; /* parameters: offset in the parameter block; shared/local: assigned by layout */
    struct IrFunction *function; /* SYM_FUNCTION: definition or declaration */
    int32_t line;
};

typedef struct IrFunction {
    const char *name;
    bool is_entry, is_extern; /* extern: declaration only */
    uint8_t linkage;
    bool noreturn;
    const char *refused;    /* first instruction of a family that has no row, or NULL */
    uint32_t refused_count; /* how many there are */
    int32_t refused_line, refused_loc_line, refused_loc_file; /* the last two as of an IrInsn */
    IrSymbol *
        *params; /* SYM_PARAM, space param; `.reg` parameters have reg set through `param_regs` */
    IrSymbol **results;
    int32_t *param_regs, *result_regs; /* register index for ".reg" style, else -1; may be NULL */
    uint32_t param_count, result_count;
    uint32_t param_bytes; /* entry: size of the parameter block */
    IrReg *regs;
    int32_t reg_count;
    IrInsn *insns;
    int32_t insn_count;
    IrLabel *labels;
    int32_t label_count;
    IrTable *tables;
    int32_t table_count;
    IrSymbol **locals; /* function-scope variables: .shared, .local, .param, .global */
    uint32_t local_count;
    /* performance directives; 0 = absent */
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg, cluster[3];
    int32_t line;
} IrFunction;

typedef struct {
    int index;
    const char *name;
} IrFile;

typedef struct IrModule {
    Arena *arena;
    const char *name; /* for messages: "k.ptx" */
    int version_major, version_minor;
    const char *target; /* "sm_80" */
    int sm;             /* 80 */
    bool debug;
    int address_size;   /* 64 */
    IrSymbol **symbols; /* module scope: variables and functions, in the order of the text */
    uint32_t symbol_count;
    IrFunction **functions; /* definitions and declarations */
    uint32_t function_count;
    IrFile *files;
    uint32_t file_count;
    Map symbol_map; /* name -> IrSymbol */
} IrModule;

typedef struct {
    const char *text;    /* "ld" */
    const char *pattern; /* modifier classes and types in order, e.g. "?SEM ?SCOPE ?SPACE ?VEC T" */
    const char *operands; /* roles, e.g. "d a b" */
    uint32_t types;       /* TYS_* set allowed for types[0] */
    uint32_t effects;     /* FX_* */
    const char *id;
} IrOpInfo;
extern const IrOpInfo ir_op_info[OP_COUNT];

typedef struct {
    const char *text;
    uint8_t class; /* IrModClass */
} IrModInfo;
extern const IrModInfo ir_mod_info[MOD_END];

typedef struct {
    const char *text; /* "%tid" */
    uint8_t type;
    uint8_t components; /* 1 = scalar */
} IrSregInfo;
extern const IrSregInfo ir_sreg_info[SREG_COUNT];

IrModule *ir_module_new(const char *name);
void ir_module_free(IrModule *module);
IrFunction *ir_find_function(const IrModule *module, const char *name); /* definitions only; NULL */
/* What stands for a function's address: its place in the module's list, from 1. 0: not there. */
uint32_t ir_function_number(const IrModule *module, const IrFunction *function);
IrSymbol *ir_find_symbol(const IrModule *module, const char *name);

/* Source position "file.cu:12", or "k.ptx:34" when no .loc is known. Arena-owned. */
const char *ir_where(const IrModule *module, const IrInsn *insn, Arena *arena);

/* Space of a memory instruction, .shared::cta folded into .shared; MOD_none = generic. */
static inline IrMod ir_space(const IrInsn *insn)
{
    unsigned space = insn->mod[MC_SPACE];
    if (space == MOD_shared_cta || space == MOD_shared_cluster)
        return MOD_shared;
    if (space == MOD_param_entry || space == MOD_param_func)
        return MOD_param;
    return (IrMod)space;
}

#endif
