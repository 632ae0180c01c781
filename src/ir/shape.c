/* SPDX-License-Identifier: Apache-2.0
 * Takes the text columns of ops.def apart. A broken row is our mistake: it ends the process. */
#include "ir/shape.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS_LIST(X)                                                                              \
    X(RND)                                                                                         \
    X(FTZ) X(SAT) X(RELU) X(APPROX) X(NAN) X(XORSIGN) X(MUL) X(CC) X(CMP) X(BOOL) X(SPACE)         \
        X(SPACE2) X(TO) X(VEC) X(SEM) X(SCOPE) X(CACHE) X(NC) X(EVICT) X(HINT) X(PREFETCH) X(ATOM) \
            X(NOFTZ) X(SYNC) X(ALIGNED) X(SHFL) X(VOTE) X(MATCH) X(BARKIND) X(RED) X(REDUX) X(ABS) \
                X(UNI) X(SHIFTAMT) X(SHFMODE) X(SHFDIR) X(PRMT) X(TESTP) X(LEVEL) X(PROXY) X(GEOM) \
                    X(CLAMP) X(SURF) X(SHAPE) X(LAYOUT) X(LAYOUT2) X(COUNT) X(TRANS) X(FRAG)       \
                        X(ADDRMODE) X(DPMODE) X(MBAR) X(PARITY) X(NOINC) X(TX) X(BULKGROUP)        \
                            X(READ) X(REGCOUNT) X(COMPONENT) X(SECOP) X(PO) X(SCALE) X(MMIO) X(LEVEL2) X(RESTRICT) X(LOD) X(QUERY)

static const char *const class_names[MC_END] = {[MC_NONE] = "T",
#define NAME(class) [MC_##class] = #class,
                                                CLASS_LIST(NAME)
#undef NAME
};

static IrShape shapes[OP_COUNT];

static _Noreturn void bad_row(unsigned op, const char *what)
{
    fprintf(stderr, "gpukit: ops.def row %s: bad %s\n", ir_op_info[op].id, what);
    abort();
}

/* Next blank-separated word of *text into word; false at the end. */
static bool next_word(const char **text, char *word, size_t room)
{
    while (**text == ' ')
        ++*text;
    size_t n = strcspn(*text, " ");
    if (n == 0)
        return false;
    if (n >= room)
        n = room - 1;
    memcpy(word, *text, n);
    word[n] = 0;
    *text += n;
    return true;
}

static void parse_pattern(unsigned op, IrShape *shape)
{
    const char *text = ir_op_info[op].pattern;
    char word[24];
    while (next_word(&text, word, sizeof word)) {
        const char *name = word[0] == '?' ? word + 1 : word;
        IrElement element = {.optional = word[0] == '?', .class = MC_END};
        for (unsigned class = 0; class < MC_END; ++class)
            if (class_names[class] && strcmp(class_names[class], name) == 0)
                element.class = (uint8_t) class;
        if (element.class == MC_END || shape->element_count == IR_MAX_ELEMENTS)
            bad_row(op, "pattern");
        shape->elements[shape->element_count++] = element;
    }
}

static bool parse_role(const char *name, IrRole *role)
{
    static const struct {
        const char *name;
        IrRole role;
    } fixed[] = {
        {"dw", {.kind = ROLE_WIDE, .dest = true}},
        {"aw", {.kind = ROLE_WIDE}},
        {"dp", {.kind = ROLE_PRED, .dest = true}},
        {"pr", {.kind = ROLE_PRED}},
        {"D", {.kind = ROLE_VECTOR, .dest = true}},
        {"S", {.kind = ROLE_VECTOR}},
        {"V1", {.kind = ROLE_VECTOR, .index = 1}},
        {"ab16", {.kind = ROLE_FIXED, .fixed = TY_b16}},
        {"ab32", {.kind = ROLE_FIXED, .fixed = TY_b32}},
        {"ab64", {.kind = ROLE_FIXED, .fixed = TY_b64}},
        {"af32", {.kind = ROLE_FIXED, .fixed = TY_f32}},
        {"au32", {.kind = ROLE_FIXED, .fixed = TY_u32}},
        {"a32", {.kind = ROLE_FIXED, .fixed = TY_b32}},
        {"du32", {.kind = ROLE_FIXED, .fixed = TY_u32, .dest = true}},
        {"db32", {.kind = ROLE_FIXED, .fixed = TY_b32, .dest = true}},
        {"d32", {.kind = ROLE_FIXED, .fixed = TY_b32, .dest = true}},
        {"db64", {.kind = ROLE_FIXED, .fixed = TY_b64, .dest = true}},
        {"A", {.kind = ROLE_ADDRESS}},
        {"i", {.kind = ROLE_CONST}},
        {"L", {.kind = ROLE_LABEL}},
        {"F", {.kind = ROLE_FUNCTION}},
        {"R", {.kind = ROLE_RESULTS, .dest = true}},
        {"G", {.kind = ROLE_ARGUMENTS}},
        {"N", {.kind = ROLE_TABLE}},
        {"X", {.kind = ROLE_TEXTURE}},
        {"O", {.kind = ROLE_OFFSET}},
        {"same", {.kind = ROLE_SAME, .optional = true}},
    };
    bool pipe = name[0] == '|';
    if (pipe && strcmp(name, "|p") == 0) {
        *role = (IrRole){.kind = ROLE_PRED, .dest = true, .pipe = true, .optional = true};
        return true;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i)
        if (strcmp(fixed[i].name, name) == 0) {
            *role = fixed[i].role;
            return true;
        }
    bool parts = name[1] == 's';
    const char *digit = name + 1 + parts;
    if ((name[0] == 'a' || name[0] == 'd') && *digit >= '0' && *digit <= '3' && !digit[1]) {
        *role = (IrRole){.kind = ROLE_TYPE,
                         .index = (uint8_t)(*digit - '0'),
                         .dest = name[0] == 'd',
                         .parts = parts};
        return true;
    }
    return false;
}

static void parse_roles(unsigned op, IrShape *shape)
{
    const char *text = ir_op_info[op].operands;
    char word[24];
    while (next_word(&text, word, sizeof word)) {
        IrRole role;
        bool optional = word[0] == '?';
        if (!parse_role(word + optional, &role) || shape->role_count == IR_MAX_ROLES)
            bad_row(op, "operands");
        role.optional |= optional;
        shape->required += !role.optional;
        shape->roles[shape->role_count++] = role;
    }
}

static void parse_rows(void)
{
    for (unsigned op = 0; op < OP_COUNT; ++op) {
        parse_pattern(op, &shapes[op]);
        parse_roles(op, &shapes[op]);
    }
}

const IrShape *ir_shape(unsigned op)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, parse_rows);
    return &shapes[op];
}

const char *ir_class_name(unsigned class)
{
    return class < MC_END && class_names[class] ? class_names[class] : "?";
}
