/* SPDX-License-Identifier: Apache-2.0
 * Constant expressions (PTX ISA, "Constant expressions") and instruction operands. Operands are
 * read as they stand and then put into the places that ops.def's operand column gives them. */
#include "ir/shape.h"
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

/* ---- constant expressions ---- */

static bool parse_binary(Parser *p, int least, Constant *out);

static Constant whole(uint64_t bits, bool is_unsigned)
{
    return (Constant){.bits = bits, .is_unsigned = is_unsigned};
}

static bool enter(Parser *p)
{
    if (p->nesting >= PTX_MAX_DEPTH) {
        parse_error(p, "nested too deeply (more than %d)", PTX_MAX_DEPTH);
        return false;
    }
    p->nesting++;
    return true;
}

static bool parse_parenthesis(Parser *p, Constant *out)
{
    next(p);
    if (at_word(p, ".s64") || at_word(p, ".u64")) {
        bool is_unsigned = at_word(p, ".u64");
        next(p);
        if (!expect_punct(p, ')', "the type of a cast") || !parse_binary(p, 99, out))
            return false;
        out->is_unsigned = is_unsigned;
        return true;
    }
    return parse_binary(p, 0, out) && expect_punct(p, ')', "a constant expression");
}

static bool negate(Parser *p, Constant *out)
{
    if (!out->is_float)
        out->bits = 0 - out->bits;
    else
        out->bits ^= out->single ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    (void)p;
    return true;
}

static bool parse_primary(Parser *p, Constant *out)
{
    const Token *t = &p->token;
    if (t->kind == T_INT || t->kind == T_FLOAT) {
        *out = (Constant){t->value, t->kind == T_FLOAT, t->single, t->is_unsigned};
        next(p);
        return true;
    }
    if (accept_word(p, "WARP_SZ")) {
        *out = whole(32, false);
        return true;
    }
    if (at_punct(p, '('))
        return parse_parenthesis(p, out);
    parse_error(p, "expected a constant");
    return false;
}

static bool parse_unary(Parser *p, Constant *out)
{
    unsigned op = p->token.kind == T_PUNCT ? p->token.punct : 0;
    if (op != '-' && op != '+' && op != '!' && op != '~')
        return parse_primary(p, out);
    Token at = p->token;
    next(p);
    if (!parse_binary(p, 99, out))
        return false;
    if (op == '+')
        return true;
    if (op == '-')
        return negate(p, out);
    if (out->is_float) {
        parse_error_at(p, &at, "operator '%c' takes no floating-point constant", (char)op);
        return false;
    }
    *out = op == '~' ? whole(~out->bits, out->is_unsigned) : whole(out->bits == 0, false);
    return true;
}

#define PAIR(a, b) ((a) << 8 | (b))

static int precedence(unsigned op)
{
    switch (op) {
    case '*':
    case '/':
    case '%':
        return 10;
    case '+':
    case '-':
        return 9;
    case PAIR('<', '<'):
    case PAIR('>', '>'):
        return 8;
    case '<':
    case '>':
    case PAIR('<', '='):
    case PAIR('>', '='):
        return 7;
    case PAIR('=', '='):
    case PAIR('!', '='):
        return 6;
    case '&':
        return 5;
    case '^':
        return 4;
    case '|':
        return 3;
    case PAIR('&', '&'):
        return 2;
    case PAIR('|', '|'):
        return 1;
    default:
        return -1;
    }
}

static uint64_t divide(uint64_t a, uint64_t b, bool is_unsigned, bool remainder)
{
    if (is_unsigned)
        return remainder ? a % b : a / b;
    if ((int64_t)b == -1)
        return remainder ? 0 : 0 - a;
    return (uint64_t)(remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static uint64_t evaluate(unsigned op, uint64_t a, uint64_t b, bool u)
{
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    switch (op) {
    case '*':
        return a * b;
    case '/':
        return divide(a, b, u, false);
    case '%':
        return divide(a, b, u, true);
    case '+':
        return a + b;
    case '-':
        return a - b;
    case PAIR('<', '<'):
        return b < 64 ? a << b : 0;
    case PAIR('>', '>'):
        return u ? (b < 64 ? a >> b : 0) : (uint64_t)(sa >> (b < 64 ? b : 63));
    case '<':
        return u ? a < b : sa < sb;
    case '>':
        return u ? a > b : sa > sb;
    case PAIR('<', '='):
        return u ? a <= b : sa <= sb;
    case PAIR('>', '='):
        return u ? a >= b : sa >= sb;
    case PAIR('=', '='):
        return a == b;
    case PAIR('!', '='):
        return a != b;
    case '&':
        return a & b;
    case '^':
        return a ^ b;
    case '|':
        return a | b;
    case PAIR('&', '&'):
        return a && b;
    default:
        return a || b;
    }
}

static bool parse_tail(Parser *p, int least, Constant *out)
{
    while (p->token.kind == T_PUNCT) {
        Token at = p->token;
        int level = precedence(at.punct);
        if (level < 0 || level < least)
            break;
        next(p);
        Constant right;
        if (!parse_binary(p, level + 1, &right))
            return false;
        if (out->is_float || right.is_float) {
            parse_error_at(p, &at, "constant expressions take whole numbers only");
            return false;
        }
        if ((at.punct == '/' || at.punct == '%') && right.bits == 0) {
            parse_error_at(p, &at, "division by zero in a constant expression");
            return false;
        }
        bool u = out->is_unsigned || right.is_unsigned;
        *out = whole(evaluate(at.punct, out->bits, right.bits, u), u);
    }
    return true;
}

static bool parse_choice(Parser *p, Constant *out) /* c ? a : b */
{
    if (!accept_punct(p, '?'))
        return true;
    Constant yes, no;
    bool condition = out->bits != 0;
    if (!parse_binary(p, 0, &yes) || !expect_punct(p, ':', "a conditional expression") ||
        !parse_binary(p, 0, &no))
        return false;
    *out = condition ? yes : no;
    return true;
}

static bool parse_binary(Parser *p, int least, Constant *out)
{
    *out = (Constant){0};
    if (!enter(p))
        return false;
    bool ok = parse_unary(p, out);
    if (ok && least < 99)
        ok = parse_tail(p, least, out);
    if (ok && least == 0)
        ok = parse_choice(p, out);
    p->nesting--;
    return ok;
}

bool parse_constant(Parser *p, Constant *out)
{
    return parse_binary(p, 0, out);
}

bool parse_whole(Parser *p, uint64_t *out, const char *what)
{
    Token at = p->token;
    Constant constant;
    if (!parse_constant(p, &constant))
        return false;
    if (constant.is_float || (!constant.is_unsigned && (int64_t)constant.bits < 0)) {
        parse_error_at(p, &at, "%s must be a whole number, not negative", what);
        return false;
    }
    *out = constant.bits;
    return true;
}

/* ---- operands ---- */

unsigned type_of_word(const Token *token)
{
    if (token->kind != T_WORD || token->start[0] != '.')
        return TY_none;
    for (unsigned type = 1; type < TY_COUNT; ++type)
        if (strlen(ir_type_info[type].text) == token->bytes - 1 &&
            memcmp(ir_type_info[type].text, token->start + 1, token->bytes - 1) == 0)
            return type;
    return TY_none;
}

static bool parse_operand(Parser *p, IrOperand *out);

static void blank(IrOperand *out)
{
    *out = (IrOperand){.reg = -1, .label = -1};
}

static bool parse_offset(Parser *p, int64_t *offset) /* + 4, - 4, +-4: repeated */
{
    while (at_punct(p, '+') || at_punct(p, '-')) {
        bool minus = at_punct(p, '-');
        next(p);
        Constant constant;
        if (!parse_binary(p, 10, &constant))
            return false;
        if (constant.is_float) {
            parse_error(p, "an offset must be a whole number");
            return false;
        }
        uint64_t delta = minus ? 0 - constant.bits : constant.bits;
        *offset = (int64_t)((uint64_t)*offset + delta);
    }
    return true;
}

/* %envreg3, %reserved_smem_offset_1: a number is part of the name */
static size_t numbered_sreg(const Token *t)
{
    static const char *const names[] = {"%envreg", "%reserved_smem_offset_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        size_t n = strlen(names[i]);
        if (t->bytes > n && memcmp(t->start, names[i], n) == 0 && t->start[n] >= '0' &&
            t->start[n] <= '9')
            return n;
    }
    return 0;
}

static bool parse_sreg(const Token *t, IrOperand *out)
{
    size_t bytes = t->bytes;
    const char *dot = memchr(t->start, '.', bytes);
    size_t name = dot ? (size_t)(dot - t->start) : bytes;
    unsigned component = 0;
    size_t numbered = dot ? 0 : numbered_sreg(t);
    if (dot) {
        const char *letters = "xyzw", *found = bytes - name == 2 ? strchr(letters, dot[1]) : NULL;
        if (!found || !*found)
            return false;
        component = (unsigned)(found - letters);
    } else if (numbered) {
        for (size_t i = numbered; i < bytes; ++i) {
            if (t->start[i] < '0' || t->start[i] > '9' || component > 31)
                return false;
            component = component * 10 + (unsigned)(t->start[i] - '0');
        }
        name = numbered;
    }
    for (unsigned s = 0; s < SREG_COUNT; ++s) {
        const IrSregInfo *info = &ir_sreg_info[s];
        if (strlen(info->text) != name || memcmp(info->text, t->start, name) != 0)
            continue;
        if (dot ? info->components == 1 || component > 3 || component > info->components
                : component >= info->components)
            return false;
        if (!dot && info->components > 1 && !numbered)
            return false; /* a bare %tid is a vector: sreg_vector */
        out->kind = OPND_sreg;
        out->sreg = (uint16_t)s;
        out->component = (uint8_t)component;
        return true;
    }
    return false;
}

/* %tid and its like without a component: {%tid.x, %tid.y, %tid.z, 0}, as mov.v4 takes them. */
static bool sreg_vector(Parser *p, const Token *t, IrOperand *out)
{
    for (unsigned s = 0; s < SREG_COUNT; ++s) {
        const IrSregInfo *info = &ir_sreg_info[s];
        if (info->components != 3 || strlen(info->text) != t->bytes ||
            memcmp(info->text, t->start, t->bytes) != 0)
            continue;
        out->kind = OPND_vector;
        out->count = 4;
        out->items = ARENA_ARRAY(p->arena, IrOperand, 4);
        for (unsigned k = 0; k < 4; ++k) {
            blank(&out->items[k]);
            out->items[k].kind = OPND_sreg;
            out->items[k].sreg = (uint16_t)s;
            out->items[k].component = (uint8_t)k;
        }
        return true;
    }
    return false;
}

static bool vector_of_registers(Parser *p, const Binding *binding, IrOperand *out)
{
    out->kind = OPND_vector;
    out->count = (uint16_t)binding->count;
    out->items = ARENA_ARRAY(p->arena, IrOperand, binding->count);
    for (uint32_t i = 0; i < binding->count; ++i) {
        blank(&out->items[i]);
        out->items[i].kind = OPND_reg;
        out->items[i].reg = binding->index + (int32_t)i;
    }
    return true;
}

/* v.x of a vector register. */
static bool parse_component(Parser *p, const Token *t, IrOperand *out)
{
    const char *dot = memchr(t->start, '.', t->bytes);
    if (!dot || t->bytes - (size_t)(dot - t->start) != 2)
        return false;
    Binding *binding = lookup(p, t->start, (size_t)(dot - t->start));
    const char *found = strchr("xyzw", dot[1]), *colour = strchr("rgba", dot[1]);
    int component = found    ? (int)(strlen("xyzw") - strlen(found))
                    : colour ? (int)(strlen("rgba") - strlen(colour))
                             : -1;
    if (!binding || binding->kind != B_VREG || component < 0 || component >= (int)binding->count)
        return false;
    out->kind = OPND_reg;
    out->reg = binding->index + component;
    return true;
}

/* r.b0, r.h10: parts of the register of a video instruction. */
static bool parse_part(Parser *p, const Token *t, IrOperand *out)
{
    const char *dot = memchr(t->start, '.', t->bytes), *end = t->start + t->bytes;
    if (!p->takes_parts || !dot || end - dot < 3 || end - dot > 6 ||
        (dot[1] != 'b' && dot[1] != 'h'))
        return false;
    Binding *binding = lookup(p, t->start, (size_t)(dot - t->start));
    if (!binding || binding->kind != B_REG)
        return false;
    unsigned part = dot[1] == 'h' ? IR_PART_HALVES : 0, count = 0, top = part ? '3' : '7';
    for (const char *at = end; --at >= dot + 2; ++count) {
        if (*at < '0' || (unsigned)*at > top)
            return false;
        part |= (unsigned)(*at - '0') << 3 * count;
    }
    out->kind = OPND_reg;
    out->reg = binding->index;
    out->part = (uint16_t)(part | count << 12);
    return true;
}

static bool parse_name(Parser *p, IrOperand *out)
{
    Token t = p->token;
    Binding *binding = lookup(p, t.start, t.bytes);
    next(p);
    if (!binding) {
        if (parse_sreg(&t, out) || parse_component(p, &t, out) || parse_part(p, &t, out) ||
            sreg_vector(p, &t, out))
            return true;
        bool counter = t.bytes > 3 && memcmp(t.start, "%pm", 3) == 0;
        parse_error_at(p, &t,
                       counter ? "the performance counter '%.*s' is not supported"
                               : "'%.*s' is not declared",
                       (int)t.bytes, t.start);
        return false;
    }
    switch (binding->kind) {
    case B_REG:
        out->kind = OPND_reg;
        out->reg = binding->index;
        return true;
    case B_VREG:
        return vector_of_registers(p, binding, out);
    case B_SYMBOL:
        out->kind = OPND_symbol;
        out->symbol = binding->symbol;
        if (at_punct(p, '[') && binding->symbol->kind == SYM_VARIABLE) { /* array[3]: an element */
            Constant index;
            next(p);
            if (!parse_constant(p, &index) || !expect_punct(p, ']', "an element of an array"))
                return false;
            unsigned bytes = ir_type_bits((IrType)binding->symbol->type) / 8;
            unsigned vec = binding->symbol->vec ? binding->symbol->vec : 1;
            out->offset = (int64_t)index.bits * (int64_t)(bytes * vec);
            int64_t more = 0;
            bool good = parse_offset(p, &more);
            out->offset += more;
            return good;
        }
        return parse_offset(p, &out->offset);
    default:
        parse_error_at(p, &t, "label '%.*s' cannot stand here", (int)t.bytes, t.start);
        return false;
    }
}

static bool parse_items(Parser *p, IrOperand *out, unsigned close, const char *what)
{
    VEC(IrOperand) items = {0};
    bool ok = enter(p);
    if (ok && !at_punct(p, close)) {
        do {
            IrOperand item;
            ok = parse_operand(p, &item);
            if (ok)
                VEC_PUSH(items, item);
        } while (ok && accept_punct(p, ','));
    }
    if (ok)
        ok = expect_punct(p, close, what);
    if (ok && items.count > 0xffff) {
        parse_error(p, "too many operands in %s", what);
        ok = false;
    }
    if (ok) {
        out->count = (uint16_t)items.count;
        out->items = ARENA_ARRAY(p->arena, IrOperand, items.count);
        if (items.count)
            memcpy(out->items, items.items, items.count * sizeof *items.items);
    }
    VEC_FREE(items);
    p->nesting--;
    return ok;
}

static bool parse_immediate(Parser *p, IrOperand *out)
{
    Constant constant;
    if (!parse_constant(p, &constant))
        return false;
    out->kind = OPND_imm;
    out->bits = constant.bits;
    out->is_float = constant.is_float;
    out->is_single = constant.single;
    return true;
}

/* [a], [a+4], [tex, {x, y}], [tex, sampler, {x, y}]: behind the bracket. */
static bool parse_address(Parser *p, IrOperand *out)
{
    bool named = p->token.kind == T_WORD && !at_word(p, "WARP_SZ");
    if (!(named ? parse_name(p, out) : parse_immediate(p, out)))
        return false;
    if (at_punct(p, ',')) {
        IrOperand handle = *out, rest;
        next(p);
        if (!parse_items(p, &rest, ']', "a texture address"))
            return false;
        blank(out);
        out->kind = OPND_tex;
        out->count = (uint16_t)(rest.count + 1);
        out->items = ARENA_ARRAY(p->arena, IrOperand, rest.count + 1u);
        out->items[0] = handle;
        if (rest.count)
            memcpy(out->items + 1, rest.items, rest.count * sizeof *rest.items);
        return true;
    }
    if (out->kind != OPND_reg && out->kind != OPND_symbol && out->kind != OPND_imm) {
        parse_error(p, "an address is a register, a variable or a number");
        return false;
    }
    if (out->is_float) {
        parse_error(p, "an address cannot be a floating-point number");
        return false;
    }
    out->base_kind = out->kind;
    out->kind = OPND_addr;
    return parse_offset(p, &out->offset) && expect_punct(p, ']', "an address");
}

static bool parse_operand(Parser *p, IrOperand *out)
{
    blank(out);
    if (accept_punct(p, '{')) {
        out->kind = OPND_vector;
        return parse_items(p, out, '}', "a vector");
    }
    if (accept_punct(p, '['))
        return parse_address(p, out);
    if (at_word(p, "_")) {
        next(p);
        out->kind = OPND_sink;
        return true;
    }
    if (at_punct(p, '!') && !p->takes_parts) {
        next(p);
        Token at = p->token;
        if (at.kind == T_WORD && !parse_name(p, out))
            return false;
        unsigned type = out->kind == OPND_reg    ? p->regs.items[out->reg].type
                        : out->kind == OPND_sreg ? ir_sreg_info[out->sreg].type
                                                 : TY_none;
        if (type != TY_pred) {
            parse_error_at(p, &at, "expected a predicate behind '!'");
            return false;
        }
        out->negated = true;
        return true;
    }
    if (at_word(p, "WARP_SZ")) { /* alone a special register, else a constant */
        Token word = p->token;
        Lexer before = p->lexer;
        next(p);
        bool alone = p->token.kind != T_PUNCT || precedence(p->token.punct) < 0;
        p->token = word;
        p->lexer = before;
        return alone ? parse_name(p, out) : parse_immediate(p, out);
    }
    if (p->token.kind == T_WORD && p->token.start[0] != '.')
        return parse_name(p, out);
    if (p->takes_parts && at_punct(p, '-')) { /* -r, as vmad takes it */
        Token minus = p->token;
        Lexer before = p->lexer;
        next(p);
        Token at = p->token;
        if (at.kind == T_WORD && !at_word(p, "WARP_SZ")) {
            if (!parse_name(p, out))
                return false;
            if (out->kind != OPND_reg)
                parse_error_at(p, &at, "expected a register or a number behind '-'");
            out->negated = true;
            return out->kind == OPND_reg;
        }
        p->token = minus;
        p->lexer = before;
    }
    if (p->token.kind == T_INT || p->token.kind == T_FLOAT || at_punct(p, '-') ||
        at_punct(p, '+') || at_punct(p, '~') || at_punct(p, '('))
        return parse_immediate(p, out);
    parse_error(p, "expected an operand");
    return false;
}

/* ---- the operands of one instruction ---- */

static bool parse_label(Parser *p, IrInsn *insn, int32_t index, unsigned operand, bool is_table)
{
    if (p->token.kind != T_WORD) {
        parse_error(p, "expected a %s", is_table ? "table of labels or a prototype" : "label");
        return false;
    }
    PendingLabel pending = {ident_get(p, p->token.start, p->token.bytes), p->token, index,
                            (int32_t)operand, is_table};
    VEC_PUSH(p->pending, pending);
    blank(&insn->operands[operand]);
    insn->operands[operand].kind = OPND_label;
    next(p);
    return true;
}

/* call (results), function, (arguments), prototype; all but the function may be absent. */
static bool parse_call(Parser *p, IrInsn *insn, int32_t index)
{
    IrOperand *o = insn->operands;
    for (unsigned i = 0; i < 4; ++i)
        blank(&o[i]);
    insn->operand_count = 4;
    if (accept_punct(p, '(')) {
        o[0].kind = OPND_list;
        if (!parse_items(p, &o[0], ')', "the results of a call") ||
            !expect_punct(p, ',', "the results of a call"))
            return false;
    }
    if (p->token.kind != T_WORD) {
        parse_error(p, "expected the function to call");
        return false;
    }
    Token at = p->token;
    if (!parse_name(p, &o[1]))
        return false;
    if (o[1].kind == OPND_symbol && o[1].symbol->kind == SYM_FUNCTION)
        o[1].kind = OPND_func;
    else if (o[1].kind != OPND_reg) {
        parse_error_at(p, &at, "'%.*s' is not a function", (int)at.bytes, at.start);
        return false;
    }
    if (!accept_punct(p, ','))
        return true;
    if (accept_punct(p, '(')) {
        o[2].kind = OPND_list;
        if (!parse_items(p, &o[2], ')', "the arguments of a call"))
            return false;
        if (!accept_punct(p, ','))
            return true;
    }
    return parse_label(p, insn, index, 3, true);
}

typedef struct {
    IrOperand operands[IR_MAX_OPERANDS];
    unsigned count;
    bool pipe; /* operand 1 was written behind "|" */
} Written;

static bool parse_written(Parser *p, Written *written)
{
    if (at_punct(p, ';'))
        return true;
    do {
        if (written->count == IR_MAX_OPERANDS) {
            parse_error(p, "too many operands");
            return false;
        }
        if (!parse_operand(p, &written->operands[written->count++]))
            return false;
        if (written->count == 1 && accept_punct(p, '|')) {
            written->pipe = true;
            if (!parse_operand(p, &written->operands[written->count++]))
                return false;
        }
    } while (accept_punct(p, ','));
    return true;
}

static bool is_policy(const IrShape *shape, unsigned role)
{
    return shape->roles[role].kind == ROLE_FIXED && shape->roles[role].fixed == TY_b64 &&
           shape->roles[role].optional;
}

/* Gives the operands as written their places; optional ones fill from the left, except the cache
 * policy, which goes with .L2::cache_hint. */
static bool place_operands(Parser *p, IrInsn *insn, const Written *written, const Token *word)
{
    const IrShape *shape = ir_shape(insn->op);
    unsigned spare = 0, from = 0, last = 0;
    bool hint = insn->mod[MC_HINT] != 0;
    unsigned required = shape->required + written->pipe;
    for (unsigned r = 0; hint && r < shape->role_count; ++r)
        required += is_policy(shape, r);
    if (written->count > required)
        spare = written->count - required;
    for (unsigned r = 0; r < shape->role_count; ++r) {
        const IrRole *role = &shape->roles[r];
        if (role->kind == ROLE_SAME) {
            insn->operands[r] = insn->operands[0];
            last = r + 1;
            continue;
        }
        bool take = !role->optional;
        if (role->pipe)
            take = written->pipe;
        else if (is_policy(shape, r))
            take = hint;
        else if (role->optional && spare) {
            take = true;
            spare--;
        }
        blank(&insn->operands[r]);
        if (take && from < written->count) {
            insn->operands[r] = written->operands[from++];
            last = r + 1;
        } else if (take) {
            parse_error_at(p, word, "'%.*s' lacks operands: %u are not enough", (int)word->bytes,
                           word->start, written->count);
            return false;
        }
    }
    if (from < written->count) {
        parse_error_at(p, word, "'%.*s' has too many operands: %u", (int)word->bytes, word->start,
                       written->count);
        return false;
    }
    insn->operand_count = (uint8_t)last;
    return true;
}

bool parse_operands(Parser *p, IrInsn *insn, int32_t index)
{
    Token word = p->token;
    next(p);
    if (insn->op == OP_call)
        return parse_call(p, insn, index);
    if (insn->op == OP_bra) {
        insn->operand_count = 1;
        return parse_label(p, insn, index, 0, false);
    }
    if (insn->op == OP_brx) {
        insn->operand_count = 2;
        return parse_operand(p, &insn->operands[0]) &&
               expect_punct(p, ',', "the index of a branch") &&
               parse_label(p, insn, index, 1, true);
    }
    Written written = {.count = 0};
    p->takes_parts = ir_video_parts(insn->op) != 0;
    bool good = parse_written(p, &written);
    p->takes_parts = false;
    if (!good)
        return false;
    if (written.pipe &&
        !(ir_shape(insn->op)->role_count > 1 && ir_shape(insn->op)->roles[1].pipe)) {
        parse_error_at(p, &word, "'%.*s' has no second destination", (int)word.bytes, word.start);
        return false;
    }
    return place_operands(p, insn, &written, &word);
}
