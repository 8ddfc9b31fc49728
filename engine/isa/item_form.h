/* What an instruction computes, as far as addresses need it: sums of registers and numbers are followed, more
 * of numbers alone; all else is a function of its inputs that nothing is known of. */
#ifndef PTL_ISA_ITEM_FORM_H
#define PTL_ISA_ITEM_FORM_H

#include "isa/codec.h"

typedef enum ptl_item_kind {
    PTL_ITEM_OTHER,
    PTL_ITEM_COPY, /* operand 1 = operand 2 */
    PTL_ITEM_ADD,  /* operand 1 += operand 2 */
    PTL_ITEM_SUBTRACT,
    PTL_ITEM_SCALE,   /* operand 1 *= number */
    PTL_ITEM_ADDRESS, /* operand 1 = address of operand 2 */
    PTL_ITEM_ZERO,    /* operand 1 = 0 */
    PTL_ITEM_PUSH,    /* memory below the stack pointer = operand 1; the stack pointer += number */
    PTL_ITEM_POP,     /* operand 1 = memory at the stack pointer, which += number */
    PTL_ITEM_AND,     /* operand 1 &= operand 2; these are followed of numbers alone */
    PTL_ITEM_OR,
    PTL_ITEM_XOR,
    PTL_ITEM_SHIFT,        /* operand 1 >>= operand 2, zeros come in */
    PTL_ITEM_SHIFT_SIGNED, /* copies of the first bit come in */
    PTL_ITEM_PART,         /* operand 1 = the lowest `bits` of operand 2 */
    PTL_ITEM_PART_SIGNED   /* the same as a number with a sign */
} ptl_item_kind;

typedef struct ptl_item_form {
    uint8_t kind;           /* ptl_item_kind */
    bool narrow;            /* operand 1 is a register of 32 bits: the upper half becomes 0 */
    bool of_numbers;        /* it is followed of numbers alone: it wraps, or is no sum */
    uint8_t bits;           /* of a part */
    bool by_number;         /* operand 2, of PUSH operand 1, is `number` */
    bool changes_each_time; /* the same inputs may give other results: time stamps, random numbers */
    int64_t number;
    uint64_t identity; /* equal for the same scheme with the same immediates only, but by a chance of 2^-64 */
} ptl_item_form;

ptl_item_form ptl_item_form_of(const ptl_instance* instance);

/* Mixes a number into a hash. */
static inline uint64_t ptl_mix(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

#endif
