/* Children of the default evolution: made by taking schemes out and putting them back, or from two parents.
 */
#ifndef PTL_EVO_RUIN_H
#define PTL_EVO_RUIN_H

#include "evo/island.h"

/* Places all schemes that are not placed, in random order, each with its best uops given those before. */
void ptl_evo_recreate(ptl_evo_island* o, ptl_rng* r);

/* Takes a few schemes out of the state's mapping: one that errs, and such as err together with it, or random
 * ones. */
void ptl_evo_ruin(ptl_evo_island* o, ptl_rng* r);

/* Gives the schemes with the largest errors their best uops, until a few in turn change nothing. */
void ptl_evo_settle(ptl_evo_island* o, ptl_rng* r);

#endif
