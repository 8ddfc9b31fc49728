/* The bottleneck formula in polynomial time, by maximum flow: for demands with many distinct uops on many
 * ports. */
#ifndef PTL_MODEL_FLOW_H
#define PTL_MODEL_FLOW_H

#include "model/bottleneck.h"

/* Same answer as the other ways (bottleneck.h). PTL_NO_MEMORY. */
ptl_status ptl_bottleneck_by_flow(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

#endif
