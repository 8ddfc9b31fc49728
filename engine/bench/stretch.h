/* Stretches: the parts of a plan that one process of the worker runs each.
 *
 * Foreign code has processes of its own, one for all visits to an experiment in a round, so that nothing it
 * does can touch what others measure. All other kernels share processes. */
#ifndef PTL_BENCH_STRETCH_H
#define PTL_BENCH_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ptl_stretch {
    size_t first, count; /* in the plan */
} ptl_stretch;

/* Rearranges a plan of n visits: those to kernels of one owner are put together, the others are spread around
 * them, each in their order. owner[k]: 0, or the number, up to `owners`, of the experiment that foreign
 * kernel k is a variant of. done: room for owners + 1; to: room for n visits, which receives the plan;
 * stretches: room for 2 * owners + 1. Returns how many there are. */
size_t ptl_stretches(const uint32_t* plan, size_t n, const uint32_t* owner, size_t owners, bool* done,
                     uint32_t* to, ptl_stretch* stretches);

#endif
