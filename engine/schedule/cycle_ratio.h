/* The maximum cycle ratio of a graph: how fast a loop can run that waits for its own results.
 *
 * Nodes are values or instructions of a loop body; an edge says that `to` waits for `from`: `latency` cycles,
 * and from so many iterations before (`distance`, 0 within an iteration). A cycle of edges with latencies L
 * and distances D lets an iteration begin every sum(L) / sum(D) cycles at best, and the largest such ratio is
 * the bound (Reiter, Scheduling Parallel Computations, J. ACM 15, 1968; Dasdan, ACM TODAES 9, 2004, compares
 * algorithms).
 *
 * A ratio is improved until there is no better one (Newton's method): under the ratio r, an edge weighs
 * latency - r * distance, and a cycle of positive weight, which Bellman and Ford's algorithm finds, has a
 * larger ratio than r. Every r is the ratio of a cycle, so there are finitely many, and the last one is exact
 * but for rounding. */
#ifndef PTL_SCHEDULE_CYCLE_RATIO_H
#define PTL_SCHEDULE_CYCLE_RATIO_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ptl_wait {
    uint32_t from, to; /* nodes, from 0 */
    double latency;    /* cycles, not negative */
    uint32_t distance; /* iterations */
} ptl_wait;

typedef struct ptl_waits {
    size_t nodes, count;
    const ptl_wait* edges;
} ptl_waits;

#define PTL_WAITS_NODES_MAX 65536
#define PTL_WAITS_MAX 1048576

/* The largest ratio of a cycle; 0 if there is no cycle of a positive latency. `cycle` (room for `nodes`
 * numbers, or NULL) becomes the edges of one with that ratio, in their order, and *length how many.
 * PTL_BAD_INPUT: an edge to no node, a latency that is negative or no number, a cycle of positive latency
 * without distance, which can never run; sizes beyond the limits. PTL_NO_MEMORY. */
ptl_status ptl_cycle_ratio(const ptl_waits* graph, double* ratio, size_t* cycle, size_t* length,
                           ptl_error* error);

#endif
