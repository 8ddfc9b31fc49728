/* A greedy port binder, as real cores have, next to the optimal scheduling that the port mapping model
 * assumes.
 *
 * Cores bind a uop to a port when it is issued, in program order, by simple counters, and never change their
 * mind. This simulates it cycle by cycle: up to R_max issue slots a cycle go, in program order, into a finite
 * scheduler; every uop is bound to the port of its set with the lowest count; every port executes one pending
 * uop a cycle, oldest first. The answer is never faster than the model, and slower where the counters do not
 * see enough to balance several port sets exactly.
 *
 * What the counters count makes the difference.
 * - PTL_BINDER_PENDING, the default, is the rule that Abel and Reineke found in Intel cores (uiCA, ICS 2022):
 * uops bound to a port in earlier cycles and not executed yet. The uops of one cycle go in turn to the port
 * with the lowest count and to the one with the second lowest, unless that is 3 or more above. In loops that
 * saturate a port set the crowded ports are avoided until they are not crowded any more, and nearly all come
 * out optimal. On 4,997 experiments measured on a Cascade Lake it errs by 0.8%, as the model does
 * (recent 3.2%, late 4.0%).
 * - PTL_BINDER_RECENT counts the uops bound in this cycle and the 4 before it. It is slower
 * where several port sets must be balanced exactly, as Golden Cove was measured to be (in cycles): 2 vmulpd
 * (p01) + 1 vpermd (p5): optimal 1, measured 1.124, here 1; 2 vmulpd (p01) + 1 vpaddd (p015): optimal 1,
 * measured 1.123, here 1.143; 2 shl (p06) + 4 add (p0156B): optimal 1.2, measured 1.40, here 1.25; 1
 * vmovmskps (p0) + 4 add: optimal 1, measured 1.55, here 1.25.
 * - PTL_BINDER_LATE is the same with counters that are a cycle late, and ties broken at random: slower still
 * in mixes (1, 1.17, 1.52, 1.17), nearly exact where single uops flood a set, but slow where several uops
 * come at once. On 2,000 experiments measured on a Skylake it errs least (8.6%; recent 9.5%, optimal 9.6%).
 */
#ifndef PTL_SCHEDULE_BINDER_H
#define PTL_SCHEDULE_BINDER_H

#include <stdbool.h>

#include "model/experiment.h"
#include "model/mapping.h"

typedef struct ptl_binder {
    unsigned scheduler; /* entries, at least 1; a uop holds one from issue to execution */
    unsigned memory;    /* cycles before this one whose bindings count; 0: all pending uops count */
    unsigned stale; /* so many last cycles, this one first, are not seen yet; at most memory, or 1 without */
    bool random;    /* ties are broken at random (a fixed sequence), else by the port's number */
    bool alternate; /* every other uop of a cycle goes to the second lowest count */
} ptl_binder;

#define PTL_BINDER_MEMORY_MAX 16
#define PTL_BINDER_SCHEDULER_MAX 4096

#define PTL_BINDER_PENDING ((ptl_binder){.scheduler = 97, .stale = 1, .alternate = true})
#define PTL_BINDER_RECENT ((ptl_binder){.scheduler = 97, .memory = 4})
#define PTL_BINDER_LATE ((ptl_binder){.scheduler = 97, .memory = 4, .stale = 1, .random = true})
#define PTL_BINDER_DEFAULT PTL_BINDER_PENDING

/* Cycles per experiment in the steady state, with the instances of e evenly interleaved, and the uops that
 * each port executes per experiment: loads has PTL_PORTS_MAX entries, as those of ptl_loads. Without random
 * ties the simulation is a finite automaton: it runs into a loop, and the length of the loop is the exact
 * answer. With them it is the mean of some thousand cycles, within a tenth of a percent or so; the same for
 * the same input. PTL_BAD_INPUT: a scheme that is not explained, options out of range, or an experiment of
 * more than a million instances. PTL_NO_MEMORY. */
ptl_status ptl_bind_loads(const ptl_mapping* m, const ptl_experiment* e, const ptl_binder* options,
                          double* cycles, double* loads, ptl_error* error);

#endif
