/* Registers that are counted from a top, which instructions move: the x87 stack (PTL_FILE_X87).
 *
 * What an instance reads is counted from where the top was before it. So is what it writes, unless it pushes:
 * then it writes what is on top afterwards. */
#ifndef PTL_ISA_REGISTER_STACK_H
#define PTL_ISA_REGISTER_STACK_H

#include "isa/policy.h"

/* Returns how many registers an instance takes off the stack; negative: it puts so many on it. */
int ptl_scheme_top_moves(const ptl_scheme* s);

/* Tells whether two registers change places, so that each result waits for the other operand alone: fxch. */
bool ptl_scheme_swaps(const ptl_scheme* s);

/* A register's number that does not move with the top: `top` is the sum of all moves before the instance,
 * `moves` what the instance itself adds to it. Numbers of other files stay as they are. */
unsigned ptl_register_fixed_number(const ptl_architecture* a, ptl_file file, unsigned number, int top,
                                   int moves, bool writes);

#endif
