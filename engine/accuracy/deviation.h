/* Tells what the mean error hides: on which side a model errs, by how much at most, and how its errors are
 * distributed.
 *
 * The relative error of a prediction is modelled / measured - 1: positive if the model says more cycles (or,
 * in IPC, more instructions per cycle) than were measured. */
#ifndef PTL_ACCURACY_DEVIATION_H
#define PTL_ACCURACY_DEVIATION_H

#include <stddef.h>

#include "base/error.h"

typedef struct ptl_deviation {
    double bias;        /* mean relative error; NaN if n = 0, like the others */
    double over, under; /* shares with a relative error above tolerance, and below -tolerance */
    double largest;     /* of |modelled - measured|, in the unit of the series */
} ptl_deviation;

/* All values finite, measured ones positive, tolerance at least 0; otherwise PTL_BAD_INPUT. PTL_NO_MEMORY.
 *
 * signed_at and absolute_at (each of count entries) get the quantiles of the relative error and of its
 * absolute value for the probabilities p (0 to 1), linear between neighbours: 0 is the least, 1 the largest.
 * NaN if n = 0. */
ptl_status ptl_deviation_of(const double* modelled, const double* measured, size_t n, double tolerance,
                            const double* p, size_t count, double* signed_at, double* absolute_at,
                            ptl_deviation* out, ptl_error* error);

#endif
