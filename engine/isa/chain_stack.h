/* Links on a stack of registers (isa/register_stack.h). Internal to engine/isa.
 *
 * Between links a stack is as deep as at the start, so that registers are counted from one top. What a link
 * pops is pushed again, a constant: ahead of it, so that it works with the constant, or behind it if what it
 * pops is the carrier. What it pushes takes the place of the top, which is popped ahead of it. */
#ifndef PTL_ISA_CHAIN_STACK_H
#define PTL_ISA_CHAIN_STACK_H

#include "isa/chain_cut.h"

/* Returns why the link is none, in words; NULL: it may be one. Edges are known. */
const char* ptl_chain_stack_fault(const ptl_chain_state* s, size_t k);

/* Returns what is added to a register's number where the link names it. */
int ptl_chain_stack_shift(const ptl_link* link);

/* Tells whether the top that the link finds is a constant of its own. */
bool ptl_chain_stack_has_own_top(const ptl_link* link);

/* Adds what gives a register, counted as between links, a constant that depends on nothing. */
ptl_status ptl_chain_stack_renew(ptl_chain_state* s, unsigned number, ptl_cuts* out, ptl_error* error);

/* Adds what stands ahead of the link, behind all that cuts dependencies. */
ptl_status ptl_chain_stack_ahead(ptl_chain_state* s, const ptl_link* link, ptl_cuts* out, ptl_error* error);

/* Writes what stands behind it; *n becomes the number of instances, 0 or 1. */
ptl_status ptl_chain_stack_behind(ptl_chain_state* s, const ptl_link* link, ptl_instance* out, size_t* n,
                                  ptl_error* error);

#endif
