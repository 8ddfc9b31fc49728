#include "predict/sim_times.h"

#include <math.h>

static double time_of(const ptl_sim_core* x, const ptl_sim_input* in, uint32_t turn) {
    turn = turn >= in->distance ? turn - in->distance : turn + x->turns - in->distance;
    return x->times[(size_t)turn * x->program->result_count + in->result];
}

double ptl_sim_ready(const ptl_sim_core* x, const ptl_sim_entry* e) {
    const ptl_sim_item* item = &x->program->items[e->item];
    const ptl_sim_instance* instance = ptl_sim_instance_of(x, e->item, e->turn);
    bool loads = x->program->uops[e->uop].loads;
    double ready = instance->issued;
    if (!loads && item->loads) {
        if (instance->loads) return INFINITY;
        ready = fmax(ready, instance->last_load + item->load_offset);
    }
    for (uint32_t k = 0; k < item->input_count; k++) {
        const ptl_sim_input* in = &x->program->inputs[item->first_input + k];
        if (item->loads && in->address != loads)
            continue; /* the address is the load's matter, all else not */
        ready = fmax(ready, time_of(x, in, e->turn) + (loads ? 0 : in->offset));
    }
    return ready;
}

/* INFINITY: an input is not known. */
static double result_time(const ptl_sim_core* x, const ptl_sim_item* item, const ptl_sim_instance* instance,
                          uint32_t r, uint32_t turn) {
    const ptl_sim_result* result = &x->program->results[item->first_result + r];
    double time = instance->issued;
    if (item->loads && !result->at_once) time = fmax(time, instance->last_load + result->load_tail);
    if (item->works && !result->at_once) time = fmax(time, instance->last_work + result->tail);
    for (uint32_t k = 0; k < item->input_count; k++) {
        const ptl_sim_input* in = &x->program->inputs[item->first_input + k];
        if (in->latencies[r] >= 0) time = fmax(time, time_of(x, in, turn) + in->latencies[r]);
    }
    return time;
}

bool ptl_sim_finish(ptl_sim_core* x, uint32_t i, uint32_t turn) {
    const ptl_sim_item* item = &x->program->items[i];
    const ptl_sim_instance* instance = ptl_sim_instance_of(x, i, turn);
    bool begun = !instance->loads && !instance->works, known = true;
    for (uint32_t r = 0; r < item->result_count; r++) {
        const ptl_sim_result* result = &x->program->results[item->first_result + r];
        double* time = &x->times[(size_t)turn * x->program->result_count + result->number];
        if (*time < INFINITY || (!begun && !result->at_once)) continue;
        *time = result_time(x, item, instance, r, turn);
        known = known && *time < INFINITY;
    }
    return known;
}
