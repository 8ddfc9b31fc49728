#include "accuracy/deviation.h"

#include <math.h>
#include <stdlib.h>

#include "accuracy/metrics.h"
#include "accuracy/sum.h"
#include "base/order.h"

/* Between the two neighbours of the place p * (n - 1) in a sorted series. */
static double quantile(const double* sorted, size_t n, double p) {
    if (n == 0) return NAN;
    double place = p * (double)(n - 1), below = floor(place);
    size_t i = (size_t)below;
    if (i + 1 >= n) return sorted[n - 1];
    double share = place - below;
    return sorted[i] * (1 - share) + sorted[i + 1] * share;
}

static void quantiles(double* errors, size_t n, const double* p, size_t count, double* out) {
    if (n > 1) qsort(errors, n, sizeof *errors, ptl_ascending_numbers);
    for (size_t k = 0; k < count; k++) out[k] = quantile(errors, n, p[k]);
}

static void summarise(const double* modelled, const double* measured, const double* errors, size_t n,
                      double tolerance, ptl_deviation* out) {
    ptl_sum sum = {0};
    size_t over = 0, under = 0;
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        ptl_sum_add(&sum, errors[i]);
        over += errors[i] > tolerance;
        under += errors[i] < -tolerance;
        largest = fmax(largest, fabs(modelled[i] - measured[i]));
    }
    *out = (ptl_deviation){ptl_sum_of(&sum) / (double)n, (double)over / (double)n, (double)under / (double)n,
                           largest};
}

static ptl_status check(const double* modelled, const double* measured, size_t n, double tolerance,
                        const double* p, size_t count, ptl_error* error) {
    if (!(tolerance >= 0))
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "the tolerance must not be negative");
    for (size_t k = 0; k < count; k++)
        if (!(p[k] >= 0 && p[k] <= 1))
            return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "quantile %zu is not from 0 to 1", k + 1);
    return ptl_metrics_check(modelled, measured, n, error);
}

ptl_status ptl_deviation_of(const double* modelled, const double* measured, size_t n, double tolerance,
                            const double* p, size_t count, double* signed_at, double* absolute_at,
                            ptl_deviation* out, ptl_error* error) {
    *out = (ptl_deviation){NAN, NAN, NAN, NAN};
    ptl_status s = check(modelled, measured, n, tolerance, p, count, error);
    if (s) return s;
    double* errors = calloc(n + 1, sizeof *errors);
    if (!errors) return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for %zu errors", n);
    for (size_t i = 0; i < n; i++) errors[i] = (modelled[i] - measured[i]) / measured[i];
    if (n) summarise(modelled, measured, errors, n, tolerance, out);
    quantiles(errors, n, p, count, signed_at);
    for (size_t i = 0; i < n; i++) errors[i] = fabs(errors[i]);
    quantiles(errors, n, p, count, absolute_at);
    free(errors);
    return PTL_OK;
}
