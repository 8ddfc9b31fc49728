/* Addresses that move by themselves: A64's pre- and post-index, ldr x0, [x1], 8. What is written back to the
 * base is the sum of it and an amount: a number that the instance chooses, one that the scheme fixes, or a
 * register. Part of isa/architecture.h. */
#ifndef PTL_ISA_MOVING_H
#define PTL_ISA_MOVING_H

#include "isa/policy.h"

typedef struct ptl_move {
    bool moves;     /* false: the base stays, and nothing else of this counts */
    bool ahead;     /* the access is where the base goes to, not where it was */
    uint8_t amount; /* the operand that holds the amount: the address itself, or one behind it */
    uint16_t bytes; /* the amount, if the scheme fixes it; otherwise 0 */
} ptl_move;

/* Tells whether instances move the base of a memory operand. */
bool ptl_scheme_moves_bases(const ptl_scheme* scheme);

#endif
