/* Wall clock for budgets and progress. (Cycles of the core: bench/.) */
#ifndef PTL_BASE_CLOCK_H
#define PTL_BASE_CLOCK_H

#include <stdint.h>

/* Seconds of CLOCK_MONOTONIC. */
double ptl_now(void);

#endif
