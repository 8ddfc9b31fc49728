/* A block, cycle by cycle: what bounds miss where parts of the core hold each other up.
 *
 * In program order up to R_max issue slots a cycle go into a finite scheduler; every uop is bound to a port
 * as it comes in (schedule/port_choice.h); every port executes its oldest uop that is ready; results are
 * there after their latencies (sim_program.h); units that stay busy hold up who needs them next; a loop
 * begins one iteration per taken branch at most. The run ends when iterations follow each other in a pattern
 * that repeats itself, or after some thousand cycles. The same for the same input. Reorder buffer, load and
 * store queues, decoders and caches are without limits.
 *
 * No schedule beats the bounds, so the result is never below them. */
#ifndef PTL_PREDICT_SIMULATE_H
#define PTL_PREDICT_SIMULATE_H

#include "predict/block_bounds.h"
#include "schedule/binder.h"

/* The binder of simulations. On 1,725 blocks of gzip and 907 of redis, measured on a Golden Cove, the times
 * err by 5.7% and 6.3% (bounds 5.6%, 6.3%), and 77% of them by less than 2% (bounds 77%). With the binder
 * `recent` it is 5.6% and 6.2%, but fewer come out exact (74%); with `late` 6.6% and 7.3%. What errs most is
 * a short chain with other work beside it: a uop that nobody waits for is bound to the port of one in the
 * chain, and is older. add r9, r10; cmp rbp, r9: bound 1, measured 1.01, here 2. */
#define PTL_SIM_BINDER PTL_BINDER_DEFAULT

/* As ptl_block_bounds_of, and *cycles per iteration, simulated. PTL_LIMIT: too many uops. */
ptl_status ptl_simulate(ptl_block_work* w, ptl_premises premises, const ptl_binder* binder,
                        ptl_block_bounds* bounds, double* cycles, ptl_error* error);

#endif
