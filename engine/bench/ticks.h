/* The counter that time stamps are read from: how fast it counts, and by how much it steps. Both are
 * measured: on Intel's processors it steps about as often as a core does, on AMD's 100 million times a second
 * (by 24 or 25 ticks, say), on Arm 24 million times or more. */
#ifndef PTL_BENCH_TICKS_H
#define PTL_BENCH_TICKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ptl_ticks {
    double hz;          /* ticks a second */
    double granularity; /* ticks by which it steps on average; no whole number where it is scaled */
} ptl_ticks;

/* Of this machine; takes 20 milliseconds. */
ptl_ticks ptl_ticks_measure(void);

/* Ticks by which a counter steps that was read n times in a row (n > 1), not always after the same time; at
 * least 1. */
double ptl_ticks_granularity(const uint64_t* reading, size_t n);

/* Returns how many times as long as usual segments have to be, so that the steps of the counter are no larger
 * a share of them than usual: 1 where the counter steps about as often as a core. */
unsigned ptl_ticks_coarseness(const ptl_ticks* t);

#endif
