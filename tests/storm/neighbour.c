/* A neighbour that comes and goes: bursts from microseconds to seconds. On the target it competes for time
 * slices, on the other processor for caches, power, and the core if the two are siblings. */
#include "storm.h"

/* Microseconds. The scheduler lets nobody of equal rank in sooner, so that shorter bursts would melt into
 * slices. */
static const double SLICE = 3000;

static void come_and_go(const storm_dials* d) {
    for (;;) {
        storm_spin_until(storm_now() + storm_burst(d->longest));
        storm_sleep_until(storm_now() + storm_pause(d));
    }
}

void storm_neighbour(const storm_dials* dials) {
    storm_priority priority = dials->longest < SLICE ? STORM_REAL_TIME : STORM_NICE;
    storm_thread(dials->cpu, priority, come_and_go, dials);
    if (dials->other >= 0) storm_thread(dials->other, STORM_NICE, come_and_go, dials);
}
