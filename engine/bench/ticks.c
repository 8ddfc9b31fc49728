#include "bench/ticks.h"

#include <math.h>
#include <stdbool.h>

#include "base/clock.h"
#include "worker/machine.h"

static double measure_hz(void) {
    double start = ptl_now(), end;
    uint64_t first = ptl_machine_ticks();
    while ((end = ptl_now()) - start < 0.02) {
    }
    return (double)(ptl_machine_ticks() - first) / (end - start);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

/* Are all differences multiples of this step, as its counter shows whole ticks: within one of them? Long ones
 * are left out, as they would need the step more precisely than it is looked for. */
static bool is_step(const uint64_t* reading, size_t n, double step, double longest) {
    for (size_t i = 1; i < n; i++) {
        double difference = (double)(reading[i] - reading[i - 1]);
        if (difference <= longest && fabs(difference - step * round(difference / step)) >= 1) return false;
    }
    return true;
}

/* The widest step, no whole number perhaps, of which all differences are multiples; 0: none of four ticks or
 * more. As many steps as fit next to it do, so the middle of them is the best. */
static double widest_step(const uint64_t* reading, size_t n, uint64_t least) {
    const double narrowest = 4, precision = 1.0 / 128, multiples = 16;
    double longest = multiples * (double)least, widest = 0;
    for (double step = (double)least + 1; step >= narrowest; step -= precision) {
        bool fits = is_step(reading, n, step, longest);
        if (fits && widest == 0) widest = step;
        if (!fits && widest > 0) return (widest + step + precision) / 2;
    }
    return 0;
}

/* Differences tell a step only if some are of none or of several: where all are alike, they may tell how long
 * reading takes. */
double ptl_ticks_granularity(const uint64_t* reading, size_t n) {
    uint64_t divisor = 0, least = UINT64_MAX, most = 0;
    bool equal = false;
    for (size_t i = 1; i < n; i++) {
        uint64_t step = reading[i] - reading[i - 1];
        divisor = common_divisor(divisor, step);
        equal |= step == 0;
        if (step > 0 && step < least) least = step;
        if (step > most) most = step;
    }
    if (divisor == 0) return 1;
    bool several = equal || most > least + least / 2;
    double step = several ? widest_step(reading, n, least) : 0;
    return step > 0 ? step : (double)divisor;
}

/* The time between readings varies, so that a counter that steps as often as the core shows all differences. */
ptl_ticks ptl_ticks_measure(void) {
    enum { READINGS = 800, DELAYS = 41 };
    uint64_t reading[READINGS];
    for (int i = 0; i < READINGS; i++) {
        for (volatile int wait = 0; wait < i % DELAYS; wait++) {
        }
        reading[i] = ptl_machine_ticks();
    }
    return (ptl_ticks){.hz = measure_hz(), .granularity = ptl_ticks_granularity(reading, READINGS)};
}

unsigned ptl_ticks_coarseness(const ptl_ticks* t) {
    const double fastest = 4e9;         /* cycles a second of a core; how fast this one is nobody knows yet */
    const double fine = 24; /* cycles between equal readings: means of clusters resolve a part of it */
    double resolution = 4 + 2 * t->granularity * fastest / t->hz;
    return resolution > fine ? (unsigned)ceil(resolution / fine) : 1;
}
