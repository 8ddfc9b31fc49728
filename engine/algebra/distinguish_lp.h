/* Decides by linear programs whether any experiment tells two three-level mappings apart.
 *
 * CPIs do not change when an experiment is repeated, so experiments may be taken as mixtures: shares e_i of
 * the schemes that sum to 1. Under a mapping, the CPI of a mixture is the largest of finitely many linear
 * terms: for every set Q that is a union of port sets of uops (bottleneck.h), sum_i e_i n_Q(i) / |Q|, with
 * n_Q(i) the uops of scheme i that must run inside Q; sum_i e_i slots_i / R_max; and for every unit the
 * cycles for which its schemes keep it busy. So the largest amount by which A is slower than B is the largest
 * over the terms f of A of
 *
 *     maximise f(e) - t   subject to   t >= g(e) for every term g of B,   e a mixture;
 *
 * the other direction likewise. Mixtures are rational where it matters, so they are experiments.
 *
 * Terms of B enter the program when a solution breaks them (cutting planes): the bottleneck of the solution's
 * mixture under B names one that it breaks most. What decides is not the solver's word: with the dual values
 * as weights w >= 0 that sum to at most 1, sum_g w_g g(e) is at most B's CPI, so
 *
 *     no mixture has f(e) - CPI_B(e) > max over i of (f_i - sum_g w_g g_i),
 *
 * which is computed anew from the mappings, in double precision. An f for which this is at most 2 epsilon +
 * 2e-9 (twice PTL_CPI_ROUNDING) is done with; weights that did it for one f are tried on the next before its
 * program is solved. And an experiment counts when its cycles, computed by the bottleneck formula, differ. */
#ifndef PTL_ALGEBRA_DISTINGUISH_LP_H
#define PTL_ALGEBRA_DISTINGUISH_LP_H

#include "algebra/distinguish.h"

/* The term of a set of ports of one mapping is at most 2 epsilon above a weighted sum of terms of the other
 * one, scheme by scheme. Weights sum to at most 1. PTL_ISSUE_TERM stands for slots / R_max. */
typedef struct ptl_cover {
    bool of_a; /* ports are those of a, the others those of b */
    ptl_ports ports;
    size_t size;
    const ptl_ports* by;
    const double* weight;
} ptl_cover;
#define PTL_ISSUE_TERM 0

/* Covers of all terms of both mappings: no experiment tells them apart, and why. Memory from the arena. */
typedef struct ptl_proof {
    ptl_arena* arena;
    ptl_cover* covers;
    size_t count, capacity;
} ptl_proof;

/* found: with few instances in about the best proportions for some f. complete: found, or proved that there
 * is none. Neither: more sets of ports than PTL_PORT_UNIONS_MAX, more than some thousand programs, or a gap
 * so close to 2 epsilon that rounding hides on which side. examined: terms f and experiments. PTL_NO_MEMORY,
 * PTL_INTERRUPTED, PTL_INTERNAL (GLPK failed). Must not be called inside ptl_lp_guarded. */
ptl_status ptl_distinguish_by_lp(const ptl_pairs* p, double epsilon, ptl_arena* arena, ptl_distinction* out,
                                 ptl_error* error);

/* The same, for mappings without units; where it says that there is none, proof (which starts with its arena
 * alone) tells why. */
ptl_status ptl_distinguish_with_proof(const ptl_pairs* p, double epsilon, ptl_arena* arena,
                                      ptl_distinction* out, ptl_proof* proof, ptl_error* error);

/* Shares of schemes of a; they sum to about 1. */
typedef struct ptl_mixture {
    const uint32_t* scheme;
    const double* share;
    size_t size;
} ptl_mixture;

/* Looks for an experiment of few instances in about these proportions whose CPIs differ by more than the
 * threshold; fills out->found, experiment, cycles. With ever more instances the proportions, hence the CPIs,
 * get as close as one likes. */
ptl_status ptl_round_mixture(const ptl_pairs* p, const ptl_mixture* m, double threshold, ptl_arena* arena,
                             ptl_distinction* out, ptl_error* error);

#endif
