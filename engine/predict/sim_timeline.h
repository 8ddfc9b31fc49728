/* The first iterations of a block in a core that is empty at first, for pictures. What they take says little
 * of the iterations after them: `simulate.h` says how long these take. */
#ifndef PTL_PREDICT_SIM_TIMELINE_H
#define PTL_PREDICT_SIM_TIMELINE_H

#include "predict/block_bounds.h"
#include "predict/sim_trace.h"
#include "schedule/binder.h"

#define PTL_SIM_TIMELINE_ITERATIONS_MAX 64
#define PTL_SIM_TIMELINE_CYCLES_MAX 65536 /* rows that take longer have not `ended` */

/* Simulates the block of w, as ptl_simulate, and fills the trace, whose lists are the arena's. PTL_LIMIT: too
 * many uops; PTL_NO_MEMORY, PTL_INTERRUPTED. */
ptl_status ptl_sim_timeline(ptl_block_work* w, ptl_premises premises, const ptl_binder* binder,
                            uint32_t iterations, ptl_arena* arena, ptl_sim_trace* trace, ptl_error* error);

#endif
