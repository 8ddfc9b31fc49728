/* From readings of many visits to what a loop takes: the fastest rate that is seen repeatedly.
 *
 * Noise is one-sided: stalls, interrupts and neighbours add time and never take any away. So the readings
 * that were spared are the fastest, they agree, and they come from several visits. What share of readings is
 * spared is known from controls (bench/control.h), loops of known rate that are visited among the others: a
 * fastest cluster is believed only if about as many spared readings are to be expected as it holds. Otherwise
 * readings that were all hit once would pass for spared ones.
 *
 * Pure functions, tested with recorded and simulated visits. */
#ifndef PTL_BENCH_ESTIMATE_H
#define PTL_BENCH_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/visit.h"

/* One pass: what it took, and in which visit. */
typedef struct ptl_reading {
    double cycles; /* core cycles, time stamps, entry and exit included */
    uint32_t iterations, visit;
    double level; /* what it would have taken with the nominal number of iterations; set by the functions
                     below */
} ptl_reading;

/* Values that agree. */
typedef struct ptl_cluster {
    double centre;
    double spread;   /* standard deviation of its values */
    size_t n;        /* values */
    unsigned visits; /* they come from so many visits at least; counted up to 3 */
} ptl_cluster;

/* The fastest cluster within `width` of at least `support` readings from three visits (or from as many as
 * there are): from the fastest reading that such a cluster begins with on, the densest of those that begin
 * less than `width` later. Not the fastest reading: a clock that was hit makes a reading look fast, though
 * hardly ever twice alike. Compares their levels; sorts by them. False if there is none. */
bool ptl_fastest_cluster(ptl_reading* r, size_t n, double width, size_t support, ptl_cluster* out);

typedef struct ptl_estimate {
    double cycles; /* of an iteration */
    double error;  /* standard error of it, a share, as the clusters' spreads have it */
    double spread; /* standard deviation of single long readings, a share */
    double share;  /* of the readings expected to be spared that agree with it: about 1 for steady code */
    double
        slow_cycles; /* a second rate, 0 if there is none: code may have two by itself, and both are real */
    double slow_share;
    size_t agreeing; /* long readings that cycles rests on */
} ptl_estimate;

typedef enum ptl_evidence {
    PTL_CERTAIN = 0,
    PTL_MORE,    /* readings are wanted */
    PTL_UNSTEADY /* enough were spared, and they do not agree: it is the code that varies */
} ptl_evidence;

/* Readings of passes of one length: those kept, and how many there were. Only the slowest are ever dropped.
 */
typedef struct ptl_readings {
    ptl_reading* list;
    size_t n, seen;
    uint32_t nominal; /* iterations that every pass has at least */
} ptl_readings;

/* Adds a reading to a list with room for `capacity`; a full one drops the slower half. */
void ptl_readings_add(ptl_readings* r, size_t capacity, ptl_reading reading);

/* The reading of one pass of a quiet visit. */
ptl_reading ptl_reading_of(const ptl_visit* v, int length, int pass, double ticks_per_cycle, uint32_t number);

/* Adds all readings of one length of a quiet visit. */
void ptl_readings_add_visit(ptl_readings* r, size_t capacity, const ptl_visit* v, int length,
                            double ticks_per_cycle, uint32_t number);

/* Sets the readings' levels, for a rate in cycles an iteration. */
void ptl_readings_level(ptl_readings* r, double rate);

/* The controls tell how likely a reading is spared. */
typedef struct ptl_conditions {
    double spared;     /* share of long readings of controls */
    double typical;    /* cycles that these take */
    double resolution; /* cycles within which equal passes are read */
    double edge;       /* cycles that any pass takes beside its iterations, at least */
} ptl_conditions;

/* Tells what short and long readings say together. *out is filled unless PTL_MORE comes without any idea
 * (cycles is 0 then). Sorts readings. */
ptl_evidence ptl_estimate_rate(ptl_readings* shorts, ptl_readings* longs, const ptl_conditions* c,
                               ptl_estimate* out);

/* Long readings expected to be spared, of those that were seen. */
double ptl_expected(const ptl_readings* longs, const ptl_conditions* c);

/* Sorts values in place; 0 without any. */
double ptl_median(double* values, size_t n);

/* The tolerance within which readings of so many cycles agree. */
double ptl_agreement(double cycles, double resolution);

#endif
