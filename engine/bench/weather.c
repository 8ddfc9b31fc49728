#include "bench/weather.h"

#include <math.h>

enum { VISITS = 40 };

/* Does a pass of the additions take what it should? */
static bool is_undisturbed(const ptl_pass* p, const ptl_control* adds, double cycle, double resolution) {
    double expected = adds->edge + adds->cycles * p->iterations;
    return fabs(p->ticks / cycle - expected) <= ptl_agreement(expected, resolution);
}

static double undisturbed_share(const ptl_run_outcome* o, const ptl_calibration* c, const ptl_reference* r) {
    size_t quiet = 0;
    for (size_t i = 0; i < o->visits; i++) {
        double cycle;
        if (ptl_gate(&o->visit[i], r, &cycle) != PTL_QUIET) continue;
        for (int k = 0; k < PTL_VISIT_PASSES; k++)
            quiet += is_undisturbed(&o->visit[i].pass[PTL_LONG][k], &c->control[0], cycle, ptl_resolution(c));
    }
    return o->visits ? (double)quiet / (double)(o->visits * PTL_VISIT_PASSES) : 0;
}

/* Information that long passes of so many cycles gain in a cycle, of which a share is undisturbed: the
 * inverse of their variance. How evenly time stamps are read limits short ones, how evenly a core works long
 * ones. */
static double information(double cycles, double share, const ptl_calibration* c) {
    const double uneven = 0.0005, around = 1.25,
                 once = 500; /* a short pass, a part of the chains and the set-up */
    double reading = ptl_resolution(c) / cycles;
    return share / (reading * reading + uneven * uneven) / (around * cycles + once);
}

ptl_status ptl_survey(const ptl_bench_memory* m, int cpu, const ptl_calibration* c, ptl_weather* out,
                      ptl_error* e) {
    uint32_t offsets[PTL_REFERENCES], plan[VISITS];
    ptl_reference_compile(m, offsets);
    for (int i = 0; i < VISITS; i++) plan[i] = PTL_CONTROL;
    const unsigned least = 1,
                   usual = 2; /* the shortest passes that are precise enough; where hardly any get through */
    const double seldom = 0.05;
    double most = 0;
    *out = (ptl_weather){.best = usual};
    for (unsigned i = 0; i < PTL_WEATHER_LENGTHS; i++) {
        uint32_t iterations[PTL_REFERENCES] = {0};
        ptl_run run = {
            .offsets = offsets,
            .iterations = iterations,
            .kernels = PTL_REFERENCES,
            .plan = plan,
            .planned = VISITS,
            .segments = ptl_segments_of(1000u << i),
            .cpu = cpu,
            .stall_seconds = 2,
        };
        iterations[PTL_CONTROL] = ptl_control_iterations(c, 0, &run.segments);
        ptl_run_outcome o;
        ptl_status s = ptl_worker_run(m, &run, &o, e);
        if (s != PTL_OK) return s;
        if (o.status == PTL_BENCH_INTERRUPTED)
            return ptl_fail(e, PTL_INTERRUPTED, "measuring", NULL, "interrupted");
        ptl_reference r = ptl_reference_of(c, &run.segments);
        out->cycles[i] = 1000u << i;
        out->share[i] = undisturbed_share(&o, c, &r);
        double gain = information(out->cycles[i], out->share[i], c);
        if (i >= least && out->share[i] >= seldom && gain > most) most = gain, out->best = i;
    }
    return PTL_OK;
}
