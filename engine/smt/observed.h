/* Observations as a search keeps them. */
#ifndef PTL_SMT_OBSERVED_H
#define PTL_SMT_OBSERVED_H

#include "base/error.h"
#include "candidates/candidate.h"

typedef struct ptl_observed {
    ptl_observation* list; /* to be freed */
    size_t count, capacity;
} ptl_observed;

/* PTL_BAD_INPUT: no schemes, too many, unknown ones, or no copies of one. */
ptl_status ptl_observed_check(const ptl_terms* terms, size_t schemes, ptl_error* error);

/* PTL_NO_MEMORY. */
ptl_status ptl_observed_add(ptl_observed* o, const ptl_terms* terms, const ptl_bounds* bounds,
                            ptl_error* error);

#endif
