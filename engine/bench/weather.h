/* The weather: what share of windows of a given length passes undisturbed, and how long passes should be in
 * it. */
#ifndef PTL_BENCH_WEATHER_H
#define PTL_BENCH_WEATHER_H

#include "bench/reference.h"

enum { PTL_WEATHER_LENGTHS = 7 };

typedef struct ptl_weather {
    double cycles[PTL_WEATHER_LENGTHS]; /* of a window: 1,000 to 64,000, times the counter's coarseness */
    double share[PTL_WEATHER_LENGTHS];  /* of such windows that are undisturbed */
    unsigned best;                      /* the length that gains most information in a second */
} ptl_weather;

/* Runs additions of known rate in windows of all lengths, for some 15 milliseconds. */
ptl_status ptl_survey(ptl_worker* w, int cpu, const ptl_calibration* c, ptl_weather* out, ptl_error* error);

#endif
