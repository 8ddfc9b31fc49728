/* Makes what cuts all dependencies of a link but that on the carrier. Internal to engine/isa. */
#ifndef PTL_ISA_CHAIN_CUT_H
#define PTL_ISA_CHAIN_CUT_H

#include "isa/chain_state.h"

typedef struct ptl_cuts {
    ptl_instance* list; /* room for PTL_CUTS_MAX */
    size_t n;
    bool together; /* flags that the link before wrote with the carrier are not cut */
} ptl_cuts;

/* Fills the list with the instances that belong ahead of an instance of link k, with its operands chosen.
 * PTL_UNSUPPORTED with the reason if something cannot be cut. */
ptl_status ptl_chain_cut(ptl_chain_state* s, size_t k, const ptl_instance* instance, const ptl_carrier* in,
                         ptl_cuts* out, ptl_error* error);

#endif
