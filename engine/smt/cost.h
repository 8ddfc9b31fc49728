/* The least cost of the bounds that a mapping breaks, and "at most so much more than that" (MaxSAT).
 *
 * Found from below, by cores (after Morgado, Dodaro, Marques-Silva: Core-guided MaxSAT with soft cardinality
 * constraints, CP 2014): bounds that can't all be kept cost the least of their weights for certain. That is
 * paid once; what remains to be paid is the rest of their weights, and the same again for the second of them
 * that is broken, the third, ... In the end everything that must be paid is, and what still has a price is
 * little: a limit just above the least cost forbids most of it outright. */
#ifndef PTL_SMT_COST_H
#define PTL_SMT_COST_H

#include "smt/z3.h"

typedef struct ptl_soft {
    ptl_literal broken; /* a variable of its own, implied by what costs */
    unsigned weight;    /* what it costs; 0: paid */
    size_t before;      /* 1 + the soft that is broken whenever this one is; 0: none */
} ptl_soft;

typedef struct ptl_cost_limit {
    ptl_literal literal; /* 0: none */
    unsigned limit, least;
    size_t count;
} ptl_cost_limit;

typedef struct ptl_cost {
    ptl_z3* z;
    ptl_soft* softs;
    size_t count, capacity;
    unsigned least;           /* paid: no mapping costs less */
    ptl_cost_limit limits[2]; /* the last ones asked for */
} ptl_cost;

/* A check of the solver under assumptions (ptl_z3_check, or more than that). */
typedef ptl_status (*ptl_cost_check)(void* context, const ptl_literal* assumptions, size_t n, bool* sat,
                                     ptl_error* error);

/* `broken` costs `weight`; false: no memory. */
bool ptl_cost_add(ptl_cost* cost, ptl_literal broken, unsigned weight, size_t before);

/* Pays until a model costs no more than cost->least; that of the last check is one. *found is false if there
 * is no model at all. As ptl_z3_check. */
ptl_status ptl_cost_minimise(ptl_cost* cost, ptl_cost_check check, void* context, bool* found,
                             ptl_error* error);

/* An assumption under which everything costs at most `limit`, what is paid included. */
ptl_literal ptl_cost_within(ptl_cost* cost, unsigned limit);

void ptl_cost_free(ptl_cost* cost);

#endif
