/* Tells how the operands of an instruction's other name become those of the instruction. Part of
 * isa/aarch64/other_names.h. */
#ifndef PTL_ISA_AARCH64_RECIPE_H
#define PTL_ISA_AARCH64_RECIPE_H

#include "isa/aarch64/shape.h"

typedef enum ptl_a64_recipe {
    PTL_RECIPE_SAME,        /* the same operands under another name */
    PTL_RECIPE_COPY,        /* d, s            -> d, zero, s */
    PTL_RECIPE_COPY_SP,     /* d, s            -> d, s, 0, where one is sp */
    PTL_RECIPE_COPY_VECTOR, /* d, s            -> d, s, s, of bytes */
    PTL_RECIPE_NUMBER,      /* d, imm          -> d, imm16, lsl n */
    PTL_RECIPE_NOT_NUMBER,  /* d, imm          -> d, ~imm as imm16, lsl n */
    PTL_RECIPE_MASK,        /* d, imm          -> d, zero, imm */
    PTL_RECIPE_COMPARE,     /* a, ...          -> zero, a, ... */
    PTL_RECIPE_NEGATE,      /* d, a, ...       -> d, zero, a, ... */
    PTL_RECIPE_MULTIPLY,    /* d, a, b         -> d, a, b, zero */
    PTL_RECIPE_SHIFT_LEFT,  /* d, a, n         -> d, a, -n mod w, w - 1 - n */
    PTL_RECIPE_SHIFT_RIGHT, /* d, a, n         -> d, a, n, w - 1 */
    PTL_RECIPE_ROTATE,      /* d, a, n         -> d, a, a, n */
    PTL_RECIPE_EXTEND_8,    /* d, a            -> d, a, 0, 7 */
    PTL_RECIPE_EXTEND_16,
    PTL_RECIPE_EXTEND_32,
    PTL_RECIPE_TRUNCATE,   /* x, w            -> w, zero, w */
    PTL_RECIPE_EXTRACT,    /* d, a, lsb, n    -> d, a, lsb, lsb + n - 1 */
    PTL_RECIPE_INSERT,     /* d, a, lsb, n    -> d, a, -lsb mod w, n - 1 */
    PTL_RECIPE_CLEAR,      /* d, lsb, n       -> d, zero, -lsb mod w, n - 1 */
    PTL_RECIPE_SET,        /* d, cond         -> d, zero, zero, not cond */
    PTL_RECIPE_CHANGE,     /* d, a, cond      -> d, a, a, not cond */
    PTL_RECIPE_LENGTHEN,   /* d, a            -> d, a, 0 */
    PTL_RECIPE_RETURN,     /*                 -> x30 */
    PTL_RECIPE_DEFAULT,    /*                 -> the rule's number */
    PTL_RECIPE_NO_SHIFT,   /* ..., lsl 0      -> ... */
    PTL_RECIPE_PAGES,      /* d, a, imm       -> d, a, imm / 4096, lsl 12 */
    PTL_RECIPE_NEGATIVE,   /* d, a, imm       -> d, a, -imm */
    PTL_RECIPE_EXTENDED,   /* d, a, b (, lsl n) -> d, a, b, uxtx (n), where d or a is sp; uxtw of w */
    PTL_RECIPE_LOW_BIT,    /* x, n, ...       -> w, n, ..., where n is below 32 */
    PTL_RECIPE_BYTE,       /* v, imm, ...     -> v, imm modulo 256, ... */
    PTL_RECIPE_FLOAT_ZERO, /* d, 0.0        -> d, zero */
    PTL_RECIPE_CACHE       /* op (, x)        -> op1, CRn, CRm, op2, x; zero for x */
} ptl_a64_recipe;

/* Changes the operands; `number` is of PTL_RECIPE_DEFAULT. False if the recipe is not about such operands. */
bool ptl_a64_recipe_apply(ptl_a64_recipe recipe, int64_t number, ptl_shape* shape);

#endif
