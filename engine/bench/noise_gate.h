/* The noise gate: was a visit made in quiet, and how long is a core cycle in it (theory: docs/measuring.md)?
 *
 * Pure functions over recorded ticks, so that they are tested without a processor. */
#ifndef PTL_BENCH_NOISE_GATE_H
#define PTL_BENCH_NOISE_GATE_H

#include <stddef.h>

#include "worker/visit.h"

/* The reference loops take so long on a quiet core, in core cycles: time stamps, entry and exit included. */
typedef struct ptl_reference {
    double chain_cycles;
    double sentinel_cycles; /* 0: not known yet, any will do */
    double tsc_hz;
    double granularity; /* ticks by which the counter steps */
} ptl_reference;

typedef enum ptl_verdict {
    PTL_QUIET = 0,
    PTL_CLOCK_MOVED, /* no three chains agree on the fastest clock: it changed, or all were interrupted */
    PTL_DISTURBED    /* a sentinel was slower than its reference: somebody shares the core */
} ptl_verdict;

/* Chains that have to agree. Disturbances only ever lengthen a chain, so that those which were spared are the
 * shortest, and alike. Two chains that were hit once each are alike, too; three that were, and none spared,
 * are rare where chains are short. */
enum { PTL_CLOCK_CHAINS = 3 };

/* Ticks of an undisturbed chain, of n that ran within some ten microseconds: the mean of the shortest that
 * agree. 0: no PTL_CLOCK_CHAINS of them do. If the core changes speed among them, the faster clock comes out,
 * and bodies that ran at the slower one look slow, never fast. */
double ptl_clock(const uint32_t* chain, size_t n, double granularity);

/* Judges a visit; fills *ticks_per_cycle only if it is quiet. */
ptl_verdict ptl_gate(const ptl_visit* v, const ptl_reference* r, double* ticks_per_cycle);

#endif
