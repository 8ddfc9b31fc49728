/* Calibration: clock, sentinel and controls from the fastest repeated readings. No unit is known at first:
 * all readings are in segments of the reference chain. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench/reference.h"
#include "bench/ticks.h"
#include "worker/machine.h"

enum { PER_RUN = 210, KEPT = 400, LONG_CYCLES = 4000, SENTINELS = 2000, FEWEST = 8, FEW_SPARED = 35 };

/* Visited in turn: the reference chain itself, the chain of additions, the controls. */
enum { KINDS = 2 + PTL_CONTROLS };
static uint32_t kernel_of(int kind) {
    return kind == 0 ? PTL_CHAIN : kind == 1 ? PTL_ADD_CHAIN : PTL_CONTROL + (uint32_t)kind - 2;
}

typedef struct collected {
    ptl_reading store[KINDS][2][KEPT];
    ptl_readings readings[KINDS][2];
    ptl_reading sentinel[SENTINELS];
    uint32_t iterations[PTL_REFERENCES];
    size_t sentinels;
    unsigned visits, clocked;
    double granularity;
    ptl_segments segments;
    double shortest; /* ticks of a chain, as a visit's clock has it; 0: none yet */
} collected;

static void collect(collected* c, int kind, const ptl_visit* v) {
    double chain = ptl_clock(v->chain, PTL_VISIT_CHAINS, c->granularity);
    uint32_t number = c->visits++;
    if (!(chain > 0)) return;
    c->clocked++;
    if (c->shortest == 0 || chain < c->shortest) c->shortest = chain;
    for (int k = 0; k < 2; k++) {
        ptl_readings* r = &c->readings[kind][k];
        r->nominal = v->nominal[k];
        for (int i = 0; i < PTL_VISIT_PASSES; i++)
            ptl_readings_add(r, KEPT,
                             (ptl_reading){.cycles = v->pass[k][i].ticks / chain,
                                           .iterations = v->pass[k][i].iterations,
                                           .visit = number});
        if (c->sentinels < SENTINELS)
            c->sentinel[c->sentinels++] = (ptl_reading){
                .level = v->sentinel[k] / chain, .cycles = v->sentinel[k] / chain, .visit = number};
    }
}

static ptl_status sample(ptl_worker* w, int cpu, double seconds, collected* c, ptl_error* error) {
    uint32_t offsets[PTL_REFERENCES], plan[PER_RUN];
    size_t planned = 0;
    const ptl_target* target = ptl_worker_target(w);
    ptl_worker_compiled(w, ptl_reference_compile(target, ptl_worker_code(w), offsets));
    for (int i = 0; i < PER_RUN; i++) {
        uint32_t kernel = kernel_of(i % KINDS);
        if (ptl_machine_has_vectors(target->bodies[kernel].vector_bits)) plan[planned++] = kernel;
    }
    ptl_run run = {
        .offsets = offsets,
        .iterations = c->iterations,
        .kernels = PTL_REFERENCES,
        .plan = plan,
        .planned = planned,
        .segments = c->segments,
        .cpu = cpu,
    };
    double end = ptl_now() + seconds;
    do {
        ptl_run_outcome o;
        ptl_status s = ptl_worker_run(w, &run, &o, error);
        if (s) return s;
        if (o.status == PTL_BENCH_INTERRUPTED)
            return ptl_fail(error, PTL_INTERRUPTED, "calibration", NULL, "interrupted");
        for (size_t i = 0; i < o.visits; i++)
            for (int k = 0; k < KINDS; k++)
                if (kernel_of(k) == plan[i]) collect(c, k, &o.visit[i]);
    } while (ptl_now() < end);
    return PTL_OK;
}

static const char* const quieter = "wait until nothing else runs on this machine";

/* The rate of a kind in segments of the reference chain, and the edge of its passes. How many readings are
 * spared nobody knows yet: as few as make a cluster are believed, but checked against whole numbers. */
static double rate_of(collected* c, int kind, double resolution, double* edge) {
    ptl_readings* r = c->readings[kind];
    if (r[1].n == 0) return 0;
    ptl_conditions any = {
        .spared = FEW_SPARED / (double)r[1].seen, .typical = INFINITY, .resolution = resolution};
    ptl_estimate estimate;
    ptl_estimate_rate(&r[0], &r[1], &any, &estimate);
    ptl_cluster cluster;
    if (!(estimate.cycles > 0) || estimate.agreeing < FEWEST) return 0;
    double width = ptl_agreement(r[1].nominal * estimate.cycles, resolution);
    if (!ptl_fastest_cluster(r[1].list, r[1].n, width, estimate.agreeing, &cluster)) return 0;
    *edge = cluster.centre - r[1].nominal * estimate.cycles;
    return estimate.cycles;
}

/* Is it a whole number, or one divided by a whole number? */
static bool is_whole(double x) {
    const double near = 0.02;
    if (!(x > 0)) return false;
    double n = x < 1 ? 1 / x : x;
    return fabs(n - round(n)) <= near * n;
}

/* Is this rate what a whole number of adders gives? More than the processor is known for are believed: noise
 * makes nothing faster, and hypervisors give processors other names than their own. */
static bool plausible(double add, unsigned adders, unsigned fewest) {
    return is_whole(add) && round(1 / add) >= (adders > fewest ? adders : fewest);
}

/* The clock: how many cycles a segment of the reference chain takes. */
static ptl_status conclude_clock(collected* c, const ptl_target* t, double resolution, ptl_calibration* out,
                                 double* segment, ptl_error* error) {
    unsigned links = ptl_reference_units(t, PTL_CHAIN), adds = ptl_reference_units(t, PTL_ADD_CHAIN);
    double edge, imul = rate_of(c, 0, resolution, &edge) / links,
                 add = rate_of(c, 1, resolution, &edge) / adds;
    if (!(imul > 0) || !(add > 0))
        return ptl_fail(error, PTL_LIMIT, "calibration", quieter, "no two of %u visits agree on the clock",
                        c->visits);
    double latency = imul / add;
    if (fabs(latency - round(latency)) > 0.02 * latency || latency < 1)
        return ptl_fail(error, PTL_LIMIT, "calibration", quieter,
                        "a multiplication takes %.3f times an addition, no whole number", latency);
    out->imul_latency = round(latency);
    *segment = out->imul_latency / imul;
    out->chain_edge = *segment - out->imul_latency * links * c->segments.chain_iterations;
    out->ticks_per_cycle = c->shortest / *segment;
    return PTL_OK;
}

static ptl_status conclude_controls(collected* c, const ptl_target* t, unsigned adders, double resolution,
                                    double segment, ptl_calibration* out, ptl_error* error) {
    for (int k = 0; k < PTL_CONTROLS; k++) {
        unsigned units = ptl_reference_units(t, PTL_CONTROL + k);
        double edge = 0, cycles = rate_of(c, 2 + k, resolution, &edge) * segment;
        if (k == 0) out->alu_cycles = cycles / units;
        if (is_whole(cycles / units))
            out->control[k] = (ptl_control){.cycles = cycles, .edge = edge * segment};
    }
    if (plausible(out->alu_cycles, adders, t->fewest_adders)) return PTL_OK;
    return ptl_fail(
        error, PTL_LIMIT, "calibration", quieter,
        "independent integer operations run at %.3f cycles: this core is shared with something busy",
        out->alu_cycles);
}

static ptl_status conclude_sentinel(collected* c, const ptl_target* t, double resolution, double segment,
                                    ptl_calibration* out, ptl_error* error) {
    double units = ptl_reference_units(t, PTL_SENTINEL) * (double)c->segments.sentinel_iterations;
    double ideal = units * out->alu_cycles / segment, width = 0.01 * ideal + resolution;
    ptl_cluster sentinel;
    size_t support = FEWEST, quiet = 0;
    bool found = ptl_fastest_cluster(c->sentinel, c->sentinels, width, support, &sentinel);
    if (!found || sentinel.centre < 0.98 * ideal || sentinel.centre > 1.5 * ideal)
        return ptl_fail(error, PTL_LIMIT, "calibration", quieter, "the sentinel was never quiet in %u visits",
                        c->visits);
    for (size_t i = 0; i < c->sentinels; i++)
        quiet += c->sentinel[i].level < 1.04 * sentinel.centre + resolution;
    out->sentinel_cycles = sentinel.centre * segment;
    out->quiet_share = (double)quiet / (double)c->sentinels;
    return PTL_OK;
}

static ptl_status conclude(collected* c, const ptl_target* t, unsigned adders, ptl_calibration* out,
                           ptl_error* error) {
    out->visits = c->visits;
    out->ticks_per_cycle = c->shortest / c->segments.chain_cycles; /* about, until the latency is known */
    double segment = 0, resolution = ptl_resolution(out) / c->segments.chain_cycles;
    ptl_status s = conclude_clock(c, t, resolution, out, &segment, error);
    if (!s) s = conclude_controls(c, t, adders, resolution, segment, out, error);
    return s ? s : conclude_sentinel(c, t, resolution, segment, out, error);
}

ptl_status ptl_calibrate(ptl_worker* w, int cpu, unsigned adders, double seconds, ptl_calibration* out,
                         ptl_error* error) {
    ptl_ticks ticks = ptl_ticks_measure();
    *out = (ptl_calibration){
        .tsc_hz = ticks.hz, .granularity = ticks.granularity, .coarseness = ptl_ticks_coarseness(&ticks)};
    collected* c = calloc(1, sizeof *c);
    if (!c) return ptl_fail(error, PTL_NO_MEMORY, "calibration", NULL, "no memory for readings");
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < 2; k++) c->readings[i][k].list = c->store[i][k];
    c->granularity = out->granularity;
    c->segments = ptl_segments_of(LONG_CYCLES * out->coarseness, out->coarseness);
    ptl_status s = sample(w, cpu, seconds, c, error);
    if (!s) s = conclude(c, ptl_worker_target(w), adders, out, error);
    free(c);
    return s;
}

static bool alike(double a, double b, double share) {
    return fabs(a - b) <= share * b;
}

bool ptl_calibrations_agree(ptl_calibration* a, const ptl_calibration* b) {
    const double rate = 0.003, clock = 0.001;
    ptl_segments g = ptl_segments_of(LONG_CYCLES * a->coarseness, a->coarseness);
    for (int k = 0; k < PTL_CONTROLS; k++) {
        const ptl_control *x = &a->control[k], *y = &b->control[k];
        bool same = alike(x->cycles, y->cycles, rate) && fabs(x->edge - y->edge) <= 2 * ptl_resolution(a);
        if (!same) a->control[k] = (ptl_control){0};
    }
    return a->coarseness == b->coarseness && a->control[0].cycles > 0 && a->imul_latency == b->imul_latency &&
           alike(ptl_reference_of(a, &g).chain_cycles, ptl_reference_of(b, &g).chain_cycles, clock);
}

ptl_calibration ptl_uncalibrated(void) {
    /* A sentinel that no core is as fast as: no visit passes the gate. */
    return (ptl_calibration){.imul_latency = 3,
                             .sentinel_cycles = 1,
                             .alu_cycles = 1,
                             .tsc_hz = 1e9,
                             .granularity = 1,
                             .coarseness = 1};
}
