/* Sums of many terms without the loss that grows with their number (Neumaier's variant of Kahan's summation):
 * the error stays near one rounding of the largest partial sum, for a million terms as for ten. */
#ifndef PTL_ACCURACY_SUM_H
#define PTL_ACCURACY_SUM_H

#include <math.h>

typedef struct ptl_sum {
    double total, lost; /* what roundings of total have dropped so far */
} ptl_sum;

static inline void ptl_sum_add(ptl_sum* s, double x) {
    double t = s->total + x;
    s->lost += fabs(s->total) >= fabs(x) ? (s->total - t) + x : (x - t) + s->total;
    s->total = t;
}

static inline double ptl_sum_of(const ptl_sum* s) {
    return isfinite(s->lost) ? s->total + s->lost : s->total; /* an overflow leaves no digits to mend */
}

#endif
