/* Inside canonical.c: the search for the order of ports that gives the least form. */
#ifndef PTL_ALGEBRA_CANONICAL_SEARCH_H
#define PTL_ALGEBRA_CANONICAL_SEARCH_H

#include "algebra/canonical_rows.h"

#define PTL_CANONICAL_STEPS_MAX 100000u

/* place: the order with the least form. PTL_NO_MEMORY, PTL_LIMIT. */
ptl_status ptl_canonical_search(const ptl_rows* rows, ptl_ports used, ptl_arena* arena, unsigned* place,
                                unsigned* steps, ptl_error* error);

#endif
