/* SPDX-License-Identifier: Apache-2.0
 * One thread at a time, one instruction at a time, straight from the IR. Threads stop at barriers
 * and warp exchanges until the others are there. What arithmetic gives says the oracle of tests/ops; of the
 * rest only what generate.c makes is known. */
#include "flow.h"
#include "../ops/ops.h"
#include "ir/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_STEPS = 200000, PARAM_SYMBOLS = 128 };
#define BASE   UINT64_C(0x100000000) /* of the buffer */
#define SHARED UINT64_C(0x1000)
#define LOCAL  UINT64_C(0x200000000)

typedef struct {
    const IrFunction *function;
    int32_t pc;
    uint64_t *regs;
    uint8_t frame[FLOW_FRAME];
    const IrSymbol *symbols[PARAM_SYMBOLS]; /* .param variables and what they hold */
    uint64_t values[PARAM_SYMBOLS];
    unsigned symbol_count;
    uint64_t poison;
} Frame;

typedef enum { RUNNING, AT_BARRIER, AT_WARP, ENDED, BROKEN } State;

typedef struct {
    Frame frames[MAX_DEPTH];
    int depth; /* frames in use */
    State state;
    unsigned tid, steps;
} Thread;

typedef struct {
    const IrModule *module;
    uint32_t *words;
    size_t word_count;
    unsigned ctaid, ntid, nctaid, width; /* ntid: all threads; width: along x */
    uint8_t shared[FLOW_SHARED];
    Thread *threads;
    uint64_t poison;                  /* what registers hold before anything is written */
    unsigned arrived[16], wanted[16]; /* bar.arrive, for each barrier */
} Block;

static void broken(Thread *t, const char *why)
{
    const Frame *f = &t->frames[t->depth - 1];
    fprintf(stderr, "interpreter: thread %u, line %d: %s\n", t->tid, f->function->insns[f->pc].line,
            why);
    t->state = BROKEN;
}

static uint64_t *param(Frame *f, const IrSymbol *symbol)
{
    for (unsigned i = 0; i < f->symbol_count; ++i)
        if (f->symbols[i] == symbol)
            return &f->values[i];
    if (f->symbol_count == PARAM_SYMBOLS)
        abort();
    f->symbols[f->symbol_count] = symbol;
    f->values[f->symbol_count] = f->poison;
    return &f->values[f->symbol_count++];
}

static uint64_t symbol_address(const IrSymbol *symbol)
{
    if (symbol->kind == SYM_FUNCTION)
        return (uintptr_t)symbol->function;
    return symbol->space == MOD_shared ? SHARED : LOCAL;
}

static uint64_t special(const Block *b, const Thread *t, const IrOperand *o)
{
    if (o->component == 1 && o->sreg == SREG_tid)
        return t->tid / b->width;
    if (o->component == 1 && o->sreg == SREG_ntid)
        return b->ntid / b->width;
    if (o->component)
        return o->sreg == SREG_ntid || o->sreg == SREG_nctaid;
    switch (o->sreg) {
    case SREG_tid:
        return t->tid % b->width;
    case SREG_ntid:
        return b->width;
    case SREG_ctaid:
        return b->ctaid;
    case SREG_nctaid:
        return b->nctaid;
    case SREG_laneid:
        return t->tid & 31;
    default:
        return 0;
    }
}

static uint64_t value(const Block *b, Thread *t, const IrOperand *o)
{
    Frame *f = &t->frames[t->depth - 1];
    switch (o->kind) {
    case OPND_reg:
        return o->negated ? !f->regs[o->reg] : f->regs[o->reg];
    case OPND_imm:
        return o->bits;
    case OPND_sreg:
        return special(b, t, o);
    case OPND_func:
    case OPND_symbol:
        return symbol_address(o->symbol) + (uint64_t)o->offset;
    default:
        broken(t, "operand");
        return 0;
    }
}

static void set(Thread *t, const IrOperand *o, uint64_t v)
{
    Frame *f = &t->frames[t->depth - 1];
    if (o->kind != OPND_reg)
        return;
    unsigned bits = ir_type_info[f->function->regs[o->reg].type].bits;
    f->regs[o->reg] = bits < 64 ? v & ((UINT64_C(1) << bits) - 1) : v;
}

static unsigned space_at(unsigned space, uint64_t address)
{
    if (space)
        return space;
    return address >= LOCAL ? MOD_local : address >= BASE ? MOD_global : MOD_shared;
}

/* Threads must not meet in memory: what they find there would depend on their order. */
static bool is_allowed(const Block *b, const Thread *t, const IrInsn *insn, unsigned space,
                       size_t byte, unsigned bytes)
{
    size_t own = FLOW_IN + FLOW_COUNTERS, word = byte / 4, last = (byte + bytes - 1) / 4;
    own += ((size_t)b->ctaid * b->ntid + t->tid) * FLOW_SLOTS;
    bool mine = word >= own && last < own + FLOW_SLOTS;
    bool counter = word >= FLOW_IN && last < FLOW_IN + FLOW_COUNTERS;
    if (space == MOD_local || (space == MOD_shared && insn->op == OP_ld))
        return true;
    if (space == MOD_shared) /* a word each, twice, then as much as one access moves */
        return byte >= FLOW_WIDE ? (byte - FLOW_WIDE) / bytes == t->tid
                                 : word % FLOW_MAX_BLOCK == t->tid && last == word;
    return insn->op == OP_red ? counter : insn->op == OP_ld ? mine || last < FLOW_IN : mine;
}

/* Where a memory operand lies; NULL outside. */
static uint8_t *place(Block *b, Thread *t, const IrInsn *insn, const IrOperand *o, unsigned bytes)
{
    Frame *f = &t->frames[t->depth - 1];
    uint64_t address = o->base_kind == OPND_reg ? f->regs[o->reg] : symbol_address(o->symbol);
    address += (uint64_t)o->offset;
    if (ir_space(insn) == MOD_shared)
        address = (uint32_t)address;
    unsigned space = space_at(ir_space(insn), address);
    uint64_t base = space == MOD_shared ? SHARED : space == MOD_local ? LOCAL : BASE;
    uint64_t room = space == MOD_shared  ? FLOW_SHARED
                    : space == MOD_local ? FLOW_FRAME
                                         : b->word_count * 4;
    uint8_t *memory = space == MOD_shared  ? b->shared
                      : space == MOD_local ? f->frame
                                           : (uint8_t *)b->words;
    if (address < base || address + bytes > base + room || address % bytes) {
        broken(t, "address");
        return NULL;
    }
    if (!is_allowed(b, t, insn, space, address - base, bytes))
        broken(t, "a word of another thread");
    return memory + (address - base);
}

static uint64_t poisoned(const Block *b, const IrFunction *function, unsigned reg)
{
    unsigned bits =
        reg < (unsigned)function->reg_count ? ir_type_info[function->regs[reg].type].bits : 0;
    return b->poison & ((UINT64_C(1) << (bits < 32 ? bits : 32)) - 1);
}

static void call_function(const Block *b, Thread *t, const IrInsn *insn)
{
    const IrOperand *callee = &insn->operands[1];
    if (t->depth == MAX_DEPTH) {
        broken(t, "too many calls");
        return;
    }
    Frame *from = &t->frames[t->depth - 1], *to = &t->frames[t->depth];
    const IrFunction *function = callee->kind == OPND_reg
                                     ? (const IrFunction *)(uintptr_t)from->regs[callee->reg]
                                     : callee->symbol->function;
    uint64_t *regs = to->regs;
    *to = (Frame){.function = function, .regs = regs, .poison = b->poison};
    memset(to->frame, (int)(b->poison & 0xff), sizeof to->frame);
    for (unsigned i = 0; i < 256; ++i)
        regs[i] = poisoned(b, function, i);
    for (unsigned i = 0; i < function->param_count; ++i)
        *param(to, function->params[i]) = *param(from, insn->operands[2].items[i].symbol);
    from->pc++;
    t->depth++;
}

static void return_from(Thread *t)
{
    if (t->depth == 1) {
        t->state = ENDED;
        return;
    }
    Frame *from = &t->frames[t->depth - 1], *to = &t->frames[t->depth - 2];
    const IrInsn *call = &to->function->insns[to->pc - 1];
    for (unsigned i = 0; i < from->function->result_count; ++i)
        *param(to, call->operands[0].items[i].symbol) = *param(from, from->function->results[i]);
    t->depth--;
}

static uint64_t load(const uint8_t *at, unsigned type)
{
    uint64_t v = 0;
    unsigned bits = ir_type_info[type].bits;
    memcpy(&v, at, bits / 8);
    if (ir_type_info[type].class == TC_SIGNED && bits < 64 && v >> (bits - 1) & 1)
        v |= ~UINT64_C(0) << bits;
    return v;
}

static void store(uint8_t *at, uint64_t v, unsigned type)
{
    memcpy(at, &v, ir_type_info[type].bits / 8);
}

static uint64_t updated(const IrInsn *insn, uint64_t old, uint64_t x, uint64_t y)
{
    unsigned type = insn->types[0];
    bool is_signed = ir_type_info[type].class == TC_SIGNED;
    bool less = is_signed ? (int64_t)old < (int64_t)x : old < x;
    switch (insn->mod[MC_ATOM]) {
    case MOD_add:
        return old + x;
    case MOD_min:
        return less ? old : x;
    case MOD_max:
        return less ? x : old;
    case MOD_and_:
        return old & x;
    case MOD_or_:
        return old | x;
    case MOD_xor_:
        return old ^ x;
    case MOD_inc:
        return old >= x ? 0 : old + 1;
    case MOD_dec:
        return old == 0 || old > x ? x : old - 1;
    case MOD_cas:
        return old == x ? y : old;
    default:
        return x;
    }
}

static uint64_t typed(Block *b, Thread *t, const IrOperand *o, unsigned type)
{
    uint64_t v = value(b, t, o);
    return load((const uint8_t *)&v, type);
}

static void load_store(Block *b, Thread *t, const IrInsn *insn)
{
    Frame *f = &t->frames[t->depth - 1];
    bool stores = insn->op == OP_st || insn->op == OP_red;
    const IrOperand *address = &insn->operands[stores ? 0 : 1],
                    *data = &insn->operands[stores ? 1 : 0];
    unsigned type = insn->types[0], bytes = ir_type_info[type].bits / 8, count = ir_count(data);
    if (ir_space(insn) == MOD_param) {
        uint64_t *at = param(f, address->symbol);
        if (stores)
            *at = value(b, t, data);
        else
            set(t, data, *at);
        return;
    }
    uint8_t *at = place(b, t, insn, address, bytes * count);
    if (!at)
        return;
    if (insn->op == OP_red || insn->op == OP_atom) {
        const IrOperand *x = &insn->operands[stores ? 1 : 2];
        uint64_t old = load(at, type);
        uint64_t y = insn->mod[MC_ATOM] == MOD_cas ? typed(b, t, x + 1, type) : 0;
        store(at, updated(insn, old, typed(b, t, x, type), y), type);
        if (!stores)
            set(t, data, old);
        return;
    }
    for (unsigned k = 0; k < count; ++k)
        if (stores)
            store(at + k * bytes, value(b, t, ir_item(data, k)), type);
        else
            set(t, ir_item(data, k), load(at + k * bytes, type));
}

/* mov.b32 {a, b}, c; mov.b32 c, {a, b}; mov.b32 c, d */
static void move(Block *b, Thread *t, const IrInsn *insn)
{
    const IrOperand *d = &insn->operands[0], *s = &insn->operands[1];
    unsigned bits = ir_type_info[insn->types[0]].bits;
    uint64_t v = 0;
    for (unsigned k = 0; k < ir_count(s); ++k)
        v |= value(b, t, ir_item(s, k)) << k * (bits / ir_count(s));
    for (unsigned k = 0; k < ir_count(d); ++k)
        set(t, ir_item(d, k), v >> k * (bits / ir_count(d)));
}

static void compute(Block *b, Thread *t, const IrInsn *insn)
{
    const IrShape *shape = ir_shape(insn->op);
    const IrFunction *function = t->frames[t->depth - 1].function;
    OpsCase test = {.insn = *insn};
    uint64_t in[OPS_MAX_IN] = {0};
    const IrOperand *out[OPS_MAX_OUT];
    for (unsigned r = 0; r < shape->role_count && r < insn->operand_count; ++r) {
        const IrOperand *o = &insn->operands[r];
        if (shape->roles[r].dest) {
            test.out_type[test.out_count] =
                o->kind == OPND_reg ? function->regs[o->reg].type : TY_pred;
            out[test.out_count++] = o;
        } else if (shape->roles[r].kind == ROLE_CONST) {
            test.imm = (uint32_t)o->bits;
        } else if (o->kind != OPND_none) {
            in[test.in_count++] = value(b, t, o);
        }
    }
    Expect want;
    if (!ops_expect(&test, in, &want))
        broken(t, "instruction");
    for (unsigned k = 0; k < test.out_count; ++k) /* poison shows where PTX leaves it open */
        set(t, out[k], want.any[k] ? b->poison : want.bits[k]);
}

static bool is_warp(const IrInsn *insn)
{
    return insn->op == OP_vote || insn->op == OP_shfl || insn->op == OP_bar_warp ||
           insn->op == OP_match || insn->op == OP_redux;
}

static bool is_barrier(const IrInsn *insn)
{
    return insn->op == OP_bar || insn->op == OP_barrier || insn->op == OP_bar_red;
}

static unsigned barrier_number(const Block *b, Thread *t, const IrInsn *insn)
{
    return (unsigned)value(b, t, &insn->operands[insn->op == OP_bar_red]) & 15;
}

/* How many threads it waits for; 0: all. */
static unsigned barrier_threads(const Block *b, Thread *t, const IrInsn *insn)
{
    unsigned at = insn->op == OP_bar_red ? 2 : 1;
    bool given = at < insn->operand_count && insn->operands[at].kind != OPND_none;
    return given ? (unsigned)value(b, t, &insn->operands[at]) : 0;
}

static void step(Block *b, Thread *t)
{
    Frame *f = &t->frames[t->depth - 1];
    if (f->pc >= f->function->insn_count) {
        return_from(t);
        return;
    }
    const IrInsn *insn = &f->function->insns[f->pc];
    if (++t->steps > MAX_STEPS) {
        broken(t, "does not end");
        return;
    }
    if (insn->guard >= 0 && (f->regs[insn->guard] != 0) == insn->guard_negated) {
        f->pc++;
        return;
    }
    if (is_barrier(insn) && insn->mod[MC_BARKIND] == MOD_arrive) {
        unsigned id = barrier_number(b, t, insn);
        b->arrived[id]++;
        b->wanted[id] = barrier_threads(b, t, insn);
        f->pc++;
        return;
    }
    if (is_barrier(insn) || is_warp(insn)) {
        t->state = is_barrier(insn) ? AT_BARRIER : AT_WARP;
        return;
    }
    switch (insn->op) {
    case OP_activemask:
        set(t, &insn->operands[0], UINT64_C(1) << (t->tid & 31));
        break;
    case OP_bra:
        f->pc = f->function->labels[insn->operands[0].label].insn;
        return;
    case OP_brx: {
        const IrTable *table = &f->function->tables[insn->operands[1].label];
        uint64_t index = value(b, t, &insn->operands[0]);
        if (index >= (uint64_t)table->label_count)
            broken(t, "branch index");
        else
            f->pc = f->function->labels[table->labels[index]].insn;
        return;
    }
    case OP_exit:
        t->state = ENDED;
        return;
    case OP_ret:
        return_from(t);
        return;
    case OP_call:
        call_function(b, t, insn);
        return;
    case OP_ld:
    case OP_st:
    case OP_red:
    case OP_atom:
        load_store(b, t, insn);
        break;
    case OP_cvta: /* addresses of all spaces differ */
    case OP_mov:
        move(b, t, insn);
        break;
    default:
        compute(b, t, insn);
    }
    if (t->state == RUNNING)
        f->pc++;
}

static const IrInsn *waiting_at(const Thread *t)
{
    const Frame *f = &t->frames[t->depth - 1];
    return &f->function->insns[f->pc];
}

static uint32_t members(Block *b, Thread *t, const IrInsn *insn)
{
    unsigned at = insn->op == OP_shfl    ? 5
                  : insn->op == OP_match ? 3
                  : insn->op == OP_vote  ? 2
                  : insn->op == OP_redux ? 2
                                         : 0;
    return (uint32_t)value(b, t, &insn->operands[at]);
}

/* What the lanes of a group bring to an exchange. */
typedef struct {
    const IrInsn *insn;
    uint32_t group, given[32];
    uint64_t poison;
} Meeting;

static void shuffle(Block *b, Thread *t, const Meeting *m)
{
    unsigned lane = t->tid & 31, by = (unsigned)value(b, t, &m->insn->operands[3]) & 31;
    unsigned c = (unsigned)value(b, t, &m->insn->operands[4]), segment = c >> 8 & 31;
    unsigned limit = (lane & segment) | (c & 31 & ~segment), mode = m->insn->mod[MC_SHFL];
    unsigned from = mode == MOD_up     ? lane - by
                    : mode == MOD_down ? lane + by
                    : mode == MOD_bfly ? lane ^ by
                                       : (lane & segment) | (by & ~segment);
    bool within = mode == MOD_up ? (int)from >= (int)limit : from <= limit;
    from = within ? from : lane;
    set(t, &m->insn->operands[0], m->group >> from & 1 ? m->given[from] : m->poison);
    if (m->insn->operands[1].kind == OPND_reg)
        set(t, &m->insn->operands[1], within);
}

static void match(Thread *t, const Meeting *m)
{
    uint32_t same = 0;
    for (unsigned l = 0; l < 32; ++l)
        if (m->group >> l & 1 && m->given[l] == m->given[t->tid & 31])
            same |= 1u << l;
    bool all = same == m->group;
    if (m->insn->mod[MC_MATCH] == MOD_all_)
        same = all ? same : 0;
    set(t, &m->insn->operands[0], same);
    if (m->insn->operands[1].kind == OPND_reg)
        set(t, &m->insn->operands[1], all);
}

static uint32_t reduced(unsigned op, bool is_signed, uint32_t x, uint32_t y)
{
    bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (op) {
    case MOD_xadd:
        return x + y;
    case MOD_xmin:
        return less ? x : y;
    case MOD_xmax:
        return less ? y : x;
    case MOD_xand:
        return x & y;
    case MOD_xor__:
        return x | y;
    default:
        return x ^ y;
    }
}

static void reduce(Thread *t, const Meeting *m)
{
    unsigned l = (unsigned)__builtin_ctz(m->group);
    uint32_t sum = m->given[l];
    while (++l < 32)
        if (m->group >> l & 1)
            sum = reduced(m->insn->mod[MC_REDUX],
                          ir_type_info[m->insn->types[0]].class == TC_SIGNED, sum, m->given[l]);
    set(t, &m->insn->operands[0], sum);
}

static void vote(Thread *t, const Meeting *m)
{
    uint32_t ballot = 0;
    for (unsigned l = 0; l < 32; ++l)
        ballot |= (m->group >> l & m->given[l] & 1) << l;
    switch (m->insn->mod[MC_VOTE]) {
    case MOD_ballot:
        set(t, &m->insn->operands[0], ballot);
        break;
    case MOD_any:
        set(t, &m->insn->operands[0], ballot != 0);
        break;
    case MOD_all:
        set(t, &m->insn->operands[0], ballot == m->group);
        break;
    default:
        set(t, &m->insn->operands[0], ballot == 0 || ballot == m->group);
    }
}

/* The lanes that thread `caller` names stand at the same exchange as it. */
static bool exchange(Block *b, unsigned caller)
{
    const IrInsn *insn = waiting_at(&b->threads[caller]);
    Meeting m = {.insn = insn, .poison = b->poison};
    m.group = members(b, &b->threads[caller], insn);
    unsigned first = caller & ~31u, source = insn->op == OP_shfl || insn->op == OP_match ? 2 : 1;
    for (unsigned l = 0; l < 32; ++l) {
        if (!(m.group >> l & 1))
            continue;
        Thread *t = &b->threads[first + l];
        if (first + l >= b->ntid || t->state != AT_WARP || waiting_at(t) != insn ||
            members(b, t, insn) != m.group)
            return false;
        if (insn->op != OP_bar_warp)
            m.given[l] = (uint32_t)value(b, t, &insn->operands[source]);
    }
    for (unsigned l = 0; l < 32; ++l) {
        Thread *t = &b->threads[first + l];
        if (!(m.group >> l & 1))
            continue;
        if (insn->op == OP_vote)
            vote(t, &m);
        else if (insn->op == OP_shfl)
            shuffle(b, t, &m);
        else if (insn->op == OP_match)
            match(t, &m);
        else if (insn->op == OP_redux)
            reduce(t, &m);
        t->frames[t->depth - 1].pc++;
        t->state = RUNNING;
    }
    return true;
}

/* Lets the threads at a barrier go when as many are there as it wants; exited ones count where it
 * wants all. */
static bool open_barrier(Block *b, unsigned id, unsigned ended)
{
    unsigned waiting = 0, yes = 0, wanted = b->wanted[id];
    for (unsigned i = 0; i < b->ntid; ++i) {
        Thread *t = &b->threads[i];
        if (t->state != AT_BARRIER || barrier_number(b, t, waiting_at(t)) != id)
            continue;
        const IrInsn *insn = waiting_at(t);
        waiting++;
        wanted = barrier_threads(b, t, insn);
        if (insn->op == OP_bar_red)
            yes += value(b, t, &insn->operands[3]) & 1;
    }
    if (waiting + b->arrived[id] == 0 ||
        waiting + b->arrived[id] != (wanted ? wanted : b->ntid - ended))
        return false;
    for (unsigned i = 0; i < b->ntid; ++i) {
        Thread *t = &b->threads[i];
        if (t->state != AT_BARRIER || barrier_number(b, t, waiting_at(t)) != id)
            continue;
        const IrInsn *insn = waiting_at(t);
        if (insn->op == OP_bar_red && insn->mod[MC_RED] == MOD_popc)
            set(t, &insn->operands[0], yes);
        else if (insn->op == OP_bar_red)
            set(t, &insn->operands[0], insn->mod[MC_RED] == MOD_rand ? yes == waiting : yes != 0);
        t->frames[t->depth - 1].pc++;
        t->state = RUNNING;
    }
    b->arrived[id] = 0;
    return true;
}

static bool run_block(Block *b)
{
    for (;;) {
        unsigned ended = 0;
        bool progress = false;
        for (unsigned i = 0; i < b->ntid; ++i) {
            Thread *t = &b->threads[i];
            progress |= t->state == RUNNING;
            while (t->state == RUNNING)
                step(b, t);
            if (t->state == BROKEN)
                return false;
            ended += t->state == ENDED;
        }
        if (ended == b->ntid)
            return true;
        for (unsigned i = 0; i < b->ntid; ++i)
            if (b->threads[i].state == AT_WARP)
                progress |= exchange(b, i);
        for (unsigned id = 0; id < 16; ++id)
            progress |= open_barrier(b, id, ended);
        if (!progress) {
            fprintf(stderr, "interpreter: threads wait for each other\n");
            return false;
        }
    }
}

bool flow_interpret(const IrModule *module, uint32_t *words, unsigned grid, unsigned block,
                    unsigned width, uint64_t poison)
{
    const IrFunction *kernel = ir_find_function(module, "k");
    Block b = {.module = module,
               .words = words,
               .poison = poison,
               .ntid = block,
               .width = width,
               .nctaid = grid,
               .word_count = FLOW_IN + FLOW_COUNTERS + (size_t)grid * block * FLOW_SLOTS};
    b.threads = calloc(block, sizeof *b.threads);
    uint64_t *regs = calloc((size_t)block * MAX_DEPTH * 256, sizeof *regs);
    bool ok = kernel && kernel->reg_count <= 256;
    for (b.ctaid = 0; ok && b.ctaid < grid; ++b.ctaid) {
        memset(b.shared, (int)(poison & 0xff), sizeof b.shared);
        memset(b.arrived, 0, sizeof b.arrived);
        for (unsigned i = 0; i < block; ++i) {
            Thread *t = &b.threads[i];
            memset(t, 0, sizeof *t);
            for (unsigned d = 0; d < MAX_DEPTH; ++d)
                t->frames[d].regs = regs + ((size_t)i * MAX_DEPTH + d) * 256;
            for (unsigned r = 0; r < 256; ++r)
                t->frames[0].regs[r] = poisoned(&b, kernel, r);
            t->frames[0].function = kernel;
            t->frames[0].poison = b.poison;
            memset(t->frames[0].frame, (int)(poison & 0xff), sizeof t->frames[0].frame);
            *param(&t->frames[0], kernel->params[0]) = BASE;
            t->tid = i;
            t->depth = 1;
        }
        ok = run_block(&b);
    }
    free(regs);
    free(b.threads);
    return ok;
}
