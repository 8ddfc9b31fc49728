/* Wall clock for budgets and progress; how long a thread has worked, whoever else did. (Cycles of the core:
 * bench/.) */
#ifndef PTL_BASE_CLOCK_H
#define PTL_BASE_CLOCK_H

#include <stdint.h>

/* Seconds of CLOCK_MONOTONIC. */
double ptl_now(void);

/* Seconds that this thread has had a processor. */
double ptl_worked(void);

#endif
