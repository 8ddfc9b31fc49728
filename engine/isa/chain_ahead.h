/* Makes what runs once ahead of the loop of a chain: constants, carriers and memory. Internal to engine/isa.
 */
#ifndef PTL_ISA_CHAIN_AHEAD_H
#define PTL_ISA_CHAIN_AHEAD_H

#include "isa/chain_state.h"

/* Fills out->ahead. `first`: the link that the loop begins with; `start`: where it finds the carrier. */
ptl_status ptl_chain_prepare(ptl_chain_state* s, size_t first, const ptl_carrier* start, ptl_chain* out,
                             ptl_error* error);

#endif
