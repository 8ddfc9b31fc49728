/* How the operands of an instruction's other name become those of the instruction. Part of
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
    PTL_RECIPE_EXTRACT,  /* d, a, lsb, n    -> d, a, lsb, lsb + n - 1 */
    PTL_RECIPE_INSERT,   /* d, a, lsb, n    -> d, a, -lsb mod w, n - 1 */
    PTL_RECIPE_SET,      /* d, cond         -> d, zero, zero, not cond */
    PTL_RECIPE_CHANGE,   /* d, a, cond      -> d, a, a, not cond */
    PTL_RECIPE_LENGTHEN, /* d, a            -> d, a, 0 */
    PTL_RECIPE_RETURN,   /*                 -> x30 */
    PTL_RECIPE_HINT_0,
    PTL_RECIPE_HINT_1,
    PTL_RECIPE_HINT_2,
    PTL_RECIPE_HINT_3,
    PTL_RECIPE_HINT_4,
    PTL_RECIPE_HINT_5,
    PTL_RECIPE_NO_SHIFT, /* ..., lsl 0      -> ... */
    PTL_RECIPE_PAGES,    /* d, a, imm       -> d, a, imm / 4096, lsl 12 */
    PTL_RECIPE_NEGATIVE, /* d, a, imm       -> d, a, -imm */
    PTL_RECIPE_EXTENDED  /* d, a, b (, lsl n) -> d, a, b, uxtx (n), where d or a is sp; uxtw of w */
} ptl_a64_recipe;

/* Changes the operands; false if the recipe is not about such ones. */
bool ptl_a64_recipe_apply(ptl_a64_recipe recipe, ptl_shape* shape);

#endif
