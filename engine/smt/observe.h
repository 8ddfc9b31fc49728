/* Observations as constraints on the unknown mapping.
 *
 * t <= u  iff  c(S) >= mass(S) / u for every set S of schemes in the experiment;
 * t >= l  iff  c(S) <= mass(S) / l for some S.
 * Lower bounds with a weight may be broken at that cost; the total is bounded by an assumption. */
#ifndef PTL_SMT_OBSERVE_H
#define PTL_SMT_OBSERVE_H

#include "smt/columns.h"

/* The lower bounds of one observation that can be broken, highest first; having broken[k] costs price[k], the
 * price of those before it included. */
typedef struct ptl_price {
    size_t steps;
    ptl_literal broken[PTL_MAX_LOWERS];
    unsigned price[PTL_MAX_LOWERS];
    size_t kept; /* a mapping is known that keeps broken[kept]; steps: none so far */
} ptl_price;

/* Running total over all observations; see ptl_cost_within. */
typedef struct ptl_cost {
    ptl_z3* z;
    ptl_price* prices;
    size_t count, capacity;
    size_t examined;      /* prices that ptl_cost_examine has seen */
    unsigned unavoidable; /* cost of the bounds that every mapping breaks */
    size_t summed;        /* prices that the row below includes */
    ptl_literal* row;     /* row[x - 1]: implied by "these cost x or more"; x up to cap */
    unsigned cap;
} ptl_cost;

/* Asserts what the bounds say about e; the price of its soft bounds goes into cost. Unless guard is 0, all of
 * it holds only where guard does (to find out which observations contradict each other). */
ptl_status ptl_observe(ptl_columns* c, ptl_cost* cost, const ptl_terms* e, const ptl_bounds* b,
                       ptl_literal guard, ptl_error* err);

/* How many ports execute the mass within `upper` cycles; ports + 1 if all of them are too few. */
unsigned ptl_ports_needed(const ptl_columns* c, uint64_t mass, double upper);

/* Enters a price without steps or with them; false: no memory. */
bool ptl_cost_add(ptl_cost* cost, const ptl_price* p);

/* Finds out which bounds of the new observations every mapping breaks: they cost the same for all and need
 * not be counted. To be called after a satisfiable check. As ptl_z3_check. */
ptl_status ptl_cost_examine(ptl_cost* cost, ptl_error* e);

/* An assumption under which the soft bounds broken cost at most `limit`, the unavoidable ones included. */
ptl_literal ptl_cost_within(ptl_cost* cost, unsigned limit);
void ptl_cost_free(ptl_cost* cost);

#endif
