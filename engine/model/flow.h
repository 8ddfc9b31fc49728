/* Maximum flow: the bottleneck formula in polynomial time, for demands with many distinct uops on many ports;
 * and places for whole uops. */
#ifndef PTL_MODEL_FLOW_H
#define PTL_MODEL_FLOW_H

#include "model/bottleneck.h"

/* Same answer as the other ways (bottleneck.h). PTL_NO_MEMORY. */
ptl_status ptl_bottleneck_by_flow(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

/* Places the uops of d, whole ones, on ports with room for that many each. placed: how many of each uop of d
 * are already on each port (allowed ones, within the capacity), and in the end as many as possible: then some
 * may have been moved. Returns in *complete whether all of them are placed. PTL_NO_MEMORY. */
ptl_status ptl_flow_complete(const ptl_demand* d, uint64_t capacity, uint64_t (*placed)[PTL_PORTS_MAX],
                             bool* complete, ptl_error* error);

#endif
