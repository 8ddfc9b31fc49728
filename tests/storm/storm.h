/* Disturbances of one processor on demand, and what they do to code that runs there. */
#ifndef STORM_H
#define STORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the command line says; a dial that the kind does not have is 0. */
typedef struct storm_dials {
    int cpu;         /* the processor to disturb */
    int other;       /* another one that this process may use, or -1 */
    double seconds;  /* after which the storm ends by itself */
    double strength; /* multiplies rates and duties */
    double rate;     /* events a second */
    double work;     /* microseconds of an event */
    double duty;     /* share of the time that is busy */
    double longest;  /* microseconds of the longest burst */
} storm_dials;

typedef struct storm_kind {
    const char* name;
    double rate, work, duty, longest; /* defaults; 0: the kind has no such dial */
    bool needs_other;                 /* a second processor */
    void (*start)(const storm_dials* dials);
} storm_kind;

void storm_timers(const storm_dials* dials);
void storm_stalls(const storm_dials* dials);
void storm_neighbour(const storm_dials* dials);
void storm_vector(const storm_dials* dials);
void storm_memory(const storm_dials* dials);

/* Prints what happens to a pinned, ordinary program on dials->cpu meanwhile. */
int storm_watch(const storm_dials* dials);

/* Ahead of all ordinary threads, or at nice -20. One that is not permitted is replaced by the next lower, and
 * that is said once, in one line. */
typedef enum storm_priority { STORM_REAL_TIME, STORM_NICE } storm_priority;

/* Starts a thread that is pinned to cpu and runs body for the rest of the process. */
void storm_thread(int cpu, storm_priority priority, void (*body)(const storm_dials*),
                  const storm_dials* dials);

/* Ends the process with one line and status 1: the machine, not the user, is at fault. */
_Noreturn void storm_fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

int64_t storm_now(void);                       /* nanoseconds, monotonic */
void storm_spin_until(int64_t when);           /* busy */
void storm_sleep_until(int64_t when);          /* asleep */
double storm_random(void);                     /* in [0, 1), a generator per thread */
int64_t storm_gap(double rate);                /* nanoseconds to the next event of a Poisson process */
int64_t storm_burst(double longest_us);        /* nanoseconds, log-uniform from one microsecond on */
int64_t storm_pause(const storm_dials* dials); /* between bursts, so that they take their duty of the time */

#endif
