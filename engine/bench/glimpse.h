/* A faster rate that only a few visits saw.
 *
 * Some code has two rates that last for milliseconds: on Golden Cove, `andn + vaddpd + vpshufb + vpsubb`
 * keeps its ports busy in every cycle while the core clocks at 3.4 GHz, and loses every sixteenth cycle while
 * it clocks at 3.6 GHz. All passes of one visit have the same rate then, and most visits the slower one, so
 * that their readings agree and look certain. Where several visits agree on a faster rate, more visits are
 * worth their time. */
#ifndef PTL_BENCH_GLIMPSE_H
#define PTL_BENCH_GLIMPSE_H

#include "bench/estimate.h"

enum { PTL_GLIMPSE_MAX = 64 };

/* Visits that agree on a rate. */
typedef struct ptl_glimpse {
    uint32_t visit[PTL_GLIMPSE_MAX]; /* their numbers */
    size_t n;
} ptl_glimpse;

/* The visits in which two long passes agree on a rate below `below` (cycles an iteration); of these the most
 * that agree with each other. Sorts readings. */
void ptl_glimpse_find(ptl_readings* longs, double below, const ptl_conditions* c, ptl_glimpse* out);

/* Tells what the readings of these visits alone say, as ptl_estimate_rate does. */
ptl_evidence ptl_glimpse_estimate(const ptl_glimpse* glimpse, const ptl_readings* shorts,
                                  const ptl_readings* longs, const ptl_conditions* c, ptl_estimate* out);

#endif
