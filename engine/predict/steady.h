/* Tells when a simulation has gone on for long enough, and what an iteration took. */
#ifndef PTL_PREDICT_STEADY_H
#define PTL_PREDICT_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cycles in which iterations were done, the first one first. */
typedef struct ptl_steady {
    double* done;
    size_t count, capacity;
} ptl_steady;

/* Notes the end of the next iteration. False: no memory. */
bool ptl_steady_add(ptl_steady* s, double cycle);

/* Tells whether the pattern of the last iterations, all after the cycle `warm`, has been there several times;
 * then *cycles is what an iteration takes, exactly. */
bool ptl_steady_found(const ptl_steady* s, double warm, double* cycles);

/* The mean over the second half. */
double ptl_steady_mean(const ptl_steady* s);

void ptl_steady_free(ptl_steady* s);

#endif
