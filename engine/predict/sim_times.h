/* Tells when uops of a simulation can begin, and when results are there. */
#ifndef PTL_PREDICT_SIM_TIMES_H
#define PTL_PREDICT_SIM_TIMES_H

#include "predict/sim_core.h"

/* The cycle from which a uop can begin, not rounded; INFINITY: not known yet. */
double ptl_sim_ready(const ptl_sim_core* x, const ptl_sim_entry* e);

/* Sets the times of the results of an instance: of those at once as soon as their inputs are known, of the
 * others when all uops have begun, too. False: some wait for nothing but inputs that are not known yet. */
bool ptl_sim_finish(ptl_sim_core* x, uint32_t item, uint32_t turn);

static inline ptl_sim_instance* ptl_sim_instance_of(const ptl_sim_core* x, uint32_t item, uint32_t turn) {
    return &x->instances[(size_t)turn * x->program->count + item];
}

#endif
