/* What an instruction computes, as far as addresses need it: sums of registers and numbers are followed, all
 * else is a function of its inputs that nothing is known of. */
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
    PTL_ITEM_POP      /* operand 1 = memory at the stack pointer, which += number */
} ptl_item_kind;

typedef struct ptl_item_form {
    uint8_t kind;           /* ptl_item_kind */
    bool narrow;            /* operand 1 is a register of 32 bits: the upper half becomes 0 */
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
