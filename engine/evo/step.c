#include "evo/step.h"

#include "evo/cross.h"
#include "evo/ruin.h"

/* Settling looks at schemes this often: times the number of schemes in a new mapping; in a child, times that
 * of the schemes that changed, and some. */
#define SETTLE_NEW 4
#define SETTLE_CHILD 2
#define SETTLE_LEAST 6

/* Without a first mapping the time is never up, and later a mapping is whole or is not kept. */
static bool construct(ptl_evo_island* o, ptl_rng* r) {
    for (size_t i = 0; i < o->p->schemes; i++) ptl_evo_state_remove(&o->state, i);
    for (size_t i = 0; o->hint && !o->filled && i < o->p->schemes; i++)
        if (o->hint[i].size && !(o->given && o->given[i].size)) ptl_evo_state_set(&o->state, i, &o->hint[i]);
    if (!ptl_evo_recreate(o, r)) return false;
    ptl_evo_settle(o, SETTLE_NEW * o->p->schemes, r);
    if (o->filled && ptl_evo_island_over(o)) return false;
    ptl_evo_island_keep(o, o->filled++);
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
    if (ptl_evo_island_value(o) <= o->value[parent]) ptl_evo_island_keep(o, parent);
    o->steps++;
    return true;
}
