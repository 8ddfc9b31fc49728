/* The inverse throughput by its definition, the linear program of Theorem 3.12 (for a two-level mapping, that
 * of Theorem 3.7):
 *
 *     minimise t   subject to   sum over k in ports(u) of x_uk = mass(u)   for every uop u
 *                               sum over u of x_uk <= t                    for every port k
 *                               t >= slots / R_max                         (section 4.3)
 *                               t >= busy cycles of every unit
 *                               x >= 0
 *
 * Solved by GLPK. It is here to check the bottleneck formula (Theorem 5.2) and everything built on it, so it
 * shares no code with it: variables come straight from the mapping and the experiment, one for each scheme,
 * uop of the scheme and port of the uop. */
#ifndef PTL_MODEL_LP_H
#define PTL_MODEL_LP_H

#include <stdbool.h>

#include "base/error.h"
#include "model/experiment.h"
#include "model/mapping.h"

/* Programs with more variables than this are not attempted: PTL_LIMIT. */
#define PTL_LP_VARIABLES_MAX 200000

/* cycles: the inverse throughput. loads: PTL_PORTS_MAX entries, the cycles for which an optimal solution
 * (there may be many) keeps each port busy; or NULL.
 *
 * Not exact: the simplex method in floating point, feasibility and optimality to 1e-9 of the experiment's
 * mass. Exact: GLPK's simplex method over rationals decides which basis is optimal. All numbers that it is
 * given are whole, so nothing is rounded on the way in. GLPK hands its solution out as doubles, so cycles are
 * not taken from there but from the dual solution: it names a set Q of ports with t = mass(Q) / |Q|, and that
 * is one division of whole numbers, correctly rounded for masses below 2^53 (as is slots / R_max for whole
 * R_max). The loads are GLPK's doubles, good to a few units in the last place.
 *
 * PTL_BAD_INPUT: a scheme that m does not explain, an absurdly large experiment. PTL_LIMIT, PTL_NO_MEMORY.
 * PTL_INTERNAL: GLPK failed. Safe to call from several threads; must not be called inside ptl_lp_guarded. */
ptl_status ptl_lp_throughput(const ptl_mapping* m, const ptl_experiment* e, bool exact, double* cycles,
                             double* loads, ptl_error* error);

#endif
