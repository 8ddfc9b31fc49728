/* A neighbour that comes and goes: bursts from microseconds to seconds. On the target it competes for time
 * slices, on the other processor for caches, power, and the core if the two are siblings. */
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "storm.h"

/* The kernel's struct sched_attr, whose headers cannot be included with sched.h. */
typedef struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
} attributes;

/* Who asks for short slices gets them soon after waking up. Older kernels ignore it. */
static void ask_for_short_slices(void) {
    attributes a = {.size = sizeof a};
    if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0)) return;
    a.runtime = 100000;
    syscall(SYS_sched_setattr, 0, &a, 0);
}

static void come_and_go(const storm_dials* d) {
    ask_for_short_slices();
    for (;;) {
        double pauses = (1 - d->duty) / d->duty;
        storm_spin_until(storm_now() + storm_burst(d->longest));
        storm_sleep_until(storm_now() + (int64_t)((double)storm_burst(d->longest) * pauses));
    }
}

void storm_neighbour(const storm_dials* dials) {
    storm_thread(dials->cpu, STORM_NICE, come_and_go, dials);
    if (dials->other >= 0) storm_thread(dials->other, STORM_NICE, come_and_go, dials);
}
