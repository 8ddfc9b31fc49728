/* Bases of addresses that move by themselves (isa/moving.h), in loop bodies: registers that no other operand
 * names. Internal to engine/isa.
 *
 * Each base is a chain of additions, so that there are several. Where the amount can be chosen, a base comes
 * back by itself: they are as many as every base is used an even number of times with. Where the scheme fixes
 * it, the end of the loop body takes each base back, by an instruction: they are few, so many that chains of
 * two cycles a step hold up nothing that takes as long as a body of 12 instructions a cycle. */
#ifndef PTL_ISA_ALLOCATE_BASES_H
#define PTL_ISA_ALLOCATE_BASES_H

#include "isa/moving.h"

/* Bases of loads are not those of stores; and amounts of different kinds add up to nothing together. */
enum { PTL_BASE_KINDS = 6, PTL_BASES_MAX = 8 };

typedef struct ptl_bases {
    struct {
        unsigned uses;  /* instances */
        unsigned bytes; /* that an instance moves its base by, at most, if its scheme fixes it */
        unsigned next;
        uint8_t count, numbers[PTL_BASES_MAX];
    } kinds[PTL_BASE_KINDS];
} ptl_bases;

/* Counts an instance of the scheme. */
void ptl_bases_note(ptl_bases* b, const ptl_scheme* scheme);

/* Takes registers from the end of the set, and leaves at least `keep`; `n`: instances in the loop body. */
void ptl_bases_take(ptl_bases* b, ptl_register_set* set, unsigned keep, size_t n);

/* The base of the next instance of the scheme: a number of PTL_FILE_GPR, or -1 if none is left. */
int ptl_bases_next(ptl_bases* b, const ptl_scheme* scheme, const ptl_operand* operand);

#endif
