#include "evo/island.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"

ptl_status ptl_evo_island_new(ptl_evo_island* o, const ptl_evo_problem* p, const ptl_evo_ways* ways,
                              uint64_t number, const ptl_evo_usage* given, const ptl_evo_usage* hint,
                              ptl_error* error) {
    *o = (ptl_evo_island){.p = p, .ways = *ways, .number = number, .given = given, .hint = hint};
    o->usages = calloc(ways->size * p->schemes, sizeof *o->usages);
    o->error = calloc(ways->size, sizeof *o->error);
    o->value = calloc(ways->size, sizeof *o->value);
    o->volume = calloc(ways->size, sizeof *o->volume);
    o->list = calloc(p->schemes, sizeof *o->list);
    o->visited = calloc(p->schemes, sizeof *o->visited);
    ptl_status s = PTL_OK;
    if (!o->usages || !o->error || !o->value || !o->volume || !o->list || !o->visited)
        s = ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for %zu mappings", ways->size);
    if (!s) s = ptl_evo_state_new(&o->state, p, NULL, error);
    if (!s) s = ptl_evo_respond_new(&o->respond, &o->state, error);
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

void ptl_evo_island_keep(ptl_evo_island* o, size_t k) {
    memcpy(o->usages + k * o->p->schemes, o->state.usages, o->p->schemes * sizeof *o->usages);
    o->error[k] = ptl_evo_state_error(&o->state);
    o->volume[k] = ptl_evo_volume(o->state.usages, o->p->schemes);
    o->value[k] = o->error[k] + ptl_evo_goal_costs(&o->ways.goal, o->state.usages, o->p->schemes);
}

double ptl_evo_island_value(const ptl_evo_island* o) {
    return ptl_evo_state_error(&o->state) + ptl_evo_goal_costs(&o->ways.goal, o->state.usages, o->p->schemes);
}

bool ptl_evo_island_over(const ptl_evo_island* o) {
    return ptl_interrupted() || (o->deadline > 0 && ptl_now() > o->deadline);
}

size_t ptl_evo_island_best(const ptl_evo_island* o) {
    size_t best = 0;
    for (size_t k = 1; k < o->filled; k++)
        if (o->value[k] < o->value[best]) best = k;
    return best;
}

void ptl_evo_island_admit(ptl_evo_island* o, const ptl_evo_usage* usages) {
    ptl_evo_state_load(&o->state, usages);
    double value = ptl_evo_island_value(o);
    size_t worst = 0;
    for (size_t k = 0; k < o->filled; k++) {
        if (o->value[k] == value) return;
        if (o->value[k] > o->value[worst]) worst = k;
    }
    if (o->filled < o->ways.size)
        ptl_evo_island_keep(o, o->filled++);
    else if (value < o->value[worst])
        ptl_evo_island_keep(o, worst);
}

void ptl_evo_island_place(ptl_evo_island* o, const ptl_evo_usage* usages) {
    ptl_evo_state_load(&o->state, usages);
    ptl_evo_island_keep(o, o->filled++);
}
