/* The inverse throughput of a demand, exactly (Theorem 5.2):
 *
 *     t(e) = max over non-empty Q subset of P of  mass{u : ports(u) subset of Q} / |Q|
 *
 * The maximising Q can be taken to be the union of the port sets of the uops inside it: a port of Q on which
 * none of them runs only makes the ratio smaller. So the maximum over sets T of distinct uops of mass(T) /
 * |union of T| is the same number; it has 2^k - 1 terms, whatever the number of ports.
 *
 * Bottleneck ports (Theorem 3.14): the ports that are fully used in *every* optimal solution are the union of
 * all maximising Q ("tight" sets).
 *   - A port of a tight Q is full in every optimal solution: the uops inside Q cannot leave it, so its ports
 * carry at least mass(Q) = t |Q|, and each carries at most t.
 *   - The union B of all tight sets is tight (mass(Q) is supermodular in Q, so t |Q| - mass(Q) >= 0 is
 * submodular, and the minimisers of a submodular function are closed under union and intersection).
 *   - For a port k outside B there is an optimal solution in which it is not full: every Q with k in it has
 *     mass(Q) < t |Q|, so for some d > 0 also mass(Q) <= t |Q| - d for all of these, which by max-flow
 * min-cut is just the condition for the demand to fit when port k may carry no more than t - d. (The
 * intersection of the tight sets is not it: with two disjoint ones it is empty, yet all their ports are
 * full.)
 *
 * Here are two ways to compute it, with the same answer: by unions in O(2^k), and by a subset-sum (zeta)
 * transform over the ports in O(p 2^p). That transform with vectors is in throughput.h, which
 * picks; flow.h has maximum flow, in polynomial time when k and p are both large. */
#ifndef PTL_MODEL_BOTTLENECK_H
#define PTL_MODEL_BOTTLENECK_H

#include "model/demand.h"

/* t = mass / width, an exact ratio; of the empty demand 0 / 0, which stands for 0. */
typedef struct ptl_bottleneck {
    uint64_t mass;
    unsigned width;
    ptl_ports ports; /* the bottleneck ports: the union of all maximising sets */
} ptl_bottleneck;

/* For d->size of at most 30. */
void ptl_bottleneck_by_unions(const ptl_demand* d, ptl_bottleneck* out);
/* Takes 2^p words of memory for p ports in use; p of at most 24. PTL_NO_MEMORY. */
ptl_status ptl_bottleneck_by_zeta(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

/* Cycles; 0 for the empty demand. */
double ptl_bottleneck_cycles(const ptl_bottleneck* b);

/* max(t, slots / R_max) cycles (section 4.3); rmax 0: no limit. */
double ptl_limited_cycles(const ptl_bottleneck* b, uint64_t slots, double rmax);

/* Returns the cycles that a mapping predicts: the same, or for how long a unit is busy, whichever is more. b:
 * the demand's. */
double ptl_demand_cycles(const ptl_demand* d, const ptl_bottleneck* b, double rmax);

/* -1, 0, 1: a < b, a = b, a > b as ratios. */
int ptl_bottleneck_compare(const ptl_bottleneck* a, const ptl_bottleneck* b);

/* Enters the candidate set q with its mass into the best so far. */
static inline void ptl_bottleneck_consider(ptl_bottleneck* best, uint64_t mass, ptl_ports q) {
    ptl_bottleneck candidate = {mass, ptl_ports_count(q), q};
    int order = ptl_bottleneck_compare(&candidate, best);
    if (order > 0)
        *best = candidate;
    else if (order == 0 && mass)
        best->ports |= q;
}

#endif
