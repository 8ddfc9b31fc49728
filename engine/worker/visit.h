/* A visit: what one kernel and the reference loops around it took, in ticks of the time stamp counter.
 *
 * In the order in which the segments run:
 *     sentinel, chain, (short pass, long pass, chain) x PTL_VISIT_PASSES, sentinel
 * Every segment has time stamps of its own right around its loop. Passes of two lengths, because what happens
 * once per loop is in both of them, and not in their difference.
 *
 * Visits are written by a process that runs foreign code: all fields are plain numbers, and whoever reads one
 * bounds them (bench/outcome.h). */
#ifndef PTL_WORKER_VISIT_H
#define PTL_WORKER_VISIT_H

#include <stdint.h>

enum {
    PTL_VISIT_PASSES = 4, /* of each length */
    PTL_VISIT_CHAINS = PTL_VISIT_PASSES + 1,
    PTL_EVENTS_MAX = 4,       /* that can be counted beside the cycles: every core with counters has four */
    PTL_EVENT_VISITS_MAX = 64 /* visits whose counts are kept */
};

enum { PTL_SHORT = 0, PTL_LONG = 1 };

/* Passes have 0 to PTL_JITTER iterations more than the nominal number. Else predictors of branches learn
 * where a loop of so many iterations ends, and the misprediction there comes in some passes and not in
 * others. */
enum { PTL_JITTER = 3, PTL_ITERATIONS_MAX = 1 << 20 };

typedef struct ptl_pass {
    uint32_t iterations, ticks;
} ptl_pass;

typedef struct ptl_visit {
    uint32_t kernel;
    uint32_t nominal[2]; /* iterations of short and long passes; those of a pass are up to PTL_JITTER more */
    uint32_t sentinel[2], chain[PTL_VISIT_CHAINS];
    ptl_pass pass[2][PTL_VISIT_PASSES];
    /* Of the first pass of each length, where there are hardware counters: */
    uint32_t counted;    /* not 0: event[] holds counts */
    uint32_t reserved;   /* 0 */
    uint64_t counter[2]; /* core cycles, set-up included; 0 if there is no counter */
    uint64_t event[2][PTL_EVENTS_MAX];
} ptl_visit;

#endif
