/* The noise gate: which samples were taken in quiet, and what do they say (theory: docs/measuring.md).
 *
 * Pure functions over recorded ticks, so that they are tested without a processor. */
#ifndef PTL_BENCH_GATE_H
#define PTL_BENCH_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many events can be counted beside the cycles: every core with counters has four. */
enum { PTL_EVENTS_MAX = 4 };

/* Ticks of the time stamp counter for the segments of one sample, in the order in which they ran:
 * latency chain, sentinel, N iterations, 2N iterations, sentinel, latency chain. */
typedef struct ptl_sample {
    uint32_t iterations; /* N */
    bool counted;        /* event[] holds counts */
    uint64_t chain[2], sentinel[2], body[2];
    uint64_t counter[2]; /* core cycles by a hardware counter for N and 2N; 0 if there is none */
    uint64_t event[2][PTL_EVENTS_MAX]; /* further events for N and 2N */
} ptl_sample;

/* What one pass of the reference loops costs on a quiet core. */
typedef struct ptl_reference {
    double chain_cycles;    /* core cycles of the latency chain segment, overhead excluded */
    double overhead_ticks;  /* of an empty segment */
    double sentinel_units;  /* instructions of the sentinel segment */
    double sentinel_cycles; /* cycles per sentinel instruction in quiet, e.g. 0.25 */
    double tsc_hz;
} ptl_reference;

/* One accepted sample. */
typedef struct ptl_reading {
    double cycles;                /* per iteration of the body */
    double counter;               /* the same by the hardware counter, 0 if there is none */
    double frequency;             /* core cycles per second */
    bool counted;                 /* event[] holds counts */
    double event[PTL_EVENTS_MAX]; /* per iteration */
} ptl_reading;

typedef enum ptl_verdict {
    PTL_QUIET = 0,
    PTL_CLOCK_MOVED, /* the brackets before and after disagree: the core changed speed, or was interrupted */
    PTL_DISTURBED,   /* the sentinel was slower than its reference: somebody shares the core */
    PTL_UNEVEN       /* N and 2N iterations tell different stories */
} ptl_verdict;

/* Judges a sample; fills *out only if it is quiet. */
ptl_verdict ptl_gate(const ptl_sample* s, const ptl_reference* r, ptl_reading* out);

/* Statistics of accepted readings. */
typedef struct ptl_summary {
    size_t n;
    double median;
    double spread; /* interquartile range over median */
} ptl_summary;

/* Sorts values in place. */
ptl_summary ptl_summarise(double* values, size_t n);

/* The centre of the fastest cluster that holds at least `support` values within 1%, or 0 if there is none.
 * Not the minimum: a sample whose brackets were hit looks too fast, and a gate built on it would let only
 * such samples pass. Sorts values in place. */
double ptl_fastest_cluster(double* values, size_t n, size_t support);

#endif
