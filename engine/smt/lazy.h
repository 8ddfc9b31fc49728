/* Observations of experiments of any number of uops.
 *
 * An upper bound on t is a bound on c(T) for every set T of uops in the experiment, 2^k of them. For few uops
 * they are all asserted (observe.h). For more of them only those that a model of the solver breaks: T is then
 * the set of uops in that model's bottleneck, and the question is asked again. Lower bounds need one free set
 * of ports (confined.h). */
#ifndef PTL_SMT_LAZY_H
#define PTL_SMT_LAZY_H

#include "smt/loose.h"
#include "smt/observe.h"

/* As ptl_observe; e is over schemes. */
ptl_status ptl_observe_uops(ptl_columns* c, const ptl_uops* u, ptl_cost* cost, const ptl_terms* e,
                            const ptl_bounds* b, ptl_literal guard, ptl_error* error);

/* After a satisfiable check: *clean is false if the solver's mapping breaks upper bounds that it did not know
 * completely; it knows them better now. guards[k]: where observation k holds; NULL: all do. PTL_NO_MEMORY. */
ptl_status ptl_observe_refine(ptl_loose* l, const ptl_observation* observations, size_t count,
                              const ptl_literal* guards, const uint32_t* mapping, ptl_demand* scratch,
                              bool* clean, ptl_error* error);

#endif
