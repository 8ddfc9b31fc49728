#include "smt/lazy.h"

#include "model/throughput.h"
#include "smt/confined.h"

/* The set of rows has ports enough to execute the mass within `upper` cycles. */
static void cut(ptl_columns* c, uint64_t rows, uint64_t mass, double upper, ptl_literal guard) {
    unsigned needed = ptl_ports_needed(c, mass, upper);
    ptl_z3_or(c->z, guard ? -guard : 0, ptl_columns_at_least(c, rows, (int)needed), 0, 0);
}

/* Every uop for itself, and all together. */
static void bound_above_coarsely(ptl_columns* c, const ptl_uops* u, const ptl_terms* e, double upper,
                                 ptl_literal guard) {
    uint8_t row[PTL_SCHEMES_MAX];
    uint32_t copies[PTL_SCHEMES_MAX];
    uint64_t all = 0, mass = 0;
    size_t n = ptl_uops_rows(u, e, row, copies);
    for (size_t k = 0; k < n; k++) {
        cut(c, (uint64_t)1 << row[k], copies[k], upper, guard);
        all |= (uint64_t)1 << row[k];
        mass += copies[k];
    }
    cut(c, all, mass, upper, guard);
}

static ptl_status observe_lazily(ptl_columns* c, const ptl_uops* u, ptl_cost* cost, const ptl_terms* e,
                                 const ptl_bounds* b, ptl_literal guard, ptl_error* error) {
    ptl_status status = PTL_OK;
    uint64_t schemes = 0;
    for (size_t k = 0; k < e->count; k++) schemes |= (uint64_t)1 << e->scheme[k];
    bound_above_coarsely(c, u, e, b->upper, guard);
    for (size_t k = 0; k < b->lowers && !status; k++) {
        ptl_confined q;
        unsigned weight = b->lower[k].weight;
        ptl_literal broken = weight ? ptl_z3_variable(c->z, "broken.%zu.%zu", cost->count, k) : 0;
        status = ptl_confined_new(&q, c, u, schemes, error);
        if (!status) status = ptl_confined_mass(&q, e, b->lower[k].bound, guard, broken, error);
        if (!status && weight && !ptl_cost_add(cost, broken, weight, 0))
            status = ptl_no_memory_in(error, "observation");
    }
    return status;
}

ptl_status ptl_observe_uops(ptl_columns* c, const ptl_uops* u, ptl_cost* cost, const ptl_terms* e,
                            const ptl_bounds* b, ptl_literal guard, ptl_error* error) {
    ptl_terms rows;
    if (ptl_uops_few(u, e, &rows)) return ptl_observe(c, cost, &rows, b, guard, error);
    return observe_lazily(c, u, cost, e, b, guard, error);
}

/* The uops inside the bottleneck of the solver's mapping are too many for its ports in any mapping, and so
 * are a few less. */
static void refine(ptl_loose* l, const ptl_observation* o, uint64_t inside, unsigned width,
                   ptl_literal guard) {
    uint8_t n[PTL_SCHEMES_MAX] = {0};
    double mass = 0, most = (o->bounds.upper + PTL_SLACK) * width;
    for (; inside; inside &= inside - 1) n[l->uops->owner[__builtin_ctzll(inside)]]++;
    for (size_t k = 0; k < o->terms.count; k++) mass += (double)n[o->terms.scheme[k]] * o->terms.copies[k];
    for (size_t k = 0; k < o->terms.count; k++)
        while (n[o->terms.scheme[k]] > 0 && mass - o->terms.copies[k] > most) {
            n[o->terms.scheme[k]]--;
            mass -= o->terms.copies[k];
        }
    ptl_literal clause[2] = {ptl_loose_literal(l, n, width), guard ? -guard : PTL_FALSE};
    ptl_z3_clause(l->columns->z, clause, 2);
}

ptl_status ptl_observe_refine(ptl_loose* l, const ptl_observation* observations, size_t count,
                              const ptl_literal* guards, const uint32_t* mapping, ptl_demand* scratch,
                              bool* clean, ptl_error* error) {
    const ptl_uops* u = l->uops;
    ptl_status status = PTL_OK;
    *clean = true;
    for (size_t k = 0; k < count && !status; k++) {
        const ptl_observation* o = &observations[k];
        ptl_bottleneck b;
        ptl_terms rows;
        if (ptl_uops_few(u, &o->terms, &rows) || (guards && !ptl_z3_value(l->columns->z, guards[k])))
            continue;
        status = ptl_uops_demand(u, mapping, &o->terms, scratch, error);
        if (!status) status = ptl_bottleneck_of(scratch, &b, error);
        if (status || ptl_bottleneck_cycles(&b) <= o->bounds.upper + PTL_SLACK) continue;
        refine(l, o, ptl_uops_inside(u, mapping, &o->terms, b.ports), b.width, guards ? guards[k] : 0);
        *clean = false;
    }
    return status;
}
