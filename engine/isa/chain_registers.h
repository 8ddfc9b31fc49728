/* Registers for chains: constants, carriers and spares. Internal to engine/isa. */
#ifndef PTL_ISA_CHAIN_REGISTERS_H
#define PTL_ISA_CHAIN_REGISTERS_H

#include "isa/chain_state.h"

/* Finds which registers schemes fix, which of them links write, and what is left for whom. PTL_UNSUPPORTED
 * for schemes that chains cannot have: branches, stack, absolute addresses, legacy SSE beside wider vectors.
 */
ptl_status ptl_chain_survey(ptl_chain_state* s, ptl_error* error);

/* The least recently used member of a set that is not among the bits of `avoid`, if there is another; -1 if
 * the set is empty. */
int ptl_chain_take(ptl_chain_state* s, ptl_file file, const ptl_register_set* set, uint32_t avoid);

#endif
