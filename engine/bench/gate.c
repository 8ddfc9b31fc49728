#include "bench/gate.h"

#include <math.h>
#include <stdlib.h>

/* Relative distance of two positive values; NaN and values that are not positive are infinitely far apart. */
static double apart(double a, double b) {
    return a > 0 && b > 0 ? fabs(a - b) / (a < b ? a : b) : INFINITY;
}

ptl_verdict ptl_gate(const ptl_sample* s, const ptl_reference* r, ptl_reading* out) {
    /* Quiet samples lie well within these (90% of them: brackets 0.1%, sentinel 1%, first N iterations 1.5%
     * above the next). */
    const double clock_tolerance = 0.005, sentinel_slack = 0.03, warm_up = 0.04, uneven = 0.015;
    double chain0 = (double)s->chain[0] - r->overhead_ticks, chain1 = (double)s->chain[1] - r->overhead_ticks;
    if (!(apart(chain0, chain1) <= clock_tolerance)) return PTL_CLOCK_MOVED;
    double ticks_per_cycle = (chain0 + chain1) / 2 / r->chain_cycles;
    for (int i = 0; i < 2; i++) {
        double cycles = ((double)s->sentinel[i] - r->overhead_ticks) / ticks_per_cycle / r->sentinel_units;
        if (!(apart(cycles, r->sentinel_cycles) < sentinel_slack)) return PTL_DISTURBED;
    }
    double once = (double)s->body[0] - r->overhead_ticks, more = (double)s->body[1] - (double)s->body[0];
    if (s->iterations == 0 || !(once > 0) || !(more > 0) || once > more * (1 + warm_up) ||
        once < more * (1 - uneven))
        return PTL_UNEVEN;
    out->cycles = more / ticks_per_cycle / s->iterations;
    bool counted = s->counter[0] > 0 && s->counter[1] > s->counter[0];
    out->counter = counted ? (double)(s->counter[1] - s->counter[0]) / s->iterations : 0;
    out->frequency = r->tsc_hz / ticks_per_cycle;
    out->counted = s->counted;
    for (int k = 0; k < PTL_EVENTS_MAX; k++)
        out->event[k] = ((double)s->event[1][k] - (double)s->event[0][k]) / s->iterations;
    return PTL_QUIET;
}

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double quantile(const double* sorted, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

ptl_summary ptl_summarise(double* values, size_t n) {
    ptl_summary s = {.n = n};
    if (n == 0) return s;
    qsort(values, n, sizeof *values, ascending);
    s.median = quantile(values, n, 0.5);
    s.spread = (quantile(values, n, 0.75) - quantile(values, n, 0.25)) / s.median;
    return s;
}

double ptl_fastest_cluster(double* values, size_t n, size_t support) {
    if (support == 0 || n < support) return 0;
    qsort(values, n, sizeof *values, ascending);
    for (size_t first = 0; first + support <= n; first++) {
        size_t last = first;
        while (last < n && values[last] <= values[first] * 1.01) last++;
        if (last - first >= support) return values[(first + last - 1) / 2];
    }
    return 0;
}
