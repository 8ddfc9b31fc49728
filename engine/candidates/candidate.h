/* A known two-level mapping (one mask of ports per scheme) and what the inference asks of it. */
#ifndef PTL_CANDIDATES_CANDIDATE_H
#define PTL_CANDIDATES_CANDIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTL_SCHEMES_MAX 64         /* a set of schemes is a uint64_t */
#define PTL_CANDIDATE_PORTS_MAX 32 /* a set of ports is a uint32_t */
#define PTL_TERMS_MAX 16           /* distinct schemes in one experiment */
#define PTL_LOWERS_MAX 4           /* steps of one reading of an observation */

/* An experiment: copies[k] instances of scheme[k]. */
typedef struct ptl_terms {
    size_t count;
    uint8_t scheme[PTL_TERMS_MAX];
    uint32_t copies[PTL_TERMS_MAX];
} ptl_terms;

/* Holds what a measurement says about the inverse throughput t of the model, in cycles: t <= upper for
 * certain, and t >= lower[k].bound at a cost of lower[k].weight if it is not so; weight 0: for certain as
 * well. The highest bound comes first; a t below several of them pays for each. */
typedef struct ptl_bounds {
    double upper;
    size_t lowers;
    struct {
        double bound;
        unsigned weight;
    } lower[PTL_LOWERS_MAX];
} ptl_bounds;

typedef struct ptl_observation {
    ptl_terms terms;
    ptl_bounds bounds;
} ptl_observation;

/* Bounds are compared with this slack, here and in the clauses: they must mean the same. */
#define PTL_SLACK 1e-9

/* c(S): how many ports run at least one scheme of the set. */
unsigned ptl_union_ports(const uint32_t* mapping, uint64_t set);

/* Inverse throughput in cycles: max over sets T of schemes in e of mass(T) / c(T) (theory of union
 * cardinalities, the dual of Theorem 5.2). Without any limit of the front end. */
double ptl_candidate_cycles(const uint32_t* mapping, const ptl_terms* e);

/* Does t keep the certain bounds? The sum of the weights of the others that it breaks comes in *cost. */
bool ptl_bounds_admit(const ptl_bounds* b, double t, unsigned* cost);

/* Can CPI 1/a be told from 1/b where only differences of more than 2 epsilon show and nothing is faster than
 * 1/rmax (0: no such limit)? Theorem B. */
bool ptl_distinct(unsigned a, unsigned b, double epsilon, double rmax);

/* Removes schemes from S as long as c still tells the two mappings apart. */
uint64_t ptl_shrink(const uint32_t* one, const uint32_t* other, uint64_t set, double epsilon, double rmax);

#endif
