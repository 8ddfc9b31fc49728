/* Tells what an instruction computes, as far as addresses need it: sums of registers and numbers are
 * followed, more of numbers alone; all else is a function of its inputs that nothing is known of. */
#ifndef PTL_ISA_ITEM_FORM_H
#define PTL_ISA_ITEM_FORM_H

#include "isa/codec.h"

/* Tells what becomes of the target, an operand: a register, or memory. `first` and `second` are operands,
 * too. */
typedef enum ptl_item_kind {
    PTL_ITEM_OTHER,
    PTL_ITEM_COPY,     /* second */
    PTL_ITEM_ADD,      /* first + (second << shift) */
    PTL_ITEM_SUBTRACT, /* first - (second << shift) */
    PTL_ITEM_SCALE,    /* first * number */
    PTL_ITEM_ADDRESS,  /* the address of operand 2 */
    PTL_ITEM_ZERO,     /* 0 */
    PTL_ITEM_PUSH,     /* memory below the stack pointer = second; the stack pointer += number */
    PTL_ITEM_POP,      /* memory at the stack pointer, which += number */
    PTL_ITEM_AND,      /* first & second; these are followed of numbers alone */
    PTL_ITEM_OR,
    PTL_ITEM_XOR,
    PTL_ITEM_SHIFT,        /* first >> second, zeros come in */
    PTL_ITEM_SHIFT_SIGNED, /* copies of the first bit come in */
    PTL_ITEM_PART,         /* the lowest `bits` of second */
    PTL_ITEM_PART_SIGNED   /* the same as a number with a sign */
} ptl_item_kind;

typedef struct ptl_item_form {
    uint8_t kind;                  /* ptl_item_kind */
    uint8_t target, first, second; /* operands from 0 on; of PUSH there is no target */
    uint8_t shift;
    bool narrow;            /* the target is a register of 32 bits: the upper half becomes 0 */
    bool of_numbers;        /* it is followed of numbers alone: it wraps, or is no sum */
    uint8_t bits;           /* of a part */
    bool by_number;         /* second is `number` */
    bool copies_vector;     /* operand 0, a vector register, becomes what operand 1, another one, holds */
    bool changes_each_time; /* the same inputs may give other results: time stamps, random numbers */
    int64_t number;
    /* The base of an address, where it is written back, moves by these: a number, and a register that is
     * operand `step_operand` - 1 (0: none). */
    int64_t step;
    uint8_t step_operand;
    uint64_t identity; /* equal for the same scheme with the same immediates only, but by a chance of 2^-64 */
} ptl_item_form;

ptl_item_form ptl_item_form_of(const ptl_instance* instance);

/* Mixes a number into a hash. */
static inline uint64_t ptl_mix(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

#endif
