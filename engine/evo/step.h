/* One step of an island: a new mapping, or a child in the place of its parent. */
#ifndef PTL_EVO_STEP_H
#define PTL_EVO_STEP_H

#include "evo/island.h"

/* Makes one mapping, if the island is not full, or one child. false: it was not done, as the time was up; the
 * step will be the same when it is done again. The first mapping is made in any case. */
bool ptl_evo_island_step(ptl_evo_island* o);

#endif
