/* Threads with a processor and a priority; time and chance. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "machine.h"
#include "storm.h"

typedef struct errand {
    int cpu;
    storm_priority priority;
    void (*body)(const storm_dials*);
    const storm_dials* dials;
} errand;

void storm_fail(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("storm: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _Exit(1);
}

/* Once, whatever the number of threads. */
static void tell_refused(const char* what, const char* instead) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&told))
        fprintf(stderr, "storm: %s is not permitted here: %s\n", what, instead);
}

/* Real time needs CAP_SYS_NICE or RLIMIT_RTPRIO, and a control group with real-time bandwidth. */
static void prioritise(storm_priority priority) {
    struct sched_param lowest = {.sched_priority = 1};
    if (priority == STORM_REAL_TIME && !sched_setscheduler(0, SCHED_FIFO, &lowest)) return;
    if (setpriority(PRIO_PROCESS, 0, -20))
        tell_refused("a priority above the ordinary", "the storm is weaker; run it as root");
    else if (priority == STORM_REAL_TIME)
        tell_refused("real-time priority", "nice -20 instead, and the storm is weaker");
}

static void* run(void* context) {
    errand e = *(errand*)context;
    free(context);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)e.cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        storm_fail("processor %d: %s; choose one of Cpus_allowed_list in /proc/self/status", e.cpu,
                   strerror(errno));
    prctl(PR_SET_TIMERSLACK, 1UL);
    prioritise(e.priority);
    e.body(e.dials);
    return NULL;
}

void storm_thread(int cpu, storm_priority priority, void (*body)(const storm_dials*),
                  const storm_dials* dials) {
    pthread_t thread;
    errand* e = malloc(sizeof *e);
    if (!e) storm_fail("out of memory");
    *e = (errand){cpu, priority, body, dials};
    int status = pthread_create(&thread, NULL, run, e);
    if (status) storm_fail("no thread: %s", strerror(status));
    pthread_detach(thread);
}

int64_t storm_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void storm_spin_until(int64_t when) {
    while (storm_now() < when) storm_relax();
}

void storm_sleep_until(int64_t when) {
    struct timespec t = {when / 1000000000, when % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) continue;
}

double storm_random(void) {
    static _Thread_local uint64_t state;
    if (!state) state = storm_ticks() | 1;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

int64_t storm_gap(double rate) {
    return (int64_t)(-log(1 - storm_random()) / rate * 1e9);
}

int64_t storm_burst(double longest_us) {
    return (int64_t)(1e3 * pow(longest_us, storm_random()));
}

int64_t storm_pause(const storm_dials* dials) {
    return (int64_t)((double)storm_burst(dials->longest) * (1 - dials->duty) / dials->duty);
}
