/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern and operand columns of ops.def, taken apart once per process: what the parser, the
 * verifier and the support list read. */
#ifndef GPUKIT_IR_SHAPE_H
#define GPUKIT_IR_SHAPE_H

#include "ir/ir.h"

enum { IR_MAX_ELEMENTS = 16, IR_MAX_ROLES = IR_MAX_OPERANDS };

typedef enum {
    ROLE_TYPE,   /* scalar of types[index] */
    ROLE_WIDE,   /* twice as wide as types[0] where the modifier is .wide */
    ROLE_FIXED,  /* scalar of the type `fixed` */
    ROLE_PRED,   /* predicate */
    ROLE_VECTOR, /* scalar or vector of types[index] */
    ROLE_ADDRESS,
    ROLE_CONST, /* integer constant */
    ROLE_LABEL,
    ROLE_FUNCTION,
    ROLE_RESULTS,
    ROLE_ARGUMENTS,
    ROLE_TABLE,
    ROLE_TEXTURE,
    ROLE_OFFSET, /* of a texture's coordinates: integers; or the depth to compare with: f32 */
    ROLE_SAME, /* not written: operand 0 as a source */
} IrRoleKind;

typedef struct {
    uint8_t kind;  /* IrRoleKind */
    uint8_t index; /* ROLE_TYPE, ROLE_VECTOR */
    uint8_t fixed; /* ROLE_FIXED: IrType; a signless type takes any class of its width */
    bool optional;
    bool dest;
    bool pipe;  /* written behind "|" */
    bool parts; /* a part of the register may be named */
} IrRole;

typedef struct {
    uint8_t class; /* IrModClass; MC_NONE = a type */
    bool optional;
} IrElement;

typedef struct {
    IrElement elements[IR_MAX_ELEMENTS];
    IrRole roles[IR_MAX_ROLES];
    uint8_t element_count, role_count, required; /* required: roles that may not be absent */
} IrShape;

const IrShape *ir_shape(unsigned op);

/* "RND" for MC_RND: for messages and the support list. */
const char *ir_class_name(unsigned class);

#endif
