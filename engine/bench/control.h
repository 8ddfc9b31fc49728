/* Controls: loops of known rate, visited among all others. What share of their readings comes out as it
 * should is what share of readings the weather spares. */
#ifndef PTL_BENCH_CONTROL_H
#define PTL_BENCH_CONTROL_H

#include "base/arena.h"
#include "bench/reference.h"

/* The readings of one control, with passes of one length. A pass takes a little more or less beside its
 * iterations than it did in the calibration, where passes had another length: where its readings agree on a
 * level of their own, and that level on the calibrated rate, they are held against it. */
typedef struct ptl_watch {
    const ptl_control* known;
    double resolution;                        /* cycles */
    ptl_readings list[2];                     /* short and long; the first ones only */
    size_t capacity;                          /* of each list */
    double base;                              /* cycles of a long pass beside its iterations */
    size_t undisturbed;                       /* long readings that are as they should be */
    size_t fast;                              /* ... and those that are faster: the clock was wrong */
    size_t seen;                              /* in quiet visits */
    size_t further_undisturbed, further_fast; /* of those for which the lists had no room */
} ptl_watch;

/* A watch with these two arrays of `capacity` readings each. */
ptl_watch ptl_watch_new(const ptl_calibration* c, int control, ptl_reading* shorts, ptl_reading* longs,
                        size_t capacity);

/* Adds a quiet visit, in which a cycle took so many ticks. */
void ptl_watch_add(ptl_watch* w, const ptl_visit* v, double cycle, uint32_t number);

/* Counts what is undisturbed, after some were added. */
void ptl_watch_judge(ptl_watch* w);

/* Returns what share of its long readings is spared, of those counted. None is, if wrong clocks are not much
 * rarer than spared readings: then what is fast and repeated proves nothing. */
double ptl_watch_spared(const ptl_watch* w);

/* All controls of a core, watched in one batch. */
typedef struct ptl_panel {
    const ptl_calibration* calibration;
    ptl_watch watch[PTL_CONTROLS]; /* of those that are calibrated */
    unsigned long visits;
    unsigned long undisturbed, disturbed; /* long readings */
} ptl_panel;

/* Fills the panel, and the iterations of the controls' long passes (PTL_REFERENCES numbers). False: no
 * memory. */
bool ptl_panel_open(ptl_panel* p, const ptl_calibration* c, const ptl_segments* g, uint32_t* iterations,
                    ptl_arena* a);

/* Plans the controls' visits of a round; returns how many. */
size_t ptl_panel_plan(const ptl_panel* p, size_t* plan);

/* Adds a visit to a reference loop; a quiet one, with the ticks of a cycle in it, or any other (0). */
void ptl_panel_add(ptl_panel* p, uint32_t kernel, const ptl_visit* v, double ticks_per_cycle,
                   uint32_t number);

/* Judges all watches, and returns what share of long readings is spared: as the control says that fares
 * worst. Without controls nothing is. */
double ptl_panel_judge(ptl_panel* p);

/* Is there a control of which nothing is as calibrated, while others fare well? Then its calibration was
 * wrong, or the core is not the same any more. One other is not enough: multiplications hardly notice a busy
 * neighbour. */
bool ptl_panel_is_off(const ptl_panel* p);

/* Do the controls' rates come out as they were calibrated? */
bool ptl_panel_holds(ptl_panel* p, const ptl_conditions* c);

#endif
