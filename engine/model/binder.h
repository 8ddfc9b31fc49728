/* A greedy port binder, as real cores have, next to the optimal scheduling that the port mapping model
 * assumes.
 *
 * Cores bind a uop to a port when it is issued, in program order, by counters of pending uops, and never
 * change their mind. This simulates it cycle by cycle: up to R_max issue slots a cycle go, in program order,
 * into a finite scheduler; every uop is bound to the port of its set with the fewest pending uops; every port
 * executes one pending uop a cycle, oldest first. The answer is never faster than the model, and slower where
 * the counters do not see enough to balance several port sets exactly. */
#ifndef PTL_MODEL_BINDER_H
#define PTL_MODEL_BINDER_H

#include "model/experiment.h"
#include "model/mapping.h"

typedef struct ptl_binder {
    unsigned scheduler; /* entries, at least 1; a uop holds one from issue to execution */
    unsigned delay;     /* age in cycles of the counts that the binder sees; 0: up to date within the cycle */
    unsigned saturation; /* counters stop here and larger counts look the same; 0: they never do */
    bool rotate;         /* ties go round the ports; otherwise the lowest port wins */
} ptl_binder;

#define PTL_BINDER_DELAY_MAX 8
#define PTL_BINDER_SCHEDULER_MAX 4096

/* See binder.c for where these come from. */
#define PTL_BINDER_DEFAULT ((ptl_binder){.scheduler = 97, .delay = 1, .saturation = 4, .rotate = true})

/* Cycles per experiment in the steady state, with the instances of e evenly interleaved. The simulation is a
 * finite automaton, so it runs into a loop, and the length of the loop is the exact answer. PTL_BAD_INPUT: a
 * scheme that is not explained, options out of range, or an experiment of more than a million instances.
 * PTL_NO_MEMORY. */
ptl_status ptl_bind(const ptl_mapping* m, const ptl_experiment* e, const ptl_binder* options, double* cycles,
                    ptl_error* error);

#endif
