#include "smt/observe.h"

#include <stdlib.h>
#include <string.h>

typedef struct subset {
    uint64_t set;   /* schemes */
    uint32_t mass;  /* their copies */
    unsigned least; /* ports that their union has for certain */
} subset;

static subset subset_of(const ptl_columns* c, const ptl_terms* e, uint32_t chosen) {
    subset s = {0};
    for (; chosen; chosen &= chosen - 1) {
        unsigned k = (unsigned)__builtin_ctz(chosen);
        s.set |= (uint64_t)1 << e->scheme[k];
        s.mass += e->copies[k];
        if (c->least[e->scheme[k]] > s.least) s.least = c->least[e->scheme[k]];
    }
    return s;
}

unsigned ptl_ports_needed(const ptl_columns* c, uint64_t mass, double upper) {
    unsigned needed = 1;
    while (needed <= c->ports && (double)mass / needed > upper + PTL_SLACK) needed++;
    return needed;
}

static void bound_above(ptl_columns* c, const ptl_terms* e, double upper, ptl_literal guard) {
    for (uint32_t chosen = 1; chosen < (uint32_t)1 << e->count; chosen++) {
        subset s = subset_of(c, e, chosen);
        unsigned needed = ptl_ports_needed(c, s.mass, upper);
        if (needed <= s.least) continue;
        ptl_z3_or(c->z, guard ? -guard : 0, ptl_columns_at_least(c, s.set, (int)needed), 0, 0);
        if (e->count == 1 && !guard && needed <= c->ports) c->least[e->scheme[0]] = needed;
    }
}

/* Largest number of ports with which the mass keeps all of them busy for `lower` cycles; 0: none. */
static unsigned most_ports(const ptl_columns* c, uint32_t mass, double lower) {
    unsigned most = (unsigned)c->ports;
    while (most > 0 && (double)mass / most < lower - PTL_SLACK) most--;
    return most;
}

/* "broken, or some set is confined to few enough ports". False if every mapping keeps the bound. */
static bool bound_below(ptl_columns* c, const ptl_terms* e, double lower, ptl_literal guard,
                        ptl_literal broken, ptl_error* error, ptl_status* status) {
    size_t subsets = (size_t)1 << e->count, n = 0;
    ptl_literal* clause = malloc((subsets + 2) * sizeof *clause);
    bool needed = true;
    if (!clause) {
        *status = ptl_no_memory_in(error, "observation");
        return false;
    }
    if (guard) clause[n++] = -guard;
    if (broken) clause[n++] = broken;
    for (uint32_t chosen = 1; chosen < subsets && needed; chosen++) {
        subset s = subset_of(c, e, chosen);
        unsigned most = most_ports(c, s.mass, lower);
        if (most >= c->ports) needed = false;
        if (most >= s.least && most < c->ports) clause[n++] = -ptl_columns_at_least(c, s.set, (int)most + 1);
    }
    if (needed) ptl_z3_clause(c->z, clause, n);
    free(clause);
    return needed;
}

ptl_status ptl_observe(ptl_columns* c, ptl_cost* cost, const ptl_terms* e, const ptl_bounds* b,
                       ptl_literal guard, ptl_error* error) {
    ptl_status status = PTL_OK;
    bound_above(c, e, b->upper, guard);
    for (size_t k = 0; k < b->lowers && !status; k++) {
        unsigned weight = b->lower[k].weight;
        ptl_literal broken = weight ? ptl_z3_variable(c->z, "broken.%zu.%zu", cost->count, k) : 0;
        if (!bound_below(c, e, b->lower[k].bound, guard, broken, error, &status) || !weight) continue;
        if (!ptl_cost_add(cost, broken, weight, 0)) status = ptl_no_memory_in(error, "observation");
    }
    return status;
}
