/* Stretches: the parts of a plan that one process of the worker runs each.
 *
 * Foreign code has processes of its own, one for the visits to each kernel in a round, so that nothing it
 * does can touch what others measure. All other kernels share processes. */
#ifndef PTL_BENCH_STRETCH_H
#define PTL_BENCH_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ptl_stretch {
    size_t first, count; /* in the plan */
} ptl_stretch;

/* Rearranges a plan of n visits: those to each foreign kernel are put together, the others, in their order,
 * are spread around them. foreign[k]: kernel k is; counts: room for one number per kernel; to: room for n
 * visits, which receives the plan. stretches: room for 2 * kernels + 1. Returns how many there are. */
size_t ptl_stretches(const uint32_t* plan, size_t n, const bool* foreign, uint32_t* counts, size_t kernels,
                     uint32_t* to, ptl_stretch* stretches);

#endif
