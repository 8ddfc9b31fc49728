/* The clock of a visit: how long is a core cycle in it, if that can be told (theory: docs/measuring.md)?
 *
 * Pure functions over recorded ticks, so that they are tested without a processor. */
#ifndef PTL_BENCH_GATE_H
#define PTL_BENCH_GATE_H

#include <stddef.h>

#include "bench/visit.h"

/* What the clock's loop takes, and how the time is counted. */
typedef struct ptl_reference {
    double chain_cycles; /* core cycles of a chain segment: time stamps, entry and exit included */
    double tsc_hz;
    double granularity; /* ticks by which the counter steps */
} ptl_reference;

/* Chains that have to agree. Disturbances only ever lengthen a chain, so that those which were spared are the
 * shortest, and alike. Two chains that were hit once each are alike, too; three that were, and none spared,
 * are rare where chains are short. A busy neighbour on the core hardly lengthens them: they wait for their
 * own results. */
enum { PTL_CLOCK_CHAINS = 3 };

/* Ticks of an undisturbed chain, of n that ran within some ten microseconds: the mean of the shortest that
 * agree. 0: no PTL_CLOCK_CHAINS of them do. If the core changes speed among them, the faster clock comes out,
 * and bodies that ran at the slower one look slow, never fast. */
double ptl_clock(const uint32_t* chain, size_t n, double granularity);

/* Ticks of a core cycle during a visit; 0 if its chains do not tell. Whether passes were disturbed their
 * readings show (bench/estimate.h). */
double ptl_cycle(const ptl_visit* v, const ptl_reference* r);

#endif
