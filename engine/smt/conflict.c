#include "smt/conflict.h"

#include <stdlib.h>
#include <string.h>

#include "smt/observe.h"

/* Deletion: whatever can be left out is left out, first all that the solver's core does not name. */
static ptl_status minimise(ptl_z3* z, ptl_literal* guards, size_t* n, ptl_error* e) {
    bool sat;
    ptl_status status = ptl_z3_check(z, guards, *n, &sat, e);
    if (status != PTL_OK || sat) {
        *n = 0;
        return status;
    }
    *n = ptl_z3_core(z, guards, *n);
    for (size_t k = 0; k < *n && status == PTL_OK;) {
        ptl_literal without = guards[k];
        memmove(guards + k, guards + k + 1, (*n - k - 1) * sizeof *guards);
        status = ptl_z3_check(z, guards, *n - 1, &sat, e);
        if (status == PTL_OK && !sat) {
            *n -= 1;
            continue;
        }
        memmove(guards + k + 1, guards + k, (*n - k - 1) * sizeof *guards);
        guards[k++] = without;
    }
    return status;
}

/* Each observation holds where its guard does; the guards that can't hold together name the conflict. */
static ptl_status find(ptl_columns* c, const ptl_observation* observations, size_t count, ptl_literal* guards,
                       ptl_literal* chosen, size_t* n, ptl_error* e) {
    ptl_cost cost = {.z = c->z};
    ptl_status status = PTL_OK;
    for (size_t k = 0; k < count && status == PTL_OK; k++) {
        guards[k] = chosen[k] = ptl_z3_variable(c->z, "observation.%zu", k);
        status = ptl_observe(c, &cost, &observations[k].terms, &observations[k].bounds, guards[k], e);
    }
    *n = count;
    if (status == PTL_OK) status = minimise(c->z, chosen, n, e);
    ptl_cost_free(&cost);
    return status;
}

ptl_status ptl_conflict(const ptl_problem* problem, const ptl_observation* observations, size_t count,
                        size_t* which, size_t* n, ptl_error* e) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_columns c = {0};
    ptl_z3* z;
    *n = 0;
    ptl_status status = ptl_z3_new(&z, problem->seed, e);
    if (status != PTL_OK) return status;
    ptl_z3_deadline(z, problem->deadline);
    ptl_literal* guards = ptl_arena_array(&arena, count + 1, sizeof *guards);
    ptl_literal* chosen = ptl_arena_array(&arena, count + 1, sizeof *chosen);
    if (guards && chosen)
        status = ptl_columns_new(&c, z, &arena, problem->schemes, problem->ports, problem->counts, e);
    else
        status = ptl_fail(e, PTL_NO_MEMORY, "conflict", NULL, "no memory");
    if (status == PTL_OK) status = find(&c, observations, count, guards, chosen, n, e);
    if (status != PTL_OK) *n = 0;
    for (size_t i = 0, k = 0; i < *n && k < count; k++)
        if (guards[k] == chosen[i]) which[i++] = k; /* both ascend */
    ptl_columns_free(&c);
    ptl_z3_free(z);
    ptl_arena_release(&arena);
    return status;
}
