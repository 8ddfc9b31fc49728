#include "bench/weather.h"

#include <math.h>
#include <stdlib.h>

#include "bench/control.h"

enum { ROUNDS = 5, VISITS = 8 }; /* of every length in turn: disturbances last longer than a few visits */

/* Information that long passes of so many cycles gain in a cycle, of which a share is undisturbed: the
 * inverse of their variance. How evenly time stamps are read limits short ones, how evenly a core works long
 * ones. A result rests on nine readings at least, so that none has to be more precise than so that nine are
 * enough. */
static double information(double cycles, double share, const ptl_calibration* c) {
    const double uneven = 0.0005, enough = 0.001, around = 1.25,
                 once = 500; /* a short pass, a part of the chains and the set-up */
    double reading = fmax(ptl_resolution(c) / cycles, enough);
    return share / (reading * reading + uneven * uneven) / (around * cycles + once);
}

typedef struct survey {
    ptl_worker* worker;
    const ptl_calibration* calibration;
    uint32_t offsets[PTL_REFERENCES], plan[VISITS];
    ptl_watch watch[PTL_WEATHER_LENGTHS];
    ptl_reading readings[PTL_WEATHER_LENGTHS][2][ROUNDS * VISITS * PTL_VISIT_PASSES];
    uint32_t visits;
    int cpu;
} survey;

/* Of a window, by the number of its length. */
static uint32_t cycles_of(const ptl_calibration* c, unsigned length) {
    return (1000u << length) * c->coarseness;
}

/* Some visits with windows of one length. */
static ptl_status visit(survey* s, unsigned length, ptl_error* error) {
    uint32_t iterations[PTL_REFERENCES] = {0};
    ptl_run run = {
        .offsets = s->offsets,
        .iterations = iterations,
        .kernels = PTL_REFERENCES,
        .plan = s->plan,
        .planned = VISITS,
        .segments = ptl_segments_of(cycles_of(s->calibration, length), s->calibration->coarseness),
        .cpu = s->cpu,
    };
    iterations[PTL_CONTROL] = ptl_control_iterations(s->calibration, 0, &run.segments);
    ptl_run_outcome o;
    ptl_status status = ptl_worker_run(s->worker, &run, &o, error);
    if (status) return status;
    if (o.status == PTL_BENCH_INTERRUPTED)
        return ptl_fail(error, PTL_INTERRUPTED, "measuring", NULL, "interrupted");
    ptl_reference r = ptl_reference_of(s->calibration, &run.segments);
    for (size_t i = 0; i < o.visits; i++) {
        double cycle;
        if (ptl_gate(&o.visit[i], &r, &cycle) == PTL_QUIET)
            ptl_watch_add(&s->watch[length], &o.visit[i], cycle, s->visits);
        s->visits++;
    }
    return PTL_OK;
}

static void conclude(survey* s, ptl_weather* out) {
    const unsigned least = 1,
                   usual = 2; /* the shortest passes that are precise enough; where hardly any get through */
    const double seldom = 0.05;
    double most = 0;
    *out = (ptl_weather){.best = usual};
    for (unsigned i = 0; i < PTL_WEATHER_LENGTHS; i++) {
        ptl_watch_judge(&s->watch[i]);
        out->cycles[i] = cycles_of(s->calibration, i);
        out->share[i] = (double)s->watch[i].undisturbed / (ROUNDS * VISITS * PTL_VISIT_PASSES);
        double gain = information(out->cycles[i], out->share[i], s->calibration);
        if (i >= least && out->share[i] >= seldom && gain > most) most = gain, out->best = i;
    }
}

ptl_status ptl_survey(ptl_worker* w, int cpu, const ptl_calibration* c, ptl_weather* out, ptl_error* error) {
    survey* s = calloc(1, sizeof *s);
    if (!s) return ptl_fail(error, PTL_NO_MEMORY, "measuring", NULL, "no memory for readings");
    s->worker = w, s->calibration = c, s->cpu = cpu;
    ptl_worker_compiled(w, ptl_reference_compile(ptl_worker_target(w), ptl_worker_code(w), s->offsets));
    for (int i = 0; i < VISITS; i++) s->plan[i] = PTL_CONTROL;
    for (unsigned i = 0; i < PTL_WEATHER_LENGTHS; i++)
        s->watch[i] =
            ptl_watch_new(c, 0, s->readings[i][0], s->readings[i][1], ROUNDS * VISITS * PTL_VISIT_PASSES);
    ptl_status status = PTL_OK;
    for (unsigned round = 0; round < ROUNDS && !status; round++)
        for (unsigned i = 0; i < PTL_WEATHER_LENGTHS && !status; i++) status = visit(s, i, error);
    if (!status) conclude(s, out);
    free(s);
    return status;
}
