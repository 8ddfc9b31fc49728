/* Children of the default evolution: made by taking schemes out and putting them back, or from two parents.
 */
#ifndef PTL_EVO_RUIN_H
#define PTL_EVO_RUIN_H

#include "evo/island.h"

/* Places all schemes that are not placed, in random order, each with its best uops given those before. false:
 * the time was up. */
bool ptl_evo_recreate(ptl_evo_island* o, ptl_rng* r);

/* Takes a few schemes out of the state's mapping: one that errs, and such as err together with it, or random
 * ones. Returns how many. */
size_t ptl_evo_ruin(ptl_evo_island* o, ptl_rng* r);

/* Gives the schemes with the largest errors their best uops, `steps` times at most, until a few in turn
 * change nothing or the time is up; the first mapping of an island takes its time. */
void ptl_evo_settle(ptl_evo_island* o, size_t steps, ptl_rng* r);

#endif
