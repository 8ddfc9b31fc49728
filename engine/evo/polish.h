/* The greedy local search at the end of PMEvo (section 5.1.3, local search). */
#ifndef PTL_EVO_POLISH_H
#define PTL_EVO_POLISH_H

#include "evo/scale.h"
#include "evo/state.h"

/* For each scheme and each of its uops: fewer of them while that is at least as fit; if it never was, more
 * while that is strictly fitter. The state's mapping is never less fit afterwards. A scheme keeps one uop at
 * least. */
void ptl_evo_polish(ptl_evo_state* s, const ptl_evo_scale* scale);

#endif
