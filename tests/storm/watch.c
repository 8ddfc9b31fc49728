/* What a pinned program notices of its processor's weather: short chains of known length, timed one by one.
 * Where the counter steps slowly, only what is longer than a step is seen. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "machine.h"
#include "storm.h"

enum {
    CHAIN = 300,     /* cycles: a hundred multiplications of three */
    CHAINS = 160000, /* in a run, some 15 ms: judged between runs, not meanwhile */
    SIZES = 7,
    PACED = 2, /* which of the sizes */
    STALLS = 1 << 20
};

static const int sizes[SIZES] = {2000, 4000, 8000, 16000, 32000, 64000, 100000};
static uint32_t readings[CHAINS];
static uint32_t *lengths, *gaps; /* of stalls, in cycles */
static uint32_t* paces;          /* the fastest chain of each window of the size PACED, in ticks */

typedef struct tally {
    uint64_t windows[SIZES], clean[SIZES], running[SIZES];
    uint64_t chains;
    size_t stalls, paces;
    uint64_t since; /* chains since the last stall */
} tally;

static void measure(void) {
    uint64_t before = storm_ticks();
    for (int i = 0; i < CHAINS; i++) {
        storm_chain();
        uint64_t after = storm_ticks();
        uint64_t ticks = after - before;
        readings[i] = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
        before = after;
    }
}

/* What a chain may take where the fastest around takes so much. Steps of frequency are 3% and more. */
static uint32_t same_speed(uint32_t fastest) {
    return fastest + fastest / 40 + 6;
}

/* A busy sibling slows time stamps down by some 40 cycles; what stops the core takes more than 100. */
static uint32_t no_stall(uint32_t fastest) {
    return fastest + fastest / 3 + 1;
}

/* A window is clean if all its chains took the same: neither stopped, nor at changing speed, nor beside a
 * busy sibling; it was running on if none was stopped. */
static void judge_windows(tally* t, int size) {
    int chains = sizes[size] / CHAIN;
    for (int start = 0; start + chains <= CHAINS; start += chains) {
        uint32_t least = UINT32_MAX, most = 0;
        for (int i = start; i < start + chains; i++) {
            if (readings[i] < least) least = readings[i];
            if (readings[i] > most) most = readings[i];
        }
        if (size == PACED && t->paces < STALLS) paces[t->paces++] = least;
        t->windows[size]++;
        t->clean[size] += most <= same_speed(least);
        t->running[size] += most <= no_stall(least);
    }
}

static int by_value(const void* a, const void* b) {
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

static uint32_t usual_reading(void) {
    static uint32_t sorted[CHAINS / 16];
    for (int i = 0; i < CHAINS / 16; i++) sorted[i] = readings[16 * i];
    qsort(sorted, CHAINS / 16, sizeof *sorted, by_value);
    return sorted[CHAINS / 64]; /* the lower quartile */
}

/* Stalls: chains that took a tenth longer than usual, whatever the frequency. */
static void judge_stalls(tally* t) {
    uint32_t usual = usual_reading();
    for (int i = 0; i < CHAINS; i++, t->since++) {
        if (readings[i] <= usual + usual / 10 + 6 || t->stalls == STALLS) continue;
        lengths[t->stalls] = (uint32_t)((uint64_t)(readings[i] - usual) * CHAIN / usual);
        gaps[t->stalls++] = (uint32_t)(t->since * CHAIN);
        t->since = 0;
    }
    t->chains += CHAINS;
}

/* Lengths by class: what slows time stamps down (a busy sibling), stalls, interrupts, preemptions. */
static void print_lengths(const tally* t) {
    static const uint32_t below[] = {100, 400, 2000, 10000, UINT32_MAX};
    size_t at = 0;
    printf("stalls in a million cycles:");
    for (int i = 0; i < 5; i++) {
        size_t from = at;
        while (at < t->stalls && lengths[at] < below[i]) at++;
        double rate = (double)(at - from) * 1e6 / ((double)t->chains * CHAIN);
        if (below[i] < UINT32_MAX)
            printf(" %.1f below %u cycles,", rate, below[i]);
        else
            printf(" %.1f longer\n", rate);
    }
}

static void print_quantiles(const char* what, uint32_t* values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    static const size_t percent[] = {5, 25, 50, 75, 95};
    printf("%s, 5 25 50 75 95%%:", what);
    for (int i = 0; i < 5; i++) printf(" %u", n ? values[n * percent[i] / 100] : 0);
    printf("\n");
}

static void print(const tally* t) {
    for (int i = 0; i < SIZES; i++) {
        double windows = (double)t->windows[i];
        printf("%6d cycles: %.4f clean, %.4f without a stall, of %.0f\n", sizes[i],
               (double)t->clean[i] / windows, (double)t->running[i] / windows, windows);
    }
    qsort(lengths, t->stalls, sizeof *lengths, by_value);
    print_lengths(t);
    print_quantiles("stalls in cycles", lengths, t->stalls);
    print_quantiles("gaps in cycles", gaps, t->stalls);
    print_quantiles("ticks of 300 cycles", paces, t->paces);
}

int storm_watch(const storm_dials* dials) {
    tally t = {.chains = 0};
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)dials->cpu, &set);
    lengths = malloc(STALLS * sizeof *lengths);
    gaps = malloc(STALLS * sizeof *gaps);
    paces = malloc(STALLS * sizeof *paces);
    if (!lengths || !gaps || !paces || sched_setaffinity(0, sizeof set, &set))
        storm_fail("processor %d cannot be watched", dials->cpu);
    setpriority(PRIO_PROCESS, 0, -20); /* as Portolan's worker */
    measure();                         /* the first run touches the pages */
    for (int64_t end = storm_now() + (int64_t)(dials->seconds * 1e9); storm_now() < end;) {
        measure();
        for (int i = 0; i < SIZES; i++) judge_windows(&t, i);
        judge_stalls(&t);
    }
    print(&t);
    free(lengths);
    free(gaps);
    free(paces);
    return 0;
}
