/* A free set Q of ports, and which uops are confined to it: the other side of the bottleneck formula,
 *     t(e) >= l   iff   some Q has   mass{uops of e whose ports lie in Q} >= l |Q|.
 * Its size grows with uops and ports, not with the number of sets of uops. */
#ifndef PTL_SMT_CONFINED_H
#define PTL_SMT_CONFINED_H

#include "smt/uops.h"

typedef struct ptl_confined {
    ptl_columns* columns;
    const ptl_uops* uops;
    ptl_literal size[PTL_CANDIDATE_PORTS_MAX]; /* |Q| >= x at size[x - 1] */
    ptl_literal inside[PTL_SCHEMES_MAX]; /* at first[i] + x - 1: implies that x uops of scheme i are inside;
                                            0: not asked about */
} ptl_confined;

/* Over the uops of the schemes in the set. PTL_NO_MEMORY. */
ptl_status ptl_confined_new(ptl_confined* q, ptl_columns* c, const ptl_uops* u, uint64_t schemes,
                            ptl_error* error);

/* Asserts that Q is not empty and that the mass of e inside it is at least l |Q|, unless `broken` (0: never),
 * and only where guard holds (0: always). PTL_NO_MEMORY. */
ptl_status ptl_confined_mass(const ptl_confined* q, const ptl_terms* e, double l, ptl_literal guard,
                             ptl_literal broken, ptl_error* error);

#endif
