/* Tells what goes from link to link of a chain. Internal to engine/isa. */
#ifndef PTL_ISA_CHAIN_EDGE_H
#define PTL_ISA_CHAIN_EDGE_H

#include "isa/chain.h"

typedef struct ptl_edge {
    uint8_t kind; /* PTL_PLACE_REGISTER, PTL_PLACE_MEMORY or PTL_PLACE_FLAG */
    uint8_t file; /* of a register */
    int8_t
        number; /* of the register that a scheme fixes; memory: 0 if it is at a fixed base; -1: to choose */
    uint32_t flag; /* its bit */
} ptl_edge;

/* Does the link leave its result where it found the carrier? */
bool ptl_link_keeps(const ptl_link* link);

/* edges[k] becomes what goes from links[k] to the next one. PTL_BAD_INPUT if it cannot. */
ptl_status ptl_chain_edges(const ptl_link* links, size_t n, ptl_edge* edges, ptl_error* error);

/* The link to begin with: what goes into it must survive the end of the loop, where flags are overwritten
 * (on x86-64 all but the carry); addresses are best, as their first value can be given. PTL_UNSUPPORTED if
 * there is none.
 */
ptl_status ptl_chain_first(const ptl_link* links, const ptl_edge* edges, size_t n, size_t* first,
                           ptl_error* error);

#endif
