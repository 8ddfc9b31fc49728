/* An experiment that tells two mappings apart: one whose CPIs differ by more than 2 epsilon (section 4.3).
 *
 * Two-level mappings: exactly, by Theorem B of our notes. With v_M(S) = max(1 / c_M(S), 1 / R_max), c_M(S)
 * the number of ports that the schemes of S use, such an experiment exists iff some S has |v_A(S) - v_B(S)| >
 * 2 epsilon. If: let M be the one with the smaller v. The base point of S under M (walk through S, as many
 * copies of each scheme as it adds ports) takes one cycle under M for c_M(S) instances, so its CPI is v_M(S);
 * under the other one no experiment within S has a CPI below that one's v(S). Only if: let e be slower under
 * A. If R_max is what limits it there, take S = supp(e): A's CPI is at most v_A(S), and B's at least v_B(S).
 * Otherwise take the bottleneck schemes of e under A for S, x their share of e: the CPIs are x / c_A(S), and
 * at least x v_B(S); so v_A(S) - v_B(S) >= (CPI_A - CPI_B) / x. v depends on S by the two unions of ports
 * alone, so the search runs over pairs of unions, by size of S: few, as schemes with the same ports are one.
 * It is complete unless it is cut at a million pairs; then linear programs go on.
 *
 * Other mappings: first candidates (single schemes, pairs in several proportions, random ones), as what they
 * find is small; if none tells, linear programs decide (distinguish_lp.h). They are complete unless there are
 * too many sets of ports, or rounding hides a gap within a few 1e-9 of 2 epsilon: `complete` says so. */
#ifndef PTL_ALGEBRA_DISTINGUISH_H
#define PTL_ALGEBRA_DISTINGUISH_H

#include "algebra/renaming.h"
#include "model/experiment.h"

typedef struct ptl_distinction {
    bool found;
    bool complete;             /* not found means that there is none */
    uint64_t examined;         /* sets of schemes, of ports, or experiments */
    ptl_experiment experiment; /* over the schemes of a; memory from the arena */
    double cycles_a, cycles_b;
} ptl_distinction;

/* PTL_NO_MEMORY, PTL_INTERRUPTED (what was found so far is valid). The same seed finds the same. */
ptl_status ptl_distinguish(const ptl_pairs* p, double epsilon, uint64_t seed, ptl_arena* arena,
                           ptl_distinction* out, ptl_error* error);

/* Both mappings are two-level on the common schemes: one uop and one issue slot each, no unit. */
bool ptl_pairs_two_level(const ptl_pairs* p);

/* CPI(e) under both; e over the schemes of a. */
ptl_status ptl_both_cycles(const ptl_pairs* p, const ptl_experiment* e, double* cycles_a, double* cycles_b,
                           ptl_error* error);

/* One common scheme, as an index into the pairs, of each kind: those with the same usage in both mappings are
 * one kind. kinds has p->count entries; returns how many there are. */
size_t ptl_pairs_kinds(const ptl_pairs* p, uint32_t* kinds);

/* The searches; ptl_distinguish picks. (The third is in distinguish_lp.h.) */
ptl_status ptl_distinguish_two_level(const ptl_pairs* p, double epsilon, ptl_arena* arena,
                                     ptl_distinction* out, ptl_error* error);
ptl_status ptl_distinguish_by_sampling(const ptl_pairs* p, double epsilon, uint64_t seed, ptl_arena* arena,
                                       ptl_distinction* out, ptl_error* error);

/* CPIs closer than this beyond 2 epsilon count as equal: rounding. */
#define PTL_CPI_ROUNDING 1e-9

#endif
