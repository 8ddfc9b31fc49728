/* How well modelled throughputs agree with measured ones (section 5.3): MAPE, Pearson's r, Kendall's tau-b.
 */
#ifndef PTL_MODEL_METRICS_H
#define PTL_MODEL_METRICS_H

#include <stddef.h>

#include "base/error.h"

typedef struct ptl_metrics {
    double mape;    /* mean of |modelled - measured| / measured, a fraction; NaN if n = 0 */
    double pearson; /* NaN if n < 2 or either series is constant */
    double kendall; /* tau-b; NaN as above */
} ptl_metrics;

/* All values finite, measured ones positive; otherwise PTL_BAD_INPUT. O(n log n). PTL_NO_MEMORY. */
ptl_status ptl_metrics_of(const double* modelled, const double* measured, size_t n, ptl_metrics* out,
                          ptl_error* e);

#endif
