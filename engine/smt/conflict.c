#include "smt/conflict.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "smt/lazy.h"

typedef struct conflict {
    ptl_columns columns;
    ptl_loose loose;
    const ptl_problem* problem;
    const ptl_observation* observations;
    ptl_literal* guards; /* where each of them holds */
    size_t count;
    ptl_demand demand; /* scratch */
} conflict;

/* Can all these observations hold? */
static ptl_status check(conflict* c, const ptl_literal* chosen, size_t n, bool* sat, ptl_error* error) {
    for (;;) {
        uint32_t mapping[PTL_SCHEMES_MAX];
        bool clean;
        ptl_status status = ptl_z3_check(c->columns.z, chosen, n, sat, error);
        if (status || !*sat) return status;
        ptl_columns_read(&c->columns, mapping);
        status = ptl_observe_refine(&c->loose, c->observations, c->count, c->guards, mapping, &c->demand,
                                    &clean, error);
        if (status || clean) return status;
    }
}

/* Deletion: whatever can be left out is left out, first all that the solver's core does not name. */
static ptl_status minimise(conflict* c, ptl_literal* guards, size_t* n, ptl_error* error) {
    bool sat;
    ptl_status status = check(c, guards, *n, &sat, error);
    if (status || sat) {
        *n = 0;
        return status;
    }
    *n = ptl_z3_core(c->columns.z, guards, *n);
    for (size_t k = 0; k < *n && !status;) {
        ptl_literal without = guards[k];
        memmove(guards + k, guards + k + 1, (*n - k - 1) * sizeof *guards);
        status = check(c, guards, *n - 1, &sat, error);
        if (!status && !sat) {
            *n -= 1;
            continue;
        }
        memmove(guards + k + 1, guards + k, (*n - k - 1) * sizeof *guards);
        guards[k++] = without;
    }
    return status;
}

/* Sets that are minimal need not be small. A few more, found in other orders: the smallest is the easiest to
 * read. */
#define ORDERS 8
#define SMALL 3

static ptl_status smallest(conflict* c, ptl_literal* chosen, size_t* n, ptl_error* error) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_literal* other = ptl_arena_array(&arena, c->count + 1, sizeof *other);
    ptl_rng rng = ptl_rng_seed(c->problem->seed);
    ptl_status status = other ? minimise(c, chosen, n, error) : ptl_no_memory_in(error, "conflict");
    for (int order = 1; !status && order<ORDERS&& * n> SMALL; order++) {
        size_t size = c->count;
        for (size_t k = 0; k < size; k++) { /* a random order */
            size_t j = (size_t)ptl_rng_below(&rng, k + 1);
            other[k] = other[j];
            other[j] = c->guards[k];
        }
        status = minimise(c, other, &size, error);
        if (status || size >= *n) continue;
        memcpy(chosen, other, size * sizeof *chosen);
        *n = size;
    }
    ptl_arena_release(&arena);
    return status;
}

/* Each observation holds where its guard does; the guards that can't hold together name the conflict. */
static ptl_status find(conflict* c, ptl_literal* chosen, size_t* n, ptl_error* error) {
    const ptl_problem* p = c->problem;
    ptl_cost cost = {.z = c->columns.z};
    ptl_status status = PTL_OK;
    ptl_uops_order(p->uops, &c->columns);
    for (size_t k = 0; k < p->sames && !status; k++)
        status = ptl_uops_same(p->uops, &c->columns, p->same[k].scheme, p->same[k].among, error);
    for (size_t k = 0; k < c->count && !status; k++) {
        c->guards[k] = chosen[k] = ptl_z3_variable(c->columns.z, "observation.%zu", k);
        status = ptl_observe_uops(&c->columns, p->uops, &cost, &c->observations[k].terms,
                                  &c->observations[k].bounds, c->guards[k], error);
    }
    if (!status) status = ptl_columns_fix(&c->columns, p->fixed, error);
    *n = c->count;
    if (!status) status = smallest(c, chosen, n, error);
    ptl_cost_free(&cost);
    return status;
}

static int ascending(const void* x, const void* y) {
    ptl_literal a = *(const ptl_literal*)x, b = *(const ptl_literal*)y;
    return (a > b) - (a < b);
}

ptl_status ptl_conflict(const ptl_problem* problem, const ptl_observation* observations, size_t count,
                        size_t* which, size_t* n, ptl_error* error) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_z3* z;
    *n = 0;
    ptl_status status = ptl_z3_new(&z, problem->seed, error);
    if (status) return status;
    ptl_z3_deadline(z, problem->deadline);
    conflict c = {.problem = problem,
                  .observations = observations,
                  .count = count,
                  .guards = ptl_arena_array(&arena, count + 1, sizeof *c.guards)};
    ptl_literal* chosen = ptl_arena_array(&arena, count + 1, sizeof *chosen);
    if (c.guards && chosen)
        status = ptl_columns_new(&c.columns, z, &arena, problem->uops->rows, problem->ports, problem->counts,
                                 error);
    else
        status = ptl_no_memory_in(error, "conflict");
    if (!status) status = ptl_loose_new(&c.loose, &c.columns, problem->uops, error);
    if (!status) status = find(&c, chosen, n, error);
    if (status) *n = 0;
    if (*n) qsort(chosen, *n, sizeof *chosen, ascending);
    for (size_t i = 0, k = 0; i < *n && k < count; k++)
        if (c.guards[k] == chosen[i]) which[i++] = k; /* both ascend */
    ptl_demand_free(&c.demand);
    ptl_loose_free(&c.loose);
    ptl_columns_free(&c.columns);
    ptl_z3_free(z);
    ptl_arena_release(&arena);
    return status;
}
