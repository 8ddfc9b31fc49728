/* The x87 stack where schemes are measured: eight registers that instructions push on and pop from.
 *
 * A loop body starts with seven normal numbers and an empty place, the deepest: st0 and st1 hold 1, st2 to
 * st6 pi, st7 is empty. Every instance leaves it so, with what stands around it (isa/companions.h): what was
 * pushed is popped, what was popped is pushed again, and a result in st0 is thrown away for a new 1. So no
 * instance waits for another through st0, none meets a full or an empty stack, and no number grows into
 * infinity: on Golden Cove each of these costs an instance 400 cycles. */
#ifndef PTL_ISA_X86_64_X87_H
#define PTL_ISA_X86_64_X87_H

#include "isa/codec.h"
#include "isa/policy.h"

/* Does it work on the x87 stack, its status or its control word? */
bool ptl_scheme_is_x87(const ptl_scheme* s);

/* Tells what an instance does to the stack. */
typedef struct ptl_x87_effect {
    uint8_t pushes, pops; /* numbers */
    bool updates_top;     /* it writes st0, other than by pushing */
} ptl_x87_effect;

ptl_x87_effect ptl_scheme_x87_effect(const ptl_scheme* s);

/* Returns what an instance adds to the number of the register on top (isa/register_stack.h): also fincstp,
 * fdecstp. */
int ptl_x87_top_moves(const ptl_scheme* s);

bool ptl_x87_swaps(const ptl_scheme* s);

/* The register that holds nothing, which ffree may free. */
enum { PTL_X87_EMPTY = 7 };
bool ptl_scheme_frees_x87(const ptl_scheme* s);

/* A 1 of 64 bits lies so many bytes from the memory base on: behind all operands, as far from a page's
 * beginning as those that are read. */
enum { PTL_X87_ONE = 4096 };

/* Writes the code that runs once, ahead of a loop (isa/sequence.h): the stack, the 1, numbers of 80 bits and
 * control words where instances read such. *size is 0 if none of them is x87. PTL_LIMIT if capacity is too
 * small. */
ptl_status ptl_x87_setup(const ptl_instance* instances, size_t n, const ptl_policy* policy, unsigned layout,
                         uint8_t* out, size_t capacity, size_t* size, ptl_error* error);

/* The same ahead of a chain, where numbers go round: what links read from memory, as double or as integer, is
 * a 1, as that in st1 is. */
ptl_status ptl_x87_chain_setup(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                               uint8_t* out, size_t capacity, size_t* size, ptl_error* error);

#endif
