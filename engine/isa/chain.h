/* Chains of dependent instances: a variant of Algorithm 3.1 that forces one dependency and no other.
 *
 * A chain is a cyclic list of links: what link k writes at its place `to`, link k + 1 reads at its place
 * `from`, and the last feeds the first. What goes from link to link is the carrier: a register, a flag or a
 * memory cell. Nothing else holds a link up:
 * - what it only reads comes from registers and memory that nothing writes;
 * - what it only writes goes to registers that nothing on the chain reads, several in turn;
 * - what it updates beside the carrier is cut ahead of it: a copy of a constant register gives it a value
 * that depends on nothing. So is a fixed register that another link writes, and a new carrier that the link
 *   updates (add r1, r2 from 2 to 1 waits for the old r1). Flags are cut by test, inc (all but the carry) or
 *   clc (the carry alone), whichever leaves the carrier. Memory is not cut, but of 24 or more cells in turn.
 * - registers of the x87 stack are counted from the same top between all links: what stands around a link
 *   keeps the stack as deep as it was.
 * Flags that none of these cuts may come along with that of the carrier, from the link before (`together`):
 * then the longer of the two ways counts, unless cores rename these flags as one, as those of A64. Where a
 * dependency cannot be cut otherwise, the latency cannot be told from others: PTL_UNSUPPORTED with the
 * reason.
 *
 * A carrier that is an address leads to memory: as a base it must hold the address of the data, as an index
 * 0. So in chains with address places constants hold 0, the cell at the base its own address, that of indexed
 * operands 0. Then mov r64, [r64] is a loop, and so are most loads; other links need an `and` (with 0) and a
 * `lea` (which adds the base) between; on A64 an `and` and an `orr` with the base. This is made by code ahead
 * of the loop. A base that an instance itself moves is the carrier, or set ahead of each instance. */
#ifndef PTL_ISA_CHAIN_H
#define PTL_ISA_CHAIN_H

#include "isa/codec.h"
#include "isa/place.h"

#define PTL_LINKS_MAX 32
#define PTL_CUTS_MAX 16  /* instances ahead of one link, at most */
#define PTL_BEHIND_MAX 1 /* and behind it: what restores a stack of registers (chain_stack.h) */

/* Instances ahead of the loop, at most: general registers that are zeroed or made to point to data, 32 in
 * all; vector registers that are zeroed, 32; two pointers and eight words of memory; where the carrier
 * starts. */
#define PTL_AHEAD_MAX (2 * 32 + 11)

typedef struct ptl_link {
    const ptl_scheme* scheme;
    ptl_place from, to;
    bool same; /* all that the scheme reads in the carrier's file is the carrier: zeroing and move idioms */
} ptl_link;

typedef struct ptl_chain {
    ptl_instance* body; /* room for PTL_CUTS_MAX + 1 + PTL_BEHIND_MAX instances per link and round */
    size_t count;       /* of the body */
    size_t each;        /* instances of a round: links, and what cuts dependencies ahead of them */
    uint16_t position[PTL_LINKS_MAX]; /* of the links within the round */
    bool together[PTL_LINKS_MAX]; /* the link reads further flags, which the one before wrote with the carrier
                                   */
    ptl_instance ahead[PTL_AHEAD_MAX];
    size_t ahead_count;
} ptl_chain;

/* Builds `rounds` rounds of a chain; out->body and its room are the caller's. PTL_BAD_INPUT if neighbours do
 * not fit, PTL_UNSUPPORTED if a dependency cannot be cut or there are no operands. A round need not begin
 * with the first link; out->position tells. */
ptl_status ptl_chain_build(const ptl_link* links, size_t n, size_t rounds, const ptl_policy* policy,
                           ptl_chain* out, ptl_error* error);

#endif
