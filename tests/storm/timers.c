/* Timers and signals: wakes up on the target again and again, ahead of what runs there, and works for a
 * while. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "storm.h"

/* The next event is drawn when one is over, so that the storm never starves the processor. */
static void by_sleeping(const storm_dials* d) {
    for (;;) {
        storm_sleep_until(storm_now() + storm_gap(d->rate / 2));
        storm_spin_until(storm_now() + (int64_t)(d->work * 1e3));
    }
}

static void by_signals(const storm_dials* d) {
    timer_t timer;
    sigset_t alarm;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    sigemptyset(&alarm); /* blocked in all threads; this one alone waits for it */
    sigaddset(&alarm, SIGALRM);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) storm_fail("no timer: %s", strerror(errno));
    for (;;) {
        int64_t gap = storm_gap(d->rate / 2) + 1; /* zero would disarm it */
        struct itimerspec once = {{0, 0}, {gap / 1000000000, gap % 1000000000}};
        timer_settime(timer, 0, &once, NULL);
        while (sigwaitinfo(&alarm, NULL) < 0) continue;
        storm_spin_until(storm_now() + (int64_t)(d->work * 1e3));
    }
}

void storm_timers(const storm_dials* dials) {
    storm_thread(dials->cpu, STORM_REAL_TIME, by_sleeping, dials);
    storm_thread(dials->cpu, STORM_REAL_TIME, by_signals, dials);
}
