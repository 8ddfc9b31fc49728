/* Visits on a simulated core in simulated weather, at the level of time stamps. What disturbs is fitted to
 * recordings of a Golden Cove class machine: stalls of some 235 cycles, all alike; interrupts of 14
 * microseconds; a neighbour on the same core that comes and goes; steps of 100 MHz. */
#ifndef PTL_TESTS_SIMULATED_WEATHER_H
#define PTL_TESTS_SIMULATED_WEATHER_H

#include <math.h>

#include "base/rng.h"
#include "bench/estimate.h"
#include "bench/noise_gate.h"

typedef struct weather {
    const char* name;
    double stall_spacing; /* cycles between stalls, on average; 0: none */
    double stall;         /* cycles of one */
    double interrupts;    /* a second */
    double busy;          /* share of the time with a busy neighbour on the core */
    double burst;         /* seconds that it stays, on average */
    double step;          /* seconds between changes of speed, on average; 0: none */
} weather;

enum { EDGE = 60, CHAIN_CYCLES = 1080, SENTINEL_CYCLES = 290 };

static const ptl_reference simulated_reference = {
    .chain_cycles = CHAIN_CYCLES, .sentinel_cycles = SENTINEL_CYCLES, .tsc_hz = 2.3e9, .granularity = 2};

typedef struct machine {
    const weather* weather;
    ptl_rng rng;
    double hz, tsc_hz, time; /* now; seconds */
    bool coarse;             /* the counter steps less often than the core: whole ticks are read */
    ptl_reference reference; /* cycles of its chains and sentinels; its counter */
    double next_stall, next_interrupt, next_step, next_neighbour;
    bool neighbour;
} machine;

static inline double after(machine* m, double mean) {
    return mean > 0 ? m->time - mean * log(1 - ptl_rng_unit(&m->rng)) : INFINITY;
}

static inline void plan_neighbour(machine* m) {
    double busy = m->weather->busy, mean = m->weather->burst;
    m->next_neighbour = busy > 0 ? after(m, m->neighbour ? mean : mean * (1 - busy) / busy) : INFINITY;
}

static inline machine machine_in(const weather* w, uint64_t seed) {
    machine m = {.weather = w,
                 .rng = ptl_rng_seed(seed),
                 .hz = 3.0e9,
                 .tsc_hz = 2.3e9,
                 .reference = simulated_reference};
    m.next_stall = after(&m, w->stall_spacing / m.hz);
    m.next_interrupt = after(&m, w->interrupts > 0 ? 1 / w->interrupts : 0);
    m.next_step = after(&m, w->step);
    m.neighbour = ptl_rng_unit(&m.rng) < w->busy;
    plan_neighbour(&m);
    return m;
}

/* The same with a counter of so many ticks a second, which steps by one, and segments for it. */
static inline machine coarse_machine_in(const weather* w, double ticks, unsigned coarseness, uint64_t seed) {
    machine m = machine_in(w, seed);
    m.coarse = true, m.tsc_hz = ticks;
    m.reference = (ptl_reference){.chain_cycles = CHAIN_CYCLES * 2.0 * coarseness,
                                  .sentinel_cycles = SENTINEL_CYCLES * (double)coarseness,
                                  .tsc_hz = ticks,
                                  .granularity = 1};
    return m;
}

/* Lets `cycles` of work pass, of which the neighbour makes `slowed` times as much; returns ticks. */
static inline uint32_t run_for(machine* m, double cycles, double slowed) {
    double start = m->time;
    while (cycles > 0) {
        double factor = m->neighbour ? slowed : 1, end = m->time + cycles * factor / m->hz;
        double event = fmin(fmin(m->next_stall, m->next_interrupt), fmin(m->next_step, m->next_neighbour));
        if (event > end) {
            m->time = end;
            break;
        }
        cycles -= fmax(0, event - m->time) * m->hz / factor;
        m->time = fmax(m->time, event);
        if (event == m->next_stall) {
            m->time += m->weather->stall / m->hz;
            m->next_stall = after(m, m->weather->stall_spacing / m->hz);
        } else if (event == m->next_interrupt) {
            m->time += 14e-6;
            m->next_interrupt = after(m, 1 / m->weather->interrupts);
        } else if (event == m->next_step) {
            m->hz = 2.8e9 + 1e8 * floor(9 * ptl_rng_unit(&m->rng));
            m->next_step = after(m, m->weather->step);
        } else {
            m->neighbour = !m->neighbour;
            plan_neighbour(m);
        }
    }
    if (m->coarse) return (uint32_t)(floor(m->time * m->tsc_hz) - floor(start * m->tsc_hz));
    double jitter = 3 * ptl_rng_unit(&m->rng);
    return (uint32_t)(((m->time - start) * m->tsc_hz + jitter) / 2) * 2; /* the counter steps by 2 */
}

/* A loop: cycles of an iteration, how much a neighbour slows it, and how it misbehaves. */
typedef struct loop {
    double cycles, slowed;
    double other_rate, other_share; /* relative; a second rate of its own, for whole passes */
    double unsteady;                /* every pass takes up to this share longer */
    uint32_t nominal[2];
} loop;

static inline loop loop_of(double cycles, double slowed, double long_cycles) {
    loop l = {.cycles = cycles, .slowed = slowed};
    l.nominal[1] = (uint32_t)fmax(2, long_cycles / cycles);
    l.nominal[0] = (l.nominal[1] + 3) / 4;
    return l;
}

static inline ptl_visit visit_of(machine* m, const loop* l) {
    ptl_visit v = {.nominal = {l->nominal[0], l->nominal[1]}};
    v.sentinel[0] = run_for(m, m->reference.sentinel_cycles, 1.8);
    v.chain[0] = run_for(m, m->reference.chain_cycles, 1);
    run_for(m, l->cycles * l->nominal[1], l->slowed);
    for (int i = 0; i < PTL_VISIT_PASSES; i++) {
        for (int k = 0; k < 2; k++) {
            uint32_t n = l->nominal[k] + (i && l->nominal[0] > 3 ? (uint32_t)(4 * ptl_rng_unit(&m->rng)) : 0);
            double rate = l->cycles * (1 + l->unsteady * ptl_rng_unit(&m->rng));
            if (ptl_rng_unit(&m->rng) < l->other_share) rate *= l->other_rate;
            v.pass[k][i] = (ptl_pass){n, run_for(m, EDGE + rate * n, l->slowed)};
        }
        v.chain[i + 1] = run_for(m, m->reference.chain_cycles, 1);
    }
    v.sentinel[1] = run_for(m, m->reference.sentinel_cycles, 1.8);
    return v;
}

#endif
