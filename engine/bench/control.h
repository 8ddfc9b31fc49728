/* Controls: loops of known rate, visited among all others. What share of their readings comes out as it
 * should is what share of readings the weather spares. */
#ifndef PTL_BENCH_CONTROL_H
#define PTL_BENCH_CONTROL_H

#include "bench/reference.h"

/* The readings of one control, with passes of one length. A pass takes a little more or less beside its
 * iterations than it did in the calibration, where passes had another length: where its readings agree on a
 * level of their own, and that level on the calibrated rate, they are held against it. */
typedef struct ptl_watch {
    const ptl_control* known;
    double resolution;    /* cycles */
    ptl_readings list[2]; /* short and long; the first ones only */
    size_t capacity;      /* of each list */
    double base;          /* cycles of a long pass beside its iterations */
    size_t undisturbed;   /* long readings that are as they should be */
    size_t fast;          /* ... and those that are faster: the clock was wrong */
    size_t seen;          /* in quiet visits */
} ptl_watch;

/* A watch with these two arrays of `capacity` readings each. */
ptl_watch ptl_watch_new(const ptl_calibration* c, int control, ptl_reading* shorts, ptl_reading* longs,
                        size_t capacity);

/* Adds a quiet visit, in which a cycle took so many ticks. */
void ptl_watch_add(ptl_watch* w, const ptl_visit* v, double cycle, uint32_t number);

/* Counts what is undisturbed, after some were added. */
void ptl_watch_judge(ptl_watch* w);

/* What share of its long readings is spared: of those counted. None, if wrong clocks are not much rarer than
 * spared readings: then what is fast and repeated proves nothing. */
double ptl_watch_spared(const ptl_watch* w);

#endif
