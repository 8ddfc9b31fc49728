/* Measures how well modelled throughputs agree with measured ones (section 3.2.2): MAPE, Pearson's r,
 * Kendall's tau-b. */
#ifndef PTL_ACCURACY_METRICS_H
#define PTL_ACCURACY_METRICS_H

#include <stddef.h>

#include "base/error.h"

typedef struct ptl_metrics {
    double mape;    /* mean of |modelled - measured| / measured, a fraction; NaN if n = 0 */
    double pearson; /* NaN if n < 2 or either series is constant */
    double kendall; /* tau-b; NaN as above */
} ptl_metrics;

/* All values finite, measured ones positive; otherwise PTL_BAD_INPUT. O(n log n). PTL_NO_MEMORY.
 *
 * Kendall's statistic takes values for tied that agree in their first 40 significant bits (1e-12).
 * Predictions are quotients of small whole numbers, and the same quotient reached in two ways, 1/3 and
 * (5/3)/5, differs in the last bit; as ranks they would be different values. */
ptl_status ptl_metrics_of(const double* modelled, const double* measured, size_t n, ptl_metrics* out,
                          ptl_error* error);

/* PTL_BAD_INPUT, with the pair's number, unless all values are finite and all measured ones positive. */
ptl_status ptl_metrics_check(const double* modelled, const double* measured, size_t n, ptl_error* error);

#endif
