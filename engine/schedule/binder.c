#include "schedule/binder.h"

#include <string.h>

#include "model/throughput.h"
#include "schedule/port_choice.h"
#include "schedule/slot_parts.h"

#define LENGTH_MAX 1000000
#define CYCLES_MAX (UINT64_C(1) << 21)

/* Everything that decides what happens next; two equal states have equal futures. */
typedef struct state {
    uint64_t parts; /* of issue slots that the instance at position still needs */
    ptl_port_counters ports;
    uint32_t in_scheduler;
    uint32_t position; /* in the iteration */
    uint32_t uop;      /* of this instance: the next to bind */
    uint32_t copies;   /* of this uop bound already */
} state;
_Static_assert(sizeof(state) == sizeof(uint32_t) * (PTL_PORTS_MAX * (3 + PTL_BINDER_MEMORY_MAX) + 8),
               "states are compared byte by byte: no padding");

typedef struct machine {
    const ptl_mapping* m;
    const ptl_binder* o;
    const uint32_t* order; /* the schemes of one iteration */
    uint32_t length;
    ptl_slot_parts issue;
    state s;
    uint64_t iterations;            /* finished */
    uint64_t bound[PTL_PORTS_MAX];  /* uops, in all: in the end the port executes them */
    uint64_t at_end[PTL_PORTS_MAX]; /* the same when the latest iteration ended */
    double loads[PTL_PORTS_MAX];    /* uops per iteration, in the steady state */
} machine;

/* One iteration with every scheme spread evenly: next comes the scheme that lags most behind its share. */
static uint32_t* interleave(const ptl_experiment* e, uint32_t gcd, uint32_t length, ptl_arena* a) {
    uint32_t* order = ptl_arena_array(a, length, sizeof *order);
    int64_t* lag = ptl_arena_array(a, e->size, sizeof *lag);
    if (!order || !lag) return NULL;
    for (uint32_t n = 0; n < length; n++) {
        size_t most = 0;
        for (size_t i = 0; i < e->size; i++) {
            lag[i] += e->terms[i].count / gcd;
            if (lag[i] > lag[most]) most = i;
        }
        lag[most] -= length;
        order[n] = e->terms[most].scheme;
    }
    return order;
}

static const ptl_usage* current(const machine* x) {
    return &x->m->schemes[x->order[x->s.position]];
}

/* Binds what is left of the current instance; false when the scheduler is full before that. */
static bool bind_uops(machine* x, const ptl_usage* u) {
    for (; x->s.uop < u->uop_count; x->s.uop++, x->s.copies = 0)
        for (; x->s.copies < u->uops[x->s.uop].count; x->s.copies++) {
            if (x->s.in_scheduler == x->o->scheduler) return false;
            x->bound[ptl_port_bind(&x->s.ports, x->o, u->uops[x->s.uop].ports)]++;
            x->s.in_scheduler++;
        }
    return true;
}

static void next_instance(machine* x) {
    if (++x->s.position == x->length) {
        x->s.position = 0;
        x->iterations++;
        memcpy(x->at_end, x->bound, x->m->port_count * sizeof *x->at_end);
    }
    x->s.parts = current(x)->slots * x->issue.slot;
    x->s.uop = x->s.copies = 0;
}

static void issue(machine* x) {
    uint64_t budget = x->issue.width;
    for (;;) {
        uint64_t taken = x->s.parts < budget ? x->s.parts : budget;
        x->s.parts -= taken;
        budget -= taken;
        if (x->s.parts || !bind_uops(x, current(x))) return;
        next_instance(x);
    }
}

static void execute(machine* x) {
    for (unsigned k = 0; k < x->m->port_count; k++) {
        if (!x->s.ports.pending[k]) continue;
        ptl_port_execute(&x->s.ports, x->o, k);
        x->s.in_scheduler--;
    }
}

static void cycle(machine* x) {
    issue(x);
    execute(x);
    ptl_port_age(&x->s.ports, x->o, x->m->port_count);
}

static void set_loads(machine* x, const uint64_t* after, const uint64_t* before, uint64_t iterations) {
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++)
        x->loads[k] = iterations ? (double)(after[k] - before[k]) / (double)iterations : 0;
}

/* The mean over some thousand cycles and some iterations, from the end of one iteration to the end of
 * another. */
static double mean_rate(machine* x) {
    enum { WARM = 300, CYCLES = 4000, ITERATIONS = 8 };
    uint64_t cycles = 0, from = 0, to = 0, first = 0, last = 0, before_first[PTL_PORTS_MAX] = {0};
    while (cycles < CYCLES_MAX && (cycles < WARM + CYCLES || last < first + ITERATIONS)) {
        uint64_t before = x->iterations;
        cycle(x);
        cycles++;
        if (x->iterations == before || cycles < WARM) continue;
        if (!from) {
            from = cycles, first = x->iterations;
            memcpy(before_first, x->at_end, sizeof before_first);
        } else {
            to = cycles, last = x->iterations;
        }
    }
    set_loads(x, x->at_end, before_first, last > first ? last - first : 0);
    return last > first ? (double)(to - from) / (double)(last - first) : (double)CYCLES_MAX;
}

/* Brent's way to find the loop: a saved state that moves to the current one after 1, 2, 4, ... cycles. In a
 * loop every port ends with what it began with, so the uops issued were executed, one per port and cycle at
 * most: its rate can not be faster than the model's, but where it ignores an R_max of PTL_RMAX_MAX. */
static double steady_state(machine* x, double least) {
    state saved = x->s;
    uint64_t saved_iterations = 0, saved_bound[PTL_PORTS_MAX] = {0}, cycles = 0, power = 1, since = 0;
    double rate = 0;
    if (x->o->random) {
        rate = mean_rate(x);
        return rate > least ? rate : least;
    }
    while (cycles < CYCLES_MAX) {
        cycle(x);
        cycles++;
        since++;
        if (!memcmp(&saved, &x->s, sizeof saved)) {
            rate = (double)since / (double)(x->iterations - saved_iterations);
            set_loads(x, x->bound, saved_bound, x->iterations - saved_iterations);
            return rate > least ? rate : least;
        }
        if (since == power && cycles < CYCLES_MAX / 2) {
            saved = x->s;
            saved_iterations = x->iterations;
            memcpy(saved_bound, x->bound, sizeof saved_bound);
            power *= 2;
            since = 0;
        }
    }
    uint64_t done = x->iterations - saved_iterations;
    set_loads(x, x->bound, saved_bound, done);
    rate = done ? (double)since / (double)done : (double)CYCLES_MAX;
    return rate > least ? rate : least;
}

static ptl_status check(const ptl_binder* o, uint64_t length, ptl_error* error) {
    if (o->scheduler < 1 || o->scheduler > PTL_BINDER_SCHEDULER_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "a scheduler must have 1 to %d entries",
                        PTL_BINDER_SCHEDULER_MAX);
    if (o->memory > PTL_BINDER_MEMORY_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "the counters' memory must be 0 to %d cycles",
                        PTL_BINDER_MEMORY_MAX);
    if (length > LENGTH_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "use smaller counts",
                        "the experiment is too long to simulate it cycle by cycle");
    return PTL_OK;
}

static ptl_status simulate(const ptl_mapping* m, const ptl_experiment* e, const ptl_binder* o, double least,
                           double* cycles, double* loads, ptl_error* error) {
    uint32_t gcd = ptl_experiment_gcd(e);
    uint64_t length = ptl_experiment_length(e) / gcd;
    ptl_status s = check(o, length, error);
    if (s) return s;
    ptl_arena arena = PTL_ARENA_EMPTY;
    machine x = {.m = m, .o = o, .length = (uint32_t)length};
    ptl_port_counters_start(&x.s.ports);
    x.order = interleave(e, gcd, x.length, &arena);
    if (!x.order) {
        s = ptl_no_memory(error, "for an experiment");
    } else {
        x.issue = ptl_slot_parts_of(m->rmax);
        x.s.parts = current(&x)->slots * x.issue.slot;
        *cycles = gcd * steady_state(&x, least / gcd);
        for (unsigned k = 0; k < PTL_PORTS_MAX; k++) loads[k] = gcd * x.loads[k];
    }
    ptl_arena_release(&arena);
    return s;
}

ptl_status ptl_bind_loads(const ptl_mapping* m, const ptl_experiment* e, const ptl_binder* options,
                          double* cycles, double* loads, ptl_error* error) {
    memset(loads, 0, PTL_PORTS_MAX * sizeof *loads);
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    ptl_status s = ptl_demand_fill(&d, m, e, error);
    if (!s) s = ptl_bottleneck_of(&d, &b, error);
    if (!s) {
        double least = ptl_demand_cycles(&d, &b, m->rmax);
        /* without uops there is nothing to bind */
        if (d.mass == 0)
            *cycles = least;
        else
            s = simulate(m, e, options, least, cycles, loads, error);
    }
    ptl_demand_free(&d);
    return s;
}
