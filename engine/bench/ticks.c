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

/* Where two readings may be equal, the least difference is a step; counters of which one is scaled to another
 * rate have steps that differ by one tick. Where reading takes longer than a step, all differences are
 * multiples of it. */
double ptl_ticks_granularity(const uint64_t* reading, size_t n) {
    uint64_t divisor = 0, least = UINT64_MAX;
    bool equal = false;
    for (size_t i = 1; i < n; i++) {
        uint64_t step = reading[i] - reading[i - 1];
        divisor = common_divisor(divisor, step);
        equal |= step == 0;
        if (step > 0 && step < least) least = step;
    }
    if (divisor == 0) return 1;
    return equal ? (double)least : (double)divisor;
}

ptl_ticks ptl_ticks_measure(void) {
    enum { READINGS = 400 };
    uint64_t reading[READINGS];
    for (int i = 0; i < READINGS; i++) reading[i] = ptl_machine_ticks();
    return (ptl_ticks){.hz = measure_hz(), .granularity = ptl_ticks_granularity(reading, READINGS)};
}

unsigned ptl_ticks_coarseness(const ptl_ticks* t) {
    const double fastest = 4e9;         /* cycles a second of a core; how fast this one is nobody knows yet */
    const double fine = 24, usual = 12; /* cycles between equal readings: still fine; on the usual machine */
    double resolution = 4 + 2 * t->granularity * fastest / t->hz;
    return resolution > fine ? (unsigned)ceil(resolution / usual) : 1;
}
