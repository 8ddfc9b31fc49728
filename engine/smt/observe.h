/* Observations as constraints on the unknown mapping.
 *
 * t <= u  iff  c(S) >= mass(S) / u for every set S of schemes in the experiment;
 * t >= l  iff  c(S) <= mass(S) / l for some S.
 * Lower bounds with a weight may be broken at that cost (cost.h). */
#ifndef PTL_SMT_OBSERVE_H
#define PTL_SMT_OBSERVE_H

#include "smt/columns.h"
#include "smt/cost.h"

/* Asserts what the bounds say about e; the price of its soft bounds goes into cost. Unless guard is 0, all of
 * it holds only where guard does (to find out which observations contradict each other). */
ptl_status ptl_observe(ptl_columns* c, ptl_cost* cost, const ptl_terms* e, const ptl_bounds* b,
                       ptl_literal guard, ptl_error* error);

/* Returns how many ports execute the mass within `upper` cycles; ports + 1 if all of them are too few. */
unsigned ptl_ports_needed(const ptl_columns* c, uint64_t mass, double upper);

#endif
