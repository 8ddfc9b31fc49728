/* Chooses where memory operands of a chain are. Internal to engine/isa. */
#ifndef PTL_ISA_CHAIN_MEMORY_H
#define PTL_ISA_CHAIN_MEMORY_H

#include "isa/chain_state.h"

/* The cell of the carrier that link k leaves in memory: one that it and the next link can address. */
uint32_t ptl_chain_carrier_cell(ptl_chain_state* s, size_t k);

/* The address of memory operand `operand` of link k: [base + displacement], or with the carrier as base or
 * index. A base that moves and is not the carrier becomes s->fresh. False if it cannot be said. */
bool ptl_chain_memory(ptl_chain_state* s, size_t k, unsigned operand, const ptl_carrier* in,
                      const ptl_carrier* out, ptl_value* value);

/* Tells whether the operand is the number by which an address of the scheme moves; instances of chains have
 * PTL_CHAIN_STEP there. */
bool ptl_chain_is_amount(const ptl_scheme* scheme, unsigned operand);

/* Returns by how much an address is moved behind link k that was moved by `offset` before: what adds to an
 * address keeps that, what loads one ends it. */
int32_t ptl_chain_offset_behind(const ptl_chain_state* s, size_t k, int32_t offset);

/* Tells whether the result of link k is made an address by the memory's base, which the link reads beside the
 * carrier. */
bool ptl_chain_makes_base(const ptl_chain_state* s, size_t k);

#endif
