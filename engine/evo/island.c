#include "evo/island.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "evo/cross.h"
#include "evo/ruin.h"

/* How often settling looks at a scheme: times the number of schemes in a new mapping; in a child, times that
 * of the schemes that changed, and some. */
#define SETTLE_NEW 4
#define SETTLE_CHILD 2
#define SETTLE_LEAST 6

ptl_status ptl_evo_island_new(ptl_evo_island* o, const ptl_evo_problem* p, const ptl_evo_ways* ways,
                              uint64_t number, const ptl_evo_usage* given, const ptl_evo_usage* hint,
                              ptl_error* e) {
    *o = (ptl_evo_island){.p = p, .ways = *ways, .number = number, .given = given, .hint = hint};
    o->usages = calloc(ways->size * p->schemes, sizeof *o->usages);
    o->error = calloc(ways->size, sizeof *o->error);
    o->value = calloc(ways->size, sizeof *o->value);
    o->volume = calloc(ways->size, sizeof *o->volume);
    o->list = calloc(p->schemes, sizeof *o->list);
    o->visited = calloc(p->schemes, sizeof *o->visited);
    ptl_status s = PTL_OK;
    if (!o->usages || !o->error || !o->value || !o->volume || !o->list || !o->visited)
        s = ptl_fail(e, PTL_NO_MEMORY, NULL, NULL, "no memory for %zu mappings", ways->size);
    if (!s) s = ptl_evo_state_new(&o->state, p, NULL, e);
    if (!s) s = ptl_evo_respond_new(&o->respond, &o->state, e);
    if (s) ptl_evo_island_free(o);
    return s;
}

void ptl_evo_island_free(ptl_evo_island* o) {
    ptl_evo_respond_free(&o->respond);
    ptl_evo_state_free(&o->state);
    free(o->usages);
    free(o->error);
    free(o->value);
    free(o->volume);
    free(o->list);
    free(o->visited);
    *o = (ptl_evo_island){0};
}

const ptl_evo_usage* ptl_evo_island_at(const ptl_evo_island* o, size_t k) {
    return o->usages + k * o->p->schemes;
}

/* The state's mapping, with what it is worth, becomes number k of the island. */
static void keep(ptl_evo_island* o, size_t k) {
    memcpy(o->usages + k * o->p->schemes, o->state.usages, o->p->schemes * sizeof *o->usages);
    o->error[k] = ptl_evo_state_error(&o->state);
    o->volume[k] = ptl_evo_volume(o->state.usages, o->p->schemes);
    o->value[k] = o->error[k] + ptl_evo_goal_costs(&o->ways.goal, o->state.usages, o->p->schemes);
}

static double value_now(const ptl_evo_island* o) {
    return ptl_evo_state_error(&o->state) + ptl_evo_goal_costs(&o->ways.goal, o->state.usages, o->p->schemes);
}

bool ptl_evo_island_over(const ptl_evo_island* o) {
    return ptl_interrupted() || (o->deadline > 0 && ptl_now() > o->deadline);
}

/* Without a first mapping the time is never up, and later a mapping is whole or is not kept. */
static bool construct(ptl_evo_island* o, ptl_rng* r) {
    for (size_t i = 0; i < o->p->schemes; i++) ptl_evo_state_remove(&o->state, i);
    for (size_t i = 0; o->hint && !o->filled && i < o->p->schemes; i++)
        if (o->hint[i].size && !(o->given && o->given[i].size)) ptl_evo_state_set(&o->state, i, &o->hint[i]);
    if (!ptl_evo_recreate(o, r)) return false;
    ptl_evo_settle(o, SETTLE_NEW * o->p->schemes, r);
    if (o->filled && ptl_evo_island_over(o)) return false;
    keep(o, o->filled++);
    return true;
}

/* Schemes of another mapping, under the ports' names in the state's, replace those of the state with an even
 * chance. */
static void cross(ptl_evo_island* o, const ptl_evo_usage* other, ptl_rng* r) {
    uint8_t to[PTL_EVO_PORTS_MAX];
    ptl_evo_align(o->state.usages, other, o->p->schemes, o->p->ports, to);
    uint64_t share = 1 + ptl_rng_below(r, 4);
    for (size_t i = 0; i < o->p->schemes; i++) {
        ptl_evo_usage u = ptl_evo_rename(&other[i], to);
        if (o->given && o->given[i].size) continue;
        if (ptl_rng_below(r, 5) < share && !ptl_evo_usage_equal(&u, &o->state.usages[i]))
            ptl_evo_state_set(&o->state, i, &u);
    }
}

/* A child of the mapping in the state, and perhaps of another one. */
static void breed(ptl_evo_island* o, size_t parent, ptl_rng* r) {
    size_t changed = o->p->schemes / 2;
    if (o->filled > 1 && ptl_rng_unit(r) < o->ways.crossing) {
        size_t other = ptl_rng_below(r, o->filled - 1);
        if (other >= parent) other++;
        cross(o, ptl_evo_island_at(o, other), r);
    } else {
        changed = ptl_evo_ruin(o, r);
        if (!ptl_evo_recreate(o, r)) return;
    }
    ptl_evo_settle(o, SETTLE_LEAST + SETTLE_CHILD * changed, r);
}

bool ptl_evo_island_step(ptl_evo_island* o) {
    if (o->filled && ptl_evo_island_over(o)) return false;
    ptl_rng seed = ptl_rng_seed(o->ways.seed), own = ptl_rng_split(&seed, o->number + 1);
    ptl_rng r = ptl_rng_split(&own, o->steps);
    if (o->filled < o->ways.size) {
        bool made = construct(o, &r);
        o->steps += made;
        return made;
    }
    size_t parent = ptl_rng_below(&r, o->filled), rival = ptl_rng_below(&r, o->filled);
    if (o->value[rival] < o->value[parent]) parent = rival;
    ptl_evo_state_load(&o->state, ptl_evo_island_at(o, parent));
    breed(o, parent, &r);
    if (ptl_evo_island_over(o)) return false;
    if (value_now(o) <= o->value[parent]) keep(o, parent);
    o->steps++;
    return true;
}

size_t ptl_evo_island_best(const ptl_evo_island* o) {
    size_t best = 0;
    for (size_t k = 1; k < o->filled; k++)
        if (o->value[k] < o->value[best]) best = k;
    return best;
}

void ptl_evo_island_admit(ptl_evo_island* o, const ptl_evo_usage* usages) {
    ptl_evo_state_load(&o->state, usages);
    double value = value_now(o);
    size_t worst = 0;
    for (size_t k = 0; k < o->filled; k++) {
        if (o->value[k] == value) return;
        if (o->value[k] > o->value[worst]) worst = k;
    }
    if (o->filled < o->ways.size)
        keep(o, o->filled++);
    else if (value < o->value[worst])
        keep(o, worst);
}

void ptl_evo_island_place(ptl_evo_island* o, const ptl_evo_usage* usages) {
    ptl_evo_state_load(&o->state, usages);
    keep(o, o->filled++);
}
