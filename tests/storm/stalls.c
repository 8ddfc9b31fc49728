/* Stalls: interrupts of the target that nobody waits for. A timer fires on the processor that armed it; one
 * that no thread reads wakes nobody, so that each costs the running program the interrupt and nothing else.
 * (Flushes of address translations and memory barriers interrupt a processor only while it runs the process
 * that asks for them.) */
#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>

#include "storm.h"

enum {
    TIMERS = 900,     /* below the usual limit of open files */
    HORIZON = 2000000 /* nanoseconds armed ahead */
};

static int timers[TIMERS];

static int64_t arm_until(int64_t end, int64_t next, double rate) {
    for (int i = 0; i < TIMERS && next < end; i++) {
        struct itimerspec once = {{0, 0}, {next / 1000000000, next % 1000000000}};
        timerfd_settime(timers[i], TFD_TIMER_ABSTIME, &once, NULL);
        next += storm_gap(rate);
    }
    return next;
}

static void run(const storm_dials* d) {
    int64_t next = storm_now();
    for (;;) {
        int64_t now = storm_now();
        if (next < now) next = now + storm_gap(d->rate); /* what could not be armed in time is dropped */
        next = arm_until(now + HORIZON, next, d->rate);
        storm_sleep_until(now + HORIZON);
    }
}

void storm_stalls(const storm_dials* dials) {
    for (int i = 0; i < TIMERS; i++) {
        timers[i] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
        if (timers[i] < 0) storm_fail("no timer: %s", strerror(errno));
    }
    storm_thread(dials->cpu, STORM_REAL_TIME, run, dials);
}
